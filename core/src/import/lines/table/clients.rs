//! Messages of client programs and ApplicationMasters.

use super::super::build::Scene;
use super::super::row::{LinePattern, LineTopic::Client, Words};

const MAX: &str = "the maximum allocation is less than the request";
const FIT: &str = "how many fit: node room";
const OWN_SLOTS: &str = "Says nothing of YARN; if it ran on YARN, the TaskManager ask was refused or waits.";
const SPARK: &[&str] = &[
    "Will allocate AM container, with {am_mb:n} MB memory including {overhead_mb:n} MB overhead",
    "Requesting a new application from cluster with {nodes:n} NodeManagers",
    "maximum memory capability of the cluster ({max_mb:n} MB per container)",
];
const HEADROOM: &[&str] =
    &["headroom={headroom:r}", "resourcelimit={headroom:r}", "knownNMs={nodes:n}", "ask={asks:n} release"];

const fn row(what: &'static str, template: &'static str, scene: Scene) -> LinePattern {
    LinePattern::new("X", Client, what, template, scene).words(Words::Client)
}

pub const ROWS: &[LinePattern] = &[
    // ---- Spark
    row("Spark refuses itself", "Required executor memory ({executor_mb:n}+{overhead_mb:n} MB) is above the max threshold ({max_mb:n} MB)", Scene::TooLarge).why(MAX),
    row("Spark refuses itself", "Required executor memory ({executor_mb:n} MB), offHeap memory ({offheap_mb:n}) MB, overhead ({overhead_mb:n} MB), and PySpark memory ({pyspark_mb:n} MB) is above the max threshold ({max_mb:n} MB)", Scene::TooLarge).why(MAX),
    row("Spark refuses itself", "Required executor memory ({executor_mb:n} MB), offHeap memory ({offheap_mb:n} MB), overhead ({overhead_mb:n} MB), and PySpark memory ({pyspark_mb:n} MB) is above the max threshold ({max_mb:n} MB)", Scene::TooLarge).why(MAX),
    row("Spark refuses itself", "Required executor memory ({executor_mb:n} MB), overhead ({overhead_mb:n} MB), and PySpark memory ({pyspark_mb:n} MB) is above the max threshold ({max_mb:n} MB)", Scene::TooLarge).why(MAX),
    row("Spark refuses itself", "Required executor memory ({executor_mb:n}), overhead ({overhead_mb:n} MB), and PySpark memory ({pyspark_mb:n} MB) is above the max threshold ({max_mb:n} MB)", Scene::TooLarge).why(MAX),
    row("Spark refuses itself", "Required executor memory ({executor_mb:n}), offHeap memory ({offheap_mb:n}) MB, overhead ({overhead_mb:n} MB), and PySpark memory ({pyspark_mb:n} MB) is above the max threshold ({max_mb:n} MB)", Scene::TooLarge).why(MAX),
    row("Spark refuses itself", "Required executor memory ({executor_mb:n}), overhead ({overhead_mb:n}), and PySpark memory ({pyspark_mb:n}) is above the max threshold ({max_mb:n} MB)", Scene::TooLarge).why(MAX),
    row("Spark refuses itself", "Required executor memory ({executor_mb:n} MB) is above the max threshold ({max_mb:n} MB)", Scene::TooLarge).why(MAX),
    row("Spark refuses itself", "Required executor memory {*}above the max threshold ({max_mb:n} MB)", Scene::TooLarge)
        .figures(&["executor memory ({executor_mb:n}", "overhead ({overhead_mb:n}", "PySpark memory ({pyspark_mb:n}"])
        .why(MAX),
    row("Spark refuses itself", "Required AM memory ({am_mb:n}+{overhead_mb:n} MB) is above the max threshold ({max_mb:n} MB)", Scene::TooLarge).why(MAX),
    row("Spark refuses itself", "Required AM memory ({am_mb:n}) is above the max threshold ({max_mb:n} MB)", Scene::TooLarge).why(MAX),
    row("Spark client before submission", "Requesting a new application from cluster with 0 NodeManagers", Scene::NoNodes)
        .id("L15")
        .words(Words::Older)
        .figures(SPARK)
        .why("no node registered"),
    row("Spark client before submission", "Will allocate AM container, with {am_mb:n} MB memory including {overhead_mb:n} MB overhead", Scene::SparkClient)
        .id("L15")
        .figures(SPARK)
        .partly("The client reckoned the size of its AM; nothing was submitted yet.")
        .why("size of the AM"),
    row("Spark client before submission", "Requesting a new application from cluster with {nodes:n} NodeManagers", Scene::SparkClient)
        .id("L15")
        .figures(SPARK)
        .partly("The client asked for the number of nodes; nothing was submitted yet.")
        .why("nodes of the cluster"),
    row("Spark client before submission", "maximum memory capability of the cluster ({max_mb:n} MB per container)", Scene::SparkClient)
        .id("L15")
        .figures(SPARK)
        .partly("The client asked for the largest container; nothing was submitted yet.")
        .why("maximum allocation"),
    row("Spark AM's ask", "Will request {count:n} executor containers, each with {vcores:n} cores and {mb:n} MB memory including {overhead_mb:n} MB overhead", Scene::Executors).why("why fewer than asked: node room"),
    row("Spark 3 AM's ask", "Will request {count:n} executor container(s) for ResourceProfile Id: {profile:n}, each with {vcores:n} core(s) and {mb:n} MB memory", Scene::Executors)
        .figures(&["including {overhead_mb:n} MB overhead"])
        .why("how many fit"),
    row("Spark AM's ask", "Will request {count:n} executor container(s), each with {vcores:n} core(s) and {mb:n} MB memory", Scene::Executors)
        .figures(&["including {overhead_mb:n} MB"])
        .why("how many fit"),
    row("Spark AM's ask", "Will request {count:n} executor containers, each with {vcores:n} cores and {mb:n} MB memory", Scene::Executors)
        .figures(&["including {overhead_mb:n} MB overhead"])
        .why("how many fit"),
    row("Spark AM's ask", "Will allocate {count:n} executor containers, each with {mb:n} MB memory including {overhead_mb:n} MB overhead", Scene::Executors).why(FIT),
    row("Spark AM's ask", "Container request (host: {host}, capability: {ask:r})", Scene::Executors).why(FIT),
    row("Spark AM's ask", "Driver requested a total number of {count:n} executor(s)", Scene::Executors)
        .partly("Sizes are not in the text: executors of 1 GB are taken.")
        .why(FIT),
    row("Spark AM's containers", "Received {got_count:n} containers from YARN, launching executors on {count:n} of them", Scene::Executors)
        .partly("What YARN gave so far; sizes are not in the text: executors of 1 GB are taken.")
        .why(FIT),
    row("Spark AM's ask", "Submitted {count:n} unlocalized container requests", Scene::Executors)
        .partly("Sizes are not in the text: executors of 1 GB are taken.")
        .why(FIT),
    row("Spark lost an executor to preemption", "Container {container} on host: {host} was preempted", Scene::Preempted).why("which queue was below its share"),
    row("Spark lost an executor to preemption", "was preempted", Scene::Preempted)
        .also(&["xecutor"])
        .figures(&["Container {container} on", "on host: {host} "])
        .why("which queue was below its share"),
    row("Spark lost an executor to preemption", "Exit status: -102", Scene::Preempted)
        .figures(&["Exit status: {exit:n}", "on host: {host}."])
        .why("which queue was below its share"),
    row("container lost with its node", "Exit status: -100", Scene::Lost)
        .figures(&["Exit status: {exit:n}", "on host: {host}."])
        .why("the node was lost"),
    row("Spark lost the node of an executor", "Container from a bad node: {container} on host: {host}. Exit status: {exit:n}", Scene::None)
        .words(Words::Nobody)
        .no("The container's program ended with that code on the node; look into its log. Placement was done."),
    row("Spark waits for executors", "Initial job has not accepted any resources", Scene::NoExecutors)
        .also(&["YarnScheduler"])
        .partly("Spark got no executor within 15 s: the ask waits for a queue, user or node limit, which the text does not name.")
        .why("what its executors wait for"),
    row("Spark waits for executors", "Initial job has not accepted any resources", Scene::NoExecutors)
        .also(&["YarnClusterScheduler"])
        .partly("Spark got no executor within 15 s: the ask waits for a queue, user or node limit, which the text does not name.")
        .why("what its executors wait for"),
    row("Spark without YARN waits for workers", "Initial job has not accepted any resources", Scene::None)
        .also(&["TaskSchedulerImpl"])
        .words(Words::Nobody)
        .no("Spark's own scheduler speaks (TaskSchedulerImpl): this Spark does not run on YARN."),
    row("Spark waits for executors", "Initial job has not accepted any resources", Scene::NoExecutors)
        .partly("Spark got no executor; whether it runs on YARN the text does not say (YarnScheduler would).")
        .why("what its executors wait for"),
    row("Spark application waits", "Application report for {app} (state: ACCEPTED)", Scene::JustAdded)
        .id("L15")
        .partly("It waits for its AM; the reason is in the diagnostics of `yarn application -status`.")
        .why("what its AM waits for"),
    row("Spark application runs", "Application report for {app} (state: RUNNING)", Scene::Idle)
        .id("L15")
        .partly("Its AM runs; nothing in the text waits.")
        .why("running; nothing waits"),
    row("Spark application's report", "Application report for {app} (state: {state})", Scene::None)
        .id("L15")
        .partly("A report of an application's state; the reason would stand in its diagnostics."),
    row("Spark without SparkContext", "SparkContext did not initialize after waiting for", Scene::None)
        .words(Words::Nobody)
        .no("The driver did not make its SparkContext in time; placement was done."),
    row("Spark believes all nodes are on its blacklist", "Due to executor failures all available nodes are blacklisted", Scene::None)
        .words(Words::Nobody)
        .no("Spark's own list of bad nodes equals the number of nodes it knows; after a failover that number is briefly 0."),
    row("Spark believes all nodes are on its blacklist", "Due to executor failures all available nodes are excluded", Scene::None)
        .words(Words::Nobody)
        .no("Spark's own list of bad nodes equals the number of nodes it knows; after a failover that number is briefly 0."),
    row("Spark gave up", "Max number of executor failures ({failures:n}) reached", Scene::None)
        .words(Words::Nobody)
        .no("Too many executors failed by themselves; look into their logs. Placement was done."),
    row("Spark application is over", "Yarn application has already ended! It might have been killed or unable to launch application master", Scene::None)
        .words(Words::Nobody)
        .no("The application ended before the driver got through; the reason is in the diagnostics of `yarn application -status`."),
    row("killed for virtual memory, Spark's words", "Container killed by YARN for exceeding memory limits. {*}virtual memory used", Scene::None)
        .words(Words::Nobody)
        .no("Killed for virtual memory; not a matter of placement."),
    row("killed for memory, Spark's words", "Container killed by YARN for exceeding", Scene::None)
        .words(Words::Nobody)
        .figures(&["exceeding memory limits. {used_gb:f} GB of {limit_gb:f} GB physical", "exceeding physical memory limits. {used_gb:f} GB of {limit_gb:f} GB physical"])
        .no("Killed for physical memory: the executor used more than it had asked for; not a matter of placement."),
    // ---- Flink
    row("Flink refuses itself", "The number of requested virtual cores per node {ask_vcores:n} exceeds the maximum number of virtual cores {max_vcores:n} available", Scene::TooLarge).why(MAX),
    row("Flink refuses itself", "The number of requested virtual cores for application master {ask_vcores:n} exceeds the maximum number of virtual cores {max_vcores:n} available", Scene::TooLarge).why(MAX),
    row("Flink refuses itself", "requested resources for the JobManager available! Maximum Memory: {max_mb:n}MB Requested: {ask_mb:n}MB", Scene::TooLarge).why(MAX),
    row("Flink refuses itself", "requested resources for the TaskManagers available! Maximum Memory: {max_mb:n} Requested: {ask_mb:n}MB", Scene::TooLarge).why(MAX),
    row("Flink refuses itself", "requested resources for the TaskManagers available! Maximum Memory: {max_mb:n}MB Requested: {ask_mb:n}MB", Scene::TooLarge).why(MAX),
    row("Flink refuses itself", "Maximum Memory: {max_mb:n}{*}Requested: {ask_mb:n}MB", Scene::TooLarge).why(MAX),
    row("Flink refuses itself", "The requested amount of memory for the TaskManagers ({ask_mb:n}MB) is more than the largest possible YARN container: {max_mb:n}", Scene::TooLarge).why(MAX),
    row("Flink finds no node large enough", "The TaskManager(s) require {ask_mb:n}MB each", Scene::FlinkRoom).why(FIT),
    row("Flink finds the cluster too full", "This YARN session requires {ask_mb:n}MB of memory in the cluster. There are currently only {free_mb:n}MB available", Scene::FlinkRoom).why("free room of the cluster"),
    row("Flink is told of its smallest container", "memory is below the smallest possible YARN Container size. The value of 'yarn.scheduler.minimum-allocation-mb' is '{min_mb:n}'", Scene::RoundedUp)
        .figures(&["({ask_mb:n} MB)"])
        .partly("YARN rounds the container up to its minimum.")
        .why("minimum allocation"),
    row("Flink does not find its queue", "The specified queue '{queue}' does not exist. Available queues: {queues:t}", Scene::UnknownQueue).why("no queue of this name"),
    row("Flink refuses itself", "requested resource is larger than Yarn's max container resource limit", Scene::None)
        .partly("The TaskManager is larger than the largest container; neither size is in the text."),
    row("Flink asks for a TaskManager", "Requesting new TaskExecutor container with resource {*}<memory:{ask_mb:n}, vCores:{ask_vcores:n}>. Number pending requests {count:n}", Scene::Executors).why(FIT),
    row("Flink asks for a TaskManager", "Requesting new TaskExecutor container with resources {ask:r}", Scene::Executors)
        .figures(&["Number pending requests {count:n}"])
        .why(FIT),
    row("Flink asks for a TaskManager", "Requesting new TaskManager container with resources {ask:r}", Scene::Executors)
        .figures(&["Number pending requests {count:n}"])
        .why(FIT),
    row("Flink asks for a TaskManager", "Requesting new TaskExecutor container", Scene::Executors)
        .partly("Its size in YARN's figures is not in the text.")
        .why(FIT),
    row("Flink waits for its JobManager", "Deployment took more than 60 seconds. Please check if the requested resources are available in the YARN cluster", Scene::JustAdded)
        .partly("Flink waits for its JobManager's container; the reason is in the diagnostics of `yarn application -status`.")
        .why("what its AM waits for"),
    row("Flink without slots", "No pooled slot available and request to ResourceManager for new slot failed", Scene::None).partly(OWN_SLOTS),
    row("Flink without slots", "Could not allocate the required slot within slot request timeout", Scene::NoExecutors).partly(OWN_SLOTS),
    row("Flink without slots", "Could not allocate all requires slots within timeout", Scene::NoExecutors).partly(OWN_SLOTS),
    row("Flink without slots", "Could not acquire the minimum required resources", Scene::NoExecutors).partly(OWN_SLOTS),
    row("Flink without slots", "Could not fulfill slot request", Scene::NoExecutors).partly(OWN_SLOTS),
    row("Flink without slots", "Slot request bulk is not fulfillable", Scene::NoExecutors).partly(OWN_SLOTS),
    row("Flink without slots", "NoResourceAvailableException", Scene::None).partly(OWN_SLOTS),
    row("Flink could not be deployed", "The YARN application unexpectedly switched to state {state} during deployment", Scene::None)
        .words(Words::Nobody)
        .no("The JobManager's application ended while Flink waited for it; the reason stands behind `Diagnostics from YARN`."),
    row("Flink could not be deployed", "Couldn't deploy Yarn", Scene::None).partly("Flink's client could not deploy; the reason stands behind `Caused by`."),
    // ---- MapReduce
    row("MapReduce kills a job larger than the maximum", "mapResourceRequest: {ask:r} maxContainerCapability:{max_now:r}", Scene::TooLarge).why(MAX),
    row("MapReduce kills a job larger than the maximum", "reduceResourceRequest: {ask:r} maxContainerCapability:{max_now:r}", Scene::TooLarge).why(MAX),
    row("MapReduce kills a job larger than the maximum", "mapResourceRequest: {ask_mb:n} maxContainerCapability:{max_mb:n}", Scene::TooLarge).why(MAX),
    row("MapReduce kills a job larger than the maximum", "mapResourceReqt: {ask_mb:n} maxContainerCapability:{max_mb:n}", Scene::TooLarge).why(MAX),
    row("MapReduce kills a job larger than the maximum", "reduceResourceReqt: {ask_mb:n} maxContainerCapability:{max_mb:n}", Scene::TooLarge).why(MAX),
    row("MapReduce kills a job larger than the maximum", "mapResourceReqt: {ask:r} maxContainerCapability:{max_now:r}", Scene::TooLarge).why(MAX),
    row("MapReduce kills a job larger than the maximum", "MAP capability required is more than the supported max container capability in the cluster", Scene::TooLarge)
        .figures(&["Request: {ask:r}", "maxContainerCapability:{max_now:r}"])
        .why(MAX),
    row("MapReduce kills a job larger than the maximum", "REDUCE capability required is more than the supported max container capability in the cluster", Scene::TooLarge)
        .figures(&["Request: {ask:r}", "maxContainerCapability:{max_now:r}"])
        .why(MAX),
    row("MapReduce kills a job larger than the maximum", "The required MAP capability is more than the supported max container capability in the cluster", Scene::TooLarge)
        .figures(&["Request: {ask:r}", "maxContainerCapability:{max_now:r}"])
        .why(MAX),
    row("MapReduce kills a job larger than the maximum", "The required REDUCE capability is more than the supported max container capability in the cluster", Scene::TooLarge)
        .figures(&["Request: {ask:r}", "maxContainerCapability:{max_now:r}"])
        .why(MAX),
    row("MapReduce AM without headroom", "Going to preempt {count:n} due to lack of space for maps", Scene::NoHeadroom)
        .figures(HEADROOM)
        .why("headroom 0: which limit (queue, user, cluster)"),
    row("MapReduce AM without headroom", "Ramping down all scheduled reduces", Scene::NoHeadroom)
        .figures(HEADROOM)
        .why("headroom 0: which limit (queue, user, cluster)"),
    row("MapReduce AM's heartbeat", "resourcelimit={headroom:r} knownNMs={nodes:n}", Scene::HeadroomOf)
        .figures(HEADROOM)
        .partly("A heartbeat of the MapReduce AM: what it may still have, and the nodes it knows.")
        .why("headroom"),
    row("MapReduce AM's heartbeat", "Recalculating schedule, headroom={headroom:r}", Scene::HeadroomOf)
        .figures(HEADROOM)
        .partly("A heartbeat of the MapReduce AM: what it may still have.")
        .why("headroom"),
    row("MapReduce AM's books", "PendingReds:{pending_reduces:n} ScheduledMaps:{scheduled_maps:n} ScheduledReds:{scheduled_reduces:n} AssignedMaps:{assigned_maps:n} AssignedReds:{assigned_reduces:n}", Scene::NoExecutors)
        .partly("The AM's books: maps that are scheduled and not assigned wait for containers.")
        .why("what its maps wait for"),
    row("MapReduce waits for maps", "Reduce slow start threshold not met", Scene::Idle)
        .partly("Reduces wait for maps of the same job; YARN is not asked for them yet.")
        .why("reduces wait for maps"),
    row("MapReduce client", "Running job: {job}", Scene::JustAdded)
        .partly("The client waits for the job; why is not in the text: the AM waits, or its tasks do.")
        .why("what its AM waits for"),
    // ---- Livy, Hive, Tez
    row("Livy does not find its application", "No YARN application is found with tag {tag} in {after_s:n} seconds", Scene::None)
        .partly("spark-submit did not get through, or the application waits for its AM: give the diagnostics of `yarn application -status`."),
    row("Livy's session is gone", "unexpectedly reached final status 'dead'", Scene::None)
        .words(Words::Nobody)
        .no("The session ended; the reason is in its own log. Nothing of placement stands here."),
    row("Hive waits for its Spark driver", "Timed out waiting for Remote Spark Driver", Scene::JustAdded)
        .partly("Hive waits for the AM of its Spark application.")
        .why("what its AM waits for"),
    row("Hive waits for its Spark driver", "timed out waiting for connection from the Remote Spark Driver", Scene::JustAdded)
        .partly("Hive waits for the AM of its Spark application.")
        .why("what its AM waits for"),
    row("Hive runs on YARN", "Executing on YARN cluster with App id {app}", Scene::Idle).partly("The query runs; nothing in the text waits.").why("running; nothing waits"),
    row("Tez waits for its AM", "Waiting for App to be launched", Scene::JustAdded).partly("It waits for its AM.").why("what its AM waits for"),
    row("Hive: a task failed", "return code {code:n} from org.apache.hadoop.hive.ql.exec", Scene::None)
        .words(Words::Nobody)
        .no("Hive's own message that a job failed; the reason is in the job's diagnostics."),
    // ---- Slider
    row("Slider AM reviews a role", "Reviewing RoleStatus{*}name='{role}', key={key:n}, desired={desired:n}", Scene::SliderRole)
        .figures(&["Capability[{ask:r}]Priority[{priority:n}]", "and label = {label}", "actual={actual:n}", "requested={requested:n}"])
        .why("what the component's containers wait for"),
    row("Slider AM reviews a role", "RoleStatus{*}name='{role}'", Scene::SliderRole)
        .figures(&["desired={desired:n}", "Capability[{ask:r}]Priority[{priority:n}]", "label = {label}", "actual={actual:n}", "requested={requested:n}"])
        .why("what the component's containers wait for"),
    row("Slider's own check of relaxing", "relax location flag doesn't match container priority", Scene::SliderRelax)
        .figures(&["Capability[{ask:r}]Priority[{priority:n}]", "roleId={role:n}"])
        .partly("Slider's client library refuses it: the priority carries the relaxing flag.")
        .why("Slider's priority carries the relaxing flag"),
    row("Slider AM asks", "Container ask is Capability[{ask:r}]Priority[{priority:n}]", Scene::SliderRole)
        .figures(&["and label = {label}", "Asking for {desired:n} more nodes(s)", "{role}: Asking for"])
        .why("what the component's containers wait for"),
    row("Slider AM asks", "{role}: Asking for {desired:n} more nodes(s)", Scene::SliderRole).why("what the component's containers wait for"),
    row("Slider gave up on a component", "failed with component {role} failed {*}threshold is {threshold:n}", Scene::None)
        .words(Words::Nobody)
        .no("The component failed too often by itself; look into its log. Placement was done."),
    // ---- Samza
    row("Samza waits for its preferred host, older words", "Did not find any allocated resources on preferred host {host} for running container id {container}", Scene::SamzaHost)
        .why("preferred host has no room"),
    row("Samza waits for its preferred host", "Did not find any allocated containers on preferred host {host} for running container id {container}", Scene::SamzaHost)
        .why("preferred host has no room"),
    row("Samza waits for its preferred host", "Did not find any allocated resources on preferred host {host} for running Processor ID: {container}", Scene::SamzaHost)
        .why("preferred host has no room"),
    row("Samza waits for its preferred host", "Did not find any allocated containers for running Processor ID: {container} on preferred host: {host}", Scene::SamzaHost)
        .why("preferred host has no room"),
    row("Samza waits for its preferred host", "any allocated {*}preferred host{*}", Scene::SamzaHost)
        .also(&["rocessor"])
        .figures(&["preferred host {host} ", "preferred host: {host}", "Processor ID: {container}", "container id {container}"])
        .why("preferred host has no room"),
    row("Samza gives up on a preferred host", "Request for {*}has expired", Scene::SamzaHost).also(&["amza"]).why("preferred host has no room"),
    row("Samza asks", "Requesting resources on {host} for", Scene::SamzaHost)
        .figures(&["Processor ID: {container}", "container id {container}", "container {container}"])
        .partly("The job's AM asks for a container; nothing says yet that it waits.")
        .why("preferred host"),
    // ---- distributed shell and others
    row("distributed shell lowers its AM", "AM memory specified above max threshold of cluster. Using max value., specified={specified_mb:n}, max={max_mb:n}", Scene::ShellLowered)
        .why("AM lowered to the largest container"),
    row("distributed shell lowers its AM", "AM virtual cores specified above max threshold of cluster. Using max value., specified={specified_vcores:n}, max={max_vcores:n}", Scene::ShellLowered)
        .why("AM lowered to the largest container"),
    row("distributed shell lowers its containers", "Container memory specified above max threshold of cluster. Using max value., specified={specified_mb:n}, max={max_mb:n}", Scene::ShellLowered)
        .why("container lowered to the largest one"),
    row("distributed shell lowers its containers", "Container virtual cores specified above max threshold of cluster. Using max value., specified={specified_vcores:n}, max={max_vcores:n}", Scene::ShellLowered)
        .why("container lowered to the largest one"),
    row("AM gives containers back", "{container} with {got:r}, priority {priority:n} doesn't meet requested resource requirements {asked:r}", Scene::None)
        .no("The application gives its containers back because of a fault of its own (it forgets the GPU); YARN placed them."),
    row("AM gives containers back", "doesn't meet requested resource requirements", Scene::None)
        .no("The application gives its containers back because of a fault of its own; YARN placed them."),
];
