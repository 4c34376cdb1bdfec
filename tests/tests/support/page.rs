//! A user's actions on the page, for the tests.

use super::{EVERY, PATIENCE, until};
use serde_json::{Value, json};
use thirtyfour::prelude::*;

/// The simulation has answered.
pub const READY: &str = "return window.heddle && document.querySelector('#headline') \
    && !document.querySelector('#headline').textContent.includes('Starting')";

/// Gives the page this window, in CSS pixels.
pub async fn window(page: &WebDriver, width: u32, height: u32) -> WebDriverResult<()> {
    let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
    page.cdp().send_raw("Emulation.setDeviceMetricsOverride", size).await?;
    until(page, "the window has this size", &format!("return innerWidth === {width} && innerHeight === {height}"))
        .await?;
    state(page).await.map(|_| ())
}

/// Returns the state by the page's JavaScript API once nothing is in progress (or while playing). A user's actions here wait
/// for it, so that nothing that follows comes too early on a slow machine.
pub async fn state(page: &WebDriver) -> WebDriverResult<Value> {
    let script = "const [done] = arguments; heddle.settled().then(done, (e) => done({ failed: String(e) }))";
    let state = page.execute_async(script, Vec::new()).await?.json().clone();
    assert!(state.get("failed").is_none(), "heddle.settled(): {state}");
    Ok(state)
}

/// Waits until `state` satisfies `good`.
pub async fn state_is(page: &WebDriver, what: &str, good: impl Fn(&Value) -> bool) -> WebDriverResult<Value> {
    let mut last = Value::Null;
    for _ in 0..(PATIENCE.as_millis() / EVERY.as_millis()) {
        last = state(page).await?;
        if good(&last) {
            return Ok(last);
        }
        tokio::time::sleep(EVERY).await;
    }
    let short = json!({ "time_ms": last["time_ms"], "headline": last["snapshot"]["headline"], "tally": last["snapshot"]["tally"], "problems": last["problems"] });
    Err(WebDriverError::FatalError(format!("never came: {what}; the state is {short}")))
}

pub async fn click(page: &WebDriver, css: &str) -> WebDriverResult<()> {
    click_when_there(page, By::Css(css)).await
}

/// Clicks the button with this text (or label).
pub async fn press(page: &WebDriver, text: &str) -> WebDriverResult<()> {
    click_when_there(page, By::XPath(format!("//button[normalize-space(.)={text:?} or @aria-label={text:?}]"))).await
}

/// Chooses a panel's tab, or a way to show it, by its name.
pub async fn pick(page: &WebDriver, panel: &str, name: &str) -> WebDriverResult<()> {
    let button = "button[@role='tab' or @role='radio']";
    click_when_there(page, By::XPath(format!("//section[@id='{panel}']//{button}[normalize-space(.)='{name}']"))).await
}

/// Clicks what `by` finds as soon as it can be clicked. An answer that comes in parts may redraw the element between the look
/// and the click, so that it is looked up again each time.
async fn click_when_there(page: &WebDriver, by: By) -> WebDriverResult<()> {
    let mut last = None;
    for _ in 0..(PATIENCE.as_millis() / EVERY.as_millis()) {
        match try_click(page, &by).await {
            Ok(()) => return state(page).await.map(|_| ()),
            Err(e) => last = Some(e),
        }
        tokio::time::sleep(EVERY).await;
    }
    Err(WebDriverError::FatalError(format!("{by:?} cannot be clicked: {last:?}")))
}

async fn try_click(page: &WebDriver, by: &By) -> WebDriverResult<()> {
    let element = page.query(by.clone()).nowait().first().await?;
    if !element.is_clickable().await? {
        return Err(WebDriverError::FatalError("it is not clickable".to_string()));
    }
    element.click().await
}

pub async fn keys(page: &WebDriver, keys: impl IntoIterator<Item = Key>) -> WebDriverResult<()> {
    for key in keys {
        page.active_element().await?.send_keys(key.value().to_string()).await?;
    }
    state(page).await.map(|_| ())
}

/// Types into a text field by script, like a paste: the page gets the same event.
pub async fn paste(page: &WebDriver, css: &str, text: &str) -> WebDriverResult<()> {
    page.query(By::Css(css)).wait(PATIENCE, EVERY).first().await?;
    let script = "const [css, text] = arguments; const field = document.querySelector(css); field.focus(); \
        field.value = text; field.dispatchEvent(new InputEvent('input', { bubbles: true }));";
    page.execute(script, vec![json!(css), json!(text)]).await?;
    state(page).await.map(|_| ())
}

/// Returns the text of the first matching element.
pub async fn text(page: &WebDriver, css: &str) -> WebDriverResult<String> {
    page.query(By::Css(css)).wait(PATIENCE, EVERY).first().await?.text().await
}

/// Returns how many containers wait.
pub fn waiting(state: &Value) -> i64 {
    state["snapshot"]["tally"]["waiting"].as_i64().unwrap_or(-1)
}

/// The scenario that the page opens with.
pub const FIRST: &str = include_str!("../../../scenarios/q39-anti-affinity.toml");

/// Waits for a promise of the page, and until nothing is in progress.
pub async fn call(page: &WebDriver, promise: &str, given: Vec<Value>) -> WebDriverResult<Value> {
    let script = format!(
        "const done = arguments[arguments.length - 1]; ({promise}).then(done, (e) => done({{ failed: String(e) }}))"
    );
    let found = page.execute_async(&script, given).await?.json().clone();
    assert!(found.get("failed").is_none(), "{promise}: {found}");
    state(page).await?;
    Ok(found)
}

pub async fn load(page: &WebDriver, text: &str) -> WebDriverResult<()> {
    call(page, "heddle.load(arguments[0])", vec![json!(text)]).await.map(|_| ())
}

/// Returns a scenario of the gallery.
pub fn scenario(name: &str) -> String {
    let path = format!("{}/../scenarios/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// Selects a thing, as a click would.
pub async fn choose(page: &WebDriver, id: &str) -> WebDriverResult<()> {
    let script = "const b = document.createElement('button'); b.dataset.sel = arguments[0]; \
        document.querySelector('#where').append(b); b.click(); b.remove()";
    page.execute(script, vec![json!(id)]).await?;
    state(page).await.map(|_| ())
}

/// Drops files on the page, as a user does from a folder: each has a name, a text, and a size; with a size it has that many
/// zeros in place of the text.
pub async fn drop_on_page(page: &WebDriver, files: &[(&str, &str, usize)]) -> WebDriverResult<()> {
    let script = "const [files] = arguments; const data = new DataTransfer(); \
        for (const [name, text, size] of files) data.items.add(new File([size ? new Uint8Array(size) : text], name)); \
        for (const kind of ['dragover', 'drop']) \
            document.body.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: data }));";
    page.execute(script, vec![json!(files)]).await.map(|_| ())
}
