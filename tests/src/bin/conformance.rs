//! `conformance [FILE…] [--filter TEXT] [--json]`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(heddle_tests::conformance::main(
        std::env::args().skip(1),
        &mut std::io::stdout(),
        &mut std::io::stderr(),
    ))
}
