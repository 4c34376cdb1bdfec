//! Node-local, rack-local, off-switch: which of them a request may use on this node now
//! (RegularContainerAllocator.assignContainersOnNode, canAssign; capacity-scheduler.md 8.4).

use super::CapacityScheduler;
use super::look::{AppOutcome, Limits, Look};
use crate::journal::{Finding, NodeVerdict, Recorder};
use crate::model::AppId;
use crate::scheduler::app::AmSkip;
use crate::scheduler::{Cluster, KeyAsks, Locality, PlaceId, Slot};

/// The rows of a key that matter on one node: whether they want something, and their relaxLocality.
struct Rows {
    host: Option<bool>,
    rack: Option<bool>,
    any: Option<bool>,
    outstanding: i64,
    opportunities: i64,
    unique_names: usize,
}

impl Rows {
    fn of(asks: &KeyAsks, host: PlaceId, rack: PlaceId) -> Self {
        let wanted = |name| asks.row(name).filter(|r| r.count > 0).map(|r| r.relax);
        let any = asks.any().filter(|r| r.count > 0).map(|r| r.relax);
        let unique_names = asks.unique_names();
        // Most keys ask for "anywhere" alone.
        let (host, rack) = if unique_names > 1 { (wanted(host), wanted(rack)) } else { (None, None) };
        Rows { host, rack, any, outstanding: asks.outstanding(), opportunities: asks.opportunities, unique_names }
    }
}

impl CapacityScheduler {
    #[allow(clippy::too_many_arguments)]
    pub(super) fn assign_by_locality<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        app: AppId,
        place: usize,
        look: &Look,
        limits: &mut Limits,
        from: Option<Slot>,
        rec: &mut R,
    ) -> AppOutcome {
        let (host_name, rack_name) = (c.node(look.node).host_place, c.node(look.node).rack);
        let asks = c.app(app).asks.at(place);
        let key = asks.key;
        let rows = Rows::of(asks, host_name, rack_name);
        let now = c.now;
        let node = look.node;
        let nodes = c.node_count as i64;
        let missed = rows.opportunities;

        // Node-local: both the host's and the rack's row must want something.
        if rows.host.is_some() && rows.rack.is_some() {
            match self.assign_on_node(c, app, place, look, limits, from, host_name, Locality::NodeLocal, rec) {
                AppOutcome::LocalitySkipped => {}
                outcome => return outcome,
            }
        }
        // Rack-local, after enough missed opportunities.
        if let Some(relax) = rows.rack {
            if !relax {
                rec.note(now, || Finding::Node { app, key, node, verdict: NodeVerdict::NoRelax { place: rack_name } });
                return AppOutcome::KeySkipped;
            }
            let delay = i64::from(self.conf.node_locality_delay);
            if delay == -1 || missed > nodes.min(delay) {
                match self.assign_on_node(c, app, place, look, limits, from, rack_name, Locality::RackLocal, rec) {
                    AppOutcome::LocalitySkipped => {}
                    outcome => return outcome,
                }
            }
        }
        // Off-switch.
        if let Some(relax) = rows.any {
            if !relax {
                let verdict = NodeVerdict::NoRelax { place: PlaceId::ANY };
                rec.note(now, || Finding::Node { app, key, node, verdict });
                return AppOutcome::KeySkipped;
            }
            match self.off_switch_delay(&rows, nodes, from.is_some()) {
                None => {
                    return match self.assign_on_node(
                        c,
                        app,
                        place,
                        look,
                        limits,
                        from,
                        PlaceId::ANY,
                        Locality::OffSwitch,
                        rec,
                    ) {
                        AppOutcome::LocalitySkipped => AppOutcome::AppSkipped,
                        outcome => outcome,
                    };
                }
                Some(needed) => {
                    let level = if rows.host.is_some() {
                        Locality::NodeLocal
                    } else if rows.rack.is_some() {
                        Locality::RackLocal
                    } else {
                        Locality::OffSwitch
                    };
                    let verdict = NodeVerdict::Delay { level, missed, needed };
                    rec.note(now, || Finding::Node { app, key, node, verdict });
                    c.app_mut(app).am_skip = Some(AmSkip::Locality);
                    return AppOutcome::AppSkipped;
                }
            }
        }
        rec.note(now, || Finding::Node { app, key, node, verdict: NodeVerdict::NoRow });
        AppOutcome::KeySkipped
    }

    /// `None`: off-switch is allowed; else the number that the missed opportunities have to exceed.
    fn off_switch_delay(&self, rows: &Rows, nodes: i64, reserved: bool) -> Option<f32> {
        if reserved || (nodes > 0 && rows.unique_names <= 1) {
            return None;
        }
        let missed = rows.opportunities;
        let rack_delay = i64::from(self.conf.rack_locality_additional_delay);
        if rack_delay > -1 {
            let needed = nodes.min(i64::from(self.conf.node_locality_delay).saturating_add(rack_delay));
            return (missed <= needed).then_some(needed as f32);
        }
        let spread = (rows.unique_names as i64 - 1) as f32 / nodes as f32;
        let needed = (nodes as f32).min(rows.outstanding as f32 * spread.min(1.0));
        (missed as f32 <= needed).then_some(needed)
    }
}
