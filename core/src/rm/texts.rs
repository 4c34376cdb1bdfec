//! Texts of the ResourceManager, letter for letter.

use super::manager::AmEnd;
use crate::config::capacity::QueueKind;
use crate::model::{AppId, AttemptId, ContainerId};
use crate::scheduler::Node;
use crate::scheduler::app::EndCause;

/// `application_0_0001`: YARN's name of an application (a start time of 0 stands for the ResourceManager's).
pub fn application(id: AppId) -> String {
    format!("application_0_{:04}", u64::from(id.0) + 1)
}

/// Cluster timestamp and number of an application's id.
pub fn application_number(id: AppId) -> (i64, i32) {
    (0, i32::try_from(id.0).unwrap_or(i32::MAX).saturating_add(1))
}

/// `appattempt_0_0001_000001`.
pub fn attempt(id: AttemptId) -> String {
    format!("appattempt_0_{:04}_{:06}", u64::from(id.app.0) + 1, id.attempt)
}

/// `container_0_0001_01_000001`.
pub fn container(id: ContainerId) -> String {
    format!("container_0_{:04}_{:02}_{:06}", u64::from(id.app.0) + 1, id.attempt, id.seq)
}

/// Java's message for a queue that is cast to a leaf and is none.
pub fn not_a_leaf(kind: QueueKind) -> String {
    const PACKAGE: &str = "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity";
    let class = match kind {
        QueueKind::Parent => "ParentQueue",
        QueueKind::ManagedParent => "ManagedParentQueue",
        QueueKind::Leaf => "LeafQueue",
        QueueKind::AutoCreatedLeaf => "AutoCreatedLeafQueue",
    };
    let (class, leaf) = (format!("{PACKAGE}.{class}"), format!("{PACKAGE}.AbstractLeafQueue"));
    format!("class {class} cannot be cast to class {leaf} ({class} and {leaf} are in unnamed module of loader 'app')")
}

/// Diagnostics of an application whose lifetime is over.
pub const LIFETIME_OVER: &str = "Application is killed by ResourceManager as it has exceeded the lifetime period.";

/// YARN's diagnostics for an attempt that ended before its AM unregistered.
pub fn end_of_am(why: AmEnd, attempt_id: AttemptId) -> String {
    let name = attempt(attempt_id);
    match why {
        AmEnd::Exited(code) => format!("AM Container for {name} exited with  exitCode: {code}"),
        AmEnd::TimedOut => format!("ApplicationMaster for attempt {name} timed out"),
        AmEnd::Container(cause) => end_of_container(cause).to_string(),
    }
}

/// YARN's diagnostics for a container that its node does not list any more.
pub fn vanished(id: ContainerId, node: &Node) -> String {
    format!("Container {} was running but not reported from {}:{}", container(id), node.host, node.port)
}

/// YARN's diagnostics for an application whose attempts are used up.
pub fn attempts_used_up(app: AppId, most: i32, limits: &str, due_to: &str) -> String {
    format!("Application {} failed {most} times{limits} due to {due_to}. Failing the application.", application(app))
}

/// Diagnostics of an application that a user killed.
pub const KILLED_BY_USER: &str = "Application killed by user.";

/// YARN's diagnostics for why a container ended, as the AM gets them.
pub fn end_of_container(why: EndCause) -> &'static str {
    match why {
        EndCause::Completed => "",
        EndCause::Released => "Container released by application",
        EndCause::LostNode => "Container released on a *lost* node",
        EndCause::Vanished(_) => "Container was running but not reported",
        EndCause::AppOver => "Container of a completed application",
        EndCause::Expired => "Container expired since it was unused",
        EndCause::Preempted | EndCause::Overcommit => "Container preempted by scheduler",
    }
}
