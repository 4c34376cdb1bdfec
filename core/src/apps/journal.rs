//! What ApplicationMasters decided, and why: what all kinds have in common, and an entry for each kind that decides more.

pub use crate::apps::samza::journal::SamzaAct;
pub use crate::apps::service::journal::ServiceAct;
pub use crate::apps::slider::journal::SliderAct;

use crate::journal::{Class, Subject};
use crate::model::{AppId, ContainerId, Millis, RequestKey};
use serde::{Deserialize, Serialize};

/// A decision of an ApplicationMaster. What it asks YARN for and what it is told is not repeated here: that shows in what
/// follows.
#[derive(Clone, Debug, PartialEq)]
pub enum MasterAct {
    /// It gives back a container that it has no use for.
    Surplus { container: ContainerId },
    /// The work of a container is lost: it asks for another one under the same key.
    AskedAgain { lost: ContainerId, key: RequestKey, exit_code: i32 },
    /// Room was asked back: it stops a container.
    GaveBack {
        container: ContainerId,
        /// Whether this container was asked back itself, not another in its place.
        asked: bool,
        /// For how long it had worked.
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
    /// It ends without success.
    GaveUp { app: AppId, why: GiveUp },
}

impl MasterAct {
    /// Returns whom it is about and what it counts as. Most are asides, as long as no view shows them.
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

/// Why a master gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum GiveUp {
    /// One task failed once too often.
    TaskFailures { failures: u32 },
    /// Too many requests were rejected.
    Rejections { rejected: i64 },
    /// The ResourceManager refused a call.
    CallRefused,
    /// It cannot work with what it is to do.
    Definition,
    /// Its containers are larger than any that the ResourceManager gives.
    TooLarge,
}
