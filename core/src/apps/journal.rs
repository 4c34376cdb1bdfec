//! The decisions of ApplicationMasters and their reasons: those that all kinds share, and an entry for each kind that has more.

pub use crate::apps::samza::journal::SamzaAct;
pub use crate::apps::service::journal::ServiceAct;
pub use crate::apps::slider::journal::SliderAct;

use crate::journal::{Class, Subject};
use crate::model::{AppId, ContainerId, Millis, RequestKey};
use serde::{Deserialize, Serialize};

/// A decision of an ApplicationMaster. Its calls and YARN's answers are not repeated here: other entries record them.
#[derive(Clone, Debug, PartialEq)]
pub enum MasterAct {
    /// The master gives back a container that it has no use for.
    Surplus { container: ContainerId },
    /// The work of a container is lost; the master asks for another container under the same key.
    AskedAgain { lost: ContainerId, key: RequestKey, exit_code: i32 },
    /// The master stops a container because preemption asked for resources.
    GaveBack {
        container: ContainerId,
        /// Whether preemption asked for this container, and not for another one in whose place it is stopped.
        asked: bool,
        /// How long the container had worked.
        worked: Millis,
        /// Whether that work is kept.
        keeps: bool,
    },
    /// A decision of Slider.
    Slider(Box<SliderAct>),
    /// A decision of Samza.
    Samza(Box<SamzaAct>),
    /// A decision of a YARN service.
    Service(Box<ServiceAct>),
    /// The master ends without success.
    GaveUp { app: AppId, why: GiveUp },
}

impl MasterAct {
    /// Returns the subject of the decision and its class. Most decisions are asides, as no view shows them.
    pub(crate) fn traits(&self) -> (Subject, Class) {
        match self {
            MasterAct::Surplus { container } => (Subject::container(*container), Class::Aside),
            MasterAct::AskedAgain { lost, key, .. } => (Subject::container(*lost).key(*key), Class::Aside),
            MasterAct::GaveBack { container, .. } => (Subject::container(*container), Class::Happened(None)),
            MasterAct::Slider(act) => (of_act(act.app, act.key, act.decision.container()), Class::Happened(None)),
            MasterAct::Samza(act) => {
                let class = if act.decision.repeats() { Class::Aside } else { Class::Happened(None) };
                (of_act(act.app, act.key, act.decision.container()), class)
            }
            MasterAct::Service(act) => (of_act(act.app, act.key, act.decision.container()), Class::Happened(None)),
            MasterAct::GaveUp { app, .. } => (Subject::app(*app), Class::Aside),
        }
    }
}

/// Returns the subject of a decision that may be about one of the containers.
fn of_act(app: AppId, key: Option<RequestKey>, container: Option<ContainerId>) -> Subject {
    Subject { key, ..container.map_or(Subject::app(app), Subject::container) }
}

/// The reason why a master gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum GiveUp {
    /// A task failed too often.
    TaskFailures { failures: u32 },
    /// Too many requests were rejected.
    Rejections { rejected: i64 },
    /// The ResourceManager refused a call.
    CallRefused,
    /// Its definition cannot be run.
    Definition,
    /// Its containers are larger than the largest one that the ResourceManager grants.
    TooLarge,
}
