//! Answers to WHY: what was recorded when the scheduler last came to the selection, replayed from the nearest checkpoint once
//! for each question.

use super::moment::Moment;
use super::replay::{InsightWork, Replay};
use super::{EXPLAINED_CELLS, Player, ROUND_CELLS, WAITS_TOLD};
use crate::explain::chain::History;
use crate::explain::record::{PassRecord, Record, RecordedOffers, Watch, Watched};
use crate::explain::request::{self, Explained};
use crate::explain::view::{EventOutcome, FactView, Selection, WhyView};
use crate::explain::waiting::Waiting;
use crate::explain::{self, Names, things};
use heddle_core::check::{About, Checked};
use heddle_core::journal::{Change, Entry, Finding, Full, Processing, Silent};
use heddle_core::model::{ContainerId, Millis, NodeId, nearest};
use heddle_core::sim::Simulation;
use std::rc::Rc;

/// What is known at a moment beyond its state.
#[derive(Clone, Debug)]
pub(super) struct Insight {
    at: (u64, Millis),
    pub(super) waiting: Vec<Waiting>,
    pub(super) explained: Vec<Explained>,
    round: RecordedRound,
}

/// What was recorded about some requests and applications in the last round before a moment.
#[derive(Clone, Debug)]
struct RecordedRound {
    watched: Watched,
    entries: Rc<Vec<(Millis, Entry)>>,
}

impl Player {
    /// Returns why a selection is as it is at the present moment.
    pub fn why(&self, about: &Selection) -> WhyView {
        let names = Names::at(&self.cursor, self.clock);
        let insight = self.insight();
        let view = match about {
            Selection::Request { .. } | Selection::Clause { .. } => {
                let waiting = request::find(names, &insight.waiting, about);
                let why = waiting.map(|w| {
                    let round = self.round_of(&insight, Watched::requests([w]));
                    let explained = self.explained(&insight, w);
                    let mut why = request::why(names, &explained, &Record::of(&*round.entries));
                    why.facts.extend(self.meanwhile(w));
                    why.facts.extend(explain::refusal::cut_of(names, w.app, Some(w.key)));
                    why.facts.extend(explain::looks::of_request(&round.entries, w));
                    // The headline has what preemption frees right after what stops the request.
                    self.add_preemption(w, &mut why);
                    self.add_taken(&explained, &mut why);
                    self.add_priority(&explained, &mut why);
                    self.add_default_label(&explained, &mut why);
                    self.add_limit_before(&explained, &mut why);
                    why.over_time = self.over_time(&explained, false);
                    why
                });
                why.or_else(|| self.why_gone(about))
            }
            Selection::Container { app, k } => {
                names.find_app(app).and_then(|id| names.nth(id, *k)).map(|id| self.why_container(id))
            }
            Selection::Node(host) => names.rm().node_by_host(host).map(|id| {
                let entries = self.here().watched(Watch::node(id), self.clock);
                let lines = self.here().lines();
                things::node(names, id, &entries, lines.map(|l| (l.first, &l.entry)))
            }),
            Selection::Queue(path) => names.rm().queue(path).map(|id| {
                let here = names.rm().cluster().apps.iter().filter(|a| a.alive && a.queue == id);
                let here = here.map(|a| a.id).take(ROUND_CELLS / names.rm().nodes().len().max(1));
                let mine = self.mine(&insight, about);
                let round = self.round_of(&insight, Watched::requests(mine.iter().copied()).and(here));
                let waits = self.explained_in(&insight, &round, &mine);
                let lines = self.here().lines();
                let lines = lines.map(|l| (l.first, &l.entry));
                let mut why = things::queue(names, id, &Record::of(&*round.entries), &waits, lines);
                why.facts.extend(explain::looks::of_queue(names, &round.entries, id));
                self.tell_preemption(&mine, &mut why);
                why
            }),
            Selection::App(name) => names.find_app(name).map(|id| {
                let mine = self.mine(&insight, about);
                let round = self.round_of(&insight, Watched::requests(mine.iter().copied()).and([id]));
                let waits = self.explained_in(&insight, &round, &mine);
                let lines = self.here().lines();
                let lines = lines.map(|l| (l.first, &l.entry));
                let all: Vec<&Waiting> = insight.waiting.iter().filter(|w| w.app == id).collect();
                let told = things::Waits { explained: &waits, all: &all };
                let mut why = things::app(names, id, &Record::of(&*round.entries), &told, lines);
                self.tell_preemption(&mine, &mut why);
                if let Some(first) = waits.first() {
                    self.add_taken(first, &mut why);
                    self.add_priority(first, &mut why);
                    self.add_default_label(first, &mut why);
                    self.add_limit_before(first, &mut why);
                    why.over_time = self.over_time(first, true);
                }
                why
            }),
            Selection::User(name) => {
                let mine = self.mine(&insight, about);
                let round = self.round_of(&insight, Watched::requests(mine.iter().copied()));
                Some(things::user(names, name, &self.explained_in(&insight, &round, &mine)))
            }
            Selection::Landing { user, groups, queue, application } => {
                Some(explain::landing::why(names, user, groups, queue, application))
            }
            Selection::Refresh(_) => None,
        };
        let mut view = view.unwrap_or_else(|| explain::absent::why(names, about));
        let app = about.app().and_then(|name| names.find_app(name));
        for unheeded in app.map_or(Vec::new(), |app| explain::unheeded::of_app(names, app)) {
            view.sentence = explain::say::then(&view.sentence, &unheeded);
        }
        view.about = Some(about.clone());
        view
    }

    /// Returns all names of the selection's kind, if the scenario never has the selected one as far as the run is known.
    pub fn unknown(&self, about: &Selection) -> Option<Vec<String>> {
        explain::absent::unknown(Names::new(&self.track.front), about)
    }

    /// Returns the sentence about something that the scenario never has; `None` if it has it now or at another time.
    pub fn not_there(&self, about: &Selection) -> Option<String> {
        let said = about.to_string();
        let front = Names::new(&self.track.front);
        if let Selection::Container { app, k } = about
            && let Some(id) = front.find_app(app)
            && front.nth(id, *k).is_none()
        {
            let has = (0..*k).take_while(|k| front.nth(id, *k).is_some()).count();
            return Some(explain::say::runs::no_such_container(&said, has));
        }
        if let Some(had) = self.requests_had(about) {
            return (!had).then(|| explain::say::runs::no_such_request(&said));
        }
        let names = self.unknown(about)?;
        let name = about.app().or_else(|| said.split_once(':').map(|(_, name)| name)).unwrap_or_default();
        Some(explain::say::runs::none_of_this_name(&said, nearest(name, names.iter().map(String::as_str))))
    }

    /// Returns whether a request of a submitted application waits now or is in the record, as far as that goes; `None` if
    /// `about` is no such request.
    fn requests_had(&self, about: &Selection) -> Option<bool> {
        let (Selection::Request { app, .. } | Selection::Clause { app, .. }) = about else { return None };
        let names = Names::new(&self.track.front);
        names.find_app(app)?;
        let recorded = || self.track.log().lines.iter().any(|l| explain::events::concerns(names, &l.entry, about));
        let waits = || request::find(Names::new(&self.cursor), &self.insight().waiting, about).is_some();
        Some(waits() || recorded())
    }

    /// Returns the waiting requests of a selection, up to the number that is explained.
    fn mine<'i>(&self, insight: &'i Insight, about: &Selection) -> Vec<&'i Waiting> {
        let names = Names::at(&self.cursor, self.clock);
        insight.waiting.iter().filter(|w| things::belongs(names, w, about)).take(WAITS_TOLD).collect()
    }

    /// Returns the waiting requests of a selection, explained.
    pub(super) fn explained_of(&self, about: &Selection) -> Vec<Explained> {
        let insight = self.insight();
        let mine = self.mine(&insight, about);
        let round = self.round_of(&insight, Watched::requests(mine.iter().copied()));
        self.explained_in(&insight, &round, &mine)
    }

    /// Returns who got containers while a request waits for a node that is reserved for it.
    fn meanwhile(&self, w: &Waiting) -> Option<FactView> {
        let app = self.cursor.rm().scheduled(w.app)?;
        let asks = app.asks.at(app.asks.find(w.key)?);
        if asks.reserved.is_empty() {
            return None;
        }
        let lines = self.here().lines().filter(|l| l.first >= w.since);
        let placed = lines.filter_map(|l| match &l.entry {
            Entry::Changed(Change::Allocated { container, node, .. }) if container.app != w.app => {
                Some((container.app, *node))
            }
            _ => None,
        });
        explain::looks::meanwhile(Names::at(&self.cursor, self.clock), placed)
    }

    /// Explains a request that waits no longer: rejected by the placement processor, or placed.
    fn why_gone(&self, about: &Selection) -> Option<WhyView> {
        let names = Names::new(&self.cursor);
        let lines = self.here().lines().rev();
        let mut mine = lines.filter(|l| explain::events::concerns(names, &l.entry, about));
        let line = mine.find(|l| {
            matches!(l.entry, Entry::Processed(Processing::Rejected { .. }) | Entry::Changed(Change::Allocated { .. }))
        })?;
        if let Entry::Changed(Change::Allocated { container, .. }) = &line.entry {
            return Some(self.why_container(*container));
        }
        let said = explain::events::event(names, line.first, line.last, line.times, &line.entry)?;
        Some(WhyView {
            title: names.selection(about),
            status: explain::say::refused::rejected_at(&explain::words::clock(line.last)),
            fate: Some(EventOutcome::Rejected),
            sentence: said.why,
            yarn: vec![(said.yarn, 0)],
            sources: vec!["PlacementConstraintProcessor".to_string()],
            ..WhyView::default()
        })
    }

    fn why_container(&self, id: ContainerId) -> WhyView {
        let mut why = self.why_placed(id);
        self.add_preemption_of(id, &mut why);
        why
    }

    fn why_placed(&self, id: ContainerId) -> WhyView {
        let names = Names::at(&self.cursor, self.clock);
        let placed = self.here().lines().find_map(|l| match &l.entry {
            Entry::Changed(Change::Allocated { container, key, .. }) if *container == id => {
                Some((l.event, l.first, *key))
            }
            _ => None,
        });
        let Some((event, at, key)) = placed else { return things::container(names, id, None) };
        let mut sim = self.state_before(event);
        let before_it = sim.clone();
        let names_before = Names::new(&before_it);
        let asked = explain::waiting::waiting(&before_it).into_iter().find(|w| w.app == id.app && w.key == key);
        let asked =
            asked.map(|w| request::explain(names_before, &w, Vec::new(), &Record::default(), History::default()));
        let mut full = Full::default();
        sim.step_for(&mut full);
        let before = self.here().lines().filter(|l| l.event < event).filter_map(|l| match &l.entry {
            Entry::Found(Finding::Checked(checked)) => match checked.about {
                About::OnNode(app, k, node) if (app, k) == (id.app, key) => Some((node, checked.clone())),
                _ => None,
            },
            _ => None,
        });
        let before: Vec<(NodeId, Checked)> = before.collect();
        let placing =
            things::Placing { at, entries: &full.entries, before: &before, asked: asked.as_ref(), names: names_before };
        let mut why = things::container(names, id, Some(placing));
        why.facts.extend(explain::refusal::cut_of(names, id.app, Some(key)));
        why
    }

    // ---- insight

    /// Returns what is known at the present moment beyond its state, if that has been worked out.
    pub(super) fn seen(&self) -> Option<Rc<Insight>> {
        self.insight.borrow().as_ref().filter(|i| i.at == (self.at, self.clock)).cloned()
    }

    /// Returns how many of the waiting requests are explained at each moment.
    pub(super) fn explained_first(&self, waiting: usize) -> usize {
        let size = self.cursor.rm().nodes().len().max(1);
        waiting.min((EXPLAINED_CELLS / size).clamp(3, 64))
    }

    /// Works out what is known at the present moment, from its last round.
    pub(super) fn see(&self, looking: InsightWork) -> Rc<Insight> {
        let InsightWork { at, waiting, first, replay } = looking;
        let (here, first) = (self.here(), &waiting[..first]);
        let entries = Rc::new(replay.map_or(Vec::new(), Replay::entries));
        let round = RecordedRound { watched: Watched::requests(first), entries };
        let rounds = RecordedOffers::of(&round.entries);
        let mut looks: Vec<Vec<PassRecord>> = first.iter().map(|w| here.looks_in(&rounds, w)).collect();
        // The headline is about the first request.
        if let (Some(w), Some(looks)) = (first.first(), looks.first_mut()) {
            here.add_earlier(&mut [(w, looks)]);
        }
        let record = Record::of(&*round.entries);
        let explained = first.iter().zip(looks).map(|(w, looks)| here.explain(w, looks, &record)).collect();
        let insight = Rc::new(Insight { at, waiting, explained, round });
        *self.insight.borrow_mut() = Some(insight.clone());
        insight
    }

    /// Explains a waiting request by the latest look at it, however long ago that was.
    pub(super) fn explained(&self, insight: &Insight, w: &Waiting) -> Explained {
        let round = self.round_of(insight, Watched::requests([w]));
        self.explained_in(insight, &round, &[w])
            .pop()
            .unwrap_or_else(|| self.here().explain(w, Vec::new(), &Record::default()))
    }

    /// Explains waiting requests, whose last round has been replayed.
    fn explained_in(&self, insight: &Insight, round: &RecordedRound, waiting: &[&Waiting]) -> Vec<Explained> {
        let here = self.here();
        let known = |w: &Waiting| {
            insight.explained.iter().find(|e| e.waiting == *w).filter(|e| e.chain.looked.is_some()).cloned()
        };
        let known: Vec<Option<Explained>> = waiting.iter().map(|w| known(w)).collect();
        let rounds = RecordedOffers::of(&round.entries);
        let unknown = waiting.iter().zip(&known).filter(|(_, known)| known.is_none()).map(|(w, _)| *w);
        let mut looks: Vec<(&Waiting, Vec<PassRecord>)> = unknown.map(|w| (w, here.looks_in(&rounds, w))).collect();
        let mut all: Vec<(&Waiting, &mut Vec<PassRecord>)> = looks.iter_mut().map(|(w, looks)| (*w, looks)).collect();
        here.add_earlier(&mut all);
        let record = Record::of(&*round.entries);
        let mut worked_out = looks.into_iter().map(|(w, looks)| here.explain(w, looks, &record));
        known.into_iter().filter_map(|known| known.or_else(|| worked_out.next())).collect()
    }

    // ---- replays

    /// Returns what was recorded about `watched` in the last round; takes the insight's round if that has all of them.
    fn round_of(&self, insight: &Insight, watched: Watched) -> RecordedRound {
        if watched.is_in(&insight.round.watched) { insight.round.clone() } else { self.replayed(watched) }
    }

    fn replayed(&self, watched: Watched) -> RecordedRound {
        let entries = Rc::new(self.here().watched(Watch::of(watched.clone()), self.clock));
        RecordedRound { watched, entries }
    }

    /// Returns the simulation after `event` events.
    pub(super) fn state_before(&self, event: u64) -> Simulation {
        let (at, checkpoint) = self.track.before_event(event);
        let (mut at, mut sim) = (*at, checkpoint.clone());
        while at < event && sim.step_for(&mut Silent).is_some() {
            at += 1;
        }
        sim
    }

    /// The length of a round, in which every node is offered once.
    pub fn round(&self) -> Millis {
        self.here().round()
    }

    /// The present moment.
    pub(super) fn here(&self) -> Moment<'_> {
        Moment { track: &self.track, sim: &self.cursor, at: self.at, clock: self.clock }
    }
}
