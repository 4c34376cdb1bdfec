//! Reads expectations: `[[expect]]`, a time clause, a subject, conditions.

use super::super::expect::{Compare, Condition, Expectation, Figure, Subject, Wanted, When, Words};
use super::super::units;
use super::fields::{Fields, Reader, span_of};
use crate::model::Span;
use toml_edit::{Item, Value};

pub fn expectations(r: &mut Reader<'_>, root: &mut Fields<'_>) -> Vec<Expectation> {
    let mut out = Vec::new();
    for mut f in root.tables(r, "expect", "an expectation") {
        let span = f.span;
        let before = r.count();
        let when = when(r, &mut f);
        let (subject, kind) = subject(r, &mut f);
        let conditions = conditions(r, &mut f, kind);
        let because = f.text(r, "because").unwrap_or_default();
        if conditions.is_empty() && r.count() == before {
            r.error(span, "An expectation needs a condition.", "Add one such as `placed = 2`.");
        }
        f.finish(r);
        out.push(Expectation { when, subject, conditions, because, span });
    }
    out
}

fn when(r: &mut Reader<'_>, f: &mut Fields<'_>) -> When {
    let span = f.span;
    let at = match f.item("at") {
        Some((item, _)) if item.as_str() == Some("end") => Some(None),
        Some(_) => f.time(r, "at").map(Some),
        None => None,
    };
    let by = f.time(r, "by");
    let from = f.time(r, "from").unwrap_or(0);
    let to = f.time(r, "to");
    let always = f.boolean(r, "always").unwrap_or(false);
    let never = f.boolean(r, "never").unwrap_or(false);
    let ranged = f.has("from") || f.has("to");
    let clauses = [at.is_some(), by.is_some(), always, never].iter().filter(|c| **c).count();
    if clauses > 1 {
        r.error(span, "An expectation has one of `at`, `by`, `always` and `never`.", "Take the others away.");
    } else if ranged && !always && !never {
        r.error(span, "`from` and `to` go with `always = true` or `never = true`.", "Add one of them.");
    }
    match (at, by) {
        (Some(Some(ms)), _) => When::At(ms),
        (_, Some(ms)) => When::By(ms),
        _ if always => When::Always(from, to),
        _ if never => When::Never(from, to),
        _ => When::End,
    }
}

/// Returns the subject, and its word in [`Figure::ALL`].
fn subject(r: &mut Reader<'_>, f: &mut Fields<'_>) -> (Subject, &'static str) {
    let span = f.span;
    let app = f.name(r, "app").map(|(n, _)| n);
    let node = f.name(r, "node").map(|(n, _)| n);
    let queue = f.name(r, "queue").map(|(n, _)| n);
    let user = f.name(r, "user").map(|(n, _)| n);
    match (app, node, queue, user) {
        (Some(app), None, None, None) => (Subject::App(app), "app"),
        (None, Some(node), None, None) => (Subject::Node(node), "node"),
        (None, None, Some(queue), None) => (Subject::Queue(queue), "queue"),
        (None, None, Some(queue), Some(user)) => (Subject::User { user, queue }, "user"),
        (None, None, None, None) => (Subject::Cluster, "cluster"),
        _ => {
            let mend = "Write one of `app`, `node`, `queue`, or `user` with `queue`, or none for the whole cluster.";
            r.error(span, "An expectation is about one thing.", mend);
            (Subject::Cluster, "cluster")
        }
    }
}

fn conditions(r: &mut Reader<'_>, f: &mut Fields<'_>, kind: &str) -> Vec<Condition> {
    let mut out = Vec::new();
    for (key, figure, subjects) in Figure::ALL {
        let Some((item, span)) = f.item(key) else { continue };
        if !subjects.split(' ').any(|s| s == kind) {
            let able: Vec<&str> = subjects.split(' ').collect();
            r.error(span, format!("`{key}` is a figure of: {}; this is about: {kind}.", able.join(", ")), "");
            continue;
        }
        if let Some(wanted) = wanted(r, key, item, span, figure.is_memory()) {
            out.push(Condition::Number(figure, wanted));
        }
    }
    if let Some(state) = f.text(r, "state") {
        out.push(Condition::State(state));
    }
    for (key, words) in [("headline", Words::Headline), ("reason", Words::Reason), ("yarn", Words::Yarn)] {
        if let Some(text) = f.text(r, key) {
            out.push(Condition::Words(words, text));
        }
    }
    if let Some(mut on) = f.table(r, "on", "containers per node") {
        for (node, item, span) in on.entries() {
            if let Some(wanted) = wanted(r, node, item, span, false) {
                out.push(Condition::On(node.to_string(), wanted));
            }
        }
    }
    out
}

/// Reads `2`, `true` (1), `">= 2"`, `"4 GB"`, `"<= 4 GB"`.
fn wanted(r: &mut Reader<'_>, key: &str, item: &Item, span: Span, memory: bool) -> Option<Wanted> {
    let span = span_of(item).unwrap_or(span);
    let text = match item {
        Item::Value(Value::Integer(n)) => return Some(Wanted { compare: Compare::Equal, number: *n.value() }),
        Item::Value(Value::Boolean(b)) => {
            return Some(Wanted { compare: Compare::Equal, number: i64::from(*b.value()) });
        }
        Item::Value(Value::String(s)) => s.value().trim(),
        _ => "",
    };
    let (compare, rest) = Compare::SIGNS
        .into_iter()
        .find_map(|(sign, compare)| text.strip_prefix(sign).map(|rest| (compare, rest.trim())))
        .unwrap_or((Compare::Equal, text));
    let number = match rest.parse::<i64>() {
        Ok(n) => Some(n),
        Err(_) if memory => units::parse_memory(rest).ok(),
        Err(_) => None,
    };
    if number.is_none() {
        let example = if memory { "\"4 GB\" or \">= 4 GB\"" } else { "2 or \">= 2\"" };
        r.error(span, format!("`{key}` is not a number to compare with."), format!("Write {example}."));
    }
    number.map(|number| Wanted { compare, number })
}
