//! Where something would like to be.

use super::{Amount, Selection};
use serde::{Deserialize, Serialize};

/// Something that would like to be on a node: a ghost there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WishView {
    /// The request.
    pub id: Selection,
    /// "kafka broker".
    pub name: String,
    pub app: String,
    /// Of each.
    pub size: Amount,
    /// "waits for this host, relaxed at 1:30".
    pub text: String,
}
