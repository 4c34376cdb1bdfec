//! Command lines, one per line, as in a shell: the distributed shell, Spark, Flink, and YARN's own tools.

use super::{Gathered, InputText, ReadOutcome, Status, changes, flink, hosts, launched, spark};
use crate::apps::import::take_shell;
use crate::config::mutation::parse_command;
use crate::model::{Problem, Span};
use crate::scenario::pasted;

/// The maximum number of commands read from a text.
const MOST: usize = 1_000;

/// A command line.
#[derive(Clone, Debug, PartialEq)]
struct Command {
    words: Vec<String>,
    /// The whole command, with its lines joined.
    line: String,
    at: Span,
}

/// The program that a command runs.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Tool {
    Spark(usize),
    Flink(usize),
    Shell,
    /// `yarn schedulerconf`, and where its arguments begin.
    Queues(usize),
    /// `yarn rmadmin` and `yarn nodeattributes`, and where their arguments begin.
    Labels(usize),
    Attributes(usize),
}

/// Returns whether a text has a supported command.
pub(super) fn is(look: &InputText<'_>) -> bool {
    look.root().is_none() && look.json().is_none() && commands(look.text).iter().take(50).any(|c| tool(c).is_some())
}

/// Reads all commands of a text.
pub(super) fn read(look: &InputText<'_>, g: &mut Gathered) -> ReadOutcome {
    let (mut problems, mut taken, mut names) = (Vec::new(), 0usize, Vec::new());
    for command in commands(look.text) {
        let Some(tool) = tool(&command) else {
            let first: Vec<&str> = command.words.iter().take(2).map(String::as_str).collect();
            let what = format!("`{}` is no command that is read.", first.join(" "));
            let mend = "Read are spark-submit, flink run, the distributed shell's client, yarn schedulerconf, rmadmin and nodeattributes.";
            problems.push(Problem::warning(look.name, command.at, what).mend(mend));
            continue;
        };
        let name = match play(tool, &command, look, g, &mut problems) {
            Ok(name) => name,
            Err(why) => {
                problems.push(Problem::error(look.name, command.at, why).mend("Mend the command."));
                continue;
            }
        };
        taken += 1;
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let outcome = ReadOutcome::of(format!("{} of {}", super::count(taken, "command"), names.join(", ")), problems);
    if taken == 0 { ReadOutcome { status: Status::NotRead, holds: String::new(), ..outcome } } else { outcome }
}

/// Adds a command to the scenario; returns the tool's name. Errors: what is wrong with it.
fn play(
    tool: Tool,
    command: &Command,
    look: &InputText<'_>,
    g: &mut Gathered,
    problems: &mut Vec<Problem>,
) -> Result<&'static str, String> {
    let arguments = |from: usize| command.words.get(from..).unwrap_or_default();
    Ok(match tool {
        Tool::Spark(from) => {
            let submission = spark::submission(arguments(from), command.at, look, problems);
            g.submissions.push(submission);
            "Spark"
        }
        Tool::Flink(from) => {
            let app = flink::application(arguments(from), command.at, look, problems);
            launched::add(app, look.name, g);
            "Flink"
        }
        Tool::Shell => {
            let (_, ignored) = take_shell(&command.line, look.name, g)?;
            problems.extend(ignored.into_iter().map(|p| Problem { span: Some(command.at), ..p }));
            "the distributed shell"
        }
        Tool::Queues(from) => {
            let arguments: Vec<&str> = arguments(from).iter().map(String::as_str).collect();
            if arguments.iter().any(|a| matches!(*a, "-getconf" | "-format" | "-h")) {
                return Err("This changes nothing: it asks for the settings.".into());
            }
            let change = parse_command(&arguments).map_err(|why| why.message)?;
            changes::add(change, look, command.at, g);
            "yarn schedulerconf"
        }
        Tool::Labels(from) => {
            hosts::label_command(arguments(from), look.name, g)?;
            "yarn rmadmin"
        }
        Tool::Attributes(from) => {
            hosts::attribute_command(arguments(from), g)?;
            "yarn nodeattributes"
        }
    })
}

fn tool(command: &Command) -> Option<Tool> {
    let words = &command.words;
    if let Some(at) = spark::options_at(words) {
        return Some(Tool::Spark(at));
    }
    if let Some(at) = flink::options_at(words) {
        return Some(Tool::Flink(at));
    }
    if pasted::shell_command(&command.line).is_some() {
        return Some(Tool::Shell);
    }
    let yarn = words.iter().take(3).position(|word| word.rsplit('/').next() == Some("yarn"))?;
    match words.get(yarn + 1).map(String::as_str) {
        Some("schedulerconf") => Some(Tool::Queues(yarn + 2)),
        Some("rmadmin") => Some(Tool::Labels(yarn + 2)),
        Some("nodeattributes") => Some(Tool::Attributes(yarn + 2)),
        _ => None,
    }
}

/// Splits a text into command lines. A backslash at the end of a line continues it; a prompt before a command is dropped.
fn commands(text: &str) -> Vec<Command> {
    let (mut out, mut at) = (Vec::new(), 0);
    let mut lines = text.split_inclusive('\n');
    while let Some(line) = lines.next() {
        let start = at + (line.len() - line.trim_start().len());
        at += line.len();
        let mut whole = line.trim().to_owned();
        let mut end = start + whole.len();
        while (whole.len() - whole.trim_end_matches('\\').len()) % 2 == 1 {
            whole.pop();
            let Some(next) = lines.next() else { break };
            end = at + next.trim_end().len();
            at += next.len();
            whole.push(' ');
            whole.push_str(next.trim().trim_start_matches("> "));
        }
        let bare = whole.strip_prefix("$ ").or(whole.strip_prefix("> ")).unwrap_or(&whole).trim_start();
        if bare.is_empty() || bare.starts_with('#') || out.len() >= MOST {
            continue;
        }
        let words = words(bare);
        if words.is_empty() {
            continue;
        }
        out.push(Command { words, line: bare.to_owned(), at: Span::new(start.min(end), end) });
    }
    out
}

/// Splits a command line into words, without shell quotes and without variables set before the command.
fn words(line: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let (mut word, mut quote) = (None::<String>, None);
    let mut letters = line.chars();
    while let Some(c) = letters.next() {
        match (quote, c) {
            (None | Some('"'), '\\') => word.get_or_insert_default().extend(letters.next()),
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (Some(open), c) if c == open => quote = None,
            (None, c) if c.is_whitespace() => out.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    out.extend(word);
    let set = |word: &String| {
        word.split_once('=').is_some_and(|(name, _)| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
    };
    let before = out.iter().take_while(|word| set(word)).count();
    out.split_off(before)
}

#[cfg(test)]
mod tests {
    use super::super::{Given, import};
    use super::*;
    use crate::scenario::Scenario;

    fn scenario(text: &str) -> (Scenario, Vec<Problem>) {
        let found = import(&[Given { name: "x", text }]);
        let text = found.scenario.unwrap_or_else(|| panic!("{text}: {:?}", found.files));
        let read = crate::scenario::read(&text);
        (read.scenario.unwrap_or_else(|| panic!("{:?}\n{text}", read.problems)), found.files[0].problems.clone())
    }

    /// Each command × its requests: the ApplicationMaster, the containers, and their number.
    #[test]
    fn a_command_asks_for_what_its_program_asks_for() {
        for (command, am, count, size) in [
            ("spark-submit a.jar", 896, 2, (1408, 1)),
            ("spark-submit --deploy-mode cluster --driver-memory 4g a.jar", 4505, 2, (1408, 1)),
            (
                "/opt/spark/bin/spark-submit --executor-memory 20g --executor-cores 5 --num-executors 3 a.py",
                896,
                3,
                (22528, 5),
            ),
            (
                "FOO=1 spark-submit --conf spark.executor.memoryOverhead=1g \\\n  --executor-memory=8g a.jar",
                896,
                2,
                (9216, 1),
            ),
            (
                "spark-submit --conf 'spark.dynamicAllocation.enabled=true' --conf spark.dynamicAllocation.maxExecutors=50 a.jar",
                896,
                50,
                (1408, 1),
            ),
            (
                "$ spark-submit --conf spark.memory.offHeap.enabled=true --conf spark.memory.offHeap.size=1g a.jar",
                896,
                2,
                (2432, 1),
            ),
            (
                "flink run -t yarn-per-job -Djobmanager.memory.process.size=2g -Dtaskmanager.memory.process.size=4096m -Dtaskmanager.numberOfTaskSlots=2 -p 5 a.jar",
                2048,
                3,
                (4096, 2),
            ),
            ("flink run -m yarn-cluster -yjm 1024 -ytm 2048 -ys 4 -p 4 a.jar", 1024, 1, (2048, 4)),
            (
                "spark-submit --class com.example.Main --jars a.jar,b.jar --files x.conf --principal ann@X --keytab k --master yarn \\\n \
                 --deploy-mode cluster --verbose --queue etl --num-executors 12 --executor-memory 10g app.jar --queue other",
                1408,
                12,
                (11264, 1),
            ),
            ("yarn-session.sh -n 4 -jm 1024 -tm 4096 -s 2", 1024, 4, (4096, 2)),
        ] {
            let (scenario, problems) = scenario(command);
            assert_eq!(problems, [], "{command}");
            let app = &scenario.apps[0];
            let tasks = app.kind.tasks();
            assert_eq!((app.am.size.memory_mb(), tasks[0].count), (am, count), "{command}");
            assert_eq!((tasks[0].size.memory_mb(), tasks[0].size.vcores()), size, "{command}");
        }
    }

    /// Each way to run the distributed shell's client.
    #[test]
    fn the_distributed_shell_is_run_by_its_class_or_by_its_jar() {
        let options = "-jar x.jar -shell_command sleep -num_containers 5 -container_resources memory-mb=2048,vcores=2 -queue dev --master_memory=512";
        for run in [
            "yarn org.apache.hadoop.yarn.applications.distributedshell.Client",
            "yarn jar /opt/share/hadoop-yarn-applications-distributedshell-3.3.6.jar",
            "hadoop jar hadoop-yarn-applications-distributedshell.jar",
            "yarn jar distributedshell.jar org.apache.hadoop.yarn.applications.distributedshell.Client",
        ] {
            let found = import(&[Given { name: "x", text: &format!("{run} {options}") }]);
            let text = found.scenario.unwrap_or_else(|| panic!("{run}: {:?}", found.files));
            let has = ["containers = 5", "size = \"2 GB/2\"", "am = \"512 MB/1\"", "queue = \"dev\""];
            assert!(has.iter().all(|part| text.contains(part)), "{run}: {text}");
        }
    }

    #[test]
    fn a_text_of_several_commands_gives_all_their_applications() {
        let text = "# three\nspark-submit --queue etl --name a a.jar\nls -l\n\
            yarn org.apache.hadoop.yarn.applications.distributedshell.Client -jar ds.jar -shell_command sleep -num_containers 5\n\
            yarn rmadmin -addToClusterNodeLabels \"gpu(exclusive=false)\"\n\
            yarn rmadmin -replaceLabelsOnNode \"n1:8041=gpu n2,gpu\"\n\
            yarn nodeattributes -add \"n1:cuda(STRING)=12.2,os=el8\"\n";
        let (scenario, problems) = scenario(text);
        assert_eq!(scenario.apps.len(), 2);
        assert!(problems.len() == 1 && problems[0].place == Some((3, 1)), "{problems:?}");
        let labels: Vec<(&str, Option<&str>)> =
            scenario.nodes.iter().map(|n| (n.spec.host.as_str(), n.spec.label.as_deref())).collect();
        assert_eq!(labels, [("n1", Some("gpu")), ("n2", Some("gpu"))]);
        assert!(scenario.settings.labels.iter().any(|l| l.name == "gpu" && !l.exclusive));
    }

    /// Each fault × a part of its report.
    #[test]
    fn a_command_with_a_fault_is_told_with_its_place() {
        for (command, part) in [
            ("spark-submit --executor-memory lots a.jar", "no amount of memory"),
            ("spark-submit --conf x a.jar", "`--conf`"),
            ("yarn-session.sh -tm x", "no amount of memory"),
            ("yarn schedulerconf -add root.x:=5", "confKey=confVal"),
            ("yarn schedulerconf -getconf", "asks for the settings"),
            ("yarn rmadmin -addToClusterNodeLabels \"x(\"", "not correct"),
            ("yarn rmadmin -refreshQueues", "no label"),
            ("yarn nodeattributes -add n1", "host:attribute"),
        ] {
            let found = import(&[Given { name: "x", text: command }]);
            let problem = found.files[0].problems.iter().find(|p| p.what.contains(part));
            assert!(problem.is_some_and(|p| p.place.is_some()), "{command}: {:?}", found.files[0].problems);
        }
    }

    #[test]
    fn settings_of_spark_go_before_nothing_and_are_an_application_alone() {
        let conf = "spark.executor.memory 4g\nspark.executor.instances 7\nspark.yarn.queue etl\n";
        let found = import(&[
            Given { name: "d", text: conf },
            Given { name: "s", text: "spark-submit --num-executors 3 a.jar" },
        ]);
        let scenario = crate::scenario::read(found.scenario.as_deref().unwrap()).scenario.unwrap();
        let tasks = scenario.apps[0].kind.tasks();
        assert_eq!((scenario.apps.len(), tasks[0].count, tasks[0].size.memory_mb()), (1, 3, 4505));
        assert_eq!(scenario.apps[0].queue, "etl");
        let alone = import(&[Given { name: "d", text: conf }]);
        let scenario = crate::scenario::read(alone.scenario.as_deref().unwrap()).scenario.unwrap();
        assert_eq!(scenario.apps[0].kind.tasks()[0].count, 7);
    }
}
