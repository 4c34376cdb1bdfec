//! WHY on one screen: in every example's opening the first advice is above the fold, at two sizes of the window, and a part that
//! had no room is a line that says what is in it.
#![cfg(not(target_arch = "wasm32"))]
mod corpus;
mod support;

use serde_json::Value;
use support::page::{READY, load, scenario, window};
use support::{Browser, until, with_page};
use thirtyfour::prelude::*;

/// The search for advice is over, or there is none to be searched for.
const SEARCHED: &str = "const h = document.querySelector('#why .helps'); \
    return !h || !h.querySelector('[role=status], button:not(li button)') && !!h.querySelector('li, .soft')";

/// How far the first advice ends below the panel, in pixels; nothing without advice.
const BELOW: &str = "const why = document.getElementById('why'), first = why.querySelector('.help li'); \
    return first && Math.round(first.getBoundingClientRect().bottom - why.getBoundingClientRect().bottom)";

#[tokio::test(flavor = "multi_thread")]
async fn the_first_advice_is_above_the_fold_in_every_opening() {
    with_page("why-fold", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        let (mut below, mut advised) = (Vec::new(), 0);
        for (name, text) in corpus::gallery() {
            window(page, 1440, 900).await?;
            load(page, &text).await?;
            until(page, &format!("{name}: advice"), SEARCHED).await?;
            for (width, height) in [(1440, 900), (1280, 800)] {
                window(page, width, height).await?;
                // The panel is filled anew in the frame after it got another size.
                let frame = "const [done] = arguments; requestAnimationFrame(() => requestAnimationFrame(done))";
                page.execute_async(frame, vec![]).await?;
                let by: Option<i64> = page.execute(BELOW, vec![]).await?.convert()?;
                advised += usize::from(by.is_some());
                below.extend(by.filter(|by| *by > 0).map(|by| format!("{name} at {width} × {height}: {by} px")));
            }
        }
        assert!(advised > 100, "{advised} openings with advice");
        assert!(below.is_empty(), "below the fold:\n{}", below.join("\n"));
        Ok(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_has_no_room_is_a_line_and_whoever_opens_it_decides() {
    with_page("why-lines", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        window(page, 1440, 900).await?;
        load(page, &scenario("q21-one-user-fifo-or-fair")).await?;
        until(page, "advice", SEARCHED).await?;
        window(page, 1280, 800).await?;
        let causes = "document.querySelector('#why [data-part=causes]')";
        until(page, "history gives way first", &format!("return !{causes}.open")).await?;
        let lines = "return [...document.querySelectorAll('#why .piece:not([open])')].map((d) => d.querySelector('.says').innerText)";
        let lines: Value = page.execute(lines, vec![]).await?.json().clone();
        let lines = lines.as_array().cloned().unwrap_or_default();
        assert!(!lines.is_empty() && lines.iter().all(|l| l.as_str().is_some_and(|l| l.len() > 8)), "{lines:?}");
        // Opened by a click it stays open, with the advice further down.
        page.find(By::Css("#why [data-part=causes] > summary")).await?.click().await?;
        window(page, 1280, 790).await?;
        until(page, "it stays open", &format!("return {causes}.open")).await?;
        // In a large window everything is open.
        window(page, 1440, 1400).await?;
        until(page, "everything is open", "return !document.querySelector('#why .piece:not([open])')").await
    })
    .await;
}
