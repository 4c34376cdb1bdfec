//! Everything that can be played: the gallery, the samples, situations, conformance traces as scenarios, random scenarios.
//! Each is a name and a text. `HEDDLE_FROM` and `HEDDLE_SEEDS` (as `from..to`) choose other random scenarios, `HEDDLE_TRACES`
//! the number of traces of each family.
#![allow(dead_code)] // each test takes what it needs

#[path = "../random/script.rs"]
pub mod script;
pub mod seen;

use heddle_player::Player;
use heddle_tests::conformance::File;
use heddle_tests::trace::scenario::scenario;
use std::path::{Path, PathBuf};

pub type Played = (String, String);

/// Families whose systems cannot be played here, or that have no cluster.
const NOT_PLAYED: [&str; 3] = ["samza-", "slider-", "constraint-text"];

fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(folder);
    let all = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut out: Vec<PathBuf> = all.map(|f| f.expect("a file").path()).collect();
    out.retain(|path| path.extension().is_some_and(|e| e == extension));
    out.sort();
    out
}

fn text(path: &PathBuf) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn name(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

pub fn gallery() -> Vec<Played> {
    files("../scenarios", "toml").iter().map(|path| (name(path), text(path))).collect()
}

/// Returns the scenarios made from samples: `"samples/NAME"` stands for the text of that file.
pub fn samples() -> Vec<Played> {
    let written = files("scenarios", "toml");
    let filled = written.iter().map(|path| {
        let mut out = text(path);
        while let Some(from) = out.find("\"samples/") {
            let to = from + 1 + out[from + 1..].find('"').expect("an end of the name");
            let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(&out[from + 1..to]);
            out.replace_range(from..=to, &format!("{:?}", text(&file)));
        }
        (format!("sample {}", name(path)), out)
    });
    filled.collect()
}

/// Returns the situations for questions: why something waits, with two causes, or with causes that change.
pub fn situations() -> Vec<Played> {
    files("scenarios/why", "toml").iter().map(|path| (format!("situation {}", name(path)), text(path))).collect()
}

/// Returns the last `of_family` traces of each family, and every `own`th of our own.
pub fn traces(of_family: usize, own: usize) -> Vec<Played> {
    let of_family = std::env::var("HEDDLE_TRACES").ok().and_then(|n| n.parse().ok()).unwrap_or(of_family);
    let (mut out, mut unreadable) = (Vec::new(), 0);
    for path in files("conformance/traces", "json") {
        let family = name(&path);
        if NOT_PLAYED.iter().any(|n| family.starts_with(n)) {
            continue;
        }
        let cases = File::read(&family, &text(&path)).expect("a file of cases").cases;
        let wanted = cases.iter().enumerate().filter(|(i, _)| match family.as_str() {
            "own-capacity" => i % own == 0,
            _ => *i + of_family >= cases.len(),
        });
        for (_, case) in wanted {
            let Some(text) = scenario(&case.given) else { continue };
            // A few traces have something that no scenario may have, such as a node of -1 MB.
            match heddle_core::scenario::read(&text).scenario {
                Some(_) => out.push((format!("trace {}", case.id), text)),
                None => unreadable += 1,
            }
        }
    }
    assert!(unreadable * 50 <= out.len(), "{unreadable} traces are no scenarios, {} are", out.len());
    out
}

/// Returns `count` random scenarios.
pub fn random(count: u64) -> Vec<Played> {
    let from = std::env::var("HEDDLE_FROM").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    let seeds = std::env::var("HEDDLE_SEEDS").ok().and_then(|range| {
        let (from, to) = range.split_once("..")?;
        Some(from.parse().ok()?..to.parse().ok()?)
    });
    let seeds = seeds.unwrap_or(from..from + count);
    seeds.map(|seed| (format!("random scenario {seed}"), script::scenario(seed))).collect()
}

/// Plays a scenario to its end. Returns `None` if its settings are refused.
pub fn player(text: &str) -> Option<Player> {
    let mut player = Player::load(text).player?;
    player.run_to_end();
    Some(player)
}
