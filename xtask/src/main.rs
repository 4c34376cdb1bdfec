//! `cargo xtask`.

mod embed;

fn main() {
    if let Err(e) = embed::run() {
        eprintln!("xtask: {e}");
        std::process::exit(1);
    }
}
