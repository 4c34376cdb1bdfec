//! Whether preemption is on with a file, and if not, why (preemption.md A1).

use super::File;
use crate::config::capacity::monitors::{ENABLE, Monitors, POLICIES, Policy};
use crate::config::capacity::preemption::{PREFIX, PreemptionConf};
use crate::model::{Problem, Span};

/// Reports that the file switches monitors on, or configures preemption without them.
pub(super) fn check(file: &mut File<'_>) {
    let monitors = match Monitors::read(file.conf, None) {
        Ok(monitors) => monitors,
        Err(refusal) => {
            let what = format!("The monitors cannot start: {}.", refusal.message);
            let problem = Problem::error(file.source, file.value_span(POLICIES), what);
            return file.problems.push(problem.mend(super::mend(&refusal)));
        }
    };
    let first = |wanted: &dyn Fn(&str) -> bool| {
        let mine = file.effective.values.keys().find(|key| wanted(key))?;
        Some((mine.clone(), file.effective.origins.get(mine).map(|o| o.name_span)))
    };
    let of_monitors = first(&|key| key == ENABLE || key == POLICIES);
    let setting = first(&|key| key.starts_with(PREFIX));
    let found = match (monitors.on, of_monitors, setting) {
        (true, Some((_, span)), _) => on(file, &monitors, span),
        (false, _, Some((key, span))) => Some(off(file, &key, span)),
        (false, Some((_, span)), None) => {
            let what = "The monitors are off: nothing is preempted.";
            Some(Problem::note(file.source, span, what))
        }
        _ => None,
    };
    file.problems.extend(found);
}

/// Reports whether preemption does anything, given that monitors are on.
fn on(file: &File<'_>, monitors: &Monitors, span: Option<Span>) -> Option<Problem> {
    let (class, _) = Policy::ALL[0];
    if !monitors.runs(Policy::Preemption) {
        let at = file.value_span(POLICIES).or(span);
        let what = format!("The monitors are on, but {class} is not among their policies: nothing is preempted.");
        return Some(Problem::warning(file.source, at, what).mend("Add the class to the list, after a comma."));
    }
    // An unreadable value is reported at its own position.
    let conf = PreemptionConf::read(file.conf).ok()?;
    if conf.monitoring_interval_ms <= 0 {
        let at = file.value_span(&format!("{PREFIX}monitoring_interval")).or(span);
        let what = "The monitor of preemption has no interval: it never looks, and nothing is preempted.";
        return Some(Problem::warning(file.source, at, what).mend("Write a positive number of milliseconds."));
    }
    if conf.observe_only {
        let at = file.value_span(&format!("{PREFIX}observe_only")).or(span);
        let what = "Preemption only watches: its rounds are played, and nothing is asked back or killed.";
        return Some(Problem::warning(file.source, at, what).mend("Set observe_only to false to preempt."));
    }
    let every = conf.monitoring_interval_ms;
    let what = format!("Preemption is on: it is played, with a round every {every} ms.");
    Some(Problem::note(file.source, span, what))
}

/// Reports that preemption is configured, but the monitors are off as far as is known.
fn off(file: &File<'_>, key: &str, span: Option<Span>) -> Problem {
    if file.conf.raw(ENABLE).is_some() {
        let what = format!("{key} is set, but the monitors are off: nothing is preempted.");
        return Problem::warning(file.source, span, what).mend(format!("Set {ENABLE} to true to preempt."));
    }
    let what = format!("{key} decides something only where {ENABLE} is true, which this file does not say.");
    Problem::note(file.source, span, what)
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;
    use crate::api::Properties;
    use crate::model::Severity;

    /// The reports about these properties, with their positions.
    fn said(lines: &[(&str, &str)]) -> Vec<(Severity, String, usize)> {
        let entry = |(k, v): &(&str, &str)| format!("<property><name>{k}</name><value>{v}</value></property>\n");
        let text = format!("<configuration>\n{}</configuration>", lines.iter().map(entry).collect::<String>());
        let report = check("x", &text, &Properties::new(), &[]);
        let line = |p: &Problem| p.span.map_or(0, |s| s.line_col(&text).0);
        report.problems.iter().map(|p| (p.severity, p.what.clone(), line(p))).collect()
    }

    #[test]
    fn whether_preemption_is_played_and_why_not() {
        let interval = format!("{PREFIX}monitoring_interval");
        let observe = format!("{PREFIX}observe_only");
        let (class, _) = Policy::ALL[0];
        let (deletion, _) = Policy::ALL[2];
        let one = |lines: &[(&str, &str)], severity, words: &str, line| {
            let said = said(lines);
            let fits =
                |(s, what, at): &(Severity, String, usize)| *s == severity && what.contains(words) && *at == line;
            assert!(said.iter().any(fits), "{lines:?}: {said:?}");
        };
        one(&[(ENABLE, "true")], Severity::Note, "Preemption is on: it is played, with a round every 3000 ms", 2);
        one(&[(ENABLE, "true"), (&interval, "1000")], Severity::Note, "every 1000 ms", 2);
        one(&[(ENABLE, "true"), (POLICIES, class)], Severity::Note, "Preemption is on", 2);
        one(&[(ENABLE, "true"), (POLICIES, deletion)], Severity::Warning, "is not among their policies", 3);
        let short = "ProportionalCapacityPreemptionPolicy";
        one(&[(ENABLE, "true"), (POLICIES, short)], Severity::Error, "Failed to find class", 3);
        one(&[(ENABLE, "true"), (&observe, "true")], Severity::Warning, "only watches", 3);
        one(&[(ENABLE, "true"), (&interval, "0")], Severity::Warning, "never looks", 3);
        one(&[(ENABLE, "false"), (&interval, "1000")], Severity::Warning, "but the monitors are off", 3);
        one(&[(&interval, "1000")], Severity::Note, "decides something only where", 2);
        one(&[(ENABLE, "false")], Severity::Note, "nothing is preempted", 2);
        let other = [("yarn.resourcemanager.am.max-attempts", "2")];
        assert!(said(&other).is_empty());
    }
}
