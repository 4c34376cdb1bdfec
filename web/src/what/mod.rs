//! WHAT: the cluster, its queues, the applications and everything else, each as a form and as text. Errors stand inline;
//! the last good state keeps running.

mod apps;
mod cluster;
mod code;
mod constraint;
mod field;
pub mod problems;
mod queues;
pub mod report;
mod requests;
mod settings;
mod spec;

pub use settings::ask_release;

use crate::edits::Written;
use crate::store::{Answers, Doc, Go, LookAt, Msg, Palette, Shared, View, WhatTab};
use crate::ui::Segment;
use yew::prelude::*;

/// See the module.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The scenario.
    pub doc: Shared<Doc>,
    /// The view.
    pub view: Shared<View>,
    /// The last answers.
    pub answers: Shared<Answers>,
    /// Colours given so far.
    pub palette: Shared<Palette>,
    /// Is it unfolded from its rail?
    pub rail: bool,
    /// Where to send messages.
    pub go: Go,
}

/// What the editors need.
pub struct Editor<'a> {
    /// Everything.
    pub props: &'a Props,
    /// What stands in the text.
    pub written: Written,
}

impl Editor<'_> {
    /// Sends an edit, or says why it cannot be made.
    pub fn edit(&self, what: &str, f: impl Fn(&str, &str) -> Result<String, String> + 'static) -> Callback<String> {
        let (go, text, what) = (self.props.go.clone(), self.props.doc.text.clone(), what.to_owned());
        Callback::from(move |typed: String| match f(&text, &typed) {
            Ok(text) => go.emit(Msg::Edit { text, what: what.clone() }),
            Err(why) => go.emit(Msg::Notice(Some(crate::store::Notice { text: why, act: None }))),
        })
    }

    /// The same for a button.
    pub fn press(&self, what: &str, f: impl Fn(&str) -> Result<String, String> + 'static) -> Callback<MouseEvent> {
        let edit = self.edit(what, move |text, _| f(text));
        Callback::from(move |_| edit.emit(String::new()))
    }
}

/// The panel.
#[component]
pub fn What(props: &Props) -> Html {
    let (view, go) = (&props.view, &props.go);
    let editor = Editor { props, written: Written::new(&props.doc.text) };
    // The selected row of a long list is in sight.
    use_effect_with((view.selection.clone(), view.what), |_| {
        let find = |css| crate::ui::dom::document().query_selector(css).ok().flatten();
        if let (Some(list), Some(row)) = (find(".qtree"), find(".qtree [aria-pressed=true]")) {
            let (list_at, row_at) = (list.get_bounding_client_rect(), row.get_bounding_client_rect());
            if row_at.top() < list_at.top() || row_at.bottom() > list_at.bottom() {
                let middle = row_at.top() - list_at.top() - list_at.height() / 2.0;
                list.set_scroll_top(list.scroll_top() + middle as i32);
            }
        }
    });
    let tab = |w: WhatTab| {
        let on = w == view.what;
        html! {
            <button type="button" role="tab" data-item="" aria-selected={on.to_string()} tabindex={if on { "0" } else { "-1" }}
                onclick={go.reform(move |_: MouseEvent| Msg::Look(LookAt::What(w)))}>{ w.name() }</button>
        }
    };
    let rail = |w: WhatTab| {
        let on = w == view.what && props.rail;
        let go = go.clone();
        html! {
            <button type="button" aria-expanded={on.to_string()} onclick={move |_| {
                go.emit(Msg::Look(LookAt::What(w)));
                go.emit(Msg::Rail(!on));
            }}>{ w.name() }</button>
        }
    };
    let as_text = go.clone();
    let form = match view.what {
        WhatTab::Cluster => cluster::cluster(&editor),
        WhatTab::Queues => queues::queues(&editor),
        WhatTab::Apps => apps::apps(&editor),
        WhatTab::Settings => settings::settings(&editor),
    };
    // A text with an error cannot be shown as a form.
    let text = view.as_text || !editor.written.readable();
    html! {
        <section class="what" id="what" aria-label="What" tabindex="-1">
            <nav class="rail" aria-label="Editors">{ for WhatTab::ALL.iter().rev().map(|w| rail(*w)) }</nav>
            <header><div class="tabs" role="tablist" aria-label="Editors" data-roving="press"><span class="axis">{ "What" }</span>{ for WhatTab::ALL.iter().map(|w| tab(*w)) }</div></header>
            <div class="wbody">
                <div class="sub">
                    <h2 class="h3">{ if text && view.what == WhatTab::Queues { queues::text_name(&editor) } else if text { "scenario" } else { view.what.name() } }</h2>
                    <Segment label="Edit as" options={vec!["form", "text"]} chosen={usize::from(text)}
                        on={Callback::from(move |i| as_text.emit(Msg::Look(LookAt::AsText(i == 1))))}/>
                </div>
                if text {
                    if view.what == WhatTab::Queues { { queues::as_text(&editor) } } else { { whole(&editor) } }
                } else {
                    { form }
                    { problems::of_doc(&editor) }
                }
            </div>
        </section>
    }
}

/// The whole scenario as text.
pub fn whole(editor: &Editor<'_>) -> Html {
    let doc = &editor.props.doc;
    let on = editor.edit("text", |_, typed| Ok(typed.to_owned()));
    html! {
        <div class="wtext">
            <code::Code label="The scenario as text" text={doc.text.clone()} marks={problems::marks(&doc.problems, 0, doc.text.len())} long={true} {on}/>
            { problems::of_doc(editor) }
        </div>
    }
}
