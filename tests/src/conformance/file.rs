//! Reads files of cases. Every error names the place.

use serde_json::Value;

/// All areas.
pub const AREAS: [&str; 11] = [
    "capacity-scheduler",
    "fair-scheduler",
    "preemption",
    "placement-constraints",
    "slider",
    "samza",
    "lifecycles",
    "formats",
    "clients",
    "trace",
    "dump",
];

#[derive(Clone, Debug)]
pub struct Case {
    /// The name, unique in its file.
    pub id: String,
    /// What the case exercises: `given.kind`, or `given.op`.
    pub kind: String,
    pub given: Value,
    /// The expected result.
    pub expect: Value,
}

/// A file of cases.
#[derive(Clone, Debug)]
pub struct File {
    /// The name for messages.
    pub name: String,
    /// The area, one of [`AREAS`].
    pub area: String,
    /// The cases in the order of the file.
    pub cases: Vec<Case>,
}

impl File {
    /// Reads the text of a file. Errors: malformed JSON (with line and column), a missing part or an unknown area,
    /// naming the file and the case.
    pub fn read(name: &str, text: &str) -> Result<File, String> {
        let doc: Value = serde_json::from_str(text).map_err(|e| format!("{name}: {e}"))?;
        let doc = if doc.is_array() { lines(doc)? } else { doc };
        let area = string(&doc, "area").map_err(|e| format!("{name}: {e}"))?;
        if !AREAS.contains(&area.as_str()) {
            return Err(format!("{name}: area: unknown area `{area}`; known are {}", AREAS.join(", ")));
        }
        let Some(list) = doc.get("cases").and_then(Value::as_array) else {
            return Err(format!("{name}: `cases` is missing or no list"));
        };
        let mut cases: Vec<Case> = Vec::with_capacity(list.len());
        let mut ids = std::collections::BTreeSet::new();
        for (i, value) in list.iter().enumerate() {
            let case = case(value).map_err(|e| match value.get("id").and_then(Value::as_str) {
                Some(id) => format!("{name}: cases[{i}] ({id}): {e}"),
                None => format!("{name}: cases[{i}]: {e}"),
            })?;
            if !ids.insert(case.id.clone()) {
                return Err(format!("{name}: cases[{i}]: the id `{}` stands twice", case.id));
            }
            cases.push(case);
        }
        Ok(File { name: name.into(), area, cases })
    }
}

/// Converts a bare list of cases, as pasted lines have it, to the usual form. Errors: an element is not an object.
fn lines(list: Value) -> Result<Value, String> {
    let Value::Array(list) = list else { return Ok(list) };
    let case = |line: Value| {
        let Value::Object(mut line) = line else { return Err("a line is no object".to_string()) };
        let mut given = serde_json::Map::new();
        given.insert("kind".into(), "line".into());
        for (key, name) in [("kind", "of"), ("text", "text"), ("values", "values")] {
            given.extend(line.remove(key).map(|value| (name.to_string(), value)));
        }
        line.insert("given".into(), Value::Object(given));
        Ok(Value::Object(line))
    };
    let cases = list.into_iter().map(case).collect::<Result<Vec<Value>, String>>()?;
    Ok(serde_json::json!({"area": "formats", "cases": cases}))
}

fn string(v: &Value, key: &str) -> Result<String, String> {
    match v.get(key) {
        Some(Value::String(s)) => Ok(s.clone()),
        Some(_) => Err(format!("`{key}` is no text")),
        None => Err(format!("`{key}` is missing")),
    }
}

fn case(v: &Value) -> Result<Case, String> {
    if !v.is_object() {
        return Err("no object".into());
    }
    let given = v.get("given").ok_or("`given` is missing")?;
    if !given.is_object() {
        return Err("`given` is no object".into());
    }
    // A dump has `then`: what happened after it.
    let expect = v.get("expect").or(v.get("then")).ok_or("`expect` is missing")?;
    if !expect.is_object() {
        return Err("`expect` is no object".into());
    }
    let kind = ["kind", "op"]
        .iter()
        .find_map(|k| given.get(k).and_then(Value::as_str))
        .or_else(|| v.get("kind").and_then(Value::as_str))
        .ok_or("neither `given.kind` nor `given.op` is there")?;
    Ok(Case { id: string(v, "id")?, kind: kind.into(), given: given.clone(), expect: expect.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_name_the_place() {
        let error = |text: &str| File::read("x.json", text).expect_err("a fault");
        assert_eq!(error("{\n 1"), "x.json: key must be a string at line 2 column 2");
        assert_eq!(error("{}"), "x.json: `area` is missing");
        assert!(error(r#"{"area":"moon","cases":[]}"#).starts_with("x.json: area: unknown area `moon`; known are cap"));
        assert_eq!(error(r#"{"area":"trace"}"#), "x.json: `cases` is missing or no list");
        assert_eq!(error(r#"{"area":"trace","cases":[{"id":"a"}]}"#), "x.json: cases[0] (a): `given` is missing");
        assert_eq!(
            error(r#"{"area":"trace","cases":[{"id":"a","given":{},"expect":{}}]}"#),
            "x.json: cases[0] (a): neither `given.kind` nor `given.op` is there"
        );
        let twice = r#"{"id":"a","given":{"kind":"k"},"expect":{}}"#;
        assert_eq!(
            error(&format!(r#"{{"area":"trace","cases":[{twice},{twice}]}}"#)),
            "x.json: cases[1]: the id `a` stands twice"
        );
    }
}
