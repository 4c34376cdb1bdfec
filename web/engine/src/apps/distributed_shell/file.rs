//! Adds a placement spec, or the command with it, as one more application of the scenario: a distributed shell with the
//! command's options.

use crate::document::added::{another, bare, first_error, with_types};
use crate::document::import::{ImportResult, unknown};
use crate::edits;
use heddle_core::apps::distributed_shell::scenario::file as shell_file;
use heddle_core::scenario::{self, pasted};
use heddle_view::Report;

/// The property of the handler that places requests with constraints; none by default.
const HANDLER: &str = "yarn.resourcemanager.placement-constraints.handler";

/// Adds the application. A command brings its spec and its options.
pub fn add(_name: &str, text: &str, current: &str) -> ImportResult {
    let spec = &pasted::spec(bare(text)).unwrap_or_default();
    let name = "placement spec";
    let known = scenario::read(current).scenario;
    let apps = known.as_ref().map(|s| s.apps.as_slice()).unwrap_or_default();
    let found = shell_file::import(spec);
    let (app, entry) = another(found.name, Some(found.entry), apps);
    let types = found.types;
    let added = edits::push(current, "apps", &entry.unwrap_or_default());
    let (next, listed) = match added.and_then(|next| with_types(next, known.as_ref(), &types)) {
        Ok(next) => next,
        Err(why) => return unknown(name, spec, why),
    };
    if let Some(why) = first_error(&next).filter(|_| first_error(current).is_none()) {
        return unknown(
            name,
            spec,
            format!("This is a placement spec that cannot be read, and nothing was added. {why}"),
        );
    }
    let mut facts = vec![format!("It was added as the application `{app}`, with containers of {}.", found.size)];
    facts.extend(listed.facts());
    facts.extend(found.ignored.iter().map(|what| format!("`{what}` is not taken over.")));
    let scenario = scenario::read(&next).scenario;
    let constrained = scenario.as_ref().and_then(|s| s.apps.last()).is_some_and(|app| app.kind.sends_constraints());
    if constrained && scenario.is_none_or(|s| !s.settings.yarn_site.contains_key(HANDLER)) {
        facts.push(format!(
            "No handler of constraints is set, so YARN refuses its calls: set {HANDLER}, under Settings."
        ));
    }
    let what = match found.spec {
        false => "A command of the distributed shell.",
        true => "A placement spec of the distributed shell.",
    };
    ImportResult::File {
        text: next,
        report: Box::new(Report { name: name.into(), what: what.to_owned(), facts, taken: true, ..Report::default() }),
    }
}
