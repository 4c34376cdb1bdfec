//! A batch application: groups of tasks, each task one container for a while.
//!
//! Source of the behaviour: the common part of MapReduce's RMContainerAllocator (lifecycles-and-timing.md 6.1). The first
//! heartbeat comes one interval after registration. Every group is asked for in full as soon as the groups it waits for are
//! done. Counts are absolute; containers that were not asked for are released. Failed and lost tasks are asked for again; four
//! failures of one task fail the application. It unregisters at the heartbeat that reports the last task's end. When the
//! scheduler asks for containers back, the master follows its [`AmPreemptionPolicy`]; preempted tasks, and tasks stopped by the
//! policy, are asked for again and do not count as failures. A checkpoint takes no time. Not modelled: slow start and ramp-up
//! of reduces, reduce preemption, speculative execution, blacklisting of nodes, dropping locality of a failed task.

use crate::api::{AllocateCall, AllocateResponse, AmPreemptionPolicy, AskPlace, AskRow, PreemptionMessage};
use crate::journal::{GiveUp, MasterAct};
use crate::model::{ContainerId, Millis, RequestKey, Resource};
use crate::strategy::asked_back::{Working, to_stop};
use crate::strategy::{AmAction, ApplicationMaster, AskLog, Progress, Turn, exit};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

/// `mapreduce.map.maxattempts`: the failures of one task that fail the application.
const MAX_TASK_FAILURES: u32 = 4;

/// Identical tasks.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct TaskGroup {
    pub count: i64,
    /// The size of each task's container.
    pub size: Resource,
    /// The priority; a lower number is more urgent.
    pub priority: i32,
    /// The allocation request id; −1 for none. Groups of one priority need different ids: YARN keeps one size per key.
    pub allocation_request_id: i64,
    /// How long each task works; `None`: forever.
    pub run_ms: Option<Millis>,
    /// Rows besides `*`, in the order in which they are sent: hosts and racks.
    pub places: Vec<AskPlace>,
    /// relaxLocality of the `*` row.
    pub relax: bool,
    pub label: Option<String>,
    /// The groups (by number) that must be done before this one is asked for.
    pub after: Vec<usize>,
    /// The delay after that, or after registration.
    pub delay: Millis,
}

impl TaskGroup {
    /// Returns the key that its containers are asked for under.
    pub fn key(&self) -> RequestKey {
        RequestKey { priority: self.priority, allocation_request_id: self.allocation_request_id }
    }
}

/// A task that is requested, running, or over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Task {
    number: i64,
    failures: u32,
    /// The work of its earlier containers that is kept.
    kept: Millis,
}

/// A task in a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Running {
    group: usize,
    task: Task,
    /// The time at which its container was launched.
    since: Millis,
    /// The work that is kept; set while the task is being stopped for preemption.
    stopping: Option<Millis>,
}

/// Requested tasks without a container, in the order of the requests: first those that never ran.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
struct Wanted {
    /// The numbers of the tasks that never ran.
    fresh: Range<i64>,
    again: VecDeque<Task>,
}

impl Wanted {
    fn len(&self) -> i64 {
        self.fresh.end - self.fresh.start + self.again.len() as i64
    }

    fn take(&mut self) -> Option<Task> {
        self.fresh.next().map(|number| Task { number, ..Task::default() }).or_else(|| self.again.pop_front())
    }
}

#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
struct GroupState {
    started: bool,
    /// The time from which it may be asked for, once that is known.
    ready_at: Option<Millis>,
    wanted: Wanted,
    done: i64,
    /// Whether its rows have to be sent.
    dirty: bool,
    /// How many tasks were requested since the rows were last sent, whether for the first time or again.
    fresh: i64,
}

/// The master of a batch application.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Batch {
    groups: Vec<TaskGroup>,
    heartbeat_ms: Millis,
    state: Vec<GroupState>,
    running: BTreeMap<ContainerId, Running>,
    policy: AmPreemptionPolicy,
    /// The time from the launch of a container to the start of its work.
    launch_ms: Millis,
    releases: Vec<ContainerId>,
    asks: AskLog,
    progress: Progress,
    over: bool,
    failed: bool,
}

impl Batch {
    /// Creates a master of these groups that calls every `heartbeat_ms`.
    pub fn new(groups: Vec<TaskGroup>, heartbeat_ms: Millis) -> Self {
        Batch {
            state: vec![GroupState::default(); groups.len()],
            groups,
            heartbeat_ms: heartbeat_ms.max(1),
            running: BTreeMap::new(),
            policy: AmPreemptionPolicy::None,
            launch_ms: 0,
            releases: Vec::new(),
            asks: AskLog::default(),
            progress: Progress::default(),
            over: false,
            failed: false,
        }
    }

    /// Sets what the master does when containers are asked back. `launch_ms`: the time from a launch to the start of the work.
    pub fn asked_back(mut self, policy: AmPreemptionPolicy, launch_ms: Millis) -> Self {
        (self.policy, self.launch_ms) = (policy, launch_ms.max(0));
        self
    }

    /// Returns the remaining work of a task.
    fn left(&self, group: usize, task: Task) -> Option<Millis> {
        self.groups[group].run_ms.map(|ms| ms.saturating_sub(task.kept).max(0))
    }

    fn group_done(&self, g: usize) -> bool {
        match (self.state.get(g), self.groups.get(g)) {
            (Some(state), Some(group)) => state.started && state.done >= group.count,
            _ => true,
        }
    }

    fn start_ready_groups(&mut self, now: Millis) {
        for g in 0..self.groups.len() {
            let group = &self.groups[g];
            let free = group.after.iter().all(|before| *before == g || self.group_done(*before));
            if free && self.state[g].ready_at.is_none() {
                self.state[g].ready_at = Some(now.saturating_add(group.delay.max(0)));
            }
            let count = group.count.max(0);
            let state = &mut self.state[g];
            if !state.started && state.ready_at.is_some_and(|at| at <= now) {
                state.started = true;
                state.wanted = Wanted { fresh: 0..count, again: VecDeque::new() };
                state.dirty = count > 0;
                state.fresh = count;
            }
        }
    }

    fn completed(&mut self, turn: &mut Turn<'_>, container: ContainerId, code: i32) {
        let Some(Running { group: g, mut task, stopping, .. }) = self.running.remove(&container) else { return };
        let state = &mut self.state[g];
        if code == 0 {
            state.done += 1;
            self.progress.done += 1;
            return;
        }
        task.kept = task.kept.saturating_add(stopping.unwrap_or(0));
        if code != exit::ABORTED && code != exit::PREEMPTED && stopping.is_none() {
            task.failures += 1;
            self.progress.failed += 1;
            if task.failures >= MAX_TASK_FAILURES {
                self.failed = true;
                let why = GiveUp::TaskFailures { failures: task.failures };
                return turn.note(|| MasterAct::GaveUp { app: container.app, why });
            }
        }
        let key = self.groups[g].key();
        turn.note(|| MasterAct::AskedAgain { lost: container, key, exit_code: code });
        state.wanted.again.push_back(task);
        state.dirty = true;
        state.fresh += 1;
    }

    fn rows(group: &TaskGroup, count: i64) -> impl Iterator<Item = AskRow> + '_ {
        let row = move |place: &str, relax: bool| AskRow {
            priority: group.priority,
            place: place.to_string(),
            size: group.size,
            count,
            relax,
            label: group.label.clone(),
            allocation_request_id: group.allocation_request_id,
        };
        let places = group.places.iter().map(move |p| row(&p.name, p.relax));
        places.chain(std::iter::once(row("*", group.relax)))
    }
}

impl ApplicationMaster for Batch {
    fn first_heartbeat_ms(&self) -> Millis {
        self.heartbeat_ms
    }

    fn heartbeat_ms(&self) -> Millis {
        self.heartbeat_ms
    }

    /// Starts the groups that wait for nothing: their delay counts from registration.
    fn registered(&mut self, turn: &mut Turn<'_>) {
        self.start_ready_groups(turn.now);
    }

    fn call(&mut self, turn: &mut Turn<'_>) -> AllocateCall {
        let now = turn.now;
        let mut call = AllocateCall { releases: std::mem::take(&mut self.releases), ..AllocateCall::default() };
        if self.over {
            return call;
        }
        self.start_ready_groups(now);
        for (group, state) in self.groups.iter().zip(&mut self.state) {
            if std::mem::take(&mut state.dirty) {
                call.asks.extend(Self::rows(group, state.wanted.len()));
                self.asks.add(now, group.key(), state.fresh);
                self.progress.asked += std::mem::take(&mut state.fresh);
            }
        }
        call
    }

    fn refused(&mut self, turn: &mut Turn<'_>) {
        // A task that the cluster does not allow kills the job (6.1, "a task larger than the maximum").
        self.failed = true;
        let app = turn.attempt.app;
        turn.note(|| MasterAct::GaveUp { app, why: GiveUp::CallRefused });
    }

    fn preemption_message(&mut self, turn: &mut Turn<'_>, message: &PreemptionMessage) {
        if self.over {
            return;
        }
        let (mut working, mut stopping) = (Vec::new(), Resource::ZERO);
        for (id, run) in &self.running {
            let size = self.groups[run.group].size;
            match run.stopping {
                Some(_) => stopping += size,
                None => {
                    let most = self.left(run.group, run.task).unwrap_or(Millis::MAX);
                    let worked = turn.now.saturating_sub(run.since).saturating_sub(self.launch_ms);
                    working.push(Working { id: *id, size, worked: worked.clamp(0, most) });
                }
            }
        }
        let keeps = self.policy == AmPreemptionPolicy::Checkpoint;
        for Working { id, worked, .. } in to_stop(self.policy, message, &working, stopping) {
            if let Some(run) = self.running.get_mut(&id) {
                run.stopping = Some(if keeps { worked } else { 0 });
            }
            let asked = message.containers().any(|c| c == id);
            turn.note(|| MasterAct::GaveBack { container: id, asked, worked, keeps });
            turn.act(AmAction::GiveBack { container: id, keeps });
        }
    }

    fn answer(&mut self, turn: &mut Turn<'_>, answer: &AllocateResponse) {
        if self.over {
            return;
        }
        for c in &answer.completed {
            self.completed(turn, c.id, c.exit_code);
        }
        for grant in crate::strategy::to_launch(answer) {
            let key = grant.key();
            let group =
                (0..self.groups.len()).find(|g| self.groups[*g].key() == key && self.state[*g].wanted.len() > 0);
            let again = group.is_some_and(|g| self.state[g].wanted.fresh.is_empty());
            let task = group.and_then(|g| Some((g, self.state[g].wanted.take()?)));
            let Some((g, task)) = task else {
                self.releases.push(grant.id);
                turn.note(|| MasterAct::Surplus { container: grant.id });
                continue;
            };
            self.progress.resumed += i64::from(again && task.kept > 0);
            self.progress.begun_again += i64::from(again && task.kept == 0);
            self.running.insert(grant.id, Running { group: g, task, since: turn.now, stopping: None });
            turn.act(AmAction::Launch { container: grant.id, run_ms: self.left(g, task), exit_code: 0 });
        }
        self.start_ready_groups(turn.now);
        if self.failed || (0..self.groups.len()).all(|g| self.group_done(g)) {
            self.over = true;
            turn.act(AmAction::Unregister { succeeded: !self.failed });
        }
    }

    fn is_quiet(&self) -> bool {
        // An application without tasks ends at its first heartbeat; a failed one at its next.
        let finishing = self.failed || (0..self.groups.len()).all(|g| self.group_done(g));
        self.over || !finishing && self.releases.is_empty() && self.state.iter().all(|s| !s.dirty)
    }

    fn wakes_at(&self) -> Option<Millis> {
        self.state.iter().filter(|s| !s.started).filter_map(|s| s.ready_at).min()
    }

    fn progress(&self) -> Progress {
        self.progress
    }

    fn asks(&self) -> &AskLog {
        &self.asks
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{Completed, Granted};
    use crate::model::{AppId, NodeId};
    use crate::strategy::testing::Desk;

    fn group(count: i64, priority: i32) -> TaskGroup {
        TaskGroup {
            count,
            size: Resource::new(1024, 1),
            priority,
            allocation_request_id: -1,
            run_ms: Some(10_000),
            relax: true,
            ..TaskGroup::default()
        }
    }

    fn id(seq: u64) -> ContainerId {
        ContainerId { app: AppId(0), attempt: 1, seq }
    }

    fn grant(seq: u64, priority: i32) -> Granted {
        Granted {
            id: id(seq),
            node: NodeId(0),
            size: Resource::new(1024, 1),
            priority,
            allocation_request_id: -1,
            tags: vec![],
        }
    }

    fn done(seq: u64, exit_code: i32) -> Completed {
        Completed { id: id(seq), exit_code, diagnostics: String::new() }
    }

    #[test]
    fn asks_in_full_releases_surplus_and_asks_again_for_what_was_lost() {
        let (mut am, mut desk) = (Batch::new(vec![group(2, 20)], 1000), Desk::default());
        am.registered(&mut desk.at(0));
        assert_eq!(am.first_heartbeat_ms(), 1000, "it sleeps first");
        let call = am.call(&mut desk.at(0));
        assert_eq!(call.asks.len(), 1);
        assert_eq!((call.asks[0].count, call.asks[0].place.as_str()), (2, "*"));
        assert!(am.call(&mut desk.at(1000)).asks.is_empty(), "sent once");

        let answer = AllocateResponse {
            allocated: vec![grant(2, 20), grant(3, 20), grant(4, 20)],
            ..AllocateResponse::default()
        };
        let acts = desk.answer(&mut am, 1000, &answer);
        assert_eq!(acts.len(), 2, "{acts:?}");
        assert_eq!(desk.entries(), [MasterAct::Surplus { container: id(4) }.into()]);
        assert_eq!(am.call(&mut desk.at(2000)).releases, [id(4)], "nobody asked for a third");

        let answer = AllocateResponse { completed: vec![done(2, 0), done(3, -100)], ..AllocateResponse::default() };
        assert!(desk.answer(&mut am, 3000, &answer).is_empty());
        let key = RequestKey { priority: 20, allocation_request_id: -1 };
        assert_eq!(desk.entries(), [MasterAct::AskedAgain { lost: id(3), key, exit_code: -100 }.into()]);
        assert_eq!(am.call(&mut desk.at(4000)).asks[0].count, 1, "the lost one again");
        let answer = AllocateResponse { allocated: vec![grant(5, 20)], ..AllocateResponse::default() };
        desk.answer(&mut am, 5000, &answer);
        let answer = AllocateResponse { completed: vec![done(5, 0)], ..AllocateResponse::default() };
        assert_eq!(desk.answer(&mut am, 6000, &answer), [AmAction::Unregister { succeeded: true }]);
        assert_eq!(am.progress(), Progress { asked: 3, done: 2, begun_again: 1, ..Progress::default() });
    }

    #[test]
    fn a_later_group_is_asked_for_when_the_earlier_one_is_done() {
        let (mut am, mut desk) =
            (Batch::new(vec![group(1, 20), TaskGroup { after: vec![0], ..group(1, 10) }], 1000), Desk::default());
        am.registered(&mut desk.at(0));
        assert_eq!(am.call(&mut desk.at(0)).asks.len(), 1);
        desk.answer(&mut am, 0, &AllocateResponse { allocated: vec![grant(2, 20)], ..AllocateResponse::default() });
        assert!(am.is_quiet());
        desk.answer(&mut am, 1000, &AllocateResponse { completed: vec![done(2, 0)], ..AllocateResponse::default() });
        let call = am.call(&mut desk.at(2000));
        assert_eq!(call.asks[0].priority, 10);
    }

    #[test]
    fn four_failures_of_one_task_fail_the_application() {
        let (mut am, mut desk) = (Batch::new(vec![group(1, 20)], 1000), Desk::default());
        am.registered(&mut desk.at(0));
        for k in 0..4 {
            assert_eq!(am.call(&mut desk.at(0)).asks.len(), 1);
            desk.answer(
                &mut am,
                0,
                &AllocateResponse { allocated: vec![grant(k + 2, 20)], ..AllocateResponse::default() },
            );
            let ended = AllocateResponse { completed: vec![done(k + 2, 1)], ..AllocateResponse::default() };
            let acts = desk.answer(&mut am, 0, &ended);
            assert_eq!(acts.is_empty(), k < 3);
        }
        let why = GiveUp::TaskFailures { failures: 4 };
        assert_eq!(desk.entries().last(), Some(&MasterAct::GaveUp { app: AppId(0), why }.into()));
    }
}
