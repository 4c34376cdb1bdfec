//! The description of a batch application: groups of tasks.

pub(crate) mod read;

use crate::apps::scenario::Kind;
use crate::model::{RequestKey, Resource};
use crate::scenario::application::TaskGroup;
use crate::scenario::edit::Step;

impl Kind for Vec<TaskGroup> {
    fn tasks(&self) -> &[TaskGroup] {
        self
    }

    fn containers(&self) -> u64 {
        self.iter().map(|g| u64::from(g.count)).sum()
    }

    fn one_by_one(&self) -> u64 {
        0
    }

    fn parts(&self) -> usize {
        self.len()
    }

    fn sizes(&self, priority: i32) -> Vec<Resource> {
        self.iter().filter(|g| g.priority == priority).map(|g| g.size).collect()
    }

    fn places(&self) -> Vec<&str> {
        self.iter().flat_map(|g| &g.places).map(String::as_str).collect()
    }

    fn rows(&self, key: RequestKey) -> Vec<Vec<Step>> {
        let mine = self.iter().enumerate().filter(|(_, g)| g.priority == key.priority);
        mine.map(|(i, _)| vec![Step::from("tasks"), Step::from(i)]).collect()
    }
}
