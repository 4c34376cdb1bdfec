//! The state of a Slider application in the built page: the tab with its tables and the countdown, the ghost on its host, a
//! restart, a failed node, a flex and an edited history file by buttons and forms, each undone. Also that of a Samza job.
#![cfg(not(target_arch = "wasm32"))]
mod support;

use support::page::{READY, call, choose, click, load, paste, press, scenario, state, state_is, text};
use support::{Browser, EVERY, PATIENCE, until, with_page};
use thirtyfour::prelude::*;

/// Returns a cell of the table with this caption, by the row's name and the column's heading.
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
        // The ghost is on n1, and selects the request.
        let ghost = page.find(By::Css(".bar .wish")).await?;
        let said = ghost.attr("aria-label").await?.unwrap_or_default();
        assert!(said.starts_with("web worker waits for this host, relaxed at "), "{said}");
        ghost.click().await?;
        state_is(page, "it is chosen", |s| s["selection"] == "request:web/1_-1").await?;
        // A second later it is a second less.
        seek(page, 241_000).await?;
        assert_ne!(cell(page, "Requests", "worker", "relaxed").await?, left);

        // Flexes it by form, and undoes that.
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

        // Opens and damages a history file.
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

        // Restarts it, and loses its node.
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

#[tokio::test(flavor = "multi_thread")]
async fn the_books_of_a_samza_job_its_stream_by_hand_and_its_file() {
    with_page("samza", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        load(page, &scenario("q52-preferred-host-full")).await?;
        seek(page, 60_000).await?;
        click(page, "#tab-Service").await?;
        until(page, "its tables", "return document.querySelectorAll('.ledger section').length >= 4").await?;
        for (column, wanted) in
            [("last host", "n1"), ("asked for", "n1, then any host"), ("got", "n3"), ("read", "6000 MB")]
        {
            assert_eq!(cell(page, "Containers", "0", column).await?, wanted, "{column}");
        }
        assert_eq!(cell(page, "Disks", "n1", "holds").await?, "6000 MB in 1 store");
        assert_eq!(cell(page, "Changelogs", "kafka", "delivers now").await?, "50 MB/s");
        assert!(text(page, ".ledger .sum").await?.contains("match rate"), "Samza's counters");
        // The changelogs' throughput over time, and what is still to be read.
        click(page, "#tab-Charts").await?;
        for line in ["changelogs of kafka, KB/s", "changelogs of kafka, still to read"] {
            press(page, line).await?;
            let label = format!("return document.querySelector('.charts canvas')?.getAttribute('aria-label').startsWith({line:?})");
            until(page, line, &label).await?;
        }

        // Sets another last host by form; the next start asks for it.
        choose(page, "app:join").await?;
        let unfold = "[...document.querySelectorAll('#what details > summary')].find((s) => s.textContent.startsWith('Coordinator stream'))";
        until(page, "the stream", &format!("const s = {unfold}; s?.click(); return !!s")).await?;
        let field = "#what input[aria-label='set-container-host-assignment of 1']";
        page.query(By::Css(field)).wait(PATIENCE, EVERY).first().await?;
        let write = format!("const f = document.querySelector({field:?}); f.value = 'n1'; f.dispatchEvent(new Event('change', {{ bubbles: true }}))");
        page.execute(write, vec![]).await?;
        let wrote = |s: &serde_json::Value| s["text"].as_str().is_some_and(|t| t.contains("write_stream"));
        state_is(page, "it is written", wrote).await?;
        click(page, "#tab-Service").await?;
        until(page, "the table has it", "return [...document.querySelectorAll('.ledger section')].some((s) => s.textContent.startsWith('Coordinator stream') && s.textContent.includes('n1'))").await?;

        // A property changes one line of its file, and a file of one's own is one more application.
        let field = "#what input[title='job.container.count']";
        page.query(By::Css(field)).wait(PATIENCE, EVERY).first().await?;
        let write = format!("const f = document.querySelector({field:?}); f.value = '1'; f.dispatchEvent(new Event('change', {{ bubbles: true }}))");
        page.execute(write, vec![]).await?;
        state_is(page, "one line", |s| s["text"].as_str().is_some_and(|t| t.contains("\njob.container.count=1\n"))).await?;
        press(page, "Import").await?;
        paste(page, "#import-text", include_str!("../samples/job.properties")).await?;
        click(page, "#import-read").await?;
        let report = text(page, "#report").await?;
        for part in ["A Samza job: 4 containers with 2 stores.", "Line 5", "the old name of", "8 are assumed"] {
            assert!(report.contains(part), "{part}: {report}");
        }
        let added = |s: &serde_json::Value| s["text"].as_str().is_some_and(|t| t.contains("name = \"page-views\""));
        state_is(page, "it is added", added).await?;
        Ok(())
    })
    .await;
}

/// Returns what is narrower than a number of four digits, or overflows its panel, in this application's forms.
const NARROW: &str = "const app = arguments[0], body = document.querySelector('#what .wbody'); \
    body.querySelectorAll('details').forEach((d) => { d.open = true; }); \
    const narrow = [...body.querySelectorAll('.fields .in')].filter((e) => { const w = e.getBoundingClientRect().width; return w > 0 && w < 48; }); \
    const found = narrow.map((e) => `${app}: ${e.id} is ${Math.round(e.getBoundingClientRect().width)} wide`); \
    if (body.scrollWidth > body.clientWidth) found.push(`${app}: the form stands out`); \
    return [body.querySelectorAll('.fields .in').length, found]";

#[tokio::test(flavor = "multi_thread")]
async fn fields_of_every_kind_of_application_are_wide_enough() {
    with_page("form-widths", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        let (mut fields, mut wrong) = (0, Vec::new());
        for width in [1280, 1440] {
            page.set_window_rect(0, 0, width, 900).await?;
            for (name, app) in [
                ("slider-1-restart-by-policy", "normal"),
                ("service-1-dependencies-and-ends", "shop"),
                ("samza-1-stream-table-join", "sticky"),
                ("q39-anti-affinity", "zk"),
                ("q44-host-then-rack-then-anywhere", "wish"),
            ] {
                load(page, &scenario(name)).await?;
                choose(page, &format!("app:{app}")).await?;
                let found =
                    page.execute(NARROW, vec![serde_json::json!(format!("{name} at {width}"))]).await?.json().clone();
                fields += found[0].as_u64().unwrap_or(0);
                wrong.extend(found[1].as_array().into_iter().flatten().cloned());
            }
        }
        assert!(fields > 60, "only {fields} fields were there");
        assert!(wrong.is_empty(), "{wrong:#?}");
        Ok(())
    })
    .await;
}
