//! An application whose calls are written out one by one: the wire itself, for experiments and for cases from
//! other tools. It launches whatever it is granted and asks for nothing again.

use super::{Act, ApplicationMaster, AskLog, Progress};
use crate::model::{Millis, RequestKey};
use crate::rm::{AllocateCall, AllocateResponse};
use serde::{Deserialize, Serialize};

/// One call and when it is made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RawCall {
    /// Travels with the first heartbeat at or after this time, counted from registration.
    pub after_ms: Millis,
    /// The call.
    pub call: AllocateCall,
}

/// A master that says what it was told to say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Raw {
    calls: Vec<RawCall>,
    run_ms: Option<Millis>,
    heartbeat_ms: Millis,
    next: usize,
    registered_at: Option<Millis>,
    alive: i64,
    outstanding: i64,
    log: AskLog,
    progress: Progress,
    over: bool,
}

impl Raw {
    /// These calls, in order; each container granted works for `run_ms` (`None`: until it is ended).
    pub fn new(mut calls: Vec<RawCall>, run_ms: Option<Millis>, heartbeat_ms: Millis) -> Self {
        calls.sort_by_key(|c| c.after_ms);
        Raw {
            calls,
            run_ms,
            heartbeat_ms: heartbeat_ms.max(1),
            next: 0,
            registered_at: None,
            alive: 0,
            outstanding: 0,
            log: AskLog::default(),
            progress: Progress::default(),
            over: false,
        }
    }

    fn ready(&self, now: Millis) -> bool {
        let start = self.registered_at.unwrap_or(now);
        self.calls.get(self.next).is_some_and(|c| start.saturating_add(c.after_ms) <= now)
    }
}

impl ApplicationMaster for Raw {
    fn first_heartbeat_ms(&self) -> Millis {
        0
    }

    fn heartbeat_ms(&self) -> Millis {
        self.heartbeat_ms
    }

    fn call(&mut self, now: Millis) -> AllocateCall {
        self.registered_at.get_or_insert(now);
        let mut call = AllocateCall::default();
        while self.ready(now) {
            let next = self.calls[self.next].call.clone();
            self.next += 1;
            call.asks.extend(next.asks);
            call.releases.extend(next.releases);
            call.blacklist_add.extend(next.blacklist_add);
            call.blacklist_remove.extend(next.blacklist_remove);
            call.scheduling.extend(next.scheduling);
        }
        for row in call.asks.iter().filter(|r| r.place == "*") {
            let key = RequestKey { priority: row.priority, allocation_request_id: row.allocation_request_id };
            self.log.add(now, key, row.count);
            self.progress.asked += row.count.max(0);
            self.outstanding += row.count.max(0);
        }
        for ask in &call.scheduling {
            let key = RequestKey { priority: ask.priority, allocation_request_id: ask.allocation_request_id };
            self.log.add(now, key, ask.count);
            self.progress.asked += ask.count.max(0);
            self.outstanding += ask.count.max(0);
        }
        call
    }

    fn refused(&mut self, _now: Millis) {}

    fn answer(&mut self, _now: Millis, answer: &AllocateResponse) -> Vec<Act> {
        let mut acts = Vec::new();
        if self.over {
            return acts;
        }
        for c in &answer.completed {
            self.alive -= 1;
            match c.exit_code {
                0 => self.progress.done += 1,
                _ => self.progress.failed += 1,
            }
        }
        for grant in super::to_launch(answer) {
            self.alive += 1;
            self.outstanding -= 1;
            acts.push(Act::Launch { container: grant.id, run_ms: self.run_ms, exit_code: 0 });
        }
        self.progress.rejected += answer.rejected.iter().map(|r| r.count).sum::<i64>();
        let settled = self.outstanding <= self.progress.rejected && self.alive <= 0;
        if self.next == self.calls.len() && self.run_ms.is_some() && settled {
            self.over = true;
            acts.push(Act::Unregister { succeeded: self.progress.failed == 0 });
        }
        acts
    }

    fn is_quiet(&self) -> bool {
        let settled = self.outstanding <= self.progress.rejected && self.alive <= 0;
        let finishing = self.next == self.calls.len() && self.run_ms.is_some() && settled;
        self.over || self.registered_at.is_some() && !finishing
    }

    fn wakes_at(&self) -> Option<Millis> {
        let next = self.calls.get(self.next)?;
        Some(self.registered_at?.saturating_add(next.after_ms))
    }

    fn progress(&self) -> Progress {
        self.progress
    }

    fn asks(&self) -> &AskLog {
        &self.log
    }
}
