//! The submission and the ApplicationMaster of an application of the scenario: the table of how a run plays each kind.

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

/// What kinds show of a run, re-exported by `crate::sim`.
pub mod shown {
    pub use crate::apps::samza::sim::{HostAtExpiry, Phase, PlacementRecord, SamzaProcess, SamzaState};
}

/// What a client knows from YARN before it submits.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// The largest container.
    pub maximum: Resource,
    /// Whether the application's queue exists.
    pub queue_exists: bool,
    /// The id that YARN gives the application.
    pub id: AppId,
}

/// How a run plays a kind of application. The defaults fit a kind whose client submits what the scenario says.
pub(crate) trait Played {
    /// Returns the name under which the client submits the application. `maximum`: the largest container. Errors: the client
    /// refuses.
    fn submitted_name(&self, app: &App, _maximum: Resource) -> Result<String, ClientRefusal> {
        Ok(app.name.clone())
    }

    /// Returns the size of the ApplicationMaster that the client asks for. `maximum`: the largest container.
    fn am_size(&self, app: &App, _maximum: Resource) -> Resource {
        app.am.size
    }

    /// Returns the constraints that the ApplicationMaster registers, by source tags. Errors: the ApplicationMaster cannot run.
    fn constraints(&self) -> Result<Vec<(Vec<String>, Constraint)>, Refusal> {
        Ok(Vec::new())
    }

    /// Returns the refusal of the client program, if it refuses; a kind without a client of its own submits anything.
    fn refused_by_client(&self, _scenario: &Scenario, _app: &App, _known: Known) -> Option<ClientRefusal> {
        None
    }

    /// Prepares what the first attempt finds from before the run: files, streams and disks.
    fn before(&self, _sim: &mut Simulation, _place: usize) {}

    /// Returns the application as its client submits it again after its users have changed it; `None`: unchanged. `store`: the
    /// application's store.
    fn changed(&self, _app: &App, _store: &Store) -> Option<App> {
        None
    }

    /// Takes in what a restart changes of it.
    fn change(&self, _sim: &mut Simulation, _place: usize, _changed: &Changed) {}

    /// Returns whether the client stops the application by having YARN kill it; other clients ask the ApplicationMaster.
    fn is_stopped_by_yarn(&self) -> bool {
        false
    }

    /// Records that a process was started in a container on a node.
    fn launched(&self, _sim: &mut Simulation, _place: usize, _container: ContainerId, _node: NodeId) {}

    /// Returns a disagreement between the ApplicationMaster's accounting and YARN's, which is a bug of this program.
    fn broken(&self, _sim: &Simulation, _place: usize) -> Option<Broken> {
        None
    }

    /// Returns the reduction of the container size if the ApplicationMaster asks for less than the user wrote, under the key of
    /// its first request.
    fn cut(&self, _id: AppId, _maximum: Resource) -> Option<Cut> {
        None
    }

    /// Returns the master of one attempt, as it registers. `got`: the containers that the application ever got, AMs included;
    /// `maximum`: the largest container, as YARN reports it.
    fn master(&self, scenario: &Scenario, app: &App, got: &[ContainerId], maximum: Resource) -> Master;
}

/// Returns how a run plays an application.
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

/// What a run keeps of the processes of applications, by kind, beyond what nodes know of any process.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct States {
    pub samza: SamzaState,
}

impl States {
    /// Returns the approximate size of a copy, in bytes.
    pub fn weight(&self) -> usize {
        self.samza.weight()
    }

    /// Empties the disks of a host.
    pub fn lose_disks(&mut self, host: &str) {
        self.samza.lose_disks(host);
    }
}

// Callbacks of the simulation for kinds that keep state of processes and disks.
impl Simulation {
    /// Schedules the events that kinds have from the start of a run on.
    pub(crate) fn plan_of_kinds(&mut self) {
        self.plan_clean_up();
    }

    /// Records that the process of a container is up ([`Event::ProcessUp`](crate::sim::Event::ProcessUp)).
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

    /// Records that the process of a container is gone; `orderly`: it was asked to stop.
    pub(crate) fn process_gone(&mut self, container: ContainerId, orderly: bool) {
        self.samza_gone(container, orderly);
    }
}

/// Returns an application's submission. Errors: the client program refuses to submit it.
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

/// Returns the reduction of an application's container size: see [`Played::cut`].
pub(crate) fn cut(app: &App, id: AppId, maximum: Resource) -> Option<Cut> {
    played(&app.kind).cut(id, maximum)
}

/// Returns the master of one attempt, as it registers: see [`Played::master`].
pub(crate) fn master(scenario: &Scenario, app: &App, got: &[ContainerId], maximum: Resource) -> Master {
    played(&app.kind).master(scenario, app, got, maximum)
}

/// Returns the rows of one request for hosts and racks as the client library makes them (lifecycles-and-timing.md 5.1): hosts
/// and named racks are always relaxed; racks of named hosts and `*` are as the request says.
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

/// Returns the rows of a request for an ApplicationMaster that names places; see [`rows`].
fn am_rows(scenario: &Scenario, places: &[AskPlace]) -> Vec<AskPlace> {
    let names: Vec<String> = places.iter().map(|p| p.name.clone()).collect();
    let relax = places.iter().all(|p| p.relax);
    let mut out = rows(scenario, &names, relax);
    if !relax {
        out.push(AskPlace { name: "*".into(), relax });
    }
    out
}
