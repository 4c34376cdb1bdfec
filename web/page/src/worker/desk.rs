//! The requests that the engine has not answered: their numbers, the movement under way, and what must be sent to the next
//! engine if this one is lost.

use heddle_view::protocol::{Answer, Ask, Reply, Request};
use std::collections::VecDeque;

/// Seconds of silence after which an engine that owes an answer is probed.
const QUIET_S: u32 = 5;
/// Seconds after which it counts as gone: everything but reading a text is done in slices of some 40 ms.
const GONE_S: u32 = 30;

/// The page's record of its requests to one engine.
pub struct EngineRequests {
    ready: bool,
    next: u32,
    /// The movement that the engine is working on.
    moving: Option<Ask>,
    /// The latest movement requested meanwhile.
    waiting: Option<Request>,
    /// Questions that change nothing and are answered separately.
    asked: Vec<Ask>,
    /// The numbers of texts being read, during which the engine handles nothing.
    reading: Vec<u32>,
    /// The number up to which the engine has finished all requests.
    idle: u32,
    /// Requests from before the engine was ready.
    early: VecDeque<Ask>,
    /// Seconds of silence while an answer is owed.
    quiet: u32,
}

/// The consequence of a second of silence.
#[derive(Clone, Debug, PartialEq)]
pub enum SilenceAction {
    Nothing,
    /// Probe the engine.
    Ask(Box<Ask>),
    Gone,
}

impl EngineRequests {
    /// Creates the record for an engine whose first request has this number.
    pub fn new(first: u32) -> Self {
        EngineRequests {
            ready: false,
            next: first,
            moving: None,
            waiting: None,
            asked: Vec::new(),
            reading: Vec::new(),
            idle: first.wrapping_sub(1),
            early: VecDeque::new(),
            quiet: 0,
        }
    }

    /// The number of the next request.
    pub fn next(&self) -> u32 {
        self.next
    }

    /// Returns whether an answer is outstanding.
    pub fn busy(&self) -> bool {
        self.waiting.is_some() || self.idle.wrapping_add(1) != self.next
    }

    /// Takes a request. Returns its number and what to send; `None` for a movement that waits for the one before.
    pub fn send(&mut self, request: Request) -> (Option<u32>, Option<Ask>) {
        if request.moves() && self.moving.is_some() {
            self.waiting = Some(request);
            return (None, None);
        }
        if matches!(request, Request::Open { .. } | Request::Restore { .. }) {
            self.waiting = None;
        }
        let ask = self.number(request);
        let id = Some(ask.id);
        if self.ready {
            return (id, Some(ask));
        }
        self.early.push_back(ask);
        (id, None)
    }

    /// Marks the engine as ready. Returns the earlier requests.
    pub fn is_ready(&mut self) -> Vec<Ask> {
        (self.ready, self.quiet) = (true, 0);
        self.early.drain(..).collect()
    }

    /// Handles an answer. Returns the movement to be sent now.
    pub fn hear(&mut self, answer: &Answer) -> Option<Ask> {
        self.quiet = 0;
        // An overtaken movement is answered together with the one that overtook it.
        let ends = matches!(answer.reply, Reply::Frame(_) | Reply::Failed(_) | Reply::Idle);
        let done = ends && self.moving.as_ref().is_some_and(|moving| answer.id >= moving.id);
        if done {
            self.moving = None;
        }
        self.asked.retain(|ask| ask.id != answer.id);
        let read = matches!(
            answer.reply,
            Reply::Document(_)
                | Reply::NotOpened { .. }
                | Reply::NotEdited { .. }
                | Reply::Imported { .. }
                | Reply::Idle
        );
        if read {
            self.reading.retain(|id| *id > answer.id);
        }
        if matches!(answer.reply, Reply::Idle) {
            self.idle = answer.id;
        }
        if done { self.waiting.take().map(|request| self.number(request)) } else { None }
    }

    /// Counts a second.
    pub fn second(&mut self) -> SilenceAction {
        if !self.ready || !self.busy() || !self.reading.is_empty() {
            self.quiet = 0;
            return SilenceAction::Nothing;
        }
        self.quiet += 1;
        match self.quiet {
            QUIET_S => SilenceAction::Ask(Box::new(self.number(Request::Listen))),
            GONE_S.. => SilenceAction::Gone,
            _ => SilenceAction::Nothing,
        }
    }

    /// Returns what to send to the next engine, once its document is restored.
    pub fn unanswered(&self) -> Vec<Request> {
        let moves = self.waiting.as_ref().or(self.moving.as_ref().map(|ask| &ask.request));
        self.asked.iter().map(|ask| &ask.request).chain(moves).cloned().collect()
    }

    fn number(&mut self, request: Request) -> Ask {
        let id = self.next;
        self.next = self.next.wrapping_add(1);
        let ask = Ask { id, request };
        match &ask.request {
            request if request.moves() => self.moving = Some(ask.clone()),
            request if request.version().is_some() => self.reading.push(id),
            request if asks(request) => self.asked.push(ask.clone()),
            _ => {}
        }
        ask
    }
}

/// Returns whether a request changes nothing and is answered under its own number.
fn asks(request: &Request) -> bool {
    matches!(
        request,
        Request::Why { .. }
            | Request::Gallery
            | Request::Limits
            | Request::Charts
            | Request::Link { .. }
            | Request::Look { .. }
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_view::StepBy;

    fn answer(id: u32, reply: Reply) -> Answer {
        Answer { id, reply }
    }

    fn seek(time_ms: i64) -> Request {
        Request::Seek { time_ms, selection: None }
    }

    #[test]
    fn what_is_not_answered_is_asked_of_the_next_engine_and_nothing_else() {
        let mut desk = EngineRequests::new(1);
        assert_eq!(desk.send(Request::Gallery), (Some(1), None), "it is not ready");
        assert_eq!(desk.is_ready().len(), 1);
        desk.hear(&answer(1, Reply::Gallery(Vec::new())));
        let why = Request::Why { selection: "app:zk".parse().expect("a selection") };
        assert!(desk.send(why.clone()).1.is_some());
        let step = Request::Step { by: StepBy::Change, back: false, selection: None };
        assert!(desk.send(step.clone()).1.is_some());
        assert_eq!(desk.send(seek(1)), (None, None), "one after the other");
        assert!(desk.busy());
        let next = desk.hear(&answer(3, Reply::Frame(Box::default())));
        assert_eq!(next, Some(Ask { id: 4, request: seek(1) }));
        assert_eq!(desk.next(), 5);
        assert_eq!(desk.unanswered(), [why, seek(1)]);
        let mut desk = EngineRequests::new(9);
        assert!(!desk.busy());
        desk.is_ready();
        desk.send(step);
        desk.hear(&answer(9, Reply::Idle));
        assert!(!desk.busy() && desk.unanswered().is_empty());
    }

    #[test]
    fn an_engine_that_says_nothing_is_asked_and_then_gone_but_not_while_it_reads() {
        let mut desk = EngineRequests::new(1);
        desk.is_ready();
        assert!((0..100).all(|_| desk.second() == SilenceAction::Nothing), "nothing is owed");
        desk.send(Request::Write { text: String::new(), version: 1 });
        assert!((0..100).all(|_| desk.second() == SilenceAction::Nothing), "a text may take long");
        desk.hear(&answer(1, Reply::Document(Box::default())));
        let seconds: Vec<SilenceAction> = (0..GONE_S).map(|_| desk.second()).collect();
        assert!(matches!(&seconds[QUIET_S as usize - 1], SilenceAction::Ask(ask) if ask.request == Request::Listen));
        assert_eq!(seconds.iter().filter(|s| **s != SilenceAction::Nothing).count(), 2);
        assert_eq!(seconds.last(), Some(&SilenceAction::Gone));
        desk.hear(&answer(2, Reply::Listening));
        assert_eq!(desk.second(), SilenceAction::Nothing, "it was busy");
    }
}
