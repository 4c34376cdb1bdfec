//! The built page in its rarer states: dropped files, many nodes, other views, drafts, frames, and queues changed while time
//! stands still. Several things are tried in each browser, so that the suite stays fast.
#![cfg(not(target_arch = "wasm32"))]
mod support;

use serde_json::{Value, json};
use support::page::{
    READY, call, choose, click, drop_on_page, keys, load, paste, pick, press, scenario, state, state_is, text,
};
use support::{Browser, EVERY, Open, PATIENCE, until, with_page};
use thirtyfour::prelude::*;

/// Drops one file on the page.
async fn drop_file(page: &WebDriver, name: &str, content: &str, size: usize) -> WebDriverResult<()> {
    drop_on_page(page, &[(name, content, size)]).await
}

/// The text of the page's dialog, report and notice.
const SAID: &str =
    "return [...document.querySelectorAll('dialog[open], #report, .notice')].map((e) => e.innerText).join(' ')";

async fn says(page: &WebDriver, what: &str) -> WebDriverResult<()> {
    let script = format!("{SAID}.includes({what:?})");
    until(page, &format!("the page says: {what}"), &script).await
}

async fn close(page: &WebDriver) -> WebDriverResult<()> {
    keys(page, [Key::Escape]).await?;
    until(page, "no dialog", "return !document.querySelector('dialog[open], #report')").await
}

/// Returns a scenario with so many nodes in five racks, with something that waits.
fn many(nodes: usize) -> String {
    format!(
        "heddle = 1\ntitle = \"{nodes} nodes\"\nscheduling = \"heartbeat\"\nuntil = \"20 s\"\n[capacity-scheduler]\nroot.queues = \"default\"\n\
         root.default.capacity = 100\nmaximum-am-resource-percent = 0.5\n[[nodes]]\nname = \"n{{0001}}\"\ncount = {nodes}\nracks = 5\nsize = \"8 GB/8\"\n\
         [[apps]]\nname = \"job\"\nuser = \"ann\"\nam = \"1 GB/1\"\ntasks = [{{ count = 30, size = \"2 GB/1\", duration = \"forever\" }}]\n\
         [[apps]]\nname = \"picky\"\nuser = \"bob\"\nam = \"1 GB/1\"\ntasks = [{{ count = 1, size = \"1 GB/1\", places = [\"n0001\"], relax = false, duration = \"forever\" }}]\n"
    )
}

// ---- dropped files

async fn files(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    until(page, "the page is ready", READY).await?;
    let before = state(page).await?["text"].clone();
    let untouched = async |what: &str| -> WebDriverResult<()> {
        assert_eq!(state(page).await?["text"], before, "{what} changes nothing");
        assert!(state(page).await?["snapshot"]["tally"]["running"].as_i64() > Some(0), "{what}: what ran before runs");
        Ok(())
    };
    drop_file(page, "huge.xml", "", 100 << 20).await?;
    says(page, "100 MB; up to 16 MB can be read").await?;
    untouched("a file of 100 MB").await?;
    let dtd = include_str!("../samples/capacity-scheduler.entity-bomb.bad.xml");
    drop_file(page, "capacity-scheduler.xml", dtd, 0).await?;
    says(page, "DOCTYPE").await?;
    says(page, "Line 2").await?;
    untouched("a DTD").await?;
    close(page).await?;
    drop_file(page, "capacity-scheduler.xml", include_str!("../samples/capacity-scheduler.syntax.bad.xml"), 0).await?;
    says(page, "Line 9").await?;
    untouched("a file that is no XML").await?;
    close(page).await?;
    let change = include_str!("../samples/sched-conf.bad.json");
    drop_file(page, "change.json", change, 0).await?;
    for part in [
        "Line 20",
        "remove-queue[0] root.nowhere",
        "Line 15",
        "add-queue[1] lonely",
        "Write the whole path",
        "update-queue[0] root.prod: params without entry",
    ] {
        says(page, part).await?;
    }
    untouched("a change that is refused").await?;
    close(page).await?;
    drop_file(page, "yarnfile.json", include_str!("../samples/yarnfile.bad.json"), 0).await?;
    says(page, "Not imported").await?;
    says(page, "This service does not run").await?;
    says(page, "The client of YARN services refuses this file").await?;
    untouched("a service that YARN refuses").await?;
    close(page).await?;
    drop_file(page, "mine.toml", "heddle = 1\ntitle = mine\n", 0).await?;
    says(page, "this scenario has errors").await?;
    says(page, "Line 2").await?;
    untouched("a scenario with an error").await?;
    close(page).await?;
    drop_file(page, "rm.log", "2026-01-01 INFO x", 0).await?;
    says(page, "neither a scenario, nor a link").await?;
    close(page).await?;
    drop_file(page, "any.txt", "https://heddle.example/#99.abcdef", 0).await?;
    says(page, "format 99").await?;
    untouched("a link of a newer version").await?;
    close(page).await?;
    // A good file, undone and redone.
    drop_file(page, "capacity-scheduler.xml", include_str!("../samples/capacity-scheduler.medium-labels.xml"), 0)
        .await?;
    says(page, "12 queues (9 leaves), 2 labels").await?;
    // Properties that are not modelled are counted and listed.
    says(page, "1 kept but not modelled").await?;
    page.execute("document.querySelectorAll('#report details').forEach((d) => (d.open = true))", vec![]).await?;
    says(page, "user-metrics.enable").await?;
    let listed = "return document.querySelectorAll('#report details tr').length === 1";
    until(page, "as many as are counted", listed).await?;
    says(page, "Which release of Hadoop runs").await?;
    close(page).await?;
    state_is(page, "its queues run", |s| s["snapshot"]["queues"].as_array().is_some_and(|q| q.len() > 10)).await?;
    keys(page, [Key::Escape]).await?;
    page.active_element().await?.send_keys(Key::Control + "z").await?;
    state_is(page, "undo takes it back", |s| s["text"] == before).await?;
    press(page, "Redo: import of capacity-scheduler.xml").await?;
    state_is(page, "redo brings it back", |s| s["text"] != before).await?;
    drop_file(page, "mine.toml", "heddle = 1\ntitle = \"dropped\"\n[[nodes]]\nname = \"n\"\nsize = \"4 GB/4\"\n", 0)
        .await?;
    state_is(page, "the dropped scenario is open", |s| s["text"].as_str().is_some_and(|t| t.contains("dropped")))
        .await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_dropped_is_read_or_told_and_nothing_is_lost() {
    with_page("files", Browser::Chromium, files).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn firefox_reads_files_steps_and_shares() {
    with_page("files-firefox", Browser::Firefox, async |open| {
        files(open).await?;
        let page = &open.page;
        let back = "heddle.load(arguments[0]).then(() => heddle.seek(9000)).then(() => heddle.step('change', true))";
        call(page, back, vec![json!(support::page::FIRST)]).await?;
        let before = state(page).await?;
        press(page, "Share").await?;
        let link = text(page, "#share-link").await?;
        page.goto("about:blank").await?;
        page.goto(&link).await?;
        until(page, "the page is ready", READY).await?;
        let after = state_is(page, "the same time", |s| s["time_ms"] == before["time_ms"]).await?;
        for key in ["text", "snapshot"] {
            assert_eq!(after[key], before[key], "{key}");
        }
        Ok(())
    })
    .await;
}

// ---- many nodes, other views

#[tokio::test(flavor = "multi_thread")]
async fn many_nodes_are_drawn_by_the_room_and_the_table_has_them_all() {
    with_page("densities", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        let count = async |css: &str| -> WebDriverResult<i64> {
            let script = "return document.querySelectorAll(arguments[0]).length";
            page.execute(script, vec![json!(css)]).await?.convert()
        };
        for (nodes, css, shown) in [
            (6, "#where.where .rack .node .cores", 6),
            (31, "#where .racks.line .rack .node", 31),
            (301, "#where .tile svg", 5),
            (2001, "#where .tile svg", 5),
        ] {
            load(page, &many(nodes)).await?;
            call(page, "heddle.seek(8000)", vec![]).await?;
            assert_eq!(count(css).await?, shown, "{nodes} nodes: {css}");
            // The table has the same nodes and waiting requests.
            press(page, "table").await?;
            until(page, "the table", "return !!document.querySelector('#where .twin')").await?;
            let rows = count("#where .twin table:last-of-type tbody tr").await?;
            assert_eq!(rows, nodes.min(2000) as i64, "{nodes} nodes: rows of the table");
            press(page, "picture").await?;
        }
        click(page, "#where .tile h3 button").await?;
        until(page, "the rack's nodes", "return document.querySelectorAll('#where .opened .node').length >= 300")
            .await?;
        Ok(())
    })
    .await;
}

async fn says_in(page: &WebDriver, css: &str, what: &str) -> WebDriverResult<()> {
    let found = text(page, css).await?;
    assert!(found.contains(what), "{css}: {found}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn colours_have_names_and_patterns_and_nothing_needs_colour_or_motion() {
    with_page("colours", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        load(page, include_str!("../../scenarios/q36-borrowing-a-label.toml")).await?;
        let legend = "return document.querySelector('#where .legend').innerText";
        for (by, wanted) in [("app", "a-plain"), ("queue", "b"), ("user", "bea"), ("tag", "no container has a tag")] {
            press(page, by).await?;
            until(page, by, &format!("{legend}.includes({wanted:?})")).await?;
        }
        press(page, "app").await?;
        let patterns = "const seen = new Set([...document.querySelectorAll('#where .legend .sw')] \
            .map((e) => getComputedStyle(e).backgroundImage)); return seen.size";
        let patterns: i64 = page.execute(patterns, vec![]).await?.convert()?;
        assert_eq!(patterns, 3, "each of three applications has a pattern of its own");
        until(page, "what is borrowed is marked", "return document.querySelectorAll('#where .c.lent').length > 0")
            .await?;
        let emulate = async |features: Value| {
            page.cdp().send_raw("Emulation.setEmulatedMedia", json!({ "features": features })).await
        };
        emulate(json!([{ "name": "prefers-reduced-motion", "value": "reduce" }])).await?;
        let moving = "return [...document.querySelectorAll('*')].filter((e) => { const s = getComputedStyle(e); \
            const long = (t) => t.split(',').some((d) => parseFloat(d) > 0.001); \
            return long(s.transitionDuration) || (s.animationName !== 'none' && long(s.animationDuration)); }).length";
        let moving: i64 = page.execute(moving, vec![]).await?.convert()?;
        assert_eq!(moving, 0, "nothing moves when motion is reduced");
        emulate(json!([{ "name": "forced-colors", "value": "active" }])).await?;
        let forced = "return matchMedia('(forced-colors: active)').matches \
            && getComputedStyle(document.querySelector('#where .c')).forcedColorAdjust === 'none'";
        until(page, "containers keep their patterns in forced colours", forced).await?;
        emulate(json!([])).await?;
        // A frame: the same page with less around it.
        press(page, "Share").await?;
        let link = text(page, "#share-link").await?;
        page.goto("about:blank").await?;
        page.goto(&link.replacen('#', "#embed/", 1)).await?;
        until(page, "the page is ready", READY).await?;
        let embedded = "const seen = (css) => !!document.querySelector(css)?.getClientRects().length; \
            return seen('#where') && seen('.when') && seen('#headline') && !seen('#what') && !seen('.top')";
        until(page, "only the headline, the picture and time", embedded).await?;
        let full: String = page.execute("return document.querySelector('.foot a').href", vec![]).await?.convert()?;
        assert_eq!(full, link, "it opens in full");
        state_is(page, "the scenario of the link", |s| s["text"].as_str().is_some_and(|t| t.contains("b-plain")))
            .await?;
        Ok(())
    })
    .await;
}

// ---- keys

#[tokio::test(flavor = "multi_thread")]
async fn every_key_of_the_sheet_does_what_it_says() {
    for browser in [Browser::Chromium, Browser::Firefox] {
        with_page("keys", browser, every_key).await;
    }
}

async fn every_key(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    until(page, "the page is ready", READY).await?;
    let time = async || -> WebDriverResult<i64> { Ok(state(page).await?["time_ms"].as_i64().unwrap_or(-1)) };
    let type_ = async |keys: &str| -> WebDriverResult<()> { page.active_element().await?.send_keys(keys).await };
    let start = time().await?;
    type_("\u{e008}").await?;
    page.active_element().await?.send_keys(Key::Shift + Key::Left).await?;
    let changed = state_is(page, "⇧ ← goes to the last change", |s| s["time_ms"].as_i64() < Some(start)).await?;
    page.active_element().await?.send_keys(Key::Home.value().to_string()).await?;
    state_is(page, "Home", |s| s["time_ms"] == 0).await?;
    // Each press is awaited: the next must not be sent before the page has drawn the last one's effect.
    let mut now = state(page).await?;
    for _ in 0..20 {
        page.active_element().await?.send_keys(Key::Shift + Key::Right).await?;
        now = state_is(page, "⇧ → goes on", |s| *s != now).await?;
        if now["time_ms"].as_i64() >= changed["time_ms"].as_i64() {
            break;
        }
    }
    state_is(page, "⇧ → comes to it again", |s| s["time_ms"] == changed["time_ms"]).await?;
    type_("]").await?;
    says(page, "10 × real time").await?;
    type_("[").await?;
    says(page, "5 × real time").await?;
    type_("g").await?;
    until(page, "g asks for a time", "return document.activeElement.id === 'goto'").await?;
    type_("0:12").await?;
    keys(page, [Key::Enter]).await?;
    state_is(page, "g goes there", |s| s["time_ms"] == 12_000).await?;
    for (key, name) in [("1", "decision"), ("3", "second"), ("4", "change"), ("2", "heartbeat")] {
        type_(key).await?;
        until(page, key, &format!("return document.querySelector('#step').value === {name:?}")).await?;
    }
    type_(" ").await?;
    until(page, "Space plays", "return document.querySelector('#play').getAttribute('aria-label') === 'Pause'").await?;
    state_is(page, "time runs", |s| s["time_ms"].as_i64() > Some(12_500)).await?;
    type_(" ").await?;
    until(page, "Space pauses", "return document.querySelector('#play').getAttribute('aria-label') === 'Play'").await?;
    // On a button as well, which is pressed by Enter.
    let focus = "const b = [...document.querySelectorAll('#what button, .what button')].find((b) => !b.disabled && b.checkVisibility({ visibilityProperty: true })); \
            b.focus(); b.addEventListener('click', () => { window.pressed = true; }, { capture: true }); return document.activeElement === b";
    until(page, "a button has the focus", focus).await?;
    for word in ["Pause", "Play"] {
        type_(" ").await?;
        until(
            page,
            "Space plays and pauses",
            &format!("return document.querySelector('#play').getAttribute('aria-label') === {word:?}"),
        )
        .await?;
    }
    until(page, "the button was not pressed", "return !window.pressed").await?;
    for (key, panel) in [("w", "where"), ("y", "why"), ("e", "what")] {
        type_(key).await?;
        until(page, key, &format!("return document.activeElement.id === {panel:?}")).await?;
    }
    Ok(())
}

/// The number of tab stops inside an element.
const STOPS: &str = "return [...document.querySelector(arguments[0]).querySelectorAll('button, a, input, select, [tabindex]')].filter((e) => e.tabIndex >= 0).length";

#[tokio::test(flavor = "multi_thread")]
async fn the_palette_finds_things_and_acts_and_words_open_what_they_mean() {
    with_page("palette", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        let find = async |words: &str, line: &str| -> WebDriverResult<()> {
            page.active_element().await?.send_keys(Key::Control + "k").await?;
            until(page, "Ctrl K opens it", "return document.activeElement.id === 'find-command'").await?;
            page.active_element().await?.send_keys(words).await?;
            let there = format!("return document.querySelector('#commands [aria-selected=true]')?.textContent === {line:?}");
            until(page, line, &there).await?;
            keys(page, [Key::Enter]).await?;
            until(page, "it closes", "return !document.querySelector('dialog[open] #commands')").await
        };
        find("n2", "n2node").await?;
        state_is(page, "the node is chosen", |s| s["selection"] == "node:n2").await?;
        find("to the start", "To the startact").await?;
        state_is(page, "time is at the start", |s| s["time_ms"] == 0).await?;
        find("examples", "Examplesact").await?;
        until(page, "a dialog from the palette", "return !!document.querySelector('dialog[open] #find-example')").await?;
        keys(page, [Key::Escape]).await?;
        find("end", "To the endact").await?;
        let stops = page.execute(STOPS, vec![serde_json::json!("#under table")]).await?.json().clone();
        assert_eq!(stops, 1, "the list of events is one stop of Tab");
        // A word in WHY opens its definition, and returns the focus.
        load(page, &scenario("q19-user-limit-factor")).await?;
        choose(page, "app:job").await?;
        let word = "const b = [...document.querySelectorAll('.why button.v')].find((b) => b.textContent === 'user limit'); b?.focus(); b?.click(); return !!b";
        until(page, "the word", word).await?;
        until(page, "what it means", "return document.querySelector('.pop')?.innerText.includes('How much one user may use of a leaf queue')").await?;
        keys(page, [Key::Escape]).await?;
        until(page, "closed, and the focus is back", "return !document.querySelector('.pop') && document.activeElement.textContent === 'user limit'").await?;
        Ok(())
    })
    .await;
}

/// The visible part of an element's height.
const SEEN: &str = "const r = document.querySelector(arguments[0]).getBoundingClientRect(); return Math.round(Math.min(r.bottom, innerHeight) - r.top)";

#[tokio::test(flavor = "multi_thread")]
async fn an_embedded_picture_is_seen_and_labels_stand_beside_their_fields() {
    with_page("embed", Browser::Chromium, async |open| {
        let page = &open.page;
        page.set_window_rect(0, 0, 900, 560).await?;
        page.goto(format!("{}#embed", open.site.url)).await?;
        page.refresh().await?;
        until(page, "the page is ready", READY).await?;
        until(page, "it is embedded", "return !!document.querySelector('.app.embed')").await?;
        let seen = page.execute(SEEN, vec![json!(".stage")]).await?.json().as_i64();
        assert!(seen > Some(180), "{seen:?} pixels of the picture are seen");
        page.set_window_rect(0, 0, 1280, 900).await?;
        page.goto(&open.site.url).await?;
        page.refresh().await?;
        until(page, "the page is ready", READY).await?;
        pick(page, "what", "Settings").await?;
        until(page, "the settings", "return !!document.querySelector('.what .fields select.wide')").await?;
        let apart = "const middle = (e) => { const r = e.getBoundingClientRect(); return r.y + r.height / 2; }; \
            return [...document.querySelectorAll('.what .fields label')].filter((l) => Math.abs(middle(l) - middle(l.nextElementSibling)) > 14).map((l) => l.textContent)";
        let apart = page.execute(apart, Vec::new()).await?.json().clone();
        assert_eq!(apart, json!([]), "labels that stand apart from their fields");
        Ok(())
    })
    .await;
}

/// Focuses and activates with Enter what a script finds; the focus is on some control afterwards.
async fn keeps_focus(page: &WebDriver, what: &str, find: &str, inside: &str) -> WebDriverResult<()> {
    until(page, what, &format!("const e = {find}; e?.focus(); return !!e && document.activeElement === e")).await?;
    keys(page, [Key::Enter]).await?;
    let script = format!("const e = document.activeElement; return e !== document.body && !!e.closest({inside:?})");
    until(page, &format!("the focus after {what}"), &script).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_focus_stays_where_the_hand_was() {
    with_page("focus", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        let labelled = |label: &str| format!("[...document.querySelectorAll('button')].find((b) => (b.ariaLabel ?? b.textContent).startsWith({label:?}))");
        keeps_focus(page, "a node", "document.querySelector('#add-node')", ".where").await?;
        keeps_focus(page, "Undo, then disabled", &labelled("Undo"), ".top").await?;
        keeps_focus(page, "Redo, then disabled", &labelled("Redo"), ".top").await?;
        keeps_focus(page, "To the start, then disabled", "document.querySelector('.when button')", ".when").await?;
        keys(page, [Key::End]).await?;
        // The first visit begins with the spec alone.
        click(page, "#what .rest > summary").await?;
        keeps_focus(page, "an application that is removed", "document.querySelector('.what button[aria-label^=Remove], .what button[title^=Remove]')", ".what").await?;
        keeps_focus(page, "Undo", &labelled("Undo"), ".top").await?;
        keeps_focus(page, "Undo of the node", &labelled("Undo"), ".top").await?;
        keeps_focus(page, "a request", "document.querySelector('.ghosts button')", ".where").await?;
        let over = "return !!document.querySelector('.why button[aria-label^=\"Try: \"]') && !document.querySelector('.why').innerText.includes('Trying changes')";
        until(page, "the search is over", over).await?;
        keeps_focus(page, "Try", &labelled("Try: "), ".compare").await?;
        keeps_focus(page, "taking it over", "document.querySelector('#take-over')", ".app").await?;
        Ok(())
    })
    .await;
}

/// What a screen reader gets of the headline while playing: no more than can be spoken.
#[tokio::test(flavor = "multi_thread")]
async fn the_headline_is_spoken_every_two_seconds_at_most_while_playing() {
    with_page("spoken", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        load(page, &scenario("q11-stolen-back")).await?;
        keys(page, [Key::Home]).await?;
        let listen = "window.spoken = []; const r = document.querySelector('.head [role=status]'); \
            new MutationObserver(() => spoken.push([performance.now(), r.textContent])).observe(r, { characterData: true, childList: true, subtree: true }); \
            window.drawn = 0; new MutationObserver(() => drawn++).observe(document.querySelector('#headline'), { characterData: true, childList: true, subtree: true })";
        page.execute(listen, Vec::new()).await?;
        page.active_element().await?.send_keys(" ").await?;
        until(page, "the headline changes often and is spoken three times", "return drawn >= 6 && spoken.length >= 3").await?;
        page.active_element().await?.send_keys(" ").await?;
        let spoken = page.execute("return spoken.map((s) => s[0])", Vec::new()).await?.json().clone();
        let at: Vec<f64> = spoken.as_array().into_iter().flatten().filter_map(serde_json::Value::as_f64).collect();
        // The last may be the one that stopping announces at once.
        for pair in at[..at.len() - 1].windows(2) {
            assert!(pair[1] - pair[0] > 1_900.0, "spoken at {at:?} ms");
        }
        Ok(())
    })
    .await;
}

// ---- drafts, and files of one's own

#[tokio::test(flavor = "multi_thread")]
async fn drafts_are_a_ring_of_ten_and_a_saved_file_opens_again() {
    with_page("drafts", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        for i in 1..=12 {
            let scenario = format!("heddle = 1\ntitle = \"draft {i}\"\n[[nodes]]\nname = \"n\"\nsize = \"4 GB/4\"\n");
            load(page, &scenario).await?;
            let title = page.query(By::Css(".top .title")).wait(PATIENCE, EVERY).first().await?;
            title.send_keys(" edited").await?;
            title.send_keys(Key::Enter.value().to_string()).await?;
            state_is(page, "the title is edited", |s| s["text"].as_str().is_some_and(|t| t.contains("edited"))).await?;
        }
        // A stand-in catches the saved file, which must be the scenario's text.
        let catch = "window.saved = []; const make = URL.createObjectURL; \
            URL.createObjectURL = (blob) => { blob.text().then((t) => saved.push(t)); return make.call(URL, blob); };";
        page.execute(catch, vec![]).await?;
        press(page, "Share").await?;
        press(page, "Save as file").await?;
        until(page, "the file", "return window.saved.length === 1").await?;
        let saved: String = page.execute("return window.saved[0]", vec![]).await?.convert()?;
        assert_eq!(json!(saved), state(page).await?["text"], "the file is the text");
        press(page, "Drafts kept in this browser").await?;
        let rows = "return [...document.querySelectorAll('dialog tbody tr')].map((e) => e.innerText.split('\\t')[0])";
        until(page, "the drafts", "return document.querySelectorAll('dialog tbody tr').length > 0").await?;
        let rows: Vec<String> = page.execute(rows, vec![]).await?.convert()?;
        assert_eq!(rows.len(), 10, "{rows:?}");
        assert!(
            rows[0].contains("draft 12") && rows.iter().all(|r| !r.contains("draft 1 ") && !r.contains("draft 2 ")),
            "{rows:?}"
        );
        press(page, &rows[9]).await?;
        state_is(page, "an old draft is open", |s| s["text"].as_str().is_some_and(|t| t.contains("draft 3"))).await?;
        drop_file(page, "saved.toml", &saved, 0).await?;
        state_is(page, "the saved file is open", |s| s["text"] == json!(saved)).await?;
        Ok(())
    })
    .await;
}

// ---- queues changed while time stands still

const XML: &str = r#"<?xml version="1.0"?>
<configuration>
  <!-- keep me -->
  <property><name>yarn.scheduler.capacity.root.queues</name><value>a,b</value></property>
  <property><name>yarn.scheduler.capacity.root.a.capacity</name><value>30</value></property>
  <property><name>yarn.scheduler.capacity.root.a.maximum-capacity</name><value>30</value></property>
  <property><name>yarn.scheduler.capacity.root.b.capacity</name><value>70</value></property>
  <property><name>yarn.scheduler.capacity.root.a.user-limit-factor</name><value>9</value></property>
  <property><name>acme.own.key</name><value>kept</value></property>
</configuration>
"#;

#[tokio::test(flavor = "multi_thread")]
async fn queues_change_by_form_and_by_file_from_the_start_or_as_a_refresh() {
    with_page("queues", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        let scenario = format!(
            "heddle = 1\ntitle = \"two queues\"\nscheduling = \"heartbeat\"\nuntil = \"60 s\"\n[files]\n\"capacity-scheduler.xml\" = '''\n{XML}'''\n\
             [[nodes]]\nname = \"n\"\nsize = \"10 GB/10\"\n[[apps]]\nname = \"job\"\nqueue = \"root.a\"\nuser = \"ann\"\nam = \"1 GB/1\"\n\
             tasks = [{{ count = 6, size = \"1 GB/1\", duration = \"forever\" }}]\n"
        );
        load(page, &scenario).await?;
        call(page, "heddle.seek(20000)", vec![]).await?;
        // The chain has the file's own property and its line.
        let why = text(page, "#why").await?;
        assert!(why.contains("root.a.maximum-capacity = 30 (capacity-scheduler.xml, line 6)"), "{why}");
        pick(page, "what", "Queues").await?;
        let field = async |value: &str| -> WebDriverResult<()> {
            click(page, "#where [data-sel='queue:root.a']").await?;
            let script = "const f = document.querySelector('#q-maximum-capacity'); f.value = arguments[0]; \
                f.dispatchEvent(new Event('change', { bubbles: true }))";
            page.query(By::Css("#q-maximum-capacity")).wait(PATIENCE, EVERY).first().await?;
            page.execute(script, vec![json!(value)]).await.map(|_| ())
        };
        // By form from the start: the file has it, and keeps its other content.
        field("40").await?;
        let wide = |n: i64| move |s: &Value| s["snapshot"]["apps"][0]["placed"].as_i64() == Some(n);
        let seen = state_is(page, "three fit into 40 %", wide(3)).await?;
        let written = seen["text"].as_str().unwrap_or("").to_owned();
        assert!(written.contains("<!-- keep me -->") && written.contains("acme.own.key") && !written.contains("refresh"), "{written}");
        // By form as a refresh: a happening at this moment; running containers continue.
        press(page, "as a refresh now").await?;
        field("60").await?;
        state_is(page, "a refresh stands in the scenario", |s| s["text"].as_str().is_some_and(|t| t.contains("do = \"refresh\""))).await?;
        call(page, "heddle.seek(10000)", vec![]).await?;
        state_is(page, "before the refresh three run", wide(3)).await?;
        call(page, "heddle.seek(30000)", vec![]).await?;
        state_is(page, "after it five run", wide(5)).await?;
        // The same file as text, with the form's change; and changed there.
        pick(page, "what", "text").await?;
        until(page, "the file in force", "return document.querySelector('#what textarea')?.value.includes('<value>60</value>')").await?;
        let file: String = page.execute("return document.querySelector('#what textarea').value", vec![]).await?.convert()?;
        assert!(file.contains("<!-- keep me -->") && file.contains("acme.own.key"), "{file}");
        paste(page, "#what textarea", &file.replace("<value>60</value>", "<value>100</value>")).await?;
        call(page, "heddle.seek(40000)", vec![]).await?;
        state_is(page, "the file's refresh lets all run", wide(6)).await?;
        // Properties without effect here stay in the file, and are listed.
        page.execute("document.querySelector('#what .kept').open = true", vec![]).await?;
        says_in(page, "#what .kept", "1 kept but not modelled").await?;
        says_in(page, "#what .kept", "acme.own.key").await?;
        // What a running ResourceManager needs.
        page.execute("document.querySelector('#what .export').open = true", vec![]).await?;
        says_in(page, "#mutation", "maximum-capacity").await?;
        // A file that the ResourceManager refuses is reported with property and line.
        press(page, "from the start").await?;
        let file: String = page.execute("return document.querySelector('#what textarea').value", vec![]).await?.convert()?;
        paste(page, "#what textarea", &file.replace("<value>70</value>", "<value>71</value>")).await?;
        until(page, "the refusal", "return document.querySelector('#what .problems')?.innerText.includes('sum to 101')").await?;
        says_in(page, "#what .problems", "Line 5").await?;
        // Back to the opened text.
        press(page, "Examples").await?;
        press(page, "Back to what was opened").await?;
        state_is(page, "as it was opened", |s| s["text"] == json!(scenario)).await?;
        Ok(())
    })
    .await;
}

/// All of a queue's figures on a narrow screen; its shares of a label and settings for all queues by form; and the short form
/// of a scenario edited as the equivalent file.
#[tokio::test(flavor = "multi_thread")]
async fn labels_and_everything_change_by_form_and_the_short_form_as_xml() {
    with_page("queues-labels", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        load(page, &support::page::scenario("q35-label-capacity-without-access")).await?;
        until(page, "two partitions", "return document.querySelectorAll('.qs table').length === 2").await?;
        let strip = text(page, ".qs").await?;
        assert!(strip.contains("share of 8 GB without a label") && strip.contains("share of 8 GB of label x"), "{strip}");
        for width in [1280, 500] {
            page.set_window_rect(0, 0, width, 900).await?;
            let seen = "const heads = [...document.querySelectorAll('.qs th')]; \
                return ['used', 'waiting', 'guarant.', 'max'].every((w) => heads.filter((h) => h.innerText === w && h.getBoundingClientRect().width > 0).length === 2) \
                && [...document.querySelectorAll('.qs td.num')].every((n) => { const r = n.getBoundingClientRect(); return r.width > 0 && r.right <= innerWidth; })";
            until(page, "all figures of each queue, for each label", seen).await?;
            let keys = "const all = [...document.querySelectorAll('#why .order')]; \
                return all.length > 0 && all.every((o) => o.scrollWidth <= o.clientWidth)";
            until(page, "no sort key is cut off", keys).await?;
            let head = "const h = document.querySelector('#headline'); return h.innerText.length > 50 && h.scrollHeight <= h.clientHeight + 1";
            until(page, "the whole headline is there", head).await?;
        }
        page.set_window_rect(0, 0, 1280, 900).await?;
        pick(page, "what", "Queues").await?;
        let field = async |queue: &str, id: &str, value: &str| -> WebDriverResult<()> {
            choose(page, queue).await?;
            until(page, id, &format!("return document.getElementById({id:?})")).await?;
            let script = "const f = document.getElementById(arguments[0]); f.value = arguments[1]; \
                f.dispatchEvent(new Event('change', { bubbles: true }))";
            page.execute(script, vec![json!(id), json!(value)]).await.map(|_| ())
        };
        let max_of_a = |share: f64| move |s: &Value| {
            s["snapshot"]["queues"].as_array().into_iter().flatten().any(|q| {
                q["path"] == "root.a" && q["partitions"][1]["absolute"][1].as_f64().is_some_and(|m| (m - share).abs() < 0.001)
            })
        };
        field("queue:root.a", "q-accessible-node-labels.x.maximum-capacity", "80").await?;
        state_is(page, "the label's maximum", max_of_a(0.8)).await?;
        field("queue:root", "all-maximum-am-resource-percent", "0.25").await?;
        let share = |s: &Value| s["text"].as_str().is_some_and(|t| t.contains("maximum-am-resource-percent = \"0.25\""));
        state_is(page, "what holds for all queues", share).await?;
        // As the file.
        pick(page, "what", "text").await?;
        until(page, "the file", "return document.querySelector('#what textarea')?.value.includes('<configuration>')").await?;
        let file: String = page.execute("return document.querySelector('#what textarea').value", vec![]).await?.convert()?;
        assert!(file.contains("<value>0.25</value>"), "{file}");
        // While it is being read, it has room for its lines, over the nodes, which do not move.
        let wide = "const f = document.querySelector('#what textarea'); const x = () => document.querySelector('#where').getBoundingClientRect().x; \
            document.activeElement.blur(); const before = [f.clientWidth, x()]; f.focus(); return f.clientWidth > 350 && before[0] < 350 && before[1] === x()";
        until(page, "a file has room for its lines", wide).await?;
        paste(page, "#what textarea", &file.replace("<value>0.25</value>", "<value>0.75</value>")).await?;
        let seen = state_is(page, "the file is the scenario's", |s| {
            s["text"].as_str().is_some_and(|t| t.contains("<value>0.75</value>"))
        })
        .await?;
        assert!(!seen["text"].as_str().unwrap_or_default().contains("[capacity-scheduler]"), "{}", seen["text"]);
        state_is(page, "and runs", max_of_a(0.8)).await?;
        // On a narrow screen the text that an import offers to show is shown.
        page.set_window_rect(0, 0, 500, 900).await?;
        let change = r#"{"update-queue": [{"queue-name": "root.a", "params": {"entry": [{"key": "user-limit-factor", "value": "2"}]}}]}"#;
        drop_file(page, "change.json", change, 0).await?;
        press(page, "Show the text").await?;
        let seen = "const area = document.querySelector('#what textarea'); \
            return area && area.getBoundingClientRect().height > 0 && area.value.includes('root.queues') \
            && area.scrollWidth <= area.clientWidth";
        until(page, "the text of the file", seen).await
    })
    .await;
}

/// Properties with a name in their names have a form: a user's weight, a label's share, a template's property, a user's limit
/// over the whole cluster; queues are added by name and removed.
#[tokio::test(flavor = "multi_thread")]
async fn properties_of_labels_users_and_templates_have_a_form_and_queues_come_and_go() {
    with_page("queues-named", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        let scenario = format!(
            "heddle = 1\ntitle = \"names\"\nscheduling = \"heartbeat\"\nuntil = \"60 s\"\n[files]\n\"capacity-scheduler.xml\" = '''\n{XML}'''\n\
             [[nodes]]\nname = \"n\"\nsize = \"10 GB/10\"\n[[apps]]\nname = \"job\"\nqueue = \"root.a\"\nuser = \"ann\"\nam = \"1 GB/1\"\n\
             tasks = [{{ count = 1, size = \"1 GB/1\", duration = \"forever\" }}]\n"
        );
        load(page, &scenario).await?;
        pick(page, "what", "Queues").await?;
        // Without a selection the form is the first leaf's.
        until(page, "the form of root.a", "return document.querySelector('#q-capacity')?.value === '30'").await?;
        let fill = async |id: &str, value: &str| -> WebDriverResult<()> {
            until(page, id, &format!("return document.getElementById({id:?})")).await?;
            let script = "const f = document.getElementById(arguments[0]); const pick = [...(f.options ?? [])]; \
                for (let d = f.closest('details'); d; d = d.parentElement.closest('details')) d.open = true; \
                f.value = pick.find((o) => o.text === arguments[1])?.value ?? arguments[1]; \
                for (const kind of ['input', 'change']) f.dispatchEvent(new Event(kind, { bubbles: true }))";
            page.execute(script, vec![json!(id), json!(value)]).await?;
            state(page).await.map(|_| ())
        };
        let has = |what: &'static str| {
            move |s: &Value| s["text"].as_str().is_some_and(|t| t.contains(&format!("<name>yarn.scheduler.capacity.{what}</value>")))
        };
        const ADD: &str = "form:has(#qadd-of) button";
        fill("qadd-of", "user-settings.<user>.weight").await?;
        let users = "return [...document.querySelectorAll('#qadd-names option')].map((o) => o.value).includes('ann')";
        until(page, "the scenario's users are suggested", users).await?;
        fill("qadd-name", "ann").await?;
        fill("qadd-value", "heavy").await?;
        says_in(page, "form:has(#qadd-of)", "heavy is not a number").await?;
        fill("qadd-value", "0.5").await?;
        click(page, ADD).await?;
        state_is(page, "the user's weight", has("root.a.user-settings.ann.weight</name>\n    <value>0.5")).await?;
        // It is a field like the others now; emptied, it is removed.
        fill("q-user-settings.ann.weight", "0.25").await?;
        state_is(page, "another weight", has("root.a.user-settings.ann.weight</name>\n    <value>0.25")).await?;
        fill("q-user-settings.ann.weight", "").await?;
        state_is(page, "no weight", |s| !s["text"].as_str().is_some_and(|t| t.contains("ann.weight"))).await?;
        // A label that the cluster does not have.
        fill("qadd-of", "accessible-node-labels.<label>.capacity").await?;
        fill("qadd-name", "gpu").await?;
        fill("qadd-value", "100").await?;
        click(page, ADD).await?;
        state_is(page, "the label's share", has("root.a.accessible-node-labels.gpu.capacity</name>\n    <value>100")).await?;
        // A template's property is checked like the property itself, and has a choice where that has one.
        fill("qadd-of", "auto-queue-creation-v2.template.<property>").await?;
        fill("qadd-name", "capcity").await?;
        says_in(page, "form:has(#qadd-of)", "capcity is not a property of a queue").await?;
        fill("qadd-name", "auto-queue-creation-v2.enabled").await?;
        until(page, "a choice", "return document.querySelector('select#qadd-value')").await?;
        fill("qadd-value", "true").await?;
        fill("qadd-queue", "root.*").await?;
        click(page, ADD).await?;
        let given = has("root.*.auto-queue-creation-v2.template.auto-queue-creation-v2.enabled</name>\n    <value>true");
        state_is(page, "what the template gives", given).await?;
        // Nobody: one blank.
        fill("q-acl_submit_applications", " ").await?;
        state_is(page, "one blank", has("root.a.acl_submit_applications</name>\n    <value> ")).await?;
        // A property of the whole scheduler, at the root, where the template is as well.
        choose(page, "queue:root").await?;
        fill("q-*.auto-queue-creation-v2.template.auto-queue-creation-v2.enabled", "false").await?;
        fill("alladd-of", "user.<user>.max-parallel-apps").await?;
        fill("alladd-name", "ann").await?;
        fill("alladd-value", "3").await?;
        click(page, "form:has(#alladd-of) button").await?;
        state_is(page, "the user's limit", has("user.ann.max-parallel-apps</name>\n    <value>3")).await?;
        // Queues are added by name, and removed with their settings; the others get the share.
        fill("q-child", "etl").await?;
        press(page, "+ Child").await?;
        let there = |s: &Value| s["snapshot"]["queues"].as_array().into_iter().flatten().any(|q| q["path"] == "root.etl");
        state_is(page, "root.etl is there", there).await?;
        choose(page, "queue:root.a").await?;
        press(page, "Remove root.a").await?;
        let seen = state_is(page, "root.a is gone", |s| s["snapshot"]["queues"].as_array().is_some_and(|q| q.len() == 3)).await?;
        let text = seen["text"].as_str().unwrap_or_default();
        assert!(!text.contains("capacity.root.a.") && text.contains("acme.own.key") && text.contains("<!-- keep me -->"), "{text}");
        assert!(has("root.b.capacity</name><value>100")(&seen), "{text}");
        Ok(())
    })
    .await;
}

/// The worker's answers about a scenario that was left are not shown for the present one.
#[tokio::test(flavor = "multi_thread")]
async fn answers_about_a_scenario_that_was_left_are_dropped() {
    with_page("left", Browser::Chromium, async |open| {
        let page = &open.page;
        // As soon as possible: the first visit's scenario, which has a warning, is still being loaded.
        until(page, "the page can be driven", "return window.heddle").await?;
        load(page, "heddle = 1\ntitle = \"Nothing\"\n[[nodes]]\nname = \"n1\"\nsize = \"8 GB/8\"\n").await?;
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        let state = self::state(page).await?;
        assert!(state["text"].as_str().is_some_and(|t| t.contains("Nothing")));
        assert_eq!(state["problems"], serde_json::json!([]), "none of these is about this scenario");
        Ok(())
    })
    .await;
}
