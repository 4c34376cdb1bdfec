//! What the page and the engine transfer, compressed as a web server would: budgets, docs/performance.md says of what.
#![cfg(not(target_arch = "wasm32"))]
mod support;

/// The page: its program with the start code, HTML and styles.
const PAGE: usize = 320_000;
/// The engine's program with its script: a ratchet. The aim is 1 030 000, with preemption of both schedulers, Slider and Samza
/// (docs/performance.md).
const ENGINE: usize = 1_511_000;

#[test]
fn page_and_engine_stay_within_their_budgets() {
    let (mut page, mut engine, mut lines) = (0, 0, String::new());
    for entry in std::fs::read_dir(support::dist()).expect("the built page").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let bytes = std::fs::read(entry.path()).expect("a site without folders");
        let small = support::compressed(&bytes).len();
        *if name.starts_with("heddle-engine") { &mut engine } else { &mut page } += small;
        lines += &format!("  {small:>8} of {:>8} bytes  {name}\n", bytes.len());
    }
    // Written past the test harness, which would keep it to itself.
    use std::io::Write as _;
    let _ = writeln!(
        std::io::stderr(),
        "size after brotli: page {page} (at most {PAGE}), engine {engine} (at most {ENGINE})\n{lines}"
    );
    assert!(page <= PAGE, "the page transfers {page} bytes after brotli, more than {PAGE}:\n{lines}");
    assert!(engine <= ENGINE, "the engine transfers {engine} bytes after brotli, more than {ENGINE}:\n{lines}");
}
