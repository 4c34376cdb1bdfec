//! Estimates the memory of a run, to warn before it starts: a run that takes too much is stopped.

use super::super::document::Scenario;
use super::fields::Reader;
use crate::model::{Span, limits};

/// Approximate bytes of a container's record, from its request to its end, and of an application's, in line with the
/// player's estimate after such runs (`player/src/memory_tests.rs`).
pub const CONTAINER_BYTES: u64 = 3_000;
pub const APPLICATION_BYTES: u64 = 24_000;

/// Returns the bytes that a run takes if all requested containers are allocated and end once.
pub fn of(s: &Scenario) -> u64 {
    let containers = s.apps.iter().fold(0u64, |sum, app| sum.saturating_add(app.kind.containers()));
    let apps = s.apps.len() as u64;
    containers.saturating_mul(CONTAINER_BYTES).saturating_add(apps.saturating_mul(APPLICATION_BYTES))
}

/// Warns if a run may take more memory than the limit.
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
