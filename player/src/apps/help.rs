//! What may help the kinds of applications that have changes of their own, in one table: what is tried for each stands in its part
//! `help`. The rest of the search asks the trait `Helped`.

use super::{samza, service, slider};
use crate::explain::Names;
use crate::explain::waiting::Waiting;
use crate::help::knobs::{Ground, Knob};
use heddle_core::model::{AppId, Millis, RequestKey, Resource};
use heddle_core::scenario::{App, AppKind, SamzaApp, Scenario, ServiceApp, SliderApp};
use heddle_core::sim::Simulation;

/// A change of the keys of a component.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum OfComponent<'a> {
    /// A key with a number.
    Key(&'static str, i64),
    /// Its node label, or none.
    Label(Option<&'a str>),
    /// The size of its containers.
    Size { now: Resource, to: Resource },
}

/// What an application lacks of which YARN is asked for nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NotAsked {
    pub count: i64,
    /// Of each; `None`: as the ApplicationMaster's own container.
    pub size: Option<Resource>,
    /// Since when; `None`: since the application was submitted.
    pub since: Option<Millis>,
}

/// What the search for what would help asks of a kind of application. The defaults are those of a kind without changes of its own.
pub(crate) trait Helped {
    /// Returns what an application wants and has not asked YARN for, as if it had.
    fn held_back(&self, _names: Names<'_>, _app: AppId) -> Option<Waiting> {
        None
    }

    /// Returns how many more are wanted of what a request is for, that YARN is not asked for.
    fn held_back_beside(&self, _names: Names<'_>, _w: &Waiting) -> i64 {
        0
    }

    /// Returns what an application lacks without any request for it.
    fn not_asked(&self, _names: Names<'_>, _app: AppId) -> Option<NotAsked> {
        None
    }

    /// Returns the component of a request, as the scenario writes it.
    fn component<'a>(&self, _app: &'a App, _key: RequestKey) -> Option<&'a str> {
        None
    }

    /// Returns the label that its own text names for what is asked for.
    fn label(&self, _ground: &Ground<'_>) -> Option<String> {
        None
    }

    /// Returns changes of its own text that stand on what is recorded.
    fn changes(&self, _ground: &Ground<'_>) -> Vec<Knob> {
        Vec::new()
    }

    /// Returns changes of its own text of which only what comes true is told.
    fn guesses(&self, _ground: &Ground<'_>) -> Vec<Knob> {
        Vec::new()
    }

    /// Sets a property of its own file. `entry`: which of the scenario's applications it is.
    fn set_property(&self, _text: &str, _entry: usize, _key: &str, _value: &str) -> Option<String> {
        None
    }

    /// Changes a component. `entry`: which of the scenario's applications it is.
    fn change_component(&self, _text: &str, _entry: usize, _name: &str, _change: &OfComponent<'_>) -> Option<String> {
        None
    }

    /// Returns whether a container counts only once its ApplicationMaster has begun something in it.
    fn counts_when_used(&self) -> bool {
        false
    }

    /// Returns whether it still lacks something of what a request is for; `None`: its requests say it.
    fn lacks(&self, _sim: &Simulation, _place: usize, _key: RequestKey) -> Option<bool> {
        None
    }

    /// Returns changes with which an application that failed may bear more, the weakest first, each with the scenario's text.
    fn bears_more(&self, _app: &App, _text: &str) -> Vec<(String, String)> {
        Vec::new()
    }
}

/// A kind without changes of its own.
struct Plain;

impl Helped for Plain {}

/// Whether an application is of a kind, and what helps that.
type Row = (fn(&AppKind) -> bool, &'static dyn Helped);

/// The table of the kinds that have changes of their own.
const KINDS: [Row; 3] = [
    (AppKind::is::<SamzaApp>, &samza::Samza),
    (AppKind::is::<ServiceApp>, &service::Service),
    (AppKind::is::<SliderApp>, &slider::Slider),
];

/// What may help a kind.
pub(crate) fn helped(kind: &AppKind) -> &'static dyn Helped {
    KINDS.into_iter().find_map(|(is, helped)| is(kind).then_some(helped)).unwrap_or(&Plain)
}

/// What may help the application at a place of a scenario.
pub(crate) fn helped_at(scenario: &Scenario, place: usize) -> &'static dyn Helped {
    scenario.apps.get(place).map_or(&Plain, |app| helped(&app.kind))
}

/// What may help an application.
pub(crate) fn helped_of(names: Names<'_>, app: AppId) -> &'static dyn Helped {
    names.sim.place_of(app).map_or(&Plain, |place| helped_at(names.scenario(), place))
}
