//! Builds and serves the page with trunk.

use super::process::{Done, command, root, run};
use super::{setup, single};
use std::fs;

/// `cargo xtask serve`: runs until it is stopped.
pub fn serve(options: &[String]) -> Done {
    setup::page()?;
    eprintln!(
        "xtask: the page will be at http://127.0.0.1:8080/ ; it is built anew when a file changes, reload it then"
    );
    run(command("trunk").args(["serve", "--offline"]).args(options))
}

/// `cargo xtask dist`: builds the page for release in `dist/`; with `--single` also as one file.
pub fn dist(options: &[String]) -> Done {
    setup::page()?;
    let (single, options): (Vec<&String>, Vec<&String>) = options.iter().partition(|o| *o == "--single");
    if setup::wasm_opt() {
        run(command("trunk").args(["build", "--release", "--offline"]).args(options))?;
    } else {
        without_wasm_opt(&options)?;
    }
    if !single.is_empty() {
        return single::make();
    }
    eprintln!(
        "xtask: the page is in {}; copy the folder to any static web server, under any path",
        root().join("dist").display()
    );
    Ok(())
}

/// Writes a copy of the page without wasm-opt: Trunk reads in the page whether to call it.
fn without_wasm_opt(options: &[&String]) -> Done {
    let told = |e: std::io::Error| format!("index.html: {e}");
    let name = "index.without-wasm-opt.html";
    let page = fs::read_to_string(root().join("index.html")).map_err(told)?;
    fs::write(root().join(name), never_wasm_opt(&page)).map_err(told)?;
    let done = run(command("trunk")
        .args(["build", name, "--html-output", "index.html", "--release", "--offline"])
        .args(options));
    fs::remove_file(root().join(name)).map_err(told)?;
    done
}

fn never_wasm_opt(page: &str) -> String {
    page.replace("data-wasm-opt=\"z\"", "data-wasm-opt=\"0\"")
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_page_without_wasm_opt_asks_for_none() {
        let page = super::never_wasm_opt(include_str!("../../index.html"));
        let asked: Vec<&str> = page.split("data-wasm-opt=").skip(1).filter_map(|rest| rest.get(..3)).collect();
        assert_eq!(asked, ["\"0\"", "\"0\""]);
    }
}
