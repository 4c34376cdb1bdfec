//! The submission (SliderClient.setupAppMasterLauncher, AppMasterLauncher, SliderAMClientProvider).

use super::merged::{Merged, Tree};
use super::words::{self, About, RefusedCommand};
use super::{Create, Created, Metainfo, Package};
use crate::api::Submitted;
use crate::apps::slider::strategy::settings::{MASTER, key};
use crate::model::java;
use crate::model::java_number::{NotANumber, decode_int, decode_long, setting_int};

/// The application's type.
pub const TYPE: &str = "org-apache-slider";
/// The size of an ApplicationMaster that does not set its own.
pub const AM_MEMORY_MB: i64 = 1024;
pub const AM_VCORES: i64 = 1;
/// The application's priority (`slider.yarn.queue.priority`).
pub const PRIORITY: i32 = 1;
/// `yarn.resourcemanager.am.retry-count-window-ms`.
pub const FAILURES_WINDOW_MS: i64 = 300_000;
/// `jvm.heapsize` of the ApplicationMaster.
pub const HEAP: &str = "256M";
/// The largest lengths of a description and of a tag (ApplicationSubmissionContext accepts none that are longer).
const DESCRIPTION: usize = 80;
const TAG: usize = 100;

/// Settings of the client.
const QUEUE: &str = "slider.yarn.queue";
const QUEUE_PRIORITY: &str = "slider.yarn.queue.priority";
const RESTARTS: &str = "slider.yarn.restart.limit";

/// Makes the submission. Errors: the client refuses.
pub(super) fn launch(command: &Create<'_>, merged: Merged) -> Result<Created, RefusedCommand> {
    let submitted = submission(command, &merged).map_err(RefusedCommand::saved)?;
    let am_heap = heap(&merged.app_config);
    Ok(Created { submitted, am_heap, resources: merged.resources })
}

fn submission(command: &Create<'_>, merged: &Merged) -> Result<Submitted, RefusedCommand> {
    let resources = &merged.resources;
    let metainfo = match command.package {
        Package::Fits(metainfo) => metainfo,
        Package::Read { metainfo, is_there } => {
            let path = merged.app_config.global.get("application.def").and_then(Option::as_deref);
            if !path.is_some_and(is_there) {
                return Err(words::no_metainfo());
            }
            Some(metainfo)
        }
    };
    let tags = tags(metainfo)?;
    let window = match resources.global.get(key::FAILURES_WINDOW).and_then(Option::as_deref) {
        None => FAILURES_WINDOW_MS,
        Some(text) => decode_long(text).map_err(|e| words::number(e, About::Global(key::FAILURES_WINDOW.into())))?,
    };
    let amount = |key: &str| match resources.resolved(MASTER, key) {
        None => Ok(0),
        Some(text) => {
            decode_int(text).map(i64::from).map_err(|e| words::number(e, About::Key(MASTER.into(), key.into())))
        }
    };
    let am = (amount(key::MEMORY)?, amount(key::VCORES)?);
    let setting = |name: &str| {
        let typed = command.args.settings.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
        typed.or_else(|| command.settings.get(name).map(String::as_str))
    };
    let number = |name: &str, default: i32| match setting(name) {
        None => Ok(default),
        Some(text) => setting_int(text).map_err(|NotANumber(what)| words::number(NotANumber(what), About::Command)),
    };
    let max_attempts = number(RESTARTS, 0)?.max(0);
    let priority = number(QUEUE_PRIORITY, PRIORITY)?;
    let queue = merged.queue.as_deref().filter(|q| !q.is_empty()).or(setting(QUEUE)).filter(|q| !q.is_empty());
    Ok(Submitted {
        name: command.name.to_string(),
        kind: TYPE.to_string(),
        queue: Some(queue.unwrap_or("default").to_string()),
        tags,
        priority: Some(priority),
        label: resources.resolved(MASTER, key::LABEL).map(str::to_string),
        am,
        max_attempts,
        keep_containers: true,
        attempt_failures_validity_ms: window,
        lifetime_s: None,
    })
}

/// Returns the tags that describe the package. YARN's record converts them to lower case. Errors: the record does not accept
/// one of them.
fn tags(metainfo: Option<&Metainfo>) -> Result<Vec<String>, RefusedCommand> {
    let Some(metainfo) = metainfo else { return Ok(Vec::new()) };
    let comment: Vec<char> = metainfo.comment.chars().collect();
    let description = match comment.len() {
        n if n <= DESCRIPTION => metainfo.comment.clone(),
        _ => comment.into_iter().take(DESCRIPTION - 3).chain("...".chars()).collect(),
    };
    let tags = [
        format!("Name: {}", metainfo.name),
        format!("Version: {}", metainfo.version),
        format!("Description: {description}"),
    ];
    for tag in java::set_walk(&tags.each_ref().map(String::as_str)) {
        if tag.encode_utf16().count() > TAG {
            return Err(words::long_tag(tag));
        }
        if !tag.is_ascii() {
            return Err(words::foreign_tag(tag));
        }
    }
    let mut tags = tags.map(|tag| tag.to_lowercase()).to_vec();
    tags.sort();
    Ok(tags)
}

/// Returns `-Xmx…` of the command: from `jvm.heapsize`, or else from `jvm.opts`.
fn heap(app_config: &Tree) -> Option<String> {
    let size = app_config.resolved(MASTER, "jvm.heapsize").filter(|heap| !heap.is_empty());
    let size = size.map(|heap| format!("-Xmx{}", heap.trim_matches(|c| c <= ' ')));
    let options = app_config.resolved(MASTER, "jvm.opts").unwrap_or_default();
    let text = size.into_iter().chain([options.to_string()]).collect::<Vec<String>>().join(" ");
    let word = |at: usize| text[at + "-Xmx".len()..].chars().take_while(|c| !c.is_whitespace()).collect::<String>();
    let found = text.match_indices("-Xmx").map(|(at, _)| word(at)).find(|word| !word.is_empty());
    found.map(|word| format!("-Xmx{word}"))
}
