//! One sentence, announced politely when it changes, with the tally beside it; below it the scenario's own words: the
//! moment's caption, its question, and the worlds to compare it with.

use super::first;
use crate::store::{Answers, Doc, Effect, Go, Msg, Shared};
use crate::ui::mark::Mark;
use crate::ui::{count, mark, rich, terms, time};
use gloo::timers::callback::Timeout;
use heddle_view::{CardView, EventOutcome, LinkedView};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct Props {
    pub doc: Shared<Doc>,
    pub answers: Shared<Answers>,
    /// The reason why there is no simulation.
    pub broken: Option<String>,
    /// The reason why the scenario does not run.
    pub refused: Option<String>,
    pub playing: bool,
    /// The callback for messages.
    pub go: Go,
}

#[component]
pub fn Headline(props: &Props) -> Html {
    let snapshot = &props.answers.frame.snapshot;
    let text = match (&props.broken, &snapshot.invariants.broken) {
        (Some(why), _) if props.answers.ready => {
            format!(
                "The simulation stopped: {why}. This is our mistake. The scenario can still be edited as text, and saved."
            )
        }
        (Some(why), _) => {
            format!("This browser does not run the simulation: {why}. The scenario can still be read and edited.")
        }
        _ if props.refused.is_some() => props.refused.clone().unwrap_or_default(),
        (_, Some(broken)) => format!("Stopped: {broken}. This is our mistake."),
        _ => match &snapshot.cut_off {
            Some(cut) if snapshot.time_ms >= snapshot.end_ms => cut.clone(),
            _ if props.answers.is_loading() => "Loading…".to_owned(),
            _ if props.answers.ready => snapshot.headline.clone(),
            _ => "Starting…".to_owned(),
        },
    };
    let tally = if props.answers.is_loading() { Default::default() } else { snapshot.tally };
    let item = |fate: EventOutcome, n: usize, word: &str| {
        (n > 0).then(|| html! {
            <span>{ mark(fate) }<b>{ count(n as i64) }</b><span class="l">{ format!(" {word}") }</span><span class="vh">{ format!(" {word}") }</span></span>
        })
    };
    let class = room(props);
    html! {
        <section class="head" aria-label="Headline">
            <div {class}><h1 id="headline" title={rich::plain(&text)}>{ rich::rich(&text) }</h1><Spoken text={rich::plain(&text)} playing={props.playing}/>{ words(props) }{ for props.broken.as_ref().map(|_| save(props)) }</div>
            <div class="tally">
                { for item(EventOutcome::Placed, tally.running, "running") }
                { for item(EventOutcome::Waiting, tally.waiting, "waiting") }
                { for item(EventOutcome::Reserved, tally.reserved, "held") }
                { for item(EventOutcome::Preempting, tally.preempting, "preempting") }
                { for item(EventOutcome::Rejected, tally.refused, "refused") }
            </div>
        </section>
    }
}

/// Returns the classes that reserve as many lines as the scenario can need, so that nothing below moves when the sentence
/// changes. Messages that do not belong to a moment take the space that they need.
fn room(props: &Props) -> Classes {
    let wordy = props.broken.is_some() || props.refused.is_some();
    let about = props.doc.about.as_ref().filter(|_| !wordy);
    let captions = about.is_some_and(|about| about.room.captions);
    // The page's own first scenario shows no question.
    let card = about.is_some_and(|about| about.room.card && !props.doc.is_first_visit() || !about.worlds.is_empty());
    classes!("words", (!wordy).then_some("kept"), captions.then_some("cap"), card.then_some("asking"))
}

/// Returns the scenario's card; none for the page's own first scenario.
fn card(props: &Props) -> Option<&CardView> {
    let card = props.doc.about.as_ref()?.card.as_ref()?;
    (!card.question.is_empty() && !props.doc.is_first_visit()).then_some(card)
}

/// The shortest time between two announcements while playing, in milliseconds.
const PAUSE: f64 = 2000.0;

#[derive(Properties, PartialEq)]
struct SpokenProps {
    text: String,
    playing: bool,
}

/// The headline for screen readers: the latest one, never faster than it can be spoken.
#[component]
fn Spoken(props: &SpokenProps) -> Html {
    let said = use_state(String::new);
    let last = use_mut_ref(|| 0.0);
    {
        let said = said.clone();
        use_effect_with((props.text.clone(), props.playing), move |(text, playing)| {
            let passed = js_sys::Date::now() - *last.borrow();
            let wait = if *playing { (PAUSE - passed).max(0.0) } else { 0.0 };
            let text = text.clone();
            let timer = Timeout::new(wait as u32, move || {
                *last.borrow_mut() = js_sys::Date::now();
                said.set(text);
            });
            move || drop(timer)
        });
    }
    html! { <div class="vh" role="status">{ (*said).clone() }</div> }
}

/// Draws the button that saves the scenario from a page that does not run it.
fn save(props: &Props) -> Html {
    let (name, text) = ("heddle-report.toml".to_owned(), props.doc.text.to_string());
    let click = props.go.reform(move |_: MouseEvent| Msg::Do(Effect::Save { name: name.clone(), text: text.clone() }));
    html! { <p><button type="button" class="btn edge sm" onclick={click}>{ "Save the scenario" }</button></p> }
}

/// Draws the additions of the opened link: the sender's sentence, and whether the run is still the same.
fn linked(linked: &LinkedView) -> Html {
    let caption = linked.caption.as_ref().map(|(at, text)| {
        html! { <p class="asked" id="link-caption">{ format!("The link says, of {}: ", time(*at)) }{ rich::rich(text) }</p> }
    });
    let proof = linked.proof.as_ref().map(|(same, text)| {
        let (fate, class) =
            if *same { (Mark::Pass, "asked dim") } else { (Mark::Of(EventOutcome::Rejected), "asked rejected") };
        html! { <p {class} id="link-proof">{ mark(fate) }{ " " }{ text }</p> }
    });
    html! { <>{ for caption }{ for proof }</> }
}

/// Draws the author's caption of the moment; of the first visit with every term, since whoever comes may know none of them,
/// and after an edit what comes next in it.
fn caption(props: &Props) -> Option<Html> {
    let told = props.answers.frame.caption.as_deref();
    if !props.doc.is_first_visit() {
        return told.map(rich::rich);
    }
    let act = || first::act(&props.doc.text, first::Seen::of(&props.answers.frame.snapshot)?);
    let told = told.map(str::to_owned).or_else(|| Some(act()?.caption));
    told.map(|text| terms::every(&text, &props.go))
}

/// Draws the moment's caption, and the card's question, which opens to the answer and a hint where to look; beside it the
/// other worlds.
fn words(props: &Props) -> Html {
    let Some(about) = &props.doc.about else { return html! {} };
    let caption = caption(props).filter(|_| !props.answers.is_loading());
    let worlds: Vec<&str> = about.worlds.iter().map(|w| w.name.as_str()).collect();
    html! {
        <>
            if let Some(caption) = caption { <p class="asked caption">{ caption }</p> }
            { for props.answers.frame.linked.as_ref().filter(|_| !props.answers.is_loading()).map(linked) }
            if card(props).is_some() || !worlds.is_empty() {
                <div class="asks">
                    if let Some(card) = card(props) {
                        <details class="asked" key={card.id.clone()}><summary title={card.question.clone()}>{ format!("{}: {}", card.id, card.question) }</summary>
                            <div><p>{ rich::rich(&card.answer) }</p>
                            if !card.look.is_empty() { <p class="dim">{ "Look at: " }{ rich::rich(&card.look) }</p> }
                            if !card.source.is_empty() { <p class="dim">{ "Asked in: " }{ &card.source }</p> }</div>
                        </details>
                    }
                    if !worlds.is_empty() { <p class="asked">{ crate::compare::invitation(&worlds, &props.go) }</p> }
                </div>
            }
        </>
    }
}
