//! How much memory a run will take: told before it is played, since a run that takes too much is cut off.

use super::super::document::Scenario;
use super::fields::Reader;
use crate::model::{Span, limits};

/// Bytes of a container's record, from its request to its end, and of an application's, roughly: what the player's reckoning
/// comes to after such runs (`player/src/memory_tests.rs`).
pub const CONTAINER_BYTES: u64 = 3_000;
pub const APPLICATION_BYTES: u64 = 24_000;

/// Bytes that the run of a scenario takes when all that its applications ask for comes and goes once.
pub fn of(s: &Scenario) -> u64 {
    let containers = s.apps.iter().fold(0u64, |sum, app| sum.saturating_add(app.kind.containers()));
    let apps = s.apps.len() as u64;
    containers.saturating_mul(CONTAINER_BYTES).saturating_add(apps.saturating_mul(APPLICATION_BYTES))
}

/// Tells it, if that is more than a run may take.
pub fn tell(r: &mut Reader<'_>, s: &Scenario) {
    let (takes, most) = (of(s) >> 20, limits::RUN_BYTES as u64 >> 20);
    if takes > most {
        let what = format!(
            "Played to its end, with all containers that are asked for, this run takes about {takes} MB; it is stopped when it takes {most} MB."
        );
        let mend = "Fewer applications or containers, or an earlier `until`, show the same.";
        r.warning(Span::new(0, 0), what, mend);
    }
}
