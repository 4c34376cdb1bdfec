//! The worker's end: a player and a queue of requests. What takes long is done in slices, so that a later request, or
//! `Stop`, is heard in between.

use gloo::timers::callback::Timeout;
use heddle_core::player::{EventFilter, Help, Player};
use heddle_view::protocol::{Answer, Ask, EVENTS_MAX, Frame, Reply, Request, from_bytes, to_bytes};
use heddle_view::{Problem, Selection, StepBy, Timeline};
use std::cell::RefCell;
use std::collections::VecDeque;
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

/// Events of a search for what helps that are played in one slice, to begin with.
const HELP_SLICE: u64 = 500;
/// Events of the run that are played in one slice, to begin with.
const SLICE_EVENTS: u64 = 2_000;
/// How long a slice should take.
const SLICE_MS: f64 = 40.0;
/// Progress is told no more often than this.
const PROGRESS_MS: f64 = 200.0;
/// Events that are played ahead while nobody asks for anything, so that the scrubber knows the run.
const AHEAD_EVENTS: u64 = 400_000;

thread_local! {
    static SERVER: RefCell<Server> = RefCell::new(Server::default());
}

#[derive(Default)]
struct Server {
    player: Option<Player>,
    queue: VecDeque<Ask>,
    job: Option<Job>,
    help: Option<Helping>,
    selection: Option<Selection>,
    /// What the last frame was about.
    looked_at: Option<Selection>,
    /// The stretch without anything to tell that the last step of a heartbeat went over.
    skipped: Option<(i64, i64)>,
    /// The scrubber's data, for so many events.
    timeline: Option<(u64, Timeline)>,
    slice: u64,
    told: f64,
    ticking: bool,
    /// Number of the latest request.
    latest: u32,
    /// Is the run being played ahead, so that a frame is due when that is done?
    ahead: bool,
}

/// Something that takes long.
struct Job {
    id: u32,
    goal_ms: i64,
    loaded: Option<Vec<Problem>>,
}

/// A search for what would help.
struct Helping {
    id: u32,
    about: Selection,
    search: Help,
    slice: u64,
    told: f64,
}

/// Starts listening.
pub fn start() {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |e: MessageEvent| {
        if !e.data().is_instance_of::<js_sys::Uint8Array>() {
            return;
        }
        let bytes = js_sys::Uint8Array::from(e.data()).to_vec();
        match from_bytes::<Ask>(&bytes) {
            Ok(ask) => SERVER.with_borrow_mut(|s| {
                s.latest = ask.id;
                s.queue.push_back(ask);
                s.tick_soon();
            }),
            Err(why) => post(0, Reply::Failed(why)),
        }
    });
    // A listener, not `onmessage`: what came before it is handed over as events.
    let _ = scope.add_event_listener_with_callback("message", on_message.as_ref().unchecked_ref());
    on_message.forget();
    post(0, Reply::Ready);
}

fn post(id: u32, reply: Reply) {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let bytes = js_sys::Uint8Array::from(to_bytes(&Answer { id, reply }).as_slice());
    let transfer = js_sys::Array::of1(&bytes.buffer());
    let _ = scope.post_message_with_transfer(&bytes, &transfer);
}

fn clock() -> f64 {
    js_sys::Date::now()
}

impl Server {
    fn tick_soon(&mut self) {
        if !self.ticking {
            self.ticking = true;
            Timeout::new(0, || SERVER.with_borrow_mut(Server::tick)).forget();
        }
    }

    fn tick(&mut self) {
        self.ticking = false;
        if let Some(ask) = self.queue.pop_front() {
            // Movements that are followed by another one need not be made.
            let overtaken = matches!(ask.request, Request::Seek { .. })
                && self.queue.iter().any(|a| matches!(a.request, Request::Seek { .. } | Request::Load { .. }));
            if !overtaken {
                self.handle(ask);
            }
        } else if self.job.is_some() {
            self.work();
        } else if self.help.is_some() {
            self.seek_help();
        } else {
            self.play_ahead();
        }
        if !self.queue.is_empty() || self.job.is_some() || self.help.is_some() || self.ahead {
            self.tick_soon();
        } else {
            post(self.latest, Reply::Idle);
        }
    }

    fn handle(&mut self, ask: Ask) {
        let id = ask.id;
        if !matches!(ask.request, Request::Why { .. } | Request::Charts | Request::Compare { .. } | Request::Try { .. })
            && let Some(helping) = self.help.take()
        {
            helping.tell(true);
        }
        match ask.request {
            Request::Load { text, at_ms, selection } => {
                let loaded = Player::load(&text);
                let Some(player) = loaded.player else {
                    return post(id, Reply::Refused { problems: loaded.problems });
                };
                let goal_ms = at_ms.unwrap_or(player.now());
                self.player = Some(player);
                self.timeline = None;
                self.selection = selection;
                self.ahead = false;
                self.job = Some(Job { id, goal_ms, loaded: Some(loaded.problems) });
            }
            Request::Seek { time_ms, selection } => {
                self.selection = selection;
                self.job = Some(Job { id, goal_ms: time_ms, loaded: self.job.take().and_then(|j| j.loaded) });
            }
            Request::Step { by, back, selection } => {
                self.selection = selection;
                if let Some(player) = &mut self.player {
                    let before = player.now();
                    player.step(by, back);
                    let (known, now) = (player.progress().known_ms, player.now());
                    let idle = by == StepBy::Heartbeat && (now - before).abs() > 2 * player.round();
                    self.skipped = idle.then(|| (before.min(now), before.max(now)));
                    if by == StepBy::Second && known < now {
                        self.job = Some(Job { id, goal_ms: now, loaded: None });
                        return;
                    }
                }
                self.frame(id, None);
            }
            Request::Look { selection } => {
                self.selection = selection;
                self.frame(id, None);
            }
            Request::Why { selection } => {
                let why = self.player.as_ref().map(|p| p.why(&selection)).unwrap_or_default();
                post(id, Reply::Why(Box::new(why)));
            }
            Request::Help { selection } => {
                self.help = self.player.as_ref().map(|p| Helping {
                    id,
                    search: p.help(&selection),
                    about: selection,
                    slice: HELP_SLICE,
                    told: clock(),
                });
            }
            Request::Try { name, text } => {
                let worlds = self.player.as_ref().map(|p| p.compare(&[(name, Ok(text))]));
                post(id, Reply::Worlds(worlds.unwrap_or_default()));
            }
            Request::Compare { opened } => {
                let worlds = self.player.as_ref().map(|p| {
                    let opened = opened.map(|text| ("as it was opened".to_owned(), Ok(text)));
                    p.compare(&opened.into_iter().chain(p.worlds()).collect::<Vec<_>>())
                });
                post(id, Reply::Worlds(worlds.unwrap_or_default()));
            }
            Request::Charts => post(id, Reply::Charts(self.player.as_ref().map(Player::series).unwrap_or_default())),
            Request::Stop => {
                self.ahead = false;
                if let Some(job) = self.job.take() {
                    self.frame(job.id, job.loaded);
                } else {
                    self.frame(id, None);
                }
            }
        }
    }

    /// Plays so many events that it takes about [`SLICE_MS`]; gives how far the run is known and whether that is all.
    fn run_slice(&mut self) -> Option<(i64, bool)> {
        let player = self.player.as_mut()?;
        let events = self.slice.max(SLICE_EVENTS / 8);
        let before = clock();
        let progress = player.run(events);
        let took = clock() - before;
        self.slice = match took {
            t if t < SLICE_MS / 2.0 => (events * 2).min(1 << 20),
            t if t > SLICE_MS * 2.0 => events / 2,
            _ => events,
        };
        Some((progress.known_ms, progress.done))
    }

    fn work(&mut self) {
        let Some(goal) = self.job.as_ref().map(|j| j.goal_ms) else { return };
        let known = self.player.as_ref().map(Player::progress);
        let reached = known.is_none_or(|p| p.done || p.known_ms > goal);
        if !reached {
            if let (Some((known, _)), Some(job)) = (self.run_slice(), &self.job) {
                let now = clock();
                if now - self.told > PROGRESS_MS {
                    self.told = now;
                    post(job.id, Reply::Progress { time_ms: known.min(goal), goal_ms: goal });
                }
            }
            return;
        }
        let Some(job) = self.job.take() else { return };
        if let Some(player) = &mut self.player {
            player.seek(job.goal_ms);
        }
        self.frame(job.id, job.loaded);
    }

    /// Goes on with the search for what would help.
    fn seek_help(&mut self) {
        let Some(mut helping) = self.help.take() else { return };
        let before = clock();
        let tried = helping.search.progress().tried;
        let progress = helping.search.step(helping.slice);
        let now = clock();
        helping.slice = match now - before {
            t if t < SLICE_MS / 2.0 => (helping.slice * 2).min(1 << 20),
            t if t > SLICE_MS * 2.0 => (helping.slice / 2).max(1),
            _ => helping.slice,
        };
        if progress.done {
            return helping.tell(true);
        }
        if progress.tried > tried || now - helping.told > PROGRESS_MS {
            helping.told = now;
            helping.tell(false);
        }
        self.help = Some(helping);
    }

    fn play_ahead(&mut self) {
        if !self.ahead {
            return;
        }
        let more = match self.run_slice() {
            Some((_, false)) => self.player.as_ref().is_some_and(|p| p.progress().events < AHEAD_EVENTS),
            _ => false,
        };
        if !more {
            self.ahead = false;
            self.frame(self.latest, None);
        }
    }

    fn frame(&mut self, id: u32, loaded: Option<Vec<Problem>>) {
        let Some(player) = &self.player else {
            return post(id, Reply::Failed("no scenario is loaded".into()));
        };
        let progress = player.progress();
        if self.timeline.as_ref().is_none_or(|(events, _)| *events != progress.events) {
            self.timeline = Some((progress.events, player.timeline()));
        }
        let mut snapshot = player.snapshot(self.selection.as_ref());
        // What the scenario's caption points at, else what the headline is about.
        let pointed = player.scenario().caption(snapshot.time_ms).and_then(|c| c.select.parse::<Selection>().ok());
        let pointed = pointed.filter(|s| match s {
            Selection::Request { .. } => snapshot.waiting.iter().any(|w| w.id == *s),
            _ => true,
        });
        // What waited and was looked at is looked at still when it is placed.
        let chosen = self.selection.as_ref().map(|s| player.followed(s));
        let there = |s: &Selection| {
            snapshot.racks.iter().flat_map(|r| &r.nodes).flat_map(|n| &n.containers).any(|c| c.id == *s)
        };
        let before = self.looked_at.take().map(|s| player.followed(&s)).filter(there);
        let selection = chosen.or(pointed).or_else(|| snapshot.headline_about.clone()).or(before);
        self.looked_at.clone_from(&selection);
        if self.selection != selection && selection.is_some() {
            snapshot = player.snapshot(selection.as_ref());
        }
        let filter = EventFilter { about: None, skips: true, until_now: true, last: EVENTS_MAX + 1 };
        let mut events = player.events(&filter);
        events.reverse();
        let events_total = events.len();
        events.truncate(EVENTS_MAX);
        let frame = Frame {
            why: selection.as_ref().map(|s| player.why(s)),
            selection,
            snapshot,
            timeline: self.timeline.as_ref().map(|(_, t)| t.clone()).unwrap_or_default(),
            events,
            events_total,
            loaded,
            skipped: self.skipped.take(),
        };
        if frame.loaded.is_some() && !progress.done {
            self.ahead = true;
        }
        post(id, Reply::Frame(Box::new(frame)));
    }
}

impl Helping {
    /// Tells what was found so far; `done`: that is all.
    fn tell(&self, done: bool) {
        let progress = self.search.progress();
        let (about, found) = (self.about.clone(), self.search.found());
        post(self.id, Reply::Help { about, found, tried: (progress.tried, progress.of), done });
    }
}
