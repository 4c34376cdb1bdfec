//! Randomly damaged facts: a driver reports what is wrong with them and neither panics nor loops. `HEDDLE_SEEDS=100..200
//! cargo test -p heddle-tests --test fact_mutants` draws others.
#![cfg(not(target_arch = "wasm32"))]

use heddle_tests::conformance::{Case, File, Outcome, play};
use serde_json::Value;
use std::sync::mpsc;
use std::time::Duration;

const FILES: [&str; 9] = [
    include_str!("../conformance/capacity-scheduler.json"),
    include_str!("../conformance/own-capacity-scheduler.json"),
    include_str!("../conformance/placement-constraints.json"),
    include_str!("../conformance/own-placement-constraints.json"),
    include_str!("../conformance/fair-scheduler.json"),
    include_str!("../conformance/slider.json"),
    include_str!("../conformance/preemption.json"),
    include_str!("../conformance/samza.json"),
    include_str!("../conformance/own-clients.json"),
];
/// The time limit of a case; any takes a small part of it.
const LONGEST: Duration = Duration::from_secs(60);

/// Numbers that depend only on a seed (xorshift).
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}

/// Collects every value below this one, as a pointer.
fn places(value: &Value, at: &str, out: &mut Vec<String>) {
    match value {
        Value::Object(o) => o.iter().for_each(|(key, v)| {
            let at = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
            out.push(at.clone());
            places(v, &at, out);
        }),
        Value::Array(a) => a.iter().enumerate().for_each(|(i, v)| {
            let at = format!("{at}/{i}");
            out.push(at.clone());
            places(v, &at, out);
        }),
        _ => {}
    }
}

/// Drops, swaps, repeats or replaces something.
fn damage(value: &mut Value, chance: &mut Chance) {
    let mut all = Vec::new();
    places(value, "", &mut all);
    all.retain(|at| at != "/kind");
    if all.is_empty() {
        return;
    }
    let at = all[chance.below(all.len())].clone();
    let (above, key) = at.rsplit_once('/').unwrap_or(("", ""));
    match chance.below(5) {
        0 => match value.pointer_mut(above) {
            Some(Value::Object(o)) => drop(o.shift_remove(&key.replace("~1", "/").replace("~0", "~"))),
            Some(Value::Array(a)) => drop(a.remove(key.parse().unwrap_or(0))),
            _ => {}
        },
        1 => {
            let other = &all[chance.below(all.len())];
            let (one, two) = (value.pointer(&at).cloned(), value.pointer(other).cloned());
            if let (Some(one), Some(two)) = (one, two) {
                if let Some(place) = value.pointer_mut(&at) {
                    *place = two;
                }
                if let Some(place) = value.pointer_mut(other) {
                    *place = one;
                }
            }
        }
        2 => {
            if let Some(Value::Array(a)) = value.pointer_mut(above) {
                let i: usize = key.parse().unwrap_or(0);
                let again = a[i].clone();
                a.insert(i, again);
            }
        }
        3 => {
            if let Some(place) = value.pointer_mut(&at) {
                let odd =
                    [Value::Null, (-1).into(), 0.into(), 1_000_000.into(), "".into(), "strange".into(), true.into()];
                *place = odd[chance.below(odd.len())].clone();
            }
        }
        _ => {
            if let Some(Value::Object(o)) = value.pointer_mut(above) {
                o.insert("strange".into(), 1.into());
            }
        }
    }
}

fn mutant(case: &Case, seed: u64) -> Case {
    let mut chance = Chance((seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ case.id.len() as u64);
    let mut case = case.clone();
    for _ in 0..=chance.below(3) {
        if chance.below(4) == 0 {
            damage(&mut case.expect, &mut chance);
        } else {
            damage(&mut case.given, &mut chance);
        }
    }
    case
}

#[test]
fn damaged_facts_end_without_a_panic() {
    let given = std::env::var("HEDDLE_SEEDS").unwrap_or_default();
    let range = given.split_once("..").and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
    let seeds = range.unwrap_or(0..4u64);
    let mutants: Vec<(String, Case)> = FILES
        .iter()
        .map(|text| File::read("facts", text).expect("a file of cases"))
        .flat_map(|file| file.cases.into_iter().map(move |case| (file.area.clone(), case)))
        .flat_map(|(area, case)| seeds.clone().map(move |seed| (area.clone(), mutant(&case, seed))))
        .collect();
    let (tell, told) = mpsc::channel();
    let all = mutants.clone();
    let playing = std::thread::spawn(move || {
        for (area, case) in &all {
            if tell.send(play(area, case)).is_err() {
                return;
            }
        }
    });
    let (mut failed, mut panics) = (0, Vec::new());
    for (area, case) in &mutants {
        let shown = || format!("{area}/{}\n{}\n{}", case.id, case.given, case.expect);
        match told.recv_timeout(LONGEST) {
            Ok(Outcome::Failed(d)) if d.expected == "no panic" => panics.push(format!("{}\n{}", d.got, shown())),
            Ok(Outcome::Passed) => {}
            Ok(_) => failed += 1,
            Err(e) => panic!("{e}: {}", shown()),
        }
    }
    assert!(playing.join().is_ok());
    assert!(panics.is_empty(), "{} panics\n{}", panics.len(), panics.join("\n"));
    assert!(failed > mutants.len() / 3, "damage shows: {failed} of {}", mutants.len());
}
