//! The sample arguments of the sentences: first the first sample of every hole, then the other samples, one hole after another.

use crate::explain::away::AbsenceKind;
use crate::explain::say::preemption::Ends;
use heddle_core::config::fair::Policy;
use heddle_core::journal::NodeGone;
use heddle_core::model::{Locality, RequestKey, Resource, Selector};
use heddle_core::preemption::{IntraStop, SparedBy};
use heddle_core::rm::AmEnd;
use heddle_core::scenario::{Figure, When};
use heddle_core::scheduler::NodeState;
use heddle_core::scheduler::app::EndCause;
use std::cell::Cell;

/// One way to fill a sentence's holes.
pub struct Sampling {
    /// The hole that does not get its first sample, and the sample that it gets.
    other: (usize, usize),
    hole: Cell<usize>,
    /// The number of the hole's samples.
    samples: Cell<usize>,
}

/// Returns all texts of a row.
pub fn turns(row: fn(&Sampling) -> Vec<String>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut say = |other| {
        let turn = Sampling { other, hole: Cell::new(0), samples: Cell::new(0) };
        for line in row(&turn) {
            if !out.contains(&line) {
                out.push(line);
            }
        }
        (turn.hole.get(), turn.samples.get())
    };
    let (holes, _) = say((0, 0));
    for hole in 0..holes {
        let (_, samples) = say((hole, 1));
        for sample in 2..samples {
            say((hole, sample));
        }
    }
    out
}

impl Sampling {
    fn pick(&self, samples: usize) -> usize {
        let hole = self.hole.replace(self.hole.get() + 1);
        if hole != self.other.0 {
            return 0;
        }
        self.samples.set(samples);
        if self.other.1 < samples { self.other.1 } else { 0 }
    }

    /// Returns one of these samples.
    pub fn of<T: Copy>(&self, samples: &[T]) -> T {
        samples[self.pick(samples.len())]
    }

    /// Words that are always present.
    pub fn text(&self, text: &'static str) -> &'static str {
        self.of(&[text])
    }

    /// Words that may be empty.
    pub fn maybe(&self, text: &'static str) -> &'static str {
        self.of(&[text, ""])
    }

    /// Many, one, two, none.
    pub fn n(&self) -> i64 {
        self.of(&[5, 1, 2, 0])
    }

    /// More than one.
    pub fn many(&self) -> i64 {
        self.of(&[5, 2])
    }

    /// Many, one, two.
    pub fn many_or_one(&self) -> i64 {
        self.of(&[5, 1, 2])
    }

    pub fn flag(&self) -> bool {
        self.of(&[true, false])
    }

    pub fn share(&self) -> f32 {
        self.of(&[0.25, 1.0, 0.0])
    }

    pub fn some<T: Copy>(&self, it: T) -> Option<T> {
        self.of(&[Some(it), None])
    }

    /// All, one and two of these names.
    pub fn list<'a>(&self, names: &'a [&'a str]) -> &'a [&'a str] {
        &names[..self.of(&[names.len(), 1, 2]).min(names.len())]
    }

    /// All, one, two and none of these names, for sentences with a different text for none.
    pub fn list_or_none<'a>(&self, names: &'a [&'a str]) -> &'a [&'a str] {
        &names[..self.of(&[names.len(), 1, 2, 0]).min(names.len())]
    }

    pub fn strings(&self, names: &[&str]) -> Vec<String> {
        self.list(names).iter().map(|name| name.to_string()).collect()
    }

    pub fn strings_or_none(&self, names: &[&str]) -> Vec<String> {
        self.list_or_none(names).iter().map(|name| name.to_string()).collect()
    }

    pub fn pairs(&self, pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        let length = self.of(&[pairs.len(), 1, 2, 0]);
        pairs[..length].iter().map(|(a, b)| (a.to_string(), b.to_string())).collect()
    }

    /// Each with its own number.
    pub fn numbered(&self, names: &[&'static str]) -> Vec<(i64, &'static str)> {
        let length = self.of(&[names.len(), 1, 2, 0]);
        names[..length].iter().enumerate().map(|(i, name)| (i as i64 + 1, *name)).collect()
    }

    pub fn waits(&self) -> Vec<(i64, String)> {
        let length = self.of(&[2, 1, 0]);
        [(3, "2 GB".to_string()), (1, "4 GB".to_string())][..length].to_vec()
    }

    pub fn states(&self) -> Vec<(String, Vec<&'static str>)> {
        let length = self.of(&[2, 1]);
        let (two, one) = (vec!["n1", "n2"], vec!["n3"]);
        let all = [("has been unhealthy since 0:40".to_string(), two), ("has been lost since 10:00".to_string(), one)];
        all[..length].to_vec()
    }

    pub fn away(&self) -> AbsenceKind {
        use NodeState::{Decommissioned, Decommissioning, Lost, New, Rebooted, Running, Shutdown, Unhealthy};
        let state = AbsenceKind::State;
        self.of(&[
            AbsenceKind::Silent,
            state(Decommissioning),
            state(Decommissioned),
            state(Unhealthy),
            state(Lost),
            state(New),
            state(Rebooted),
            state(Shutdown),
            state(Running),
        ])
    }

    pub fn request(&self) -> Option<RequestKey> {
        self.some(RequestKey { priority: 1, allocation_request_id: -1 })
    }

    pub fn selector(&self) -> Selector {
        use Selector::{Balance, Fifo, IntraQueue, QueuePriority, Reserved};
        self.of(&[Fifo, Balance, IntraQueue, Reserved, QueuePriority])
    }

    pub fn ends(&self) -> Ends {
        let at = |lazy| Ends::At { at: "0:30".to_string(), lazy };
        match self.pick(4) {
            0 => at(false),
            1 => at(true),
            2 => Ends::Forgotten,
            _ => Ends::Void,
        }
    }

    pub fn spared(&self) -> SparedBy {
        let one = Resource::ZERO;
        let all = [
            SparedBy::Killable,
            SparedBy::Am,
            SparedBy::OtherPartition,
            SparedBy::Budget { left: one },
            SparedBy::TypeUsedUp { wanted: one },
            SparedBy::NoUse { wanted: one },
            SparedBy::UserLimit { used: one, limit: one },
        ];
        self.of(&all)
    }

    pub fn intra_stop(&self) -> IntraStop {
        let below = IntraStop::BelowThreshold { used_capacity: 0.25, threshold: 0.5 };
        self.of(&[below, IntraStop::OnlyOne, IntraStop::Disabled])
    }

    pub fn am_end(&self) -> AmEnd {
        let all = [
            AmEnd::Exited(1),
            AmEnd::TimedOut,
            AmEnd::Container(EndCause::LostNode),
            AmEnd::Container(EndCause::Preempted),
        ];
        self.of(&all)
    }

    pub fn when(&self) -> When {
        let (from, to) = (9_000, 30_000);
        let all = [
            When::At(from),
            When::End,
            When::By(to),
            When::Always(from, Some(to)),
            When::Always(from, None),
            When::Never(from, Some(to)),
            When::Never(from, None),
        ];
        self.of(&all)
    }

    pub fn figure(&self) -> Figure {
        use Figure::{Done, NeverFits, Placed, Rejected, Reserved, UsedMemory, Waiting};
        self.of(&[Placed, Waiting, Done, Rejected, NeverFits, Reserved, UsedMemory])
    }

    pub fn node_gone(&self) -> NodeGone {
        use NodeGone::{Decommissioned, Lost, Rebooted, Shutdown, Unhealthy};
        self.of(&[Lost, Unhealthy, Decommissioned, Rebooted, Shutdown])
    }

    pub fn locality(&self) -> Locality {
        self.of(&[Locality::NodeLocal, Locality::RackLocal, Locality::OffSwitch])
    }

    pub fn policy(&self) -> Policy {
        self.of(&[Policy::Fair, Policy::Drf, Policy::Fifo])
    }
}

pub fn owned((a, b): (&str, &str)) -> (String, String) {
    (a.to_string(), b.to_string())
}
