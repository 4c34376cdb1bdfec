//! A scenario in other worlds (product.md 8, idea 4): each is run, and the outcomes stand side by side.

use super::{OtherWorld, Player};
use crate::explain::Names;
use crate::explain::say::events as say;
use crate::explain::view::{
    Amount, AppView, Difference, EventView, QueueView, Snapshot, WorldAppView, WorldQueueView, WorldView,
};
use crate::explain::waiting::waiting;
use heddle_core::model::Millis;

impl Player {
    /// Returns the outcomes of this scenario, which comes first, and of other worlds: at the present moment and at the end.
    pub fn compare(&self, worlds: &[OtherWorld]) -> Vec<WorldView> {
        let mut run = self.run_worlds(worlds.to_vec());
        while !run.step(u64::MAX) {}
        run.ran()
    }
}

/// Returns the outcome of a world that has been run.
pub fn outcome(player: &mut Player, at: Millis) -> WorldView {
    let progress = player.progress();
    player.seek(at.min(progress.known_ms.max(player.scenario.until.unwrap_or(0))));
    let snapshot = player.snapshot(None);
    let end = crate::explain::snapshot(Names::new(&player.track.front), &waiting(&player.track.front));
    let front = &player.track.front;
    let names = Names::new(front);
    let ended_at = |name: &str| {
        let app = front.rm().app(names.find_app(name)?)?;
        app.state.is_final().then_some(app.finished_at).flatten()
    };
    let ends: Vec<Option<Millis>> = end.apps.iter().map(|a| ended_at(&a.name)).collect();
    let all_ended = !ends.is_empty() && ends.iter().all(Option::is_some) && ends.len() == player.scenario.apps.len();
    WorldView {
        headline: snapshot.headline.clone(),
        apps: snapshot.apps.iter().map(|a| app(&snapshot, a, ended_at(&a.name))).collect(),
        queues: snapshot.queues.iter().filter(|q| q.leaf).map(queue).collect(),
        ended: (ends.iter().flatten().count(), player.scenario.apps.len()),
        all_ended_ms: ends.iter().copied().max().flatten().filter(|_| all_ended),
        done: end.apps.iter().map(|a| a.done).sum(),
        runs: crate::gains::runs(player),
        known_ms: if progress.done { player.end_ms() } else { progress.known_ms },
        ..WorldView::default()
    }
}

fn app(snapshot: &Snapshot, a: &AppView, ended_ms: Option<i64>) -> WorldAppView {
    WorldAppView {
        name: a.name.clone(),
        state: a.state.clone(),
        placed: a.placed,
        done: a.done,
        waiting: snapshot.waiting.iter().filter(|w| w.app == a.name).map(|w| w.count).sum(),
        rejected: a.rejected,
        ended_ms,
    }
}

fn queue(q: &QueueView) -> WorldQueueView {
    let mut view = WorldQueueView { path: q.path.clone(), ..WorldQueueView::default() };
    for p in &q.partitions {
        add(&mut view.used, &p.used);
        add(&mut view.am_used, &p.am_used);
        add(&mut view.guaranteed, &p.guaranteed);
    }
    view
}

fn add(sum: &mut Amount, more: &Amount) {
    sum.memory_mb += more.memory_mb;
    sum.vcores += more.vcores;
}

/// Returns the first difference between the events of two runs.
pub fn difference(here: &[EventView], there: &[EventView]) -> Option<Difference> {
    let same =
        |a: &EventView, b: &EventView| (a.time_ms, &a.verb, &a.name, &a.node) == (b.time_ms, &b.verb, &b.name, &b.node);
    let i = here.iter().zip(there).take_while(|(a, b)| same(a, b)).count();
    let (a, b) = (here.get(i), there.get(i));
    let at = [a, b].into_iter().flatten().map(|e| e.time_ms).min()?;
    // Compares all events of that moment, since one world's extra event may come between events that both have.
    let group = |all: &[EventView]| all[i..].iter().take_while(|e| e.time_ms == at).cloned().collect::<Vec<_>>();
    let (group_here, group_there) = (group(here), group(there));
    let only =
        |mine: &[EventView], other: &[EventView]| mine.iter().find(|e| !other.iter().any(|o| same(e, o))).cloned();
    let (mut a, mut b) = (only(&group_here, &group_there), only(&group_there, &group_here));
    if a.is_none() && b.is_none() {
        (a, b) = (group_here.first().cloned(), group_there.first().cloned());
    }
    let about = a.as_ref().or(b.as_ref()).and_then(|e| e.who.clone());
    let then = |e: &Option<EventView>| e.as_ref().map_or(String::new(), said);
    Some(Difference { time_ms: at, here: then(&a), there: then(&b), about })
}

fn said(e: &EventView) -> String {
    say::row(&e.name, &e.verb, &e.node, &e.why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gallery_question_of_masters_beside_a_smaller_share() {
        let text = include_str!("../../scenarios/q05-masters-fill-the-cluster.toml");
        let player = Player::load(text).player.expect("it loads");
        let mut worlds = player.worlds();
        worlds.push(OtherWorld::from(("nothing changed".to_string(), Ok(text.to_string()))));
        worlds.push(OtherWorld::from(("no text".to_string(), Ok("= =".to_string()))));
        let out = player.compare(&worlds);
        let [here, small, _, same, broken] = out.as_slice() else { panic!("five worlds, not {}", out.len()) };
        assert_eq!((here.ended, here.all_ended_ms, here.done), ((0, 20), None, 0), "nobody gets a task");
        assert_eq!((small.ended, small.done), ((20, 20), 80), "all get through");
        assert!(small.all_ended_ms.is_some_and(|at| at < 600_000));
        let first = small.first.as_ref().expect("they differ");
        assert!(first.time_ms <= 2_000 && first.here != first.there, "{first:?}");
        assert_eq!((same.first.as_ref(), &same.headline), (None, &here.headline));
        assert!(!broken.refused.is_empty() && broken.apps.is_empty());
        let masters = |w: &WorldView| w.queues.iter().map(|q| q.am_used.memory_mb).sum::<i64>();
        assert_eq!((masters(here), masters(small)), (20 << 10, 2 << 10));
    }

    #[test]
    fn the_sweep_of_parallel_applications() {
        let text = include_str!("../../scenarios/q26b-sweep.toml");
        let player = Player::load(text).player.expect("it loads");
        let out = player.compare(&player.worlds());
        let ends: Vec<Option<Millis>> = out.iter().map(|w| w.all_ended_ms).collect();
        assert!(ends.iter().all(Option::is_some) && out.iter().all(|w| w.done == 80), "{ends:?}");
        let [one, .., ten] = ends.as_slice() else { panic!("worlds") };
        let best = ends.iter().min().expect("some");
        assert!(best < one && one < ten, "one wastes, ten fill the queue with ApplicationMasters: {ends:?}");
    }

    #[test]
    fn two_queues_with_and_without_preemption() {
        let text = include_str!("../../scenarios/q14b-two-queues.toml");
        let player = Player::load(text).player.expect("it loads");
        let out = player.compare(&player.worlds());
        let end = |w: &WorldView, name: &str| w.apps.iter().find(|a| a.name == name).and_then(|a| a.ended_ms);
        let ends = |w: &WorldView| [end(w, "App1"), end(w, "App2")].map(|at| at.expect("it ends"));
        let [with, without] = out.as_slice() else { panic!("two worlds, not {}", out.len()) };
        let ([first_with, second_with], [first, second]) = (ends(with), ends(without));
        assert!(second_with < second, "T3' = {second_with}, T3 = {second}");
        assert!(first_with >= first, "T2' = {first_with}, T2 = {first}");
        assert_eq!([second_with, second, first_with, first], [191_000, 436_000, 494_000, 311_000], "as the card says");
    }

    #[test]
    fn three_handlers_side_by_side() {
        let text = include_str!("../../scenarios/q38a-handler-scheduler.toml");
        let player = Player::load(text).player.expect("it loads");
        let out = player.compare(&player.worlds());
        let figures: Vec<(i64, i64, i64)> =
            out.iter().map(|w| (w.apps[0].placed, w.apps[0].waiting, w.apps[0].rejected)).collect();
        assert_eq!(figures[0], (2, 1, 0), "the scheduler lets it wait");
        assert!(figures[1].0 == 2 && figures[1].2 > 0, "the processor rejects it: {figures:?}");
        assert_eq!(figures[2], (0, 0, 0), "disabled refuses the call");
        assert!(out[1].first.is_some() && out[2].first.is_some());
    }
}
