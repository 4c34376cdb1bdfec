//! `cargo xtask record`: finds out which functions a first visit calls, so that the page is cut in two (`parts`).

use super::embed::{Fnv, MARKING};
use super::page::trunk;
use super::process::{Done, cargo, root, run};
use super::setup::{self, Browser};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Where the recorded page is built.
const FOLDER: &str = "target/record";
/// The list of functions that no first visit calls.
const LIST: &str = "xtask/later.txt";

/// How a function is listed: names hold all types of generic functions and are long. What tells two versions of a crate
/// apart in them (`[3a39afab78373dc0]`) also depends on the compiler's version, and is left out.
pub fn listed(name: &str) -> String {
    let mut hash = Fnv::new();
    let mut rest = name;
    while let Some((before, after)) = rest.split_once('[') {
        hash.write(before.as_bytes());
        let digits = after.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(after.len());
        rest = match after[digits..].strip_prefix(']') {
            Some(rest) if digits >= 8 => rest,
            _ => {
                hash.write(b"[");
                after
            }
        };
    }
    hash.write(rest.as_bytes());
    format!("{:016x}", hash.0)
}

fn read(path: &Path) -> Done<String> {
    fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

/// Builds a page that marks what is called, opens it as a first visit in both browsers, and writes the list anew.
pub fn record() -> Done {
    setup::page()?;
    setup::browsers()?;
    let folder = root().join(FOLDER);
    run(trunk().args(["build", "--release", "--offline", "--dist"]).arg(&folder).env(MARKING, "1"))?;
    let mut test = cargo();
    test.args(["test", "-p", "heddle-tests", "--test", "first_visit", "--", "--ignored", "--exact", "record"]);
    for (browser, variable) in [(Browser::Chromium, "CHROMEDRIVER"), (Browser::Firefox, "GECKODRIVER")] {
        test.env(variable, browser.driver().ok_or_else(|| format!("there is no driver of {}", browser.name()))?);
    }
    run(test.env("HEDDLE_DIST", &folder).env("CI", "1"))?;

    let (names, marks) = (read(&folder.join("names.txt"))?, read(&folder.join("marks.txt"))?);
    let names: Vec<&str> = names.lines().collect();
    let called: BTreeSet<String> =
        marks.lines().filter_map(|n| names.get(n.parse::<usize>().ok()?)).map(|n| listed(n)).collect();
    if called.is_empty() {
        return Err("nothing was recorded".into());
    }
    // Several functions may have one name: all of them must be of no use to a first visit.
    let later: BTreeSet<String> =
        names.iter().filter(|n| !n.is_empty()).map(|n| listed(n)).filter(|l| !called.contains(l)).collect();
    let list = root().join(LIST);
    let text: String = later.iter().map(|l| format!("{l}\n")).collect();
    fs::write(&list, text).map_err(|e| format!("{}: {e}", list.display()))?;
    eprintln!("xtask: a first visit calls {} of {} functions; {LIST} has the others", called.len(), names.len());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn names_do_not_depend_on_the_compilers_version() {
        let name = |core: &str, heddle: &str| format!("<core[{core}]::Vec<heddle[{heddle}]::Node> as T>::f");
        assert_eq!(
            listed(&name("3a39afab78373dc0", "a7c43cdbdf73b4a1")),
            listed(&name("5a95f6fc5d863fd6", "ad69041457cd680"))
        );
        assert_ne!(listed("a::f::<[u8; 4]>"), listed("a::f::<[u8; 5]>"));
        assert_ne!(listed("a::f::<[u8]>"), listed("a::f::<u8>"));
        assert_ne!(listed("f["), listed("f"));
    }
}
