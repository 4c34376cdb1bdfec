//! Writes the list of the gallery: every file of `scenarios/` in the order of names, with the number of steps that the real
//! schedulers were seen to decide alike (`scenarios/proved.txt`), if the scenario still runs as it did then
//! (`tests/fingerprints.txt`), YARN's words in its run (`scenarios/words.txt`), and the
//! picture of its end (`scenarios/pictures.txt`).

use std::path::Path;
use std::{env, fs, io};

/// Returns the rest of the line that begins with a name.
fn row_of<'t>(name: &str, text: &'t str) -> Option<&'t str> {
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))
}

fn main() -> io::Result<()> {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?).join("../../scenarios");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files: Vec<_> = fs::read_dir(&folder)?.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "toml"));
    files.sort();
    let read = |name: &str| {
        let path = folder.join(name);
        println!("cargo::rerun-if-changed={}", path.display());
        fs::read_to_string(path)
    };
    let (proved, runs) = (read("proved.txt")?, read("../tests/fingerprints.txt")?);
    let (words, pictures) = (read("words.txt")?, read("pictures.txt")?);
    let steps = |name: &str| {
        let (print, steps) = row_of(name, &proved)?.split_once(' ')?;
        (row_of(name, &runs)? == print).then(|| steps.parse::<u64>().ok())?
    };
    let mut list = String::from("&[\n");
    for file in &files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let steps = steps(&name).unwrap_or(0);
        list.push_str(&format!(
            "({name:?}, include_str!({:?}), {steps}, {:?}, {:?}),\n",
            file.to_string_lossy(),
            row_of(&name, &words).unwrap_or_default(),
            row_of(&name, &pictures).unwrap_or_default()
        ));
    }
    list.push(']');
    let out = Path::new(&env::var("OUT_DIR").map_err(io::Error::other)?).join("gallery.rs");
    fs::write(out, list)
}
