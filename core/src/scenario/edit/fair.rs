//! A queue's element in fair-scheduler.xml, changed in place.

use super::super::read::read;
use super::set_file;
use crate::config::fair::FILE;
use crate::config::fair::edit::Written;

/// Puts a value into an element of a queue, of a user (`user NAME`), which the file has to name, or of the file itself (``).
/// Errors: why it cannot be.
pub fn set_allocation(text: &str, path: &str, element: &str, value: &str) -> Result<String, String> {
    let scenario = read(text).scenario.ok_or("The text has an error; mend it first.")?;
    let file = &scenario.files.get(FILE).ok_or_else(|| format!("There is no {FILE}."))?.text;
    let written = Written::of(file).ok_or_else(|| format!("{FILE} is no XML."))?;
    if !path.is_empty() && !written.has(path) {
        return Err(format!("{FILE} does not name {path}."));
    }
    set_file(text, FILE, &written.set(path, element, value))
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
}
