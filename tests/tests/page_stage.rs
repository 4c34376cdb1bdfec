//! The stage of the built page: how many nodes fit, how cells fill it, one mapping of colours everywhere, and what is
//! reachable on narrow and low screens.
#![cfg(not(target_arch = "wasm32"))]
mod support;

use serde_json::{Value, json};
use std::fmt::Write as _;
use support::page::{READY, call, choose, click, load, press, state_is, text, window};
use support::{Browser, until, with_page};
use thirtyfour::prelude::*;

/// What a generated scenario has.
#[derive(Clone, Copy)]
struct Sizes {
    nodes: usize,
    racks: usize,
    apps: usize,
    queues: usize,
    /// The memory of a node in GB.
    memory: usize,
}

/// Returns a scenario in which something waits that no node may take.
fn cluster(s: Sizes) -> String {
    let Sizes { nodes, racks, apps, queues, memory } = s;
    let names: Vec<String> = (0..queues).map(|i| format!("q{i}")).collect();
    let mut out = format!(
        "heddle = 1\ntitle = \"{nodes} nodes\"\nscheduling = \"heartbeat\"\nuntil = \"20 s\"\n[capacity-scheduler]\n\
         root.queues = \"{}\"\nmaximum-am-resource-percent = 0.5\n",
        names.join(",")
    );
    for q in &names {
        let share = 100.0 / queues as f64;
        let _ = writeln!(
            out,
            "root.{q}.capacity = {share}\nroot.{q}.maximum-capacity = 100\nroot.{q}.user-limit-factor = 10"
        );
    }
    let _ =
        writeln!(out, "[[nodes]]\nname = \"n{{0001}}\"\ncount = {nodes}\nracks = {racks}\nsize = \"{memory} GB/8\"");
    for a in 0..apps {
        let _ = writeln!(
            out,
            "[[apps]]\nname = \"job{a}\"\nqueue = \"q{}\"\nuser = \"u{}\"\nam = \"1 GB/1\"\n\
             tasks = [{{ count = 12, size = \"2 GB/1\", duration = \"forever\" }}]",
            a % queues,
            a % 5
        );
    }
    out + "[[apps]]\nname = \"picky\"\nqueue = \"q0\"\nuser = \"bob\"\nam = \"1 GB/1\"\n\
           tasks = [{ count = 1, size = \"8 GB/1\", places = [\"n0001\"], relax = false, duration = \"forever\" }]\n"
}

const SMALL: Sizes = Sizes { nodes: 12, racks: 3, apps: 4, queues: 2, memory: 8 };

async fn number(page: &WebDriver, script: &str) -> WebDriverResult<f64> {
    page.execute(format!("return {script}"), vec![]).await?.convert()
}

#[tokio::test(flavor = "multi_thread")]
async fn twelve_nodes_and_a_rack_of_twenty_fit_and_bars_grow_with_the_window() {
    with_page("stage-fits", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        const FITS: &str = "(() => { const r = document.querySelector('#where .racks'); return r.scrollHeight <= r.clientHeight; })()";
        let many = |nodes, racks| Sizes { nodes, racks, ..SMALL };
        let fuller = |nodes, racks| Sizes { apps: 8, queues: 4, ..many(nodes, racks) };
        let fit = [SMALL, many(20, 1), Sizes { apps: 12, queues: 4, ..SMALL }, many(25, 1), many(25, 2), many(25, 4)];
        let fit = fit.into_iter().chain([1, 2, 3, 4, 5, 6].map(|racks| fuller(30, racks)));
        for sizes in fit {
            window(page, 1440, 900).await?;
            load(page, &cluster(sizes)).await?;
            call(page, "heddle.seek(9000)", vec![]).await?;
            click(page, "#where .gh").await?;
            until(page, "all nodes fit with a selection", &format!("return {FITS}")).await?;
            let bar = "document.querySelector('#where .bar').getBoundingClientRect().height";
            let before = number(page, bar).await?;
            assert!(before >= if sizes.nodes > 20 { 10.0 } else { 12.0 }, "bars of {before}");
            // Four racks side by side leave their names whole.
            let names = "return [...document.querySelectorAll('#where .rack > h3 > b')].every((b) => b.scrollWidth <= b.clientWidth + 1)";
            until(page, "racks have their names", names).await?;
            window(page, 2560, 1440).await?;
            until(page, "bars grow", &format!("return {bar} > {}", before + 4.0)).await?;
            until(page, "all nodes fit in a large window", &format!("return {FITS}")).await?;
        }
        // What waits and the nodes scroll apart.
        window(page, 1440, 500).await?;
        load(page, &cluster(Sizes { nodes: 30, racks: 1, apps: 12, ..SMALL })).await?;
        call(page, "heddle.seek(9000)", vec![]).await?;
        let apart = "const [a, b] = ['.lane', '.racks'].map((c) => document.querySelector('#where ' + c)); a.scrollTop = 50; \
                     return a.scrollTop > 0 && b.scrollTop === 0";
        until(page, "the lane scrolls alone", apart).await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_colour_means_one_thing_everywhere_and_many_applications_have_their_queues_colours() {
    with_page("stage-colours", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        load(page, &cluster(Sizes { apps: 8, queues: 4, ..SMALL })).await?;
        let chosen =
            "document.querySelector('#where .seg [aria-checked=true], #where .seg [aria-pressed=true]').innerText";
        until(page, "nine applications have their queues' colours", &format!("return {chosen} === 'queue'")).await?;
        call(page, "heddle.seek(9000)", vec![]).await?;
        // An application that both has containers and waits.
        let both = "return [...document.querySelectorAll('#where .gh')].map((g) => g.dataset.family) \
                    .find((f) => f.startsWith('app:job') && document.querySelector(`#where .c[data-family='${f}']`))";
        let app: String = page.execute(both, vec![]).await?.convert()?;
        choose(page, &app).await?;
        // The class of a fill: k1 to k8, with the pattern of what comes after the eighth.
        let fill = |css: &str| {
            format!("[...document.querySelector({css:?}).classList].filter((c) => /^[kp][0-9]$/.test(c)).join(' ')")
        };
        let places = [
            format!("#where .c[data-family='{app}']"),
            format!("#where .gh[data-family='{app}']"),
            format!(".what [data-sel='{app}'] .sw"),
            "#why .thing .sw".to_owned(),
            format!("#where .qb [data-family='{app}']"),
        ];
        for by in ["queue", "user", "app"] {
            press(page, by).await?;
            let first: String = page.execute(format!("return {}", fill(&places[0])), vec![]).await?.convert()?;
            assert!(!first.is_empty() && first != "k0", "{by}: {first}");
            for place in &places {
                until(page, &format!("by {by}, {place} has {first}"), &format!("return {} === {first:?}", fill(place)))
                    .await?;
            }
            let grey = number(page, "document.querySelectorAll('#where .c.k0, #where .gh.k0').length").await?;
            assert_eq!(grey, 0.0, "by {by} nothing is grey");
        }
        let legend: String =
            page.execute("return document.querySelector('#where .legend').innerText", vec![]).await?.convert()?;
        assert!(legend.contains("job0"), "{legend}");
        // A choice stays, for few applications too.
        load(page, &cluster(SMALL)).await?;
        until(page, "the choice stays", &format!("return {chosen} === 'app'")).await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn thousands_of_nodes_fill_the_stage_and_the_rack_under_the_pointer_opens() {
    with_page("stage-cells", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        load(page, &cluster(Sizes { nodes: 2000, racks: 20, apps: 4, queues: 2, memory: 192 })).await?;
        call(page, "heddle.seek(8000)", vec![]).await?;
        let of = "(css) => { const r = document.querySelector(css).getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; }";
        let filled = format!(
            "const of = {of}; const [s, t, o] = ['.stage', '.tiles', '.opened'].map((c) => of('#where ' + c)); \
             const tiles = [...document.querySelectorAll('#where .tile')].map((e) => e.getBoundingClientRect()); \
             return tiles.length === 20 && s[3] - t[3] < 24 && s[2] - o[2] < 40 && Math.max(...tiles.map((r) => r.bottom)) > t[3] - 4 \
                 && tiles.every((r) => r.bottom <= s[3] && r.right <= o[0])"
        );
        until(page, "20 racks fill the stage", &filled).await?;
        let coloured = "return [...document.querySelectorAll('#where .tile path')].some((p) => /^k[1-8]/.test(p.getAttribute('class')))";
        until(page, "cells have the chosen colours", coloured).await?;
        until(page, "memory in TB", "return document.querySelector('#where .qs').innerText.includes('375 TB')").await?;
        let before: Value = page.execute(format!("return ({of})('#where .opened')"), vec![]).await?.json().clone();
        let seventh = page.find(By::Css("#where .tile[data-rack='/r7'], #where .tile[data-rack='r7']")).await?;
        page.action_chain().move_to_element_center(&seventh).perform().await?;
        let opened = "return document.querySelector('#where .opened h3').innerText.includes('r7') && document.querySelectorAll('#where .opened .node').length === 100";
        until(page, "the rack under the pointer is opened", opened).await?;
        let after: Value = page.execute(format!("return ({of})('#where .opened')"), vec![]).await?.json().clone();
        assert_eq!(before, after, "its room is reserved");
        click(page, "#where .opened .nn").await?;
        until(page, "a node of it can be selected", "return document.querySelector('#where .tile .sel') !== null").await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn queues_that_hold_and_want_nothing_share_a_line() {
    with_page("stage-queues", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        load(page, &cluster(Sizes { apps: 3, queues: 10, ..SMALL })).await?;
        call(page, "heddle.seek(9000)", vec![]).await?;
        until(
            page,
            "seven are folded",
            "return document.querySelector('#where .qs .idle').innerText.startsWith('7 hold and want nothing')",
        )
        .await?;
        let height = "document.querySelector('#where .qs').getBoundingClientRect().height";
        let before = number(page, height).await?;
        // One that is selected has its row.
        click(page, "#where .qs .idle [data-sel='queue:root.q8']").await?;
        until(
            page,
            "six are",
            "return document.querySelector('#where .qs .idle').innerText.startsWith('6 hold and want nothing')",
        )
        .await?;
        assert_eq!(number(page, height).await?, before, "the strip keeps its height");
        Ok(())
    })
    .await;
}

/// The parts that lie over one another, the nodes in sight, and whether the page is wider than the window.
const LAID: &str = "const seen = (e) => { const r = e.getBoundingClientRect(); return r.width > 0 && r.height > 0; }; \
    const of = (e) => e.getBoundingClientRect(); \
    const parts = ['.top', '.head', '.ptabs', '.what', '.where', '.why', '.tp', '.foot'].map((c) => document.querySelector('#app ' + c) ?? document.querySelector(c)).filter((e) => e && seen(e)); \
    const over = parts.flatMap((a, i) => parts.slice(i + 1).filter((b) => { const [p, q] = [of(a), of(b)]; \
        return Math.min(p.right, q.right) - Math.max(p.left, q.left) > 1 && Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 1; }).map((b) => `${a.className} and ${b.className}`)); \
    const nodes = [...document.querySelectorAll('#where .node .bar')].filter((e) => { const r = of(e); const t = document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2); return t && (e.contains(t) || t === e); }).length; \
    return { over, nodes, wide: document.documentElement.scrollWidth > innerWidth }";

#[tokio::test(flavor = "multi_thread")]
async fn narrow_low_and_zoomed_windows_show_nodes_at_once_and_reach_everything() {
    with_page("stage-narrow", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        // The last two are a window of 1440 × 900 at 200 and 400 %.
        for (width, height) in [(390, 844), (844, 390), (720, 450), (360, 225)] {
            window(page, width, height).await?;
            let at = format!("{width} × {height}");
            let laid = page.execute(LAID, vec![]).await?.json().clone();
            assert_eq!(laid["over"], json!([]), "{at}: nothing lies over anything");
            assert!(laid["nodes"].as_i64() >= Some(1) && laid["wide"] == false, "{at}: {laid}");
            for (tab, css) in [("What", ".what"), ("When", "#under"), ("Why", "#why"), ("Where", "#where .node")] {
                let script = "const t = [...document.querySelectorAll('.ptabs [role=tab]')].find((t) => t.innerText === arguments[0]); t.click()";
                page.execute(script, vec![json!(tab)]).await?;
                until(page, &format!("{at}: {tab}"), &format!("return document.querySelector({css:?})?.getClientRects().length > 0")).await?;
                let laid = page.execute(LAID, vec![]).await?.json().clone();
                assert_eq!(laid["over"], json!([]), "{at}, {tab}: nothing lies over anything");
            }
            until(page, &format!("{at}: the speed"), "return document.querySelector('select[aria-label=\"Speed of playing\"]').getClientRects().length > 0").await?;
            click(page, ".menu-opens").await?;
            let items = "return [...document.querySelectorAll('#menu button')].filter((b) => b.getClientRects().length).map((b) => b.innerText.split(':')[0]).join()";
            let items: String = page.execute(items, vec![]).await?.convert()?;
            assert_eq!(items, "Undo,Redo,Leave the edits,Compare,Examples,Import,New,Drafts,All commands,Keys and help", "{at}");
            let last = "#menu li:last-child button";
            click(page, last).await?;
            until(page, &format!("{at}: help opens and the menu is shut"), "return !!document.querySelector('dialog[open]') && !document.querySelector('#menu').matches(':popover-open')").await?;
            page.active_element().await?.send_keys(Key::Escape.value().to_string()).await?;
            until(page, "help is shut", "return !document.querySelector('dialog[open]')").await?;
        }
        Ok(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_cluster_gets_nodes_and_what_is_added_gets_the_focus() {
    with_page("stage-empty", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        press(page, "New").await?;
        state_is(page, "an empty cluster", |s| s["snapshot"]["headline"] == "A cluster needs nodes.").await?;
        click(page, "#first-nodes").await?;
        state_is(page, "four nodes", |s| s["snapshot"]["headline"] == "4 nodes, nobody asks.").await?;
        until(page, "the first node has the focus", "return document.activeElement.dataset.sel === 'node:n1'").await?;
        press(page, "+ Distributed shell").await?;
        let s = state_is(page, "the shell", |s| s["text"].as_str().is_some_and(|t| t.contains("shell1"))).await?;
        assert!(
            s["text"].as_str().is_some_and(|t| t.contains("placement-processor")),
            "its handler comes with it: {}",
            s["text"]
        );
        until(
            page,
            "the page says so",
            "return document.querySelector('.notice')?.innerText.includes('the handler placement-processor')",
        )
        .await?;
        until(page, "the application has the focus", "return document.activeElement.dataset.sel === 'app:shell1'")
            .await?;
        call(page, "heddle.seek(20000)", vec![]).await?;
        state_is(page, "it runs", |s| s["snapshot"]["apps"][0]["placed"].as_i64() > Some(0)).await?;
        // A notice goes with its cause.
        press(page, "Undo: add shell1, with the handler placement-processor that its constraint needs").await?;
        until(
            page,
            "the notice is of the undoing",
            "return !document.querySelector('.notice')?.innerText.includes('Changed')",
        )
        .await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn events_are_those_of_the_selection_and_all_that_is_listed_is_saved_as_csv() {
    with_page("stage-events", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        load(page, &cluster(SMALL)).await?;
        call(page, "heddle.seek(9000)", vec![]).await?;
        choose(page, "app:job1").await?;
        let names = "[...document.querySelectorAll('#under tbody td:nth-child(3)')].map((e) => e.innerText)";
        until(page, "events of others too", &format!("return {names}.some((n) => n.startsWith('job0'))")).await?;
        click(page, "#only").await?;
        until(page, "only its own", &format!("const n = {names}; return n.length > 0 && n.every((n) => n.startsWith('job1'))")).await?;
        until(page, "they are on the track in its colour", "return document.querySelectorAll('.track .own.k2').length > 0").await?;
        let high = "return [...document.querySelectorAll('#under tbody tr')].map((r) => r.getBoundingClientRect().height).filter((h) => h > 24)";
        let high: Value = page.execute(high, vec![]).await?.json().clone();
        assert_eq!(high, json!([]), "rows of events have one line");
        let why = text(page, "#under tbody").await?;
        assert!(why.contains("its request of priority 20 takes any node"), "the reason of a placement: {why}");
        let watch = "window.saved = null; const make = URL.createObjectURL; URL.createObjectURL = (b) => { b.text().then((t) => { window.saved = t; }); return make.call(URL, b); }";
        page.execute(watch, vec![]).await?;
        click(page, "#csv").await?;
        until(page, "events are saved", "return window.saved?.startsWith('time,what,who,where,why') && window.saved.includes('job1')").await?;
        // Every list has rows to save; the chart follows the selection.
        for (tab, begins) in [("Requests", "r"), ("Charts", "queue,partition,resource,time_ms"), ("Table", "")] {
            page.execute("window.saved = null", vec![]).await?;
            click(page, &format!("#tab-{tab}")).await?;
            click(page, "#csv").await?;
            until(page, &format!("{tab} is saved"), &format!("return window.saved?.split('\\r\\n').length > 2 && window.saved.startsWith({begins:?})")).await?;
        }
        click(page, "#tab-Charts").await?;
        // Drawn anew when the system's theme changes.
        let drawn = "document.querySelector('.charts canvas').toDataURL()";
        page.execute(format!("window.light = {drawn}"), vec![]).await?;
        for (theme, same) in [("dark", false), ("light", true)] {
            let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": theme }] });
            page.cdp().send_raw("Emulation.setEmulatedMedia", media).await?;
            until(page, &format!("the chart is {theme}"), &format!("return ({drawn} === window.light) === {same}")).await?;
        }
        until(page, "the chart is of its queue", "return document.querySelector('.charts [aria-pressed=true]').innerText.includes('q1')").await?;
        until(page, "in its colour", "return document.querySelector('.charts .lg.us').classList.contains('k2')").await?;
        let as_table = "[...document.querySelectorAll('.charts .as button')].find((b) => b.innerText === 'table').click()";
        page.execute(as_table, vec![]).await?;
        until(page, "the chart as a table", "return document.querySelectorAll('.charts .rows tbody tr').length > 1").await
    })
    .await;
}
