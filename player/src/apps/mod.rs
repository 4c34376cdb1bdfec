//! The answers about those kinds of applications that have more to show than their requests, a folder each, as in the core.
//!
//! Each part of a kind belongs to the layer with its name: `say` has the sentences, `waits` why something waits, `shown` the
//! tables of its state. No kind uses another. The rest uses the trait `KindAnswers`, through the table `KINDS`, and for the
//! decisions of masters the trait `OwnAct`, through `own`.

pub mod distributed_shell;
pub mod help;
pub mod requests;
pub mod samza;
pub mod service;
pub mod slider;

use crate::explain::Names;
use crate::explain::request::Explained;
use crate::explain::say::events::Tone;
use crate::explain::view::{FactView, HostRequestView, LedgerView, ProcessesView, SeriesPoint};
use crate::explain::waiting::Waiting;
use crate::explain::wants::Lack;
use heddle_core::apps::scenario::KindAct;
use heddle_core::check::Check;
use heddle_core::journal::MasterAct;
use heddle_core::model::{AppId, ContainerId, RequestKey};
use heddle_core::scenario::{AppKind, Call, SamzaApp, Scenario, ServiceApp, Shell, SliderApp};
use heddle_core::sim::{Broken, Simulation};

/// Finds the explanation of an application's waiting request by its key.
pub(crate) type Find<'f, 'e> = &'f dyn Fn(RequestKey) -> Option<&'e Explained>;

/// Additions to what YARN has about a request.
#[derive(Debug, Default)]
pub(crate) struct OfRequest {
    pub sentences: Vec<String>,
    /// The checks that stop it, the master's own or YARN's.
    pub checks: Vec<Check>,
    pub facts: Vec<FactView>,
}

/// The way a container came to its host.
#[derive(Debug, Default)]
pub(crate) struct HostArrival {
    pub steps: Vec<String>,
    /// Whether it is on another host than the one first wanted.
    pub moved: bool,
}

/// A point of a chart line that only one kind has.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PointOf {
    /// The line's subject.
    pub of: String,
    /// The index among that subject's lines.
    pub line: usize,
    pub point: SeriesPoint,
}

/// The interface between the answers and a kind of application. The defaults are for kinds that have only requests to show.
pub(crate) trait KindAnswers {
    /// Returns what an application wants and lacks without a request to YARN.
    fn lacks(&self, _names: Names<'_>, _app: AppId) -> Vec<Lack> {
        Vec::new()
    }

    /// Returns whether it lacks something because a request was refused, if one was.
    fn lacks_what_was_refused(&self, _names: Names<'_>, _app: AppId) -> bool {
        false
    }

    /// Returns a sentence about what YARN is about to be asked for.
    fn soon(&self, _names: Names<'_>, _app: AppId) -> Option<String> {
        None
    }

    /// Returns a sentence for each thing that it no longer wants.
    fn put_aside(&self, _names: Names<'_>, _app: AppId) -> Vec<String> {
        Vec::new()
    }

    /// Returns why no node that a request may go to can ever satisfy it, if its master causes that.
    fn root(&self, _names: Names<'_>, _w: &Waiting) -> Option<String> {
        None
    }

    /// Returns what the application's own state has about a request.
    fn of_request(&self, _names: Names<'_>, _e: &Explained) -> OfRequest {
        OfRequest::default()
    }

    /// Returns the facts about an application.
    fn facts(&self, _names: Names<'_>, _app: AppId, _find: Find<'_, '_>) -> Vec<FactView> {
        Vec::new()
    }

    /// Returns the facts about the process in a container.
    fn facts_of_container(&self, _names: Names<'_>, _id: ContainerId) -> Vec<FactView> {
        Vec::new()
    }

    /// Returns how a container came to its host.
    fn came(&self, _names: Names<'_>, _id: ContainerId) -> HostArrival {
        HostArrival::default()
    }

    /// Returns the tables of the state of the application at an index of the scenario; `None` if it has none.
    fn books(&self, _names: Names<'_>, _place: usize, _find: Find<'_, '_>) -> Option<LedgerView> {
        None
    }

    /// Returns the hosts that its requests prefer, each with what the picture shows there.
    fn wishes(&self, _names: Names<'_>, _place: usize) -> Vec<(String, HostRequestView)> {
        Vec::new()
    }

    /// Returns the progress of its processes in restoring their state.
    fn processes(&self, _names: Names<'_>, _place: usize) -> ProcessesView {
        ProcessesView::default()
    }

    /// Returns what applications of the kind left on a host's disks.
    fn on_host(&self, _names: Names<'_>, _host: &str) -> Option<FactView> {
        None
    }

    /// Returns the points of its own chart lines at the present moment.
    fn points(&self, _sim: &Simulation) -> Vec<PointOf> {
        Vec::new()
    }

    /// Returns the name of one of its lines, and its unit unless that is MB.
    fn line(&self, _of: &str, _line: usize) -> (String, String) {
        Default::default()
    }

    /// Returns the name of what a request is for, if no host may have two of it.
    fn one_a_host(&self, _names: Names<'_>, _w: &Waiting) -> Option<String> {
        None
    }

    /// Returns whether the application's own state has one of it on a host. Called only if `one_a_host` names it.
    fn has_one_on(&self, _names: Names<'_>, _w: &Waiting, _host: &str) -> bool {
        false
    }

    /// Returns the sentence about a smaller request than configured, if the kind's own program cuts the size and not YARN.
    /// `amounts`: "8 GB instead of 64 GB".
    fn cut(&self, _amounts: &[String]) -> Option<String> {
        None
    }

    /// Returns the sentence about a broken invariant of the kind; `app` is the application's name.
    fn broken(&self, _app: &str, _broken: &Broken) -> String {
        String::new()
    }

    /// The first words of sentences that keep their capital after a colon because they are names of programs.
    fn capitals(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns whether two requests of one application with different keys are for the same thing.
    fn asks_for_the_same(&self, _a: RequestKey, _b: RequestKey) -> bool {
        false
    }

    /// Returns the name of the n-th container of a component (or whatever the master's tag names); `None` for the default
    /// name.
    fn called(&self, _app: &str, _tag: Option<&str>, _number: usize) -> Option<String> {
        None
    }

    /// Returns what a request is for, if its key is for one thing only.
    fn only_one<'a>(&self, _names: Names<'a>, _app: AppId, _key: RequestKey) -> Option<&'a str> {
        None
    }
}

/// Returns the name of a container of a kind with components: `kafka broker-2`.
fn called_by_component(app: &str, tag: Option<&str>, number: usize) -> Option<String> {
    tag.map(|component| format!("{app} {component}-{number}"))
}

/// Kinds that have only requests to show.
struct Plain;

impl KindAnswers for Plain {}

/// The test for a kind, and its answers.
type AnswersRow = (fn(&AppKind) -> bool, &'static dyn KindAnswers);

/// The kinds that have more to show.
const KINDS: [AnswersRow; 5] = [
    (AppKind::is::<Shell>, &distributed_shell::DistributedShell),
    (AppKind::is::<Vec<Call>>, &requests::Requests),
    (AppKind::is::<SamzaApp>, &samza::Samza),
    (AppKind::is::<ServiceApp>, &service::Service),
    (AppKind::is::<SliderApp>, &slider::Slider),
];

/// All kinds of the table.
pub(crate) fn all() -> impl Iterator<Item = &'static dyn KindAnswers> {
    KINDS.into_iter().map(|(_, told)| told)
}

/// Returns the answers of a kind.
pub(crate) fn told(kind: &AppKind) -> &'static dyn KindAnswers {
    KINDS.into_iter().find_map(|(is, told)| is(kind).then_some(told)).unwrap_or(&Plain)
}

/// The kinds' parts of the page of sentences.
#[cfg(test)]
pub(crate) const PAGES: [crate::explain::say::page::Page; 5] =
    [distributed_shell::page::PAGE, requests::page::PAGE, samza::page::PAGE, service::page::PAGE, slider::page::PAGE];

/// Returns the answers of the application at an index of a scenario.
pub(crate) fn told_at(scenario: &Scenario, place: usize) -> &'static dyn KindAnswers {
    scenario.apps.get(place).map_or(&Plain, |app| told(&app.kind))
}

/// Returns the answers of an application's kind.
pub(crate) fn told_of(names: Names<'_>, app: AppId) -> &'static dyn KindAnswers {
    names.sim.place_of(app).map_or(&Plain, |place| told_at(names.scenario(), place))
}

/// The use that a decision of an ApplicationMaster made of an allocated container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Put {
    /// It starts something in the container.
    Used(ContainerId),
    /// It releases the container at once.
    NotWanted(ContainerId),
}

/// A decision of an ApplicationMaster of one kind.
pub(crate) trait OwnAct {
    /// The application.
    fn app(&self) -> AppId;

    /// The container; `None` if the decision is about the whole application.
    fn container(&self) -> Option<ContainerId>;

    /// Returns the decision's tone, verb and reason; `None` if another entry covers it.
    fn said(&self, names: Names<'_>) -> Option<(Tone, &'static str, String)>;

    /// Returns the line of the master's own log, if there is one.
    fn words(&self, _names: Names<'_>) -> String {
        String::new()
    }

    /// Returns what the decision did with an allocated container.
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

/// Returns the decision of a kind's master; `None` if every master has such acts.
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
