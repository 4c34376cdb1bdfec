//! An application whose calls are written out one by one: the protocol itself, for experiments and for cases from other tools.
//! It launches every container that it is granted and repeats no request.

use crate::api::{AllocateCall, AllocateResponse, AskRow};
use crate::model::{ContainerId, Millis, RequestKey, SortedMap};
use crate::strategy::{AmAction, ApplicationMaster, AskLog, Progress, Turn};
use serde::{Deserialize, Serialize};

/// A call, and the time at which it is made.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct RawCall {
    /// The time at which it is due; it is sent with the first heartbeat at or after it.
    pub at: Millis,
    /// The call, without releases.
    pub call: AllocateCall,
    /// Containers to give back, by their number in the application (0 is normally the AM).
    pub release: Vec<usize>,
    /// Whether this is the last call: the master unregisters when it is answered.
    pub unregister: bool,
    /// How long containers granted under a key work; keys not named: forever.
    pub durations: Vec<(RequestKey, Option<Millis>)>,
}

/// A master that makes the calls that it was given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Raw {
    calls: Vec<RawCall>,
    heartbeat_ms: Millis,
    next: usize,
    called: bool,
    unregister: bool,
    over: bool,
    durations: SortedMap<RequestKey, Option<Millis>>,
    got: Vec<ContainerId>,
    /// The allocation request ids of rejected requests.
    rejected: Vec<i64>,
    log: AskLog,
    progress: Progress,
}

impl Raw {
    /// Creates a master with these calls, sorted by time; `got` are the containers that the application got before, its AM's
    /// included.
    pub fn new(mut calls: Vec<RawCall>, heartbeat_ms: Millis, got: Vec<ContainerId>) -> Self {
        crate::model::order::sort_by_key(&mut calls, |c| c.at);
        Raw {
            calls,
            heartbeat_ms: heartbeat_ms.max(1),
            next: 0,
            called: false,
            unregister: false,
            over: false,
            durations: SortedMap::default(),
            got,
            rejected: Vec::new(),
            log: AskLog::default(),
            progress: Progress::default(),
        }
    }

    /// Records a row that was asked for before the run.
    pub fn has_asked(&mut self, row: &AskRow, duration: Option<Millis>) {
        let key = row.key();
        self.durations.extend([(key, duration)]);
        if row.place == "*" {
            self.asked(0, key, row.count);
        }
    }

    /// Returns when it last asked for containers at a place.
    pub fn rows_since(&self) -> Option<Millis> {
        let made = self.calls.iter().take(self.next);
        made.filter(|c| c.call.asks.iter().any(|row| row.place != "*" && row.count > 0)).map(|c| c.at).next_back()
    }

    fn asked(&mut self, now: Millis, key: RequestKey, count: i64) {
        self.log.add(now, key, count);
        self.progress.asked += count.max(0);
    }
}

impl ApplicationMaster for Raw {
    fn first_heartbeat_ms(&self) -> Millis {
        0
    }

    fn heartbeat_ms(&self) -> Millis {
        self.heartbeat_ms
    }

    fn call(&mut self, turn: &mut Turn<'_>) -> AllocateCall {
        let now = turn.now;
        self.called = true;
        let mut call = AllocateCall::default();
        while !self.over && self.calls.get(self.next).is_some_and(|c| c.at <= now) {
            let next = self.calls[self.next].clone();
            self.next += 1;
            self.durations.extend(next.durations);
            self.unregister |= next.unregister;
            call.asks.extend(next.call.asks);
            call.releases.extend(next.release.iter().filter_map(|k| self.got.get(*k)));
            call.blacklist_add.extend(next.call.blacklist_add);
            call.blacklist_remove.extend(next.call.blacklist_remove);
            call.scheduling.extend(next.call.scheduling);
        }
        for row in call.asks.iter().filter(|r| r.place == "*") {
            let key = row.key();
            self.asked(now, key, row.count);
        }
        for ask in &call.scheduling {
            let key = ask.key();
            self.asked(now, key, ask.count);
        }
        call
    }

    fn refused(&mut self, _turn: &mut Turn<'_>) {}

    fn answer(&mut self, turn: &mut Turn<'_>, answer: &AllocateResponse) {
        if self.over {
            return;
        }
        for c in &answer.completed {
            match c.exit_code {
                0 => self.progress.done += 1,
                _ => self.progress.failed += 1,
            }
        }
        self.got.extend(answer.allocated.iter().map(|g| g.id));
        for grant in crate::strategy::to_launch(answer) {
            let key = grant.key();
            let run_ms = self.durations.get(&key).copied().flatten();
            turn.act(AmAction::Launch { container: grant.id, run_ms, exit_code: 0 });
        }
        // The scheduler reports a request that it could not place at every call.
        for r in &answer.rejected {
            if !self.rejected.contains(&r.allocation_request_id) {
                self.rejected.push(r.allocation_request_id);
                self.progress.rejected += r.count;
            }
        }
        if self.unregister {
            self.over = true;
            turn.act(AmAction::Unregister { succeeded: self.progress.failed == 0 });
        }
    }

    fn is_quiet(&self) -> bool {
        self.over || self.called && !self.unregister
    }

    fn wakes_at(&self) -> Option<Millis> {
        self.calls.get(self.next).filter(|_| !self.over).map(|c| c.at)
    }

    fn progress(&self) -> Progress {
        self.progress
    }

    fn asks(&self) -> &AskLog {
        &self.log
    }
}
