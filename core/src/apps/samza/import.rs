//! Imports the properties of a Samza job.

use crate::apps::samza::scenario::file;
use crate::import::applications::{add, outcome};
use crate::import::{Gathered, InputText, ReadOutcome, count};

/// Imports job.properties.
pub fn job(look: &InputText<'_>, gathered: &mut Gathered) -> ReadOutcome {
    let file::Import { entry, name, counts, problems, queue: _ } = file::import(look.text);
    let holds = format!("{} with {}", count(counts.0.max(0) as usize, "container"), count(counts.1, "store"));
    outcome(add(gathered, &name, entry, Vec::new()), holds, problems)
}
