//! The form for one more property with a name in its name; what has been typed so far determines what it is.

use super::PREFIX;
use super::property::{Owner, field, help, said};
use crate::edits::named_key;
use crate::forms::make;
use heddle_core::config::properties::{self, File};
use heddle_core::scenario::Scenario;
use heddle_view::form::{Adder, Part, Property, Tone};
use heddle_view::{Draft, QueueChange};

/// Returns the form, if there are properties with a name in their names.
pub fn adder(of: &Owner<'_>) -> Option<Part> {
    let owner = of.queue.map(|q| q.path.clone()).unwrap_or_default();
    let whole = owner.is_empty();
    let drafts = &of.e.of.show.drafts;
    let draft = drafts.iter().find(|d| d.owner == owner).cloned();
    let draft = draft.unwrap_or_else(|| Draft { owner: owner.clone(), ..Draft::default() });
    let (by, meaning, name) = named_key(&draft)?;
    let named_by = by.named_by().unwrap_or_default();
    let template = named_by == "property";
    let p = meaning.unwrap_or(by);
    let id = if whole { "alladd" } else { "qadd" };
    let typed = draft.name.trim();
    let mut notes = Vec::new();
    if meaning.is_none() && !typed.is_empty() {
        let unknown = format!("{typed} is not a property of a queue: the queues that are made have nothing of it.");
        notes.push(make::note(unknown, Tone::Rejected));
    }
    notes.extend(said(p, &draft.value, true));
    let what = of.target.called("a property");
    let edit = of.target.edit("a property", QueueChange::Named(draft.clone()));
    let table = properties::table(if whole { File::Scheduler } else { File::Queue }, true);
    let property = Property {
        field: field(format!("{id}-value"), "value", p, &draft.value, edit),
        name,
        unit: p.unit.into(),
        set: false,
        notes,
        help: help(p, by),
    };
    Some(Part::Adder(Box::new(Adder {
        id: id.into(),
        summary: if whole { "+ For a user or a policy" } else { "+ For a label, a user, a template" }.into(),
        kinds: table.iter().map(|p| p.named(&format!("<{}>", p.named_by().unwrap_or_default()))).collect(),
        queue: template.then(|| draft.queue.clone().unwrap_or(owner)),
        named_by: named_by.into(),
        names: of.e.of.scenario.map(|s| there(named_by, s)).unwrap_or_default(),
        blank: p.takes_blank(),
        property,
        draft,
        what,
        at_ms: of.target.at,
    })))
}

/// Returns the existing names of a kind.
fn there(by: &str, scenario: &Scenario) -> Vec<String> {
    let mut out = Vec::new();
    let mut add = |name: &str| {
        if !name.is_empty() && !out.iter().any(|n| n == name) {
            out.push(name.to_owned());
        }
    };
    match by {
        "label" => scenario.settings.labels.iter().for_each(|l| add(&l.name)),
        "user" => scenario.apps.iter().for_each(|a| add(&a.user)),
        "policy" => {
            let key = format!("{PREFIX}multi-node-sorting.policy.names");
            let names = scenario.settings.capacity_scheduler.get(&key).map(String::as_str).unwrap_or_default();
            names.split(',').for_each(|n| add(n.trim()));
        }
        _ => properties::table(File::Queue, false).iter().for_each(|p| add(p.name)),
    }
    out
}
