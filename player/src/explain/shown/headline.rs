//! The one sentence over the page: the longest wait, else what was refused or the latest surprise, else who failed, else
//! that everything is placed.

use crate::explain::events::Surprise;
use crate::explain::names::Names;
use crate::explain::preempted::Cycle;
use crate::explain::refusal::{self, Told};
use crate::explain::request::Explained;
use crate::explain::say::headline as say;
use crate::explain::shown::yarn_service;
use crate::explain::view::Selection;
use crate::explain::waits::{samza, slider, wants};
use crate::explain::words;
use heddle_core::model::{AppId, CalculatorKind, Millis};
use heddle_core::rm::{AppEnd, RmApp};
use heddle_core::sim::Tried;

/// What two lines hold.
const LETTERS: usize = 190;
/// A surprise is told for so long after it happened.
const SURPRISE_MS: Millis = 60_000;

/// The sentence and what it is about. `placed`: containers placed so far without AMs, and when the last of them was.
pub fn headline(
    names: Names<'_>,
    now: Millis,
    longest: Option<&Explained>,
    surprise: Option<&Surprise>,
    placed: (usize, Option<Millis>),
) -> (String, Option<Selection>) {
    if names.rm().cluster().node_count == 0 && names.rm().apps().is_empty() {
        return (say::NO_NODES.to_string(), None);
    }
    if let Some(e) = longest {
        let w = &e.waiting;
        let name = names.request_name(w.app, w.key, w.count);
        let about = Some(names.request(w.app, w.key));
        if let Some(never) = &e.never {
            return (plain(never), about);
        }
        let span = words::span(now - w.since);
        let because = plain(&e.because);
        let most = LETTERS.saturating_sub(say::who_waits(&name, w.count).chars().count() + span.len() + 10);
        return (plain(&say::waits(&name, w.count, &span, brief(&because, most))), about);
    }
    // What is missing for good is told before how that came about.
    let lacks = |a: &RmApp| Some((names.app(a.id), samza::lacks(names, a.id)?));
    if let Some((name, why)) = names.rm().apps().iter().filter(|a| !a.state.is_final()).find_map(lacks) {
        return (plain(&say::unasked(name, &why)), Some(Selection::App(name.to_string())));
    }
    let surprise = surprise.filter(|s| now - s.at <= SURPRISE_MS || placed.0 == 0);
    // What failed of a refusal is told by it.
    let of_refusal = |s: &Surprise| match &s.about {
        Some(Selection::Container { app, .. } | Selection::App(app)) => refusal::is_of(names, app, s.at),
        _ => false,
    };
    let surprise = surprise.filter(|s| !of_refusal(s));
    let refused = refusal::standing(names);
    // What came later than the last refusal is told first, for a while.
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
    let unasked = names.rm().apps().iter().filter(|a| !a.state.is_final()).find_map(|a| {
        let why = slider::not_asked(names, a.id);
        let why = why.or_else(|| yarn_service::lacks(names, a.id).into_iter().next());
        let why = why.or_else(|| wants::lacks(names, a.id).into_iter().next())?;
        Some((names.app(a.id), why))
    });
    if let Some((name, why)) = unasked {
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

/// With what preemption frees for the request that it is about, where two lines hold both and WHY says them one after the
/// other.
pub fn freeing(headline: String, e: &Explained, short: &str) -> String {
    let Some((_, clause)) = headline.split_once(": ").filter(|_| !short.is_empty() && e.never.is_none()) else {
        return headline;
    };
    let (short, why) = (plain(short), plain(&crate::explain::say::then(&e.sentence, short)));
    let (both, told) = (format!("{headline} {short}"), format!("{clause} {short}"));
    if both.chars().count() <= LETTERS && why.to_lowercase().contains(&told.to_lowercase()) { both } else { headline }
}

/// Of preemption that goes in circles.
pub fn cycle(names: Names<'_>, cycle: &Cycle) -> (String, Option<Selection>) {
    let about = Selection::Queue(names.queue(cycle.about()).to_string());
    (plain(&cycle.sentence(names)), Some(about))
}

/// One refusal as it is; of several how many of each kind, and the last.
fn refusals(names: Names<'_>, refused: &[Told<'_>], last: &Told<'_>) -> String {
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

/// The application that failed last without a refusal, and why.
fn failed(names: Names<'_>) -> Option<(AppId, String)> {
    let over = names.rm().apps().iter().filter(|a| match a.end {
        Some(AppEnd::AmFailed { .. }) => true,
        Some(AppEnd::Unregistered) => names.run(a.id).and_then(|r| r.succeeded) == Some(false),
        _ => false,
    });
    let last = over.max_by_key(|a| (a.finished_at, a.id))?;
    Some((last.id, refusal::end(names, last.id).unwrap_or_default().trim_end_matches('.').to_string()))
}

/// The first clauses of a sentence, as many as two lines hold, and the first one in any case: no name is cut.
fn brief(text: &str, most: usize) -> &str {
    let Some((end, _)) = text.char_indices().nth(most) else { return text };
    const SIGNS: [&str; 3] = [". ", "; ", ", "];
    let fits = SIGNS.iter().find_map(|sign| text[..end].rfind(sign));
    let first = || SIGNS.iter().filter_map(|sign| text.find(sign)).min();
    &text[..fits.or_else(first).unwrap_or(text.len())]
}

/// Without the marks of bold words.
fn plain(text: &str) -> String {
    text.replace("**", "")
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
            (long.to_owned(), 0, long.to_owned()),
        ] {
            assert_eq!(brief(&text, most), brief_is, "{text}");
        }
    }
}
