//! A queue's element in fair-scheduler.xml, changed in place.

use super::super::happening::Act;
use super::super::read::read;
use super::happenings::{does, entries};
use super::{Setting, Step, set, set_file};
use crate::config::fair::FILE;
use crate::config::fair::edit::ParsedFile;
use toml_edit::Item;

/// Sets an element of a queue, of a user (`user NAME`), which the file has to name, or of the file itself (``). Errors: why
/// it cannot be set.
pub fn set_allocation(text: &str, path: &str, element: &str, value: &str) -> Result<String, String> {
    let scenario = read(text).scenario.ok_or("The text has an error; mend it first.")?;
    let file = &scenario.files.get(FILE).ok_or_else(|| format!("There is no {FILE}."))?.text;
    set_file(text, FILE, &allocations_with(file, path, element, value)?)
}

/// Sets an element in the allocation file of a happening, given by its index among the scenario's happenings. Errors: as
/// [`set_allocation`].
pub fn set_allocation_brought(
    text: &str,
    happening: usize,
    path: &str,
    element: &str,
    value: &str,
) -> Result<String, String> {
    let scenario = read(text).scenario.ok_or("The text has an error; mend it first.")?;
    let brings = |act: &Act| matches!(act, Act::Refresh { fair_allocations: Some(_), .. });
    let Some(Act::Refresh { fair_allocations: Some(file), .. }) = scenario.happenings.get(happening).map(|h| &h.act)
    else {
        return Err(format!("No {FILE} comes into force then."));
    };
    let nth = scenario.happenings.iter().take(happening).filter(|h| brings(&h.act)).count();
    let entry = bringing(text)?.get(nth).copied().ok_or_else(|| format!("There is no {FILE}."))?;
    let file = allocations_with(file, path, element, value)?;
    set(text, &["happenings".into(), Step::from(entry), FILE.into()], &Setting::Text(file))
}

/// Returns an allocation file with an element set.
pub fn allocations_with(file: &str, path: &str, element: &str, value: &str) -> Result<String, String> {
    let written = ParsedFile::of(file).ok_or_else(|| format!("{FILE} is no XML."))?;
    if !path.is_empty() && !written.has(path) {
        return Err(format!("{FILE} does not name {path}."));
    }
    Ok(written.set(path, element, value))
}

/// Returns the entries of `happenings` that have an allocation file, in the order of their times.
fn bringing(text: &str) -> Result<Vec<usize>, String> {
    entries(text, |table| {
        let named = table.get(FILE).and_then(Item::as_str).is_some();
        named && matches!(does(table), Some("refresh" | "write_allocations"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: &str = "<queue name=\"a\"><weight>2.0</weight><!-- mine --></queue>";
    const USER: &str =
        "<userMaxAppsDefault>1</userMaxAppsDefault><user name=\"ann\"><maxRunningApps>1</maxRunningApps></user>";
    const ROOTED: &str = "<queue name=\"root\"><queue name=\"b\"/><queue name=\"c\"><queue name=\"d\"><maxRunningApps>1</maxRunningApps></queue></queue></queue>";

    fn scenario(queues: &str) -> String {
        format!(
            "heddle = 1\nscheduler = \"fair\"\n[files]\n\"{FILE}\" = '''\n<allocations>\n{queues}\n</allocations>\n'''\n"
        )
    }

    #[test]
    fn an_element_is_changed_or_made_where_its_queue_stands() {
        for (queues, path, element, wanted) in [
            (
                PLAIN,
                "root.a",
                "maxAMShare",
                "<weight>2.0</weight><!-- mine -->\n  <maxAMShare>3</maxAMShare>\n</queue>",
            ),
            (PLAIN, "root.a", "weight", "<queue name=\"a\"><weight>3</weight><!-- mine -->"),
            (
                "<queue name=\"a\">\n  <!-- mine -->\n    <weight>2.0</weight>\n</queue>",
                "root.a",
                "maxRunningApps",
                "<weight>2.0</weight>\n  <maxRunningApps>3</maxRunningApps>\n</queue>",
            ),
            (USER, "user ann", "maxRunningApps", "<user name=\"ann\"><maxRunningApps>3</maxRunningApps></user>"),
            (USER, "", "userMaxAppsDefault", "<userMaxAppsDefault>3</userMaxAppsDefault>"),
            (PLAIN, "", "queueMaxAppsDefault", "<queueMaxAppsDefault>3</queueMaxAppsDefault>"),
            (ROOTED, "root.b", "maxRunningApps", "<queue name=\"b\">\n  <maxRunningApps>3</maxRunningApps>\n</queue>"),
            (ROOTED, "root.c.d", "maxRunningApps", "<queue name=\"d\"><maxRunningApps>3</maxRunningApps></queue>"),
        ] {
            let text = set_allocation(&scenario(queues), path, element, "3").expect(path);
            assert!(text.contains(wanted), "{text}");
            assert!(element == "maxAMShare" || read(&text).scenario.is_some(), "{text}");
        }
        assert!(set_allocation(&scenario(PLAIN), "root.x", "weight", "1").is_err());
        assert!(set_allocation("heddle = 1\n", "root.a", "weight", "1").is_err());
    }

    #[test]
    fn a_file_that_comes_later_is_changed_where_it_stands() {
        let file =
            |weight: i32| format!("<allocations><queue name=\"a\"><weight>{weight}</weight></queue></allocations>");
        let later = |at: &str, act: &str, weight: i32| {
            format!("[[happenings]]\nat = \"{at}\"\ndo = \"{act}\"\n\"{FILE}\" = '{}'\n", file(weight))
        };
        // The entries are not in the order of their times, and another one stands between them.
        let text = [
            scenario(PLAIN),
            later("2 min", "write_allocations", 22),
            "[[happenings]]\nat = \"10 s\"\ndo = \"refresh\"\n".to_string(),
            later("1 min", "refresh", 11),
        ]
        .concat();
        for (happening, before) in [(1, 11), (2, 22)] {
            let changed = set_allocation_brought(&text, happening, "root.a", "weight", "7").expect("it is there");
            assert_eq!(changed, text.replace(&format!("<weight>{before}<"), "<weight>7<"));
        }
        for nothing in [0, 3] {
            assert!(set_allocation_brought(&text, nothing, "root.a", "weight", "7").is_err());
        }
        assert!(set_allocation_brought(&text, 1, "root.x", "weight", "7").is_err());
    }
}
