//! Offers as trees, parsed from the enter and leave steps of a record. Each offer has its passes over the queue tree;
//! each visit has its checks in the order in which they were made, the visits below it and its end. Nothing is computed
//! here.

use super::{Change, Entry, Finding, OfferResult, VisitEnd};
use crate::check::{About, Checked, Failure};
use crate::model::{AppId, ContainerId, Millis, NodeId, PartitionId, RequestKey};

/// More siblings than this are looked up by an index.
const SCANNED: usize = 8;

/// An offer, with the commit of its proposal.
#[derive(Clone, Debug)]
pub struct Offer<'e> {
    pub at: Millis,
    pub node: NodeId,
    pub partition: PartitionId,
    /// The reservation on the node, which is the only candidate.
    pub reserved: Option<ContainerId>,
    /// The passes over the tree; there are several if a partition lends its idle resources.
    pub passes: Vec<Pass<'e>>,
    /// The refused commit of its proposal: whose, and why.
    pub refused: Option<(AppId, RequestKey, &'e Failure)>,
    /// The check that ended the node's offers after this one. `None`: another offer follows.
    pub turn_over: Option<&'e Checked>,
}

/// One pass of an offer over the tree.
#[derive(Clone, Debug, Default)]
pub struct Pass<'e> {
    /// Whether it is the pass for requests that borrow the idle resources of the partition.
    pub lent: bool,
    /// The topmost visits: root's, or those that a reservation or a promise causes.
    pub visits: Visits<'e>,
    pub result: Option<OfferResult>,
}

/// Visits of siblings, in order.
#[derive(Clone, Debug, Default)]
pub struct Visits<'e> {
    all: Vec<Visit<'e>>,
    /// The indices of siblings by subject, if there are many.
    index: Vec<(About, u32)>,
}

/// A visit of a queue, an application, a request or a node.
#[derive(Clone, Debug)]
pub struct Visit<'e> {
    pub about: About,
    /// Its checks in order, with those that passed if they were recorded.
    pub checks: Vec<&'e Checked>,
    /// The order in which its children are tried.
    pub order: Option<&'e Finding>,
    pub below: Visits<'e>,
    /// `None`: it was skipped, not visited.
    pub end: Option<VisitEnd>,
}

impl<'e> Visit<'e> {
    fn new(about: About) -> Self {
        Visit { about, checks: Vec::new(), order: None, below: Visits::default(), end: None }
    }

    /// Returns whether it resulted in a container or a reservation.
    pub fn gives(&self) -> bool {
        self.end.is_some_and(VisitEnd::gives)
    }

    /// The check that stopped it: the last failed one of its own.
    pub fn failed(&self) -> Option<&'e Checked> {
        self.checks.iter().rev().find(|checked| checked.fails()).copied()
    }
}

impl<'e> Visits<'e> {
    /// All visits, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Visit<'e>> {
        self.all.iter()
    }

    /// The latest visit of this subject.
    pub fn find(&self, about: About) -> Option<&Visit<'e>> {
        if self.index.is_empty() {
            return self.all.iter().rev().find(|visit| visit.about == about);
        }
        let after = self.index.partition_point(|(other, _)| *other <= about);
        let (found, place) = self.index.get(after.checked_sub(1)?)?;
        (*found == about).then(|| self.all.get(*place as usize)).flatten()
    }

    /// The visit that gave something.
    pub fn giver(&self) -> Option<&Visit<'e>> {
        self.all.iter().rev().find(|visit| visit.gives())
    }

    fn finish(&mut self) {
        if self.all.len() > SCANNED {
            self.index = self.all.iter().enumerate().map(|(place, visit)| (visit.about, place as u32)).collect();
            self.index.sort_unstable();
        }
    }
}

/// The offers of a record, in order.
pub fn offers(entries: &[(Millis, Entry)]) -> Vec<Offer<'_>> {
    let mut reader = Reader::default();
    for (at, entry) in entries {
        reader.read(*at, entry);
    }
    reader.close_pass();
    reader.offers
}

#[derive(Default)]
struct Reader<'e> {
    offers: Vec<Offer<'e>>,
    /// The pass that is being read, and its open visits.
    pass: Option<Pass<'e>>,
    open: Vec<Visit<'e>>,
}

impl<'e> Reader<'e> {
    fn read(&mut self, at: Millis, entry: &'e Entry) {
        match entry {
            Entry::Found(finding) => self.found(at, finding),
            Entry::Changed(Change::CommitRefused { app, key, why, .. }) => {
                if let Some(offer) = self.offers.last_mut() {
                    offer.refused = Some((*app, *key, why));
                }
            }
            Entry::Changed(_) | Entry::Processed(_) | Entry::Acted(_) => {}
        }
    }

    fn found(&mut self, at: Millis, finding: &'e Finding) {
        match finding {
            Finding::Offer { node, partition, reserved, .. } => {
                self.close_pass();
                let (node, partition, reserved) = (*node, *partition, *reserved);
                let (passes, refused, turn_over) = (Vec::new(), None, None);
                self.offers.push(Offer { at, node, partition, reserved, passes, refused, turn_over });
                self.pass = Some(Pass::default());
            }
            Finding::IgnoreExclusivity => {
                self.close_pass();
                self.pass = Some(Pass { lent: true, ..Pass::default() });
            }
            Finding::Enter(about) => self.open.push(Visit::new(*about)),
            Finding::Leave { about, end } => self.leave(*about, *end),
            Finding::Checked(checked) => self.checked(checked),
            Finding::Children { .. } | Finding::Shares { .. } | Finding::Apps { .. } | Finding::Requests { .. } => {
                if let Some(visit) = self.open.last_mut() {
                    visit.order = Some(finding);
                }
            }
            Finding::Alike { .. } => {}
            // Reservations on several candidates are retried in separate passes.
            Finding::OfferOver { result } => {
                if let Some(pass) = &mut self.pass {
                    pass.result = Some(*result);
                }
                let lent = self.pass.as_ref().is_some_and(|pass| pass.lent);
                self.close_pass();
                self.pass = Some(Pass { lent, ..Pass::default() });
            }
            Finding::TurnOver { by } => {
                if let Some(offer) = self.offers.last_mut() {
                    offer.turn_over = Some(by);
                }
            }
        }
    }

    fn leave(&mut self, about: About, end: VisitEnd) {
        // A subject that was not entered was skipped by a recorder without details.
        if self.open.last().is_none_or(|visit| visit.about != about) {
            return self.close(Visit { end: Some(end), ..Visit::new(about) });
        }
        if let Some(visit) = self.open.pop() {
            self.close(Visit { end: Some(end), ..visit });
        }
    }

    /// Adds a check of the visited subject, or of one that is only mentioned.
    fn checked(&mut self, checked: &'e Checked) {
        if let Some(visit) = self.open.iter_mut().rev().find(|visit| visit.about == checked.about) {
            return visit.checks.push(checked);
        }
        let told = |about| Visit { checks: vec![checked], ..Visit::new(about) };
        let mut visit = told(checked.about);
        let is_open = |about: About| self.open.iter().any(|visit| visit.about == about);
        let mut above = Vec::new();
        if let Some((app, key)) = checked.about.request() {
            if let About::OnNode(..) = checked.about {
                above.push(About::Request(app, key));
            }
            above.push(About::App(app));
        }
        for about in above {
            if is_open(about) {
                break;
            }
            let mut outer = Visit::new(about);
            outer.below.all.push(visit);
            visit = outer;
        }
        self.close(visit);
    }

    fn close(&mut self, mut visit: Visit<'e>) {
        visit.below.finish();
        match (self.open.last_mut(), &mut self.pass) {
            (Some(outer), _) => outer.below.all.push(visit),
            (None, Some(pass)) => pass.visits.all.push(visit),
            (None, None) => {}
        }
    }

    fn close_pass(&mut self) {
        while let Some(visit) = self.open.pop() {
            self.close(visit);
        }
        if let (Some(mut pass), Some(offer)) = (self.pass.take(), self.offers.last_mut())
            && (pass.result.is_some() || !pass.visits.all.is_empty())
        {
            pass.visits.finish();
            offer.passes.push(pass);
        }
    }
}
