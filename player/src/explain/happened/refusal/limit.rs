//! The limit that was the reason of a refusal: its figures, their formula, and the properties that set it.

use super::RefusalNotice;
use crate::explain::formulas;
use crate::explain::names::Names;
use crate::explain::say::{compared, in_queue, one_more, refused as say};
use crate::explain::view::LimitView;
use crate::explain::words;
use heddle_core::model::Resource;
use heddle_core::rm::{ApplicationsBasis, RefusalRule, TooLarge};
use heddle_core::scheduler::capacity::QueueState;

/// Returns the limit; `None` if the rule has no figures or settings. `names` is of the time of the refusal.
pub fn limit(names: Names<'_>, told: &RefusalNotice<'_>) -> Option<LimitView> {
    figures(names, told).map(|view| LimitView { reached: true, ..view })
}

fn figures(names: Names<'_>, told: &RefusalNotice<'_>) -> Option<LimitView> {
    let set = |queue: &str, which: &[&str]| formulas::properties(names, queue, which);
    Some(match &*told.refusal.kind {
        RefusalRule::TooLarge(t) => too_large(names, t),
        RefusalRule::NodeTooSmall { size, minimum } => {
            let i = usize::from(size.memory_mb() >= minimum.memory_mb());
            LimitView {
                name: "minimum allocation".to_string(),
                of: say::THE_CLUSTER.to_string(),
                formula: vec![say::ROOM_FOR_SMALLEST.to_string()],
                properties: formulas::of_site(names, &[allocation("minimum", i)]),
                ..measured(names, i, *minimum, *size)
            }
        }
        RefusalRule::SystemApplications { there, maximum } => LimitView {
            name: "maximum-applications".to_string(),
            of: say::THE_CLUSTER.to_string(),
            properties: formulas::properties(names, "", &["maximum-applications"]),
            ..applications(*there, *maximum)
        },
        RefusalRule::QueueApplications { queue, there, maximum, basis } => LimitView {
            name: "maximum-applications".to_string(),
            of: queue.clone(),
            formula: vec![basis_words(*basis)],
            properties: basis_properties(names, queue, *basis),
            ..applications(*there, *maximum)
        },
        RefusalRule::UserApplications { queue, user, there, maximum, of_queue, percent, factor } => LimitView {
            name: "applications of a user".to_string(),
            of: in_queue(user, queue),
            formula: vec![
                say::of_the_queue(&basis_words(of_queue.1)),
                say::of_one_user(of_queue.0, *percent, *factor, *maximum),
            ],
            properties: [
                basis_properties(names, queue, of_queue.1),
                set(queue, &["minimum-user-limit-percent", "user-limit-factor"]),
            ]
            .concat(),
            ..applications(*there, *maximum)
        },
        RefusalRule::NotRunning { queue, draining } => LimitView {
            name: "queue state".to_string(),
            of: queue.clone(),
            text: if *draining { "DRAINING" } else { "STOPPED" }.to_string(),
            formula: vec![say::RUNNING_AND_ABOVE.to_string()],
            properties: set(queue, &["state"]),
            ..LimitView::default()
        },
        RefusalRule::Permission { queue, user } => LimitView {
            name: "permission".to_string(),
            of: queue.clone(),
            text: say::not_named(user),
            formula: vec![say::SUBMIT_OR_ADMINISTER.to_string()],
            properties: match names.rm().capacity() {
                Some(_) => acls(names, queue),
                None => vec![say::acls_of_allocation_file(queue)],
            },
            ..LimitView::default()
        },
        RefusalRule::Priority { queue, user, priority } => LimitView {
            name: "priority".to_string(),
            of: queue.clone(),
            text: say::may_not_have(user, *priority),
            properties: set(queue, &["acl_application_max_priority"]),
            ..LimitView::default()
        },
        RefusalRule::LabelAccess { queue, label, open } => LimitView {
            name: "label access".to_string(),
            of: queue.clone(),
            text: say::open_labels(label, open),
            properties: set(queue, &["accessible-node-labels"]),
            ..LimitView::default()
        },
        _ => return None,
    })
}

/// Returns the properties of the submit and administer ACLs of a queue and of its ancestors.
fn acls(names: Names<'_>, queue: &str) -> Vec<String> {
    let path = names.rm().queue(queue).map_or(queue, |q| names.rm().queue_path(q));
    let up = std::iter::successors(Some(path), |p| p.rsplit_once('.').map(|(above, _)| above));
    let which = ["acl_submit_applications", "acl_administer_queue"];
    up.flat_map(|q| which.map(|acl| formulas::properties(names, q, &[acl]))).flatten().collect()
}

fn allocation(which: &str, kind: usize) -> &'static str {
    match (which, kind) {
        ("minimum", 0) => "yarn.scheduler.minimum-allocation-mb",
        ("minimum", _) => "yarn.scheduler.minimum-allocation-vcores",
        (_, 0) => "yarn.scheduler.maximum-allocation-mb",
        _ => "yarn.scheduler.maximum-allocation-vcores",
    }
}

/// Returns the comparison for one resource type: "20 > 8".
fn measured(names: Names<'_>, kind: usize, asked: Resource, limit: Resource) -> LimitView {
    let types = &names.rm().cluster().types;
    LimitView {
        passes: false,
        text: compared(&words::bare(asked[kind], kind), None, ">", &words::bare(limit[kind], kind)),
        asked: words::meter(asked[kind], kind),
        limit: words::meter(limit[kind], kind),
        unit: words::unit(kind, types),
        ..LimitView::default()
    }
}

/// Returns the comparison of numbers of applications: "1 + 1 > 1".
fn applications(there: i64, maximum: i64) -> LimitView {
    LimitView {
        passes: false,
        text: one_more(there, maximum),
        used: there as f64,
        asked: 1.0,
        limit: maximum.max(0) as f64,
        unit: "applications".to_string(),
        ..LimitView::default()
    }
}

fn too_large(names: Names<'_>, t: &TooLarge) -> LimitView {
    let types = &names.rm().cluster().types;
    let one = |r: Resource| words::one(r, t.kind, types);
    let mut formula = vec![say::configured_for(say::THE_CLUSTER, &one(t.configured))];
    if let Some(node) = t.largest_node {
        formula.push(say::largest_node_has(&one(node)));
    }
    if let Some((queue, own)) = t.of_queue.as_ref().filter(|(_, own)| own[t.kind] < t.configured[t.kind]) {
        formula.push(say::configured_for(queue, &one(*own)));
    }
    formula.push(say::least_of_these(&one(t.maximum)));
    let which = allocation("maximum", t.kind);
    let short = which.trim_start_matches("yarn.scheduler.");
    let mut properties = match &t.of_queue {
        Some((queue, own)) if own[t.kind] < t.configured[t.kind] && names.rm().capacity().is_some() => {
            formulas::properties(names, queue, &[short])
        }
        _ => Vec::new(),
    };
    // Each further resource type has its own property.
    if names.rm().fair().is_some() && rules_source(t) == LimitOwner::Queue {
        let queue = t.of_queue.as_ref().map_or("", |(queue, _)| queue.as_str());
        properties.push(say::max_container_allocation(queue));
    } else if t.kind < 2 {
        properties.extend(formulas::of_site(names, &[which]));
    } else if let Some(name) = types.names().get(t.kind) {
        properties.extend(formulas::of_site(names, &[&format!("yarn.resource-types.{name}.maximum-allocation")]));
    }
    LimitView {
        name: "maximum allocation".to_string(),
        of: match rules_source(t) {
            LimitOwner::Queue => t.of_queue.as_ref().map_or(String::new(), |(queue, _)| queue.clone()),
            LimitOwner::Cluster => say::THE_CLUSTER.to_string(),
            LimitOwner::Node => say::THE_LARGEST_NODE.to_string(),
        },
        formula,
        properties,
        ..measured(names, t.kind, t.asked, t.maximum)
    }
}

/// The owner of the limit that a container exceeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitOwner {
    Queue,
    Cluster,
    Node,
}

/// Returns the owner of the limit that a container is too large for.
pub fn rules_source(t: &TooLarge) -> LimitOwner {
    let (kind, least) = (t.kind, t.maximum[t.kind]);
    match &t.of_queue {
        Some((_, own)) if own[kind] == least && own[kind] < t.configured[kind] => LimitOwner::Queue,
        _ if t.configured[kind] == least => LimitOwner::Cluster,
        _ => LimitOwner::Node,
    }
}

/// Returns how a queue's maximum of applications comes about: `100 × 1 % = 1`.
pub fn basis_words(basis: ApplicationsBasis) -> String {
    match basis {
        ApplicationsBasis::Own(n) => say::own_maximum(i64::from(n)),
        ApplicationsBasis::Every(n) => say::maximum_of_every(i64::from(n)),
        ApplicationsBasis::Share { of, share } => {
            let exact = (of as f32 * share).fract() == 0.0;
            say::share_of_maximum(i64::from(of), &share_text(share), exact, i64::from(basis.maximum()))
        }
        ApplicationsBasis::Nothing => say::NO_SHARE.to_string(),
    }
}

/// Returns a share in percent, with enough digits that it is not shown as 0.
pub fn share_text(share: f32) -> String {
    let percent = f64::from(share) * 100.0;
    if percent == 0.0 || percent >= 0.01 { words::percent(f64::from(share)) } else { format!("{percent:.1e} %") }
}

fn basis_properties(names: Names<'_>, queue: &str, basis: ApplicationsBasis) -> Vec<String> {
    match basis {
        ApplicationsBasis::Every(_) => {
            formulas::properties(names, "", &["global-queue-max-application", "maximum-applications"])
        }
        ApplicationsBasis::Own(_) => formulas::properties(names, queue, &["maximum-applications"]),
        ApplicationsBasis::Share { .. } | ApplicationsBasis::Nothing => {
            let system = formulas::properties(names, "", &["maximum-applications"]);
            [system, formulas::properties(names, queue, &["capacity"])].concat()
        }
    }
}

/// Returns a queue and its ancestors that are not RUNNING, topmost first.
pub fn not_running(names: Names<'_>, queue: &str) -> Vec<String> {
    let rm = names.rm();
    let is_it = |path: &&str| {
        let queue = rm.queue(path).and_then(|id| rm.queues().get(id.index()));
        queue.is_some_and(|queue| queue.state != QueueState::Running)
    };
    let ends = queue.match_indices('.').map(|(at, _)| at).chain([queue.len()]);
    let mut all: Vec<String> = ends.map(|end| &queue[..end]).filter(is_it).map(str::to_string).collect();
    if all.is_empty() {
        all.push(queue.to_string());
    }
    all
}
