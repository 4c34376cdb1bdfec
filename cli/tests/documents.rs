//! Runs every command and every snippet of the documents and of `--help` as written. For commands that are too expensive,
//! only checks that what they name exists. A command of an unknown kind fails the test.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the project's folder")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// Returns all documents of the project.
fn documents() -> Vec<String> {
    let mut out = vec!["README.md".to_string()];
    for folder in ["docs", "tests/conformance"] {
        for entry in std::fs::read_dir(root().join(folder)).expect("a folder") {
            let name = entry.expect("a file").file_name().to_string_lossy().into_owned();
            if name.ends_with(".md") {
                out.push(format!("{folder}/{name}"));
            }
        }
    }
    out.sort();
    out
}

/// Returns the fenced blocks of a document: language and lines.
fn blocks(document: &str) -> Vec<(String, Vec<String>)> {
    let (mut out, mut open): (Vec<(String, Vec<String>)>, bool) = (Vec::new(), false);
    for line in read(document).lines() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            if !open {
                out.push((language.trim().to_string(), Vec::new()));
            }
            open = !open;
        } else if open && let Some((_, lines)) = out.last_mut() {
            lines.push(line.to_string());
        }
    }
    assert!(!open, "{document}: a block is not closed");
    out
}

/// Beginnings of commands, in running text and in indented lines.
const BEGINNINGS: [&str; 7] = ["heddle ", "cargo ", "trunk ", "git ", "mkdir ", "HEDDLE_", ".ci/"];

/// Returns the commands of a document: lines of its shell blocks, indented lines, and text in backticks.
fn commands(document: &str) -> Vec<String> {
    let begins = |text: &str| BEGINNINGS.iter().any(|b| text.starts_with(b));
    let mut out: Vec<String> = Vec::new();
    for (_, lines) in blocks(document).iter().filter(|(language, _)| language == "sh") {
        out.extend(lines.iter().filter(|l| !l.trim().is_empty()).cloned());
    }
    let text = read(document);
    let mut fenced = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced && line.starts_with("    ") && begins(line.trim()) {
            out.push(line.trim().to_string());
        } else if !fenced {
            // `heddle = 1` is a line of a scenario.
            let code = line.split('`').skip(1).step_by(2).filter(|code| begins(code) && !code.starts_with("heddle = "));
            out.extend(code.map(String::from));
        }
    }
    out
}

/// Splits a command into words, without its comment; quotes hold words together.
fn words(command: &str) -> Vec<String> {
    let (mut out, mut word, mut quote) = (Vec::new(), String::new(), None);
    for c in command.chars() {
        match (c, quote) {
            ('#', None) if word.is_empty() => break,
            ('"' | '\'', None) => quote = Some(c),
            (_, Some(q)) if c == q => quote = None,
            (' ', None) => {
                if !word.is_empty() {
                    out.push(std::mem::take(&mut word));
                }
            }
            _ => word.push(c),
        }
    }
    if !word.is_empty() {
        out.push(word);
    }
    out
}

/// Cases that run quickly.
const SOME: &str = "samza/";

/// Runs `heddle` in the project's folder, as a shell would: `*` stands for all matching files.
fn heddle(words: &[String]) -> Result<(), String> {
    let mut args: Vec<String> = Vec::new();
    for word in words {
        match word.split_once("*") {
            Some((before, after)) if before.ends_with('/') => {
                let mut found: Vec<String> = std::fs::read_dir(root().join(before))
                    .map_err(|e| format!("{before}: {e}"))?
                    .filter_map(|e| Some(e.ok()?.file_name().to_string_lossy().into_owned()))
                    .filter(|name| name.ends_with(after))
                    .collect();
                found.sort();
                args.extend(found.into_iter().map(|name| format!("{before}{name}")));
            }
            _ => args.push(word.clone()),
        }
    }
    // The running text mentions a command: checks that it exists.
    if args.len() == 1 && args[0] != "conformance" {
        args.push("--help".into());
    }
    // The real classes need a JDK, and have a double in cli/tests/command_line.rs: here only checks that the scenarios
    // exist.
    if args.first().is_some_and(|a| a == "prove") {
        let missing = args.iter().skip(1).find(|file| !root().join(file).exists());
        return missing.map_or(Ok(()), |file| Err(format!("{file} is not there")));
    }
    // All cases take minutes, and tests/tests/conformance.rs plays them: here only checks that the command exists.
    if args.first().is_some_and(|a| a == "conformance") {
        args.extend(["--filter".to_string(), SOME.to_string()]);
    }
    let out = Command::new(env!("CARGO_BIN_EXE_heddle"))
        .args(&args)
        .current_dir(root())
        .stdin(Stdio::null())
        .output()
        .map_err(|e| e.to_string())?;
    let said = String::from_utf8_lossy(&out.stderr);
    if out.status.success() {
        Ok(())
    } else {
        Err(format!("{}\n{said}{}", out.status, String::from_utf8_lossy(&out.stdout)))
    }
}

/// Checks that what a Cargo command names exists.
fn cargo(words: &[String]) -> Result<(), String> {
    let named = |flag: &str| words.iter().position(|w| w == flag).and_then(|at| words.get(at + 1));
    let there = |path: String| if root().join(&path).exists() { Ok(()) } else { Err(format!("{path} is not there")) };
    let package = |name: &String| {
        let short = name.strip_prefix("heddle-").unwrap_or(name);
        // The page's crate is `heddle-web`; its folder, and those of its neighbours, are in `web`.
        let browser = format!("web/{}", if short == "web" { "page" } else { short });
        if root().join(&browser).is_dir() { browser } else { short.into() }
    };
    let folder = named("-p").map(package).or_else(|| named("--path").cloned());
    match words.first().map(String::as_str) {
        // Its subcommands belong to xtask, which has its own test for them.
        Some("xtask") if words.len() > 1 => there("xtask/src/main.rs".into()),
        Some("test" | "bench") => {
            let folder = folder.ok_or("no package is named")?;
            there(format!("{folder}/Cargo.toml"))?;
            for (flag, inside) in [("--test", "tests"), ("--bench", "benches")] {
                if let Some(name) = named(flag) {
                    there(format!("{folder}/{inside}/{name}.rs"))?;
                }
            }
            Ok(())
        }
        Some("install") if folder.is_some() => there(format!("{}/Cargo.toml", folder.unwrap_or_default())),
        Some("+nightly") if words.get(1..5) == Some(&["fuzz", "run", "--fuzz-dir", "tests/fuzz"].map(String::from)) => {
            there(format!("tests/fuzz/fuzz_targets/{}.rs", words.get(5).cloned().unwrap_or_default()))?;
            for word in words.iter().skip(6) {
                match word.strip_prefix("-dict=") {
                    Some(dictionary) => there(dictionary.into())?,
                    // The corpus is created by the previous line, or by cargo-fuzz.
                    None if word.starts_with('-') || word.starts_with("tests/fuzz/corpus/") => {}
                    None => there(word.clone())?,
                }
            }
            Ok(())
        }
        _ => Err("nobody knows how to run it".into()),
    }
}

/// Commands that change a machine, or that belong to other programs.
const OTHERS: [&str; 7] = [
    "git clone <this repository> heddle && cd heddle",
    "cargo build",
    "cargo install cargo-fuzz",
    "cargo doc",
    "trunk build --release",
    "mkdir -p tests/fuzz/corpus/scenario",
    "trunk serve",
];

fn run(command: &str) -> Result<(), String> {
    let all = words(command);
    let settings =
        all.iter().take_while(|w| w.split_once('=').is_some_and(|(name, _)| name.to_uppercase() == name)).count();
    let words = &all[settings..];
    let plain = words.join(" ");
    for setting in &all[..settings] {
        let name = setting.split('=').next().unwrap_or_default();
        if !is_read(name) {
            return Err(format!("nothing reads {name}"));
        }
    }
    match words.split_first() {
        None if settings > 0 => Ok(()),
        _ if OTHERS.contains(&plain.as_str()) => Ok(()),
        Some((first, rest)) if first == "heddle" => heddle(rest),
        Some((first, rest)) if first == "cargo" => cargo(rest),
        Some((first, _)) if first == ".ci/run" => {
            if root().join(first).exists() {
                Ok(())
            } else {
                Err(format!("{first} is not there"))
            }
        }
        _ => Err("nobody knows how to run it: add a way to cli/tests/documents.rs".into()),
    }
}

/// Returns whether some test reads this variable.
fn is_read(name: &str) -> bool {
    fn walk(folder: &Path, name: &str) -> bool {
        std::fs::read_dir(folder).into_iter().flatten().flatten().any(|entry| {
            let path = entry.path();
            match path.extension() {
                None if path.is_dir() => walk(&path, name),
                Some(e) if e == "rs" => {
                    std::fs::read_to_string(&path).is_ok_and(|text| text.contains(&format!("\"{name}\"")))
                }
                _ => false,
            }
        })
    }
    // PROPTEST_… variables are proptest's own.
    name.starts_with("PROPTEST_")
        || ["tests", "player/src", "xtask/src", "core/src"].iter().any(|f| walk(&root().join(f), name))
}

#[test]
fn every_command_of_the_documents_runs() {
    let (mut ran, mut wrong) = (BTreeSet::new(), Vec::new());
    for document in documents() {
        for command in commands(&document) {
            // Placeholders mark a form, whose parts are explained beside it.
            let form = command.contains('…') || command.contains("[FILE");
            if !ran.insert(command.clone()) || form && !command.starts_with("cargo ") {
                continue;
            }
            if let Err(why) = run(&command) {
                wrong.push(format!("{document}: `{command}`: {why}"));
            }
        }
    }
    assert!(ran.len() > 15, "only these were found: {ran:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn every_block_of_the_documents_has_somebody_who_runs_it() {
    for document in documents() {
        for (language, lines) in blocks(&document) {
            match language.as_str() {
                // Its lines are among the commands above.
                "sh" => assert!(!lines.is_empty(), "{document}: an empty block"),
                // Compiled and run with the documentation's tests.
                "rust" => assert_eq!(document, "README.md", "player/src/lib.rs includes README.md only"),
                // Run in the built page.
                "js" => assert_eq!(document, "README.md", "tests/tests/page_api.rs reads README.md only"),
                // Read by tests/tests/arrows.rs as it is.
                "arrows" => assert_eq!(document, "docs/architecture.md"),
                "toml" => {
                    let text = lines.join("\n");
                    let loaded = heddle_player::Player::load(&text);
                    let problems: Vec<String> = loaded.problems.iter().map(|p| p.render(&text)).collect();
                    let mut player = loaded.player.unwrap_or_else(|| panic!("{document}: {problems:#?}\n{text}"));
                    let wrong: Vec<_> = player.verdicts().into_iter().filter(|v| !v.passed).collect();
                    assert!(wrong.is_empty(), "{document}: {wrong:#?}");
                }
                other => panic!("{document}: nobody runs blocks of `{other}`: add a way to cli/tests/documents.rs"),
            }
        }
    }
    assert!(read("player/src/lib.rs").contains("#[doc = include_str!(\"../../README.md\")]"));
    assert!(read("tests/tests/page_api.rs").contains("../../README.md"));
}

/// Returns the help of `heddle`, and of each of its commands.
fn helps() -> Vec<(String, String)> {
    let help = |args: &[&str]| {
        let out = Command::new(env!("CARGO_BIN_EXE_heddle")).args(args).output().expect("heddle starts");
        assert!(out.status.success(), "{args:?}");
        String::from_utf8(out.stdout).expect("text")
    };
    let all = help(&["--help"]);
    let of = all.lines().skip_while(|l| *l != "Commands:").skip(1).take_while(|l| l.starts_with("  "));
    let names: Vec<String> = of.filter_map(|l| Some(l.split_whitespace().next()?.to_string())).collect();
    assert!(names.len() >= 7, "{all}");
    let own = names.iter().filter(|n| !["help", "conformance"].contains(&n.as_str()));
    let of_each = own.map(|name| (name.clone(), help(&[name, "--help"]))).collect::<Vec<_>>();
    std::iter::once(("heddle".to_string(), all)).chain(of_each).collect()
}

#[test]
fn every_example_of_help_runs() {
    let (mut ran, mut wrong) = (0, Vec::new());
    for (name, text) in helps() {
        let examples: Vec<&str> = text.lines().map(str::trim).filter(|l| l.starts_with("heddle ")).collect();
        assert!(!examples.is_empty(), "{name} --help has no example: {text}");
        for example in examples {
            ran += 1;
            // A pipe passes a link on.
            let result = match example.split_once(" | heddle open -") {
                Some((link, _)) => run(link),
                None => run(example),
            };
            if let Err(why) = result {
                wrong.push(format!("{name} --help: {example}: {why}"));
            }
        }
    }
    assert!(ran > 10, "only {ran} examples were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// The forms of times and selections that `--help` names.
#[test]
fn what_help_says_of_values_is_taken() {
    let file = "scenarios/q39-anti-affinity.toml".to_string();
    let of = |name: &str| helps().into_iter().find(|(n, _)| n == name).map(|(_, text)| text).expect("a command");
    assert!(of("run").contains("\"90 s\", \"1:30\" or a number of seconds"));
    for time in ["90 s", "1:30", "90"] {
        let args = ["run".to_string(), file.clone(), "--until".into(), time.into()];
        assert_eq!(heddle(&args), Ok(()), "{time}");
    }
    let why = of("why").split_whitespace().collect::<Vec<_>>().join(" ");
    let forms = [
        ("app:…", "app:zk"),
        ("queue:…", "queue:root.default"),
        ("node:…", "node:n1"),
        ("user:…", "user:alice"),
        ("landing:USER/GROUPS/QUEUE", "landing:bob/ops,staff/root.default"),
        ("refresh:MILLISECONDS", "refresh:120000"),
        ("container:APP/K", "container:zk/1"),
        ("request:APP/KEY", "request:zk/0_2"),
    ];
    let told = why.split("About what: ").nth(1).and_then(|w| w.split(';').next()).expect("the forms");
    let named: Vec<&str> = told.split([',', ' ']).filter(|w| w.contains(':')).collect();
    assert_eq!(named, forms.map(|(form, _)| form), "each form has an example here");
    for (_, what) in forms {
        // A refresh exists only in this scenario.
        let of_refresh = what.starts_with("refresh:");
        let file = if of_refresh { "scenarios/q04-49-percent.toml".to_string() } else { file.clone() };
        let args = ["why".to_string(), file, "--at".into(), "20 s".into(), "--what".into(), what.into()];
        assert_eq!(heddle(&args), Ok(()), "{what}");
    }
}

#[test]
fn a_command_without_a_way_to_run_it_fails() {
    for command in [
        "heddle weave x",
        "heddle run scenarios/no-such.toml",
        "cargo test -p heddle-tests --test no_such",
        "cargo bench -p heddle-none",
        "cargo +nightly fuzz run --fuzz-dir tests/fuzz none",
        "cargo +nightly fuzz run --fuzz-dir tests/fuzz scenario scenarios -- -dict=tests/fuzz/none.dict",
        "cargo frobnicate",
        "make all",
        "HEDDLE_NOTHING=1 cargo test -p heddle-tests --test gallery",
    ] {
        assert!(run(command).is_err(), "{command}");
    }
    assert_eq!(words("heddle why a.toml --at \"20 s\"  # why"), ["heddle", "why", "a.toml", "--at", "20 s"]);
}
