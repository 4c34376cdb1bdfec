//! The picture of a first visit, which is shown until the page's programs run. It is made from the engine's first frame, so
//! that it says what the page says then.

mod card;

pub use card::card;

use heddle_core::constraint::{english, spec};
use heddle_player::Player;
use heddle_view::{ContainerView, NodeView, RackView, Snapshot, WaitingView, format};
use std::fmt::Write as _;

/// The scenario that the page opens with.
pub const FIRST: &str = include_str!("../../../scenarios/q39-anti-affinity.toml");

/// HTML, and the rules that place its boxes, because the page's policy allows no `style` attributes.
pub struct Picture {
    /// One element, `#first`.
    pub html: String,
    /// Rules for the end of the style sheet.
    pub css: String,
}

/// Draws the scenario's first frame. Returns `None` if the scenario cannot be read.
pub fn draw(text: &str) -> Option<Picture> {
    let mut player = Player::load(text).player?;
    let start = player.now();
    while !player.progress().done && player.progress().known_ms <= start {
        player.run(1_000);
    }
    player.seek(start);
    let about = player.snapshot(None).headline_about;
    let snapshot = player.snapshot(about.as_ref());
    let mut html = String::new();
    let _ = write!(
        html,
        include_str!("top.html"),
        title = escape(&player.scenario().title),
        headline = rich(&snapshot.headline),
        caption = caption(&player, start)
    );
    what(&player, &mut html);
    let _ = write!(
        html,
        r#"<main class="where" aria-label="Where"><header><h2 class="axis">Where</h2></header><div class="stage">{}<div class="racks">"#,
        lane(&snapshot)
    );
    for r in &snapshot.racks {
        rack(r, &snapshot, &mut html);
    }
    html += "</div></div>";
    strip(&snapshot, &mut html);
    html += "</main>";
    if let Some(why) = about.as_ref().map(|a| player.why(a)) {
        let looked = why.looked.as_ref().map(|(at, node)| format!("last looked at {} for {node}", format::time(*at)));
        let crumbs: String = [Some(&why.crumb), looked.as_ref()]
            .into_iter()
            .flatten()
            .map(|line| format!(r#"<p class="crumb">{}</p>"#, escape(line)))
            .collect();
        let _ = write!(
            html,
            r#"<aside class="why" aria-label="Why"><header><span class="axis">Why</span><h2 class="thing">{}</h2></header>{crumbs}<p class="because">{}</p></aside>"#,
            escape(&why.title),
            rich(&why.sentence)
        );
    }
    html += WHEN;
    html += r#"<footer class="foot"><span>Read and run in this tab. Nothing is sent.</span></footer></div>"#;
    let css = rules(&html);
    Some(Picture { html, css })
}

/// The time section is empty until the programs run, because nothing else can step through time.
const WHEN: &str = r#"<section class="when" aria-label="When"><div class="tp"><span class="axis hide-p">When</span><div class="ctl" aria-hidden="true"><button type="button" disabled></button><button type="button" disabled class="play"></button></div><div class="track"><i class="ax"></i></div></div></section>"#;

fn caption(player: &Player, at: i64) -> String {
    let caption = player.scenario().caption(at);
    caption.map_or(String::new(), |caption| format!(r#"<p class="asked caption">{}</p>"#, rich(&caption.text)))
}

/// Draws the queue strip of the first scenario, which has one partition: each leaf with what it uses and wants.
fn strip(snapshot: &Snapshot, html: &mut String) {
    *html += r#"<div class="qs" aria-label="Queues"><table><thead><tr><th>Queue</th><th>share of the cluster</th><th class="num">used</th></tr></thead><tbody>"#;
    for queue in snapshot.queues.iter().filter(|q| q.leaf) {
        let Some(part) = queue.partitions.first() else { continue };
        let whole = snapshot.partitions.first().map_or(1, |p| p.total.memory_mb).max(1);
        let percent = |mb: i64| mb as f64 * 100.0 / whole as f64;
        let _ = write!(
            html,
            r#"<tr><td><span class="nm">{}</span></td><td><div class="qb"><i class="max" data-vars="w:{}"></i><i class="u k1" data-vars="x:0;w:{}"></i></div></td><td class="num b">{}</td></tr>"#,
            escape(&queue.name),
            percent(part.maximum.memory_mb),
            percent(part.used.memory_mb),
            gb(part.used.memory_mb)
        );
    }
    *html += "</tbody></table></div>";
}

/// Draws the first PlacementSpec as text and in English.
fn what(player: &Player, html: &mut String) {
    let text = player.scenario().apps.iter().find_map(|app| app.kind.spec_text()).map(|spec| spec.text.as_str());
    let Some(text) = text else { return };
    let Ok(spec) = spec::read_spec(text) else { return };
    let _ = write!(
        html,
        r#"<section class="what fv-what" aria-label="What"><h2 class="h3">PlacementSpec</h2><p class="fv-spec"><code>{}</code></p>"#,
        escape(text)
    );
    for entry in &spec.entries {
        let Some(source) = &entry.source else { continue };
        let tag = source.tag.trim();
        let plural = if source.count == 1 { "" } else { "s" };
        let _ = write!(html, r#"<p class="soft">{} container{plural} tagged {}"#, source.count, escape(tag));
        for leaf in entry.constraint.iter().flat_map(|c| c.leaves()) {
            let _ = write!(html, ", {}", rich(&english::clause(leaf, Some(tag))));
        }
        *html += "</p>";
    }
    *html += "</section>";
}

fn lane(snapshot: &Snapshot) -> String {
    if snapshot.waiting.is_empty() {
        return String::new();
    }
    let all: i64 = snapshot.waiting.iter().map(|w| w.count).sum();
    let ghosts: String = snapshot.waiting.iter().map(|w| ghost(w, snapshot)).collect();
    format!(r#"<div class="lane"><h3 class="h3">{all} waiting</h3>{ghosts}</div>"#)
}

fn ghost(w: &WaitingView, snapshot: &Snapshot) -> String {
    format!(
        r#"<div class="gh {}"><span class="t"><span>{}</span><span class="num">{}</span></span><span class="box" data-vars="mb:{}"></span><span class="w">{} GB · {} vc</span><span class="w">{}</span></div>"#,
        colour(&w.app, snapshot),
        escape(&w.name),
        format::since(snapshot.time_ms, w.since_ms),
        w.size.memory_mb,
        gb(w.size.memory_mb),
        w.size.vcores,
        escape(&w.reason)
    )
}

fn rack(rack: &RackView, snapshot: &Snapshot, html: &mut String) {
    let Some(first) = rack.nodes.first() else { return };
    let plural = if rack.nodes.len() == 1 { "" } else { "s" };
    let _ = write!(
        html,
        r#"<section class="rack"><h3>rack {}<span>{} node{plural} · {} GB, {} vcores each</span></h3><div class="three">"#,
        escape(rack.name.trim_start_matches('/')),
        rack.nodes.len(),
        gb(first.total.memory_mb),
        first.total.vcores
    );
    for n in &rack.nodes {
        node(n, snapshot, html);
    }
    *html += r#"<div class="slot"></div></div></section>"#;
}

fn node(n: &NodeView, snapshot: &Snapshot, html: &mut String) {
    let _ = write!(
        html,
        r#"<article class="node"><div class="nh"><span class="nn">{}</span><span class="fr"><b>{}</b> GB · <b>{}</b> vc free</span></div><div class="bar">"#,
        escape(&n.name),
        gb(n.free.memory_mb),
        n.free.vcores
    );
    let mut left = 0;
    for c in &n.containers {
        *html += &container(c, left, n.total.memory_mb, snapshot);
        left += c.size.memory_mb;
    }
    *html += r#"</div><div class="cores"></div>"#;
    if let Some(reason) = &n.reason {
        let near = if reason.near { " near" } else { "" };
        let no = reason.clause.map(|c| format!(r#"<span class="no">{c}</span>"#)).unwrap_or_default();
        let _ = write!(html, r#"<p class="rsn{near}">{no}<span>{}</span></p>"#, rich(&reason.text));
    }
    *html += "</article>";
}

fn container(c: &ContainerView, left: i64, whole: i64, snapshot: &Snapshot) -> String {
    let percent = |part: i64| part as f64 * 100.0 / whole.max(1) as f64;
    let (am, name) = if c.am { (" am", "AM") } else { ("", c.name.as_str()) };
    format!(
        r#"<span class="c {}{am}" data-vars="x:{};w:{}"><span class="s2">{}</span></span>"#,
        colour(&c.app, snapshot),
        percent(left),
        percent(c.size.memory_mb),
        escape(name)
    )
}

/// Returns the page's colour of an application; its palette has eight, in the order of the scenario.
fn colour(app: &str, snapshot: &Snapshot) -> String {
    let category = snapshot.apps.iter().find(|a| a.name == app).map_or(0, |a| a.category + 1);
    format!("k{}", if category > 8 { 0 } else { category })
}

/// Returns a rule for each `data-vars`, which a program reads in the page.
fn rules(html: &str) -> String {
    let mut out = String::new();
    for vars in html.split(r#"data-vars=""#).skip(1).filter_map(|rest| rest.split_once('"').map(|(vars, _)| vars)) {
        let values: Vec<String> = vars
            .split(';')
            .filter_map(|v| v.split_once(':'))
            .map(|(name, value)| format!("--{name}:{value}"))
            .collect();
        let rule = format!("#first [data-vars=\"{vars}\"]{{{}}}\n", values.join(";"));
        if !out.contains(&rule) {
            out += &rule;
        }
    }
    out
}

fn gb(mb: i64) -> String {
    let text = format!("{:.2}", mb as f64 / 1024.0);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Returns a sentence of the core with its names in bold.
fn rich(text: &str) -> String {
    let mut bold = false;
    let parts: Vec<String> = escape(text)
        .split("**")
        .map(|part| {
            let shown = if bold { format!("<b>{part}</b>") } else { part.to_owned() };
            bold = !bold;
            shown
        })
        .collect();
    parts.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_texts_and_boxes_have_places() {
        let text = FIRST.replace("Three zookeepers, two nodes", "1 < 2 & <b>");
        let picture = draw(&text).expect("a scenario");
        assert!(picture.html.contains("1 &lt; 2 &amp; &lt;b&gt;"));
        assert!(picture.css.contains("[data-vars=\"x:25;w:12.5\"]{--x:25;--w:12.5}"), "{}", picture.css);
        assert!(!picture.html.contains("style="));
        assert_eq!(rich("Needs **n1** & **n2**."), "Needs <b>n1</b> &amp; <b>n2</b>.");
        assert!(draw("no scenario").is_none());
    }
}
