//! The view of the document for the page.

use super::{Document, gallery};
use heddle_core::scenario::words::{AuthorText, edited_title};
use heddle_core::scenario::{Mode, Scenario};
use heddle_view::{AboutView, Change, DocView, Edit, NodeOffer, ReservedParts, SchedulerChoice, Snapshot, WorldLine};

impl Document {
    pub fn view(&self) -> DocView {
        DocView {
            version: self.version,
            stale: self.stale(),
            problems: self.problems.clone(),
            about: self.scenario.as_ref().map(|s| self.about(s)),
            leaving: self.leaving.clone(),
            said: self.said.clone(),
        }
    }

    /// Returns whether the page opened with this text, edited or not.
    pub fn is_first(&self) -> bool {
        self.opened == gallery::FIRST
    }

    /// Returns the node that may be added: like the last one, under the next free name; `rack` is where it must be.
    pub fn offer(&self, snapshot: &Snapshot, rack: Option<(String, bool)>) -> Option<NodeOffer> {
        let last = &self.scenario.as_ref()?.nodes.last()?.spec;
        let taken: Vec<&str> = snapshot.racks.iter().flat_map(|r| &r.nodes).map(|n| n.name.as_str()).collect();
        Some(NodeOffer {
            name: next_name(&last.host, &taken),
            like: last.host.clone(),
            memory_mb: last.total.memory_mb(),
            vcores: last.total.vcores(),
            rack,
        })
    }

    fn about(&self, s: &Scenario) -> AboutView {
        let card = s.card.as_ref().filter(|card| self.holds(&AuthorText::Card((*card).clone())));
        let edited = !s.title.is_empty() && !self.holds(&AuthorText::Title(s.title.clone()));
        AboutView { card: card.map(gallery::view), edited, told: told(s, edited), room: self.room, ..about(s) }
    }
}

/// Returns the title as it is shown.
fn told(s: &Scenario, edited: bool) -> String {
    if edited { edited_title(&s.title) } else { s.title.clone() }
}

fn about(s: &Scenario) -> AboutView {
    let driven = match (s.settings.scheduler, s.scheduling.mode) {
        (SchedulerChoice::Capacity, Mode::Async) => "schedules asynchronously",
        (SchedulerChoice::Fair, _) if continuous(s) => "offers nodes continuously",
        _ => "schedules on node heartbeats",
    };
    AboutView {
        title: s.title.clone(),
        edited: false,
        told: s.title.clone(),
        seed: s.seed,
        driven: driven.to_owned(),
        scheduler: s.settings.scheduler,
        release: s.release.is_some(),
        card: None,
        worlds: (0..s.worlds.len()).map(|n| world(s, n)).collect(),
        room: ReservedParts::default(),
    }
}

/// Returns whether the FairScheduler offers nodes in a thread of its own.
fn continuous(s: &Scenario) -> bool {
    let set = s.settings.yarn_site.get("yarn.scheduler.fair.continuous-scheduling-enabled");
    set.is_some_and(|set| set.trim().eq_ignore_ascii_case("true"))
}

fn world(s: &Scenario, n: usize) -> WorldLine {
    let world = &s.worlds[n];
    let mut path = vec!["worlds".into(), world.entry.into()];
    // One entry may have several worlds, one for each value.
    if s.worlds.iter().filter(|w| w.entry == world.entry).count() > 1 {
        let before = s.worlds[..n].iter().filter(|w| w.entry == world.entry).count();
        path.extend(["values".into(), before.into()]);
    }
    let what = format!("remove the world {}", world.name);
    WorldLine { name: world.name.clone(), remove: Edit { what, change: Change::Remove(path) } }
}

/// `n3` after `n2`, `host2` after `host`.
fn next_name(last: &str, taken: &[&str]) -> String {
    let head = last.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &last[head.len()..];
    let mut n: u64 = digits.parse().ok().filter(|n| *n < u64::MAX / 2).unwrap_or(1);
    loop {
        n = n.saturating_add(1);
        let name = format!("{head}{n:0width$}", width = digits.len());
        if !taken.contains(&name.as_str()) {
            return name;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::next_name;

    #[test]
    fn the_next_name_counts_on() {
        assert_eq!(next_name("n2", &["n1", "n2"]), "n3");
        assert_eq!(next_name("n09", &["n09", "n10"]), "n11");
        assert_eq!(next_name("host", &[]), "host2");
    }
}
