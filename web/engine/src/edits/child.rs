//! Adding and removing queues: a child under a name, and a queue with everything that is set for it and below it.

use super::share::{key, moved, shares};
use heddle_core::config::capacity::PREFIX;
use heddle_core::rm::Properties;

/// Returns the names in a parent's list.
pub fn children(properties: &Properties, parent: &str) -> Vec<String> {
    let list = properties.get(&key(parent, "queues")).map(String::as_str).unwrap_or_default();
    list.split(',').map(|n| n.trim().to_owned()).filter(|n| !n.is_empty()).collect()
}

/// Returns the properties that add a child: it has no share yet, an only child everything. Errors: the name is not allowed.
pub fn made(properties: &Properties, parent: &str, name: &str) -> Result<Vec<(String, String)>, String> {
    let mut names = children(properties, parent);
    if name.contains(|c: char| c.is_whitespace() || c.is_control() || ".,*".contains(c)) {
        return Err(format!("`{name}` cannot be a queue's name: it may have no blank, dot, comma or *."));
    }
    if names.iter().any(|n| n == name) {
        return Err(format!("{parent} has a child {name} already."));
    }
    let share = if names.is_empty() { "100" } else { "0" };
    names.push(name.to_owned());
    let capacity = key(&format!("{parent}.{name}"), "capacity");
    Ok(vec![(key(parent, "queues"), names.join(", ")), (capacity, share.to_owned())])
}

/// Returns the property changes that remove a queue: its siblings get its share, and everything set for it and below it is
/// removed.
pub fn removed(properties: &Properties, path: &str) -> Vec<(String, String)> {
    let Some((parent, name)) = path.rsplit_once('.') else { return Vec::new() };
    let mut names = children(properties, parent);
    names.retain(|n| n != name);
    let own = format!("{PREFIX}{path}.");
    let mut out = vec![(key(parent, "queues"), names.join(", "))];
    if shares(properties, path).is_some() {
        out.extend(moved(properties, path, 0.0).into_iter().filter(|(key, _)| !key.starts_with(&own)));
    }
    out.extend(properties.keys().filter(|k| k.starts_with(&own)).map(|k| (k.clone(), String::new())));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(changes: Vec<(String, String)>) -> Vec<String> {
        changes.into_iter().map(|(name, value)| format!("{}={value}", name.trim_start_matches(PREFIX))).collect()
    }

    #[test]
    fn queues_come_with_a_name_and_go_with_all_that_is_theirs() {
        let rows = [
            ("root.queues", "a, b\n,c"),
            ("root.a.capacity", "50"),
            ("root.b.capacity", "30"),
            ("root.c.capacity", "20"),
            ("root.c.queues", "x"),
            ("root.c.x.capacity", "100"),
            ("root.cc.capacity", "1"),
        ];
        let p: Properties = rows.iter().map(|(k, v)| (format!("{PREFIX}{k}"), (*v).to_owned())).collect();
        assert_eq!(told(made(&p, "root", "d").unwrap()), ["root.queues=a, b, c, d", "root.d.capacity=0"]);
        assert_eq!(told(made(&p, "root.a", "y").unwrap()), ["root.a.queues=y", "root.a.y.capacity=100"]);
        assert!(made(&p, "root", "a").unwrap_err().contains("already") && made(&p, "root", "d.e").is_err());
        assert_eq!(
            told(removed(&p, "root.c")),
            [
                "root.queues=a, b",
                "root.a.capacity=62.5",
                "root.b.capacity=37.5",
                "root.c.capacity=",
                "root.c.queues=",
                "root.c.x.capacity=",
            ]
        );
        assert_eq!(told(removed(&p, "root.c.x")), ["root.c.queues=", "root.c.x.capacity="]);
        assert!(removed(&p, "root").is_empty());
    }
}
