//! The limit on containers that ApplicationMasters track one by one, checked before any of them is created. Happenings that
//! raise their number later (a flex, a restart with another configuration) count from the start.

use super::super::AppKind;
use super::super::document::Scenario;
use super::super::happening::Act;
use super::fields::Reader;
use crate::apps::scenario::read::ASK_ONE_BY_ONE;
use crate::model::{Span, limits};
use std::collections::BTreeMap;

/// Reports the first place at which the applications would request more than [`limits::INSTANCES`] containers one by one.
pub fn tell(r: &mut Reader<'_>, s: &Scenario) {
    let mut most: Vec<u64> = Vec::new();
    let mut sum = 0u64;
    let mut copied = (usize::MAX, 0);
    for app in &s.apps {
        // Copies of one entry have equal counts.
        if copied.0 != app.entry {
            copied = (app.entry, app.kind.one_by_one());
        }
        let own = copied.1;
        most.push(own);
        sum = sum.saturating_add(own);
        if sum > limits::INSTANCES {
            return exceeded(r, app.span, sum, "Lower the counts, or the copies.");
        }
    }
    let places: BTreeMap<&str, usize> = s.apps.iter().enumerate().map(|(at, app)| (app.name.as_str(), at)).collect();
    // The largest count that a flex has set for each component, by application; other components keep their own.
    let mut flexed: Vec<BTreeMap<String, u64>> = vec![BTreeMap::new(); s.apps.len()];
    for happening in &s.happenings {
        let Some(&at) = happening.act.app().and_then(|name| places.get(name)) else { continue };
        let Some(now) = after(&s.apps[at].kind, &happening.act, &mut flexed[at]) else { continue };
        let more = now.saturating_sub(most[at]);
        most[at] = most[at].max(now);
        sum = sum.saturating_add(more);
        if sum > limits::INSTANCES {
            return exceeded(r, happening.span, sum, "Lower the numbers.");
        }
    }
}

fn exceeded(r: &mut Reader<'_>, span: Span, sum: u64, mend: &str) {
    let most = limits::INSTANCES;
    let what = format!(
        "{ASK_ONE_BY_ONE} ask for {sum} containers in all; at most {most} that are asked for one by one can be played."
    );
    r.error(span, what, mend);
}

/// Returns the most containers that an application requests after a happening; `None`: the happening does not change that.
fn after(kind: &AppKind, act: &Act, flexed: &mut BTreeMap<String, u64>) -> Option<u64> {
    if let Act::Flex { counts, definition, .. } = act {
        for (component, count) in counts {
            let largest = flexed.entry(component.clone()).or_default();
            *largest = (*largest).max(count.unsigned_abs());
        }
        let by_counts = flexed.values().fold(0u64, |sum, n| sum.saturating_add(*n));
        let defined = definition
            .as_ref()
            .map_or(0, |d| d.components.keys().filter_map(|name| d.instances(name).ok()).map(i64::unsigned_abs).sum());
        return Some(kind.one_by_one().saturating_add(by_counts).max(defined));
    }
    kind.one_by_one_after(act)
}
