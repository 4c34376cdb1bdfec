//! `heddle`: plays scenarios, checks their expectations, explains decisions, makes links. The core does all of it; this
//! crate handles files, standard input, terminal output, JSON, and exit statuses.

mod check;
mod generate;
mod given;
mod import;
mod input;
mod link;
mod output;
mod prove;
mod run;
mod trace;
mod why;

use clap::{Args, CommandFactory, Parser, Subcommand};
use heddle_core::import::workloads::generate::Load;
use heddle_core::model::Millis;
use heddle_core::scenario::Release;
use heddle_core::scenario::units::parse_time;
use heddle_player::explain::view::Selection;
use input::ProblemRow;
use output::{EarlyEnd, Failure, Output, warn};
use std::path::PathBuf;
use std::process::ExitCode;

/// Shows where YARN places containers, when and why.
#[derive(Parser)]
#[command(name = "heddle", version, max_term_width = 110)]
#[command(after_help = "Examples:
  heddle run scenarios/q39-anti-affinity.toml
  heddle check scenarios/*.toml
  heddle why scenarios/q39-anti-affinity.toml --at 20s
  heddle link scenarios/q39-anti-affinity.toml
  heddle conformance

A FILE of - is standard input. A path under [files] of a scenario is read beside the scenario.\n\nExit status: 0 all is well, 1 an expectation, a case or the proof of a link failed, \
    2 the command line or an input is wrong.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Plays a scenario and prints what happened.
    #[command(after_help = "Examples:
  heddle run scenarios/q39-anti-affinity.toml --until 1:30
  heddle run scenarios/q39-anti-affinity.toml --reasons --json")]
    Run {
        /// The scenario.
        file: PathBuf,
        /// Where to stop: "90 s", "1:30" or a number of seconds.
        #[arg(long, value_name = "TIME", value_parser = time, allow_hyphen_values = true)]
        until: Option<Millis>,
        /// Also print what was skipped, and why.
        #[arg(long)]
        reasons: bool,
        /// One JSON document instead of lines.
        #[arg(long)]
        json: bool,
    },
    /// Plays scenarios and checks their expectations; exit status 1 if one fails.
    #[command(after_help = "Examples:
  heddle check scenarios/q01-stuck-in-accepted.toml scenarios/q39-anti-affinity.toml
  heddle check scenarios/q39-anti-affinity.toml --json --base https://example.org/heddle/")]
    Check {
        /// The scenarios.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// One JSON document instead of lines.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        base: Base,
    },
    /// Explains why something is as it is at a moment.
    #[command(after_help = "Examples:
  heddle why scenarios/q39-anti-affinity.toml --at '20 s' --what app:zk --what-helps
  heddle why scenarios/q39-anti-affinity.toml --what node:n1 --json
  heddle why scenarios/q39-anti-affinity.toml --what landing:bob/ops,staff/root.default")]
    Why {
        /// The scenario.
        file: PathBuf,
        /// The moment; the scenario's start_at if left out.
        #[arg(long, value_name = "TIME", value_parser = time, allow_hyphen_values = true)]
        at: Option<Millis>,
        /// About what: app:…, queue:…, node:…, user:…, landing:USER/GROUPS/QUEUE, refresh:MILLISECONDS, container:APP/K or
        /// request:APP/KEY; the headline's subject if left out.
        #[arg(long, value_name = "ID", value_parser = selection, allow_hyphen_values = true)]
        what: Option<Selection>,
        /// Also find what would help, by running it.
        #[arg(long)]
        what_helps: bool,
        /// One JSON document instead of lines.
        #[arg(long)]
        json: bool,
    },
    /// Prints a link that contains the whole scenario.
    #[command(after_help = "Examples:
  heddle link scenarios/q39-anti-affinity.toml --at 0:20 --what app:zk
  heddle link scenarios/q39-anti-affinity.toml --prove --base https://example.org/heddle/
  heddle link scenarios/q39-anti-affinity.toml --anonymise

With --anonymise queues, users, hosts, applications and whatever else has a name get another one: `heddle import` with the same
word shows the text that the link will hold.")]
    Link {
        /// The scenario.
        file: PathBuf,
        /// The moment that it opens at.
        #[arg(long, value_name = "TIME", value_parser = time, allow_hyphen_values = true)]
        at: Option<Millis>,
        /// The selection when it opens.
        #[arg(long, value_name = "ID", value_parser = selection, allow_hyphen_values = true)]
        what: Option<Selection>,
        /// Include the fingerprint of the run, so that whoever opens the link sees whether the run is the same.
        #[arg(long)]
        prove: bool,
        /// Anonymise: replace the names of all queues, users, hosts, applications and so on.
        #[arg(long)]
        anonymise: bool,
        #[command(flatten)]
        base: Base,
    },
    /// Prints the scenario of a link, and says whether it plays as when the link was made.
    #[command(after_help = "Examples:
  heddle link scenarios/q39-anti-affinity.toml | heddle open -")]
    Open {
        /// The link, or - to read it from standard input.
        link: String,
    },
    /// Builds a scenario from what you have of a cluster: settings, answers of the ResourceManager, traces, applications.
    #[command(after_help = "Examples:
  heddle import tests/samples/capacity-scheduler.small.xml
  heddle import tests/samples/job.properties --json
  heddle import scenarios/q39-anti-affinity.toml --anonymise

Each file is recognised by its content. The scenario goes to standard output; what each file is, what is wrong with it, what
was inferred and what is not known go to standard error. With --anonymise the scenario has no name of yours; standard error
says which new name stands for which, and what is not kept. docs/formats.md says what is read from what. Exit status: 0 if
anything was read.")]
    #[command(visible_alias = "convert")]
    Import {
        /// Files, folders, zip and tar.gz archives; - for standard input.
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
        /// Anonymise: replace the names of all queues, users, hosts, applications and so on.
        #[arg(long, conflicts_with = "json")]
        anonymise: bool,
        /// One JSON document instead: files, scenario, inferred, unknown, moment.
        #[arg(long)]
        json: bool,
        /// The Hadoop release of the cluster, 2.7 to 3.5; default: what /info says, else 3.5.
        #[arg(long, value_name = "RELEASE", value_parser = release)]
        release: Option<Release>,
    },
    /// Adds a generated workload for the cluster, as ordinary text of the scenario.
    #[command(after_help = "Examples:
  heddle generate fill-queues scenarios/q39-anti-affinity.toml
  heddle generate noisy-user scenarios/q21-one-user-fifo-or-fair.toml --seed 3

fill-queues: an application in every leaf queue asks for the whole cluster. noisy-user: one user submits 40 applications to the
busiest queue. hour-again: the applications of the first hour once more, each twice. The same seed gives the same text.")]
    Generate {
        /// The workload: fill-queues, noisy-user or hour-again.
        #[arg(value_parser = generate::load)]
        load: Load,
        /// The scenario.
        file: PathBuf,
        /// The seed of all random values.
        #[arg(long, default_value_t = 7)]
        seed: u64,
    },
    /// Writes all calls to a scenario's ResourceManager, and Heddle's decisions, as a trace that the real classes can play.
    #[command(after_help = "Examples:
  heddle trace scenarios/q39-anti-affinity.toml

The real classes play it with `heddle prove`.")]
    Trace {
        /// The scenario.
        file: PathBuf,
    },
    /// Plays scenarios and their worlds on Hadoop's real classes and compares every decision; exit status 1 if one differs.
    #[command(after_help = "Examples:
  heddle prove scenarios/q39-anti-affinity.toml scenarios/q01-stuck-in-accepted.toml

Needs a JDK (17 or later), Maven and a Maven repository: the first call fetches Hadoop's published jars.
`cargo xtask prove` calls this with the oracle of this project.")]
    Prove {
        /// The scenarios.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The program that plays traces on the real classes.
        #[arg(long, value_name = "PROGRAM", default_value = "tests/oracle/hadoop/run")]
        oracle: PathBuf,
        /// The seconds it may take for one scenario.
        #[arg(long, value_name = "SECONDS", default_value_t = 600)]
        patience: u64,
        /// One JSON document instead of lines.
        #[arg(long)]
        json: bool,
    },
    /// Prints a shell's completion script for `heddle`.
    #[command(after_help = "Examples:
  heddle completions bash")]
    Completions { shell: clap_complete::Shell },
    /// Prints the manual page, for `man -l -`.
    #[command(after_help = "Examples:
  heddle man
  heddle man why")]
    Man {
        /// The page of one command.
        command: Option<String>,
    },
    /// Compares the core with the real schedulers' behaviour, case by case.
    #[command(disable_help_flag = true)]
    Conformance {
        /// Arguments of the runner: [FILE…] [--filter TEXT] [--json].
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
}

/// The base of links.
#[derive(Args)]
struct Base {
    /// Address of the page that links open; without it they begin with #.
    #[arg(long = "base", value_name = "URL", default_value = "", value_parser = base_address)]
    url: String,
}

/// Checks the base of links. Errors: a link cannot begin with it.
fn base_address(text: &str) -> Result<String, String> {
    let address = text.strip_suffix('#').unwrap_or(text);
    if address.contains('#') {
        return Err(
            "a link has one #, and what the scenario is stands behind it: leave out what stands behind yours".into()
        );
    }
    if address.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Err("an address has no blanks: write %20 for each".into());
    }
    Ok(address.to_string())
}

fn time(text: &str) -> Result<Millis, String> {
    parse_time(text)
}

fn release(text: &str) -> Result<Release, String> {
    let known = || Release::ALL.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    Release::named(text).ok_or_else(|| format!("known releases are {}", known()))
}

fn selection(text: &str) -> Result<Selection, String> {
    text.parse()
}

/// Reports why a command ends early, in words and, with `--json`, as a document.
fn told(out: Output, words: &str, problems: Vec<ProblemRow>) -> ExitCode {
    let words = words.trim_end();
    warn(words);
    if std::env::args_os().any(|arg| arg == "--json") {
        let mut out = out;
        // A failure to print it has no further effect.
        let _ = out.json(&Failure { error: words, problems }).and_then(|()| out.finish());
    }
    ExitCode::from(2)
}

/// Prints the manual page of all commands, or of one.
fn man(out: &mut Output, command: Option<&str>) -> Result<u8, EarlyEnd> {
    let mut whole = Cli::command();
    whole.build();
    let page = match command {
        None => Some(whole),
        Some(name) => whole.find_subcommand(name).cloned(),
    };
    let page =
        page.ok_or_else(|| EarlyEnd::Told(format!("man: there is no command {}", command.unwrap_or_default())))?;
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text)?;
    out.text(&String::from_utf8_lossy(&text))?;
    Ok(0)
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(e) => {
            if e.use_stderr() {
                return told(Output::new(), &e.to_string(), Vec::new());
            }
            // Help and version are not errors.
            let mut out = Output::new();
            let written = out.text(&e.to_string()).and_then(|()| out.finish());
            return ended(out, written.map(|()| 0));
        }
    };
    let mut out = Output::new();
    let result = match cli.command {
        Command::Run { file, until, reasons, json } => run::run(&mut out, &file, until, reasons, json),
        Command::Check { files, json, base } => check::check(&mut out, &files, json, &base.url),
        Command::Why { file, at, what, what_helps, json } => why::why(&mut out, &file, at, what, what_helps, json),
        Command::Link { file, at, what, prove, anonymise, base } => {
            link::link(&mut out, &file, &link::LinkContents { at, what, prove, anonymise }, &base.url)
        }
        Command::Open { link } => link::open(&mut out, &link),
        Command::Import { paths, anonymise, json, release } => {
            import::import(&mut out, &paths, release, anonymise, json)
        }
        Command::Generate { load, file, seed } => generate::generate(&mut out, load, &file, seed),
        Command::Trace { file } => trace::trace(&mut out, &file),
        Command::Prove { files, oracle, patience, json } => {
            prove::prove(&mut out, &files, &oracle, std::time::Duration::from_secs(patience), json)
        }
        Command::Completions { shell } => {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "heddle", &mut text);
            out.text(&String::from_utf8_lossy(&text)).map(|()| 0)
        }
        Command::Man { command } => man(&mut out, command.as_deref()),
        Command::Conformance { arguments } => {
            let (mut text, mut words) = (Vec::new(), Vec::new());
            let status = heddle_tests::conformance::main(arguments, &mut text, &mut words);
            let words = String::from_utf8_lossy(&words);
            match status {
                2 => Err(EarlyEnd::Told(words.into_owned())),
                _ => out.text(&String::from_utf8_lossy(&text)).map(|()| status),
            }
        }
    };
    let result = result.and_then(|status| out.finish().map(|()| status));
    ended(out, result)
}

/// Returns the exit status, and prints the reason if a command ended early.
fn ended(out: Output, result: Result<u8, EarlyEnd>) -> ExitCode {
    match result {
        Ok(status) => ExitCode::from(status),
        Err(EarlyEnd::PipeClosed) => ExitCode::SUCCESS,
        Err(EarlyEnd::Told(words)) => told(out, &words, Vec::new()),
        Err(EarlyEnd::Wrong(words, problems)) => told(out, &words, problems),
    }
}
