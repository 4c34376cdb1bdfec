//! A log that is longer than what is pasted: its last lines that a pattern knows.

use super::figure::Figure;
use super::{HeldLine, LineTopic, Ours, RecognisedLine, build, clean, exactly};
use crate::import::{Gathered, InputText, ReadOutcome, count};
use crate::model::limits::{LOG_LINES, PASTED_BYTES};
use crate::model::{Problem, Span};
use indexmap::IndexMap;
use serde_json::json;

/// The lines at the start that show whether a text is a log.
const SHOWN: usize = 20;
/// The patterns that a summary counts by name.
const COUNTED: usize = 4;

/// Returns whether a text is a log: half of its first lines begin with a date and a time.
pub fn is_log(text: &str) -> bool {
    let first = || text.lines().filter(|line| !line.trim().is_empty()).take(SHOWN);
    text.len() > PASTED_BYTES && first().filter(|line| is_dated(line)).count() * 2 > first().count()
}

/// Returns whether a line begins like `2026-11-08 09:19:00` or `26/11/08 09:19:00`.
fn is_dated(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    let figures = |word: Option<&str>, signs: &[char], parts: usize| {
        let numbers = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let part = |part: &str| numbers(part.split([',', '.']).next().unwrap_or(part));
        word.is_some_and(|word| word.split(signs).count() == parts && word.split(signs).all(part))
    };
    figures(words.next(), &['-', '/'], 3) && figures(words.next(), &[':'], 3)
}

/// Reads a log from its end: the last line that tells why something waits, is refused or ended becomes the pasted line; without
/// one, the last line of another kind.
pub fn read(look: &InputText<'_>, gathered: &mut Gathered) -> ReadOutcome {
    let mut counts: IndexMap<&'static str, usize> = IndexMap::new();
    let mut best: Option<(bool, HeldLine, Span)> = None;
    let (mut end, mut lines) = (look.text.len(), 0);
    for line in look.text.rsplit('\n') {
        let span = Span::new(end - line.len(), end);
        end = span.start.saturating_sub(1);
        if line.len() > PASTED_BYTES || line.trim().is_empty() {
            continue;
        }
        if lines == LOG_LINES {
            break;
        }
        lines += 1;
        let decoded = clean::decoded(line);
        let Some(found) = exactly(&decoded, &clean::squeezed(&decoded)) else { continue };
        *counts.entry(found.row.what).or_default() += 1;
        let tells_why = match found.row.kind {
            LineTopic::Master | LineTopic::Submission | LineTopic::Ask | LineTopic::Ending | LineTopic::Activity => {
                true
            }
            LineTopic::Log | LineTopic::Client | LineTopic::Shown | LineTopic::Elsewhere => false,
        };
        if found.row.ours == Ours::No || best.as_ref().is_some_and(|(why, ..)| *why || !tells_why) {
            continue;
        }
        if let Ok(built) = build(&found) {
            best = Some((tells_why, HeldLine { say: found.say(), line: found, text: line.to_owned(), built }, span));
        }
    }
    counts.sort_by(|_, a, _, b| b.cmp(a));
    let known: usize = counts.values().sum();
    let named = counts.iter().take(COUNTED).map(|(what, n)| format!("{n} × {what}")).collect::<Vec<_>>();
    let holds = format!("{} from its end, {known} of them known ({})", count(lines, "line"), named.join(", "));
    let Some((tells_why, held, span)) = best else {
        let words = "No line of it tells something that is played here.";
        return ReadOutcome::not_read(vec![
            Problem::warning(look.name, None, words).mend("Paste the line that matters."),
        ]);
    };
    let last = if tells_why { "the last one that tells why" } else { "the last one that is played here" };
    let words = format!("This line is taken, {last}: {}.", held.line.row.what);
    gathered.lines.push(held);
    ReadOutcome::of(holds, vec![Problem::note(look.name, span, words)])
}

/// What other known lines of a pasted log say beside the one that is taken.
#[derive(Debug, Default)]
pub struct Beside {
    /// What is taken from them, with the pattern.
    pub taken: Vec<(String, &'static str)>,
    /// The known lines of which nothing is taken, by what they are.
    pub unused: IndexMap<&'static str, usize>,
}

/// Fills what a line of a log leaves open, its queue, its user and the nodes, from the other known lines of the log: of the same
/// application first.
pub fn fill(text: &str, line: &mut RecognisedLine) -> Beside {
    let mut beside = Beside::default();
    let decoded = clean::decoded(text);
    if decoded.lines().filter(|line| is_dated(line)).take(2).count() < 2 {
        return beside;
    }
    let known = decoded.lines().take(PASTED_LINES).filter_map(|text| {
        let squeezed = clean::squeezed(text);
        if squeezed.is_empty() { None } else { exactly(text, &squeezed) }
    });
    let mut others: Vec<RecognisedLine> = known.collect();
    if let Some(at) = others.iter().position(|other| other.row == line.row) {
        others.remove(at);
    }
    let mut used = vec![false; others.len()];
    let same_app = |other: &RecognisedLine| match (other.figures.text("app"), line.figures.text("app")) {
        (Some(one), Some(app)) => one == app,
        _ => false,
    };
    let mut order: Vec<usize> = (0..others.len()).collect();
    order.sort_by_key(|i| others.get(*i).is_some_and(|other| !same_app(other)));
    for name in ["queue", "user"] {
        if line.figures.has(name) {
            continue;
        }
        let found = order.iter().find_map(|i| Some((*i, others.get(*i)?.figures.text(name)?.to_owned())));
        if let Some((i, value)) = found {
            beside.taken.push((format!("{name} {value}"), others[i].row.id));
            line.figures.put(name, Figure::Text(value));
            used[i] = true;
        }
    }
    let mut nodes: IndexMap<String, (i64, i64)> = IndexMap::new();
    for i in &order {
        let figures = &others[*i].figures;
        let (Some(node), Some(size)) = (figures.text("node").or(figures.text("host")), figures.pair("node_size"))
        else {
            continue;
        };
        used[*i] = true;
        if !nodes.contains_key(node) {
            beside.taken.push((format!("node {node} of {} MB and {} vcores", size.0, size.1), others[*i].row.id));
            nodes.insert(node.to_owned(), size);
        }
    }
    // The line's own node stays as it says.
    if !nodes.is_empty() && !line.figures.has("node") {
        let list = nodes.iter().map(|(node, (mb, vcores))| json!({"node": node, "mb": mb, "vcores": vcores}));
        line.figures.put(NODES, Figure::Data(list.collect()));
    }
    for (other, _) in others.iter().zip(used).filter(|(_, used)| !used) {
        *beside.unused.entry(other.row.what).or_default() += 1;
    }
    beside
}

/// The figure with the nodes that other lines of a log name.
pub const NODES: &str = "log_nodes";
/// The lines of a pasted log that are looked at for what one of them leaves open.
const PASTED_LINES: usize = 2_000;

#[cfg(test)]
mod tests {
    use super::super::super::{Given, Status, TextKind, import};
    use super::*;

    const WAITS: &str = "2026-11-08 09:19:00,001 INFO x.Y: org.apache.hadoop.security.AccessControlException: Queue root.b \
        already has 10000 applications, cannot accept submission of application: application_9_0003\n";

    #[test]
    fn the_last_line_of_a_log_that_tells_why_is_read() {
        let idle = "2026-11-08 09:20:00,000 INFO x.Y: nothing that anybody knows\n";
        let text = [idle.repeat(2000).as_str(), WAITS, idle.repeat(100).as_str()].concat();
        let found = import(&[Given { name: "rm.log", text: &text }]);
        let file = &found.files[0];
        assert_eq!((file.kind, file.status), (Some(TextKind::Log), Status::Read), "{file:?}");
        assert!(file.what.contains("2101 lines from its end, 1 of them known"), "{}", file.what);
        assert_eq!(file.problems[0].place.map(|(line, _)| line), Some(2001), "{:?}", file.problems);
        let alone = import(&[Given { name: "l", text: WAITS }]);
        assert_eq!((found.scenario, found.moment), (alone.scenario, alone.moment));
        let none = import(&[Given { name: "rm.log", text: &idle.repeat(2000) }]);
        assert_eq!((none.files[0].status, none.scenario), (Status::NotRead, None));
    }

    #[test]
    fn dates_of_logs_are_known() {
        for line in ["2026-11-08 09:19:00,001 INFO x", "26/11/08 09:19:00 INFO x", "2026-11-08 09:19:00.123 x"] {
            assert!(is_dated(line), "{line}");
        }
        for line in ["yarn.a.b 1", "2026-11-08T09:19:00 x", "1-2 3:4:5", ""] {
            assert!(!is_dated(line), "{line}");
        }
    }
}
