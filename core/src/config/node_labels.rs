//! Lists of node labels as `yarn rmadmin -addToClusterNodeLabels` takes them (formats.md 2.6).

use super::values::trim;
use crate::api::{NodeLabel, Refusal};

/// Parses `x,y(exclusive=false)`. Errors: the tool's own messages.
pub fn parse_label_list(text: &str) -> Result<Vec<NodeLabel>, Refusal> {
    let malformed = || {
        Refusal::new(
            "Input format for adding node-labels is not correct, it should be labelName1[(exclusive=true/false)],LabelName2[]..",
        )
    };
    let mut out: Vec<NodeLabel> = Vec::new();
    for item in text.split(',').map(trim).filter(|i| !i.is_empty()) {
        let (name, exclusive) = match (item.find('('), item.find(')')) {
            (None, None) => (item, true),
            (Some(open), Some(close)) if open < close => {
                let inside = trim(&item[open + 1..close]);
                let exclusive = match inside.split_once('=').map(|(k, v)| (trim(k), trim(v))) {
                    None if inside.is_empty() => true,
                    Some(("exclusive", "true")) => true,
                    Some(("exclusive", "false")) => false,
                    _ => return Err(malformed()),
                };
                (trim(&item[..open]), exclusive)
            }
            _ => return Err(malformed()),
        };
        if name.is_empty() {
            return Err(malformed());
        }
        out.push(NodeLabel { name: name.to_string(), exclusive });
    }
    if out.is_empty() { Err(Refusal::new("No cluster node-labels are specified")) } else { Ok(out) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_exclusive_unless_they_say_otherwise() {
        let read =
            |text| parse_label_list(text).map(|l| l.into_iter().map(|l| (l.name, l.exclusive)).collect::<Vec<_>>());
        assert_eq!(
            read(",w, y( exclusive = false),z()").unwrap(),
            [("w".into(), true), ("y".into(), false), ("z".into(), true)]
        );
        assert!(read("x(").is_err() && read("x)").is_err() && read("x(key=value)").is_err() && read("").is_err());
    }
}
