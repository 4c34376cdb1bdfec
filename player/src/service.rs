//! The books of a long-running application, as tables.

use super::Player;
use crate::apps::{samza, service, slider};
use crate::explain::Names;
use crate::explain::request::Explained;
use crate::explain::say::books as say;
use crate::explain::view::{LedgerView, Selection};
use heddle_core::model::RequestKey;
use heddle_core::scenario::{SamzaApp, ServiceApp};

impl Player {
    /// The books of the application that is looked at, if it is one of Slider, a YARN service or a Samza job, else of the first one.
    pub fn service(&self, about: Option<&Selection>) -> LedgerView {
        let names = Names::at(&self.cursor, self.clock);
        let all = self.scenario.apps.iter().enumerate().filter(|(_, app)| app.kind.is_long_running());
        let all: Vec<(usize, &str)> = all.map(|(place, app)| (place, app.name.as_str())).collect();
        let looked_at = about.and_then(Selection::app);
        let Some((place, name)) = all.iter().find(|(_, name)| looked_at == Some(*name)).or(all.first()) else {
            let (none, title) = (say::NONE.to_string(), say::NO_BOOKS.to_string());
            return LedgerView { none, title, ..LedgerView::default() };
        };
        let kind = &self.scenario.apps[*place].kind;
        if kind.is::<ServiceApp>() {
            return service::shown::books(names, *place);
        }
        if kind.is::<SamzaApp>() {
            return samza::shown::books(names, *place);
        }
        let (explained, id) = (self.explained_of(&Selection::App(name.to_string())), names.find_app(name));
        let find = |key: RequestKey| explained.iter().find(|e: &&Explained| e.waiting.key == key && !e.waiting.am);
        let each = id.map_or(Vec::new(), |id| slider::waits::each(names, id, find));
        slider::shown::service(names, *place, &each)
    }
}
