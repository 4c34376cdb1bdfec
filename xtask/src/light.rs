//! The site's light pages: documents of this repository as HTML that reads without the program. They are made of the same
//! texts and cases that the tests read, so that they cannot say something else.

use super::finish::{text, write};
use super::process::{Done, root};
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};
use std::fmt::Write as _;
use std::path::Path;

/// A light page: its file, its title, and the document that it is made of.
struct LightPage {
    file: &'static str,
    title: &'static str,
    document: &'static str,
}

const PAGES: [LightPage; 5] = [
    LightPage { file: "conformance.html", title: "Conformance", document: "tests/conformance/README.md" },
    LightPage { file: "limits.html", title: "Deviations", document: "docs/deviations.md" },
    LightPage { file: "formats.html", title: "Formats", document: "docs/formats.md" },
    LightPage { file: "terms.html", title: "Terms", document: "docs/terms.md" },
    LightPage { file: "privacy.html", title: "Privacy", document: "docs/privacy.md" },
];

/// The style of all light pages: the page's colours, for screens and paper.
const STYLE: &str = ":root{color-scheme:light dark;--ink:#16181d;--soft:#5b6070;--line:#d9dce3;--bg:#fff;--link:#1b59c4}\
@media (prefers-color-scheme:dark){:root{--ink:#e6e8ee;--soft:#9aa1b2;--line:#333845;--bg:#14161b;--link:#8db4ff}}\
body{margin:0 auto;padding:24px 20px 60px;max-width:78ch;font:16px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--bg);overflow-wrap:anywhere}\
nav{display:flex;flex-wrap:wrap;gap:4px 18px;padding-bottom:12px;border-bottom:1px solid var(--line);margin-bottom:24px}nav b{margin-right:auto}\
a{color:var(--link)}nav a[aria-current]{color:inherit;font-weight:600;text-decoration:none}h1{font-size:1.6em;line-height:1.2}h2{font-size:1.2em;margin-top:2em}\
code,pre{font:.88em/1.5 ui-monospace,monospace}pre{overflow-x:auto;padding:10px 12px;border:1px solid var(--line);border-radius:6px}\
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.9em}th,td{text-align:left;vertical-align:top;padding:5px 14px 5px 0;border-bottom:1px solid var(--line)}td.n{text-align:right;font-variant-numeric:tabular-nums}\
@media print{nav{display:none}body{max-width:none;color:#000;background:#fff}pre,tr{break-inside:avoid}a{color:inherit}}";

/// Writes all light pages into the folder that is being built.
pub fn write_pages(staging: &Path) -> Done {
    for page in &PAGES {
        let mut body = html_of(&text(&root().join(page.document))?);
        if page.file == "conformance.html" {
            body.push_str(&cases()?);
        }
        write(&staging.join(page.file), whole(page, &body).as_bytes())?;
    }
    Ok(())
}

fn whole(page: &LightPage, body: &str) -> String {
    let mut links = String::new();
    for other in &PAGES {
        let here = if other.file == page.file { " aria-current=\"page\"" } else { "" };
        let _ = write!(links, "<a href=\"{}\"{here}>{}</a>", other.file, other.title);
    }
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <meta name=\"color-scheme\" content=\"light dark\"><title>{0} · Heddle</title><style>{STYLE}</style></head>\
         <body><nav aria-label=\"Pages\"><b><a href=\"./\">Heddle</a></b>{links}</nav><main>{body}</main></body></html>",
        page.title
    )
}

/// Returns a document as HTML. A link to a document that is a light page leads there; other files of the repository are not
/// on the site, so what names them is plain text.
fn html_of(document: &str) -> String {
    let mut kept = Vec::new();
    let events = Parser::new_ext(document, Options::ENABLE_TABLES).filter_map(|event| match event {
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            let dest = led_to(&dest_url);
            kept.push(dest.is_some());
            dest.map(|dest| Event::Start(Tag::Link { link_type, dest_url: CowStr::from(dest), title, id }))
        }
        Event::End(TagEnd::Link) => kept.pop().unwrap_or(false).then_some(Event::End(TagEnd::Link)),
        // No document has markup of its own.
        Event::Html(text) | Event::InlineHtml(text) => Some(Event::Text(text)),
        other => Some(other),
    });
    let mut out = String::new();
    html::push_html(&mut out, events);
    out.replace("<table>", "<div class=\"wide\" tabindex=\"0\"><table>").replace("</table>", "</table></div>")
}

fn led_to(dest: &str) -> Option<String> {
    if dest.starts_with("https://") || dest.starts_with('#') {
        return Some(dest.to_owned());
    }
    let (path, part) = dest.split_once('#').map_or((dest, String::new()), |(path, part)| (path, format!("#{part}")));
    let name = path.rsplit('/').next().unwrap_or(path);
    let page = PAGES.iter().find(|page| page.document.rsplit('/').next() == Some(name) && name != "README.md")?;
    Some(format!("{}{part}", page.file))
}

/// Returns the numbers of cases, file by file.
fn cases() -> Done<String> {
    let folder = root().join("tests/conformance");
    let mut rows: Vec<(String, usize)> = Vec::new();
    for part in ["", "traces", "dumps"] {
        let entries = std::fs::read_dir(folder.join(part)).map_err(|e| format!("{part}: {e}"))?;
        for path in
            entries.flatten().map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|e| e == "json"))
        {
            let name = path.strip_prefix(&folder).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            let read: serde_json::Value =
                serde_json::from_str(&text(&path)?).map_err(|e| format!("{}: {e}", path.display()))?;
            let list = read.get("cases").unwrap_or(&read);
            rows.push((name, list.as_array().map_or(0, Vec::len)));
        }
    }
    rows.sort();
    let all: usize = rows.iter().map(|(_, n)| n).sum();
    let mut out = format!(
        "<h2>The cases of this build</h2><p>{all} cases in {} files. The tests compare every one of them, natively and in browsers; \
         only those that stand with their reason in <a href=\"limits.html\">Deviations</a> are decided otherwise.</p><div class=\"wide\" tabindex=\"0\"><table><tr><th>file</th><th>cases</th></tr>",
        rows.len()
    );
    rows.iter().for_each(|(name, n)| _ = write!(out, "<tr><td>{name}</td><td class=\"n\">{n}</td></tr>"));
    out.push_str("</table></div>");
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every light page is made, says what its document says, and leads only to what is on the site.
    #[test]
    fn every_page_is_made_of_its_document() {
        for page in &PAGES {
            let document = text(&root().join(page.document)).expect(page.document);
            let html = whole(page, &html_of(&document));
            let heading = document.lines().find_map(|line| line.strip_prefix("# ")).expect("a heading");
            assert!(html.contains(&format!("<h1>{heading}</h1>")), "{}", page.file);
            assert_eq!(html.matches("aria-current").count(), 2, "{}: the link, and its style", page.file);
            for link in html.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
                let there = link.starts_with("https://") || link.starts_with('#') || link == "./";
                let file = link.split('#').next().unwrap_or(link);
                assert!(there || PAGES.iter().any(|page| page.file == file), "{}: {link}", page.file);
            }
            assert!(!html.contains("<script") && !html.contains("http://"), "{}", page.file);
        }
        let cases = cases().expect("the cases");
        assert!(cases.contains("<td>capacity-scheduler.json</td>") && cases.contains("<td>traces/"), "{cases}");
    }

    #[test]
    fn a_link_to_what_is_not_on_the_site_is_plain_text() {
        let html = html_of(
            "See [terms](terms.md#am), [oracle](../oracle/README.md), [Hadoop](https://hadoop.apache.org) and <b>x</b>.",
        );
        assert_eq!(
            html.trim(),
            "<p>See <a href=\"terms.html#am\">terms</a>, oracle, <a href=\"https://hadoop.apache.org\">Hadoop</a> and &lt;b&gt;x&lt;/b&gt;.</p>"
        );
    }
}
