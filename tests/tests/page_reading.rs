//! The built page while its engine reads: it answers all the same, reading can be stopped, and nothing typed is lost. What
//! is beyond a limit is told.
#![cfg(not(target_arch = "wasm32"))]
mod support;

use heddle_core::scenario::link;
use heddle_tests::limits;
use serde_json::json;
use support::page::{FIRST, READY, press, state, state_is};
use support::{Browser, Open, Twist, complaints, finish, start, until, with_page};
use thirtyfour::prelude::*;

/// Keeps all workers; one that is held is told nothing any more, as if it read for ever.
const HOLD: &str = r#"
globalThis.workers = [];
globalThis.held = location.search === "?held" ? 0 : -1;
globalThis.Worker = class extends Worker {
  constructor(url, options) { super(url, options); workers.push(this); }
  postMessage(message, ...more) {
    if (!(message instanceof Uint8Array) || workers.indexOf(this) !== held) super.postMessage(message, ...more);
  }
};
"#;

const STOP: &str = "const stop = [...document.querySelectorAll('.late')].find((e) => getComputedStyle(e).visibility === 'visible' \
    && e.innerText.includes('Reading'))?.querySelector('button'); return stop";

/// Waits for the Stop button, and presses it.
async fn stop(page: &WebDriver, workers: usize) -> WebDriverResult<()> {
    until(page, "Stop", STOP).await?;
    page.execute(format!("{STOP}.click()").replace("; return stop.click()", "; stop.click()"), vec![]).await?;
    until(page, "another engine", &format!("return workers.length === {workers}")).await
}

/// Types, without waiting for the engine.
async fn type_in(page: &WebDriver, text: &str) -> WebDriverResult<()> {
    let script = "const field = document.querySelector('#what textarea'); field.focus(); field.value = arguments[0]; \
        field.dispatchEvent(new InputEvent('input', { bubbles: true }));";
    page.execute(script, vec![json!(text)]).await.map(|_| ())
}

async fn stopped(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    until(page, "the page is ready", READY).await?;
    let before = state(page).await?;
    let as_text =
        "[...document.querySelectorAll('#what button[role=radio]')].find((b) => b.innerText.trim() === 'text').click()";
    page.execute(as_text, vec![]).await?;
    state(page).await?;
    // What is typed.
    page.execute("held = 0", vec![]).await?;
    let mine = format!("{FIRST}# mine\n[[nodes]]\nname = \"typed\"\nsize = \"8 GB/8\"\n");
    type_in(page, &mine).await?;
    stop(page, 2).await?;
    let after = state(page).await?;
    assert_eq!(after["text"], json!(mine), "what was typed stays");
    assert_eq!(after["snapshot"]["tally"], before["snapshot"]["tally"], "what ran before runs");
    press(page, "Read it all the same").await?;
    state_is(page, "it is read", |s| s["snapshot"].to_string().contains("\"typed\"")).await?;
    // A link that is opened from the page.
    page.execute("held = 1; heddle.load(arguments[0]).catch(() => {})", vec![json!("heddle = 1\n")]).await?;
    stop(page, 3).await?;
    assert_eq!(state(page).await?["text"], json!(mine), "what was open stays");
    press(page, "Add a node").await?;
    state_is(page, "it can be edited", |s| {
        s["text"]
            .as_str()
            .is_some_and(|t| t.matches("[[nodes]]").count() > mine.matches("[[nodes]]").count() || t.len() > mine.len())
    })
    .await?;
    // What the page begins with.
    let link = link::write("heddle = 1\n", &Default::default(), None).expect("a link");
    page.goto("about:blank").await?;
    page.goto(&format!("{}?held{link}", open.site.url)).await?;
    stop(page, 2).await?;
    until(page, "the page is ready", READY).await?;
    state_is(page, "the first scenario", |s| s["text"] == json!(FIRST)).await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn reading_can_be_stopped_and_nothing_is_lost() {
    let Some(open) = start(Browser::Chromium, Twist { first: HOLD, ..Twist::default() }, 1280, 900).await else {
        return;
    };
    let result = stopped(&open).await;
    let seen = complaints(&open.page).await;
    finish("stopped", open, result, seen).await;
}

/// Words of limits at which a browser plays for a minute: only the engine's own test is at them.
const SLOW: [&str; 3] = ["20000", "2000000", "5000 queues"];

#[tokio::test(flavor = "multi_thread")]
async fn what_is_beyond_a_limit_is_told_in_the_page() {
    with_page("limits", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        let mut wrong = Vec::new();
        for (at, beyond, words) in limits::cases() {
            for (text, told) in [(at, false), (beyond, true)] {
                if !told && SLOW.iter().any(|slow| words.contains(slow)) {
                    continue;
                }
                let script =
                    "const [text, done] = arguments; heddle.load(text).then(() => done(''), (e) => done(String(e)))";
                let text = format!("heddle = 1\nuntil = 1\n{text}");
                let refused: String = page.execute_async(script, vec![json!(text)]).await?.convert()?;
                let problems = state(page).await?["problems"].to_string();
                if (refused.contains(words) || problems.contains(words)) != told {
                    wrong.push(format!("{words}: {told}: {}", problems.chars().take(300).collect::<String>()));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        Ok(())
    })
    .await;
}
