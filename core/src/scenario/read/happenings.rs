//! Reads happenings: `[[happenings]]`, each with a time and an action.

use super::super::document::FileText;
use super::super::happening::{Act, AttributeChange, Happening, SetHere};
use super::cluster::{attributes, node_group};
use super::constraints::constraint;
use super::fields::{Fields, Reader, SOURCE};
use super::settings::{ASYNC, CAPACITY, Settings, file_properties, full_name, odd_allocations, property_table};
use crate::api::{Properties, SchedulerChoice};
use crate::apps::scenario::read::{flex_definition, own_happening, restart_change};
use crate::config::fair::{self, FairConf};
use crate::model::{Problem, Severity};

/// All values of `do`.
pub const ACTS: [&str; 29] = [
    "add_node",
    "remove_node",
    "crash_node",
    "return_node",
    "unhealthy_node",
    "healthy_node",
    "decommission_node",
    "recommission_node",
    "resize_node",
    "label_node",
    "change_attributes",
    "kill_app",
    "hang_am",
    "move_app",
    "set_priority",
    "finish_container",
    "refresh",
    "write_allocations",
    "put_constraint",
    "flex_app",
    "upgrade_app",
    "restart_app",
    "write_history",
    "damage_history",
    "delete_history",
    "place_processor",
    "finish_processor",
    "write_stream",
    "clear_disks",
];

/// The settings in force at a happening.
pub struct InForce {
    /// Properties of the CapacityScheduler.
    capacity: Properties,
    /// Properties that an earlier refresh removed; YARN may have refused the removal.
    taken_away: std::collections::BTreeSet<String>,
    /// Whether the FairScheduler runs.
    fair: bool,
    /// Whether an allocation file may have unreachable rules.
    unreached: bool,
}

impl InForce {
    /// Returns the settings that the run starts with.
    pub fn of(settings: &Settings, scheduler: SchedulerChoice) -> Self {
        InForce {
            capacity: settings.capacity.clone(),
            taken_away: std::collections::BTreeSet::new(),
            fair: scheduler == SchedulerChoice::Fair,
            unreached: FairConf::lets_rules_be_unreached(&settings.site),
        }
    }
}

/// Reads all happenings, in the order of their times. `have` is the number of nodes so far.
pub fn happenings(r: &mut Reader<'_>, root: &mut Fields<'_>, mut in_force: InForce, have: usize) -> Vec<Happening> {
    let mut fields: Vec<_> = root
        .tables(r, "happenings", "a happening")
        .into_iter()
        .map(|mut f| {
            let at = f.time(r, "at");
            if !f.has("at") {
                r.error(f.span, "A happening needs `at`.", "Add `at = \"30 s\"`.");
            }
            (at.unwrap_or(0), f)
        })
        .collect();
    crate::model::order::sort_by_key(&mut fields, |(at, _)| *at);

    let mut out = Vec::new();
    let mut nodes = have;
    for (at, mut f) in fields {
        let span = f.span;
        let Some((verb, verb_span)) = f.required_name(r, "do") else { continue };
        if !ACTS.contains(&verb.as_str()) {
            let mend = match r.nearest(&verb, ACTS) {
                Some(near) => format!("Did you mean `{near}`?"),
                None => format!("Known are {}.", ACTS.join(", ")),
            };
            r.error(verb_span, format!("`{verb}` is not something that can happen."), mend);
            continue;
        }
        if verb == "add_node" {
            let group = node_group(r, &mut f, usize::MAX, nodes);
            nodes += group.len();
            out.extend(group.into_iter().map(|node| Happening { at, act: Act::AddNode(node), span }));
        } else if let Some(act) = act(r, &mut f, &verb, &mut in_force) {
            out.push(Happening { at, act, span: verb_span });
        }
        f.finish(r);
    }
    out
}

fn act(r: &mut Reader<'_>, f: &mut Fields<'_>, verb: &str, in_force: &mut InForce) -> Option<Act> {
    let span = f.span;
    Some(match verb {
        "remove_node" => Act::RemoveNode(name(r, f, "node")?),
        "crash_node" => Act::CrashNode(name(r, f, "node")?),
        "return_node" => Act::ReturnNode(name(r, f, "node")?),
        "unhealthy_node" => Act::Unhealthy(name(r, f, "node")?),
        "healthy_node" => Act::Healthy(name(r, f, "node")?),
        "recommission_node" => Act::Recommission(name(r, f, "node")?),
        "hang_am" => Act::HangAm(name(r, f, "app")?),
        "decommission_node" => Act::Decommission {
            timeout_s: f.time(r, "timeout").map_or(3600, |ms| ms / 1000),
            node: name(r, f, "node")?,
        },
        "resize_node" => {
            let overcommit_timeout_ms = f.time(r, "overcommit_timeout").unwrap_or(-1);
            let size = f.size(r, "size", (0, 1));
            if size.is_none() {
                r.error(span, "resize_node needs `size`.", "Add `size = \"64 GB/16\"`.");
            }
            Act::Resize { node: name(r, f, "node")?, total: size?, overcommit_timeout_ms }
        }
        "label_node" => {
            let label = f.text(r, "label").unwrap_or_default();
            Act::LabelNode { node: name(r, f, "node")?, label }
        }
        "change_attributes" => {
            let attributes = attributes(r, f, "attributes");
            let how = match f.text_at(r, "how") {
                None => AttributeChange::Add,
                Some((text, at)) => match text.as_str() {
                    "add" => AttributeChange::Add,
                    "remove" => AttributeChange::Remove,
                    "replace" => AttributeChange::Replace,
                    _ => {
                        r.error(at, format!("`{text}` is not known for `how`."), "Write add, remove or replace.");
                        return None;
                    }
                },
            };
            Act::Attributes { node: name(r, f, "node")?, how, attributes }
        }
        "kill_app" => Act::KillApp(name(r, f, "app")?),
        "move_app" => {
            let queue = name(r, f, "queue");
            Act::MoveApp { app: name(r, f, "app")?, queue: queue? }
        }
        "set_priority" => {
            let priority = f.int32(r, "priority");
            if !f.has("priority") {
                r.error(span, "set_priority needs `priority`.", "Add `priority = 10`.");
            }
            Act::SetPriority { app: name(r, f, "app")?, priority: priority? }
        }
        "finish_container" => {
            let exit_code = f.int32(r, "exit_code").unwrap_or(0);
            let container = f.integer(r, "container", 0..=i64::from(u32::MAX));
            if !f.has("container") {
                r.error(span, "finish_container needs `container`.", "Add its number; 0 is normally the AM.");
            }
            Act::FinishContainer { app: name(r, f, "app")?, container: usize::try_from(container?).ok()?, exit_code }
        }
        "refresh" => refresh(r, f, in_force),
        "write_allocations" => {
            let text = allocations(r, f, in_force);
            if text.is_none() {
                r.error(span, "write_allocations needs `fair-scheduler.xml`.", "Add the text of the file.");
            }
            let capacity_scheduler = in_force.capacity.clone();
            Act::Refresh { capacity_scheduler, fair_allocations: Some(text?), written: true, set_here: Vec::new() }
        }
        "flex_app" => flex(r, f)?,
        "restart_app" => {
            let (after, changed) = (f.time(r, "after").unwrap_or(0), restart_change(r, f));
            Act::Restart { after, changed, app: name(r, f, "app")? }
        }
        "put_constraint" => {
            let app = f.name(r, "app").map(|(a, _)| a);
            let tags = f.texts(r, "tags");
            let text = constraint(r, f, "constraint");
            if !f.has("constraint") {
                r.error(span, "put_constraint needs `constraint`.", "Add its text.");
            }
            Act::PutConstraint { app, tags, constraint: text? }
        }
        verb => own_happening(r, f, verb)??,
    })
}

/// Reads `components`, a table of instance counts, or `resources.json`.
fn flex(r: &mut Reader<'_>, f: &mut Fields<'_>) -> Option<Act> {
    let most = crate::model::limits::INSTANCES as i64;
    let mut counts = Vec::new();
    let before = r.count();
    for (component, item, at) in f.table(r, "components", "`components`").into_iter().flat_map(|mut t| t.entries()) {
        match item.as_integer().filter(|n| (0..=most).contains(n)) {
            Some(count) => counts.push((component.to_string(), count)),
            None => r.error(at, format!("`{component}` is no number of instances."), format!("Write 0 to {most}.")),
        }
    }
    let definition = flex_definition(r, f);
    if counts.is_empty() && !f.has("resources.json") && r.count() == before {
        r.error(f.span, "flex_app needs `components` or `resources.json`.", "Add components = { worker = 5 }.");
    }
    Some(Act::Flex { app: name(r, f, "app")?, counts, definition })
}

/// Reads a required name.
pub(crate) fn name(r: &mut Reader<'_>, f: &mut Fields<'_>, key: &'static str) -> Option<String> {
    f.required_name(r, key).map(|(name, _)| name)
}

/// Reads an allocation file that comes into force later. If YARN refuses it then, the run still goes on: the scheduler
/// keeps its present file.
fn allocations(r: &mut Reader<'_>, f: &mut Fields<'_>, in_force: &InForce) -> Option<String> {
    let (text, span) = f.text_at(r, fair::FILE)?;
    let file = FileText { offset: r.content_offset(span, &text), text, span };
    if in_force.fair {
        for mut problem in odd_allocations(r, &file, in_force.unreached) {
            problem.severity = problem.severity.min(Severity::Warning);
            r.add(problem);
        }
    } else {
        let what = format!("The file `{}` is not used: another scheduler runs.", fair::FILE);
        r.add(Problem::note(SOURCE, span, what).mend("Write scheduler = \"fair\"."));
    }
    Some(file.text)
}

/// Reads `capacity-scheduler` (a table of properties to set), `unset` (a list of properties), `capacity-scheduler.xml` (a
/// whole new file) and `fair-scheduler.xml`.
fn refresh(r: &mut Reader<'_>, f: &mut Fields<'_>, in_force: &mut InForce) -> Act {
    let fair_allocations = allocations(r, f, in_force);
    let properties = &mut in_force.capacity;
    let mut set_here: Vec<SetHere> = Vec::new();
    if let Some((text, span)) = f.text_at(r, "capacity-scheduler.xml") {
        let file = FileText { offset: r.content_offset(span, &text), text, span };
        let found = file_properties(r, &[("capacity-scheduler.xml", &file)]);
        set_here.extend(found.iter().map(|(key, _, origin)| SetHere {
            key: key.clone(),
            span: origin.in_scenario,
            in_file: true,
        }));
        // The scheduling mode stays as it is, unless the file sets it.
        let driven = properties.shift_remove(ASYNC).map(|v| (ASYNC.to_string(), v));
        *properties = driven.into_iter().chain(found.into_iter().map(|(k, v, _)| (k, v))).collect();
    }
    if let Some(mut table) = f.table(r, "capacity-scheduler", "[capacity-scheduler]") {
        for (name, value, at) in property_table(r, &mut table, CAPACITY) {
            set_here.push(SetHere { key: name.clone(), span: at, in_file: false });
            properties.insert(name, value);
        }
    }
    let unset_at = f.item("unset").map_or(f.span, |(_, at)| at);
    for name in f.texts(r, "unset") {
        let full = full_name(CAPACITY, &name);
        if properties.shift_remove(&full).is_some() {
            in_force.taken_away.insert(full);
        } else if !in_force.taken_away.contains(&full) {
            let mend = match r.nearest(&full, properties.keys().map(String::as_str)) {
                Some(near) => format!("Did you mean `{near}`?"),
                None => "Name a property that is set before.".into(),
            };
            r.warning(unset_at, format!("`{name}` is not set: there is nothing to unset."), mend);
        }
    }
    Act::Refresh { capacity_scheduler: properties.clone(), fair_allocations, written: false, set_here }
}
