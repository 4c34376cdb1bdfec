//! What an ApplicationMaster does, and what the rest has to know of each kind. Whoever adds a kind finds here what is
//! asked of it; how it is read stands in `core/src/scenario/read/apps.rs`, its master in `core/src/apps/sim.rs`.

use crate::apps::distributed_shell::constraint::count;
use crate::apps::samza::scenario::SamzaApp;
use crate::apps::service::scenario::ServiceApp;
use crate::apps::slider::scenario::SliderApp;
use crate::constraint::Spec;
#[cfg(doc)]
use crate::model::limits;
use crate::model::{RequestKey, Resource};
use crate::scenario::application::{Call, Shell, SpecText, TaskGroup};
use crate::scenario::edit::Step;
use serde::{Deserialize, Serialize};

/// What an ApplicationMaster does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum AppKind {
    /// Groups of tasks with durations.
    Batch(Vec<TaskGroup>),
    /// Hadoop's distributed shell (lifecycles-and-timing.md 6.2).
    DistributedShell(Shell),
    /// Allocate calls at given times.
    Requests(Vec<Call>),
    /// Apache Slider (slider-placement.md).
    Slider(Box<SliderApp>),
    /// Apache Samza with host affinity (samza-host-affinity.md).
    Samza(Box<SamzaApp>),
    /// A YARN service (lifecycles-and-timing.md 6.3).
    Service(Box<ServiceApp>),
}

impl AppKind {
    /// Is it a service, whose containers are instances of components, of which it keeps books?
    pub fn is_service(&self) -> bool {
        matches!(self, AppKind::Slider(_) | AppKind::Service(_))
    }

    /// Does it run until it is stopped: can a user have it stopped and started again, and does it keep books of its own?
    pub fn is_long_running(&self) -> bool {
        self.is_service() || matches!(self, AppKind::Samza(_))
    }

    /// Groups of tasks; of other kinds none.
    pub fn tasks(&self) -> &[TaskGroup] {
        match self {
            AppKind::Batch(groups) => groups,
            _ => &[],
        }
    }

    /// Allocate calls that are written out; of other kinds none.
    pub fn calls(&self) -> &[Call] {
        match self {
            AppKind::Requests(calls) => calls,
            _ => &[],
        }
    }

    /// Its placement spec as it is written, if it has one.
    pub fn spec_text(&self) -> Option<&SpecText> {
        match self {
            AppKind::DistributedShell(shell) => shell.spec.as_ref(),
            _ => None,
        }
    }

    /// Its placement spec as it was read, if it has one.
    pub fn spec(&self) -> Option<&Spec> {
        self.spec_text().map(|written| &written.read)
    }

    /// How many containers it can ask for at once, asking again left out.
    pub fn containers(&self) -> u64 {
        match self {
            AppKind::Batch(groups) => groups.iter().map(|g| u64::from(g.count)).sum(),
            AppKind::DistributedShell(Shell { spec: Some(spec), containers, .. }) => {
                let containers = i32::try_from(*containers).unwrap_or(i32::MAX);
                count(&spec.read, containers).unsigned_abs()
            }
            AppKind::DistributedShell(shell) => u64::from(shell.containers),
            AppKind::Requests(calls) => calls
                .iter()
                .flat_map(|c| c.asks.iter().map(|a| a.row.count).chain(c.scheduling.iter().map(|s| s.count)))
                .fold(0, |sum: u64, n| sum.saturating_add(n.unsigned_abs())),
            AppKind::Slider(slider) => slider.containers(),
            AppKind::Samza(samza) => samza.containers(),
            AppKind::Service(service) => service.containers(),
        }
    }

    /// How many containers it asks for one by one, with a record of each ([`limits::INSTANCES`]).
    pub fn one_by_one(&self) -> u64 {
        match self {
            AppKind::Batch(_) | AppKind::Requests(_) | AppKind::DistributedShell(Shell { spec: None, .. }) => 0,
            AppKind::DistributedShell(Shell { spec: Some(_), .. })
            | AppKind::Slider(_)
            | AppKind::Samza(_)
            | AppKind::Service(_) => self.containers(),
        }
    }

    /// How much is written of it, which each of its copies has: task groups, rows, components, lines of a spec.
    pub fn parts(&self) -> usize {
        match self {
            AppKind::Batch(groups) => groups.len(),
            AppKind::DistributedShell(shell) => shell.spec.as_ref().map_or(1, |s| 1 + s.text.len() / 100),
            AppKind::Requests(calls) => calls.iter().map(|c| 1 + c.asks.len() + c.scheduling.len()).sum(),
            AppKind::Slider(slider) => 1 + slider.definition.components.len() + slider.history.len(),
            AppKind::Samza(samza) => samza.parts(),
            AppKind::Service(service) => 1 + service.components.len(),
        }
    }

    /// Sizes that it asks for at a priority, as written.
    pub fn sizes(&self, priority: i32) -> Vec<Resource> {
        match self {
            AppKind::Batch(groups) => groups.iter().filter(|g| g.priority == priority).map(|g| g.size).collect(),
            AppKind::DistributedShell(shell) => vec![shell.size],
            AppKind::Requests(calls) => {
                let asks = calls.iter().flat_map(|c| &c.asks).filter(|a| a.row.priority == priority);
                let tagged = calls.iter().flat_map(|c| &c.scheduling).filter(|a| a.priority == priority);
                asks.map(|a| a.row.size).chain(tagged.map(|a| a.size)).collect()
            }
            AppKind::Slider(slider) => slider.size(priority).into_iter().collect(),
            AppKind::Samza(samza) => vec![samza.size()],
            AppKind::Service(service) => service.component(priority).map(|c| c.size).into_iter().collect(),
        }
    }

    /// Hosts and racks that its requests name.
    pub fn places(&self) -> Vec<&str> {
        match self {
            AppKind::Batch(groups) => groups.iter().flat_map(|g| &g.places).map(String::as_str).collect(),
            AppKind::DistributedShell(_) | AppKind::Slider(_) | AppKind::Service(_) => Vec::new(),
            AppKind::Samza(samza) => samza.before.hosts.values().map(String::as_str).collect(),
            AppKind::Requests(calls) => {
                let rows = calls.iter().flat_map(|c| &c.asks).map(|a| a.row.place.as_str());
                rows.filter(|p| *p != "*").collect()
            }
        }
    }

    /// Does it send requests with tags and constraints?
    pub fn sends_constraints(&self) -> bool {
        match self {
            AppKind::Batch(_) | AppKind::Slider(_) | AppKind::Samza(_) => false,
            AppKind::Service(service) => service.scheduling,
            AppKind::DistributedShell(shell) => shell.spec.is_some(),
            AppKind::Requests(calls) => calls.iter().any(|c| !c.scheduling.is_empty()),
        }
    }

    /// Is a request of it that was rejected gone for good? Other masters ask for it again.
    pub fn asks_once(&self) -> bool {
        match self {
            AppKind::Requests(_) | AppKind::Service(_) => true,
            AppKind::Batch(_) | AppKind::DistributedShell(_) | AppKind::Slider(_) | AppKind::Samza(_) => false,
        }
    }

    /// Where the rows of a request are written: paths of tables, from the application's own entry on.
    pub fn rows(&self, key: RequestKey) -> Vec<Vec<Step>> {
        let at = |list: &str, i: usize| vec![Step::from(list), Step::from(i)];
        match self {
            AppKind::Batch(groups) => {
                let mine = groups.iter().enumerate().filter(|(_, g)| g.priority == key.priority);
                mine.map(|(i, _)| at("tasks", i)).collect()
            }
            AppKind::DistributedShell(_) => vec![Vec::new()],
            // Their sizes are keys of components or of properties, with other names.
            AppKind::Slider(_) | AppKind::Samza(_) => Vec::new(),
            AppKind::Service(service) => service.rows(key),
            AppKind::Requests(calls) => {
                // They are read in the order of their times, and written in any.
                let written = |i: usize| calls.iter().filter(|c| c.span.start < calls[i].span.start).count();
                let mut out = Vec::new();
                for (i, call) in calls.iter().enumerate() {
                    let asks = (0..).zip(&call.asks).filter(|(_, a)| a.row.key() == key).map(|(j, _)| ("asks", j));
                    let tagged = (0..).zip(&call.scheduling).filter(|(_, s)| s.key() == key);
                    let lists = asks.chain(tagged.map(|(j, _)| ("scheduling", j)));
                    out.extend(lists.map(|(list, j)| [at("calls", written(i)), at(list, j)].concat()));
                }
                out
            }
        }
    }
}
