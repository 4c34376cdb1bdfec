//! Imports a command of the distributed shell, or a placement spec alone, as an application of a scenario.

use crate::apps::distributed_shell::client::{AM, Shell, init};
use crate::constraint::{parse_spec, print, read_spec};
use crate::scenario::{pasted, units, units::size_text};
use std::borrow::Cow;
use toml_edit::Value;

/// The size of a container if the command does not give one: the default minimum allocation.
const CONTAINER: (i64, i64) = (1024, 1);

/// A command as an entry of `[[apps]]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// The fields of the entry, as TOML lines.
    pub entry: String,
    pub name: String,
    /// The size of its containers, as written.
    pub size: String,
    /// Resource types other than memory and vcores that it asks for.
    pub types: Vec<String>,
    /// Options that are not imported.
    pub ignored: Vec<String>,
    /// Whether the command has a placement spec.
    pub spec: bool,
}

/// Returns why a command, or its placement spec, is refused; `None` if it is accepted.
pub fn refusal(text: &str) -> Option<String> {
    let Some(words) = pasted::shell_command(text) else {
        return read_spec(text).err().map(|fault| fault.problem.what);
    };
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let at = words.iter().position(|word| word.trim_start_matches('-') == "placement_spec");
    match at.and_then(|at| words.get(at + 1)) {
        // A spec in an older form is read as it is meant.
        Some(spec) => read_spec(spec).err().map(|fault| fault.problem.what),
        None => init(&words).err().map(|why| why.words().to_owned()),
    }
}

/// Imports a placement spec, or the command line that runs it.
pub fn import(text: &str) -> Import {
    // The duration of its commands, if the command line gives it.
    let sleeps = text.split("-shell_args ").nth(1).and_then(|rest| rest.split_whitespace().next()?.parse::<u32>().ok());
    let sleeps = sleeps.filter(|_| text.contains("-shell_command sleep"));
    let duration = sleeps.map_or("forever".to_owned(), |s| format!("{s} s"));
    let command = pasted::shell_command(text).and_then(|words| read_command(&words));
    let entry = match &command {
        Some(command) => of_command(command),
        None => {
            format!("name = \"shell\"\nkind = \"distributed-shell\"\nspec = {}\nsize = \"1 GB/1\"\n", Value::from(text))
        }
    };
    let mut types: Vec<String> = Vec::new();
    for (kind, _) in command.iter().flat_map(|c| c.am_others.iter().chain(&c.container_others)) {
        if !types.contains(kind) {
            types.push(kind.clone());
        }
    }
    let ignored = command.iter().flat_map(|command| {
        let options = command.not_played.iter().map(|option| format!("-{option}"));
        options.chain(command.opportunistic.then(|| "-container_type OPPORTUNISTIC".to_owned()))
    });
    Import {
        name: command.as_ref().map_or("shell", named).to_owned(),
        size: command.as_ref().map_or("1 GB".to_owned(), |c| sized(c.container, &c.container_others, CONTAINER)),
        types,
        ignored: ignored.collect(),
        spec: command.as_ref().is_none_or(|c| c.spec.is_some()),
        entry: format!("{entry}duration = \"{duration}\"\n"),
    }
}

/// Reads the arguments of the distributed shell's client; `None`: the client refuses them. A spec in the form of Hadoop 3.1's
/// manual is read as it is meant.
fn read_command(words: &[String]) -> Option<Shell> {
    let mut meant: Vec<Cow<'_, str>> = words.iter().map(|word| Cow::Borrowed(word.as_str())).collect();
    let at = words.iter().position(|word| word.trim_start_matches('-') == "placement_spec");
    if let Some(at) = at
        && let Some(spec) = meant.get_mut(at + 1)
        && parse_spec(spec).is_err()
    {
        *spec = Cow::Owned(print::spec(&read_spec(spec).ok()?).ok()?);
    }
    init(&meant.iter().map(|word| &**word).collect::<Vec<_>>()).ok().flatten()
}

/// Returns the name of a command's application.
fn named(command: &Shell) -> &str {
    match command.name.as_str() {
        "" | "DistributedShell" => "shell",
        name => name,
    }
}

/// Returns a size as it is written; −1: the command does not give the amount.
fn sized((memory, vcores): (i64, i64), others: &[(String, i64)], otherwise: (i64, i64)) -> String {
    let given = |value: i64, otherwise: i64| if value == -1 { otherwise } else { value };
    let more = others.iter().map(|(kind, n)| (kind.as_str(), *n));
    size_text(given(memory, otherwise.0), given(vcores, otherwise.1), more)
}

/// Returns the entry for a distributed shell's command, without a duration.
fn of_command(command: &Shell) -> String {
    let mut out = format!("name = {}\nkind = \"distributed-shell\"\n", Value::from(named(command)));
    let mut put = |key: &str, value: Value| out.push_str(&format!("{key} = {value}\n"));
    if command.queue != "default" {
        put("queue", command.queue.as_str().into());
    }
    if command.priority != 0 {
        put("priority", i64::from(command.priority).into());
    }
    if !command.tags.is_empty() {
        put("tags", Value::from_iter(command.tags.iter().map(String::as_str)));
    }
    if let Some(label) = &command.label {
        put("label", label.as_str().into());
    }
    if command.validity_ms > 0 {
        put("failures_window", units::time_text(command.validity_ms.min(units::TIME_MAX)).into());
    }
    if command.am != (-1, -1) || !command.am_others.is_empty() {
        put("am", sized(command.am, &command.am_others, AM).into());
    }
    match &command.spec {
        Some(spec) => put("spec", spec.as_str().into()),
        None => put("containers", i64::from(command.containers).into()),
    }
    if command.container_priority != 0 {
        put("container_priority", i64::from(command.container_priority).into());
    }
    put("size", sized(command.container, &command.container_others, CONTAINER).into());
    out
}
