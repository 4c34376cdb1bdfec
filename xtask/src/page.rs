//! Building and serving the page with trunk.

use super::process::{Done, command, root, run};
use super::setup;
use std::process::Command;

/// How the program is compiled. Names hold all types, because by them the program is cut (`parts`). The compiler would put
/// a function of any size into its only caller, where it is always loaded with it: instructions that count 40 times, with
/// all bounds but that for only callers 40 times as high, leave it what is good for size and keep large functions apart.
const FLAGS: &str = "-Csymbol-mangling-version=v0 -Cllvm-args=-inline-instr-cost=200 \
    -Cllvm-args=-inline-threshold=200 -Cllvm-args=-inline-call-penalty=1000";

/// Trunk, set up to compile the program so.
pub fn trunk() -> Command {
    let mut c = command("trunk");
    c.env_remove("RUSTFLAGS").env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", FLAGS);
    c
}

/// `cargo xtask serve`: until it is stopped.
pub fn serve(options: &[String]) -> Done {
    setup::page()?;
    eprintln!(
        "xtask: the page will be at http://127.0.0.1:8080/ ; it is built anew when a file changes, reload it then"
    );
    run(trunk().args(["serve", "--offline"]).args(options))
}

/// `cargo xtask dist`: the page for release, in `dist/`.
pub fn dist(options: &[String]) -> Done {
    setup::page()?;
    run(trunk().args(["build", "--release", "--offline"]).args(options))?;
    eprintln!(
        "xtask: the page is in {}; copy the folder to any static web server, under any path",
        root().join("dist").display()
    );
    Ok(())
}
