//! Reads files and properties: `[files]` verbatim, `[capacity-scheduler]` and `[yarn-site]` in short form. Derives the
//! effective properties with their origins, the scheduler and the scheduling mode.

use super::super::document::{Because, FileText, Mode, Origin, Origins, Release, Scheduling};
use super::super::files::is_path;
use super::fields::{Fields, Reader, SOURCE};
use crate::api::{Properties, SchedulerChoice};
use crate::config::fair::{self, FairConf};
use crate::config::properties::File;
use crate::config::releases::{self, What};
use crate::config::xml;
use crate::model::{Problem, Span};
use indexmap::IndexMap;
use toml_edit::{Item, Value};

/// The prefix that the short form of a capacity-scheduler property omits.
pub const CAPACITY: &str = "yarn.scheduler.capacity.";
/// The prefix that the short form of a yarn-site property omits.
const SITE: &str = "yarn.";
/// The property that makes the CapacityScheduler asynchronous.
pub const ASYNC: &str = "yarn.scheduler.capacity.schedule-asynchronously.enable";
/// The property that selects the scheduler.
const CLASS: &str = "yarn.resourcemanager.scheduler.class";
/// The name of the table of files.
pub const FILES_TABLE: &str = "files";
/// The files that are read.
const FILES: [&str; 4] = ["capacity-scheduler.xml", "yarn-site.xml", "resource-types.xml", fair::FILE];

/// The fix for a path in place of a file's text.
const A_PATH: &str = "Drop that file onto the page, or put its text between two lines of '''. The command line reads the \
    path itself, beside the scenario.";

/// The settings of a scenario.
#[derive(Default)]
pub struct Settings {
    /// The files as written.
    pub files: IndexMap<String, FileText>,
    /// The effective capacity-scheduler properties.
    pub capacity: Properties,
    /// The effective yarn-site and resource-types properties.
    pub site: Properties,
    /// The place where each was written.
    pub origins: Origins,
    /// The FairScheduler's allocation file.
    pub fair: Option<String>,
}

/// Reads files and short forms. The short form overrides a file.
pub fn settings(r: &mut Reader<'_>, root: &mut Fields<'_>) -> Settings {
    let mut out = Settings::default();
    if let Some(mut table) = root.table(r, FILES_TABLE, "files") {
        for (name, item, span) in table.entries() {
            let Some(text) = item.as_str() else {
                r.error(span, format!("The file `{name}` is not a text."), "Put it between two lines of '''.");
                continue;
            };
            if is_path(text) {
                let path = text.trim();
                let what =
                    format!("The file `{name}` is given as the path `{path}`, and a scenario holds a file's text.");
                r.error(span, what, A_PATH);
                continue;
            }
            let file = FileText { text: text.to_string(), offset: r.content_offset(span, text), span };
            out.files.insert(name.to_string(), file);
        }
    }
    for names in [&FILES[..1], &FILES[1..3]] {
        let given: Vec<(&str, &FileText)> = names.iter().filter_map(|n| Some((*n, out.files.get(*n)?))).collect();
        let found = file_properties(r, &given);
        let (values, origins) = if names.contains(&"capacity-scheduler.xml") {
            (&mut out.capacity, &mut out.origins.capacity_scheduler)
        } else {
            (&mut out.site, &mut out.origins.yarn_site)
        };
        for (property, value, origin) in found {
            values.insert(property.clone(), value);
            origins.insert(property, origin);
        }
    }
    out.fair = out.files.get(fair::FILE).map(|f| f.text.clone());
    for (key, what, prefix) in
        [("capacity-scheduler", "[capacity-scheduler]", CAPACITY), ("yarn-site", "[yarn-site]", SITE)]
    {
        let Some(mut table) = root.table(r, key, what) else { continue };
        for (property, value, span) in property_table(r, &mut table, prefix) {
            let origin = Origin { source: what.into(), span: None, in_scenario: span };
            let (values, origins) = if prefix == CAPACITY {
                (&mut out.capacity, &mut out.origins.capacity_scheduler)
            } else {
                (&mut out.site, &mut out.origins.yarn_site)
            };
            values.insert(property.clone(), value);
            origins.insert(property, origin);
        }
    }
    let rules = mapping_file(r, &mut out);
    for (name, file) in &out.files {
        if FILES.contains(&name.as_str()) || rules.as_ref() == Some(name) {
            continue;
        }
        let mend = match r.nearest(name, FILES) {
            Some(near) => format!("Did you mean `{near}`?"),
            None => format!("Files that are read: {}.", FILES.join(", ")),
        };
        r.add(Problem::note("scenario", file.span, format!("The file `{name}` is kept but not used.")).mend(mend));
    }
    // Without any queues, uses the one queue of the file that Hadoop ships.
    let queues = format!("{CAPACITY}root.queues");
    if !out.files.contains_key("capacity-scheduler.xml") && !out.capacity.contains_key(&queues) {
        out.capacity.insert(queues, "default".into());
        out.capacity.entry(format!("{CAPACITY}root.default.capacity")).or_insert_with(|| "100".into());
    }
    out
}

/// Returns the file that `mapping-rule-json-file` names, unless rules are given inline: its text replaces them. The file's
/// name in the scenario is the last part of the path, or the whole path.
fn mapping_file(r: &mut Reader<'_>, out: &mut Settings) -> Option<String> {
    let (inline, named) = (format!("{CAPACITY}mapping-rule-json"), format!("{CAPACITY}mapping-rule-json-file"));
    let path = out.capacity.get(&named).map(|p| p.trim().to_string())?;
    if out.capacity.contains_key(&inline) {
        return None;
    }
    let short = path.rsplit('/').next().unwrap_or(&path);
    let Some(name) = [path.as_str(), short].into_iter().find(|name| out.files.contains_key(*name)) else {
        let span = out.origins.capacity_scheduler.get(&named).map_or(Span::new(0, 0), |o| o.in_scenario);
        let what = format!("The mapping rules of `{path}` are not here: no rule applies.");
        r.warning(span, what, format!("Give the file's text under [files] as \"{short}\"."));
        return None;
    };
    let file = &out.files[name];
    let origin = Origin { source: name.to_string(), span: None, in_scenario: file.span };
    out.capacity.insert(inline.clone(), file.text.clone());
    out.origins.capacity_scheduler.insert(inline, origin);
    Some(name.to_string())
}

/// Returns the effective properties of Hadoop XML files, loaded in this order. Problems are placed in the scenario.
pub fn file_properties(r: &mut Reader<'_>, files: &[(&str, &FileText)]) -> Vec<(String, String, Origin)> {
    let mut documents = Vec::with_capacity(files.len());
    for (name, file) in files {
        let (document, problems) = xml::read(name, &file.text);
        for mut problem in problems {
            problem.span = Some(file.in_scenario(problem.span));
            if file.offset.is_none() {
                problem.fix = None;
            }
            problem.what = format!("{name}: {}", problem.what);
            problem.source = SOURCE.into();
            r.add(problem);
        }
        documents.push(document);
    }
    let documents: Vec<&xml::Document> = documents.iter().collect();
    let found = xml::effective(&documents, &|_| None);
    let mut out = Vec::with_capacity(found.values.len());
    for (property, value) in found.values {
        let origin = found.origins.get(&property).and_then(|o| Some((o, files.get(o.document)?)));
        let origin = origin.map_or_else(Origin::default, |(o, (name, file))| Origin {
            source: (*name).into(),
            span: Some(o.value_span),
            in_scenario: file.in_scenario(Some(o.value_span)),
        });
        out.push((property, value, origin));
    }
    out
}

/// Returns the full name of a property in short form.
pub fn full_name(prefix: &str, name: &str) -> String {
    if name.starts_with("yarn.") || name.starts_with("hadoop.") || name.starts_with("mapreduce.") {
        name.to_string()
    } else {
        format!("{prefix}{name}")
    }
}

/// Returns the properties of a short form's table: nested tables are joined with dots, lists with commas.
pub fn property_table(r: &mut Reader<'_>, table: &mut Fields<'_>, prefix: &str) -> Vec<(String, String, Span)> {
    let mut out = Vec::new();
    flatten(r, table, prefix, "", &mut out);
    out
}

fn flatten(r: &mut Reader<'_>, f: &mut Fields<'_>, prefix: &str, path: &str, out: &mut Vec<(String, String, Span)>) {
    for (key, item, span) in f.entries() {
        let path = if path.is_empty() { key.to_string() } else { format!("{path}.{key}") };
        if let Some(table) = item.as_table_like() {
            flatten(r, &mut Fields::new(table, span, "properties"), prefix, &path, out);
            continue;
        }
        match item.as_value().and_then(value_text) {
            Some(text) => out.push((full_name(prefix, &path), text, span)),
            None => {
                r.error(span, format!("`{path}` is not a property value."), "Write a text, a number or true or false.")
            }
        }
    }
}

/// Returns a value as a property holds it.
pub fn value_text(value: &Value) -> Option<String> {
    Some(match value {
        Value::String(s) => s.value().clone(),
        Value::Integer(n) => n.value().to_string(),
        Value::Float(f) if f.value().is_finite() => f.value().to_string(),
        Value::Boolean(b) => b.value().to_string(),
        Value::Array(list) => list.iter().map(value_text).collect::<Option<Vec<_>>>()?.join(","),
        _ => return None,
    })
}

/// Returns the scheduler: `scheduler`, or the class that yarn-site names.
pub fn scheduler(r: &mut Reader<'_>, root: &mut Fields<'_>, settings: &Settings) -> SchedulerChoice {
    let written = root.text_at(r, "scheduler").and_then(|(text, span)| match SchedulerChoice::of_text(&text) {
        Some(choice) => Some((choice, span)),
        None => {
            let mend = match r.nearest(&text, SchedulerChoice::ALL.map(SchedulerChoice::text)) {
                Some(near) => format!("Did you mean `{near}`?"),
                None => "Write capacity, fair or fifo.".into(),
            };
            r.error(span, format!("`{text}` is not a scheduler."), mend);
            None
        }
    });
    let class = settings.site.get(CLASS).and_then(|class| {
        let span = settings.origins.yarn_site.get(CLASS).map_or(root.span, |o| o.in_scenario);
        match SchedulerChoice::of_class(class.trim()) {
            Some(choice) => Some((choice, span)),
            None => {
                let what = format!("The scheduler `{}` is not known here.", class.trim());
                r.warning(span, what, "Its queues are read as the CapacityScheduler's.");
                None
            }
        }
    });
    if let (Some((written, span)), Some((class, _))) = (written, class)
        && written != class
    {
        r.warning(span, "`scheduler` and the class in yarn-site.xml differ; `scheduler` is taken.", "Take one away.");
    }
    written.or(class).map_or(SchedulerChoice::Capacity, |(choice, _)| choice)
}

/// Reads the release whose defaults apply.
pub fn release(r: &mut Reader<'_>, root: &mut Fields<'_>) -> Option<Release> {
    let (item, span) = root.item("release")?;
    let text = match item {
        Item::Value(v) => value_text(v).unwrap_or_default(),
        _ => String::new(),
    };
    let found = Release::named(&text);
    if found.is_none() {
        let known: Vec<&str> = Release::ALL.iter().map(|(name, _)| *name).collect();
        r.error(span, format!("The release `{text}` is not known."), format!("Write one of {}.", known.join(", ")));
    }
    found
}

/// Makes the settings of the release of those that are written, and says where they differ.
pub fn of_release(r: &mut Reader<'_>, release: Release, scheduler: SchedulerChoice, settings: &mut Settings) {
    for difference in releases::apply(release, scheduler, &mut settings.capacity, &mut settings.site) {
        let origins = if difference.file == File::Site {
            &settings.origins.yarn_site
        } else {
            &settings.origins.capacity_scheduler
        };
        let span = origins.get(&difference.key).map(|origin| origin.in_scenario);
        let (what, mend) = difference.said(release);
        let problem = match difference.what {
            What::Default(_) => continue,
            What::Refused { .. } => Problem::error(SOURCE, span, what),
            What::Ignored(_) | What::Otherwise(_) => Problem::warning(SOURCE, span, what),
        };
        r.add(match mend {
            Some(mend) => problem.mend(mend),
            None => problem,
        });
    }
    if let Some(with) = settings.fair.as_deref().and_then(|text| releases::with_default_queue(release, text)) {
        settings.fair = Some(with);
    }
}

/// Reports problems of the FairScheduler's allocation file, at their places in the scenario.
pub fn allocation_file(r: &mut Reader<'_>, scheduler: SchedulerChoice, settings: &Settings) {
    use fair::FILE;
    let Some(file) = settings.files.get(FILE) else { return };
    if scheduler != SchedulerChoice::Fair {
        let what = format!("The file `{FILE}` is not used: another scheduler runs.");
        r.add(Problem::note(SOURCE, file.span, what).mend("Write scheduler = \"fair\"."));
        return;
    }
    for problem in odd_allocations(r, file, FairConf::lets_rules_be_unreached(&settings.site)) {
        r.add(problem);
    }
}

/// Returns the problems of an allocation file, wherever it is written, at their places in the scenario. `unreached`:
/// unreachable rules are allowed.
pub fn odd_allocations(r: &Reader<'_>, file: &FileText, unreached: bool) -> Vec<Problem> {
    use fair::FILE;
    let problems = match fair::read(FILE, &file.text, &r.types, unreached) {
        Ok((_, problems)) => problems,
        Err(problem) => vec![*problem],
    };
    let placed = |mut problem: Problem| {
        problem.span = Some(file.in_scenario(problem.span));
        problem.what = format!("{FILE}: {}", problem.what);
        problem.source = SOURCE.into();
        problem
    };
    problems.into_iter().map(placed).collect()
}

/// Determines the scheduling mode of the CapacityScheduler. The property decides; if it is not set, it is set to the
/// result.
pub fn scheduling(
    r: &mut Reader<'_>,
    root: &mut Fields<'_>,
    settings: &mut Settings,
    release: Option<Release>,
) -> Scheduling {
    let written = root.text_at(r, "scheduling").and_then(|(text, span)| match text.as_str() {
        "heartbeat" => Some((Mode::Heartbeat, span)),
        "async" => Some((Mode::Async, span)),
        _ => {
            r.error(span, format!("`{text}` is not a scheduling mode."), "Write heartbeat or async.");
            None
        }
    });
    if let Some(value) = settings.capacity.get(ASYNC) {
        let mode = if value.trim().eq_ignore_ascii_case("true") { Mode::Async } else { Mode::Heartbeat };
        if let Some((written, span)) = written
            && written != mode
        {
            let what =
                format!("`scheduling` says otherwise than {ASYNC}, which is {}; the property is taken.", value.trim());
            r.warning(span, what, "Take one of them away.");
        }
        return Scheduling { mode, because: Because::Property };
    }
    let scheduling = match (written, release) {
        (Some((mode, _)), _) => Scheduling { mode, because: Because::Scenario },
        (None, Some(release)) => Scheduling { mode: release.scheduling(), because: Because::Release },
        (None, None) => Scheduling { mode: Mode::Async, because: Because::Default },
    };
    settings.capacity.insert(ASYNC.into(), (scheduling.mode == Mode::Async).to_string());
    scheduling
}
