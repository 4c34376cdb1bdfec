//! How the built page draws long names, and resources beyond memory and vcores.
#![cfg(not(target_arch = "wasm32"))]
mod support;

use serde_json::{Value, json};
use support::page::{READY, call, choose, click, load, pick, press, state, text};
use support::{Browser, Open, Twist, complaints, finish, start, until, with_page};
use thirtyfour::prelude::*;

/// Returns names as in a large company's cluster.
fn long_names(nodes: usize) -> String {
    let queue = "analytics-team-fraud-detection-batch-production";
    format!(
        "heddle = 1\ntitle = \"Long names\"\nscheduling = \"heartbeat\"\nuntil = \"5 min\"\n[capacity-scheduler]\n\
         root.queues = \"{queue},other\"\nroot.{queue}.queues = \"{queue}-nightly,rest\"\nroot.{queue}.capacity = 60\n\
         root.{queue}.{queue}-nightly.capacity = 60\nroot.{queue}.rest.capacity = 40\nroot.other.capacity = 40\n\
         maximum-am-resource-percent = 0.9\n[[nodes]]\n\
         name = \"ip-10-20-{{01}}-hadoop-worker.eu-central-1.compute.cluster-internal.example.com\"\ncount = {nodes}\n\
         rack = \"/eu-central-1a/row-07/rack-0042-cluster-internal\"\nsize = \"8 GB/8\"\n[[apps]]\n\
         name = \"fraud-detection-analytics-nightly-recomputation-of-everything\"\n\
         user = \"svc-fraud-analytics-production@CLUSTER-internal\"\nqueue = \"{queue}-nightly\"\nam = \"1 GB/1\"\n\
         tasks = [{{ name = \"analytics-stage-one-wide-shuffle\", count = {}, size = \"2 GB/1\", duration = \"forever\" }}]\n\
         [[apps]]\nname = \"zk-analytics-ensemble-for-the-whole-cluster\"\nkind = \"distributed-shell\"\nat = \"2 s\"\n\
         queue = \"other\"\nuser = \"u\"\nspec = \"zk-analytics-tag-with-a-long-name({}),NOTIN,NODE,zk-analytics-tag-with-a-long-name\"\n\
         size = \"1 GB/1\"\n",
        nodes * 6,
        nodes + 1
    )
}

/// Returns every text with one of these names that its container cuts off, whether an ellipsis shows that, and whether the
/// whole is there on hover; and texts that overlap others.
const CUT: &str = r##"
const wrong = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
let cut = 0;
for (let t = walker.nextNode(); t; t = walker.nextNode()) {
  const e = t.parentElement;
  if (!/analytics|cluster-internal/.test(t.data) || e.closest("textarea, .vh") || !e.checkVisibility({ visibilityProperty: true })) continue;
  const range = document.createRange();
  range.selectNodeContents(t);
  const r = range.getBoundingClientRect();
  if (r.width === 0) continue;
  let a = e;
  while (a !== document.body && getComputedStyle(a).overflowX === "visible") a = a.parentElement;
  const style = getComputedStyle(a), box = a.getBoundingClientRect();
  const beyond = r.right > box.right + 1.5 || r.left < box.left - 1.5;
  if (!beyond || ["auto", "scroll"].includes(style.overflowX) && a !== document.body) continue;
  cut++;
  const whole = e.closest("[title]")?.title ?? "";
  if (style.textOverflow !== "ellipsis" || !whole.includes(t.data.trim()))
    wrong.push(`${t.data.trim()} in ${a.tagName}.${a.className}: ${style.textOverflow}, on hover “${whole}”`);
}
for (const heading of document.querySelectorAll(".nh")) {
  const [name, free] = [heading.querySelector(".nn"), heading.querySelector(".fr")].map((e) => e?.getBoundingClientRect());
  const own = heading.getBoundingClientRect();
  if (name.right > own.right + 1 || free?.width > 0 && name.right > free.left + 1) wrong.push(`${heading.textContent} lies over another`);
}
for (const button of document.querySelectorAll("#where [data-sel^='node:']"))
  if (!button.getAttribute("aria-label")?.includes(button.dataset.sel.slice(5))) wrong.push(`not spoken whole: ${button.outerHTML}`);
return [cut, wrong];
"##;

async fn names(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    until(page, "the page is ready", READY).await?;
    let (mut cut, mut wrong) = (0, Vec::new());
    for nodes in [3, 9, 40] {
        load(page, &long_names(nodes)).await?;
        call(page, "heddle.seek(60000)", vec![]).await?;
        // The headline ends with a clause, and cuts no name.
        let headline = text(page, "#headline").await?;
        let name = "analytics-team-fraud-detection-batch-production";
        assert!(!headline.contains("analytics-team") || headline.contains(name), "{headline}");
        assert!(headline.ends_with('.') && !headline.ends_with("-."), "{headline}");
        for (under, tab) in [("Events", "Cluster"), ("Requests", "Queues"), ("Table", "Apps")] {
            click(page, &format!("#tab-{under}")).await?;
            if page
                .execute("return !!document.querySelector('#what [role=tab]')?.checkVisibility()", vec![])
                .await?
                .json()
                == &json!(true)
            {
                pick(page, "what", tab).await?;
            }
            let request = page.execute("return document.querySelector('.gh')?.dataset.sel ?? ''", vec![]).await?;
            let request = request.json().as_str().unwrap_or_default().to_owned();
            let node = "node:ip-10-20-01-hadoop-worker.eu-central-1.compute.cluster-internal.example.com";
            let queue = "queue:root.analytics-team-fraud-detection-batch-production";
            for id in [request.as_str(), node, queue, "app:zk-analytics-ensemble-for-the-whole-cluster"] {
                choose(page, id).await?;
                let found = page.execute(CUT, vec![]).await?.json().clone();
                cut += found[0].as_u64().unwrap_or(0);
                let list = found[1].as_array().cloned().unwrap_or_default();
                wrong.extend(list.iter().map(|w| format!("{nodes} nodes, {under}, {tab}, {id}: {w}")));
            }
        }
    }
    wrong.dedup_by(|a, b| a.rsplit(": ").next() == b.rsplit(": ").next());
    assert!(wrong.is_empty(), "{} of {cut}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(cut > 20, "only {cut} are cut: are there none, or are they not found?");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_is_cut_shows_that_and_is_whole_on_hover() {
    for (browser, width) in [(Browser::Chromium, 1280), (Browser::Chromium, 1000), (Browser::Firefox, 1280)] {
        let Some(open) = start(browser, Twist::default(), width, 900).await else { continue };
        let result = names(&open).await;
        let seen = complaints(&open.page).await;
        finish(&format!("names-{width}-{browser:?}"), open, result, seen).await;
    }
}

/// Nodes with and without GPUs; the first one's size is a table, the second one's is in parts.
const GPUS: &str = "heddle = 1\ntitle = \"GPUs\"\nscheduling = \"heartbeat\"\nuntil = \"2 min\"\n[yarn-site]\n\
    \"yarn.scheduler.capacity.resource-calculator\" = \"org.apache.hadoop.yarn.util.resource.DominantResourceCalculator\"\n\
    [capacity-scheduler]\nroot.queues = \"default\"\nroot.default.capacity = 100\nmaximum-am-resource-percent = 0.9\n\
    resource-calculator = \"org.apache.hadoop.yarn.util.resource.DominantResourceCalculator\"\n\
    [[nodes]]\nname = \"big\"\nsize = { memory = \"16 GB\", vcores = 16, \"yarn.io/gpu\" = 4 }\n\
    [[nodes]]\nname = \"small\"\nmemory = \"16 GB\"\nvcores = 16\nresources = { \"yarn.io/gpu\" = 2 }\n\
    [[nodes]]\nname = \"plain\"\nsize = \"16 GB/16\"\n\
    [[apps]]\nname = \"train\"\nam = \"1 GB/1\"\n\
    tasks = [{ count = 3, size = { memory = \"1 GB\", vcores = 1, \"yarn.io/gpu\" = 2 }, duration = \"forever\" }]\n";

/// Returns for each node its name, and for each bar of a further resource its name, its text on hover, and the percentage of
/// each stripe.
const BARS: &str = "return Object.fromEntries([...document.querySelectorAll('#where .node')].map((n) => [n.querySelector('.nn').textContent, \
    [n.querySelector('.fr').textContent, ...[...n.querySelectorAll('.more')].map((m) => [m.querySelector('span').textContent, m.title, \
    [...m.querySelectorAll('i')].map((i) => Math.round(i.getBoundingClientRect().width / m.querySelector('.cores').getBoundingClientRect().width * 100))])]]))";

async fn gpus(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    until(page, "the page is ready", READY).await?;
    load(page, GPUS).await?;
    call(page, "heddle.seek(60000)", vec![]).await?;
    let bars: Value = page.execute(BARS, vec![]).await?.json().clone();
    assert_eq!(bars["plain"].as_array().map(Vec::len), Some(1), "it has none: {bars}");
    let near = |stripe: &Value, percent: i64| (stripe.as_i64().unwrap_or(0) - percent).abs() <= 2;
    for (node, total, used) in [("big", 4, 4), ("small", 2, 2)] {
        let (name, title, stripes) = (&bars[node][1][0], &bars[node][1][1], &bars[node][1][2]);
        assert_eq!((name, title), (&json!("gpu"), &json!(format!("yarn.io/gpu: {used} of {total} used"))), "{bars}");
        let stripes = stripes.as_array().cloned().unwrap_or_default();
        assert_eq!(stripes.len(), used / 2, "two GPUs each: {bars}");
        assert!(stripes.iter().all(|s| near(s, 200 / total as i64)), "{bars}");
        let free = bars[node][0].as_str().unwrap_or_default();
        assert!(free.contains("0 gpu"), "{free}");
    }
    // The form shows sizes in any notation, and writes them back.
    pick(page, "what", "Cluster").await?;
    let field = |i: usize| format!("return document.querySelector('#f-n{i}s').value");
    for (i, size) in [(0, "16 GB/16, yarn.io/gpu=4"), (1, "16 GB/16, yarn.io/gpu=2"), (2, "16 GB/16")] {
        assert_eq!(page.execute(field(i), vec![]).await?.json(), &json!(size));
    }
    let put = "const f = document.querySelector('#f-n1s'); f.focus(); f.value = '16 GB/16, yarn.io/gpu=8'; \
        f.dispatchEvent(new Event('change', { bubbles: true })); f.blur()";
    page.execute(put, vec![]).await?;
    support::page::state_is(page, "it is written", |s| {
        let text = s["text"].as_str().unwrap_or_default();
        text.contains("size = \"16 GB/16, yarn.io/gpu=8\"") && !text.contains("resources = {")
    })
    .await?;
    let bars: Value = page.execute(BARS, vec![]).await?.json().clone();
    assert!(bars["small"][1][1].as_str().is_some_and(|t| t.contains(" of 8 used")), "{bars}");
    pick(page, "what", "Apps").await?;
    assert_eq!(
        page.execute("return document.querySelector('#f-a0g0s').value", vec![]).await?.json(),
        &json!("1 GB/1, yarn.io/gpu=2")
    );
    press(page, "Undo: size of nodes").await?;
    assert!(state(page).await?["text"] == json!(GPUS), "taken back");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn further_resources_are_drawn_and_their_sizes_are_in_the_form() {
    with_page("gpus", Browser::Chromium, gpus).await;
}
