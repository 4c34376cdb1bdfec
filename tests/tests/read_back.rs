//! Reads answers back: over the gallery, samples, conformance traces as scenarios and random scenarios, under all schedulers,
//! at many moments, WHY about waiting requests is compared with the state and with the record of the run, by code that shares
//! nothing with the code that writes the sentences. Each sentence is read by a form (`read_back/sentences.rs`), each phrase
//! about a node is checked against the state (`phrases.rs`, `state.rs`): an AND as AND, an OR as OR, each figure by its
//! value. A sentence that no form reads fails the test.
#![cfg(not(target_arch = "wasm32"))]
#[path = "read_back/answers.rs"]
mod answers;
mod corpus;
#[path = "read_back/cycles.rs"]
mod cycles;
#[path = "read_back/form.rs"]
mod form;
#[path = "read_back/losses.rs"]
mod losses;
#[path = "read_back/masters.rs"]
mod masters;
#[path = "read_back/phrases.rs"]
mod phrases;
#[path = "read_back/preempted.rs"]
mod preempted;
#[path = "read_back/sentences.rs"]
mod sentences;
#[path = "read_back/state.rs"]
mod state;
#[path = "read_back/tape.rs"]
mod tape;

use corpus::Played;
use heddle_core::check::{About, Check, CheckKind, Outcome};
use heddle_core::model::{AppId, PartitionId, RequestKey};
use heddle_player::Player;
use heddle_player::explain::view::{MatrixRow, WhyView};
use heddle_player::explain::waiting::Waiting;
use heddle_player::explain::{Names, waiting};
use sentences::{Beside, Fault};
use state::State;
use std::collections::BTreeMap;
use tape::Tape;

/// The most requests asked about at one moment.
const ASKED: usize = 10;
/// The number of moments of one run.
const MOMENTS: i64 = 8;
/// Runs with more nodes are asked about less often.
const MANY_NODES: usize = 60;

/// Returns the sentence without its addition about preemption, which `what_is_being_freed_…` of `why.rs` and `random.rs`
/// reads.
fn without_preemption(why: &WhyView) -> String {
    let short = why.preemption.as_ref().map_or("", |p| &p.short);
    if short.is_empty() { why.sentence.clone() } else { why.sentence.replacen(&format!(" {short}"), "", 1) }
}

/// The results of one kind of question.
#[derive(Debug, Default)]
struct Came {
    asked: usize,
    wrong: Vec<String>,
}

/// The results of all questions in a walk over many runs, by their names.
#[derive(Debug, Default)]
struct Book {
    came: BTreeMap<&'static str, Came>,
    forms: BTreeMap<&'static str, usize>,
    cells: usize,
}

/// A question: whether something said about a waiting request is true.
type Question = fn(&str, &Beside<'_>, &mut Book, &mut Came);

/// All questions, and how often each must have been asked at least in one of the two walks.
const QUESTIONS: [(&str, Question, usize); 9] = [
    ("every sentence is true", sentence, 1_500),
    ("every node is in one bucket and has what it says", buckets, 700),
    ("every cell of the matrix is true", matrix, 700),
    ("the check that is named is the one recorded", named, 250),
    ("preemption says what its table says", preemption, 20),
    ("every sentence about preemption is true", preempted, 20),
    ("every application in the way is in the answer", applications, 40),
    ("count, size and time are those of the state", figures, 1_500),
    ("what stopped it in each stretch was recorded then", stretches, 300),
];

/// Asks about everything that waits at many moments of all runs.
fn walk(scenarios: Vec<Played>) {
    let mut book = Book::default();
    let mut never = Came::default();
    for (name, text) in scenarios {
        let Some(mut player) = corpus::player(&text) else { continue };
        let Some(mut tape) = Tape::of(&player) else { continue };
        let end = player.snapshot(None).end_ms;
        let moments = if player.simulation().rm().nodes().len() > MANY_NODES { 2 } else { MOMENTS };
        let mut told = Vec::new();
        for part in 1..=moments {
            // Not only at full seconds, when heartbeats come.
            let now = end * part / moments - part % 3 * 137;
            player.seek(now);
            tape.play_to(now);
            at(&name, &player, &tape, &mut book);
            if part % 3 == 1 {
                things(&name, &player, &tape, &mut book);
            }
            told.extend(nevers(&player));
        }
        tape.play_to(end);
        // Nodes that come or change, and happenings, may change that.
        let stays = |at: i64| player.scenario().happenings.is_empty() && tape.nodes_changed <= at;
        for n in told.into_iter().filter(|n| stays(n.at)) {
            never.asked += 1;
            // A request that goes to nodes with another label by then is another one: its application has asked again.
            let same = |g: &&tape::Given| n.partition.is_default() || tape.partition(g.node) == Some(n.partition);
            let mut later = tape.given.iter().filter(|g| (g.app, g.key) == (n.app, n.key) && g.at > n.at);
            if let Some(given) = later.find(same) {
                let Never { at, why, .. } = n;
                never.wrong.push(format!("{name} at {at}: {why}, and at {} it is given a container", given.at));
            }
        }
    }
    book.came.insert("what can never be placed is not placed", never);
    let shown = std::env::var("HEDDLE_SHOWN").ok().and_then(|n| n.parse().ok()).unwrap_or(25);
    let mut all = String::new();
    for (question, Came { asked, wrong }) in &book.came {
        eprintln!("{question}: {asked} asked, {} wrong", wrong.len());
        if !wrong.is_empty() {
            let some = wrong[..wrong.len().min(shown)].join("\n");
            all.push_str(&format!("{question}: {} of {asked}:\n{some}\n", wrong.len()));
        }
    }
    eprintln!("{} cells; {} forms: {:#?}", book.cells, book.forms.len(), book.forms);
    assert!(all.is_empty(), "{all}");
    for (question, _, least) in QUESTIONS {
        assert!(book.came[question].asked >= least, "{question}: asked {} times", book.came[question].asked);
    }
    assert!(book.forms.len() > 20 && book.cells > 10_000, "{} forms, {} cells", book.forms.len(), book.cells);
}

#[test]
fn what_is_said_of_written_scenarios_is_true() {
    walk(corpus::gallery().into_iter().chain(corpus::samples()).chain(corpus::situations()).collect());
}

#[test]
fn what_is_said_of_traces_and_random_scenarios_is_true() {
    let fair = (0..15).map(|seed| (format!("random fair scenario {seed}"), corpus::script::fair(seed)));
    walk(corpus::traces(2, 6).into_iter().chain(corpus::random(30)).chain(fair).collect());
}

/// Checks the answers about applications, queues, nodes and containers.
fn things(name: &str, player: &Player, tape: &Tape, book: &mut Book) {
    let mut forms = Vec::new();
    let (asked, wrong) = answers::at(player, tape, &mut forms);
    forms.into_iter().for_each(|form| *book.forms.entry(form).or_default() += 1);
    let came = book.came.entry("answers for applications, queues, nodes and containers are true").or_default();
    came.asked += asked;
    came.wrong.extend(wrong.into_iter().map(|why| format!("{name} at {} ms, {why}", player.now())));
}

fn at(name: &str, player: &Player, tape: &Tape, book: &mut Book) {
    let sim = player.simulation().clone();
    let names = Names::at(&sim, player.now());
    for w in waiting::waiting(&sim).iter().take(ASKED) {
        let about = names.request(w.app, w.key);
        let why = player.why(&about);
        let at = format!("{name} at {} ms, {about}", player.now());
        let beside = Beside { s: State { names, w, why: &why, failed: &tape.failed }, tape };
        for (question, ask, _) in QUESTIONS {
            let mut came = book.came.remove(question).unwrap_or_default();
            ask(&at, &beside, book, &mut came);
            book.came.insert(question, came);
        }
    }
}

/// A request that is said never to be placed: when, and why.
struct Never {
    app: AppId,
    key: RequestKey,
    partition: PartitionId,
    at: i64,
    why: String,
}

fn nevers(player: &Player) -> Vec<Never> {
    let sim = player.simulation();
    let names = Names::at(sim, player.now());
    let shown = player.snapshot(None).waiting;
    let never = |w: Waiting| {
        let about = names.request(w.app, w.key);
        let why = shown.iter().find(|v| v.id == about)?.never.clone()?;
        Some(Never { app: w.app, key: w.key, partition: w.partition, at: player.now(), why })
    };
    waiting::waiting(sim).into_iter().filter_map(never).collect()
}

fn sentence(at: &str, b: &Beside<'_>, book: &mut Book, came: &mut Came) {
    came.asked += 1;
    let (sentence, mut forms) = (without_preemption(b.s.why), Vec::new());
    let sentence = match cycles::without(b.s.rm(), b.tape, &sentence) {
        Ok((rest, form)) => {
            forms.extend(form);
            rest
        }
        Err(why) => return came.wrong.push(format!("{at}: {why}")),
    };
    let read = sentences::without_held(b, &sentence).and_then(|text| sentences::read(b, &text, &mut forms));
    match read {
        Ok(()) => forms.into_iter().for_each(|form| *book.forms.entry(form).or_default() += 1),
        Err(Fault::NotRead(part)) => came.wrong.push(format!("{at}: no form reads {part:?} of {sentence:?}")),
        Err(Fault::False(why)) => came.wrong.push(format!("{at}: {why}: {sentence:?}")),
    }
}

/// The buckets have every known node once, including those out of service, and each node is as its bucket says.
fn buckets(at: &str, b: &Beside<'_>, _: &mut Book, came: &mut Came) {
    let (s, why) = (&b.s, b.s.why);
    if why.matrix.checks.is_empty() {
        return;
    }
    came.asked += 1;
    let mut known: Vec<&str> = s.rm().nodes().iter().map(|n| n.host.as_str()).collect();
    let mut told: Vec<&str> = why.buckets.iter().flat_map(|b| &b.nodes).map(String::as_str).collect();
    known.sort_unstable();
    told.sort_unstable();
    if known != told {
        came.wrong.push(format!("{at}: the nodes are {known:?}, in buckets are {told:?}"));
    }
    for bucket in &why.buckets {
        let count = bucket.text.split_once(' ').and_then(|(n, _)| form::number(n));
        let phrase = bucket.text.split_once(' ').map_or("", |(_, phrase)| phrase);
        if count != Some(bucket.nodes.len() as i64) || count != Some(bucket.count as i64) {
            came.wrong.push(format!("{at}: {} for {:?}", bucket.text, bucket.nodes));
        }
        for host in &bucket.nodes {
            let Some(node) = s.node(host) else { continue };
            match phrases::of_each(s, node, phrase) {
                None => came.wrong.push(format!("{at}: no phrase is like {phrase:?}")),
                Some(Some(false)) => came.wrong.push(format!("{at}: {host} {phrase}: it is not so")),
                Some(_) => {}
            }
            let out = !node.in_scheduler && phrases::of_each(s, node, phrase) != Some(Some(true));
            if out {
                came.wrong.push(format!("{at}: {host} is {}, told {phrase}", node.state.text()));
            }
        }
    }
}

/// How the checks of the matrix are joined, by the marks in their headings.
#[derive(Debug)]
enum Joined {
    Check(usize),
    All(Vec<Joined>),
    Any(Vec<Joined>),
}

impl Joined {
    /// Reads headings. Returns also the titles without marks.
    fn read(headings: &[String]) -> (Joined, Vec<String>) {
        let mut reader = Reader { headings, at: 0, titles: Vec::new() };
        let mut parts = Vec::new();
        while reader.at < headings.len() {
            parts.push(reader.part(headings[reader.at].clone()));
        }
        (Joined::All(parts), reader.titles)
    }

    /// Returns whether it holds, as YARN evaluates it: an error ends it.
    fn holds(&self, of: &dyn Fn(usize) -> bool) -> bool {
        match self {
            Joined::Check(i) => of(*i),
            Joined::All(parts) => parts.iter().all(|part| part.holds(of)),
            Joined::Any(parts) => parts.iter().any(|part| part.holds(of)),
        }
    }
}

struct Reader<'h> {
    headings: &'h [String],
    at: usize,
    titles: Vec<String>,
}

impl Reader<'_> {
    /// Reads a part that begins with this text of the present heading.
    fn part(&mut self, text: String) -> Joined {
        if let Some(rest) = text.strip_prefix("either ") {
            let mut parts = vec![self.part(rest.to_string())];
            while let Some(rest) = self.next().and_then(|h| h.strip_prefix("or ").map(str::to_string)) {
                parts.push(self.part(rest));
            }
            return Joined::Any(parts);
        }
        if let Some(rest) = text.strip_prefix('(') {
            let mut parts = vec![self.part(rest.to_string())];
            while let Some(rest) = self.next().and_then(|h| h.strip_prefix("and ").map(str::to_string)) {
                parts.push(self.part(rest));
            }
            return if parts.len() == 1 { parts.remove(0) } else { Joined::All(parts) };
        }
        self.titles.push(text.trim_end_matches(')').to_string());
        self.at += 1;
        Joined::Check(self.at - 1)
    }

    fn next(&self) -> Option<&String> {
        self.headings.get(self.at)
    }
}

/// Each cell is true of its node, and a node is said to fit exactly if its row, as joined, lets it pass.
fn matrix(at: &str, b: &Beside<'_>, book: &mut Book, came: &mut Came) {
    let (s, why) = (&b.s, b.s.why);
    if why.matrix.checks.is_empty() {
        return;
    }
    came.asked += 1;
    let headings: Vec<String> = why.matrix.checks.iter().map(|c| c.title.clone()).collect();
    let (joined, titles) = Joined::read(&headings);
    let fit = s.told_to_fit();
    let mut seen = 0;
    for row in &why.matrix.rows {
        for host in std::iter::once(&row.node).chain(&row.alike) {
            seen += 1;
            let Some(node) = s.node(host) else {
                came.wrong.push(format!("{at}: no node {host}"));
                continue;
            };
            let passes = joined.holds(&|i| row.cells[i].passes);
            if passes != fit.contains(&host.as_str()) {
                came.wrong.push(format!(
                    "{at}: {host} passes: {passes}, and it is told to fit: {fit:?} of {headings:?} {row:?}"
                ));
            }
            check_row(at, s, row, &titles, node, &mut book.cells, &mut came.wrong);
        }
    }
    if seen != s.rm().nodes().len() {
        came.wrong.push(format!("{at}: {seen} rows of {} nodes", s.rm().nodes().len()));
    }
    allowed(at, b, &joined, why, &mut came.wrong);
}

fn check_row(
    at: &str,
    s: &State<'_>,
    row: &MatrixRow,
    titles: &[String],
    node: &heddle_core::scheduler::Node,
    cells: &mut usize,
    wrong: &mut Vec<String>,
) {
    for (title, cell) in titles.iter().zip(&row.cells) {
        *cells += 1;
        match phrases::heading(s, node, title) {
            None => wrong.push(format!("{at}: no heading is like {title:?}")),
            Some(Some(it)) if it != cell.passes => {
                wrong.push(format!("{at}: {title} of {}: {} ({}), and it is {it}", node.host, cell.passes, cell.text));
            }
            Some(_) => {}
        }
        if phrases::figure(s, node, title, &cell.text) == Some(false) && !cell.text.is_empty() {
            wrong.push(format!("{at}: {title} of {} is not {:?}", node.host, cell.text));
        }
    }
}

/// Checks that the clauses, as joined, say the same about each node as the constraint.
fn allowed(at: &str, b: &Beside<'_>, joined: &Joined, why: &WhyView, wrong: &mut Vec<String>) {
    let clause = |i: usize| why.matrix.checks[i].clause.is_some();
    if !(0..why.matrix.checks.len()).any(clause) {
        return;
    }
    for row in &why.matrix.rows {
        let told = joined.holds(&|i| !clause(i) || row.cells[i].passes);
        let Some(node) = b.s.node(&row.node) else { continue };
        // What cannot be evaluated has its own heading.
        if let Ok(allowed) = b.s.allowed(node)
            && allowed != told
        {
            wrong.push(format!(
                "{at}: the constraint allows {}: {allowed}, told {told}: {:?}",
                row.node, why.matrix.checks
            ));
        }
    }
}

/// The count, the size and the time of a waiting request are those of the state.
fn figures(at: &str, b: &Beside<'_>, _: &mut Book, came: &mut Came) {
    came.asked += 1;
    // What the scheduler has of it, and what is in the placement processor.
    let outstanding = b.s.app().and_then(|a| Some(a.asks.at(a.asks.find(b.s.w.key)?).outstanding()));
    let placing: i64 = b.s.w.placing.iter().map(|p| p.count).sum();
    let there = outstanding.unwrap_or(0).max(0) + placing;
    let count = b.s.why.crumb.split_once(" × ").map_or(1, |(n, _)| form::number(n).unwrap_or(1));
    if count != there {
        came.wrong.push(format!("{at}: {} for {there}", b.s.why.crumb));
    }
    let size = b.s.why.crumb.rsplit_once(" × ").map_or(b.s.why.crumb.as_str(), |(_, size)| size);
    let memory = size.split(" · ").next().unwrap_or_default();
    if let Err(why) = b.s.is(b.s.w.size, memory) {
        came.wrong.push(format!("{at}: {memory} of {}: {why}", b.s.why.crumb));
    }
    let waited = b.s.why.status.strip_prefix("waiting ").map(|s| s.split(',').next().unwrap_or_default());
    let since = heddle_player::explain::words::span(b.s.names.now - b.s.w.since);
    if waited != Some(since.as_str()) || b.s.w.since > b.s.names.now {
        came.wrong.push(format!("{at}: {} since {}", b.s.why.status, b.s.w.since));
    }
}

/// The words of a stretch, and the checks that they may stand for.
const CAUSES: [(&str, &[Check]); 29] = [
    ("too many applications", &[Check::QueueParallelApps, Check::UserParallelApps]),
    ("no nodes", &[Check::ClusterResources]),
    ("AM limit", &[Check::QueueAmLimit]),
    ("user AM limit", &[Check::UserAmLimit]),
    ("AM share", &[Check::AmShare]),
    ("label not allowed", &[Check::PartitionAccess]),
    ("label", &[Check::NodePartition, Check::AmExclusivity]),
    ("queue at its limit", &[Check::QueueLimit, Check::MaxResources, Check::MaxShare]),
    ("user at its limit", &[Check::UserLimit]),
    ("no headroom", &[Check::Headroom, Check::LeafHeadroom]),
    ("not counted yet", &[Check::InDemand]),
    ("other nodes first", &[Check::NonPartitionedFirst]),
    ("enough is held", &[Check::ReservationsNeeded]),
    ("not tried any more", &[Check::ConstraintErrors]),
    (
        "refused at commit",
        &[
            Check::CommitUserLimit,
            Check::CommitQueueMaximum,
            Check::CommitNodeFree,
            Check::CommitConstraint,
            Check::CommitUnreserved,
            Check::CommitWanted,
            Check::CommitReservation,
            Check::CommitKillable,
            Check::CommitNodeRunning,
            Check::CommitSupported,
        ],
    ),
    ("constraint", &[Check::Constraint]),
    ("blacklist", &[Check::Blacklist]),
    (
        "waits for its places",
        &[Check::LocalityDelay, Check::LocalityDelayTime, Check::RelaxLocality, Check::LocalityRow],
    ),
    ("nodes too small", &[Check::NodeTotal]),
    ("nodes held for others", &[Check::NodeUnreserved, Check::CandidateUnreserved]),
    ("no reservation to give up", &[Check::Unreserve]),
    (
        "no room",
        &[
            Check::NodeFree,
            Check::NodeRoom,
            Check::NodeMinimum,
            Check::BelowFairShare,
            Check::ReservationThreshold,
            Check::RoomNotPromised,
            Check::ReservableNodes,
        ],
    ),
    ("it was served", &[]),
    ("behind another", &[]),
    ("waits for the nodes held for it", &[]),
    ("at its next turn", &[]),
    ("no node has its label", &[]),
    ("nodes away", &[]),
    ("not asked for", &[]),
];

/// The words of each stretch of causes over time stand for checks that failed within it, for the request, its application or
/// a queue above it; the stretches are consecutive and end now.
fn stretches(at: &str, b: &Beside<'_>, _: &mut Book, came: &mut Came) {
    let over_time = &b.s.why.over_time;
    let Some(app) = b.s.app().filter(|_| !over_time.is_empty()) else { return };
    came.asked += 1;
    let round = heddle_player::explain::story::round(b.s.names);
    let path: Vec<_> = std::iter::successors(Some(app.queue), |q| b.s.rm().parent_of(*q)).collect();
    // For an application that was moved, its former queues count as well.
    let moved = over_time.iter().flat_map(|stretch| &stretch.happened).any(|h| h.contains("it was moved to"));
    let mine = |about: About| match about {
        About::Queue(queue) => moved || path.contains(&queue),
        About::App(app) | About::Request(app, _) | About::OnNode(app, ..) => app == b.s.w.app,
        About::Cluster | About::Node(_) | About::User(_) => false,
    };
    for (stretch, next) in over_time.iter().zip(over_time.iter().skip(1).map(Some).chain([None])) {
        let to = stretch.to_ms.unwrap_or(b.s.names.now);
        let ends = match next {
            Some(next) => stretch.to_ms.is_some_and(|to| to == next.from_ms || next.left_out > 0 && to < next.from_ms),
            None => stretch.to_ms.is_none(),
        };
        if !ends || stretch.from_ms >= to || stretch.from_ms < b.s.w.since {
            came.wrong.push(format!("{at}: the stretches are {over_time:?} since {}", b.s.w.since));
        }
        for words in stretch.text.split(", ").flat_map(|part| part.split(" and ")) {
            let Some((_, checks)) = CAUSES.iter().find(|(known, _)| *known == words) else {
                came.wrong.push(format!("{at}: no cause is called {words:?}"));
                continue;
            };
            let within = |at: i64| (stretch.from_ms - round..=to + round).contains(&at);
            let failed = b
                .tape
                .failed
                .iter()
                .any(|f| checks.contains(&f.checked.check) && mine(f.checked.about) && within(f.at));
            // An application that a limit holds back is not tried in every round.
            let held = || {
                let of_activation =
                    |f: &&tape::Failed| f.checked.about.app() == Some(b.s.w.app) && f.checked.check.is_of_activation();
                let last = b.tape.failed.iter().rev().filter(of_activation).find(|f| f.at <= stretch.from_ms + round);
                last.is_some_and(|f| checks.contains(&f.checked.check))
                    || b.tape.held.iter().any(|(app, ..)| *app == b.s.w.app)
                        && checks.contains(&Check::QueueParallelApps)
            };
            let given = |mine: bool| {
                let is_mine = |g: &&tape::Given| (g.app, g.key) == (b.s.w.app, b.s.w.key);
                b.tape.given.iter().any(|g| within(g.at) && is_mine(&g) == mine)
            };
            let counts = |f: &tape::Failed| mine(f.checked.about) && f.checked.check.row().kind != CheckKind::Want;
            let kept = || b.tape.reserved.iter().any(|g| g.app == b.s.w.app && within(g.at));
            // The last record lasts until there is another.
            let lasts = || {
                let last = b.tape.failed.iter().rev().find(|f| counts(f) && f.at <= to + round);
                last.is_some_and(|f| checks.contains(&f.checked.check))
            };
            // Full nodes are skipped without a record: what else would stop it is computed from the state.
            let third = (to - stretch.from_ms) / 3;
            let middle = stretch.from_ms + third..=to - third;
            // A limit that the request in front leaves is recorded for that one.
            let of_limit = |f: &tape::Failed| {
                counts(f) && f.checked.check.row().kind != CheckKind::Place && f.checked.check != Check::LeafHeadroom
            };
            let nothing = || !b.tape.failed.iter().any(|f| of_limit(f) && middle.contains(&f.at));
            // The present cause is computed from the state.
            let named = || {
                let stopped = b.s.why.limits.iter().find(|limit| !limit.passes && !limit.check.is_empty());
                next.is_none() && stopped.is_some_and(|stop| stretch.checks.contains(&stop.check))
            };
            let so = match words {
                "it was served" => given(true),
                "waits for the nodes held for it" => kept(),
                "no node has its label" => {
                    next.is_some() || !b.s.rm().nodes().iter().any(|n| n.in_scheduler && n.partition == b.s.w.partition)
                }
                "no nodes" => {
                    let there = |n: &heddle_core::scheduler::Node| n.in_scheduler && n.partition == b.s.w.partition;
                    failed || held() || next.is_some() || !b.s.rm().nodes().iter().any(there)
                }
                _ if words != "no room" && checks.iter().any(|check| check.row().kind == CheckKind::Limit) => {
                    failed || held() || lasts() || named() || nothing()
                }
                // `why.rs` asks WHY in the middle of the stretch about nodes and the order.
                _ => true,
            };
            if !so {
                came.wrong
                    .push(format!("{at}: {words} from {} to {to} was not recorded: {over_time:?}", stretch.from_ms));
            }
        }
    }
}

/// The limits of an active application; the record of a turn that reached one names at most one.
const LIMITS: [Check; 6] =
    [Check::QueueLimit, Check::UserLimit, Check::Headroom, Check::InDemand, Check::AmShare, Check::MaxShare];

/// The limit that WHY names is the one recorded by the latest turn that reached the request: that check failed when the
/// scheduler is said to have looked, and no later turn on such nodes stopped the request at another limit.
fn named(at: &str, b: &Beside<'_>, _: &mut Book, came: &mut Came) {
    let Some(stop) = b.s.why.limits.iter().find(|l| !l.passes && l.reached) else { return };
    let names = b.s.names;
    let check = Check::ALL.iter().copied().find(|c| c.row().name == stop.check && LIMITS.contains(c));
    let (Some(check), Some((looked, host))) = (check, b.s.why.looked.as_ref()) else { return };
    came.asked += 1;
    let of_offer = |f: &tape::Failed| b.tape.offers.get(f.offer).filter(|o| o.at == f.at);
    let mine = || b.tape.failed.iter().rev().filter(|f| sentences::is_mine(b, f.checked.about));
    let there = mine().any(|f| {
        let here = of_offer(f).is_some_and(|o| names.node(o.node) == host || several(b));
        f.at == *looked && here && f.checked.check == check
    });
    // The scheduler would stop it there now but has not come by: the answer has no time.
    if !there {
        came.wrong.push(format!("{at}: {} of {} was not recorded on {host} at {looked}", stop.name, stop.of));
        return;
    }
    let later = mine().find(|f| {
        let own = of_offer(f).is_some_and(|o| o.partition == b.s.w.partition && !o.lent);
        let limit = LIMITS.contains(&f.checked.check) && f.checked.outcome == Outcome::Failed;
        f.at > *looked && f.at >= b.s.w.since && own && limit && f.checked.check != check
    });
    if let Some(f) = later {
        came.wrong.push(format!("{at}: {} of {looked} is named, and at {} {:?} failed", stop.name, f.at, f.checked));
    }
}

/// With multi-node placement the named node is the proposed one, whichever reported.
fn several(b: &Beside<'_>) -> bool {
    b.s.rm().capacity().is_some_and(|s| s.conf().multi_node.enabled)
}

/// Amounts in a sentence about preemption are in its table, or are those being freed.
fn preemption(at: &str, b: &Beside<'_>, _: &mut Book, came: &mut Came) {
    // Without a round, and under fair shares, there is no such table.
    let Some(p) = b.s.why.preemption.as_ref().filter(|p| p.round_ms.is_some()) else { return };
    if b.s.rm().capacity().is_none() {
        return;
    }
    came.asked += 1;
    let rows = p.conditions.iter().flat_map(|c| std::iter::once(&c.value).chain(&c.formula));
    let table: Vec<String> = rows.cloned().chain(p.freeing.iter().map(|f| f.size.clone())).collect();
    for sentence in [&p.sentence, &p.short] {
        // The size of what was examined is in the round, and in no table.
        let told = sentence.split(", and the smallest container that it looked at").next().unwrap_or_default();
        for amount in amounts(told) {
            let freed: i64 = p
                .freeing
                .iter()
                .filter_map(|f| form::Amount::read(&f.size))
                .flat_map(|a| a.of)
                .filter(|(unit, ..)| unit == "MB")
                .map(|(_, n, _)| n)
                .sum();
            let sum = form::Amount::read(&amount).is_some_and(|a| a.of[0].1 <= freed && freed <= a.of[0].2);
            if !sum && !table.iter().any(|row| row.contains(&amount)) {
                came.wrong.push(format!("{at}: {amount} of {sentence:?} stands nowhere in {table:#?}"));
            }
        }
    }
    let nobody = p.sentence.contains("no other application gives it");
    if nobody && table.iter().any(|row| row.contains("to be taken: ")) {
        came.wrong.push(format!("{at}: {:?} beside {table:#?}", p.sentence));
    }
}

/// A form reads each sentence about preemption, and its check is the one that the view names.
fn preempted(at: &str, b: &Beside<'_>, book: &mut Book, came: &mut Came) {
    let Some(p) = &b.s.why.preemption else { return };
    came.asked += 1;
    match preempted::read(&preempted::Told { b, p }) {
        Ok(forms) => forms.into_iter().for_each(|form| *book.forms.entry(form).or_default() += 1),
        Err(why) => came.wrong.push(format!("{at}: {why}: {:?}", p.sentence)),
    }
}

/// Returns the amounts of memory in a text: "1638 MB", "1.5 GB".
fn amounts(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split([' ', ',', ';', '(', ')']).map(|w| w.trim_end_matches('.')).collect();
    let pairs = words.windows(2).filter(|w| matches!(w[1], "MB" | "GB") && w[0].parse::<f64>().is_ok());
    pairs.map(|w| w.join(" ")).collect()
}

/// Every application behind a limit is in the answer: in what it waits for, or by name in a fact.
fn applications(at: &str, b: &Beside<'_>, _: &mut Book, came: &mut Came) {
    let Some(stop) = b.s.why.limits.iter().find(|l| !l.passes && l.reached) else { return };
    let (rm, names) = (b.s.rm(), b.s.names);
    let Some(app) = b.s.app() else { return };
    let leaf = rm.queues().get(app.queue.index()).and_then(|q| q.leaf.as_deref());
    let active = || leaf.map_or(&[][..], |l| &l.active).iter().filter_map(|id| rm.scheduled(*id));
    let runnable = rm.cluster().apps.iter().filter(|a| a.alive && a.runnable && a.id != app.id);
    let in_way: Vec<&str> = match stop.name.as_str() {
        "AM limit" => active().filter(|a| a.am_partition == app.am_partition).map(|a| names.app(a.id)).collect(),
        "user AM limit" => active()
            .filter(|a| a.am_partition == app.am_partition && a.user == app.user)
            .map(|a| names.app(a.id))
            .collect(),
        "parallel applications" => {
            let of = |a: &&heddle_core::scheduler::App| match rm.queue(&stop.of) {
                Some(queue) => names.path_up(a.queue).any(|q| q == queue),
                None => stop.of == format!("user {}", rm.cluster().user_name(a.user)),
            };
            runnable.filter(of).map(|a| names.app(a.id)).collect()
        }
        _ => return,
    };
    came.asked += 1;
    let told = |name: &str| {
        let waits = b.s.why.waits_for.iter().any(|(_, who, _)| who.app() == Some(name));
        let fact = b.s.why.facts.iter().find(|f| f.name == "applications in the way");
        let list = fact.and_then(|f| form::listed(&f.value));
        waits || list.is_some_and(|(names, _)| names.contains(&name))
    };
    let missing: Vec<&&str> = in_way.iter().filter(|name| !told(name)).collect();
    if !missing.is_empty() {
        came.wrong.push(format!("{at}: {missing:?} stand in the way too: {:?}", b.s.why.waits_for));
    }
}
