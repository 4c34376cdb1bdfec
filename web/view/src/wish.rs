//! Requests for a particular node.

use super::{Amount, Selection};
use serde::{Deserialize, Serialize};

/// A request for a node, drawn as a ghost there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HostRequestView {
    /// The request.
    pub id: Selection,
    /// The name: "kafka broker".
    pub name: String,
    pub app: String,
    /// The size of each container.
    pub size: Amount,
    /// The text: "waits for this host, relaxed at 1:30".
    pub text: String,
}
