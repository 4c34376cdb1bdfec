//! Applications that run already when a run begins (`[apps.now]`): the ResourceManager gets them before anything else,
//! their processes run, and their ApplicationMasters send heartbeats.

use super::Got;
use super::machine::Process;
use super::queue::Event;
use super::run::{Notice, Simulation, Tried, TriedOutcome};
use crate::api::{AllocateCall, Present, PresentContainer};
use crate::apps::sim as masters;
use crate::journal::Recorder;
use crate::model::{AppId, AttemptId, ContainerId, NodeId, RequestKey, Resource};
use crate::scenario::{App, AppNow, ContainerNow, Scenario};

/// Returns the applications of a scenario that run already when it begins: their places in it, and what the
/// ResourceManager gets.
pub fn present(scenario: &Scenario) -> Vec<(usize, Present)> {
    let there = (0..).zip(&scenario.apps).filter_map(|(i, app)| Some((i, app, app.now.as_deref()?)));
    there.filter_map(|(i, app, now)| Some((i, of(scenario, app, now)?))).collect()
}

fn of(scenario: &Scenario, app: &App, now: &AppNow) -> Option<Present> {
    // The client's checks do not matter, since the application was submitted.
    let known = masters::Known { maximum: Resource::ZERO, queue_exists: true, id: AppId(0) };
    let submission = masters::submission(scenario, app, known).ok()?;
    let container = |c: &ContainerNow| PresentContainer {
        number: c.number,
        host: c.node.clone(),
        size: c.size,
        key: RequestKey { priority: c.priority, allocation_request_id: c.allocation_request_id },
        am: c.am,
        reported: c.reported,
        label: c.label.clone(),
        charged: c.charged.clone(),
        again: c.again,
    };
    Some(Present {
        submission,
        attempt: now.attempt,
        active: now.active,
        registered: now.registered,
        containers: now.running.iter().map(container).collect(),
        reserved: now.reserved.iter().map(container).collect(),
        call: AllocateCall {
            asks: now.asks.iter().map(|a| a.row.clone()).collect(),
            blacklist_add: now.blacklist.clone(),
            ..AllocateCall::default()
        },
        next: now.next,
        diagnostics: now.diagnostics.clone(),
        used: now.used,
        demand: now.demand,
    })
}

impl Simulation {
    /// Takes in, once, the applications that run already. Returns whether the application of this place is one of them.
    pub(super) fn begin_with<R: Recorder>(&mut self, i: usize, rec: &mut R) -> bool {
        let scenario = self.scenario.clone();
        if scenario.apps.get(i).is_none_or(|app| app.now.is_none()) {
            return false;
        }
        if std::mem::replace(&mut self.begun, true) {
            return true;
        }
        self.stir();
        let (places, told): (Vec<usize>, Vec<Present>) = present(&scenario).into_iter().unzip();
        let taken = self.rm.begin_with(&told, &scenario.shares, rec);
        for ((place, told), taken) in places.into_iter().zip(&told).zip(taken) {
            match taken {
                Ok(taken) => {
                    self.runs(place, told, taken.id, &taken.containers);
                    if let Some(refusal) = taken.refused {
                        self.refuse(Tried::Call(place), refusal);
                    }
                }
                Err(refusal) => {
                    self.apps[place].refused = true;
                    let outcome = TriedOutcome::Refused(refusal);
                    self.notices.push(Notice { at: self.now, tried: Tried::Submission(place), outcome, choice: None });
                }
            }
        }
        true
    }

    fn runs(&mut self, i: usize, told: &Present, id: AppId, containers: &[Option<(ContainerId, NodeId)>]) {
        let scenario = self.scenario.clone();
        let Some(app) = scenario.apps.get(i) else { return };
        let Some(now) = app.now.as_deref() else { return };
        if self.run_of.len() <= id.index() {
            self.run_of.resize(id.index() + 1, usize::MAX);
        }
        self.run_of[id.index()] = i;
        (self.apps[i].id, self.apps[i].attempt) = (Some(id), told.attempt);
        for ((container, there), written) in told.containers.iter().zip(containers).zip(&now.running) {
            let Some((cid, node)) = *there else { continue };
            let Some(m) = self.machine_of.get(node.index()).copied() else { continue };
            let run = &mut self.apps[i];
            let (key, number) = if container.am {
                run.ams += 1;
                run.am = Some(cid);
                (None, 0)
            } else {
                (Some(container.key), run.containers.len() - run.ams + 1)
            };
            run.containers.push(Got { id: cid, am: container.am, key, node, tag: None, number });
            let end = written.duration.map(|ms| (self.now.saturating_add(ms.max(0)), 0));
            if let Some((at, _)) = end {
                self.queue.add(at, Event::ProcessEnds(cid));
            }
            if let Some(machine) = self.machines.get_mut(m).filter(|_| !container.reported) {
                machine.started.push(cid);
            }
            let process = Process { machine: m, launched_at: self.now, up_at: self.now, end, stopping: false };
            self.processes.insert(cid, process);
        }
        let attempt = AttemptId { app: id, attempt: told.attempt };
        if self.apps[i].am.is_none() {
            return;
        }
        if !told.registered {
            self.queue.add(self.now.saturating_add(app.am.start.max(0)), Event::Register(attempt));
            return;
        }
        let got: Vec<ContainerId> = self.apps[i].containers.iter().map(|c| c.id).collect();
        let master = masters::master(&scenario, app, &got, self.rm.maximum_capability_of(id));
        let first = self.now.saturating_add(master.first_heartbeat_ms());
        let run = &mut self.apps[i];
        run.master = Some(master);
        run.heard_at = self.now;
        run.next_heartbeat = Some(first);
        self.queue.add(first, Event::AmHeartbeat(attempt));
    }
}
