//! Only the cluster moves things on the built page: stepping, playing or selecting leaves every node where it was.
#![cfg(not(target_arch = "wasm32"))]
mod corpus;
mod support;

use serde_json::json;
use support::page::{READY, call};
use support::{Browser, Twist, complaints, finish, start, until};

/// The places of the boxes that must stay, by name; and the topology that may move them: nodes with their sizes, queues.
const BOXES: &str = r##"
const round = (e) => { const r = e.getBoundingClientRect(); return [r.left, r.top, r.width, r.height].map(Math.round).join(" "); };
const boxes = () => {
  const of = {};
  for (const css of [".head", ".words", ".where", ".stage", ".lane", ".racks", ".qs", ".why", ".when", ".tp", ".track"]) {
    const e = document.querySelector(`#app ${css}`);
    if (e) of[css] = round(e);
  }
  for (const node of document.querySelectorAll("#app .node")) of[node.querySelector(".nn").dataset.sel] = round(node);
  const sizes = [...document.querySelectorAll("#app .node")].map((n) => n.querySelector(".nn").dataset.sel + (n.querySelector(".bar")?.dataset.mb ?? ""));
  const queues = [...document.querySelectorAll("#app .qs .nm")].map((q) => q.dataset.sel);
  return { of, topology: [...sizes, "|", ...queues].join() };
};
const moved = (before, after) => before.topology === after.topology
  ? Object.keys(before.of).filter((name) => before.of[name] !== after.of[name]).map((name) => `${name}: ${before.of[name]} -> ${after.of[name]}`)
  : [];
const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
"##;

/// Steps through a scenario by change, and its first decisions one by one; selects what can be selected; opens what folds.
const WALK: &str = r##"(async () => {
  await heddle.load(arguments[0]); await heddle.seek(0); await heddle.settled(); await frame();
  const told = [];
  let before = boxes();
  const look = (what) => {
    const after = boxes();
    for (const line of moved(before, after)) told.push(`${what}: ${line}`);
    before = after;
  };
  let at = -1;
  for (let i = 0; i < arguments[1]; i++) {
    const by = i < arguments[2] ? "decision" : "change";
    const state = await heddle.step(by);
    await heddle.settled(); await frame();
    look(`step ${i} by ${by} to ${state.time_ms}`);
    if (by === "change" && state.time_ms === at) break;
    at = state.time_ms;
  }
  const all = [...new Set([...document.querySelectorAll("#app .where [data-sel]")].map((e) => e.dataset.sel))].slice(0, arguments[3]);
  for (const sel of all) {
    const why = document.getElementById("why");
    why.scrollTop = 400;
    const button = document.querySelector(`#app .where [data-sel="${CSS.escape(sel)}"]`);
    const shown = button?.getAttribute("aria-pressed") === "true";
    button?.click();
    await heddle.settled(); await frame();
    look(`select ${sel}`);
    if (!shown && document.getElementById("why").scrollTop > 0) told.push(`select ${sel}: WHY is not at its top`);
  }
  for (const fold of document.querySelectorAll("#app .why details, #app .head details")) {
    fold.open = !fold.open; await frame();
    look(`fold ${fold.dataset.fold ?? fold.className}`);
    fold.open = !fold.open;
  }
  return told;
})()"##;

#[tokio::test(flavor = "multi_thread")]
async fn nothing_moves_but_what_the_cluster_moves() {
    let twist = Twist::default();
    let Some(open) = start(Browser::Chromium, twist, 1440, 900).await else { return };
    let page = &open.page;
    let mut told: Vec<String> = Vec::new();
    let result = async {
        until(page, "the page is ready", READY).await?;
        page.execute(format!("{BOXES}; Object.assign(globalThis, {{ boxes, moved, frame }});"), vec![]).await?;
        for (name, text) in corpus::gallery() {
            let moved = call(page, WALK, vec![json!(text), json!(40), json!(8), json!(10)]).await?;
            let lines = moved.as_array().cloned().unwrap_or_default();
            told.extend(lines.iter().filter_map(|line| line.as_str()).map(|line| format!("{name}: {line}")));
        }
        Ok(())
    }
    .await;
    let seen = complaints(page).await;
    finish("still", open, result, seen).await;
    assert!(told.is_empty(), "{} boxes moved:\n{}", told.len(), told.join("\n"));
}
