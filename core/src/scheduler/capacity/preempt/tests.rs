//! Tests of rounds in a busy cluster.

use crate::journal::{Full, Recorder, Silent};
use crate::model::{AppId, ContainerId, NodeId, PartitionId, QueueId, Resource};
use crate::rm::testing::Fixture;
use crate::rm::{AllocateCall, AskRow, NodeReport, RmEvent};
use crate::scheduler::ContainerState;

const QUEUES: &str = "root.queues a,b,c\n root.a.capacity 50\n root.b.capacity 30\n root.c.capacity 20\n \
     root.a.queues 1,2\n root.a.1.capacity 40\n root.a.2.capacity 60\n root.a.1.user-limit-factor 10\n \
     root.a.2.user-limit-factor 3\n root.b.user-limit-factor 4\n root.c.user-limit-factor 5\n \
     root.b.ordering-policy fair\n root.a.maximum-capacity 90\n root.ordering-policy priority-utilization\n \
     root.c.priority 3\n maximum-am-resource-percent 1\n per-node-heartbeat.maximum-offswitch-assignments 4";

const MONITOR: &str = "yarn.resourcemanager.scheduler.monitor.enable true\n \
     yarn.resourcemanager.monitor.capacity.preemption.total_preemption_per_round 0.5\n \
     yarn.resourcemanager.monitor.capacity.preemption.natural_termination_factor 1\n \
     yarn.resourcemanager.monitor.capacity.preemption.max_wait_before_kill 3000\n \
     yarn.resourcemanager.monitor.capacity.preemption.select_based_on_reserved_containers true\n \
     yarn.resourcemanager.monitor.capacity.preemption.intra-queue-preemption.enabled true\n \
     yarn.resourcemanager.monitor.capacity.preemption.preemption-to-balance-queue-after-satisfied.enabled true";

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// Checks that the usage of root is the sum of all containers, and that killable containers live.
fn sums_agree(w: &Fixture) {
    let root = w.rm.queues()[0].part(PartitionId::DEFAULT).used;
    let all = w.rm.apps().iter().flat_map(|a| w.rm.containers_of(a.id)).fold(Resource::ZERO, |sum, c| sum + c.size);
    assert_eq!(root, all);
    let scheduler = w.rm.capacity().expect("a CapacityScheduler");
    let killable = scheduler.preemption().killable();
    assert!(killable.into_iter().all(|id| w.rm.container(id).is_some_and(|c| c.killable)));
}

/// Returns the observations of each step, and the number of preempted containers.
fn play<R: Recorder>(seed: u64, more: &str, rec: &mut R) -> (Vec<String>, u64) {
    let mut w = Fixture::new(&format!("{QUEUES}\n{more}"), MONITOR);
    let mut random = Random(seed);
    let nodes: Vec<NodeId> = (0..5).map(|i| w.node(&format!("n{i}"), 16)).collect();
    let leaves = ["root.a.1", "root.a.2", "root.b", "root.c"];
    let (mut apps, mut seen): (Vec<AppId>, Vec<String>) = (Vec::new(), Vec::new());
    for step in 0..600 {
        if step % 60 < 8 {
            apps.push(w.submit(leaves[random.below(leaves.len())], ["u", "v"][random.below(2)]));
        }
        let app = apps[random.below(apps.len())];
        match random.below(16) {
            0 => {
                w.rm.kill_app(app, rec);
            }
            1..=8 => {
                let priority = 1 + random.below(2) as i32;
                let size = Resource::new([1024, 1024, 3072, 6144][random.below(4)], 1);
                let ask = AskRow::anywhere(priority, size, random.below(16) as i64);
                let _ = w.rm.allocate(app, AllocateCall { asks: vec![ask], ..AllocateCall::default() }, rec);
            }
            _ => {}
        }
        let node = nodes[random.below(nodes.len())];
        let containers: Vec<ContainerId> = w.rm.containers_on(node).map(|c| c.id).collect();
        // Containers that are over are soon reported; few others end.
        let ends = |id: &ContainerId, n: usize| n < if w.rm.container(*id).is_none() { 8 } else { 1 };
        let completed: Vec<_> =
            containers.iter().copied().filter(|id| ends(id, random.below(16))).map(|id| (id, 0)).collect();
        // A container that its AM has not received runs nowhere.
        let granted = |id: &ContainerId| w.rm.container(*id).is_some_and(|c| c.state == ContainerState::Allocated);
        let ended = |id: &ContainerId| completed.iter().any(|(c, _)| c == id);
        let running = containers.into_iter().filter(|id| !granted(id) && !ended(id)).collect();
        w.rm.heartbeat(node, NodeReport { running, completed, ..NodeReport::default() }, rec);
        if step % 3 == 0 {
            let now = w.rm.now() + 1500;
            w.at(now);
            let round = w.rm.preempt(rec).expect("a round");
            assert_eq!(round.failed, None);
            seen.push(format!("{:?} {:?} {:?}", round.chosen, round.acts, round.drops));
        }
        for event in w.rm.take_events() {
            if let RmEvent::LaunchAm { attempt, .. } = event {
                let _ = w.rm.register(attempt.app, rec);
            }
        }
        sums_agree(&w);
        let used: Vec<Resource> = w.rm.queues().iter().map(|q| q.part(PartitionId::DEFAULT).used).collect();
        let answer = w.rm.allocate(app, AllocateCall::default(), rec);
        seen.push(format!("{used:?} {:?}", answer.map(|a| (a.headroom, a.preempt)).map_err(|e| e.message)));
    }
    let preempted = w.rm.capacity().map(|s| s.preemption().preempted(QueueId(0)).containers).unwrap_or_default();
    (seen, preempted)
}

#[test]
fn whether_anybody_listens_changes_no_round_and_nothing_after_it() {
    for more in ["", "lazy-preemption-enabled true"] {
        let mut preempted = 0;
        for seed in 0..3 {
            let (with_reasons, _) = play(seed, more, &mut Full::default());
            let (silently, killed) = play(seed, more, &mut Silent);
            preempted += killed;
            for (step, (l, r)) in with_reasons.iter().zip(&silently).enumerate() {
                assert_eq!(l, r, "seed {seed}, entry {step}, `{more}`");
            }
        }
        assert!(preempted > 20, "containers are preempted: {preempted} `{more}`");
    }
}
