//! The books of a YARN service: its components, what each waits for, what became of its instances.

use super::service::{cell, table, text};
use crate::explain::names::Names;
use crate::explain::say::{service, yarn_service as say};
use crate::explain::view::{LedgerRow, LedgerView, Selection};
use crate::explain::words;
use heddle_core::strategy::service::plan::key_of;

/// The books of a YARN service, by its place in the scenario.
pub fn books(names: Names<'_>, place: usize) -> LedgerView {
    let Some(app) = names.scenario().apps.get(place) else { return LedgerView::default() };
    let mut view = LedgerView {
        law: say::LAW.to_string(),
        title: service::title(&app.name, &words::clock(names.now)),
        ..LedgerView::default()
    };
    let Some(master) = names.sim.service(place) else {
        view.came_to = vec![service::no_master(&app.name)];
        return view;
    };
    let (mut wanted, mut ready, mut over, mut held, mut rows) = (0, 0, 0, Vec::new(), Vec::new());
    for (i, (spec, component)) in master.components().enumerate() {
        let (there, live) = master.ready(i);
        let needs = if component.begun { Vec::new() } else { master.needs(i) };
        (wanted, ready, over) = (wanted + component.number, ready + there, over + component.done());
        held.extend((!needs.is_empty()).then(|| say::held(&spec.name, &needs)));
        let pending = component.pending.len();
        let hover = (pending > 0).then(|| say::waits(component.begun).to_string());
        rows.push(LedgerRow {
            name: spec.name.clone(),
            about: (pending > 0 && component.begun)
                .then(|| Selection::Request { app: app.name.clone(), key: key_of(i).to_string() }),
            cells: vec![
                text(i.to_string()),
                text(component.number.to_string()),
                text(there.to_string()),
                text(live.to_string()),
                cell(pending.to_string(), hover.into_iter().collect()),
                cell(component.done().to_string(), vec![say::over(component)]),
                cell(spec.restart_policy.name().to_string(), say::policy(spec.restart_policy, component.failures)),
                text(if needs.is_empty() { String::new() } else { say::lacks(&needs) }),
            ],
            ..LedgerRow::default()
        });
    }
    view.came_to = [vec![say::came_to(&app.name, wanted, ready, over)], held].concat();
    view.tables = vec![table(service::COMPONENTS, service::COMPONENT, &say::OF_COMPONENTS, rows)];
    view
}
