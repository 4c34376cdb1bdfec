//! The clean-up of orphaned stores, a service of its own (samza-host-affinity.md 15.6).

use crate::model::Millis;

/// How often it works, if nothing else is set.
pub const EVERY_MS: Millis = 60_000;
/// How old an offset file gets (`job.offset.ttl.ms`).
pub const OFFSET_TTL_MS: Millis = 604_800_000;

/// A store's directory of a task, as the clean-up finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Does its job run?
    pub job_started: bool,
    /// Does the store belong to the task?
    pub known: bool,
    /// Is the task to run on this host?
    pub here: bool,
    /// When its offset file was written.
    pub offset_file: Option<Millis>,
}

/// What one round does with a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CleanUp {
    /// Nothing: it is in use.
    InUse,
    /// Nothing yet: so old is its offset file.
    Fresh(Millis),
    /// The offset file is deleted; the directory goes in the next round.
    OffsetFile(Millis),
    /// The directory is deleted: it has no offset file.
    Directory,
}

/// One round.
pub fn clean_up(found: Found, now: Millis, ttl_ms: Millis) -> CleanUp {
    if found.job_started && found.known && found.here {
        return CleanUp::InUse;
    }
    match found.offset_file.map(|written| now - written) {
        None => CleanUp::Directory,
        Some(age) if age >= ttl_ms => CleanUp::OffsetFile(age),
        Some(age) => CleanUp::Fresh(age),
    }
}
