//! Changes of a Slider application that may help what it lacks: its policy, its delay of escalation, its label, fewer
//! instances beside it, a label for one more node.

use super::asks::{Ask, Flexed, Less};
use super::knobs::{Ground, Knob, What};
use crate::explain::waiting::Waiting;
use crate::explain::wants::since_wanted;
use crate::explain::{Names, say};
use heddle_core::apps::slider::strategy::outstanding::{Outstanding, outstanding};
use heddle_core::apps::slider::strategy::requests::{component_of, priority};
use heddle_core::apps::slider::strategy::settings::key;
use heddle_core::apps::slider::strategy::{Component, Slider};
use heddle_core::check::Check;
use heddle_core::model::{AppId, RequestKey};
use heddle_core::scenario::{Act, SliderApp};
use heddle_core::scheduler::Node;

/// Other components that are asked for less.
const OTHERS: usize = 2;

/// What a Slider application lacks and has not asked YARN for, as if it had: the component, and how many.
pub fn not_asked(names: Names<'_>, app: AppId) -> Option<Waiting> {
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

/// How many instances of its component a Slider lacks beside a request, and has not asked YARN for.
pub fn held_back_beside(names: Names<'_>, w: &Waiting) -> i64 {
    let attempt = names.sim.place_of(w.app).and_then(|place| names.sim.slider(place)?.attempt());
    let all = attempt.map_or(Vec::new(), |attempt| outstanding(attempt.slider()));
    let of_it = |of: &&Outstanding| of.wait.is_held_back() && of.component == component_of(w.key.priority);
    all.iter().filter(of_it).map(|of| of.count).sum()
}

impl Ground<'_> {
    /// The application's settings, and the component that is asked for.
    fn component(&self) -> Option<(&SliderApp, &Slider, &Component)> {
        let place = self.names.sim.place_of(self.w.app)?;
        let app = self.names.scenario().apps.get(place)?.kind.get::<SliderApp>()?;
        let slider = self.names.sim.slider(place)?.attempt()?.slider();
        Some((app, slider, slider.component(component_of(self.w.key.priority))?))
    }

    /// The label of the component that is asked for, where it has one.
    pub(super) fn label_of_slider(&self) -> Option<String> {
        let (_, _, component) = self.component().filter(|_| !self.w.am)?;
        component.settings.label.clone()
    }

    /// What may be changed of a Slider application.
    pub(super) fn slider(&self) -> Vec<Knob> {
        let Some((app, slider, component)) = self.component().filter(|_| !self.w.am) else { return Vec::new() };
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
        if policy.escalates() && self.w.key.priority == component.id() && delay > 0 {
            out.extend(self.key(&component.group, key::ESCALATE, delay - 1, -1, delay));
        }
        if settings.label.is_none() {
            out.extend(self.unlabelled());
        }
        if settings.label.is_some() {
            out.extend(self.ask_of_slider(&component.group, Less::NoLabel { am: false }));
            out.extend(self.labelled(settings.label.as_deref().unwrap_or_default()));
        }
        let wanted = component.counters.desired;
        if component.name == component.group && wanted > 1 {
            let fewer = |flexed| self.ask_of_slider(&component.group, Less::Fewer { now: wanted, flexed });
            let knob = self.flexed(&component.group).and_then(fewer);
            out.extend(knob.map(|knob| Knob { most: wanted - 1, ..knob }));
        }
        // Others take no host away from one of which each host gets one.
        let no_host = |of: &Outstanding| of.component == component.id() && of.wait.check() == Some(Check::AffinityHost);
        if outstanding(slider).iter().any(no_host) {
            return out;
        }
        let others = slider.components().filter(|c| c.id() != 0 && c.id() != component.id() && written(&c.group));
        let as_written = |c: &&Component| self.flexed(&c.group) == Some(None);
        // At least one instance of every component stays.
        let others = others.filter(|c| c.name == c.group && c.counters.desired > 1).filter(as_written);
        for other in others.take(OTHERS) {
            let now = other.counters.desired;
            out.extend(self.key(&other.name, key::INSTANCES, now - 1, -1, now - 1));
        }
        out
    }

    /// The flex that gave a component its number of instances; `Some(None)`: none did. `None`: one brought all of resources.json.
    fn flexed(&self, component: &str) -> Option<Option<Flexed>> {
        let name = self.names.app(self.w.app);
        let earlier = self.names.scenario().happenings.iter().enumerate().filter(|(_, h)| h.at <= self.names.now);
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

    /// A key of a component with a value, and so many values from there on, the weakest change first.
    fn key(&self, component: &str, key: &'static str, start: i64, step: i64, most: i64) -> Option<Knob> {
        let knob = self.ask_of_slider(component, Less::Key { component: component.to_string(), key, start, step })?;
        Some(Knob { most, ..knob })
    }

    fn ask_of_slider(&self, component: &str, what: Less) -> Option<Knob> {
        let place = self.names.sim.place_of(self.w.app)?;
        let ask = Ask::of(self.names.scenario(), place, self.w.key, what)?.whose(component);
        Some(Knob { most: 1, what: What::Ask(ask) })
    }

    /// A host that it asks for, without the label that the host was given.
    fn unlabelled(&self) -> Option<Knob> {
        let labelled = |n: &&Node| n.in_scheduler && !n.partition.is_default() && self.w.places.contains(&n.host);
        let node = self.names.rm().nodes().iter().find(labelled)?;
        let says = say::take_label_off(self.names.partition(node.partition), &node.host);
        Some(Knob { most: 1, what: What::Happens { act: "label_node", node: node.host.clone(), label: None, says } })
    }

    /// One more node with the label: the one without a label that has most room.
    fn labelled(&self, label: &str) -> Option<Knob> {
        let plain = self.names.rm().nodes().iter().filter(|n| n.in_scheduler && n.partition.is_default());
        let node =
            plain.filter(|n| self.w.size.memory_mb() <= n.total.memory_mb()).max_by_key(|n| n.free().memory_mb())?;
        let says = say::label_a_node(&node.host, label);
        Some(Knob {
            most: 1,
            what: What::Happens { act: "label_node", node: node.host.clone(), label: Some(label.to_string()), says },
        })
    }
}
