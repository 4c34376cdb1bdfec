//! What a person does to a thing in the picture, and adds as a happening: each leaves an ordinary entry in the scenario's text,
//! at the moment shown, and undo takes it back.
#![cfg(not(target_arch = "wasm32"))]
mod support;

use heddle_core::scenario::{self, Act};
use serde_json::json;
use support::page::{READY, call, choose, click, load, pick, press, state, state_is};
use support::{Browser, Open, until, with_page};
use thirtyfour::prelude::*;

const TEXT: &str = "heddle = 1\nuntil = \"10 min\"\n[capacity-scheduler]\nroot.queues = [\"a\", \"b\"]\nroot.a.capacity = 50\n\
    root.b.capacity = 50\n[[nodes]]\nname = \"n{1}\"\ncount = 3\nsize = \"8 GB/8\"\n[[apps]]\nname = \"job\"\nuser = \"ann\"\n\
    queue = \"root.a\"\nam = \"1 GB/1\"\ntasks = [{ count = 3, size = \"1 GB/1\", duration = \"9 min\" }]\n";
/// The moment of all that happens here.
const AT: i64 = 60_000;

/// Returns what happens by a text, with its time, or fails if the text has an error.
fn happens(text: &str) -> Vec<(i64, Act)> {
    let read = scenario::read(text);
    let scenario = read.scenario.unwrap_or_else(|| panic!("{:#?}\n{text}", read.problems));
    scenario.happenings.into_iter().map(|h| (h.at, h.act)).collect()
}

async fn text_of(page: &WebDriver) -> WebDriverResult<String> {
    Ok(state(page).await?["text"].as_str().unwrap_or_default().to_owned())
}

/// What is done: by a button, or by a line with a button and what is typed.
type Done<'a> = (&'a str, &'a str, &'a str, fn(&Act) -> bool);

const DONE: &[Done<'_>] = &[
    ("node:n2", "Fail this node", "", |act| matches!(act, Act::CrashNode(n) if n == "n2")),
    ("node:n2", "Lose it at once", "", |act| matches!(act, Act::RemoveNode(n) if n == "n2")),
    ("node:n2", "Drain it", "", |act| matches!(act, Act::Decommission { node, timeout_s: 3600 } if node == "n2")),
    (
        "node:n2",
        "Drain within",
        "10 min",
        |act| matches!(act, Act::Decommission { node, timeout_s: 600 } if node == "n2"),
    ),
    ("node:n2", "Make it unhealthy", "", |act| matches!(act, Act::Unhealthy(n) if n == "n2")),
    (
        "node:n2",
        "Set label",
        "gpu",
        |act| matches!(act, Act::LabelNode { node, label } if node == "n2" && label == "gpu"),
    ),
    (
        "node:n2",
        "Resize",
        "4 GB/2",
        |act| matches!(act, Act::Resize { node, total, .. } if node == "n2" && total.memory_mb() == 4096 && total.vcores() == 2),
    ),
    (
        "node:n2",
        "Add attributes",
        "java=17",
        |act| matches!(act, Act::Attributes { node, attributes, .. } if node == "n2" && attributes.len() == 1),
    ),
    ("app:job", "Kill it", "", |act| matches!(act, Act::KillApp(app) if app == "job")),
    ("app:job", "Hang its AM", "", |act| matches!(act, Act::HangAm(app) if app == "job")),
    (
        "app:job",
        "Move to queue",
        "root.b",
        |act| matches!(act, Act::MoveApp { app, queue } if app == "job" && queue == "root.b"),
    ),
    ("app:job", "Set priority", "7", |act| matches!(act, Act::SetPriority { app, priority: 7 } if app == "job")),
    (
        "container:job/1",
        "Fail this container",
        "",
        |act| matches!(act, Act::FinishContainer { app, container: 1, exit_code: 1 } if app == "job"),
    ),
    (
        "container:job/1",
        "End it",
        "",
        |act| matches!(act, Act::FinishContainer { app, container: 1, exit_code: 0 } if app == "job"),
    ),
];

async fn acted(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    until(page, "the page is ready", READY).await?;
    load(page, TEXT).await?;
    call(page, "heddle.seek(arguments[0])", vec![json!(AT)]).await?;
    for (about, button, typed, is) in DONE {
        choose(page, about).await?;
        let find =
            format!("[...document.querySelectorAll('#why button')].find((b) => b.textContent.trim() === {button:?})");
        until(page, button, &format!("return !!{find}")).await?;
        // A line is filled in first, as typing does it.
        let act = format!(
            "const b = {find}; b.closest('details')?.setAttribute('open', ''); const f = b.form?.querySelector('input'); \
             if (f) f.value = arguments[0]; b.click();"
        );
        page.execute(&act, vec![json!(typed)]).await?;
        let text = state_is(page, button, |s| s["text"] != TEXT).await?["text"].as_str().unwrap_or_default().to_owned();
        let [(at, act)] = &happens(&text)[..] else { panic!("{button}: {text}") };
        assert!(*at == AT && is(act), "{button}: {at} {act:?}");
        click(page, "button[title^='Undo: ']").await?;
        state_is(page, "it is taken back", |s| s["text"] == TEXT).await?;
    }
    // What was done is played, and its contrary is offered: a drained node is recommissioned.
    choose(page, "node:n1").await?;
    press(page, "Drain it").await?;
    call(page, "heddle.seek(arguments[0])", vec![json!(AT + 5_000)]).await?;
    press(page, "Recommission it").await?;
    let acts = happens(&text_of(page).await?);
    assert!(
        matches!(&acts[..], [(AT, Act::Decommission { .. }), (at, Act::Recommission(n))] if *at == AT + 5_000 && n == "n1"),
        "{acts:?}"
    );
    call(page, "heddle.seek(arguments[0])", vec![json!(AT + 10_000)]).await?;
    let racks = state(page).await?["snapshot"]["racks"].clone();
    let n1 = racks.as_array().and_then(|r| {
        r.iter().flat_map(|r| r["nodes"].as_array().cloned().unwrap_or_default()).find(|n| n["name"] == "n1")
    });
    assert_eq!(n1.map(|n| n["state"].clone()), Some(json!("RUNNING")));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_done_to_a_thing_is_a_happening_at_the_moment() {
    with_page("acts", Browser::Chromium, acted).await;
}

/// Sets a field of a form, as leaving it does.
async fn set(page: &WebDriver, css: &str, value: &str) -> WebDriverResult<()> {
    until(page, css, &format!("return !!document.querySelector({css:?})")).await?;
    let script = "const f = document.querySelector(arguments[0]); f.value = arguments[1]; \
        f.dispatchEvent(new Event('input', { bubbles: true })); f.dispatchEvent(new Event('change', { bubbles: true }));";
    page.execute(script, vec![json!(css), json!(value)]).await?;
    state(page).await.map(|_| ())
}

async fn in_form(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    until(page, "the page is ready", READY).await?;
    load(page, TEXT).await?;
    call(page, "heddle.seek(arguments[0])", vec![json!(AT)]).await?;
    choose(page, "node:n3").await?;
    pick(page, "what", "Cluster").await?;
    until(page, "the kinds", "return document.querySelectorAll('#f-happen option').length > 15").await?;
    let kinds = "return [...document.querySelectorAll('#f-happen option')].map((o) => o.value).filter(Boolean)";
    let kinds: Vec<String> = page.execute(kinds, vec![]).await?.convert()?;
    for kind in &kinds {
        set(page, "#f-happen", kind).await?;
        let text = state_is(page, kind, |s| s["text"] != TEXT).await?["text"].as_str().unwrap_or_default().to_owned();
        assert!(text.contains(&format!("do = {kind:?}")) && text.contains("at = \"1 min\""), "{kind}: {text}");
        let acts = happens(&text);
        assert!(acts.len() == 1 && acts[0].0 == AT, "{kind}: {acts:?}");
        assert!(acts[0].1.node().is_none_or(|n| n == "n3" || kind == "add_node"), "{kind}: of the selected node");
        click(page, "button[title^='Undo: ']").await?;
        state_is(page, "it is taken back", |s| s["text"] == TEXT).await?;
    }
    // Its fields change it where it stands, and the cross removes it.
    set(page, "#f-happen", "label_node").await?;
    set(page, "#f-h0f1", "gpu").await?;
    set(page, "#f-h0f0", "n1").await?;
    set(page, "#f-h0at", "2 min").await?;
    let acts = happens(&text_of(page).await?);
    let wanted = Act::LabelNode { node: "n1".into(), label: "gpu".into() };
    assert_eq!(acts, [(120_000, wanted)]);
    page.execute("document.querySelectorAll('#what details').forEach((d) => { d.open = true; })", vec![]).await?;
    press(page, "Remove: A node gets another label at 2 min").await?;
    assert!(happens(&text_of(page).await?).is_empty());
    // A node's label and its attributes from the start.
    set(page, "#f-n0l", "ssd").await?;
    set(page, "#f-n0a", "java=17").await?;
    let text = text_of(page).await?;
    assert!(text.contains("label = \"ssd\"") && text.contains("attributes = { java = \"17\" }"), "{text}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn each_kind_of_happening_has_a_form() {
    with_page("happenings", Browser::Chromium, in_form).await;
}
