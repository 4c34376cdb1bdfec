//! Citations of the notes on the real systems (`docs/reference`) in code and documents lead somewhere: each note by its name,
//! each section by its number. No section is cited without its note.
#![cfg(not(target_arch = "wasm32"))]

use heddle_tests::project::{files, root};
use std::collections::{BTreeMap, BTreeSet};

/// Returns the sections of each note: "7.1", "A10", and the letter of a part.
fn notes() -> BTreeMap<String, BTreeSet<String>> {
    let mut out = BTreeMap::new();
    for file in std::fs::read_dir(root().join("docs/reference")).expect("docs/reference") {
        let path = file.expect("a file").path();
        let text = std::fs::read_to_string(&path).expect("a text");
        let headings =
            text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches(['#', ' ']));
        let sections = headings.filter_map(|heading| {
            let first = heading.strip_prefix("PART ").unwrap_or(heading).split(' ').next()?;
            let number = first.trim_end_matches('.');
            (number.contains(|c: char| c.is_ascii_digit()) || heading.starts_with("PART ")).then(|| number.to_string())
        });
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_string();
        out.insert(name, sections.collect());
    }
    out
}

/// Returns all Rust and Markdown files except this one and the notes.
fn citing() -> impl Iterator<Item = String> {
    files().into_iter().filter(|path| {
        let is_read = path.ends_with(".rs") || path.ends_with(".md");
        is_read && !path.ends_with("citations.rs") && !path.starts_with("docs/reference/")
    })
}

/// Removes comment markers from the beginnings of lines, so that citations across lines are read as one.
fn flat(text: &str) -> String {
    let lines = text.lines().map(|line| line.trim_start().trim_start_matches(['/', '!']).trim_start());
    lines.collect::<Vec<_>>().join(" ")
}

/// Returns the section numbers at the beginning of a text: 7.1 and 8.2 for ", section 7.1 and 8.2(3)".
fn sections(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut rest = text.strip_prefix("'s").unwrap_or(text);
    loop {
        let before =
            [", sections ", ", section ", " sections ", " section ", " part ", ", ", " and ", " to ", "; ", " "];
        let Some(after) = before.iter().find_map(|words| rest.strip_prefix(words)) else { return out };
        let end = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '.').unwrap_or(after.len());
        let number = after[..end].trim_end_matches('.');
        let digits = number.trim_start_matches(['A', 'B']);
        let is = digits.split('.').all(|part| part.starts_with(|c: char| c.is_ascii_digit()))
            && digits.chars().all(|c| c.is_ascii_digit() || c == '.' || c.is_ascii_lowercase())
            && digits.matches('.').count() < 2
            && digits.chars().filter(char::is_ascii_lowercase).count() < 2;
        if !is && !matches!(number, "A" | "B") {
            return out;
        }
        out.push(number.to_string());
        rest = &after[number.len()..];
        if let Some((_, behind)) = rest.strip_prefix('(').and_then(|step| step.split_once(')')) {
            rest = behind;
        }
    }
}

#[test]
fn every_citation_of_a_note_leads_somewhere() {
    let notes = notes();
    assert_eq!(notes.len(), 8, "{:?}", notes.keys());
    let (mut cited, mut faults) = (0, Vec::new());
    for file in citing() {
        let text = flat(&std::fs::read_to_string(root().join(&file)).expect("a text"));
        for (note, there) in &notes {
            for (at, _) in text.match_indices(note.as_str()) {
                let rest = &text[at + note.len()..];
                for section in sections(rest) {
                    cited += 1;
                    if !there.contains(&section) {
                        faults.push(format!("{}: {note} {section}", file));
                    }
                }
            }
        }
        // "section 5" without a note cannot be followed by the reader.
        for (at, _) in text.match_indices("section ") {
            let number =
                text[at..].trim_start_matches("section ").split([')', ':', ';', ' ']).next().unwrap_or_default();
            let is_number = number.starts_with(|c: char| c.is_ascii_digit());
            let mut from = at.saturating_sub(120);
            while !text.is_char_boundary(from) {
                from -= 1;
            }
            if is_number && !text[from..at].contains(".md") && !text[from..at].contains("RFC") {
                faults.push(format!("{}: section {number} of which note?", file));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(cited > 250, "only {cited} citations were found");
}

#[test]
fn numbers_are_read_as_they_are_cited() {
    assert_eq!(sections(", section 7.1 and 8.2(3); others"), ["7.1", "8.2"]);
    assert_eq!(sections(" A6 to A8, 4b)."), ["A6", "A8", "4b"]);
    assert_eq!(sections("; 0.92.0-incubating"), [""; 0]);
    assert_eq!(sections("; 1.x only"), [""; 0]);
}
