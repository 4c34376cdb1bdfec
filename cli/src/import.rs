//! `heddle import`: what a file of Hadoop's holds (capacity-scheduler.xml, fair-scheduler.xml, yarn-site.xml), and what is wrong with it; a yarnfile, Slider's resources.json, and a Samza job's file, as an application.

use crate::input::{Input, Row};
use crate::output::{Output, Stop, warn};
use heddle_core::apps::{
    samza::scenario::file as job_file, service::scenario::file as yarnfile, slider::scenario::file as slider_file,
};
use heddle_core::config::check::{Recognised, check};
use heddle_core::model::{Problem, Severity};
use heddle_core::rm::Properties;
use heddle_core::scenario::files::says_nothing;
use heddle_core::scenario::pasted::{self, with_root};
use heddle_player::explain::words;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Serialize)]
struct Document {
    file: String,
    summary: String,
    queues: usize,
    leaves: usize,
    labels: usize,
    rules: usize,
    limits: usize,
    properties: usize,
    modelled: usize,
    kept: usize,
    /// Hadoop's own words, if the ResourceManager would refuse the file.
    refusal: Option<String>,
    /// Is asynchronous scheduling switched on or off, or left to the release?
    asynchronous: Option<bool>,
    problems: Vec<Row>,
}

/// A file that became an application.
#[derive(Serialize)]
struct Application {
    file: String,
    name: String,
    /// How many of which parts it has.
    #[serde(flatten)]
    counts: BTreeMap<String, i64>,
    /// Resource types besides memory and vcores that it asks for: `yarn.resource-types` has to name them, and the CapacityScheduler to
    /// count them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    resource_types: Vec<String>,
    /// The entry to put under `[[apps]]` of a scenario.
    entry: Option<String>,
    problems: Vec<Row>,
}

/// The contents of an application's file.
struct Found {
    /// With its article: "a Samza job".
    kind: &'static str,
    name: String,
    /// Two of its parts, each by what one is called.
    counts: [(&'static str, i64); 2],
    resource_types: Vec<String>,
    entry: Option<String>,
    problems: Vec<Problem>,
}

impl Found {
    /// Reads a text, if it is a file of an application.
    fn read(input: &Input) -> Option<Found> {
        let text = &input.text;
        if slider_file::is_resources(text) {
            let slider_file::Import { entry, name, counts, problems } = slider_file::import(text);
            let counts = [("component", counts.0 as i64), ("instance", counts.1)];
            // Hadoop 2.7, for which Slider was written, knows memory and vcores only.
            let resource_types = Vec::new();
            return Some(Found { kind: "a Slider application", name, counts, resource_types, entry, problems });
        }
        if yarnfile::is_yarnfile(text) {
            let yarnfile::Import { entry, name, counts, types, mut problems } = yarnfile::import(text);
            if let (Some(_), [_, ..]) = (&entry, types.as_slice()) {
                let types = types.join(", ");
                let what = format!(
                    "It asks for {types}: `yarn.resource-types` has to name {}, and the CapacityScheduler does not start with them unless \
                     `resource-calculator` is DominantResourceCalculator. Both are set below.",
                    it(&types)
                );
                let mend = "In a scenario that has these tables put the lines into them; give nodes some; under another scheduler leave \
                            [capacity-scheduler] out.";
                problems.push(Problem::note("yarnfile", None, what).mend(mend));
            }
            let counts = [("component", counts.0 as i64), ("constraint", counts.1 as i64)];
            return Some(Found { kind: "a YARN service", name, counts, resource_types: types, entry, problems });
        }
        if job_file::is_job(&input.name, text) {
            let job_file::Import { entry, name, counts, problems, queue: _ } = job_file::import(text);
            let counts = [("container", counts.0), ("store", counts.1 as i64)];
            // Samza asks for memory and vcores only.
            return Some(Found { kind: "a Samza job", name, counts, resource_types: Vec::new(), entry, problems });
        }
        None
    }

    /// Prints it: what is wrong and what is assumed goes to standard error, the entry to standard output.
    fn print(self, out: &mut Output, input: &Input, json: bool) -> Result<u8, Stop> {
        let status = if self.entry.is_some() { 0 } else { 2 };
        if json {
            out.json(&Application {
                file: input.name.clone(),
                name: self.name,
                counts: self.counts.into_iter().map(|(what, n)| (format!("{what}s"), n)).collect(),
                resource_types: self.resource_types,
                entry: self.entry,
                problems: input.rows(&self.problems),
            })?;
            return Ok(status);
        }
        for problem in &self.problems {
            warn(&input.shown(problem));
        }
        let [first, second] = self.counts.map(|(what, n)| words::count(n, what));
        let Some(entry) = &self.entry else {
            out.line(&format!("# {}: {}, which is refused", input.name, self.kind))?;
            return Ok(status);
        };
        out.line(&format!("# {}: {}, {first} with {second}", input.name, self.kind))?;
        if !self.resource_types.is_empty() {
            out.line(&yarnfile::settings(&self.resource_types))?;
        }
        out.line(&format!("[[apps]]\n{}", entry.trim_end()))?;
        Ok(status)
    }
}

/// The pronoun of one name, or of several.
fn it(names: &str) -> &'static str {
    if names.contains(", ") { "them" } else { "it" }
}

/// The answer to a placement spec.
const A_SPEC: &str = "This is a placement spec, or a command with one. It belongs to an application with kind = \"distributed-shell\", \
    as its `spec`.";

pub fn import(out: &mut Output, file: &Path, json: bool) -> Result<u8, Stop> {
    let input = Input::read(file)?;
    if says_nothing(&input.text) {
        return Err(Stop::Told(format!("{}: has only comments: there is nothing to import", input.name)));
    }
    if let Some(found) = Found::read(&input) {
        return found.print(out, &input, json);
    }
    let input = match with_root(&input.text) {
        Some(text) => input.with_text(text),
        None => input,
    };
    let report = check(&input.name, &input.text, &Properties::new(), &[]);
    if report.recognised == Recognised::NotXml {
        let told = pasted::spec(&input.text).map(|_| A_SPEC.to_string()).or_else(|| pasted::explain(&input.text));
        if let Some(told) = told {
            return Err(Stop::Told(format!("{}: {told}", input.name)));
        }
    }
    let errors = report.problems.iter().any(|p| p.severity == Severity::Error) || report.refusal.is_some();
    if json {
        let c = &report.counts;
        out.json(&Document {
            file: input.name.clone(),
            summary: report.summary(),
            queues: c.queues,
            leaves: c.leaves,
            labels: c.labels,
            rules: c.rules,
            limits: c.limits,
            properties: c.properties,
            modelled: c.modelled,
            kept: c.kept,
            refusal: report.refusal.clone(),
            asynchronous: report.asynchronous,
            problems: input.rows(&report.problems),
        })?;
    } else {
        for problem in &report.problems {
            out.line(&input.shown(problem))?;
        }
        out.line(&format!("{}: {}", input.name, report.summary()))?;
        match report.recognised {
            Recognised::CapacityScheduler if report.asynchronous.is_none() => out.line(
                "Whether scheduling is asynchronous is left to the release: it is from 3.5.0 on, and was not until 3.4.",
            )?,
            Recognised::FairAllocations => {
                out.line("A scenario reads it under [files] as \"fair-scheduler.xml\", with scheduler = \"fair\".")?;
            }
            _ => {}
        }
    }
    Ok(if errors { 2 } else { 0 })
}
