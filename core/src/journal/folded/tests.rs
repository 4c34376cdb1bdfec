//! Folded lines, and logs of repeated offers compared with logs that receive every entry.

use super::*;
use crate::check::{About, Amounts, Check, Failure};
use crate::journal::{Change, Finding};
use crate::model::Resource;
use crate::sim::Simulation;
use std::sync::Arc;

#[test]
fn what_repeats_is_one_line_until_something_happens() {
    let mut folded = Folded::new(1_000);
    let (mine, other) = (AppId(0), AppId(1));
    let refused = |app, size| {
        let (used, limit) = (Resource::new(size, 1), Resource::new(1024, 1));
        let failure = Failure::amounts(Check::UserLimit, Amounts::within(used, limit));
        Entry::from(Finding::Checked(failure.about(About::App(app))))
    };
    (0..3).for_each(|at| folded.keep(at, refused(mine, 2048)));
    folded.keep(3, refused(other, 2048));
    let plain = |check, app| -> Entry { Finding::Checked(Failure::of(check).about(About::App(app))).into() };
    folded.keep(4, plain(Check::AppPending, mine));
    folded.keep(5, refused(mine, 4096));
    let told = |f: &Folded| f.lines.iter().map(|l| (l.first, l.last, l.times)).collect::<Vec<_>>();
    assert_eq!(told(&folded), [(0, 5, 4), (3, 3, 1)]);
    assert_eq!(folded.lines[0].entry, refused(mine, 4096), "the figures of the last time");

    // Events of another application do not end it; its own, or those of no application, do, and so does another reason.
    folded.keep(6, Change::Rejected { app: other }.into());
    folded.keep(7, refused(mine, 4096));
    assert_eq!(told(&folded)[0], (0, 7, 5));
    folded.keep(8, Change::Rejected { app: mine }.into());
    folded.keep(9, refused(mine, 4096));
    folded.keep(10, Change::Refreshed.into());
    folded.keep(11, refused(mine, 4096));
    folded.keep(12, plain(Check::InDemand, mine));
    folded.keep(13, refused(mine, 4096));
    assert_eq!(told(&folded)[2..], [6, 8, 9, 10, 11, 12, 13].map(|at| (at, at, 1)));
}

#[test]
fn what_is_passed_over_is_bounded_and_what_happens_is_not() {
    let mut folded = Folded::new(1_000);
    let beyond = 10;
    for i in 0..SKIPS as u32 + beyond {
        folded.keep(0, Finding::Checked(Failure::of(Check::InDemand).about(About::App(AppId(i)))).into());
    }
    folded.keep(1, Change::Refreshed.into());
    assert_eq!((folded.lines.len(), folded.dropped), (SKIPS + 1, u64::from(beyond)));
}

/// Checks for every gallery scenario that repeated offers leave the same lines as offers recorded each time.
#[test]
fn what_is_repeated_is_as_if_told() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios");
    let mut repeated = 0;
    for file in std::fs::read_dir(folder).expect(folder) {
        let file = file.expect("a file").path();
        let text = std::fs::read_to_string(&file).expect("it can be read");
        let Some(scenario) = crate::scenario::read(&text).scenario else { continue };
        let start = Simulation::new(Arc::new(scenario)).expect("it starts");
        let (mut short, mut long) = (start.clone(), start);
        let (mut log, mut told) = (Folded::new(1_000), PlainLog(Folded::new(1_000)));
        for event in 0..20_000 {
            log.begin(event);
            told.0.begin(event);
            let (a, b) = (short.step(&mut log), long.step(&mut told));
            assert_eq!(a.is_some(), b.is_some(), "{}: event {event}", file.display());
            let flags = |l: &Folded| (l.decided, l.changed, l.dropped, l.lines.len());
            assert_eq!(flags(&log), flags(&told.0), "{}: event {event}", file.display());
            if a.is_none() {
                break;
            }
        }
        log.settle();
        assert_eq!(log.lines, told.0.lines, "{}", file.display());
        repeated += log.repeats;
    }
    assert!(repeated > 0, "nothing was ever repeated");
}
