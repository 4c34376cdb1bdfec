//! Streams that get more partitions: every key stays with the task that had it (samza-host-affinity.md 4.2).

use super::inputs::{Partition, Tasks};
use super::model::Impossible;
use std::collections::BTreeMap;

/// Returns how often partitions of each stream are held, which is their number if each is held by one task.
fn counts(tasks: &Tasks) -> BTreeMap<&str, usize> {
    let mut out = BTreeMap::new();
    for p in tasks.values().flatten() {
        *out.entry(p.stream.as_str()).or_default() += 1;
    }
    out
}

/// Returns the grouper's tasks, corrected by the previous ones. Tasks without partitions disappear.
pub fn expand(grouped: Tasks, previous: &Tasks, broadcast: &[Partition]) -> Result<Tasks, Impossible> {
    let (before, now) = (counts(previous), counts(&grouped));
    let mut holder: BTreeMap<&Partition, &String> = BTreeMap::new();
    for (task, held) in previous {
        holder.extend(held.iter().filter(|p| !broadcast.contains(p)).map(|p| (p, task)));
    }
    let mut out = grouped.clone();
    for (task, held) in &grouped {
        for p in held.iter().filter(|p| !broadcast.contains(p)) {
            let had = before.get(p.stream.as_str()).copied().unwrap_or(0);
            let has = now.get(p.stream.as_str()).copied().unwrap_or(0);
            let keeper = if had > 0 && had != has {
                if has % had != 0 {
                    return Err(Impossible::NotMultiple { stream: p.stream.clone(), before: had, now: has });
                }
                holder.get(&Partition::new(p.stream.as_str(), (p.number as usize % had) as u32))
            } else {
                holder.get(p)
            };
            let Some(keeper) = keeper.filter(|k| **k != task) else { continue };
            if !grouped.contains_key(*keeper) {
                return Err(Impossible::TaskGone { task: keeper.to_string(), partition: p.clone() });
            }
            if let Some(from) = out.get_mut(task) {
                from.remove(p);
            }
            out.entry(keeper.to_string()).or_default().insert(p.clone());
        }
    }
    out.retain(|_, held| !held.is_empty());
    Ok(out)
}
