//! Links in the built page: what they say of themselves, that nothing of another scenario is shown meanwhile, and that
//! nothing secret and nothing untrue goes out with them.
#![cfg(not(target_arch = "wasm32"))]
mod support;

use heddle_core::scenario::link::{self, Proof, View};
use heddle_player::Player;
use serde_json::{Value, json};
use support::page::{FIRST, READY, click, load, paste, press, state, state_is, text};
use support::{Browser, Open, until, with_page};
use thirtyfour::prelude::*;

const SECRET: &str = "hunter2-of-acme";

/// A link to a text, with a sentence and the proof of a run.
fn made(text: &str, run: &str) -> String {
    let mut player = Player::load(run).player.expect("it loads");
    player.run_to_end();
    let proof = Proof { core: "0.1.0".into(), fingerprint: player.fingerprint() };
    let view = View {
        time_ms: Some(20_000),
        caption: Some("failed at 0:20: zk: placed 3 expected".into()),
        marks: player.marks(),
        ..View::default()
    };
    link::write(text, &view, Some(&proof)).expect("a link")
}

async fn follow(page: &WebDriver, link: &str) -> WebDriverResult<()> {
    page.execute("location.hash = arguments[0]", vec![json!(link)]).await.map(|_| ())
}

async fn says(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    until(page, "the page is ready", READY).await?;
    follow(page, &made(FIRST, FIRST)).await?;
    state_is(page, "the link opens at its moment", |s| s["time_ms"] == 20_000).await?;
    let caption = text(page, "#link-caption").await?;
    assert!(caption.contains("of 0:20") && caption.contains("placed 3 expected"), "{caption}");
    let proof = text(page, "#link-proof").await?;
    assert!(proof.contains("Plays as when the link was made (core 0.1.0)."), "{proof}");
    // Another run.
    let other = FIRST.replace("at = \"1 s\"", "at = \"2 s\"");
    assert_ne!(other, FIRST);
    follow(page, &made(FIRST, &other)).await?;
    until(
        page,
        "the difference is told",
        "return document.querySelector('#link-proof')?.textContent.includes('Plays otherwise')",
    )
    .await?;
    // An edit makes it another scenario, of which the link says nothing.
    load(page, FIRST).await?;
    until(page, "nothing is said any more", "return !document.querySelector('#link-proof, #link-caption')").await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_says_what_it_is_about_and_whether_it_plays_the_same() {
    with_page("link-says", Browser::Chromium, says).await;
}

/// Everything that this browser keeps of the page, and its address.
const KEPT: &str = "return JSON.stringify([location.href, { ...localStorage }, { ...sessionStorage }])";

/// What the links in a text hold.
fn opened(kept: &str) -> String {
    kept.split('"').filter_map(|part| Some(part.split_once('#')?.1)).filter_map(|f| link::open(f).text).collect()
}

async fn secret(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    until(page, "the page is ready", READY).await?;
    let file = format!(
        "job.name=clicks\ntask.inputs=kinesis.clicks\nsensitive.aws.secretKey={SECRET}\nsystems.k.aws.accessKey={SECRET}\n"
    );
    press(page, "Import").await?;
    paste(page, "#import-text", &file).await?;
    click(page, "#import-read").await?;
    until(page, "the report", "return document.querySelector('dialog')?.textContent.includes('masked')").await?;
    let after = state(page).await?;
    assert!(!after.to_string().contains(SECRET), "the state");
    press(page, "Close").await?;
    // Typed, it stays in the editor.
    let typed = FIRST.replace("[yarn-site]\n", &format!("[yarn-site]\n\"fs.s3a.secret.key\" = \"{SECRET}\"\n"));
    assert!(typed.contains(SECRET), "there is a place for it");
    load(page, &typed).await?;
    press(page, "Share").await?;
    until(page, "the link is there", "return document.querySelector('#share-link')").await?;
    let link = text(page, "#share-link").await?;
    assert!(link::open(&link).text.is_some_and(|t| !t.contains(SECRET) && t.contains("masked-1")), "{link}");
    press(page, "Close").await?;
    tokio::time::sleep(std::time::Duration::from_millis(2_500)).await;
    let kept = page.execute(KEPT, vec![]).await?.json().as_str().unwrap_or_default().to_owned();
    assert!(!kept.contains(SECRET), "{kept}");
    let linked = opened(&kept);
    assert!(!linked.contains(SECRET), "{linked}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_secret_is_kept_or_linked() {
    with_page("link-secret", Browser::Chromium, secret).await;
}

async fn compared(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    until(page, "the page is ready", READY).await?;
    press(page, "Compare").await?;
    for (property, values, part) in [
        ("root.default.user-limit-facto", "4", "did you mean"),
        ("scheduler.minimum-allocation-mb", "512", "yarn.scheduler.minimum-allocation-mb"),
        ("root.nosuch.capacity", "3", "is not listed"),
        ("root.default.user-limit-factor", "forty", "not a number"),
    ] {
        paste(page, "#w-property", property).await?;
        paste(page, "#w-values", values).await?;
        press(page, "Compare with these").await?;
        let wrong = text(page, "#w-wrong").await?;
        assert!(wrong.contains(part), "{property}: {wrong}");
        let text = state(page).await?["text"].as_str().unwrap_or_default().to_owned();
        assert!(!text.contains(property), "it is not added: {text}");
    }
    paste(page, "#w-property", "root.default.user-limit-factor").await?;
    paste(page, "#w-values", "2").await?;
    press(page, "Compare with these").await?;
    until(page, "it is compared", "return !document.querySelector('#w-wrong') && document.querySelector('.cmp')?.textContent.includes('user-limit-factor = 2')").await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn compare_tells_a_wrong_setting_at_its_field() {
    with_page("link-compare", Browser::Chromium, compared).await;
}

/// A job that takes very long to begin, in a few characters.
fn heavy() -> String {
    let mut text = String::from("heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"1 h\"\n");
    text.push_str("[[nodes]]\nname = \"n\"\ncount = 2000\nsize = \"8 GB/8\"\n");
    text.push_str(
        "[[apps]]\nname = \"j\"\ncopies = 200\ntasks = [{ count = 2000, size = \"1 GB/1\", duration = \"30 s\" }]\n",
    );
    text
}

async fn slow(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    until(page, "the page is ready", READY).await?;
    let before = state(page).await?["snapshot"]["headline"].clone();
    let link = link::write(&heavy(), &View { time_ms: Some(3_500_000), ..View::default() }, None).expect("a link");
    follow(page, &link).await?;
    // At no time the headline of the other scenario stands beside the new address once the page has heard of it.
    let sampled = "const [done] = arguments; const seen = []; const look = () => { \
        const h = document.querySelector('#headline').textContent; const w = document.querySelector('.app.loading'); \
        seen.push([h, !!w, [...document.querySelectorAll('.notice button')].some((b) => b.textContent === 'Stop')]); \
        if (seen.length < 30) setTimeout(look, 100); else done(seen); }; setTimeout(look, 100)";
    let seen: Value = page.execute_async(sampled, vec![]).await?.json().clone();
    let seen = seen.as_array().cloned().unwrap_or_default();
    assert!(seen.iter().all(|s| s[0] != before), "another scenario's picture: {seen:?}");
    if seen.last().is_some_and(|s| s[1] == true) {
        assert!(seen.iter().skip(15).any(|s| s[2] == true), "it can be stopped: {seen:?}");
        click(page, ".notice button").await?;
        until(page, "it stops", "return !document.querySelector('.app.loading')").await?;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_that_takes_long_says_so_shows_nothing_else_and_can_be_stopped() {
    with_page("link-slow", Browser::Chromium, slow).await;
}
