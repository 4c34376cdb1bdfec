//! Imports Slider's resources.json verbatim as an application of a scenario, and reports what Slider's client and
//! ApplicationMaster refuse in it (slider-placement.md 3.1, 3.2).

use crate::api::ClientRefusal;
use crate::apps::slider::client::{About, Args, Create, Package, create};
use crate::apps::slider::strategy::definition::judge;
use crate::apps::slider::strategy::settings::{Keys, MASTER, key};
use crate::apps::slider::strategy::tree::{ConfRow, Parts, parse};
use crate::apps::slider::strategy::{files, records};
use crate::model::names::problem_in_file;
use crate::model::{Problem, Severity, Span};
use crate::scenario::edit::text_value;
use toml_edit::Value;

/// Keys of a component in resources.json, or their prefixes.
const OF_COMPONENTS: [&str; 6] =
    ["yarn.component.", "yarn.role.", "yarn.label.expression", "yarn.placement.escalate", "yarn.memory", "yarn.vcores"];
/// The name of the input in messages.
const SOURCE: &str = "resources.json";
/// The application's name, which resources.json does not contain.
const NAME: &str = "slider-app";

/// resources.json as an entry of `[[apps]]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// The fields of the entry, as TOML lines; `None` if its client or its ApplicationMaster refuses it.
    pub entry: Option<String>,
    pub name: String,
    /// The number of components other than the ApplicationMaster, and the number of their instances.
    pub counts: (usize, i64),
    /// The problems, with their positions.
    pub problems: Vec<Problem>,
}

/// Returns whether a text looks like resources.json, readable or not: its components are an object, those of a yarnfile a list.
pub fn is_resources(text: &str) -> bool {
    let text = text.trim_start().trim_start_matches('\u{feff}');
    if !text.starts_with('{') {
        return false;
    }
    let ours = |parts: &Parts| {
        let rows = parts.components.iter().flat_map(|s| &s.rows).chain(&parts.global);
        parts.schema.is_some() || { rows }.any(|row| row.key.starts_with("yarn."))
    };
    match parse(text, SOURCE) {
        Ok((parts, _)) => ours(&parts),
        Err(_) => [key::PRIORITY, key::INSTANCES].iter().any(|key| text.contains(key)),
    }
}

/// Imports resources.json. Never panics, whatever the text.
pub fn import(text: &str) -> Import {
    let mut out = Import { entry: None, name: NAME.into(), counts: (0, 0), problems: Vec::new() };
    if let Some(problem) = problem_in_file(SOURCE, text) {
        out.problems.push(problem);
        return out;
    }
    let (parts, problems) = match parse(text, SOURCE) {
        Ok(read) => read,
        Err(fault) => {
            let at = Span::new(fault.at, fault.at);
            out.problems.push(Problem::error(SOURCE, at, format!("This is not as it has to be: {}.", fault.what)));
            return out;
        }
    };
    if is_app_config(&parts) {
        let what = "This is appConfig.json: it says how the application is configured, and not what it asks YARN for.";
        let mend = "Import resources.json, and put this file under \"appConfig.json\" of the application.";
        out.problems.push(Problem::error(SOURCE, Span::new(0, 0), what).mend(mend));
        return out;
    }
    let (definition, mut problems) = judge(&parts, problems);
    if let Err(problem) = submitted(&parts) {
        problems.push(*problem);
    }
    let names = parts.components.iter().map(|s| s.name.as_str()).filter(|name| *name != MASTER);
    let count = |name: &str| definition.as_ref().and_then(|d| d.instances(name).ok()).unwrap_or(0);
    out.counts = { names }.fold((0, 0), |(n, instances), name| (n + 1, instances + count(name)));
    if !problems.iter().any(|p| p.severity == Severity::Error) {
        let lines = [("name", Value::from(NAME)), ("kind", "slider".into()), ("\"resources.json\"", text_value(text))];
        out.entry = Some(lines.map(|(key, value)| format!("{key} = {value}\n")).concat());
    }
    out.problems = problems;
    out
}

/// Files that an application has beside resources.json.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    AppConfig,
    Internal,
}

/// Returns the kind of file beside resources.json that a text is: it has a schema or an application's settings, and asks for
/// nothing.
pub fn beside(text: &str) -> Option<Beside> {
    if !text.trim_start().starts_with('{') {
        return None;
    }
    let (parts, _) = parse(text, SOURCE).ok()?;
    let rows = || parts.global.iter().chain(parts.components.iter().flat_map(|s| &s.rows));
    let internal = parts.global.iter().any(|row| row.key.starts_with("internal."));
    let asks =
        |key: &str| ["yarn.role.", "yarn.component.", "yarn.memory", "yarn.vcores"].iter().any(|k| key.starts_with(k));
    let settings = parts.schema.is_some() && rows().next().is_some() && !rows().any(|row| asks(&row.key));
    match internal {
        true if settings => Some(Beside::Internal),
        _ => (is_app_config(&parts) || settings).then_some(Beside::AppConfig),
    }
}

/// Returns where a part of a file belongs that was pasted alone: records of a role history, or a key of a component.
pub fn pasted(text: &str, key: &str) -> Option<String> {
    if text.contains(records::PACKAGE) {
        let told = "These are records of Slider's role history. They belong to a Slider application of a scenario, under its \
            `files`, by the name of their file: add one, then put the text there.";
        return Some(told.into());
    }
    OF_COMPONENTS.iter().any(|of| key.starts_with(of)).then(|| {
        format!(
            "`{key}` is a key of a component of Slider. It belongs to a component of a Slider application: add one, and set it there."
        )
    })
}

/// The contents of a history file.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryFile {
    /// The name that Slider gives it, which encodes the time at which it was saved.
    pub name: String,
    /// The hosts in its entries, each once.
    pub hosts: Vec<String>,
    pub entries: usize,
}

/// Reads a file of Slider's role history. Errors: the fault and its position.
pub fn history(text: &str) -> Result<HistoryFile, (Span, String)> {
    let records = records::read(text).map_err(|fault| (Span::new(fault.at, fault.at), fault.what))?;
    let mut hosts: Vec<String> = Vec::new();
    for node in &records.nodes {
        if !hosts.contains(&node.host) {
            hosts.push(node.host.clone());
        }
    }
    Ok(HistoryFile { name: files::name(records.saved), hosts, entries: records.nodes.len() })
}

/// Returns whether it is appConfig.json.
fn is_app_config(parts: &Parts) -> bool {
    let ours =
        |row: &ConfRow| row.key == "application.def" || row.key.starts_with("site.") || row.key.starts_with("java_");
    parts.global.iter().any(ours)
}

/// Has the client submit it. Errors: the client refuses; the problem has the position.
fn submitted(parts: &Parts) -> Result<(), Box<Problem>> {
    let created = create(&Create {
        name: NAME,
        resources: Some(Ok(parts)),
        app_config: None,
        settings: &Keys::new(),
        args: &Args::default(),
        package: Package::Fits(None),
    });
    created.map(|_| ()).map_err(|why| {
        let at = place_of(parts, &why.about);
        Box::new(Problem::error(SOURCE, at, refused(&why.refusal)).mend(why.refusal.mend))
    })
}

/// Returns the message that Slider's client refuses an application, with the client's reason.
pub(crate) fn refused(refusal: &ClientRefusal) -> String {
    format!("Slider's client refuses to submit this: {}.", refusal.words().trim_end_matches('.'))
}

/// Returns the position in resources.json that a refusal is about.
pub(crate) fn place_of(parts: &Parts, about: &About) -> Option<Span> {
    let section = |name: &str| parts.components.iter().find(|s| s.name == name);
    let row = |rows: &[ConfRow], key: &str| rows.iter().find(|row| row.key == key).map(|row| row.value_at);
    match about {
        About::Command | About::Name | About::AppConfig => None,
        About::Schema => parts.schema.as_ref().map(|(_, at)| *at),
        About::Global(key) => row(&parts.global, key),
        About::Component(name) => section(name).map(|s| s.at),
        About::Key(name, key) => section(name).map(|s| row(&s.rows, key).unwrap_or(s.at)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{SliderApp, read};

    const GOOD: &str = r#"{ "schema": "http://example.org/specification/v2.0.0", "metadata": {}, "global": {},
  "components": { "slider-appmaster": { "yarn.memory": "2048" },
    "web": { "yarn.role.priority": "1", "yarn.component.instances": "3", "yarn.memory": "512" } } }
"#;

    fn told(text: &str) -> Vec<String> {
        import(text).problems.iter().map(|p| p.render(text)).collect()
    }

    #[test]
    fn a_file_becomes_an_application_letter_for_letter() {
        let found = import(GOOD);
        assert_eq!((found.counts, &found.problems[..]), ((1, 3), &[][..]));
        let scenario = format!(
            "heddle = 1\n[[nodes]]\nname = \"n\"\nsize = \"8 GB/4\"\n[[apps]]\n{}",
            found.entry.expect("it starts")
        );
        let app = read(&scenario).scenario.unwrap_or_else(|| panic!("{:#?}", read(&scenario).problems)).apps.remove(0);
        assert_eq!((app.am.size.memory_mb(), app.priority, app.failures_window), (2048, Some(1), Some(300_000)));
        assert!(app.kind.is::<SliderApp>() && app.kind.containers() == 3);
    }

    #[test]
    fn what_the_client_refuses_has_its_place_and_its_words() {
        let cases = [
            ("\"1\"", "\"one\"", "3:36: error: Slider's client refuses to submit this: For input string: \"one\""),
            (
                "\"1\"",
                "\"0\"",
                "3:36: error: Slider's client refuses to submit this: Component web yarn.role.priority value out of range 0",
            ),
            (
                "\"3\"",
                "\"-3\"",
                "3:69: error: Slider's client refuses to submit this: Component web has negative instance count: -3",
            ),
            (
                "\"yarn.role.priority\": \"1\", ",
                "",
                "3:5: error: Slider's client refuses to submit this: Missing option yarn.role.priority from set web",
            ),
            (
                "v2.0.0",
                "v1",
                "1:13: error: Slider's client refuses to submit this: version http://example.org/specification/v1 incompatible",
            ),
            ("\"2048\"", "\"2g\"", "2:56: error: Slider's client refuses to submit this: For input string: \"2g\""),
            (
                "\"global\": {}",
                "\"global\": {\"x\": \"y\"}",
                "1:88: error: Slider's client refuses to submit this: argument x does not have 'yarn.' prefix",
            ),
        ];
        for (from, to, start) in cases {
            let text = GOOD.replacen(from, to, 1);
            let found = told(&text);
            assert!(
                found.iter().any(|t| t.starts_with(&format!("resources.json:{start}"))),
                "{from} -> {to}: {found:#?}"
            );
            assert!(import(&text).entry.is_none());
        }
        assert_eq!(told(&GOOD.replace("\"schema\": \"http://example.org/specification/v2.0.0\", ", "")), [""; 0]);
        assert!(import(&GOOD.replace("\"512\"", "\"much\"")).entry.is_none(), "its ApplicationMaster refuses it");
        assert!(import(&GOOD.replace("} } }", "} },}")).entry.is_none(), "not JSON");
    }

    #[test]
    fn files_are_told_apart() {
        let config = r#"{"schema": "http://example.org/specification/v2.0.0", "global": {"application.def": "a.zip"}}"#;
        assert!(is_resources(GOOD) && is_resources(config) && is_resources(&GOOD.replace("} } }", "} },}")));
        assert!(told(config)[0].contains("This is appConfig.json"));
        let yarnfile = r#"{"name": "a", "version": "1", "components": [{"name": "b"}]}"#;
        assert!(!is_resources(yarnfile) && !is_resources("{}") && !is_resources("x") && !is_resources("[]"));
    }
}
