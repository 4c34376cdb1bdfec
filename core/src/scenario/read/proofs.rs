//! Reports, before the run, requests that can never be placed (constraint::unsatisfiable), at the place where they are
//! written.

use super::super::application::App;
use super::super::document::Scenario;
use super::super::happening::Act;
use super::fields::Reader;
use crate::constraint::unsatisfiable::{ConstrainedRequest, Ground, Proof, asked_by_spec, proofs};
use crate::constraint::{AttributeChange, Attributes, Constraint};
use crate::model::Span;

/// The maximum of entries × nodes that are checked, to keep reading fast.
const LOOKS: usize = 2_000_000;

/// Reports each application's proofs. Nodes that join later count; nothing is claimed if attributes, labels or constraints
/// change during the run.
pub fn tell(r: &mut Reader<'_>, s: &Scenario) {
    let changes = |h: &super::super::Happening| {
        matches!(h.act, Act::Attributes { .. } | Act::LabelNode { .. } | Act::PutConstraint { .. })
    };
    if s.happenings.iter().any(changes) {
        return;
    }
    let mut attributes = Attributes::default();
    let mut nodes = Vec::new();
    for node in super::names::nodes(s) {
        attributes.change(&node.spec.host, &AttributeChange::Add, &node.attributes);
        let partition = node.spec.label.as_deref().unwrap_or_default();
        nodes.push(Ground { host: &node.spec.host, rack: &node.spec.rack, partition });
    }
    let mut last = usize::MAX;
    let entries = s.apps.iter().filter(|a| std::mem::replace(&mut last, a.entry) != a.entry);
    for app in entries.take((LOOKS / nodes.len().max(1)).max(1)) {
        for (span, proof) in of_app(app, &[], &nodes, &attributes) {
            r.warning(span, proof.words, if proof.most > 0 { "The rest waits, or is rejected." } else { "" });
        }
    }
}

/// Returns why a request of this application can never be placed, even if all other containers end: `own` is the request,
/// `present` are tags that the application's containers carry now.
pub fn never(
    app: &App,
    own: ConstrainedRequest<'_>,
    present: &[&str],
    nodes: &[Ground<'_>],
    attributes: &Attributes,
) -> Option<String> {
    let spec = app.kind.spec();
    let mut asked = asked_by_calls(app);
    asked.extend(spec.into_iter().flat_map(asked_by_spec).map(|(_, a)| a));
    let mine = asked.len();
    asked.push(own);
    let found = proofs(&asked, present, nodes, attributes).into_iter().find(|p| p.asked == mine && p.most == 0);
    found.map(|p| p.words)
}

/// Returns the proofs about an application's requests, each with the place of its cause.
pub fn of_app(app: &App, present: &[&str], nodes: &[Ground<'_>], attributes: &Attributes) -> Vec<(Span, Proof)> {
    if let Some(written) = app.kind.spec_text() {
        let spec = &written.read;
        let listed = asked_by_spec(spec);
        let asked: Vec<ConstrainedRequest<'_>> = listed.iter().map(|(_, a)| a.clone()).collect();
        let place = |proof: &Proof| {
            let entry = &spec.entries[listed[proof.asked].0];
            let clause = proof.clause.and_then(|c| spec.clauses.get(entry.clauses.start + c));
            let span = clause.map_or(entry.span, |c| c.span);
            if written.span.end - written.span.start == written.text.len() {
                span.shift(written.span.start)
            } else {
                written.span
            }
        };
        return proofs(&asked, present, nodes, attributes).into_iter().map(|p| (place(&p), p)).collect();
    }
    let asks: Vec<_> = app.kind.calls().iter().flat_map(|c| &c.scheduling).collect();
    let place = |p: &Proof| asks[p.asked].constraint.as_ref().map_or(app.span, |c| c.span);
    proofs(&asked_by_calls(app), present, nodes, attributes).into_iter().map(|p| (place(&p), p)).collect()
}

fn asked_by_calls(app: &App) -> Vec<ConstrainedRequest<'_>> {
    let asked = app.kind.calls().iter().flat_map(|c| &c.scheduling).map(|ask| {
        let tags: Vec<&str> = ask.tags.iter().map(String::as_str).collect();
        let mut constraints: Vec<&Constraint> = ask.constraint.iter().filter_map(|c| c.tree.as_ref()).collect();
        // Among a registration's constraints for one tag the last one counts.
        let own = app.constraints.iter().rfind(|c| tags.len() == 1 && c.tags == ask.tags);
        let own = own.and_then(|c| c.constraint.tree.as_ref());
        let own = own.filter(|own| constraints.iter().all(|c| !c.same(own)));
        constraints.extend(own);
        ConstrainedRequest { tags, count: ask.count, constraints }
    });
    asked.collect()
}
