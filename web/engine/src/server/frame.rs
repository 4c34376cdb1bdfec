//! Everything to be drawn at a moment.

use super::Server;
use crate::forms::acts::acts;
use crate::forms::named;
use heddle_player::EventFilter;
use heddle_view::Selection;
use heddle_view::protocol::{EVENTS_MAX, Frame, REQUESTS_MAX, Reply, ShownTables};

impl Server {
    /// Posts the frame of the present moment; `loaded` if it is the first after loading.
    pub(super) fn frame(&mut self, id: u32, loaded: bool) {
        let event = self.player.as_mut().and_then(heddle_player::Player::within);
        let Some(player) = &self.player else {
            return self.post(id, Reply::Failed("no scenario is loaded".into()));
        };
        let progress = player.progress();
        if self.timeline.as_ref().is_none_or(|(events, _)| *events != progress.events) {
            self.timeline = Some((progress.events, player.timeline()));
        }
        let mut snapshot = player.snapshot(self.selection.as_ref());
        // The selection of the scenario's caption, otherwise the headline's subject.
        let caption = self.document.caption(snapshot.time_ms);
        let pointed = caption.and_then(|c| c.select.parse::<Selection>().ok());
        let pointed = pointed.filter(|s| match s {
            Selection::Request { .. } => snapshot.waiting.iter().any(|w| w.id == *s),
            _ => true,
        });
        // A selected request stays selected as its container once it is placed.
        let chosen = self.selection.as_ref().map(|s| player.followed(s));
        let there = |s: &Selection| {
            snapshot.racks.iter().flat_map(|r| &r.nodes).flat_map(|n| &n.containers).any(|c| c.id == *s)
        };
        let before = self.looked_at.take().map(|s| player.followed(&s)).filter(there);
        let selection = chosen.or(pointed).or_else(|| snapshot.headline_about.clone()).or(before);
        self.looked_at.clone_from(&selection);
        if self.selection != selection && selection.is_some() {
            player.show_reasons(&mut snapshot, selection.as_ref());
        }
        let filter = EventFilter { about: None, skips: true, until_now: true, last: EVENTS_MAX + 1 };
        let mut events = player.events(&filter);
        events.reverse();
        let events_total = events.len();
        events.truncate(EVENTS_MAX);
        let mut frame = Frame {
            why: selection.as_ref().map(|s| player.why(s)),
            stories: heddle_player::stories(&snapshot),
            selection,
            caption: caption.map(|c| c.text.clone()),
            linked: self.told_by_link(player),
            offer: self
                .document
                .offer(&snapshot, snapshot.headline_about.as_ref().and_then(|s| player.rack_for_node(s))),
            snapshot,
            timeline: self.timeline.as_ref().map(|(_, t)| t.clone()).unwrap_or_default(),
            events,
            events_total,
            event,
            loaded,
            acts: Vec::new(),
            settings: Vec::new(),
            skipped: self.skipped.take(),
        };
        let running = self.document.scenario.as_ref().filter(|_| !self.document.stale());
        if let (Some(s), Some(why)) = (running, &frame.why) {
            let conditions = why.preemption.iter().flat_map(|told| &told.conditions).flat_map(|c| &c.properties);
            frame.settings = named(s, why.limits.iter().flat_map(|l| &l.properties).chain(conditions));
        }
        frame.acts = acts(&frame.snapshot, frame.selection.as_ref(), running);
        if loaded && !progress.done {
            self.ahead = true;
        }
        self.what.see(&mut frame);
        frame.snapshot.list_at_most(REQUESTS_MAX, frame.selection.as_ref());
        self.post(id, Reply::Frame(Box::new(frame)));
        self.tell_ledger(id);
        self.tell_beside(id);
    }

    /// Posts the tables shown at the present moment.
    pub(super) fn tell_ledger(&mut self, id: u32) {
        let (about, player) = (self.looked_at.as_ref(), self.player.as_ref());
        let ledger = player.and_then(|p| match self.books {
            ShownTables::Nothing => None,
            ShownTables::Rounds => Some(p.ledger(about)),
            ShownTables::Service => Some(p.service(about)),
        });
        if let Some(ledger) = ledger {
            self.post(id, Reply::Ledger(Box::new(ledger)));
        }
    }
}
