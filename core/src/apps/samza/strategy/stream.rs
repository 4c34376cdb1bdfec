//! The coordinator stream: a job's record of itself from run to run. It is a typed table, with one text for each row in the
//! application's [`Store`] (samza-host-affinity.md section 3).

use super::job::{Mode, Partition};
use super::placements::{Answer, Message, Status};
use crate::strategy::Store;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The kinds of rows, by the names of Samza's messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum StreamMessageKind {
    /// Processor to its last host.
    ContainerHost,
    /// Task to container.
    TaskContainer,
    /// Task to mode.
    TaskMode,
    /// Input partition to its tasks.
    TaskPartition,
    /// Task to its partition of the changelogs.
    Changelog,
    /// Processor to YARN's container (only with high availability of the ApplicationMaster).
    Environment,
    /// An unread placement message.
    Placement,
    /// The answer to a placement message.
    Answer,
}

impl StreamMessageKind {
    /// All kinds, in the order of the table.
    pub const ALL: [StreamMessageKind; 8] = [
        StreamMessageKind::ContainerHost,
        StreamMessageKind::TaskContainer,
        StreamMessageKind::TaskMode,
        StreamMessageKind::TaskPartition,
        StreamMessageKind::Changelog,
        StreamMessageKind::Environment,
        StreamMessageKind::Placement,
        StreamMessageKind::Answer,
    ];

    /// Returns Samza's name.
    pub fn name(self) -> &'static str {
        match self {
            StreamMessageKind::ContainerHost => "set-container-host-assignment",
            StreamMessageKind::TaskContainer => "set-task-container-assignment",
            StreamMessageKind::TaskMode => "set-task-mode-assignment",
            StreamMessageKind::TaskPartition => "set-task-partition-assignment",
            StreamMessageKind::Changelog => "set-changelog",
            StreamMessageKind::Environment => "set-execution-env-container-id-mapping",
            StreamMessageKind::Placement => "samza-place-container-v1.ContainerPlacementRequestMessage",
            StreamMessageKind::Answer => "samza-place-container-v1.ContainerPlacementResponseMessage",
        }
    }
}

/// A message of the coordinator stream.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CoordinatorStreamMessage {
    /// The kind.
    pub kind: StreamMessageKind,
    /// The subject.
    pub key: String,
    /// The content.
    pub value: String,
}

/// The error that Samza cannot read a row, with what its value has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable(pub &'static str);

/// The rows of a stream that are not in its store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unwritten {
    /// Unknown: stream and store have to be compared row by row.
    All,
    /// These hosts and YARN containers of processors; all other rows are in the store.
    Rows(Vec<(StreamMessageKind, String)>),
}

impl Default for Unwritten {
    fn default() -> Self {
        Unwritten::Rows(Vec::new())
    }
}

impl Unwritten {
    /// Records that a row has changed.
    pub fn add(&mut self, kind: StreamMessageKind, key: &str) {
        if let Unwritten::Rows(rows) = self {
            rows.push((kind, key.to_string()));
        }
    }
}

/// The contents of the stream.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct CoordinatorStream {
    /// Processor to its last host.
    pub hosts: BTreeMap<String, String>,
    /// Task to container.
    pub task_containers: BTreeMap<String, String>,
    /// Task to mode.
    pub task_modes: BTreeMap<String, Mode>,
    /// Input partition to the tasks that have it.
    pub partitions: BTreeMap<Partition, Vec<String>>,
    /// Task to its partition of the changelogs.
    pub changelog: BTreeMap<String, i32>,
    /// Processor to YARN's container.
    pub environments: BTreeMap<String, String>,
    /// Unread placement messages, by the order in which they are read.
    pub placements: BTreeMap<u64, Message>,
    /// The last answer to each placement message.
    pub answers: BTreeMap<u64, Answer>,
}

impl CoordinatorStream {
    /// Records the host on which a container has started.
    pub fn write_host(&mut self, processor: &str, host: &str) {
        self.hosts.insert(processor.into(), host.into());
    }

    /// Returns the last host of a processor; `None` if it is blank.
    pub fn last_host(&self, processor: &str) -> Option<&str> {
        self.hosts.get(processor).map(String::as_str).filter(|h| !h.trim().is_empty())
    }

    /// Deletes the containers and modes of tasks.
    pub fn delete_tasks<'t>(&mut self, tasks: impl IntoIterator<Item = &'t String>) {
        for task in tasks {
            self.task_containers.remove(task);
            self.task_modes.remove(task);
        }
    }

    /// Adds a placement message, and replaces an unread one with the same id.
    pub fn place(&mut self, message: Message) {
        self.withdraw(message.id);
        let last = self.placements.keys().next_back().map_or(0, |order| order + 1);
        self.placements.insert(last, message);
    }

    /// Removes an unread message.
    pub fn withdraw(&mut self, id: u64) {
        self.placements.retain(|_, m| m.id != id);
    }

    /// Returns all rows.
    pub fn rows(&self) -> Vec<CoordinatorStreamMessage> {
        let mut out = Vec::new();
        let mut add = |kind, key: String, value: String| out.push(CoordinatorStreamMessage { kind, key, value });
        self.hosts.iter().for_each(|(k, v)| add(StreamMessageKind::ContainerHost, k.clone(), v.clone()));
        self.task_containers.iter().for_each(|(k, v)| add(StreamMessageKind::TaskContainer, k.clone(), v.clone()));
        self.task_modes.iter().for_each(|(k, v)| add(StreamMessageKind::TaskMode, k.clone(), mode_name(*v).into()));
        self.partitions
            .iter()
            .for_each(|(k, v)| add(StreamMessageKind::TaskPartition, k.to_string(), v.join(SEPARATOR)));
        self.changelog.iter().for_each(|(k, v)| add(StreamMessageKind::Changelog, k.clone(), v.to_string()));
        self.environments.iter().for_each(|(k, v)| add(StreamMessageKind::Environment, k.clone(), v.clone()));
        self.placements.iter().for_each(|(k, v)| add(StreamMessageKind::Placement, format!("{k:06}"), message_text(v)));
        self.answers.iter().for_each(|(k, v)| {
            add(StreamMessageKind::Answer, k.to_string(), format!("{}{SEPARATOR}{}", v.status.name(), v.text));
        });
        out
    }

    /// Writes a row, and replaces one of the same kind and key.
    pub fn put(&mut self, row: CoordinatorStreamMessage) -> Result<(), Unreadable> {
        let CoordinatorStreamMessage { kind, key, value } = row;
        match kind {
            StreamMessageKind::ContainerHost => drop(self.hosts.insert(key, value)),
            StreamMessageKind::TaskContainer => drop(self.task_containers.insert(key, value)),
            StreamMessageKind::TaskMode => {
                let mode = [Mode::Active, Mode::Standby].into_iter().find(|m| mode_name(*m) == value);
                self.task_modes.insert(key, mode.ok_or(Unreadable("Active or Standby"))?);
            }
            StreamMessageKind::TaskPartition => {
                let partition = Partition::read(&key).ok_or(Unreadable("of a partition, system.stream#number"))?;
                self.partitions.insert(partition, value.split(SEPARATOR).map(str::to_string).collect());
            }
            StreamMessageKind::Changelog => {
                let number = value.parse().map_err(|_| Unreadable("the number of a partition"))?;
                self.changelog.insert(key, number);
            }
            StreamMessageKind::Environment => drop(self.environments.insert(key, value)),
            StreamMessageKind::Placement => {
                let order = key.parse().map_err(|_| Unreadable("of a number"))?;
                let message = message(&value).ok_or(Unreadable("id, deployment, processor, destination and expiry"))?;
                self.placements.insert(order, message);
            }
            StreamMessageKind::Answer => {
                let id = key.parse().map_err(|_| Unreadable("of a message's id"))?;
                let (status, text) = value.split_once(SEPARATOR).ok_or(Unreadable("status and text"))?;
                let status = Status::of(status).ok_or(Unreadable("status and text"))?;
                self.answers.insert(id, Answer { status, text: text.into() });
            }
        }
        Ok(())
    }

    /// Deletes a row. Returns whether it existed.
    pub fn delete(&mut self, kind: StreamMessageKind, key: &str) -> bool {
        let number = key.parse::<u64>().ok();
        match kind {
            StreamMessageKind::ContainerHost => self.hosts.remove(key).is_some(),
            StreamMessageKind::TaskContainer => self.task_containers.remove(key).is_some(),
            StreamMessageKind::TaskMode => self.task_modes.remove(key).is_some(),
            StreamMessageKind::TaskPartition => {
                Partition::read(key).is_some_and(|p| self.partitions.remove(&p).is_some())
            }
            StreamMessageKind::Changelog => self.changelog.remove(key).is_some(),
            StreamMessageKind::Environment => self.environments.remove(key).is_some(),
            StreamMessageKind::Placement => number.is_some_and(|n| self.placements.remove(&n).is_some()),
            StreamMessageKind::Answer => number.is_some_and(|n| self.answers.remove(&n).is_some()),
        }
    }

    /// Reads the stream from an application's store. Rows that cannot be read are skipped.
    pub fn read(store: &Store) -> Self {
        let mut stream = CoordinatorStream::default();
        for (name, value) in store.iter() {
            let Some((kind, key)) = name.split_once('/') else { continue };
            let Some(kind) = StreamMessageKind::ALL.into_iter().find(|k| k.name() == kind) else { continue };
            let _ = stream.put(CoordinatorStreamMessage { kind, key: key.into(), value: value.into() });
        }
        stream
    }

    /// Writes the missing rows to a store that has all others.
    pub fn write_only(&self, unwritten: &Unwritten, store: &mut Store) {
        let rows = match unwritten {
            Unwritten::All => return self.write(store),
            Unwritten::Rows(rows) => rows,
        };
        for (kind, key) in rows {
            let value = match kind {
                StreamMessageKind::ContainerHost => self.hosts.get(key),
                StreamMessageKind::Environment => self.environments.get(key),
                StreamMessageKind::TaskContainer
                | StreamMessageKind::TaskMode
                | StreamMessageKind::TaskPartition
                | StreamMessageKind::Changelog
                | StreamMessageKind::Placement
                | StreamMessageKind::Answer => return self.write(store),
            };
            let name = format!("{}/{key}", kind.name());
            match value {
                Some(value) => store.put(name, value.clone()),
                None => drop(store.remove(&name)),
            }
        }
    }

    /// Writes the stream: afterwards the store has these rows and no others of the stream.
    pub fn write(&self, store: &mut Store) {
        let name = |row: &CoordinatorStreamMessage| format!("{}/{}", row.kind.name(), row.key);
        let rows: BTreeMap<String, String> = self.rows().into_iter().map(|row| (name(&row), row.value)).collect();
        let ours =
            |key: &str| key.split_once('/').is_some_and(|(k, _)| StreamMessageKind::ALL.iter().any(|r| r.name() == k));
        let gone: Vec<String> =
            store.iter().map(|(k, _)| k).filter(|k| ours(k) && !rows.contains_key(*k)).map(str::to_string).collect();
        for key in gone {
            store.remove(&key);
        }
        for (key, value) in rows {
            if store.get(&key) != Some(&value) {
                store.put(key, value);
            }
        }
    }
}

/// The separator between the parts of a value.
const SEPARATOR: &str = "\t";

fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Active => "Active",
        Mode::Standby => "Standby",
    }
}

fn message_text(m: &Message) -> String {
    let expiry = m.expiry_ms.map(|ms| ms.to_string()).unwrap_or_default();
    [&m.id.to_string(), &m.run, &m.processor, &m.to, &expiry].map(String::as_str).join(SEPARATOR)
}

fn message(text: &str) -> Option<Message> {
    let mut parts = text.split(SEPARATOR).map(str::to_string);
    let mut next = || parts.next();
    let (id, run, processor, to, expiry) = (next()?, next()?, next()?, next()?, next()?);
    let expiry_ms = if expiry.is_empty() { None } else { Some(expiry.parse().ok()?) };
    Some(Message { id: id.parse().ok()?, run, processor, to, expiry_ms })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full() -> CoordinatorStream {
        let mut s = CoordinatorStream::default();
        s.write_host("0", "n1");
        s.write_host("0-0", "n2");
        s.task_containers.insert("Partition 0".into(), "0".into());
        s.task_modes.insert("Partition 0".into(), Mode::Active);
        s.task_modes.insert("Standby-Partition 0-0".into(), Mode::Standby);
        s.partitions.insert(Partition::new("kafka.a", 3), vec!["Partition 3".into(), "Partition 4".into()]);
        s.changelog.insert("Partition 0".into(), 7);
        s.environments.insert("0".into(), "container_1".into());
        s.place(Message { id: 9, run: "r".into(), processor: "0".into(), to: "n3".into(), expiry_ms: Some(500) });
        s.answers.insert(4, Answer { status: Status::BadRequest, text: "no".into() });
        s
    }

    #[test]
    fn a_store_gives_back_what_was_kept() {
        let (mut store, mut s) = (Store::default(), full());
        store.put("else", "stays");
        s.write(&mut store);
        assert_eq!(CoordinatorStream::read(&store), s);
        assert!(s.delete(StreamMessageKind::ContainerHost, "0") && !s.delete(StreamMessageKind::ContainerHost, "0"));
        s.write(&mut store);
        assert_eq!(CoordinatorStream::read(&store), s);
        assert_eq!((store.get("else"), store.get("set-container-host-assignment/0-0")), (Some("stays"), Some("n2")));
    }

    #[test]
    fn every_row_can_be_put_and_deleted() {
        let s = full();
        let (mut copy, rows) = (CoordinatorStream::default(), s.rows());
        for kind in StreamMessageKind::ALL {
            assert!(rows.iter().any(|r| r.kind == kind), "{kind:?}");
        }
        rows.iter().for_each(|r| copy.put(r.clone()).expect("a row of its own"));
        assert_eq!(copy, s);
        assert!(rows.iter().all(|r| copy.delete(r.kind, &r.key)));
        assert_eq!(copy, CoordinatorStream::default());
        let mut wrong = |kind, key: &str, value: &str| {
            copy.put(CoordinatorStreamMessage { kind, key: key.into(), value: value.into() })
        };
        assert!(wrong(StreamMessageKind::TaskMode, "t", "active").is_err());
        assert!(wrong(StreamMessageKind::Changelog, "t", "one").is_err());
        assert!(wrong(StreamMessageKind::TaskPartition, "kafka.a", "t").is_err());
        assert!(wrong(StreamMessageKind::Placement, "0", "1\tr\t0\tn1").is_err());
        assert_eq!(copy, CoordinatorStream::default());
    }

    #[test]
    fn a_message_of_the_same_id_takes_the_place_of_an_unread_one() {
        let mut s = full();
        s.place(Message { id: 8, run: "r".into(), processor: "1".into(), to: "n3".into(), expiry_ms: None });
        s.place(Message { id: 9, run: "r".into(), processor: "0".into(), to: "n4".into(), expiry_ms: None });
        assert_eq!(s.placements.values().map(|m| (m.id, m.to.as_str())).collect::<Vec<_>>(), [(8, "n3"), (9, "n4")]);
    }
}
