//! What a preemption round found and did: headings, sentences, and how its figures come about.

use crate::explain::words;

pub const LAW: &str = "ProportionalCapacityPreemptionPolicy";

// ---- why there is no round

pub const FIFO_RUNS: &str =
    "The FifoScheduler never takes a container back. The CapacityScheduler can: choose it in Settings.";
pub const MONITORS_OFF: &str = "No monitor is on, so nothing is taken back. Set yarn.resourcemanager.scheduler.monitor.enable \
    to true (in yarn-site.xml, under Settings) to have rounds of preemption.";
pub const NOT_LISTED: &str = "Monitors are on, but yarn.resourcemanager.scheduler.monitor.policies does not name \
    ProportionalCapacityPreemptionPolicy: leave that property out, or add the class to it, to have rounds of preemption.";
pub const NO_INTERVAL: &str =
    "The monitor is on, but its monitoring_interval is not above 0: Java schedules no round at all.";
/// The heading above the reason why there is no round.
pub const NO_ROUND: &str = "No round of preemption.";
pub const NONE_YET: &str = "The monitor is on, and its first round is still to come.";

/// Describes rounds whose records are not kept.
pub fn not_kept(from: &str) -> String {
    format!("Rounds found something else too often for all of them to be kept: the ledger ends at {from}.")
}

// ---- the round as a whole

/// "round 12 at 0:33"
pub fn title(number: u64, at: &str) -> String {
    format!("round {number} at {at}")
}

/// A round's result in short: "2 marked, 1 killed".
pub fn came_to(marked: usize, waiting: usize, killed: usize, dropped: usize, moved: usize) -> String {
    let parts = [(marked, "marked"), (waiting, "waiting"), (killed, "killed"), (dropped, "dropped"), (moved, "moved")];
    let said: Vec<String> = parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
    if said.is_empty() { "nothing taken".to_string() } else { said.join(", ") }
}

pub const FAILED: &str = "failed";

/// Rounds with the same findings; `last`: the last of them, if another round follows it.
pub fn alike(first: (u64, &str), last: Option<(u64, &str)>) -> String {
    match last {
        Some((n, at)) => {
            let rounds = words::count((n + 1 - first.0) as i64, "round");
            format!("{rounds} alike, {} to {at}", first.1)
        }
        None => format!("alike since round {} at {}", first.0, first.1),
    }
}

pub const OBSERVED: &str = "Only watched (observe_only): nothing is marked or killed.";

pub fn settings_unreadable(yarn: &str) -> String {
    format!("The round failed: its settings cannot be read ({yarn}). Nothing is marked or killed until they can be.")
}

pub fn partition_done(queue: &str) -> String {
    format!(
        "The round failed: **{queue}** was done in one partition while others were still to be gone through \
         (ConcurrentModificationException). Nothing is marked or killed."
    )
}

pub fn unknown_queue(container: &str) -> String {
    format!(
        "The round failed: the record of **{container}** does not say which queue it is in: it has a short name that several \
         queues have, or none, as for all that the placement processor places. Nothing is marked or killed."
    )
}

pub const BUDGET: &str = "budget of a round";
pub const TAKEN: &str = "chosen";
pub const LEFT: &str = "left to choose";
pub const INTERVAL: &str = "from round to round";
pub const GRACE: &str = "from mark to kill";

pub fn budget(cluster: &str, part: f32, budget: &str) -> String {
    format!("{cluster} in all × total_preemption_per_round {part} = {budget}, over all partitions")
}

pub fn counted_off(amount: &str) -> String {
    format!("{amount} were counted off for reservations, some of which were not served (as in YARN)")
}

pub fn grace_of_balance(wait: &str) -> String {
    format!("{wait} for those chosen to balance queues")
}

// ---- tables

pub const QUEUE: &str = "queue";
pub const GUARANTEED: &str = "guaranteed";
pub const USED: &str = "used";
pub const PENDING: &str = "pending";
pub const IDEAL: &str = "ideal";
pub const OVER_BY: &str = "over by";
pub const DEAD_ZONE: &str = "dead zone";
pub const OWES: &str = "owes";
pub const THIS_ROUND: &str = "this round";
pub const CHOSEN: &str = "chosen";
pub const VICTIMS: &str = "victims";
pub const SUM: &str = "sum of leaves";

/// "default partition", "label gpu"
pub fn partition(label: &str) -> String {
    if label.is_empty() { "default partition".to_string() } else { format!("label {label}") }
}

pub fn queues_in(by: &str, place: &str) -> String {
    format!("Taken {by}, {place}")
}

pub const FOR_PRIORITY: &str = "for reservations of queues with a higher priority";
pub const FOR_RESERVED: &str = "for reservations";
pub const FOR_STARVED: &str = "for queues below their guarantee";
pub const TO_BALANCE: &str = "to balance queues beyond their guarantee";
pub const WITHIN: &str = "within a queue";

pub const CHOSEN_IN_ORDER: &str = "Chosen, in this order";
pub const LEFT_ALONE: &str = "Looked at and left alone";
pub const RESERVATIONS: &str = "Reservations and marks";
pub const WITHIN_QUEUES: &str = "Nothing taken within these queues";
pub const CONTAINER: &str = "container";
pub const OF_CHOSEN: [&str; 6] = ["what for", "why it", "size", "node", "what happens", "left to choose"];
pub const OF_SPARED: [&str; 2] = ["what for", "why not"];
pub const WHAT_HAPPENS: &str = "what happens";
pub const WHY_NOT: &str = "why not";

pub fn within(queue: &str, place: &str) -> String {
    format!("Within {queue}, {place}: applications, most important first")
}

pub fn users_within(queue: &str, place: &str) -> String {
    format!("Within {queue}, {place}: users, ApplicationMasters left out")
}

pub const APPLICATION: &str = "application";
pub const USER: &str = "user";
/// The number columns of applications.
pub const OF_APPS: [&str; 8] =
    ["used", "AM", "pending", "chosen before", "ideal", "still short", "may give", "this round"];
/// The number columns of users.
pub const OF_USERS: [&str; 5] = ["used", "AM", "limit", "ideal", "chosen before"];

// ---- queues

pub fn most(maximum: &str) -> String {
    format!("maximum = {maximum}")
}

pub fn in_the_books(used: &str) -> String {
    format!("used = {used}: containers and reservations, as they were when the round began")
}

pub fn budget_left(before: &str, size: &str, left: &str) -> String {
    format!("{before} left before − {size} = {left}")
}

/// A user's limit or usage, with ApplicationMasters and without.
pub fn without_ams(all: &str, am: &str, rest: &str) -> String {
    format!("{all} − AMs {am} = {rest}")
}

pub fn of_it(reserved: &str, killable: Option<&str>) -> String {
    let killable = killable.map_or(String::new(), |k| format!("; killable already: {k}"));
    format!("only reserved: {reserved}{killable}")
}

pub fn wants(app: &str, wanted: &str, user: &str, left: &str, counted: &str) -> String {
    format!("{app} wants {wanted}, and {user} may have {left} more: counted {counted}")
}

pub fn and_more(n: usize) -> String {
    format!("and {n} more")
}

pub const NOBODY_WANTS: &str = "no active application wants anything here";
pub const RESERVED_APART: &str = "what applications have reserved is taken off";

/// "pending = a 4 GB + b 2 GB = 6 GB"
pub fn sum(name: &str, parts: &[(String, String)], total: &str) -> String {
    let parts: Vec<String> = parts.iter().map(|(who, amount)| format!("{who} {amount}")).collect();
    let shown = words::list(&parts, 12).replace(", ", " + ").replace(" and ", " + ");
    if parts.is_empty() { format!("{name} = {total}") } else { format!("{name} = {shown} = {total}") }
}

pub fn ideal_of_root(guaranteed: &str) -> String {
    format!("the root's ideal is all of the partition: {guaranteed}")
}

/// `over`: it uses more than its guarantee.
pub fn start(start: &str, over: bool, untouchable: Option<&str>) -> String {
    match (over, untouchable) {
        (false, _) => format!("to begin with, what it uses: {start}"),
        (true, None) => format!("to begin with, its guarantee, of each type at most what it uses: {start}"),
        (true, Some(more)) => {
            format!("to begin with, its guarantee and {more} that may not be taken from it: {start}")
        }
    }
}

pub fn offer(unassigned: &str, weight: &str, offered: &str, accepted: &str) -> String {
    format!("{unassigned} unassigned, it weighs {weight} of those that want more: offered {offered}, takes {accepted}")
}

/// `guarantee`: for a queue that is served up to the larger of its usage and its guarantee.
pub fn takes_at_most(wants: (&str, &str), maximum: &str, guarantee: Option<&str>) -> String {
    let (used, pending) = wants;
    let guarantee = guarantee.map_or(String::new(), |g| format!(", and to no more than its use or its guarantee {g}"));
    format!("goes up to what it wants (used {used} + pending {pending}), to its maximum {maximum} at most{guarantee}")
}

pub fn ideal(ideal: &str) -> String {
    format!("ideal = {ideal}")
}

pub fn over_by(used: &str, guaranteed: &str, over: &str) -> String {
    format!("used {used} − guaranteed {guaranteed} = {over}")
}

pub fn not_over(used: &str, guaranteed: &str) -> String {
    format!("used {used} is not more than guaranteed {guaranteed}")
}

pub fn may_be_taken(preemptable: &str, untouchable: &str) -> String {
    format!("others may take {preemptable}, nobody may take {untouchable} (disable_preemption)")
}

pub fn dead_zone(guaranteed: &str, ignored: f64, end: &str) -> String {
    format!("guaranteed {guaranteed} × (1 + max_ignored_over_capacity {ignored}) = {end}")
}

pub fn dead_zone_passed(used: &str, passed: bool) -> String {
    if passed { format!("used {used} is beyond it") } else { format!("used {used} is not beyond it: nothing is taken") }
}

pub fn keeps(keep: &str, ideal: &str, wants: (&str, &str), guaranteed: &str) -> String {
    let (used, pending) = wants;
    format!(
        "keeps {keep}: the larger of its ideal {ideal} and of what it uses and wants ({used} + {pending}), up to its guarantee \
         {guaranteed}"
    )
}

pub fn owes(used: &str, killable: Option<&str>, keep: &str, scale: Option<f32>, owed: &str) -> String {
    let killable = killable.map_or(String::new(), |k| format!(" − killable {k}"));
    let uses = format!("used {used}{killable} − keeps {keep}");
    match scale {
        Some(scale) => format!("({uses}) × {scale}, rounded down = {owed}"),
        None => format!("{uses} = {owed}"),
    }
}

pub const OWES_NOTHING: &str = "uses no more than it keeps: owes nothing";

pub fn scaled(scale: f32, need: &str, budget: &str) -> String {
    format!("× {scale}: the siblings use {need} beyond their ideals, the round may still choose {budget}")
}

pub const NOT_PREEMPTABLE: &str = "nothing: its disable_preemption is in force";
pub const IN_DEAD_ZONE: &str = "nothing: its use is not beyond the dead zone";
pub const ALL_OF_IT: &str = "all of it: natural_termination_factor does not count where what is reserved is wanted";

pub fn damped(owed: &str, factor: f64, damped: &str, nearest: bool) -> String {
    let how = if nearest { "to the nearest MB" } else { "rounded up" };
    format!("owes {owed} × natural_termination_factor {factor}, {how} = {damped}")
}

pub fn chosen_before(wanted: &str) -> String {
    format!("less what was chosen before in this round: {wanted}")
}

pub fn one_chosen(name: &str, size: &str) -> String {
    format!("{name} {size}")
}

pub fn chosen_of_wanted(chosen: &str, wanted: &str) -> String {
    format!("{chosen} for {wanted} wanted: a container goes whole, and none beyond the round's budget")
}

pub const BELOW_GUARANTEE: &str = "below its guarantee";
pub const AT_GUARANTEE: &str = "at its guarantee";
pub const PROTECTED: &str = "disable_preemption";
pub const IN_ZONE: &str = "within the dead zone";
pub const KEEPS_ALL: &str = "keeps what it uses";
pub const NOBODY_FITS: &str = "no container of it is chosen";

// ---- containers

/// "9 s left", "due".
pub fn left(ms: i64) -> String {
    if ms > 0 { format!("{} left", words::span(ms)) } else { "due".to_string() }
}

pub const KILLED: &str = "killed";
pub const VOID: &str = "its kill came to nothing";
pub const MADE_KILLABLE: &str = "made killable";
pub const WATCHED: &str = "only watched";
pub const NOT_DONE: &str = "not done: the round failed";
pub const DROPPED: &str = "dropped";

pub fn marked(until: &str, left: &str) -> String {
    format!("marked; killed at {until} if it is chosen then ({left})")
}

pub fn waits(since: &str, until: &str, left: &str) -> String {
    format!("marked since {since}; killed at {until} if it is chosen then ({left})")
}

/// Describes a container that its leaf still has in its list as the reservation that it was.
pub fn marked_outdated(since: &str) -> String {
    format!("marked since {since}; its kill comes to nothing: its queue has it as the reservation that it was")
}

pub fn killed(since: &str, lazy: bool) -> String {
    format!("{}; marked since {since}", if lazy { MADE_KILLABLE } else { KILLED })
}

pub const ON_LENT_ROOM: &str = "on lent room, newest first";
pub const NEXT: &str = "of the last application in its queue's order, of its least important request, the newest";
pub const A_RESERVATION: &str = "a reservation of the least important application";
pub const AN_AM: &str = "an ApplicationMaster: its queue's use more than their maximum";
pub const OWES_WITHIN: &str = "its application owes others of the queue";

pub fn makes_room(reservation: &str, host: &str) -> String {
    format!("{reservation} is reserved on {host} and fits without it")
}

pub fn wanted_of(wanted: &str, left: &str) -> String {
    format!("wanted {wanted}, after it {left}")
}

pub fn ams_use(used: &str, maximum: &str) -> String {
    format!("ApplicationMasters put aside use {used}, more than {maximum}")
}

pub fn cost(cost: f32) -> String {
    format!("what is chosen for it is {cost} of its size")
}

pub const SPARED_KILLABLE: &str = "killable already";
pub const SPARED_AM: &str = "an ApplicationMaster";
pub const SPARED_PARTITION: &str = "nothing is wanted from its queue in its node's partition";

pub fn spared_budget(left: &str) -> String {
    format!("larger than the {left} that the round may still choose")
}

pub fn spared_type(wanted: &str) -> String {
    format!("of one type nothing is wanted any more ({wanted})")
}

pub fn spared_no_use(wanted: &str) -> String {
    format!("would not serve what is still wanted ({wanted})")
}

pub fn spared_user(used: &str, limit: &str) -> String {
    format!("its user, at {used}, would come down to its limit of {limit}")
}

pub fn moved(from: &str, to: &str) -> String {
    format!("moved from {from} to {to}")
}

pub fn forgotten(patience: &str) -> String {
    format!("its mark is forgotten: not chosen again within {patience}")
}

// ---- within queues

pub fn below_threshold(used: &str, threshold: f32) -> String {
    format!("it uses {used} of its guarantee, less than minimum-threshold {threshold}")
}

pub const ONLY_ONE: &str = "it has one application";
pub const INTRA_OFF: &str = "its settings forbid it (disable_preemption)";

pub fn ideal_within(unassigned: &str, wants: &str, user_left: &str, ideal: &str) -> String {
    format!(
        "the least of what is left to assign, {unassigned}, of what it wants ({wants}), and of what its user may still have, \
         {user_left} = {ideal}"
    )
}

pub fn wants_within(used: &str, am: &str, pending: &str, selected: &str) -> String {
    format!("used {used} − AM {am} + pending {pending} − chosen before {selected}")
}

pub const NOT_REACHED: &str = "nothing was left to assign when its turn came";

pub fn owed_within(used: &str, ideal: &str, selected: &str, am: &str, zone: Option<&str>, owed: &str) -> String {
    let zone = zone.map_or(String::new(), |z| format!(" − {z}"));
    format!(
        "used {used} − ideal {ideal} − chosen before {selected} − AM {am}{zone}, of what is left of the limit: {owed}"
    )
}

pub const ONE_CONTAINER: &str = "one smallest container";

pub fn limit_within(limit: &str) -> String {
    format!("limit of the queue in this round = {limit}")
}

pub fn to_assign(reassign: &str) -> String {
    format!("{reassign} of the queue are assigned anew")
}

pub fn given(wanted: &str) -> String {
    format!("of what it may give, more important applications still need {wanted}")
}

pub const SHORT_OF: &str = "what it lacks of its ideal and nobody was found to give";
pub const NOTE: &str = "note";
pub const CAPPED: &str = "taken down to its limit";

// ---- who got the freed resources

/// `killed`: names and the time of the latest kill; `since`: those placed on the node since, empty if none.
pub fn freed(killed: &[String], at: &str, since: &[String]) -> String {
    let killed = words::list(killed, 2);
    if since.is_empty() {
        format!("{killed} killed at {at}; nobody has come since")
    } else {
        format!("{killed} killed at {at}; since then {}", words::list(since, 3))
    }
}

pub fn was_marked(name: &str) -> String {
    format!("{name} marked")
}

pub fn was_killed(name: &str) -> String {
    format!("{name} killed")
}
