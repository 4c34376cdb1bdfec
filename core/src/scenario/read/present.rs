//! Reads `[apps.now]`: what an application holds when the run begins.

use super::super::application::{AppNow, ContainerNow};
use super::apps::ask;
use super::fields::{Fields, Reader};
use crate::api::QueueShare;
use crate::model::{Millis, Resource};

/// The number of attempts that an application can have had.
const ATTEMPTS: std::ops::RangeInclusive<i64> = 1..=1_000_000;
/// The numbers that containers can have.
const NUMBERS: std::ops::RangeInclusive<i64> = 1..=(1 << 40);

/// Reads `[apps.now]`, if present. `can`: whether an application of this kind can have it.
pub fn now(r: &mut Reader<'_>, f: &mut Fields<'_>, can: bool, at: Millis) -> Option<AppNow> {
    let mut now = f.table(r, "now", "what an application has when the run begins")?;
    if !can {
        let what =
            "Only an application with kind = \"requests\", and without `copies`, can be there when the run begins.";
        r.error(now.span, what, "Write its requests out, or leave `now` out.");
    }
    if at != 0 {
        r.error(
            now.span,
            "An application that is there when the run begins is not submitted later.",
            "Leave `at` out.",
        );
    }
    let attempt = now.integer(r, "attempt", ATTEMPTS).unwrap_or(1) as u32;
    let mut running = containers(r, &mut now, "running", "a container");
    let reserved = containers(r, &mut now, "reserved", "a reservation");
    let masters: Vec<_> = running.iter().filter(|c| c.am).map(|c| c.span).collect();
    if let [_, second, ..] = masters.as_slice() {
        r.error(*second, "An application has one ApplicationMaster.", "Take `am` away from one of the containers.");
    }
    if masters.is_empty() && !running.is_empty() {
        r.error(now.span, "None of its containers is the ApplicationMaster's.", "Write am = true at one of them.");
    }
    let mut numbers = std::collections::BTreeSet::new();
    for container in running.iter().chain(&reserved) {
        if let Some(number) = container.number.filter(|n| !numbers.insert(*n)) {
            r.error(container.span, format!("Two of its containers have the number {number}."), "Change one.");
        }
    }
    // The ApplicationMaster's container comes first, since none is allocated before it.
    running.sort_by_key(|c| !c.am);
    let out = AppNow {
        attempt,
        active: now.boolean(r, "active").unwrap_or(true),
        registered: now.boolean(r, "registered").unwrap_or(!masters.is_empty()),
        next: now.integer(r, "next", NUMBERS).map(i64::unsigned_abs),
        diagnostics: now.text(r, "diagnostics"),
        used: now.has("used").then(|| now.size(r, "used", (0, 0))).flatten(),
        demand: now.has("demand").then(|| now.size(r, "demand", (0, 0))).flatten(),
        running,
        reserved,
        asks: now
            .tables(r, "asks", "a request")
            .into_iter()
            .map(|mut a| {
                let one = ask(r, &mut a);
                a.finish(r);
                one
            })
            .collect(),
        blacklist: now.texts(r, "blacklist"),
    };
    if masters.is_empty() && !(out.asks.is_empty() && out.reserved.is_empty()) {
        let what = "Without an ApplicationMaster nothing is asked for.";
        r.error(now.span, what, "Add its container to `running`, or take `asks` and `reserved` away.");
    }
    now.finish(r);
    Some(out)
}

fn containers(r: &mut Reader<'_>, f: &mut Fields<'_>, key: &'static str, what: &'static str) -> Vec<ContainerNow> {
    let mut out = Vec::new();
    for mut c in f.tables(r, key, what) {
        let node = c.required_name(r, "node").map(|(name, _)| name);
        let container = ContainerNow {
            number: c.integer(r, "number", NUMBERS).map(i64::unsigned_abs),
            node: node.unwrap_or_default(),
            size: c.size(r, "size", (1024, 1)).unwrap_or(Resource::new(1024, 1)),
            priority: c.int32(r, "priority").unwrap_or(0),
            allocation_request_id: c.integer(r, "id", -1..=i64::MAX).unwrap_or(-1),
            am: c.boolean(r, "am").unwrap_or(false),
            reported: c.boolean(r, "reported").unwrap_or(true),
            label: c.text(r, "label"),
            charged: c.text(r, "charged"),
            duration: c.time_or_forever(r, "duration").unwrap_or(None),
            again: c.integer(r, "again", 0..=(1 << 40)).unwrap_or(0),
            span: c.span,
        };
        c.finish(r);
        out.push(container);
    }
    out
}

/// Reads `[[shares]]`, the queues' shares from the FairScheduler's latest update before the run.
pub fn shares(r: &mut Reader<'_>, root: &mut Fields<'_>) -> Vec<QueueShare> {
    let mut out = Vec::new();
    for mut f in root.tables(r, "shares", "a queue's share") {
        let share = QueueShare {
            queue: f.required_name(r, "queue").map(|(name, _)| name).unwrap_or_default(),
            demand: f.size(r, "demand", (0, 0)).unwrap_or(Resource::ZERO),
            fair_share: f.size(r, "fair_share", (0, 0)).unwrap_or(Resource::ZERO),
            steady: f.has("steady").then(|| f.size(r, "steady", (0, 0))).flatten(),
        };
        f.finish(r);
        out.push(share);
    }
    out
}
