//! `slider create` up to the submission: how Slider's client processes its arguments and its two files, what it refuses, and
//! what it submits to YARN (SliderClient.actionCreate, InstanceBuilder, both client providers, AppMasterLauncher of 0.92.0;
//! compared with the real one in the conformance area `clients`).
//!
//! | file | what |
//! |---|---|
//! | `args` | the command line |
//! | `merged` | the two files and the options merged, with Java's iteration order |
//! | `check` | the checks after the definition was saved |
//! | `launch` | the submission |
//! | `words` | refusals: the client's messages, their subjects, and how to fix them |

mod args;
mod check;
mod launch;
mod merged;
mod words;

pub use args::Args;
pub use launch::{AM_MEMORY_MB, AM_VCORES, FAILURES_WINDOW_MS, HEAP, PRIORITY, TYPE};
pub use merged::{Tree, Values};
pub use words::{About, RefusedCommand};

use crate::api::Submitted;
use crate::apps::slider::strategy::json::TextFault;
use crate::apps::slider::strategy::settings::Keys;
use crate::apps::slider::strategy::tree::Parts;
use std::collections::BTreeMap;

/// A file of the command line: its parts, or the fault at which Slider's parser throws.
pub type File<'a> = Result<&'a Parts, &'a TextFault>;

/// One `slider create`.
pub struct Create<'a> {
    /// The application's name.
    pub name: &'a str,
    /// `--resources`.
    pub resources: Option<File<'a>>,
    /// `--template`: appConfig.json.
    pub app_config: Option<File<'a>>,
    /// The client's configuration (slider-client.xml).
    pub settings: &'a Keys,
    /// The other arguments of the command line.
    pub args: &'a Args,
    pub package: Package<'a>,
}

/// What the client knows about the application package.
#[derive(Clone, Copy)]
pub enum Package<'a> {
    /// The package exists, and fits the components of the definition and their counts.
    Fits(Option<&'a Metainfo>),
    /// The package is read from the file that `application.def` names.
    Read { metainfo: &'a Metainfo, is_there: &'a dyn Fn(&str) -> bool },
}

/// metainfo.xml of an application package.
#[derive(Clone, Debug, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Metainfo {
    pub name: String,
    pub version: String,
    pub comment: String,
    /// The package's components; `None`: those of the definition.
    pub components: Option<BTreeMap<String, Member>>,
}

/// A component of a package.
#[derive(Clone, Debug, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Member {
    /// MASTER, SLAVE or CLIENT.
    pub category: String,
    /// `minInstanceCount` and `maxInstanceCount`, as written.
    pub min: Option<String>,
    pub max: Option<String>,
}

/// The submission, and what is saved for the ApplicationMaster.
#[derive(Clone, Debug, PartialEq)]
pub struct Created {
    pub submitted: Submitted,
    /// `-Xmx…` of the ApplicationMaster's command.
    pub am_heap: Option<String>,
    /// resources.json as it is saved: with the client's defaults, before globals are copied.
    pub resources: Tree,
}

/// Runs `slider create`. Errors: the client refuses, and submits nothing.
pub fn create(command: &Create<'_>) -> Result<Created, RefusedCommand> {
    let definition = merged::merge(command)?;
    check::check(command, &definition)?;
    launch::launch(command, definition)
}

/// Checks only a name. Errors: the client refuses it.
pub fn check_name(name: &str) -> Result<(), RefusedCommand> {
    if is_name(name) { Ok(()) } else { Err(words::name(name)) }
}

/// Returns whether an application may have this name (SliderUtils.isClusternameValid).
pub fn is_name(name: &str) -> bool {
    let inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-';
    name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(inner)
}

#[cfg(test)]
mod tests;
