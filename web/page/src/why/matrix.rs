//! Nodes × checks. The buckets count each node once, by its first failing check, so they sum to the nodes; the matrix
//! shows every check of every node, the near misses first.

use super::fold::{Texts, fold, part};
use crate::store::{Go, LookAt, Msg};
use crate::ui::{Segment, names, rich, vars};
use heddle_view::{BucketView, CellView, CheckView, MatrixView, Selection, WhyView};
use yew::prelude::*;

/// The most rows drawn.
const ROWS_MAX: usize = 60;

/// Draws the section; nothing if no node was examined.
pub fn nodes(why: &WhyView, hosts: names::InCommon, all: bool, clause: Option<usize>, go: &Go) -> Html {
    if why.matrix.rows.is_empty() && why.buckets.is_empty() {
        return html! {};
    }
    let on = go.clone();
    let title = match why.matrix.at_ms {
        Some(at) => format!("Nodes × checks, just before {}", crate::ui::time(at)),
        None => "Nodes × checks".to_owned(),
    };
    let says: Vec<String> = why.buckets.iter().map(|b| rich::plain(&b.text)).collect();
    let body = html! {
        <>
            if why.matrix.checks.len() > 1 {
                <Segment label="Failing checks shown" options={vec!["first", "all"]} chosen={usize::from(all)}
                    on={Callback::from(move |i| on.emit(Msg::Look(LookAt::AllChecks(i == 1))))}/>
            }
            { buckets(&why.buckets, &why.matrix, go) }
            { matrix(&why.matrix, hosts, all, clause, why.about.as_ref()) }
        </>
    };
    part("nodes", Texts { title: &title, aside: "boxed: fails first", says: &says.join(" · ") }, body)
}

/// Draws each set of checks that is enough to lift, folded, because the advice says more.
pub fn blocking(why: &WhyView) -> Html {
    let Some(first) = why.blocking.first() else { return html! {} };
    let title = if why.blocking.len() == 1 { "It would fit without" } else { "It would fit without any one of" };
    let body = html! { <ul class="reads">{ for why.blocking.iter().map(|b| html! { <li><span/><span>{ rich::rich(b) }</span><span/></li> }) }</ul> };
    fold("without", title, &rich::plain(first), body)
}

fn buckets(list: &[BucketView], matrix: &MatrixView, go: &Go) -> Html {
    if list.is_empty() {
        return html! {};
    }
    let total: usize = list.iter().map(|b| b.count).sum();
    let most = list.len().max(2) as f64;
    let clause =
        |b: &BucketView| b.check.and_then(|c| matrix.checks.get(c)).and_then(|c| c.clause).map(|c| c.to_string());
    let select = |b: &BucketView| {
        let node = b.nodes.first().cloned();
        go.reform(move |_: MouseEvent| match &node {
            Some(node) => Msg::Focus(if node.is_empty() { "why" } else { "where" }),
            None => Msg::Focus("why"),
        })
    };
    html! {
        <>
            <div class="buck" aria-hidden="true">{ for list.iter().enumerate().map(|(i, b)| html! {
                <button type="button" tabindex="-1" class={b.check.is_none().then_some("pass")} data-clause={clause(b)} title={format!("{}: {}", rich::plain(&b.text), b.nodes.join(", "))}
                    onclick={select(b)} data-vars={vars(&[("n", b.count as f64), ("o", 1.0 - 0.75 * i as f64 / most)])}/>
            }) }</div>
            <p class="buckl">
                { for list.iter().map(|b| html! { <span data-clause={clause(b)} title={b.nodes.join(", ")}>{ leading_bold(&b.text) }</span> }) }
                <span class="dim">{ format!("= {total}") }</span>
            </p>
        </>
    }
}

/// Draws `7 run hbase` with its number in bold.
fn leading_bold(text: &str) -> Html {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    html! { <><b>{ &text[..end] }</b>{ rich::rich(&text[end..]) }</> }
}

fn matrix(m: &MatrixView, hosts: names::InCommon, all: bool, clause: Option<usize>, about: Option<&Selection>) -> Html {
    if m.rows.is_empty() {
        return html! {};
    }
    let rest = m.rows.len().saturating_sub(ROWS_MAX);
    let near_there = m.rows.iter().any(|r| !r.near);
    html! {
        <div class="mxw" tabindex="0" role="region" aria-label="Nodes and checks">
            <table class="mx">
                <caption class="vh">{ "Each node and each check: what was seen, and whether it passes" }</caption>
                <thead><tr><th scope="col">{ "node" }</th>
                    { for m.checks.iter().map(|c| {
                        let sel = c.clause.and_then(|n| match about {
                            Some(Selection::Request { app, key } | Selection::Clause { app, key, .. }) =>
                                Some(Selection::Clause { app: app.clone(), key: key.clone(), n }.to_string()),
                            _ => None,
                        });
                        html! {
                            <th scope="col" data-clause={c.clause.map(|c| c.to_string())} title={title(c)} aria-current={(c.clause.is_some() && c.clause == clause).then_some("true")}>
                                if let Some(n) = c.clause { <button type="button" class="no" data-sel={sel} aria-label={format!("clause {n}")}>{ n }</button><br/> }
                                { &c.title }
                            </th>
                        }
                    }) }</tr></thead>
                <tbody>{ for m.rows.iter().take(ROWS_MAX).map(|row| html! {
                    <tr key={row.node.clone()} class={(near_there && row.near).then_some("near")}>
                        <th scope="row"><button type="button" data-sel={Selection::Node(row.node.clone()).to_string()} data-family={format!("node:{}", row.node)} title={row.node.clone()}>{ hosts.rest(&row.node) }</button>
                            if !row.alike.is_empty() { { " " }<span title={row.alike.join(", ")}>{ format!("and {} alike", row.alike.len()) }</span> }
                            { " " }<span>{ row.rack.trim_start_matches('/') }</span></th>
                        { for row.cells.iter().map(|c| cell(c, all)) }
                    </tr>
                }) }</tbody>
            </table>
            if rest > 0 { <p class="eyebrow">{ format!("and {rest} more nodes, in the counts above") }</p> }
        </div>
    }
}

/// Returns the check's condition, and YARN's words if there are any.
fn title(c: &CheckView) -> String {
    match (c.words.as_str(), c.yarn.as_str()) {
        ("", yarn) => yarn.to_owned(),
        (words, "") => words.to_owned(),
        (words, yarn) => format!("{words}. YARN: {yarn}"),
    }
}

fn cell(c: &CellView, all: bool) -> Html {
    if c.passes {
        let text = if c.text.is_empty() || c.text == "–" { "✓".to_owned() } else { format!("✓ {}", c.text) };
        html! { <td class="y">{ text }<span class="vh">{ " passes" }</span></td> }
    } else if c.first {
        let text = if c.text.is_empty() { "✕" } else { c.text.as_str() };
        html! { <td class="first"><span title={text.to_owned()}>{ text }<span class="vh">{ ", fails first" }</span></span></td> }
    } else if all {
        let text = if c.text.is_empty() { "✕" } else { c.text.as_str() };
        html! { <td class="n">{ text }<span class="vh">{ ", fails too" }</span></td> }
    } else {
        html! { <td class="y"><span class="vh">{ "not reached" }</span></td> }
    }
}
