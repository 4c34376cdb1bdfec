//! A place for one more node, the empty cluster, and what to try after the first visit.

use crate::store::{Dialog, Doc, Go, LookAt, Msg, WhatTab};
use crate::ui::gb;
use heddle_view::{Change, Edit, Snapshot};
use yew::prelude::*;

/// The dashed place with its button: another node like the last one.
pub fn slot(doc: &Doc, snapshot: &Snapshot, go: &Go) -> Html {
    let Some(last) = doc.scenario.as_ref().and_then(|s| s.nodes.last().cloned()) else { return html! {} };
    let names: Vec<&str> = snapshot.racks.iter().flat_map(|r| &r.nodes).map(|n| n.name.as_str()).collect();
    let name = next_name(&last.spec.host, &names);
    // The only filled button of the page, and only while the one obvious act is to press it.
    let first = doc.is_first_visit() && !snapshot.waiting.is_empty();
    let text = format!(
        "{name} · {} GB, {} vcores, like {}",
        gb(last.spec.total.memory_mb()),
        last.spec.total.vcores(),
        last.spec.host
    );
    let click = {
        let change = Change::NodeLikeLast { name: name.clone(), at_ms: snapshot.time_ms };
        let edit = Edit { what: format!("add node {name}"), change };
        go.reform(move |_: MouseEvent| Msg::Change { edit: edit.clone(), typed: String::new() })
    };
    let class = if first { classes!("btn", "prim", "big", "pulse") } else { classes!("btn", "edge") };
    html! { <div class="slot"><button type="button" id="add-node" {class} onclick={click}>{ "Add a node" }</button><small>{ text }</small></div> }
}

/// `n3` after `n2`, `node` after nothing.
fn next_name(last: &str, taken: &[&str]) -> String {
    let head = last.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &last[head.len()..];
    let mut n: u64 = digits.parse().unwrap_or(1);
    loop {
        n = n.saturating_add(1);
        let name = format!("{head}{n:0width$}", width = digits.len());
        if !taken.contains(&name.as_str()) {
            return name;
        }
    }
}

/// The empty cluster.
pub fn no_nodes(doc: &Doc, go: &Go) -> Html {
    let _ = doc;
    html! {
        <div class="empty">
            <b>{ "A cluster needs nodes." }</b>
            <span>{ "Write " }<code>{ "12 × 64 GB/16, 3 racks" }</code>{ " under Cluster, or take four of 8 GB." }</span>
            <button type="button" class="btn edge" onclick={go.reform(|_: MouseEvent| Msg::Look(LookAt::What(WhatTab::Cluster)))}>{ "Add nodes" }</button>
        </div>
    }
}

/// After the first visit's one act.
pub fn then_try(go: &Go) -> Html {
    html! {
        <p class="trynext">
            <span>{ "Then try" }</span>
            <button type="button" class="link" onclick={go.reform(|_: MouseEvent| Msg::Dialog(Some(Dialog::Examples)))}>{ "another question" }</button>
            <button type="button" class="link" onclick={go.reform(|_: MouseEvent| Msg::Dialog(Some(Dialog::Import)))}>{ "your own capacity-scheduler.xml" }</button>
        </p>
    }
}

#[cfg(test)]
mod tests {
    use super::next_name;

    #[test]
    fn the_next_name_counts_on() {
        assert_eq!(next_name("n2", &["n1", "n2"]), "n3");
        assert_eq!(next_name("n09", &["n09", "n10"]), "n11");
        assert_eq!(next_name("host", &[]), "host2");
    }
}
