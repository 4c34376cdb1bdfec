//! What comes before a request: a request of another application that its leaf waits for, a more urgent one of its own
//! application, its own reservations (capacity-scheduler.md 8.1(4c), 8.3).

use super::{Chain, ChainBuilder, RequestStop};
use crate::explain::checks::Table;
use crate::explain::full::all_full;
use crate::explain::names::Names;
use crate::explain::record::{PassRecord, PassResult};
use crate::explain::say;
use crate::explain::stop::StoppedBy;
use crate::explain::verdicts;
use crate::explain::words;
use heddle_core::check::{About, Checked, Failure};
use heddle_core::model::{AppId, NodeId, QueueId, RequestKey, Resource};
use heddle_core::scheduler::KeyAsks;

/// Returns the leaf's words in YARN for a request that does not fit in its queue's headroom, which name the application.
pub fn headroom_yarn(names: Names<'_>, app: AppId) -> String {
    crate::explain::verdicts::headroom_of(&names.rm().application_id(app))
}

impl ChainBuilder<'_> {
    /// Stops a request behind the most urgent one of an application of its leaf, which does not fit in the headroom. Nodes that
    /// lend resources are tried in a separate look, with the leaf's headroom in that partition.
    pub(super) fn behind(
        &self,
        out: &mut Chain,
        look: &PassRecord,
        (queue, app, key): (QueueId, AppId, Option<RequestKey>),
        checked: &Checked,
    ) {
        let (path, other) = (self.names.queue(queue), self.names.app(app));
        let own = app == self.w.app;
        let (need, headroom) = checked.figures.as_amounts().map_or_else(Default::default, |a| (a.asked(), a.limit));
        let lent = if look.lent { self.names.partition(look.partition) } else { "" };
        let whose = own.then_some(key).flatten();
        let sentence = if self.is_older(look) {
            // The leaf's headroom is another amount now.
            say::behind_since(path, other, whose, &self.text(need), all_full(self.names, look.partition).as_deref())
        } else {
            say::behind(path, other, whose, &self.text(need), &self.text(headroom), lent)
        };
        let by = if own { StoppedBy::OwnRequest } else { StoppedBy::Check(Box::new(checked.clone())) };
        let holders = if own { Vec::new() } else { vec![app] };
        let stop = RequestStop::new(by, sentence).yarn(headroom_yarn(self.names, app));
        out.stop_at(RequestStop { holders, ..stop }, path.to_string());
    }

    /// Returns whether the request that came first in a look still does: open, of that size, in that leaf, of an application
    /// that is tried before this one. True if the look names no other request.
    pub(super) fn comes_first_still(&self, look: &PassRecord) -> bool {
        let rm = self.names.rm();
        let is_open = |id: AppId, key: Option<RequestKey>, need: Option<Resource>| {
            rm.scheduled(id).is_some_and(|app| {
                let wanted = |asks: &KeyAsks| {
                    let any = asks.any().filter(|any| any.count > 0);
                    key.is_none_or(|key| asks.key == key)
                        && any.is_some_and(|any| need.is_none_or(|need| any.size == need))
                };
                app.alive && app.active && app.queue == self.app.queue && app.asks.keys().iter().any(wanted)
            })
        };
        match &look.fate {
            PassResult::Behind { app, key, checked, .. } => {
                let need = checked.figures.as_amounts().map(|amounts| amounts.asked());
                is_open(*app, *key, need) && self.is_tried_before(*app)
            }
            PassResult::BehindOwn(key, _) => is_open(self.w.app, Some(*key), None),
            PassResult::Stopped(_)
            | PassResult::Given(_)
            | PassResult::Refused(_)
            | PassResult::Served(_)
            | PassResult::Held(_)
            | PassResult::NoTurn => true,
        }
    }

    /// Returns whether an application of the leaf is tried before this one, in the leaf's present order.
    fn is_tried_before(&self, other: AppId) -> bool {
        let queue = self.names.rm().queues().get(self.app.queue.index());
        let Some(leaf) = queue.and_then(|queue| queue.leaf.as_ref()) else { return true };
        let place = |id: AppId| leaf.active.iter().position(|active| *active == id);
        other == self.w.app || place(other) < place(self.w.app)
    }

    /// Stops a request behind a more urgent one of the same application, whose failure ends the application's turn.
    pub(super) fn behind_own(&self, out: &mut Chain, look: &PassRecord, key: RequestKey, failed: &[Checked]) {
        let of = self.names.request_name(self.w.app, key, 1);
        out.stop_at(own_before(self.names, self.w.app, look.node, key, failed), of);
    }

    /// Stops a request whose proposal was refused at the commit.
    pub(super) fn refused(&self, out: &mut Chain, look: &PassRecord, why: &Failure) {
        // With several candidates, the node that reported need not be the proposed one.
        let host = self.names.node(look.nodes.last().map_or(look.node, |(node, _)| *node));
        let sentence = say::refused_at_commit(host, &verdicts::failure(self.names, why, About::App(self.w.app)));
        let of = self.names.app(self.w.app).to_string();
        out.stop_at(RequestStop::at(why.clone().about(About::App(self.w.app)), sentence), of);
    }
}

/// Returns the stop by a more urgent request of the application that failed on a node.
fn own_before(names: Names<'_>, app: AppId, node: NodeId, key: RequestKey, failed: &[Checked]) -> RequestStop {
    let why: Vec<String> = failed.iter().map(|checked| verdicts::failed(names, checked)).collect();
    let sentence = say::behind_own(names.app(app), key.priority, names.node(node), &why.join(" "));
    let yarn = failed.last().map_or(String::new(), |checked| verdicts::yarn(names, checked));
    RequestStop::new(StoppedBy::OwnRequest, sentence).yarn(yarn)
}

/// Returns what keeps the request from nodes that would take it, beside its own limits: an earlier proposal that is refused
/// each time, or its own reservations, if only their nodes are tried for it.
pub fn behind_on_nodes(maker: &TurnInputs<'_>, table: &Table) -> Option<RequestStop> {
    let names = maker.names;
    let fitting: Vec<NodeId> = table.rows.iter().filter(|r| r.fits()).map(|r| r.node).collect();
    if fitting.is_empty() {
        return None;
    }
    let held = || names.rm().capacity().and_then(|_| only_held(maker, &fitting));
    held().or_else(|| refused_before(maker, &fitting)).or_else(|| own_on_nodes(maker, &fitting))
}

/// The inputs of [`behind_on_nodes`].
pub struct TurnInputs<'a> {
    pub names: Names<'a>,
    pub w: &'a crate::explain::waiting::Waiting,
    pub looks: &'a [PassRecord],
}

/// Returns the stop of a request that has nodes reserved for all its containers, while a limit of its queue or an ancestor
/// keeps it from the others.
fn only_held(p: &TurnInputs<'_>, fitting: &[NodeId]) -> Option<RequestStop> {
    let app = p.names.rm().scheduled(p.w.app)?;
    let reserved = &app.asks.at(app.asks.find(p.w.key)?).reserved;
    if reserved.is_empty() || reserved.iter().any(|(node, _)| fitting.contains(node)) {
        return None;
    }
    let (words, yarn) = p.looks.iter().rev().filter(|l| l.fate.is_reason()).find_map(|l| match &l.fate {
        PassResult::Stopped(checked) if !matches!(checked.about, About::OnNode(..)) => {
            Some((verdicts::failed(p.names, checked), checked.check.row().yarn))
        }
        _ => None,
    })?;
    let hosts: Vec<&str> = reserved.iter().map(|(node, _)| p.names.node(*node)).collect();
    // The queue's usage includes the application's own reservations.
    let (cluster, app) = (p.names.rm().cluster(), p.names.rm().scheduled(p.w.app)?);
    let own = app.reserved.get(p.w.partition.index()).copied().unwrap_or_default();
    let own = (!own.is_zero()).then(|| words::counted(own, cluster.calculator, &cluster.types));
    let words = own.map_or(words.clone(), |own| say::with_own_reserved(&words, &own));
    let words = match first_without_reservation(p) {
        Some(first) => say::and(&words, &say::first_gives_up_nothing(first)),
        None => words,
    };
    Some(RequestStop::new(StoppedBy::OwnReservations, say::only_held(&hosts, &words)).yarn(yarn))
}

/// Returns the application that is tried first in the leaf, if it has reserved nothing: the maximum is checked with what it
/// could give up, and not again for those behind it.
fn first_without_reservation<'a>(p: &TurnInputs<'a>) -> Option<&'a str> {
    let (rm, app) = (p.names.rm(), p.names.rm().scheduled(p.w.app)?);
    let leaf = rm.queues().get(app.queue.index())?.leaf.as_deref()?;
    let first = rm.scheduled(*leaf.active.first()?).filter(|first| first.id != app.id)?;
    let reserved = first.reserved.get(p.w.partition.index()).copied().unwrap_or_default();
    reserved.is_zero().then(|| p.names.app(first.id))
}

/// Returns the stop by a more urgent request of the application that ended its turn at the latest look at a node that would
/// take this one.
fn own_on_nodes(p: &TurnInputs<'_>, fitting: &[NodeId]) -> Option<RequestStop> {
    let latest = p.looks.iter().rev().find(|l| fitting.contains(&l.node))?;
    match &latest.fate {
        PassResult::BehindOwn(key, failed) => Some(own_before(p.names, p.w.app, latest.node, *key, failed)),
        PassResult::Stopped(_)
        | PassResult::Given(_)
        | PassResult::Behind { .. }
        | PassResult::Refused(_)
        | PassResult::Served(_)
        | PassResult::Held(_)
        | PassResult::NoTurn => None,
    }
}

/// Returns the stop by another application whose proposal is refused at the commit, which ends the look.
fn refused_before(p: &TurnInputs<'_>, fitting: &[NodeId]) -> Option<RequestStop> {
    let (node, app, why) = p.looks.iter().rev().find_map(|l| match &l.fate {
        PassResult::Served(served) if fitting.contains(&l.node) => Some((l.node, served.app, served.refused.as_ref()?)),
        _ => None,
    })?;
    let sentence =
        say::refused_before(p.names.app(app), p.names.node(node), &verdicts::failure(p.names, why, About::App(app)));
    Some(RequestStop { holders: vec![app], ..RequestStop::new(StoppedBy::App(app), sentence) })
}
