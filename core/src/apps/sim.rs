//! From an application of the scenario to its submission and its ApplicationMaster: the table of how a run plays each kind.

use crate::api::ClientRefusal;
use crate::apps::samza::sim::SamzaState;
use crate::apps::scenario::{Changed, KindAct};
use crate::constraint::Constraint;
use crate::journal::Recorder;
use crate::model::{AppId, ContainerId, NodeId, Resource};
use crate::rm::{AmAsk, AskPlace, Cut, Refusal, Submission};
use crate::scenario::{App, AppKind, Scenario};
use crate::sim::{Broken, Simulation};
use crate::strategy::{Master, Store};

/// What kinds show of a run, for whoever takes it from `crate::sim`.
pub mod shown {
    pub use crate::apps::samza::sim::{Phase, Room, SamzaProcess, SamzaState, Told};
}

/// What YARN tells a client that asks before it submits.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// The largest container.
    pub maximum: Resource,
    /// Is the application's queue there?
    pub queue_exists: bool,
    /// The id that it gives the application.
    pub id: AppId,
}

/// What a run asks of each kind of application. The defaults are those of a kind whose client submits what is written.
pub(crate) trait Played {
    /// The name under which its client submits it. `maximum`: the largest container. Errors: the client refuses.
    fn submitted_name(&self, app: &App, _maximum: Resource) -> Result<String, ClientRefusal> {
        Ok(app.name.clone())
    }

    /// The size of the ApplicationMaster that its client asks for. `maximum`: the largest container.
    fn am_size(&self, app: &App, _maximum: Resource) -> Resource {
        app.am.size
    }

    /// Constraints that its ApplicationMaster registers with, by source tags. Errors: it cannot run.
    fn constraints(&self) -> Result<Vec<(Vec<String>, Constraint)>, Refusal> {
        Ok(Vec::new())
    }

    /// What its client program refuses; a kind without a client of its own submits anything.
    fn refused_by_client(&self, _scenario: &Scenario, _app: &App, _known: Known) -> Option<ClientRefusal> {
        None
    }

    /// Does what was done before the run: files, streams and disks that its first attempt finds.
    fn before(&self, _sim: &mut Simulation, _place: usize) {}

    /// The application as its client submits it again, once its users have changed it; `None`: as it is written. `store`: what it keeps.
    fn changed(&self, _app: &App, _store: &Store) -> Option<App> {
        None
    }

    /// Takes in what a restart changes of it.
    fn change(&self, _sim: &mut Simulation, _place: usize, _changed: &Changed) {}

    /// Returns whether its client has YARN kill the application to stop it, where others tell the ApplicationMaster.
    fn is_stopped_by_yarn(&self) -> bool {
        false
    }

    /// Takes note that a process was started in a container on a node.
    fn launched(&self, _sim: &mut Simulation, _place: usize, _container: ContainerId, _node: NodeId) {}

    /// What does not agree between its ApplicationMaster's books and YARN's: a mistake of this program.
    fn broken(&self, _sim: &Simulation, _place: usize) -> Option<Broken> {
        None
    }

    /// What its ApplicationMaster asks for less of than it was told to, under the key of its first request.
    fn cut(&self, _id: AppId, _maximum: Resource) -> Option<Cut> {
        None
    }

    /// The master of one attempt, as it registers. `got`: the containers that the application ever got, AMs included;
    /// `maximum`: the largest container that YARN tells it of.
    fn master(&self, scenario: &Scenario, app: &App, got: &[ContainerId], maximum: Resource) -> Master;
}

/// How a run plays an application.
pub(crate) fn played(kind: &AppKind) -> &dyn Played {
    match kind {
        AppKind::Batch(groups) => groups,
        AppKind::DistributedShell(shell) => shell,
        AppKind::Requests(calls) => calls,
        AppKind::Slider(slider) => &**slider,
        AppKind::Samza(samza) => &**samza,
        AppKind::Service(service) => &**service,
    }
}

/// What a run keeps of the processes of applications besides what nodes know of any process, by kind.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct States {
    pub samza: SamzaState,
}

impl States {
    /// Returns what a copy takes, in bytes, roughly.
    pub fn weight(&self) -> usize {
        self.samza.weight()
    }

    /// Empties the disks of a host.
    pub fn lose_disks(&mut self, host: &str) {
        self.samza.lose_disks(host);
    }
}

// What the simulation tells the kinds that keep something of processes and disks.
impl Simulation {
    /// Plans what kinds do from the start of a run on without being asked.
    pub(crate) fn plan_of_kinds(&mut self) {
        self.plan_clean_up();
    }

    /// Takes note that the process of a container is up ([`Event::ProcessUp`](crate::sim::Event::ProcessUp)).
    pub(crate) fn process_up<R: Recorder>(&mut self, container: ContainerId, rec: &mut R) {
        self.samza_up(container, rec);
    }

    /// Ends a restore of a process ([`Event::RestoreEnds`](crate::sim::Event::RestoreEnds)).
    pub(crate) fn restored<R: Recorder>(&mut self, rec: &mut R) {
        self.restore_ends(rec);
    }

    /// Cleans the disks of hosts ([`Event::CleanUp`](crate::sim::Event::CleanUp)).
    pub(crate) fn clean_hosts<R: Recorder>(&mut self, rec: &mut R) {
        self.clean_up(rec);
    }

    /// Takes note that a timer of the ApplicationMaster at a place of the scenario ran.
    pub(crate) fn timer_ran(&mut self, place: usize) {
        self.note_rooms(place);
    }

    /// Carries out the `number`-th happening of the scenario, which only one kind knows. Errors: it comes to nothing.
    pub(crate) fn happen_to_kind<R: Recorder>(
        &mut self,
        number: usize,
        act: &KindAct,
        rec: &mut R,
    ) -> Result<(), Refusal> {
        match act {
            KindAct::Samza(act) => self.happen_to_samza(number, act, rec),
            KindAct::Slider(edit) => self.change_history(edit),
            KindAct::Service(upgrade) => self.upgrade_service(upgrade, rec),
        }
    }

    /// Takes note that the process of a container is gone; `orderly`: it was told to stop.
    pub(crate) fn process_gone(&mut self, container: ContainerId, orderly: bool) {
        self.samza_gone(container, orderly);
    }
}

/// What is submitted. Errors: the client program refuses to submit it.
pub(crate) fn submission(scenario: &Scenario, app: &App, known: Known) -> Result<Submission, Refusal> {
    let played = played(&app.kind);
    if let Some(refusal) = app.refused.clone().or_else(|| played.refused_by_client(scenario, app, known)) {
        return Err(Refusal::by_client(refusal));
    }
    let name = played.submitted_name(app, known.maximum).map_err(Refusal::by_client)?;
    let size = played.am_size(app, known.maximum);
    let am = AmAsk { size, label: app.am.label.clone(), places: am_rows(scenario, &app.am.places) };
    let mut constraints: Vec<_> =
        app.constraints.iter().filter_map(|c| Some((c.tags.clone(), c.constraint.tree.clone()?))).collect();
    constraints.extend(played.constraints()?);
    Ok(Submission {
        name,
        queue: app.queue.clone(),
        user: app.user.clone(),
        priority: app.priority,
        tags: app.tags.clone(),
        label: app.label.clone(),
        max_attempts: app.max_attempts,
        failures_window: app.failures_window,
        lifetime_s: app.lifetime.map(|ms| ms / 1000),
        keep_containers: app.am.keep_containers,
        am: (!app.am.unmanaged).then_some(am),
        constraints,
    })
}

/// What its ApplicationMaster asks for less of than it was told to: see [`Played::cut`].
pub(crate) fn cut(app: &App, id: AppId, maximum: Resource) -> Option<Cut> {
    played(&app.kind).cut(id, maximum)
}

/// The master of one attempt, as it registers: see [`Played::master`].
pub(crate) fn master(scenario: &Scenario, app: &App, got: &[ContainerId], maximum: Resource) -> Master {
    played(&app.kind).master(scenario, app, got, maximum)
}

/// Rows of one request for hosts and racks as the client library makes them (lifecycles-and-timing.md 5.1): hosts and
/// named racks are always relaxed, racks of named hosts and `*` as the request says.
pub(crate) fn rows(scenario: &Scenario, places: &[String], relax: bool) -> Vec<AskPlace> {
    let mut rows: Vec<AskPlace> = Vec::new();
    let mut inferred: Vec<AskPlace> = Vec::new();
    for name in places {
        if rows.iter().all(|r| r.name != *name) {
            rows.push(AskPlace { name: name.clone(), relax: true });
        }
        let rack = scenario.nodes.iter().find(|n| n.spec.host == *name).map(|n| &n.spec.rack);
        if let Some(rack) = rack {
            inferred.push(AskPlace { name: rack.clone(), relax });
        }
    }
    for rack in inferred {
        if rows.iter().all(|r| r.name != rack.name) {
            rows.push(rack);
        }
    }
    rows
}

/// Rows of the request for an ApplicationMaster that names places, in the same way.
fn am_rows(scenario: &Scenario, places: &[AskPlace]) -> Vec<AskPlace> {
    let names: Vec<String> = places.iter().map(|p| p.name.clone()).collect();
    let relax = places.iter().all(|p| p.relax);
    let mut out = rows(scenario, &names, relax);
    if !relax {
        out.push(AskPlace { name: "*".into(), relax });
    }
    out
}
