//! The queues of a round: what each should have, what it owes, and what is taken from it.

use super::{LedgerCell, LedgerRow, LedgerTable, NAMED, NamedRound, columns, more, say, table, what_for, words_of};
use crate::explain::shown::formulas;
use crate::explain::view::Selection;
use crate::explain::words;
use heddle_core::model::{CalculatorKind, PartitionId, Resource};
use heddle_core::preemption::{Chosen, IdealPass, QueueIdeal};

const ZERO: Resource = Resource::ZERO;

/// Returns a table for each ideal assignment and partition.
pub fn tables(told: NamedRound<'_>) -> Vec<LedgerTable> {
    let mut out = Vec::new();
    for pass in &told.round.passes {
        let mut places: Vec<PartitionId> = pass.lines.iter().map(|l| l.partition).collect();
        places.dedup();
        // Partitions without resources are not shown.
        places.retain(|p| pass.lines.iter().any(|l| l.partition == *p && !l.guaranteed.is_zero()));
        out.extend(places.into_iter().map(|p| Queues { told, pass, p }.table()));
    }
    out
}

/// One ideal assignment in one partition.
#[derive(Clone, Copy)]
struct Queues<'a> {
    told: NamedRound<'a>,
    pass: &'a IdealPass,
    p: PartitionId,
}

impl<'a> Queues<'a> {
    fn lines(self) -> impl Iterator<Item = &'a QueueIdeal> {
        self.pass.lines.iter().filter(move |l| l.partition == self.p)
    }

    fn chosen(self, line: &QueueIdeal) -> Vec<&'a Chosen> {
        let (queue, p, by) = (Some(line.queue), self.p, self.pass.selector);
        let mine = self.told.round.chosen.iter();
        mine.filter(|c| (c.queue, c.partition, c.selector) == (queue, p, by)).collect()
    }

    fn table(self) -> LedgerTable {
        let numbers = [
            say::GUARANTEED,
            say::USED,
            say::PENDING,
            say::IDEAL,
            say::OVER_BY,
            say::DEAD_ZONE,
            say::OWES,
            say::THIS_ROUND,
            say::CHOSEN,
        ];
        let by = what_for(self.pass.selector);
        let title = say::queues_in(by, &self.told.place(self.p));
        let rows = self.lines().map(|line| self.row(line)).collect();
        let mut table = table(title, say::QUEUE, columns(&numbers, &[say::VICTIMS]), rows);
        table.unit = self.told.unit();
        table.sums = Some(self.sums());
        table
    }

    fn row(self, line: &'a QueueIdeal) -> LedgerRow {
        let above = |l: &QueueIdeal| self.lines().find(|x| Some(x.queue) == l.parent);
        let depth = std::iter::successors(above(line), |l| above(l)).count();
        let mut cells = vec![self.guaranteed(line), self.used(line), self.pending(line), self.ideal(line)];
        cells.extend([self.over_by(line), self.dead_zone(line), self.owes(line), self.this_round(line)]);
        cells.extend([self.chosen_of(line), self.victims(line)]);
        LedgerRow {
            name: self.told.queue(line.queue).to_string(),
            about: Some(Selection::Queue(self.told.names.queue(line.queue).to_string())),
            depth,
            cells,
            taken: !self.chosen(line).is_empty(),
        }
    }

    fn sums(self) -> LedgerRow {
        let sum = |name: &str, of: &dyn Fn(&QueueIdeal) -> Resource| {
            let leaves = || self.lines().filter(|l| l.leaf);
            let sum = leaves().fold(ZERO, |sum, line| sum + of(line));
            (sum, self.sum_of(name, leaves().filter(|l| !of(l).is_zero()), of, sum))
        };
        let amount = |name, of: &dyn Fn(&QueueIdeal) -> Resource| {
            let (sum, how) = sum(name, of);
            self.told.amount(sum, vec![how])
        };
        let taken = |name, of: &dyn Fn(&QueueIdeal) -> Resource| {
            let (sum, how) = sum(name, of);
            self.told.taken(sum, vec![how])
        };
        let cells = vec![
            amount(say::GUARANTEED, &|l| l.guaranteed),
            amount(say::USED, &|l| l.used),
            amount(say::PENDING, &|l| l.pending),
            amount(say::IDEAL, &|l| l.ideal),
            taken(say::OVER_BY, &over),
            LedgerCell::default(),
            taken(say::OWES, &|l| l.owed),
            taken(say::THIS_ROUND, &|l| l.damped),
            taken(say::CHOSEN, &|l| size(&self.chosen(l))),
            LedgerCell::default(),
        ];
        LedgerRow { name: say::SUM.to_string(), cells, ..LedgerRow::default() }
    }

    fn guaranteed(self, line: &QueueIdeal) -> LedgerCell {
        let (told, path) = (self.told, self.told.names.queue(line.queue));
        let mut how = vec![say_is(say::GUARANTEED, &told.text(line.guaranteed)), say::most(&told.text(line.maximum))];
        how.extend(formulas::shares(told.names, path, self.p));
        told.amount(line.guaranteed, how)
    }

    fn used(self, line: &QueueIdeal) -> LedgerCell {
        let told = self.told;
        let mut how = Vec::new();
        if !line.leaf {
            how.push(self.sum_of_children(say::USED, line, |l| l.used));
        } else {
            how.push(say::in_the_books(&told.text(line.used)));
        }
        if !line.reserved.is_zero() || !line.killable.is_zero() {
            let killable = (!line.killable.is_zero()).then(|| told.text(line.killable));
            how.push(say::of_it(&told.text(line.reserved), killable.as_deref()));
        }
        told.amount(line.used, how)
    }

    fn sum_of_children(self, name: &str, line: &QueueIdeal, of: fn(&QueueIdeal) -> Resource) -> String {
        let children = self.lines().filter(|l| l.parent == Some(line.queue));
        self.sum_of(name, children, &of, of(line))
    }

    fn sum_of<'l>(
        self,
        name: &str,
        lines: impl Iterator<Item = &'l QueueIdeal>,
        of: &dyn Fn(&QueueIdeal) -> Resource,
        sum: Resource,
    ) -> String {
        let part = |l: &QueueIdeal| (self.told.queue(l.queue).to_string(), self.told.text(of(l)));
        say::sum(name, &lines.map(part).collect::<Vec<_>>(), &self.told.text(sum))
    }

    fn pending(self, line: &QueueIdeal) -> LedgerCell {
        let told = self.told;
        if !line.leaf {
            return told.amount(line.pending, vec![self.sum_of_children(say::PENDING, line, |l| l.pending)]);
        }
        let which = usize::from(!self.pass.counts_reserved);
        let mine = |w: &&heddle_core::preemption::AppWants| (w.queue, w.partition) == (line.queue, self.p);
        let all: Vec<_> = told.round.wants.iter().filter(mine).collect();
        let cluster = told.names.rm().cluster();
        let mut how: Vec<String> = Vec::new();
        for w in all.iter().take(NAMED) {
            let (app, user) = (told.names.app(w.app), cluster.user_name(w.user));
            let (wanted, left, counted) =
                (told.text(w.wanted[which]), told.text(w.left[which]), told.text(w.counted[which]));
            how.push(say::wants(app, &wanted, user, &left, &counted));
        }
        how.extend(more(all.len()));
        if all.is_empty() {
            how.push(say::NOBODY_WANTS.to_string());
        }
        if line.pending != line.pending_in_all {
            how.push(say::RESERVED_APART.to_string());
        }
        how.push(say_is(say::PENDING, &told.text(line.pending)));
        told.amount(line.pending, how)
    }

    fn ideal(self, line: &QueueIdeal) -> LedgerCell {
        let told = self.told;
        if line.parent.is_none() {
            return told.amount(line.ideal, vec![say::ideal_of_root(&told.text(line.guaranteed))]);
        }
        let untouchable = (!line.untouchable.is_zero()).then(|| told.text(line.untouchable));
        let mut how = vec![say::start(&told.text(line.start), line.start != line.used, untouchable.as_deref())];
        let mine = |o: &&heddle_core::preemption::Offer| (o.queue, o.partition) == (line.queue, self.p);
        let offers: Vec<_> = self.pass.offers.iter().filter(mine).collect();
        for o in offers.iter().take(NAMED) {
            let (unassigned, offered, accepted) =
                (told.text(o.unassigned), told.text(o.offered), told.text(o.accepted));
            how.push(say::offer(&unassigned, &words::percent(f64::from(o.weight)), &offered, &accepted));
        }
        how.extend(more(offers.len()));
        if !offers.is_empty() {
            let wants = (told.text(line.used), told.text(line.pending));
            let capped = line.leaf && !self.pass.balances;
            let guarantee = capped.then(|| told.text(line.guaranteed));
            let maximum = told.text(line.maximum);
            how.push(say::takes_at_most((&wants.0, &wants.1), &maximum, guarantee.as_deref()));
        }
        how.push(say::ideal(&told.text(line.ideal)));
        told.amount(line.ideal, how)
    }

    fn over_by(self, line: &QueueIdeal) -> LedgerCell {
        let told = self.told;
        let (used, guaranteed) = (told.text(line.used), told.text(line.guaranteed));
        let mut how = vec![if over(line).is_zero() {
            say::not_over(&used, &guaranteed)
        } else {
            say::over_by(&used, &guaranteed, &told.text(over(line)))
        }];
        if !line.untouchable.is_zero() {
            how.push(say::may_be_taken(&told.text(line.preemptable), &told.text(line.untouchable)));
        }
        told.taken(over(line), how)
    }

    fn dead_zone(self, line: &QueueIdeal) -> LedgerCell {
        if !line.leaf {
            return LedgerCell::default();
        }
        let told = self.told;
        let ignored = told.round.conf.max_ignored_over_capacity;
        let mut how = vec![
            say::dead_zone(&told.text(line.guaranteed), ignored, &told.text(line.dead_zone)),
            say::dead_zone_passed(&told.text(line.used), line.beyond_dead_zone),
        ];
        how.extend(told.setting("max_ignored_over_capacity"));
        told.amount(line.dead_zone, how)
    }

    fn owes(self, line: &QueueIdeal) -> LedgerCell {
        let told = self.told;
        if line.parent.is_none() {
            return LedgerCell::default();
        }
        let wants = (told.text(line.used), told.text(line.pending_in_all));
        let (keep, ideal) = (told.text(line.keep), told.text(line.ideal));
        let mut how = vec![say::keeps(&keep, &ideal, (&wants.0, &wants.1), &told.text(line.guaranteed))];
        if line.owed.is_zero() {
            how.push(say::OWES_NOTHING.to_string());
            return told.taken(line.owed, how);
        }
        let mine = |s: &&heddle_core::preemption::Scaling| (Some(s.parent), s.partition) == (line.parent, self.p);
        let scaling = self.pass.scalings.iter().find(mine);
        how.extend(scaling.map(|s| say::scaled(s.scale, &told.text(s.need), &told.text(s.budget))));
        let killable = (!line.killable.is_zero()).then(|| told.text(line.killable));
        let owed = told.text(line.owed);
        how.push(say::owes(&wants.0, killable.as_deref(), &keep, scaling.map(|s| s.scale), &owed));
        told.taken(line.owed, how)
    }

    fn this_round(self, line: &QueueIdeal) -> LedgerCell {
        let told = self.told;
        if !line.leaf {
            return LedgerCell::default();
        }
        let conf = &told.round.conf;
        let mut how = Vec::new();
        if line.owed.is_zero() {
            how.push(say::OWES_NOTHING.to_string());
        } else if line.disabled {
            how.push(say::NOT_PREEMPTABLE.to_string());
        } else if !line.beyond_dead_zone {
            how.push(say::IN_DEAD_ZONE.to_string());
        } else if self.pass.counts_reserved {
            how.push(say::ALL_OF_IT.to_string());
        } else {
            let nearest = told.names.rm().cluster().calculator.kind == CalculatorKind::Default;
            let (owed, damped) = (told.text(line.owed), told.text(line.damped));
            how.push(say::damped(&owed, conf.natural_termination_factor, &damped, nearest));
            how.extend(told.setting("natural_termination_factor"));
        }
        if line.wanted != line.damped {
            how.push(say::chosen_before(&told.text(line.wanted)));
        }
        told.taken(line.damped, how)
    }

    fn chosen_of(self, line: &QueueIdeal) -> LedgerCell {
        let (told, chosen) = (self.told, self.chosen(line));
        let sum = size(&chosen);
        let mut how: Vec<String> = chosen
            .iter()
            .take(NAMED)
            .map(|c| say::one_chosen(&told.names.container_name(c.container), &told.text(c.size)))
            .collect();
        how.extend(more(chosen.len()));
        if !chosen.is_empty() {
            how.push(say::chosen_of_wanted(&told.text(sum), &told.text(line.wanted)));
        }
        told.taken(sum, how)
    }

    /// Returns the containers that are taken, or in a few words why there are none.
    fn victims(self, line: &QueueIdeal) -> LedgerCell {
        let (told, chosen) = (self.told, self.chosen(line));
        if !line.leaf {
            return LedgerCell::default();
        }
        if !chosen.is_empty() {
            let name = |c: &&Chosen| {
                let (about, name) = told.container(c.container);
                (about, format!("{name}, {}", told.outlook(c.container)))
            };
            let names = chosen.iter().take(NAMED).map(name).collect();
            let text = more(chosen.len()).unwrap_or_default();
            return LedgerCell { text, names, ..LedgerCell::default() };
        }
        let over = !over(line).is_zero();
        let why = match line {
            l if !over && l.used == l.guaranteed => say::AT_GUARANTEE,
            _ if !over => say::BELOW_GUARANTEE,
            l if l.disabled => say::PROTECTED,
            l if !l.beyond_dead_zone => say::IN_ZONE,
            l if l.owed.is_zero() => say::KEEPS_ALL,
            _ => say::NOBODY_FITS,
        };
        words_of(why)
    }
}

/// Returns the usage beyond the guarantee: what others may take, and what they may not.
fn over(line: &QueueIdeal) -> Resource {
    line.untouchable + line.preemptable
}

fn size(chosen: &[&Chosen]) -> Resource {
    chosen.iter().fold(ZERO, |sum, c| sum + c.size)
}

fn say_is(name: &str, value: &str) -> String {
    say::sum(name, &[], value)
}
