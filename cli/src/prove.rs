//! `heddle prove`: compares Heddle with the real classes.

use crate::input::Input;
use crate::output::{EarlyEnd, Output};
use crate::{trace, why};
use heddle_core::scenario::units::time_text;
use heddle_core::scenario::{self, World};
use heddle_tests::prove::{Compared, StepDifference, compare};
use heddle_view::Selection;
use serde::Serialize;
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

/// The release of the classes that the oracle plays.
const HADOOP: &str = "3.5.0";

#[derive(Serialize)]
struct Report {
    hadoop: &'static str,
    scenarios: Vec<ProvedRow>,
}

/// A scenario that was played on both.
#[derive(Serialize, Default)]
struct ProvedRow {
    file: String,
    /// The number of steps that reached its ResourceManager.
    steps: usize,
    /// The number of equal decisions, from the first step on.
    alike: usize,
    /// The fingerprint of Heddle's run, as in tests/fingerprints.txt; empty without a run.
    fingerprint: String,
    /// The reason why there is nothing to compare.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<First>,
}

/// The first step that was decided in another way.
#[derive(Serialize)]
struct First {
    at_ms: i64,
    step: Value,
    heddle: Value,
    hadoop: Value,
    /// The application that it is about, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    app: Option<String>,
}

/// The real classes: a program that reads a trace per line and answers with their decisions.
struct Oracle {
    child: Child,
    /// The traces, one per line. A thread writes them, since the oracle may not be reading yet.
    input: Sender<String>,
    /// The oracle's output lines, read by a thread.
    lines: Receiver<std::io::Result<String>>,
    /// The longest silence that is allowed.
    patience: Duration,
    program: PathBuf,
    /// The resource types of the traces that it has played.
    types: Option<Value>,
}

/// Reads lines until the end of the output, or until the receiver is gone.
fn lines_of(output: ChildStdout) -> Receiver<std::io::Result<String>> {
    let (send, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines() {
            if send.send(line).is_err() {
                break;
            }
        }
    });
    lines
}

/// Writes lines until there are no more, or until the reader is gone.
fn lines_to(mut input: ChildStdin) -> Sender<String> {
    let (send, lines) = mpsc::channel::<String>();
    thread::spawn(move || {
        for line in lines {
            if writeln!(input, "{line}").and_then(|()| input.flush()).is_err() {
                break;
            }
        }
    });
    send
}

/// The time that a program may take to end after its last output.
const ENDS_MS: u64 = 2_000;

impl Oracle {
    fn start(program: &Path, patience: Duration) -> Result<Oracle, EarlyEnd> {
        let told = |words: String| EarlyEnd::Told(format!("{}: {words}", program.display()));
        let mut command = Command::new(program);
        command.arg("serve").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|e| {
            told(format!("{e}; name the program with --oracle, or call `cargo xtask prove` in Heddle's own folder"))
        })?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(told("it cannot be spoken to".into()));
        };
        Ok(Oracle {
            child,
            input: lines_to(input),
            lines: lines_of(output),
            patience,
            program: program.into(),
            types: None,
        })
    }

    fn play(&mut self, trace: &Value) -> Result<Value, EarlyEnd> {
        // The real classes keep the number of resource types in constants: other types need another process.
        let types = &trace["given"]["yarn_site"]["yarn.resource-types"];
        if self.types.as_ref().is_some_and(|met| met != types) {
            *self = Oracle::start(&self.program, self.patience)?;
        }
        self.types = Some(types.clone());
        // If the oracle no longer reads, no answer comes either.
        let _ = self.input.send(trace.to_string());
        let heard = match self.lines.recv_timeout(self.patience) {
            Ok(line) => line.map(Some),
            Err(RecvTimeoutError::Timeout) => Err(std::io::ErrorKind::TimedOut.into()),
            Err(RecvTimeoutError::Disconnected) => Ok(None),
        };
        match heard {
            Ok(Some(line)) => {
                serde_json::from_str(&line).map_err(|e| EarlyEnd::Told(format!("the oracle's answer: {e}")))
            }
            Err(e) if e.kind() == std::io::ErrorKind::TimedOut => Err(EarlyEnd::Told(format!(
                "the oracle has not answered for {} s; --patience gives it longer",
                self.patience.as_secs()
            ))),
            Err(e) => Err(EarlyEnd::Told(format!("the oracle's answer: {e}"))),
            Ok(None) => {
                let how = self.ended().map_or_else(|e| e.to_string(), |status| status.to_string());
                Err(EarlyEnd::Told(format!(
                    "the oracle ended without an answer ({how}); that of this project needs a JDK of 17 or later, Maven and \
                     a Maven repository"
                )))
            }
        }
    }

    /// Waits briefly for the oracle to end, then kills it.
    fn ended(&mut self) -> std::io::Result<ExitStatus> {
        for _ in 0..ENDS_MS / 20 {
            if let Some(status) = self.child.try_wait()? {
                return Ok(status);
            }
            thread::sleep(Duration::from_millis(20));
        }
        self.child.kill()?;
        self.child.wait()
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        // The oracle has no state to lose, and nobody waits for it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn prove(
    out: &mut Output,
    files: &[PathBuf],
    oracle: &Path,
    patience: Duration,
    json: bool,
) -> Result<u8, EarlyEnd> {
    let mut oracle = Oracle::start(oracle, patience)?;
    let mut rows = Vec::new();
    for file in files {
        let input = Input::read_scenario(file)?;
        let worlds = worlds(&input);
        for made in std::iter::once(Ok(input)).chain(worlds) {
            let (input, row) = match made {
                Ok(input) => {
                    let row = played(&mut oracle, &input, file)?;
                    (Some(input), row)
                }
                Err(row) => (None, row),
            };
            if !json {
                tell(out, input.as_ref(), &row)?;
            }
            rows.push(row);
        }
    }
    let failed = rows.iter().filter(|row| row.error.is_some() || row.alike < row.steps).count();
    if json {
        out.json(&Report { hadoop: HADOOP, scenarios: rows })?;
    } else if rows.len() > 1 {
        let (steps, alike) = rows.iter().fold((0, 0), |(s, a), row| (s + row.steps, a + row.alike));
        out.line(&format!("{} of {} scenarios, {} of {} steps", rows.len() - failed, rows.len(), alike, steps))?;
    }
    Ok(u8::from(failed > 0))
}

/// The worlds of a scenario, each as a scenario of its own. Errors: the row of one that cannot be written.
fn worlds(input: &Input) -> Vec<Result<Input, ProvedRow>> {
    // What is wrong in the scenario is reported where it is played.
    let worlds = scenario::read(&input.text).scenario.map_or(Vec::new(), |scenario| scenario.worlds);
    let world = |world: &World| {
        let name = format!("{}, {}", input.name, world.name);
        match world.text(&input.text) {
            Ok(text) => Ok(Input::of(name, text)),
            Err(why) => Err(ProvedRow { file: name, error: Some(why), ..ProvedRow::default() }),
        }
    };
    worlds.iter().map(world).collect()
}

/// Plays a scenario on both. Errors: the oracle does not answer.
fn played(oracle: &mut Oracle, input: &Input, file: &Path) -> Result<ProvedRow, EarlyEnd> {
    match trace::of(input, file) {
        Err(EarlyEnd::Told(words)) => {
            Ok(ProvedRow { file: input.name.clone(), error: Some(words), ..ProvedRow::default() })
        }
        Err(other) => Err(other),
        Ok((trace, fingerprint)) => {
            let compared = compare(&trace, &oracle.play(&trace)?);
            Ok(ProvedRow { fingerprint: format!("{fingerprint:016x}"), ..row(input, &trace, compared) })
        }
    }
}

fn row(input: &Input, trace: &Value, compared: Compared) -> ProvedRow {
    let steps = trace["given"]["steps"].as_array().map_or(&[][..], Vec::as_slice);
    let row = ProvedRow { file: input.name.clone(), steps: steps.len(), ..ProvedRow::default() };
    match compared {
        Compared::Alike(alike) => ProvedRow { alike, ..row },
        Compared::NotPlayed(words) => ProvedRow { error: Some(words), ..row },
        Compared::Differs(difference) => {
            let StepDifference { step, at_ms, what, heddle, hadoop, .. } = *difference;
            let of = |outcome: &Value| {
                ["allocated", "completed", "reserved"].iter().find_map(|key| outcome[*key][0][0].as_u64())
            };
            let number = what["app"].as_u64().or_else(|| of(&hadoop)).or_else(|| of(&heddle));
            let submissions = steps.iter().filter(|s| s["op"] == "submit");
            let submission = number.and_then(|n| submissions.into_iter().nth(n as usize));
            let app = submission.and_then(|s| s["name"].as_str()).map(str::to_owned);
            ProvedRow { alike: step, first: Some(First { at_ms, step: what, heddle, hadoop, app }), ..row }
        }
    }
}

fn tell(out: &mut Output, input: Option<&Input>, row: &ProvedRow) -> Result<(), EarlyEnd> {
    let (alike, steps) = (row.alike, row.steps);
    match (&row.error, &row.first) {
        (Some(words), _) => out.line(&format!("{}: not played: {words}", row.file)),
        (None, None) => out.line(&format!("{}: Hadoop {HADOOP} decided alike: {alike} of {steps} steps", row.file)),
        (None, Some(first)) => {
            let at = time_text(first.at_ms);
            out.line(&format!("{}: Hadoop {HADOOP} decided alike up to {at}: {alike} of {steps} steps", row.file))?;
            out.line(&format!("  step   {}", first.step))?;
            out.line(&format!("  Heddle {}", first.heddle))?;
            out.line(&format!("  Hadoop {}", first.hadoop))?;
            input.map_or(Ok(()), |input| reasons(out, input, first))
        }
    }
}

/// Prints Heddle's explanation for the application that differs.
fn reasons(out: &mut Output, input: &Input, first: &First) -> Result<(), EarlyEnd> {
    let (mut player, _) = input.player()?;
    player.seek(first.at_ms);
    let app = first.app.clone().map(Selection::App).filter(|app| player.not_there(app).is_none());
    let Some(about) = app.or_else(|| player.snapshot(None).headline_about) else { return Ok(()) };
    let answer = player.why(&about);
    why::tell(out, &answer, first.at_ms)
}
