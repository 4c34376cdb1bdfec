//! The state of a run as seen from outside.

use heddle_core::sim::Simulation;
use std::fmt::Write;

/// Returns the visible results of all decisions: containers, applications, queues, and the answers that an AM would get.
pub fn seen(sim: &Simulation) -> String {
    let mut out = format!("{} ms\n", sim.now());
    let mut rm = sim.rm().clone();
    let mut tell = |line: std::fmt::Arguments<'_>| writeln!(out, "{line}").expect("a string takes everything");
    for node in rm.nodes() {
        tell(format_args!("{} {:?} {:?} {:?}", node.host, node.state, node.allocated, node.total));
        for c in rm.containers_on(node.id) {
            tell(format_args!("  {:?} {:?} {:?} {:?} {}", c.id, c.state, c.size, c.key, c.allocated_at));
        }
    }
    for c in rm.reservations() {
        tell(format_args!("reserved {:?} {:?} {:?}", c.id, c.node, c.size));
    }
    for q in rm.queues() {
        tell(format_args!("{} {:?}", q.path, q.state));
        for p in &q.parts {
            tell(format_args!("  {:?} {:?} {:?} {:?} {:?}", p.used, p.pending, p.reserved, p.am_used, p.am_limit));
        }
        if let Some(l) = &q.leaf {
            tell(format_args!("  {:?} {:?} {:?}", l.pending, l.active, l.not_runnable));
        }
    }
    for app in rm.apps() {
        tell(format_args!("{:?} {} {}", app.id, app.state.text(), rm.am_diagnostics(app.id)));
    }
    let apps: Vec<_> = rm.apps().iter().map(|a| a.id).collect();
    for app in apps {
        let headroom = rm.headroom(app);
        tell(format_args!("{app:?} may get {headroom:?}"));
    }
    out
}
