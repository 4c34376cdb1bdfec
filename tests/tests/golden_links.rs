//! Links open forever: `tests/golden-links.txt` only grows. Each line has a name, the hash of the original text, and the
//! link. After a scenario was added or changed, `HEDDLE_BLESS=1 cargo test -p heddle-tests --test golden_links` adds links;
//! it never removes one.
#![cfg(not(target_arch = "wasm32"))]

use heddle_core::model::Fold;
use heddle_core::scenario::link::{View, open, write};
use heddle_core::scenario::read;
use std::path::{Path, PathBuf};

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden-links.txt")
}

fn scenarios() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the scenarios")
        .flatten()
        .map(|e| e.path())
        .filter(|p| p.extension().is_some_and(|e| e == "toml"))
        .collect();
    files.sort();
    let text = |p: &PathBuf| std::fs::read_to_string(p).expect("a scenario");
    files.iter().map(|p| (p.file_stem().unwrap_or_default().to_string_lossy().into_owned(), text(p))).collect()
}

#[test]
fn links_made_once_open_for_ever() {
    let old = std::fs::read_to_string(golden()).expect("the golden links");
    for line in old.lines() {
        let parts: Vec<&str> = line.split(' ').collect();
        let [name, hash, link] = parts[..] else { panic!("{line}") };
        let opened = open(link);
        assert!(opened.is_whole(), "{name}: {:?}", opened.problems);
        let text = opened.text.unwrap_or_default();
        assert_eq!(format!("{:016x}", Fold::of(text.as_bytes())), hash, "{name}");
        assert!(read(&text).scenario.is_some(), "{name}: {:?}", read(&text).problems);
    }
    if std::env::var_os("HEDDLE_BLESS").is_some() {
        let mut new = old.clone();
        for (name, text) in scenarios() {
            let hash = format!("{:016x}", Fold::of(text.as_bytes()));
            if !old.contains(&hash) {
                let view = View { time_ms: Some(20_000), ..View::default() };
                new.push_str(&format!("{name} {hash} {}\n", write(&text, &view, None).expect("a link")));
            }
        }
        std::fs::write(golden(), new).expect("written");
    }
}

#[test]
fn links_of_the_gallery_are_short() {
    for (name, text) in scenarios() {
        let link = write(&text, &View::default(), None).expect("a link");
        assert!(link.len() < 2_000, "{name}: {} characters of {}", link.len(), text.len());
        assert_eq!(open(&link).text, Some(text), "{name}");
    }
}
