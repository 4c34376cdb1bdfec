//! The findings of a round about what the applications of a queue owe each other.

use super::{LedgerRow, LedgerTable, NamedRound, columns, say, table, words_of};
use crate::explain::view::Selection;
use crate::explain::words;
use heddle_core::config::capacity::preemption::IntraQueueOrder;
use heddle_core::model::Resource;
use heddle_core::preemption::{IntraPass, IntraStop, IntraUser, LeafApp};

/// Returns two tables for each queue that the round worked out, and one of the others.
pub fn tables(told: NamedRound<'_>) -> Vec<LedgerTable> {
    let mut out = Vec::new();
    let mut stopped = Vec::new();
    for pass in &told.round.intra {
        stopped.extend(pass.stop.map(|stop| told.stopped(pass, stop)));
        let (queue, place) = (told.queue(pass.queue), told.place(pass.partition));
        let mut numbers = vec!["priority"];
        numbers.extend(say::OF_APPS);
        let rows = pass.apps.iter().map(|a| told.app(pass, a)).collect();
        out.push(table(say::within(queue, &place), say::APPLICATION, columns(&numbers, &[say::USER]), rows));
        let rows = pass.users.iter().map(|u| told.user(pass, u)).collect();
        out.push(table(say::users_within(queue, &place), say::USER, columns(&say::OF_USERS, &[say::NOTE]), rows));
    }
    out.iter_mut().for_each(|t| t.unit = told.unit());
    out.push(table(say::WITHIN_QUEUES, say::QUEUE, columns(&[], &[say::WHY_NOT]), stopped));
    out
}

impl NamedRound<'_> {
    fn stopped(self, pass: &IntraPass, stop: IntraStop) -> LedgerRow {
        let why = match stop {
            IntraStop::BelowThreshold { used_capacity, threshold } => {
                say::below_threshold(&words::percent(f64::from(used_capacity)), threshold)
            }
            IntraStop::OnlyOne => say::ONLY_ONE.to_string(),
            IntraStop::Disabled => say::INTRA_OFF.to_string(),
        };
        let path = self.names.queue(pass.queue).to_string();
        let name = self.queue(pass.queue).to_string();
        LedgerRow { name, about: Some(Selection::Queue(path)), cells: vec![words_of(why)], ..LedgerRow::default() }
    }

    fn app(self, pass: &IntraPass, a: &LeafApp) -> LedgerRow {
        let name = self.names.app(a.app).to_string();
        let user = self.names.rm().cluster().user_name(a.user);
        let text = |r| self.text(r);
        let (used, am, selected) = (text(a.used), text(a.am), text(a.selected));
        let ideal = if a.unassigned.is_zero() {
            vec![say::to_assign(&text(pass.reassign)), say::NOT_REACHED.to_string()]
        } else {
            let wants = say::wants_within(&used, &am, &text(a.pending), &selected);
            let least = say::ideal_within(&text(a.unassigned), &wants, &text(a.user_left), &text(a.ideal));
            vec![say::to_assign(&text(pass.reassign)), least]
        };
        let zone = self.round.conf.intra_order == IntraQueueOrder::UserLimitFirst;
        let zone = zone.then_some(say::ONE_CONTAINER);
        let owed = say::owed_within(&used, &text(a.ideal), &selected, &am, zone, &text(a.owed));
        let mut limit = vec![owed, say::limit_within(&text(pass.limit))];
        limit.extend(self.setting("intra-queue-preemption.max-allowable-limit"));
        let some = |r: Resource, how: Vec<String>| self.taken(r, if r.is_zero() { Vec::new() } else { how });
        let cells = vec![
            words_of(a.priority.to_string()),
            self.amount(a.used, vec![say::in_the_books(&used)]),
            self.taken(a.am, Vec::new()),
            self.amount(a.pending, Vec::new()),
            self.taken(a.selected, Vec::new()),
            self.amount(a.ideal, ideal),
            some(a.from_others, vec![say::SHORT_OF.to_string()]),
            some(a.owed, limit),
            some(a.wanted, vec![say::given(&text(a.wanted))]),
            words_of(user),
        ];
        let taken = !a.wanted.is_zero();
        LedgerRow { about: Some(Selection::App(name.clone())), name, cells, taken, ..LedgerRow::default() }
    }

    fn user(self, pass: &IntraPass, u: &IntraUser) -> LedgerRow {
        let name = self.names.rm().cluster().user_name(u.user).to_string();
        let mine = || pass.apps.iter().filter(|a| a.user == u.user);
        let sum = |column: &str, of: fn(&LeafApp) -> Resource, sum: Resource| {
            let part = |a: &LeafApp| (self.names.app(a.app).to_string(), self.text(of(a)));
            say::sum(column, &mine().map(part).collect::<Vec<_>>(), &self.text(sum))
        };
        let without = |rest: Resource| say::without_ams(&self.text(rest + u.am), &self.text(u.am), &self.text(rest));
        let [.., ideal, selected] = say::OF_USERS;
        let cells = vec![
            self.amount(u.used, vec![without(u.used)]),
            self.amount(u.am, Vec::new()),
            self.amount(u.limit, vec![without(u.limit)]),
            self.amount(u.ideal, vec![sum(ideal, |a| a.ideal, u.ideal)]),
            self.amount(u.selected, vec![sum(selected, |a| a.selected, u.selected)]),
            words_of(if u.capped { say::CAPPED } else { "" }),
        ];
        LedgerRow { about: Some(Selection::User(name.clone())), name, cells, ..LedgerRow::default() }
    }
}
