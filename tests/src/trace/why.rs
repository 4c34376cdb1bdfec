//! The key `why`: the scheduler's own record of the first assignment attempt of a heartbeat.

use super::Listener;
use super::play::{Player, Stop};
use heddle_core::journal::{Entry, Finding, Full};
use heddle_core::scheduler::capacity::activities;
use serde_json::{Value, json};

/// The record of a heartbeat, from its journal.
pub(crate) fn read<R: Listener>(player: &Player<R>, journal: &Full) -> Result<Value, Stop> {
    let entries: Vec<Entry> = journal.entries.iter().map(|(_, e)| e.clone()).collect();
    let begins = |e: &Entry| matches!(e, Entry::Found(Finding::Offer { .. }));
    let Some(from) = entries.iter().position(begins) else { return Ok(json!([])) };
    let to = entries[from + 1..].iter().position(begins).map_or(entries.len(), |n| from + 1 + n);
    let app_name = |id| {
        let index = player.apps.iter().position(|a| a.id == Some(id));
        index.map_or_else(String::new, |i| format!("app {i}"))
    };
    let Some(scheduler) = player.rm.capacity() else { return Ok(json!([])) };
    let passes = activities(scheduler, player.rm.cluster(), &entries[from..to], app_name);
    let passes = passes.into_iter().map(|pass| {
        let rows = pass.rows.into_iter().map(|r| json!([r.depth, r.name, r.state, r.diagnostic]));
        json!({ "result": pass.result, "tree": rows.collect::<Vec<_>>() })
    });
    Ok(passes.collect())
}
