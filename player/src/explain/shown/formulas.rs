//! How figures come about, with the values filled in and the properties that set them.

use crate::explain::names::Names;
use crate::explain::origin::{self, Setting, place};
use crate::explain::say::{ONE_AM_MAY_START, formulas as say, on_host};
use crate::explain::view::FactView;
use crate::explain::words;
use heddle_core::check::Check;
use heddle_core::config::capacity::PREFIX;
use heddle_core::model::{PartitionId, QueueId, Resource, UserId};
use heddle_core::scheduler::App;
use heddle_core::scheduler::app::Inactive;
use heddle_core::scheduler::capacity::{Leaf, Queue};

fn text(names: Names<'_>, r: Resource) -> String {
    let cluster = names.rm().cluster();
    words::counted(r, cluster.calculator, &cluster.types)
}

/// Returns how a queue's maximum comes about.
pub fn queue_max(names: Names<'_>, queue: QueueId, p: PartitionId) -> Vec<String> {
    let rm = names.rm();
    let Some(q) = rm.queues().get(queue.index()) else { return Vec::new() };
    let part = q.part(p);
    let percent = words::percent(f64::from(part.shares.absolute_max_capacity));
    let (total, maximum) = (text(names, rm.partition_total(p)), text(names, part.shares.effective_max));
    let reserved = (!part.reserved.is_zero()).then(|| (text(names, part.reserved), reserved_by(names, queue, p)));
    vec![
        say::queue_maximum(&percent, &total, &maximum),
        say::queue_used(&text(names, part.used), reserved.as_ref().map(|(amount, whose)| (amount.as_str(), &**whose))),
        say::queue_guaranteed(&text(names, part.shares.effective_min)),
    ]
}

/// Returns for whom a queue's reservations in a partition are, and on which nodes: "left-2 on n1".
pub fn reserved_by(names: Names<'_>, queue: QueueId, p: PartitionId) -> Vec<String> {
    let rm = names.rm();
    let below = |leaf: QueueId| names.path_up(leaf).any(|q| q == queue);
    let held = rm.nodes().iter().filter(|n| n.in_scheduler && n.partition == p).filter_map(|n| {
        let c = rm.cluster().containers.at(n.reserved?);
        let leaf = rm.scheduled(c.id.app)?.queue;
        below(leaf).then(|| on_host(&names.request_name(c.id.app, c.key, 1), &n.host))
    });
    held.collect()
}

/// Returns how the limit of a queue's AMs in a partition comes about.
pub fn am_limit_of_queue(names: Names<'_>, queue: QueueId, p: PartitionId, limit: Resource) -> Vec<String> {
    let rm = names.rm();
    let Some(q) = rm.queues().get(queue.index()) else { return Vec::new() };
    let part = q.part(p);
    let current = q.leaf.as_deref().map_or(Resource::ZERO, |l| l.current_limit);
    let within = rm.cluster().calculator.fits_in(&part.shares.effective_min, &current);
    let base = if p.is_default() && within { current } else { part.shares.effective_min };
    let mut out = Vec::new();
    if p.is_default() {
        let guaranteed = text(names, part.shares.effective_min);
        out.push(say::am_limit_base(&guaranteed, &text(names, current), &text(names, base)));
    }
    let cluster = rm.cluster();
    let (percent, step) = (words::percent(f64::from(part.am_percent)), text(names, cluster.minimum));
    let now = cluster.calculator.multiply_normalize_up(&base, part.am_percent, &cluster.minimum);
    let (limit, now) = (text(names, limit), text(names, now));
    // YARN computes it when an application comes, goes or is activated, not whenever the queue's reachable amount changes.
    if limit == now {
        out.push(say::am_limit(&percent, &text(names, base), &step, &limit));
    } else {
        out.push(say::am_limit_of_before(&percent, &limit, &now));
    }
    out
}

/// Returns how the AM limits of a queue and of one user come about.
pub fn am_limit(names: Names<'_>, app: &App, figures: &Inactive) -> Vec<String> {
    let mut out = am_limit_of_queue(names, app.queue, figures.partition, figures.queue_limit);
    let how = of_user(names, app, figures);
    let rm = names.rm();
    let now = rm.capacity().map(|s| s.user_am_limit_of(rm.cluster(), app.queue, app.user, figures.partition));
    out.extend([
        // The inputs may have changed since, above all who is active.
        match now.filter(|now| *now != figures.user_limit).zip(how.as_deref()) {
            Some((now, how)) => say::am_limit_of_user_before(&text(names, figures.user_limit), how, &text(names, now)),
            None => say::am_limit_of_user(how.as_deref(), &text(names, figures.user_limit)),
        },
        say::am_used(&text(names, figures.queue_used), &text(names, figures.user_used)),
        say::this_am(&text(names, figures.am_size)),
        ONE_AM_MAY_START.to_string(),
    ]);
    out
}

/// Returns how the limit of one user's AMs comes about (capacity-scheduler.md 4, step 2c).
fn of_user(names: Names<'_>, app: &App, figures: &Inactive) -> Option<String> {
    let q = names.rm().queues().get(app.queue.index())?;
    let part = q.part(figures.partition);
    let (percent, guaranteed) = (words::percent(f64::from(part.am_percent)), text(names, part.shares.effective_min));
    let factor = q.conf.user_limit_factor;
    if factor == -1.0 {
        return Some(say::no_user_limit_factor(&percent, &guaranteed));
    }
    let leaf = q.leaf.as_deref()?;
    let users = leaf.users.count_for_am_limit().max(1);
    let share = (q.conf.user_limit_percent / 100.0f32).max(1.0 / users as f32);
    let weight = leaf.users.get(app.user).map_or(1.0, |user| user.weight);
    let weight = Some(weight).filter(|weight| *weight != 1.0);
    Some(say::am_share_of_user(
        &percent,
        &guaranteed,
        &words::percent(f64::from(share)),
        users as usize,
        factor,
        weight,
    ))
}

/// Returns the limit by the rules before YARN-2637, which counted applications; only where it makes a difference: for an AM
/// larger than the minimum allocation.
pub fn counted_applications(names: Names<'_>, app: &App) -> Option<FactView> {
    let rm = names.rm();
    let figures = rm.inactive(app.id)?;
    let minimum = rm.cluster().minimum.memory_mb().max(1);
    let part = rm.queues().get(app.queue.index())?.part(figures.partition);
    let total = rm.partition_total(figures.partition).memory_mb();
    let share = f64::from(part.am_percent) * f64::from(part.shares.absolute_max_capacity);
    // Slightly below, because the shares are floats: 0.2 of 40 must not become 9.
    let count = ((total as f64 / minimum as f64 * share - 1e-4).ceil() as i64).max(1);
    let told = figures.am_size.memory_mb() > minimum && figures.check != Check::ClusterResources;
    told.then(|| {
        let (percent, total, smallest) = (words::percent(share), words::memory(total), words::memory(minimum));
        let (value, formula) = say::counted_applications(count, &percent, &total, &smallest);
        FactView { name: say::BEFORE_YARN_2637.to_string(), value, formula }
    })
}

/// Returns how a user's limit (capacity-scheduler.md section 6) in a partition comes about; `lent`: the limit for what the
/// partition lends to requests without its label.
pub fn user_limit(names: Names<'_>, queue: QueueId, (p, lent): (PartitionId, bool), user: UserId) -> Vec<String> {
    let rm = names.rm();
    let cluster = rm.cluster();
    let Some(q) = rm.queues().get(queue.index()) else { return Vec::new() };
    let Some(leaf) = q.leaf.as_deref() else { return Vec::new() };
    let part = q.part(p);
    let used_by = |active: bool| {
        let users = leaf.users.all().iter().filter(|u| !active || u.counted_active);
        users.filter_map(|u| u.used.get(p.index())).fold(Resource::ZERO, |sum, r| sum + *r)
    };
    let weights = 0.0 + leaf.users.all().iter().filter(|u| u.counted_active).map(|u| u.weight).sum::<f32>();
    let guarantee = &guarantee_of_users(names, q, p);
    let consumed = used_by(false);
    let current = if cluster.calculator.lt(&rm.partition_total(p), &consumed, guarantee) {
        guarantee
    } else {
        &(consumed + cluster.minimum)
    };
    let weight = leaf.users.all().iter().find(|u| u.user == user).map(|u| u.weight).filter(|weight| *weight != 1.0);
    let factor = q.conf.user_limit_factor;
    let cap = if lent {
        say::at_most_of_label(&text(names, rm.partition_total(p)), names.partition(p))
    } else if factor == -1.0 {
        say::at_most_maximum(&text(names, part.shares.effective_max))
    } else {
        let product = text(names, guarantee.multiply_round_down(factor));
        say::at_most_times_factor(&text(names, *guarantee), factor, &product)
    };
    vec![
        say::users_share(&text(names, *current), &text(names, *guarantee), &text(names, consumed)),
        say::active_users_use(&text(names, used_by(true)), &text(names, cluster.minimum), weights),
        say::or_percent_of_it(q.conf.user_limit_percent),
        cap,
    ]
    .into_iter()
    .chain(weight.map(|weight| say::times_weight(weight, cluster.user_name(user))))
    .chain(who_counts(names, leaf))
    .collect()
}

/// Returns the least amount that the users of a leaf share in a partition.
fn guarantee_of_users(names: Names<'_>, leaf: &Queue, p: PartitionId) -> Resource {
    let rm = names.rm();
    let cluster = rm.cluster();
    *cluster.calculator.max(&rm.partition_total(p), &leaf.part(p).shares.effective_min, &cluster.minimum)
}

/// Returns the properties behind a user limit as it was checked, the deciding one first: `user-limit-factor` if the limit is
/// what a single user may have of the guarantee, else `minimum-user-limit-percent`.
pub fn user_limit_properties(names: Names<'_>, queue: QueueId, p: PartitionId, limit: Resource) -> Vec<String> {
    let (percent, factor) = ("minimum-user-limit-percent", "user-limit-factor");
    let rm = names.rm();
    let Some(q) = rm.queues().get(queue.index()) else { return Vec::new() };
    let by_factor = q.conf.user_limit_factor;
    let cap = guarantee_of_users(names, q, p).multiply_round_down(by_factor);
    let calculator = rm.cluster().calculator;
    let capped = by_factor != -1.0 && !calculator.lt(&rm.partition_total(p), &limit, &cap);
    let which = if capped { [factor, percent] } else { [percent, factor] };
    properties(names, names.queue(queue), &which)
}

/// Returns which users count as active and which do not, if some have only applications that wait for activation.
fn who_counts(names: Names<'_>, leaf: &Leaf) -> Option<String> {
    let called = |counts: bool| -> Vec<&str> {
        let users = leaf.users.all().iter().filter(|u| u.counted_active == counts && (counts || u.pending_apps > 0));
        users.map(|u| names.rm().cluster().user_name(u.user)).collect()
    };
    let (active, pending) = (called(true), called(false));
    (!pending.is_empty()).then(|| say::who_counts(&active, &pending))
}

/// Returns properties of yarn-site.xml: their values and where they are written.
pub fn of_site(names: Names<'_>, which: &[&str]) -> Vec<String> {
    let scenario = names.scenario();
    let said = which.iter().map(|name| match scenario.settings.yarn_site.get(*name) {
        Some(value) => say::property_at(name, value, &place(scenario, scenario.origins.yarn_site.get(*name))),
        None => say::property_not_set(name),
    });
    said.collect()
}

/// Returns properties, by their full names, that the CapacityScheduler reads from its own file, else from yarn-site.xml.
pub fn of_scheduler(names: Names<'_>, which: &[&str]) -> Vec<String> {
    which.iter().map(|name| of_scheduler_if_set(names, name).unwrap_or_else(|| say::property_not_set(name))).collect()
}

/// Returns one of these properties; `None` if it is not set.
pub fn of_scheduler_if_set(names: Names<'_>, name: &str) -> Option<String> {
    let of_site = || names.scenario().settings.yarn_site.contains_key(name).then(|| of_site(names, &[name]).concat());
    origin::written(names, name).map(|setting| setting.said()).or_else(of_site)
}

/// Returns the properties that set something for a queue, or for all queues (`""`): their present values and where they come
/// from.
pub fn properties(names: Names<'_>, queue: &str, which: &[&str]) -> Vec<String> {
    which.iter().map(|property| Setting::of_queue(names, queue, property).said()).collect()
}

/// Returns the properties that give a queue its share of a partition.
pub fn shares(names: Names<'_>, queue: &str, p: PartitionId) -> Vec<String> {
    match names.partition(p) {
        "" => properties(names, queue, &["maximum-capacity", "capacity"]),
        label => {
            let of = |what: &str| format!("accessible-node-labels.{label}.{what}");
            properties(names, queue, &[&of("maximum-capacity"), &of("capacity")])
        }
    }
}

/// Returns the property that limits the AMs of a queue in a partition: the label's if it is set, else the queue's.
pub fn am_percent(names: Names<'_>, queue: &str, p: PartitionId) -> Vec<String> {
    const PERCENT: &str = "maximum-am-resource-percent";
    let label = match names.partition(p) {
        "" => None,
        label => origin::written(names, &format!("{PREFIX}{queue}.accessible-node-labels.{label}.{PERCENT}")),
    };
    label.map_or_else(|| properties(names, queue, &[PERCENT]), |own| vec![own.said()])
}

/// Returns the property that limits how many applications of a user run at a time.
pub fn parallel_of_user(names: Names<'_>, user: &str) -> Vec<String> {
    let own = origin::written(names, &format!("{PREFIX}user.{user}.max-parallel-apps"));
    own.or_else(|| origin::written(names, &format!("{PREFIX}user.max-parallel-apps")))
        .iter()
        .map(Setting::said)
        .collect()
}
