//! Files and commands that describe one application.

use super::gathered::SliderFiles;
use super::write::quoted;
use super::{Entry, Gathered, Look, Outcome, count};
use crate::apps::{
    distributed_shell::scenario::file as shell_file, samza::scenario::file as job_file,
    service::scenario::file as yarnfile, slider::scenario::file as slider_file,
};
use crate::constraint::spec::read_spec;
use crate::model::{Problem, Span};
use crate::scenario;
use crate::scenario::edit::text_value;
use crate::scenario::pasted;

/// Takes an entry into the scenario, under a name that is free there.
fn add(gathered: &mut Gathered, was: &str, toml: Option<String>, types: Vec<String>) -> bool {
    let Some(toml) = toml else { return false };
    let name = gathered.free_name(was);
    let toml = if name == was { toml } else { toml.replacen(&format!("\"{was}\""), &format!("\"{name}\""), 1) };
    asked(gathered, &toml);
    gathered.entries.push(Entry { name, toml, types });
    true
}

/// The queue and the labels that an entry asks for, so that they are there where no text tells of them.
fn asked(gathered: &mut Gathered, toml: &str) {
    let apps = scenario::read(&format!("heddle = 1\n[[apps]]\n{toml}")).scenario.map(|s| s.apps).unwrap_or_default();
    for app in &apps {
        gathered.names_queue(Some(app.queue.as_str()).filter(|queue| !queue.is_empty()));
        for label in app.kind.labels().iter().filter(|label| !label.is_empty()) {
            gathered.label(label, None);
        }
    }
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

/// Slider's appConfig.json goes beside resources.json; internal.json says nothing of where containers go.
pub(super) fn slider_config(look: &Look<'_>, gathered: &mut Gathered) -> Outcome {
    if slider_file::beside(look.text) == Some(slider_file::Beside::Internal) {
        let what =
            "internal.json is Slider's own account of an application: nothing of it decides where containers go.";
        let problem = Problem::note(look.name, None, what).mend("Give resources.json.");
        return Outcome::of("internal.json".into(), vec![problem]);
    }
    gathered.slider.config = Some(look.text.to_owned());
    Outcome::of("appConfig.json".into(), Vec::new())
}

/// A file of Slider's role history: it goes beside resources.json, and its hosts are nodes where nothing else tells of nodes.
pub(super) fn slider_history(look: &Look<'_>, gathered: &mut Gathered) -> Outcome {
    let found = match slider_file::history(look.text) {
        Ok(found) => found,
        Err((at, what)) => {
            let problem = Problem::error(look.name, at, format!("Slider does not read this file: {what}."));
            return Outcome::not_read(vec![
                problem.mend("Give a whole file that Slider wrote, with the resources.json of its application."),
            ]);
        }
    };
    let holds = format!("{} of {}", count(found.entries, "entry"), count(found.hosts.len(), "host"));
    gathered.named_hosts.extend(found.hosts);
    gathered.slider.histories.insert(found.name, look.text.to_owned());
    Outcome::of(holds, Vec::new())
}

/// Puts the other files of a Slider application into its entry.
pub(super) fn beside_resources(g: &mut Gathered) {
    let SliderFiles { config, histories } = std::mem::take(&mut g.slider);
    if config.is_none() && histories.is_empty() {
        return;
    }
    let Some(entry) = g.entries.iter_mut().find(|entry| entry.toml.contains("kind = \"slider\"")) else {
        g.lack("The Slider application that appConfig.json or the role history is of.", "its resources.json says it");
        return;
    };
    if let Some(text) = config {
        entry.toml.push_str(&format!("\"appConfig.json\" = {}\n", text_value(&text)));
    }
    let file = |(name, text): (&String, &String)| format!("{{ name = {}, text = {} }}", quoted(name), text_value(text));
    let histories: Vec<String> = histories.iter().map(file).collect();
    if !histories.is_empty() {
        entry.toml.push_str(&format!("history = [{}]\n", histories.join(", ")));
    }
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
    match add_shell(&spec, look.name, gathered) {
        Ok((holds, problems)) => Outcome::of(holds, problems),
        Err(why) => {
            // A spec alone stands as it was typed, so its fault has a place.
            if pasted::shell_command(look.text).is_none()
                && let Err(fault) = read_spec(look.text)
            {
                return Outcome::not_read(vec![Problem { source: look.name.into(), ..fault.problem }]);
            }
            let start = Span::new(0, look.text.find('\n').unwrap_or(look.text.len()));
            let mend = "A spec is written tag(count),constraint, such as zk(3),NOTIN,NODE,zk.";
            Outcome::not_read(vec![Problem::error(look.name, start, why).mend(mend)])
        }
    }
}

/// Takes a command of the distributed shell, or a spec alone. Returns what is in it, and which options are not taken over. Errors:
/// the client refuses it.
pub(super) fn add_shell(spec: &str, source: &str, gathered: &mut Gathered) -> Result<(String, Vec<Problem>), String> {
    if let Some(why) = shell_file::refusal(spec) {
        return Err(format!("The distributed shell's client refuses this: {}.", why.trim_end_matches('.')));
    }
    let found = shell_file::import(spec);
    let ignored = found.ignored.iter().map(|what| Problem::note(source, None, format!("`{what}` is not taken over.")));
    let problems: Vec<Problem> = ignored.collect();
    if found.spec && !gathered.site.contains_key(HANDLER) {
        gathered.site.insert(HANDLER.into(), "scheduler".into());
        gathered.infer(format!("{HANDLER} is scheduler: without a handler YARN refuses the spec."), source);
    }
    let holds = format!("containers of {}", found.size);
    add(gathered, &found.name, Some(found.entry), found.types);
    Ok((holds, problems))
}

/// Which handler places requests with constraints; none, unless it is set.
const HANDLER: &str = "yarn.resourcemanager.placement-constraints.handler";
