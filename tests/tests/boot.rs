//! The start of the built page: the policy, the embedded program, and what is said when something is missing.
#![cfg(not(target_arch = "wasm32"))]
mod support;

use support::{Browser, Twist, complaints, finish, start, until, with_page};
use thirtyfour::prelude::*;

/// The page has started when the loading message is gone.
async fn started(page: &WebDriver) -> WebDriverResult<()> {
    until(page, "the page starts", "return !document.getElementById('boot')").await
}

async fn starts(name: &str, browser: Browser) {
    with_page(name, browser, async |open| {
        started(&open.page).await?;
        until(&open.page, "something is shown", "return document.body.innerText.trim().length > 20").await?;
        // All that was asked for is below the page's own path: it works at any.
        let asked = open.site.asked.lock().expect("the log").clone();
        let strange: Vec<&String> = asked.iter().filter(|a| !a.starts_with("/some/path/")).collect();
        assert!(strange.iter().all(|a| *a == "/favicon.ico"), "asked for {strange:?}");
        Ok(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_starts_in_chromium() {
    starts("start-chromium", Browser::Chromium).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_starts_in_firefox() {
    starts("start-firefox", Browser::Firefox).await;
}

/// Tries to reach the server from the page and from a worker like ours; both must be stopped by the policy.
const REACH_OUT: &str = r#"
const [done] = arguments;
(async () => {
  const here = await fetch("./index.html").then(() => "open", () => "closed");
  const text = `fetch(${JSON.stringify(new URL("./index.html", location).href)})
    .then(() => postMessage("open"), () => postMessage("closed"))`;
  const worker = new Worker(URL.createObjectURL(new Blob([text])));
  worker.onerror = (e) => done(here + " error " + e.message);
  worker.onmessage = (e) => done(here + " " + e.data);
})();
"#;

/// Keeps the addresses of all workers.
const WORKERS: &str = r#"
globalThis.workers = [];
globalThis.Worker = class extends Worker { constructor(url, options) { super(url, options); workers.push(String(url)); } };
"#;

async fn closed(name: &str, browser: Browser) {
    let Some(open) = start(browser, Twist { first: WORKERS, ..Twist::default() }, 800, 600).await else { return };
    let result = async {
        started(&open.page).await?;
        until(&open.page, "a worker", "return globalThis.workers[0]").await?;
        let url: String = open.page.execute("return globalThis.workers[0]", Vec::new()).await?.convert()?;
        assert!(url.starts_with("blob:"), "only a worker from a blob inherits the policy: {url}");
        let answer: String = open.page.execute_async(REACH_OUT, Vec::new()).await?.convert()?;
        assert_eq!(answer, "closed closed", "page and worker must not reach anything");
        Ok(())
    }
    .await;
    let seen = complaints(&open.page).await;
    let others: Vec<String> = seen.into_iter().filter(|s| !s.starts_with("policy: connect-src")).collect();
    finish(name, open, result, others).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_can_leave_in_chromium() {
    closed("closed-chromium", Browser::Chromium).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_can_leave_in_firefox() {
    closed("closed-firefox", Browser::Firefox).await;
}

/// Opens the page with something missing; the message must hold `words`.
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
async fn a_part_that_does_not_arrive_is_told() {
    says("no-program", Twist { missing: "program.js", ..Twist::default() }, "did not arrive").await;
}

#[test]
fn the_policy_stands_before_anything_that_it_governs() {
    let page = std::fs::read_to_string(support::dist().join("index.html")).expect("the built page");
    let policy = page.find("Content-Security-Policy").expect("a policy");
    for part in ["<script", "<link", "<style", "<img"] {
        assert!(page.find(part).is_none_or(|at| at > policy), "{part} comes before the policy");
    }
    for rule in
        ["default-src 'none'", "connect-src 'none'", "worker-src 'self' blob:", "base-uri 'none'", "form-action 'none'"]
    {
        assert!(page.contains(rule), "the policy lacks {rule}");
    }
    assert!(!page.contains("unsafe-inline") && !page.contains("'unsafe-eval'"), "the policy is too wide");
    assert!(!page.contains("data-trunk"), "a line for trunk is left over");
}
