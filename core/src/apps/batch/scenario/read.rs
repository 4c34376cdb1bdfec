//! Reads groups of tasks: `tasks`.

use crate::api::AmPreemptionPolicy;
use crate::apps::scenario::AppKind;
use crate::apps::scenario::read::{ClientSubmits, EntrySoFar, ReadKind};
use crate::model::Resource;
use crate::scenario::application::{Am, TaskGroup};
use crate::scenario::read::apps::{COUNT, TASK};
use crate::scenario::read::fields::{Fields, Reader};

/// The size of a MapReduce ApplicationMaster (`yarn.app.mapreduce.am.resource.mb`), in MiB and vcores.
const AM: (i64, i64) = (1536, 1);
/// The priority of a map, the default of a group of tasks.
const PRIORITY: i32 = 20;

/// An entry of `kind = "batch"`.
pub struct BatchEntry;

impl ReadKind for BatchEntry {
    fn am_size(&self) -> (i64, i64) {
        AM
    }

    fn read_beside_am(&self, r: &mut Reader<'_>, f: &mut Fields<'_>, am: &mut Am) {
        am.preemption_policy = preemption_policy(r, f);
    }

    fn read(&mut self, r: &mut Reader<'_>, f: &mut Fields<'_>, _entry: EntrySoFar) -> (AppKind, Option<ClientSubmits>) {
        (tasks(r, f).into(), None)
    }
}

/// Reads what the ApplicationMaster does when containers are asked back.
fn preemption_policy(r: &mut Reader<'_>, f: &mut Fields<'_>) -> AmPreemptionPolicy {
    let Some((word, span)) = f.text_at(r, "preemption_policy") else { return AmPreemptionPolicy::None };
    let known = AmPreemptionPolicy::ALL.into_iter().find(|(name, _)| *name == word);
    if known.is_none() {
        let mend = "Known are none, kill, cheapest and checkpoint.";
        r.error(
            span,
            format!("`{word}` is nothing that an ApplicationMaster can do when containers are asked back."),
            mend,
        );
    }
    known.map_or(AmPreemptionPolicy::None, |(_, policy)| policy)
}

fn tasks(r: &mut Reader<'_>, f: &mut Fields<'_>) -> Vec<TaskGroup> {
    let mut out: Vec<TaskGroup> = Vec::new();
    let groups = f.tables(r, "tasks", "a group of tasks");
    if groups.is_empty() && !f.has("tasks") {
        r.error(f.span, "A batch application needs `tasks`.", "Add tasks = [{ count = 4, duration = \"30 s\" }].");
    }
    for (i, mut t) in groups.into_iter().enumerate() {
        let name = t.name(r, "name").map_or_else(|| format!("tasks{}", i + 1), |(n, _)| n);
        let after = t.texts(r, "after");
        if let Some(unknown) = after.iter().find(|a| !out.iter().any(|g| g.name == **a)) {
            let what = format!("The tasks `{name}` come after `{unknown}`, which is not a group written before them.");
            r.error(t.span, what, "Name a group that stands above.");
        }
        if out.iter().any(|g| g.name == name) {
            r.error(t.span, format!("Two groups of tasks are called `{name}`."), "Rename one.");
        }
        let until = t.text(r, "until");
        if until.is_some() && t.has("duration") {
            let what = format!("The tasks `{name}` have a `duration` and an `until`.");
            r.error(t.span, what, "Leave one of them out.");
        }
        out.push(TaskGroup {
            name,
            count: t.integer(r, "count", COUNT).unwrap_or(1) as u32,
            size: t.size(r, "size", TASK).unwrap_or(Resource::new(TASK.0, TASK.1)),
            duration: t.time_or_forever(r, "duration").unwrap_or(None),
            until,
            priority: t.int32(r, "priority").unwrap_or(PRIORITY),
            places: t.texts(r, "places"),
            relax: t.boolean(r, "relax").unwrap_or(true),
            label: t.text(r, "label"),
            after,
            delay: t.time(r, "delay").unwrap_or(0),
        });
        t.finish(r);
    }
    out
}
