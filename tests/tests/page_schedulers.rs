//! The page under each of the three schedulers: choosing one, the FairScheduler's allocation file, shares, users, charts.
#![cfg(not(target_arch = "wasm32"))]
mod support;

use serde_json::{Value, json};
use support::page::{READY, call, choose, click, load, paste, pick, press, scenario, state_is, text};
use support::{Browser, EVERY, PATIENCE, until, with_page};
use thirtyfour::prelude::*;

/// Gives a field a value, as a user would.
async fn set(page: &WebDriver, css: &str, event: &str, value: &str) -> WebDriverResult<()> {
    page.query(By::Css(css)).wait(PATIENCE, EVERY).first().await?;
    let script = "const [css, event, value] = arguments; const f = document.querySelector(css); f.value = value; \
        f.dispatchEvent(new Event(event, { bubbles: true }))";
    page.execute(script, vec![json!(css), json!(event), json!(value)]).await.map(|_| ())
}

/// Waits until an element has a text.
async fn says(page: &WebDriver, css: &str, what: &str) -> WebDriverResult<()> {
    let script = format!("return document.querySelector({css:?})?.innerText.includes({what:?})");
    until(page, &format!("{css} says {what}"), &script).await
}

fn queue<'s>(state: &'s Value, path: &str) -> &'s Value {
    let queues = state["snapshot"]["queues"].as_array().map(Vec::as_slice).unwrap_or_default();
    queues.iter().find(|q| q["path"] == path).unwrap_or(&Value::Null)
}

fn used_mb(state: &Value, path: &str) -> i64 {
    queue(state, path)["partitions"][0]["used"]["memory_mb"].as_i64().unwrap_or(-1)
}

#[tokio::test(flavor = "multi_thread")]
async fn queues_of_the_fair_scheduler_are_edited_as_their_file() {
    with_page("fair", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        load(page, &scenario("q48-fair-share")).await?;
        state_is(page, "the FairScheduler runs", |s| {
            s["snapshot"]["scheduler"] == "fair" && used_mb(s, "root.b") == 6144
        })
        .await?;
        says(page, ".foot", "schedules on node heartbeats").await?;
        says(page, ".qs", "fair sh.").await?;
        // The users of a queue and their usage; there are no user limits here.
        choose(page, "queue:root.b").await?;
        state_is(page, "root.b is selected", |s| s["selection"] == "queue:root.b").await?;
        says(page, "#why .order", "bob").await?;
        let users = text(page, "#why .order").await?;
        assert!(users.contains("AMs") && !users.contains("limit"), "{users}");
        // The file after a number was changed.
        pick(page, "what", "Queues").await?;
        let area = "#what textarea[aria-label='fair-scheduler.xml']";
        page.query(By::Css(area)).wait(PATIENCE, EVERY).first().await?;
        let file: String =
            page.execute("return document.querySelector(arguments[0]).value", vec![json!(area)]).await?.convert()?;
        paste(page, area, &file.replace("6144 mb, 6 vcores", "12288 mb, 12 vcores")).await?;
        state_is(page, "b may use more", |s| used_mb(s, "root.b") == 8192 && used_mb(s, "root.a") == 16384).await?;
        // A fault is reported at its line, and the former run continues.
        paste(page, area, &file.replace("<weight>2.0</weight>", "<weight>heavy</weight>")).await?;
        says(page, "#what .problems", "heavy").await?;
        says(page, "#what .problems", "Line 4").await?;
        state_is(page, "the last good file runs", |s| used_mb(s, "root.b") == 8192).await?;
        press(page, "Undo: fair-scheduler.xml").await?;
        until(page, "no fault is left", "return !document.querySelector('#what .problems')").await?;
        // As text it is the same file.
        pick(page, "what", "text").await?;
        page.query(By::Css(area)).wait(PATIENCE, EVERY).first().await?;
        Ok(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_of_the_three_schedulers_is_chosen_in_the_settings() {
    with_page("schedulers", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        let plain = "heddle = 1\nscheduling = \"async\"\nuntil = \"1 min\"\nstart_at = \"30 s\"\n[[nodes]]\nname = \"n\"\nsize = \"8 GB/8\"\n\
            [[apps]]\nname = \"job\"\nqueue = \"default\"\nuser = \"ann\"\nam = \"1 GB/1\"\ntasks = { count = 3, size = \"1 GB/1\", duration = \"forever\" }\n";
        load(page, plain).await?;
        let runs = |which: &'static str| {
            move |s: &Value| s["snapshot"]["scheduler"] == which && s["snapshot"]["apps"][0]["placed"] == 3
        };
        state_is(page, "the CapacityScheduler is the default", runs("capacity")).await?;
        says(page, ".foot", "schedules asynchronously").await?;
        pick(page, "what", "Settings").await?;
        // The other schedulers have no asynchronous mode to choose.
        page.query(By::Css("#f-scheduling")).wait(PATIENCE, EVERY).first().await?;
        set(page, "#f-scheduler", "change", "fifo").await?;
        let seen = state_is(page, "the FifoScheduler runs", runs("fifo")).await?;
        assert_eq!(seen["snapshot"]["queues"].as_array().map(Vec::len), Some(1), "one queue");
        until(page, "no such choice", "return !document.querySelector('#f-scheduling')").await?;
        says(page, ".foot", "schedules on node heartbeats").await?;
        pick(page, "what", "Queues").await?;
        says(page, "#what", "The FifoScheduler has one queue").await?;
        pick(page, "what", "Settings").await?;
        set(page, "#f-scheduler", "change", "fair").await?;
        state_is(page, "the FairScheduler runs", runs("fair")).await?;
        // Its queues come from the applications until there is a file.
        pick(page, "what", "Queues").await?;
        says(page, "#what", "There is no fair-scheduler.xml").await?;
        press(page, "Write fair-scheduler.xml").await?;
        state_is(page, "the scenario has the file", |s| s["text"].as_str().is_some_and(|t| t.contains("<allocations>"))).await?;
        state_is(page, "and runs on", runs("fair")).await?;
        choose(page, "user:ann").await?;
        says(page, "#why", "running in root.ann").await?;
        // Back again, everything is as it was.
        pick(page, "what", "Settings").await?;
        set(page, "#f-scheduler", "change", "capacity").await?;
        state_is(page, "the CapacityScheduler runs again", runs("capacity")).await?;
        page.query(By::Css("#f-scheduling")).wait(PATIENCE, EVERY).first().await?;
        // A list of one without brackets is in the form as well.
        pick(page, "what", "Apps").await?;
        choose(page, "app:job").await?;
        set(page, "#f-a0g0c", "change", "5").await?;
        state_is(page, "five tasks", |s| s["snapshot"]["apps"][0]["placed"] == 5).await?;
        Ok(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slider_moves_shares_and_charts_show_every_resource_that_counts() {
    with_page("shares", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        load(page, &scenario("q04-49-percent")).await?;
        call(page, "heddle.seek(20000)", vec![]).await?;
        choose(page, "queue:root.jobs").await?;
        pick(page, "what", "Queues").await?;
        let tasks = |n: i64| move |s: &Value| s["snapshot"]["apps"][0]["placed"] == n;
        state_is(page, "no task at 49 %", tasks(0)).await?;
        // The queue's maximum and its sibling follow: one task fits at 50 %, none at 49 %.
        set(page, "#q-share", "input", "50").await?;
        let seen = state_is(page, "one task at 50 %", tasks(1)).await?;
        let share = |path: &str| queue(&seen, path)["partitions"][0]["absolute"].clone();
        assert_eq!(share("root.jobs"), json!([0.5, 0.5, 0.5]));
        assert_eq!(share("root.other")[0], 0.5);
        says(page, "#what", "other 50").await?;
        set(page, "#q-share", "input", "49").await?;
        state_is(page, "none again at 49 %", tasks(0)).await?;
        // Charts: memory alone if only that counts, otherwise each resource, the scarcest first.
        click(page, "#tab-Charts").await?;
        says(page, ".charts ul", "root.jobs").await?;
        assert!(!text(page, ".charts ul").await?.contains("vcores"));
        load(page, &scenario("q32b-dominant-resource")).await?;
        says(page, ".charts ul [aria-pressed=true]", "root.default, vcores").await?;
        let label =
            "return document.querySelector('.charts canvas').getAttribute('aria-label').includes('6 vcores used')";
        until(page, "the chart's words", label).await?;
        click(page, ".charts ul li:first-child button").await?;
        says(page, ".charts figcaption", "GB").await?;
        // The observer of their size goes with them: a later resize causes no complaint.
        click(page, "#tab-Events").await?;
        for width in [1000, 1280] {
            page.set_window_rect(0, 0, width, 900).await?;
            until(page, "the other width", &format!("return Math.abs(innerWidth - {width}) < 40")).await?;
        }
        click(page, "#tab-Charts").await?;
        says(page, ".charts figcaption", "GB").await
    })
    .await;
}
