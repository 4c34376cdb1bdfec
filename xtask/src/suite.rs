//! `cargo xtask test` and `cargo xtask conformance`.

use super::page;
use super::process::{Done, cargo, shown};
use super::setup::{self, Browser};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// How many tests passed and failed so far.
#[derive(Default)]
struct Count {
    passed: u64,
    failed: u64,
}

impl Count {
    /// Takes in a line such as `test result: ok. 5 passed; 1 failed; 0 ignored; …`.
    fn line(&mut self, line: &str) {
        let Some((_, counts)) = line.split_once("test result: ").and_then(|(_, r)| r.split_once(". ")) else { return };
        for part in counts.split(';') {
            let mut words = part.split_whitespace();
            let n = words.next().and_then(|n| n.parse::<u64>().ok()).unwrap_or(0);
            match words.next() {
                Some("passed") => self.passed += n,
                Some("failed") => self.failed += n,
                _ => {}
            }
        }
    }

    /// Something that could not even be tried counts as one failure.
    fn fail(&mut self, what: &str) {
        eprintln!("xtask: FAILED: {what}");
        self.failed += 1;
    }

    /// Runs tests, shows what they print, and counts.
    fn tests(&mut self, c: &mut Command) {
        eprintln!("xtask: {}", shown(c));
        let failed_before = self.failed;
        let mut child = match c.stdout(Stdio::piped()).spawn() {
            Ok(child) => child,
            Err(e) => return self.fail(&format!("{}: {e}", shown(c))),
        };
        if let Some(out) = child.stdout.take() {
            for line in BufReader::new(out).split(b'\n').map_while(Result::ok) {
                let line = String::from_utf8_lossy(&line);
                println!("{line}");
                self.line(&line);
            }
        }
        let ok = child.wait().is_ok_and(|s| s.success());
        if !ok && self.failed == failed_before {
            self.fail(&format!("`{}` did not run to its end", shown(c)));
        }
    }
}

/// The wall clock (the core may not read it; a tool may).
#[allow(clippy::disallowed_methods)]
fn clock() -> std::time::SystemTime {
    std::time::SystemTime::now()
}

/// All tests. The last line is `123 passed, 0 failed`.
pub fn test(options: &[String]) -> Done<i32> {
    let native_only = match options {
        [] => false,
        [one] if one == "--native" => true,
        other => return Err(format!("test: unknown option {}", other.join(" "))),
    };
    let mut count = Count::default();
    let started = clock();
    if native_only {
        count.tests(cargo().args(NATIVE).args(["--lib", "--bins"]));
        count.tests(cargo().args(["test", "--workspace", "--exclude", "heddle-web", "--no-fail-fast", "--doc"]));
        count.tests(cargo().args(["test", "-p", "heddle-tests", "--no-fail-fast"]).args(NATIVE_FILES));
    } else {
        if let Err(e) = setup::browsers() {
            count.fail(&e);
        }
        if let Err(e) = setup::axe() {
            eprintln!("xtask: {e}");
        }
        // The end-to-end tests open the built page.
        if let Err(e) = page::dist(&["--single".to_owned()]) {
            count.fail(&e);
        }
        let mut native = cargo();
        native.args(NATIVE);
        for (browser, variable) in [(Browser::Chromium, "CHROMEDRIVER"), (Browser::Firefox, "GECKODRIVER")] {
            if let Some(driver) = browser.driver() {
                native.env(variable, driver);
            }
        }
        count.tests(&mut native);
        // The page's own, which need no browser.
        count.tests(cargo().args(["test", "-p", "heddle-web"]));
        if let Err(e) = setup::wasm_tests() {
            count.fail(&e);
        }
        for browser in [Browser::Chromium, Browser::Firefox] {
            for place in [PAGE, WORKER] {
                in_browser(&mut count, browser, place);
            }
        }
    }
    let seconds = started.elapsed().map_or(0, |d| d.as_secs());
    eprintln!("xtask: all tests took {seconds} s");
    println!("{} passed, {} failed", count.passed, count.failed);
    Ok(i32::from(count.failed > 0))
}

/// The runner's variables for the two places in a browser.
const PAGE: &str = "WASM_BINDGEN_USE_BROWSER";
pub const WORKER: &str = "WASM_BINDGEN_USE_DEDICATED_WORKER";
const NATIVE: [&str; 5] = ["test", "--workspace", "--exclude", "heddle-web", "--no-fail-fast"];
/// Test files that need no browser and no built page.
const NATIVE_FILES: [&str; 8] = ["--test", "arrows", "--test", "conformance", "--test", "gallery", "--test", "speed"];

/// The core's suite in one browser, in a page or in a worker.
fn in_browser(count: &mut Count, browser: Browser, place: &str) {
    let Some(driver) = browser.driver().filter(|_| browser.ready()) else { return };
    let mut c = cargo();
    c.args(["test", "-p", "heddle-tests", "--target", "wasm32-unknown-unknown", "--no-fail-fast", "--test", "*"]);
    choose(&mut c, browser, driver, place);
    c.env("WASM_BINDGEN_TEST_TIMEOUT", "600");
    let what = if place == WORKER { "a dedicated worker" } else { "a page" };
    eprintln!("xtask: the core in {}, in {what}", browser.name());
    count.tests(&mut c);
}

/// Tells the runner of wasm tests which browser to take, and where in it.
pub fn choose(c: &mut Command, browser: Browser, driver: PathBuf, place: &str) {
    // With both drivers named the runner would always take the same one.
    c.env_remove("CHROMEDRIVER").env_remove("GECKODRIVER");
    let variable = if browser == Browser::Chromium { "CHROMEDRIVER" } else { "GECKODRIVER" };
    c.env(variable, driver).env(place, "1");
    c.env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", super::process::root().join("tests/webdriver.json"));
}

/// The conformance runner, with its own arguments and exit status.
pub fn conformance(args: &[String]) -> Done<i32> {
    run_quietly(cargo().args(["run", "--quiet", "-p", "heddle-tests", "--bin", "conformance", "--"]).args(args))
}

fn run_quietly(c: &mut Command) -> Done<i32> {
    // Files are named from where the caller stands, not from the project's folder.
    if let Ok(here) = std::env::current_dir() {
        c.current_dir(here);
    }
    let status = c.status().map_err(|e| format!("{}: {e}", shown(c)))?;
    Ok(status.code().unwrap_or(1))
}

#[cfg(test)]
mod tests {
    use super::Count;

    #[test]
    fn results_of_all_runs_add_up() {
        let mut count = Count::default();
        count.line("test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s");
        count.line("test result: FAILED. 2 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out");
        count.line("running 5 tests");
        assert_eq!((count.passed, count.failed), (7, 3));
    }
}
