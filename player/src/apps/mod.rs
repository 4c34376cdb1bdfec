//! What the player tells of the kinds of applications that have more to tell than their requests, a folder each, as in the core.
//!
//! Each part of a kind belongs to the layer by whose name it goes: `say` has its sentences, `waits` why something of it waits, `shown` what
//! stands in its books. No kind uses another one. The rest asks the trait `Told`, by the table in `told`;
//! what a kind decides is told by `decided`.

pub mod samza;
pub mod service;
pub mod slider;

use crate::explain::Names;
use crate::explain::request::Explained;
use crate::explain::say::events::Tone;
use crate::explain::view::{FactView, LedgerView};
use crate::explain::wants::Lack;
use heddle_core::check::Check;
use heddle_core::journal::MasterAct;
use heddle_core::model::{AppId, ContainerId, RequestKey};
use heddle_core::scenario::{AppKind, SamzaApp, Scenario, ServiceApp, SliderApp};

/// Why a request of an application waits, by its key.
pub(crate) type Find<'f, 'e> = &'f dyn Fn(RequestKey) -> Option<&'e Explained>;

/// What follows what YARN says of a request.
#[derive(Debug, Default)]
pub(crate) struct OfRequest {
    pub sentences: Vec<String>,
    /// The checks that keep it, the master's own or YARN's.
    pub checks: Vec<Check>,
    pub facts: Vec<FactView>,
}

/// How a container came to where it is.
#[derive(Debug, Default)]
pub(crate) struct Came {
    pub steps: Vec<String>,
    /// Is it elsewhere than where it was wanted first?
    pub moved: bool,
}

/// What an ApplicationMaster decided, in words.
#[derive(Debug)]
pub(crate) struct Decided {
    pub app: AppId,
    /// `None`: it is about the whole application.
    pub container: Option<ContainerId>,
    pub tone: Tone,
    pub verb: &'static str,
    pub why: String,
    /// The words of the master's own log, where it has any.
    pub words: String,
}

/// What the rest asks of a kind of application. The defaults are those of a kind that has nothing more to tell than its requests.
pub(crate) trait Told {
    /// What an application wants and lacks that YARN is not asked for.
    fn lacks(&self, _names: Names<'_>, _app: AppId) -> Vec<Lack> {
        Vec::new()
    }

    /// Whether it lacks something because a request of it was refused, if one was.
    fn lacks_what_was_refused(&self, _names: Names<'_>, _app: AppId) -> bool {
        false
    }

    /// What YARN is about to be asked for, in a sentence.
    fn soon(&self, _names: Names<'_>, _app: AppId) -> Option<String> {
        None
    }

    /// What it wants no more, each in a sentence.
    fn put_aside(&self, _names: Names<'_>, _app: AppId) -> Vec<String> {
        Vec::new()
    }

    /// What its books have to say of a request.
    fn of_request(&self, _names: Names<'_>, _e: &Explained) -> OfRequest {
        OfRequest::default()
    }

    /// What is known of an application.
    fn facts(&self, _names: Names<'_>, _app: AppId, _find: Find<'_, '_>) -> Vec<FactView> {
        Vec::new()
    }

    /// What is known of what runs in a container.
    fn facts_of_container(&self, _names: Names<'_>, _id: ContainerId) -> Vec<FactView> {
        Vec::new()
    }

    /// How a container came to where it is.
    fn came(&self, _names: Names<'_>, _id: ContainerId) -> Came {
        Came::default()
    }

    /// The books of the application at a place of the scenario; `None`: it keeps none.
    fn books(&self, _names: Names<'_>, _place: usize, _find: Find<'_, '_>) -> Option<LedgerView> {
        None
    }

    /// Whether two requests of one application, of other keys, are for the same.
    fn asks_for_the_same(&self, _a: RequestKey, _b: RequestKey) -> bool {
        false
    }

    /// What a container is called that is for this component (or whatever its master names), the n-th of those; `None`: as those of any
    /// application.
    fn called(&self, _app: &str, _tag: Option<&str>, _number: usize) -> Option<String> {
        None
    }

    /// What a request is for, if its key is not for several.
    fn only_one<'a>(&self, _names: Names<'a>, _app: AppId, _key: RequestKey) -> Option<&'a str> {
        None
    }
}

/// What a container of a kind with components is called: `kafka broker-2`.
fn called_by_component(app: &str, tag: Option<&str>, number: usize) -> Option<String> {
    tag.map(|component| format!("{app} {component}-{number}"))
}

/// A kind that has nothing more to tell.
struct Plain;

impl Told for Plain {}

/// The table of the kinds.
pub(crate) fn told(kind: &AppKind) -> &'static dyn Told {
    let kinds: [(bool, &'static dyn Told); 3] = [
        (kind.is::<SamzaApp>(), &samza::Samza),
        (kind.is::<ServiceApp>(), &service::Service),
        (kind.is::<SliderApp>(), &slider::Slider),
    ];
    kinds.into_iter().find_map(|(is, told)| is.then_some(told)).unwrap_or(&Plain)
}

/// The kind of the application at a place of a scenario.
pub(crate) fn told_at(scenario: &Scenario, place: usize) -> &'static dyn Told {
    scenario.apps.get(place).map_or(&Plain, |app| told(&app.kind))
}

/// The kind of an application.
pub(crate) fn told_of(names: Names<'_>, app: AppId) -> &'static dyn Told {
    names.sim.place_of(app).map_or(&Plain, |place| told_at(names.scenario(), place))
}

/// What a master decided, if that is told; `None` too for what is no kind's own.
pub(crate) fn decided(names: Names<'_>, act: &MasterAct) -> Option<Decided> {
    let name = |container| names.container_name(container);
    let (app, container, (tone, verb, why), words) = match act {
        MasterAct::Slider(act) => {
            (act.app, act.decision.container(), slider::say::decided(act, &name)?, slider::words(act, &name))
        }
        MasterAct::Samza(act) => (act.app, act.decision.container(), samza::say::decided(act, &name)?, String::new()),
        MasterAct::Service(act) => (act.app, act.decision.container(), service::say::decided(act)?, String::new()),
        MasterAct::Surplus { .. }
        | MasterAct::AskedAgain { .. }
        | MasterAct::GaveBack { .. }
        | MasterAct::GaveUp { .. } => return None,
    };
    Some(Decided { app, container, tone, verb, why, words })
}

/// The application whose master decided this, if it is a kind's own.
pub(crate) fn decided_by(act: &MasterAct) -> Option<AppId> {
    match act {
        MasterAct::Slider(act) => Some(act.app),
        MasterAct::Samza(act) => Some(act.app),
        MasterAct::Service(act) => Some(act.app),
        MasterAct::Surplus { .. }
        | MasterAct::AskedAgain { .. }
        | MasterAct::GaveBack { .. }
        | MasterAct::GaveUp { .. } => None,
    }
}
