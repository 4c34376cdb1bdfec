//! Conversion between arena indices and the names that the user knows.

use super::view::Selection;
use crate::apps::{told_at, told_of};
use heddle_core::model::{AppId, ContainerId, Millis, NodeId, PartitionId, QueueId, RequestKey};
use heddle_core::rm::ResourceManager;
use heddle_core::scenario::Scenario;
use heddle_core::scheduler::{App, KeyAsks, Node};
use heddle_core::sim::{AppRun, Got, Simulation};

/// The names at one moment.
#[derive(Clone, Copy)]
pub struct Names<'a> {
    /// The simulation at that moment.
    pub sim: &'a Simulation,
    /// The moment, at or after the last event.
    pub now: Millis,
}

/// Returns whether two requests of an application with different keys are for the same thing; `place` is its place in the
/// scenario.
pub fn asks_for_the_same(scenario: &Scenario, place: usize, a: RequestKey, b: RequestKey) -> bool {
    told_at(scenario, place).asks_for_the_same(a, b)
}

impl<'a> Names<'a> {
    /// Names at the moment of the last event.
    pub fn new(sim: &'a Simulation) -> Self {
        Names { sim, now: sim.now() }
    }

    /// Names at `now`.
    pub fn at(sim: &'a Simulation, now: Millis) -> Self {
        Names { sim, now }
    }

    /// The ResourceManager.
    pub fn rm(self) -> &'a ResourceManager {
        self.sim.rm()
    }

    /// The scenario.
    pub fn scenario(self) -> &'a Scenario {
        self.sim.scenario()
    }

    /// Returns the application's run.
    pub fn run(self, app: AppId) -> Option<&'a AppRun> {
        self.sim.apps().get(self.sim.place_of(app)?)
    }

    /// Returns an application's name.
    pub fn app(self, app: AppId) -> &'a str {
        let place = self.sim.place_of(app);
        place.and_then(|i| self.scenario().apps.get(i)).map_or("", |a| a.name.as_str())
    }

    /// Returns the application with this name, if it is submitted.
    pub fn find_app(self, name: &str) -> Option<AppId> {
        let i = self.scenario().apps.iter().position(|a| a.name == name)?;
        self.sim.apps().get(i)?.id
    }

    /// Returns whether two requests of an application are for the same thing. Those of a component of Slider are, relaxed or
    /// not; Samza asks for a host first and later for any, under another key.
    pub fn alike(self, app: AppId, a: RequestKey, b: RequestKey) -> bool {
        let place = self.sim.place_of(app);
        a == b || place.is_some_and(|place| asks_for_the_same(self.scenario(), place, a, b))
    }

    /// Returns a node's host.
    pub fn node(self, node: NodeId) -> &'a str {
        self.rm().node(node).map_or("", |n| n.host.as_str())
    }

    /// Returns a queue's path.
    pub fn queue(self, queue: QueueId) -> &'a str {
        self.rm().queue_path(queue)
    }

    /// Returns the path of the queue that an application is in.
    pub fn queue_of(self, app: AppId) -> &'a str {
        self.rm().app(app).map_or("", |a| a.queue.as_str())
    }

    /// Returns a queue and its ancestors, up to root.
    pub fn path_up(self, queue: QueueId) -> impl Iterator<Item = QueueId> + 'a {
        std::iter::successors(Some(queue), move |q| self.rm().parent_of(*q))
    }

    /// Returns a partition's name, "" for the default one.
    pub fn partition(self, partition: PartitionId) -> &'a str {
        self.rm().cluster().partition_name(partition)
    }

    /// Returns a container's number among all that its application ever got, from 0. Containers that the AM has not received
    /// yet come last.
    pub fn number(self, id: ContainerId) -> Option<usize> {
        let run = self.run(id.app)?;
        if let Some(k) = place_among(&run.containers, id) {
            return Some(k);
        }
        self.ahead(id).map(|ahead| run.containers.len() + ahead)
    }

    /// Returns how many containers before this one are granted and not yet received by the AM; `None` if the AM has this one.
    fn ahead(self, id: ContainerId) -> Option<usize> {
        let cluster = self.rm().cluster();
        let app = self.rm().scheduled(id.app)?;
        app.granted.iter().position(|slot| cluster.containers.at(*slot).id == id)
    }

    /// Returns the k-th container that an application ever got.
    pub fn nth(self, app: AppId, k: usize) -> Option<ContainerId> {
        let run = self.run(app)?;
        if let Some(got) = run.containers.get(k) {
            return Some(got.id);
        }
        let slot = self.rm().scheduled(app)?.granted.get(k - run.containers.len())?;
        Some(self.rm().cluster().containers.at(*slot).id)
    }

    /// Returns the selection of a container.
    pub fn container(self, id: ContainerId) -> Selection {
        Selection::Container { app: self.app(id.app).to_string(), k: self.number(id).unwrap_or(usize::MAX) }
    }

    /// Returns the keys of the containers that are granted and not yet received by the AM, in their order.
    fn granted(self, app: AppId) -> impl Iterator<Item = RequestKey> {
        let cluster = self.rm().cluster();
        let slots = self.rm().scheduled(app).map_or(&[][..], |app| &app.granted);
        slots.iter().map(|slot| cluster.containers.at(*slot).key)
    }

    /// Returns the name of the container with this number: as its kind of application calls it, else `zk-2`, from the tag or
    /// the application's name.
    fn numbered(self, app: AppId, tag: Option<&str>, number: usize) -> String {
        let name = self.app(app);
        let called = told_of(self, app).called(name, tag, number);
        called.unwrap_or_else(|| format!("{}-{number}", tag.unwrap_or(name)))
    }

    fn has_components(self, app: AppId) -> bool {
        let spec = self.sim.place_of(app).and_then(|place| self.scenario().apps.get(place));
        spec.is_some_and(|app| app.kind.is_service())
    }

    /// Returns a container's name: `zk-2`, `zk AM`, `kafka broker-2`.
    pub fn container_name(self, id: ContainerId) -> String {
        let app = self.app(id.app);
        let Some(run) = self.run(id.app) else { return app.to_string() };
        if let Some(got) = place_among(&run.containers, id).and_then(|k| run.containers.get(k)) {
            return if got.am { am_name(app) } else { self.numbered(id.app, got.tag.as_deref(), got.number) };
        }
        let container = self.rm().container(id);
        if container.is_some_and(|c| c.am) {
            return am_name(app);
        }
        if container.is_none() && self.has_components(id.app) {
            return app.to_string();
        }
        let key = container.map_or(RequestKey { priority: 0, allocation_request_id: -1 }, |c| c.key);
        let ahead = self.granted(id.app).take(self.ahead(id).unwrap_or(0));
        let called = self.sim.place_of(id.app).and_then(|place| self.sim.number(place, key, ahead));
        called.map_or_else(|| app.to_string(), |(tag, number)| self.numbered(id.app, tag.as_deref(), number))
    }

    /// Returns the selection of a request.
    pub fn request(self, app: AppId, key: RequestKey) -> Selection {
        Selection::Request { app: self.app(app).to_string(), key: key.to_string() }
    }

    /// Returns a request's name: `zk-3` when one container is outstanding, `etl` when several are (`kafka broker` of a Slider),
    /// `zk AM`.
    pub fn request_name(self, app: AppId, key: RequestKey, outstanding: i64) -> String {
        let name = self.app(app);
        let (Some(run), Some(sched)) = (self.run(app), self.rm().scheduled(app)) else { return name.to_string() };
        if is_am_request(sched, key) {
            return am_name(name);
        }
        let by_key = run.master.as_ref().and_then(|m| m.numbered(key));
        if let Some((tag, number)) = by_key {
            return self.numbered(app, tag.as_deref(), number);
        }
        if outstanding == 1
            && let Some(one) = told_of(self, app).only_one(self, app, key)
        {
            return self.numbered(app, Some(one), 0);
        }
        let component = |key| run.master.as_ref().and_then(|m| m.component(key));
        let alike = sched.asks.open().iter().filter(|(open, _)| component(*open) == component(key)).count();
        if outstanding == 1 && alike == 1 {
            let (tag, number) = run.number(key, self.granted(app));
            return self.numbered(app, tag.as_deref(), number);
        }
        component(key).map_or_else(|| name.to_string(), |component| format!("{name} {component}"))
    }

    /// Returns the name of a request whose AM may be gone: `zk-3`.
    pub fn past_request_name(self, app: AppId, key: RequestKey) -> String {
        match self.sim.numbered(app, key) {
            Some((tag, number)) => self.numbered(app, tag.as_deref(), number),
            None => self.request_name(app, key, 1),
        }
    }

    /// Returns whether a node's machine is silent and YARN does not know it yet.
    pub fn is_silent(self, node: &Node) -> bool {
        node.in_scheduler && self.sim.machine(node.id).is_some_and(|m| !m.alive)
    }

    /// Returns the name of a selection.
    pub fn selection(self, about: &Selection) -> String {
        match about {
            Selection::App(name) | Selection::Queue(name) | Selection::Node(name) | Selection::User(name) => {
                name.clone()
            }
            Selection::Landing { user, application, .. } => super::say::landing::who(user, application),
            Selection::Refresh(_) => "new settings".to_string(),
            Selection::Container { app, k } => {
                let id = self.find_app(app).and_then(|a| self.nth(a, *k));
                id.map_or_else(|| format!("{app}-{k}"), |id| self.container_name(id))
            }
            Selection::Request { app, key } | Selection::Clause { app, key, .. } => match self.find_request(app, key) {
                Some((id, asks)) => self.request_name(id, asks.key, asks.outstanding()),
                // The request is in the placement processor, or gone.
                None => match (self.find_app(app), parse_key(key)) {
                    (Some(id), Some(key)) => self.past_request_name(id, key),
                    _ => app.clone(),
                },
            },
        }
    }

    /// Returns the outstanding request with this key.
    pub fn find_request(self, app: &str, key: &str) -> Option<(AppId, &'a KeyAsks)> {
        let id = self.find_app(app)?;
        let sched = self.rm().scheduled(id)?;
        let key = parse_key(key)?;
        let asks = sched.asks.at(sched.asks.find(key)?);
        Some((id, asks))
    }
}

/// Returns whether the queue with this path is `above` or one of its descendants.
pub fn is_in(path: &str, above: &str) -> bool {
    path.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Returns whether the key is that of the request for the ApplicationMaster's own container.
pub fn is_am_request(app: &App, key: RequestKey) -> bool {
    app.waiting_for_am && key.priority == 0 && app.asks.open().len() <= 1
}

/// Reads `priority_allocationRequestId`.
pub fn parse_key(text: &str) -> Option<RequestKey> {
    let (priority, id) = text.split_once('_')?;
    Some(RequestKey { priority: priority.parse().ok()?, allocation_request_id: id.parse().ok()? })
}

fn am_name(app: &str) -> String {
    format!("{app} AM")
}

/// Returns a container's place among those that its application ever got. They are nearly in the order of their numbers, so the
/// search starts near its own number.
fn place_among(containers: &[Got], id: ContainerId) -> Option<usize> {
    let near = usize::try_from(id.seq).unwrap_or(usize::MAX).min(containers.len());
    let (from, to) = (near.saturating_sub(32), near.saturating_add(32).min(containers.len()));
    let is_it = |c: &Got| c.id == id;
    let found = containers[from..to].iter().position(is_it).map(|k| from + k);
    found.or_else(|| containers.iter().position(is_it))
}

/// Returns YARN's id of a container.
pub fn yarn_container_id(names: Names<'_>, id: ContainerId) -> String {
    let app = names.rm().application_id(id.app);
    let numbers = app.strip_prefix("application_").unwrap_or(&app);
    format!("container_{numbers}_{:02}_{:06}", id.attempt, id.seq)
}
