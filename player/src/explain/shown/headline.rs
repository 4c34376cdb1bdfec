//! The one sentence at the top of the page: the first by `story`, else the latest surprise or another refusal, else an
//! application that failed, else that everything is placed.

use crate::apps::told_of;
use crate::explain::events::Surprise;
use crate::explain::names::Names;
use crate::explain::preempted::Cycle;
use crate::explain::refusal::{self, RefusalNotice};
use crate::explain::request::Explained;
use crate::explain::say::headline as say;
use crate::explain::story::{Rank, rank, rank_of_lack};
use crate::explain::view::Selection;
use crate::explain::wants::{self, Lack};
use crate::explain::words::{self, plain};
use heddle_core::check::Check;
use heddle_core::model::{AppId, CalculatorKind, Millis};
use heddle_core::rm::AppEnd;
use heddle_core::sim::Tried;

/// The number of characters that two lines hold.
const LETTERS: usize = 190;
/// How long a surprise stays in the headline.
const SURPRISE_MS: Millis = 60_000;

/// What the headline may be about.
#[derive(Clone, Debug)]
pub enum HeadlineTopic<'a> {
    Waits(&'a Explained),
    Lacks(&'a Lack),
    Refused(RefusalNotice<'a>),
}

/// Returns the first of all that waits, all that is lacking and all that was refused ([`crate::explain::story`] has the ranks).
pub fn first<'a>(
    names: Names<'a>,
    explained: &'a [Explained],
    lacks: &'a [Lack],
    refused: &[RefusalNotice<'a>],
) -> Option<HeadlineTopic<'a>> {
    // Ordered by rank and time, then by kind, then as they come.
    let waits = explained.iter().map(|e| {
        let rank = match rank(names, &e.waiting) {
            Rank::Below | Rank::Greed if e.never.is_some() => Rank::Broken,
            rank => rank,
        };
        ((rank, e.waiting.since, 1), HeadlineTopic::Waits(e))
    });
    // What is held back behind a request of the same application is caused by that request.
    let asked = |lack: &&Lack| explained.iter().any(|e| e.waiting.app == lack.app && !e.waiting.am);
    let held_back = |lack: &&Lack| matches!(lack.check, Check::DependenciesReady | Check::AffinityOneByOne);
    let lacks = lacks
        .iter()
        .filter(|lack| !(held_back(lack) && asked(lack)))
        .map(|lack| ((rank_of_lack(names, lack), lack.since, 0), HeadlineTopic::Lacks(lack)));
    let last = refused.iter().rev().find(|told| told.tried.app().is_some());
    let refused = last.map(|told| ((Rank::Broken, told.at, 2), HeadlineTopic::Refused(told.clone())));
    waits.chain(lacks).chain(refused).min_by_key(|(key, _)| *key).map(|(_, story)| story)
}

/// Returns the sentence and what it is about. `placed`: the number of containers placed so far, without AMs, and when the last
/// one was.
pub fn headline(
    names: Names<'_>,
    now: Millis,
    (explained, lacks): (&[Explained], &[Lack]),
    surprise: Option<&Surprise>,
    placed: (usize, Option<Millis>),
) -> (String, Option<Selection>) {
    if names.rm().cluster().node_count == 0 && names.rm().apps().is_empty() {
        return (say::NO_NODES.to_string(), None);
    }
    let mut refused = refusal::standing(names);
    let somebody_waits = !explained.is_empty() || !lacks.is_empty();
    if somebody_waits {
        // Refusals of nodes and settings come after everything that waits.
        refused.retain(|told| told.tried.app().is_some());
    }
    match first(names, explained, lacks, &refused) {
        Some(HeadlineTopic::Waits(e)) => return waits(names, now, e),
        Some(HeadlineTopic::Lacks(lack)) => return lacking(names, now, lack),
        Some(HeadlineTopic::Refused(last)) if somebody_waits => {
            return (plain(&refusals(names, &refused, &last)), last.about(names));
        }
        // If nothing waits, a surprise after the last refusal comes first, for a while.
        Some(HeadlineTopic::Refused(_)) | None => {}
    }
    let surprise = surprise.filter(|s| now - s.at <= SURPRISE_MS || placed.0 == 0);
    // A failure that a refusal caused is covered by the refusal.
    let of_refusal = |s: &Surprise| match &s.about {
        Some(Selection::Container { app, .. } | Selection::App(app)) => refusal::is_of(names, app, s.at),
        _ => false,
    };
    let surprise = surprise.filter(|s| !of_refusal(s));
    if let Some(last) = refused.last().filter(|last| surprise.is_none_or(|s| s.at <= last.at)) {
        return (plain(&refusals(names, &refused, last)), last.about(names));
    }
    if let Some(s) = surprise {
        return (format!("{}.", s.sentence), s.about.clone());
    }
    if let Some((app, why)) = failed(names) {
        let at = names.rm().app(app).and_then(|a| a.finished_at).unwrap_or(now);
        let name = names.app(app);
        return (say::failed(name, &words::clock(at), &why), Some(Selection::App(name.to_string())));
    }
    if let Some((app, at, waited)) = cut_short(names) {
        let (name, why) = (names.app(app), refusal::end(names, app).unwrap_or_default());
        let waited = waited.map(words::span);
        let said = say::cut_short(name, &words::clock(at), why.trim_end_matches('.'), waited.as_deref());
        return (said, Some(Selection::App(name.to_string())));
    }
    // Nothing waits, and yet all is not well.
    let told = |id: AppId| Some((names.app(id), told_of(names, id).put_aside(names, id).into_iter().next()?));
    let alive = names.rm().apps().iter().filter(|a| !a.state.is_final());
    if let Some((name, why)) = { alive }.find_map(|a| told(a.id)) {
        return (plain(&say::unasked(name, &why)), Some(Selection::App(name.to_string())));
    }
    match placed {
        (0, _) if names.rm().apps().is_empty() => (say::nobody_asks(names.rm().cluster().node_count as i64), None),
        (0, _) => (say::NOTHING_ASKED.to_string(), None),
        (n, last) => {
            let first = names.rm().apps().first().map_or(0, |a| a.submitted_at);
            let span = words::span(last.unwrap_or(now) - first);
            let cluster = names.rm().cluster();
            let memory_only = cluster.calculator.kind == CalculatorKind::Default;
            let over =
                cluster.nodes.iter().find(|n| memory_only && n.in_scheduler && n.allocated.vcores() > n.total.vcores());
            let over = over.map_or(String::new(), |n| {
                say::more_vcores_than_there_are(&n.host, n.allocated.vcores(), n.total.vcores())
            });
            (say::all_placed(n, &span, &over), None)
        }
    }
}

/// Returns the sentence for a request that waits.
fn waits(names: Names<'_>, now: Millis, e: &Explained) -> (String, Option<Selection>) {
    let w = &e.waiting;
    let about = Some(names.request(w.app, w.key));
    if let Some(never) = &e.never {
        return (plain(never), about);
    }
    if w.left_over {
        return (plain(&e.sentence), about);
    }
    (waited(&names.request_name(w.app, w.key, w.count), w.count, now - w.since, &e.because), about)
}

/// Returns the sentence for what an application lacks without asking YARN for it, its root cause first.
fn lacking(names: Names<'_>, now: Millis, lack: &Lack) -> (String, Option<Selection>) {
    let first = wants::sentences(names, lack.app).into_iter().next();
    let root = first.filter(|root| *root != lack.sentence);
    let because = root.map_or_else(|| lack.sentence.clone(), |root| crate::explain::say::then(&root, &lack.sentence));
    let because = crate::explain::say::no_capital(because.trim_end_matches('.'));
    let text = waited(&lack.name, lack.count, now - lack.since, &because);
    (text, Some(Selection::App(names.app(lack.app).to_string())))
}

fn waited(name: &str, count: i64, waited: Millis, because: &str) -> String {
    let (span, because) = (words::span(waited), plain(because));
    let most = LETTERS.saturating_sub(say::who_waits(name, count).chars().count() + span.len() + 10);
    plain(&say::waits(name, count, &span, brief(&because, most)))
}

/// Returns the headline with what preemption frees for its request, if two lines hold both and WHY says them one after the
/// other.
pub fn freeing(headline: String, e: &Explained, short: &str) -> String {
    let Some((_, clause)) = headline.split_once(": ").filter(|_| !short.is_empty() && e.never.is_none()) else {
        return headline;
    };
    let (short, why) = (plain(short), plain(&crate::explain::say::then(&e.sentence, short)));
    let (both, told) = (format!("{headline} {short}"), format!("{clause} {short}"));
    if both.chars().count() <= LETTERS && why.to_lowercase().contains(&told.to_lowercase()) { both } else { headline }
}

/// Returns the sentence for preemption that goes in circles.
pub fn cycle(names: Names<'_>, cycle: &Cycle) -> (String, Option<Selection>) {
    let about = Selection::Queue(names.queue(cycle.about()).to_string());
    (plain(&cycle.sentence(names)), Some(about))
}

/// Returns the sentence for one refusal; for several, the number of each kind, and the last one.
fn refusals(names: Names<'_>, refused: &[RefusalNotice<'_>], last: &RefusalNotice<'_>) -> String {
    if refused.len() == 1 {
        return format!("{}.", last.headline(names));
    }
    let mut kinds: Vec<(&str, i64)> = Vec::new();
    for told in refused {
        let kind = match told.tried {
            Tried::Submission(_) => "application",
            Tried::Registration(_) => "ApplicationMaster",
            Tried::Call(_) => "call",
            Tried::Request { .. } => "request",
            Tried::Node(_) => "node",
            Tried::Happening(_) => "change",
        };
        match kinds.iter_mut().find(|(k, _)| *k == kind) {
            Some((_, n)) => *n += 1,
            None => kinds.push((kind, 1)),
        }
    }
    let kinds: Vec<String> = kinds.into_iter().map(|(kind, n)| words::count(n, kind)).collect();
    let rule = refusal::rule(names, last);
    let why = if rule.raw { "" } else { rule.because.as_str() };
    say::refused(&kinds, &words::clock(last.at), &last.name(names), why)
}

/// Returns the application that failed last, without a refusal, and why.
fn failed(names: Names<'_>) -> Option<(AppId, String)> {
    let over = names.rm().apps().iter().filter(|a| match a.end {
        Some(AppEnd::AmFailed { .. }) => true,
        Some(AppEnd::Unregistered) => names.run(a.id).and_then(|r| r.succeeded) == Some(false),
        _ => false,
    });
    let last = over.max_by_key(|a| (a.finished_at, a.id))?;
    Some((last.id, refusal::end(names, last.id).unwrap_or_default().trim_end_matches('.').to_string()))
}

/// Returns the application that was ended before it had what it wanted, when, and how long it had waited if it never had an AM:
/// one without an AM first, then the last whose lifetime was over.
fn cut_short(names: Names<'_>) -> Option<(AppId, Millis, Option<Millis>)> {
    let over = names.rm().apps().iter().filter_map(|a| {
        let at = a.finished_at?;
        // An application that was started again is not cut short.
        let run = names.run(a.id).filter(|run| run.id == Some(a.id))?;
        let never = a.submission.am.is_some() && run.containers.is_empty();
        match a.end.as_ref()? {
            AppEnd::Killed if never => {}
            AppEnd::LifetimeOver => {}
            _ => return None,
        }
        Some((a.id, at, never.then_some(at - a.submitted_at)))
    });
    over.max_by_key(|(app, at, waited)| (waited.is_some(), *at, *app))
}

/// Returns the first statements of a sentence, as many as two lines hold. It does not cut a name, nor separate a limit from
/// what it limits ("root.a uses 2 GB; 1 GB more would pass …"), nor a fact from its "and" if the line holds both.
fn brief(text: &str, most: usize) -> &str {
    let Some((end, _)) = text.char_indices().nth(most) else { return text };
    let ends: Vec<usize> = ["; ", ". "].iter().flat_map(|sign| text.match_indices(sign)).map(|(at, _)| at).collect();
    let ends = || ends.iter().copied().filter(|at| !goes_on(&text[*at..]));
    match ends().filter(|at| *at <= end).max() {
        Some(at) => &text[..at],
        None => part_of_statement(&text[..ends().min().unwrap_or(text.len())], end),
    }
}

/// Returns whether the rest belongs to what is before it: an amount that would exceed a limit.
fn goes_on(rest: &str) -> bool {
    rest.strip_prefix("; ").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// Returns the part of a statement that a line of `end` bytes holds: without its explanation, else its end, else its first
/// clauses.
fn part_of_statement(text: &str, end: usize) -> &str {
    if text.len() <= end {
        return text;
    }
    // An explanation follows a colon, or is in brackets at the end.
    let is_whole = |(at, sign): &(usize, &str)| match *sign {
        ": " => text[..*at].matches('(').count() == text[..*at].matches(')').count(),
        _ => text[*at..].find(')') == Some(text.len() - 1 - *at),
    };
    let explained = [": ", " ("].iter().flat_map(|sign| text.match_indices(sign)).filter(|(at, _)| *at <= end);
    if let Some((at, _)) = explained.filter(is_whole).max_by_key(|(at, _)| *at) {
        return &text[..at];
    }
    if let Some((_, rest)) = text.split_once(", ").filter(|(_, rest)| rest.len() <= end && rest.contains(", and ")) {
        return rest;
    }
    const SIGNS: [&str; 2] = ["; ", ", "];
    let fits = SIGNS.iter().find_map(|sign| text.get(..end).and_then(|text| text.rfind(sign)));
    let first = || SIGNS.iter().filter_map(|sign| text.find(sign)).min();
    &text[..fits.or_else(first).unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::brief;

    #[test]
    fn a_headline_ends_with_a_clause_and_cuts_no_name() {
        let long = "a-very-long-name-of-a-queue-that-alone-fills-a-line";
        for (text, most, brief_is) in [
            ("all of it".to_owned(), 20, "all of it".to_owned()),
            ("one, two, three".to_owned(), 10, "one, two".to_owned()),
            (format!("alice uses 2 GB in {long}; the limit is 1 GB"), 20, format!("alice uses 2 GB in {long}")),
            (format!("no room in {long}"), 20, format!("no room in {long}")),
            ("a and b wait; besides, a uses 1 GB; 1 GB more is too much".into(), 40, "a and b wait".into()),
            (
                "a uses 0 GB; 1 GB more is too much: it has no share; b".into(),
                40,
                "a uses 0 GB; 1 GB more is too much".into(),
            ),
            (
                "a uses 0 GB, b uses more, and it is off (x y z); c".into(),
                42,
                "a uses 0 GB, b uses more, and it is off".into(),
            ),
            ("a uses 0 GB, b uses more, and it is off; c".into(), 30, "b uses more, and it is off".into()),
            (
                "room is kept for x, where y waits: a uses 1 GB, and z leaves it 1 GB".into(),
                40,
                "room is kept for x, where y waits".into(),
            ),
            ("a uses 0 GB, and it is off (b, 1 GB: no)".into(), 36, "a uses 0 GB, and it is off".into()),
        ] {
            assert_eq!(brief(&text, most), brief_is, "{text}");
        }
    }
}
