//! Applications, queues in each partition, and users, in rows.

use crate::store::{ColourBy, Palette};
use crate::ui::{format, gb, time, vars};
use heddle_view::protocol::Frame;
use heddle_view::{Amount, Selection};
use yew::prelude::*;

pub fn table(frame: &Frame, palette: &Palette, by: ColourBy) -> Html {
    let snapshot = &frame.snapshot;
    html! {
        <>
            <table class="data">
                <thead><tr><th scope="col">{ "application" }</th><th scope="col">{ "state" }</th><th scope="col">{ "queue" }</th><th scope="col">{ "user" }</th><th scope="col" class="num">{ "priority" }</th>
                    <th scope="col" class="num">{ "submitted" }</th><th scope="col" class="num">{ "there" }</th><th scope="col" class="num">{ "asked" }</th><th scope="col" class="num">{ "done" }</th>
                    <th scope="col" class="num">{ "GB" }</th><th scope="col" class="num">{ "headroom GB" }</th><th scope="col">{ "in YARN’s words" }</th></tr></thead>
                <tbody>{ for snapshot.apps.iter().map(|a| {
                    let id = Selection::App(a.name.clone());
                    let on = frame.selection.as_ref() == Some(&id);
                    html! {
                        <tr key={a.yarn_id.clone()} aria-selected={on.to_string()}>
                            <td><i class={classes!("sw", palette.of(by, &a.name))}/>{ " " }<button type="button" data-sel={id.to_string()} data-family={id.to_string()}>{ &a.name }</button></td>
                            <td>{ &a.state }</td><td>{ &a.queue }</td><td>{ &a.user }</td><td class="num">{ a.priority }</td><td class="num">{ time(a.submitted_ms) }</td>
                            <td class="num">{ a.placed }</td><td class="num">{ a.asked }</td><td class="num">{ a.done }</td>
                            <td class="num">{ gb(a.used.memory_mb) }</td><td class="num">{ gb(a.headroom.memory_mb) }</td>
                            <td class="w dim" title={a.yarn.clone()}><code>{ &a.yarn }</code></td>
                        </tr>
                    }
                }) }</tbody>
            </table>
            { queues(frame) }
            if !snapshot.users.is_empty() {
                <table class="data">
                    <thead><tr><th scope="col">{ "user" }</th><th scope="col">{ "queue" }</th><th scope="col">{ "partition" }</th><th scope="col" class="num">{ "used GB" }</th><th scope="col" class="num">{ "user limit GB" }</th>
                        <th scope="col" class="num">{ "AM used" }</th><th scope="col" class="num">{ "AM limit" }</th><th scope="col" class="num">{ "apps" }</th><th scope="col">{ "counts as active" }</th></tr></thead>
                    <tbody>{ for snapshot.users.iter().map(|u| html! {
                        <tr>
                            <td><button type="button" data-sel={Selection::User(u.user.clone()).to_string()}>{ &u.user }</button></td>
                            <td>{ &u.queue }</td><td>{ format::partition(&u.partition) }</td><td class="num">{ gb(u.used.memory_mb) }</td><td class="num">{ gb(u.limit.memory_mb) }</td>
                            <td class="num">{ gb(u.am_used.memory_mb) }</td><td class="num">{ gb(u.am_limit.memory_mb) }</td>
                            <td class="num">{ format!("{} + {}", u.apps.0, u.apps.1) }</td><td>{ if u.active { "yes" } else { "no" } }</td>
                        </tr>
                    }) }</tbody>
                </table>
            }
        </>
    }
}

/// Draws the tree of queues, with a row for each partition that a queue may use.
fn queues(frame: &Frame) -> Html {
    let amount = |a: &Amount| {
        let more: String = a.more.iter().map(|(name, n)| format!(" · {n} {name}")).collect();
        format!("{} · {}{more}", gb(a.memory_mb), a.vcores)
    };
    html! {
        <table class="data">
            <thead><tr><th scope="col">{ "queue, GB · vcores" }</th><th scope="col">{ "partition" }</th>
                { for ["used", "reserved", "pending", "guaranteed", "maximum", "AMs use", "AM limit", "apps"].iter().map(|h| html! { <th scope="col" class="num">{ *h }</th> }) }</tr></thead>
            <tbody>{ for frame.snapshot.queues.iter().flat_map(|q| q.partitions.iter().map(move |p| (q, p))).map(|(q, p)| {
                let id = Selection::Queue(q.path.clone());
                let on = frame.selection.as_ref() == Some(&id);
                let apps = match q.leaf {
                    true => format!("{} + {}", q.active, q.pending + q.non_runnable),
                    false => String::new(),
                };
                let of_leaf = |a: &Amount| if q.leaf { amount(a) } else { String::new() };
                html! {
                    <tr key={format!("{} {}", q.path, p.partition)} aria-selected={on.to_string()}>
                        <td><button type="button" class="nm" data-sel={id.to_string()} data-family={id.to_string()} data-vars={vars(&[("d", q.depth as f64)])}>{ &q.name }</button></td>
                        <td>{ format::partition(&p.partition) }</td>
                        { for [&p.used, &p.reserved, &p.pending, &p.guaranteed, &p.maximum].map(|a| html! { <td class="num">{ amount(a) }</td> }) }
                        <td class="num">{ of_leaf(&p.am_used) }</td><td class="num">{ of_leaf(&p.am_limit) }</td><td class="num">{ apps }</td>
                    </tr>
                }
            }) }</tbody>
        </table>
    }
}
