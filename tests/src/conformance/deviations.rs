//! The list of skipped cases, read from `docs/deviations.md`.

use indexmap::IndexMap;

/// The heading of the table that is read.
const HEADING: &str = "## Conformance cases that are skipped";

/// The cases that are not compared, each with its reason.
#[derive(Clone, Debug, Default)]
pub struct Deviations(IndexMap<String, String>);

impl Deviations {
    /// Reads the project's own list.
    pub fn ours() -> Result<Self, String> {
        Self::read(include_str!("../../../docs/deviations.md"))
    }

    /// Reads the table below the heading: `| area/id | reason | … |`. Errors: a row without an area or a reason.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut list = IndexMap::new();
        let mut inside = false;
        for (i, line) in text.lines().enumerate() {
            if line.starts_with("## ") {
                inside = line.trim() == HEADING;
                continue;
            }
            let Some(row) = line.trim().strip_prefix('|').filter(|_| inside) else { continue };
            let mut cells = row.split('|').map(|c| c.trim().trim_matches('`'));
            let (name, reason) = (cells.next().unwrap_or(""), cells.next().unwrap_or(""));
            if name == "case" || name.starts_with('-') {
                continue;
            }
            if !name.contains('/') || reason.is_empty() {
                return Err(format!("docs/deviations.md:{}: a row needs `area/id` and a reason", i + 1));
            }
            list.insert(name.to_owned(), reason.to_owned());
        }
        Ok(Deviations(list))
    }

    /// Returns why `area/id` is skipped; `None`: it is not.
    pub fn reason(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Returns all entries: `area/id` and reason.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(k, v)| (k.as_str(), v.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_table_below_the_heading_counts() {
        let text = format!(
            "| a/b | no |\n{HEADING}\n\n| case | reason |\n|---|---|\n| `x/y` | because |\n## Next\n| c/d | no |"
        );
        let d = Deviations::read(&text).expect("well formed");
        assert_eq!(d.iter().collect::<Vec<_>>(), [("x/y", "because")]);
        assert!(Deviations::read(&format!("{HEADING}\n| x/y | |")).is_err());
        assert!(Deviations::ours().is_ok());
    }
}
