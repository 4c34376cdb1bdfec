//! Where an application would go: asked of the rules and of the checks of a submission, without submitting it.

use super::manager::{AppEnd, ResourceManager};
use crate::api::{AmAsk, Refusal, Submission};
use crate::journal::Silent;
use crate::scheduler::QueueChoice;
use std::sync::Arc;

/// Who would submit what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submitter {
    pub user: String,
    /// The user's groups, the primary one first; `None`: as the ResourceManager knows them.
    pub groups: Option<Vec<String>>,
    /// The queue that is asked for; `default`: none.
    pub queue: String,
    /// Name of the application; some rules go by it.
    pub application: String,
}

/// Where an application would go.
#[derive(Clone, Debug, PartialEq)]
pub struct Landing {
    /// What each rule made of it; `None` if it would be refused before any rule is asked.
    pub choice: Option<Arc<QueueChoice>>,
    /// The queue that it would be in; `None`: YARN would not answer. Errors: it would be refused or rejected.
    pub outcome: Result<Option<String>, Refusal>,
    /// Would that queue be made for it?
    pub made: bool,
}

impl ResourceManager {
    /// Where an application with the smallest ApplicationMaster would go if it was submitted now.
    pub fn would_land(&self, who: &Submitter) -> Landing {
        let mut rm = self.clone();
        if let Some(groups) = &who.groups {
            rm.cluster.set_groups(&who.user, groups.clone());
        }
        let am = Some(AmAsk { size: rm.cluster.minimum, ..AmAsk::default() });
        let (queue, user, name) = (who.queue.clone(), who.user.clone(), who.application.clone());
        let submission = Submission { queue, user, name, am, ..Submission::default() };
        let outcome = rm.submit(submission, &mut Silent).and_then(|id| {
            let app = &rm.apps[id.index()];
            match &app.end {
                Some(AppEnd::Rejected(refusal)) => Err(refusal.clone()),
                _ => Ok(rm.queue(&app.queue).map(|q| rm.queue_path(q).to_string())),
            }
        });
        let made = matches!(&outcome, Ok(Some(path)) if self.queue(path).is_none());
        Landing { choice: rm.latest_choice, outcome, made }
    }
}
