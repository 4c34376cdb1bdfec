//! Applications: `[[apps]]`.

use super::super::application::{Am, App, Ask, Call, Shell, SpecText, TaggedAsk, TaskGroup};
use super::super::document::Timing;
use super::super::units::TIME_MAX;
use super::cluster::unroll;
use super::constraints::{add_inside, constraint, tagged_constraints};
use super::fields::{Fields, Reader};
use super::present;
use crate::api::{AmPreemptionPolicy, AskPlace, AskRow, ClientRefusal, Properties, Submitted};
use crate::apps::samza::scenario::read as samza;
use crate::apps::service::scenario::ServiceApp;
use crate::apps::service::scenario::read::service;
use crate::apps::slider::scenario::file as slider_file;
use crate::apps::slider::scenario::read::slider;

use crate::apps::distributed_shell::constraint::plan;
use crate::apps::samza::strategy::Settings;
use crate::constraint::read_spec;
use crate::model::{Problem, RequestKey, Resource, Span, limits};
use std::collections::BTreeSet;

const INT: std::ops::RangeInclusive<i64> = 0..=i32::MAX as i64;
/// Size of a MapReduce AM (`yarn.app.mapreduce.am.resource.mb`), of other AMs, of a task.
const AM_BATCH: (i64, i64) = (1536, 1);
const AM_OTHER: (i64, i64) = (1024, 1);
const TASK: (i64, i64) = (1024, 1);
/// Container of the distributed shell (`-container_memory`, `-container_vcores`).
const SHELL: (i64, i64) = crate::apps::distributed_shell::client::CONTAINER;
/// Priority of a map, which a group of tasks takes when it names none.
const PRIORITY_TASK: i32 = 20;

/// Reads all applications. `have_containers` in the limits counts what all of them can ask for.
pub fn apps(r: &mut Reader<'_>, root: &mut Fields<'_>, timing: &Timing, site: &Properties) -> Vec<App> {
    let site = crate::apps::service::client::Site::of(site);
    let mut out: Vec<App> = Vec::new();
    let mut containers = 0u64;
    for (entry, mut f) in root.tables(r, "apps", "an application").into_iter().enumerate() {
        let span = f.span;
        let group = r.entry(|r| app_group(r, &mut f, entry, timing, &site, out.len()));
        f.finish(r);
        let each = group.first().map_or(0, |app| app.kind.containers());
        containers = containers.saturating_add(each.saturating_mul(group.len() as u64));
        if containers > limits::CONTAINERS_ALIVE as u64 {
            let most = limits::CONTAINERS_ALIVE;
            r.error(span, format!("The applications ask for more than {most} containers."), "Lower the counts.");
            return out;
        }
        out.extend(group);
    }
    out
}

/// What `kind` may say.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KindName {
    Batch,
    DistributedShell,
    Requests,
    Slider,
    Samza,
    Service,
}

fn kind_name(r: &mut Reader<'_>, f: &mut Fields<'_>) -> Option<KindName> {
    let Some((name, span)) = f.text_at(r, "kind") else { return Some(KindName::Batch) };
    Some(match name.as_str() {
        "batch" => KindName::Batch,
        "distributed-shell" | "distributed_shell" => KindName::DistributedShell,
        "requests" => KindName::Requests,
        "slider" => KindName::Slider,
        "samza" => KindName::Samza,
        "yarn-service" | "yarn_service" => KindName::Service,
        other => {
            let kinds = ["batch", "distributed-shell", "requests", "slider", "samza", "yarn-service"];
            let mend = match r.nearest(other, kinds) {
                Some(near) => format!("Did you mean `{near}`?"),
                None => "Known are batch, distributed-shell, requests, slider, samza and yarn-service.".to_string(),
            };
            r.error(span, format!("`{other}` is not a kind of application that can be played."), mend);
            return None;
        }
    })
}

fn app_group(
    r: &mut Reader<'_>,
    f: &mut Fields<'_>,
    entry: usize,
    timing: &Timing,
    site: &crate::apps::service::client::Site,
    have: usize,
) -> Vec<App> {
    let name = f.required_name(r, "name");
    let copies = f.integer(r, "copies", 0..=i64::MAX);
    let every = f.time(r, "every").unwrap_or(0);
    let Some(kind) = kind_name(r, f) else {
        // What its keys mean is not known, so they are not judged.
        f.entries();
        return Vec::new();
    };
    let job = (kind == KindName::Samza).then(|| samza::properties(r, f));
    // What the client of YARN services takes from its own settings; numbers that are none it refuses when it submits.
    let service_settings =
        (kind == KindName::Service).then(|| crate::apps::service::client::settings(None, site).ok()).flatten();
    let am_memory = service_settings.as_ref().map(|s| s.memory.max(0));
    let mut am = am(r, f, timing, kind, job.as_ref().map(|job| &job.settings), am_memory);
    let sized = sized_at(f);
    if kind == KindName::Batch {
        am.preemption_policy = preemption_policy(r, f);
    }
    let queue = f.text_at(r, "queue");
    let mut app = App {
        name: String::new(),
        at: f.time(r, "at").unwrap_or(0),
        queue: queue
            .as_ref()
            .map(|(q, _)| q.clone())
            .or_else(|| (kind == KindName::Service).then(|| crate::apps::service::client::queue(site)))
            .unwrap_or_else(|| "default".into()),
        user: f.name(r, "user").map_or_else(|| "user".into(), |(u, _)| u),
        // The client of the distributed shell always gives one.
        priority: f.int32(r, "priority").or((kind == KindName::DistributedShell).then_some(0)),
        tags: f.texts(r, "tags"),
        label: f.text(r, "label"),
        max_attempts: f
            .integer(r, "max_attempts", 1..=1000)
            .map(|n| n as i32)
            .or_else(|| service_settings.as_ref().map(|s| s.attempts).filter(|n| *n > 0)),
        failures_window: f
            .time(r, "failures_window")
            .or_else(|| service_settings.as_ref().map(|s| s.validity_ms.min(TIME_MAX))),
        lifetime: f.time(r, "lifetime"),
        am,
        constraints: tagged_constraints(r, f),
        now: None,
        kind: Vec::<TaskGroup>::new().into(),
        refused: None,
        entry,
        span: f.span,
        queue_span: queue.map(|(_, s)| s),
    };
    app.now = present::now(r, f, kind == KindName::Requests && copies.is_none(), app.at).map(Box::new);
    app.kind = match kind {
        KindName::Batch => tasks(r, f).into(),
        KindName::DistributedShell => shell(r, f).into(),
        KindName::Requests => {
            let calls = calls(r, f);
            if app.now.is_none() {
                without_any(r, &calls);
            }
            calls.into()
        }
        KindName::Slider => {
            let asked = app.queue_span.map(|_| app.queue.clone());
            let (slider, submitted) = slider(r, f, asked, sized);
            take_over(&mut app, submitted);
            slider.into()
        }
        KindName::Service => service(r, f).into(),
        KindName::Samza => match job {
            Some(job) => {
                take_over(&mut app, job.submitted(sized.is_some()));
                samza::samza(r, f, job).into()
            }
            None => return Vec::new(),
        },
    };
    // Written as 0 it stands against what the client says: every failure counts.
    app.failures_window = app.failures_window.filter(|ms| *ms > 0);
    let Some((name, name_span)) = name else { return Vec::new() };
    app.span = name_span;
    let n = usize::try_from(copies.unwrap_or(1)).unwrap_or(usize::MAX);
    if n.saturating_add(have) > limits::APPLICATIONS {
        let (all, most) = (n.saturating_add(have), limits::APPLICATIONS);
        r.error(
            name_span,
            format!("{all} applications are more than the {most} that can be played."),
            "Lower `copies`.",
        );
        return Vec::new();
    }
    let parts = app.kind.parts().saturating_mul(n);
    if parts > limits::CONTAINERS_ALIVE {
        let what = format!("{n} copies of this application have {parts} task groups, requests or components in all.");
        r.error(name_span, what, "Lower `copies`.");
        return Vec::new();
    }
    match unroll(&name, copies.is_some(), n) {
        Ok(names) => {
            if kind == KindName::Slider {
                slider_names(r, &names, name_span);
            }
            refused_by_client(r, &app, &names, site);
            // Copies of several users are written like their names.
            let users =
                if app.user.contains('{') { unroll(&app.user, false, n) } else { Ok(vec![app.user.clone(); n]) };
            let users = match users {
                Ok(users) => users,
                Err(what) => {
                    r.error(name_span, what, "Write the user as `u{}`, or leave the braces out.");
                    return Vec::new();
                }
            };
            let copies = names.into_iter().zip(users).zip(0i64..);
            let at = |i| app.at.saturating_add(every.saturating_mul(i));
            let copy = |((name, user), i): ((String, String), i64)| App {
                at: at(i),
                tags: tags(&app, &name),
                name,
                user,
                ..app.clone()
            };
            copies.map(copy).collect()
        }
        Err(what) => {
            r.error(name_span, what, "Write `job{}`, `job{01}` for two digits from 01, or leave the braces out.");
            Vec::new()
        }
    }
}

/// Where the size of the ApplicationMaster is written.
fn sized_at(f: &mut Fields<'_>) -> Option<Span> {
    let (item, span) = f.item("am")?;
    item.as_table_like().is_none_or(|am| am.contains_key("size")).then_some(span)
}

/// What an application's client submits, where its entry does not say it; or why it submits nothing.
pub(crate) struct OfClient {
    pub submitted: Result<Submitted, ClientRefusal>,
    /// Does the client's file say how large the ApplicationMaster is, and not the entry?
    pub size: bool,
}

/// Takes what the client submits into an application, as far as its entry says nothing else.
fn take_over(app: &mut App, of: OfClient) {
    let s = match of.submitted {
        Ok(submitted) => submitted,
        Err(refusal) => {
            app.refused = Some(refusal);
            return;
        }
    };
    if app.queue_span.is_none() {
        app.queue = s.queue.unwrap_or_else(|| "default".into());
    }
    if of.size {
        app.am.size = Resource::new(s.am.0, s.am.1);
    }
    if app.tags.is_empty() {
        app.tags = s.tags;
    }
    app.priority = app.priority.or(s.priority);
    app.label = app.label.take().or(s.label);
    app.max_attempts = app.max_attempts.or(Some(s.max_attempts).filter(|n| *n > 0));
    app.failures_window = app.failures_window.or(Some(s.attempt_failures_validity_ms));
}

/// Names that Slider's client refuses.
fn slider_names(r: &mut Reader<'_>, names: &[String], at: Span) {
    if let Some(refused) = names.iter().find_map(|name| crate::apps::slider::client::check_name(name).err()) {
        let refusal = refused.refusal;
        r.warning(at, slider_file::refused(&refusal), refusal.mend);
    }
}

/// Tags of an application of this name: the client of YARN services gives each of its own one.
fn tags(app: &App, name: &str) -> Vec<String> {
    let own = app.kind.is::<ServiceApp>().then(|| crate::apps::service::client::tag(name));
    own.into_iter().filter(|own| !app.tags.contains(own)).chain(app.tags.iter().cloned()).collect()
}

/// Tells of a YARN service that its client will refuse whatever the cluster is; the run tells it at its time.
fn refused_by_client(r: &mut Reader<'_>, app: &App, names: &[String], site: &crate::apps::service::client::Site) {
    let Some(service) = app.kind.get::<ServiceApp>() else { return };
    let components = service.as_written();
    let refused = names.iter().find_map(|name| crate::apps::service::client::of_components(name, &components, site));
    if let Some(refusal) = refused {
        let words = refusal.words().trim_end_matches('.');
        let what = format!("The client of YARN services refuses to submit this: {words}.");
        r.add(Problem::warning(super::SOURCE, app.span, what).mend(refusal.mend.clone()));
    }
}

/// What a batch application does when containers are asked back.
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

/// `am = "1 GB/1"` or a table.
fn am(
    r: &mut Reader<'_>,
    f: &mut Fields<'_>,
    timing: &Timing,
    kind: KindName,
    job: Option<&Settings>,
    memory: Option<i64>,
) -> Am {
    let default = match job {
        Some(_) => AM_OTHER,
        None if kind == KindName::Batch => AM_BATCH,
        None if kind == KindName::DistributedShell => crate::apps::distributed_shell::client::AM,
        None => (memory.unwrap_or(AM_OTHER.0), AM_OTHER.1),
    };
    let takes_up = matches!(kind, KindName::Slider | KindName::Service) || job.is_some_and(|job| job.am_ha);
    let mut am = Am {
        unmanaged: false,
        size: Resource::new(default.0, default.1),
        label: None,
        places: Vec::new(),
        start: timing.am_start,
        heartbeat: job.map_or(timing.am_heartbeat, |job| job.am_heartbeat_ms),
        launch: timing.launch,
        keep_containers: takes_up,
        fails_after: None,
        preemption_policy: AmPreemptionPolicy::None,
    };
    let Some((item, span)) = f.item("am") else { return am };
    let Some(table) = item.as_table_like() else {
        am.size = f.size_value(r, "am", default).unwrap_or(am.size);
        return am;
    };
    let mut t = Fields::new(table, span, "an ApplicationMaster");
    am.size = t.size(r, "size", default).unwrap_or(am.size);
    am.unmanaged = t.boolean(r, "unmanaged").unwrap_or(false);
    am.label = t.text(r, "label").or(am.label);
    let relax = t.boolean(r, "relax").unwrap_or(true);
    am.places = t.texts(r, "places").into_iter().map(|name| AskPlace { name, relax }).collect();
    am.start = t.time(r, "start").unwrap_or(am.start);
    am.heartbeat = t.time(r, "heartbeat").filter(|ms| *ms > 0).unwrap_or(am.heartbeat);
    am.launch = t.time(r, "launch").unwrap_or(am.launch);
    am.keep_containers = t.boolean(r, "keep_containers").unwrap_or(am.keep_containers);
    if am.keep_containers && !takes_up {
        let at = t.key_span("keep_containers").unwrap_or(span);
        let what = "Only Slider, YARN services and Samza with high availability take up the containers of the ApplicationMaster before here.";
        r.error(at, what, "Leave `keep_containers` out.");
    }
    let code = t.int32(r, "exit_code").unwrap_or(1);
    am.fails_after = t.time(r, "fails_after").map(|ms| (ms, code));
    t.finish(r);
    am
}

/// A PlacementSpec, read as YARN reads it.
fn placement_spec(r: &mut Reader<'_>, f: &mut Fields<'_>, containers: u32) -> Option<SpecText> {
    let (text, span, place) = constraint_text(r, f, "spec")?;
    match read_spec(&text) {
        Ok(spec) => {
            let planned = plan(&spec, i32::try_from(containers).unwrap_or(i32::MAX), limits::INSTANCES as i64);
            spec.warnings.iter().for_each(|w| add_inside(r, w.clone(), span, place));
            if let Err(what) = planned {
                r.error(span, what, "Change the counts.");
                return None;
            }
            Some(SpecText { text, span, read: spec })
        }
        Err(e) => {
            add_inside(r, e.problem, span, place);
            None
        }
    }
}

/// A text, where it stands, and where its first letter stands if it stands there letter for letter.
fn constraint_text(r: &mut Reader<'_>, f: &mut Fields<'_>, key: &'static str) -> Option<(String, Span, Option<usize>)> {
    let (text, span) = f.text_at(r, key)?;
    let place = r.content_offset(span, &text);
    Some((text.clone(), r.content_span(span, &text), place))
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
            count: t.integer(r, "count", INT).unwrap_or(1) as u32,
            size: t.size(r, "size", TASK).unwrap_or(Resource::new(TASK.0, TASK.1)),
            duration: t.time_or_forever(r, "duration").unwrap_or(None),
            until,
            priority: t.int32(r, "priority").unwrap_or(PRIORITY_TASK),
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

fn shell(r: &mut Reader<'_>, f: &mut Fields<'_>) -> Shell {
    let containers = f.integer(r, "containers", 1..=i64::from(i32::MAX)).unwrap_or(1) as u32;
    Shell {
        spec: placement_spec(r, f, containers),
        containers,
        size: f.size(r, "size", SHELL).unwrap_or(Resource::new(SHELL.0, SHELL.1)),
        duration: f.time_or_forever(r, "duration").unwrap_or(None),
        priority: f.int32(r, "container_priority").unwrap_or(0),
        label: f.text(r, "container_label"),
    }
}

fn calls(r: &mut Reader<'_>, f: &mut Fields<'_>) -> Vec<Call> {
    let mut out = Vec::new();
    for mut c in f.tables(r, "calls", "a call") {
        let at = c.time(r, "at").unwrap_or(0);
        let mut call = Call { at, span: c.span, ..Call::default() };
        for mut a in c.tables(r, "asks", "a request") {
            call.asks.push(ask(r, &mut a));
            a.finish(r);
        }
        for mut s in c.tables(r, "scheduling", "a scheduling request") {
            call.scheduling.push(TaggedAsk {
                allocation_request_id: s.integer(r, "id", 0..=i64::MAX).unwrap_or(0),
                priority: s.int32(r, "priority").unwrap_or(0),
                tags: s.texts(r, "tags"),
                count: s.integer(r, "count", INT).unwrap_or(1),
                size: s.size(r, "size", TASK).unwrap_or(Resource::new(TASK.0, TASK.1)),
                constraint: constraint(r, &mut s, "constraint"),
                duration: s.time_or_forever(r, "duration").unwrap_or(None),
            });
            s.finish(r);
        }
        call.release = numbers(r, &mut c, "release");
        call.blacklist_add = c.texts(r, "blacklist_add");
        call.blacklist_remove = c.texts(r, "blacklist_remove");
        call.unregister = c.boolean(r, "unregister").unwrap_or(false);
        c.finish(r);
        out.push(call);
    }
    crate::model::order::sort_by_key(&mut out, |c| c.at);
    out
}

/// One row of an allocate call.
pub(super) fn ask(r: &mut Reader<'_>, a: &mut Fields<'_>) -> Ask {
    let count = a.integer(r, "count", INT).unwrap_or(1);
    Ask {
        row: AskRow {
            priority: a.int32(r, "priority").unwrap_or(0),
            place: a.text(r, "place").unwrap_or_else(|| "*".into()),
            size: a.size(r, "size", TASK).unwrap_or(Resource::new(TASK.0, TASK.1)),
            count,
            relax: a.boolean(r, "relax").unwrap_or(true),
            label: a.text(r, "label"),
            allocation_request_id: a.integer(r, "id", -1..=i64::MAX).unwrap_or(-1),
        },
        duration: a.time_or_forever(r, "duration").unwrap_or(None),
    }
}

/// Warns of rows for hosts and racks without one for any place: YARN counts that one, and never serves the others.
fn without_any(r: &mut Reader<'_>, calls: &[Call]) {
    let any: BTreeSet<RequestKey> =
        { calls.iter() }.flat_map(|c| &c.asks).filter(|a| a.row.place == "*").map(|a| a.row.key()).collect();
    for call in calls {
        let alone = |a: &&Ask| a.row.place != "*" && a.row.count > 0 && !any.contains(&a.row.key());
        if let Some(ask) = call.asks.iter().find(alone) {
            let place = &ask.row.place;
            let what =
                format!("{place} is asked for without a row for any place: YARN counts that row, and serves nothing.");
            r.warning(
                call.span,
                what,
                "Ask for as many with place = \"*\" too, and relax = false where no other place will do.",
            );
        }
    }
}

fn numbers(r: &mut Reader<'_>, f: &mut Fields<'_>, key: &'static str) -> Vec<usize> {
    let Some((item, span)) = f.item(key) else { return Vec::new() };
    let list: Option<Vec<usize>> =
        item.as_array().and_then(|a| a.iter().map(|v| v.as_integer().and_then(|n| usize::try_from(n).ok())).collect());
    list.unwrap_or_else(|| {
        r.error(span, format!("`{key}` is not a list of container numbers."), "Write [1, 2].");
        Vec::new()
    })
}
