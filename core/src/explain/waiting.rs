//! What waits: every outstanding request of every application, longest wait first.

use super::names::{Names, is_am_request};
use crate::model::{AppId, Millis, PartitionId, RequestKey, Resource};
use crate::sim::Simulation;
use crate::strategy::ApplicationMaster;

/// An outstanding request.
#[derive(Clone, Debug, PartialEq)]
pub struct Waiting {
    /// Whose.
    pub app: AppId,
    /// Its key.
    pub key: RequestKey,
    /// How many containers are outstanding.
    pub count: i64,
    /// Size of each.
    pub size: Resource,
    /// Is it for the ApplicationMaster's own container?
    pub am: bool,
    /// Since when the oldest of them waits.
    pub since: Millis,
    /// Hosts and racks it names.
    pub places: Vec<String>,
    /// Partition it asks for.
    pub partition: PartitionId,
}

/// Everything that waits, longest wait first; of equal waits the earlier application and key.
pub fn waiting(sim: &Simulation) -> Vec<Waiting> {
    let names = Names::new(sim);
    let cluster = sim.rm().cluster();
    let mut out = Vec::new();
    for app in cluster.apps.iter().filter(|a| a.alive) {
        let asks = names.run(app.id).and_then(|r| r.master.as_ref()).map(ApplicationMaster::asks);
        for (key, place) in app.asks.open() {
            let wanted = app.asks.at(*place as usize);
            let count = wanted.outstanding();
            let Some(any) = wanted.any().filter(|_| count > 0) else { continue };
            let am = is_am_request(app, *key);
            let since = match asks.and_then(|log| log.since(*key, count)) {
                Some(at) if !am => at,
                _ => app.started_at,
            };
            let rows = wanted.rows().iter().skip(1).filter(|(_, r)| r.count > 0);
            out.push(Waiting {
                app: app.id,
                key: *key,
                count,
                size: any.size,
                am,
                since,
                places: rows.map(|(name, _)| cluster.place_name(*name).to_string()).collect(),
                partition: wanted.partition,
            });
        }
    }
    crate::model::order::sort_by_key(&mut out, |w| (w.since, w.app, w.key));
    out
}
