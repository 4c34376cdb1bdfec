//! The tree of queues with their shares. A long one is folded by subtree, and searched by full path.

use crate::ui::dom::lower;
use crate::ui::vars;
use heddle_view::Selection;
use heddle_view::form::QueueLine;
use std::collections::BTreeSet;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// The most queues that are listed unfolded.
const UNFOLDED: usize = 14;

#[derive(Properties, PartialEq)]
pub struct Props {
    pub list: Vec<QueueLine>,
    /// The class of each queue that has a fill as things are coloured.
    pub fills: Vec<Option<&'static str>>,
}

#[component]
pub fn QueueTree(props: &Props) -> Html {
    let list = &props.list;
    let find = use_state(String::new);
    let open = use_state(BTreeSet::<String>::new);
    let long = list.len() > UNFOLDED;
    let words = lower(find.trim());
    let chosen = list.iter().find(|q| q.chosen).map_or("", |q| q.path.as_str());
    // A chosen queue is in sight with those beside it, whatever is folded.
    let leads = |path: &str| path == "root" || chosen.starts_with(&format!("{path}."));
    let shown: Vec<&QueueLine> = match (long, words.is_empty()) {
        (false, _) => list.iter().collect(),
        (true, false) => list.iter().filter(|q| words.split_whitespace().all(|w| lower(&q.path).contains(w))).collect(),
        (true, true) => {
            let unfolded = |parent: &str| open.contains(parent) || leads(parent);
            let ancestors =
                |path: &str| path.match_indices('.').map(|(at, _)| path[..at].to_owned()).collect::<Vec<_>>();
            list.iter().filter(|q| ancestors(&q.path).iter().all(|parent| unfolded(parent))).collect()
        }
    };
    let found = !words.is_empty();
    let fill = |q: &QueueLine| {
        let at = list.iter().position(|other| other.path == q.path)?;
        props.fills.get(at).copied().flatten()
    };
    let line = |q: &QueueLine| {
        let id = Selection::Queue(q.path.clone()).to_string();
        let below = if long && !found {
            list.iter().filter(|c| c.path.starts_with(&format!("{}.", q.path))).count()
        } else {
            0
        };
        let is_open = open.contains(&q.path) || leads(&q.path);
        let fold = (below > 0 && q.path != "root").then(|| {
            let (open, path) = (open.clone(), q.path.clone());
            let onclick = move |e: MouseEvent| {
                e.stop_propagation();
                let mut next = (*open).clone();
                if !next.remove(&path) {
                    next.insert(path.clone());
                }
                open.set(next);
            };
            let label = format!("{} the {below} queues under {}", if is_open { "Fold" } else { "Unfold" }, q.path);
            html! { <button type="button" class="tw" aria-expanded={is_open.to_string()} aria-label={label} {onclick}>{ if is_open { "▾" } else { "▸" } }</button> }
        });
        let depth = vars(&[("d", if found { 0.0 } else { q.depth as f64 })]);
        html! {
            <>
                <div class={classes!("ql", (long && !found).then_some("deep"))} key={q.path.clone()} data-vars={depth}>{ for fold }
                <button type="button" data-item="" tabindex="-1" data-sel={id.clone()} data-family={id} aria-pressed={q.chosen.to_string()} title={q.path.clone()}>
                    <span class="nm">{ for fill(q).map(|class| html! { <i class={classes!("sw", class)}/> }) }if found { { path(&q.path) } } else { { &q.name } }if below > 0 { <span class="dim">{ format!(" {below}") }</span> }</span>
                    <span class="num">{ &q.share.0 }</span>
                    <span class="num dim">{ &q.share.1 }</span>
                </button></div>
                { for q.labels.iter().map(|(label, least, most)| html! {
                    <p key={format!("{} {label}", q.path)}><span class="nm" title={label.clone()} data-vars={vars(&[("d", (q.depth + 1) as f64)])}>{ "label " }{ label }</span>
                        <span class="num">{ least }</span><span class="num">{ most }</span></p>
                }) }
            </>
        }
    };
    let oninput = {
        let find = find.clone();
        move |e: InputEvent| find.set(e.target_unchecked_into::<HtmlInputElement>().value())
    };
    html! {
        <>
            if long {
                <input class="in" id="find-queue" type="search" placeholder={format!("Find among {} queues", list.len())} aria-label={format!("Find among {} queues", list.len())} autocomplete="off" {oninput}/>
            }
            if shown.is_empty() { <p class="eyebrow" role="status">{ "No queue's path has these words." }</p> }
            <div class="qtree" data-roving="" role="group" aria-label="Queues">{ for shown.into_iter().map(line) }</div>
        </>
    }
}

/// Draws a full path, its last part stronger.
fn path(path: &str) -> Html {
    match path.rsplit_once('.') {
        Some((before, last)) => html! { <><span class="pre">{ format!("{before}.") }</span>{ last }</> },
        None => html! { { path } },
    }
}
