//! The constraints that apply to a request (MemoryPlacementConstraintManager; placement-constraints.md 5.1): the AND of
//! the request's own, its application's for its source tag and the cluster's for that tag. None overrides another,
//! although the manual says that the request's own does.

use super::{Constraint, order::distinct};
use crate::model::{AppId, SortedMap};
use indexmap::IndexMap;

/// Constraints by source tag, with the number of each.
type ByTag = IndexMap<String, (Constraint, u32)>;

/// Constraints of applications and of the cluster.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ConstraintManager {
    apps: SortedMap<AppId, ByTag>,
    global: ByTag,
    /// Every constraint that was ever numbered, with whether its meaning depends on the asking application.
    numbers: IndexMap<Constraint, bool>,
    /// The number of changes to existing entries.
    edits: u64,
}

/// The constraint-related part of a request: requests with equal questions get the same answer on every node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// The set of its tags.
    pub tags: u32,
    /// The number of its own constraint.
    pub own: Option<u32>,
    registered: Option<u32>,
    /// The asking application, if the answer depends on it.
    asker: Option<AppId>,
}

/// Where a constraint comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The request's own.
    Request,
    /// Registered by its application for its source tag.
    Application,
    /// The cluster's for its source tag.
    Global,
}

/// The constraints that apply together, in the order in which they are evaluated.
#[derive(Clone, Copy, Debug, Default)]
pub struct Applying<'a> {
    parts: [Option<(Level, &'a Constraint)>; 3],
}

impl<'a> Applying<'a> {
    /// The request's own constraint only.
    pub fn request(constraint: Option<&'a Constraint>) -> Self {
        Applying { parts: [constraint.map(|c| (Level::Request, c)), None, None] }
    }

    /// The parts with their levels. No parts: always satisfied.
    pub fn parts(&self) -> impl Iterator<Item = (Level, &'a Constraint)> + use<'a> {
        self.parts.into_iter().flatten()
    }

    /// Combines them into one constraint: always an AND, as YARN builds it.
    pub fn to_constraint(&self) -> Constraint {
        Constraint::And(self.parts().map(|(_, c)| c.clone()).collect())
    }

    fn push(&mut self, level: Level, constraint: Option<&'a Constraint>) {
        let Some(constraint) = constraint else { return };
        if self.parts().any(|(_, c)| c.same(constraint)) {
            return;
        }
        if let Some(free) = self.parts.iter_mut().find(|p| p.is_none()) {
            *free = Some((level, constraint));
        }
    }
}

/// The source tag under which constraints are stored; `None` for no tag and for several.
pub fn source_tag<S: AsRef<str>>(tags: &[S]) -> Option<&str> {
    match tags {
        [only] => Some(only.as_ref()),
        _ => match distinct(tags).as_slice() {
            [only] => Some(only),
            _ => None,
        },
    }
}

impl ConstraintManager {
    /// Registers an application with its constraints: all at once, and only the first time. Constraints that do not
    /// have exactly one source tag are dropped; their source tags are returned.
    pub fn register(&mut self, app: AppId, constraints: &[(Vec<String>, Constraint)]) -> Vec<Vec<String>> {
        let mut dropped = Vec::new();
        if self.apps.contains_key(&app) {
            return dropped;
        }
        let mut own = ByTag::new();
        for (tags, constraint) in constraints {
            match source_tag(tags) {
                Some(tag) => {
                    own.insert(tag.to_string(), (constraint.clone(), self.number(constraint)));
                }
                None => dropped.push(tags.clone()),
            }
        }
        self.apps.insert(app, own);
        dropped
    }

    /// Unregisters an application.
    pub fn unregister(&mut self, app: AppId) {
        self.edits += 1;
        self.apps.remove(&app);
    }

    /// The registered applications.
    pub fn registered(&self) -> impl Iterator<Item = AppId> {
        self.apps.keys().copied()
    }

    /// The constraints of an application; `None` if it is not registered.
    pub fn of_app(&self, app: AppId) -> Option<impl Iterator<Item = (&str, &Constraint)>> {
        self.apps.get(&app).map(|own| own.iter().map(|(tag, (c, _))| (tag.as_str(), c)))
    }

    /// The cluster's constraints.
    pub fn global(&self) -> impl Iterator<Item = (&str, &Constraint)> {
        self.global.iter().map(|(tag, (c, _))| (tag.as_str(), c))
    }

    fn of(&mut self, app: Option<AppId>) -> Option<&mut ByTag> {
        match app {
            None => Some(&mut self.global),
            Some(app) => self.apps.get_mut(&app),
        }
    }

    /// Adds a constraint of a registered application, or of the cluster (`None`); an existing one stays unless
    /// `replace`. Returns whether it was added.
    pub fn put<S: AsRef<str>>(
        &mut self,
        app: Option<AppId>,
        tags: &[S],
        constraint: Constraint,
        replace: bool,
    ) -> bool {
        self.edits += 1;
        let number = self.number(&constraint);
        let (Some(tag), Some(kept)) = (source_tag(tags), self.of(app)) else { return false };
        if kept.contains_key(tag) && !replace {
            return false;
        }
        kept.insert(tag.to_string(), (constraint, number));
        true
    }

    /// Removes a constraint. Returns whether there was one.
    pub fn remove<S: AsRef<str>>(&mut self, app: Option<AppId>, tags: &[S]) -> bool {
        self.edits += 1;
        let Some(tag) = source_tag(tags) else { return false };
        self.of(app).is_some_and(|kept| kept.shift_remove(tag).is_some())
    }

    /// The number of a constraint; equal constraints have the same number.
    pub fn number(&mut self, constraint: &Constraint) -> u32 {
        if let Some(number) = self.numbers.get_index_of(constraint) {
            return number as u32;
        }
        self.numbers.insert_full(constraint.clone(), constraint.depends_on_asker()).0 as u32
    }

    /// The number of changes, without registrations: before its registration an application has requested nothing.
    pub fn edits(&self) -> u64 {
        self.edits
    }

    /// The question of a request with this set of tags and this number of its own constraint.
    pub fn question<S: AsRef<str>>(&self, app: AppId, set: u32, tags: &[S], own: Option<u32>) -> Question {
        let tag = source_tag(tags);
        let kept = |by_tag: &ByTag| by_tag.get(tag?).map(|(_, number)| *number);
        let (registered, global) = (self.apps.get(&app).and_then(kept), kept(&self.global));
        let depends = |number: u32| self.numbers.get_index(number as usize).is_none_or(|(_, depends)| *depends);
        let asker = [own, registered, global].into_iter().flatten().any(depends).then_some(app);
        Question { tags: set, own, registered, asker }
    }

    /// The constraints that apply to a request of an application.
    pub fn applying<'a, S: AsRef<str>>(
        &'a self,
        app: AppId,
        tags: &[S],
        request: Option<&'a Constraint>,
    ) -> Applying<'a> {
        let mut applying = Applying::request(request);
        if let Some(tag) = source_tag(tags) {
            let constraint = |kept: Option<&'a (Constraint, u32)>| kept.map(|(constraint, _)| constraint);
            applying.push(Level::Application, constraint(self.apps.get(&app).and_then(|own| own.get(tag))));
            applying.push(Level::Global, constraint(self.global.get(tag)));
        }
        applying
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse_expression;
    use super::*;

    fn constraint(text: &str) -> Constraint {
        parse_expression(text).expect(text).constraint
    }

    #[test]
    fn the_three_levels_are_joined_and_equal_ones_dropped() {
        let (own, other) = (constraint("notin,node,zk"), constraint("in,rack,hb"));
        let mut manager = ConstraintManager::default();
        manager.register(AppId(0), &[(vec!["zk".into()], own.clone()), (vec![], other.clone())]);
        manager.put(None, &["zk"], other.clone(), false);
        let levels = |tags: &[&str], request| {
            manager.applying(AppId(0), tags, request).parts().map(|(level, _)| level).collect::<Vec<_>>()
        };
        assert_eq!(levels(&["zk"], Some(&other)), [Level::Request, Level::Application]);
        assert_eq!(levels(&["zk"], None), [Level::Application, Level::Global]);
        assert!(levels(&["zk", "hb"], None).is_empty(), "several source tags find nothing");
        assert_eq!(levels(&["zk", "zk"], None).len(), 2, "tags are a set");
    }

    #[test]
    fn questions_are_equal_where_the_answers_must_be() {
        let mut manager = ConstraintManager::default();
        let (all, own) = (constraint("notin,node,all/zk"), constraint("notin,node,zk"));
        let ask = |m: &ConstraintManager, app, own: u32| m.question(AppId(app), 1, &["zk"], Some(own));
        let (all_number, own_number) = (manager.number(&all), manager.number(&own));
        assert_eq!(all_number, manager.number(&all));
        assert_eq!(ask(&manager, 0, all_number), ask(&manager, 1, all_number));
        assert_ne!(ask(&manager, 0, own_number), ask(&manager, 1, own_number), "`self` is another one for each");
        assert_ne!(ask(&manager, 0, all_number), manager.question(AppId(0), 2, &["hb"], Some(all_number)));
        // Constraints that applications have registered count; those with the same meaning give the same question.
        for app in [0, 1] {
            manager.register(AppId(app), &[(vec!["zk".into()], constraint("in,rack,all/hb"))]);
        }
        manager.register(AppId(2), &[(vec!["zk".into()], own.clone())]);
        assert_eq!(ask(&manager, 0, all_number), ask(&manager, 1, all_number));
        assert_ne!(ask(&manager, 0, all_number), ask(&manager, 3, all_number), "it has registered none");
        assert_ne!(ask(&manager, 0, all_number), ask(&manager, 2, all_number));
        // So do the cluster's constraints for the tag; changes are counted.
        let (before, edits) = (ask(&manager, 0, all_number), manager.edits());
        manager.put(None, &["zk"], constraint("notin,rack,not-self/zk"), false);
        assert!(manager.edits() > edits);
        assert_ne!(ask(&manager, 0, all_number), before);
        assert_ne!(ask(&manager, 0, all_number), ask(&manager, 1, all_number));
    }

    #[test]
    fn a_constraint_is_replaced_only_on_request_and_only_of_registered_applications() {
        let mut manager = ConstraintManager::default();
        assert!(!manager.put(Some(AppId(0)), &["zk"], constraint("notin,node,zk"), true));
        assert!(manager.put(None, &["zk"], constraint("notin,node,zk"), false));
        assert!(!manager.put(None, &["zk"], constraint("in,node,zk"), false));
        assert!(manager.put(None, &["zk"], constraint("in,node,zk"), true));
        assert!(manager.remove::<&str>(None, &["zk"]) && !manager.remove::<&str>(None, &["zk"]));
    }
}
