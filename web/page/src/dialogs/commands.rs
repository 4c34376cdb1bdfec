//! The command palette, opened with Ctrl K: every command, every panel, and every thing of the cluster by its name.

use super::Props;
use crate::store::{ColourBy, Dialog, Go, LookAt, Msg, Opening, ScenarioSource, Tab, Theme, Under};
use crate::ui::dom::{self, lower};
use heddle_view::{Comparison, Selection};
use web_sys::{HtmlInputElement, KeyboardEvent};
use yew::prelude::*;

/// The most lines listed; more words find the others.
const SHOWN: usize = 40;

/// A line: its name, its kind, and its message.
type CommandEntry = (String, &'static str, Msg);

fn lines(props: &Props) -> Vec<CommandEntry> {
    let mut out: Vec<CommandEntry> = Vec::new();
    let mut act = |name: &str, msg: Msg| out.push((name.to_owned(), "act", msg));
    act("Play or pause", Msg::Toggle);
    for (back, way) in [(false, "on"), (true, "back")] {
        act(&format!("Step {way}"), Msg::Step { back });
        act(if back { "To the last change" } else { "To the next change" }, Msg::Next { back });
    }
    act("To the start", Msg::Seek(0));
    act("To the end", Msg::Seek(i64::MAX));
    if props.doc.can_undo().is_some() {
        act("Undo", Msg::Undo);
    }
    if props.doc.can_redo().is_some() {
        act("Redo", Msg::Redo);
    }
    let dialogs = [
        ("Go to a time", Dialog::GoTo),
        ("Where would an application go?", Dialog::Landing),
        ("Examples", Dialog::Examples),
        ("Import a file", Dialog::Import),
        ("Share", Dialog::Share { with_view: true }),
        ("Drafts", Dialog::Drafts),
        ("Keys, help and words", Dialog::Keys),
        ("What is not modelled", Dialog::Limits),
    ];
    dialogs.into_iter().for_each(|(name, dialog)| act(name, Msg::Dialog(Some(dialog))));
    act("Compare", Msg::Compare(Some(Comparison::default())));
    act("New, empty", Msg::Open { source: ScenarioSource::Empty, how: Opening::Chosen });
    for theme in [Theme::System, Theme::Light, Theme::Dark] {
        act(&format!("Theme: {}", theme.name()), Msg::Look(LookAt::Theme(theme)));
    }
    act("Show as picture", Msg::Look(LookAt::Twin(false)));
    act("Show as table", Msg::Look(LookAt::Twin(true)));
    ColourBy::ALL.iter().for_each(|c| act(&format!("Colour by {}", c.name()), Msg::Look(LookAt::Colour(*c))));
    Tab::ALL.iter().for_each(|t| act(&format!("Edit: {}", t.name()), Msg::Look(LookAt::What(*t))));
    Under::ALL.iter().for_each(|u| act(&format!("Table: {}", u.name()), Msg::Look(LookAt::Under(*u))));
    let snapshot = &props.answers.frame.snapshot;
    let mut thing = |name: &str, kind, id| out.push((name.to_owned(), kind, Msg::Select(Some(id))));
    snapshot.apps.iter().for_each(|a| thing(&a.name, "application", Selection::App(a.name.clone())));
    snapshot.queues.iter().for_each(|q| thing(&q.path, "queue", Selection::Queue(q.path.clone())));
    let nodes = snapshot.racks.iter().flat_map(|r| &r.nodes);
    nodes.for_each(|n| thing(&n.name, "node", Selection::Node(n.name.clone())));
    for x in props.answers.gallery.iter().flat_map(|all| all.iter()) {
        let open = Msg::Open { source: ScenarioSource::Example(x.name.clone()), how: Opening::Chosen };
        out.push((x.card.question.clone(), "example", open));
    }
    out
}

/// Closes the palette and sends the message.
fn run(go: &Go, msg: &Msg) {
    go.emit(Msg::Dialog(None));
    go.emit(msg.clone());
}

#[component]
pub fn Commands(props: &Props) -> Html {
    let words = use_state(String::new);
    let at = use_state(|| 0_usize);
    let all = lines(props);
    let fits = |(name, kind, _): &&CommandEntry| {
        let text = lower(&format!("{name} {kind}"));
        words.split_whitespace().all(|w| text.contains(w))
    };
    let found: Vec<&CommandEntry> = all.iter().filter(fits).take(SHOWN).collect();
    let here = (*at).min(found.len().saturating_sub(1));
    let oninput = {
        let (words, at) = (words.clone(), at.clone());
        move |e: InputEvent| {
            words.set(lower(&e.target_unchecked_into::<HtmlInputElement>().value()));
            at.set(0);
        }
    };
    let onkeydown = {
        let (go, last, chosen) =
            (props.go.clone(), found.len().saturating_sub(1), found.get(here).map(|l| l.2.clone()));
        move |e: KeyboardEvent| {
            match (e.key().as_str(), &chosen) {
                ("ArrowDown", _) => at.set((here + 1).min(last)),
                ("ArrowUp", _) => at.set(here.saturating_sub(1)),
                ("Enter", Some(msg)) => run(&go, msg),
                _ => return,
            }
            e.prevent_default();
        }
    };
    // Keeps the chosen line in view.
    use_effect_with(here, |_| dom::sight("#commands [aria-selected=true]"));
    let line = |(i, (name, kind, msg)): (usize, &&CommandEntry)| {
        let (go, msg) = (props.go.clone(), msg.clone());
        html! {
            <li role="option" id={format!("command-{i}")} aria-selected={(i == here).to_string()} onclick={move |_| run(&go, &msg)}>
                { name }<span class="eyebrow">{ *kind }</span></li>
        }
    };
    html! {
        <>
            <input class="in" id="find-command" role="combobox" aria-expanded="true" aria-controls="commands" aria-activedescendant={format!("command-{here}")}
                autofocus={true} autocomplete="off" placeholder="An act, a queue, an application, a node" aria-label="An act or a thing" {oninput} {onkeydown}/>
            if found.is_empty() { <p class="soft" role="status">{ "Nothing has these words." }</p> }
            <ul class="commands" id="commands" role="listbox" aria-label="Acts and things">{ for found.iter().enumerate().map(line) }</ul>
        </>
    }
}
