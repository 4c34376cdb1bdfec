//! The built page on a web server of its own, and a browser in front of it. Both are gone when dropped.
#![cfg(not(target_arch = "wasm32"))]
#![allow(dead_code)] // each test file uses a part

pub mod page;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use thirtyfour::prelude::*;

/// How long the page may take for anything.
pub const PATIENCE: Duration = Duration::from_secs(40);
/// How often to look.
pub const EVERY: Duration = Duration::from_millis(40);

/// The built page.
pub fn dist() -> PathBuf {
    let dir = std::env::var_os("HEDDLE_DIST")
        .map(PathBuf::from)
        .unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../dist"));
    assert!(
        dir.join("index.html").is_file(),
        "no built page at {}: run `cargo xtask dist` first (`cargo xtask test` does it)",
        dir.display()
    );
    dir
}

/// Runs before everything else of the page: keeps what goes wrong where a test can read it.
const WATCH: &str = r#"
window.seen = [];
addEventListener("securitypolicyviolation", (e) => seen.push(`policy: ${e.violatedDirective} ${e.blockedURI} ${e.sourceFile}:${e.lineNumber}`));
addEventListener("error", (e) => seen.push(`error: ${e.message || "a part did not arrive"}`), true);
addEventListener("unhandledrejection", (e) => seen.push(`rejection: ${e.reason}`));
for (const level of ["error", "warn"]) {
  const plain = console[level];
  console[level] = (...words) => { seen.push(`console.${level}: ${words.join(" ")}`); plain.apply(console, words); };
}
"#;

/// What the server does differently from the built files.
#[derive(Clone, Default)]
pub struct Twist {
    /// Put before `early.js`, after the watching script.
    pub first: &'static str,
    /// A file that is not there.
    pub missing: &'static str,
}

/// A web server of the built page, below a path that is not the root.
pub struct Site {
    /// Address of the page.
    pub url: String,
    /// Every path that was asked for.
    pub asked: Arc<Mutex<Vec<String>>>,
}

impl Site {
    pub fn serve(twist: Twist) -> Site {
        let root = dist();
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}/some/path/", listener.local_addr().expect("an address"));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = asked.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (root, twist, log) = (root.clone(), twist.clone(), log.clone());
                std::thread::spawn(move || answer(stream, &root, &twist, &log));
            }
        });
        Site { url, asked }
    }
}

fn answer(mut stream: TcpStream, root: &Path, twist: &Twist, log: &Mutex<Vec<String>>) -> Option<()> {
    let mut head = BufReader::new(stream.try_clone().ok()?);
    let mut line = String::new();
    head.read_line(&mut line).ok()?;
    loop {
        let mut rest = String::new();
        if head.read_line(&mut rest).ok()? <= 2 {
            break;
        }
    }
    let asked = line.split(' ').nth(1)?.split(['?', '#']).next()?.to_owned();
    if let Ok(mut log) = log.lock() {
        log.push(asked.clone());
    }
    let path = match asked.strip_prefix("/some/path/") {
        Some("") => "index.html".to_owned(),
        Some(p) if !p.contains("..") => p.to_owned(),
        _ => "no such file".to_owned(),
    };
    let there = twist.missing.is_empty() || !path.ends_with(twist.missing);
    let mut body = there.then(|| std::fs::read(root.join(&path)).ok()).flatten();
    if path.ends_with("early.js")
        && let Some(script) = body.take()
    {
        body = Some([WATCH.as_bytes(), twist.first.as_bytes(), &script].concat());
    }
    let mime = match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        _ => "application/octet-stream",
    };
    let (status, body) = match body {
        Some(b) => ("200 OK", b),
        None => ("404 Not Found", b"not found".to_vec()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {mime}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(&body).ok()
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Browser {
    Chromium,
    Firefox,
}

/// A WebDriver process.
struct Driver {
    child: Child,
    url: String,
    profile: PathBuf,
}

impl Driver {
    /// None when this machine has no such driver.
    fn start(browser: Browser) -> Option<Driver> {
        let (var, name) = match browser {
            Browser::Chromium => ("CHROMEDRIVER", "chromedriver"),
            Browser::Firefox => ("GECKODRIVER", "geckodriver"),
        };
        let bin = std::env::var(var).unwrap_or_else(|_| name.to_owned());
        // With port 0 the driver picks a free port and says which.
        let mut child = Command::new(bin).arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
        let mut out = BufReader::new(child.stdout.take()?);
        let port = loop {
            let mut line = String::new();
            if out.read_line(&mut line).ok()? == 0 {
                panic!("{name} ended without saying its port");
            }
            if line.contains("successfully on port") || line.contains("Listening on") {
                let line = line.trim_end().trim_end_matches('.');
                break line.rsplit(|c: char| !c.is_ascii_digit()).next().unwrap_or("").to_owned();
            }
        };
        // The pipe is kept drained so that the driver never blocks on it.
        std::thread::spawn(move || {
            let mut sink = Vec::new();
            let _ = out.read_to_end(&mut sink);
        });
        let profile = std::env::temp_dir().join(format!("heddle-e2e-{}-{port}", std::process::id()));
        Some(Driver { child, url: format!("http://127.0.0.1:{port}"), profile })
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}

/// A browser with the page open.
pub struct Open {
    pub page: WebDriver,
    pub site: Site,
    _driver: Driver,
}

/// Starts a browser. `None`, with a word on it, when this machine has none; on a machine for CI that is a failure.
pub async fn start(browser: Browser, twist: Twist, width: u32, height: u32) -> Option<Open> {
    let Some(driver) = Driver::start(browser) else {
        assert!(std::env::var_os("CI").is_none(), "{browser:?}: no driver, and CI must have one");
        eprintln!("skipped: no driver for {browser:?}");
        return None;
    };
    let site = Site::serve(twist);
    let page = match browser {
        Browser::Chromium => {
            let mut caps = DesiredCapabilities::chrome();
            for arg in [
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            ] {
                caps.add_arg(arg).expect("an argument");
            }
            caps.add_arg(&format!("--user-data-dir={}", driver.profile.display())).expect("an argument");
            WebDriver::new(&driver.url, caps).await
        }
        Browser::Firefox => {
            let mut caps = DesiredCapabilities::firefox();
            caps.set_headless().expect("an argument");
            WebDriver::new(&driver.url, caps).await
        }
    }
    .expect("a browser");
    // A slow machine, to see that no test depends on a quick one: HEDDLE_SLOW=10 makes the page's thread ten times slower.
    if let (Browser::Chromium, Ok(rate)) = (browser, std::env::var("HEDDLE_SLOW")) {
        let rate = serde_json::json!({ "rate": rate.parse::<f64>().expect("HEDDLE_SLOW is a number") });
        page.cdp().send_raw("Emulation.setCPUThrottlingRate", rate).await.expect("a setting");
    }
    page.set_implicit_wait_timeout(Duration::ZERO).await.expect("a setting");
    page.set_window_rect(0, 0, width, height).await.expect("a window");
    page.goto(&site.url).await.expect("the page");
    Some(Open { page, site, _driver: driver })
}

/// Opens the built page, lets `story` use it, and closes everything. When the story fails, a screenshot and the page's
/// HTML are kept in `tests/screenshots/`. When it is done the page must have complained of nothing.
pub async fn with_page<F>(name: &str, browser: Browser, story: F)
where
    F: AsyncFnOnce(&Open) -> WebDriverResult<()>,
{
    let Some(open) = start(browser, Twist::default(), 1280, 900).await else { return };
    let result = story(&open).await;
    let seen = complaints(&open.page).await;
    finish(name, open, result, seen).await;
}

/// What the page complained of.
pub async fn complaints(page: &WebDriver) -> Vec<String> {
    match page.execute("return window.seen || ['the watching script is missing']", Vec::new()).await {
        Ok(r) => r.convert().unwrap_or_default(),
        Err(e) => vec![format!("the page cannot be asked: {e}")],
    }
}

/// Closes the browser; fails when the story failed or the page complained.
pub async fn finish(name: &str, open: Open, result: WebDriverResult<()>, seen: Vec<String>) {
    let failed = result.is_err() || !seen.is_empty();
    if failed {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("screenshots");
        let _ = std::fs::create_dir_all(&folder);
        if let Ok(png) = open.page.screenshot_as_png().await {
            let _ = std::fs::write(folder.join(format!("{name}.png")), png);
        }
        if let Ok(html) = open.page.source().await {
            let _ = std::fs::write(folder.join(format!("{name}.html")), html);
        }
    }
    let Open { page, .. } = open;
    let _ = page.quit().await;
    if let Err(e) = result {
        panic!("{name}: {e}\nthe page complained of: {seen:?}\na screenshot is in tests/screenshots/{name}.png");
    }
    assert!(seen.is_empty(), "{name}: the page complained of: {seen:#?}");
}

/// Waits until `script` returns something true; fails with `what`.
pub async fn until(page: &WebDriver, what: &str, script: &str) -> WebDriverResult<()> {
    let mut last = String::new();
    for _ in 0..(PATIENCE.as_millis() / EVERY.as_millis()) {
        let value = page.execute(script, Vec::new()).await?;
        let json = value.json().clone();
        if !(json.is_null() || json == false || json == 0 || json == "") {
            return Ok(());
        }
        last = json.to_string();
        tokio::time::sleep(EVERY).await;
    }
    Err(WebDriverError::FatalError(format!("waited in vain: {what} (last: {last})")))
}
