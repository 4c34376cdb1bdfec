//! Imports a yarnfile.

use crate::apps::service::scenario::file;
use crate::import::applications::{add, outcome};
use crate::import::{Gathered, InputText, ReadOutcome, count};

/// Imports a yarnfile.
pub fn yarnfile(look: &InputText<'_>, gathered: &mut Gathered) -> ReadOutcome {
    let file::Import { entry, name, counts, types, problems } = file::import(look.text);
    let holds = format!("{} with {}", count(counts.0, "component"), count(counts.1, "constraint"));
    outcome(add(gathered, &name, entry, types), holds, problems)
}
