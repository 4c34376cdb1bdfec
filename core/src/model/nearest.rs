//! Misspelt words.

/// The name most like a misspelt one, if any is near enough.
pub fn nearest<'n>(wrong: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let allowed = (wrong.chars().count() / 3).max(1);
    known
        .into_iter()
        .map(|name| {
            (
                distance(&wrong.to_lowercase().replace('-', "_"), &name.to_lowercase().replace('-', "_"), allowed + 1),
                name,
            )
        })
        .filter(|(d, _)| *d <= allowed)
        .min_by_key(|(d, _)| *d)
        .map(|(_, name)| name)
}

/// Edit distance with swaps of neighbours; gives up above `enough`.
fn distance(a: &str, b: &str, enough: usize) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().take(64).collect());
    if a.len().abs_diff(b.len()) > enough {
        return enough + 1;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let cost = usize::from(a[i - 1] != b[j - 1]);
            let mut d = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + cost);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                d = d.min(before[j - 2] + 1);
            }
            row.push(d);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found_only_when_near() {
        assert_eq!(nearest("vcore", ["vcores", "memory"]), Some("vcores"));
        assert_eq!(nearest("mmeory", ["vcores", "memory"]), Some("memory"));
        assert_eq!(nearest("Place-ment", ["placement"]), Some("placement"));
        assert_eq!(nearest("colour", ["vcores", "memory"]), None);
    }
}
