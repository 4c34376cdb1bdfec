//! `cargo xtask`: all project tasks beyond `cargo build`. Each command performs its own set-up, prints what it does, and is
//! quick when nothing needs to be done.

mod bench;
mod finish;
mod html;
mod light;
mod machine;
mod notices;
mod oracle;
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
  oracle NAME [ARGUMENT…]
                         ask the real classes (hadoop, slider, samza, clients, names; see tests/oracle/README.md): `oracle hadoop gen
                         capacity-basic 1 5` makes traces. `oracle replay FILE…` plays files of tests/conformance once more.
                         Needs a JDK and Maven, as `prove` does; nothing else here does
  prove [FILE…] [--random FROM..TO] [--record]
                         have the real schedulers play scenarios (by default the gallery) and compare every decision; --random:
                         scenarios by these numbers; --record: keep the gallery's result in scenarios/proved.txt
  bench [--quick] [--native]
                         heartbeats and decisions per second, native and in a browser (--quick: what takes seconds)
  dist [--single]        build the page for release into dist/ (--single: also as one file that runs from disk, dist/heddle.html)
  sentences              write docs/sentences.md: every sentence that Heddle says, with one, two, many and none
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
        "oracle" => oracle::oracle(&rest),
        "prove" => oracle::prove(&rest),
        "bench" => bench::all(&rest).map(|()| 0),
        "sentences" => suite::sentences().map(|()| 0),
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

#[cfg(test)]
mod tests {
    use super::USAGE;

    /// Returns the usage of a command: its line and the following ones up to the next command.
    fn usage(command: &str) -> Option<String> {
        let begins = |line: &str| {
            line.strip_prefix("  ").filter(|l| l.starts_with(|c: char| c.is_ascii_lowercase())).map(String::from)
        };
        let mut lines = USAGE.lines().skip_while(|l| begins(l).is_none_or(|l| l.split(' ').next() != Some(command)));
        let first = lines.next()?.to_string();
        Some(lines.take_while(|l| begins(l).is_none() && l.starts_with(' ')).fold(first, |all, line| all + line))
    }

    /// Returns the commands `cargo xtask …` of a document, in backticks or on a line of their own.
    fn commands(text: &str) -> Vec<&str> {
        let of = text.split("cargo xtask ").skip(1);
        of.filter_map(|rest| rest.split(['`', '\n', ';', '#', '"']).next())
            .map(str::trim)
            .filter(|c| !c.is_empty())
            .collect()
    }

    #[test]
    fn every_xtask_command_of_the_documents_is_one_with_these_options() {
        let root = super::process::root();
        let mut texts = vec![
            root.join("README.md"),
            root.join(".ci/run"),
            root.join("tests/conformance/README.md"),
            root.join("rust-toolchain.toml"),
        ];
        let docs = std::fs::read_dir(root.join("docs")).expect("docs").map(|e| e.expect("a file").path());
        texts.extend(docs.filter(|path| path.extension().is_some_and(|e| e == "md")));
        let mut seen = 0;
        for path in texts {
            let text = std::fs::read_to_string(&path).expect("a text");
            for command in commands(&text) {
                seen += 1;
                let name = command.split([' ', ',', ')']).next().unwrap_or_default();
                // Only Trunk's hooks call this.
                if name == "finish" || name == "COMMAND" {
                    continue;
                }
                let usage = usage(name).unwrap_or_else(|| panic!("{}: cargo xtask {command}", path.display()));
                for option in command.split([' ', '[', ']']).filter(|word| word.starts_with("--")) {
                    assert!(usage.contains(option), "{}: cargo xtask {command}: {option}", path.display());
                }
            }
        }
        assert!(seen > 10, "only {seen} commands were found");
    }

    #[test]
    fn every_command_of_the_usage_is_one() {
        let code = include_str!("main.rs");
        for name in ["serve", "test", "conformance", "oracle", "prove", "bench", "dist", "sentences", "setup"] {
            assert!(usage(name).is_some() && code.contains(&format!("\"{name}\" =>")), "{name}");
        }
        assert!(usage("record").is_none() && usage("build").is_none());
    }
}
