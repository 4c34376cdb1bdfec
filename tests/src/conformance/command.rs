//! The runner as a command: takes arguments and prints lines. It implements `cargo xtask conformance` and `heddle
//! conformance`.

use super::{Deviations, File, run};
use std::io::Write;
use std::path::{Path, PathBuf};

const USAGE: &str = "usage: conformance [FILE…] [--filter TEXT] [--json]
  FILE           files of cases; default: every .json below tests/conformance/
  --filter TEXT  only cases whose area/id contains TEXT
  --json         one JSON document instead of lines
Exit status: 0 nothing failed, 1 something failed, 2 a file or an argument is wrong.";

/// Returns every `.json` below `tests/conformance/` of the project, in the order of their names.
pub fn default_files() -> Result<Vec<PathBuf>, String> {
    let here = Path::new("tests/conformance");
    let root = if here.is_dir() { here.to_owned() } else { Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance") };
    let mut files = Vec::new();
    for folder in [root.clone(), root.join("traces"), root.join("dumps")] {
        let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        files.extend(entries.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|x| x == "json")));
    }
    files.sort();
    Ok(files)
}

/// Runs with these arguments (without the program's name), writes to `out` and `err`, and returns the exit status.
pub fn main(args: impl IntoIterator<Item = String>, out: &mut dyn Write, err: &mut dyn Write) -> u8 {
    match command(args) {
        Ok((text, failed)) => {
            // A closed pipe (`| head`) is not a failure.
            let _ = out.write_all(text.as_bytes());
            u8::from(failed)
        }
        Err(message) => {
            let _ = writeln!(err, "{message}");
            2
        }
    }
}

fn command(args: impl IntoIterator<Item = String>) -> Result<(String, bool), String> {
    let (mut paths, mut filter, mut json) = (Vec::new(), None, false);
    let mut args = args.into_iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--json" => json = true,
            "--filter" => filter = Some(args.next().ok_or_else(|| format!("--filter needs a text\n{USAGE}"))?),
            "--help" | "-h" => return Ok((format!("{USAGE}\n"), false)),
            other => match other.strip_prefix("--filter=") {
                Some(text) => filter = Some(text.to_owned()),
                None if other.starts_with('-') => return Err(format!("unknown option {other}\n{USAGE}")),
                None => paths.push(PathBuf::from(arg)),
            },
        }
    }
    if paths.is_empty() {
        paths = default_files()?;
    }
    let mut files = Vec::with_capacity(paths.len());
    for path in &paths {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|e| format!("{name}: {e}"))?;
        files.push(File::read(&name, &text)?);
    }
    let report = run(&files, &Deviations::ours()?, filter.as_deref());
    if report.passed() + report.failed() + report.skipped() == 0 {
        let named = filter.map_or(String::new(), |text| format!(" whose area/id contains {text}"));
        return Err(format!("there is no case{named} in these files"));
    }
    let text = if json { format!("{:#}\n", report.json()) } else { report.text() };
    Ok((text, report.failed() > 0))
}
