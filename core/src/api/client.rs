//! What the client programs do (those of YARN services, distributed shell, Slider and Samza): what they refuse before
//! YARN sees an application, and what they submit. Compared with the real clients in the conformance area `clients`.

use serde::{Deserialize, Serialize};

/// The step in which a client refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClientStage {
    /// It reads the file or the arguments.
    Read,
    /// It checks what it has read.
    Check,
    /// It builds the submission, and may have saved the definition before.
    Submit,
}

/// A client program's refusal to submit an application.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClientRefusal {
    pub stage: ClientStage,
    /// The simple name of the exception, such as `IllegalArgumentException`.
    pub exception: String,
    /// The client's message: the first line, without the source location. Empty for a `NullPointerException`.
    pub message: String,
    /// Our advice on how to mend it; may be empty.
    pub mend: String,
    /// Whether the saved definition stays behind and blocks the name.
    pub definition_left: bool,
}

impl ClientRefusal {
    /// A refusal without advice that leaves nothing behind.
    pub fn new(stage: ClientStage, exception: &str, message: impl Into<String>) -> Self {
        ClientRefusal {
            stage,
            exception: exception.into(),
            message: message.into(),
            mend: String::new(),
            definition_left: false,
        }
    }

    /// Adds advice.
    pub fn mend(self, mend: impl Into<String>) -> Self {
        ClientRefusal { mend: mend.into(), ..self }
    }

    /// The client's message, or the exception's name when it has none.
    pub fn words(&self) -> &str {
        if self.message.is_empty() { &self.exception } else { &self.message }
    }
}

/// What a client submits (ApplicationSubmissionContext), as far as YARN's decisions depend on it; `None`: not set.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Submitted {
    pub name: String,
    /// Application type, such as `yarn-service`.
    pub kind: String,
    pub queue: Option<String>,
    /// Application tags, sorted; YARN's record writes them in lower case.
    pub tags: Vec<String>,
    pub priority: Option<i32>,
    /// The application's node label expression.
    pub label: Option<String>,
    /// Memory in MB and vcores of the ApplicationMaster, before YARN rounds them.
    pub am: (i64, i64),
    /// The maximum number of attempts; 0: not set, the cluster's default applies.
    pub max_attempts: i32,
    /// keepContainersAcrossApplicationAttempts.
    pub keep_containers: bool,
    /// attemptFailuresValidityInterval, ms: older failures do not count; −1: every failure counts.
    pub attempt_failures_validity_ms: i64,
    /// Application timeout in seconds.
    pub lifetime_s: Option<i64>,
}
