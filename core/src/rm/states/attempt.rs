//! An attempt of an application (RMAppAttemptImpl).

use super::{AppEvent, Target};

/// The state of an attempt, with the states that pass at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptStep {
    New,
    /// The scheduler is being asked to add it.
    Submitted,
    /// Its AM's container is asked for.
    Scheduled,
    /// The container is there, and the attempt is being saved.
    AllocatedSaving,
    /// Its AM is being launched.
    Allocated,
    /// The AM runs by itself, and the attempt is being saved.
    LaunchedUnmanagedSaving,
    Launched,
    /// Its AM has registered.
    Running,
    /// Its end is being saved.
    FinalSaving(Target),
    /// Its AM has unregistered.
    Finishing,
    Finished,
    Failed,
    Killed,
}

/// An event of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptEvent {
    Start,
    /// The scheduler has added it.
    Added {
        unmanaged: bool,
    },
    /// A container was allocated.
    Allocated,
    /// The attempt is saved.
    Stored,
    Launched,
    LaunchFailed,
    Registered,
    Unregistered {
        unmanaged: bool,
    },
    /// Its AM's container, or another one, has ended.
    ContainerFinished {
        am: bool,
    },
    /// Its AM expired.
    Expire,
    Kill,
    /// An administrator fails it.
    Fail,
    /// Its end is saved.
    Saved,
}

impl AttemptStep {
    /// Returns the next state, and the event for the application. A state ignores the events that it does not list.
    pub fn next(self, event: AttemptEvent) -> (AttemptStep, Option<AppEvent>) {
        use AttemptEvent as E;
        use AttemptStep as S;
        let quiet = |step| (step, None);
        let before_the_end = matches!(
            self,
            S::New
                | S::Submitted
                | S::Scheduled
                | S::AllocatedSaving
                | S::Allocated
                | S::LaunchedUnmanagedSaving
                | S::Launched
                | S::Running
        );
        match (self, event) {
            (S::New, E::Start) => quiet(S::Submitted),
            (S::Submitted, E::Added { unmanaged: true }) => quiet(S::LaunchedUnmanagedSaving),
            (S::Submitted, E::Added { unmanaged: false }) => quiet(S::Scheduled),
            (S::Scheduled, E::Allocated) => quiet(S::AllocatedSaving),
            (S::AllocatedSaving, E::Stored) => quiet(S::Allocated),
            (S::LaunchedUnmanagedSaving, E::Stored) | (S::Allocated, E::Launched) => quiet(S::Launched),
            // The registration may overtake the launcher's event.
            (S::Allocated | S::Launched, E::Registered) => (S::Running, Some(AppEvent::AttemptRegistered)),
            // It is not launched yet.
            (S::New | S::Submitted | S::LaunchedUnmanagedSaving, E::Registered) => {
                quiet(S::FinalSaving(Target::Failed))
            }
            (S::Running, E::Unregistered { unmanaged: true }) => (S::Finished, Some(AppEvent::AttemptFinished)),
            (S::Running, E::Unregistered { unmanaged: false }) => {
                (S::FinalSaving(Target::Finishing), Some(AppEvent::AttemptUnregistered))
            }
            (
                S::Scheduled | S::AllocatedSaving | S::Allocated | S::Launched | S::Running,
                E::ContainerFinished { am: true },
            )
            | (S::Allocated, E::LaunchFailed)
            | (S::Launched | S::Running, E::Expire) => quiet(S::FinalSaving(Target::Failed)),
            (_, E::Kill) if before_the_end => quiet(S::FinalSaving(Target::Killed)),
            (_, E::Fail) if before_the_end => quiet(S::FinalSaving(Target::Failed)),
            // The AM is faster than the state store.
            (S::FinalSaving(Target::Finishing), E::ContainerFinished { am: true } | E::Expire) => {
                quiet(S::FinalSaving(Target::Finished))
            }
            (S::FinalSaving(target), E::Saved) => match target {
                Target::Finishing => quiet(S::Finishing),
                Target::Finished => (S::Finished, Some(AppEvent::AttemptFinished)),
                Target::Failed => (S::Failed, Some(AppEvent::AttemptFailed { last: false })),
                Target::Killed => (S::Killed, Some(AppEvent::AttemptKilled)),
            },
            (S::Finishing, E::ContainerFinished { am: true } | E::Expire) => {
                (S::Finished, Some(AppEvent::AttemptFinished))
            }
            (state, _) => quiet(state),
        }
    }

    /// Returns the next state where saving takes no time, and the event for the application.
    pub fn after(self, event: AttemptEvent) -> (AttemptStep, Option<AppEvent>) {
        let (step, told) = self.next(event);
        let saved = match step {
            AttemptStep::AllocatedSaving | AttemptStep::LaunchedUnmanagedSaving => step.next(AttemptEvent::Stored),
            AttemptStep::FinalSaving(_) => step.next(AttemptEvent::Saved),
            _ => return (step, told),
        };
        (saved.0, told.or(saved.1))
    }

    /// Returns whether it is over.
    pub fn is_over(self) -> bool {
        matches!(self, AttemptStep::Finished | AttemptStep::Failed | AttemptStep::Killed)
    }

    /// Returns the state with a YARN name; an attempt whose end is being saved counts as one whose AM has unregistered.
    pub fn of(name: &str) -> Option<Self> {
        let target = AttemptStep::FinalSaving(Target::Finishing);
        let all = [
            AttemptStep::New,
            AttemptStep::Submitted,
            AttemptStep::Scheduled,
            AttemptStep::AllocatedSaving,
            AttemptStep::Allocated,
            AttemptStep::LaunchedUnmanagedSaving,
            AttemptStep::Launched,
            AttemptStep::Running,
            target,
            AttemptStep::Finishing,
            AttemptStep::Finished,
            AttemptStep::Failed,
            AttemptStep::Killed,
        ];
        all.into_iter().find(|step| step.text() == name)
    }

    /// Returns YARN's name.
    pub fn text(self) -> &'static str {
        match self {
            AttemptStep::New => "NEW",
            AttemptStep::Submitted => "SUBMITTED",
            AttemptStep::Scheduled => "SCHEDULED",
            AttemptStep::AllocatedSaving => "ALLOCATED_SAVING",
            AttemptStep::Allocated => "ALLOCATED",
            AttemptStep::LaunchedUnmanagedSaving => "LAUNCHED_UNMANAGED_SAVING",
            AttemptStep::Launched => "LAUNCHED",
            AttemptStep::Running => "RUNNING",
            AttemptStep::FinalSaving(_) => "FINAL_SAVING",
            AttemptStep::Finishing => "FINISHING",
            AttemptStep::Finished => "FINISHED",
            AttemptStep::Failed => "FAILED",
            AttemptStep::Killed => "KILLED",
        }
    }
}
