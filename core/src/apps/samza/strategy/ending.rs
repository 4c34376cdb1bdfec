//! The starts and ends of containers (samza-host-affinity.md 10.3 and section 11).

use super::decision::{AfterFailure, AskReason, Decision, Ended, Failed, ReleaseReason, Report, SamzaException};
use super::placements::{Move, Status as ActionStatus};
use super::requests::{Allocated, RequestMode, Wish};
use super::{Failure, Samza, Status};
use crate::model::{ContainerId, Millis};
use crate::strategy::exit;
use std::collections::{BTreeMap, BTreeSet};

/// The exit status for failed disks of the node.
const DISKS_FAILED: i32 = -101;

/// Returns the processor that runs, or is to run, in a container.
fn processor_of(of: &BTreeMap<String, Allocated>, container: ContainerId) -> Option<(String, Allocated)> {
    of.iter().find(|(_, x)| x.container == container).map(|(p, x)| (p.clone(), x.clone()))
}

impl Samza {
    /// Handles a NodeManager's confirmation of a start.
    pub(super) fn started(&mut self, container: ContainerId, report: &mut Report) {
        let Some((p, x)) = processor_of(&self.pending, container) else { return };
        self.pending.remove(&p);
        let text =
            format!("Successfully completed the container placement action started container on host {}", x.host);
        self.running.insert(p.clone(), x);
        self.counters.needed -= 1;
        if self.counters.needed == 0 {
            self.healthy = true;
        }
        report.decisions.push(Decision::Started { processor: p.clone(), container, needed: self.counters.needed });
        if self.action(&p).is_some() {
            self.set_move(&p, Move::Running);
            self.set_action(&p, ActionStatus::Succeeded, text, report);
        }
    }

    /// Handles a NodeManager's failure to start a container.
    pub(super) fn launch_failed(
        &mut self,
        now: Millis,
        container: ContainerId,
        host: &str,
        report: &mut Report,
    ) -> Result<(), SamzaException> {
        report.release(container, ReleaseReason::LaunchFailed);
        let Some((p, _)) = processor_of(&self.pending, container) else { return Ok(()) };
        if self.action(&p).is_some() {
            self.action_launch_failed(now, &p, host, report);
        } else if self.settings.standby() {
            self.standby_launch_failed(now, &p, container, report)?;
        } else {
            self.ask(now, &p, Wish::AnyHost, AskReason::LaunchFailed(container), report);
        }
        Ok(())
    }

    /// Handles a NodeManager's failure to stop a container.
    pub(super) fn stop_failed(
        &mut self,
        now: Millis,
        container: ContainerId,
        report: &mut Report,
    ) -> Result<(), SamzaException> {
        let Some((p, _)) = processor_of(&self.running, container) else { return Ok(()) };
        if self.action(&p).is_some() {
            self.set_move(&p, Move::StopFailed);
            Ok(())
        } else if self.settings.standby() {
            self.standby_stop_failed(now, &p, container, report)
        } else {
            Ok(())
        }
    }

    /// Handles YARN's report that a container ended.
    pub(super) fn completed(
        &mut self,
        now: Millis,
        container: ContainerId,
        exit: i32,
        report: &mut Report,
    ) -> Result<(), SamzaException> {
        let told =
            |processor: Option<&String>, how| Decision::Ended { container, processor: processor.cloned(), exit, how };
        let Some((p, _)) = processor_of(&self.running, container) else {
            self.counters.redundant += 1;
            if exit != 0 {
                self.requests.forget(container);
            }
            report.decisions.push(told(None, Ended::NotRunning));
            return Ok(());
        };
        self.running.remove(&p);
        match exit {
            0 => {
                self.counters.completed += 1;
                self.failures.remove(&p);
                if self.counters.completed == self.processors {
                    self.status = Status::Succeeded;
                }
                let how = Ended::Done { completed: self.counters.completed, of: self.processors };
                report.decisions.push(told(Some(&p), how));
                Ok(())
            }
            exit::ABORTED | DISKS_FAILED | exit::PREEMPTED => {
                self.counters.released_containers += 1;
                self.counters.needed += 1;
                self.healthy = false;
                report.decisions.push(told(Some(&p), Ended::TakenAway));
                let wish = match self.mode {
                    RequestMode::Strict => Wish::AnyHost,
                    RequestMode::Relaxed => self.last_wish(&p),
                };
                self.stopped(now, &p, container, (wish, 0), AskReason::TakenAway(exit), report)
            }
            _ => {
                self.counters.failed_containers += 1;
                self.counters.needed += 1;
                self.healthy = false;
                let wish = self.last_wish(&p);
                let failed = self.failed(now, &p, exit, &wish);
                report.decisions.push(told(Some(&p), Ended::Failed(failed)));
                match failed.then {
                    AfterFailure::Retry { delay } => {
                        self.stopped(now, &p, container, (wish, delay), AskReason::Retry, report)
                    }
                    AfterFailure::JobFails | AfterFailure::GoesOn => Ok(()),
                }
            }
        }
    }

    /// Returns the host where a container should be requested, by the stream.
    pub(super) fn last_wish(&self, p: &str) -> Wish {
        match self.stream.last_host(p) {
            Some(host) if self.settings.host_affinity => Wish::of(host),
            _ => Wish::AnyHost,
        }
    }

    /// Counts a failure, and decides on a retry.
    fn failed(&mut self, now: Millis, p: &str, exit: i32, wish: &Wish) -> Failed {
        let (of, window) = (self.settings.retries, self.settings.retry_window_ms);
        let (mut count, gap) = match self.failures.get(p) {
            _ if of <= 0 => (0, 0),
            Some(f) => (f.count.saturating_add(1), now - f.at - f.delay),
            None => (1, 0),
        };
        let anew = of > 0 && gap >= window;
        if anew {
            count = 1;
        }
        let then = if of < 0 {
            AfterFailure::Retry { delay: 0 }
        } else if count > of || of == 0 {
            self.retries_used_up(p, exit)
        } else {
            let last = *wish != Wish::AnyHost && count == of;
            let delay = if last { self.settings.effective_last_retry_delay() } else { 0 };
            self.failures.insert(p.into(), Failure { count, at: now, delay });
            AfterFailure::Retry { delay }
        };
        Failed { count, of, gap, window, anew, then }
    }

    /// Ends the retries. Without retries the job ends, but its status stays as it was: YARN starts another attempt.
    fn retries_used_up(&mut self, p: &str, exit: i32) -> AfterFailure {
        if !self.settings.fail_job {
            self.given_up.insert(p.into(), exit);
            return AfterFailure::GoesOn;
        }
        self.job_failed = true;
        if self.settings.retries != 0 {
            self.status = Status::Failed;
        }
        AfterFailure::JobFails
    }

    /// Handles the stop of a container that has to run again.
    fn stopped(
        &mut self,
        now: Millis,
        p: &str,
        container: ContainerId,
        (wish, delay): (Wish, Millis),
        why: AskReason,
        report: &mut Report,
    ) -> Result<(), SamzaException> {
        if self.action(p).is_some() {
            self.set_move(p, Move::Stopped);
            return Ok(());
        }
        if self.settings.standby() {
            return self.standby_stop(now, p, container, (wish, delay), why, report);
        }
        let request = self.make(now, p, wish, delay, BTreeSet::new());
        self.issue(now, request, why, report);
        Ok(())
    }
}
