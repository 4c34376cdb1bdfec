//! A container on its node, event by event (ContainerImpl; lifecycles-and-timing.md 1.4), and whether its node starts a
//! process that failed again by itself (SlidingWindowRetryPolicy; 4.6).

use crate::model::Millis;

/// Exit code of a container that has none yet (ContainerExitStatus.INVALID).
const INVALID: i32 = -1000;

/// State of a container on its node. Every state but the last is reported as running.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum NmState {
    #[default]
    New,
    Localizing,
    LocalizationFailed,
    /// Localised, and about to be launched.
    Scheduled,
    Running,
    /// Its process failed and is being started again.
    Relaunching,
    Killing,
    ExitedWithSuccess,
    ExitedWithFailure,
    CleanedUpAfterKill,
    Done,
}

impl NmState {
    /// Returns YARN's name.
    pub fn text(self) -> &'static str {
        match self {
            NmState::New => "NEW",
            NmState::Localizing => "LOCALIZING",
            NmState::LocalizationFailed => "LOCALIZATION_FAILED",
            NmState::Scheduled => "SCHEDULED",
            NmState::Running => "RUNNING",
            NmState::Relaunching => "RELAUNCHING",
            NmState::Killing => "KILLING",
            NmState::ExitedWithSuccess => "EXITED_WITH_SUCCESS",
            NmState::ExitedWithFailure => "EXITED_WITH_FAILURE",
            NmState::CleanedUpAfterKill => "CONTAINER_CLEANEDUP_AFTER_KILL",
            NmState::Done => "DONE",
        }
    }
}

/// An event of a container on its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NmEvent {
    Init,
    Localized,
    LocalizationFailed,
    Launched,
    /// Its process ended by itself.
    Exited(i32),
    /// Its process was killed, by order or from outside, with this exit code.
    FoundKilled(i32),
    /// It is to be killed; the exit code says by whose order.
    Kill(i32),
    ResourcesCleaned,
}

/// The counter of a node's metrics that a completed container adds to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountedAs {
    Completed,
    Failed,
    Killed,
}

impl CountedAs {
    /// Returns the name in the node's metrics.
    pub fn text(self) -> &'static str {
        match self {
            CountedAs::Completed => "completed",
            CountedAs::Failed => "failed",
            CountedAs::Killed => "killed",
        }
    }
}

/// A container on its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NmContainer {
    pub state: NmState,
    pub exit_code: i32,
    /// The exit code, once it is over.
    pub counted_as: Option<CountedAs>,
}

impl Default for NmContainer {
    fn default() -> Self {
        NmContainer { state: NmState::New, exit_code: INVALID, counted_as: None }
    }
}

impl NmContainer {
    /// Applies an event. `retries`: whether its node starts a process again that exited like this. A state ignores the
    /// events that it does not list.
    pub fn hears(&mut self, event: NmEvent, retries: bool) {
        use NmEvent as E;
        use NmState as S;
        self.state = match (self.state, event) {
            (S::New, E::Init) => S::Localizing,
            (S::New, E::Kill(code)) => {
                self.exit_code = code;
                self.counted_as = Some(CountedAs::Killed);
                S::Done
            }
            (S::Localizing, E::Localized) => S::Scheduled,
            (S::Localizing, E::LocalizationFailed) => S::LocalizationFailed,
            (S::Localizing | S::Scheduled | S::Running | S::Relaunching, E::Kill(code)) => {
                // The exit code is fixed now, unless the process still ends by itself.
                self.exit_code = code;
                S::Killing
            }
            (S::Scheduled | S::Relaunching, E::Launched) => S::Running,
            (S::Running, E::Exited(code)) if code != 0 && retries => S::Relaunching,
            (S::Running | S::Killing, E::Exited(0)) => {
                self.exit_code = 0;
                S::ExitedWithSuccess
            }
            (S::Scheduled | S::Running | S::Relaunching | S::Killing, E::Exited(code)) => {
                self.exit_code = code;
                S::ExitedWithFailure
            }
            (S::Running | S::Relaunching, E::FoundKilled(code)) => {
                self.exit_code = code;
                S::ExitedWithFailure
            }
            (S::Killing, E::FoundKilled(code)) => {
                if self.exit_code == INVALID {
                    self.exit_code = code;
                }
                S::CleanedUpAfterKill
            }
            (
                from @ (S::LocalizationFailed
                | S::Killing
                | S::ExitedWithSuccess
                | S::ExitedWithFailure
                | S::CleanedUpAfterKill),
                E::ResourcesCleaned,
            ) => {
                self.counted_as = Some(match from {
                    S::ExitedWithSuccess => CountedAs::Completed,
                    S::LocalizationFailed | S::ExitedWithFailure => CountedAs::Failed,
                    _ => CountedAs::Killed,
                });
                S::Done
            }
            (state, _) => state,
        };
    }

    /// Returns whether its end wakes the node's heartbeat thread.
    pub fn wakes_heartbeat(&self) -> bool {
        self.state == NmState::Done
    }
}

/// After which failures a node starts a process again (ContainerRetryPolicy).
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum RetryPolicy {
    #[default]
    Never,
    AllErrors,
    /// After failures with one of these exit codes.
    Codes(Vec<i32>),
}

/// How a node starts failed processes again (ContainerRetryContext).
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Retry {
    pub policy: RetryPolicy,
    /// The number of restarts; −1: no limit.
    pub most: i32,
    /// The window in which restarts count, ms; `None`: all of them count.
    pub window: Option<Millis>,
}

/// The restarts of one process so far.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Retries {
    /// The number of restarts left; −1: no limit.
    pub remaining: i32,
    /// The times of its restarts within the window.
    pub at: Vec<Millis>,
}

impl Retry {
    /// Starts without any restart.
    pub fn begin(&self) -> Retries {
        Retries { remaining: self.most, at: Vec::new() }
    }

    /// Returns whether a process that ended is started again, and records the restart. A process that succeeded or was
    /// killed from outside is not.
    pub fn again(&self, retries: &mut Retries, exit_code: i32, now: Millis) -> bool {
        let mends = match &self.policy {
            RetryPolicy::Never => false,
            RetryPolicy::AllErrors => true,
            RetryPolicy::Codes(codes) => codes.contains(&exit_code),
        };
        if !mends || [0, 137, 143].contains(&exit_code) {
            return false;
        }
        if self.most == -1 {
            return true;
        }
        if let Some(window) = self.window.filter(|ms| *ms > 0) {
            retries.at.retain(|at| now.saturating_sub(*at) <= window);
            retries.remaining = self.most.saturating_sub(i32::try_from(retries.at.len()).unwrap_or(i32::MAX));
        }
        if retries.remaining <= 0 {
            return false;
        }
        if self.window.is_some_and(|ms| ms > 0) {
            retries.at.push(now);
        } else {
            retries.remaining -= 1;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A container that is over ignores every event; a kill fixes the exit code.
    #[test]
    fn ways_of_a_container() {
        use NmEvent as E;
        for (events, state, exit_code, counted) in [
            (&[E::Kill(-106)][..], NmState::Done, -106, Some(CountedAs::Killed)),
            (&[E::Init, E::Kill(-105), E::ResourcesCleaned], NmState::Done, -105, Some(CountedAs::Killed)),
            (
                &[E::Init, E::Localized, E::Launched, E::Exited(0), E::Kill(-106), E::ResourcesCleaned],
                NmState::Done,
                0,
                Some(CountedAs::Completed),
            ),
            (
                &[E::Init, E::Localized, E::Launched, E::Kill(-106), E::FoundKilled(143)],
                NmState::CleanedUpAfterKill,
                -106,
                None,
            ),
            (&[E::Init, E::Localized, E::Launched, E::FoundKilled(143)], NmState::ExitedWithFailure, 143, None),
            (&[E::Init, E::Localized, E::Launched, E::Kill(-106), E::Exited(0)], NmState::ExitedWithSuccess, 0, None),
            (&[E::Init, E::LocalizationFailed, E::Kill(-106)], NmState::LocalizationFailed, INVALID, None),
        ] {
            let mut c = NmContainer::default();
            events.iter().for_each(|e| c.hears(*e, false));
            assert_eq!((c.state, c.exit_code, c.counted_as), (state, exit_code, counted), "{events:?}");
        }
        let mut again = NmContainer::default();
        [E::Init, E::Localized, E::Launched].iter().for_each(|e| again.hears(*e, true));
        again.hears(E::Exited(1), true);
        assert_eq!(again.state, NmState::Relaunching);
    }

    #[test]
    fn a_process_is_started_again_as_often_as_its_policy_says() {
        let retry = |policy, most, window| Retry { policy, most, window };
        let codes = || RetryPolicy::Codes(vec![2, 6]);
        for (retry, code, times) in [
            (retry(RetryPolicy::Never, 3, None), 2, 0),
            (retry(RetryPolicy::AllErrors, 3, None), 2, 3),
            (retry(RetryPolicy::AllErrors, 3, None), 0, 0),
            (retry(RetryPolicy::AllErrors, 3, None), 143, 0),
            (retry(codes(), 3, None), 6, 3),
            (retry(codes(), 3, None), 1, 0),
            (retry(RetryPolicy::AllErrors, 3, Some(10)), 1, 3),
            (retry(RetryPolicy::AllErrors, -1, None), 1, 50),
        ] {
            let mut retries = retry.begin();
            let done = (0..50).take_while(|_| retry.again(&mut retries, code, 0)).count();
            assert_eq!(done, times, "{retry:?} {code}");
        }
    }

    #[test]
    fn old_restarts_do_not_count() {
        let retry = Retry { policy: RetryPolicy::AllErrors, most: 1, window: Some(10) };
        let mut retries = retry.begin();
        let again = [0, 20, 30, 41].map(|at| (retry.again(&mut retries, 12, at), retries.remaining));
        assert_eq!(again, [(true, 1), (true, 1), (false, 0), (true, 1)], "10 ms ago still counts");
    }
}
