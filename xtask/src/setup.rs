//! Set-up: installs what building and testing need beyond Rust itself, as far as it is missing.

use super::machine::{self, Need, Program, advice};
use super::process::{Done, cargo, command, find, output, path, root, run, shown, tools};
use std::path::PathBuf;
use std::process::Command;

/// Version 0.22 needs a newer Rust than this project.
const TRUNK: &str = "0.21.14";
const GECKODRIVER: &str = "0.37.1";
/// Trunk.toml names the same version.
const BINARYEN: &str = "132.0.0";
const WASM: &str = "wasm32-unknown-unknown";

/// Installs everything that any command needs. Reports first, and all at once, what cannot be installed here.
pub fn everything() -> Done {
    let missing = install_missing(&[Need::Npm]);
    if !missing.is_empty() {
        return Err(advice(&missing));
    }
    page()?;
    wasm_opt();
    browsers()?;
    axe()?;
    eprintln!("xtask: set-up is complete");
    Ok(())
}

/// Installs what building the page needs.
pub fn page() -> Done {
    wasm_target()?;
    wasm_bindgen()?;
    if !version_of("trunk").starts_with("0.21.") {
        install("trunk", TRUNK, &["--no-default-features", "--debug"])?;
    }
    Ok(())
}

/// Installs what building and running the core's tests in a browser needs.
pub fn wasm_tests() -> Done {
    wasm_target()?;
    wasm_bindgen()
}

fn version_of(program: &str) -> String {
    let Some(path) = find(program) else { return String::new() };
    let text = output(command(path).arg("--version")).unwrap_or_default();
    text.split_whitespace().find(|w| w.starts_with(|c: char| c.is_ascii_digit())).unwrap_or("").to_owned()
}

fn wasm_target() -> Done {
    let there = output(command("rustc").args(["--print", "sysroot"]))
        .is_some_and(|sysroot| PathBuf::from(sysroot.trim()).join("lib/rustlib").join(WASM).is_dir());
    if there {
        return Ok(());
    }
    if find("rustup").is_none() {
        return Err(format!(
            "Rust's target {WASM} is missing and there is no rustup to add it. Install Rust by rustup, or your \
             distribution's package of that target (Debian: libstd-rust-dev-wasm32)."
        ));
    }
    run(command("rustup").args(["target", "add", WASM]))
}

/// Returns the version in Cargo.lock: the tool's version must be exactly the same.
fn locked_wasm_bindgen() -> Done<String> {
    let path = root().join("Cargo.lock");
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut lines = text.lines().skip_while(|l| *l != "name = \"wasm-bindgen\"").skip(1);
    let version = lines.next().and_then(|l| l.strip_prefix("version = \"")).and_then(|v| v.strip_suffix('"'));
    version.map(str::to_owned).ok_or_else(|| "Cargo.lock names no version of wasm-bindgen".into())
}

fn wasm_bindgen() -> Done {
    let wanted = locked_wasm_bindgen()?;
    if version_of("wasm-bindgen") == wanted && find("wasm-bindgen-test-runner").is_some() {
        return Ok(());
    }
    install("wasm-bindgen-cli", &wanted, &["--no-default-features"])
}

/// Builds a tool into `.tools/`, minutes faster than with its own release profile.
fn install(package: &str, version: &str, options: &[&str]) -> Done {
    eprintln!("xtask: {package} {version} is missing; building it into .tools/ (one to three minutes, only this once)");
    let target = tools().join("build");
    let attempt = |locked: bool| {
        let mut c = cargo();
        c.args(["install", package, "--version", version, "--root"]).arg(tools()).args(options);
        if locked {
            c.arg("--locked");
        }
        c.env("CARGO_TARGET_DIR", &target)
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .env("CARGO_PROFILE_DEV_INCREMENTAL", "false")
            .env("CARGO_PROFILE_RELEASE_LTO", "off")
            .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1");
        run(&mut c)
    };
    // A registry may lag behind the tool's own lock file.
    let done = attempt(true).or_else(|_| {
        eprintln!("xtask: {package}'s own lock file cannot be satisfied here; trying without it");
        attempt(false)
    });
    let _ = std::fs::remove_dir_all(&target);
    done.map_err(|e| format!("{e}\n{package} {version} is needed. Install it yourself and try again."))
}

/// Returns whether the pinned wasm-opt is available, after trying to install it. Other versions are not used, since
/// systems' versions differ by years. Without it, the build skips the step.
pub fn wasm_opt() -> bool {
    let folder = tools().join("npm/node_modules/binaryen");
    let there = || {
        let wanted = format!("\"version\": \"{BINARYEN}\"");
        std::fs::read_to_string(folder.join("package.json")).is_ok_and(|text| text.contains(&wanted))
    };
    if there() {
        return true;
    }
    let loss = "without wasm-opt both programs will be about 8 % larger, and somewhat slower";
    let Some(npm) = npm() else {
        eprintln!("xtask: there is no npm to get wasm-opt by; {loss}");
        return false;
    };
    let mut c = command(npm);
    c.args(["install", "--no-audit", "--no-fund", "--no-save", "--prefix"]).arg(tools().join("npm"));
    c.arg(format!("binaryen@{BINARYEN}"));
    if let Err(e) = run(&mut c) {
        eprintln!("xtask: {e}; {loss}");
    }
    there()
}

/// Returns npm, which installs wasm-opt and the accessibility checker; installs it with apt-get if it is missing and that
/// is permitted.
fn npm() -> Option<PathBuf> {
    find("npm").or_else(|| {
        apt(&["npm"]);
        find("npm")
    })
}

/// Installs the accessibility checker of the end-to-end tests. Errors: it could not be installed.
pub fn axe() -> Done {
    let there = root().join("tests/node_modules/axe-core/axe.min.js");
    if there.is_file() {
        return Ok(());
    }
    let npm = npm().ok_or_else(|| advice(&[Need::Npm]))?;
    run(command(npm).args(["ci", "--no-audit", "--no-fund", "--prefix", "tests"]))
}

/// A browser with its driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Browser {
    Chromium,
    Firefox,
}

impl Browser {
    pub fn name(self) -> &'static str {
        match self {
            Browser::Chromium => "Chromium",
            Browser::Firefox => "Firefox",
        }
    }

    /// Returns the browser itself.
    fn program(self) -> Option<PathBuf> {
        self.find(if self == Browser::Chromium { Program::Chromium } else { Program::Firefox })
    }

    /// Returns its WebDriver. (Some CI machines name the folder in a variable.)
    pub fn driver(self) -> Option<PathBuf> {
        let (variable, folder, name) = match self {
            Browser::Chromium => ("CHROMEDRIVER", "CHROMEWEBDRIVER", "chromedriver"),
            Browser::Firefox => ("GECKODRIVER", "GECKOWEBDRIVER", "geckodriver"),
        };
        let named = std::env::var_os(variable).map(PathBuf::from).filter(|p| p.is_file());
        let inside = std::env::var_os(folder).map(|f| PathBuf::from(f).join(name)).filter(|p| p.is_file());
        let program = if self == Browser::Chromium { Program::Chromedriver } else { Program::Geckodriver };
        named.or(inside).or_else(|| self.find(program))
    }

    fn find(self, program: Program) -> Option<PathBuf> {
        let folders: Vec<PathBuf> = std::env::split_paths(&path()).collect();
        let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
        machine::find(program, &folders, &home, |p| p.is_file())
    }

    /// Returns whether it can be used. A driver finds its browser in more places than we know.
    pub fn ready(self) -> bool {
        self.driver().is_some()
    }
}

/// Returns what the browser tests lack.
fn missing(also: &[Need]) -> Vec<Need> {
    let mut needs = Vec::new();
    if !Browser::Chromium.ready() {
        if Browser::Chromium.program().is_none() {
            needs.push(Need::Chromium);
        }
        needs.push(Need::Chromedriver);
    }
    // Geckodriver is built if Firefox is there.
    if !Browser::Firefox.ready() && Browser::Firefox.program().is_none() {
        needs.push(Need::Firefox);
    }
    needs.extend(also.iter().filter(|need| **need != Need::Npm || find("npm").is_none()));
    needs
}

/// Returns what is still missing after trying to install it.
fn install_missing(also: &[Need]) -> Vec<Need> {
    let packages: Vec<&str> = missing(also).into_iter().map(Need::debian).collect();
    if !packages.is_empty() {
        apt(&packages);
    }
    missing(also)
}

/// Installs both browsers with their drivers. Errors: what is missing, and what to do.
pub fn browsers() -> Done {
    let missing = install_missing(&[]);
    if !Browser::Firefox.ready() && Browser::Firefox.program().is_some() {
        install("geckodriver", GECKODRIVER, &[])?;
    }
    if missing.is_empty() { Ok(()) } else { Err(advice(&missing)) }
}

/// Installs packages if we are root on Debian, or may become root without a password. (Ubuntu has no such packages.)
fn apt(packages: &[&str]) {
    let debian = std::fs::read_to_string("/etc/os-release").is_ok_and(|text| text.lines().any(|l| l == "ID=debian"));
    let Some(apt) = find("apt-get").filter(|_| debian) else { return };
    let root = output(command("id").arg("-u")).is_some_and(|id| id.trim() == "0");
    let sudo = !root && output(command("sudo").args(["-n", "true"])).is_some();
    if !root && !sudo {
        return;
    }
    let call = |args: &[&str]| -> Done {
        let mut c = if sudo {
            let mut c = command("sudo");
            c.arg("-n").arg(&apt);
            c
        } else {
            command(&apt)
        };
        c.args(args).env("DEBIAN_FRONTEND", "noninteractive");
        run(quiet(&mut c))
    };
    let mut install = vec!["install", "-y", "-qq", "--no-install-recommends"];
    install.extend(packages);
    if let Err(e) = call(&["update", "-qq"]).and_then(|()| call(&install)) {
        eprintln!("xtask: {e}");
    }
}

/// Keeps a command's output off standard output.
fn quiet(c: &mut Command) -> &mut Command {
    eprintln!("xtask: installing ({})", shown(c));
    c.stdout(std::process::Stdio::null())
}
