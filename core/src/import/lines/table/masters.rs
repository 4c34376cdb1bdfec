//! Diagnostics of applications whose ApplicationMaster waits (formats.md 8.1 and 8.2).

use super::super::build::Scene;
use super::super::row::{LinePattern, LineTopic::Master, Words};

/// The figures after "Details" of an inactive application.
const DETAILS: &[&str] = &[
    "AM Partition = {partition}; AM",
    "AM Resource Request = {ask:r}",
    "Queue Resource Limit for AM = {queue_am_limit:r}",
    "User AM Resource Limit of the queue = {user_am_limit:r}",
    "Queue AM Resource Usage = {queue_am_used:r}",
    "user: {user} ",
    "queue: {queue} ",
];
/// The figures after "Details" of an active application.
const ACTIVE: &[&str] = &[
    "AM Partition = {partition} ; Partition Resource",
    "Partition Resource = {partition_size:r}",
    "Queue's Absolute capacity = {queue_capacity:f} %",
    "Queue's Absolute used capacity = {queue_used:f} %",
    "Queue's Absolute max capacity = {queue_max:f} %",
    "Queue's capacity (absolute resource) = {queue_size:r}",
    "Queue's used capacity (absolute resource) = {queue_used_size:r}",
    "Queue's max capacity (absolute resource) = {queue_max_size:r}",
    "Last Node which was processed for the application : {node} ( Partition : [{node_partition:t}], Total resource : {node_size:r}, Available resource : {node_free:r} )",
    "Last Node which was processed for the application : {node} ( Partition",
    "Total resource : {node_size:r}",
    "Available resource : {node_free:r}",
    "queue: {queue} ",
];
const FAIR: &[&str] =
    &["Resource request: {ask:r}", "Max share of queue: {queue_max:r}", "queue: {queue} ", "user: {user} "];

pub const ROWS: &[LinePattern] = &[
    LinePattern::new("D01", Master, "AM share used up", "Queue's AM resource limit exceeded", Scene::AmQueueLimit)
        .figures(DETAILS)
        .why("the AM limit of the queue: used + ask > limit"),
    LinePattern::new("D02", Master, "AM share of the user used up", "User's AM resource limit exceeded", Scene::AmUserLimit)
        .figures(DETAILS)
        .why("the user's AM limit"),
    LinePattern::new("D03", Master, "cluster without nodes", "Skipping AM assignment as cluster resource is empty", Scene::NoNodes)
        .figures(DETAILS)
        .why("no node registered"),
    LinePattern::new("D03", Master, "cluster without nodes", "AM Resource Request = {ask:r}; Queue Resource Limit for AM = <memory:0, vCores:0>", Scene::NoNodes)
        .figures(DETAILS)
        .why("no node registered"),
    LinePattern::new("D01", Master, "AM share used up", "AM Resource Request = {ask:r}; Queue Resource Limit for AM = {queue_am_limit:r}", Scene::AmQueueLimit)
        .figures(DETAILS)
        .why("the AM limit of the queue: used + ask > limit"),
    LinePattern::new("D13", Master, "AM larger than the AM share of its queue", "(Resource request: {ask:r} exceeds maximum AM resource allowed)", Scene::FairAmShare)
        .figures(FAIR)
        .why("maxAMShare of the queue"),
    LinePattern::new("D13", Master, "AM larger than the AM share of its queue", "exceeds maximum AM resource allowed", Scene::FairAmShare)
        .figures(FAIR)
        .why("maxAMShare of the queue"),
    LinePattern::new("D14", Master, "FairScheduler AM wait", "(Resource request: {ask:r} exceeds current queue or its parents maximum resource allowed)", Scene::FairMaxShare)
        .figures(FAIR)
        .why("maxResources of the queue or a parent"),
    LinePattern::new("D14", Master, "FairScheduler AM wait", "exceeds current queue or its parents maximum resource allowed", Scene::FairMaxShare)
        .figures(FAIR)
        .why("maxResources of the queue or a parent"),
    LinePattern::new("D15", Master, "AM waits on a reservation", "exceeds the available resources of the node and the request is reserved", Scene::FairReserved)
        .figures(FAIR)
        .why("the node is reserved for the AM"),
    LinePattern::new("D16", Master, "AM fits on no node and may not reserve one", "exceeds the available resources of the node and the request cannot be reserved", Scene::FairNotReserved)
        .figures(FAIR)
        .why("no reservation is possible"),
    LinePattern::new("X", Master, "FairScheduler: queue runs as many as it may", "The queue \"{queue}\" has reached the maximum limit of runnable applications", Scene::FairParallelQueue)
        .why("maxRunningApps of the queue"),
    LinePattern::new("X", Master, "FairScheduler: user runs as many as it may", "The user \"{user}\" has reached the maximum limit of runnable applications", Scene::FairParallelUser)
        .why("maxRunningApps of the user"),
    LinePattern::new("D07", Master, "user at its limit", "User capacity has reached its maximum limit, user limit is {user_limit:r}, resource used by {user} is {user_used:r}", Scene::AmAtUserLimit)
        .figures(ACTIVE)
        .why("the user limit"),
    LinePattern::new("D07", Master, "user at its limit", "User capacity has reached its maximum limit", Scene::AmAtUserLimit)
        .words(Words::Older)
        .figures(ACTIVE)
        .why("the user limit"),
    LinePattern::new("D09", Master, "AM diagnostics", "Skipped scheduling for this Node as its black listed. Last Node which was processed", Scene::AmBlacklisted)
        .with(&["D06"])
        .figures(ACTIVE)
        .why("an AM failed on that node before"),
    LinePattern::new("D09", Master, "AM diagnostics", "Skipped scheduling for this Node as its black listed", Scene::AmBlacklisted)
        .figures(ACTIVE)
        .why("an AM failed on that node before"),
    LinePattern::new("D08", Master, "AM diagnostics", "Skipping assigning to Node in Ignore Exclusivity mode. Last Node which was processed", Scene::AmBorrowing)
        .with(&["D06"])
        .figures(ACTIVE)
        .why("an AM never runs on lent nodes"),
    LinePattern::new("D08", Master, "AM diagnostics", "Skipping assigning to Node in Ignore Exclusivity mode", Scene::AmBorrowing)
        .figures(ACTIVE)
        .why("an AM never runs on lent nodes"),
    LinePattern::new("D10", Master, "AM diagnostics", "Skipping assigning to Node as request locality is not matching. Last Node which was processed", Scene::AmElsewhere)
        .with(&["D06"])
        .figures(ACTIVE)
        .why("the AM asks for another host or rack"),
    LinePattern::new("D10", Master, "AM diagnostics", "Skipping assigning to Node as request locality is not matching", Scene::AmElsewhere)
        .figures(ACTIVE)
        .why("the AM asks for another host or rack"),
    LinePattern::new("D07a", Master, "AM container could not be made", "Scheduling of container failed.", Scene::AmWaits)
        .figures(ACTIVE)
        .partly("The scheduler chose a node and could not make the container. That is rare; the next heartbeats try again.")
        .why("no node took the AM"),
    LinePattern::new("D05", Master, "AM waits for room on a node", "Application is Activated, waiting for resources to be assigned for AM. Last Node which was processed", Scene::AmWaits)
        .with(&["D06"])
        .figures(ACTIVE)
        .why("no node has room for the AM"),
    LinePattern::new("D05", Master, "AM waits for room on a node", "waiting for resources to be assigned for AM", Scene::AmWaits)
        .figures(ACTIVE)
        .why("no node has room for the AM"),
    LinePattern::new("D05", Master, "AM waits for room on a node", "Partition Resource = {partition_size:r} ; Queue's Absolute capacity", Scene::AmWaits)
        .figures(ACTIVE)
        .why("no node has room for the AM"),
    LinePattern::new("D06", Master, "AM waits for room on a node", "Last Node which was processed for the application : {node} ( Partition", Scene::AmWaits)
        .figures(ACTIVE)
        .why("no node has room for the AM"),
    LinePattern::new("D11", Master, "AM placed, not launched yet", "Scheduler has assigned a container for AM, waiting for AM container to be launched", Scene::AmAssigned)
        .partly("The AM has its container; the NodeManager has not started it yet. Look into the NodeManager's log.")
        .figures(&["queue: {queue} "])
        .why("placement is done; the NodeManager has to start it"),
    LinePattern::new("D12", Master, "AM placed, starting up", "AM container is launched, waiting for AM container to Register with RM", Scene::AmLaunched)
        .partly("The AM runs and has not registered yet. Look into the AM's log.")
        .figures(&["queue: {queue} "])
        .why("placement is done; look into the AM's log"),
    LinePattern::new("D12a", Master, "unmanaged AM", "User launched the Application Master, since it's unmanaged", Scene::None)
        .partly("The AM runs outside of YARN: its user starts it, and nothing is placed until it has registered."),
    LinePattern::new("D04", Master, "application not active yet", "Application is added to the scheduler and is not yet activated", Scene::JustAdded)
        .figures(DETAILS)
        .partly("The text has no reason: the application was just submitted, or a FairScheduler keeps it waiting.")
        .why("it waits for its AM's turn"),
];
