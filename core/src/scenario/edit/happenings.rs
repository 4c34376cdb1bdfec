//! In-place changes of happenings.

use super::super::happening::Act;
use super::super::read::read;
use super::super::units;
use super::{Setting, Step, parse, set, tables};
use crate::model::Millis;
use toml_edit::{Item, TableLike};

/// Returns the entries of `happenings` that satisfy `is`, in the order of their times, as in the scenario.
pub(super) fn entries(text: &str, is: impl Fn(&dyn TableLike) -> bool) -> Result<Vec<usize>, String> {
    let document = parse(text)?;
    let when = |table: &dyn TableLike| {
        let at = table.get("at").and_then(Item::as_str).filter(|_| is(table));
        at.and_then(|at| units::parse_time(at).ok())
    };
    let all = tables(document.get("happenings")).into_iter().enumerate();
    let mut found: Vec<(Millis, usize)> = all.filter_map(|(i, table)| Some((when(table)?, i))).collect();
    crate::model::order::sort_by_key(&mut found, |(at, _)| *at);
    Ok(found.into_iter().map(|(_, entry)| entry).collect())
}

/// Returns the action of a happening, as written.
pub(super) fn does(table: &dyn TableLike) -> Option<&str> {
    table.get("do").and_then(Item::as_str)
}

/// Sets the number of instances that a flex gives a component; the flex is given by its index among the scenario's
/// happenings. Errors: why it cannot be set.
pub fn set_flexed(text: &str, happening: usize, component: &str, count: i64) -> Result<String, String> {
    let scenario = read(text).scenario.ok_or("The text has an error; mend it first.")?;
    let gives = |act: &Act| match act {
        Act::Flex { counts, definition: None, .. } => counts.iter().any(|(name, _)| name == component),
        _ => false,
    };
    let missing = || format!("Nothing flexes {component} then.");
    scenario.happenings.get(happening).filter(|h| gives(&h.act)).ok_or_else(missing)?;
    let before = scenario.happenings.iter().take(happening);
    let nth = before.filter(|h| matches!(h.act, Act::Flex { .. })).count();
    let entry = entries(text, |table| does(table) == Some("flex_app"))?.get(nth).copied().ok_or_else(missing)?;
    let path = [Step::from("happenings"), Step::from(entry), Step::from("components"), Step::from(component)];
    set(text, &path, &Setting::Number(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_a_flex_is_changed_where_it_stands() {
        let head = "heddle = 1\n[[nodes]]\nname = \"n\"\nsize = \"8 GB/4\"\n[[apps]]\nname = \"web\"\nkind = \"slider\"\n\
            components = [{ name = \"w\", \"yarn.role.priority\" = 1, \"yarn.component.instances\" = 2 }]\n";
        let flex = |at: &str, n: i64| {
            format!("[[happenings]]\nat = \"{at}\"\ndo = \"flex_app\"\napp = \"web\"\ncomponents = {{ w = {n} }}\n")
        };
        let node = "[[happenings]]\nat = \"10 s\"\ndo = \"add_node\"\nname = \"m{1}\"\ncount = 3\nsize = \"8 GB/4\"\n";
        // Three joining nodes are three happenings of one entry; the later flex is written first.
        let text = [head, &flex("2 min", 6), node, &flex("1 min", 4)].concat();
        for (happening, before) in [(3, 4), (4, 6)] {
            let changed = set_flexed(&text, happening, "w", 3).expect("it is a flex");
            assert_eq!(changed, text.replace(&format!("w = {before} }}"), "w = 3 }"));
        }
        assert!(set_flexed(&text, 0, "w", 3).is_err() && set_flexed(&text, 3, "x", 3).is_err());
    }
}
