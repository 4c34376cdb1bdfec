//! What a dump says, compared with what is computed from it.

use super::Server;
use heddle_core::import::seen::Said;
use heddle_player::agreement::compare;
use heddle_view::protocol::Reply;
use heddle_view::{AgreementView, DifferenceView};

impl Server {
    /// Posts how far the open dump agrees, if it says anything that can be compared.
    pub(super) fn tell_agreement(&mut self, said: &[(String, Vec<Said>)]) {
        let Some(scenario) = &self.document.scenario else { return };
        if scenario.apps.iter().all(|app| app.now.is_none()) {
            return;
        }
        let (words, found) = compare(scenario, said);
        let word = |d: heddle_player::agreement::Difference| DifferenceView {
            about: d.app,
            host: String::new(),
            dump: d.dump,
            here: d.here,
        };
        let offer = |d: heddle_player::agreement::OfferDifference| DifferenceView {
            about: d.about,
            host: d.host,
            dump: d.dump,
            here: d.here,
        };
        let view = AgreementView {
            compared: words.compared,
            older: words.older,
            differ: words.differ.into_iter().map(word).collect(),
            offers: found.compared,
            offers_same: found.agreeing(),
            hosts_left_out: found.left_out,
            offers_differ: found.differ.into_iter().map(offer).collect(),
        };
        self.post(self.latest, Reply::Agreement(view));
    }
}
