//! What a person can do to the selection at the moment shown, as buttons and as lines for values; their edits are happenings.

use super::{Editor, make};
use crate::path;
use heddle_core::scenario::{App, Scenario};
use heddle_view::form::{Button, GroupShape, Head, Part};
use heddle_view::format::{gb, time};
use heddle_view::{Change, How, NodeView, Selection, Snapshot};
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

/// Returns a line whose typed text is a value of a happening.
fn typed(now: i64, text: &str, what: String, act: &str, of: &str, (key, how, hint): (&str, How, &str)) -> Part {
    let Change::Happen { entry, .. } = happening(now, act, of) else { return make::small("") };
    let change = Change::Happen { entry, put: path![key].to_vec(), how };
    let label = format!("{what} at {}", time(now));
    let field = make::bare(&label, "", hint, make::edit(what, change));
    Part::Line { field, button: text.to_string(), clear: true }
}

/// Returns what a person can do to the selection at the moment: buttons, and lines for what needs a value.
pub fn acts(snapshot: &Snapshot, about: Option<&Selection>, scenario: Option<&Scenario>) -> Vec<Part> {
    let now = snapshot.time_ms;
    let button =
        |text: &str, what: String, act: &str, of: &str| make::button(text, make::edit(what, happening(now, act, of)));
    let (buttons, lines) = match about {
        Some(Selection::Node(name)) => {
            let Some(node) = snapshot.racks.iter().flat_map(|r| &r.nodes).find(|n| n.name == *name) else {
                return Vec::new();
            };
            on_node(now, node, &button)
        }
        Some(Selection::App(name)) => {
            let app = scenario.and_then(|s| s.apps.iter().find(|a| a.name == *name));
            let there = snapshot.apps.iter().find(|a| a.name == *name && !a.yarn_id.is_empty());
            let (Some(app), Some(view)) = (app, there) else { return Vec::new() };
            let of = format!("app = {}", quoted(name));
            let over = ["FINISHED", "KILLED", "FAILED"].iter().any(|end| view.state.starts_with(end));
            let restart = app
                .kind
                .is_long_running()
                .then(|| button(&format!("Restart {name}"), format!("restart of {name}"), "restart_app", &of));
            if over {
                (restart.into_iter().collect(), Vec::new())
            } else {
                let kill = button("Kill it", format!("kill of {name}"), "kill_app", &of);
                let hang = button("Hang its AM", format!("hang of the AM of {name}"), "hang_am", &of);
                let queue = ("queue", How::Text, view.queue.as_str());
                let priority = view.priority.to_string();
                let lines = vec![
                    typed(now, "Move to queue", format!("move of {name}"), "move_app", &of, queue),
                    typed(
                        now,
                        "Set priority",
                        format!("priority of {name}"),
                        "set_priority",
                        &of,
                        ("priority", How::Typed, &priority),
                    ),
                ];
                (restart.into_iter().chain([kill, hang]).collect(), lines)
            }
        }
        Some(Selection::Container { app, k }) => {
            let mut here = snapshot.racks.iter().flat_map(|r| &r.nodes).flat_map(|n| &n.containers);
            let Some(c) = here.find(|c| about == Some(&c.id) && c.state == "RUNNING") else { return Vec::new() };
            let of = |code: i32| format!("app = {}, container = {k}, exit_code = {code}", quoted(app));
            let fail = button("Fail this container", format!("failure of {}", c.name), "finish_container", &of(1));
            let end = button("End it", format!("end of {}", c.name), "finish_container", &of(0));
            (vec![fail, end], Vec::new())
        }
        Some(
            Selection::Queue(_)
            | Selection::User(_)
            | Selection::Landing { .. }
            | Selection::Refresh(_)
            | Selection::Request { .. }
            | Selection::Clause { .. },
        )
        | None => return Vec::new(),
    };
    if buttons.is_empty() && lines.is_empty() {
        return Vec::new();
    }
    let mut out = vec![Part::Row { buttons, note: format!("at {}", time(now)) }];
    if !lines.is_empty() {
        out.push(Part::Details { key: "acts".into(), summary: "Change it at this moment".into(), parts: lines });
    }
    out
}

/// Returns what can be done to a node in its state.
fn on_node(now: i64, node: &NodeView, button: &dyn Fn(&str, String, &str, &str) -> Button) -> (Vec<Button>, Vec<Part>) {
    let name = &node.name;
    let of = format!("node = {}", quoted(name));
    let act = |text: &str, what: &str, act: &str| button(text, format!("{what} of {name}"), act, &of);
    let lose = act("Lose it at once", "loss", "remove_node");
    let back = act("Bring it back", "return", "return_node");
    let buttons = match node.state.as_str() {
        "RUNNING" => vec![
            act("Fail this node", "failure", "crash_node"),
            lose,
            act("Drain it", "decommissioning", "decommission_node"),
            act("Make it unhealthy", "illness", "unhealthy_node"),
        ],
        "DECOMMISSIONING" => vec![
            act("Fail this node", "failure", "crash_node"),
            lose,
            act("Recommission it", "recommissioning", "recommission_node"),
        ],
        "LOST" | "DECOMMISSIONED" => return (vec![back], Vec::new()),
        "UNHEALTHY" => vec![act("Heal it", "recovery", "healthy_node"), lose],
        // It is silent, and still counts as running.
        _ => return (vec![lose, back], Vec::new()),
    };
    let unlabelled = (!node.label.is_empty())
        .then(|| button("Take its label", format!("label of {name}"), "label_node", &format!("{of}, label = \"\"")));
    let size = format!("{} GB/{}", gb(node.total.memory_mb), node.total.vcores);
    let line = |text: &str, what: &str, act: &str, value: (&str, How, &str)| {
        typed(now, text, format!("{what} of {name}"), act, &of, value)
    };
    let label = if node.label.is_empty() { "gpu" } else { &node.label };
    let mut lines = vec![
        line("Set label", "label", "label_node", ("label", How::Text, label)),
        line("Resize", "size", "resize_node", ("size", How::Size, &size)),
        line("Add attributes", "attributes", "change_attributes", ("attributes", How::Pairs, "java=17")),
    ];
    if node.state == "RUNNING" {
        lines.push(line("Drain within", "decommissioning", "decommission_node", ("timeout", How::Text, "1 h")));
    }
    lines.extend(unlabelled.map(Part::Button));
    (buttons, lines)
}
