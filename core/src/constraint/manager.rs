//! Which constraint applies to a request (MemoryPlacementConstraintManager; section 5.1): the AND of the request's
//! own, its application's for its source tag and the cluster's for that tag. Nothing overrides anything, although the
//! manual says that the request's own does.

use super::{Constraint, order::distinct};
use crate::model::{AppId, SortedMap};
use indexmap::IndexMap;

/// Constraints by source tag.
type ByTag = IndexMap<String, Constraint>;

/// Constraints of applications and of the cluster.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ConstraintManager {
    apps: SortedMap<AppId, ByTag>,
    global: ByTag,
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
    /// Only the request's own.
    pub fn request(constraint: Option<&'a Constraint>) -> Self {
        Applying { parts: [constraint.map(|c| (Level::Request, c)), None, None] }
    }

    /// The parts with where they come from. None at all: always satisfied.
    pub fn parts(&self) -> impl Iterator<Item = (Level, &'a Constraint)> + use<'a> {
        self.parts.into_iter().flatten()
    }

    /// As one constraint: always an AND, as YARN builds it.
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

/// The one source tag that constraints are kept under; `None` for no tag and for several.
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
    /// An application registers with its constraints: all at once, and only the first time. Those whose source tags
    /// are not exactly one are dropped; their source tags are returned.
    pub fn register(&mut self, app: AppId, constraints: &[(Vec<String>, Constraint)]) -> Vec<Vec<String>> {
        let mut dropped = Vec::new();
        if self.apps.contains_key(&app) {
            return dropped;
        }
        let mut own = ByTag::new();
        for (tags, constraint) in constraints {
            match source_tag(tags) {
                Some(tag) => {
                    own.insert(tag.to_string(), constraint.clone());
                }
                None => dropped.push(tags.clone()),
            }
        }
        self.apps.insert(app, own);
        dropped
    }

    /// The application's AM is done.
    pub fn unregister(&mut self, app: AppId) {
        self.apps.remove(&app);
    }

    /// Applications that are registered.
    pub fn registered(&self) -> impl Iterator<Item = AppId> {
        self.apps.keys().copied()
    }

    /// The constraints of an application; `None` when it is not registered.
    pub fn of_app(&self, app: AppId) -> Option<impl Iterator<Item = (&str, &Constraint)>> {
        self.apps.get(&app).map(|own| own.iter().map(|(tag, c)| (tag.as_str(), c)))
    }

    /// The cluster's constraints.
    pub fn global(&self) -> impl Iterator<Item = (&str, &Constraint)> {
        self.global.iter().map(|(tag, c)| (tag.as_str(), c))
    }

    fn of(&mut self, app: Option<AppId>) -> Option<&mut ByTag> {
        match app {
            None => Some(&mut self.global),
            Some(app) => self.apps.get_mut(&app),
        }
    }

    /// Adds a constraint of a registered application, or of the cluster (`None`); one that is there stays unless
    /// `replace`. Was it added?
    pub fn put<S: AsRef<str>>(
        &mut self,
        app: Option<AppId>,
        tags: &[S],
        constraint: Constraint,
        replace: bool,
    ) -> bool {
        let (Some(tag), Some(kept)) = (source_tag(tags), self.of(app)) else { return false };
        if kept.contains_key(tag) && !replace {
            return false;
        }
        kept.insert(tag.to_string(), constraint);
        true
    }

    /// Takes a constraint away. Was there one?
    pub fn remove<S: AsRef<str>>(&mut self, app: Option<AppId>, tags: &[S]) -> bool {
        let Some(tag) = source_tag(tags) else { return false };
        self.of(app).is_some_and(|kept| kept.shift_remove(tag).is_some())
    }

    /// What applies to a request of an application.
    pub fn applying<'a, S: AsRef<str>>(
        &'a self,
        app: AppId,
        tags: &[S],
        request: Option<&'a Constraint>,
    ) -> Applying<'a> {
        let mut applying = Applying::request(request);
        if let Some(tag) = source_tag(tags) {
            applying.push(Level::Application, self.apps.get(&app).and_then(|own| own.get(tag)));
            applying.push(Level::Global, self.global.get(tag));
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
    fn a_constraint_is_replaced_only_on_request_and_only_of_registered_applications() {
        let mut manager = ConstraintManager::default();
        assert!(!manager.put(Some(AppId(0)), &["zk"], constraint("notin,node,zk"), true));
        assert!(manager.put(None, &["zk"], constraint("notin,node,zk"), false));
        assert!(!manager.put(None, &["zk"], constraint("in,node,zk"), false));
        assert!(manager.put(None, &["zk"], constraint("in,node,zk"), true));
        assert!(manager.remove::<&str>(None, &["zk"]) && !manager.remove::<&str>(None, &["zk"]));
    }
}
