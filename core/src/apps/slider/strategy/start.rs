//! Starts of the ApplicationMaster and changes of its definition (slider-placement.md 3.2, 3.3, 3.5, 13).

use super::decision::{CancelReason, Decision, Operation, Report};
use super::nodes::NodeReport;
use super::policy::Policy;
use super::requests::component_of;
use super::settings::{Definition, Exception, Keys, Limits, MASTER, Settings, SliderException, refuse};
use super::{Component, Files, Slider, Version};
use crate::model::{ContainerId, Millis};

/// A container of the previous attempt, as YARN reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Live {
    /// The container.
    pub container: ContainerId,
    /// The host.
    pub host: String,
    /// The priority of its request.
    pub priority: i32,
}

/// The input of an attempt's start.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// The version.
    pub version: Version,
    /// YARN's minimum and maximum allocations.
    pub limits: Limits,
    /// The definition.
    pub definition: Definition,
    /// The history files of earlier attempts.
    pub files: Files,
    /// `escalation.check.interval.seconds` of internal.json, if it is set.
    pub check_seconds: Option<i32>,
    /// Reports of the running nodes.
    pub nodes: Vec<NodeReport>,
    /// Containers of the previous attempt.
    pub live: Vec<Live>,
}

impl Slider {
    /// Starts an ApplicationMaster: components, history, nodes, live containers, and the first flex. A review must follow.
    pub fn start(now: Millis, start: Start) -> Result<(Self, Report), SliderException> {
        let Start { version, limits, definition, files, check_seconds: _, nodes, live } = start;
        let mut slider = Slider::new(version, limits, definition, files)?;
        let mut report = Report::default();
        let master = Settings { policy: Policy::EXCLUDED, ..Settings::new(0) };
        slider.add(Component::new(MASTER, MASTER, master))?;
        for name in slider.names() {
            if !slider.has(&name) && !slider.definition.unique_names(&name) {
                let settings = Settings::read(&slider.definition.resolved(&name).unwrap_or_default())?;
                slider.add(Component::new(name.as_str(), name.as_str(), settings))?;
            }
        }
        slider.meet_definition(&mut report)?;
        slider.load(&mut report);
        slider.history.report(&nodes, &mut report.decisions);
        for one in live {
            slider.take_over(now, one)?;
        }
        if let Some(master) = slider.components.get_mut(&0) {
            master.counters.desired = 1;
            master.counters.actual += 1;
            master.counters.started += 1;
        }
        slider.meet_definition(&mut report)?;
        slider.reset_failures(&mut report);
        report.review = true;
        Ok((slider, report))
    }

    /// Adds a component.
    pub fn add(&mut self, component: Component) -> Result<(), SliderException> {
        let id = component.id();
        if let Some(other) = self.components.get(&id) {
            let what = format!("{} and {} have the same id {id}", other.name, component.name);
            return refuse(Exception::BadConfig, what);
        }
        if self.has(&component.name) {
            return refuse(Exception::IllegalArgument, format!("there are two components {}", component.name));
        }
        self.components.insert(id, component);
        Ok(())
    }

    fn has(&self, name: &str) -> bool {
        self.components.values().any(|c| c.name == name)
    }

    fn names(&self) -> Vec<String> {
        self.definition.components.keys().filter(|name| *name != MASTER).cloned().collect()
    }

    /// Loads the newest readable history, for the current components.
    pub fn load(&mut self, report: &mut Report) {
        self.history.roles = i32::try_from(self.components.len()).unwrap_or(i32::MAX);
        let loaded = self.files.load();
        let skipped = loaded.skipped.len();
        for (name, fault) in loaded.skipped {
            report.decisions.push(Decision::HistorySkipped { name, fault });
        }
        let Some((name, records)) = loaded.taken else {
            report.decisions.push(Decision::HistoryMissing { skipped });
            return;
        };
        let components = &self.components;
        let discarded = self.history.rebuild(&records, |id| components.contains_key(&id));
        // The file was just read, so it exists.
        let _ = self.files.purge(&name);
        self.history.build_recent();
        report.decisions.push(Decision::HistoryLoaded { name, saved: records.saved, discarded });
    }

    /// Takes over a container of the previous attempt, which counts as started now.
    pub fn take_over(&mut self, now: Millis, live: Live) -> Result<(), SliderException> {
        let id = component_of(live.priority);
        let Some(component) = self.components.get_mut(&id) else {
            return refuse(Exception::UnknownComponent, format!("a live container belongs to no component: id {id}"));
        };
        component.counters.actual += 1;
        self.history.entry(&live.host, id).assigned();
        self.assigned.insert(live.container, (id, live.host));
        self.launched(now, live.container);
        self.started(now, live.container);
        Ok(())
    }

    /// Changes the definition. A refused change keeps the effects of its first steps.
    pub(super) fn flex(&mut self, definition: Definition, report: &mut Report) {
        self.definition = definition;
        match self.meet_definition(report) {
            Ok(()) => {
                self.reset_failures(report);
                report.review = true;
            }
            Err(refused) => report.refused = Some(refused),
        }
    }

    /// Sets counts and sizes by the definition, and adds components.
    fn meet_definition(&mut self, report: &mut Report) -> Result<(), SliderException> {
        // The number of counted instances with names of their own, by group.
        let mut counted = std::collections::BTreeMap::<String, i64>::new();
        let definition = &self.definition;
        for c in self.components.values_mut().filter(|c| !c.settings.policy.excluded()) {
            let mut desired = definition.instances(&c.group)?;
            if definition.unique_names(&c.group) {
                let before = counted.entry(c.group.clone()).or_default();
                desired = i64::from(desired > *before);
                *before += desired;
            }
            let from = std::mem::replace(&mut c.counters.desired, desired);
            if from != desired {
                report.decisions.push(Decision::Flexed { component: c.id(), from, to: desired });
            }
        }
        for name in self.names() {
            if self.has(&name) {
                continue;
            }
            let keys = self.definition.resolved(&name).unwrap_or_default();
            let count = self.definition.instances(&name)?;
            if self.definition.unique_names(&name) {
                for i in counted.get(&name).copied().unwrap_or(0) + 1..=count {
                    self.add_member(&name, &keys, i)?;
                }
            } else {
                let mut component = Component::new(name.as_str(), name.as_str(), Settings::read(&keys)?);
                component.counters.desired = count;
                self.add(component)?;
            }
        }
        for id in self.components.keys().copied().collect::<Vec<_>>() {
            let Some(c) = self.components.get_mut(&id) else { continue };
            c.size = self.definition.size(&c.group, &self.limits)?;
        }
        Ok(())
    }

    /// Adds the i-th instance, from 1, of a component whose instances have names of their own.
    fn add_member(&mut self, group: &str, keys: &Keys, i: i64) -> Result<(), SliderException> {
        let mut settings = Settings::read(keys)?;
        let wanted = i64::from(settings.id) + i - 1;
        settings.id = match i32::try_from(wanted) {
            Ok(id) if !self.components.contains_key(&id) => id,
            _ => self.components.keys().next_back().map_or(1, |last| last.saturating_add(1)),
        };
        let mut component = Component::new(format!("{group}{i}"), group, settings);
        component.counters.desired = 1;
        self.add(component)
    }

    /// Returns whether there is a failure to forget.
    pub fn has_recent_failures(&self) -> bool {
        let mut entries = self.history.nodes.values().flat_map(|n| n.entries.values());
        self.components.values().any(|c| c.counters.failed_recently != 0) || entries.any(|e| e.failed_recently != 0)
    }

    /// Resets the recent failures.
    pub(super) fn reset_failures(&mut self, report: &mut Report) {
        if self.has_recent_failures() {
            report.decisions.push(Decision::FailuresReset);
        }
        for c in self.components.values_mut() {
            c.counters.failed_recently = 0;
        }
        self.history.reset_failures();
    }

    /// Applies node reports. A change of the cluster ends every anti-affine request.
    pub(super) fn nodes(&mut self, reports: &[NodeReport], report: &mut Report) {
        if !self.history.report(reports, &mut report.decisions) {
            return;
        }
        for ask in self.history.requests.take_anti_affine().into_iter().filter_map(|r| r.ask) {
            let why = CancelReason::ClusterChanged;
            report.decisions.push(Decision::Cancelled { component: ask.component, ask: ask.id, why });
            report.operations.push(Operation::Cancel(ask.id));
        }
        for c in self.components.values_mut() {
            c.forget_aa();
        }
        report.review = true;
    }
}
