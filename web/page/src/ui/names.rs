//! Long names in narrow places: what tells them apart from the others on screen stays, what they share gives way; of a name that
//! stands alone, what names usually share. The whole name is where it is hovered, in tables and for screen readers.

use yew::prelude::*;

/// Names of at most this many characters stay as they are.
const WHOLE: usize = 16;
const SEPARATORS: [char; 5] = ['_', '-', '.', '/', ':'];
/// The most bytes of numbers that are kept together.
const NUMBERS: usize = 8;
/// A last part that is longer than this is not kept whole.
const KEPT: usize = 12;

/// The most characters of what differs that are kept together.
const DIFFERS: usize = 24;

/// What names on screen have in common, in whole pieces: so many bytes at their beginnings, and at their ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InCommon {
    before: usize,
    after: usize,
}

impl InCommon {
    /// Finds it; nothing of fewer than two names. Names that fit anywhere do not count.
    pub fn of<'n>(names: impl Iterator<Item = &'n str>) -> InCommon {
        let mut names = names.filter(|name| name.chars().count() > WHOLE);
        let Some(first) = names.next() else { return InCommon::default() };
        let (mut before, mut after, mut others) = (first.len(), first.len(), false);
        for name in names.filter(|name| *name != first) {
            others = true;
            before = before.min(first.bytes().zip(name.bytes()).take_while(|(a, b)| a == b).count());
            after = after.min(first.bytes().rev().zip(name.bytes().rev()).take_while(|(a, b)| a == b).count());
        }
        if !others {
            return InCommon::default();
        }
        // Separators are ASCII, so that both ends lie between characters.
        let before = first.get(..before).unwrap_or_default().rfind(SEPARATORS).map_or(0, |at| at + 1);
        let tail = first.get(first.len() - after..).unwrap_or_default();
        // Only a domain is left out at the end: numbers there say which host of which row.
        let after = tail.find('.').map_or(0, |at| tail.len() - at);
        InCommon { before, after }
    }

    /// Returns a name in three parts, of which the middle one differs; `None` of a short name, and of one that is not alike.
    fn split(self, name: &str) -> Option<(&str, &str, &str)> {
        let alike = self != InCommon::default() && name.len() > self.before + self.after;
        let end = name.len().saturating_sub(self.after);
        let kept = name.get(self.before..end).filter(|kept| alike && kept.chars().count() <= DIFFERS)?;
        (name.chars().count() > WHOLE).then(|| (&name[..self.before], kept, &name[end..]))
    }

    /// Draws a name; an ellipsis stands for what is left out.
    pub fn name(self, name: &str) -> Html {
        self.drawn(name, true)
    }

    /// Draws a name where what is shared is told beside it.
    pub fn rest(self, name: &str) -> Html {
        self.drawn(name, false)
    }

    /// What is left out is there for screen readers and for copies.
    fn drawn(self, whole: &str, dots: bool) -> Html {
        let Some((before, kept, after)) = self.split(whole) else { return name(whole) };
        html! {
            <span class={classes!("rn", dots.then_some("dots"))}><span class="vh">{ before }</span><span>{ kept }</span><span class="vh">{ after }</span></span>
        }
    }

    /// Returns what is shared, around the place of what differs, if names are long enough to be shortened.
    pub fn told(self, name: &str) -> Option<String> {
        self.split(name).map(|(before, _, after)| format!("{before}…{after}"))
    }
}

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

/// Draws a name that stands alone.
pub fn name(name: &str) -> Html {
    let (before, kept, after) = split(name);
    if before.is_empty() && after.is_empty() {
        return html! { { kept.to_owned() } };
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
    fn what_differs_on_screen_stays() {
        let parts = |names: &[&'static str]| InCommon::of(names.iter().copied()).split(names[0]);
        for (names, kept) in [
            (&["ip-10-20-1-17.ec2.internal", "ip-10-20-4-28.ec2.internal"] as &[_], "1-17"),
            (&["ip-10-20-1-17.ec2.internal", "ip-10-21-1-17.ec2.internal"], "20-1-17"),
            (&["dn17.rack1.bank.example", "dn17.rack2.bank.example"], "rack1"),
            (&["application_1700000000000_0042", "application_1700000000000_0057"], "0042"),
            (&["application_1700000000000_0042", "application_1700086400000_0042"], "1700000000000_0042"),
            (&["Rechnungswesen-Zürich-Übertrag-2", "Rechnungswesen-Zürich-Übertrag-17"], "2"),
            (&["application_1700000000000_0042", "zk", "application_1700000000000_0057"], "0042"),
        ] {
            let (before, middle, after) = parts(names).unwrap_or_default();
            assert_eq!(middle, kept, "{names:?}");
            assert_eq!([before, middle, after].concat(), names[0]);
        }
        // Short names, names that stand alone, and names that share nothing are drawn by themselves.
        for names in [
            &["zk", "hbase"] as &[_],
            &["worker-eu-0042.example.org", "n1"],
            &["master.example.org", "worker-0042.example.com"],
        ] {
            assert_eq!(parts(names), None, "{names:?}");
        }
        let hosts = InCommon::of(["ip-10-20-1-17.ec2.internal", "ip-10-20-4-28.ec2.internal"].into_iter());
        assert_eq!(hosts.told("ip-10-20-1-17.ec2.internal").as_deref(), Some("ip-10-20-….ec2.internal"));
        assert_eq!(InCommon::of(["n1", "n2"].into_iter()).told("n1"), None);
    }

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
