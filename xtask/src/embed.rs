//! `cargo xtask embed`: the last step of every build of the page (trunk's post_build hook).
//!
//! The page's policy forbids every connection, so the program cannot be fetched. It comes as a JavaScript module that
//! holds its bytes as texts, a character a byte, sorted into streams (`streams`). The gallery becomes a module too. All parts then move below
//! one folder that is named by their hash, so that a browser's cache never mixes two versions.

use super::parts;
use super::process::{Done, command, find, root, run as run_tool};
use super::record::listed;
use super::streams::split;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The names of the functions that no first visit calls (`cargo xtask record` writes it).
const LATER: &str = include_str!("../later.txt");

/// Set when the page is built to be recorded.
pub const MARKING: &str = "HEDDLE_MARKING";

/// Added to `start.js` of a page that is built to be recorded: tells which functions were called, in page and worker.
const MARKS: &str = r#"
const marks = () => Object.keys(first)
  .filter((name) => name.startsWith("$r") && first[name].value === 1).map((name) => name.slice(2));
const channel = new BroadcastChannel("marks");
channel.onmessage = (event) => { if (event.data === "tell") channel.postMessage(marks()); };
"#;

/// Works on the folder that trunk is building in.
pub fn run() -> Done {
    let staging = std::env::var_os("TRUNK_STAGING_DIR")
        .map(PathBuf::from)
        .ok_or("embed is called by trunk (Trunk.toml), not by hand: use `cargo xtask dist` or `cargo xtask serve`")?;
    embed(&staging)
}

fn told<T>(what: &Path, r: std::io::Result<T>) -> Done<T> {
    r.map_err(|e| format!("{}: {e}", what.display()))
}

fn embed(staging: &Path) -> Done {
    let mut parts: Vec<PathBuf> = told(staging, fs::read_dir(staging))?
        .flatten()
        .map(|e| e.path())
        .filter(|p| p.extension().is_some_and(|x| x == "js" || x == "css" || x == "wasm"))
        .collect();
    parts.sort();
    let wasm: Vec<PathBuf> = parts.iter().filter(|p| p.extension().is_some_and(|x| x == "wasm")).cloned().collect();
    let [wasm] = wasm.as_slice() else {
        return Err(format!("{}: one .wasm is expected, {} are there", staging.display(), wasm.len()));
    };
    if std::env::var("TRUNK_PROFILE").is_ok_and(|p| p == "release") {
        shrink(wasm)?;
    }
    let program = told(wasm, fs::read(wasm))?;
    told(wasm, fs::remove_file(wasm))?;
    parts.retain(|p| p != wasm);
    let mut modules = vec![("gallery.js", gallery_module()?)];
    if std::env::var_os(MARKING).is_some() {
        let (program, names) = parts::marked(&program)?;
        modules.push(("program.js", program_module(&split(&program)?)));
        let start = staging.join("start.js");
        told(&start, fs::write(&start, told(&start, fs::read_to_string(&start))? + MARKS))?;
        let list = staging.join("names.txt");
        told(&list, fs::write(&list, names.join("\n")))?;
    } else {
        let later: BTreeSet<&str> = LATER.lines().collect();
        let parts = parts::cut(&program, |name| later.contains(listed(name).as_str()))?;
        modules.push(("program.js", program_module(&split(&parts.first)?)));
        modules.push(("rest.js", program_module(&split(&parts.rest)?)));
    }
    for (name, text) in modules {
        let path = staging.join(name);
        told(&path, fs::write(&path, text))?;
        parts.push(path);
    }

    let mut hash = Fnv::new();
    for part in &parts {
        hash.write(part.file_name().unwrap_or_default().as_encoded_bytes());
        hash.write(&told(part, fs::read(part))?);
    }
    let folder_name = format!("heddle-{:016x}", hash.0);
    let folder = staging.join(&folder_name);
    told(&folder, fs::create_dir_all(&folder))?;
    let index = staging.join("index.html");
    let mut page = told(&index, fs::read_to_string(&index))?;
    for part in &parts {
        let name = part.file_name().unwrap_or_default();
        told(part, fs::rename(part, folder.join(name)))?;
        let name = name.to_string_lossy();
        page = page.replace(&format!("\"./{name}\""), &format!("\"./{folder_name}/{name}\""));
    }
    told(&index, fs::write(&index, without_trunk_links(&page)))
}

/// Lets wasm-opt make the program smaller, where it is there. It keeps the names, by which the program is cut, and leaves
/// functions with one caller alone: put into it they would be in the same part as it.
fn shrink(wasm: &Path) -> Done {
    match find("wasm-opt") {
        Some(tool) => run_tool(
            command(tool).args(["-Oz", "-g", "--one-caller-inline-max-function-size=40"]).arg(wasm).arg("-o").arg(wasm),
        ),
        None => Ok(()),
    }
}

/// The page without the lines that only trunk understands (it leaves one behind when it injects no script).
fn without_trunk_links(page: &str) -> String {
    page.lines().filter(|l| !l.contains("data-trunk")).map(|l| format!("{l}\n")).collect()
}

/// A module whose default export are texts with one character for each byte.
fn program_module(streams: &[Vec<u8>]) -> String {
    let mut out = String::from("export default [\n");
    for stream in streams {
        out.push('"');
        for b in stream {
            match b {
                b'\\' => out.push_str("\\\\"),
                b'"' => out.push_str("\\\""),
                b'\n' => out.push_str("\\n"),
                b'\r' => out.push_str("\\r"),
                _ => out.push(char::from(*b)),
            }
        }
        out.push_str("\",\n");
    }
    out.push_str("];\n");
    out
}

/// The gallery as a module: pairs of name and text.
fn gallery_module() -> Done<String> {
    let folder = root().join("scenarios");
    let mut files: Vec<PathBuf> = told(&folder, fs::read_dir(&folder))?
        .flatten()
        .map(|e| e.path())
        .filter(|p| p.extension().is_some_and(|x| x == "toml"))
        .collect();
    files.sort();
    let mut out = String::from("export default [\n");
    for file in &files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let text = told(file, fs::read_to_string(file))?;
        out.push_str(&format!("[{}, {}],\n", js_text(&name), js_text(&text)));
    }
    out.push_str("];\n");
    Ok(out)
}

/// A text as JavaScript writes it.
fn js_text(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// FNV-1a, 64 bits: names, not secrets.
pub struct Fnv(pub u64);

impl Fnv {
    pub fn new() -> Self {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
    pub fn write(&mut self, bytes: &[u8]) {
        for b in bytes {
            self.0 = (self.0 ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_byte_is_one_character_or_an_escape() {
        let all: Vec<u8> = (0..=255).collect();
        let text = super::program_module(std::slice::from_ref(&all));
        let inside =
            text.strip_prefix("export default [\n\"").and_then(|t| t.strip_suffix("\",\n];\n")).expect("the frame");
        let mut chars = inside.chars();
        let mut back = Vec::new();
        while let Some(c) = chars.next() {
            let c = match c {
                '\\' => match chars.next() {
                    Some('n') => '\n',
                    Some('r') => '\r',
                    Some(other) => other,
                    None => panic!("a lone backslash"),
                },
                c => c,
            };
            back.push(u8::try_from(u32::from(c)).expect("a byte"));
        }
        assert_eq!(back, all);
        assert!(!inside.contains(['\n', '\r']));
    }

    #[test]
    fn texts_as_javascript_writes_them() {
        assert_eq!(super::js_text("a \"b\"\n\\"), r#""a \"b\"\u000a\\""#);
    }
}
