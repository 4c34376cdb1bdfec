//! Typed parsing of configuration values as in Hadoop's `Configuration` (formats.md 1.3 and 1.4).

use crate::api::{Properties, Refusal, SettingsRule};
use crate::config::properties::{Inherited, Key, Value};
use indexmap::IndexSet;
use std::str::FromStr;

/// Effective properties with Hadoop's typed parsers.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Conf {
    map: Properties,
}

/// A parsed value; the error has the message of Java's exception.
type Read<T> = Result<T, Refusal>;

impl Conf {
    pub fn new(map: Properties) -> Self {
        Conf { map }
    }

    /// `over` on top of `base`, like a later file over an earlier one.
    pub fn layered(base: &Properties, over: &Properties) -> Self {
        let mut map = base.clone();
        for (key, value) in over {
            map.insert(key.clone(), value.clone());
        }
        Conf { map }
    }

    /// The raw properties.
    pub fn map(&self) -> &Properties {
        &self.map
    }

    pub fn set(&mut self, key: impl Into<String>, value: impl Into<String>) {
        self.map.insert(key.into(), value.into());
    }

    /// Removes a property.
    pub fn unset(&mut self, key: &str) {
        self.map.shift_remove(key);
    }

    /// The raw text, not trimmed. An empty value counts as set, and is neither a number nor a state.
    pub fn raw(&self, key: &str) -> Option<&str> {
        self.map.get(key).map(String::as_str)
    }

    /// The text with its variables replaced. Errors: the replacement does not terminate.
    pub fn text(&self, key: &str) -> Read<Option<String>> {
        match self.raw(key) {
            None => Ok(None),
            Some(value) => substitute(value, &|name| self.raw(name).map(str::to_string)).map(Some),
        }
    }

    /// The text with variables replaced, trimmed.
    pub fn trimmed(&self, key: &str) -> Read<Option<String>> {
        Ok(self.text(key)?.map(|t| trim(&t).to_string()))
    }

    /// The value of a property, or its default. Errors: not a value of the property's type.
    pub fn get<T: Value>(&self, key: Key<T>) -> Read<T> {
        self.value(&key.name(), key.default())
    }

    /// The value of a queue's property, or its default. Errors: not a value of the property's type.
    pub fn get_of<T: Value>(&self, path: &str, key: Key<T>) -> Read<T> {
        self.value(&key.name_of(path), key.default())
    }

    /// The value of a property, or the one that it inherits. Errors: like [`Self::get`].
    pub fn get_or<T: Value>(&self, key: Inherited<T>, inherited: T) -> Read<T> {
        self.value(&key.name(), inherited)
    }

    /// The value of a queue's property, or the one that it inherits. Errors: like [`Self::get`].
    pub fn get_of_or<T: Value>(&self, path: &str, key: Inherited<T>, inherited: T) -> Read<T> {
        self.value(&key.name_of(path), inherited)
    }

    fn value<T: Value>(&self, name: &str, default: T) -> Read<T> {
        match self.trimmed(name)? {
            Some(text) => T::read(&text, default).map_err(|refusal| refusal.at(name)),
            None => Ok(default),
        }
    }

    /// Returns the bound to blame if two contradict each other: the minimum if it is wrong by itself or the maximum has
    /// its default.
    pub(crate) fn wrong_bound<'k>(&self, smallest_is_wrong: bool, smallest: &'k str, largest: &'k str) -> &'k str {
        if smallest_is_wrong || self.raw(largest).is_none() { smallest } else { largest }
    }

    /// `getInt`. Errors: not a whole number of 32 bits.
    pub fn int(&self, key: &str, default: i32) -> Read<i32> {
        self.trimmed(key)?.map_or(Ok(default), |t| parse_int(&t).map_err(|refusal| refusal.at(key)))
    }

    /// `getLong`. Errors: not a whole number of 64 bits.
    pub fn long(&self, key: &str, default: i64) -> Read<i64> {
        self.trimmed(key)?.map_or(Ok(default), |t| parse_long(&t).map_err(|refusal| refusal.at(key)))
    }

    /// `getFloat`. Errors: not a Java float.
    pub fn float(&self, key: &str, default: f32) -> Read<f32> {
        self.trimmed(key)?.map_or(Ok(default), |t| parse_float(&t).map_err(|refusal| refusal.at(key)))
    }

    /// `getBoolean`: anything but true and false is the default, silently.
    pub fn boolean(&self, key: &str, default: bool) -> Read<bool> {
        Ok(self.trimmed(key)?.and_then(|t| parse_boolean(&t)).unwrap_or(default))
    }

    /// `getTrimmedStringCollection`: split at commas and line breaks, trimmed, empty items dropped, in the order of
    /// first occurrence.
    pub fn trimmed_list(&self, key: &str) -> Read<Vec<String>> {
        Ok(self.text(key)?.map_or_else(Vec::new, |t| trimmed_list(&t)))
    }

    /// `getStrings`: split at commas, empty items dropped, blanks kept.
    pub fn list(&self, key: &str) -> Read<Option<Vec<String>>> {
        Ok(self.text(key)?.map(|t| list(&t)).filter(|l| !l.is_empty()))
    }
}

/// Java's `String.trim`: removes everything up to U+0020 at both ends.
pub fn trim(text: &str) -> &str {
    text.trim_matches(|c| c <= ' ')
}

/// The items of a plain list: split at commas, empty ones dropped, blanks kept.
pub fn list(text: &str) -> Vec<String> {
    text.split(',').filter(|s| !s.is_empty()).map(str::to_string).collect()
}

/// The items of a trimmed list: split at commas and line breaks with blanks around; empty items and repetitions
/// dropped.
pub fn trimmed_list(text: &str) -> Vec<String> {
    let items = trim(text).split([',', '\n']);
    let items = items.map(|item| item.trim_matches(|c: char| c.is_ascii_whitespace() || c == '\u{b}'));
    let items: IndexSet<&str> = items.filter(|item| !item.is_empty()).collect();
    items.into_iter().map(str::to_string).collect()
}

/// NumberFormatException, as YARN prints it.
pub fn not_a_number(text: &str) -> Refusal {
    Refusal::of(SettingsRule::NotANumber, format!("For input string: \"{text}\""))
}

/// NumberFormatException for what follows `0x`.
fn not_hexadecimal(digits: &str) -> Refusal {
    Refusal::of(SettingsRule::NotANumber, format!("For input string: \"{digits}\" under radix 16"))
}

/// Digits after an optional sign and `0x`.
fn hex(text: &str) -> Option<String> {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text),
    };
    let digits = rest.strip_prefix("0x").or_else(|| rest.strip_prefix("0X"))?;
    Some(format!("{sign}{digits}"))
}

/// A Java `int`, decimal or hexadecimal. Errors: NumberFormatException's text.
pub fn parse_int(text: &str) -> Read<i32> {
    match hex(text) {
        Some(digits) => i32::from_str_radix(&digits, 16).map_err(|_| not_hexadecimal(&digits)),
        None => ascii_digits(text).parse().map_err(|_| not_a_number(text)),
    }
}

/// The zeros of the decimal digits that Character.digit knows, in scripts in use; U+FF10 is the full-width one.
const ZEROS: [u32; 18] = [
    0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20, 0x1040, 0x17e0,
    0x1810, 0xff10,
];

/// Replaces digits of other scripts by ASCII digits: Java parses whole numbers in any script, but floats only in ASCII.
pub(crate) fn ascii_digits(text: &str) -> std::borrow::Cow<'_, str> {
    if text.is_ascii() {
        return text.into();
    }
    let digit = |c: char| {
        let value = ZEROS.iter().map(|zero| u32::from(c).wrapping_sub(*zero)).find(|value| *value < 10);
        value.and_then(|value| char::from_digit(value, 10)).unwrap_or(c)
    };
    text.chars().map(digit).collect::<String>().into()
}

/// A Java `long`, decimal or hexadecimal. Errors: NumberFormatException's text.
pub fn parse_long(text: &str) -> Read<i64> {
    match hex(text) {
        Some(digits) => i64::from_str_radix(&digits, 16).map_err(|_| not_hexadecimal(&digits)),
        None => ascii_digits(text).parse().map_err(|_| not_a_number(text)),
    }
}

/// A Java `float` (Float.parseFloat): also `.5`, `1e-4`, `NaN`, `Infinity`, a trailing `f` or `d`, `0x1p3`. Errors:
/// NumberFormatException's text.
pub fn parse_float(text: &str) -> Read<f32> {
    parse_real(text, |number| number as f32)
}

/// A Java `double` (Double.parseDouble), in the syntax of floats ([`parse_float`]). Errors: NumberFormatException's
/// text.
pub fn parse_double(text: &str) -> Read<f64> {
    parse_real(text, |number| number)
}

/// `of` converts a number that is not written in decimal. A decimal number is rounded once, without the detour over a
/// double.
fn parse_real<T: FromStr>(text: &str, of: impl Fn(f64) -> T) -> Read<T> {
    let t = trim(text);
    if t.is_empty() {
        return Err(Refusal::new("empty String"));
    }
    let read = match real(t) {
        Some(Real::Number(number)) => Some(of(number)),
        Some(Real::Decimal(digits)) => digits.parse().ok(),
        None => None,
    };
    read.ok_or_else(|| {
        if has_two_points(t) { Refusal::of(SettingsRule::NotANumber, "multiple points") } else { not_a_number(t) }
    })
}

/// Returns whether the leading decimal digits contain a second point, for which Java has a message of its own.
fn has_two_points(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let digits = digits.bytes().take_while(|b| b.is_ascii_digit() || *b == b'.');
    digits.filter(|b| *b == b'.').count() > 1
}

/// A number in Java's syntax for floats and doubles.
enum Real<'a> {
    Number(f64),
    /// In a syntax that Rust parses too.
    Decimal(&'a str),
}

fn real(t: &str) -> Option<Real<'_>> {
    let (negative, body) = match t.as_bytes().first()? {
        b'-' => (true, &t[1..]),
        b'+' => (false, &t[1..]),
        _ => (false, t),
    };
    let signed = |x: f64| Real::Number(if negative { -x } else { x });
    match body {
        "NaN" => return Some(Real::Number(f64::NAN)),
        "Infinity" => return Some(signed(f64::INFINITY)),
        _ => {}
    }
    if let Some(digits) = body.strip_prefix("0x").or_else(|| body.strip_prefix("0X")) {
        return hex_float(digits).map(signed);
    }
    let number = body.strip_suffix(['f', 'F', 'd', 'D']).unwrap_or(body);
    let plain = !number.is_empty()
        && number.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-'))
        && number.bytes().any(|b| b.is_ascii_digit())
        && !number.starts_with(['+', '-']);
    plain.then(|| Real::Decimal(t.strip_suffix(['f', 'F', 'd', 'D']).unwrap_or(t)))
}

/// The part of a hexadecimal float after `0x`: digits, `p`, binary exponent.
fn hex_float(digits: &str) -> Option<f64> {
    let digits = digits.strip_suffix(['f', 'F', 'd', 'D']).filter(|d| d.contains(['p', 'P'])).unwrap_or(digits);
    let (mantissa, exponent) = digits.split_once(['p', 'P'])?;
    let exponent: i32 = exponent.parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut value = 0f64;
    for c in whole.chars() {
        value = value * 16.0 + f64::from(c.to_digit(16)?);
    }
    let mut place = 1.0 / 16.0;
    for c in fraction.chars() {
        value += f64::from(c.to_digit(16)?) * place;
        place /= 16.0;
    }
    Some(value * 2f64.powi(exponent.clamp(-2000, 2000)))
}

/// A size in bytes: a whole number with `k m g t p e`, powers of 1024. Errors: Java's message.
pub fn parse_size(text: &str) -> Read<i64> {
    let text = trim(text);
    let (number, factor) = match text.char_indices().next_back() {
        Some((at, c)) if c.is_ascii_alphabetic() => {
            let power = "kmgtpe".find(c.to_ascii_lowercase()).ok_or_else(|| not_a_number(text))?;
            (&text[..at], 1i64 << (10 * (power + 1)))
        }
        _ => (text, 1),
    };
    let number: i64 = ascii_digits(number).parse().map_err(|_| not_a_number(number))?;
    number.checked_mul(factor).ok_or_else(|| not_a_number(text))
}

/// `true` or `false` in any case; otherwise `None`.
pub fn parse_boolean(text: &str) -> Option<bool> {
    if text.eq_ignore_ascii_case("true") {
        Some(true)
    } else if text.eq_ignore_ascii_case("false") {
        Some(false)
    } else {
        None
    }
}

/// The user that runs the ResourceManager: `${user.name}` in a value.
pub const MANAGER_USER: &str = "root";

/// The maximum number of replacements in one value.
const SUBSTITUTIONS: usize = 20;

/// Replaces `${…}` from left to right. `lookup` returns the raw value of a key. For `env.X` only a default counts
/// (`${env.X-d}`, `${env.X:-d}`), and of Java's system properties only `user.name` is known ([`MANAGER_USER`]). A
/// variable that cannot be replaced stays, and so does the rest of the value. Errors: more than 20 replacements.
pub fn substitute(value: &str, lookup: &dyn Fn(&str) -> Option<String>) -> Read<String> {
    let with_user = |name: &str| if name == "user.name" { Some(MANAGER_USER.into()) } else { lookup(trim(name)) };
    substitute_with(value, &with_user, &|_| None)
}

/// Replaces `${…}` like [`substitute`], with the environment's variables from `env`. `lookup` stands for Java's system
/// properties, which come first, and for the keys of the configuration, which are looked up without surrounding blanks.
pub fn substitute_with(
    value: &str,
    lookup: &dyn Fn(&str) -> Option<String>,
    env: &dyn Fn(&str) -> Option<String>,
) -> Read<String> {
    let mut text = value.to_string();
    for _ in 0..SUBSTITUTIONS {
        let Some((start, end)) = variable(&text) else { return Ok(text) };
        let name = &text[start + 2..end];
        let Some(with) = variable_value(name, lookup, env) else { return Ok(text) };
        if with.contains(&text[start..=end]) {
            return Ok(value.to_string());
        }
        text = format!("{}{with}{}", &text[..start], &text[end + 1..]);
    }
    Err(Refusal::new(format!("Variable substitution depth too large: {SUBSTITUTIONS} {value}")))
}

/// The first `${name}`: the positions of its `$` and its `}`.
fn variable(text: &str) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut from = 0;
    while let Some(at) = text.get(from..)?.find("${") {
        let start = from + at;
        let mut i = start + 2;
        while i < bytes.len() && !matches!(bytes[i], b'}' | b'$' | b' ') {
            i += 1;
        }
        if bytes.get(i) == Some(&b'}') && i > start + 2 {
            return Some((start, i));
        }
        from = start + 2;
    }
    None
}

fn variable_value(
    name: &str,
    lookup: &dyn Fn(&str) -> Option<String>,
    env: &dyn Fn(&str) -> Option<String>,
) -> Option<String> {
    if let Some(rest) = name.strip_prefix("env.") {
        let (variable, default, empty_counts) = match rest.bytes().position(|b| b == b'-') {
            Some(i) if i > 0 && rest.as_bytes()[i - 1] == b':' => (&rest[..i - 1], Some(&rest[i + 1..]), false),
            Some(i) => (&rest[..i], Some(&rest[i + 1..]), true),
            None => (rest, None, true),
        };
        return match env(variable) {
            Some(v) if empty_counts || !v.is_empty() => Some(v),
            _ => default.map(str::to_string),
        };
    }
    lookup(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_may_be_in_any_digits() {
        assert_eq!((parse_int("５０"), parse_int("-٣"), parse_long("१२")), (Ok(50), Ok(-3), Ok(12)));
        assert!(parse_int("½").is_err() && parse_int("５ ０").is_err() && parse_float("５０").is_err());
    }

    /// Checked against the real classes: only a missing value has its default.
    #[test]
    fn an_empty_value_is_no_number_and_not_the_default() {
        let mut conf = Conf::default();
        conf.set("a", "");
        let told = |r: Refusal| r.message;
        assert_eq!(conf.int("a", 5).map_err(told), Err("For input string: \"\"".to_string()));
        assert_eq!(conf.float("a", 5.0).map_err(told), Err("empty String".to_string()));
        assert_eq!((conf.boolean("a", true), conf.int("b", 5)), (Ok(true), Ok(5)));
        assert_eq!(parse_int("0x").map_err(told), Err("For input string: \"\" under radix 16".to_string()));
    }

    #[test]
    fn numbers_are_read_as_java_reads_them() {
        assert_eq!(parse_int("0x10").unwrap(), 16);
        assert_eq!(parse_int("-0x10").unwrap(), -16);
        assert_eq!(parse_int("020").unwrap(), 20);
        assert_eq!(parse_int("40%").unwrap_err().message, "For input string: \"40%\"");
        for (text, x) in [(".5", 0.5), ("1e-4", 1e-4), ("3f", 3.0), ("5d", 5.0), ("0x1p3", 8.0), (" 2.", 2.0)] {
            assert_eq!(parse_float(text).unwrap(), x, "{text}");
        }
        for bad in ["40%", "1_0", "inf", "nan", "--1", "", "f", "e5"] {
            assert!(parse_float(bad).is_err(), "{bad}");
        }
        for (bad, words) in
            [("1..2", "multiple points"), ("1.2.3w", "multiple points"), (".", "For input string: \".\"")]
        {
            assert_eq!(parse_float(bad).unwrap_err().message, words, "{bad}");
        }
    }

    #[test]
    fn variables_are_replaced_until_one_is_unknown() {
        let look = |k: &str| match k {
            "a" => Some("1".to_string()),
            "b" => Some("${a}${a}".to_string()),
            "loop" => Some("x${loop}".to_string()),
            "l1" => Some("${l2}".to_string()),
            "l2" => Some("${l1}".to_string()),
            "user.name" => Some("key".to_string()),
            _ => None,
        };
        let sub = |v: &str| substitute(v, &look);
        assert_eq!(sub("${b}-${a}").unwrap(), "11-1");
        assert_eq!(sub("${a}${no}${a}").unwrap(), "1${no}${a}");
        assert_eq!(sub("${loop}").unwrap(), "${loop}");
        assert_eq!(sub("${env.X:-d}${env.Y-e}").unwrap(), "de");
        assert_eq!(sub("${} ${a b} {}").unwrap(), "${} ${a b} {}");
        assert_eq!(sub("${a\t}${user.name}").unwrap(), "1root");
        assert_eq!(substitute_with("${user.name}", &look, &|_| None).unwrap(), "key");
        assert!(sub("${l1}").unwrap_err().message.starts_with("Variable substitution depth too large: 20"));
    }
}
