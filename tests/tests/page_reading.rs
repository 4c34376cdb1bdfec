//! The built page while its engine reads: it responds all the same, reading can be stopped, and nothing typed is lost. Input
//! beyond a limit is reported.
#![cfg(not(target_arch = "wasm32"))]
mod support;

use heddle_core::scenario::link;
use heddle_tests::limits;
use serde_json::json;
use support::page::{FIRST, READY, pick, press, state, state_is};
use support::{Browser, Open, Twist, complaints, finish, start, until, with_page};
use thirtyfour::prelude::*;

/// Collects all workers; a held one gets no messages any more, as if it read forever. (Firefox runs a test's scripts in a
/// scope of their own, where `held = 0` would be a local variable.)
const HOLD: &str = r#"
globalThis.workers = [];
globalThis.held = location.search === "?held" ? 0 : -1;
globalThis.Worker = class extends Worker {
  constructor(url, options) { super(url, options); workers.push(this); }
  postMessage(message, ...more) {
    const request = message instanceof Uint8Array || Array.isArray(message);
    if (!request || workers.indexOf(this) !== held) super.postMessage(message, ...more);
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
    pick(page, "what", "text").await?;
    // Typed text.
    page.execute("window.held = 0", vec![]).await?;
    let mine = format!("{FIRST}# mine\n[[nodes]]\nname = \"typed\"\nsize = \"8 GB/8\"\n");
    type_in(page, &mine).await?;
    stop(page, 2).await?;
    let after = state(page).await?;
    assert_eq!(after["text"], json!(mine), "what was typed stays");
    assert_eq!(after["snapshot"]["tally"], before["snapshot"]["tally"], "what ran before runs");
    press(page, "Read it all the same").await?;
    state_is(page, "it is read", |s| s["snapshot"].to_string().contains("\"typed\"")).await?;
    // A link that is opened from the page.
    page.execute("window.held = 1; heddle.load(arguments[0]).catch(() => {})", vec![json!("heddle = 1\n")]).await?;
    stop(page, 3).await?;
    assert_eq!(state(page).await?["text"], json!(mine), "what was open stays");
    press(page, "Add a node").await?;
    state_is(page, "it can be edited", |s| {
        s["text"]
            .as_str()
            .is_some_and(|t| t.matches("[[nodes]]").count() > mine.matches("[[nodes]]").count() || t.len() > mine.len())
    })
    .await?;
    // The page's first scenario.
    let link = link::write("heddle = 1\n", &Default::default(), None).expect("a link");
    page.goto("about:blank").await?;
    page.goto(&format!("{}?held{link}", open.site.url)).await?;
    stop(page, 2).await?;
    until(page, "the page is ready", READY).await?;
    state_is(page, "the first scenario", |s| s["text"] == json!(FIRST)).await?;
    Ok(())
}

/// Runs a story in a page with this script before its own, in one browser after the other, because one's work would slow down
/// the other.
async fn in_both(name: &str, first: &'static str, story: impl AsyncFn(&Open) -> WebDriverResult<()>) {
    for (name, browser) in [(name.to_owned(), Browser::Chromium), (format!("{name}-firefox"), Browser::Firefox)] {
        let twist = Twist { first, ..Twist::default() };
        let Some(open) = start(browser, twist, 1280, 900).await else { continue };
        let result = story(&open).await;
        let seen = complaints(&open.page).await;
        finish(&name, open, result, seen).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn reading_can_be_stopped_and_nothing_is_lost() {
    in_both("stopped", HOLD, stopped).await;
}

/// Drops the answers of a cluster whose nodes have long health reports, as files: 400 nodes in 24 MB, and an application.
const DROP_DUMP: &str = r#"
const node = (i) => ({ id: `n${i}:1`, state: "RUNNING", usedMemoryMB: 0, availMemoryMB: 8192, usedVirtualCores: 0,
  availableVirtualCores: 8, healthReport: "x".repeat(6e4) });
const nodes = JSON.stringify({ nodes: { node: Array.from({ length: 400 }, (_, i) => node(i)) } });
const app = { id: "application_1_0001", user: "ann", name: "j", queue: "root.default", state: "ACCEPTED" };
const data = new DataTransfer();
data.items.add(new File([nodes], "nodes.json"));
data.items.add(new File([JSON.stringify({ apps: { app: [app] } })], "apps.json"));
window.told = [];
new MutationObserver(() => { for (const e of document.querySelectorAll(".notice")) window.told.push(e.innerText); })
  .observe(document.body, { childList: true, subtree: true, characterData: true });
document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data }));
"#;

async fn large_files(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    until(page, "the page is ready", READY).await?;
    // An engine that does not come to an end can be stopped, and what was open stays.
    page.execute("window.held = 0", vec![]).await?;
    page.execute(DROP_DUMP, vec![]).await?;
    stop(page, 2).await?;
    state_is(page, "what was open stays", |s| s["text"] == json!(FIRST)).await?;
    page.execute("window.held = -1", vec![]).await?;
    page.execute(DROP_DUMP, vec![]).await?;
    state_is(page, "the cluster", |s| {
        let text = s["text"].as_str().unwrap_or_default();
        text.matches("[[nodes]]").count() == 400 && text.contains("application_1_0001")
    })
    .await?;
    let told = page.execute("return window.told.join('|')", vec![]).await?.json().to_string();
    assert!(told.contains("of 23 MB") || told.contains("Read. The scenario"), "how far it is was told: {told}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn files_longer_than_any_text_are_read_by_the_engine() {
    in_both("large", HOLD, large_files).await;
}

/// Limits at which a browser plays for half a minute or more, so that only the engine's own test covers them. 20 000 nodes
/// take some seconds.
const SLOW: [&str; 3] = ["copies = 20000", "count = 2000000", "q4999"];

#[tokio::test(flavor = "multi_thread")]
async fn what_is_beyond_a_limit_is_told_in_the_page() {
    with_page("limits", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        let mut wrong = Vec::new();
        for (at, beyond, words) in limits::cases() {
            for (text, told) in [(at, false), (beyond, true)] {
                if !told && SLOW.iter().any(|slow| text.contains(slow)) {
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

/// Records the longest time for which the page's thread was blocked.
const FREE: &str = "globalThis.gap = 0; let last = performance.now(); (function tick() { const now = performance.now(); \
    globalThis.gap = Math.max(gap, now - last); last = now; setTimeout(tick, 10); })();\n";

/// The longest time for which one thing may block the page's thread, in ms: far more than any does, and far less than was
/// found once (7 to 40 s). A plain field takes a minute to lay out the longest of the texts below.
const FROZEN: f64 = 2_500.0;

/// Texts that once took long, as a script writes them: a name and an expression.
const BOMBS: [(&str, &str); 7] = [
    ("lines.toml", r#""heddle = 1\n" + "x\n".repeat(2e6)"#),
    ("keys.toml", r#""heddle = 1\n" + many(5e5, (i) => `x${i} = 1\n`)"#),
    (
        "twice.xml",
        r#""<configuration>\n" + "<property><name>yarn.scheduler.capacity.root.queues</name><value>a</value></property>\n".repeat(64e3) + "</configuration>\n""#,
    ),
    (
        "words.toml",
        r##""heddle = 1\n[[nodes]]\nname = \"n\"\nsize = \"4 GB/4\"\n" + "# 4567890123456\n".repeat(983e3)"##,
    ),
    (
        "title.toml",
        r#""heddle = 1\ntitle = \"" + "a".repeat(15 << 20) + "\"\n[[nodes]]\nname = \"n\"\nsize = \"4 GB/4\"\n""#,
    ),
    ("yarnfile.json", r#""{\"name\":\"a\",\"components\":[" + "{\"name\":\"b\"},".repeat(1e6) + "{\"name\":\"c\"}]}""#),
    ("apps.toml", r#""heddle = 1\nuntil = 1\n" + many(2e4, (i) => `[[apps]]\nname = "a${i}"\ntasks = []\n`)"#),
];

/// The ways in which a text arrives: a dropped file, text pasted into the editor, a script's call.
const WAYS: [(&str, &str); 4] = [
    (
        "a file",
        "const data = new DataTransfer(); data.items.add(new File([bomb], name)); \
        document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }));",
    ),
    // Firefox accepts text pasted by a script only as `data`.
    (
        "a paste",
        "const field = document.querySelector('#what textarea'); field.focus(); \
        const clipboardData = new DataTransfer(); clipboardData.setData('text/plain', bomb); \
        const init = { bubbles: true, cancelable: true, clipboardData, dataType: 'text/plain', data: bomb }; \
        const paste = new ClipboardEvent('paste', init); \
        if (field.dispatchEvent(paste)) { field.value = bomb; field.dispatchEvent(new InputEvent('input', { bubbles: true })); }",
    ),
    ("a call", "heddle.load(bomb).catch(() => {});"),
    ("a link", "location.hash = arguments[0];"),
];

async fn free(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    let mut wrong = Vec::new();
    let lines = format!("heddle = 1\n{}", "x\n".repeat(2_000_000));
    let link = link::write(&lines, &Default::default(), None).expect("a link");
    for (name, bomb) in BOMBS {
        // One of them fits in a link.
        let ways = if name == "lines.toml" { WAYS.len() } else { WAYS.len() - 1 };
        for (way, act) in &WAYS[..ways] {
            page.goto("about:blank").await?;
            page.goto(&open.site.url).await?;
            until(page, "the page is ready", READY).await?;
            pick(page, "what", "text").await?;
            let made = format!(
                "const many = (n, line) => Array.from({{ length: n }}, (_, i) => line(i)).join(''); window.bomb = {bomb}; \
                 return bomb.length > 1e5 && new Promise((r) => setTimeout(() => {{ window.gap = 0; r(true); }}, 50))"
            );
            assert_eq!(page.execute(&made, vec![]).await?.json(), &json!(true), "{name}");
            page.execute(format!("const name = {name:?}; {act}"), vec![json!(link)]).await?;
            // Something is visible soon, or it can be stopped.
            let seen = "return heddle.settled && (document.querySelector('#report, .problems') \
                || [...document.querySelectorAll('.notice')].some((e) => getComputedStyle(e).visibility === 'visible') \
                || document.querySelector('#headline').innerText.includes('nobody asks'))";
            until(page, &format!("{name} by {way} is told of"), &format!("{seen} ? true : false")).await?;
            // It has also been drawn.
            page.execute_async("setTimeout(arguments[0], 1000)", vec![]).await?;
            let gap: f64 = page.execute("return gap", vec![]).await?.convert()?;
            eprintln!("{name} by {way}: {gap:.0} ms");
            if gap > FROZEN {
                wrong.push(format!("{name} by {way} keeps the page for {gap:.0} ms"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_is_given_keeps_the_page_from_answering() {
    in_both("free", FREE, free).await;
}
