//! The gallery: questions in the asker's voice, by topic, each with the picture of its end.

use super::card_picture::picture;
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

/// The topics of cards in their order, with their headings. A card of another topic stands under the last one.
const TOPICS: [(&str, &str); 8] = [
    ("accepted", "Stuck in ACCEPTED"),
    ("sharing", "Shares and limits"),
    ("preemption", "Preemption"),
    ("size", "Size and room"),
    ("labels", "Node labels"),
    ("constraints", "Placement constraints"),
    ("slider", "Slider"),
    ("samza", "Samza"),
];

/// Returns the place of a card's topic.
fn topic(x: &ExampleView) -> usize {
    TOPICS.iter().position(|(topic, _)| *topic == x.card.topic).unwrap_or(TOPICS.len() - 1)
}

/// What the chips choose.
#[derive(Clone, Copy, PartialEq)]
enum Shown {
    All,
    Topic(usize),
    /// The worked examples of the documents.
    Documented,
}

impl Shown {
    fn has(self, x: &ExampleView) -> bool {
        match self {
            Shown::All => true,
            Shown::Topic(place) => topic(x) == place,
            Shown::Documented => x.documented,
        }
    }
}

/// Draws the cards, a field that searches them, and a chip for each topic.
#[component]
pub fn Gallery(props: &Props) -> Html {
    let typed = use_state(String::new);
    let chosen = use_state(|| Shown::All);
    // A pasted line may have typographic apostrophes.
    let words = lower(&typed).replace('’', "'");
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
    let body = match &props.all {
        None => html! { <p class="soft" role="status">{ "Loading the questions…" }</p> },
        Some(all) => {
            let hits: Vec<&ExampleView> = all.iter().filter(|x| has_words(x, &words)).collect();
            found = !hits.is_empty();
            html! {
                <>
                    { chips(&hits, &chosen) }
                    if found { { groups(&hits, *chosen, &words, &props.go) } } else {
                        <p class="soft">{ "No question has these words." }</p>
                        <button type="button" class="btn edge" id="find-read" onclick={read.reform(|_: MouseEvent| ())}>{ "Read them as a line of YARN's" }</button>
                    }
                </>
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
            { body }
        </>
    }
}

/// Draws a chip for each topic with the number of its cards.
fn chips(hits: &[&ExampleView], chosen: &UseStateHandle<Shown>) -> Html {
    let chip = |shown: Shown, name: &'static str| {
        let count = hits.iter().filter(|x| shown.has(x)).count();
        let on = **chosen == shown;
        let chosen = chosen.clone();
        html! {
            <button type="button" class="chip" aria-pressed={on.to_string()} disabled={count == 0 && !on} onclick={move |_: MouseEvent| chosen.set(shown)}>{ name }<small>{ format!(" {count}") }</small></button>
        }
    };
    html! {
        <div class="chips" role="group" aria-label="Topics">
            { chip(Shown::All, "All") }
            { for TOPICS.iter().enumerate().map(|(i, (_, name))| chip(Shown::Topic(i), name)) }
            { chip(Shown::Documented, "From the documents") }
        </div>
    }
}

/// Draws the cards under the headings of their topics.
fn groups(hits: &[&ExampleView], chosen: Shown, words: &str, go: &Go) -> Html {
    let group = |(place, (_, name)): (usize, &(&str, &'static str))| {
        let mut cards = hits.iter().filter(|x| topic(x) == place && chosen.has(x)).peekable();
        cards.peek()?;
        Some(html! {
            <section key={*name}><h3 class="topic">{ name }</h3><div class="cards">{ for cards.map(|x| card(x, words, go)) }</div></section>
        })
    };
    let none = !hits.iter().any(|x| chosen.has(x));
    html! {
        <>
            if none { <p class="soft">{ "No question of this topic has these words." }</p> }
            { for TOPICS.iter().enumerate().filter_map(group) }
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
    (steps > 0).then(|| format!("{steps} steps checked against Hadoop 3.5.0"))
}

/// Returns the string of YARN's that has all of the typed words.
fn string_with<'x>(x: &'x ExampleView, words: &str) -> Option<&'x str> {
    let typed: Vec<&str> = words.split_whitespace().collect();
    let mut strings = x.words.split(" | ").filter(|_| typed.len() > 1);
    strings.find(|string| {
        let string = lower(string);
        typed.iter().all(|w| string.contains(w))
    })
}

fn card(x: &ExampleView, words: &str, go: &Go) -> Html {
    let (name, card) = (x.name.clone(), &x.card);
    let click = go
        .reform(move |_: MouseEvent| Msg::Open { source: ScenarioSource::Example(name.clone()), how: Opening::Chosen });
    html! {
        <button type="button" class="card" key={x.name.as_str()} onclick={click}>
            { picture(&x.picture) }
            <span class="q">{ rich::rich(&card.question) }</span><span class="a">{ rich::rich(&card.answer) }</span>
            { for string_with(x, words).map(|string| html! { <code class="hit">{ string }</code> }) }
            <span class="eyebrow">{ [Some(card.source.clone()), proof(x.proved_steps)].into_iter().flatten().filter(|t| !t.is_empty()).collect::<Vec<_>>().join(" · ") }</span>
        </button>
    }
}
