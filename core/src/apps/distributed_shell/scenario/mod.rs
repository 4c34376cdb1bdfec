//! The description of an application of the distributed shell: the options of its client.

pub(crate) mod edit;
pub mod file;
pub(crate) mod read;

use crate::apps::distributed_shell::constraint::count;
use crate::apps::scenario::Kind;
use crate::constraint::Constraint;
use crate::model::{RequestKey, Resource};
use crate::scenario::application::{Shell, SpecText};
use crate::scenario::edit::Step;

impl Kind for Shell {
    fn spec_text(&self) -> Option<&SpecText> {
        self.spec.as_ref()
    }

    fn containers(&self) -> u64 {
        match &self.spec {
            Some(spec) => count(&spec.read, i32::try_from(self.containers).unwrap_or(i32::MAX)).unsigned_abs(),
            None => u64::from(self.containers),
        }
    }

    fn one_by_one(&self) -> u64 {
        if self.spec.is_some() { Kind::containers(self) } else { 0 }
    }

    fn parts(&self) -> usize {
        self.spec.as_ref().map_or(1, |s| 1 + s.text.len() / 100)
    }

    fn sizes(&self, _priority: i32) -> Vec<Resource> {
        vec![self.size]
    }

    fn constraints(&self) -> Vec<&Constraint> {
        self.spec.iter().flat_map(|spec| &spec.read.entries).filter_map(|entry| entry.constraint.as_ref()).collect()
    }

    fn sends_constraints(&self) -> bool {
        self.spec.is_some()
    }

    fn rows(&self, _key: RequestKey) -> Vec<Vec<Step>> {
        vec![Vec::new()]
    }
}
