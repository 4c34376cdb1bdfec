//! `heddle generate`: generated workloads for a cluster.

use crate::input::Input;
use crate::output::{EarlyEnd, Output, warn};
use heddle_core::import::workloads::generate::{self, Load};
use std::path::Path;

/// Returns the workload of a name. Errors: there is none.
pub fn load(word: &str) -> Result<Load, String> {
    let words = || Load::ALL.map(|(word, ..)| word).join(", ");
    let found = Load::ALL.into_iter().find(|(known, ..)| *known == word);
    found.map(|(_, load, _)| load).ok_or_else(|| format!("known are {}", words()))
}

pub fn generate(out: &mut Output, load: Load, file: &Path, seed: u64) -> Result<u8, EarlyEnd> {
    let input = Input::read_scenario(file)?;
    let loaded = generate::generate(&input.text, load, seed).map_err(|problems| {
        let errors: Vec<String> = problems.iter().map(|p| input.shown(p)).collect();
        EarlyEnd::Told(errors.join("\n"))
    })?;
    warn(&format!("{} applications were added.", loaded.added));
    loaded.remarks.iter().for_each(|remark| warn(remark));
    out.text(&loaded.text)?;
    Ok(0)
}
