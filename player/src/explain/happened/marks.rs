//! The words of events about preemption: containers that are marked and killed.

use crate::explain::names::Names;
use crate::explain::say::preemption as say;
use crate::explain::words;
use heddle_core::journal::MarkedBecause;
use heddle_core::model::{ContainerId, Millis, PreemptedFor, Resource};
use heddle_core::scheduler::Origin;

/// Returns the figures by which a round chose a container.
pub fn because(names: Names<'_>, because: &MarkedBecause) -> String {
    let cluster = names.rm().cluster();
    let text = |r: &Resource| words::counted(*r, cluster.calculator, &cluster.types);
    match because {
        MarkedBecause::Owes { queue, used, beyond_maximum, bound, owed, taken } => {
            let [used, bound, owed, taken] = [used, bound, owed, taken].map(text);
            let figures = [used.as_str(), &bound, &owed, &taken];
            match beyond_maximum {
                true => say::queue_beyond(names.queue(*queue), figures),
                false => say::queue_owed(names.queue(*queue), figures),
            }
        }
        MarkedBecause::MakesRoom { reserved_for } => {
            say::reserved_by(names.app(*reserved_for), names.queue_of(*reserved_for))
        }
        MarkedBecause::OwesWithin { wanted } => say::owed_within(&text(wanted)),
    }
}

/// Returns how a mark ends; `killed_at`: the kill that its round foresaw.
pub fn ends(names: Names<'_>, id: ContainerId, killed_at: Option<Millis>) -> say::Ends {
    let lazy = names.rm().capacity().is_some_and(|s| s.conf().lazy_preemption);
    let outdated = || names.rm().container(id).is_some_and(|c| c.origin.is(Origin::OUTDATED));
    match killed_at {
        Some(at) => say::Ends::At { at: words::clock(at), lazy },
        None if !lazy && outdated() => say::Ends::Void,
        None => say::Ends::Forgotten,
    }
}

/// Returns for what a container was preempted, as a sentence.
pub fn preempted(names: Names<'_>, id: ContainerId, what_for: PreemptedFor) -> String {
    match what_for {
        PreemptedFor::Round { by, since, beyond_maximum } => {
            say::killed(&say::because(by, names.queue_of(id.app), beyond_maximum), &words::clock(since))
        }
        PreemptedFor::App(app) => say::killed_for(names.app(app)),
        PreemptedFor::Maximum(queue) => say::killed_beyond_maximum(names.queue(queue)),
    }
}
