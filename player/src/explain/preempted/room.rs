//! Does what ends make room for a request that waits, on a node that it may go to?

use super::waiting::{Found, not_negative};
use crate::explain::say::preemption as say;
use crate::explain::view::Met;
use heddle_core::check::Check;
use heddle_core::model::{ContainerId, Resource};
use heddle_core::scheduler::Node;
use heddle_core::scheduler::capacity::Opening;

impl<'a> Found<'a> {
    /// Would one container of the request fit on one of the nodes that it may go to, when these have ended?
    pub(super) fn fits(&mut self, ended: &[ContainerId]) {
        let Some((fits, room, host)) = self.room_with(ended) else { return };
        let value = say::comes_free(host, &self.case.text(not_negative(room)), &self.case.text(self.w.size));
        let met = if fits { Met::Yes } else { Met::Slows };
        self.add(Check::NodeFree, met, value).formula = vec![say::FITS_IS.to_string()];
    }

    /// The first of the nodes that it may go to where it fits when these have ended, else the one where most comes free.
    pub(super) fn room_with(&self, ended: &[ContainerId]) -> Option<(bool, Resource, &'a str)> {
        let case = self.case;
        let cluster = case.names.rm().cluster();
        let room = |n: &Node| {
            let ends = case.names.rm().containers_on(n.id).filter(|c| ended.contains(&c.id));
            ends.fold(n.free(), |room, c| room + c.size)
        };
        let here = cluster.nodes.iter().filter(|n| n.in_scheduler && n.partition == case.p && self.may_go_to(n));
        let rooms: Vec<(Resource, &str)> = here.map(|n| (room(n), n.host.as_str())).collect();
        let fits = rooms.iter().find(|(r, _)| cluster.calculator.fits_in(&self.w.size, r));
        let best = fits.or_else(|| rooms.iter().max_by_key(|(r, host)| (*r, std::cmp::Reverse(*host))))?;
        Some((fits.is_some(), best.0, best.1))
    }

    /// May it ever go to a node, however long it waits for others? Not if its application avoids the node, or it names others
    /// and takes no substitute.
    fn may_go_to(&self, node: &Node) -> bool {
        let rm = self.case.names.rm();
        let (Some(scheduler), Some(app)) = (rm.capacity(), rm.scheduled(self.w.app)) else { return true };
        if [node.host_place, node.rack].iter().any(|place| app.avoided().contains(place)) {
            return false;
        }
        let Some(asks) = app.asks.find(self.w.key).map(|i| app.asks.at(i)) else { return true };
        let near = scheduler.nearness(rm.cluster(), asks, node);
        let opens = |way: &Opening| matches!(way, Opening::Open | Opening::After { .. });
        near.host || opens(&near.rack) || near.rack != Opening::NoRelax && opens(&near.any)
    }
}
