//! Activated applications whose diagnostics have Details: the partition, the queue's part of it and its use are as printed, and
//! what the queue does not use is held by another queue where the AM would have room otherwise.

use super::draft::{Draft, JOB, NO_AM, Pair, am, bounded, host, left, name, size, step, tasks};
use super::masters::{finer, holding, label_key, last_node, names, percent, stays, used_of};
use crate::config::resource_text::DOMINANT;
use crate::import::lines::figure::Figures;
use crate::model::java::float_text;
use crate::scenario::units::time_text;

/// The memory of an AM that the text does not tell, if it fits.
const AM_MB: i64 = 1024;
/// A share that lets AMs use all that their queue has.
const AM_SHARE: i64 = 10;

/// The queue in its partition, by the Details.
struct Part {
    total: Pair,
    /// Percent of the partition.
    share: f64,
    maximum: f64,
    used: Pair,
    /// What the queue may use at most, MiB.
    most_mb: i64,
    /// Whether vcores decide.
    dominant: bool,
    label: String,
    /// The queue's path.
    path: String,
    user: String,
    /// Smallest allocation, MiB.
    step: i64,
}

/// Reads the Details, and sets up the queue.
fn part(f: &Figures, d: &mut Draft) -> Result<Part, String> {
    let total = f.pair("partition_size").ok_or("the partition's size is not in the text")?;
    bounded(&[total])?;
    if total.0 <= 0 || total.1 <= 0 {
        return Err("the partition has nothing".into());
    }
    let (share, maximum) = (f.real("queue_capacity").unwrap_or(100.0), f.real("queue_max").unwrap_or(100.0));
    if !(0.0..=100.0).contains(&share) || !(0.0..=100.0).contains(&maximum) || maximum < share {
        return Err("the percentages are none of a queue".into());
    }
    let of_total = |percent: f64| (percent / 100.0 * total.0 as f64).floor() as i64;
    let most_mb = f.pair("queue_max_size").map_or(of_total(maximum), |most| most.0);
    let printed = f.real("queue_used");
    let is =
        |used: i64, of: i64, percent: f64| float_text(used as f32 / of as f32 * 100.0) == float_text(percent as f32);
    let (used, dominant) = match (f.pair("queue_used_size"), printed) {
        (Some(used), Some(percent)) => (used, !is(used.0, total.0, percent) && is(used.1, total.1, percent)),
        (Some(used), None) => (used, false),
        (None, Some(percent)) => match used_of(total.0, percent) {
            Some(mb) => ((mb, i64::from(mb > 0)), false),
            // The share of the vcores, with a container of usual size for each.
            None => {
                let vcores = (percent / 100.0 * total.1 as f64).round() as i64;
                if !is(vcores, total.1, percent) {
                    d.lose(format!("neither memory nor vcores of the partition give a used share of {percent} %"));
                }
                let mb = (percent / 100.0 * total.0 as f64 / 1024.0).floor() as i64 * 1024;
                ((mb, vcores), is(vcores, total.1, percent))
            }
        },
        (None, None) => ((0, 0), false),
    };
    bounded(&[used])?;
    if used.0 > total.0 || (dominant && used.1 > total.1) {
        return Err("the queue uses more than there is".into());
    }
    let (label, queue, user) = names(f, d);
    let node = [f.pair("node_size"), f.pair("node_free")].into_iter().flatten().map(|(mb, _)| mb);
    let step = finer(step([used.0, total.0 - used.0, AM_MB].into_iter().chain(node)), used);
    let set = |x: f64| percent(x).unwrap_or_else(|| x.to_string());
    let path = d.queue_of(&queue, share, maximum, &set);
    d.capacity("maximum-am-resource-percent", AM_SHARE);
    d.capacity(&format!("{path}.user-limit-factor"), 100);
    if !label.is_empty() {
        label_part(d, &label, &path, (share, maximum), &set);
    }
    if dominant {
        d.capacity("resource-calculator", DOMINANT);
        d.assume("the dominant resource is counted: the used share is that of the vcores");
    }
    if step != 1024 {
        d.site("scheduler.minimum-allocation-mb", step);
        d.assume(format!("minimum allocation {step} MB: the sizes are no multiples of 1024"));
    }
    d.site("scheduler.maximum-allocation-mb", total.0.max(8192));
    d.site("scheduler.maximum-allocation-vcores", total.1.max(4));
    Ok(Part { total, share, maximum, used, most_mb, dominant, label, path, user, step })
}

/// Gives the queue its part of a label, and the rest of it to the queue beside it.
fn label_part(d: &mut Draft, label: &str, path: &str, (share, maximum): (f64, f64), set: &dyn Fn(f64) -> String) {
    d.label(label, path, true);
    let key = |path: &str, what: &str| format!("{path}.accessible-node-labels.{label}.{what}");
    d.capacity(&key(path, "maximum-am-resource-percent"), AM_SHARE);
    d.capacity(&key(path, "maximum-capacity"), set(maximum));
    if share < 100.0 {
        d.capacity(&key(path, "capacity"), set(share));
        let beside = beside(path);
        d.capacity(&format!("{beside}.accessible-node-labels"), label);
        d.capacity(&key(&beside, "capacity"), left(&set(share)));
        d.capacity(&key(&beside, "maximum-am-resource-percent"), AM_SHARE);
    }
}

/// Returns the path of the queue that has the rest of a queue's parent.
fn beside(path: &str) -> String {
    match path.rsplit_once('.') {
        Some((parent, "rest")) => format!("{parent}.rest2"),
        Some((parent, _)) => format!("{parent}.rest"),
        None => "root.rest".to_string(),
    }
}

/// What the queue and other queues use on one node.
#[derive(Clone, Copy, Default)]
struct Held {
    own: Pair,
    others: Pair,
}

impl Part {
    fn more(&self) -> String {
        label_key(&self.label)
    }

    /// Returns the memory that the queue may still use.
    fn room_mb(&self) -> i64 {
        (self.most_mb.min(self.total.0) - self.used.0).max(0)
    }

    /// Adds what runs on the nodes: an application of the queue, and one of the queue beside it.
    fn hold(&self, d: &mut Draft, nodes: &[(&str, Held)], user: &str) {
        let pinned = self.label.is_empty();
        // Each container has a vcore: many vcores in little memory need small containers.
        let step = nodes.iter().flat_map(|(_, held)| [held.own, held.others]).fold(self.step, finer);
        if step < self.step && !self.dominant {
            d.site("scheduler.minimum-allocation-mb", step);
            d.assume(format!("minimum allocation {step} MB: each vcore is a container"));
        }
        let held = |of: &dyn Fn(&Held) -> Pair| {
            let mut out = Vec::new();
            for (node, held) in nodes {
                let of = of(held);
                out.extend(if self.dominant && of.0 > 0 { whole(node, of) } else { holding(node, of, step) });
            }
            if !pinned {
                // A request for a label names no host.
                let places = |node: &str| format!(", places = [\"{node}\"], relax = false");
                let bare = |task: String| nodes.iter().fold(task, |task, (node, _)| task.replace(&places(node), ""));
                out = out.into_iter().map(bare).collect();
            }
            out
        };
        let more = self.more();
        let own = held(&|held| held.own);
        if !own.is_empty() {
            d.assume(format!("another application of the queue holds {} MB", self.used.0));
            d.app("busy", "0 s", &self.path, user, NO_AM, &format!("{more}tasks = [{}]", own.join(", ")));
        }
        let others = held(&|held| held.others);
        if others.is_empty() {
            return;
        }
        let sum: i64 = nodes.iter().map(|(_, held)| held.others.0).sum();
        let beside = beside(&self.path);
        if self.share >= 100.0 {
            self.add_beside(d, &beside);
        }
        d.capacity(&format!("{beside}.user-limit-factor"), if self.share >= 100.0 { -1 } else { 100 });
        d.assume(format!("another queue holds {sum} MB"));
        d.app("others", "0 s", &beside, "carol", NO_AM, &format!("{more}tasks = [{}]", others.join(", ")));
    }

    /// Adds a queue of 0 % beside one that has all.
    fn add_beside(&self, d: &mut Draft, beside: &str) {
        let Some((parent, own)) = self.path.rsplit_once('.') else { return };
        let other = beside.rsplit('.').next().unwrap_or("rest");
        d.capacity(&format!("{parent}.queues"), format!("{own},{other}"));
        d.capacity(&format!("{beside}.capacity"), 0);
        d.capacity(&format!("{beside}.maximum-capacity"), 100);
        d.capacity(&format!("{beside}.maximum-applications"), 100);
    }

    /// Returns an AM that waits although no node is looked at for it, and what other queues hold for that.
    fn without_node(&self, d: &mut Draft) -> (Pair, i64, bool) {
        let room = self.room_mb();
        let usual = AM_MB.min(self.total.0 / self.step * self.step).max(self.step);
        if room < usual {
            let full = if room == 0 {
                "the queue is at its maximum".to_string()
            } else {
                format!("the queue may take {room} MB more")
            };
            d.assume(format!("an AM of {usual} MB: {full}"));
            return ((usual, 1), 0, false);
        }
        let larger = (room / self.step + 1) * self.step;
        if self.share < 100.0 || self.maximum < 100.0 {
            let free = self.total.0 - self.used.0;
            if larger <= 8192.max(self.total.0 / 16) {
                d.assume(format!("an AM of {larger} MB: more than the {room} MB that the queue may still take"));
                return ((larger, 1), 0, false);
            }
            d.assume(format!("an AM of {usual} MB, and nothing is free"));
            return ((usual, 1), free, false);
        }
        if larger <= self.total.0 / 2 {
            d.assume(format!("an AM of {larger} MB: more than the {room} MB that are free"));
            return ((larger, 1), 0, false);
        }
        d.assume(format!("an AM of {usual} MB that was just submitted: by these figures there is room, and no node was looked at for it"));
        ((usual, 1), 0, true)
    }
}

/// Returns one task with all of it: the dominant resource is counted, and keeps its vcores.
fn whole(host: &str, of: Pair) -> Vec<String> {
    vec![format!(
        "{{ count = 1, size = \"{}\", duration = \"forever\", places = [\"{host}\"], relax = false }}",
        size((of.0, of.1.max(1)))
    )]
}

fn not_of(user: &str) -> &'static str {
    if user == "bob" { "alice" } else { "bob" }
}

/// An AM that waits, with or without a node that was looked at for it.
pub fn waits(f: &Figures) -> Result<Draft, String> {
    let mut d = Draft::new("An AM waits for room on a node", 20_600, "app:waiting");
    let part = part(f, &mut d)?;
    match f.text("node").map(host).and_then(name) {
        Some(node) => on_node(f, d, &part, node),
        None => {
            let (ask, others, just) = part.without_node(&mut d);
            d.assume("the number of nodes is not in the text: one");
            d.node("n1", part.total, &part.more());
            let free = (others, i64::from(others > 0));
            part.hold(&mut d, &[("n1", Held { own: part.used, others: free })], not_of(&part.user));
            let submit = if just { 20_500 } else { 15_000 };
            waiting(&mut d, &part, submit, ask);
            Ok(d)
        }
    }
}

/// Adds the AM that waits, at a time in milliseconds; later if the queue's containers take longer to come, a hundred a heartbeat.
fn waiting(d: &mut Draft, part: &Part, submit_ms: i64, ask: Pair) {
    let late = part.used.1.clamp(0, 2000) / 100 * 1000;
    d.at += late;
    let submit = &time_text(submit_ms + late);
    let tail = format!("{}{}", part.more(), stays(part.step));
    d.app("waiting", submit, &part.path, &part.user, &am(ask), &tail);
}

/// A node that was looked at and passed: the AM has a reservation on another one already, else it would reserve this one.
fn on_node(f: &Figures, mut d: Draft, part: &Part, node: &str) -> Result<Draft, String> {
    let port = f.text("node").and_then(|node| node.split_once(':')?.1.parse::<u16>().ok());
    let total = f.pair("node_size").unwrap_or(part.total);
    let free = f.pair("node_free").unwrap_or((0, 0));
    bounded(&[total])?;
    if total.0 <= 0 || free.0 < 0 || free.0 > total.0 || total.0 > part.total.0 {
        return Err("the node does not fit into its partition".into());
    }
    let rest = (part.total.0 - total.0, part.total.1 - total.1);
    // Steps so small that two nodes together have more free than the AM needs, and none of them enough.
    let step = if free.0 < part.step * 2 && part.step > 1 { part.step / 2 } else { part.step };
    let here = (total.0 - free.0, total.1 - free.1);
    // The least AM that does not fit; the reservation counts as used.
    let ask = ((free.0 / step + 1) * step).max(AM_MB / step * step);
    let free_there = ask - step;
    let reserves = free.0 > step
        && ask <= rest.0
        && part.used.0 >= ask
        && part.used.1 >= 1
        && part.used.0 < part.most_mb
        && part.used.0 - ask <= here.0 + rest.0 - free_there;
    let step = if reserves { step } else { part.step };
    if step != part.step {
        d.site("scheduler.minimum-allocation-mb", step);
        d.assume(format!("minimum allocation {step} MB: the AM needs little more than the node has free"));
    }
    if free.0 < step {
        d.lose(format!("a node with {} MB free is passed over before an application is looked at", free.0));
    } else if !reserves {
        d.lose("a node that is looked at is reserved for the AM, unless it has a reservation on another one, which these figures leave no room for");
    }
    let (ask, own_all) = if reserves {
        d.assume(format!("an AM of {ask} MB, with a reservation on another node that counts as used"));
        ((ask, 1), (part.used.0 - ask, part.used.1 - 1))
    } else {
        let (ask, ..) = part.without_node(&mut d);
        (ask, part.used)
    };
    let own_mb = own_all.0.min(here.0).max(own_all.0 - rest.0.max(0));
    let (other_mb, there_mb) = (here.0 - own_mb, own_all.0 - own_mb);
    if other_mb < 0 {
        return Err("the queue uses more than its nodes have".into());
    }
    // Each container has a vcore; what the queue has elsewhere, and what other queues have here, as well.
    let own_vcores = match (other_mb > 0, there_mb > 0) {
        (false, _) => here.1,
        (true, false) => own_all.1,
        (true, true) => (own_all.1 - 1).min(here.1 - 1),
    };
    let own = (own_mb, own_vcores);
    let there = (there_mb, own_all.1 - own_vcores);
    let others_here = (other_mb, here.1 - own_vcores);
    if [own, there, others_here].iter().any(|(mb, vcores)| (*mb > 0) != (*vcores > 0)) {
        d.lose("the vcores of the queue and of the node do not go together with one vcore for each container");
    }
    let other = if node == "n1" { "n2" } else { "n1" };
    // Little is left there: the AM does not fit, and the node is looked at.
    let others_mb = (rest.0 - there.0 - if reserves { free_there } else { 0 }).max(0);
    let others_there = (others_mb, i64::from(others_mb > 0));
    if rest.0 > 0 {
        let rest = (rest.0, rest.1.max(1));
        d.assume(format!("one more node has the rest of the partition, {}", size(rest)));
        d.node(other, rest, &part.more());
    }
    let port = port.map_or(String::new(), |port| format!("port = {port}\n"));
    d.node(node, total, &format!("{}{port}", part.more()));
    let held = [(node, Held { own, others: others_here }), (other, Held { own: there, others: others_there })];
    part.hold(&mut d, if rest.0 > 0 { &held } else { held.get(..1).unwrap_or(&held) }, not_of(&part.user));
    // The other node has its turn on the second, this one half a second later.
    d.at = 20_990;
    waiting(&mut d, part, if reserves { 19_700 } else { 15_000 }, ask);
    Ok(d)
}

/// A user at its limit.
pub fn at_user_limit(f: &Figures) -> Result<Draft, String> {
    let mut d = Draft::new("A user is at its limit", 20_000, "app:waiting");
    let mut part = part(f, &mut d)?;
    let guaranteed = part.share / 100.0 * part.total.0 as f64;
    let used = f.pair("user_used").unwrap_or_else(|| {
        d.assume("one user holds all that the queue uses");
        part.used
    });
    bounded(&[used])?;
    let limit = f.pair("user_limit").unwrap_or_else(|| {
        let of_queue = guaranteed.floor() as i64;
        let mb = if of_queue < used.0 { of_queue } else { used.0 - part.step };
        d.assume(format!("a user limit of {mb} MB: the text does not tell it, and it is less than the user holds"));
        (mb, 1)
    });
    if limit.0 <= 0 || used.0 <= limit.0 {
        return Err("the user uses no more than its limit: 3.5.0 stops it only beyond".into());
    }
    if used.0 > part.used.0 || used.1 > part.used.1 {
        return Err("the user uses more than its queue".into());
    }
    if limit.1 > 1 && !part.dominant {
        part.dominant = true;
        d.capacity("resource-calculator", DOMINANT);
        d.assume("the dominant resource is counted: the limit has vcores of its own");
    }
    if guaranteed <= 0.0 {
        return Err("a queue of 0 % has no limit for its users".into());
    }
    let factor = {
        let exact = limit.0 as f64 / guaranteed;
        if (exact - 1.0).abs() < 1e-6 { 1.0 } else { (limit.0 as f64 - part.step as f64 / 2.0) / guaranteed }
    };
    d.capacity(&format!("{}.user-limit-factor", part.path), factor);
    d.assume(format!("user-limit-factor {factor}"));
    d.node("n1", part.total, &part.more());
    d.assume(format!("one node of {}", size(part.total)));
    // The last container goes beyond the limit; the earlier ones stay within.
    let last = (used.0 - limit.0, if part.dominant { (used.1 - limit.1).max(1) } else { 1 });
    let within = (used.0 - last.0, used.1 - last.1);
    let rest = (part.used.0 - used.0, part.used.1 - used.1);
    let step = [within, rest].into_iter().fold(part.step, finer);
    if step < part.step && !part.dominant {
        part.step = step;
        d.site("scheduler.minimum-allocation-mb", step);
        d.assume(format!("minimum allocation {step} MB: each vcore is a container"));
    }
    let mut hold = |name: &str, user: &str, of: Pair, last: Pair| {
        let mut held = if part.dominant && of.0 > 0 { whole("n1", of) } else { holding("n1", of, part.step) };
        if last.0 > 0 {
            held.extend(whole("n1", last));
        }
        let tasks = if part.label.is_empty() {
            held.join(", ")
        } else {
            held.join(", ").replace(", places = [\"n1\"], relax = false", "")
        };
        d.app(name, "0 s", &part.path, user, NO_AM, &format!("{}tasks = [{tasks}]", part.more()));
    };
    hold("busy", &part.user, within, last);
    if rest.0 > 0 {
        hold("others", not_of(&part.user), rest, (0, 0));
        d.assume(format!("another user holds {} MB", rest.0));
    }
    waiting(&mut d, &part, 15_000, (part.step, 1));
    d.assume(format!("an AM of {} MB", part.step));
    Ok(d)
}

/// The node of the text, or one that has all of the partition but a container's room.
fn skipped_node(f: &Figures, d: &mut Draft, part: &Part, all: bool) -> Result<(String, u16, Pair, Pair), String> {
    if f.has("node_size") {
        return last_node(f, d);
    }
    let host = f.text("node").map(host).and_then(name).unwrap_or("n2").to_string();
    d.lose("3.5.0 says which node was looked at last as well, and the text does not");
    let rest = (part.total.0 - if all { 0 } else { part.step }, (part.total.1 - i64::from(!all)).max(1));
    if rest.0 <= 0 {
        return Err("the partition has room for one container only".into());
    }
    let free = (rest.0 - part.used.0.min(rest.0), rest.1 - part.used.1.min(rest.1));
    d.assume(format!("a node of {} in it", size(rest)));
    Ok((host, 8041, rest, free))
}

/// The nodes of a partition one of which was skipped: that one, and the one that the AM could take but for its size.
struct Skipped {
    other: &'static str,
    rest: Pair,
    /// An AM that only the skipped node has room for.
    ask: Pair,
}

fn skipped(f: &Figures, d: &mut Draft, part: &Part, racks: bool) -> Result<Skipped, String> {
    let (host, port, total, free) = skipped_node(f, d, part, false)?;
    let rest = (part.total.0 - total.0, (part.total.1 - total.1).max(1));
    if rest.0 < 0 {
        return Err("the node does not fit into its partition".into());
    }
    let other = if host == "n1" { "n2" } else { "n1" };
    let here = (total.0 - free.0, total.1 - free.1);
    let own = (part.used.0.min(here.0), if part.used.0 >= here.0 { here.1 } else { part.used.1 });
    let there = (part.used.0 - own.0, part.used.1 - own.1);
    let others = (here.0 - own.0, here.1 - own.1);
    if there.0 > rest.0 {
        return Err("what the queue uses and what is free on the node do not go together".into());
    }
    let rack = |n: i32| if racks { format!("rack = \"/r{n}\"\n") } else { String::new() };
    if rest.0 > 0 {
        d.assume(format!("one more node has the rest of the partition, {}", size(rest)));
        d.node(other, rest, &format!("{}{}", part.more(), rack(1)));
    }
    d.node(&host, total, &format!("{}{}port = {port}\n", part.more(), rack(2)));
    let free_there = rest.0 - there.0;
    let ask = (free_there / part.step + 1) * part.step;
    let held = [(host.as_str(), Held { own, others }), (other, Held { own: there, others: (0, 0) })];
    part.hold(d, if rest.0 > 0 { &held } else { held.get(..1).unwrap_or(&held) }, not_of(&part.user));
    if ask > free.0 || ask > part.room_mb() {
        d.lose("by these figures the AM that only the node has room for is beyond what the queue may take");
        return Ok(Skipped { other, rest, ask: (part.step, 1) });
    }
    d.assume(format!("an AM of {ask} MB: {other} has {free_there} MB free"));
    Ok(Skipped { other, rest, ask: (ask, 1) })
}

/// An AM that failed on a node and waits for another one.
pub fn blacklisted(f: &Figures) -> Result<Draft, String> {
    // Right after the node's first turn since the AM failed.
    let mut d = Draft::new("An AM failed on this node before", 18_700, JOB);
    let part = part(f, &mut d)?;
    let skipped = skipped(f, &mut d, &part, false)?;
    d.assume("the AM failed there once");
    d.site("resourcemanager.am-scheduling.node-blacklisting-enabled", true);
    d.site(
        "resourcemanager.am-scheduling.node-blacklisting-disable-threshold",
        if skipped.rest.0 > 0 { "0.9" } else { "1.1" },
    );
    let fails = format!("{{ size = \"{}\", fails_after = \"3 s\", exit_code = 1 }}", size(skipped.ask));
    // A task would hold room on the node.
    let later = tasks(1, (part.step, 1), ", delay = \"1 h\"");
    d.app("job", "10 s", &part.path, &part.user, &fails, &format!("{}{later}", part.more()));
    Ok(d)
}

/// An AM that asks for a node without room for it, while the node of the text has some.
pub fn elsewhere(f: &Figures) -> Result<Draft, String> {
    let mut d = Draft::new("An AM asks for another node", 5_700, "app:waiting");
    let part = part(f, &mut d)?;
    let Skipped { other, rest, ask, .. } = skipped(f, &mut d, &part, true)?;
    if rest.0 <= 0 {
        d.lose("the AM asks for a host outside of the partition");
    }
    d.assume(format!("the AM asks for {other}"));
    // With the delay of two nodes one missed turn is not enough.
    d.capacity("rack-locality-additional-delay", 40);
    let asks = format!("{{ size = \"{}\", places = [\"{other}\"] }}", size(ask));
    // After the other node's turn, and before this one's.
    d.app("waiting", "5.2 s", &part.path, &part.user, &asks, &stays(part.step));
    Ok(d)
}

/// An AM without a label, for which its own partition has no room and a lent node has.
pub fn borrowing(f: &Figures) -> Result<Draft, String> {
    let mut d = Draft::new("An AM never runs on a lent node", 30_700, "app:waiting");
    let part = part(f, &mut d)?;
    let (host, port, total, free) =
        if f.has("node_size") { last_node(f, &mut d)? } else { skipped_node(f, &mut d, &part, true)? };
    let label = f.text("node_partition").and_then(name).unwrap_or_else(|| {
        d.assume("the lent node's label is x");
        "x"
    });
    let label = label.to_string();
    d.assume(format!("label {label} lends its room"));
    d.label(&label, &part.path, false);
    let (ask, others, _) = part.without_node(&mut d);
    let other = if host == "n1" { "n2" } else { "n1" };
    d.assume(format!("one node of {} is the partition", size(part.total)));
    d.node(other, part.total, "");
    d.node(&host, total, &format!("label = \"{label}\"\nport = {port}\n"));
    let free_mb = others.max(if part.room_mb() >= ask.0 { part.total.0 - part.used.0 } else { 0 });
    let others = (free_mb, i64::from(free_mb > 0));
    part.hold(&mut d, &[(other, Held { own: part.used, others })], not_of(&part.user));
    let on_lent = (total.0 - free.0, (total.1 - free.1).max(1));
    if on_lent.0 > 0 {
        let held = tasks(1, on_lent, &format!(", label = \"{label}\""));
        d.app("labelled", "0 s", &part.path, not_of(&part.user), NO_AM, &format!("label = \"{label}\"\n{held}"));
    }
    waiting(&mut d, &part, 15_000, ask);
    Ok(d)
}
