//! Which keys a kind of facts has. A key that no driver reads must not pass for one that was compared, so every case is
//! held against the shape of its kind before it is played.
//!
//! A shape is a list of keys, each with what may stand below it:
//!
//! ```text
//! key          a plain value, or a list of such
//! key*         anything: properties, prose, text of another format
//! key{…}       an object with these keys, or a list of such, however deep
//! key%         names of the case (queues, nodes, applications), each with a plain value
//! key%{…}      names of the case, each with an object with these keys
//! key%%        names of the case, each with names of the case
//! key?do{…}    an object whose keys depend on the value of its key `do`: that of each item here
//! key@tree     the named shape `tree`
//! ~end         a key that ends so and begins with a name of the case
//! *            alone: anything at all
//! %{…}         any name of the case as a key, with these keys below (beside the others)
//! ```
//!
//! `note` may stand anywhere: it is for readers.

use serde_json::{Map, Value};

/// A placement constraint of the corpus.
const TREE: &str = "op scope min max attr_op targets{kind namespace values key} children@tree";
/// What a builder of constraints is called with.
const BUILD: &str = "builder scope min max tags op targets{kind namespace values key} attr_op children@build";

#[derive(Debug)]
struct Item<'a> {
    name: &'a str,
    below: Below<'a>,
}

#[derive(Debug)]
enum Below<'a> {
    Plain,
    Anything,
    Keys(&'a str),
    Named(&'a str),
    Names,
    NamesOfNames,
    ByValue(&'a str, &'a str),
}

/// The part in braces that `text` begins with, and what follows it.
fn braces(text: &str) -> (&str, &str) {
    let mut depth = 0;
    for (i, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (text.get(1..i).unwrap_or(""), text.get(i + 1..).unwrap_or(""));
        }
    }
    (text.get(1..).unwrap_or(""), "")
}

fn items(mut rest: &str) -> Vec<Item<'_>> {
    let mut out = Vec::new();
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            return out;
        }
        let end = rest.find(|c: char| c.is_whitespace() || "*{%?@".contains(c)).unwrap_or(rest.len());
        let (name, tail) = rest.split_at(end);
        let word = |tail: &'_ str| tail.find(|c: char| c.is_whitespace() || c == '{').unwrap_or(tail.len());
        let below;
        (below, rest) = if let Some(tail) = tail.strip_prefix("%%") {
            (Below::NamesOfNames, tail)
        } else if let Some(tail) = tail.strip_prefix('%') {
            if tail.starts_with('{') {
                let (inside, tail) = braces(tail);
                (Below::Named(inside), tail)
            } else {
                (Below::Names, tail)
            }
        } else if let Some(tail) = tail.strip_prefix('*') {
            (Below::Anything, tail)
        } else if let Some(tail) = tail.strip_prefix('@') {
            let (name, tail) = tail.split_at(word(tail));
            (Below::Keys(if name == "tree" { TREE } else { BUILD }), tail)
        } else if let Some(tail) = tail.strip_prefix('?') {
            let (key, tail) = tail.split_at(word(tail));
            let (inside, tail) = braces(tail);
            (Below::ByValue(key, inside), tail)
        } else if tail.starts_with('{') {
            let (inside, tail) = braces(tail);
            (Below::Keys(inside), tail)
        } else {
            (Below::Plain, tail)
        };
        out.push(Item { name, below });
    }
}

/// The first key of `value` that the shape does not have, as a path.
pub fn unknown(shape: &str, value: &Value) -> Option<String> {
    if shape == "*" { None } else { keys(&items(shape), value) }
}

fn each_object(value: &Value, f: &mut dyn FnMut(&Map<String, Value>) -> Option<String>) -> Option<String> {
    match value {
        Value::Object(object) => f(object),
        Value::Array(all) => all.iter().find_map(|v| each_object(v, f)),
        _ => None,
    }
}

fn keys(items: &[Item<'_>], value: &Value) -> Option<String> {
    each_object(value, &mut |object| {
        object.iter().filter(|(key, _)| *key != "note").find_map(|(key, value)| {
            let fits = |item: &&Item<'_>| match item.name.strip_prefix('~') {
                Some(end) => key.ends_with(end),
                None => item.name == key,
            };
            let inside = match items.iter().find(fits).or_else(|| items.iter().find(|i| i.name.is_empty())) {
                None => Some(String::new()),
                Some(Item { name: "", below: Below::Named(shape) }) => keys(&self::items(shape), value),
                Some(item) => below(&item.below, value),
            };
            inside.map(|path| if path.is_empty() { key.clone() } else { format!("{key}.{path}") })
        })
    })
}

fn below(below: &Below<'_>, value: &Value) -> Option<String> {
    let within = |value: &Value, f: &dyn Fn(&Value) -> Option<String>| {
        each_object(value, &mut |object| {
            object.iter().find_map(|(name, value)| f(value).map(|path| format!("{name}.{path}")))
        })
    };
    match below {
        Below::Anything => None,
        Below::Plain => keys(&[], value),
        Below::Keys(shape) => keys(&items(shape), value),
        Below::Names => within(value, &|v| keys(&[], v)),
        Below::NamesOfNames => within(value, &|v| within(v, &|v| keys(&[], v))),
        Below::Named(shape) => within(value, &|v| keys(&items(shape), v)),
        Below::ByValue(key, kinds) => {
            let kinds = items(kinds);
            each_object(value, &mut |object| {
                let kind = object.get(*key).and_then(Value::as_str).unwrap_or("");
                let Some(Below::Keys(shape)) = kinds.iter().find(|k| k.name == kind).map(|k| &k.below) else {
                    return Some(format!("{key} `{kind}`"));
                };
                let mut own = items(shape);
                own.push(Item { name: key, below: Below::Plain });
                keys(&own, &Value::Object(object.clone()))
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_key_that_is_not_in_the_shape_is_named_with_its_place() {
        let shape = "a b* c{d e{f}} n% m%{x} q%% s?do{go{far} stop{}} t@tree ~_end";
        let fine = json!({
            "a": [1], "b": {"z": 1}, "c": [{"d": 1}, {"e": {"f": 2}}], "n": {"n1": 1}, "m": {"root.a": {"x": 1}},
            "q": {"app": {"n1": 1}}, "s": [{"do": "go", "far": 1, "note": "why"}, {"do": "stop"}],
            "t": {"op": "and", "children": [{"op": "single", "targets": [{"kind": "tag"}]}]}, "user_end": 1,
        });
        assert_eq!(unknown(shape, &fine), None);
        for (value, path) in [
            (json!({"z": 1}), "z"),
            (json!({"a": {"z": 1}}), "a.z"),
            (json!({"a": [{"z": 1}]}), "a.z"),
            (json!({"c": [{"d": 1}, {"e": {"g": 2}}]}), "c.e.g"),
            (json!({"n": {"n1": {"z": 1}}}), "n.n1.z"),
            (json!({"m": {"root.a": {"y": 1}}}), "m.root.a.y"),
            (json!({"q": {"app": {"n1": {"z": 1}}}}), "q.app.n1.z"),
            (json!({"s": [{"do": "go", "near": 1}]}), "s.near"),
            (json!({"s": [{"do": "fly"}]}), "s.do `fly`"),
            (json!({"t": {"op": "and", "children": [{"z": 1}]}}), "t.children.z"),
        ] {
            assert_eq!(unknown(shape, &value).as_deref(), Some(path), "{value}");
        }
        assert_eq!(unknown("%{x} y", &json!({"root.a": {"x": 1}, "y": 2})), None);
        assert_eq!(unknown("%{x} y", &json!({"root.a": {"z": 1}})).as_deref(), Some("root.a.z"));
    }
}
