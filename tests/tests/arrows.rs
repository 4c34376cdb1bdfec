//! Who may use whom among the rooms of the core and the player: the table in `docs/architecture.md` against the code.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// `room: used used …`, from the block marked `arrows`.
fn allowed(text: &str) -> BTreeMap<String, BTreeSet<String>> {
    let block = text.split("```arrows").nth(1).and_then(|t| t.split("```").next()).expect("a block of arrows");
    let mut table = BTreeMap::new();
    for line in block.lines().filter(|l| !l.trim().is_empty()) {
        let (room, used) = line.split_once(':').unwrap_or_else(|| panic!("no colon: {line}"));
        table.insert(room.trim().to_owned(), used.split_whitespace().map(str::to_owned).collect());
    }
    table
}

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|x| x == "rs") {
            out.push(path);
        }
    }
}

/// Every path below a root (`crate::`) that a file's code names (its unit tests left out), groups written out:
/// `crate::rm::{texts::X, Y}` gives `rm::texts::X` and `rm::Y`.
fn used_paths(text: &str, root: &str) -> Vec<String> {
    let mut code = String::new();
    for line in text.split("#[cfg(test)]\nmod tests {").next().unwrap_or("").lines() {
        code.push_str(line.split("//").next().unwrap_or(""));
        code.push('\n');
    }
    let mut found = Vec::new();
    for piece in code.split(root).skip(1) {
        flatten(&mut piece.chars().peekable(), "", &mut found);
    }
    found
}

/// Reads one use tree: a path whose last part may be a group.
fn flatten(chars: &mut std::iter::Peekable<std::str::Chars<'_>>, prefix: &str, found: &mut Vec<String>) {
    let mut path = prefix.to_owned();
    while let Some(c) = chars.peek().copied() {
        match c {
            '{' => {
                chars.next();
                while chars.peek().is_some_and(|c| *c != '}') {
                    if chars.next_if(|c| c.is_whitespace() || *c == ',').is_none() {
                        flatten(chars, &path, found);
                    }
                }
                chars.next();
                return;
            }
            c if c.is_alphanumeric() || c == '_' || c == ':' || c == '*' => {
                path.push(c);
                chars.next();
            }
            _ => break,
        }
    }
    if path == prefix {
        chars.next(); // `as`, or nothing that belongs to a use tree
    } else if !path.is_empty() {
        found.push(path);
    }
}

/// The folders of rooms.
const CRATES: [&str; 2] = ["core", "player"];

/// The room of a file, or of a path, of a crate. In the core it is the first part, in the player whatever is not `explain`
/// is the room `player`.
fn room_of<'a>(of: &str, first: &'a str) -> &'a str {
    if of == "core" || first == "explain" { first } else { "player" }
}

/// The rooms that a file of a crate uses, with the path that says so.
fn used_rooms(of: &str, text: &str) -> Vec<(String, String)> {
    let first = |path: &str| path.split("::").next().unwrap_or("").to_owned();
    let own =
        used_paths(text, "crate::").into_iter().map(|p| (room_of(of, &first(&p)).to_owned(), format!("crate::{p}")));
    let cores = used_paths(text, "heddle_core::").into_iter().map(|p| (first(&p), format!("heddle_core::{p}")));
    own.chain(cores).collect()
}

#[test]
fn rooms_use_only_whom_they_may() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let table = allowed(&std::fs::read_to_string(root.join("docs/architecture.md")).expect("docs/architecture.md"));
    let (mut mistakes, mut seen) = (Vec::new(), BTreeSet::new());
    for of in CRATES {
        let folder = root.join(of).join("src");
        let mut files = Vec::new();
        sources(&folder, &mut files);
        files.sort();
        for file in files {
            let inside = file.strip_prefix(&folder).expect("a file of the crate");
            let Some(first) = inside.components().next().map(|c| c.as_os_str().to_string_lossy()) else { continue };
            // Tests may use any room, in a file of their own as well as in a module of another.
            if (of == "core" && first == "lib.rs") || inside.ends_with("tests.rs") {
                continue;
            }
            let (room, file_name) = (room_of(of, &first), format!("{of}/src/{}", inside.display()));
            seen.insert(room.to_owned());
            let Some(may) = table.get(room) else {
                mistakes.push(format!("{file_name}: the room {room} is not in the table"));
                continue;
            };
            let text = std::fs::read_to_string(&file).expect("a source file");
            for (used, path) in used_rooms(of, &text) {
                if used != room && table.contains_key(&used) && !may.contains(&used) {
                    mistakes.push(format!("{file_name}: {room} may not use {path}"));
                }
            }
        }
    }
    assert!(mistakes.is_empty(), "against the arrows of docs/architecture.md:\n{}", mistakes.join("\n"));
    assert!(table.keys().eq(&seen), "rooms in the table: {:?}, in the folders: {seen:?}", table.keys());
}

#[test]
fn the_arrows_have_no_circle() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let table = allowed(&std::fs::read_to_string(root.join("docs/architecture.md")).expect("docs/architecture.md"));
    for (room, used) in &table {
        for other in used {
            assert!(!table.get(other).is_some_and(|back| back.contains(room)), "{room} and {other} use each other");
        }
    }
}

#[test]
fn grouped_imports_are_read() {
    let text = "use crate::{model::{A, B}, rm::texts::C};\nlet x = crate::journal::Y; // crate::web::Z\n";
    assert_eq!(used_paths(text, "crate::"), ["model::A", "model::B", "rm::texts::C", "journal::Y"]);
}

#[test]
fn rooms_of_both_crates_are_told_apart() {
    let rooms = |of, text| used_rooms(of, text).into_iter().map(|(room, _)| room).collect::<Vec<_>>();
    assert_eq!(rooms("core", "use crate::model::A;\nuse crate::{rm, sim::B};\n"), ["model", "rm", "sim"]);
    let text = "use crate::explain::{self, Names};\nuse crate::Player;\nuse heddle_core::{rm::A, sim::B};\n";
    assert_eq!(rooms("player", text), ["explain", "explain", "player", "rm", "sim"]);
}
