//! Refused submissions (formats.md 8.2 and 8.3), in the wording of 2.7 to 3.5.

use super::super::build::Scene;
use super::super::row::{LinePattern, LineTopic::Submission, Words};

const RULES: &str = "the rule that rejected";
const REPORT: &[&str] = &["application {app} ", "Application {app} ", "user: {user} ", "queue: {queue} "];

const fn row(id: &'static str, what: &'static str, template: &'static str, scene: Scene) -> LinePattern {
    LinePattern::new(id, Submission, what, template, scene)
}

pub const ROWS: &[LinePattern] = &[
    // ---- FairScheduler
    row("D17", "FairScheduler placement rules reject", "Reject application {app} submitted by user {user} application rejected by placement rules", Scene::FairRejected)
        .why(RULES),
    row("D17", "FairScheduler placement rules reject, head cut off", "user {user} application rejected by placement rules", Scene::FairRejected)
        .why(RULES),
    row("D17", "FairScheduler placement rules reject, head cut off", "application rejected by placement rules", Scene::FairRejected)
        .why(RULES),
    row("X", "FairScheduler placement policy rejects (older words)", "Application rejected by queue placement policy", Scene::FairRejected)
        .words(Words::Older)
        .figures(&["user {user} ", "user: {user} "])
        .why(RULES),
    row("X", "CapacityScheduler placement rules reject (older words)", "Application rejected by queue placement rules", Scene::FairRejected)
        .words(Words::Older)
        .why(RULES),
    row("D19", "queue without any of a resource", "Cannot submit application {app} to queue {queue} because it has zero amount of resource for a requested resource", Scene::FairZero)
        .figures(&["Invalid requested AM resources: [{requested:t}], maximum", "maximum queue resources: {queue_max:r}"])
        .why("maximum of 0 for a resource type"),
    row("D19", "queue without any of a resource", "Resource request is invalid for application {app} because queue {queue} has 0 amount of resource for a resource type", Scene::FairZeroAsk)
        .why("maximum of 0 for a resource type"),
    row("D18", "queue that is no leaf", "{queue} is not a leaf queue", Scene::FairNotLeaf),
    // ---- CapacityScheduler
    row("D20", "refusal at submission", "Queue {queue} is STOPPED. Cannot accept submission of application: {app}", Scene::Stopped)
        .why("state of the queue"),
    row("D20", "refusal at submission", "Queue {queue} is STOPPED", Scene::Stopped).why("state of the queue"),
    row("D22", "refusal at submission", "Queue {queue} already has {count:n} applications from user {user} cannot accept submission of application: {app}", Scene::UserFull)
        .why("applications per user"),
    row("D22", "refusal at submission", "Queue {queue} already has {count:n} applications from user {user}", Scene::UserFull)
        .why("applications per user"),
    row("D21", "refusal at submission", "Queue {queue} already has {count:n} applications, cannot accept submission of application: {app}", Scene::QueueFull)
        .why("applications of the queue"),
    row("D21", "refusal at submission", "Queue {queue} already has {count:n} applications", Scene::QueueFull)
        .why("applications of the queue"),
    row("D23", "refusal at submission", "Maximum system application limit reached,cannot accept submission of application: {app}", Scene::SystemFull)
        .why("system-wide limit"),
    row("D23", "refusal at submission", "Maximum system application limit reached", Scene::SystemFull).why("system-wide limit"),
    row("D24", "queue name with several meanings", "Application {app} submitted by user {user} to ambiguous queue: {queue} please use full queue path", Scene::Ambiguous)
        .why("two leaves with this name"),
    row("D24", "queue name with several meanings", "submitted by user {user} to ambiguous queue: {queue} ", Scene::Ambiguous)
        .why("two leaves with this name"),
    row("D24", "queue name with several meanings", "Ambiguous queue reference: {queue} please use full queue path", Scene::Ambiguous)
        .why("two leaves with this name"),
    row("D24", "queue unknown", "to unknown queue: {queue}", Scene::UnknownQueue)
        .words(Words::Older)
        .figures(&["submitted by user {user} to unknown", "Application {app} submitted by user", "Application {app} submitted by"])
        .why("no queue of this name"),
    row("D24", "queue unknown", "to unknown queue {queue}", Scene::UnknownQueue)
        .words(Words::Older)
        .figures(&["submitted by user {user} to unknown", "Application {app} submitted by"])
        .why("no queue of this name"),
    row("D24", "queue unknown", "Unknown queue: {queue}", Scene::UnknownQueue).why("no queue of this name"),
    row("D25", "refusal at submission", "Application {app} submitted by user : {user} to non-leaf queue : {queue}", Scene::NonLeaf)
        .why("queue with children"),
    row("D25", "refusal at submission", "submitted by user {user} to non-leaf queue: {queue}", Scene::NonLeaf)
        .words(Words::Older)
        .figures(REPORT)
        .why("queue with children"),
    row("D25", "refusal at submission", "to non-leaf queue : {queue}", Scene::NonLeaf)
        .figures(&["user : {user} ", "Application {app} "])
        .why("queue with children"),
    row("D25", "refusal at submission", "Cannot submit application to non-leaf queue: {queue}", Scene::NonLeaf)
        .figures(REPORT)
        .why("queue with children"),
    row("D25", "refusal at submission", "to non-leaf queue: {queue}", Scene::NonLeaf)
        .words(Words::Older)
        .figures(REPORT)
        .why("queue with children"),
    row("D26", "submit ACL of a FairScheduler's queue", "User {user} does not have permission to submit {app} to queue {queue} denied by ACL for queue {known}", Scene::FairAcl)
        .why("submit ACL"),
    row("D26", "submit ACL", "User {user} does not have permission to submit {app} to queue {queue}", Scene::Acl).why("submit ACL"),
    row("D26", "priority ACL", "User {user} does not have permission to submit/update {app} for {priority:n}", Scene::PriorityAcl)
        .why("priority ACL of the queue"),
    row("D26", "priority ACL", "User {user} (auth:{*}) does not have permission to submit/update {app} for {priority:n}", Scene::PriorityAcl)
        .why("priority ACL of the queue"),
    row("D26", "submit ACL, older words", "User {user} cannot submit applications to queue {queue}", Scene::Acl)
        .words(Words::Older)
        .why("submit ACL"),
    row("D26", "submit ACL, older words", "User {user} cannot submit jobs to queue {queue}", Scene::Acl)
        .words(Words::Older)
        .why("submit ACL"),
    row("D27", "no queue for the application", "Failed to place application {app} in a queue and submit context queue is null or empty", Scene::NoQueue)
        .why("no rule gives a queue"),
    row("D27", "no queue for the application", "in a queue and submit context queue is null or empty", Scene::NoQueue)
        .why("no rule gives a queue"),
    row("D28", "queue for mapped applications only", "Application {app} submission by user : {user} to specified queue : {queue} is prohibited", Scene::MappingOnly)
        .why("the queue takes mapped applications only"),
    row("D28", "auto-created queue without its parent", "Could not auto-create leaf queue for {queue}. Queue mapping does not specify which parent queue", Scene::None)
        .partly("A mapping rule names a queue that is not there and no parent under which it could be made."),
    row("D28", "auto-created queue under another parent", "Auto created Leaf queue {queue} already exists under queue : {parent}", Scene::None)
        .partly("The mapping now names another parent for a queue that was made before."),
    row("D28a", "queue that could not be made", "Application {app} submission by user : {user} to queue : {queue} failed : {reason:t}", Scene::UnknownQueue)
        .partly("The queue is not there and could not be made; the reason stands behind `failed`."),
    row("D28a", "refusal at submission", "Failed to submit application {app} submitted by user {user} reason: {reason:t}", Scene::None)
        .partly("The reason stands in the text; it needs the configuration of the queue."),
    row("D28a", "reservation that is not active", "submitted to a reservation which is not currently active: {reservation}", Scene::None)
        .partly("Reservations of the ReservationSystem are not played."),
    row("D28b", "application whose lifetime is over", "Application is killed by ResourceManager as it has exceeded the lifetime period", Scene::Lifetime)
        .why("the application's lifetime"),
    row("X", "invalid tags", "Too many applicationTags, a maximum of only {most:n} are allowed", Scene::None)
        .partly("The application has more tags than yarn.resourcemanager.application.max-tags."),
];
