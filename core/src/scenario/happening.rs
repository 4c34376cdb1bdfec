//! Timed happenings of the cluster: actions of administrators and users, and failures.

use super::application::ConstraintText;
use super::document::Node;
use crate::api::Properties;
use crate::apps::scenario::{Changed, FlexFile, KindAct};
use crate::constraint;
use crate::constraint::attributes::{CENTRAL, split_name};
use crate::model::{Millis, Resource, Span};
use serde::{Deserialize, Serialize};

/// An event at a given time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Happening {
    pub at: Millis,
    pub act: Act,
    /// Where it is written.
    pub span: Span,
}

/// The event. Nodes and applications are given by name, as written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Act {
    AddNode(Node),
    /// The ResourceManager loses the node at once.
    RemoveNode(String),
    /// The node falls silent; the ResourceManager notices when its expiry interval has passed.
    CrashNode(String),
    /// A node that was removed, crashed or decommissioned registers again, empty.
    ReturnNode(String),
    /// The node reports itself unhealthy from its next heartbeat on.
    Unhealthy(String),
    /// The node reports itself healthy again from its next heartbeat on.
    Healthy(String),
    Decommission {
        node: String,
        /// The timeout, in seconds.
        timeout_s: i64,
    },
    /// Graceful decommissioning is cancelled.
    Recommission(String),
    /// The administrator changes the node's size.
    Resize {
        node: String,
        total: Resource,
        /// The time after which containers that no longer fit are killed; negative: never.
        overcommit_timeout_ms: i64,
    },
    /// The node's partition is replaced; the empty label is the default partition.
    LabelNode {
        node: String,
        label: String,
    },
    /// The node's attributes are changed.
    Attributes {
        node: String,
        how: AttributeChange,
        attributes: Vec<(String, String)>,
    },
    KillApp(String),
    /// An application's ApplicationMaster hangs: its process stays, but sends no more calls.
    HangAm(String),
    /// An application is moved to another queue.
    MoveApp {
        app: String,
        /// The target queue.
        queue: String,
    },
    /// The priority of an application is changed.
    SetPriority {
        app: String,
        priority: i32,
    },
    /// A container's process ends.
    FinishContainer {
        app: String,
        /// The number of the container in the application (0 is normally the AM).
        container: usize,
        exit_code: i32,
    },
    /// The client of a Slider application changes the number of instances of components (`slider flex`) or the whole
    /// resources.json; the client of a YARN service changes the number of containers of components (`yarn app -flex`).
    Flex {
        app: String,
        counts: Vec<(String, i64)>,
        definition: Option<FlexFile>,
    },
    /// A long-running application is stopped, and so long after its end started again: as another application for YARN, with
    /// the history of the earlier one.
    Restart {
        app: String,
        after: Millis,
        changed: Changed,
    },
    /// A happening that only one kind of application knows.
    OfKind(KindAct),
    /// Changed settings are loaded (`yarn rmadmin -refreshQueues`), or written to be loaded later.
    Refresh {
        /// All capacity-scheduler properties from then on, including changes of earlier refreshes.
        capacity_scheduler: Properties,
        /// The new text of the FairScheduler's allocation file, if it changes.
        fair_allocations: Option<String>,
        /// Whether the allocation file is only written: the FairScheduler reads it at its next check, every ten seconds.
        written: bool,
        /// The properties that this refresh sets.
        set_here: Vec<SetHere>,
    },
    /// A constraint is set for requests with these tags.
    PutConstraint {
        /// The application; `None`: the whole cluster.
        app: Option<String>,
        /// The source tags.
        tags: Vec<String>,
        constraint: ConstraintText,
    },
}

/// A property that a refresh sets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetHere {
    /// The full name.
    pub key: String,
    /// Where it is written in the scenario.
    pub span: Span,
    /// Whether it stands in a whole file.
    pub in_file: bool,
}

impl Act {
    /// Returns the host of the node that the event is about.
    pub fn node(&self) -> Option<&str> {
        match self {
            Act::AddNode(node) => Some(&node.spec.host),
            Act::RemoveNode(node)
            | Act::CrashNode(node)
            | Act::ReturnNode(node)
            | Act::Unhealthy(node)
            | Act::Healthy(node)
            | Act::Decommission { node, .. }
            | Act::Recommission(node)
            | Act::Resize { node, .. }
            | Act::LabelNode { node, .. }
            | Act::Attributes { node, .. } => Some(node),
            Act::OfKind(act) => act.node(),
            _ => None,
        }
    }

    /// Returns the application that the event is about.
    pub fn app(&self) -> Option<&str> {
        match self {
            Act::KillApp(app)
            | Act::HangAm(app)
            | Act::MoveApp { app, .. }
            | Act::SetPriority { app, .. }
            | Act::FinishContainer { app, .. }
            | Act::Flex { app, .. }
            | Act::Restart { app, .. } => Some(app),
            Act::OfKind(act) => act.app(),
            Act::PutConstraint { app, .. } => app.as_deref(),
            _ => None,
        }
    }
}

/// The kind of change to a node's attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AttributeChange {
    /// Attributes are added; the new value of an attribute that already has one is ignored.
    #[default]
    Add,
    /// Attributes are removed.
    Remove,
    /// All attributes that the administrator set are replaced.
    Replace,
}

impl AttributeChange {
    /// Returns the change as the ResourceManager receives it: it replaces the attributes with the prefix of the first one
    /// named.
    pub fn call(self, attributes: &[(String, String)]) -> constraint::AttributeChange {
        match self {
            AttributeChange::Add => constraint::AttributeChange::Add,
            AttributeChange::Remove => constraint::AttributeChange::Remove,
            AttributeChange::Replace => {
                let first = attributes.first().and_then(|(name, _)| split_name(name));
                let prefix = first.map_or(CENTRAL, |(prefix, _)| prefix);
                constraint::AttributeChange::Replace { prefix: prefix.to_string() }
            }
        }
    }
}
