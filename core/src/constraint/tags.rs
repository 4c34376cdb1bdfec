//! Counts of allocations by tag and place (AllocationTagsManager of Hadoop 3.5.0; placement-constraints.md section 4):
//! per node and per rack, for each application and for all together.
//!
//! A query costs as much as it names tags, however many containers and applications there are: besides YARN's two
//! tables (of each application, and global) there is one with the sum over the applications that `not-self` and
//! `app-tag` consider.

use super::Scope;
use crate::model::AppId;
use indexmap::IndexSet;
use std::collections::BTreeMap;

/// A tag by number.
type Tag = u32;
/// A node, or a rack.
type Place = u32;

/// Place -> tag -> count; absent means 0.
#[derive(Clone, Debug, PartialEq, Default)]
struct Table(BTreeMap<(Place, Tag), i64>);

impl Table {
    fn get(&self, place: Place, tag: Tag) -> i64 {
        self.0.get(&(place, tag)).copied().unwrap_or(0)
    }

    fn add(&mut self, place: Place, tag: Tag, n: i64) {
        *self.0.entry((place, tag)).or_insert(0) += n;
    }

    /// Subtracts `n`; an entry that would fall to 0 or below is removed. (Subtracting from an absent one is only logged
    /// by YARN.)
    fn take(&mut self, place: Place, tag: Tag, n: i64) -> i64 {
        let Some(count) = self.0.get_mut(&(place, tag)) else { return 0 };
        let taken = n.min(*count);
        *count -= taken;
        if *count == 0 {
            self.0.remove(&(place, tag));
        }
        taken
    }

    fn at(&self, place: Place) -> impl Iterator<Item = (Tag, i64)> {
        self.0.range((place, 0)..=(place, Tag::MAX)).map(|((_, tag), n)| (*tag, *n))
    }
}

/// The tables of nodes and of racks.
#[derive(Clone, Debug, PartialEq, Default)]
struct Tables {
    node: Table,
    rack: Table,
}

impl Tables {
    fn of(&self, scope: Scope) -> &Table {
        match scope {
            Scope::Node => &self.node,
            Scope::Rack => &self.rack,
        }
    }
}

/// The allocations that a query is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AllocationScope<'a> {
    /// All applications' (the global table).
    Everybodys,
    /// One application's (`None`: an unknown application's).
    Of(Option<AppId>),
    /// Those of all other applications with tagged allocations on some node.
    NotOf(AppId),
    /// Those of these applications, if they have tagged allocations on some node.
    Any(&'a [AppId]),
}

#[derive(Clone, Debug, PartialEq, Default)]
pub struct TagCounts {
    names: IndexSet<String>,
    all: Tables,
    /// The sum of the tables of the applications with tagged allocations on some node.
    listed: Tables,
    by_app: BTreeMap<AppId, Tables>,
}

impl TagCounts {
    fn tag(&self, name: &str) -> Option<Tag> {
        self.names.get_index_of(name).map(|i| i as Tag)
    }

    fn intern(&mut self, name: &str) -> Tag {
        match self.names.get_index_of(name) {
            Some(i) => i as Tag,
            None => self.names.insert_full(name.to_string()).0 as Tag,
        }
    }

    /// Adds an allocation of `app` on a node and in its rack, with each of these tags.
    pub fn add<S: AsRef<str>>(&mut self, app: AppId, node: u32, rack: u32, tags: &[S]) {
        for name in tags {
            let tag = self.intern(name.as_ref());
            let own = self.by_app.entry(app).or_default();
            if own.node.0.is_empty() {
                own.rack.0.iter().for_each(|((rack, tag), n)| self.listed.rack.add(*rack, *tag, *n));
            }
            for tables in [own, &mut self.listed, &mut self.all] {
                tables.node.add(node, tag, 1);
                tables.rack.add(rack, tag, 1);
            }
        }
    }

    /// Removes an allocation. If the rack differs from the one it was added to, that one keeps its counts
    /// (placement-constraints.md 4.1, rack leak). Does nothing for an application without tagged allocations.
    pub fn remove<S: AsRef<str>>(&mut self, app: AppId, node: u32, rack: u32, tags: &[S]) {
        let names = &self.names;
        let Some(own) = self.by_app.get_mut(&app).filter(|own| !own.node.0.is_empty()) else { return };
        for tag in tags.iter().filter_map(|name| names.get_index_of(name.as_ref())).map(|i| i as Tag) {
            let taken = own.node.take(node, tag, 1);
            self.listed.node.take(node, tag, taken);
            let taken = own.rack.take(rack, tag, 1);
            self.listed.rack.take(rack, tag, taken);
            self.all.node.take(node, tag, 1);
            self.all.rack.take(rack, tag, 1);
        }
        if own.node.0.is_empty() {
            own.rack.0.iter().for_each(|((rack, tag), n)| {
                self.listed.rack.take(*rack, *tag, *n);
            });
            if own.rack.0.is_empty() {
                self.by_app.remove(&app);
            }
        }
    }

    fn is_listed(&self, app: AppId) -> bool {
        self.by_app.get(&app).is_some_and(|own| !own.node.0.is_empty())
    }

    /// The applications with tagged allocations on some node.
    pub fn listed(&self) -> impl Iterator<Item = AppId> {
        self.by_app.iter().filter(|(_, own)| !own.node.0.is_empty()).map(|(app, _)| *app)
    }

    fn count_of(&self, scope: Scope, place: Place, whose: AllocationScope<'_>, tag: Tag) -> i64 {
        let own = |app: AppId| self.by_app.get(&app).map_or(0, |t| t.of(scope).get(place, tag));
        match whose {
            AllocationScope::Everybodys => self.all.of(scope).get(place, tag),
            AllocationScope::Of(app) => app.map_or(0, own),
            AllocationScope::NotOf(app) => {
                let mine = if self.is_listed(app) { own(app) } else { 0 };
                self.listed.of(scope).get(place, tag) - mine
            }
            AllocationScope::Any(apps) => apps.iter().filter(|a| self.is_listed(**a)).map(|a| own(*a)).sum(),
        }
    }

    /// The number of allocations with this tag there.
    pub fn count(&self, scope: Scope, place: u32, whose: AllocationScope<'_>, tag: &str) -> i64 {
        self.tag(tag).map_or(0, |tag| self.count_of(scope, place, whose, tag))
    }

    /// All tags there with their counts, in the order in which they were first seen.
    pub fn at(&self, scope: Scope, place: u32, whose: AllocationScope<'_>) -> Vec<(&str, i64)> {
        let table = match whose {
            AllocationScope::Everybodys => &self.all,
            AllocationScope::NotOf(_) | AllocationScope::Any(_) => &self.listed,
            AllocationScope::Of(None) => return Vec::new(),
            AllocationScope::Of(Some(app)) => match self.by_app.get(&app) {
                Some(own) => own,
                None => return Vec::new(),
            },
        };
        let seen = table.of(scope).at(place).map(|(tag, _)| tag);
        seen.map(|tag| (self.name(tag), self.count_of(scope, place, whose, tag))).filter(|(_, n)| *n > 0).collect()
    }

    fn name(&self, tag: Tag) -> &str {
        self.names.get_index(tag as usize).map_or("", String::as_str)
    }

    /// The lowest and the highest count over the tags, or over every tag that is there if none is named. Nothing there:
    /// 0.
    pub fn range<S: AsRef<str>>(&self, scope: Scope, place: u32, whose: AllocationScope<'_>, tags: &[S]) -> (i64, i64) {
        let counts: &mut dyn Iterator<Item = i64> = if tags.is_empty() {
            &mut self.at(scope, place, whose).into_iter().map(|(_, n)| n)
        } else {
            &mut tags.iter().map(|t| self.count(scope, place, whose, t.as_ref()))
        };
        let mut out: Option<(i64, i64)> = None;
        for n in counts {
            out = Some(out.map_or((n, n), |(lo, hi)| (lo.min(n), hi.max(n))));
        }
        out.unwrap_or((0, 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: AppId = AppId(0);
    const B: AppId = AppId(1);

    #[test]
    fn tags_count_per_application_and_in_all() {
        let mut counts = TagCounts::default();
        counts.add(A, 0, 0, &["x", "y"]);
        counts.add(B, 0, 0, &["x"]);
        counts.add(B, 1, 0, &["x"]);
        let all = AllocationScope::Everybodys;
        assert_eq!(counts.count(Scope::Node, 0, all, "x"), 2);
        assert_eq!(counts.count(Scope::Rack, 0, all, "x"), 3);
        assert_eq!(counts.count(Scope::Rack, 0, AllocationScope::NotOf(A), "x"), 2);
        assert_eq!(counts.range(Scope::Node, 0, AllocationScope::Of(Some(A)), &["x", "z"]), (0, 1));
        assert_eq!(counts.range::<&str>(Scope::Node, 0, all, &[]), (1, 2));
        counts.remove(B, 1, 0, &["x", "unknown"]);
        assert_eq!(counts.count(Scope::Rack, 0, all, "x"), 2);
    }

    #[test]
    fn a_rack_that_is_not_told_of_the_end_keeps_its_counts() {
        let mut counts = TagCounts::default();
        counts.add(A, 0, 0, &["x"]);
        counts.remove(A, 0, 9, &["x"]);
        assert_eq!(counts.count(Scope::Node, 0, AllocationScope::Everybodys, "x"), 0);
        assert_eq!(counts.count(Scope::Rack, 0, AllocationScope::Everybodys, "x"), 1);
        assert_eq!(counts.count(Scope::Rack, 0, AllocationScope::Of(Some(A)), "x"), 1);
        assert_eq!(counts.count(Scope::Rack, 0, AllocationScope::NotOf(B), "x"), 0, "it has nothing on any node");
        counts.add(A, 3, 1, &["y"]);
        assert_eq!(counts.count(Scope::Rack, 0, AllocationScope::NotOf(B), "x"), 1, "seen again");
        assert_eq!(counts.listed().collect::<Vec<_>>(), [A]);
    }
}
