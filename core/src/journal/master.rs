//! What ApplicationMasters decided, and why.

use crate::model::{AppId, ContainerId, RequestKey};

/// A decision of an ApplicationMaster. What it asks YARN for and what it is told is not repeated here: that shows in what
/// follows.
#[derive(Clone, Debug, PartialEq)]
pub enum MasterAct {
    /// It gives back a container that it has no use for.
    Surplus { container: ContainerId },
    /// The work of a container is lost: it asks for another one under the same key.
    AskedAgain { lost: ContainerId, key: RequestKey, exit_code: i32 },
    /// It ends without success.
    GaveUp { app: AppId, why: GiveUp },
}

/// Why a master gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GiveUp {
    /// One task failed once too often.
    TaskFailures { failures: u32 },
    /// Too many requests were rejected.
    Rejections { rejected: i64 },
    /// The ResourceManager refused a call.
    CallRefused,
}
