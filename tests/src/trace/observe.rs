//! The step `observe`: the state of queues and applications, as the real classes report it.

use super::asks::further_columns;
use super::constraints;
use super::play::TracePlayer;
use super::texts;
use super::{Listener, StepResult};
use heddle_core::model::{PartitionId, Resource};
use heddle_core::scheduler::Scheduler;
use heddle_core::scheduler::capacity::Queue;
use heddle_core::scheduler::fair::FairQueue;
use serde_json::{Map, Value, json};

fn pair(r: Resource) -> Value {
    json!([r.memory_mb(), r.vcores_32()])
}

/// Rounds to five decimals, as Java's `Math.round` does.
fn decimal(x: f32) -> Value {
    json!((f64::from(x) * 100_000.0 + 0.5).floor() / 100_000.0)
}

impl<R: Listener> TracePlayer<R> {
    /// Reads the state into `out`.
    pub(crate) fn observe(&mut self, out: &mut StepResult) {
        let mut queues = Map::new();
        if let Some(root) = self.rm.queues().first() {
            self.observe_queue(root, &mut queues);
        }
        for queue in self.rm.fair().into_iter().flat_map(|s| s.living()) {
            queues.insert(queue.path.clone(), self.fair_queue(queue).into());
        }
        out.insert("queues".into(), queues.into());
        let tags = constraints::tags(self);
        if !tags.is_empty() {
            out.insert("tags".into(), tags.into());
        }
        let mut apps = Map::new();
        for (index, app) in self.apps.iter().enumerate() {
            let Some(id) = app.id.filter(|_| !app.over) else { continue };
            let Some(scheduled) = self.rm.scheduled(id).filter(|a| a.alive) else { continue };
            let mut o = Map::new();
            let used = scheduled.used.get(PartitionId::DEFAULT.index());
            o.insert("used".into(), pair(used.copied().unwrap_or(Resource::ZERO)));
            if let Some(h) = app.headroom {
                o.insert("headroom".into(), pair(h));
            }
            let fifo = matches!(self.rm.scheduler(), Scheduler::Fifo(_));
            if !app.am_runs() && !fifo {
                o.insert("diagnostics".into(), json!(texts::diagnostics(&self.rm.am_diagnostics(id))));
            }
            if let Some(fair) = self.rm.fair() {
                let (demand, share) = fair.figures(id);
                o.insert("used".into(), self.all_types(scheduled.used_total()));
                o.insert("demand".into(), self.all_types(demand));
                o.insert("fair_share".into(), self.all_types(share));
                if fair.conf().preemption.on {
                    let lack = fair.lack(self.rm.cluster(), id);
                    o.insert("fair_share_starvation".into(), self.all_types(lack.fair));
                    o.insert("min_share_starvation".into(), self.all_types(lack.minimum));
                }
            }
            apps.insert(index.to_string(), o.into());
        }
        out.insert("apps".into(), apps.into());
    }

    /// Returns memory, vcores, then `type=n` for each further type that is not 0.
    fn all_types(&self, r: Resource) -> Value {
        let mut row = vec![json!(r.memory_mb()), json!(r.vcores_32())];
        row.extend(further_columns(r, self.types()));
        row.into()
    }

    fn fair_queue(&self, queue: &FairQueue) -> Map<String, Value> {
        let mut o = Map::new();
        o.insert("policy".into(), json!(queue.policy.text()));
        for (key, r) in [
            ("used", queue.used),
            ("demand", queue.demand),
            ("fair_share", queue.fair_share),
            ("steady_fair_share", queue.steady_share),
        ] {
            o.insert(key.into(), self.all_types(r));
        }
        let maximum = self.rm.fair().map(|s| s.maximum_of(self.rm.cluster(), queue.id)).unwrap_or_default();
        o.insert("max_share".into(), self.all_types(maximum.component_min(self.rm.cluster().total)));
        o.insert("runnable".into(), json!(queue.running_apps));
        if queue.leaf {
            o.insert("waiting".into(), json!(queue.waiting.len()));
            o.insert("am_used".into(), self.all_types(queue.am_used));
        } else {
            o.insert("parent".into(), json!(true));
        }
        if queue.dynamic {
            o.insert("dynamic".into(), json!(true));
        }
        o
    }

    fn observe_queue(&self, queue: &Queue, out: &mut Map<String, Value>) {
        let mut o = Map::new();
        for (i, partition) in self.rm.partitions().iter().enumerate() {
            let at = if partition.name.is_empty() { String::new() } else { format!("@{}", partition.name) };
            let part = queue.part(PartitionId::from(i));
            o.insert(format!("used{at}"), pair(part.used));
            o.insert(format!("pending{at}"), pair(part.pending));
            o.insert(format!("absolute_used_capacity{at}"), decimal(part.absolute_used_capacity));
            if queue.is_leaf() {
                o.insert(format!("am_used{at}"), pair(part.am_used));
            }
        }
        if let Some(leaf) = &queue.leaf {
            o.insert("active".into(), json!(leaf.active_attempts()));
            o.insert("pending_apps".into(), json!(leaf.pending_attempts()));
        }
        out.insert(queue.path.clone(), o.into());
        for child in queue.children.iter().filter_map(|id| self.rm.queues().get(id.index())) {
            self.observe_queue(child, out);
        }
    }
}
