//! `cargo xtask`: everything that is done with the project beyond `cargo build`. Each command does the set-up that it
//! needs itself, says what it does, and is quick when nothing is to be done.

mod bench;
mod finish;
mod html;
mod machine;
mod page;
mod process;
mod setup;
mod single;
mod suite;

use process::Done;

const USAGE: &str = "usage: cargo xtask COMMAND
  serve [OPTION…]        build the page and serve it on http://127.0.0.1:8080/ (options go to `trunk serve`)
  test [--native]        all tests: native, the built page in browsers, the core in browsers (--native: only the first)
  conformance [FILE…] [--filter TEXT] [--json]
                         play the conformance cases, by default those in tests/conformance/
  bench [--quick] [--native]
                         heartbeats and decisions per second, native and in a browser (--quick: what takes seconds)
  dist [--single]        build the page for release into dist/ (--single: also as one file that runs from disk, heddle.html)
  setup                  only the set-up for all of these
Set-up installs what is missing into .tools/ of this folder: trunk, wasm-bindgen-cli, geckodriver, wasm-opt; browsers and
npm by apt-get where it may. Nothing else on this machine is changed.";

fn main() {
    let mut args = std::env::args().skip(1);
    let command = args.next().unwrap_or_default();
    let rest: Vec<String> = args.collect();
    let done: Done<i32> = match command.as_str() {
        "serve" => page::serve(&rest).map(|()| 0),
        "dist" => page::dist(&rest).map(|()| 0),
        "test" => suite::test(&rest),
        "conformance" => suite::conformance(&rest),
        "bench" => bench::all(&rest).map(|()| 0),
        "setup" => setup::everything().map(|()| 0),
        "finish" => finish::run().map(|()| 0),
        "help" | "--help" | "-h" => {
            println!("{USAGE}");
            Ok(0)
        }
        other => Err(format!("unknown command `{other}`\n{USAGE}")),
    };
    std::process::exit(done.unwrap_or_else(|e| {
        eprintln!("xtask: {e}");
        2
    }));
}
