//! The REST forms of a change: JSON and XML.

use super::{Mutation, Params};
use crate::api::Refusal;
use crate::config::xml::markup::{self, Markup};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// The text of a JSON value; numbers and booleans become text, null and the empty text become nothing.
fn scalar(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::Null => None,
        Value::String(text) => Some(text.clone()).filter(|t| !t.is_empty()),
        other => Some(other.to_string()),
    }
}

/// A value or a list of them.
fn one_or_more(value: Option<&Value>) -> Vec<&Value> {
    match value {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(list)) => list.iter().collect(),
        Some(one) => vec![one],
    }
}

fn params(value: Option<&Value>) -> Params {
    let mut out = Params::new();
    for holder in one_or_more(value) {
        for entry in one_or_more(holder.get("entry")) {
            if let Some(key) = entry.get("key").and_then(Value::as_str) {
                out.insert(key.to_string(), scalar(entry.get("value")));
            }
        }
    }
    out
}

fn queues(value: Option<&Value>) -> Vec<(String, Params)> {
    let name = |q: &Value| q.get("queue-name").and_then(Value::as_str).map(str::to_string);
    one_or_more(value).into_iter().filter_map(|q| Some((name(q)?, params(q.get("params"))))).collect()
}

/// Parses the JSON form as the ResourceManager does. Returns the change, and remarks on what it ignores. Errors: not
/// JSON, or not an object.
pub fn parse_json(text: &str) -> Result<(Mutation, Vec<String>), Refusal> {
    let value: Value = serde_json::from_str(text).map_err(|e| Refusal::new(e.to_string()))?;
    if !value.is_object() {
        return Err(Refusal::new(
            "A change is a JSON object with remove-queue, add-queue, update-queue, global-updates",
        ));
    }
    let mut remarks = Vec::new();
    if value.get("sched-conf").is_some() {
        remarks.push(
            "The ResourceManager takes an object called sched-conf for an empty change: leave that level out.".into(),
        );
    }
    for kind in ["add-queue", "update-queue"] {
        for (i, queue) in one_or_more(value.get(kind)).into_iter().enumerate() {
            let plain = queue
                .get("params")
                .is_some_and(|p| p.as_object().is_some_and(|o| !o.is_empty() && !o.contains_key("entry")));
            if plain {
                let name = queue.get("queue-name").and_then(Value::as_str).unwrap_or("?");
                remarks.push(format!("{kind}[{i}] {name}: params without entry are ignored by the ResourceManager."));
            }
        }
    }
    for plain in one_or_more(value.get("global-updates")).iter().filter_map(|g| g.as_object()) {
        for key in plain.keys().filter(|_| !plain.contains_key("entry")) {
            remarks.push(format!("global-updates: {key} stands outside of an entry: the ResourceManager ignores it."));
        }
    }
    let remove =
        one_or_more(value.get("remove-queue")).into_iter().filter_map(|v| v.as_str().map(str::to_string)).collect();
    let mutation = Mutation {
        remove,
        add: queues(value.get("add-queue")),
        update: queues(value.get("update-queue")),
        global: params(value.get("global-updates")),
    };
    Ok((mutation, remarks))
}

/// Parses the XML form. Errors: malformed XML, or another root than sched-conf.
pub fn parse_xml(text: &str) -> Result<Mutation, Refusal> {
    let markup = markup::parse("sched-conf", text).map_err(|p| Refusal::new(p.render(text)))?;
    if markup.elements.first().is_none_or(|e| e.name != "sched-conf") {
        return Err(Refusal::new("The root element has to be sched-conf"));
    }
    let mut out = Mutation::default();
    for element in markup.inside(0) {
        match markup.elements[element].name.as_str() {
            "remove-queue" => out.remove.push(markup.text(element)),
            "add-queue" => out.add.extend(xml_queue(&markup, element)),
            "update-queue" => out.update.extend(xml_queue(&markup, element)),
            "global-updates" => out.global.extend(xml_params(&markup, element)),
            _ => {}
        }
    }
    Ok(out)
}

fn child(markup: &Markup, element: usize, name: &str) -> Option<usize> {
    markup.inside(element).find(|e| markup.elements[*e].name == name)
}

fn xml_queue(markup: &Markup, element: usize) -> Option<(String, Params)> {
    let name = markup.text(child(markup, element, "queue-name")?);
    let params = child(markup, element, "params").map_or_else(Params::new, |p| xml_params(markup, p));
    Some((name, params))
}

fn xml_params(markup: &Markup, element: usize) -> Params {
    let entries = markup.inside(element).filter(|e| markup.elements[*e].name == "entry");
    let text = |entry, name| child(markup, entry, name).map(|e| markup.text(e));
    entries.filter_map(|e| Some((text(e, "key")?, text(e, "value").filter(|v| !v.is_empty())))).collect()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

impl Mutation {
    /// The JSON form, always with lists.
    pub fn to_json(&self) -> String {
        let entries = |params: &Params| -> Value {
            json!({ "entry": params.iter().map(|(k, v)| json!({ "key": k, "value": v })).collect::<Vec<_>>() })
        };
        let queues = |list: &[(String, Params)]| -> Value {
            list.iter().map(|(path, params)| json!({ "queue-name": path, "params": entries(params) })).collect()
        };
        let mut out = Map::new();
        if !self.remove.is_empty() {
            out.insert("remove-queue".into(), json!(self.remove));
        }
        if !self.add.is_empty() {
            out.insert("add-queue".into(), queues(&self.add));
        }
        if !self.update.is_empty() {
            out.insert("update-queue".into(), queues(&self.update));
        }
        if !self.global.is_empty() {
            out.insert("global-updates".into(), json!([entries(&self.global)]));
        }
        serde_json::to_string_pretty(&Value::Object(out)).unwrap_or_default()
    }

    /// The XML form.
    pub fn to_xml(&self) -> String {
        let mut out = String::from("<?xml version=\"1.0\"?>\n<sched-conf>\n");
        let entries = |out: &mut String, params: &Params, indent: &str| {
            for (key, value) in params {
                let value = value.as_deref().map_or_else(String::new, escape);
                let _ = writeln!(out, "{indent}<entry><key>{}</key><value>{value}</value></entry>", escape(key));
            }
        };
        for path in &self.remove {
            let _ = writeln!(out, "  <remove-queue>{}</remove-queue>", escape(path));
        }
        for (name, list) in [("add-queue", &self.add), ("update-queue", &self.update)] {
            for (path, params) in list {
                let _ = writeln!(out, "  <{name}>\n    <queue-name>{}</queue-name>\n    <params>", escape(path));
                entries(&mut out, params, "      ");
                let _ = writeln!(out, "    </params>\n  </{name}>");
            }
        }
        if !self.global.is_empty() {
            out.push_str("  <global-updates>\n");
            entries(&mut out, &self.global, "    ");
            out.push_str("  </global-updates>\n");
        }
        out.push_str("</sched-conf>\n");
        out
    }
}
