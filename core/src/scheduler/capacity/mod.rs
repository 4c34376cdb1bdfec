//! The CapacityScheduler (capacity-scheduler.md; CapacityScheduler and the queue classes of Hadoop 3.5.0). The
//! order of its files follows the order of a decision:
//!
//! | file | section of the reference |
//! |---|---|
//! | `tree`, `queue`, `capacities`, `shares` | 2, 3 |
//! | `parallel`, `activation`, `crowds`, `attempts` | 4, 5 |
//! | `users`, `headroom` | 6, 10 |
//! | `heartbeat`, `assign_parent`, `ordering` | 7 |
//! | `assign_leaf`, `assign_app`, `locality`, `assign_node` | 8 |
//! | `checks` | 7.3, 8.2 |
//! | `commit`, `reserve`, `books` | 9, 10 |
//! | `asking`, `nodes`, `cluster_update` | 11 |
//! | `autocreate`, `managed` | 3.3, 13 |
//! | `tagged` | placement-constraints.md 8.5, 9 |
//! | `diagnostics`, `activities` | 12 |
//! | `preempt` | preemption.md A3, A9 |
//! | `walk`, `multi_node` | 13 |
//!
//! The steps of a decision about an offered node are methods of `offer::Offer`; the effects of containers, requests and
//! applications on queues and users are methods of `books::Accounting`; the scheduler itself has the settings, the tree and
//! the calls from outside.

pub mod access;
mod activation;
mod activities;
mod asking;
mod assign_app;
mod assign_leaf;
mod assign_node;
mod assign_parent;
pub(crate) mod attempts;
mod autocreate;
mod books;
mod capacities;
mod checks;
mod cluster_update;
mod commit;
mod crowds;
mod diagnostics;
mod figures;
mod headroom;
mod heartbeat;
mod locality;
mod managed;
pub mod mapping;
mod multi_node;
mod next_limit;
mod nodes;
mod offer;
mod ordering;
mod parallel;
mod preempt;
mod present;
mod queue;
mod reserve;
pub mod shares;
mod shares_vector;
pub(crate) mod tagged;
mod tree;
mod users;
mod walk;

pub use activities::{Activity, ActivityRow, activities, lacking, with_figures};
pub use checks::{queue_limit_allows, user_limit_allows};
pub use diagnostics::am_status_text;
pub use locality::{Nearness, Opening};
pub use ordering::{ChildKey, apps_in_order, children_in_order};
pub use preempt::{Preempted, Preemption};
pub use queue::{Leaf, Queue, QueuePart, QueueState};
pub use users::{LeafUser, LimitBase, Mode, Users};

use crate::api::Refusal;
use crate::config::capacity::targets::{QueueLookup, Target};
use crate::config::capacity::{CapacityConf, QueueKind};
use crate::journal::EntryRoom;
use crate::model::{AppId, Millis, QueueId};
use crate::preemption::Monitor;
use crate::scheduler::ChosenBy;
use indexmap::IndexMap;

/// The scheduler's state beside the [`super::Cluster`]: settings and queue tree.
#[derive(Clone, Debug, PartialEq)]
pub struct CapacityScheduler {
    pub(crate) conf: CapacityConf,
    /// The queue tree, with usage, users and short cuts.
    pub(super) books: books::Accounting,
    paths: IndexMap<String, QueueId>,
    /// The number of runnable attempts of each user in the whole cluster.
    running_by_user: Vec<i64>,
    /// The attempts that wait for a limit of parallel applications, in the order in which they came.
    waiting: Vec<AppId>,
    mapping: mapping::Mapping,
    /// The nodes as sorting policies last ordered them (multi-node placement).
    sorted_nodes: Vec<multi_node::SortedNodes>,
    /// The preemption monitor, if it is on.
    monitor: Option<Monitor>,
    /// The time without a heartbeat, in ms, after which multi-node and asynchronous placement skip a node.
    silent_after_ms: Millis,
    /// The proposals of an asynchronous walk so far, if it commits at its end.
    uncommitted: Option<Vec<walk::Uncommitted>>,
    /// The buffer that the entries of successive offers reuse.
    room: EntryRoom,
}

impl QueueLookup for CapacityScheduler {
    fn lookup(&self, name: &str) -> Option<Target> {
        self.find_queue(name).map(|id| self.target(id))
    }

    fn lookup_path(&self, path: &str) -> Option<Target> {
        self.find_path(path).map(|id| self.target(id))
    }

    fn is_ambiguous(&self, name: &str) -> bool {
        self.find_path(name).is_none() && self.queues_named(name).len() > 1
    }
}

impl CapacityScheduler {
    /// Returns the settings as last read.
    pub fn conf(&self) -> &CapacityConf {
        &self.conf
    }

    /// Returns the queues, root first.
    pub fn queues(&self) -> &[Queue] {
        self.books.queues()
    }

    #[inline]
    pub fn queue(&self, id: QueueId) -> &Queue {
        self.books.queue(id)
    }

    /// Returns a queue by its full path.
    pub fn find_path(&self, path: &str) -> Option<QueueId> {
        self.paths.get(path).copied().filter(|id| self.queue(*id).alive)
    }

    fn target(&self, id: QueueId) -> Target {
        let q = self.queue(id);
        let creates = !q.is_leaf()
            && (q.conf.kind == QueueKind::ManagedParent || q.conf.auto_create_v2.enabled || q.conf.dynamic);
        Target { path: q.path.clone(), is_leaf: q.is_leaf(), creates }
    }

    /// Returns the full path of the queue that the mapping chooses for an application; `None`: the requested one is
    /// used. Records in `chosen` the rules that were asked. Errors: a rule rejects the application.
    pub(crate) fn place(&self, app: &mapping::Applicant<'_>, chosen: &mut ChosenBy) -> Result<Option<String>, Refusal> {
        if self.mapping.leaves(app.queue) {
            *chosen = ChosenBy::Submission;
            return Ok(None);
        }
        let mut looks = Vec::new();
        let placed = self.mapping.place(app, self, &mut looks);
        *chosen = ChosenBy::Mapping(looks);
        placed
    }

    /// Returns the queues that would be created on the way to a path, with the ACLs of their templates. `None`: no
    /// queue could be created there, and YARN checks no ACL (the scheduler then rejects the application).
    pub(crate) fn future_queues(&self, path: &str) -> Option<Vec<access::FutureQueue>> {
        let (parent, _) = path.rsplit_once('.')?;
        if self.find_path(parent).is_none() {
            self.missing_parents(path, parent).ok()?;
        }
        let mut out = Vec::new();
        let mut at = path;
        let mut is_leaf = true;
        while let Some((parent, _)) = at.rsplit_once('.') {
            if self.find_path(at).is_some() {
                break;
            }
            if let Ok((submit, administer)) = self.conf.template_acls(parent, is_leaf) {
                out.push(access::FutureQueue { path: at.to_string(), submit, administer });
            }
            is_leaf = false;
            at = parent;
        }
        Some(out)
    }

    /// Returns a queue by its full path, or by its short name if that is not ambiguous.
    pub fn find_queue(&self, name: &str) -> Option<QueueId> {
        if let Some(id) = self.find_path(name) {
            return Some(id);
        }
        match self.queues_named(name).as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// Returns the queues with this short name.
    pub(crate) fn queues_named(&self, name: &str) -> Vec<QueueId> {
        self.queues().iter().filter(|q| q.alive && q.name() == name).map(|q| q.id).collect()
    }
}
