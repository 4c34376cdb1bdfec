//! The event loop: one action at a time, reviews one after the other, and the two timers (slider-placement.md section 6).

use super::Slider;
use super::decision::{Event, Report};
use super::settings::default;
use crate::model::Millis;

/// A Slider with its queue and its timers.
#[derive(Clone, Debug, PartialEq)]
pub struct EventLoop {
    slider: Slider,
    check_every: Millis,
    next_check: Millis,
    /// 0: failures are never forgotten.
    window: Millis,
    next_window: Millis,
    review_queued: bool,
    over: bool,
}

impl EventLoop {
    /// For a Slider that has just started. `check_seconds`: `escalation.check.interval.seconds` of internal.json. A
    /// start wants a review.
    pub fn new(now: Millis, slider: Slider, check_seconds: Option<i32>) -> Self {
        let check_every = i64::from(check_seconds.unwrap_or(default::ESCALATION_CHECK).max(1)) * 1000;
        // A definition that is in force was parsed.
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

    /// The state.
    pub fn slider(&self) -> &Slider {
        &self.slider
    }

    /// The state, for somebody who edits its history files.
    pub fn slider_mut(&mut self) -> &mut Slider {
        &mut self.slider
    }

    /// Is the application stopped?
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// When the next timer fires.
    pub fn wakes_at(&self) -> Option<Millis> {
        let window = (self.window > 0).then_some(self.next_window);
        (!self.over).then(|| window.map_or(self.next_check, |w| w.min(self.next_check)))
    }

    /// When a timer finds something to do: a request to relax, failures to forget.
    pub fn acts_at(&self) -> Option<Millis> {
        let check = self.slider.history().requests.next_escalation().map(|due| self.relaxes_at(due));
        let window = (self.window > 0 && self.slider.has_recent_failures()).then_some(self.next_window);
        [check, window].into_iter().flatten().min().filter(|_| !self.over)
    }

    /// The check that relaxes what is to be relaxed after this moment, if it still waits by then.
    pub fn relaxes_at(&self, after: Millis) -> Millis {
        let missed = (after - self.next_check).div_euclid(self.check_every) + 1;
        self.next_check + self.check_every * missed.max(0)
    }

    /// Leaves out the rounds of timers before this moment: they had nothing to do.
    pub fn skip_to(&mut self, now: Millis) {
        let skip = |next: &mut Millis, every: Millis| {
            if every > 0 && *next < now {
                *next += (now - *next + every - 1) / every * every;
            }
        };
        skip(&mut self.next_check, self.check_every);
        skip(&mut self.next_window, self.window);
    }

    /// Between two escalation checks.
    pub fn check_every(&self) -> Millis {
        self.check_every
    }

    /// Between two resets of recent failures; 0: they are never forgotten.
    pub fn window(&self) -> Millis {
        self.window
    }

    /// Takes in what arrived together, after the timers that were due; a review that any of it queued runs once, at the
    /// end. What came of each, in order.
    pub fn run(&mut self, now: Millis, events: impl IntoIterator<Item = Event>) -> Vec<Report> {
        let mut out = Vec::new();
        // An action that comes again is put back when it has run.
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
