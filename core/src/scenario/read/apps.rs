//! Reads applications: `[[apps]]`.

use super::super::application::{Am, App, Ask, TaskGroup};
use super::super::document::Timing;
use super::super::units::TIME_MAX;
use super::cluster::unroll;
use super::constraints::tagged_constraints;
use super::fields::{Fields, Reader};
use super::present;
use crate::api::{AmPreemptionPolicy, AskPlace, AskRow, Properties};
use crate::apps::scenario::read::{ClientSubmits, EntrySoFar, KINDS, KindRow, ReadKind, TAKE_UP_CONTAINERS};
use crate::model::{Resource, Span, limits};

/// The number of containers that a request can ask for.
pub(crate) const COUNT: std::ops::RangeInclusive<i64> = 0..=i32::MAX as i64;
/// The default size of a container: MiB and vcores.
pub(crate) const TASK: (i64, i64) = (1024, 1);

/// Reads all applications. `have_containers` in the limits counts the containers that all of them can request.
pub fn apps(r: &mut Reader<'_>, root: &mut Fields<'_>, timing: &Timing, site: &Properties) -> Vec<App> {
    let mut out: Vec<App> = Vec::new();
    let mut containers = 0u64;
    for (entry, mut f) in root.tables(r, "apps", "an application").into_iter().enumerate() {
        let span = f.span;
        let group = r.entry(|r| app_group(r, &mut f, entry, timing, site, out.len()));
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

/// Returns the row of the kind that an entry names. `None`: there is no such kind, which is reported.
fn kind_row(r: &mut Reader<'_>, f: &mut Fields<'_>) -> Option<&'static KindRow> {
    let Some((name, span)) = f.text_at(r, "kind") else { return KINDS.first() };
    let found = KINDS.iter().find(|row| row.name == name || row.name.replace('-', "_") == name);
    if found.is_none() {
        let kinds = KINDS.map(|row| row.name);
        let mend = match (r.nearest(&name, kinds), kinds.split_last()) {
            (Some(near), _) => format!("Did you mean `{near}`?"),
            (None, Some((last, others))) => format!("Known are {} and {last}.", others.join(", ")),
            (None, None) => String::new(),
        };
        r.error(span, format!("`{name}` is not a kind of application that can be played."), mend);
    }
    found
}

fn app_group(
    r: &mut Reader<'_>,
    f: &mut Fields<'_>,
    entry: usize,
    timing: &Timing,
    site: &Properties,
    have: usize,
) -> Vec<App> {
    let name = f.required_name(r, "name");
    let copies = f.integer(r, "copies", 0..=i64::MAX);
    let every = f.time(r, "every").unwrap_or(0);
    let Some(row) = kind_row(r, f) else {
        // Keys of an unknown kind are not checked.
        f.entries();
        return Vec::new();
    };
    let mut kind = (row.begin)(r, f, site);
    let mut am = am(r, f, timing, &*kind);
    let am_size_at = am_size_at(f);
    kind.read_beside_am(r, f, &mut am);
    let defaults = kind.defaults();
    let queue = f.text_at(r, "queue");
    let mut app = App {
        name: String::new(),
        at: f.time(r, "at").unwrap_or(0),
        queue: queue.as_ref().map(|(q, _)| q.clone()).or(defaults.queue).unwrap_or_else(|| "default".into()),
        user: f.name(r, "user").map_or_else(|| "user".into(), |(u, _)| u),
        priority: f.int32(r, "priority").or(defaults.priority),
        tags: f.texts(r, "tags"),
        label: f.text(r, "label"),
        max_attempts: f.integer(r, "max_attempts", 1..=1000).map(|n| n as i32).or(defaults.max_attempts),
        failures_window: f.time(r, "failures_window").or_else(|| defaults.failures_window.map(|ms| ms.min(TIME_MAX))),
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
    app.now = present::now(r, f, kind.may_run_already() && copies.is_none(), app.at).map(Box::new);
    let queue = app.queue_span.map(|_| app.queue.clone());
    let (read, submits) = kind.read(r, f, EntrySoFar { queue, am_size_at, runs_already: app.now.is_some() });
    app.kind = read;
    if let Some(submits) = submits {
        take_over(&mut app, submits);
    }
    // A written 0 overrides the client's value: every failure counts.
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
            kind.check_names(r, &app, &names);
            // The users of copies are unrolled like the names of copies.
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
                tags: tags(&app, kind.own_tag(&name)),
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

/// Returns where the size of the ApplicationMaster is written.
fn am_size_at(f: &mut Fields<'_>) -> Option<Span> {
    let (item, span) = f.item("am")?;
    item.as_table_like().is_none_or(|am| am.contains_key("size")).then_some(span)
}

/// Copies the client's submission into an application, except for what its entry sets itself.
fn take_over(app: &mut App, submits: ClientSubmits) {
    let s = match submits.submitted {
        Ok(submitted) => submitted,
        Err(refusal) => {
            app.refused = Some(refusal);
            return;
        }
    };
    if app.queue_span.is_none() {
        app.queue = s.queue.unwrap_or_else(|| "default".into());
    }
    if submits.size {
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

/// Returns an application's tags, with the client's own tag first if it adds one.
fn tags(app: &App, own: Option<String>) -> Vec<String> {
    own.into_iter().filter(|own| !app.tags.contains(own)).chain(app.tags.iter().cloned()).collect()
}

/// Reads `am = "1 GB/1"`, or a table.
fn am(r: &mut Reader<'_>, f: &mut Fields<'_>, timing: &Timing, kind: &dyn ReadKind) -> Am {
    let (default, takes_up) = (kind.am_size(), kind.takes_up_containers());
    let mut am = Am {
        unmanaged: false,
        size: Resource::new(default.0, default.1),
        label: None,
        places: Vec::new(),
        start: timing.am_start,
        heartbeat: kind.am_heartbeat().unwrap_or(timing.am_heartbeat),
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
        let what = format!("Only {TAKE_UP_CONTAINERS} take up the containers of the ApplicationMaster before here.");
        r.error(at, what, "Leave `keep_containers` out.");
    }
    let code = t.int32(r, "exit_code").unwrap_or(1);
    am.fails_after = t.time(r, "fails_after").map(|ms| (ms, code));
    t.finish(r);
    am
}

/// Reads one row of an allocate call.
pub(crate) fn ask(r: &mut Reader<'_>, a: &mut Fields<'_>) -> Ask {
    let count = a.integer(r, "count", COUNT).unwrap_or(1);
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
