//! The report about an allocation file: its contents, what YARN ignores, the effect of its preemption settings, what is
//! not modelled, and what YARN refuses it for (fair-scheduler.md 4; preemption.md B1).

use super::{Counts, File, REFUSED, missing};
use crate::api::Properties;
use crate::config::fair::edit::ParsedFile;
use crate::config::fair::elements::{Level, Role, is_queue, passed_over, role, walk};
use crate::config::fair::{Allocations, Amount, FairConf, Policy, WHOLE, read};
use crate::config::resource_text::allocations;
use crate::config::values::trim;
use crate::config::xml::markup::{self, Element, Markup};
use crate::model::limits::RESOURCE_TYPES;
use crate::model::{Millis, Problem, Span};
use std::collections::BTreeMap;

const SWITCH: &str = "yarn.scheduler.fair.preemption";

/// Checks the file. Returns YARN's message if it refuses the file.
pub(super) fn check(file: &mut File<'_>, site: &Properties, counts: &mut Counts) -> Option<String> {
    let markup = markup::parse(file.source, file.text).ok()?;
    count(&markup, counts);
    let types = allocations(file.conf).map(|a| a.types).unwrap_or_default();
    let refusal = match read(file.source, file.text, &types, FairConf::lets_rules_be_unreached(site)) {
        Ok((read, passed)) => {
            file.problems.extend(passed);
            odd(file, &read);
            preemption(file, &markup, Some(&read), site);
            None
        }
        Err(fault) => {
            file.problems.extend(passed_over(file.source, &markup));
            preemption(file, &markup, None, site);
            file.problems.push(refused(&markup, &fault));
            Some(fault.what)
        }
    };
    reservations(file, &markup);
    refusal
}

/// Reports what YARN accepts but is hardly meant: only its log mentions it.
fn odd(file: &mut File<'_>, read: &Allocations) {
    let Some(written) = ParsedFile::of(file.text) else { return };
    for (path, queue) in &read.queues {
        let mut tell = |element: &str, what: String, mend: &str| {
            let span = written.span(path, element).or_else(|| written.place(path));
            file.problems.push(Problem::warning(file.source, span, what).mend(mend));
        };
        for (element, read) in [("minResources", queue.minimum), ("maxContainerAllocation", queue.max_container)] {
            if read.is_none() && written.value(path, element).is_some_and(|v| v.contains('%')) {
                let what = format!("{path}: a percentage as <{element}> says nothing; it is as if it were not there.");
                tell(element, what, "Write amounts, such as `4096 mb, 4 vcores`.");
            }
        }
        if let (Some(least), Some(Amount::Absolute(most))) = (queue.minimum, &queue.maximum)
            && (0..RESOURCE_TYPES).any(|i| least[i] > most[i])
        {
            let what = format!("{path}: <minResources> is above <maxResources>; the larger of the two is its maximum.");
            tell("minResources", what, "Lower the one or raise the other.");
        }
        if queue.weight.is_some_and(f32::is_nan) {
            let what = format!(
                "{path}: a weight of NaN gives it no share; where its siblings cannot take what there is, the FairScheduler's update never comes to an end on the real one, and nothing is scheduled any more."
            );
            tell("weight", what, "Write a number.");
        }
        let parent = path.rsplit_once('.').map(|(parent, _)| (parent, read.policy(parent)));
        if let Some((parent, above)) = parent
            && !above.allows_child(read.policy(path))
        {
            let own = read.policy(path).text();
            let above = above.text();
            let what = format!(
                "{path} is not made: its policy is {own}, and {parent} with {above} may not have such a child."
            );
            let mend = match read.policy(parent) {
                Policy::Fifo => "Give the parent the policy drf: below fifo there are no queues.",
                _ => "Give the parent the policy drf, or the queue that of its parent.",
            };
            tell("schedulingPolicy", what, mend);
        }
    }
}

/// Counts the contents.
fn count(markup: &Markup, counts: &mut Counts) {
    let mut queues = BTreeMap::new();
    name_queues(markup, 0, "root", Level::File, &mut queues);
    counts.queues = queues.len();
    counts.leaves = queues.values().filter(|leaf| **leaf).count();
    let policies = markup.inside(0).filter(|e| markup.elements[*e].name == "queuePlacementPolicy").last();
    counts.rules = policies.map_or(0, |p| markup.inside(p).filter(|e| markup.elements[*e].name == "rule").count());
    walk(markup, &mut |element, level| {
        counts.properties += 1;
        match role(&element.name, level) {
            Some(Role::Reservation) => counts.kept += 1,
            None => {
                counts.kept += 1;
                counts.unknown += 1;
            }
            Some(known) => {
                counts.modelled += 1;
                counts.limits += usize::from(known == Role::Limit);
            }
        }
    });
}

/// Collects the full paths of the queues below root, and whether each is a leaf.
fn name_queues(markup: &Markup, at: usize, path: &str, level: Level, out: &mut BTreeMap<String, bool>) {
    for inside in markup.inside(at) {
        let element = &markup.elements[inside];
        if !is_queue(&element.name, level) {
            continue;
        }
        let attribute = |name: &str| element.attributes.iter().find(|a| a.name == name).map_or("", |a| a.value.trim());
        if level == Level::File && attribute("name").eq_ignore_ascii_case("root") {
            name_queues(markup, inside, path, Level::Queue, out);
            continue;
        }
        let own = format!("{path}.{}", attribute("name"));
        let leaf = attribute("type") != "parent"
            && !markup.inside(inside).any(|e| is_queue(&markup.elements[e].name, Level::Queue));
        let known = out.entry(own.clone()).or_insert(true);
        *known &= leaf;
        name_queues(markup, inside, &own, Level::Queue, out);
    }
}

/// The path of the queue at a position.
fn queue_at(markup: &Markup, place: Span) -> Option<String> {
    let within = |e: &&Element| e.span.start <= place.start && place.end <= e.span.end && e.name != "allocations";
    // Each element stands before those in it.
    let names: Vec<&str> = markup
        .elements
        .iter()
        .filter(within)
        .filter(|e| matches!(e.name.as_str(), "queue" | "pool"))
        .map(|e| e.attributes.iter().find(|a| a.name == "name").map_or("", |a| a.value.trim()))
        .collect();
    let names = names.strip_prefix(&["root"]).filter(|_| names.len() > 1).unwrap_or(&names);
    match names {
        [] => None,
        ["root"] => Some("root".into()),
        _ => Some(format!("root.{}", names.join("."))),
    }
}

/// YARN's refusal, with its queue.
fn refused(markup: &Markup, fault: &Problem) -> Problem {
    let queue = fault.span.and_then(|s| queue_at(markup, s)).filter(|queue| !fault.what.contains(queue.as_str()));
    let at = queue.map_or(String::new(), |queue| format!(" ({queue})"));
    let mend = fault.mend.trim_end_matches(WHOLE).trim_end().to_string();
    Problem { what: format!("{REFUSED}{at}: {}", super::sentence(&fault.what)), mend, ..fault.clone() }
}

/// Reports reservations, which are not modelled.
fn reservations(file: &mut File<'_>, markup: &Markup) {
    let mut first = None;
    walk(markup, &mut |element, level| {
        if role(&element.name, level) == Some(Role::Reservation) {
            first.get_or_insert(element.open);
        }
    });
    let Some(span) = first else { return };
    let what = "Not modelled: reservations. Nothing is reserved ahead of time; a queue with `<reservation>` is played with its \
                default queue alone.";
    missing::tell(file, Some(span), what.into());
}

/// Reports the effect of the preemption settings.
fn preemption(file: &mut File<'_>, markup: &Markup, read: Option<&Allocations>, site: &Properties) {
    let mut first = None;
    walk(markup, &mut |element, level| {
        if role(&element.name, level) == Some(Role::Preemption) {
            first.get_or_insert(element.open);
        }
    });
    let span = first.or(markup.elements.first().map(|e| e.open));
    let said = site.get(SWITCH).map(|v| trim(v)).filter(|v| !v.is_empty());
    let on = said.is_some_and(|v| v.eq_ignore_ascii_case("true"));
    match (on, first) {
        (false, None) => {}
        (false, Some(_)) if said.is_none() => {
            let what = format!(
                "Settings of preemption decide something only where {SWITCH} is true in yarn-site.xml; it is false unless it is set."
            );
            file.problems.push(Problem::note(file.source, span, what));
        }
        (false, Some(_)) => {
            let what =
                format!("Preemption is set up here, but {SWITCH} is not true in yarn-site.xml: nothing is preempted.");
            let mend = format!("Set {SWITCH} to true to preempt.");
            file.problems.push(Problem::warning(file.source, span, what).mend(mend));
        }
        (true, _) => {
            let Some(read) = read else { return };
            let found = starved(read, site);
            file.problems.push(match found {
                Some(what) => Problem::note(file.source, span, what),
                None => {
                    let what = "Preemption is on, but no queue has a timeout: nobody is ever found starved, and nothing is \
                                preempted.";
                    let mend = "Set defaultFairSharePreemptionTimeout, in seconds, or fairSharePreemptionTimeout of a queue.";
                    Problem::warning(file.source, span, what).mend(mend)
                }
            });
        }
    }
}

/// What preemption does with these settings; `None`: nothing.
fn starved(read: &Allocations, site: &Properties) -> Option<String> {
    let queues = || read.queues.values().map(|q| q.preemption);
    let never = |ms: Millis| ms == Millis::MAX;
    let fair = !never(read.patience.fair_ms) || queues().any(|q| q.fair_timeout_ms.is_some());
    let minimum = !never(read.patience.minimum_ms) || queues().any(|q| q.minimum_timeout_ms.is_some());
    let mut when = Vec::new();
    if fair {
        when.push("an application that is below its part of the fair share for fairSharePreemptionTimeout");
    }
    if minimum {
        when.push("a queue that is below its minResources for minSharePreemptionTimeout");
    }
    if when.is_empty() {
        return None;
    }
    let conf = FairConf::read(site).ok()?.preemption;
    let seconds = conf.wait_before_kill_ms as f64 / 1000.0;
    let protected: Vec<&str> =
        read.queues.iter().filter(|(_, q)| q.preemption.protected).map(|(path, _)| path.as_str()).collect();
    let kept = match protected[..] {
        [] => String::new(),
        [one] => format!(" Nothing is taken from {one} (allowPreemptionFrom)."),
        [one, ..] => format!(" Nothing is taken from {one} and {} more (allowPreemptionFrom).", protected.len() - 1),
    };
    Some(format!(
        "Preemption is on, and played: room is taken for {}, once more than {} % of the cluster is used. A container is \
         killed {seconds} s after it was chosen.{kept}",
        when.join(", and for "),
        f64::from(conf.utilization_threshold * 100.0).round(),
    ))
}

#[cfg(test)]
mod tests {
    use super::super::{Recognised, Report};
    use super::*;
    use crate::model::Severity;

    fn report(inner: &str, site: &[(&str, &str)]) -> (Report, String) {
        let text = format!("<allocations>\n{inner}\n</allocations>");
        let site: Properties = site.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
        let report = super::super::check("fair-scheduler.xml", &text, &site, &[]);
        let lines = report.problems.iter().map(|p| {
            let line = p.span.map_or(0, |s| s.line_col(&text).0);
            format!("{line} {:?}: {} {}\n", p.severity, p.what, p.mend)
        });
        let lines = lines.collect();
        (report, lines)
    }

    const FILE: &str = "<queue name='a'>
<weight>2</weight>
<maxResources>4096 mb, 4 vcores</maxResources>
<queue name='b'><maxRunningApps>3</maxRunningApps></queue>
<queue name='c' type='parent'/>
</queue>
<user name='u'><maxRunningApps>2</maxRunningApps></user>
<queueMaxAMShareDefault>0.3</queueMaxAMShareDefault>
<queuePlacementPolicy><rule name='specified'/><rule name='default'/></queuePlacementPolicy>";

    #[test]
    fn what_is_in_a_file_is_counted() {
        let (report, said) = report(FILE, &[]);
        assert_eq!(report.recognised, Recognised::FairAllocations);
        assert_eq!(
            report.summary(),
            "3 queues (1 leaf), 2 placement rules, 4 limits, 5 settings: 5 modelled, 0 kept but not modelled, 0 problems"
        );
        assert_eq!((said.as_str(), report.refusal), ("", None));
    }

    #[test]
    fn a_refusal_has_its_line_its_queue_and_its_mend() {
        for (inner, wanted) in [
            (
                "<queue name='a'>\n<queue name='b'>\n<maxResources>20000</maxResources></queue></queue>",
                "4 Error: The ResourceManager refuses this file (root.a.b): Cannot parse resource values from input: 20000. Write it as",
            ),
            (
                "<queue name='root'><queue name='a'>\n<weight>x</weight></queue></queue>",
                "3 Error: The ResourceManager refuses this file (root.a): For input string: \"x\". Write a plain number.",
            ),
            (
                "<queue name='a'><maxAMShare>1</maxAMShare><queue name='b'/></queue>",
                "Take <maxAMShare> out: it is for leaves.",
            ),
            (
                "<queuePlacementPolicy><rule name='user'/><rule name='default'/></queuePlacementPolicy>",
                "2 Error: The ResourceManager refuses this file: Rules after rule 1 in queue placement policy can never be reached.",
            ),
        ] {
            let (report, said) = report(inner, &[]);
            assert!(said.contains(wanted), "{inner}: {said}");
            assert!(report.refusal.is_some() && said.lines().count() == 1, "told once: {said}");
        }
    }

    /// FairScheduler.reinitialize: only with `migration.mode` (QueuePlacementPolicy.updateRuleSet).
    #[test]
    fn rules_that_cannot_be_reached_are_a_warning_for_the_converter() {
        let rules = "<queuePlacementPolicy><rule name='user'/><rule name='default'/></queuePlacementPolicy>";
        let (mode, lenient) =
            (("yarn.scheduler.fair.migration.mode", "true"), ("yarn.scheduler.fair.no-terminal-rule.check", "true"));
        for site in [&[][..], &[mode], &[lenient]] {
            assert!(report(rules, site).0.refusal.is_some(), "{site:?}");
        }
        let (report, said) = report(rules, &[mode, lenient]);
        assert!(
            said.starts_with("2 Warning: Rules after rule 1 in queue placement policy can never be reached"),
            "{said}"
        );
        assert_eq!(report.refusal, None);
        // The last one must be terminal all the same.
        let open = rules.replace("default'", "default' create='false'");
        assert!(self::report(&open, &[mode, lenient]).0.refusal.is_some_and(|why| why.starts_with("Could get past")));
    }

    #[test]
    fn unknown_elements_are_told_in_a_file_that_is_refused_too() {
        let (report, said) = report("<queue name='a'><wieght>1</wieght><weight>x</weight></queue>", &[]);
        assert!(said.contains("did you mean `<weight>`?") && said.contains("refuses this file"), "{said}");
        assert_eq!((report.counts.unknown, report.counts.modelled, report.counts.properties), (1, 1, 2));
    }

    #[test]
    fn what_preemption_comes_to() {
        let on = [(SWITCH, "true")];
        let timeout = "<queue name='a'><fairSharePreemptionTimeout>5</fairSharePreemptionTimeout></queue>";
        let both = "<defaultMinSharePreemptionTimeout>5</defaultMinSharePreemptionTimeout><queue name='a'>\
                    <fairSharePreemptionTimeout>5</fairSharePreemptionTimeout>\
                    <allowPreemptionFrom>false</allowPreemptionFrom></queue>";
        for (inner, site, wanted) in [
            (timeout, &[][..], "Note: Settings of preemption decide something only where"),
            (timeout, &[(SWITCH, "false")], "Warning: Preemption is set up here, but"),
            (timeout, &on, "Note: Preemption is on, and played: room is taken for an application that is below"),
            (both, &on, "and for a queue that is below its minResources"),
            (
                both,
                &on,
                "more than 80 % of the cluster is used. A container is killed 15 s after it was chosen. Nothing is taken from root.a (allow",
            ),
            ("<queue name='a'/>", &on, "Warning: Preemption is on, but no queue has a timeout"),
        ] {
            let (_, said) = report(inner, site);
            assert!(said.contains(wanted), "{inner} {site:?}: {said}");
        }
        assert_eq!(report("<queue name='a'/>", &[]).1, "");
    }

    #[test]
    fn what_only_the_log_says_is_told() {
        for (inner, wanted) in [
            (
                "<queue name='a'>\n<minResources>8192 mb,4 vcores</minResources>\n<maxResources>4096 mb,4 vcores</maxResources></queue>",
                "3 Warning: root.a: <minResources> is above <maxResources>",
            ),
            (
                "<queue name='a'>\n<minResources>50%</minResources></queue>",
                "3 Warning: root.a: a percentage as <minResources> says",
            ),
            (
                "<queue name='a'><queue name='x'>\n<schedulingPolicy>drf</schedulingPolicy></queue></queue>",
                "3 Warning: root.a.x is not made: its policy is drf, and root.a with fair may not",
            ),
            (
                "<queue name='a'>\n<schedulingPolicy>fifo</schedulingPolicy>\n<queue name='x'/></queue>",
                "4 Warning: root.a.x is not made: its policy is fair, and root.a with fifo may not have such a child. Give the parent the policy drf: below fifo",
            ),
            ("<queue name='a'>\n<weight>NaN</weight></queue>", "3 Warning: root.a: a weight of NaN gives it no share"),
        ] {
            let (report, said) = report(inner, &[]);
            assert!(said.contains(wanted) && said.lines().count() == 1, "{inner}: {said}");
            assert_eq!((report.refusal, report.counts.problems), (None, 1), "{inner}");
        }
        let drf = "<queue name='a'><schedulingPolicy>drf</schedulingPolicy></queue>";
        assert!(
            report(&format!("<defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>{drf}"), &[]).1.is_empty()
        );
    }

    #[test]
    fn reservations_are_told_on_top() {
        let (report, said) =
            report("<queue name='a'><wieght>1</wieght>\n<queue name='b'><reservation/></queue></queue>", &[]);
        assert!(said.starts_with("3 Warning: Not modelled: reservations."), "{said}");
        assert_eq!((report.counts.kept, report.problems[0].severity), (2, Severity::Warning));
    }
}
