//! Reads entries of `[[apps]]`: the interface of each kind ([`ReadKind`]), and the table of the kinds ([`KINDS`]).
//! `core/src/scenario/read/apps.rs` reads what all kinds have in common.

use crate::api::{ClientRefusal, Properties, Submitted};
use crate::apps::batch::scenario::read::BatchEntry;
use crate::apps::distributed_shell::scenario::read::ShellEntry;
use crate::apps::requests::scenario::read::CallsEntry;
use crate::apps::samza::scenario::file as job_file;
use crate::apps::samza::scenario::read as samza;
use crate::apps::scenario::{AppKind, Changed, Shared};
use crate::apps::service::scenario::read::{self as service, ServiceEntry};
use crate::apps::slider::scenario::file as slider_file;
use crate::apps::slider::scenario::read as slider;
use crate::model::{Millis, Span};
use crate::scenario::application::{Am, App};
use crate::scenario::happening::Act;
use crate::scenario::read::fields::{Fields, Reader};

/// Reads the file that a flex gives an application.
pub(crate) use crate::apps::slider::scenario::read::definition as flex_definition;

/// The interface of a kind while an entry is read. The methods that read are called in the order in which they are declared.
/// The defaults fit a kind that knows nothing before its entry is read.
pub(crate) trait ReadKind {
    /// Returns the size of an ApplicationMaster whose entry gives none, in MiB and vcores.
    fn am_size(&self) -> (i64, i64) {
        (1024, 1)
    }

    /// Returns the period of its ApplicationMaster's heartbeats if the kind has a setting for it.
    fn am_heartbeat(&self) -> Option<Millis> {
        None
    }

    /// Returns whether a new attempt takes over the containers of the previous one.
    fn takes_up_containers(&self) -> bool {
        false
    }

    /// Reads keys of the entry that are about the ApplicationMaster.
    fn read_beside_am(&self, _r: &mut Reader<'_>, _f: &mut Fields<'_>, _am: &mut Am) {}

    /// Returns the values of keys that the entry leaves out.
    fn defaults(&self) -> Defaults {
        Defaults::default()
    }

    /// Returns whether an application can already run when the run begins (`[apps.now]`).
    fn may_run_already(&self) -> bool {
        false
    }

    /// Reads the keys that are the kind's own. Returns the description, and what the client submits if the client decides more.
    fn read(&mut self, r: &mut Reader<'_>, f: &mut Fields<'_>, entry: EntrySoFar) -> (AppKind, Option<ClientSubmits>);

    /// Warns of names that the client refuses on any cluster. `names`: those of all copies of the application.
    fn check_names(&self, _r: &mut Reader<'_>, _app: &App, _names: &[String]) {}

    /// Returns the tag that its client gives an application of this name.
    fn own_tag(&self, _name: &str) -> Option<String> {
        None
    }
}

/// Values of keys that an entry leaves out. `None`: the default of any application.
#[derive(Default)]
pub(crate) struct Defaults {
    pub queue: Option<String>,
    pub priority: Option<i32>,
    pub max_attempts: Option<i32>,
    pub failures_window: Option<Millis>,
}

/// The keys of an entry that every kind has, read before those of its own kind.
pub(crate) struct EntrySoFar {
    /// The queue, if the entry names one.
    pub queue: Option<String>,
    /// The position at which the entry gives the size of the ApplicationMaster.
    pub am_size_at: Option<Span>,
    /// Whether the application already runs when the run begins.
    pub runs_already: bool,
}

/// What an application's client submits in addition to its entry, or why it submits nothing.
pub(crate) struct ClientSubmits {
    pub submitted: Result<Submitted, ClientRefusal>,
    /// Whether the client determines the size of the ApplicationMaster.
    pub size: bool,
}

/// A kind as entries name it.
pub(crate) struct KindRow {
    /// The value of `kind`. Underscores may replace the hyphens.
    pub name: &'static str,
    /// Whether an entry of the kind can be played again under another name, as more load.
    pub makes_load: bool,
    /// Begins to read an entry of the kind; the properties are those of yarn-site.xml.
    pub begin: fn(&mut Reader<'_>, &mut Fields<'_>, &Properties) -> Box<dyn ReadKind>,
}

/// All kinds. An entry without `kind` is of the first one.
pub(crate) const KINDS: [KindRow; 6] = [
    KindRow { name: "batch", makes_load: true, begin: |_, _, _| Box::new(BatchEntry) },
    KindRow { name: "distributed-shell", makes_load: true, begin: |_, _, _| Box::new(ShellEntry) },
    KindRow { name: "requests", makes_load: true, begin: |_, _, _| Box::new(CallsEntry) },
    KindRow { name: "slider", makes_load: false, begin: |_, _, _| Box::new(slider::SliderEntry) },
    KindRow { name: "samza", makes_load: false, begin: |r, f, _| Box::new(samza::properties(r, f)) },
    KindRow { name: "yarn-service", makes_load: false, begin: |_, _, site| Box::new(ServiceEntry::new(site)) },
];

/// Reads an event that only one kind knows. `None`: no kind knows it; `Some(None)`: an error was reported.
pub(crate) fn own_happening(r: &mut Reader<'_>, f: &mut Fields<'_>, verb: &str) -> Option<Option<Act>> {
    [samza::happening, slider::happening, service::happening].into_iter().find_map(|read| read(r, f, verb))
}

/// Reads what a restart changes of an application's own file.
pub(crate) fn restart_change(r: &mut Reader<'_>, f: &mut Fields<'_>) -> Changed {
    Changed { samza: samza::change(r, f) }
}

/// Reads the settings that all applications of a kind share.
pub(crate) fn shared(r: &mut Reader<'_>, root: &mut Fields<'_>) -> Shared {
    Shared { samza: samza::cluster(r, root) }
}

/// Returns where a text belongs that is a part of one kind's file and was pasted alone; `key`: its first word.
pub(crate) fn pasted(text: &str, key: &str) -> Option<String> {
    slider_file::pasted(text, key).or_else(|| job_file::pasted(key))
}

/// The kinds that have [`ReadKind::takes_up_containers`].
pub(crate) const TAKE_UP_CONTAINERS: &str = "Slider, YARN services and Samza with high availability";

/// The kinds whose containers are asked for one by one ([`crate::apps::scenario::Kind::one_by_one`]).
pub(crate) const ASK_ONE_BY_ONE: &str = "Slider, YARN services, Samza and specs";
