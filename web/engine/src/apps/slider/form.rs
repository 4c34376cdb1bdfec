//! The form of a Slider application: its components as fields, and what a user can do to it.

use crate::forms::Editor;
use crate::forms::acts::{at_the_moment, flex, happening, quoted};
use crate::forms::make::{self, choice, cross, field, put, remove, small};
use crate::path;
use heddle_core::apps::slider::strategy::settings::{MASTER, key};
use heddle_core::scenario::{App, SliderApp};
use heddle_core::sim::Simulation;
use heddle_view::form::{Code, GroupShape, Head, Part, Source};
use heddle_view::format::time;
use heddle_view::{Change, How, Step};

/// The most history files listed, from the newest.
const FILES: usize = 10;
/// The most bytes of a file that can be edited.
const EDITED: usize = 20_000;

/// Placement policies with a name.
const POLICIES: [(&str, &str); 4] = [
    ("0", "normal: back to its hosts, relaxed after a while"),
    ("1", "strict: back to its hosts, never relaxed"),
    ("2", "anywhere"),
    ("4", "anti-affinity: one on a host"),
];

/// Returns the components, then the buttons.
pub fn parts(e: &Editor<'_>, app: &App, slider: &SliderApp) -> Vec<Part> {
    let i = app.entry;
    let entries = e.written.len(&path!["apps", i, "components"]);
    let mut out = Vec::new();
    if e.written.text(&path!["apps", i, "resources.json"]).is_empty() {
        out.extend(
            slider.definition.components.keys().take(entries).enumerate().map(|(j, name)| component(e, app, j, name)),
        );
        let id = (1..).find(|id| slider.component(*id).is_none()).unwrap_or(1);
        let entry = format!("{{ name = \"component{id}\", \"{}\" = {id}, \"{}\" = 1 }}", key::PRIORITY, key::INSTANCES);
        let add = Change::Append { list: path!["apps", i, "components"].to_vec(), entry };
        out.push(Part::Button(make::button(
            "+ Component",
            make::edit(format!("add a component to {}", app.name), add),
        )));
    } else {
        out.push(small("Its components stand in resources.json: change them in the text."));
    }
    out.push(acts(e, app));
    out
}

/// Returns what a user can do to it at the moment shown.
fn acts(e: &Editor<'_>, app: &App) -> Part {
    let Some((run, place)) = e.running(app) else { return at_the_moment(e, app, Vec::new()) };
    let definition = run.slider_definition(place).unwrap_or_default();
    let components = definition.components.keys().filter(|name| *name != MASTER);
    let mut out: Vec<Part> =
        components.map(|name| flex(e, app, name, definition.instances(name).unwrap_or(0))).collect();
    out.push(files(e, app, run, place));
    at_the_moment(e, app, out)
}

/// Returns the history files at the moment, the newest first.
fn files(e: &Editor<'_>, app: &App, run: &Simulation, place: usize) -> Part {
    let (now, all) = (e.of.snapshot.time_ms, run.history_files(place));
    let clock_at = run.slider_clock(place);
    let file = |(name, text): (&str, &str)| {
        let of = format!("app = {}, file = {}", quoted(&app.name), quoted(name));
        let act = |text: &str, what: &str, act: &str| {
            make::button(text, make::edit(format!("{what} of {name}"), happening(now, act, &of)))
        };
        let mut parts = match text.len() <= EDITED {
            true => vec![Part::Code(Code {
                label: name.to_string(),
                text: Source::Text(text.to_string()),
                marks: Vec::new(),
                long: false,
                error: false,
                edit: make::edit(
                    format!("change of {name}"),
                    Change::Happen {
                        entry: format!("{{ at = \"{now} ms\", do = \"write_history\", {of} }}"),
                        put: path!["text"].to_vec(),
                        how: How::Letters,
                    },
                ),
            })],
            false => vec![small(format!("{} bytes: too long to be edited here.", text.len()))],
        };
        let buttons = vec![act("Damage", "damage", "damage_history"), act("Delete", "removal", "delete_history")];
        parts.push(Part::Row { buttons, note: String::new() });
        let saved =
            heddle_core::apps::slider::strategy::files::saved(name).map_or(String::new(), |at| match at - clock_at {
                before if before < 0 => "saved before this run".to_string(),
                at => format!("saved at {}", time(at)),
            });
        Part::Details { key: name.to_string(), summary: format!("{name} {saved}"), parts }
    };
    let mut parts: Vec<Part> = all.iter().rev().take(FILES).map(file).collect();
    match all.len() {
        0 => parts.push(small("None yet: one is written whenever an instance starts or ends.")),
        n => {
            let delete = happening(now, "delete_history", &format!("app = {}", quoted(&app.name)));
            let button =
                make::button("Delete all", make::edit(format!("removal of the history of {}", app.name), delete));
            let note = if n > FILES { format!("the newest {FILES} of {n} are listed") } else { String::new() };
            parts.push(Part::Row { buttons: vec![button], note });
        }
    }
    let summary = format!("{} history file{}", all.len(), make::plural(all.len()));
    Part::Details { key: "files".to_string(), summary, parts }
}

/// Returns the path of a component's key: quoted, or as nested tables.
fn written_at(e: &Editor<'_>, i: usize, j: usize, key: &str) -> Vec<Step> {
    let entry = path!["apps", i, "components", j];
    let nested: Vec<Step> = entry.iter().cloned().chain(key.split('.').map(Step::from)).collect();
    let quoted: Vec<Step> = entry.iter().cloned().chain([Step::from(key)]).collect();
    if e.written.text(&nested).is_empty() { quoted } else { nested }
}

fn component(e: &Editor<'_>, app: &App, j: usize, name: &str) -> Part {
    let i = app.entry;
    let what = |what: &str| format!("{what} of {name} of {}", app.name);
    let of = |k: &str, label: &str, key: &str, hint: &str| {
        let at = written_at(e, i, j, key);
        field(&format!("a{i}k{j}{k}"), label, e.written.text(&at), hint, put(what(label), &at, How::Typed))
    };
    let own = |k: &str, label: &str, key: &str, hint: &str, how: How| {
        let at = path!["apps", i, "components", j, key];
        field(&format!("a{i}k{j}{k}"), label, e.written.text(&at), hint, put(what(label), &at, how))
    };
    let policy = {
        let at = written_at(e, i, j, key::POLICY);
        let value = e.written.text(&at);
        let value = if value.is_empty() { "0".to_string() } else { value };
        let mut options: Vec<(&str, &str)> = POLICIES.to_vec();
        if options.iter().all(|(known, _)| *known != value) {
            options.push((&value, &value));
        }
        choice(&format!("a{i}k{j}p"), "policy", &value, &options, put(what("policy"), &at, How::Typed))
    };
    let fields = vec![
        of("i", "id", key::PRIORITY, "1"),
        of("n", "instances", key::INSTANCES, "0"),
        policy,
        of("m", "memory, MB", key::MEMORY, "256"),
        of("c", "vcores", key::VCORES, "1"),
        of("l", "label", key::LABEL, "none"),
        of("e", "escalates after, s", key::ESCALATE, "30"),
        of("f", "failures allowed", key::FAILURES, "5"),
        of("h", "failures on a node", key::NODE_FAILURES, "3"),
        own("d", "lasts", "duration", "for ever", How::Text),
        own("x", "exit code", "exit_code", "0", How::Typed),
    ];
    let name = make::bare(
        "Name of the component",
        name,
        "",
        put(what("name"), &path!["apps", i, "components", j, "name"], How::Text),
    );
    let gone = remove(what("removal"), &path!["apps", i, "components", j]);
    let head = Head { name: Some(name), button: Some(cross("Remove the component", gone)), ..Head::default() };
    make::group(format!("component{j}"), GroupShape::Plain, Some(head), vec![Part::Fields(fields)])
}
