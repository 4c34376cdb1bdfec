//! Applications: submission, the life of their ApplicationMasters, and what the ResourceManager wants done with them.

use super::queue::Event;
use super::{Got, Notice, Simulation, Tried, TriedOutcome};
use crate::api::Call;
use crate::apps::sim as masters;
use crate::constraint::Handler;
use crate::journal::Recorder;
use crate::model::{AppId, AttemptId, ContainerId};
use crate::rm::{AllocateCall, AllocateResponse, AppState, Refusal, RefusalRule, RmEvent};

impl Simulation {
    pub(crate) fn submit<R: Recorder>(&mut self, i: usize, rec: &mut R) {
        if self.begin_with(i, rec) {
            return;
        }
        self.stir();
        let scenario = self.scenario.clone();
        debug_assert!(i < scenario.apps.len(), "only what is in the scenario is submitted");
        let Some(app) = scenario.apps.get(i) else { return };
        // A kind whose users changed its file since is submitted with the new text.
        let upgraded = masters::played(&app.kind).changed(app, &self.apps[i].store);
        let app = upgraded.as_ref().unwrap_or(app);
        let submission = match masters::submission(&scenario, app, self.known(&app.queue)) {
            Ok(submission) => submission,
            Err(refusal) => {
                self.apps[i].refused = true;
                return self.refuse(Tried::Submission(i), refusal);
            }
        };
        let app_id = self.next_app();
        rec.tell_call(self.now, || Call::Submit { app: app_id, submission: Box::new(submission.clone()) });
        match self.rm.submit(submission, rec) {
            Ok(id) => {
                let run = &mut self.apps[i];
                (run.id, run.attempt, run.am) = (Some(id), 1, None);
                (run.succeeded, run.call_refused, run.gave_up) = (None, false, None);
                if self.run_of.len() <= id.index() {
                    self.run_of.resize(id.index() + 1, usize::MAX);
                }
                self.run_of[id.index()] = i;
                if let Some(at) = self.lifetime_check(id) {
                    self.queue.add(at, Event::LifetimeCheck(id));
                    self.apps[i].lifetime_check = Some(at);
                }
                if app.am.unmanaged && self.rm.app(id).is_some_and(|a| a.state == AppState::Accepted) {
                    let at = self.now.saturating_add(app.am.start.max(0));
                    self.queue.add(at, Event::Register(AttemptId { app: id, attempt: 1 }));
                }
            }
            Err(refusal) => {
                self.apps[i].refused = true;
                let choice = self.rm.latest_choice().cloned();
                let outcome = TriedOutcome::Refused(refusal);
                self.notices.push(Notice { at: self.now, tried: Tried::Submission(i), outcome, choice });
            }
        }
    }

    /// Returns the number of the next application.
    fn next_app(&self) -> AppId {
        AppId(u32::try_from(self.rm.apps().len()).unwrap_or(u32::MAX))
    }

    /// Returns what YARN answers a client about the cluster and a queue.
    fn known(&self, queue: &str) -> masters::Known {
        masters::Known {
            maximum: self.rm.maximum_capability(),
            id: self.next_app(),
            // The FifoScheduler answers with its one queue for any name.
            queue_exists: (self.rm.capacity().is_none() && self.rm.fair().is_none()) || self.rm.queue(queue).is_some(),
        }
    }

    pub(crate) fn register<R: Recorder>(&mut self, attempt: AttemptId, rec: &mut R) {
        let scenario = self.scenario.clone();
        let Some(i) = self.known_place(attempt.app) else { return };
        let (Some(app), Some(run)) = (scenario.apps.get(i), self.apps.get(i)) else { return };
        // The AM may have ended in the meantime.
        let process_up = app.am.unmanaged || run.am.is_some_and(|c| self.processes.contains_key(&c));
        // The ApplicationMasterService does not know attempts that are over.
        let present = self.rm.scheduled(attempt.app).is_some_and(|a| a.attempt == attempt.attempt);
        if run.id != Some(attempt.app) || run.attempt != attempt.attempt || !process_up || !present {
            return;
        }
        self.stir();
        rec.tell_call(self.now, || Call::Register(attempt.app));
        if let Err(refusal) = self.rm.register(attempt.app, rec) {
            return self.refuse(Tried::Registration(i), refusal);
        }
        let got: Vec<ContainerId> = self.apps[i].containers.iter().map(|c| c.id).collect();
        let maximum = self.rm.maximum_capability_of(attempt.app);
        let master = masters::master(&scenario, app, &got, maximum);
        if let Some(cut) = masters::cut(app, attempt.app, maximum) {
            self.notices.push(Notice {
                at: self.now,
                tried: Tried::Registration(i),
                outcome: TriedOutcome::Cut(cut),
                choice: None,
            });
        }
        #[cfg(test)]
        let master = self.probe.clone().map_or(master, Into::into);
        let first = self.now.saturating_add(master.first_heartbeat_ms());
        let run = &mut self.apps[i];
        run.spec = master.spec().cloned();
        run.master = Some(master);
        run.heard_at = self.now;
        run.next_heartbeat = Some(first);
        self.queue.add(first, Event::AmHeartbeat(attempt));
        let mut acts = Vec::new();
        self.call_master(i, &mut acts, rec, |master, turn| master.registered(turn));
        self.carry_out(i, attempt, acts, 0, rec);
        if let (Some((after, code)), Some(am)) = (app.am.fails_after, self.apps[i].am) {
            let at = self.now.saturating_add(after.max(0));
            self.end_process_at(am, at, code);
        }
    }

    pub(crate) fn am_heartbeat<R: Recorder>(&mut self, attempt: AttemptId, rec: &mut R) {
        let now = self.now;
        let Some(i) = self.known_place(attempt.app) else { return };
        let run = self.apps.get(i).filter(|run| run.attempt == attempt.attempt);
        debug_assert!(run.is_some_and(|run| run.master.is_some()), "an AM that is gone beats no more");
        let Some(master) = run.and_then(|run| run.master.as_ref()) else { return };
        let quiet_before = master.is_quiet() && master.wakes_at().is_none_or(|at| at > now);
        let next = now.saturating_add(master.heartbeat_ms().max(1));
        let mut acts = Vec::new();
        let Some(call) = self.call_master(i, &mut acts, rec, |master, turn| master.call(turn)) else { return };
        let empty_call = call == AllocateCall::default();
        let run = &mut self.apps[i];
        run.next_heartbeat = Some(next);
        run.heard_at = now;
        self.queue.add(next, Event::AmHeartbeat(attempt));
        rec.tell_call(now, || Call::Allocate { app: attempt.app, call: Box::new(call.clone()) });
        let answer = self.rm.allocate(attempt.app, call, rec);
        for cut in self.rm.take_cuts() {
            self.notices.push(Notice { at: now, tried: Tried::Call(i), outcome: TriedOutcome::Cut(cut), choice: None });
        }
        let answer = match answer {
            Ok(answer) => answer,
            Err(refusal) => {
                self.stir();
                self.refuse(Tried::Call(i), refusal);
                self.apps[i].call_refused = true;
                self.call_master(i, &mut acts, rec, |master, turn| master.refused(turn));
                return self.carry_out(i, attempt, acts, 0, rec);
            }
        };
        let newest = self.apps[i].containers.len();
        let news = self.take_answer(i, &answer);
        let quiet_after = self.call_master(i, &mut acts, rec, |master, turn| {
            if !answer.updated_nodes.is_empty() {
                master.nodes_updated(turn, &answer.updated_nodes);
            }
            if !answer.preempt.is_empty() {
                master.preemption_message(turn, &answer.preempt);
            }
            master.answer(turn, &answer);
            master.is_quiet()
        });
        let placing = self.rm.is_placing(attempt.app);
        if quiet_before && empty_call && !news && !placing && acts.is_empty() && quiet_after == Some(true) {
            self.apps[i].calm = self.stirs;
            self.empty_beats += 1;
            return;
        }
        self.stir();
        self.carry_out(i, attempt, acts, newest, rec);
    }

    /// Records the containers, the headroom and the rejections of an answer. Returns whether any of it is new.
    fn take_answer(&mut self, i: usize, answer: &AllocateResponse) -> bool {
        let settings = &self.rm.placement().settings;
        let (processor, attempts) = (settings.handler == Handler::Processor, settings.retry_attempts);
        let run = &mut self.apps[i];
        run.headroom = answer.headroom;
        // The FairScheduler repeats the same containers in every answer.
        let warned =
            !answer.preempt.is_empty() && run.warned_of != answer.preempt.strict || answer.preempt.negotiable.is_some();
        run.warned_of.clone_from(&answer.preempt.strict);
        for g in &answer.allocated {
            let key = g.key();
            let (tag, number) = run.number(key, std::iter::empty());
            run.containers.push(Got { id: g.id, am: false, key: Some(key), node: g.node, tag, number });
        }
        for r in &answer.rejected {
            let tried = Tried::Request { app: i, allocation_request_id: r.allocation_request_id, count: r.count };
            // YARN repeats it in every answer; one notice is enough.
            if processor || !self.notices.iter().any(|n| n.tried == tried) {
                let kind = match (processor, r.placed) {
                    (true, false) => RefusalRule::NoNode { attempts },
                    (true, true) => RefusalRule::NotCommitted { attempts },
                    (false, _) => RefusalRule::Unevaluable,
                };
                let outcome = TriedOutcome::Refused(Refusal::of(kind, r.reason.clone()));
                self.notices.push(Notice { at: self.now, tried, outcome, choice: None });
            }
        }
        !answer.allocated.is_empty() || !answer.completed.is_empty() || warned || !answer.rejected.is_empty()
    }

    /// Unregisters an AM with its success, and ends its process at once.
    pub(crate) fn unregister<R: Recorder>(&mut self, i: usize, attempt: AttemptId, succeeded: bool, rec: &mut R) {
        rec.tell_call(self.now, || Call::Unregister(attempt.app));
        self.rm.unregister(attempt.app, rec);
        self.apps[i].succeeded = Some(succeeded);
        self.silence(i);
        if let Some(am) = self.apps.get(i).and_then(|run| run.am) {
            self.end_process_at(am, self.now, 0);
        }
    }

    /// Stops the heartbeats of the AM that ran in a container.
    pub(crate) fn silence_am(&mut self, container: ContainerId) {
        let Some(i) = self.known_place(container.app) else { return };
        if self.apps.get(i).is_some_and(|run| run.am == Some(container)) {
            self.silence(i);
        }
    }

    /// Stops an AM's heartbeats without notifying the ResourceManager, which expires the AM later.
    pub(crate) fn hang_am(&mut self, i: usize) {
        let Some(run) = self.apps.get(i) else { return };
        let (Some(app), Some(_)) = (run.id, &run.master) else { return };
        let attempt = AttemptId { app, attempt: run.attempt };
        let at = Self::check_time(run.heard_at, self.scenario.timing.am_expiry);
        self.silence(i);
        let at = at.max(self.now);
        self.queue.add(at, Event::AmExpiry(attempt));
        self.apps[i].missed_at = Some(at);
    }

    /// Cancels the expiry of a hanging AM whose attempt is over.
    fn forget_hanging(&mut self, i: usize, attempt: AttemptId) {
        if let Some(at) = self.apps.get_mut(i).and_then(|run| run.missed_at.take()) {
            self.queue.remove(at, Event::AmExpiry(attempt));
        }
    }

    /// Stops an AM's heartbeats and timers.
    pub(crate) fn silence(&mut self, i: usize) {
        let Some(run) = self.apps.get_mut(i) else { return };
        let (Some(id), Some(at)) = (run.id, run.next_heartbeat.take()) else { return };
        let attempt = AttemptId { app: id, attempt: run.attempt };
        self.queue.remove(at, Event::AmHeartbeat(attempt));
        run.before = run.progress();
        run.master = None;
        self.cancel_timers(i, attempt);
    }

    // ---- what the ResourceManager wants done

    pub(crate) fn drain<R: Recorder>(&mut self, rec: &mut R) {
        // Handling an event may add others, which are handled in the order in which they were added.
        loop {
            let events = self.rm.take_events();
            if events.is_empty() {
                return;
            }
            self.stir();
            for event in events {
                self.handle(event, rec);
            }
        }
    }

    fn handle<R: Recorder>(&mut self, event: RmEvent, _rec: &mut R) {
        match event {
            RmEvent::LaunchAm { attempt, container, node } => {
                let Some(i) = self.known_place(attempt.app) else { return };
                let scenario = self.scenario.clone();
                let Some(app) = scenario.apps.get(i) else { return };
                let run = &mut self.apps[i];
                run.attempt = attempt.attempt;
                run.am = Some(container);
                run.containers.push(Got { id: container, am: true, key: None, node, tag: None, number: 0 });
                run.ams += 1;
                self.launch(container, node, app.am.launch, None);
                let at = self.now.saturating_add(app.am.launch.max(0)).saturating_add(app.am.start.max(0));
                self.queue.add(at, Event::Register(attempt));
            }
            // The node learns of it from the next answer to its heartbeat.
            RmEvent::StopContainer(stop) => self.charge(&stop),
            RmEvent::AttemptOver { attempt, .. } => {
                let Some(i) = self.known_place(attempt.app) else { return };
                if self.apps.get(i).is_some_and(|run| run.attempt == attempt.attempt) {
                    self.silence(i);
                    self.forget_hanging(i, attempt);
                    self.queue_register_of_unmanaged(i, attempt);
                }
            }
            RmEvent::AppOver { app, .. } => {
                if let Some(i) = self.place_of(app) {
                    self.end_of(i);
                    self.silence(i);
                    if let Some(at) = self.apps.get_mut(i).and_then(|run| run.lifetime_check.take()) {
                        self.queue.remove(at, Event::LifetimeCheck(app));
                    }
                    if let Some(after) = self.apps.get_mut(i).and_then(|run| run.restart.take()) {
                        self.queue.add(self.now.saturating_add(after), Event::Submit(i));
                    }
                }
            }
        }
    }

    /// YARN does not launch an unmanaged AM; its next attempt registers by itself.
    fn queue_register_of_unmanaged(&mut self, i: usize, over: AttemptId) {
        let Some(app) = self.scenario.apps.get(i) else { return };
        let next = self.rm.scheduled(over.app).map_or(0, |a| a.attempt);
        let goes_on = self.rm.app(over.app).is_some_and(|a| !a.state.is_final());
        if app.am.unmanaged && goes_on && next > over.attempt {
            let at = self.now.saturating_add(app.am.start.max(0));
            self.apps[i].attempt = next;
            self.queue.add(at, Event::Register(AttemptId { app: over.app, attempt: next }));
        }
    }
}
