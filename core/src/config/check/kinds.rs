//! What a file is, and what is said of one that is none of ours.

use super::File;
use crate::config::properties::{self, PREFIX};
use crate::config::xml::Document;
use crate::model::{Problem, Severity, Span};

/// What a text is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recognised {
    /// capacity-scheduler.xml.
    CapacityScheduler,
    /// yarn-site.xml, resource-types.xml and the like.
    Site,
    /// A FairScheduler's allocation file.
    FairAllocations,
    /// The capacity-scheduler.xml of MapReduce 1, before YARN.
    MapReduce1,
    /// A page of the web.
    Html,
    /// Other XML, with its root element.
    OtherXml(String),
    /// A configuration file without a property of YARN's.
    OtherSite,
    /// No XML.
    NotXml,
}

/// Prefix of the capacity scheduler's keys in MapReduce 1.
const MAPRED: &str = "mapred.capacity-scheduler.";

/// What is read here.
const READ: &str = "Read are capacity-scheduler.xml, fair-scheduler.xml, yarn-site.xml and resource-types.xml.";

/// What the text of a file is. The name decides only where the text does not: that there are queues below root does.
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
        _ if has(&|key| key.starts_with(MAPRED)) && !has(&|key| key.starts_with("yarn.")) => Recognised::MapReduce1,
        _ if ours || named("yarn-site.xml") => Recognised::Site,
        "configuration" if any => Recognised::OtherSite,
        // A file that says nothing yet.
        "configuration" if !text[document.content.start..document.content.end].contains('<') => Recognised::Site,
        other => Recognised::OtherXml(other.to_string()),
    }
}

/// Does a text begin as a web page does?
fn is_html(text: &str) -> bool {
    let start: String = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']).chars().take(15).collect();
    let start = start.to_ascii_lowercase();
    start.starts_with("<!doctype html") || start.starts_with("<html")
}

/// Says of a file that is none of ours what it is; what else was found in it is about another kind of file.
pub(super) fn other(file: &mut File<'_>, recognised: &Recognised, document: &Document) {
    let start = Span::new(0, file.text.find('\n').unwrap_or(file.text.len()));
    let (what, mend) = match recognised {
        Recognised::Html => {
            let login = file.text.contains("type=\"password\"") || file.text.contains("type='password'");
            let page = if login { "a page to log in with" } else { "the page that shows the file, perhaps" };
            (
                format!("This is a web page (HTML), {page}, and no file of Hadoop's."),
                "Download the file itself (\"raw\").".into(),
            )
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
            let what = "This is the capacity-scheduler.xml of MapReduce 1: YARN reads nothing of it.";
            let mend = "Write the queues with the names of today, which stand beside each property; their list is \
                        yarn.scheduler.capacity.root.queues, and was mapred.queue.names.";
            (what.to_string(), mend.to_string())
        }
        _ => return,
    };
    file.problems.retain(|p| p.severity == Severity::Error && *recognised != Recognised::Html);
    let span = if document.root.is_empty() { start } else { Span::new(document.content.start, document.content.start) };
    file.problems.push(Problem::error(file.source, span, what).mend(mend));
    if *recognised == Recognised::MapReduce1 {
        for entry in document.entries() {
            let Some(rest) = entry.name.strip_prefix(MAPRED) else { continue };
            file.problems.push(Problem::note(file.source, entry.name_span, format!("{}: {}", entry.name, today(rest))));
        }
    }
}

/// What a property of MapReduce 1 is today (the Capacity Scheduler guide of Hadoop 1.2.1 beside CapacitySchedulerConfiguration
/// of 3.5.0).
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
    fn what_is_none_of_ours_is_named_once() {
        let said = |text: &str| {
            let report = check("x.xml", text, &Properties::new(), &[]);
            report.problems.iter().map(|p| format!("{} {}", p.what, p.mend)).collect::<Vec<_>>()
        };
        let login = said("<!doctype html>\n<html><form><input type=\"password\"></form></html>");
        assert!(login.len() == 1 && login[0].contains("a page to log in with"), "{login:?}");
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
    }
}
