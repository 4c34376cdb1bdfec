//! The event loop: one action at a time, queued reviews, and the two timers (slider-placement.md section 6).

use super::Slider;
use super::decision::{Event, Report};
use super::settings::default;
use crate::model::Millis;

/// A Slider attempt with its queue and its timers.
#[derive(Clone, Debug, PartialEq)]
pub struct EventLoop {
    slider: Slider,
    check_every: Millis,
    next_check: Millis,
    /// The period of resets of recent failures; 0: they are never forgotten.
    window: Millis,
    next_window: Millis,
    review_queued: bool,
    over: bool,
}

impl EventLoop {
    /// Creates the loop of a Slider that has just started. `check_seconds`: `escalation.check.interval.seconds` of
    /// internal.json. The start queues a review.
    pub fn new(now: Millis, slider: Slider, check_seconds: Option<i32>) -> Self {
        let check_every = i64::from(check_seconds.unwrap_or(default::ESCALATION_CHECK).max(1)) * 1000;
        // A definition in force has been parsed, so this cannot fail.
        let window = slider.definition().failure_window().unwrap_or(0).saturating_mul(1000);
        EventLoop {
            slider,
            check_every,
            next_check: now + check_every,
            window,
            next_window: now + window,
            review_queued: true,
            over: false,
        }
    }

    /// Returns the state.
    pub fn slider(&self) -> &Slider {
        &self.slider
    }

    /// Returns the state, for edits of its history files.
    pub fn slider_mut(&mut self) -> &mut Slider {
        &mut self.slider
    }

    /// Returns whether the application is stopped.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Returns when the next timer fires.
    pub fn wakes_at(&self) -> Option<Millis> {
        let window = (self.window > 0).then_some(self.next_window);
        (!self.over).then(|| window.map_or(self.next_check, |w| w.min(self.next_check)))
    }

    /// Returns when a timer next has something to do: a request to relax, or failures to forget.
    pub fn acts_at(&self) -> Option<Millis> {
        let check = self.slider.history().requests.next_escalation().map(|due| self.relaxes_at(due));
        let window = (self.window > 0 && self.slider.has_recent_failures()).then_some(self.next_window);
        [check, window].into_iter().flatten().min().filter(|_| !self.over)
    }

    /// Returns the time of the check that relaxes a request due after this time, if it still waits then.
    pub fn relaxes_at(&self, after: Millis) -> Millis {
        let missed = (after - self.next_check).div_euclid(self.check_every) + 1;
        self.next_check + self.check_every * missed.max(0)
    }

    /// Skips the timer rounds before this time, which had nothing to do.
    pub fn skip_to(&mut self, now: Millis) {
        let skip = |next: &mut Millis, every: Millis| {
            if every > 0 && *next < now {
                *next += (now - *next + every - 1) / every * every;
            }
        };
        skip(&mut self.next_check, self.check_every);
        skip(&mut self.next_window, self.window);
    }

    /// Returns the period of escalation checks.
    pub fn check_every(&self) -> Millis {
        self.check_every
    }

    /// Returns the period of resets of recent failures; 0: they are never forgotten.
    pub fn window(&self) -> Millis {
        self.window
    }

    /// Processes events that arrived together, after the due timers. A review that any of them queued runs once, at the end.
    /// Returns a report for each step, in order.
    pub fn run(&mut self, now: Millis, events: impl IntoIterator<Item = Event>) -> Vec<Report> {
        let mut out = Vec::new();
        // A periodic action is rescheduled relative to the time at which it runs, not to the time at which it was due.
        if self.next_check <= now {
            self.next_check = now + self.check_every;
            self.step(now, Event::EscalationCheck, &mut out);
        }
        if self.window > 0 && self.next_window <= now {
            self.next_window = now + self.window;
            self.step(now, Event::FailureWindow, &mut out);
        }
        for event in events {
            self.step(now, event, &mut out);
        }
        if std::mem::take(&mut self.review_queued) {
            self.step(now, Event::Review, &mut out);
        }
        out
    }

    fn step(&mut self, now: Millis, event: Event, out: &mut Vec<Report>) {
        if self.over {
            return;
        }
        let report = self.slider.handle(now, event);
        self.review_queued |= report.review;
        self.over |= report.stopped.is_some();
        out.push(report);
    }
}
