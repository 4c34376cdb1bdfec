//! A node: its heading, memory to scale, vcores to scale, and one reason.

use super::{Density, Picture};
use crate::ui::mark::{Mark, mark};
use crate::ui::{amount, gb, vars};
use heddle_view::{Amount, ContainerView, EventOutcome, HostRequestView, NodeView, Selection};
use yew::prelude::*;

pub fn node(picture: &Picture<'_>, n: &NodeView) -> Html {
    let id = Selection::Node(n.name.clone());
    let selected = picture.selected == Some(&id);
    let near = n.reason.as_ref().is_some_and(|r| r.near);
    let no = n.reason.as_ref().and_then(|r| r.clause).map(|c| c.to_string());
    // The clauses each of which alone keeps the selected request away.
    let alone = n.reason.as_ref().map(|r| r.alone.iter().map(|c| c.to_string()).collect::<Vec<_>>().join(" "));
    let line = !matches!(picture.density, Density::Block | Density::Full);
    let unlike = picture.is_unlike_node(&n.name);
    let spoken = if unlike { format!("{}, differs", spoken(n)) } else { spoken(n) };
    html! {
        <article class={classes!("node", unlike.then_some("df"), near.then_some("near"), n.reason.is_some().then_some("stopped"))} key={n.name.clone()} data-alone={alone} aria-label={spoken.clone()}>
            <div class="nh">
                <button type="button" class="nn" data-item="" tabindex="-1" data-sel={id.to_string()} data-family={id.to_string()} data-no={no}
                    aria-pressed={selected.to_string()} aria-label={spoken} title={if picture.density == Density::Block { n.name.clone() } else { tooltip(n) }}>{ picture.hosts.rest(&n.name) }</button>
                if !n.label.is_empty() { <span class="lb" title={n.label.clone()}>{ &n.label }</span> }
                if n.state != "RUNNING" { <span class="lb bad">{ n.state.to_ascii_lowercase() }</span> }
                { free(n, picture.density) }
            </div>
            <div class="bar" data-mb={n.total.memory_mb.max(1).to_string()} data-vars={vars(&[("cap", percent(n.total.memory_mb.max(n.used.memory_mb), picture.memory_max))])}>
                { containers(picture, n) }
                { reservation(picture, n) }
                { for n.wished.iter().map(|w| wish(picture, n, w)) }
            </div>
            if !line {
                <div class="cores" aria-hidden="true" data-vars={vars(&[("cap", percent(n.total.vcores.max(n.used.vcores), picture.vcores_max))])}>
                    { cores(picture, n) }
                </div>
                { for more_types(n).into_iter().map(|name| further(picture, n, name)) }
                { reason(picture, n) }
            }
        </article>
    }
}

fn percent(part: i64, whole: i64) -> f64 {
    if whole <= 0 { 0.0 } else { part as f64 * 100.0 / whole as f64 }
}

fn size_of(n: &NodeView, of: fn(&Amount) -> i64) -> i64 {
    of(&n.total).max(of(&n.used)).max(1)
}

/// Returns whether the container causes the selected request to wait.
fn culprit(n: &NodeView, c: &ContainerView) -> bool {
    n.reason.as_ref().is_some_and(|r| r.culprits.contains(&c.id))
}

fn containers(picture: &Picture<'_>, n: &NodeView) -> Html {
    let whole = size_of(n, |a| a.memory_mb);
    let mut x = 0;
    let boxes = n.containers.iter().map(|c| {
        let (left, width) = (percent(x, whole), percent(c.size.memory_mb, whole));
        x += c.size.memory_mb;
        let selected = picture.selected == Some(&c.id);
        let class = classes!(
            "c",
            picture.paint.container(c, n),
            c.am.then_some("am"),
            culprit(n, c).then_some("cul"),
            asked_back(c).then_some("pre"),
            (c.partition != n.label).then_some("lent"),
            picture.is_unlike(&c.id).then_some("une"),
        );
        let label = if picture.is_unlike(&c.id) { format!("{}, differs", label(c, n)) } else { label(c, n) };
        let (full, short, tiny) = match c.preempting_ms {
            None if c.killable => (format!("{} · killable", c.name), "0 s".to_owned(), "0".to_owned()),
            Some(ms) => (format!("{} · {} s", c.name, ms / 1000), format!("{} s", ms / 1000), (ms / 1000).to_string()),
            None if c.am => (c.name.clone(), "AM".to_owned(), "A".to_owned()),
            None => (of_component(&c.name), short(&c.name), tail(&c.name)),
        };
        html! {
            <button type="button" {class} key={c.yarn_id.clone()} data-item="" tabindex="-1" data-sel={c.id.to_string()} data-family={format!("app:{}", c.app)}
                aria-pressed={selected.to_string()} aria-label={label.clone()} title={label} data-vars={vars(&[("x", left), ("w", width), ("n", tiny.len() as f64), ("l", full.len() as f64), ("left", grace(c))])}>
                <span class="s0" data-text={tiny}/><span class="s1" data-text={short}/><span class="s2">{ full }</span>
            </button>
        }
    });
    html! { { for boxes } }
}

fn cores(picture: &Picture<'_>, n: &NodeView) -> Html {
    stripes(picture, n, size_of(n, |a| a.vcores), |a| a.vcores)
}

/// Returns the further resource types that a node has, or that it had and containers still use.
fn more_types(n: &NodeView) -> Vec<&str> {
    let held = n.used.more.iter().filter(|(name, _)| n.total.more.iter().all(|(has, _)| has != name));
    n.total.more.iter().chain(held).map(|(name, _)| name.as_str()).collect()
}

/// Returns `gpu` for `yarn.io/gpu`.
pub fn short_type(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// The most units of a further resource that are drawn one by one.
const UNITS_DRAWN: i64 = 32;

/// Draws a further resource type to scale, like vcores: who uses how many.
fn further(picture: &Picture<'_>, n: &NodeView, name: &str) -> Html {
    let of = |a: &Amount| a.more.iter().find(|(has, _)| has == name).map_or(0, |(_, n)| *n);
    let (total, used) = (of(&n.total), of(&n.used));
    let whole = total.max(used).max(1);
    let largest = picture.more_max.iter().find(|(has, _)| has == name).map_or(whole, |(_, most)| *most);
    let text = format!("{name}: {used} of {total} used");
    let class = classes!("cores", (whole <= UNITS_DRAWN).then_some("units"));
    html! {
        <div class="more" key={name.to_owned()} title={text} aria-hidden="true">
            <span>{ short_type(name) }</span>
            <div {class} data-vars={vars(&[("cap", percent(whole, largest)), ("units", whole as f64)])}>{ stripes(picture, n, whole, of) }</div>
        </div>
    }
}

/// Draws a node's containers side by side, each as wide as its share of `whole`.
fn stripes(picture: &Picture<'_>, n: &NodeView, whole: i64, of: impl Fn(&Amount) -> i64) -> Html {
    let mut x = 0;
    let boxes = n.containers.iter().filter(|c| of(&c.size) > 0).map(|c| {
        let (left, width) = (percent(x, whole), percent(of(&c.size), whole));
        x += of(&c.size);
        let class = classes!(
            "c",
            picture.paint.container(c, n),
            culprit(n, c).then_some("cul"),
            asked_back(c).then_some("pre")
        );
        html! { <i {class} key={c.yarn_id.clone()} data-vars={vars(&[("x", left), ("w", width)])}/> }
    });
    html! { { for boxes } }
}

fn reservation(picture: &Picture<'_>, n: &NodeView) -> Html {
    let Some(r) = &n.reserved else { return html! {} };
    let whole = size_of(n, |a| a.memory_mb);
    let x = percent(n.used.memory_mb, whole);
    let free = (100.0 - x).max(0.0);
    let held = percent(r.size.memory_mb, whole).min(free);
    let wants = percent(r.size.memory_mb, whole).min(100.0);
    let text = format!("held for {}, which wants {}", r.app, amount(&r.size));
    html! {
        <>
            if held > 0.0 {
                <button type="button" class="res" data-item="" tabindex="-1" data-sel={r.request.to_string()} data-family={format!("app:{}", r.app)}
                    aria-pressed={(picture.selected == Some(&r.request)).to_string()} aria-label={text.clone()} title={text} data-vars={vars(&[("x", x), ("w", held)])}/>
            }
            <i class="brk" aria-hidden="true" data-vars={vars(&[("x", (100.0 - wants).min(x)), ("w", wants)])}/>
        </>
    }
}

/// Draws what a request prefers to have here: a ghost behind the containers, or beyond the end if there is no room.
fn wish(picture: &Picture<'_>, n: &NodeView, w: &HostRequestView) -> Html {
    let whole = size_of(n, |a| a.memory_mb);
    let width = percent(w.size.memory_mb, whole).min(100.0);
    let used = percent(n.used.memory_mb, whole);
    let (x, over) = (used.min(100.0 - width), used + width > 100.0);
    let text = format!("{} {}, {}", w.name, w.text, amount(&w.size));
    html! {
        <button type="button" class={classes!("wish", picture.paint.app(&w.app), over.then_some("over"))} data-item="" tabindex="-1" data-sel={w.id.to_string()} data-family={format!("app:{}", w.app)}
            aria-pressed={(picture.selected == Some(&w.id)).to_string()} aria-label={text.clone()} title={text} data-vars={vars(&[("x", x), ("w", width)])}/>
    }
}

fn free(n: &NodeView, density: Density) -> Html {
    let (mb, vc) = (n.free.memory_mb, n.free.vcores);
    if n.state != "RUNNING" && n.state != "DECOMMISSIONING" {
        return html! {};
    }
    if mb == 0 && n.reserved.is_none() {
        return html! { <span class="fr">{ "full" }</span> };
    }
    let word = if n.reserved.is_some() { "held" } else { "free" };
    let more = more_types(n).into_iter().map(|name| {
        let free = n.free.more.iter().find(|(has, _)| has == name).map_or(0, |(_, free)| *free);
        html! { <>{ " · " }<b>{ free }</b>{ " " }{ short_type(name) }</> }
    });
    html! {
        <span class="fr" title={amount(&n.free)}>
            <b>{ gb(mb) }</b>{ " GB" }
            if density == Density::Block || n.reserved.is_none() { { " · " }<b>{ vc }</b>{ " vc" } }
            { for more }{ format!(" {word}") }
        </span>
    }
}

fn reason(picture: &Picture<'_>, n: &NodeView) -> Html {
    let Some(r) = &n.reason else {
        return freed(n);
    };
    let shape = match (r.clause, &n.reserved) {
        (Some(no), _) => html! { <span class="no">{ no }</span> },
        (None, Some(_)) => mark(EventOutcome::Reserved),
        _ => mark(Mark::Outside),
    };
    let _ = picture;
    html! {
        <p class={classes!("rsn", r.near.then_some("near"))} data-no={r.clause.map(|c| c.to_string())} title={crate::ui::rich::plain(&r.text)}>
            { shape }<span>{ crate::ui::rich::rich(&r.text) }</span>
        </p>
    }
}

/// Draws that room has just been freed.
fn freed(n: &NodeView) -> Html {
    // The space for a reason is kept even if there is none.
    if n.freed.is_empty() {
        return html! { <p class="rsn" aria-hidden="true"/> };
    }
    html! { <p class="rsn" title={n.freed.clone()}><span class="preempting">{ mark(EventOutcome::Preempting) }</span><span>{ &n.freed }</span></p> }
}

/// Returns whether its room is claimed back.
fn asked_back(c: &ContainerView) -> bool {
    c.preempting_ms.is_some() || c.killable
}

/// Returns the remaining grace period in percent.
fn grace(c: &ContainerView) -> f64 {
    c.preempting_ms.map_or(0.0, |ms| percent(ms, c.grace_ms).min(100.0))
}

/// Returns `front-1` for `shop front-1`, because the colour shows the application.
fn of_component(name: &str) -> String {
    name.rsplit(' ').next().unwrap_or(name).to_owned()
}

/// Returns `hb12` for `hbase-12`.
fn short(name: &str) -> String {
    let name = &of_component(name);
    match name.rsplit_once('-') {
        Some((head, tail)) => format!("{}{tail}", head.chars().take(2).collect::<String>()),
        None => name.chars().take(4).collect(),
    }
}

/// Returns `12` for `hbase-12`.
fn tail(name: &str) -> String {
    match name.rsplit_once('-') {
        Some((_, tail)) => tail.to_owned(),
        None => name.chars().take(1).collect(),
    }
}

/// Returns a container's label for screen readers, beginning with its visible words.
pub fn label(c: &ContainerView, n: &NodeView) -> String {
    let am = if c.am { ", application master" } else { "" };
    let lent = if c.partition == n.label { String::new() } else { format!(", borrows room of label {}", n.label) };
    let tags = if c.tags.is_empty() { String::new() } else { format!(", tagged {}", c.tags.join(", ")) };
    let (left, fate) = match c.preempting_ms {
        None if c.killable => (String::new(), ", killable: others may have its room at any moment".to_owned()),
        Some(ms) => {
            (format!(" · {} s", ms / 1000), ", asked back: killed after this time, if it is chosen still".to_owned())
        }
        None => (String::new(), format!(", {}", c.state.to_ascii_lowercase())),
    };
    format!("{}{left}{am}, {}, queue {}, on {}{lent}{tags}{fate}", c.name, amount(&c.size), c.queue, n.name)
}

/// Returns a node's label for screen readers.
pub fn spoken(n: &NodeView) -> String {
    let label = if n.label.is_empty() { String::new() } else { format!(", partition {}", n.label) };
    let state = if n.state == "RUNNING" { String::new() } else { format!(", {}", n.state.to_ascii_lowercase()) };
    let reason = n.reason.as_ref().map(|r| format!(", {}", crate::ui::rich::plain(&r.text))).unwrap_or_default();
    format!(
        "{}, rack {}{label}{state}, {} of {} free{reason}",
        n.name,
        n.rack.trim_start_matches('/'),
        amount(&n.free),
        amount(&n.total)
    )
}

fn tooltip(n: &NodeView) -> String {
    let names: Vec<&str> = n.containers.iter().map(|c| c.name.as_str()).collect();
    format!("{}: {}", spoken(n), names.join(", "))
}
