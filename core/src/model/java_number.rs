//! Numbers as Java reads them from texts, and its message for a text that is not a number (java.lang.Integer, Long of
//! Java 17; Hadoop's Configuration.getInt).

/// Why a text is not a number, in the words of Java's `NumberFormatException`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotANumber(pub String);

impl NotANumber {
    fn input(text: &str, radix: u32) -> Self {
        let radix = if radix == 10 { String::new() } else { format!(" under radix {radix}") };
        NotANumber(format!("For input string: \"{text}\"{radix}"))
    }
}

/// The zeros of the scripts whose digits `Character.digit` knows, beside ASCII's.
const ZEROS: [u32; 17] = [
    0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20, 0x1040,
    0xff10,
];

/// Maps a digit of any script to ASCII; other characters stay.
fn ascii_digit(c: char) -> char {
    let zero = ZEROS.iter().find(|zero| (**zero..**zero + 10).contains(&u32::from(c)));
    zero.and_then(|zero| char::from_digit(u32::from(c) - zero, 10)).unwrap_or(c)
}

/// Parses an optional sign and digits of a radix as a number within bounds.
fn parse(text: &str, radix: u32, (low, high): (i64, i64)) -> Result<i64, NotANumber> {
    let fault = || NotANumber::input(text, radix);
    let plain: String = text.chars().map(ascii_digit).collect();
    let digits = plain.strip_prefix(['-', '+']).unwrap_or(&plain);
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return Err(fault());
    }
    let value = i128::from_str_radix(&plain, radix).map_err(|_| fault())?;
    i64::try_from(value).ok().filter(|n| (low..=high).contains(n)).ok_or_else(fault)
}

fn decode(text: &str, bounds: (i64, i64)) -> Result<i64, NotANumber> {
    if text.is_empty() {
        return Err(NotANumber("Zero length string".into()));
    }
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let (radix, digits) = match rest {
        r if r.starts_with("0x") || r.starts_with("0X") => (16, &r[2..]),
        r if r.starts_with('#') => (16, &r[1..]),
        r if r.len() > 1 && r.starts_with('0') => (8, &r[1..]),
        r => (10, r),
    };
    if digits.starts_with(['-', '+']) {
        return Err(NotANumber("Sign character in wrong position".into()));
    }
    parse(&format!("{sign}{digits}"), radix, bounds)
}

const INT: (i64, i64) = (i32::MIN as i64, i32::MAX as i64);

/// `Integer.parseInt`: decimal digits after an optional sign. Errors: the text is not one.
pub fn parse_int(text: &str) -> Result<i32, NotANumber> {
    parse(text, 10, INT).map(|n| n as i32)
}

/// `Integer.decode`: decimal, `0x` or `#` hexadecimal, a leading `0` octal. Errors: the text is not one.
pub fn decode_int(text: &str) -> Result<i32, NotANumber> {
    decode(text, INT).map(|n| n as i32)
}

/// `Long.decode`; see [`decode_int`].
pub fn decode_long(text: &str) -> Result<i64, NotANumber> {
    decode(text, (i64::MIN, i64::MAX))
}

/// `Configuration.getInt`: trims blanks; `0x` begins a hexadecimal number. Errors: the text is not a number.
pub fn setting_int(text: &str) -> Result<i32, NotANumber> {
    let text = text.trim_matches(|c| c <= ' ');
    let (sign, rest) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    match rest.strip_prefix("0x").or_else(|| rest.strip_prefix("0X")) {
        Some(digits) => parse(&format!("{sign}{digits}"), 16, INT).map(|n| n as i32),
        None => parse_int(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_javas() {
        let numbers = [("10", 10), ("0x10", 16), ("010", 8), ("-0x1", -1), ("#f", 15), ("0", 0), ("+7", 7), ("-0", 0)];
        for (text, n) in numbers {
            assert_eq!(decode_int(text), Ok(n), "{text}");
        }
        assert_eq!((decode_int("-2147483648"), parse_int("１٢")), (Ok(i32::MIN), Ok(12)));
        assert_eq!(decode_long("-0x8000000000000000"), Ok(i64::MIN));
        assert_eq!((setting_int(" 0x1f "), setting_int("-0X2"), setting_int("010")), (Ok(31), Ok(-2), Ok(10)));
    }

    #[test]
    fn what_is_none_is_told_in_javas_words() {
        let input = |text: &str| format!("For input string: \"{text}\"");
        let cases = [
            ("", "Zero length string".to_string()),
            ("-", input("-")),
            ("08", format!("{} under radix 8", input("8"))),
            ("0x", format!("{} under radix 16", input(""))),
            ("1.5", input("1.5")),
            (" 1", input(" 1")),
            ("--1", "Sign character in wrong position".to_string()),
            ("2147483648", input("2147483648")),
            ("-2g", input("-2g")),
        ];
        for (text, words) in cases {
            assert_eq!(decode_int(text), Err(NotANumber(words)), "{text}");
        }
        assert_eq!(parse_int("0x10"), Err(NotANumber(input("0x10"))));
        assert_eq!(parse_int("+"), Err(NotANumber(input("+"))));
    }
}
