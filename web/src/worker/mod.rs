//! The simulation runs in a thread of its own, started from the same binary; the page never waits for it.

pub mod link;

use wasm_bindgen::JsCast;

/// Is this program running as a worker?
pub fn in_worker() -> bool {
    js_sys::global().is_instance_of::<web_sys::WorkerGlobalScope>()
}
