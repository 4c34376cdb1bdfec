//! Worlds side by side: each played to the same moment, with what is unequal in their pictures.

use super::{Player, SeekGoal};
use crate::explain::view::{BesideView, ContainerView, NodeView, Selection, Snapshot, WorldPicture};
use heddle_core::model::Millis;
use std::collections::{BTreeMap, BTreeSet};

/// The worlds that are drawn, the baseline first.
#[derive(Debug, Default)]
pub struct Beside {
    worlds: Vec<(String, Box<Player>)>,
}

impl Beside {
    /// Adds a world that has been run.
    pub(super) fn keep(&mut self, name: &str, player: Box<Player>) {
        self.worlds.push((name.to_owned(), player));
    }

    /// Goes to a moment in all worlds, by at most `events` events, and works out what their pictures explain. Returns whether
    /// all are there. A world that was not run so far stays at the end of what is known of it.
    pub fn walk(&mut self, at: Millis, events: u64) -> bool {
        self.worlds.iter_mut().all(|(_, player)| {
            let goal = goal(player, at);
            (player.now() == goal || player.walk(SeekGoal::Time(goal), events)) && player.look(events)
        })
    }

    /// Returns the pictures of the present moment, or `None` if a world is elsewhere; `about`: the selection.
    pub fn view(&self, at: Millis, about: Option<&Selection>) -> Option<BesideView> {
        if self.worlds.is_empty() || self.worlds.iter().any(|(_, player)| player.now() != goal(player, at)) {
            return None;
        }
        let mut worlds: Vec<WorldPicture> =
            self.worlds.iter().map(|(name, player)| picture(name, player, about)).collect();
        let (base, others) = worlds.split_first_mut()?;
        let (mut boxes, mut nodes) = (BTreeSet::new(), BTreeSet::new());
        for other in others {
            let (here, there, unlike) = unequal(&base.snapshot, &other.snapshot);
            boxes.extend(here);
            nodes.extend(unlike.iter().cloned());
            (other.unequal, other.nodes) = (there, unlike);
        }
        (base.unequal, base.nodes) = (boxes.into_iter().collect(), nodes.into_iter().collect());
        Some(BesideView { time_ms: at, worlds })
    }
}

/// Returns the moment that a world can show: `at`, or the end of what is known of it.
fn goal(player: &Player, at: Millis) -> Millis {
    let progress = player.progress();
    let end = if progress.done { player.latest() } else { progress.known_ms };
    at.clamp(0, end.max(0))
}

fn picture(name: &str, player: &Player, about: Option<&Selection>) -> WorldPicture {
    let about = about.map(|about| player.followed(about)).filter(|about| player.not_there(about).is_none());
    WorldPicture {
        name: name.to_owned(),
        snapshot: player.snapshot(about.as_ref()),
        why: about.map(|about| player.why(&about)),
        ..WorldPicture::default()
    }
}

/// What makes a container equal to another one on the same node: application, AM or not, size, partition, tags.
type Kind<'a> = (&'a str, bool, String, &'a str, &'a [String]);

fn kind(c: &ContainerView) -> Kind<'_> {
    (&c.app, c.am, format!("{:?}", c.size), &c.partition, &c.tags)
}

/// Returns the containers of each snapshot that the other one does not have on the same node, and the nodes that differ in
/// anything.
fn unequal(base: &Snapshot, other: &Snapshot) -> (Vec<Selection>, Vec<Selection>, Vec<String>) {
    let by_name = |s: &'_ Snapshot| -> BTreeMap<String, NodeView> {
        s.racks.iter().flat_map(|r| &r.nodes).map(|n| (n.name.clone(), n.clone())).collect()
    };
    let (here, there) = (by_name(base), by_name(other));
    let (mut only_here, mut only_there, mut nodes) = (Vec::new(), Vec::new(), Vec::new());
    let names: BTreeSet<&String> = here.keys().chain(there.keys()).collect();
    let none = NodeView::default();
    for name in names {
        let (a, b) = (here.get(name), there.get(name));
        let lacks_here = lacking(a.unwrap_or(&none), b.unwrap_or(&none));
        let lacks_there = lacking(b.unwrap_or(&none), a.unwrap_or(&none));
        let reserved = |n: &NodeView| n.reserved.as_ref().map(|r| (r.app.clone(), r.size.clone()));
        let own = |n: &NodeView| (n.state.clone(), n.total.clone(), n.label.clone(), reserved(n));
        if a.map(own) != b.map(own) || !lacks_here.is_empty() || !lacks_there.is_empty() {
            nodes.push(name.clone());
        }
        only_there.extend(lacks_here);
        only_here.extend(lacks_there);
    }
    (only_here, only_there, nodes)
}

/// Returns the containers of `theirs` that `mine` has no equal of. Of several equal ones those that `mine` has by the same
/// number are left out first.
fn lacking(mine: &NodeView, theirs: &NodeView) -> Vec<Selection> {
    let mut kinds: BTreeMap<Kind<'_>, (Vec<&Selection>, Vec<&Selection>)> = BTreeMap::new();
    for c in &mine.containers {
        kinds.entry(kind(c)).or_default().0.push(&c.id);
    }
    for c in &theirs.containers {
        kinds.entry(kind(c)).or_default().1.push(&c.id);
    }
    let mut out: Vec<Selection> = Vec::new();
    for (mine, theirs) in kinds.into_values() {
        let more = theirs.len().saturating_sub(mine.len());
        let (same, other): (Vec<_>, Vec<_>) = theirs.into_iter().partition(|id| mine.contains(id));
        // The latest ones are those that came by the difference.
        out.extend(same.into_iter().chain(other).rev().take(more).cloned());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::view::RackView;

    const TWO: &str = include_str!("../../scenarios/q14b-two-queues.toml");

    /// Plays the worlds of a scenario side by side.
    fn beside(text: &str) -> Beside {
        let player = Player::load(text).player.expect("it loads");
        let mut worlds = player.worlds();
        worlds.insert(0, player.as_it_is());
        let mut run = player.run_beside(worlds, 3);
        while !run.step(10_000) {}
        run.ran_beside().1
    }

    fn at(beside: &mut Beside, ms: Millis) -> BesideView {
        while !beside.walk(ms, 100) {}
        beside.view(ms, None).expect("all are there")
    }

    #[test]
    fn worlds_are_shown_at_the_same_moment_and_are_equal_up_to_the_first_difference() {
        let player = Player::load(TWO).player.expect("it loads");
        let first = player.compare(&player.worlds())[1].first.as_ref().expect("they differ").time_ms;
        let mut worlds = beside(TWO);
        let before = at(&mut worlds, first - 1);
        assert_eq!(before.worlds.len(), 2);
        assert!(
            before.worlds.iter().all(|w| w.snapshot.time_ms == first - 1 && w.unequal.is_empty() && w.nodes.is_empty())
        );
        let later = at(&mut worlds, 150_000);
        assert!(later.worlds.iter().all(|w| !w.unequal.is_empty() && !w.nodes.is_empty()), "preemption has moved some");
        assert!(worlds.view(first, None).is_none(), "they are elsewhere");
        assert_eq!(at(&mut worlds, first - 1), before, "back again");
    }

    #[test]
    fn each_world_answers_for_the_same_thing() {
        let mut worlds = beside(TWO);
        while !worlds.walk(200_000, u64::MAX) {}
        let about = "app:App2".parse().ok();
        let view = worlds.view(200_000, about.as_ref()).expect("all are there");
        let said = |i: usize| view.worlds[i].why.as_ref().map(|why| (why.about.clone(), why.status.clone()));
        assert_eq!(said(0).map(|s| s.0), Some(about));
        assert_ne!(said(0), said(1), "App2 has ended with preemption, and not without");
        let nobody = "app:nobody".parse().ok();
        assert!(worlds.view(200_000, nobody.as_ref()).is_some_and(|v| v.worlds.iter().all(|w| w.why.is_none())));
    }

    /// A node with containers of an application, by their numbers.
    fn node(name: &str, app: &str, numbers: &[usize]) -> NodeView {
        let player = Player::load(TWO).player.map(|mut p| {
            p.seek(100_000);
            p.snapshot(None)
        });
        let snapshot = player.expect("it loads");
        let like =
            snapshot.racks.iter().flat_map(|r| &r.nodes).flat_map(|n| &n.containers).find(|c| !c.am).expect("one");
        let one = |k: &usize| ContainerView {
            id: Selection::Container { app: app.to_owned(), k: *k },
            app: app.to_owned(),
            ..like.clone()
        };
        NodeView { name: name.to_owned(), containers: numbers.iter().map(one).collect(), ..NodeView::default() }
    }

    fn snapshot(nodes: Vec<NodeView>) -> Snapshot {
        Snapshot { racks: vec![RackView { name: "/r".into(), nodes }], ..Snapshot::default() }
    }

    #[test]
    fn containers_are_matched_by_what_they_are_and_not_by_their_numbers() {
        let numbers = |of: &[Selection]| of.iter().map(ToString::to_string).collect::<Vec<_>>();
        let base = snapshot(vec![node("n1", "a", &[1, 2, 3]), node("n2", "b", &[1])]);
        let other = snapshot(vec![node("n1", "a", &[2, 7]), node("n2", "b", &[4])]);
        let (here, there, nodes) = unequal(&base, &other);
        assert_eq!((numbers(&here), numbers(&there), nodes), (vec!["container:a/3".into()], vec![], vec!["n1".into()]));
        let other = snapshot(vec![node("n1", "a", &[1, 2, 3])]);
        let (here, there, nodes) = unequal(&base, &other);
        assert_eq!((numbers(&here), numbers(&there), nodes), (vec!["container:b/1".into()], vec![], vec!["n2".into()]));
        let mut away = base.clone();
        away.racks[0].nodes[0].state = "LOST".into();
        assert_eq!(unequal(&base, &away), (vec![], vec![], vec!["n1".into()]), "a node in another state");
        assert_eq!(unequal(&base, &base), (vec![], vec![], vec![]));
    }
}
