//! Applications: submission, the life of their ApplicationMasters, and what the ResourceManager wants done with them.

use super::queue::Event;
use super::{Got, Notice, Outcome, Simulation, Tried, masters};
use crate::constraint::Handler;
use crate::journal::Recorder;
use crate::model::{AttemptId, ContainerId, RequestKey};
use crate::rm::{AppState, Refusal, Refused, RmEvent};
use crate::strategy::{Act, ApplicationMaster, Master};

impl Simulation {
    pub(super) fn submit<R: Recorder>(&mut self, i: usize, rec: &mut R) {
        self.stir();
        let scenario = self.scenario.clone();
        let Some(app) = scenario.apps.get(i) else { return };
        let submission = match masters::submission(&scenario, app) {
            Ok(submission) => submission,
            Err(words) => {
                self.apps[i].refused = true;
                return self.refuse(Tried::Submission(i), Refusal::of(Refused::Client, words));
            }
        };
        match self.rm.submit(submission, rec) {
            Ok(id) => {
                self.apps[i].id = Some(id);
                self.apps[i].attempt = 1;
                if self.run_of.len() <= id.index() {
                    self.run_of.resize(id.index() + 1, usize::MAX);
                }
                self.run_of[id.index()] = i;
                if let Some(at) = self.rm.lifetime_check(id) {
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
                self.refuse(Tried::Submission(i), refusal);
            }
        }
    }

    pub(super) fn register<R: Recorder>(&mut self, attempt: AttemptId, rec: &mut R) {
        let scenario = self.scenario.clone();
        let Some(i) = self.place_of(attempt.app) else { return };
        let (Some(app), Some(run)) = (scenario.apps.get(i), self.apps.get(i)) else { return };
        // Its process must still be there.
        let process_up = app.am.unmanaged || run.am.is_some_and(|c| self.processes.contains_key(&c));
        if run.attempt != attempt.attempt || !process_up {
            return;
        }
        self.stir();
        if let Err(refusal) = self.rm.register(attempt.app, rec) {
            return self.refuse(Tried::Registration(i), refusal);
        }
        let master = masters::master(
            &scenario,
            app,
            self.now,
            &self.apps[i].containers.iter().map(|c| c.id).collect::<Vec<_>>(),
        );
        let first = self.now.saturating_add(master.first_heartbeat_ms());
        let run = &mut self.apps[i];
        run.spec = match &master {
            Master::DistributedShell(shell) => shell.spec().cloned(),
            Master::Batch(_) | Master::Raw(_) => None,
        };
        run.master = Some(master);
        run.heard_at = self.now;
        run.next_heartbeat = Some(first);
        self.queue.add(first, Event::AmHeartbeat(attempt));
        if let (Some((after, code)), Some(am)) = (app.am.fails_after, run.am) {
            let at = self.now.saturating_add(after.max(0));
            self.end_process_at(am, at, code);
        }
    }

    pub(super) fn am_heartbeat<R: Recorder>(&mut self, attempt: AttemptId, rec: &mut R) {
        let now = self.now;
        let Some(i) = self.place_of(attempt.app) else { return };
        let Some(run) = self.apps.get_mut(i) else { return };
        let Some(master) = &mut run.master else { return };
        let quiet_before = master.is_quiet() && master.wakes_at().is_none_or(|at| at > now);
        let call = master.call(now);
        let empty_call = call == crate::rm::AllocateCall::default();
        let next = now.saturating_add(master.heartbeat_ms().max(1));
        run.next_heartbeat = Some(next);
        run.heard_at = now;
        self.queue.add(next, Event::AmHeartbeat(attempt));
        let answer = self.rm.allocate(attempt.app, call, rec);
        for cut in self.rm.take_cuts() {
            self.notices.push(Notice { at: now, tried: Tried::Call(i), outcome: Outcome::Cut(cut) });
        }
        let answer = match answer {
            Ok(answer) => answer,
            Err(refusal) => {
                self.stir();
                self.refuse(Tried::Call(i), refusal);
                if let Some(run) = self.apps.get_mut(i) {
                    run.call_refused = true;
                    if let Some(master) = &mut run.master {
                        master.refused(now);
                    }
                }
                return;
            }
        };
        let news = !answer.allocated.is_empty()
            || !answer.completed.is_empty()
            || !answer.preempt.is_empty()
            || !answer.rejected.is_empty();
        let placing = self.rm.is_placing(attempt.app);
        let settings = &self.rm.placement().settings;
        let (processor, attempts) = (settings.handler == Handler::Processor, settings.retry_attempts);
        let Some(run) = self.apps.get_mut(i) else { return };
        run.headroom = answer.headroom;
        for g in &answer.allocated {
            let key = RequestKey { priority: g.priority, allocation_request_id: g.allocation_request_id };
            let (tag, number) = run.number(key, 0);
            run.containers.push(Got { id: g.id, am: false, key: Some(key), node: g.node, tag, number });
        }
        let Some(master) = &mut run.master else { return };
        let acts = master.answer(now, &answer);
        for r in &answer.rejected {
            let tried = Tried::Request { app: i, allocation_request_id: r.allocation_request_id, count: r.count };
            // YARN tells of it at every call; once is enough for whoever reads.
            if processor || !self.notices.iter().any(|n| n.tried == tried) {
                let kind = match (processor, r.placed) {
                    (true, false) => Refused::NoNode { attempts },
                    (true, true) => Refused::NotCommitted { attempts },
                    (false, _) => Refused::Unevaluable,
                };
                let outcome = Outcome::Refused(Refusal::of(kind, r.reason.clone()));
                self.notices.push(Notice { at: now, tried, outcome });
            }
        }
        if quiet_before && empty_call && !news && !placing && acts.is_empty() {
            run.calm = self.stirs;
            self.empty_beats += 1;
            return;
        }
        self.stir();
        let launch_ms = self.scenario.apps.get(i).map_or(0, |a| a.am.launch);
        // Containers are launched in the order of their granting, mostly: each is looked for behind the last one.
        let mut granted = answer.allocated.iter().cycle();
        for act in acts {
            match act {
                Act::Launch { container, run_ms, exit_code } => {
                    let each_once = granted.by_ref().take(answer.allocated.len());
                    let Some(grant) = { each_once }.find(|g| g.id == container) else { continue };
                    let key =
                        RequestKey { priority: grant.priority, allocation_request_id: grant.allocation_request_id };
                    let run_ms = run_ms.or_else(|| self.nothing_to_wait_for(i, key).then_some(0));
                    self.launch(container, grant.node, launch_ms, run_ms.map(|ms| (ms, exit_code)));
                }
                Act::Unregister { succeeded } => self.unregister(i, attempt, succeeded, rec),
            }
        }
    }

    /// The AM is done: it says so, with its success, and exits at once.
    fn unregister<R: Recorder>(&mut self, i: usize, attempt: AttemptId, succeeded: bool, rec: &mut R) {
        self.rm.unregister(attempt.app, rec);
        self.apps[i].succeeded = Some(succeeded);
        self.silence(i);
        if let Some(am) = self.apps.get(i).and_then(|run| run.am) {
            self.end_process_at(am, self.now, 0);
        }
    }

    /// The process of an AM is gone: it beats no more.
    pub(super) fn silence_am(&mut self, container: ContainerId) {
        let Some(i) = self.place_of(container.app) else { return };
        if self.apps.get(i).is_some_and(|run| run.am == Some(container)) {
            self.silence(i);
        }
    }

    /// An AM beats no more, and nobody tells the ResourceManager: it will miss it.
    pub(super) fn hang_am(&mut self, i: usize) {
        let Some(run) = self.apps.get(i) else { return };
        let (Some(app), Some(_)) = (run.id, &run.master) else { return };
        let attempt = AttemptId { app, attempt: run.attempt };
        let at = Self::check_time(run.heard_at, self.scenario.timing.am_expiry);
        self.silence(i);
        let at = at.max(self.now);
        self.queue.add(at, Event::AmExpiry(attempt));
        self.apps[i].missed_at = Some(at);
    }

    /// The attempt of a hanging AM is over.
    fn forget_hanging(&mut self, i: usize, attempt: AttemptId) {
        if let Some(at) = self.apps.get_mut(i).and_then(|run| run.missed_at.take()) {
            self.queue.remove(at, Event::AmExpiry(attempt));
        }
    }

    /// An AM beats no more.
    pub(super) fn silence(&mut self, i: usize) {
        let Some(run) = self.apps.get_mut(i) else { return };
        let (Some(id), Some(at)) = (run.id, run.next_heartbeat.take()) else { return };
        self.queue.remove(at, Event::AmHeartbeat(AttemptId { app: id, attempt: run.attempt }));
        run.before = run.progress();
        run.master = None;
    }

    // ---- what the ResourceManager wants done

    pub(super) fn drain<R: Recorder>(&mut self, rec: &mut R) {
        // Handling one may bring up others; each is handled in the order in which it came up.
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
                let Some(i) = self.place_of(attempt.app) else { return };
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
            RmEvent::StopContainer { node, container } => {
                let machine = self.machine_of.get(node.index()).copied();
                if let Some(machine) = machine.and_then(|m| self.machines.get_mut(m))
                    && machine.alive
                    && !machine.orders.contains(&container)
                {
                    machine.orders.push(container);
                }
            }
            RmEvent::AttemptOver { attempt, .. } => {
                let Some(i) = self.place_of(attempt.app) else { return };
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
                }
            }
        }
    }

    /// An unmanaged AM is not launched by YARN; a further attempt of it registers by itself.
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
