//! A queue's element in fair-scheduler.xml, changed in place.

use super::super::read::read;
use super::set_file;
use crate::config::xml::markup::{Markup, parse};

const FILE: &str = "fair-scheduler.xml";

/// Puts a value into an element of a queue, which the file has to name. Errors: why it cannot be.
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
                let at = e.content.start;
                format!("{}<{element}>{value}</{element}>{}", &file[..at], &file[at..])
            }
        }
    };
    set_file(text, FILE, &out)
}

/// The element of a queue, in the file with or without an element for root.
fn find(markup: &Markup, path: &str) -> Option<usize> {
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

    const FILES: &str = "heddle = 1\nscheduler = \"fair\"\n[files]\n\"fair-scheduler.xml\" = '''\n<allocations>\n  <queue name=\"a\"><weight>2.0</weight><!-- mine --></queue>\n\
        \x20 <queue name=\"root\"><queue name=\"b\"/><queue name=\"c\"><queue name=\"d\"><maxRunningApps>1</maxRunningApps></queue></queue></queue>\n</allocations>\n'''\n";

    #[test]
    fn an_element_is_changed_or_made_where_its_queue_stands() {
        for (path, element, value, wanted) in [
            ("root.a", "maxAMShare", "0.7", "<queue name=\"a\"><maxAMShare>0.7</maxAMShare><weight>2.0</weight><!-- mine -->"),
            ("root.b", "maxRunningApps", "3", "<queue name=\"b\"><maxRunningApps>3</maxRunningApps></queue>"),
            ("root.c.d", "maxRunningApps", "3", "<queue name=\"d\"><maxRunningApps>3</maxRunningApps></queue>"),
        ] {
            let text = set_allocation(FILES, path, element, value).unwrap();
            assert!(text.contains(wanted), "{text}");
            assert!(read(&text).scenario.is_some(), "{text}");
        }
        assert!(set_allocation(FILES, "root.x", "weight", "1").is_err());
        assert!(set_allocation("heddle = 1\n", "root.a", "weight", "1").is_err());
    }
}
