//! One run of a changed scenario or of the scenario itself: who got what when, who was refused, and what kept the request
//! from more. It is played in slices.

use super::holds::{RecordedBlock, of_change, of_finding};
use crate::apps::help::helped_at;
use crate::apps::{Put, own};
use crate::explain::names::asks_for_the_same;
use crate::explain::waits::of_check::BlockingCondition;
use crate::explain::{Names, wants};
use heddle_core::journal::{Change, Entry, OfferFindings, Processing, Recorder, SameOutcome};
use heddle_core::model::{AppId, ContainerId, EndCause, Millis, NodeId, RequestKey};
use heddle_core::rm::AppState;
use heddle_core::scenario;
use heddle_core::scheduler::ContainerState;
use heddle_core::sim::{Ended, Simulation};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A live ApplicationMaster fetches its containers within this time.
const FETCHED_MS: Millis = 60_000;

/// A container that an application got.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AllocatedContainer {
    pub at: Millis,
    pub key: RequestKey,
    pub am: bool,
    /// When it was lost: preempted, gone with its node or attempt, or its process failed. A replacement that is still wanted
    /// is requested again and counts by itself.
    pub lost_at: Option<Millis>,
    /// Whether its node is silent at the end of the run: the container is gone, though YARN still counts it.
    pub silent: bool,
}

impl AllocatedContainer {
    /// Returns whether it was allocated by one time, and not lost by another.
    pub fn kept(&self, given_by: Millis, kept_to: Millis) -> bool {
        self.at <= given_by && self.lost_at.is_none_or(|at| at > kept_to)
    }
}

/// Returns whether a container that ended for this reason leaves its work undone. One that ends with its attempt
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

/// Records what is allocated, refused and skipped.
#[derive(Debug, Default)]
struct TrialRecorder {
    given: Vec<(ContainerId, AllocatedContainer)>,
    /// The containers in which their ApplicationMasters have started something, for kinds that report it.
    launched: BTreeSet<ContainerId>,
    /// The containers that ended with their attempts, and when; for each application, when its latest attempt began.
    with_attempt: Vec<(ContainerId, Millis)>,
    attempts: BTreeMap<AppId, Millis>,
    /// The applications of rejected scheduling requests and submissions, once for each.
    refused: Vec<AppId>,
    noted: Vec<RecordedBlock>,
    /// The application whose blocking conditions are noted.
    about: Option<AppId>,
    /// The latest finding that was repeated, and the indices in `noted` of what it noted.
    latest: Option<(Arc<OfferFindings>, Vec<usize>)>,
    /// The indices noted by the finding that is being recorded.
    noting: Option<Vec<usize>>,
}

impl TrialRecorder {
    fn note(&mut self, noted: RecordedBlock) {
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

    fn given_mut(&mut self, container: ContainerId) -> Option<&mut AllocatedContainer> {
        self.given.iter_mut().rfind(|(id, _)| *id == container).map(|(_, given)| given)
    }

    fn lost(&mut self, container: ContainerId, at: Millis) {
        if let Some(given) = self.given_mut(container) {
            given.lost_at.get_or_insert(at);
        }
    }

    /// Keeps containers that ended with their application, not with one of its attempts, unless the application was started
    /// again (`replaced`).
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

impl Recorder for TrialRecorder {
    fn on(&self) -> bool {
        true
    }

    fn details(&self) -> bool {
        false
    }

    fn again(&mut self, at: Millis, node: NodeId, found: &Arc<OfferFindings>) {
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

    /// A condition that blocks several pending applications is noted once, for any request.
    fn alike(&mut self, at: Millis, alike: &SameOutcome<'_>) {
        for entry in alike.entries {
            if let Entry::Found(finding) = entry
                && let Some(noted) = of_finding(at, finding, self.about)
            {
                self.note(RecordedBlock { key: None, ..noted });
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
                        self.given.push((
                            *container,
                            AllocatedContainer { at, key: *key, am: *am, lost_at: None, silent: false },
                        ));
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
                // Of thousands of pending applications only one matters.
                let of_it =
                    |noted: &RecordedBlock| self.about.is_none() || noted.app.is_none() || noted.app == self.about;
                if let Some(noted) = of_change(at, change).filter(of_it) {
                    self.note(noted);
                }
            }
            Entry::Acted(act) => match own(act).and_then(|act| act.put()) {
                Some(Put::Used(container)) => {
                    self.launched.insert(container);
                }
                // A container that is released at once was not wanted.
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

/// A run in progress.
#[derive(Debug)]
pub struct TrialRun {
    sim: Simulation,
    listener: TrialRecorder,
    /// The index in the scenario of the application to be helped.
    place: usize,
    /// The number of events that may still be played.
    left: u64,
    /// The moment whose state is to be kept, until it is reached.
    keeps: Option<Millis>,
    kept: Option<(Millis, Simulation)>,
}

/// The outcome of a run.
#[derive(Debug)]
pub struct TrialOutcome {
    /// The state at its end.
    pub sim: Simulation,
    /// The containers of each application in the order of time, by its index in the scenario.
    pub given: Vec<Vec<AllocatedContainer>>,
    /// The containers of each application that its AM never fetched.
    pub unfetched: Vec<Vec<AllocatedContainer>>,
    /// How often each application was refused something.
    pub refused: Vec<usize>,
    /// What blocked the request, the latest first.
    pub noted: Vec<RecordedBlock>,
    /// The time up to which it is known; [`Millis::MAX`] for its end.
    pub known: Millis,
    pub events: u64,
    /// The state at the moment that was to be kept, if that was reached.
    pub kept: Option<(Millis, Simulation)>,
}

impl TrialRun {
    /// Starts a run of a text for at most `events` events. Returns `None` if it is no scenario or the ResourceManager refuses
    /// it.
    pub fn of(text: &str, place: usize, events: u64) -> Option<TrialRun> {
        let scenario = scenario::read(text).scenario?;
        let sim = Simulation::new(Arc::new(scenario)).ok()?;
        Some(TrialRun { sim, listener: TrialRecorder::default(), place, left: events, keeps: None, kept: None })
    }

    /// Keeps the state of a moment.
    pub fn keeping(self, at: Millis) -> TrialRun {
        TrialRun { keeps: Some(at), ..self }
    }

    /// Plays at most `events` events. Returns how many it has played, and whether the run is over.
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

    /// Returns the outcome.
    pub fn outcome(self) -> TrialOutcome {
        let TrialRun { sim, mut listener, kept, .. } = self;
        let current = |app: AppId| sim.place_of(app).and_then(|place| sim.apps().get(place)).and_then(|run| run.id);
        listener.settle(|app| current(app).is_some_and(|other| other != app));
        let names = Names::new(&sim);
        for (id, g) in &mut listener.given {
            let node = sim.rm().container(*id).map(|c| sim.rm().cluster().node(c.node));
            g.silent = node.is_some_and(|node| names.is_silent(node));
        }
        let mut given = vec![Vec::new(); sim.apps().len()];
        let mut unfetched = vec![Vec::new(); sim.apps().len()];
        // An AM that hangs does not have the containers that it never fetches.
        let fetched = |id: ContainerId, g: &AllocatedContainer| {
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
                unfetched.get_mut(place).into_iter().for_each(|list: &mut Vec<AllocatedContainer>| list.push(*g));
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
        // A leaf names the application whose request did not fit; its own is no turn of another.
        noted.retain(|n| !matches!(n.hold, BlockingCondition::Behind(app) if Some(app) == about));
        heddle_core::model::order::sort_by_key(&mut noted, |n| std::cmp::Reverse(n.last));
        let over = matches!(sim.ended(), Some(Ended::Until | Ended::Idle | Ended::Stalled));
        let known = if over { Millis::MAX } else { sim.now() };
        TrialOutcome { given, unfetched, refused, noted, known, events: sim.events(), kept, sim }
    }
}

impl TrialOutcome {
    /// Returns whether two requests of an application are for the same thing.
    pub fn alike(&self, place: usize, a: RequestKey, b: RequestKey) -> bool {
        a == b || asks_for_the_same(self.sim.scenario(), place, a, b)
    }

    /// Returns whether an application lacks something at the end: what the request is for if its kind distinguishes that, or
    /// anything.
    pub fn lacks(&self, place: usize, key: RequestKey) -> bool {
        if let Some(lacks) = helped_at(self.sim.scenario(), place).lacks(&self.sim, place, key) {
            return lacks;
        }
        let Some(app) = self.sim.apps().get(place).and_then(|app| app.id) else { return true };
        let names = Names::new(&self.sim);
        let asks = |app| names.rm().scheduled(app).is_some_and(|app| !app.asks.open().is_empty());
        asks(app) || !wants::of_app(names, app).is_empty()
    }

    /// Returns how many containers of an application were preempted.
    pub fn killed(&self, place: usize) -> i64 {
        self.sim.apps().get(place).map_or(0, |run| run.toll.killed)
    }

    /// Returns whether an application has failed.
    pub fn fails(&self, place: usize) -> bool {
        let Some(run) = self.sim.apps().get(place) else { return false };
        let state = run.id.and_then(|id| self.sim.rm().app(id)).map(|app| app.state);
        run.succeeded == Some(false) || state == Some(AppState::Failed)
    }

    /// Returns when an application ended; `None` if not within the run.
    pub fn over_at(&self, place: usize) -> Option<Millis> {
        let app = self.sim.rm().app(self.sim.apps().get(place)?.id?)?;
        app.state.is_final().then_some(app.finished_at).flatten()
    }
}
