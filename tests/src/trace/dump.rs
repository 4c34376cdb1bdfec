//! Dumps: the answers of a real ResourceManager's web services in the middle of a trace, and the steps after them. The
//! answers are imported like a person's files, the scenario is read, its ResourceManager begins in that state, and the
//! steps are played on it. Nothing else of the case is used: neither its history, nor anything that is missing from the
//! answers.

use super::play::{START_MS, TraceApp, TracePlayer};
use super::settings::{LABELS, settings};
use super::{Listener, StepResult, go_through};
use crate::conformance::{Case, Difference, Outcome};
use crate::facts::read::{list, text};
use heddle_core::config::xml;
use heddle_core::import::seen::parts;
use heddle_core::import::{Given, import};
use heddle_core::journal::{Full, Silent};
use heddle_core::model::{AppId, ContainerId, Resource};
use heddle_core::rm::{NodeState, ResourceManager};
use heddle_core::scenario::{self, Act, Scenario};
use heddle_core::scheduler::ContainerState;
use heddle_core::sim::present::present;
use serde_json::Value;
use std::collections::BTreeMap;

/// Plays a dump and the steps after it.
pub(super) fn dump(case: &Case) -> Outcome {
    let why = list(&case.expect["steps"]).iter().any(|step| step["why"] == true);
    if why { played::<Full>(case) } else { played::<Silent>(case) }
}

fn played<R: Listener>(case: &Case) -> Outcome {
    let mut player = match begin::<R>(case) {
        Ok(player) => player,
        Err(why) => return Outcome::Failed(Difference::new("import", "a scenario that begins", why)),
    };
    let (steps, expected) = (list(&case.expect["steps"]), list(&case.expect["expect"]));
    go_through(&mut player, case, (steps, "then.expect"), expected)
}

/// Returns the texts that a person would have: the settings and the answers.
pub fn files(given: &Value) -> Result<Vec<(String, String)>, String> {
    let mut settings = settings(given)?;
    let class = format!("x.{}", settings.scheduler.class());
    settings.yarn_site.insert("yarn.resourcemanager.scheduler.class".into(), class);
    if list(&given[LABELS]).is_empty() {
        settings.yarn_site.shift_remove("yarn.node-labels.enabled");
    }
    let mut out = vec![("yarn-site.xml".to_owned(), xml::write(&settings.yarn_site))];
    if given["capacity_scheduler"].is_object() {
        out.push(("capacity-scheduler.xml".to_owned(), xml::write(&settings.capacity_scheduler)));
    }
    if let Some(allocations) = settings.fair_allocations {
        out.push(("fair-scheduler.xml".to_owned(), allocations));
    }
    for (call, answer) in given["dump"].as_object().into_iter().flatten() {
        let by_id = matches!(call.as_str(), "app" | "appattempts" | "containers" | "activities" | "app_activities");
        match answer {
            Value::Object(answers) if by_id => {
                out.extend(answers.iter().map(|(id, answer)| (format!("{call}/{id}.json"), answer.to_string())));
            }
            Value::String(refusal) => out.push((format!("{call}.txt"), refusal.clone())),
            answer => out.push((format!("{call}.json"), answer.to_string())),
        }
    }
    Ok(out)
}

fn begin<R: Listener>(case: &Case) -> Result<TracePlayer<R>, String> {
    let files = files(&case.given)?;
    let given: Vec<Given<'_>> = files.iter().map(|(name, text)| Given { name, text }).collect();
    let imported = import(&given).scenario.ok_or("nothing was read")?;
    let read = scenario::read(&imported);
    let scenario = read.scenario.ok_or_else(|| format!("the scenario has errors: {:?}", read.problems))?;
    let mut settings = scenario.settings.clone();
    settings.clock_ms = START_MS;
    let groups = case.given["groups"].as_object().into_iter().flatten();
    settings.groups.extend(groups.map(|(u, g)| (u.clone(), list(g).iter().map(|g| text(g).to_owned()).collect())));
    let mut rm = ResourceManager::new(settings).map_err(|e| e.message)?;
    rm.set_now(START_MS);
    let mut journal = Silent;
    for node in &scenario.nodes {
        let id = rm.add_node(node.spec.clone(), &mut journal).map_err(|e| e.message)?;
        rm.set_wall_clock(START_MS);
        debug_assert!(rm.node(id).is_some_and(|n| n.state == NodeState::Running));
    }
    let (places, told): (Vec<usize>, Vec<_>) = present(&scenario).into_iter().unzip();
    let taken = rm.begin_with(&told, &scenario.shares, &mut journal);
    let mut ids: BTreeMap<&str, (AppId, Option<u32>, u32)> = BTreeMap::new();
    for ((place, told), taken) in places.iter().zip(&told).zip(&taken) {
        let name = scenario.apps[*place].name.as_str();
        let taken = taken.as_ref().map_err(|e| format!("{name}: {}", e.message))?;
        if let Some(refusal) = &taken.refused {
            return Err(format!("{name}: {}", refusal.message));
        }
        ids.insert(name, (taken.id, told.registered.then_some(told.attempt), told.attempt));
    }
    drains(&scenario, &mut rm);
    let mut player = TracePlayer::<R>::with(rm, &case.given);
    for named in list(&case.expect["names"]["apps"]) {
        let app = app(&player, &ids, named);
        player.apps.push(app);
    }
    player.gone = list(&case.given["dump"]["nodes"]["nodes"]["node"])
        .iter()
        .filter(|node| !matches!(text(&node["state"]), "RUNNING" | "DECOMMISSIONING"))
        .map(|node| text(&node["nodeHostName"]).to_owned())
        .collect();
    player.take_state();
    Ok(player)
}

/// Starts draining nodes.
fn drains(scenario: &Scenario, rm: &mut ResourceManager) {
    for happening in &scenario.happenings {
        if let Act::Decommission { node, timeout_s } = &happening.act
            && let Some(id) = rm.node_by_host(node)
        {
            rm.decommission_node(id, *timeout_s, &mut Silent);
        }
    }
}

/// Returns the script's view of an application: the numbers of its containers are the trace's.
fn app<R: Listener>(
    player: &TracePlayer<R>,
    ids: &BTreeMap<&str, (AppId, Option<u32>, u32)>,
    named: &Value,
) -> TraceApp {
    let had = named["had"].as_u64().unwrap_or(0) as usize;
    // A container id that does not exist.
    let gone = ContainerId { app: AppId(u32::MAX), attempt: 0, seq: u64::MAX };
    let mut out = TraceApp::default();
    (out.containers, out.nodes) = (vec![gone; had], vec![String::new(); had]);
    let Some((id, am, attempt)) = ids.get(text(&named["id"])) else {
        out.over = true;
        return out;
    };
    out.begins(*id, *am);
    // One whose earlier ApplicationMaster asked for something has been told a headroom; that of a new attempt is nothing yet.
    out.headroom = out.headroom.or((*attempt > 1 && am.is_none()).then_some(Resource::ZERO));
    for (number, container) in named["live"].as_object().into_iter().flatten() {
        let Some((_, attempt, seq)) = parts(text(container)) else { continue };
        let Ok(k) = number.parse::<usize>() else { continue };
        let cid = ContainerId { app: *id, attempt: attempt as u32, seq };
        let node = player.rm.container(cid).and_then(|c| player.rm.node(c.node));
        if let (Some(place), Some(node)) = (out.containers.get_mut(k), node) {
            *place = cid;
            out.nodes[k] = node.host.clone();
            out.live.insert(cid, k);
        }
    }
    out
}

impl<R: Listener> TracePlayer<R> {
    /// Takes over the known state of nodes and applications.
    fn take_state(&mut self) {
        for app in &self.apps {
            for (id, k) in &app.live {
                let runs = self.rm.container(*id).is_some_and(|c| c.state == ContainerState::Running);
                if runs {
                    self.reported.insert(*id);
                    self.running_on.entry(app.nodes[*k].clone()).or_default().insert(*id);
                }
            }
        }
        self.take_reservations();
        // Applications that are held back are only reported when they change.
        self.held_back(&mut StepResult::new());
    }
}
