//! Long names in narrow places: what usually tells names apart stays, what they usually share gives way. The whole name is
//! where it is hovered, in tables and for screen readers.

use yew::prelude::*;

/// Names of at most this many characters stay as they are.
const WHOLE: usize = 16;
const SEPARATORS: [char; 4] = ['_', '-', '.', '/'];
/// The most bytes of numbers that are kept together.
const NUMBERS: usize = 8;
/// A last part that is longer than this is not kept whole.
const KEPT: usize = 12;

/// Returns a name in three parts: what gives way before and after the part that is kept. Of a host that is the end of its first
/// label (`worker-eu-|0042|.example.org`), of anything else the last part (`application_1700000000000|_0042|`).
fn split(name: &str) -> (&str, &str, &str) {
    if name.chars().count() <= WHOLE {
        return ("", name, "");
    }
    let domain =
        |at: &usize| name[*at..].matches('.').count() > 1 || name[at + 1..].contains(|c: char| c.is_alphabetic());
    // The first dot, if what follows is a domain: version numbers and queues have dots as well.
    let end = name.find('.').filter(|at| *at > 0 && !name.starts_with("root.") && domain(at)).unwrap_or(name.len());
    let (label, rest) = name.split_at(end);
    let mut begin = label.rfind(SEPARATORS).unwrap_or(0);
    // Numbers belong together as far as they are short: `ip-10-20|-1-17|`.
    while let Some(at) = label[..begin].rfind(SEPARATORS) {
        let number = &label[at + 1..begin];
        if number.is_empty() || !number.bytes().all(|b| b.is_ascii_digit()) || label.len() - at > NUMBERS {
            break;
        }
        begin = at;
    }
    let kept = label[begin..].chars().count();
    match kept <= KEPT {
        true => (&label[..begin], &label[begin..], rest),
        // A last part that is too long gives way itself, at its end.
        false => ("", "", name),
    }
}

/// Draws a name.
pub fn name(name: &str) -> Html {
    let (before, kept, after) = split(name);
    if before.is_empty() && after.is_empty() {
        return html! { { name } };
    }
    let cut = |part: &str| (!part.is_empty()).then(|| html! { <span class="cut">{ part }</span> });
    html! { <span class="sn">{ for cut(before) }<span>{ kept }</span>{ for cut(after) }</span> }
}

/// Returns what stays of a long name where nothing can give way: `…_0042`.
pub fn short(name: &str) -> String {
    let (before, kept, after) = split(name);
    let dots = |part: &str| if part.is_empty() { "" } else { "…" };
    format!("{}{kept}{}", dots(before), if kept.is_empty() { after } else { dots(after) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tells_names_apart_stays() {
        for (name, parts) in [
            ("zookeeper", ("", "zookeeper", "")),
            ("application_1700000000000_0042", ("application_1700000000000", "_0042", "")),
            ("application_1700000000000_0042 AM", ("application_1700000000000", "_0042 AM", "")),
            ("ip-10-20-1-17.ec2.internal", ("ip-10", "-20-1-17", ".ec2.internal")),
            ("worker-eu-0042.example.org", ("worker-eu", "-0042", ".example.org")),
            ("n001.weaver.example", ("", "n001", ".weaver.example")),
            ("root.analytics.team-with-a-name", ("root.analytics.team-with-a", "-name", "")),
            ("abcdefghijklmnopqrstuvwxyz", ("", "", "abcdefghijklmnopqrstuvwxyz")),
            ("Größenordnungen-über-viele-Jahre", ("Größenordnungen-über-viele", "-Jahre", "")),
        ] {
            assert_eq!(split(name), parts, "{name}");
            let (before, kept, after) = split(name);
            assert_eq!([before, kept, after].concat(), name);
        }
        assert_eq!(short("application_1700000000000_0042"), "…_0042");
        assert_eq!(short("worker-eu-0042.example.org"), "…-0042…");
        assert_eq!(
            (short("zk"), short("abcdefghijklmnopqrstuvwxyz")),
            ("zk".into(), "abcdefghijklmnopqrstuvwxyz".into())
        );
    }
}
