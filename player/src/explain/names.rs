//! From the numbers of arenas to the names that the user knows, and back.

use super::view::Selection;
use crate::apps::{told_at, told_of};
use heddle_core::model::{AppId, ContainerId, Millis, NodeId, PartitionId, QueueId, RequestKey};
use heddle_core::rm::ResourceManager;
use heddle_core::scenario::Scenario;
use heddle_core::scheduler::{App, KeyAsks, Node};
use heddle_core::sim::{AppRun, Got, Simulation};

/// Names of one moment.
#[derive(Clone, Copy)]
pub struct Names<'a> {
    /// The simulation at that moment.
    pub sim: &'a Simulation,
    /// That moment: at or after the last event.
    pub now: Millis,
}

/// Whether two requests of the application at a place of the scenario, of other keys, are for the same.
pub fn asks_for_the_same(scenario: &Scenario, place: usize, a: RequestKey, b: RequestKey) -> bool {
    told_at(scenario, place).asks_for_the_same(a, b)
}

impl<'a> Names<'a> {
    /// Names of the moment of the last event.
    pub fn new(sim: &'a Simulation) -> Self {
        Names { sim, now: sim.now() }
    }

    /// Names of this moment.
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

    /// The application as it runs.
    pub fn run(self, app: AppId) -> Option<&'a AppRun> {
        self.sim.apps().get(self.sim.place_of(app)?)
    }

    /// Name of an application.
    pub fn app(self, app: AppId) -> &'a str {
        let place = self.sim.place_of(app);
        place.and_then(|i| self.scenario().apps.get(i)).map_or("", |a| a.name.as_str())
    }

    /// The application of this name, if it is submitted.
    pub fn find_app(self, name: &str) -> Option<AppId> {
        let i = self.scenario().apps.iter().position(|a| a.name == name)?;
        self.sim.apps().get(i)?.id
    }

    /// Are two requests of an application for the same? Those of a component of Slider are, relaxed or not; what Samza asks for
    /// a host it asks for anywhere later, under another key.
    pub fn alike(self, app: AppId, a: RequestKey, b: RequestKey) -> bool {
        let place = self.sim.place_of(app);
        a == b || place.is_some_and(|place| asks_for_the_same(self.scenario(), place, a, b))
    }

    /// Name of a node.
    pub fn node(self, node: NodeId) -> &'a str {
        self.rm().node(node).map_or("", |n| n.host.as_str())
    }

    /// Path of a queue.
    pub fn queue(self, queue: QueueId) -> &'a str {
        self.rm().queue_path(queue)
    }

    /// Path of the queue that an application is in.
    pub fn queue_of(self, app: AppId) -> &'a str {
        self.rm().app(app).map_or("", |a| a.queue.as_str())
    }

    /// A queue and those above it, up to root.
    pub fn path_up(self, queue: QueueId) -> impl Iterator<Item = QueueId> + 'a {
        std::iter::successors(Some(queue), move |q| self.rm().parent_of(*q))
    }

    /// Name of a partition, "" for the default one.
    pub fn partition(self, partition: PartitionId) -> &'a str {
        self.rm().cluster().partition_name(partition)
    }

    /// Number of a container among those that its application ever got, from 0. Those that the AM has not heard of
    /// yet come after the others.
    pub fn number(self, id: ContainerId) -> Option<usize> {
        let run = self.run(id.app)?;
        if let Some(k) = place_among(&run.containers, id) {
            return Some(k);
        }
        self.ahead(id).map(|ahead| run.containers.len() + ahead)
    }

    /// How many containers are granted before this one and not yet heard of by the AM; `None` if it is not such a one.
    fn ahead(self, id: ContainerId) -> Option<usize> {
        let cluster = self.rm().cluster();
        let app = self.rm().scheduled(id.app)?;
        app.granted.iter().position(|slot| cluster.containers.at(*slot).id == id)
    }

    /// The k-th container that an application ever got.
    pub fn nth(self, app: AppId, k: usize) -> Option<ContainerId> {
        let run = self.run(app)?;
        if let Some(got) = run.containers.get(k) {
            return Some(got.id);
        }
        let slot = self.rm().scheduled(app)?.granted.get(k - run.containers.len())?;
        Some(self.rm().cluster().containers.at(*slot).id)
    }

    /// Selection of a container.
    pub fn container(self, id: ContainerId) -> Selection {
        Selection::Container { app: self.app(id.app).to_string(), k: self.number(id).unwrap_or(usize::MAX) }
    }

    /// What the containers of an application are asked under that its AM has not heard of yet, in their order.
    fn granted(self, app: AppId) -> impl Iterator<Item = RequestKey> {
        let cluster = self.rm().cluster();
        let slots = self.rm().scheduled(app).map_or(&[][..], |app| &app.granted);
        slots.iter().map(|slot| cluster.containers.at(*slot).key)
    }

    /// `zk-2`; with a tag, which stands for itself, `zk-2` again; else as containers of its kind are called.
    fn numbered(self, app: AppId, tag: Option<&str>, number: usize) -> String {
        let name = self.app(app);
        let called = told_of(self, app).called(name, tag, number);
        called.unwrap_or_else(|| format!("{}-{number}", tag.unwrap_or(name)))
    }

    fn has_components(self, app: AppId) -> bool {
        let spec = self.sim.place_of(app).and_then(|place| self.scenario().apps.get(place));
        spec.is_some_and(|app| app.kind.is_service())
    }

    /// `zk-2`, `zk AM`, `kafka broker-2`.
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

    /// Selection of a request.
    pub fn request(self, app: AppId, key: RequestKey) -> Selection {
        Selection::Request { app: self.app(app).to_string(), key: key.to_string() }
    }

    /// What a request is called: `zk-3` when one container is outstanding, `etl` when several are (`kafka broker` of a
    /// Slider), `zk AM`.
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

    /// Name of a request of which the AM may be gone: `zk-3`.
    pub fn past_request_name(self, app: AppId, key: RequestKey) -> String {
        match self.sim.numbered(app, key) {
            Some((tag, number)) => self.numbered(app, tag.as_deref(), number),
            None => self.request_name(app, key, 1),
        }
    }

    /// Has its machine fallen silent, which YARN does not know yet?
    pub fn is_silent(self, node: &Node) -> bool {
        node.in_scheduler && self.sim.machine(node.id).is_some_and(|m| !m.alive)
    }

    /// Name of whatever is selected.
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
                // In the placement processor, or gone.
                None => match (self.find_app(app), parse_key(key)) {
                    (Some(id), Some(key)) => self.past_request_name(id, key),
                    _ => app.clone(),
                },
            },
        }
    }

    /// The outstanding request with this key.
    pub fn find_request(self, app: &str, key: &str) -> Option<(AppId, &'a KeyAsks)> {
        let id = self.find_app(app)?;
        let sched = self.rm().scheduled(id)?;
        let key = parse_key(key)?;
        let asks = sched.asks.at(sched.asks.find(key)?);
        Some((id, asks))
    }
}

/// Is the queue of this path `above`, or below it?
pub fn is_in(path: &str, above: &str) -> bool {
    path.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Is it the request for the ApplicationMaster's own container?
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

/// Place of a container among those that its application ever got. They come about in the order of their numbers, so it
/// is looked for near its own first.
fn place_among(containers: &[Got], id: ContainerId) -> Option<usize> {
    let near = usize::try_from(id.seq).unwrap_or(usize::MAX).min(containers.len());
    let (from, to) = (near.saturating_sub(32), near.saturating_add(32).min(containers.len()));
    let is_it = |c: &Got| c.id == id;
    let found = containers[from..to].iter().position(is_it).map(|k| from + k);
    found.or_else(|| containers.iter().position(is_it))
}

/// YARN's id of a container.
pub fn yarn_container_id(names: Names<'_>, id: ContainerId) -> String {
    let app = names.rm().application_id(id.app);
    let numbers = app.strip_prefix("application_").unwrap_or(&app);
    format!("container_{numbers}_{:02}_{:06}", id.attempt, id.seq)
}
