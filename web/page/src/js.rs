//! `window.heddle`: the API for driving the page from a test, a console, or an embedding page.
//!
//! README.md has its methods with an example each, which a test runs verbatim.
//!
//! Every method returns a promise of plain objects with the names and units of `heddle_view`. It is rejected with a sentence
//! if an argument is wrong.

mod given;

use crate::store::{Go, Msg, Opening, ScenarioSource, State};
use gloo::timers::callback::Timeout;
use heddle_view::Problem;
use heddle_view::protocol::{Reply, Request};
use heddle_view::{EventView, ExpectationView, Selection, Snapshot, Timeline};
use js_sys::{Error, Function, Object, Promise, Reflect};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use std::cell::{Cell, RefCell};
use std::thread::LocalKey;
use wasm_bindgen::prelude::*;

/// The result of [`state`].
#[derive(Serialize)]
struct ScriptState<'a> {
    time_ms: i64,
    text: &'a str,
    selection: Option<&'a Selection>,
    problems: &'a [Problem],
    snapshot: &'a Snapshot,
    timeline: &'a Timeline,
    events: &'a [EventView],
    expectations: &'a [ExpectationView],
}

/// The kind of answer that a caller waits for.
enum Wait {
    Frame,
    /// An answer about a selection.
    Why,
}

struct Waiting {
    what: Wait,
    /// Answers to earlier requests do not count.
    from: u32,
    resolve: Function,
    reject: Function,
}

thread_local! {
    static WAITING: RefCell<Vec<Waiting>> = const { RefCell::new(Vec::new()) };
    static NEXT: RefCell<u32> = const { RefCell::new(1) };
    static STATE: RefCell<Option<State>> = const { RefCell::new(None) };
    /// The promises to resolve once the picture of an answer has been drawn.
    static DRAWN: RefCell<Vec<Function>> = const { RefCell::new(Vec::new()) };
    /// The promises to resolve once nothing is in progress.
    static SETTLED: RefCell<Vec<Function>> = const { RefCell::new(Vec::new()) };
    /// Whether anything is in progress.
    static BUSY: Cell<bool> = const { Cell::new(true) };
}

/// Sets the number of the next request.
pub fn next(id: u32) {
    NEXT.with_borrow_mut(|n| *n = id);
}

fn plain<T: Serialize>(value: &T) -> JsValue {
    value.serialize(&Serializer::json_compatible()).unwrap_or(JsValue::NULL)
}

fn now() -> JsValue {
    STATE.with_borrow(|s| match s {
        Some(s) => {
            let frame = &s.answers.frame;
            plain(&ScriptState {
                time_ms: frame.snapshot.time_ms,
                // An embedding page gets no typed secret.
                text: &s.doc.masked(),
                selection: s.selected(),
                problems: &s.doc.problems,
                snapshot: &frame.snapshot,
                timeline: &frame.timeline,
                events: &frame.events,
                expectations: &s.answers.expectations,
            })
        }
        None => JsValue::NULL,
    })
}

/// Publishes the state that the page was drawn with; `busy` if more is to come for earlier requests.
pub fn publish(state: &State, busy: bool) {
    STATE.with_borrow_mut(|s| *s = Some(state.clone()));
    BUSY.set(busy && state.over.broken.is_none() && !state.over.playing);
    tell(&DRAWN);
    settle();
}

fn settle() {
    if !BUSY.get() {
        tell(&SETTLED);
    }
}

fn tell(waiting: &'static LocalKey<RefCell<Vec<Function>>>) {
    for resolve in waiting.take() {
        let _ = resolve.call1(&JsValue::NULL, &now());
    }
}

/// Handles an answer of the worker on its way to the page.
pub fn hear(id: u32, reply: &Reply) {
    if matches!(reply, Reply::Progress { .. } | Reply::Ready | Reply::Idle) {
        return;
    }
    let (done, rest): (Vec<Waiting>, Vec<Waiting>) = WAITING.take().into_iter().partition(|w| {
        id >= w.from
            && match w.what {
                Wait::Frame => {
                    matches!(
                        reply,
                        Reply::Frame(_) | Reply::NotOpened { .. } | Reply::Refused { .. } | Reply::Failed(_)
                    )
                }
                Wait::Why => matches!(reply, Reply::Why(_) | Reply::NoWhy(_) | Reply::Failed(_)),
            }
    });
    WAITING.set(rest);
    for w in done {
        match reply {
            Reply::Frame(_) => DRAWN.with_borrow_mut(|d| d.push(w.resolve)),
            Reply::Why(why) => {
                let _ = w.resolve.call1(&JsValue::NULL, &plain(why));
            }
            Reply::Refused { problems } => {
                let words: Vec<String> = problems.iter().map(ToString::to_string).collect();
                let _ = w.reject.call1(&JsValue::NULL, &Error::new(&words.join("\n")));
            }
            Reply::Failed(why) | Reply::NoWhy(why) | Reply::NotOpened { why, .. } => {
                let _ = w.reject.call1(&JsValue::NULL, &Error::new(why));
            }
            _ => {}
        }
    }
}

fn promise(what: Wait, send: impl FnOnce() + 'static) -> Promise {
    let mut parts = Some((what, send));
    Promise::new(&mut |resolve, reject| {
        if let Some((what, send)) = parts.take() {
            let from = NEXT.with_borrow(|n| *n);
            WAITING.with_borrow_mut(|w| w.push(Waiting { what, from, resolve, reject }));
            send();
        }
    })
}

/// Rejects the waiting promises, because the engine has ended and no other will answer.
pub fn lost() {
    for waiting in WAITING.take() {
        let why =
            Error::new("The engine ended before it had answered. Ask once more; if that fails too, load a scenario.");
        let _ = waiting.reject.call1(&JsValue::NULL, &why);
    }
}

fn refuse(why: &str) -> Promise {
    Promise::reject(&Error::new(why))
}

/// Adds `heddle` to the window.
pub fn install(go: &Go) {
    let api = Object::new();
    let put = |name: &str, f: JsValue| {
        let _ = Reflect::set(&api, &name.into(), &f);
    };
    let g = go.clone();
    let load = Closure::<dyn Fn(JsValue) -> Promise>::new(move |text: JsValue| {
        let text = match given::text("load", "the scenario's text", &text) {
            Ok(text) => text,
            Err(why) => return refuse(&why),
        };
        let (g, source) = (g.clone(), ScenarioSource::Sound(text));
        promise(Wait::Frame, move || g.emit(Msg::Open { source, how: Opening::Chosen }))
    });
    put("load", load.into_js_value());
    let g = go.clone();
    let step =
        Closure::<dyn Fn(JsValue, JsValue) -> Promise>::new(move |by: JsValue, back: JsValue| {
            match given::step(&by).and_then(|by| Ok((by, given::flag("step", "back", &back)?))) {
                Ok((by, back)) => {
                    let g = g.clone();
                    promise(Wait::Frame, move || g.emit(Msg::StepBy { by, back }))
                }
                Err(why) => refuse(&why),
            }
        });
    put("step", step.into_js_value());
    let g = go.clone();
    let seek = Closure::<dyn Fn(JsValue) -> Promise>::new(move |ms: JsValue| match given::milliseconds(&ms) {
        Ok(ms) => {
            let g = g.clone();
            promise(Wait::Frame, move || g.emit(Msg::Seek(ms)))
        }
        Err(why) => refuse(&why),
    });
    put("seek", seek.into_js_value());
    put(
        "settled",
        Closure::<dyn Fn() -> Promise>::new(|| {
            Promise::new(&mut |resolve, _| {
                // Waits until the page has handled the latest click.
                Timeout::new(0, move || {
                    SETTLED.with_borrow_mut(|s| s.push(resolve));
                    settle();
                })
                .forget();
            })
        })
        .into_js_value(),
    );
    put("state", Closure::<dyn Fn() -> Promise>::new(move || Promise::resolve(&now())).into_js_value());
    let g = go.clone();
    let why =
        Closure::<dyn Fn(JsValue) -> Promise>::new(move |selection: JsValue| match given::selection(&selection) {
            Ok(selection) => {
                let g = g.clone();
                promise(Wait::Why, move || g.emit(Msg::Ask(Request::Why { selection })))
            }
            Err(why) => refuse(&why),
        });
    put("why", why.into_js_value());
    let _ = Reflect::set(&js_sys::global(), &"heddle".into(), &api);
}
