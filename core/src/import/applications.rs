//! Files and commands that describe one application.

use super::{Entry, Gathered, Look, Outcome, count};
use crate::apps::{
    distributed_shell::scenario::file as shell_file, samza::scenario::file as job_file,
    service::scenario::file as yarnfile, slider::scenario::file as slider_file,
};
use crate::model::Problem;
use crate::scenario::pasted;

/// Takes an entry into the scenario, under a name that is free there.
fn add(gathered: &mut Gathered, was: &str, toml: Option<String>, types: Vec<String>) -> bool {
    let Some(toml) = toml else { return false };
    let name = gathered.free_name(was);
    let toml = if name == was { toml } else { toml.replacen(&format!("\"{was}\""), &format!("\"{name}\""), 1) };
    gathered.entries.push(Entry { name, toml, types });
    true
}

/// Reports a file of which all or nothing is taken.
fn outcome(taken: bool, holds: String, problems: Vec<Problem>) -> Outcome {
    if taken { Outcome::of(holds, problems) } else { Outcome::not_read(problems) }
}

pub(super) fn slider(look: &Look<'_>, gathered: &mut Gathered) -> Outcome {
    let slider_file::Import { entry, name, counts, problems } = slider_file::import(look.text);
    let holds = format!("{} with {}", count(counts.0, "component"), count(counts.1.max(0) as usize, "instance"));
    // Hadoop 2.7, for which Slider was written, knows memory and vcores only.
    let taken = add(gathered, &name, entry, Vec::new());
    if taken {
        gathered
            .lack(format!("How long processes of {name} run: for ever is assumed."), "resources.json does not say it");
    }
    outcome(taken, holds, problems)
}

pub(super) fn service(look: &Look<'_>, gathered: &mut Gathered) -> Outcome {
    let yarnfile::Import { entry, name, counts, types, problems } = yarnfile::import(look.text);
    let holds = format!("{} with {}", count(counts.0, "component"), count(counts.1, "constraint"));
    outcome(add(gathered, &name, entry, types), holds, problems)
}

pub(super) fn samza(look: &Look<'_>, gathered: &mut Gathered) -> Outcome {
    let job_file::Import { entry, name, counts, problems, queue: _ } = job_file::import(look.text);
    let holds = format!("{} with {}", count(counts.0.max(0) as usize, "container"), count(counts.1, "store"));
    outcome(add(gathered, &name, entry, Vec::new()), holds, problems)
}

pub(super) fn shell(look: &Look<'_>, gathered: &mut Gathered) -> Outcome {
    let Some(spec) = pasted::spec(look.text) else { return Outcome::not_read(Vec::new()) };
    let found = shell_file::import(&spec);
    let ignored =
        found.ignored.iter().map(|what| Problem::note(look.name, None, format!("`{what}` is not taken over.")));
    let problems: Vec<Problem> = ignored.collect();
    if found.spec && !gathered.site.contains_key(HANDLER) {
        gathered.site.insert(HANDLER.into(), "scheduler".into());
        gathered.infer(format!("{HANDLER} is scheduler: without a handler YARN refuses the spec."), look.name);
    }
    let holds = format!("containers of {}", found.size);
    add(gathered, &found.name, Some(found.entry), found.types);
    Outcome::of(holds, problems)
}

/// Which handler places requests with constraints; none, unless it is set.
const HANDLER: &str = "yarn.resourcemanager.placement-constraints.handler";
