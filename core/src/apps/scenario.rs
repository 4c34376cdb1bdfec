//! The kinds of application that a scenario can have, in one table, and the interface of each ([`Kind`]): start here to add
//! one. `core/src/apps/scenario/read.rs` reads a kind; `core/src/apps/sim.rs` makes its master.

pub(crate) mod anonymise;
pub(crate) mod read;

use crate::apps::samza::scenario::{self as samza, SamzaApp, SamzaChange, SamzaCluster, SamzaHappening};
use crate::apps::service::scenario::{ServiceApp, Upgrade};
use crate::apps::slider::scenario::{self as slider, HistoryEdit, SliderApp};
use crate::constraint::{Constraint, Spec};
#[cfg(doc)]
use crate::model::limits;
use crate::model::{RequestKey, Resource};
use crate::scenario::application::{Call, Shell, SpecText, TaskGroup};
use crate::scenario::edit::Step;
use crate::scenario::happening::Act;
use serde::{Deserialize, Serialize};
use std::any::Any;

/// The interface of a kind of application to the rest of the code. The defaults fit most kinds.
pub trait Kind: Any {
    /// Returns whether its containers are instances of components that it keeps track of.
    fn is_service(&self) -> bool {
        false
    }

    /// Returns whether it runs until it is stopped: a user can have it stopped and started again, and it keeps state of its
    /// own.
    fn is_long_running(&self) -> bool {
        self.is_service()
    }

    /// Returns a name ("A Samza job") for an application that asks for containers as long as a run lasts, so that the run needs
    /// an end; `None`: the application ends.
    fn asks_for_ever(&self) -> Option<&'static str> {
        None
    }

    /// Returns the components that an event names, and those that exist. `name`: the application's. Errors: the event cannot
    /// happen to an application of the kind.
    fn components_of<'a>(&'a self, name: &str, act: &'a Act) -> Result<Components<'a>, NotApplicable> {
        Err(unheard(name, act))
    }

    /// Returns how many containers it asks for one by one after an event that changes its own file; `None`: the event does not
    /// change the number.
    fn one_by_one_after(&self, _act: &Act) -> Option<u64> {
        None
    }

    /// Returns the groups of tasks; empty for other kinds.
    fn tasks(&self) -> &[TaskGroup] {
        &[]
    }

    /// Returns the allocate calls that are written out; empty for other kinds.
    fn calls(&self) -> &[Call] {
        &[]
    }

    /// Returns the placement spec as written, if there is one.
    fn spec_text(&self) -> Option<&SpecText> {
        None
    }

    /// Returns how many containers it can ask for at once, repeated requests not counted.
    fn containers(&self) -> u64;

    /// Returns how many containers it asks for one by one, with a record of each ([`limits::INSTANCES`]).
    fn one_by_one(&self) -> u64;

    /// Returns the number of parts in its description, which each copy repeats: task groups, rows, components, lines of a spec.
    fn parts(&self) -> usize;

    /// Returns the sizes that it asks for at a priority, as written.
    fn sizes(&self, priority: i32) -> Vec<Resource>;

    /// Returns the hosts and racks that its requests name.
    fn places(&self) -> Vec<&str> {
        Vec::new()
    }

    /// Returns the node labels in its own text.
    fn labels(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns the constraints in its own text.
    fn constraints(&self) -> Vec<&Constraint> {
        Vec::new()
    }

    /// Returns the names that it gives to things of its own, each with a description ("The name of a component").
    fn names(&self) -> Vec<(&'static str, &str)> {
        Vec::new()
    }

    /// Returns whether it sends requests with tags and constraints.
    fn sends_constraints(&self) -> bool {
        false
    }

    /// Returns whether a rejected request is gone for good. Other masters ask for it again.
    fn asks_once(&self) -> bool {
        false
    }

    /// Returns where the rows of a request are written: paths of tables, starting at the application's own entry.
    fn rows(&self, key: RequestKey) -> Vec<Vec<Step>>;
}

/// The reason why an application cannot be stopped and started again ([`Kind::is_long_running`]).
pub(crate) const NONE_LONG_RUNNING: &str = "there is no such application of Slider or Samza, and no such YARN service";

/// Settings that all applications of one kind share in a scenario, by kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shared {
    /// `[samza]`.
    pub samza: SamzaCluster,
}

/// Happenings that only one kind of application knows, by kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum KindAct {
    Samza(SamzaHappening),
    Slider(HistoryEdit),
    Service(Upgrade),
}

/// What the rest of the code asks of a happening that only one kind knows.
pub trait OfKind {
    /// The application that it is done to.
    fn app(&self) -> Option<&str>;

    /// The node that it is done to, by host.
    fn node(&self) -> Option<&str> {
        None
    }

    /// Names that it gives to things of the kind, each with what it is ("The name of a component").
    fn names(&self) -> Vec<(&'static str, &str)> {
        Vec::new()
    }

    /// Returns why it is not for the application of this name, which is of another kind.
    fn unheard(&self, name: &str) -> NotApplicable;
}

impl std::ops::Deref for KindAct {
    type Target = dyn OfKind;

    fn deref(&self) -> &Self::Target {
        match self {
            KindAct::Samza(act) => act,
            KindAct::Slider(edit) => edit,
            KindAct::Service(upgrade) => upgrade,
        }
    }
}

/// What a restart changes of an application's own file, by kind.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Changed {
    pub samza: SamzaChange,
}

impl Changed {
    /// Returns whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.samza.is_empty()
    }

    /// Returns why an application of this name cannot be restarted with it.
    fn unheard(&self, name: &str) -> NotApplicable {
        if !self.is_empty() {
            return samza::unheard(name);
        }
        let what = format!("`{name}` is neither an application of Slider, nor a YARN service, nor a Samza job.");
        (what, "Name one whose kind is slider, yarn-service or samza.")
    }
}

/// The file of its own that a flex can give an application.
pub type FlexFile = slider::Definition;

/// Components of an application.
#[derive(Debug, Default)]
pub struct Components<'a> {
    /// The components that an event names.
    pub named: Vec<&'a str>,
    /// The components that the application has at that time.
    pub known: Vec<&'a str>,
}

/// The reason why an event cannot happen to an application, and what to write instead.
pub type NotApplicable = (String, &'static str);

/// Returns why an event does not apply to an application of this name: the event is for other kinds.
pub(crate) fn unheard(name: &str, act: &Act) -> NotApplicable {
    match act {
        Act::OfKind(act) => act.unheard(name),
        Act::Restart { changed, .. } => changed.unheard(name),
        _ => slider::unheard(name),
    }
}

/// Settings in a kind's own file that `[[worlds]]` can change by `<application>.<key>`.
pub(crate) struct OwnSettings {
    /// Returns whether `name` is one of these settings in a scenario's text.
    pub has: fn(text: &str, name: &str) -> bool,
    /// Sets one. Returns the scenario's text. Errors: the setting is not written as an edit expects it.
    pub set: fn(text: &str, name: &str, value: &str) -> Result<String, String>,
}

/// The kinds that have such settings.
pub(crate) const OWN_SETTINGS: [OwnSettings; 2] = [
    OwnSettings { has: samza::edit::has_setting, set: samza::edit::set_setting },
    OwnSettings { has: slider::edit::has_setting, set: slider::edit::set_setting },
];

/// What kinds describe in a scenario, re-exported by `crate::scenario`.
pub mod described {
    pub use super::AppKind;
    pub use crate::apps::samza::scenario::{SamzaApp, SamzaCluster};
    pub use crate::apps::service::scenario::ServiceApp;
    pub use crate::apps::slider::scenario::{HistoryFile, SliderApp};
}

/// Edits of the texts of single kinds.
pub mod edits {
    pub use crate::apps::distributed_shell::scenario::edit::spec_as_requests;
    pub use crate::apps::samza::scenario::edit::set_job_property;
    pub use crate::apps::slider::scenario::edit::set_component;
}

/// What an ApplicationMaster does. It derefs to [`Kind`], the interface that all kinds share; [`AppKind::get`] returns what
/// only one kind has.
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

impl std::ops::Deref for AppKind {
    type Target = dyn Kind;

    fn deref(&self) -> &Self::Target {
        match self {
            AppKind::Batch(groups) => groups,
            AppKind::DistributedShell(shell) => shell,
            AppKind::Requests(calls) => calls,
            AppKind::Slider(slider) => &**slider,
            AppKind::Samza(samza) => &**samza,
            AppKind::Service(service) => &**service,
        }
    }
}

impl AppKind {
    /// Returns the description of an application if its kind is described by `T` ([`SliderApp`], [`SamzaApp`], [`ServiceApp`],
    /// [`Shell`], `Vec<Call>`, `Vec<TaskGroup>`), otherwise `None`.
    pub fn get<T: Kind>(&self) -> Option<&T> {
        let any: &dyn Any = &**self;
        any.downcast_ref()
    }

    /// Returns whether the kind is described by `T`.
    pub fn is<T: Kind>(&self) -> bool {
        self.get::<T>().is_some()
    }

    /// Returns the placement spec as it was read, if there is one.
    pub fn spec(&self) -> Option<&Spec> {
        self.spec_text().map(|written| &written.read)
    }
}

impl From<Vec<TaskGroup>> for AppKind {
    fn from(groups: Vec<TaskGroup>) -> Self {
        AppKind::Batch(groups)
    }
}

impl From<Shell> for AppKind {
    fn from(shell: Shell) -> Self {
        AppKind::DistributedShell(shell)
    }
}

impl From<Vec<Call>> for AppKind {
    fn from(calls: Vec<Call>) -> Self {
        AppKind::Requests(calls)
    }
}

impl From<SliderApp> for AppKind {
    fn from(slider: SliderApp) -> Self {
        AppKind::Slider(Box::new(slider))
    }
}

impl From<SamzaApp> for AppKind {
    fn from(samza: SamzaApp) -> Self {
        AppKind::Samza(Box::new(samza))
    }
}

impl From<ServiceApp> for AppKind {
    fn from(service: ServiceApp) -> Self {
        AppKind::Service(Box::new(service))
    }
}
