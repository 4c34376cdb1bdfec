//! Reads jobs of Apache Samza: job.properties with its problems, streams, stores; and the settings that all jobs share.

use super::file as job_file;
use crate::api::{ClientRefusal, Submitted};
use crate::apps::samza::scenario::{
    BANDWIDTH, Before, HostFails, RESTORE_CAP, SamzaApp, SamzaChange, SamzaCluster, SamzaHappening, SamzaMessage,
    StreamRow,
};
use crate::apps::samza::strategy::RequestMode;
use crate::apps::samza::strategy::job::{Settings, keys};
use crate::apps::samza::strategy::state::Volume;
use crate::apps::samza::strategy::stream::{CoordinatorStream, CoordinatorStreamMessage, StreamMessageKind};
use crate::apps::scenario::read::{ClientSubmits, EntrySoFar, ReadKind};
use crate::apps::scenario::{AppKind, KindAct};
use crate::model::{Millis, limits};
use crate::scenario::happening::Act;
use crate::scenario::read::constraints::add_inside;
use crate::scenario::read::fields::{Fields, Reader};
use crate::scenario::read::happenings::name;
use crate::scenario::read::settings::value_text;
use crate::scenario::units;
use crate::strategy::Work;
use std::collections::BTreeMap;

const PROPERTIES: &str = "job.properties";
/// The largest number of partitions of one stream.
const PARTITIONS: i64 = 100_000;

/// job.properties of an entry of `kind = "samza"`; it is read first, since the rest depends on it.
pub struct WrittenJob {
    text: String,
    span: crate::model::Span,
    offset: Option<usize>,
    settings: Settings,
    /// The submission of its client.
    submitted: Result<Submitted, ClientRefusal>,
    /// Whether the file gives the size of the ApplicationMaster.
    sized: bool,
}

impl ReadKind for WrittenJob {
    fn am_heartbeat(&self) -> Option<Millis> {
        Some(self.settings.am_heartbeat_ms)
    }

    fn takes_up_containers(&self) -> bool {
        self.settings.am_ha
    }

    fn read(&mut self, r: &mut Reader<'_>, f: &mut Fields<'_>, entry: EntrySoFar) -> (AppKind, Option<ClientSubmits>) {
        let size = self.sized || entry.am_size_at.is_none();
        (samza(r, f, self).into(), Some(ClientSubmits { submitted: self.submitted.clone(), size }))
    }
}

/// Reads job.properties.
pub fn properties(r: &mut Reader<'_>, f: &mut Fields<'_>) -> WrittenJob {
    let Some((text, span)) = f.text_at(r, PROPERTIES) else {
        r.error(f.span, "A Samza job needs `job.properties`.", "Add the text of its file.");
        let settings = Settings::read(&BTreeMap::new()).0;
        let submitted = Ok(Submitted::default());
        return WrittenJob { text: String::new(), span: f.span, offset: None, settings, submitted, sized: false };
    };
    let (properties, _, problems, submitted) = job_file::read(&text);
    let (offset, whole) = (r.content_offset(span, &text), r.content_span(span, &text));
    problems.into_iter().for_each(|p| add_inside(r, p, whole, offset));
    let config = properties.config();
    let settings = Settings::read(&config).0;
    let sized = [keys::AM_MEMORY, keys::AM_VCORES].iter().any(|key| config.contains_key(key.name));
    WrittenJob { text, span: whole, offset, settings, submitted, sized }
}

/// Reads the rest of the entry.
fn samza(r: &mut Reader<'_>, f: &mut Fields<'_>, written: &WrittenJob) -> SamzaApp {
    let mode = match f.text_at(r, "requests") {
        None => RequestMode::Strict,
        Some((text, span)) => match text.as_str() {
            "strict" => RequestMode::Strict,
            "relaxed" => RequestMode::Relaxed,
            _ => {
                r.error(span, format!("`{text}` is no way of asking for hosts."), "Write strict or relaxed.");
                RequestMode::Strict
            }
        },
    };
    let streams = streams(r, f);
    let settings = &written.settings;
    for input in settings.inputs.iter().filter(|input| !streams.contains_key(*input)) {
        let mend = format!("Add streams = {{ \"{input}\" = 8 }}.");
        r.error(written.span, format!("How many partitions `{input}` has is not said."), mend);
    }
    let duration = f.time_or_forever(r, "duration");
    let exit_code = f.int32(r, "exit_code").unwrap_or(0);
    let mut work = BTreeMap::from([(String::new(), Work { run_ms: duration.flatten(), exit_code })]);
    for mut c in f.tables(r, "processors", "a processor") {
        let run_ms = c.time_or_forever(r, "duration").flatten();
        let exit_code = c.int32(r, "exit_code").unwrap_or(0);
        if let Some((name, _)) = c.required_name(r, "id") {
            work.insert(name, Work { run_ms, exit_code });
        }
        c.finish(r);
    }
    let restore_cap = match f.item("restore_cap") {
        None => Some(RESTORE_CAP),
        Some((item, _)) if item.as_str() == Some("none") => None,
        Some(_) => bytes(r, f, "restore_cap"),
    };
    let failures = failures(r, f);
    let before = before(r, f);
    let racks = texts_by_name(r, f, "racks_seen");
    SamzaApp {
        stores: stores(r, f, written),
        properties: written.text.clone(),
        span: written.span,
        offset: written.offset,
        streams,
        mode,
        restore_cap,
        work,
        failures,
        before,
        racks,
    }
}

fn streams(r: &mut Reader<'_>, f: &mut Fields<'_>) -> BTreeMap<String, u32> {
    let mut out = BTreeMap::new();
    for (name, item, at) in f.table(r, "streams", "`streams`").into_iter().flat_map(|mut t| t.entries()) {
        match item.as_integer().filter(|n| (0..=PARTITIONS).contains(n)).and_then(|n| u32::try_from(n).ok()) {
            Some(count) => _ = out.insert(name.to_string(), count),
            None => r.error(at, format!("`{name}` has no number of partitions."), format!("Write 0 to {PARTITIONS}.")),
        }
    }
    out
}

/// Reads an amount of bytes, or of bytes per second: a text such as "20 GB".
fn bytes(r: &mut Reader<'_>, f: &mut Fields<'_>, key: &'static str) -> Option<u64> {
    let (item, span) = f.item(key)?;
    let text = item.as_str().map(|t| t.trim().trim_end_matches("/s").to_string());
    let text = text.or_else(|| item.as_integer().map(|n| n.to_string()));
    let read = text.as_deref().and_then(amount);
    if read.is_none() {
        r.error(span, format!("`{key}` is no amount."), "Write for example \"20 GB\", \"512 KB\" or \"100 MB\".");
    }
    read
}

/// Parses "512 KB", "20 GB", "1.5 TB", "100 B"; a bare number is in MB.
fn amount(text: &str) -> Option<u64> {
    let text = text.trim();
    for (unit, size) in [("KB", 1u64 << 10), ("kB", 1 << 10), (" B", 1)] {
        if let Some(number) = text.strip_suffix(unit) {
            let n: f64 = number.trim().parse().ok().filter(|n: &f64| *n >= 0.0 && *n < 1e12)?;
            return Some((n * size as f64) as u64);
        }
    }
    units::parse_memory(text).ok().and_then(|mb| u64::try_from(mb).ok()).map(|mb| mb << 20)
}

fn stores(r: &mut Reader<'_>, f: &mut Fields<'_>, written: &WrittenJob) -> BTreeMap<String, Volume> {
    let mut out = BTreeMap::new();
    let known: Vec<&str> = written.settings.stores.iter().map(|s| s.name.as_str()).collect();
    for mut s in f.tables(r, "stores", "a store") {
        let size = bytes(r, &mut s, "size").unwrap_or(0);
        let rate = bytes(r, &mut s, "rate").unwrap_or(0);
        let overhead = s.integer(r, "overhead_percent", 100..=100_000).unwrap_or(100).unsigned_abs() * 10;
        if let Some((name, span)) = s.required_name(r, "name") {
            if !known.contains(&name.as_str()) {
                let near = r.nearest(&name, known.iter().copied());
                let mend =
                    near.map_or(format!("Define stores.{name}.factory there."), |n| format!("Did you mean `{n}`?"));
                r.error(span, format!("job.properties has no store `{name}`."), mend);
            }
            out.insert(name, Volume { size, rate, overhead });
        }
        s.finish(r);
    }
    out
}

fn failures(r: &mut Reader<'_>, f: &mut Fields<'_>) -> Vec<HostFails> {
    let mut out = Vec::new();
    for mut h in f.tables(r, "fails_on", "a host where containers fail") {
        let after = h.time(r, "after").unwrap_or(0);
        let exit_code = h.int32(r, "exit_code").unwrap_or(1);
        let from = h.time(r, "from").unwrap_or(0);
        let to = h.time(r, "to");
        if let Some((host, _)) = h.required_name(r, "node") {
            out.push(HostFails { host, after, exit_code, from, to });
        }
        h.finish(r);
    }
    out
}

fn texts_by_name(r: &mut Reader<'_>, f: &mut Fields<'_>, key: &'static str) -> BTreeMap<String, String> {
    let mut out = BTreeMap::new();
    for (name, item, at) in f.table(r, key, "a table of names").into_iter().flat_map(|mut t| t.entries()) {
        match item.as_str() {
            Some(text) => _ = out.insert(name.to_string(), text.to_string()),
            None => r.error(at, format!("`{name}` has no text."), "Write a name."),
        }
    }
    out
}

fn before(r: &mut Reader<'_>, f: &mut Fields<'_>) -> Before {
    let Some(mut t) = f.table(r, "before", "`before`") else { return Before::default() };
    let hosts = texts_by_name(r, &mut t, "hosts");
    let stopped = t.time(r, "stopped").unwrap_or(0);
    t.finish(r);
    Before { hosts, stopped }
}

/// Reads `[samza]`: the settings that all jobs share.
pub fn cluster(r: &mut Reader<'_>, root: &mut Fields<'_>) -> SamzaCluster {
    let mut out = SamzaCluster::default();
    let Some(mut t) = root.table(r, "samza", "`samza`") else { return out };
    if let Some(base) = t.text(r, "logged_store_base_dir") {
        out.base = Some(base).filter(|b| !b.trim().is_empty());
    }
    for (name, item, at) in t.table(r, "changelogs", "`changelogs`").into_iter().flat_map(|mut t| t.entries()) {
        match item.as_str().map(|t| t.trim_end_matches("/s")).and_then(amount) {
            Some(rate) => _ = out.changelogs.insert(name.to_string(), rate),
            None => {
                let mend = format!("Write bytes per second, such as \"{} MB\".", BANDWIDTH >> 20);
                r.error(at, format!("`{name}` has no bandwidth."), mend);
            }
        }
    }
    out.clean_up = t.time(r, "clean_up");
    out.offset_ttl = t.time(r, "offset_ttl").unwrap_or(out.offset_ttl);
    if let Some(at) = t.key_span("clean_up").filter(|_| !root.has("until")) {
        r.error(at, "Rounds of the clean-up have no end of their own.", "Add `until`, such as until = \"10 min\".");
    }
    t.finish(r);
    out
}

/// Reads the changes that `restart_app` makes to a Samza job.
pub fn change(r: &mut Reader<'_>, f: &mut Fields<'_>) -> SamzaChange {
    let mut set = Vec::new();
    for (key, item, at) in f.table(r, "set", "`set`").into_iter().flat_map(|mut t| t.entries()) {
        match item.as_value().and_then(value_text) {
            Some(value) => set.push((key.to_string(), Some(value))),
            None => r.error(at, format!("`{key}` has no value."), "Write a text, a number or true or false."),
        }
    }
    set.extend(f.texts(r, "unset").into_iter().map(|key| (key, None)));
    SamzaChange { set, streams: streams(r, f) }
}

/// Reads an event that only Samza jobs know. `None`: it is another event; `Some(None)`: an error was reported.
pub fn happening(r: &mut Reader<'_>, f: &mut Fields<'_>, verb: &str) -> Option<Option<Act>> {
    let read = match verb {
        "place_processor" => place_processor,
        "finish_processor" => finish_processor,
        "write_stream" => write_stream,
        "clear_disks" => clear_disks,
        _ => return None,
    };
    Some(read(r, f).map(|happening| Act::OfKind(KindAct::Samza(happening))))
}

fn place_processor(r: &mut Reader<'_>, f: &mut Fields<'_>) -> Option<SamzaHappening> {
    let message = message(r, f);
    Some(SamzaHappening::PlaceProcessor { app: name(r, f, "app")?, message: message? })
}

fn finish_processor(r: &mut Reader<'_>, f: &mut Fields<'_>) -> Option<SamzaHappening> {
    let exit_code = f.int32(r, "exit_code").unwrap_or(0);
    let processor = name(r, f, "processor");
    Some(SamzaHappening::FinishProcessor { app: name(r, f, "app")?, processor: processor?, exit_code })
}

fn write_stream(r: &mut Reader<'_>, f: &mut Fields<'_>) -> Option<SamzaHappening> {
    let rows = rows(r, f);
    Some(SamzaHappening::WriteStream { app: name(r, f, "app")?, rows })
}

fn clear_disks(r: &mut Reader<'_>, f: &mut Fields<'_>) -> Option<SamzaHappening> {
    Some(SamzaHappening::ClearDisks(name(r, f, "node")?))
}

/// Reads a placement message.
fn message(r: &mut Reader<'_>, f: &mut Fields<'_>) -> Option<SamzaMessage> {
    let expiry = f.time(r, "expiry");
    let run = f.text(r, "run");
    let processor = f.required_name(r, "processor");
    let to = f.required_name(r, "to");
    Some(SamzaMessage { processor: processor?.0, to: to?.0, expiry, run })
}

/// Reads rows to be written to the coordinator stream; a row without a value is deleted.
fn rows(r: &mut Reader<'_>, f: &mut Fields<'_>) -> Vec<StreamRow> {
    let mut out = Vec::new();
    for mut row in f.tables(r, "rows", "a row").into_iter().take(limits::CONTAINERS_ALIVE) {
        let value = row.text(r, "value");
        let key = row.text(r, "key").unwrap_or_default();
        if let Some((name, span)) = row.required_name(r, "kind") {
            match StreamMessageKind::ALL.into_iter().find(|k| k.name() == name) {
                Some(kind) => {
                    let written = value.clone().map(|value| CoordinatorStreamMessage { kind, key: key.clone(), value });
                    if let Some(Err(e)) = written.map(|row| CoordinatorStream::default().put(row)) {
                        r.error(span, format!("Samza cannot read this row: it has to say {}.", e.0), "Change it.");
                    }
                    out.push((kind, key, value));
                }
                None => {
                    let known = StreamMessageKind::ALL.map(StreamMessageKind::name);
                    let mend = r
                        .nearest(&name, known)
                        .map_or(format!("Known are {}.", known.join(", ")), |near| format!("Did you mean `{near}`?"));
                    r.error(span, format!("`{name}` is no kind of row."), mend);
                }
            }
        }
        row.finish(r);
    }
    out
}
