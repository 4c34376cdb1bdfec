//! The books of a Slider in the built page: the tab with its tables and the countdown, the ghost on its host, a restart, a
//! failed node, a flex and an edited history file by buttons and forms, each taken back by undo.
#![cfg(not(target_arch = "wasm32"))]
mod support;

use support::page::{READY, call, choose, click, load, press, scenario, state, state_is, text};
use support::{Browser, EVERY, PATIENCE, until, with_page};
use thirtyfour::prelude::*;

/// A cell of the table with this caption: by the row's name and the column's heading.
async fn cell(page: &WebDriver, title: &str, row: &str, column: &str) -> WebDriverResult<String> {
    let script = "const [title, row, column] = arguments; \
        const t = [...document.querySelectorAll('.ledger section')].find((s) => s.querySelector('h3').textContent.startsWith(title)); \
        if (!t) return `no ${title}`; \
        const at = [...t.querySelectorAll('thead th')].findIndex((h) => h.textContent === column); \
        const line = [...t.querySelectorAll('tbody tr')].find((r) => r.children[0].textContent === row); \
        return line ? line.children[at].textContent : `no ${row}`";
    page.execute(script, [title, row, column].map(|v| v.into()).to_vec()).await?.convert()
}

async fn seek(page: &WebDriver, ms: i64) -> WebDriverResult<()> {
    call(page, &format!("heddle.seek({ms})"), vec![]).await?;
    state_is(page, "the moment", |s| s["time_ms"] == ms).await.map(|_| ())
}

async fn placed(page: &WebDriver, what: &str, app: &str, count: i64) -> WebDriverResult<()> {
    let of = |s: &serde_json::Value| {
        let apps = s["snapshot"]["apps"].as_array().cloned().unwrap_or_default();
        apps.iter().find(|a| a["name"] == app).and_then(|a| a["placed"].as_i64())
    };
    state_is(page, what, |s| of(s) == Some(count)).await.map(|_| ())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_books_of_a_service_and_what_is_done_to_it() {
    with_page("slider", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        let no_tab = "return !document.querySelector('#tab-Service')";
        until(page, "no tab where no service is", no_tab).await?;
        load(page, &scenario("slider-2-restart-in-other-worlds")).await?;
        seek(page, 240_000).await?;
        click(page, "#tab-Service").await?;
        until(page, "its tables", "return document.querySelectorAll('.ledger section').length >= 3").await?;
        let told = text(page, ".ledger .sum").await?;
        assert!(told.contains("web at 4:00") && told.contains("1 is outstanding"), "{told}");
        assert_eq!(cell(page, "Requests", "worker", "kind").await?, "placed");
        assert_eq!(cell(page, "Requests", "worker", "host").await?, "n1");
        let left = cell(page, "Requests", "worker", "relaxed").await?;
        assert!(left.starts_with("in ") && left.ends_with(" s"), "{left}");
        assert!(cell(page, "Role history", "n1", "worker").await?.starts_with("until "));
        assert!(text(page, ".ledger").await?.contains("takes it up"), "the file that the next start reads");
        // The ghost stands on n1, and is the request.
        let ghost = page.find(By::Css(".bar .wish")).await?;
        let said = ghost.attr("aria-label").await?.unwrap_or_default();
        assert!(said.starts_with("web worker waits for this host, relaxed at "), "{said}");
        ghost.click().await?;
        state_is(page, "it is chosen", |s| s["selection"] == "request:web/1_-1").await?;
        // A second later it is a second less.
        seek(page, 241_000).await?;
        assert_ne!(cell(page, "Requests", "worker", "relaxed").await?, left);

        // Flexed by the form, and taken back.
        choose(page, "app:web").await?;
        seek(page, 330_000).await?;
        placed(page, "relaxed by now", "web", 1).await?;
        let field = "#what input[aria-label='Instances of worker from now on']";
        let input = page.query(By::Css(field)).wait(PATIENCE, EVERY).first().await?;
        input.send_keys("2").await?;
        press(page, "Flex").await?;
        seek(page, 380_000).await?;
        placed(page, "another one", "web", 2).await?;
        press(page, "Undo: flex of worker of web").await?;
        placed(page, "taken back", "web", 1).await?;
        seek(page, 345_000).await?;

        // A history file is opened and spoilt.
        click(page, "#what details:has(details) > summary").await?;
        click(page, "#what details details > summary").await?;
        let area = page.query(By::Css("#what details details[open] textarea")).wait(PATIENCE, EVERY).first().await?;
        area.send_keys(Key::Control + Key::Home).await?;
        area.send_keys("x").await?;
        state_is(page, "it is written", |s| s["text"].as_str().is_some_and(|t| t.contains("write_history"))).await?;
        until(
            page,
            "the next start skips it",
            "return document.querySelector('.ledger').textContent.includes('skips it')",
        )
        .await?;

        // It is restarted, and its node is lost.
        press(page, "Restart web").await?;
        state_is(page, "a restart", |s| s["text"].as_str().is_some_and(|t| t.matches("restart_app").count() == 2))
            .await?;
        seek(page, 365_000).await?;
        choose(page, "node:n2").await?;
        press(page, "Lose it at once").await?;
        seek(page, 366_000).await?;
        press(page, "Bring it back").await?;
        let text = state(page).await?["text"].as_str().unwrap_or_default().to_owned();
        assert!(text.contains("remove_node") && text.contains("return_node"), "{text}");
        Ok(())
    })
    .await;
}
