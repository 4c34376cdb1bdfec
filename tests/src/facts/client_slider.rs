//! Facts about Slider's client (kind slider-client): `slider create` up to the submission.

use super::clients::{alike, first_line, submitted};
use super::read::{list, text};
use crate::conformance::{Case, Driver, Outcome};
use heddle_core::api::ClientStage;
use heddle_core::apps::slider::client::{
    Args, Create, Created, Member, Metainfo, Package, RefusedCommand, Tree, Values, create,
};
use heddle_core::apps::slider::strategy::definition::SCHEMA;
use heddle_core::apps::slider::strategy::json::TextFault;
use heddle_core::apps::slider::strategy::settings::Keys;
use heddle_core::apps::slider::strategy::tree::{Parts, parse};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Returns the driver for a kind of cases.
pub(super) fn driver(kind: &str) -> Option<Driver> {
    (kind == "slider-client").then_some(play as Driver)
}

/// Arguments of the client in every case.
const LINE: &str = "--resources WORK/resources.json --template WORK/appConfig.json --image file://WORK/agent.tar.gz";
/// The path of the package.
const PACKAGE: &str = "file://WORK/app.zip";
/// Prefixes of the JSON parser's messages, which differ from ours.
const PARSER: [&str; 2] = [" : org.codehaus.jackson.", " : java.io.EOFException"];

fn play(case: &Case) -> Outcome {
    let got = match run(&case.given) {
        Ok(created) => {
            let mut submission = submitted(&created.submitted);
            submission["am_heap"] = json!(created.am_heap);
            json!({ "submission": submission, "components": saved(&created.resources) })
        }
        Err(RefusedCommand { refusal, .. }) => {
            let stage = if refusal.stage == ClientStage::Read { "read" } else { "create" };
            let told =
                json!({ "stage": stage, "exception": refusal.exception, "message": first_line(&refusal.message) });
            json!({ "refused": told, "definition_left": refusal.definition_left })
        }
    };
    let mut wanted = case.clone();
    let mut got = got;
    without_parser(&mut wanted.expect, &mut got);
    alike(&wanted, &got)
}

/// Removes the parser's own messages on both sides.
fn without_parser(expect: &mut Value, got: &mut Value) {
    let words = expect["refused"]["message"].as_str().unwrap_or_default();
    let Some(at) = PARSER.iter().find_map(|start| words.find(start)) else { return };
    let short = words[..at].replace("WORK/", "");
    if let Some(ours) = got["refused"]["message"].as_str().filter(|ours| ours.starts_with(&format!("{short} : "))) {
        debug_assert!(ours.len() > short.len());
        got["refused"]["message"] = json!(short);
    }
    expect["refused"]["message"] = json!(short);
}

fn run(given: &Value) -> Result<Created, RefusedCommand> {
    let read = |key: &str, source| {
        let text = given[key].as_str().map(|text| text.replace("WORK", "file://WORK"))?;
        Some(parse(&text, source).map(|(parts, _)| parts))
    };
    let standard = format!("{{\"schema\": \"{SCHEMA}\", \"global\": {{\"application.def\": \"{PACKAGE}\"}}}}");
    let resources = given["resources"].as_str().map(|text| parse(text, "resources.json").map(|(parts, _)| parts));
    let app_config = read("app_config", "appConfig.json")
        .unwrap_or_else(|| parse(&standard, "appConfig.json").map(|(parts, _)| parts));
    let name = given["name"].as_str().unwrap_or("app");
    let before = format!("create {name} {LINE}");
    let given_args: Vec<String> = list(&given["args"]).iter().map(|arg| text(arg).to_string()).collect();
    let args = Args::read(&before, name, &given_args)?;
    let settings: Keys = pairs(&given["conf"]);
    let metainfo = metainfo(&given["package"], &resources);
    let is_there = |path: &str| path == PACKAGE;
    create(&Create {
        name: name.trim(),
        resources: resources.as_ref().map(Result::as_ref),
        app_config: Some(app_config.as_ref()),
        settings: &settings,
        args: &args,
        package: Package::Read { metainfo: &metainfo, is_there: &is_there },
    })
}

fn pairs(of: &Value) -> Keys {
    let all = of.as_object().into_iter().flatten();
    all.map(|(key, value)| (key.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_string))).collect()
}

/// Returns the package of the case; the default components are those of the definition.
fn metainfo(given: &Value, resources: &Option<Result<Parts, TextFault>>) -> Metainfo {
    let of = |key: &str, otherwise: &str| given[key].as_str().unwrap_or(otherwise).to_string();
    let plain = |value: &Value| match value {
        Value::Null => None,
        // The XML reader trims it.
        Value::String(text) => Some(text.trim().to_string()),
        other => Some(other.to_string()),
    };
    let listed = given["components"].as_object().filter(|all| !all.is_empty());
    let member = |facts: &Value| Member {
        category: facts["category"].as_str().unwrap_or("MASTER").to_string(),
        min: plain(&facts["min"]),
        max: plain(&facts["max"]),
    };
    let components: BTreeMap<String, Member> = match (listed, resources) {
        (Some(all), _) => all.iter().map(|(name, facts)| (name.clone(), member(facts))).collect(),
        (None, Some(Ok(parts))) => parts.components.iter().map(|s| (s.name.clone(), member(&Value::Null))).collect(),
        _ => Default::default(),
    };
    Metainfo {
        name: of("name", "APP"),
        version: of("version", "1.0"),
        comment: of("comment", "an app"),
        components: Some(components),
    }
}

/// Returns resources.json as it is saved; null reads as the text `null`.
fn saved(tree: &Tree) -> Value {
    let keys = |values: &Values| {
        let text = |value: &Option<String>| json!(value.as_deref().unwrap_or("null"));
        Value::Object(values.iter().map(|(key, value)| (key.clone(), text(value))).collect())
    };
    let mut out: Map<String, Value> = tree.components.iter().map(|(name, own)| (name.clone(), keys(own))).collect();
    out.entry("global").or_insert_with(|| keys(&tree.global));
    Value::Object(out)
}
