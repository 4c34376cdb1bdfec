//! Advice for what the ResourceManager refuses (the rules of formats.md 2.3).

use crate::api::{Refusal, RefusalRule, SettingsRule};

/// The advice for refused settings; empty for a rule of which only the message is known.
pub fn mend(refusal: &Refusal) -> &'static str {
    if let RefusalRule::Settings(rule) = &*refusal.kind { of_rule(*rule) } else { "" }
}

fn of_rule(rule: SettingsRule) -> &'static str {
    match rule {
        SettingsRule::ZeroSum => {
            "Share it out: give the children capacities that sum to 100 there, or set allow-zero-capacity-sum of the parent to true."
        }
        SettingsRule::ZeroCapacityParent => "Give the parent a capacity there, or its children 0.",
        SettingsRule::CapacitySum => "Change the capacities of the children so that they sum to 100 there.",
        SettingsRule::LabelCapacity => {
            "Write a percentage from 0 to 100; take the property out if the queue has no share of the label."
        }
        SettingsRule::Capacity => "Write a percentage from 0 to 100.",
        SettingsRule::Weight => "Write a weight from 0 to 10000.",
        SettingsRule::NoChildNames => "Name at least one queue in that list, or take the property out.",
        SettingsRule::MixedCapacities => {
            "Use one kind of capacity for all children of a queue, or set legacy-queue-mode.enabled to false."
        }
        SettingsRule::ParentOrdering => {
            "Write utilization or priority-utilization, or take the property out: fifo and fair are orders of leaves."
        }
        SettingsRule::LeafOrdering => {
            "Write fifo, fair, fifo-with-partitions or fifo-for-pending-apps; other classes are not known here."
        }
        SettingsRule::MixedAmounts => "Write amounts for the parent and all of its children, or for none of them.",
        SettingsRule::MixedLabels => "Write the capacities of all labels of the queue in the same way.",
        SettingsRule::AmountsOfChildren => "Raise the amounts of the parent or lower those of its children.",
        SettingsRule::AboveOwnMaximum => "Raise maximum-capacity or lower capacity.",
        SettingsRule::AboveParentMaximum => "Lower the queue's maximum-capacity to its parent's.",
        SettingsRule::UserWeight => {
            "Lower the user's weight, or lower minimum-user-limit-percent of the queue: 100 ÷ that is the most."
        }
        SettingsRule::AnyLabel => "Name the labels instead of *, or write * for the parent too.",
        SettingsRule::LabelsOfParent => {
            "Add these labels to accessible-node-labels of the parent, or take them out here."
        }
        SettingsRule::DefaultLabel => "Add the label to accessible-node-labels of the queue, or use another default.",
        SettingsRule::QueueMaximum => "Lower it to yarn.scheduler.maximum-allocation-mb and -vcores, or raise those.",
        SettingsRule::MaximumDecreased => "Leave it as it was; it can be lowered only by a restart.",
        SettingsRule::Deleted => "Set the queue's state to STOPPED first, and delete it once nothing runs there.",
        SettingsRule::Converted => "Stop the queue first; it can be converted once nothing runs there.",
        SettingsRule::StoppedBelow => "Stop its children too, or leave the parent RUNNING.",
        SettingsRule::ParentNotRunning => "Set the parent's state to RUNNING as well.",
        SettingsRule::State => "Write RUNNING or STOPPED.",
        SettingsRule::MappingFormat => "Write legacy or json.",
        SettingsRule::Mapping => "Write u:user:queue or g:group:queue.",
        SettingsRule::RootUnknown => "Name a queue that is there, by its whole path.",
        SettingsRule::NoParent => "Name a parent that is there and creates queues by itself, or add the queue.",
        SettingsRule::BelowLeaf => "Name a queue that is there.",
        SettingsRule::NotLeaf => "Name a leaf: one of the queues below that one.",
        SettingsRule::QueuePath => "Name a queue by its whole path.",
        SettingsRule::EmptySegment => "Take the extra dot out.",
        SettingsRule::AllocationBounds => {
            "Correct the two in yarn-site.xml: the maximum must not be below the minimum."
        }
        SettingsRule::MemoryOnly => "Set resource-calculator to DominantResourceCalculator.",
        SettingsRule::Lifetime => "Lower the default lifetime or raise the maximum.",
        SettingsRule::WorkflowPriority => "Write workflow:queue:priority with a whole number.",
        SettingsRule::DuplicateRule => "Name each placement rule once.",
        SettingsRule::Reservable => "Take reservable out, or the children.",
        SettingsRule::QueueExists => "Change it with update-queue, or give the new one another name.",
        SettingsRule::QueueInvalid => "Write the whole path, such as root.parent.name.",
        SettingsRule::RemoveUnknown => "Name a queue below root, by its whole path.",
        SettingsRule::PolicyClassUnset => "Name the policy's class in multi-node-sorting.policy.<name>.class.",
        SettingsRule::ClassUnknown => {
            "Write the full name of one of YARN's own classes, with its package; others are not known here."
        }
        SettingsRule::NotFound => "Name one that is there.",
        SettingsRule::PriorityAcl => {
            "Write `[user=name max_priority=3 default_priority=1]`, or group= for user=; a bracket needs one of the two and max_priority."
        }
        SettingsRule::NotANumber => "Write a plain number.",
        SettingsRule::NoConstant => "Write one of the values that are listed for the property.",
        SettingsRule::Other => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Properties;
    use crate::config::capacity::CapacityConf;
    use crate::config::capacity::targets::checked_rules;

    #[test]
    fn a_rule_says_what_to_do() {
        let two = "root.queues a,b\nroot.a.capacity 50\nroot.b.capacity ";
        for (lines, part) in [
            (format!("{two}40"), "sum to 100 there"),
            (format!("{two}150"), "percentage from 0 to 100"),
            (format!("{two}5w"), "one kind of capacity"),
            (format!("{two}forty"), "plain number"),
            (format!("{two}50\nroot.a.state ASLEEP"), "RUNNING or STOPPED"),
            (format!("{two}50\nroot.a.queues a1\nroot.a.a1.capacity 0\nroot.a.a1.queues"), "sum to 100"),
            (format!("{two}50\nqueue-mappings x:y"), "u:user:queue"),
        ] {
            let pairs = lines.lines().filter_map(|l| l.split_once(' '));
            let properties: Properties =
                pairs.map(|(k, v)| (format!("yarn.scheduler.capacity.{k}"), v.to_string())).collect();
            let conf = CapacityConf::read(&properties, &Properties::default(), &[]);
            let refusal = conf.and_then(|c| checked_rules(&c.mapping, &c)).map(|_| ()).expect_err(&lines);
            assert!(mend(&refusal).contains(part), "{lines}: {refusal:?}: {}", mend(&refusal));
        }
        assert_eq!(mend(&Refusal::new("For input string")), "", "words alone say nothing");
    }
}
