//! What one node has for one check: the end of a sentence after the node's name, and a short form in three words.

use crate::explain::away::AbsenceKind;
use crate::explain::words;
use heddle_core::scheduler::NodeState;

pub const FULL: &str = "full";
pub const WOULD_TAKE_IT: &str = "would take it";

/// The words about a node: the end of a sentence after its name, and a short form in three words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeWords {
    pub has: String,
    pub short: String,
    /// The words about the node's whole rack, after the rack's name: "runs zk-1". Empty: the words are about the node.
    pub rack: String,
}

fn has(has: impl Into<String>, short: impl Into<String>) -> NodeWords {
    NodeWords { has: has.into(), short: short.into(), rack: String::new() }
}

/// Words about what a node's rack runs.
fn of_rack(what: &str, short: String) -> NodeWords {
    let (with, what) = match what.strip_prefix("no ") {
        Some(tag) => (format!("is in a rack without {tag}"), format!("no {tag}")),
        None => (format!("is in a rack with {what}"), what.to_string()),
    };
    NodeWords { has: with, short, rack: format!("runs {what}") }
}

/// YARN's word for a node's state, if it has one.
pub fn state(how: AbsenceKind) -> &'static str {
    match how {
        AbsenceKind::Silent => "silent",
        AbsenceKind::State(NodeState::Running) => "running",
        AbsenceKind::State(NodeState::Decommissioning) => "decommissioning",
        AbsenceKind::State(NodeState::Decommissioned) => "decommissioned",
        AbsenceKind::State(NodeState::Unhealthy) => "unhealthy",
        AbsenceKind::State(NodeState::Lost) => "lost",
        AbsenceKind::State(NodeState::New) => "unregistered",
        AbsenceKind::State(NodeState::Rebooted) => "rebooted",
        AbsenceKind::State(NodeState::Shutdown) => "shut down",
    }
}

/// "has been silent since 0:30 and counts as lost at 10:00"
pub fn has_been(how: AbsenceKind, since: &str, until: Option<&str>) -> String {
    let until = match (how, until) {
        (AbsenceKind::Silent, Some(at)) => format!(" and counts as lost at {at}"),
        (AbsenceKind::State(_), Some(at)) => format!(" and leaves by {at}"),
        (_, None) => String::new(),
    };
    format!("has been {} since {since}{until}", state(how))
}

/// "silent since 0:30, lost at 10:00"
pub fn away(how: AbsenceKind, since: &str, until: Option<&str>) -> String {
    let until = match (how, until) {
        (AbsenceKind::Silent, Some(at)) => format!(", lost at {at}"),
        (AbsenceKind::State(_), Some(at)) => format!(", leaves by {at}"),
        (_, None) => String::new(),
    };
    format!("{} since {since}{until}", state(how))
}

/// Describes several nodes in one state since different times.
pub fn are(how: AbsenceKind) -> String {
    format!("are {}", state(how))
}

/// Describes a node that takes nothing.
pub fn is_away(how: AbsenceKind, since: &str, until: Option<&str>) -> NodeWords {
    has(has_been(how, since, until), state(how))
}

pub fn runs() -> NodeWords {
    has("is running", "running")
}

/// Multi-node placement tries only one candidate if no policy sorts the nodes.
pub fn not_tried(only: &str) -> NodeWords {
    has(
        format!("is not tried: multi-node placement without a sorting policy tries **{only}** and no other"),
        "not tried",
    )
}

pub fn held_for(who: &str) -> NodeWords {
    has(format!("is held for {who}"), format!("held for {who}"))
}

pub fn too_full(free: &str) -> NodeWords {
    has(format!("has {free} free"), FULL)
}

pub fn free(free: &str) -> NodeWords {
    has(format!("has {free} free"), format!("{free} free"))
}

/// Describes a node whose reservation for the request has another size than the request has now.
pub fn free_for_reservation(free: &str, need: &str) -> NodeWords {
    let has_it = format!("has {free} free, and keeps a reservation of {need}, asked for earlier");
    has(has_it, format!("{free} free, {need} reserved"))
}

pub fn in_all(total: &str) -> NodeWords {
    has(format!("has {total} in all"), format!("only {total}"))
}

/// "has no gpu"
pub fn has_none(of: &str) -> NodeWords {
    has(format!("has no {of}"), format!("no {of}"))
}

pub fn label(label: &str) -> NodeWords {
    match label {
        "" => has("has no label", "has no label"),
        label => has(format!("has label {label}"), format!("label {label}")),
    }
}

pub fn lends_not_to_masters(label: &str) -> NodeWords {
    has(format!("has label {label}, which lends no room to ApplicationMasters"), "not lent to AMs")
}

pub fn lends_later(missed: i64, needed: i64) -> NodeWords {
    has(format!("lends its room after {needed} missed chances, {missed} so far"), "lent later")
}

pub fn never(why: &str) -> NodeWords {
    has(format!("cannot take it: {why}"), "cannot hold")
}

/// `barred`: by the placement processor, after a failed commit.
pub fn blacklisted(barred: bool) -> NodeWords {
    match barred {
        true => has("is barred: a commit failed there before", "commit failed here"),
        false => has("is blacklisted", "blacklisted"),
    }
}

/// `why`: what keeps the request off the node unless a reservation of `need` is given up.
pub fn nothing_to_give_up(why: &str, need: &str) -> NodeWords {
    has(
        format!(
            "has room, but {why}: a reservation of {need} for this request would have to be given up, and none is that large"
        ),
        "nothing to give up",
    )
}

pub fn user_beyond(user: &str, used: &str, queue: &str, limit: &str) -> String {
    format!("{user} uses {used} in {queue}, more than the user limit of {limit}")
}

pub fn queue_has_left(queue: &str, left: &str) -> String {
    format!("{queue} may still take only {left}")
}

pub fn reserved_enough(reserved: i64, outstanding: i64) -> String {
    format!("{reserved} of {outstanding} outstanding are reserved")
}

/// Describes a host that gets no second instance.
pub fn has_an_instance(component: &str) -> NodeWords {
    has(format!("has an instance of {component}"), format!("has a {component}"))
}

pub fn elsewhere() -> NodeWords {
    has("is not where it asked to be", "not a place asked for")
}

/// The host is requested strictly, and its rack is not: YARN counts a host only together with its rack.
pub fn rack_not_asked(rack: &str) -> NodeWords {
    has(format!("is asked for without its rack {rack}"), format!("its rack {rack} is not asked for"))
}

pub fn taken_after_chances(missed: i64, needed: i64) -> NodeWords {
    has(
        format!("is taken after {needed} missed chances; {missed} so far"),
        format!("{} chances missed", of(missed, needed)),
    )
}

pub fn taken_after_time(waited: &str, needed: &str) -> NodeWords {
    has(format!("is taken after more than {needed}; {waited} so far"), format!("{} waited", of(waited, needed)))
}

/// The rack's row opens after more than `needed` missed chances, but each try ends at the row for any place, which takes its
/// missed chance back (capacity-scheduler.md 8.4).
pub fn rack_closed(needed: impl std::fmt::Display) -> NodeWords {
    has(
        format!(
            "is in a rack it asked for, which is taken after more than {needed} missed chances; none is counted while the row for \
             any place may not relax"
        ),
        "rack stays closed",
    )
}

pub fn of(n: impl std::fmt::Display, of: impl std::fmt::Display) -> String {
    format!("{n} of {of}")
}

// ---- clauses

pub fn cannot_be_judged(error: &str) -> NodeWords {
    has(format!("cannot be judged: {}", error.trim_end_matches('.')), "cannot be evaluated")
}

/// Too many or too few: `what` is "zk-1", "2 zk", "no zk"; `leaked`: the number of tags that a lost node has left on its rack
/// for good, without a container.
pub fn sees(what: &str, rack: bool, leaked: i64) -> NodeWords {
    let by = match leaked {
        ..=0 => String::new(),
        1 => ", 1 of them left by a container of a lost node".to_string(),
        n => format!(", {n} of them left by containers of a lost node"),
    };
    match rack {
        true => of_rack(&format!("{what}{by}"), format!("rack has {what}")),
        false => has(format!("has {what}"), format!("has {what}")),
    }
}

/// One where none is allowed; `leaked`: tags that a lost node has left on its rack for good, without a container.
pub fn sees_forbidden(what: &str, rack: bool, leaked: bool) -> NodeWords {
    let by = if leaked { ", left by containers of a lost node" } else { "" };
    match rack {
        true => of_rack(&format!("{what}{by}"), format!("rack has {what}")),
        false => has(format!("has {what}{by}"), format!("runs {what}")),
    }
}

/// `whose`: " of other applications", empty if it is obvious.
pub fn tag(values: &[String], whose: &str) -> String {
    let tag = if values.is_empty() { "tagged container".to_string() } else { values.join(" and ") };
    format!("{tag}{whose}")
}

/// "2 zk", "no zk"
pub fn tagged(n: i64, tag: &str) -> String {
    if n == 0 { format!("no {tag}") } else { format!("{n} {tag}") }
}

/// Several facts about the same nodes: "run web and lack zk".
pub fn each_of(what: &[String]) -> String {
    words::list(what, what.len())
}

/// Several facts about one node, in a few words.
pub fn each_short(what: &[&str]) -> String {
    what.join("; ")
}

/// " of other applications"
pub fn whose(whose: &str) -> String {
    format!(" {whose}")
}

/// `value`: `None` if the node has no such attribute.
pub fn attribute(name: &str, value: Option<&str>) -> NodeWords {
    let text = value.map_or_else(|| format!("no {name}"), |v| format!("{name}={v}"));
    has(format!("has {text}"), format!("has {text}"))
}

pub fn other_label(label: &str) -> NodeWords {
    let text = super::events::label(label);
    has(format!("has {text}"), format!("has {text}"))
}

// ---- matrix

pub const OF_APPLICATION: &str = " (sent when its AM registered)";
pub const OF_CLUSTER: &str = " (a constraint of the cluster)";

pub fn smallest_has_room(smallest: &str) -> String {
    format!("the smallest container, {smallest}, has room")
}

/// "3 full"
pub fn bucket(nodes: usize, what: &str) -> String {
    format!("{nodes} {what}")
}

/// "① no zk and 2 GB free (n1)": these checks are all that these nodes fail.
pub fn blocking(checks: &[String], nodes: &[String]) -> String {
    format!("{} ({})", words::list(checks, 6), words::list(nodes, 4))
}

/// "; **n1** has been decommissioning since 0:20 and leaves by 5:20: its size follows what it runs", for a node whose state by
/// itself stops nothing.
pub fn drains(host: &str, has: &str) -> String {
    format!("; **{host}** {has}: its size follows what it runs")
}

/// Describes several decommissioning nodes.
pub fn several_drain(nodes: usize) -> String {
    format!("; {nodes} nodes are being decommissioned: their size follows what they run")
}
