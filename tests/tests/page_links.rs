//! Links in the built page: what they say about themselves, that nothing of another scenario is shown while they load, and
//! that they contain nothing secret and nothing untrue.
#![cfg(not(target_arch = "wasm32"))]
mod support;

use heddle_core::scenario::link::{self, Proof, View};
use heddle_player::Player;
use serde_json::{Value, json};
use support::page::{FIRST, READY, click, load, paste, pick, press, state, state_is, text};
use support::{Browser, Open, until, with_page};
use thirtyfour::prelude::*;

const SECRET: &str = "hunter2-of-acme";

/// Makes a link to a text, with a sentence and the proof of a run.
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
    // The link of another run.
    let other = FIRST.replace("at = \"1 s\"", "at = \"2 s\"");
    assert_ne!(other, FIRST);
    follow(page, &made(FIRST, &other)).await?;
    until(
        page,
        "the difference is told",
        "return document.querySelector('#link-proof')?.textContent.includes('Plays differently')",
    )
    .await?;
    // An edit makes it another scenario, which the link says nothing about.
    load(page, FIRST).await?;
    until(page, "nothing is said any more", "return !document.querySelector('#link-proof, #link-caption')").await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_says_what_it_is_about_and_whether_it_plays_the_same() {
    with_page("link-says", Browser::Chromium, says).await;
}

/// Everything that this browser keeps of the page, and its address.
const KEPT: &str = "return JSON.stringify([location.href, { ...localStorage }, { ...sessionStorage }])";

/// Returns the texts of the links in a text.
fn opened(kept: &str) -> String {
    kept.split('"').filter_map(|part| Some(part.split_once('#')?.1)).filter_map(|f| link::open(f).text).collect()
}

/// Returns files of every accepted format with a secret in each; those that are added to the scenario report it.
fn files() -> Vec<(&'static str, String)> {
    let xml = |first: &str| {
        format!(
            "<configuration><property><name>{first}</name><value>1</value></property>\
             <property><name>fs.s3a.secret.key</name><value>{SECRET}</value></property></configuration>"
        )
    };
    vec![
        (
            "job.properties",
            format!(
                "job.name=clicks\ntask.inputs=k.clicks\nsensitive.aws.secretKey={SECRET}\nsystems.k.aws.accessKey={SECRET}\n"
            ),
        ),
        ("capacity-scheduler.xml", xml("yarn.scheduler.capacity.maximum-applications")),
        ("yarn-site.xml", xml("yarn.scheduler.minimum-allocation-mb")),
        (
            "yarnfile.json",
            format!(
                "{{\"name\": \"web\", \"version\": \"1\", \"kerberos_principal\": {{\"principal_name\": \"{SECRET}@REALM\"}}, \
                 \"configuration\": {{\"env\": {{\"DB_PASSWORD\": \"{SECRET}\"}}}}, \"components\": [{{\"name\": \"w\", \
                 \"number_of_containers\": 1, \"launch_command\": \"sleep 9\", \"resource\": {{\"cpus\": 1, \"memory\": \"256\"}}}}]}}"
            ),
        ),
        (
            "resources.json",
            format!(
                "{{\"schema\": \"http://example.org/specification/v2.0.0\", \"global\": {{\"site.password\": \"{SECRET}\"}}, \
                 \"components\": {{\"w\": {{\"yarn.role.priority\": \"1\"}}}}}}"
            ),
        ),
        (
            "conf.json",
            format!("{{\"properties\":[{{\"key\":\"a.token\",\"value\":\"{SECRET}\",\"resource\":\"x.xml\"}}]}}"),
        ),
        ("scenario.toml", format!("{FIRST}# x.password = {SECRET}\n")),
    ]
}

/// Collects every file that is saved.
const SAVED: &str = "window.saved = []; const make = URL.createObjectURL.bind(URL); \
    URL.createObjectURL = (blob) => { blob.text().then((text) => saved.push(text)); return make(blob); }";

/// Checks every way out of the page: links, the address, what is kept, what is saved, what a script gets.
async fn leaves_nothing(page: &WebDriver, what: &str) -> WebDriverResult<()> {
    press(page, "Share").await?;
    until(page, "the link is there", "return document.querySelector('#share-link')").await?;
    let link = text(page, "#share-link").await?;
    let linked = link::open(&link).text.unwrap_or_default();
    assert!(!linked.contains(SECRET) && linked.contains("masked-"), "{what}: a link: {linked}");
    page.execute("saved.length = 0", vec![]).await?;
    press(page, "Save as file").await?;
    until(page, "the file is saved", "return saved.length === 1").await?;
    let saved = page.execute("return saved[0]", vec![]).await?.json().as_str().unwrap_or_default().to_owned();
    assert!(!saved.contains(SECRET) && saved.contains("masked-"), "{what}: a file: {saved}");
    press(page, "Close").await?;
    let told = state(page).await?.to_string();
    assert!(!told.contains(SECRET) && told.contains("masked-"), "{what}: the state");
    tokio::time::sleep(std::time::Duration::from_millis(2_500)).await;
    let kept = page.execute(KEPT, vec![]).await?.json().as_str().unwrap_or_default().to_owned();
    assert!(!kept.contains(SECRET), "{what}: {kept}");
    let linked = opened(&kept);
    assert!(!linked.contains(SECRET), "{what}: {linked}");
    Ok(())
}

async fn secret(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    until(page, "the page is ready", READY).await?;
    page.execute(SAVED, vec![]).await?;
    for (name, file) in files() {
        load(page, FIRST).await?;
        press(page, "Import").await?;
        paste(page, "#import-text", &file).await?;
        click(page, "#import-read").await?;
        until(
            page,
            name,
            "return [...document.querySelectorAll('dialog, .notice, #report')].some((e) => e.textContent.includes('masked'))",
        )
        .await?;
        if page.execute("return !!document.querySelector('dialog[open]')", vec![]).await?.json() == &json!(true) {
            press(page, "Close").await?;
        }
        let told = state(page).await?.to_string();
        assert!(!told.contains(SECRET), "{name}: the state");
        if told.contains("masked-") {
            leaves_nothing(page, name).await?;
        }
        // In the scenario as it is typed.
        load(page, FIRST).await?;
        pick(page, "what", "text").await?;
        let typed = format!("{FIRST}\n[files]\n\"of-{name}\" = '''\n{file}\n'''\n");
        paste(page, "#what textarea", &typed).await?;
        let there = "return document.querySelector('#what textarea').value";
        let value = page.execute(there, vec![]).await?.json().as_str().unwrap_or_default().to_owned();
        assert_eq!(value, typed, "{name}: what was typed stays in the editor");
        let note = "return document.querySelector('#what .problems')?.textContent ?? ''";
        let note = page.execute(note, vec![]).await?.json().as_str().unwrap_or_default().to_owned();
        assert!(note.contains("no link, address, draft or file gets"), "{name}: {note}");
        leaves_nothing(page, &format!("{name}, typed")).await?;
        pick(page, "what", "form").await?;
    }
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
    press(page, "table").await?;
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

/// A job that takes very long to start, in a few characters.
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
    // The other scenario's headline is never beside the new address once the page has noticed that.
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
    // Opening the page with the link does not show the first visit's picture either, but that it loads.
    let address = page.current_url().await?.as_str().split('#').next().unwrap_or_default().to_owned();
    page.goto("about:blank").await?;
    page.goto(format!("{address}{link}")).await?;
    let seen = "const first = document.getElementById('first'); if (!first) return 'gone'; \
        const shows = (e) => getComputedStyle(e).visibility === 'visible'; \
        const words = [...first.querySelectorAll('*')].filter((e) => e.id !== 'boot' && !e.children.length && e.textContent.trim() && shows(e)); \
        return [words.map((e) => e.textContent).join(' '), shows(document.getElementById('boot'))].join()";
    let seen: String = page.execute(seen, vec![]).await?.convert()?;
    assert!(seen == "gone" || seen == ",true", "the picture of the first visit: {seen}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_that_takes_long_says_so_shows_nothing_else_and_can_be_stopped() {
    with_page("link-slow", Browser::Chromium, slow).await;
}

/// A few characters that ask for more than can be played.
const TOO_MANY: [&str; 4] = [
    "kind = \"slider\"\ncomponents = [{ name = \"w\", \"yarn.role.priority\" = 1, \"yarn.component.instances\" = 2000000 }]\n",
    "kind = \"yarn-service\"\ncomponents = [{ name = \"w\", count = 2000000 }]\n",
    "kind = \"distributed-shell\"\nspec = \"w(2000000),NOTIN,NODE,w\"\n",
    "tasks = [{ count = 2000000, size = \"1 GB/1\" }, { count = 2000000, size = \"1 GB/1\" }]\n",
];

async fn too_many(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    until(page, "the page is ready", READY).await?;
    for app in TOO_MANY {
        load(page, FIRST).await?;
        let before = state(page).await?["snapshot"]["headline"].clone();
        let text = format!(
            "heddle = 1\nuntil = \"1 h\"\n[[nodes]]\nname = \"n\"\nsize = \"8 GB/8\"\n[[apps]]\nname = \"a\"\n{app}"
        );
        let link = link::write(&text, &View::default(), None).expect("a link");
        assert!(link.len() < 450, "{}", link.len());
        follow(page, &link).await?;
        until(
            page,
            "it is told",
            "return /at most|more than/.test(document.querySelector('#headline').textContent) && !document.querySelector('.app.loading')",
        )
        .await?;
        let seen = state(page).await?;
        assert_eq!(seen["text"], json!(text), "the text is there to be mended");
        assert_ne!(seen["snapshot"]["headline"], before, "{app}");
        let drawn = "return document.querySelectorAll('#where .node').length";
        assert_eq!(page.execute(drawn, vec![]).await?.json(), &json!(0), "no picture of another scenario: {app}");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_that_asks_for_too_much_is_told_at_once_and_shows_nothing_else() {
    with_page("link-too-many", Browser::Chromium, too_many).await;
}

/// A scenario whose names occur nowhere else.
const NAMED: &str = "heddle = 1\ntitle = \"Zaphodqueue waits\"\nnote = \"Why zaphodapp waits in root.zaphodqueue\"\nscheduling = \"heartbeat\"\nuntil = \"1 min\"\n\
    [capacity-scheduler]\nroot.queues = \"default,zaphodqueue\"\nroot.default.capacity = 50\nroot.zaphodqueue.capacity = 50\n\
    [[nodes]]\nname = \"zaphodhost{1}\"\ncount = 2\nrack = \"/zaphodrack\"\nsize = \"2 GB/8\"\n\
    [[apps]]\nname = \"zaphodapp\"\nqueue = \"root.zaphodqueue\"\nuser = \"zaphoduser\"\ntasks = [{ count = 9, duration = \"30 s\" }]\n\
    [[captions]]\nat = \"1 s\"\ntext = \"zaphodapp begins\"\nselect = \"app:zaphodapp\"\n";

async fn leaves_names(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    until(page, "the page is ready", READY).await?;
    load(page, NAMED).await?;
    state_is(page, "it runs", |s| s["text"].as_str().is_some_and(|t| t.contains("zaphodapp"))).await?;
    press(page, "Share").await?;
    until(page, "the link is there", "return !!document.querySelector('#share-link')").await?;
    let was = text(page, "#share-link").await?;
    assert!(opened(&format!("\"{was}\"")).contains("zaphod"), "{was}");
    click(page, "#leave-names").await?;
    let shown = "return document.querySelector('#share-text')?.textContent.includes('heddle') && \
        !document.querySelector('#share-text').textContent.includes('zaphod') && !!document.querySelector('#share-link')";
    until(page, "the text that is shared is shown", shown).await?;
    state_is(page, "all is settled", |s| !s["text"].to_string().contains("zaphod")).await?;
    // No name is in the link, the text, the address, the picture, the tables, or what a script gets.
    let link = text(page, "#share-link").await?;
    let held = opened(&format!("\"{link}\""));
    let all = "return [document.title, location.href, document.documentElement.outerHTML].join()";
    let page_now = page.execute(all, vec![]).await?.json().to_string();
    let told = state(page).await?.to_string();
    assert_eq!(held, text_of(page, "#share-text").await?, "what is shown is what the link holds");
    for (what, text) in [("link", held), ("page", page_now), ("state", told)] {
        assert!(!text.to_lowercase().contains("zaphod"), "{what}: {text}");
    }
    // They come back, in this tab.
    click(page, "#leave-names").await?;
    state_is(page, "the names are back", |s| s["text"] == NAMED).await?;
    Ok(())
}

/// Returns the exact text of an element.
async fn text_of(page: &WebDriver, css: &str) -> WebDriverResult<String> {
    let found = page.execute("return document.querySelector(arguments[0]).textContent", vec![json!(css)]).await?;
    Ok(found.json().as_str().unwrap_or_default().to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn names_are_left_and_come_back() {
    with_page("link-names", Browser::Chromium, leaves_names).await;
}
