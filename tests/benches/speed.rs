//! How fast the scheduler decides, natively and in a browser: `cargo xtask bench`, which runs
//! `cargo bench -p heddle-tests --bench speed -- [--quick] [NAME…]` and, in a worker of a headless browser, the tests below.
#![allow(clippy::disallowed_methods)] // a bench reads the clock

use heddle_tests::bench::{Choice, report};
use heddle_tests::speed::Clock;

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    let start = std::time::Instant::now();
    // Processor time of this thread, where the system tells it.
    let cpu = || {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        Some(text.split_whitespace().next()?.parse::<u64>().ok()? as f64 / 1e9)
    };
    let wall = || start.elapsed().as_secs_f64();
    let clock = Clock { wall: &wall, cpu: &|| cpu().unwrap_or_else(wall) };
    let args: Vec<String> = std::env::args().skip(1).collect();
    let choice = Choice {
        quick: args.iter().any(|a| a == "--quick"),
        // cargo passes `--bench`.
        names: args.into_iter().filter(|a| !a.starts_with("--")).collect(),
    };
    let all = choice.names.is_empty();
    let mut as_truth = report(&choice, &clock, &mut |line| println!("{line}"));
    if all || choice.names.iter().any(|n| n == "memory") {
        let apps: &[usize] = if choice.quick { &[500] } else { &[500, 1_000, 2_000, 4_000, 6_500, 8_000] };
        as_truth &= heddle_tests::memory::report(apps, &clock, &resident, &mut |line| println!("{line}"));
    }
    if let Ok(load) = std::fs::read_to_string("/proc/loadavg") {
        println!("load of the machine at the end: {}", load.trim());
    }
    std::process::ExitCode::from(u8::from(!as_truth))
}

/// Bytes of memory that this program has, where the system tells it.
#[cfg(not(target_arch = "wasm32"))]
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.trim().split(' ').next().and_then(|kb| kb.parse::<usize>().ok()).unwrap_or_default() << 10
}

#[cfg(target_arch = "wasm32")]
fn main() {}

#[cfg(target_arch = "wasm32")]
mod browser {
    use super::*;
    use wasm_bindgen_test::{console_log, wasm_bindgen_test};

    /// What a method of a global object gives, where there is one.
    fn call(object: &str, method: &str) -> Option<js_sys::Object> {
        let object = js_sys::Reflect::get(&js_sys::global(), &object.into()).ok().filter(|o| o.is_object())?;
        let method = js_sys::Reflect::get(&object, &method.into()).ok().filter(|f| f.is_function())?;
        Some(js_sys::Function::from(method).call0(&object).ok()?.into())
    }

    /// Processor time, which Node.js tells and browsers do not.
    fn cpu_seconds() -> Option<f64> {
        let usage = call("process", "cpuUsage")?;
        let part = |name: &str| js_sys::Reflect::get(&usage, &name.into()).ok()?.as_f64();
        Some((part("user")? + part("system")?) / 1e6)
    }

    fn play(quick: bool) {
        let wall = || call("performance", "now").and_then(|ms| ms.as_f64()).unwrap_or(0.0) / 1000.0;
        let clock = Clock { wall: &wall, cpu: &|| cpu_seconds().unwrap_or_else(wall) };
        let choice = Choice { quick, ..Choice::default() };
        assert!(report(&choice, &clock, &mut |line| console_log!("{line}")), "other counts than the real scheduler's");
    }

    #[wasm_bindgen_test]
    fn quick() {
        play(true);
    }

    #[wasm_bindgen_test]
    fn whole() {
        play(false);
    }
}
