//! Properties with a name in their name: of a label, a user, a sorting policy, a template's property. The table of descriptors
//! says which there are; here are those that are set, and a form for one more.

use super::property::{Of, cut, field, told};
use super::{PREFIX, QueueView};
use crate::store::{Doc, Shared};
use crate::what::field::commit;
use heddle_core::config::properties::{self, File, Found, Property};
use heddle_core::rm::Properties;
use heddle_core::scenario::Scenario;
use heddle_core::scenario::edit::Change;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// One that stands in a form.
#[derive(Debug)]
pub struct Named {
    /// Its name after the queue's path.
    pub name: String,
    /// What its value is.
    pub property: &'static Property,
    /// What gives it: itself, or a template.
    pub by: &'static Property,
}

impl Named {
    fn new(name: &str, found: &Found) -> Named {
        // A template's property that no queue has is text, like the template's own entry.
        let (name, by) = (name.to_owned(), found.property);
        Named { name, property: found.meaning().unwrap_or(by), by }
    }
}

/// Those of a queue: its shares of each label that it may use, whatever else is set, and what is set of queues below it that
/// are not there (`root.*`). `known`: the queues that are there.
pub fn given(of: &Of<'_>, q: &QueueView, known: &[QueueView]) -> Vec<Named> {
    let mut out = Vec::new();
    for p in q.partitions.iter().filter(|p| !p.partition.is_empty()) {
        for property in properties::table(File::Queue, true) {
            if property.named_by() == Some("label") {
                out.push(Named { name: property.named(&p.partition), property, by: property });
            }
        }
    }
    // A map of texts, as there are others: what looks a path up is there already.
    let paths: Properties = known.iter().map(|q| (q.path.clone(), String::new())).collect();
    for named in set(&of.target.properties, &paths, &q.path) {
        if !out.iter().any(|n| n.name == named.name) {
            out.push(named);
        }
    }
    out
}

/// What is set for a queue beyond the properties whose names are whole.
fn set(properties: &Properties, paths: &Properties, queue: &str) -> Vec<Named> {
    let mut out = Vec::new();
    for key in properties.keys() {
        let Some(rest) = key.strip_prefix(PREFIX).filter(|r| r.starts_with(queue)) else { continue };
        let owner = rest.rmatch_indices('.').map(|(at, _)| &rest[..at]).find(|path| paths.contains_key(*path));
        if owner != Some(queue) {
            continue;
        }
        let Some(found) = properties::find(key, &|path| paths.contains_key(path)) else { continue };
        if found.variable.is_some() || found.queue.as_deref() != Some(queue) {
            out.push(Named::new(&rest[queue.len() + 1..], &found));
        }
    }
    out
}

/// Those of the whole scheduler that are set.
pub fn of_all(properties: &Properties) -> Vec<Named> {
    let mut out = Vec::new();
    for key in properties.keys() {
        let found = properties::find(key, &|_| false).filter(|f| f.property.file == File::Scheduler);
        if let (Some(name), Some(found)) = (key.strip_prefix(PREFIX), found.filter(|f| f.variable.is_some())) {
            out.push(Named::new(name, &found));
        }
    }
    out
}

/// A form for one more.
pub fn add(of: &Of<'_>) -> Html {
    let to = of.target.clone();
    let on = of.e.edit(&of.target.called("a property"), move |t, typed| {
        // A key has no line break.
        let (key, value) = typed.split_once('\n').unwrap_or((typed, ""));
        to.put(t, Change::Property(key, value))
    });
    let queue = of.queue.map(|q| q.path.clone()).unwrap_or_default();
    html! { <Add key={queue.clone()} queue={queue.clone()} doc={of.e.props.doc.clone()} {on}/> }
}

/// Names of a kind that there are.
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

#[derive(Properties, PartialEq)]
struct AddProps {
    /// The queue's path; "" for the whole scheduler.
    queue: String,
    /// What names there are.
    doc: Shared<Doc>,
    /// Calls with a property's whole name, a line break and its value.
    on: Callback<String>,
}

/// What is typed so far.
#[derive(Clone, Default, PartialEq)]
struct Draft {
    at: usize,
    queue: Option<String>,
    name: String,
    value: String,
}

#[component]
fn Add(props: &AddProps) -> Html {
    let draft = use_state(Draft::default);
    let whole = props.queue.is_empty();
    let file = if whole { File::Scheduler } else { File::Queue };
    let table = properties::table(file, true);
    let Some(by) = table.get(draft.at).or(table.first()).copied() else { return html! {} };
    let of = by.named_by().unwrap_or_default();
    let (name, template) = (draft.name.trim(), of == "property");
    let meaning = if template { properties::of_queue(name).and_then(|f| f.meaning()) } else { Some(by) };
    let unknown = (template && !name.is_empty() && meaning.is_none())
        .then(|| format!("{name} is not a property of a queue: the queues that are made have nothing of it."));
    let p = meaning.unwrap_or(by);
    let queue = draft.queue.clone().unwrap_or_else(|| props.queue.clone());
    let start = if whole { PREFIX.to_owned() } else { format!("{PREFIX}{}.", queue.trim()) };
    let key = format!("{start}{}", by.named(name));
    let value = cut(&draft.value, p.takes_blank()).to_owned();
    let whole_name = !name.is_empty() && !name.contains(char::is_whitespace) && !value.is_empty();
    let put = |change: fn(&mut Draft, String)| {
        let draft = draft.clone();
        Callback::from(move |typed: String| {
            let mut next = (*draft).clone();
            change(&mut next, typed);
            draft.set(next);
        })
    };
    let typed = |on: Callback<String>| {
        let on = commit(on);
        Callback::from(move |ev: InputEvent| on.emit(ev.into()))
    };
    let choose = put(|d, at| *d = Draft { at: at.parse().unwrap_or(0), queue: d.queue.take(), ..Draft::default() });
    let onsubmit = {
        let (on, draft, key) = (props.on.clone(), draft.clone(), key.clone());
        Callback::from(move |ev: SubmitEvent| {
            ev.prevent_default();
            on.emit(format!("{key}\n{value}"));
            draft.set(Draft { name: String::new(), value: String::new(), ..(*draft).clone() });
        })
    };
    let id = if whole { "alladd" } else { "qadd" };
    let names = props.doc.scenario.as_ref().map(|s| there(of, s)).unwrap_or_default();
    html! {
        <details><summary class="h3">{ if whole { "+ For a user or a policy" } else { "+ For a label, a user, a template" } }</summary>
            <form class="prop" {onsubmit} title={key}>
                <label for={format!("{id}-of")}>{ "property" }</label>
                <select class="in" id={format!("{id}-of")} onchange={Callback::from(move |ev: Event| choose.emit(ev.target_unchecked_into::<HtmlSelectElement>().value()))}>
                    { for table.iter().enumerate().map(|(i, p)| html! { <option value={i.to_string()} selected={i == draft.at}>{ p.named(&format!("<{}>", p.named_by().unwrap_or_default())) }</option> }) }
                </select>
                if template {
                    <label for={format!("{id}-queue")}>{ "of the queue (* stands for any name)" }</label>
                    <input class="in" id={format!("{id}-queue")} value={queue} spellcheck="false" autocomplete="off" oninput={typed(put(|d, typed| d.queue = Some(typed)))}/>
                }
                <label for={format!("{id}-name")}>{ of }</label>
                <input class="in" id={format!("{id}-name")} list={format!("{id}-names")} value={draft.name.clone()} spellcheck="false" autocomplete="off" oninput={typed(put(|d, typed| d.name = typed))}/>
                <datalist id={format!("{id}-names")}>{ for names.iter().map(|n| html! { <option value={n.clone()}/> }) }</datalist>
                <div class="ph"><label for={format!("{id}-value")}>{ "value" }</label><span>{ p.unit }</span></div>
                { field(&format!("{id}-value"), p, &draft.value, put(|d, typed| d.value = typed), true) }
                if let Some(unknown) = unknown { <span class="hp rejected">{ unknown }</span> }
                { told(&format!("{id}-value"), p, by, &draft.value, true) }
                <div class="row"><button class="btn edge sm" disabled={!whole_name}>{ "Add" }</button></div>
            </form>
        </details>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_stands_at_the_nearest_queue() {
        let keys = [
            "root.queues",
            "root.a.user-settings.ann.b.weight",
            "root.a.capacity",
            "root.a.accessible-node-labels.gpu.capacity",
            "root.*.auto-queue-creation-v2.template.capacity",
            "root.a.gone.capacity",
            "root.a.leaf-queue-template.priority",
            "root.a.unheard-of",
        ];
        let properties: Properties = keys.iter().map(|k| (format!("{PREFIX}{k}"), "1".to_owned())).collect();
        let paths = Properties::from(["root", "root.a"].map(|p| (p.to_owned(), String::new())));
        let names = |queue: &str| -> Vec<(String, &str)> {
            set(&properties, &paths, queue).into_iter().map(|n| (n.name, n.property.name)).collect()
        };
        assert_eq!(names("root"), [("*.auto-queue-creation-v2.template.capacity".to_owned(), "capacity")]);
        assert_eq!(
            names("root.a"),
            [
                ("user-settings.ann.b.weight".to_owned(), "user-settings.<u>.weight"),
                ("accessible-node-labels.gpu.capacity".to_owned(), "accessible-node-labels.<l>.capacity"),
                ("gone.capacity".to_owned(), "capacity"),
                ("leaf-queue-template.priority".to_owned(), "priority"),
            ]
        );
        let all = Properties::from([(format!("{PREFIX}user.ann.max-parallel-apps"), "2".to_owned())]);
        assert_eq!(of_all(&all).iter().map(|n| n.name.as_str()).collect::<Vec<_>>(), ["user.ann.max-parallel-apps"]);
    }
}
