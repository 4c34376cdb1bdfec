//! The gallery: questions in the asker's voice.

use crate::store::{Dialog, Doc, Go, Msg, Opening, ScenarioSource, Shared};
use crate::ui::dom::lower;
use crate::ui::rich;
use heddle_view::ExampleView;
use std::rc::Rc;
use web_sys::HtmlInputElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct Props {
    pub doc: Shared<Doc>,
    /// The cards, once they have arrived.
    pub all: Option<Rc<[ExampleView]>>,
    /// The callback for messages.
    pub go: Go,
}

/// Draws the cards, and a field that filters them.
#[component]
pub fn Gallery(props: &Props) -> Html {
    let typed = use_state(String::new);
    let words = lower(&typed);
    let oninput = {
        let typed = typed.clone();
        move |e: InputEvent| typed.set(e.target_unchecked_into::<HtmlInputElement>().value())
    };
    // Words that no question has may be a line of YARN's log.
    let read = {
        let (go, text) = (props.go.clone(), typed.trim().to_owned());
        Callback::from(move |()| go.emit(Msg::Import { name: String::new(), text: text.clone(), more: vec![] }))
    };
    let mut found = true;
    let cards = match &props.all {
        None => html! { <p class="soft" role="status">{ "Loading the questions…" }</p> },
        Some(all) => {
            let shown: Vec<&ExampleView> = all.iter().filter(|x| has_words(x, &words)).collect();
            match shown.is_empty() {
                true => {
                    found = false;
                    html! {
                        <>
                            <p class="soft">{ "No question has these words." }</p>
                            <button type="button" class="btn edge" id="find-read" onclick={read.reform(|_: MouseEvent| ())}>{ "Read them as a line of YARN's" }</button>
                        </>
                    }
                }
                false => html! { <div class="cards">{ for shown.into_iter().map(|x| card(x, &props.go)) }</div> },
            }
        }
    };
    let onkeydown = move |e: KeyboardEvent| {
        if e.key() == "Enter" && !found {
            read.emit(());
        }
    };
    html! {
        <>
            { clean(props) }
            <input class="in" id="find-example" type="search" placeholder="Search the questions, or paste a line of YARN's" aria-label="Search the questions, or paste a line of YARN's" {oninput} {onkeydown}/>
            { cards }
        </>
    }
}

/// Draws the ways to start afresh, which narrow screens have no room for at the top.
fn clean(props: &Props) -> Html {
    let empty = props.go.reform(|_: MouseEvent| Msg::Open { source: ScenarioSource::Empty, how: Opening::Chosen });
    let back = {
        let (go, text) = (props.go.clone(), props.doc.opened.to_string());
        move |_: MouseEvent| {
            go.emit(Msg::Edit { text: text.clone(), what: "back to what was opened".into() });
            go.emit(Msg::Dialog(None));
        }
    };
    let drafts = props.go.reform(|_: MouseEvent| Msg::Dialog(Some(Dialog::Drafts)));
    html! {
        <div class="acts2">
            <button type="button" class="btn edge" onclick={empty}>{ "New, empty" }</button>
            <button type="button" class="btn edge" disabled={props.doc.text == props.doc.opened} onclick={back}>{ "Back to what was opened" }</button>
            <button type="button" class="btn" onclick={drafts}>{ "Drafts kept here" }</button>
        </div>
    }
}

/// Returns whether a card contains all of the words.
fn has_words(x: &ExampleView, words: &str) -> bool {
    let card = &x.card;
    let text =
        [&card.question, &card.answer, &card.topic, &card.source, &x.name, &x.words].map(String::as_str).join(" ");
    let text = lower(&text);
    words.split_whitespace().all(|w| text.contains(w))
}

/// Returns the remark about a scenario that the real schedulers have played.
fn proof(steps: u64) -> Option<String> {
    (steps > 0).then(|| format!("checked against Hadoop 3.5.0: {steps} steps"))
}

fn card(x: &ExampleView, go: &Go) -> Html {
    let (name, card) = (x.name.clone(), &x.card);
    let click = go
        .reform(move |_: MouseEvent| Msg::Open { source: ScenarioSource::Example(name.clone()), how: Opening::Chosen });
    html! {
        <button type="button" class="card" key={x.name.as_str()} onclick={click}>
            <span class="q">{ rich::rich(&card.question) }</span><span class="a">{ rich::rich(&card.answer) }</span>
            <span class="eyebrow">{ proof(x.proved_steps) }</span>
            <span class="eyebrow">{ [card.topic.as_str(), card.source.as_str()].iter().filter(|t| !t.is_empty()).copied().collect::<Vec<_>>().join(" · ") }</span>
        </button>
    }
}
