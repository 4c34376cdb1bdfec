//! Writes the list of the gallery: every file of `scenarios/`, in the order of the names.

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?).join("../scenarios");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files: Vec<_> = fs::read_dir(&folder)?.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "toml"));
    files.sort();
    let mut list = String::from("&[\n");
    for file in &files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        list.push_str(&format!("({name:?}, include_str!({:?})),\n", file.to_string_lossy()));
    }
    list.push(']');
    let out = Path::new(&env::var("OUT_DIR").map_err(io::Error::other)?).join("gallery.rs");
    fs::write(out, list)
}
