//! Third-party notices: the crates in the page's two programs, with their licences and licence texts. They are derived from
//! `cargo metadata` and the crates' own files, and are written beside the site.

#[cfg(test)]
use super::process::root;
use super::process::{Done, cargo};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The file's name in the built site.
pub const FILE: &str = "third-party.txt";
/// The programs that are served.
const PROGRAMS: [&str; 2] = ["heddle-web", "heddle-engine"];
/// Prefixes of the names of licence files, in capitals.
const TEXTS: [&str; 4] = ["LICENSE", "LICENCE", "COPYING", "NOTICE"];

/// A third-party crate.
struct Crate {
    name: String,
    version: String,
    licence: String,
    repository: String,
    folder: PathBuf,
}

/// Writes the notices into a folder.
pub fn write(folder: &Path) -> Done {
    let crates = crates(&metadata()?, &PROGRAMS)?;
    super::finish::write(&folder.join(FILE), text(&crates)?.as_bytes())
}

/// Returns cargo's metadata of the workspace and all its dependencies for the browser.
fn metadata() -> Done<Value> {
    let mut c = cargo();
    c.args(["metadata", "--locked", "--format-version", "1", "--filter-platform", "wasm32-unknown-unknown"]);
    let out = super::process::output(&mut c).ok_or("`cargo metadata` failed")?;
    serde_json::from_str(&out).map_err(|e| format!("cargo metadata: {e}"))
}

/// Returns the third-party crates in these programs, by name: run-time dependencies only, not build or test dependencies.
fn crates(metadata: &Value, programs: &[&str]) -> Done<Vec<Crate>> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let packages: BTreeMap<String, Value> =
        list(&metadata["packages"]).into_iter().map(|p| (word(&p["id"]), p)).collect();
    let nodes: BTreeMap<String, Value> =
        list(&metadata["resolve"]["nodes"]).into_iter().map(|n| (word(&n["id"]), n)).collect();
    let named = |id: &String| packages.get(id).is_some_and(|p| programs.contains(&word(&p["name"]).as_str()));
    let mut open: Vec<String> = nodes.keys().filter(|id| named(id)).cloned().collect();
    if open.len() != programs.len() {
        return Err(format!("cargo metadata does not know all of {}", programs.join(", ")));
    }
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        if !seen.insert(id.clone()) {
            continue;
        }
        let Some(node) = nodes.get(&id) else { continue };
        let runs = |d: &Value| list(&d["dep_kinds"]).iter().any(|kind| kind["kind"].is_null());
        open.extend(list(&node["deps"]).iter().filter(|d| runs(d)).map(|d| word(&d["pkg"])));
    }
    let mut out: Vec<Crate> = seen
        .iter()
        .filter_map(|id| packages.get(id))
        .filter(|p| !p["source"].is_null())
        .map(|p| Crate {
            name: word(&p["name"]),
            version: word(&p["version"]),
            licence: word(&p["license"]),
            repository: word(&p["repository"]),
            folder: Path::new(&word(&p["manifest_path"])).parent().unwrap_or(Path::new("")).to_owned(),
        })
        .collect();
    out.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    Ok(out)
}

/// Returns the notices: a line for each crate, then each text once, under the names of the crates that have it.
fn text(crates: &[Crate]) -> Done<String> {
    let mut out = String::from("Heddle is under the Apache License 2.0. Its page contains these crates of others:\n\n");
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for one in crates {
        let name = format!("{} {}", one.name, one.version);
        out.push_str(&format!("{name}: {} ({})\n", one.licence, one.repository));
        for text in licence_texts(&one.folder)? {
            texts.entry(text).or_default().push(name.clone());
        }
    }
    for (text, names) in texts {
        out.push_str(&format!("\n{}\n{}:\n\n{}\n", "-".repeat(80), names.join(", "), text.trim_end()));
    }
    Ok(out)
}

/// Returns the texts of a crate's licences and notices, without duplicates.
fn licence_texts(folder: &Path) -> Done<BTreeSet<String>> {
    let told = |e: std::io::Error| format!("{}: {e}", folder.display());
    let mut out = BTreeSet::new();
    for entry in fs::read_dir(folder).map_err(told)? {
        let path = entry.map_err(told)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        if path.is_file() && TEXTS.iter().any(|begin| name.starts_with(begin)) {
            out.insert(String::from_utf8_lossy(&fs::read(&path).map_err(told)?).replace("\r\n", "\n"));
        }
    }
    Ok(out)
}

/// Returns the licences that `deny.toml` allows.
#[cfg(test)]
fn allowed() -> Vec<String> {
    let text = fs::read_to_string(root().join("deny.toml")).expect("deny.toml");
    let list = text.split("allow = [").nth(1).and_then(|rest| rest.split(']').next()).expect("a list");
    list.split(',').map(|word| word.trim().trim_matches('"').to_owned()).collect()
}

/// Returns whether allowed licences suffice: any one of an OR, all of an AND.
#[cfg(test)]
fn suffices(expression: &str, allowed: &[String]) -> bool {
    let all = expression.replace(" / ", " OR ").replace('/', " OR ");
    all.split(" AND ").all(|part| {
        let part = part.trim().trim_start_matches('(').trim_end_matches(')');
        part.split(" OR ").any(|one| allowed.iter().any(|a| a == one.trim()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_crate_is_under_a_licence_that_is_allowed() {
        let (metadata, allowed) = (metadata().expect("metadata"), allowed());
        let all = metadata["packages"].as_array().expect("packages");
        let strange: Vec<String> = all
            .iter()
            .filter(|p| !p["source"].is_null() && !suffices(p["license"].as_str().unwrap_or_default(), &allowed))
            .map(|p| format!("{}: {}", p["name"], p["license"]))
            .collect();
        assert!(all.len() > 50 && strange.is_empty(), "deny.toml does not allow {strange:?}");
    }

    #[test]
    fn an_or_needs_one_and_an_and_needs_all() {
        let allowed: Vec<String> = ["MIT", "Zlib"].map(String::from).into();
        for (expression, good) in [
            ("MIT", true),
            ("GPL-3.0", false),
            ("Apache-2.0 OR MIT", true),
            ("Apache-2.0/MIT", true),
            ("(Apache-2.0 OR MIT) AND Zlib", true),
            ("(Apache-2.0 OR MIT) AND Unicode-3.0", false),
            ("", false),
        ] {
            assert_eq!(suffices(expression, &allowed), good, "{expression}");
        }
    }

    #[test]
    fn notices_name_what_is_served_and_nothing_that_only_tests_use() {
        let crates = crates(&metadata().expect("metadata"), &PROGRAMS).expect("crates");
        let names: Vec<&str> = crates.iter().map(|c| c.name.as_str()).collect();
        assert!(["yew", "toml_edit", "wasm-bindgen"].iter().all(|name| names.contains(name)), "{names:?}");
        assert!(
            !["proptest", "thirtyfour", "clap", "wasm-bindgen-test"].iter().any(|name| names.contains(name)),
            "{names:?}"
        );
        let text = text(&crates).expect("notices");
        assert!(text.contains("yew 0.") && text.contains("Permission is hereby granted"), "{}", &text[..400]);
    }
}
