//! The gallery: questions in the asker's voice.

use crate::share::examples::{self, Example};
use crate::store::{Dialog, Doc, Go, Msg, Opening, Shared};
use crate::ui::rich;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// A scenario with nothing in it.
const EMPTY: &str = "heddle = 1\ntitle = \"\"\nscheduling = \"heartbeat\"\nuntil = \"5 min\"\n\n\
    [capacity-scheduler]\nroot.queues = \"default\"\nroot.default.capacity = 100\n";

/// See the module.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The scenario.
    pub doc: Shared<Doc>,
    /// Where to send messages.
    pub go: Go,
}

/// The cards, and a field that narrows them.
#[component]
pub fn Gallery(props: &Props) -> Html {
    let all = use_memo((), |()| examples::all());
    let words = use_state(String::new);
    let oninput = {
        let words = words.clone();
        move |e: InputEvent| words.set(e.target_unchecked_into::<HtmlInputElement>().value().to_lowercase())
    };
    let shown: Vec<&Example> = all.iter().filter(|x| has_words(x, &words)).collect();
    let cards = match shown.is_empty() {
        true => html! { <p class="soft">{ "No question has these words." }</p> },
        false => html! { <div class="cards">{ for shown.into_iter().map(|x| card(x, &props.go)) }</div> },
    };
    html! {
        <>
            { clean(props) }
            <input class="in" id="find-example" type="search" placeholder="Search the questions" aria-label="Search the questions" {oninput}/>
            { cards }
        </>
    }
}

/// The ways back to a clean slate.
fn clean(props: &Props) -> Html {
    let empty = props.go.reform(|_: MouseEvent| Msg::Open { text: EMPTY.into(), how: Opening::Chosen, view: None });
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

/// Does every one of the words stand somewhere on the card?
fn has_words(x: &Example, words: &str) -> bool {
    let text = [&x.question, &x.answer, &x.topic, &x.source, &x.name].map(String::as_str).join(" ").to_lowercase();
    words.split_whitespace().all(|w| text.contains(w))
}

fn card(x: &Example, go: &Go) -> Html {
    let text = x.text.clone();
    let click = go.reform(move |_: MouseEvent| Msg::Open { text: text.clone(), how: Opening::Chosen, view: None });
    html! {
        <button type="button" class="card" key={x.name.as_str()} onclick={click}>
            <span class="q">{ rich::rich(&x.question) }</span><span class="a">{ rich::rich(&x.answer) }</span>
            <span class="eyebrow">{ [x.topic.as_str(), x.source.as_str()].iter().filter(|t| !t.is_empty()).copied().collect::<Vec<_>>().join(" · ") }</span>
        </button>
    }
}
