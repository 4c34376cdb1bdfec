//! Lists the gallery's scenarios, so that a new file in `scenarios/` needs no second entry anywhere.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

fn main() {
    let folder = Path::new("../scenarios").canonicalize().expect("the gallery is beside the page");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files: Vec<_> = fs::read_dir(&folder)
        .expect("a folder")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|x| x == "toml"))
        .collect();
    files.sort();
    let mut out = String::from("&[\n");
    for path in &files {
        println!("cargo::rerun-if-changed={}", path.display());
        let name = path.file_stem().and_then(|s| s.to_str()).expect("a plain name");
        writeln!(out, "    ({name:?}, include_str!({:?})),", path.display().to_string()).expect("a string");
    }
    out.push(']');
    let to = Path::new(&env::var_os("OUT_DIR").expect("set by cargo")).join("scenarios.rs");
    fs::write(to, out).expect("the build's own folder");
}
