//! The clean-up of orphaned stores, a separate service (samza-host-affinity.md 15.6).

use crate::model::Millis;

/// The default period.
pub const EVERY_MS: Millis = 60_000;
/// The age at which an offset file is deleted (`job.offset.ttl.ms`).
pub const OFFSET_TTL_MS: Millis = 604_800_000;

/// A task's store directory, as the clean-up finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreDirectory {
    /// Whether its job runs.
    pub job_started: bool,
    /// Whether the store belongs to the task.
    pub known: bool,
    /// Whether the task belongs on this host.
    pub here: bool,
    /// The time at which its offset file was written.
    pub offset_file: Option<Millis>,
}

/// The action of one round on a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CleanUp {
    /// None: it is in use.
    InUse,
    /// None yet; the age of its offset file.
    Fresh(Millis),
    /// The offset file is deleted, at this age; the directory is deleted in the next round.
    OffsetFile(Millis),
    /// The directory is deleted: it has no offset file.
    Directory,
}

/// Decides one round.
pub fn clean_up(found: StoreDirectory, now: Millis, ttl_ms: Millis) -> CleanUp {
    if found.job_started && found.known && found.here {
        return CleanUp::InUse;
    }
    match found.offset_file.map(|written| now - written) {
        None => CleanUp::Directory,
        Some(age) if age >= ttl_ms => CleanUp::OffsetFile(age),
        Some(age) => CleanUp::Fresh(age),
    }
}
