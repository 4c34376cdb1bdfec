//! The containers that a round chose and spared, one by one.

use super::{LedgerRow, LedgerTable, NamedRound, columns, say, table, what_for, words_of};
use crate::explain::words;
use heddle_core::model::Resource;
use heddle_core::preemption::{Because, Chosen, PreemptionStep, Spared, SparedBy};

/// Returns the tables of the chosen containers in their order, of reservations and marks, and of the spared containers.
pub fn tables(told: NamedRound<'_>) -> Vec<LedgerTable> {
    let round = told.round;
    let before = std::iter::once(round.budget).chain(round.chosen.iter().map(|c| c.budget_left));
    let rows = round.chosen.iter().zip(before).map(|(c, before)| told.chosen(c, before)).collect();
    let mut chosen = table(say::CHOSEN_IN_ORDER, say::CONTAINER, columns(&[], &say::OF_CHOSEN), rows);
    chosen.unit = told.unit();
    for column in [2, 5] {
        chosen.columns[column].number = true;
    }
    let spared = round.spared.iter().map(|s| told.spared(s)).collect();
    vec![
        chosen,
        table(say::RESERVATIONS, say::CONTAINER, columns(&[], &[say::WHAT_HAPPENS]), told.others()),
        table(say::LEFT_ALONE, say::CONTAINER, columns(&[], &say::OF_SPARED), spared),
    ]
}

impl NamedRound<'_> {
    fn about(self, id: heddle_core::model::ContainerId) -> LedgerRow {
        let (about, name) = self.container(id);
        LedgerRow { name, about: Some(about), ..LedgerRow::default() }
    }

    /// `before`: the budget before this container.
    fn chosen(self, c: &Chosen, before: Resource) -> LedgerRow {
        let (why, how) = self.because(c);
        let mut why = words_of(why);
        why.formula = how;
        let left = say::budget_left(&self.text(before), &self.text(before - c.budget_left), &self.text(c.budget_left));
        let cells = vec![
            words_of(what_for(c.selector)),
            why,
            self.amount(c.size, Vec::new()),
            words_of(self.names.node(c.node)),
            words_of(self.what_happens(c)),
            self.amount(c.budget_left, vec![left]),
        ];
        LedgerRow { cells, taken: true, ..self.about(c.container) }
    }

    fn because(self, c: &Chosen) -> (String, Vec<String>) {
        let wanted = |wanted, left| vec![say::wanted_of(&self.text(wanted), &self.text(left))];
        let room = |reservation| say::makes_room(&self.names.container_name(reservation), self.names.node(c.node));
        match c.because {
            Because::Lent { wanted: w, left } => (say::ON_LENT_ROOM.to_string(), wanted(w, left)),
            Because::Next { wanted: w, left } => (say::NEXT.to_string(), wanted(w, left)),
            Because::Reservation { wanted: w, left } => (say::A_RESERVATION.to_string(), wanted(w, left)),
            Because::Am { wanted: w, left, am_used, am_maximum } => {
                let mut how = vec![say::ams_use(&self.text(am_used), &self.text(am_maximum))];
                how.extend(wanted(w, left));
                (say::AN_AM.to_string(), how)
            }
            Because::MakesRoom { reservation, cost } => (room(reservation), vec![say::cost(cost)]),
            Because::Priority { reservation } => (room(reservation), Vec::new()),
            Because::WithinQueue { wanted: w, left } => (say::OWES_WITHIN.to_string(), wanted(w, left)),
        }
    }

    fn what_happens(self, c: &Chosen) -> String {
        let Some(act) = self.act(c.container) else { return self.outlook(c.container) };
        let (since, until) = (words::clock(act.since), words::clock(act.deadline));
        let left = say::left(act.deadline - self.now);
        match act.deed {
            PreemptionStep::Mark | PreemptionStep::Wait | PreemptionStep::Void if c.outdated => {
                say::marked_outdated(&since)
            }
            PreemptionStep::Void => say::VOID.to_string(),
            PreemptionStep::Mark => say::marked(&until, &left),
            PreemptionStep::Wait => say::waits(&since, &until, &left),
            PreemptionStep::Kill => say::killed(&since, self.lazy()),
        }
    }

    fn spared(self, s: &Spared) -> LedgerRow {
        let why = match s.why {
            SparedBy::Killable => say::SPARED_KILLABLE.to_string(),
            SparedBy::Am => say::SPARED_AM.to_string(),
            SparedBy::OtherPartition => say::SPARED_PARTITION.to_string(),
            SparedBy::Budget { left } => say::spared_budget(&self.text(left)),
            SparedBy::TypeUsedUp { wanted } => say::spared_type(&self.text(wanted)),
            SparedBy::NoUse { wanted } => say::spared_no_use(&self.text(wanted)),
            SparedBy::UserLimit { used, limit } => say::spared_user(&self.text(used), &self.text(limit)),
        };
        LedgerRow { cells: vec![words_of(what_for(s.selector)), words_of(why)], ..self.about(s.container) }
    }

    /// Returns the reservations that are dropped or moved, and the marks that expire.
    fn others(self) -> Vec<LedgerRow> {
        let round = self.round;
        let patience = words::span(round.conf.max_wait_before_kill_ms.saturating_mul(2));
        let moved =
            round.moves.iter().map(|m| (m.reservation, say::moved(self.names.node(m.from), self.names.node(m.to))));
        let dropped = round.drops.iter().map(|id| (*id, say::DROPPED.to_string()));
        let forgotten = round.forgotten.iter().map(|id| (*id, say::forgotten(&patience)));
        let all = moved.chain(dropped).chain(forgotten);
        all.map(|(id, what)| LedgerRow { cells: vec![words_of(what)], ..self.about(id) }).collect()
    }
}
