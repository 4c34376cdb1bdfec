//! Reads the text of a scenario (TOML). Every key is known by name; each error is reported with its place, the cause and a
//! fix.

mod app_tags;
pub(crate) mod apps;
mod budget;
mod cluster;
pub(crate) mod constraints;
mod dotted;
mod expects;
pub(crate) mod fields;
pub(crate) mod happenings;
mod names;
mod present;
mod proofs;
pub(crate) mod settings;
mod spelling;
mod weight;
mod worlds;

use super::application::App;
use super::document::{Caption, Card, FORMAT, Scenario};
use super::happening::Happening;
use crate::api::RmSettings;
use crate::apps::scenario::read::shared;
use crate::config::resource_text::{self, TYPES};
use crate::config::values::Conf;
use crate::model::{Millis, Problem, ResourceTypes, Severity, Span, limits};
use fields::{Fields, Reader, SOURCE};
use toml_edit::Document;

pub use fields::nearest;
pub use happenings::ACTS;
pub(super) use names::nodes;
pub use proofs::never;
pub use settings::FILES_TABLE;
pub use weight::of as weight;

/// The maximum length of a title, in bytes.
pub(crate) const TITLE_MAX: usize = 500;

/// The result of reading a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Read {
    /// The scenario; `None`: there is an error among the problems.
    pub scenario: Option<Scenario>,
    /// The readable parts of a text with an error, to be viewed but not run; `None`: there is no error, or nothing could be
    /// read.
    pub flawed: Option<Box<Scenario>>,
    /// The problems, in the order of the text.
    pub problems: Vec<Problem>,
}

/// Reads a scenario. Never panics, whatever the text; work is linear in its length.
pub fn read(text: &str) -> Read {
    let mut r = Reader::new(text);
    let scenario = read_with(&mut r);
    let mut problems = r.problems.into_list(SOURCE);
    let refused = problems.iter().any(|p| p.severity == Severity::Error);
    crate::model::order::sort_by_key(&mut problems, |p| p.span.map_or(usize::MAX, |s| s.start));
    let (scenario, flawed) = if refused { (None, scenario.map(Box::new)) } else { (scenario, None) };
    Read { scenario, flawed, problems }
}

/// Returns the problem of a text that is too long; checked before anything else.
pub fn too_long(source: &str, bytes: usize) -> Option<Problem> {
    (bytes > limits::TEXT_BYTES).then(|| {
        let what = format!("The text has {} MB; up to {} MB can be read.", bytes >> 20, limits::TEXT_BYTES >> 20);
        Problem::error(source, None, what).mend("Leave out what the question does not need.")
    })
}

fn read_with(r: &mut Reader<'_>) -> Option<Scenario> {
    let text = r.text;
    if let Some(problem) = too_long(SOURCE, text.len()) {
        r.add(problem);
        return None;
    }
    let document = match Document::parse(text) {
        Ok(document) => document,
        Err(e) => {
            let span = e.span().map(|s| Span::new(s.start, s.end));
            if let Some(problem) = span.and_then(|s| dotted::goes_on(text, s.start)) {
                r.add(problem);
                return None;
            }
            let what = format!("This cannot be read as TOML: {}.", e.message().trim().replace('\n', "; "));
            r.add(Problem::error(SOURCE, span, what).mend("Mend the line."));
            return None;
        }
    };
    let mut root = Fields::new(document.as_table(), Span::new(0, 0), "a scenario");
    format(r, &mut root)?;
    let visible = spelling::texts(r, &document);
    let scenario = scenario(r, root);
    spelling::names(r, &scenario, visible);
    names::check(r, &scenario);
    proofs::tell(r, &scenario);
    app_tags::tell(r, &scenario);
    budget::tell(r, &scenario);
    weight::tell(r, &scenario);
    Some(scenario)
}

/// Reads `heddle = 1`, the version of the text form. Stops at a newer one.
fn format(r: &mut Reader<'_>, root: &mut Fields<'_>) -> Option<()> {
    let (item, span) = match root.item("heddle") {
        Some(found) => found,
        None => return Some(()),
    };
    match item.as_integer() {
        Some(n) if n > FORMAT => {
            let what = format!("This scenario has format {n}; here formats up to {FORMAT} are known.");
            r.error(span, what, "Open it with a newer Heddle.");
            None
        }
        Some(n) if n >= 1 => Some(()),
        _ => {
            r.error(span, "`heddle` is the number of the format.", format!("Write heddle = {FORMAT}."));
            Some(())
        }
    }
}

fn scenario(r: &mut Reader<'_>, mut root: Fields<'_>) -> Scenario {
    let root = &mut root;
    let mut title = root.text(r, "title").unwrap_or_default();
    if title.len() > TITLE_MAX {
        let span = root.item("title").map(|(_, s)| s).unwrap_or_default();
        r.error(span, format!("The title has {} bytes; {TITLE_MAX} are enough.", title.len()), "Shorten it.");
        title.clear();
    }
    let note = root.text(r, "note").unwrap_or_default();
    let card = card(r, root);
    let seed = root.integer(r, "seed", 0..=i64::MAX).unwrap_or(1).unsigned_abs();
    let start_at = root.time(r, "start_at").unwrap_or(0);
    let until = root.time(r, "until");

    let mut settings = settings::settings(r, root);
    let release = settings::release(r, root);
    let scheduler = settings::scheduler(r, root, &settings);
    if let Some(release) = release {
        settings::of_release(r, release, scheduler, &mut settings);
    }
    let scheduling = settings::scheduling(r, root, &mut settings, release);
    types(r, root, &mut settings);
    settings::allocation_file(r, scheduler, &settings);

    let labels = cluster::labels(r, root);
    let groups = cluster::users(r, root);
    let timing_table = root.table(r, "timing", "timing");
    let timing = cluster::timing(r, timing_table, &settings.site, &settings.capacity);
    let nodes = cluster::nodes(r, root);
    let shared = shared(r, root);
    let apps = apps::apps(r, root, &timing, &settings.site);
    let shares = present::shares(r, root);
    let happenings = happenings::happenings(r, root, happenings::InForce::of(&settings, scheduler), nodes.len());
    let until = until.or_else(|| end_of_jobs(r, &apps, &happenings));
    let captions = captions(r, root);
    let worlds = worlds::worlds(r, root);
    let expectations = expects::expectations(r, root);
    root.finish(r);

    Scenario {
        title,
        note,
        card,
        seed,
        start_at,
        until,
        release,
        scheduling,
        timing,
        settings: RmSettings {
            scheduler,
            yarn_site: settings.site,
            capacity_scheduler: settings.capacity,
            fair_allocations: settings.fair,
            labels,
            groups,
            clock_ms: 0,
            seed,
        },
        origins: settings.origins,
        files: settings.files,
        resource_types: r.types.clone(),
        nodes,
        shared,
        apps,
        shares,
        happenings,
        captions,
        worlds,
        expectations,
    }
}

/// Returns the default end of a run in which an application asks for ever: half an hour after the last time that is
/// written.
fn end_of_jobs(r: &mut Reader<'_>, apps: &[App], happenings: &[Happening]) -> Option<Millis> {
    const AFTER: Millis = 30 * 60_000;
    let (job, who) = apps.iter().find_map(|a| Some((a, a.kind.asks_for_ever()?)))?;
    let last = apps.iter().map(|a| a.at).chain(happenings.iter().map(|h| h.at)).max().unwrap_or(0);
    let end = last.saturating_add(AFTER);
    let what = format!("{who} asks for ever: this run ends at {}.", super::units::time_text(end));
    r.add(Problem::note(SOURCE, Some(job.span), what).mend("Add `until`, to say when."));
    Some(end)
}

/// Reads the resource types: those of `yarn.resource-types`; if that is not set, those that nodes have, to which the
/// property is then set.
fn types(r: &mut Reader<'_>, root: &mut Fields<'_>, settings: &mut settings::Settings) {
    if !settings.site.contains_key(TYPES) {
        let found = cluster::types_of_nodes(r, root);
        if !found.is_empty() {
            settings.site.insert(TYPES.into(), found.join(","));
        }
    }
    if let Ok(types) = resource_text::types(&Conf::new(settings.site.clone())) {
        r.types = types;
        return;
    }
    // Errors in a name are reported with the settings; its amounts are still read.
    let list = settings.site.get(TYPES).map_or("", String::as_str);
    match ResourceTypes::with(list.split([',', '\n']).map(str::trim).filter(|n| !n.is_empty())) {
        Ok(types) => r.types = types,
        Err(name) => {
            let span = settings.origins.yarn_site.get(TYPES).map_or(Span::new(0, 0), |o| o.in_scenario);
            let what = format!("`{name}` is one resource type too many; {} can be told apart.", limits::RESOURCE_TYPES);
            r.error(span, what, "Take some away.");
        }
    }
}

fn card(r: &mut Reader<'_>, root: &mut Fields<'_>) -> Option<Card> {
    let mut f = root.table(r, "card", "a gallery card")?;
    let mut text = |key| f.text(r, key).unwrap_or_default();
    let card = Card {
        id: text("id"),
        question: text("question"),
        source: text("source"),
        answer: text("answer"),
        look: text("look"),
        topic: text("topic"),
    };
    f.finish(r);
    Some(card)
}

fn captions(r: &mut Reader<'_>, root: &mut Fields<'_>) -> Vec<Caption> {
    let mut out = Vec::new();
    for mut f in root.tables(r, "captions", "a caption") {
        out.push(Caption {
            at: f.time(r, "at").unwrap_or(0),
            text: f.text(r, "text").unwrap_or_default(),
            select: f.text(r, "select").unwrap_or_default(),
            span: f.span,
        });
        f.finish(r);
    }
    crate::model::order::sort_by_key(&mut out, |c| c.at);
    out
}

#[cfg(test)]
mod tests;
