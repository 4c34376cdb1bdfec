//! Ends of containers, attempts and applications (formats.md 8.4).

use super::super::build::Scene;
use super::super::row::{LinePattern, LineTopic::Ending, Words};

const EXIT: &[&str] = &[
    "exited with exitCode: {exit:n}",
    "Exit status: {exit:n}",
    "Exit code from container {*} is : {exit:n}",
    "failed {attempts:n} times",
    "in previous {validity_ms:n} milliseconds",
    "global limit ={global_limit:n}",
    "local limit is ={local_limit:n}",
    "on host: {host}. Exit",
    "on host: {host} ",
    "non-zero exit code {exit:n}",
    "Exit code is {exit:n}",
    "exitCode={exit:n}",
    "{exit:n} Container preempted by scheduler",
];
const VMEM: &str = "The NodeManager killed the container for virtual memory (ratio 2.1); placement was done.";
const PMEM: &str =
    "The NodeManager killed the container for physical memory: it used more than it had asked for; placement was done.";

const fn row(id: &'static str, what: &'static str, template: &'static str, scene: Scene) -> LinePattern {
    LinePattern::new(id, Ending, what, template, scene)
}

pub const ROWS: &[LinePattern] = &[
    row("D43", "killed for virtual memory", "failed {attempts:n} times due to AM Container for {*}beyond virtual memory limits", Scene::None)
        .with(&["D36"])
        .words(Words::Nobody)
        .figures(EXIT)
        .no("The NodeManager killed the AM for virtual memory (ratio 2.1); placement was done."),
    row("D43", "killed for virtual memory", "failed {attempts:n} times due to AM Container for {*}beyond the 'VIRTUAL' memory limit", Scene::None)
        .with(&["D36"])
        .words(Words::Nobody)
        .figures(EXIT)
        .no("The NodeManager killed the AM for virtual memory (ratio 2.1); placement was done."),
    row("D43", "killed for physical memory", "failed {attempts:n} times due to AM Container for {*}beyond physical memory limits", Scene::None)
        .with(&["D36"])
        .words(Words::Nobody)
        .figures(EXIT)
        .no("The NodeManager killed the AM for physical memory; placement was done."),
    row("D43", "killed for physical memory", "failed {attempts:n} times due to AM Container for {*}beyond the 'PHYSICAL' memory limit", Scene::None)
        .with(&["D36"])
        .words(Words::Nobody)
        .figures(EXIT)
        .no("The NodeManager killed the AM for physical memory; placement was done."),
    row("D43", "killed for virtual memory", "beyond virtual memory limits", Scene::None).words(Words::Nobody).figures(EXIT).no(VMEM),
    row("D43", "killed for virtual memory", "beyond the 'VIRTUAL' memory limit", Scene::None).words(Words::Nobody).figures(EXIT).no(VMEM),
    row("D43", "killed for physical memory", "beyond physical memory limits", Scene::None).words(Words::Nobody).figures(EXIT).no(PMEM),
    row("D43", "killed for physical memory", "beyond the 'PHYSICAL' memory limit", Scene::None).words(Words::Nobody).figures(EXIT).no(PMEM),
    row("D43", "killed for memory", "beyond memory limits", Scene::None).words(Words::Nobody).figures(EXIT).no(PMEM),
    row("D38", "container allocated and never started", "Container expired since it was unused", Scene::Expired)
        .figures(&["Timed out after {after_s:n} secs", "Exit status: {exit:n}"])
        .partly("The AM did not start the container that it had been given.")
        .why("the AM did not start what it had been given"),
    row("D37", "container preempted", "Container preempted by scheduler", Scene::Preempted)
        .figures(EXIT)
        .why("which queue was below its share, and why this container"),
    row("D39", "container lost with its node", "Container released on a *lost* node", Scene::Lost)
        .figures(EXIT)
        .why("the node was lost; what the application asks again"),
    row("D39", "container lost with its node", "Container released on a lost node", Scene::Lost)
        .figures(EXIT)
        .why("the node was lost; what the application asks again"),
    row("D40", "reservation dropped", "Container reservation no longer required", Scene::None)
        .figures(EXIT)
        .partly("The scheduler dropped a reservation that the application no longer needed."),
    row("D41", "container given back", "Container released by application", Scene::None)
        .figures(EXIT)
        .partly("The application gave the container back itself."),
    row("D41", "container of an application that is over", "Container of a completed application", Scene::None)
        .figures(EXIT)
        .partly("The application was over, and its containers went with it."),
    row("D42", "AM timed out", "ApplicationMaster for attempt {attempt} timed out", Scene::AmTimedOut)
        .figures(&["failed {attempts:n} times", "application {app} failed", "Application {app} failed"])
        .partly("The AM went silent; not a matter of placement.")
        .why("the AM went silent, not a matter of placement"),
    row("X", "application killed by a person", "Application killed by user", Scene::None)
        .no("A person killed the application; YARN did nothing by itself."),
    row("X", "application killed by a person", "Application {app} was killed by user", Scene::None)
        .no("A person killed the application; YARN did nothing by itself."),
    row("X", "application killed by a person", "has been killed by user", Scene::None)
        .no("A person killed the application; YARN did nothing by itself."),
    row("X", "task timeout", "Timed out after {after_s:n} secs", Scene::None)
        .words(Words::Nobody)
        .also(&["AttemptID"])
        .figures(EXIT)
        .no("The application killed its own task (no progress for 600 s); not a matter of placement."),
    row("X", "container killed with its application", "Container killed by the ApplicationMaster", Scene::None)
        .words(Words::Nobody)
        .figures(EXIT)
        .no("The application killed its own container; not a matter of placement."),
    row("D36", "AM could not be started", "exited with exitCode: -1000", Scene::None)
        .words(Words::Nobody)
        .figures(EXIT)
        .no("The AM's container was placed and its files could not be brought there (code -1000); look into the NodeManager's log."),
    row("D36", "AM preempted or lost", "exited with exitCode: -102", Scene::Preempted)
        .figures(EXIT)
        .why("the AM's container was preempted"),
    row("D36", "AM lost with its node", "exited with exitCode: -100", Scene::AmLost)
        .figures(EXIT)
        .why("the AM's node was lost"),
    row("D36", "AM failed", "failed {attempts:n} times{*}due to AM Container for", Scene::None)
        .words(Words::Nobody)
        .figures(EXIT)
        .no("The AM ran and failed by itself as often as it may; look into its log."),
    row("D36", "AM failed", "failed {attempts:n} times{*}due to", Scene::None)
        .words(Words::Nobody)
        .figures(EXIT)
        .no("The AM failed as often as it may; the reason stands behind `due to`."),
    row("D36", "AM failed", "AM Container for {attempt} exited with exitCode: {exit:n}", Scene::None)
        .words(Words::Nobody)
        .figures(EXIT)
        .no("The AM ran and failed by itself; look into its log."),
    row("D36", "unmanaged application failed", "Unmanaged application {app} failed due to", Scene::None)
        .words(Words::Nobody)
        .no("An AM that YARN does not start failed; look into its own log."),
    row("X", "container ended by its own program", "Exception from container-launch", Scene::None)
        .words(Words::Nobody)
        .figures(EXIT)
        .no("The container was placed and its program could not be started; look into its log."),
    row("X", "container killed from outside", "Container killed on request. Exit code is {exit:n}", Scene::None)
        .words(Words::Nobody)
        .no("The container was stopped on request (143 is SIGTERM): by its application, a memory check or a person; placement was done."),
    row("X", "container ended by its own program", "Container exited with a non-zero exit code {exit:n}", Scene::None)
        .words(Words::Nobody)
        .no("The program in the container failed; look into its log. Placement was done."),
];
