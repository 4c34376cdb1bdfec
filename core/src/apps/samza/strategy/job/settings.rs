//! The configuration of a job, typed (samza-host-affinity.md section 2).

use super::Config;
use super::inputs::{self, Partition, PartitionGrouper};
use super::keys::{self, Key};
use super::stores::{self, StoreSettings};
use crate::model::{Millis, Resource};

/// The rule that a value breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// It is not a whole number of so many bits.
    Number(u32),
    /// It is below this minimum.
    Least(i64),
    /// The stream has no system, and there is no default system.
    NoSystem,
    /// It is neither `system.stream#n` nor `system.stream#[n-m]`.
    Broadcast,
    /// The class is not known here.
    Class,
    /// It cannot be set together with that grouper.
    BroadcastWithAll,
}

/// A value with which the job does not start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedValue {
    /// The property, by the name in use.
    pub key: String,
    /// Its value.
    pub value: String,
    /// The rule that it breaks.
    pub rule: Rule,
}

/// How tasks are grouped into containers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum TaskGrouper {
    /// GroupByContainerCount: even numbers; keeps the previous containers as far as it can.
    #[default]
    ContainerCount,
    /// GroupByContainerIds: by the last host of a task.
    ContainerIds,
}

/// The settings of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// `job.name`.
    pub name: Option<String>,
    /// `job.id`.
    pub id: String,
    /// The deployment id that placement messages have to name.
    pub run_id: Option<String>,
    /// Whether hosts are requested.
    pub host_affinity: bool,
    /// The number of active containers.
    pub containers: i32,
    /// The size of every container.
    pub size: Resource,
    /// The age at which a request expires.
    pub request_timeout_ms: Millis,
    /// The pause between two ticks of the allocator.
    pub allocator_sleep_ms: Millis,
    /// The retries of a container; 0: none; below 0: without limit.
    pub retries: i32,
    /// The time without failures after which the count starts again.
    pub retry_window_ms: Millis,
    /// Whether the job fails when retries are used up, instead of continuing without the container.
    pub fail_job: bool,
    /// The configured delay of the last retry on a known host. The effective one is a second longer:
    /// [`Self::effective_last_retry_delay`].
    pub last_retry_delay_ms: Millis,
    /// The period at which the main loop checks whether to end.
    pub main_loop_ms: Millis,
    /// The number of containers with the state of a task; standby is on above 1.
    pub replication: i32,
    /// Whether standby containers are placed by racks.
    pub fault_domains: bool,
    /// The queue.
    pub queue: Option<String>,
    /// The node label expression of containers.
    pub label: Option<String>,
    /// The size of the ApplicationMaster.
    pub am_size: Resource,
    /// Its heartbeat.
    pub am_heartbeat_ms: Millis,
    /// Whether containers outlive its attempts.
    pub am_ha: bool,
    /// The interval of commits.
    pub commit_ms: Millis,
    /// Whether transactional state is in fact restored, which it is not with standby or asynchronous commits.
    pub transactional_restore: bool,
    /// Whether state is kept that no checkpoint knows.
    pub retain_state: bool,
    /// Whether there are checkpoints.
    pub checkpoints: bool,
    /// `job.logged.store.base.dir`.
    pub logged_base: Option<String>,
    /// How partitions are grouped into tasks.
    pub partition_grouper: PartitionGrouper,
    /// How tasks are grouped into containers.
    pub task_grouper: TaskGrouper,
    /// Whether partitions stay with their tasks when streams grow.
    pub expansion: bool,
    /// The number of tasks for each partition.
    pub elasticity: i32,
    /// The input streams, as `system.stream`.
    pub inputs: Vec<String>,
    /// Partitions that every task gets.
    pub broadcast: Vec<Partition>,
    /// The stores, by name.
    pub stores: Vec<StoreSettings>,
    /// Whether there is state to keep.
    pub durable: bool,
}

/// The addition to the delay of the last retry, for differences between clocks.
const CLOCK_SKEW_MS: Millis = 1000;

impl Settings {
    /// Reads a configuration. Errors: the first value with which the job does not start.
    pub fn of(config: &Config) -> Result<Self, RefusedValue> {
        let (settings, refused) = Self::read(config);
        refused.into_iter().next().map_or(Ok(settings), Err)
    }

    /// Reads a configuration. Returns the settings, with defaults for refused values, and all refused values.
    pub fn read(config: &Config) -> (Self, Vec<RefusedValue>) {
        let mut r = Reader::new(config);
        let auto = r.bool(keys::AUTOSIZING);
        let sized = |r: &mut Reader<'_>, key: Key, by: Key| match by.text(config) {
            Some(_) if auto => r.number(by),
            _ => r.number(key),
        };
        let containers = sized(&mut r, keys::CONTAINERS, keys::AUTO_CONTAINERS) as i32;
        let memory = sized(&mut r, keys::MEMORY, keys::AUTO_MEMORY);
        let vcores = sized(&mut r, keys::VCORES, keys::AUTO_VCORES);
        let replication = r.number(keys::REPLICATION) as i32;
        let transactional = r.bool(keys::TRANSACTIONAL_RESTORE);
        let broadcast = r.broadcast();
        let partition_grouper = r.class(keys::PARTITION_GROUPER, PartitionGrouper::of);
        if partition_grouper == PartitionGrouper::AllToSingleTask && !broadcast.is_empty() {
            r.refuse(keys::BROADCAST.name, Rule::BroadcastWithAll);
        }
        let settings = Settings {
            name: r.text(keys::JOB_NAME),
            id: r.text(keys::JOB_ID).unwrap_or_default(),
            run_id: r.text(keys::RUN_ID),
            host_affinity: r.bool(keys::HOST_AFFINITY),
            containers,
            size: Resource::new(memory, vcores),
            request_timeout_ms: r.number(keys::REQUEST_TIMEOUT),
            allocator_sleep_ms: r.number(keys::ALLOCATOR_SLEEP),
            retries: r.number(keys::RETRIES) as i32,
            retry_window_ms: r.number(keys::RETRY_WINDOW),
            fail_job: r.bool(keys::FAIL_JOB),
            last_retry_delay_ms: r.number(keys::LAST_RETRY_DELAY),
            main_loop_ms: r.number(keys::MAIN_LOOP),
            replication,
            fault_domains: r.bool(keys::FAULT_DOMAINS),
            queue: r.text(keys::QUEUE),
            label: r.text(keys::LABEL),
            am_size: Resource::new(r.number(keys::AM_MEMORY), r.number(keys::AM_VCORES)),
            am_heartbeat_ms: r.number(keys::AM_HEARTBEAT),
            am_ha: r.bool(keys::AM_HA),
            commit_ms: r.number(keys::COMMIT),
            transactional_restore: transactional && replication <= 1 && !r.bool(keys::ASYNC_COMMIT),
            retain_state: r.bool(keys::RETAIN_STATE),
            checkpoints: r.text(keys::CHECKPOINTS).is_some_and(|c| !c.trim().is_empty()),
            logged_base: r.text(keys::LOGGED_BASE),
            partition_grouper,
            task_grouper: r.class(keys::TASK_GROUPER, |name| match name {
                "GroupByContainerCountFactory" => Some(TaskGrouper::ContainerCount),
                "GroupByContainerIdsFactory" => Some(TaskGrouper::ContainerIds),
                _ => None,
            }),
            expansion: r.bool(keys::EXPANSION),
            elasticity: r.number(keys::ELASTICITY) as i32,
            inputs: keys::INPUTS.text(config).map(list).unwrap_or_default(),
            broadcast,
            stores: stores::names(config).iter().map(|name| StoreSettings::read(name, &mut r)).collect(),
            durable: stores::durable(config),
        };
        for key in [keys::AM_LOOK_COUNT, keys::AM_LOOK_SLEEP, keys::RESTORE_THREADS, keys::RESTORE_THREADS_MOST] {
            r.number(key);
        }
        let mut refused = r.refused;
        for i in (0..refused.len()).rev() {
            if refused[..i].contains(&refused[i]) {
                refused.remove(i);
            }
        }
        (settings, refused)
    }

    /// Returns the job's directory below the base of all jobs.
    pub fn directory(&self) -> String {
        format!("{}-{}", self.name.as_deref().unwrap_or_default(), self.id)
    }

    /// Returns whether standby is on.
    pub fn standby(&self) -> bool {
        self.replication > 1
    }

    /// Returns the effective delay of the last retry on a known host.
    pub fn effective_last_retry_delay(&self) -> Millis {
        self.last_retry_delay_ms.saturating_add(CLOCK_SKEW_MS)
    }

    /// Returns the number of stores on disk.
    pub fn persistent_stores(&self) -> usize {
        self.stores.iter().filter(|s| s.factory.is_some() && s.persistent()).count()
    }
}

/// Returns the items of a list.
pub(super) fn list(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|item| !item.is_empty()).map(str::to_string).collect()
}

/// Reads values and collects the refused ones.
pub(super) struct Reader<'c> {
    pub(super) config: &'c Config,
    refused: Vec<RefusedValue>,
}

impl<'c> Reader<'c> {
    pub(super) fn new(config: &'c Config) -> Self {
        Reader { config, refused: Vec::new() }
    }

    /// Returns the first refused value.
    pub(super) fn first(self) -> Option<RefusedValue> {
        self.refused.into_iter().next()
    }

    pub(super) fn refuse(&mut self, key: &str, rule: Rule) {
        let value = self.config.get(key).cloned().unwrap_or_default();
        self.refused.push(RefusedValue { key: key.into(), value, rule });
    }

    fn text(&self, key: Key) -> Option<String> {
        key.text(self.config).or(key.default).map(str::to_string)
    }

    fn bool(&self, key: Key) -> bool {
        key.text(self.config).or(key.default).is_some_and(|v| v.eq_ignore_ascii_case("true"))
    }

    /// Returns the number of a key, or the default if it is refused.
    pub(super) fn number(&mut self, key: Key) -> i64 {
        let default = key.default.and_then(|d| d.parse().ok()).unwrap_or_default();
        let Some(name) = key.used(self.config) else { return default };
        let value = match key.kind {
            keys::Kind::Long => self.long(name),
            _ => self.parsed::<i32>(name).map(i64::from),
        };
        match (value, key.least) {
            (Some(n), Some(least)) if n < least => {
                self.refuse(name, Rule::Least(least));
                default
            }
            (Some(n), _) => n,
            (None, _) => default,
        }
    }

    /// Returns a long, if the key is set.
    pub(super) fn long(&mut self, key: &str) -> Option<i64> {
        self.parsed(key)
    }

    fn parsed<T: std::str::FromStr>(&mut self, key: &str) -> Option<T> {
        let value = self.config.get(key)?.parse().ok();
        if value.is_none() {
            self.refuse(key, Rule::Number(8 * size_of::<T>() as u32));
        }
        value
    }

    fn class<T: Default>(&mut self, key: Key, of: impl Fn(&str) -> Option<T>) -> T {
        let Some(class) = key.text(self.config) else { return T::default() };
        // The package does not matter here.
        let name = class.rsplit('.').next().unwrap_or(class);
        of(name).unwrap_or_else(|| {
            self.refuse(key.name, Rule::Class);
            T::default()
        })
    }

    fn broadcast(&mut self) -> Vec<Partition> {
        let items = keys::BROADCAST.text(self.config).map(list).unwrap_or_default();
        let mut out = Vec::new();
        for item in items {
            match inputs::broadcast(&item) {
                Some(partitions) => out.extend(partitions),
                None => self.refuse(keys::BROADCAST.name, Rule::Broadcast),
            }
        }
        out.sort();
        out.dedup();
        out
    }
}
