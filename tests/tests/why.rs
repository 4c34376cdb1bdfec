//! What the page says is what was recorded: over the gallery and random scenarios, every stretch that the events tell of a
//! reason is told by WHY at its middle in YARN's words, the headline says nothing that WHY does not say, and what stops a
//! request stands behind limits that passed and before limits that were not reached.
#![cfg(not(target_arch = "wasm32"))]
#[path = "random/script.rs"]
mod script;

use heddle_core::explain::view::{EventView, Fate, Selection, WhyView};
use heddle_core::player::{EventFilter, Player};

/// Letters of a headline at most.
const TWO_LINES: usize = 200;

/// Every gallery scenario, then random ones.
fn scenarios(random: u64) -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios");
    let files = std::fs::read_dir(folder).expect(folder).map(|f| f.expect("a file").path());
    let mut out: Vec<(String, String)> = files
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .map(|path| (path.display().to_string(), std::fs::read_to_string(&path).expect("it can be read")))
        .collect();
    out.sort();
    let from = std::env::var("HEDDLE_FROM").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    out.extend((from..from + random).map(|seed| (format!("random scenario {seed}"), script::scenario(seed))));
    out
}

fn player(text: &str) -> Option<Player> {
    let mut player = Player::load(text).player?;
    player.run_to_end();
    Some(player)
}

/// The stretches in which something was passed over for a reason that YARN has words for.
fn stretches(player: &Player) -> Vec<EventView> {
    let filter = EventFilter { skips: true, ..EventFilter::default() };
    let all = player.events(&filter).into_iter();
    all.filter(|e| e.fate == Fate::Waiting && !e.yarn.is_empty() && e.who.is_some()).collect()
}

fn tells(why: &WhyView, words: &str) -> bool {
    why.yarn.iter().any(|(said, _)| said.contains(words.trim_end()))
}

/// Is it about something that waits at this moment? Who no longer waits has got what it wanted.
fn waits(player: &Player, about: &Selection) -> bool {
    let waiting = player.snapshot(None).waiting;
    match about {
        Selection::Request { .. } => waiting.iter().any(|w| w.id == *about),
        Selection::App(name) => waiting.iter().any(|w| w.app == *name),
        Selection::Queue(_) => true,
        _ => false,
    }
}

#[test]
fn each_stretch_of_a_reason_is_told_at_its_middle() {
    let (mut asked, mut wrong) = (0, Vec::new());
    for (name, text) in scenarios(60) {
        let Some(mut player) = player(&text) else { continue };
        for event in stretches(&player).into_iter().take(400) {
            let middle = event.time_ms + (event.last_ms - event.time_ms) / 2;
            let Some(about) = &event.who else { continue };
            player.seek(middle);
            if !waits(&player, about) {
                continue;
            }
            asked += 1;
            let why = player.why(about);
            if !tells(&why, &event.yarn) {
                wrong.push(format!(
                    "{name}: {about} at {middle} ms ({} to {}, {} times): the events tell {:?} on {}, WHY {:?}: {}",
                    event.time_ms, event.last_ms, event.times, event.yarn, event.node, why.yarn, why.sentence
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {asked}:\n{}", wrong.len(), wrong[..wrong.len().min(25)].join("\n"));
    assert!(asked > 1_000, "only {asked} stretches");
}

#[test]
fn the_headline_says_nothing_that_why_does_not_say() {
    let mut compared = 0;
    for (name, text) in scenarios(40) {
        let Some(mut player) = player(&text) else { continue };
        let end = player.snapshot(None).end_ms;
        for eighth in 0..8 {
            player.seek(end * eighth / 8);
            let snapshot = player.snapshot(None);
            let Some(about @ Selection::Request { .. }) = &snapshot.headline_about else { continue };
            let why = player.why(about);
            let said = why.sentence.replace("**", "");
            let headline = snapshot.headline.trim_end_matches('.');
            let clause = headline.split_once(": ").map_or(headline, |(_, clause)| clause);
            compared += 1;
            assert!(headline.chars().count() <= TWO_LINES, "{name} at {}: {headline}", snapshot.time_ms);
            assert!(
                said.to_lowercase().contains(&clause.to_lowercase()),
                "{name} at {}: {headline:?} beside {said:?}",
                snapshot.time_ms
            );
        }
    }
    assert!(compared > 100, "only {compared} headlines");
}

#[test]
fn a_chain_passes_up_to_what_stops_it_and_goes_no_further() {
    let mut chains = 0;
    for (name, text) in scenarios(40) {
        let Some(mut player) = player(&text) else { continue };
        let end = player.snapshot(None).end_ms;
        for tenth in 0..10 {
            player.seek(end * tenth / 10);
            for waiting in player.snapshot(None).waiting.into_iter().take(6) {
                let why = player.why(&waiting.id);
                let Some(stop) = why.limits.iter().position(|l| !l.passes) else { continue };
                chains += 1;
                let at = format!("{name} at {} of {end} ms, {}: {:?}", end * tenth / 10, waiting.id, why.limits);
                assert!(why.limits[stop].reached, "{at}");
                assert!(why.limits[stop + 1..].iter().all(|l| !l.reached && !l.passes), "{at}");
                // A relation that is written down is true.
                for l in why.limits.iter().filter(|l| l.reached) {
                    let parts: Vec<&str> = l.text.split_whitespace().filter(|t| *t != "%").collect();
                    let number = |t: &str| t.replace('−', "-").parse::<f64>().ok();
                    let [left @ .., sign, right] = parts.as_slice() else { continue };
                    let sum: Option<f64> = left.iter().filter(|t| **t != "+").map(|t| number(t)).sum();
                    let (Some(left), Some(right)) = (sum, number(right)) else { continue };
                    // Amounts are rounded to hundredths of a GB.
                    if (left - right).abs() < 0.02 {
                        continue;
                    }
                    let holds = match *sign {
                        "<" => left < right,
                        "≤" => left <= right,
                        ">" => left > right,
                        "≥" => left >= right,
                        _ => continue,
                    };
                    assert!(holds, "{} in {at}", l.text);
                }
            }
        }
    }
    assert!(chains > 200, "only {chains} chains");
}
