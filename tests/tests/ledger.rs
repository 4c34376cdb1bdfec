//! Preemption rounds in random scenarios and in traces: each record agrees with itself, figure by figure, and the ledger
//! shows that record.
#![cfg(not(target_arch = "wasm32"))]
mod corpus;

use heddle_core::journal::Full;
use heddle_core::model::Resource;
use heddle_core::preemption::{IdealPass, PreemptionStep, QueueIdeal, Round};
use heddle_core::scenario::read;
use heddle_core::sim::{Event, Monitor, Simulation};
use heddle_player::Player;
use heddle_player::explain::view::{LedgerRow, LedgerTable, LedgerView, StepBy};
use std::sync::Arc;

/// Returns the scenario with preemption rounds, of a kind that depends on the number.
fn with_rounds(text: &str, n: u64) -> String {
    let of = |prefix: &str, rows: &[(&str, &str)]| -> String {
        rows.iter().map(|(key, value)| format!("\"{prefix}{key}\" = \"{value}\"\n")).collect()
    };
    let one = |values: &[&'static str], by: u64| values[(n / by) as usize % values.len()];
    let flag = |by: u64| one(&["false", "true"], by);
    let mut rows = of("yarn.resourcemanager.scheduler.", &[("monitor.enable", "true")]);
    rows += &of(
        "yarn.resourcemanager.monitor.capacity.preemption.",
        &[
            ("total_preemption_per_round", one(&["1.0", "0.3", "0.1"], 1)),
            ("natural_termination_factor", one(&["1.0", "0.2"], 1)),
            ("max_wait_before_kill", one(&["6000", "0", "15000"], 2)),
            ("select_based_on_reserved_containers", flag(2)),
            ("additional_res_balance_based_on_reserved_containers", flag(3)),
            ("preemption-to-balance-queue-after-satisfied.enabled", flag(4)),
            ("intra-queue-preemption.enabled", flag(1)),
            ("intra-queue-preemption.preemption-order-policy", one(&["userlimit_first", "priority_first"], 3)),
        ],
    );
    rows += &of("yarn.scheduler.capacity.", &[("lazy-preemption-enabled", flag(5))]);
    match text.find("[yarn-site]\n") {
        Some(at) => format!("{}{rows}{}", &text[..at + 12], &text[at + 12..]),
        None => text.replacen("[[nodes]]", &format!("[yarn-site]\n{rows}[[nodes]]"), 1),
    }
}

fn sum(amounts: impl Iterator<Item = Resource>) -> Resource {
    amounts.fold(Resource::ZERO, |sum, r| sum + r)
}

/// Returns whether no type of `a` exceeds that of `b`.
fn within(a: Resource, b: Resource) -> bool {
    (0..2).all(|i| a[i] <= b[i].max(0))
}

fn check_pass(round: &Round, pass: &IdealPass, memory_only: bool, place: &str) {
    for line in &pass.lines {
        let here = |l: &&QueueIdeal| l.partition == line.partition && l.parent == Some(line.queue);
        let children: Vec<&QueueIdeal> = pass.lines.iter().filter(here).collect();
        let of = |f: fn(&QueueIdeal) -> Resource| sum(children.iter().map(|l| f(l)));
        let at = format!("{place}, {:?} in {:?}", line.queue, line.partition);
        if children.is_empty() {
            let mine = round.wants.iter().filter(|w| (w.queue, w.partition) == (line.queue, line.partition));
            let all: Vec<_> = mine.collect();
            assert_eq!(sum(all.iter().map(|w| w.counted[0])), line.pending_in_all, "{at}: what applications want");
            let which = usize::from(!pass.counts_reserved);
            assert_eq!(sum(all.iter().map(|w| w.counted[which])), line.pending, "{at}: as this pass counts it");
            assert!(
                all.iter()
                    .all(|w| (0..2).all(|i| within(w.counted[i], w.wanted[i]) && within(w.counted[i], w.left[i])))
            );
        } else {
            assert_eq!(of(|l| l.pending), line.pending, "{at}: pending");
            assert_eq!(of(|l| l.used), line.used, "{at}: used");
            assert_eq!(of(|l| l.killable), line.killable, "{at}: killable");
            assert!(line.damped.is_zero() && line.wanted.is_zero(), "{at}: a parent gives nothing itself");
        }
        let offers = pass.offers.iter().filter(|o| (o.queue, o.partition) == (line.queue, line.partition));
        let (mut ideal, mut turn) = (line.start, None);
        for o in offers {
            assert_eq!(o.before, ideal, "{at}: offers follow each other");
            assert!(turn < Some(o.turn) && within(o.accepted, o.offered), "{at}: {o:?}");
            (ideal, turn) = (ideal + o.accepted, Some(o.turn));
        }
        assert_eq!(ideal, line.ideal, "{at}: the ideal");
        let scaled = pass.scalings.iter().find(|s| (Some(s.parent), s.partition) == (line.parent, line.partition));
        let running = line.used - line.killable;
        if !line.owed.is_zero() && scaled.is_none() {
            assert_eq!(line.owed, running - line.keep, "{at}: owes all that it uses beyond what it keeps");
        }
        if !line.owed.is_zero() && memory_only {
            assert!(line.owed.memory_mb() <= (running - line.keep).memory_mb(), "{at}");
        }
        if line.disabled || !line.beyond_dead_zone {
            assert!(line.damped.is_zero(), "{at}: nothing is taken");
        }
        if memory_only {
            assert!(line.damped.memory_mb() <= line.owed.memory_mb(), "{at}: no more than it owes");
            assert!(line.wanted.memory_mb() <= line.damped.memory_mb(), "{at}: no more than that");
            let over = line.untouchable + line.preemptable;
            assert_eq!(over.memory_mb(), (line.used - line.guaranteed).memory_mb().max(0), "{at}: over by");
        }
    }
    for s in &pass.scalings {
        assert!(s.scale < 1.0 || s.need.memory_mb() >= s.budget.memory_mb(), "{place}: {s:?}");
    }
}

fn check(round: &Round, memory_only: bool, place: &str) {
    for pass in &round.passes {
        check_pass(round, pass, memory_only, place);
    }
    let chosen = sum(round.chosen.iter().map(|c| c.size));
    let spent = round.budget - round.budget_left;
    if round.conf.select_reserved {
        assert!(within(chosen, spent), "{place}: chosen within what was spent");
    } else {
        assert_eq!(chosen, spent, "{place}: what is chosen is taken off the budget");
        let mut left = round.budget;
        for c in &round.chosen {
            left -= c.size;
            assert_eq!(c.budget_left, left, "{place}: {c:?}");
        }
    }
    if memory_only {
        assert!(round.budget_left.memory_mb() >= 0, "{place}: never beyond the budget");
    }
    if round.failed.is_some() || round.conf.observe_only {
        assert!(round.acts.is_empty(), "{place}");
        return;
    }
    let acts: Vec<_> = round.acts.iter().map(|a| (a.container, a.selector)).collect();
    assert_eq!(acts, round.chosen.iter().map(|c| (c.container, c.selector)).collect::<Vec<_>>(), "{place}");
    for act in &round.acts {
        match act.deed {
            PreemptionStep::Mark => assert_eq!(act.since, round.at, "{place}: {act:?}"),
            PreemptionStep::Wait => assert!(act.since < round.at && round.at < act.deadline, "{place}: {act:?}"),
            PreemptionStep::Kill | PreemptionStep::Void => {
                assert!(act.deadline <= round.at && act.since < round.at, "{place}: {act:?}")
            }
        }
    }
}

#[test]
fn what_a_round_records_agrees_with_itself() {
    let (mut rounds, mut taken, mut scaled, mut within_queues, mut balanced) = (0, 0, 0, 0, 0);
    for (n, (name, text)) in (0u64..).zip(corpus::random(150)) {
        let Some(scenario) = read(&with_rounds(&text, n)).scenario else { panic!("{name} cannot be read") };
        let Ok(mut sim) = Simulation::new(Arc::new(scenario)) else { continue };
        let interval = sim.rm().preemption_monitor().expect("it is on").conf().monitoring_interval_ms;
        let memory_only = !text.contains("DominantResourceCalculator");
        let mut last: Option<Arc<Round>> = None;
        while let Some(stepped) = sim.step(&mut Full::default()) {
            let Some(round) = sim.latest_preemption().filter(|_| stepped.event == Event::Round(Monitor::Preemption))
            else {
                continue;
            };
            let place = format!("{name} at {} ms", round.at);
            assert_eq!(round.number as i64, round.at / interval + 1, "{place}: those not played are counted");
            assert_eq!(round.before, (round.at > 0).then(|| round.at - interval), "{place}");
            check(round, memory_only, &place);
            rounds += 1;
            taken += round.chosen.len();
            scaled += round.passes.iter().map(|p| p.scalings.len()).sum::<usize>();
            within_queues += round.intra.iter().filter(|p| !p.apps.is_empty()).count();
            balanced += round.passes.iter().filter(|p| p.balances).count();
            last = Some(round.clone());
            if stepped.at > 120_000 {
                break;
            }
        }
        assert!(last.is_some(), "{name}: the first round is always played");
    }
    eprintln!("{rounds} rounds, {taken} chosen, {scaled} scaled, {within_queues} within queues, {balanced} balanced");
    assert!(rounds > 1_000 && taken > 100 && scaled > 10 && within_queues > 20 && balanced > 50);
}

fn column(table: &LedgerTable, name: &str) -> Option<usize> {
    table.columns.iter().position(|c| c.name == name)
}

fn amount(row: &LedgerRow, column: usize) -> i64 {
    row.cells[column].amount.as_ref().map_or(0, |a| a.memory_mb)
}

/// Figures that a round does not compute and that open nothing.
const MEASURED: [&str; 4] = ["size", "AM", "pending", "chosen before"];

/// Checks that a table's sums are those of its leaves, and of what is chosen.
fn check_view(view: &LedgerView, place: &str) -> usize {
    let mut opened = 0;
    for table in &view.tables {
        assert!(!table.rows.is_empty(), "{place}: {}", table.title);
        for row in table.rows.iter().chain(&table.sums) {
            assert_eq!(row.cells.len(), table.columns.len(), "{place}: {} of {}", row.name, table.title);
            opened += row.cells.iter().filter(|c| !c.formula.is_empty()).count();
            for (cell, column) in row.cells.iter().zip(&table.columns) {
                let figure = cell.amount.is_some() && cell.text != "–" && !MEASURED.contains(&column.name.as_str());
                assert!(!figure || !cell.formula.is_empty(), "{place}: {} of {}", column.name, row.name);
            }
            for cell in row.cells.iter().flat_map(|c| std::iter::once(&c.text).chain(&c.formula)) {
                assert!(!cell.contains("i32") && !cell.contains("NaN"), "{place}: {cell}");
            }
        }
        let (Some(sums), Some(zone)) = (&table.sums, column(table, "dead zone")) else { continue };
        let leaves: Vec<&LedgerRow> = table.rows.iter().filter(|r| r.cells[zone].amount.is_some()).collect();
        for name in ["guaranteed", "used", "pending", "ideal", "over by", "owes", "this round", "chosen"] {
            let at = column(table, name).unwrap_or_else(|| panic!("{place}: no column {name}"));
            let all: i64 = leaves.iter().map(|r| amount(r, at)).sum();
            assert_eq!(all, amount(sums, at), "{place}: {name} of {}", table.title);
        }
        let (used, root) = (column(table, "used").expect("used"), &table.rows[0]);
        assert_eq!(amount(root, used), amount(sums, used), "{place}: leaves use what the root uses");
    }
    opened
}

#[test]
fn the_ledger_shows_what_each_round_recorded() {
    let (mut stops, mut opened) = (0, 0);
    for (n, (name, text)) in (0u64..).zip(corpus::random(40)) {
        let Some(mut player) = Player::load(&with_rounds(&text, n)).player else { continue };
        player.seek(0);
        let mut before = -1;
        for _ in 0..12 {
            let view = player.ledger(None);
            assert_eq!(view.none, "", "{name} at {}", player.now());
            let here = view.here.unwrap_or_else(|| panic!("{name} at {}: a round at 0", player.now()));
            assert_eq!(view.stops[here].time_ms, player.now(), "{name}: a step ends at a round");
            opened += check_view(&view, &format!("{name} at {} ms", player.now()));
            stops += 1;
            before = player.now().max(before);
            player.step(StepBy::Round, false);
            if player.ledger(None).here == view.here {
                break;
            }
            assert!(player.now() > before, "{name}: forwards");
            // Back and forth gives the same.
            let at = player.now();
            player.step(StepBy::Round, true);
            assert_eq!(player.ledger(None), view, "{name} at {}", player.now());
            player.seek(at);
        }
    }
    eprintln!("{stops} stops, {opened} formulas");
    assert!(stops > 200 && opened > 5_000);
}
