//! Trunk's pre_build hook: writes `target/page/first.html` and `target/page/heddle.css`, which `index.html` includes.

use std::path::Path;

/// The style sheets in their order.
const SHEETS: [&str; 12] =
    ["tokens", "base", "frame", "what", "where", "why", "when", "dialogs", "report", "compare", "low", "first"];

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let picture = heddle_picture::draw(heddle_picture::FIRST).expect("the first scenario can be read");
    let mut css = String::new();
    for name in SHEETS {
        let path = root.join("web/styles").join(name).with_extension("css");
        css += &std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }
    css += &picture.css;
    write(&root.join("target/page/first.html"), &picture.html);
    write(&root.join("target/page/heddle.css"), &css);
}

/// Writes only changed files, because trunk may be watching.
fn write(path: &Path, text: &str) {
    if std::fs::read_to_string(path).is_ok_and(|there| there == text) {
        return;
    }
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::write(path, text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
}
