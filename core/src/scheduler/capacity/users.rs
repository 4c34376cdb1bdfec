//! Users of a leaf and their limit (UsersManager; capacity-scheduler.md section 6).

use crate::model::{Resource, UserId};

/// A user of a leaf.
#[derive(Clone, Debug, PartialEq)]
pub struct LeafUser {
    /// Who.
    pub user: UserId,
    /// Used by partition, reservations counted.
    pub used: Vec<Resource>,
    /// Charged as AMs by partition.
    pub am_used: Vec<Resource>,
    /// Active applications.
    pub active_apps: i64,
    /// Pending applications.
    pub pending_apps: i64,
    /// Weight of the user here.
    pub weight: f32,
    /// Does the user count as active for the limit (A and N of section 6)?
    pub counted_active: bool,
}

/// The users of a leaf.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Users {
    users: Vec<LeafUser>,
}

impl Users {
    /// All users with an application here, by number.
    pub fn all(&self) -> &[LeafUser] {
        &self.users
    }

    /// A user.
    #[inline]
    pub fn get(&self, user: UserId) -> Option<&LeafUser> {
        self.users.binary_search_by_key(&user, |u| u.user).ok().map(|i| &self.users[i])
    }
}
