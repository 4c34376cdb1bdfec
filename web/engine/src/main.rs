//! The engine as a program: trunk builds it as the page's worker.

fn main() {
    console_error_panic_hook::set_once();
    heddle_engine::serve::start();
}
