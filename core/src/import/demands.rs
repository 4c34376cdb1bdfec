//! The demands of applications as of the FairScheduler's latest update, inferred from those of their queues.

use super::Gathered;
use super::now::Placed;
use super::seen::{Amount, SeenApp, SeenQueue};
use indexmap::IndexMap;

/// The demand of a leaf as of the FairScheduler's latest update, beside those of its applications now.
struct LeafDemand<'a> {
    path: String,
    then: Amount,
    apps: Vec<&'a SeenApp>,
    used: Vec<Amount>,
    now: Vec<Amount>,
    /// The memory and vcores that the demand has grown by since.
    more: (i64, i64),
}

impl<'a> LeafDemand<'a> {
    /// Returns `None` without a demand, and for one at the queue's maximum: it was cut there, so the sum cannot be compared.
    fn of(leaf: &SeenQueue, apps: &'a [SeenApp], placed: &IndexMap<String, Vec<Placed>>) -> Option<Self> {
        let then = leaf.demand.clone()?;
        if leaf.maximum.as_ref().is_some_and(|m| then.memory == m.memory || then.vcores == m.vcores) {
            return None;
        }
        let apps: Vec<&SeenApp> = apps.iter().filter(|a| a.queue == leaf.path).collect();
        let used = |app: &&SeenApp| Amount::sum(placed.get(&app.id).into_iter().flatten().map(|c| &c.size));
        let used: Vec<Amount> = apps.iter().map(used).collect();
        let now = |(app, used): (&&SeenApp, &Amount)| {
            let asks = app.asks.iter().flatten().filter(|a| a.place == "*");
            let all = |each: i64, count: i64| each.saturating_mul(count);
            asks.fold(used.clone(), |sum, a| {
                sum.plus(&Amount::new(all(a.size.memory, a.count), all(a.size.vcores, a.count)))
            })
        };
        let now: Vec<Amount> = apps.iter().zip(&used).map(now).collect();
        let more = Amount::sum(&now).minus(&then);
        let more = (more.memory, more.vcores);
        Some(LeafDemand { path: leaf.path.clone(), then, apps, used, now, more })
    }

    /// Returns whether an application was moved here since: its whole demand is missing in another leaf, and it was there at the
    /// update, since the demand of a younger one is counted.
    fn gained(&self, leaves: &[LeafDemand<'_>]) -> bool {
        let whole = |now: &Amount| now.memory > 0 && (now.memory, now.vcores) == self.more;
        let Some(at) = self.now.iter().rposition(whole) else { return false };
        let was_there = |leaf: &LeafDemand<'_>| {
            let mut counted = leaf.apps.iter().zip(&leaf.now).filter(|(_, now)| now.memory > 0);
            leaf.more == (0, 0) && counted.any(|(app, _)| app.number() > self.apps[at].number())
        };
        leaves.iter().any(|leaf| leaf.more == opposite(self.more)) && leaves.iter().any(was_there)
    }
}

fn opposite((memory, vcores): (i64, i64)) -> (i64, i64) {
    (-memory, -vcores)
}

/// Infers the applications' demands as of the FairScheduler's latest update, if the queues' sums show that they have
/// changed since.
pub(super) fn demands(g: &mut Gathered, apps: &[SeenApp], placed: &IndexMap<String, Vec<Placed>>) {
    let Some(root) = g.seen.queues.clone() else { return };
    let leaves: Vec<LeafDemand<'_>> =
        super::queues::leaves(&root).into_iter().filter_map(|leaf| LeafDemand::of(leaf, apps, placed)).collect();
    let gained: Vec<(i64, i64)> = leaves.iter().filter(|leaf| leaf.gained(&leaves)).map(|leaf| leaf.more).collect();
    for leaf in &leaves {
        let moved = leaf.gained(&leaves) || gained.contains(&opposite(leaf.more));
        if leaf.more == (0, 0) || (leaf.apps.is_empty() && !moved) {
            continue;
        }
        let source = format!("{} (demandResources)", g.seen.source("queues"));
        let then = leaf.then.written();
        g.infer(format!("Shares below {} are as of the latest update, when the demand was {then}.", leaf.path), source);
        if moved {
            continue;
        }
        match explained(&leaf.now, &leaf.used, &leaf.then) {
            Some(found) => {
                for ((app, then), now) in leaf.apps.iter().zip(found).zip(&leaf.now) {
                    if then != *now {
                        g.demands.insert(app.id.clone(), then);
                    }
                }
            }
            None => g.lack(format!("What the applications of {} asked for at the latest update. It may change who is served first until the next one.", leaf.path), "no answer says it"),
        }
    }
}

/// Finds demands that add up to a leaf's earlier demand. Each application's demand was the present one, or its usage, if it
/// asked for the rest later, or nothing, if it came later; as few as possible differ from the present. Otherwise assigns
/// the difference to one application.
fn explained(now: &[Amount], used: &[Amount], then: &Amount) -> Option<Vec<Amount>> {
    const MOST: usize = 7;
    let adds_up = |sum: &Amount| sum.memory == then.memory && sum.vcores == then.vcores;
    let mut best: Option<(u32, Vec<Amount>)> = None;
    if now.len() <= MOST {
        for choice in 0..3usize.pow(now.len() as u32) {
            let (mut rest, mut cost, mut each) = (choice, 0, Vec::new());
            // The youngest is tried first.
            for (now, used) in now.iter().zip(used).rev() {
                let one = [now.clone(), used.clone(), Amount::default()][rest % 3].clone();
                cost += [0, 2, 3][rest % 3];
                each.push(one);
                rest /= 3;
            }
            each.reverse();
            if adds_up(&Amount::sum(&each)) && best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, each));
            }
        }
    }
    if let Some((_, each)) = best {
        return Some(each);
    }
    // The youngest application that could have had the difference.
    let difference = then.minus(&Amount::sum(now));
    let at = (0..now.len()).rev().find(|i| {
        let other = now[*i].plus(&difference);
        other.memory >= used[*i].memory.min(now[*i].memory) && other.vcores >= 0 && other.memory >= 0
    })?;
    let mut each = now.to_vec();
    each[at] = each[at].plus(&difference);
    Some(each)
}
