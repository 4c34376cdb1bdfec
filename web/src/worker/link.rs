//! The page's end: starts the worker, numbers requests, lets the latest movement win, and starts it anew when it fails.

use heddle_view::protocol::{Answer, Ask, Reply, Request, from_bytes, to_bytes};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{Event, MessageEvent, Worker};
use yew::Callback;

/// A running worker. Dropping it ends the worker at once, even in the middle of a job.
pub struct Link {
    inner: Rc<RefCell<Inner>>,
    worker: Worker,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(Event)>,
}

struct Inner {
    ready: bool,
    next: u32,
    /// The movement that the worker is busy with.
    moving: Option<u32>,
    /// The latest movement asked for meanwhile.
    waiting: Option<Request>,
    /// The worker has nothing more to do for the requests up to this number.
    idle: u32,
    /// What came before the worker was ready.
    early: VecDeque<Ask>,
}

fn post(worker: &Worker, ask: &Ask) {
    let _ = worker.post_message(&js_sys::Uint8Array::from(to_bytes(ask).as_slice()));
}

impl Link {
    /// Starts a worker. `on` hears every answer with its request's number; `failed` hears why there is none.
    pub fn start(on: Callback<(u32, Reply)>, failed: Callback<String>) -> Result<Link, String> {
        // boot/start.js has the engine's program and starts its thread as soon as it is there; what it gives has a worker's
        // methods.
        let worker: Worker = js_sys::Reflect::get(&js_sys::global(), &"heddleEngine".into())
            .and_then(|make| make.dyn_into::<js_sys::Function>())
            .and_then(|make| make.call0(&JsValue::NULL))
            .map_err(|e| format!("{e:?}"))?
            .unchecked_into();
        // A worker fails once: what it says itself is better than the browser's words after it.
        let failed = {
            let told = Cell::new(false);
            Callback::from(move |why: String| {
                if !told.replace(true) {
                    failed.emit(why);
                }
            })
        };
        let inner = Rc::new(RefCell::new(Inner {
            ready: false,
            next: 1,
            moving: None,
            waiting: None,
            idle: 0,
            early: VecDeque::new(),
        }));
        let on_message = {
            let (inner, worker, failed) = (inner.clone(), worker.clone(), failed.clone());
            Closure::<dyn FnMut(MessageEvent)>::new(move |e: MessageEvent| {
                let data = e.data();
                if !data.is_instance_of::<js_sys::Uint8Array>() {
                    let why = js_sys::Reflect::get(&data, &"failed".into()).ok().and_then(|v| v.as_string());
                    failed.emit(why.unwrap_or_else(|| "the worker could not start".to_owned()));
                    return;
                }
                let bytes = js_sys::Uint8Array::from(data).to_vec();
                match from_bytes::<Answer>(&bytes) {
                    Err(e) => failed.emit(e),
                    Ok(Answer { reply: Reply::Ready, .. }) => {
                        let early: Vec<Ask> = {
                            let mut inner = inner.borrow_mut();
                            inner.ready = true;
                            inner.early.drain(..).collect()
                        };
                        early.iter().for_each(|ask| post(&worker, ask));
                        on.emit((0, Reply::Ready));
                    }
                    Ok(answer) => {
                        let next = {
                            let mut inner = inner.borrow_mut();
                            // A movement that was overtaken is answered with what overtook it.
                            let ends = matches!(answer.reply, Reply::Frame(_) | Reply::Failed(_) | Reply::Idle);
                            let done = ends && inner.moving.is_some_and(|moving| answer.id >= moving);
                            if done {
                                inner.moving = None;
                            }
                            if matches!(answer.reply, Reply::Idle) {
                                inner.idle = answer.id;
                            }
                            if done { inner.waiting.take().map(|request| inner.number(request)) } else { None }
                        };
                        if let Some(ask) = next {
                            post(&worker, &ask);
                        }
                        on.emit((answer.id, answer.reply));
                    }
                }
            })
        };
        let on_error = Closure::<dyn FnMut(Event)>::new(move |e: Event| {
            // A worker that cannot be fetched gives a plain event without a message.
            let message = js_sys::Reflect::get(&e, &"message".into()).ok().and_then(|m| m.as_string());
            let message = message.filter(|m| !m.is_empty());
            failed.emit(message.unwrap_or_else(|| "the worker could not be started".to_owned()));
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        Ok(Link { inner, worker, _on_message: on_message, _on_error: on_error })
    }

    /// The number that the next request will have.
    pub fn next(&self) -> u32 {
        self.inner.borrow().next
    }

    /// Is an answer still to come?
    pub fn busy(&self) -> bool {
        let inner = self.inner.borrow();
        inner.waiting.is_some() || inner.idle.wrapping_add(1) != inner.next
    }

    /// Sends a request; gives its number, or `None` for a movement that waits for the one before.
    pub fn send(&self, request: Request) -> Option<u32> {
        let ask = {
            let mut inner = self.inner.borrow_mut();
            if request.moves() && inner.moving.is_some() {
                inner.waiting = Some(request);
                return None;
            }
            if matches!(request, Request::Open { .. } | Request::Restore { .. }) {
                inner.waiting = None;
            }
            let ask = inner.number(request);
            if !inner.ready {
                inner.early.push_back(ask.clone());
                return Some(ask.id);
            }
            ask
        };
        post(&self.worker, &ask);
        Some(ask.id)
    }
}

impl Inner {
    fn number(&mut self, request: Request) -> Ask {
        let id = self.next;
        self.next = self.next.wrapping_add(1);
        if request.moves() {
            self.moving = Some(id);
        }
        Ask { id, request }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}
