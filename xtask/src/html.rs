//! Finds the tags of a page that we wrote ourselves; it supports no more of HTML than that needs.

use std::ops::Range;

/// A tag with its attributes; for `<script>` and `<style>` with its content and closing tag.
#[derive(Debug, PartialEq)]
pub struct Tag {
    /// The range of the tag, up to the end of the closing tag.
    pub at: Range<usize>,
    attributes: Vec<(String, String)>,
    /// The range of its text.
    pub inside: Range<usize>,
}

impl Tag {
    pub fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }
}

/// Returns all tags of this name, in order.
pub fn tags(page: &str, name: &str) -> Vec<Tag> {
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = page[from..].find(&open).map(|i| i + from) {
        let begin = at + open.len();
        let (attributes, end) = attributes(page, begin);
        from = end;
        if page[begin..].starts_with(|c: char| !c.is_whitespace() && c != '>' && c != '/') {
            continue; // a longer name
        }
        let inside = match matches!(name, "script" | "style") {
            true => end..page[end..].find(&close).map_or(page.len(), |i| i + end),
            false => end..end,
        };
        if inside.end > end || page[end..].starts_with(&close) {
            from = (inside.end + close.len()).min(page.len());
        }
        found.push(Tag { at: at..from, attributes, inside });
    }
    found
}

/// Returns the attributes from `begin` on, and where the tag ends.
fn attributes(page: &str, begin: usize) -> (Vec<(String, String)>, usize) {
    let mut found = Vec::new();
    let mut rest = page[begin..].trim_start();
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
        if rest.is_empty() || rest.starts_with('>') {
            return (found, (page.len() - rest.len() + 1).min(page.len()));
        }
        let end = rest.find(|c: char| c.is_whitespace() || c == '=' || c == '>').unwrap_or(rest.len());
        let name = rest[..end].to_owned();
        rest = &rest[end..];
        let mut value = String::new();
        if let Some(after) = rest.strip_prefix('=') {
            let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''));
            let after = if quote.is_some() { &after[1..] } else { after };
            let end = match quote {
                Some(quote) => after.find(quote),
                None => after.find(|c: char| c.is_whitespace() || c == '>'),
            }
            .unwrap_or(after.len());
            value = after[..end].to_owned();
            rest = after[end..].strip_prefix(|c| Some(c) == quote).unwrap_or(&after[end..]);
        }
        found.push((name, value));
    }
}

#[cfg(test)]
mod tests {
    use super::tags;

    #[test]
    fn tags_with_and_without_quotes() {
        let page = r#"<head><link rel=stylesheet href=./a.css><link rel="icon" href='data:,' /><linked x>
            <script type=module src="./b.js"></script><script>if (a < b) c()</script></head>"#;
        let links = tags(page, "link");
        assert_eq!(links.len(), 2);
        assert_eq!((links[0].get("rel"), links[0].get("href")), (Some("stylesheet"), Some("./a.css")));
        assert_eq!(links[1].get("href"), Some("data:,"));
        assert_eq!(&page[links[1].at.clone()], r#"<link rel="icon" href='data:,' />"#);
        let scripts = tags(page, "script");
        assert_eq!(scripts[0].get("src"), Some("./b.js"));
        assert_eq!(&page[scripts[0].at.clone()], r#"<script type=module src="./b.js"></script>"#);
        assert_eq!(&page[scripts[1].inside.clone()], "if (a < b) c()");
    }
}
