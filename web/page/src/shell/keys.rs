//! The page's global listeners: keys, clicks on anything selectable, hover, dropped files, pasted text.

use crate::store::{Dialog, Go, LookAt, Msg};
use crate::ui::{dom, focus, hover, roving};
use crate::what::TYPED_MAX;
use heddle_view::Selection;
use std::cell::Cell;
use wasm_bindgen::prelude::*;
use web_sys::{ClipboardEvent, DataTransfer, DragEvent, Element, Event, EventTarget, HtmlElement, KeyboardEvent};

/// The keys, as the help sheet shows them.
pub const SHEET: &[(&[&str], &str)] = &[
    (&["←", "→"], "one step back, one step on (also , and .)"),
    (&["⇧ ←", "⇧ →"], "to the last, to the next thing that changes"),
    (&["Space"], "play or pause"),
    (&["[", "]"], "slower, faster"),
    (&["g"], "go to a time"),
    (&["Home", "End"], "to the start, to the end"),
    (&["1", "2", "3", "4"], "step by decision, heartbeat, second, change"),
    (&["d"], "to the first difference of the worlds that are compared"),
    (&["/"], "search the events"),
    (&["w", "y", "e"], "to where, to why, to the editors"),
    (&["Tab"], "to the next group; the arrows move inside it, Enter selects"),
    (&["Ctrl Z", "Ctrl ⇧ Z"], "undo, redo an edit"),
    (&["Ctrl K"], "find any act, queue, application or node by its name"),
    (&["Esc"], "close, clear the selection"),
    (&["?"], "this sheet"),
];

thread_local! {
    /// Whether the pointer was pressed since the last key.
    static BY_POINTER: Cell<bool> = const { Cell::new(false) };
    /// Whether the focus came where it is by keyboard, or by the page itself after a key.
    static REACHED: Cell<bool> = const { Cell::new(false) };
}

fn on<E: JsCast + 'static>(target: &EventTarget, name: &str, passive: bool, f: impl FnMut(E) + 'static) {
    let mut f = f;
    let closure = Closure::<dyn FnMut(Event)>::new(move |e: Event| f(e.unchecked_into()));
    let options = web_sys::AddEventListenerOptions::new();
    options.set_passive(passive);
    let _ = target.add_event_listener_with_callback_and_add_event_listener_options(
        name,
        closure.as_ref().unchecked_ref(),
        &options,
    );
    // The listener lives as long as its tab.
    closure.forget();
}

fn element(target: Option<EventTarget>) -> Option<Element> {
    target.and_then(|t| t.dyn_into().ok())
}

pub fn listen(go: &Go) {
    let document = dom::document();
    {
        let go = go.clone();
        on(&document, "keydown", false, move |e: KeyboardEvent| key(&go, &e));
    }
    on(&document, "keyup", false, |e: KeyboardEvent| key_up(&e));
    {
        let go = go.clone();
        on(&document, "click", true, move |e: Event| {
            let Some(hit) = element(e.target()).and_then(|t| t.closest("[data-sel]").ok().flatten()) else { return };
            if let Some(Ok(selection)) = hit.get_attribute("data-sel").map(|s| s.parse::<Selection>()) {
                go.emit(Msg::Select(Some(selection)));
            }
        });
    }
    on(&document, "pointerover", true, |e: Event| hover::from_event(e.target()));
    on(&document, "pointerdown", true, |_: Event| BY_POINTER.set(true));
    on(&document, "focusin", true, |e: Event| {
        REACHED.set(!BY_POINTER.get());
        hover::from_event(e.target());
        if let Some(focused) = element(e.target()).and_then(|t| t.dyn_into::<HtmlElement>().ok()) {
            focus::note(focused);
        }
        if let Some(item) = element(e.target()).and_then(|t| t.closest("[data-item]").ok().flatten())
            && let Ok(item) = item.dyn_into::<HtmlElement>()
        {
            roving::stop_here(&item);
        }
    });
    drops(go, &document);
}

fn drops(go: &Go, document: &web_sys::Document) {
    let g = go.clone();
    on(document, "dragover", false, move |e: DragEvent| {
        e.prevent_default();
        g.emit(Msg::Dropping(true));
    });
    let g = go.clone();
    on(document, "dragleave", true, move |e: DragEvent| {
        if e.related_target().is_none() {
            g.emit(Msg::Dropping(false));
        }
    });
    let g = go.clone();
    on(document, "drop", false, move |e: DragEvent| {
        e.prevent_default();
        g.emit(Msg::Dropping(false));
        let Some(data) = e.data_transfer() else { return };
        if !crate::share::files::dropped(&g, &data) {
            taken(&g, &data, 0);
        }
    });
    let g = go.clone();
    on(document, "paste", false, move |e: ClipboardEvent| {
        // Outside of fields, what is pasted is imported like what is dropped.
        let typing = element(e.target()).is_some_and(|target| typing(&target));
        let least = if typing { TYPED_MAX } else { 0 };
        if e.clipboard_data().is_some_and(|data| taken(&g, &data, least)) {
            e.prevent_default();
        }
    });
    // A reload right after a key press loses nothing.
    for leaving in ["beforeunload", "pagehide"] {
        on(&dom::window(), leaving, true, |_: Event| crate::share::flush());
    }
    let g = go.clone();
    on(&dom::window(), "hashchange", true, move |_: Event| {
        if let Some(msg) = crate::share::from_address() {
            g.emit(msg);
        }
    });
}

/// Imports a text longer than `more` bytes like a dropped file: a field would take minutes to lay it out.
fn taken(go: &Go, data: &DataTransfer, more: usize) -> bool {
    let text = data.get_data("text/plain").unwrap_or_default();
    let takes = text.len() > more;
    if takes {
        go.emit(Msg::Import { name: String::new(), text, more: vec![] });
    }
    takes
}

/// Returns whether the focus is in something to type in.
fn typing(target: &Element) -> bool {
    matches!(target.tag_name().as_str(), "TEXTAREA" | "SELECT")
        || (target.tag_name() == "INPUT"
            && !matches!(target.get_attribute("type").as_deref(), Some("checkbox" | "radio" | "file" | "button")))
}

/// Returns whether Space ticks the element: it has no other key for that.
fn ticks(target: &Element) -> bool {
    target.tag_name() == "INPUT"
}

/// Keeps Space from pressing what is focused when it is let go: it plays, and Enter presses.
fn key_up(e: &KeyboardEvent) {
    let Some(target) = element(e.target()) else { return };
    let in_dialog = target.closest("dialog").ok().flatten().is_some();
    if e.key() == " " && !in_dialog && !typing(&target) && !ticks(&target) {
        e.prevent_default();
    }
}

fn key(go: &Go, e: &KeyboardEvent) {
    BY_POINTER.set(false);
    let Some(target) = element(e.target()) else { return };
    let key = e.key();
    let typing = typing(&target);
    let in_dialog = target.closest("dialog").ok().flatten().is_some();
    if (e.ctrl_key() || e.meta_key()) && key.eq_ignore_ascii_case("z") && !e.alt_key() {
        // The browser's own undo would make field and document differ; the page's changes both.
        e.prevent_default();
        go.emit(if e.shift_key() { Msg::Redo } else { Msg::Undo });
        return;
    }
    if (e.ctrl_key() || e.meta_key()) && key.eq_ignore_ascii_case("y") {
        e.prevent_default();
        go.emit(Msg::Redo);
        return;
    }
    if (e.ctrl_key() || e.meta_key()) && key.eq_ignore_ascii_case("k") && !in_dialog {
        e.prevent_default();
        go.emit(Msg::Dialog(Some(Dialog::Commands)));
        return;
    }
    if e.ctrl_key() || e.meta_key() || e.alt_key() {
        return;
    }
    if key == "Escape" {
        if target.closest(".pop").ok().flatten().is_some() {
            go.emit(Msg::Pop(None));
        } else if in_dialog {
            // Not left to the browser: its event for the closed dialog comes late and could close one opened since.
            e.prevent_default();
            go.emit(Msg::Dialog(None));
        } else if typing {
            if let Some(html) = target.dyn_ref::<HtmlElement>() {
                let _ = html.blur();
            }
        } else if !in_dialog {
            go.emit(Msg::Rail(false));
            go.emit(Msg::Pop(None));
            go.emit(Msg::Select(None));
        }
        return;
    }
    if typing || in_dialog {
        return;
    }
    // Up and down move in every group. Other keys do so in a group reached by keyboard; elsewhere they step through time.
    // (Browsers differ on `:focus-visible` when a key is pressed after a click.)
    let moves = match key.as_str() {
        "ArrowUp" | "ArrowDown" => true,
        "ArrowLeft" | "ArrowRight" | "Home" | "End" => REACHED.get(),
        _ => false,
    };
    if moves && !e.shift_key() && roving::on_key(&target, &key) {
        e.prevent_default();
        return;
    }
    let msg = match key.as_str() {
        "ArrowLeft" if e.shift_key() => Msg::Next { back: true },
        "ArrowRight" if e.shift_key() => Msg::Next { back: false },
        "ArrowLeft" | "," => Msg::Step { back: true },
        "ArrowRight" | "." => Msg::Step { back: false },
        "Home" => Msg::Seek(0),
        "End" => Msg::Seek(i64::MAX),
        " " if !ticks(&target) => Msg::Toggle,
        "[" => Msg::Faster(false),
        "]" => Msg::Faster(true),
        "g" => Msg::Dialog(Some(Dialog::GoTo)),
        "d" => Msg::FirstDifference,
        "/" => Msg::Search,
        "?" => Msg::Dialog(Some(Dialog::Keys)),
        "1" | "2" | "3" | "4" => {
            Msg::Look(LookAt::StepSize(crate::when::STEPS[usize::from(key.as_bytes()[0] - b'1')].0))
        }
        "w" => Msg::Focus("where"),
        "y" => Msg::Focus("why"),
        "e" => Msg::Focus("what"),
        _ => return,
    };
    e.prevent_default();
    go.emit(msg);
}
