//! Whether ending containers make room for a waiting request on a node that it may go to.

use super::waiting::{CapacityFindings, not_negative};
use crate::explain::say::preemption as say;
use crate::explain::view::Met;
use heddle_core::check::Check;
use heddle_core::model::{ContainerId, Resource};
use heddle_core::scheduler::Node;
use heddle_core::scheduler::capacity::Opening;

impl<'a> CapacityFindings<'a> {
    /// Checks whether one container of the request would fit on a node that it may go to, once these containers have ended.
    pub(super) fn fits(&mut self, ended: &[ContainerId]) {
        let Some((fits, room, host)) = self.room_with(ended) else { return };
        let value = say::comes_free(host, &self.case.text(not_negative(room)), &self.case.text(self.w.size));
        let met = if fits { Met::Yes } else { Met::Slows };
        self.add(Check::NodeFree, met, value).formula = vec![say::FITS_IS.to_string()];
    }

    /// Returns the first node that it may go to where it fits once these containers have ended, else the one that has most free
    /// then.
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

    /// Returns whether it may ever go to a node, however long it waits. It may not if its application avoids the node, or if it
    /// names others without relaxed locality.
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
