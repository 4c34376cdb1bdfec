//! What an application asks for that its scheduler ignores.

use crate::explain::names::Names;
use crate::explain::say;
use heddle_core::model::{AppId, Resource};
use heddle_core::scheduler::Scheduler;

/// Returns sentences on what the FifoScheduler ignores of an application's requests: it counts memory alone, and may go to any
/// place.
pub fn of_app(names: Names<'_>, id: AppId) -> Vec<String> {
    let rm = names.rm();
    let (Scheduler::Fifo(_), Some(app)) = (rm.scheduler(), rm.scheduled(id)) else { return Vec::new() };
    let Some(spec) = names.sim.place_of(id).and_then(|place| names.scenario().apps.get(place)) else {
        return Vec::new();
    };
    let (mut dropped, mut strict) = (Resource::ZERO, false);
    for keyed in app.asks.keys() {
        strict |= keyed.rows().any(|(_, row)| !row.relax);
        let got = keyed.any().map_or(Resource::ZERO, |any| any.size);
        for asked in spec.kind.sizes(keyed.key.priority) {
            for i in 2..asked.0.len() {
                if got[i] == 0 {
                    dropped.0[i] = dropped[i].max(asked[i]);
                }
            }
        }
    }
    let types = &rm.cluster().types;
    let mut out = Vec::new();
    if !dropped.is_zero() {
        let kinds: Vec<usize> = (2..dropped.0.len()).filter(|i| dropped[*i] > 0).collect();
        out.push(say::types_dropped(names.app(id), &crate::explain::words::those(dropped, &kinds, types)));
    }
    out.extend(strict.then(|| say::RELAX_IGNORED.to_string()));
    out
}
