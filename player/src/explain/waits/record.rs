//! What was recorded of requests, queues and nodes when the scheduler last looked at them. Every answer to "why does it
//! wait" starts here: a [`Look`] is what one attempt recorded of one request, in the order in which the scheduler
//! checked (capacity-scheduler.md 7.1 to 8.5, fair-scheduler.md 11 to 14).

use crate::explain::waiting::Waiting;
use heddle_core::journal::{
    AppOrder, AppVerdict, Change, ChildOrder, CommitRefusal, Entry, Finding, NodeVerdict, Pass, QueueVerdict, Recorder,
    RequestOrder, RequestVerdict, ShareOrder,
};
use heddle_core::model::{
    AppId, ContainerId, Millis, NodeId, PartitionId, QueueId, RequestKey, Resource, SortedMap, UserId,
};
use std::collections::BTreeMap;

/// A recorder that keeps what concerns some applications, and whole attempts on some nodes. Of the rest it keeps what
/// happened and what came of queues, so that its memory does not grow with all that waits.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    /// Applications, sorted; their verdicts are kept.
    apps: Vec<AppId>,
    /// Everything is kept of attempts on this node.
    whole: Option<NodeId>,
    /// Is everything kept?
    all: bool,
    here: bool,
    /// Where what was kept of the present attempt begins.
    from: usize,
    /// Attempts that may be repeated: their number, and what was kept of them.
    repeatable: Vec<(u64, Vec<Entry>)>,
    pub entries: Vec<(Millis, Entry)>,
}

impl Watch {
    /// Of these applications.
    pub fn apps(apps: impl IntoIterator<Item = AppId>) -> Self {
        let mut apps: Vec<AppId> = apps.into_iter().collect();
        apps.sort_unstable();
        apps.dedup();
        Watch { apps, ..Watch::default() }
    }

    /// Of all attempts on a node.
    pub fn node(node: NodeId) -> Self {
        Watch { whole: Some(node), ..Watch::default() }
    }

    /// Of everything.
    pub fn all() -> Self {
        Watch { all: true, ..Watch::default() }
    }

    fn watches(&self, app: AppId) -> bool {
        self.all || self.here || self.apps.binary_search(&app).is_ok()
    }
}

impl Recorder for Watch {
    fn on(&self) -> bool {
        true
    }

    fn hears(&self, app: AppId) -> bool {
        self.watches(app)
    }

    fn remember_on(&mut self, _: NodeId, number: u64) {
        // Of a node that is watched itself more is kept than of others.
        if self.here || self.repeatable.iter().any(|(known, _)| *known == number) {
            return;
        }
        let kept = self.entries.get(self.from..).unwrap_or_default();
        self.repeatable.push((number, kept.iter().map(|(_, entry)| entry.clone()).collect()));
    }

    fn repeat_on(&mut self, at: Millis, on: NodeId, number: u64) -> bool {
        if self.here {
            return false;
        }
        let Some((_, kept)) = self.repeatable.iter().rev().find(|(known, _)| *known == number) else { return false };
        self.entries.extend(kept.iter().map(|entry| {
            let mut entry = entry.clone();
            if let Entry::Found(Finding::Node { node, .. }) = &mut entry {
                *node = on;
            }
            (at, entry)
        }));
        true
    }

    fn keep(&mut self, at: Millis, entry: Entry) {
        let keep = match &entry {
            Entry::Found(Finding::Offer { node, .. }) => {
                self.here = self.whole == Some(*node);
                self.from = self.entries.len() + 1;
                true
            }
            // An application may have had thousands of requests; of those that are satisfied there is nothing to say.
            Entry::Found(Finding::Request { verdict: RequestVerdict::NoNeed, .. }) => self.all || self.here,
            Entry::Found(Finding::App { app, .. } | Finding::IdleApp { app, .. })
            | Entry::Found(Finding::Request { app, .. })
            | Entry::Found(Finding::Requests { app, .. }) => self.watches(*app),
            // Who was served is told of everybody.
            Entry::Found(Finding::Node {
                verdict: NodeVerdict::Allocated { .. } | NodeVerdict::Reserved { .. },
                ..
            }) => true,
            Entry::Found(Finding::Node { app, .. }) => self.watches(*app),
            Entry::Found(Finding::Passed(Pass::UserLimit { .. } | Pass::QueueLimit { .. })) => true,
            Entry::Found(Finding::Passed(
                Pass::Headroom { app, .. } | Pass::AmShare { app, .. } | Pass::MaxShare { app, .. },
            )) => self.watches(*app),
            _ => true,
        };
        if keep {
            self.entries.push((at, entry));
        }
    }
}

/// What one attempt recorded of a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    pub at: Millis,
    /// The node that was looked at.
    pub node: NodeId,
    pub partition: PartitionId,
    /// Was the request to borrow the partition's idle room?
    pub lent: bool,
    /// The limits that let it pass, in the order of the checks.
    pub passed: Vec<Pass>,
    pub fate: Fate,
    /// All that was recorded of it on nodes in this attempt: one that is near may be full, and those further out delayed.
    pub nodes: Vec<(NodeId, NodeVerdict)>,
}

/// What came of a request in one attempt.
#[derive(Clone, Debug, PartialEq)]
pub enum Fate {
    /// It was looked at on the node.
    Node(NodeVerdict),
    /// It was passed over before any node was looked at.
    Request(RequestVerdict),
    /// Its application was passed over.
    App(AppVerdict),
    /// A queue on its way was passed over.
    Queue(QueueId, QueueVerdict),
    /// The request of an application before it does not fit in its leaf's headroom, and nobody behind that has a turn.
    Behind { queue: QueueId, app: AppId, key: Option<RequestKey>, need: Resource, headroom: Resource },
    /// A more urgent request of its own application ended the application's turn.
    BehindOwn(RequestKey, OwnVerdict),
    /// What was proposed for it was refused when it was to be committed.
    Refused(CommitRefusal),
    /// Somebody else was served before its turn; where that was refused at the commit, why.
    Served(AppId, Option<CommitRefusal>),
    /// The node serves a reservation and nothing else.
    Held(ContainerId),
    /// It had no turn: its application wants nothing of this partition.
    NoTurn,
}

/// What ended the turn of an application before all of its requests had been looked at.
#[derive(Clone, Debug, PartialEq)]
pub enum OwnVerdict {
    /// Before any node was looked at.
    Request(RequestVerdict),
    Node(NodeVerdict),
}

impl Fate {
    /// Does it say why the request got nothing, whoever else was there?
    pub fn is_reason(&self) -> bool {
        match self {
            Fate::Node(NodeVerdict::Allocated { .. }) => false,
            Fate::Node(_) | Fate::Request(_) | Fate::App(_) | Fate::Behind { .. } | Fate::BehindOwn(..) => true,
            Fate::Refused(_) => true,
            Fate::Queue(_, verdict) => matches!(
                verdict,
                QueueVerdict::MaxCapacity { .. } | QueueVerdict::Headroom { .. } | QueueVerdict::NoAccess
            ),
            Fate::Served(..) | Fate::Held(_) | Fate::NoTurn => false,
        }
    }

    /// Is it about the node alone?
    pub fn is_of_node(&self) -> bool {
        match self {
            Fate::Node(verdict) => !matches!(verdict, NodeVerdict::MaxShare { .. } | NodeVerdict::TooManyErrors { .. }),
            Fate::Held(_) => true,
            Fate::Queue(_, verdict) => matches!(
                verdict,
                QueueVerdict::NodeReserved | QueueVerdict::NodeTooFull { .. } | QueueVerdict::NodeBelowMinimum { .. }
            ),
            _ => false,
        }
    }
}

/// Does such a verdict end the application's turn, instead of letting its next request have a try (8.3(9))?
fn ends_turn(verdict: &NodeVerdict) -> bool {
    matches!(
        verdict,
        NodeVerdict::Blacklisted { .. }
            | NodeVerdict::Delay { .. }
            | NodeVerdict::TotalTooSmall { .. }
            | NodeVerdict::FreeTooSmall { .. }
            | NodeVerdict::NothingToUnreserve { .. }
    )
}

/// Whose looks are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    pub app: AppId,
    pub key: RequestKey,
    pub user: UserId,
    /// Its leaf and the queues above it.
    pub path: &'a [QueueId],
}

/// One pass over the tree, cut out of the journal.
struct Pass1<'e> {
    at: Millis,
    node: NodeId,
    partition: PartitionId,
    reserved: Option<ContainerId>,
    lent: bool,
    entries: &'e [&'e (Millis, Entry)],
}

/// Entries in their order, those that concern one request alone by request: a request is explained without going through
/// what was recorded of all others.
#[derive(Debug)]
pub struct Rounds<'e> {
    entries: &'e [(Millis, Entry)],
    shared: Vec<usize>,
    own: BTreeMap<(AppId, RequestKey), Vec<usize>>,
}

impl<'e> Rounds<'e> {
    /// Of entries in their order.
    pub fn of(entries: &'e [(Millis, Entry)]) -> Self {
        let mut out = Rounds { entries, shared: Vec::new(), own: BTreeMap::new() };
        for (i, (_, entry)) in entries.iter().enumerate() {
            match concerns_only(entry) {
                Some(whom) => out.own.entry(whom).or_default().push(i),
                None => out.shared.push(i),
            }
        }
        out
    }

    /// What may concern a request.
    fn about(&self, s: &Subject<'_>) -> Vec<&'e (Millis, Entry)> {
        let own = self.own.get(&(s.app, s.key)).map_or(&[][..], Vec::as_slice);
        let mut places: Vec<usize> = self.shared.iter().chain(own).copied().collect();
        places.sort_unstable();
        places.into_iter().filter_map(|i| self.entries.get(i)).collect()
    }
}

/// The request that an entry concerns, if it says nothing of any other.
fn concerns_only(entry: &Entry) -> Option<(AppId, RequestKey)> {
    match entry {
        Entry::Found(Finding::Node {
            verdict: NodeVerdict::Allocated { .. } | NodeVerdict::Reserved { .. }, ..
        }) => None,
        Entry::Found(Finding::Node { app, key, verdict, .. }) if !ends_turn(verdict) => Some((*app, *key)),
        Entry::Found(Finding::Passed(Pass::Headroom { app, key, .. } | Pass::MaxShare { app, key, .. })) => {
            Some((*app, *key))
        }
        _ => None,
    }
}

/// The passes of all attempts, in order.
fn passes<'e>(entries: &'e [&'e (Millis, Entry)]) -> Vec<Pass1<'e>> {
    let mut out: Vec<Pass1<'_>> = Vec::new();
    let mut starts = Vec::new();
    for (i, (at, entry)) in entries.iter().enumerate() {
        match entry {
            Entry::Found(Finding::Offer { node, partition, reserved, .. }) => {
                starts.push((i + 1, *at, *node, *partition, *reserved, false));
            }
            Entry::Found(Finding::IgnoreExclusivity) => {
                if let Some((_, at, node, partition, ..)) = starts.last().copied() {
                    starts.push((i + 1, at, node, partition, None, true));
                }
            }
            _ => {}
        }
    }
    for (n, (from, at, node, partition, reserved, lent)) in starts.iter().copied().enumerate() {
        let to = starts.get(n + 1).map_or(entries.len(), |next| next.0 - 1);
        out.push(Pass1 { at, node, partition, reserved, lent, entries: &entries[from..to] });
    }
    out
}

fn look(pass: &Pass1<'_>, s: &Subject<'_>) -> Look {
    let mut passed: Vec<Pass> = Vec::new();
    let mut own: Option<Fate> = None;
    let mut turn_over: Option<Fate> = None;
    let mut nodes = Vec::new();
    let mut served = None;
    let mut key_before = None;
    let mut refused = None;
    let leaf = s.path.first().copied();
    for (_, entry) in pass.entries {
        match entry {
            Entry::Found(Finding::Passed(p)) => match p {
                Pass::QueueLimit { queue, .. } if s.path.contains(queue) && own.is_none() => passed.push(p.clone()),
                Pass::UserLimit { user, .. } if *user == s.user && own.is_none() => {
                    passed.retain(|p| !matches!(p, Pass::UserLimit { .. }));
                    passed.push(p.clone());
                }
                Pass::Headroom { app, key, .. } if (*app, *key) == (s.app, s.key) => passed.push(p.clone()),
                Pass::AmShare { app, .. } if *app == s.app => passed.push(p.clone()),
                Pass::MaxShare { app, key, .. } if (*app, *key) == (s.app, s.key) => passed.push(p.clone()),
                _ => {}
            },
            Entry::Found(Finding::App { app, verdict }) if *app == s.app => {
                own = own.or(Some(Fate::App(verdict.clone())))
            }
            Entry::Found(Finding::Request { app, key, verdict }) => {
                key_before = Some(*key);
                if (*app, *key) == (s.app, s.key) {
                    own = Some(Fate::Request(verdict.clone()));
                } else if *app == s.app && own.is_none() {
                    let ends = matches!(
                        verdict,
                        RequestVerdict::AmIgnoreExclusivity | RequestVerdict::NonPartitionedFirst { .. }
                    );
                    if ends {
                        turn_over = Some(Fate::BehindOwn(*key, OwnVerdict::Request(verdict.clone())));
                    }
                }
            }
            Entry::Found(Finding::Node { app, key, node, verdict }) => {
                if matches!(verdict, NodeVerdict::Allocated { .. } | NodeVerdict::Reserved { .. }) {
                    served = Some(*app);
                }
                if (*app, *key) == (s.app, s.key) {
                    nodes.push((*node, verdict.clone()));
                    own = Some(Fate::Node(verdict.clone()));
                } else if *app == s.app && own.is_none() && ends_turn(verdict) {
                    turn_over = Some(Fate::BehindOwn(*key, OwnVerdict::Node(verdict.clone())));
                }
            }
            Entry::Found(Finding::Queue { queue, verdict }) if s.path.contains(queue) && own.is_none() => match verdict
            {
                QueueVerdict::Headroom { app, need, headroom } if Some(*queue) == leaf => {
                    own = Some(Fate::Behind {
                        queue: *queue,
                        app: *app,
                        key: key_before.filter(|_| *app == s.app),
                        need: *need,
                        headroom: *headroom,
                    });
                }
                QueueVerdict::NoPending => own = Some(Fate::NoTurn),
                QueueVerdict::Accepted | QueueVerdict::NothingBelow | QueueVerdict::ReReserved => {
                    own = turn_over.take().filter(|_| served.is_none_or(|app| app != s.app));
                }
                other => own = Some(Fate::Queue(*queue, other.clone())),
            },
            Entry::Changed(Change::CommitRefused { app, key, why, .. }) => {
                refused = Some((*app, *key, (**why).clone()));
            }
            _ => {}
        }
    }
    let held = pass.reserved.filter(|c| c.app != s.app);
    let fate = match (own.or(turn_over), refused) {
        (Some(Fate::Node(NodeVerdict::Allocated { .. } | NodeVerdict::Reserved { .. })), Some((app, key, why)))
            if (app, key) == (s.app, s.key) =>
        {
            Fate::Refused(why)
        }
        (Some(fate), _) => fate,
        (None, refused) => match (held, served) {
            (Some(container), _) => Fate::Held(container),
            (None, Some(app)) => Fate::Served(app, refused.filter(|(whose, ..)| *whose == app).map(|(.., why)| why)),
            (None, None) => Fate::NoTurn,
        },
    };
    let Pass1 { at, node, partition, lent, .. } = *pass;
    Look { at, node, partition, lent, passed, fate, nodes }
}

/// The looks at a request, oldest first: those of the latest round in which anything was recorded of it that says why it
/// got nothing, and those that came after. `since`: what was recorded of the request itself before does not hold any more;
/// what was recorded of its application or of queues does.
pub fn looks(rounds: &Rounds<'_>, s: &Subject<'_>, since: Millis, round: Millis) -> Vec<Look> {
    let entries = rounds.about(s);
    let mut all: Vec<Look> = passes(&entries).iter().map(|p| look(p, s)).collect();
    all.retain(|l| l.at >= since || matches!(l.fate, Fate::App(_) | Fate::Queue(..) | Fate::Behind { .. }));
    let Some(latest) = all.iter().rev().find(|l| l.fate.is_reason()).map(|l| l.at) else {
        all.retain(|l| l.fate != Fate::NoTurn);
        return all;
    };
    all.retain(|l| l.at > latest - round && l.fate != Fate::NoTurn);
    all
}

/// What a queue, and the orders of trial, were last recorded with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// Of a queue on the nodes of a partition, where a limit stopped it (not when it was to lend idle room): when, where.
    pub queues: SortedMap<(QueueId, PartitionId), (Millis, NodeId, QueueVerdict)>,
    /// All that was recorded of a queue in the round, once each with how often.
    pub said: SortedMap<QueueId, Vec<(QueueVerdict, usize)>>,
    /// Order of children as last sorted, and for which node.
    pub children: SortedMap<QueueId, (NodeId, Vec<ChildOrder>)>,
    /// The same under the FairScheduler.
    pub shares: SortedMap<QueueId, (NodeId, Vec<ShareOrder>)>,
    /// Order of a leaf's applications as last tried, and for which node.
    pub app_orders: SortedMap<QueueId, (NodeId, Vec<AppOrder>)>,
    /// Order of an application's requests as last tried, and for which node.
    pub request_orders: SortedMap<AppId, (NodeId, Vec<RequestOrder>)>,
}

impl Record {
    /// From entries in their order.
    pub fn of<'e>(entries: impl IntoIterator<Item = &'e (Millis, Entry)>) -> Self {
        let mut out = Record::default();
        let (mut node, mut partition, mut lent) = (NodeId::default(), PartitionId::DEFAULT, false);
        for (at, entry) in entries {
            match entry {
                Entry::Found(Finding::Offer { node: n, partition: p, .. }) => (node, partition, lent) = (*n, *p, false),
                Entry::Found(Finding::IgnoreExclusivity) => lent = true,
                Entry::Found(Finding::Children { queue, order, .. }) => {
                    out.children.insert(*queue, (node, order.clone()));
                }
                Entry::Found(Finding::Shares { queue, order, .. }) => {
                    out.shares.insert(*queue, (node, order.clone()));
                }
                Entry::Found(Finding::Apps { queue, order, .. }) => {
                    out.app_orders.insert(*queue, (node, order.clone()));
                }
                Entry::Found(Finding::Requests { app, order, .. }) => {
                    out.request_orders.insert(*app, (node, order.clone()));
                }
                Entry::Found(Finding::Queue { queue, verdict }) => {
                    let said = out.said.or_default(*queue);
                    let blocked = |v: &QueueVerdict| match v {
                        QueueVerdict::Headroom { app, .. } => Some(*app),
                        _ => None,
                    };
                    let alike = |v: &QueueVerdict| {
                        std::mem::discriminant(v) == std::mem::discriminant(verdict) && blocked(v) == blocked(verdict)
                    };
                    match said.iter_mut().find(|(v, _)| alike(v)) {
                        Some((v, n)) => (*v, *n) = (verdict.clone(), *n + 1),
                        None => said.push((verdict.clone(), 1)),
                    }
                    match verdict {
                        _ if lent => {}
                        QueueVerdict::MaxCapacity { .. } | QueueVerdict::Headroom { .. } => {
                            out.queues.insert((*queue, partition), (*at, node, verdict.clone()));
                        }
                        QueueVerdict::Accepted | QueueVerdict::NothingBelow => {
                            out.queues.remove(&(*queue, partition));
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        out
    }
}

/// Whose looks a waiting request's are: its user, and the queues from its leaf up.
pub fn subject<'a>(w: &Waiting, user: UserId, path: &'a [QueueId]) -> Subject<'a> {
    Subject { app: w.app, key: w.key, user, path }
}
