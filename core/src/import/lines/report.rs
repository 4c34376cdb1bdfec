//! The report of `yarn application -status` around a line of diagnostics: whose application it is about.

use super::figure::{Figure, Figures};

/// The fields of a report, and the figures that they become.
const FIELDS: [(&str, &str); 8] = [
    ("Application-Id", "app"),
    ("Application-Name", "app_name"),
    ("User", "user"),
    ("Queue", "queue"),
    ("State", "state"),
    ("AM Host", "am_host"),
    ("Application Priority", "app_priority"),
    ("AM container Node Label Expression", "partition"),
];
/// Values that mean nothing is set.
const NOTHING: [&str; 6] = ["N/A", "<Not set>", "<DEFAULT_PARTITION>", "null", "UNDEFINED", ""];
/// Fields after which a report is searched no further, and the line that begins one.
const BEGINS: &str = "Application Report";

/// Adds the fields of a report, unless the line itself has them.
pub fn read(text: &str, figures: &mut Figures) {
    if !text.lines().any(|line| line.trim_start().starts_with(BEGINS)) {
        return;
    }
    for (field, figure) in FIELDS {
        let Some(value) = value(text, field).filter(|value| !NOTHING.contains(value)) else { continue };
        let read = match value.parse::<i64>() {
            Ok(number) if figure == "app_priority" => Figure::Number(number),
            _ if figure == "app_priority" => continue,
            _ => Figure::Text(value.to_owned()),
        };
        figures.put(figure, read);
    }
    // What it has had so far: the rate tells whether anything ran.
    if let Some(used) = value(text, "Aggregate Resource Allocation") {
        for (part, figure) in used.split(',').zip(["mb_seconds", "vcore_seconds"]) {
            let digits: String = part.trim().chars().take_while(char::is_ascii_digit).collect();
            if let Ok(amount) = digits.parse() {
                figures.put(figure, Figure::Number(amount));
            }
        }
    }
}

/// Returns the value of a field, which stands at the beginning of a line.
fn value<'t>(text: &'t str, field: &str) -> Option<&'t str> {
    text.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        (name.trim() == field).then(|| value.trim())
    })
}
