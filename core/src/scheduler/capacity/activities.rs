//! YARN's own record of an offer, made from the journal: the activities tree of a node
//! (ActivitiesLogger, ActivitiesManager, NodeAllocation; capacity-scheduler.md section 12.1).

use super::CapacityScheduler;
use crate::journal::{AppVerdict, Entry, Finding, NodeVerdict, OfferResult, QueueVerdict, RequestVerdict};
use crate::model::{AppId, RequestKey, Resource};
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
    /// Name; empty for a node without one.
    pub name: String,
    pub state: &'static str,
    pub diagnostic: String,
}

/// An entry of YARN's flat list.
struct Line {
    parent: String,
    name: Option<String>,
    state: &'static str,
    text: String,
}

/// Makes the flat lists of an offer's passes, then their trees.
struct Builder<'a, F> {
    scheduler: &'a CapacityScheduler,
    cluster: &'a Cluster,
    app_name: F,
    passes: Vec<(&'static str, Vec<Line>)>,
    open: bool,
}

/// The trees of one offer; none with multi-node placement, for which YARN records nothing of a node. `entries`: from [`Finding::Offer`] to the next one (or the end); `app_name`: the
/// application as YARN would name it.
pub fn activities(
    scheduler: &CapacityScheduler,
    cluster: &Cluster,
    entries: &[Entry],
    app_name: impl Fn(AppId) -> String,
) -> Vec<Activity> {
    if scheduler.conf().multi_node.enabled {
        return Vec::new();
    }
    let mut b = Builder { scheduler, cluster, app_name, passes: Vec::new(), open: false };
    for entry in entries {
        b.entry(entry);
    }
    b.passes.into_iter().map(|(result, lines)| Activity { result, rows: tree(lines) }).collect()
}

impl<F: Fn(AppId) -> String> Builder<'_, F> {
    fn entry(&mut self, entry: &Entry) {
        match entry {
            Entry::Found(Finding::Queue { queue, verdict }) => {
                let q = self.scheduler.queue(*queue);
                let parent = q.parent.map_or(String::new(), |p| self.scheduler.queue(p).path.clone());
                let (state, text) = self.queue_text(verdict);
                let name = q.path.clone();
                self.line(parent, Some(name), state, text);
            }
            Entry::Found(Finding::App { app, verdict } | Finding::IdleApp { app, verdict }) => {
                let (state, text) = match verdict {
                    AppVerdict::NoPending => ("SKIPPED", "Application does not need more resource"),
                    AppVerdict::QueueMaxCapacity { .. } => ("REJECTED", "Queue hits max-capacity limit"),
                    AppVerdict::UserLimit { .. } => ("REJECTED", "Queue hits user max-capacity limit"),
                    // The FairScheduler's.
                    AppVerdict::NotInDemand | AppVerdict::AmShare { .. } => ("SKIPPED", ""),
                };
                self.app_line(*app, state, text.into());
            }
            Entry::Found(Finding::Request { app, key, verdict }) => {
                let (state, text) = request_text(verdict);
                self.request_line(*app, *key, state, text.into());
            }
            Entry::Found(Finding::Node { app, key, verdict, .. }) => {
                let (state, text) = self.node_text(verdict);
                let name = matches!(verdict, NodeVerdict::Allocated { .. }).then(|| "container".to_string());
                self.line(request_name(*key), name, state, text);
                self.request_line(*app, *key, state, String::new());
            }
            Entry::Found(Finding::OfferOver { result }) => {
                let result = match result {
                    // A retry that came to nothing leaves YARN's record open.
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
                | Finding::Passed(_),
            )
            | Entry::Changed(_)
            | Entry::Processed(_)
            | Entry::Acted(_) => {}
        }
    }

    fn line(&mut self, parent: String, name: Option<String>, state: &'static str, text: String) {
        if !self.open {
            self.passes.push(("DEFAULT", Vec::new()));
            self.open = true;
        }
        if let Some((_, lines)) = self.passes.last_mut() {
            lines.push(Line { parent, name, state, text });
        }
    }

    fn app_line(&mut self, app: AppId, state: &'static str, text: String) {
        // YARN writes the short name, which stands for the path only while no other queue has the same.
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

    fn queue_text(&self, verdict: &QueueVerdict) -> (&'static str, String) {
        use QueueVerdict::*;
        let (state, text) = match verdict {
            Accepted => ("ACCEPTED", ""),
            ReReserved => ("RE_RESERVED", ""),
            NothingBelow => ("SKIPPED", ""),
            NoPending => ("SKIPPED", "Queue does not need more resource"),
            NoAccess => ("REJECTED", "Queue is not able to access partition"),
            MaxCapacity { .. } => ("REJECTED", "Queue hits max-capacity limit"),
            Headroom { app, .. } => {
                let app = (self.app_name)(*app);
                return ("REJECTED", format!("{HEADROOM} from {app}"));
            }
            NodeReserved => ("REJECTED", "Queue skipped because node has been reserved"),
            NodeTooFull { .. } => ("REJECTED", "Queue skipped because node resource is insufficient"),
            NodeBelowMinimum { .. } => {
                ("REJECTED", "Initial check: node resource is insufficient for minimum allocation")
            }
        };
        (state, text.into())
    }

    fn node_text(&self, verdict: &NodeVerdict) -> (&'static str, String) {
        use NodeVerdict::*;
        let c = self.cluster;
        let lacking = |what: &str, need: Resource, has: Resource| {
            let names = c.calculator.insufficient(&need, &has, &c.types).join(", ");
            format!(
                "{what}, insufficient resources=[{names}]\nrequired={}, available={}",
                need.text(&c.types),
                has.text(&c.types)
            )
        };
        const FREE: &str = "Node does not have sufficient resource for request";
        match verdict {
            Partition { node, required } => (
                "SKIPPED",
                format!(
                    "Node does not match partition or placement constraints, unsatisfied node partition={}, \
                     required-partition={}",
                    c.partition_name(*node),
                    c.partition_name(*required)
                ),
            ),
            Constraint { unsatisfied } => {
                let gap = if unsatisfied.is_empty() { "" } else { ", " };
                ("SKIPPED", format!("Node does not match partition or placement constraints{gap}{unsatisfied}"))
            }
            TooManyErrors { .. } => ("SKIPPED", "Node does not match partition or placement constraints".into()),
            // The FairScheduler's.
            DelayTime { .. } | MaxShare { .. } | NotReserved { .. } => ("SKIPPED", String::new()),
            NodeReserved => ("SKIPPED", "Node has been reserved".into()),
            Blacklisted { .. } => ("SKIPPED", "Node is blacklisted".into()),
            Delay { .. } => ("SKIPPED", "Node skipped because of off-switch delay".into()),
            NoRelax { .. } => ("SKIPPED", "Node skipped because relax locality is not allowed".into()),
            NoRow => ("SKIPPED", "Node skipped because node/rack locality cannot be satisfied".into()),
            TotalTooSmall { need, total } => {
                ("SKIPPED", lacking("Node's total resource is insufficient for request", *need, *total))
            }
            FreeTooSmall { need, free } => ("SKIPPED", lacking(FREE, *need, *free)),
            NothingToUnreserve { .. } => ("SKIPPED", "Node can't find a container to be unreserved when needed".into()),
            Allocated { .. } => ("ALLOCATED", String::new()),
            Reserved { need, free } => ("RESERVED", lacking(FREE, *need, *free)),
            ReReserved { need, free } => ("RE_RESERVED", lacking(FREE, *need, *free)),
        }
    }
}

const HEADROOM: &str = "Queue does not have enough headroom for inner highest-priority request";

fn request_name(key: RequestKey) -> String {
    format!("request_{key}")
}

fn request_text(verdict: &RequestVerdict) -> (&'static str, &'static str) {
    match verdict {
        RequestVerdict::NoNeed => ("SKIPPED", "Request does not need more resource"),
        RequestVerdict::Withdrawn => ("SKIPPED", "Request skipped because off-switch request is null"),
        RequestVerdict::AmIgnoreExclusivity => {
            ("SKIPPED", "Request skipped in Ignore Exclusivity mode for AM allocation")
        }
        RequestVerdict::ReservationAlgorithm { .. } => ("SKIPPED", "Request skipped based on reservation algo"),
        RequestVerdict::Headroom { .. } => ("REJECTED", HEADROOM),
        RequestVerdict::NonPartitionedFirst { .. } => (
            "SKIPPED",
            "Request skipped because non-partitioned resource request should be scheduled to non-partitioned \
             partition first",
        ),
    }
}

/// A node of the tree being made.
struct Branch {
    line: Line,
    children: Vec<Branch>,
}

/// The flat list as a tree, by YARN's own (and not always faithful) rules.
fn tree(lines: Vec<Line>) -> Vec<ActivityRow> {
    // Backwards, each name is kept once.
    let mut met = BTreeSet::new();
    let mut kept: Vec<Line> = Vec::new();
    for line in lines.into_iter().rev() {
        if line.name.as_ref().is_none_or(|name| met.insert(name.clone())) {
            kept.push(line);
        }
    }
    // Then in order, each takes the entries at the end of the list that name it as their parent.
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
    let Line { name, state, text, .. } = branch.line;
    rows.push(ActivityRow { depth, name: name.unwrap_or_default(), state, diagnostic: text });
    for child in branch.children {
        flatten(child, depth + 1, rows);
    }
}
