//! `cargo xtask bench`: the same workloads natively and in a worker of a headless Chromium.

use super::process::{Done, cargo, run};
use super::setup::{self, Browser};
use super::suite;

/// Runs the native benches, then those in the browser. Errors: one could not be run, or its counts differ from the real
/// scheduler's.
pub fn all(options: &[String]) -> Done {
    let (mut quick, mut native) = (false, false);
    for option in options {
        match option.as_str() {
            "--quick" => quick = true,
            "--native" => native = true,
            other => return Err(format!("bench: unknown option {other}")),
        }
    }
    let mut c = cargo();
    c.args(["bench", "-p", "heddle-tests", "--bench", "speed", "--"]).args(quick.then_some("--quick"));
    let natively = run(&mut c);
    if native {
        return natively;
    }
    in_browser(quick).and(natively)
}

fn in_browser(quick: bool) -> Done {
    setup::wasm_tests()?;
    if !Browser::Chromium.ready() {
        setup::browsers()?;
    }
    let driver = Browser::Chromium.driver().ok_or("there is no driver of Chromium")?;
    let mut c = cargo();
    c.args(["test", "--release", "-p", "heddle-tests", "--target", "wasm32-unknown-unknown", "--bench", "speed", "--"]);
    c.args(["--nocapture", if quick { "quick" } else { "whole" }]);
    suite::choose(&mut c, Browser::Chromium, driver, suite::WORKER);
    c.env("WASM_BINDGEN_TEST_TIMEOUT", "3600");
    run(&mut c)
}
