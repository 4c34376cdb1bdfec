//! The problems of a job's properties file, with their positions (samza-host-affinity.md section 2).

use super::keys::{self, Key, Kind};
use super::properties::{Properties, SOURCE};
use super::settings::{RefusedValue, Rule, Settings};
use crate::model::{Problem, Severity, Span};

/// Reads a properties file. `None`: the job does not start with it; the problems say why. Never panics.
pub fn read(text: &str) -> (Properties, Option<Settings>, Vec<Problem>) {
    let (properties, mut problems) = Properties::read(text);
    let config = properties.config();
    let (settings, refused) = Settings::read(&config);
    // The client has checked the ApplicationMaster's size before.
    let client = |r: &&RefusedValue| [keys::AM_MEMORY, keys::AM_VCORES].iter().any(|key| key.name == r.key);
    problems.extend(refused.iter().filter(|r| !client(r)).map(|r| refusal(&properties, r)));
    name(&properties, &mut problems);
    for key in keys::ALL {
        old_and_new(&properties, *key, &mut problems);
        boolean(&properties, *key, &mut problems);
    }
    probable(&properties, &settings, &mut problems);
    let stops = problems.iter().any(|p| p.severity == Severity::Error);
    (properties, (!stops).then_some(settings), problems)
}

fn value_at(properties: &Properties, key: &str) -> Option<Span> {
    properties.entry(key).map(|e| e.value_at)
}

fn key_at(properties: &Properties, key: &str) -> Option<Span> {
    properties.entry(key).map(|e| e.key_at)
}

fn refusal(properties: &Properties, r: &RefusedValue) -> Problem {
    let RefusedValue { key, value, rule } = r;
    let at = value_at(properties, key);
    let error = |what: String| Problem::error(SOURCE, at, what);
    match rule {
        Rule::Number(bits) => error(format!("`{key}` is `{value}`, no whole number of {bits} bits."))
            .mend("Write digits only, without a unit and without blanks."),
        Rule::Least(least) => error(format!("`{key}` is {value}, and {least} is the least.")).fix(least.to_string()),
        Rule::NoSystem => error(format!("`{key}` is `{value}`, a stream without a system."))
            .mend("Write `system.stream`, or set `job.changelog.system` or `job.default.system`."),
        Rule::Broadcast => error(format!("`{key}` is `{value}`: an item is no partition."))
            .mend("Write `system.stream#n` or `system.stream#[n-m]`."),
        Rule::Class => error(format!("`{key}` names the class `{value}`, which is not modelled."))
            .mend("Use one of Samza's own groupers."),
        Rule::BroadcastWithAll => error(format!("The all-to-single-task grouper forbids `{key}`."))
            .mend("Use another `job.systemstreampartition.grouper.factory`."),
    }
}

fn name(properties: &Properties, problems: &mut Vec<Problem>) {
    let name = keys::JOB_NAME.name;
    // If it is not set, the client refuses the job.
    if properties.get(name).is_some_and(|v| v.trim().is_empty()) {
        let at = value_at(properties, name);
        problems.push(Problem::warning(SOURCE, at, "The name of the job is empty.").mend("Write one."));
    }
}

fn old_and_new(properties: &Properties, key: Key, problems: &mut Vec<Problem>) {
    let Some(old) = key.old.filter(|old| properties.get(old).is_some()) else { return };
    let at = key_at(properties, old);
    problems.push(if properties.get(key.name).is_some() {
        let what = format!("`{old}` is not read, since `{}` is there too.", key.name);
        Problem::warning(SOURCE, at, what).mend("Delete the old name.")
    } else {
        let what = format!("`{old}` is the old name of `{}`.", key.name);
        Problem::note(SOURCE, at, what).fix(key.name)
    });
}

fn boolean(properties: &Properties, key: Key, problems: &mut Vec<Problem>) {
    if key.kind != Kind::Bool {
        return;
    }
    let used = key.old.filter(|_| properties.get(key.name).is_none()).unwrap_or(key.name);
    let Some(value) = properties.get(used) else { return };
    if ["true", "false"].iter().all(|v| !value.eq_ignore_ascii_case(v)) {
        let what = format!("`{used}` is `{value}`, which counts as false: only `true` is true.");
        problems.push(Problem::warning(SOURCE, value_at(properties, used), what).mend("Write `true` or `false`."));
    }
}

/// Warns of values that are accepted, but probably a mistake.
fn probable(properties: &Properties, settings: &Settings, problems: &mut Vec<Problem>) {
    let config = properties.config();
    if settings.host_affinity && !settings.durable {
        let used = keys::HOST_AFFINITY.used(&config).unwrap_or_default();
        let what = "Host affinity is on, and no store has a changelog: no state waits on any host.";
        problems.push(Problem::note(SOURCE, key_at(properties, used), what));
    }
    let auto = [keys::AUTO_CONTAINERS, keys::AUTO_MEMORY, keys::AUTO_VCORES];
    let on = keys::AUTOSIZING.text(&config).is_some_and(|v| v.eq_ignore_ascii_case("true"));
    for key in auto.iter().filter(|k| !on && config.contains_key(k.name)) {
        let what = format!("`{}` is not read: `{}` is not true.", key.name, keys::AUTOSIZING.name);
        problems.push(Problem::warning(SOURCE, key_at(properties, key.name), what));
    }
    if settings.standby() && !settings.host_affinity {
        let what = "Standby containers without host affinity: requests that expire stay as they are.";
        let at = key_at(properties, keys::REPLICATION.name);
        problems.push(Problem::warning(SOURCE, at, what).mend("Set `job.host-affinity.enabled=true`."));
    }
    let placement = |k: &&String| {
        ["cluster-manager.", "yarn.container.", "yarn.am.", "job.container.", "job.standby", "job.host"]
            .iter()
            .any(|prefix| k.starts_with(prefix))
    };
    let names: Vec<&str> = keys::ALL.iter().flat_map(|k| std::iter::once(k.name).chain(k.old)).collect();
    for key in config.keys().filter(placement).filter(|k| !names.contains(&k.as_str())) {
        if let Some(like) = names.iter().find(|name| near(key, name)) {
            let what = format!("`{key}` is nothing that counts for placement.");
            let mend = format!("Do you mean `{like}`?");
            problems.push(Problem::warning(SOURCE, key_at(properties, key), what).mend(mend).fix(*like));
        }
    }
}

/// Returns whether two names differ in one place, by at most three letters.
fn near(a: &str, b: &str) -> bool {
    let same = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a.as_bytes()[same..], &b.as_bytes()[same..]);
    let same = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    a.len().max(b.len()) - same <= 3
}
