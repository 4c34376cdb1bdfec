//! An application whose allocate calls are written out.

pub(crate) mod read;

use crate::apps::scenario::Kind;
use crate::constraint::Constraint;
use crate::model::{RequestKey, Resource};
use crate::scenario::application::Call;
use crate::scenario::edit::Step;

impl Kind for Vec<Call> {
    fn calls(&self) -> &[Call] {
        self
    }

    fn containers(&self) -> u64 {
        self.iter()
            .flat_map(|c| c.asks.iter().map(|a| a.row.count).chain(c.scheduling.iter().map(|s| s.count)))
            .fold(0, |sum: u64, n| sum.saturating_add(n.unsigned_abs()))
    }

    fn one_by_one(&self) -> u64 {
        0
    }

    fn parts(&self) -> usize {
        self.iter().map(|c| 1 + c.asks.len() + c.scheduling.len()).sum()
    }

    fn sizes(&self, priority: i32) -> Vec<Resource> {
        let asks = self.iter().flat_map(|c| &c.asks).filter(|a| a.row.priority == priority);
        let tagged = self.iter().flat_map(|c| &c.scheduling).filter(|a| a.priority == priority);
        asks.map(|a| a.row.size).chain(tagged.map(|a| a.size)).collect()
    }

    fn places(&self) -> Vec<&str> {
        let rows = self.iter().flat_map(|c| &c.asks).map(|a| a.row.place.as_str());
        rows.filter(|p| *p != "*").collect()
    }

    fn constraints(&self) -> Vec<&Constraint> {
        let own = self.iter().flat_map(|call| &call.scheduling).filter_map(|ask| ask.constraint.as_ref());
        own.filter_map(|text| text.tree.as_ref()).collect()
    }

    fn sends_constraints(&self) -> bool {
        self.iter().any(|c| !c.scheduling.is_empty())
    }

    fn asks_once(&self) -> bool {
        true
    }

    fn rows(&self, key: RequestKey) -> Vec<Vec<Step>> {
        let at = |list: &str, i: usize| vec![Step::from(list), Step::from(i)];
        // The calls are sorted by time; the text may have them in any order.
        let written = |call: &Call| self.iter().filter(|c| c.span.start < call.span.start).count();
        let mut out = Vec::new();
        for call in self {
            let asks = (0..).zip(&call.asks).filter(|(_, a)| a.row.key() == key).map(|(j, _)| ("asks", j));
            let tagged = (0..).zip(&call.scheduling).filter(|(_, s)| s.key() == key);
            let lists = asks.chain(tagged.map(|(j, _)| ("scheduling", j)));
            out.extend(lists.map(|(list, j)| [at("calls", written(call)), at(list, j)].concat()));
        }
        out
    }
}
