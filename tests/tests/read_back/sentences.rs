//! The sentences about a waiting request, each a form with its truth condition: the state, or the record of the run. A
//! sentence that no form reads is a fault, so that every sentence is checked.

use super::form::{Amount, begins, bold, bolds, clock, number, whole};
use super::masters;
use super::phrases::{self, Wanted};
use super::state::State;
use super::tape::Tape;
use heddle_core::check::{About, Amounts, Check, Checked, Figures};
use heddle_core::model::{AppId, QueueId, Resource};
use heddle_core::rm::Stage;
use heddle_core::scheduler::{App, ContainerState, KeyAsks, Node, NodeState, Scheduler};
use heddle_player::explain::view::EventOutcome;

/// The data that a sentence is checked against.
#[derive(Clone, Copy)]
pub struct Beside<'a> {
    pub s: State<'a>,
    pub tape: &'a Tape,
}

impl Beside<'_> {
    /// Returns the index of the request's application in the scenario.
    pub fn place(&self) -> usize {
        self.s.names.sim.place_of(self.s.w.app).unwrap_or(usize::MAX)
    }
}

/// The result of a form.
pub enum Said {
    True,
    False(String),
    /// The words in its holes belong to another form.
    Other,
}

pub fn said(it: bool, why: impl FnOnce() -> String) -> Said {
    if it { Said::True } else { Said::False(why()) }
}

pub type Reader = fn(&Beside<'_>, &[&str]) -> Said;

/// A fault of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No form reads this part.
    NotRead(String),
    False(String),
}

/// Removes what is reserved for the request from the end of an answer: "; **n1** is held for it".
pub fn without_held<'t>(b: &Beside<'_>, text: &'t str) -> Result<std::borrow::Cow<'t, str>, Fault> {
    // What also stops it, after what stops it first.
    if let Some((head, tail)) = text.split_once("; besides, ") {
        // Names keep the case of their first letter.
        let stands = |clause: &str| {
            let bare = clause.trim_end_matches('.');
            let as_it_is = read(b, &format!("{bare}."), &mut Vec::new());
            as_it_is.or_else(|_| read(b, &format!("{}.", capital(bare)), &mut Vec::new()))
        };
        // A limit, and what nodes have.
        let both = || tail.rsplit_once(", and ").is_some_and(|(limit, of)| stands(limit).is_ok() && stands(of).is_ok());
        stands(tail).or_else(|fault| if both() { Ok(()) } else { Err(fault) })?;
        return Ok(without_held(b, &format!("{head}."))?.into_owned().into());
    }
    let Some((head, tail)) = text.trim_end_matches('.').rsplit_once("; ") else { return Ok(text.into()) };
    match added(b, tail) {
        Some(Said::True) => return Ok(without_held(b, &format!("{head}."))?.into_owned().into()),
        Some(Said::False(why)) => return Err(Fault::False(why)),
        Some(Said::Other) | None => {}
    }
    let hosts = [" is held for it", " are held for it"].iter().find_map(|held| tail.strip_suffix(held));
    match hosts.map(|hosts| held_for(b, hosts)) {
        Some(Said::True) => Ok(format!("{head}.").into()),
        Some(Said::False(why)) => Err(Fault::False(why)),
        Some(Said::Other) | None => Ok(text.into()),
    }
}

/// Removes the addition to any cause from the end of the first sentence. Returns `None` if there is none.
fn without_added(b: &Beside<'_>, text: &str) -> Result<Option<String>, Fault> {
    let next = |i: &usize| text[i + 2..].starts_with(|c: char| c.is_uppercase() || c == '*');
    let end = text.match_indices(". ").map(|(i, _)| i).find(next).unwrap_or(text.trim_end_matches('.').len());
    let (sentence, rest) = text.split_at(end);
    let Some((head, tail)) = sentence.rsplit_once("; ") else { return Ok(None) };
    match added(b, tail) {
        Some(Said::True) => return Ok(Some(format!("{head}{rest}"))),
        Some(Said::False(why)) => return Err(Fault::False(why)),
        Some(Said::Other) | None => {}
    }
    // What is held for it, if more sentences follow.
    let hosts = [" is held for it", " are held for it"].iter().find_map(|held| tail.strip_suffix(held));
    match hosts.filter(|_| rest.len() > 1).map(|hosts| held_for(b, hosts)) {
        Some(Said::True) => Ok(Some(format!("{head}{rest}"))),
        Some(Said::False(why)) => Err(Fault::False(why)),
        Some(Said::Other) | None => Ok(None),
    }
}

/// Checks the addition to any cause: who has most of the room, which refresh set the limit, what preemption has taken.
fn added(b: &Beside<'_>, tail: &str) -> Option<Said> {
    let read = |form: &str| whole(form, tail).into_iter().next();
    let rm = b.s.rm();
    if let Some(c) = read("{h} has {m} of {m}").or_else(|| read("{h} has {m} of {m} of label {w}")) {
        let app = rm.apps().iter().find(|app| Some(b.s.names.app(app.id)) == bold(c[0]))?;
        let used = rm.scheduled(app.id)?.used.get(b.s.w.partition.index()).copied().unwrap_or_default();
        // Of the partition, or of the maximum of a queue that both are in.
        let maximum = |queue: QueueId| match rm.fair() {
            Some(s) => s.maximum_of(rm.cluster(), queue),
            None => {
                let part = |q: &heddle_core::scheduler::capacity::Queue| q.part(b.s.w.partition).shares.effective_max;
                rm.queues().get(queue.index()).map(part).unwrap_or_default()
            }
        };
        let path = |id: AppId| rm.scheduled(id).into_iter().flat_map(|app| b.s.names.path_up(app.queue));
        let common = path(b.s.w.app).filter(|queue| path(app.id).any(|other| other == *queue));
        let mut totals = common.map(maximum).chain([rm.partition_total(b.s.w.partition)]);
        let whole = totals.find(|total| b.s.is(*total, c[2]).is_ok()).ok_or_else(|| format!("nothing is {}", c[2]));
        return Some(match b.s.is(used, c[1]).and_then(|()| whole.map(|_| ())) {
            Ok(()) => said(app.id != b.s.w.app, || "it is its own".into()),
            Err(why) => Said::False(why),
        });
    }
    let there = |host: &str| rm.nodes().iter().find(|node| node.in_scheduler && node.host == host);
    let lives = |c: &&heddle_core::scheduler::Container| c.state != ContainerState::Reserved;
    if let Some(c) = read("{h} has {m} of {m} on {hs}") {
        let app = rm.apps().iter().find(|app| Some(b.s.names.app(app.id)) == bold(c[0]))?;
        let nodes: Vec<&Node> = bolds(c[3])?.0.into_iter().map(there).collect::<Option<_>>()?;
        let own = nodes.iter().flat_map(|node| rm.containers_on(node.id)).filter(lives).filter(|c| c.id.app == app.id);
        let own = own.fold(Resource::ZERO, |sum, c| sum + c.size);
        let total = nodes.iter().fold(Resource::ZERO, |sum, node| sum + node.total);
        return Some(match b.s.is(own, c[1]).and_then(|()| b.s.is(total, c[2])) {
            Ok(()) => said(app.id != b.s.w.app, || "it is its own".into()),
            Err(why) => Said::False(why),
        });
    }
    let of_masters = read("ApplicationMasters have {m} of {m}");
    if let Some(c) = of_masters.or_else(|| read("ApplicationMasters have {m} of {m} of label {w}")) {
        let nodes = rm.nodes().iter().filter(|node| node.in_scheduler && node.partition == b.s.w.partition);
        let masters = nodes.flat_map(|node| rm.containers_on(node.id)).filter(lives).filter(|c| c.am);
        let held = masters.fold(Resource::ZERO, |sum, c| sum + c.size);
        return Some(match b.s.is(held, c[0]).and_then(|()| b.s.is(rm.partition_total(b.s.w.partition), c[1])) {
            Ok(()) => Said::True,
            Err(why) => Said::False(why),
        });
    }
    let of_file = read("{w} was set to {x} by the file written at {t}");
    if let Some(c) = of_file.or_else(|| read("maxResources was set to {x} by the refresh at {t}")) {
        let (value, at) = (c[c.len() - 2], clock(c[c.len() - 1])?);
        let set = |happening: &heddle_core::scenario::Happening| match &happening.act {
            heddle_core::scenario::Act::Refresh { fair_allocations: Some(text), .. } => {
                happening.at == at && text.contains(value)
            }
            _ => false,
        };
        return Some(said(b.s.names.scenario().happenings.iter().any(set), || format!("no file has {value}")));
    }
    if let Some(c) = read("{w} was set to {x} by the refresh at {t}") {
        let at = clock(c[2])?;
        let scenario = b.s.names.scenario();
        let set = |happening: &heddle_core::scenario::Happening| {
            happening.at == at
                && match &happening.act {
                    heddle_core::scenario::Act::Refresh { capacity_scheduler, .. } => {
                        capacity_scheduler.iter().any(|(name, value)| {
                            let is_it = value == c[1] || c[1] == "nothing" && value.trim().is_empty();
                            name.ends_with(c[0]) && is_it
                        })
                    }
                    _ => false,
                }
        };
        return Some(said(scenario.happenings.iter().any(set), || format!("no refresh at {} sets {}", c[2], c[0])));
    }
    let stages = [
        "attempt {n} of {n} found no node: the next call rejects it",
        "attempt {n} of {n} found no node",
        "it goes into the placement processor's next batch, attempt {n} of {n}",
        "the scheduler refused attempt {n} of {n}: the next call rejects it",
    ];
    if tail == "the AM's next calls bring the next attempt" {
        return Some(said(!b.s.w.placing.is_empty(), || "the scheduler has it".into()));
    }
    if let Some(c) = stages.into_iter().find_map(read) {
        return Some(stage(b, c[0], c[1]));
    }
    let drains = |host: &str| {
        let node = rm.nodes().iter().find(|node| bold(host) == Some(node.host.as_str()));
        node.is_some_and(|node| {
            node.in_scheduler && node.state == NodeState::Decommissioning && rm.capacity().is_none()
        })
    };
    if let Some(c) = read("{h} has been decommissioning since {t}: its size follows what it runs")
        .or_else(|| read("{h} has been decommissioning since {t} and leaves by {t}: its size follows what it runs"))
    {
        return Some(said(drains(c[0]), || format!("{} does not drain", c[0])));
    }
    if let Some(c) = read("{n} nodes are being decommissioned: their size follows what they run") {
        let count = rm.nodes().iter().filter(|node| drains(&format!("**{}**", node.host))).count() as i64;
        return Some(said(number(c[0]).is_some_and(|n| n <= count), || format!("{count} drain")));
    }
    let over = || {
        let all = rm.nodes().iter().flat_map(|node| rm.containers_on(node.id).map(move |c| (c, node)));
        all.filter(|(c, _)| c.state == ContainerState::Over)
    };
    if let Some(c) = read("{h} has been stopped and holds its room until {h} reports its end") {
        let is_it = |name: &str, host: &str| bold(c[0]) == Some(name) && bold(c[1]) == Some(host);
        let found = over().any(|(c, node)| is_it(&b.s.names.container_name(c.id), &node.host));
        return Some(said(found, || format!("{} holds no room after its end", c[0])));
    }
    if let Some(c) = read("{n} containers have been stopped and hold their room until their nodes report their ends") {
        let n = over().count() as i64;
        return Some(said(number(c[0]).is_some_and(|told| told <= n), || format!("{n} hold room after their end")));
    }
    let taken = read("preemption has taken {n} container of {h}")
        .or_else(|| read("preemption has taken {n} containers of {h}"))?;
    let killed = b.s.names.sim.apps().get(b.place()).map_or(0, |run| run.toll.killed);
    let own = bold(taken[1]) == Some(b.s.names.app(b.s.w.app));
    Some(said(own && number(taken[0]) == Some(killed), || format!("{killed} were taken")))
}

/// Reads an answer, and collects the forms that read it.
pub fn read(b: &Beside<'_>, text: &str, forms: &mut Vec<&'static str>) -> Result<(), Fault> {
    if text.is_empty() {
        return Ok(());
    }
    if let Some(bare) = without_added(b, text)? {
        return read(b, &bare, forms);
    }
    let mut worst = Fault::NotRead(text.to_string());
    for (form, reader) in FORMS.iter().chain(masters::FORMS) {
        for (caught, rest) in begins(form, text) {
            let Some(rest) = (if rest.is_empty() { Some("") } else { rest.strip_prefix(' ') }) else { continue };
            match reader(b, &caught) {
                Said::Other => {}
                Said::False(why) => {
                    // Some form must read the rest too; otherwise this is another form's sentence.
                    if !matches!(read(b, rest, &mut Vec::new()), Err(Fault::NotRead(_))) {
                        worst = Fault::False(why);
                    }
                }
                Said::True => {
                    let before = forms.len();
                    forms.push(*form);
                    match read(b, rest, forms) {
                        Ok(()) => return Ok(()),
                        Err(fault) => {
                            forms.truncate(before);
                            let deeper = match (&worst, &fault) {
                                (Fault::False(_), Fault::NotRead(_)) => false,
                                (Fault::NotRead(w), Fault::NotRead(f)) => f.len() < w.len(),
                                (_, Fault::False(_)) => true,
                            };
                            if deeper {
                                worst = fault;
                            }
                        }
                    }
                }
            }
        }
    }
    Err(worst)
}

/// All sentences, specific ones before general ones.
const FORMS: &[(&str, Reader)] = &[
    // ---- nodes
    ("Needs {m}.", |b, c| needs(b, &Wanted::One(format!("with {} free", c[0])))),
    ("Needs a node {x}.", |b, c| needs(b, &Wanted::read(c[0]))),
    ("Needs a rack {x}.", |b, c| needs(b, &Wanted::read(&format!("in a rack {}", c[0])))),
    ("Needs a node.", |_, _| Said::True),
    ("No node is registered.", |b, _| said(b.s.rm().nodes().is_empty(), || "some node is registered".into())),
    ("No node takes containers: {x}.", |b, c| no_node(b, c[0])),
    ("{x}.", |b, c| nodes(b, c[0])),
    // ---- applications
    ("{w} runs {n} application and may run {n} at a time.", parallel),
    ("{w} runs {n} applications and may run {n} at a time.", parallel),
    ("AMs of {x} use {m}; {m} more would pass the limit of {m}.", am_limit),
    ("AMs of {x} use {m}, more than the limit of {m}; this one needs {m}.", |b, c| {
        am_limit(b, &[c[0], c[1], c[3], c[2]])
    }),
    (
        "AMs of {w} use {m} of {m}, so {m} more fits, but YARN has not looked since: it does when an application of {w} comes or ends, or a node joins.",
        |b, c| match b.s.app() {
            Some(app) if !app.active && c[0] == c[4] => am_limit(b, &[c[0], c[1], c[3], c[2]]),
            _ => Said::False("it is active, or the queue is another one".into()),
        },
    ),
    (
        "{h} is not active in {w}, and nothing is placed for it until it is: AMs of {x} use {m}; {m} more would pass the limit of {m}.",
        |b, c| am_limit(b, &c[2..]),
    ),
    (
        "{h} is not active in {w}, and nothing is placed for it until it is: AMs of {x} use {m}, more than the limit of {m}; this one needs {m}.",
        |b, c| am_limit(b, &[c[2], c[3], c[5], c[4]]),
    ),
    ("AMs of {w} use {m}; {m} more would pass their limit of {m}.", |b, c| sum(b, &[Check::AmShare], c)),
    ("AMs of {w} use {m}; {m} more would pass the limit of {m} (maxAMShare: {x} of its fair share of {m}).", |b, c| {
        sum(b, &[Check::AmShare], &c[..4])
    }),
    ("It was asked for after the last update of demand; the next update counts it.", |b, _| failed(b, Check::InDemand)),
    // ---- labels
    ("No node has label {w}.", |b, c| {
        let has = b.s.in_service().iter().any(|n| b.s.names.partition(n.partition) == c[0]);
        said(!has, || format!("a node has label {}", c[0]))
    }),
    ("No node with label {w} is there: {x}.", |b, c| {
        let has = b.s.in_service().iter().any(|n| b.s.names.partition(n.partition) == c[0]);
        let gone = b.s.rm().nodes().iter().any(|n| !n.in_scheduler && b.s.names.partition(n.partition) == c[0]);
        said(!has && gone, || format!("a node with label {} is there, or none is away", c[0]))
    }),
    ("{h} gives label {w} to requests that name none (default-node-label-expression).", |b, c| {
        let queue = bold(c[0]).and_then(|path| b.s.rm().queue(path)).and_then(|id| b.s.rm().queues().get(id.index()));
        let gives = queue.is_some_and(|queue| queue.conf.default_label.as_deref() == Some(c[1]));
        said(gives && b.s.names.partition(b.s.w.partition) == c[1], || format!("{} gives another label", c[0]))
    }),
    ("{w} may not use label {w}.", |b, c| {
        let queue = b.s.rm().queue(c[0]).and_then(|id| b.s.rm().queues().get(id.index()));
        said(queue.is_some_and(|q| !q.part(b.s.w.partition).access) || failed_is(b, Check::PartitionAccess), || {
            format!("{} may use label {}", c[0], c[1])
        })
    }),
    ("{w} has no share of label {w}: its maximum there is 0 %.", |b, c| {
        let queue = b.s.rm().queue(c[0]).and_then(|id| b.s.rm().queues().get(id.index()));
        let max = queue.map(|q| q.part(b.s.w.partition).shares.absolute_max_capacity);
        said(max.is_some_and(|max| max <= 0.0), || format!("the maximum of {} is {max:?}", c[0]))
    }),
    ("Label {w} lends its idle room and has {m} free.", lends),
    ("Label {w} lends its idle room, but not to ApplicationMasters.", |b, _| said(b.s.w.am, || "it is no AM".into())),
    ("A request borrows after {n} missed chances, one for each node; this one has missed {n}.", |b, c| {
        let missed = b.s.app().and_then(|a| Some(a.asks.at(a.asks.find(b.s.w.key)?).missed_non_partitioned));
        let nodes = b.s.rm().cluster().node_count as i64;
        said(number(c[0]) == Some(nodes) && number(c[1]) == missed, || format!("{nodes} nodes, {missed:?} missed"))
    }),
    // ---- queues and users
    ("{w} uses all of its maximum of {m}{x}.", |b, c| most(b, c[0], c[1], c[1], c[2])),
    ("{w} uses all of its maximum of {m}.", |b, c| most(b, c[0], c[1], c[1], "")),
    ("{w} uses {m}{x}; its maximum{x} is {m}.", |b, c| most(b, c[0], c[1], c[4], c[2])),
    ("{w} uses {m}; its maximum{x} is {m}.", |b, c| most(b, c[0], c[1], c[3], "")),
    ("{w} uses {m}{x}; its maximum is {m}.", |b, c| most(b, c[0], c[1], c[3], c[2])),
    ("{w} uses {m}; its maximum is {m}.", |b, c| most(b, c[0], c[1], c[2], "")),
    ("{w} may use at most {m}; one container asks for {m}.", |b, c| larger(b, c[0], c[1], c[2])),
    ("{w} may use at most {m} of label {w}; one container asks for {m}.", |b, c| larger(b, c[0], c[1], c[3])),
    ("{w} uses {m}; {m} more would pass its maximum of {m}.", |b, c| queue_headroom(b, c, "")),
    ("{w} uses {m}; {m} more would pass its maximum of {m} of label {w}.", |b, c| queue_headroom(b, &c[..4], "")),
    ("{w} uses {m}, {x} in ApplicationMasters; {m} more would pass its maximum of {m}.", |b, c| {
        queue_headroom(b, &[c[0], c[1], c[3], c[4]], c[2])
    }),
    ("{w} uses {m}, {x} in ApplicationMasters; {m} more would pass its maximum of {m} of label {w}.", |b, c| {
        queue_headroom(b, &[c[0], c[1], c[3], c[4]], c[2])
    }),
    ("{w} uses {m}, more than its maximum of {m} ({x}), and is passed over.", |b, c| {
        let it = compared(b, &[Check::MaxResources], Some(c[0]), |a| {
            b.s.is(a.used(), c[1]).is_ok() && b.s.is(a.limit, c[2]).is_ok()
        });
        said(it, || format!("{} was not found to use {} of {}", c[0], c[1], c[2]))
    }),
    ("{w} uses {m}; {m} more would pass its maximum of {m} ({x}).", |b, c| sum(b, &[Check::MaxShare], &c[..4])),
    ("{w} uses {m}, {x} in ApplicationMasters; {m} more would pass its maximum of {m} ({x}).", |b, c| {
        sum(b, &[Check::MaxShare], &[c[0], c[1], c[3], c[4]])
    }),
    ("{w} uses {m}, and its parent leaves it {m} for now.", |b, c| left(b, c[0], c[1], c[2])),
    ("Room is kept for {x}: {w} uses {m}, and its parent leaves it {m} for now; {hs} is held for it.", |b, c| {
        match held_for(b, c[4]) {
            Said::True => kept(b, c[0], left(b, c[1], c[2], c[3])),
            other => other,
        }
    }),
    ("Room is kept for {x}: {w} uses {m}, and its parent leaves it {m} for now.", |b, c| {
        kept(b, c[0], left(b, c[1], c[2], c[3]))
    }),
    ("{w} uses {m}, and its parent leaves it {m} for now; {w} uses all of its {m}.", |b, c| left(b, c[0], c[1], c[2])),
    ("{w} uses {m}, and its parent leaves it {m} for now; {w} uses all of its {m}, {x}.", |b, c| {
        left(b, c[0], c[1], c[2])
    }),
    ("{w} uses {m}, and its parent leaves it {m} for now; {w} uses {m} of its {m}.", |b, c| left(b, c[0], c[1], c[2])),
    ("{w} uses {m}, and its parent leaves it {m} for now; {w} uses {m} of its {m}, {x}.", |b, c| {
        left(b, c[0], c[1], c[2])
    }),
    ("{w} uses {m}, and its parent leaves it {m} for now; {w} uses {m} of its maximum of {m}.", |b, c| {
        match left(b, c[0], c[1], c[2]) {
            Said::True => said(maximum_is(b, c[3], c[5]), || format!("the maximum of {} is not {}", c[3], c[5])),
            other => other,
        }
    }),
    (
        "{w} uses {m}, and its parent leaves it {m} for now; {w} uses {m} of its maximum of {m}, {x}.",
        |b, c| match left(b, c[0], c[1], c[2]) {
            Said::True => said(maximum_is(b, c[3], c[5]), || format!("the maximum of {} is not {}", c[3], c[5])),
            other => other,
        },
    ),
    ("{w} uses {m} more than there is for it, so it gets nothing, not even what needs none.", |b, c| {
        owing(b, c[0], c[1])
    }),
    ("{w} may still take {m}; the request needs {m}.", |b, c| headroom(b, c[0], c[1], c[2])),
    ("Room is kept for {x}: {w} may still take {m}; the request needs {m}.", |b, c| {
        kept(b, c[0], headroom(b, c[1], c[2], c[3]))
    }),
    ("A label is never sent with hosts: YARN gives it nothing on {x}, which has the label {w}; {x}.", unsent_label),
    ("A label is never sent with hosts: YARN gives it nothing on {x}, which have the label {w}; {x}.", unsent_label),
    ("The only node is full; {x}.", |b, c| full_and(b, "The only node is full", c[0])),
    ("Both nodes are full; {x}.", |b, c| full_and(b, "Both nodes are full", c[0])),
    ("All {n} nodes are full; {x}.", |b, c| full_and(b, &format!("All {} nodes are full", c[0]), c[1])),
    ("{h} has all the {w} that it wants: {x}.", left_over),
    ("The cluster has {x}; the request needs {x}.", |b, c| partition_full(b, c[0], c[1])),
    ("The nodes without a label have {x}; the request needs {x}.", |b, c| partition_full(b, c[0], c[1])),
    ("The nodes of label {w} have {x}; the request needs {x}.", |b, c| partition_full(b, c[1], c[2])),
    ("{w} uses {m} in {w}; the user limit is {m}.", |b, c| user(b, c[0], c[2], c[1], c[3])),
    ("{w} uses {m} in {w}; the user limit is {m}; {x}.", refused_at_commit),
    (
        "{w} was over the user limit of {w} when YARN last compared; by now {m} of {m} are used, but YARN keeps its answer until the queue's limits change.",
        |b, c| user(b, c[0], c[1], c[2], c[3]),
    ),
    // ---- whose turn it is
    ("It asked for priority {n}; yarn.cluster.max-application-priority cuts it to {n}.", |b, c| {
        let asked = b.s.names.scenario().apps.get(b.place()).and_then(|app| app.priority);
        let has = b.s.app().map(|app| i64::from(app.priority));
        said(asked.map(i64::from) == number(c[0]) && has == number(c[1]), || format!("{asked:?}, {has:?}"))
    }),
    ("The FifoScheduler does not look at relaxLocality: it goes to other places too.", |b, _| {
        let strict =
            b.s.app().is_some_and(|app| app.asks.keys().iter().any(|key| key.rows().any(|(_, row)| !row.relax)));
        said(strict && b.s.rm().capacity().is_none() && b.s.rm().fair().is_none(), || "it is heeded".into())
    }),
    ("The FifoScheduler counts memory alone: {h} asks for {x} and is given none.", |b, _| {
        let none = b.s.w.size.0.iter().skip(2).all(|amount| *amount == 0);
        said(none && b.s.rm().capacity().is_none() && b.s.rm().fair().is_none(), || "some are given".into())
    }),
    ("It asked for priority {n}; the {w} knows no priorities of applications.", |b, c| {
        let asked = b.s.names.scenario().apps.get(b.place()).and_then(|app| app.priority);
        let unknown = b.s.rm().capacity().is_none();
        said(asked.map(i64::from) == number(c[0]) && unknown, || format!("{asked:?}"))
    }),
    (
        "{w} waits for {h}, which comes first and needs {m}: {w} may still take {m}, and nothing behind it is looked at until that fits.",
        |b, c| behind(b, c[0], bold(c[1]), c[2], c[4]),
    ),
    (
        "{w} waits for {h}, which comes first and needs {m}: {w} may still take {m} of the nodes of label {w}, and nothing behind it is looked at until that fits.",
        |b, c| behind(b, c[0], bold(c[1]), c[2], c[4]),
    ),
    (
        "{w} waits for a more urgent request of {h}, which comes first and needs {m}: {w} may still take {m}, and nothing behind it is looked at until that fits.",
        |b, c| behind(b, c[0], bold(c[1]), c[2], c[4]),
    ),
    (
        "{w} waits for a more urgent request of {h}, which comes first and needs {m}: {w} may still take {m} of the nodes of label {w}, and nothing behind it is looked at until that fits.",
        |b, c| behind(b, c[0], bold(c[1]), c[2], c[4]),
    ),
    ("{w} waits for {h}, which comes first and needs {m}: nothing behind it is looked at until that fits.", |b, c| {
        behind_since(b, c[0], c[1], c[2], "")
    }),
    (
        "{w} waits for {h}, which comes first and needs {m}: {x}, and nothing behind it is looked at until that fits.",
        |b, c| behind_since(b, c[0], c[1], c[2], c[3]),
    ),
    (
        "{w} waits for a more urgent request of {h}, which comes first and needs {m}: nothing behind it is looked at until that fits.",
        |b, c| behind_since(b, c[0], c[1], c[2], ""),
    ),
    (
        "{w} waits for a more urgent request of {h}, which comes first and needs {m}: {x}, and nothing behind it is looked at until that fits.",
        |b, c| behind_since(b, c[0], c[1], c[2], c[3]),
    ),
    (
        "A more urgent request of {h}, of priority {n}, comes first, and this one has no turn while that gets nothing. On {h}: {x}",
        |b, c| behind_own(b, c),
    ),
    ("{h} is proposed for it and refused at the commit: {x}", |b, c| refused(b, c[0], b.s.w.app)),
    (
        "{h} comes first; {h} is proposed for it, refused at the commit, and the look ends there: {x}",
        |b, c| match bold(c[0]).and_then(|name| b.s.names.find_app(name)) {
            Some(app) => refused(b, c[1], app),
            None => Said::False(format!("no application {}", c[0])),
        },
    ),
    ("{hs} is held for it, and it is looked at nowhere else: {x}", |b, c| held_for(b, c[0])),
    ("{hs} are held for it, and it is looked at nowhere else: {x}", |b, c| held_for(b, c[0])),
    (
        "{n} of {n} outstanding are reserved: no other node is tried yet (reservations-continue-look-all-nodes is false).",
        |b, c| {
            let it = b.tape.failed.iter().rev().find(|f| {
                f.checked.about == About::Request(b.s.w.app, b.s.w.key) && f.checked.check == Check::ReservationsNeeded
            });
            let figures = it.map(|f| f.checked.figures.clone());
            let Some(Figures::Reservations { outstanding, reserved, .. }) = figures else {
                return Said::False("not recorded".into());
            };
            said(number(c[0]) == Some(reserved) && number(c[1]) == Some(outstanding), || {
                format!("{reserved} of {outstanding}")
            })
        },
    ),
    ("Its placement constraint could not be evaluated {n} times; YARN no longer tries it.", |b, _| {
        failed(b, Check::ConstraintErrors)
    }),
    ("{h} went first on {h} at {t} ({x}: {x} before {x}); {x}.", |b, c| {
        went_first(b, c[0], c[1], c[2], Some([c[3], c[4], c[5]]), c[6])
    }),
    ("{h} went first on {h} at {t} ({x}: {x} before {x}).", |b, c| {
        went_first(b, c[0], c[1], c[2], Some([c[3], c[4], c[5]]), "")
    }),
    ("{h} went first on {h} at {t}; {x}.", |b, c| went_first(b, c[0], c[1], c[2], None, c[3])),
    ("{h} went first on {h} at {t}.", |b, c| went_first(b, c[0], c[1], c[2], None, "")),
    ("Its application's own request of priority {n} went first on {h} at {t} ({x}: {x} before {x}); {x}.", |b, c| {
        own_first(b, c[0], c[1], c[2], Some([c[3], c[4], c[5]]), c[6])
    }),
    ("Its application's own request of priority {n} went first on {h} at {t}; {x}.", |b, c| {
        own_first(b, c[0], c[1], c[2], None, c[3])
    }),
    ("Its application's own request of priority {n} went first on {h} at {t}.", |b, c| {
        own_first(b, c[0], c[1], c[2], None, "")
    }),
    ("The user limit of {w} in {w} was {m} until {t}.", |b, c| limit_was(b, c)),
    ("{h}, whose containers are smaller, was given {n} container since {t}.", |b, c| took_smaller(b, c[0], c[1], c[2])),
    ("{h}, whose containers are smaller, was given {n} containers since {t}.", |b, c| {
        took_smaller(b, c[0], c[1], c[2])
    }),
    ("{x} has gone first since {t} and was given {n} container ({x}).", |b, c| took(b, c[0], c[1], c[2], c[3])),
    ("{x} has gone first since {t} and was given {n} containers ({x}).", |b, c| took(b, c[0], c[1], c[2], c[3])),
    ("Its own request of priority {n} went first on {h} at {t} ({x}: {x} before {x}); {x}.", |b, c| {
        own_first(b, c[0], c[1], c[2], Some([c[3], c[4], c[5]]), c[6])
    }),
    ("Its own request of priority {n} went first on {h} at {t}; {x}.", |b, c| {
        own_first(b, c[0], c[1], c[2], None, c[3])
    }),
    ("Its own request of priority {n} went first on {h} at {t}.", |b, c| own_first(b, c[0], c[1], c[2], None, "")),
    (
        "{h} uses {m} of the {m} of label {w} that it is guaranteed, {hs} uses more than its guarantee, and {x}; {x}.",
        |b, c| owed(b, c[0], c[1], c[2], c[4], c[6]),
    ),
    (
        "{h} uses {m} of the {m} of label {w} that it is guaranteed, {hs} use more than their guarantees, and {x}; {x}.",
        |b, c| owed(b, c[0], c[1], c[2], c[4], c[6]),
    ),
    (
        "{h} uses {m} of the {m} of label {w} that it is guaranteed, {hs} uses more than its guarantee, and {x}.",
        |b, c| owed(b, c[0], c[1], c[2], c[4], ""),
    ),
    (
        "{h} uses {m} of the {m} of label {w} that it is guaranteed, {hs} use more than their guarantees, and {x}.",
        |b, c| owed(b, c[0], c[1], c[2], c[4], ""),
    ),
    ("{h} uses {m} of the {m} that it is guaranteed, {hs} uses more than its guarantee, and {x}; {x}.", |b, c| {
        owed(b, c[0], c[1], c[2], c[3], c[5])
    }),
    ("{h} uses {m} of the {m} that it is guaranteed, {hs} use more than their guarantees, and {x}; {x}.", |b, c| {
        owed(b, c[0], c[1], c[2], c[3], c[5])
    }),
    ("{h} uses {m} of the {m} that it is guaranteed, {hs} uses more than its guarantee, and {x}.", |b, c| {
        owed(b, c[0], c[1], c[2], c[3], "")
    }),
    ("{h} uses {m} of the {m} that it is guaranteed, {hs} use more than their guarantees, and {x}.", |b, c| {
        owed(b, c[0], c[1], c[2], c[3], "")
    }),
    ("{h} uses {m}, its fair share is {m}, and {x}; {x}.", fair_owed),
    ("{h} uses {m}, and its fair share is {m}; {x}.", |b, c| {
        let Some(app) = b.s.app().filter(|app| bold(c[0]) == Some(b.s.names.app(app.id))) else { return Said::Other };
        let more = b.s.has_at_least(app.used_total() + b.s.w.size, c[2]) == Some(true);
        match b.s.is(app.used_total(), c[1]) {
            Ok(()) if more => beside(b, c[3]),
            Ok(()) => Said::False(format!("one more is within {}", c[2])),
            Err(why) => Said::False(why),
        }
    }),
    (
        "AMs of {w} use {m}; {m} more would pass the limit of {m}: {w} has no share of {x}, so maxAMShare counts what is free.",
        |b, c| {
            if c[0] != c[4] { Said::Other } else { sum(b, &[Check::AmShare], &c[..4]) }
        },
    ),
    ("{w} uses {m} in {w}, beyond the user limit of {m}, and preemption within queues is off; {x}.", outspent),
    ("The AM of {h} has made no call since {t} and holds its room until {t}; {x}.", |b, c| {
        let run = b.s.rm().apps().iter().find(|app| Some(b.s.names.app(app.id)) == bold(c[0]));
        let run = run.and_then(|app| b.s.names.run(app.id));
        let (heard, missed) = (run.map(|run| run.heard_at()), run.and_then(|run| run.missed_at()));
        let close =
            |told: &str, at: Option<i64>| clock(told).zip(at).is_some_and(|(told, at)| (told - at).abs() < 1_000);
        if close(c[1], heard) && close(c[2], missed) { beside(b, c[3]) } else { Said::False("it does not hang".into()) }
    }),
    ("{hs} counts as running, and waits for its AM itself; {x}.", |b, c| counts_and_waits(b, c)),
    ("{hs} count as running, and wait for their AMs themselves; {x}.", |b, c| counts_and_waits(b, c)),
    ("{hs}, of a lower priority, uses {m} of {w}, and preemption within queues is off; {x}.", outranked),
    ("{hs}, of lower priorities, use {m} of {w}, and preemption within queues is off; {x}.", outranked),
    (
        "{hs} are in a rack it asked for, which is taken after more than {n} missed chances; none is counted while the row for any place may not relax; {x}.",
        |b, c| closed(b, c[0], c[1], c[2]),
    ),
    (
        "{hs} is in a rack it asked for, which is taken after more than {n} missed chances; none is counted while the row for any place may not relax; {x}.",
        |b, c| closed(b, c[0], c[1], c[2]),
    ),
    ("{hs} has been {x} and takes nothing.", |b, c| out_of_service(b, &bolds(c[0]).unwrap_or_default().0, c[1])),
    ("{hs} have been {x} and take nothing.", |b, c| out_of_service(b, &bolds(c[0]).unwrap_or_default().0, c[1])),
    ("{hs} has been {x} and takes nothing; {x}.", |b, c| gone(b, c[0], c[1], c[2])),
    ("{hs} have been {x} and take nothing; {x}.", |b, c| gone(b, c[0], c[1], c[2])),
    ("{hs} has been silent since {t} and counts as lost at {t}; {x}.", silent),
    ("{hs} have been silent since {t} and count as lost at {t}; {x}.", silent),
    ("{w} uses {m}, {x}; {m} more would pass its maximum of {m}.", |b, c| {
        queue_headroom(b, &[c[0], c[1], c[3], c[4]], c[2])
    }),
    ("{w} uses {m}, {x}; {m} more would pass its maximum of {m} of label {w}.", |b, c| {
        queue_headroom(b, &[c[0], c[1], c[3], c[4]], c[2])
    }),
    ("It was served last on {h} at {t}; {x}.", |b, c| {
        let (Some(host), Some(at)) = (bold(c[0]), clock(c[1])) else { return Said::Other };
        let given = b
            .tape
            .given
            .iter()
            .any(|g| (g.app, g.key, g.at) == (b.s.w.app, b.s.w.key, at) && b.s.names.node(g.node) == host);
        if !given {
            return Said::False(format!("it got nothing on {host} at {at} ms"));
        }
        turn_over(b, host, at, c[2])
    }),
    // ---- the placement processor
    ("It goes into the placement processor's next batch, attempt {n} of {n}.", |b, c| stage(b, c[0], c[1])),
    ("Attempt {n} of {n} found no node: the next call rejects it.", |b, c| stage(b, c[0], c[1])),
    ("Attempt {n} of {n} found no node.", |b, c| stage(b, c[0], c[1])),
    ("The scheduler refused attempt {n} of {n}: the next call rejects it.", |b, c| stage(b, c[0], c[1])),
    ("The batch proposes {hs} in attempt {n} of {n}; the scheduler has yet to accept.", |b, c| {
        let Some((hosts, _)) = bolds(c[0]) else { return Said::Other };
        let proposed = |host: &&str| {
            b.s.w.placing.iter().any(|p| match &p.stage {
                Stage::Proposed(nodes) => nodes.iter().any(|n| b.s.names.node(*n) == *host),
                _ => false,
            })
        };
        if hosts.iter().all(proposed) {
            stage(b, c[1], c[2])
        } else {
            Said::False(format!("{hosts:?} are not proposed"))
        }
    }),
    ("{n} of {n}: It goes into the placement processor's next batch, attempt {n} of {n}.", part_of),
    ("{n} of {n}: Attempt {n} of {n} found no node: the next call rejects it.", part_of),
    ("{n} of {n}: Attempt {n} of {n} found no node.", part_of),
    ("{n} of {n}: The scheduler refused attempt {n} of {n}: the next call rejects it.", part_of),
    ("{n} of {n}: The batch proposes {hs} in attempt {n} of {n}; the scheduler has yet to accept.", |b, c| {
        part_of(b, &[c[0], c[1], c[3], c[4]])
    }),
    // ---- never
    ("{x} asks for a node without a label; every node has one.", |b, _| {
        let has = b.s.in_service().iter().any(|n| b.s.names.partition(n.partition).is_empty());
        said(!has, || "a node has no label".into())
    }),
    ("The nodes have no resources.", |b, _| said(b.s.rm().cluster().total.is_zero(), || "they have".into())),
    ("{x} asks for a node with label {w}; no node has it.", |b, c| {
        let has = b.s.in_service().iter().any(|n| b.s.names.partition(n.partition) == c[1]);
        said(!has, || format!("a node has label {}", c[1]))
    }),
    // `what_can_never_be_placed_is_not_placed` tests that it is true.
    ("No {w} can ever start: {x}.", |b, _| {
        said(b.s.why.fate == Some(EventOutcome::Rejected), || "it is shown to wait".into())
    }),
    ("{x} asks for {m}; the largest node has {x}.", |b, c| {
        let nodes = b.s.in_service();
        let Some(asked) = Amount::read(c[1]) else { return Said::Other };
        let small = |n: &&&Node| b.s.has_at_least(n.total, c[1]) == Some(true);
        said(b.s.is(b.s.w.size, c[1]).is_ok() && asked.of.len() == 1 && !nodes.iter().any(|n| small(&n)), || {
            format!("it asks for {:?}, or a node has so much", b.s.w.size)
        })
    }),
];

/// Checks that applications have no AM and are runnable.
fn counts_and_waits(b: &Beside<'_>, c: &[&str]) -> Said {
    let Some((named, _)) = bolds(c[0]) else { return Said::Other };
    let waits = |name: &&str| {
        let app = b.s.rm().apps().iter().find(|app| b.s.names.app(app.id) == *name);
        app.and_then(|app| b.s.rm().scheduled(app.id)).is_some_and(|app| app.runnable && app.waiting_for_am)
    };
    if named.iter().all(waits) { beside(b, c[1]) } else { Said::False(format!("not all of {named:?} wait")) }
}

fn stage(b: &Beside<'_>, attempt: &str, of: &str) -> Said {
    let most = i64::from(b.s.rm().placement().settings.retry_attempts);
    let there = b.s.w.placing.iter().any(|p| Some(i64::from(p.attempt)) == number(attempt));
    said(there && number(of) == Some(most), || format!("{:?}, of {most} attempts", b.s.w.placing))
}

/// Checks that a user is over its limit, so that the scheduler refuses the placement processor's proposals, and where that
/// limit is set.
fn refused_at_commit(b: &Beside<'_>, c: &[&str]) -> Said {
    let rm = b.s.rm();
    let (Some(app), Some(scheduler)) = (b.s.app(), rm.capacity()) else { return Said::Other };
    let limit = scheduler.user_limit_of(rm.cluster(), app.queue, app.user, b.s.w.partition);
    let own = rm.cluster().user_name(app.user) == c[0] && b.s.names.queue(app.queue) == c[2];
    if !own || b.s.w.placing.is_empty() {
        return Said::Other;
    }
    match b.s.is(limit, c[3]) {
        Ok(()) => beside(b, c[4]),
        Err(why) => Said::False(why),
    }
}

/// `c`: how many, of how many, attempt, of how many.
fn part_of(b: &Beside<'_>, c: &[&str]) -> Said {
    let count = b.s.w.placing.iter().any(|p| Some(p.count) == number(c[0]));
    if !count || number(c[1]) != Some(b.s.w.count) {
        return Said::False(format!("{:?} of {}", b.s.w.placing, b.s.w.count));
    }
    stage(b, c[2], c[3])
}

// ---- nodes

fn needs(b: &Beside<'_>, wanted: &Wanted) -> Said {
    let (fit, looked_up) = (b.s.told_to_fit(), !b.s.why.buckets.is_empty());
    for node in b.s.in_service() {
        let has = match wanted.of(&b.s, node) {
            Ok(has) => has,
            Err(_) => return Said::Other,
        };
        let fits = fit.contains(&node.host.as_str());
        if looked_up && has == Some(!fits) {
            let is = if fits { "fits and has not" } else { "does not fit and has" };
            return Said::False(format!("{} {is} {wanted:?}", node.host));
        }
    }
    Said::True
}

fn no_node(b: &Beside<'_>, text: &str) -> Said {
    let mut named = 0;
    for part in text.split(", **") {
        let part = if part.starts_with("**") { part.to_string() } else { format!("**{part}") };
        let Some((hosts, more, been)) = away(&part) else { return Said::Other };
        named += hosts.len() as i64 + more;
        if let Said::False(why) = out_of_service(b, &hosts, been) {
            return Said::False(why);
        }
    }
    let out = b.s.rm().nodes().len() as i64;
    said(named == out && b.s.in_service().is_empty(), || format!("{out} nodes, {named} named"))
}

/// Returns the nodes of a clause about nodes that are away, how many more there are, and their state since when.
fn away(text: &str) -> Option<(Vec<&str>, i64, &str)> {
    let (hosts, been) = [" has been ", " have been "].iter().find_map(|been| text.split_once(been))?;
    let (hosts, more) = bolds(hosts)?;
    Some((hosts, more, been))
}

/// Checks that the scheduler does not have the nodes, and that they are as described.
fn out_of_service(b: &Beside<'_>, hosts: &[&str], been: &str) -> Said {
    for host in hosts {
        let Some(node) = b.s.node(host) else { return Said::False(format!("no node {host}")) };
        if node.in_scheduler || phrases::away(&b.s, node, been) != Some(true) {
            return Said::False(format!("{host} is {} since {}, not {been}", node.state.text(), node.state_since));
        }
    }
    Said::True
}

/// Checks the words about all nodes: "**n1** has 2 GB free, **n2** is held for zk-2; **n3** is LOST and takes nothing".
fn nodes(b: &Beside<'_>, text: &str) -> Said {
    let mut text = text;
    // Additions after semicolons.
    while let Some((head, tail)) = text.rsplit_once("; ") {
        let out = |form: &str| whole(form, tail).into_iter().next();
        if let Some((hosts, _, been)) =
            [" and takes nothing", " and take nothing"].iter().find_map(|takes| away(tail.strip_suffix(takes)?))
        {
            if let Said::False(why) = out_of_service(b, &hosts, been) {
                return Said::False(why);
            }
        } else if let Some(c) = out("{n} others take nothing: {x}") {
            let out: Vec<&Node> = b.s.rm().nodes().iter().filter(|n| !n.in_scheduler).collect();
            let mut sum = 0;
            for (n, state) in c[1].split(", ").filter_map(|part| part.split_once(' ')) {
                let of = |node: &&&Node| phrases::of_each(&b.s, node, state) == Some(Some(true));
                let there = out.iter().filter(of).count() as i64;
                if number(n) != Some(there) {
                    return Said::False(format!("{there} are {state}"));
                }
                sum += there;
            }
            if number(c[0]) != Some(sum) || sum != out.len() as i64 {
                return Said::False(format!("{} take nothing", out.len()));
            }
        } else if let Some(more) = added(b, tail) {
            if let Said::False(why) = more {
                return Said::False(why);
            }
        } else if let Some(c) = out("{hs} is held for it").or_else(|| out("{hs} are held for it")) {
            if let Said::False(why) = held_for(b, c[0]) {
                return Said::False(why);
            }
        } else {
            break;
        }
        text = head;
    }
    let served = b.s.in_service();
    let count = served.len() as i64;
    let one = |form: &str| whole(form, text).into_iter().next();
    // Beside nodes that are gone.
    let there = text.replace(" that are left", "").replace(" that is left", "");
    let full = || whole("All {n} nodes are full", &there).into_iter().next();
    let only = there.eq_ignore_ascii_case("the only node is full");
    if only || there.eq_ignore_ascii_case("both nodes are full") || full().is_some() {
        let n = full().and_then(|c| number(c[0])).unwrap_or(if only { 1 } else { 2 });
        return said(n == count && served.iter().all(|node| !b.s.fits(b.s.w.size, node.free())), || {
            "a node has room".into()
        });
    }
    if let Some(c) = one("{hs} fits: it is looked at next").or_else(|| one("{hs} fit: one of them is looked at next")) {
        let Some((named, more)) = bolds(c[0]) else { return Said::Other };
        let fit = b.s.told_to_fit();
        let all = named.len() as i64 + more == fit.len() as i64 && named.iter().all(|host| fit.contains(host));
        return said(all, || format!("{fit:?} fit"));
    }
    if let Some(c) = one("{m} is free on {n} nodes in all; the emptiest, {h}, {x}") {
        let free = served.iter().fold(Resource::ZERO, |sum, n| sum + n.free().component_max(Resource::ZERO));
        if let Err(why) = b.s.is(free, c[0]) {
            return Said::False(why);
        }
        let most = served.iter().map(|n| n.free()).max();
        let is = bold(c[2]).and_then(|host| b.s.node(host)).is_some_and(|n| Some(n.free()) == most);
        if number(c[1]) != Some(count) || !is {
            return Said::False(format!("{count} nodes, the most free is {most:?}"));
        }
        return of_node(b, c[2], c[3]);
    }
    if let Some(c) = one("The emptiest of {n} nodes, {h}, {x}") {
        if number(c[0]) != Some(count) {
            return Said::False(format!("{count} nodes"));
        }
        return of_node(b, c[1], c[2]);
    }
    let all = one("All {n} nodes {x}").map(|c| (number(c[0]), c[1]));
    if let Some((n, phrase)) = all.or_else(|| one("Both nodes {x}").map(|c| (Some(2), c[0]))) {
        if n != Some(count) {
            return Said::False(format!("{count} nodes"));
        }
        return each_of(b, &served.iter().map(|n| n.host.as_str()).collect::<Vec<_>>(), phrase);
    }
    if let Some(c) =
        one("Only {h} satisfies everything else, and it {x}").or_else(|| one("Only {h} comes near, and it {x}"))
    {
        return of_node(b, c[0], c[1]);
    }
    if let Some(c) = one("Of {n} nodes, {x}") {
        if number(c[0]) != Some(count) {
            return Said::False(format!("{count} nodes"));
        }
        return parts(b, c[1]);
    }
    items(b, text)
}

/// Checks "3 are full and **n4** is held for etl".
fn parts(b: &Beside<'_>, text: &str) -> Said {
    let (text, more) = match text.split_once(": **") {
        Some((head, one)) => (head, Some(format!("**{one}"))),
        None => (text, None),
    };
    if let Some(more) = more {
        match items(b, &more) {
            Said::True => {}
            other => return other,
        }
    }
    // A part begins with a number or a name; anything else after a comma belongs to the part before it.
    let mut starts = vec![0];
    for separator in [", ", " and "] {
        starts.extend(text.match_indices(separator).map(|(i, _)| i + separator.len()).filter(|i| {
            let rest = &text[*i..];
            rest.starts_with("**") || rest.split_once(' ').is_some_and(|(n, _)| number(n).is_some())
        }));
    }
    starts.sort_unstable();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let all = starts.iter().zip(ends).map(|(from, to)| {
        let part = &text[*from..to];
        if to < text.len() { part.strip_suffix(" and ").or(part.strip_suffix(", ")).unwrap_or(part) } else { part }
    });
    let all: Vec<String> = all.map(str::to_string).collect();
    let (mut sum, served) = (0, b.s.in_service());
    for part in all {
        if part.starts_with("**") {
            sum += 1;
            match items(b, &part) {
                Said::True => continue,
                other => return other,
            }
        }
        let Some((n, phrase)) = part.split_once(' ') else { return Said::Other };
        let Some(n) = number(n) else { return Said::Other };
        sum += n;
        let truths: Vec<_> = served.iter().map(|node| phrases::of_each(&b.s, node, phrase)).collect();
        if truths.iter().any(Option::is_none) {
            return Said::Other;
        }
        // Nodes that fail an earlier check may have it too.
        let so = truths.iter().filter(|t| **t != Some(Some(false))).count() as i64;
        if so < n {
            return Said::False(format!("{so} nodes {phrase}, not {n}"));
        }
    }
    said(sum == served.len() as i64, || format!("{sum} of {} nodes", served.len()))
}

/// Checks "**n1** has 2 GB free, **n2** and **n3** are held for zk-2": all nodes in service, once each.
fn items(b: &Beside<'_>, text: &str) -> Said {
    if ["rack **", "racks **", "Rack **", "Racks **"].iter().any(|start| text.starts_with(start)) {
        return of_racks(b, text);
    }
    let mut starts: Vec<usize> = vec![0];
    starts.extend(text.match_indices(", **").map(|(i, _)| i + 2));
    // Names in a list have commas between them too: an item has a verb after its names.
    let mut items: Vec<String> = Vec::new();
    for (k, from) in starts.iter().enumerate() {
        let to = starts.get(k + 1).map_or(text.len(), |next| next - 2);
        let item = &text[*from..to];
        match items.last_mut() {
            Some(last) if subject(last).is_none() => {
                last.push_str(", ");
                last.push_str(item);
            }
            _ => items.push(item.to_string()),
        }
    }
    for item in &items {
        let Some((hosts, phrase)) = subject(item) else { return Said::Other };
        let Some((named, _)) = bolds(hosts) else { return Said::Other };
        for host in named {
            match of_node(b, &format!("**{host}**"), phrase) {
                Said::True => {}
                other => return other,
            }
        }
    }
    Said::True
}

/// Checks "rack **r1** runs zk-1, racks **r2** and **r3** run no zk": each rack with nodes in service once.
fn of_racks(b: &Beside<'_>, text: &str) -> Said {
    let text = format!(", {}{}", text[..1].to_lowercase(), &text[1..]);
    let mut named = 0;
    let starts: Vec<usize> =
        [", rack **", ", racks **"].iter().flat_map(|s| text.match_indices(s)).map(|(i, _)| i).collect();
    let mut starts = starts;
    starts.sort_unstable();
    for (k, from) in starts.iter().enumerate() {
        let item = &text[from + 2..starts.get(k + 1).copied().unwrap_or(text.len())];
        let read = [" runs ", " each run ", " run "].iter().find_map(|verb| {
            let (racks, what) = item.split_once(verb)?;
            let racks = racks.strip_prefix("rack ").or(racks.strip_prefix("racks "))?;
            Some((bolds(racks)?.0, what))
        });
        let Some((racks, what)) = read else { return Said::Other };
        let phrase = match what.strip_prefix("no ") {
            Some(tag) => format!("is in a rack without {tag}"),
            None => format!("is in a rack with {what}"),
        };
        named += racks.len();
        for node in b.s.in_service() {
            let rack = b.s.rm().cluster().place_name(node.rack);
            if racks.contains(&rack.trim_start_matches('/')) {
                match of_node(b, &format!("**{}**", node.host), &phrase) {
                    Said::True => {}
                    other => return other,
                }
            }
        }
    }
    let mut racks: Vec<_> = b.s.in_service().iter().map(|node| node.rack).collect();
    racks.sort_unstable();
    racks.dedup();
    said(named == racks.len(), || format!("{named} of {} racks", racks.len()))
}

/// Returns the nodes that something is said about, and the words.
fn subject(item: &str) -> Option<(&str, &str)> {
    const VERBS: [&str; 7] = [" has ", " have ", " is ", " are ", " lends ", " lend ", " cannot "];
    let at = VERBS.iter().filter_map(|verb| item.find(verb)).min()?;
    let (hosts, phrase) = (&item[..at], &item[at + 1..]);
    bolds(hosts).map(|_| (hosts, phrase))
}

fn of_node(b: &Beside<'_>, host: &str, phrase: &str) -> Said {
    let Some(node) = bold(host).and_then(|host| b.s.node(host)) else { return Said::Other };
    match phrases::of_node(&b.s, node, phrase) {
        None => Said::Other,
        Some(Some(false)) => Said::False(format!("{host} {phrase}: it is not so")),
        Some(_) => Said::True,
    }
}

fn each_of(b: &Beside<'_>, hosts: &[&str], phrase: &str) -> Said {
    for host in hosts {
        let Some(node) = b.s.node(host) else { return Said::Other };
        match phrases::of_each(&b.s, node, phrase) {
            None => return Said::Other,
            Some(Some(false)) => return Said::False(format!("{host} {phrase}: it is not so")),
            Some(_) => {}
        }
    }
    Said::True
}

fn held_for(b: &Beside<'_>, hosts: &str) -> Said {
    let Some((named, more)) = bolds(hosts) else { return Said::Other };
    let Some(app) = b.s.app() else { return Said::Other };
    let reserved = app.asks.find(b.s.w.key).map_or(0, |place| app.asks.at(place).reserved.len());
    let mine = |host: &str| b.s.node(host).is_some_and(|n| n.reserved.is_some() && !b.s.is_held(n));
    said(named.iter().all(|host| mine(host)) && named.len() as i64 + more == reserved as i64, || {
        format!("{reserved} nodes are reserved for it, not {named:?} and {more}")
    })
}

// ---- limits

/// Returns whether the check failed for the request, its application or a queue above.
fn failed_is(b: &Beside<'_>, check: Check) -> bool {
    b.tape.failed.iter().rev().any(|f| f.checked.check == check && is_mine(b, f.checked.about))
}

fn failed(b: &Beside<'_>, check: Check) -> Said {
    said(failed_is(b, check), || format!("{check:?} was not recorded"))
}

/// Returns whether something is the request, its application or a queue above.
pub fn is_mine(b: &Beside<'_>, about: About) -> bool {
    match about {
        About::Queue(queue) => path(b).contains(&queue),
        about => about.app() == Some(b.s.w.app) && about.request().is_none_or(|(_, key)| key == b.s.w.key),
    }
}

fn path(b: &Beside<'_>) -> Vec<QueueId> {
    b.s.app().map_or(Vec::new(), |app| b.s.names.path_up(app.queue).collect())
}

/// Returns whether a check of the request or above compared such amounts, as recorded or as the scheduler would now.
fn compared(b: &Beside<'_>, checks: &[Check], queue: Option<&str>, is: impl Fn(&Amounts) -> bool) -> bool {
    let of_queue = |about: About, a: &Amounts| match (queue, a.queue, about) {
        (None, ..) => true,
        (Some(path), Some(named), _) | (Some(path), None, About::Queue(named)) => b.s.names.queue(named) == path,
        (Some(path), None, _) => b.s.app().is_some_and(|app| b.s.names.queue(app.queue) == path),
    };
    let recorded = b.tape.amounts().any(|(f, a)| {
        checks.contains(&f.checked.check) && is_mine(b, f.checked.about) && of_queue(f.checked.about, a) && is(a)
    });
    let now = || {
        let rm = b.s.rm();
        let (cluster, w) = (rm.cluster(), b.s.w);
        let mut limits = rm.capacity().map_or(Vec::new(), |s| {
            let now = s.limits_now(cluster, w.app, w.key, w.partition);
            now.into_iter().chain(s.limits_were_nodes_free(cluster, w.app, w.key, w.partition)).collect()
        });
        if let (Some(s), Some(app)) = (rm.fair(), b.s.app()) {
            let of_masters = s.am_limit(cluster, app.queue).map(|limit| {
                let amounts = Amounts::sum(s.queue(app.queue).am_used, w.size, limit).of_queue(app.queue);
                Checked::failed(Check::AmShare, About::App(w.app), amounts.into())
            });
            limits.extend(of_masters);
            limits.extend(b.s.names.path_up(app.queue).flat_map(|queue| {
                let (used, maximum) = (s.queue(queue).used, s.maximum_of(cluster, queue));
                let more = Amounts::sum(used, w.size, maximum).of_queue(queue);
                let within = Amounts::within(used, maximum).of_queue(queue);
                [(Check::MaxShare, more), (Check::MaxResources, within)]
                    .map(|(check, amounts)| Checked::failed(check, About::Queue(queue), amounts.into()))
            }));
        }
        limits.iter().any(|checked| match &checked.figures {
            Figures::Amounts(a) => checks.contains(&checked.check) && of_queue(checked.about, a) && is(a),
            _ => false,
        })
    };
    recorded || now()
}

fn sum(b: &Beside<'_>, checks: &[Check], c: &[&str]) -> Said {
    let it = compared(b, checks, Some(c[0]), |a| {
        b.s.is(a.used(), c[1]).is_ok() && b.s.is(a.asked(), c[2]).is_ok() && b.s.is(a.limit, c[3]).is_ok()
    });
    said(it, || format!("{checks:?} did not compare {} + {} with {}", c[1], c[2], c[3]))
}

fn most(b: &Beside<'_>, queue: &str, used: &str, limit: &str, beside: &str) -> Said {
    if b.s.rm().queue(queue).is_none() {
        return Said::Other;
    }
    if let Some(why) = masters(b, queue, beside) {
        return Said::False(why);
    }
    let it = compared(b, &[Check::QueueLimit, Check::MaxResources], Some(queue), |a| {
        let maximum = a.besides().unwrap_or(a.limit);
        b.s.is(a.used(), used).is_ok() && b.s.is(maximum, limit).is_ok()
    });
    said(it, || format!("{queue} was not found to use {used} of {limit}"))
}

/// Returns what is wrong with ", 2 GB of it (50 %) in ApplicationMasters" now.
fn masters(b: &Beside<'_>, queue: &str, beside: &str) -> Option<String> {
    let form =
        ["{m} of it ({x}) in ApplicationMasters", "{m} of it in ApplicationMasters", "{m} of it ({x})", "{m} of it"];
    let text = beside.trim_start_matches(", ");
    let caught = form.iter().find_map(|form| whole(form, text).into_iter().next())?;
    let id = b.s.rm().queue(queue)?;
    let below = |app: AppId| b.s.rm().scheduled(app).is_some_and(|a| b.s.names.path_up(a.queue).any(|q| q == id));
    let held = b.s.rm().apps().iter().filter(|a| below(a.id)).flat_map(|a| b.s.rm().containers_of(a.id));
    let held = held.filter(|c| c.am && c.partition == b.s.w.partition && c.state != ContainerState::Reserved);
    let held = held.fold(Resource::ZERO, |sum, c| sum + c.size);
    b.s.is(held, caught[0]).err().map(|why| format!("AMs of {queue}: {why}"))
}

fn larger(b: &Beside<'_>, queue: &str, maximum: &str, asked: &str) -> Said {
    if let Err(why) = b.s.is(b.s.w.size, asked) {
        return Said::False(why);
    }
    let it = compared(b, &[Check::QueueLimit, Check::Headroom, Check::MaxShare], None, |a| {
        b.s.is(a.besides().unwrap_or(a.limit), maximum).is_ok()
    });
    said(it || maximum_is(b, queue, maximum), || format!("the maximum of {queue} is not {maximum}"))
}

/// Returns whether a queue of the CapacityScheduler has this maximum in the partition now.
fn maximum_is(b: &Beside<'_>, queue: &str, maximum: &str) -> bool {
    let queue = b.s.rm().queue(queue).and_then(|id| b.s.rm().queues().get(id.index()));
    queue.is_some_and(|q| b.s.is(q.part(b.s.w.partition).shares.effective_max, maximum).is_ok())
}

/// Checks that the request would exceed the maximum of a queue above it.
fn queue_headroom(b: &Beside<'_>, c: &[&str], beside: &str) -> Said {
    let (queue, used, asked, maximum) = (c[0], c[1], c[2], c[3]);
    if b.s.rm().fair().is_some() {
        return sum(b, &[Check::MaxShare], c);
    }
    if b.s.rm().queue(queue).is_none() {
        return Said::Other;
    }
    if let Some(why) = masters(b, queue, beside) {
        return Said::False(why);
    }
    // The remaining amount was compared; usage and maximum must give that, for this queue or for the reserved room.
    let checks = [Check::Headroom, Check::CommitQueueMaximum];
    let recorded = compared(b, &checks, None, |a| b.s.is(a.asked(), asked).is_ok());
    let [Some(u), Some(m)] = [used, maximum].map(|text| Amount::read(text).map(|a| a.of)) else { return Said::Other };
    let passes = asked_passes(&u, &Amount::read(asked).map(|a| a.of).unwrap_or_default(), &m);
    said(recorded && passes, || format!("{asked} beside {used} do not pass {maximum}, or it was not compared"))
}

fn asked_passes(used: &[(String, i64, i64)], asked: &[(String, i64, i64)], most: &[(String, i64, i64)]) -> bool {
    most.iter().any(|(unit, least, _)| {
        let of = |amount: &[(String, i64, i64)]| amount.iter().find(|(u, ..)| u == unit).map_or(0, |(_, _, n)| *n);
        of(used) + of(asked) > *least
    })
}

fn left(b: &Beside<'_>, queue: &str, used: &str, limit: &str) -> Said {
    let it = compared(b, &[Check::QueueLimit], Some(queue), |a| {
        let limit_is = a.limit.component_max(Resource::ZERO);
        b.s.is(a.used(), used).is_ok()
            && b.s.is(limit_is, limit).is_ok()
            && a.besides().is_some_and(|max| max != a.limit)
    });
    said(it, || format!("{queue} was not found to use {used} of {limit} that are left to it"))
}

/// Checks which application room is kept for beside a limit: "root.x, where xjob waits for 2 GB".
fn kept(b: &Beside<'_>, whom: &str, limit: Said) -> Said {
    let of = whole("{w}, where {w} waits for {m}", whom);
    let Some(c) = of.first() else { return limit };
    let blocks = b.tape.amounts().any(|(f, a)| {
        let whose = a.app.map(|app| b.s.names.app(app));
        f.checked.check == Check::LeafHeadroom && whose == Some(c[1]) && b.s.is(a.asked(), c[2]).is_ok()
    });
    if blocks { limit } else { Said::False(format!("nothing is kept for {whom}")) }
}

fn headroom(b: &Beside<'_>, queue: &str, room: &str, asked: &str) -> Said {
    if b.s.app().is_none_or(|app| b.s.names.queue(app.queue) != queue) {
        return Said::Other;
    }
    let it =
        compared(b, &[Check::Headroom], None, |a| b.s.is(a.asked(), asked).is_ok() && b.s.is(a.limit, room).is_ok());
    said(it, || format!("{asked} were not compared with {room}"))
}

fn owing(b: &Beside<'_>, queue: &str, over: &str) -> Said {
    if b.s.app().is_none_or(|app| b.s.names.queue(app.queue) != queue) {
        return Said::Other;
    }
    let it = compared(b, &[Check::Headroom], None, |a| b.s.is(Resource::ZERO - a.limit, over).is_ok());
    said(it, || format!("{over} are not lacking"))
}

/// Checks that all nodes are full, as the symptom of a limit.
fn full_and(b: &Beside<'_>, full: &str, limit: &str) -> Said {
    let limit = format!("{limit}.");
    match (nodes(b, full), read(b, &limit, &mut Vec::new())) {
        (Said::True, Ok(())) => Said::True,
        (Said::True, Err(Fault::False(why))) | (Said::False(why), Ok(())) => Said::False(why),
        _ => Said::Other,
    }
}

/// Checks that the request is for a component that lacks nothing according to its master.
fn left_over(b: &Beside<'_>, c: &[&str]) -> Said {
    let run = b.s.names.run(b.s.w.app);
    let Some(master) = run.and_then(|run| run.master.as_ref()) else { return Said::Other };
    let parts = master.parts_of(b.s.w.key);
    let lacks = master.lacking().into_iter().any(|(part, count)| parts.contains(&part) && count > 0);
    let over = match c[2] {
        "a request for 1 more is left over, and a container that YARN gives for it goes back at once" => Some(1),
        more => {
            whole("requests for {n} more are left over, and containers that YARN gives for them go back at once", more)
                .first()
                .and_then(|c| number(c[0]))
        }
    };
    let it = bold(c[0]) == Some(b.s.names.app(b.s.w.app)) && master.component(b.s.w.key) == Some(c[1]);
    said(it && over == Some(b.s.w.count) && !parts.is_empty() && !lacks, || format!("{c:?}: lacks {lacks}, {over:?}"))
}

/// Checks what a partition has free, and what of it is reserved. `has`: "17 GB free of 48 GB, but 15 GB is reserved (…)";
/// `need`: "4 GB, and no node has that much free".
fn partition_full(b: &Beside<'_>, has: &str, need: &str) -> Said {
    let rm = b.s.rm();
    let partition = *rm.cluster().partition_total(b.s.w.partition);
    let (has, reserved) = match has.split_once(", but ").map(|(has, rest)| (has, rest.split_once(" is reserved"))) {
        Some((has, Some((reserved, _)))) => (has, Some(reserved)),
        Some((_, None)) => return Said::Other,
        None => (has, None),
    };
    let Some((free, total)) = has.split_once(" free of ") else { return Said::Other };
    let (total, masters) = total.split_once(", ").map_or((total, ""), |(total, masters)| (total, masters));
    let nowhere = need.strip_suffix(", and no node has that much free");
    let it = b.s.is(partition, total).and_then(|()| b.s.is(b.s.w.size, nowhere.unwrap_or(need)));
    if let Err(why) = it {
        return Said::False(why);
    }
    let somewhere = |node: &Node| {
        node.in_scheduler
            && node.partition == b.s.w.partition
            && rm.scheduler().fits_in_room(rm.cluster(), &b.s.w.size, &node.free())
    };
    if nowhere.is_some() && rm.nodes().iter().any(somewhere) {
        return Said::False("a node has that much free".to_string());
    }
    let Some(root) = rm.queues().first().map(|q| q.part(b.s.w.partition)) else { return Said::Other };
    let own = b.s.app().and_then(|app| app.reserved.get(b.s.w.partition.index()).copied()).unwrap_or_default();
    let by = [root.reserved, root.reserved - own]
        .into_iter()
        .find(|r| reserved.is_some_and(|told| b.s.is(*r, told).is_ok()));
    if reserved.is_some() && by.is_none() {
        return Said::False(format!("not {reserved:?} is reserved, but {:?}", root.reserved));
    }
    let by = by.unwrap_or(Resource::ZERO);
    let is_free = |left: Resource| b.s.is((left + by).component_max(Resource::ZERO), free).is_ok();
    // The free amount is what root does not use, as recorded or now.
    let it = compared(b, &[Check::QueueLimit, Check::Headroom], None, |a| {
        let left = if a.asked().is_zero() { a.besides().unwrap_or(a.limit) - a.used() } else { a.limit };
        is_free(left)
    });
    let said_of_masters = masters.is_empty() || masters.contains("ApplicationMasters");
    said(said_of_masters && (it || is_free(partition - root.used)), || format!("not {free} are free, but {root:?}"))
}

fn user(b: &Beside<'_>, user: &str, queue: &str, used: &str, limit: &str) -> Said {
    let own =
        b.s.app()
            .is_some_and(|app| b.s.rm().cluster().user_name(app.user) == user && b.s.names.queue(app.queue) == queue);
    if !own {
        return Said::Other;
    }
    let it =
        compared(b, &[Check::UserLimit], None, |a| b.s.is(a.used(), used).is_ok() && b.s.is(a.limit, limit).is_ok());
    said(it, || format!("{user} was not found to use {used} of {limit}"))
}

fn parallel(b: &Beside<'_>, c: &[&str]) -> Said {
    let runs = |a: &&App| a.alive && a.runnable;
    let (rm, names) = (b.s.rm(), b.s.names);
    let running = rm.cluster().apps.iter().filter(runs).filter(|a| match rm.queue(c[0]) {
        Some(id) => names.path_up(a.queue).any(|q| q == id),
        None => rm.cluster().user_name(a.user).eq_ignore_ascii_case(c[0]),
    });
    let running = running.count() as i64;
    let held = b.tape.held.iter().rev().find(|(app, ..)| *app == b.s.w.app);
    let most = held.map(|(_, _, most)| *most);
    // A limit behind another one is given as it is set.
    let set = rm.queue(c[0]).and_then(|id| match rm.fair() {
        Some(s) => Some(i64::from(s.queue(id).max_apps)),
        None => rm.queues().get(id.index()).map(|q| i64::from(q.conf.max_parallel_apps)),
    });
    // A refresh may have set another one since it was held back.
    let limit = rm.scheduler().first_limit(rm.cluster(), b.s.w.app, b.s.w.key, b.s.w.partition);
    let now = limit.and_then(|limit| limit.figures.as_count()).map(|(_, most)| most);
    let told = number(c[2]).filter(|told| [most, set, now].contains(&Some(*told)));
    said(number(c[1]) == Some(running) && told.is_some(), || format!("{running} run, of at most {most:?} or {set:?}"))
}

/// `c`: whose, used, asked, limit.
fn am_limit(b: &Beside<'_>, c: &[&str]) -> Said {
    // "alice in root.a on label x (b and c)"
    let (whose, named) = match c[0].split_once(" (") {
        Some((whose, named)) => (whose, named.strip_suffix(')').unwrap_or(named)),
        None => (c[0], ""),
    };
    let whose = whose.split(" on label ").next().unwrap_or(whose);
    let (user, queue) = whose.split_once(" in ").map_or((None, whose), |(user, queue)| (Some(user), queue));
    let Some(app) = b.s.app() else { return Said::Other };
    if b.s.names.queue(app.queue) != queue {
        return Said::Other;
    }
    let figures = b.s.rm().inactive(app.id);
    let is = |used: Resource, asked: Resource, limit: Resource| {
        b.s.is(used, c[1]).is_ok() && b.s.is(asked, c[2]).is_ok() && b.s.is(limit, c[3]).is_ok()
    };
    let now = figures.is_some_and(|f| match user {
        Some(_) => is(f.user_used, f.am_size, f.user_limit),
        None => is(f.queue_used, f.am_size, f.queue_limit),
    });
    // A limit behind another one is given as the leaf has it.
    let now = now || {
        let queue = b.s.rm().queues().get(app.queue.index());
        let limits = b.s.rm().capacity().zip(queue).map(|(s, queue)| {
            let (part, cluster) = (queue.part(app.am_partition), b.s.rm().cluster());
            let of_queue = s.am_limit_of(cluster, app.queue, app.am_partition);
            let of_user = queue.leaf.as_deref().and_then(|leaf| leaf.users.get(app.user));
            let used = of_user.map_or(Resource::ZERO, |user| user.am_used_in(app.am_partition));
            match user {
                Some(_) => (used, s.user_am_limit_of(cluster, app.queue, app.user, app.am_partition)),
                None => (part.am_used, of_queue),
            }
        });
        limits.is_some_and(|(used, limit)| is(used, app.am_size, limit))
    };
    let check = if user.is_some() { Check::UserAmLimit } else { Check::QueueAmLimit };
    if !now && !compared(b, &[check], None, |a| is(a.used(), a.asked(), a.limit)) {
        return Said::False(format!("{figures:?}"));
    }
    // The holders are all that are active there, or the user's if it is the user's limit.
    let leaf = b.s.rm().queues().get(app.queue.index()).and_then(|q| q.leaf.as_deref());
    let active = leaf.map_or(&[][..], |l| &l.active).iter().filter(|id| {
        b.s.rm().scheduled(**id).is_some_and(|a| {
            let partition = figures.is_none_or(|f| a.am_partition == f.partition);
            partition && (user.is_none() || a.user == app.user)
        })
    });
    let active: Vec<&str> = active.map(|id| b.s.names.app(*id)).collect();
    let (listed, more) =
        if named.is_empty() { (Vec::new(), 0) } else { super::form::listed(named).unwrap_or_default() };
    // Except those activated since the comparison.
    let size = |name: &&str| {
        let id = b.s.names.find_app(name)?;
        Some(b.s.rm().scheduled(id)?.am_size)
    };
    let sum = listed.iter().filter_map(size).fold(Resource::ZERO, |sum, size| sum + size);
    let all = listed.len() as i64 + more == active.len() as i64 || more == 0 && b.s.is(sum, c[1]).is_ok();
    said(all && listed.iter().all(|name| active.contains(name)), || {
        format!("{active:?} are active, named are {listed:?} and {more} more")
    })
}

fn lends(b: &Beside<'_>, c: &[&str]) -> Said {
    let nodes = b.s.in_service().into_iter().filter(|n| b.s.names.partition(n.partition) == c[0]);
    let free = nodes.fold(Resource::ZERO, |sum, n| sum + n.free());
    match b.s.is(free.component_max(Resource::ZERO), c[1]) {
        Ok(()) => Said::True,
        Err(why) => Said::False(why),
    }
}

// ---- turns

fn behind(b: &Beside<'_>, queue: &str, app: Option<&str>, need: &str, room: &str) -> Said {
    let Some(app) = app.and_then(|name| b.s.names.find_app(name)) else { return Said::Other };
    let it = b.tape.amounts().any(|(f, a)| {
        let whose = a.app.or(f.checked.about.app());
        matches!(f.checked.check, Check::LeafHeadroom | Check::Headroom)
            && whose == Some(app)
            && b.s.is(a.asked(), need).is_ok()
            && b.s.is(a.limit, room).is_ok()
    });
    let leaf = b.s.app().is_some_and(|own| b.s.names.queue(own.queue) == queue);
    said(it && leaf, || format!("no request of {app:?} for {need} was found not to fit in {room} of {queue}"))
}

/// Checks that it is behind another one, without the leaf's remaining amount; `full`: "both nodes are full".
fn behind_since(b: &Beside<'_>, queue: &str, app: &str, need: &str, full: &str) -> Said {
    let Some(app) = bold(app).and_then(|name| b.s.names.find_app(name)) else { return Said::Other };
    if full.contains(" may still take ") {
        return Said::Other;
    }
    let it = b.tape.amounts().any(|(f, a)| {
        let blocked = f.checked.check == Check::LeafHeadroom && a.app.or(f.checked.about.app()) == Some(app);
        blocked && b.s.is(a.asked(), need).is_ok()
    });
    let wants = |asks: &KeyAsks| asks.any().is_some_and(|any| any.count > 0 && b.s.is(any.size, need).is_ok());
    let open = b.s.rm().scheduled(app).is_some_and(|first| first.asks.keys().iter().any(wants));
    let leaf = b.s.app().is_some_and(|own| b.s.names.queue(own.queue).eq_ignore_ascii_case(queue));
    if !(it && open && leaf) {
        return Said::False(format!("no open request of {app:?} for {need} blocks {queue}"));
    }
    let label = b.s.names.partition(b.s.w.partition);
    let of_label = if label.is_empty() { String::new() } else { format!(" of label {label}") };
    let there = full.replace(" that are left", "").replace(" that is left", "").replace(&of_label, "");
    let count = match there.as_str() {
        "" => return Said::True,
        "the only node is full" => Some(1),
        "both nodes are full" => Some(2),
        there => whole("all {n} nodes are full", there).first().and_then(|c| number(c[0])),
    };
    let takes = |n: &&&Node| n.partition == b.s.w.partition && n.state == NodeState::Running && !b.s.is_silent(n);
    let served: Vec<&Node> = b.s.in_service().iter().filter(takes).copied().collect();
    let least = b.s.rm().cluster().minimum;
    let full = served.iter().all(|node| !b.s.fits(least, node.free()));
    said(full && count == Some(served.len() as i64), || format!("{} nodes, full: {full}", served.len()))
}

fn behind_own(b: &Beside<'_>, c: &[&str]) -> Said {
    if bold(c[0]).and_then(|name| b.s.names.find_app(name)) != Some(b.s.w.app) {
        return Said::Other;
    }
    let (priority, host) = (number(c[1]), bold(c[2]).unwrap_or_default());
    let it = b.tape.failed.iter().rev().any(|f| {
        f.checked.about.request().is_some_and(|(app, key)| {
            app == b.s.w.app && Some(i64::from(key.priority)) == priority && key.priority <= b.s.w.key.priority
        }) && b.tape.offers.get(f.offer).is_some_and(|o| b.s.names.node(o.node) == host)
    });
    said(it, || format!("no request of priority {priority:?} was stopped on {host}"))
}

fn refused(b: &Beside<'_>, host: &str, app: AppId) -> Said {
    let Some(host) = bold(host) else { return Said::Other };
    let it = b.tape.refused.iter().any(|(who, node)| *who == app && b.s.names.node(*node) == host);
    said(it, || format!("no commit of {app:?} on {host} was refused"))
}

fn went_first(b: &Beside<'_>, app: &str, host: &str, at: &str, key: Option<[&str; 3]>, over: &str) -> Said {
    let (Some(name), Some(host), Some(at)) = (bold(app), bold(host), clock(at)) else { return Said::Other };
    let Some(app) = b.s.names.find_app(name) else { return Said::Other };
    let given = b.tape.gave(at, app, |node| b.s.names.node(node) == host);
    if !given {
        return Said::False(format!("{name} got nothing on {host} at {at} ms"));
    }
    match key.map(|key| key_is(b, app, key)) {
        Some(Said::True) | None => {}
        Some(other) => return other,
    }
    turn_over(b, host, at, over)
}

fn own_first(b: &Beside<'_>, priority: &str, host: &str, at: &str, key: Option<[&str; 3]>, over: &str) -> Said {
    let (Some(host), Some(at), Some(priority)) = (bold(host), clock(at), number(priority)) else { return Said::Other };
    let given = b.tape.given_to(at, b.s.w.app, |node| b.s.names.node(node) == host);
    if !given.iter().any(|key| i64::from(key.priority) == priority && *key < b.s.w.key) {
        return Said::False(format!("no request of priority {priority} got something on {host} at {at} ms: {given:?}"));
    }
    match key.map(|key| key_is(b, b.s.w.app, key)) {
        Some(Said::True) | None => {}
        Some(other) => return other,
    }
    turn_over(b, host, at, over)
}

/// Checks that the user of the request exceeds the present limit by more than a container, but not the former one.
fn limit_was(b: &Beside<'_>, c: &[&str]) -> Said {
    let (Some(app), rm) = (b.s.app(), b.s.rm()) else { return Said::Other };
    let Some(scheduler) = rm.capacity() else { return Said::Other };
    let own = rm.cluster().user_name(app.user) == c[0] && b.s.names.queue(app.queue) == c[1];
    let now = scheduler.user_limit_of(rm.cluster(), app.queue, app.user, b.s.w.partition);
    let past = clock(c[3]).is_some_and(|at| at <= b.s.names.now);
    said(own && past && b.s.is(now, c[2]).is_err(), || format!("the limit is {now:?} now"))
}

/// Checks that somebody else got at least so many since then, and runs a smaller one.
fn took_smaller(b: &Beside<'_>, who: &str, count: &str, since: &str) -> Said {
    let Some(app) = bold(who).and_then(|name| b.s.names.find_app(name)) else { return Said::Other };
    let given = b.tape.given.iter().filter(|given| given.app == app && Some(given.at) >= clock(since)).count() as i64;
    let enough = number(count).is_some_and(|count| count > 0 && count <= given);
    said(app != b.s.w.app && enough, || format!("{given} containers of {who} were placed since {since}"))
}

/// Checks who got room since a moment, how much, and by which key or for which check of the request.
fn took(b: &Beside<'_>, who: &str, since: &str, count: &str, why: &str) -> Said {
    let (Some(since), Some(count)) = (clock(since), number(count)) else { return Said::Other };
    let own = whole("Its own request of priority {n}", who).first().and_then(|c| number(c[0]));
    let app = if own.is_some() { Some(b.s.w.app) } else { bold(who).and_then(|name| b.s.names.find_app(name)) };
    let Some(app) = app else { return Said::Other };
    let mine = |g: &&super::tape::Given| {
        let other =
            own.map_or(g.app != b.s.w.app, |priority| i64::from(g.key.priority) == priority && g.key != b.s.w.key);
        g.app == app && g.at >= since && other
    };
    // Only those count that took room which the request could have had.
    let given = b.tape.given.iter().filter(mine).count() as i64;
    if given < count || count < 1 || since < b.s.w.since {
        return Said::False(format!("{who} was given {given} since {since} ms, and it waits since {}", b.s.w.since));
    }
    for c in whole("{w} before {w} by {x}: {x} before {x}", why) {
        let known = c[..2].iter().all(|queue| b.s.rm().queue(queue).is_some());
        if known && matches!(key_is(b, app, [c[2], c[3], c[4]]), Said::True) {
            return Said::True;
        }
    }
    for c in whole("{x}: {x} before {x}", why) {
        if let Said::True = key_is(b, app, [c[0], c[1], c[2]]) {
            return Said::True;
        }
    }
    let passed_over = why.starts_with("it was passed over: ") || !why.contains(" before ");
    said(passed_over, || format!("{who} does not go first by {why}"))
}

/// Checks a queue that is owed room by queues over their guarantees, and what else stops the request.
fn owed(b: &Beside<'_>, queue: &str, used: &str, guaranteed: &str, over: &str, besides: &str) -> Said {
    let part = |path: &str| {
        let queue = b.s.rm().queue(path).and_then(|id| b.s.rm().queues().get(id.index()))?;
        let part = queue.part(b.s.w.partition);
        Some((part.used, part.shares.effective_min))
    };
    let Some((use_, least)) = bold(queue).and_then(part) else { return Said::Other };
    if let Err(why) = b.s.is(use_, used).and_then(|()| b.s.is(least, guaranteed)) {
        return Said::False(why);
    }
    let Some((named, _)) = bolds(over) else { return Said::Other };
    let beyond = |path: &&str| part(path).is_some_and(|(used, least)| !b.s.fits(used, least));
    if !named.iter().all(beyond) {
        return Said::False(format!("not all of {named:?} use more than they are guaranteed"));
    }
    if besides.is_empty() { Said::True } else { beside(b, besides) }
}

/// Checks that an application has less than its fair share, why preemption frees nothing for it, and the symptom. The share
/// is that of the last update, which no recorded check has.
fn fair_owed(b: &Beside<'_>, c: &[&str]) -> Said {
    let Some(app) = b.s.app().filter(|app| bold(c[0]) == Some(b.s.names.app(app.id))) else { return Said::Other };
    let Some(s) = b.s.rm().fair() else { return Said::Other };
    if let Err(why) = b.s.is(app.used_total(), c[1]) {
        return Said::False(why);
    }
    if b.s.has_at_least(app.used_total(), c[2]) == Some(true) {
        return Said::False(format!("it has its share of {}", c[2]));
    }
    let (on, patience) = (s.conf().preemption.on, s.queue(app.queue).patience);
    let by_minimum = !s.queue(app.queue).minimum.is_zero() && patience.minimum_ms < i64::MAX;
    let endless = patience.fair_ms == i64::MAX && !by_minimum;
    // A queue above it whose minimum share has no effect there.
    let (why, above) = match c[3].split_once(" (the minimum share of ") {
        Some((why, above)) => (why, Some(above)),
        None => (c[3], None),
    };
    if let Some(above) = above {
        let form = whole("{w}, {m}, takes nothing back: only that of a leaf does)", above).into_iter().next();
        let queue = form.as_ref().and_then(|c| b.s.rm().queue(c[0])).map(|id| s.queue(id));
        let so = queue.zip(form).is_some_and(|(queue, c)| !queue.leaf && b.s.is(queue.minimum, c[1]).is_ok());
        if !so {
            return Said::False(format!("no queue above has {above}"));
        }
    }
    let read = |form: &str| whole(form, why).into_iter().next();
    let it = match why {
        "preemption is off" => !on && !endless,
        "preemption is off (no timeout)" => !on && endless,
        "no fairSharePreemptionTimeout is set" => on && endless,
        why if why.starts_with("no node can give enough: left alone are ") => on,
        // No node lacks only memory for it.
        "shares go by memory alone, which is not what is lacking" => {
            let nodes = || b.s.rm().nodes().iter().filter(|node| node.in_scheduler);
            nodes().all(|node| node.free().memory_mb() >= b.s.w.size.memory_mb())
                && nodes().any(|node| (1..b.s.w.size.0.len()).any(|i| node.free()[i] < b.s.w.size[i]))
        }
        _ => match (
            read("preemption protects {m} of it (fairSharePreemptionThreshold {x})"),
            read("it counts as starved from {t} on (fairSharePreemptionTimeout)"),
        ) {
            (Some(due), _) => {
                due[1].parse() == Ok(patience.threshold) && b.s.has_at_least(app.used_total(), due[0]) == Some(true)
            }
            (_, Some(_)) => on && !endless,
            (None, None) => {
                let form = "{w} counts as starved of its minimum share of {m} from {t} on (minSharePreemptionTimeout)";
                let Some(of) = read(form) else { return Said::Other };
                let queue = s.queue(app.queue);
                let lacks = (0..queue.minimum.0.len()).any(|i| queue.used[i] < queue.minimum[i]);
                let due = clock(of[2]).is_some_and(|at| at >= b.s.names.now);
                on && by_minimum && lacks && due && queue.path == of[0] && b.s.is(queue.minimum, of[1]).is_ok()
            }
        },
    };
    if it { beside(b, c[4]) } else { Said::False(format!("not so: {}", c[3])) }
}

/// Checks a cause's symptom after a semicolon: words about nodes, or another sentence.
fn beside(b: &Beside<'_>, text: &str) -> Said {
    let text = text.trim_end_matches('.');
    // The part of a queue's usage that is only reserved.
    if let Some((head, rest)) = text.split_once("; ")
        && let Some(c) = whole("{m} of {h} is only reserved", head).into_iter().next()
    {
        let queue = bold(c[1]).and_then(|path| b.s.rm().queue(path)).and_then(|id| b.s.rm().queues().get(id.index()));
        let reserved = queue.map_or(Resource::ZERO, |q| q.part(b.s.w.partition).reserved);
        return match b.s.is(reserved, c[0]) {
            Ok(()) if !reserved.is_zero() => beside(b, rest),
            Ok(()) => Said::False("nothing is reserved".into()),
            Err(why) => Said::False(why),
        };
    }
    let mut worst = match nodes(b, &capital(text)) {
        Said::True => return Said::True,
        other => other,
    };
    // A queue's name has no capital.
    for sentence in [format!("{text}."), format!("{}.", capital(text))] {
        match read(b, &sentence, &mut Vec::new()) {
            Ok(()) => return Said::True,
            Err(Fault::False(why)) => worst = Said::False(why),
            Err(Fault::NotRead(_)) => {}
        }
    }
    worst
}

/// Checks other applications of its leaf that have room and a lower priority, while preemption within queues is off.
fn outranked(b: &Beside<'_>, c: &[&str]) -> Said {
    let (Some((named, more)), Some(app)) = (bolds(c[0]), b.s.app()) else { return Said::Other };
    let rm = b.s.rm();
    let others = rm.apps().iter().filter_map(|other| rm.scheduled(other.id));
    let lower: Vec<&App> = others
        .filter(|other| other.queue == app.queue && other.priority < app.priority && other.active)
        .filter(|other| other.used.get(b.s.w.partition.index()).is_some_and(|used| !used.is_zero()))
        .collect();
    let sum = lower.iter().fold(Resource::ZERO, |sum, other| sum + other.used[b.s.w.partition.index()]);
    let all = named.iter().all(|name| lower.iter().any(|other| b.s.names.app(other.id) == *name));
    if !all || lower.len() as i64 != named.len() as i64 + more || c[2] != b.s.names.queue(app.queue) {
        return Said::False(format!("{} of {} have a lower priority", lower.len(), c[2]));
    }
    let on = rm.preemption_monitor().is_some_and(|monitor| monitor.conf().intra_queue);
    let disabled = rm.queues().get(app.queue.index()).is_some_and(|q| q.conf.intra_queue_preemption_disabled);
    match b.s.is(sum, c[1]) {
        Err(why) => Said::False(why),
        Ok(()) if on && !disabled => Said::False("preemption within queues is on".into()),
        Ok(()) => beside(b, c[3]),
    }
}

/// Checks another user of its leaf that exceeds the user limit, while preemption within queues is off.
fn outspent(b: &Beside<'_>, c: &[&str]) -> Said {
    let (Some(app), Some(scheduler)) = (b.s.app(), b.s.rm().capacity()) else { return Said::Other };
    let (rm, p) = (b.s.rm(), b.s.w.partition);
    let leaf = rm.queues().get(app.queue.index()).and_then(|queue| queue.leaf.as_deref());
    let user =
        leaf.and_then(|leaf| leaf.users.all().iter().find(|user| rm.cluster().user_name(user.user) == c[0]).cloned());
    let Some(user) = user.filter(|user| user.user != app.user && c[2] == b.s.names.queue(app.queue)) else {
        return Said::False(format!("{} is no other user of the leaf", c[0]));
    };
    let used = user.used.get(p.index()).copied().unwrap_or_default();
    let limit = scheduler.user_limit_of(rm.cluster(), app.queue, user.user, p);
    let disabled = rm.queues().get(app.queue.index()).is_some_and(|q| q.conf.intra_queue_preemption_disabled);
    let on = rm.preemption_monitor().is_none_or(|monitor| monitor.conf().intra_queue && !disabled);
    match b.s.is(used, c[1]).and_then(|()| b.s.is(limit, c[3])) {
        Err(why) => Said::False(why),
        Ok(()) if on || b.s.fits(used, limit) => Said::False("it is within its limit, or preemption is on".into()),
        Ok(()) => beside(b, c[4]),
    }
}

/// Checks hosts with a label that is not sent, and the symptom.
fn unsent_label(b: &Beside<'_>, c: &[&str]) -> Said {
    match super::masters::label_not_sent(b, &c[..2]) {
        Said::True => beside(b, c[2]),
        other => other,
    }
}

/// Checks nodes that are gone, and the symptom.
fn gone(b: &Beside<'_>, hosts: &str, been: &str, text: &str) -> Said {
    let Some((hosts, _)) = bolds(hosts) else { return Said::Other };
    match out_of_service(b, &hosts, been) {
        Said::True => beside(b, text),
        other => other,
    }
}

/// Checks nodes of racks that waiting does not open, before what else they lack.
fn closed(b: &Beside<'_>, hosts: &str, chances: &str, text: &str) -> Said {
    let Some((hosts, _)) = bolds(hosts) else { return Said::Other };
    let phrase = format!(
        "is in a rack it asked for, which is taken after more than {chances} missed chances; none is counted while the row for any \
         place may not relax"
    );
    for host in hosts {
        match of_node(b, &format!("**{host}**"), &phrase) {
            Said::True => {}
            other => return other,
        }
    }
    beside(b, text)
}

/// Checks silent nodes: whose since when, when they count as lost, and what stops the request.
fn silent(b: &Beside<'_>, c: &[&str]) -> Said {
    let Some((hosts, _)) = bolds(c[0]) else { return Said::Other };
    let been = format!("silent since {} and counts as lost at {}", c[1], c[2]);
    let so = |host: &&str| b.s.node(host).is_some_and(|node| phrases::away(&b.s, node, &been) == Some(true));
    match hosts.iter().find(|host| !so(host)) {
        None => beside(b, c[3]),
        Some(host) => Said::False(format!("{host} has not been {been}")),
    }
}

/// Returns the words after a semicolon as a sentence of their own.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Returns whether a key puts the first before the second: "priority: 5 before 0".
fn key_is(b: &Beside<'_>, first: AppId, [key, one, other]: [&str; 3]) -> Said {
    let numbers = || {
        let of = |text: &str| text.trim_end_matches(" %").replace('−', "-").parse::<f64>().ok();
        Some((of(one)?, of(other)?))
    };
    let amounts = || Some((Amount::read(one)?.of.first()?.1 as f64, Amount::read(other)?.of.first()?.1 as f64));
    let smaller = |holds: fn(f64, f64) -> bool| match numbers().or_else(amounts) {
        Some((a, c)) => said(holds(a, c), || format!("{key}: {one} is not before {other}")),
        None => Said::Other,
    };
    let yes_first = || said((one, other) == ("yes", "no"), || format!("{key}: {one} before {other}"));
    match key {
        "submitted as" => {
            let place = |app: AppId| (app.index() + 1).to_string();
            match smaller(|a, c| a < c) {
                Said::True => said(place(first) == one && place(b.s.w.app) == other, || {
                    format!("they were submitted as {} and {}", place(first), place(b.s.w.app))
                }),
                other => other,
            }
        }
        "priority" => smaller(|a, c| a > c),
        "guaranteed of partition" => smaller(|a, c| a >= c),
        "used of guaranteed"
        | "MB used"
        | "MB used ÷ weight"
        | "dominant share"
        | "request id"
        | "used ÷ weight"
        | "dominant share ÷ weight" => smaller(|a, c| a <= c),
        "priority (lower first)" => smaller(|a, c| a < c),
        "attempt began" => match (clock(one), clock(other)) {
            (Some(a), Some(c)) => said(a < c, || format!("{one} is not before {other}")),
            _ => Said::Other,
        },
        "below its minimum" => {
            let part = |text: &str| text.strip_suffix(" % of it").and_then(|n| n.parse::<f64>().ok());
            match (part(one), part(other)) {
                (Some(a), Some(c)) => said(a < c, || format!("{one} is not before {other}")),
                (Some(_), None) => said(other == "no", || format!("{key}: {one} before {other}")),
                _ => yes_first(),
            }
        }
        "may use the label" | "wants something" | "uses or wants memory" => yes_first(),
        "name" => said(one < other && b.s.rm().queue(one).is_some() && b.s.rm().queue(other).is_some(), || {
            format!("{one} is not before {other}")
        }),
        key if key.starts_with("place in ") => smaller(|a, c| a < c),
        _ => Said::Other,
    }
}

/// Checks what ended a node's turn: "a heartbeat gives 1 off-switch container (maximum-offswitch-assignments)".
fn turn_over(b: &Beside<'_>, host: &str, at: i64, text: &str) -> Said {
    if text.is_empty() {
        return Said::True;
    }
    // With several candidates the reporting node may be another.
    let several = b.s.rm().capacity().is_some_and(|s| s.conf().multi_node.enabled);
    let over = b.tape.offers.iter().rev().filter(|o| o.at == at && (several || b.s.names.node(o.node) == host));
    let Some(checked) = over.filter_map(|o| o.turn_over.as_ref()).next() else {
        return Said::False(format!("no turn of {host} ended at {at} ms"));
    };
    let most = checked.figures.as_count().map(|(_, most)| most);
    let n = |form: &str| whole(form, text).into_iter().next().and_then(|c| number(c[0]));
    let forms: [(&str, Check); 9] = [
        ("a heartbeat gives {n} off-switch container (maximum-offswitch-assignments)", Check::OffSwitchAssignments),
        ("a heartbeat gives {n} off-switch containers (maximum-offswitch-assignments)", Check::OffSwitchAssignments),
        ("a heartbeat gives {n} container (maximum-container-assignments)", Check::AssignmentsPerHeartbeat),
        ("a heartbeat gives {n} containers (maximum-container-assignments)", Check::AssignmentsPerHeartbeat),
        ("a heartbeat gives {n} container (max.assign)", Check::AssignmentsPerHeartbeat),
        ("a heartbeat gives {n} containers (max.assign)", Check::AssignmentsPerHeartbeat),
        ("a heartbeat gives {n} container (assignmultiple is false)", Check::MultipleAssignments),
        ("a heartbeat gives {n} container (multiple-assignments-enabled is false)", Check::MultipleAssignments),
        ("a node that is reserved is offered to nobody else", Check::TurnUnreserved),
    ];
    for (form, check) in forms {
        if whole(form, text).is_empty() {
            continue;
        }
        let right = checked.check == check;
        let counted = match check {
            Check::OffSwitchAssignments | Check::AssignmentsPerHeartbeat => n(form) == most,
            Check::MultipleAssignments => n(form) == Some(1),
            _ => true,
        };
        if right || !form.contains("{n}") {
            return said(right && counted, || format!("the turn of {host} at {at} ms was ended by {checked:?}"));
        }
    }
    if let Some(c) =
        whole("a heartbeat gives no more than half of the free room, {m} (dynamic.max.assign)", text).first()
    {
        let limit = checked.figures.as_amounts().map(|a| a.limit);
        return said(limit.is_some_and(|limit| b.s.is(limit, c[0]).is_ok()), || format!("{limit:?}"));
    }
    // Said of FIFO order, or of a scheduler with other rules.
    if matches!(b.s.rm().scheduler(), Scheduler::Fifo(_)) {
        Said::True
    } else {
        Said::False(format!("ended by {checked:?}"))
    }
}
