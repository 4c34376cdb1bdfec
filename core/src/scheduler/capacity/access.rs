//! Permissions and priorities of submissions (ConfiguredYarnAuthorizer, RMAppManager, AppPriorityACLsManager,
//! WorkflowPriorityMappingsManager of Hadoop 3.5.0; capacity-scheduler.md section 4, check 7 and "Priority").

use crate::api::{Refusal, RefusalRule};
use crate::config::capacity::{Acl, CapacityConf, QueueConf};

/// The user who acts as administrator: the account that a ResourceManager usually runs as.
pub const ADMINISTRATOR: &str = "yarn";

/// A user and the user's groups, the primary one first.
#[derive(Clone, Copy, Debug)]
pub struct Person<'a> {
    pub user: &'a str,
    pub groups: &'a [String],
}

impl Person<'_> {
    fn in_acl(&self, acl: &Acl) -> bool {
        acl.allows(self.user, self.groups)
    }

    fn of_queue(&self, queue: &QueueConf) -> bool {
        self.in_acl(&queue.submit_acl) || self.in_acl(&queue.administer_acl)
    }
}

/// A queue that an application's submission would create: its path and the ACLs of the templates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FutureQueue {
    pub path: String,
    pub submit: Acl,
    pub administer: Acl,
}

/// Returns whether a user may submit to the queue with this full path. A grant at the queue or at any ancestor
/// suffices. `future`: the queues that would be created for the submission.
pub fn may_submit(conf: &CapacityConf, path: &str, future: &[FutureQueue], person: Person<'_>) -> bool {
    let mut at = path;
    loop {
        let here = conf.find(at).and_then(|i| conf.queues.get(i)).is_some_and(|q| person.of_queue(q));
        let made =
            future.iter().filter(|f| f.path == at).any(|f| person.in_acl(&f.submit) || person.in_acl(&f.administer));
        if here || made {
            return true;
        }
        match at.rsplit_once('.') {
            Some((above, _)) => at = above,
            None => return false,
        }
    }
}

/// Returns the refusal of a submission without permission; `app` is the application's id.
pub fn no_permission(user: &str, app: &str, queue: &str) -> Refusal {
    let kind = RefusalRule::Permission { user: user.to_string(), queue: queue.to_string() };
    Refusal::of(kind, format!("User {user} does not have permission to submit {app} to queue {queue}"))
}

/// Returns the priority that an application gets in a queue (`None`: the queue does not exist yet). Errors: the queue's
/// priority ACLs do not grant it; `app` is the application's id.
pub fn priority(
    conf: &CapacityConf,
    app: &str,
    queue: Option<&QueueConf>,
    requested: Option<i32>,
    person: Person<'_>,
) -> Result<i32, Refusal> {
    let mut acls: Vec<_> =
        queue.filter(|_| conf.acl_enabled).map_or_else(Vec::new, |q| q.priority_acls.iter().collect());
    crate::model::order::sort_by_key(&mut acls, |a| a.max_priority);
    let granted = || acls.iter().filter(|a| person.in_acl(&a.who));
    // Without a requested priority, the last grant, which is the highest, gives the default.
    let default = || match granted().next_back() {
        Some(acl) => acl.default_priority,
        None => queue.map_or(0, |q| q.default_application_priority),
    };
    let priority = requested.unwrap_or_else(default).min(conf.maximum_application_priority);
    if !acls.is_empty() && !granted().any(|a| priority <= a.max_priority) {
        let user = person.user;
        let path = queue.map_or(String::new(), |q| q.path.clone());
        return Err(Refusal::of(
            RefusalRule::Priority { user: user.to_string(), priority, queue: path },
            format!("User {user} (auth:SIMPLE) does not have permission to submit/update {app} for {priority}"),
        ));
    }
    Ok(priority)
}

/// Returns the priority that the workflow mappings give to an application with these tags, from the queue or its
/// nearest ancestor (root's mappings are ignored). `None`: no mapping applies.
pub fn workflow_priority(conf: &CapacityConf, queue: &str, tags: &[String]) -> Option<i32> {
    if !conf.workflow_priorities_override {
        return None;
    }
    let workflow = tags.iter().rev().find_map(|t| t.trim().strip_prefix(conf.workflow_tag_prefix.as_str()))?;
    let mut at = queue;
    while let Some((above, _)) = at.rsplit_once('.') {
        let found = conf.workflow_priorities.iter().find(|w| w.queue == at && w.workflow == workflow);
        if let Some(found) = found {
            return Some(found.priority);
        }
        at = above;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Properties;

    fn conf(extra: &[(&str, &str)]) -> CapacityConf {
        let mut p: Properties = [("root.queues", "a"), ("root.a.capacity", "100")]
            .iter()
            .chain(extra)
            .map(|(k, v)| (format!("yarn.scheduler.capacity.{k}"), v.to_string()))
            .collect();
        p.insert("yarn.acl.enable".into(), "true".into());
        p.insert("yarn.cluster.max-application-priority".into(), "10".into());
        CapacityConf::read(&p, &Properties::new(), &[]).unwrap()
    }

    #[test]
    fn a_grant_above_suffices() {
        let user = |user| Person { user, groups: &[] };
        let open = conf(&[]);
        assert!(may_submit(&open, "root.a", &[], user("u")), "root is open when nothing is said");
        let closed = conf(&[
            ("root.acl_submit_applications", " "),
            ("root.acl_administer_queue", " "),
            ("root.a.acl_submit_applications", "v"),
        ]);
        assert!(!may_submit(&closed, "root.a", &[], user("u")) && may_submit(&closed, "root.a", &[], user("v")));
    }

    #[test]
    fn priorities_follow_the_acls() {
        let c = conf(&[("root.a.acl_application_max_priority", "[user=u max_priority=5 default_priority=2]")]);
        let u = Person { user: "u", groups: &[] };
        assert_eq!(priority(&c, "application_0_0001", Some(&c.queues[1]), None, u), Ok(2));
        assert_eq!(priority(&c, "application_0_0001", Some(&c.queues[1]), Some(5), u), Ok(5));
        assert!(
            priority(&c, "application_0_0001", Some(&c.queues[1]), Some(6), u)
                .unwrap_err()
                .message
                .ends_with("application_0_0001 for 6")
        );
    }
}
