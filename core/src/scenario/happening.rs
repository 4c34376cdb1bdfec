//! What happens to the cluster at given times, by the hand of an administrator or of fate.

use super::application::ConstraintText;
use super::document::Node;
use crate::api::Properties;
use crate::model::{Millis, Resource, Span};
use serde::{Deserialize, Serialize};

/// Something that happens at a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Happening {
    /// When.
    pub at: Millis,
    /// What.
    pub act: Act,
    /// Where it is written.
    pub span: Span,
}

/// What happens. Nodes and applications are given by name, as written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Act {
    /// A node registers.
    AddNode(Node),
    /// The ResourceManager loses the node at once.
    RemoveNode(String),
    /// The node falls silent; the ResourceManager notices when its expiry has passed.
    CrashNode(String),
    /// A node that was removed, crashed or decommissioned registers again, empty.
    ReturnNode(String),
    /// The node reports itself unhealthy from its next heartbeat on.
    Unhealthy(String),
    /// The node reports itself healthy again from its next heartbeat on.
    Healthy(String),
    /// Graceful decommissioning begins.
    Decommission {
        /// Which node.
        node: String,
        /// Patience, in seconds.
        timeout_s: i64,
    },
    /// Graceful decommissioning is called off.
    Recommission(String),
    /// The administrator changes the node's size.
    Resize {
        /// Which node.
        node: String,
        /// The new size.
        total: Resource,
        /// After how long containers are killed that no longer fit; below 0: never.
        overcommit_timeout_ms: i64,
    },
    /// The node's partition is replaced; the empty label is the default partition.
    LabelNode {
        /// Which node.
        node: String,
        /// Its new label.
        label: String,
    },
    /// The node's attributes are changed.
    Attributes {
        /// Which node.
        node: String,
        /// How.
        how: AttributeChange,
        /// Names and values.
        attributes: Vec<(String, String)>,
    },
    /// An application is killed.
    KillApp(String),
    /// The ApplicationMaster of an application hangs: its process stays and calls no more.
    HangAm(String),
    /// An application is moved to another queue.
    MoveApp {
        /// Which.
        app: String,
        /// Where to.
        queue: String,
    },
    /// The priority of an application is changed.
    SetPriority {
        /// Which.
        app: String,
        /// The new priority.
        priority: i32,
    },
    /// A container's process ends.
    FinishContainer {
        /// Which application.
        app: String,
        /// The number of the container in the application (0 is normally the AM).
        container: usize,
        /// Its exit code.
        exit_code: i32,
    },
    /// Changed settings are loaded (`yarn rmadmin -refreshQueues`).
    Refresh {
        /// The whole of the capacity-scheduler properties from then on, changes of earlier refreshes included.
        capacity_scheduler: Properties,
        /// The new text of the FairScheduler's allocation file, if it changes.
        fair_allocations: Option<String>,
    },
    /// A constraint is set for requests with these tags.
    PutConstraint {
        /// For this application; `None`: for the whole cluster.
        app: Option<String>,
        /// Source tags.
        tags: Vec<String>,
        /// The constraint.
        constraint: ConstraintText,
    },
}

/// How attributes of a node are changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AttributeChange {
    /// Added to those that are there; a value given again replaces.
    #[default]
    Add,
    /// Taken away.
    Remove,
    /// All of the administrator's attributes are replaced.
    Replace,
}
