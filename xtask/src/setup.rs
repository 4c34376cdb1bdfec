//! Set-up: what building and testing need beyond Rust itself, as far as it is missing.

use super::process::{Done, cargo, command, find, output, root, run, shown, tools};
use std::path::PathBuf;
use std::process::Command;

/// 0.22 needs a newer Rust than this project.
const TRUNK: &str = "0.21.14";
const GECKODRIVER: &str = "0.37.1";
const BINARYEN: &str = "132.0.0";
const WASM: &str = "wasm32-unknown-unknown";

/// All that any command needs.
pub fn everything() -> Done {
    page()?;
    browsers()?;
    axe()?;
    eprintln!("xtask: set-up is complete");
    Ok(())
}

/// What building the page needs.
pub fn page() -> Done {
    wasm_target()?;
    wasm_bindgen()?;
    if !version_of("trunk").starts_with("0.21.") {
        install("trunk", TRUNK, &["--no-default-features", "--debug"])?;
    }
    wasm_opt();
    Ok(())
}

/// What building and running the core's tests in a browser needs.
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

/// The version in Cargo.lock: the tool must be of exactly the same.
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

/// Builds a tool into `.tools/`, in a way that takes minutes less than its own release profile.
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

/// wasm-opt makes the page about 8 % smaller; the build does without where it cannot be had.
fn wasm_opt() {
    if find("wasm-opt").is_some() {
        return;
    }
    let Some(npm) = npm() else {
        eprintln!("xtask: wasm-opt is missing and there is no npm to get it; the page will be about 8 % larger");
        return;
    };
    let mut c = command(npm);
    c.args(["install", "--no-audit", "--no-fund", "--no-save", "--prefix"]).arg(tools().join("npm"));
    c.arg(format!("binaryen@{BINARYEN}"));
    if let Err(e) = run(&mut c) {
        eprintln!("xtask: {e}; without wasm-opt the page will be about 8 % larger");
    }
}

/// npm, by which wasm-opt and the accessibility checker come; by apt-get where there is none and it may.
fn npm() -> Option<PathBuf> {
    find("npm").or_else(|| {
        apt(&["npm"]);
        find("npm")
    })
}

/// The accessibility checker of the end-to-end tests. Errors: it could not be had.
pub fn axe() -> Done {
    let there = root().join("tests/node_modules/axe-core/axe.min.js");
    if there.is_file() {
        return Ok(());
    }
    let npm = npm().ok_or("axe-core checks accessibility and comes by npm, which is missing: install Node.js")?;
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

    /// The browser itself.
    fn program(self) -> Option<PathBuf> {
        let names: &[&str] = match self {
            Browser::Chromium => &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"],
            Browser::Firefox => &["firefox-esr", "firefox"],
        };
        names.iter().find_map(|n| find(n))
    }

    /// Its WebDriver. (Some machines for CI name the folder in a variable.)
    pub fn driver(self) -> Option<PathBuf> {
        let (variable, folder, name) = match self {
            Browser::Chromium => ("CHROMEDRIVER", "CHROMEWEBDRIVER", "chromedriver"),
            Browser::Firefox => ("GECKODRIVER", "GECKOWEBDRIVER", "geckodriver"),
        };
        let named = std::env::var_os(variable).map(PathBuf::from).filter(|p| p.is_file());
        let inside = std::env::var_os(folder).map(|f| PathBuf::from(f).join(name)).filter(|p| p.is_file());
        named.or(inside).or_else(|| find(name))
    }

    /// Can it be used?
    pub fn ready(self) -> bool {
        self.program().is_some() && self.driver().is_some()
    }

    /// What to do when it cannot be installed here.
    fn advice(self) -> String {
        let what = match self {
            Browser::Chromium => "Chromium or Chrome, and the chromedriver of the same version",
            Browser::Firefox => "Firefox, and geckodriver",
        };
        let packages = match self {
            Browser::Chromium => "apt-get install chromium chromium-driver",
            Browser::Firefox => "apt-get install firefox-esr; cargo install geckodriver",
        };
        format!("{what}, on the PATH (Debian: {packages}; elsewhere from their makers)")
    }
}

/// Both browsers with their drivers. Errors: what is missing, and what to do.
pub fn browsers() -> Done {
    let mut packages = Vec::new();
    if Browser::Chromium.program().is_none() {
        packages.push("chromium");
    }
    if Browser::Chromium.driver().is_none() {
        packages.push("chromium-driver");
    }
    if Browser::Firefox.program().is_none() {
        packages.push("firefox-esr");
    }
    if !packages.is_empty() {
        apt(&packages);
    }
    if Browser::Firefox.program().is_some() && Browser::Firefox.driver().is_none() {
        install("geckodriver", GECKODRIVER, &[])?;
    }
    let missing: Vec<String> = [Browser::Chromium, Browser::Firefox]
        .into_iter()
        .filter(|b| !b.ready())
        .map(|b| format!("  {}: install {}", b.name(), b.advice()))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(format!("browsers for the tests are missing and could not be installed here:\n{}", missing.join("\n")))
}

/// Installs packages where we are root on a Debian-like system, or may become root without being asked.
fn apt(packages: &[&str]) {
    let Some(apt) = find("apt-get") else { return };
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

/// Keeps a talkative command's chatter off standard output.
fn quiet(c: &mut Command) -> &mut Command {
    eprintln!("xtask: installing ({})", shown(c));
    c.stdout(std::process::Stdio::null())
}
