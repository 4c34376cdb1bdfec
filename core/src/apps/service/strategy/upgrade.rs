//! The express upgrade: in place, component by component in the order of dependencies.

use super::{RestartPolicy, ServiceMaster};
use crate::apps::service::journal::Decision;
use crate::model::Millis;
use crate::strategy::{AmAction, Turn};

/// The time after a restart of an instance before its address is checked (ComponentInstance, default probe).
const PROBE_AFTER_UPGRADE_MS: Millis = 30_000;

impl ServiceMaster {
    pub(super) fn upgrade(&mut self, turn: &mut Turn<'_>, names: &[String]) -> Result<(), String> {
        if !self.upgrades.is_empty() || !self.is_stable() {
            let state = if self.upgrades.is_empty() { "STARTED" } else { "EXPRESS_UPGRADING" };
            return Err(format!("It is at {state} state and upgrade can only be initiated when service is STABLE."));
        }
        for place in 0..self.components.len() {
            let spec = &self.plan.components[place];
            match (names.contains(&spec.name), spec.restart_policy) {
                (false, _) => {}
                (true, RestartPolicy::Always) => self.upgrades.push_back(place),
                (true, _) => self.note(turn, Some(place), || Decision::NotUpgraded),
            }
        }
        self.upgrade_next(turn);
        Ok(())
    }

    /// Restarts the processes of the next component in their containers.
    pub(super) fn upgrade_next(&mut self, turn: &mut Turn<'_>) {
        while let Some(place) = self.upgrades.front().copied() {
            let (work, up_at) =
                (self.plan.components[place].work, turn.now + self.plan.launch + PROBE_AFTER_UPGRADE_MS);
            let mut count = 0;
            for (container, live) in self.live.iter_mut().filter(|(_, live)| live.component == place) {
                (live.ready, live.upgrading, live.up_at) = (false, true, Some(up_at));
                count += 1;
                let (container, run_ms, exit_code) = (*container, work.run_ms, work.exit_code);
                turn.act(AmAction::Reinitialize { container, run_ms, exit_code });
            }
            if count > 0 {
                return self.note(turn, Some(place), || Decision::Upgrading { count });
            }
            self.upgrades.pop_front();
        }
    }
}
