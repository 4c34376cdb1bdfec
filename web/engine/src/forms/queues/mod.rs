//! Queues: the tree with its shares, the selected queue's properties from the one table of descriptors, and the same as
//! capacity-scheduler.xml.

mod adder;
mod fair;
mod named;
mod property;
mod target;
mod text;

use super::make::{self, button, field, small};
use super::{Checked, Editor};
use crate::edits::{child, share};
use heddle_core::config::capacity::{PREFIX, ROOT};
use heddle_core::config::properties::{self, File, Property as Row};
use heddle_view::form::{Button, Control, Field, Head, Part, Property, QueueLine};
use heddle_view::{QueueChange, QueueView, Selection, format};
use property::Owner;
use target::Target;

pub use property::{field as property_field, said};
pub use text::{QueueFileReport, as_text};

/// The queues' file.
const FILE: &str = "capacity-scheduler.xml";

/// The properties of a queue that the form shows first; the others are under "more".
const FIRST: [&str; 8] = [
    "capacity",
    "maximum-capacity",
    "user-limit-factor",
    "minimum-user-limit-percent",
    "maximum-am-resource-percent",
    "ordering-policy",
    "state",
    "accessible-node-labels",
];
/// The properties with a meaning for leaves only.
const OF_LEAVES: [&str; 3] = ["user-limit-factor", "minimum-user-limit-percent", "maximum-applications"];

/// `capacity-scheduler.xml` or the scenario.
pub fn text_name(e: &Editor<'_>) -> &'static str {
    if e.of.scenario.is_some() { FILE } else { "scenario" }
}

/// Returns the tree and the form of the selected queue.
pub fn queues(e: &Editor<'_>) -> Vec<Part> {
    let list = &e.of.snapshot.queues;
    // The selected queue, or the selected application's.
    let path = match e.of.chosen {
        Some(Selection::Queue(path)) => Some(path),
        about => about
            .and_then(Selection::app)
            .and_then(|app| e.of.snapshot.apps.iter().find(|a| a.name == app))
            .map(|a| &a.queue),
    };
    let chosen = path.and_then(|path| list.iter().find(|q| q.path == *path)).or_else(|| list.iter().find(|q| q.leaf));
    let tree = Part::Queues(list.iter().map(|q| line(q, chosen)).collect());
    if let Some(scheduler) = fair::other(e) {
        return [tree].into_iter().chain(fair::form(e, scheduler, chosen)).collect();
    }
    let target = Target::of(e);
    let file = target.text();
    let found = text::found(e, &file);
    let mut out = vec![target::choice(e)];
    if target.file.is_some() {
        out.push(small("From capacity-scheduler.xml; the form changes that file."));
    }
    out.push(tree);
    if let Some(q) = chosen {
        form(e, q, &target, found.as_ref(), &mut out);
    }
    out.extend(text::wrong(&target, &file, found.as_ref()));
    out.push(text::export(e, &target, file));
    out
}

fn line(q: &QueueView, chosen: Option<&QueueView>) -> QueueLine {
    let p = q.partitions.iter().find(|p| p.partition.is_empty()).or(q.partitions.first());
    let percent = |f: f32| format!("{} %", format::fraction(f64::from(f) * 100.0));
    let share = |(least, most, _): (f32, f32, f32)| (percent(least), format!("≤ {}", percent(most)));
    let labels = q.partitions.iter().filter(|p| !p.partition.is_empty());
    QueueLine {
        path: q.path.clone(),
        name: q.name.clone(),
        depth: q.depth,
        chosen: chosen.is_some_and(|c| c.path == q.path),
        share: p.map(|p| share(p.absolute)).unwrap_or_default(),
        labels: labels
            .map(|p| {
                let (least, most) = share(p.absolute);
                (p.partition.clone(), least, most)
            })
            .collect(),
    }
}

fn form(e: &Editor<'_>, q: &QueueView, target: &Target, found: Option<&Checked>, out: &mut Vec<Part>) {
    let of = Owner { e, target, queue: Some(q), found: found.map(|f| &**f) };
    let all = Owner { queue: None, ..of };
    let shown = |p: &&'static Row| q.leaf || !OF_LEAVES.contains(&p.name) || !of.value(p.name).is_empty();
    let table = properties::table(File::Queue, false);
    let find = |name: &&str| table.iter().copied().find(|p| p.name == *name);
    let first: Vec<&'static Row> = FIRST.iter().filter_map(find).filter(shown).collect();
    let rest: Vec<&'static Row> = table.iter().copied().filter(|p| !FIRST.contains(&p.name)).filter(shown).collect();
    let set = rest.iter().filter(|p| !of.value(p.name).is_empty()).count();
    let known = &e.of.snapshot.queues;
    out.push(Part::Head(Head { title: q.path.clone(), button: remove(q, target), ..Head::default() }));
    out.push(add_child(q, target));
    out.extend(range(q, target));
    out.extend(of.plain(&first));
    out.extend(of.named(&named::given(&of, q, known)));
    out.push(Part::Details {
        key: q.path.clone(),
        summary: if set > 0 { format!("More, {set} set") } else { "More".to_owned() },
        parts: of.plain(&rest),
    });
    out.extend(adder::adder(&of));
    if q.path == ROOT {
        let mut parts = all.plain(&properties::table(File::Scheduler, false));
        parts.extend(all.named(&named::of_all(&target.properties)));
        parts.extend(adder::adder(&all));
        out.push(Part::Details { key: "scheduler".into(), summary: "For all queues".into(), parts });
    }
}

/// Returns the button that removes a queue; none for the root, for its only child and for queues that nobody configured.
fn remove(q: &QueueView, target: &Target) -> Option<Button> {
    let (parent, name) = q.path.rsplit_once('.')?;
    let siblings = child::children(&target.properties, parent);
    if !siblings.iter().any(|n| n == name) || (parent == ROOT && siblings.len() == 1) {
        return None;
    }
    let edit = target.edit(&format!("remove queue {}", q.name), QueueChange::Remove { queue: q.path.clone() });
    Some(Button { label: format!("Remove {}", q.path), ..button("Remove", edit) })
}

/// Returns a field for a new child's name, and its button.
fn add_child(q: &QueueView, target: &Target) -> Part {
    let there = child::children(&target.properties, &q.path);
    let name = (1..).map(|i| format!("q{i}")).find(|n| !there.contains(n)).unwrap_or_default();
    let change = QueueChange::Child { parent: q.path.clone(), name: name.clone() };
    let edit = target.edit(&format!("add queue under {}", q.name), change);
    let label = format!("Name of a new queue under {}", q.path);
    let field = Field { id: "q-child".into(), ..make::bare(&label, "", &name, edit) };
    Part::Line { field, button: "+ Child".into(), clear: true }
}

/// Returns a queue's share as a range; none for the root, for an only child and for weights or amounts.
fn range(q: &QueueView, target: &Target) -> Option<Part> {
    let now = share::shares(&target.properties, &q.path)?;
    let own = now.iter().find(|(path, _)| *path == q.path)?.1;
    let last = |path: &str| path.rsplit('.').next().unwrap_or_default().to_owned();
    let others = now.iter().filter(|(path, _)| *path != q.path);
    let others: Vec<String> =
        others.map(|(path, share)| format!("{} {}", last(path), format::fraction(*share))).collect();
    let parent = q.path.rsplit_once('.').map_or("", |(parent, _)| parent);
    let edit = target.edit(&format!("share of {}", q.name), QueueChange::Share { queue: q.path.clone() });
    let field = Field {
        id: "q-share".into(),
        control: Control::Range,
        live: true,
        ..field("", &format!("share of {parent}"), own.to_string(), "", edit)
    };
    Some(Part::Property(Property {
        field,
        name: String::new(),
        unit: format!("{} %", format::fraction(own)),
        set: false,
        notes: vec![],
        help: format!(
            "The others give and take: {}. A maximum that equals the share moves with it.",
            others.join(", ")
        ),
    }))
}
