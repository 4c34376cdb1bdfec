//! Once the programs are there, nothing can be fetched or sent any more, from the page or from the engine's worker:
//! everything that a program could try is tried here, and the server must receive none of it.
#![cfg(not(target_arch = "wasm32"))]
mod support;

use std::time::Duration;
use support::page::{READY, state};
use support::{Browser, Open, Twist, built, dist, finish, start, until};
use thirtyfour::prelude::*;

/// Attempts in a page and in a worker; `at(name)` is an address of the page's own server.
const BOTH: &str = r#"
const at = (name) => new URL(`reach-${place}-${name}`, base).href;
const ways = {
  fetch: () => fetch(at("fetch")),
  "no-cors": () => fetch(at("no-cors"), { mode: "no-cors", method: "POST", body: "text" }),
  xhr: () => { const x = new XMLHttpRequest(); x.open("GET", at("xhr")); x.send(); },
  import: () => import(at("import")),
  socket: () => new WebSocket(at("socket").replace("http", "ws")),
  events: () => new EventSource(at("events")),
  worker: () => new Worker(at("worker")),
  module: () => new Worker(at("module"), { type: "module" }),
  cache: () => caches.open("reach").then((cache) => cache.add(at("cache"))),
  font: () => new FontFace("reach", `url(${at("font")})`).load(),
};
const tryAll = () => { for (const way of Object.values(ways)) { try { way()?.catch?.(() => {}); } catch {} } };
"#;

/// Further attempts in a page.
const PAGE: &str = r#"
const put = (tag, values) => document.body.append(Object.assign(document.createElement(tag), values));
Object.assign(ways, {
  image: () => { new Image().src = at("image"); },
  "shown-image": () => put("img", { src: at("shown-image") }),
  style: () => put("link", { rel: "stylesheet", href: at("style") }),
  prefetch: () => put("link", { rel: "prefetch", href: at("prefetch") }),
  preload: () => put("link", { rel: "preload", as: "fetch", href: at("preload") }),
  manifest: () => put("link", { rel: "manifest", href: at("manifest") }),
  icon: () => put("link", { rel: "icon", href: at("icon") }),
  script: () => put("script", { src: at("script") }),
  "module-script": () => put("script", { type: "module", src: at("module-script") }),
  frame: () => put("iframe", { src: at("frame") }),
  object: () => put("object", { data: at("object") }),
  embed: () => put("embed", { src: at("embed") }),
  video: () => put("video", { src: at("video"), preload: "auto" }),
  audio: () => put("audio", { src: at("audio"), preload: "auto" }),
  beacon: () => { navigator.sendBeacon(at("beacon"), "text"); },
  shared: () => new SharedWorker(at("shared")),
  service: () => navigator.serviceWorker.register(at("service")),
  background: () => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`body { background-image: url(${at("background")}) }`);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  },
  // Into a frame: the page stays for all that is under way.
  form: () => {
    put("iframe", { name: "sink" });
    put("form", { action: at("form"), method: "post", target: "sink" });
    document.body.lastChild.submit();
  },
});
"#;

/// Runs before the engine's script: the same attempts inside its worker, on a message.
const IN_WORKER: &str = r#"
addEventListener("message", (event) => {
  if (!event.data?.reach) return;
  const [place, base] = ["worker", event.data.reach];
  BOTH
  ways.scripts = () => importScripts(at("scripts"));
  tryAll();
  postMessage = () => {};
});
"#;

/// Keeps the engine's worker where the test can send messages to it.
const WORKERS: &str = r#"
globalThis.workers = [];
globalThis.Worker = class extends Worker { constructor(url, options) { super(url, options); workers.push(this); } };
"#;

/// Opens the page with an engine that can be told to try, and tries everything from both places.
async fn try_all(open: &Open) -> WebDriverResult<()> {
    let page = &open.page;
    let name = built("heddle-engine", ".js");
    let script = std::fs::read_to_string(dist().join(&name)).expect("the engine's script");
    open.site.replace(&name, IN_WORKER.replace("BOTH", BOTH) + script.as_str());
    page.refresh().await?;
    until(page, "the first picture", READY).await?;
    state(page).await?;
    let script = format!(
        "const [place, base] = ['page', location.href]; {BOTH} {PAGE} workers[0].postMessage({{ reach: base }}); tryAll();"
    );
    page.execute(&script, Vec::new()).await?;
    // What reaches the server does so in a moment; that takes longer on a busy machine.
    let (mut heard, mut quiet) = (reached(open).len(), 0);
    while quiet < 6 {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let now = reached(open).len();
        quiet = if now == heard { quiet + 1 } else { 0 };
        heard = now;
    }
    Ok(())
}

fn reached(open: &Open) -> Vec<String> {
    let asked = open.site.asked.lock().expect("the log");
    let mut names: Vec<String> =
        asked.iter().filter_map(|a| a.split_once("reach-").map(|(_, name)| name.to_owned())).collect();
    names.sort();
    names.dedup();
    names
}

async fn nothing_leaves(name: &str, browser: Browser) {
    let Some(open) = start(browser, Twist { first: WORKERS, ..Twist::default() }, 1280, 900).await else { return };
    let result = try_all(&open).await;
    let reached = reached(&open);
    finish(name, open, result, Vec::new()).await;
    assert!(reached.is_empty(), "{browser:?}: the server heard of {reached:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_can_leave_in_chromium() {
    nothing_leaves("policy-chromium", Browser::Chromium).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_can_leave_in_firefox() {
    nothing_leaves("policy-firefox", Browser::Firefox).await;
}

/// The same attempts on the same page without its policies do reach the server, which shows that the tests above can fail.
#[tokio::test(flavor = "multi_thread")]
async fn without_the_policies_everything_would_leave() {
    for browser in [Browser::Chromium, Browser::Firefox] {
        let Some(open) = start(browser, Twist { first: WORKERS, ..Twist::default() }, 1280, 900).await else { return };
        let page = std::fs::read_to_string(dist().join("index.html")).expect("the built page");
        open.site.replace("index.html", page.replace("Content-Security-Policy", "none"));
        let result = try_all(&open).await;
        let reached = reached(&open);
        finish("no-policy", open, result, Vec::new()).await;
        for name in ["fetch", "no-cors", "xhr", "import", "socket", "events", "worker", "cache", "font"] {
            assert!(reached.contains(&format!("page-{name}")), "{browser:?}: page-{name} is missing in {reached:?}");
        }
        for name in ["image", "style", "script", "frame", "object", "beacon", "shared", "service", "background", "form"]
        {
            assert!(reached.contains(&format!("page-{name}")), "{browser:?}: page-{name} is missing in {reached:?}");
        }
        for name in ["fetch", "xhr", "socket", "events", "import", "cache", "scripts"] {
            assert!(
                reached.contains(&format!("worker-{name}")),
                "{browser:?}: worker-{name} is missing in {reached:?}"
            );
        }
    }
}

#[test]
fn the_policy_stands_before_anything_that_it_governs() {
    let page = std::fs::read_to_string(dist().join("index.html")).expect("the built page");
    let policy = page.find("Content-Security-Policy").expect("a policy");
    for part in ["<script", "<link", "<style", "<img"] {
        assert!(page.find(part).is_none_or(|at| at > policy), "{part} comes before the policy");
    }
    let tags = page.split("<meta").skip(1).filter_map(|rest| rest.split_once('>').map(|(tag, _)| tag));
    let policies: Vec<&str> = tags.filter(|tag| tag.contains("Content-Security-Policy")).collect();
    let [open, closed] = policies.as_slice() else { panic!("two policies are expected: {policies:?}") };
    assert!(open.contains("connect-src 'self'"));
    for policy in policies.iter() {
        for rule in ["default-src 'none'", "base-uri 'none'", "form-action 'none'"] {
            assert!(policy.contains(rule), "a policy lacks {rule}: {policy}");
        }
        assert!(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"), "too wide: {policy}");
    }
    assert!(!closed.contains("'self'") && !closed.contains("connect-src") && !closed.contains("://"), "{closed}");
    assert!(!page.contains("data-trunk"), "a line for trunk is left over");
}
