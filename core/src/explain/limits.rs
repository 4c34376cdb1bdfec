//! The chain of limits of a waiting request, in YARN's order (capacity-scheduler.md 4, 5, 7.3, 8.2, 8.3): each with its
//! figures; the first that stops is the last of the chain.

use super::evidence::Evidence;
use super::names::Names;
use super::view::LimitView;
use super::waiting::Waiting;
use super::words;
use crate::journal::{AppVerdict, Change, Entry, ParallelLimit, QueueVerdict};
use crate::model::{AppId, CalculatorKind, PartitionId, QueueId, Resource};
use crate::scheduler::app::AmLimit;
use crate::scheduler::{AmStatus, App, Scheduler};

/// The chain, and what the limit that stops says in a sentence.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chain {
    /// The links; the last one fails if [`Chain::stop`] is there.
    pub limits: Vec<LimitView>,
    /// What stops it.
    pub stop: Option<Stop>,
    /// What is left to it of all queue limits.
    pub headroom: Resource,
}

/// A limit that stops a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stop {
    /// In three words: "AM limit".
    pub short: String,
    /// The sentence: "AMs of root.a use 2 GB; 2 GB more would pass the limit of 1 GB."
    pub sentence: String,
    /// YARN's words.
    pub yarn: String,
    /// Can it never pass, whoever leaves?
    pub never: bool,
    /// Applications that hold what it waits for.
    pub holders: Vec<AppId>,
}

/// One link with amounts: compared in the type that is scarcest.
pub(super) struct Link<'a> {
    pub name: &'a str,
    pub of: String,
    pub used: Resource,
    pub asked: Resource,
    pub limit: Resource,
    pub passes: bool,
}

/// The chain of limits of a request; `held` is the latest entry that held its application back for a limit of parallel
/// applications.
pub fn chain(names: Names<'_>, w: &Waiting, evidence: &Evidence, held: Option<&Entry>) -> Chain {
    let mut out = Chain::default();
    let Some(app) = names.rm().scheduled(w.app) else { return out };
    let maker = Maker { names, w, app, evidence };
    match names.rm().scheduler() {
        Scheduler::Capacity(_) => {}
        Scheduler::Fair(s) => {
            if !maker.parallel(&mut out, held) {
                maker.fair(s, &mut out, evidence);
            }
            return out;
        }
        // No limits but the nodes.
        Scheduler::Fifo(_) => return out,
    }
    if maker.parallel(&mut out, held) || maker.activation(&mut out) || maker.label(&mut out) {
        return out;
    }
    if !maker.queues(&mut out) && !maker.user(&mut out) {
        maker.headroom(&mut out);
    }
    // What other labels lend is given by limits of their own (7.1(5)).
    if let Some(stop) = &mut out.stop {
        let lent = maker.lent();
        stop.never &= lent.is_empty() || !w.borrows(names);
        stop.sentence.push_str(&lent);
    }
    out
}

pub(super) struct Maker<'a> {
    pub names: Names<'a>,
    pub w: &'a Waiting,
    pub app: &'a App,
    pub evidence: &'a Evidence,
}

impl Maker<'_> {
    pub(super) fn text(&self, r: Resource) -> String {
        let cluster = self.names.rm().cluster();
        words::counted(r, cluster.calculator, &cluster.types)
    }

    fn user(&self, out: &mut Chain) -> bool {
        let user = self.names.rm().cluster().user_name(self.app.user).to_string();
        let queue = self.names.queue(self.app.queue).to_string();
        let stopped = match self.evidence.apps.get(&(self.w.app, self.w.partition)) {
            Some(AppVerdict::UserLimit { used, limit }) => Some((*used, *limit)),
            _ => None,
        };
        let (mut used, limit) = match stopped.or_else(|| self.user_figures()) {
            Some(figures) => figures,
            None => return false,
        };
        // What it has reserved itself may be given back for the container (8.2).
        let own = self.app.reserved.first().copied().unwrap_or_default();
        let given_back = stopped.is_none() && !own.is_zero() && !self.fits(used, limit);
        if given_back {
            used -= own;
        }
        let mut view = self.link(Link {
            name: "user limit",
            of: format!("{user} in {queue}"),
            used,
            asked: Resource::ZERO,
            limit,
            passes: stopped.is_none(),
        });
        view.formula = super::formulas::user_limit(self.names, self.app.queue, self.w.partition);
        if given_back {
            let name = self.names.app(self.w.app);
            view.formula.push(format!("without {} that {name} has reserved, and may give back for it", self.text(own)));
        }
        view.properties =
            super::formulas::properties(self.names, &queue, &["minimum-user-limit-percent", "user-limit-factor"]);
        out.limits.push(view);
        if stopped.is_none() {
            return false;
        }
        out.stop = Some(Stop {
            short: "user at its limit".to_string(),
            sentence: format!(
                "{user} uses {} in {queue}, the user limit is {}{}.",
                self.text(used),
                self.text(limit),
                // Checked before a container, not with it: the last one may go over.
                if self.fits(used, limit) {
                    ""
                } else {
                    "; it is looked at before each container, so the last one went over it"
                }
            ),
            yarn: "Queue hits user max-capacity limit".to_string(),
            never: false,
            holders: Vec::new(),
        });
        true
    }

    /// What the user uses and its limit, as the scheduler works it out now.
    fn user_figures(&self) -> Option<(Resource, Resource)> {
        let p = self.w.partition;
        let rm = self.names.rm();
        let limit = rm.capacity()?.user_limit_of(rm.cluster(), self.app.queue, self.app.user, p);
        let leaf = self.names.rm().queues().get(self.app.queue.index())?.leaf.as_deref()?;
        let used = leaf.users.get(self.app.user).and_then(|u| u.used.get(p.index()).copied()).unwrap_or_default();
        Some((used, limit))
    }

    fn parallel(&self, out: &mut Chain, held: Option<&Entry>) -> bool {
        if self.app.runnable {
            return false;
        }
        let capacity = self.names.rm().capacity().is_some();
        let of_queue = |queue: &str| {
            if capacity { super::formulas::properties(self.names, queue, &["max-parallel-apps"]) } else { Vec::new() }
        };
        let (whose, properties, running, maximum) = match held {
            Some(Entry::Changed(Change::NotRunnable {
                limit: ParallelLimit::Queue(queue), running, maximum, ..
            })) => {
                let queue = self.names.queue(*queue);
                (queue.to_string(), of_queue(queue), *running, *maximum)
            }
            Some(Entry::Changed(Change::NotRunnable {
                limit: ParallelLimit::User(user), running, maximum, ..
            })) => {
                let user = self.names.rm().cluster().user_name(*user);
                let own = super::formulas::parallel_of_user(self.names, user);
                let properties = if capacity { own } else { Vec::new() };
                (format!("user {user}"), properties, *running, *maximum)
            }
            _ => {
                let queue = self.names.queue(self.app.queue);
                (queue.to_string(), of_queue(queue), 0, 0)
            }
        };
        out.limits.push(LimitView {
            name: "parallel applications".to_string(),
            of: whose.clone(),
            passes: false,
            text: format!("{running} + 1 ≤ {maximum}"),
            used: running as f64,
            asked: 1.0,
            limit: maximum as f64,
            unit: "applications".to_string(),
            formula: vec![
                format!("running applications of {whose}: {running}, at most {maximum}"),
                "YARN's diagnostics of an application that waits for it are empty".to_string(),
            ],
            properties,
        });
        out.stop = Some(Stop {
            short: "too many applications".to_string(),
            sentence: format!("{whose} runs {} and may run {maximum} at a time.", words::count(running, "application")),
            yarn: String::new(),
            never: maximum <= 0,
            holders: self.running(held),
        });
        true
    }

    /// Applications that count against the limit of parallel applications.
    fn running(&self, held: Option<&Entry>) -> Vec<AppId> {
        let rm = self.names.rm();
        let counts = |a: &App| match held {
            Some(Entry::Changed(Change::NotRunnable { limit: ParallelLimit::User(user), .. })) => a.user == *user,
            Some(Entry::Changed(Change::NotRunnable { limit: ParallelLimit::Queue(queue), .. })) => {
                std::iter::successors(Some(a.queue), |q| rm.parent_of(*q)).any(|q| q == *queue)
            }
            _ => a.queue == self.app.queue,
        };
        rm.cluster().apps.iter().filter(|a| a.alive && a.runnable && counts(a)).map(|a| a.id).collect()
    }

    fn activation(&self, out: &mut Chain) -> bool {
        if self.app.active || !self.w.am {
            return false;
        }
        let queue = self.names.queue(self.app.queue).to_string();
        match &self.app.am_status {
            AmStatus::Inactive(figures) if figures.limit == AmLimit::EmptyCluster => {
                out.limits.push(LimitView {
                    name: "cluster".to_string(),
                    of: "all nodes".to_string(),
                    passes: false,
                    text: "0 nodes".to_string(),
                    unit: "nodes".to_string(),
                    ..LimitView::default()
                });
                out.stop = Some(Stop {
                    short: "no nodes".to_string(),
                    sentence: "No node is registered.".to_string(),
                    yarn: self.names.rm().am_diagnostics(self.w.app),
                    never: false,
                    holders: Vec::new(),
                });
                true
            }
            AmStatus::Inactive(figures) => {
                let (name, whose, limit, property) = match figures.limit {
                    AmLimit::Queue | AmLimit::EmptyCluster => {
                        ("AM limit", queue.clone(), figures.queue_limit, "AMs of")
                    }
                    AmLimit::User => {
                        let user = self.names.rm().cluster().user_name(self.app.user);
                        ("user AM limit", format!("{user} in {queue}"), figures.user_limit, "AMs of")
                    }
                };
                let used = match figures.limit {
                    AmLimit::Queue | AmLimit::EmptyCluster => figures.queue_used,
                    AmLimit::User => self.user_am_used(),
                };
                let mut view =
                    self.link(Link { name, of: whose.clone(), used, asked: figures.am_size, limit, passes: false });
                view.formula = super::formulas::am_limit(self.names, self.app, figures);
                view.properties = super::formulas::properties(self.names, &queue, &["maximum-am-resource-percent"]);
                out.limits.push(view);
                out.stop = Some(Stop {
                    short: name.to_string(),
                    sentence: format!(
                        "{property} {whose}{} use {}{}; {} more would pass the limit of {}.",
                        self.masters(figures.limit == AmLimit::User),
                        self.text(used),
                        if self.fits(used, limit) { "" } else { " (the first starts whatever its size)" },
                        self.text(figures.am_size),
                        self.text(limit)
                    ),
                    yarn: self.names.rm().am_diagnostics(self.w.app),
                    never: false,
                    holders: self.active(figures.limit == AmLimit::User),
                });
                true
            }
            _ => false,
        }
    }

    fn user_am_used(&self) -> Resource {
        let leaf = self.names.rm().queues().get(self.app.queue.index()).and_then(|q| q.leaf.as_deref());
        let user = leaf.and_then(|l| l.users.get(self.app.user));
        user.and_then(|u| u.am_used.get(self.w.partition.index()).copied()).unwrap_or_default()
    }

    /// Active applications of the queue, or those of them that are the user's.
    fn active(&self, of_user: bool) -> Vec<AppId> {
        let rm = self.names.rm();
        let leaf = rm.queues().get(self.app.queue.index()).and_then(|q| q.leaf.as_deref());
        let mine = |id: &&AppId| !of_user || rm.scheduled(**id).is_some_and(|a| a.user == self.app.user);
        leaf.iter().flat_map(|l| &l.active).filter(mine).copied().collect()
    }

    /// Whose AMs run: ` (a and b)`.
    fn masters(&self, of_user: bool) -> String {
        let apps: Vec<&str> = self.active(of_user).into_iter().map(|a| self.names.app(a)).collect();
        if apps.is_empty() { String::new() } else { format!(" ({})", words::list(&apps, 3)) }
    }

    /// `of label x ` where a label is asked for.
    fn of_label(&self) -> String {
        match self.names.partition(self.w.partition) {
            "" => String::new(),
            label => format!("of label {label} "),
        }
    }

    /// ` of label x`; ` of the nodes without a label` where there are others.
    fn label_end(&self) -> String {
        match self.names.partition(self.w.partition) {
            "" => String::new(),
            label => format!(" of label {label}"),
        }
    }

    /// How much of what a queue uses ApplicationMasters hold, where that is half or more.
    fn held_by_masters(&self, id: QueueId) -> String {
        let rm = self.names.rm();
        let Some(queue) = rm.queues().get(id.index()) else { return String::new() };
        let below = rm.queues().iter().filter(|q| q.alive && q.is_leaf()).filter(|q| {
            q.path == queue.path || q.path.strip_prefix(&queue.path).is_some_and(|rest| rest.starts_with('.'))
        });
        let p = self.w.partition;
        let held = below.fold(Resource::ZERO, |sum, q| sum + q.part(p).am_used);
        let used = queue.part(p).used;
        if held.is_zero() || held.memory_mb() * 2 < used.memory_mb() {
            return String::new();
        }
        // A part of several resource types has no one percentage.
        let share = match rm.cluster().calculator.kind {
            CalculatorKind::Default => {
                format!(" ({})", words::percent(held.memory_mb() as f64 / used.memory_mb().max(1) as f64))
            }
            CalculatorKind::Dominant => String::new(),
        };
        format!(", {} of it{share} held by ApplicationMasters", self.text(held))
    }

    fn free(&self, left: Resource) -> String {
        Some(self.text(left)).filter(|t| t != "0 MB").unwrap_or_else(|| "nothing".to_string())
    }

    /// The whole partition is taken, or what is left of it is too little.
    fn cluster_full(&self, left: Resource, total: Resource, root: QueueId) -> String {
        let cluster = self.names.rm().cluster();
        let labelled = cluster.partition_ids().filter(|p| !self.names.rm().partition_total(*p).is_zero()).count() > 1;
        let whose = match self.names.partition(self.w.partition) {
            "" if labelled => "The nodes without a label have".to_string(),
            "" => "The cluster has".to_string(),
            label => format!("The nodes of label {label} have"),
        };
        let free = self.free(left);
        let mut held = self.held_by_masters(root);
        let reserved =
            self.names.rm().queues().get(root.index()).map_or(Resource::ZERO, |q| q.part(self.w.partition).reserved);
        if !reserved.is_zero() {
            let by = super::formulas::reserved_by(self.names, root, self.w.partition);
            held.push_str(&format!(", {} of it only reserved{by}", self.text(reserved)));
        }
        format!("{whose} {free} free of {}{held}; needs {}.", self.text(total), self.text(self.w.size))
    }

    /// Room that other labels lend, and from when on.
    fn lent(&self) -> String {
        let cluster = self.names.rm().cluster();
        let lends = |p: &PartitionId| {
            self.w.partition.is_default()
                && !p.is_default()
                && !cluster.partitions[p.index()].exclusive
                && !self.names.rm().partition_total(*p).is_zero()
        };
        let each = cluster.partition_ids().filter(lends).map(|p| {
            let label = self.names.partition(p);
            if !self.w.borrows(self.names) {
                return format!(" Label {label} lends its room, but not to ApplicationMasters.");
            }
            let free = cluster.nodes.iter().filter(|n| n.in_scheduler && n.partition == p);
            let free = free.fold(Resource::ZERO, |sum, n| sum + n.free());
            format!(" Label {label}, which lends its room, has {} free.", self.free(free))
        });
        let mut out: String = each.collect();
        let asks = self.app.asks.find(self.w.key).map(|place| self.app.asks.at(place));
        let (missed, needed) = (asks.map_or(0, |a| a.missed_non_partitioned), cluster.node_count as i64);
        if !out.is_empty() && self.w.borrows(self.names) && missed + 1 < needed {
            out.push_str(&format!(" It borrows after {needed} missed chances, one for each node; {missed} so far."));
        }
        out
    }

    /// The conditions for a request with a label: some node has it, the queue may use it, and each queue on the way has
    /// a share of it.
    fn label(&self, out: &mut Chain) -> bool {
        let rm = self.names.rm();
        let p = self.w.partition;
        if p.is_default() {
            return false;
        }
        let label = self.names.partition(p);
        let nodes = rm.cluster().nodes.iter().filter(|n| n.in_scheduler && n.partition == p).count();
        let mut links = vec![(
            format!("nodes with label {label}"),
            nodes > 0,
            words::count(nodes as i64, "node"),
            Vec::new(),
            format!("No node has label {label}."),
        )];
        let leaf = self.names.queue(self.app.queue);
        let access = rm.queues().get(self.app.queue.index()).is_some_and(|q| q.part(p).access);
        links.push((
            leaf.to_string(),
            access,
            if access { "may use it" } else { "may not use it" }.to_string(),
            super::formulas::properties(self.names, leaf, &["accessible-node-labels"]),
            format!("{leaf} may not use label {label}."),
        ));
        for id in self.path() {
            let Some(queue) = rm.queues().get(id.index()) else { continue };
            let share = queue.part(p).absolute_max_capacity;
            links.push((
                queue.path.clone(),
                share > 0.0,
                format!("≤ {} of it", words::percent(f64::from(share))),
                super::formulas::shares(self.names, &queue.path, p),
                format!("{} has no share of label {label}: at most 0 % of it.", queue.path),
            ));
        }
        for (of, passes, text, properties, sentence) in links {
            out.limits.push(LimitView {
                name: format!("label {label}"),
                of,
                passes,
                text,
                properties,
                ..LimitView::default()
            });
            if !passes {
                let yarn = match access {
                    true => String::new(),
                    false => "Queue is not able to access partition".to_string(),
                };
                out.stop = Some(Stop {
                    short: "label not allowed".to_string(),
                    sentence,
                    yarn,
                    never: true,
                    holders: Vec::new(),
                });
                return true;
            }
        }
        false
    }

    fn path(&self) -> Vec<QueueId> {
        let queues = self.names.rm().queues();
        let mut path = vec![self.app.queue];
        while let Some(parent) = path.last().and_then(|q| queues.get(q.index())?.parent) {
            path.push(parent);
        }
        path.reverse();
        path
    }

    /// What the application has reserved itself: with continued looking it may give it up for the container (8.3(4)), and
    /// where all of the request is reserved the limits are not asked again.
    pub(super) fn own(&self) -> Resource {
        let looks_on = self.names.rm().capacity().is_some_and(|s| s.conf().reservations_continue_look);
        let reserved = self.app.reserved.get(self.w.partition.index()).copied().unwrap_or_default();
        if looks_on || self.held() { reserved } else { Resource::ZERO }
    }

    /// Is a node reserved for each container of the request? Then only these have to come free.
    pub(super) fn held(&self) -> bool {
        self.app
            .asks
            .find(self.w.key)
            .is_some_and(|place| self.app.asks.at(place).reserved.len() as i64 >= self.w.count)
    }

    /// Maximum of each queue from root to the leaf.
    fn queues(&self, out: &mut Chain) -> bool {
        let rm = self.names.rm();
        let mut headroom: Option<Resource> = None;
        for id in self.path() {
            let Some(queue) = rm.queues().get(id.index()) else { continue };
            let part = queue.part(self.w.partition);
            let own = self.own();
            let used = part.used - own;
            let left = part.effective_max - used;
            headroom = Some(headroom.map_or(left, |h| h.component_min(left)));
            let recorded = self.evidence.queues.get(&(id, self.w.partition));
            // Where its own nodes are held for it, what stops it are these.
            let full = matches!(recorded, Some(QueueVerdict::MaxCapacity { limit, maximum, .. }) if limit == maximum)
                && !self.held();
            let passes = self.fits(used + self.w.size, part.effective_max) && !full;
            let mut view = self.link(Link {
                name: "queue max",
                of: queue.path.clone(),
                used,
                asked: self.w.size,
                limit: part.effective_max,
                passes,
            });
            view.formula = super::formulas::queue_max(self.names, id, self.w.partition);
            if !own.is_zero() {
                view.formula.push(format!(
                    "{} of it is reserved by {} itself",
                    self.text(own),
                    self.names.app(self.w.app)
                ));
            }
            if id.index() > 0 {
                view.properties = super::formulas::shares(self.names, &queue.path, self.w.partition);
            }
            // What its parent leaves it is less than its own maximum: siblings before it wait for room (7.2(6)).
            if let Some(QueueVerdict::MaxCapacity { used: at, limit, maximum }) = recorded
                && limit != maximum
                && passes
                && !self.held()
                && ![0, self.app.queue.index()].contains(&id.index())
            {
                return self.left_by_parent(out, view, (id, *at, *limit));
            }
            // A long chain of queues that pass says nothing: root and the queues in between only when they stop.
            if !passes || id == self.app.queue {
                out.limits.push(view);
            }
            if !passes {
                let never = !self.fits(self.w.size, part.effective_max);
                let (whose, max, ask) = (self.of_label(), self.text(part.effective_max), self.text(self.w.size));
                let sentence = if never {
                    format!("{} may use {max} {whose}at most; one container asks {ask}.", queue.path)
                } else if id.index() == 0 && part.effective_max == rm.partition_total(self.w.partition) {
                    self.cluster_full(left, part.effective_max, id)
                } else {
                    let used = self.text(used);
                    let held = self.held_by_masters(id);
                    format!(
                        "{} uses {used}{held}; {ask} more would pass its maximum of {max}{}.",
                        queue.path,
                        self.label_end()
                    )
                };
                let yarn = match recorded {
                    Some(QueueVerdict::MaxCapacity { .. }) => "Queue hits max-capacity limit".to_string(),
                    _ => super::turn::headroom_yarn(self.names, self.w.app),
                };
                out.stop =
                    Some(Stop { short: "queue at its max".to_string(), sentence, yarn, never, holders: Vec::new() });
                return true;
            }
        }
        out.headroom = headroom.unwrap_or_default();
        false
    }

    fn types(&self) -> usize {
        let cluster = self.names.rm().cluster();
        if cluster.calculator.kind == CalculatorKind::Default { 1 } else { cluster.types.len() }
    }

    pub(super) fn fits(&self, need: Resource, room: Resource) -> bool {
        (0..self.types()).all(|i| need[i] <= room[i])
    }

    pub(super) fn scarcest(&self, need: Resource, room: Resource) -> usize {
        let share = |i: usize| need[i] as f64 / room[i].max(1) as f64;
        let places = (0..self.types()).filter(|i| need[*i] > 0);
        places.max_by(|a, b| share(*a).total_cmp(&share(*b)).then(b.cmp(a))).unwrap_or(0)
    }

    pub(super) fn link(&self, link: Link<'_>) -> LimitView {
        let types = &self.names.rm().cluster().types;
        let place = self.scarcest(link.used + link.asked, link.limit);
        let (used, asked, limit) = (link.used[place], link.asked[place], link.limit[place]);
        let left = match (used, asked) {
            (used, 0) => words::bare(used, place),
            (used, asked) => format!("{} + {}", words::bare(used, place), words::bare(asked, place)),
        };
        LimitView {
            name: link.name.to_string(),
            of: link.of,
            passes: link.passes,
            text: format!("{left} ≤ {}", words::bare(limit, place)),
            used: words::meter(used, place),
            asked: words::meter(asked, place),
            limit: words::meter(limit, place),
            unit: words::unit(place, types),
            formula: Vec::new(),
            properties: Vec::new(),
        }
    }
}
