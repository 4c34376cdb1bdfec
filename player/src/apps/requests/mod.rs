//! Answers about applications of hand-written calls.

#[cfg(test)]
pub(crate) mod page;
pub mod say;

use super::KindAnswers;
use crate::explain::Names;
use crate::explain::say::wants as say_wants;
use crate::explain::wants::Lack;
use heddle_core::check::Check;
use heddle_core::model::{AppId, Resource};
use heddle_core::scheduler::KeyAsks;
use heddle_core::strategy::{ApplicationMaster, Master, Raw};

pub(crate) struct Requests;

impl KindAnswers for Requests {
    fn lacks(&self, names: Names<'_>, app: AppId) -> Vec<Lack> {
        let Some(run) = names.run(app) else { return Vec::new() };
        let Some(Master::Raw(raw)) = &run.master else { return Vec::new() };
        let mut out = Vec::new();
        let (killed, last_ask) = (run.toll.killed, raw.asks().latest());
        // A later request may be for what was lost.
        if let Some((since, last)) = run.toll.killed_at
            && last_ask.is_none_or(|at| at < last)
        {
            let sentence = say_wants::not_asked_again(killed);
            let (count, size) = (killed, Resource::ZERO);
            let check = Check::LossAskedAgain;
            out.push(Lack { app, name: names.app(app).to_string(), count, since, size, check, sentence });
        }
        out.extend(without_any(names, app, raw));
        out
    }
}

/// Returns what an application asked for on hosts and racks without the ANY row. YARN counts that row and never serves the
/// others (LocalityAppPlacementAllocator).
fn without_any(names: Names<'_>, app: AppId, master: &Raw) -> Vec<Lack> {
    let Some(asks) = names.rm().scheduled(app).map(|app| &app.asks) else { return Vec::new() };
    let of_key = |key: &KeyAsks| {
        let rows: Vec<_> = key.rows().filter(|(_, row)| row.count > 0).collect();
        // A host's containers count in its rack too.
        let is_rack = |place| names.rm().cluster().place_name(place).starts_with('/');
        let sum =
            |racks: bool| rows.iter().filter(|(place, _)| is_rack(*place) == racks).map(|(_, row)| row.count).sum();
        let count = i64::max(sum(true), sum(false));
        let size = rows.first()?.1.size;
        let places: Vec<&str> = rows.iter().map(|(place, _)| names.rm().cluster().place_name(*place)).collect();
        let name = names.past_request_name(app, key.key);
        let sentence = say::without_any(names.app(app), count, &places);
        let since = master.rows_since().unwrap_or(names.now);
        // Its AM may have had the same key.
        let never = key.outstanding() <= 0 && master.asks().since(key.key, 1).is_none();
        never.then_some(Lack { app, name, count, since, size, check: Check::RequestPending, sentence })
    };
    asks.keys().iter().filter_map(of_key).collect()
}
