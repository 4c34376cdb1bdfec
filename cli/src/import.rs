//! `heddle import`: what a file of Hadoop's holds (capacity-scheduler.xml, fair-scheduler.xml, yarn-site.xml), and what is wrong with it; a yarnfile, Slider's resources.json, and a Samza job's file, as an application.

use crate::input::{Input, Row};
use crate::output::{Output, Stop, warn};
use heddle_core::config::check::{Recognised, check};
use heddle_core::model::{Problem, Severity};
use heddle_core::rm::Properties;
use heddle_core::scenario::files::says_nothing;
use heddle_core::scenario::pasted::{self, with_root};
use heddle_core::scenario::{job_file, slider_file, yarnfile};
use heddle_player::explain::words;
use serde::Serialize;
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

#[derive(Serialize)]
struct Service {
    file: String,
    name: String,
    components: usize,
    constraints: usize,
    /// The entry to put under `[[apps]]` of a scenario.
    entry: Option<String>,
    problems: Vec<Row>,
}

#[derive(Serialize)]
struct Job {
    file: String,
    name: String,
    containers: i64,
    stores: usize,
    /// The entry to put under `[[apps]]` of a scenario.
    entry: Option<String>,
    problems: Vec<Row>,
}

#[derive(Serialize)]
struct Slider {
    file: String,
    name: String,
    components: usize,
    instances: i64,
    /// The entry to put under `[[apps]]` of a scenario.
    entry: Option<String>,
    problems: Vec<Row>,
}

/// A file that became an application: what is wrong and what is assumed goes to standard error, the entry to standard output.
fn application(
    out: &mut Output,
    input: &Input,
    problems: &[Problem],
    what: &str,
    entry: Option<&str>,
) -> Result<(), Stop> {
    for problem in problems {
        warn(&input.shown(problem));
    }
    out.line(&format!("# {}: {what}", input.name))?;
    entry.map_or(Ok(()), |entry| out.line(&format!("[[apps]]\n{}", entry.trim_end())))
}

/// What is said of a placement spec.
const A_SPEC: &str = "This is a placement spec, or a command with one. It belongs to an application with kind = \"distributed-shell\", \
    as its `spec`.";

/// A Samza job.
fn job(out: &mut Output, input: &Input, json: bool) -> Result<u8, Stop> {
    let found = job_file::import(&input.text);
    let starts = found.entry.is_some();
    let (containers, stores) = found.counts;
    if json {
        out.json(&Job {
            file: input.name.clone(),
            name: found.name,
            containers,
            stores,
            entry: found.entry,
            problems: input.rows(&found.problems),
        })?;
    } else {
        let what = match starts {
            true => format!(
                "a Samza job, {} with {}",
                words::count(containers, "container"),
                words::count(stores as i64, "store")
            ),
            false => "a Samza job, which is refused".to_string(),
        };
        application(out, input, &found.problems, &what, found.entry.as_deref())?;
    }
    Ok(if starts { 0 } else { 2 })
}

/// A Slider application.
fn slider(out: &mut Output, input: &Input, json: bool) -> Result<u8, Stop> {
    let found = slider_file::import(&input.text);
    let starts = found.entry.is_some();
    let (components, instances) = found.counts;
    if json {
        out.json(&Slider {
            file: input.name.clone(),
            name: found.name,
            components,
            instances,
            entry: found.entry,
            problems: input.rows(&found.problems),
        })?;
    } else {
        let what = match starts {
            true => format!(
                "a Slider application, {} with {}",
                words::count(components as i64, "component"),
                words::count(instances, "instance")
            ),
            false => "a Slider application, which is refused".to_string(),
        };
        application(out, input, &found.problems, &what, found.entry.as_deref())?;
    }
    Ok(if starts { 0 } else { 2 })
}

/// A YARN service.
fn service(out: &mut Output, input: &Input, json: bool) -> Result<u8, Stop> {
    let found = yarnfile::import(&input.text);
    let (components, constraints) = found.counts;
    let errors = found.problems.iter().any(|p| p.severity == Severity::Error);
    if json {
        out.json(&Service {
            file: input.name.clone(),
            name: found.name,
            components,
            constraints,
            entry: found.entry,
            problems: input.rows(&found.problems),
        })?;
    } else {
        let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let (parts, rules) = (count(components, "component"), count(constraints, "constraint"));
        let what = format!("a YARN service, {parts} with {rules}");
        application(out, input, &found.problems, &what, found.entry.as_deref())?;
    }
    Ok(if errors { 2 } else { 0 })
}

pub fn import(out: &mut Output, file: &Path, json: bool) -> Result<u8, Stop> {
    let input = Input::read(file)?;
    if says_nothing(&input.text) {
        return Err(Stop::Told(format!("{}: has only comments: there is nothing to import", input.name)));
    }
    if slider_file::is_resources(&input.text) {
        return slider(out, &input, json);
    }
    if yarnfile::is_yarnfile(&input.text) {
        return service(out, &input, json);
    }
    if job_file::is_job(&input.name, &input.text) {
        return job(out, &input, json);
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
