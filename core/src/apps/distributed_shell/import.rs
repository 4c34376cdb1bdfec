//! Imports a command of the distributed shell, or a placement spec alone.

use crate::apps::distributed_shell::scenario::file;
use crate::constraint::spec::read_spec;
use crate::import::applications::add;
use crate::import::{Gathered, InputText, ReadOutcome};
use crate::model::{Problem, Span};
use crate::scenario::pasted;

/// The property that selects the handler of requests with constraints; unset means none.
const HANDLER: &str = "yarn.resourcemanager.placement-constraints.handler";

/// Imports a command, or a spec.
pub fn command(look: &InputText<'_>, gathered: &mut Gathered) -> ReadOutcome {
    let Some(spec) = pasted::spec(look.text) else { return ReadOutcome::not_read(Vec::new()) };
    match take(&spec, look.name, gathered) {
        Ok((holds, problems)) => ReadOutcome::of(holds, problems),
        Err(why) => {
            // A spec alone is the text itself, so its fault has a position.
            if pasted::shell_command(look.text).is_none()
                && let Err(fault) = read_spec(look.text)
            {
                return ReadOutcome::not_read(vec![Problem { source: look.name.into(), ..fault.problem }]);
            }
            let start = Span::new(0, look.text.find('\n').unwrap_or(look.text.len()));
            let mend = "A spec is written tag(count),constraint, such as zk(3),NOTIN,NODE,zk.";
            ReadOutcome::not_read(vec![Problem::error(look.name, start, why).mend(mend)])
        }
    }
}

/// Imports a command of the distributed shell, or a spec alone. Returns its contents, and the options that are not imported.
/// Errors: the client refuses it.
pub fn take(spec: &str, source: &str, gathered: &mut Gathered) -> Result<(String, Vec<Problem>), String> {
    if let Some(why) = file::refusal(spec) {
        return Err(format!("The distributed shell's client refuses this: {}.", why.trim_end_matches('.')));
    }
    let found = file::import(spec);
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
