//! Ways through the machines as the notes have them, and that nothing leaves a final state.

use super::*;

const APP_STEPS: [AppStep; 14] = [
    AppStep::New,
    AppStep::NewSaving,
    AppStep::Submitted,
    AppStep::Accepted,
    AppStep::Running,
    AppStep::FinalSaving(Target::Finishing),
    AppStep::FinalSaving(Target::Finished),
    AppStep::FinalSaving(Target::Failed),
    AppStep::FinalSaving(Target::Killed),
    AppStep::Finishing,
    AppStep::Finished,
    AppStep::Failed,
    AppStep::Killing,
    AppStep::Killed,
];

const APP_EVENTS: [AppEvent; 13] = [
    AppEvent::Start,
    AppEvent::Stored,
    AppEvent::StoreRefused,
    AppEvent::Rejected,
    AppEvent::Accepted,
    AppEvent::Kill,
    AppEvent::AttemptRegistered,
    AppEvent::AttemptUnregistered,
    AppEvent::AttemptFinished,
    AppEvent::AttemptFailed { last: false },
    AppEvent::AttemptFailed { last: true },
    AppEvent::AttemptKilled,
    AppEvent::Saved,
];

/// Each state × each event: what is final stays, and only what ends is removed, once.
#[test]
fn an_application_that_is_over_stays_over() {
    for step in APP_STEPS {
        for event in APP_EVENTS {
            let (next, needs) = step.next(event);
            let over = |step: AppStep| matches!(step, AppStep::Finished | AppStep::Failed | AppStep::Killed);
            if over(step) {
                assert_eq!((next, needs), (step, AppNeeds::Nothing), "{step:?} {event:?}");
            } else {
                assert_eq!(over(next), needs == AppNeeds::Removal, "{step:?} {event:?}");
            }
            let saves = matches!(next, AppStep::NewSaving | AppStep::FinalSaving(_));
            let same_save = matches!((step, next), (AppStep::FinalSaving(_), AppStep::FinalSaving(_)));
            assert_eq!(needs == AppNeeds::Save, saves && step != next && !same_save, "{step:?} {event:?}");
        }
    }
}

#[test]
fn an_attempt_that_is_over_stays_over_and_each_end_is_told() {
    use AttemptEvent as E;
    use AttemptStep as S;
    let events = [
        E::Start,
        E::Added { unmanaged: false },
        E::Added { unmanaged: true },
        E::Allocated,
        E::Stored,
        E::Launched,
        E::LaunchFailed,
        E::Registered,
        E::Unregistered { unmanaged: false },
        E::Unregistered { unmanaged: true },
        E::ContainerFinished { am: true },
        E::ContainerFinished { am: false },
        E::Expire,
        E::Kill,
        E::Fail,
        E::Saved,
    ];
    let steps = [
        S::New,
        S::Submitted,
        S::Scheduled,
        S::AllocatedSaving,
        S::Allocated,
        S::LaunchedUnmanagedSaving,
        S::Launched,
        S::Running,
        S::FinalSaving(Target::Finishing),
        S::FinalSaving(Target::Finished),
        S::FinalSaving(Target::Failed),
        S::FinalSaving(Target::Killed),
        S::Finishing,
        S::Finished,
        S::Failed,
        S::Killed,
    ];
    for step in steps {
        for event in events {
            let (next, told) = step.next(event);
            if step.is_over() {
                assert_eq!((next, told), (step, None), "{step:?} {event:?}");
            }
            if next.is_over() && !step.is_over() {
                let end = match next {
                    S::Finished => AppEvent::AttemptFinished,
                    S::Failed => AppEvent::AttemptFailed { last: false },
                    _ => AppEvent::AttemptKilled,
                };
                assert_eq!(told, Some(end), "{step:?} {event:?}");
            }
            // An AM that was not launched by anybody does not matter to others' containers.
            if event == (E::ContainerFinished { am: false }) {
                assert_eq!((next, told), (step, None), "{step:?}");
            }
        }
    }
}

#[test]
fn the_way_of_an_application_without_a_wait_for_the_state_store() {
    let mut app = AppStep::New;
    let way = [
        (AppEvent::Start, AppStep::Submitted),
        (AppEvent::Accepted, AppStep::Accepted),
        (AppEvent::AttemptRegistered, AppStep::Running),
        (AppEvent::AttemptFailed { last: false }, AppStep::Accepted),
        (AppEvent::AttemptRegistered, AppStep::Running),
        (AppEvent::AttemptUnregistered, AppStep::Finishing),
        (AppEvent::Kill, AppStep::Finishing),
        (AppEvent::AttemptFinished, AppStep::Finished),
    ];
    for (event, step) in way {
        app = app.after(event);
        assert_eq!(app, step);
    }
    assert_eq!(AttemptStep::Scheduled.after(AttemptEvent::Allocated), (AttemptStep::Allocated, None));
    let unregistered = AttemptStep::Running.after(AttemptEvent::Unregistered { unmanaged: false });
    assert_eq!(unregistered, (AttemptStep::Finishing, Some(AppEvent::AttemptUnregistered)));
}
