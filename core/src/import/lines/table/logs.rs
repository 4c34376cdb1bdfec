//! Lines of the ResourceManager's and NodeManagers' logs (formats.md 8.6).

use super::super::build::Scene;
use super::super::row::{LinePattern, LineTopic::Log, Words};

const HEALTH: &str = "The node leaves the cluster until its directories are good again; the rest of the cluster stays.";

const fn row(id: &'static str, what: &'static str, template: &'static str, scene: Scene) -> LinePattern {
    LinePattern::new(id, Log, what, template, scene)
}

pub const ROWS: &[LinePattern] = &[
    // ---- applications
    row("L01", "application active", "Application {app} from user: {user} activated in queue: {queue}", Scene::Activated)
        .why("the application is active; its AM is next"),
    row("L07", "RM log", "Maximum runnable apps exceeded for queue {queue}", Scene::ParallelQueue).why("max-parallel-apps"),
    row("L07", "RM log", "Maximum runnable apps exceeded for user {user}", Scene::ParallelUser).why("max-parallel-apps"),
    row("L07", "RM log", "Application attempt {attempt} is not runnable, parallel limit reached", Scene::ParallelQueue).why("max-parallel-apps"),
    row("L03", "AM share of the user too small for one AM", "maximum-am-resource-percent is insufficient to start a single application in queue for user", Scene::OneAm)
        .partly("The AM limit of the user is below one AM: YARN starts one application all the same.")
        .why("the one-application rule for the user"),
    row("L03", "AM share of the queue too small for one AM", "maximum-am-resource-percent is insufficient to start a single application in queue", Scene::OneAm)
        .partly("The AM limit is below one AM: YARN starts one application all the same.")
        .why("the one-application rule"),
    row("L13", "cluster without nodes", "Skipping activateApplications for {app} since cluster resource is {cluster:r}", Scene::NoNodes).why("no node registered"),
    row("L13", "cluster without nodes", "since cluster resource is {cluster:r}", Scene::NoNodes).why("no node registered"),
    row("X", "AM limit reached, words of 2.x", "Not activating application {app} as amIfStarted: {am_if_started:r} exceeds amLimit: {queue_am_limit:r}", Scene::AmQueueLimit)
        .words(Words::Older)
        .why("the AM limit of the queue"),
    row("X", "AM limit reached, words of 2.x", "not starting application as amIfStarted exceeds amLimit", Scene::AmQueueLimit)
        .words(Words::Older)
        .why("the AM limit of the queue"),
    row("X", "user's AM limit reached, words of 2.x", "Not activating application {app} for user: {user} as userAmIfStarted: {am_if_started:r} exceeds userAmLimit: {user_am_limit:r}", Scene::AmUserLimit)
        .words(Words::Older)
        .why("the user's AM limit"),
    row("X", "user's AM limit reached, words of 2.x", "not starting application for user as userAmIfStarted exceeds userAmLimit", Scene::AmUserLimit)
        .words(Words::Older)
        .why("the user's AM limit"),
    row("L09", "application placed in a queue", "Placed application with ID {app} in queue: {queue}, original submission queue was: {asked_queue}", Scene::Mapped)
        .why("the mapping rule"),
    row("L10", "application's summary", "appId={app},name={name:t},user={user},queue={queue},state={state}", Scene::None)
        .partly("One row of a trace: what an application took from beginning to end. Give the whole log for a scenario of it."),
    row("X", "application added", "Application added - appId: {app} user: {user} queue: {*}: capacity={capacity:f}", Scene::None)
        .partly("An application was added to its queue; nothing waits yet."),
    row("X", "application added", "Application added - appId: {app} user: {user}", Scene::None)
        .partly("An application was added to its queue; nothing waits yet."),
    row("X", "application accepted", "Accepted application {app} from user: {user}, in queue: {queue}", Scene::JustAdded)
        .partly("The application was accepted; nothing says yet why it would wait."),
    row("X", "state of an application", "{app} State change from {from} to {state} on event", Scene::None)
        .partly("An application's or attempt's state; nothing of a placement."),
    // ---- containers
    row("L02", "placement", "Assigned container {container} of capacity {got:r} on host {node}, which has {containers:n} containers, {used:r} used and {free:r} available", Scene::Placed)
        .why("why this node"),
    row("L02", "placement", "Assigned container {container} of capacity {got:r} on host {node}", Scene::Placed)
        .figures(&["which currently has {containers:n} containers", "{used:r} used", "and {free:r} available"])
        .why("why this node"),
    row("X", "container released", "Released container {container} of capacity {got:r} on host {node}, which currently has {containers:n} containers, {used:r} used and {free:r} available", Scene::Cluster)
        .partly("A container ended and its room came free.")
        .why("room of the node"),
    row("L04", "placement", "assignedContainer application attempt={attempt} container={container} queue={queue:t} clusterResource={cluster:r} type={type}", Scene::Placed)
        .words(Words::Older)
        .figures(&["requestedPartition={partition}"])
        .why("the locality of the placement"),
    row("L04", "placement", "assignedContainer application attempt={attempt} container={container}", Scene::Placed)
        .words(Words::Older)
        .figures(&["queue={queue}:", "usedCapacity={used_capacity:f}", "absoluteUsedCapacity={absolute_used:f}", "used={used:r}", "cluster={cluster:r}", "clusterResource={cluster:r}", "type={type}"])
        .why("the queue after a placement"),
    row("L04", "placement", "assignedContainer queue={queue} usedCapacity={used_capacity:f} absoluteUsedCapacity={absolute_used:f} used={used:r} cluster={cluster:r}", Scene::QueueUse)
        .why("use of the queue"),
    row("X", "container completed", "completedContainer {*}queue={queue} usedCapacity={used_capacity:f} absoluteUsedCapacity={absolute_used:f} used={used:r} cluster={cluster:r}", Scene::QueueUse)
        .partly("A container ended; the line has the queue's use.")
        .why("use of the queue"),
    row("X", "queue's state", "Re-sorting completed queue: {queue} stats: {*}usedResources={used:r}, usedCapacity={used_capacity:f}", Scene::QueueUse)
        .words(Words::Older)
        .partly("The state of a queue after a container ended.")
        .why("use of the queue"),
    row("X", "queue's state", "Re-sorting assigned queue: {queue} stats: {*}usedResources={used:r}, usedCapacity={used_capacity:f}", Scene::QueueUse)
        .words(Words::Older)
        .partly("The state of a queue after a container was placed.")
        .why("use of the queue"),
    row("X", "queue's state", "usedResources={used:r}, usedCapacity={used_capacity:f}, absoluteUsedCapacity={absolute_used:f}", Scene::QueueUse)
        .words(Words::Older)
        .figures(&["{queue}: capacity="])
        .partly("The state of a queue.")
        .why("use of the queue"),
    row("L05", "reservation", "Reserved container={container}, on node=host: {node} #containers={containers:n} available={free:r} used={used:r} with resource={ask:r}", Scene::Reserved)
        .why("room of the node; the reservation"),
    row("L05", "reservation", "Reserved container {container} on node host: {node} ", Scene::Reserved)
        .figures(&["available={free:r}", "used={used:r}", "resource={ask:r}", "with resource {ask:r}"])
        .words(Words::Older)
        .why("the reservation"),
    row("L05", "reservation", "reserved container {container} on node {*}host: {node} #containers", Scene::Reserved)
        .figures(&["available={free:r}", "used={used:r}", "currentReservation {reserved:r}", "priority {priority:n}", "at priority {priority:n}"])
        .words(Words::Older)
        .why("the reservation"),
    row("X", "node reserved", "Skipping scheduling since node {node} is reserved by application {app}", Scene::Reserved)
        .words(Words::Older)
        .why("the node is reserved for another application"),
    row("X", "reservation served", "Trying to fulfill reservation for application {app} on node: {node}", Scene::Reserved)
        .why("the node is offered to its reservation first"),
    row("L06", "reservation dropped", "Application {app} unreserved on node host: {node} ", Scene::None)
        .figures(&["currently has {reservations:n} at priority {priority:n}", "currentReservation {reserved:r}", "node-label={partition}"])
        .partly("An application gave a reservation back."),
    row("L08", "placement refused by its constraint", "Failed to allocate container for application {app} on node {node} because this allocation violates the placement constraint", Scene::ConstraintCommit)
        .why("the placement constraint"),
    row("L16", "constraints that no node meets", "were rejected by the PlacementAlgorithmOutput Algorithm", Scene::ProcessorRejected)
        .figures(&["Following requests of [{app}]"])
        .why("the placement processor found no node"),
    row("L16", "constraints that no node meets", "exhausted all retry attempts", Scene::ProcessorRejected).why("the placement processor found no node"),
    row("L12", "FairScheduler preempts, words of 2.x", "Preempting container (prio={priority:n}res={victim:r}) from queue {queue}", Scene::FairPreempts)
        .words(Words::Older)
        .figures(&["Should preempt {ask:r} res for queue {starved_queue}", "resDueToMinShare = {due_to_min:r}", "resDueToFairShare = {due_to_fair:r}"])
        .why("which queue starved and since when"),
    row("L12", "FairScheduler preempts, words of 2.x", "Should preempt {ask:r} res for queue {queue}", Scene::FairPreempts)
        .words(Words::Older)
        .figures(&["resDueToMinShare = {due_to_min:r}", "resDueToFairShare = {due_to_fair:r}"])
        .why("which queue starved and since when"),
    row("L12", "FairScheduler preempts", "Preempting container {container} from queue: {queue}", Scene::FairPreempts).why("which queue starved and since when"),
    row("L12", "FairScheduler preempts", "Preempting container {container} from queue {queue}", Scene::FairPreempts).why("which queue starved and since when"),
    row("X", "CapacityScheduler preempts", "Preempting container {container}", Scene::Preempted).why("which queue was below its share"),
    row("X", "container's state", "{container} Container Transitioned from {from} to {state}", Scene::None)
        .partly("A container's state; nothing of why it is where it is."),
    // ---- nodes
    row("L14", "node joins", "NodeManager from node {host}(cmPort: {port:n} httpPort: {http_port:n}) registered with capability: {node_size:r}", Scene::NodeJoins)
        .figures(&["assigned nodeId {node} ", "assigned nodeId {node}"])
        .why("size of the node"),
    row("L14", "node joins", "registered with capability: {node_size:r}", Scene::NodeJoins)
        .figures(&["assigned nodeId {node}", "NodeManager from node {host}("])
        .why("size of the node"),
    row("L14", "node joins", "Registered with ResourceManager as {node} with total resource of {node_size:r}", Scene::NodeJoins)
        .why("size of the node"),
    row("L14", "node joins, FairScheduler's words", "Added node {node} cluster capacity: {cluster:r}", Scene::NodeJoinsFair).why("cluster size"),
    row("L14", "node joins", "Added node {node} clusterResource: {cluster:r}", Scene::NodeJoins).why("cluster size"),
    row("L14", "node leaves", "Removed node {node} clusterResource: {cluster:r}", Scene::NodeLeaves).why("cluster size"),
    row("L14", "node leaves, FairScheduler's words", "Removed node {node} cluster capacity: {cluster:r}", Scene::NodeLeaves).why("cluster size"),
    row("X", "node unhealthy", "Node {node} reported UNHEALTHY with details: {details:t}", Scene::NodeSick).why("node unusable because of its disks"),
    row("X", "node unhealthy", "reported UNHEALTHY with details", Scene::NodeSick).why("node unusable because of its disks"),
    row("X", "node unhealthy", "{node} Node Transitioned from RUNNING to UNHEALTHY", Scene::NodeSick).why("node unusable"),
    row("X", "node lost", "{node} Node Transitioned from RUNNING to LOST", Scene::NodeLost).why("node lost"),
    row("X", "node unhealthy", "Deactivating Node {node} as it is now UNHEALTHY", Scene::NodeSick).why("node unusable"),
    row("L11", "node lost", "Deactivating Node {node} as it is now LOST", Scene::NodeLost).why("node lost"),
    row("X", "node decommissioned", "Deactivating Node {node} as it is now DECOMMISSIONED", Scene::NodeGone).why("node decommissioned"),
    row("L11", "AM expired", "Expired:appattempt_{attempt} Timed out after {after_s:n} secs", Scene::AmTimedOut)
        .partly("The AM went silent; not a matter of placement.")
        .why("the AM went silent"),
    row("L11", "container allocated and never started", "Expired:container_{container} Timed out after {after_s:n} secs", Scene::Expired)
        .partly("The AM did not start the container that it had been given.")
        .why("the AM did not start what it had been given"),
    row("L11", "node lost", "Expired:{node} Timed out after {after_s:n} secs", Scene::NodeLost).why("node lost"),
    row("X", "node smaller than the minimum", "NodeManager from {host} doesn't satisfy minimum allocations", Scene::NodeTooSmall)
        .figures(&["Node capabilities are {node_size:r}", "minimums are {min_mb:n} mb and {min_vcores:n} vcores"])
        .why("minimum allocation"),
    row("X", "node that is not on the list", "Disallowed NodeManager from {host}", Scene::NodeExcluded)
        .partly("The host is on the exclude list, or not on the include list.")
        .why("include and exclude lists"),
    row("X", "node that is not on the list", "Disallowed NodeManager", Scene::NodeExcluded)
        .partly("The host is on the exclude list, or not on the include list.")
        .why("include and exclude lists"),
    row("X", "health report of a node", "local-dirs have errors: [{details:t}]", Scene::NodeSick).partly(HEALTH).why("node unusable because of its directories"),
    row("X", "health report of a node", "local-dirs are bad: {details:t}", Scene::NodeSick).partly(HEALTH).why("node unusable because of its directories"),
    row("X", "health report of a node", "local-dirs usable space is below configured utilization percentage", Scene::NodeSick).partly(HEALTH).why("node unusable because of its disks"),
    row("X", "health report of a node", "log-dirs have errors: [{details:t}]", Scene::NodeSick).partly(HEALTH).why("node unusable because of its directories"),
    row("X", "health report of a node", "log-dirs are bad: {details:t}", Scene::NodeSick).partly(HEALTH).why("node unusable because of its directories"),
    row("X", "health report of a node", "used space above threshold of {threshold:f}%", Scene::NodeSick).partly(HEALTH).why("node unusable because of its disks"),
    row("X", "health report of a node", "Most of the disks failed", Scene::NodeSick).partly(HEALTH).why("node unusable because of its disks"),
    row("X", "memory report of a container", "Memory usage of ProcessTree {*}: {*} of {container_gb:f} GB physical memory used", Scene::None)
        .words(Words::Nobody)
        .no("A memory report, nothing wrong; the container has {container_mb} MB."),
    row("X", "memory report of a container", "Memory usage of ProcessTree {*}: {*} of {container_mb:n} MB physical memory used", Scene::None)
        .words(Words::Nobody)
        .no("A memory report, nothing wrong; the container has {container_mb} MB."),
    row("X", "memory report of a container", "Memory usage of ProcessTree", Scene::None).words(Words::Nobody).no("A memory report, nothing wrong."),
    row("X", "NodeManager without its ResourceManager", "Unexpected error starting NodeStatusUpdater", Scene::None)
        .words(Words::Nobody)
        .no("The NodeManager could not register; the cause stands behind it (connection, address, or a size below the minimum)."),
];
