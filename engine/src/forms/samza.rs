//! A Samza job: its job.properties with what is wrong in it, what its stores hold, and what a user can do to it.

use super::Editor;
use super::make::{self, choice, cross, field, put, remove};
use super::problems;
use crate::path;
use heddle_core::scenario::{App, SamzaApp};
use heddle_core::strategy::samza::job::check;
use heddle_view::form::{Code, Head, Part, Shape, Source};
use heddle_view::{Change, Fixed, How};
use toml_edit::Value;

const FILE: &str = "job.properties";

/// A first job, as an entry of applications.
pub fn entry(name: &str, queue: &Value) -> String {
    let job = [
        format!("job.name={name}"),
        "job.host-affinity.enabled=true".into(),
        "job.container.count=2".into(),
        "task.inputs=kafka.input".into(),
        "task.checkpoint.factory=org.apache.samza.checkpoint.kafka.KafkaCheckpointManagerFactory".into(),
        "stores.table.factory=org.apache.samza.storage.kv.RocksDbKeyValueStorageEngineFactory".into(),
        "stores.table.changelog=kafka.table".into(),
        String::new(),
    ];
    format!(
        "{{ name = \"{name}\", kind = \"samza\", queue = {queue}, user = \"user\", streams = {{ \"kafka.input\" = 4 }}, stores = [{{ name = \"table\", size = \"2 GB\", rate = \"1 MB\" }}], \"{FILE}\" = {} }}",
        Value::from(job.join("\n"))
    )
}

/// The file, the stores, then the buttons.
pub fn parts(e: &Editor<'_>, app: &App, samza: &SamzaApp) -> Vec<Part> {
    let i = app.entry;
    let what = |what: &str| format!("{what} of {}", app.name);
    let at = path!["apps", i, FILE];
    let text = e.written.text(&at);
    let found = check::read(&text).2;
    let edit = put(what(FILE), &at, How::Letters);
    let mend = (Fixed::At(at.to_vec()), "mend job.properties");
    let mut out = vec![Part::Code(Code {
        label: FILE.into(),
        text: Source::Text(text.clone()),
        marks: problems::marks(&found, &text),
        long: true,
        error: false,
        edit,
    })];
    out.extend(problems::list("file", &found, &text, Some(&mend)));
    let of = |k: &str, label: &str, key: &str, hint: &str| {
        let at = path!["apps", i, key];
        field(&format!("a{i}{k}"), label, e.written.text(&at), hint, put(what(label), &at, How::Text))
    };
    let requests = path!["apps", i, "requests"];
    let written = e.written.text(&requests);
    let strict = if written == "strict" { "strict" } else { "" };
    let ways = [(strict, "strict: the host or none (1.x)"), ("relaxed", "relaxed: YARN goes elsewhere (before 1.0)")];
    out.push(Part::Fields(vec![
        choice(&format!("a{i}q2"), "asks for hosts", &written, &ways, put(what("requests"), &requests, How::Text)),
        of("c", "reads at most, each second", "restore_cap", "50 MB"),
        of("d", "processes for", "duration", "for ever"),
    ]));
    out.extend((0..e.written.len(&path!["apps", i, "stores"])).map(|j| store(e, app, j)));
    let missing = samza.settings().stores.into_iter().find(|s| !samza.stores.contains_key(&s.name));
    if let Some(store) = missing {
        let entry = format!("{{ name = {}, size = \"1 GB\" }}", Value::from(store.name));
        let add = Change::Append { list: path!["apps", i, "stores"].to_vec(), entry };
        out.push(Part::Button(make::button("+ Store", make::edit(what("store"), add))));
    }
    let now = e.of.snapshot.time_ms;
    let happen = |text: &str, verb: &str, more: &str| {
        let name = Value::from(app.name.as_str());
        let entry = format!("{{ at = \"{now} ms\", do = \"{verb}\", app = {name}{more} }}");
        let add = Change::Append { list: path!["happenings"].to_vec(), entry };
        make::button(text, make::edit(what(verb), add))
    };
    let last_seen = ", processor = \"0\", to = \"FORCE_RESTART_LAST_SEEN\"";
    out.push(Part::Row {
        buttons: vec![
            happen("Restart", "restart_app", ", after = \"10 s\""),
            happen("Fail container 0", "finish_processor", ", processor = \"0\", exit_code = 1"),
            happen("Move container 0", "place_processor", ", processor = \"0\", to = \"ANY_HOST\""),
            happen("Restart container 0", "place_processor", last_seen),
        ],
        note: "at the moment that is shown".to_string(),
    });
    out
}

/// What a store of each task holds.
fn store(e: &Editor<'_>, app: &App, j: usize) -> Part {
    let i = app.entry;
    let text = |key: &str| e.written.text(&path!["apps", i, "stores", j, key]);
    let what = |what: &str| format!("{what} of store {} of {}", text("name"), app.name);
    let of = |k: &str, label: &str, key: &str, hint: &str, how: How| {
        let at = path!["apps", i, "stores", j, key];
        field(&format!("a{i}s{j}{k}"), label, text(key), hint, put(what(label), &at, how))
    };
    let fields = vec![
        of("n", "store", "name", "table", How::Text),
        of("s", "holds, for each task", "size", "0 MB", How::Text),
        of("r", "written each second", "rate", "0 MB", How::Text),
        of("o", "changelog, % of that", "overhead_percent", "100", How::Typed),
    ];
    let gone = remove(what("removal"), &path!["apps", i, "stores", j]);
    let head = Head { button: Some(cross("Remove the store", gone)), ..Head::default() };
    make::group(format!("store{j}"), Shape::Plain, Some(head), vec![Part::Fields(fields)])
}
