//! The page without a network: kept by the service worker, each version as a whole, and as a single file from disk.
#![cfg(not(target_arch = "wasm32"))]
mod support;

use serde_json::Value;
use std::time::Duration;
use support::page::{READY, load, press, scenario, state_is};
use support::{Browser, EVERY, Open, PATIENCE, Twist, dist, finish, start, until};
use thirtyfour::prelude::*;

/// As built, without the watching script, because the service worker accepts nothing else.
const BUILT: Twist = Twist { first: "", missing: "", unwatched: true, untyped: false, blocked: false, tuned: false };

/// A browser looks for another service worker a while after a visit; each visit restarts that wait.
const VISIT: Duration = Duration::from_secs(3);

/// Returns the names of the caches.
async fn kept(page: &WebDriver) -> WebDriverResult<Vec<String>> {
    let script = "const [done] = arguments; caches.keys().then(done, (e) => done([String(e)]))";
    page.execute_async(script, Vec::new()).await?.convert()
}

/// Waits until the service worker has kept the site.
async fn installed(page: &WebDriver) -> WebDriverResult<()> {
    until(page, "the first picture", READY).await?;
    let script =
        "const [done] = arguments; navigator.serviceWorker.ready.then(() => done(true), (e) => done(String(e)))";
    let ready = page.execute_async(script, Vec::new()).await?.json().clone();
    assert_eq!(ready, Value::Bool(true));
    Ok(())
}

/// Checks that the engine answers and does what it is asked.
async fn works(page: &WebDriver) -> WebDriverResult<()> {
    until(page, "the first picture", READY).await?;
    press(page, "Add a node").await?;
    state_is(page, "the third node", |s| s["text"].as_str().is_some_and(|t| t.contains("n3"))).await?;
    load(page, &scenario("q26-parallel-apps")).await
}

async fn without_a_network(name: &str, browser: Browser) {
    let Some(open) = start(browser, BUILT, 1280, 900).await else { return };
    let result = async {
        installed(&open.page).await?;
        open.site.stop();
        for address in ["", "index.html", "?from=somewhere"] {
            open.page.goto("about:blank").await?;
            open.page.goto(&format!("{}{address}", open.site.url)).await?;
            works(&open.page).await?;
        }
        Ok(())
    }
    .await;
    finish(name, open, result, Vec::new()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_works_without_a_network_in_chromium() {
    without_a_network("offline-chromium", Browser::Chromium).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_works_without_a_network_in_firefox() {
    without_a_network("offline-firefox", Browser::Firefox).await;
}

/// Does what a browser does by itself some time after a visit; on a busy machine the next visit would defer it.
async fn look_for_another_version(page: &WebDriver) -> WebDriverResult<()> {
    let script = "const [done] = arguments; navigator.serviceWorker.getRegistration().then((r) => r && r.update()).then(() => done(), () => done())";
    page.execute_async(script, Vec::new()).await.map(|_| ())
}

/// Opens the page until `good` holds.
async fn again_until(open: &Open, what: &str, good: &str) -> WebDriverResult<()> {
    for _ in 0..(PATIENCE.as_millis() / VISIT.as_millis()) {
        open.page.goto(&open.site.url).await?;
        until(&open.page, "the first picture", READY).await?;
        if open.page.execute(good, Vec::new()).await?.json() == &Value::Bool(true) {
            return Ok(());
        }
        look_for_another_version(&open.page).await?;
        tokio::time::sleep(VISIT).await;
    }
    Err(WebDriverError::FatalError(format!("it never came: {what}")))
}

/// A new version comes as a whole: half of one is not used, and a complete one is there with the next visit.
#[tokio::test(flavor = "multi_thread")]
async fn two_versions_are_never_mixed() {
    for browser in [Browser::Chromium, Browser::Firefox] {
        let Some(open) = start(browser, BUILT, 1280, 900).await else { return };
        let result = versions(&open).await;
        finish("versions", open, result, Vec::new()).await;
    }
}

async fn versions(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    installed(page).await?;
    let first = kept(page).await?;
    assert_eq!(first.len(), 1, "{first:?}");
    let read = |name: &str| std::fs::read_to_string(dist().join(name)).expect("a built file");
    // Another version, whose page has not reached the server yet.
    let index = read("index.html").replacen("<title>", "<meta name=second><title>", 1);
    let hash = "const [text, done] = arguments; crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
        .then((hash) => done('sha256-' + btoa(String.fromCharCode(...new Uint8Array(hash)))))";
    let hash: String = page.execute_async(hash, vec![Value::String(index.clone())]).await?.convert()?;
    let worker = read("sw.js");
    let (before, after) = worker.split_once("[\"./\", \"").expect("the page in the list");
    let (_, after) = after.split_once('"').expect("its hash");
    let worker = format!("{before}[\"./\", \"{hash}\"{after}").replacen("VERSION = \"", "VERSION = \"second ", 1);
    open.site.replace("sw.js", worker);
    let asked = || open.site.asked.lock().expect("the log").iter().filter(|a| *a == "/some/path/").count();
    let pages = asked();
    for _ in 0..(PATIENCE.as_millis() / VISIT.as_millis()) {
        page.goto(&open.site.url).await?;
        until(page, "the first picture", READY).await?;
        look_for_another_version(page).await?;
        if asked() > pages {
            break;
        }
        tokio::time::sleep(VISIT).await;
    }
    assert!(asked() > pages, "the new service worker asks for its page");
    tokio::time::sleep(25 * EVERY).await;
    assert_eq!(kept(page).await?, first, "half a version is not kept");
    // Now it has.
    open.site.replace("index.html", index);
    again_until(open, "the second version", "return !!document.querySelector('meta[name=second]')").await?;
    open.site.stop();
    page.goto("about:blank").await?;
    page.goto(&open.site.url).await?;
    works(page).await?;
    until(page, "the second version", "return !!document.querySelector('meta[name=second]')").await
}

async fn from_disk(name: &str, browser: Browser) {
    let file = std::env::var_os("HEDDLE_SINGLE").map_or_else(|| dist().join("heddle.html"), Into::into);
    let file =
        file.canonicalize().unwrap_or_else(|e| panic!("{}: {e}; `cargo xtask dist --single` makes it", file.display()));
    let Some(open) = start(browser, BUILT, 1280, 900).await else { return };
    let result = async {
        open.site.stop();
        open.page.goto(&format!("file://{}", file.display())).await?;
        works(&open.page).await
    }
    .await;
    finish(name, open, result, Vec::new()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_file_runs_from_disk_in_chromium() {
    from_disk("disk-chromium", Browser::Chromium).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_file_runs_from_disk_in_firefox() {
    from_disk("disk-firefox", Browser::Firefox).await;
}
