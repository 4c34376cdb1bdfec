//! Apache Slider: the ApplicationMaster of long-running services whose components return to where they were
//! (slider-placement.md; 0.92.0-incubating, what 0.93 changed by [`Version`]).
//!
//! [`Slider`] is the state of one attempt as a machine: an [`Event`] goes in, operations for YARN and every decision
//! with its reason come out. It has no time and no queue of its own; [`queue`] has both. What an attempt leaves behind
//! are its [`Files`].
//!
//! | file | what |
//! |---|---|
//! | `tree`, `definition`, `settings`, `policy` | resources.json: read with positions; what is odd in it, and how it is written; resolved and parsed; the mask of policies |
//! | `component`, `ending`, `nodes` | counters of components and hosts, and what the end of a container counts as |
//! | `requests`, `history` | outstanding requests; recent lists and the choice of hosts |
//! | `records`, `files`, `json` | history files: their records, their directory, the parser |
//! | `start`, `review`, `containers` | the machine: starts and flexes, reviews, grants and ends |
//! | `queue` | the event loop: reviews one after the other, the two timers |
//! | `client`, `attempt` | the ask table of YARN's client; all parts of an attempt put together |
//! | `master` | an attempt as an ApplicationMaster of the simulation |
//! | `outstanding` | what each missing container waits for, and which of the manual's causes it is |
//!
//! Not modelled: the health monitor of 0.93 (it only takes the failure threshold out of force), the chaos monkey,
//! container upgrades.

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
pub use ending::Outcome;
pub use files::Files;
pub use history::History;
pub use nodes::{NodeReport, NodeState};
pub use policy::Policy;
pub use requests::{Ask, AskId, Match};
pub use settings::{Definition, Limits, Refused, Settings};
pub use start::{Live, Start};

use crate::model::{ContainerId, Millis};
use std::collections::{BTreeMap, BTreeSet};

/// Which Slider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub enum Version {
    /// 0.92.0-incubating, the last release.
    #[default]
    V092,
    /// 0.93.0-incubating-SNAPSHOT, never released: relaxed requests are met on any host, an end that is nobody's fault
    /// is no failure.
    V093,
}

/// A container that the application owns: its launch was submitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// Its component.
    pub component: i32,
    /// Its host.
    pub host: String,
    /// When its launch was submitted.
    pub created: Millis,
    /// When it was started.
    pub started: Option<Millis>,
    /// Is it being released?
    pub released: bool,
}

/// Counts of the application.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Totals {
    /// Containers that ended without being released.
    pub failed: i64,
    /// Containers that were started.
    pub started: i64,
    /// Containers that nodes could not start.
    pub start_failed: i64,
    /// Containers beyond what was wanted.
    pub surplus: i64,
    /// Ends of containers that are not known.
    pub unknown_completed: i64,
}

/// One attempt of a Slider ApplicationMaster.
#[derive(Clone, Debug, PartialEq)]
pub struct Slider {
    version: Version,
    limits: Limits,
    definition: Definition,
    /// Thresholds of resources.json's `global` at the start: for components that it does not have, and for all.
    failure_threshold: i32,
    short_life: Millis,
    components: BTreeMap<i32, Component>,
    history: History,
    files: Files,
    /// Granted and used, launch not submitted: component and host.
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
    /// An application without components on a cluster that nobody has told of.
    pub fn new(version: Version, limits: Limits, definition: Definition, files: Files) -> Result<Self, Refused> {
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

    /// Takes an event in, at this time.
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

    /// Which Slider it is.
    pub fn version(&self) -> Version {
        self.version
    }

    /// The definition in force.
    pub fn definition(&self) -> &Definition {
        &self.definition
    }

    /// All components in the order of their ids.
    pub fn components(&self) -> impl Iterator<Item = &Component> {
        self.components.values()
    }

    /// A component by its id.
    pub fn component(&self, id: i32) -> Option<&Component> {
        self.components.get(&id)
    }

    /// A component by its id, to be changed from outside: for tests of single rules.
    pub fn component_mut(&mut self, id: i32) -> Option<&mut Component> {
        self.components.get_mut(&id)
    }

    /// How many recent failures a component may have; 0 and less: any number.
    pub fn failure_threshold(&self, component: &Component) -> i32 {
        let own = self.definition.failure_threshold(&component.group, self.failure_threshold);
        own.unwrap_or(self.failure_threshold)
    }

    /// The role history.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The role history, to be changed from outside: for tests of single rules.
    pub fn history_mut(&mut self) -> &mut History {
        &mut self.history
    }

    /// The history files as they are now.
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// The history files, for somebody who edits, damages or deletes them.
    pub fn files_mut(&mut self) -> &mut Files {
        &mut self.files
    }

    /// Containers whose launch was submitted and that have not ended.
    pub fn owned(&self) -> &BTreeMap<ContainerId, Instance> {
        &self.owned
    }

    /// Containers that run, without the ApplicationMaster's own.
    pub fn live(&self) -> usize {
        self.live.len()
    }

    /// Containers that run for it or are to end, as far as it knows: used ones, and surplus.
    pub fn held(&self) -> BTreeSet<ContainerId> {
        let known = self.owned.keys().chain(self.starting.keys()).chain(self.releasing.keys());
        known.chain(&self.surplus).copied().collect()
    }

    /// Containers that were handed over and whose launch was not submitted.
    pub fn assigned(&self) -> impl Iterator<Item = ContainerId> + '_ {
        self.assigned.keys().copied()
    }

    /// Has it been granted this container? Of those that have ended only failed ones are remembered.
    pub fn knows(&self, id: ContainerId) -> bool {
        self.container(id).is_some() || self.surplus.contains(&id)
    }

    /// The component and the host of a container that was granted, ended ones that had failed among them.
    pub fn container(&self, id: ContainerId) -> Option<(i32, &str)> {
        let of = |i: &'_ Instance| i.component;
        let used = self.owned.get(&id).or_else(|| self.starting.get(&id)).or_else(|| self.failed.get(&id));
        let used = used.map(|i| (of(i), i.host.as_str()));
        let assigned = || self.assigned.get(&id).or_else(|| self.releasing.get(&id));
        used.or_else(|| assigned().map(|(component, host)| (*component, host.as_str())))
    }

    /// Counts of the application.
    pub fn totals(&self) -> &Totals {
        &self.totals
    }

    /// Containers that are wanted and not there.
    pub fn requests_outstanding(&self) -> i64 {
        self.components.values().map(|c| c.counters.desired - c.counters.actual).sum()
    }

    /// Requests that YARN has.
    pub fn active_requests(&self) -> i64 {
        self.components.values().map(|c| c.counters.requested).sum()
    }

    fn save(&mut self, now: Millis) {
        let mapping = self.components.values().map(|c| (c.name.clone(), c.id())).collect();
        self.files.save(&self.history.records(now, mapping));
    }
}
