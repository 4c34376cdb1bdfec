//! Hadoop's `Path`: the URI that it makes of a text, or why it rejects it.

use std::fmt;

/// Which Hadoop's client reads a path: they differ in how they collapse slashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hadoop {
    /// 2.7 to 3.3, which collapse slashes in pairs: `a///b` is `a//b`.
    Two,
    /// 3.4.
    Three,
}

/// A path (org.apache.hadoop.fs.Path), with the URI's parts decoded.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Path {
    pub scheme: Option<String>,
    pub authority: Option<String>,
    pub path: String,
}

impl Path {
    /// Parses a text. Errors: the message of the IllegalArgumentException.
    pub fn new(text: &str, hadoop: Hadoop) -> Result<Path, String> {
        if text.is_empty() {
            return Err("Can not create a Path from an empty string".into());
        }
        let colon = text.find(':').filter(|colon| text.find('/').is_none_or(|slash| *colon < slash));
        let (scheme, rest) = match colon {
            Some(colon) => (Some(&text[..colon]), &text[colon + 1..]),
            None => (None, text),
        };
        let (authority, path) = match rest.strip_prefix("//").filter(|rest| !rest.is_empty()) {
            Some(rest) => {
                let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
                (Some(authority), path)
            }
            None => (None, rest),
        };
        let path = joined(path, hadoop);
        let uri = uri(scheme, authority, &path);
        let fault = |what: String| Err(format!("java.net.URISyntaxException: {what}: {uri}"));
        if let Some(scheme) = scheme {
            if !path.is_empty() && !path.starts_with('/') {
                return fault("Relative path in absolute URI".into());
            }
            let (Some(first), rest) = (scheme.chars().next(), scheme.chars().enumerate().skip(1)) else {
                return fault("Expected scheme name at index 0".into());
            };
            let wrong = |c: char| !c.is_ascii_alphanumeric() && !"+-.".contains(c);
            let wrong = if first.is_ascii_alphabetic() { { rest }.find(|(_, c)| wrong(*c)) } else { Some((0, first)) };
            if let Some((at, _)) = wrong {
                return fault(format!("Illegal character in scheme name at index {at}"));
            }
            if path.is_empty() && authority.is_none_or(str::is_empty) {
                return fault(format!("Expected scheme-specific part at index {}", scheme.len() + 1));
            }
        }
        let start = scheme.map_or(0, |scheme| scheme.chars().count() + 1) + "//".len();
        if let Some(what) = authority.and_then(|authority| no_brackets(authority, start)) {
            return fault(what);
        }
        Ok(Path {
            scheme: scheme.map(String::from),
            authority: authority.filter(|a| !a.is_empty()).map(String::from),
            path: normal(&path),
        })
    }

    /// `new Path(parent, child)`: the child itself if it has a file system or begins with a slash.
    pub fn child(&self, child: &Path) -> Path {
        if child.scheme.is_some() {
            return child.clone();
        }
        let scheme = self.scheme.clone();
        if child.authority.is_some() {
            return Path { scheme, ..child.clone() };
        }
        let path = match child.path.starts_with('/') {
            true => child.path.clone(),
            false => normal(&format!("{}/{}", self.path.trim_end_matches('/'), child.path)),
        };
        Path { scheme, authority: self.authority.clone(), path }
    }

    /// The URI with its parts encoded (`toUri`).
    pub fn uri(&self) -> String {
        uri(self.scheme.as_deref(), self.authority.as_deref(), &self.path)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.scheme.iter().try_for_each(|scheme| write!(f, "{scheme}:"))?;
        self.authority.iter().try_for_each(|authority| write!(f, "//{authority}"))?;
        f.write_str(&self.path)
    }
}

/// Path.normalizePath: removes repeated slashes, and one at the end.
fn joined(path: &str, hadoop: Hadoop) -> String {
    let mut out = path.to_string();
    match hadoop {
        Hadoop::Two => out = out.replace("//", "/"),
        Hadoop::Three => {
            while out.contains("//") {
                out = out.replace("//", "/");
            }
        }
    }
    if out.len() > 1 && out.ends_with('/') {
        out.pop();
    }
    out
}

/// URI.normalize: removes `.`, and each `..` that follows a part.
fn normal(path: &str) -> String {
    if !path.split('/').any(|part| matches!(part, "." | "..")) {
        return path.to_string();
    }
    let mut out: Vec<&str> = Vec::new();
    for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
        if part == ".." && out.last().is_some_and(|last| *last != "..") {
            out.pop();
        } else {
            out.push(part);
        }
    }
    let root = if path.starts_with('/') { "/" } else { "" };
    format!("{root}{}", out.join("/"))
}

/// Returns the fault that java.net.URI finds in an authority with brackets, which only IPv6 addresses may have.
/// Positions count in the percent-encoded authority.
fn no_brackets(authority: &str, start: usize) -> Option<String> {
    let mut quoted = String::new();
    quote(authority, AUTHORITY, &mut quoted);
    let authority = quoted.as_str();
    let at = |i: usize| start + authority.get(..i).map_or(0, |before| before.chars().count());
    if authority.starts_with('[') {
        let closed = authority.contains(']');
        return (!closed)
            .then(|| format!("Expected closing bracket for IPv6 address at index {}", at(authority.len())));
    }
    authority.contains(['[', ']']).then(|| {
        let host = authority.find(|c: char| !c.is_ascii_alphanumeric() && !".-".contains(c)).unwrap_or(0);
        format!("Illegal character in hostname at index {}", at(host))
    })
}

/// Characters besides letters and digits that an authority keeps unencoded.
const AUTHORITY: &str = "-_.!~*'()$,;:@&=+[]";

/// Builds a URI of parts, which it encodes where necessary (java.net.URI).
fn uri(scheme: Option<&str>, authority: Option<&str>, path: &str) -> String {
    let mut out = String::new();
    if let Some(scheme) = scheme {
        out += scheme;
        out.push(':');
    }
    if let Some(authority) = authority {
        out += "//";
        quote(authority, AUTHORITY, &mut out);
    }
    quote(path, "-_.!~*'():@&=+$,;/", &mut out);
    out
}

/// Writes a part of a URI: percent-encodes all characters except letters, digits and `plain`.
fn quote(part: &str, plain: &str, out: &mut String) {
    for c in part.chars() {
        // Other scripts stay unencoded, except their blanks and control characters.
        let stays = match c.is_ascii() {
            true => c.is_ascii_alphanumeric() || plain.contains(c),
            false => !c.is_whitespace() && !c.is_control(),
        };
        if stays {
            out.push(c);
        } else {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                *out += &format!("%{byte:02X}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each case was run against the real class (Hadoop 2.10.1 and 3.4.2).
    #[test]
    fn a_text_is_a_path_or_the_words_of_the_real_one() {
        let relative = "Relative path in absolute URI";
        let no_name = "Expected scheme name at index 0";
        for (text, what, uri) in [
            ("img:1", relative, "img:1"),
            ("a:b/", relative, "a:b"),
            ("a:b//c", relative, "a:b/c"),
            ("a:b c", relative, "a:b%20c"),
            ("a:b%20c", relative, "a:b%2520c"),
            ("a:b\\c", relative, "a:b%5Cc"),
            ("a:b[c]", relative, "a:b%5Bc%5D"),
            ("a:?x", relative, "a:%3Fx"),
            ("a:#x", relative, "a:%23x"),
            ("a:\u{a0}b", relative, "a:%C2%A0b"),
            ("a:\u{7}b", relative, "a:%07b"),
            ("a:é", relative, "a:é"),
            ("1a:x", relative, "1a:x"),
            (":x", relative, ":x"),
            (":/x", no_name, ":/x"),
            (":", no_name, ":"),
            ("1a:/x", "Illegal character in scheme name at index 0", "1a:/x"),
            ("a_b:/x", "Illegal character in scheme name at index 1", "a_b:/x"),
            ("é:/a", "Illegal character in scheme name at index 0", "é:/a"),
            ("hdfs:", "Expected scheme-specific part at index 5", "hdfs:"),
            ("hdfs://a[b/x", "Illegal character in hostname at index 8", "hdfs://a[b/x"),
            ("file://[::1/x", "Expected closing bracket for IPv6 address at index 11", "file://[::1/x"),
        ] {
            let words = format!("java.net.URISyntaxException: {what}: {uri}");
            for hadoop in [Hadoop::Two, Hadoop::Three] {
                assert_eq!(Path::new(text, hadoop), Err(words.clone()), "{text}");
            }
        }
        for (text, shown, uri) in [
            ("/a:b", "/a:b", "/a:b"),
            ("x/a:b", "x/a:b", "x/a:b"),
            ("a//b/", "a/b", "a/b"),
            ("hdfs:///x", "hdfs:/x", "hdfs:/x"),
            ("hdfs://", "hdfs:/", "hdfs:/"),
            ("hdfs://h h/x", "hdfs://h h/x", "hdfs://h%20h/x"),
            ("hdfs://n%n/x", "hdfs://n%n/x", "hdfs://n%25n/x"),
            ("//x", "//x", "//x"),
            ("/a/./b/../c", "/a/c", "/a/c"),
        ] {
            let path = Path::new(text, Hadoop::Three).unwrap_or_else(|why| panic!("{text}: {why}"));
            assert_eq!((path.to_string().as_str(), path.uri().as_str()), (shown, uri), "{text}");
        }
        let slashes = |hadoop| Path::new("/b///c", hadoop).map(|path| path.to_string());
        assert_eq!((slashes(Hadoop::Two), slashes(Hadoop::Three)), (Ok("/b//c".into()), Ok("/b/c".into())));
        assert!(Path::new("", Hadoop::Three).is_err());
    }

    #[test]
    fn a_child_may_leave_its_parent() {
        let path = |text: &str| Path::new(text, Hadoop::Three).unwrap_or_default();
        let home = path("hdfs://nn/user/me");
        for (child, to) in [
            ("a/b", "hdfs://nn/user/me/a/b"),
            ("../b", "hdfs://nn/user/b"),
            ("/a:b", "hdfs://nn/a:b"),
            ("//h/x", "hdfs://h/x"),
            ("a:/b", "a:/b"),
        ] {
            assert_eq!(home.child(&path(child)).to_string(), to, "{child}");
        }
    }
}
