//! Where an application of a user would go: asked of the rules and of the checks of a submission, without submitting it.

use super::manager::{AppEnd, ResourceManager};
use crate::api::{AmAsk, Refusal, Submission};
use crate::journal::Silent;
use crate::scheduler::fair::{Applicant, RuleLook};

/// Where an application would go.
#[derive(Clone, Debug, PartialEq)]
pub struct Landing {
    /// What each placement rule of the FairScheduler that is asked makes of it.
    pub rules: Vec<RuleLook>,
    /// The queue that it would be in; `None`: YARN would not answer. Errors: it would be refused or rejected.
    pub outcome: Result<Option<String>, Refusal>,
    /// Would that queue be made for it?
    pub made: bool,
}

impl ResourceManager {
    /// Where an application of a user would go that asks for this queue (`default` where it asks for none), with the
    /// smallest ApplicationMaster, if it was submitted now.
    pub fn would_land(&self, user: &str, queue: &str) -> Landing {
        let mut rm = self.clone();
        let id = rm.cluster.user(user);
        let mut rules = Vec::new();
        if let Some(scheduler) = self.fair() {
            let groups = rm.cluster.user_groups(id);
            // A refusal comes once more below.
            let _ = scheduler.place_told(&Applicant { queue, user, groups }, &mut rules);
        }
        let am = Some(AmAsk { size: rm.cluster.minimum, ..AmAsk::default() });
        let (queue, user) = (queue.to_string(), user.to_string());
        let outcome = rm.submit(Submission { queue, user, am, ..Submission::default() }, &mut Silent).and_then(|id| {
            let app = &rm.apps[id.index()];
            match &app.end {
                Some(AppEnd::Rejected(refusal)) => Err(refusal.clone()),
                _ => Ok(rm.queue(&app.queue).map(|q| rm.queue_path(q).to_string())),
            }
        });
        let made = matches!(&outcome, Ok(Some(path)) if self.queue(path).is_none());
        Landing { rules, outcome, made }
    }
}
