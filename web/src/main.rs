//! Heddle's page. One binary is both the page and, in a worker, the simulation: [`main`] asks where it runs.

mod app;
mod charts;
mod dialogs;
mod edits;
mod effects;
mod js;
mod share;
mod shell;
mod store;
mod ui;
mod what;
mod when;
mod r#where;
mod why;
mod worker;

fn main() {
    console_error_panic_hook::set_once();
    if worker::in_worker() {
        worker::serve::start();
    } else if let Some(root) = ui::dom::by_id("app") {
        ui::watch_vars(&root);
        yew::Renderer::<app::App>::with_root(root.into()).render();
    }
}
