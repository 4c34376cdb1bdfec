//! Reads YARN services: their components, a table for each.

use crate::api::Properties;
use crate::apps::scenario::read::{ClientSubmits, Defaults, EntrySoFar, ReadKind};
use crate::apps::scenario::{AppKind, KindAct};
use crate::apps::service::client::{Settings, Site, of_components, queue, settings, tag};
use crate::apps::service::scenario::{ServiceApp, Upgrade};
use crate::apps::service::strategy::plan::{ComponentSpec, READINESS_MS, RestartPolicy, by_dependencies};
use crate::model::{Problem, Resource};
use crate::scenario::application::App;
use crate::scenario::happening::Act;
use crate::scenario::read::constraints::constraint;
use crate::scenario::read::fields::{Fields, Reader, SOURCE};
use crate::scenario::read::happenings::name;
use crate::strategy::Work;

/// The default sizes of the ApplicationMaster and of a component's instance, in MiB and vcores.
const AM: (i64, i64) = (1024, 1);
const TASK: (i64, i64) = (1024, 1);

/// Reads a happening that only YARN services know. `None`: it is another one; `Some(None)`: what is written is reported as wrong.
pub fn happening(r: &mut Reader<'_>, f: &mut Fields<'_>, verb: &str) -> Option<Option<Act>> {
    (verb == "upgrade_app").then(|| upgrade(r, f).map(|upgrade| Act::OfKind(KindAct::Service(upgrade))))
}

fn upgrade(r: &mut Reader<'_>, f: &mut Fields<'_>) -> Option<Upgrade> {
    let components = f.texts(r, "components");
    if components.is_empty() {
        r.error(f.span, "upgrade_app needs `components`.", "Add components = [\"web\"].");
    }
    Some(Upgrade { app: name(r, f, "app")?, components })
}

/// An entry of `kind = "yarn-service"`.
pub struct ServiceEntry {
    site: Site,
    /// The client's settings from yarn-site.xml; `None`: one of the values is not a number, which the client refuses when it
    /// submits.
    settings: Option<Settings>,
}

impl ServiceEntry {
    /// Begins to read an entry. `site`: the properties of yarn-site.xml.
    pub fn new(site: &Properties) -> Self {
        let site = Site::of(site);
        ServiceEntry { settings: settings(None, &site).ok(), site }
    }
}

impl ReadKind for ServiceEntry {
    fn am_size(&self) -> (i64, i64) {
        (self.settings.as_ref().map_or(AM.0, |s| s.memory.max(0)), AM.1)
    }

    fn takes_up_containers(&self) -> bool {
        true
    }

    fn defaults(&self) -> Defaults {
        let settings = self.settings.as_ref();
        Defaults {
            queue: Some(queue(&self.site)),
            max_attempts: settings.map(|s| s.attempts).filter(|n| *n > 0),
            failures_window: settings.map(|s| s.validity_ms),
            ..Defaults::default()
        }
    }

    fn read(&mut self, r: &mut Reader<'_>, f: &mut Fields<'_>, _entry: EntrySoFar) -> (AppKind, Option<ClientSubmits>) {
        (service(r, f).into(), None)
    }

    // The run reports it too, at its time.
    fn check_names(&self, r: &mut Reader<'_>, app: &App, names: &[String]) {
        let Some(service) = app.kind.get::<ServiceApp>() else { return };
        let components = service.as_written();
        let refused = names.iter().find_map(|name| of_components(name, &components, &self.site));
        if let Some(refusal) = refused {
            let words = refusal.words().trim_end_matches('.');
            let what = format!("The client of YARN services refuses to submit this: {words}.");
            r.add(Problem::warning(SOURCE, app.span, what).mend(refusal.mend.clone()));
        }
    }

    fn own_tag(&self, name: &str) -> Option<String> {
        Some(tag(name))
    }
}

/// Reads the keys of an application that are a service's.
fn service(r: &mut Reader<'_>, f: &mut Fields<'_>) -> ServiceApp {
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
