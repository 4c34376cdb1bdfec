//! Subtracts containers that were allocated and not yet pulled from the counts that an ApplicationMaster requests
//! (AbstractYarnScheduler.autoCorrectContainerAllocation; lifecycles-and-timing.md 5.3).

use crate::model::{RequestKey, Resource};

/// The part of a row or of a granted container that is compared: names do not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Like {
    pub key: RequestKey,
    pub size: Resource,
    /// OPPORTUNISTIC instead of GUARANTEED.
    pub opportunistic: bool,
}

/// Lowers the counts of rows, none below 0. Returns the places of the granted containers that exceed what is requested:
/// the oldest ones of their (id, priority, size). The last row of each decides how many.
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
