//! Messages about what Heddle does not play: other schedulers, programs' own faults, networks and permissions.

use super::super::build::Scene;
use super::super::row::{LinePattern, LineTopic::Elsewhere};

const LOG: &str = "The program failed by itself; look into its log. Placement was done.";
const RM_AWAY: &str = "The program does not reach the ResourceManager; nothing was asked of the scheduler yet.";

const fn row(what: &'static str, template: &'static str, say: &'static str) -> LinePattern {
    LinePattern::elsewhere(what, template, say)
}

pub const ROWS: &[LinePattern] = &[
    row(
        "Kubernetes' scheduler",
        "nodes are available:",
        "This is Kubernetes' scheduler, not YARN's; Heddle plays YARN.",
    ),
    row("Kubernetes' scheduler", "FailedScheduling", "This is Kubernetes' scheduler, not YARN's; Heddle plays YARN."),
    row("Mesos", "Mesos cluster", "This is Mesos, not YARN; Heddle plays YARN."),
    row("Mesos", "MesosCoarseGrainedSchedulerBackend", "This is Spark on Mesos, not on YARN."),
    row("Slurm", "slurmstepd", "This is Slurm, not YARN; Heddle plays YARN."),
    row("Spark's own cluster", "StandaloneSchedulerBackend", "This Spark runs on its own cluster, without YARN."),
    row("Spark's own cluster", "SparkDeploySchedulerBackend", "This Spark runs on its own cluster, without YARN."),
    row("Spark's own cluster", "spark://", "This Spark runs on its own cluster, without YARN."),
    row("ResourceManager not reached", "Retrying connect to server: {server}", RM_AWAY),
    row("ResourceManager not reached", "Connecting to ResourceManager at {server}", RM_AWAY),
    row("ResourceManager not reached", "Call From {*}failed on connection exception", RM_AWAY),
    row(
        "a person's rights",
        "is not allowed to impersonate",
        "A matter of proxy users (core-site.xml): the submission never came to the scheduler.",
    ),
    row("a person's rights", "Permission denied: user=", "A matter of HDFS's permissions; not of placement."),
    row("Kerberos", "GSS initiate failed", "A matter of Kerberos; not of placement."),
    row(
        "Kerberos",
        "Failed on local exception: java.io.IOException: org.apache.hadoop.security.AccessControlException: Client cannot authenticate",
        "A matter of Kerberos; not of placement.",
    ),
    row("token", "Token can't be found in cache", "A matter of delegation tokens; not of placement."),
    row("token", "InvalidToken", "A matter of delegation tokens; not of placement."),
    row("program's own fault", "java.lang.OutOfMemoryError", LOG),
    row("program's own fault", "Error: Could not find or load main class", LOG),
    row("program's own fault", "ClassNotFoundException", LOG),
    row("program's own fault", "NoClassDefFoundError", LOG),
    row("program's own fault", "prelaunch.err", LOG),
    row("program's own fault", "User class threw exception", LOG),
    row(
        "Spark's executor lost",
        "Executor heartbeat timed out after",
        "The executor went silent towards its driver (often garbage collection); placement was done.",
    ),
    row("Spark's shuffle", "FetchFailedException", "A shuffle could not be read; placement was done."),
    row(
        "MapReduce's shuffle service",
        "The auxService:mapreduce_shuffle does not exist",
        "The NodeManager lacks an auxiliary service (yarn.nodemanager.aux-services); placement was done.",
    ),
    row(
        "auxiliary service missing",
        "The auxService:{service} does not exist",
        "The NodeManager lacks an auxiliary service (yarn.nodemanager.aux-services); placement was done.",
    ),
    row(
        "files of a container",
        "File does not exist:",
        "A file that the container needs is not there; placement was done.",
    ),
    row(
        "files of a container",
        "changed on src filesystem",
        "A file that the container needs was changed since it was submitted; placement was done.",
    ),
    row("HDFS", "could only be replicated to 0 nodes", "A matter of HDFS; not of placement by YARN."),
    row("HDFS", "Name node is in safe mode", "A matter of HDFS; not of placement by YARN."),
    row(
        "Spark killed an executor for another reason",
        "Lost executor {executor} on {host}: Slave lost",
        "Spark lost the executor's connection; whether YARN took the container its exit status would say.",
    ),
    row(
        "program ended by the kernel",
        "Exit code is 137",
        "Exit code 137 is SIGKILL, mostly by the kernel for memory; placement was done.",
    ),
    row(
        "program ended by the kernel",
        "Exit status: 137",
        "Exit code 137 is SIGKILL, mostly by the kernel for memory; placement was done.",
    ),
    row("program ended from outside", "Exit status: 143", "Exit code 143 is SIGTERM; placement was done."),
    row(
        "container's program ended",
        "Container marked as failed",
        "The container's program ended by itself; look into its log. Placement was done.",
    ),
    row(
        "container's program ended",
        "Exit status: {exit:n}",
        "The container's program ended by itself; look into its log. Placement was done.",
    ),
];

const _: () = {
    let mut i = 0;
    while i < ROWS.len() {
        assert!(matches!(ROWS[i].kind, Elsewhere) && matches!(ROWS[i].scene, Scene::None));
        i += 1;
    }
};
