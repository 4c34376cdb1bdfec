//! The built page, used as a person would: clicks and keys in a real browser.
#![cfg(not(target_arch = "wasm32"))]
mod support;

use heddle_tests::conformance::compare::holds;
use serde_json::{Value, json};
use std::time::Duration;
use support::page::{READY, call, click, keys, load, paste, pick, press, scenario, state, state_is, text, waiting};
use support::{Browser, Open, until, with_page};
use thirtyfour::prelude::*;

// ---- the first visit

async fn first_visit(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    until(page, "the page is ready", READY).await?;
    let state = state_is(page, "one request waits", |s| waiting(s) == 1).await?;
    assert_eq!(state["snapshot"]["tally"]["running"], json!(3), "an AM and two zk run");
    let why = text(page, "#why").await?;
    assert!(why.contains("n1") && why.contains("n2"), "both nodes are named in the answer: {why}");
    let headline = text(page, "#headline").await?;
    assert!(headline.len() > 10, "the headline says something: {headline}");
    click(page, "#add-node").await?;
    state_is(page, "three nodes are there or to come", |s| s["text"].as_str().is_some_and(|t| t.contains("n3")))
        .await?;
    for _ in 0..12 {
        if waiting(&self::state(page).await?) == 0 {
            break;
        }
        keys(page, [Key::Right]).await?;
    }
    let state = state_is(page, "nothing waits any more", |s| waiting(s) == 0).await?;
    assert_eq!(state["snapshot"]["tally"]["running"], json!(4));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn first_visit_in_chromium() {
    with_page("first-visit-chromium", Browser::Chromium, first_visit).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn first_visit_in_firefox() {
    with_page("first-visit-firefox", Browser::Firefox, first_visit).await;
}

// ---- bringing a configuration

const GOOD_XML: &str = r#"<?xml version="1.0"?>
<configuration>
  <property><name>yarn.scheduler.capacity.root.queues</name><value>default,research</value></property>
  <property><name>yarn.scheduler.capacity.root.default.capacity</name><value>70</value></property>
  <property><name>yarn.scheduler.capacity.root.research.capacity</name><value>30</value></property>
  <property><name>yarn.scheduler.capacity.schedule-asynchronously.enable</name><value>false</value></property>
</configuration>
"#;

const BAD_XML: &str = r#"<?xml version="1.0"?>
<configuration>
  <property><name>yarn.scheduler.capacity.root.queues</name><value>default,research</value></property>
  <property><name>yarn.scheduler.capacity.root.default.capacity</name><value>70</value></property>
  <property><name>yarn.scheduler.capacity.root.research.capacity</name><value>50</value></property>
</configuration>
"#;

async fn import(page: &WebDriver, xml: &str) -> WebDriverResult<String> {
    press(page, "Import").await?;
    paste(page, "#import-text", xml).await?;
    click(page, "#import-read").await?;
    text(page, "#report").await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_configuration_is_imported_with_its_queues() {
    with_page("import", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        import(page, GOOD_XML).await?;
        press(page, "Show the cluster").await?;
        state_is(page, "the queue is there", |s| s["snapshot"].to_string().contains("root.research")).await?;
        Ok(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_configuration_is_told_with_its_line() {
    with_page("import-wrong", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        let report = import(page, BAD_XML).await?;
        assert!(report.contains("Line "), "a problem with its line: {report}");
        // Nothing of it runs; what ran before comes back.
        let headline = text(page, "#headline").await?;
        assert!(headline.contains("does not start"), "{headline}");
        press(page, "Back to what was open").await?;
        state_is(page, "the former run", |s| s["snapshot"]["tally"]["running"].as_i64() >= Some(1)).await?;
        Ok(())
    })
    .await;
}

// ---- time

#[tokio::test(flavor = "multi_thread")]
async fn stepping_back_gives_exactly_what_was_there() {
    with_page("back-and-forth", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        let step = "const [by, back, done] = arguments; \
            heddle.step(by, back).then((s) => done(s), (e) => done({ failed: String(e) }))";
        for by in ["decision", "heartbeat", "second", "change"] {
            call(page, "heddle.seek(3000)", vec![]).await?;
            // The sought moment lies between two steps; from the first step on each has its own.
            let mut seen: Vec<Value> = Vec::new();
            for _ in 0..5 {
                let on = page.execute_async(step, vec![json!(by), json!(false)]).await?.json().clone();
                assert!(on.get("failed").is_none(), "{by}: {on}");
                // Nothing changes after the second zookeeper: the run is at its end.
                if Some(&on["snapshot"]) == seen.last() {
                    assert_eq!(
                        on["snapshot"]["time_ms"], on["snapshot"]["end_ms"],
                        "{by}: a step shows something else"
                    );
                    break;
                }
                seen.push(on["snapshot"].clone());
            }
            assert!(seen.len() > 1, "{by}: {} steps", seen.len());
            seen.pop();
            while let Some(before) = seen.pop() {
                let back = page.execute_async(step, vec![json!(by), json!(true)]).await?.json().clone();
                let same = holds(&before, &back["snapshot"]);
                assert!(same.is_ok(), "{by}: back at {}: {same:?}", before["time_ms"]);
            }
        }
        Ok(())
    })
    .await;
}

// ---- sharing

#[tokio::test(flavor = "multi_thread")]
async fn a_shared_link_opens_exactly_the_same() {
    with_page("share", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        click(page, "#add-node").await?;
        state_is(page, "the edit is in", |s| s["text"].as_str().is_some_and(|t| t.contains("n3"))).await?;
        call(page, "heddle.seek(17000)", vec![]).await?;
        click(page, "#where [data-sel='node:n1']").await?;
        let before = state_is(page, "the node is selected", |s| s["selection"] == "node:n1").await?;
        press(page, "Share").await?;
        let link = text(page, "#share-link").await?;
        assert!(link.contains('#') && link.len() < 4000, "a link: {link}");
        page.goto("about:blank").await?;
        page.execute("window.seen = []", Vec::new()).await?;
        page.goto(&link).await?;
        until(page, "the page is ready", READY).await?;
        let after = state_is(page, "the same time", |s| s["time_ms"] == before["time_ms"]).await?;
        for key in ["selection", "snapshot"] {
            assert_eq!(after[key], before[key], "{key}");
        }
        // A node was added, so that title, note, card and captions are about another scenario: all of them say so.
        let [sent, left] = [&before, &after].map(|s| s["text"].as_str().unwrap_or_default());
        let own = |line: &&str| !line.is_empty() && left.contains(line);
        assert!(sent.contains("\n[card]") && !left.contains("\n[card]") && left.contains("\n# [card]"), "{left}");
        assert!(!left.contains("\n[[captions]]") && left.contains("\n# [[captions]]"), "{left}");
        let marked = |line: &str| line.contains("(edited)") || line.contains("before it was edited");
        let same = |line: &str| sent.contains(line.trim_start_matches("# ").trim_start_matches('#'));
        assert!(left.lines().all(|line| same(line) || marked(line)) && left.contains("name = \"n3\""), "{left}");
        let marks = left.lines().filter(|line| marked(line) && !line.starts_with('#')).count();
        assert_eq!(marks, 2 + sent.matches("because = ").count(), "title, note and reasons: {left}");
        assert!(sent.lines().filter(own).count() >= 30, "{left}");
        Ok(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_link_is_told_in_words() {
    with_page("damaged-link", Browser::Chromium, async |open| {
        let page = &open.page;
        for fragment in ["#1.AAAA", "#99.abcdef", "#%%%"] {
            page.goto("about:blank").await?;
            page.goto(&format!("{}{fragment}", open.site.url)).await?;
            until(page, "the page is ready", READY).await?;
            let shown = "return [...document.querySelectorAll('[role=status]')].map((e) => e.textContent).join(' ')";
            let words: String = page.execute(shown, Vec::new()).await?.convert()?;
            assert!(words.to_lowercase().contains("link"), "{fragment}: {words}");
        }
        Ok(())
    })
    .await;
}

// ---- errors, and nothing typed is lost

#[tokio::test(flavor = "multi_thread")]
async fn an_error_in_the_text_stands_beside_it_and_survives_a_reload() {
    with_page("error-in-text", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        let before = state(page).await?;
        let mine = format!("{}\nthis is no scenario = = =\n", before["text"].as_str().unwrap_or(""));
        pick(page, "what", "text").await?;
        paste(page, "#what textarea", &mine).await?;
        let problem = text(page, "#what .problems").await?;
        assert!(problem.contains("Line "), "a problem with its line: {problem}");
        let tied = "const t = document.querySelector('#what textarea'); \
            return t.ariaInvalid === 'true' && document.getElementById(t.getAttribute('aria-describedby'))?.innerText.includes('Line ')";
        until(page, "the field says that it is wrong and where that is told", tied).await?;
        assert_eq!(
            state(page).await?["snapshot"]["tally"],
            before["snapshot"]["tally"],
            "the last scenario without an error keeps running"
        );
        tokio::time::sleep(Duration::from_millis(1500)).await;
        page.refresh().await?;
        until(page, "the page is ready", READY).await?;
        let there = "return document.body.innerHTML.includes('this is no scenario') || \
            [...document.querySelectorAll('textarea')].some((t) => t.value.includes('this is no scenario'))";
        until(page, "what was typed is still there", there).await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reload_right_after_an_edit_loses_nothing() {
    with_page("reload", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        click(page, "#add-node").await?;
        state_is(page, "the edit is in", |s| s["text"].as_str().is_some_and(|t| t.contains("n3"))).await?;
        // Before the second has passed after which the address is written.
        page.refresh().await?;
        until(page, "the page is ready", READY).await?;
        state_is(page, "the edit is there again", |s| s["text"].as_str().is_some_and(|t| t.contains("n3"))).await?;
        Ok(())
    })
    .await;
}

// ---- keys only

#[tokio::test(flavor = "multi_thread")]
async fn everything_works_by_keyboard() {
    with_page("keyboard", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        let before = state(page).await?["time_ms"].clone();
        keys(page, [Key::Right]).await?;
        state_is(page, "→ steps on", |s| s["time_ms"].as_i64() > before.as_i64()).await?;
        keys(page, [Key::Left]).await?;
        state_is(page, "← steps back", |s| s["time_ms"] == before).await?;
        page.active_element().await?.send_keys("?").await?;
        until(page, "? opens the keys", "return !!document.querySelector('dialog[open]')").await?;
        keys(page, [Key::Escape]).await?;
        until(page, "Escape closes", "return !document.querySelector('dialog[open]')").await?;
        page.active_element().await?.send_keys("/").await?;
        until(page, "/ searches", "return document.activeElement.id === 'find'").await?;
        keys(page, [Key::Escape]).await?;
        // Tab alone leads to the one obvious act.
        let mut reached = false;
        for _ in 0..80 {
            keys(page, [Key::Tab]).await?;
            let id: String = page.execute("return document.activeElement.id || ''", Vec::new()).await?.convert()?;
            if id == "add-node" {
                reached = true;
                break;
            }
        }
        assert!(reached, "Tab reaches “Add a node”");
        keys(page, [Key::Enter]).await?;
        state_is(page, "Enter adds a node", |s| s["text"].as_str().is_some_and(|t| t.contains("n3"))).await?;
        let active = page.active_element().await?;
        active.send_keys(Key::Control + "z").await?;
        state_is(page, "Ctrl Z takes it back", |s| s["text"].as_str().is_some_and(|t| !t.contains("n3"))).await?;
        Ok(())
    })
    .await;
}

// ---- accessibility

/// The rules that the page must keep.
const AXE: &str = r#"
const done = arguments[arguments.length - 1];
axe.run(document, { resultTypes: ["violations"], rules: { "label-content-name-mismatch": { enabled: true } } }).then(
  (r) => done(r.violations.map((v) => `${v.id} (${v.impact}): ${v.nodes.map((n) => n.target.join(" ")).slice(0, 5).join(" | ")}`)),
  (e) => done([String(e)]));
"#;

async fn audit(page: &WebDriver, moment: &str) -> WebDriverResult<Vec<String>> {
    let found: Vec<String> = page.execute_async(AXE, Vec::new()).await?.convert()?;
    Ok(found.into_iter().map(|f| format!("{moment}: {f}")).collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn axe_finds_nothing_to_complain_of() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("node_modules/axe-core/axe.min.js");
    let Ok(axe) = std::fs::read_to_string(&path) else {
        assert!(std::env::var_os("CI").is_none(), "axe-core is not installed: `npm ci --prefix tests`");
        eprintln!("skipped: axe-core is not installed (`npm ci --prefix tests`; `cargo xtask test` does it)");
        return;
    };
    with_page("axe", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        page.execute(axe.as_str(), Vec::new()).await?;
        let mut found = audit(page, "first visit").await?;
        press(page, "Light or dark").await?;
        found.extend(audit(page, "other theme").await?);
        for dialog in ["Examples", "Import", "Share", "Keys and help"] {
            press(page, dialog).await?;
            until(page, "a dialog", "return !!document.querySelector('dialog[open]')").await?;
            found.extend(audit(page, dialog).await?);
            keys(page, [Key::Escape]).await?;
            until(page, "no dialog", "return !document.querySelector('dialog[open]')").await?;
        }
        load(page, &scenario("q14b-two-queues")).await?;
        press(page, "Compare").await?;
        until(page, "two worlds", "return document.querySelectorAll('.world .c.une').length > 0").await?;
        found.extend(audit(page, "worlds side by side").await?);
        press(page, "table").await?;
        found.extend(audit(page, "worlds as a table").await?);
        press(page, "picture").await?;
        page.set_window_rect(0, 0, 500, 900).await?;
        found.extend(audit(page, "narrow").await?);
        assert!(found.is_empty(), "axe-core:\n{}", found.join("\n"));
        Ok(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_cut_off_on_a_narrow_screen() {
    with_page("narrow", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        for width in [500, 768, 1024, 1600] {
            page.set_window_rect(0, 0, width, 900).await?;
            let wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
            let over: i64 = page.execute(wide, Vec::new()).await?.convert()?;
            assert!(over <= 0, "{over} pixels stand out at a width of {width}");
        }
        Ok(())
    })
    .await;
}
