//! The elements of the allocation file by name (AllocationFileQueueParser, AllocationFileParser of Hadoop 3.5.0): what
//! each sets, and what YARN silently ignores (fair-scheduler.md 4.1, 4.2).

use crate::config::xml::markup::{Element, Markup, parse};
use crate::model::Problem;
use crate::model::nearest::distance;

/// The subject that an element sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A limit of a queue, a user or an ApplicationMaster.
    Limit,
    /// When a queue or an application is starved, and who is not preempted.
    Preemption,
    /// Only for the reservation system, which is not modelled.
    Reservation,
    /// A share, a policy, an ACL.
    Other,
}

use Role::{Limit, Other, Preemption, Reservation};

/// Elements directly in `<allocations>`.
const OF_FILE: &[(&str, Role)] = &[
    ("defaultQueueSchedulingPolicy", Other),
    ("defaultQueueSchedulingMode", Other),
    ("userMaxAppsDefault", Limit),
    ("queueMaxResourcesDefault", Limit),
    ("queueMaxAppsDefault", Limit),
    ("queueMaxAMShareDefault", Limit),
    ("defaultFairSharePreemptionTimeout", Preemption),
    ("fairSharePreemptionTimeout", Preemption),
    ("defaultMinSharePreemptionTimeout", Preemption),
    ("defaultFairSharePreemptionThreshold", Preemption),
    ("reservation-planner", Reservation),
    ("reservation-agent", Reservation),
    ("reservation-policy", Reservation),
];

/// Elements in a queue.
const OF_QUEUE: &[(&str, Role)] = &[
    ("minResources", Other),
    ("maxResources", Limit),
    ("maxContainerAllocation", Limit),
    ("maxChildResources", Limit),
    ("maxRunningApps", Limit),
    ("maxAMShare", Limit),
    ("weight", Other),
    ("schedulingPolicy", Other),
    ("schedulingMode", Other),
    ("aclSubmitApps", Other),
    ("aclAdministerApps", Other),
    ("aclAdministerReservations", Reservation),
    ("aclListReservations", Reservation),
    ("aclSubmitReservations", Reservation),
    ("minSharePreemptionTimeout", Preemption),
    ("fairSharePreemptionTimeout", Preemption),
    ("fairSharePreemptionThreshold", Preemption),
    ("allowPreemptionFrom", Preemption),
    ("reservation", Reservation),
];

/// Elements in a user.
const OF_USER: &[(&str, Role)] = &[("maxRunningApps", Limit)];

/// Names in other files, and their equivalents in YARN's. Those of the first part are from the FairScheduler of Hadoop
/// 1 (its documentation, "Allocation File"), `minShare` is from Spark's fairscheduler.xml.
const BECAME: &[(&str, &str, &str)] = &[
    ("minMaps", "is of Hadoop 1, where slots were counted", "minResources"),
    ("minReduces", "is of Hadoop 1, where slots were counted", "minResources"),
    ("maxMaps", "is of Hadoop 1, where slots were counted", "maxResources"),
    ("maxReduces", "is of Hadoop 1, where slots were counted", "maxResources"),
    ("maxRunningJobs", "is of Hadoop 1", "maxRunningApps"),
    ("userMaxJobsDefault", "is of Hadoop 1", "userMaxAppsDefault"),
    ("poolMaxJobsDefault", "is of Hadoop 1", "queueMaxAppsDefault"),
    ("defaultPoolSchedulingMode", "is of Hadoop 1", "defaultQueueSchedulingPolicy"),
    ("defaultSchedulingMode", "is called otherwise", "defaultQueueSchedulingPolicy"),
    ("minShare", "is of Spark's fairscheduler.xml, where cores are counted", "minResources"),
];

/// The place of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    File,
    Queue,
    User,
}

impl Level {
    fn names(self) -> &'static [(&'static str, Role)] {
        match self {
            Level::File => OF_FILE,
            Level::Queue => OF_QUEUE,
            Level::User => OF_USER,
        }
    }

    fn place(self) -> &'static str {
        match self {
            Level::File => "directly in <allocations>",
            Level::Queue => "in a queue",
            Level::User => "in a user",
        }
    }
}

/// The subject that an element sets; `None`: YARN does not know it there.
pub fn role(name: &str, level: Level) -> Option<Role> {
    level.names().iter().find(|(known, _)| *known == name).map(|(_, role)| *role)
}

/// Returns whether an element in a queue is a queue: any suffix of "queue" counts (quirk).
pub fn is_queue(name: &str, level: Level) -> bool {
    match level {
        Level::File => matches!(name, "queue" | "pool"),
        Level::Queue => name == "pool" || "queue".ends_with(name),
        Level::User => false,
    }
}

/// The paths of the queues in an allocation file, each with whether it has no queue below it.
pub fn paths(text: &str) -> Vec<(String, bool)> {
    let Ok(markup) = parse("", text) else { return Vec::new() };
    let (mut out, mut todo) = (Vec::new(), vec![(0, Level::File, "root".to_owned())]);
    while let Some((at, level, path)) = todo.pop() {
        let queue = |child: &usize| {
            let e = markup.elements.get(*child).filter(|e| is_queue(&e.name, level))?;
            let name = e.attributes.iter().find(|a| a.name == "name")?.value.trim();
            Some((*child, Level::Queue, if name == "root" { path.clone() } else { format!("{path}.{name}") }))
        };
        let below: Vec<_> = markup.inside(at).filter_map(|child| queue(&child)).collect();
        if path != "root" {
            let parent = |at: usize| {
                let own = markup.elements.get(at).map(|e| e.attributes.as_slice()).unwrap_or_default();
                own.iter().any(|a| a.name == "type" && a.value.trim() == "parent")
            };
            out.push((path.clone(), below.is_empty() && !parent(at)));
        }
        todo.extend(below.into_iter().rev());
    }
    out
}

/// Visits every element that sets something or is unknown, with its place, and recurses into queues.
pub fn walk<'m>(markup: &'m Markup, visit: &mut dyn FnMut(&'m Element, Level)) {
    below(markup, 0, Level::File, visit);
}

fn below<'m>(markup: &'m Markup, at: usize, level: Level, visit: &mut dyn FnMut(&'m Element, Level)) {
    for inside in markup.inside(at) {
        let element = &markup.elements[inside];
        match element.name.as_str() {
            name if is_queue(name, level) => below(markup, inside, Level::Queue, visit),
            "user" if level == Level::File => below(markup, inside, Level::User, visit),
            "queuePlacementPolicy" if level == Level::File => {}
            _ => visit(element, level),
        }
    }
}

/// Reports what YARN silently ignores, with what was probably meant.
pub fn passed_over(source: &str, markup: &Markup) -> Vec<Problem> {
    let mut out = Vec::new();
    let spark = spark(markup);
    if spark {
        let what = "This looks like Spark's fairscheduler.xml, which divides one Spark application among its jobs: YARN reads \
                    its pools as queues, and passes over minShare.";
        let mend = "Check that this is the file that yarn.scheduler.fair.allocation.file names.";
        out.push(Problem::warning(source, markup.elements[0].open, what).mend(mend));
    }
    walk(markup, &mut |element, level| {
        if role(&element.name, level).is_none() && !(spark && element.name == "minShare") {
            out.push(unknown(source, element, level));
        }
    });
    out
}

fn unknown(source: &str, element: &Element, level: Level) -> Problem {
    let name = element.name.as_str();
    let told = |what: String| Problem::warning(source, element.open, what);
    if let Some((_, why, now)) = BECAME.iter().find(|(old, ..)| *old == name) {
        let place = match level_of(now) {
            Some(other) if other != level && role(now, level).is_none() => format!(", {}", other.place()),
            _ => String::new(),
        };
        return told(format!("YARN passes over `<{name}>`: it {why}."))
            .mend(format!("Write `<{now}>` instead{place}."));
    }
    if name == "property" {
        return told("YARN passes over `<property>`: properties stand in yarn-site.xml.".into()).mend("Move it there.");
    }
    if let Some(other) = level_of(name) {
        let what = format!("YARN passes over `<{name}>` {}: it counts only {}.", level.place(), other.place());
        return told(what).mend("Move it there, or take it out.");
    }
    let near = level.names().iter().map(|(known, _)| (apart(known, name), *known)).min().filter(|(far, _)| *far <= 2);
    if let Some((_, near)) = near {
        let what = format!("YARN does not know `<{name}>` and passes over it; did you mean `<{near}>`?");
        return told(what).mend("Correct the name.");
    }
    told(format!("YARN does not know `<{name}>` {} and passes over it.", level.place())).mend("Take it out.")
}

/// The place where a name counts.
fn level_of(name: &str) -> Option<Level> {
    if matches!(name, "queuePlacementPolicy" | "user") {
        return Some(Level::File);
    }
    [Level::File, Level::Queue, Level::User].into_iter().find(|level| role(name, *level).is_some())
}

/// The distance of two names, ignoring case.
fn apart(known: &str, name: &str) -> usize {
    if known.eq_ignore_ascii_case(name) { 1 } else { distance(known, name, 2) }
}

/// Returns whether there are only pools, and some have a `minShare`.
fn spark(markup: &Markup) -> bool {
    let pools = |at: usize| markup.inside(at).map(|e| &markup.elements[e]);
    let mut of_pools = markup.inside(0).flat_map(pools);
    pools(0).all(|e| e.name == "pool") && of_pools.any(|e| e.name == "minShare")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::xml::markup::parse;

    fn said(inner: &str) -> Vec<String> {
        let markup = parse("f", &format!("<allocations>{inner}</allocations>")).expect("it is XML");
        passed_over("f", &markup).iter().map(|p| format!("{} {}", p.what, p.mend)).collect()
    }

    #[test]
    fn unknown_elements_are_told_with_what_was_meant() {
        for (inner, part) in [
            ("<queue name='a'><maxResource>1</maxResource></queue>", "did you mean `<maxResources>`?"),
            ("<queue name='a'><wieght>1</wieght></queue>", "did you mean `<weight>`?"),
            (
                "<queue name='a'><queue name='b'><maxamshare>1</maxamshare></queue></queue>",
                "did you mean `<maxAMShare>`?",
            ),
            (
                "<pool name='a'><minMaps>1</minMaps></pool>",
                "is of Hadoop 1, where slots were counted. Write `<minResources>`",
            ),
            ("<userMaxJobsDefault>1</userMaxJobsDefault>", "Write `<userMaxAppsDefault>` instead."),
            (
                "<queue name='a'><userMaxAppsDefault>1</userMaxAppsDefault></queue>",
                "counts only directly in <allocations>",
            ),
            ("<weight>1</weight>", "counts only in a queue"),
            ("<user name='u'><weight>1</weight></user>", "`<weight>` in a user: it counts only in a queue"),
            ("<queue name='a'><queuePlacementPolicy/></queue>", "counts only directly in <allocations>"),
            (
                "<queue name='a'><userMaxJobsDefault>1</userMaxJobsDefault></queue>",
                "instead, directly in <allocations>.",
            ),
            ("<property><name>x</name></property>", "stand in yarn-site.xml"),
            ("<queue name='a'><colour>red</colour></queue>", "does not know `<colour>` in a queue"),
        ] {
            let said = said(inner);
            assert!(said.len() == 1 && said[0].contains(part), "{inner}: {said:?}");
        }
        for known in [
            "<queue name='a'><weight>1</weight><reservation/></queue><user name='u'><maxRunningApps>1</maxRunningApps></user>",
            "<queuePlacementPolicy><rule name='default'/></queuePlacementPolicy><queueMaxAppsDefault>1</queueMaxAppsDefault>",
        ] {
            assert_eq!(said(known), [""; 0], "{known}");
        }
    }

    #[test]
    fn a_file_of_spark_is_known_for_one() {
        let spark = said("<pool name='a'><schedulingMode>FAIR</schedulingMode><minShare>2</minShare></pool>");
        assert!(spark.len() == 1 && spark[0].contains("Spark's fairscheduler.xml"), "{spark:?}");
        let both = said("<queue name='b'/><pool name='a'><minShare>2</minShare></pool>");
        assert_eq!(both.len(), 1, "{both:?}");
    }
}
