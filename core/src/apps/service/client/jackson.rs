//! How Jackson converts a value to a type of Java, and its messages (jackson-databind 2.12 with the settings of JsonSerDeser:
//! unknown names are skipped; numbers and texts are accepted for each other).

use super::ServiceClientFault;
use crate::api::ClientStage;
use crate::client::json::{Node, Value};
use crate::config::values::ascii_digits;

/// The package of a yarnfile's classes.
pub const RECORDS: &str = "org.apache.hadoop.yarn.service.api.records.";

/// A Java enum.
pub struct Enum {
    pub class: &'static str,
    /// The values in the order of their declaration: a number selects one.
    pub values: &'static [&'static str],
    /// The values in the order in which Jackson lists them (a hash map's).
    pub listed: &'static str,
}

/// Converts values, and collects the faults. A faulty value is replaced by one that passes the check, so that the rest of the
/// file is checked as well.
#[derive(Default)]
pub struct Taker {
    pub faults: Vec<ServiceClientFault>,
}

fn token(value: &Value) -> (&'static str, &'static str) {
    match value {
        Value::Null => ("Null value", "VALUE_NULL"),
        Value::Bool(true) => ("Boolean value", "VALUE_TRUE"),
        Value::Bool(false) => ("Boolean value", "VALUE_FALSE"),
        Value::Int(_) => ("Integer value", "VALUE_NUMBER_INT"),
        Value::Float(_) => ("Floating-point value", "VALUE_NUMBER_FLOAT"),
        Value::Text(_) => ("String value", "VALUE_STRING"),
        Value::Array(_) => ("Array value", "START_ARRAY"),
        Value::Object(_) => ("Object value", "START_OBJECT"),
    }
}

/// Formats a double as Java does.
fn double(text: &str) -> String {
    let x: f64 = text.parse().unwrap_or(f64::INFINITY);
    if x.is_infinite() {
        return if x > 0.0 { "Infinity" } else { "-Infinity" }.to_string();
    }
    let size = x.abs();
    if size == 0.0 || (1e-3..1e7).contains(&size) { format!("{x:?}") } else { scientific(x) }
}

fn scientific(x: f64) -> String {
    let text = format!("{x:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let point = if digits.contains('.') { "" } else { ".0" };
    format!("{digits}{point}E{exponent}")
}

impl Taker {
    fn fault<T>(&mut self, node: &Node, exception: &str, message: String, mend: impl Into<String>) -> Option<T> {
        self.faults.push(ServiceClientFault::new(ClientStage::Read, exception, message, Some(node.span)).mend(mend));
        None
    }

    /// Reports a value that cannot be converted to the type.
    fn mismatch<T>(&mut self, node: &Node, class: &str, mend: &str) -> Option<T> {
        let (kind, token) = token(&node.value);
        let message = format!("Cannot deserialize value of type `{class}` from {kind} (token `JsonToken.{token}`)");
        self.fault(node, "MismatchedInputException", message, mend)
    }

    fn format<T>(&mut self, node: &Node, class: &str, text: &str, why: &str, mend: &str) -> Option<T> {
        let message = format!("Cannot deserialize value of type `{class}` from String \"{text}\": {why}");
        self.fault(node, "InvalidFormatException", message, mend)
    }

    fn coercion<T>(&mut self, node: &Node, text: &str, what: &str) -> Option<T> {
        let shown = if text.is_empty() { "empty String (\"\")" } else { "blank String (all whitespace)" };
        let message =
            format!("Cannot coerce {shown} to {what} (but could if coercion was enabled using `CoercionConfig`)");
        self.fault(node, "InvalidFormatException", message, "Leave it out, or write null.")
    }

    fn no_creator<T>(&mut self, node: &Node, class: &str, mend: &str) -> Option<T> {
        let (argument, from) = match &node.value {
            Value::Bool(b) => ("boolean/Boolean-argument", format!("boolean value ({b})")),
            Value::Int(n) => match n.parse::<i64>() {
                Ok(small) if i32::try_from(small).is_ok() => ("int/Int-argument", format!("Number value ({small})")),
                Ok(large) => ("long/Long-argument", format!("Number value ({large})")),
                Err(_) => ("BigInteger-argument", format!("Number value ({n})")),
            },
            Value::Float(n) => ("double/Double-argument", format!("Number value ({})", double(n))),
            Value::Text(text) => ("String-argument", format!("String value ('{}')", text.trim())),
            Value::Null | Value::Array(_) | Value::Object(_) => return self.mismatch(node, class, mend),
        };
        let message = format!(
            "Cannot construct instance of `{class}` (although at least one Creator exists): no {argument} constructor/factory method to deserialize from {from}"
        );
        self.fault(node, "MismatchedInputException", message, mend)
    }

    /// Converts a value to a text; numbers and booleans are accepted as they are written.
    pub fn text(&mut self, node: &Node) -> Option<String> {
        match &node.value {
            Value::Null => None,
            Value::Text(text) | Value::Int(text) | Value::Float(text) => Some(text.clone()),
            Value::Bool(b) => Some(b.to_string()),
            Value::Array(_) | Value::Object(_) => {
                self.mismatch::<()>(node, "java.lang.String", "Write a text between quotes.");
                Some("a".into())
            }
        }
    }

    /// Converts a value to a whole number of type `long` (`bits` 64) or `int` (32).
    fn whole(&mut self, node: &Node, bits: u32) -> Option<i64> {
        let before = self.faults.len();
        let read = self.number(node, bits);
        if self.faults.len() > before { Some(1) } else { read }
    }

    fn number(&mut self, node: &Node, bits: u32) -> Option<i64> {
        let (class, name) = if bits == 64 { ("java.lang.Long", "long") } else { ("java.lang.Integer", "int") };
        let (least, most) = if bits == 64 { (i64::MIN, i64::MAX) } else { (i32::MIN.into(), i32::MAX.into()) };
        let mend = "Write a whole number.";
        match &node.value {
            Value::Null => None,
            Value::Int(text) => match text.parse::<i64>() {
                Ok(n) if (least..=most).contains(&n) => Some(n),
                _ => self.out_of_range(node, text, name, least, most),
            },
            Value::Float(text) => {
                // The fraction is cut off.
                let x: f64 = text.parse().unwrap_or(f64::INFINITY);
                match x >= least as f64 && x <= most as f64 {
                    true => Some(x as i64),
                    false => self.out_of_range(node, text, name, least, most),
                }
            }
            Value::Text(text) => {
                let bare = text.trim();
                if bare.is_empty() && !text.is_empty() {
                    return self.coercion(node, text, &format!("`{class}` value"));
                }
                if bare.is_empty() || bare == "null" {
                    return None;
                }
                // Java accepts digits of other scripts.
                let digits = ascii_digits(bare);
                match digits.strip_prefix('+').unwrap_or(&digits).parse::<i64>() {
                    Ok(n) if (least..=most).contains(&n) && !bare.starts_with("+-") => Some(n),
                    Ok(_) => {
                        let why = format!("Overflow: numeric value ({bare}) out of range of int ({least} -{most})");
                        self.format(node, name, bare, &why, mend)
                    }
                    Err(_) => self.format(node, name, bare, &format!("not a valid `{name}` value"), mend),
                }
            }
            Value::Bool(_) | Value::Array(_) | Value::Object(_) => self.mismatch(node, class, mend),
        }
    }

    fn out_of_range<T>(&mut self, node: &Node, text: &str, name: &str, least: i64, most: i64) -> Option<T> {
        let message = format!("Numeric value ({text}) out of range of {name} ({least} - {most})");
        self.fault(node, "JsonMappingException", message, format!("Write a number of {most} at most."))
    }

    pub fn long(&mut self, node: &Node) -> Option<i64> {
        self.whole(node, 64)
    }

    pub fn int(&mut self, node: &Node) -> Option<i32> {
        self.whole(node, 32).and_then(|n| i32::try_from(n).ok())
    }

    /// Checks a boolean; its value does not matter here.
    pub fn boolean(&mut self, node: &Node) {
        match &node.value {
            Value::Null | Value::Bool(_) | Value::Int(_) => {}
            Value::Text(text) => {
                let bare = text.trim();
                if bare.is_empty() && !text.is_empty() {
                    self.coercion::<()>(node, text, "`java.lang.Boolean` value");
                    return;
                }
                let known = ["", "null", "true", "True", "TRUE", "false", "False", "FALSE"].contains(&bare);
                if !known {
                    let why = "only \"true\" or \"false\" recognized";
                    self.format::<()>(node, "java.lang.Boolean", bare, why, "Write true or false.");
                }
            }
            Value::Float(_) | Value::Array(_) | Value::Object(_) => {
                self.mismatch::<()>(node, "java.lang.Boolean", "Write true or false.");
            }
        }
    }

    /// Checks milliseconds or a date; the value does not matter here. Of dates only the length is checked.
    pub fn date(&mut self, node: &Node) {
        match &node.value {
            Value::Null | Value::Int(_) => {}
            Value::Text(text) if matches!(text.trim(), "" | "null") || text.trim().parse::<i64>().is_ok() => {}
            Value::Text(text) if text.len() >= 8 && text.contains(['-', ',']) => {}
            Value::Text(text) => {
                let text = text.trim();
                let why = format!(
                    "not a valid representation (error: Failed to parse Date value '{text}': Cannot parse date \"{text}\": not compatible with any of standard forms (\"yyyy-MM-dd'T'HH:mm:ss.SSSX\", \"yyyy-MM-dd'T'HH:mm:ss.SSS\", \"EEE, dd MMM yyyy HH:mm:ss zzz\", \"yyyy-MM-dd\"))"
                );
                self.format::<()>(node, "java.util.Date", text, &why, "Leave it out: YARN writes it.");
            }
            Value::Bool(_) | Value::Float(_) | Value::Array(_) | Value::Object(_) => {
                self.mismatch::<()>(node, "java.util.Date", "Leave it out: YARN writes it.");
            }
        }
    }

    /// Converts a value to one of an enum's names, given by name or number.
    pub fn one_of(&mut self, node: &Node, of: &Enum) -> Option<&'static str> {
        let before = self.faults.len();
        let read = self.constant(node, of);
        if self.faults.len() > before { of.values.first().copied() } else { read }
    }

    fn constant(&mut self, node: &Node, of: &Enum) -> Option<&'static str> {
        let mend = format!("Write one of {}.", of.values.join(", "));
        let index = |n: i64| usize::try_from(n).ok().and_then(|n| of.values.get(n).copied());
        match &node.value {
            Value::Null => None,
            Value::Int(text) => match text.parse::<i32>() {
                Ok(n) => index(n.into()).or_else(|| {
                    let most = of.values.len().saturating_sub(1);
                    let message = format!(
                        "Cannot deserialize value of type `{}` from number {n}: index value outside legal index range [0..{most}]",
                        of.class
                    );
                    self.fault(node, "InvalidFormatException", message, mend)
                }),
                Err(_) => self.out_of_range(node, text, "int", i32::MIN.into(), i32::MAX.into()),
            },
            Value::Text(text) => {
                let known = |name: &str| of.values.iter().copied().find(|v| *v == name);
                let bare = text.trim();
                if let Some(found) = known(bare) {
                    return Some(found);
                }
                if bare.is_empty() {
                    return self.coercion(node, "", &format!("`{}` value", of.class));
                }
                // A number in quotes is accepted too.
                let digits = bare.bytes().all(|b| b.is_ascii_digit());
                if digits && let Some(found) = bare.parse().ok().and_then(index) {
                    return Some(found);
                }
                let why = format!("not one of the values accepted for Enum class: [{}]", of.listed);
                let near = of.values.iter().find(|value| value.eq_ignore_ascii_case(bare));
                let mend = near.map_or(mend, |value| format!("Write \"{value}\": small and capital letters differ."));
                self.format(node, of.class, bare, &why, &mend)
            }
            Value::Bool(_) | Value::Float(_) | Value::Array(_) | Value::Object(_) => {
                self.mismatch(node, of.class, &mend)
            }
        }
    }

    /// Returns whether the value is an object, for a class of Java.
    pub fn object(&mut self, node: &Node, class: &str) -> bool {
        match &node.value {
            Value::Null => false,
            Value::Object(_) => true,
            Value::Text(text) if text.trim().is_empty() => {
                self.coercion::<()>(node, "", &format!("`{class}` value"));
                false
            }
            _ => {
                self.no_creator::<()>(node, class, "Write an object: { … }.");
                false
            }
        }
    }

    /// Returns the items of a list (`class` is Java's, such as `java.util.ArrayList<java.lang.String>`).
    pub fn list<'n>(&mut self, node: &'n Node, class: &str) -> Option<&'n [Node]> {
        let mend = "Write a list: [ … ].";
        match &node.value {
            Value::Null => None,
            Value::Array(items) => Some(items),
            Value::Text(text) if text.trim().is_empty() => self.coercion(node, "", &format!("element of `{class}`")),
            // Only lists of texts have a message of their own for a text.
            Value::Text(_) if class.ends_with("<java.lang.String>") => {
                let bare = class.split('<').next().unwrap_or(class);
                self.no_creator(node, bare, mend)
            }
            _ => self.mismatch(node, class, mend),
        }
    }

    /// Returns the entries of a map (`class` is Java's).
    pub fn map<'n>(&mut self, node: &'n Node, class: &str) -> Option<&'n [crate::client::json::Field]> {
        let mend = "Write an object: { … }.";
        match &node.value {
            Value::Null => None,
            Value::Object(fields) => Some(fields),
            Value::Text(text) if text.trim().is_empty() => self.coercion(node, "", &format!("element of `{class}`")),
            Value::Text(_) => {
                let bare = class.split('<').next().unwrap_or(class);
                self.no_creator(node, bare, mend)
            }
            _ => self.mismatch(node, class, mend),
        }
    }
}
