//! `window.heddle`: the page driven from outside, by a test, a console, or a page that holds it in a frame.
//!
//! ```js
//! await heddle.load(text)          // a scenario's text; the state, or an Error with the problems' words
//! await heddle.step("change", false) // "decision" | "heartbeat" | "second" | "change" | "round", back?; the state after it
//! await heddle.seek(37000)         // milliseconds of simulated time; the state then
//! await heddle.state()             // { time_ms, text, selection, problems, snapshot, timeline, events }
//! await heddle.settled()           // the same once nothing is under way: edits have run, every answer is drawn
//! await heddle.why("request:zk/0_-1") // the answer for one thing: sentence, limits, matrix, …
//! ```
//!
//! Every method gives a promise of plain objects; names and units are those of `heddle_view`.

use crate::store::{Go, Msg, Opening, Source, State};
use gloo::timers::callback::Timeout;
use heddle_view::Problem;
use heddle_view::protocol::{Reply, Request};
use heddle_view::{EventView, Selection, Snapshot, StepBy, Timeline};
use js_sys::{Error, Function, Object, Promise, Reflect};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use std::cell::{Cell, RefCell};
use std::thread::LocalKey;
use wasm_bindgen::prelude::*;

/// What [`state`] gives.
#[derive(Serialize)]
struct Now<'a> {
    time_ms: i64,
    text: &'a str,
    selection: Option<&'a Selection>,
    problems: &'a [Problem],
    snapshot: &'a Snapshot,
    timeline: &'a Timeline,
    events: &'a [EventView],
}

/// What a caller waits for.
enum Wait {
    Frame,
    /// An answer for one thing.
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
    /// Resolved when the picture of an answer has been drawn.
    static DRAWN: RefCell<Vec<Function>> = const { RefCell::new(Vec::new()) };
    /// Resolved when nothing is under way.
    static SETTLED: RefCell<Vec<Function>> = const { RefCell::new(Vec::new()) };
    /// Is anything?
    static BUSY: Cell<bool> = const { Cell::new(true) };
}

/// The number that the next request will have.
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
            plain(&Now {
                time_ms: frame.snapshot.time_ms,
                text: &s.doc.text,
                selection: s.selected(),
                problems: &s.doc.problems,
                snapshot: &frame.snapshot,
                timeline: &frame.timeline,
                events: &frame.events,
            })
        }
        None => JsValue::NULL,
    })
}

/// The page was drawn with this state; `busy` when more is to come for what was asked so far.
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

/// An answer of the worker passes by.
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
                Wait::Why => matches!(reply, Reply::Why(_) | Reply::Failed(_)),
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
            Reply::Failed(why) | Reply::NotOpened { why, .. } => {
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

fn refuse(why: &str) -> Promise {
    Promise::reject(&Error::new(why))
}

/// Puts `heddle` on the window.
pub fn install(go: &Go) {
    let api = Object::new();
    let put = |name: &str, f: JsValue| {
        let _ = Reflect::set(&api, &name.into(), &f);
    };
    let g = go.clone();
    put(
        "load",
        Closure::<dyn Fn(String) -> Promise>::new(move |text: String| {
            let (g, source) = (g.clone(), Source::Sound(text));
            promise(Wait::Frame, move || g.emit(Msg::Open { source, how: Opening::Chosen }))
        })
        .into_js_value(),
    );
    let g = go.clone();
    put(
        "step",
        Closure::<dyn Fn(Option<String>, Option<bool>) -> Promise>::new(
            move |by: Option<String>, back: Option<bool>| {
                let by = match by.as_deref() {
                    None | Some("heartbeat") => StepBy::Heartbeat,
                    Some("decision") => StepBy::Decision,
                    Some("second") => StepBy::Second,
                    Some("change") => StepBy::Change,
                    Some("round") => StepBy::Round,
                    Some(other) => {
                        return refuse(&format!(
                            "`{other}` is not a step: write decision, heartbeat, second, change or round"
                        ));
                    }
                };
                let g = g.clone();
                promise(Wait::Frame, move || g.emit(Msg::StepBy { by, back: back.unwrap_or(false) }))
            },
        )
        .into_js_value(),
    );
    let g = go.clone();
    put(
        "seek",
        Closure::<dyn Fn(f64) -> Promise>::new(move |ms: f64| {
            if !(0.0..9e15).contains(&ms) {
                return refuse("seek takes milliseconds of simulated time, from 0");
            }
            let g = g.clone();
            promise(Wait::Frame, move || g.emit(Msg::Seek(ms as i64)))
        })
        .into_js_value(),
    );
    put(
        "settled",
        Closure::<dyn Fn() -> Promise>::new(|| {
            Promise::new(&mut |resolve, _| {
                // Not before the page has heard what was clicked just now.
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
    put(
        "why",
        Closure::<dyn Fn(String) -> Promise>::new(move |selection: String| match selection.parse::<Selection>() {
            Ok(selection) => {
                let g = g.clone();
                promise(Wait::Why, move || g.emit(Msg::Ask(Request::Why { selection })))
            }
            Err(why) => refuse(&why),
        })
        .into_js_value(),
    );
    let _ = Reflect::set(&js_sys::global(), &"heddle".into(), &api);
}
