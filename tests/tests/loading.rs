//! The page's loading time, as docs/performance.md has it. Measured by hand, no test checks times: `cargo test --release -p
//! heddle-tests --test loading -- --ignored --nocapture` (HEDDLE_DIST: another build).
#![cfg(not(target_arch = "wasm32"))]
mod support;

use serde_json::json;
use std::time::Duration;
use support::{Browser, Open, Twist, finish, start, until};
use thirtyfour::prelude::*;

/// Runs before anything of the page: records the time at which the page replaces the picture.
const CLOCK: &str = r#"
let seen = false;
new MutationObserver(() => {
  const first = document.getElementById("first");
  if (first) seen = true;
  else if (seen && !globalThis.live) requestAnimationFrame(() => { globalThis.live ??= performance.now(); });
}).observe(document, { childList: true, subtree: true });
"#;

const TIMES: &str =
    "return [performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0, globalThis.live]";

const ROUNDS: usize = 3;

async fn visit(open: &Open) -> WebDriverResult<(f64, f64)> {
    open.page.goto("about:blank").await?;
    open.page.goto(&open.site.url).await?;
    until(&open.page, "the page is live", "return globalThis.live > 0").await?;
    let times: (f64, f64) = open.page.execute(TIMES, Vec::new()).await?.convert()?;
    // The cache for the next visit is being written.
    tokio::time::sleep(Duration::from_secs(4)).await;
    Ok(times)
}

async fn measure(open: &Open, slow: bool) -> WebDriverResult<[(f64, f64); 2]> {
    let cdp = open.page.cdp();
    cdp.send_raw("Page.enable", json!({})).await?;
    cdp.send_raw("Page.addScriptToEvaluateOnNewDocument", json!({ "source": CLOCK })).await?;
    if slow {
        let bytes = 10_000_000 / 8;
        cdp.send_raw("Network.enable", json!({})).await?;
        let line = json!({ "offline": false, "latency": 40, "downloadThroughput": bytes, "uploadThroughput": bytes });
        cdp.send_raw("Network.emulateNetworkConditions", line).await?;
    }
    Ok([visit(open).await?, visit(open).await?])
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "measures; see the file"]
async fn times() {
    for slow in [false, true] {
        let mut rounds: [Vec<(f64, f64)>; 2] = Default::default();
        for _ in 0..ROUNDS {
            let twist = Twist { unwatched: true, tuned: true, ..Twist::default() };
            // The server compresses before anything is measured.
            let Some(open) = start(Browser::Chromium, twist, 1280, 900).await else { return };
            let result = async {
                // That takes longer than the patience for a page.
                for _ in 0..5 {
                    if until(&open.page, "the page", "return !document.getElementById('first')").await.is_ok() {
                        break;
                    }
                }
                tokio::time::sleep(Duration::from_secs(4)).await;
                open.page.cdp().send_raw("Network.clearBrowserCache", json!({})).await?;
                let origin = open.site.url.trim_end_matches("/some/path/");
                let all = json!({ "origin": origin, "storageTypes": "all" });
                open.page.goto("about:blank").await?;
                open.page.cdp().send_raw("Storage.clearDataForOrigin", all).await?;
                let times = measure(&open, slow).await?;
                rounds.iter_mut().zip(times).for_each(|(list, one)| list.push(one));
                Ok(())
            }
            .await;
            finish("loading", open, result, Vec::new()).await;
        }
        let network = if slow { "10 Mbit/s, 40 ms" } else { "unthrottled" };
        for (name, list) in ["first visit", "second visit"].iter().zip(&rounds) {
            let middle = |of: fn(&(f64, f64)) -> f64| {
                let mut all: Vec<f64> = list.iter().map(of).collect();
                all.sort_by(f64::total_cmp);
                (all[0], all[all.len() / 2], all[all.len() - 1])
            };
            println!(
                "{network}, {name}: picture {:.0?} ms, live {:.0?} ms (least, middle, most)",
                middle(|t| t.0),
                middle(|t| t.1)
            );
        }
    }
}
