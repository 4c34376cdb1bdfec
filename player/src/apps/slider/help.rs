//! Changes that may help a Slider application: its placement policy, its escalation delay, its label, fewer instances of
//! other components, a label for one more node.

use super::Slider as Kind;
use crate::apps::help::{KindAdvice, OfComponent};
use crate::explain::waiting::Waiting;
use crate::explain::wants::since_wanted;
use crate::explain::{Names, say};
use crate::help::asks::{Flexed, RequestEdit, RequestRelaxation};
use crate::help::knobs::{CandidateChange, CandidateKind, RequestContext};
use heddle_core::apps::slider::strategy::outstanding::{Outstanding, outstanding};
use heddle_core::apps::slider::strategy::requests::{component_of, priority};
use heddle_core::apps::slider::strategy::settings::key;
use heddle_core::apps::slider::strategy::{Component, Slider};
use heddle_core::check::Check;
use heddle_core::model::{AppId, RequestKey};
use heddle_core::scenario::edit::{self, Setting};
use heddle_core::scenario::{Act, App, SliderApp};
use heddle_core::scheduler::Node;
use heddle_core::sim::Simulation;

/// The most other components that are reduced.
const OTHERS: usize = 2;

/// The container failure thresholds that are tried, the lowest first.
const FAILURES: [i64; 5] = [8, 16, 32, 64, 128];

impl KindAdvice for Kind {
    fn held_back(&self, names: Names<'_>, app: AppId) -> Option<Waiting> {
        let attempt = names.sim.slider(names.sim.place_of(app)?)?.attempt()?;
        let slider = attempt.slider();
        let of = outstanding(slider).into_iter().find(|of| of.wait.is_held_back())?;
        let component = slider.component(of.component)?;
        let since = since_wanted(names, app, u32::try_from(of.component).unwrap_or(u32::MAX), 0);
        let label = component.settings.label.as_deref().unwrap_or("");
        Some(Waiting {
            app,
            key: RequestKey { priority: priority(of.component, true), allocation_request_id: -1 },
            count: of.count,
            size: component.size,
            am: false,
            since,
            asked_at: since,
            places: Vec::new(),
            partition: names.rm().cluster().partition(label).unwrap_or_default(),
            tags: Vec::new(),
            constraint: None,
            placing: Vec::new(),
            left_over: false,
        })
    }

    fn held_back_beside(&self, names: Names<'_>, w: &Waiting) -> i64 {
        let attempt = names.sim.place_of(w.app).and_then(|place| names.sim.slider(place)?.attempt());
        let all = attempt.map_or(Vec::new(), |attempt| outstanding(attempt.slider()));
        let of_it = |of: &&Outstanding| of.wait.is_held_back() && of.component == component_of(w.key.priority);
        all.iter().filter(of_it).map(|of| of.count).sum()
    }

    fn component<'a>(&self, app: &'a App, key: RequestKey) -> Option<&'a str> {
        app.kind.get::<SliderApp>()?.component(key.priority)
    }

    fn label(&self, ground: &RequestContext<'_>) -> Option<String> {
        ComponentContext::new(ground)?.component.settings.label.clone()
    }

    fn changes(&self, ground: &RequestContext<'_>) -> Vec<CandidateChange> {
        ComponentContext::new(ground).map_or(Vec::new(), |of| of.changes())
    }

    fn change_component(&self, text: &str, entry: usize, name: &str, change: &OfComponent<'_>) -> Option<String> {
        let set = |text: &str, key: &str, setting: Setting| edit::set_component(text, entry, name, key, &setting).ok();
        match *change {
            OfComponent::Key(key, value) => set(text, key, Setting::Number(value)),
            OfComponent::Label(None) => set(text, key::LABEL, Setting::Nothing),
            OfComponent::Label(Some(label)) => set(text, key::LABEL, Setting::Text(label.to_string())),
            OfComponent::Size { now, to } => {
                let keys = [(0, key::MEMORY), (1, key::VCORES)].into_iter().filter(|(i, _)| to[*i] != now[*i]);
                keys.into_iter().try_fold(text.to_string(), |text, (i, key)| set(&text, key, Setting::Number(to[i])))
            }
        }
    }

    fn lacks(&self, sim: &Simulation, place: usize, key: RequestKey) -> Option<bool> {
        let attempt = sim.slider(place)?.attempt()?;
        Some(outstanding(attempt.slider()).iter().any(|of| of.component == component_of(key.priority)))
    }

    fn bears_more(&self, app: &App, text: &str) -> Vec<(String, String)> {
        let Some(slider) = app.kind.get::<SliderApp>() else { return Vec::new() };
        let all = slider.definition.components.keys().flat_map(|c| FAILURES.map(|most| (c, most)));
        let change = |(component, most): (&String, i64)| {
            let text = self.change_component(text, app.entry, component, &OfComponent::Key(key::FAILURES, most))?;
            Some((say::key_of_component(key::FAILURES, most, &say::component_of(component, &app.name)), text))
        };
        all.filter_map(change).collect()
    }
}

/// The component that a request is for.
struct ComponentContext<'a, 'g> {
    ground: &'a RequestContext<'g>,
    /// The application as the scenario has it.
    app: &'a SliderApp,
    slider: &'a Slider,
    component: &'a Component,
}

impl<'a, 'g> ComponentContext<'a, 'g> {
    /// Returns `None` for a request for the ApplicationMaster, or if nothing is known of the component.
    fn new(ground: &'a RequestContext<'g>) -> Option<Self> {
        let place = ground.names.sim.place_of(ground.w.app).filter(|_| !ground.w.am)?;
        let app = ground.names.scenario().apps.get(place)?.kind.get::<SliderApp>()?;
        let slider = ground.names.sim.slider(place)?.attempt()?.slider();
        let component = slider.component(component_of(ground.w.key.priority))?;
        Some(ComponentContext { ground, app, slider, component })
    }

    /// Returns the candidate changes.
    fn changes(&self) -> Vec<CandidateChange> {
        let ComponentContext { app, slider, component, .. } = self;
        let written = |name: &str| app.definition.components.contains_key(name);
        if !written(&component.group) {
            return Vec::new();
        }
        let settings = &component.settings;
        let policy_of = |policy: i64| self.key(&component.group, key::POLICY, policy, 0, 1);
        let mut out = Vec::new();
        let policy = settings.policy;
        if policy.anti_affine() || policy.strict() {
            out.extend(policy_of(0));
        }
        if policy.uses_history() && !policy.anti_affine() {
            out.extend(policy_of(2));
        }
        let delay = i64::from(settings.escalate_seconds);
        if policy.escalates() && self.ground.w.key.priority == component.id() && delay > 0 {
            out.extend(self.key(&component.group, key::ESCALATE, delay - 1, -1, delay));
        }
        if settings.label.is_none() {
            out.extend(self.unlabelled());
        }
        if settings.label.is_some() {
            out.extend(self.ask(&component.group, RequestRelaxation::NoLabel { am: false }));
            out.extend(self.labelled(settings.label.as_deref().unwrap_or_default()));
        }
        let wanted = component.counters.desired;
        if component.name == component.group && wanted > 1 {
            let fewer = |flexed| {
                self.ask(&component.group, RequestRelaxation::Fewer { key: key::INSTANCES, now: wanted, flexed })
            };
            let knob = self.flexed(&component.group).and_then(fewer);
            out.extend(knob.map(|knob| CandidateChange { most: wanted - 1, ..knob }));
        }
        // Other components do not take hosts from one that gets one instance for each host.
        let no_host = |of: &Outstanding| of.component == component.id() && of.wait.check() == Some(Check::AffinityHost);
        if outstanding(slider).iter().any(no_host) {
            return out;
        }
        let others = slider.components().filter(|c| c.id() != 0 && c.id() != component.id() && written(&c.group));
        let as_written = |c: &&Component| self.flexed(&c.group) == Some(None);
        // Every component keeps at least one instance.
        let others = others.filter(|c| c.name == c.group && c.counters.desired > 1).filter(as_written);
        for other in others.take(OTHERS) {
            let now = other.counters.desired;
            out.extend(self.key(&other.name, key::INSTANCES, now - 1, -1, now - 1));
        }
        out
    }

    /// Returns the flex that set a component's number of instances; `Some(None)` if there was none, `None` if one replaced
    /// all of resources.json.
    fn flexed(&self, component: &str) -> Option<Option<Flexed>> {
        let name = self.ground.names.app(self.ground.w.app);
        let earlier =
            self.ground.names.scenario().happenings.iter().enumerate().filter(|(_, h)| h.at <= self.ground.names.now);
        for (happening, h) in earlier.rev() {
            match &h.act {
                Act::Flex { app, definition: Some(_), .. } if app == name => return None,
                Act::Flex { app, counts, .. } if app == name && counts.iter().any(|(of, _)| of == component) => {
                    return Some(Some(Flexed { happening, at: h.at }));
                }
                _ => {}
            }
        }
        Some(None)
    }

    /// Returns changes of a component's key, from `start` in steps, the weakest first.
    fn key(&self, component: &str, key: &'static str, start: i64, step: i64, most: i64) -> Option<CandidateChange> {
        let knob = self.ask(component, RequestRelaxation::Key { key, start, step })?;
        Some(CandidateChange { most, ..knob })
    }

    fn ask(&self, component: &str, what: RequestRelaxation) -> Option<CandidateChange> {
        let place = self.ground.names.sim.place_of(self.ground.w.app)?;
        let ask = RequestEdit::of(self.ground.names.scenario(), place, self.ground.w.key, what)?.whose(component);
        Some(CandidateChange { most: 1, what: CandidateKind::Ask(ask) })
    }

    /// Removes the label from a host that it asks for.
    fn unlabelled(&self) -> Option<CandidateChange> {
        let labelled =
            |n: &&Node| n.in_scheduler && !n.partition.is_default() && self.ground.w.places.contains(&n.host);
        let node = self.ground.names.rm().nodes().iter().find(labelled)?;
        let says = say::take_label_off(self.ground.names.partition(node.partition), &node.host);
        Some(CandidateChange {
            most: 1,
            what: CandidateKind::Happens { act: "label_node", node: node.host.clone(), label: None, says },
        })
    }

    /// Gives the label to one more node: the unlabelled one with the most room.
    fn labelled(&self, label: &str) -> Option<CandidateChange> {
        let plain = self.ground.names.rm().nodes().iter().filter(|n| n.in_scheduler && n.partition.is_default());
        let node = plain
            .filter(|n| self.ground.w.size.memory_mb() <= n.total.memory_mb())
            .max_by_key(|n| n.free().memory_mb())?;
        let says = say::label_a_node(&node.host, label);
        Some(CandidateChange {
            most: 1,
            what: CandidateKind::Happens {
                act: "label_node",
                node: node.host.clone(),
                label: Some(label.to_string()),
                says,
            },
        })
    }
}
