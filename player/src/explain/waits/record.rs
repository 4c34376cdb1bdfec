//! What was recorded of requests, queues and nodes when the scheduler last looked at them. Every answer to "why does it
//! wait" starts here: a [`Look`] is what one pass of an offer recorded of one request: the path to it through queues,
//! application and request, the check that stopped it, or whoever came before it.

use crate::explain::waiting::Waiting;
use heddle_core::check::{About, Check, Checked, Failure, Kind};
use heddle_core::journal::tree::{self, Offer, Pass, Visit, Visits};
use heddle_core::journal::{
    Alike, AppOrder, ChildOrder, Entry, Finding, Found, Recorder, RequestOrder, ShareOrder, VisitEnd,
};
use heddle_core::model::{AppId, ContainerId, Millis, NodeId, PartitionId, QueueId, RequestKey, SortedMap};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Whom a [`Watch`] is about.
#[derive(Clone, Debug, Default)]
pub struct Watched {
    /// Applications; their verdicts are kept.
    pub apps: BTreeSet<AppId>,
    /// Requests of these of which everything is kept; of others that are alike to one that was visited only how many there are.
    pub requests: BTreeSet<(AppId, RequestKey)>,
}

impl Watched {
    /// These requests and their applications.
    pub fn requests<'w>(waiting: impl IntoIterator<Item = &'w Waiting>) -> Self {
        let requests: BTreeSet<(AppId, RequestKey)> = waiting.into_iter().map(|w| (w.app, w.key)).collect();
        Watched { apps: requests.iter().map(|(app, _)| *app).collect(), requests }
    }

    /// These applications too.
    pub fn and(mut self, apps: impl IntoIterator<Item = AppId>) -> Self {
        self.apps.extend(apps);
        self
    }

    /// Whether another one has all of it.
    pub fn is_in(&self, other: &Watched) -> bool {
        self.apps.is_subset(&other.apps) && self.requests.is_subset(&other.requests)
    }
}

/// A recorder that keeps what concerns some applications, and whole attempts on some nodes. Of the rest it keeps what
/// happened and what came of queues, so that its memory does not grow with all that waits.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    watched: Watched,
    /// Everything is kept of attempts on this node.
    whole: Option<NodeId>,
    /// Is everything kept?
    all: bool,
    here: bool,
    /// Where what was kept of visits begins that nobody watches, the outermost first.
    aside: Vec<usize>,
    /// Findings that were told more than once, and what was kept of them.
    repeatable: Vec<(Arc<Found>, Vec<Entry>)>,
    pub entries: Vec<(Millis, Entry)>,
}

impl Watch {
    /// Of these applications and requests.
    pub fn of(watched: Watched) -> Self {
        Watch { watched, ..Watch::default() }
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
        self.all || self.here || self.watched.apps.contains(&app)
    }

    /// Forgets a visit, but for what was checked of its queue in it.
    fn forget(&mut self, from: usize) {
        let of_queue = |entry: &Entry| match entry {
            Entry::Found(Finding::Checked(checked)) => matches!(checked.about, About::Queue(_)),
            _ => false,
        };
        let kept: Vec<(Millis, Entry)> = self.entries.drain(from..).filter(|(_, entry)| of_queue(entry)).collect();
        self.entries.extend(kept);
    }

    /// Of a visit that nobody watches only what was given, or ended the turn of others, is kept.
    fn keep_unwatched(&mut self, at: Millis, entry: Entry) {
        match &entry {
            Entry::Found(Finding::Enter(_)) => self.aside.push(self.entries.len()),
            Entry::Found(Finding::Leave { end, .. }) => {
                if let Some(from) = self.aside.pop().filter(|_| *end == VisitEnd::Next) {
                    return self.forget(from);
                }
            }
            // An application may have thousands of requests, each with checks; the last that failed says why it ended.
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

    /// Keeps of each finding what it kept of it the first time: thousands of nodes may find the same.
    fn again(&mut self, at: Millis, node: NodeId, found: &Arc<Found>) {
        let known = self.repeatable.iter().rev().find(|(known, _)| Arc::ptr_eq(known, found));
        // Of a node that is watched itself more is kept than of others.
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

    fn alike(&mut self, at: Millis, alike: &Alike<'_>) {
        let app = alike.entries.last().and_then(|entry| entry.subject().app);
        // Nothing came of any of them.
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
            // An application may have had thousands of requests; of those that are satisfied there is nothing to say.
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

/// What one pass of an offer recorded of a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    pub at: Millis,
    /// The node that was looked at.
    pub node: NodeId,
    pub partition: PartitionId,
    /// Was the request to borrow the partition's idle room?
    pub lent: bool,
    /// The checks that let it pass, in their order.
    pub passed: Vec<Checked>,
    pub fate: Fate,
    /// What ended the node's turn after this pass. `None`: another offer of it followed.
    pub turn_over: Option<Checked>,
    /// What came of it on each node: one that is near may be full, and those further out delayed.
    pub nodes: Vec<(NodeId, OnNode)>,
}

/// What came of a request on a node.
#[derive(Clone, Debug, PartialEq)]
pub enum OnNode {
    /// A check failed.
    Failed(Checked),
    /// A container was allocated, or a reservation made or kept.
    Given(VisitEnd),
}

/// What came of a request in one pass of an offer.
#[derive(Clone, Debug, PartialEq)]
pub enum Fate {
    /// A check failed: of the request, of its application, or of a queue on its way.
    Stopped(Checked),
    /// A container was allocated, or a reservation made or kept.
    Given(VisitEnd),
    /// The request of an application before it does not fit in its leaf's headroom, and nobody behind that has a turn.
    Behind { queue: QueueId, app: AppId, key: Option<RequestKey>, checked: Checked },
    /// A more urgent request of its own application ended the application's turn by the checks that failed.
    BehindOwn(RequestKey, Vec<Checked>),
    /// What was proposed for it was refused when it was to be committed.
    Refused(Failure),
    /// Somebody else was served before its turn.
    Served(Box<Served>),
    /// The node serves a reservation and nothing else.
    Held(ContainerId),
    /// It had no turn: its application wants nothing of this partition.
    NoTurn,
}

/// Who was served before a request had its turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Served {
    pub app: AppId,
    pub key: Option<RequestKey>,
    /// Where. `None`: on the node of the offer.
    pub node: Option<NodeId>,
    /// How the two stand in the order in which they are tried.
    pub before: Option<Before>,
    /// Why what was proposed was refused at the commit, if it was.
    pub refused: Option<Failure>,
}

/// Two siblings in the order of trial of their queue or application: who came first, and who had no turn.
#[derive(Clone, Debug, PartialEq)]
pub enum Before {
    Queues(QueueId, Box<[ChildOrder; 2]>),
    Shares(QueueId, Box<[ShareOrder; 2]>),
    Apps(QueueId, [AppOrder; 2]),
    Requests(AppId, [RequestOrder; 2]),
}

impl Before {
    /// Finds both in an order of trial.
    fn of(order: &Finding, first: About, second: About) -> Option<Before> {
        match order {
            Finding::Children { queue, order, .. } => {
                let both = pair(order, |o| About::Queue(o.queue), first, second)?;
                Some(Before::Queues(*queue, Box::new(both)))
            }
            Finding::Shares { queue, order, .. } => {
                let both = pair(order, |o| About::Queue(o.queue), first, second)?;
                Some(Before::Shares(*queue, Box::new(both)))
            }
            Finding::Apps { queue, order, .. } => {
                Some(Before::Apps(*queue, pair(order, |o| About::App(o.app), first, second)?))
            }
            Finding::Requests { app, order, .. } => {
                Some(Before::Requests(*app, pair(order, |o| About::Request(*app, o.key), first, second)?))
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

/// Two of an order of trial.
fn pair<T: Clone>(order: &[T], about: impl Fn(&T) -> About, first: About, second: About) -> Option<[T; 2]> {
    let find = |which| order.iter().find(|o| about(o) == which).cloned();
    Some([find(first)?, find(second)?])
}

impl Fate {
    /// Does it say why the request got nothing, whoever else was there?
    pub fn is_reason(&self) -> bool {
        match self {
            Fate::Given(VisitEnd::Allocated { .. }) => false,
            Fate::Given(_) | Fate::Behind { .. } | Fate::BehindOwn(..) | Fate::Refused(_) => true,
            Fate::Stopped(checked) => says_why(checked),
            Fate::Served(_) | Fate::Held(_) | Fate::NoTurn => false,
        }
    }

    /// Is it about the node alone?
    pub fn is_of_node(&self) -> bool {
        match self {
            Fate::Stopped(checked) => match checked.about {
                About::OnNode(..) => checked.check.row().kind != Kind::Limit || is_of_reservation(checked.check),
                About::Queue(_) => {
                    matches!(checked.check, Check::NodeUnreserved | Check::NodeRoom | Check::NodeMinimum)
                }
                About::Cluster | About::Node(_) | About::User(_) | About::App(_) | About::Request(..) => false,
            },
            Fate::Given(_) | Fate::Held(_) => true,
            Fate::Behind { .. } | Fate::BehindOwn(..) | Fate::Refused(_) | Fate::Served(_) | Fate::NoTurn => false,
        }
    }
}

/// Whether a check that failed says why a request got nothing that was on its way, or would have come by there.
pub fn says_why(checked: &Checked) -> bool {
    match (checked.about, checked.check.row().kind) {
        (_, Kind::Want) => false,
        (About::Queue(_), Kind::Place | Kind::Turn) => checked.check == Check::LeafHeadroom,
        (_, Kind::Limit | Kind::Place | Kind::Turn | Kind::Refusal) => true,
        // Neither is made in an offer.
        (_, Kind::Condition | Kind::Wait) => false,
    }
}

/// Whether the check asks if the FairScheduler reserves a node that has too little room.
pub fn is_of_reservation(check: Check) -> bool {
    matches!(
        check,
        Check::BelowFairShare | Check::ReservationThreshold | Check::RoomNotPromised | Check::ReservableNodes
    )
}

/// Whose looks are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    pub app: AppId,
    pub key: RequestKey,
    /// Its leaf and the queues above it.
    pub path: &'a [QueueId],
}

impl Subject<'_> {
    /// What is visited on the way to the request, from the top.
    fn way(&self) -> impl Iterator<Item = About> + '_ {
        let queues = self.path.iter().rev().map(|queue| About::Queue(*queue));
        queues.chain([About::App(self.app), About::Request(self.app, self.key)])
    }
}

/// The offers of some rounds, read once for all whom they are asked about.
#[derive(Debug)]
pub struct Rounds<'e>(Vec<Offer<'e>>);

impl<'e> Rounds<'e> {
    /// Of entries in their order.
    pub fn of(entries: &'e [(Millis, Entry)]) -> Self {
        Rounds(tree::offers(entries))
    }
}

/// The look of a pass at a request.
fn look(offer: &Offer<'_>, pass: &Pass<'_>, s: &Subject<'_>) -> Look {
    let mut out = Look {
        at: offer.at,
        node: offer.node,
        partition: offer.partition,
        lent: pass.lent,
        passed: Vec::new(),
        fate: Fate::NoTurn,
        turn_over: offer.turn_over.cloned(),
        nodes: Vec::new(),
    };
    let refused = |app, key: Option<RequestKey>| {
        let (whose, which, why) = offer.refused?;
        (whose == app && key.is_none_or(|key| key == which)).then(|| why.clone())
    };
    out.fate = path(pass, s, &mut out.passed, &mut out.nodes).unwrap_or(Fate::NoTurn);
    match &mut out.fate {
        Fate::Given(VisitEnd::Allocated { .. } | VisitEnd::Reserved { .. }) => {
            if let Some(why) = refused(s.app, Some(s.key)) {
                out.fate = Fate::Refused(why);
            }
        }
        Fate::Served(served) => served.refused = refused(served.app, served.key),
        Fate::NoTurn => {
            if let Some(container) = offer.reserved.filter(|c| c.app != s.app) {
                out.fate = Fate::Held(container);
            }
        }
        Fate::Given(_)
        | Fate::Stopped(_)
        | Fate::Behind { .. }
        | Fate::BehindOwn(..)
        | Fate::Refused(_)
        | Fate::Held(_) => {}
    }
    out
}

/// Follows the way to the request as far as it was visited. What stopped it there is a check of the last visit on the way,
/// or a sibling before the next one: there is nothing else.
fn path(
    pass: &Pass<'_>,
    s: &Subject<'_>,
    passed: &mut Vec<Checked>,
    nodes: &mut Vec<(NodeId, OnNode)>,
) -> Option<Fate> {
    let (mut visits, mut last): (&Visits<'_>, Option<&Visit<'_>>) = (&pass.visits, None);
    // A reservation is dropped for a limit of its application after the node was looked at.
    let mut of_app = None;
    for about in s.way() {
        // A reservation that is retried, or room that was promised, is offered below root.
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
        Some((_, OnNode::Given(end))) => Some(Fate::Given(*end)),
        Some((_, OnNode::Failed(checked))) => Some(Fate::Stopped(checked.clone())),
        None => request.failed().or(of_app).map(|checked| stopped(checked, request, s)),
    }
}

/// Why the next visit on the way never came.
fn not_reached(visits: &Visits<'_>, last: Option<&Visit<'_>>, about: About, s: &Subject<'_>) -> Option<Fate> {
    let parent = last?;
    if let Some(checked) = parent.failed() {
        return Some(stopped(checked, parent, s));
    }
    let giver = visits.giver().or_else(|| visits.iter().rev().find(|visit| visit.end == Some(VisitEnd::Last)))?;
    if giver.gives() {
        let before = parent.order.and_then(|order| Before::of(order, giver.about, about));
        let (app, key, node) = deepest(giver)?;
        return Some(Fate::Served(Box::new(Served { app, key, node, before, refused: None })));
    }
    let (app, key) = giver.about.request()?;
    let of = giver.below.iter().rev().find(|visit| visit.failed().is_some()).unwrap_or(giver);
    let failed = of.failed()?;
    // It blocks its leaf too.
    if let (Check::Headroom, Some(queue)) = (failed.check, s.path.first().copied()) {
        return Some(Fate::Behind { queue, app, key: Some(key), checked: failed.clone() });
    }
    let all = of.checks.iter().filter(|checked| checked.fails());
    Some(Fate::BehindOwn(key, all.map(|checked| (*checked).clone()).collect()))
}

/// Whose container or reservation came of a visit, and where.
fn deepest(visit: &Visit<'_>) -> Option<(AppId, Option<RequestKey>, Option<NodeId>)> {
    match (visit.below.giver(), visit.about) {
        (Some(below), _) => deepest(below),
        (None, About::OnNode(app, key, node)) => Some((app, Some(key), Some(node))),
        (None, About::Request(app, key)) => Some((app, Some(key), None)),
        (None, About::App(app)) => Some((app, None, None)),
        (None, About::Queue(_) | About::Node(_) | About::User(_) | About::Cluster) => None,
    }
}

/// A check that stopped the request: a leaf that its most urgent request blocks names that.
fn stopped(checked: &Checked, visit: &Visit<'_>, s: &Subject<'_>) -> Fate {
    if let (Check::LeafHeadroom, About::Queue(queue), Some(amounts)) =
        (checked.check, checked.about, checked.figures.as_amounts())
    {
        let app = amounts.app.unwrap_or(s.app);
        let last = |visits: &Visits<'_>| visits.iter().rev().find(|v| v.end == Some(VisitEnd::Last)).map(|v| v.about);
        let of_app = visit.below.find(About::App(app)).and_then(|visit| last(&visit.below));
        let key = of_app.and_then(About::request).map(|(_, key)| key).filter(|_| app == s.app);
        return Fate::Behind { queue, app, key, checked: checked.clone() };
    }
    if checked.check.row().kind == Kind::Want { Fate::NoTurn } else { Fate::Stopped(checked.clone()) }
}

/// The looks at a request, oldest first: those of the latest round in which anything was recorded of it that says why it
/// got nothing, and those that came after. `since`: what was recorded of the request itself before does not hold any more;
/// what was recorded of its application or of queues does.
pub fn looks(rounds: &Rounds<'_>, s: &Subject<'_>, since: Millis, round: Millis) -> Vec<Look> {
    let passes = rounds.0.iter().flat_map(|offer| offer.passes.iter().map(move |pass| look(offer, pass, s)));
    let mut all: Vec<Look> = passes.collect();
    all.retain(|l| l.at >= since || is_of_others(&l.fate));
    let Some(latest) = all.iter().rev().find(|l| l.fate.is_reason()).map(|l| l.at) else {
        all.retain(|l| l.fate != Fate::NoTurn);
        return all;
    };
    all.retain(|l| l.at > latest - round && l.fate != Fate::NoTurn);
    all
}

/// The looks of the offers that were made of a node at one moment, in their order.
pub fn looks_at(rounds: &Rounds<'_>, s: &Subject<'_>, at: Millis, node: NodeId) -> Vec<Look> {
    let there = rounds.0.iter().filter(|offer| offer.at == at && offer.node == node);
    there.flat_map(|offer| offer.passes.iter().map(move |pass| look(offer, pass, s))).collect()
}

/// Whether it is about the application or a queue, so that it holds for a request that came later too.
fn is_of_others(fate: &Fate) -> bool {
    match fate {
        Fate::Behind { .. } => true,
        Fate::Stopped(checked) => matches!(checked.about, About::App(_) | About::Queue(_)),
        Fate::Given(_) | Fate::BehindOwn(..) | Fate::Refused(_) | Fate::Served(_) | Fate::Held(_) | Fate::NoTurn => {
            false
        }
    }
}

/// What a queue, and the orders of trial, were last recorded with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// Of a queue on the nodes of a partition, where a limit stopped it (not when it was to lend idle room): when, where.
    pub queues: SortedMap<(QueueId, PartitionId), (Millis, NodeId, Checked)>,
    /// All that was recorded of a queue in the round, once each with how often.
    pub said: SortedMap<QueueId, Vec<(Checked, usize)>>,
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

    /// Once more of a check that failed of a queue, for the same application.
    fn note_failed(&mut self, queue: QueueId, checked: &Checked) {
        let blocked = |c: &Checked| c.figures.as_amounts().and_then(|amounts| amounts.app);
        let said = self.said.or_default(queue);
        match said.iter_mut().find(|(c, _)| c.check == checked.check && blocked(c) == blocked(checked)) {
            Some((c, n)) => (*c, *n) = (checked.clone(), *n + 1),
            None => said.push((checked.clone(), 1)),
        }
    }
}

/// Whose looks a waiting request's are: the queues from its leaf up.
pub fn subject<'a>(w: &Waiting, path: &'a [QueueId]) -> Subject<'a> {
    Subject { app: w.app, key: w.key, path }
}
