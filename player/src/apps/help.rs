//! Advice for the kinds of applications that have changes of their own, in one table; each kind's candidate changes are in
//! its part `help`. The rest of the search uses the trait `KindAdvice`.

use super::{samza, service, slider};
use crate::explain::Names;
use crate::explain::waiting::Waiting;
use crate::help::knobs::{CandidateChange, RequestContext};
use heddle_core::model::{AppId, Millis, RequestKey, Resource};
use heddle_core::scenario::{App, AppKind, SamzaApp, Scenario, ServiceApp, SliderApp};
use heddle_core::sim::Simulation;

/// A change of the keys of a component.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum OfComponent<'a> {
    /// The value of a numeric key.
    Key(&'static str, i64),
    /// The component's node label, or none.
    Label(Option<&'a str>),
    /// The size of the component's containers.
    Size { now: Resource, to: Resource },
}

/// Containers that an application lacks without a request to YARN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NotAsked {
    pub count: i64,
    /// The size of each; `None` for that of the ApplicationMaster's own container.
    pub size: Option<Resource>,
    /// Since when they are lacked; `None` for since the submission.
    pub since: Option<Millis>,
}

/// The interface between the search for advice and a kind of application. The defaults are for kinds without changes of their
/// own.
pub(crate) trait KindAdvice {
    /// Returns what an application wants and has not asked YARN for, in the form of a request.
    fn held_back(&self, _names: Names<'_>, _app: AppId) -> Option<Waiting> {
        None
    }

    /// Returns how many more containers like those of a request are wanted that YARN is not asked for.
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

    /// Returns the label that the application's own text names for the request.
    fn label(&self, _ground: &RequestContext<'_>) -> Option<String> {
        None
    }

    /// Returns changes of the application's own text that the record suggests.
    fn changes(&self, _ground: &RequestContext<'_>) -> Vec<CandidateChange> {
        Vec::new()
    }

    /// Returns changes of the application's own text that are reported only if they help.
    fn guesses(&self, _ground: &RequestContext<'_>) -> Vec<CandidateChange> {
        Vec::new()
    }

    /// Sets a property of the application's own file; `entry` is the application's index in the scenario.
    fn set_property(&self, _text: &str, _entry: usize, _key: &str, _value: &str) -> Option<String> {
        None
    }

    /// Changes a component; `entry` is the application's index in the scenario.
    fn change_component(&self, _text: &str, _entry: usize, _name: &str, _change: &OfComponent<'_>) -> Option<String> {
        None
    }

    /// Returns whether a container counts only once its ApplicationMaster has started something in it.
    fn counts_when_used(&self) -> bool {
        false
    }

    /// Returns whether it still lacks containers like those of a request; `None` if its requests show that.
    fn lacks(&self, _sim: &Simulation, _place: usize, _key: RequestKey) -> Option<bool> {
        None
    }

    /// Returns changes that let an application tolerate more failures, the weakest first, each with the scenario's text.
    fn bears_more(&self, _app: &App, _text: &str) -> Vec<(String, String)> {
        Vec::new()
    }
}

/// Kinds without changes of their own.
struct PlainAdvice;

impl KindAdvice for PlainAdvice {}

/// The test for a kind, and its advice.
type AdviceRow = (fn(&AppKind) -> bool, &'static dyn KindAdvice);

/// The kinds that have changes of their own.
const KINDS: [AdviceRow; 3] = [
    (AppKind::is::<SamzaApp>, &samza::Samza),
    (AppKind::is::<ServiceApp>, &service::Service),
    (AppKind::is::<SliderApp>, &slider::Slider),
];

/// Returns the advice of a kind.
pub(crate) fn helped(kind: &AppKind) -> &'static dyn KindAdvice {
    KINDS.into_iter().find_map(|(is, helped)| is(kind).then_some(helped)).unwrap_or(&PlainAdvice)
}

/// Returns the advice of the application at an index of a scenario.
pub(crate) fn helped_at(scenario: &Scenario, place: usize) -> &'static dyn KindAdvice {
    scenario.apps.get(place).map_or(&PlainAdvice, |app| helped(&app.kind))
}

/// Returns the advice of an application's kind.
pub(crate) fn helped_of(names: Names<'_>, app: AppId) -> &'static dyn KindAdvice {
    names.sim.place_of(app).map_or(&PlainAdvice, |place| helped_at(names.scenario(), place))
}
