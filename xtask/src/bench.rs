//! `cargo xtask bench`.

use super::process::{Done, cargo, run};

/// Native benches.
pub fn run_native(options: &[String]) -> Done {
    run(cargo().args(["bench", "-p", "heddle-tests", "--bench", "speed", "--"]).args(options))
}

/// All benches.
pub fn all(options: &[String]) -> Done {
    run_native(options)
}
