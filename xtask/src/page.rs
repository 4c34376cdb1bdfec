//! Building and serving the page with trunk.

use super::process::{Done, command, root, run};
use super::setup;

/// `cargo xtask serve`: until it is stopped.
pub fn serve(options: &[String]) -> Done {
    setup::page()?;
    eprintln!(
        "xtask: the page will be at http://127.0.0.1:8080/ ; it is built anew when a file changes, reload it then"
    );
    run(command("trunk").args(["serve", "--offline"]).args(options))
}

/// `cargo xtask dist`: the page for release, in `dist/`.
pub fn dist(options: &[String]) -> Done {
    setup::page()?;
    run(command("trunk").args(["build", "--release", "--offline"]).args(options))?;
    eprintln!(
        "xtask: the page is in {}; copy the folder to any static web server, under any path",
        root().join("dist").display()
    );
    Ok(())
}
