//! The record of requests, queues and nodes from the scheduler's latest visits. Every answer to "why does it wait" starts here:
//! a [`PassRecord`] is what one pass of an offer recorded about one request: the path to it through queues, application and request,
//! the check that stopped it, or what came before it.

use crate::explain::waiting::Waiting;
use heddle_core::check::{About, Check, CheckKind, Checked, Failure};
use heddle_core::journal::tree::{self, Offer, Pass, Visit, Visits};
use heddle_core::journal::{
    AppOrder, ChildOrder, Entry, Finding, OfferFindings, Recorder, RequestOrder, SameOutcome, ShareOrder, VisitEnd,
};
use heddle_core::model::{AppId, ContainerId, Millis, NodeId, PartitionId, QueueId, RequestKey, SortedMap};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The subject of a [`Watch`].
#[derive(Clone, Debug, Default)]
pub struct Watched {
    /// Applications whose results are kept.
    pub apps: BTreeSet<AppId>,
    /// Requests of these applications that are kept in full; of others that are alike to a visited one, only their number is
    /// kept.
    pub requests: BTreeSet<(AppId, RequestKey)>,
}

impl Watched {
    /// These requests and their applications.
    pub fn requests<'w>(waiting: impl IntoIterator<Item = &'w Waiting>) -> Self {
        let requests: BTreeSet<(AppId, RequestKey)> = waiting.into_iter().map(|w| (w.app, w.key)).collect();
        Watched { apps: requests.iter().map(|(app, _)| *app).collect(), requests }
    }

    /// Adds these applications.
    pub fn and(mut self, apps: impl IntoIterator<Item = AppId>) -> Self {
        self.apps.extend(apps);
        self
    }

    /// Returns whether `other` includes all of this.
    pub fn is_in(&self, other: &Watched) -> bool {
        self.apps.is_subset(&other.apps) && self.requests.is_subset(&other.requests)
    }
}

/// A recorder that keeps what concerns some applications, and whole attempts on some nodes. Of the rest it keeps changes and
/// the results of queues, so that its memory does not grow with everything that waits.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    watched: Watched,
    /// The node whose attempts are kept in full.
    whole: Option<NodeId>,
    /// Whether everything is kept.
    all: bool,
    here: bool,
    /// The starts of the kept entries of unwatched visits, the outermost first.
    aside: Vec<usize>,
    /// Findings that were reported more than once, with what was kept of them.
    repeatable: Vec<(Arc<OfferFindings>, Vec<Entry>)>,
    pub entries: Vec<(Millis, Entry)>,
}

impl Watch {
    /// A recorder for these applications and requests.
    pub fn of(watched: Watched) -> Self {
        Watch { watched, ..Watch::default() }
    }

    /// A recorder for all attempts on a node.
    pub fn node(node: NodeId) -> Self {
        Watch { whole: Some(node), ..Watch::default() }
    }

    /// A recorder for everything.
    pub fn all() -> Self {
        Watch { all: true, ..Watch::default() }
    }

    fn watches(&self, app: AppId) -> bool {
        self.all || self.here || self.watched.apps.contains(&app)
    }

    /// Drops a visit, except for the checks of its queue.
    fn forget(&mut self, from: usize) {
        let of_queue = |entry: &Entry| match entry {
            Entry::Found(Finding::Checked(checked)) => matches!(checked.about, About::Queue(_)),
            _ => false,
        };
        let kept: Vec<(Millis, Entry)> = self.entries.drain(from..).filter(|(_, entry)| of_queue(entry)).collect();
        self.entries.extend(kept);
    }

    /// Keeps of an unwatched visit only what was allocated, or what ended the turn of others.
    fn keep_unwatched(&mut self, at: Millis, entry: Entry) {
        match &entry {
            Entry::Found(Finding::Enter(_)) => self.aside.push(self.entries.len()),
            Entry::Found(Finding::Leave { end, .. }) => {
                if let Some(from) = self.aside.pop().filter(|_| *end == VisitEnd::Next) {
                    return self.forget(from);
                }
            }
            // An application may have thousands of requests, each with checks; the last failed one says why the visit ended.
            _ => {
                if self.aside.is_empty() {
                    return;
                }
            }
        }
        self.entries.push((at, entry));
    }
}

impl Recorder for Watch {
    fn on(&self) -> bool {
        true
    }

    /// Keeps of each finding what it kept the first time: thousands of nodes may have the same finding.
    fn again(&mut self, at: Millis, node: NodeId, found: &Arc<OfferFindings>) {
        let known = self.repeatable.iter().rev().find(|(known, _)| Arc::ptr_eq(known, found));
        // More is kept of a watched node than of others.
        if let Some((_, kept)) = known.filter(|_| !self.here) {
            self.entries.extend(kept.iter().map(|entry| (at, entry.on(node))));
            return;
        }
        let from = self.entries.len();
        found.tell(at, node, self);
        if !self.here {
            let kept = self.entries.get(from..).unwrap_or_default();
            self.repeatable.push((found.clone(), kept.iter().map(|(_, entry)| entry.clone()).collect()));
        }
    }

    fn alike(&mut self, at: Millis, alike: &SameOutcome<'_>) {
        let app = alike.entries.last().and_then(|entry| entry.subject().app);
        // None of them got anything.
        let Some(app) = app.filter(|app| self.watches(*app)) else { return };
        let asked = |key: &RequestKey| self.all || self.here || self.watched.requests.contains(&(app, *key));
        let asked: Vec<RequestKey> = alike.keys().filter(asked).collect();
        let others = alike.others.len() - asked.len();
        alike.tell(at, asked, self);
        if others > 0 {
            self.entries.push((at, Finding::Alike { app, others }.into()));
        }
    }

    fn keep(&mut self, at: Millis, entry: Entry) {
        let about = match &entry {
            Entry::Found(Finding::Offer { node, .. }) => {
                self.here = self.whole == Some(*node);
                self.aside.clear();
                None
            }
            // An application may have had thousands of requests; the satisfied ones need no record.
            Entry::Found(Finding::Checked(checked))
                if checked.check == Check::RequestPending && !(self.all || self.here) =>
            {
                return;
            }
            Entry::Found(Finding::Enter(about) | Finding::Leave { about, .. }) => about.app(),
            Entry::Found(Finding::Checked(checked)) => checked.about.app(),
            Entry::Found(Finding::Requests { app, .. }) => Some(*app),
            _ => None,
        };
        match about {
            Some(app) if !self.watches(app) => self.keep_unwatched(at, entry),
            _ => self.entries.push((at, entry)),
        }
    }
}

/// What one pass of an offer recorded about a request.
#[derive(Clone, Debug, PartialEq)]
pub struct PassRecord {
    pub at: Millis,
    /// The node that was visited.
    pub node: NodeId,
    pub partition: PartitionId,
    /// Whether the request was to borrow the partition's idle resources.
    pub lent: bool,
    /// The checks that it passed, in their order.
    pub passed: Vec<Checked>,
    pub fate: PassResult,
    /// What ended the node's turn after this pass. `None`: another offer of it followed.
    pub turn_over: Option<Checked>,
    /// The result on each node: a near one may be full, and those further away delayed.
    pub nodes: Vec<(NodeId, OnNode)>,
}

/// The result of a request on a node.
#[derive(Clone, Debug, PartialEq)]
pub enum OnNode {
    /// A check failed.
    Failed(Checked),
    /// A container was allocated, or a reservation made or kept.
    Given(VisitEnd),
}

/// The result of a request in one pass of an offer.
#[derive(Clone, Debug, PartialEq)]
pub enum PassResult {
    /// A check failed: of the request, of its application, or of a queue on its path.
    Stopped(Checked),
    /// A container was allocated, or a reservation made or kept.
    Given(VisitEnd),
    /// An earlier request of an application does not fit in its leaf's headroom, and no request behind it has a turn.
    Behind { queue: QueueId, app: AppId, key: Option<RequestKey>, checked: Checked },
    /// A more urgent request of its own application ended the application's turn by these failed checks.
    BehindOwn(RequestKey, Vec<Checked>),
    /// Its proposal was refused at the commit.
    Refused(Failure),
    /// Another was served before its turn.
    Served(Box<Served>),
    /// The node serves a reservation and nothing else.
    Held(ContainerId),
    /// It had no turn: its application requests nothing in this partition.
    NoTurn,
}

/// What was served before a request had its turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Served {
    pub app: AppId,
    pub key: Option<RequestKey>,
    /// The node. `None`: the node of the offer.
    pub node: Option<NodeId>,
    /// How the two compare in the order in which they are tried.
    pub before: Option<SiblingOrder>,
    /// Why the proposal was refused at the commit, if it was.
    pub refused: Option<Failure>,
}

/// Two siblings in the order in which their queue or application tries them: the one that came first, and the one that had no
/// turn.
#[derive(Clone, Debug, PartialEq)]
pub enum SiblingOrder {
    Queues(QueueId, Box<[ChildOrder; 2]>),
    Shares(QueueId, Box<[ShareOrder; 2]>),
    Apps(QueueId, [AppOrder; 2]),
    Requests(AppId, [RequestOrder; 2]),
}

impl SiblingOrder {
    /// Finds both in an order.
    fn of(order: &Finding, first: About, second: About) -> Option<SiblingOrder> {
        match order {
            Finding::Children { queue, order, .. } => {
                let both = pair(order, |o| About::Queue(o.queue), first, second)?;
                Some(SiblingOrder::Queues(*queue, Box::new(both)))
            }
            Finding::Shares { queue, order, .. } => {
                let both = pair(order, |o| About::Queue(o.queue), first, second)?;
                Some(SiblingOrder::Shares(*queue, Box::new(both)))
            }
            Finding::Apps { queue, order, .. } => {
                Some(SiblingOrder::Apps(*queue, pair(order, |o| About::App(o.app), first, second)?))
            }
            Finding::Requests { app, order, .. } => {
                Some(SiblingOrder::Requests(*app, pair(order, |o| About::Request(*app, o.key), first, second)?))
            }
            Finding::Offer { .. }
            | Finding::IgnoreExclusivity
            | Finding::Enter(_)
            | Finding::Checked(_)
            | Finding::Alike { .. }
            | Finding::Leave { .. }
            | Finding::OfferOver { .. }
            | Finding::TurnOver { .. } => None,
        }
    }
}

/// Returns two elements of an order.
fn pair<T: Clone>(order: &[T], about: impl Fn(&T) -> About, first: About, second: About) -> Option<[T; 2]> {
    let find = |which| order.iter().find(|o| about(o) == which).cloned();
    Some([find(first)?, find(second)?])
}

impl PassResult {
    /// Returns whether it says why the request got nothing, whoever else was there.
    pub fn is_reason(&self) -> bool {
        match self {
            PassResult::Given(VisitEnd::Allocated { .. }) => false,
            PassResult::Given(_) | PassResult::Behind { .. } | PassResult::BehindOwn(..) | PassResult::Refused(_) => {
                true
            }
            PassResult::Stopped(checked) => says_why(checked),
            PassResult::Served(_) | PassResult::Held(_) | PassResult::NoTurn => false,
        }
    }

    /// Returns whether it is about the node alone.
    pub fn is_of_node(&self) -> bool {
        match self {
            PassResult::Stopped(checked) => match checked.about {
                About::OnNode(..) => checked.check.row().kind != CheckKind::Limit || is_of_reservation(checked.check),
                About::Queue(_) => {
                    matches!(checked.check, Check::NodeUnreserved | Check::NodeRoom | Check::NodeMinimum)
                }
                About::Cluster | About::Node(_) | About::User(_) | About::App(_) | About::Request(..) => false,
            },
            PassResult::Given(_) | PassResult::Held(_) => true,
            PassResult::Behind { .. }
            | PassResult::BehindOwn(..)
            | PassResult::Refused(_)
            | PassResult::Served(_)
            | PassResult::NoTurn => false,
        }
    }
}

/// Returns whether a failed check says why a request on its path, or behind it, got nothing.
pub fn says_why(checked: &Checked) -> bool {
    match (checked.about, checked.check.row().kind) {
        (_, CheckKind::Want) => false,
        (About::Queue(_), CheckKind::Place | CheckKind::Turn) => checked.check == Check::LeafHeadroom,
        (_, CheckKind::Limit | CheckKind::Place | CheckKind::Turn | CheckKind::Refusal) => true,
        // Neither is made in an offer.
        (_, CheckKind::Condition | CheckKind::Wait) => false,
    }
}

/// Returns whether the check decides if the FairScheduler reserves a node that has too little room.
pub fn is_of_reservation(check: Check) -> bool {
    matches!(
        check,
        Check::BelowFairShare | Check::ReservationThreshold | Check::RoomNotPromised | Check::ReservableNodes
    )
}

/// The request whose looks are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    pub app: AppId,
    pub key: RequestKey,
    /// Its leaf and the leaf's ancestors.
    pub path: &'a [QueueId],
}

impl Subject<'_> {
    /// Returns what is visited on the path to the request, from the top.
    fn way(&self) -> impl Iterator<Item = About> + '_ {
        let queues = self.path.iter().rev().map(|queue| About::Queue(*queue));
        queues.chain([About::App(self.app), About::Request(self.app, self.key)])
    }
}

/// The offers of some rounds, read once for all requests.
#[derive(Debug)]
pub struct RecordedOffers<'e>(Vec<Offer<'e>>);

impl<'e> RecordedOffers<'e> {
    /// Reads entries in their order.
    pub fn of(entries: &'e [(Millis, Entry)]) -> Self {
        RecordedOffers(tree::offers(entries))
    }
}

/// Returns the look of a pass at a request.
fn look(offer: &Offer<'_>, pass: &Pass<'_>, s: &Subject<'_>) -> PassRecord {
    let mut out = PassRecord {
        at: offer.at,
        node: offer.node,
        partition: offer.partition,
        lent: pass.lent,
        passed: Vec::new(),
        fate: PassResult::NoTurn,
        turn_over: offer.turn_over.cloned(),
        nodes: Vec::new(),
    };
    let refused = |app, key: Option<RequestKey>| {
        let (whose, which, why) = offer.refused?;
        (whose == app && key.is_none_or(|key| key == which)).then(|| why.clone())
    };
    out.fate = path(pass, s, &mut out.passed, &mut out.nodes).unwrap_or(PassResult::NoTurn);
    match &mut out.fate {
        PassResult::Given(VisitEnd::Allocated { .. } | VisitEnd::Reserved { .. }) => {
            if let Some(why) = refused(s.app, Some(s.key)) {
                out.fate = PassResult::Refused(why);
            }
        }
        PassResult::Served(served) => served.refused = refused(served.app, served.key),
        PassResult::NoTurn => {
            if let Some(container) = offer.reserved.filter(|c| c.app != s.app) {
                out.fate = PassResult::Held(container);
            }
        }
        PassResult::Given(_)
        | PassResult::Stopped(_)
        | PassResult::Behind { .. }
        | PassResult::BehindOwn(..)
        | PassResult::Refused(_)
        | PassResult::Held(_) => {}
    }
    out
}

/// Follows the path to the request as far as it was visited. What stopped it there is a check of the last visit on the path, or
/// a sibling before the next one; nothing else can.
fn path(
    pass: &Pass<'_>,
    s: &Subject<'_>,
    passed: &mut Vec<Checked>,
    nodes: &mut Vec<(NodeId, OnNode)>,
) -> Option<PassResult> {
    let (mut visits, mut last): (&Visits<'_>, Option<&Visit<'_>>) = (&pass.visits, None);
    // A reservation is dropped for a limit of its application after the node was tried.
    let mut of_app = None;
    for about in s.way() {
        // The offer of a retried reservation, or of promised resources, starts below root.
        let Some(visit) = visits.find(about) else {
            match about {
                About::Queue(_) if last.is_none() => continue,
                About::App(_) if last.is_none() => return None,
                _ => return not_reached(visits, last, about, s),
            }
        };
        passed.extend(visit.checks.iter().filter(|c| !c.fails() && c.about == about).map(|c| (*c).clone()));
        of_app = visit.failed().filter(|checked| matches!(checked.about, About::App(_))).or(of_app);
        (visits, last) = (&visit.below, Some(visit));
    }
    let request = last?;
    for visit in visits.iter() {
        let About::OnNode(_, _, node) = visit.about else { continue };
        passed.extend(visit.checks.iter().filter(|c| !c.fails()).map(|c| (*c).clone()));
        let failed = visit.checks.iter().filter(|c| c.fails());
        nodes.extend(failed.map(|c| (node, OnNode::Failed((*c).clone()))));
        nodes.extend(visit.end.filter(|end| end.gives()).map(|end| (node, OnNode::Given(end))));
    }
    match nodes.last() {
        Some((_, OnNode::Given(end))) => Some(PassResult::Given(*end)),
        Some((_, OnNode::Failed(checked))) => Some(PassResult::Stopped(checked.clone())),
        None => request.failed().or(of_app).map(|checked| stopped(checked, request, s)),
    }
}

/// Returns why the next visit on the path never came.
fn not_reached(visits: &Visits<'_>, last: Option<&Visit<'_>>, about: About, s: &Subject<'_>) -> Option<PassResult> {
    let parent = last?;
    if let Some(checked) = parent.failed() {
        return Some(stopped(checked, parent, s));
    }
    let giver = visits.giver().or_else(|| visits.iter().rev().find(|visit| visit.end == Some(VisitEnd::Last)))?;
    if giver.gives() {
        let before = parent.order.and_then(|order| SiblingOrder::of(order, giver.about, about));
        let (app, key, node) = deepest(giver)?;
        return Some(PassResult::Served(Box::new(Served { app, key, node, before, refused: None })));
    }
    let (app, key) = giver.about.request()?;
    let of = giver.below.iter().rev().find(|visit| visit.failed().is_some()).unwrap_or(giver);
    let failed = of.failed()?;
    // It blocks its leaf too.
    if let (Check::Headroom, Some(queue)) = (failed.check, s.path.first().copied()) {
        return Some(PassResult::Behind { queue, app, key: Some(key), checked: failed.clone() });
    }
    let all = of.checks.iter().filter(|checked| checked.fails());
    Some(PassResult::BehindOwn(key, all.map(|checked| (*checked).clone()).collect()))
}

/// Returns whose container or reservation resulted from a visit, and on which node.
fn deepest(visit: &Visit<'_>) -> Option<(AppId, Option<RequestKey>, Option<NodeId>)> {
    match (visit.below.giver(), visit.about) {
        (Some(below), _) => deepest(below),
        (None, About::OnNode(app, key, node)) => Some((app, Some(key), Some(node))),
        (None, About::Request(app, key)) => Some((app, Some(key), None)),
        (None, About::App(app)) => Some((app, None, None)),
        (None, About::Queue(_) | About::Node(_) | About::User(_) | About::Cluster) => None,
    }
}

/// Returns the result for a check that stopped the request; for a leaf that its most urgent request blocks, it names that
/// request.
fn stopped(checked: &Checked, visit: &Visit<'_>, s: &Subject<'_>) -> PassResult {
    if let (Check::LeafHeadroom, About::Queue(queue), Some(amounts)) =
        (checked.check, checked.about, checked.figures.as_amounts())
    {
        let app = amounts.app.unwrap_or(s.app);
        let last = |visits: &Visits<'_>| visits.iter().rev().find(|v| v.end == Some(VisitEnd::Last)).map(|v| v.about);
        let of_app = visit.below.find(About::App(app)).and_then(|visit| last(&visit.below));
        let key = of_app.and_then(About::request).map(|(_, key)| key).filter(|_| app == s.app);
        return PassResult::Behind { queue, app, key, checked: checked.clone() };
    }
    if checked.check.row().kind == CheckKind::Want { PassResult::NoTurn } else { PassResult::Stopped(checked.clone()) }
}

/// Returns the looks at a request, oldest first: those of the latest round in which one says why it got nothing, and later
/// ones. `since`: earlier records of the request itself do not hold any more; those of its application or of queues do.
pub fn looks(rounds: &RecordedOffers<'_>, s: &Subject<'_>, since: Millis, round: Millis) -> Vec<PassRecord> {
    let passes = rounds.0.iter().flat_map(|offer| offer.passes.iter().map(move |pass| look(offer, pass, s)));
    let mut all: Vec<PassRecord> = passes.collect();
    all.retain(|l| l.at >= since || is_of_others(&l.fate));
    let Some(latest) = all.iter().rev().find(|l| l.fate.is_reason()).map(|l| l.at) else {
        all.retain(|l| l.fate != PassResult::NoTurn);
        return all;
    };
    all.retain(|l| l.at > latest - round && l.fate != PassResult::NoTurn);
    all
}

/// Returns the looks of the offers of a node at one moment, in their order.
pub fn looks_at(rounds: &RecordedOffers<'_>, s: &Subject<'_>, at: Millis, node: NodeId) -> Vec<PassRecord> {
    let there = rounds.0.iter().filter(|offer| offer.at == at && offer.node == node);
    there.flat_map(|offer| offer.passes.iter().map(move |pass| look(offer, pass, s))).collect()
}

/// Returns whether it is about the application or a queue, so that it also holds for a later request.
fn is_of_others(fate: &PassResult) -> bool {
    match fate {
        PassResult::Behind { .. } => true,
        PassResult::Stopped(checked) => matches!(checked.about, About::App(_) | About::Queue(_)),
        PassResult::Given(_)
        | PassResult::BehindOwn(..)
        | PassResult::Refused(_)
        | PassResult::Served(_)
        | PassResult::Held(_)
        | PassResult::NoTurn => false,
    }
}

/// The latest record of queues, and of the orders in which they, applications and requests were tried.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// The limit that stopped a queue on the nodes of a partition (unless it was to lend idle resources): when and where.
    pub queues: SortedMap<(QueueId, PartitionId), (Millis, NodeId, Checked)>,
    /// All failed checks of a queue in the round, each once with how often it failed.
    pub said: SortedMap<QueueId, Vec<(Checked, usize)>>,
    /// The order of children as last sorted, and for which node.
    pub children: SortedMap<QueueId, (NodeId, Vec<ChildOrder>)>,
    /// The order of children under the FairScheduler, and for which node.
    pub shares: SortedMap<QueueId, (NodeId, Vec<ShareOrder>)>,
    /// The order of a leaf's applications as last tried, and for which node.
    pub app_orders: SortedMap<QueueId, (NodeId, Vec<AppOrder>)>,
    /// The order of an application's requests as last tried, and for which node.
    pub request_orders: SortedMap<AppId, (NodeId, Vec<RequestOrder>)>,
}

impl Record {
    /// Reads entries in their order.
    pub fn of<'e>(entries: impl IntoIterator<Item = &'e (Millis, Entry)>) -> Self {
        let mut out = Record::default();
        let (mut node, mut partition, mut lent) = (NodeId::default(), PartitionId::DEFAULT, false);
        let mut failed = None;
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
                Entry::Found(Finding::Checked(checked)) if checked.fails() => {
                    if let About::Queue(queue) = checked.about {
                        out.note_failed(queue, checked);
                        let limit =
                            matches!(checked.check, Check::QueueLimit | Check::MaxResources | Check::LeafHeadroom);
                        if limit && !lent {
                            out.queues.insert((queue, partition), (*at, node, checked.clone()));
                        }
                        failed = Some(queue);
                    }
                }
                Entry::Found(Finding::Leave { about: About::Queue(queue), .. }) => {
                    let stopped = failed.take() == Some(*queue);
                    if !stopped && !lent {
                        out.queues.remove(&(*queue, partition));
                    }
                }
                _ => {}
            }
        }
        out
    }

    /// Counts a failed check of a queue once more, if it is about the same application.
    fn note_failed(&mut self, queue: QueueId, checked: &Checked) {
        let blocked = |c: &Checked| c.figures.as_amounts().and_then(|amounts| amounts.app);
        let said = self.said.or_default(queue);
        match said.iter_mut().find(|(c, _)| c.check == checked.check && blocked(c) == blocked(checked)) {
            Some((c, n)) => (*c, *n) = (checked.clone(), *n + 1),
            None => said.push((checked.clone(), 1)),
        }
    }
}

/// Returns the subject of a waiting request; `path`: the queues from its leaf up.
pub fn subject<'a>(w: &Waiting, path: &'a [QueueId]) -> Subject<'a> {
    Subject { app: w.app, key: w.key, path }
}
