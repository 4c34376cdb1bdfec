//! The picture that stands in index.html until the program runs says what the program then says.
#![cfg(not(target_arch = "wasm32"))]

use heddle_core::player::Player;

#[test]
fn the_first_picture_is_what_the_program_draws() {
    let page = include_str!("../../index.html");
    let text = include_str!("../../scenarios/q39-anti-affinity.toml");
    let player = Player::load(text).player.expect("it can be read");
    let snapshot = player.snapshot(None);
    let has = |words: &str| assert!(page.contains(words), "index.html lacks {words:?}");
    has(&player.scenario().title);
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
    }
    let waits = &snapshot.waiting[0];
    has(&format!("<span>{}</span>", waits.name));
    has(&waits.reason);
    let why = player.why(&waits.id);
    let mut bold = 0;
    let sentence: String = why
        .sentence
        .split("**")
        .map(|part| {
            bold += 1;
            if bold % 2 == 0 { format!("<b>{part}</b>") } else { part.to_string() }
        })
        .collect();
    has(&sentence);
}
