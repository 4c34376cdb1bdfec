//! What Slider's client refuses and submits, as tables; the texts are those of the real client (area clients of the facts).

use super::*;
use crate::apps::slider::strategy::tree::parse;

const CONFIG: &str = r#"{"global": {"application.def": "a.zip"}}"#;

/// Returns a resources.json with these keys of global, of the ApplicationMaster and of a component.
fn resources(global: &str, master: &str, web: &str) -> String {
    format!(r#"{{"global": {{{global}}}, "components": {{"slider-appmaster": {{{master}}}, "web": {{{web}}}}}}}"#)
}

const WEB: &str = r#""yarn.role.priority": "1", "yarn.component.instances": "2""#;

fn run(resources: &str, app_config: &str, args: &[&str]) -> Result<Created, RefusedCommand> {
    let parse = |text, name| parse(text, name).map(|(parts, _)| parts);
    let (resources, app_config) = (parse(resources, "resources.json"), parse(app_config, "appConfig.json"));
    let args: Vec<String> = args.iter().map(|arg| arg.to_string()).collect();
    create(&Create {
        name: "app",
        resources: Some(resources.as_ref()),
        app_config: Some(app_config.as_ref()),
        settings: &Keys::new(),
        args: &Args::read("create app", "app", &args)?,
        package: Package::Fits(None),
    })
}

/// Returns the exception, its message, and whether the definition stays behind; all are empty if it was submitted.
fn told(result: Result<Created, RefusedCommand>) -> (String, String, bool) {
    result.err().map_or_else(Default::default, |why| {
        let r = why.refusal;
        assert!(!r.mend.is_empty(), "{} has no advice", r.message);
        (r.exception, r.message, r.definition_left)
    })
}

/// Tries every key that the client checks, at and beyond its limits, in its own section, a component, and `global`.
#[test]
fn every_number_is_looked_at_where_the_client_looks() {
    let number = |text: &str| format!("For input string: \"{text}\"");
    let ok = String::new();
    // Key, value, and the messages in the ApplicationMaster's section, in a component, in `global`.
    let rows: [(&str, &str, [&str; 3]); 13] = [
        ("yarn.memory", "2g", [&number("2g"), "", ""]),
        ("yarn.memory", "", ["Zero length string", "", ""]),
        ("yarn.memory", "max", [&number("max"), "", ""]),
        ("yarn.memory", "-1", ["", "", ""]),
        ("yarn.vcores", "two", [&number("two"), "", ""]),
        ("yarn.vcores", "0x", ["For input string: \"\" under radix 16", "", ""]),
        (
            "yarn.component.instances",
            "-1",
            [
                "Component slider-appmaster has negative instance count: -1",
                "Component web has negative instance count: -1",
                "",
            ],
        ),
        ("yarn.component.instances", "many", [&number("many"), &number("many"), ""]),
        ("yarn.role.priority", "0", ["", "Component web yarn.role.priority value out of range 0", ""]),
        ("yarn.role.priority", "0x1", ["", &number("0x1"), ""]),
        ("yarn.component.placement.policy", "strict", ["", "", ""]),
        ("yarn.resourcemanager.am.retry-count-window-ms", "5 min", ["", "", &number("5 min")]),
        (
            "colour",
            "red",
            [
                "argument colour does not have 'yarn.' prefix",
                "argument colour does not have 'yarn.' prefix",
                "argument colour does not have 'yarn.' prefix",
            ],
        ),
    ];
    for (key, value, wanted) in rows {
        let row = format!("\"{key}\": \"{value}\"");
        let web = format!("{}, {row}", WEB.replace(&format!("\"{key}\""), "\"yarn.x\""));
        let texts = [resources("", &row, WEB), resources("", "", &web), resources(&row, "", WEB)];
        for (text, wanted) in texts.iter().zip(wanted) {
            assert_eq!(told(run(text, CONFIG, &[])).1, wanted, "{key} = {value} in {text}");
        }
    }
    assert_eq!(told(run(&resources("", "", WEB), CONFIG, &[])).1, ok);
}

#[test]
fn what_is_submitted_comes_from_the_section_of_the_master_and_from_global() {
    let submitted = |global: &str, master: &str, args: &[&str]| {
        run(&resources(global, master, WEB), CONFIG, args).expect("it is submitted").submitted
    };
    let plain = submitted("", "", &[]);
    assert_eq!((plain.am, plain.priority, plain.label, plain.max_attempts), ((1024, 1), Some(1), None, 0));
    assert_eq!((plain.keep_containers, plain.attempt_failures_validity_ms), (true, FAILURES_WINDOW_MS));
    assert_eq!((plain.kind.as_str(), plain.queue.as_deref()), (TYPE, Some("default")));
    let label = r#""yarn.label.expression": "red""#;
    assert_eq!(submitted(label, "", &[]).label.as_deref(), Some("red"));
    assert_eq!(submitted(label, r#""yarn.label.expression": "blue""#, &[]).label.as_deref(), Some("blue"));
    let big = r#""yarn.memory": "4096", "yarn.vcores": "3""#;
    assert_eq!((submitted(big, "", &[]).am, submitted("", big, &[]).am), ((1024, 1), (4096, 3)));
    let window = r#""yarn.resourcemanager.am.retry-count-window-ms": "-1""#;
    assert_eq!(submitted(window, "", &[]).attempt_failures_validity_ms, -1);
    assert_eq!(submitted("", "", &["--queue", " prod "]).queue.as_deref(), Some("prod"));
    assert_eq!(submitted("", "", &["-D", "slider.yarn.queue.priority=7"]).priority, Some(7));
}

#[test]
fn what_was_saved_before_a_refusal_stays_behind() {
    let left = |text: &str, config: &str, args: &[&str]| {
        let (exception, _, left) = told(run(text, config, args));
        (exception, left)
    };
    let good = resources("", "", WEB);
    let cases: [(&str, &str, &[&str], &str, bool); 9] = [
        (r#"{"schema": "x"}"#, CONFIG, &[], "BadConfigException", false),
        (r#"{"schema": null}"#, CONFIG, &[], "BadConfigException", false),
        (r#"{"components": null}"#, CONFIG, &[], "NullPointerException", false),
        (r#"{"global": null}"#, CONFIG, &[], "IllegalArgumentException", false),
        ("{", CONFIG, &[], "BadConfigException", false),
        (&good, r#"{"components": {"web": {"yarn.memory": "1"}}}"#, &[], "BadConfigException", false),
        (&good, CONFIG, &["--queue", ""], "BadConfigException", false),
        (&good, CONFIG, &["--component", "db", "1"], "BadConfigException", true),
        (&good, CONFIG, &["-D", "slider.yarn.restart.limit=x"], "NumberFormatException", true),
    ];
    for (text, config, args, exception, saved) in cases {
        assert_eq!(left(text, config, args), (exception.to_string(), saved), "{text} {config} {args:?}");
    }
}

#[test]
fn names_begin_with_a_small_letter() {
    for (name, good) in [("a", true), ("hbase-1_x", true), ("Hbase", false), ("1a", false), ("a.b", false), ("", false)]
    {
        assert_eq!(check_name(name).is_ok(), good, "{name}");
    }
}
