//! The client of the distributed shell (Client of hadoop-yarn-applications-distributedshell 3.4.2): its command line, what it
//! refuses, what it submits, and what its ApplicationMaster asks for. The ApplicationMaster checks less than one may think: it
//! accepts a PlacementSpec without containers, and ends.

use crate::api::{ClientRefusal, ClientStage, Submitted};
use crate::client::java;
use crate::client::path::{Hadoop, Path};
use crate::config::units;
use crate::constraint::parse_spec;

/// The default memory in MB and vcores of the ApplicationMaster; [`CONTAINER`] has those of a container.
pub const AM: (i64, i64) = (100, 1);
pub const CONTAINER: (i64, i64) = (10, 1);

/// Options that have no effect in a scenario. A container type other than the default is reported separately.
const NOT_PLAYED: [&str; 22] = [
    "promote_opportunistic_after_start",
    "enforce_execution_type",
    "keep_containers_across_application_attempts",
    "create",
    "timeout",
    "master_resource_profile",
    "shell_script",
    "shell_env",
    "container_resource_profile",
    "log_properties",
    "rolling_log_pattern",
    "domain",
    "view_acls",
    "modify_acls",
    "container_retry_policy",
    "container_max_retries",
    "container_retry_error_codes",
    "container_retry_interval",
    "container_failures_validity_interval",
    "docker_client_config",
    "localize_files",
    "help",
];

/// Options without a value.
const FLAGS: [&str; 6] = [
    "promote_opportunistic_after_start",
    "enforce_execution_type",
    "keep_containers_across_application_attempts",
    "debug",
    "create",
    "help",
];
/// Options with a value.
const OPTIONS: [&str; 36] = [
    "appname",
    "priority",
    "queue",
    "timeout",
    "master_memory",
    "master_vcores",
    "master_resources",
    "jar",
    "master_resource_profile",
    "shell_command",
    "shell_script",
    "shell_args",
    "shell_env",
    "shell_cmd_priority",
    "container_type",
    "container_memory",
    "container_vcores",
    "container_resources",
    "container_resource_profile",
    "num_containers",
    "log_properties",
    "rolling_log_pattern",
    "attempt_failures_validity_interval",
    "domain",
    "view_acls",
    "modify_acls",
    "flow_name",
    "flow_version",
    "flow_run_id",
    "node_label_expression",
    "container_retry_policy",
    "container_max_retries",
    "docker_client_config",
    "placement_spec",
    "application_tags",
    "localize_files",
];
/// Further options with a value, which have no effect here.
const OTHER_OPTIONS: [&str; 3] =
    ["container_retry_error_codes", "container_retry_interval", "container_failures_validity_interval"];

/// A parsed command line.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Shell {
    pub name: String,
    pub queue: String,
    pub priority: i32,
    /// Memory in MB and vcores of the ApplicationMaster; −1: not given.
    pub am: (i64, i64),
    /// Further resource types of the ApplicationMaster.
    pub am_others: Vec<(String, i64)>,
    /// Memory in MB and vcores of a container; −1: not given.
    pub container: (i64, i64),
    /// Further resource types of a container.
    pub container_others: Vec<(String, i64)>,
    pub containers: i32,
    /// The priority of the requests.
    pub container_priority: i32,
    pub opportunistic: bool,
    pub promote: bool,
    pub enforce: bool,
    pub keep_containers: bool,
    pub label: Option<String>,
    pub tags: Vec<String>,
    pub validity_ms: i64,
    pub spec: Option<String>,
    /// Files that it copies for its ApplicationMaster, as given, in this order: the archive, the log settings of the
    /// ApplicationMaster, those of the containers, the script.
    pub files: Vec<Copied>,
    /// The configuration file of a Docker client, with the credentials that containers need for their registries.
    pub docker: Option<String>,
    /// Given options that have no effect in a scenario, without their dashes.
    pub not_played: Vec<&'static str>,
    profiles: bool,
}

/// A file on the client's machine that is copied.
#[derive(Clone, Debug, PartialEq)]
pub enum Copied {
    /// For the ApplicationMaster.
    Master(String),
    /// For the containers (`-localize_files`).
    Containers(String),
}

/// What YARN reports to the client.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster<'a> {
    /// Whether the queue exists.
    pub queue_exists: bool,
    /// The largest container: memory in MB and vcores.
    pub maximum: (i64, i64),
    /// Resource types other than memory and vcores.
    pub types: &'a [&'a str],
    /// The application's id, after which the client names a folder.
    pub id: &'a str,
    /// Existing paths, folders with a `/` at the end; `None`: all paths exist, and none is a folder.
    pub files: Option<&'a [&'a str]>,
}

type ShellResult<T> = Result<T, Box<ClientRefusal>>;

fn illegal<T>(stage: ClientStage, words: impl Into<String>, mend: &str) -> ShellResult<T> {
    let words = words.into();
    Err(Box::new(ClientRefusal::new(stage, "IllegalArgumentException", words.trim_end()).mend(mend)))
}

/// Options by name, each with its first value.
struct CommandOptions<'a>(Vec<(&'a str, Option<&'a str>)>);

impl<'a> CommandOptions<'a> {
    /// Parses as commons-cli's GnuParser does: one dash or two, the value after a blank or `=`; other words are skipped.
    fn parse(args: &[&'a str]) -> ShellResult<CommandOptions<'a>> {
        let mut found: Vec<(&str, Option<&str>)> = Vec::new();
        let mut words = args.iter().copied();
        // After `--` alone nothing is an option.
        while let Some(word) = words.next().filter(|word| *word != "--") {
            let Some(bare) = word.strip_prefix("--").or_else(|| word.strip_prefix('-')).filter(|b| !b.is_empty())
            else {
                continue;
            };
            let (name, value) = bare.split_once('=').map_or((bare, None), |(name, value)| (name, Some(value)));
            if FLAGS.contains(&name) {
                found.push((name, None));
                continue;
            }
            if !OPTIONS.contains(&name) && !OTHER_OPTIONS.contains(&name) {
                let words = format!("Unrecognized option: {word}");
                let refusal = ClientRefusal::new(ClientStage::Read, "UnrecognizedOptionException", words);
                return Err(Box::new(refusal.mend("`-help` lists the options.")));
            }
            let is_option = |next: &str| {
                let bare = next.strip_prefix("--").or_else(|| next.strip_prefix('-')).unwrap_or_default();
                let bare = bare.split('=').next().unwrap_or_default();
                [&FLAGS[..], &OPTIONS[..], &OTHER_OPTIONS[..]].iter().any(|list| list.contains(&bare))
            };
            let behind = words.clone().next().filter(|next| value.is_none() && !is_option(next));
            if behind.is_some() {
                words.next();
            }
            match value.or(behind) {
                Some(value) => found.push((name, Some(value))),
                None => {
                    let words = format!("Missing argument for option: {name}");
                    let refusal = ClientRefusal::new(ClientStage::Read, "MissingArgumentException", words);
                    return Err(Box::new(refusal.mend("Write its value behind it.")));
                }
            }
        }
        Ok(CommandOptions(found))
    }

    fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| *known == name)
    }

    fn value(&self, name: &str) -> Option<&'a str> {
        self.0.iter().find(|(known, _)| *known == name).and_then(|(_, value)| *value)
    }

    fn int(&self, name: &str, otherwise: i32) -> ShellResult<i32> {
        self.value(name).map_or(Ok(otherwise), |text| java::int(text).or_else(|text| not_a_number(name, text)))
    }
}

fn not_a_number<T>(name: &str, text: &str) -> ShellResult<T> {
    let words = format!("For input string: \"{text}\"");
    let refusal = ClientRefusal::new(ClientStage::Read, "NumberFormatException", words);
    Err(Box::new(refusal.mend(format!("Write -{name} as a whole number without a unit."))))
}

/// Client.parseResourcesString: `memory=2Gi,vcores=2,yarn.io/gpu=1`. Amounts with a unit are converted to MiB, whatever the
/// type.
fn resources(text: &str) -> ShellResult<Vec<(String, i64)>> {
    let text = text.strip_prefix('[').unwrap_or(text);
    let text = text.strip_suffix(']').unwrap_or(text);
    let mut out: Vec<(String, i64)> = Vec::new();
    // Java's split drops empty parts at the end.
    let parts: Vec<&str> = match text.trim().trim_end_matches(',') {
        "" => vec![""],
        text => text.split(',').collect(),
    };
    for part in parts {
        let part = part.trim();
        let pair = part.split_once('=').filter(|(key, _)| !key.is_empty());
        let amount = pair.and_then(|(key, value)| {
            let digits = value.find(|c: char| !c.is_ascii_digit()).unwrap_or(value.len());
            let unit = value.get(digits..)?;
            let bare = unit.strip_prefix(|c: char| c.is_ascii_whitespace()).unwrap_or(unit);
            let word = bare.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            (digits > 0 && word).then_some((key, value.get(..digits)?, bare))
        });
        let Some((key, digits, unit)) = amount else {
            let words = format!(
                "\"{part}\" is not a valid resource type/amount pair. Please provide key=amount pairs separated by commas."
            );
            return illegal(ClientStage::Read, words, "Write memory=2048,vcores=1.");
        };
        let value = java::long(digits).or_else(|text| not_a_number(key, text))?;
        let value = match unit {
            "" => value,
            unit => match units::convert(value, unit, "Mi") {
                Ok(value) => value,
                Err(refusal) => {
                    return illegal(ClientStage::Read, refusal.message, "Write Mi or Gi, or no unit for MB.");
                }
            },
        };
        let key = if key == "memory" { "memory-mb" } else { key };
        out.retain(|(known, _)| known != key);
        out.push((key.to_string(), value));
    }
    Ok(out)
}

/// The files of `-localize_files`. Java's split drops empty parts at the end, but it is not called for a text without a comma.
fn files_of(list: &str) -> Vec<&str> {
    match list.contains(',') {
        true if list.trim_end_matches(',').is_empty() => Vec::new(),
        true => list.trim_end_matches(',').split(',').collect(),
        false => vec![list],
    }
}

/// Assigns the amounts to memory, vcores and other types.
fn spread(all: Vec<(String, i64)>, size: &mut (i64, i64), others: &mut Vec<(String, i64)>) {
    for (name, value) in all {
        match name.as_str() {
            "memory-mb" => size.0 = value,
            "vcores" => size.1 = i64::from(value as i32),
            _ => others.push((name, value)),
        }
    }
}

/// Client.init: reads and checks a command line; `None`: the usage is asked for.
pub fn init(args: &[&str]) -> ShellResult<Option<Shell>> {
    let line = CommandOptions::parse(args)?;
    if args.is_empty() {
        return illegal(
            ClientStage::Read,
            "No args specified for client to initialize",
            "Give it -jar and -shell_command.",
        );
    }
    if line.has("help") {
        return Ok(None);
    }
    let spec = line.value("placement_spec");
    if let Some(spec) = spec
        && let Err(fault) = parse_spec(spec)
    {
        return illegal(ClientStage::Read, format!("Invalid placement spec: {spec}"), &fault.problem.what);
    }
    let priority = line.int("priority", 0)?;
    let mut shell = Shell {
        name: line.value("appname").unwrap_or("DistributedShell").into(),
        queue: line.value("queue").unwrap_or("default").into(),
        priority,
        spec: spec.map(String::from),
        keep_containers: line.has("keep_containers_across_application_attempts"),
        ..Shell::default()
    };
    shell.am = (line.int("master_memory", -1)?.into(), line.int("master_vcores", -1)?.into());
    if let Some(text) = line.value("master_resources") {
        spread(resources(text)?, &mut shell.am, &mut shell.am_others);
    }
    if !line.has("jar") {
        let mend = "Add -jar with the archive of the distributed shell.";
        return illegal(ClientStage::Read, "No jar file specified for application master", mend);
    }
    match (line.has("shell_command"), line.has("shell_script")) {
        (false, false) => {
            let words = "No shell command or shell script specified to be executed by application master";
            return illegal(ClientStage::Read, words, "Add -shell_command or -shell_script.");
        }
        (true, true) => {
            let words = "Can not specify shell_command option and shell_script option at the same time";
            return illegal(ClientStage::Read, words, "Leave one of the two out.");
        }
        _ => {}
    }
    let master = |option| line.value(option).map(|path| Copied::Master(path.into()));
    let localized = line.value("localize_files").map(files_of).unwrap_or_default();
    shell.files.extend(["jar", "log_properties"].into_iter().filter_map(master));
    shell.files.extend(localized.into_iter().map(|path| Copied::Containers(path.into())));
    shell.files.extend(master("shell_script"));
    shell.docker = line.value("docker_client_config").map(String::from);
    shell.not_played = NOT_PLAYED.into_iter().filter(|option| line.has(option)).collect();
    shell.container_priority = line.int("shell_cmd_priority", 0)?;
    if let Some(kind) = line.value("container_type") {
        if !["GUARANTEED", "OPPORTUNISTIC"].contains(&kind) {
            let mend = "Write GUARANTEED or OPPORTUNISTIC.";
            return illegal(ClientStage::Read, format!("Invalid container_type: {kind}"), mend);
        }
        shell.opportunistic = kind == "OPPORTUNISTIC";
    }
    shell.promote = line.has("promote_opportunistic_after_start");
    shell.enforce = line.has("enforce_execution_type");
    shell.container = (line.int("container_memory", -1)?.into(), line.int("container_vcores", -1)?.into());
    if let Some(text) = line.value("container_resources") {
        spread(resources(text)?, &mut shell.container, &mut shell.container_others);
    }
    shell.containers = line.int("num_containers", 1)?;
    if shell.containers < 1 {
        let words =
            format!("Invalid no. of containers specified, exiting. Specified numContainer={}", shell.containers);
        return illegal(ClientStage::Read, words, "Write 1 or more, even beside a placement spec.");
    }
    shell.label = line.value("node_label_expression").map(String::from);
    line.int("timeout", 600_000)?;
    let validity = line.value("attempt_failures_validity_interval").unwrap_or("-1");
    shell.validity_ms = java::long(validity).or_else(|t| not_a_number("attempt_failures_validity_interval", t))?;
    let mut tags: Vec<String> = Vec::new();
    for (option, tag) in [("flow_name", "timeline_flow_name_tag"), ("flow_version", "timeline_flow_version_tag")] {
        tags.extend(line.value(option).map(|value| format!("{tag}:{value}")));
    }
    if let Some(text) = line.value("flow_run_id") {
        match java::long(text) {
            Ok(0) => {}
            Ok(id) => tags.push(format!("timeline_flow_run_id_tag:{id}")),
            Err(_) => {
                let words = "Flow run is not a valid long value";
                return illegal(ClientStage::Read, words, "Write -flow_run_id as a whole number.");
            }
        }
    }
    if let Some(text) = line.value("application_tags") {
        let text = if text.is_empty() { text } else { text.trim_end_matches(',') };
        tags.extend(text.split(',').map(|tag| tag.trim().to_string()));
    }
    shell.tags = tags;
    shell.profiles = ["master_resource_profile", "container_resource_profile"]
        .iter()
        .any(|name| line.value(name).is_some_and(|value| !value.is_empty()));
    Ok(Some(shell))
}

impl Shell {
    /// Client.run up to the submission: makes the last checks and returns what is submitted. The ApplicationMaster is capped at
    /// the largest container.
    pub fn submission(&self, cluster: &Cluster<'_>) -> ShellResult<Submitted> {
        let stage = ClientStage::Submit;
        if !cluster.queue_exists {
            return Err(Box::new(no_queue(&self.queue)));
        }
        if self.profiles {
            let refusal = ClientRefusal::new(stage, "IOException", "Resource profiles is not enabled");
            return Err(Box::new(refusal.mend("Give memory and vcores in the place of a profile.")));
        }
        let am = (self.am.0.min(cluster.maximum.0), self.am.1.min(cluster.maximum.1));
        check_am(am)?;
        known(&self.am_others, cluster)?;
        check_container(self.container)?;
        known(&self.container_others, cluster)?;
        folder(&self.name, cluster.id)?;
        self.files.iter().try_for_each(|file| match file {
            Copied::Master(file) => copied(file, cluster.files),
            Copied::Containers(file) => localized(file, cluster.files),
        })?;
        self.docker.iter().try_for_each(|file| docker_config(file, cluster.files))?;
        let mut tags: Vec<String> = self.tags.iter().map(|tag| tag.to_lowercase()).collect();
        tags.sort();
        tags.dedup();
        let given = |value: i64, otherwise: i64| if value == -1 { otherwise } else { value };
        Ok(Submitted {
            name: self.name.clone(),
            kind: String::new(),
            queue: Some(self.queue.clone()),
            tags,
            priority: Some(self.priority),
            label: self.label.clone(),
            am: (given(am.0, AM.0), given(am.1, AM.1)),
            max_attempts: 0,
            keep_containers: self.keep_containers,
            attempt_failures_validity_ms: if self.validity_ms >= 0 { self.validity_ms } else { -1 },
            lifetime_s: None,
        })
    }
}

/// Returns the refusal of a queue that does not exist: the client looks it up before it submits.
pub fn no_queue(queue: &str) -> ClientRefusal {
    let words = format!("Queue {queue} not present in scheduler configuration.");
    ClientRefusal::new(ClientStage::Submit, "IllegalArgumentException", words)
        .mend("Name a queue that is there: the distributed shell looks it up itself, before any mapping rule.")
}

/// Checks the application's folder in the user's home, whose path contains its name. Errors: the path is not valid.
pub fn folder(name: &str, id: &str) -> ShellResult<()> {
    match Path::new(&format!("{name}/{id}/AppMaster.jar"), Hadoop::Three) {
        Ok(_) => Ok(()),
        Err(words) => illegal(ClientStage::Submit, words, "Give the application a name without a colon (-appname)."),
    }
}

/// Checks a file on the client's machine. Errors: its path is not valid, or it does not exist.
fn copied(file: &str, there: Option<&[&str]>) -> ShellResult<()> {
    let path = match Path::new(file, Hadoop::Three) {
        Ok(path) if path.scheme.as_deref().is_some_and(|scheme| scheme != "file") => {
            let words = format!("Wrong FS: {path}, expected: file:///");
            return illegal(ClientStage::Submit, words, "Name a file of the machine that submits.");
        }
        Ok(path) => path.to_string(),
        Err(words) => return illegal(ClientStage::Submit, words, "Correct the path."),
    };
    match there.is_none_or(|there| there.contains(&path.as_str())) {
        true => Ok(()),
        false => {
            let words = format!("File {path} does not exist");
            let refusal = ClientRefusal::new(ClientStage::Submit, "FileNotFoundException", words);
            Err(Box::new(refusal.mend("Name a file of the machine that submits.")))
        }
    }
}

/// Checks a file on the client's machine for the containers; the client looks for it before it makes a path of its name.
/// Errors: it does not exist, or is a folder, or its name is not a valid path.
fn localized(file: &str, there: Option<&[&str]>) -> ShellResult<()> {
    let folder = |there: &[&str]| file == "/" || there.iter().any(|path| path.strip_suffix('/') == Some(file));
    let fault = match there {
        Some(there) if folder(there) => "is a directory",
        Some(there) if !there.contains(&file) => "does not exist",
        None if file.is_empty() => "does not exist",
        None if file == "/" => "is a directory",
        _ => {
            return match Path::new(file, Hadoop::Three) {
                Ok(_) => Ok(()),
                Err(words) => illegal(ClientStage::Submit, words, "Correct the path."),
            };
        }
    };
    let words = format!("java.io.IOException: {file} {fault}");
    let refusal = ClientRefusal::new(ClientStage::Submit, "UncheckedIOException", words);
    Err(Box::new(refusal.mend("Name files of the machine that submits, with commas and no blanks between them.")))
}

/// Checks the configuration file of a Docker client, on any file system. Its contents are not read. Errors: the path is not
/// valid, or the file does not exist.
fn docker_config(file: &str, there: Option<&[&str]>) -> ShellResult<()> {
    let path = match Path::new(file, Hadoop::Three) {
        Ok(path) if path.scheme.as_deref().is_some_and(|scheme| scheme != "file") => return Ok(()),
        Ok(path) => path.to_string(),
        Err(words) => return illegal(ClientStage::Submit, words, "Correct the path."),
    };
    let path = path.strip_prefix("file:").unwrap_or(&path);
    match there.is_none_or(|there| there.contains(&path)) {
        true => Ok(()),
        false => {
            let words = format!("File {path} does not exist");
            let refusal = ClientRefusal::new(ClientStage::Submit, "FileNotFoundException", words);
            Err(Box::new(refusal.mend("Name a file that is there.")))
        }
    }
}

/// Refuses an ApplicationMaster without memory or vcores; −1: not given.
pub fn check_am((memory, vcores): (i64, i64)) -> ShellResult<()> {
    for (value, what, which, option) in
        [(memory, "memory", "memory", "memory"), (vcores, "virtual cores", "virtual cores", "vcores")]
    {
        if value < -1 || value == 0 {
            let words = format!("Invalid {what} specified for application master, exiting. Specified {which}={value}");
            return illegal(ClientStage::Submit, words, &format!("Write -master_{option} as 1 or more."));
        }
    }
    Ok(())
}

/// Refuses a container without memory or vcores; −1: not given. ("greated" is the client's spelling.)
pub fn check_container((memory, vcores): (i64, i64)) -> ShellResult<()> {
    for (value, what) in [(memory, "memory"), (vcores, "vcores")] {
        if value < -1 || value == 0 {
            let words = format!("Container {what} '{value}' has to be greated than 0");
            return illegal(ClientStage::Submit, words, &format!("Write -container_{what} as 1 or more."));
        }
    }
    Ok(())
}

fn known(others: &[(String, i64)], cluster: &Cluster<'_>) -> ShellResult<()> {
    match others.iter().find(|(name, _)| !cluster.types.contains(&name.as_str())) {
        Some((name, _)) => {
            let words = format!("Unknown resource: {name}");
            let refusal = ClientRefusal::new(ClientStage::Submit, "ResourceNotFoundException", words);
            Err(Box::new(refusal.mend(format!("List {name} in yarn.resource-types, or leave it out."))))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LARGEST: Cluster<'_> = Cluster {
        queue_exists: true,
        maximum: (8192, 4),
        types: &["yarn.io/gpu"],
        id: "application_0_0001",
        files: None,
    };

    fn submitted(more: &[&str], cluster: &Cluster<'_>) -> Result<Submitted, String> {
        let args = [&["-jar", "a.jar", "-shell_command", "date"], more].concat();
        let shell = init(&args).map_err(|r| r.message)?.ok_or("usage")?;
        shell.submission(cluster).map_err(|r| r.message)
    }

    /// Tries each number at each limit.
    #[test]
    fn numbers_at_their_limits() {
        let am = |what, n| format!("Invalid {what} specified for application master, exiting. Specified {what}={n}");
        let container = |what, n| format!("Container {what} '{n}' has to be greated than 0");
        for (option, value, got) in [
            ("-master_memory", "0", Err(am("memory", 0))),
            ("-master_memory", "-1", Ok((100, 1))),
            ("-master_memory", "-2", Err(am("memory", -2))),
            ("-master_memory", "8192", Ok((8192, 1))),
            ("-master_memory", "8193", Ok((8192, 1))),
            ("-master_vcores", "0", Err(am("virtual cores", 0))),
            ("-master_vcores", "5", Ok((100, 4))),
            ("-master_resources", "memory=2Gi,vcores=2", Ok((2048, 2))),
            ("-master_resources", "unknown=1", Err("Unknown resource: unknown".into())),
            ("-container_memory", "0", Err(container("memory", 0))),
            ("-container_memory", "-1", Ok((100, 1))),
            ("-container_memory", "9000", Ok((100, 1))),
            ("-container_vcores", "-2", Err(container("vcores", -2))),
            ("-container_memory", "1g", Err("For input string: \"1g\"".into())),
            (
                "-num_containers",
                "0",
                Err("Invalid no. of containers specified, exiting. Specified numContainer=0".into()),
            ),
            ("-container_type", "guaranteed", Err("Invalid container_type: guaranteed".into())),
            ("-appname", "my app", Ok((100, 1))),
            (
                "-appname",
                "a:b",
                Err("java.net.URISyntaxException: Relative path in absolute URI: a:b/application_0_0001/AppMaster.jar"
                    .into()),
            ),
            ("-placement_spec", "zk(0)", Ok((100, 1))),
            ("-placement_spec", "foo", Err("Invalid placement spec: foo".into())),
        ] {
            assert_eq!(submitted(&[option, value], &LARGEST).map(|s| s.am), got, "{option} {value}");
        }
    }

    /// Checks that each option either has an effect here or is reported as having none.
    #[test]
    fn every_option_is_played_or_told() {
        const PLAYED: [&str; 24] = [
            "appname",
            "priority",
            "queue",
            "master_memory",
            "master_vcores",
            "master_resources",
            "shell_command",
            "shell_args",
            "shell_cmd_priority",
            "container_memory",
            "container_vcores",
            "container_resources",
            "num_containers",
            "attempt_failures_validity_interval",
            "flow_name",
            "flow_version",
            "flow_run_id",
            "node_label_expression",
            "placement_spec",
            "application_tags",
            // These need no report: the archive of the program itself, what the client prints, and the container type, which is
            // reported when it is not the default.
            "jar",
            "debug",
            "container_type",
            "",
        ];
        for option in FLAGS.iter().chain(&OPTIONS).chain(&OTHER_OPTIONS) {
            assert_ne!(PLAYED.contains(option), NOT_PLAYED.contains(option), "{option}");
        }
        let more = ["-localize_files", "a,b,", "-timeout", "5", "-docker_client_config=c.json", "-create"];
        let args = [&["-jar", "a.jar", "-shell_command", "date"], &more[..]].concat();
        let shell = init(&args).expect("it is read").expect("it is no call for help");
        assert_eq!(shell.not_played, ["create", "timeout", "docker_client_config", "localize_files"]);
        let copied = |path: &str| Copied::Containers(path.into());
        assert_eq!(shell.files, [Copied::Master("a.jar".into()), copied("a"), copied("b")]);
    }

    #[test]
    fn what_is_submitted() {
        let more = ["-priority", "3", "-queue", "prod", "-node_label_expression", "gpu", "-application_tags", "B, a,"];
        let kept = ["-keep_containers_across_application_attempts", "--attempt_failures_validity_interval=1000"];
        let context = submitted(&[&more[..], &kept[..]].concat(), &LARGEST).expect("it submits");
        assert_eq!(
            (context.priority, context.queue.as_deref(), context.label.as_deref()),
            (Some(3), Some("prod"), Some("gpu"))
        );
        assert_eq!(
            (context.tags, context.keep_containers, context.max_attempts),
            (vec!["a".into(), "b".into()], true, 0)
        );
        assert_eq!(context.attempt_failures_validity_ms, 1000);
        let gone = Cluster { queue_exists: false, ..LARGEST };
        assert_eq!(submitted(&[], &gone), Err("Queue default not present in scheduler configuration.".into()));
        assert_eq!(submitted(&["-help"], &LARGEST), Err("usage".into()));
        assert_eq!(submitted(&["-priority"], &LARGEST), Err("Missing argument for option: priority".into()));
        assert_eq!(submitted(&["-shell_cmd", "x"], &LARGEST), Err("Unrecognized option: -shell_cmd".into()));
    }
}
