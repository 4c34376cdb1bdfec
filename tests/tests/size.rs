//! What a first visit transfers, compressed as a web server would, and what is loaded with the first act or when it is looked
//! at: two ratchets, which are only ever lowered unless docs/performance.md says why.
#![cfg(not(target_arch = "wasm32"))]
mod support;

use std::path::Path;

/// Of a first visit.
const RATCHET: usize = 535_000;
/// Of everything.
const RATCHET_ALL: usize = 970_000;
/// What a first visit does not load (tests/tests/first_visit.rs proves it of the program's second part).
const LATER: [&str; 2] = ["rest.js", "gallery.js"];

/// Size after brotli at its best.
fn compressed(bytes: &[u8]) -> usize {
    let mut out = Vec::new();
    let params = brotli::enc::BrotliEncoderParams { quality: 11, lgwin: 24, ..Default::default() };
    brotli::BrotliCompress(&mut &*bytes, &mut out, &params).expect("compression into memory");
    out.len()
}

fn files(folder: &Path, out: &mut Vec<(String, usize, usize)>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, out);
        } else {
            let bytes = std::fs::read(&path).expect("a file");
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            out.push((name, bytes.len(), compressed(&bytes)));
        }
    }
}

#[test]
fn a_first_visit_transfers_little() {
    let mut parts = Vec::new();
    files(&support::dist(), &mut parts);
    parts.sort_by_key(|(_, _, small)| std::cmp::Reverse(*small));
    let all: usize = parts.iter().map(|(_, _, small)| small).sum();
    let later: usize =
        parts.iter().filter(|(name, _, _)| LATER.contains(&name.as_str())).map(|(_, _, small)| small).sum();
    let visit = all - later;
    let mut lines = String::new();
    for (name, raw, small) in &parts {
        lines.push_str(&format!("  {small:>8} of {raw:>8} bytes  {name}\n"));
    }
    // Written past the test harness, which would keep it to itself.
    use std::io::Write as _;
    let _ = writeln!(
        std::io::stderr(),
        "size: a first visit {visit} bytes after brotli (ratchet {RATCHET}), all {all}\n{lines}"
    );
    let mend = "`cargo xtask record` finds out anew what a first visit needs";
    assert!(
        visit <= RATCHET,
        "a first visit transfers {visit} bytes after brotli, {RATCHET} were enough before ({mend}):\n{lines}"
    );
    assert!(all <= RATCHET_ALL, "{all} bytes of everything after brotli, {RATCHET_ALL} were enough before:\n{lines}");
}
