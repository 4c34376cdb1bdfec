//! Settings: how the scheduler is driven, which handler places constraints, yarn-site keys, timing, seed.

use super::Editor;
use super::field::{choice, field};
use crate::edits;
use crate::path;
use heddle_core::scenario::edit::{Change, change_queues};
use heddle_core::scenario::{Because, Mode};
use heddle_view::{Edit, SchedulerChoice};
use yew::prelude::*;

/// yarn-site keys that the form offers, without `yarn.`, their defaults and short names.
const SITE: [(&str, &str, &str); 6] = [
    ("scheduler.minimum-allocation-mb", "1024", "smallest container, MB"),
    ("scheduler.maximum-allocation-mb", "8192", "largest container, MB"),
    ("scheduler.minimum-allocation-vcores", "1", "smallest container, vcores"),
    ("scheduler.maximum-allocation-vcores", "4", "largest container, vcores"),
    ("resourcemanager.am.max-attempts", "2", "attempts of an AM"),
    ("resource-types", "", "further resource types"),
];

/// Timing keys of the scenario.
const TIMING: [(&str, &str); 7] = [
    ("node_heartbeat", "node heartbeat"),
    ("am_heartbeat", "AM heartbeat"),
    ("launch", "launch"),
    ("am_start", "AM start"),
    ("stop", "stop"),
    ("node_expiry", "node lost after"),
    ("async_interval", "async pause"),
];

/// The form.
pub fn settings(e: &Editor<'_>) -> Html {
    let Some(s) = &e.props.doc.scenario else { return html! {} };
    let text = |key: &str| e.written.text(path![key]);
    let put = |key: &'static str| e.edit(key, move |t, typed| edits::put(t, path![key], typed));
    let put_text = |key: &'static str| e.edit(key, move |t, typed| edits::put_text(t, path![key], typed));
    let capacity_runs = s.settings.scheduler == SchedulerChoice::Capacity;
    let handler = s
        .settings
        .yarn_site
        .get("yarn.resourcemanager.placement-constraints.handler")
        .cloned()
        .unwrap_or_else(|| "disabled".into());
    html! {
        <>
            if capacity_runs { { mode(e) } }
            <div class="fields">
                { choice("scheduler", "runs the", &text("scheduler"), &[("", "scheduler of yarn-site.xml"), ("capacity", "CapacityScheduler"), ("fair", "FairScheduler"), ("fifo", "FifoScheduler")], put_text("scheduler")) }
                { choice("release", "release", &text("release"), &[("", "not said"), ("3.5", "3.5"), ("3.4", "3.4"), ("3.3", "3.3")], put_text("release")) }
                if capacity_runs { { choice("scheduling", "schedules", &text("scheduling"), &[("", "as the release"), ("heartbeat", "on heartbeats"), ("async", "asynchronously")], put_text("scheduling")) } }
                { choice("handler", "constraints", &handler, &[("disabled", "disabled"), ("scheduler", "scheduler"), ("placement-processor", "placement-processor")], site(e, "resourcemanager.placement-constraints.handler")) }
                if capacity_runs { { choice("calculator", "counts", calculator(s.settings.capacity_scheduler.get("yarn.scheduler.capacity.resource-calculator").map(String::as_str).unwrap_or_default()),
                    &[("", "memory only"), ("org.apache.hadoop.yarn.util.resource.DominantResourceCalculator", "all resources")], capacity(e, "resource-calculator")) } }
            </div>
            <h3 class="h3">{ "Run" }</h3>
            <div class="fields">
                { field("seed", "seed", text("seed"), "1", put("seed")) }
                { field("until", "until", text("until"), "the end", put_text("until")) }
                { field("start", "opens at", text("start_at"), "0 s", put_text("start_at")) }
            </div>
            <h3 class="h3">{ "yarn-site.xml" }</h3>
            { for SITE.iter().map(|(key, default, name)| {
                let full = format!("yarn.{key}");
                let value = s.settings.yarn_site.get(&full).cloned().unwrap_or_default();
                let id = format!("s-{key}");
                html! {
                    <div class={classes!("prop", (!value.is_empty()).then_some("set"))} title={full.clone()}>
                        <div class="ph"><label for={id.clone()}>{ *name }</label></div>
                        <input class="in" id={id} value={value} placeholder={*default} spellcheck="false" onchange={super::field::commit(site(e, key))}/>
                    </div>
                }
            }) }
            <h3 class="h3">{ "Timing" }</h3>
            <div class="fields">
                { for TIMING.iter().map(|(key, name)| {
                    let on = e.edit(name, move |t, typed| edits::put_text(t, path!["timing", *key], typed));
                    field(&format!("t-{key}"), name, e.written.text(path!["timing", *key]), &default_of(e, key), on)
                }) }
            </div>
        </>
    }
}

/// How the scheduler is driven is said openly; where nothing decides it, the page asks.
fn mode(e: &Editor<'_>) -> Html {
    let Some(s) = &e.props.doc.scenario else { return html! {} };
    let now = match s.scheduling.mode {
        Mode::Heartbeat => "The scheduler looks at a node when that node sends its heartbeat.",
        Mode::Async => "The scheduler walks over all nodes in threads of its own, all the time.",
    };
    let because = match s.scheduling.because {
        Because::Property => "yarn.scheduler.capacity.schedule-asynchronously.enable says so.",
        Because::Scenario => "The scenario says so.",
        Because::Release => "That is the default of the release named.",
        Because::Default => "",
    };
    if s.scheduling.because == Because::Default {
        return ask_release(&e.props.go);
    }
    html! { <p class="soft">{ now }{ " " }<span class="dim">{ because }</span></p> }
}

/// The question that an imported file without the property leaves open.
pub fn ask_release(go: &crate::store::Go) -> Html {
    let button = |release: &'static str, label: &'static str| {
        let onclick = go.reform(|_: MouseEvent| crate::store::Msg::Change {
            edit: Edit { what: "release".into(), change: heddle_view::Change::Release },
            typed: release.into(),
        });
        html! { <button type="button" class="btn edge sm" {onclick}>{ label }</button> }
    };
    html! {
        <div class="ask">
            <b>{ "Which Hadoop release is this for?" }</b>
            <span>{ "The file does not say how the CapacityScheduler is driven: on heartbeats (the default until 3.4) or asynchronously (the default since 3.5)." }</span>
            <div class="row">{ button("3.3", "3.3") }{ button("3.4", "3.4") }{ button("3.5", "3.5 or newer") }</div>
        </div>
    }
}

fn calculator(class: &str) -> &str {
    if class.ends_with("DominantResourceCalculator") { class } else { "" }
}

fn site(e: &Editor<'_>, key: &str) -> Callback<String> {
    let key = key.to_owned();
    let what = key.rsplit('.').next().unwrap_or(&key).to_owned();
    e.edit(&what, move |t, typed| put_site(t, &key, typed))
}

/// Sets a yarn-site property where properties are written: in the file, else in short form.
fn put_site(text: &str, key: &str, typed: &str) -> Result<String, String> {
    const FILE: &str = "yarn-site.xml";
    let written = edits::Written::new(text);
    let file = written.text(path!["files", FILE]);
    if !file.is_empty() {
        let full = format!("yarn.{key}");
        let next = if typed.trim().is_empty() {
            heddle_core::config::xml::remove(&file, &full)
        } else {
            heddle_core::config::xml::set(&file, &full, typed.trim())
        };
        return edits::set_file(text, FILE, &next);
    }
    edits::put_property(text, "yarn-site", &format!("yarn.{key}"), typed)
}

fn capacity(e: &Editor<'_>, key: &'static str) -> Callback<String> {
    let full = format!("yarn.scheduler.capacity.{key}");
    e.edit(key, move |t, typed| change_queues(t, None, Change::Property(&full, typed.trim())))
}

fn default_of(e: &Editor<'_>, key: &str) -> String {
    let Some(s) = &e.props.doc.scenario else { return String::new() };
    let t = &s.timing;
    heddle_core::scenario::units::time_text(match key {
        "node_heartbeat" => t.node_heartbeat,
        "am_heartbeat" => t.am_heartbeat,
        "launch" => t.launch,
        "am_start" => t.am_start,
        "stop" => t.stop,
        "node_expiry" => t.node_expiry,
        _ => t.async_interval,
    })
}
