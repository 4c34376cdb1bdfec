//! YARN's own record of an offer, made from the journal: the activities tree of a node (ActivitiesLogger,
//! ActivitiesManager, NodeAllocation; capacity-scheduler.md section 12.1).

use super::CapacityScheduler;
use crate::check::{About, Amounts, Check, CheckKind, Checked, Figures, Outcome};
use crate::journal::{Entry, Finding, OfferResult, VisitEnd};
use crate::model::{AppId, QueueId, RequestKey, Resource};
use crate::scheduler::Cluster;
use std::collections::BTreeSet;

/// One pass of an offer as YARN would record it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activity {
    /// DEFAULT, ALLOCATED, RESERVED, ALLOCATED_FROM_RESERVED, SKIPPED.
    pub result: &'static str,
    /// The tree, parents first.
    pub rows: Vec<ActivityRow>,
}

/// A line of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActivityRow {
    /// Depth, 0 for the root.
    pub depth: usize,
    /// Name; empty for a row without one.
    pub name: String,
    pub state: &'static str,
    pub diagnostic: String,
}

/// An entry of YARN's flat list.
struct ActivityLine {
    parent: String,
    name: Option<String>,
    state: &'static str,
    text: String,
}

/// Builds the flat lists of an offer's passes, then their trees.
struct Builder<'a, F> {
    scheduler: &'a CapacityScheduler,
    cluster: &'a Cluster,
    app_name: F,
    passes: Vec<(&'static str, Vec<ActivityLine>)>,
    open: bool,
    /// The queue whose failed check was recorded last.
    told: Option<QueueId>,
}

/// Returns the trees of one offer; none with multi-node placement, for which YARN records no activities of a node.
/// `entries`: from [`Finding::Offer`] to the next one (or the end); `app_name`: the application's name in YARN.
pub fn activities(
    scheduler: &CapacityScheduler,
    cluster: &Cluster,
    entries: &[Entry],
    app_name: impl Fn(AppId) -> String,
) -> Vec<Activity> {
    if scheduler.conf().multi_node.enabled {
        return Vec::new();
    }
    let mut b = Builder { scheduler, cluster, app_name, passes: Vec::new(), open: false, told: None };
    for entry in entries {
        b.entry(entry);
    }
    b.passes.into_iter().map(|(result, lines)| Activity { result, rows: tree(lines) }).collect()
}

impl<F: Fn(AppId) -> String> Builder<'_, F> {
    fn entry(&mut self, entry: &Entry) {
        match entry {
            Entry::Found(Finding::Checked(checked)) if checked.outcome != Outcome::Passed => self.failed(checked),
            Entry::Found(Finding::Leave { about, end }) => self.left(*about, *end),
            Entry::Found(Finding::OfferOver { result }) => {
                let result = match result {
                    // A retry without a result leaves YARN's record open.
                    OfferResult::Default => return,
                    OfferResult::Allocated => "ALLOCATED",
                    OfferResult::Reserved => "RESERVED",
                    OfferResult::AllocatedFromReserved => "ALLOCATED_FROM_RESERVED",
                    OfferResult::Skipped => "SKIPPED",
                };
                if let (true, Some(last)) = (self.open, self.passes.last_mut()) {
                    last.0 = result;
                }
                self.open = false;
            }
            Entry::Found(
                Finding::Offer { .. }
                | Finding::IgnoreExclusivity
                | Finding::Children { .. }
                | Finding::Shares { .. }
                | Finding::Apps { .. }
                | Finding::Requests { .. }
                | Finding::Enter(_)
                | Finding::Checked(_)
                | Finding::Alike { .. }
                | Finding::TurnOver { .. },
            )
            | Entry::Changed(_)
            | Entry::Processed(_)
            | Entry::Acted(_) => {}
        }
    }

    /// Adds the lines of a failed check: YARN records a request on a node twice.
    fn failed(&mut self, checked: &Checked) {
        let (state, text) = self.failure_text(checked);
        match checked.about {
            About::Queue(queue) => {
                self.queue_line(queue, state, text);
                self.told = Some(queue);
            }
            About::App(app) => self.app_line(app, state, text),
            About::Request(app, key) => self.request_line(app, key, state, text),
            About::OnNode(app, key, _) => {
                self.line(request_name(key), None, state, text);
                self.request_line(app, key, state, String::new());
            }
            About::Cluster | About::User(_) | About::Node(_) => {}
        }
    }

    /// Adds the lines of a finished visit, except what a failed check has already added.
    fn left(&mut self, about: About, end: VisitEnd) {
        match about {
            About::Queue(queue) => {
                let told = self.told.take() == Some(queue);
                match end {
                    VisitEnd::Next if told => {}
                    VisitEnd::Next => self.queue_line(queue, "SKIPPED", String::new()),
                    VisitEnd::Last => {}
                    VisitEnd::Served | VisitEnd::Allocated { .. } | VisitEnd::Reserved { .. } => {
                        self.queue_line(queue, "ACCEPTED", String::new());
                    }
                    VisitEnd::ReReserved { .. } => self.queue_line(queue, "RE_RESERVED", String::new()),
                }
            }
            About::OnNode(app, key, _) => {
                let lacking = |need: Resource, free: Resource| {
                    self.lacking(Check::NodeFree.row().yarn, &Amounts::fit(need, free))
                };
                let (state, text) = match end {
                    VisitEnd::Next | VisitEnd::Last | VisitEnd::Served => return,
                    VisitEnd::Allocated { .. } => ("ALLOCATED", String::new()),
                    VisitEnd::Reserved { need, free } => ("RESERVED", lacking(need, free)),
                    VisitEnd::ReReserved { need, free } => ("RE_RESERVED", lacking(need, free)),
                };
                let name = (state == "ALLOCATED").then(|| "container".to_string());
                self.line(request_name(key), name, state, text);
                self.request_line(app, key, state, String::new());
            }
            About::App(_) | About::Request(..) | About::Cluster | About::User(_) | About::Node(_) => {}
        }
    }

    fn queue_line(&mut self, queue: QueueId, state: &'static str, text: String) {
        let q = self.scheduler.queue(queue);
        let parent = q.parent.map_or(String::new(), |p| self.scheduler.queue(p).path.clone());
        let name = q.path.clone();
        self.line(parent, Some(name), state, text);
    }

    fn line(&mut self, parent: String, name: Option<String>, state: &'static str, text: String) {
        if !self.open {
            self.passes.push(("DEFAULT", Vec::new()));
            self.open = true;
        }
        if let Some((_, lines)) = self.passes.last_mut() {
            lines.push(ActivityLine { parent, name, state, text });
        }
    }

    fn app_line(&mut self, app: AppId, state: &'static str, text: String) {
        // YARN writes the short name, which stands for the path only while no other queue has the same one.
        let leaf = self.scheduler.queue(self.cluster.app(app).queue);
        let found = self.scheduler.find_queue(leaf.name());
        let queue = found.map_or_else(|| leaf.name().to_string(), |q| self.scheduler.queue(q).path.clone());
        let name = (self.app_name)(app);
        self.line(queue, Some(name), state, text);
    }

    fn request_line(&mut self, app: AppId, key: RequestKey, state: &'static str, text: String) {
        let parent = (self.app_name)(app);
        self.line(parent, Some(request_name(key)), state, text);
        self.app_line(app, state, String::new());
    }

    /// Returns the state and the text of a failed check: the row's words, with the figures that YARN adds.
    fn failure_text(&self, checked: &Checked) -> (&'static str, String) {
        let row = checked.check.row();
        let state = match (checked.about, row.kind) {
            (About::Queue(_), CheckKind::Want) => "SKIPPED",
            (About::Queue(_), _) | (About::App(_), CheckKind::Limit) => "REJECTED",
            (About::Request(..), CheckKind::Limit) if checked.check == Check::Headroom => "REJECTED",
            _ => "SKIPPED",
        };
        let text = match &checked.figures {
            Figures::Amounts(Amounts { app: Some(app), .. }) => format!("{} from {}", row.yarn, (self.app_name)(*app)),
            _ => with_figures(self.cluster, checked).unwrap_or_else(|| row.yarn.to_string()),
        };
        (state, text)
    }

    fn lacking(&self, what: &str, amounts: &Amounts) -> String {
        lacking(self.cluster, what, amounts)
    }
}

/// Returns YARN's words for a failed check, with the figures that its activities add (GenericDiagnosticsCollector);
/// `None` if they add none.
pub fn with_figures(c: &Cluster, checked: &Checked) -> Option<String> {
    let words = checked.check.row().yarn;
    match &checked.figures {
        Figures::Amounts(amounts) if matches!(checked.check, Check::NodeTotal | Check::NodeFree) => {
            Some(lacking(c, words, amounts))
        }
        Figures::Partition { node, required } => Some(format!(
            "{words}, unsatisfied node partition={}, required-partition={}",
            c.partition_name(*node),
            c.partition_name(*required)
        )),
        Figures::Unsatisfied(unsatisfied) if !unsatisfied.is_empty() => Some(format!("{words}, {unsatisfied}")),
        Figures::Unsatisfied(_)
        | Figures::Amounts(_)
        | Figures::None
        | Figures::Count { .. }
        | Figures::Missed { .. }
        | Figures::Waited { .. }
        | Figures::Reservations { .. }
        | Figures::GiveUp { .. }
        | Figures::Place(_)
        | Figures::HeldBy(_)
        | Figures::LeftOut(_) => None,
    }
}

/// Returns the insufficient resource types, in YARN's words.
pub fn lacking(c: &Cluster, what: &str, amounts: &Amounts) -> String {
    let (need, has) = (amounts.asked(), amounts.limit);
    let names = c.calculator.insufficient(&need, &has, &c.types).join(", ");
    format!(
        "{what}, insufficient resources=[{names}]\nrequired={}, available={}",
        need.text(&c.types),
        has.text(&c.types)
    )
}

fn request_name(key: RequestKey) -> String {
    format!("request_{key}")
}

/// A node of the tree under construction.
struct Branch {
    line: ActivityLine,
    children: Vec<Branch>,
}

/// Converts the flat list into a tree by YARN's own (and not always faithful) rules.
fn tree(lines: Vec<ActivityLine>) -> Vec<ActivityRow> {
    // Backwards: the first line of each name is kept.
    let mut met = BTreeSet::new();
    let mut kept: Vec<ActivityLine> = Vec::new();
    for line in lines.into_iter().rev() {
        if line.name.as_ref().is_none_or(|name| met.insert(name.clone())) {
            kept.push(line);
        }
    }
    // Then forwards: each line takes the entries at the end of the list that name it as their parent.
    let mut list: Vec<Branch> = Vec::new();
    for line in kept.into_iter().rev() {
        let takes = |b: &Branch| line.name.as_deref() == Some(b.line.parent.as_str());
        let first = list.iter().rposition(|b| !takes(b)).map_or(0, |i| i + 1);
        let children = list.split_off(first);
        list.push(Branch { line, children });
    }
    let mut rows = Vec::new();
    if let Some(root) = list.into_iter().next() {
        flatten(root, 0, &mut rows);
    }
    rows
}

fn flatten(branch: Branch, depth: usize, rows: &mut Vec<ActivityRow>) {
    let ActivityLine { name, state, text, .. } = branch.line;
    rows.push(ActivityRow { depth, name: name.unwrap_or_default(), state, diagnostic: text });
    for child in branch.children {
        flatten(child, depth + 1, rows);
    }
}
