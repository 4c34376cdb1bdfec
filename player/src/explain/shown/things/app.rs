//! What is known about an application.

use super::losses::{self, by_smaller_nodes};
use super::{fact, formula, size};
use crate::apps::told_of;
use crate::explain::away::{AbsenceKind, away};
use crate::explain::landing;
use crate::explain::names::Names;
use crate::explain::orders::{OrderScope, orders};
use crate::explain::preempted::victim;
use crate::explain::record::Record;
use crate::explain::refusal;
use crate::explain::request::{Explained, asked_size};
use crate::explain::say::{events, full_stop, then, things as say};
use crate::explain::stop::StoppedBy;
use crate::explain::taken::{Priority, lower_priority};
use crate::explain::verdicts;
use crate::explain::view::{EventOutcome, FactView, Selection, WhyView};
use crate::explain::waiting::Waiting;
use crate::explain::waits::wants;
use crate::explain::words;
use heddle_core::check::{About, Check};
use heddle_core::journal::{Change, Entry};
use heddle_core::model::{AppId, Millis, Resource};
use heddle_core::rm::texts::end_of_container;
use heddle_core::rm::{AppState, RmApp};
use heddle_core::scheduler::app::EndCause;
use heddle_core::scheduler::{Container, ContainerState, NodeState, Scheduler};
use heddle_core::sim::Tried;

/// The number of sentences about what an application lacks that its answer has; the others are facts.
const LACKS_TOLD: usize = 3;

/// The waiting requests of an application.
#[derive(Clone, Copy)]
pub struct Waits<'w> {
    /// The explained ones, in the order in which they are shown.
    pub explained: &'w [Explained],
    /// All of them.
    pub all: &'w [&'w Waiting],
}

/// Returns the answer for an application.
pub fn app<'e>(
    names: Names<'_>,
    id: AppId,
    record: &Record,
    waits: &Waits<'_>,
    lines: impl Iterator<Item = (Millis, &'e Entry)> + Clone,
) -> WhyView {
    let Waits { explained: waits, all } = *waits;
    // Requests that nobody needs any more come last.
    let (waits, left_over) = waits.split_at(waits.iter().take_while(|e| !e.waiting.left_over).count());
    let rm = names.rm();
    let name = names.app(id).to_string();
    let (Some(known), Some(sched)) = (rm.app(id), rm.scheduled(id)) else { return WhyView::default() };
    let thrown = thrown(names, id, lines.clone()).filter(|_| !known.state.is_final());
    let there = rm.containers_of(id).filter(|c| !c.am && c.state != ContainerState::Reserved).count() as i64;
    let progress = names.run(id).map(|r| r.progress()).unwrap_or_default();
    let succeeded = names.run(id).and_then(|r| r.succeeded);
    let mut view = WhyView {
        about: Some(Selection::App(name.clone())),
        title: name.clone(),
        status: state_text(known.state, succeeded),
        crumb: say::crumb_of_app(&known.queue, &known.submission.user),
        ..WhyView::default()
    };
    let told = refusal::of_app(names, &name);
    if let Some(told) = told.as_ref().filter(|_| known.rejected().is_some()) {
        return WhyView { status: view.status, ..refusal::why(names, told) };
    }
    view.sentence = match known.state {
        AppState::Finished if succeeded == Some(false) => {
            view.fate = Some(EventOutcome::Rejected);
            let took = known.finished_at.map_or(0, |at| at - known.submitted_at);
            let why = refusal::end(names, id).unwrap_or_default();
            say::app_failed(&name, &words::span(took), &why, progress.done)
        }
        AppState::Finished | AppState::Finishing => {
            let took = known.finished_at.map(|at| words::span(at - known.submitted_at));
            view.fate = Some(EventOutcome::Finished);
            say::app_done(&name, took.as_deref(), progress.done)
        }
        AppState::Failed | AppState::Killed => {
            view.fate = Some(EventOutcome::Rejected);
            let over = say::app_over(&name, &refusal::end(names, id).unwrap_or_default());
            match never_active(names, id, lines.clone()) {
                Some(why) => crate::explain::say::then(&over, &why),
                None => over,
            }
        }
        _ if thrown.is_some() => {
            view.fate = Some(EventOutcome::Rejected);
            thrown.clone().unwrap_or_default()
        }
        _ => match waits.first() {
            Some(first) if first.waiting.am => {
                view.fate = Some(EventOutcome::Waiting);
                let span = words::span(names.now - first.waiting.since);
                say::app_waits_for_am(&name, &span, &first.because)
            }
            Some(first) => {
                view.fate = Some(EventOutcome::Waiting);
                // Others have other places, and wait for something else.
                let elsewhere =
                    |w: &&&Waiting| (w.places != first.waiting.places) || w.partition != first.waiting.partition;
                let wanted: Vec<&Waiting> = all.iter().copied().filter(|w| !w.left_over).collect();
                let part = wanted.iter().any(|w| elsewhere(&w)).then_some(first.waiting.count);
                let told = say::app_runs_and_waits(&name, there, &by_size(names, &wanted), part, &first.because);
                let own = first.chain.stop.as_ref().is_some_and(|stop| stop.by.is(Check::Headroom));
                let behind =
                    |e: &&Explained| e.chain.stop.as_ref().is_some_and(|stop| stop.by == StoppedBy::OwnRequest);
                let behind: i64 = { waits.iter().skip(1) }.filter(behind).map(|e| e.waiting.count).sum();
                if own && behind > 0 { then(&told, &say::stand_behind(behind)) } else { told }
            }
            None if matches!(told.as_ref().map(|t| &t.tried), Some(Tried::Registration(_))) => {
                say::am_cannot_register(&name)
            }
            None if known.state == AppState::Accepted && rm.containers_of(id).any(|c| c.am) => say::am_starts(&name),
            None if known.state == AppState::Accepted && known.submission.am.is_none() => say::am_unmanaged(&name),
            None if known.state == AppState::Accepted => say::am_to_come(&name),
            None => {
                view.fate = Some(EventOutcome::Placed);
                say::app_runs(&name, there)
            }
        },
    };
    if matches!(view.fate, Some(EventOutcome::Placed | EventOutcome::Waiting)) {
        on_leaving_nodes(names, id).iter().for_each(|told| view.sentence = then(&view.sentence, told));
        let lost = waits.first().filter(|first| !first.waiting.am);
        let lost = lost.map_or_else(Vec::new, |_| losses::since_the_last_grant(names, id, lines.clone()));
        let smaller = by_smaller_nodes(names, losses::ShrinkSubject::App(id), lines.clone());
        let waits_for = waits.first().and_then(|first| first.chain.stop.as_ref()?.by.checked());
        let full = waits_for.filter(|checked| checked.check == Check::QueueLimit).and_then(|checked| checked.queue());
        let moved = full.and_then(|queue| losses::moved_beyond_maximum(names, queue, lines.clone()));
        let with_master = waits.first().and_then(|_| losses::with_its_master(names, id, lines.clone()));
        lost.iter()
            .chain(&smaller)
            .chain(&with_master)
            .chain(&moved)
            .for_each(|told| view.sentence = then(&view.sentence, told));
    }
    if view.fate == Some(EventOutcome::Waiting) && !waits.is_empty() {
        let s = &known.submission;
        view.sentence.push_str(&landing::sentence(names, &known.choice, (&s.user, &s.queue)));
    }
    if matches!(view.fate, Some(EventOutcome::Placed | EventOutcome::Waiting)) {
        // A refused move is mentioned even if the application has all it wants.
        if let Some((queue, at, why)) = refusal::move_of(names, &name) {
            let told = say::move_refused(queue, &words::clock(at), why.trim_end_matches('.'));
            view.sentence = then(&view.sentence, &told);
        }
    }
    for of in left_over {
        view.sentence = then(&view.sentence, &of.sentence);
    }
    let headroom = match rm.scheduler() {
        Scheduler::Capacity(_) => &say::HEADROOM_TOLD[..],
        Scheduler::Fair(_) => &say::HEADROOM_OF_FAIR,
        Scheduler::Fifo(_) => &say::HEADROOM_OF_FIFO,
    };
    view.facts = vec![
        fact("used", size(names, sched.used_total())),
        fact("asked for so far", progress.asked.to_string()),
        fact("running", there.to_string()),
        fact("done", progress.done.to_string()),
        fact("failed", progress.failed.to_string()),
        fact("rejected", progress.rejected.to_string()),
        formula(
            "headroom told to its AM",
            size(names, names.run(id).map(|r| r.headroom).unwrap_or_default()),
            headroom.iter().map(|part| part.to_string()).collect(),
        ),
        fact("submitted", words::clock(known.submitted_at)),
        fact("priority", priority(names, sched)),
        fact("attempt", say::attempt(sched.attempt, known.max_attempts, known.submission.failures_window)),
    ];
    if let Some((w, asked)) = waits.iter().find_map(|e| Some((&e.waiting, asked_size(names, &e.waiting)?))) {
        let step = words::memory(rm.cluster().minimum.memory_mb());
        let [from, to] = [asked, w.size.memory_mb()].map(words::exactly);
        view.facts.push(fact("size of a container", say::asked_and_rounded_up(&from, &to, &step)));
    }
    view.facts.extend(landing::of_app(names, known, lines.clone()));
    view.facts.extend(submission(names, known));
    view.facts.extend(toll(names, id));
    let ended = ended(id, lines.clone());
    view.facts.extend(life(names, id, known.state, lines.clone()));
    view.facts.extend(refusal::cut_of(names, id, None));
    let kind = told_of(names, id);
    // What waits has not been requested from YARN. Processes that end again and again are the root cause.
    let mut lacking = wants::sentences(names, id);
    // Requests that YARN has not received yet are mentioned too.
    if lacking.is_empty() && waits.is_empty() {
        lacking.extend(kind.soon(names, id));
    }
    lacking.extend(kind.put_aside(names, id).into_iter().filter(|_| waits.is_empty()));
    if !lacking.is_empty() {
        let has =
            || on_leaving_nodes(names, id).iter().fold(say::app_has(&name, there), |told, more| then(&told, more));
        let runs = if view.fate == Some(EventOutcome::Placed) { has() } else { view.sentence.clone() };
        view.fate = Some(EventOutcome::Waiting);
        view.sentence = lacking.iter().take(LACKS_TOLD).fold(runs, |told, sentence| then(&told, sentence));
    }
    // The refusal is the reason why they wait, so it comes first.
    let is_cause = || waits.is_empty() && !known.state.is_final() && kind.lacks_what_was_refused(names, id);
    let cause = told.as_ref().filter(|_| is_cause());
    if let Some(told) = cause {
        view.sentence = then(&full_stop(&told.sentence(names)), &view.sentence);
    }
    lost_to_preemption(names, id, &mut view, lines.clone());
    let find = |key| waits.iter().find(|e| e.waiting.key == key && !e.waiting.am);
    view.facts.extend(kind.facts(names, id, &find));
    if let Some(first) = waits.first() {
        view.limits.clone_from(&first.chain.limits);
        view.waits_for = crate::explain::request::holders(names, first);
        if let Some(table) = &first.table {
            view.buckets = table.buckets(names);
            view.matrix = table.matrix(names);
        }
    }
    let words = if known.state == AppState::Accepted { rm.am_diagnostics(id) } else { known.diagnostics.clone() };
    if !words.trim().is_empty() {
        view.yarn.push((words, 0));
    } else if thrown.is_some() {
        view.facts.push(fact("YARN's diagnostics", "empty"));
    } else if known.state == AppState::Accepted && rm.scheduled(id).is_some_and(|a| !a.runnable) {
        view.facts.push(fact("YARN's diagnostics", say::DIAGNOSTICS_EMPTY));
    }
    view.yarn.extend(ended);
    for said in waits.first().into_iter().flat_map(|first| crate::explain::request::yarn(names, first)) {
        if view.yarn.iter().all(|(words, _)| *words != said.0) {
            view.yarn.push(said);
        }
    }
    if let Some(told) = &told {
        refused(names, (told, cause.is_some()), (&name, known.state, there), &mut view);
    }
    // The rejections say that the scheduler refused, but not by which limit.
    if let Some(refused) = losses::last_refused_commit(names, id, lines).filter(|_| told.is_some()) {
        view.sentence = then(&view.sentence, &refused);
    }
    view.orders = orders(names, record, OrderScope::App(id));
    for arrow in crate::explain::request::nested(names, id) {
        if !view.waits_for.contains(&arrow) {
            view.waits_for.push(arrow);
        }
    }
    view
}

/// Adds what preemption takes of an application to its answer: the main point if nothing of it waits.
fn lost_to_preemption<'e>(
    names: Names<'_>,
    id: AppId,
    view: &mut WhyView,
    lines: impl Iterator<Item = (Millis, &'e Entry)> + Clone,
) {
    if names.rm().app(id).is_none_or(|app| app.state.is_final()) {
        return;
    }
    let (mut before, mut behind) = (Vec::new(), Vec::new());
    before.extend(victim::of_masters(names, &[id], lines.clone()));
    match view.fate {
        Some(EventOutcome::Placed) => before.extend(victim::of_app(names, id, lines)),
        _ => behind = victim::of_app_that_waits(names, id),
    }
    let sentences = before.iter().chain([&view.sentence]).chain(&behind).filter(|told| !told.is_empty());
    view.sentence = sentences.map(String::as_str).collect::<Vec<_>>().join(" ");
}

/// Returns YARN's words for how containers ended that YARN took or missed.
fn ended<'e>(id: AppId, lines: impl Iterator<Item = (Millis, &'e Entry)>) -> Vec<(String, usize)> {
    let mut out: Vec<(String, usize)> = Vec::new();
    for (_, entry) in lines {
        let Entry::Changed(Change::Completed { container, why, .. }) = entry else { continue };
        if container.app != id || matches!(why, EndCause::Completed | EndCause::AppOver) {
            continue;
        }
        let words = end_of_container(*why);
        if !out.iter().any(|(known, _)| known == words) {
            out.push((words.to_string(), 0));
        }
    }
    out
}

/// Returns that YARN's scheduler threw an exception at the application, which is nowhere since.
fn thrown<'e>(names: Names<'_>, id: AppId, lines: impl Iterator<Item = (Millis, &'e Entry)>) -> Option<String> {
    let of_it = lines.filter_map(|(_, entry)| match entry {
        Entry::Changed(change @ (Change::NotRunnable { app, .. } | Change::Unanswered { app }))
        | Entry::Changed(change @ (Change::AttemptAdded { app, .. } | Change::Moved { app, .. }))
            if *app == id =>
        {
            Some(change)
        }
        _ => None,
    });
    match of_it.last()? {
        Change::NotRunnable { why, .. } if why.check == Check::UserParallelLimitReadable => {
            let About::User(user) = why.about else { return None };
            Some(events::no_number_here(names.rm().cluster().user_name(user)))
        }
        Change::Unanswered { .. } => Some(events::unanswered_here()),
        _ => None,
    }
}

/// Returns what kept an application that is over from ever being activated.
fn never_active<'e>(names: Names<'_>, id: AppId, lines: impl Iterator<Item = (Millis, &'e Entry)>) -> Option<String> {
    let mut why = None;
    for (_, entry) in lines {
        match entry {
            Entry::Changed(Change::Activated { app, .. }) if *app == id => return None,
            Entry::Changed(Change::NotActivated { app, why: failure }) if *app == id => why = Some(failure),
            _ => {}
        }
    }
    why.map(|failure| say::never_active(verdicts::failure(names, failure, About::App(id)).trim_end_matches('.')))
}

/// Returns what preemption has cost it, if anything.
fn toll(names: Names<'_>, id: AppId) -> Vec<FactView> {
    let Some(run) = names.run(id).filter(|run| !run.toll.is_nothing()) else { return Vec::new() };
    let (toll, progress) = (run.toll, run.progress());
    let work = |r: Resource| say::work(r.memory_mb() / 1000, r.vcores() / 1000);
    let mut out = vec![fact("preempted", say::preempted(toll.killed, toll.masters))];
    if toll.given_back > 0 {
        out.push(fact("stopped by its AM when asked back", toll.given_back.to_string()));
    }
    out.push(fact("work lost to preemption", work(toll.lost)));
    if !toll.saved.is_zero() {
        out.push(fact("work that is kept", work(toll.saved)));
    }
    out.push(fact("tasks begun again", progress.begun_again.to_string()));
    if progress.resumed > 0 {
        out.push(fact("tasks resumed", progress.resumed.to_string()));
    }
    out
}

/// Adds what was refused of an accepted application: its registration, a call, a request.
fn refused(
    names: Names<'_>,
    (told, is_said): (&refusal::RefusalNotice<'_>, bool),
    (name, state, there): (&str, AppState, i64),
    view: &mut WhyView,
) {
    // What waits comes before the refusal; that all is well does not.
    if view.fate != Some(EventOutcome::Waiting) {
        view.fate = Some(EventOutcome::Rejected);
    }
    if !state.is_final() && !is_said {
        if view.fate == Some(EventOutcome::Rejected) && there == 0 && matches!(told.tried, Tried::Call(_)) {
            // It has nothing of what was refused: this is what it lacks.
            view.sentence = then(&full_stop(&told.sentence(names)), &say::app_has(name, 0));
        } else {
            view.sentence.push_str(&say::also(&told.sentence(names)));
        }
    }
    refusal::add(names, told, view);
}

/// Returns YARN's name of an application's state, with the final status if that says more.
pub fn state_text(state: AppState, succeeded: Option<bool>) -> String {
    let failed = matches!(state, AppState::Finished | AppState::Finishing) && succeeded == Some(false);
    if failed { say::final_status_failed(state.text()) } else { state.text().to_string() }
}

/// Returns the states that an application went through, finer than YARN's, and how long it was in each.
fn life<'e>(
    names: Names<'_>,
    id: AppId,
    state: AppState,
    lines: impl Iterator<Item = (Millis, &'e Entry)>,
) -> Vec<FactView> {
    let mut steps: Vec<(Millis, &str)> = Vec::new();
    // An unmanaged AM runs elsewhere and waits for no container.
    let unmanaged = names.rm().app(id).is_some_and(|known| known.submission.am.is_none());
    let (mut am_placed, mut present) = (false, None);
    for (at, entry) in lines {
        // A moved attempt is added to a leaf again; with its AM in place, it keeps its state.
        let moves = (am_placed && !unmanaged)
            && match entry {
                Entry::Changed(Change::AttemptAdded { app, attempt }) => *app == id && present == Some(*attempt),
                Entry::Changed(Change::Activated { app, .. } | Change::NotRunnable { app, .. }) => *app == id,
                _ => false,
            };
        if moves {
            continue;
        }
        let next = match entry {
            Entry::Changed(Change::Unanswered { app }) if *app == id => say::NOT_ADDED,
            Entry::Changed(Change::NotRunnable { app, why }) if *app == id => {
                let readable = why.check != Check::UserParallelLimitReadable;
                if readable { say::HELD_BACK } else { say::NOT_ADDED }
            }
            Entry::Changed(Change::AttemptAdded { app, attempt }) if *app == id => {
                (am_placed, present) = (unmanaged, Some(*attempt));
                say::ADDED
            }
            Entry::Changed(Change::Activated { app, .. }) if *app == id && unmanaged => say::ACTIVATED_UNMANAGED,
            Entry::Changed(Change::Activated { app, .. }) if *app == id => say::ACTIVATED,
            Entry::Changed(Change::Allocated { container, .. }) if container.app == id && !am_placed => {
                am_placed = true;
                say::AM_PLACED
            }
            Entry::Changed(Change::Allocated { container, .. }) if container.app == id => say::GETS_CONTAINERS,
            Entry::Changed(Change::AppEnded { app }) if *app == id => state.text(),
            _ => continue,
        };
        if steps.last().is_none_or(|(_, last)| *last != next) {
            steps.push((at, next));
        }
    }
    // The FairScheduler's record does not say when a limit of running applications lets an application go.
    let runnable = names.rm().scheduled(id).is_some_and(|app| app.runnable);
    if let Some((_, what)) = steps.last_mut().filter(|(_, what)| *what == say::HELD_BACK && runnable) {
        *what = say::HELD_BACK_BEFORE;
    }
    let ends = steps.iter().skip(1).map(|(at, _)| *at).chain([names.now]);
    let rows = steps.iter().zip(ends).map(|((at, what), end)| match end - at {
        _ if *what == say::HELD_BACK_BEFORE => fact(&words::clock(*at), *what),
        0 => fact(&words::clock(*at), *what),
        _ if *what == state.text() => fact(&words::clock(*at), *what),
        took => fact(&words::clock(*at), say::state_for(what, &words::span(took))),
    });
    rows.collect()
}

/// Returns how an application was submitted, with its priority; nothing before the submission.
pub(crate) fn submitted(names: Names<'_>, app: &str) -> Vec<FactView> {
    let known = names.find_app(app).and_then(|id| names.rm().app(id));
    let priority = known.and_then(|known| known.submission.priority);
    let priority = priority.map(|priority| fact("priority asked for", priority.to_string()));
    known.map_or_else(Vec::new, |known| submission(names, known)).into_iter().chain(priority).collect()
}

/// Returns the parts of the submission that decide where the application goes and how long it lives.
fn submission(names: Names<'_>, known: &RmApp) -> Vec<FactView> {
    let s = &known.submission;
    let am = s.am.as_ref().map(|am| fact("AM asks for", size(names, am.size)));
    let label = s.label.as_deref().filter(|label| !label.is_empty());
    let label = label.map(|label| formula("label", label.to_string(), vec![say::LABEL_OF_ALL.to_string()]));
    am.into_iter().chain(label).collect()
}

/// Returns the number of waiting containers by size, the longest wait first.
fn by_size(names: Names<'_>, waits: &[&Waiting]) -> Vec<(i64, String)> {
    let mut out: Vec<(i64, Resource)> = Vec::new();
    for w in waits {
        match out.iter_mut().find(|(_, known)| *known == w.size) {
            Some((count, _)) => *count += w.count,
            None => out.push((w.count, w.size)),
        }
    }
    out.into_iter().map(|(count, of)| (count, size(names, of))).collect()
}

/// Returns its priority, and the requested one if that is higher.
fn priority(names: Names<'_>, app: &heddle_core::scheduler::App) -> String {
    match lower_priority(names, app.id) {
        Some(Priority::Cut { asked, most }) => say::priority_lowered(most, asked),
        Some(Priority::Unknown { asked, scheduler }) => say::priority_not_known(asked, scheduler),
        None => app.priority.to_string(),
    }
}

/// Returns a sentence for each node that is silent, while YARN still counts the application's containers there, or that is
/// leaving.
fn on_leaving_nodes(names: Names<'_>, app: AppId) -> Vec<String> {
    let rm = names.rm();
    let told = rm.cluster().nodes.iter().filter(|node| node.in_scheduler).filter_map(|node| {
        let lives = |c: &&Container| c.id.app == app && !c.am && c.state != ContainerState::Reserved;
        let there = rm.containers_on(node.id).filter(lives).count() as i64;
        let away = away(names, node)?;
        match away.how {
            AbsenceKind::Silent => (there > 0).then(|| say::counted_on(there, &node.host, &away.has())),
            AbsenceKind::State(NodeState::Decommissioning) if away.until.is_some() => {
                let mut masters = rm.containers_on(node.id).filter(|c| c.id.app == app && c.am);
                if masters.any(|am| am.state == ContainerState::Running) {
                    return Some(say::master_leaves_with(&node.host, &away.has()));
                }
                (there > 0).then(|| say::leaves_with(there, &node.host, &away.has()))
            }
            AbsenceKind::State(_) => None,
        }
    });
    told.collect()
}
