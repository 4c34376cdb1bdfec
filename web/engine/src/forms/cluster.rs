//! The cluster: entries of nodes, each a node or a group, and a line that adds a group.

use super::Editor;
use super::happenings::happenings;
use super::make::{self, cross, field, plural, put, remove, small};
use super::setup::labels;
use crate::path;
use heddle_core::scenario::Scenario;
use heddle_view::form::{Field, GroupShape, Head, Part};
use heddle_view::{Change, How, format};

/// The most entries with a form.
const ENTRIES_MAX: usize = 60;

pub fn cluster(e: &Editor<'_>) -> Vec<Part> {
    let n = e.written.len(&path!["nodes"]);
    let line = Field {
        id: "add-nodes".into(),
        ..make::bare(
            "Nodes to add, such as 12 × 64 GB/16, 3 racks",
            "",
            "12 × 64 GB/16, 3 racks",
            make::edit("add nodes", Change::Nodes),
        )
    };
    let mut out = vec![Part::Line { field: line, button: "Add nodes".into(), clear: false }];
    out.extend(e.of.scenario.map(|s| small(summary(s))));
    out.extend(e.of.scenario.map(|s| Part::Fields(vec![labels(s)])));
    out.extend(happenings(e));
    out.extend((0..n.min(ENTRIES_MAX)).map(|i| entry(e, i)));
    if n > ENTRIES_MAX {
        out.push(small(format!("and {} more entries, in the text", n - ENTRIES_MAX)));
    }
    out
}

fn summary(s: &Scenario) -> String {
    let mut racks: Vec<&str> = s.nodes.iter().map(|n| n.spec.rack.as_str()).collect();
    racks.sort_unstable();
    racks.dedup();
    let memory: i64 = s.nodes.iter().map(|n| n.spec.total.memory_mb()).fold(0, i64::saturating_add);
    let vcores: i64 = s.nodes.iter().map(|n| n.spec.total.vcores()).fold(0, i64::saturating_add);
    let (nodes, racks) = (s.nodes.len(), racks.len());
    let gb = format::gb(memory);
    format!("{nodes} node{}, {racks} rack{}, {gb} GB, {vcores} vcores", plural(nodes), plural(racks))
}

fn entry(e: &Editor<'_>, i: usize) -> Part {
    let text = |key: &str| e.written.text(&path!["nodes", i, key]);
    let of = |k: &str, label: &str, key: &str, hint: &str, how: How, what: &str| {
        field(
            &format!("n{i}{k}"),
            label,
            e.written.value(&path!["nodes", i, key], how),
            hint,
            put(format!("{what} of nodes"), &path!["nodes", i, key], how),
        )
    };
    let name = text("name");
    let rack = if text("racks").is_empty() { text("rack") } else { text("racks") };
    let attributes = path!["nodes", i, "attributes"];
    let head = Head {
        name: Some(Field {
            title: "n{01}: n01, n02, …".into(),
            ..make::bare(
                "Name or pattern",
                name.clone(),
                "",
                put("name of nodes", &path!["nodes", i, "name"], How::Text),
            )
        }),
        button: Some(cross(format!("Remove {name}"), remove(format!("remove nodes {name}"), &path!["nodes", i]))),
        ..Head::default()
    };
    let fields = vec![
        of("c", "count", "count", "1", How::Typed, "count"),
        of("s", "size", "size", "64 GB/16", How::Size, "size"),
        field(&format!("n{i}r"), "rack", rack, "/r1 or 3", make::edit("racks", Change::Racks { entry: i })),
        of("l", "label", "label", "none", How::Text, "label"),
        of("t", "joins at", "at", "0 s", How::Text, "time"),
        field(
            &format!("n{i}a"),
            "attrs",
            e.written.pairs(&attributes),
            "java=17",
            put("attributes", &attributes, How::Pairs),
        ),
    ];
    make::group(i.to_string(), GroupShape::Legend, Some(head), vec![Part::Fields(fields)])
}
