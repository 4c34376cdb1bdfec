//! The FairScheduler's allocation files in the order in which they come into force, and changes of their values: a value is
//! changed in the file that introduced it and in all later ones.

use super::knobs::{Since, happens};
use heddle_core::config::fair::FILE;
use heddle_core::config::fair::edit::ParsedFile;
use heddle_core::model::Millis;
use heddle_core::scenario::edit::{self, Setting};
use heddle_core::scenario::{Act, Scenario, read};
use heddle_core::sim::Simulation;

/// An element of the allocation file, by its queue (`edit::set_allocation`), and its value.
#[derive(Clone, Copy, Debug)]
pub struct Element<'a> {
    pub path: &'a str,
    pub element: &'a str,
    pub value: &'a str,
}

/// A file, and when it comes into force.
#[derive(Clone, Copy, Debug)]
struct AllocationVersion<'s> {
    /// The index of the happening that writes it; `None` if the run begins with it.
    happening: Option<usize>,
    /// The time at which it is written.
    written_at: Millis,
    from: Millis,
    text: &'s str,
}

/// The origin of a value in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Brought {
    pub at: Millis,
    /// Whether the scheduler loads the file by itself, without a refresh.
    pub written: bool,
}

/// Returns the files in the order in which they come into force, without those replaced before the scheduler loads them.
fn files<'s>(scenario: &'s Scenario, refused: &[usize]) -> Vec<AllocationVersion<'s>> {
    let brings = |(i, h): (usize, &'s heddle_core::scenario::Happening)| match &h.act {
        Act::Refresh { fair_allocations: Some(text), written, .. } => {
            let from = if *written { Simulation::file_is_loaded_at(h.at) } else { h.at };
            Some(AllocationVersion { happening: Some(i), written_at: h.at, from, text })
        }
        _ => None,
    };
    let later: Vec<AllocationVersion<'s>> = scenario.happenings.iter().enumerate().filter_map(brings).collect();
    let stays = |i: usize| later.get(i + 1).is_none_or(|next| next.written_at > later[i].from);
    let taken = |i: usize| later[i].happening.is_none_or(|happening| !refused.contains(&happening));
    let first = scenario.settings.fair_allocations.as_deref();
    let first = first.map(|text| AllocationVersion { happening: None, written_at: 0, from: 0, text });
    let loaded = (0..later.len()).filter(|i| stays(*i) && taken(*i)).map(|i| later[i]);
    first.into_iter().chain(loaded).collect()
}

fn value(file: &AllocationVersion<'_>, of: Element<'_>) -> Option<String> {
    ParsedFile::of(file.text)?.value(of.path, of.element)
}

/// Returns the index of the file in force, and of the one that introduced an element's value.
fn in_force(files: &[AllocationVersion<'_>], now: Millis, of: Element<'_>) -> Option<(usize, usize)> {
    let latest = files.iter().rposition(|file| file.from <= now)?;
    let here = value(&files[latest], of);
    let same = (0..=latest).rev().take_while(|i| value(&files[*i], of) == here);
    Some((latest, same.last()?))
}

/// Returns when an element's value in force was introduced; `None` if the run began with it.
pub fn brought(scenario: &Scenario, since: Since<'_>, of: Element<'_>) -> Option<Brought> {
    let files = files(scenario, since.refused);
    let file = files.get(in_force(&files, since.now, of)?.1)?;
    file.happening.map(|_| Brought { at: file.written_at, written: file.from > file.written_at })
}

/// Returns the text with an element set in the file that introduced its value and in all later ones.
pub fn put(text: &str, since: Since<'_>, of: Element<'_>) -> Option<String> {
    let scenario = read(text).scenario?;
    let files = files(&scenario, since.refused);
    let (latest, first) = in_force(&files, since.now, of)?;
    let mut out = text.to_string();
    for (i, file) in files.iter().enumerate().skip(first) {
        match put_in(&out, file, of) {
            Some(changed) => out = changed,
            // A later file may not name the queue.
            None if i > latest => {}
            None => return None,
        }
    }
    Some(out)
}

/// Returns the text with an element set from now on: in a refresh at the moment and in all later files. `None` also if a file
/// has been written that the scheduler has not loaded yet.
pub fn put_from_now(text: &str, since: Since<'_>, of: Element<'_>) -> Option<String> {
    let scenario = read(text).scenario?;
    let files = files(&scenario, since.refused);
    let (latest, _) = in_force(&files, since.now, of)?;
    if files.iter().any(|file| file.written_at <= since.now && file.from > since.now) {
        return None;
    }
    let mut out = text.to_string();
    for file in files.iter().skip(latest + 1) {
        out = put_in(&out, file, of).unwrap_or(out);
    }
    let file = edit::allocations_with(files[latest].text, of.path, of.element, of.value).ok()?;
    happens(&out, since.now, "refresh", vec![(FILE, Setting::Text(file))])
}

fn put_in(text: &str, file: &AllocationVersion<'_>, of: Element<'_>) -> Option<String> {
    match file.happening {
        Some(happening) => edit::set_allocation_brought(text, happening, of.path, of.element, of.value).ok(),
        None => edit::set_allocation(text, of.path, of.element, of.value).ok(),
    }
}
