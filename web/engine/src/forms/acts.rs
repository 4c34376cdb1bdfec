//! The buttons for what a user can do to the selection at the moment shown; their edits are happenings.

use super::{Editor, make};
use crate::path;
use heddle_core::scenario::{App, Scenario};
use heddle_view::form::{Button, GroupShape, Head, Part};
use heddle_view::format::time;
use heddle_view::{Change, How, Selection, Snapshot};
use std::fmt::Display;
use toml_edit::Value;

/// Returns an edit that adds a happening at a moment; `of` is its object, as TOML without braces.
pub fn happening(now: i64, act: &str, of: &str) -> Change {
    let entry = format!("{{ at = \"{now} ms\", do = \"{act}\", {of} }}");
    Change::Happen { entry, put: Vec::new(), how: How::Text }
}

/// Returns what a user can do to an application at the moment shown, beginning with a restart.
pub fn at_the_moment(e: &Editor<'_>, app: &App, parts: Vec<Part>) -> Part {
    let now = e.of.snapshot.time_ms;
    let restart = happening(now, "restart_app", &format!("app = {}", quoted(&app.name)));
    let head = Head {
        title: "At the moment".to_string(),
        note: time(now),
        button: Some(make::button("Restart", make::edit(format!("restart of {}", app.name), restart))),
        ..Head::default()
    };
    make::group("now", GroupShape::Frame, Some(head), parts)
}

/// Returns the field for the number of a component's instances from now on.
pub fn flex(e: &Editor<'_>, app: &App, component: &str, wanted: impl Display) -> Part {
    let change = Change::Happen {
        entry: format!("{{ at = \"{} ms\", do = \"flex_app\", app = {} }}", e.of.snapshot.time_ms, quoted(&app.name)),
        put: path!["components", component].to_vec(),
        how: How::Typed,
    };
    let edit = make::edit(format!("flex of {component} of {}", app.name), change);
    let label = format!("Instances of {component} from now on");
    let field = make::bare(&label, "", &format!("{component}: {wanted}"), edit);
    Part::Line { field, button: "Flex".to_string(), clear: true }
}

/// Returns a name as TOML.
pub fn quoted(name: &str) -> String {
    Value::from(name).to_string()
}

/// Returns the buttons for the selection.
pub fn acts(snapshot: &Snapshot, about: Option<&Selection>, scenario: Option<&Scenario>) -> Vec<Button> {
    let now = snapshot.time_ms;
    let button = |text: &str, what: String, act: &str, of: String| {
        make::button(text, make::edit(what, happening(now, act, &of)))
    };
    match about {
        Some(Selection::Node(name)) => {
            let Some(node) = snapshot.racks.iter().flat_map(|r| &r.nodes).find(|n| n.name == *name) else {
                return Vec::new();
            };
            let of = || format!("node = {}", quoted(name));
            let fail = button("Fail this node", format!("failure of {name}"), "crash_node", of());
            let lose = button("Lose it at once", format!("loss of {name}"), "remove_node", of());
            let back = button("Bring it back", format!("return of {name}"), "return_node", of());
            match node.state.as_str() {
                "RUNNING" | "DECOMMISSIONING" => vec![fail, lose],
                "LOST" | "DECOMMISSIONED" => vec![back],
                "UNHEALTHY" => vec![button("Heal it", format!("recovery of {name}"), "healthy_node", of())],
                // It is silent, and still counts as running.
                _ => vec![lose, back],
            }
        }
        Some(Selection::App(name)) => {
            let app = scenario.and_then(|s| s.apps.iter().find(|a| a.name == *name));
            let runs = snapshot.apps.iter().any(|a| a.name == *name && !a.yarn_id.is_empty());
            if !runs || !app.is_some_and(|a| a.kind.is_long_running()) {
                return Vec::new();
            }
            vec![button(
                &format!("Restart {name}"),
                format!("restart of {name}"),
                "restart_app",
                format!("app = {}", quoted(name)),
            )]
        }
        Some(Selection::Container { app, k }) => {
            let mut here = snapshot.racks.iter().flat_map(|r| &r.nodes).flat_map(|n| &n.containers);
            let Some(c) = here.find(|c| about == Some(&c.id) && c.state == "RUNNING") else { return Vec::new() };
            let of = format!("app = {}, container = {k}, exit_code = 1", quoted(app));
            vec![button("Fail this container", format!("failure of {}", c.name), "finish_container", of)]
        }
        _ => Vec::new(),
    }
}
