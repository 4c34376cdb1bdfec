//! How a start treats the copies of a store, and which part of the changelog it reads (samza-host-affinity.md 15.4 and 15.5).
//! Offsets are numbers.

pub use crate::apps::samza::journal::Unfit;
use crate::model::Millis;

/// The settings of a store that matter for restores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Store {
    /// Whether it has a changelog.
    pub logged: bool,
    /// Whether it is on disk.
    pub persistent: bool,
    /// Whether its copy is deleted at each start.
    pub clean: bool,
    /// The age from which on a copy is stale.
    pub retention_ms: Millis,
    /// How long the changelog keeps every entry.
    pub compaction_lag_ms: Millis,
}

/// The offsets of a changelog partition; `None`: it is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Offsets {
    /// The oldest entry.
    pub oldest: Option<i64>,
    /// The newest entry.
    pub newest: Option<i64>,
}

/// A copy of a store on the host's disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copy {
    /// The offset of this partition in its offset file, if it can be read.
    pub offset: Option<i64>,
    /// The time at which the file was written; 0 without a file.
    pub modified: Millis,
}

/// Returns the offset of a copy if it can be used.
pub fn fit(store: Store, copy: Copy, now: Millis) -> Result<i64, Unfit> {
    let age = now - copy.modified;
    if !store.logged || !store.persistent {
        return Err(Unfit::NotKept);
    }
    if store.clean {
        return Err(Unfit::Clean);
    }
    let offset = copy.offset.ok_or(Unfit::NoOffset)?;
    if age >= store.retention_ms {
        return Err(Unfit::Stale { age, retention: store.retention_ms });
    }
    Ok(offset)
}

/// A plain restore. It always reads to the changelog's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plain {
    /// The reason why the directory is deleted, if it is.
    pub deleted: Option<Unfit>,
    /// The first offset that is read; `None`: none.
    pub from: Option<i64>,
    /// Entries that the changelog has lost since the copy was written.
    pub lost: i64,
}

/// Decides a restore with standby containers, asynchronous commits, or transactional restore off.
pub fn plain(store: Store, copy: Option<Copy>, changelog: Offsets, now: Millis) -> Plain {
    let found = copy.map(|copy| fit(store, copy, now));
    let deleted = found.and_then(Result::err).or((!store.logged).then_some(Unfit::NotKept));
    let oldest = changelog.oldest.filter(|_| store.logged);
    let (from, lost) = match (oldest, found.and_then(Result::ok)) {
        (Some(oldest), Some(offset)) => {
            let next = offset.saturating_add(1);
            (Some(next.max(oldest)), (oldest - next).max(0))
        }
        (oldest, _) => (oldest, 0),
    };
    Plain { deleted, from, lost }
}

/// The rule that decides a transactional restore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The store has no changelog.
    NotLogged,
    /// The configuration requires a new beginning.
    Clean,
    /// No checkpoint has an offset: the restore reads to the newest entry, or reads nothing and trims the changelog.
    NoCheckpoint,
    /// The checkpoint is outside of the changelog.
    OutOfRange,
    /// The store is not on disk.
    InMemory,
    /// The restore reads to the checkpoint.
    Checkpoint,
    /// The checkpoint is old, so that the changelog may be compacted beyond it: the restore reads to the newest entry.
    OldCheckpoint,
}

/// A transactional restore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transactional {
    /// The rule.
    pub rule: Rule,
    /// The index of the checkpoint's copy that is kept; all others are deleted.
    pub kept: Option<usize>,
    /// The start; `None`: there is no entry.
    pub from: Option<i64>,
    /// The end; `None`: nothing is read.
    pub to: Option<i64>,
}

/// The checkpoint that a task starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The changelog's offset in it, if it has one.
    pub offset: Option<i64>,
    /// Its age.
    pub age: Millis,
}

/// Decides a restore of jobs without standby containers. `copies`: the offset of each checkpoint's copy that can be used. The
/// contents of the directory `current` are always deleted.
pub fn transactional(
    store: Store,
    retain: bool,
    copies: &[Option<i64>],
    checkpoint: Checkpoint,
    changelog: Offsets,
) -> Transactional {
    let Offsets { oldest, newest } = changelog;
    let all = |rule, from, to| Transactional { rule, kept: None, from, to };
    if !store.logged {
        return all(Rule::NotLogged, None, None);
    }
    if store.clean {
        return all(Rule::Clean, oldest, checkpoint.offset);
    }
    let (Some(low), Some(high)) = (oldest, newest) else { return all(Rule::OutOfRange, oldest, newest) };
    let Some(at) = checkpoint.offset else {
        return all(Rule::NoCheckpoint, oldest, newest.filter(|_| retain));
    };
    if low > at || at > high {
        return all(Rule::OutOfRange, oldest, newest);
    }
    if !store.persistent {
        return all(Rule::InMemory, oldest, checkpoint.offset);
    }
    // Nine tenths, in integers.
    let old = i128::from(checkpoint.age) * 10 > i128::from(store.compaction_lag_ms) * 9;
    let (rule, to) = if old { (Rule::OldCheckpoint, high) } else { (Rule::Checkpoint, at) };
    let mut kept: Option<(usize, i64)> = None;
    for (i, offset) in copies.iter().enumerate() {
        if let Some(offset) = offset.filter(|o| (low..=to).contains(o))
            && kept.is_none_or(|(_, best)| offset > best)
        {
            kept = Some((i, offset));
        }
    }
    let from = kept.map_or(low, |(_, offset)| offset);
    Transactional { rule, kept: kept.map(|(i, _)| i), from: Some(from), to: Some(to) }
}

/// The error that a range ends before it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backwards;

/// Returns the first offset that is read of a range: its start if that is the changelog's oldest, or else the next one.
pub fn first_read(oldest: Option<i64>, from: i64, to: Option<i64>) -> Result<i64, Backwards> {
    if to.is_some_and(|to| to < from) {
        return Err(Backwards);
    }
    Ok(if oldest == Some(from) { from } else { from.saturating_add(1) })
}
