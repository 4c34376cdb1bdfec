//! Containers that are asked back and killed, as events tell them.

use crate::explain::names::Names;
use crate::explain::say::preemption as say;
use crate::explain::words;
use heddle_core::journal::MarkedBecause;
use heddle_core::model::{ContainerId, PreemptedFor, Resource};

/// The figures by which a round chose a container.
pub fn because(names: Names<'_>, because: &MarkedBecause) -> String {
    let cluster = names.rm().cluster();
    let text = |r: &Resource| words::counted(*r, cluster.calculator, &cluster.types);
    match because {
        MarkedBecause::Owes { queue, used, guaranteed, owed, taken } => {
            let [used, guaranteed, owed, taken] = [used, guaranteed, owed, taken].map(text);
            say::queue_owed(names.queue(*queue), [&used, &guaranteed, &owed, &taken])
        }
        MarkedBecause::MakesRoom { reserved_for } => {
            say::reserved_by(names.app(*reserved_for), names.queue_of(*reserved_for))
        }
        MarkedBecause::OwesWithin { wanted } => say::owed_within(&text(wanted)),
    }
}

/// For what a container was preempted, in a sentence.
pub fn preempted(names: Names<'_>, id: ContainerId, what_for: PreemptedFor) -> String {
    match what_for {
        PreemptedFor::Round { by, since } => say::killed(by, names.queue_of(id.app), &words::clock(since)),
        PreemptedFor::App(app) => say::killed_for(names.app(app)),
        PreemptedFor::Maximum(queue) => say::killed_beyond_maximum(names.queue(queue)),
    }
}
