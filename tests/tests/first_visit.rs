//! The program comes in two parts (xtask/src/parts.rs): a first visit needs one only, the rest comes with the first sign
//! of somebody. Here the first part is recorded, and it is proved that it is enough.
#![cfg(not(target_arch = "wasm32"))]
mod support;

use std::collections::BTreeSet;
use std::time::Duration;
use support::page::{READY, state_is, waiting};
use support::{Browser, Open, Twist, complaints, finish, start, until, with_page};

/// Windows in which a first visit is looked at.
const WINDOWS: [(u32, u32); 4] = [(1440, 900), (1024, 768), (700, 900), (390, 800)];
/// Something that a page does a while after it stands still would show by then.
const A_WHILE: Duration = Duration::from_secs(2);

/// Has the rest of the program been asked for?
fn rest_asked(open: &Open) -> bool {
    open.site.asked.lock().expect("the log").iter().any(|a| a.ends_with("/rest.js"))
}

/// Opens the page in all windows and does nothing.
async fn one_part_is_enough(name: &str, browser: Browser) {
    // What a visit keeps would make the next one no first visit.
    let twist = Twist { first: "sessionStorage.clear(); localStorage.clear();\n", ..Twist::default() };
    let Some(open) = start(browser, twist, WINDOWS[0].0, WINDOWS[0].1).await else { return };
    let result = async {
        for (width, height) in WINDOWS {
            open.page.set_window_rect(0, 0, width, height).await?;
            open.page.goto(&open.site.url).await?;
            until(&open.page, "the first picture", READY).await?;
            tokio::time::sleep(A_WHILE).await;
            assert!(!rest_asked(&open), "at {width} x {height} a first visit needed more than its part: `cargo xtask record` finds out anew what it needs");
        }
        Ok(())
    }
    .await;
    let seen = complaints(&open.page).await;
    finish(name, open, result, seen).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_part_is_enough_in_chromium() {
    one_part_is_enough("one-part-chromium", Browser::Chromium).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_part_is_enough_in_firefox() {
    one_part_is_enough("one-part-firefox", Browser::Firefox).await;
}

/// Everything that is done before the rest is there happens when it is, in its order: here by a script, which is faster
/// than any hand.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_done_too_early_is_not_lost() {
    with_page("too-early", Browser::Chromium, async |open| {
        until(&open.page, "the first picture", READY).await?;
        assert!(!rest_asked(open));
        let act = r#"
            document.querySelector('#add-node').click();
            document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true, cancelable: true }));
        "#;
        open.page.execute(act, Vec::new()).await?;
        state_is(&open.page, "the third zk is placed", |s| waiting(s) == 0).await?;
        until(&open.page, "the help for keys", "return document.querySelector('dialog[open]')").await?;
        assert!(rest_asked(open));
        Ok(())
    })
    .await;
}

/// A browser that goes another way than those that were recorded: the page begins anew with all of the program.
#[tokio::test(flavor = "multi_thread")]
async fn a_first_visit_that_needs_more_begins_anew() {
    let first = "setTimeout(() => { throw new WebAssembly.RuntimeError('null function'); }, 1500);\n";
    let Some(open) = start(Browser::Chromium, Twist { first, ..Twist::default() }, 1280, 900).await else { return };
    let result = async {
        until(&open.page, "the first picture", READY).await?;
        for _ in 0..100 {
            if rest_asked(&open) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        assert!(rest_asked(&open));
        until(&open.page, "the picture again", READY).await?;
        // The second time it is an error like any other, and the page goes on.
        tokio::time::sleep(A_WHILE).await;
        until(&open.page, "the page goes on", READY).await
    }
    .await;
    finish("needs-more", open, result, Vec::new()).await;
}

/// A part that does not come is told, and the next act tries again.
#[tokio::test(flavor = "multi_thread")]
async fn a_missing_rest_is_told() {
    let twist = Twist { missing: "/rest.js", ..Twist::default() };
    let Some(open) = start(Browser::Chromium, twist, 1280, 900).await else { return };
    let result = async {
        until(&open.page, "the first picture", READY).await?;
        open.page.execute("document.body.click()", Vec::new()).await?;
        let told = "return document.body.innerText.includes('part of the page did not arrive')";
        until(&open.page, "what is wrong", told).await
    }
    .await;
    finish("missing-rest", open, result, Vec::new()).await;
}

/// The marks of page and worker, which both answer (`cargo xtask record` builds a page that has them).
const MARKS: &str = r#"
const done = arguments[arguments.length - 1];
for (const leaving of ["beforeunload", "pagehide"]) dispatchEvent(new Event(leaving));
const channel = new BroadcastChannel("marks");
const marks = new Set();
let told = 0;
channel.onmessage = (event) => {
  for (const mark of event.data) marks.add(mark);
  if (++told === 2) done([...marks]);
};
channel.postMessage("tell");
"#;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a page that is built for it: cargo xtask record"]
async fn record() {
    let mut called: BTreeSet<String> = BTreeSet::new();
    for browser in [Browser::Chromium, Browser::Firefox] {
        for (width, height) in WINDOWS {
            let Some(open) = start(browser, Twist::default(), width, height).await else { return };
            let result = async {
                until(&open.page, "the first picture", READY).await?;
                tokio::time::sleep(A_WHILE).await;
                let marks: Vec<String> = open.page.execute_async(MARKS, Vec::new()).await?.convert()?;
                called.extend(marks);
                Ok(())
            }
            .await;
            let seen = complaints(&open.page).await;
            finish("record", open, result, seen).await;
        }
    }
    let list: Vec<String> = called.into_iter().collect();
    std::fs::write(support::dist().join("marks.txt"), list.join("\n")).expect("a file");
}
