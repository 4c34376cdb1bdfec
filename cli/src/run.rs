//! `heddle run`.

use crate::input::{Input, ProblemRow};
use crate::output::{EarlyEnd, Output};
use heddle_core::model::Millis;
use heddle_core::scenario::units::time_text;
use heddle_player::explain::view::{AppView, EventView, PreemptionCostView, Snapshot};
use heddle_player::explain::words::plain;
use heddle_player::{EventFilter, Player};
use serde::Serialize;
use std::path::Path;

#[derive(Serialize)]
struct Document<'d> {
    title: &'d str,
    core: &'static str,
    seed: u64,
    fingerprint: String,
    events_played: u64,
    events: Vec<EventView>,
    end: Snapshot,
    /// Notices about the scenario's text.
    problems: Vec<ProblemRow>,
}

/// Plays to the end, or to a time.
pub fn play(player: &mut Player, until: Option<Millis>) {
    player.run_to_end();
    player.seek(until.unwrap_or(Millis::MAX / 8));
}

pub fn run(out: &mut Output, file: &Path, until: Option<Millis>, reasons: bool, json: bool) -> Result<u8, EarlyEnd> {
    let input = Input::read_scenario(file)?;
    let (mut player, problems) = input.player()?;
    input.patiently(|| match until {
        Some(until) => player.seek(until),
        None => play(&mut player, None),
    });
    let filter = EventFilter { skips: reasons, until_now: true, ..EventFilter::default() };
    let events = player.events(&filter);
    let end = player.snapshot(None);
    if json {
        out.json(&Document {
            title: &player.scenario().title,
            core: env!("CARGO_PKG_VERSION"),
            seed: player.scenario().seed,
            fingerprint: end.fingerprint.clone(),
            events_played: player.position(),
            events,
            end,
            problems,
        })?;
        return Ok(0);
    }
    if !player.scenario().title.is_empty() {
        out.line(&player.scenario().title)?;
    }
    for event in &events {
        out.line(&event_line(event))?;
    }
    out.line(&format!("at {}: {}", time_text(end.time_ms), end.headline))?;
    let t = end.tally;
    out.line(&format!(
        "{} running, {} waiting, {} reserved; {} events; fingerprint {}",
        t.running,
        t.waiting,
        t.reserved,
        player.position(),
        end.fingerprint
    ))?;
    for app in end.apps.iter().filter(|a| a.toll != PreemptionCostView::default()) {
        out.line(&toll_line(app))?;
    }
    if let Some(words) = end.cut_off.or(end.invariants.broken) {
        out.line(&words)?;
    }
    Ok(0)
}

/// Returns a line on an application's preemption cost, and its restarted tasks.
fn toll_line(app: &AppView) -> String {
    let t = &app.toll;
    let mut parts = Vec::new();
    let mut tell = |many: i64, one: &str, more: &str| {
        if many > 0 {
            parts.push(format!("{many} {}", if many == 1 { one } else { more }));
        }
    };
    tell(t.killed, "container preempted", "containers preempted");
    tell(t.masters, "ApplicationMaster preempted", "ApplicationMasters preempted");
    tell(
        t.given_back,
        "container stopped by its AM when room was asked back",
        "containers stopped by its AM when room was asked back",
    );
    tell(t.begun_again, "task begun again", "tasks begun again");
    tell(t.resumed, "task resumed", "tasks resumed");
    for (work, what) in [(&t.lost, "lost"), (&t.saved, "kept")] {
        if work.memory_mb > 0 || work.vcores > 0 {
            parts.push(format!("work {what}: {} MB·s, {} vcore·s", work.memory_mb, work.vcores));
        }
    }
    format!("{}: {}", app.name, parts.join(", "))
}

fn event_line(e: &EventView) -> String {
    let mut line = format!("{:>9}  {:<12} {}", clock(e.time_ms), e.verb, e.name);
    if !e.node.is_empty() {
        line.push_str(&format!(" on {}", e.node));
    }
    if !e.why.is_empty() {
        line.push_str(&format!(": {}", plain(&e.why)));
    }
    if e.times > 1 {
        line.push_str(&format!(" (× {}, until {})", e.times, clock(e.last_ms)));
    }
    line
}

/// Formats a time as a column: `1:02.250`.
pub fn clock(ms: Millis) -> String {
    let (min, s, rest) = (ms / 60_000, ms / 1000 % 60, ms % 1000);
    format!("{min}:{s:02}.{rest:03}")
}
