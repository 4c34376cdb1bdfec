//! A change that is tried before it is made: the world that it leads to, and how the change leaves the page.

use super::Server;
use heddle_core::config::mutation::Mutation;
use heddle_core::config::xml;
use heddle_core::scenario::{self, Scenario};
use heddle_view::protocol::Reply;
use heddle_view::{Comparison, Edit, GivenWorld, TrialView, secrets};

/// The file of the queues.
const FILE: &str = "capacity-scheduler.xml";
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
        let told = self.document.scenario.as_ref().map(|before| trial(before, &after)).unwrap_or_default();
        self.post(id, Reply::Tried(Ok(told)));
        let name = edit.tried_as(typed);
        comparison.given.retain(|world| world.name != name);
        comparison.given.insert(0, GivenWorld { name, text });
        self.compare(id, &comparison);
    }
}

/// Returns how a change from one scenario to another leaves the page.
fn trial(before: &Scenario, after: &Scenario) -> TrialView {
    let queues = |s: &Scenario| {
        let given = s.files.get(FILE).map(|file| file.text.clone());
        given.unwrap_or_else(|| xml::write(&s.settings.capacity_scheduler))
    };
    let (was, file) = (queues(before), queues(after));
    let change = Mutation::between(&before.settings.capacity_scheduler, &after.settings.capacity_scheduler);
    let mut lines = lines(&was, &file);
    if lines.is_empty() {
        let site = |s: &Scenario| {
            let all = s.settings.yarn_site.iter();
            all.map(|(key, value)| format!("{key} = {value}\n")).collect::<String>()
        };
        lines = self::lines(&site(before), &site(after));
    }
    TrialView {
        lines: lines.iter().map(|line| secrets::masked(line)).collect(),
        file: secrets::masked(&file),
        change: (!change.is_empty()).then(|| (change.to_json(), change.to_xml())),
    }
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
