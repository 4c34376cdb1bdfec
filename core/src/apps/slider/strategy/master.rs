//! Slider as an ApplicationMaster of the simulation: calls of the simulation become events; Slider's decisions become acts and
//! journal entries. The state that outlives an attempt, the history files and the definition, is in the application's store,
//! where a user may edit it between calls.

use super::attempt::{AnswerParts, Attempt, SliderEffects};
use super::decision::{Decision, Ended, Event, Grant, TargetChoice};
use super::nodes::{NodeReport, NodeState};
use super::requests::{component_of, priority};
use super::{Component, Definition, Files, Limits, Live, Start, Version, definition, files};
use crate::api::{self, AllocateCall, AllocateResponse, NodeUpdate};
use crate::journal::{GiveUp, MasterAct, SliderAct};
use crate::model::{ContainerId, Millis, RequestKey};
use crate::strategy::{AmAction, ApplicationMaster, AskLog, Order, Progress, Store, TimerId, Turn};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Returns the wall clock at the start of a run, which is the base of Slider's times and of the names of its files: 2026-01-01
/// 00:00:00 UTC, or a minute after the newest existing file if that is later.
pub fn clock<'n>(files: impl IntoIterator<Item = &'n str>) -> Millis {
    const START: Millis = 1_767_225_600_000;
    let newest = files.into_iter().filter_map(files::saved).filter(|at| (0..LATEST).contains(at)).max();
    newest.map_or(START, |at| START.max(at + 60_000))
}

/// The year 3000: later times in names of files are not times.
const LATEST: Millis = 32_503_680_000_000;

/// The key of the definition in the store.
const DEFINITION: &str = "resources.json";
/// The prefix of history files in the store.
const DIRECTORY: &str = "history/";
/// The number of history files that are kept; the real Slider keeps all that were written since its start.
const FILES: usize = 100;
/// The exit code of an ApplicationMaster that cannot start.
const CANNOT_START: i32 = 1;

/// The timers of the escalation check, and of the end of the failure window.
const CHECK: TimerId = 1;
const WINDOW: TimerId = 2;

/// How long an instance of a component works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Work {
    /// The time from the start of its process; `None`: until it is ended.
    pub run_ms: Option<Millis>,
    /// The exit code of its process.
    pub exit_code: i32,
}

/// The description of an application, before it runs.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct SliderPlan {
    pub version: Version,
    /// The definition that its first start finds.
    pub definition: Definition,
    /// `escalation.check.interval.seconds` of internal.json, if it is set.
    pub check_seconds: Option<i32>,
    /// The work of the instances of components, by name; others work forever.
    pub work: BTreeMap<String, Work>,
    pub heartbeat: Millis,
    /// The result of [`clock`].
    pub clock: Millis,
}

/// Returns the history files of an application.
pub fn history_files(store: &Store) -> Files {
    let mut out = Files::default();
    for (key, text) in store.iter() {
        if let Some(name) = key.strip_prefix(DIRECTORY) {
            out.put(name, text);
        }
    }
    out
}

/// Writes a history file.
pub fn put_history(store: &mut Store, name: &str, text: impl Into<Arc<str>>) {
    store.put(format!("{DIRECTORY}{name}"), text);
}

/// Deletes a history file. Returns whether it existed.
pub fn delete_history(store: &mut Store, name: &str) -> bool {
    store.remove(&format!("{DIRECTORY}{name}")).is_some()
}

/// Returns the definition in the store, if there is one.
pub fn stored_definition(store: &Store) -> Option<Definition> {
    definition::read(store.get(DEFINITION)?).0
}

/// Puts a definition into the store.
pub fn store_definition(store: &mut Store, definition: &Definition) {
    store.put(DEFINITION, definition::write(definition));
}

/// A Slider ApplicationMaster.
#[derive(Clone, Debug, PartialEq)]
pub struct SliderMaster {
    plan: Arc<SliderPlan>,
    /// The attempt, from its registration on, if it could start.
    attempt: Option<Attempt>,
    /// The node reports of the answer that comes next.
    news: Vec<NodeReport>,
    asks: AskLog,
    done: i64,
    failed: i64,
}

impl SliderMaster {
    pub fn new(plan: Arc<SliderPlan>) -> Self {
        SliderMaster { plan, attempt: None, news: Vec::new(), asks: AskLog::default(), done: 0, failed: 0 }
    }

    /// Returns the attempt's state, once it has started.
    pub fn attempt(&self) -> Option<&Attempt> {
        self.attempt.as_ref()
    }

    /// Returns the wall clock at the start of the run.
    pub fn clock(&self) -> Millis {
        self.plan.clock
    }

    fn definition(&self, store: &Store) -> Definition {
        stored_definition(store).unwrap_or_else(|| self.plan.definition.clone())
    }

    /// Has the attempt process something, and carries out the results.
    fn with(
        &mut self,
        turn: &mut Turn<'_>,
        call: impl FnOnce(&mut Attempt, Millis, &dyn Fn(&str) -> Option<String>) -> SliderEffects,
    ) -> SliderEffects {
        let (now, reports) = (self.plan.clock + turn.now, turn.reports());
        let Some(attempt) = &mut self.attempt else { return SliderEffects::default() };
        attempt.skip_to(now);
        let doings = call(attempt, now, &|host| reports.rack(host));
        self.settle(turn, doings.clone());
        doings
    }

    /// Records the decisions, saves the written files, and requests the acts.
    fn settle(&mut self, turn: &mut Turn<'_>, doings: SliderEffects) {
        let Some(attempt) = &mut self.attempt else { return };
        for (name, text) in std::mem::take(attempt.files_mut()).iter() {
            put_history(turn.store, name, text);
        }
        trim(turn.store);
        for decision in doings.decisions {
            self.keep(turn, decision);
        }
        for container in doings.launch {
            let work = self.work(container);
            turn.act(AmAction::Launch { container, run_ms: work.run_ms, exit_code: work.exit_code });
        }
        if let Some(refused) = doings.refused {
            self.keep(turn, Decision::DefinitionRefused { what: refused.what, flex: true });
        }
        if let Some(stopped) = doings.stop {
            self.keep(turn, Decision::Stopped(stopped));
            turn.act(AmAction::Unregister { succeeded: false });
        }
    }

    fn keep(&mut self, turn: &mut Turn<'_>, decision: Decision) {
        let key = key_of(&decision);
        if let (Decision::Asked { .. } | Decision::Escalated { .. }, Some(key)) = (&decision, key) {
            self.asks.add(turn.now, key, 1);
        }
        let slider = self.attempt.as_ref().map(Attempt::slider);
        let (app, clock) = (turn.attempt.app, self.plan.clock);
        turn.note(|| {
            let at = decision.container().and_then(|c| slider?.container(c));
            let id = decision.component().or(at.map(|(component, _)| component));
            let component = id.and_then(|id| Some(slider?.component(id)?.name.as_str().into()));
            let host = at.map(|(_, host)| host.into());
            MasterAct::Slider(Box::new(SliderAct { app, component, key, host, decision: decision.shifted(-clock) }))
        });
    }

    fn work(&self, container: ContainerId) -> Work {
        let slider = self.attempt.as_ref().map(Attempt::slider);
        let component = slider.and_then(|s| s.component(s.container(container)?.0));
        component.and_then(|c| self.plan.work.get(&c.group)).copied().unwrap_or_default()
    }
}

/// Returns the key in YARN of a request that was made.
fn key_of(decision: &Decision) -> Option<RequestKey> {
    let (component, located) = match decision {
        Decision::Asked { component, why: TargetChoice::Recent { .. } | TargetChoice::Eligible { .. }, .. } => {
            (*component, true)
        }
        Decision::Asked { component, .. } | Decision::Escalated { component, .. } => (*component, false),
        _ => return None,
    };
    Some(RequestKey { priority: priority(component, located), allocation_request_id: -1 })
}

/// Keeps only the newest files.
fn trim(store: &mut Store) {
    let names = store.iter().filter_map(|(key, _)| key.strip_prefix(DIRECTORY));
    let names: Vec<String> = names.filter(|name| files::is_history(name)).map(String::from).collect();
    for name in names.iter().take(names.len().saturating_sub(FILES)) {
        delete_history(store, name);
    }
}

/// Returns a node's state as YARN reports it to Slider.
pub fn state(state: api::NodeState) -> NodeState {
    match state {
        // A decommissioning node still runs its containers.
        api::NodeState::Running | api::NodeState::Decommissioning => NodeState::Running,
        api::NodeState::Decommissioned => NodeState::Decommissioned,
        api::NodeState::Unhealthy => NodeState::Unhealthy,
        api::NodeState::New | api::NodeState::Lost => NodeState::Lost,
        api::NodeState::Rebooted => NodeState::Rebooted,
        api::NodeState::Shutdown => NodeState::Shutdown,
    }
}

fn report(node: &NodeUpdate) -> NodeReport {
    NodeReport { host: node.host.clone(), state: state(node.state), label: node.label.clone() }
}

impl ApplicationMaster for SliderMaster {
    fn first_heartbeat_ms(&self) -> Millis {
        0
    }

    fn heartbeat_ms(&self) -> Millis {
        self.plan.heartbeat
    }

    fn registered(&mut self, turn: &mut Turn<'_>) {
        let (now, app, reports) = (self.plan.clock + turn.now, turn.attempt.app, turn.reports());
        let (min, max) = reports.limits(app);
        let files = history_files(turn.store);
        let before: Vec<String> = files.iter().map(|(name, _)| name.to_string()).collect();
        let kept = reports.kept(app).into_iter();
        let start = Start {
            version: self.plan.version,
            limits: Limits { min, max },
            definition: self.definition(turn.store),
            files,
            check_seconds: self.plan.check_seconds,
            nodes: reports.running_nodes().iter().map(report).collect(),
            live: kept.map(|g| Live { container: g.id, host: reports.host(g.node), priority: g.priority }).collect(),
        };
        match Attempt::start(now, start, &|host| reports.rack(host)) {
            Ok((attempt, doings)) => {
                for name in before.iter().filter(|name| attempt.slider().files().text(name).is_none()) {
                    delete_history(turn.store, name);
                }
                turn.act(AmAction::SetTick { timer: CHECK, period_ms: attempt.events().check_every() });
                if attempt.events().window() > 0 {
                    turn.act(AmAction::SetTick { timer: WINDOW, period_ms: attempt.events().window() });
                }
                self.attempt = Some(attempt);
                self.settle(turn, doings);
            }
            Err(refused) => {
                self.keep(turn, Decision::DefinitionRefused { what: refused.what, flex: false });
                turn.note(|| MasterAct::GaveUp { app, why: GiveUp::Definition });
                turn.act(AmAction::Fail { exit_code: CANNOT_START });
            }
        }
    }

    fn call(&mut self, _turn: &mut Turn<'_>) -> AllocateCall {
        self.attempt.as_mut().map_or_else(AllocateCall::default, Attempt::call)
    }

    /// Stops the application as failed, as AMRMClientAsync.onError does.
    fn refused(&mut self, turn: &mut Turn<'_>) {
        turn.act(AmAction::GiveUp(GiveUp::CallRefused));
    }

    fn nodes_updated(&mut self, _turn: &mut Turn<'_>, nodes: &[NodeUpdate]) {
        self.news = nodes.iter().map(report).collect();
    }

    fn answer(&mut self, turn: &mut Turn<'_>, answer: &AllocateResponse) {
        let heard = AnswerParts {
            nodes: std::mem::take(&mut self.news),
            completed: answer.completed.iter().map(|c| (c.id, c.exit_code)).collect(),
            granted: answer
                .allocated
                .iter()
                .map(|g| Grant {
                    container: g.id,
                    host: turn.reports().host(g.node),
                    priority: g.priority,
                    size: g.size,
                })
                .collect(),
        };
        if heard == AnswerParts::default() {
            return;
        }
        let doings = self.with(turn, |attempt, now, racks| attempt.hear(now, heard, racks));
        for ended in &doings.decisions {
            let Decision::Ended { container, how } = ended else { continue };
            let clean = answer.completed.iter().any(|c| c.id == *container && c.exit_code == 0);
            self.done += i64::from(clean);
            self.failed += i64::from(!clean && matches!(how, Ended::Failed { .. }));
        }
    }

    fn container_started(&mut self, turn: &mut Turn<'_>, container: ContainerId) {
        self.with(turn, |attempt, now, racks| attempt.handle(now, Some(Event::Started(vec![container])), racks));
    }

    fn start_failed(&mut self, turn: &mut Turn<'_>, container: ContainerId) {
        self.with(turn, |attempt, now, racks| attempt.handle(now, Some(Event::LaunchFailed(container)), racks));
    }

    fn order(&mut self, turn: &mut Turn<'_>, order: Order) -> Result<(), String> {
        match order {
            Order::Stop => turn.act(AmAction::Unregister { succeeded: true }),
            Order::Upgrade => {}
            Order::Flex => {
                let definition = self.definition(turn.store);
                let doings =
                    self.with(turn, |attempt, now, racks| attempt.handle(now, Some(Event::Flex(definition)), racks));
                if let Some(refused) = doings.refused {
                    return Err(format!("{}: {}", refused.kind.class(), refused.what));
                }
            }
        }
        Ok(())
    }

    fn timer(&mut self, turn: &mut Turn<'_>, _timer: TimerId) {
        self.with(turn, |attempt, now, racks| attempt.handle(now, None, racks));
    }

    fn is_quiet(&self) -> bool {
        self.attempt.as_ref().is_none_or(Attempt::is_quiet)
    }

    fn wakes_at(&self) -> Option<Millis> {
        self.attempt.as_ref()?.events().acts_at().map(|at| at - self.plan.clock)
    }

    fn progress(&self) -> Progress {
        Progress { asked: self.asks.total(), done: self.done, failed: self.failed, ..Progress::default() }
    }

    fn asks(&self) -> &AskLog {
        &self.asks
    }

    fn lacking(&self) -> Vec<(u32, i64)> {
        let components = self.attempt.iter().flat_map(|attempt| attempt.slider().components());
        let lacks = |c: &Component| c.counters.desired - c.counters.actual;
        components.filter_map(|c| Some((u32::try_from(c.id()).ok()?, lacks(c).max(0)))).collect()
    }

    fn parts_of(&self, key: RequestKey) -> Vec<u32> {
        u32::try_from(component_of(key.priority)).into_iter().collect()
    }

    fn component(&self, key: RequestKey) -> Option<&str> {
        let component = self.attempt.as_ref()?.slider().component(component_of(key.priority))?;
        Some(&component.name)
    }
}
