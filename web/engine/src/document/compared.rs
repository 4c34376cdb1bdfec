//! Which worlds a link compares. A world that the scenario does not name is kept as the lines in which it differs from the
//! link's scenario.

use heddle_core::scenario::link::COMPARE_MAX;
use heddle_view::{Comparison, GivenWorld, secrets};

/// Returns a comparison as a link has it, or `None` if its worlds are too long for the link; `text`: the link's scenario.
pub fn to_link(comparison: &Comparison, text: &str) -> Option<String> {
    let Comparison { base, shown, given } = comparison;
    let mut out = format!("base\t{base}\n");
    shown.iter().for_each(|name| out.push_str(&format!("shown\t{name}\n")));
    for world in given {
        let world_text = secrets::masked(&world.text);
        let (was, is): (Vec<&str>, Vec<&str>) = (lines(text), lines(&world_text));
        let begin = was.iter().zip(&is).take_while(|(a, b)| a == b).count();
        let most = was.len().min(is.len()) - begin;
        let end = was.iter().rev().zip(is.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
        let changed = &is[begin..is.len() - end];
        out.push_str(&format!("given\t{begin}\t{}\t{}\t{}\n", was.len() - end - begin, changed.len(), world.name));
        changed.iter().for_each(|line| out.push_str(&format!("{line}\n")));
    }
    (out.len() <= COMPARE_MAX).then_some(out)
}

/// Returns the comparison of a link to this scenario. A world whose lines do not fit the scenario is left out.
pub fn of_link(compare: &str, text: &str) -> Comparison {
    let mut out = Comparison::default();
    let mut rest = compare.lines();
    while let Some(line) = rest.next() {
        match line.split_once('\t') {
            Some(("base", name)) => out.base = name.to_owned(),
            Some(("shown", name)) => out.shown.push(name.to_owned()),
            Some(("given", more)) => {
                let mut parts = more.splitn(4, '\t');
                let mut number = || parts.next()?.parse::<usize>().ok();
                let (Some(begin), Some(gone), Some(count)) = (number(), number(), number()) else { continue };
                let name = parts.next().unwrap_or_default().to_owned();
                let changed: Vec<&str> = rest.by_ref().take(count).collect();
                let mut all = lines(text);
                let Some(end) = begin.checked_add(gone).filter(|end| *end <= all.len()) else { continue };
                all.splice(begin..end, changed);
                out.given.push(GivenWorld { name, text: all.join("\n") });
            }
            // A later version may say more.
            Some(_) | None => {}
        }
    }
    out
}

/// Returns the lines of a text; `join("\n")` gives the text back.
fn lines(text: &str) -> Vec<&str> {
    text.split('\n').collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comparison(text: &str) -> Comparison {
        let given = GivenWorld { name: "a = 2".into(), text: text.into() };
        Comparison {
            base: "as it is".into(),
            shown: vec!["a = 2".into(), "fair\tand square".into()],
            given: vec![given],
        }
    }

    #[test]
    fn what_a_link_compares_is_read_back() {
        let text = "x = 1\na = 1\ny = 1\n";
        for world in ["x = 1\na = 2\ny = 1\n", "x = 1\ny = 1\n", "", text, "x = 1\na = 1\ny = 1\nb = 1\n\n"] {
            let one = comparison(world);
            assert_eq!(of_link(&to_link(&one, text).expect("short"), text), one, "{world}");
        }
        let none = Comparison::default();
        assert_eq!(of_link(&to_link(&none, text).expect("short"), text), none);
    }

    #[test]
    fn what_does_not_fit_is_left_out() {
        assert_eq!(to_link(&comparison(&"long\n".repeat(10_000)), "x = 1\n"), None);
        let said = to_link(&comparison("x = 1\n"), &"y = 1\n".repeat(5)).expect("short");
        assert!(of_link(&said, "z = 1").given.is_empty(), "another scenario");
        assert_eq!(of_link("given\t1\t18446744073709551615\t0\tname\nnonsense", "a"), Comparison::default());
    }

    #[test]
    fn no_secret_is_in_a_link() {
        let said = to_link(&comparison("password = \"hunter2-and-more\"\n"), "x = 1\n").expect("short");
        assert!(!said.contains("hunter2"), "{said}");
    }
}
