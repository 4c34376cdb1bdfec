//! Changes of the FairScheduler's queues, in its allocation file.

use super::FormText;
use crate::path;
use heddle_core::config::fair::FILE;
use heddle_core::config::fair::edit::ParsedFile as File;
use heddle_core::scenario::edit;
use heddle_view::QueueChange;

/// Returns the text with a change. An element's full name is its queue's path, a dot and its own name; without a path it
/// belongs to the whole file.
pub fn change(text: &str, change: &QueueChange, typed: &str) -> Result<String, String> {
    let written = FormText::new(text).text(&path!["files", FILE]);
    let file = File::of(&written).ok_or("fair-scheduler.xml cannot be read; mend it as text.")?;
    let next = match change {
        QueueChange::Property { name, .. } => {
            let (queue, element) = name.rsplit_once('.').unwrap_or(("", name));
            file.set(queue, element, typed)
        }
        QueueChange::Child { parent, name } => file.add(parent, if typed.trim().is_empty() { name } else { typed })?,
        QueueChange::Remove { queue } => file.remove(queue),
        QueueChange::File => typed.to_owned(),
        QueueChange::Share { .. } | QueueChange::Named(_) => {
            return Err("The FairScheduler has no such setting.".into());
        }
    };
    edit::set_file(text, FILE, &next)
}
