//! Java's orders that show in placements (placement-constraints.md section 12.1): the iteration order of a `HashSet`
//! made from a list at once, and Java's parsing of words and numbers.

use crate::model::java::{hash_walk_in, string_hash};

/// The distinct strings, in the iteration order of a Java `HashSet` made from this list
/// (`new HashSet<>(Arrays.asList(…))`).
pub fn set_order<S: AsRef<str>>(list: &[S]) -> Vec<&str> {
    let distinct = distinct(list);
    let hashes: Vec<i32> = distinct.iter().map(|s| string_hash(s)).collect();
    hash_walk_in(&hashes, set_capacity(list.len(), distinct.len())).into_iter().map(|i| distinct[i]).collect()
}

/// The first string of [`set_order`], without building it: the one that YARN takes when it needs a single value.
pub fn first_of_set<S: AsRef<str>>(list: &[S]) -> Option<&str> {
    match list {
        [] => None,
        [only] => Some(only.as_ref()),
        _ => set_order(list).first().copied(),
    }
}

/// The distinct strings, in the order of their first occurrence.
pub fn distinct<S: AsRef<str>>(list: &[S]) -> Vec<&str> {
    let mut out: Vec<&str> = Vec::with_capacity(list.len());
    for s in list {
        if !out.contains(&s.as_ref()) {
            out.push(s.as_ref());
        }
    }
    out
}

/// Returns whether two lists hold the same set of strings.
pub fn same_set<S: AsRef<str>, T: AsRef<str>>(a: &[S], b: &[T]) -> bool {
    a.iter().all(|x| b.iter().any(|y| x.as_ref() == y.as_ref()))
        && b.iter().all(|y| a.iter().any(|x| x.as_ref() == y.as_ref()))
}

/// The capacity of the table: the smallest power of two that is at least 16 and at least `n / 0.75 + 1`, doubled while
/// it is more than three quarters full.
fn set_capacity(listed: usize, distinct: usize) -> usize {
    let wanted = (listed as f32 / 0.75) as usize + 1;
    let mut capacity = wanted.max(16).next_power_of_two();
    while distinct * 4 > capacity * 3 {
        capacity *= 2;
    }
    capacity
}

/// `String.equalsIgnoreCase` with a lower-case ASCII word. Java folds four more letters onto ASCII ones.
pub fn is_word(text: &str, word: &str) -> bool {
    let fold = |c: char| match c {
        'ı' | 'İ' => 'i',
        'ſ' => 's',
        '\u{212A}' => 'k',
        c => c.to_ascii_lowercase(),
    };
    text.chars().map(fold).eq(word.chars())
}

/// `String.trim`: blanks are all characters up to U+0020.
pub fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| c <= ' ')
}

/// `Integer.parseInt`: an optional sign and decimal digits, within 32 bits.
pub fn parse_int(text: &str) -> Option<i32> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    text.strip_prefix('+').unwrap_or(text).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_walked_as_java_walks_them() {
        assert_eq!(set_order(&["1.8", "1.7"]), ["1.7", "1.8"]);
        assert_eq!(first_of_set(&["gpu", "fast-disk"]), Some("fast-disk"));
        assert_eq!(first_of_set(&["centos7", "centos6", "centos6"]), Some("centos6"));
        assert_eq!(first_of_set::<&str>(&[]), None);
    }

    #[test]
    fn integers_are_javas() {
        for (text, value) in [("3", Some(3)), ("+3", Some(3)), ("-0", Some(0)), ("007", Some(7)), ("2147483648", None)]
        {
            assert_eq!(parse_int(text), value, "{text}");
        }
        for text in ["", "+", "-", " 3", "3 ", "3.0", "+-3", "0x3"] {
            assert_eq!(parse_int(text), None, "{text}");
        }
    }

    #[test]
    fn words_fold_as_in_java() {
        assert!(is_word("NotIn", "notin") && is_word("ıN", "in") && !is_word("ins", "in"));
    }
}
