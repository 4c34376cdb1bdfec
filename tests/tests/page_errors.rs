//! The built page when something is wrong, and its small parts: an error is visible where it was made, on small windows too;
//! Tab reaches everything, words open their definitions, and choices show their whole values.
#![cfg(not(target_arch = "wasm32"))]
mod support;

use serde_json::json;
use support::page::{FIRST, READY, choose, keys, load, press, scenario, state};
use support::{Browser, Open, until, with_page};
use thirtyfour::prelude::*;

const BOTH: [(&str, Browser); 2] = [("chromium", Browser::Chromium), ("firefox", Browser::Firefox)];

/// Sets the size of the page itself; the window has its frame beside it.
async fn room(page: &WebDriver, width: u32, height: u32) -> WebDriverResult<()> {
    page.set_window_rect(0, 0, width, height).await?;
    let frame = page.execute("return [innerWidth, innerHeight]", vec![]).await?;
    let [inner_width, inner_height]: [u32; 2] = frame.convert()?;
    page.set_window_rect(0, 0, 2 * width - inner_width, 2 * height - inner_height).await?;
    until(page, "the size", &format!("return innerWidth === {width} && innerHeight === {height}")).await
}

/// Shows an editor, wherever the panel is at this width.
async fn show(page: &WebDriver, tab: &str) -> WebDriverResult<()> {
    let script = "const press = (css, name) => { const b = [...document.querySelectorAll(css)].find((b) => b.textContent === name && b.getClientRects().length \
            && b.ariaExpanded !== 'true'); b?.click(); return b; }; \
        press('.ptabs button', 'What'); press('#what [role=tab]', arguments[0]) ?? press('.rail button', arguments[0])";
    page.execute(script, vec![json!(tab)]).await?;
    state(page).await?;
    until(page, tab, &format!("return document.querySelector('#what .wbody')?.getClientRects().length && document.querySelector('#what h2').textContent.toLowerCase() === {:?}", tab.to_lowercase())).await
}

// ---- errors

/// Returns whether the panel's first error and its field are fully visible.
const SEEN: &str = "const error = document.querySelector('.what :is(.msg:has(.rejected),.hp.rejected)'); \
    const field = document.querySelector('.what [aria-invalid=true]'); if (!error || !field) return `${!!error} ${!!field}`; \
    const room = document.querySelector('.wbody').getBoundingClientRect(); \
    const seen = (e) => { const r = e.getBoundingClientRect(); const at = document.elementFromPoint(r.x + 2, r.y + r.height / 2); \
        return r.height > 0 && r.top >= room.top - 1 && r.bottom <= Math.min(room.bottom, innerHeight) + 1 && (e.contains(at) || at?.contains(e)); }; \
    return seen(error) && seen(field) ? 'seen' : JSON.stringify([error, field, document.querySelector('.wbody')].map((e) => e.getBoundingClientRect()))";

/// Types into a field at the lower edge of the visible area, and leaves it.
async fn fill(page: &WebDriver, css: &str, typed: &str) -> WebDriverResult<()> {
    let script = "const field = document.querySelector(arguments[0]); field.scrollIntoView({ block: 'end' }); field.focus(); field.value = arguments[1]; \
        for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind, { bubbles: true }))";
    page.execute(script, vec![json!(css), json!(typed)]).await?;
    state(page).await.map(|_| ())
}

async fn errors(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    until(page, "the page is ready", READY).await?;
    let spec = "#what .code textarea";
    for (width, height) in [(1280, 800), (900, 600)] {
        room(page, width, height).await?;
        for (tab, css, typed, words, stops) in [
            ("Cluster", "#f-n0s", "1 XB", "1 XB is not an amount of memory.", false),
            ("Apps", "#f-a0t", "xyz", "xyz is not a time.", false),
            ("Apps", spec, "zk(3),NOTIN,MOON,zk", "MOON", false),
            ("Settings", "#f-t-node_heartbeat", "1e308 s", "1e308 s is not a time.", false),
            ("Settings", "#s-scheduler\\.minimum-allocation-mb", "x", "x is not", true),
            ("Queues", "#q-capacity", "150", "150 is not a capacity", true),
        ] {
            load(page, FIRST).await?;
            show(page, tab).await?;
            let what = format!("{width} × {height}: {css}: {typed}");
            let good = "return !document.querySelector('.what :is([aria-invalid=true],.msg:has(.rejected))')";
            until(page, "nothing is left of the error before", good).await?;
            until(page, &what, &format!("return !!document.querySelector({css:?})")).await?;
            fill(page, css, typed).await?;
            until(
                page,
                &format!("{what} is seen"),
                &format!("const told = (() => {{ {SEEN} }})(); return told === 'seen'"),
            )
            .await?;
            let told = "const told = [...document.querySelectorAll('.what :is(.problems,.hp.rejected)')].map((e) => e.innerText).join(' '); \
                return [document.querySelector('.what [aria-invalid=true]').matches(arguments[0]), told, document.querySelector('#headline').innerText]";
            let told = page.execute(told, vec![json!(css)]).await?;
            let (is_it, told, headline): (bool, String, String) = told.convert()?;
            assert!(is_it && told.contains(words), "{what}: {told}");
            assert_eq!(headline.contains("does not start"), stops, "{what}: {headline}");
            // No message about the former spec is shown for this one.
            assert!(css != spec || !told.contains("At most 2 of the 3"), "{what}: {told}");
        }
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_is_seen_where_it_was_made() {
    for (name, browser) in BOTH {
        with_page(&format!("errors-{name}"), browser, errors).await;
    }
}

// ---- reachable, readable, whole

/// Returns the terms that open in sentences: their forms and definitions.
fn terms() -> Vec<(Vec<&'static str>, &'static str)> {
    let listed = include_str!("../../docs/terms.md").lines();
    let listed = listed.filter_map(|line| line.strip_prefix("- **")?.split_once("**: "));
    listed.map(|(forms, says)| (forms.split(", ").collect(), says)).collect()
}

/// Returns each word of an answer that opens something, with what it opens.
const OPENED: &str = "const [done] = arguments; (async () => { const out = []; const frame = () => new Promise((r) => setTimeout(r, 60)); \
    for (const b of document.querySelectorAll('.why button.v')) { b.click(); await frame(); const pop = document.querySelector('.pop'); \
        out.push([b.textContent, [...(pop?.querySelectorAll('li') ?? [])].map((li) => li.textContent)]); \
        document.querySelector('.pop')?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true })); await frame(); } \
    return out; })().then(done, (e) => done(String(e)))";

/// Returns choices that are too narrow for one of their values, measured by the browser's own width.
const CUT: &str = "const all = [...document.querySelectorAll('#what select')].filter((s) => s.getClientRects().length); \
    const cut = all.filter((s) => { const free = s.cloneNode(true); free.removeAttribute('id'); \
        free.style.cssText = 'position:absolute;visibility:hidden;width:max-content;min-width:0;max-width:none'; s.parentElement.append(free); \
        const needs = free.getBoundingClientRect().width; free.remove(); return s.getBoundingClientRect().width < needs - 0.5; }); \
    return [all.length, cut.map((s) => s.id)]";

async fn reached(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    until(page, "the page is ready", READY).await?;
    // The legend scrolls if it is too long, so that keys must reach it.
    page.execute("document.querySelector('#where').focus()", vec![]).await?;
    let there = "return !!document.activeElement.closest('.legend')";
    let mut reached = false;
    for _ in 0..12 {
        page.active_element().await?.send_keys(Key::Tab.value().to_string()).await?;
        reached |= page.execute(there, vec![]).await?.json() == &json!(true);
    }
    assert!(reached, "Tab comes to the legend");
    // Words of answers open what docs/terms.md says, with the Kubernetes equivalent on a line of its own.
    let mut seen: Vec<String> = Vec::new();
    for (name, about) in [("q27-reservation", ""), ("q11-stolen-back", "queue:root.b"), ("q39-anti-affinity", "app:zk")]
    {
        load(page, &scenario(name)).await?;
        if !about.is_empty() {
            choose(page, about).await?;
        }
        let opened: Vec<(String, Vec<String>)> = page.execute_async(OPENED, vec![]).await?.convert()?;
        for (word, lines) in opened {
            let Some((_, says)) = terms().into_iter().find(|(forms, _)| forms.contains(&word.as_str())) else {
                continue;
            };
            let wanted: Vec<String> = match says.split_once(" Kubernetes: ") {
                Some((means, there)) => vec![means.into(), format!("Kubernetes: {there}")],
                None => vec![says.into()],
            };
            assert_eq!(lines, wanted, "{name}: {word}");
            seen.extend((lines.len() > 1).then_some(word));
        }
    }
    assert!(!seen.is_empty(), "a word with a word of Kubernetes is seen");
    // The sheet has all of them, with the everyday words.
    press(page, "Keys and help").await?;
    let sheet: String =
        page.execute("return document.querySelector('dialog[open]').textContent", vec![]).await?.convert()?;
    for (forms, says) in terms() {
        assert!(sheet.contains(&format!("{}{says}", forms.join(", "))), "{forms:?}");
    }
    keys(page, [Key::Escape]).await?;
    // Choices of the settings, wide and narrow, under each scheduler.
    load(page, FIRST).await?;
    for width in [1280, 900, 500] {
        room(page, width, 800).await?;
        show(page, "Settings").await?;
        let (all, cut): (usize, Vec<String>) = page.execute(CUT, vec![]).await?.convert()?;
        assert!(all >= 5 && cut.is_empty(), "{width}: of {all} choices these do not show all of a value: {cut:?}");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_is_reached_words_are_explained_and_choices_are_whole() {
    for (name, browser) in BOTH {
        with_page(&format!("reached-{name}"), browser, reached).await;
    }
}
