//! YARN's distributed shell: N containers, each of which runs one command.
//!
//! Source of the behaviour: ApplicationMaster of hadoop-yarn-applications-distributedshell, as read in 3.3.0
//! (lifecycles-and-timing.md 6.2, placement-constraints.md 3.5). The first heartbeat comes immediately after registration; the
//! asks are added just after it and are sent with the second. With a placement spec each container has its own allocation
//! request id. Lost containers are then not replaced; a rejected request is sent again, and the tenth rejection in all ends the
//! run. Not modelled: keeping containers across attempts, promotion of containers.

use crate::api::{AllocateCall, AllocateResponse, AskRow, SchedulingAsk};
use crate::journal::{GiveUp, MasterAct};
use crate::model::{ContainerId, Millis, RequestKey, Resource, SortedMap};
use crate::strategy::{AmAction, ApplicationMaster, AskLog, Progress, Turn, exit};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The total of rejections at which it gives up.
const MAX_REJECTIONS: i64 = 10;

/// The requests that a shell makes of its spec, and the name of each.
#[derive(Debug, PartialEq, Default)]
pub struct SpecAsks {
    asks: Vec<SchedulingAsk>,
    places: BTreeMap<RequestKey, usize>,
    /// For each request: its number among the requests with the same tags.
    numbers: Vec<usize>,
    /// Whether the requests have different tags.
    several: bool,
}

impl SpecAsks {
    /// Creates the table of these requests.
    pub fn new(asks: Vec<SchedulingAsk>) -> Self {
        let several = asks.iter().any(|a| a.tags != asks[0].tags);
        let mut places = BTreeMap::new();
        let mut seen: BTreeMap<&[String], usize> = BTreeMap::new();
        let mut numbers = Vec::with_capacity(asks.len());
        for (i, ask) in asks.iter().enumerate() {
            places.entry(ask.key()).or_insert(i);
            let number = seen.entry(&ask.tags).or_default();
            *number += 1;
            numbers.push(*number);
        }
        SpecAsks { places, numbers, several, asks }
    }

    /// See [`ApplicationMaster::numbered`].
    pub fn numbered(&self, key: RequestKey) -> Option<(Option<String>, usize)> {
        let i = *self.places.get(&key)?;
        let tag = self.asks.get(i)?.tags.first().filter(|t| !t.is_empty() && self.several);
        Some((tag.cloned(), *self.numbers.get(i)?))
    }
}

/// The requests of the shell.
#[derive(Clone, Debug, PartialEq)]
pub enum ShellAsks {
    /// `-num_containers`: so many containers anywhere.
    Anywhere {
        count: i64,
        size: Resource,
        priority: i32,
        /// `-node_label_expression`.
        label: Option<String>,
    },
    /// `-placement_spec`: the requests made of the spec, one container each.
    Spec(Arc<SpecAsks>),
}

/// Containers of an attempt that ended before their work was done and that the shell does not ask for again.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Gone {
    /// Containers lost with their nodes (with a spec).
    pub lost: i64,
    /// Preempted containers.
    pub preempted: i64,
    /// The times at which it learned of the first and the last of the lost ones.
    pub lost_at: Option<(Millis, Millis)>,
    /// The times at which it learned of the first and the last of the preempted ones.
    pub preempted_at: Option<(Millis, Millis)>,
}

/// The master of a distributed shell.
#[derive(Clone, Debug, PartialEq)]
pub struct DistributedShell {
    asks: ShellAsks,
    run_ms: Option<Millis>,
    heartbeat_ms: Millis,
    beats: u64,
    /// Containers to ask for with the next call (without a spec).
    to_ask: i64,
    /// Requests to send with the next call (with a spec), by number in the spec.
    to_send: BTreeSet<usize>,
    /// Requested containers that have not been granted (without a spec).
    outstanding: i64,
    /// Launched containers, with the allocation request id of each.
    running: SortedMap<ContainerId, i64>,
    /// The number of launched containers: the next one gets the next number as its shell id.
    launched: u64,
    releases: Vec<ContainerId>,
    completed: i64,
    ignored: i64,
    /// Containers that ended before their work was done and that are not asked for again.
    gone: Gone,
    log: AskLog,
    progress: Progress,
    over: bool,
}

impl DistributedShell {
    /// Returns the ids of the shells that it launched, in order (`YARN_SHELL_ID`).
    pub fn shell_ids(&self) -> impl Iterator<Item = u64> {
        1..=self.launched
    }

    /// Returns the number of allocated containers that were not lost (numAllocatedContainers), and of completed ones.
    pub fn counts(&self) -> (i64, i64) {
        let allocated = match &self.asks {
            ShellAsks::Anywhere { count, .. } => count - self.outstanding - self.to_ask,
            ShellAsks::Spec(_) => self.running.len() as i64 + self.completed + self.ignored,
        };
        (allocated, self.completed)
    }

    /// Creates a shell whose command takes `run_ms` (`None`: until it is ended); it calls every `heartbeat_ms`.
    pub fn new(asks: ShellAsks, run_ms: Option<Millis>, heartbeat_ms: Millis) -> Self {
        let to_ask = if let ShellAsks::Anywhere { count, .. } = &asks { (*count).max(0) } else { 0 };
        let to_send = if let ShellAsks::Spec(spec) = &asks { (0..spec.asks.len()).collect() } else { BTreeSet::new() };
        DistributedShell {
            asks,
            run_ms,
            heartbeat_ms: heartbeat_ms.max(1),
            beats: 0,
            to_ask,
            to_send,
            outstanding: 0,
            running: SortedMap::default(),
            launched: 0,
            releases: Vec::new(),
            completed: 0,
            ignored: 0,
            gone: Gone::default(),
            log: AskLog::default(),
            progress: Progress::default(),
            over: false,
        }
    }

    /// Returns the rejected requests that are sent again with the next call.
    pub fn unsent(&self) -> impl Iterator<Item = &SchedulingAsk> {
        let spec = if let ShellAsks::Spec(spec) = &self.asks { Some(spec) } else { None };
        let again = self.to_send.iter().filter_map(move |i| spec?.asks.get(*i));
        again.filter(|ask| self.log.since(ask.key(), ask.count).is_some())
    }

    /// Returns the containers that ended before their work was done and that are not asked for again.
    pub fn gone(&self) -> Gone {
        self.gone
    }

    /// Returns the number of containers whose end it waits for.
    fn total(&self) -> i64 {
        match &self.asks {
            ShellAsks::Anywhere { count, .. } => (*count).max(0),
            ShellAsks::Spec(spec) => spec.asks.len() as i64,
        }
    }

    /// Returns the key of its requests without a spec.
    fn key(&self) -> RequestKey {
        let priority = if let ShellAsks::Anywhere { priority, .. } = &self.asks { *priority } else { 0 };
        RequestKey { priority, allocation_request_id: 0 }
    }

    fn rows(&mut self, now: Millis, call: &mut AllocateCall) {
        match &self.asks {
            ShellAsks::Anywhere { size, priority, label, .. } => {
                if self.to_ask == 0 {
                    return;
                }
                self.outstanding += self.to_ask;
                let key = RequestKey { priority: *priority, allocation_request_id: 0 };
                self.log.add(now, key, self.to_ask);
                self.progress.asked += std::mem::take(&mut self.to_ask);
                call.asks.push(AskRow {
                    priority: *priority,
                    place: "*".to_string(),
                    size: *size,
                    count: self.outstanding,
                    relax: true,
                    label: label.clone(),
                    allocation_request_id: 0,
                });
            }
            ShellAsks::Spec(spec) => {
                for ask in std::mem::take(&mut self.to_send).into_iter().filter_map(|i| spec.asks.get(i)) {
                    let key = ask.key();
                    // A rejected request keeps the time at which it was first sent.
                    if self.log.since(key, ask.count).is_none() {
                        self.log.add(now, key, ask.count);
                    }
                    self.progress.asked += ask.count;
                    call.scheduling.push(ask.clone());
                }
            }
        }
    }

    fn heard_completed(&mut self, turn: &mut Turn<'_>, container: ContainerId, code: i32) {
        let with_spec = matches!(self.asks, ShellAsks::Spec(_));
        // A container that it did not launch (released as surplus) does not count.
        if self.running.remove(&container).is_none() {
            return;
        }
        match code {
            0 => {
                self.completed += 1;
                self.progress.done += 1;
            }
            exit::ABORTED if with_spec => {
                self.ignored += 1;
                self.gone.lost += 1;
                self.gone.lost_at.get_or_insert((turn.now, turn.now)).1 = turn.now;
            }
            exit::ABORTED => {
                self.to_ask += 1;
                let key = self.key();
                turn.note(|| MasterAct::AskedAgain { lost: container, key, exit_code: code });
            }
            _ => {
                self.completed += 1;
                self.progress.failed += 1;
                if code == exit::PREEMPTED {
                    self.gone.preempted += 1;
                    self.gone.preempted_at.get_or_insert((turn.now, turn.now)).1 = turn.now;
                }
            }
        }
    }

    fn heard_rejected(&mut self, allocation_request_id: i64, count: i64) {
        self.progress.rejected += count;
        if let ShellAsks::Spec(spec) = &self.asks {
            // All requests have one priority.
            let priority = spec.asks.first().map_or(0, |a| a.priority);
            self.to_send.extend(spec.places.get(&RequestKey { priority, allocation_request_id }));
        }
    }
}

impl ApplicationMaster for DistributedShell {
    fn first_heartbeat_ms(&self) -> Millis {
        0
    }

    fn heartbeat_ms(&self) -> Millis {
        self.heartbeat_ms
    }

    fn call(&mut self, turn: &mut Turn<'_>) -> AllocateCall {
        let mut call = AllocateCall { releases: std::mem::take(&mut self.releases), ..AllocateCall::default() };
        self.beats += 1;
        // The first heartbeat leaves before the asks are added.
        if self.beats > 1 && !self.over {
            self.rows(turn.now, &mut call);
        }
        call
    }

    fn refused(&mut self, turn: &mut Turn<'_>) {
        let app = turn.attempt.app;
        turn.note(|| MasterAct::GaveUp { app, why: GiveUp::CallRefused });
        // The client's callback handler stops the master on an error of the ResourceManager.
        self.progress.rejected = self.progress.rejected.max(MAX_REJECTIONS);
    }

    fn answer(&mut self, turn: &mut Turn<'_>, answer: &AllocateResponse) {
        if self.over {
            return;
        }
        for c in &answer.completed {
            self.heard_completed(turn, c.id, c.exit_code);
        }
        for grant in crate::strategy::to_launch(answer) {
            let surplus = match &self.asks {
                ShellAsks::Anywhere { .. } if self.outstanding > 0 => {
                    self.outstanding -= 1;
                    false
                }
                ShellAsks::Anywhere { .. } => true,
                ShellAsks::Spec(_) => (self.running.len() as i64) + self.completed + self.ignored >= self.total(),
            };
            if surplus {
                self.releases.push(grant.id);
                turn.note(|| MasterAct::Surplus { container: grant.id });
            } else {
                self.running.insert(grant.id, grant.allocation_request_id);
                self.launched += 1;
                turn.act(AmAction::Launch { container: grant.id, run_ms: self.run_ms, exit_code: 0 });
            }
        }
        for rejected in &answer.rejected {
            self.heard_rejected(rejected.allocation_request_id, rejected.count);
        }
        let rejected = self.progress.rejected;
        let gave_up = rejected >= MAX_REJECTIONS;
        if gave_up && !answer.rejected.is_empty() {
            let app = turn.attempt.app;
            turn.note(|| MasterAct::GaveUp { app, why: GiveUp::Rejections { rejected } });
        }
        // The real master checks every 200 ms; heartbeats coincide with that.
        if self.beats > 1 && (gave_up || self.completed + self.ignored >= self.total()) {
            self.over = true;
            turn.act(AmAction::Unregister { succeeded: !gave_up && self.progress.failed == 0 });
        }
    }

    fn is_quiet(&self) -> bool {
        let finishing = self.progress.rejected >= MAX_REJECTIONS || self.completed + self.ignored >= self.total();
        let nothing_to_say = self.releases.is_empty() && self.to_ask == 0 && self.to_send.is_empty();
        self.over || self.beats > 1 && !finishing && nothing_to_say
    }

    fn progress(&self) -> Progress {
        self.progress
    }

    fn asks(&self) -> &AskLog {
        &self.log
    }

    fn spec(&self) -> Option<&Arc<SpecAsks>> {
        if let ShellAsks::Spec(spec) = &self.asks { Some(spec) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{Completed, Granted, RejectedRequest};
    use crate::model::{AppId, NodeId};
    use crate::strategy::testing::Desk;

    fn id(seq: u64) -> ContainerId {
        ContainerId { app: AppId(0), attempt: 1, seq }
    }

    fn granted(seq: u64, allocation_request_id: i64) -> AllocateResponse {
        let size = Resource::new(1024, 1);
        let grant = Granted { id: id(seq), node: NodeId(0), size, priority: 0, allocation_request_id, tags: vec![] };
        AllocateResponse { allocated: vec![grant], ..AllocateResponse::default() }
    }

    fn ended(seq: u64, exit_code: i32) -> AllocateResponse {
        let completed = vec![Completed { id: id(seq), exit_code, diagnostics: String::new() }];
        AllocateResponse { completed, ..AllocateResponse::default() }
    }

    fn anywhere(count: i64) -> DistributedShell {
        let asks = ShellAsks::Anywhere { count, size: Resource::new(1024, 1), priority: 0, label: None };
        DistributedShell::new(asks, Some(10_000), 1000)
    }

    fn spec(count: i64) -> DistributedShell {
        let ask = |id| SchedulingAsk {
            allocation_request_id: id,
            priority: 0,
            tags: vec!["zk".into()],
            count: 1,
            size: Resource::new(1024, 1),
            constraint: None,
            opportunistic: false,
        };
        DistributedShell::new(
            ShellAsks::Spec(Arc::new(SpecAsks::new((1..=count).map(ask).collect()))),
            Some(10_000),
            1000,
        )
    }

    #[test]
    fn asks_travel_with_the_second_heartbeat() {
        let (mut am, mut desk) = (anywhere(2), Desk::default());
        assert_eq!(am.first_heartbeat_ms(), 0);
        assert_eq!(am.call(&mut desk.at(0)), AllocateCall::default());
        assert!(desk.answer(&mut am, 0, &AllocateResponse::default()).is_empty());
        assert!(!am.is_quiet());
        assert_eq!(am.call(&mut desk.at(1000)).asks[0].count, 2);
        assert!(am.is_quiet());
    }

    #[test]
    fn without_a_spec_lost_containers_are_asked_for_again_and_failed_ones_are_not() {
        let (mut am, mut desk) = (anywhere(2), Desk::default());
        am.call(&mut desk.at(0));
        am.call(&mut desk.at(1000));
        desk.answer(&mut am, 2000, &granted(2, 0));
        desk.answer(&mut am, 2000, &granted(3, 0));
        desk.answer(&mut am, 3000, &ended(2, exit::ABORTED));
        assert_eq!(am.call(&mut desk.at(4000)).asks[0].count, 1);
        desk.answer(&mut am, 5000, &ended(3, exit::PREEMPTED));
        assert!(am.call(&mut desk.at(6000)).asks.is_empty());
        desk.answer(&mut am, 6000, &granted(4, 0));
        assert_eq!(desk.answer(&mut am, 7000, &ended(4, 0)), [AmAction::Unregister { succeeded: false }]);
    }

    #[test]
    fn with_a_spec_lost_containers_are_not_replaced() {
        let (mut am, mut desk) = (spec(2), Desk::default());
        am.call(&mut desk.at(0));
        assert_eq!(am.call(&mut desk.at(1000)).scheduling.len(), 2);
        desk.answer(&mut am, 2000, &granted(2, 1));
        desk.answer(&mut am, 2000, &granted(3, 2));
        desk.answer(&mut am, 3000, &ended(2, exit::ABORTED));
        assert!(am.call(&mut desk.at(4000)).scheduling.is_empty());
        assert_eq!(desk.answer(&mut am, 5000, &ended(3, 0)), [AmAction::Unregister { succeeded: true }]);
    }

    #[test]
    fn the_tenth_rejection_ends_the_run() {
        let (mut am, mut desk) = (spec(1), Desk::default());
        am.call(&mut desk.at(0));
        let rejected = AllocateResponse {
            rejected: vec![RejectedRequest {
                allocation_request_id: 1,
                count: 1,
                reason: "COULD_NOT_PLACE_ON_NODE".into(),
                placed: false,
            }],
            ..AllocateResponse::default()
        };
        for k in 1..=10 {
            assert_eq!(am.call(&mut desk.at(k * 1000)).scheduling.len(), 1, "sent again");
            assert_eq!(desk.answer(&mut am, k * 1000, &rejected).is_empty(), k < 10);
        }
        let why = GiveUp::Rejections { rejected: 10 };
        assert_eq!(desk.entries(), [MasterAct::GaveUp { app: AppId(0), why }.into()]);
    }
}
