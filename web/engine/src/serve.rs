//! The server in a worker: messages in and out, timers, and the report of a panic.

use crate::server::Server;
use gloo::timers::callback::Timeout;
use heddle_view::protocol::{Answer, Ask, Reply, from_bytes, to_bytes};
use std::cell::RefCell;
use std::panic;
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

#[derive(Default)]
struct Worker {
    server: Server,
    ticking: bool,
}

thread_local! {
    static WORKER: RefCell<Worker> = RefCell::default();
}

pub fn start() {
    tell_panics();
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |e: MessageEvent| {
        if !e.data().is_instance_of::<js_sys::Uint8Array>() {
            return;
        }
        let bytes = js_sys::Uint8Array::from(e.data()).to_vec();
        match from_bytes::<Ask>(&bytes) {
            Ok(ask) => WORKER.with_borrow_mut(|w| {
                w.server.hear(ask);
                w.tick_soon();
            }),
            Err(why) => post(&Answer { id: 0, reply: Reply::Failed(why) }),
        }
    });
    // A listener instead of `onmessage`, because earlier messages arrive as events.
    let _ = scope().add_event_listener_with_callback("message", on_message.as_ref().unchecked_ref());
    on_message.forget();
    post(&Answer { id: 0, reply: Reply::Ready });
}

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

fn post(answer: &Answer) {
    let bytes = js_sys::Uint8Array::from(to_bytes(answer).as_slice());
    let transfer = js_sys::Array::of1(&bytes.buffer());
    let _ = scope().post_message_with_transfer(&bytes, &transfer);
}

/// Reports a panic to the page before the worker ends.
fn tell_panics() {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let told = js_sys::Object::new();
        let _ = js_sys::Reflect::set(&told, &"failed".into(), &info.to_string().into());
        let _ = scope().post_message(&told);
        before(info);
    }));
}

impl Worker {
    fn tick_soon(&mut self) {
        if !self.ticking {
            self.ticking = true;
            Timeout::new(0, || WORKER.with_borrow_mut(Worker::tick)).forget();
        }
    }

    fn tick(&mut self) {
        self.ticking = false;
        let more = self.server.turn(&js_sys::Date::now);
        self.server.answers().iter().for_each(post);
        if more {
            self.tick_soon();
        }
    }
}
