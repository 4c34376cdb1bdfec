//! The picture shown until the page's programs run says what the page then says.
#![cfg(not(target_arch = "wasm32"))]
mod support;

use heddle_player::Player;
use support::page::READY;
use support::{Browser, dist, until, with_page};

#[test]
fn the_first_picture_is_what_the_engine_begins_with() {
    let picture = heddle_picture::draw(heddle_picture::FIRST).expect("it can be read").html;
    let player = Player::load(heddle_picture::FIRST).player.expect("it can be read");
    let about = player.snapshot(None).headline_about;
    let snapshot = player.snapshot(about.as_ref());
    let has = |words: &str| assert!(picture.contains(words), "the picture lacks {words:?}:\n{picture}");
    has(&player.scenario().title);
    has(&snapshot.headline);
    let rack = &snapshot.racks[0];
    let total = &rack.nodes[0].total;
    let (gb, vcores) = (total.memory_mb / 1024, total.vcores);
    has(&format!(
        "rack {}<span>{} nodes · {gb} GB, {vcores} vcores each",
        rack.name.trim_start_matches('/'),
        rack.nodes.len()
    ));
    for node in &rack.nodes {
        let (gb, vcores) = (node.free.memory_mb / 1024, node.free.vcores);
        has(&format!(
            "<span class=\"nn\">{}</span><span class=\"fr\"><b>{gb}</b> GB · <b>{vcores}</b> vc free",
            node.name
        ));
        for container in node.containers.iter().filter(|c| !c.am) {
            has(&format!("<span class=\"s2\">{}</span>", container.name));
        }
    }
    let waits = &snapshot.waiting[0];
    has(&format!("{} waiting", waits.count));
    has(&format!("<span>{}</span>", waits.name));
    has(&waits.reason);
}

/// Returns the texts of the built picture beside those of the page that replaced it, at the same places.
const TEXTS: &str = r#"
const [html] = arguments;
const picture = new DOMParser().parseFromString(html, "text/html").getElementById("first");
const words = (root, css) => [...root.querySelectorAll(css)].map((e) => e.textContent.replace(/\s+/g, " ").trim());
return [".head h1", ".lane .h3", ".gh .t > span:first-child", ".gh .w", ".rack > h3", ".nn", ".fr", ".bar .c:not(.am) .s2", ".rsn", ".why .thing > span:not(.st)", ".because"]
  .map((css) => {
    const [shown, live] = [words(picture, css), words(document.getElementById("app"), css)];
    return css === ".why .thing > span:not(.st)" ? [css, words(picture, ".why .thing"), live] : [css, shown, live];
  });
"#;

#[tokio::test(flavor = "multi_thread")]
async fn the_page_goes_on_with_the_same_words() {
    let html = std::fs::read_to_string(dist().join("index.html")).expect("the built page");
    with_page("same-words", Browser::Chromium, async |open| {
        until(&open.page, "the first picture", READY).await?;
        until(&open.page, "the page is live", "return !document.getElementById('first')").await?;
        let rows: Vec<(String, Vec<String>, Vec<String>)> =
            open.page.execute(TEXTS, vec![html.into()]).await?.convert()?;
        for (place, picture, live) in rows {
            assert!(!picture.is_empty(), "the picture has nothing at {place}");
            assert_eq!(picture, live, "at {place}");
        }
        Ok(())
    })
    .await;
}
