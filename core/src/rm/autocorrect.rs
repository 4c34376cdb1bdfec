//! What was granted and not yet pulled is taken off the counts that an ApplicationMaster asks for
//! (AbstractYarnScheduler.autoCorrectContainerAllocation; lifecycles-and-timing.md 5.3).

use crate::model::{RequestKey, Resource};

/// A row of a call, or a container that was granted, as they are compared: names do not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Like {
    pub key: RequestKey,
    pub size: Resource,
    /// OPPORTUNISTIC instead of GUARANTEED.
    pub opportunistic: bool,
}

/// Lowers the counts of rows, none below 0. Returns which of the granted containers, by their places, are beyond what is
/// asked for: the oldest ones of their kind. The last row of a kind decides how many.
pub fn correct(rows: &mut [(Like, i64)], granted: &[Like]) -> Vec<usize> {
    let mut surplus: Vec<usize> = Vec::new();
    for (like, count) in rows {
        let of_kind: Vec<usize> = (0..granted.len()).filter(|i| granted[*i] == *like).collect();
        if of_kind.is_empty() {
            continue;
        }
        let beyond = of_kind.len() as i64 - *count;
        *count = (-beyond).max(0);
        if beyond > 0 {
            surplus.retain(|i| !of_kind.contains(i));
            surplus.extend(of_kind.into_iter().take(beyond as usize));
        }
    }
    surplus
}

#[cfg(test)]
mod tests {
    use super::*;

    fn like(gb: i64, id: i64, opportunistic: bool) -> Like {
        let key = RequestKey { priority: 0, allocation_request_id: id };
        Like { key, size: Resource::new(gb * 1024, 1), opportunistic }
    }

    #[test]
    fn kinds_are_told_apart_by_key_size_and_execution() {
        let kinds = [like(1, 0, false), like(2, 0, false), like(1, 1, false), like(1, 0, true)];
        for kind in kinds {
            let mut rows = kinds.map(|k| (k, 5));
            assert!(correct(&mut rows, &[kind; 2]).is_empty());
            let lowered: Vec<Like> = rows.iter().filter(|(_, count)| *count == 3).map(|(k, _)| *k).collect();
            assert_eq!(lowered, [kind]);
        }
        let mut rows = [(kinds[0], 4), (kinds[0], 1)];
        assert_eq!(correct(&mut rows, &[kinds[0]; 3]), [0, 1], "the last row says that two are too many");
        assert_eq!(rows.map(|(_, count)| count), [1, 0]);
    }
}
