//! Worlds side by side in pictures: what is tinted is what the record says is unequal, the first difference is marked where it
//! is, and a link shows the same.
#![cfg(not(target_arch = "wasm32"))]
mod support;

use heddle_player::Player;
use heddle_player::explain::view::{Snapshot, WorldView};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use support::page::{READY, call, click, keys, load, press, scenario, state, state_is};
use support::{Browser, Open, until, with_page};
use thirtyfour::prelude::*;

/// Two queues with and without preemption.
const TWO: &str = "q14b-two-queues";
/// A moment at which both worlds have containers that the other one lacks.
const AT: i64 = 150_000;

/// Plays a scenario and its worlds to a moment, each by itself. Returns their pictures and their results.
fn played(text: &str, at: i64) -> (Vec<Snapshot>, Vec<WorldView>) {
    let player = Player::load(text).player.expect("it loads");
    let worlds = player.worlds();
    let texts = worlds.iter().map(|w| w.text.clone().expect("a text"));
    let snapshots = std::iter::once(text.to_owned()).chain(texts).map(|text| {
        let mut player = Player::load(&text).player.expect("it loads");
        player.seek(at);
        player.snapshot(None)
    });
    (snapshots.collect(), player.compare(&worlds))
}

/// What each node holds: how many containers of an application, of a size, AM or not.
fn held(snapshot: &Snapshot) -> BTreeMap<String, BTreeMap<(String, i64, bool), usize>> {
    let mut out: BTreeMap<String, BTreeMap<(String, i64, bool), usize>> = BTreeMap::new();
    for node in snapshot.racks.iter().flat_map(|r| &r.nodes) {
        let on = out.entry(node.name.clone()).or_default();
        for c in &node.containers {
            *on.entry((c.app.clone(), c.size.memory_mb, c.am)).or_default() += 1;
        }
    }
    out
}

/// Returns how many containers of each application on each node the other snapshot does not have there.
fn more_than(mine: &Snapshot, other: &Snapshot) -> BTreeMap<String, usize> {
    let (mine, other) = (held(mine), held(other));
    let mut out = BTreeMap::new();
    for (node, kinds) in &mine {
        for (kind, n) in kinds {
            let more = n.saturating_sub(other.get(node).and_then(|o| o.get(kind)).copied().unwrap_or(0));
            if more > 0 {
                *out.entry(format!("{node} app:{}", kind.0)).or_default() += more;
            }
        }
    }
    out
}

/// Returns the tinted boxes of each world on the page, in the same form, and its tinted nodes.
async fn tinted(page: &WebDriver) -> WebDriverResult<Vec<(BTreeMap<String, usize>, Vec<String>)>> {
    let script = "return [...document.querySelectorAll('.world')].map((world) => { \
        const boxes = {}, nodes = []; \
        for (const node of world.querySelectorAll('.node')) { \
            const name = node.querySelector('.nn').textContent; \
            if (node.classList.contains('df')) nodes.push(name); \
            for (const box of node.querySelectorAll('.bar .c.une')) { \
                const key = name + ' ' + box.dataset.family; boxes[key] = (boxes[key] || 0) + 1; } } \
        return [boxes, nodes]; })";
    let found = page.execute(script, vec![]).await?.json().clone();
    Ok(serde_json::from_value(found).expect("boxes and nodes of each world"))
}

async fn worlds(page: &WebDriver, n: usize) -> WebDriverResult<()> {
    until(page, "the pictures", &format!("return document.querySelectorAll('.world .racks').length === {n}")).await?;
    state(page).await.map(|_| ())
}

async fn seek(page: &WebDriver, at: i64) -> WebDriverResult<()> {
    call(page, "heddle.seek(arguments[0])", vec![json!(at)]).await.map(|_| ())
}

async fn side_by_side(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    until(page, "the page is ready", READY).await?;
    let text = scenario(TWO);
    load(page, &text).await?;
    press(page, "Compare").await?;
    worlds(page, 2).await?;
    let (pictures, results) = played(&text, AT);
    let first = results[1].first.as_ref().expect("they differ").time_ms;

    // Up to the first difference nothing is tinted.
    seek(page, first - 1).await?;
    for (boxes, nodes) in tinted(page).await? {
        assert!(boxes.is_empty() && nodes.is_empty(), "{boxes:?} {nodes:?}");
    }
    // Later exactly the boxes are that one world has and the other lacks.
    seek(page, AT).await?;
    let wanted = [more_than(&pictures[0], &pictures[1]), more_than(&pictures[1], &pictures[0])];
    assert!(wanted.iter().all(|w| !w.is_empty()), "{wanted:?}");
    let found = tinted(page).await?;
    for (i, wanted) in wanted.iter().enumerate() {
        assert_eq!(&found[i].0, wanted, "world {i}");
        assert!(found[i].1.iter().all(|node| wanted.keys().chain(found[1 - i].0.keys()).any(|k| k.starts_with(node))));
    }
    // A box is told by more than its colour, and each picture says whose it is and how much differs.
    let frame = "const s = getComputedStyle(document.querySelector('.c.une')); return [s.outlineStyle, s.outlineWidth]";
    assert_eq!(page.execute(frame, vec![]).await?.json(), &json!(["solid", "2px"]));
    let said = "return [...document.querySelectorAll('.world')].map((w) => [w.getAttribute('aria-label'), \
        document.getElementById(w.getAttribute('aria-describedby')).textContent])";
    let said = page.execute(said, vec![]).await?.json().clone();
    let boxes = |i: usize| wanted[i].values().sum::<usize>();
    assert_eq!(said[0][0], "World A: as it is");
    assert_eq!(said[1][0], "World B: without preemption");
    let contains = |i: usize, part: &str| said[i][1].as_str().is_some_and(|s| s.contains(part));
    assert!(
        contains(0, &format!("{} container", boxes(0))) && contains(1, &format!("{} container", boxes(1))),
        "{said}"
    );

    // The first difference is marked on the scrubber's track, and one click away.
    let place = "const f = document.querySelector('.track .flag'), r = document.querySelector('.track').getBoundingClientRect(); \
        const x = parseFloat(getComputedStyle(f).left); return [Number(f.dataset.at), x / r.width]";
    let place = page.execute(place, vec![]).await?.json().clone();
    let end = state(page).await?["timeline"]["end_ms"].as_i64().unwrap_or(1);
    assert_eq!(place[0], first);
    let off = place[1].as_f64().unwrap_or(-1.0) - first as f64 / end as f64;
    assert!(off.abs() < 0.005, "{place} of {end}");
    click(page, ".world[data-world=B] header button.link").await?;
    state_is(page, "the first difference", |s| s["time_ms"] == first).await?;
    let keys_to = async |keys: &str, at: &serde_json::Value| -> WebDriverResult<()> {
        page.active_element().await?.send_keys(keys).await?;
        state_is(page, keys, |s| s["time_ms"] == *at).await.map(drop)
    };
    keys_to(&Key::Home.value().to_string(), &serde_json::json!(0)).await?;
    keys_to("d", &serde_json::json!(first)).await?;

    // WHY of the same thing in both, under their names.
    seek(page, 200_000).await?;
    page.execute("document.querySelector('.qs [data-sel]').focus()", vec![]).await?;
    click(page, ".world[data-world=A] .qs button[data-sel='queue:root.q2']").await?;
    let why =
        "return [...document.querySelectorAll('.wwhy')].map((w) => w.innerText).filter((t) => t.includes('q2')).length";
    until(page, "why of both", &format!("{why} === 2")).await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_differs_is_tinted_in_both_pictures() {
    with_page("compare-pictures", Browser::Chromium, side_by_side).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_differs_is_tinted_in_both_pictures_in_firefox() {
    with_page("compare-pictures-firefox", Browser::Firefox, side_by_side).await;
}

/// Returns what the comparison shows: the names of its worlds, their headlines, and what is tinted.
async fn shown(page: &WebDriver) -> WebDriverResult<Value> {
    let script = "return [...document.querySelectorAll('.world')].map((w) => [w.getAttribute('aria-label'), \
        w.querySelector('.wsum').textContent, w.querySelector('.unlike').textContent, \
        [...w.querySelectorAll('.c')].map((c) => c.className.replace(/\\bk\\d\\b/, '') + c.getAttribute('aria-label'))])";
    Ok(page.execute(script, vec![]).await?.json().clone())
}

async fn by_link(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    until(page, "the page is ready", READY).await?;
    load(page, &scenario("q26b-sweep")).await?;
    press(page, "Compare").await?;
    worlds(page, 2).await?;
    // Another baseline, and a third world.
    let other = "const s = document.querySelector('#world-0'); s.value = arguments[0]; s.dispatchEvent(new Event('change', { bubbles: true }))";
    page.execute(other, vec![json!("max-parallel-apps = 3")]).await?;
    until(
        page,
        "another baseline",
        "return document.querySelector('.world')?.getAttribute('aria-label') === 'World A: max-parallel-apps = 3'",
    )
    .await?;
    worlds(page, 2).await?;
    click(page, "#third-world").await?;
    worlds(page, 3).await?;
    seek(page, 120_000).await?;
    let before = shown(page).await?;
    assert_eq!(before[0][0], "World A: max-parallel-apps = 3");
    assert!(before.to_string().contains(" une"), "something differs");
    again(page, &before).await?;

    // A change that is tried is in the link too, though no scenario has it; and the scenario as it was opened.
    load(page, &scenario("q01-stuck-in-accepted")).await?;
    press(page, "Try: maximum-am-resource-percent = 0.31").await?;
    worlds(page, 2).await?;
    let tried = shown(page).await?;
    assert_eq!(tried[1][0], "World B: maximum-am-resource-percent = 0.31");
    again(page, &tried).await?;
    press(page, "Close: back to the scenario alone").await?;
    until(page, "no comparison", "return !document.querySelector('.compare')").await?;
    Ok(())
}

/// Opens the page's address anew, and expects to see the same.
async fn again(page: &WebDriver, before: &Value) -> WebDriverResult<()> {
    // The address follows what is shown, after a moment.
    let settled = "const [done] = arguments; const wait = (was, n) => setTimeout(() => \
        location.href === was && n > 0 ? done(was) : wait(location.href, location.href === was ? n + 1 : 0), 700); wait('', 0)";
    let address = page.execute_async(settled, vec![]).await?.json().clone();
    page.goto("about:blank").await?;
    page.goto(address.as_str().unwrap_or_default()).await?;
    until(page, "the page is ready", READY).await?;
    let n = before.as_array().map_or(0, Vec::len);
    worlds(page, n).await?;
    assert_eq!(&shown(page).await?, before);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_shows_the_same_worlds() {
    with_page("compare-link", Browser::Chromium, by_link).await;
}

async fn in_keys(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    until(page, "the page is ready", READY).await?;
    load(page, &scenario(TWO)).await?;
    press(page, "Compare").await?;
    worlds(page, 2).await?;
    // One time for all: a step moves both pictures.
    let texts = "return [...document.querySelectorAll('.world .wsum')].map((w) => w.textContent)";
    seek(page, 0).await?;
    let start = page.execute(texts, vec![]).await?.json().clone();
    keys(page, [Key::End]).await?;
    state(page).await?;
    let end = page.execute(texts, vec![]).await?.json().clone();
    assert!(start[0] != end[0] && start[1] != end[1], "{start} {end}");
    // Escape leaves the view when nothing is selected.
    keys(page, [Key::Escape, Key::Escape]).await?;
    until(
        page,
        "the scenario alone",
        "return !document.querySelector('.compare') && !!document.querySelector('.lane')",
    )
    .await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn one_time_moves_all_worlds() {
    with_page("compare-keys", Browser::Chromium, in_keys).await;
}
