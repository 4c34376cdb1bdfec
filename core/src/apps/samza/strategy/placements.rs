//! Placement actions: a message says where a container has to go, and Samza moves it by reserving, stopping and starting
//! (samza-host-affinity.md section 13).

pub use crate::apps::samza::journal::Status;

use super::decision::{AskReason, Decision, Operation, Report, SamzaException, StopReason, Unread};
use super::job::standby::{active_of, is_standby};
use super::requests::{Allocated, Request, RequestId, Wish};
use super::{ANY_HOST, Samza};
use crate::model::{ContainerId, Millis};
use std::collections::BTreeSet;

/// The target that stands for a container's current or last host.
const LAST_SEEN: &str = "LAST_SEEN";
/// The target that stops a container, and has it restarted as after a failure.
const FORCE_RESTART: &str = "FORCE_RESTART_LAST_SEEN";
/// The number of message ids that are remembered.
const REMEMBERED: usize = 20_000;
/// The period at which messages are read.
pub const READ_EVERY_MS: Millis = 5000;

/// A placement message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Its id (a UUID).
    pub id: u64,
    /// The deployment that it is for.
    pub run: String,
    /// The container.
    pub processor: String,
    /// A host, `ANY_HOST`, `LAST_SEEN` or `FORCE_RESTART_LAST_SEEN`.
    pub to: String,
    /// The age at which the request made for it expires.
    pub expiry_ms: Option<Millis>,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The status.
    pub status: Status,
    /// Samza's words.
    pub text: String,
}

/// The state of the container to be moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// It runs.
    Running,
    /// It was told to stop.
    Stopping,
    /// It could not be stopped.
    StopFailed,
    /// It has stopped.
    Stopped,
}

/// A placement action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// The message.
    pub message: Message,
    /// The container's former host.
    pub source: Option<String>,
    /// Requests made for it.
    pub requests: BTreeSet<RequestId>,
    /// The action's status.
    pub status: Status,
    /// The container's state.
    pub state: Move,
}

/// The ids seen so far; the oldest are forgotten first.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct Seen {
    order: std::collections::VecDeque<u64>,
    ids: BTreeSet<u64>,
}

impl Seen {
    fn add(&mut self, id: u64) {
        if !self.ids.insert(id) {
            return;
        }
        self.order.push_back(id);
        if self.order.len() > REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.ids.remove(&oldest);
        }
    }
}

/// Returns the name of a container in Samza's log and answers.
fn resource_text(x: &Allocated) -> String {
    let ContainerId { attempt, seq, .. } = x.container;
    format!("SamzaResource{{host='{}', containerId='container_{attempt:02}_{seq:06}'}}", x.host)
}

impl Samza {
    /// Returns the action of a container that is in progress.
    pub fn action(&self, processor: &str) -> Option<&Action> {
        self.actions.get(processor).filter(|a| matches!(a.status, Status::Accepted | Status::InProgress))
    }

    pub(super) fn set_move(&mut self, processor: &str, state: Move) {
        if let Some(action) = self.actions.get_mut(processor) {
            action.state = state;
        }
    }

    /// Returns the age at which a request expires: from its action, or else from the settings.
    pub(super) fn timeout(&self, request: RequestId) -> Millis {
        let own = self.actions.values().find(|a| a.status == Status::InProgress && a.requests.contains(&request));
        own.and_then(|a| a.message.expiry_ms).unwrap_or(self.settings.request_timeout_ms)
    }

    fn answer(&mut self, id: u64, status: Status, text: String, report: &mut Report) {
        self.stream_mut().answers.insert(id, Answer { status, text: text.clone() });
        report.decisions.push(Decision::Answered { id, status, text });
    }

    /// Sets the status of an action. Returns its message's id.
    pub(super) fn set_action(&mut self, processor: &str, status: Status, text: String, report: &mut Report) -> u64 {
        let Some(action) = self.actions.get_mut(processor) else { return 0 };
        action.status = status;
        let id = action.message.id;
        self.answer(id, status, text, report);
        id
    }

    /// Marks an action as failed.
    pub(super) fn fail_action(&mut self, processor: &str, text: String, report: &mut Report) -> u64 {
        self.counters.failed_placements += 1;
        self.set_action(processor, Status::Failed, text, report)
    }

    /// Reads the messages once; an exception ends the reading.
    pub(super) fn read_placements(&mut self, now: Millis, report: &mut Report) -> Result<(), SamzaException> {
        let messages: Vec<Message> = self.stream.placements.values().cloned().collect();
        for message in messages {
            if self.settings.run_id.as_ref() == Some(&message.run) {
                self.register(now, message, report)?;
            } else {
                self.stream_mut().withdraw(message.id);
                self.stream_mut().answers.remove(&message.id);
                report.decisions.push(Decision::NotOurs { id: message.id });
            }
        }
        Ok(())
    }

    /// Returns why a message stays unread.
    fn stays(&self, message: &Message) -> Result<Option<Unread>, SamzaException> {
        let p = &message.processor;
        let mut related = vec![p.clone()];
        if self.settings.standby() {
            if is_standby(p) {
                related.push(active_of(p).to_string());
            } else {
                related.extend(self.constraints_of(p)?.iter().cloned());
            }
        }
        if let Some(busy) = related.into_iter().find(|p| self.action(p).is_some()) {
            return Ok(Some(Unread::ActionOf(busy)));
        }
        let runs = self.running.contains_key(p) && !self.pending.contains_key(p);
        Ok((!runs && !self.given_up.contains_key(p)).then_some(Unread::NotRunning))
    }

    fn bad(&mut self, message: &Message) -> Result<Option<&'static str>, SamzaException> {
        if self.seen.ids.contains(&message.id) {
            return Ok(Some("duplicate UUID of the request, please retry"));
        }
        let clash = self.settings.standby() && self.clash(&message.processor, &message.to)?.is_some();
        Ok(clash.then_some("destination host does not meet standby constraints"))
    }

    fn register(&mut self, now: Millis, message: Message, report: &mut Report) -> Result<(), SamzaException> {
        let (id, processor) = (message.id, message.processor.clone());
        if let Some(why) = self.stays(&message)? {
            report.decisions.push(Decision::Unread { id, processor, why });
            return Ok(());
        }
        let bad = self.bad(&message)?;
        self.seen.add(id);
        self.stream_mut().withdraw(id);
        if let Some(why) = bad {
            self.answer(id, Status::BadRequest, format!("BAD_REQUEST reason: {why}"), report);
            return Ok(());
        }
        if message.to == FORCE_RESTART {
            self.stop_running(&processor, StopReason::Restart(id), report)?;
            let text = "Successfully issued a stop container request falling back to normal restart path";
            self.answer(id, Status::Succeeded, text.into(), report);
            return Ok(());
        }
        let here = self.running.get(&processor).map(|x| x.host.clone());
        let source = here.or_else(|| self.stream.hosts.get(&processor).cloned());
        let wish = match message.to.as_str() {
            _ if !self.settings.host_affinity => Wish::AnyHost,
            LAST_SEEN => Wish::known(source.as_deref()),
            host => Wish::of(host),
        };
        let state = if self.given_up.contains_key(&processor) { Move::Stopped } else { Move::Running };
        let action = Action { message, source, requests: BTreeSet::new(), status: Status::Accepted, state };
        self.actions.insert(processor.clone(), action);
        self.set_action(&processor, Status::InProgress, "Preferred Resources requested".into(), report);
        let request = self.make(now, &processor, wish, 0, BTreeSet::new());
        if let Some(action) = self.actions.get_mut(&processor) {
            action.requests.insert(request.id);
        }
        self.issue(now, request, AskReason::Placement(id), report);
        Ok(())
    }

    pub(super) fn stop_running(
        &mut self,
        processor: &str,
        why: StopReason,
        report: &mut Report,
    ) -> Result<(), SamzaException> {
        let x = self.running.get(processor).ok_or_else(|| SamzaException::NothingToStop(processor.into()))?;
        report.operations.push(Operation::Stop(x.container));
        let processor = processor.to_string();
        report.decisions.push(Decision::Stopping { container: x.container, processor, why });
        Ok(())
    }

    /// Offers a container to the action of a request. `Some`: the action decides; `false` ends the tick.
    pub(super) fn offer_to_action(
        &mut self,
        now: Millis,
        r: &Request,
        at: &Wish,
        x: &Allocated,
        report: &mut Report,
    ) -> Result<Option<bool>, SamzaException> {
        let p = &r.processor;
        let Some(action) = self.action(p) else { return Ok(None) };
        let (id, source) = (action.message.id, action.source.clone());
        match action.state {
            Move::Running if self.running.contains_key(p) => {
                self.set_move(p, Move::Stopping);
                self.set_action(p, Status::InProgress, "Active container stop in progress".into(), report);
                self.stop_running(p, StopReason::Moves(id), report)?;
                self.waits_for_stop(r, id, report);
                Ok(Some(false))
            }
            Move::Running => Ok(None),
            Move::Stopping => {
                self.waits_for_stop(r, id, report);
                Ok(Some(false))
            }
            Move::StopFailed => {
                let host = source.as_deref().unwrap_or("null");
                self.fail_action(p, format!("failed to stop container on current host {host}"), report);
                self.requests.withdraw(r, report);
                Ok(Some(true))
            }
            Move::Stopped => {
                if self.settings.standby() && self.forbidden(p, &x.host, report)? {
                    self.give_back(r, at, x, report);
                    self.ask(now, p, Wish::known(source.as_deref()), AskReason::BackToSource(id), report);
                    let text = format!(
                        "allocated resource {} does not meet standby constraints now, falling back to source host",
                        resource_text(x)
                    );
                    self.fail_action(p, text, report);
                } else {
                    self.launch(now, r, at, report)?;
                }
                Ok(Some(true))
            }
        }
    }

    fn waits_for_stop(&self, r: &Request, action: u64, report: &mut Report) {
        let (request, processor) = (r.id, r.processor.clone());
        let behind = self.requests.queue().count().saturating_sub(1);
        report.decisions.push(Decision::WaitsForStop { request, processor, action, behind });
    }

    /// Handles a NodeManager's failure to start the container of an action.
    pub(super) fn action_launch_failed(&mut self, now: Millis, processor: &str, host: &str, report: &mut Report) {
        let Some(action) = self.action(processor) else { return };
        let affinity = self.settings.host_affinity;
        let source = if affinity { Wish::known(action.source.as_deref()) } else { Wish::of(ANY_HOST) };
        let text = format!(
            "failed to start container on destination host {host}, attempting to start on source host {}",
            source.name()
        );
        let id = self.fail_action(processor, text, report);
        self.ask(now, processor, source, AskReason::BackToSource(id), report);
    }
}
