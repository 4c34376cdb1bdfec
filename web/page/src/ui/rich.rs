//! Sentences of the core: `**bold**` marks names, `` `code` `` what a file contains.

use heddle_view::bidi;
use yew::prelude::*;

/// Draws the sentence as nodes; the text is never parsed as HTML.
pub fn rich(text: &str) -> Html {
    parts(text, isolated)
}

/// Draws a text with each right-to-left name isolated.
fn isolated(text: &str) -> Html {
    let run = |(rtl, run): (bool, &str)| {
        if rtl {
            html! { <bdi>{ run.to_owned() }</bdi> }
        } else {
            html! { { run.to_owned() } }
        }
    };
    bidi::runs(text).into_iter().map(run).collect()
}

/// Draws the sentence, with its unmarked parts drawn by `plain`.
pub fn parts(text: &str, mut plain: impl FnMut(&str) -> Html) -> Html {
    split(text)
        .into_iter()
        .map(|(kind, part)| match kind {
            Kind::Plain => plain(&part),
            Kind::Bold => html! { <b>{ isolated(&part) }</b> },
            Kind::Code => html! { <code>{ isolated(&part) }</code> },
        })
        .collect()
}

/// Returns the sentence without its marks, for labels and titles.
pub fn plain(text: &str) -> String {
    split(text).into_iter().map(|(_, part)| part).collect()
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Plain,
    Bold,
    Code,
}

fn split(text: &str) -> Vec<(Kind, String)> {
    let mut out = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let bold = rest.find("**").and_then(|a| rest[a + 2..].find("**").map(|len| (a, 2, len, Kind::Bold)));
        let code = rest.find('`').and_then(|a| rest[a + 1..].find('`').map(|len| (a, 1, len, Kind::Code)));
        let next = match (bold, code) {
            (Some(b), Some(c)) => Some(if b.0 <= c.0 { b } else { c }),
            (b, c) => b.or(c),
        };
        let Some((at, mark, len, kind)) = next else {
            out.push((Kind::Plain, rest.to_owned()));
            break;
        };
        if at > 0 {
            out.push((Kind::Plain, rest[..at].to_owned()));
        }
        out.push((kind, rest[at + mark..at + mark + len].to_owned()));
        rest = &rest[at + mark + len + mark..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_without_a_partner_stay() {
        assert_eq!(
            split("a **b** c"),
            [(Kind::Plain, "a ".into()), (Kind::Bold, "b".into()), (Kind::Plain, " c".into())]
        );
        assert_eq!(split("2 ** 3"), [(Kind::Plain, "2 ** 3".into())]);
        assert_eq!(plain("Only **n1** runs `zk`."), "Only n1 runs zk.");
    }
}
