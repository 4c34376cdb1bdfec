//! The preemption ledger in the built page: opened by a link, stepped through by round, a formula opened, a victim followed;
//! wide and narrow, by keyboard; and what it shows without a monitor.
#![cfg(not(target_arch = "wasm32"))]
mod support;

use heddle_core::scenario::link;
use heddle_player::explain::view::LinkView;
use serde_json::json;
use support::page::{READY, call, click, keys, load, press, scenario, state, state_is, text};
use support::{Browser, until, with_page};
use thirtyfour::prelude::*;

/// `batch` fills twelve nodes; `prod`, which is guaranteed half, comes at 30 s and gets its room back in rounds.
const STARVED: &str = r#"
heddle = 1
title = "Half of it, please"
scheduling = "heartbeat"
until = "3 min"
[yarn-site]
"yarn.resourcemanager.scheduler.monitor.enable" = "true"
"yarn.resourcemanager.monitor.capacity.preemption.natural_termination_factor" = "0.5"
[capacity-scheduler]
"yarn.scheduler.capacity.root.queues" = "prod,batch,dev"
"yarn.scheduler.capacity.root.prod.capacity" = "50"
"yarn.scheduler.capacity.root.batch.capacity" = "40"
"yarn.scheduler.capacity.root.batch.user-limit-factor" = "3"
"yarn.scheduler.capacity.root.dev.capacity" = "10"
[[nodes]]
name = "n{01}"
count = 12
size = "16 GB/8"
[[apps]]
name = "etl"
user = "ana"
queue = "batch"
am = "2 GB/1"
tasks = [{ count = 95, size = "2 GB/1", duration = "20 min" }]
[[apps]]
name = "web"
user = "ops"
queue = "prod"
am = "2 GB/1"
at = "30 s"
tasks = [{ count = 20, size = "2 GB/1", duration = "10 min" }]
"#;

/// Opens the ledger at a moment by a link.
async fn open(page: &WebDriver, site: &str, time_ms: i64) -> WebDriverResult<()> {
    let view = LinkView { time_ms: Some(time_ms), panel: Some("Ledger".into()), ..LinkView::default() };
    let link = link::write(STARVED, &view, None).expect("a link");
    page.goto("about:blank").await?;
    page.goto(&format!("{site}{link}")).await?;
    until(page, "the page is ready", READY).await?;
    state_is(page, "the linked moment", |s| s["time_ms"] == time_ms).await.map(|_| ())
}

/// Returns a cell of the first table, by the row's name and the column's heading.
async fn cell(page: &WebDriver, row: &str, column: &str) -> WebDriverResult<String> {
    let script = "const [row, column] = arguments; const t = document.querySelector('.ledger table'); \
        const at = [...t.querySelectorAll('thead th')].findIndex((h) => h.textContent === column); \
        const line = [...t.querySelectorAll('tbody tr')].find((r) => r.children[0].textContent === row); \
        return line.children[at].textContent";
    page.execute(script, vec![json!(row), json!(column)]).await?.convert()
}

async fn heading(page: &WebDriver) -> WebDriverResult<String> {
    text(page, ".ledger .sum").await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_round_is_gone_through_figure_by_figure() {
    with_page("ledger", Browser::Chromium, async |site| {
        let page = &site.page;
        open(page, &site.site.url, 30_000).await?;
        let told = heading(page).await?;
        assert!(told.contains("round 11 at 0:30"), "{told}");
        assert!(told.contains("1 marked"), "{told}");
        assert_eq!(cell(page, "batch", "guaranteed").await?, "76.8");
        assert_eq!(cell(page, "batch", "used").await?, "192");
        assert!(cell(page, "batch", "victims").await?.contains("15 s left"));
        assert_eq!(cell(page, "prod", "victims").await?, "below its guarantee");
        // A number opens its formula; Esc returns the focus.
        let number = "//div[@class='ledger']//tr[th[normalize-space(.)='batch']]/td[7]/button";
        page.find(By::XPath(number)).await?.click().await?;
        let pop = text(page, ".pop").await?;
        assert!(pop.contains("batch: owes") && pop.contains("− keeps"), "{pop}");
        keys(page, [Key::Escape]).await?;
        until(page, "the formula is closed", "return !document.querySelector('.pop')").await?;
        let focused = "return document.activeElement.closest('tr')?.children[0].textContent === 'batch'";
        until(page, "the focus is back", focused).await?;
        // The picture counts down, and its table shows the same.
        let marked = page.find(By::Css(".bar .c.pre")).await?.attr("aria-label").await?.unwrap_or_default();
        assert!(marked.contains("15 s") && marked.contains("if it is chosen still"), "{marked}");
        // To the next round with other findings, and back.
        press(page, "To the next round that differs").await?;
        let next = state(page).await?["time_ms"].as_i64().unwrap_or(-1);
        assert!(next > 30_000 && next % 3_000 == 0, "{next}");
        assert!(!heading(page).await?.contains("round 11 "));
        press(page, "To the round that differed before").await?;
        state_is(page, "back at the mark", |s| s["time_ms"] == 30_000).await?;
        // From a victim to the rounds that marked and killed it.
        click(page, ".ledger td .preempting").await?;
        until(page, "its rounds are told", "return document.querySelectorAll('.ledger .sum .link').length === 2")
            .await?;
        let killed = "//div[@class='sum']//button[contains(., 'killed at')]";
        page.find(By::XPath(killed)).await?.click().await?;
        state_is(page, "the kill", |s| s["time_ms"] == 45_000).await?;
        assert!(heading(page).await?.contains("killed"));
        until(page, "the node tells of it", "return document.querySelector('.node .rsn .preempting') !== null").await?;
        // Chooses another row of the list of rounds.
        let choose = "const s = document.querySelector('.stops select'); s.selectedIndex = 0; \
            s.dispatchEvent(new Event('change', { bubbles: true }))";
        page.execute(choose, Vec::new()).await?;
        state_is(page, "the first round", |s| s["time_ms"] == 0).await?;
        assert!(heading(page).await?.contains("nothing taken"));
        Ok(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_ledger_of_a_phone_and_of_no_monitor() {
    with_page("ledger-narrow", Browser::Chromium, async |site| {
        let page = &site.page;
        page.set_window_rect(0, 0, 500, 900).await?;
        open(page, &site.site.url, 45_000).await?;
        // The panel under the scrubber is a separate one here.
        until(page, "hidden at first", "return !document.querySelector('#under').checkVisibility()").await?;
        press(page, "When").await?;
        until(page, "the ledger is seen", "return document.querySelector('.ledger').checkVisibility()").await?;
        let fits = "return document.documentElement.scrollWidth <= window.innerWidth";
        until(page, "nothing sticks out", fits).await?;
        let apart = "const a = document.querySelector('#under').getBoundingClientRect(); \
            const b = document.querySelector('.tp').getBoundingClientRect(); return a.height > 200 && a.bottom <= b.top + 1";
        until(page, "it stands above the scrubber", apart).await?;
        press(page, "Where").await?;
        until(page, "the picture is back", "return document.querySelector('#where').checkVisibility()").await?;
        // Without a monitor one line says why, and how to enable rounds.
        page.set_window_rect(0, 0, 1280, 900).await?;
        load(page, &scenario("q39-anti-affinity")).await?;
        click(page, "#tab-Ledger").await?;
        let none = text(page, "#under").await?;
        assert!(none.contains("Set yarn.resourcemanager.scheduler.monitor.enable to true"), "{none}");
        call(page, "heddle.step('round', false)", Vec::new()).await?;
        Ok(())
    })
    .await;
}
