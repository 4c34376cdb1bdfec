//! What a master does when containers are asked back (preemption.md A10, lifecycles-and-timing.md 6.4): which ones it
//! stops before YARN kills others.

use crate::api::{AmPreemptionPolicy, PreemptionMessage};
use crate::model::order::sort_by_key;
use crate::model::{ContainerId, Millis, Resource};
use std::cmp::Reverse;

/// A container that runs, and is not being stopped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Working {
    pub id: ContainerId,
    pub size: Resource,
    /// The time that it has worked.
    pub worked: Millis,
}

/// Returns the containers to stop, in order. `working` is in the order of the containers' numbers; `stopping` is the
/// sum of those that are being stopped for an earlier message.
pub(crate) fn to_stop(
    policy: AmPreemptionPolicy,
    message: &PreemptionMessage,
    working: &[Working],
    stopping: Resource,
) -> Vec<Working> {
    let among = |list: &[ContainerId]| working.iter().filter(|w| list.contains(&w.id)).copied().collect::<Vec<_>>();
    if policy == AmPreemptionPolicy::None {
        return Vec::new();
    }
    // Exactly these containers (strict contract).
    let mut out = among(&message.strict);
    let Some(contract) = &message.negotiable else { return out };
    let listed = among(&contract.containers);
    let mut left: Vec<Working> = working.iter().filter(|w| !out.contains(w)).copied().collect();
    match policy {
        AmPreemptionPolicy::None => {}
        AmPreemptionPolicy::Kill => out.extend(listed),
        AmPreemptionPolicy::Cheapest => {
            let amount = listed.iter().fold(Resource::ZERO, |sum, w| sum + w.size);
            // Of containers with equal work, the one that is asked back goes first.
            sort_by_key(&mut left, |w| (w.worked, !listed.contains(w), Reverse(w.id)));
            out.extend(up_to(amount, &left));
        }
        AmPreemptionPolicy::Checkpoint => {
            sort_by_key(&mut left, |w| Reverse(w.id));
            out.extend(up_to(contract.size.times(contract.count) - stopping, &left));
        }
    }
    out
}

/// Takes the first ones, until their memory and their vcores reach the amount.
fn up_to(mut amount: Resource, order: &[Working]) -> impl Iterator<Item = Working> + '_ {
    order.iter().copied().take_while(move |w| {
        let more = amount.memory_mb() > 0 || amount.vcores() > 0;
        amount -= w.size;
        more
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::NegotiableContract;
    use crate::model::AppId;

    fn id(seq: u64) -> ContainerId {
        ContainerId { app: AppId(0), attempt: 1, seq }
    }

    /// Containers 2 to 5; 3 is the one that was started last (its task was restarted), 5 is larger.
    fn working() -> Vec<Working> {
        let of = |seq, gb: i64, worked| Working { id: id(seq), size: Resource::new(gb * 1024, 1), worked };
        vec![of(2, 1, 90_000), of(3, 1, 5_000), of(4, 1, 70_000), of(5, 2, 60_000)]
    }

    fn negotiable(containers: &[u64], count: i64) -> PreemptionMessage {
        let containers = containers.iter().map(|seq| id(*seq)).collect();
        let contract = NegotiableContract { containers, size: Resource::new(1024, 1), count };
        PreemptionMessage { strict: Vec::new(), negotiable: Some(contract) }
    }

    fn stopped(policy: AmPreemptionPolicy, message: &PreemptionMessage, stopping: Resource) -> Vec<u64> {
        to_stop(policy, message, &working(), stopping).iter().map(|w| w.id.seq).collect()
    }

    #[test]
    fn each_policy_stops_its_own() {
        let one = negotiable(&[4], 1);
        let zero = Resource::ZERO;
        let of = |policy| stopped(policy, &one, zero);
        assert!(of(AmPreemptionPolicy::None).is_empty());
        assert_eq!(of(AmPreemptionPolicy::Kill), [4]);
        assert_eq!(of(AmPreemptionPolicy::Cheapest), [3], "least work is lost there");
        assert_eq!(of(AmPreemptionPolicy::Checkpoint), [5], "the newest");
        let gone = negotiable(&[9], 1);
        assert!(stopped(AmPreemptionPolicy::Kill, &gone, zero).is_empty(), "it does not work any more");
        assert!(stopped(AmPreemptionPolicy::Cheapest, &gone, zero).is_empty(), "nothing is to be saved");
    }

    #[test]
    fn amounts_are_covered_in_memory_and_vcores() {
        let two = negotiable(&[2, 4], 2);
        assert_eq!(stopped(AmPreemptionPolicy::Cheapest, &two, Resource::ZERO), [3, 5], "5 gives the second GB");
        // 2 GB and 2 vcores: 5 alone has one vcore.
        assert_eq!(stopped(AmPreemptionPolicy::Checkpoint, &two, Resource::ZERO), [5, 4]);
        let on_its_way = Resource::new(2048, 2);
        assert!(stopped(AmPreemptionPolicy::Checkpoint, &two, on_its_way).is_empty(), "it is being given back");
        let all = negotiable(&[2, 3, 4, 5], 50);
        assert_eq!(stopped(AmPreemptionPolicy::Checkpoint, &all, Resource::ZERO), [5, 4, 3, 2]);
    }

    #[test]
    fn a_strict_contract_takes_no_others() {
        let strict = PreemptionMessage { strict: vec![id(2)], negotiable: None };
        for (_, policy) in AmPreemptionPolicy::ALL {
            let expected: &[u64] = if policy == AmPreemptionPolicy::None { &[] } else { &[2] };
            assert_eq!(stopped(policy, &strict, Resource::ZERO), expected, "{policy:?}");
        }
    }
}
