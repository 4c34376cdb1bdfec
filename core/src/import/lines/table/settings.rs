//! Settings that prevent the ResourceManager's start, or that a refresh refuses (formats.md 2.3).

use super::super::build::Scene;
use super::super::row::{LinePattern, LineTopic::Submission, Words};

/// Settings that a scenario refuses in a refresh.
const fn row(id: &'static str, template: &'static str, say: &'static str) -> LinePattern {
    LinePattern::new(id, Submission, "settings refused", template, Scene::Refused)
        .partly(say)
        .why("the settings that are refused")
}

/// Settings whose message is of no refresh here: of another release, of yarn-site.xml, or without its figures.
const fn told(id: &'static str, template: &'static str, say: &'static str) -> LinePattern {
    LinePattern::new(id, Submission, "settings refused", template, Scene::None).partly(say)
}

const SUM: &str = "The capacities of {queue}'s children sum to {sum} of 1: they must be 100 % together, or 0. Give capacity-scheduler.xml, and the import shows the line.";
const MODES: &str =
    "Capacities of {queue} and beside it are of different kinds. Use one kind: percent, weights or absolute resources.";

pub const ROWS: &[LinePattern] = &[
    row(
        "V03",
        "Illegal capacity of {capacity:f} for node-label={label} in queue={queue}, valid capacity should in range",
        "{queue} has a capacity of {capacity} % for label {label}: it must be 0 to 100. On root, −1 means that root.accessible-node-labels.{label}.capacity is missing (2.6, 2.7).",
    ),
    row(
        "V02a",
        "Illegal capacity sum of {sum:f} for children of queue {queue} for label={label:t}. It is set to 0",
        "The children of {queue} have 0 % together, and {queue} has more. Set their capacities, or allow-zero-capacity-sum of {queue} to true.",
    ),
    row(
        "V02b",
        "Illegal capacity sum of {sum:f} for children of queue {queue} for label={label:t}. queue={*} has zero capacity",
        "{queue} has 0 %, and its children have capacities. Give {queue} a capacity, or its children 0 %.",
    ),
    row("V02", "Illegal capacity sum of {sum:f} for children of queue {queue} for label={label:t}. It should be", SUM),
    row("V04", "Illegal capacity of {sum:f} for children of queue {queue}", SUM).words(Words::Older),
    told(
        "V26",
        "Illegal capacity of {capacity:f} for queue root. Must be 100",
        "root always has 100 %: take its capacity out of the file.",
    ),
    row(
        "V01",
        "Illegal capacity of {capacity:f} for queue {queue}",
        "{queue} has a capacity of {capacity} %: it must be 0 to 100.",
    ),
    row(
        "V01",
        "Illegal maximum-capacity of {capacity:f} for queue {queue}",
        "{queue} has a maximum-capacity of {capacity} %: it must be 0 to 100.",
    ),
    told(
        "V05",
        "Illegal queue capacity setting (abs-capacity={capacity:f}) > (abs-maximum-capacity={maximum:f}) for queue=[{queue}],label=[{label:t}]",
        "{queue} has {capacity} of the cluster and may use {maximum}: raise its maximum-capacity or lower its capacity. 3.5.0 takes such settings.",
    )
    .words(Words::Older),
    told("V05", "Illegal queue capacity setting", "A queue's capacity is above its maximum-capacity."),
    told(
        "V06",
        "Illegal call to setMaxCapacity. Queue '{queue}' has an absolute capacity ({capacity:f}) greater than its absolute maximumCapacity ({maximum:f})",
        "{queue} has {capacity} of the cluster and may use {maximum}: raise its maximum-capacity or lower its capacity. 3.5.0 takes such settings.",
    ),
    told(
        "V06",
        "Illegal value of maximumCapacity {maximum:f} used in call to setMaxCapacity for queue {queue}",
        "{queue} may use {maximum} of the cluster: maximum-capacity must be 0 to 100 %.",
    ),
    told(
        "V07",
        "Two leaf queues were named {queue}. Leaf queue names must be distinct",
        "Two leaves are named {queue}, which releases up to 3.2 refuse. Later ones take them, and a bare name is then ambiguous.",
    ),
    row(
        "V08",
        "Queue configuration missing child queue names for {queue}",
        "{queue} has an empty list `queues`: name its children, or take the key out for a leaf.",
    ),
    row(
        "V09",
        "Parent queue '{queue}' have children queue used mixed of weight mode, percentage and absolute mode, it is not allowed, please double check, details:{details:t}",
        "The children of {queue} have capacities of different kinds ({details}). Use one kind: percent, weights or absolute resources.",
    ),
    row(
        "V09",
        "Parent queue '{queue}' have children queue used mixed of weight mode, percentage and absolute mode",
        "The children of {queue} have capacities of different kinds. Use one kind: percent, weights or absolute resources.",
    ),
    told("V09a", "Parent={queue}: When absolute minResource is used, we must make sure both parent and child all use absolute minResource", MODES),
    told("V09b", "Queue '{queue}' should use either percentage based capacity configuration or absolute resource", MODES),
    told(
        "V09c",
        "Parent queue '{queue}' and child queue '{child}' should use either percentage based capacity configuration or absolute resource together",
        "{queue} and {child} have capacities of different kinds: give both percent, or both absolute resources.",
    ),
    row(
        "V10",
        "Parent Queues capacity: {size:r} is less than to its children:{children:r} for queue:{queue}",
        "The children of {queue} have {children} (MB, vcores) at least, and {queue} has {size}. Raise its capacity or lower theirs.",
    ),
    row(
        "V11",
        "Min resource configuration {size:r} is greater than its max value:{maximum:r} in queue:{queue}",
        "{queue} has {size} (MB, vcores) at least and {maximum} at most. Raise its maximum-capacity or lower its capacity.",
    ),
    row(
        "V11",
        "Max resource configuration {maximum:r} is greater than parents max value:{size:r} in queue:{queue}",
        "{queue} may use {maximum} (MB, vcores) and its parent {size}. Lower its maximum-capacity or raise its parent's.",
    ),
    row(
        "V12",
        "Weight ({weight:f}) for user \"{user}\" must be between 0 and 100 / {user_limit:f} (= {most:f}, the number of concurrent active users in {queue})",
        "User {user} has a weight of {weight} in {queue}: with a minimum-user-limit-percent of {user_limit} it may be {most} at most.",
    ),
    told(
        "V13",
        "Parent's accessible queue is not ANY(*), but child's accessible queue is *",
        "A queue may use all labels (*) and its parent may not: give the parent * as well, or list the child's labels.",
    ),
    row(
        "V13",
        "Some labels of child queue is not a subset of parent queue, these labels=[{label:t}]",
        "A queue may use the labels {label}, which its parent may not: add them to the parent's accessible-node-labels.",
    ),
    told(
        "V14",
        "Invalid default label expression of queue={queue} doesn't have permission to access all labels in default label expression",
        "{queue} has a default label that it may not use: add it to its accessible-node-labels.",
    ),
    row(
        "V15",
        "Queue maximum allocation cannot be larger than the cluster setting for queue {queue} max allocation per queue: {size:r} cluster setting: {maximum:r}",
        "{queue} allows containers of {size} (MB, vcores) and the cluster {maximum}: lower the queue's maximum-allocation or raise yarn.scheduler.maximum-allocation-mb and -vcores.",
    ),
    row(
        "V16",
        "Trying to reinitialize {queue} the maximum allocation size can not be decreased! Current setting: {size:r}, trying to set it to: {maximum:r}",
        "A refresh cannot lower the largest container of {queue} from {size} to {maximum} (MB, vcores): restart the ResourceManager for that.",
    ),
    row(
        "V17",
        "{queue} cannot be deleted from the capacity scheduler configuration, as the queue is not yet in stopped state. Current State : {state}",
        "{queue} is {state}: set its state to STOPPED, refresh, wait until it is empty, and take it out then.",
    ),
    told(
        "V18",
        "{queue} is moved from:{from} to:{to} after refresh, which is not allowed",
        "A refresh cannot move {queue} from {from} to {to}: stop it, take it out, and add it at its new place.",
    ),
    row(
        "V19",
        "Can not convert the leaf queue: {queue} to parent queue since it is not yet in stopped state. Current State : {state}",
        "{queue} is {state}: set its state to STOPPED and refresh before it gets children.",
    ),
    told(
        "V19",
        "Can not convert parent queue: {queue} to auto create enabled parent queue since it could have other pre-configured queues",
        "{queue} has queues of its own, so a refresh cannot make it a parent of auto-created ones.",
    ),
    told(
        "V19",
        "Cannot convert auto create enabled parent queue: {queue} to leaf queue",
        "{queue} has auto-created queues, so a refresh cannot make it a leaf.",
    ),
    row(
        "V20",
        "Invalid queue state configuration. We can only use RUNNING or STOPPED",
        "A queue has another state than RUNNING or STOPPED.",
    ),
    row(
        "V20",
        "The parent queue:{parent} cannot be STOPPED as the child queue:{queue} is in RUNNING state",
        "{parent} is STOPPED and {queue} below it RUNNING: stop {queue} as well, or take its state out.",
    ),
    told("V29", "Illegal queue mapping format '{format}' please use 'legacy' or 'json'", "mapping-rule-format is {format}: it is legacy or json."),
    row(
        "V21",
        "Illegal queue mapping {mapping}",
        "The mapping {mapping} has not three parts: write u:user:queue or g:group:queue.",
    ),
    row(
        "V21",
        "mapping contains invalid or non-leaf queue {queue}",
        "A mapping leads to {queue}, which is not there or has children.",
    )
    .words(Words::Older),
    row("V21", "Path root '{queue}' does not exist. Path '{path}' is invalid", "A mapping leads to {path}, and there is no {queue}."),
    told("V21", "Target queue is an ambiguous leaf queue '{queue}'", "A mapping leads to {queue}, which several leaves are named: write its full path."),
    told(
        "V21",
        "Target queue path '{queue}' contains an ambiguous parent queue '{parent}' reference",
        "A mapping leads to {queue}, and several queues are named {parent}: write the full path.",
    ),
    told("V21", "Target queue does not exist and has no parent defined '{queue}'", "A mapping leads to {queue}, which is not there, and names no parent under which it could be made."),
    told(
        "V21",
        "Mapping rule specified a parent queue '{parent}', but it is not a dynamic parent queue, and no queue exists with name '{queue}' under it",
        "A mapping leads to {queue} under {parent}: it is not there, and {parent} creates no queues.",
    ),
    told("V21", "Target queue '{queue}' but it's not a leaf queue", "A mapping leads to {queue}, which has children."),
    told(
        "V22",
        "Invalid resource scheduler memory allocation configuration, yarn.scheduler.minimum-allocation-mb={least:n}, yarn.scheduler.maximum-allocation-mb={most:n}",
        "The smallest container is {least} MB and the largest {most} MB: the largest must not be smaller, and both above 0.",
    ),
    told(
        "V22",
        "Invalid resource scheduler vcores allocation configuration, yarn.scheduler.minimum-allocation-vcores={least:n}, yarn.scheduler.maximum-allocation-vcores={most:n}",
        "The smallest container has {least} vcores and the largest {most}: the largest must not be smaller, and both above 0.",
    ),
    told(
        "V23",
        "RM uses DefaultResourceCalculator which used only memory as resource-type but invalid resource-types specified {types:t}. Use DominantResourceCalculator",
        "There are further resource types, and the DefaultResourceCalculator counts memory only: set yarn.scheduler.capacity.resource-calculator to DominantResourceCalculator.",
    ),
    told("V25", "Unable to construct ordering policy for: {policy}, {cause:t}", "{policy} is no ordering-policy: it is fifo, fair, utilization, priority-utilization or a class."),
    row(
        "V27",
        "Illegal weight={weight:f} for queue={queue:t}label={label:t}. Acceptable values",
        "{queue} has a weight of {weight}: it must be 0 to 10000; −1 means none.",
    ),
    row(
        "V28",
        "Default lifetime {lifetime:n} can't exceed maximum lifetime {most:n}",
        "A queue has a default lifetime of {lifetime} s and a maximum of {most} s: the default must not be longer.",
    ),
    told("V29", "unknown mapping prefix {prefix}", "A mapping begins with {prefix}: it is u or g."),
    told(
        "V30",
        "Trying to create new queue={queue} but not all the queues under parent={parent} are using weight-based capacity",
        "{queue} cannot be made: queues are created under a parent whose children all have weights, and those of {parent} have not.",
    ),
    told(
        "V30",
        "Cannot auto create queue {queue}. Max Child Queue limit exceeded which is configured as: {most:n} and number of child queues is: {count:n}",
        "{queue} cannot be made: its parent has {count} children of {most} at most (auto-queue-creation-v2.max-queues).",
    ),
    told(
        "V30",
        "Could not auto create queue {queue}. The distance of the LeafQueue from the first static ParentQueue is {count:n}, which is above the limit",
        "{queue} cannot be made: it is {count} levels below a queue of the configuration, which is above the limit (auto-queue-creation-v2.maximum-queue-depth).",
    ),
    told("V30", "Auto creation of queue {queue} is not enabled under parent {parent}", "{queue} cannot be made: {parent} creates no queues (auto-queue-creation-v2.enabled)."),
    told("V30", "Could not auto-create queue {queue} parent queue does not exist", "{queue} cannot be made: its parent is not there."),
    told(
        "V24",
        "Failed to re-init queues : {cause:t}",
        "A refresh of the queues was refused, and nothing of it holds: {cause}.",
    ),
    told(
        "V31",
        "CapacityScheduler configuration validation failed:{cause:t}",
        "The settings were checked and refused: {cause}.",
    ),
];
