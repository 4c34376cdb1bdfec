//! `random FROM..TO FOLDER`: writes random scenarios as files, two for each number: one for the CapacityScheduler, one for the
//! FairScheduler. The same number gives the same scenarios as in `tests/tests/random.rs`.

#[path = "../../tests/random/script.rs"]
mod script;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let range = |text: &str| {
        let (from, to) = text.split_once("..")?;
        Some(from.parse::<u64>().ok()?..to.parse::<u64>().ok()?)
    };
    let [numbers, folder] = &given[..] else { return wrong("random FROM..TO FOLDER") };
    let Some(numbers) = range(numbers) else { return wrong("the numbers are written as 0..100") };
    match write(numbers, Path::new(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => wrong(&format!("{folder}: {e}")),
    }
}

fn write(numbers: std::ops::Range<u64>, folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    for n in numbers {
        std::fs::write(folder.join(format!("capacity-{n}.toml")), script::scenario(n))?;
        std::fs::write(folder.join(format!("fair-{n}.toml")), script::fair(n))?;
    }
    Ok(())
}

fn wrong(words: &str) -> ExitCode {
    eprintln!("{words}");
    ExitCode::from(2)
}
