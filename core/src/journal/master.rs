//! What ApplicationMasters decided, and why.

use super::{SamzaAct, ServiceAct, SliderAct};
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
        /// Was this one asked back, or is it another in its stead?
        asked: bool,
        /// For how long it had worked.
        worked: Millis,
        /// Is that work kept?
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
