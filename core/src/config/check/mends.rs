//! What to do about what the ResourceManager refuses (the rules of formats.md 2.3).

/// A part of Hadoop's message, and the mend. The first that fits counts.
const MENDS: &[(&str, &str)] = &[
    (
        "allow children capacity to set to 0",
        "Share it out: give the children capacities that sum to 100 there, or set allow-zero-capacity-sum of the parent to true.",
    ),
    ("has zero capacity, but child", "Give the parent a capacity there, or its children 0."),
    ("Illegal capacity sum", "Change the capacities of the children so that they sum to 100 there."),
    (
        " for node-label=",
        "Write a percentage from 0 to 100; take the property out if the queue has no share of the label.",
    ),
    ("Illegal capacity of", "Write a percentage from 0 to 100."),
    ("Illegal maximum-capacity of", "Write a percentage from 0 to 100."),
    ("maximumCapacity", "Raise maximum-capacity or lower capacity."),
    ("Illegal weight=", "Write a weight from 0 to 10000."),
    ("missing child queue names", "Name at least one queue in that list, or take the property out."),
    (
        "used mixed of",
        "Use one kind of capacity for all children of a queue, or set legacy-queue-mode.enabled to false.",
    ),
    ("When absolute minResource is used", "Write amounts for the parent and all of its children, or for none of them."),
    ("either percentage based capacity", "Write the capacities of all labels of the queue in the same way."),
    ("is less than to its children", "Raise the amounts of the parent or lower those of its children."),
    ("is greater than its max value", "Raise maximum-capacity or lower capacity."),
    ("is greater than parents max value", "Lower the queue's maximum-capacity to its parent's."),
    ("Weight (", "Lower the user's weight, or lower minimum-user-limit-percent of the queue: 100 ÷ that is the most."),
    ("is not ANY(*)", "Name the labels instead of *, or write * for the parent too."),
    ("is not a subset of parent", "Add these labels to accessible-node-labels of the parent, or take them out here."),
    (
        "Invalid default label expression",
        "Add the label to accessible-node-labels of the queue, or use another default.",
    ),
    (
        "Queue maximum allocation cannot be larger",
        "Lower it to yarn.scheduler.maximum-allocation-mb and -vcores, or raise those.",
    ),
    ("maximum allocation size can not be decreased", "Leave it as it was; it can be lowered only by a restart."),
    ("cannot be deleted from", "Set the queue's state to STOPPED first, and delete it once nothing runs there."),
    (
        "after refresh, which is not allowed",
        "Leave the queue where it is, or delete it and add it anew once it is stopped.",
    ),
    ("Can not convert", "Stop the queue first; it can be converted once nothing runs there."),
    ("Cannot convert", "Stop the queue first; it can be converted once nothing runs there."),
    ("cannot be STOPPED as the child", "Stop its children too, or leave the parent RUNNING."),
    ("is not running. Please activate the parent", "Set the parent's state to RUNNING as well."),
    ("QueueState", "Write RUNNING or STOPPED."),
    ("queue state configuration", "Write RUNNING or STOPPED."),
    ("Illegal queue mapping format", "Write legacy or json."),
    ("queue mapping", "Write u:user:queue or g:group:queue."),
    ("unknown mapping prefix", "Write u:user:queue or g:group:queue."),
    ("Path root '", "Name a queue that is there, by its whole path."),
    ("No eligible parent found", "Name a parent that is there and creates queues by itself, or add the queue."),
    ("is a leaf queue, which can have no other", "Name a queue that is there."),
    ("ueue path", "Name a queue by its whole path."),
    ("Path segment cannot be empty", "Take the extra dot out."),
    (
        "min and max should be greater than 0",
        "Correct the two in yarn-site.xml: the maximum must not be below the minimum.",
    ),
    ("DefaultResourceCalculator which used only memory", "Set resource-calculator to DominantResourceCalculator."),
    ("can't exceed maximum lifetime", "Lower the default lifetime or raise the maximum."),
    ("workflow priority", "Write workflow:queue:priority with a whole number."),
    ("duplicate rule", "Name each placement rule once."),
    ("Only Leaf Queues can be reservable", "Take reservable out, or the children."),
    ("can't be found", "Name a queue that is there."),
    ("add existing queue", "Change it with update-queue, or give the new one another name."),
    ("add invalid queue", "Write the whole path, such as root.parent.name."),
    ("t remove queue", "Name a queue below root, by its whole path."),
    ("Class is not configured", "Name the policy's class in multi-node-sorting.policy.<name>.class."),
    ("Class", "Write the full name of one of YARN's own classes, with its package; others are not known here."),
    (" not found", "Name one that is there."),
    ("For input string", "Write a plain number."),
    ("No enum constant", "Write one of the values that are listed for the property."),
];

/// The one thing to do about a refusal, known by its message; empty when it is a rule of which nothing more can be said.
pub fn mend(message: &str) -> &'static str {
    MENDS.iter().find(|(part, _)| message.contains(part)).map_or("", |(_, mend)| mend)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_says_what_to_do() {
        for (message, part) in [
            (
                "Illegal capacity sum of 0.9 for children of queue root for label=. It should be either 0 or 1.0",
                "sum to 100",
            ),
            (
                "Illegal capacity sum of 0.0 for children of queue root for label=x. It is set to 0, but parent percent != 0, and doesn't allow children capacity to set to 0",
                "Share it out",
            ),
            (
                "Illegal capacity of -1.0 for node-label=default in queue=root.default, valid capacity should in range of [0, 100].",
                "0 to 100",
            ),
            ("Weight (3.0) for user \"svc-etl\" must be between 0 and 100 / 100.0", "minimum-user-limit-percent"),
            (
                "root.a cannot be deleted from the capacity scheduler configuration, as the queue is not yet in stopped state. Current State : RUNNING",
                "STOPPED first",
            ),
            ("Queue root.nowhere not found", "that is there"),
            ("For input string: \"forty\"", "plain number"),
        ] {
            assert!(mend(message).contains(part), "{message}: {}", mend(message));
        }
        assert_eq!(mend("something new"), "");
    }
}
