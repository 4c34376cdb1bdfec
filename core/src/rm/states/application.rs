//! An application (RMAppImpl).

use super::Target;
use crate::rm::AppState;

/// State of an application, with those that pass at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AppStep {
    New,
    /// The submission is being saved.
    NewSaving,
    /// The scheduler is asked.
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

/// What an application hears.
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

/// What an application needs done when it changes its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AppNeeds {
    Nothing,
    /// It is to be saved, confirmed by `Stored` or `Saved`.
    Save,
    /// The scheduler is to be asked.
    Scheduler,
    /// An attempt is to be made.
    Attempt,
    /// Its attempt is to be killed.
    KillAttempt,
    /// It is over: the scheduler is to forget it, nodes are to clean up after it.
    Removal,
}

impl AppStep {
    /// The next state. Whatever is not listed for a state is ignored in it.
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
            // Of an unmanaged AM there is no end of a container to wait for.
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

    /// The next state where nothing takes time to be saved.
    pub fn after(self, event: AppEvent) -> AppStep {
        let (step, _) = self.next(event);
        match step {
            AppStep::NewSaving => step.next(AppEvent::Stored).0,
            AppStep::FinalSaving(_) => step.next(AppEvent::Saved).0,
            _ => step,
        }
    }

    /// As people are shown it: what passes at once, as the state before.
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

    /// By YARN's name; one whose end is being saved, as one whose AM has said that it is done.
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

    /// YARN's name.
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
