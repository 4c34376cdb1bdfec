//! `cargo xtask test` and `cargo xtask conformance`.

use super::page;
use super::process::{Done, cargo, run_from_here, shown};
use super::setup::{self, Browser};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The numbers of passed and failed tests so far, and the output of failed ones.
#[derive(Default)]
struct Count {
    passed: u64,
    failed: u64,
    /// The names of failed tests.
    names: Vec<String>,
    /// The names of passed tests.
    fine: Vec<String>,
    /// The output of failed tests: repeated at the end, where people look.
    told: Vec<String>,
    /// Whether the current output is in the section of failures.
    telling: bool,
}

/// The maximum length in characters of a repeated line.
const LINE: usize = 400;
/// The maximum number of repeated lines.
const LINES: usize = 300;
/// The number of last lines kept of the error stream, in case a process ends without a report.
const LAST: usize = 40;

impl Count {
    /// Processes a line of the test harness: results such as `test result: ok. 5 passed; 1 failed; 0 ignored; …`, failed
    /// tests, and their output.
    fn line(&mut self, line: &str) {
        let ended = |how: &str| line.strip_prefix("test ").and_then(|l| l.strip_suffix(how));
        self.fine.extend(ended(" ... ok").map(str::to_owned));
        let failed = ended(" ... FAILED").or_else(|| ended(" ... FAIL"));
        self.names.extend(failed.map(str::to_owned));
        self.telling = (self.telling || line == "failures:") && !line.starts_with("test result: ");
        if self.telling && self.told.len() < LINES {
            self.told.push(line.chars().take(LINE).collect());
        }
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

    /// Counts a step that could not even be run as one failure.
    fn fail(&mut self, what: &str) {
        eprintln!("xtask: FAILED: {what}");
        self.told.push(what.to_owned());
        self.failed += 1;
    }

    /// Runs the failed tests of the built page again, alone. A browser on a loaded machine is sometimes late; a test that
    /// fails twice has failed. Those that pass now are listed by name.
    fn once_more(&mut self, browsers: impl Fn(&mut Command)) {
        if self.names.is_empty() {
            return;
        }
        let mut c = cargo();
        c.args(["test", "-p", "heddle-tests", "--no-fail-fast"])
            .args(PAGE_FILES)
            .args(["--", "--exact", "--test-threads", "1"])
            .args(&self.names);
        browsers(&mut c);
        let mut again = Self::default();
        again.tests(&mut c);
        self.passed += again.passed;
        self.failed = self.failed.saturating_sub(again.passed);
        self.told.extend(again.told);
        if again.passed > 0 {
            eprintln!("xtask: passed at the second try: {}", again.fine.join(", "));
        }
    }

    /// Prints the last line, after the output of failed tests.
    fn end(&self) {
        if self.failed > 0 {
            println!("\nwhat failed:\n{}\n", self.told.join("\n"));
        }
        println!("{} passed, {} failed", self.passed, self.failed);
    }

    /// Runs tests, shows their output, and counts.
    fn tests(&mut self, c: &mut Command) {
        eprintln!("xtask: {}", shown(c));
        let failed_before = self.failed;
        let mut child = match c.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn() {
            Ok(child) => child,
            Err(e) => return self.fail(&format!("{}: {e}", shown(c))),
        };
        // Cargo's messages, and those of a test that ends its process, go to the error stream, so its last lines are kept.
        let errors = child.stderr.take().map(|err| {
            std::thread::spawn(move || {
                let mut last = VecDeque::new();
                for line in BufReader::new(err).split(b'\n').map_while(Result::ok) {
                    let line = String::from_utf8_lossy(&line).into_owned();
                    eprintln!("{line}");
                    last.push_back(line);
                    if last.len() > LAST {
                        last.pop_front();
                    }
                }
                last
            })
        });
        if let Some(out) = child.stdout.take() {
            for line in BufReader::new(out).split(b'\n').map_while(Result::ok) {
                let line = String::from_utf8_lossy(&line);
                println!("{line}");
                self.line(&line);
            }
        }
        let ok = child.wait().is_ok_and(|s| s.success());
        let last = errors.and_then(|e| e.join().ok()).unwrap_or_default();
        if !ok && self.failed == failed_before {
            self.told.extend(last.iter().map(|line| line.chars().take(LINE).collect()));
            self.fail(&format!("`{}` did not run to its end", shown(c)));
        }
    }
}

/// Returns the wall clock (the core may not read it; a tool may).
#[allow(clippy::disallowed_methods)]
fn clock() -> std::time::SystemTime {
    std::time::SystemTime::now()
}

/// Runs all tests. The last line is `123 passed, 0 failed`.
pub fn test(options: &[String]) -> Done<i32> {
    let native_only = match options {
        [] => false,
        [one] if one == "--native" => true,
        other => return Err(format!("test: unknown option {}", other.join(" "))),
    };
    let mut count = Count::default();
    let started = clock();
    if native_only {
        count.tests(cargo().args(NATIVE).args(["--exclude", "heddle-tests"]));
        let mut files = cargo();
        files.args(["test", "-p", "heddle-tests", "--no-fail-fast", "--lib", "--bins"]);
        match native_files() {
            Ok(names) => names.iter().for_each(|name| {
                files.args(["--test", name]);
            }),
            Err(e) => count.fail(&e),
        }
        count.tests(&mut files);
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
        let drivers = |c: &mut Command| {
            for (browser, variable) in [(Browser::Chromium, "CHROMEDRIVER"), (Browser::Firefox, "GECKODRIVER")] {
                if let Some(driver) = browser.driver() {
                    c.env(variable, driver);
                }
            }
        };
        let mut native = cargo();
        drivers(native.args(NATIVE));
        count.tests(&mut native);
        count.once_more(drivers);
        // The page's own tests need no browser.
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
    count.end();
    Ok(i32::from(count.failed > 0))
}

/// The runner's variables for the two places in a browser.
const PAGE: &str = "WASM_BINDGEN_USE_BROWSER";
pub const WORKER: &str = "WASM_BINDGEN_USE_DEDICATED_WORKER";
const NATIVE: [&str; 5] = ["test", "--workspace", "--exclude", "heddle-web", "--no-fail-fast"];
/// Test files that open the built page in a browser.
const PAGE_FILES: [&str; 8] = ["--test", "page*", "--test", "boot", "--test", "loading", "--test", "offline"];

/// Returns the test files that need neither a browser nor the built page.
fn native_files() -> Done<Vec<String>> {
    let folder = super::process::root().join("tests/tests");
    let read = |e: std::io::Error| format!("{}: {e}", folder.display());
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(read)? {
        let path = entry.map_err(read)?.path();
        if path.extension().is_none_or(|x| x != "rs") {
            continue;
        }
        let text = std::fs::read_to_string(&path).map_err(read)?;
        // `mod support` provides the built page and its browsers.
        if !text.contains("mod support;") && !text.contains("thirtyfour") {
            names.extend(path.file_stem().map(|name| name.to_string_lossy().into_owned()));
        }
    }
    names.sort();
    Ok(names)
}

/// Runs the core's suite in one browser, in a page or in a worker.
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

/// Sets the browser, and the place in it, for the runner of wasm tests.
pub fn choose(c: &mut Command, browser: Browser, driver: PathBuf, place: &str) {
    // With both drivers named, the runner would always take the same one.
    c.env_remove("CHROMEDRIVER").env_remove("GECKODRIVER");
    let variable = if browser == Browser::Chromium { "CHROMEDRIVER" } else { "GECKODRIVER" };
    c.env(variable, driver).env(place, "1");
    c.env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", super::process::root().join("tests/webdriver.json"));
}

/// Runs the conformance runner, with its own arguments and exit status.
pub fn conformance(args: &[String]) -> Done<i32> {
    run_from_here(cargo().args(["run", "--quiet", "-p", "heddle-tests", "--bin", "conformance", "--"]).args(args))
}

/// Writes docs/sentences.md with the test that compares it with the templates.
pub fn sentences() -> Done {
    let mut c = cargo();
    c.args(["test", "-q", "-p", "heddle-player", "--lib", "the_page_is_as_it_is_made"]).env("HEDDLE_WRITE", "1");
    super::process::run(&mut c)
}

#[cfg(test)]
mod tests {
    use super::{Count, native_files};

    #[test]
    fn every_file_of_tests_is_said_to_protect_something() {
        let root = crate::process::root();
        let told = std::fs::read_to_string(root.join("docs/tests.md")).expect("docs/tests.md");
        for folder in ["tests/tests", "cli/tests", "web/engine/tests"] {
            for entry in std::fs::read_dir(root.join(folder)).expect(folder) {
                let path = entry.expect("a file").path();
                let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                let shown = if folder == "tests/tests" { format!("`{name}`") } else { format!("`{folder}/{name}.rs`") };
                assert!(path.extension().is_none_or(|x| x != "rs") || told.contains(&shown), "docs/tests.md: {shown}");
            }
        }
    }

    #[test]
    fn what_opens_no_page_needs_no_browser() {
        let names = native_files().expect("the folder of tests");
        let has = |name: &str| names.iter().any(|n| n == name);
        assert!(["conformance", "random", "read_back", "help", "why", "written"].into_iter().all(has), "{names:?}");
        assert!(!["page", "page_api", "boot", "loading", "offline", "policy"].into_iter().any(has), "{names:?}");
    }

    #[test]
    fn results_of_all_runs_add_up() {
        let mut count = Count::default();
        count.line("test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s");
        count.line("test result: FAILED. 2 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out");
        count.line("running 5 tests");
        assert_eq!((count.passed, count.failed), (7, 3));
    }

    #[test]
    fn what_failed_is_told_again_by_name_with_what_it_said() {
        let mut count = Count::default();
        let out = "test a ... ok\ntest m::b ... FAILED\n\nfailures:\n\n---- m::b stdout ----\nleft is not right\n\nfailures:\n    m::b\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored\nDoc-tests";
        out.lines().for_each(|l| count.line(l));
        assert_eq!(
            (count.names.as_slice(), count.fine.as_slice()),
            (["m::b".to_owned()].as_slice(), ["a".to_owned()].as_slice())
        );
        assert!(count.told.iter().any(|l| l == "left is not right"), "{:?}", count.told);
        assert!(!count.told.iter().any(|l| l.contains("Doc-tests") || l.contains("test result")), "{:?}", count.told);
    }
}
