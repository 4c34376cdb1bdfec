//! What an import leaves open: the cluster as one line, labels, release, load.

use crate::store::{Go, Msg};
use crate::what::control;
use heddle_view::form::{Chip, Field, Setup};
use yew::prelude::*;

pub fn setup(setup: Option<&Setup>, go: &Go) -> Html {
    let Some(setup) = setup else { return html! { <div class="setup late">{ "Reading…" }</div> } };
    let labels = setup.labels.iter().map(|field| {
        html! { <span class="lab" key={field.id.clone()}><label class="lbx" for={field.id.clone()}>{ &field.label }</label>{ bare(field, go) }</span> }
    });
    html! {
        <div class="setup">
            <label for={setup.cluster.id.clone()}>{ "Cluster" }</label><div class="rw wide">{ bare(&setup.cluster, go) }{ for labels }</div>
            if !setup.attributes.is_empty() {
                <span id="attributes-of">{ "Attributes" }</span>
                <div class="rw" role="group" aria-labelledby="attributes-of" title="Half of the nodes get it.">{ for setup.attributes.iter().map(|one| chip(one, go)) }</div>
            }
            <label for={setup.release.id.clone()}>{ "Release" }</label><div class="rw">{ bare(&setup.release, go) }</div>
            <span id="load-of">{ "Load" }</span>
            <div class="rw" role="group" aria-labelledby="load-of">{ for setup.loads.iter().map(|one| chip(one, go)) }</div>
            if !setup.case.is_empty() {
                <span/><div class="rw case">{ for setup.case.iter().map(|field| html! {
                    <span class="lab" key={field.id.clone()}><label for={field.id.clone()}>{ &field.label }</label>{ bare(field, go) }</span>
                }) }</div>
            }
        </div>
    }
}

/// Draws a field without its label.
pub fn bare(field: &Field, go: &Go) -> Html {
    let edit = field.edit.clone();
    let on = go.reform(move |typed: String| Msg::Change { edit: edit.clone(), typed });
    control(field, None, on)
}

fn chip(chip: &Chip, go: &Go) -> Html {
    let edit = chip.button.edit.clone();
    let onclick = go.reform(move |_: MouseEvent| Msg::Change { edit: edit.clone(), typed: String::new() });
    html! { <button type="button" class="chip" aria-pressed={chip.on.to_string()} {onclick}>{ &chip.button.text }</button> }
}
