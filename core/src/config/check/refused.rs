//! Finds what the ResourceManager would refuse, and the position of the cause.

use super::{File, REFUSED, mend, missing, sentence};
use crate::api::{NodeLabel, Properties, Refusal, RefusalRule, SettingsRule};
use crate::config::capacity::targets::checked_rules;
use crate::config::capacity::{CapacityConf, PREFIX};
use crate::config::values::trim;
use crate::model::{Problem, Severity, Span};

/// The maximum number of properties read in the search for the cause: the file is read again without each property in
/// turn.
const LOOKED_FOR: usize = 100_000;

/// The first refusal.
pub(super) fn find(values: &Properties, yarn_site: &Properties, labels: &[NodeLabel]) -> Option<Refusal> {
    CapacityConf::read(values, yarn_site, labels).and_then(|c| checked_rules(&c.mapping, &c)).err()
}

/// Reports the refusal at its cause, with the plain words for the problem there if they are known. Returns those words,
/// and the position.
pub(super) fn tell(
    file: &mut File<'_>,
    refusal: &Refusal,
    yarn_site: &Properties,
    labels: &[NodeLabel],
) -> (Option<Problem>, Option<Span>) {
    let cause = file.causes.iter().find(|cause| refusal.message.contains(&cause.words));
    let log = cause.and_then(|cause| cause.log.clone());
    let words = sentence(log.as_deref().unwrap_or(&refusal.message));
    // If an error is known to cause it, no search is needed.
    let told = |span: Span| file.problems.iter().any(|p| p.severity == Severity::Error && p.span == Some(span));
    let known = cause.map(|cause| cause.span);
    let culprit = match known {
        Some(span) if told(span) => None,
        _ => culprit(&file.effective.values, refusal, yarn_site, labels),
    };
    let span = known.or_else(|| culprit.as_deref().and_then(|k| file.value_span(k)));
    let there = |p: &Problem| p.span == span && span.is_some();
    // A class that is not modelled is unknown here; another ResourceManager may have it.
    if let Some(problem) = file.problems.iter_mut().find(|p| there(p) && missing::is(p)) {
        problem.severity = Severity::Error;
        problem.what = format!("{} {}: {words}", problem.what, REFUSED.replace("The", "Without it, the"));
        problem.mend = mend(refusal).into();
        return (Some(problem.clone()), span);
    }
    let same = |p: &&mut Problem| p.severity == Severity::Error && there(p);
    if let Some(problem) = file.problems.iter_mut().find(same) {
        let plain = problem.clone();
        problem.what = format!("{} {REFUSED}: {words}", problem.what);
        return (Some(plain), span);
    }
    let none = matches!(&*refusal.kind, RefusalRule::Settings(SettingsRule::NoChildNames)) && culprit.is_none();
    if let Some(problem) = file.problems.iter_mut().find(|p| none && p.severity == Severity::Error) {
        problem.what = format!("{} {REFUSED}: {words}", problem.what);
        return (None, problem.span);
    }
    let at = culprit.map_or(String::new(), |k| format!(" ({k})"));
    let what = format!("{REFUSED}{at}: {words}");
    file.problems.push(Problem::error(file.source, span, what).mend(mend(refusal)));
    (None, span)
}

/// The property that causes the refusal: the first one without which nothing is refused, else the first one without
/// which the refusal is another.
fn culprit(values: &Properties, refusal: &Refusal, yarn_site: &Properties, labels: &[NodeLabel]) -> Option<String> {
    let mut culprit = None;
    let mut keys: Vec<&String> = values.keys().filter(|key| !key.ends_with(".queues")).collect();
    let tries = LOOKED_FOR / values.len().max(1);
    if keys.len() > tries {
        // The queue or value that the refusal names.
        let named = |text: &str| text.len() > 1 && refusal.message.contains(text);
        let queue =
            |key: &str| key.strip_prefix(PREFIX).and_then(|k| k.rsplit_once('.')).is_some_and(|(q, _)| named(q));
        keys.retain(|key| queue(key) || values.get(*key).is_some_and(|v| named(trim(v))));
    }
    for key in keys.into_iter().take(tries) {
        let mut without = values.clone();
        without.shift_remove(key);
        match find(&without, yarn_site, labels) {
            None => return Some(key.clone()),
            Some(then) if then != *refusal => {
                culprit.get_or_insert_with(|| key.clone());
            }
            Some(_) => {}
        }
    }
    culprit
}

/// A finding for which YARN may refuse the file.
pub(super) struct Cause {
    /// The words in YARN's message in that case.
    pub words: String,
    /// Its position.
    pub span: Span,
    /// The message in YARN's log, if it has more.
    pub log: Option<String>,
}

/// A wrong sum of capacities: the end of YARN's message, and the position of the first capacity.
pub(super) fn of_sum(parent: &str, label: &str, span: Option<Span>) -> Option<Cause> {
    Some(Cause { words: format!("for children of queue {parent} for label={label}. "), span: span?, log: None })
}
