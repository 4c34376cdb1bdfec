//! The form of a Samza job: its job.properties with its problems, the contents of its stores, and what a user can do to it.

use super::stream::stream;
use crate::forms::Editor;
use crate::forms::acts::{happening, quoted};
use crate::forms::make::{self, choice, cross, field, put, remove};
use crate::forms::problems;
use crate::path;
use heddle_core::apps::samza::scenario::file as job_file;
use heddle_core::apps::samza::strategy::job::Properties;
use heddle_core::apps::samza::strategy::job::keys::{self, Key, Kind};
use heddle_core::scenario::{App, SamzaApp};
use heddle_view::form::{Code, Field, GroupShape, Head, Part, Source};
use heddle_view::{Change, Fixed, How, NodeView};
use toml_edit::Value;

const FILE: &str = "job.properties";

/// Properties with a field, which changes one line of the file.
const SHOWN: [(&str, Key); 10] = [
    ("host affinity", keys::HOST_AFFINITY),
    ("containers", keys::CONTAINERS),
    ("memory, MB", keys::MEMORY),
    ("vcores", keys::VCORES),
    ("a request gets old after, ms", keys::REQUEST_TIMEOUT),
    ("allocator pauses, ms", keys::ALLOCATOR_SLEEP),
    ("retries", keys::RETRIES),
    ("last retry waits, ms", keys::LAST_RETRY_DELAY),
    ("copies of each task's state", keys::REPLICATION),
    ("replicas on other racks", keys::FAULT_DOMAINS),
];

/// Returns a first job, as an entry of applications.
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
    let (properties, _, found, _) = job_file::read(&text);
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
    out.push(Part::Fields(SHOWN.iter().map(|(label, key)| property(app, &properties, label, *key)).collect()));
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
    out.extend(stream(e, app));
    let now = e.of.snapshot.time_ms;
    let happen = |text: &str, verb: &str, more: &str| {
        let name = Value::from(app.name.as_str());
        let entry = format!("{{ at = \"{now} ms\", do = \"{verb}\", app = {name}{more} }}");
        let add = Change::Append { list: path!["happenings"].to_vec(), entry };
        make::button(text, make::edit(what(verb), add))
    };
    let last_seen = ", processor = \"0\", to = \"FORCE_RESTART_LAST_SEEN\"";
    let mut buttons = vec![
        happen("Restart", "restart_app", ", after = \"10 s\""),
        happen("Fail container 0", "finish_processor", ", processor = \"0\", exit_code = 1"),
        happen("Move container 0", "place_processor", ", processor = \"0\", to = \"ANY_HOST\""),
        happen("Restart container 0", "place_processor", last_seen),
    ];
    // Its state is on the disks of the hosts that it runs on.
    let works_on = |node: &&NodeView| node.containers.iter().any(|c| c.app == app.name && !c.am);
    if let Some(node) = e.of.snapshot.racks.iter().flat_map(|rack| &rack.nodes).find(works_on) {
        let clear = happening(now, "clear_disks", &format!("node = {}", quoted(&node.name)));
        buttons
            .push(make::button(&format!("Clear the disks of {}", node.name), make::edit(what("clear_disks"), clear)));
    }
    out.push(Part::Row { buttons, note: "at the moment that is shown".to_string() });
    out
}

/// Returns the field of a property, under the name that the file uses.
fn property(app: &App, properties: &Properties, label: &str, key: Key) -> Field {
    let config = properties.config();
    let name = key.used(&config).unwrap_or(key.name);
    let value = key.text(&config).unwrap_or_default();
    let edit = put(format!("{label} of {}", app.name), &path!["apps", app.entry, FILE, name], How::Text);
    let (id, default) = (format!("a{}{}", app.entry, key.name), key.default.unwrap_or_default());
    let field = match key.kind {
        Kind::Bool => {
            let unset = format!("{default} (not set)");
            let mut options = vec![("", unset.as_str()), ("true", "true"), ("false", "false")];
            if options.iter().all(|(known, _)| *known != value) {
                options.push((value, value));
            }
            choice(&id, label, value, &options, edit)
        }
        _ => field(&id, label, value, default, edit),
    };
    Field { title: name.to_string(), ..field }
}

/// Returns the fields of a store's contents for each task.
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
    make::group(format!("store{j}"), GroupShape::Plain, Some(head), vec![Part::Fields(fields)])
}
