//! Heddle's page. The engine is a program of its own (`web/engine`), in a worker.

mod app;
mod charts;
mod compare;
mod dialogs;
mod effects;
mod js;
mod panic;
mod report;
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
    panic::show();
    if let Some(root) = ui::dom::by_id("app") {
        ui::watch_vars(&root);
        yew::Renderer::<app::App>::with_root(root.into()).render();
    }
}
