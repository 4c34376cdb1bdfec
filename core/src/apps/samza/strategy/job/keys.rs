//! The properties that matter for placement and state, with their old names, types and defaults (samza-host-affinity.md 2.2 and
//! 2.3).

use super::Config;

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `true` in any case is true; everything else is false.
    Bool,
    /// A whole number of 32 bits.
    Int,
    /// A whole number of 64 bits.
    Long,
    /// Any text.
    Text,
}

/// A property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// Its old name, read if the new one is missing.
    pub old: Option<&'static str>,
    /// The type of its value.
    pub kind: Kind,
    /// The default.
    pub default: Option<&'static str>,
    /// The lowest number that is accepted.
    pub least: Option<i64>,
}

impl Key {
    /// Returns its value; the new name takes precedence.
    pub fn text<'c>(&self, config: &'c Config) -> Option<&'c str> {
        self.used(config).and_then(|name| config.get(name)).map(String::as_str)
    }

    /// Returns the name that is read: the old one only if the new one is missing.
    pub fn used(&self, config: &Config) -> Option<&'static str> {
        std::iter::once(self.name).chain(self.old).find(|name| config.contains_key(*name))
    }
}

const fn key(name: &'static str, kind: Kind, default: &'static str) -> Key {
    Key { name, old: None, kind, default: Some(default), least: None }
}

const fn none(name: &'static str, kind: Kind) -> Key {
    Key { name, old: None, kind, default: None, least: None }
}

const fn old(key: Key, old: &'static str) -> Key {
    Key { old: Some(old), ..key }
}

const fn at_least(key: Key, least: i64) -> Key {
    Key { least: Some(least), ..key }
}

macro_rules! keys {
    ($($constant:ident = $key:expr;)*) => {
        $(#[doc = concat!("`", stringify!($key), "`")] pub const $constant: Key = $key;)*
        /// All of them, except those of stores, which are in [`super::stores`].
        pub const ALL: &[Key] = &[$($constant),*];
    };
}

keys! {
    HOST_AFFINITY = old(key("job.host-affinity.enabled", Kind::Bool, "false"), "yarn.samza.host-affinity.enabled");
    CONTAINERS = at_least(old(key("job.container.count", Kind::Int, "1"), "yarn.container.count"), 1);
    AUTOSIZING = key("job.autosizing.enabled", Kind::Bool, "false");
    AUTO_CONTAINERS = at_least(none("job.autosizing.container.count", Kind::Int), 1);
    AUTO_MEMORY = none("job.autosizing.container.memory.mb", Kind::Int);
    AUTO_VCORES = none("job.autosizing.container.cpu.cores", Kind::Int);
    MEMORY = old(key("cluster-manager.container.memory.mb", Kind::Int, "1024"), "yarn.container.memory.mb");
    VCORES = old(key("cluster-manager.container.cpu.cores", Kind::Int, "1"), "yarn.container.cpu.cores");
    REQUEST_TIMEOUT = at_least(old(key("cluster-manager.container.request.timeout.ms", Kind::Int, "5000"),
        "yarn.container.request.timeout.ms"), 0);
    ALLOCATOR_SLEEP = old(key("cluster-manager.allocator.sleep.ms", Kind::Int, "3600"), "yarn.allocator.sleep.ms");
    RETRIES = old(key("cluster-manager.container.retry.count", Kind::Int, "8"), "yarn.container.retry.count");
    RETRY_WINDOW = old(key("cluster-manager.container.retry.window.ms", Kind::Int, "300000"),
        "yarn.container.retry.window.ms");
    FAIL_JOB = key("cluster-manager.container.fail.job.after.retries", Kind::Bool, "true");
    LAST_RETRY_DELAY = key("cluster-manager.container.preferred-host.last.retry.delay.ms", Kind::Long, "360000");
    MAIN_LOOP = key("cluster-manager.jobcoordinator.sleep.interval.ms", Kind::Int, "1000");
    REPLICATION = key("job.standbytasks.replication.factor", Kind::Int, "1");
    FAULT_DOMAINS = key("cluster-manager.fault-domain-aware.standby.enabled", Kind::Bool, "false");
    QUEUE = none("yarn.queue", Kind::Text);
    LABEL = none("yarn.container.label", Kind::Text);
    AM_MEMORY = key("yarn.am.container.memory.mb", Kind::Int, "1024");
    AM_VCORES = key("yarn.am.container.cpu.cores", Kind::Int, "1");
    AM_LABEL = none("yarn.am.container.label", Kind::Text);
    AM_HEARTBEAT = at_least(key("yarn.am.poll.interval.ms", Kind::Int, "1000"), 1);
    AM_HA = key("yarn.am.high-availability.enabled", Kind::Bool, "false");
    AM_LOOK_COUNT = key("yarn.container.heartbeat.retry.count", Kind::Long, "5");
    AM_LOOK_SLEEP = key("yarn.container.heartbeat.retry-sleep-duration.ms", Kind::Long, "10000");
    JOB_NAME = none("job.name", Kind::Text);
    JOB_ID = key("job.id", Kind::Text, "1");
    RUN_ID = none("app.run.id", Kind::Text);
    LOGGED_BASE = none("job.logged.store.base.dir", Kind::Text);
    NON_LOGGED_BASE = none("job.non-logged.store.base.dir", Kind::Text);
    COMMIT = key("task.commit.ms", Kind::Long, "60000");
    ASYNC_COMMIT = key("task.async.commit", Kind::Bool, "false");
    TRANSACTIONAL_CHECKPOINT = key("task.transactional.state.checkpoint.enabled", Kind::Bool, "true");
    TRANSACTIONAL_RESTORE = key("task.transactional.state.restore.enabled", Kind::Bool, "true");
    RETAIN_STATE = key("task.transactional.state.retain.existing.state", Kind::Bool, "true");
    CHECKPOINTS = none("task.checkpoint.factory", Kind::Text);
    RESTORE_THREADS = key("job.container.restore.thread.pool.size", Kind::Int, "2");
    RESTORE_THREADS_MOST = key("job.container.restore.thread.pool.max.size", Kind::Int, "64");
    TASK_GROUPER = key("task.name.grouper.factory", Kind::Text,
        "org.apache.samza.container.grouper.task.GroupByContainerCountFactory");
    PARTITION_GROUPER = key("job.systemstreampartition.grouper.factory", Kind::Text,
        "org.apache.samza.container.grouper.stream.GroupByPartitionFactory");
    EXPANSION = key("job.systemstreampartition.input.expansion.enabled", Kind::Bool, "true");
    ELASTICITY = at_least(key("job.elasticity.factor", Kind::Int, "1"), 1);
    INPUTS = none("task.inputs", Kind::Text);
    BROADCAST = none("task.broadcast.inputs", Kind::Text);
    CHANGELOG_SYSTEM = none("job.changelog.system", Kind::Text);
    DEFAULT_SYSTEM = none("job.default.system", Kind::Text);
    DEFAULT_COMPACTION_LAG = key("stores.default.changelog.min.compaction.lag.ms", Kind::Long, "14400000");
}
