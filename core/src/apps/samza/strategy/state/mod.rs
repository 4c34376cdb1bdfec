//! The state of tasks: stores on the disks of hosts, what a start has to restore, and how long that takes
//! (samza-host-affinity.md sections 15 and 16).
//!
//! | file | what |
//! |---|---|
//! | `paths` | the paths of stores, and the contents of offset files |
//! | `restore` | how a start treats a copy, and which part of the changelog it reads: plain and transactional |
//! | `disks` | copies of stores on all hosts: commits, starts, losses, space |
//! | `monitor` | the clean-up of unused stores |
//! | `sharing` | restores that share the changelog's bandwidth; this is our own assumption, as Samza has no formula for it |

pub mod disks;
pub mod monitor;
pub mod paths;
pub mod restore;
pub mod sharing;

pub use disks::{Disks, StoreKey, Volume};
pub use sharing::Changelog;
