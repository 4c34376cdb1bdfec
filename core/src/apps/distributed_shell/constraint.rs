//! What the distributed shell asks for when it has a PlacementSpec (placement-constraints.md section 3.5; Client and
//! ApplicationMaster of hadoop-yarn-applications-distributedshell).

use crate::constraint::Constraint;
use crate::constraint::order::distinct;
use crate::constraint::spec::Spec;
use crate::model::java::set_walk;
use std::sync::Arc;

/// The number of rejected requests that it sends again before it gives up.
pub const REJECTIONS_AT_MOST: u32 = 10;

/// A SchedulingRequest for one container. Priority (0 unless `-priority` says otherwise) and size are the application's; the
/// execution type is GUARANTEED.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShellRequest {
    /// The allocation request id, from 1.
    pub allocation_request_id: i64,
    /// The only tag; "" for a spec that is only an attribute test.
    pub tag: String,
    /// The constraint that is registered for the tag.
    pub constraint: Option<Arc<Constraint>>,
}

/// What the application does with its spec.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ShellPlan {
    /// Constraints sent at registration: source tags and constraint. The tag set is empty for a spec that is only an attribute
    /// test; the ResourceManager drops that constraint.
    pub constraints: Vec<(Vec<String>, Constraint)>,
    /// Its requests in the order in which they are sent.
    pub requests: Vec<ShellRequest>,
}

/// Returns the entries that count, in the order of a Java hash map, with the number of containers that each asks for.
fn counted(spec: &Spec, num_containers: i32) -> Vec<(&crate::constraint::spec::SpecEntry, i64)> {
    let entry_of = |tag: &str| spec.entries.iter().rev().find(|e| e.tag() == tag);
    let listed: Vec<&str> = spec.entries.iter().map(|e| e.tag()).collect();
    let order = set_walk(&distinct(&listed)).into_iter().filter_map(entry_of);
    order.map(|e| (e, i64::from(if e.source.is_none() { num_containers } else { e.count() }))).collect()
}

/// Returns how many containers the shell asks for with a spec; 0 if its client refuses it.
pub fn count(spec: &Spec, num_containers: i32) -> i64 {
    let entries = counted(spec, num_containers);
    let total: i64 = entries.iter().map(|(_, count)| count).sum();
    if total <= 0 { 0 } else { entries.iter().map(|(_, count)| (*count).max(0)).sum() }
}

/// Returns the plan for a spec. `num_containers` (`-num_containers`, 1 when not given) counts only for a spec that is only an
/// attribute test; otherwise it is ignored. Of several entries with one tag the last counts. The order of tags is that of a
/// Java hash map. `limit` is the largest number of requests. Errors: there would be more requests, or none, in which case the
/// ApplicationMaster ends.
pub fn plan(spec: &Spec, num_containers: i32, limit: i64) -> Result<ShellPlan, String> {
    let entries = counted(spec, num_containers);
    let total: i64 = entries.iter().map(|(_, count)| count).sum();
    if total <= 0 {
        return Err("The PlacementSpec asks for no containers: the ApplicationMaster of the distributed shell would end at once (Cannot run distributed shell with no containers).".into());
    }
    let asked: i64 = entries.iter().map(|(_, count)| (*count).max(0)).sum();
    if asked > limit {
        return Err(format!("The PlacementSpec asks for {asked} containers; at most {limit} can be simulated."));
    }
    let mut plan = ShellPlan::default();
    for (entry, count) in entries {
        if let Some(constraint) = &entry.constraint {
            let source = if entry.tag().is_empty() { Vec::new() } else { vec![entry.tag().to_string()] };
            plan.constraints.push((source, constraint.clone()));
        }
        let constraint = entry.constraint.clone().map(Arc::new);
        for _ in 0..count {
            plan.requests.push(ShellRequest {
                allocation_request_id: plan.requests.len() as i64 + 1,
                tag: entry.tag().into(),
                constraint: constraint.clone(),
            });
        }
    }
    Ok(plan)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::parse_spec;

    fn tags(text: &str, num_containers: i32) -> Result<Vec<(i64, String)>, String> {
        let plan = plan(&parse_spec(text).expect(text), num_containers, 1000)?;
        Ok(plan.requests.into_iter().map(|r| (r.allocation_request_id, r.tag)).collect())
    }

    #[test]
    fn the_last_entry_of_a_tag_counts_and_tags_come_in_hash_order() {
        let ids = tags("hbase(1):zk(2),NOTIN,NODE,zk:zk(1)", 7).unwrap();
        // "zk" is in bucket 1 of the table, "hbase" in bucket 14.
        assert_eq!(ids, [(1, "zk".to_string()), (2, "hbase".to_string())]);
    }

    #[test]
    fn num_containers_counts_only_without_a_source_tag() {
        assert_eq!(tags("java=1.8", 2).unwrap().len(), 2);
        assert_eq!(tags("zk(3)", 2).unwrap().len(), 3);
        assert!(tags("zk(0)", 2).is_err());
    }
}
