//! The page says what was recorded. Over the gallery, the samples, conformance traces as scenarios and random scenarios: WHY,
//! asked in the middle of any stretch with a reason among the events, has that reason in YARN's words; WHY has no words of
//! YARN that were not recorded and omits none of the latest; these words are the real scheduler's; the headline says nothing
//! beyond WHY; and what stops a request comes after limits that passed and before limits that were not reached.
#![cfg(not(target_arch = "wasm32"))]
mod corpus;

use corpus::{Played, player};
use heddle_core::check::{About, Amounts, Check, CheckKind};
use heddle_core::journal::{Entry, Finding, Full, Subject, VisitEnd};
use heddle_core::model::{AppId, Millis, QueueId, RequestKey};
use heddle_core::scheduler::ContainerState;
use heddle_core::scheduler::capacity::{self, activities};
use heddle_core::sim::Simulation;
use heddle_player::explain::verdicts;
use heddle_player::explain::view::{CheckView, EventOutcome, EventView, Selection, WhyView};
use heddle_player::explain::{Names, events, waiting};
use heddle_player::{EventFilter, Player};
use std::sync::Arc;

/// The most characters of a headline.
const TWO_LINES: usize = 200;
/// The most findings of one run whose words are compared.
const FINDINGS: usize = 1_000;
/// The most stretches of one run that are asked about.
const STRETCHES: usize = 60;

fn scenarios(random: u64) -> Vec<Played> {
    let mut out = corpus::gallery();
    out.extend(corpus::samples());
    out.extend(corpus::traces(2, 6));
    out.extend(corpus::random(random));
    out
}

/// Returns the stretches in which something was skipped for a reason that YARN has words for.
fn stretches(player: &Player) -> Vec<EventView> {
    let filter = EventFilter { skips: true, ..EventFilter::default() };
    let all = player.events(&filter).into_iter();
    all.filter(|e| e.fate == EventOutcome::Waiting && !e.yarn.is_empty() && e.who.is_some()).collect()
}

fn tells(why: &WhyView, words: &str) -> bool {
    why.yarn.iter().any(|(said, _)| said.contains(words.trim_end()))
}

/// Returns whether an event still holds for something that waits. If it got what it wanted, asked again since, or was tried
/// for activation again by that moment, it waits for something else.
fn holds(player: &Player, event: &EventView, all: &[EventView]) -> bool {
    let waiting = player.snapshot(None).waiting;
    match event.who.as_ref() {
        Some(about @ Selection::Request { .. }) => {
            waiting.iter().any(|w| w.id == *about && w.since_ms <= event.time_ms)
        }
        Some(Selection::App(name)) => {
            let again = |e: &&EventView| {
                e.who == event.who && e.verb == event.verb && e.time_ms <= event.last_ms && e.last_ms >= event.time_ms
            };
            let last = all.iter().rev().find(again).is_none_or(|last| last == event);
            // Without a node YARN's diagnostics say that, whatever limit was met.
            let told = last && !player.simulation().rm().nodes().is_empty();
            // Room may come for its ApplicationMaster within the same millisecond.
            let filter = EventFilter { about: event.who.clone(), skips: false, until_now: true, last: 0 };
            let activated = player.events(&filter).iter().any(|e| e.verb == "activated" && e.time_ms >= event.time_ms);
            let told = told && !activated;
            waiting.iter().any(|w| w.app == *name) && (told || event.verb != "not activated")
        }
        Some(Selection::Queue(_)) => true,
        _ => false,
    }
}

#[test]
fn each_stretch_of_a_reason_is_told_at_its_middle() {
    let (mut asked, mut wrong) = (0, Vec::new());
    for (name, text) in scenarios(30) {
        let Some(mut player) = player(&text) else { continue };
        let all = stretches(&player);
        for event in all.iter().take(STRETCHES) {
            let middle = event.time_ms + (event.last_ms - event.time_ms) / 2;
            let Some(about) = &event.who else { continue };
            player.seek(middle);
            if !holds(&player, event, &all) {
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
    assert!(asked > 2_000, "only {asked} stretches");
}

#[test]
fn the_headline_says_nothing_that_why_does_not_say() {
    let mut compared = 0;
    for (name, text) in scenarios(30) {
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

/// A stretch of the causes over time is what WHY said in its middle: the limit that it names stopped the request then, and no
/// limit did if it is about nodes.
#[test]
fn each_cause_over_time_is_told_by_why_at_its_middle() {
    let (mut asked, mut wrong) = (0, Vec::new());
    let scenarios = corpus::gallery().into_iter().chain(corpus::situations()).chain(corpus::random(15));
    for (name, text) in scenarios {
        let Some(mut player) = player(&text) else { continue };
        let end = player.snapshot(None).end_ms;
        for quarter in 1..=4 {
            player.seek(end * quarter / 4);
            for waiting in player.snapshot(None).waiting.into_iter().take(3) {
                player.seek(end * quarter / 4);
                let told = player.why(&waiting.id).over_time;
                // The stretches before an activation belong to another request.
                for stretch in told.iter().filter(|s| s.from_ms >= waiting.since_ms) {
                    let to = stretch.to_ms.unwrap_or(end * quarter / 4);
                    player.seek(stretch.from_ms + (to - stretch.from_ms) / 2);
                    if !player.snapshot(None).waiting.iter().any(|w| w.id == waiting.id) {
                        continue;
                    }
                    asked += 1;
                    let why = player.why(&waiting.id);
                    let stop = why.limits.iter().find(|l| !l.passes && !l.check.is_empty());
                    let failing = failing_columns(&why);
                    let of_limit = |name: &String| {
                        Check::ALL.iter().any(|c| c.row().name == *name && matches!(c.row().kind, CheckKind::Limit))
                    };
                    let as_told = match stop {
                        Some(stop) => stretch.checks.contains(&stop.check) || !stretch.checks.iter().any(of_limit),
                        None => {
                            !stretch.checks.iter().any(of_limit) && {
                                let text = stretch.text.trim_start_matches("its AM: ");
                                let parts = text.split(", ").flat_map(|part| part.split(" and "));
                                parts.filter(|part| OF_NODES.contains(part)).all(|part| failing.contains(&part))
                            }
                        }
                    };
                    if !as_told {
                        wrong.push(format!(
                            "{name}: {} at {}: {stretch:?}, WHY has {stop:?}: {}",
                            waiting.id,
                            player.now(),
                            why.sentence
                        ));
                    }
                }
            }
        }
    }
    assert!(wrong.len() * 50 <= asked, "{} of {asked}:\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
    assert!(asked > 200, "only {asked}");
}

/// The words of stretches about nodes.
const OF_NODES: [&str; 8] = [
    "no room",
    "nodes held for others",
    "label",
    "constraint",
    "blacklist",
    "waits for its places",
    "nodes too small",
    "nodes away",
];

/// Returns the columns of a matrix that some node fails, in the words of a stretch.
fn failing_columns(why: &WhyView) -> Vec<&'static str> {
    let matrix = &why.matrix;
    let words = |check: &CheckView| match check.title.as_str() {
        _ if check.clause.is_some() => "constraint",
        "runs" => "nodes away",
        "not held" => "nodes held for others",
        "not full" => "no room",
        "not blacklisted" => "blacklist",
        "place" => "waits for its places",
        title if title.ends_with(" in all") => "nodes too small",
        title if title.ends_with(" free") => "no room",
        title if title == "no label" || title.starts_with("label ") => "label",
        _ => "",
    };
    let cells = matrix.rows.iter().flat_map(|row| row.cells.iter().zip(&matrix.checks));
    cells.filter(|(cell, _)| !cell.passes).map(|(_, check)| words(check)).collect()
}

#[test]
fn a_chain_passes_up_to_what_stops_it_and_goes_no_further() {
    let mut chains = 0;
    for (name, text) in scenarios(30) {
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
                // A written relation is true.
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

/// An entry's subject, and YARN's words for it.
struct Recorded {
    at: Millis,
    app: Option<AppId>,
    key: Option<RequestKey>,
    queue: Option<QueueId>,
    words: String,
}

/// A run with everything recorded, beside the player.
struct Record {
    sim: Simulation,
    full: Full,
    read: usize,
    all: Vec<Recorded>,
}

impl Record {
    fn of(player: &Player) -> Option<Self> {
        let sim = Simulation::new(Arc::new(player.scenario().clone())).ok()?;
        Some(Record { sim, full: Full::default(), read: 0, all: Vec::new() })
    }

    /// Plays and records everything up to a moment.
    fn play_to(&mut self, ms: Millis) {
        while self.sim.next_at().is_some_and(|next| next <= ms) && self.sim.step(&mut self.full).is_some() {}
        let names = Names::new(&self.sim);
        for (at, entry) in &self.full.entries[self.read..] {
            for words in [with_figures(names, entry), words(names, entry)] {
                if !words.is_empty() {
                    let Subject { app, key, queue, .. } = entry.subject();
                    self.all.push(Recorded { at: *at, app, key, queue, words });
                }
            }
        }
        self.read = self.full.entries.len();
    }
}

/// Returns YARN's words for a finding on a node, with the figures that its activities add.
fn with_figures(names: Names<'_>, entry: &Entry) -> String {
    let cluster = names.rm().cluster();
    match entry {
        Entry::Found(Finding::Checked(checked)) if checked.fails() && names.rm().capacity().is_some() => {
            capacity::with_figures(cluster, checked).unwrap_or_default()
        }
        Entry::Found(Finding::Leave {
            about: About::OnNode(..),
            end: VisitEnd::Reserved { need, free } | VisitEnd::ReReserved { need, free },
        }) => capacity::lacking(cluster, Check::NodeFree.row().yarn, &Amounts::fit(*need, *free)),
        _ => String::new(),
    }
}

/// Returns YARN's words for a finding.
fn words(names: Names<'_>, entry: &Entry) -> String {
    let Entry::Found(found) = entry else { return String::new() };
    match found {
        Finding::Checked(checked) if checked.fails() => verdicts::yarn(names, checked),
        Finding::Leave { about: About::OnNode(..), end: VisitEnd::Reserved { .. } | VisitEnd::ReReserved { .. } } => {
            Check::NodeFree.row().yarn.to_string()
        }
        _ => String::new(),
    }
}

#[test]
fn yarns_words_in_why_are_those_of_the_record() {
    let (mut asked, mut wrong) = (0, Vec::new());
    for (name, text) in scenarios(30) {
        let Some(mut player) = player(&text) else { continue };
        let Some(mut record) = Record::of(&player) else { continue };
        let end = player.snapshot(None).end_ms;
        for part in 1..=6 {
            let now = end * part / 6;
            player.seek(now);
            record.play_to(now);
            let sim = player.simulation().clone();
            let (names, rm) = (Names::at(&sim, now), sim.rm());
            for w in waiting::waiting(&sim).into_iter().take(12) {
                let Some(app) = rm.scheduled(w.app) else { continue };
                let why = player.why(&names.request(w.app, w.key));
                asked += 1;
                let at = || format!("{name} at {now}, {}", names.request(w.app, w.key));
                let said = || format!("WHY has {:?}: {}", why.yarn, why.sentence);
                let is_above = |queue| std::iter::successors(Some(app.queue), |q| rm.parent_of(*q)).any(|q| q == queue);
                let mine = |r: &&Recorded| r.app == Some(w.app) || r.queue.is_some_and(is_above);
                let diagnostics = rm.am_diagnostics(w.app);
                let inactive = !app.active && !w.am;
                for (words, _) in why.yarn.iter().filter(|_| !inactive) {
                    if *words != diagnostics && !record.all.iter().filter(mine).any(|r| r.words == *words) {
                        wrong.push(format!("{}: {words:?} was not recorded. {}", at(), said()));
                    }
                }
                // An AM that is not activated waits for that, whatever reason queues are skipped for.
                if !app.active && rm.capacity().is_some() || !app.runnable || !w.placing.is_empty() {
                    continue;
                }
                // If nothing was recorded about its application or queues since, at least one entry of the round that last
                // recorded something about the request itself is in the answer.
                let own = |r: &&Recorded| (r.app, r.key) == (Some(w.app), Some(w.key)) && r.at >= w.since;
                let Some(last) = record.all.iter().rev().find(own) else { continue };
                let later = record.all.iter().filter(mine).any(|r| r.at > last.at && r.key != Some(w.key));
                // A refused commit leaves no words; WHY is about that look if it came later.
                let refused = why.looked.as_ref().is_some_and(|(at, _)| *at > last.at)
                    && why.sentence.contains("refused at the commit");
                if !later && !refused && !tells(&why, &last.words) {
                    wrong.push(format!("{}: at {} was recorded {:?}. {}", at(), last.at, last.words, said()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {asked}:\n{}", wrong.len(), wrong[..wrong.len().min(25)].join("\n"));
    assert!(asked > 2_000, "only {asked}");
}

/// The activities tree is compared with the real scheduler's own (traces `capacity-why-*`): our words for an entry are its
/// words, up to the figures that follow.
#[test]
fn yarns_words_are_those_of_the_real_scheduler() {
    let mut compared = 0;
    for (name, text) in corpus::traces(4, 10).into_iter().chain(corpus::random(10)) {
        let Some(player) = Player::load(&text).player else { continue };
        let Some(mut record) = Record::of(&player) else { continue };
        record.play_to(40_000);
        let (rm, names) = (record.sim.rm(), Names::new(&record.sim));
        // With multi-node placement YARN records nothing about nodes.
        let Some(scheduler) = rm.capacity().filter(|s| !s.conf().multi_node.enabled) else { continue };
        let found = record.full.entries.iter().filter(|(_, e)| matches!(e, Entry::Found(_)));
        for (_, entry) in found.take(FINDINGS) {
            let Some(said) = events::event(names, 0, 0, 1, entry).map(|view| view.yarn) else { continue };
            if said.is_empty() {
                continue;
            }
            let passes = activities(scheduler, rm.cluster(), std::slice::from_ref(entry), |app| rm.application_id(app));
            let mut real = passes.iter().flat_map(|p| &p.rows).map(|row| row.diagnostic.as_str());
            compared += 1;
            assert!(real.any(|text| text.starts_with(said.trim_end())), "{name}: {said:?} of {entry:?}: {passes:?}");
        }
    }
    assert!(compared > 5_000, "only {compared}");
}

/// A marked container ends when WHY says, is given back by its AM before that, or is no longer chosen.
#[test]
fn what_is_being_freed_ends_as_told() {
    let (mut told, mut ended, mut wrong) = (0, 0, Vec::new());
    for (name, text) in scenarios(10) {
        let Some(mut player) = player(&text).filter(|p| p.simulation().rm().preemption_monitor().is_some()) else {
            continue;
        };
        let end = player.snapshot(None).end_ms;
        for part in 1..16 {
            let now = end * part / 16;
            player.seek(now);
            let mut freeing = Vec::new();
            for waiting in player.snapshot(None).waiting.into_iter().take(4) {
                freeing.extend(player.why(&waiting.id).preemption.into_iter().flat_map(|p| p.freeing));
            }
            for f in freeing {
                let Some(at) = f.killed_ms.filter(|at| *at <= end) else { continue };
                told += 1;
                player.seek(at);
                let sim = player.simulation();
                let names = Names::at(sim, at);
                let Selection::Container { app, k } = &f.who else { continue };
                let Some(id) = names.find_app(app).and_then(|id| names.nth(id, *k)) else { continue };
                let lives = sim.rm().container(id).is_some_and(|c| !c.killable && c.state != ContainerState::Over);
                let chosen = sim.latest_preemption().is_some_and(|r| r.acts.iter().any(|a| a.container == id));
                ended += usize::from(!lives);
                if lives && chosen || at <= now {
                    wrong.push(format!("{name} at {now}: {} {}", f.name, f.text));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {told}:\n{}", wrong.len(), wrong[..wrong.len().min(25)].join("\n"));
    assert!(ended > 10, "only {ended} of {told}");
}

/// Samples and traces play; a faulty translation would otherwise omit them silently.
#[test]
fn samples_and_traces_play() {
    for (name, text) in corpus::samples() {
        let loaded = Player::load(&text);
        let problems: Vec<String> = loaded.problems.iter().map(|p| p.render(&text)).collect();
        let mut player = loaded.player.unwrap_or_else(|| panic!("{name}: {problems:#?}"));
        player.run_to_end();
        assert!(
            player.snapshot(None).tally.running > 0 || !player.events(&EventFilter::default()).is_empty(),
            "{name}"
        );
    }
    let traces = corpus::traces(4, 4);
    let played = traces.iter().filter(|(_, text)| Player::load(text).player.is_some()).count();
    assert!(traces.len() >= 200 && played * 100 >= traces.len() * 95, "{played} of {} play", traces.len());
}
