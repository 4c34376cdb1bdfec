//! The state of long-running applications, as tables.

use super::Player;
use crate::apps::told_at;
use crate::explain::Names;
use crate::explain::request::Explained;
use crate::explain::say::books as say;
use crate::explain::view::{LedgerView, Selection};
use heddle_core::model::RequestKey;

impl Player {
    /// Returns the state of the selected application if it is a Slider application, a YARN service or a Samza job, otherwise
    /// of the first of these.
    pub fn service(&self, about: Option<&Selection>) -> LedgerView {
        let names = Names::at(&self.cursor, self.clock);
        let all = self.scenario.apps.iter().enumerate().filter(|(_, app)| app.kind.is_long_running());
        let all: Vec<(usize, &str)> = all.map(|(place, app)| (place, app.name.as_str())).collect();
        let looked_at = about.and_then(Selection::app);
        let Some((place, name)) = all.iter().find(|(_, name)| looked_at == Some(*name)).or(all.first()) else {
            let (none, title) = (say::NONE.to_string(), say::NO_BOOKS.to_string());
            return LedgerView { none, title, ..LedgerView::default() };
        };
        let explained = self.explained_of(&Selection::App(name.to_string()));
        let find = |key: RequestKey| explained.iter().find(|e: &&Explained| e.waiting.key == key && !e.waiting.am);
        told_at(&self.scenario, *place).books(names, *place, &find).unwrap_or_default()
    }
}
