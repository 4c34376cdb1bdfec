//! `cargo xtask oracle` and `cargo xtask prove`: the real classes. They need a JDK and Maven; no other command does.

use super::process::{Done, cargo, command, find, root, run, run_from_here};
use serde_json::Value;
use std::path::PathBuf;
use std::process::Stdio;

/// The oracles, each a folder of `tests/oracle` with a program `run`.
const ORACLES: [&str; 5] = ["hadoop", "slider", "samza", "clients", "names"];

/// The record of proved gallery scenarios, read by `web/engine/build.rs`.
const RECORD: &str = "scenarios/proved.txt";

fn has_java() -> Done {
    match ["java", "javac", "mvn"].into_iter().find(|program| find(program).is_none()) {
        None => Ok(()),
        Some(missing) => Err(format!(
            "{missing} is not there: the oracles need a JDK of 17 or later, Maven and a Maven repository (tests/oracle/README.md)"
        )),
    }
}

/// `oracle NAME ARGUMENT…`: runs an oracle with its own arguments and exit status. `oracle replay FILE…`: replays files of
/// the corpus.
pub fn oracle(arguments: &[String]) -> Done<i32> {
    if let Some((name, files)) = arguments.split_first().filter(|(name, _)| *name == "replay") {
        return match files {
            [] => Err(format!("oracle {name}: which files?")),
            files => replay(files),
        };
    }
    let Some((name, rest)) = arguments.split_first().filter(|(name, _)| ORACLES.contains(&name.as_str())) else {
        return Err(format!("oracle: which one? {}", ORACLES.join(", ")));
    };
    has_java()?;
    let mut c = command(root().join("tests/oracle").join(name).join("run"));
    run_from_here(c.args(rest))
}

/// Returns the oracle for a case of this kind; `None`: the case was taken from another project's unit tests.
fn oracle_of(kind: &str) -> Option<&'static str> {
    match kind {
        "trace" | "constraint-text" => Some("hadoop"),
        "service" | "shell-client" | "samza-client" | "slider-client" => Some("clients"),
        kind if kind == "slider" || kind.starts_with("slider-history") => Some("slider"),
        "samza" | "samza-grouping" | "samza-job-model" => Some("samza"),
        _ => None,
    }
}

/// Plays files of the corpus on the real classes, and reports how many cases match the file.
fn replay(files: &[String]) -> Done<i32> {
    has_java()?;
    let mut status = 0;
    for file in files {
        let text = std::fs::read_to_string(file).map_err(|e| format!("{file}: {e}"))?;
        let document: Value = serde_json::from_str(&text).map_err(|e| format!("{file}: {e}"))?;
        let cases: Vec<&Value> = document["cases"].as_array().into_iter().flatten().collect();
        let oracle = |case: &Value| oracle_of(case["given"]["kind"].as_str().unwrap_or_default());
        let Some(name) = cases.iter().find_map(|case| oracle(case)) else {
            println!("{file}: taken from unit tests (each case names its own); there is nothing to play");
            continue;
        };
        let played: Vec<&Value> = cases.into_iter().filter(|case| oracle(case) == Some(name)).collect();
        let path = std::path::absolute(file).map_err(|e| format!("{file}: {e}"))?;
        let mut c = command(root().join("tests/oracle").join(name).join("run"));
        if name != "clients" {
            c.arg("run");
        }
        let out = c.arg(path).stdout(Stdio::piped()).spawn().and_then(|child| child.wait_with_output());
        let out = out.map_err(|e| format!("tests/oracle/{name}/run: {e}"))?;
        let text = String::from_utf8_lossy(&out.stdout);
        let fresh: Vec<Value> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let same = |case: &&&Value| fresh.iter().any(|f| f["id"] == case["id"] && f["expect"] == case["expect"]);
        let alike = played.iter().filter(same).count();
        println!("{file}: {alike} of {} as they are (tests/oracle/{name})", played.len());
        for case in played.iter().filter(|case| !same(case)) {
            println!("  not: {}", case["id"].as_str().unwrap_or_default());
            status = 1;
        }
    }
    Ok(status)
}

/// `prove [FILE…] [--random FROM..TO] [--record]`: has the real schedulers play scenarios, by default those of the gallery.
pub fn prove(arguments: &[String]) -> Done<i32> {
    let (mut files, mut record, mut random) = (Vec::new(), false, None);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--record" => record = true,
            "--random" => random = Some(rest.next().ok_or("prove: --random FROM..TO")?.clone()),
            option if option.starts_with("--") => return Err(format!("prove: unknown option {option}")),
            file => files.push(std::path::absolute(file).map_err(|e| format!("{file}: {e}"))?),
        }
    }
    has_java()?;
    if let Some(numbers) = &random {
        let folder = root().join("target/random");
        let _ = std::fs::remove_dir_all(&folder);
        let mut c = cargo();
        run(c.args(["run", "--quiet", "-p", "heddle-tests", "--bin", "random", "--", numbers]).arg(&folder))?;
        files.extend(scenarios(&folder)?);
    }
    if files.is_empty() || record {
        files = scenarios(&root().join("scenarios"))?;
    }
    let mut c = cargo();
    c.args(["run", "--quiet", "-p", "heddle-cli", "--", "prove", "--oracle", "tests/oracle/hadoop/run"]);
    if record {
        c.arg("--json").stdout(Stdio::piped());
    }
    let done = c.args(&files).spawn().and_then(|child| child.wait_with_output()).map_err(|e| e.to_string())?;
    if record {
        write(&String::from_utf8_lossy(&done.stdout))?;
    }
    Ok(done.status.code().unwrap_or(1))
}

fn scenarios(folder: &std::path::Path) -> Done<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    files.retain(|f| f.extension().is_some_and(|x| x == "toml"));
    files.sort();
    Ok(files)
}

/// Records the proved scenarios, one per line, with the fingerprint of the run and the number of steps.
fn write(report: &str) -> Done {
    let report: Value = serde_json::from_str(report).map_err(|e| format!("the report of heddle prove: {e}"))?;
    let today = super::process::output(command("date").args(["-u", "+%F"])).unwrap_or_default();
    let hadoop = report["hadoop"].as_str().unwrap_or_default();
    let mut text = format!(
        "# What Hadoop {hadoop} decided alike, step by step ({}; `cargo xtask prove --record`).\n\
         # Scenario, fingerprint of its run, steps. A scenario that runs in another way now counts as not proved.\n",
        today.trim()
    );
    for row in report["scenarios"].as_array().into_iter().flatten() {
        let (steps, alike) = (row["steps"].as_u64().unwrap_or(0), row["alike"].as_u64().unwrap_or(0));
        let name = row["file"].as_str().and_then(|f| f.rsplit('/').next()).and_then(|f| f.strip_suffix(".toml"));
        if let (Some(name), true) = (name, steps > 0 && steps == alike) {
            text.push_str(&format!("{name} {} {steps}\n", row["fingerprint"].as_str().unwrap_or_default()));
        }
    }
    std::fs::write(root().join(RECORD), text).map_err(|e| format!("{RECORD}: {e}"))
}
