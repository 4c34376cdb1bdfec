//! Names in documents and comments exist: every path of the project in them leads to a file or a folder.
#![cfg(not(target_arch = "wasm32"))]

use heddle_tests::project::{files, root};
use std::collections::BTreeSet;

/// The project's folders: what begins with one of them is a path.
const FOLDERS: [&str; 10] = ["core", "player", "cli", "web", "tests", "scenarios", "xtask", "docs", ".ci", ".cargo"];
/// The endings of the project's own files if they have a folder before them.
const ENDINGS: [&str; 8] = [".rs", ".md", ".toml", ".js", ".css", ".html", ".sh", ".dict"];
/// Generated paths that no clone has.
const MADE: [&str; 4] = ["tests/screenshots", "tests/fuzz/corpus", "target/", "dist/"];
/// Foreign files that comments mention: a crate's, Hadoop's, a user's.
const OTHERS: [&str; 3] = ["std/", "src/main/java", "node_modules"];

/// Returns the part of a file for human readers: all of a document, the comments of a program.
fn read_by_people(path: &str, text: &str) -> Vec<(usize, String)> {
    // A comment sign at the beginning of a line or after a blank, not the one in an address.
    let comment = |line: &str, sign: &str| match line.trim_start().strip_prefix(sign) {
        Some(words) => Some(words.to_string()),
        None => line.split_once(&format!(" {sign} ")).map(|(_, words)| words.to_string()),
    };
    let of = |line: &str| match path.rsplit('.').next().unwrap_or_default() {
        "rs" | "js" => comment(line, "//"),
        "toml" => comment(line, "#"),
        _ => Some(line.to_string()),
    };
    (1..).zip(text.lines()).filter_map(|(n, line)| Some((n, of(line)?))).collect()
}

/// Expands braces into one path each.
fn unfold(word: &str) -> Vec<String> {
    let Some((before, rest)) = word.split_once('{') else { return vec![word.to_string()] };
    let Some((inside, after)) = rest.split_once('}') else { return Vec::new() };
    inside.split(',').flat_map(|one| unfold(&format!("{before}{one}{after}"))).collect()
}

/// Returns the words of a line that are paths of the project.
fn paths(line: &str) -> Vec<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_-./*{},".contains(c);
    let mut out = Vec::new();
    for (at, word) in line.split(|c: char| !is_part(c)).map(|w| (w.as_ptr() as usize - line.as_ptr() as usize, w)) {
        // Part of an address, a variable, a placeholder.
        let before = line[..at].chars().next_back().unwrap_or(' ');
        if before == ':'
            || before == '$'
            || before == '<'
            || before == '~'
            || word.starts_with('/')
            || word.contains("//")
        {
            continue;
        }
        let word = word.trim_matches(|c| c == ',' || c == '}' && !word.contains('{'));
        let word = word.trim_end_matches('.').trim_end_matches('/').trim_start_matches("./");
        for path in unfold(word) {
            let path = path.trim_start_matches("../").to_string();
            let first = path.split('/').next().unwrap_or_default();
            let ours = path.contains('/') && FOLDERS.contains(&first);
            let file = path.contains('/') && ENDINGS.iter().any(|end| path.ends_with(end)) || path.ends_with(".rs");
            if (ours || file) && !OTHERS.iter().any(|o| path.contains(o)) && !MADE.iter().any(|m| path.starts_with(m)) {
                out.push(path);
            }
        }
    }
    out
}

/// Returns whether a file or folder exists. A path may begin in the middle, as in `say/limits.rs`, and have a star.
fn is_there(path: &str, files: &BTreeSet<String>) -> bool {
    let fits = |name: &str| match path.split_once('*') {
        Some((before, after)) => {
            let rest =
                name.strip_prefix(before).or_else(|| name.split_once(&format!("/{before}")).map(|(_, rest)| rest));
            rest.is_some_and(|rest| rest.ends_with(after))
        }
        None => {
            let ends = name.strip_suffix(path).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
            // A folder, or a module by its name.
            let within = name.starts_with(&format!("{path}/")) || name.contains(&format!("/{path}/"));
            ends || within || name.strip_suffix(".rs").is_some_and(|m| m == path || m.ends_with(&format!("/{path}")))
        }
    };
    files.iter().any(|name| fits(name))
}

fn texts() -> Vec<(String, String)> {
    let files = files();
    let read = |path: &String| {
        let ending = path.rsplit('.').next().unwrap_or_default();
        let comments = ["rs", "md", "js", "css", "html"].contains(&ending);
        let settings = ending == "toml" && !path.starts_with("scenarios/") && !path.starts_with("tests/scenarios/");
        let script = path.starts_with(".ci/");
        if !(comments || settings || script) {
            return None;
        }
        Some((path.clone(), std::fs::read_to_string(root().join(path)).ok()?))
    };
    files.iter().filter_map(read).collect()
}

#[test]
fn every_path_in_documents_and_comments_is_there() {
    let (files, texts) = (files(), texts());
    let (mut seen, mut gone) = (0, Vec::new());
    for (name, text) in &texts {
        for (line, words) in read_by_people(name, text) {
            for path in paths(&words) {
                seen += 1;
                if !is_there(&path, &files) {
                    gone.push(format!("{name}:{line}: {path}"));
                }
            }
        }
    }
    assert!(seen > 200, "only {seen} paths were found");
    assert!(gone.is_empty(), "{} paths lead nowhere:\n{}", gone.len(), gone.join("\n"));
}

#[test]
fn links_of_documents_lead_somewhere() {
    let mut gone = Vec::new();
    for (name, text) in texts().iter().filter(|(name, _)| name.ends_with(".md")) {
        let folder = root().join(name).parent().expect("a folder").to_path_buf();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let link = link.split('#').next().unwrap_or_default();
            if !link.is_empty() && !link.contains("://") && !folder.join(link).exists() {
                gone.push(format!("{name}: {link}"));
            }
        }
    }
    assert!(gone.is_empty(), "links that lead nowhere: {gone:#?}");
}

#[test]
fn a_path_that_is_gone_would_be_found() {
    let files = files();
    let told = |line: &str| paths(line).into_iter().filter(|p| !is_there(p, &files)).collect::<Vec<_>>();
    assert_eq!(
        told("by the names that this compiler gives (xtask/src/parts.rs, `cargo xtask record`)"),
        ["xtask/src/parts.rs"]
    );
    assert_eq!(told("see `shown/ledger/{fair,clocks,gone}.rs`, docs/architecture.md."), ["shown/ledger/gone.rs"]);
    assert_eq!(told("`tests/tests/page_*.rs` and `tests/tests/nothing_*.rs`"), ["tests/tests/nothing_*.rs"]);
    assert_eq!(told("https://example.org/core/x.rs, `/etc/core/y.rs`, core/src/model"), [""; 0]);
}
