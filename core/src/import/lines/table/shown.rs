//! Tables and pages of YARN's own programs: the command line, the web page, REST.

use super::super::build::Scene;
use super::super::row::{LinePattern, LineTopic::Shown, Words};

const QUIET: &str = "running; nothing waits";
const REASON: &str = "what its AM waits for";
const APP: &[&str] = &[
    "Application-Id : {app}",
    "User : {user}",
    "Queue : {queue}",
    "State : {state}",
    "Progress : {progress:f}%",
    "AM Host : {am_host}",
    "Application Priority : {priority:n}",
    "Unmanaged Application : {unmanaged}",
    "Application Node Label Expression : {label}",
    "AM container Node Label Expression : {am_label}",
];
const PAGE: &[&str] =
    &["User: {user} ", "Queue: {queue} ", "YarnApplicationState: {state}", "Application Type: {type} "];
const METRICS: &[&str] = &[
    "\"totalNodes\": {nodes:n}",
    "\"activeNodes\": {active_nodes:n}",
    "\"containersPending\": {pending_containers:n}",
    "\"containersReserved\": {reserved_containers:n}",
    "\"containersAllocated\": {containers:n}",
    "\"appsPending\": {apps_pending:n}",
    "\"appsRunning\": {apps_running:n}",
    "\"unhealthyNodes\": {unhealthy_nodes:n}",
    "\"lostNodes\": {lost_nodes:n}",
];

const fn row(what: &'static str, template: &'static str, scene: Scene) -> LinePattern {
    LinePattern::new("X", Shown, what, template, scene).words(Words::Client)
}

pub const ROWS: &[LinePattern] = &[
    row("yarn application -status", "Application Report :{*}State : ACCEPTED", Scene::JustAdded)
        .figures(APP)
        .partly("The application waits for its AM; the reason would stand in its diagnostics, which are empty.")
        .why(REASON),
    row("yarn application -status", "Application Report :", Scene::Idle)
        .figures(APP)
        .partly("A report of an application in which nothing waits.")
        .why(QUIET),
    row("yarn application -status", "Application-Id : {app}", Scene::Idle)
        .figures(APP)
        .partly("A report of an application in which nothing waits.")
        .why(QUIET),
    row(
        "yarn application -list",
        "Application-Id{*}Application-Name{*}Application-Type{*}User{*}Queue{*}State",
        Scene::Apps,
    )
    .partly("Sizes are not in the table: give `yarn application -status` or the REST answers for a scenario of it.")
    .why(QUIET),
    row("yarn application -list", "Total number of applications", Scene::Apps)
        .partly("Sizes are not in the table: give `yarn application -status` or the REST answers for a scenario of it.")
        .why(QUIET),
    row("yarn applicationattempt -list", "ApplicationAttempt-Id", Scene::None)
        .partly("A table of attempts; sizes are not in it."),
    row("yarn container -list", "Container-Id{*}Start Time{*}Finish Time{*}State{*}Host", Scene::Containers)
        .partly("Sizes are not in the table.")
        .why("where its containers are"),
    row("yarn container -list", "Total number of containers", Scene::Containers)
        .partly("Sizes are not in the table.")
        .why("where its containers are"),
    row("yarn container -status", "Container Report :", Scene::None)
        .figures(&["Container-Id : {container}", "State : {state}", "Host : {node}", "NodeHttpAddress : {http}"])
        .partly("A report of one container; its size is not in it."),
    row("yarn node -list", "Node-Id{*}Node-State{*}Node-Http-Address{*}Number-of-Running-Containers", Scene::Nodes)
        .partly(
            "Sizes are not in the table: give `yarn node -list -showDetails`, or 8 GB and 8 vcores are taken for each.",
        )
        .why("nodes are there"),
    row("yarn node -list", "Total Nodes:{nodes:n}", Scene::Nodes)
        .partly(
            "Sizes are not in the table: give `yarn node -list -showDetails`, or 8 GB and 8 vcores are taken for each.",
        )
        .why("nodes are there"),
    row("yarn node -status", "Node Report :", Scene::Nodes)
        .figures(&[
            "Node-Id : {node}",
            "Rack : {rack}",
            "Node-State : {state}",
            "Containers : {containers:n}",
            "Memory-Used : {used_mb:n}MB",
            "Memory-Capacity : {size_mb:n}MB",
            "CPU-Used : {used_vcores:n} vcores",
            "CPU-Capacity : {size_vcores:n} vcores",
            "Node-Labels : {label}",
        ])
        .partly("A report of one node.")
        .why("room of the node"),
    row("yarn queue -list all", "Queue Name{*}Queue Path{*}State{*}Capacity", Scene::Queues)
        .partly("Queue settings; nothing in the table waits.")
        .why("queue settings"),
    row("yarn queue -status", "Queue Information :", Scene::Queues)
        .figures(&[
            "Queue Name : {queue}",
            "Queue Path : {path}",
            "State : {state}",
            "Capacity : {capacity:f}%",
            "Current Capacity : {used:f}%",
            "Maximum Capacity : {max:f}%",
            "Weight : {weight:f}",
            "Maximum Parallel Apps : {max_parallel:n}",
            "Default Node Label expression : {label}",
            "Accessible Node Labels : {labels}",
            "Preemption : {preemption}",
        ])
        .partly("Queue settings; nothing in the text waits.")
        .why("queue settings"),
    row("yarn command", "Application with id '{app}' doesn't exist in RM", Scene::None)
        .words(super::super::row::Words::Nobody)
        .no(
            "This ResourceManager does not know the application: another cluster, or it was forgotten after a restart.",
        ),
    // ---- the web page
    row(
        "application page, FairScheduler by the name of its queue",
        "Queue: root.{queue_tail} {*}YarnApplicationState: ACCEPTED",
        Scene::FairAmShare,
    )
    .words(Words::Older)
    .figures(PAGE)
    .partly("maxAMShare of the queue is one of several causes; the FairScheduler of that time says nothing.")
    .why("maxAMShare of the queue (one of several causes)"),
    row("application page", "YarnApplicationState: ACCEPTED", Scene::JustAdded)
        .figures(PAGE)
        .partly("The application waits for its AM; the reason would stand in its diagnostics.")
        .why(REASON),
    row("application page", "YarnApplicationState: RUNNING", Scene::Idle)
        .figures(PAGE)
        .partly("The application runs; nothing in the text waits.")
        .why(QUIET),
    row("application page", "YarnApplicationState: {state}", Scene::None)
        .figures(PAGE)
        .partly("An application's page; its diagnostics say how it ended."),
    row(
        "application page",
        "ACCEPTED: waiting for AM container to be allocated, launched and register with RM",
        Scene::JustAdded,
    )
    .partly("The application waits for its AM; the reason would stand in its diagnostics.")
    .why(REASON),
    row("scheduler page", "Max Application Master Resources: {queue_am_limit:r}", Scene::QueuePage)
        .figures(&[
            "Used Application Master Resources: {queue_am_used:r}",
            "Max Application Master Resources Per User: {user_am_limit:r}",
            "Configured Max Application Master Limit: {am_percent:f}",
            "Used Capacity: {queue_used:f}%",
            "Absolute Used Capacity: {absolute_used:f}%",
            "Absolute Capacity: {queue_capacity:f}%",
            "Absolute Max Capacity: {queue_max:f}%",
            "Used Resources: {used:r}",
            "Num Schedulable Applications: {active:n}",
            "Num Non-Schedulable Applications: {pending_apps:n}",
            "Num Containers: {containers:n}",
            "Max Applications: {max_apps:n}",
            "Queue State: {state}",
        ])
        .partly("What the page says of one queue.")
        .why("AM limit of the queue"),
    row("scheduler page", "Num Schedulable Applications: {active:n}", Scene::QueuePage)
        .figures(&[
            "Num Non-Schedulable Applications: {pending_apps:n}",
            "Used Capacity: {queue_used:f}%",
            "Absolute Capacity: {queue_capacity:f}%",
            "Absolute Max Capacity: {queue_max:f}%",
            "Num Containers: {containers:n}",
        ])
        .partly("What the page says of one queue.")
        .why("limits of the queue"),
    row("FairScheduler page", "Steady Fair Share: {share:r}", Scene::FairPage)
        .figures(&[
            "Instantaneous Fair Share: {instant:r}",
            "Used Resources: {used:r}",
            "Num Active Applications: {active:n}",
            "Num Pending Applications: {pending_apps:n}",
            "Min Resources: {min:r}",
            "Max Resources: {max:r}",
        ])
        .partly("What the page says of one queue.")
        .why("shares of the queue"),
    row("cluster page", "Apps Submitted{*}Apps Pending{*}Apps Running{*}Apps Completed", Scene::None)
        .partly("Sums of the cluster; give /ws/v1/cluster/scheduler, /nodes and /apps for a scenario of it."),
    row("nodes page", "Unhealthy Nodes", Scene::None)
        .also(&["Lost Nodes"])
        .partly("Sums of the nodes; give /ws/v1/cluster/nodes for a scenario of it."),
    // ---- REST
    row("REST cluster metrics", "clusterMetrics", Scene::Metrics)
        .figures(METRICS)
        .partly("Sums of the cluster: which queue, user or label keeps the rest waiting is not in them.")
        .why("a queue, user or label limit where room is free"),
    row("application's state in REST", "\"state\":\"ACCEPTED\"", Scene::JustAdded)
        .figures(&["\"queue\":\"{queue}", "\"user\":\"{user}", "\"id\":\"{app}"])
        .partly("The application waits for its AM; the reason would stand in its diagnostics.")
        .why(REASON),
    row("application's state in REST", "\"state\":\"{state}\"", Scene::Idle)
        .also(&["\"amContainerLogs\""])
        .figures(&[
            "\"queue\":\"{queue}",
            "\"user\":\"{user}",
            "\"id\":\"{app}",
            "\"allocatedMB\":{allocated_mb:n}",
            "\"allocatedVCores\":{allocated_vcores:n}",
            "\"runningContainers\":{containers:n}",
        ])
        .partly("An application in which nothing waits.")
        .why(QUIET),
    row("activities without a record", "waiting for display", Scene::None)
        .partly("The activities are recorded at the next heartbeat: ask again in a moment."),
    row("activities without a record", "waiting for next allocation", Scene::None)
        .partly("The activities are recorded at the next heartbeat: ask again in a moment."),
    row("activities snippet", "\"allocationState\":\"{state}\"", Scene::None)
        .partly("A row of the activities without its diagnostic."),
];
