//! The page's end of the connection: starts the worker, numbers requests, lets the latest movement win, and notices when the
//! worker fails or is lost.

use super::desk::{EngineRequests, SilenceAction};
use crate::share::files;
use gloo::timers::callback::Interval;
use heddle_view::protocol::{Answer, Ask, Reply, Request, from_bytes, to_bytes};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{Event, MessageEvent, Worker};
use yew::Callback;

/// How a worker ends.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// With a message of its own or the browser's.
    Failed(String),
    /// Ended by somebody or by the browser, without a message.
    Gone,
}

/// A running worker. Dropping it terminates the worker at once, even in the middle of a job.
pub struct Link {
    desk: Rc<RefCell<EngineRequests>>,
    worker: Worker,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(Event)>,
    _watch: Interval,
}

fn post(worker: &Worker, ask: &Ask) {
    let bytes = js_sys::Uint8Array::from(to_bytes(ask).as_slice());
    let _ = match ask.request {
        Request::ImportFiles { key, .. } => worker.post_message(&files::message(key, &bytes)),
        _ => worker.post_message(&bytes),
    };
}

impl Link {
    /// Starts a worker whose first request has the number `first`. `on` gets every answer with its request's number; `ended`
    /// gets, once, the reason why there are no more.
    pub fn start(first: u32, on: Callback<(u32, Reply)>, ended: Callback<End>) -> Result<Link, String> {
        // web/boot/start.js has the engine's program and starts its thread once that is loaded; its object has a worker's
        // methods.
        let worker: Worker = js_sys::Reflect::get(&js_sys::global(), &"heddleEngine".into())
            .and_then(|make| make.dyn_into::<js_sys::Function>())
            .and_then(|make| make.call0(&JsValue::NULL))
            .map_err(|e| format!("{e:?}"))?
            .unchecked_into();
        // A worker ends once, and its own message is better than the browser's after it.
        let ended = {
            let told = Cell::new(false);
            Callback::from(move |end: End| {
                if !told.replace(true) {
                    ended.emit(end);
                }
            })
        };
        let desk = Rc::new(RefCell::new(EngineRequests::new(first)));
        let on_message = {
            let (desk, worker, ended) = (desk.clone(), worker.clone(), ended.clone());
            Closure::<dyn FnMut(MessageEvent)>::new(move |e: MessageEvent| {
                let data = e.data();
                if !data.is_instance_of::<js_sys::Uint8Array>() {
                    let why = js_sys::Reflect::get(&data, &"failed".into()).ok().and_then(|v| v.as_string());
                    ended.emit(End::Failed(why.unwrap_or_else(|| "the worker could not start".to_owned())));
                    return;
                }
                let bytes = js_sys::Uint8Array::from(data).to_vec();
                match from_bytes::<Answer>(&bytes) {
                    Err(e) => ended.emit(End::Failed(e)),
                    Ok(Answer { reply: Reply::Ready, .. }) => {
                        let early = desk.borrow_mut().is_ready();
                        early.iter().for_each(|ask| post(&worker, ask));
                        on.emit((0, Reply::Ready));
                    }
                    Ok(answer) => {
                        let next = desk.borrow_mut().hear(&answer);
                        if let Some(ask) = next {
                            post(&worker, &ask);
                        }
                        on.emit((answer.id, answer.reply));
                    }
                }
            })
        };
        let on_error = {
            let ended = ended.clone();
            Closure::<dyn FnMut(Event)>::new(move |e: Event| {
                let of = |name: &str| js_sys::Reflect::get(&e, &name.into()).ok();
                if of("gone").is_some_and(|gone| gone.is_truthy()) {
                    return ended.emit(End::Gone);
                }
                // If a worker cannot be fetched, the event has no message.
                let message = of("message").and_then(|m| m.as_string()).filter(|m| !m.is_empty());
                ended.emit(End::Failed(message.unwrap_or_else(|| "the worker could not be started".to_owned())));
            })
        };
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        let watch = {
            let (desk, worker) = (desk.clone(), worker.clone());
            Interval::new(1_000, move || {
                // If the thread itself is watched, its silence means nothing.
                let watched = js_sys::Reflect::get(&worker, &"watched".into()).is_ok_and(|w| w.is_truthy());
                let quiet = if watched { SilenceAction::Nothing } else { desk.borrow_mut().second() };
                match quiet {
                    SilenceAction::Nothing => {}
                    SilenceAction::Ask(ask) => post(&worker, &ask),
                    SilenceAction::Gone => ended.emit(End::Gone),
                }
            })
        };
        Ok(Link { desk, worker, _on_message: on_message, _on_error: on_error, _watch: watch })
    }

    /// The number of the next request.
    pub fn next(&self) -> u32 {
        self.desk.borrow().next()
    }

    /// Returns whether an answer is outstanding.
    pub fn busy(&self) -> bool {
        self.desk.borrow().busy()
    }

    /// Sends a request. Returns its number, or `None` for a movement that waits for the one before.
    pub fn send(&self, request: Request) -> Option<u32> {
        let (id, ask) = self.desk.borrow_mut().send(request);
        if let Some(ask) = ask {
            post(&self.worker, &ask);
        }
        id
    }

    /// Returns the unanswered requests, for the next worker.
    pub fn unanswered(&self) -> Vec<Request> {
        self.desk.borrow().unanswered()
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}
