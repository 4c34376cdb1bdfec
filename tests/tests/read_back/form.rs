//! Forms that read sentences: text with holes. Each hole takes only its kind of words, so that every word of a sentence
//! either belongs to the form or was looked up.

/// The kinds of holes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hole {
    /// `{n}`: a whole number.
    Number,
    /// `{m}`: an amount: "1.5 GB", "4 GB · 4 vcores", "2 gpu", "1 GB and 2 vcores", "nothing".
    Amount,
    /// `{h}`: a name in bold.
    Bold,
    /// `{hs}`: a list of bold names, which may end with "and 3 more".
    Bolds,
    /// `{t}`: a moment, "0:09.5".
    Clock,
    /// `{s}`: a stretch of time, "3 min 27 s".
    Span,
    /// `{w}`: words without a blank: a path, a name.
    Word,
    /// `{x}`: any words, which the form's reader must look up.
    Any,
}

/// The words in the holes, in order.
pub type Caught<'t> = Vec<&'t str>;

/// Returns all ways in which a form begins a text: the words in its holes, and the rest.
pub fn begins<'t>(form: &str, text: &'t str) -> Vec<(Caught<'t>, &'t str)> {
    let mut out = Vec::new();
    go(&parts(form), text, &mut Vec::new(), &mut out);
    out
}

/// Returns the ways in which a form is the whole text.
pub fn whole<'t>(form: &str, text: &'t str) -> Vec<Caught<'t>> {
    begins(form, text).into_iter().filter(|(_, rest)| rest.is_empty()).map(|(caught, _)| caught).collect()
}

enum Part<'f> {
    Text(&'f str),
    Hole(Hole),
}

fn parts(form: &str) -> Vec<Part<'_>> {
    let (mut out, mut left) = (Vec::new(), form);
    while let Some((text, rest)) = left.split_once('{') {
        let (name, rest) = rest.split_once('}').expect("a hole that ends");
        if !text.is_empty() {
            out.push(Part::Text(text));
        }
        out.push(Part::Hole(match name {
            "n" => Hole::Number,
            "m" => Hole::Amount,
            "h" => Hole::Bold,
            "hs" => Hole::Bolds,
            "t" => Hole::Clock,
            "s" => Hole::Span,
            "w" => Hole::Word,
            "x" => Hole::Any,
            other => panic!("no hole {other}"),
        }));
        left = rest;
    }
    if !left.is_empty() {
        out.push(Part::Text(left));
    }
    out
}

fn go<'t>(form: &[Part<'_>], text: &'t str, caught: &mut Caught<'t>, out: &mut Vec<(Caught<'t>, &'t str)>) {
    let Some((first, rest)) = form.split_first() else { return out.push((caught.clone(), text)) };
    match first {
        Part::Text(words) => {
            if let Some(left) = text.strip_prefix(words) {
                go(rest, left, caught, out);
            }
        }
        Part::Hole(hole) => {
            // If the next words are known, the hole can end only there.
            let next = match rest.first() {
                Some(Part::Text(words)) => Some(*words),
                _ => None,
            };
            let ends = text.char_indices().map(|(i, _)| i).chain([text.len()]).skip(1);
            for end in ends.filter(|end| next.is_none_or(|next| text[*end..].starts_with(next))) {
                if takes(*hole, &text[..end]) {
                    caught.push(&text[..end]);
                    go(rest, &text[end..], caught, out);
                    caught.pop();
                }
            }
        }
    }
}

fn takes(hole: Hole, text: &str) -> bool {
    match hole {
        Hole::Number => number(text).is_some(),
        Hole::Amount => Amount::read(text).is_some(),
        Hole::Bold => bold(text).is_some(),
        Hole::Bolds => bolds(text).is_some(),
        Hole::Clock => clock(text).is_some(),
        Hole::Span => span(text),
        Hole::Word => !text.contains(' '),
        Hole::Any => !text.is_empty(),
    }
}

/// Reads a whole number.
pub fn number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('−').unwrap_or(text);
    let n: i64 = digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok()).flatten()?;
    Some(if digits.len() == text.len() { n } else { -n })
}

/// Reads a name in bold.
pub fn bold(text: &str) -> Option<&str> {
    let inner = text.strip_prefix("**")?.strip_suffix("**")?;
    (!inner.is_empty() && !inner.contains("**")).then_some(inner)
}

/// Reads the names of a list and how many more there are: "**a**, **b** and 3 more".
pub fn bolds(text: &str) -> Option<(Vec<&str>, i64)> {
    let list = listed(text)?;
    let names: Option<Vec<&str>> = list.0.iter().map(|name| bold(name)).collect();
    Some((names?, list.1))
}

/// Returns the items of a list, and how many more there are.
pub fn listed(text: &str) -> Option<(Vec<&str>, i64)> {
    let (mut names, last): (Vec<&str>, &str) = match text.rsplit_once(" and ") {
        Some((head, last)) => (head.split(", ").collect(), last),
        None => return (!text.contains(", ")).then(|| (vec![text], 0)),
    };
    match last.strip_suffix(" more").and_then(number) {
        Some(more) => Some((names, more)),
        None => {
            names.push(last);
            Some((names, 0))
        }
    }
}

/// Reads a moment, in ms.
pub fn clock(text: &str) -> Option<i64> {
    let (days, rest) = match text.split_once("d ") {
        Some((days, rest)) => (number(days)?, rest),
        None => (0, text),
    };
    let (whole, fraction) = rest.split_once('.').unwrap_or((rest, ""));
    let mut seconds = 0;
    let fields: Vec<&str> = whole.split(':').collect();
    if !(2..=3).contains(&fields.len()) {
        return None;
    }
    for field in fields {
        seconds = seconds * 60 + number(field)?;
    }
    let ms = if fraction.is_empty() { 0 } else { number(&format!("{fraction:0<3}"))? };
    Some((days * 86_400 + seconds) * 1000 + ms)
}

fn span(text: &str) -> bool {
    let words: Vec<&str> = text.split(' ').collect();
    let pairs = words.chunks(2).all(|pair| match pair {
        [n, unit] => n.parse::<f64>().is_ok() && matches!(*unit, "s" | "min" | "h"),
        _ => false,
    });
    pairs && !words.is_empty()
}

/// A written amount: for each named resource type the least and the most that it may mean.
#[derive(Clone, Debug, PartialEq)]
pub struct Amount {
    /// The amounts by the type's short name; memory is "MB".
    pub of: Vec<(String, i64, i64)>,
}

impl Amount {
    /// Reads an amount.
    pub fn read(text: &str) -> Option<Amount> {
        if text == "nothing" {
            return Some(Amount { of: Vec::new() });
        }
        let (mut parts, mut of) = (Vec::new(), Vec::new());
        for part in text.split(" · ") {
            parts.extend(part.split(", ").flat_map(|part| part.split(" and ")));
        }
        for part in parts {
            if part == "unlimited memory" {
                of.push(("MB".to_string(), 1 << 40, i64::MAX));
                continue;
            }
            let (n, unit) = part.split_once(' ')?;
            if unit.contains(' ') {
                return None;
            }
            let value = n.replace('−', "-");
            match unit {
                "GB" => {
                    let gb: f64 = value.parse().ok()?;
                    // From 100 GB on, tenths are written, cut off.
                    let least = (gb * 1024.0).round() as i64;
                    let more = if gb.abs() >= 100.0 { 103 } else { 10 };
                    let exact = (gb * 100.0).round() as i64 * 1024 % 100 == 0 && gb.abs() < 100.0;
                    of.push((
                        "MB".to_string(),
                        least - if exact { 0 } else { 10 },
                        least + if exact { 0 } else { more },
                    ));
                }
                "MB" => {
                    let mb: i64 = value.parse().ok()?;
                    of.push(("MB".to_string(), mb, mb));
                }
                unit => {
                    let n: i64 = value.parse().ok()?;
                    let unit = if unit == "vcore" { "vcores" } else { unit };
                    of.push((unit.to_string(), n, n));
                }
            }
        }
        (!of.is_empty()).then_some(Amount { of })
    }
}

#[test]
fn forms_take_what_their_holes_are_for() {
    let caught = whole(
        "{w} uses {m}; {m} more would pass its maximum of {m}.",
        "root.a uses 1.5 GB; 512 MB more would pass its maximum of 2 GB.",
    );
    assert_eq!(caught, [["root.a", "1.5 GB", "512 MB", "2 GB"]]);
    assert!(whole("{w} uses {m}.", "root.a uses much.").is_empty());
    assert_eq!(
        whole("{hs} have {m} free", "**n1**, **n2** and 3 more have 0 MB free"),
        [["**n1**, **n2** and 3 more", "0 MB"]]
    );
    assert_eq!(bolds("**n1**, **n2** and 3 more"), Some((vec!["n1", "n2"], 3)));
    assert_eq!((clock("0:09.5"), clock("1:02:03"), clock("n")), (Some(9_500), Some(3_723_000), None));
    assert_eq!(Amount::read("117.1 GB · 4 vcores").map(|a| a.of.len()), Some(2));
    assert_eq!(Amount::read("two"), None);
}
