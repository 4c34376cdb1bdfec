//! How figures come about, with the values filled in and the properties that set them.

use super::names::Names;
use super::view::FactView;
use super::words;
use crate::config::capacity::PREFIX;
use crate::model::{Millis, PartitionId, QueueId, Resource};
use crate::rm::Properties;
use crate::scenario::{Act, Origin, Scenario};
use crate::scheduler::app::{AmLimit, Inactive};
use crate::scheduler::capacity::Leaf;
use crate::scheduler::{AmStatus, App};
use crate::sim::Tried;

fn text(names: Names<'_>, r: Resource) -> String {
    let cluster = names.rm().cluster();
    words::counted(r, cluster.calculator, &cluster.types)
}

/// Maximum of a queue.
pub fn queue_max(names: Names<'_>, queue: QueueId, p: PartitionId) -> Vec<String> {
    let rm = names.rm();
    let Some(q) = rm.queues().get(queue.index()) else { return Vec::new() };
    let part = q.part(p);
    let mut out = vec![format!(
        "maximum = {} of {} = {}",
        words::percent(f64::from(part.shares.absolute_max_capacity)),
        text(names, rm.partition_total(p)),
        text(names, part.shares.effective_max)
    )];
    let reserved = if part.reserved.is_zero() {
        String::new()
    } else {
        format!(", {} of it only reserved{}", text(names, part.reserved), reserved_by(names, queue, p))
    };
    out.push(format!("used = {}{reserved}", text(names, part.used)));
    out.push(format!("guaranteed = {}", text(names, part.shares.effective_min)));
    out
}

/// For whom and where a queue's reservations in a partition are: ` (left-2 on n1)`.
pub fn reserved_by(names: Names<'_>, queue: QueueId, p: PartitionId) -> String {
    let rm = names.rm();
    let below = |leaf: QueueId| names.path_up(leaf).any(|q| q == queue);
    let held = rm.nodes().iter().filter(|n| n.in_scheduler && n.partition == p).filter_map(|n| {
        let c = rm.cluster().containers.at(n.reserved?);
        let leaf = rm.scheduled(c.id.app)?.queue;
        below(leaf).then(|| format!("{} on {}", names.request_name(c.id.app, c.key, 1), n.host))
    });
    let held: Vec<String> = held.collect();
    if held.is_empty() { String::new() } else { format!(" ({})", words::list(&held, 3)) }
}

/// Limit of a queue's AMs in a partition.
pub fn am_limit_of_queue(names: Names<'_>, queue: QueueId, p: PartitionId, limit: Resource) -> Vec<String> {
    let rm = names.rm();
    let Some(q) = rm.queues().get(queue.index()) else { return Vec::new() };
    let part = q.part(p);
    let current = q.leaf.as_deref().map_or(Resource::ZERO, |l| l.current_limit);
    let within = rm.cluster().calculator.fits_in(&part.shares.effective_min, &current);
    let base = if p.is_default() && within { current } else { part.shares.effective_min };
    let mut out = Vec::new();
    if p.is_default() {
        out.push(format!(
            "counted on the larger of what is guaranteed, {}, and what the queue may reach now, {}: {}",
            text(names, part.shares.effective_min),
            text(names, current),
            text(names, base)
        ));
    }
    out.push(format!(
        "limit of the queue's AMs = {} of {}, rounded up to steps of {} = {}",
        words::percent(f64::from(part.am_percent)),
        text(names, base),
        text(names, rm.cluster().minimum),
        text(names, limit)
    ));
    out
}

/// Limit of a queue's AMs, and of one user's.
pub fn am_limit(names: Names<'_>, app: &App, figures: &Inactive) -> Vec<String> {
    let mut out = am_limit_of_queue(names, app.queue, figures.partition, figures.queue_limit);
    out.push(match of_user(names, app, figures) {
        Some(how) => format!("limit of one user's AMs = {how} = {}", text(names, figures.user_limit)),
        None => format!("limit of one user's AMs = {}", text(names, figures.user_limit)),
    });
    out.extend([
        format!(
            "used by the queue's AMs = {}, by the user's = {}",
            text(names, figures.queue_used),
            text(names, figures.user_used)
        ),
        format!("this AM = {}", text(names, figures.am_size)),
        super::say::ONE_AM_MAY_START.to_string(),
    ]);
    out
}

/// How the limit of one user's AMs comes about (capacity-scheduler.md 4, step 2c).
fn of_user(names: Names<'_>, app: &App, figures: &Inactive) -> Option<String> {
    let q = names.rm().queues().get(app.queue.index())?;
    let part = q.part(figures.partition);
    let (percent, guaranteed) = (words::percent(f64::from(part.am_percent)), text(names, part.shares.effective_min));
    let factor = q.conf.user_limit_factor;
    if factor == -1.0 {
        return Some(format!("{percent} of the {guaranteed} guaranteed (user-limit-factor −1)"));
    }
    let leaf = q.leaf.as_deref()?;
    let users = leaf.users.count_for_am_limit().max(1);
    let share = (q.conf.user_limit_percent / 100.0f32).max(1.0 / users as f32);
    Some(format!(
        "{percent} of the {guaranteed} guaranteed × {} (the larger of minimum-user-limit-percent and 1 ÷ {}) × user-limit-factor {factor}, \
         at most the queue's limit",
        words::percent(f64::from(share)),
        words::count(users, "user")
    ))
}

/// What the limit was before it counted resources (YARN-2637), told where that makes a difference: for an AM larger than the
/// minimum allocation.
pub fn counted_applications(names: Names<'_>, app: &App) -> Option<FactView> {
    let AmStatus::Inactive(figures) = &app.am_status else { return None };
    let rm = names.rm();
    let minimum = rm.cluster().minimum.memory_mb().max(1);
    let part = rm.queues().get(app.queue.index())?.part(figures.partition);
    let total = rm.partition_total(figures.partition).memory_mb();
    let share = f64::from(part.am_percent) * f64::from(part.shares.absolute_max_capacity);
    // A hair below: the shares are floats, and 0.2 of 40 must not become 9.
    let count = ((total as f64 / minimum as f64 * share - 1e-4).ceil() as i64).max(1);
    let told = figures.am_size.memory_mb() > minimum && figures.limit != AmLimit::EmptyCluster;
    told.then(|| FactView {
        name: "Hadoop 2.6.0 and older".to_string(),
        value: format!("{}, however large their AMs", words::count(count, "active application")),
        formula: vec![
            format!(
                "counted: {} of {} ÷ the smallest container of {} = {count}",
                words::percent(share),
                words::memory(total),
                words::memory(minimum)
            ),
            "2.6.1, 2.7.0 and newer add up the sizes of AMs, as here (YARN-2637)".to_string(),
        ],
    })
}

/// Limit of a user (capacity-scheduler.md section 6).
pub fn user_limit(names: Names<'_>, queue: QueueId, p: PartitionId) -> Vec<String> {
    let rm = names.rm();
    let cluster = rm.cluster();
    let Some(q) = rm.queues().get(queue.index()) else { return Vec::new() };
    let Some(leaf) = q.leaf.as_deref() else { return Vec::new() };
    let part = q.part(p);
    let used_by = |active: bool| {
        let users = leaf.users.all().iter().filter(|u| !active || u.counted_active);
        users.filter_map(|u| u.used.get(p.index())).fold(Resource::ZERO, |sum, r| sum + *r)
    };
    let weights: f32 = leaf.users.all().iter().filter(|u| u.counted_active).map(|u| u.weight).sum();
    let guarantee = cluster.calculator.max(&rm.partition_total(p), &part.shares.effective_min, &cluster.minimum);
    let consumed = used_by(false);
    let current = if cluster.calculator.lt(&rm.partition_total(p), &consumed, guarantee) {
        guarantee
    } else {
        &(consumed + cluster.minimum)
    };
    let factor = q.conf.user_limit_factor;
    let cap = if factor == -1.0 {
        format!("the queue's maximum, {}", text(names, part.shares.effective_max))
    } else {
        format!("{} × {factor} = {}", text(names, *guarantee), text(names, guarantee.multiply_round_down(factor)))
    };
    vec![
        format!(
            "what users share = {} (guaranteed {}, used {})",
            text(names, *current),
            text(names, *guarantee),
            text(names, consumed)
        ),
        format!(
            "active users use {} and one step of {}, divided by weights of {weights}",
            text(names, used_by(true)),
            text(names, cluster.minimum)
        ),
        format!("or {} % of what users share, whichever is more", q.conf.user_limit_percent),
        format!("at most {cap}"),
    ]
    .into_iter()
    .chain(who_counts(names, leaf))
    .collect()
}

/// Which users count as active and which do not, where some have nothing but applications that wait for activation.
fn who_counts(names: Names<'_>, leaf: &Leaf) -> Option<String> {
    let called = |counts: bool| -> Vec<&str> {
        let users = leaf.users.all().iter().filter(|u| u.counted_active == counts && (counts || u.pending_apps > 0));
        users.map(|u| names.rm().cluster().user_name(u.user)).collect()
    };
    let (active, pending) = (called(true), called(false));
    (!pending.is_empty()).then(|| {
        format!(
            "{} of {} users count as active ({}); {} only wait for activation and do not",
            active.len(),
            active.len() + pending.len(),
            words::list(&active, 4),
            words::list(&pending, 4)
        )
    })
}

/// Properties of yarn-site.xml: their values and where they are written.
pub fn of_site(names: Names<'_>, which: &[&str]) -> Vec<String> {
    let scenario = names.scenario();
    let said = which.iter().map(|name| match scenario.settings.yarn_site.get(*name) {
        Some(value) => format!("{name} = {value}{}", place(scenario, scenario.origins.yarn_site.get(*name))),
        None => format!("{name} (not set)"),
    });
    said.collect()
}

/// The properties that set something for a queue, or for all (`""`): their values now and where they are written.
pub fn properties(names: Names<'_>, queue: &str, which: &[&str]) -> Vec<String> {
    let said = which.iter().map(|property| {
        let own = if queue.is_empty() { format!("{PREFIX}{property}") } else { format!("{PREFIX}{queue}.{property}") };
        written(names, &own)
            .or_else(|| written(names, &format!("{PREFIX}{property}")))
            .unwrap_or_else(|| format!("{own} (not set)"))
    });
    said.collect()
}

/// The properties that give a queue its share of a partition.
pub fn shares(names: Names<'_>, queue: &str, p: PartitionId) -> Vec<String> {
    match names.partition(p) {
        "" => properties(names, queue, &["maximum-capacity", "capacity"]),
        label => {
            let of = |what: &str| format!("accessible-node-labels.{label}.{what}");
            properties(names, queue, &[&of("maximum-capacity"), &of("capacity")])
        }
    }
}

/// The property that limits the AMs of a queue in a partition: that of the label where it is set, else the queue's.
pub fn am_percent(names: Names<'_>, queue: &str, p: PartitionId) -> Vec<String> {
    const PERCENT: &str = "maximum-am-resource-percent";
    let label = match names.partition(p) {
        "" => None,
        label => written(names, &format!("{PREFIX}{queue}.accessible-node-labels.{label}.{PERCENT}")),
    };
    label.map_or_else(|| properties(names, queue, &[PERCENT]), |own| vec![own])
}

/// The property that says how many applications of a user may run at a time.
pub fn parallel_of_user(names: Names<'_>, user: &str) -> Vec<String> {
    let own = written(names, &format!("{PREFIX}user.{user}.max-parallel-apps"));
    own.or_else(|| written(names, &format!("{PREFIX}user.max-parallel-apps"))).into_iter().collect()
}

/// The capacity-scheduler properties in force at a time: those of the last refresh that was not refused.
fn in_effect(names: Names<'_>, at: Millis) -> &Properties {
    let scenario = names.scenario();
    let notices = names.sim.notices();
    let refused = |i: usize| notices.iter().any(|n| n.tried == Tried::Happening(i));
    let earlier = scenario.happenings.iter().enumerate().filter(|(_, h)| h.at <= at);
    let refreshed = earlier.rev().find_map(|(i, h)| match &h.act {
        Act::Refresh { capacity_scheduler, .. } if !refused(i) => Some(capacity_scheduler),
        _ => None,
    });
    refreshed.unwrap_or(&scenario.settings.capacity_scheduler)
}

/// `NAME = VALUE (FILE, line N)` as it is in force now; `None` if it is not set.
fn written(names: Names<'_>, name: &str) -> Option<String> {
    let scenario = names.scenario();
    let now = names.now;
    let value = in_effect(names, now).get(name)?;
    if scenario.settings.capacity_scheduler.get(name) != Some(value) {
        let set = scenario.happenings.iter().filter(|h| h.at <= now).rev().map(|h| h.at);
        let since = set.take_while(|at| in_effect(names, *at).get(name) == Some(value)).last().unwrap_or(now);
        return Some(format!("{name} = {value} (refreshed at {})", words::clock(since)));
    }
    Some(format!("{name} = {value}{}", place(scenario, scenario.origins.capacity_scheduler.get(name))))
}

/// ` (FILE, line N)`.
fn place(scenario: &Scenario, origin: Option<&Origin>) -> String {
    let Some(origin) = origin else { return String::new() };
    match scenario.files.get(&origin.source).zip(origin.span) {
        Some((file, span)) => format!(" ({}, line {})", origin.source, span.line_col(&file.text).0),
        None => format!(" ({})", origin.source),
    }
}
