//! Every limit of the product, in one place. Exceeding one is reported as a [`crate::model::Problem`].

pub use heddle_view::limits::{FOLDERS, IMPORT_TEXTS, PROBLEMS, TEXT_BYTES};

/// Nodes of a cluster.
pub const NODES: usize = 20_000;
/// Bytes of a text that are searched for a pasted line.
pub const PASTED_BYTES: usize = 64 << 10;
/// Lines of a log, from its end, that are searched for one that a pattern knows.
pub const LOG_LINES: usize = 50_000;
/// Rows of a pasted table that become part of a scenario.
pub const IMPORTED_ROWS: usize = 500;
/// Queues of a scheduler.
pub const QUEUES: usize = 5_000;
/// Depth of the queue tree, root included.
pub const QUEUE_DEPTH: usize = 20;
/// Applications of a scenario.
pub const APPLICATIONS: usize = 20_000;
/// Containers alive at one time.
pub const CONTAINERS_ALIVE: usize = 2_000_000;
/// Containers that ApplicationMasters request one by one, with a record of each (Slider, YARN services, Samza, specs of
/// the distributed shell), over all applications.
pub const INSTANCES: u64 = 250_000;
/// Events of one run; a run that is cut off reports it.
pub const EVENTS: u64 = 100_000_000;
/// Bytes that a run and its record may take, by the player's estimate (the same on every machine); a run that is cut
/// off reports it.
pub const RUN_BYTES: usize = 768 << 20;
/// Depth of an XML document.
pub const XML_DEPTH: usize = 64;
pub const PLACEMENT_SPEC_BYTES: usize = 64 << 10;
/// Nesting of a PlacementSpec.
pub const PLACEMENT_SPEC_DEPTH: usize = 64;
/// Bytes of a link before decompression.
pub const LINK_BYTES: usize = 64 << 10;
/// Bytes of a link's scenario after decompression.
pub const LINK_BYTES_UNPACKED: usize = 16 << 20;
/// Partitions (node labels), the default one included.
pub const PARTITIONS: usize = 1_000;
/// Resource types, memory and vcores included.
pub const RESOURCE_TYPES: usize = 8;
/// Properties that are checked in the refreshes of one scenario.
pub const SETTINGS_CHECKED: usize = 200_000;
/// Bytes of texts of other worlds that are checked while the user types; the rest is checked when they are compared.
pub const WORLDS_CHECKED_BYTES: usize = 1 << 20;
/// Worlds that a scenario is compared with.
pub const WORLDS: usize = 12;
/// Bytes of all texts that are imported at once, unpacked.
pub const IMPORT_BYTES: usize = 256 << 20;
