//! The complete record of a run, for checking whether something was recorded.

use heddle_core::check::{About, Checked, Figures};
use heddle_core::journal::{Change, Entry, Finding, Full, OfferResult, Processing};
use heddle_core::model::{
    AppId, ContainerId, EndCause, Millis, NodeId, PartitionId, PreemptedFor, QueueId, RequestKey, Selector,
};
use heddle_core::sim::Simulation;
use heddle_player::Player;
use std::sync::Arc;

/// A failed check, with the offer in which it failed.
#[derive(Clone, Debug)]
pub struct Failed {
    pub at: Millis,
    pub offer: usize,
    pub checked: Checked,
}

/// An offer of a node.
#[derive(Clone, Debug)]
pub struct Offered {
    pub at: Millis,
    pub node: NodeId,
    pub partition: PartitionId,
    /// Whether entries about requests that borrow have begun.
    pub lent: bool,
    /// The result of the offer.
    pub result: Option<OfferResult>,
    /// The check that ended the node's turn after it.
    pub turn_over: Option<Checked>,
}

/// An allocated container, or a reservation.
#[derive(Clone, Copy, Debug)]
pub struct Given {
    pub at: Millis,
    pub app: AppId,
    pub key: RequestKey,
    pub node: NodeId,
}

/// A container that ended.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    pub at: Millis,
    pub app: AppId,
    pub am: bool,
    pub node: NodeId,
    pub why: EndCause,
    pub exit_code: i32,
}

/// A run beside the player, with everything recorded.
pub struct Tape {
    sim: Simulation,
    full: Full,
    pub offers: Vec<Offered>,
    pub failed: Vec<Failed>,
    pub given: Vec<Given>,
    /// Refused commits.
    pub refused: Vec<(AppId, NodeId)>,
    /// Applications that were held back: how many ran, and how many may.
    pub held: Vec<(AppId, i64, i64)>,
    /// Applications that got no answer because of an exception.
    pub unanswered: Vec<AppId>,
    /// Applications with requests that the placement processor rejected.
    pub rejected: Vec<(Millis, AppId)>,
    /// Searches for starved applications: when, for which, and the earliest next time.
    pub starved: Vec<(Millis, AppId, Millis)>,
    /// The last time at which a node came, went, or changed.
    pub nodes_changed: Millis,
    /// Reservations, made or kept.
    pub reserved: Vec<Given>,
    /// Containers that preemption rounds took for other queues.
    pub taken: Vec<Taken>,
    /// Containers that ended.
    pub ended: Vec<Ended>,
    /// Applications that were moved into a queue.
    pub moved: Vec<(Millis, AppId, QueueId)>,
    /// The AMs' containers.
    masters: Vec<ContainerId>,
}

/// A container preempted from an application, on a node.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    pub at: Millis,
    pub app: AppId,
    pub node: NodeId,
}

impl Tape {
    pub fn of(player: &Player) -> Option<Tape> {
        let sim = Simulation::new(Arc::new(player.scenario().clone())).ok()?;
        let (offers, failed, given, refused, held, starved, rejected, unanswered, nodes_changed, reserved, taken) =
            Default::default();
        let (ended, masters, moved) = Default::default();
        Some(Tape {
            sim,
            full: Full::default(),
            offers,
            failed,
            given,
            refused,
            held,
            starved,
            rejected,
            unanswered,
            nodes_changed,
            reserved,
            taken,
            ended,
            moved,
            masters,
        })
    }

    /// Plays and records everything up to a moment.
    pub fn play_to(&mut self, ms: Millis) {
        while self.sim.next_at().is_some_and(|next| next <= ms) && self.sim.step(&mut self.full).is_some() {}
        for (at, entry) in &self.full.entries {
            let offer = self.offers.len().saturating_sub(1);
            let mut fail = |checked: Checked| self.failed.push(Failed { at: *at, offer, checked });
            match entry {
                Entry::Found(Finding::Offer { node, partition, .. }) => self.offers.push(Offered {
                    at: *at,
                    node: *node,
                    partition: *partition,
                    lent: false,
                    result: None,
                    turn_over: None,
                }),
                Entry::Found(Finding::IgnoreExclusivity) => {
                    if let Some(last) = self.offers.last().cloned() {
                        self.offers.push(Offered { lent: true, ..last });
                    }
                }
                Entry::Found(Finding::OfferOver { result }) => {
                    if let Some(last) = self.offers.last_mut() {
                        last.result = Some(*result);
                    }
                }
                Entry::Changed(Change::Unanswered { app }) => self.unanswered.push(*app),
                Entry::Found(Finding::TurnOver { by }) => {
                    if let Some(last) = self.offers.last_mut() {
                        last.turn_over = Some(by.clone());
                    }
                }
                Entry::Found(Finding::Checked(checked)) if checked.fails() => fail(checked.clone()),
                Entry::Changed(
                    Change::NodeAdded { .. }
                    | Change::NodeRemoved { .. }
                    | Change::NodeResized { .. }
                    | Change::NodeRelabelled { .. },
                ) => self.nodes_changed = *at,
                Entry::Changed(Change::CommitRefused { app, key, node, why, .. }) => {
                    self.refused.push((*app, *node));
                    fail(why.clone().about(About::Request(*app, *key)));
                }
                Entry::Changed(Change::Moved { app, to, .. }) => self.moved.push((*at, *app, *to)),
                Entry::Processed(Processing::Rejected { app, .. }) => self.rejected.push((*at, *app)),
                Entry::Changed(Change::Starved { app, next_check, .. }) => self.starved.push((*at, *app, *next_check)),
                Entry::Changed(Change::NotRunnable { app, why }) => {
                    self.held.extend(why.figures.as_count().map(|(running, most)| (*app, running, most)));
                }
                Entry::Changed(Change::NotActivated { app, why, .. }) => fail(why.clone().about(About::App(*app))),
                Entry::Changed(Change::Preempted {
                    container, node, what_for: PreemptedFor::Round { by, .. }, ..
                }) if *by != Selector::IntraQueue => {
                    self.taken.push(Taken { at: *at, app: container.app, node: *node });
                }
                Entry::Changed(Change::Completed { container, node, exit_code, why, .. }) => self.ended.push(Ended {
                    at: *at,
                    app: container.app,
                    am: self.masters.contains(container),
                    node: *node,
                    why: *why,
                    exit_code: *exit_code,
                }),
                Entry::Changed(Change::Allocated { container, key, node, am, .. }) => {
                    self.masters.extend(am.then_some(*container));
                    self.given.push(Given { at: *at, app: container.app, key: *key, node: *node });
                }
                Entry::Found(Finding::Leave { about: About::OnNode(app, key, node), end }) if end.gives() => {
                    self.reserved.push(Given { at: *at, app: *app, key: *key, node: *node });
                }
                _ => {}
            }
        }
        self.full.entries.clear();
    }

    /// Returns the partition of a node.
    pub fn partition(&self, node: NodeId) -> Option<PartitionId> {
        self.sim.rm().node(node).map(|n| n.partition)
    }

    /// Returns whether an application got a container or a reservation on a node at a time.
    pub fn gave(&self, at: Millis, app: AppId, on: impl Fn(NodeId) -> bool) -> bool {
        self.given.iter().chain(&self.reserved).any(|g| g.at == at && g.app == app && on(g.node))
    }

    /// Returns the requests by which it got them.
    pub fn given_to(&self, at: Millis, app: AppId, on: impl Fn(NodeId) -> bool) -> Vec<RequestKey> {
        let here = self.given.iter().chain(&self.reserved).filter(|g| g.at == at && g.app == app && on(g.node));
        here.map(|g| g.key).collect()
    }

    /// Returns the failed checks that compared amounts.
    pub fn amounts(&self) -> impl Iterator<Item = (&Failed, &heddle_core::check::Amounts)> {
        self.failed.iter().rev().filter_map(|f| match &f.checked.figures {
            Figures::Amounts(a) => Some((f, a)),
            _ => None,
        })
    }
}
