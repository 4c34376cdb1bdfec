//! Java's own conversions: numbers and addresses, and what it says of those that it cannot read.

/// A text as Java concatenates it: `null` when there is none.
pub fn text(text: &Option<String>) -> String {
    text.clone().unwrap_or_else(|| "null".into())
}

/// The zeros of the scripts whose digits Java accepts (Character.digit).
const ZEROS: [u32; 20] = [
    0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0, 0xf20,
    0x1040, 0x17e0, 0x1810, 0xff10,
];

/// Maps a digit of any script to ASCII.
fn plain_digit(c: char) -> char {
    let code = u32::from(c);
    let zero = ZEROS.iter().find(|zero| (**zero..**zero + 10).contains(&code));
    zero.and_then(|zero| char::from_digit(code - zero, 10)).unwrap_or(c)
}

/// Long.parseLong. Errors: the text, for "For input string".
pub fn long(text: &str) -> Result<i64, &str> {
    let bare = text.strip_prefix('+').filter(|t| !t.starts_with(['+', '-'])).unwrap_or(text);
    bare.chars().map(plain_digit).collect::<String>().parse().map_err(|_| text)
}

/// Integer.parseInt.
pub fn int(text: &str) -> Result<i32, &str> {
    long(text).and_then(|n| i32::try_from(n).map_err(|_| text))
}

/// Configuration.getLong: trims blanks; a number may be hexadecimal.
pub fn conf_long(text: &str) -> Result<i64, &str> {
    let bare = text.trim();
    let (negative, digits) = bare.strip_prefix('-').map_or((false, bare), |digits| (true, digits));
    match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => i64::from_str_radix(&format!("{}{hex}", if negative { "-" } else { "" }), 16).map_err(|_| bare),
        None => long(bare),
    }
}

/// Configuration.getInt.
pub fn conf_int(text: &str) -> Result<i32, &str> {
    conf_long(text).and_then(|n| i32::try_from(n).map_err(|_| text.trim()))
}

/// Configuration.getBoolean.
pub fn conf_boolean(text: Option<&str>, otherwise: bool) -> bool {
    match text.map(|t| t.trim().to_ascii_lowercase()).as_deref() {
        Some("true") => true,
        Some("false") => false,
        _ => otherwise,
    }
}

/// Returns why java.net.URL rejects an address.
pub fn malformed_url(url: &str) -> Option<String> {
    let bare = url.trim();
    let bare = if bare.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("url:")) { &bare[4..] } else { bare };
    let scheme = bare.split_once([':', '/']).filter(|(scheme, _)| bare[scheme.len()..].starts_with(':'));
    let is_name = |s: &str| {
        s.starts_with(|c: char| c.is_ascii_alphabetic())
            && s.chars().all(|c| c.is_ascii_alphanumeric() || ".+-".contains(c))
    };
    let Some((scheme, rest)) = scheme.filter(|(scheme, _)| is_name(scheme)) else {
        return Some(format!("no protocol: {bare}"));
    };
    let name = scheme.to_ascii_lowercase();
    if !["http", "https", "ftp", "file", "mailto", "jar", "jrt", "jmod"].contains(&name.as_str()) {
        return Some(format!("unknown protocol: {name}"));
    }
    if name == "jar" && !rest.contains("!/") {
        return Some("no !/ in spec".into());
    }
    let authority = rest.strip_prefix("//").map(|a| a.split(['/', '?', '#']).next().unwrap_or_default())?;
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let port = match host.strip_prefix('[') {
        Some(inside) => match inside.split_once(']') {
            None => return Some(format!("Invalid authority field: {authority}")),
            Some((_, after)) => after.strip_prefix(':'),
        },
        None => host.split_once(':').map(|(_, port)| port),
    };
    match port.filter(|port| !port.is_empty())?.parse::<i32>() {
        Ok(n) if n < -1 => Some(format!("Invalid port number :{n}")),
        Ok(_) => None,
        Err(_) => {
            let port = port.unwrap_or_default();
            let at = port.find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
            Some(format!("Error at index {at} in: \"{port}\""))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        for (text, got) in [
            ("5", Ok(5)),
            ("+5", Ok(5)),
            ("-5", Ok(-5)),
            ("\u{663}1", Ok(31)),
            ("005", Ok(5)),
            ("+-5", Err("+-5")),
            (" 5", Err(" 5")),
            ("", Err("")),
            ("5k", Err("5k")),
        ] {
            assert_eq!(long(text), got, "{text}");
        }
        for (text, got) in [(" 5 ", Ok(5)), ("0x10", Ok(16)), ("-0x10", Ok(-16)), ("", Err("")), ("2g", Err("2g"))] {
            assert_eq!(conf_long(text), got, "{text}");
        }
        assert_eq!((int("99999999999"), conf_int("99999999999")), (Err("99999999999"), Err("99999999999")));
        for (text, got) in [(Some("TRUE"), true), (Some(" true "), true), (Some("yes"), false), (None, false)] {
            assert_eq!(conf_boolean(text, false), got, "{text:?}");
        }
    }

    #[test]
    fn addresses() {
        for (url, why) in [
            ("http://x:80/y", None),
            (" HTTP://x ", None),
            ("url:http://x", None),
            ("http://[::1]:80", None),
            ("http://x:99999", None),
            ("x", Some("no protocol: x")),
            ("//x", Some("no protocol: //x")),
            ("htp://x", Some("unknown protocol: htp")),
            ("http://x:abc", Some("Error at index 0 in: \"abc\"")),
            ("http://x:-2", Some("Invalid port number :-2")),
            ("http://[::1", Some("Invalid authority field: [::1")),
            ("jar:x", Some("no !/ in spec")),
        ] {
            assert_eq!(malformed_url(url).as_deref(), why, "{url}");
        }
    }
}
