//! What each container that a Slider application lacks waits for, and which cause of Slider's manual applies: from Slider's
//! own state together with YARN's latest look at the request.

use super::say;
use crate::explain::names::Names;
use crate::explain::request::Explained;
use crate::explain::say::wants as say_wants;
use crate::explain::view::FactView;
use crate::explain::waiting::Waiting;
use crate::explain::waits::on_nodes::out_of_service;
use crate::explain::waits::wants::{Lack, since_wanted};
use heddle_core::apps::slider::strategy::master::{SliderMaster, state};
use heddle_core::apps::slider::strategy::outstanding::{
    Cause, Outstanding, Surroundings, Wait, YarnNode, cause, outstanding,
};
use heddle_core::apps::slider::strategy::requests::{component_of, priority};
use heddle_core::apps::slider::strategy::{History, Slider};
use heddle_core::check::Check;
use heddle_core::model::{AppId, Millis, RequestKey, Resource};

/// Something that waits, with its sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SliderWait {
    /// The key of YARN's request.
    pub key: Option<RequestKey>,
    pub component: String,
    pub count: i64,
    /// What Slider waits for.
    pub wait: String,
    /// The cause by Slider's manual, and its cure.
    pub cause: Option<(Cause, String)>,
    /// The check that stops it, Slider's own or YARN's, if known.
    pub check: Option<Check>,
}

impl SliderWait {
    /// Returns the sentence with the cause, or else only with what Slider waits for.
    pub fn sentence(&self) -> String {
        match &self.cause {
            Some((cause, cure)) => format!("{} {} {cure}", self.wait, say::cause(cause)),
            None => self.wait.clone(),
        }
    }
}

/// Something that waits, in Slider's form and as it is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct OutstandingWait {
    pub of: Outstanding,
    pub told: SliderWait,
}

/// Returns everything that a Slider application lacks, one by one; `find` returns the explanation of a request.
pub fn each<'e>(
    names: Names<'_>,
    app: AppId,
    find: impl Fn(RequestKey) -> Option<&'e Explained>,
) -> Vec<OutstandingWait> {
    let master = names.sim.place_of(app).and_then(|place| names.sim.slider(place));
    let Some((master, attempt)) = master.and_then(|m| Some((m, m.attempt()?))) else { return Vec::new() };
    let slider = attempt.slider();
    let tell = |of: Outstanding| {
        let told = tell(names, master, slider, &of, key_of(&of).and_then(&find));
        OutstandingWait { of, told }
    };
    outstanding(slider).into_iter().map(tell).collect()
}

/// Returns everything that a Slider application lacks, with equal ones joined.
pub fn of_app<'e>(names: Names<'_>, app: AppId, find: impl Fn(RequestKey) -> Option<&'e Explained>) -> Vec<SliderWait> {
    let mut out: Vec<SliderWait> = Vec::new();
    for OutstandingWait { told, .. } in each(names, app, find) {
        match out.iter_mut().find(|t| SliderWait { count: t.count, ..told.clone() } == **t) {
            Some(alike) => alike.count += told.count,
            None => out.push(told),
        }
    }
    out
}

/// Returns what Slider lacks without a request to YARN, by component: instances that it holds back, has yet to request, or
/// believes requested.
pub fn lacks(names: Names<'_>, app: AppId) -> Vec<Lack> {
    let master = names.sim.place_of(app).and_then(|place| names.sim.slider(place));
    let Some((master, attempt)) = master.and_then(|m| Some((m, m.attempt()?))) else { return Vec::new() };
    let slider = attempt.slider();
    let all = outstanding(slider);
    let asked = |component| all.iter().filter(move |of| of.component == component && key_of(of).is_some());
    let lack = |of: &Outstanding| {
        let check = match &of.wait {
            Wait::NotAsked(why) => why.check,
            Wait::Host { .. } | Wait::Relaxed { .. } | Wait::Anywhere | Wait::OneOf(_) => return None,
        };
        let component = slider.component(of.component);
        let part = u32::try_from(of.component).unwrap_or(u32::MAX);
        let before = asked(of.component).map(|of| of.count).sum();
        Some(Lack {
            app,
            name: say_wants::part(names.app(app), component.map_or("", |c| &c.name)),
            count: of.count,
            since: since_wanted(names, app, part, before),
            size: component.map_or(Resource::ZERO, |c| c.size),
            check,
            sentence: tell(names, master, slider, of, None).sentence(),
        })
    };
    all.iter().filter_map(lack).collect()
}

fn name_of<'s>(slider: &'s Slider, of: &Outstanding) -> &'s str {
    slider.component(of.component).map_or("", |c| &c.name)
}

/// Returns the key of the request at YARN.
fn key_of(of: &Outstanding) -> Option<RequestKey> {
    let located = match &of.wait {
        Wait::Host { .. } | Wait::OneOf(_) => true,
        Wait::Relaxed { .. } | Wait::Anywhere => false,
        Wait::NotAsked(_) => return None,
    };
    Some(RequestKey { priority: priority(of.component, located), allocation_request_id: -1 })
}

fn tell(
    names: Names<'_>,
    master: &SliderMaster,
    slider: &Slider,
    of: &Outstanding,
    yarn: Option<&Explained>,
) -> SliderWait {
    let name = name_of(slider, of);
    let in_run = |at: Millis| at - master.clock();
    let around = Surroundings {
        nodes: names.rm().nodes().iter().map(|n| room(names, n)).collect(),
        behind_others: yarn.is_some_and(|e| e.chain.stop.is_some()),
        default_label: yarn.map_or(String::new(), |e| names.partition(e.waiting.partition).to_string()),
        memory_only: names.rm().scheduler().counts_memory_only(names.rm().cluster()),
        hosts_ignored: names.rm().scheduler().ignores_places(),
    };
    let closed = closed(names, &of.wait, yarn);
    // Nothing is known about a request that has not reached YARN.
    let away = match of.wait.check() {
        // A host out of service is one of those that cannot take an instance.
        Some(Check::AffinityHost) => out_of_service(names, |_| true),
        Some(_) | None => None,
    };
    let known = yarn.is_some() || of.wait.is_held_back();
    let wait = say::waits_for(name, of.count, &of.wait, around.hosts_ignored, &in_run);
    let wait = match away {
        Some(away) => crate::explain::say::then(&wait, &crate::explain::say::full_stop(&away)),
        None => wait,
    };
    let cause = known.then(|| cause(slider, of, &around)).flatten();
    SliderWait {
        key: key_of(of),
        wait: match closed {
            Some(closed) => crate::explain::say::then(&wait, &closed),
            None => wait,
        },
        check: of.wait.check().or_else(|| cause.as_ref().and_then(Cause::check)),
        cause: cause.map(|cause| {
            let cure = say::cure(&cause).to_string();
            (cause, cure)
        }),
        component: name.to_string(),
        count: of.count,
    }
}

/// Returns why none of the hosts that a request names can satisfy it: YARN does not know them, or they are in exclusive
/// partitions. Slider never sends a label with hosts.
fn closed(names: Names<'_>, wait: &Wait, yarn: Option<&Explained>) -> Option<String> {
    let hosts: Vec<&str> = match wait {
        Wait::Host { host, .. } => vec![host],
        Wait::OneOf(hosts) => hosts.iter().map(String::as_str).collect(),
        _ => return None,
    };
    if let [host] = hosts.as_slice()
        && !names.rm().nodes().iter().any(|n| n.host == *host)
    {
        return Some(say::unknown_host(host));
    }
    let e = yarn?;
    // The answer may already begin with it.
    of_another_label(names, &hosts, &e.waiting).filter(|told| !e.sentence.contains(told.trim_end_matches('.')))
}

/// Returns the sentence for a request whose hosts are all in exclusive partitions that it does not name.
pub(super) fn of_another_label(names: Names<'_>, hosts: &[&str], w: &Waiting) -> Option<String> {
    let cluster = names.rm().cluster();
    let mut label = None;
    for host in hosts {
        let node = names.rm().nodes().iter().find(|n| n.host == *host)?;
        let exclusive = cluster.partitions.get(node.partition.index()).is_some_and(|p| p.exclusive);
        if node.partition.is_default() || node.partition == w.partition || !exclusive {
            return None;
        }
        label = Some(names.partition(node.partition));
    }
    label.map(|label| say::label_not_sent(hosts, label))
}

fn room(names: Names<'_>, node: &heddle_core::scheduler::Node) -> YarnNode {
    YarnNode {
        host: node.host.clone(),
        label: names.partition(node.partition).to_string(),
        state: state(node.state),
        total: node.total,
        free: node.free(),
    }
}

/// Returns what a Slider application lacks, as facts, for one request or all.
pub fn facts(told: &[SliderWait]) -> Vec<FactView> {
    let fact = |t: &SliderWait| FactView {
        name: say::outstanding(&t.component, t.count),
        value: match &t.cause {
            Some((cause, _)) => say::numbered(cause),
            None => say::NO_CAUSE.to_string(),
        },
        formula: match &t.cause {
            Some((cause, cure)) => vec![t.wait.clone(), say::cause(cause), cure.clone()],
            None => vec![t.wait.clone()],
        },
    };
    told.iter().map(fact).collect()
}

/// Returns the role history, the component's id and its name, if the request's component gets at most one instance for each
/// host.
pub fn anti_affine<'n>(names: Names<'n>, w: &Waiting) -> Option<(&'n History, i32, String)> {
    let slider = names.sim.slider(names.sim.place_of(w.app)?)?.attempt()?.slider();
    let component = slider.component(component_of(w.key.priority))?;
    component.settings.policy.anti_affine().then(|| (slider.history(), component.id(), component.name.clone()))
}
