//! The server in a worker: messages in and out, timers, and the report of a panic.

use crate::server::{GivenFile, Host, Server};
use gloo::timers::callback::Timeout;
use heddle_view::encoding;
use heddle_view::protocol::{Answer, Ask, Reply, from_bytes, to_bytes};
use std::cell::RefCell;
use std::panic;
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

struct Worker {
    server: Server,
    ticking: bool,
}

thread_local! {
    static WORKER: RefCell<Worker> =
        RefCell::new(Worker { server: Server::of(Host { post: Box::new(post), decode }), ticking: false });
}

/// A file of the browser, with the name that the page gave it.
struct BrowserFile {
    name: String,
    file: web_sys::File,
}

impl GivenFile for BrowserFile {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn size(&self) -> u64 {
        self.file.size() as u64
    }

    fn read(&self) -> Result<Vec<u8>, String> {
        // Only workers have this reader, which does not return before it has read.
        let buffer = web_sys::FileReaderSync::new().and_then(|reader| reader.read_as_array_buffer(&self.file));
        let buffer =
            buffer.map_err(|e| e.dyn_ref::<js_sys::Error>().map_or_else(String::new, |e| e.message().into()))?;
        Ok(js_sys::Uint8Array::new(&buffer).to_vec())
    }
}

/// Decodes bytes by the encoding that they declare. Invalid parts become the replacement character, which the report
/// mentions.
fn decode(bytes: Vec<u8>) -> String {
    let Some(name) = encoding::declared(&bytes) else {
        return String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned());
    };
    let decoded = || {
        let decoder = web_sys::TextDecoder::new_with_label(&name).ok()?;
        decoder.decode_with_u8_array(encoding::body(&bytes)).ok()
    };
    let text = encoding::simple(&name, &bytes).or_else(decoded);
    text.unwrap_or_else(|| String::from_utf8_lossy(&bytes).into_owned())
}

/// A request, and the files that came with it.
type Message = (Vec<u8>, Vec<Box<dyn GivenFile>>);

/// Returns a request, and the files that came with it: a message is the request, or a list that begins with it, followed by a
/// name and a file in turn.
fn message(data: JsValue) -> Option<Message> {
    if let Some(bytes) = data.dyn_ref::<js_sys::Uint8Array>() {
        return Some((bytes.to_vec(), Vec::new()));
    }
    let list: Vec<JsValue> = data.dyn_ref::<js_sys::Array>()?.iter().collect();
    let (bytes, files) = list.split_first()?;
    let file = |pair: &[JsValue]| -> Option<Box<dyn GivenFile>> {
        let [name, file] = pair else { return None };
        Some(Box::new(BrowserFile { name: name.as_string()?, file: file.clone().dyn_into().ok()? }))
    };
    Some((bytes.dyn_ref::<js_sys::Uint8Array>()?.to_vec(), files.chunks(2).filter_map(file).collect()))
}

pub fn start() {
    tell_panics();
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |e: MessageEvent| {
        let Some((bytes, files)) = message(e.data()) else { return };
        match from_bytes::<Ask>(&bytes) {
            Ok(ask) => WORKER.with_borrow_mut(|w| {
                w.server.hear_with(ask, files);
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
