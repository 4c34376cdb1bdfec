//! What the ResourceManager itself reads from yarn-site.xml, once, at its start. The settings of the schedulers and the
//! constraint handlers contain what they read from it.

use super::nodes::NodesConf;
use super::properties::{Key, Value};
use super::values::Conf;
use crate::api::{Properties, Refusal};
use crate::model::Millis;

/// The time after the start in which nodes do not bound allocations, ms. YARN's own default is 10 s; here a
/// ResourceManager has been running for longer unless the property is set.
const SCHEDULING_WAIT: &str = "yarn.resourcemanager.work-preserving-recovery.scheduling-wait-ms";

const ATTEMPTS: Key<i32> = Key::site("yarn.resourcemanager.am.max-attempts");
const BLAMED: Key<f32> = Key::site("yarn.resourcemanager.am-scheduling.node-blacklisting-disable-threshold");
const LIFETIMES: Key<i64> = Key::site("yarn.resourcemanager.application-timeouts.monitor.interval-ms");
const MOST_TAGS: Key<i32> = Key::site("yarn.resourcemanager.application.max-tags");
const LONGEST_TAG: Key<i32> = Key::site("yarn.resourcemanager.application.max-tag.length");
const HEARTBEAT: Key<i64> = Key::site("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms");
const SKIPPED_AFTER: Key<i64> = Key::site("yarn.scheduler.skip.node.multiplier");

/// Settings of the ResourceManager in yarn-site.xml.
#[derive(Clone, Debug, PartialEq)]
pub struct YarnSite {
    /// `yarn.node-labels.enabled`.
    pub node_labels: bool,
    /// `work-preserving-recovery.scheduling-wait-ms`: the time after the start in which nodes do not bound allocations.
    pub scheduling_wait_ms: Millis,
    /// `scheduler.autocorrect.container.allocation`.
    pub autocorrects: bool,
    /// `am.max-attempts`: for submissions that name none.
    pub am_attempts: i32,
    /// `am.global.max-attempts`: the maximum that a submission may request.
    pub most_am_attempts: i32,
    /// With `am-scheduling.node-blacklisting-enabled`: the fraction of nodes from which on no node is avoided
    /// (`node-blacklisting-disable-threshold`).
    pub avoids_blamed_nodes: Option<f32>,
    /// `application-timeouts.monitor.interval-ms`: the interval of lifetime checks.
    pub lifetime_interval_ms: Millis,
    /// `application-tag-based-placement.enable`: whether applications may be placed for a user named in their tags.
    pub places_by_tag: bool,
    /// `application-tag-based-placement.username.whitelist`: who may submit these applications.
    pub tag_placers: Vec<String>,
    /// `application.max-tags`: the maximum number of tags of an application.
    pub most_tags: i32,
    /// `application.max-tag.length`: the maximum length of these tags, in characters.
    pub longest_tag: i32,
    /// `node-labels.am.default-node-label-expression`: the label of AMs that name none.
    pub am_default_label: Option<String>,
    /// `yarn.node-labels.exclusive-enforced-partitions`: labels that only applications with the same label may request,
    /// and these must.
    pub enforced_labels: Vec<String>,
    /// The settings about nodes.
    pub nodes: NodesConf,
}

impl YarnSite {
    /// Reads the settings. Errors: a scheduling wait that is not a number. Any other value that cannot be parsed counts
    /// as not set.
    pub fn read(site: &Properties) -> Result<Self, Refusal> {
        let am_attempts = number(site, ATTEMPTS, |_| true);
        let threshold = number(site, BLAMED, |s| (0.0..=1.0).contains(s));
        let conf = Conf::layered(site, &Properties::default());
        let text = |key: &str| conf.trimmed(key).ok().flatten();
        Ok(YarnSite {
            node_labels: node_labels(site),
            scheduling_wait_ms: conf.long(SCHEDULING_WAIT, 0)?,
            autocorrects: switch(site, "yarn.resourcemanager.scheduler.autocorrect.container.allocation"),
            am_attempts,
            most_am_attempts: written(site, "yarn.resourcemanager.am.global.max-attempts").unwrap_or(am_attempts),
            avoids_blamed_nodes: switch(site, "yarn.resourcemanager.am-scheduling.node-blacklisting-enabled")
                .then_some(threshold),
            lifetime_interval_ms: number(site, LIFETIMES, |ms| *ms > 0),
            places_by_tag: switch(site, "yarn.resourcemanager.application-tag-based-placement.enable"),
            tag_placers: site
                .get("yarn.resourcemanager.application-tag-based-placement.username.whitelist")
                .map_or_else(Vec::new, |names| names.split(',').map(|name| name.trim().to_string()).collect()),
            most_tags: number(site, MOST_TAGS, |_| true),
            longest_tag: number(site, LONGEST_TAG, |_| true),
            am_default_label: text("yarn.resourcemanager.node-labels.am.default-node-label-expression")
                .filter(|label| !label.is_empty()),
            // Blanks are part of the labels (Configuration.getStrings).
            enforced_labels: conf
                .list("yarn.node-labels.exclusive-enforced-partitions")
                .ok()
                .flatten()
                .unwrap_or_default(),
            nodes: NodesConf::read(site),
        })
    }
}

/// `yarn.node-labels.enabled`, for callers without a ResourceManager.
pub fn node_labels(site: &Properties) -> bool {
    switch(site, "yarn.node-labels.enabled")
}

/// `yarn.scheduler.skip.node.multiplier` heartbeat intervals: nodes that are silent for longer are skipped.
pub fn silent_after_ms(site: &Properties) -> Millis {
    let interval = number(site, HEARTBEAT, |ms| *ms > 0);
    number(site, SKIPPED_AFTER, |n| *n > 0).saturating_mul(interval)
}

fn switch(site: &Properties, key: &str) -> bool {
    site.get(key).is_some_and(|v| v.trim().eq_ignore_ascii_case("true"))
}

/// The value of a property, or its default if the value cannot be parsed or is not good.
fn number<T: Value + std::str::FromStr>(site: &Properties, key: Key<T>, is_good: impl Fn(&T) -> bool) -> T {
    written(site, &key.name()).filter(is_good).unwrap_or_else(|| key.default())
}

fn written<T: std::str::FromStr>(site: &Properties, name: &str) -> Option<T> {
    site.get(name).and_then(|v| v.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(lines: &[(&str, &str)]) -> Properties {
        lines.iter().map(|(k, v)| (format!("yarn.resourcemanager.{k}"), v.to_string())).collect()
    }

    #[test]
    fn what_cannot_be_read_counts_as_not_set_but_for_the_scheduling_wait() {
        let plain = YarnSite::read(&Properties::default()).expect("it is read");
        assert_eq!((plain.am_attempts, plain.most_am_attempts, plain.lifetime_interval_ms), (2, 2, 3000));
        assert_eq!(plain.avoids_blamed_nodes, None);
        let odd = [("am.max-attempts", "many"), ("application-timeouts.monitor.interval-ms", "0")];
        assert_eq!(YarnSite::read(&site(&odd)), Ok(plain));
        let wait = [("work-preserving-recovery.scheduling-wait-ms", "soon")];
        assert_eq!(YarnSite::read(&site(&wait)).unwrap_err().message, "For input string: \"soon\"");
    }

    #[test]
    fn attempts_and_blamed_nodes() {
        let lines = [("am.max-attempts", "3"), ("am-scheduling.node-blacklisting-enabled", "true")];
        let read = YarnSite::read(&site(&lines)).expect("it is read");
        assert_eq!((read.am_attempts, read.most_am_attempts, read.avoids_blamed_nodes), (3, 3, Some(0.2)));
    }
}
