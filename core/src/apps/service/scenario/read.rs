//! YARN services: their components, a table for each.

use crate::apps::service::scenario::ServiceApp;
use crate::apps::service::strategy::plan::{ComponentSpec, READINESS_MS, RestartPolicy, by_dependencies};
use crate::model::Resource;
use crate::scenario::read::constraints::constraint;
use crate::scenario::read::fields::{Fields, Reader};
use crate::strategy::Work;

const TASK: (i64, i64) = (1024, 1);

/// Reads what is a service's of an application.
pub fn service(r: &mut Reader<'_>, f: &mut Fields<'_>) -> ServiceApp {
    let readiness = f.time(r, "readiness_check").filter(|ms| *ms > 0).unwrap_or(READINESS_MS);
    let mut components: Vec<ComponentSpec> = Vec::new();
    let entries = f.tables(r, "components", "a component");
    if entries.is_empty() && !f.has("components") {
        let mend = "Add components = [{ name = \"web\", count = 2, size = \"1 GB/1\" }].";
        r.error(f.span, "A YARN service needs `components`.", mend);
    }
    for mut c in entries {
        let Some((name, at)) = c.required_name(r, "name") else { continue };
        if components.iter().any(|other| other.name == name) {
            r.error(at, format!("Two components are called `{name}`."), "Rename one.");
        }
        let policy = c.text_at(r, "restart_policy");
        let known = policy.as_ref().map(|(word, _)| RestartPolicy::ALL.into_iter().find(|(name, _)| name == word));
        if let (Some((word, at)), Some(None)) = (&policy, &known) {
            r.error(*at, format!("`{word}` is not a restart policy."), "Known are ALWAYS, ON_FAILURE and NEVER.");
        }
        components.push(ComponentSpec {
            name,
            count: c.integer(r, "count", 0..=i64::from(i32::MAX)).unwrap_or(1),
            size: c.size(r, "size", TASK).unwrap_or(Resource::new(TASK.0, TASK.1)),
            restart_policy: known.flatten().map_or(RestartPolicy::Always, |(_, policy)| policy),
            dependencies: c.texts(r, "dependencies"),
            constraint: constraint(r, &mut c, "constraint").and_then(|text| text.tree),
            work: Work {
                run_ms: c.time_or_forever(r, "duration").unwrap_or(None),
                exit_code: c.int32(r, "exit_code").unwrap_or(0),
            },
        });
        c.finish(r);
    }
    let order = by_dependencies(&components).unwrap_or_else(|stuck| {
        let what = format!("The dependencies of {} are not there, or go round in a circle.", stuck.join(", "));
        r.error(f.span, what, "Name components of this service, each after those it depends on.");
        (0..components.len()).collect()
    });
    let scheduling =
        f.boolean(r, "scheduling_requests").unwrap_or(false) || components.iter().any(|c| c.constraint.is_some());
    let sorted = order.iter().map(|i| components[*i].clone()).collect();
    ServiceApp { components: sorted, entries: order, readiness, scheduling }
}
