//! The settings of a trace's ResourceManager. Missing ones have Hadoop's defaults, with the exceptions of the format:
//! asynchronous scheduling is off, and the ResourceManager counts as started long ago.

use super::play::START_MS;
use crate::facts::read::{list, text};
use heddle_core::config::releases::{self, Release, What};
use heddle_core::config::values::trim;
use heddle_core::rm::{NodeLabel, Properties, RmSettings, SchedulerChoice};
use serde_json::Value;

/// The property that makes the CapacityScheduler asynchronous; on by default since Hadoop 3.5.0.
pub(crate) const ASYNCHRONOUS: &str = "yarn.scheduler.capacity.schedule-asynchronously.enable";
const YOUNG_MS: &str = "yarn.resourcemanager.work-preserving-recovery.scheduling-wait-ms";
/// The key of a case for its labels.
pub(crate) const LABELS: &str = "labels";
const LABELS_ENABLED: &str = "yarn.node-labels.enabled";

/// Returns the properties of a case: names with texts.
pub(crate) fn properties(v: &Value) -> Properties {
    let pairs = v.as_object().into_iter().flatten();
    // Configuration.set trims names.
    pairs.map(|(k, v)| (trim(k).to_string(), v.as_str().map_or_else(|| v.to_string(), str::to_owned))).collect()
}

/// Reads the settings of `given`. Errors: an unknown scheduler.
pub(crate) fn settings(given: &Value) -> Result<RmSettings, String> {
    let name = given["scheduler"].as_str().unwrap_or("capacity");
    let scheduler = SchedulerChoice::of_text(name).ok_or_else(|| format!("unknown scheduler {name}"))?;
    let (mut yarn_site, mut capacity) = (properties(&given["yarn_site"]), properties(&given["capacity_scheduler"]));
    if !yarn_site.contains_key(ASYNCHRONOUS) {
        capacity.entry(ASYNCHRONOUS.into()).or_insert_with(|| "false".into());
    }
    yarn_site.entry(YOUNG_MS.into()).or_insert_with(|| "0".into());
    let mut fair_allocations = given["fair_allocations"].as_str().map(str::to_owned);
    if let Some(release) = given["release"].as_str() {
        let release = Release::named(release).ok_or_else(|| format!("unknown release {release}"))?;
        for difference in releases::apply(release, scheduler, &mut capacity, &mut yarn_site) {
            if let What::Refused { words, .. } = difference.what {
                return Err(words);
            }
        }
        let with = fair_allocations.as_deref().and_then(|text| releases::with_default_queue(release, text));
        fair_allocations = with.or(fair_allocations);
    }
    let labels: Vec<NodeLabel> = list(&given["labels"])
        .iter()
        .map(|l| NodeLabel { name: text(&l["name"]).into(), exclusive: l["exclusive"].as_bool().unwrap_or(true) })
        .collect();
    // The oracle's label manager is a test double, which enables labels whatever is set.
    yarn_site.insert(LABELS_ENABLED.into(), "true".into());
    let groups = given["groups"].as_object().into_iter().flatten();
    Ok(RmSettings {
        scheduler,
        yarn_site,
        capacity_scheduler: capacity,
        fair_allocations,
        labels,
        groups: groups.map(|(u, g)| (u.clone(), list(g).iter().map(|g| text(g).to_owned()).collect())).collect(),
        clock_ms: START_MS,
        seed: 0,
    })
}
