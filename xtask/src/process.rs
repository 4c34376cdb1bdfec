//! Starts other programs, with the project's own tools first on the path.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The result of a step, or the reason why it failed, in words.
pub type Done<T = ()> = Result<T, String>;

/// Returns the project's folder.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// Returns the folder in which set-up installs tools.
pub fn tools() -> PathBuf {
    root().join(".tools")
}

/// Returns the path with the project's own tools first.
pub fn path() -> OsString {
    let mut folders = vec![tools().join("bin"), tools().join("npm/node_modules/.bin")];
    folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    std::env::join_paths(folders).unwrap_or_default()
}

/// Returns where a program is.
pub fn find(program: &str) -> Option<PathBuf> {
    let name = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&path()).map(|folder| folder.join(&name)).find(|p| p.is_file())
}

/// Creates a command in the project's folder, with the project's tools on its path.
pub fn command(program: impl AsRef<OsStr>) -> Command {
    let mut c = Command::new(program);
    c.current_dir(root()).env("PATH", path());
    // Trunk does not understand NO_COLOR=1.
    c.env_remove("NO_COLOR");
    c
}

/// Creates a command for the cargo that runs this.
pub fn cargo() -> Command {
    command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Returns a command as one would type it.
pub fn shown(c: &Command) -> String {
    let program = Path::new(c.get_program()).file_name().unwrap_or_default().to_string_lossy().into_owned();
    c.get_args().fold(program, |line, a| format!("{line} {}", a.to_string_lossy()))
}

/// Runs a command to its end. Errors: it could not be started, or failed.
pub fn run(c: &mut Command) -> Done {
    eprintln!("xtask: {}", shown(c));
    let status = c.status().map_err(|e| format!("{}: {e}", shown(c)))?;
    if status.success() { Ok(()) } else { Err(format!("`{}` failed ({status})", shown(c))) }
}

/// Runs a command in the caller's folder instead of the project's, since its arguments name files there. Returns its exit
/// status. Errors: it could not be started.
pub fn run_from_here(c: &mut Command) -> Done<i32> {
    if let Ok(here) = std::env::current_dir() {
        c.current_dir(here);
    }
    let status = c.status().map_err(|e| format!("{}: {e}", shown(c)))?;
    Ok(status.code().unwrap_or(1))
}

/// Returns a command's standard output; `None`: it cannot be started or fails.
pub fn output(c: &mut Command) -> Option<String> {
    let out = c.stderr(Stdio::null()).output().ok()?;
    out.status.success().then(|| String::from_utf8_lossy(&out.stdout).into_owned())
}
