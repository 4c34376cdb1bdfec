//! Why a request waits: the chain of limits, then the nodes; sentence, buckets, matrix, smallest blocking sets.

use super::on_nodes::{self, NAMED, because, fallen_silent, out_of_service, sentence, short};
use crate::apps::told_of;
use crate::explain::away::{away, drains};
use crate::explain::chain::{
    Chain, History, RequestStop, TurnInputs, behind_on_nodes, chain, headroom_yarn, link_of_nodes, stopped_besides,
    stopped_now,
};
use crate::explain::checks::{FailureKind, NodeCheck, NodeRow, Table, anti_affine, has_attributes, table};
use crate::explain::formulas;
use crate::explain::full::{all_full, is_full};
use crate::explain::names::Names;
use crate::explain::orders::{OrderScope, key_of, orders};
use crate::explain::origin::{Setting, Source, brought_by_file};
use crate::explain::preempted;
use crate::explain::record::{OnNode, PassRecord, PassResult as Outcome, Record, SiblingOrder};
use crate::explain::say;
use crate::explain::stop::{StoppedBy, decides_on_node, under};
use crate::explain::verdicts;
use crate::explain::view::{EventOutcome, FactView, LimitView, Selection, WhyView};
use crate::explain::waiting::{InProcessor, Waiting, stage, stage_short};
use crate::explain::words;
use heddle_core::check::{Amounts, Check as RecordedCheck, Checked, Failure};
use heddle_core::constraint::Target;
use heddle_core::constraint::unsatisfiable::{ConstrainedRequest, Ground};
use heddle_core::journal::VisitEnd;
use heddle_core::model::{AppId, CalculatorKind, NodeId, PartitionId, QueueId, Resource};
use heddle_core::rm::Stage;
use heddle_core::scheduler::capacity::{lacking, with_figures};
use heddle_core::scheduler::{App, ContainerState, Node, Scheduler};
use heddle_core::sim::Got;

const ROOT: QueueId = QueueId(0);

/// Everything known about why a request waits.
#[derive(Clone, Debug, PartialEq)]
pub struct Explained {
    pub waiting: Waiting,
    /// The latest looks at it.
    pub looks: Vec<PassRecord>,
    pub chain: Chain,
    /// Nodes × checks; `None` if a limit stops it before any node is tried (but not if it waits for its turn).
    pub table: Option<Table>,
    /// The reason in three words.
    pub short: String,
    /// The reason as a clause: "n1 has zk-1, n2 has zk-2".
    pub because: String,
    /// The sentence: "Needs a node without zk. n1 has zk-1, n2 has zk-2."
    pub sentence: String,
    /// Why it can never be placed on this cluster, if it cannot.
    pub never: Option<String>,
    /// Why the scheduler refuses each proposal for it.
    pub refused: Option<Failure>,
}

/// Explains a request: what the latest looks at it recorded, and, if a node decided, all nodes. That nobody needs it comes
/// before what stops it.
pub fn explain(
    names: Names<'_>,
    w: &Waiting,
    looks: Vec<PassRecord>,
    record: &Record,
    history: History<'_>,
) -> Explained {
    let stopped = stopped(names, w, looks, record, history);
    if !w.left_over {
        return stopped;
    }
    let component = names.run(w.app).and_then(|run| run.master.as_ref()?.component(w.key)).unwrap_or_default();
    let sentence = say::left_over(names.app(w.app), component, w.count);
    let because = say::after_colon(sentence.trim_end_matches('.'));
    Explained { never: None, short: say::SHORT_LEFT_OVER.to_string(), because, sentence, ..stopped }
}

/// Returns what stops a request.
fn stopped(names: Names<'_>, w: &Waiting, looks: Vec<PassRecord>, record: &Record, history: History<'_>) -> Explained {
    let chain = if w.placing.is_empty() { chain(names, w, &looks, record, history) } else { Chain::default() };
    if let Some(stop) = &chain.stop {
        let root = root_of_limit(names, w, stop).or_else(|| silent_behind(names, w, stop));
        let by_refresh = refreshed(names, w, stop);
        let mut sentence = match root {
            // A limit that a refresh lowered stops it, whatever else there is.
            Some(root) if by_refresh.is_some() => {
                let so = say::and(&stop.sentence, by_refresh.as_deref().unwrap_or_default());
                say::and(&so, &say::besides(&say::no_capital(root.trim_end_matches('.'))))
            }
            // The cause before the symptom.
            Some(root) => say::so_that(&root, &say::no_capital(&stop.sentence)),
            None => stop.sentence.clone(),
        };
        if let Some(held) = held_for(names, w).filter(|_| stop.by != StoppedBy::OwnReservations) {
            sentence = say::and(&sentence, &held);
        }
        let most = if is_whole(stop) { has_most(names, w) } else { holds_most(names, w, stop) };
        // What the root cause already says is not repeated.
        let said = all_full(names, w.partition).map(|said| say::capital(&said));
        let is_said = said.is_some_and(|said| sentence.contains(said.trim_end_matches('.')));
        let full = full_besides(names, w, &looks, stop).filter(|_| !is_said);
        let ends = if is_whole(stop) || full.is_some() { not_reported(names, w) } else { None };
        let besides = besides(chain.next.as_ref(), full.as_ref());
        let by_refresh = by_refresh.filter(|refreshed| !sentence.contains(refreshed.as_str()));
        for more in [by_refresh, besides, most, taken_back(names, w), ends].into_iter().flatten() {
            sentence = say::and(&sentence, &more);
        }
        let (never, short) = (stop.never.then(|| sentence.clone()), stop.by.short().to_string());
        let because = say::after_colon(sentence.trim_end_matches('.'));
        return Explained {
            waiting: w.clone(),
            chain,
            looks,
            table: None,
            short,
            because,
            sentence,
            never,
            refused: None,
        };
    }
    let refused = history.refused.and_then(|why| Some((refused_at_commit(names, w, why)?, why)));
    on_nodes(names, w, looks, chain, (record, refused))
}

/// Returns the limit at which the scheduler refused the placement processor's proposal for a request, because of which nodes
/// are barred, if the request's user is still beyond it.
fn refused_at_commit(names: Names<'_>, w: &Waiting, why: &Failure) -> Option<String> {
    // A request that is proposed again was refused before.
    let again = |part: &InProcessor| part.attempt > 1 && matches!(part.stage, Stage::Proposed(_));
    let barred = |part: &InProcessor| !part.barred.is_empty() || part.stage == Stage::Refused || again(part);
    let (rm, cluster) = (names.rm(), names.rm().cluster());
    let app = rm.scheduled(w.app)?;
    // A request in the scheduler is proposed again with each visit.
    if !w.placing.is_empty() && !w.placing.iter().any(barred) {
        return None;
    }
    match why.check {
        RecordedCheck::CommitQueueMaximum => return maximum_at_commit(names, w, why),
        RecordedCheck::CommitUserLimit => {}
        _ => return None,
    }
    let leaf = rm.queues().get(app.queue.index())?.leaf.as_deref()?;
    let used = leaf.users.get(app.user)?.used.get(w.partition.index()).copied().unwrap_or_default();
    let limit = rm.capacity()?.user_limit_of(cluster, app.queue, app.user, w.partition);
    if !cluster.calculator.gt(&rm.partition_total(w.partition), &used, &limit) {
        return None;
    }
    let [used, limit] = [used, limit].map(|r| words::counted(r, cluster.calculator, &cluster.types));
    Some(say::user_limit_stop(cluster.user_name(app.user), names.queue(app.queue), &used, &limit))
}

/// Returns this for the maximum of a queue, which the processor does not check when it proposes a node.
fn maximum_at_commit(names: Names<'_>, w: &Waiting, why: &Failure) -> Option<String> {
    let (rm, cluster) = (names.rm(), names.rm().cluster());
    let queue = why.figures.as_amounts()?.queue?;
    let part = rm.queues().get(queue.index())?.part(w.partition);
    let (used, maximum) = (part.used, part.shares.effective_max);
    if cluster.calculator.both_fit_in(&used, &w.size, &maximum) {
        return None;
    }
    let sum = Amounts::sum(used, w.size, maximum);
    let deciding = sum.deciding(cluster.calculator, &cluster.total);
    let [used, asked, maximum] = [used, w.size, maximum].map(|r| words::those(r, &deciding, &cluster.types));
    let label = say::of_label(names.partition(w.partition));
    Some(say::headroom_stop(names.queue(queue), &used, &asked, &maximum, "", &label))
}

/// Explains a request that no limit stops before a node; `refused`: the limit at which a proposal for it was last refused.
fn on_nodes(
    names: Names<'_>,
    w: &Waiting,
    looks: Vec<PassRecord>,
    chain: Chain,
    (record, refused): (&Record, Option<(String, &Failure)>),
) -> Explained {
    let table = table(names, w, &looks);
    let never = never(names, w, &table);
    let away = out_of_service(names, |node| may_go_to(names, w, node));
    let mut because = because(names, &table, table.is_full() && away.is_some());
    if !table.rows.is_empty() && !table.rows.iter().any(NodeRow::fits) {
        match away {
            // The other nodes are full because nodes are gone.
            Some(away) if table.is_full() => because = say::so_that(&away, &because),
            Some(away) => because = say::so_that(&because, &away),
            None => {}
        }
    }
    if table.is_full() {
        because.push_str(&has_most(names, w).or_else(|| masters_have_most(names, w)).unwrap_or_default());
        because.push_str(&taken_back(names, w).unwrap_or_default());
        because.push_str(&not_reported(names, w).unwrap_or_default());
    }
    because.push_str(&has_most_there(names, w, &table).unwrap_or_default());
    because.push_str(&draining(names, &table));
    if let Some(held) = held_for(names, w) {
        because.push_str(&held);
    }
    if let Some(root) = told_of(names, w.app).root(names, w) {
        because = say::so_that(root.trim_end_matches('.'), &because);
    }
    if let Some(closed) = closed_rack(names, &table) {
        // Free resources on a node do not open it.
        because = say::so_that(&closed, &because);
    }
    let mut sentence = match &never {
        Some(never) => never.clone(),
        None => sentence(names, &table, &because),
    };
    let mut out = Explained {
        waiting: w.clone(),
        short: short(&table),
        chain,
        table: None,
        because: String::new(),
        sentence: String::new(),
        never,
        refused: None,
        looks: Vec::new(),
    };
    if let Some(part) = w.placing.first() {
        out.short = stage_short(names, part);
        let lacked = std::mem::replace(&mut because, stage(names, w));
        sentence = match &out.never {
            Some(never) => say::then(never, &say::full_stop(&because)),
            // It has a node: what others lack does not matter.
            None if matches!(part.stage, Stage::Proposed(_)) => say::full_stop(&because),
            None => say::then(&say::full_stop(&because), &sentence),
        };
        // What nodes lack comes before how often they were tried.
        let lacks = !matches!(part.stage, Stage::Proposed(_)) && !table.rows.is_empty();
        if lacks && w.placing.len() == 1 && !table.rows.iter().any(NodeRow::fits) {
            because = say::so_that(&lacked, &say::no_capital(&because));
            if out.never.is_none() {
                sentence = on_nodes::sentence(names, &table, &because);
            }
        }
        if let Some((refused, _)) = refused.filter(|_| out.never.is_none()) {
            because = say::so_that(refused.trim_end_matches('.'), &say::no_capital(&because));
            sentence = say::full_stop(&because);
        }
    } else if out.never.is_none() {
        // Some node would take it, but the scheduler does not get that far.
        let fits = table.rows.iter().any(NodeRow::fits);
        let parts = TurnInputs { names, w, looks: &looks };
        if let Some(stop) = behind_on_nodes(&parts, &table) {
            because = stop.sentence.trim_end_matches('.').to_string();
            out.short = stop.by.short().to_string();
            sentence.clone_from(&stop.sentence);
            out.chain.stop_at(stop, names.request_name(w.app, w.key, w.count));
        } else if !out.chain.lent.is_empty() && !table.rows.iter().any(NodeRow::fits) && !says_lending(&table) {
            sentence.push_str(&out.chain.lent);
        } else if let Some((refused, why)) = refused.filter(|_| fits) {
            // Each proposal for it is refused.
            because = refused.trim_end_matches('.').to_string();
            out.short = say::SHORT_REFUSED.to_string();
            out.refused = Some(why.clone());
            sentence = say::full_stop(&because);
        } else if let Some(now) = limit_now(names, w, &table, record) {
            if let Some(stop) = &now.stop {
                let since = refreshed(names, w, stop).unwrap_or_default();
                let full = if table.is_full() { say::besides(&because) } else { String::new() };
                because = stop.sentence.trim_end_matches('.').to_string() + &since + &full;
                out.short = stop.by.short().to_string();
                sentence = say::full_stop(&because);
            }
            out.chain = now;
        } else if let Some(owed) = { owed(names, w, &table) }
            .or_else(|| outranked(names, w, table.is_full()))
            .or_else(|| outspent(names, w, table.is_full()))
        {
            // The cause before the symptom.
            because = say::so_that(&owed, &because);
            sentence = say::full_stop(&because);
        } else if let Some(served) = is_served(names, &looks, &table) {
            because = served;
            sentence = say::full_stop(&because);
        } else if let Some((stop, served)) = served_first(names, w, &looks, &table) {
            because = stop.sentence.trim_end_matches('.').to_string();
            out.short = stop.by.short().to_string();
            sentence = say::full_stop(&stop.sentence);
            // Another application that goes first is not part of its chain.
            if served == w.app {
                out.chain.stop_at(stop, names.request_name(w.app, w.key, w.count));
            }
        }
    }
    Explained { because: say::after_colon(&because), sentence, table: Some(table), looks, ..out }
}

/// Returns the decommissioning nodes that lack room, if their state by itself stops nothing. Empty: there are none.
fn draining(names: Names<'_>, table: &Table) -> String {
    let node = |row: &NodeRow| names.rm().cluster().node(row.node);
    let rows = table.rows.iter().filter(|row| !row.fits() && drains(names, node(row)));
    let all: Vec<(&str, String)> =
        rows.filter_map(|row| Some((names.node(row.node), away(names, node(row))?.has()))).collect();
    if all.len() > NAMED {
        return say::nodes::several_drain(all.len());
    }
    all.iter().map(|(host, has)| say::nodes::drains(host, has)).collect()
}

/// Returns that waiting does not open the requested racks, if no node is near enough and the words about the nodes are about
/// something else.
fn closed_rack(names: Names<'_>, table: &Table) -> Option<String> {
    let closed = |row: &&NodeRow| row.seen.iter().any(|seen| seen.way == FailureKind::RackClosed);
    let place = table.rows.iter().find(closed)?.seen.iter().position(|seen| seen.way == FailureKind::RackClosed)?;
    if table.rows.iter().any(|row| row.seen[place].passes() || row.told.contains(&place) && closed(&row)) {
        return None;
    }
    let rows: Vec<&NodeRow> = table.rows.iter().filter(closed).collect();
    let hosts: Vec<&str> = rows.iter().map(|row| names.node(row.node)).collect();
    let has = &rows.first()?.seen[place].has;
    (hosts.len() <= NAMED).then(|| say::nodes_have(&hosts, &[has.as_str()]))
}

/// Returns whether the words about the nodes, if each is named, say that a label does not lend, so that it need not be
/// repeated.
fn says_lending(table: &Table) -> bool {
    let kept = |row: &NodeRow| row.seen.iter().any(|seen| seen.way == FailureKind::NotLent);
    table.rows.len() <= NAMED && table.rows.iter().any(kept)
}

/// Returns the limit that now stops it, if nodes of its own partition would take it, or would if they had room: full nodes are
/// skipped before any limit is checked.
fn limit_now(names: Names<'_>, w: &Waiting, table: &Table, record: &Record) -> Option<Chain> {
    let mut fitting = table.rows.iter().filter(|r| r.fits() || table.waits_for_limit(r)).peekable();
    if fitting.peek().is_none() {
        return if table.is_full() { stopped_besides(names, w, record) } else { None };
    }
    let own = |r: &NodeRow| names.rm().cluster().node(r.node).partition == w.partition;
    if fitting.all(own) { stopped_now(names, w, record) } else { None }
}

/// Returns the root cause of a limit that stops a request: nodes that are gone, resources that it is owed, what applications of
/// its leaf with a lower priority have, applications in the way that hang or wait for their AMs, or a full cluster.
fn root_of_limit(names: Names<'_>, w: &Waiting, stop: &RequestStop) -> Option<String> {
    let checked = stop.by.checked().filter(|_| !stop.never)?;
    if matches!(checked.check, RecordedCheck::QueueParallelApps | RecordedCheck::UserParallelApps) {
        return hung_holder(names, stop).or_else(|| waiting_holder(names, stop));
    }
    let amounts = checked.figures.as_amounts()?;
    // Headroom blocked for others would be blocked on further nodes too.
    if checked.check == RecordedCheck::QueueLimit && !stop.holders.is_empty() {
        return None;
    }
    if let Some(lost) = lost(names, w, checked.check, amounts) {
        return Some(lost);
    }
    match checked.check {
        RecordedCheck::QueueLimit | RecordedCheck::Headroom => {
            let queue = checked.queue()?;
            let by_parent = amounts.besides().is_some_and(|maximum| maximum != amounts.limit);
            // Stopped by the whole partition, or what is left of it, not by a maximum of its own.
            let own = names.rm().scheduled(w.app).is_some_and(|app| app.queue == queue);
            if queue.index() == 0 || checked.check == RecordedCheck::QueueLimit && by_parent {
                preempted::owed(names, w, ROOT)
            } else if own {
                outranked(names, w, own)
            } else {
                // The maximum of an ancestor, whose resources the siblings have.
                preempted::owed(names, w, queue)
            }
        }
        RecordedCheck::QueueAmLimit | RecordedCheck::UserAmLimit => hung_holder(names, stop),
        // If the limit depends on what is free, the reason is a full cluster.
        RecordedCheck::AmShare => {
            let fair = names.rm().fair()?;
            let leaf = names.rm().scheduled(w.app)?.queue;
            let share = fair.queue(leaf).fair_share;
            let over = (0..share.0.len()).filter(|i| amounts.used()[*i] + amounts.asked()[*i] > amounts.limit[*i]);
            let full = || all_full(names, PartitionId::DEFAULT).map(|full| say::capital(&full));
            let nodes = names.rm().cluster().nodes.iter().filter(|node| node.in_scheduler);
            let free = nodes.fold(Resource::ZERO, |sum, node| sum + node.free());
            { over }
                .all(|i| share[i] == 0 && free[i] < amounts.asked()[i])
                .then(|| preempted::fair::owed(names, w).or_else(full))
                .flatten()
        }
        _ => None,
    }
}

/// Returns a sentence about an application that holds what stops a request, and hangs.
fn hung_holder(names: Names<'_>, stop: &RequestStop) -> Option<String> {
    let hung = |id: &AppId| {
        let run = names.run(*id)?;
        let (heard, missed) = (words::clock(run.heard_at()), words::clock(run.missed_at()?));
        Some(say::hangs_and_holds(names.app(*id), &heard, &missed))
    };
    stop.holders.iter().find_map(hung)
}

/// Returns the applications that count as running and wait for their AM themselves: if all that count do, or some of a few.
fn waiting_holder(names: Names<'_>, stop: &RequestStop) -> Option<String> {
    let waits = |id: &&AppId| names.rm().scheduled(**id).is_some_and(|app| app.waiting_for_am);
    let who: Vec<&str> = stop.holders.iter().filter(waits).map(|id| names.app(*id)).collect();
    let counts = who.len() == stop.holders.len() || stop.holders.len() <= NAMED;
    (!who.is_empty() && counts).then(|| say::counts_and_waits(&who))
}

/// Returns what the nodes lack besides the limit that stops it: none would have room, or its constraint holds on none, so that
/// lifting the limit is not enough.
fn full_besides(names: Names<'_>, w: &Waiting, looks: &[PassRecord], stop: &RequestStop) -> Option<NodesBesides> {
    let of_limit = |checked: &&Checked| {
        matches!(
            checked.check,
            RecordedCheck::QueueLimit
                | RecordedCheck::UserLimit
                | RecordedCheck::Headroom
                | RecordedCheck::QueueAmLimit
                | RecordedCheck::UserAmLimit
                | RecordedCheck::QueueParallelApps
                | RecordedCheck::UserParallelApps
                | RecordedCheck::AmShare
                | RecordedCheck::MaxShare
        )
    };
    stop.by.checked().filter(of_limit).filter(|_| !stop.never)?;
    // Only completely full nodes are mentioned, not those with too little room for this request.
    let cluster = names.rm().cluster();
    let mut nodes = cluster.nodes.iter().filter(|n| n.in_scheduler && n.partition == w.partition).peekable();
    // For a limit of AMs, it is worth mentioning that no node would have room.
    let of_masters = stop.by.is(RecordedCheck::QueueAmLimit) || stop.by.is(RecordedCheck::UserAmLimit);
    let lacks = |node: &Node| {
        let fits = || names.rm().scheduler().fits_in_room(cluster, &w.size, &node.free());
        is_full(names, node) || of_masters && !fits()
    };
    let full = nodes.peek().is_some() && nodes.all(lacks) && !is_whole(stop);
    let constrained = !w.tags.is_empty() || w.constraint.is_some();
    if !full && !constrained {
        return None;
    }
    let table = table(names, w, looks);
    let of_clause = |i: &usize| table.checks.get(*i).is_some_and(|check| check.clause().is_some());
    let fails = |row: &NodeRow| !row.fits() && row.against.iter().any(of_clause);
    let barred = constrained && !table.rows.is_empty() && table.rows.iter().all(fails);
    let all_full = table.rows.iter().all(|row| is_full(names, cluster.node(row.node)));
    (full && table.is_full() || barred).then(|| NodesBesides { said: because(names, &table, false), all_full })
}

/// What keeps a request from the nodes besides the limit that stops it.
struct NodesBesides {
    said: String,
    /// Whether the words say that all nodes are full.
    all_full: bool,
}

/// Returns what stops it besides: the next limit, and that all nodes are full; without a next limit, what nodes have.
fn besides(next: Option<&RequestStop>, nodes: Option<&NodesBesides>) -> Option<String> {
    // That the whole partition has too little left is covered by the words about its nodes.
    let limit = next.filter(|stop| nodes.is_none() || !is_whole(stop));
    let limit = limit.map(|stop| say::no_capital(stop.sentence.trim_end_matches('.')));
    match (limit, nodes) {
        (Some(limit), Some(nodes)) if nodes.all_full => Some(say::besides_both(&limit, &nodes.said)),
        (Some(limit), Some(_) | None) => Some(say::besides(&limit)),
        (None, nodes) => nodes.map(|nodes| say::besides(&nodes.said)),
    }
}

/// Returns the silent nodes, if room is lacking, for the request or for the one that comes first.
fn silent_behind(names: Names<'_>, w: &Waiting, stop: &RequestStop) -> Option<String> {
    let lacks_room = is_whole(stop) || stop.by.is(RecordedCheck::LeafHeadroom);
    if lacks_room { fallen_silent(names, |node| node.partition == w.partition) } else { None }
}

/// Returns whether the request does not fit in the whole cluster.
fn is_whole(stop: &RequestStop) -> bool {
    let of_room = |checked: &&Checked| matches!(checked.check, RecordedCheck::QueueLimit | RecordedCheck::Headroom);
    !stop.never && stop.by.checked().filter(of_room).and_then(Checked::queue) == Some(ROOT)
}

/// The property of the labels that a queue may use.
const ACCESS: &str = "accessible-node-labels";

/// Returns the refresh that set the limit which stops a request.
fn refreshed(names: Names<'_>, w: &Waiting, stop: &RequestStop) -> Option<String> {
    let checked = stop.by.checked()?;
    let leaf = names.rm().scheduled(w.app)?.queue;
    let queue = checked.queue().unwrap_or(leaf);
    if let (RecordedCheck::MaxShare, Some(fair)) = (checked.check, names.rm().fair()) {
        let (element, above) = fair.maximum_from(queue);
        let own = if element == "queueMaxResourcesDefault" { "" } else { names.queue(queue) };
        let path = above.map_or(own, |above| names.queue(above));
        let (value, at, written) = brought_by_file(names, path, element)?;
        return Some(say::set_by_file(element, &value, &words::clock(at), written));
    }
    let (queue, properties): (_, &[&str]) = match checked.check {
        RecordedCheck::QueueLimit | RecordedCheck::Headroom => (queue, &["maximum-capacity"]),
        RecordedCheck::UserLimit => (leaf, &["user-limit-factor", "minimum-user-limit-percent"]),
        RecordedCheck::QueueAmLimit | RecordedCheck::UserAmLimit => (leaf, &["maximum-am-resource-percent"]),
        RecordedCheck::QueueParallelApps => (queue, &["max-parallel-apps"]),
        RecordedCheck::PartitionAccess => (queue, &[ACCESS]),
        _ => return None,
    };
    let label = names.partition(w.partition);
    properties.iter().find_map(|property| {
        let property = match label {
            _ if *property == ACCESS => property.to_string(),
            "" => property.to_string(),
            label => format!("accessible-node-labels.{label}.{property}"),
        };
        match Setting::of_queue(names, names.queue(queue), &property).source {
            Source::Refreshed { value, at } => Some(say::set_by_refresh(&property, &value, &words::clock(at))),
            Source::Written { .. } | Source::Given { .. } | Source::Default { .. } | Source::NotSet => None,
        }
    })
}

/// Returns which other application has more than half of the partition's resource that is lacking.
fn has_most(names: Names<'_>, w: &Waiting) -> Option<String> {
    let cluster = names.rm().cluster();
    let total = names.rm().partition_total(w.partition);
    let free = cluster.free_in(w.partition);
    let kinds = if cluster.calculator.kind == CalculatorKind::Default { 1 } else { cluster.types.len() };
    let lacking = (0..kinds).min_by(|a, b| {
        let left = |i: &usize| free[*i] as f64 / w.size[*i].max(1) as f64;
        left(a).total_cmp(&left(b))
    })?;
    let apps = names.rm().apps().iter().filter_map(|app| names.rm().scheduled(app.id));
    let used = |app: &App| app.used.get(w.partition.index()).map_or(0, |used| used[lacking]);
    let most = apps.max_by_key(|app| (used(app), std::cmp::Reverse(app.id)))?;
    (most.id != w.app && 2 * used(most) > total[lacking]).then(|| {
        let own = most.used.get(w.partition.index()).copied().unwrap_or_default();
        let [own, whole] = [own, total].map(|r| words::one(r, lacking, &cluster.types));
        say::has_most(names.app(most.id), &own, &(whole + &say::of_label(names.partition(w.partition))))
    })
}

/// Returns that ApplicationMasters have more than half of the partition's memory.
fn masters_have_most(names: Names<'_>, w: &Waiting) -> Option<String> {
    let (rm, total) = (names.rm(), names.rm().partition_total(w.partition));
    let nodes = rm.nodes().iter().filter(|node| node.in_scheduler && node.partition == w.partition);
    let masters =
        nodes.flat_map(|node| rm.containers_on(node.id)).filter(|c| c.am && c.state != ContainerState::Reserved);
    let held = masters.fold(Resource::ZERO, |sum, c| sum + c.size);
    (2 * held[0] > total[0]).then(|| {
        let [held, whole] = [held, total].map(|r| words::one(r, 0, &rm.cluster().types));
        say::masters_have_most(&held, &(whole + &say::of_label(names.partition(w.partition))))
    })
}

/// Returns which other application has most of the few nodes that lack only room for it, if the other nodes cannot take it at
/// all: more than half, or so much that one node would do without it.
fn has_most_there(names: Names<'_>, w: &Waiting, table: &Table) -> Option<String> {
    let (rm, cluster) = (names.rm(), names.rm().cluster());
    let nodes: Vec<&Node> =
        table.rows.iter().filter(|row| table.lacks_room(row)).map(|row| cluster.node(row.node)).collect();
    // The other nodes cannot take it at all; a reserved node, or one where a reservation would have to be given up, might.
    let not_for_it = |row: &NodeRow| {
        let told = |i: &usize| {
            table.checks.get(*i).is_some_and(|check| !matches!(check, NodeCheck::NotHeld | NodeCheck::GivesUp))
        };
        table.lacks_room(row) || !row.fits() && row.told.iter().all(told)
    };
    // For a full partition, the application that has most of it is named instead.
    let told = table.is_full() && (nodes.len() == table.rows.len() || has_most(names, w).is_some());
    if told || nodes.is_empty() || nodes.len() > NAMED || !table.rows.iter().all(not_for_it) {
        return None;
    }
    let sum = |of: fn(&Node) -> Resource| nodes.iter().fold(Resource::ZERO, |sum, node| sum + of(node));
    let free = sum(Node::free);
    let kinds = if cluster.calculator.kind == CalculatorKind::Default { 1 } else { cluster.types.len() };
    let lacking = (0..kinds).filter(|i| w.size[*i] > 0).min_by(|a, b| {
        let left = |i: &usize| free[*i] as f64 / w.size[*i] as f64;
        left(a).total_cmp(&left(b))
    })?;
    let mut used: Vec<(AppId, Resource)> = Vec::new();
    let there = nodes.iter().flat_map(|node| rm.containers_on(node.id)).filter(|c| c.state != ContainerState::Reserved);
    for c in there {
        match used.iter_mut().find(|(app, _)| *app == c.id.app) {
            Some((_, sum)) => *sum += c.size,
            None => used.push((c.id.app, c.size)),
        }
    }
    used.retain(|(app, _)| *app != w.app);
    let (app, most) = used.into_iter().max_by_key(|(app, used)| (used[lacking], std::cmp::Reverse(*app)))?;
    // Without it, one of them would have room.
    let on = |node: &Node| rm.containers_on(node.id).filter(|c| c.id.app == app && c.state != ContainerState::Reserved);
    let there = |node: &&&Node| !table.is_full() || on(node).next().is_some();
    let nodes: Vec<&Node> = nodes.iter().filter(there).copied().collect();
    let hosts: Vec<&str> = nodes.iter().map(|node| node.host.as_str()).collect();
    let total = nodes.iter().fold(Resource::ZERO, |sum, node| sum + node.total);
    let makes_room = |node: &&&Node| {
        let free = on(node).fold(node.free(), |free, c| free + c.size);
        rm.scheduler().fits_in_room(cluster, &w.size, &free)
    };
    let makes_room = nodes.iter().any(|node| makes_room(&node));
    (makes_room || 2 * most[lacking] > total[lacking]).then(|| {
        let [own, whole] = [most, total].map(|r| words::one(r, lacking, &cluster.types));
        say::has_most_on(names.app(app), &own, &whole, &hosts)
    })
}

/// Returns which other application has more than half of the queue's maximum that stops a request.
fn holds_most(names: Names<'_>, w: &Waiting, stop: &RequestStop) -> Option<String> {
    let of_maximum = |c: &&Checked| matches!(c.check, RecordedCheck::QueueLimit | RecordedCheck::MaxShare);
    let checked = stop.by.checked().filter(of_maximum).filter(|_| !stop.never)?;
    let (queue, amounts) = (checked.queue()?, checked.figures.as_amounts()?);
    // What the ancestors leave a queue is not its maximum.
    if amounts.besides().is_some_and(|maximum| maximum != amounts.limit) {
        return None;
    }
    let (rm, limit) = (names.rm(), amounts.limit);
    let asked = if amounts.asked().is_zero() { w.size } else { amounts.asked() };
    let lacking = (0..rm.cluster().types.len()).find(|i| amounts.used()[*i].saturating_add(asked[*i]) > limit[*i])?;
    let used = |app: &App| app.used.get(w.partition.index()).map_or(0, |used| used[lacking]);
    let apps = rm.apps().iter().filter_map(|app| rm.scheduled(app.id));
    let inside = apps.filter(|app| names.path_up(app.queue).any(|above| above == queue));
    let most = inside.max_by_key(|app| (used(app), std::cmp::Reverse(app.id)))?;
    (most.id != w.app && 2 * used(most) > limit[lacking]).then(|| {
        let own = most.used.get(w.partition.index()).copied().unwrap_or_default();
        let [own, whole] = [own, limit].map(|r| words::one(r, lacking, &rm.cluster().types));
        say::has_most(names.app(most.id), &own, &whole)
    })
}

/// Returns how many of its containers preemption has taken, if it waits for more.
fn taken_back(names: Names<'_>, w: &Waiting) -> Option<String> {
    let place = names.sim.place_of(w.app).filter(|_| !w.am)?;
    let killed = names.sim.apps().get(place)?.toll.killed;
    (killed > 0).then(|| say::taken_back(names.app(w.app), killed))
}

/// Returns stopped containers that hold their resources until their nodes report their ends, if a node would take the request
/// then.
fn not_reported(names: Names<'_>, w: &Waiting) -> Option<String> {
    let (rm, cluster) = (names.rm(), names.rm().cluster());
    let over = |node: &Node| rm.containers_on(node.id).filter(|c| c.state == ContainerState::Over).collect::<Vec<_>>();
    let frees = |node: &&Node| {
        let free = over(node).iter().fold(node.free(), |free, c| free + c.size);
        !rm.scheduler().fits_in_room(cluster, &w.size, &node.free())
            && rm.scheduler().fits_in_room(cluster, &w.size, &free)
    };
    let nodes = cluster.nodes.iter().filter(|node| node.in_scheduler && away(names, node).is_none());
    let nodes: Vec<&Node> = nodes.filter(|node| may_take(names, w, node)).filter(frees).collect();
    let all: Vec<_> = nodes.iter().flat_map(|node| over(node)).collect();
    match all.as_slice() {
        [] => None,
        [only] => Some(say::not_reported(&names.container_name(only.id), names.node(only.node))),
        all => Some(say::several_not_reported(all.len())),
    }
}

/// Returns the lost nodes with which a limit that is a part of the cluster would let the request pass.
fn lost(names: Names<'_>, w: &Waiting, check: RecordedCheck, amounts: &Amounts) -> Option<String> {
    let rm = names.rm();
    let of_part = matches!(
        check,
        RecordedCheck::QueueLimit
            | RecordedCheck::Headroom
            | RecordedCheck::UserLimit
            | RecordedCheck::QueueAmLimit
            | RecordedCheck::UserAmLimit
            | RecordedCheck::AmShare
    );
    let app = rm.scheduled(w.app).filter(|_| of_part)?;
    let absolute = |queue| {
        let written = format!("yarn.scheduler.capacity.{}.capacity", names.queue(queue));
        rm.settings().capacity_scheduler.get(&written).is_some_and(|value| value.trim().starts_with('['))
    };
    if names.path_up(app.queue).any(absolute) {
        return None;
    }
    let gone = rm.nodes().iter().filter(|n| !n.in_scheduler && n.partition == w.partition);
    let gone = gone.fold(Resource::ZERO, |sum, n| sum + n.total);
    let there = rm.partition_total(w.partition);
    let kinds = if rm.cluster().calculator.kind == CalculatorKind::Default { 1 } else { there.0.len() };
    let asked = if amounts.asked().is_zero() { w.size } else { amounts.asked() };
    // For the headroom, the limit is what is left; the queue's own maximum would grow with the lost nodes.
    let (used, limit) = match check {
        RecordedCheck::Headroom => {
            let maximum = rm.queues().get(amounts.queue?.index())?.part(w.partition).shares.effective_max;
            (maximum - amounts.limit, maximum)
        }
        _ => (amounts.used(), amounts.besides().unwrap_or(amounts.limit)),
    };
    let passes = (0..kinds).all(|i| {
        let with = limit[i].saturating_add(limit[i].saturating_mul(gone[i]) / there[i].max(1));
        used[i].saturating_add(asked[i]) <= with
    });
    // A request for places gains nothing if none of them is gone or has room.
    let its_own =
        |node: &Node| w.places.iter().any(|place| *place == node.host || *place == rm.cluster().place_name(node.rack));
    let room = |node: &Node| !node.in_scheduler || rm.scheduler().fits_in_room(rm.cluster(), &w.size, &node.free());
    if is_strict(names, w) && !rm.nodes().iter().any(|node| its_own(node) && room(node)) {
        return None;
    }
    if passes && !gone.is_zero() { out_of_service(names, |node| node.partition == w.partition) } else { None }
}

/// Returns whether a request may only go to the places that it names.
fn is_strict(names: Names<'_>, w: &Waiting) -> bool {
    let rows = names.rm().scheduled(w.app).and_then(|app| Some(app.asks.at(app.asks.find(w.key)?)));
    let any = |place: heddle_core::model::PlaceId| names.rm().cluster().place_name(place) == "*";
    // The FifoScheduler ignores relaxLocality.
    let asked = !matches!(names.rm().scheduler(), Scheduler::Fifo(_));
    asked && !w.places.is_empty() && rows.is_some_and(|asks| asks.rows().any(|(place, row)| any(place) && !row.relax))
}

/// Returns which application of its leaf has resources and a lower priority, while preemption within queues is off; `full`: the
/// leaf or the nodes lack room.
fn outranked(names: Names<'_>, w: &Waiting, full: bool) -> Option<String> {
    let rm = names.rm();
    let app = rm.scheduled(w.app).filter(|_| full)?;
    let queue = rm.queues().get(app.queue.index())?;
    let on = rm.preemption_monitor().is_some_and(|monitor| monitor.conf().intra_queue);
    if rm.capacity().is_none() || on && !queue.conf.intra_queue_preemption_disabled {
        return None;
    }
    let active = queue.leaf.as_deref()?.active.iter().filter_map(|id| rm.scheduled(*id));
    let used = |other: &App| other.used.get(w.partition.index()).copied().unwrap_or_default();
    let lower: Vec<&App> = active.filter(|other| other.priority < app.priority && !used(other).is_zero()).collect();
    let all = lower.iter().fold(Resource::ZERO, |sum, other| sum + used(other));
    let enough = (0..1).all(|i| w.size[i] <= all[i]);
    let cluster = rm.cluster();
    let amount = words::counted_for(all, w.size, cluster.calculator, &cluster.types);
    let who: Vec<&str> = lower.iter().map(|other| names.app(other.id)).collect();
    (!who.is_empty() && enough).then(|| say::preemption::outranked(&who, &amount, &queue.path))
}

/// Returns which other user of its leaf is furthest beyond the user limit, while preemption within queues is off; `full`: the
/// nodes lack room.
fn outspent(names: Names<'_>, w: &Waiting, full: bool) -> Option<String> {
    let rm = names.rm();
    let (app, scheduler) = (rm.scheduled(w.app).filter(|_| full)?, rm.capacity()?);
    let queue = rm.queues().get(app.queue.index())?;
    // If preemption is off altogether, the setting within queues is not the point.
    let monitor = rm.preemption_monitor()?;
    if monitor.conf().intra_queue && !queue.conf.intra_queue_preemption_disabled {
        return None;
    }
    let (cluster, calc, total) = (rm.cluster(), rm.cluster().calculator, rm.partition_total(w.partition));
    let limit = |user| scheduler.user_limit_of(cluster, app.queue, user, w.partition);
    let used = |user: &heddle_core::scheduler::capacity::LeafUser| {
        user.used.get(w.partition.index()).copied().unwrap_or_default()
    };
    let users = || queue.leaf.iter().flat_map(|leaf| leaf.users.all());
    let own = users().find(|user| user.user == app.user).map(used).unwrap_or_default();
    if calc.gt(&total, &(own + w.size), &limit(app.user)) {
        return None;
    }
    let beyond = users().filter(|user| user.user != app.user && calc.gt(&total, &used(user), &limit(user.user)));
    let most = beyond.max_by_key(|user| used(user).memory_mb())?;
    let text = |r: Resource| words::counted(r, calc, &cluster.types);
    let name = cluster.user_name(most.user);
    Some(say::preemption::outspent(name, &text(used(most)), &queue.path, &text(limit(most.user))))
}

/// Returns the leaf of a request, if that gives the request's label to requests that name none.
pub fn default_label<'n>(names: Names<'n>, w: &Waiting) -> Option<&'n str> {
    let leaf = names.rm().queues().get(names.rm().scheduled(w.app)?.queue.index())?;
    let label = Some(names.partition(w.partition)).filter(|label| !label.is_empty())?;
    (leaf.conf.default_label.as_deref() == Some(label)).then_some(&leaf.path)
}

/// Returns whether a node would be tried for it: one of its partition, or of one that lends.
pub fn may_take(names: Names<'_>, w: &Waiting, node: &Node) -> bool {
    let lends = |partition: PartitionId| {
        names.rm().cluster().partitions.get(partition.index()).is_some_and(|p| !p.exclusive) && w.borrows(names)
    };
    node.partition == w.partition || lends(node.partition)
}

/// Returns whether a node would be tried for it and has the attributes that its constraints require; if the request is strict
/// about its places, the node must be one of these.
pub fn may_go_to(names: Names<'_>, w: &Waiting, node: &Node) -> bool {
    let asks = names.rm().scheduled(w.app).and_then(|app| Some(app.asks.at(app.asks.find(w.key)?)));
    // Slider names every host without an instance, and a lost one as soon as it is back.
    let bound = is_strict(names, w) && anti_affine(names, w).is_none();
    let its_own = asks.filter(|_| bound).is_none_or(|asks| {
        let row = |place| asks.row(place).filter(|row| row.count > 0);
        row(node.host_place).is_some() || row(node.rack).is_some_and(|row| row.relax)
    });
    its_own && may_take(names, w, node) && has_attributes(names, w, node)
}

/// Returns what its queue or application is owed and does not get back, if the nodes lack room and nothing else.
fn owed(names: Names<'_>, w: &Waiting, table: &Table) -> Option<String> {
    if !table.is_full() {
        return None;
    }
    match names.rm().fair() {
        Some(_) => preempted::fair::owed(names, w).or_else(|| preempted::fair::has_its_share(names, w)),
        None => preempted::owed(names, w, ROOT),
    }
}

/// Returns the latest container that it got itself, if nodes would take more and a heartbeat allocates no more at once.
fn is_served(names: Names<'_>, looks: &[PassRecord], table: &Table) -> Option<String> {
    let fits = |node: NodeId| table.rows.iter().any(|r| r.node == node && r.fits());
    let latest = looks.iter().rev().find(|l| fits(l.node))?;
    let over = latest.turn_over.as_ref()?;
    let given = matches!(latest.fate, Outcome::Given(VisitEnd::Allocated { .. }));
    let gives = verdicts::failed(names, over);
    // With several candidates, it need not be the node that reported.
    let node = latest.nodes.last().map_or(latest.node, |(node, _)| *node);
    (given && !gives.is_empty()).then(|| say::is_served(names.node(node), &words::clock(latest.at), &gives))
}

/// Returns which application was served at the latest look at a node that would take the request: by which key it comes first,
/// and what ended the turn.
fn served_first(names: Names<'_>, w: &Waiting, looks: &[PassRecord], table: &Table) -> Option<(RequestStop, AppId)> {
    let fits = |node: NodeId| table.rows.iter().any(|r| r.node == node && r.fits());
    looks.iter().rev().find_map(|l| match &l.fate {
        Outcome::Served(served) if served.refused.is_none() && fits(l.node) => {
            let host = names.node(served.node.unwrap_or(l.node));
            let (app, at) = (names.app(served.app), words::clock(l.at));
            let own = served.key.filter(|_| served.app == w.app);
            let who = own.map_or_else(|| format!("**{app}**"), |key| say::own_request(key.priority));
            // The words for a request name its priority, if that is the key.
            let said = own.is_some_and(|key| key.priority != w.key.priority);
            let before = served.before.as_ref().filter(|before| !said || !matches!(before, SiblingOrder::Requests(..)));
            let key = before.and_then(|before| key_of(names, before, l.node));
            let over = l.turn_over.as_ref().map_or(String::new(), |checked| verdicts::failed(names, checked));
            let by = if own.is_some() { StoppedBy::OwnRequest } else { StoppedBy::App(served.app) };
            let sentence = say::went_first(&who, key, host, &at, &over);
            Some((RequestStop::new(by, sentence).yarn(""), served.app))
        }
        _ => None,
    })
}

/// Returns the nodes that are reserved for it.
fn held_for(names: Names<'_>, w: &Waiting) -> Option<String> {
    let app = names.rm().scheduled(w.app)?;
    let asks = app.asks.at(app.asks.find(w.key)?);
    let hosts: Vec<&str> = asks.reserved.iter().map(|(node, _)| names.node(*node)).collect();
    (!hosts.is_empty()).then(|| say::held_for(&hosts))
}

/// Returns why no node of this cluster can ever take it, whoever leaves.
fn never(names: Names<'_>, w: &Waiting, table: &Table) -> Option<String> {
    let cluster = names.rm().cluster();
    let name = names.request_name(w.app, w.key, w.count);
    let in_partition: Vec<_> = cluster.nodes.iter().filter(|n| n.in_scheduler && n.partition == w.partition).collect();
    if in_partition.is_empty() && cluster.node_count > 0 && w.placing.is_empty() {
        let lent = w.borrows(names)
            && cluster.nodes.iter().any(|n| n.in_scheduler && !cluster.partitions[n.partition.index()].exclusive);
        if !lent {
            let label = names.partition(w.partition);
            return Some(say::no_node_of_label(&name, label));
        }
    }
    let types = if cluster.calculator.kind == CalculatorKind::Default { 1 } else { cluster.types.len() };
    for i in 0..types {
        let largest = cluster.nodes.iter().filter(|n| n.in_scheduler).map(|n| n.total[i]).max().unwrap_or(0);
        if cluster.node_count > 0 && w.size[i] > largest {
            let (asked, has) = (words::one(w.size, i, &cluster.types), words::bare(largest, i));
            return Some(say::larger_than_nodes(&name, &asked, &has));
        }
    }
    let constrained = table.checks.iter().any(|c| c.clause().is_some());
    if constrained && !table.rows.iter().any(NodeRow::fits) { never_allowed(names, w) } else { None }
}

/// Returns why the constraints never let a container of this request start: proved from all that the application requests, the
/// present nodes and the tags of its containers.
fn never_allowed(names: Names<'_>, w: &Waiting) -> Option<String> {
    let (rm, state) = (names.rm(), names.rm().placement());
    let app = names.sim.place_of(w.app).and_then(|i| names.scenario().apps.get(i))?;
    let ground = rm.nodes().iter().filter(|n| n.in_scheduler).map(|n| Ground {
        host: &n.host,
        rack: rm.cluster().place_name(n.rack),
        partition: names.partition(n.partition),
    });
    let applying = state.constraints.applying(w.app, &w.tags, w.constraint.as_deref());
    let own = ConstrainedRequest {
        tags: w.tags.iter().map(String::as_str).collect(),
        count: w.count,
        constraints: applying.parts().map(|(_, c)| c).collect(),
    };
    let tagged = rm.containers_of(w.app).filter_map(|c| rm.cluster().tag_sets.get_index(c.tags as usize));
    let present: Vec<&str> = tagged.flatten().map(String::as_str).collect();
    heddle_core::scenario::read::never(app, own, &present, &ground.collect::<Vec<_>>(), &state.attributes)
}

/// Returns the whole answer for a waiting request.
pub fn why(names: Names<'_>, e: &Explained, record: &Record) -> WhyView {
    let rm = names.rm();
    let cluster = rm.cluster();
    let w = &e.waiting;
    let queue = rm.app(w.app).map_or(String::new(), |a| a.queue.clone());
    let user = rm.app(w.app).map_or("", |a| a.submission.user.as_str());
    let app = names.app(w.app);
    let waited = words::span(names.now - w.since);
    let mut view = WhyView {
        about: Some(names.request(w.app, w.key)),
        title: names.request_name(w.app, w.key, w.count),
        status: match w.placing.first() {
            Some(part) => say::waiting(&waited, Some(&stage_short(names, part))),
            None if e.looks.is_empty() && e.chain.stop.is_none() => say::waiting(&waited, Some(say::NOT_LOOKED_AT)),
            None => say::waiting(&waited, None),
        },
        fate: Some(if e.never.is_some() { EventOutcome::Rejected } else { EventOutcome::Waiting }),
        crumb: say::things::crumb_of_request(w.count, &words::size(w.size, &cluster.types), &queue, app, user),
        sentence: e.sentence.clone(),
        limits: e.chain.limits.clone(),
        looked: e.chain.looked.map(|(at, node)| (at, names.node(node).to_string())),
        orders: orders(names, record, OrderScope::App(w.app)),
        ..WhyView::default()
    };
    view.yarn = yarn(names, e);
    if let Some(asked) = asked_size(names, w) {
        let step = words::memory(cluster.minimum.memory_mb());
        let (from, to) = (words::exactly(asked), words::exactly(w.size.memory_mb()));
        view.crumb.push_str(&say::things::rounded_up(&from, &to, &step));
    }
    view.waits_for = holders(names, e);
    view.facts.extend(all_holders(names, e));
    if w.am && e.chain.stop.is_some() {
        view.facts.extend(rm.scheduled(w.app).and_then(|app| formulas::counted_applications(names, app)));
    }
    if let Some(table) = &e.table {
        // If something else ends the turn, the chain already has this link.
        if view.limits.last().is_none_or(|last| last.name != say::NODE) {
            view.limits.push(nodes_link(table, e.chain.stop.is_none()));
        }
        view.buckets = table.buckets(names);
        view.matrix = table.matrix(names);
        view.blocking = table.blocking(names);
        view.facts.extend(tags_by_namespace(names, w, table));
        view.facts.extend(rows(names, w));
        view.free = free_per_node(names, table);
        view.facts.extend(largest(names, w, table));
    }
    view.sources = sources(names, e);
    let told = told_of(names, w.app).of_request(names, e);
    view.sentence = told.sentences.iter().fold(view.sentence, |all, one| say::then(&all, one));
    add_sources(names, &mut view.sources, told.checks.into_iter());
    view.facts.extend(told.facts);
    view
}

/// Returns the last link of the chain: how many nodes would take it.
fn nodes_link(table: &Table, reached: bool) -> LimitView {
    let (fits, nodes) = (table.rows.iter().filter(|r| r.fits()).count(), table.rows.len());
    let text = if reached { say::fit_of(fits, nodes) } else { say::NOT_REACHED.to_string() };
    let link = link_of_nodes(words::count(nodes as i64, "node"), fits > 0 && reached, &text);
    LimitView { reached, used: fits as f64, limit: nodes as f64, unit: "nodes".to_string(), ..link }
}

/// Returns YARN's own words, as the latest looks recorded them, with the number of nodes; then those of its AM.
pub fn yarn(names: Names<'_>, e: &Explained) -> Vec<(String, usize)> {
    let (rm, w) = (names.rm(), &e.waiting);
    let mut said: Vec<(String, Vec<NodeId>)> = Vec::new();
    let mut add = |words: String, node: NodeId| {
        if words.is_empty() {
            return;
        }
        match said.iter_mut().find(|(known, _)| *known == words) {
            Some((_, nodes)) if nodes.contains(&node) => {}
            Some((_, nodes)) => nodes.push(node),
            None => said.push((words, vec![node])),
        }
    };
    // The words with a node's figures, for the first node of each check.
    let mut figures: Vec<(RecordedCheck, String)> = Vec::new();
    // What stops it comes first.
    if let Some(stop) = &e.chain.stop
        && let Some((_, node)) = e.chain.looked
    {
        add(stop.yarn.clone(), node);
    }
    let inactive = e.chain.stop.as_ref().is_some_and(|stop| stop.by.is_of_activation());
    for look in e.looks.iter().filter(|_| !inactive) {
        for (node, came) in &look.nodes {
            match came {
                OnNode::Failed(checked) => {
                    add(verdicts::yarn(names, checked), *node);
                    let capacity = rm.scheduler().capacity().is_some();
                    if capacity
                        && figures.iter().all(|(known, _)| *known != checked.check)
                        && let Some(words) = with_figures(rm.cluster(), checked)
                    {
                        figures.push((checked.check, words));
                    }
                }
                OnNode::Given(VisitEnd::Reserved { need, free } | VisitEnd::ReReserved { need, free }) => {
                    let words = RecordedCheck::NodeFree.row().yarn;
                    add(words.to_string(), *node);
                    let is_new = figures.iter().all(|(known, _)| *known != RecordedCheck::NodeFree);
                    if is_new && rm.scheduler().capacity().is_some() {
                        let words = lacking(rm.cluster(), words, &Amounts::fit(*need, *free));
                        figures.push((RecordedCheck::NodeFree, words));
                    }
                }
                OnNode::Given(_) => {}
            }
        }
        match &look.fate {
            Outcome::Stopped(checked) if look.nodes.is_empty() => add(verdicts::yarn(names, checked), look.node),
            Outcome::Behind { app, .. } => add(headroom_yarn(names, *app), look.node),
            Outcome::BehindOwn(_, failed) => {
                failed.iter().for_each(|checked| add(verdicts::yarn(names, checked), look.node));
            }
            Outcome::Stopped(_)
            | Outcome::Given(_)
            | Outcome::Refused(_)
            | Outcome::Served(..)
            | Outcome::Held(_)
            | Outcome::NoTurn => {}
        }
    }
    let mut out: Vec<(String, usize)> = said.into_iter().map(|(words, nodes)| (words, nodes.len())).collect();
    out.extend(figures.into_iter().map(|(_, words)| (words, 1)));
    if let (Some(stop), true) = (&e.chain.stop, inactive && !w.am && e.chain.looked.is_none()) {
        out.push((stop.yarn.clone(), 0));
    }
    if w.am {
        let words = rm.am_diagnostics(w.app);
        if !words.is_empty() && out.iter().all(|(text, _)| *text != words) {
            out.push((words, 0));
        }
    }
    out
}

/// Returns the size that the application requested, in MiB, if the ResourceManager rounded it up.
pub fn asked_size(names: Names<'_>, w: &Waiting) -> Option<i64> {
    let app = names.sim.place_of(w.app).and_then(|i| names.scenario().apps.get(i))?;
    let mut sizes = if w.am { vec![app.am.size] } else { app.kind.sizes(w.key.priority) };
    let (step, got) = (names.rm().cluster().minimum.memory_mb().max(1), w.size.memory_mb());
    sizes.retain(|s| s.memory_mb() > got - step && s.memory_mb() <= got);
    let asked = sizes.iter().map(|s| s.memory_mb()).max()?;
    (asked < got).then_some(asked)
}

/// The number of applications in the way that are listed one by one.
const MOST: usize = 4;

/// Returns the names of all applications in the way, if there are more than are listed.
fn all_holders(names: Names<'_>, e: &Explained) -> Option<FactView> {
    let holders = e.chain.stop.as_ref().map_or(&[][..], |stop| &stop.holders);
    let all: Vec<&str> = holders.iter().map(|id| names.app(*id)).collect();
    (all.len() > MOST).then(|| FactView {
        name: say::HOLDERS.to_string(),
        value: words::list(&all, all.len()),
        formula: Vec::new(),
    })
}

/// Returns the applications that hold what a limit keeps from it.
pub fn holders(names: Names<'_>, e: &Explained) -> Vec<(String, Selection, String)> {
    let Some(stop) = &e.chain.stop else { return Vec::new() };
    let rm = names.rm();
    let waits = names.request_name(e.waiting.app, e.waiting.key, e.waiting.count);
    let types = &rm.cluster().types;
    let each = stop.holders.iter().take(MOST).map(|id| {
        let name = names.app(*id).to_string();
        let master =
            rm.containers_of(*id).find(|c| c.am).map(|c| words::counted(c.size, rm.cluster().calculator, types));
        let limit = stop.by.short();
        let is = |check| stop.by.is(check);
        let what = if is(RecordedCheck::QueueParallelApps) || is(RecordedCheck::UserParallelApps) {
            say::COUNTS_AS_RUNNING.to_string()
        } else if is(RecordedCheck::QueueLimit) {
            say::ROOM_KEPT_FOR.to_string()
        } else if is(RecordedCheck::LeafHeadroom) || matches!(stop.by, StoppedBy::App(_)) {
            say::COMES_FIRST.to_string()
        } else if is(RecordedCheck::MaxShare) || is(RecordedCheck::MaxResources) {
            say::USES_ROOM.to_string()
        } else {
            say::master_holds(master.as_deref(), limit)
        };
        (waits.clone(), Selection::App(name), what)
    });
    let mut out: Vec<_> = each.collect();
    out.extend(stop.holders.iter().take(MOST).flat_map(|id| nested(names, *id)));
    out
}

/// Returns the applications whose end tasks of this one wait for.
pub fn nested(names: Names<'_>, id: AppId) -> Vec<(String, Selection, String)> {
    let mut out: Vec<(String, Selection, String)> = Vec::new();
    let Some((place, run)) = names.sim.place_of(id).and_then(|i| Some((i, names.sim.apps().get(i)?))) else {
        return out;
    };
    let alive = |got: &&Got| names.rm().container(got.id).is_some_and(|c| c.state != ContainerState::Over);
    for got in run.containers.iter().filter(alive) {
        let Some(other) = names.sim.waits_for(place, got.key).and_then(|i| names.scenario().apps.get(i)) else {
            continue;
        };
        let whom = Selection::App(other.name.clone());
        if out.iter().all(|(_, known, _)| *known != whom) {
            let what = say::task_works_until(&names.container_name(got.id), &other.name);
            out.push((names.app(id).to_string(), whom, what));
        }
    }
    out
}

/// Returns the rows of a request that names places: which of them a node may use is checked place by place.
fn rows(names: Names<'_>, w: &Waiting) -> Option<FactView> {
    let app = names.rm().scheduled(w.app)?;
    let asks = app.asks.at(app.asks.find(w.key)?);
    let rows = asks
        .rows()
        .filter(|(_, r)| r.count > 0)
        .map(|(place, row)| say::row_of(names.rm().cluster().place_name(place), row.count, row.relax));
    let rows: Vec<String> = rows.collect();
    let fifo = matches!(names.rm().scheduler(), Scheduler::Fifo(_));
    let strict = fifo && asks.rows().any(|(_, row)| row.count > 0 && !row.relax);
    let ignored = strict.then(|| say::RELAX_IGNORED.to_string());
    (rows.len() > 1).then(|| FactView {
        name: "rows asked for".to_string(),
        value: words::list(&rows, 6),
        formula: ignored.into_iter().chain([say::missed_so_far(asks.opportunities)]).collect(),
    })
}

/// Returns how many nodes have how much free, the most first: the free resources may be in pieces.
fn free_per_node(names: Names<'_>, table: &Table) -> Vec<(i64, i64)> {
    let cluster = names.rm().cluster();
    let mut groups: Vec<(i64, i64)> = Vec::new();
    for row in table.rows.iter().filter(|row| away(names, cluster.node(row.node)).is_none()) {
        let free = cluster.node(row.node).free().memory_mb().max(0);
        match groups.iter_mut().find(|(f, _)| *f == free) {
            Some((_, n)) => *n += 1,
            None => groups.push((free, 1)),
        }
    }
    heddle_core::model::order::sort_by_key(&mut groups, |(free, _)| std::cmp::Reverse(*free));
    groups
}

/// Returns the largest container of the request that would now find a node, among nodes that lack nothing but room.
fn largest(names: Names<'_>, w: &Waiting, table: &Table) -> Option<FactView> {
    let cluster = names.rm().cluster();
    // Only memory is shown: there is enough of everything else.
    let mut rest = w.size;
    rest[0] = 0;
    let scheduler = names.rm().scheduler();
    let of_room = |check: &NodeCheck| matches!(check, NodeCheck::Free | NodeCheck::NotFull | NodeCheck::Total);
    let open = table.rows.iter().filter(|r| r.seen.iter().zip(&table.checks).all(|(s, c)| s.passes() || of_room(c)));
    let free = open.map(|r| cluster.node(r.node).free());
    let most = free.filter(|free| scheduler.fits_in_room(cluster, &rest, free)).map(|free| free.memory_mb()).max()?;
    (table.rows.len() > 1).then(|| FactView {
        name: "largest that fits now".to_string(),
        value: words::memory(most.max(0)),
        formula: vec![say::LARGEST_THAT_FITS.to_string()],
    })
}

/// Returns, for each clause that requires more of a tag than some node sees, which containers carry the tag: this application's
/// and others'.
fn tags_by_namespace(names: Names<'_>, w: &Waiting, table: &Table) -> Vec<FactView> {
    let rm = names.rm();
    let mut out: Vec<FactView> = Vec::new();
    for check in &table.checks {
        let NodeCheck::Clause(_, _, leaf) = check else { continue };
        let tags = leaf.targets.iter().filter_map(|t| match t {
            Target::Tags { values, .. } => Some(values),
            _ => None,
        });
        for tag in tags.flatten().filter(|_| leaf.min > 0) {
            let (mut own, mut others) = (Vec::new(), Vec::new());
            for node in rm.nodes().iter().filter(|n| n.in_scheduler) {
                for c in rm.containers_on(node.id) {
                    let carries = rm.cluster().tag_sets.get_index(c.tags as usize).is_some_and(|t| t.contains(tag));
                    if carries && c.state != ContainerState::Reserved {
                        let whose = if c.id.app == w.app { &mut own } else { &mut others };
                        whose.push(say::on_host(&names.container_name(c.id), &node.host));
                    }
                }
            }
            let name = say::by_namespace(tag);
            if out.iter().all(|f| f.name != name) {
                let value = say::self_and_not_self(&own, &others);
                out.push(FactView { name, value, formula: Vec::new() });
            }
        }
    }
    out
}

/// Returns the classes and methods that decide a request.
fn sources(names: Names<'_>, e: &Explained) -> Vec<String> {
    let scheduler = names.rm().scheduler();
    let mut out: Vec<&str> = Vec::new();
    let stopped = e.chain.stop.as_ref().map(|stop| stop.by.decided_by(scheduler));
    out.extend(stopped.as_deref());
    let constrained = e.table.as_ref().is_some_and(|t| t.checks.iter().any(|c| c.clause().is_some()));
    if constrained {
        out.push("PlacementConstraintsUtil.canSatisfyConstraints");
    }
    if !e.waiting.placing.is_empty() {
        out.push("DefaultPlacementAlgorithm, PlacementConstraintProcessor");
    } else if e.table.is_some() {
        out.push(decides_on_node(scheduler));
    }
    out.into_iter().map(String::from).collect()
}

/// Adds the classes that make some checks, including those of an ApplicationMaster.
fn add_sources(names: Names<'_>, sources: &mut Vec<String>, checks: impl Iterator<Item = RecordedCheck>) {
    let under = under(names.rm().scheduler());
    for source in checks.flat_map(|check| check.sources(under)) {
        if !sources.iter().any(|known| known.split(", ").any(|part| part == source)) {
            sources.push(source.to_string());
        }
    }
}

/// Returns the waiting request that a selection refers to.
pub fn find<'w>(names: Names<'_>, waiting: &'w [Waiting], about: &Selection) -> Option<&'w Waiting> {
    let (app, key) = match about {
        Selection::Request { app, key } | Selection::Clause { app, key, .. } => (app, key),
        _ => return None,
    };
    waiting.iter().find(|w| names.app(w.app) == app && w.key.to_string() == *key)
}
