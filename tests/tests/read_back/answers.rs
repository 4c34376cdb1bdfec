//! The answers about applications, queues, nodes and containers: each sentence a form, compared with the state. Their waiting
//! requests are described in the request's own words, which are read as such.

use super::cycles;
use super::form::{Amount, begins, bold, clock, number};
use super::losses;
use super::preempted;
use super::sentences::{self, Beside, Fault};
use super::state::State;
use super::tape::Tape;
use heddle_core::apps::distributed_shell::strategy::DistributedShell;
use heddle_core::check::Check;
use heddle_core::journal::OfferResult;
use heddle_core::model::{PartitionId, Resource, Selector};
use heddle_core::scenario::SamzaApp;
use heddle_core::scheduler::{ContainerState, NodeState};
use heddle_core::sim::{AppRun, TriedOutcome};
use heddle_core::strategy::Master;
use heddle_player::Player;
use heddle_player::explain::view::{Selection, WhyView};
use heddle_player::explain::waiting::{self, Waiting};
use heddle_player::explain::{Names, words};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The most things of each kind asked about at one moment.
const ASKED: usize = 3;

/// The subject, and the answer.
struct Of<'a> {
    player: &'a Player,
    names: Names<'a>,
    tape: &'a Tape,
    about: &'a Selection,
    /// The waiting requests.
    waiting: &'a [Waiting],
    /// The answers about requests, each computed once.
    whys: &'a RefCell<BTreeMap<String, Rc<WhyView>>>,
}

type Is = fn(&Of<'_>, &[&str]) -> Result<(), String>;

fn so(it: bool, why: impl FnOnce() -> String) -> Result<(), String> {
    if it { Ok(()) } else { Err(why()) }
}

/// All sentences, specific ones before general ones. `{x}` is what a reader cannot look up in the state.
const FORMS: &[(&str, Is)] = &[
    // ---- nodes
    ("{h} runs {n} container: {m} of {m} and {n} of {n} vcores are taken.", |of, c| of.node_runs(c)),
    ("{h} runs {n} containers: {m} of {m} and {n} of {n} vcores are taken.", |of, c| of.node_runs(c)),
    ("{h} runs {n} container: {m} of {m} and {n} of {n} vcore are taken.", |of, c| of.node_runs(c)),
    ("{h} runs {n} containers: {m} of {m} and {n} of {n} vcore are taken.", |of, c| of.node_runs(c)),
    (
        "{h} has been silent since {t}, and nothing runs on it. YARN counts {n} container there until it takes the node for lost: {m} of {m}.",
        |of, c| of.node_silent(c),
    ),
    (
        "{h} has been silent since {t}, and nothing runs on it. YARN counts {n} containers there until it takes the node for lost: {m} of {m}.",
        |of, c| of.node_silent(c),
    ),
    ("{h} is not among the scheduler's nodes.", |of, c| {
        so(of.node(c[0]).is_some_and(|n| !n.in_scheduler), || format!("{} is in the scheduler", c[0]))
    }),
    (
        "It has been {x} since {t}: its size follows what it runs, and what ends there may be given away before that.",
        |of, c| of.is_away(c[0], c[1], None),
    ),
    (
        "It has been {x} since {t} and leaves by {t}: its size follows what it runs, and what ends there may be given away before that.",
        |of, c| of.is_away(c[0], c[1], Some(c[2])),
    ),
    ("It has been {x} since {t}: it gets nothing more.", |of, c| of.is_away(c[0], c[1], None)),
    ("It has been {x} since {t} and leaves by {t}: it gets nothing more.", |of, c| of.is_away(c[0], c[1], Some(c[2]))),
    ("It has been {x} since {t} and counts as lost at {t}: it gets nothing more.", |of, c| {
        of.is_away(c[0], c[1], Some(c[2]))
    }),
    ("It is held for {x}, which needs {m}.", |of, c| {
        let Selection::Node(host) = of.about else { return Err("it is no node".into()) };
        let slot = of.node(&format!("**{host}**")).and_then(|n| n.reserved).ok_or("nothing is reserved there")?;
        let held = of.names.rm().cluster().containers.at(slot);
        so(of.names.request_name(held.id.app, held.key, 1) == c[0], || format!("it is held for {:?}", held.id))?;
        of.is(held.size, c[1])
    }),
    ("When the scheduler last looked at it, at {t}, {x}.", |of, c| {
        let Selection::Node(host) = of.about else { return Err("it is no node".into()) };
        let mut mine = of.tape.offers.iter().rev().filter(|o| of.names.node(o.node) == host).peekable();
        let at = mine.peek().map(|o| o.at).ok_or("it was never offered")?;
        so(clock(c[0]) == Some(at), || format!("the last offer was at {at}"))?;
        let came = |result| match result {
            Some(OfferResult::Skipped | OfferResult::Default) | None => "nobody took room",
            Some(OfferResult::Reserved) => "room was reserved",
            Some(OfferResult::Allocated | OfferResult::AllocatedFromReserved) => "room was given",
        };
        // An offer may have two passes.
        so(mine.take_while(|o| o.at == at).any(|o| came(o.result) == c[1]), || "another result was recorded".into())
    }),
    // ---- the rule that chose a queue
    ("Mapping rule {n} ({x}) sends it to {w}.", |of, c| of.is_in_queue(c[2])),
    (
        "Mapping rule {n} ({x}) sends it to {w}, though it asked for {w} (queue-mappings-override.enable is true).",
        |of, c| {
            of.is_in_queue(c[2])?;
            let Selection::App(name) = of.about else { return Err("it is no application".into()) };
            let app = of.names.find_app(name).and_then(|id| of.names.rm().app(id)).ok_or("no such application")?;
            so(app.submission.queue == c[3] && c[3] != c[2], || format!("it asked for {}", app.submission.queue))
        },
    ),
    (
        "{h}, where {n} container of it runs, has been decommissioning since {t} and leaves by {t}: what runs there then is killed.",
        |of, c| of.leaves(c[0], c[1]),
    ),
    (
        "{h}, where {n} containers of it run, has been decommissioning since {t} and leaves by {t}: what runs there then is killed.",
        |of, c| of.leaves(c[0], c[1]),
    ),
    (
        "{h}, where its AM runs, has been decommissioning since {t} and leaves by {t}: its attempt ends with the node.",
        |of, c| of.master_leaves(c[0]),
    ),
    ("At {t} {x} was ignored: it keeps {x}, the first value, until that is removed or replaced.", |of, c| {
        let Selection::Node(_) = of.about else { return Err("it is no node".into()) };
        so(clock(c[0]).is_some_and(|at| at <= of.names.now) && c[1] != c[2], || "it is not so".into())
    }),
    ("Placement rule {n} ({x}) sends it to {w}.", |of, c| of.is_in_queue(c[2])),
    ("The request of {h} was rejected; its AM sends it again with its next call.", |of, c| {
        let Selection::App(app) = of.about else { return Err("it is no application".into()) };
        so(bold(c[0]).is_some_and(|name| name.starts_with(app.as_str())), || "it is not of this application".into())
    }),
    (
        "{n} instance of {h} was not handed to the new AM: it waits for its container until {t} before it asks again (yarn.service.container-recovery.timeout.ms).",
        |of, c| of.unrecovered(c),
    ),
    (
        "{n} instances of {h} were not handed to the new AM: it waits for their containers until {t} before it asks again (yarn.service.container-recovery.timeout.ms).",
        |of, c| of.unrecovered(c),
    ),
    (
        "{n} instance of {h} waits, and YARN has no request for it: a later request under the same id took the place of an earlier one, or one was rejected.",
        |of, c| of.forgotten(c),
    ),
    (
        "{n} instances of {h} wait, and YARN has no request for them: a later request under the same id took the place of an earlier one, or one was rejected.",
        |of, c| of.forgotten(c),
    ),
    ("The service does not ask again.", |of, _| so(of.service().is_some(), || "it is no service".into())),
    ("The requests of {x} were rejected; its AM sends them again with its next call.", |of, c| {
        let Selection::App(app) = of.about else { return Err("it is no application".into()) };
        let mut named = c[0].split("**").skip(1).step_by(2);
        so(named.all(|name| name.starts_with(app.as_str())), || "one is not of this application".into())
    }),
    // ---- queues
    ("{h} uses {m}; {m} is guaranteed, {m} at most.", |of, c| {
        let queue = of.queue(c[0]).ok_or("no such queue")?;
        let part = of.names.rm().queues().get(queue).ok_or("no such queue")?.part(PartitionId::DEFAULT);
        of.is(part.used, c[1])?;
        of.is(part.shares.effective_min, c[2])?;
        of.is(part.shares.effective_max, c[3])
    }),
    ("{h} uses {m} outside labels; {m} is guaranteed there, {m} at most.", |of, c| {
        let queue = of.queue(c[0]).ok_or("no such queue")?;
        of.part_is(queue, PartitionId::DEFAULT, [c[1], c[2], c[3]])
    }),
    ("Of label {w} it uses {m}; {m} is guaranteed there, {m} at most.", |of, c| {
        let Selection::Queue(path) = of.about else { return Err("it is no queue".into()) };
        let queue = of.queue(&format!("**{path}**")).ok_or("no such queue")?;
        let mut labels = of.names.rm().cluster().partition_ids();
        let p = labels.find(|p| of.names.partition(*p) == c[0]).ok_or("no such label")?;
        of.part_is(queue, p, [c[1], c[2], c[3]])
    }),
    ("{m} is asked for there.", |of, c| {
        let Selection::Queue(path) = of.about else { return Err("it is no queue".into()) };
        let queue = of.queue(&format!("**{path}**")).ok_or("no such queue")?;
        let queue = of.names.rm().queues().get(queue).ok_or("no such queue")?;
        let mut labels = of.names.rm().cluster().partition_ids().filter(|p| !p.is_default());
        so(labels.any(|p| of.is(queue.part(p).pending, c[0]).is_ok()), || format!("{} is asked for of no label", c[0]))
    }),
    // ---- losses
    ("Preemption has taken {n} container of {hs} at {t}.", |of, c| {
        losses::has_taken(of.names, of.tape, [c[0], c[1], c[2], c[2]])
    }),
    ("Preemption has taken {n} containers of {hs} at {t}.", |of, c| {
        losses::has_taken(of.names, of.tape, [c[0], c[1], c[2], c[2]])
    }),
    ("Preemption has taken {n} containers of {hs} from {t} to {t}.", |of, c| {
        losses::has_taken(of.names, of.tape, [c[0], c[1], c[2], c[3]])
    }),
    ("{n} container of {hs} is marked and {x}.", |of, c| losses::is_to_take(of.names, [c[0], c[1], c[2]])),
    ("{n} containers of {hs} are marked and {x}.", |of, c| losses::is_to_take(of.names, [c[0], c[1], c[2]])),
    ("{n} container of {hs} is killable: whoever is owed room may take its at any moment.", |of, c| {
        losses::are_killable(of.names, [c[0], c[1]])
    }),
    ("{n} containers of {hs} are killable: whoever is owed room may take theirs at any moment.", |of, c| {
        losses::are_killable(of.names, [c[0], c[1]])
    }),
    ("Preemption killed the AM of {h} at {t}.", |of, c| {
        losses::has_taken_masters(of.names, of.tape, [c[0], c[1], c[1]])
    }),
    ("Preemption killed the AMs of {hs} at {t}.", |of, c| {
        losses::has_taken_masters(of.names, of.tape, [c[0], c[1], c[1]])
    }),
    ("Preemption killed the AMs of {hs} from {t} to {t}.", |of, c| {
        losses::has_taken_masters(of.names, of.tape, [c[0], c[1], c[2]])
    }),
    ("{h} uses {m}, and {m} is guaranteed.", |of, c| of.uses_beyond(c[0], c[1], c[2], "")),
    ("{h} uses {m}, and {m} of label {w} is guaranteed.", |of, c| of.uses_beyond(c[0], c[1], c[2], c[3])),
    ("{h} uses {m}, and its fair share is {m}.", |of, c| {
        let (Some(s), Some(id)) = (of.names.rm().fair(), bold(c[0]).and_then(|path| of.names.rm().queue(path))) else {
            return Err("no such queue".into());
        };
        of.is(s.queue(id).used, c[1])?;
        so(s.queue(id).used.memory_mb() > s.queue(id).fair_share.memory_mb(), || "it does not".into())
    }),
    ("The room that was chosen last was promised to {h}.", |of, c| {
        let id = bold(c[0]).and_then(|name| of.names.find_app(name)).ok_or("no such application")?;
        so(of.tape.starved.iter().any(|(_, app, _)| *app == id), || "nobody searched for it".into())
    }),
    ("Other applications of {w} are owed its room.", |of, _| of.loses_by(&[Selector::IntraQueue])),
    ("A reservation of a queue with a higher priority needs its room.", |of, _| {
        of.loses_by(&[Selector::QueuePriority])
    }),
    ("A reservation on its node needs its room.", |of, _| of.loses_by(&[Selector::Reserved])),
    ("{n} container of {h} failed on {h} at {t}.", |of, c| {
        losses::has_lost(of.names, of.tape, [c[0], c[1], "failed", c[2], c[3]])
    }),
    ("{n} containers of {h} failed, the last on {h} at {t}.", |of, c| {
        losses::has_lost(of.names, of.tape, [c[0], c[1], "failed", c[2], c[3]])
    }),
    ("{n} container of {h} failed on {h} at {t}; {h} was given the next one there, at {t}.", |of, c| {
        losses::has_lost(of.names, of.tape, [c[0], c[1], "failed", c[2], c[3]])?;
        losses::was_given(of.names, of.tape, [c[4], c[2], c[5]])
    }),
    ("{n} containers of {h} failed, the last on {h} at {t}; {h} was given the next one there, at {t}.", |of, c| {
        losses::has_lost(of.names, of.tape, [c[0], c[1], "failed", c[2], c[3]])?;
        losses::was_given(of.names, of.tape, [c[4], c[2], c[5]])
    }),
    ("{h} lost {n} container with its AM, which was on {h}, at {t}.", |of, c| {
        losses::with_its_master(of.names, of.tape, [c[0], c[1], c[2], c[3]])
    }),
    ("{h} lost {n} containers with its AM, which was on {h}, at {t}.", |of, c| {
        losses::with_its_master(of.names, of.tape, [c[0], c[1], c[2], c[3]])
    }),
    ("{h} was moved into {w} at {t}, which no maximum keeps from coming.", |of, c| {
        losses::moved_beyond_maximum(of.names, of.tape, [c[0], c[1], c[2]])
    }),
    ("{n} container of {h} was lost with {h} at {t}.", |of, c| {
        losses::has_lost(of.names, of.tape, [c[0], c[1], "lost", c[2], c[3]])
    }),
    ("{n} containers of {h} were lost with nodes, the last with {h} at {t}.", |of, c| {
        losses::has_lost(of.names, of.tape, [c[0], c[1], "lost", c[2], c[3]])
    }),
    ("{n} container of {h} was lost on {h} at {t}, which lists it no more.", |of, c| {
        losses::has_lost(of.names, of.tape, [c[0], c[1], "lists", c[2], c[3]])
    }),
    ("{n} containers of {h} were lost, the last on {h} at {t}, which lists them no more.", |of, c| {
        losses::has_lost(of.names, of.tape, [c[0], c[1], "lists", c[2], c[3]])
    }),
    ("{n} container of {h} was not launched in time on {h} until {t}.", |of, c| {
        losses::has_lost(of.names, of.tape, [c[0], c[1], "launched", c[2], c[3]])
    }),
    ("{n} containers of {h} were not launched in time, the last on {h} until {t}.", |of, c| {
        losses::has_lost(of.names, of.tape, [c[0], c[1], "launched", c[2], c[3]])
    }),
    ("{n} container of {h} was killed on {h} at {t}{x}.", |of, c| {
        of.by_smaller_node(c[0], Some(c[1]), c[2], [c[3], c[3]])
    }),
    ("{n} containers of {h} were killed on {h} at {t}{x}.", |of, c| {
        of.by_smaller_node(c[0], Some(c[1]), c[2], [c[3], c[3]])
    }),
    ("{n} containers of {h} were killed on {h} from {t} to {t}{x}.", |of, c| {
        of.by_smaller_node(c[0], Some(c[1]), c[2], [c[3], c[4]])
    }),
    ("{n} container was killed there at {t}{x}.", |of, c| of.by_smaller_node(c[0], None, "", [c[1], c[1]])),
    ("{n} containers were killed there at {t}{x}.", |of, c| of.by_smaller_node(c[0], None, "", [c[1], c[1]])),
    ("{n} containers were killed there from {t} to {t}{x}.", |of, c| of.by_smaller_node(c[0], None, "", [c[1], c[2]])),
    (
        "{n} container of it was lost with its node, as its AM heard at {t}: with a placement spec the distributed shell asks for no other.",
        |of, c| of.shell_lost(c[0], c[1]),
    ),
    (
        "{n} containers of it were lost with their nodes, as its AM heard at {t}: with a placement spec the distributed shell asks for no others.",
        |of, c| of.shell_lost(c[0], c[1]),
    ),
    ("{h} gives label {w} to requests that name none (default-node-label-expression).", |of, c| {
        let rm = of.names.rm();
        let queue = of.queue(c[0]).and_then(|id| rm.queues().get(id)).ok_or("no such queue")?;
        so(queue.conf.default_label.as_deref() == Some(c[1]), || format!("{:?}", queue.conf.default_label))
    }),
    ("It is {w} and takes no more applications.", |of, c| of.takes_none(c[0])),
    ("It is {w} and takes no more applications; state was set to {w} by the refresh at {t}.", |of, c| {
        so(clock(c[2]) <= Some(of.names.now), || "no refresh yet".into())?;
        of.takes_none(c[0])
    }),
    ("{m} is asked for.", |of, c| {
        let Selection::Queue(path) = of.about else { return Err("it is no queue".into()) };
        let queue = of.queue(&format!("**{path}**")).ok_or("no such queue")?;
        let part = of.names.rm().queues().get(queue).ok_or("no such queue")?.part(PartitionId::DEFAULT);
        of.is(part.pending, c[0])
    }),
    ("ApplicationMasters hold {m} of it, {x}; tasks hold {m}.", |of, c| {
        let Selection::Queue(path) = of.about else { return Err("it is no queue".into()) };
        let rm = of.names.rm();
        let id = rm.queue(path);
        let here = rm.cluster().apps.iter().filter(|a| a.alive && Some(a.queue) == id);
        let masters = here
            .flat_map(|a| rm.containers_of(a.id))
            .filter(|c| c.am && c.state != ContainerState::Reserved && c.partition.is_default());
        of.is(masters.fold(Resource::ZERO, |sum, c| sum + c.size), c[0])
    }),
    ("{h} uses {m}; its fair share is {m}, its maximum {x}.", |of, c| {
        let (Some(s), Some(id)) = (of.names.rm().fair(), bold(c[0]).and_then(|path| of.names.rm().queue(path))) else {
            return Err("no such queue".into());
        };
        of.is(s.queue(id).used, c[1])
    }),
    ("{h} uses {m} of {m}. Applications are served in the order of their submission, without limits.", |of, c| {
        of.is(of.names.rm().cluster().total, c[2])
    }),
    ("{x} waits: {x}.", |of, c| of.longest(c[0], c[1])),
    // ---- applications
    ("{h} has waited {s} for its AM: {x}.", |of, c| {
        let w = of.of_app(c[0], |w| w.am).ok_or("its AM does not wait")?;
        so(words::span(of.names.now - w.since) == c[1], || format!("since {}", w.since))?;
        of.because(w, c[2])
    }),
    ("{h} runs {n} container and waits for {x}: {x}.", |of, c| of.runs_and_waits(c)),
    ("{h} runs {n} containers and waits for {x}: {x}.", |of, c| of.runs_and_waits(c)),
    ("It asked for priority {n}; yarn.cluster.max-application-priority cuts it to {n}.", |of, c| {
        of.priority_is([c[0], c[1]])
    }),
    ("It asked for priority {n}; the {w} knows no priorities of applications.", |of, c| {
        so(of.names.rm().capacity().is_none(), || "the CapacityScheduler knows them".into())?;
        of.priority_is([c[0], "0"])
    }),
    ("The FifoScheduler does not look at relaxLocality: it goes to other places too.", |of, _| of.is_unheeded("")),
    ("The FifoScheduler counts memory alone: {h} asks for {x} and is given none.", |of, c| of.is_unheeded(c[1])),
    ("Its move to {w} was refused at {t}: {x}.", |of, c| {
        let refused = |n: &heddle_core::sim::Notice| Some(n.at) == clock(c[1]);
        so(of.names.sim.notices().iter().any(refused), || "nothing was refused then".into())
    }),
    ("1 more stands behind that request and is not looked at before it fits.", |of, _| of.stand_behind(1)),
    ("{n} more stand behind that request and are not looked at before it fits.", |of, c| {
        of.stand_behind(number(c[0]).unwrap_or(i64::MAX))
    }),
    (
        "{h} asked for {n} container on {x} without a row for any place (ANY, *). YARN counts that row: it looks for no node, and has nothing to say.",
        |of, c| of.without_any(c[0], c[1]),
    ),
    (
        "{h} asked for {n} containers on {x} without a row for any place (ANY, *). YARN counts that row: it looks for no node, and has nothing to say.",
        |of, c| of.without_any(c[0], c[1]),
    ),
    ("{h} starts when those it depends on are ready: {x}.", |of, c| of.depends(c[0], c[1])),
    ("{h} runs {n} container; nothing of it waits.", |of, c| {
        so(of.of_app(c[0], |w| !w.left_over).is_none(), || "something waits".into())?;
        of.runs(c[0], c[1])
    }),
    ("{h} runs {n} containers; nothing of it waits.", |of, c| {
        so(of.of_app(c[0], |w| !w.left_over).is_none(), || "something waits".into())?;
        of.runs(c[0], c[1])
    }),
    ("{h} runs {n} container.", |of, c| of.runs(c[0], c[1])),
    ("{h} runs {n} containers.", |of, c| of.runs(c[0], c[1])),
    ("{h}'s AM has a container and cannot register.", |of, c| of.has_master(c[0])),
    ("{h}'s AM has a container and is starting.", |of, c| of.has_master(c[0])),
    (
        "YARN counts {n} of its containers on {h}, which has been silent since {t} and counts as lost at {t}: nothing runs there.",
        |of, c| {
            let node = of.node(c[1]).filter(|node| of.names.is_silent(node)).ok_or("it is not silent")?;
            let Selection::App(name) = of.about else { return Err("it is no application".into()) };
            let id = of.names.find_app(name).ok_or("no such application")?;
            let there = of.names.rm().containers_on(node.id).filter(|x| x.id.app == id && !x.am);
            so(Some(there.count() as i64) == number(c[0]), || "another number".into())?;
            so(Some(node.last_heartbeat) == clock(c[2]), || format!("heard of at {}", node.last_heartbeat))
        },
    ),
    ("{h}'s AM is unmanaged: YARN starts none, and it has still to register.", |of, c| {
        so(of.has_master(c[0]).is_err() && of.of_app(c[0], |_| true).is_none(), || "it has one, or waits for it".into())
    }),
    ("{h} has no AM: its attempt has ended, and the next one has not begun.", |of, c| {
        so(of.has_master(c[0]).is_err() && of.of_app(c[0], |_| true).is_none(), || "it has one, or waits for it".into())
    }),
    // ---- containers
    ("At {t} the scheduler looked at {h}; it may go anywhere.", |of, c| of.placed(c[0], c[1], None)),
    ("At {t} the scheduler looked at {h}; it may go to any node with label {w}.", |of, c| {
        of.placed(c[0], c[1], None)?;
        of.has_label(c[1], c[2])
    }),
    ("At {t} the scheduler looked at {h}, which had {m} free; it may go to any node with label {w}.", |of, c| {
        of.placed(c[0], c[1], Some(c[2]))?;
        of.has_label(c[1], c[3])
    }),
    ("At {t} the scheduler looked at {h}: {x}.", |of, c| of.placed(c[0], c[1], None)),
    ("At {t} the scheduler looked at {h}, which had {m} free; it may go anywhere.", |of, c| {
        of.placed(c[0], c[1], Some(c[2]))
    }),
    ("At {t} the scheduler looked at {h}, which had {m} free: {x}.", |of, c| of.placed(c[0], c[1], Some(c[2]))),
    ("{n} request came before it and was passed over.", |_, c| so(number(c[0]) == Some(1), || c[0].into())),
    ("{n} requests came before it and were passed over.", |_, c| so(number(c[0]) > Some(1), || c[0].into())),
    ("Passed over before: {x}.", |of, c| {
        let (hosts, _) = super::form::listed(c[0]).ok_or("no list")?;
        so(hosts.iter().all(|host| of.node(&format!("**{host}**")).is_some()), || format!("{hosts:?}"))
    }),
    ("How it came here is not recorded.", |_, _| Ok(())),
    // ---- refusals
    ("A call of {h} was refused at {t}: {x}.", |of, c| of.refused(c[0], c[1])),
    ("A call of {h} was refused at {t}, and its AM failed of it: {x}.", |of, c| of.refused(c[0], c[1])),
    ("The AM of {h} was not let in at {t}: {x}.", |of, c| of.refused(c[0], c[1])),
    ("It asks for {x}.", |of, _| of.refused_once()),
    (
        "Making its queue throws an exception: the application gets no answer, and the ResourceManager ends. Here it goes on without this application.",
        |of, _| {
            let Selection::App(name) = of.about else { return Err("it is no application".into()) };
            let id = of.names.find_app(name).ok_or("no such application")?;
            so(of.tape.unanswered.contains(&id), || "it was answered".into())
        },
    ),
    ("The scheduler last refused a node that was proposed for it at {t}: {x}.", |of, _| {
        let Selection::App(name) = of.about else { return Err("it is no application".into()) };
        let id = of.names.find_app(name).ok_or("no such application")?;
        so(of.tape.refused.iter().any(|(app, _)| *app == id), || "no proposal for it was refused".into())
    }),
    ("{n} containers of {h} were rejected, the last at {t}: {x}.", |of, c| of.rejected(c[1], c[2])),
    ("{n} container of {h} was rejected at {t}: {x}.", |of, c| of.rejected(c[1], c[2])),
    ("{n} containers of {h} were rejected at {t}: {x}.", |of, c| of.rejected(c[1], c[2])),
    // ---- what is not requested
    (
        "{n} container of it was preempted. YARN does not ask again for what has run once, and its AM has not asked for it again.",
        |of, c| of.killed(c[0]),
    ),
    (
        "{n} containers of it were preempted. YARN does not ask again for what has run once, and its AM has not asked for them again.",
        |of, c| of.killed(c[0]),
    ),
    (
        "{h}, where its AM ran, has been silent since {t} and counts as lost at {t}: the next attempt begins then, or at {t}, when YARN misses the AM.",
        |of, c| {
            let run = of.run().ok_or("it never ran")?;
            let am = run.am.and_then(|am| of.names.rm().container(am)).ok_or("it has no AM")?;
            let node = of.node(c[0]).filter(|node| node.id == am.node).ok_or("its AM is not there")?;
            let heard = (Some(node.last_heartbeat), run.missed_at());
            so(of.names.is_silent(node) && heard == (clock(c[1]), clock(c[3])), || format!("{heard:?}"))
        },
    ),
    // The node counts as lost before its AM expires.
    (
        "{h}, where its AM ran, has been silent since {t} and counts as lost at {t}: the next attempt begins then.",
        |of, c| of.master_lost(c),
    ),
    (
        "{h}, where its AM ran, has been silent since {t} and counts as lost at {t}: the application, which may have no other attempt, ends then.",
        |of, c| of.master_lost(c),
    ),
    (
        "{h}, where its AM ran, has been silent since {t} and counts as lost at {t}: the application, which may have no other attempt, ends then, or at {t}, when YARN misses the AM.",
        |of, c| {
            let run = of.run().ok_or("it never ran")?;
            let only = run.id.and_then(|id| of.names.rm().app(id)).is_some_and(|a| a.max_attempts == 1);
            so(only && run.missed_at() == clock(c[3]), || format!("{:?}", run.missed_at()))
        },
    ),
    (
        "Its AM has made no call since {t} and asks for nothing; its process is still there. YARN misses it at {t} and ends the application, which may have no other attempt (yarn.am.liveness-monitor.expiry-interval-ms).",
        |of, c| {
            let run = of.run().ok_or("it never ran")?;
            let last = run.id.and_then(|id| of.names.rm().app(id)).is_some_and(|a| a.failures + 1 >= a.max_attempts);
            so(last && run.missed_at() == clock(c[1]), || format!("{:?}", run.missed_at()))
        },
    ),
    (
        "Its AM has made no call since {t} and asks for nothing; its process is still there. YARN misses it at {t} and ends the attempt (yarn.am.liveness-monitor.expiry-interval-ms).",
        |of, c| {
            let run = of.run().ok_or("it never ran")?;
            so((Some(run.heard_at()), run.missed_at()) == (clock(c[0]), clock(c[1])), || {
                format!("{:?}", run.missed_at())
            })
        },
    ),
    (
        "The process of {h} has ended {n} times and been started again by its node each time, the last at {t}; its AM is not told.",
        |of, c| {
            let run = of.run().ok_or("it never ran")?;
            let again = run.relaunched().any(|(_, retries)| Some(retries.at.len() as i64) == number(c[1]));
            so(again, || format!("none ended {} times", c[1]))
        },
    ),
    // ---- what preemption frees for it, which its request says too
    ("Preemption is to free {m} for {hs}.", |of, c| of.freed(c[0])),
    ("Preemption is to free {m} for {hs}, from {t} on.", |of, c| of.freed(c[0])),
    ("Preemption is to free {m} for {hs}, enough on no single node.", |of, c| of.freed_too_little(c[0])),
    ("Preemption is to free {m} for {hs}, from {t} on, enough on no single node.", |of, c| of.freed_too_little(c[0])),
    ("Preemption is to free {m} for {hs}, from {t} on; so far {h} has got such room, {x} since {t}.", |of, c| {
        of.freed(c[0])
    }),
    ("Preemption is to free {m} for {h}, from {t} on, in vain: {h} may not start and gets nothing of it.", |of, c| {
        of.freed_in_vain(c[0], c[1])
    }),
    (
        "Preemption is to free {m} for {h}, from {t} on, in vain: {h} may not start and gets nothing of it; so far {h} has got such room, {x} since {t}.",
        |of, c| of.freed_in_vain(c[0], c[1]),
    ),
    ("Since {t} preemption has killed {n} container for {h}, which has got nothing of it.", |of, c| {
        of.freed_for_nothing([c[0], c[1], c[2]], None)
    }),
    ("Since {t} preemption has killed {n} containers for {h}, which has got nothing of it.", |of, c| {
        of.freed_for_nothing([c[0], c[1], c[2]], None)
    }),
    ("Since {t} preemption has killed {n} container for {h}; {h} has got such room {x}.", |of, c| {
        of.freed_for_nothing([c[0], c[1], c[2]], Some((c[3], c[4])))
    }),
    ("Since {t} preemption has killed {n} containers for {h}; {h} has got such room {x}.", |of, c| {
        of.freed_for_nothing([c[0], c[1], c[2]], Some((c[3], c[4])))
    }),
    (
        "Preemption is to free {m} for {h}, from {t} on, in vain: {h} may not start, and {h} has got such room again {x} since {t}.",
        |of, c| of.freed_in_vain(c[0], c[1]),
    ),
    // A sentence about the first waiting request may stand alone.
    ("{x}.", |of, c| of.of_first(c[0])),
];

/// Asks about things of each kind at a moment. Returns how many answers were read, and what is wrong.
pub fn at(player: &Player, tape: &Tape, forms: &mut Vec<&'static str>) -> (usize, Vec<String>) {
    let sim = player.simulation();
    let names = Names::at(sim, player.now());
    let waiting = waiting::waiting(sim);
    let rm = sim.rm();
    let mut all: Vec<Selection> = Vec::new();
    all.extend(rm.nodes().iter().take(ASKED).map(|n| Selection::Node(n.host.clone())));
    all.extend(
        rm.queues().iter().filter(|q| q.alive && q.is_leaf()).take(ASKED).map(|q| Selection::Queue(q.path.clone())),
    );
    all.extend(rm.apps().iter().rev().take(ASKED).map(|a| Selection::App(names.app(a.id).to_string())));
    let containers = rm.nodes().iter().flat_map(|n| rm.containers_on(n.id));
    let live = containers.filter(|c| c.state != ContainerState::Reserved && c.state != ContainerState::Over);
    all.extend(live.take(ASKED).map(|c| names.container(c.id)));
    let (mut asked, mut wrong, whys) = (0, Vec::new(), RefCell::default());
    for about in &all {
        let why = player.why(about);
        let of = Of { player, names, tape, about, waiting: &waiting, whys: &whys };
        asked += 1;
        if let Err(why) = of.read(&why, forms) {
            wrong.push(format!("{about}: {why}"));
        }
    }
    (asked, wrong)
}

impl<'a> Of<'a> {
    /// Returns the service that is asked about.
    fn service(&self) -> Option<&heddle_core::apps::service::strategy::ServiceMaster> {
        let Selection::App(app) = self.about else { return None };
        self.names.sim.service(self.names.find_app(app).and_then(|id| self.names.sim.place_of(id))?)
    }

    /// Checks how many of a component's waiting instances exceed YARN's requests.
    fn forgotten(&self, c: &[&str]) -> Result<(), String> {
        let mut components = self.service().ok_or("it is no service")?.components();
        let it = components.find(|(spec, _)| bold(c[1]) == Some(spec.name.as_str())).ok_or("no such component")?;
        let (waiting, told) = (it.1.pending.len() as i64, number(c[0]).unwrap_or(i64::MAX));
        so((1..=waiting).contains(&told), || format!("{waiting} wait"))
    }

    /// Checks how many instances of a component the previous attempt had, and until when they may be handed over.
    fn unrecovered(&self, c: &[&str]) -> Result<(), String> {
        let Selection::App(app) = self.about else { return Err("it is no application".into()) };
        let place = self.names.find_app(app).and_then(|id| self.names.sim.place_of(id)).ok_or("no such application")?;
        let master = self.names.sim.service(place).ok_or("it is no service")?;
        let told = |(i, (spec, _)): (usize, (&heddle_core::apps::service::strategy::ComponentSpec, _))| {
            (bold(c[1]) == Some(spec.name.as_str())).then(|| master.unrecovered(i))
        };
        let has = master.components().enumerate().find_map(told).ok_or("no such component")?;
        so((Some(has.0), Some(has.1 / 1000)) == (number(c[0]), clock(c[2]).map(|at| at / 1000)), || format!("{has:?}"))
    }

    /// Checks that the FifoScheduler runs and the application asks for something that it ignores: amounts of types, or strict
    /// places.
    fn is_unheeded(&self, dropped: &str) -> Result<(), String> {
        let app = match self.about {
            Selection::App(app) | Selection::Container { app, .. } => self.names.find_app(app),
            _ => None,
        };
        let app = app.and_then(|id| self.names.rm().scheduled(id)).ok_or("it is of no application")?;
        let fifo = self.names.rm().capacity().is_none() && self.names.rm().fair().is_none();
        so(fifo, || "another scheduler runs".into())?;
        let strict = app.asks.keys().iter().any(|key| key.rows().any(|(_, row)| !row.relax));
        let given =
            app.asks.keys().iter().filter_map(|key| key.any()).any(|any| any.size.0.iter().skip(2).any(|v| *v > 0));
        so(if dropped.is_empty() { strict } else { !given }, || "it is heeded".into())
    }

    fn read(&self, why: &WhyView, forms: &mut Vec<&'static str>) -> Result<(), String> {
        // What has ended, was refused or hangs is described in other words, which other tests read.
        if self.is_told_elsewhere() {
            return Ok(());
        }
        let (sentence, form) = cycles::without(self.names.rm(), self.tape, &why.sentence)?;
        forms.extend(form);
        self.sentences(&sentence, forms)
    }

    /// Returns whether the answer is about something without forms: it ended, was refused, or asks YARN for nothing.
    fn is_told_elsewhere(&self) -> bool {
        let (Selection::App(name) | Selection::Container { app: name, .. }) = self.about else { return false };
        let rm = self.names.rm();
        let Some(app) = self.names.find_app(name).and_then(|id| rm.app(id)) else { return true };
        let place = self.names.sim.place_of(app.id).and_then(|i| self.names.scenario().apps.get(i));
        let samza = place.is_some_and(|a| a.kind.is::<SamzaApp>());
        // `player/src/apps/samza/tests.rs` reads how a Samza container came to its host.
        if let Selection::Container { .. } = self.about {
            return samza;
        }
        let of_master = samza || place.is_some_and(|a| a.kind.is_service());
        let nothing_waits = !self.waiting.iter().any(|w| w.app == app.id);
        app.state.is_final() || app.rejected().is_some() || of_master && nothing_waits
    }

    fn sentences(&self, text: &str, forms: &mut Vec<&'static str>) -> Result<(), String> {
        if text.is_empty() {
            return Ok(());
        }
        let mut worst = format!("no form reads {text:?}");
        for (form, is) in FORMS {
            for (caught, rest) in begins(form, text) {
                let Some(rest) = (if rest.is_empty() { Some("") } else { rest.strip_prefix(' ') }) else { continue };
                let before = forms.len();
                forms.push(form);
                match is(self, &caught).and_then(|()| self.sentences(rest, forms)) {
                    Ok(()) => return Ok(()),
                    Err(why) => {
                        forms.truncate(before);
                        worst = format!("{why}; read as {form:?}: {text:?}");
                    }
                }
            }
        }
        Err(worst)
    }

    fn is(&self, amount: Resource, text: &str) -> Result<(), String> {
        let written = Amount::read(text).ok_or_else(|| format!("{text:?} is no amount"))?;
        for (unit, least, most) in &written.of {
            let types = self.names.rm().cluster().types.names();
            let i = match unit.as_str() {
                "MB" => 0,
                "vcores" => 1,
                unit => types.iter().position(|n| n.rsplit('/').next() == Some(unit)).ok_or("no such type")?,
            };
            so((*least..=*most).contains(&amount[i]), || format!("it is not {text}, but {} {unit}", amount[i]))?;
        }
        so(!written.of.is_empty() || amount.is_zero(), || format!("it is not {text}, but {amount:?}"))
    }

    fn node(&self, host: &str) -> Option<&'a heddle_core::scheduler::Node> {
        let host = bold(host)?;
        self.names.rm().nodes().iter().find(|n| n.host == host)
    }

    /// Checks the state of a node, since when and until when.
    fn is_away(&self, state: &str, since: &str, until: Option<&str>) -> Result<(), String> {
        let Selection::Node(host) = self.about else { return Err("it is no node".into()) };
        let node = self.node(&format!("**{host}**")).ok_or("no such node")?;
        let is = match node.in_scheduler && self.names.is_silent(node) {
            true => "silent".to_string(),
            false => node.state.text().to_lowercase().replace("shutdown", "shut down"),
        };
        so(is == state, || format!("it is {is}"))?;
        so(clock(since).is_some_and(|at| at <= self.names.now), || "that is to come".into())?;
        so(until.is_none_or(|until| clock(until).is_some_and(|at| at >= self.names.now)), || "that is past".into())
    }

    fn is_in_queue(&self, queue: &str) -> Result<(), String> {
        let Selection::App(app) = self.about else { return Err("it is no application".into()) };
        let known = self.names.find_app(app).and_then(|id| self.names.rm().app(id)).ok_or("no such application")?;
        so(known.queue == queue, || format!("it is in {}", known.queue))
    }

    /// `c`: which node, how many containers, what they use of what.
    fn node_runs(&self, c: &[&str]) -> Result<(), String> {
        let node = self.node(c[0]).ok_or("no such node")?;
        self.node_counts(node, [c[1], c[2], c[3]])?;
        let vcores = (number(c[4]), number(c[5])) == (Some(node.allocated.vcores()), Some(node.total.vcores()));
        so(vcores && node.in_scheduler && !self.names.is_silent(node), || format!("{:?}", node.allocated))
    }

    /// `c`: which node, since when, how many containers, what they use of what.
    fn node_silent(&self, c: &[&str]) -> Result<(), String> {
        let node = self.node(c[0]).ok_or("no such node")?;
        so(self.names.is_silent(node) && clock(c[1]) == Some(node.last_heartbeat), || {
            "it is not silent so long".into()
        })?;
        self.node_counts(node, [c[2], c[3], c[4]])
    }

    fn node_counts(&self, node: &heddle_core::scheduler::Node, c: [&str; 3]) -> Result<(), String> {
        let there = self.names.rm().containers_on(node.id).count() as i64;
        so(number(c[0]) == Some(there), || format!("{there} containers are there"))?;
        self.is(node.allocated, c[1])?;
        self.is(node.total, c[2])
    }

    fn queue(&self, path: &str) -> Option<usize> {
        bold(path).and_then(|path| self.names.rm().queue(path)).map(|id| id.index())
    }

    fn of_app(&self, name: &str, is: impl Fn(&Waiting) -> bool) -> Option<&'a Waiting> {
        let id = bold(name).and_then(|name| self.names.find_app(name))?;
        self.waiting.iter().find(|w| w.app == id && is(w))
    }

    /// Checks that an application runs so many containers beside its AM.
    fn runs(&self, name: &str, n: &str) -> Result<(), String> {
        let id = bold(name).and_then(|name| self.names.find_app(name)).ok_or("no such application")?;
        let there = self.names.rm().containers_of(id).filter(|c| !c.am && c.state != ContainerState::Reserved).count();
        so(number(n) == Some(there as i64), || format!("{there} run"))
    }

    fn has_master(&self, name: &str) -> Result<(), String> {
        let id = bold(name).and_then(|name| self.names.find_app(name)).ok_or("no such application")?;
        so(self.names.rm().containers_of(id).any(|c| c.am), || "it has no AM".into())
    }

    /// Checks that `n` are some but not all of the application's waiting containers.
    fn stand_behind(&self, n: i64) -> Result<(), String> {
        let Selection::App(name) = self.about else { return Err("it is no application".into()) };
        let id = self.names.find_app(name).ok_or("no such application")?;
        let all: i64 = self.waiting.iter().filter(|w| w.app == id).map(|w| w.count).sum();
        so(n < all, || format!("{all} wait"))
    }

    fn without_any(&self, app: &str, n: &str) -> Result<(), String> {
        let id = bold(app).and_then(|name| self.names.find_app(name)).ok_or("no such application")?;
        let app = self.names.rm().scheduled(id).ok_or("it is over")?;
        let counts = |key: &heddle_core::scheduler::KeyAsks| {
            let rows = key.rows().filter(|(_, row)| row.count > 0).map(|(_, row)| row.count);
            key.outstanding() <= 0 && rows.max() <= number(n)
        };
        so(app.asks.keys().iter().any(counts), || "YARN counts what it asked for".into())
    }

    /// `c`: which application, how many run, what waits ("2 of 1 GB · 1 vcore"), why.
    fn runs_and_waits(&self, c: &[&str]) -> Result<(), String> {
        self.runs(c[0], c[1])?;
        let id = bold(c[0]).and_then(|name| self.names.find_app(name)).ok_or("no such application")?;
        let mine: Vec<&Waiting> = self.waiting.iter().filter(|w| w.app == id).collect();
        let total: i64 = mine.iter().map(|w| w.count).sum();
        let first = c[2].split("; for ").next().unwrap_or_default();
        let counts = first.split(" of ").filter_map(|part| part.rsplit([' ', ',']).next()).filter_map(number);
        // Sizes beyond three are not counted, nor requests beyond those explained.
        so(counts.sum::<i64>() <= total && total > 0, || format!("{total} wait"))?;
        // Which of them comes first depends on ranks that a reader does not know.
        let mut because = Err("nothing waits".to_string());
        for w in mine {
            because = self.because(w, c[3]);
            if because.is_ok() {
                break;
            }
        }
        because
    }

    /// `lacks`: "cache has 1 of 2 ready, and db 0 of 1".
    fn depends(&self, component: &str, lacks: &str) -> Result<(), String> {
        let Selection::App(name) = self.about else { return Err("it is no application".into()) };
        let id = self.names.find_app(name).and_then(|id| self.names.sim.place_of(id));
        let service = id.and_then(|place| self.names.sim.service(place)).ok_or("it is no service that runs")?;
        let places = service.components().enumerate();
        let mut held = places.filter(|(_, (spec, _))| bold(component) == Some(spec.name.as_str()));
        let (place, _) = held.next().ok_or_else(|| format!("{component} is no component"))?;
        let mut parts = lacks.split(", and ").flat_map(|part| part.split(" and ")).flat_map(|part| part.split(", "));
        let needs = service.needs(place);
        let each = needs.iter().all(|need| {
            parts.next().is_some_and(|part| {
                let counts = format!("{} of {}", need.ready, need.wanted);
                part.starts_with(&need.component) && part.contains(&counts)
            })
        });
        so(each && !needs.is_empty() && parts.next().is_none(), || format!("it needs {needs:?}"))
    }

    fn run(&self) -> Option<&'a AppRun> {
        let Selection::App(name) = self.about else { return None };
        self.names.run(self.names.find_app(name)?)
    }

    fn killed(&self, n: &str) -> Result<(), String> {
        // A distributed shell counts for its attempt.
        let killed = match self.shell() {
            Some(shell) => Some(shell.gone().preempted),
            None => self.run().map(|run| run.toll.killed),
        };
        so(killed == number(n), || format!("{killed:?} were killed"))
    }

    fn shell(&self) -> Option<&'a DistributedShell> {
        match self.run()?.master.as_ref()? {
            Master::DistributedShell(shell) => Some(shell),
            _ => None,
        }
    }

    fn shell_lost(&self, n: &str, at: &str) -> Result<(), String> {
        let gone = self.shell().ok_or("it is no distributed shell")?.gone();
        so(number(n) == Some(gone.lost) && gone.lost_at.map(|(_, last)| last) == clock(at), || format!("{gone:?}"))
    }

    /// Checks the priority that the application asked for, and the one that it has.
    fn priority_is(&self, [asked, has]: [&str; 2]) -> Result<(), String> {
        let w = self.first().ok_or("nothing of it waits")?;
        let place = self.names.sim.place_of(w.app).and_then(|i| self.names.scenario().apps.get(i));
        let (wanted, app) =
            (place.and_then(|app| app.priority), self.names.rm().scheduled(w.app).map(|app| app.priority));
        let told = [asked, has].map(|n| number(n).unwrap_or(i64::MAX));
        so(wanted.map(i64::from) == Some(told[0]) && app.map(i64::from) == Some(told[1]), || {
            format!("it asked for {wanted:?} and has {app:?}")
        })
    }

    /// Checks what a queue uses of a partition, its guarantee and its maximum.
    fn part_is(&self, queue: usize, p: PartitionId, [used, guaranteed, maximum]: [&str; 3]) -> Result<(), String> {
        let part = self.names.rm().queues().get(queue).ok_or("no such queue")?.part(p);
        self.is(part.used, used)?;
        self.is(part.shares.effective_min, guaranteed)?;
        self.is(part.shares.effective_max, maximum)
    }

    fn uses_beyond(&self, queue: &str, used: &str, guaranteed: &str, label: &str) -> Result<(), String> {
        let rm = self.names.rm();
        let queue = self.queue(queue).and_then(|id| rm.queues().get(id)).ok_or("no such queue")?;
        let mut all = rm.cluster().partition_ids();
        let p = all.find(|p| self.names.partition(*p) == label).ok_or("no such label")?;
        let part = queue.part(p);
        self.is(part.used, used)?;
        self.is(part.shares.effective_min, guaranteed)?;
        let over = rm.cluster().calculator.gt(&rm.partition_total(p), &part.used, &part.shares.effective_min);
        so(over, || format!("{:?} is not more", part.used))
    }

    /// Checks that a round chose, or has preempted, a container of the application by one of these.
    fn loses_by(&self, by: &[Selector]) -> Result<(), String> {
        let Selection::App(name) = self.about else { return Err("it is no application".into()) };
        let id = self.names.find_app(name).ok_or("no such application")?;
        let mut acts = self.names.sim.latest_preemption().into_iter().flat_map(|round| &round.acts);
        let marked = acts.any(|act| act.container.app == id && by.contains(&act.selector));
        let killed = || self.run().is_some_and(|run| run.toll.killed > 0);
        so(marked || killed(), || "nothing is taken from it".into())
    }

    fn by_smaller_node(&self, n: &str, app: Option<&str>, host: &str, times: [&str; 2]) -> Result<(), String> {
        let host = match (self.about, app) {
            (Selection::Node(host), None) => host.as_str(),
            _ => bold(host).ok_or("no node")?,
        };
        losses::by_smaller_nodes(self.names, self.tape, n, (app, host), times)
    }

    /// Checks that something of the application was refused at any time.
    fn refused_once(&self) -> Result<(), String> {
        let Selection::App(name) = self.about else { return Err("it is no application".into()) };
        let place = self.names.scenario().apps.iter().position(|a| a.name == *name);
        let refused = self.names.sim.notices().iter().filter(|n| matches!(n.outcome, TriedOutcome::Refused(_)));
        so(refused.into_iter().any(|n| n.tried.app() == place), || format!("nothing of {name} was refused"))
    }

    fn rejected(&self, name: &str, at: &str) -> Result<(), String> {
        let id = bold(name).and_then(|name| self.names.find_app(name));
        let mut then = self.tape.rejected.iter().filter(|(when, _)| clock(at) == Some(*when));
        so(then.any(|(_, app)| Some(*app) == id), || format!("nothing of {name} was rejected at {at}"))
    }

    /// Checks the number of its containers, without the AM, on a node that is being decommissioned.
    fn leaves(&self, host: &str, containers: &str) -> Result<(), String> {
        let Selection::App(name) = self.about else { return Err("it is no application".into()) };
        let app = self.names.find_app(name).ok_or("no such application")?;
        let node =
            self.node(host).filter(|node| node.state == NodeState::Decommissioning).ok_or("it does not leave")?;
        let there = self.names.rm().containers_on(node.id);
        let there = there.filter(|c| c.id.app == app && !c.am && c.state != ContainerState::Reserved).count();
        so(number(containers) == Some(there as i64), || format!("{there} run there"))
    }

    /// Checks that the application's AM runs on a node that is leaving.
    fn master_leaves(&self, host: &str) -> Result<(), String> {
        let Selection::App(name) = self.about else { return Err("it is no application".into()) };
        let app = self.names.find_app(name).ok_or("no such application")?;
        let node =
            self.node(host).filter(|node| node.state == NodeState::Decommissioning).ok_or("it does not leave")?;
        let there = self.names.rm().containers_on(node.id).any(|c| c.id.app == app && c.am);
        so(there, || "its AM is elsewhere".into())
    }

    /// Checks the amount to be freed for its first waiting request, which is less than what ends on all nodes.
    fn freed(&self, amount: &str) -> Result<(), String> {
        let w = self.first().ok_or("nothing of it waits")?;
        let why = self.why(w);
        let told = why.preemption.as_ref().ok_or("nothing is said of preemption")?;
        let ids = told.freeing.iter().filter_map(|f| match &f.who {
            Selection::Container { app, k } => self.names.nth(self.names.find_app(app)?, *k),
            _ => None,
        });
        let all = ids.filter_map(|id| self.names.rm().container(id)).fold(Resource::ZERO, |sum, c| sum + c.size);
        self.is(all, amount).or_else(|why| {
            // Dropped marks free nothing.
            let some = told.freeing.iter().any(|f| f.killed_ms.is_none() && !f.killable);
            so(some, || why)
        })
    }

    /// Checks the amount to be freed, and that it is not enough on any node.
    fn freed_too_little(&self, amount: &str) -> Result<(), String> {
        self.freed(amount)?;
        let w = self.first().ok_or("nothing of it waits")?;
        let why = self.why(w);
        let told = why.preemption.as_ref().ok_or("nothing is said of preemption")?;
        so(preempted::on_no_node(self.names, w, told), || "it is enough on a node".into())
    }

    /// Checks a silent node that counts as lost before the AM on it expires.
    fn master_lost(&self, c: &[&str]) -> Result<(), String> {
        let run = self.run().ok_or("it never ran")?;
        let am = run.am.and_then(|am| self.names.rm().container(am)).ok_or("it has no AM")?;
        let node = self.node(c[0]).filter(|node| node.id == am.node).ok_or("its AM is not there")?;
        let silent = self.names.is_silent(node) && Some(node.last_heartbeat) == clock(c[1]);
        so(silent && clock(c[2]) <= run.missed_at(), || format!("missed at {:?}", run.missed_at()))
    }

    /// Checks the amount freed for an application that may not start.
    fn freed_in_vain(&self, amount: &str, app: &str) -> Result<(), String> {
        self.freed(amount)?;
        let w = self.first().ok_or("nothing of it waits")?;
        let waits = self.names.rm().scheduled(w.app).is_some_and(|app| !app.active);
        let beyond = || self.beyond_am_share(w);
        let waits = if self.names.rm().fair().is_some() { beyond() } else { waits };
        so(waits && bold(app) == Some(self.names.app(w.app)), || format!("{app} is active"))
    }

    /// Returns whether it is an AM stopped by the AM share.
    fn beyond_am_share(&self, w: &Waiting) -> bool {
        let rm = self.names.rm();
        let limit = rm.scheduler().first_limit(rm.cluster(), w.app, w.key, w.partition);
        w.am && limit.is_some_and(|limit| limit.check == Check::AmShare)
    }

    /// Checks that at least so many containers were killed for an application, whose room another has got since.
    fn freed_for_nothing(&self, [since, killed, app]: [&str; 3], taker: Option<(&str, &str)>) -> Result<(), String> {
        let named = |name: &str| bold(name).and_then(|name| self.names.find_app(name));
        let (since, app) = (clock(since).ok_or("no time")?, named(app).ok_or("no such application")?);
        let of_all: i64 = self.names.sim.apps().iter().map(|run| run.toll.killed + run.toll.masters).sum();
        let enough = number(killed).is_some_and(|n| n > 0 && n <= of_all);
        so(enough, || format!("{of_all} were killed in all"))?;
        let Some((who, times)) = taker else { return Ok(()) };
        let who = named(who).ok_or("no such application")?;
        let given = self.tape.given.iter().filter(|given| given.app == who && given.at >= since).count() as i64;
        let told = times.split(' ').next().and_then(number);
        so(who != app && told.is_some_and(|times| times <= given), || format!("{given} were given"))
    }

    fn why(&self, w: &Waiting) -> Rc<WhyView> {
        let about = self.names.request(w.app, w.key);
        let known = self.whys.borrow().get(&about.to_string()).cloned();
        known.unwrap_or_else(|| {
            let why = Rc::new(self.player.why(&about));
            self.whys.borrow_mut().insert(about.to_string(), why.clone());
            why
        })
    }

    /// Checks the words about its first waiting request, after the reason why that waits.
    fn of_first(&self, text: &str) -> Result<(), String> {
        self.because(self.first().ok_or("nothing of it waits")?, text)
    }

    fn first(&self) -> Option<&'a Waiting> {
        let mine = |w: &&Waiting| match self.about {
            Selection::App(name) => self.names.app(w.app) == name,
            Selection::Queue(path) => self.names.rm().app(w.app).is_some_and(|a| a.queue == *path),
            _ => false,
        };
        self.waiting.iter().find(mine)
    }

    /// Checks a queue in this state, which is not RUNNING.
    fn takes_none(&self, state: &str) -> Result<(), String> {
        let Selection::Queue(path) = self.about else { return Err("it is no queue".into()) };
        let rm = self.names.rm();
        let queue = rm.queue(path).and_then(|id| rm.queues().get(id.index())).ok_or("no such queue")?;
        so(queue.state.text() == state && state != "RUNNING", || format!("it is {}", queue.state.text()))
    }

    /// Checks that something of an application was refused then.
    fn refused(&self, name: &str, at: &str) -> Result<(), String> {
        let app = bold(name).ok_or("no name")?;
        let place = self.names.scenario().apps.iter().position(|a| a.name == app);
        let refused = self.names.sim.notices().iter().filter(|n| matches!(n.outcome, TriedOutcome::Refused(_)));
        let mut mine = refused.filter(|n| n.tried.app() == place);
        so(mine.any(|n| Some(n.at) == clock(at)), || format!("nothing of {app} was refused then"))
    }

    /// Checks the longest wait in a queue, which is one of the requests with that name.
    fn longest(&self, name: &str, because: &str) -> Result<(), String> {
        let is = |w: &&Waiting| self.names.request_name(w.app, w.key, w.count) == name;
        let mut told = Err(format!("{name} does not wait"));
        for w in self.waiting.iter().filter(is) {
            told = self.because(w, because);
            if told.is_ok() {
                break;
            }
        }
        told
    }

    /// Checks that a clause about why a request waits is one of its own sentences.
    fn because(&self, w: &Waiting, because: &str) -> Result<(), String> {
        let mut why = self.why(w);
        // A clause about several parts of an application is read as a whole.
        if !why.sentence.contains(because) {
            why = Rc::new(WhyView { sentence: format!("{because}."), ..(*why).clone() });
        }
        let s = State { names: self.names, w, why: &why, failed: &self.tape.failed };
        let beside = Beside { s, tape: self.tape };
        let read = |text: &str| {
            sentences::without_held(&beside, text).and_then(|text| sentences::read(&beside, &text, &mut Vec::new()))
        };
        // A name keeps its case; other words begin a sentence.
        let text = format!("{because}.");
        match read(&text).or_else(|fault| read(&sentences::capital(&text)).map_err(|_| fault)) {
            Ok(()) => Ok(()),
            Err(Fault::NotRead(part)) => Err(format!("no form reads {part:?} of {text:?}")),
            Err(Fault::False(why)) => Err(format!("{why}: {text:?}")),
        }
    }

    /// Checks that a container was placed then, on this node; at least what it uses was `free` there.
    fn has_label(&self, host: &str, label: &str) -> Result<(), String> {
        let node = self.node(host).ok_or("no such node")?;
        so(self.names.partition(node.partition) == label, || {
            format!("its label is {}", self.names.partition(node.partition))
        })
    }

    fn placed(&self, at: &str, host: &str, free: Option<&str>) -> Result<(), String> {
        let Selection::Container { app, k } = self.about else { return Err("it is no container".into()) };
        let id = self.names.find_app(app).and_then(|id| self.names.nth(id, *k)).ok_or("no such container")?;
        let c = self.names.rm().container(id).ok_or("it is over")?;
        so(clock(at) == Some(c.allocated_at), || format!("it was allocated at {}", c.allocated_at))?;
        so(bold(host) == Some(self.names.node(c.node)), || format!("it is on {}", self.names.node(c.node)))?;
        // With several candidates the free amount is that of the reporting node.
        let several = self.names.rm().capacity().is_some_and(|s| s.conf().multi_node.enabled);
        let room = free.and_then(Amount::read).and_then(|room| room.of.first().cloned());
        let fits = room.is_none_or(|(unit, _, most)| unit != "MB" || several || most >= c.size.memory_mb());
        so(fits, || format!("it takes {:?}", c.size))
    }
}
