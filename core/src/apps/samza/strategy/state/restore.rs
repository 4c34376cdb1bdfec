//! What a start makes of the copies of a store, and which part of the changelog it reads (samza-host-affinity.md 15.4 and
//! 15.5). Offsets are numbers.

pub use crate::apps::samza::journal::Unfit;
use crate::model::Millis;

/// A store, as far as it counts here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Store {
    /// Does it have a changelog?
    pub logged: bool,
    /// Is it on disk?
    pub persistent: bool,
    /// Is its copy thrown away at each start?
    pub clean: bool,
    /// From which age on a copy is stale.
    pub retention_ms: Millis,
    /// How long the changelog keeps every entry.
    pub compaction_lag_ms: Millis,
}

/// What a partition of a changelog holds; `None`: nothing.
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
    /// What its offset file says of this partition, if it can be read.
    pub offset: Option<i64>,
    /// When the file was written; 0 where there is none.
    pub modified: Millis,
}

/// The offset of a copy that can be used.
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

/// What a plain restore does. It always reads to the changelog's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plain {
    /// Why the directory is deleted, if it is.
    pub deleted: Option<Unfit>,
    /// The first offset that is read; `None`: nothing is.
    pub from: Option<i64>,
    /// Entries that the changelog has lost since the copy was written.
    pub lost: i64,
}

/// With standby containers, asynchronous commits, or transactional restore off.
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

/// Which rule decides a transactional restore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The store has no changelog.
    NotLogged,
    /// The configuration says to begin anew.
    Clean,
    /// No checkpoint says how far: to the newest entry, or nothing and the changelog is cut.
    NoCheckpoint,
    /// The checkpoint does not lie within the changelog.
    OutOfRange,
    /// The store is not on disk.
    InMemory,
    /// To the checkpoint.
    Checkpoint,
    /// The checkpoint is old, so the changelog may be compacted beyond it: to the newest entry.
    OldCheckpoint,
}

/// What a transactional restore does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transactional {
    /// The rule.
    pub rule: Rule,
    /// The place among the checkpoints' copies of the one that is kept; all others are deleted.
    pub kept: Option<usize>,
    /// From where; `None`: nothing is there.
    pub from: Option<i64>,
    /// To where; `None`: nothing is read.
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

/// For jobs without standby containers. `copies`: the offset of each checkpoint's copy that is fit. What is in the
/// directory `current` is always deleted.
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
    // Nine tenths, without fractions.
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

/// The range ends before it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backwards;

/// The first offset that is read of a range: its first one where that is the changelog's oldest, else the one after.
pub fn first_read(oldest: Option<i64>, from: i64, to: Option<i64>) -> Result<i64, Backwards> {
    if to.is_some_and(|to| to < from) {
        return Err(Backwards);
    }
    Ok(if oldest == Some(from) { from } else { from.saturating_add(1) })
}
