//! An application (RMAppImpl).

use super::Target;
use crate::rm::AppState;

/// The state of an application, with the states that pass at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AppStep {
    New,
    /// The submission is being saved.
    NewSaving,
    /// The scheduler decides about it.
    Submitted,
    Accepted,
    Running,
    /// Its end is being saved.
    FinalSaving(Target),
    Finishing,
    Finished,
    Failed,
    /// Its attempt is being killed.
    Killing,
    Killed,
}

/// An event of an application.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AppEvent {
    Start,
    /// The submission is saved.
    Stored,
    /// The state store refuses it.
    StoreRefused,
    Rejected,
    Accepted,
    Kill,
    AttemptRegistered,
    AttemptUnregistered,
    AttemptFinished,
    AttemptFailed {
        /// Whether there may be another one.
        last: bool,
    },
    AttemptKilled,
    /// The end is saved.
    Saved,
}

/// An action that a change of an application's state asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AppNeeds {
    Nothing,
    /// Save it, and confirm with `Stored` or `Saved`.
    Save,
    /// Ask the scheduler.
    Scheduler,
    /// Begin an attempt.
    Attempt,
    /// Kill its attempt.
    KillAttempt,
    /// Remove it from the scheduler and have the nodes clean up.
    Removal,
}

impl AppStep {
    /// Returns the next state and the actions. A state ignores the events that it does not list.
    pub fn next(self, event: AppEvent) -> (AppStep, AppNeeds) {
        use AppEvent as E;
        use AppStep as S;
        let save = |target| (S::FinalSaving(target), AppNeeds::Save);
        match (self, event) {
            (S::New, E::Start) => (S::NewSaving, AppNeeds::Save),
            (S::New, E::Kill) => (S::Killed, AppNeeds::Removal),
            (S::New, E::Rejected) | (S::NewSaving, E::StoreRefused) => (S::Failed, AppNeeds::Removal),
            (S::NewSaving, E::Stored) => (S::Submitted, AppNeeds::Scheduler),
            (S::NewSaving | S::Submitted, E::Kill) => save(Target::Killed),
            (S::NewSaving | S::Submitted, E::Rejected) => save(Target::Failed),
            (S::Submitted, E::Accepted) => (S::Accepted, AppNeeds::Attempt),
            (S::Accepted, E::AttemptRegistered) => (S::Running, AppNeeds::Nothing),
            (S::Accepted | S::Running, E::AttemptFailed { last: false }) => (S::Accepted, AppNeeds::Attempt),
            (S::Accepted | S::Running, E::AttemptFailed { last: true }) => save(Target::Failed),
            (S::Accepted | S::Running, E::Kill) => (S::Killing, AppNeeds::KillAttempt),
            (S::Accepted, E::AttemptFinished) => save(Target::Finished),
            // An unmanaged AM has no container whose end to wait for.
            (S::Running, E::AttemptFinished) => (S::Finished, AppNeeds::Removal),
            (S::Accepted, E::AttemptKilled) => save(Target::Killed),
            (S::Running | S::Killing, E::AttemptUnregistered) => save(Target::Finishing),
            (S::Killing, E::AttemptKilled | E::AttemptFailed { last: false }) => save(Target::Killed),
            (S::Killing, E::AttemptFailed { last: true }) => save(Target::Failed),
            (S::Killing, E::AttemptFinished) => save(Target::Finished),
            // The attempt is faster than the state store.
            (S::FinalSaving(Target::Finishing), E::AttemptFinished) => {
                (S::FinalSaving(Target::Finished), AppNeeds::Nothing)
            }
            (S::FinalSaving(target), E::Saved) => match target {
                Target::Finishing => (S::Finishing, AppNeeds::Nothing),
                Target::Finished => (S::Finished, AppNeeds::Removal),
                Target::Failed => (S::Failed, AppNeeds::Removal),
                Target::Killed => (S::Killed, AppNeeds::Removal),
            },
            (S::Finishing, E::AttemptFinished) => (S::Finished, AppNeeds::Removal),
            (state, _) => (state, AppNeeds::Nothing),
        }
    }

    /// Returns the next state where saving takes no time.
    pub fn after(self, event: AppEvent) -> AppStep {
        let (step, _) = self.next(event);
        match step {
            AppStep::NewSaving => step.next(AppEvent::Stored).0,
            AppStep::FinalSaving(_) => step.next(AppEvent::Saved).0,
            _ => step,
        }
    }

    /// Returns the state as users see it: one that passes at once shows as the state before.
    pub fn shown(self) -> AppState {
        match self {
            AppStep::New | AppStep::NewSaving | AppStep::Submitted | AppStep::Accepted => AppState::Accepted,
            AppStep::Running | AppStep::Killing => AppState::Running,
            AppStep::FinalSaving(Target::Finishing | Target::Finished) | AppStep::Finishing => AppState::Finishing,
            AppStep::FinalSaving(Target::Failed | Target::Killed) => AppState::Running,
            AppStep::Finished => AppState::Finished,
            AppStep::Failed => AppState::Failed,
            AppStep::Killed => AppState::Killed,
        }
    }

    /// Returns the state with a YARN name; an application whose end is being saved counts as one whose AM has
    /// unregistered.
    pub fn of(name: &str) -> Option<Self> {
        let target = AppStep::FinalSaving(Target::Finishing);
        let all = [
            AppStep::New,
            AppStep::NewSaving,
            AppStep::Submitted,
            AppStep::Accepted,
            AppStep::Running,
            target,
            AppStep::Finishing,
            AppStep::Finished,
            AppStep::Failed,
            AppStep::Killing,
            AppStep::Killed,
        ];
        all.into_iter().find(|step| step.text() == name)
    }

    /// Returns YARN's name.
    pub fn text(self) -> &'static str {
        match self {
            AppStep::New => "NEW",
            AppStep::NewSaving => "NEW_SAVING",
            AppStep::Submitted => "SUBMITTED",
            AppStep::Accepted => "ACCEPTED",
            AppStep::Running => "RUNNING",
            AppStep::FinalSaving(_) => "FINAL_SAVING",
            AppStep::Finishing => "FINISHING",
            AppStep::Finished => "FINISHED",
            AppStep::Failed => "FAILED",
            AppStep::Killing => "KILLING",
            AppStep::Killed => "KILLED",
        }
    }
}
