//! The locality that a key's containers may have at an offer (FSAppAttempt.getAllowedLocalityLevel,
//! getAllowedLocalityLevelByTime; fair-scheduler.md 13.1).

use super::FairScheduler;
use crate::check::Figures;
use crate::config::fair::FairConf;
use crate::model::{AppId, Millis};
use crate::scheduler::{Cluster, Locality};

/// The allowed locality of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// The loosest locality that is allowed.
    pub allowed: Locality,
    /// The time since when it is allowed: delays by time count from here.
    pub since: Millis,
}

/// Returns a key's level at an offer, from its level before, the number of offers that count, and the number of nodes;
/// and whether the count of offers starts again. `None`: nothing is ever delayed.
pub fn next_level(
    conf: &FairConf,
    level: Option<Level>,
    offers: i64,
    nodes: usize,
    now: Millis,
) -> Option<(Level, bool)> {
    let by_time = conf.continuous;
    let off = if by_time {
        conf.node_delay_ms < 0 || conf.rack_delay_ms < 0
    } else {
        conf.node_threshold < 0.0 || conf.rack_threshold < 0.0
    };
    if off {
        return None;
    }
    let Some(level) = level else { return Some((Level { allowed: Locality::NodeLocal, since: now }, false)) };
    let over = match (level.allowed, by_time) {
        (Locality::OffSwitch, _) => false,
        (Locality::NodeLocal, true) => now - level.since > conf.node_delay_ms,
        (Locality::RackLocal, true) => now - level.since > conf.rack_delay_ms,
        (allowed, false) => {
            let share = if allowed == Locality::NodeLocal { conf.node_threshold } else { conf.rack_threshold };
            offers as f64 > nodes as f64 * f64::from(share)
        }
    };
    if !over {
        return Some((level, false));
    }
    Some((Level { allowed: looser(level.allowed), since: now }, !by_time))
}

fn looser(locality: Locality) -> Locality {
    match locality {
        Locality::NodeLocal => Locality::RackLocal,
        _ => Locality::OffSwitch,
    }
}

impl FairScheduler {
    fn level(&self, app: AppId, place: usize) -> Option<Level> {
        self.apps[app.index()].levels.get(place).copied().flatten()
    }

    pub(super) fn set_level(&mut self, app: AppId, place: usize, level: Level) {
        let levels = &mut self.app_mut(app).levels;
        if levels.len() <= place {
            levels.resize(place + 1, None);
        }
        levels[place] = Some(level);
    }

    /// Returns the locality that an offer may use now; the offer is already counted. It depends on time if nodes are
    /// offered continuously, otherwise on the number of offers.
    pub(super) fn allowed_level(&mut self, c: &mut Cluster, app: AppId, place: usize) -> Locality {
        let offers = c.app(app).asks.at(place).opportunities;
        let before = self.level(app, place);
        let Some((level, anew)) = next_level(&self.conf, before, offers, c.node_count, c.now) else {
            return Locality::OffSwitch;
        };
        if before != Some(level) {
            self.set_level(app, place, level);
        }
        if anew {
            c.app_mut(app).asks.at_mut(place).opportunities = 0;
        }
        level.allowed
    }

    /// Makes the level no looser than the locality of a container that was placed.
    pub(super) fn tighten(&mut self, app: AppId, place: usize, placed: Locality) {
        if let Some(level) = self.level(app, place).filter(|l| l.allowed > placed) {
            self.set_level(app, place, Level { allowed: placed, ..level });
        }
    }

    /// Returns what keeps a key from going further out: how many offers (or ms) it has waited, and how many it needs.
    pub(super) fn delay(&self, c: &Cluster, app: AppId, place: usize) -> (i64, f32) {
        let Some(level) = self.level(app, place) else { return (0, 0.0) };
        let node = level.allowed == Locality::NodeLocal;
        let conf = &self.conf;
        if conf.continuous {
            let needed = if node { conf.node_delay_ms } else { conf.rack_delay_ms };
            (c.now - level.since, needed as f32)
        } else {
            let share = if node { conf.node_threshold } else { conf.rack_threshold };
            (c.app(app).asks.at(place).opportunities, c.node_count as f32 * share)
        }
    }

    /// Returns what would keep a key from a node that it does not name at its next offer: the allowed level, and the
    /// offers (or ms) that it has waited and needs. `names_rack`: whether the key names the node's rack. `None`:
    /// nothing would.
    pub fn delay_at(&self, c: &Cluster, app: AppId, place: usize, names_rack: bool, now: Millis) -> Option<Figures> {
        let (conf, offers) = (&self.conf, c.app(app).asks.at(place).opportunities);
        let (level, anew) = next_level(conf, self.level(app, place), offers + 1, c.node_count, now)?;
        let needs = if names_rack { Locality::RackLocal } else { Locality::OffSwitch };
        if level.allowed >= needs {
            return None;
        }
        let of_node = level.allowed == Locality::NodeLocal;
        Some(if conf.continuous {
            let needed_ms = if of_node { conf.node_delay_ms } else { conf.rack_delay_ms };
            Figures::Waited { level: level.allowed, waited_ms: now - level.since, needed_ms }
        } else {
            let share = if of_node { conf.node_threshold } else { conf.rack_threshold };
            let missed = if anew { 0 } else { offers };
            Figures::Missed { level: level.allowed, missed, needed: c.node_count as f32 * share }
        })
    }

    /// Returns the next time at which a delay by time ends, for keys that wait for one.
    pub(crate) fn next_relaxation(&self, c: &Cluster) -> Option<Millis> {
        if !self.conf.continuous {
            return None;
        }
        let levels = c.apps.iter().filter(|a| a.alive).flat_map(|a| {
            let open = a.asks.open().iter().map(|(_, place)| *place as usize);
            open.filter(|place| a.asks.at(*place).unique_names() > 1).filter_map(|place| self.level(a.id, place))
        });
        let ends = levels.filter_map(|level| {
            let delay = match level.allowed {
                Locality::NodeLocal => self.conf.node_delay_ms,
                Locality::RackLocal => self.conf.rack_delay_ms,
                Locality::OffSwitch => return None,
            };
            Some(level.since.saturating_add(delay).saturating_add(1))
        });
        ends.filter(|at| *at > c.now).min()
    }
}
