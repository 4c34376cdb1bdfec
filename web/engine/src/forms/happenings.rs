//! Happenings: what somebody does to the cluster, its applications and its settings, each with its time; and a choice that adds
//! one at the moment shown. A table has the fields of each kind.

use super::Editor;
use super::make::{self, bare, choice, cross, field, put, remove, small};
use crate::path;
use heddle_core::scenario::Scenario;
use heddle_view::form::{Control, Field, GroupShape, Head, Part};
use heddle_view::format::time;
use heddle_view::{Change, How, SchedulerChoice};

/// The most happenings with a form.
const ENTRIES_MAX: usize = 40;

/// What a field of a happening names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Names {
    Node,
    App,
    /// A leaf queue.
    Queue,
    /// One of these.
    One(&'static [(&'static str, &'static str)]),
    /// Anything else, with an example.
    Any(&'static str),
    /// A whole file.
    File,
}

/// A field of a happening: its key, its label, how it is written, what it names.
type FieldRow = (&'static str, &'static str, How, Names);

const NODE: FieldRow = ("node", "node", How::Text, Names::Node);
const APP: FieldRow = ("app", "application", How::Text, Names::App);
const HOW: &[(&str, &str)] = &[("", "added"), ("remove", "removed"), ("replace", "replaced")];

/// A kind of happening: `do`, its name, its fields.
type KindRow = (&'static str, &'static str, &'static [FieldRow]);

/// The kinds of happenings that any scenario can have. Those of one kind of application are in its own form.
const KINDS: &[KindRow] = &[
    (
        "add_node",
        "A node joins",
        &[
            ("name", "name", How::Text, Names::Any("n9")),
            ("size", "size", How::Size, Names::Any("64 GB/16")),
            ("rack", "rack", How::Text, Names::Any("/r1")),
            ("label", "label", How::Text, Names::Any("none")),
            ("count", "count", How::Typed, Names::Any("1")),
        ],
    ),
    ("remove_node", "A node is lost at once", &[NODE]),
    ("crash_node", "A node fails silently", &[NODE]),
    ("return_node", "A node comes back", &[NODE]),
    ("unhealthy_node", "A node becomes unhealthy", &[NODE]),
    ("healthy_node", "A node becomes healthy", &[NODE]),
    ("decommission_node", "A node is decommissioned", &[NODE, ("timeout", "within", How::Text, Names::Any("1 h"))]),
    ("recommission_node", "Decommissioning is cancelled", &[NODE]),
    (
        "resize_node",
        "A node is resized",
        &[
            NODE,
            ("size", "size", How::Size, Names::Any("64 GB/16")),
            ("overcommit_timeout", "kill what is over after", How::Text, Names::Any("never")),
        ],
    ),
    ("label_node", "A node gets another label", &[NODE, ("label", "label", How::Text, Names::Any("none"))]),
    (
        "change_attributes",
        "A node's attributes change",
        &[
            NODE,
            ("attributes", "attributes", How::Pairs, Names::Any("java=17")),
            ("how", "they are", How::Text, Names::One(HOW)),
        ],
    ),
    ("kill_app", "An application is killed", &[APP]),
    ("hang_am", "An ApplicationMaster hangs", &[APP]),
    ("move_app", "An application is moved", &[APP, ("queue", "to", How::Text, Names::Queue)]),
    (
        "set_priority",
        "An application's priority changes",
        &[APP, ("priority", "priority", How::Typed, Names::Any("10"))],
    ),
    (
        "finish_container",
        "A container ends",
        &[
            APP,
            ("container", "its number", How::Typed, Names::Any("1")),
            ("exit_code", "exit code", How::Typed, Names::Any("0")),
        ],
    ),
    (
        "restart_app",
        "A long-running application is restarted",
        &[APP, ("after", "after its end", How::Text, Names::Any("0 s"))],
    ),
    (
        "put_constraint",
        "A constraint is set for tags",
        &[
            ("app", "only of", How::Text, Names::App),
            ("tags", "source tags", How::List, Names::Any("hbase")),
            ("constraint", "constraint", How::Constraint, Names::Any("notin,node,hbase")),
        ],
    ),
    (
        "refresh",
        "The queues are refreshed",
        &[("unset", "properties unset", How::List, Names::Any("root.a.maximum-capacity"))],
    ),
    (
        "write_allocations",
        "fair-scheduler.xml is written",
        &[("fair-scheduler.xml", "the file", How::Letters, Names::File)],
    ),
];

/// Returns the list of happenings with their fields, and the choice that adds one.
pub fn happenings(e: &Editor<'_>) -> Vec<Part> {
    let Some(scenario) = e.of.scenario else { return Vec::new() };
    let n = e.written.len(&path!["happenings"]);
    // Another one each time, so that the same kind can be chosen again.
    let add = Part::Fields(vec![adder(e, scenario)]);
    let mut parts: Vec<Part> = vec![make::group(format!("happen {n}"), GroupShape::Plain, None, vec![add])];
    parts.extend((0..n.min(ENTRIES_MAX)).map(|i| entry(e, scenario, i)));
    if n > ENTRIES_MAX {
        parts.push(small(format!("and {} more happenings, in the text", n - ENTRIES_MAX)));
    }
    let summary = if n == 0 { "Happenings".to_owned() } else { format!("Happenings ({n})") };
    vec![Part::Details { key: "happenings".into(), summary, parts }]
}

/// Returns the choice of what happens at the moment shown.
fn adder(e: &Editor<'_>, scenario: &Scenario) -> Field {
    let now = e.of.snapshot.time_ms;
    let mut options = vec![("", "what happens…")];
    let fits = |act: &str| match act {
        "restart_app" => scenario.apps.iter().any(|a| a.kind.is_long_running()),
        "write_allocations" => scenario.settings.scheduler == SchedulerChoice::Fair,
        _ => true,
    };
    options.extend(KINDS.iter().filter(|(act, ..)| fits(act)).map(|(act, name, _)| (*act, *name)));
    let about = e.of.chosen.or(e.of.about).cloned();
    let snapshot = e.of.snapshot;
    let here = about.as_ref().and_then(heddle_view::Selection::app);
    let here = snapshot.apps.iter().find(|a| Some(a.name.as_str()) == here).or(snapshot.apps.first());
    let other = snapshot.queues.iter().find(|q| q.leaf && Some(&q.path) != here.map(|a| &a.queue));
    let queue = other.or(snapshot.queues.iter().find(|q| q.leaf)).map(|q| q.path.clone()).unwrap_or_default();
    let edit = make::edit(format!("happening at {}", time(now)), Change::NewHappening { at_ms: now, about, queue });
    choice("happen", &format!("at {}", time(now)), "", &options, edit)
}

fn entry(e: &Editor<'_>, scenario: &Scenario, i: usize) -> Part {
    let text = |key: &str| e.written.text(&path!["happenings", i, key]);
    let act = text("do");
    let kind = KINDS.iter().find(|(name, ..)| *name == act);
    let title = kind.map_or_else(|| act.replace('_', " "), |(_, name, _)| (*name).to_owned());
    let what = format!("{title} at {}", text("at"));
    let mut fields = vec![field(
        &format!("h{i}at"),
        "at",
        text("at"),
        "30 s",
        put(format!("time of: {title}"), &path!["happenings", i, "at"], How::Text),
    )];
    // A constraint that is written as a tree is changed in the text.
    let shown = |row: &&FieldRow| row.2 != How::Constraint || !text(row.0).is_empty();
    for (k, row) in kind.into_iter().flat_map(|(_, _, fields)| fields.iter()).filter(shown).enumerate() {
        fields.push(one(e, scenario, (i, k), &title, row));
    }
    let head = Head {
        title,
        button: Some(cross(format!("Remove: {what}"), remove(format!("remove: {what}"), &path!["happenings", i]))),
        ..Head::default()
    };
    let mut parts = vec![Part::Fields(fields)];
    if kind.is_none() {
        parts.push(small("The rest of it is in the text, and in its application's form."));
    } else if act == "refresh" {
        parts.push(small("The values that it sets are in Queues, with \"by a refresh\" chosen."));
    }
    make::group(format!("happening {i}"), GroupShape::Frame, Some(head), parts)
}

fn one(
    e: &Editor<'_>,
    scenario: &Scenario,
    (i, k): (usize, usize),
    title: &str,
    (key, label, how, names): &FieldRow,
) -> Field {
    let path = path!["happenings", i, *key];
    let (id, edit) = (format!("h{i}f{k}"), put(format!("{label} of: {title}"), &path, *how));
    let value = if *how == How::Pairs { e.written.pairs(&path) } else { e.written.value(&path, *how) };
    let among = |mut names: Vec<String>| {
        if !names.contains(&value) {
            names.insert(0, value.clone());
        }
        let options: Vec<(&str, &str)> = names.iter().map(|n| (n.as_str(), n.as_str())).collect();
        choice(&id, label, &value, &options, edit.clone())
    };
    match names {
        Names::Node => among(scenario.nodes.iter().map(|n| n.spec.host.clone()).collect()),
        Names::App => among(scenario.apps.iter().map(|a| a.name.clone()).collect()),
        Names::Queue => among(e.of.snapshot.queues.iter().filter(|q| q.leaf).map(|q| q.path.clone()).collect()),
        Names::One(options) => choice(&id, label, &value, options, edit),
        Names::Any(hint) => field(&id, label, value, hint, edit),
        Names::File => {
            let control = Control::Lines(6);
            Field { control, id: format!("f-{id}"), ..bare(label, value, "", edit) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_core::scenario::ACTS;

    /// The acts that the form of a kind of application offers, with that form.
    const OF_KINDS: [(&str, &str); 9] = [
        ("flex_app", include_str!("acts.rs")),
        ("upgrade_app", include_str!("../apps/service/form.rs")),
        ("write_history", include_str!("../apps/slider/form.rs")),
        ("damage_history", include_str!("../apps/slider/form.rs")),
        ("delete_history", include_str!("../apps/slider/form.rs")),
        ("place_processor", include_str!("../apps/samza/form.rs")),
        ("finish_processor", include_str!("../apps/samza/form.rs")),
        ("write_stream", include_str!("../apps/samza/stream.rs")),
        ("clear_disks", include_str!("../apps/samza/form.rs")),
    ];

    #[test]
    fn each_act_has_a_form() {
        let mut have: Vec<&str> = KINDS.iter().map(|(act, ..)| *act).chain(OF_KINDS.map(|(act, _)| act)).collect();
        let mut all = ACTS.to_vec();
        have.sort_unstable();
        all.sort_unstable();
        assert_eq!(have, all);
        for (act, form) in OF_KINDS {
            assert!(form.contains(act), "{act} is not in its form");
        }
    }

    #[test]
    fn each_kind_begins_with_a_scenario_that_can_be_read() {
        const TEXT: &str = "heddle = 1\nscheduler = \"fair\"\n[[nodes]]\nname = \"n\"\nsize = \"8 GB/4\"\n\
            [[apps]]\nname = \"a\"\ntags = [\"x\"]\ntasks = [{ count = 1 }]\n";
        let scenario = heddle_core::scenario::read(TEXT).scenario;
        for (act, ..) in KINDS {
            let about = "container:a/1".parse().ok();
            let change = Change::NewHappening { at_ms: 90_000, about, queue: "root.default".into() };
            let edit = make::edit("it", change);
            let text = match crate::edits::apply(TEXT, &edit, act, scenario.as_ref()) {
                Err(why) if *act == "restart_app" => {
                    assert_eq!(why, "No application here is long-running.");
                    continue;
                }
                text => text.unwrap_or_else(|why| panic!("{act}: {why}")),
            };
            let read = heddle_core::scenario::read(&text);
            let happenings = read.scenario.unwrap_or_else(|| panic!("{:#?}\n{text}", read.problems)).happenings;
            assert_eq!(happenings.iter().map(|h| h.at).collect::<Vec<_>>(), [90_000], "{text}");
        }
        let none = crate::edits::apply(
            "heddle = 1\n",
            &make::edit("it", Change::NewHappening { at_ms: 0, about: None, queue: String::new() }),
            "crash_node",
            heddle_core::scenario::read("heddle = 1\n").scenario.as_ref(),
        );
        assert_eq!(none, Err("There is no node yet.".to_owned()));
    }
}
