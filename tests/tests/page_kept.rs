//! What the built page keeps: the address has the moment shown, no typed text is lost with a reload or to another tab, and
//! the user is told if the browser keeps nothing.
#![cfg(not(target_arch = "wasm32"))]
mod support;

use serde_json::{Value, json};
use support::page::{READY, keys, load, press, scenario, state, state_is};
use support::{Browser, Open, Twist, complaints, finish, start, until, with_page};
use thirtyfour::prelude::*;

const SMALL: &str = "heddle = 1\n[[nodes]]\nname = \"n\"\nsize = \"4 GB/4\"\n";

/// Checks the moment and the state that the address opens.
async fn address_opens(page: &WebDriver, here: &Value, what: &str) -> WebDriverResult<()> {
    let opened =
        |s: &Value| s["time_ms"] == here["time_ms"] && s["snapshot"]["fingerprint"] == here["snapshot"]["fingerprint"];
    let address: String = page.execute("return location.href", vec![]).await?.convert()?;
    page.goto("about:blank").await?;
    page.goto(&address).await?;
    until(page, "the page is ready", READY).await?;
    state_is(page, what, opened).await.map(|_| ())
}

/// Waits until the address has been written.
async fn written(page: &WebDriver) -> WebDriverResult<()> {
    let still = "const [done] = arguments; const before = location.href; setTimeout(() => done(location.href === before), 1600)";
    loop {
        if page.execute_async(still, vec![]).await?.json() == &json!(true) {
            return Ok(());
        }
    }
}

async fn address(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    until(page, "the page is ready", READY).await?;
    load(page, &scenario("q27-reservation")).await?;
    let step = "const [by, back, done] = arguments; heddle.step(by, back).then(() => done(), (e) => done(String(e)))";
    for (by, back) in [("decision", false), ("heartbeat", false), ("change", true)] {
        page.execute_async(step, vec![json!(by), json!(back)]).await?;
        let here = state(page).await?;
        written(page).await?;
        address_opens(page, &here, &format!("after a step of a {by}, back: {back}, the address opens there")).await?;
    }
    for key in [Key::Right, Key::Left] {
        keys(page, [key]).await?;
        let here = state(page).await?;
        written(page).await?;
        address_opens(page, &here, "after a key the address opens there").await?;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_address_names_the_moment_that_is_shown() {
    with_page("address", Browser::Chromium, address).await;
}

async fn typed(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    until(page, "the page is ready", READY).await?;
    load(page, SMALL).await?;
    let as_text =
        "[...document.querySelectorAll('#what button[role=radio]')].find((b) => b.innerText.trim() === 'text').click()";
    page.execute(as_text, vec![]).await?;
    until(page, "the text", "return !!document.querySelector('#what textarea')").await?;
    // Typed letter by letter, with a reload at once.
    let type_and_leave = "window.before = true; const field = document.querySelector('#what textarea'); field.focus(); \
        for (const c of '# typed') { field.value += c; field.dispatchEvent(new InputEvent('input', { bubbles: true })); } location.reload()";
    page.execute(type_and_leave, vec![]).await?;
    until(page, "the page after the reload", "return !window.before && !!window.heddle").await?;
    until(page, "the page is ready", READY).await?;
    state_is(page, "all of it is there", |s| s["text"].as_str().is_some_and(|t| t.ends_with("# typed"))).await?;
    // Another tab has another scenario without a title: both are kept.
    let first = page.window().await?;
    let second = page.new_tab().await?;
    page.switch_to_window(second.clone()).await?;
    page.goto(&open.site.url).await?;
    until(page, "the page is ready", READY).await?;
    load(page, &SMALL.replace("\"n\"", "\"other\"")).await?;
    press(page, "Add a node").await?;
    state_is(page, "an edit", |s| s["text"].as_str().is_some_and(|t| t.matches("[[nodes]]").count() == 2)).await?;
    written(page).await?;
    page.close_window().await?;
    page.switch_to_window(first).await?;
    state_is(page, "this tab has its own", |s| s["text"].as_str().is_some_and(|t| t.ends_with("# typed"))).await?;
    page.refresh().await?;
    until(page, "the page is ready", READY).await?;
    state_is(page, "after a reload, too", |s| s["text"].as_str().is_some_and(|t| t.ends_with("# typed"))).await?;
    press(page, "Share").await?;
    press(page, "Drafts kept in this browser").await?;
    let rows = "return document.querySelectorAll('dialog tbody tr').length";
    let rows: i64 = page.execute(rows, vec![]).await?.convert()?;
    assert_eq!(rows, 2, "two scenarios without a title have two places");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_typed_goes_with_a_reload_or_another_tab() {
    with_page("typed", Browser::Chromium, typed).await;
    with_page("typed-firefox", Browser::Firefox, typed).await;
}

/// A browser whose storage refuses: the page works, and says if something is lost.
const FULL: &str = "Storage.prototype.setItem = () => { throw new DOMException('no room', 'QuotaExceededError'); };\n";

#[tokio::test(flavor = "multi_thread")]
async fn storage_that_takes_nothing_is_told() {
    for browser in [Browser::Chromium, Browser::Firefox] {
        let Some(open) = start(browser, Twist { first: FULL, ..Twist::default() }, 1280, 900).await else { return };
        let page = &open.page;
        let result = async {
            until(page, "the page is ready", READY).await?;
            press(page, "Add a node").await?;
            state_is(page, "the third node", |s| s["text"].as_str().is_some_and(|t| t.contains("n3"))).await?;
            // Reported with the next picture.
            keys(page, [Key::Right]).await?;
            until(
                page,
                "that it is full",
                "return document.querySelector('.foot').innerText.includes('storage takes no more')",
            )
            .await
        }
        .await;
        let seen = complaints(page).await;
        finish("full", open, result, seen).await;
    }
}
