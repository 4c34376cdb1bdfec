//! How fast the scheduler decides: `cargo xtask bench`, or `cargo bench -p heddle-tests --bench speed -- [NAME…]`.
//! Each workload is played three times (large ones once), the best by processor time is printed; all must come to the
//! counts of the real scheduler.
#![allow(clippy::disallowed_methods)] // a bench reads the clock

use heddle_core::journal::{Folded, Recorder, Silent};
use heddle_tests::speed::{HEAD, Load, Measured, Time, WORKLOADS, Workload};
use std::process::ExitCode;
use std::time::Instant;

/// Processor time of this thread, where the system tells it.
fn cpu_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split_whitespace().next()?.parse::<u64>().ok()? as f64 / 1e9)
}

fn play<R: Recorder>(workload: Workload, recorder: impl Fn() -> R) -> Result<Measured, String> {
    let start = Instant::now();
    let clock = || {
        let wall = start.elapsed().as_secs_f64();
        Time { wall, cpu: cpu_seconds().unwrap_or(wall) }
    };
    let times = if workload.nodes >= 10_000 { 1 } else { 3 };
    let mut best: Option<Measured> = None;
    for _ in 0..times {
        let run = Load::new(workload, recorder())?.measure(&clock)?;
        if best.is_none_or(|b| run.time.cpu < b.time.cpu) {
            best = Some(run);
        }
    }
    best.ok_or_else(|| "not played".into())
}

fn main() -> ExitCode {
    // cargo passes `--bench`.
    let names: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let chosen = |w: &&Workload| names.is_empty() || names.iter().any(|n| n == w.name);
    let mut differs = false;
    let mut table = |title: &str, run: &dyn Fn(Workload) -> Result<Measured, String>| {
        println!("{title}\n{HEAD}");
        for workload in WORKLOADS.iter().filter(chosen) {
            match run(*workload) {
                Ok(m) => {
                    println!("{}", m.row(workload));
                    differs |= workload.truth.is_some_and(|t| t != m.counts);
                }
                Err(e) => {
                    println!("| {} | {e} |", workload.name);
                    differs = true;
                }
            }
        }
    };
    table("Native, nothing recorded:", &|w| play(w, || Silent));
    table("Native, reasons recorded and folded:", &|w| play(w, Folded::default));
    if let Ok(load) = std::fs::read_to_string("/proc/loadavg") {
        println!("load of the machine at the end: {}", load.trim());
    }
    ExitCode::from(u8::from(differs))
}
