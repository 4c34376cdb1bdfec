//! Nodes: a group from one line, and the racks of an entry.

use crate::path;
use heddle_core::scenario::edit::{self, Setting};
use toml_edit::Value;

/// Returns the entry that a line stands for.
pub fn group(line: &str, have: usize) -> Result<String, String> {
    let hint = "Write it like 12 × 64 GB/16, 3 racks.";
    let mut parts = line.split(',').map(str::trim).filter(|p| !p.is_empty());
    let first = parts.next().ok_or_else(|| hint.to_owned())?;
    let (count, size) = match first.split_once(['×', 'x', '*']) {
        Some((n, size)) => {
            (n.trim().parse::<u64>().map_err(|_| format!("`{}` is not a count. {hint}", n.trim()))?, size.trim())
        }
        None => (1, first),
    };
    heddle_core::scenario::units::parse_size(size).map_err(|why| format!("{why}. {hint}"))?;
    let width = (have as u64).saturating_add(count).to_string().len();
    let start = format!("{:0width$}", have + 1);
    let mut toml = String::new();
    if count == 1 {
        toml.push_str(&format!("name = \"n{start}\"\n"));
    } else {
        toml.push_str(&format!("name = \"n{{{start}}}\"\ncount = {count}\n"));
    }
    toml.push_str(&format!("size = {}\n", Value::from(size)));
    for part in parts {
        let words: Vec<&str> = part.split_whitespace().collect();
        match words[..] {
            [n, "rack" | "racks"] if n.parse::<u32>().is_ok() => toml.push_str(&format!("racks = {n}\n")),
            ["rack", name] => {
                toml.push_str(&format!("rack = {}\n", Value::from(format!("/{}", name.trim_start_matches('/')))))
            }
            ["label", name] => toml.push_str(&format!("label = {}\n", Value::from(name))),
            _ => return Err(format!("`{part}` is not known here. {hint}")),
        }
    }
    Ok(toml)
}

/// Sets the racks of an entry: none, their number, their names, or one name.
pub fn put_racks(text: &str, entry: usize, typed: &str) -> Result<String, String> {
    let (one, several) = (path!["nodes", entry, "rack"], path!["nodes", entry, "racks"]);
    let cleared = edit::set(&edit::set(text, &one, &Setting::Nothing)?, &several, &Setting::Nothing)?;
    let slash = |name: &str| format!("/{}", name.trim().trim_start_matches('/'));
    match typed.trim() {
        "" => Ok(cleared),
        n if n.parse::<i64>().is_ok() => edit::set(&cleared, &several, &Setting::typed(n)),
        list if list.contains(',') => {
            edit::set(&cleared, &several, &Setting::List(list.split(',').map(slash).collect()))
        }
        name => edit::set(&cleared, &one, &Setting::Text(slash(name))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_means_a_group() {
        assert_eq!(
            group("12 × 64 GB/16, 3 racks", 0).as_deref(),
            Ok("name = \"n{01}\"\ncount = 12\nsize = \"64 GB/16\"\nracks = 3\n")
        );
        assert_eq!(group("8 GB/4", 2).as_deref(), Ok("name = \"n3\"\nsize = \"8 GB/4\"\n"));
        for bad in ["", "x × 8 GB", "3 x nothing", "2 × 8 GB/2, on the moon"] {
            assert!(group(bad, 0).is_err(), "{bad}");
        }
    }

    #[test]
    fn racks_are_a_count_a_list_or_a_name() {
        let text = "[[nodes]]\nname = \"n\"\nracks = 2\n";
        let with = |typed| put_racks(text, 0, typed).unwrap().lines().last().map(str::to_owned).unwrap();
        assert_eq!(with("3"), "racks = 3");
        assert_eq!(with("a, /b"), "racks = [\"/a\", \"/b\"]");
        assert_eq!(with("a"), "rack = \"/a\"");
        assert_eq!(with(" "), "name = \"n\"");
    }
}
