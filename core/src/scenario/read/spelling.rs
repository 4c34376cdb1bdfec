//! Checks names for characters that are invisible or reverse the text's direction, wherever a scenario has names: in every
//! key, every text of the document that is not prose, and the files in it. One walk covers all, so that no kind of name is
//! missed.

use super::super::document::Scenario;
use super::fields::{Reader, SOURCE};
use crate::model::names::{NameFault, fault, first_hidden, first_unseen, hidden, hidden_in_file};
use crate::model::{Problem, Span};
use toml_edit::{Document, Item, Key, TableLike, Value};

/// Texts for people to read, which name nothing.
const PROSE: [&str; 4] = ["title", "note", "card", "captions"];
/// The depth to which nested tables are checked.
const DEPTH: usize = 64;

/// The kind of a text, which decides the characters that it may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    /// A name, or a file with names.
    Names,
    /// A text for people to read. It may contain whatever writing needs, but nothing that controls a terminal or reverses a
    /// line.
    Prose,
}

/// Checks all texts of a document. Returns whether the names among them are fine.
pub fn texts(r: &mut Reader<'_>, document: &Document<&str>) -> bool {
    let before = r.count();
    let is_prose = |name: &str| PROSE.contains(&name);
    for (name, item) in document.as_table().iter().filter(|(name, _)| !is_prose(name)) {
        key(r, name, document.as_table().key(name));
        walk(r, item, Of::Names, 0);
    }
    let all_right = r.count() == before;
    document.as_table().iter().filter(|(name, _)| is_prose(name)).for_each(|(_, item)| walk(r, item, Of::Prose, 0));
    all_right
}

fn key(r: &mut Reader<'_>, name: &str, key: Option<&Key>) {
    if let Some((at, c)) = first_hidden(name) {
        let span = key.and_then(Key::span).map_or_else(Span::default, |s| Span::new(s.start, s.end));
        tell(r, span, NameFault::Hidden(c, at), "This name");
    }
}

fn walk(r: &mut Reader<'_>, item: &Item, of: Of, depth: usize) {
    match item {
        Item::None => {}
        Item::Value(v) => value(r, v, of, depth),
        Item::Table(t) => table(r, t, of, depth),
        Item::ArrayOfTables(list) => list.iter().for_each(|t| table(r, t, of, depth)),
    }
}

fn table(r: &mut Reader<'_>, t: &dyn TableLike, of: Of, depth: usize) {
    if depth < DEPTH {
        for (name, item) in t.iter() {
            if of == Of::Names {
                key(r, name, t.key(name));
            }
            walk(r, item, of, depth + 1);
        }
    }
}

fn value(r: &mut Reader<'_>, v: &Value, of: Of, depth: usize) {
    match v {
        Value::String(text) => {
            let span = text.span().map_or_else(Span::default, |s| Span::new(s.start, s.end));
            let content = text.value();
            let found = match of {
                Of::Names => hidden_in_text(content),
                Of::Prose => controls(content),
            };
            if let Some((c, at)) = found {
                let exact = r.content_offset(span, content).map(|start| at.shift(start));
                tell(r, exact.unwrap_or(span), NameFault::Hidden(c, at.start), "This text");
            }
        }
        Value::Array(list) if depth < DEPTH => list.iter().for_each(|v| value(r, v, of, depth + 1)),
        Value::InlineTable(t) => table(r, t, of, depth),
        _ => {}
    }
}

/// Returns the first character of a name or a file that no name may contain.
fn hidden_in_text(content: &str) -> Option<(char, Span)> {
    // A text of several lines, or one that begins like a file, is a file.
    let file = content.contains("\\u") || content.trim_start().starts_with(['<', '{', '[']);
    if file || content.contains('\n') {
        return hidden_in_file(content);
    }
    let plain = content.char_indices().find(|(_, c)| *c != '\t' && hidden(*c).is_some());
    plain.or_else(|| first_unseen(content)).map(|(at, c)| (c, Span::new(at, at + c.len_utf8())))
}

/// Returns the first control character of prose that is not a line break or a tab, or the first that reverses the
/// direction.
fn controls(text: &str) -> Option<(char, Span)> {
    let in_lines = |at: usize, c: char| matches!(c, '\n' | '\t') || text[at..].starts_with("\r\n");
    let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let found = text.char_indices().find(|(at, c)| turns(*c) || c.is_control() && !in_lines(*at, *c));
    found.map(|(at, c)| (c, Span::new(at, at + c.len_utf8())))
}

fn tell(r: &mut Reader<'_>, span: Span, fault: NameFault, kind: &str) {
    r.add(Problem::error(SOURCE, span, fault.what(kind)).mend(fault.mend()));
}

/// Checks the names of a scenario that has been read, kind by kind. `visible`: its texts are fine, so a hidden character in
/// a name was written as an escape.
pub fn names(r: &mut Reader<'_>, s: &Scenario, visible: bool) {
    let mut told: Vec<(&str, Span)> = Vec::new();
    let all = of_cluster(s).into_iter().chain(of_apps(s)).chain(of_happenings(s));
    let mut wrong: Vec<(Span, NameFault, &str)> = Vec::new();
    for (kind, name, span) in all {
        let found = fault(name).filter(|f| visible || !matches!(f, NameFault::Hidden(..)));
        if let Some(fault) = found.filter(|_| !told.contains(&(kind, span))) {
            told.push((kind, span));
            wrong.push((span, fault, kind));
        }
    }
    let settings = [
        (&s.settings.capacity_scheduler, &s.origins.capacity_scheduler),
        (&s.settings.yarn_site, &s.origins.yarn_site),
    ];
    for (properties, origins) in settings {
        for (key, value) in properties.iter().filter(|_| visible) {
            let value = value.char_indices().find(|(_, c)| !c.is_ascii_whitespace() && hidden(*c).is_some());
            if let Some((at, c)) = first_hidden(key).or(value) {
                let span = origins.get(key).map_or_else(Span::default, |o| o.in_scenario);
                wrong.push((span, NameFault::Hidden(c, at), "This property"));
            }
        }
    }
    wrong.into_iter().for_each(|(span, fault, kind)| tell(r, span, fault, kind));
}

type Named<'s> = (&'static str, &'s str, Span);

fn of_cluster(s: &Scenario) -> Vec<Named<'_>> {
    let mut out: Vec<Named<'_>> = Vec::new();
    for node in super::names::nodes(s) {
        out.push(("The name of a node", &node.spec.host, node.span));
        out.push(("The name of a rack", &node.spec.rack, node.span));
        let label = node.spec.label.as_deref().filter(|l| !l.is_empty());
        out.extend(label.map(|l| ("A node label", l, node.span)));
        out.extend(node.attributes.iter().map(|(name, _)| ("The name of a node attribute", name.as_str(), node.span)));
    }
    let top = Span::default();
    out.extend(s.settings.labels.iter().map(|l| ("A node label", l.name.as_str(), top)));
    for (user, groups) in &s.settings.groups {
        out.push(("The name of a user", user, top));
        out.extend(groups.iter().map(|g| ("The name of a group", g.as_str(), top)));
    }
    out.extend(s.worlds.iter().map(|w| ("The name of a world", w.name.as_str(), w.span)));
    out.extend(s.resource_types.names().iter().map(|t| ("The name of a resource type", t.as_str(), top)));
    out
}

fn of_apps(s: &Scenario) -> Vec<Named<'_>> {
    let mut out: Vec<Named<'_>> = Vec::new();
    for app in &s.apps {
        out.push(("The name of an application", &app.name, app.span));
        let queue = Some(app.queue.as_str()).filter(|q| !q.is_empty());
        out.extend(queue.map(|q| ("The name of a queue", q, app.queue_span.unwrap_or(app.span))));
        out.push(("The name of a user", &app.user, app.span));
        out.extend(app.tags.iter().map(|t| ("An application tag", t.as_str(), app.span)));
        let labels = app.label.iter().chain(&app.am.label).filter(|l| !l.trim_matches(' ').is_empty());
        out.extend(labels.map(|l| ("A node label", l.as_str(), app.span)));
        let tags = app.constraints.iter().flat_map(|c| &c.tags);
        out.extend(tags.map(|t| ("An allocation tag", t.as_str(), app.span)));
        out.extend(app.kind.names().into_iter().map(|(what, name)| (what, name, app.span)));
    }
    out
}

fn of_happenings(s: &Scenario) -> Vec<Named<'_>> {
    use super::super::happening::Act;
    let mut out: Vec<Named<'_>> = Vec::new();
    for h in &s.happenings {
        match &h.act {
            Act::MoveApp { queue, .. } if !queue.is_empty() => out.push(("The name of a queue", queue, h.span)),
            Act::Attributes { attributes, .. } => {
                out.extend(attributes.iter().map(|(n, _)| ("The name of a node attribute", n.as_str(), h.span)));
            }
            Act::OfKind(act) => out.extend(act.names().into_iter().map(|(what, name)| (what, name, h.span))),
            Act::PutConstraint { tags, .. } => {
                out.extend(tags.iter().map(|t| ("An allocation tag", t.as_str(), h.span)));
            }
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use crate::model::Severity;

    const HEAD: &str = "heddle = 1\nscheduling = \"heartbeat\"\n";
    const NODE: &str = "[[nodes]]\nname = \"n\"\nsize = \"8 GB/8\"\n";

    /// Every kind of name, with `NAME` where it stands.
    const KINDS: &[(&str, &str)] = &[
        ("node", "[[nodes]]\nname = \"NAME\"\nsize = \"8 GB/8\"\n"),
        ("rack", "[[nodes]]\nname = \"n\"\nrack = \"NAME\"\nsize = \"8 GB/8\"\n"),
        ("label", "[[nodes]]\nname = \"n\"\nlabel = \"NAME\"\nsize = \"8 GB/8\"\n"),
        ("labels", "labels = [\"NAME\"]\n"),
        ("attribute", "[[nodes]]\nname = \"n\"\nsize = \"8 GB/8\"\nattributes = { \"NAME\" = \"1\" }\n"),
        ("user", "[users]\n\"NAME\" = [\"g\"]\n"),
        ("group", "[users]\nu = [\"NAME\"]\n"),
        ("application", "[[apps]]\nname = \"NAME\"\ntasks = [{ count = 1 }]\n"),
        ("submitter", "[[apps]]\nname = \"a\"\nuser = \"NAME\"\ntasks = [{ count = 1 }]\n"),
        ("queue of an application", "[[apps]]\nname = \"a\"\nqueue = \"NAME\"\ntasks = [{ count = 1 }]\n"),
        ("application tag", "[[apps]]\nname = \"a\"\ntags = [\"NAME\"]\ntasks = [{ count = 1 }]\n"),
        ("queue", "[capacity-scheduler]\nroot.queues = \"NAME\"\n\"root.NAME.capacity\" = 100\n"),
        (
            "queue in a file",
            "[files]\n\"capacity-scheduler.xml\" = '''<configuration><property><name>yarn.scheduler.capacity.root.queues</name><value>NAME</value></property></configuration>'''\n",
        ),
        (
            "queue of the FairScheduler",
            "[files]\n\"fair-scheduler.xml\" = '''<allocations>\n<queue name=\"NAME\"/>\n</allocations>'''\n",
        ),
        ("tag of a spec", "[[apps]]\nname = \"a\"\nkind = \"distributed-shell\"\nspec = \"NAME(3),NOTIN,NODE,NAME\"\n"),
        (
            "component",
            "[[apps]]\nname = \"a\"\nkind = \"slider\"\ncomponents = [{ name = \"NAME\", \"yarn.role.priority\" = 1 }]\n",
        ),
        (
            "component of a service",
            "[[apps]]\nname = \"a\"\nkind = \"yarn-service\"\ncomponents = [{ name = \"NAME\", count = 1 }]\n",
        ),
        (
            "Samza job",
            "[[apps]]\nname = \"a\"\nkind = \"samza\"\n\"job.properties\" = '''\njob.name=NAME\ntask.inputs=k.in\n'''\nstreams = { \"k.in\" = 1 }\n",
        ),
        (
            "stream",
            "[[apps]]\nname = \"a\"\nkind = \"samza\"\n\"job.properties\" = '''\njob.name=j\ntask.inputs=k.in\n'''\nstreams = { \"NAME\" = 1 }\n",
        ),
        ("world", "[[worlds]]\nname = \"NAME\"\nset = { root.default.capacity = 50 }\n"),
        ("node of a happening", "[[happenings]]\nat = 1\ndo = \"add_node\"\nname = \"NAME\"\nsize = \"8 GB/8\"\n"),
        ("queue of a move", "[[happenings]]\nat = 1\ndo = \"move_app\"\napp = \"a\"\nqueue = \"NAME\"\n"),
        ("resource type", "[[nodes]]\nname = \"m\"\nsize = { memory = \"8 GB\", \"NAME\" = 1 }\n"),
    ];

    #[test]
    fn what_cannot_be_seen_is_refused_in_every_name_with_its_place() {
        let hidden = [
            '\u{202e}', '\u{202d}', '\u{2066}', '\u{2069}', '\u{200e}', '\u{200b}', '\u{200d}', '\u{2060}', '\u{feff}',
            '\u{ad}', '\u{85}',
        ];
        for (kind, form) in KINDS {
            for c in hidden {
                // At its beginning, inside it and at its end.
                for name in [format!("{c}ab"), format!("a{c}b"), format!("ab{c}")] {
                    let node = if form.contains("[[nodes]]") { "" } else { NODE };
                    let text = format!("{HEAD}{}{node}", form.replace("NAME", &name));
                    let read = read(&text);
                    assert!(read.scenario.is_none(), "{kind}: {name:?} is taken");
                    let told = read
                        .problems
                        .iter()
                        .find(|p| p.severity == Severity::Error && p.what.contains(&format!("U+{:04X}", u32::from(c))));
                    let told = told.unwrap_or_else(|| panic!("{kind}, {name:?}: {:?}", read.problems));
                    let line = told.span.map_or(0, |s| s.line_col(&text).0);
                    let at = text.lines().position(|l| l.contains(c)).map_or(0, |n| n + 1);
                    assert_eq!(line, at, "{kind}, {name:?}: {told:?}");
                }
            }
        }
    }

    /// Files in a scenario, with `NAME` where a name stands, and whether their formats can escape a character.
    const FILES: &[(&str, &str, bool)] = &[
        (
            "capacity-scheduler.xml",
            "[files]\n\"capacity-scheduler.xml\" = '''<configuration>\n<property><name>yarn.scheduler.capacity.root.queues</name>\n<value>NAME</value></property></configuration>'''\n",
            true,
        ),
        (
            "its key",
            "[files]\n\"capacity-scheduler.xml\" = '''<configuration><property>\n<name>yarn.scheduler.capacity.root.NAME.capacity</name><value>1</value></property></configuration>'''\n",
            true,
        ),
        (
            "fair-scheduler.xml",
            "scheduler = \"fair\"\n[files]\n\"fair-scheduler.xml\" = '''<allocations>\n<queue name=\"NAME\"/>\n</allocations>'''\n",
            true,
        ),
        (
            "its user",
            "scheduler = \"fair\"\n[files]\n\"fair-scheduler.xml\" = '''<allocations>\n<user name='NAME'><maxRunningApps>1</maxRunningApps></user></allocations>'''\n",
            true,
        ),
        (
            "in one line",
            "scheduler = \"fair\"\n[files]\n\"fair-scheduler.xml\" = '<allocations><queue name=\"NAME\"/></allocations>'\n",
            true,
        ),
        (
            "yarn-site.xml",
            "[files]\n\"yarn-site.xml\" = '''<configuration>\n<property><name>yarn.resource-types</name><value>NAME</value></property></configuration>'''\n",
            true,
        ),
        (
            "job.properties",
            "[[apps]]\nname = \"a\"\nkind = \"samza\"\n\"job.properties\" = '''\njob.name=NAME\ntask.inputs=k.in\n'''\nstreams = { \"k.in\" = 1 }\n",
            false,
        ),
        (
            "resources.json",
            "[[apps]]\nname = \"a\"\nkind = \"slider\"\n\"resources.json\" = '''\n{\"schema\": \"http://example.org/specification/v2.0.0\", \"components\": {\"NAME\": {\"yarn.role.priority\": \"1\"}}}\n'''\n",
            false,
        ),
    ];

    #[test]
    fn what_cannot_be_seen_is_refused_where_a_file_writes_it_with_a_number() {
        for (kind, form, xml) in FILES {
            for c in ['\u{202e}', '\u{200b}', '\u{ad}', '\u{e0041}'] {
                let code = u32::from(c);
                let mut units = [0; 2];
                let escaped = c.encode_utf16(&mut units).iter().map(|u| format!("\\u{u:04x}")).collect();
                let written = if *xml { vec![format!("&#x{code:x};"), format!("&#{code};")] } else { vec![escaped] };
                for written in written {
                    let text = format!("{HEAD}{}{NODE}", form.replace("NAME", &format!("a{written}b")));
                    let read = read(&text);
                    let told: Vec<_> =
                        read.problems.iter().filter(|p| p.what.contains(&format!("U+{code:04X}"))).collect();
                    assert!(read.scenario.is_none() && told.len() == 1, "{kind}, {written}: {:?}", read.problems);
                    let at = told[0].span.and_then(|s| text.get(s.start..s.end));
                    assert_eq!(at, Some(written.as_str()), "{kind}: {:?}", told[0]);
                }
            }
        }
    }

    /// A name is a single line, whatever it names; every violation is reported.
    #[test]
    fn names_with_a_line_break_or_a_tab_are_refused() {
        for (key, table) in [
            ("name", "[[nodes]]\nsize = \"1 GB\"\nNAME\n"),
            ("name", "[[apps]]\ntasks = [{ count = 1 }]\nNAME\n"),
            ("user", "[[apps]]\nname = \"a\"\ntasks = [{ count = 1 }]\nNAME\n"),
            ("queue", "[[apps]]\nname = \"a\"\ntasks = [{ count = 1 }]\nNAME\n"),
            ("name", "[[apps]]\nname = \"a\"\n[[apps.tasks]]\ncount = 1\nNAME\n"),
        ] {
            for sign in ["\\n", "\\t", "\\r"] {
                let text = format!("{HEAD}{NODE}{}", table.replace("NAME", &format!("{key} = \"a{sign}b\"")));
                let read = read(&text);
                let told = read.problems.iter().filter(|p| p.what.contains("a control character")).count();
                assert!(read.scenario.is_none() && told > 0, "{text}: {:?}", read.problems);
            }
        }
    }

    #[test]
    fn names_that_are_blank_are_refused() {
        let no_blank = [
            "labels",
            "tag of a spec",
            "queue",
            "queue in a file",
            "queue of the FairScheduler",
            "Samza job",
            "stream",
            "resource type",
            "application tag",
        ];
        for (kind, form) in KINDS.iter().filter(|(kind, _)| !no_blank.contains(kind)) {
            for name in ["\u{a0}", "\u{3164}", "\u{2800}\u{2800}", "\u{3000} "] {
                let node = if form.contains("[[nodes]]") { "" } else { NODE };
                let text = format!("{HEAD}{}{node}", form.replace("NAME", name));
                let read = read(&text);
                let told = read.problems.iter().any(|p| p.severity == Severity::Error);
                assert!(read.scenario.is_none() && told, "{kind}: {name:?} is taken: {:?}", read.problems);
            }
        }
    }

    /// Blanks are trimmed off some names; fillers are invisible and stay in all of them.
    #[test]
    fn names_of_fillers_are_refused() {
        // Names in a file are checked when its format is read.
        let in_files = ["queue in a file", "queue of the FairScheduler", "Samza job", "stream"];
        for (kind, form) in KINDS.iter().filter(|(kind, _)| !in_files.contains(kind)) {
            for name in ["\u{3164}", "\u{2800}\u{2800}", "\u{fe0f}"] {
                let node = if form.contains("[[nodes]]") { "" } else { NODE };
                let text = format!("{HEAD}{}{node}", form.replace("NAME", name));
                let read = read(&text);
                assert!(read.scenario.is_none(), "{kind}: {name:?} is taken: {:?}", read.problems);
            }
        }
    }

    /// Prose with characters that a terminal would obey, or a reader would not see.
    #[test]
    fn prose_controls_nothing() {
        for place in [
            "title = \"X\"\n",
            "note = \"X\"\n",
            "[card]\nid = \"a\"\nquestion = \"X\"\n",
            "[[captions]]\nat = \"1 s\"\ntext = \"X\"\n",
            "captions = [{ at = \"1 s\", text = \"X\" }]\n",
        ] {
            for (c, stays) in [
                ("\\u001b[2J", false),
                ("\\u0000", false),
                ("\\r", false),
                ("\u{202e}", false),
                ("\u{2066}", false),
                ("\\r\\n", true),
                ("\\n\\t", true),
                ("\u{200d}", true),
            ] {
                let text = format!("heddle = 1\n{}", place.replace('X', &format!("a{c}b")));
                let wrong: Vec<_> =
                    read(&text).problems.into_iter().filter(|p| p.severity == Severity::Error).collect();
                assert_eq!(wrong.is_empty(), stays, "{text}: {wrong:?}");
            }
        }
    }

    #[test]
    fn prose_and_names_of_all_the_world_are_taken() {
        let text = format!(
            "{HEAD}title = \"a\u{200f}b\"\nnote = \"x\u{200b}y\"\n# \u{202e}\n[[nodes]]\nname = \"بحث-1\"\nrack = \"/队列\"\nsize = \"8 GB/8\"\n\
             [[apps]]\nname = \"a\\tb ⚙\u{fe0f}\"\ntasks = [{{ count = 1 }}]\n"
        );
        let read = read(&text.replace("a\\tb", "ab"));
        assert!(read.scenario.is_some(), "{:?}", read.problems);
    }
}
