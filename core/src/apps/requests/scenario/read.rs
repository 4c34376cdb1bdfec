//! Reads allocate calls: `calls`.

use crate::apps::scenario::AppKind;
use crate::apps::scenario::read::{ClientSubmits, EntrySoFar, ReadKind};
use crate::model::{RequestKey, Resource};
use crate::scenario::application::{Ask, Call, TaggedAsk};
use crate::scenario::read::apps::{COUNT, TASK, ask};
use crate::scenario::read::constraints::constraint;
use crate::scenario::read::fields::{Fields, Reader};
use std::collections::BTreeSet;

/// An entry of `kind = "requests"`.
pub struct CallsEntry;

impl ReadKind for CallsEntry {
    fn may_run_already(&self) -> bool {
        true
    }

    fn read(&mut self, r: &mut Reader<'_>, f: &mut Fields<'_>, entry: EntrySoFar) -> (AppKind, Option<ClientSubmits>) {
        let calls = calls(r, f);
        if !entry.runs_already {
            without_any(r, &calls);
        }
        (calls.into(), None)
    }
}

fn calls(r: &mut Reader<'_>, f: &mut Fields<'_>) -> Vec<Call> {
    let mut out = Vec::new();
    for mut c in f.tables(r, "calls", "a call") {
        let at = c.time(r, "at").unwrap_or(0);
        let mut call = Call { at, span: c.span, ..Call::default() };
        for mut a in c.tables(r, "asks", "a request") {
            call.asks.push(ask(r, &mut a));
            a.finish(r);
        }
        for mut s in c.tables(r, "scheduling", "a scheduling request") {
            call.scheduling.push(TaggedAsk {
                allocation_request_id: s.integer(r, "id", 0..=i64::MAX).unwrap_or(0),
                priority: s.int32(r, "priority").unwrap_or(0),
                tags: s.texts(r, "tags"),
                count: s.integer(r, "count", COUNT).unwrap_or(1),
                size: s.size(r, "size", TASK).unwrap_or(Resource::new(TASK.0, TASK.1)),
                constraint: constraint(r, &mut s, "constraint"),
                duration: s.time_or_forever(r, "duration").unwrap_or(None),
            });
            s.finish(r);
        }
        call.release = numbers(r, &mut c, "release");
        call.blacklist_add = c.texts(r, "blacklist_add");
        call.blacklist_remove = c.texts(r, "blacklist_remove");
        call.unregister = c.boolean(r, "unregister").unwrap_or(false);
        c.finish(r);
        out.push(call);
    }
    crate::model::order::sort_by_key(&mut out, |c| c.at);
    out
}

/// Warns of rows for hosts and racks without one for any place: YARN counts the latter, and never serves the others.
fn without_any(r: &mut Reader<'_>, calls: &[Call]) {
    let any: BTreeSet<RequestKey> =
        { calls.iter() }.flat_map(|c| &c.asks).filter(|a| a.row.place == "*").map(|a| a.row.key()).collect();
    for call in calls {
        let alone = |a: &&Ask| a.row.place != "*" && a.row.count > 0 && !any.contains(&a.row.key());
        if let Some(ask) = call.asks.iter().find(alone) {
            let place = &ask.row.place;
            let what =
                format!("{place} is asked for without a row for any place: YARN counts that row, and serves nothing.");
            r.warning(
                call.span,
                what,
                "Ask for as many with place = \"*\" too, and relax = false where no other place will do.",
            );
        }
    }
}

fn numbers(r: &mut Reader<'_>, f: &mut Fields<'_>, key: &'static str) -> Vec<usize> {
    let Some((item, span)) = f.item(key) else { return Vec::new() };
    let list: Option<Vec<usize>> =
        item.as_array().and_then(|a| a.iter().map(|v| v.as_integer().and_then(|n| usize::try_from(n).ok())).collect());
    list.unwrap_or_else(|| {
        r.error(span, format!("`{key}` is not a list of container numbers."), "Write [1, 2].");
        Vec::new()
    })
}
