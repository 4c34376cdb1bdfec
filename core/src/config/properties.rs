//! Every property that Heddle knows, described once: name, kind, default, unit, help, and whether it is modelled. The
//! table drives the reading of forms, checks, help and counts. (capacity-scheduler.md 2.1, 2.2; formats.md 4.)

mod capacity_table;
mod key;
mod site_table;

pub use key::{Inherited, Key, Value};

use super::values::{parse_boolean, parse_float, parse_int, parse_long, trim};
use crate::api::SchedulerChoice;
use crate::config::resource_text::parse_pairs;
use crate::model::nearest::distance;

/// The consequence of an invalid value that is read when the ResourceManager starts.
pub(super) const NO_START: &str = ": the ResourceManager does not start with it.";

/// The file in which a property belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum File {
    /// capacity-scheduler.xml, a property of the whole scheduler.
    Scheduler,
    /// capacity-scheduler.xml, a property of one queue: the name is the part after the queue's path.
    Queue,
    /// yarn-site.xml (also resource-types.xml, core-site.xml, mapred-site.xml).
    Site,
}

/// How a value is parsed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PropertyType {
    /// `true` or `false`; anything else is the default, silently.
    Bool,
    /// A whole number of 32 bits, with its range.
    Int(i32, i32),
    /// A whole number of 64 bits.
    Long,
    /// A 32-bit float, with its range.
    Float(f32, f32),
    /// A queue's capacity: percent, weight, absolute resources.
    Capacity,
    /// A queue's maximum capacity: percent or absolute resources.
    Maximum,
    /// A list, separated by commas.
    List,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A class, one of these.
    Class(&'static [&'static str]),
    /// Users and groups: `user,user group,group`, `*`, or one blank for nobody.
    Acl,
    /// `memory-mb=4096,vcores=2`.
    Amounts,
    Text,
    /// Milliseconds, or a number with `ms s m h d`.
    Duration,
}

/// Whether a decision of Heddle's depends on a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// A decision does, or it is at least checked where YARN checks it.
    Modelled,
    /// None does: it is kept and written back.
    Kept,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Property {
    pub file: File,
    /// Its name, without the prefix of its file and queue; `<l>` stands for a label, `<u>` for a user, `<n>` for a
    /// name of another kind, `<k>` for a key of a leaf.
    pub name: &'static str,
    /// The kind by which its value is parsed.
    pub kind: PropertyType,
    /// Its default as text; empty if there is none.
    pub default: &'static str,
    /// Its unit; empty if the kind says enough.
    pub unit: &'static str,
    /// Its effect, in one sentence.
    pub help: &'static str,
    /// Modelled, or kept.
    pub support: Support,
    /// The release that brought it, when after 2.7: the first line whose latest release has it.
    pub since: &'static str,
}

impl Property {
    /// A word for the `<…>` of its name, for a form; `None` if the name has none.
    pub fn named_by(&self) -> Option<&'static str> {
        let (_, rest) = self.name.split_once('<')?;
        Some(match rest.split_once('>')?.0 {
            "l" => "label",
            "u" => "user",
            "n" => "policy",
            "k" => "property",
            _ => "resource",
        })
    }

    /// Its name with this in place of its `<…>`.
    pub fn named(&self, variable: &str) -> String {
        let Some((before, rest)) = self.name.split_once('<') else { return self.name.to_string() };
        format!("{before}{variable}{}", rest.split_once('>').map_or("", |(_, after)| after))
    }

    /// Its possible values, if they can be listed.
    pub fn choices(&self) -> &'static [&'static str] {
        match self.kind {
            PropertyType::Bool => &["true", "false"],
            PropertyType::Choice(words) | PropertyType::Class(words) => words,
            _ => &[],
        }
    }

    /// Returns whether a single blank is a meaningful value (nobody, no label).
    pub fn takes_blank(&self) -> bool {
        matches!(self.kind, PropertyType::Acl) || self.name == "accessible-node-labels"
    }
}

/// Prefix of the scheduler's keys.
pub const PREFIX: &str = super::capacity::PREFIX;

/// All descriptions, file by file.
pub fn all() -> impl Iterator<Item = &'static Property> {
    capacity_table::SCHEDULER.iter().chain(capacity_table::QUEUE).chain(site_table::SITE)
}

/// The descriptions of a file whose names have a `<…>` (`named`), or have none.
pub fn table(file: File, named: bool) -> Vec<&'static Property> {
    all().filter(|p| p.file == file && p.named_by().is_some() == named).collect()
}

/// A parsed key.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedKey {
    pub property: &'static Property,
    /// The queue's path, for a property of a queue.
    pub queue: Option<String>,
    /// The part in place of the name's `<…>`.
    pub variable: Option<String>,
}

impl ParsedKey {
    /// The property that describes its value: for a template, the property that queues created from it take; `None` if
    /// there is none with that name.
    pub fn meaning(&self) -> Option<&'static Property> {
        match &self.variable {
            Some(name) if self.property.named_by() == Some("property") => of_queue(name)?.meaning(),
            _ => Some(self.property),
        }
    }
}

/// A queue's property by its name, without the path.
pub fn of_queue(name: &str) -> Option<ParsedKey> {
    lookup(capacity_table::QUEUE, name).map(|(property, variable)| ParsedKey { property, queue: None, variable })
}

/// Returns the property that takes this class, alone or among others.
pub fn with_class(class: &str) -> Option<String> {
    let takes = |p: &&Property| match p.kind {
        PropertyType::Class(known) => known.contains(&class),
        _ => class.contains('.') && p.default == class,
    };
    let site = site_table::SITE.iter().find(takes).map(|p| p.name.to_string());
    site.or_else(|| capacity_table::SCHEDULER.iter().find(takes).map(|p| format!("{PREFIX}{}", p.name)))
}

/// Prefixes of names that only one scheduler reads. (`increment-allocation` of a further resource type is recognised by
/// its suffix.)
const READ_BY: [(&str, SchedulerChoice); 5] = [
    (PREFIX, SchedulerChoice::Capacity),
    ("yarn.resourcemanager.monitor.capacity.", SchedulerChoice::Capacity),
    ("yarn.resourcemanager.scheduler.monitor.", SchedulerChoice::Capacity),
    ("yarn.scheduler.fair.", SchedulerChoice::Fair),
    ("yarn.scheduler.increment-allocation-", SchedulerChoice::Fair),
];

/// Returns the only scheduler that reads a known property; `None`: others read it too, or none does.
pub fn read_by(key: &str) -> Option<SchedulerChoice> {
    find(key, &|_| false)?;
    if key.starts_with("yarn.resource-types.") && key.ends_with(".increment-allocation") {
        return Some(SchedulerChoice::Fair);
    }
    READ_BY.iter().find(|(begins, _)| key.starts_with(begins)).map(|(_, by)| *by)
}

/// Looks a key up. `queues` tests for existing paths: the longest that fits is used; an unknown path is found by the
/// property's name.
pub fn find(key: &str, queues: &dyn Fn(&str) -> bool) -> Option<ParsedKey> {
    let Some(rest) = key.strip_prefix(PREFIX) else {
        return lookup(site_table::SITE, key).map(|(property, variable)| ParsedKey { property, queue: None, variable });
    };
    if rest != "root" && !rest.starts_with("root.") {
        return lookup(capacity_table::SCHEDULER, rest).map(|(property, variable)| ParsedKey {
            property,
            queue: None,
            variable,
        });
    }
    // Tries dots from the right: the longest path that is a queue; else the shortest whose rest is a known name.
    let mut guess = None;
    for (at, _) in rest.rmatch_indices('.') {
        let (path, name) = (&rest[..at], &rest[at + 1..]);
        let found = lookup(capacity_table::QUEUE, name);
        if queues(path) {
            let own = found.map(|(property, variable)| ParsedKey { property, queue: Some(path.into()), variable });
            return own.or(guess);
        }
        if let Some((property, variable)) = found {
            guess = Some(ParsedKey { property, queue: Some(path.into()), variable });
        }
    }
    guess
}

fn lookup(table: &'static [Property], name: &str) -> Option<(&'static Property, Option<String>)> {
    table.iter().find_map(|p| fits(p.name, name).map(|variable| (p, variable)))
}

/// Returns whether a name fits a pattern, with the part in place of its variable.
fn fits(pattern: &str, name: &str) -> Option<Option<String>> {
    let Some((before, rest)) = pattern.split_once('<') else {
        return (pattern == name).then_some(None);
    };
    let after = rest.split_once('>').map_or("", |(_, after)| after);
    let variable = name.strip_prefix(before)?.strip_suffix(after)?;
    // Names of users may contain dots, and keys do; labels and others may not.
    let dots = rest.starts_with("u>") || rest.starts_with("k>") || rest.starts_with("t>");
    (!variable.is_empty() && (dots || !variable.contains('.'))).then(|| Some(variable.to_string()))
}

/// The default of a key, if it has one.
pub fn default_of(key: &str) -> Option<&'static str> {
    let found = find(key, &|_| false)?;
    (!found.property.default.is_empty()).then_some(found.property.default)
}

/// Returns a known key similar to an unknown one: at most two letters differ, or it lacks its `yarn.` and so was taken
/// for one of capacity-scheduler.xml, or it lacks more of its start.
pub fn nearest(key: &str, queues: &[&str]) -> Option<String> {
    let without_yarn = || {
        let whole = format!("yarn.{}", key.strip_prefix(PREFIX)?);
        let known = lookup(site_table::SITE, &whole).is_some();
        if known { Some(whole) } else { nearest_in_its_file(&whole, &[]) }
    };
    nearest_in_its_file(key, queues).or_else(without_yarn).or_else(|| with_its_start(key))
}

/// Returns the one known key that ends like an unknown one, or the key of a queue whose path has another prefix.
fn with_its_start(key: &str) -> Option<String> {
    let written = key.strip_prefix(PREFIX).or_else(|| key.strip_prefix("yarn."))?;
    let bare = written.starts_with("root.") && !key.starts_with(PREFIX);
    if let Some(at) = written.find(".root.").map(|dot| dot + 1).or(bare.then_some(0)) {
        let whole = format!("{PREFIX}{}", &written[at..]);
        return find(&whole, &|_| false).map(|_| whole);
    }
    // A last part alone is not enough in yarn-site.xml, since the table lacks most of its properties.
    if !written.contains('.') && !key.starts_with(PREFIX) {
        return None;
    }
    let whole = |start: &'static str, table: &'static [Property]| {
        { table.iter() }.filter(|p| !p.name.contains('<')).map(move |p| format!("{start}{}", p.name))
    };
    let mut ending = whole("", site_table::SITE).chain(whole(PREFIX, capacity_table::SCHEDULER));
    let ends_alike = |name: &String| name.strip_suffix(written).is_some_and(|start| start.ends_with('.'));
    let found = ending.find(ends_alike)?;
    ending.all(|name| !ends_alike(&name)).then_some(found)
}

fn nearest_in_its_file(key: &str, queues: &[&str]) -> Option<String> {
    let (start, name, tables): (String, &str, &[Property]) = match key.strip_prefix(PREFIX) {
        None => (String::new(), key, site_table::SITE),
        Some(rest) => match queues
            .iter()
            .filter(|q| rest.strip_prefix(**q).is_some_and(|r| r.starts_with('.')))
            .max_by_key(|q| q.len())
        {
            Some(queue) => (format!("{PREFIX}{queue}."), &rest[queue.len() + 1..], capacity_table::QUEUE),
            None => (PREFIX.to_string(), rest, capacity_table::SCHEDULER),
        },
    };
    let plain = tables.iter().filter(|p| !p.name.contains('<'));
    let near = plain.map(|p| (distance(p.name, name, 2), p.name)).min()?;
    (near.0 <= 2).then(|| format!("{start}{}", near.1))
}

/// A fault of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadValue {
    /// The description of the fault, including the value.
    pub what: String,
    pub mend: String,
    /// A suggested replacement.
    pub fix: Option<String>,
    /// Whether the ResourceManager refuses it; otherwise it goes on with something else.
    pub refused: bool,
}

/// Checks a value, with its variables replaced, against its description.
pub fn check(property: &Property, value: &str) -> Result<(), BadValue> {
    let text = trim(value);
    let bad = |what: String, mend: &str, fix: Option<String>, refused: bool| {
        Err(BadValue { what, mend: mend.to_string(), fix, refused })
    };
    let percent = text.strip_suffix('%').map(trim).filter(|t| parse_float(t).is_ok()).map(str::to_string);
    let no_number = |what: &str| {
        let mend = if percent.is_some() { "Leave the % out." } else { "Write a plain number." };
        bad(format!("`{text}` is not {what}{NO_START}"), mend, percent.clone(), true)
    };
    match property.kind {
        PropertyType::Bool if parse_boolean(text).is_none() => bad(
            format!("`{text}` is neither true nor false: the default `{}` is used silently.", property.default),
            "Write true or false.",
            match text.to_ascii_lowercase().as_str() {
                "yes" | "1" | "on" => Some("true".into()),
                "no" | "0" | "off" => Some("false".into()),
                _ => None,
            },
            false,
        ),
        PropertyType::Int(low, high) => match parse_int(text) {
            Err(_) => no_number("a whole number"),
            Ok(n) if n < low || n > high => {
                bad(format!("{n} is outside {low} to {high}."), "Choose a number in that range.", None, true)
            }
            Ok(_) => Ok(()),
        },
        PropertyType::Long if parse_long(text).is_err() => no_number("a whole number"),
        PropertyType::Duration if duration_ms(text).is_none() => no_number("a time"),
        PropertyType::Float(low, high) => match parse_float(text) {
            Err(_) => no_number("a number"),
            Ok(x) if x < low || x > high => {
                bad(format!("{x} is outside {low} to {high}."), "Choose a number in that range.", None, false)
            }
            Ok(_) => Ok(()),
        },
        // A queue's state may be written in lower case.
        PropertyType::Choice(words)
            if property.name == "state" && words.iter().any(|w| w.eq_ignore_ascii_case(text)) =>
        {
            Ok(())
        }
        PropertyType::Choice(words) if !words.contains(&text) => bad(
            format!("`{text}` is none of {}.", words.join(", ")),
            "Choose one of them.",
            words.iter().find(|w| w.eq_ignore_ascii_case(text)).map(|w| (*w).to_string()),
            true,
        ),
        PropertyType::Class(known) if !known.contains(&text) => {
            // Without its package, or in another one.
            let last = |class: &str| {
                class.rsplit('.').next().unwrap_or_default() == text.rsplit('.').next().unwrap_or_default()
            };
            let meant = known.iter().find(|class| last(class)).map(|class| (*class).to_string());
            match meant {
                Some(_) if text.contains('.') => {
                    let what = format!(
                        "{text} is not where YARN's class of that name is: the ResourceManager does not find it."
                    );
                    bad(what, "Write the class's full name.", meant, true)
                }
                Some(_) => {
                    let what = format!("{text} is without its package: the ResourceManager does not find it.");
                    bad(what, "Write the class's full name.", meant, true)
                }
                None => {
                    let what = format!("The class {text} is not known here.");
                    bad(what, &format!("Known: {}.", known.join(", ")), None, false)
                }
            }
        }
        PropertyType::Amounts => match parse_pairs(text) {
            Ok(_) => Ok(()),
            Err(why) => bad(why.message, "Write it as memory-mb=4096,vcores=2.", None, true),
        },
        _ => Ok(()),
    }
}

/// The message about a class that is unknown, even by its last name.
pub(crate) fn unknown_class(known: &[&str], text: &str) -> Option<String> {
    let last = |class: &str| class.rsplit('.').next().unwrap_or_default().to_string();
    let other = !text.is_empty() && !text.contains("${") && !known.iter().any(|class| last(class) == last(text));
    other.then(|| format!("the class {text}. Known are {}.", known.join(", ")))
}

/// Parses a time as milliseconds: plain digits are milliseconds, or a number has a suffix `ns us ms s m h d`.
pub fn duration_ms(text: &str) -> Option<i64> {
    time(trim(text), "ms").map(|ns| ns / 1_000_000).and_then(|ms| i64::try_from(ms).ok())
}

/// Parses a time as nanoseconds: a whole number with a suffix (`ns us ms s m h d`), or without one, which means `unit`.
pub fn time(text: &str, unit: &str) -> Option<i128> {
    let text = trim(text).to_ascii_lowercase();
    let suffix = ["ns", "us", "ms", "s", "m", "h", "d"].into_iter().find(|s| text.ends_with(s));
    let number: i64 = text.strip_suffix(suffix.unwrap_or("")).unwrap_or(&text).parse().ok()?;
    let in_ns: i128 = match suffix.unwrap_or(unit) {
        "ns" => 1,
        "us" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        "d" => 86_400_000_000_000,
        _ => return None,
    };
    Some(i128::from(number) * in_ns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_taken_apart() {
        let queues = |p: &str| ["root", "root.a", "root.a.b"].contains(&p);
        let found =
            |key: &str| find(&format!("{PREFIX}{key}"), &queues).map(|f| (f.property.name, f.queue, f.variable));
        assert_eq!(found("root.a.b.capacity"), Some(("capacity", Some("root.a.b".into()), None)));
        assert_eq!(found("root.x.capacity"), Some(("capacity", Some("root.x".into()), None)));
        assert_eq!(
            found("root.a.accessible-node-labels.gpu.capacity"),
            Some(("accessible-node-labels.<l>.capacity", Some("root.a".into()), Some("gpu".into())))
        );
        assert_eq!(
            found("root.a.user-settings.a.b.weight"),
            Some(("user-settings.<u>.weight", Some("root.a".into()), Some("a.b".into())))
        );
        assert_eq!(found("root.a.capacityy"), None);
        assert_eq!(
            nearest(&format!("{PREFIX}root.a.capacityy"), &["root", "root.a"]),
            Some(format!("{PREFIX}root.a.capacity"))
        );
        assert_eq!(
            nearest(&format!("{PREFIX}node-localty-delay"), &["root"]),
            Some(format!("{PREFIX}node-locality-delay"))
        );
    }

    /// Keys that lack some of their start: as a scenario's section reads them, and the intended key.
    #[test]
    fn a_key_without_its_start_is_told_the_whole_name() {
        let monitor = "yarn.resourcemanager.scheduler.monitor.enable";
        let rows = [
            ("yarn.scheduler.capacity.resourcemanager.scheduler.monitor.enable", Some(monitor)),
            ("yarn.scheduler.capacity.scheduler.monitor.enable", Some(monitor)),
            ("yarn.scheduler.monitor.enable", Some(monitor)),
            ("yarn.scheduler.capacity.monitor.enable", Some(monitor)),
            ("yarn.scheduler.capacity.fair.preemption", Some("yarn.scheduler.fair.preemption")),
            (
                "yarn.scheduler.capacity.scheduler.capacity.root.a.capacity",
                Some("yarn.scheduler.capacity.root.a.capacity"),
            ),
            (
                "yarn.scheduler.capacity.capacity.root.b.acl_submit_applications",
                Some("yarn.scheduler.capacity.root.b.acl_submit_applications"),
            ),
            ("yarn.capacity.root.a.user-limit-factor", Some("yarn.scheduler.capacity.root.a.user-limit-factor")),
            ("yarn.root.a.maximum-capacity", Some("yarn.scheduler.capacity.root.a.maximum-capacity")),
            ("yarn.capacity.resource-calculator", Some("yarn.scheduler.capacity.resource-calculator")),
            (
                "yarn.scheduler.capacity.capacity.maximum-applications",
                Some("yarn.scheduler.capacity.maximum-applications"),
            ),
            // Several keys have this end, none has it, or it is not enough.
            ("yarn.scheduler.capacity.enabled", None),
            ("yarn.scheduler.capacity.capacity.root.a.colour", None),
            ("yarn.enable", None),
            ("hive.metastore.uris", None),
        ];
        for (key, meant) in rows {
            assert_eq!(nearest(key, &["root", "root.a", "root.b"]).as_deref(), meant, "{key}");
        }
    }

    #[test]
    fn names_with_a_name_in_them_are_made_and_found_again() {
        let mut kinds = std::collections::BTreeSet::new();
        for p in all() {
            let Some(by) = p.named_by() else {
                assert_eq!(p.named("x"), p.name);
                continue;
            };
            kinds.insert(by);
            let start = match p.file {
                File::Scheduler => PREFIX.to_string(),
                File::Queue => format!("{PREFIX}root.a."),
                File::Site => String::new(),
            };
            let found = find(&format!("{start}{}", p.named("priority")), &|q| q == "root.a").unwrap();
            assert_eq!((found.property.name, found.variable.as_deref()), (p.name, Some("priority")));
            // A template's property is described like the one that it sets.
            assert_eq!(found.meaning().map(|m| m.name), Some(if by == "property" { "priority" } else { p.name }));
        }
        assert_eq!(Vec::from_iter(kinds), ["label", "policy", "property", "resource", "user"]);
        let of = |name: &str| of_queue(name).and_then(|f| f.meaning()).map(|p| p.name);
        assert_eq!(
            of("leaf-queue-template.accessible-node-labels.x.capacity"),
            Some("accessible-node-labels.<l>.capacity")
        );
        assert_eq!(of("auto-queue-creation-v2.template.leaf-queue-template.state"), Some("state"));
        assert_eq!((of("leaf-queue-template.capcity"), of("nothing")), (None, None));
    }

    #[test]
    fn every_property_is_described_once_and_its_default_is_good() {
        let mut seen = std::collections::BTreeSet::new();
        for p in all() {
            assert!(seen.insert((p.file as u8, p.name)), "{} twice", p.name);
            assert!(p.help.ends_with(['.', '?']), "{}", p.name);
            if !p.default.is_empty() {
                assert_eq!(check(p, p.default), Ok(()), "{}", p.name);
            }
        }
    }

    /// Checks that a masked value changes no decision.
    #[test]
    fn no_property_that_decides_is_taken_for_a_secret() {
        for p in all().filter(|p| p.support == Support::Modelled) {
            let start = match p.file {
                File::Scheduler => PREFIX.to_string(),
                File::Queue => format!("{PREFIX}root.password."),
                File::Site => String::new(),
            };
            let name = format!("{start}{}", p.named("capacity"));
            assert!(!heddle_view::secrets::is_secret(&name), "{name}");
        }
    }

    #[test]
    fn bad_values_say_what_to_do() {
        let of = |key: &str, value: &str| check(find(&format!("{PREFIX}{key}"), &|_| false).unwrap().property, value);
        assert_eq!(of("root.a.user-limit-factor", "40%").unwrap_err().fix.as_deref(), Some("40"));
        assert!(!of("queue-mappings-override.enable", "yes").unwrap_err().refused);
        assert!(of("node-locality-delay", "forty").unwrap_err().refused);
        let class = of("resource-calculator", "DominantResourceCalculator").unwrap_err();
        assert!(class.what.contains("without its package"));
        assert_eq!(class.fix.as_deref(), Some("org.apache.hadoop.yarn.util.resource.DominantResourceCalculator"));
        assert_eq!((of("root.a.state", "stopped"), of("maximum-applications", "-1")), (Ok(()), Ok(())));
        assert!(of("mapping-rule-format", "Legacy").unwrap_err().refused);
    }
}
