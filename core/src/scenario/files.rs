//! Values of `[files]` that name a file instead of holding its text. A scenario is one document, so whoever can read files
//! puts their texts in before the scenario is read.

use super::edit::text_value;
use super::read::FILES_TABLE;
use crate::model::Span;
use toml_edit::Document;

/// The maximum length of a path, in bytes.
const PATH_MAX: usize = 4_096;

/// Extensions of configuration files.
const ENDS: [&str; 5] = [".xml", ".json", ".properties", ".conf", ".txt"];

/// Returns whether a value of `[files]` is a path and not a file's text: one line that cannot be XML, JSON or properties,
/// and has a folder or a known extension.
pub fn is_path(value: &str) -> bool {
    let value = value.trim();
    let text = |c: char| matches!(c, '<' | '{' | '[' | '=' | '\n');
    let lower = value.to_ascii_lowercase();
    let named = value.contains(['/', '\\']) || ENDS.iter().any(|end| lower.ends_with(end));
    named && value.len() <= PATH_MAX && !value.contains(text)
}

/// Returns whether a text has nothing but blanks and comments, so that it is no scenario, whatever its name.
pub fn says_nothing(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').lines().all(|line| matches!(line.trim().chars().next(), None | Some('#')))
}

/// A scenario's text with the files put in, and where they came from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WithFiles {
    /// The whole text.
    pub text: String,
    /// The files put in, in the order of the text.
    pub taken: Vec<InsertedFile>,
    /// The files that could not be read: the place of the path in the text as written, and the reason.
    pub missing: Vec<(Span, String)>,
}

/// A file that was put in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InsertedFile {
    /// The path, as written.
    pub path: String,
    /// The text.
    pub text: String,
    /// The span of the value as written: the path with its quotes.
    was: Span,
    /// The span of the value in the whole text.
    is: Span,
    /// The start of the file in the whole text, if it stands there verbatim.
    content: Option<usize>,
}

/// A place of the whole text, mapped to the text that the user sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextPlace<'t> {
    /// A place in the scenario as written.
    Scenario(Span),
    /// A place in a file that was put in.
    File(&'t InsertedFile, Span),
}

/// Puts in the files that `[files]` names by path. `read` takes a name and a path, and returns the file's text or why there
/// is none. A text that is not TOML stays as it is.
pub fn put_in(text: &str, read: &mut dyn FnMut(&str, &str) -> Result<String, String>) -> WithFiles {
    let mut out = WithFiles { text: text.to_string(), ..WithFiles::default() };
    let Ok(document) = Document::parse(text) else { return out };
    let Some(files) = document.get(FILES_TABLE).and_then(|f| f.as_table_like()) else { return out };
    let mut named: Vec<(Span, &str, &str)> = files
        .iter()
        .filter_map(|(name, item)| {
            let (path, at) = (item.as_str().filter(|value| is_path(value))?, item.span()?);
            Some((Span::new(at.start, at.end), name, path.trim()))
        })
        .collect();
    named.sort_unstable();
    let (mut whole, mut from) = (String::with_capacity(text.len()), 0);
    for (was, name, path) in named {
        let file = match read(name, path) {
            Ok(file) => file,
            Err(why) => {
                out.missing.push((was, why));
                continue;
            }
        };
        whole.push_str(text.get(from..was.start).unwrap_or_default());
        let value = text_value(&file).to_string();
        let start = whole.len();
        whole.push_str(value.trim());
        let content = value.trim().strip_prefix("'''\n").filter(|rest| rest.starts_with(file.as_str()));
        let content = content.map(|_| start + "'''\n".len());
        out.taken.push(InsertedFile { path: path.into(), text: file, was, is: Span::new(start, whole.len()), content });
        from = was.end;
    }
    if !out.taken.is_empty() {
        whole.push_str(text.get(from..).unwrap_or_default());
        out.text = whole;
    }
    out
}

impl WithFiles {
    /// Returns where a place of the whole text was written.
    pub fn written(&self, span: Span) -> TextPlace<'_> {
        let (mut is, mut was) = (0, 0);
        for taken in &self.taken {
            if span.start < taken.is.start {
                break;
            }
            if span.start < taken.is.end {
                let length = taken.text.len();
                let inside =
                    taken.content.and_then(|at| Some((span.start.checked_sub(at)?, span.end.checked_sub(at)?)));
                return match inside.filter(|(start, end)| *start <= length && *end <= length) {
                    Some((start, end)) => TextPlace::File(taken, Span::new(start, end)),
                    None => TextPlace::Scenario(taken.was),
                };
            }
            (is, was) = (taken.is.end, taken.was.end);
        }
        TextPlace::Scenario(Span::new(span.start - is + was, span.end.max(span.start) - is + was))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_told_from_a_text() {
        for path in ["yarn-site.xml", "conf/yarn-site.xml", " ../a b.xml ", "/etc/hadoop/conf/x.xml", "C:\\a\\b.xml"] {
            assert!(is_path(path), "{path}");
        }
        for text in ["", " ", "a note", "<configuration/>", "{}", "[a/b]", "a=1/2", "a/b\nb", &"a/".repeat(PATH_MAX)] {
            assert!(!is_path(text), "{text}");
        }
        assert!(says_nothing("") && says_nothing(" \n# a\n\t#b\r\n") && says_nothing("\u{feff}#"));
        assert!(!says_nothing("# a\nheddle = 1") && !says_nothing("[files]"));
    }

    #[test]
    fn files_are_put_in_and_every_place_is_where_it_was_written() {
        let text = "title = \"t\"\n[files]\n\"a.xml\" = \"conf/a.xml\" # mine\n\"b.xml\" = \"<b/>\"\n\"c.xml\" = 'c.xml'\n\
            \"gone.xml\" = \"gone.xml\"\n[[nodes]]\nname = \"n\"\n";
        let mut read = |_: &str, path: &str| match path {
            "conf/a.xml" => Ok("<a>\n<x/></a>\n".to_string()),
            "c.xml" => Ok("<c>'''</c>".to_string()),
            _ => Err("not there".to_string()),
        };
        let all = put_in(text, &mut read);
        assert_eq!(all.taken.len(), 2);
        assert_eq!(all.missing.len(), 1);
        assert_eq!(&text[all.missing[0].0.start..all.missing[0].0.end], "\"gone.xml\"");
        let document = Document::parse(all.text.as_str()).expect("TOML still");
        assert_eq!(document["files"]["a.xml"].as_str(), Some("<a>\n<x/></a>\n"));
        assert_eq!(document["files"]["c.xml"].as_str(), Some("<c>'''</c>"));
        // Each letter of the scenario maps to its old place; a place in a file maps to that file.
        for (what, at) in [("title", 0), ("# mine", 0), ("\"<b/>\"", 0), ("[[nodes]]", 0), ("name = \"n\"", 0)] {
            let (is, was) = (all.text.find(what).expect(what), text.find(what).expect(what));
            let span = Span::new(is + at, is + what.len());
            assert_eq!(all.written(span), TextPlace::Scenario(Span::new(was + at, was + what.len())), "{what}");
        }
        let x = all.text.find("<x/>").expect("it is in");
        assert_eq!(all.written(Span::new(x, x + 4)), TextPlace::File(&all.taken[0], Span::new(4, 8)));
        let c = all.text.find("<c>").expect("it is in");
        let was = text.find("'c.xml'").expect("there");
        assert_eq!(
            all.written(Span::new(c, c + 3)),
            TextPlace::Scenario(Span::new(was, was + 7)),
            "not letter for letter"
        );
        assert_eq!(put_in("a = [", &mut read).text, "a = [");
        assert_eq!(put_in("[files]\n\"a.xml\" = '''\n<a/>\n'''\n", &mut read).taken, []);
    }
}
