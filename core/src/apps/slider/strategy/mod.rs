//! Apache Slider: the ApplicationMaster of long-running services whose components return to the hosts that they used before
//! (slider-placement.md; 0.92.0-incubating; [`Version`] has the changes of 0.93).
//!
//! [`Slider`] is the state of one attempt as a machine: its input is an [`Event`], its output are operations for YARN and every
//! decision with its reason. It has no time and no queue of its own; [`queue`] has both. An attempt leaves its [`Files`]
//! behind.
//!
//! | file | what |
//! |---|---|
//! | `tree`, `definition`, `settings`, `policy` | resources.json: read with positions; its problems, and how it is written; resolved and parsed; the mask of policies |
//! | `component`, `ending`, `nodes` | counters of components and hosts, and how the end of a container counts |
//! | `requests`, `history` | outstanding requests; recent lists and the choice of hosts |
//! | `records`, `files`, `json` | history files: their records, their directory, the parser |
//! | `start`, `review`, `containers` | the machine: starts and flexes, reviews, grants and ends |
//! | `queue` | the event loop: queued reviews, the two timers |
//! | `client`, `attempt` | the ask table of YARN's client; the parts of an attempt combined |
//! | `master` | an attempt as an ApplicationMaster of the simulation |
//! | `outstanding` | what each missing container waits for, and which of the manual's causes it is |
//!
//! Not modelled: the health monitor of 0.93 (it only disables the failure threshold), the chaos monkey, container upgrades.

pub mod attempt;
pub mod client;
pub mod component;
mod containers;
pub mod decision;
pub mod definition;
pub mod ending;
pub mod files;
pub mod history;
pub mod json;
pub mod master;
pub mod nodes;
pub mod outstanding;
pub mod policy;
pub mod queue;
pub mod records;
pub mod requests;
mod review;
pub mod settings;
mod start;
#[cfg(test)]
mod tests;
pub mod tree;

pub use component::{Component, Counters};
pub use decision::{Decision, Event, Grant, Operation, Report, Stopped};
pub use ending::ContainerOutcome;
pub use files::Files;
pub use history::History;
pub use nodes::{NodeReport, NodeState};
pub use policy::Policy;
pub use requests::{Ask, AskId, Match};
pub use settings::{Definition, Limits, Settings, SliderException};
pub use start::{Live, Start};

use crate::model::{ContainerId, Millis};
use std::collections::{BTreeMap, BTreeSet};

/// The version of Slider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub enum Version {
    /// 0.92.0-incubating, the last release.
    #[default]
    V092,
    /// 0.93.0-incubating-SNAPSHOT, never released: a relaxed request can be met on any host, and an end that is nobody's fault
    /// is not a failure.
    V093,
}

/// A container that the application owns: its launch was submitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// Its component.
    pub component: i32,
    /// Its host.
    pub host: String,
    /// The time at which its launch was submitted.
    pub created: Millis,
    /// The time at which it was started.
    pub started: Option<Millis>,
    /// Whether it is being released.
    pub released: bool,
}

/// Counts of the whole application.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Totals {
    /// Containers that ended without being released.
    pub failed: i64,
    /// Containers that were started.
    pub started: i64,
    /// Containers that nodes failed to start.
    pub start_failed: i64,
    /// Containers beyond the wanted number.
    pub surplus: i64,
    /// Ends of unknown containers.
    pub unknown_completed: i64,
}

/// One attempt of a Slider ApplicationMaster.
#[derive(Clone, Debug, PartialEq)]
pub struct Slider {
    version: Version,
    limits: Limits,
    definition: Definition,
    /// The failure threshold in `global` at the start: for components that resources.json does not have, and as the default of
    /// the others.
    failure_threshold: i32,
    short_life: Millis,
    components: BTreeMap<i32, Component>,
    history: History,
    files: Files,
    /// Used grants whose launch was not submitted: component and host.
    assigned: BTreeMap<ContainerId, (i32, String)>,
    owned: BTreeMap<ContainerId, Instance>,
    starting: BTreeMap<ContainerId, Instance>,
    live: BTreeSet<ContainerId>,
    failed: BTreeMap<ContainerId, Instance>,
    releasing: BTreeMap<ContainerId, (i32, String)>,
    surplus: BTreeSet<ContainerId>,
    totals: Totals,
    next_ask: u64,
}

impl Slider {
    /// Creates an application without components, on a cluster without reported nodes.
    pub fn new(
        version: Version,
        limits: Limits,
        definition: Definition,
        files: Files,
    ) -> Result<Self, SliderException> {
        Ok(Slider {
            version,
            limits,
            failure_threshold: definition.global_failure_threshold()?,
            short_life: i64::from(definition.short_life()?) * 1000,
            definition,
            components: BTreeMap::new(),
            history: History::default(),
            files,
            assigned: BTreeMap::new(),
            owned: BTreeMap::new(),
            starting: BTreeMap::new(),
            live: BTreeSet::new(),
            failed: BTreeMap::new(),
            releasing: BTreeMap::new(),
            surplus: BTreeSet::new(),
            totals: Totals::default(),
            next_ask: 0,
        })
    }

    /// Processes an event at this time.
    pub fn handle(&mut self, now: Millis, event: Event) -> Report {
        let mut report = Report::default();
        match event {
            Event::Nodes(reports) => self.nodes(&reports, &mut report),
            Event::Flex(definition) => self.flex(definition, &mut report),
            Event::Review => self.review(now, &mut report),
            Event::Granted(grants) => self.granted(now, grants, &mut report),
            Event::Launched(containers) => containers.iter().for_each(|c| self.launched(now, *c)),
            Event::Started(containers) => containers.iter().for_each(|c| self.started(now, *c)),
            Event::LaunchFailed(container) => self.launch_failed(now, container, &mut report),
            Event::Completed(ended) => {
                for (container, status) in ended {
                    let how = self.completed(now, container, status);
                    report.decisions.push(Decision::Ended { container, how });
                }
                report.review = true;
            }
            Event::AgentLost(container) => self.agent_lost(container, &mut report),
            Event::EscalationCheck => self.escalate(now, &mut report),
            Event::FailureWindow => {
                self.reset_failures(&mut report);
                self.blacklist(&mut report);
            }
        }
        report
    }

    /// Returns the version.
    pub fn version(&self) -> Version {
        self.version
    }

    /// Returns the definition in force.
    pub fn definition(&self) -> &Definition {
        &self.definition
    }

    /// Returns all components in the order of their ids.
    pub fn components(&self) -> impl Iterator<Item = &Component> {
        self.components.values()
    }

    /// Returns a component by its id.
    pub fn component(&self, id: i32) -> Option<&Component> {
        self.components.get(&id)
    }

    /// Returns a component by its id for changes, in tests of single rules.
    pub fn component_mut(&mut self, id: i32) -> Option<&mut Component> {
        self.components.get_mut(&id)
    }

    /// Returns how many recent failures a component may have; 0 and less: any number.
    pub fn failure_threshold(&self, component: &Component) -> i32 {
        let own = self.definition.failure_threshold(&component.group, self.failure_threshold);
        own.unwrap_or(self.failure_threshold)
    }

    /// Returns the role history.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Returns the role history for changes, in tests of single rules.
    pub fn history_mut(&mut self) -> &mut History {
        &mut self.history
    }

    /// Returns the current history files.
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// Returns the history files, for edits, damage and deletion.
    pub fn files_mut(&mut self) -> &mut Files {
        &mut self.files
    }

    /// Returns the containers whose launch was submitted and that have not ended.
    pub fn owned(&self) -> &BTreeMap<ContainerId, Instance> {
        &self.owned
    }

    /// Returns the number of running containers, without the ApplicationMaster's own.
    pub fn live(&self) -> usize {
        self.live.len()
    }

    /// Returns the containers that run for it or are to end, as far as it knows: used ones, and surplus.
    pub fn held(&self) -> BTreeSet<ContainerId> {
        let known = self.owned.keys().chain(self.starting.keys()).chain(self.releasing.keys());
        known.chain(&self.surplus).copied().collect()
    }

    /// Returns the granted containers whose launch was not submitted.
    pub fn assigned(&self) -> impl Iterator<Item = ContainerId> + '_ {
        self.assigned.keys().copied()
    }

    /// Returns whether it knows this container as granted. Of ended ones it remembers only those that failed.
    pub fn knows(&self, id: ContainerId) -> bool {
        self.container(id).is_some() || self.surplus.contains(&id)
    }

    /// Returns the component and the host of a granted container; of ended ones only those that failed.
    pub fn container(&self, id: ContainerId) -> Option<(i32, &str)> {
        let of = |i: &'_ Instance| i.component;
        let used = self.owned.get(&id).or_else(|| self.starting.get(&id)).or_else(|| self.failed.get(&id));
        let used = used.map(|i| (of(i), i.host.as_str()));
        let assigned = || self.assigned.get(&id).or_else(|| self.releasing.get(&id));
        used.or_else(|| assigned().map(|(component, host)| (*component, host.as_str())))
    }

    /// Returns the counts of the whole application.
    pub fn totals(&self) -> &Totals {
        &self.totals
    }

    /// Returns the number of missing containers.
    pub fn requests_outstanding(&self) -> i64 {
        self.components.values().map(|c| c.counters.desired - c.counters.actual).sum()
    }

    /// Returns the number of requests in YARN.
    pub fn active_requests(&self) -> i64 {
        self.components.values().map(|c| c.counters.requested).sum()
    }

    fn save(&mut self, now: Millis) {
        let mapping = self.components.values().map(|c| (c.name.clone(), c.id())).collect();
        self.files.save(&self.history.records(now, mapping));
    }
}
