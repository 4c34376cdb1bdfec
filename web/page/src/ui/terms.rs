//! Terms that open their definitions, which are those of docs/terms.md.

use super::{popover, rich};
use crate::store::Go;
use yew::prelude::*;

const TEXT: &str = include_str!("../../../../docs/terms.md");

/// Returns the forms of each term with its definition.
pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    listed(TEXT)
}

fn listed(text: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    text.lines().filter_map(|line| line.strip_prefix("- **")?.split_once("**: "))
}

/// Returns the terms that open in sentences; everyday words would be everywhere.
fn opened() -> impl Iterator<Item = (&'static str, &'static str)> {
    listed(TEXT.split_once("\n## ").map_or(TEXT, |(first, _)| first))
}

/// Returns the first of these terms in a text: its position, its form there, and its definition. The longest wins if several begin at
/// one position.
fn first_of(
    text: &str,
    terms: impl Iterator<Item = (&'static str, &'static str)>,
) -> Option<(usize, &'static str, &'static str)> {
    let whole = |at: usize, len: usize| {
        let letter = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || "_-./".contains(c));
        // The word may be followed by a full stop, a dash or a slash.
        !letter(text[..at].chars().next_back())
            && !text[at + len..].chars().next().is_some_and(|c| c.is_ascii_alphanumeric() || "_-".contains(c))
    };
    let forms = terms.flat_map(|(forms, says)| forms.split(", ").map(move |form| (form, says)));
    forms
        .filter_map(|(form, says)| {
            let at = text.match_indices(form).map(|(at, _)| at).find(|at| whole(*at, form.len()))?;
            Some((at, form, says))
        })
        .min_by_key(|(at, form, _)| (*at, usize::MAX - form.len()))
}

/// Draws a sentence of the core, in which each term opens at its first occurrence.
pub fn sentence(text: &str, go: &Go) -> Html {
    opening(text, go, |rest| first_of(rest, opened()))
}

/// Draws a sentence in which everyday words open as well.
pub fn every(text: &str, go: &Go) -> Html {
    opening(text, go, |rest| first_of(rest, all()))
}

fn opening(text: &str, go: &Go, first: impl Fn(&str) -> Option<(usize, &'static str, &'static str)>) -> Html {
    let mut told: Vec<&str> = Vec::new();
    rich::parts(text, |part| {
        let (mut out, mut rest) = (Vec::new(), part);
        while let Some((at, form, says)) = first(rest) {
            let end = at + form.len();
            if told.contains(&says) {
                out.push(html! { { rest[..end].to_owned() } });
            } else {
                told.push(says);
                out.push(html! { <>{ rest[..at].to_owned() }{ term(form, says, go) }</> });
            }
            rest = &rest[end..];
        }
        out.push(html! { { rest.to_owned() } });
        out.into_iter().collect()
    })
}

/// Splits a definition from the nearest Kubernetes equivalent.
fn lines(says: &str) -> Vec<String> {
    let there = says.find("Kubernetes: ").unwrap_or(says.len());
    let (what, there) = says.split_at(there);
    [what.trim_end(), there].into_iter().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

fn term(form: &'static str, says: &str, go: &Go) -> Html {
    popover::number(go, html! { { form } }, form, &lines(says))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(text: &str) -> Option<(usize, &'static str, &'static str)> {
        first_of(text, opened())
    }

    #[test]
    fn terms_are_whole_words_and_the_longest_wins() {
        let word = |text| first(text).map(|(at, form, _)| (at, form));
        assert_eq!(word("its AM limit is reached"), Some((4, "AM limit")));
        assert_eq!(word("SAMZA and root.queue-a"), None);
        assert_eq!(word("the headroom."), Some((4, "headroom")));
    }

    /// A definition either does not mention Kubernetes, or has the equivalent on a line of its own.
    #[test]
    fn each_term_with_a_word_of_kubernetes_gives_it_on_a_line_of_its_own() {
        let with = all().filter(|(_, says)| says.contains("Kubernetes"));
        let lines: Vec<(&str, Vec<String>)> = with.map(|(forms, says)| (forms, lines(says))).collect();
        assert!(lines.len() > 10, "{lines:?}");
        for (forms, lines) in lines {
            let [means, there] = &lines[..] else { panic!("{forms}: {lines:?}") };
            let word = there.strip_prefix("Kubernetes: ").unwrap_or_default();
            assert!(!means.contains("Kubernetes") && word.len() > 3 && word.ends_with('.'), "{forms}: {lines:?}");
        }
    }

    #[test]
    fn each_term_is_told_in_one_line_that_ends() {
        assert!(all().count() > opened().count() && opened().count() > 15);
        assert!(all().all(|(_, says)| says.ends_with('.')));
        for (forms, says) in opened() {
            assert_eq!(first(forms.split(", ").next().unwrap_or_default()).map(|f| f.2), Some(says), "{forms}");
        }
    }
}
