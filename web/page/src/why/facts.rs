//! Facts with their formulas, the users of a queue, and orders by sort keys.

use super::fold::{Texts, fold, part};
use crate::store::Go;
use crate::ui::{format, gb, popover, rich, terms, time, vars};
use heddle_view::{Amount, OrderView, Selection, Snapshot, StretchView, UserView, WhyView};
use yew::prelude::*;

/// Draws the facts in pairs; a number opens its formula.
pub fn facts(why: &WhyView, go: &Go) -> Html {
    if why.facts.is_empty() {
        return html! {};
    }
    html! { <section>{ pairs(why, go) }</section> }
}

fn pairs(why: &WhyView, go: &Go) -> Html {
    html! {
        <dl class="facts">{ for why.facts.iter().map(|f| html! {
            <><dt>{ terms::sentence(&f.name, go) }</dt><dd>{ popover::number(go, rich::rich(&f.value), &f.name, &f.formula) }</dd></>
        }) }</dl>
    }
}

/// Draws the facts about something that waits, folded.
pub fn figures(why: &WhyView, go: &Go) -> Html {
    if why.facts.is_empty() {
        return html! {};
    }
    let names: Vec<&str> = why.facts.iter().map(|f| f.name.as_str()).collect();
    fold("figures", "Figures", &names.join(" · "), pairs(why, go))
}

/// Draws an arrow to each application that has what it waits for.
pub fn waits_for(why: &WhyView) -> Html {
    if why.waits_for.is_empty() {
        return html! {};
    }
    let name_of = |who: &Selection| {
        let id = who.to_string();
        id.split_once(':').map_or(id.as_str(), |(_, name)| name).to_owned()
    };
    let says: Vec<String> = why.waits_for.iter().map(|(_, who, what)| format!("{}: {what}", name_of(who))).collect();
    let body = html! {
        <ul class="arrows">{ for why.waits_for.iter().map(|(waits, who, what)| {
            let id = who.to_string();
            html! { <li><b>{ waits }</b><span aria-label="waits for">{ " ⟶ " }</span><button type="button" class="link" data-sel={id.clone()} data-family={id}>{ name_of(who) }</button><small>{ what }</small></li> }
        }) }</ul>
    };
    part("waits-for", Texts { title: "Waits for", aside: "", says: &says.join(" · ") }, body)
}

/// Draws how many nodes have how much free, if that is in several pieces: a bar for each amount, as high as its number of
/// nodes.
pub fn free(why: &WhyView) -> Html {
    let nodes: i64 = why.free.iter().map(|(_, n)| n).sum();
    if nodes < 4 {
        return html! {};
    }
    let most = why.free.iter().map(|(_, n)| *n).max().unwrap_or(1).max(1);
    const BARS: usize = 12;
    let label: Vec<String> = why.free.iter().map(|(mb, n)| format!("{n} with {} GB", gb(*mb))).collect();
    let body = html! {
            <div class="histo" role="img" aria-label={format!("Nodes by what is free on them: {}", label.join(", "))}>
                { for why.free.iter().take(BARS).map(|(mb, n)| html! { <span><b>{ n }</b><i data-vars={vars(&[("h", *n as f64 * 100.0 / most as f64)])}/><small>{ gb(*mb) }</small></span> }) }
                if why.free.len() > BARS { <span class="dim">{ format!("and {} more amounts", why.free.len() - BARS) }</span> }
            </div>
    };
    let most_free = why.free.first().map_or(0, |(mb, _)| *mb);
    fold("free", "Free, node by node", &format!("nodes by GB free, at most {}", gb(most_free)), body)
}

/// Draws the users of a leaf queue: what each may use and uses.
pub fn users(why: &WhyView, snapshot: &Snapshot) -> Html {
    let Some(Selection::Queue(path)) = &why.about else { return html! {} };
    let users: Vec<&UserView> = snapshot.users.iter().filter(|u| u.queue == *path).collect();
    if users.is_empty() {
        return html! {};
    }
    let labels = users.iter().any(|u| !u.partition.is_empty());
    // If every resource counts, memory alone would not show who is at a limit.
    let all = snapshot.dominant;
    let measure = |a: &Amount| if all { format!("{} · {}", gb(a.memory_mb), a.vcores) } else { gb(a.memory_mb) };
    // Only the CapacityScheduler limits a user's usage.
    let limits = users.iter().any(|u| u.limit != Amount::default());
    html! {
        <section>
            <div class="sec"><h3 class="h3">{ "Users" }</h3><span class="eyebrow">{ if all { "GB · vcores" } else { "GB" } }</span></div>
            <div class="order" tabindex="0" role="region" aria-label="Users of this queue"><table>
                <thead><tr><th scope="col">{ "user" }</th>if labels { <th scope="col">{ "partition" }</th> }<th scope="col">{ "used" }</th>if limits { <th scope="col">{ "limit" }</th> }
                    <th scope="col">{ "AMs" }</th>if limits { <th scope="col">{ "AM limit" }</th> }<th scope="col">{ "apps" }</th><th scope="col">{ "active" }</th></tr></thead>
                <tbody>{ for users.into_iter().map(|u| html! {
                    <tr><td><button type="button" class="link" data-sel={Selection::User(u.user.clone()).to_string()}>{ &u.user }</button></td>
                        if labels { <td>{ format::partition(&u.partition) }</td> }
                        <td>{ measure(&u.used) }</td>if limits { <td>{ measure(&u.limit) }</td> }<td>{ measure(&u.am_used) }</td>if limits { <td>{ measure(&u.am_limit) }</td> }
                        <td>{ apps(u) }</td><td>{ if u.active { "yes" } else { "no" } }</td></tr>
                }) }</tbody>
            </table></div>
        </section>
    }
}

/// Returns how many applications run, are held back, and may run.
fn apps(u: &UserView) -> String {
    let held = if u.apps.1 > 0 { format!(" + {} waiting", u.apps.1) } else { String::new() };
    let most = u.most_apps.map_or(String::new(), |n| format!(", at most {n}"));
    format!("{}{held}{most}", u.apps.0)
}

/// The most rows drawn of an order, and of the takers of room.
const ORDER_ROWS: usize = 24;
const TAKERS: usize = 3;
/// The number of latest stretches shown without unfolding.
const STRETCHES: usize = 2;

/// Draws the sort keys, level by level, in the order of comparison.
pub fn orders(why: &WhyView) -> Html {
    if why.orders.is_empty() {
        return html! {};
    }
    let titles: Vec<&str> = why.orders.iter().map(|o| o.title.as_str()).collect();
    let body = html! {
        <>
            <p class="eyebrow">{ "marked: the key that decided" }</p>
            { for why.orders.iter().map(|o| order(why, o)) }
        </>
    };
    fold("order", "Order tried", &titles.join(" · "), body)
}

/// Draws who got the room in the meantime, and why before it.
pub fn taken(why: &WhyView) -> Html {
    if why.taken.rows.is_empty() {
        return html! {};
    }
    // The asker's own row says nothing about who took it.
    let others = why.taken.rows.iter().filter(|(name, _)| *name != why.title);
    let says: Vec<String> = others
        .map(|(name, values)| values.first().map_or_else(|| name.clone(), |much| format!("{name} {much}")))
        .collect();
    let title = sentence_case(&why.taken.title);
    part("taken", Texts { title: &title, aside: "", says: &says.join(" · ") }, takers(why))
}

/// Draws a row for each: how much, and below it the reason as a sentence (the last of its keys).
fn takers(why: &WhyView) -> Html {
    let o = &why.taken;
    let Some((_, keys)) = o.keys.split_last() else { return html! {} };
    let shown =
        o.rows.iter().enumerate().filter(|(i, (name, _))| *i < TAKERS || *name == why.title || i + 1 == o.rows.len());
    html! {
        <div class="order takers" tabindex="0" role="region" aria-label={o.title.clone()}><table>
            <thead><tr><th scope="col">{ "who" }</th>{ for keys.iter().map(|k| html! { <th scope="col">{ k }</th> }) }</tr></thead>
            { for shown.map(|(_, (name, values))| {
                let reason = values.get(keys.len()).filter(|reason| !reason.is_empty());
                html! {
                    <tbody>
                        <tr><th scope="row">{ name }</th>{ for values.iter().take(keys.len()).map(|v| html! { <td>{ v }</td> }) }</tr>
                        if let Some(reason) = reason { <tr class="r"><td colspan={(keys.len() + 1).to_string()}>{ reason }</td></tr> }
                    </tbody>
                }
            }) }
        </table>
        if o.rows.len() > TAKERS + 1 { <p class="eyebrow">{ format!("of {} in all", o.rows.len()) }</p> }</div>
    }
}

/// Returns the text with a capital letter.
fn sentence_case(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Draws what stopped it when: a line for each stretch, the last one until now.
pub fn over_time(why: &WhyView) -> Html {
    if why.over_time.is_empty() {
        return html! {};
    }
    let (before, latest) = why.over_time.split_at(why.over_time.len().saturating_sub(STRETCHES));
    let course = |stretches: &[StretchView]| html! { <ol class="course">{ for stretches.iter().map(stretch) }</ol> };
    let earlier = match before {
        [] => html! {},
        [first, ..] => {
            let texts: Vec<&str> = before.iter().map(|s| s.text.as_str()).collect();
            let title = format!("from {}", time(first.from_ms));
            fold("causes", &title, &texts.join(" · "), course(before))
        }
    };
    let says = latest.last().map_or_else(String::new, |s| format!("{}: {}", when(s), s.text));
    part(
        "causes",
        Texts { title: "Causes over time", aside: "", says: &says },
        html! { <>{ earlier }{ course(latest) }</> },
    )
}

/// Returns the time of a stretch, which may last until now.
fn when(s: &StretchView) -> String {
    match s.to_ms {
        Some(to) => format!("{}–{}", time(s.from_ms), time(to)),
        None => format!("since {}", time(s.from_ms)),
    }
}

fn stretch(s: &StretchView) -> Html {
    html! {
        <>
            if s.left_out > 0 { <li class="dim"><span class="num">{ "…" }</span><span>{ format!("{} more", s.left_out) }</span></li> }
            <li class={s.to_ms.is_none().then_some("now")}>
                <span class="num">{ when(s) }</span>
                <span>{ &s.text }if !s.happened.is_empty() { <small>{ s.happened.join("; ") }</small> }</span>
            </li>
        </>
    }
}

/// Draws one table of names with their values, with its title as caption.
fn order(why: &WhyView, o: &OrderView) -> Html {
    html! {
                <div class="order" tabindex="0" role="region" aria-label={o.title.clone()}><table>
                    <caption>{ &o.title }</caption>
                    <thead><tr><th scope="col">{ "name" }</th>{ for o.keys.iter().map(|k| html! { <th scope="col">{ k }</th> }) }</tr></thead>
                    <tbody>{ for o.rows.iter().enumerate().filter(|(i, (name, _))| *i < ORDER_ROWS || *name == why.title).map(|(i, (name, values))| {
                        let decided = o.decided.get(i).copied().flatten();
                        html! {
                            <tr class={(*name == why.title).then_some("me")}><td>{ name }</td>{ for values.iter().enumerate().map(|(k, v)| html! {
                                <td class={(decided == Some(k)).then_some("key")}>{ v }if decided == Some(k) { <span class="vh">{ ", decides" }</span> }</td>
                            }) }</tr>
                        }
                    }) }</tbody>
                </table>
                if o.rows.len() > ORDER_ROWS { <p class="eyebrow">{ format!("of {} in all", o.rows.len()) }</p> }</div>
    }
}
