//! The state of tasks: stores on the disks of hosts, what a start has to restore, and how long that takes
//! (samza-host-affinity.md sections 15 and 16).
//!
//! | file | what |
//! |---|---|
//! | `paths` | where stores lie, and what stands in offset files |
//! | `restore` | what becomes of a copy at a start, and which part of the changelog is read: plain and transactional |
//! | `disks` | copies of stores on all hosts: commits, starts, losses, room |
//! | `monitor` | the clean-up of stores that nobody wants any more |
//! | `sharing` | restores that share the changelog's bandwidth. Samza has no such formula: this is an assumption of ours |

pub mod disks;
pub mod monitor;
pub mod paths;
pub mod restore;
pub mod sharing;

pub use disks::{Disks, Place, Volume};
pub use sharing::Changelog;
