//! Who stands before a request that some node would take: a request of another application that its leaf waits for, or a
//! more urgent one of its own application (capacity-scheduler.md 8.1(4c), 8.3). Taken from the scheduler's latest look.

use super::checks::Table;
use super::evidence::Evidence;
use super::limits::Stop;
use super::names::Names;
use super::verdicts::{commit_words, node_words, node_yarn, queue_words, queue_yarn, request_words, request_yarn};
use super::view::LimitView;
use super::waiting::Waiting;
use super::words;
use crate::journal::{NodeVerdict, QueueVerdict, RequestVerdict};
use crate::model::{AppId, NodeId, RequestKey};

/// YARN's words where a request does not fit in what its queue may still take.
pub const HEADROOM: &str = "Queue does not have enough headroom for inner highest-priority request";

/// YARN's words of the leaf: whose request it was.
pub fn headroom_yarn(names: Names<'_>, app: AppId) -> String {
    format!("{HEADROOM} from {}", names.rm().application_id(app))
}

/// What keeps the request from its turn; `None` if nothing is known to, or if no node would take it.
pub fn behind(names: Names<'_>, w: &Waiting, evidence: &Evidence, table: &Table) -> Option<(LimitView, Stop)> {
    let fitting: Vec<NodeId> = table.rows.iter().filter(|r| r.fits()).map(|r| r.node).collect();
    if fitting.is_empty() || !w.placing.is_empty() || names.rm().capacity().is_none() {
        return None;
    }
    own(names, w, evidence)
        .or_else(|| leaf(names, w, evidence, &fitting))
        .or_else(|| urgent(names, w, evidence, &fitting))
        .or_else(|| held(names, w, evidence, &fitting))
        .or_else(|| refused(names, w, evidence))
}

fn stop(of: String, sentence: String, yarn: String, holders: Vec<AppId>) -> (LimitView, Stop) {
    let link = LimitView { name: "turn".to_string(), of, text: "waits".to_string(), ..LimitView::default() };
    (link, Stop { short: "behind another".to_string(), sentence, yarn, never: false, holders })
}

/// Its own reservations are enough for the time being.
fn own(names: Names<'_>, w: &Waiting, evidence: &Evidence) -> Option<(LimitView, Stop)> {
    let (_, verdict @ RequestVerdict::ReservationAlgorithm { .. }) = evidence.requests.get(&(w.app, w.key))? else {
        return None;
    };
    let (link, stop) = stop(
        names.request_name(w.app, w.key, w.count),
        request_words(names, verdict)?,
        request_yarn(verdict).to_string(),
        Vec::new(),
    );
    Some((link, Stop { short: "enough is held".to_string(), ..stop }))
}

/// Nodes are held for all of it, and a limit of its queue, or of one above, keeps it from the others.
fn held(names: Names<'_>, w: &Waiting, evidence: &Evidence, fitting: &[NodeId]) -> Option<(LimitView, Stop)> {
    let rm = names.rm();
    let app = rm.scheduled(w.app)?;
    let reserved = &app.asks.at(app.asks.find(w.key)?).reserved;
    if reserved.is_empty() || reserved.iter().any(|(node, _)| fitting.contains(node)) {
        return None;
    }
    let mut path = std::iter::successors(Some(app.queue), |q| rm.parent_of(*q));
    let (queue, verdict) = path.find_map(|q| Some((q, evidence.queues.get(&(q, w.partition))?)))?;
    let path = names.queue(queue);
    let words = queue_words(names, path, verdict)?;
    let hosts: Vec<String> = reserved.iter().map(|(node, _)| format!("**{}**", names.node(*node))).collect();
    let verb = if hosts.len() == 1 { "is" } else { "are" };
    let sentence = format!(
        "{} {verb} held for it, and nothing else is looked at for it: {}",
        words::list(&hosts, 3),
        words.trim_end_matches('.')
    );
    Some(stop(path.to_string(), format!("{sentence}."), queue_yarn(verdict).to_string(), Vec::new()))
}

/// What was proposed last, for this request or for one before it, is refused when it is to be committed, and with it the
/// look is over.
fn refused(names: Names<'_>, w: &Waiting, evidence: &Evidence) -> Option<(LimitView, Stop)> {
    let (app, node, why) = evidence.refused.as_ref()?;
    let own = *app == w.app;
    let (name, host) = (names.app(*app), names.node(*node));
    let proposal = match evidence.nodes.get(&(w.app, w.key, *node)) {
        Some(NodeVerdict::Allocated { .. } | NodeVerdict::Reserved { .. }) if own => {
            format!("It is proposed **{host}**; that is refused when it is to be committed: ")
        }
        // Of its own application it is another request, if this one was not looked at there.
        Some(_) if own => return None,
        _ => format!(
            "**{name}** goes first and is proposed **{host}**; that is refused when it is to be committed, and the look is over: "
        ),
    };
    let sentence = proposal + &commit_words(names, why);
    let (link, told) = stop(name.to_string(), sentence, String::new(), if own { Vec::new() } else { vec![*app] });
    let short = if own { "refused at commit".to_string() } else { told.short };
    Some((link, Stop { short, ..told }))
}

/// The most urgent request of an application of its leaf does not fit in the headroom: nobody behind it is looked at. On
/// nodes that lend their room this is another look, with what the leaf may still take of that partition.
fn leaf(names: Names<'_>, w: &Waiting, evidence: &Evidence, fitting: &[NodeId]) -> Option<(LimitView, Stop)> {
    let rm = names.rm();
    let queue = rm.scheduled(w.app)?.queue;
    let order = &rm.queues().get(queue.index())?.leaf.as_deref()?.active;
    let place = |app: AppId| order.iter().position(|a| *a == app);
    let before = |node: &NodeId| {
        let partition = rm.node(*node)?.partition;
        let at = (queue, partition);
        let (verdict, key) = match partition == w.partition {
            true => (evidence.queues.get(&at)?, evidence.blocking.get(&at).copied()),
            false => evidence.lent.get(&at).map(|(verdict, key)| (verdict, *key))?,
        };
        let QueueVerdict::Headroom { app, need, headroom } = verdict else { return None };
        let first = match *app == w.app {
            // One of its own, asked for before it.
            true => key.is_some_and(|key| key < w.key),
            false => place(*app)? < place(w.app)?,
        };
        first.then_some((*app, *need, *headroom, partition))
    };
    let each: Option<Vec<_>> = fitting.iter().map(before).collect();
    let (app, need, headroom, partition) = *each?.first()?;
    let cluster = rm.cluster();
    let text = |r| words::counted(r, cluster.calculator, &cluster.types);
    let (path, other) = (names.queue(queue), names.app(app));
    let whose = if app == w.app { format!("a more urgent request of **{other}**") } else { format!("**{other}**") };
    let lent = match partition == w.partition {
        true => String::new(),
        false => format!(" of the nodes of label {}", names.partition(partition)),
    };
    let sentence = format!(
        "{path} waits for {whose}, which stands before it and needs {}: {path} may still take {}{lent}, and until that fits \
         nothing behind it is looked at.",
        text(need),
        text(headroom)
    );
    let holders = if app == w.app { Vec::new() } else { vec![app] };
    Some(stop(path.to_string(), sentence, headroom_yarn(names, app), holders))
}

/// A more urgent request of the same application came to nothing on every node that would take this one, in a way that
/// ends the application's turn there.
fn urgent(names: Names<'_>, w: &Waiting, evidence: &Evidence, fitting: &[NodeId]) -> Option<(LimitView, Stop)> {
    let app = names.rm().scheduled(w.app)?;
    let ends = |key: RequestKey, node: NodeId| {
        let verdict = evidence.nodes.get(&(w.app, key, node))?;
        ends_turn(verdict).then_some(verdict)
    };
    let open = app.asks.open().iter().map(|(key, _)| *key).take_while(|key| *key < w.key);
    let key = open.into_iter().find(|key| fitting.iter().all(|node| ends(*key, *node).is_some()))?;
    let node = *fitting.first()?;
    let verdict = ends(key, node)?;
    let (name, host) = (names.app(w.app), names.node(node));
    let why = node_words(names, node, verdict)?;
    let sentence = format!(
        "A more urgent request of **{name}**, of priority {}, is looked at first, and while it gets nothing this one has no \
         turn. On **{host}**: {why}",
        key.priority
    );
    Some(stop(names.request_name(w.app, key, 1), sentence, node_yarn(verdict).to_string(), Vec::new()))
}

/// Does such a verdict end the application's turn, instead of letting its next request have a try?
fn ends_turn(verdict: &NodeVerdict) -> bool {
    matches!(
        verdict,
        NodeVerdict::Blacklisted { .. }
            | NodeVerdict::Delay { .. }
            | NodeVerdict::TotalTooSmall { .. }
            | NodeVerdict::FreeTooSmall { .. }
            | NodeVerdict::NothingToUnreserve { .. }
    )
}
