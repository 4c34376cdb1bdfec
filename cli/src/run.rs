//! `heddle run`.

use crate::input::Input;
use crate::output::{Output, Stop};
use heddle_core::explain::view::{EventView, Snapshot};
use heddle_core::model::Millis;
use heddle_core::player::{EventFilter, Player};
use heddle_core::scenario::units::time_text;
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
}

/// Plays to the end, or to a time.
pub fn play(player: &mut Player, until: Option<Millis>) {
    player.run_to_end();
    player.seek(until.unwrap_or(Millis::MAX / 8));
}

pub fn run(out: &mut Output, file: &Path, until: Option<Millis>, reasons: bool, json: bool) -> Result<u8, Stop> {
    let input = Input::read(file)?;
    let mut player = input.player()?;
    match until {
        Some(until) => player.seek(until),
        None => play(&mut player, None),
    }
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
    if let Some(words) = end.cut_off.or(end.invariants.broken) {
        out.line(&words)?;
    }
    Ok(0)
}

fn event_line(e: &EventView) -> String {
    let mut line = format!("{:>9}  {:<12} {}", clock(e.time_ms), e.verb, e.name);
    if !e.node.is_empty() {
        line.push_str(&format!(" on {}", e.node));
    }
    if !e.why.is_empty() {
        line.push_str(&format!(": {}", e.why.replace("**", "")));
    }
    if e.times > 1 {
        line.push_str(&format!(" (× {}, until {})", e.times, clock(e.last_ms)));
    }
    line
}

/// `1:02.250`, as a column.
pub fn clock(ms: Millis) -> String {
    let (min, s, rest) = (ms / 60_000, ms / 1000 % 60, ms % 1000);
    format!("{min}:{s:02}.{rest:03}")
}
