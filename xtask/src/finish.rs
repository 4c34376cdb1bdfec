//! `cargo xtask finish`: the last step of every build of the page (trunk's post_build hook).
//!
//! Trunk names a worker's files without a hash and does not support service workers. This step appends the end of the
//! engine's script (`web/boot/worker.js`), names both of its files by content, and gives `web/boot/sw.js` the list of all
//! files.

use super::process::{Done, root};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

/// Finishes the folder that trunk is building in.
pub fn run() -> Done {
    let staging = std::env::var_os("TRUNK_STAGING_DIR")
        .map(PathBuf::from)
        .ok_or("finish is called by trunk (Trunk.toml), not by hand: use `cargo xtask dist` or `cargo xtask serve`")?;
    engine(&staging)?;
    super::light::write_pages(&staging)?;
    let template = root().join("web/boot/sw.js");
    let worker = service_worker(&listed(&staging)?, &text(&template)?);
    write(&staging.join("sw.js"), worker.as_bytes())?;
    // Written beside the site and not part of it: no visit needs it.
    super::notices::write(&staging)
}

/// Adds the file's path to an error.
fn told<T>(what: &Path, r: std::io::Result<T>) -> Done<T> {
    r.map_err(|e| format!("{}: {e}", what.display()))
}

pub fn text(path: &Path) -> Done<String> {
    told(path, fs::read_to_string(path))
}

pub fn bytes(path: &Path) -> Done<Vec<u8>> {
    told(path, fs::read(path))
}

pub fn write(path: &Path, bytes: &[u8]) -> Done {
    told(path, fs::write(path, bytes))
}

/// Completes the engine's script, names both of its files by their content, and updates these names in the page.
fn engine(staging: &Path) -> Done {
    let index = staging.join("index.html");
    let mut page = text(&index)?;
    let script = staging.join("heddle-engine.js");
    let ended = text(&script)? + "\n" + &text(&root().join("web/boot/worker.js"))?;
    write(&script, ended.as_bytes())?;
    for (stem, end) in [("heddle-engine", ".js"), ("heddle-engine", "_bg.wasm")] {
        let plain = format!("{stem}{end}");
        let from = staging.join(&plain);
        let hash = Sha256::digest(bytes(&from)?);
        let name = format!("{stem}-{}{end}", hex(&hash[..8]));
        told(&from, fs::rename(&from, staging.join(&name)))?;
        if !page.contains(&plain) {
            return Err(format!("index.html does not name {plain}"));
        }
        page = page.replace(&plain, &name);
    }
    write(&index, page.as_bytes())
}

/// Returns every file of the site except the service worker itself, by name, with its hash as browsers write it.
fn listed(staging: &Path) -> Done<Vec<(String, String)>> {
    let mut files = Vec::new();
    let mut folders = vec![staging.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in told(&folder, fs::read_dir(&folder))?.flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(staging).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            // The page is requested by the folder's address.
            let name = if name == "index.html" { String::new() } else { name };
            if name != "sw.js" {
                files.push((format!("./{name}"), integrity(&bytes(&path)?)));
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Returns `sha256-…`, as policies and integrity attributes write it.
pub fn integrity(content: &[u8]) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(content)))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Returns the service worker; its version is the hash of all names and contents.
fn service_worker(files: &[(String, String)], template: &str) -> String {
    let mut all = Sha256::new();
    let mut list = String::new();
    for (name, integrity) in files {
        all.update(format!("{name} {integrity}\n"));
        list.push_str(&format!("  [{name:?}, {integrity:?}],\n"));
    }
    let version = hex(&all.finalize()[..8]);
    // Comments are only for readers of the source.
    let code: String = template.split_inclusive('\n').filter(|line| !line.trim_start().starts_with("//")).collect();
    format!("const VERSION = \"{version}\";\nconst FILES = [\n{list}];\n{code}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_change_is_another_version() {
        let file = |name: &str, content: &str| (name.to_owned(), integrity(content.as_bytes()));
        let one = service_worker(&[file("./", "page"), file("./a.js", "a")], "// For readers.\nrest");
        let version = |text: &str| text.lines().next().map(str::to_owned);
        assert!(one.contains("[\"./a.js\", \"sha256-") && one.ends_with("];\nrest"));
        assert_ne!(version(&one), version(&service_worker(&[file("./", "page"), file("./a.js", "b")], "rest")));
        assert_ne!(version(&one), version(&service_worker(&[file("./", "page"), file("./b.js", "a")], "rest")));
        assert_eq!(one, service_worker(&[file("./", "page"), file("./a.js", "a")], "rest"));
    }

    #[test]
    fn hashes_are_as_browsers_write_them() {
        assert_eq!(integrity(b"abc"), "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
    }
}
