//! Recognises the kind of a file, and reports foreign ones.

use super::{File, names};
use crate::config::properties::{self, PREFIX};
use crate::config::xml::Document;
use crate::model::{Problem, Severity, Span};

/// The kind of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recognised {
    /// capacity-scheduler.xml.
    CapacityScheduler,
    /// yarn-site.xml, resource-types.xml and the like.
    Site,
    /// A FairScheduler's allocation file.
    FairAllocations,
    /// Settings of MapReduce 1, before YARN: capacity-scheduler.xml, mapred-queues.xml, the scheduler in
    /// mapred-site.xml.
    MapReduce1,
    /// A web page.
    Html,
    /// Other XML, with its root element.
    OtherXml(String),
    /// A configuration file without any YARN property.
    OtherSite,
    /// Not XML.
    NotXml,
}

/// The prefix of the capacity scheduler's keys in MapReduce 1.
const MAPRED: &str = "mapred.capacity-scheduler.";

/// The prefixes of the keys of its JobTracker and of its FairScheduler.
const OF_JOBTRACKER: [&str; 3] = ["mapred.fairscheduler.", "mapred.jobtracker.taskScheduler", "mapred.queue.names"];

/// The files that are read here.
const READ: &str = "Read are capacity-scheduler.xml, fair-scheduler.xml, yarn-site.xml and resource-types.xml.";

/// Returns the kind of a file's text. The name decides only if the text does not: queues below root do.
pub fn recognise(document: &Document, text: &str) -> Recognised {
    let named = |name: &str| document.source.ends_with(name);
    let has = |wanted: &dyn Fn(&str) -> bool| document.entries().any(|e| wanted(&e.name));
    let (mut ours, mut any) = (false, false);
    for entry in document.entries() {
        any = true;
        ours |= entry.name.starts_with("yarn.") || properties::find(&entry.name, &|_| false).is_some();
    }
    match document.root.as_str() {
        _ if is_html(text) => Recognised::Html,
        "" => Recognised::NotXml,
        "allocations" => Recognised::FairAllocations,
        _ if has(&|key| key == format!("{PREFIX}root.queues")) => Recognised::CapacityScheduler,
        _ if has(&|key| key.starts_with(PREFIX))
            && (named("capacity-scheduler.xml") || !has(&|key| !key.starts_with(PREFIX))) =>
        {
            Recognised::CapacityScheduler
        }
        "queues" => Recognised::MapReduce1,
        _ if has(&|key| key.starts_with(MAPRED) || OF_JOBTRACKER.iter().any(|start| key.starts_with(start)))
            && !has(&|key| key.starts_with("yarn.")) =>
        {
            Recognised::MapReduce1
        }
        _ if ours || named("yarn-site.xml") => Recognised::Site,
        "configuration" if any => Recognised::OtherSite,
        // A file without content yet.
        "configuration" if !text[document.content.start..document.content.end].contains('<') => Recognised::Site,
        other => Recognised::OtherXml(other.to_string()),
    }
}

/// Returns whether a text begins like a web page. XML declarations and comments may precede it.
fn is_html(text: &str) -> bool {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
        let end = if rest.starts_with("<!--") {
            "-->"
        } else if rest.starts_with("<?") {
            "?>"
        } else {
            break;
        };
        let Some((_, after)) = rest.split_once(end) else { break };
        rest = after;
    }
    let start: String = rest.chars().take(15).collect::<String>().to_ascii_lowercase();
    start.starts_with("<!doctype html") || start.starts_with("<html")
}

/// The beginnings of placeholders of tools that generate files, with the tools.
const TEMPLATES: [(&str, &str); 4] =
    [("{{", "Jinja, Go or Mustache"), ("{%", "Jinja"), ("<%", "ERB"), ("<#", "FreeMarker")];

/// Finds the first placeholder in a text.
fn to_fill(text: &str) -> Option<(usize, &'static str)> {
    TEMPLATES.iter().filter_map(|(start, tool)| Some((text.find(start)?, *tool))).min()
}

/// Reports a template of a file: placeholders in its values, or where its XML ends.
pub(super) fn template(file: &mut File<'_>, recognised: &Recognised) {
    let at = match recognised {
        Recognised::NotXml => to_fill(file.text).map(|(at, tool)| (Span::new(at, at + 2), tool)),
        _ => file.effective.values.iter().find_map(|(key, value)| {
            let (_, tool) = to_fill(value)?;
            Some((file.value_span(key)?, tool))
        }),
    };
    if let Some((span, tool)) = at {
        let what = format!("This is a template ({tool}), which a file is made from: its values are not there yet.");
        // Reported once, without its consequences.
        file.problems.retain(|p| p.span != Some(span));
        file.problems.push(Problem::error(file.source, span, what).mend("Take the file that is made from it."));
    }
}

/// How an answer of a secured cluster is asked for.
const NEGOTIATE: &str = "Ask the ResourceManager with a Kerberos ticket: curl -L --negotiate -u : URL.";

/// Reports the kind of a foreign file; other findings are about another kind of file.
pub(super) fn other(file: &mut File<'_>, recognised: &Recognised, document: &Document) {
    let start = Span::new(0, file.text.find('\n').unwrap_or(file.text.len()));
    let (what, mend) = match recognised {
        Recognised::Html => {
            let login = ["type=\"password\"", "type='password'", "name=\"password\"", "name='password'"];
            let login = login.iter().any(|field| file.text.contains(field));
            let has = |words: &[&str]| words.iter().any(|words| file.text.contains(words));
            let refused =
                has(&["Error 401", "ERROR 401", "HTTP/1.1 401", "WWW-Authenticate", "Error 403", "ERROR 403"]);
            let (page, mend) = match (login, refused) {
                (true, _) => ("a page to log in with", format!("{NEGOTIATE} Of a file: download it itself (\"raw\").")),
                (false, true) => ("the answer to a caller who is not logged in", NEGOTIATE.to_string()),
                (false, false) => {
                    ("the page that shows the file, perhaps", "Download the file itself (\"raw\").".into())
                }
            };
            (format!("This is a web page (HTML), {page}, and no file of Hadoop's."), mend)
        }
        Recognised::OtherXml(root) => (
            format!("This is XML with the root element <{root}>, and no file of Hadoop's that is read here."),
            READ.to_string(),
        ),
        Recognised::OtherSite => {
            let what = "None of its properties is YARN's: this is a configuration file of something else.";
            (what.to_string(), READ.to_string())
        }
        Recognised::MapReduce1 => {
            let name = match document.root.as_str() {
                "queues" => "mapred-queues.xml",
                _ if document.entries().any(|e| e.name.starts_with(MAPRED)) => "capacity-scheduler.xml",
                _ => "mapred-site.xml",
            };
            let what = format!("This is the {name} of MapReduce 1: YARN's schedulers read nothing of it.");
            let mend = "Write the queues with the names of today, which stand beside each property; their list is \
                        yarn.scheduler.capacity.root.queues, and was mapred.queue.names.";
            (what, mend.to_string())
        }
        // The XML parser reports what could be XML.
        _ if file.text.contains('<') => return,
        _ if file.text.lines().any(|line| line.trim_start().starts_with(PREFIX) && line.contains('=')) => {
            let what = "These are properties as `key=value`, as Ambari shows them, and no XML.";
            let mend = "Write each as <property><name>…</name><value>…</value></property> in one <configuration>.";
            (what.to_string(), mend.to_string())
        }
        _ => ("This is no XML, and no file of Hadoop's that is read here.".into(), READ.to_string()),
    };
    let ours = !matches!(recognised, Recognised::Html | Recognised::NotXml) && document.root != "queues";
    file.problems.retain(|p| p.severity == Severity::Error && ours);
    let span = if document.root.is_empty() { start } else { Span::new(document.content.start, document.content.start) };
    file.problems.push(Problem::error(file.source, span, what).mend(mend));
    if *recognised == Recognised::MapReduce1 {
        for entry in document.entries() {
            let now = match (entry.name.strip_prefix(MAPRED), names::of_site(&entry.name)) {
                (Some(rest), _) => today(rest),
                (None, Some((_, Some(now)))) => format!("today {now}."),
                (None, _) if entry.name == "mapred.queue.names" => format!("today {PREFIX}root.queues."),
                (None, _) if entry.name.starts_with(OF_JOBTRACKER[0]) => "there is no such thing today.".into(),
                _ => continue,
            };
            file.problems.push(Problem::note(file.source, entry.name_span, format!("{}: {now}", entry.name)));
        }
    }
}

/// The present equivalent of a MapReduce 1 property (the Capacity Scheduler guide of Hadoop 1.2.1 beside
/// CapacitySchedulerConfiguration of 3.5.0).
fn today(name: &str) -> String {
    let (queue, own) = match name.strip_prefix("queue.").and_then(|rest| rest.rsplit_once('.')) {
        Some((queue, own)) => (Some(queue), own),
        None => (None, name),
    };
    let now = match (queue, own.strip_prefix("default-").unwrap_or(own)) {
        (Some(_), now @ ("capacity" | "maximum-capacity")) => now,
        // Its name in Hadoop 0.20.
        (Some(_), "guaranteed-capacity") => "capacity",
        (_, now @ ("minimum-user-limit-percent" | "user-limit-factor")) => now,
        (_, "maximum-initialized-active-tasks" | "init-accept-jobs-factor") | (None, "maximum-system-jobs") => {
            "maximum-applications"
        }
        (_, "supports-priority") => return "today applications of every queue have priorities.".into(),
        _ => return "there is no such thing today.".into(),
    };
    match queue {
        Some(queue) => format!("today {PREFIX}root.{queue}.{now}."),
        None => format!("today {PREFIX}{now}."),
    }
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;
    use crate::api::Properties;

    fn entries(pairs: &[(&str, &str)]) -> String {
        let entry = |(k, v): &(&str, &str)| format!("<property><name>{k}</name><value>{v}</value></property>\n");
        format!("<configuration>\n{}</configuration>", pairs.iter().map(entry).collect::<String>())
    }

    #[test]
    fn a_file_is_what_stands_in_it() {
        let maximum = ("yarn.scheduler.capacity.maximum-applications", "10");
        let queues = ("yarn.scheduler.capacity.root.queues", "a");
        let acl = ("yarn.acl.enable", "true");
        for (name, text, wanted) in [
            ("x.xml", entries(&[queues]), Recognised::CapacityScheduler),
            ("x.xml", entries(&[queues, acl]), Recognised::CapacityScheduler),
            ("x.xml", entries(&[maximum]), Recognised::CapacityScheduler),
            ("x.xml", entries(&[maximum, acl]), Recognised::Site),
            ("capacity-scheduler.xml", entries(&[maximum, acl]), Recognised::CapacityScheduler),
            ("x.xml", entries(&[("mapred.capacity-scheduler.queue.a.capacity", "10")]), Recognised::MapReduce1),
            (
                "mapred-site.xml",
                entries(&[("mapred.fairscheduler.poolnameproperty", "user.name")]),
                Recognised::MapReduce1,
            ),
            ("mapred-site.xml", entries(&[("mapred.queue.names", "a"), acl]), Recognised::Site),
            ("mapred-queues.xml", "<queues><queue><name>a</name></queue></queues>".into(), Recognised::MapReduce1),
            ("x.xml", entries(&[("dfs.replication", "3")]), Recognised::OtherSite),
            ("yarn-site.xml", entries(&[("dfs.replication", "3")]), Recognised::Site),
            ("x.xml", entries(&[]), Recognised::Site),
            (
                "x.xml",
                "<configuration><appender name='a'/></configuration>".into(),
                Recognised::OtherXml("configuration".into()),
            ),
            ("x.xml", "<project/>".into(), Recognised::OtherXml("project".into())),
            ("x.xml", "\n<!DOCTYPE html><html><br></html>".into(), Recognised::Html),
            ("x.xml", "<allocations/>".into(), Recognised::FairAllocations),
            ("x.xml", "{}".into(), Recognised::NotXml),
        ] {
            let report = check(name, &text, &Properties::new(), &[]);
            assert_eq!(report.recognised, wanted, "{name} {text}");
        }
    }

    #[test]
    fn a_template_is_told_as_one() {
        let said = |text: &str| {
            let report = check("capacity-scheduler.xml", text, &Properties::new(), &[]);
            let told = report.problems.iter().filter(|p| p.what.contains("a template")).collect::<Vec<_>>();
            let there = told.first().map_or(0, |t| report.problems.iter().filter(|p| p.span == t.span).count());
            assert!(told.len() < 2 && there < 2, "{:?}", report.problems);
            told.first().map(|p| (p.what.clone(), p.span.map(|s| s.line_col(text).0)))
        };
        let jinja = entries(&[("yarn.acl.enable", "true"), ("yarn.scheduler.capacity.root.queues", "{{ queues }}")]);
        assert!(said(&jinja).is_some_and(|(what, line)| what.contains("Jinja") && line == Some(3)));
        let list = said("<configuration>\n<#list queues as q></#list></configuration>");
        assert!(list.is_some_and(|(what, line)| what.contains("FreeMarker") && line == Some(2)));
        assert_eq!(said(&entries(&[("yarn.scheduler.capacity.root.queues", "${queues}")])), None);
    }

    #[test]
    fn what_is_none_of_ours_is_named_once() {
        let said = |text: &str| {
            let report = check("x.xml", text, &Properties::new(), &[]);
            report.problems.iter().map(|p| format!("{} {}", p.what, p.mend)).collect::<Vec<_>>()
        };
        let login = said("<!doctype html>\n<html><form><input type=\"password\"></form></html>");
        assert!(login.len() == 1 && login[0].contains("a page to log in with"), "{login:?}");
        for page in [
            "<!-- saved -->\n<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\">\n<html></html>",
            "<?xml version=\"1.0\"?>\n<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" \"x.dtd\">\n<html><body/></html>",
        ] {
            let page = said(page);
            assert!(page.len() == 1 && page[0].contains("a web page (HTML)"), "{page:?}");
        }
        for (text, wanted) in [
            ("404: Not Found", "This is no XML"),
            ("{\"message\": \"Not Found\"}", "This is no XML"),
            ("# ours\nyarn.scheduler.capacity.root.queues=a\n", "as Ambari shows them"),
        ] {
            let text = said(text);
            assert!(text.len() == 1 && text[0].contains(wanted), "{text:?}");
        }
        let other = said("<project><name>x</name></project>");
        assert!(
            other.len() == 1 && other[0].contains("root element <project>") && other[0].contains("fair-scheduler.xml")
        );
        let mapred = said(&entries(&[
            ("mapred.capacity-scheduler.queue.a.capacity", "10"),
            ("mapred.capacity-scheduler.queue.b.guaranteed-capacity", "10"),
            ("mapred.capacity-scheduler.default-user-limit-factor", "1"),
            ("mapred.capacity-scheduler.maximum-system-jobs", "1"),
            ("mapred.capacity-scheduler.init-poll-interval", "1"),
        ]));
        assert!(mapred[0].contains("of MapReduce 1"), "{mapred:?}");
        for (at, part) in [
            "today yarn.scheduler.capacity.root.a.capacity.",
            "today yarn.scheduler.capacity.root.b.capacity.",
            "today yarn.scheduler.capacity.user-limit-factor.",
            "today yarn.scheduler.capacity.maximum-applications.",
            "there is no such thing today.",
        ]
        .iter()
        .enumerate()
        {
            assert!(mapred[at + 1].contains(part), "{mapred:?}");
        }
        let site = said(&entries(&[
            ("mapred.fairscheduler.preemption", "true"),
            ("mapred.fairscheduler.poolnameproperty", "user.name"),
            ("mapred.queue.names", "a,b"),
            ("mapred.child.java.opts", "-Xmx1g"),
        ]));
        assert!(site.len() == 4 && site[0].contains("the mapred-site.xml of MapReduce 1"), "{site:?}");
        assert!(site[1].contains("today yarn.scheduler.fair.preemption."), "{site:?}");
        assert!(site[2].contains("no such thing") && site[3].contains("root.queues."), "{site:?}");
        let queues = said("<queues>\n<queue><name>a</name></queue></queues>");
        assert!(queues.len() == 1 && queues[0].contains("the mapred-queues.xml of MapReduce 1"), "{queues:?}");
    }
}
