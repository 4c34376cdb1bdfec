//! Properties in other forms than Hadoop's XML: lines of `key=value`, lists and maps in JSON. Their keys determine the file
//! that they belong to.

use super::json::Loose;
use super::{Gathered, InputText, ReadOutcome, count};
use crate::api::Properties;
use crate::client::json::{Node, Value};
use crate::config::check::{Report, check};
use crate::config::properties::{PREFIX, find};
use crate::config::xml::escape;
use crate::model::{Problem, Span};

/// The maximum number of properties read from one text (formats.md 10).
const MOST: usize = 200_000;
/// Prefixes of keys that identify a text of lines, besides known keys.
const OURS: [&str; 4] = [PREFIX, "yarn.sls.", "net.topology.", "hadoop.proxyuser."];

/// A property, and where its value stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub key: String,
    pub value: String,
    pub at: Span,
}

/// Adds properties to the scenario, each to its file. Reports problems at their places.
pub(super) fn take(
    look: &InputText<'_>,
    pairs: Vec<Pair>,
    mut problems: Vec<Problem>,
    g: &mut Gathered,
) -> ReadOutcome {
    if pairs.len() > MOST {
        problems.push(Problem::error(look.name, None, format!("More than {MOST} properties.")).mend("Give fewer."));
        return ReadOutcome::not_read(problems);
    }
    let all: Properties = pairs.iter().map(|pair| (pair.key.clone(), pair.value.clone())).collect();
    let of_core = super::settings::core(look, &all, g);
    let (mut capacity, mut site, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for pair in pairs {
        let key = pair.key.as_str();
        let list = match () {
            () if key.starts_with(PREFIX) => &mut capacity,
            () if find(key, &|_| false).is_some() => &mut site,
            () => &mut others,
        };
        list.push(pair);
    }
    let mut holds = Vec::new();
    if !site.is_empty() {
        let (report, found) = checked(look.name, &site, g);
        problems.extend(found);
        super::settings::scheduler_of(&report.properties, look.name, g);
        holds.push(report.summary());
        g.site.extend(report.properties);
    }
    if !capacity.is_empty() {
        let (report, found) = checked(look.name, &capacity, g);
        problems.extend(found);
        super::settings::labels_of(&report.properties, g);
        holds.push(report.summary());
        g.capacity.extend(report.properties);
    }
    let kept = others.len();
    holds.extend(other(look, &others, g).map(str::to_owned));
    if of_core && holds.is_empty() {
        holds.push("settings of core-site.xml".into());
    }
    if holds.is_empty() {
        let what = "None of its properties decides where containers go.";
        problems.push(
            Problem::warning(look.name, None, what).mend("Give those of yarn-site.xml and capacity-scheduler.xml."),
        );
        return ReadOutcome { status: super::Status::NotRead, holds: count(kept, "property"), problems };
    }
    if kept > 0 {
        holds.push(format!("{} of other things", count(kept, "property")));
    }
    ReadOutcome::of(holds.join("; "), problems)
}

/// Adds settings of Spark and of SLS. Returns what was found.
fn other(look: &InputText<'_>, pairs: &[Pair], g: &mut Gathered) -> Option<&'static str> {
    let mut found = None;
    for Pair { key, value, .. } in pairs {
        if key.starts_with("spark.") {
            g.spark.insert(key.clone(), value.clone());
            g.spark_source.get_or_insert_with(|| look.name.to_owned());
            found = Some("settings of Spark");
        } else if key.starts_with("yarn.sls.") {
            g.traced.settings.insert(key.clone(), value.clone());
            found = Some("settings of SLS");
        }
    }
    found
}

/// Checks properties as the file that they belong to; problems are placed at the properties.
fn checked(name: &str, pairs: &[Pair], g: &Gathered) -> (Report, Vec<Problem>) {
    let mut xml = String::from("<configuration>\n");
    // The start of each property in the file.
    let mut starts = Vec::with_capacity(pairs.len());
    for Pair { key, value, .. } in pairs {
        starts.push(xml.len());
        let value = escape(value).replace('\n', "&#10;");
        xml.push_str(&format!("<property><name>{}</name><value>{value}</value></property>\n", escape(key)));
    }
    xml.push_str("</configuration>\n");
    let report = check(name, &xml, &g.site_so_far(), &g.node_labels());
    let place = |problem: &Problem| {
        let at = starts.partition_point(|start| *start <= problem.span.map_or(0, |span| span.start));
        at.checked_sub(1).and_then(|at| pairs.get(at)).map(|pair| pair.at)
    };
    let problems = report.problems.iter().map(|problem| Problem { span: place(problem), ..problem.clone() }).collect();
    (report, problems)
}

/// Reads lines of `key=value`, `key: value` or `key value`, as in Java's properties files.
pub(super) fn lines(text: &str) -> Vec<Pair> {
    let (mut out, mut at) = (Vec::new(), 0);
    let mut lines = text.split_inclusive('\n');
    while let Some(line) = lines.next() {
        let start = at;
        at += line.len();
        let bare = line.trim();
        if bare.is_empty() || bare.starts_with(['#', '!']) {
            continue;
        }
        let mut whole = bare.to_owned();
        // A backslash at the end continues the line; two are one literal backslash.
        while (whole.len() - whole.trim_end_matches('\\').len()) % 2 == 1 {
            whole.pop();
            let Some(next) = lines.next() else { break };
            at += next.len();
            whole.push_str(next.trim());
        }
        let lead = line.len() - line.trim_start().len();
        let end = start + line.trim_end().len();
        let (key, value) = split(&whole);
        // The place of a continued value is where its key begins.
        let value_at = if line[lead..].trim_end().len() == whole.len() { end - value.len() } else { start + lead };
        out.push(Pair { key: unescaped(key), value: unescaped(value), at: Span::new(value_at.min(end), end) });
    }
    out
}

/// Splits a line at its first separator: `=`, `:` or a blank.
fn split(line: &str) -> (&str, &str) {
    let mut escaped = false;
    for (at, c) in line.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '=' | ':' => return (line[..at].trim_end(), line[at + 1..].trim_start()),
            c if c.is_whitespace() => {
                let rest = line[at..].trim_start();
                return (&line[..at], rest.strip_prefix(['=', ':']).unwrap_or(rest).trim_start());
            }
            _ => {}
        }
    }
    (line, "")
}

fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(c) = letters.next() {
        match c {
            '\\' => out.extend(letters.next()),
            c => out.push(c),
        }
    }
    out
}

/// Returns whether a text is lines of properties, some of them YARN's.
pub(super) fn is_lines(look: &InputText<'_>) -> bool {
    if look.root().is_some() || look.json().is_some() {
        return false;
    }
    let (mut ours, mut others) = (0, 0);
    for line in look.text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with(['#', '!'])).take(1000) {
        let (key, value) = split(line);
        let name = !key.is_empty() && key.chars().all(|c| c.is_ascii_graphic()) && key.contains('.');
        let separated = line[key.len()..].trim_start().starts_with(['=', ':']);
        let known = || OURS.iter().any(|start| key.starts_with(start)) || find(key, &|_| false).is_some();
        match name && separated {
            true if known() => ours += 1,
            // Other settings of the same file, or the rest of a continued list.
            true => {}
            false if value.is_empty() => {}
            false => others += 1,
        }
    }
    ours > others
}

/// Returns whether a text is spark-defaults.conf: lines of Spark settings, mostly with blanks after their keys.
pub(super) fn is_spark(look: &InputText<'_>) -> bool {
    let lines = look.text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')).take(1000);
    let (mut ours, mut others) = (0, 0);
    for line in lines {
        let (key, value) = split(line);
        *(if key.starts_with("spark.") && !value.is_empty() { &mut ours } else { &mut others }) += 1;
    }
    look.root().is_none() && look.json().is_none() && ours > others
}

/// Reads lines of properties, as Ambari shows and accepts them.
pub(super) fn read_lines(look: &InputText<'_>, g: &mut Gathered) -> ReadOutcome {
    take(look, lines(look.text), Vec::new(), g)
}

/// Reads the members of an object as properties. An Ambari value that is a file of lines is read as lines.
fn of_map(node: &Node, out: &mut Vec<Pair>) {
    for field in node.fields() {
        if let Value::Null | Value::Object(_) | Value::Array(_) = field.node.value {
            continue;
        }
        let Some(value) = field.node.text() else { continue };
        if field.name == "capacity-scheduler" && value.contains('=') {
            let at = field.node.span;
            out.extend(lines(value).into_iter().map(|pair| Pair { at, ..pair }));
        } else {
            out.push(Pair { key: field.name.clone(), value: value.to_owned(), at: field.node.span });
        }
    }
}

/// Reads objects with a key and a value as properties.
fn of_list(items: &[&Node], key: &str, out: &mut Vec<Pair>) {
    for item in items {
        let (Some(key), Some(value)) = (item.word(key), item.get("value")) else { continue };
        let text = value.text().unwrap_or("").to_owned();
        out.push(Pair { key: key.to_owned(), value: text, at: value.span });
    }
}

fn first<'l>(look: &'l InputText<'_>) -> Option<&'l Node> {
    look.json().and_then(|documents| documents.values.first())
}

/// Adds the properties that `read` finds in JSON.
fn json(look: &InputText<'_>, g: &mut Gathered, read: impl FnOnce(&Node, &mut Vec<Pair>)) -> ReadOutcome {
    let (root, problems) = look.tree();
    let mut pairs = Vec::new();
    if let Some(root) = &root {
        read(root, &mut pairs);
    }
    take(look, pairs, problems, g)
}

/// Returns whether JSON is the answer of `/conf`.
pub(super) fn is_conf(look: &InputText<'_>) -> bool {
    let list = first(look).map(|root| root.list(&["properties"])).unwrap_or_default();
    list.first().is_some_and(|one| one.get("key").is_some())
}

pub(super) fn conf(look: &InputText<'_>, g: &mut Gathered) -> ReadOutcome {
    json(look, g, |root, pairs| of_list(&root.list(&["properties"]), "key", pairs))
}

/// Returns whether JSON is the answer of `/scheduler-conf`.
pub(super) fn is_scheduler_conf(look: &InputText<'_>) -> bool {
    let list = first(look).map(|root| root.list(&["property"])).unwrap_or_default();
    list.first().is_some_and(|one| one.get("name").is_some())
}

pub(super) fn scheduler_conf(look: &InputText<'_>, g: &mut Gathered) -> ReadOutcome {
    json(look, g, |root, pairs| of_list(&root.list(&["property"]), "name", pairs))
}

/// Returns a field whose name Amazon's tools write with a capital or a small initial.
fn either<'n>(node: &'n Node, small: &str, large: &str) -> Option<&'n Node> {
    node.get(small).or_else(|| node.get(large))
}

/// Returns the classifications of a list, or of an object that contains one.
fn classifications(root: &Node) -> Vec<&Node> {
    let cluster = root.get("Cluster").unwrap_or(root);
    let list = either(cluster, "configurations", "Configurations").unwrap_or(cluster).list(&[]);
    list.into_iter().filter(|one| either(one, "classification", "Classification").is_some()).collect()
}

/// Returns whether JSON is a list of EMR classifications.
pub(super) fn is_emr(look: &InputText<'_>) -> bool {
    let values = look.json().map_or(&[][..], |documents| &documents.values);
    values.iter().take(1).any(|root| !classifications(root).is_empty())
}

pub(super) fn emr(look: &InputText<'_>, g: &mut Gathered) -> ReadOutcome {
    fn add(one: &Node, depth: usize, pairs: &mut Vec<Pair>) {
        if let Some(properties) = either(one, "properties", "Properties") {
            of_map(properties, pairs);
        }
        if depth < 8
            && let Some(inner) = either(one, "configurations", "Configurations")
        {
            inner.list(&[]).into_iter().for_each(|one| add(one, depth + 1, pairs));
        }
    }
    json(look, g, |root, pairs| classifications(root).into_iter().for_each(|one| add(one, 0, pairs)))
}

/// Returns the configurations of a blueprint, or of an answer of Ambari's API: each type with its properties.
fn configurations(root: &Node) -> Vec<&Node> {
    let mut out = Vec::new();
    for one in root.list(&["configurations"]) {
        let types = one.fields().iter().filter(|field| field.name.contains('-') && !field.node.fields().is_empty());
        out.extend(types.map(|field| field.node.get("properties").unwrap_or(&field.node)));
    }
    let items = root.list(&["items"]).into_iter().filter(|one| one.get("type").is_some());
    out.extend(items.filter_map(|one| one.get("properties")));
    out
}

/// Returns whether JSON is an Ambari blueprint, or configurations from Ambari's API.
pub(super) fn is_ambari(look: &InputText<'_>) -> bool {
    first(look).is_some_and(|root| !configurations(root).is_empty())
}

pub(super) fn ambari(look: &InputText<'_>, g: &mut Gathered) -> ReadOutcome {
    json(look, g, |root, pairs| {
        configurations(root).into_iter().for_each(|of_type| of_map(of_type, pairs));
        // Host groups are included: their settings apply only to their hosts, but the scenario has one cluster.
        let groups = root.list(&["host_groups"]);
        groups.into_iter().flat_map(configurations).for_each(|of_type| of_map(of_type, pairs));
    })
}

/// Returns whether JSON is a configuration from Cloudera Manager's API.
pub(super) fn is_cloudera(look: &InputText<'_>) -> bool {
    let list = first(look).map(|root| root.list(&["items"])).unwrap_or_default();
    list.iter().any(|one| one.word("name").is_some_and(|name| cloudera_key(name).is_some() || is_valve(name)))
}

/// Returns whether a Cloudera Manager name holds a text of properties.
fn is_valve(name: &str) -> bool {
    name.contains("safety_valve") || name == "resourcemanager_capacity_scheduler_configuration"
}

/// Returns the property of a Cloudera Manager name: the same name with underscores.
fn cloudera_key(name: &str) -> Option<String> {
    const NAMES: [(&str, &str); 8] = [
        ("yarn_scheduler_minimum_allocation_mb", "yarn.scheduler.minimum-allocation-mb"),
        ("yarn_scheduler_maximum_allocation_mb", "yarn.scheduler.maximum-allocation-mb"),
        ("yarn_scheduler_minimum_allocation_vcores", "yarn.scheduler.minimum-allocation-vcores"),
        ("yarn_scheduler_maximum_allocation_vcores", "yarn.scheduler.maximum-allocation-vcores"),
        ("yarn_scheduler_increment_allocation_mb", "yarn.scheduler.increment-allocation-mb"),
        ("yarn_scheduler_increment_allocation_vcores", "yarn.scheduler.increment-allocation-vcores"),
        ("yarn_nodemanager_resource_memory_mb", "yarn.nodemanager.resource.memory-mb"),
        ("yarn_nodemanager_resource_cpu_vcores", "yarn.nodemanager.resource.cpu-vcores"),
    ];
    let known = NAMES.iter().find(|(theirs, _)| *theirs == name).map(|(_, ours)| (*ours).to_owned());
    let class = (name == "yarn_resourcemanager_scheduler_class").then(|| "yarn.resourcemanager.scheduler.class".into());
    known.or(class)
}

pub(super) fn cloudera(look: &InputText<'_>, g: &mut Gathered) -> ReadOutcome {
    json(look, g, |root, pairs| {
        for item in root.list(&["items"]) {
            let (Some(name), Some(value)) = (item.word("name"), item.get("value").or_else(|| item.get("default")))
            else {
                continue;
            };
            let (text, at) = (value.text().unwrap_or("").to_owned(), value.span);
            if let Some(key) = cloudera_key(name) {
                pairs.push(Pair { key, value: text, at });
            } else if is_valve(name) {
                pairs.extend(valve(&text, at));
            }
        }
    })
}

/// Reads the properties of a safety valve: XML without a root, or lines.
fn valve(text: &str, at: Span) -> Vec<Pair> {
    if !text.trim_start().starts_with('<') {
        return lines(text).into_iter().map(|pair| Pair { at, ..pair }).collect();
    }
    let look = InputText::at("", text);
    let pair = |(key, value): (String, String)| Pair { key, value, at };
    look.configuration().properties().into_iter().map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Given, Status, TextKind, import};
    use super::*;

    const QUEUES: [(&str, &str); 3] = [
        ("yarn.scheduler.capacity.root.queues", "default,prod"),
        ("yarn.scheduler.capacity.root.default.capacity", "30"),
        ("yarn.scheduler.capacity.root.prod.capacity", "70"),
    ];
    const NODE: (&str, &str) = ("yarn.nodemanager.resource.memory-mb", "65536");

    fn pairs() -> impl Iterator<Item = (&'static str, &'static str)> {
        QUEUES.into_iter().chain([NODE])
    }

    fn list(key: &str) -> String {
        pairs().map(|(k, v)| format!("{{\"{key}\": \"{k}\", \"value\": \"{v}\"}}")).collect::<Vec<_>>().join(",\n")
    }

    fn map(pairs: impl Iterator<Item = (&'static str, &'static str)>) -> String {
        format!("{{{}}}", pairs.map(|(k, v)| format!("\"{k}\": \"{v}\"")).collect::<Vec<_>>().join(",\n"))
    }

    fn text() -> String {
        pairs().map(|(k, v)| format!("{k}={v}\n")).collect()
    }

    /// Returns the same settings in each form.
    fn forms() -> Vec<(TextKind, String)> {
        let (capacity, site) = (map(QUEUES.into_iter()), map([NODE].into_iter()));
        let in_one = text().replace('\n', "\\n");
        let valve: String =
            pairs().map(|(k, v)| format!("<property><name>{k}</name><value>{v}</value></property>")).collect();
        vec![
            (TextKind::PropertyLines, text()),
            (TextKind::PropertyLines, text().replace('=', " : ")),
            (TextKind::PropertyLines, text().replace("default,prod", "default,\\\n   prod")),
            (TextKind::Conf, format!("{{\"properties\": [{}]}}", list("key"))),
            (TextKind::SchedulerConf, format!("{{\"property\": [{}]}}", list("name"))),
            (
                TextKind::Emr,
                format!(
                    "[{{\"Classification\": \"capacity-scheduler\", \"Properties\": {capacity}, \"Configurations\": []}},
                    {{\"classification\": \"yarn-site\", \"properties\": {site}}}]"
                ),
            ),
            (
                TextKind::Ambari,
                format!(
                    "{{\"configurations\": [{{\"capacity-scheduler\": {{\"properties\": {capacity}}}}}, {{\"yarn-site\": {site}}}],
                    \"Blueprints\": {{}}}}"
                ),
            ),
            (
                TextKind::Ambari,
                format!(
                    "{{\"items\": [{{\"type\": \"capacity-scheduler\", \"properties\": {{\"capacity-scheduler\": \"{in_one}\"}}}}]}}"
                ),
            ),
            (
                TextKind::Cloudera,
                format!(
                    "{{\"items\": [{{\"name\": \"resourcemanager_capacity_scheduler_configuration\", \"value\": \"{valve}\"}},
                    {{\"name\": \"yarn_nodemanager_resource_memory_mb\", \"value\": \"1\"}}]}}"
                ),
            ),
        ]
    }

    #[test]
    fn every_form_gives_the_same_queues() {
        for (what, text) in forms() {
            let found = import(&[Given { name: "x", text: &text }]);
            let file = &found.files[0];
            assert_eq!((file.kind, file.status), (Some(what), Status::Read), "{text}: {:?}", file.problems);
            let scenario = crate::scenario::read(found.scenario.as_deref().unwrap()).scenario.unwrap();
            for (key, value) in QUEUES {
                assert_eq!(scenario.settings.capacity_scheduler[key].replace(' ', ""), value, "{text}");
            }
            assert!(scenario.nodes[0].spec.total.memory_mb() == 65536 || what == TextKind::Cloudera, "{text}");
        }
    }

    /// Each form × a value that the ResourceManager refuses: reported at its place.
    #[test]
    fn a_bad_value_is_told_where_it_stands() {
        for (what, text) in forms() {
            let bad = text.replace("70", "seventy");
            let found = import(&[Given { name: "x", text: &bad }]);
            let problem = found.files[0].problems.iter().find(|p| p.what.contains("seventy")).expect(&bad);
            let span = problem.span.expect("a place");
            let inside = what == TextKind::Cloudera || bad.contains("\\n");
            assert!(inside || bad[span.start..span.end].contains("seventy"), "{bad}: {:?}", &bad[span.start..span.end]);
        }
    }

    /// Each form × each cut of it: no panic.
    #[test]
    fn a_text_that_ends_in_the_middle_is_no_panic() {
        for (_, text) in forms() {
            for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)).step_by(7) {
                import(&[Given { name: "x", text: &text[..end] }]);
            }
        }
    }

    #[test]
    fn other_lines_are_no_properties() {
        for text in
            ["a=b", "hello yarn.x", "yarn.queue", "see: yarn.scheduler\nit: is\nso: it", "job.name=a\nyarn.queue=b"]
        {
            let look = InputText::at("x", text);
            assert!(
                !is_lines(&look) || super::super::recognise(&look).map(|k| k.what) != Some(TextKind::PropertyLines),
                "{text}"
            );
        }
    }
}
