//! What is left to a queue of all limits above it, and whom the rest is kept for (capacity-scheduler.md 7.2, 8.3(4)).

use super::limits::{Chain, Link, Maker, Stop};
use super::view::LimitView;
use super::words;
use crate::journal::{QueueVerdict, RequestVerdict};
use crate::model::{QueueId, Resource};

impl Maker<'_> {
    /// A queue above the leaf that has used up what its parent leaves it.
    pub(super) fn left_by_parent(
        &self,
        out: &mut Chain,
        view: LimitView,
        (id, used, limit): (QueueId, Resource, Resource),
    ) -> bool {
        let path = self.names.queue(id);
        let link = Link { name: "headroom", of: path.to_string(), used, asked: self.w.size, limit, passes: false };
        out.limits.extend([view, self.link(link)]);
        out.stop = Some(Stop {
            short: "no headroom".to_string(),
            sentence: format!(
                "{path} uses {}, and its parent leaves it {} for now{}.",
                self.text(used),
                self.text(limit.minus_not_below_zero(Resource::ZERO)),
                self.kept_for()
            ),
            yarn: "Queue hits max-capacity limit".to_string(),
            never: false,
            holders: Vec::new(),
        });
        true
    }

    /// Whom room is kept for: leaves whose most urgent request does not fit, and which come first.
    fn kept_for(&self) -> String {
        let waits = self.evidence.queues.iter().filter_map(|((queue, partition), verdict)| match verdict {
            QueueVerdict::Headroom { app, need, .. } if *queue != self.app.queue && *partition == self.w.partition => {
                Some(format!(
                    "{}, where {} waits for {}",
                    self.names.queue(*queue),
                    self.names.app(*app),
                    self.text(*need)
                ))
            }
            _ => None,
        });
        let waits: Vec<String> = waits.collect();
        if waits.is_empty() { String::new() } else { format!("; room is kept for {}", words::list(&waits, 2)) }
    }

    /// What is left of the limits above, as the scheduler reckoned it (room withheld for siblings included).
    pub(super) fn headroom(&self, out: &mut Chain) {
        let queue = self.names.queue(self.app.queue).to_string();
        let at_maximum = match self.evidence.queues.get(&(self.app.queue, self.w.partition)) {
            Some(QueueVerdict::MaxCapacity { used, limit, .. }) => {
                Some((self.w.size, limit.minus_not_below_zero(*used)))
            }
            _ => None,
        };
        // A request is held against the headroom on nodes of other partitions too.
        let here = |node| self.names.rm().node(node).is_some_and(|n| n.partition == self.w.partition);
        let own = match self.evidence.requests.get(&(self.w.app, self.w.key)) {
            Some((node, RequestVerdict::Headroom { need, headroom })) if here(*node) => Some((*need, *headroom)),
            _ => None,
        };
        // Where all of it is reserved only the nodes that are held have to come free.
        let stopped = own.or(at_maximum).filter(|_| !self.held());
        let (need, headroom) = stopped.unwrap_or((self.w.size, out.headroom));
        let passes = stopped.is_none_or(|(need, headroom)| self.fits(need, headroom));
        let mut view = self.link(Link {
            name: "headroom",
            of: queue.clone(),
            used: Resource::ZERO,
            asked: need,
            limit: headroom,
            passes,
        });
        let place = self.scarcest(need, headroom);
        view.text = format!("{} ≤ {}", words::bare(need[place], place), words::bare(headroom[place], place));
        view.formula = vec![format!("the least of maximum − used from root to {queue}: {}", self.text(headroom))];
        out.limits.push(view);
        if !passes {
            // Where the maximums alone would let it pass, room is withheld for others.
            let kept = if self.fits(need, out.headroom) { self.kept_for() } else { String::new() };
            out.stop = Some(Stop {
                short: "no headroom".to_string(),
                sentence: format!("{queue} may still take {}; needs {}{}.", self.text(headroom), self.text(need), kept),
                yarn: match own {
                    None => "Queue hits max-capacity limit".to_string(),
                    Some(_) => super::turn::headroom_yarn(self.names, self.w.app),
                },
                never: false,
                holders: Vec::new(),
            });
        }
    }
}
