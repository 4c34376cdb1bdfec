//! Effective capacities in legacy queue mode (AbstractCSQueue, CSQueueUtils; capacity-scheduler.md 3.1 to 3.3).

use super::CapacityScheduler;
use crate::config::capacity::{Capacity, Maximum, PartitionConf};
use crate::model::{PartitionId, QueueId, Resource};
use crate::scheduler::Cluster;

impl CapacityScheduler {
    /// Computes every queue's capacities, top down.
    pub(super) fn compute_capacities(&mut self, c: &Cluster) {
        for p in c.partition_ids() {
            let total = c.partition_total(p);
            let root = self.queues[0].part_mut(p);
            root.capacity = 1.0;
            root.absolute_capacity = 1.0;
            root.max_capacity = 1.0;
            root.absolute_max_capacity = 1.0;
            root.effective_min = total;
            root.effective_max = total;
            let mut todo = vec![QueueId(0)];
            while let Some(queue) = todo.pop() {
                self.compute_children(c, queue, p);
                todo.extend(&self.queue(queue).children);
            }
        }
    }

    fn settings(&self, c: &Cluster, queue: QueueId, p: PartitionId) -> Option<PartitionConf> {
        self.queue(queue).conf.partition(c.partition_name(p)).cloned()
    }

    fn compute_children(&mut self, c: &Cluster, parent: QueueId, p: PartitionId) {
        let (calc, total) = (c.calculator, c.partition_total(p));
        let root = parent == QueueId(0);
        let above = *self.queue(parent).part(p);
        let children = self.queue(parent).children.clone();
        let mut weights = 0f32;
        let mut sum = Resource::ZERO;
        let mut any_absolute = false;
        for child in &children {
            match self.settings(c, *child, p).map(|s| s.capacity) {
                Some(Capacity::Weight(w)) => weights += w,
                Some(Capacity::Absolute(r)) => {
                    sum += r;
                    any_absolute = true;
                }
                _ => {}
            }
        }
        let base = above.effective_min;
        let scale = any_absolute && calc.lt(total, base, sum) && !(root && total.is_zero());
        for child in children {
            let settings = self.settings(c, child, p);
            let configured_max = match self.settings(c, parent, p).map(|s| s.maximum) {
                Some(Maximum::Absolute(r)) if !r.is_zero() && !root => r,
                _ => above.effective_max,
            };
            let part = self.queues[child.index()].part_mut(p);
            part.configured_min = Resource::ZERO;
            part.weight = 0.0;
            part.normalized_weight = 0.0;
            match settings {
                Some(PartitionConf { capacity: Capacity::Absolute(min), maximum, .. }) => {
                    part.configured_min = min;
                    part.effective_min = min;
                    if scale {
                        for i in 0..calc.types {
                            if sum[i] != 0 {
                                let ratio = base[i] as f32 / sum[i] as f32;
                                part.effective_min[i] = (min[i] as f32 * ratio) as i64;
                            }
                        }
                    }
                    let own = match maximum {
                        Maximum::Absolute(r) if !r.is_zero() => r,
                        _ => configured_max,
                    };
                    part.effective_max = calc.min(total, own, configured_max);
                    let finite = |x: f32| if x.is_finite() { x } else { 0.0 };
                    part.capacity = finite(calc.divide(total, part.effective_min, above.effective_min));
                    part.max_capacity = finite(calc.divide(total, part.effective_max, above.effective_max));
                    part.absolute_capacity = part.capacity * above.absolute_capacity;
                    part.absolute_max_capacity = part.max_capacity * above.absolute_max_capacity;
                }
                settings => {
                    let (capacity, weight, max) = match settings {
                        Some(s) => {
                            let max = match s.maximum {
                                Maximum::Percent(m) => m / 100.0,
                                Maximum::Absolute(_) => 1.0,
                            };
                            match s.capacity {
                                Capacity::Percent(x) => (x / 100.0, 0.0, max),
                                Capacity::Weight(w) => (0.0, w, max),
                                Capacity::Absolute(_) => (0.0, 0.0, max),
                            }
                        }
                        None => (0.0, 0.0, 0.0),
                    };
                    part.capacity = capacity;
                    part.weight = weight;
                    part.normalized_weight = if weights <= 1e-6 { 0.0 } else { weight / weights };
                    part.max_capacity = max;
                    let share = capacity.max(part.normalized_weight);
                    part.absolute_capacity = if share > 0.0 { share * above.absolute_capacity } else { 0.0 };
                    part.absolute_max_capacity = if max > 0.0 { max * above.absolute_max_capacity } else { 0.0 };
                    part.effective_min = total.multiply_round_down(part.absolute_capacity);
                    part.effective_max = total.multiply_round_down(part.absolute_max_capacity);
                }
            }
        }
    }
}
