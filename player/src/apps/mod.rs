//! What the player tells of the kinds of applications that have more to tell than their requests, a folder each, as in the core.
//!
//! Each part of a kind belongs to the layer by whose name it goes: `say` has its sentences, `waits` why something of it waits, `shown` what
//! stands in its books. No kind uses another one. The rest asks the trait `Told`, by the table `KINDS`, and of what a master
//! decided the trait `OwnAct`, by `own`.

pub mod distributed_shell;
pub mod help;
pub mod requests;
pub mod samza;
pub mod service;
pub mod slider;

use crate::explain::Names;
use crate::explain::request::Explained;
use crate::explain::say::events::Tone;
use crate::explain::view::{FactView, LedgerView, ProcessesView, SeriesPoint, WishView};
use crate::explain::waiting::Waiting;
use crate::explain::wants::Lack;
use heddle_core::apps::scenario::KindAct;
use heddle_core::check::Check;
use heddle_core::journal::MasterAct;
use heddle_core::model::{AppId, ContainerId, RequestKey};
use heddle_core::scenario::{AppKind, Call, SamzaApp, Scenario, ServiceApp, Shell, SliderApp};
use heddle_core::sim::{Broken, Simulation};

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

/// A point of a line in the charts that is a kind's own.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PointOf {
    /// What the line is of.
    pub of: String,
    /// Which line of that.
    pub line: usize,
    pub point: SeriesPoint,
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

    /// Why no node that a request may go to can ever give it anything, where that is its master's doing.
    fn root(&self, _names: Names<'_>, _w: &Waiting) -> Option<String> {
        None
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

    /// Returns the hosts that its requests would like to be on, each with what the picture shows there.
    fn wishes(&self, _names: Names<'_>, _place: usize) -> Vec<(String, WishView)> {
        Vec::new()
    }

    /// Returns how far its processes are with their state.
    fn processes(&self, _names: Names<'_>, _place: usize) -> ProcessesView {
        ProcessesView::default()
    }

    /// Returns what applications of the kind left on the disks of a host.
    fn on_host(&self, _names: Names<'_>, _host: &str) -> Option<FactView> {
        None
    }

    /// Returns the points of its own lines in the charts, as of now.
    fn points(&self, _sim: &Simulation) -> Vec<PointOf> {
        Vec::new()
    }

    /// Returns what one of its lines is called, and its unit where that is not MB.
    fn line(&self, _of: &str, _line: usize) -> (String, String) {
        Default::default()
    }

    /// Returns the name of what a request is for, where no host gets a second one of it.
    fn one_a_host(&self, _names: Names<'_>, _w: &Waiting) -> Option<String> {
        None
    }

    /// Returns whether the application's own books have one of what a request is for on a host. Asked only where `one_a_host` names it.
    fn has_one_on(&self, _names: Names<'_>, _w: &Waiting, _host: &str) -> bool {
        false
    }

    /// Says that it asks for less than it was told to, where its own program cuts the size and not YARN. `amounts`: "8 GB instead of
    /// 64 GB".
    fn cut(&self, _amounts: &[String]) -> Option<String> {
        None
    }

    /// Says which invariant of the kind's own broke. `app`: the application's name.
    fn broken(&self, _app: &str, _broken: &Broken) -> String {
        String::new()
    }

    /// Beginnings of sentences that keep their capital after a colon, since they are names of programs.
    fn capitals(&self) -> &'static [&'static str] {
        &[]
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

/// Whether an application is of a kind, and what is told of that.
type Row = (fn(&AppKind) -> bool, &'static dyn Told);

/// The table of the kinds that have more to tell.
const KINDS: [Row; 5] = [
    (AppKind::is::<Shell>, &distributed_shell::DistributedShell),
    (AppKind::is::<Vec<Call>>, &requests::Requests),
    (AppKind::is::<SamzaApp>, &samza::Samza),
    (AppKind::is::<ServiceApp>, &service::Service),
    (AppKind::is::<SliderApp>, &slider::Slider),
];

/// All kinds of the table.
pub(crate) fn all() -> impl Iterator<Item = &'static dyn Told> {
    KINDS.into_iter().map(|(_, told)| told)
}

/// What is told of a kind.
pub(crate) fn told(kind: &AppKind) -> &'static dyn Told {
    KINDS.into_iter().find_map(|(is, told)| is(kind).then_some(told)).unwrap_or(&Plain)
}

/// The kinds' parts of the page of sentences.
#[cfg(test)]
pub(crate) const PAGES: [crate::explain::say::page::Page; 5] =
    [distributed_shell::page::PAGE, requests::page::PAGE, samza::page::PAGE, service::page::PAGE, slider::page::PAGE];

/// The kind of the application at a place of a scenario.
pub(crate) fn told_at(scenario: &Scenario, place: usize) -> &'static dyn Told {
    scenario.apps.get(place).map_or(&Plain, |app| told(&app.kind))
}

/// The kind of an application.
pub(crate) fn told_of(names: Names<'_>, app: AppId) -> &'static dyn Told {
    names.sim.place_of(app).map_or(&Plain, |place| told_at(names.scenario(), place))
}

/// What a decision of an ApplicationMaster did with a container that YARN granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Put {
    /// It begins something in it.
    Used(ContainerId),
    /// It gives it back at once.
    NotWanted(ContainerId),
}

/// What the ApplicationMaster of a kind decided.
pub(crate) trait OwnAct {
    /// Its application.
    fn app(&self) -> AppId;

    /// Its container; `None`: it is about the whole application.
    fn container(&self) -> Option<ContainerId>;

    /// The decision in words: its tone, its verb and the reason. `None`: another entry tells it.
    fn said(&self, names: Names<'_>) -> Option<(Tone, &'static str, String)>;

    /// The words of the master's own log, where it has any.
    fn words(&self, _names: Names<'_>) -> String {
        String::new()
    }

    /// What it did with a container that YARN granted.
    fn put(&self) -> Option<Put> {
        None
    }
}

/// What somebody does to applications of one kind, in words.
pub(crate) fn happening(act: &KindAct) -> String {
    match act {
        KindAct::Samza(act) => samza::say::happening(act),
        KindAct::Slider(edit) => slider::say::happening(edit),
        KindAct::Service(upgrade) => service::say::happening(upgrade),
    }
}

/// What the master of a kind decided; `None`: it is an act that every master has.
pub(crate) fn own(act: &MasterAct) -> Option<&dyn OwnAct> {
    match act {
        MasterAct::Slider(act) => Some(&**act),
        MasterAct::Samza(act) => Some(&**act),
        MasterAct::Service(act) => Some(&**act),
        MasterAct::Surplus { .. }
        | MasterAct::AskedAgain { .. }
        | MasterAct::GaveBack { .. }
        | MasterAct::GaveUp { .. } => None,
    }
}
