//! Writes the forms' edits ([`heddle_view::Edit`]) into the scenario's text. The core makes the changes
//! ([`heddle_core::scenario::edit`]); this module has what forms need beyond them.

pub mod child;
mod constraint;
pub mod fair;
mod happen;
pub mod load;
pub mod nodes;
mod queues;
pub mod share;
mod written;

pub use queues::named_key;
pub use written::FormText;

use crate::apps;
use crate::document::added;
use crate::forms::settings::HANDLER;
use heddle_core::constraint::parse_expression;
use heddle_core::model::{Problem, Severity};
use heddle_core::scenario::Scenario;
use heddle_core::scenario::anonymise::{Anonymised, anonymise, with_names};
use heddle_core::scenario::edit::{self, Setting};
use heddle_view::{Change, Edit, Fixed, How, Span, Step};
use toml_edit::{InlineTable, Value};

/// The handler that a new application with constraints brings: the one that works with every scheduler.
pub const PROCESSOR: &str = "placement-processor";

/// A path such as `["apps", 2, "spec"]`.
#[macro_export]
macro_rules! path {
    ($($step:expr),+ $(,)?) => { [$(heddle_view::Step::from($step)),+] };
}

/// Returns the text with an edit, given the typed text; `scenario` is the last readable one, which the form showed. Errors
/// are sentences for the user.
pub fn apply(text: &str, edit: &Edit, typed: &str, scenario: Option<&Scenario>) -> Result<String, String> {
    match &edit.change {
        Change::Text => Ok(typed.to_owned()),
        Change::Title => edit::set_title(text, typed.trim()),
        Change::Put { path, how } => match path.as_slice() {
            [Step::Name(list), Step::At(at), Step::Name(key)]
                if key == "name" && (list == "apps" || list == "nodes") =>
            {
                edit::rename(text, list, *at, &setting(*how, typed)?)
            }
            [Step::Name(_), Step::At(app), Step::Name(file), Step::Name(key)]
                if let Some(set) = apps::sets_in(file) =>
            {
                set(text, *app, key, typed.trim())
            }
            _ if *how == How::Size => edit::set_size(text, path, &setting(*how, typed)?),
            _ => edit::set(text, path, &setting(*how, typed)?),
        },
        Change::Remove(path) => remove(text, path),
        Change::Append { list, entry } => append(text, list, entry),
        Change::AppendConstrained { entry } => put_site(&append(text, &path!["apps"], entry)?, HANDLER, PROCESSOR),
        Change::Happen { entry, put, how } => added::checked(text, happen::happen(text, entry, put, *how, typed)?),
        Change::NewHappening { at_ms, about, queue } => {
            happen::anew(text, typed.trim(), *at_ms, (about.as_ref(), queue), scenario)
        }
        Change::Nodes => push(text, "nodes", &nodes::group(typed, scenario.map_or(0, |s| s.nodes.len()))?),
        Change::Cluster { label } => {
            nodes::cluster(text, label, typed, scenario).map(|next| load::refilled(&next, text))
        }
        Change::Attribute { name, value } => nodes::attribute(text, (name, value), scenario),
        Change::NodeLabels => nodes::labels(text, typed),
        Change::RunTimes => run_times(text, typed),
        // Its own applications are those of the text that was imported, which the document knows.
        Change::Load(load) => load::load(text, text, *load),
        Change::NodeLikeLast { name, at_ms } => edit::add_node_like_last(text, name, None, *at_ms),
        Change::NodeOnRack { name, at_ms, rack } => edit::add_node_like_last(text, name, Some(rack), *at_ms),
        Change::Racks { entry } => nodes::put_racks(text, *entry, typed),
        Change::Worlds { property } => worlds(text, property, typed),
        Change::Schedulers => edit::add_other_schedulers(text),
        Change::Release => {
            let text = edit::set(text, &path!["release"], &setting(How::Text, typed)?)?;
            remove(&text, &path!["scheduling"])
        }
        Change::Site(name) => put_site(text, name, typed),
        Change::File { name, text: content } => edit::set_file(text, name, content.as_deref().unwrap_or(typed)),
        Change::Queues { at_ms, change } => queues::change(text, *at_ms, change, typed, scenario),
        Change::Constraint { path, part, change } => {
            let whole = constraint::at(scenario, path).ok_or("This constraint is gone.")?;
            let whole = constraint::changed(whole, part, *change, typed)?;
            edit::set(text, path, &whole)
        }
        Change::SpecAsRequests { entry } => edit::spec_as_requests(text, *entry),
        Change::LeaveNames => Ok(without_names(text)?.text),
        Change::BringNames(names) => {
            with_names(text, names).ok_or_else(|| "The text has an error: mend it first.".to_owned())
        }
        Change::Fix { of, span, was, new } => fix(text, of, *span, (was, new), scenario),
    }
}

/// Sets how long containers run that are there when the run begins; nothing typed: for ever.
fn run_times(text: &str, typed: &str) -> Result<String, String> {
    let duration = match typed.trim() {
        "" | "for ever" | "forever" => None,
        typed => Some(heddle_core::scenario::units::parse_time(typed)?),
    };
    edit::set_run_times(text, duration)
}

/// Returns the text with all names replaced.
pub fn without_names(text: &str) -> Result<Anonymised, String> {
    let error = |problems: Vec<Problem>| {
        let first = problems.into_iter().find(|p| p.severity == Severity::Error).map(|p| p.what);
        format!("The text has an error, so that its names are not known. {}", first.unwrap_or_default())
    };
    anonymise(text).map_err(error)
}

/// Returns typed text as a setting; nothing typed removes the setting.
fn setting(how: How, typed: &str) -> Result<Setting, String> {
    let line = typed.trim();
    let parts = || line.split(',').map(str::trim).filter(|p| !p.is_empty());
    Ok(match how {
        _ if line.is_empty() => Setting::Nothing,
        How::Typed => Setting::typed(line),
        How::Text | How::Size => Setting::Text(line.to_owned()),
        How::Letters => Setting::Text(typed.to_owned()),
        How::List => match parts().map(str::to_owned).collect::<Vec<_>>() {
            none if none.is_empty() => Setting::Nothing,
            list => Setting::List(list),
        },
        How::Pairs => {
            let mut table = InlineTable::new();
            for pair in parts() {
                let (name, value) =
                    pair.split_once('=').ok_or_else(|| format!("`{pair}` has no `=`: write name=value."))?;
                table.insert(name.trim(), Value::from(value.trim()));
            }
            if table.is_empty() { Setting::Nothing } else { Setting::Toml(Value::InlineTable(table).to_string()) }
        }
        How::Constraint => match parse_expression(line) {
            Ok(_) => Setting::Text(line.to_owned()),
            Err(e) => return Err(format!("{} {}", e.problem.what, e.problem.mend)),
        },
    })
}

/// Removes what is at a path, if anything.
pub fn remove(text: &str, path: &[Step]) -> Result<String, String> {
    match path {
        [Step::Name(list), Step::At(at)] => edit::remove_entry(text, list, *at),
        [.., Step::At(_)] => edit::take_away(text, path),
        _ => edit::set(text, path, &Setting::Nothing),
    }
}

/// Appends an entry, an inline table of TOML, to a list.
fn append(text: &str, list: &[Step], entry: &str) -> Result<String, String> {
    let [Step::Name(list)] = list else { return edit::append(text, list, entry) };
    let value: Value = entry.parse().map_err(|_| format!("`{entry}` is not a TOML value."))?;
    let table = value.as_inline_table().ok_or_else(|| format!("`{entry}` is not a table."))?;
    let fields: Vec<(&str, Setting)> = table.iter().map(|(k, v)| (k, Setting::Toml(v.to_string()))).collect();
    edit::push(text, list, &fields)
}

/// Appends an entry to a list of tables; `entry` is TOML, such as `name = "n3"`.
pub fn push(text: &str, list: &str, entry: &str) -> Result<String, String> {
    let table = entry.parse::<toml_edit::DocumentMut>().map_err(|e| e.to_string())?;
    let fields: Vec<(&str, Setting)> =
        table.iter().filter_map(|(k, i)| Some((k, Setting::Toml(i.as_value()?.to_string())))).collect();
    edit::push(text, list, &fields)
}

fn worlds(text: &str, property: &str, values: &str) -> Result<String, String> {
    let values: toml_edit::Array = values.split(',').map(str::trim).filter(|v| !v.is_empty()).collect();
    if property.trim().is_empty() || values.is_empty() {
        return Err("A world needs a property and at least one value.".to_owned());
    }
    let property = Setting::Text(property.trim().to_owned());
    edit::push(text, "worlds", &[("property", property), ("values", Setting::Toml(values.to_string()))])
}

/// Sets a yarn-site property in the file if there is one, otherwise in short form.
pub fn put_site(text: &str, name: &str, typed: &str) -> Result<String, String> {
    const FILE: &str = "yarn-site.xml";
    let file = FormText::new(text).text(&path!["files", FILE]);
    if file.is_empty() {
        return edit::set_property(text, "yarn-site", name, &Setting::typed(typed));
    }
    let next = match typed.trim() {
        "" => heddle_core::config::xml::remove(&file, name),
        value => heddle_core::config::xml::set(&file, name, value),
    };
    edit::set_file(text, FILE, &next)
}

/// Fixes a problem: replaces `was` by `new`.
fn fix(
    text: &str,
    of: &Fixed,
    span: Span,
    (was, new): (&str, &str),
    scenario: Option<&Scenario>,
) -> Result<String, String> {
    let mended = |whole: &str| match (whole.get(..span.start), whole.get(span.start..span.end), whole.get(span.end..)) {
        (Some(before), Some(there), Some(after)) if there == was => Ok(format!("{before}{new}{after}")),
        _ => Err("The text has changed since; look again.".to_owned()),
    };
    match of {
        Fixed::Document => mended(text),
        Fixed::At(path) => edit::set(text, path, &Setting::Text(mended(&FormText::new(text).text(path))?)),
        Fixed::Queues(at) => {
            let file = queues::file(text, *at, scenario).ok_or("The queues are not written as a file.")?;
            queues::put(text, *at, edit::Change::File(&mended(&file)?))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "heddle = 1\ntitle = \"a\" # why\n\n[[nodes]] # two\nname = \"n\"\ncount = 2\nsize = \"8 GB/4\"\n\n\
        [[apps]]\nname = \"zk\"\ntasks = [{ count = 4 }]\n";

    fn with(text: &str, change: Change, typed: &str) -> Result<String, String> {
        let scenario = heddle_core::scenario::read(text).scenario;
        apply(text, &Edit { what: String::new(), change }, typed, scenario.as_ref())
    }

    fn put(text: &str, path: &[Step], how: How, typed: &str) -> String {
        with(text, Change::Put { path: path.to_vec(), how }, typed).unwrap()
    }

    /// Notations of the size 8 GB, 4 vcores and 2 GPUs, in an entry of a list with a header and in braces.
    const SIZES: [&str; 6] = [
        "size = \"8 GB/4, yarn.io/gpu=2\"",
        "size = { memory = \"8 GB\", vcores = 4, \"yarn.io/gpu\" = 2 }",
        "size = { memory = 8192, vcores = 4, yarn.\"io/gpu\" = 2 }",
        "memory = \"8 GB\"\nvcores = 4\nresources = { \"yarn.io/gpu\" = 2 }",
        "size = \"8 GB\"\nvcores = 4\nresources = { \"yarn.io/gpu\" = 2 }",
        "[nodes.size]\nmemory = \"8 GB\"\nvcores = 4\n\"yarn.io/gpu\" = 2",
    ];

    #[test]
    fn a_size_is_one_text_in_its_field_however_it_is_written() {
        let size = |text: &str, path: &[Step]| {
            let scenario = heddle_core::scenario::read(text);
            assert!(scenario.scenario.is_some(), "{text}: {:?}", scenario.problems);
            FormText::new(text).size(path)
        };
        let path = path!["nodes", 0, "size"];
        for written in SIZES.iter().filter(|w| !w.contains("yarn.\"")) {
            let text = format!("heddle = 1\n[[nodes]]\nname = \"n\"\nlabel = \"\" # none\n{written}\n");
            let shown = size(&text, &path);
            let plain = ["8 GB/4, yarn.io/gpu=2", "8192 MB/4, yarn.io/gpu=2"];
            assert!(plain.contains(&shown.as_str()), "{written}: {shown}");
            // The shown text has the same meaning when it is written back, and so has another size.
            let read = |text: &str| heddle_core::scenario::read(text).scenario.map(|s| s.nodes[0].spec.total);
            let put = |typed: &str| put(&text, &path, How::Size, typed);
            assert_eq!(read(&put(&shown)), read(&text), "{written}");
            let other = put("4 GB/2");
            let bare = "heddle = 1\n[[nodes]]\nname = \"n\"\nsize = \"4 GB/2\"\n";
            assert_eq!((size(&other, &path).as_str(), read(&other)), ("4 GB/2", read(bare)), "{written}: {other}");
            assert!(other.contains("# none"), "{other}");
        }
        // A single part, and a part in braces.
        let text = "heddle = 1\n[[nodes]]\nname = \"n\"\nsize = \"8 GB/8\"\n[[apps]]\nname = \"a\"\nam = { memory = \"2 GB\" }\n\
            tasks = [{ count = 1, vcores = 3 }, { count = 2, size = { memory = 512, vcores = 2 } }]\n";
        assert_eq!(size(text, &path!["apps", 0, "am", "size"]), "2 GB");
        assert_eq!(size(text, &path!["apps", 0, "tasks", 0, "size"]), "vcores=3");
        assert_eq!(size(text, &path!["apps", 0, "tasks", 1, "size"]), "512 MB/2");
        let one = put(text, &path!["apps", 0, "tasks", 0, "size"], How::Size, "1 GB/2");
        assert!(one.contains("{ count = 1, size = \"1 GB/2\" }"), "{one}");
        let none = put(&one, &path!["apps", 0, "tasks", 1, "size"], How::Size, "");
        assert!(none.contains("{ count = 2") && !none.contains("512"), "{none}");
    }

    #[test]
    fn fields_read_and_write() {
        let text = put(TEXT, &path!["apps", 0, "tasks", 0, "count"], How::Typed, "5");
        assert_eq!(FormText::new(&text).text(&path!["apps", 0, "tasks", 0, "count"]), "5");
        let text = put(&text, &path!["nodes", 0, "attributes"], How::Pairs, "java=17, os=l");
        assert_eq!(FormText::new(&text).pairs(&path!["nodes", 0, "attributes"]), "java=17, os=l");
        let text = put(&text, &path!["apps", 0, "tags"], How::List, "a, b");
        assert_eq!(FormText::new(&text).text(&path!["apps", 0, "tags"]), "a, b");
        let text = put(&text, &path!["apps", 0, "name"], How::Text, "");
        assert_eq!(FormText::new(&text).text(&path!["apps", 0, "name"]), "");
        assert!(text.contains("[[nodes]] # two") && text.contains("\"a\" # why"));
        let constraint = || Change::Put { path: path!["apps", 0, "constraint"].to_vec(), how: How::Constraint };
        assert!(with(TEXT, constraint(), "notin,node,zk").unwrap().contains("\"notin,node,zk\""));
        assert!(with(TEXT, constraint(), "notin,moon,zk").is_err());
    }

    #[test]
    fn entries_come_and_go() {
        let app = "{ name = \"b\", at = \"5 s\", tasks = [{ count = 1 }] }";
        let append = |text: &str, list: &[Step], entry: &str| {
            with(text, Change::Append { list: list.to_vec(), entry: entry.into() }, "").unwrap()
        };
        let text = append(TEXT, &path!["apps"], app);
        assert_eq!(FormText::new(&text).len(&path!["apps"]), 2);
        assert!(text.contains("[[apps]]\nname = \"b\"\n"), "{text}");
        let text = append(&text, &path!["apps", 1, "tasks"], "{ count = 2 }");
        assert_eq!(FormText::new(&text).len(&path!["apps", 1, "tasks"]), 2);
        let text = remove(&text, &path!["apps", 1, "tasks", 0]).unwrap();
        assert_eq!(FormText::new(&text).text(&path!["apps", 1, "tasks", 0, "count"]), "2");
        let text = remove(&text, &path!["apps", 0]).unwrap();
        assert!(!text.contains("zk") && text.contains("\"b\""));
        assert!(with("= =", Change::Title, "x").is_err());
        // A list of one without its brackets.
        let one = "[[apps]]\ntasks = { count = 3 }\n";
        assert_eq!(FormText::new(one).text(&path!["apps", 0, "tasks", 0, "count"]), "3");
        let four = put(one, &path!["apps", 0, "tasks", 0, "count"], How::Typed, "4");
        assert_eq!(FormText::new(&four).text(&path!["apps", 0, "tasks", 0, "count"]), "4");
        let two = append(&four, &path!["apps", 0, "tasks"], "{ count = 2 }");
        assert_eq!(FormText::new(&two).text(&path!["apps", 0, "tasks", 1, "count"]), "2");
        let last = remove(&two, &path!["apps", 0, "tasks", 0]).unwrap();
        assert_eq!(FormText::new(&last).text(&path!["apps", 0, "tasks", 0, "count"]), "2");
    }

    #[test]
    fn a_property_goes_where_properties_stand() {
        let name = || Change::Site("yarn.scheduler.maximum-allocation-mb".into());
        let short = with(TEXT, name(), "4096").unwrap();
        assert!(short.contains("[yarn-site]") && short.contains("maximum-allocation-mb\" = 4096"), "{short}");
        let file = "<configuration>\n</configuration>\n";
        let whole = with(TEXT, Change::File { name: "yarn-site.xml".into(), text: Some(file.into()) }, "").unwrap();
        let whole = with(&whole, name(), "4096").unwrap();
        assert!(!whole.contains("[yarn-site]") && whole.contains("<value>4096</value>"), "{whole}");
        assert!(!with(&whole, name(), "").unwrap().contains("4096"));
    }

    #[test]
    fn an_application_with_constraints_brings_their_handler() {
        let entry = "{ name = \"shell1\", kind = \"distributed-shell\", spec = \"a(2),NOTIN,NODE,a\" }";
        let text = with(TEXT, Change::AppendConstrained { entry: entry.into() }, "").unwrap();
        assert!(
            text.contains("shell1") && text.contains("placement-constraints.handler\" = \"placement-processor\""),
            "{text}"
        );
    }

    #[test]
    fn a_mend_is_made_only_where_the_fault_still_is() {
        let at = TEXT.find("zk").unwrap();
        let mend = |of: Fixed, span: Span| Change::Fix { of, span, was: "zk".into(), new: "hb".into() };
        let mended = with(TEXT, mend(Fixed::Document, Span::new(at, at + 2)), "").unwrap();
        assert!(mended.contains("name = \"hb\""));
        assert!(with(&mended, mend(Fixed::Document, Span::new(at, at + 2)), "").is_err());
        let name = Fixed::At(path!["apps", 0, "name"].to_vec());
        assert_eq!(with(TEXT, mend(name, Span::new(0, 2)), ""), Ok(mended));
    }

    #[test]
    fn the_release_decides_then_how_the_scheduler_is_driven() {
        let text = with(&format!("scheduling = \"async\"\n{TEXT}"), Change::Release, "3.4").unwrap();
        assert!(text.contains("release = \"3.4\"") && !text.contains("scheduling"), "{text}");
    }

    #[test]
    fn worlds_need_a_property_and_values() {
        let worlds = |property: &str, values| with(TEXT, Change::Worlds { property: property.into() }, values);
        let text = worlds("root.default.user-limit-factor", "1, 2").unwrap();
        assert!(text.contains("[[worlds]]") && FormText::new(&text).text(&path!["worlds", 0, "values"]) == "1, 2");
        assert!(worlds("", "1").is_err() && worlds("x", " , ").is_err());
    }
}
