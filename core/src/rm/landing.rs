//! The queue that an application would go to, by the rules and checks of a submission, without submitting it.

use super::manager::{AppEnd, ResourceManager};
use crate::api::{AmAsk, Refusal, Submission};
use crate::journal::Silent;
use crate::scheduler::QueueChoice;
use std::sync::Arc;

/// A submission that is only tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submitter {
    pub user: String,
    /// The user's groups, the primary one first; `None`: those that the ResourceManager knows.
    pub groups: Option<Vec<String>>,
    /// The queue that the submission names; `default`: none.
    pub queue: String,
    /// The application's name, which some rules use.
    pub application: String,
}

/// The result of a tried submission.
#[derive(Clone, Debug, PartialEq)]
pub struct Landing {
    /// The result of each rule; `None`: the submission would be refused before any rule is tried.
    pub choice: Option<Arc<QueueChoice>>,
    /// The queue that it would be in; `None`: YARN would not answer. `Err`: it would be refused or rejected.
    pub outcome: Result<Option<String>, Refusal>,
    /// Whether that queue would be created for it.
    pub made: bool,
}

impl ResourceManager {
    /// Tries the submission of an application with the smallest ApplicationMaster, now.
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
