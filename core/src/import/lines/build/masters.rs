//! Waiting ApplicationMasters under the CapacityScheduler (CSAMContainerLaunchDiagnosticsConstants).

use super::active;
use super::draft::{Draft, JOB, NO_AM, Pair, am, bounded, host, name, queue_name, size, step, tasks, user_name};
use crate::config::resource_text::DOMINANT;
use crate::import::lines::figure::Figures;
use crate::model::java::float_text;
use crate::scenario::units::time_text;

/// Returns a task that never ends, so that its AM stays.
pub(super) fn stays(step: i64) -> String {
    tasks(1, (step, 1), "")
}

/// Returns the label, the queue and the user that a text names.
pub(super) fn names(f: &Figures, d: &mut Draft) -> (String, String, String) {
    let label = f.text("partition").and_then(name).unwrap_or_default().to_string();
    let queue = f.text("queue").and_then(queue_name);
    let queue = queue.unwrap_or_else(|| {
        d.assume("queue root.default");
        "default"
    });
    let user = f.text("user").and_then(user_name).unwrap_or_else(|| {
        d.assume("user alice");
        "alice"
    });
    (label, queue.to_string(), user.to_string())
}

/// Returns the key of a label, if there is one.
pub(super) fn label_key(label: &str) -> String {
    if label.is_empty() { String::new() } else { format!("label = \"{label}\"\n") }
}

struct Limits {
    ask: Pair,
    queue: Pair,
    user: Pair,
    used: Pair,
    step: i64,
}

/// Reads the figures of the AM limits; missing ones are chosen.
fn limits(f: &Figures, d: &mut Draft, of_user: bool) -> Result<Limits, String> {
    let after = f.pair("am_if_started");
    let ask = f.pair("ask").unwrap_or_else(|| {
        let ask = (1024, 1);
        d.assume("an AM of 1024 MB");
        ask
    });
    if f.size("ask").is_some_and(|size| size.len() == 1) {
        d.assume("vcores are missing: 1 taken");
    }
    let given = f.pair("queue_am_limit");
    let user_given = f.pair("user_am_limit");
    let used = f
        .pair("queue_am_used")
        .or(after.map(|(mb, v)| ((mb - ask.0).max(ask.0), (v - ask.1).max(1))))
        .unwrap_or_else(|| {
            d.assume("one AM of the same size runs");
            ask
        });
    let queue = given.unwrap_or_else(|| {
        let limit = if of_user { (used.0.saturating_add(ask.0), 1) } else { (used.0.max(ask.0), 1) };
        d.assume("the limit of the queue is not in the text");
        limit
    });
    let user = user_given.unwrap_or_else(|| {
        if of_user {
            d.assume("the user's limit is not in the text");
            (used.0, 1)
        } else {
            queue
        }
    });
    bounded(&[ask, queue, user, used])?;
    if ask.0 == 0 {
        return Err("an AM of 0 MB is none".into());
    }
    if used.0 == 0 {
        return Err(
            "no AM runs in the queue by these figures: 3.5.0 then starts the first one whatever the limit is".into()
        );
    }
    let step = step([ask.0, queue.0, user.0, used.0].into_iter());
    Ok(Limits { ask, queue, user, used, step })
}

fn limited(f: &Figures, of_user: bool) -> Result<Draft, String> {
    let title = if of_user { "AM limit of a user" } else { "AM limit of a queue" };
    let mut d = Draft::new(title, 20_000, "app:waiting");
    let Limits { ask, queue, mut user, used, step } = limits(f, &mut d, of_user)?;
    let (label, queue_named, user_named) = names(f, &mut d);
    let passes = |sum: i64, limit: i64| sum <= limit;
    let sum = used.0.saturating_add(ask.0);
    if of_user {
        if !passes(sum, queue.0) {
            return Err("the queue's AM limit would stop it before the user's does".into());
        }
        if passes(sum, user.0) {
            return Err("used and asked together are within the user's limit".into());
        }
    }
    if user.0 > queue.0 {
        d.assume("a user's limit above the queue's is taken as the queue's");
        user = queue;
    }
    // A limit prints 1 vcore if only memory counts.
    let memory_only = queue.1 <= 1 && user.1 <= 1 && ask.1 <= 1;
    if memory_only && queue.1 == 0 && queue.0 > 0 {
        return Err("a limit of 0 vcores beside memory is none that 3.5.0 prints".into());
    }
    let over = |a: i64, b: i64| a.saturating_add(b);
    if !memory_only && !of_user && passes(sum, queue.0) && passes(over(used.1, ask.1), queue.1) {
        return Err("used and asked together are within the limit".into());
    }
    if memory_only && !of_user && passes(sum, queue.0) {
        return Err("used and asked together are within the limit".into());
    }
    // The node is a multiple of the limit; powers of two keep the share exact.
    let many = (1..=10).map(|i| 1_i64 << i).find(|k| {
        let room = queue.0.saturating_mul(*k);
        let cores = memory_only || queue.1.saturating_mul(*k) >= over(used.1, ask.1);
        let of_users = user.0.saturating_mul(*k) >= used.0;
        queue.0 == 0 || (room >= sum && cores && of_users)
    });
    let Some(many) = many else { return Err("the limit is too small for what runs".into()) };
    let (node, share) = if queue.0 == 0 {
        ((sum, over(used.1, ask.1).max(8)), 0.0)
    } else {
        let cores = if memory_only { over(used.1, ask.1).max(8) } else { queue.1.saturating_mul(many) };
        ((queue.0.saturating_mul(many), cores), 1.0 / many as f64)
    };
    d.assume(format!("one node of {}, of which AMs may use {} %", size(node), share * 100.0));
    d.allow(&[ask, queue, user, used]);
    let path = d.queue(&queue_named);
    d.capacity("maximum-am-resource-percent", share);
    if !memory_only {
        d.capacity("resource-calculator", DOMINANT);
        d.assume("the dominant resource is counted: the limit has vcores of its own");
    }
    if user != queue {
        let factor = factor(user, queue, step, memory_only)
            .ok_or("no user-limit-factor gives both, the memory and the vcores of the user's limit")?;
        d.capacity(&format!("{path}.user-limit-factor"), factor);
        d.assume(format!("user-limit-factor {factor}"));
    }
    let more = label_key(&label);
    if !label.is_empty() {
        d.label(&label, &path, true);
        d.capacity(&format!("{path}.accessible-node-labels.{label}.maximum-am-resource-percent"), share);
    }
    d.node("n1", node, &more);
    if !label.is_empty() {
        d.node("n2", (step.max(1024), 1), "");
    }
    let running = Running { ask, used, limit: user, queue, memory_only, step };
    let other = if of_user {
        user_named.clone()
    } else if user_named == "bob" {
        "alice".into()
    } else {
        "bob".to_string()
    };
    // Tasks come long after: a heartbeat gives one container, and the next AM shall have it.
    let tail = format!("{more}{}", tasks(1, (step, 1), ", delay = \"1 h\""));
    let started = running.start(&mut d, &path, &other, of_user, &tail);
    d.at = d.at.saturating_add(started.saturating_mul(1000));
    let submitted = time_text(d.at - 10_000);
    d.app("waiting", &submitted, &path, &user_named, &am(ask), &tail);
    Ok(d)
}

/// The AMs that run, at most.
const AMS: i64 = 200;

/// What the AMs that run use together.
struct Running {
    ask: Pair,
    used: Pair,
    /// The limits that they stay within as far as they can: each user's, and the queue's.
    limit: Pair,
    queue: Pair,
    memory_only: bool,
    step: i64,
}

impl Running {
    fn within(&self, (mb, vcores): Pair, limit: Pair) -> bool {
        mb <= limit.0 && (self.memory_only || vcores <= limit.1)
    }

    /// Adds the AMs: several of the requested size, or as many as vcores are used if only memory counts, or one. Returns how
    /// many there are, one for each heartbeat.
    fn start(&self, d: &mut Draft, path: &str, user: &str, of_user: bool, tail: &str) -> i64 {
        let Running { ask, used, step, .. } = *self;
        let copies = used.0 / ask.0;
        let alike = copies > 1 && used == (ask.0 * copies, ask.1 * copies);
        // How many AMs of the requested size a user may have; the first one starts whatever the limit is.
        let each = (1..=copies).rev().find(|n| self.within((ask.0 * n, ask.1 * n), self.limit)).unwrap_or(1);
        if alike && copies <= AMS && self.within(used, self.queue) {
            d.assume(format!("{copies} AMs of that size run"));
            let own = each;
            d.app("running-{1}", "1 s", path, user, &am(ask), &format!("copies = {own}\n{tail}"));
            if copies > own {
                d.assume(format!("{own} of them are {user}'s, the others of other users"));
                let mut left = copies - own;
                for i in 1.. {
                    let of_this = left.min(each);
                    let name = format!("others{i}-{{1}}");
                    let copies = format!("copies = {of_this}\n{tail}");
                    d.app(&name, "1 s", path, &format!("user{i}"), &am(ask), &copies);
                    left -= of_this;
                    if left <= 0 {
                        break;
                    }
                }
            }
            return copies;
        }
        // If only memory counts, YARN gives each AM one vcore, so there are as many AMs as vcores used.
        let most = (used.0 / step).min(AMS);
        if self.memory_only
            && used.1 > 1
            && self.within(used, if of_user { self.limit } else { self.queue })
            && used.1 <= most
        {
            d.assume(format!("{} AMs hold what is used, one vcore each", used.1));
            let each = used.0 / used.1 / step * step;
            let last = used.0 - each * (used.1 - 1);
            let others = format!("copies = {}\n{tail}", used.1 - 1);
            d.app("running-{1}", "1 s", path, user, &am((each, 1)), &others);
            d.app("running-last", "2 s", path, user, &am((last, 1)), tail);
            return used.1;
        }
        d.assume("one AM holds all that is used");
        if self.memory_only && used.1 != 1 {
            d.lose("where memory alone is counted one AM has 1 vcore, and no AMs within the limit have these together");
        }
        d.app("running", "1 s", path, user, &am(used), tail);
        1
    }
}

/// Returns a user limit factor that yields the user's limit from the queue's, rounded up to steps.
fn factor(user: Pair, queue: Pair, step: i64, memory_only: bool) -> Option<f64> {
    if queue.0 == 0 {
        return None;
    }
    let (low, high) = ((user.0 - step).max(0) as f64 / queue.0 as f64, user.0 as f64 / queue.0 as f64);
    let (low, high) = match memory_only {
        true => (low, high),
        false if queue.1 == 0 => return None,
        false => (low.max((user.1 - 1).max(0) as f64 / queue.1 as f64), high.min(user.1 as f64 / queue.1 as f64)),
    };
    if low >= high {
        return None;
    }
    // The shortest decimal between the two.
    for digits in 1..=7 {
        let scale = 10_f64.powi(digits);
        let at = (high * scale).floor() / scale;
        if at > low + (high - low) * 0.05 {
            return Some(at);
        }
    }
    Some((low + high) / 2.0)
}

pub fn queue_limit(f: &Figures) -> Result<Draft, String> {
    limited(f, false)
}

pub fn user_limit(f: &Figures) -> Result<Draft, String> {
    limited(f, true)
}

pub fn no_nodes(f: &Figures) -> Result<Draft, String> {
    let mut d = Draft::new("No node has registered", 10_000, "app:waiting");
    let ask = f.pair("ask").unwrap_or_else(|| match f.number("am_mb") {
        Some(mb) => {
            let round = mb.max(1).saturating_add(1023) / 1024 * 1024;
            d.assume(format!("{mb} MB rounded up to {round} (minimum allocation 1024)"));
            (round, 1)
        }
        None => {
            d.assume("an AM of 1024 MB");
            (1024, 1)
        }
    });
    bounded(&[ask])?;
    if ask.0 <= 0 {
        return Err("an AM of 0 MB is none".into());
    }
    d.assume("no node at all");
    if ask.1 > 1 {
        d.capacity("resource-calculator", DOMINANT);
        d.assume("the dominant resource is counted: an AM of several vcores keeps them");
    }
    let (label, queue, user) = names(f, &mut d);
    d.allow(&[ask]);
    let path = d.queue(&queue);
    if !label.is_empty() {
        d.label(&label, &path, true);
    }
    let more = label_key(&label);
    d.app("waiting", "1 s", &path, &user, &am(ask), &format!("{more}{}", stays(step([ask.0].into_iter()))));
    Ok(d)
}

/// An application waits for its AM and the text has no reason: uses one of the possible reasons.
pub fn just_added(f: &Figures) -> Result<Draft, String> {
    let named = f.0.iter().filter(|(name, _)| ["queue", "user"].contains(&name.as_str()));
    let mut d = limited(&Figures(named.map(|(name, figure)| (name.clone(), figure.clone())).collect()), false)?;
    d.title = "It waits for its AM".into();
    d.assume("the text has no reason: the queue's AM limit is one of several");
    d.unknown.push("why it waits: `yarn application -status` has the diagnostics".into());
    Ok(d)
}

/// A single AM that starts although it exceeds the limit.
pub fn one_am(f: &Figures) -> Result<Draft, String> {
    let mut d = Draft::new("One AM above the limit", 10_000, "app:first");
    let (_, queue, user) = names(f, &mut d);
    let path = d.queue(&queue);
    if Draft::has_nodes(f) {
        d.assume("an AM of 2048 MB, and AMs may use 1 % of the cluster");
    } else {
        d.assume("an AM of 2048 MB, and AMs may use 1024 MB");
    }
    d.capacity("maximum-am-resource-percent", if Draft::has_nodes(f) { 0.01 } else { 0.1 });
    d.nodes_of_log(f, (10_240, 10));
    d.app("first", "1 s", &path, &user, &am((2048, 1)), &stays(1024));
    Ok(d)
}

pub(super) fn percent(text: f64) -> Option<String> {
    // The decimal that the percentage was set as: the printed value went through floats.
    let wanted = float_text(text as f32);
    let near = (-3_i32..=3).map(|i| f32::from_bits((text as f32).to_bits().saturating_add_signed(i)).to_string());
    (0..=7)
        .map(|digits| format!("{text:.digits$}"))
        .chain(near)
        .find(|set| set.parse::<f32>().is_ok_and(|x| float_text(x / 100.0 * 100.0) == wanted))
}

/// Returns the used memory whose printed share is `percent`, in steps as large as possible.
pub(super) fn used_of(total: i64, percent: f64) -> Option<i64> {
    let wanted = float_text(percent as f32);
    [1024, 512, 256, 128, 64, 32, 16, 8, 4, 2, 1].into_iter().find_map(|step| {
        let used = ((percent / 100.0 * total as f64 / step as f64).round() as i64).saturating_mul(step);
        (float_text(used as f32 / total as f32 * 100.0) == wanted).then_some(used)
    })
}

/// Returns tasks that occupy this much on a host. If only memory counts, each container has one vcore.
pub(super) fn holding(host: &str, (mb, vcores): Pair, step: i64) -> Vec<String> {
    if mb <= 0 {
        return Vec::new();
    }
    let all = vcores.clamp(1, (mb / step).max(1)).min(2000);
    let task = |count: i64, mb: i64| {
        format!(
            "{{ count = {count}, size = \"{mb} MB/1\", duration = \"forever\", places = [\"{host}\"], relax = false }}"
        )
    };
    let mut out = Vec::new();
    if all > 1 {
        out.push(task(all - 1, step));
    }
    out.push(task(1, mb - (all - 1) * step));
    out
}

/// Returns a step small enough to split the memory into that many containers.
pub(super) fn finer(mut step: i64, (mb, vcores): Pair) -> i64 {
    while step > 1 && mb > 0 && mb / step < vcores {
        step /= 2;
    }
    step
}

pub fn waits(f: &Figures) -> Result<Draft, String> {
    if f.has("partition_size") {
        return active::waits(f);
    }
    let mut d = Draft::new("An AM waits for room on a node", 20_000, "app:waiting");
    let host = f.text("node").map(host).and_then(name).map(str::to_string);
    let port = f.text("node").and_then(|node| node.split_once(':')?.1.parse::<u16>().ok());
    let node_size = f.pair("node_size");
    let partition = f.pair("partition_size").or(node_size).unwrap_or_else(|| {
        d.assume("one node of 8192 MB and 8 vcores");
        (8192, 8)
    });
    let node = host.as_ref().map(|_| node_size.unwrap_or(partition));
    bounded(&[partition, node.unwrap_or_default()])?;
    if partition.0 <= 0 || partition.1 <= 0 {
        return Err("the partition has nothing".into());
    }
    let (share, maximum) = (f.real("queue_capacity").unwrap_or(100.0), f.real("queue_max").unwrap_or(100.0));
    if !(0.0..=100.0).contains(&share) || !(0.0..=100.0).contains(&maximum) || maximum < share {
        return Err("the percentages are none of a queue".into());
    }
    let free = f.pair("node_free");
    let whole = f.has("partition_size");
    let rest = node.map_or((0, 0), |node| (partition.0 - node.0, partition.1 - node.1));
    let on_node = match (node, free) {
        (Some(node), Some(free)) => Some((node.0 - free.0, node.1 - free.1)),
        _ => None,
    };
    let used_mb = match (f.pair("queue_used_size"), f.real("queue_used")) {
        (Some((mb, _)), _) => mb,
        (None, Some(percent)) => {
            used_of(partition.0, percent).ok_or("no amount of memory gives the queue's used share")?
        }
        (None, None) => match on_node {
            // The other node has as much free as this one.
            Some((mb, _)) => mb.saturating_add((rest.0 - free.map_or(0, |free| free.0)).max(0)),
            None => {
                d.assume("the node is full but for 1024 MB");
                (partition.0 - 1024).max(0)
            }
        },
    };
    let used_vcores = f.pair("queue_used_size").map(|(_, vcores)| vcores);
    if used_mb < 0 || used_mb > partition.0 {
        return Err("more is used than there is".into());
    }
    let here = on_node.unwrap_or((used_mb.min(node.unwrap_or(partition).0), 0));
    let there = used_mb - here.0;
    if there < 0 || there > rest.0.max(0) {
        return Err("what the queue uses and what is free on the node do not go together with one queue".into());
    }
    let free_mb = free.map_or(0, |free| free.0);
    let step = finer(step([used_mb, here.0, there, free_mb].into_iter()), here);
    let (label, queue, user) = names(f, &mut d);
    let free_here = node.unwrap_or(partition).0 - here.0;
    let free_there = rest.0.max(0) - there;
    let largest = free_here.max(free_there);
    let ask = ((largest / step + 1) * step, 1);
    // The node is considered only if the AM fits the queue's headroom, which is everything that is free.
    let alike = match (whole, free_here >= step) {
        (false, true) if host.is_some() => ask.0 / free_here.max(1) + 1,
        _ => 0,
    };
    if alike > 50 {
        return Err("more than 50 nodes with so little free would be needed".into());
    }
    let reached = host.is_none() || alike > 0 || (free_here >= step && free_there >= step);
    if !reached {
        d.unknown.push(
            "how the node came to be looked at: by these figures the queue's headroom stops the AM before".into(),
        );
    }
    d.assume(format!("an AM of {} MB: more than the {largest} MB that a node has left", ask.0));
    let most = node.unwrap_or(partition).0.max(rest.0);
    if step != 1024 {
        d.site("scheduler.minimum-allocation-mb", step);
    }
    d.site("scheduler.maximum-allocation-mb", ask.0.max(used_mb).max(8192).max(most));
    d.site("scheduler.maximum-allocation-vcores", partition.1.max(4));
    let set = |x: f64| percent(x).unwrap_or_else(|| x.to_string());
    let path = d.queue_of(&queue, share, maximum, &set);
    d.capacity("maximum-am-resource-percent", 1);
    d.capacity(&format!("{path}.user-limit-factor"), 100);
    if !label.is_empty() {
        if share < 100.0 {
            return Err("a queue with a part of a label needs its configuration".into());
        }
        d.label(&label, &path, true);
    }
    let more = label_key(&label);
    let port_text = port.map_or(String::new(), |port| format!("port = {port}\n"));
    let named = host.clone().unwrap_or_else(|| "n1".to_string());
    let other = if named == "n1" { "n2" } else { "n1" };
    if rest.0 > 0 {
        d.assume(format!("one more node has the rest of the partition, {}", size((rest.0, rest.1.max(1)))));
        d.node(other, (rest.0, rest.1.max(1)), &more);
    } else if host.is_none() {
        d.assume("the number of nodes is not in the text: one");
    }
    if alike > 0 {
        d.assume(format!("{alike} more nodes like it, so that the queue has headroom for the AM"));
        d.node("like{1}", node.unwrap_or(partition), &format!("count = {alike}\n{more}"));
    }
    d.node(&named, node.unwrap_or(partition), &format!("{more}{port_text}"));
    let total_vcores = used_vcores.unwrap_or_else(|| here.1.max(1) + i64::from(there > 0));
    let here_vcores = on_node.map_or(total_vcores, |(_, vcores)| vcores.max(i64::from(here.0 > 0)));
    let mut tasks = holding(&named, (here.0, here_vcores), step);
    for i in 1..=alike {
        tasks.extend(holding(&format!("like{i}"), (here.0, here_vcores), step));
    }
    tasks.extend(holding(other, (there, total_vcores - here_vcores), step));
    let busy = if user == "bob" { "alice" } else { "bob" };
    if !tasks.is_empty() {
        d.assume(format!("another application of the queue holds {used_mb} MB"));
        d.app("busy", "0 s", &path, busy, NO_AM, &format!("{more}tasks = [{}]", tasks.join(", ")));
    }
    // Right after the node's heartbeat; without a node in the text, before the next one.
    let (submit, at) = if host.is_some() { ("5 s", 20_990) } else { ("20.5 s", 20_600) };
    d.at = at;
    d.app("waiting", submit, &path, &user, &am(ask), &format!("{more}{}", stays(step)));
    Ok(d)
}

pub fn at_user_limit(f: &Figures) -> Result<Draft, String> {
    if f.has("partition_size") {
        return active::at_user_limit(f);
    }
    let mut d = Draft::new("A user is at its limit", 20_000, "app:waiting");
    let limit = f.pair("user_limit").unwrap_or_else(|| {
        d.assume("a limit of 2048 MB");
        (2048, 1)
    });
    let used = f.pair("user_used").unwrap_or_else(|| {
        d.assume("the user holds 1024 MB more than its limit");
        (limit.0.saturating_add(1024), 1)
    });
    bounded(&[limit, used])?;
    if limit.0 <= 0 || used.0 <= limit.0 {
        return Err("the user uses no more than its limit: 3.5.0 stops it only beyond".into());
    }
    // The AM is small compared to the limit, which also limits the user's AMs.
    let step = finer((step([limit.0, used.0].into_iter()) / 4).max(1), used);
    let partition = f
        .pair("partition_size")
        .unwrap_or((limit.0.saturating_mul(4).max(used.0.saturating_add(step)), 16.max(used.1 + 1)));
    bounded(&[partition])?;
    if partition.0 < used.0 {
        return Err("the user uses more than there is".into());
    }
    let (_, queue, user) = names(f, &mut d);
    d.allow(&[limit, used, (step, 1)]);
    let path = d.queue(&queue);
    d.capacity("maximum-am-resource-percent", 1);
    let factor = (limit.0 as f64 - step as f64 / 2.0) / partition.0 as f64;
    d.capacity(&format!("{path}.user-limit-factor"), factor);
    d.assume(format!("user-limit-factor {factor} of a queue with all of one node of {}", size(partition)));
    d.node("n1", partition, "");
    let holds = holding("n1", used, step).join(", ");
    d.app("busy", "0 s", &path, &user, NO_AM, &format!("tasks = [{holds}]"));
    d.app("waiting", "10 s", &path, &user, &am((step, 1)), &stays(step));
    d.assume(format!("an AM of {step} MB"));
    Ok(d)
}

/// Reads the node of a text: its host, port, size and free resources.
pub(super) fn last_node(f: &Figures, d: &mut Draft) -> Result<(String, u16, Pair, Pair), String> {
    let node = f.text("node").unwrap_or("n2:8041");
    let (host, port) = node.split_once(':').unwrap_or((node, "8041"));
    let host = name(host).unwrap_or("n2").to_string();
    let total = f.pair("node_size").unwrap_or_else(|| {
        d.assume("a node of 8192 MB and 8 vcores");
        (8192, 8)
    });
    let free = f.pair("node_free").unwrap_or(total);
    bounded(&[total])?;
    if total.0 <= 0 || free.0 > total.0 || free.0 < 0 {
        return Err("more is free on the node than it has".into());
    }
    Ok((host, port.parse().unwrap_or(8041), total, free))
}

/// An AM that failed on a node and waits for another node, which is full.
pub fn blacklisted(f: &Figures) -> Result<Draft, String> {
    if f.has("partition_size") {
        return active::blacklisted(f);
    }
    let mut d = Draft::new("An AM failed on this node before", 30_700, JOB);
    let (host, port, total, free) = last_node(f, &mut d)?;
    let (_, queue, user) = names(f, &mut d);
    let step = step([total.0, free.0].into_iter());
    let other = if host == "n1" { "n2" } else { "n1" };
    d.assume("the AM failed there once, and the only other node is full");
    d.site("resourcemanager.am-scheduling.node-blacklisting-enabled", true);
    d.site("resourcemanager.am-scheduling.node-blacklisting-disable-threshold", "0.9");
    d.allow(&[(step, 1), (total.0 - free.0, total.1 - free.1)]);
    let path = d.queue(&queue);
    d.capacity("maximum-am-resource-percent", 1);
    d.capacity(&format!("{path}.user-limit-factor"), 100);
    d.node(other, (step, 1), "");
    d.node(&host, total, &format!("port = {port}\n"));
    let mut tasks = holding(&host, (total.0 - free.0, total.1 - free.1), step);
    tasks.extend(holding(other, (step, 1), step));
    let busy = if user == "bob" { "alice" } else { "bob" };
    d.app("busy", "0 s", &path, busy, NO_AM, &format!("tasks = [{}]", tasks.join(", ")));
    let fails = format!("{{ size = \"{}\", fails_after = \"3 s\", exit_code = 1 }}", size((step, 1)));
    d.app("job", "10 s", &path, &user, &fails, &stays(step));
    Ok(d)
}

/// An AM without a label, while the default partition is full and a shared node has room.
pub fn borrowing(f: &Figures) -> Result<Draft, String> {
    if f.has("partition_size") {
        return active::borrowing(f);
    }
    let mut d = Draft::new("An AM never runs on a lent node", 30_700, "app:waiting");
    let (host, port, total, free) = last_node(f, &mut d)?;
    let label = f.text("node_partition").and_then(name).unwrap_or("x").to_string();
    let (_, queue, user) = names(f, &mut d);
    let step = step([total.0, free.0].into_iter());
    let other = if host == "n1" { "n2" } else { "n1" };
    d.assume(format!("label {label} lends its room; the default partition is full"));
    d.allow(&[(step, 1), (total.0 - free.0, total.1 - free.1)]);
    let path = d.queue(&queue);
    d.capacity("maximum-am-resource-percent", 1);
    d.capacity(&format!("{path}.user-limit-factor"), 100);
    d.label(&label, &path, false);
    d.node(other, (step * 4, 4), "");
    d.node(&host, total, &format!("label = \"{label}\"\nport = {port}\n"));
    let busy = if user == "bob" { "alice" } else { "bob" };
    let here = holding(other, (step * 4, 1), step);
    d.app("busy", "0 s", &path, busy, NO_AM, &format!("tasks = [{}]", here.join(", ")));
    let held = holding(&host, (total.0 - free.0, total.1 - free.1), step);
    if !held.is_empty() {
        let held: Vec<String> = held
            .iter()
            .map(|task| task.replace(&format!("places = [\"{host}\"], relax = false"), &format!("label = \"{label}\"")))
            .collect();
        d.app("labelled", "0 s", &path, busy, NO_AM, &format!("label = \"{label}\"\ntasks = [{}]", held.join(", ")));
    }
    d.app("waiting", "5 s", &path, &user, &am((step, 1)), &stays(step));
    Ok(d)
}

/// An AM that requests one node, which is full, while another has room.
pub fn elsewhere(f: &Figures) -> Result<Draft, String> {
    if f.has("partition_size") {
        return active::elsewhere(f);
    }
    let mut d = Draft::new("An AM asks for another node", 5_700, "app:waiting");
    let (host, port, total, free) = last_node(f, &mut d)?;
    let (_, queue, user) = names(f, &mut d);
    let step = step([total.0, free.0].into_iter());
    let other = if host == "n1" { "n2" } else { "n1" };
    d.assume(format!("the AM asks for {other}, which is full"));
    // With the delay of two nodes one missed turn is not enough.
    d.capacity("rack-locality-additional-delay", 40);
    d.allow(&[(step, 1), (total.0 - free.0, total.1 - free.1)]);
    let path = d.queue(&queue);
    d.capacity("maximum-am-resource-percent", 1);
    d.capacity(&format!("{path}.user-limit-factor"), 100);
    d.node(other, (step, 1), "rack = \"/r1\"\n");
    d.node(&host, total, &format!("rack = \"/r2\"\nport = {port}\n"));
    let mut tasks = holding(&host, (total.0 - free.0, total.1 - free.1), step);
    tasks.extend(holding(other, (step, 1), step));
    let busy = if user == "bob" { "alice" } else { "bob" };
    d.app("busy", "0 s", &path, busy, NO_AM, &format!("tasks = [{}]", tasks.join(", ")));
    let asks = format!("{{ size = \"{}\", places = [\"{other}\"] }}", size((step, 1)));
    d.app("waiting", "5 s", &path, &user, &asks, &stays(step));
    Ok(d)
}

pub fn launched(f: &Figures) -> Result<Draft, String> {
    let mut d = Draft::new("An AM has not registered", 20_000, JOB);
    d.assume("an AM that takes ten minutes to start");
    d.assume("an AM of 1024 MB on one node of 8192 MB");
    let (_, queue, user) = names(f, &mut d);
    let path = d.queue(&queue);
    d.node("n1", (8192, 8), "");
    d.app("job", "5 s", &path, &user, "{ size = \"1024 MB/1\", start = \"10 min\" }", &stays(1024));
    Ok(d)
}

pub fn assigned(f: &Figures) -> Result<Draft, String> {
    let mut d = launched(f)?;
    d.unknown.push("when the NodeManager launches it: Heddle's ResourceManager is told of the launch at once, so YARN's words are those of the next state".into());
    Ok(d)
}
