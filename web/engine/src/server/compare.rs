//! The worlds of a comparison: which there are, which is the baseline, and their pictures at the moment shown.

use super::Server;
use super::slices::Worlds;
use heddle_player::OtherWorld;
use heddle_view::protocol::{REQUESTS_MAX, Reply};
use heddle_view::{AS_IT_IS, AS_OPENED, Comparison, DRAWN_MAX, GivenWorld};

impl Server {
    /// Starts to run the worlds of a comparison.
    pub(super) fn compare(&mut self, id: u32, comparison: &Comparison) {
        let (worlds, drawn) = self.compared(comparison);
        self.tell_change(id, &worlds);
        self.start_worlds(id, worlds, drawn);
    }

    /// Like [`Server::compare`], for a tried change, whose form outside the page was posted before.
    pub(super) fn run_compared(&mut self, id: u32, comparison: &Comparison) {
        let (worlds, drawn) = self.compared(comparison);
        self.start_worlds(id, worlds, drawn);
    }

    fn start_worlds(&mut self, id: u32, worlds: Vec<OtherWorld>, drawn: usize) {
        self.beside = None;
        self.worlds = self.player.as_ref().map(|p| Worlds::new(id, p, worlds, drawn));
    }

    /// Returns the worlds of a comparison and the number of them that are drawn: the baseline, those that were chosen, then
    /// the others.
    fn compared(&self, Comparison { base, shown, given }: &Comparison) -> (Vec<OtherWorld>, usize) {
        let Some(player) = &self.player else { return (Vec::new(), 0) };
        let given_world = |w: &GivenWorld| OtherWorld::from((w.name.clone(), Ok(w.text.clone())));
        // If the present text cannot be run, it is a world that is refused, and not the one that runs still.
        let mut all: Vec<OtherWorld> = vec![(AS_IT_IS.to_owned(), Ok(self.document.running.clone())).into()];
        all.extend(given.iter().map(given_world));
        // What was opened has the names that were left since; neither a picture nor a link may show them.
        let opened = self.document.with_names.is_none() && self.document.opened != self.document.running;
        let own = player.worlds();
        // Its own worlds are what it is compared with; where it has none, the one before its changes is the baseline.
        let changed = opened && own.is_empty() && given.is_empty();
        let base = match base.as_str() {
            "" if changed => AS_OPENED,
            "" => AS_IT_IS,
            base => base,
        };
        all.extend(own);
        if opened && given.iter().all(|w| w.name != AS_OPENED) {
            all.push((AS_OPENED.to_owned(), Ok(self.document.opened.clone())).into());
        }
        if !given.is_empty() {
            let tried = |name: &str| name == AS_IT_IS || given.iter().any(|w| w.name == *name);
            all.retain(|w| tried(&w.name) || w.name == *base || shown.contains(&w.name));
        }
        let place = |w: &OtherWorld| match w.name.as_str() {
            name if name == base => 0,
            name => shown.iter().take(DRAWN_MAX - 1).position(|s| s == name).map_or(DRAWN_MAX, |i| i + 1),
        };
        all.sort_by_key(place);
        let chosen = all.iter().filter(|w| place(w) < DRAWN_MAX).count();
        let drawn = if chosen < 2 { 2 } else { chosen };
        (all, drawn)
    }

    /// Returns a comparison with all that a link needs: the chosen worlds by name, and the text of what was opened if that is
    /// one of them.
    pub(super) fn compared_by_link(&self, comparison: &Comparison) -> Comparison {
        let (worlds, drawn) = self.compared(comparison);
        let mut names = worlds.iter().take(drawn).map(|w| w.name.clone());
        let base = names.next().unwrap_or_default();
        let shown: Vec<String> = names.collect();
        let chosen = |name: &str| base == name || shown.iter().any(|s| s == name);
        let mut given: Vec<GivenWorld> = comparison.given.iter().filter(|w| chosen(&w.name)).cloned().collect();
        let opened = worlds.iter().find(|w| w.name == AS_OPENED && chosen(AS_OPENED));
        if let Some(Ok(text)) = opened.map(|w| w.text.clone())
            && given.iter().all(|w| w.name != AS_OPENED)
        {
            given.push(GivenWorld { name: AS_OPENED.to_owned(), text });
        }
        Comparison { base, shown, given }
    }

    /// Posts the pictures of the compared worlds, if all of them show the present moment.
    pub(super) fn tell_beside(&mut self, id: u32) {
        let (Some(beside), Some(player)) = (&self.beside, &self.player) else { return };
        let about = self.looked_at.as_ref();
        let Some(mut view) = beside.view(player.now(), about) else { return };
        view.worlds.iter_mut().for_each(|w| w.snapshot.list_at_most(REQUESTS_MAX, about));
        self.post(id, Reply::Beside(Box::new(view)));
    }
}
