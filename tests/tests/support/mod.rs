//! The built page on its own web server, with a browser in front. Both end when dropped.
#![cfg(not(target_arch = "wasm32"))]
#![allow(dead_code)] // each test file uses a part

pub mod page;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use thirtyfour::common::capabilities::firefox::FirefoxPreferences;
use thirtyfour::prelude::*;

/// The longest time that the page may take for anything.
pub const PATIENCE: Duration = Duration::from_secs(40);
/// The interval between two looks.
pub const EVERY: Duration = Duration::from_millis(40);

/// Returns the folder of the built page.
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

/// Runs before the page's own scripts: keeps errors where a test can read them.
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

/// Deviations of the server or the browser.
#[derive(Clone, Default)]
pub struct Twist {
    /// A script before the page's first one, after the watching one.
    pub first: &'static str,
    /// Part of the name of a missing file.
    pub missing: &'static str,
    /// Whether files are served as built, without the watching script.
    pub unwatched: bool,
    /// Whether the server does not know the type of .wasm.
    pub untyped: bool,
    /// Whether the browser keeps nothing for the site.
    pub blocked: bool,
    /// Whether files are served compressed and cacheable, as by a well-configured web server.
    pub tuned: bool,
}

/// A web server for the built page, below a path that is not the root.
#[derive(Clone)]
pub struct Site {
    /// The address of the page.
    pub url: String,
    /// Every requested path.
    pub asked: Arc<Mutex<Vec<String>>>,
    /// Files served in place of the built ones, by name.
    pub instead: Arc<Mutex<BTreeMap<String, Vec<u8>>>>,
    /// Whether it answers.
    up: Arc<AtomicBool>,
    twist: Twist,
    /// Compressed files, by path.
    small: Arc<Mutex<BTreeMap<String, Vec<u8>>>>,
}

impl Site {
    pub fn serve(twist: Twist) -> Site {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}/some/path/", listener.local_addr().expect("an address"));
        let up = Arc::new(AtomicBool::new(true));
        let site = Site { url, asked: Arc::default(), instead: Arc::default(), up, twist, small: Arc::default() };
        let serving = site.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if serving.up.load(Ordering::SeqCst) {
                    let site = serving.clone();
                    std::thread::spawn(move || site.answer(stream));
                }
            }
        });
        site
    }

    /// Stops answering.
    pub fn stop(&self) {
        self.up.store(false, Ordering::SeqCst);
    }

    /// Returns the number of requests with this in their path.
    pub fn times(&self, part: &str) -> usize {
        self.asked.lock().expect("the log").iter().filter(|a| a.contains(part)).count()
    }

    /// Replaces a file from now on.
    pub fn replace(&self, name: &str, content: impl Into<Vec<u8>>) {
        self.instead.lock().expect("the files").insert(name.to_owned(), content.into());
    }

    fn answer(&self, mut stream: TcpStream) -> Option<()> {
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
        self.asked.lock().ok()?.push(asked.clone());
        let path = match asked.strip_prefix("/some/path/") {
            Some("") => "index.html".to_owned(),
            Some(p) if !p.contains("..") => p.to_owned(),
            _ => "no such file".to_owned(),
        };
        let missing = !self.twist.missing.is_empty() && path.contains(self.twist.missing);
        let instead = self.instead.lock().ok()?.get(&path).cloned();
        let mut body = instead.or_else(|| std::fs::read(dist().join(&path)).ok()).filter(|_| !missing);
        if path.starts_with("early") && !self.twist.unwatched {
            body = body.map(|script| [WATCH.as_bytes(), self.twist.first.as_bytes(), &script].concat());
        }
        let mime = match path.rsplit('.').next() {
            Some("html") => "text/html; charset=utf-8",
            Some("js") => "text/javascript",
            Some("css") => "text/css",
            Some("wasm") if !self.twist.untyped => "application/wasm",
            _ => "application/octet-stream",
        };
        let (status, body) = match body {
            Some(b) => ("200 OK", b),
            None => ("404 Not Found", b"not found".to_vec()),
        };
        let mut more = String::new();
        let mut body = body;
        if self.twist.tuned {
            let mut small = self.small.lock().ok()?;
            body = small.entry(path.clone()).or_insert_with(|| compressed(&body)).clone();
            let keep = if path == "index.html" || path == "sw.js" { "no-cache" } else { "max-age=31536000, immutable" };
            more = format!("Content-Encoding: br\r\nCache-Control: {keep}\r\n");
        }
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {mime}\r\n{more}Content-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes()).ok()?;
        stream.write_all(&body).ok()
    }
}

/// Compresses with brotli at its best, as a web server would send it.
pub fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let params = brotli::enc::BrotliEncoderParams { quality: 11, lgwin: 24, ..Default::default() };
    brotli::BrotliCompress(&mut &*bytes, &mut out, &params).expect("compression into memory");
    out
}

/// Returns the built file whose name begins and ends so (names contain a hash).
pub fn built(begin: &str, end: &str) -> String {
    let names = std::fs::read_dir(dist()).expect("the built page").flatten();
    let mut names = names.map(|e| e.file_name().to_string_lossy().into_owned());
    names.find(|n| n.starts_with(begin) && n.ends_with(end)).unwrap_or_else(|| panic!("no {begin}…{end} in dist/"))
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
    /// Starts the driver. Returns `None` if this machine has none.
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

/// Starts a browser. Returns `None` with a message if this machine has none; on a CI machine that is a failure.
pub async fn start(browser: Browser, twist: Twist, width: u32, height: u32) -> Option<Open> {
    let Some(driver) = Driver::start(browser) else {
        assert!(std::env::var_os("CI").is_none(), "{browser:?}: no driver, and CI must have one");
        eprintln!("skipped: no driver for {browser:?}");
        return None;
    };
    let blocked = twist.blocked;
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
            if blocked {
                let never = serde_json::json!({ "profile.default_content_setting_values.cookies": 2 });
                caps.add_experimental_option("prefs", never).expect("a setting");
            }
            WebDriver::new(&driver.url, caps).await
        }
        Browser::Firefox => {
            let mut caps = DesiredCapabilities::firefox();
            caps.set_headless().expect("an argument");
            if blocked {
                let mut prefs = FirefoxPreferences::new();
                prefs.set("network.cookie.cookieBehavior", 2).expect("a setting");
                caps.set_preferences(prefs).expect("a setting");
            }
            WebDriver::new(&driver.url, caps).await
        }
    }
    .expect("a browser");
    // Simulates a slow machine, to show that no test needs a fast one: HEDDLE_SLOW=10 slows the page's thread tenfold.
    if let (Browser::Chromium, Ok(rate)) = (browser, std::env::var("HEDDLE_SLOW")) {
        let rate = serde_json::json!({ "rate": rate.parse::<f64>().expect("HEDDLE_SLOW is a number") });
        page.cdp().send_raw("Emulation.setCPUThrottlingRate", rate).await.expect("a setting");
    }
    page.set_implicit_wait_timeout(Duration::ZERO).await.expect("a setting");
    page.set_window_rect(0, 0, width, height).await.expect("a window");
    page.goto(&site.url).await.expect("the page");
    Some(Open { page, site, _driver: driver })
}

/// Opens the built page, lets `story` use it, and closes everything. If the story fails, a screenshot and the page's HTML are
/// kept in `tests/screenshots/`. The page must not have complained of anything.
pub async fn with_page<F>(name: &str, browser: Browser, story: F)
where
    F: AsyncFnOnce(&Open) -> WebDriverResult<()>,
{
    let Some(open) = start(browser, Twist::default(), 1280, 900).await else { return };
    let result = story(&open).await;
    let seen = complaints(&open.page).await;
    finish(name, open, result, seen).await;
}

/// Returns the page's complaints.
pub async fn complaints(page: &WebDriver) -> Vec<String> {
    match page.execute("return window.seen || ['the watching script is missing']", Vec::new()).await {
        Ok(r) => r.convert().unwrap_or_default(),
        Err(e) => vec![format!("the page cannot be asked: {e}")],
    }
}

/// Closes the browser; fails if the story failed or the page complained.
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
    Err(WebDriverError::FatalError(format!("never came: {what} (last: {last})")))
}
