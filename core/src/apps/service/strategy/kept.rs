//! The state that outlives an attempt: the numbers of components as last flexed, the instance in each container (the registry),
//! and the components to be upgraded.

use super::{Live, RECOVERY, ServiceMaster};
use crate::apps::service::journal::Decision;
use crate::model::{ContainerId, Millis};
use crate::strategy::{AmAction, Store, Turn};
use std::collections::BTreeMap;

/// `yarn.service.container-recovery.timeout.ms`.
const RECOVERY_MS: Millis = 120_000;

/// Keys in the store.
const COUNT: &str = "count/";
const REGISTRY: &str = "registry/";
const UPGRADE: &str = "upgrade";

/// Returns the number that a user gave a component.
pub fn stored_count(store: &Store, component: &str) -> Option<i64> {
    store.get(&format!("{COUNT}{component}"))?.parse().ok()
}

/// Stores the number that a user gives a component.
pub fn store_count(store: &mut Store, component: &str, count: i64) {
    store.put(format!("{COUNT}{component}"), count.to_string());
}

/// Stores the components that a user wants upgraded.
pub fn store_upgrade(store: &mut Store, components: &[String]) {
    store.put(UPGRADE, components.join("\n"));
}

/// Returns the components to be upgraded, and removes them from the store.
pub(super) fn take_upgrade(store: &mut Store) -> Vec<String> {
    store.remove(UPGRADE).unwrap_or_default().lines().map(String::from).collect()
}

fn registry(container: ContainerId) -> String {
    format!("{REGISTRY}{}.{}", container.attempt, container.seq)
}

/// Records the instance of a container.
pub(super) fn register(store: &mut Store, container: ContainerId, live: &Live) {
    store.put(registry(container), format!("{} {}", live.component, live.instance));
}

/// Removes a container from the registry.
pub(super) fn strike_out(store: &mut Store, container: ContainerId) {
    store.remove(&registry(container));
}

/// Clears the registry, when the service starts for the first time.
pub(super) fn clear(store: &mut Store) {
    let old: Vec<String> = store.iter().map(|(key, _)| key.to_string()).collect();
    old.iter().filter(|key| key.starts_with(REGISTRY)).for_each(|key| _ = store.remove(key));
}

impl ServiceMaster {
    /// Takes over the containers of the previous attempt, by the registry.
    pub(super) fn recover(&mut self, turn: &mut Turn<'_>) {
        let kept = turn.reports().kept(turn.attempt.app);
        let mut known: BTreeMap<String, (usize, i64)> = BTreeMap::new();
        for (key, text) in turn.store.iter().filter(|(key, _)| key.starts_with(REGISTRY)) {
            let read = text.split_once(' ').and_then(|(place, n)| Some((place.parse().ok()?, n.parse().ok()?)));
            known.extend(read.map(|read| (key.to_string(), read)));
        }
        for grant in kept {
            let (container, found) = (grant.id, known.remove(&registry(grant.id)));
            let found = found.filter(|(place, n)| self.components.get_mut(*place).is_some_and(|c| c.take(*n)));
            let Some((component, instance)) = found else {
                strike_out(turn.store, container);
                self.releases.push(container);
                self.note(turn, None, || Decision::NotTakenUp { container });
                continue;
            };
            let (host, up_at) = (turn.reports().host(grant.node), Some(turn.now));
            self.live.insert(container, Live { component, instance, host, up_at, ready: false, upgrading: false });
            self.note(turn, Some(component), || Decision::Recovered { container, instance });
        }
        for (key, (place, instance)) in known {
            turn.store.remove(&key);
            if self.components.get_mut(place).is_some_and(|c| c.take(instance)) {
                self.unrecovered.push((place, instance));
            }
        }
        if !self.unrecovered.is_empty() {
            self.recovery_at = turn.now.saturating_add(RECOVERY_MS);
            turn.act(AmAction::SetTimer { timer: RECOVERY, at: self.recovery_at });
        }
    }
}
