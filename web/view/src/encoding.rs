//! The decoding of files, as far as page and command line must agree: the encoding is the one that an XML reader finds,
//! from the byte order mark or the declaration. Both decode other encodings on their own.

/// Returns the encoding that a file declares, in lower case; `None`: UTF-8.
pub fn declared(bytes: &[u8]) -> Option<String> {
    match bytes {
        [0xfe, 0xff, ..] => return Some("utf-16be".into()),
        [0xff, 0xfe, ..] => return Some("utf-16le".into()),
        // Without a byte order mark.
        [0, b'<', ..] => return Some("utf-16be".into()),
        [b'<', 0, ..] => return Some("utf-16le".into()),
        _ => {}
    }
    let bytes = body(bytes);
    let start = one_byte_each(&bytes[..bytes.len().min(200)]);
    let (from, to) = name(&start)?;
    let name = start[from..to].to_ascii_lowercase();
    // The declaration was readable as single bytes, so the encoding cannot be UTF-16 or UTF-32, and UTF-8 is the default.
    (!name.starts_with("utf")).then_some(name)
}

/// Returns the bytes without a UTF-8 byte order mark, which has no effect if another encoding is declared.
pub fn body(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// Decodes an encoding in which every byte is a Unicode character (ISO-8859-1 and its subsets). `None`: another encoding.
pub fn simple(encoding: &str, bytes: &[u8]) -> Option<String> {
    matches!(encoding, "iso-8859-1" | "iso8859-1" | "latin1" | "us-ascii" | "ascii").then(|| one_byte_each(body(bytes)))
}

/// Returns a text that declares another encoding with UTF-8 declared instead, and the declared encoding.
pub fn in_utf8(text: &str) -> Option<(String, String)> {
    declared(text.as_bytes())?;
    let (from, to) = name(text)?;
    Some((format!("{}UTF-8{}", &text[..from], &text[to..]), text[from..to].to_string()))
}

fn one_byte_each(bytes: &[u8]) -> String {
    bytes.iter().map(|b| char::from(*b)).collect()
}

/// Returns the range of the encoding's name in the XML declaration.
fn name(text: &str) -> Option<(usize, usize)> {
    let end = text.find("?>").filter(|_| text.starts_with("<?xml"))?;
    let after = text[..end].split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
    let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let name = after[1..].split_once(quote)?.0;
    let from = end - after.len() + 1;
    Some((from, from + name.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_declaration_or_the_mark_says_it() {
        for (bytes, wanted) in [
            (&b"<?xml version='1.0' encoding='GBK'?><a/>"[..], Some("gbk")),
            (b"<?xml version=\"1.0\" encoding = \"ISO-8859-1\" ?>", Some("iso-8859-1")),
            (b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>", None),
            (b"<?xml version=\"1.0\"?><a encoding='GBK'/>", None),
            (b"<a encoding='GBK'/>", None),
            (b"\xff\xfe<\0", Some("utf-16le")),
            (b"<\0?\0", Some("utf-16le")),
            (b"\0<\0?", Some("utf-16be")),
            (b"\xef\xbb\xbf<?xml version='1.0' encoding='gbk'?><a/>", Some("gbk")),
            (b"\xef\xbb\xbf<?xml version='1.0'?><a/>", None),
            (b"", None),
        ] {
            assert_eq!(declared(bytes).as_deref(), wanted, "{bytes:?}");
        }
    }

    #[test]
    fn a_text_is_written_in_utf8_and_says_so() {
        assert_eq!(simple("iso-8859-1", b"a\xe9").as_deref(), Some("aé"));
        assert_eq!(simple("latin1", b"\xef\xbb\xbfa").as_deref(), Some("a"));
        assert_eq!(simple("gbk", b"a"), None);
        let (text, was) = in_utf8("<?xml version='1.0' encoding='GBK'?><a/>").expect("it declares another one");
        assert_eq!((text.as_str(), was.as_str()), ("<?xml version='1.0' encoding='UTF-8'?><a/>", "GBK"));
        assert_eq!(in_utf8("<?xml version='1.0' encoding='utf-8'?><a/>"), None);
    }
}
