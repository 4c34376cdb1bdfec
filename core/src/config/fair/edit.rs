//! Edits the allocation file's text: changes single elements in place, so that comments, order and everything unknown
//! stay (fair-scheduler.md 4.1, 4.2).

use super::elements::{Level, is_queue};
use super::file::queue_name;
use crate::config::xml::escape;
use crate::config::xml::markup::{self, Element, Markup};
use crate::model::Span;

/// The indentation of an element within another.
const STEP: &str = "  ";

/// The parsed file.
pub struct ParsedFile<'a> {
    text: &'a str,
    markup: Markup,
    /// Elements of queues, in the order of the file, with the paths of their queues; and those of users ("user NAME").
    queues: Vec<(String, usize)>,
}

impl<'a> ParsedFile<'a> {
    /// Parses a text. `None`: it is not XML.
    pub fn of(text: &'a str) -> Option<Self> {
        let markup = markup::parse("", text).ok()?;
        let mut queues = Vec::new();
        let mut todo: Vec<(String, usize, Level)> = vec![(ROOT.into(), 0, Level::File)];
        while let Some((path, at, level)) = todo.pop() {
            if at > 0 {
                queues.push((path.clone(), at));
            }
            let inside = markup.inside(at).filter(|e| is_queue(&markup.elements[*e].name, level));
            let below = inside.map(|e| {
                let name = name_of(&markup.elements[e]);
                let root = level == Level::File && name.eq_ignore_ascii_case(ROOT);
                (if root { ROOT.into() } else { format!("{path}.{name}") }, e, Level::Queue)
            });
            let below: Vec<_> = below.collect();
            todo.extend(below.into_iter().rev());
        }
        let user = |e: &usize| markup.elements[*e].name == "user";
        queues.extend(markup.inside(0).filter(user).map(|e| (format!("user {}", name_of(&markup.elements[e])), e)));
        Some(ParsedFile { text, markup, queues })
    }

    /// Returns whether the file has an element for a queue.
    pub fn has(&self, queue: &str) -> bool {
        self.queues.iter().any(|(path, _)| path == queue)
    }

    fn element(&self, at: usize) -> &Element {
        &self.markup.elements[at]
    }

    /// The elements with this name in a queue; "": directly in `<allocations>`.
    fn named(&self, queue: &str, name: &str) -> impl Iterator<Item = &Element> {
        let file = queue.is_empty().then_some(0);
        let scopes = file.into_iter().chain(self.queues.iter().filter(move |(path, _)| path == queue).map(|(_, e)| *e));
        scopes.flat_map(|scope| self.markup.inside(scope)).map(|e| self.element(e)).filter(move |e| e.name == name)
    }

    /// The element that counts: the last one.
    fn counting(&self, queue: &str, name: &str) -> Option<&Element> {
        self.named(queue, name).last()
    }

    /// The position of the element that counts.
    pub fn span(&self, queue: &str, name: &str) -> Option<Span> {
        self.counting(queue, name).map(|e| e.span)
    }

    /// The position of a queue.
    pub fn place(&self, queue: &str) -> Option<Span> {
        self.queues.iter().rev().find(|(path, _)| path == queue).map(|(_, e)| self.element(*e).open)
    }

    /// The value of a queue's element with this name; "": directly in `<allocations>`.
    pub fn value(&self, queue: &str, name: &str) -> Option<String> {
        let element = self.counting(queue, name)?;
        let at = self.markup.elements.iter().position(|e| std::ptr::eq(e, element))?;
        Some(self.markup.text(at).trim().to_string())
    }

    /// The text with a value set; an empty value removes the element everywhere.
    pub fn set(&self, queue: &str, name: &str, value: &str) -> String {
        let value = value.trim();
        if value.is_empty() {
            return self.without(self.named(queue, name).map(|e| e.span).collect());
        }
        let element = format!("<{name}>{}</{name}>", escape(value));
        match self.counting(queue, name) {
            Some(there) => self.put(there.span, &element),
            None if queue == ROOT && !self.has(ROOT) => self.root_with(&element),
            None => self.insert(queue, &element),
        }
    }

    /// The text with an element for root: if root is written, all other queues must be in it.
    fn root_with(&self, element: &str) -> String {
        let inside = self.markup.inside(0).map(|e| self.element(e)).filter(|e| is_queue(&e.name, Level::File));
        let spans: Vec<Span> = inside.map(|e| e.span).collect();
        let Some((first, others)) = spans.split_first() else { return self.insert(ROOT, element) };
        let start = self.text[..first.start].rfind('\n').map_or(0, |at| at + 1);
        let indent = &self.text[start..first.start];
        let indent = if indent.trim().is_empty() { indent } else { "" };
        let mut block = format!("<queue name=\"{ROOT}\">\n{indent}{STEP}{element}");
        for span in &spans {
            block.push_str(&format!("\n{indent}{STEP}{}", &self.text[span.start..span.end]));
        }
        block.push_str(&format!("\n{indent}</queue>"));
        // The other queues follow the first.
        let rest = self.without(others.to_vec());
        format!("{}{block}{}", &rest[..first.start], &rest[first.end..])
    }

    /// The text with a new queue.
    pub fn add(&self, parent: &str, name: &str) -> Result<String, String> {
        let name = queue_name(name);
        let path = format!("{parent}.{name}");
        if name.is_empty() || name.contains('.') {
            return Err(format!("`{name}` is no name of a queue: write one without a dot."));
        }
        if self.has(&path) {
            return Err(format!("There is a queue {path} already."));
        }
        Ok(self.insert(parent, &format!("<queue name=\"{}\"/>", quoted(name))))
    }

    /// The text without a queue and those below it.
    pub fn remove(&self, queue: &str) -> String {
        let below = format!("{queue}.");
        let of =
            |(path, e): &(String, usize)| (path == queue || path.starts_with(&below)).then(|| self.element(*e).span);
        self.without(self.queues.iter().filter_map(of).collect())
    }

    /// Inserts an element into the last element of a queue, or of the nearest written parent, with the queues between.
    fn insert(&self, queue: &str, element: &str) -> String {
        let (mut above, mut missing) = (queue, Vec::new());
        let scope = loop {
            if let Some((_, scope)) = self.queues.iter().rev().find(|(path, _)| path == above) {
                break *scope;
            }
            // Queues below root may be directly in the file, root's own settings may not.
            if above.is_empty() || (above == ROOT && (!missing.is_empty() || element.starts_with("<queue "))) {
                break 0;
            }
            match above.rsplit_once('.') {
                Some((rest, name)) => (above, missing) = (rest, [missing, vec![name]].concat()),
                None => (above, missing) = ("", [missing, vec![above]].concat()),
            }
        };
        let into = self.element(scope);
        let start = self.text[..into.open.start].rfind('\n').map_or(0, |at| at + 1);
        let line = &self.text[start..into.open.start];
        let indent: String = line.chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
        // From the outermost missing queue to the element.
        missing.reverse();
        let mut lines = String::new();
        let mut depth = indent.clone();
        for name in &missing {
            depth.push_str(STEP);
            lines.push_str(&format!("\n{depth}<queue name=\"{}\">", quoted(name)));
        }
        lines.push_str(&format!("\n{depth}{STEP}{element}"));
        for _ in &missing {
            lines.push_str(&format!("\n{depth}</queue>"));
            depth.truncate(depth.len() - STEP.len());
        }
        if into.empty {
            let open = self.text[into.open.start..into.open.end].trim_end_matches("/>").trim_end();
            return self.put(into.open, &format!("{open}>{lines}\n{indent}</{}>", tag(open)));
        }
        // After the existing content, on lines of its own.
        let content = &self.text[into.content.start..into.content.end];
        let end = into.content.start + content.trim_end().len();
        let rest = if end == into.content.end { format!("\n{indent}") } else { String::new() };
        self.put(Span::new(end, end), &format!("{lines}{rest}"))
    }

    fn put(&self, span: Span, with: &str) -> String {
        format!("{}{with}{}", &self.text[..span.start], &self.text[span.end..])
    }

    /// The text without these parts, each with its line if it has one to itself.
    fn without(&self, mut spans: Vec<Span>) -> String {
        spans.sort_unstable();
        let (mut out, mut from) = (String::new(), 0);
        for span in spans {
            // Inside one that is removed.
            if span.start < from {
                continue;
            }
            let before = &self.text[from..span.start];
            let line = before.trim_end_matches([' ', '\t']);
            let own = line.is_empty() || line.ends_with('\n');
            let after = &self.text[span.end..];
            let rest = after.trim_start_matches([' ', '\t', '\r']);
            match rest.strip_prefix('\n').filter(|_| own) {
                Some(next) => (out, from) = (out + line, self.text.len() - next.len()),
                None => (out, from) = (out + before, span.end),
            }
        }
        out + &self.text[from..]
    }
}

const ROOT: &str = "root";

fn name_of(queue: &Element) -> String {
    queue.attributes.iter().find(|a| a.name == "name").map_or("", |a| queue_name(&a.value)).to_string()
}

fn quoted(name: &str) -> String {
    escape(name).replace('"', "&quot;")
}

/// The name in an opening tag as written, with its prefix.
fn tag(open: &str) -> &str {
    open.trim_start_matches('<').split(char::is_whitespace).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;
    use crate::model::ResourceTypes;

    const FILE: &str = "<?xml version=\"1.0\"?>\n<allocations>\n  <!-- ours -->\n  <queue name=\"a\">\n    \
        <weight>1</weight> <!-- one -->\n    <queue name=\"b\"/>\n  </queue>\n  <!-- last -->\n  \
        <queue name=\"c\"><maxRunningApps>3</maxRunningApps></queue>\n  \
        <queueMaxAppsDefault>9</queueMaxAppsDefault>\n</allocations>\n";

    fn of(text: &str) -> ParsedFile<'_> {
        ParsedFile::of(text).expect("XML")
    }

    #[test]
    fn a_value_is_read_and_changed_where_it_stands() {
        let file = of(FILE);
        assert_eq!(file.value("root.a", "weight").as_deref(), Some("1"));
        assert_eq!(file.value("root.c", "maxRunningApps").as_deref(), Some("3"));
        assert_eq!(file.value("", "queueMaxAppsDefault").as_deref(), Some("9"));
        assert_eq!((file.value("root.a.b", "weight"), file.value("", "weight")), (None, None));
        assert_eq!(file.set("root.a", "weight", " 2 "), FILE.replace("<weight>1<", "<weight>2<"));
        assert_eq!(
            file.set("", "queueMaxAppsDefault", ""),
            FILE.replace("  <queueMaxAppsDefault>9</queueMaxAppsDefault>\n", "")
        );
        assert_eq!(file.set("root.c", "maxRunningApps", ""), FILE.replace("<maxRunningApps>3</maxRunningApps>", ""));
    }

    #[test]
    fn what_is_not_there_is_added_and_read_back() {
        for (queue, name, value) in [
            ("root.a", "maxResources", "4096 mb, 4 vcores"),
            ("root.a.b", "weight", "3"),
            ("root.c", "aclSubmitApps", "u<v g"),
            ("root.x", "weight", "2"),
            ("root.a.y.z", "weight", "2"),
            ("root", "weight", "2"),
            ("", "userMaxAppsDefault", "5"),
        ] {
            let text = of(FILE).set(queue, name, value);
            assert_eq!(of(&text).value(queue, name).as_deref(), Some(value), "{text}");
            assert!(text.contains("<!-- ours -->") && text.contains("<!-- one -->"), "{text}");
            let (read, passed) =
                read("t", &text, &ResourceTypes::default(), false).unwrap_or_else(|p| panic!("{p:?} {text}"));
            assert!(
                passed.is_empty() && (queue.is_empty() || queue == "root" || read.queues.contains_key(queue)),
                "{text}"
            );
        }
        // If root is written, all queues are in it.
        let text = of(FILE).set("root", "weight", "2");
        let again = of(&text).set("root", "maxRunningApps", "7");
        let again = of(&again).add("root", "d").unwrap();
        let (read, _) = read("t", &again, &ResourceTypes::default(), false).unwrap_or_else(|p| panic!("{p:?} {again}"));
        assert_eq!((read.queues["root"].weight, read.queues["root"].max_apps), (Some(2.0), Some(7)));
        assert!(["root.a", "root.a.b", "root.c", "root.d"].iter().all(|q| read.queues.contains_key(*q)), "{again}");
        let text = of("<allocations/>").set("root.a", "weight", "2");
        assert_eq!(text, "<allocations>\n  <queue name=\"a\">\n    <weight>2</weight>\n  </queue>\n</allocations>");
    }

    #[test]
    fn queues_come_and_go() {
        let text = of(FILE).add("root.a.b", "n \"1\"").unwrap();
        assert!(of(&text).has("root.a.b.n \"1\""), "{text}");
        assert_eq!(
            of(&text).remove("root.a.b.n \"1\""),
            FILE.replace("<queue name=\"b\"/>", "<queue name=\"b\">\n    </queue>")
        );
        assert!(of(FILE).add("root", "a").unwrap_err().contains("root.a already"));
        assert!(of(FILE).add("root", "a.b").is_err() && of(FILE).add("root", " ").is_err());
        let gone = of(FILE).remove("root.a");
        assert!(!of(&gone).has("root.a") && !of(&gone).has("root.a.b") && of(&gone).has("root.c"), "{gone}");
        assert!(gone.contains("<!-- ours -->\n  <!-- last -->"), "{gone}");
    }

    #[test]
    fn the_last_definition_of_a_queue_counts() {
        let text = "<allocations><pool name='a'><weight>1</weight></pool><queue name='a'><weight>2</weight></queue></allocations>";
        assert_eq!(of(text).value("root.a", "weight").as_deref(), Some("2"));
        let (read, _) = read("t", &of(text).set("root.a", "weight", "5"), &ResourceTypes::default(), false).unwrap();
        assert_eq!(read.queues["root.a"].weight, Some(5.0));
        assert_eq!(of(&of(text).set("root.a", "weight", "")).value("root.a", "weight"), None);
    }
}
