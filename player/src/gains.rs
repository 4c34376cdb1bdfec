//! Who gains and who loses between two worlds: every application over the whole run, and the sums by queue and by user.

use crate::Player;
use crate::explain::Names;
use crate::explain::view::{GainView, GainsView, Selection, WorldRunView, WorldView};
use crate::explain::waiting::waiting;
use heddle_core::journal::{Change, Entry};
use heddle_core::model::{AppId, ContainerId, EndCause, Millis, Resource, order};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Returns each application of a run as far as it is known.
pub fn runs(player: &Player) -> Vec<WorldRunView> {
    let front = &player.track.front;
    let names = Names::new(front);
    let end = crate::explain::snapshot(names, &waiting(front));
    let tallies = tallies(front.now(), player.track.log().lines.iter().map(|line| (line.first, &line.entry)));
    let run = |app: &crate::explain::view::AppView| {
        let id = names.find_app(&app.name);
        let real = id.and_then(|id| front.rm().app(id));
        let waiting: i64 = end.waiting.iter().filter(|w| w.app == app.name).map(|w| w.count).sum();
        let present = front
            .scenario()
            .apps
            .iter()
            .any(|a| a.name == app.name && a.now.as_ref().is_some_and(|now| now.running.iter().any(|c| !c.am)));
        let tally = id.and_then(|id| tallies.get(&id)).copied().unwrap_or_default();
        WorldRunView {
            name: app.name.clone(),
            queue: app.queue.clone(),
            user: app.user.clone(),
            submitted_ms: app.submitted_ms,
            // What runs when the scenario begins has started before.
            started_ms: if present { Some(app.submitted_ms) } else { tally.first },
            ended_ms: real.filter(|a| a.state.is_final()).and_then(|a| a.finished_at),
            containers: app.placed + app.done,
            waited_ms: tally.placed_at + waiting * front.now() - (waiting + tally.placed) * app.submitted_ms,
            held_mb_s: (tally.held_mb_ms / 1000) as i64,
            waiting,
            preempted: app.toll.killed + app.toll.masters + app.toll.given_back,
            lost_mb_s: app.toll.lost.memory_mb,
        }
    };
    end.apps.iter().map(run).collect()
}

/// Returns who gains and who loses from one world to another; `None` where one of them was not run.
pub fn gains(from: &WorldView, to: &WorldView) -> Option<GainsView> {
    if !from.refused.is_empty() || !to.refused.is_empty() {
        return None;
    }
    let mut apps: Vec<(GainView, &WorldRunView)> = Vec::new();
    let there = |run: &WorldRunView, world: &'_ WorldView| world.runs.iter().find(|r| r.name == run.name).cloned();
    let only = to.runs.iter().filter(|run| from.runs.iter().all(|r| r.name != run.name));
    for run in from.runs.iter().chain(only) {
        let (before, after) = (there(run, from), there(run, to));
        let both = |f: &dyn Fn(&WorldRunView) -> i64| (before.as_ref().map_or(0, f), after.as_ref().map_or(0, f));
        let wait = |run: &Option<WorldRunView>, known: Millis| {
            let run = run.as_ref();
            run.map_or(0, |r| (r.started_ms.or(r.ended_ms).unwrap_or(known) - r.submitted_ms).max(0))
        };
        let gain = GainView {
            name: run.name.clone(),
            about: Some(Selection::App(run.name.clone())),
            apps: 1,
            wait_ms: (wait(&before, from.known_ms), wait(&after, to.known_ms)),
            start_ms: (before.as_ref().and_then(|r| r.started_ms), after.as_ref().and_then(|r| r.started_ms)),
            end_ms: (before.as_ref().and_then(|r| r.ended_ms), after.as_ref().and_then(|r| r.ended_ms)),
            containers: both(&|r| r.containers),
            waited_ms: both(&|r| r.waited_ms),
            held_mb_s: both(&|r| r.held_mb_s),
            waiting: both(&|r| r.waiting),
            preempted: both(&|r| r.preempted),
            lost_mb_s: both(&|r| r.lost_mb_s),
        };
        apps.push((gain, run));
    }
    let all = |name: &str, about: Option<Selection>, of: &dyn Fn(&WorldRunView) -> bool| {
        let of = apps.iter().filter(|(_, run)| of(run)).map(|(gain, _)| gain);
        of.fold(GainView { name: name.to_owned(), about, ..GainView::default() }, add)
    };
    let mut queues: Vec<String> = apps.iter().map(|(_, run)| run.queue.clone()).collect();
    let mut users: Vec<String> = apps.iter().map(|(_, run)| run.user.clone()).collect();
    for names in [&mut queues, &mut users] {
        names.sort_unstable();
        names.dedup();
    }
    let queue = |path: &String| all(path, Some(Selection::Queue(path.clone())), &|run| run.queue == *path);
    let user = |name: &String| all(name, None, &|run| run.user == *name);
    let mut view = GainsView {
        queues: queues.iter().map(queue).collect(),
        users: users.iter().map(user).collect(),
        sum: all("all", None, &|_| true),
        apps: Vec::new(),
    };
    view.apps = apps.into_iter().map(|(gain, _)| gain).collect();
    for list in [&mut view.queues, &mut view.users, &mut view.apps] {
        order::sort_by_key(list, |gain| Reverse(size(gain)));
    }
    Some(view)
}

/// What the log says of the containers of an application. What is there when the run begins is in the log, too.
#[derive(Clone, Copy, Default)]
struct ContainerTally {
    /// The first placement besides the AM's.
    first: Option<Millis>,
    /// The sum of the moments of all placements besides the AM's, less those of the preemptions after which a container was
    /// asked for anew.
    placed_at: i64,
    /// The number of those placements, less that of those preemptions.
    placed: i64,
    /// The memory of all containers, each from its beginning to its end or to the present.
    held_mb_ms: i128,
}

/// Returns the tally of each application at the moment `now`.
fn tallies<'l>(now: Millis, log: impl Iterator<Item = (Millis, &'l Entry)>) -> BTreeMap<AppId, ContainerTally> {
    let mut out: BTreeMap<AppId, ContainerTally> = BTreeMap::new();
    let mut masters: BTreeSet<ContainerId> = BTreeSet::new();
    let since = |at: Millis, size: Resource| i128::from(size.memory_mb()) * i128::from((now - at).max(0));
    for (at, entry) in log {
        match entry {
            Entry::Changed(Change::Allocated { container, size, am, .. }) => {
                let tally = out.entry(container.app).or_default();
                tally.held_mb_ms += since(at, *size);
                if *am {
                    masters.insert(*container);
                } else {
                    tally.first = Some(tally.first.map_or(at, |first| first.min(at)));
                    tally.placed_at += at;
                    tally.placed += 1;
                }
            }
            Entry::Changed(Change::Completed { container, size, why, .. }) => {
                let tally = out.entry(container.app).or_default();
                tally.held_mb_ms -= since(at, *size);
                if *why == EndCause::Preempted && !masters.contains(container) {
                    tally.placed_at -= at;
                    tally.placed -= 1;
                }
            }
            _ => {}
        }
    }
    out
}

/// Returns how large a difference is: by what its containers waited, then by what was given and what was lost.
fn size(gain: &GainView) -> (i64, i64, i64, i64) {
    let by = |(before, after): (i64, i64)| (after - before).abs();
    let end = match gain.end_ms {
        (Some(before), Some(after)) => (after - before).abs(),
        (None, None) => 0,
        _ => i64::MAX / 2,
    };
    let given = by(gain.held_mb_s) + by(gain.containers) + by(gain.waiting);
    (by(gain.waited_ms), end, given, by(gain.preempted))
}

/// Adds the figures of one more application. A sum starts with its first and ends with its last, if all have ended.
fn add(mut sum: GainView, more: &GainView) -> GainView {
    let plus = |a: (i64, i64), b: (i64, i64)| (a.0 + b.0, a.1 + b.1);
    let first = |a: Option<i64>, b: Option<i64>| a.into_iter().chain(b).min();
    let last = |a: Option<i64>, b: Option<i64>| Some(a?.max(b?));
    if sum.apps == 0 {
        (sum.start_ms, sum.end_ms) = (more.start_ms, more.end_ms);
    } else {
        sum.start_ms = (first(sum.start_ms.0, more.start_ms.0), first(sum.start_ms.1, more.start_ms.1));
        sum.end_ms = (last(sum.end_ms.0, more.end_ms.0), last(sum.end_ms.1, more.end_ms.1));
    }
    sum.apps += more.apps;
    sum.wait_ms = plus(sum.wait_ms, more.wait_ms);
    sum.containers = plus(sum.containers, more.containers);
    sum.waited_ms = plus(sum.waited_ms, more.waited_ms);
    sum.held_mb_s = plus(sum.held_mb_s, more.held_mb_s);
    sum.waiting = plus(sum.waiting, more.waiting);
    sum.preempted = plus(sum.preempted, more.preempted);
    sum.lost_mb_s = plus(sum.lost_mb_s, more.lost_mb_s);
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(name: &str) -> Vec<WorldView> {
        let path = format!("{}/../scenarios/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("the scenario");
        let player = Player::load(&text).player.expect("it loads");
        player.compare(&player.worlds())
    }

    /// Preemption lets the second application end sooner, and the first pays for that.
    #[test]
    fn one_gains_what_another_loses() {
        let worlds = compared("q14b-two-queues");
        let [with, without] = worlds.as_slice() else { panic!("two worlds") };
        let told = without.gains.as_ref().expect("gains");
        assert!(with.gains.is_none());
        let of = |name: &str| told.apps.iter().find(|g| g.name == name).expect("an application");
        let end = |gain: &GainView| (gain.end_ms.0.expect("it ends"), gain.end_ms.1.expect("it ends"));
        assert_eq!((end(of("App2")), end(of("App1"))), ((191_000, 436_000), (494_000, 311_000)));
        assert!(of("App1").preempted.0 > 0 && of("App1").preempted.1 == 0, "{:?}", of("App1"));
    }

    /// Two containers of 4 GB, of which one ends half-way, and the AM's, all of them there from the beginning.
    #[test]
    fn room_is_counted_as_long_as_it_is_held() {
        let text = "heddle = 1\nuntil = \"100 s\"\n[[nodes]]\nname = \"n\"\nsize = \"64 GB/64\"\n\
            [[apps]]\nname = \"there\"\nkind = \"requests\"\n[apps.now]\nrunning = [{ am = true, node = \"n\", size = \"1 GB/1\" },\
            { node = \"n\", size = \"4 GB/1\" }, { node = \"n\", size = \"4 GB/1\", duration = \"50 s\" }]\n";
        let mut player = Player::load(text).player.expect("it loads");
        while !player.run(1000).done {}
        let [run] = runs(&player).try_into().expect("one application");
        // The node reports the end with its next heartbeat, and the run ends with its last event.
        let gb_s = run.held_mb_s / 1024;
        assert!((5 * 99 + 4 * 50..=5 * 100 + 4 * 53).contains(&gb_s), "{gb_s}");
    }

    /// Two containers of which one is placed at once and the other waits to the end; AMs do not count.
    #[test]
    fn what_all_containers_waited_is_summed() {
        let text = "heddle = 1\nuntil = \"100 s\"\n[[nodes]]\nname = \"n\"\nsize = \"6 GB/64\"\n\
            [[apps]]\nname = \"two\"\nat = \"10 s\"\ntasks = [{ count = 2, size = \"4 GB/1\" }]\n";
        let mut player = Player::load(text).player.expect("it loads");
        while !player.run(1000).done {}
        let [run] = runs(&player).try_into().expect("one application");
        let (first, end) = (run.started_ms.expect("it starts"), player.track.front.now());
        assert_eq!((run.waiting, run.waited_ms), (1, (first - 10_000) + (end - 10_000)));
    }

    #[test]
    fn sums_agree_however_they_are_added() {
        for name in ["q14b-two-queues", "q05-masters-fill-the-cluster", "q26b-sweep"] {
            let worlds = compared(name);
            for world in &worlds[1..] {
                let Some(told) = &world.gains else { panic!("{name}: {}", world.name) };
                assert!(!told.apps.is_empty(), "{name}");
                for list in [&told.queues, &told.users, &told.apps] {
                    let sum = list.iter().fold(GainView { name: "all".into(), ..GainView::default() }, add);
                    assert_eq!(sum, told.sum, "{name}: {}", world.name);
                }
                // The largest difference comes first.
                assert!(told.apps.windows(2).all(|pair| size(&pair[0]) >= size(&pair[1])), "{name}");
            }
        }
    }
}
