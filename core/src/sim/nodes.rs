//! NodeManagers and the processes on their machines: registration, heartbeats, silence, starts and ends
//! (lifecycles-and-timing.md 2, 4).

use super::machine::Process;
use super::queue::Event;
use super::{Simulation, Tried};
use crate::api::Call;
use crate::journal::Recorder;
use crate::model::{ContainerId, Millis, NodeId};
use crate::scenario::Phases;
use crate::strategy::exit;

impl Simulation {
    /// Registers a machine, which runs nothing.
    pub(crate) fn join<R: Recorder>(&mut self, m: usize, rec: &mut R) {
        self.stir();
        debug_assert!(m < self.machines.len(), "each node of the scenario has a machine");
        let Some(machine) = self.machines.get_mut(m) else { return };
        // Attributes belong to the host, and stay when its node registers again.
        let (spec, attributes) = (machine.spec.clone(), std::mem::take(&mut machine.attributes));
        let host = spec.host.clone();
        rec.tell_call(self.now, || Call::AddNode(spec.clone()));
        let id = match self.rm.add_node(spec, rec) {
            Ok(id) => id,
            Err(refusal) => return self.refuse(Tried::Node(m), refusal),
        };
        self.set_attributes(&host, &attributes, rec);
        if self.machine_of.len() <= id.index() {
            self.machine_of.resize(id.index() + 1, usize::MAX);
        }
        self.machine_of[id.index()] = m;
        let phase = self.phase(m);
        let machine = &mut self.machines[m];
        machine.clear();
        machine.id = Some(id);
        machine.alive = true;
        machine.last_heartbeat = self.now;
        machine.next_heartbeat = self.now.saturating_add(phase);
        self.queue.add(machine.next_heartbeat, Event::NodeHeartbeat(m));
    }

    fn phase(&mut self, m: usize) -> Millis {
        let interval = self.scenario.timing.node_heartbeat.max(1);
        match self.scenario.timing.phases {
            Phases::Aligned => 0,
            Phases::Spread => {
                let n = self.scenario.nodes.len().max(1) as i64;
                (m as i64 % n) * interval / n
            }
            Phases::Seeded => (self.next_random() % interval as u64) as Millis,
        }
    }

    /// Stops a machine: it sends no heartbeats, and its processes are gone.
    pub(crate) fn fall_silent(&mut self, m: usize) {
        let Some(machine) = self.machines.get_mut(m) else { return };
        if machine.alive {
            machine.alive = false;
            self.queue.remove(machine.next_heartbeat, Event::NodeHeartbeat(m));
        }
        machine.clear();
        let gone: Vec<ContainerId> = self.processes.iter().filter(|(_, p)| p.machine == m).map(|(id, _)| *id).collect();
        for container in gone {
            self.drop_process(container);
        }
    }

    pub(crate) fn node_heartbeat<R: Recorder>(&mut self, m: usize, rec: &mut R) {
        let now = self.now;
        let interval = self.scenario.timing.node_heartbeat.max(1);
        let Some(machine) = self.machines.get_mut(m) else { return };
        debug_assert!(machine.alive && machine.id.is_some(), "a machine that is silent beats no more");
        let Some(id) = machine.id else { return };
        let quiet = machine.is_quiet() && !self.rm.has_orders(id);
        let report = machine.report();
        let state_before = self.rm.node(id).map(|n| n.state);
        machine.last_heartbeat = now;
        machine.next_heartbeat = now.saturating_add(interval);
        self.queue.add(machine.next_heartbeat, Event::NodeHeartbeat(m));
        rec.tell_call(now, || Call::Heartbeat { node: id, report: report.clone() });
        let orders = self.rm.heartbeat(id, report, rec).stop.clone();
        let state = self.rm.node(id).map(|n| n.state);
        // The answers to the next heartbeats of ApplicationMasters report a node whose health changed.
        if quiet && state == state_before {
            self.machines[m].calm = self.stirs;
            self.empty_beats += 1;
        } else {
            self.stir();
        }
        self.drain(rec);
        for container in orders {
            self.stop_process(container, exit::KILLED_BY_RM);
        }
        if state == Some(crate::scheduler::NodeState::Decommissioned) {
            // The answer is SHUTDOWN.
            self.fall_silent(m);
            self.stir();
        }
    }

    pub(crate) fn node_expiry<R: Recorder>(&mut self, m: usize, rec: &mut R) {
        let Some(machine) = self.machines.get(m) else { return };
        if machine.alive {
            return;
        }
        if let Some(id) = machine.id {
            self.stir();
            rec.tell_call(self.now, || Call::RemoveNode(id));
            self.rm.remove_node(id, rec);
        }
    }

    // ---- processes

    /// Launches a process: localisation, then work. Returns false where the node cannot be reached.
    pub(crate) fn launch(
        &mut self,
        container: ContainerId,
        node: NodeId,
        launch_ms: Millis,
        run: Option<(Millis, i32)>,
    ) -> bool {
        debug_assert!(node.index() < self.machine_of.len(), "a node that has containers has registered");
        let Some(m) = self.machine_of.get(node.index()).copied() else { return false };
        let Some(machine) = self.machines.get_mut(m).filter(|machine| machine.alive) else {
            self.expect_expiry(container);
            return false;
        };
        machine.started.push(container);
        let up_at = self.now.saturating_add(launch_ms.max(0));
        let end = run.map(|(ms, code)| (up_at.saturating_add(ms.max(0)), code));
        if let Some((at, _)) = end {
            self.queue.add(at, Event::ProcessEnds(container));
        }
        let process = Process { machine: m, launched_at: self.now, up_at, end, stopping: false };
        self.processes.insert(container, process);
        true
    }

    /// Plans the expiry of a container that is granted and never launched.
    fn expect_expiry(&mut self, container: ContainerId) {
        let at = Self::check_time(self.now, self.scenario.timing.allocation_expiry);
        self.queue.add(at, Event::AllocationExpiry(container));
    }

    pub(crate) fn allocation_expiry<R: Recorder>(&mut self, container: ContainerId, rec: &mut R) {
        self.stir();
        rec.tell_call(self.now, || Call::ExpireContainer(container));
        self.rm.expire_container(container, rec);
    }

    /// Stops a process by an order that has reached its node; the exit code says whose order it is.
    pub(crate) fn stop_process(&mut self, container: ContainerId, code: i32) {
        let stop = self.scenario.timing.stop.max(0);
        let Some(process) = self.processes.get(&container) else { return };
        if process.stopping {
            return;
        }
        let at = self.now.saturating_add(stop);
        match process.end {
            // A process that ends by itself before it is killed keeps its own exit code.
            Some((end, _)) if end <= at => {}
            _ => self.end_process_at(container, at, code),
        }
        if let Some(process) = self.processes.get_mut(&container) {
            process.stopping = true;
        }
    }

    /// Plans the end of a process.
    pub(crate) fn end_process_at(&mut self, container: ContainerId, at: Millis, code: i32) {
        let Some(process) = self.processes.get_mut(&container) else { return };
        if let Some((before, _)) = process.end.replace((at, code)) {
            self.queue.remove(before, Event::ProcessEnds(container));
        }
        self.queue.add(at, Event::ProcessEnds(container));
    }

    pub(crate) fn process_ends<R: Recorder>(&mut self, container: ContainerId, rec: &mut R) {
        if self.relaunched(container, rec) {
            return;
        }
        let Some(process) = self.processes.remove(&container) else { return };
        self.stir();
        self.silence_am(container);
        self.process_gone(container, process.stopping);
        let code = process.end.map_or(0, |(_, code)| code);
        let Some(machine) = self.machines.get_mut(process.machine).filter(|m| m.alive) else { return };
        machine.started.retain(|c| *c != container);
        machine.ended.push((container, code));
        if self.scenario.timing.extra_heartbeat && machine.next_heartbeat > self.now {
            // The end of a container wakes the heartbeat thread, which then waits for a whole period.
            self.queue.remove(machine.next_heartbeat, Event::NodeHeartbeat(process.machine));
            machine.next_heartbeat = self.now;
            self.queue.add(self.now, Event::NodeHeartbeat(process.machine));
        }
    }

    /// Removes a process whose machine is gone.
    fn drop_process(&mut self, container: ContainerId) {
        if let Some(process) = self.processes.remove(&container) {
            if let Some((at, _)) = process.end {
                self.queue.remove(at, Event::ProcessEnds(container));
            }
            self.process_gone(container, false);
            let own = self.place_of(container.app).filter(|i| self.apps[*i].am == Some(container));
            own.into_iter().for_each(|i| self.hang_am(i));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::sim::fixtures::{GATE, Played, happens};

    /// An ApplicationMaster that has nothing to do hears of a node that is healthy again with its next heartbeat, whenever the run
    /// ends: Slider asks for the instance that it kept back, and gets it.
    #[test]
    fn a_node_that_is_healthy_again_is_told_to_a_master_at_rest() {
        let sick = happens("20 s", "do = \"unhealthy_node\"\nnode = \"n2\"");
        let well = happens("60 s", "do = \"healthy_node\"\nnode = \"n2\"");
        let text = format!(
            "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"5 min\"\n[capacity-scheduler]\nroot.queues = \"a\"\n\
             root.a.capacity = 100\nmaximum-am-resource-percent = 0.5\n[[nodes]]\nname = \"n{{1}}\"\ncount = 2\nsize = \"4 GB/4\"\n\
             [[apps]]\nname = \"hbase\"\nqueue = \"a\"\nkind = \"slider\"\nam = {{ places = [\"n1\"], relax = false }}\n\
             [[apps.components]]\nname = \"rs\"\nyarn.role.priority = 1\nyarn.component.instances = 1\n\
             yarn.component.placement.policy = 4\nyarn.memory = 1024\n{sick}{}{well}",
            happens("30 s", "do = \"flex_app\"\napp = \"hbase\"\ncomponents = { rs = 2 }")
        );
        let mut played = Played::of(&text);
        let running = |played: &Played| played.sim.rm().containers_of(played.sim.rm().apps()[0].id).count();
        assert_eq!(running(played.to(58)), 2, "the AM and one instance");
        assert_eq!(running(played.to(64)), 3, "the other one as soon as its host is there again");
    }

    /// The ResourceManager ignores container reports of unhealthy nodes. The NodeManager repeats them, so the end of a
    /// container on a draining node counts once the node is healthy again.
    #[test]
    fn what_an_unhealthy_node_that_drains_reported_is_heard_when_it_is_healthy() {
        let drain = happens("10 s", "do = \"decommission_node\"\nnode = \"n1\"\ntimeout = \"1 h\"");
        let sick = happens("12 s", "do = \"unhealthy_node\"\nnode = \"n1\"");
        let well = |at: &str| happens(at, "do = \"healthy_node\"\nnode = \"n1\"");
        for (acts, over) in [
            (drain.clone(), 30..45),
            (format!("{drain}{sick}{}", well("20 s")), 30..45),
            (format!("{drain}{sick}{}", well("70 s")), 70..80),
            // Patience with the node ends, and what it ran starts anew.
            (format!("{drain}{sick}"), 3_600..3_800),
        ] {
            let text = format!(
                "heddle = 1\nscheduling = \"heartbeat\"\n{GATE}\n[[nodes]]\nname = \"n1\"\nsize = \"8 GB/8\"\n\
                 [[apps]]\nname = \"job\"\nat = \"1 s\"\nuser = \"ann\"\nam = {{ unmanaged = true }}\n\
                 tasks = [{{ count = 5, size = \"1 GB/1\", duration = \"30 s\" }}]\n{acts}"
            );
            let mut played = Played::of(&text);
            played.to(7_200);
            assert!(played.sim.ended().is_some(), "it ends in time: {acts}");
            let finished = played.sim.rm().apps()[0].finished_at.map(|at| at / 1000);
            assert!(finished.is_some_and(|at| over.contains(&at)), "{finished:?}: {acts}");
        }
    }
}
