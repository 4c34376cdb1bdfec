//! The state of a YARN service: its components, what each waits for, the fate of its instances.

use super::say;
use crate::explain::names::Names;
use crate::explain::refusal::{self, RefusalNotice};
use crate::explain::say::books;
use crate::explain::say::wants;
use crate::explain::shown::books::{cell, head, table, text};
use crate::explain::view::{LedgerRow, LedgerView, Selection};
use crate::explain::waits::wants::{Lack, since_wanted};
use crate::explain::words;
use heddle_core::apps::service::strategy::plan::key_of;
use heddle_core::apps::service::strategy::{Component, ComponentSpec};
use heddle_core::check::Check;
use heddle_core::model::AppId;
use heddle_core::scheduler::ContainerState;
use heddle_core::sim::Tried;

/// Returns the instances that wait without a request to YARN, by component.
pub fn lacks(names: Names<'_>, app: AppId) -> Vec<Lack> {
    let master = names.sim.place_of(app).and_then(|place| names.sim.service(place));
    let (Some(master), Some(sched)) = (master, names.rm().scheduled(app)) else { return Vec::new() };
    let refused = refused_call(names, app);
    let mut out = Vec::new();
    for (i, (spec, component)) in master.components().enumerate() {
        let pending = component.pending.len() as i64;
        let part = u32::try_from(i).unwrap_or(u32::MAX);
        let (lost, until) = master.unrecovered(i);
        if lost > 0 {
            let since = since_wanted(names, app, part, pending);
            let sentence = say::unrecovered(&spec.name, lost, &words::clock(until));
            let (name, check) = (wants::part(names.app(app), &spec.name), Check::AskDue);
            out.push(Lack { app, name, count: lost, since, size: spec.size, check, sentence });
        }
        let (count, asked, check, sentence) = if !component.begun {
            let needs = master.needs(i);
            match needs.is_empty() {
                true => (pending, 0, Check::AskDue, say::next_check(&spec.name)),
                false => (pending, 0, Check::DependenciesReady, say::held(&spec.name, &needs)),
            }
        } else if component.is_quiet() && !names.rm().is_placing(app) {
            let rows = sched.asks.open().iter().filter(|(key, _)| *key == key_of(i));
            let asked: i64 = rows.map(|(_, at)| sched.asks.at(*at as usize).any().map_or(0, |row| row.count)).sum();
            let coming = |c: &&heddle_core::scheduler::Container| {
                c.key == key_of(i) && !c.am && c.state == ContainerState::Allocated
            };
            let asked = asked + names.rm().containers_of(app).filter(coming).count() as i64;
            let missing = pending - asked;
            match &refused {
                Some(told) => {
                    (missing, asked, Check::CallTaken, say::refused(&spec.name, missing, &words::clock(told.at)))
                }
                None => (missing, asked, Check::RequestMade, say::forgotten(&spec.name, missing)),
            }
        } else {
            continue;
        };
        if count > 0 {
            let (name, since) = (wants::part(names.app(app), &spec.name), since_wanted(names, app, part, asked));
            out.push(Lack { app, name, count, since, size: spec.size, check, sentence });
        }
    }
    out
}

/// Returns the components whose ApplicationMaster believes that more instances are requested than YARN is asked for, each
/// with the number to flex to so that it requests the missing ones.
pub fn forgotten(names: Names<'_>, app: AppId) -> Vec<(String, i64)> {
    let master = names.sim.place_of(app).and_then(|place| names.sim.service(place));
    let lacks = lacks(names, app);
    let of = |(spec, component): (&ComponentSpec, &Component)| {
        let name = wants::part(names.app(app), &spec.name);
        let lack = lacks.iter().find(|lack| lack.check == Check::RequestMade && lack.name == name)?;
        Some((spec.name.clone(), component.desired + lack.count))
    };
    master.into_iter().flat_map(|master| master.components()).filter_map(of).collect()
}

/// Returns a sentence for each change of a service that was ignored.
pub fn put_aside(names: Names<'_>, app: AppId) -> Vec<String> {
    let master = names.sim.place_of(app).and_then(|place| names.sim.service(place));
    let changed = |c: &Component| c.desired != c.number;
    let components = master.into_iter().flat_map(|master| master.components()).filter(|(_, c)| changed(c));
    components.map(|(spec, c)| say::put_aside(&spec.name, c.desired, c.number)).collect()
}

/// Returns the refused call of its ApplicationMaster, which gets no answers from then on.
fn refused_call(names: Names<'_>, app: AppId) -> Option<RefusalNotice<'_>> {
    let place = names.sim.place_of(app)?;
    names.sim.service(place).filter(|master| master.was_refused())?;
    refusal::all(names).into_iter().rev().find(|told| told.tried == Tried::Call(place))
}

/// Returns the number of a component's instances, and the number that a user wanted.
fn wanted(component: &Component) -> crate::explain::view::LedgerCell {
    let why = (component.desired != component.number).then(|| say::instead_of(component.desired));
    cell(component.number.to_string(), why.into_iter().collect())
}

/// Returns the tables of the YARN service at an index of the scenario.
pub fn books(names: Names<'_>, place: usize) -> LedgerView {
    let Some(app) = names.scenario().apps.get(place) else { return LedgerView::default() };
    let mut view = head(names, &app.name, say::LAW);
    let Some(master) = names.sim.service(place) else { return view };
    let (mut all, mut ready, mut over, mut rows) = (0, 0, 0, Vec::new());
    for (i, (spec, component)) in master.components().enumerate() {
        let (there, live) = master.ready(i);
        let needs = if component.begun { Vec::new() } else { master.needs(i) };
        (all, ready, over) = (all + component.number, ready + there, over + component.done());
        let pending = component.pending.len();
        let hover = (pending > 0).then(|| say::waits(component.begun).to_string());
        rows.push(LedgerRow {
            name: spec.name.clone(),
            about: (pending > 0 && component.begun)
                .then(|| Selection::Request { app: app.name.clone(), key: key_of(i).to_string() }),
            cells: vec![
                text(i.to_string()),
                wanted(component),
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
    view.came_to = vec![say::came_to(&app.name, all, ready, over)];
    if let Some(id) = names.find_app(&app.name) {
        view.came_to.extend(lacks(names, id).into_iter().map(|lack| lack.sentence));
        view.came_to.extend(put_aside(names, id));
        view.came_to.extend(refused_call(names, id).map(|told| format!("{}.", told.sentence(names))));
    }
    view.tables = vec![table(books::COMPONENTS, books::COMPONENT, &say::OF_COMPONENTS, rows)];
    view
}
