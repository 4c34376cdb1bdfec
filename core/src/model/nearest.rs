//! Suggestions for misspelt words.

/// Longer words, in characters, match nothing.
const COMPARED: usize = 200;

/// Returns the known name most like a misspelt one, if one is near enough: a third of its letters may be wrong.
pub fn nearest<'n>(wrong: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let allowed = (wrong.chars().count() / 3).max(1);
    let plain = |name: &str| name.to_lowercase().replace('-', "_");
    let written = plain(wrong);
    let far = |name: &str| distance(&written, &plain(name), allowed);
    known.into_iter().map(|name| (far(name), name)).filter(|(d, _)| *d <= allowed).min_by_key(|(d, _)| *d).map(|n| n.1)
}

/// The number of letters that are wrong, missing, superfluous or transposed with their neighbours; any number above
/// `enough` when it is more than that.
pub fn distance(a: &str, b: &str, enough: usize) -> usize {
    let [a_long, b_long] = [a, b].map(|word| word.chars().take(COMPARED + 1).count());
    if a_long.abs_diff(b_long) > enough || a_long.max(b_long) > COMPARED {
        return enough + 1;
    }
    strsim::osa_distance(a, b)
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
        let long = "x".repeat(100_000);
        assert_eq!(nearest(&long, [long.as_str(), "memory"]), None, "what is so long is no misspelt name");
    }
}
