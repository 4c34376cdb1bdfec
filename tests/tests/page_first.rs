//! The first visit in three acts, and the gallery that it leads to.
#![cfg(not(target_arch = "wasm32"))]
mod support;

use serde_json::Value;
use support::page::{READY, call, click, paste, press, state_is, text, waiting};
use support::{Browser, until, with_page};
use thirtyfour::prelude::*;

async fn lines(page: &WebDriver, css: &str) -> WebDriverResult<f64> {
    let script = "const e = document.querySelector(arguments[0]); return e.getBoundingClientRect().height / parseFloat(getComputedStyle(e).lineHeight)";
    page.execute(script, vec![css.into()]).await?.convert()
}

#[tokio::test(flavor = "multi_thread")]
async fn three_acts_tell_one_story() {
    with_page("first-acts", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        // WHAT shows the spec; its fields are folded.
        until(page, "the spec", "return document.querySelector('#what textarea').getClientRects().length > 0").await?;
        let fields = "return [...document.querySelectorAll('#what :is(input, select)')].filter((e) => e.checkVisibility()).length";
        let fields: u64 = page.execute(fields, vec![]).await?.convert()?;
        assert_eq!(fields, 0, "fields beside the spec");
        // Three words of YARN open where they stand.
        let mut terms: Vec<String> = Vec::new();
        for at in [0, 20_000] {
            call(page, &format!("heddle.seek({at})"), vec![]).await?;
            let words = "return [...document.querySelectorAll('.caption button')].map((b) => b.innerText)";
            let words: Vec<String> = page.execute(words, vec![]).await?.convert()?;
            terms.extend(words);
        }
        for word in ["containers", "anti-affinity", "pending"] {
            assert!(terms.iter().any(|t| t == word), "{word} opens: {terms:?}");
        }
        click(page, ".caption button").await?;
        let meaning = text(page, ".pop").await?;
        assert!(meaning.contains("Kubernetes"), "{meaning}");
        page.active_element().await?.send_keys(Key::Escape.value().to_string()).await?;
        // The second act.
        click(page, "#add-node").await?;
        state_is(page, "nothing waits", |s| waiting(s) == 0).await?;
        let caption = text(page, ".caption").await?;
        assert!(caption.starts_with("3 containers on 3 nodes"), "{caption}");
        assert!(lines(page, "#why .thing .st").await? < 1.5, "the status has one line");
        let beside = "const [a, b] = ['span:not(.st)', '.st'].map((c) => document.querySelector('#why .thing > ' + c).getBoundingClientRect()); return Math.abs(a.bottom - b.bottom) < 8";
        until(page, "beside the name", beside).await?;
        // The third.
        click(page, "#next-act").await?;
        state_is(page, "one waits again", |s| waiting(s) == 1).await?;
        let caption = text(page, ".caption").await?;
        assert!(caption.contains("need 4 nodes; there are 3"), "{caption}");
        click(page, "#add-node").await?;
        // It is offered with its next heartbeat.
        call(page, "heddle.seek(25000)", vec![]).await?;
        state_is(page, "it has a node", |s| waiting(s) == 0).await?;
        let next = text(page, ".trynext").await?;
        assert!(next.contains("ask for 5 containers") && next.contains("another question"), "{next}");
        Ok(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_have_pictures_and_topics_and_are_found_by_words_of_yarn() {
    with_page("first-cards", Browser::Chromium, async |open| {
        let page = &open.page;
        until(page, "the page is ready", READY).await?;
        press(page, "Examples").await?;
        until(page, "all cards", "return document.querySelectorAll('dialog .card').length >= 90").await?;
        let bare = "return [...document.querySelectorAll('dialog .card')].filter((c) => !c.querySelector('svg.pic path')).map((c) => c.innerText)";
        let bare: Vec<String> = page.execute(bare, vec![]).await?.convert()?;
        assert!(bare.is_empty(), "cards without a picture: {bare:?}");
        let cards = "document.querySelectorAll('dialog .card').length";
        let chip = |name: &str| {
            format!("[...document.querySelectorAll('dialog .chip')].find((c) => c.innerText.startsWith({name:?}))")
        };
        for name in ["Stuck in ACCEPTED", "Slider", "From the documents"] {
            let chip = chip(name);
            page.execute(format!("{chip}.click()"), vec![]).await?;
            let shown = format!("return {cards} > 3 && {cards} === Number({chip}.querySelector('small').innerText) && {chip}.getAttribute('aria-pressed') === 'true'");
            until(page, &format!("the cards of {name}"), &shown).await?;
        }
        let all = format!("{}.click()", chip("All"));
        page.execute(all, vec![]).await?;
        // With the apostrophe of a text processor, too.
        for words in ["Queue's AM resource limit exceeded", "Queue’s AM resource limit exceeded."] {
            paste(page, "#find-example", words).await?;
            until(page, "some cards", &format!("return {cards} > 2 && {cards} < 40")).await?;
            let hits: Value = page.execute("return [...document.querySelectorAll('dialog .card .hit')].map((h) => h.innerText)", vec![]).await?.json().clone();
            let hits = hits.as_array().cloned().unwrap_or_default();
            assert!(!hits.is_empty() && hits.iter().all(|h| h.as_str().is_some_and(|h| h.contains("AM resource limit exceeded"))), "{hits:?}");
        }
        Ok(())
    })
    .await;
}
