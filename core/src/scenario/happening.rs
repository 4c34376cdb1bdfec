//! What happens to the cluster at given times, by the hand of an administrator or of fate.

use super::application::ConstraintText;
use super::document::Node;
use crate::api::Properties;
use crate::apps::scenario::{Changed, FlexFile, KindAct};
use crate::constraint;
use crate::constraint::attributes::{CENTRAL, split_name};
use crate::model::{Millis, Resource, Span};
use serde::{Deserialize, Serialize};

/// Something that happens at a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Happening {
    pub at: Millis,
    pub act: Act,
    /// Where it is written.
    pub span: Span,
}

/// What happens. Nodes and applications are given by name, as written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Act {
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
    Decommission {
        node: String,
        /// Patience, in seconds.
        timeout_s: i64,
    },
    /// Graceful decommissioning is called off.
    Recommission(String),
    /// The administrator changes the node's size.
    Resize {
        node: String,
        total: Resource,
        /// After how long containers are killed that no longer fit; below 0: never.
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
    /// The ApplicationMaster of an application hangs: its process stays and calls no more.
    HangAm(String),
    /// An application is moved to another queue.
    MoveApp {
        app: String,
        /// Where to.
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
    /// The client of a Slider application changes what it is to be: so many instances of components (`slider flex`), or
    /// a whole resources.json. Of a YARN service: so many containers of components (`yarn app -flex`).
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
    /// Changed settings are loaded (`yarn rmadmin -refreshQueues`), or will be.
    Refresh {
        /// The whole of the capacity-scheduler properties from then on, changes of earlier refreshes included.
        capacity_scheduler: Properties,
        /// The new text of the FairScheduler's allocation file, if it changes.
        fair_allocations: Option<String>,
        /// The allocation file is only written: the FairScheduler finds it when it looks next, every ten seconds.
        written: bool,
        /// The properties that are set here.
        set_here: Vec<SetHere>,
    },
    /// A constraint is set for requests with these tags.
    PutConstraint {
        /// For this application; `None`: for the whole cluster.
        app: Option<String>,
        /// Source tags.
        tags: Vec<String>,
        constraint: ConstraintText,
    },
}

/// A property that a refresh sets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetHere {
    /// Its full name.
    pub key: String,
    /// Where it is written in the scenario.
    pub span: Span,
    /// Does it stand in a whole file?
    pub in_file: bool,
}

impl Act {
    /// The node that it is done to, by host.
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

    /// The application that it is done to.
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

/// How attributes of a node are changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AttributeChange {
    /// Added to those that are there; of an attribute that has a value the new one is ignored.
    #[default]
    Add,
    /// Taken away.
    Remove,
    /// All of the administrator's attributes are replaced.
    Replace,
}

impl AttributeChange {
    /// The change as the ResourceManager gets it: what is replaced are the attributes with the prefix of the first one named.
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
