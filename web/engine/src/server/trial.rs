//! A change that is tried before it is made: the world that it leads to, and how the change leaves the page.

use super::Server;
use heddle_core::config::mutation::Mutation;
use heddle_core::config::xml;
use heddle_core::scenario::{self, Scenario};
use heddle_player::OtherWorld;
use heddle_view::protocol::Reply;
use heddle_view::{Comparison, Edit, GivenWorld, QueuesChange, TrialView, secrets};

/// The files of settings.
const CAPACITY: &str = "capacity-scheduler.xml";
const SITE: &str = "yarn-site.xml";
const FAIR: &str = "fair-scheduler.xml";
/// The longest text that is read again for its changes.
const READ_MAX: usize = 4 << 20;
/// The most changed lines that are listed.
const LINES: usize = 12;

impl Server {
    /// Runs the scenario with an edit beside the scenario.
    pub(super) fn try_edit(&mut self, id: u32, edit: &Edit, typed: &str, mut comparison: Comparison) {
        let text = match self.document.tried(edit, typed) {
            Ok(text) => text,
            Err(why) => return self.post(id, Reply::Tried(Err(why))),
        };
        let read = scenario::read(&text);
        let Some(after) = read.scenario else {
            let error = read.problems.into_iter().find(|p| p.severity == heddle_view::Severity::Error);
            return self
                .post(id, Reply::Tried(Err(error.map_or_else(String::new, |p| format!("{} {}", p.what, p.mend)))));
        };
        let told = self.document.scenario.as_ref().map(|before| change(before, &after)).unwrap_or_default();
        self.post(id, Reply::Tried(Ok(told)));
        let name = edit.tried_as(typed);
        comparison.given.retain(|world| world.name != name);
        comparison.given.insert(0, GivenWorld { name, text });
        self.run_compared(id, &comparison);
    }

    /// Posts how the change from the first of two worlds to the second leaves the page, if their settings differ.
    pub(super) fn tell_change(&mut self, id: u32, worlds: &[OtherWorld]) {
        let [OtherWorld { text: Ok(from), .. }, OtherWorld { text: Ok(to), .. }, ..] = worlds else { return };
        if from.len().max(to.len()) > READ_MAX {
            return;
        }
        if let (Some(before), Some(after)) = (scenario::read(from).scenario, scenario::read(to).scenario) {
            let told = change(&before, &after);
            if !told.files.is_empty() {
                self.post(id, Reply::Tried(Ok(told)));
            }
        }
    }
}

/// Returns how a change from one scenario to another leaves the page.
fn change(before: &Scenario, after: &Scenario) -> TrialView {
    let queues = Mutation::between(&before.settings.capacity_scheduler, &after.settings.capacity_scheduler);
    let mut out = TrialView {
        queues: (!queues.is_empty()).then(|| QueuesChange {
            json: queues.to_json(),
            xml: queues.to_xml(),
            command: queues.to_command(),
        }),
        ..TrialView::default()
    };
    for name in [CAPACITY, FAIR, SITE] {
        let (was, is) = (file(before, name), file(after, name));
        if was != is {
            out.lines.extend(lines(&was, &is).iter().map(|line| secrets::masked(line)));
            out.files.push((name.to_owned(), secrets::masked(&is)));
        }
    }
    out
}

/// Returns a file of settings: as it was given, or as it is written from them.
fn file(s: &Scenario, name: &str) -> String {
    let given = s.files.get(name).map(|file| file.text.clone());
    let settings = &s.settings;
    given.unwrap_or_else(|| match name {
        CAPACITY => xml::write(&settings.capacity_scheduler),
        SITE => xml::write(&settings.yarn_site),
        _ => settings.fair_allocations.clone().unwrap_or_default(),
    })
}

/// Returns the lines that two texts do not share, between those that they begin and end with alike.
fn lines(was: &str, is: &str) -> Vec<String> {
    let (a, b): (Vec<&str>, Vec<&str>) = (was.lines().collect(), is.lines().collect());
    let begin = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let most = a.len().min(b.len()) - begin;
    let end = a.iter().rev().zip(b.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    let gone = a[begin..a.len() - end].iter().map(|line| format!("− {}", line.trim()));
    let come = b[begin..b.len() - end].iter().map(|line| format!("+ {}", line.trim()));
    let mut out: Vec<String> = gone.chain(come).collect();
    if out.len() > LINES {
        let more = out.len() - LINES;
        out.truncate(LINES);
        out.push(format!("and {more} more lines"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_changed_line_is_one_line_of_difference() {
        assert_eq!(lines("a\n  b\nc\n", "a\n  d\nc\n"), ["− b", "+ d"]);
        assert_eq!(lines("a\nc\n", "a\nb\nc\n"), ["+ b"]);
        assert!(lines("a\n", "a\n").is_empty());
        assert_eq!(lines("", &"x\n".repeat(20)).last().map(String::as_str), Some("and 8 more lines"));
    }
}
