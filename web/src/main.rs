//! Heddle's page. One binary is both the page and, in a worker, the simulation: [`run`] asks where it runs.

mod app;
mod charts;
mod dialogs;
mod edits;
mod effects;
mod js;
mod panic;
mod share;
mod shell;
mod store;
mod ui;
mod what;
mod when;
mod r#where;
mod why;
mod worker;

use wasm_bindgen::prelude::wasm_bindgen;

/// Begins. Not [`main`]: that runs as soon as the program's first part is there (boot/start.js).
#[wasm_bindgen]
pub fn run() {
    if worker::in_worker() {
        console_error_panic_hook::set_once();
        heddle_engine::serve::start();
        return;
    }
    panic::show();
    if let Some(root) = ui::dom::by_id("app") {
        ui::watch_vars(&root);
        yew::Renderer::<app::App>::with_root(root.into()).render();
    }
}

fn main() {}
