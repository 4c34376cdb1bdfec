//! The queue of a submitted application, and the permission to submit (QueuePlacementPolicy, FSPlacementRule,
//! FairScheduler.addApplication; fair-scheduler.md 5, 6).

use super::FairScheduler;
use super::tree::{NoQueue, is_path};
use crate::api::{AskRow, Refusal, RefusalRule};
use crate::config::capacity::Acl;
use crate::config::fair::{Rule, RuleKind};
use crate::model::limits::QUEUE_DEPTH;
use crate::model::{AppId, QueueId, Resource};
use crate::scheduler::Cluster;
use std::borrow::Cow;

/// A submission to be placed.
#[derive(Clone, Copy, Debug)]
pub struct Applicant<'a> {
    /// The requested queue, as written.
    pub queue: &'a str,
    pub user: &'a str,
    /// The user's groups, the primary one first.
    pub groups: &'a [String],
}

/// A rule that was asked, and its outcome for an application.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleLook {
    pub rule: Rule,
    /// The queue that it gives, or why the next rule is asked.
    pub outcome: Result<String, NoQueueReason>,
}

/// The reason why a rule gives no queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoQueueReason {
    /// No queue was requested.
    NotNamed,
    /// No queue of this name is configured, and the rule may not create one.
    NotThere { queue: String },
    /// None of the groups has a configured queue.
    NoGroup,
    /// The rule for the parent queue gives none.
    NoParent,
    /// The rule for the parent queue gives a leaf.
    ParentIsLeaf { queue: String },
    /// It rejects all submissions.
    Rejects,
    /// It refuses the submission: the requested queue has an illegal name, or the user has no groups.
    Refuses,
}

/// Returns the path of a queue; the prefix `root.` may be left out.
pub fn rooted(name: &str) -> String {
    if name == "root" || name.starts_with("root.") { name.to_string() } else { format!("root.{name}") }
}

/// Returns a user's or group's name as part of a path.
pub fn clean(name: &str) -> String {
    name.trim().replace('.', "_dot_")
}

/// Returns whether a queue may be requested by this name.
pub fn is_legal(name: &str) -> bool {
    !name.starts_with('.') && !name.ends_with('.') && name.trim() == name
}

/// The queue of a submission that names none.
const NO_QUEUE: &str = "default";

impl FairScheduler {
    /// Returns the queue that the rules give; `None`: none does, and the application will be rejected. Records in
    /// `looks` the outcome of each rule that was asked. Errors: the submission is refused.
    pub(crate) fn place(&self, who: &Applicant<'_>, looks: &mut Vec<RuleLook>) -> Result<Option<String>, Refusal> {
        for rule in &self.rules {
            let outcome = self.by_rule(rule, who);
            let look = outcome.clone().unwrap_or(Err(NoQueueReason::Refuses));
            looks.push(RuleLook { rule: rule.clone(), outcome: look });
            if let Ok(queue) = outcome? {
                return Ok(Some(queue));
            }
        }
        Ok(None)
    }

    fn is_configured(&self, path: &str) -> bool {
        self.find_queue(path).is_some_and(|id| !self.queue(id).dynamic)
    }

    fn by_rule(&self, rule: &Rule, who: &Applicant<'_>) -> Result<Result<String, NoQueueReason>, Refusal> {
        let parent = match &rule.parent {
            Some(parent) => match self.by_rule(parent, who)? {
                Ok(path) if !self.find_queue(&path).is_some_and(|id| self.queue(id).leaf) => Some(path),
                Ok(queue) => return Ok(Err(NoQueueReason::ParentIsLeaf { queue })),
                Err(_) => return Ok(Err(NoQueueReason::NoParent)),
            },
            None => None,
        };
        // A user called `root` goes to the root queue, which is no leaf.
        let below = |name: &str| match &parent {
            Some(parent) => format!("{parent}.{}", clean(name)),
            None => rooted(&clean(name)),
        };
        let path = match rule.kind {
            RuleKind::Reject => return Ok(Err(NoQueueReason::Rejects)),
            RuleKind::Specified if who.queue == NO_QUEUE => return Ok(Err(NoQueueReason::NotNamed)),
            RuleKind::Specified => {
                if !is_legal(who.queue) {
                    return Err(Refusal::new(format!(
                        "Application submitted by user {}with illegal queue name '{}'.",
                        who.user, who.queue
                    )));
                }
                rooted(who.queue)
            }
            RuleKind::User | RuleKind::NestedUser => below(who.user),
            RuleKind::PrimaryGroup => match who.groups.first() {
                Some(group) => below(group),
                None => return Err(Refusal::new(format!("No groups found for user {}", who.user))),
            },
            RuleKind::SecondaryGroup => {
                let found = who.groups.iter().map(|group| below(group)).find(|path| self.is_configured(path));
                return Ok(found.ok_or(NoQueueReason::NoGroup));
            }
            RuleKind::Default => {
                let queue = rule.queue.as_deref().filter(|q| !q.is_empty() && is_legal(q));
                queue.map_or_else(|| "root.default".to_string(), rooted)
            }
        };
        Ok(if rule.create || self.is_configured(&path) {
            Ok(path)
        } else {
            Err(NoQueueReason::NotThere { queue: path })
        })
    }

    /// Returns the queue where an application without a reservation runs: the default queue of a queue that can be
    /// reserved.
    pub(super) fn of_plan<'p>(&self, path: &'p str) -> Cow<'p, str> {
        let reservable = self.find_queue(path).is_some() && self.file.queues.get(path).is_some_and(|q| q.reservable);
        if !reservable {
            return Cow::Borrowed(path);
        }
        let name = path.rsplit('.').next().unwrap_or(path);
        Cow::Owned(format!("{path}.{name}-default"))
    }

    /// Returns whether a user may move an application to this queue. With ACLs the queue has to exist.
    pub(crate) fn may_move(&self, path: &str, user: &str, groups: &[String]) -> bool {
        !self.conf.acl_enabled || self.find_queue(path).is_some() && self.may_submit(path, user, groups)
    }

    /// Returns whether the user may submit to a queue, or to one above it.
    pub(crate) fn may_submit(&self, path: &str, user: &str, groups: &[String]) -> bool {
        self.allows(path, |submit, administer| submit.allows(user, groups) || administer.allows(user, groups))
    }

    /// Returns whether the user may administer a queue, or one above it.
    pub fn may_administer(&self, path: &str, user: &str, groups: &[String]) -> bool {
        self.allows(path, |_, administer| administer.allows(user, groups))
    }

    fn allows(&self, path: &str, allow: impl Fn(&Acl, &Acl) -> bool) -> bool {
        let mut at = path;
        loop {
            if self.acls.get(at).is_some_and(|(submit, administer)| allow(submit, administer)) {
                return true;
            }
            match at.rsplit_once('.') {
                Some((parent, _)) => at = parent,
                None => return false,
            }
        }
    }

    /// Makes the first check, only with `yarn.acl.enable`. Errors: the submission is refused.
    pub(crate) fn check_access(&self, app: &str, path: &str, user: &str, groups: &[String]) -> Result<(), Refusal> {
        let mut known = path;
        while self.find_queue(known).is_none() {
            match known.rsplit_once('.') {
                Some((parent, _)) => known = parent,
                None => break,
            }
        }
        if !self.conf.acl_enabled || self.may_submit(known, user, groups) {
            return Ok(());
        }
        let words = format!(
            "User {user} does not have permission to submit {app} to queue {path} denied by ACL for queue {known}"
        );
        Err(Refusal::of(RefusalRule::Permission { user: user.to_string(), queue: path.to_string() }, words))
    }

    /// Makes the scheduler's checks and returns the leaf. `None`: its creation raises an error in YARN, and the
    /// application stays without an answer for ever. Errors: the application is rejected.
    pub(crate) fn accept(
        &mut self,
        c: &mut Cluster,
        app: AppId,
        names: (&str, &str),
        path: Option<&str>,
        am: Option<Resource>,
    ) -> Result<Option<QueueId>, Refusal> {
        let (name, user) = names;
        let Some(path) = path.map(|path| self.of_plan(path)) else {
            let words =
                format!("Reject application {name} submitted by user {user} application rejected by placement rules.");
            return Err(Refusal::of(RefusalRule::MappingRule, words));
        };
        if !is_path(&path) {
            return Ok(None);
        }
        let path = path.as_ref();
        let was_there = self.find_queue(path).is_some();
        let queue = self.find_or_create(c, path, true).map_err(|why| {
            let queue = path.to_string();
            let kind = match why {
                NoQueue::OtherType => RefusalRule::NotALeaf { queue },
                NoQueue::BelowLeaf(leaf) => RefusalRule::BelowLeaf { queue, leaf },
                NoQueue::Policy { made, policy, parent, of_parent } => {
                    let (policy, of_parent) = (policy.text().to_string(), of_parent.text().to_string());
                    RefusalRule::Policy { queue, made, policy, parent, of_parent }
                }
                NoQueue::OutOfBounds => RefusalRule::NotCreated {
                    queue,
                    reason: format!("it is not one of {QUEUE_DEPTH} levels below root"),
                },
            };
            Refusal::of(kind, format!("{path} is not a leaf queue"))
        })?;
        let groups = c.user_groups(c.app(app).user);
        if !self.may_submit(path, user, groups) {
            let kind = RefusalRule::Permission { user: user.to_string(), queue: path.to_string() };
            let words = format!("User {user} does not have permission to submit {name} to queue {path}");
            return Err(Refusal::of(kind, words));
        }
        // The label is computed if the queue existed before the application.
        let label = if was_there { "" } else { "null" };
        if let Some((types, refused)) = am.and_then(|size| self.forbidden_types(c, queue, &am_row(size), label)) {
            let maximum = self.maximum_of(c, queue).text(&c.types);
            let words = format!(
                "Cannot submit application {name} to queue {path} because it has zero amount of resource for a \
                 requested resource! Invalid requested AM resources: [{refused}], maximum queue resources: {maximum}"
            );
            return Err(Refusal::of(RefusalRule::NothingOfType { queue: path.to_string(), types }, words));
        }
        self.queue_mut(queue).assigned.push(app);
        Ok(Some(queue))
    }

    /// Returns the types that a request asks for although its queue's maximum of them is 0, and YARN's text of the
    /// request with its label (12.1).
    pub(crate) fn forbidden_types(
        &self,
        c: &Cluster,
        queue: QueueId,
        row: &AskRow,
        label: &str,
    ) -> Option<(Vec<usize>, String)> {
        let size = row.size;
        let maximum = self.maximum_of(c, queue);
        let names = c.types.names();
        let types: Vec<usize> = (0..names.len()).filter(|i| size[*i] > 0 && maximum[*i] == 0).collect();
        let forbidden: Vec<String> = types
            .iter()
            .map(|i| (*i, &names[*i]))
            .map(|(i, name)| {
                let unit = if i == 0 { "Mi" } else { "" };
                // A record of memory and vcores has no bounds, those of further types are copies of the configured
                // ones.
                let (least, most) = if i < 2 { (0, i64::MAX) } else { (c.minimum[i], c.maximum_at_start[i]) };
                format!(
                    "name: {name}, units: {unit}, type: COUNTABLE, value: {}, minimum allocation: {least}, maximum \
                     allocation: {most}, tags: [], attributes {{}}",
                    size[i]
                )
            })
            .collect();
        (!types.is_empty()).then(|| {
            let words = format!(
                "MaxResourceValidationResult{{resourceRequest={{AllocationRequestId: {}, Priority: {}, Capability: {}, \
                 # Containers: {}, Location: {}, Relax Locality: {}, Execution Type Request: {{Execution Type: \
                 GUARANTEED, Enforce Execution Type: false}}, Node Label Expression: {label}}}, invalidResources=[{}]}}",
                row.allocation_request_id,
                row.priority,
                size.text(&c.types),
                row.count,
                row.place,
                row.relax,
                forbidden.join(", ")
            );
            (types, words)
        })
    }
}

/// Returns the request for an ApplicationMaster's own container.
pub(super) fn am_row(size: Resource) -> AskRow {
    AskRow::anywhere(0, size, 1)
}
