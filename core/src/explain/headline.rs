//! The one sentence over the page: the longest wait, else the latest surprise, else that everything is placed.

use super::names::Names;
use super::request::Explained;
use super::view::{EventView, Fate, Selection};
use super::words;
use crate::model::{CalculatorKind, Millis};

/// A surprise is told for so long after it happened.
const SURPRISE_MS: Millis = 60_000;

/// The sentence and what it is about. `placed`: containers placed so far without AMs, and when the last of them was.
pub fn headline(
    names: Names<'_>,
    now: Millis,
    longest: Option<&Explained>,
    surprise: Option<&EventView>,
    placed: (usize, Option<Millis>),
) -> (String, Option<Selection>) {
    if names.rm().cluster().node_count == 0 && names.rm().apps().is_empty() {
        return ("A cluster needs nodes.".to_string(), None);
    }
    if let Some(e) = longest {
        let w = &e.waiting;
        let name = names.request_name(w.app, w.key, w.count);
        let about = Some(names.request(w.app, w.key));
        if let Some(never) = &e.never {
            return (plain(never), about);
        }
        let span = words::span(now - w.since);
        let many = if w.count > 1 { format!("{} of {name} have", w.count) } else { format!("{name} has") };
        return (plain(&format!("{many} waited {span}: {}.", e.because)), about);
    }
    if let Some(s) = surprise.filter(|s| now - s.time_ms <= SURPRISE_MS || placed.0 == 0) {
        let why = if s.why.is_empty() { String::new() } else { format!(": {}", s.why.trim_end_matches('.')) };
        if s.verb == "refused" {
            return (format!("Refused at {}: {}{why}.", words::clock(s.time_ms), s.name), s.who.clone());
        }
        let verb = match s.fate {
            Fate::Rejected if s.verb == "call refused" => "had a call refused".to_string(),
            Fate::Rejected if s.verb == "failed" => "failed".to_string(),
            Fate::Rejected if s.verb == "killed" => "was killed".to_string(),
            Fate::Rejected => "was rejected".to_string(),
            Fate::Preempting => format!("was {}", s.verb),
            _ => format!("was {}", s.verb),
        };
        return (format!("{} {verb} at {}{why}.", s.name, words::clock(s.time_ms)), s.who.clone());
    }
    match placed {
        (0, _) if names.rm().apps().is_empty() => {
            (format!("{}, nobody asks.", words::count(names.rm().cluster().node_count as i64, "node")), None)
        }
        (0, _) => ("Nothing waits; no container has been asked for yet.".to_string(), None),
        (n, last) => {
            let first = names.rm().apps().first().map_or(0, |a| a.submitted_at);
            let span = words::span(last.unwrap_or(now) - first);
            let requests = if n == 1 { "The only request was".to_string() } else { format!("All {n} requests") };
            // Vcores beyond what a node has surprise whoever thinks that they count.
            let cluster = names.rm().cluster();
            let memory_only = cluster.calculator.kind == CalculatorKind::Default;
            let over =
                cluster.nodes.iter().find(|n| memory_only && n.in_scheduler && n.allocated.vcores() > n.total.vcores());
            let over = over.map_or(String::new(), |n| {
                let (runs, has) = (n.allocated.vcores(), n.total.vcores());
                format!("; {} runs {runs} vcores and has {has}: the calculator counts memory only", n.host)
            });
            (format!("{requests} placed in {span}{over}."), None)
        }
    }
}

/// Without the marks of bold words.
fn plain(text: &str) -> String {
    text.replace("**", "")
}
