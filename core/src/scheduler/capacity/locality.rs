//! Node-local, rack-local, off-switch: the localities that a request may use on a node now
//! (RegularContainerAllocator.assignContainersOnNode, canAssign; capacity-scheduler.md 8.4).

use super::CapacityScheduler;
use super::offer::{AppOutcome, KeyTry, Limits, Nearby, Offer};
use crate::check::{About, Check, Checked, Figures};
use crate::config::capacity::CapacityConf;
use crate::journal::Recorder;
use crate::scheduler::{Cluster, KeyAsks, Locality, Node, PlaceId};

/// The rows of a key that matter on one node: the relaxLocality of each row with pending containers.
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

/// Whether a row of a key may be served on a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Opening {
    /// There is no such row, or it has no pending containers.
    NotAsked,
    Open,
    /// The row has relaxLocality false.
    NoRelax,
    /// Open after more missed opportunities than `needed`.
    After {
        /// The missed opportunities, including the next turn.
        missed: i64,
        /// The number that `missed` has to exceed.
        needed: f32,
    },
}

/// The rows of a key that are open on a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearness {
    /// The host's row, which needs its rack's too.
    pub host: bool,
    pub rack: Opening,
    /// The row for any place.
    pub any: Opening,
}

impl Offer<'_> {
    pub(super) fn assign_by_locality<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        want: KeyTry,
        limits: &mut Limits,
        rec: &mut R,
    ) -> AppOutcome {
        let KeyTry { app, place, from, .. } = want;
        let (host_name, rack_name) = (c.node(self.terms.node).host_place, c.node(self.terms.node).rack);
        let asks = c.app(app).asks.at(place);
        let key = asks.key;
        let rows = Rows::of(asks, host_name, rack_name);
        let now = c.now;
        let node = self.terms.node;
        let nodes = c.node_count as i64;
        let about = About::OnNode(app, key, node);

        // Node-local: both the host's and the rack's row must have pending containers.
        if rows.host.is_some() && rows.rack.is_some() {
            match self.assign_on_node(c, want, limits, Nearby { row: host_name, locality: Locality::NodeLocal }, rec) {
                AppOutcome::LocalitySkipped => {}
                outcome => return outcome,
            }
        }
        // Rack-local, after enough missed opportunities.
        match rows.rack_opening(self.conf, nodes) {
            Opening::NotAsked | Opening::After { .. } => {}
            Opening::NoRelax => {
                rec.failed(now, || Checked::failed(Check::RelaxLocality, about, Figures::Place(rack_name)));
                return AppOutcome::KeySkipped;
            }
            Opening::Open => {
                let nearby = Nearby { row: rack_name, locality: Locality::RackLocal };
                match self.assign_on_node(c, want, limits, nearby, rec) {
                    AppOutcome::LocalitySkipped => {}
                    outcome => return outcome,
                }
            }
        }
        // Off-switch.
        let (check, figures) = match rows.any_opening(self.conf, nodes, from.is_some()) {
            Opening::NoRelax => (Check::RelaxLocality, Figures::Place(PlaceId::ANY)),
            Opening::Open => {
                let nearby = Nearby { row: PlaceId::ANY, locality: Locality::OffSwitch };
                return match self.assign_on_node(c, want, limits, nearby, rec) {
                    AppOutcome::LocalitySkipped => AppOutcome::AppSkipped,
                    outcome => outcome,
                };
            }
            Opening::After { missed, needed } => {
                let level = if rows.host.is_some() {
                    Locality::NodeLocal
                } else if rows.rack.is_some() {
                    Locality::RackLocal
                } else {
                    Locality::OffSwitch
                };
                let figures = Figures::Missed { level, missed, needed };
                rec.failed(now, || Checked::failed(Check::LocalityDelay, about, figures));
                c.app_mut(app).am_skip = Some(Check::LocalityDelay);
                return AppOutcome::AppSkipped;
            }
            Opening::NotAsked => (Check::LocalityRow, Figures::None),
        };
        rec.failed(now, || Checked::failed(check, about, figures));
        AppOutcome::KeySkipped
    }
}

impl Rows {
    fn rack_opening(&self, conf: &CapacityConf, nodes: i64) -> Opening {
        let (delay, missed) = (i64::from(conf.node_locality_delay), self.opportunities);
        match self.rack {
            None => Opening::NotAsked,
            Some(false) => Opening::NoRelax,
            Some(true) if delay == -1 || missed > nodes.min(delay) => Opening::Open,
            Some(true) => Opening::After { missed, needed: nodes.min(delay) as f32 },
        }
    }

    fn any_opening(&self, conf: &CapacityConf, nodes: i64, reserved: bool) -> Opening {
        match self.any {
            None => Opening::NotAsked,
            Some(false) => Opening::NoRelax,
            Some(true) => match self.off_switch_delay(conf, nodes, reserved) {
                None => Opening::Open,
                Some(needed) => Opening::After { missed: self.opportunities, needed },
            },
        }
    }

    /// Returns the number that the missed opportunities have to exceed; `None`: off-switch is allowed.
    fn off_switch_delay(&self, conf: &CapacityConf, nodes: i64, reserved: bool) -> Option<f32> {
        if reserved || (nodes > 0 && self.unique_names <= 1) {
            return None;
        }
        let missed = self.opportunities;
        let rack_delay = i64::from(conf.rack_locality_additional_delay);
        if rack_delay > -1 {
            let needed = nodes.min(i64::from(conf.node_locality_delay).saturating_add(rack_delay));
            return (missed <= needed).then_some(needed as f32);
        }
        let spread = (self.unique_names as i64 - 1) as f32 / nodes as f32;
        let needed = (nodes as f32).min(self.outstanding as f32 * spread.min(1.0));
        (missed as f32 <= needed).then_some(needed)
    }
}

impl CapacityScheduler {
    /// Returns the rows of a key that would be open on a node at its next turn, by the same rules as the assignment.
    pub fn nearness(&self, c: &Cluster, asks: &KeyAsks, node: &Node) -> Nearness {
        // The turn itself counts as an opportunity.
        let rows = Rows::of(asks, node.host_place, node.rack);
        let rows = Rows { opportunities: rows.opportunities + 1, ..rows };
        let nodes = c.node_count as i64;
        let held = asks.reserved.iter().any(|(at, _)| *at == node.id);
        Nearness {
            host: rows.host.is_some() && rows.rack.is_some(),
            rack: rows.rack_opening(&self.conf, nodes),
            any: rows.any_opening(&self.conf, nodes, held),
        }
    }
}
