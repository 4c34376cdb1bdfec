//! One run of a changed scenario, or of the scenario itself: who was given what when, who was refused, and what kept the
//! request from more. It is played in slices.

use super::holds::{Noted, of_change, of_finding};
use crate::apps::help::helped_at;
use crate::apps::{Put, own};
use crate::explain::names::asks_for_the_same;
use crate::explain::waits::of_check::Hold;
use crate::explain::{Names, wants};
use heddle_core::journal::{Alike, Change, Entry, Found, Processing, Recorder};
use heddle_core::model::{AppId, ContainerId, EndCause, Millis, NodeId, RequestKey};
use heddle_core::rm::AppState;
use heddle_core::scenario;
use heddle_core::scheduler::ContainerState;
use heddle_core::sim::{Ended, Simulation};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// An ApplicationMaster that lives fetches what it is given within this.
const FETCHED_MS: Millis = 60_000;

/// A container that an application was given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Given {
    pub at: Millis,
    pub key: RequestKey,
    pub am: bool,
    /// When it was lost: taken back by preemption, gone with its node or its attempt, or its process failed. What is wanted
    /// still is asked for anew, and that counts by itself.
    pub lost_at: Option<Millis>,
    /// Whether its node has fallen silent by the end of the run: it is gone, though YARN counts it as there.
    pub silent: bool,
}

impl Given {
    /// Was it given by a time, and not lost by another?
    pub fn kept(&self, given_by: Millis, kept_to: Millis) -> bool {
        self.at <= given_by && self.lost_at.is_none_or(|at| at > kept_to)
    }
}

/// Whether a container that ended for this reason leaves what it was for undone. What ends with its attempt
/// ([`EndCause::AppOver`]) does if another attempt follows.
fn is_loss(why: EndCause, exit_code: i32) -> bool {
    match why {
        EndCause::Completed => exit_code != 0,
        EndCause::LostNode
        | EndCause::Vanished(_)
        | EndCause::Expired
        | EndCause::Preempted
        | EndCause::Overcommit
        | EndCause::AppOver => true,
        EndCause::Released => false,
    }
}

/// Hears what is given, refused and passed over.
#[derive(Debug, Default)]
struct Listener {
    given: Vec<(ContainerId, Given)>,
    /// Containers in which their ApplicationMasters have begun something, of kinds that tell it.
    launched: BTreeSet<ContainerId>,
    /// Containers that ended with their attempts, and when; of each application when its latest attempt began.
    with_attempt: Vec<(ContainerId, Millis)>,
    attempts: BTreeMap<AppId, Millis>,
    /// Scheduling requests that were rejected, and submissions.
    refused: Vec<AppId>,
    noted: Vec<Noted>,
    /// The application whose holds are noted.
    about: Option<AppId>,
    /// The latest finding that was told again, and which holds it noted.
    latest: Option<(Arc<Found>, Vec<usize>)>,
    /// Those of the one that is being told.
    noting: Option<Vec<usize>>,
}

impl Listener {
    fn note(&mut self, noted: Noted) {
        let known = self.noted.iter().position(|n| n.is_same(&noted));
        let place = known.unwrap_or(self.noted.len());
        match known {
            Some(i) => self.noted[i].last = noted.last,
            None => self.noted.push(noted),
        }
        if let Some(noting) = &mut self.noting {
            noting.push(place);
        }
    }

    fn given_mut(&mut self, container: ContainerId) -> Option<&mut Given> {
        self.given.iter_mut().rfind(|(id, _)| *id == container).map(|(_, given)| given)
    }

    fn lost(&mut self, container: ContainerId, at: Millis) {
        if let Some(given) = self.given_mut(container) {
            given.lost_at.get_or_insert(at);
        }
    }

    /// What ended with an application, and not with one attempt of several, is not lost, unless the application was started
    /// again since (`replaced`).
    fn settle(&mut self, replaced: impl Fn(AppId) -> bool) {
        for (container, at) in std::mem::take(&mut self.with_attempt) {
            if replaced(container.app) || self.attempts.get(&container.app).is_some_and(|later| *later >= at) {
                continue;
            }
            if let Some(given) = self.given_mut(container) {
                given.lost_at = given.lost_at.filter(|lost| *lost < at);
            }
        }
    }
}

impl Recorder for Listener {
    fn on(&self) -> bool {
        true
    }

    fn details(&self) -> bool {
        false
    }

    fn again(&mut self, at: Millis, node: NodeId, found: &Arc<Found>) {
        let known = self.latest.take().filter(|(known, _)| Arc::ptr_eq(known, found) && !found.names_node());
        let places = match known {
            Some((_, places)) => {
                for place in &places {
                    if let Some(noted) = self.noted.get_mut(*place) {
                        noted.last = at;
                    }
                }
                places
            }
            None => {
                self.noting = Some(Vec::new());
                found.tell(at, node, self);
                self.noting.take().unwrap_or_default()
            }
        };
        self.latest = Some((found.clone(), places));
    }

    /// What holds one of them back is noted once, as of any request of the application.
    fn alike(&mut self, at: Millis, alike: &Alike<'_>) {
        for entry in alike.entries {
            if let Entry::Found(finding) = entry
                && let Some(noted) = of_finding(at, finding, self.about)
            {
                self.note(Noted { key: None, ..noted });
            }
        }
    }

    fn keep(&mut self, at: Millis, entry: Entry) {
        match &entry {
            Entry::Found(finding) => {
                if let Some(noted) = of_finding(at, finding, self.about) {
                    self.note(noted);
                }
            }
            Entry::Changed(change) => {
                match change {
                    Change::Allocated { container, key, am, .. } => {
                        self.given.push((*container, Given { at, key: *key, am: *am, lost_at: None, silent: false }));
                    }
                    Change::Preempted { container, .. } => self.lost(*container, at),
                    Change::Completed { container, why, exit_code, .. } if is_loss(*why, *exit_code) => {
                        self.lost(*container, at);
                        if *why == EndCause::AppOver {
                            self.with_attempt.push((*container, at));
                        }
                    }
                    Change::AttemptAdded { app, .. } => {
                        self.attempts.insert(*app, at);
                    }
                    Change::Rejected { app } => self.refused.push(*app),
                    _ => {}
                }
                // Of thousands of pending applications one matters.
                let of_it = |noted: &Noted| self.about.is_none() || noted.app.is_none() || noted.app == self.about;
                if let Some(noted) = of_change(at, change).filter(of_it) {
                    self.note(noted);
                }
            }
            Entry::Acted(act) => match own(act).and_then(|act| act.put()) {
                Some(Put::Used(container)) => {
                    self.launched.insert(container);
                }
                // What is given back at once was not wanted.
                Some(Put::NotWanted(container)) => self.given.retain(|(id, _)| *id != container),
                None => {}
            },
            Entry::Processed(Processing::Rejected { app, count, .. }) => {
                self.refused.extend(std::iter::repeat_n(*app, usize::try_from(*count).unwrap_or(0).min(1_000)));
            }
            _ => {}
        }
    }
}

/// A run under way.
#[derive(Debug)]
pub struct Course {
    sim: Simulation,
    listener: Listener,
    /// The application that is to be helped, by its place in the scenario.
    place: usize,
    /// Events that may still be played.
    left: u64,
    /// The moment of which the state is kept, until it is there.
    keeps: Option<Millis>,
    kept: Option<(Millis, Simulation)>,
}

/// What became of a run.
#[derive(Debug)]
pub struct Outcome {
    /// The state at its end.
    pub sim: Simulation,
    /// What each application was given, in order of time, by its place in the scenario.
    pub given: Vec<Vec<Given>>,
    /// Those that it was given and its AM never fetched.
    pub unfetched: Vec<Vec<Given>>,
    /// How often each was refused something.
    pub refused: Vec<usize>,
    /// What kept the request, the latest first.
    pub noted: Vec<Noted>,
    /// Up to when it is known; [`Millis::MAX`]: to its end.
    pub known: Millis,
    pub events: u64,
    /// The state of the moment that was to be kept, if it came to that.
    pub kept: Option<(Millis, Simulation)>,
}

impl Course {
    /// A run of this text for at most so many events. `None`: it is no scenario, or the ResourceManager refuses it.
    pub fn of(text: &str, place: usize, events: u64) -> Option<Course> {
        let scenario = scenario::read(text).scenario?;
        let sim = Simulation::new(Arc::new(scenario)).ok()?;
        Some(Course { sim, listener: Listener::default(), place, left: events, keeps: None, kept: None })
    }

    /// Keeps the state of a moment.
    pub fn keeping(self, at: Millis) -> Course {
        Course { keeps: Some(at), ..self }
    }

    /// Plays at most so many events; how many it has played, and whether it is over.
    pub fn run(&mut self, events: u64) -> (u64, bool) {
        let mut played = 0;
        while played < events && self.left > 0 {
            if let Some(at) = self.keeps.take_if(|at| self.sim.next_at().is_none_or(|next| next > *at)) {
                self.kept = Some((at, self.sim.clone()));
            }
            if self.sim.step_for(&mut self.listener).is_none() {
                return (played, true);
            }
            if self.listener.about.is_none() {
                self.listener.about = self.sim.apps().get(self.place).and_then(|a| a.id);
            }
            played += 1;
            self.left -= 1;
        }
        (played, self.left == 0)
    }

    /// What became of it.
    pub fn outcome(self) -> Outcome {
        let Course { sim, mut listener, kept, .. } = self;
        let current = |app: AppId| sim.place_of(app).and_then(|place| sim.apps().get(place)).and_then(|run| run.id);
        listener.settle(|app| current(app).is_some_and(|other| other != app));
        let names = Names::new(&sim);
        for (id, g) in &mut listener.given {
            let node = sim.rm().container(*id).map(|c| sim.rm().cluster().node(c.node));
            g.silent = node.is_some_and(|node| names.is_silent(node));
        }
        let mut given = vec![Vec::new(); sim.apps().len()];
        let mut unfetched = vec![Vec::new(); sim.apps().len()];
        // What an AM that hangs never fetches it does not have.
        let fetched = |id: ContainerId, g: &Given| {
            let waits = sim.rm().container(id).is_some_and(|c| c.state == ContainerState::Allocated && !c.am);
            !waits || sim.now() - g.at < FETCHED_MS
        };
        for (id, g) in &listener.given {
            let Some(place) = sim.place_of(id.app) else { continue };
            if !g.am && helped_at(sim.scenario(), place).counts_when_used() && !listener.launched.contains(id) {
                continue;
            }
            if fetched(*id, g) {
                given.get_mut(place).into_iter().for_each(|list| list.push(*g));
            } else {
                unfetched.get_mut(place).into_iter().for_each(|list: &mut Vec<Given>| list.push(*g));
            }
        }
        let mut refused: Vec<usize> =
            sim.apps().iter().map(|a| usize::from(a.refused) + usize::from(a.call_refused)).collect();
        for app in &listener.refused {
            if let Some(n) = sim.place_of(*app).and_then(|i| refused.get_mut(i)) {
                *n += 1;
            }
        }
        let mut noted = listener.noted;
        let about = listener.about;
        let leaf = about.and_then(|app| sim.rm().queue(&sim.rm().app(app)?.queue));
        let path: Vec<_> = std::iter::successors(leaf, |q| sim.rm().parent_of(*q)).collect();
        noted.retain(|n| n.app.is_none_or(|app| Some(app) == about) && n.queue.is_none_or(|q| path.contains(&q)));
        // A leaf tells whose request did not fit: its own is no turn of another.
        noted.retain(|n| !matches!(n.hold, Hold::Behind(app) if Some(app) == about));
        heddle_core::model::order::sort_by_key(&mut noted, |n| std::cmp::Reverse(n.last));
        let over = matches!(sim.ended(), Some(Ended::Until | Ended::Idle | Ended::Stalled));
        let known = if over { Millis::MAX } else { sim.now() };
        Outcome { given, unfetched, refused, noted, known, events: sim.events(), kept, sim }
    }
}

impl Outcome {
    /// Are two requests of an application for the same?
    pub fn alike(&self, place: usize, a: RequestKey, b: RequestKey) -> bool {
        a == b || asks_for_the_same(self.sim.scenario(), place, a, b)
    }

    /// Returns whether an application lacks something at the end: of what the request is for, if its kind tells these apart, or anything.
    pub fn lacks(&self, place: usize, key: RequestKey) -> bool {
        if let Some(lacks) = helped_at(self.sim.scenario(), place).lacks(&self.sim, place, key) {
            return lacks;
        }
        let Some(app) = self.sim.apps().get(place).and_then(|app| app.id) else { return true };
        let names = Names::new(&self.sim);
        let asks = |app| names.rm().scheduled(app).is_some_and(|app| !app.asks.open().is_empty());
        asks(app) || !wants::of_app(names, app).is_empty()
    }

    /// How many containers of an application preemption has taken.
    pub fn killed(&self, place: usize) -> i64 {
        self.sim.apps().get(place).map_or(0, |run| run.toll.killed)
    }

    /// Whether an application has failed.
    pub fn fails(&self, place: usize) -> bool {
        let Some(run) = self.sim.apps().get(place) else { return false };
        let state = run.id.and_then(|id| self.sim.rm().app(id)).map(|app| app.state);
        run.succeeded == Some(false) || state == Some(AppState::Failed)
    }

    /// When an application was over; `None`: not within the run.
    pub fn over_at(&self, place: usize) -> Option<Millis> {
        let app = self.sim.rm().app(self.sim.apps().get(place)?.id?)?;
        app.state.is_final().then_some(app.finished_at).flatten()
    }
}
