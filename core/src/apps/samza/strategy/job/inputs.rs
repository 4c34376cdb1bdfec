//! Input partitions, and the tasks made from them (samza-host-affinity.md 4.1).

use super::model::Impossible;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The largest number of partitions in one range of broadcast inputs.
const RANGE: u32 = 10_000;

/// A partition of an input stream, or with elasticity one of its key buckets.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Partition {
    /// The stream, as `system.stream`.
    pub stream: String,
    /// Its number.
    pub number: u32,
    /// The key bucket.
    pub bucket: Option<u32>,
}

impl Partition {
    /// Returns a whole partition.
    pub fn new(stream: impl Into<String>, number: u32) -> Self {
        Partition { stream: stream.into(), number, bucket: None }
    }

    /// Reads `system.stream#number` or `system.stream#number/bucket`.
    pub fn read(text: &str) -> Option<Self> {
        let (stream, rest) = text.rsplit_once('#')?;
        let (number, bucket) = match rest.split_once('/') {
            Some((number, bucket)) => (number, Some(bucket.parse().ok()?)),
            None => (rest, None),
        };
        Some(Partition { stream: stream.into(), number: number.parse().ok()?, bucket })
    }

    /// Returns the name of the task of this one partition.
    fn task_name(&self) -> String {
        let (system, stream) = self.stream.split_once('.').unwrap_or(("", &self.stream));
        let bucket = self.bucket.map(|b| format!(", {b}")).unwrap_or_default();
        format!("SystemStreamPartition [{system}, {stream}, {}{bucket}]", self.number)
    }
}

impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.stream, self.number)?;
        self.bucket.map_or(Ok(()), |b| write!(f, "/{b}"))
    }
}

/// Tasks with their partitions, in text order of the names.
pub type Tasks = BTreeMap<String, BTreeSet<Partition>>;

/// How partitions are grouped into tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum PartitionGrouper {
    /// One task for each partition number, across all streams.
    #[default]
    ByPartition,
    /// One task for each partition.
    ByStreamPartition,
    /// One task for each container, with all partitions.
    AllToSingleTask,
}

impl PartitionGrouper {
    /// Returns the grouper by the name of its factory, without the package.
    pub fn of(factory: &str) -> Option<Self> {
        Some(match factory {
            "GroupByPartitionFactory" => PartitionGrouper::ByPartition,
            "GroupBySystemStreamPartitionFactory" => PartitionGrouper::ByStreamPartition,
            "AllSspToSingleTaskGrouperFactory" => PartitionGrouper::AllToSingleTask,
            _ => return None,
        })
    }

    /// Returns the tasks. Broadcast partitions make no task; every task gets them. `processors` are the containers' ids.
    pub fn group(
        self,
        partitions: &[Partition],
        broadcast: &[Partition],
        elasticity: i32,
        processors: &[String],
    ) -> Result<Tasks, Impossible> {
        let mut tasks = Tasks::new();
        if self == PartitionGrouper::AllToSingleTask {
            if partitions.is_empty() {
                return Err(Impossible::NoPartitions);
            }
            let all: BTreeSet<Partition> = partitions.iter().cloned().collect();
            return Ok(processors.iter().map(|id| (format!("Task-{id}"), all.clone())).collect());
        }
        for whole in partitions.iter().filter(|p| !broadcast.contains(p)) {
            for i in 0..elasticity.max(1) {
                let bucket = (elasticity > 1).then_some(i as u32);
                let part = Partition { bucket, ..whole.clone() };
                let name = match (self, bucket) {
                    (PartitionGrouper::ByStreamPartition, _) => part.task_name(),
                    (_, None) => format!("Partition {}", part.number),
                    (_, Some(b)) => format!("Partition {} {b}", part.number),
                };
                tasks.entry(name).or_default().insert(part);
            }
        }
        for held in tasks.values_mut() {
            held.extend(broadcast.iter().cloned());
        }
        Ok(tasks)
    }
}

/// Reads an item of `task.broadcast.inputs`: `system.stream#n` or `system.stream#[n-m]`.
pub fn broadcast(item: &str) -> Option<Vec<Partition>> {
    let (stream, which) = item.split_once('#')?;
    stream.contains('.').then_some(())?;
    let number = |text: &str| text.chars().all(|c| c.is_ascii_digit()).then(|| text.parse::<u32>().ok()).flatten();
    let (from, to) = match which.strip_prefix('[').and_then(|w| w.strip_suffix(']')) {
        Some(range) => {
            let (from, to) = range.split_once('-')?;
            (number(from)?, number(to)?)
        }
        None => (number(which)?, number(which)?),
    };
    (to.saturating_sub(from) < RANGE).then(|| (from..=to).map(|n| Partition::new(stream, n)).collect())
}
