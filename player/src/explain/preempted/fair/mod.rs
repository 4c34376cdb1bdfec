//! What the FairScheduler's preemption does for a request, or to a container: told from what updates found
//! (`preemption::fair::Looks`), from the search for a starved application (`Search`), and from what nodes have promised.

mod container;
mod waiting;

pub use container::{Story, Warned, container};
pub use waiting::{Cause, cause, owed, short, waiting};

use crate::explain::names::Names;
use crate::explain::words;
use heddle_core::model::Resource;

fn text(names: Names<'_>, r: Resource) -> String {
    words::fair_share(r, &names.rm().cluster().types)
}

/// What is lacking, and since when; `None`: nothing.
fn since(names: Names<'_>, lack: Resource, since: i64) -> Option<(String, String)> {
    (!lack.is_zero()).then(|| (text(names, lack), words::clock(since)))
}
