//! What the FairScheduler's preemption does for a request or to a container: from the findings of updates
//! (`preemption::fair::StarvationFindings`), from the search for a starved application (`Search`), and from what is promised on nodes.

mod container;
mod waiting;

pub use container::{Warned, WarningHistory, container};
pub use waiting::{FairFreeingCause, cause, has_its_share, owed, short, waiting};

use super::case::condition;
use crate::explain::formulas;
use crate::explain::names::Names;
use crate::explain::say::preemption::yes_no;
use crate::explain::view::{ConditionView, Met};
use crate::explain::waits::of_check::keys;
use crate::explain::words;
use heddle_core::check::Check;
use heddle_core::model::Resource;

/// Returns the condition whether preemption is on.
fn on_condition(names: Names<'_>, on: bool) -> ConditionView {
    told(names, Check::FairPreemptionOn, if on { Met::Yes } else { Met::No }, yes_no(on))
}

/// Returns a condition with the properties of yarn-site.xml that set it.
fn told(names: Names<'_>, check: Check, met: Met, value: String) -> ConditionView {
    ConditionView { properties: formulas::of_site(names, keys(check)), ..condition(check, met, value) }
}

fn text(names: Names<'_>, r: Resource) -> String {
    words::fair_share(r, &names.rm().cluster().types)
}

/// Returns what is lacking, and since when; `None`: nothing.
fn since(names: Names<'_>, lack: Resource, since: i64) -> Option<(String, String)> {
    (!lack.is_zero()).then(|| (text(names, lack), words::clock(since)))
}
