//! Imports the files of a Slider application: resources.json, appConfig.json, files of the role history.

use crate::apps::slider::scenario::file;
use crate::import::applications::{add, outcome};
use crate::import::write::quoted;
use crate::import::{Gathered, InputText, ReadOutcome, count};
use crate::model::Problem;
use crate::scenario::edit::text_value;
use indexmap::IndexMap;

/// Files of a Slider application other than resources.json.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SliderFiles {
    /// appConfig.json.
    pub config: Option<String>,
    /// Files of the role history, by the names that Slider gives them.
    pub histories: IndexMap<String, String>,
}

/// Imports resources.json.
pub fn resources(look: &InputText<'_>, gathered: &mut Gathered) -> ReadOutcome {
    let file::Import { entry, name, counts, problems } = file::import(look.text);
    let holds = format!("{} with {}", count(counts.0, "component"), count(counts.1.max(0) as usize, "instance"));
    // Hadoop 2.7, for which Slider was written, has no resource types other than memory and vcores.
    let taken = add(gathered, &name, entry, Vec::new());
    if taken {
        gathered
            .lack(format!("How long processes of {name} run: for ever is assumed."), "resources.json does not say it");
    }
    outcome(taken, holds, problems)
}

/// Imports appConfig.json, which belongs beside resources.json, or internal.json, which has no effect on placement.
pub fn beside(look: &InputText<'_>, gathered: &mut Gathered) -> ReadOutcome {
    if file::beside(look.text) == Some(file::Beside::Internal) {
        let what =
            "internal.json is Slider's own account of an application: nothing of it decides where containers go.";
        let problem = Problem::note(look.name, None, what).mend("Give resources.json.");
        return ReadOutcome::of("internal.json".into(), vec![problem]);
    }
    gathered.beside.slider.config = Some(look.text.to_owned());
    ReadOutcome::of("appConfig.json".into(), Vec::new())
}

/// Imports a file of the role history: it belongs beside resources.json, and its hosts become nodes if nothing else describes
/// nodes.
pub fn history(look: &InputText<'_>, gathered: &mut Gathered) -> ReadOutcome {
    let found = match file::history(look.text) {
        Ok(found) => found,
        Err((at, what)) => {
            let problem = Problem::error(look.name, at, format!("Slider does not read this file: {what}."));
            return ReadOutcome::not_read(vec![
                problem.mend("Give a whole file that Slider wrote, with the resources.json of its application."),
            ]);
        }
    };
    let holds = format!("{} of {}", count(found.entries, "entry"), count(found.hosts.len(), "host"));
    gathered.named_hosts.extend(found.hosts);
    gathered.beside.slider.histories.insert(found.name, look.text.to_owned());
    ReadOutcome::of(holds, Vec::new())
}

/// Adds the other files of an application to its entry.
pub fn complete(g: &mut Gathered) {
    let SliderFiles { config, histories } = std::mem::take(&mut g.beside.slider);
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
    let written =
        |(name, text): (&String, &String)| format!("{{ name = {}, text = {} }}", quoted(name), text_value(text));
    let histories: Vec<String> = histories.iter().map(written).collect();
    if !histories.is_empty() {
        entry.toml.push_str(&format!("history = [{}]\n", histories.join(", ")));
    }
}
