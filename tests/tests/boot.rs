//! The start of the built page, and its messages if something is missing.
#![cfg(not(target_arch = "wasm32"))]
mod support;

use support::page::{READY, press, state, state_is, waiting};
use support::{Browser, Open, Twist, complaints, finish, start, until, with_page};
use thirtyfour::prelude::*;

/// The page is live: the static picture is gone.
const LIVE: &str = "return !document.getElementById('first') && !document.getElementById('boot')";

async fn starts(name: &str, browser: Browser, twist: Twist) {
    let Some(open) = start(browser, twist, 1280, 900).await else { return };
    let result = async {
        until(&open.page, "the page starts", LIVE).await?;
        until(&open.page, "the first picture", READY).await?;
        state_is(&open.page, "one request waits", |s| waiting(s) == 1).await?;
        // All requests are below the page's own path, so that it works at any path.
        let asked = open.site.asked.lock().expect("the log").clone();
        let strange: Vec<&String> = asked.iter().filter(|a| !a.starts_with("/some/path/")).collect();
        assert!(strange.iter().all(|a| *a == "/favicon.ico"), "asked for {strange:?}");
        Ok(())
    }
    .await;
    let seen = complaints(&open.page).await;
    finish(name, open, result, seen).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_starts_in_chromium() {
    starts("start-chromium", Browser::Chromium, Twist::default()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_starts_in_firefox() {
    starts("start-firefox", Browser::Firefox, Twist::default()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_starts_from_a_server_that_does_not_know_wasm() {
    starts("untyped", Browser::Chromium, Twist { untyped: true, ..Twist::default() }).await;
}

/// If the browser keeps nothing for the site, only drafts and the offline page are missing.
#[tokio::test(flavor = "multi_thread")]
async fn the_page_starts_where_site_data_is_blocked() {
    let twist = Twist { blocked: true, ..Twist::default() };
    starts("blocked-chromium", Browser::Chromium, twist.clone()).await;
    starts("blocked-firefox", Browser::Firefox, twist).await;
}

/// The user learns what will be lost before typing anything.
#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_keeps_nothing_is_told_of() {
    let twist = Twist { blocked: true, ..Twist::default() };
    let Some(open) = start(Browser::Chromium, twist, 1280, 900).await else { return };
    let told = "return document.querySelector('.foot')?.innerText.includes('what you type is gone with the tab')";
    let result = until(&open.page, "that nothing is kept", told).await;
    finish("keeps-nothing", open, result, Vec::new()).await;
}

/// Scrolls, moves the focus and turns the screen from the first moment on, like assistive technology or a small screen.
const MOVED: &str = r##"
const move = setInterval(() => {
  scrollBy(0, 40);
  document.querySelector("a, button, input, summary")?.focus();
  dispatchEvent(new Event("resize"));
  if (document.body && !document.getElementById("first")) clearInterval(move);
}, 5);
"##;

#[tokio::test(flavor = "multi_thread")]
async fn a_small_screen_that_is_scrolled_turned_and_focused_by_a_script_loses_nothing() {
    let Some(open) = start(Browser::Chromium, Twist { first: MOVED, ..Twist::default() }, 844, 390).await else {
        return;
    };
    let page = &open.page;
    let result = async {
        until(page, "the page starts", LIVE).await?;
        let retitle = "const f = document.querySelector('input.title'); f.value = 'Mine'; f.dispatchEvent(new Event('change', { bubbles: true }))";
        page.execute(retitle, Vec::new()).await?;
        state_is(page, "the title", |s| s["text"].as_str().is_some_and(|t| t.contains("Mine"))).await?;
        page.set_window_rect(0, 0, 400, 844).await?;
        state_is(page, "the same scenario", |s| s["text"].as_str().is_some_and(|t| t.contains("Mine"))).await?;
        page.refresh().await?;
        until(page, "the page starts again", LIVE).await?;
        state_is(page, "the title after a reload", |s| s["text"].as_str().is_some_and(|t| t.contains("Mine"))).await?;
        Ok(())
    }
    .await;
    let seen = complaints(page).await;
    finish("moved", open, result, seen).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_starts_in_forced_colours() {
    with_page("forced-colours", Browser::Chromium, async |open| {
        let features = serde_json::json!({ "features": [{ "name": "forced-colors", "value": "active" }] });
        open.page.cdp().send_raw("Emulation.setEmulatedMedia", features).await?;
        open.page.refresh().await?;
        until(&open.page, "forced colours", "return matchMedia('(forced-colors: active)').matches").await?;
        until(&open.page, "the page starts", LIVE).await?;
        press(&open.page, "Add a node").await?;
        state_is(&open.page, "the third node", |s| s["text"].as_str().is_some_and(|t| t.contains("n3"))).await?;
        Ok(())
    })
    .await;
}

/// Presses keys from the first moment on, like an impatient user.
const EARLY: &str = r##"
const keys = setInterval(() => {
  const key = (name) => document.body?.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
  key("Tab");
  key("ArrowRight");
  document.querySelector("#first .nn")?.click();
  if (document.body && !document.getElementById("first")) clearInterval(keys);
}, 5);
"##;

#[tokio::test(flavor = "multi_thread")]
async fn keys_that_come_too_early_do_no_harm() {
    starts_after_early_keys("early-chromium", Browser::Chromium).await;
    starts_after_early_keys("early-firefox", Browser::Firefox).await;
}

async fn starts_after_early_keys(name: &str, browser: Browser) {
    let Some(open) = start(browser, Twist { first: EARLY, ..Twist::default() }, 1280, 900).await else { return };
    let result = async {
        until(&open.page, "the page starts", LIVE).await?;
        press(&open.page, "Add a node").await?;
        state_is(&open.page, "the third node", |s| s["text"].as_str().is_some_and(|t| t.contains("n3"))).await?;
        Ok(())
    }
    .await;
    let seen = complaints(&open.page).await;
    finish(name, open, result, seen).await;
}

/// Opens the page with something missing; the message must contain `words`.
async fn says(name: &str, twist: Twist, words: &str) {
    let Some(open) = start(Browser::Chromium, twist, 800, 600).await else { return };
    let script = format!("return document.getElementById('boot')?.textContent.includes({words:?})");
    let result = until(&open.page, words, &script).await;
    finish(name, open, result, Vec::new()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_without_webassembly_is_told_so() {
    let first = "Object.defineProperty(window, 'WebAssembly', { value: undefined });\n";
    says("no-wasm", Twist { first, ..Twist::default() }, "WebAssembly").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_without_workers_is_told_so() {
    let first = "Object.defineProperty(window, 'Worker', { value: undefined });\n";
    says("no-worker", Twist { first, ..Twist::default() }, "web workers").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn parts_that_do_not_arrive_are_told() {
    for missing in ["heddle-web", "heddle-engine", "start"] {
        says(&format!("no-{missing}"), Twist { missing, ..Twist::default() }, "did not arrive").await;
    }
}

/// Collects all workers.
const WORKERS: &str = r#"
globalThis.workers = [];
globalThis.Worker = class extends Worker { constructor(url, options) { super(url, options); workers.push(this); } };
"#;

/// The death of a worker is reported, and a new one starts without fetching anything.
#[tokio::test(flavor = "multi_thread")]
async fn the_engine_starts_anew_under_the_closed_policy() {
    for browser in [Browser::Chromium, Browser::Firefox] {
        let Some(open) = start(browser, Twist { first: WORKERS, ..Twist::default() }, 1280, 900).await else { return };
        let result = anew(&open).await;
        let seen = complaints(&open.page).await;
        finish("anew", open, result, seen).await;
    }
}

async fn anew(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    until(page, "the first picture", READY).await?;
    state(page).await?;
    open.site.stop();
    page.execute("workers[0].onerror({ message: 'a test ended it' })", Vec::new()).await?;
    until(page, "what happened", "return document.body.innerText.includes('a test ended it')").await?;
    until(page, "another worker", "return workers.length === 2").await?;
    press(page, "Add a node").await?;
    state_is(page, "the third node", |s| s["text"].as_str().is_some_and(|t| t.contains("n3"))).await?;
    state_is(page, "its node is there", |s| s["snapshot"]["racks"].to_string().contains("\"n3\"")).await?;
    Ok(())
}

/// Calls what a panic of the page's program calls, and checks the screen.
#[tokio::test(flavor = "multi_thread")]
async fn a_panic_of_the_page_is_told_and_the_scenario_offered() {
    with_page("panic", Browser::Chromium, async |open| {
        until(&open.page, "the first picture", READY).await?;
        open.page.execute("heddlePanicked('a test failed.', 'heddle = 1')", Vec::new()).await?;
        until(&open.page, "what failed", "return document.getElementById('boot').innerText.includes('a test failed.')").await?;
        let link = "const a = document.querySelector('#boot a'); return a.href.startsWith('blob:') && a.download === 'heddle-report.toml'";
        until(&open.page, "the scenario", link).await
    })
    .await;
}
