//! Sixty seconds (product.md 2.3): from dropped files to an answer, by the clicks and fields that it takes.
#![cfg(not(target_arch = "wasm32"))]
mod support;

use serde_json::{Value, json};
use support::page::{FIRST, READY, click, drop_on_page, keys, load, press, state, state_is, text};
use support::{Browser, Open, until, with_page};
use thirtyfour::prelude::*;

/// A file's name and its text.
type Files<'t> = &'t [(&'t str, &'t str)];

/// The user's work since the files were dropped.
#[derive(Default)]
struct Work {
    clicks: usize,
    fields: usize,
}

impl Work {
    async fn click(&mut self, page: &WebDriver, css: &str) -> WebDriverResult<()> {
        self.clicks += 1;
        click(page, css).await
    }

    /// Chooses or types a value, and leaves the field.
    async fn fill(&mut self, page: &WebDriver, css: &str, value: &str) -> WebDriverResult<()> {
        self.fields += 1;
        let script = "const [css, value] = arguments; const f = document.querySelector(css); f.focus(); f.value = value; \
            f.dispatchEvent(new Event('input', { bubbles: true })); f.dispatchEvent(new Event('change', { bubbles: true }));";
        until(page, css, &format!("return !!document.querySelector({css:?})")).await?;
        page.execute(script, vec![json!(css), json!(value)]).await?;
        state(page).await.map(|_| ())
    }
}

async fn drop_all(page: &WebDriver, files: Files<'_>) -> WebDriverResult<()> {
    let files: Vec<(&str, &str, usize)> = files.iter().map(|(name, text)| (*name, *text, 0)).collect();
    drop_on_page(page, &files).await
}

async fn drop_files(page: &WebDriver, files: Files<'_>) -> WebDriverResult<()> {
    drop_all(page, files).await?;
    until(page, "the report", "return !!document.querySelector('#report')").await?;
    state(page).await.map(|_| ())
}

async fn undo(page: &WebDriver) -> WebDriverResult<()> {
    click(page, "button[title^='Undo: import of']").await
}

async fn count(page: &WebDriver, css: &str) -> WebDriverResult<u64> {
    let script = format!("return document.querySelectorAll({css:?}).length");
    Ok(page.execute(&script, vec![]).await?.json().as_u64().unwrap_or(0))
}

/// Sixty leaf queues in six groups, as an operator has them.
fn sixty_queues() -> String {
    let mut out = String::from("<configuration>\n");
    let mut put = |key: &str, value: &str| {
        out.push_str(&format!(
            "<property><name>yarn.scheduler.capacity.{key}</name><value>{value}</value></property>\n"
        ));
    };
    let groups = ["retail", "adhoc", "platform", "markets", "compliance", "services"];
    put("root.queues", &groups.join(","));
    for (g, group) in groups.iter().enumerate() {
        put(&format!("root.{group}.capacity"), if g < 4 { "20" } else { "10" });
        let queues: Vec<String> = (0..10).map(|n| format!("q{g}{n}")).collect();
        put(&format!("root.{group}.queues"), &queues.join(","));
        for queue in &queues {
            put(&format!("root.{group}.{queue}.capacity"), "10");
            put(&format!("root.{group}.{queue}.user-limit-factor"), "4");
        }
    }
    out + "</configuration>\n"
}

/// Two queues whose users may have no more than the guarantee.
const TWO: &str = "<configuration>\n\
    <property><name>yarn.scheduler.capacity.root.queues</name><value>a,b</value></property>\n\
    <property><name>yarn.scheduler.capacity.root.a.capacity</name><value>50</value></property>\n\
    <property><name>yarn.scheduler.capacity.root.b.capacity</name><value>50</value></property>\n</configuration>\n";
const SITE: &str = "<configuration>\n\
    <property><name>yarn.nodemanager.resource.memory-mb</name><value>65536</value></property>\n\
    <property><name>yarn.scheduler.maximum-allocation-mb</name><value>65536</value></property>\n\
    <property><name>yarn.resourcemanager.scheduler.monitor.enable</name><value>true</value></property>\n</configuration>\n";
const GPU_SITE: &str = "<configuration>\n\
    <property><name>yarn.resource-types</name><value>yarn.io/gpu</value></property>\n\
    <property><name>yarn.nodemanager.resource-plugins</name><value>yarn.io/gpu</value></property>\n</configuration>\n";
const GPU_QUEUES: &str = "<configuration>\n\
    <property><name>yarn.scheduler.capacity.root.queues</name><value>train,serve</value></property>\n\
    <property><name>yarn.scheduler.capacity.root.train.capacity</name><value>60</value></property>\n\
    <property><name>yarn.scheduler.capacity.root.serve.capacity</name><value>40</value></property>\n\
    <property><name>yarn.scheduler.capacity.resource-calculator</name><value>org.apache.hadoop.yarn.util.resource.DominantResourceCalculator</value></property>\n\
    </configuration>\n";
/// As Cloudera Manager exports a role's configuration.
const CONF: &str = r#"{"properties": [
    {"key": "yarn.scheduler.capacity.root.queues", "value": "etl,adhoc", "isFinal": false, "resource": "capacity-scheduler.xml"},
    {"key": "yarn.scheduler.capacity.root.etl.capacity", "value": "70", "isFinal": false, "resource": "capacity-scheduler.xml"},
    {"key": "yarn.scheduler.capacity.root.adhoc.capacity", "value": "30", "isFinal": false, "resource": "capacity-scheduler.xml"},
    {"key": "yarn.scheduler.minimum-allocation-mb", "value": "512", "isFinal": false, "resource": "yarn-site.xml"}]}"#;
const NODES: &str = r#"{"nodes": {"node": [
    {"id": "w1.bank.example:8041", "nodeHostName": "w1.bank.example", "rack": "/r1", "state": "RUNNING", "usedMemoryMB": 6144, "availMemoryMB": 2048, "usedVirtualCores": 4, "availableVirtualCores": 4},
    {"id": "w2.bank.example:8041", "nodeHostName": "w2.bank.example", "rack": "/r2", "state": "RUNNING", "usedMemoryMB": 0, "availMemoryMB": 8192, "usedVirtualCores": 0, "availableVirtualCores": 8}]}}"#;
const APPS: &str = r#"{"apps": {"app": [
    {"id": "application_1700000000000_0042", "user": "etl", "name": "nightly", "queue": "default", "state": "RUNNING", "allocatedMB": 6144, "allocatedVCores": 4, "runningContainers": 4, "amHostHttpAddress": "w1.bank.example:8042"},
    {"id": "application_1700000000000_0057", "user": "ann", "name": "ask", "queue": "default", "state": "ACCEPTED", "diagnostics": "Application is added to the scheduler and is not yet activated. "}]}}"#;

/// Each set of files, one after the other on the same page: no click and no field to the answer, one click to its why.
async fn sets(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    until(page, "the page is ready", READY).await?;
    let sixty = sixty_queues();
    let sets: Vec<(&str, Vec<(&str, &str)>)> = vec![
        ("sixty queues", vec![("capacity-scheduler.xml", &sixty)]),
        ("queues and site", vec![("capacity-scheduler.xml", &sixty), ("yarn-site.xml", SITE)]),
        ("labels", vec![("capacity-scheduler.xml", include_str!("../samples/capacity-scheduler.medium-labels.xml"))]),
        (
            "gpu",
            vec![
                ("yarn-site.xml", GPU_SITE),
                ("capacity-scheduler.xml", GPU_QUEUES),
                ("resource-types.xml", include_str!("../samples/resource-types.xml")),
            ],
        ),
        ("ambari", vec![("capacity-scheduler.txt", include_str!("../samples/ambari.txt"))]),
        ("conf", vec![("conf.json", CONF)]),
        ("fair", vec![("fair-scheduler.xml", include_str!("../samples/fair-scheduler.xml"))]),
        ("dump", vec![("nodes.json", NODES), ("apps.json", APPS)]),
    ];
    for (name, files) in sets {
        // What is dropped while the report of an import is open completes that; each set is an import of its own here.
        load(page, FIRST).await?;
        let mut work = Work::default();
        let before = state(page).await?;
        drop_all(page, &files).await?;
        let new = state_is(page, name, |s| s["text"] != before["text"]).await?;
        until(page, name, "return !!document.querySelector('#report')").await?;
        assert!(!new["text"].as_str().unwrap_or_default().contains("zk"), "{name}: nothing of the demo is left");
        // Every file is named, with what it is.
        let rows = count(page, "#report .files > tbody > tr:not(.under)").await?;
        assert_eq!(rows, files.len() as u64, "{name}: a row for each file");
        let told = text(page, "#report").await?;
        for (file, _) in &files {
            assert!(told.contains(file), "{name}: {file} in {told}");
        }
        let site = files.iter().any(|(file, _)| *file == "yarn-site.xml") || ["conf", "dump", "ambari"].contains(&name);
        assert!(
            site || told.contains("is missing: ") && told.contains("of its settings are taken as defaults"),
            "{name}: {told}"
        );
        // It ran by itself, and stands where something is told.
        let stands = state_is(page, name, |s| s["time_ms"].as_i64() > Some(0)).await?;
        assert!(!stands["snapshot"]["headline"].as_str().unwrap_or_default().is_empty(), "{name}");
        assert!(count(page, ".story").await? > 0, "{name}: stories: {}", stands["snapshot"]["headline"]);
        work.click(page, ".story").await?;
        until(
            page,
            "its why",
            "return !!document.querySelector('#why .because') && !document.querySelector('#report')",
        )
        .await?;
        let why = text(page, "#why .because").await?;
        assert!(!why.is_empty(), "{name}");
        assert!(work.clicks <= 2 && work.fields == 0, "{name}: {} clicks, {} fields", work.clicks, work.fields);
        // Escape comes back to the stories, then to nothing else.
        keys(page, [Key::Escape]).await?;
        until(page, "the stories", "return document.querySelectorAll('.story').length > 0").await?;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn each_set_of_files_is_answered_with_one_click_and_no_field() {
    with_page("sixty-sets", Browser::Chromium, sets).await;
}

/// What is dropped joins the open scenario or opens a new one, and undo brings the former back.
async fn places(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    until(page, "the page is ready", READY).await?;
    let demo = state(page).await?["text"].clone();
    let sixty = sixty_queues();
    drop_files(page, &[("capacity-scheduler.xml", &sixty)]).await?;
    let own = state(page).await?["text"].clone();
    // The missing file completes the import.
    drop_files(page, &[("yarn-site.xml", SITE)]).await?;
    assert_eq!(count(page, "#report .files > tbody > tr:not(.under)").await?, 2);
    undo(page).await?;
    state_is(page, "the import of one file", |s| s["text"] == own).await?;
    undo(page).await?;
    state_is(page, "the demo", |s| s["text"] == demo).await?;
    assert_eq!(count(page, "#report").await?, 0);
    press(page, "Redo: import of capacity-scheduler.xml").await?;
    state_is(page, "the import again", |s| s["text"] == own).await?;
    // A change of the queues joins the open scenario.
    let change = r#"{"update-queue": {"queue-name": "root.retail.q00", "params": {"entry": {"key": "maximum-capacity", "value": "50"}}}}"#;
    drop_files(page, &[("change.json", change)]).await?;
    let joined =
        state_is(page, "the change", |s| s["text"].as_str().is_some_and(|t| t.contains("maximum-capacity"))).await?;
    assert!(joined["text"].as_str().is_some_and(|t| t.contains("fill-q00")), "the scenario stays");
    click(page, "#show-cluster").await?;
    // Settings of an imported cluster replace those there; the other way is one click.
    let other = sixty.replace("user-limit-factor</name><value>4<", "user-limit-factor</name><value>2<");
    drop_files(page, &[("capacity-scheduler.xml", &other)]).await?;
    assert!(text(page, "#report").await?.contains("replaces that of the open cluster"));
    click(page, "#elsewhere").await?;
    until(
        page,
        "a scenario of its own",
        "return document.querySelector('#report')?.innerText.includes('It is a new scenario')",
    )
    .await?;
    // What is nothing of ours changes nothing.
    let before = state(page).await?["text"].clone();
    drop_files(page, &[("notes.txt", "hello")]).await?;
    until(page, "why not", "return document.querySelector('#report')?.innerText.includes('Not imported')").await?;
    assert_eq!(state(page).await?["text"], before);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_dropped_goes_where_it_belongs() {
    with_page("sixty-places", Browser::Chromium, places).await;
}

/// The set-up of an import: each of its values is one field or one click away, and the run stands anew.
async fn setup(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    until(page, "the page is ready", READY).await?;
    let sixty = sixty_queues();
    drop_files(page, &[("capacity-scheduler.xml", &sixty)]).await?;
    let mut work = Work::default();
    work.fill(page, "#setup-cluster", "120 × 128 GB/32, 4 racks").await?;
    let nodes = |s: &Value| {
        s["snapshot"]["racks"]
            .as_array()
            .map_or(0, |racks| racks.iter().filter_map(|r| r["nodes"].as_array()).map(Vec::len).sum())
    };
    state_is(page, "120 nodes", |s| nodes(s) == 120).await?;
    assert_eq!(work.fields, 1);
    let mine = "//section[@id='report']//button[contains(., 'my case')]";
    page.find(By::XPath(mine)).await?.click().await?;
    state_is(page, "my case", |s| s["text"].as_str().is_some_and(|t| t.contains("my-case") && !t.contains("fill-q00")))
        .await?;
    work.fill(page, "#setup-case-queue", "root.adhoc.q13").await?;
    let there = |s: &Value| {
        s["snapshot"]["apps"].as_array().is_some_and(|apps| apps.iter().any(|a| a["queue"] == "root.adhoc.q13"))
    };
    state_is(page, "my case in its queue", there).await?;
    let pressed = page.execute("return document.querySelector('.chip[aria-pressed=true]').innerText", vec![]).await?;
    assert!(pressed.json().as_str().is_some_and(|t| t.contains("my case")));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_cluster_is_one_line_and_the_load_one_click() {
    with_page("sixty-setup", Browser::Chromium, setup).await;
}

/// A short text that is pasted outside of fields is read like a dropped one.
async fn pasted(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    until(page, "the page is ready", READY).await?;
    let script = "const [text] = arguments; const data = new DataTransfer(); data.setData('text/plain', text); \
        document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));";
    page.execute(script, vec![json!(CONF)]).await?;
    until(page, "the report", "return !!document.querySelector('#report')").await?;
    state_is(page, "its queues", |s| s["snapshot"].to_string().contains("root.adhoc")).await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pasted_text_is_read_like_a_dropped_one() {
    with_page("sixty-paste", Browser::Chromium, pasted).await;
}

/// From a story to a change that is tried, applied and taken away: each step counted.
async fn changed(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    until(page, "the page is ready", READY).await?;
    drop_files(page, &[("capacity-scheduler.xml", TWO), ("yarn-site.xml", SITE)]).await?;
    let mut work = Work::default();
    work.click(page, ".story").await?;
    until(page, "its why", "return !!document.querySelector('#why .because')").await?;
    until(page, "a property to try", "return !!document.querySelector('#why .try :is(input, select)')").await?;
    let before = state(page).await?["text"].clone();
    let field = page.execute("const f = document.querySelector('#why .try :is(input, select)'); return ['#' + CSS.escape(f.id), f.tagName, f.value]", vec![]).await?;
    let field = field.json().clone();
    let css = field[0].as_str().unwrap_or_default().to_owned();
    let value = match (field[1].as_str(), field[2].as_str()) {
        (Some("SELECT"), Some("true")) => "false".to_owned(),
        (Some("SELECT"), _) => "true".to_owned(),
        (_, Some(now)) => now.parse::<f64>().map_or_else(|_| "2".to_owned(), |n| (n * 2.0).to_string()),
        _ => "2".to_owned(),
    };
    work.fill(page, &css, &value).await?;
    // Compare opens by itself, and nothing is changed yet.
    until(
        page,
        "who gains, who loses",
        "return !!document.querySelector('.app.comparing .gains') && document.querySelectorAll('.world').length === 2",
    )
    .await?;
    assert_eq!(state(page).await?["text"], before);
    let sums =
        "const rows = [...document.querySelectorAll('.gains tfoot td')].map((td) => td.innerText); return rows.length";
    assert_eq!(page.execute(sums, vec![]).await?.json(), &json!(10));
    until(page, "the changed lines", "return document.querySelector('#trial-lines')?.innerText.includes('+')").await?;
    work.click(page, "#take-over").await?;
    state_is(page, "it is applied", |s| s["text"] != before).await?;
    assert!(work.clicks <= 2 && work.fields <= 1, "{} clicks, {} fields", work.clicks, work.fields);
    undo_edit(page).await?;
    state_is(page, "it is taken back", |s| s["text"] == before).await?;
    Ok(())
}

async fn undo_edit(page: &WebDriver) -> WebDriverResult<()> {
    click(page, "button[title^='Undo: ']").await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_property_is_tried_where_why_names_it() {
    with_page("sixty-change", Browser::Chromium, changed).await;
}
