//! A queue's element in fair-scheduler.xml, changed in place.

use super::super::read::read;
use super::set_file;
use crate::config::fair::FILE;
use crate::config::xml::markup::{Markup, parse};

/// Puts a value into an element of a queue, of a user (`user NAME`), which the file has to name, or of the file itself (``).
/// Errors: why it cannot be.
pub fn set_allocation(text: &str, path: &str, element: &str, value: &str) -> Result<String, String> {
    let scenario = read(text).scenario.ok_or("The text has an error; mend it first.")?;
    let file = &scenario.files.get(FILE).ok_or_else(|| format!("There is no {FILE}."))?.text;
    let markup = parse(FILE, file).map_err(|p| p.what)?;
    let queue = find(&markup, path).ok_or_else(|| format!("{FILE} does not name {path}."))?;
    let known = markup.inside(queue).find(|e| markup.elements[*e].name == element);
    let out = match known.map(|e| &markup.elements[e]) {
        Some(e) if e.empty => {
            format!("{}<{element}>{value}</{element}>{}", &file[..e.span.start], &file[e.span.end..])
        }
        Some(e) => format!("{}{value}{}", &file[..e.content.start], &file[e.content.end..]),
        None => {
            let e = &markup.elements[queue];
            if e.empty {
                let open = file[e.open.start..e.open.end].trim_end_matches("/>").trim_end();
                let (name, after) = (&e.name, &file[e.span.end..]);
                format!("{}{open}><{element}>{value}</{element}></{name}>{after}", &file[..e.span.start])
            } else {
                // On a line of its own where the queue's first element has one.
                let at = e.content.start;
                let first = markup.inside(queue).next().map_or(e.content.end, |e| markup.elements[e].span.start);
                let before = &file[at..first];
                let (at, gap) = match before.rfind('\n') {
                    Some(_) if first == e.content.end => (at, ""),
                    Some(line) if before[line..].trim().is_empty() => (at + line, &before[line..]),
                    _ => (at, ""),
                };
                format!("{}{gap}<{element}>{value}</{element}>{}", &file[..at], &file[at..])
            }
        }
    };
    set_file(text, FILE, &out)
}

/// The element of whom a path names; of a queue in the file with or without an element for root.
fn find(markup: &Markup, path: &str) -> Option<usize> {
    if path.is_empty() {
        return Some(0);
    }
    if let Some(user) = path.strip_prefix("user ") {
        let is = |e: &&usize| {
            let e = &markup.elements[**e];
            e.name == "user" && e.attributes.iter().any(|a| a.name == "name" && a.value.trim() == user)
        };
        return markup.inside(0).collect::<Vec<_>>().iter().find(is).copied();
    }
    let names = path.strip_prefix("root.").unwrap_or(path).split('.');
    let child = |within: usize, name: &str| {
        markup.inside(within).find(|e| {
            let e = &markup.elements[*e];
            let named = e.attributes.iter().any(|a| a.name == "name" && a.value.trim() == name);
            matches!(e.name.as_str(), "queue" | "pool") && named
        })
    };
    let top = child(0, "root");
    if path == "root" {
        return top;
    }
    let all: Vec<&str> = names.collect();
    [top, Some(0)].into_iter().flatten().find_map(|from| all.iter().try_fold(from, |at, name| child(at, name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: &str = "<queue name=\"a\"><weight>2.0</weight><!-- mine --></queue>";
    const USER: &str =
        "<userMaxAppsDefault>1</userMaxAppsDefault><user name=\"ann\"><maxRunningApps>1</maxRunningApps></user>";
    const ROOTED: &str = "<queue name=\"root\"><queue name=\"b\"/><queue name=\"c\"><queue name=\"d\"><maxRunningApps>1</maxRunningApps></queue></queue></queue>";

    fn scenario(queues: &str) -> String {
        format!(
            "heddle = 1\nscheduler = \"fair\"\n[files]\n\"{FILE}\" = '''\n<allocations>\n{queues}\n</allocations>\n'''\n"
        )
    }

    #[test]
    fn an_element_is_changed_or_made_where_its_queue_stands() {
        for (queues, path, element, wanted) in [
            (
                PLAIN,
                "root.a",
                "maxAMShare",
                "<queue name=\"a\"><maxAMShare>3</maxAMShare><weight>2.0</weight><!-- mine -->",
            ),
            (PLAIN, "root.a", "weight", "<queue name=\"a\"><weight>3</weight><!-- mine -->"),
            (
                "<queue name=\"a\">\n  <!-- mine -->\n    <weight>2.0</weight>\n</queue>",
                "root.a",
                "maxRunningApps",
                "<!-- mine -->\n    <maxRunningApps>3</maxRunningApps>\n    <weight>2.0</weight>\n</queue>",
            ),
            (USER, "user ann", "maxRunningApps", "<user name=\"ann\"><maxRunningApps>3</maxRunningApps></user>"),
            (USER, "", "userMaxAppsDefault", "<userMaxAppsDefault>3</userMaxAppsDefault>"),
            (PLAIN, "", "queueMaxAppsDefault", "<queueMaxAppsDefault>3</queueMaxAppsDefault>"),
            (ROOTED, "root.b", "maxRunningApps", "<queue name=\"b\"><maxRunningApps>3</maxRunningApps></queue>"),
            (ROOTED, "root.c.d", "maxRunningApps", "<queue name=\"d\"><maxRunningApps>3</maxRunningApps></queue>"),
        ] {
            let text = set_allocation(&scenario(queues), path, element, "3").expect(path);
            assert!(text.contains(wanted), "{text}");
            assert!(element == "maxAMShare" || read(&text).scenario.is_some(), "{text}");
        }
        assert!(set_allocation(&scenario(PLAIN), "root.x", "weight", "1").is_err());
        assert!(set_allocation("heddle = 1\n", "root.a", "weight", "1").is_err());
    }
}
