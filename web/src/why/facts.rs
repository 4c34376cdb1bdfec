//! Facts with their formulas, and the orders that sort keys decided.

use crate::app::Go;
use crate::ui::{popover, rich};
use heddle_core::explain::view::WhyView;
use yew::prelude::*;

/// Facts in pairs; a number opens its formula.
pub fn facts(why: &WhyView, go: &Go) -> Html {
    if why.facts.is_empty() {
        return html! {};
    }
    html! {
        <section>
            <dl class="facts">{ for why.facts.iter().map(|f| html! {
                <><dt>{ &f.name }</dt><dd>{ popover::number(go, rich::rich(&f.value), &f.name, &f.formula) }</dd></>
            }) }</dl>
        </section>
    }
}

/// Sort keys, level by level; the deciding key stands first.
pub fn orders(why: &WhyView) -> Html {
    if why.orders.is_empty() {
        return html! {};
    }
    html! {
        <section>
            <div class="sec"><h3 class="h3">{ "Order tried" }</h3><span class="eyebrow">{ "the deciding key first" }</span></div>
            { for why.orders.iter().map(|o| html! {
                <div class="order" tabindex="0" role="region" aria-label={o.title.clone()}><table>
                    <caption>{ &o.title }</caption>
                    <thead><tr><th scope="col">{ "name" }</th>{ for o.keys.iter().map(|k| html! { <th scope="col">{ k }</th> }) }</tr></thead>
                    <tbody>{ for o.rows.iter().map(|(name, values)| html! {
                        <tr class={(*name == why.title).then_some("me")}><td>{ name }</td>{ for values.iter().map(|v| html! { <td>{ v }</td> }) }</tr>
                    }) }</tbody>
                </table></div>
            }) }
        </section>
    }
}
