//! Which rooms of the core and the player may use which others: compares the table in `docs/architecture.md` with the code.
//! Also checks that only the kinds of applications, and the tables beside them, name a kind.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Reads `room: used used …` from the block marked `arrows`.
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

/// Returns the lines of a file without comments and unit tests.
fn code_of(text: &str) -> impl Iterator<Item = &str> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or("");
    code.lines().map(|line| line.split("//").next().unwrap_or(""))
}

/// Returns every path below a root (`crate::`) that a file's code names outside its unit tests, with groups expanded:
/// `crate::rm::{texts::X, Y}` gives `rm::texts::X` and `rm::Y`.
fn used_paths(text: &str, root: &str) -> Vec<String> {
    let mut code = String::new();
    for line in code_of(text) {
        // Renaming does not matter.
        let mut words = line.split(" as ");
        code.push_str(words.next().unwrap_or(""));
        for after in words {
            code.push_str(after.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_'));
        }
        code.push('\n');
    }
    let mut found = Vec::new();
    for piece in code.split(root).skip(1) {
        flatten(&mut piece.chars().peekable(), "", &mut found);
    }
    found
}

/// Reads a use tree: a path whose last part may be a group.
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
        chars.next(); // `as`, or the end of the use tree
    } else if !path.is_empty() {
        found.push(path);
    }
}

/// The folders with rooms.
const CRATES: [&str; 2] = ["core", "player"];
/// The folder in a crate with the kinds of applications, whose parts belong to the rooms with their names.
const KINDS: &str = "apps";

/// The part of a kind in the player with its advice, and the table of these.
const HELP: &str = "help";

/// Returns the room of a crate's path (`rm::texts`, `apps::samza::client::check`). In the core that is the first part; in the
/// player everything but `explain` is the room `player`. A part of a kind of application belongs in the core to the room with
/// its name, in the player to `explain`, except for its advice, which belongs to `player`.
fn room_of<'a>(of: &str, path: &'a str, rooms: &BTreeMap<String, BTreeSet<String>>) -> &'a str {
    let mut parts = path.split("::");
    let first = parts.next().unwrap_or("");
    if of == "core" && first == KINDS {
        return parts.take(2).find(|part| rooms.contains_key(*part)).unwrap_or(KINDS);
    }
    match first {
        KINDS if parts.take(2).any(|part| part == HELP) => "player",
        KINDS => "explain",
        first if of == "core" || first == "explain" => first,
        _ => "player",
    }
}

/// Returns the kind of application that a path leads into: `samza` for `apps::samza::client`, none for a table beside the
/// kinds.
fn kind_of<'a>(path: &'a str, rooms: &BTreeMap<String, BTreeSet<String>>) -> Option<&'a str> {
    let kind = path.strip_prefix(KINDS)?.strip_prefix("::")?.split("::").next()?;
    let is_kind = kind != HELP && kind.starts_with(char::is_lowercase) && !rooms.contains_key(kind);
    is_kind.then_some(kind)
}

/// Returns the paths that a file of a crate uses, each with its crate.
fn used<'a>(of: &'a str, text: &str) -> Vec<(&'a str, String)> {
    let own = used_paths(text, "crate::").into_iter().map(|path| (of, path));
    own.chain(used_paths(text, "heddle_core::").into_iter().map(|path| ("core", path))).collect()
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
            let path = inside.with_extension("").to_string_lossy().replace('/', "::");
            // Tests may use any room, in their own files as well as in modules.
            if (of == "core" && path == "lib") || path.ends_with("::tests") || path.ends_with("_tests") {
                continue;
            }
            let (room, file_name) = (room_of(of, &path, &table), format!("{of}/src/{}", inside.display()));
            // The root of a kind only names its parts.
            if room == KINDS && path.ends_with("::mod") {
                continue;
            }
            seen.insert(room.to_owned());
            let Some(may) = table.get(room) else {
                mistakes.push(format!("{file_name}: the room {room} is not in the table"));
                continue;
            };
            let text = std::fs::read_to_string(&file).expect("a source file");
            for (from, used) in used(of, &text) {
                let other = room_of(from, &used, &table);
                if other == KINDS {
                    mistakes.push(format!("{file_name}: {used} does not say which part of a kind it means"));
                } else if other != room && table.contains_key(other) && !may.contains(other) {
                    mistakes.push(format!("{file_name}: {room} may not use {used}"));
                }
                let kind = kind_of(&path, &table);
                if let (Some(kind), Some(another)) = (kind, kind_of(&used, &table))
                    && kind != another
                {
                    mistakes.push(format!("{file_name}: {kind} may not use {another} ({used})"));
                }
            }
        }
    }
    assert!(mistakes.is_empty(), "against the arrows of docs/architecture.md:\n{}", mistakes.join("\n"));
    assert!(table.keys().eq(&seen), "rooms in the table: {:?}, in the folders: {seen:?}", table.keys());
}

/// The sources that use the kinds of applications through their tables.
const ASK_TABLES: [&str; 7] =
    ["core/src", "player/src", "cli/src", "web/view/src", "web/engine/src", "web/page/src", "web/picture/src"];
/// The words that name a kind, in lower case.
const NAMES: [&str; 15] = [
    "samza",
    "slider",
    "distributed_shell",
    "distributed-shell",
    "distributedshell",
    "distributed shell",
    "serviceapp",
    "apps::service",
    "yarnfile",
    "yarn-service",
    "yarn service",
    "appkind::",
    " master::",
    "kind.is::<",
    "kind.get::<",
];
/// Files outside the kinds that may name some: a part of the line (empty for any line), and the reason.
const MAY_NAME: [(&str, &str, &str); 17] = [
    (
        "core/src/client/json.rs",
        "slider::strategy::json",
        "reads JSON by the tokens of Jackson, whose faults Slider's journal records",
    ),
    (
        "core/src/config/properties/site_table.rs",
        "YARN service",
        "one table of all properties of yarn-site.xml; yarn.service.* are some of them",
    ),
    (
        "core/src/constraint/spec/advise.rs",
        "the distributed shell keeps only",
        "a PlacementSpec is read by YARN for every client; what this client makes of it is a warning",
    ),
    (
        "core/src/import/commands.rs",
        "",
        "one list of the command lines that are read, in the order in which they are tried",
    ),
    (
        "core/src/import/kinds.rs",
        "",
        "one list of all formats: the first that recognises a text has it, so the order across kinds decides",
    ),
    (
        "core/src/import/lines/build/activities.rs",
        "distributed",
        "the smallest scenario in which YARN records such activities: any application with a spec would do",
    ),
    (
        "core/src/import/lines/build/mod.rs",
        "",
        "one table of the scenarios that are built of pasted lines, of kinds or not",
    ),
    ("core/src/import/lines/build/others.rs", "lider", "builds the scenario of a line of Slider's log"),
    (
        "core/src/import/lines/table/clients.rs",
        "",
        "one list of patterns: a row stands before those that would take its words for less, whoever's they are",
    ),
    ("core/src/scenario/pasted.rs", "distributedshell", "a PlacementSpec is recognised by the command that takes it"),
    (
        "core/src/scenario/pasted.rs",
        "text form of the distributed shell",
        "says in which form constraints are read, which is this client's",
    ),
    (
        "player/src/explain/say/books.rs",
        "No application here keeps books",
        "lists the kinds for whoever looks for books",
    ),
    (
        "web/engine/src/document/gallery.rs",
        "Apache Slider Placement",
        "the title of one of the documents whose worked examples are in the gallery",
    ),
    (
        "web/engine/src/document/import.rs",
        "nor Slider's resources.json",
        "lists what can be read, which is more than kinds",
    ),
    ("web/page/src/dialogs/examples.rs", "(\"slider\", \"Slider\")", "a topic of the gallery, as its cards name it"),
    ("web/page/src/dialogs/examples.rs", "(\"samza\", \"Samza\")", "a topic of the gallery, as its cards name it"),
    ("web/page/src/when/scrubber.rs", "role=\"slider\"", "ARIA's word for a range"),
];

#[test]
fn only_the_tables_name_a_kind_of_application() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (mut mistakes, mut excused) = (Vec::new(), BTreeSet::new());
    for folder in ASK_TABLES {
        let mut files = Vec::new();
        sources(&root.join(folder), &mut files);
        files.sort();
        for file in files {
            let name = file.strip_prefix(&root).expect("a file of the workspace").to_string_lossy().into_owned();
            let parts: Vec<&str> = name.trim_end_matches(".rs").split('/').collect();
            let is_test = parts.contains(&"tests") || name.ends_with("_tests.rs");
            if is_test || parts.get(2..).is_some_and(|inside| inside.contains(&KINDS) && inside.last() != Some(&KINDS))
            {
                continue;
            }
            let text = std::fs::read_to_string(&file).expect("a source file");
            for line in code_of(&text) {
                let small = line.to_lowercase();
                if !NAMES.iter().any(|kind| small.contains(kind)) {
                    continue;
                }
                match MAY_NAME.iter().position(|(of, part, _)| *of == name && line.contains(part)) {
                    Some(excuse) => {
                        excused.insert(excuse);
                    }
                    None => mistakes.push(format!("{name}: {}", line.trim())),
                }
            }
        }
    }
    assert!(mistakes.is_empty(), "they name a kind of application:\n{}", mistakes.join("\n"));
    let stale: Vec<_> = MAY_NAME.iter().enumerate().filter(|(i, _)| !excused.contains(i)).collect();
    assert!(stale.is_empty(), "excuses for nothing: {stale:?}");
}

/// The forms of the kinds are not rooms, but must not use each other either.
#[test]
fn no_kind_uses_another_in_the_engine() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/engine/src");
    let (none, mut files) = (BTreeMap::new(), Vec::new());
    sources(&folder.join(KINDS), &mut files);
    assert!(files.len() > 6, "{files:?}");
    for file in files {
        let inside = file.strip_prefix(&folder).expect("a file of the engine");
        let path = inside.with_extension("").to_string_lossy().replace('/', "::");
        let Some(kind) = kind_of(&path, &none).filter(|kind| *kind != "mod") else { continue };
        let text = std::fs::read_to_string(&file).expect("a source file");
        for (from, used) in used("engine", &text) {
            let is_there = |other: &&str| folder.join(KINDS).join(other).exists() || from == "core";
            let other = kind_of(&used, &none).filter(is_there);
            assert!(other.is_none_or(|other| other == kind), "{}: {kind} may not use {used}", inside.display());
        }
    }
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
    let table = allowed("```arrows\nmodel:\nrm:\nsim: rm\nclient:\nexplain:\nplayer:\n```");
    let rooms = |of: &'static str, text| {
        used(of, text).iter().map(|(from, path)| room_of(from, path, &table).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(rooms("core", "use crate::model::A;\nuse crate::{rm, sim::B};\n"), ["model", "rm", "sim"]);
    let text = "use crate::explain::{self, Names};\nuse crate::Player;\nuse heddle_core::{rm::A, sim::B};\n";
    assert_eq!(rooms("player", text), ["explain", "explain", "player", "rm", "sim"]);
    assert_eq!(
        rooms("player", "use crate::apps::samza::say;\nuse crate::apps::{help, slider::help::X};\n"),
        ["explain", "player", "player"]
    );
    let text = "use crate::apps::{samza::client as samza, sim::Known};\nuse crate::apps::slider;\n";
    assert_eq!(rooms("core", text), ["client", "sim", "apps"]);
    assert_eq!(kind_of("apps::samza::client", &table), Some("samza"));
    assert_eq!((kind_of("apps::sim::Known", &table), kind_of("rm::texts", &table)), (None, None));
}
