//! `cargo xtask dist --single`: the built site as one HTML file that runs from disk, where a browser can fetch nothing.
//!
//! Style sheet and scripts are inlined, and allowed by their hashes. Both programs are base64 in scripts of a type that no
//! browser runs, named like the links that they replace (`web/boot/start.js` accepts either).

use super::finish::{bytes, integrity, text, write};
use super::html::{Tag, tags};
use super::process::{Done, root};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use std::path::Path;

/// The file's name, in `dist`.
pub const FILE: &str = "heddle.html";

/// The programs' parts, by the names of their links.
const PARTS: [&str; 4] = ["page", "page-wasm", "engine", "engine-wasm"];

/// Builds it from the built site.
pub fn make() -> Done {
    let dist = root().join("dist");
    let page = whole(&text(&dist.join("index.html"))?, |name| bytes(&dist.join(Path::new(name))))?;
    let path = dist.join(FILE);
    write(&path, page.as_bytes())?;
    eprintln!("xtask: the page is in {}; open it in a browser", path.display());
    Ok(())
}

/// Returns the page with all files that it names.
fn whole(page: &str, read: impl Fn(&str) -> Done<Vec<u8>>) -> Done<String> {
    let file = |tag: &Tag, attribute: &str| -> Done<Vec<u8>> {
        read(tag.get(attribute).unwrap_or_default().trim_start_matches("./"))
    };
    let (mut scripts, mut styles, mut data) = (Vec::new(), Vec::new(), String::new());
    // Ranges of the page with their replacements.
    let mut changes = Vec::new();
    for link in tags(page, "link") {
        let shall = match (link.get("rel"), link.get("id")) {
            (Some("stylesheet"), _) => {
                let css = inline(file(&link, "href")?, "</style")?;
                styles.push(integrity(css.as_bytes()));
                format!("<style>{css}</style>")
            }
            (_, Some(id)) if PARTS.contains(&id) => {
                let base64 = STANDARD.encode(file(&link, "href")?);
                data.push_str(&format!("<script type=\"text/plain\" id=\"{id}\">{base64}</script>\n"));
                String::new()
            }
            _ => continue,
        };
        changes.push((link.at, shall));
    }
    for script in tags(page, "script") {
        let js = inline(file(&script, "src")?, "</script")?;
        scripts.push(integrity(js.as_bytes()));
        let module = if script.get("type") == Some("module") { " type=\"module\"" } else { "" };
        changes.push((script.at, format!("<script{module}>{js}</script>")));
    }
    if scripts.len() < 2 || styles.is_empty() || PARTS.iter().any(|id| !data.contains(&format!("\"{id}\""))) {
        return Err("the built page is not as `dist --single` knows it".into());
    }
    let quoted = |hashes: &[String]| hashes.iter().map(|h| format!("'{h}'")).collect::<Vec<_>>().join(" ");
    // `blob:` is for the page's own script, which is a module; the policy that closes the page takes it back.
    let policy = format!(
        "default-src 'none'; script-src {} blob: 'wasm-unsafe-eval'; style-src {}; img-src data:; worker-src blob:; base-uri 'none'; form-action 'none'",
        quoted(&scripts),
        quoted(&styles)
    );
    let first =
        tags(page, "meta").into_iter().find(|m| m.get("http-equiv").is_some()).ok_or("the page has no policy")?;
    changes.push((first.at, format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">")));
    let end = page.rfind("</body>").ok_or("the page has no end")?;
    changes.push((end..end, data));
    changes.sort_by_key(|(at, _)| std::cmp::Reverse(at.start));
    let mut page = page.to_owned();
    for (at, shall) in changes {
        page.replace_range(at, &shall);
    }
    Ok(page)
}

/// Returns a text that may stand inside a tag.
fn inline(bytes: Vec<u8>, end: &str) -> Done<String> {
    let text = String::from_utf8(bytes).map_err(|e| e.to_string())?;
    if text.contains(end) || text.contains("<!--") {
        return Err(format!("{end} inside a text that shall stand in the page"));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_to_fetch() {
        let page = r#"<head><meta http-equiv=Content-Security-Policy content="default-src 'self'">
            <template id=closed><meta http-equiv=Content-Security-Policy content="default-src 'none'"></template>
            <link rel=stylesheet href=./a.css><script src=./e.js></script><script type=module src=./s.js></script>
            <link id=page rel=modulepreload href=./p.js><link id=page-wasm href=./p.wasm><link id=engine href=./w.js>
            <link id=engine-wasm href=./w.wasm></head><body></body>"#;
        let single = whole(page, |name| Ok(format!("({name})").into_bytes())).expect("a page");
        assert!(!single.contains("./") && !single.contains("'self'"), "{single}");
        let hash = integrity(b"(a.css)");
        assert!(single.contains(&format!("style-src '{hash}'")) && single.contains("<style>(a.css)</style>"));
        assert!(single.contains("<script type=\"module\">(s.js)</script>"));
        assert!(single.contains("content=\"default-src 'none'\"></template>"), "the second policy stays");
        assert!(single.contains(&format!("id=\"engine-wasm\">{}</script>", STANDARD.encode("(w.wasm)"))));
        assert!(whole("<head></head>", |_| Ok(Vec::new())).is_err());
    }
}
