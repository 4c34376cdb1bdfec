//! Rows of the scheduler's activities (formats.md 8.5), in the wording of 3.5.0 and of 3.1.

use super::super::build::Scene;
use super::super::row::{LinePattern, LineTopic::Activity, Words};

const SNIPPET: &str = "activities snippet";

const fn row(id: &'static str, template: &'static str, scene: Scene) -> LinePattern {
    LinePattern::new(id, Activity, SNIPPET, template, scene)
}

const fn bare(template: &'static str, scene: Scene, why: &'static str) -> LinePattern {
    row("D47", template, scene).why(why)
}

const fn old(template: &'static str, scene: Scene, why: &'static str) -> LinePattern {
    row("D47", template, scene).words(Words::Older).why(why)
}

const SIZES: &[&str] = &["required={ask:r}, available={free:r}", "insufficient resources=[{lacking:t}]"];

pub const ROWS: &[LinePattern] = &[
    row("D45", "unsatisfied PC expression=\"{expression:t}\", target-type={target}", Scene::Constraint)
        .why("the placement constraint"),
    row("D45", "unsatisfied PC expression={expression:t}, target-type={target}", Scene::Constraint)
        .why("the placement constraint"),
    row(
        "D46",
        "unsatisfied node partition={node_partition:t}, required-partition={partition:t}\"",
        Scene::OtherPartition,
    )
    .why("the partition of the node"),
    row("D46", "unsatisfied node partition={node_partition:t}, required-partition={partition}", Scene::OtherPartition)
        .why("the partition of the node"),
    row("D46", "unsatisfied node partition={node_partition:t}, required-partition=", Scene::OtherPartition)
        .why("the partition of the node"),
    row(
        "D44",
        "Node's total resource is insufficient for request, insufficient resources=[{lacking:t}]",
        Scene::NodeTotal,
    )
    .figures(SIZES)
    .why("the node is smaller than the request"),
    row(
        "D44",
        "Node does not have sufficient resource for request, insufficient resources=[{lacking:t}]",
        Scene::NodeFree,
    )
    .figures(SIZES)
    .why("free room of the node"),
    row("D44", "insufficient resources=[{lacking:t}]", Scene::NodeFree).figures(SIZES).why("free room of the node"),
    bare("Queue hits user max-capacity limit", Scene::UserMax, "user limit"),
    bare("Queue hits max-capacity limit", Scene::QueueMax, "maximum-capacity of the queue"),
    bare(
        "Queue does not have enough headroom for inner highest-priority request",
        Scene::Headroom,
        "headroom of the queue",
    ),
    bare("Queue is not able to access partition", Scene::NoAccess, "labels of the queue"),
    bare("Queue skipped to respect FIFO of applications", Scene::None, "an application before it waits")
        .partly("An application that comes first in the queue waits, and the queue keeps the order."),
    bare("Queue skipped because node has been reserved", Scene::QueueReserved, "a reservation"),
    bare("Queue skipped because node resource is insufficient", Scene::NodeFree, "free room of the node"),
    bare("Queue does not need more resource", Scene::Idle, "nothing is asked for")
        .partly("Nothing is asked for there."),
    bare("Application does not need more resource", Scene::Idle, "nothing is asked for")
        .partly("The application asks for nothing more."),
    bare("Request does not need more resource", Scene::Idle, "nothing is asked for")
        .partly("The request asks for nothing more."),
    bare("Application fails to allocate", Scene::None, "the second check of a proposal")
        .partly("A proposal was made and refused by the second check; the reason is in the ResourceManager's log."),
    bare("Application couldn't get container for allocation", Scene::None, "the second check of a proposal")
        .partly("A container could not be made for the proposal; the reason is in the ResourceManager's log."),
    bare("Request skipped because off-switch request is null", Scene::None, "rows of the request")
        .partly("The AM asks for hosts and has no row for *: YARN gives nothing without it."),
    bare(
        "Request skipped in Ignore Exclusivity mode for AM allocation",
        Scene::AmBorrowing,
        "an AM never runs on lent nodes",
    ),
    bare("Request skipped based on reservation algo", Scene::None, "reservations")
        .partly("The request holds as many reservations as it may."),
    bare(
        "Request skipped because non-partitioned resource request should be scheduled to non-partitioned partition first",
        Scene::NonPartitionedFirst,
        "the default partition comes first",
    ),
    bare("Node skipped because node/rack locality cannot be satisfied", Scene::NoPlace, "host or rack of the request"),
    bare("Node skipped because of off-switch delay", Scene::OffSwitchDelay, "delay scheduling"),
    bare("Node skipped because relax locality is not allowed", Scene::Elsewhere, "relaxLocality is false"),
    bare("Node's total resource is insufficient for request", Scene::NodeTotal, "the node is smaller than the request"),
    bare("Node does not have sufficient resource for request", Scene::NodeFree, "free room of the node"),
    bare("Node is blacklisted", Scene::Blacklisted, "the blacklist"),
    bare("Node does not match partition or placement constraints", Scene::OtherPartition, "partition or constraint"),
    bare("Node can't find a container to be unreserved when needed", Scene::None, "reservations")
        .partly("The request would need to give a reservation back and holds none that is large enough."),
    bare("Node has been reserved", Scene::CandidateReserved, "a reservation"),
    bare("Initial check: node has been removed from scheduler", Scene::None, "the node is gone")
        .partly("The node was removed while the scheduler came to it."),
    bare("Initial check: node resource is insufficient for minimum allocation", Scene::NodeFull, "the node is full"),
    bare("Initial check: insufficient resource in partition", Scene::None, "the partition is full")
        .partly("Multi-node placement found too little room in the whole partition."),
    // ---- 3.1
    old("Hit user capacity maximum limit", Scene::UserMax, "user limit"),
    old("Hit queue max-capacity limit", Scene::QueueMax, "maximum-capacity of the queue"),
    old("Not able to access partition", Scene::NoAccess, "labels of the queue"),
    old("Queue skipped because of headroom", Scene::Headroom, "headroom of the queue"),
    old("Skip black listed node", Scene::Blacklisted, "the blacklist"),
    old(
        "To respect FIFO of applications, skipped following applications in the queue",
        Scene::None,
        "an application before it waits",
    )
    .partly("An application that comes first in the queue waits, and the queue keeps the order."),
    old("Priority skipped because off-switch request is null", Scene::None, "rows of the request")
        .partly("The AM asks for hosts and has no row for *."),
    old("Priority skipped because of relax locality is not allowed", Scene::Elsewhere, "relaxLocality is false"),
    old("Doesn't need containers based on reservation algo", Scene::None, "reservations")
        .partly("The request holds as many reservations as it may."),
    old("Skip offswitch request", Scene::OffSwitchDelay, "delay scheduling"),
    old("Skip node-local request", Scene::Elsewhere, "host of the request"),
    old("Skip rack-local request", Scene::Elsewhere, "rack of the request"),
    old("Resource request can not access the label", Scene::OtherPartition, "the partition of the node"),
    old("Locality skipped", Scene::OffSwitchDelay, "delay scheduling"),
    old("Node resource is not enough for any request", Scene::NodeFree, "free room of the node"),
    old("Couldn't get container for allocation", Scene::None, "the second check of a proposal")
        .partly("A container could not be made for the proposal."),
    old("Fail to allocate", Scene::None, "the second check of a proposal")
        .partly("A proposal was made and refused by the second check."),
    old("All priorities are skipped of the app", Scene::NodeFree, "free room of the node"),
    old("Priority skipped", Scene::NodeFree, "free room of the node"),
    old("Application priority does not need more resource", Scene::Idle, "nothing is asked for")
        .partly("The request asks for nothing more."),
];
