//! What the client programs do (those of YARN services, distributed shell, Slider and Samza): what they refuse before YARN
//! hears of an application, and what they submit. Compared with the real clients in the conformance area `clients`.

use serde::{Deserialize, Serialize};

/// What a client is doing when it refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClientStage {
    /// It reads the file or the arguments.
    Read,
    /// It checks what it has read.
    Check,
    /// It makes the submission, and may have saved the definition before.
    Submit,
}

/// A client program does not submit an application.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClientRefusal {
    pub stage: ClientStage,
    /// Simple name of the exception, such as `IllegalArgumentException`.
    pub exception: String,
    /// The client's words: the first line, without the place in the source. Empty for a `NullPointerException`.
    pub message: String,
    /// How to mend it, in our words; may be empty.
    pub mend: String,
    /// Whether the saved definition stays behind, so that the name is taken.
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

    /// With an advice.
    pub fn mend(self, mend: impl Into<String>) -> Self {
        ClientRefusal { mend: mend.into(), ..self }
    }

    /// The client's words; the exception's name where it says nothing.
    pub fn words(&self) -> &str {
        if self.message.is_empty() { &self.exception } else { &self.message }
    }
}

/// What a client submits (ApplicationSubmissionContext), as far as YARN decides by it; `None`: never set.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Submitted {
    pub name: String,
    /// Application type, such as `yarn-service`.
    pub kind: String,
    pub queue: Option<String>,
    /// In the order of their letters; YARN's record writes them in lower case.
    pub tags: Vec<String>,
    pub priority: Option<i32>,
    /// Node label expression of the whole application.
    pub label: Option<String>,
    /// Memory in MB and vcores of the ApplicationMaster, before YARN rounds them.
    pub am: (i64, i64),
    /// Attempts at most; 0: not set, as the cluster says.
    pub max_attempts: i32,
    /// keepContainersAcrossApplicationAttempts.
    pub keep_containers: bool,
    /// attemptFailuresValidityInterval, ms: failures that are older do not count; −1: every failure counts.
    pub attempt_failures_validity_ms: i64,
    /// Application timeout in seconds.
    pub lifetime_s: Option<i64>,
}
