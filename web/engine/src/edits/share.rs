//! A queue's share: its siblings give what it takes, so that a parent's shares still sum to 100 percent.

use heddle_core::config::capacity::PREFIX;
use heddle_core::rm::Properties;

/// Returns the key of a queue's property.
pub fn key(path: &str, what: &str) -> String {
    format!("{PREFIX}{path}.{what}")
}

/// Returns the shares in percent of a queue and its siblings, in the order of the parent's list.
pub fn shares(properties: &Properties, path: &str) -> Option<Vec<(String, f64)>> {
    let (parent, _) = path.rsplit_once('.')?;
    let names = properties.get(&key(parent, "queues"))?.split(',').map(str::trim).filter(|n| !n.is_empty());
    let share = |name: &str| {
        let path = format!("{parent}.{name}");
        let share: f64 = properties.get(&key(&path, "capacity"))?.trim().parse().ok()?;
        Some((path, share))
    };
    let all: Option<Vec<(String, f64)>> = names.map(share).collect();
    all.filter(|all| all.len() > 1 && all.iter().any(|(p, _)| p == path))
}

/// Returns the properties that change when a queue's share becomes `share`: its siblings keep their proportions, and a
/// maximum that equals the share, or would be below it, follows.
pub fn moved(properties: &Properties, path: &str, share: f64) -> Vec<(String, String)> {
    let Some(now) = shares(properties, path) else { return Vec::new() };
    let rest = 100.0 - share;
    let before: f64 = now.iter().filter(|(p, _)| p != path).map(|(_, s)| s).sum();
    let others = (now.len() - 1) as f64;
    let hundredths = |x: f64| (x * 100.0).round() / 100.0;
    // The last sibling gets the rounding difference, so that the sum is 100.
    let last = now.iter().rposition(|(p, _)| p != path);
    let mut left = rest;
    let mut out = Vec::new();
    for (i, (p, old)) in now.iter().enumerate() {
        let new = if p == path {
            share
        } else if Some(i) == last {
            hundredths(left)
        } else {
            let new = hundredths(if before > 0.0 { rest * old / before } else { rest / others });
            left -= new;
            new
        };
        let maximum: Option<f64> = properties.get(&key(p, "maximum-capacity")).and_then(|m| m.trim().parse().ok());
        if let Some(maximum) = maximum.filter(|m| m == old || *m < new)
            && maximum != new
        {
            out.push((key(p, "maximum-capacity"), new.to_string()));
        }
        if new != *old {
            out.push((key(p, "capacity"), new.to_string()));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn properties(rows: &[(&str, &str)]) -> Properties {
        rows.iter().map(|(name, value)| (format!("{PREFIX}{name}"), value.to_string())).collect()
    }

    fn told(changes: Vec<(String, String)>) -> Vec<String> {
        changes.into_iter().map(|(name, value)| format!("{}={value}", name.trim_start_matches(PREFIX))).collect()
    }

    #[test]
    fn siblings_give_and_take_and_maxima_follow() {
        let two = properties(&[
            ("root.queues", "jobs, other"),
            ("root.jobs.capacity", "49"),
            ("root.jobs.maximum-capacity", "49"),
            ("root.other.capacity", "51"),
            ("root.other.maximum-capacity", "100"),
        ]);
        assert_eq!(
            told(moved(&two, "root.jobs", 50.0)),
            ["root.jobs.maximum-capacity=50", "root.jobs.capacity=50", "root.other.capacity=50"]
        );
        let three = properties(&[
            ("root.queues", "a,b,c"),
            ("root.a.capacity", "10"),
            ("root.b.capacity", "60"),
            ("root.c.capacity", "30"),
        ]);
        let sum = |share: f64| {
            let changes = moved(&three, "root.b", share);
            changes.iter().map(|(_, v)| v.parse::<f64>().unwrap()).sum::<f64>()
        };
        assert_eq!(
            told(moved(&three, "root.b", 20.0)),
            ["root.a.capacity=20", "root.b.capacity=20", "root.c.capacity=60"]
        );
        for share in [0.0, 1.0, 33.0, 77.0, 100.0] {
            assert!((sum(share) - 100.0).abs() < 1e-9, "{share}");
        }
    }

    #[test]
    fn weights_and_amounts_have_no_slider() {
        for share in ["1w", "[memory=1024]", ""] {
            let p = properties(&[("root.queues", "a,b"), ("root.a.capacity", "50"), ("root.b.capacity", share)]);
            assert!(shares(&p, "root.a").is_none(), "{share}");
        }
        assert!(shares(&properties(&[("root.queues", "a"), ("root.a.capacity", "100")]), "root.a").is_none());
        assert!(shares(&properties(&[]), "root").is_none());
    }
}
