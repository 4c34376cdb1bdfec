//! The page driven from outside: README's example verbatim, every wrong argument, a lost engine, and a scenario's
//! expectations on the page as on the command line.
#![cfg(not(target_arch = "wasm32"))]
mod support;

use heddle_player::Player;
use serde_json::{Value, json};
use support::page::{FIRST, READY, call, keys, load, pick, scenario, state, state_is, text};
use support::{Browser, Open, Twist, complaints, finish, start, until, with_page};
use thirtyfour::prelude::*;

const README: &str = include_str!("../../README.md");

/// The API's methods that README shows.
const METHODS: [&str; 6] = ["load", "step", "seek", "state", "settled", "why"];

/// Runs statements in the page. Returns their result, or the error's message.
async fn run(page: &WebDriver, statements: &str, given: Vec<Value>) -> WebDriverResult<Value> {
    let script = format!(
        "const done = arguments[arguments.length - 1]; const text = arguments[0]; \
         (async () => {{ {statements} }})().then((v) => done({{ value: v ?? null }}), (e) => done({{ error: String(e) }}))"
    );
    Ok(page.execute_async(&script, given).await?.json().clone())
}

async fn readme(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    until(page, "the page is ready", READY).await?;
    let block =
        README.split("```js\n").nth(1).and_then(|rest| rest.split("```").next()).expect("README has an example");
    for method in METHODS {
        assert!(block.contains(&format!("heddle.{method}(")), "README shows heddle.{method}");
    }
    let found = run(page, block, vec![json!(FIRST)]).await?;
    assert_eq!(found.get("error"), None, "{found}");
    for line in block.lines().filter(|l| l.starts_with("await ")) {
        let (code, comment) = line.split_once("//").expect("each line says what it is");
        let found = run(page, &format!("return {code}"), vec![json!(FIRST)]).await?;
        assert!(found["value"].is_object(), "{line}: {found}");
        // The fields of a state that it names exist.
        let named = comment.split_once('{').and_then(|(_, rest)| rest.split_once('}')).map_or("", |(inside, _)| inside);
        for field in named.split(',').map(str::trim).filter(|f| !f.is_empty()) {
            assert!(found["value"].get(field).is_some(), "{line}: {field}");
        }
        // The quoted words are the allowed steps.
        for step in comment.split('"').skip(1).step_by(2) {
            let found = run(page, &format!("return await heddle.step({step:?})"), vec![]).await?;
            assert!(found["value"].is_object(), "{step}: {found}");
        }
    }
    let methods = run(page, "return Object.keys(heddle)", vec![]).await?;
    assert_eq!(methods["value"].as_array().map(Vec::len), Some(METHODS.len()), "README shows all of {methods}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_readmes_example_runs_as_it_stands_there() {
    with_page("api-readme", Browser::Chromium, readme).await;
}

async fn wrong(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    until(page, "the page is ready", READY).await?;
    load(page, FIRST).await?;
    let before = state(page).await?;
    for (arguments, part) in [
        ("load(5)", "takes the scenario's text, a string; it was given 5"),
        ("load()", "it was given nothing"),
        ("load(null)", "it was given null"),
        ("load({})", "it was given an object"),
        ("load([])", "it was given a list"),
        ("load(() => 1)", "it was given a function"),
        ("load(true)", "it was given true"),
        ("load('')", "has no scenario in it"),
        ("load('# only a comment')", "has no scenario in it"),
        ("load('= =')", "cannot be read as TOML"),
        ("seek()", "takes milliseconds"),
        ("seek('5')", "takes milliseconds"),
        ("seek(NaN)", "takes milliseconds"),
        ("seek(-1)", "it was given -1"),
        ("seek(Infinity)", "takes milliseconds"),
        ("seek(null)", "takes milliseconds"),
        ("seek([5])", "it was given a list"),
        ("step('sideways')", "it was given “sideways”"),
        ("step(5)", "\"decision\", \"heartbeat\", \"second\", \"change\", \"round\""),
        ("step({})", "it was given an object"),
        ("step('change', 'yes')", "true or false for `back`"),
        ("step('change', 1)", "it was given 1"),
        ("why()", "takes a selection"),
        ("why(5)", "takes a selection"),
        ("why(null)", "takes a selection"),
        ("why('pod:1')", "names nothing"),
        ("why('')", "names nothing"),
        ("why('app:nope')", "none of this name"),
        ("why('node:n9')", "none of this name"),
    ] {
        // Every call returns a promise, whatever the arguments, and its error is a sentence.
        let script =
            format!("const p = heddle.{arguments}; if (!(p instanceof Promise)) return 'no promise'; return await p");
        let found = run(page, &script, vec![]).await?;
        let error = found["error"].as_str().unwrap_or_default();
        assert!(error.starts_with("Error: ") && error.contains(part), "heddle.{arguments}: {found}");
    }
    let after = state(page).await?;
    assert_eq!((&after["text"], &after["time_ms"]), (&before["text"], &before["time_ms"]), "nothing was changed");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_arguments_reject_with_a_sentence() {
    with_page("api-wrong", Browser::Chromium, wrong).await;
}

/// Allows the page's workers to be ended from outside.
const KEEP_WORKERS: &str = "window.engines = []; { const W = Worker; \
    window.Worker = class extends W { constructor(...a) { super(...a); window.engines.push(this); } }; }";
/// Ends the latest one as a browser would, without a message.
const END: &str = "window.engines.at(-1).terminate()";

async fn gone(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    until(page, "the page is ready", READY).await?;
    load(page, FIRST).await?;
    call(page, "heddle.seek(37000)", vec![]).await?;
    pick(page, "what", "text").await?;
    let before = state(page).await?;
    // If it is ended while idle, another one starts by itself.
    page.execute(END, vec![]).await?;
    until(
        page,
        "it is told",
        "return [...document.querySelectorAll('.notice')].some((n) => n.innerText.includes('nothing is lost'))",
    )
    .await?;
    let same = |s: &Value| {
        s["text"] == before["text"]
            && s["time_ms"] == before["time_ms"]
            && s["snapshot"]["fingerprint"] == before["snapshot"]["fingerprint"]
            && s["selection"] == before["selection"]
            && s["expectations"] == before["expectations"]
    };
    state_is(page, "everything is as it was", same).await?;
    let engines = "return window.engines.length";
    let started: i64 = page.execute(engines, vec![]).await?.convert()?;
    // If it is ended with questions under way, the next one answers them.
    for (asked, part) in [
        ("heddle.step('second')", "time_ms"),
        ("heddle.why('app:zk')", "sentence"),
        ("heddle.seek(20000)", "time_ms"),
        ("heddle.load(text)", "time_ms"),
    ] {
        let script = format!("const p = {asked}; {END}; return await p");
        let found = run(page, &script, vec![json!(FIRST)]).await?;
        assert!(found["value"].get(part).is_some(), "{asked}: {found}");
        state(page).await?;
    }
    // The same with text that is being typed, and text that was sent.
    let typed = format!("{FIRST}# typed\n");
    support::page::paste(page, "#what textarea", &typed).await?;
    page.execute(END, vec![]).await?;
    state_is(page, "what was typed is there", |s| s["text"] == json!(typed)).await?;
    let now: i64 = page.execute(engines, vec![]).await?.convert()?;
    assert_eq!(now, started + 5, "one for each that is gone");
    call(page, "heddle.step('change', true)", vec![]).await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_that_is_gone_is_noticed_and_nothing_is_lost() {
    for browser in [Browser::Chromium, Browser::Firefox] {
        let twist = Twist { first: KEEP_WORKERS, ..Twist::default() };
        let Some(open) = start(browser, twist, 1280, 900).await else { continue };
        let result = gone(&open).await;
        let seen = complaints(&open.page).await;
        finish("engine-gone", open, result, seen).await;
    }
}

/// Returns what `heddle check` says about a scenario.
fn judged(text: &str) -> Vec<(bool, i64, String)> {
    let mut player = Player::load(text).player.expect("it can be played");
    player.verdicts().into_iter().map(|v| (v.passed, v.at_ms, v.what)).collect()
}

async fn expected(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    until(page, "the page is ready", READY).await?;
    let failing = scenario("q01-stuck-in-accepted").replace("active_apps = 1", "active_apps = 2");
    for text in [&failing, &scenario("q34-illegal-capacity"), &scenario("q09-preemption-never-triggers")] {
        load(page, text).await?;
        let seen = state(page).await?;
        let shown = seen["expectations"].as_array().expect("a list");
        let shown: Vec<(bool, i64, String)> = shown
            .iter()
            .map(|e| {
                let what = e["what"].as_str().unwrap_or_default().to_string();
                (e["holds"].as_bool().expect("judged"), e["at_ms"].as_i64().unwrap_or(-1), what)
            })
            .collect();
        assert_eq!(shown, judged(text), "page and command line agree");
    }
    load(page, &failing).await?;
    press_tab(page, "Expectations").await?;
    assert_eq!(text(page, "#tab-Expectations .n").await?, "4 of 5");
    let rows: Vec<String> = page
        .execute("return [...document.querySelectorAll('#under tbody tr')].map((r) => r.innerText)", vec![])
        .await?
        .convert()?;
    assert_eq!(rows.len(), 5, "{rows:?}");
    assert!(rows[2].contains("fails") && rows[2].contains("active_apps was 1"), "{rows:?}");
    assert!(rows[3].contains("holds") && rows[3].contains("at the end"), "{rows:?}");
    // A failed expectation is marked where it failed, and announced to screen readers.
    let marks: i64 =
        page.execute("return document.querySelectorAll('#scrubber .ex').length", vec![]).await?.convert()?;
    assert_eq!(marks, 2, "two moments");
    let title: String =
        page.execute("return document.querySelector('#scrubber .ex.rejected').title", vec![]).await?.convert()?;
    assert!(title.contains("0:20.0 fails: root.default"), "{title}");
    let said = "const said = document.querySelector('#scrubber').getAttribute('aria-describedby'); return document.getElementById(said).textContent";
    let spoken: String = page.execute(said, vec![]).await?.convert()?;
    assert_eq!(spoken, "4 of 5 expectations hold, 1 fails.");
    // The keyboard alone leads to the moment and the subject.
    call(page, "heddle.seek(0)", vec![]).await?;
    page.execute("document.querySelector('#under tbody button').focus()", vec![]).await?;
    keys(page, [Key::Down, Key::Down, Key::Enter]).await?;
    state_is(page, "it goes to the moment", |s| s["time_ms"] == 20_000 && s["selection"] == "queue:root.default")
        .await?;
    // The next mark from the start is one of theirs.
    call(page, "heddle.seek(19900)", vec![]).await?;
    page.execute("document.querySelector('#scrubber').focus()", vec![]).await?;
    let next = "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', shiftKey: true, bubbles: true }))";
    page.execute(next, vec![]).await?;
    state_is(page, "the next mark", |s| s["time_ms"] == 20_000).await?;
    // Repaired, it holds; a scenario without expectations has no such list.
    load(page, &scenario("q01-stuck-in-accepted")).await?;
    assert_eq!(text(page, "#tab-Expectations .n").await?, "5 of 5");
    load(page, "heddle = 1\n[[nodes]]\nname = \"n\"\nsize = \"4 GB/4\"\n").await?;
    assert!(text(page, "#under").await?.contains("expects nothing"));
    Ok(())
}

/// Chooses a tab under the scrubber.
async fn press_tab(page: &WebDriver, name: &str) -> WebDriverResult<()> {
    support::page::click(page, &format!("#tab-{name}")).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_shows_what_is_expected_and_whether_it_holds() {
    for browser in [Browser::Chromium, Browser::Firefox] {
        with_page("expectations", browser, expected).await;
    }
}

async fn nothing(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    until(page, "the page is ready", READY).await?;
    load(page, FIRST).await?;
    let drop = "const [name, text] = arguments; const data = new DataTransfer(); data.items.add(new File([text], name)); \
        for (const kind of ['dragover', 'drop']) \
            document.body.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: data }));";
    for (name, content, part) in
        [("a.toml", "", "is empty"), ("a.toml", " \n\n", "is empty"), ("b.toml", "# heddle = 1\n#\n", "only comments")]
    {
        page.execute(drop, vec![json!(name), json!(content)]).await?;
        until(page, "it is told", &format!("return document.querySelector('#report')?.innerText.includes({part:?})"))
            .await?;
        assert_eq!(state(page).await?["text"], json!(FIRST), "{content:?} replaces nothing");
        keys(page, [Key::Escape]).await?;
        // The next one must not be mistaken for this one.
        until(page, "it is closed", "return !document.querySelector('#report')").await?;
    }
    // A path in place of a file's text is reported as one.
    let path = "heddle = 1\n[files]\n\"yarn-site.xml\" = \"conf/yarn-site.xml\"\n";
    let found = run(page, "return await heddle.load(text)", vec![json!(path)]).await?;
    assert!(found["error"].as_str().is_some_and(|e| e.contains("the path `conf/yarn-site.xml`")), "{found}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_without_a_scenario_replaces_nothing() {
    with_page("no-scenario", Browser::Chromium, nothing).await;
}
