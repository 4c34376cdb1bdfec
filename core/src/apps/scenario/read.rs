//! How an entry of `[[apps]]` is read: what is asked of each kind ([`ReadKind`]), and the table of the kinds ([`KINDS`]).
//! What all kinds have in common is read in `core/src/scenario/read/apps.rs`.

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

/// Reads the file of its own that a flex gives an application.
pub(crate) use crate::apps::slider::scenario::read::definition as flex_definition;

/// What is asked of a kind while an entry is read. The methods that read are called in the order in which they stand here. The
/// defaults fit a kind of which nothing is known before its entry is read.
pub(crate) trait ReadKind {
    /// Returns the size of an ApplicationMaster of which the entry says none, MiB and vcores.
    fn am_size(&self) -> (i64, i64) {
        (1024, 1)
    }

    /// Returns the period of its ApplicationMaster's heartbeats where the kind has a setting for it.
    fn am_heartbeat(&self) -> Option<Millis> {
        None
    }

    /// Returns whether a new attempt takes up the containers of the attempt before it.
    fn takes_up_containers(&self) -> bool {
        false
    }

    /// Reads keys of the entry that are about the ApplicationMaster.
    fn read_beside_am(&self, _r: &mut Reader<'_>, _f: &mut Fields<'_>, _am: &mut Am) {}

    /// Returns what stands for keys that the entry leaves out.
    fn defaults(&self) -> Defaults {
        Defaults::default()
    }

    /// Returns whether an application can be there when the run begins (`[apps.now]`).
    fn may_run_already(&self) -> bool {
        false
    }

    /// Reads the keys that are the kind's own. Returns what is written, and what its client submits where that decides more.
    fn read(&mut self, r: &mut Reader<'_>, f: &mut Fields<'_>, entry: EntrySoFar) -> (AppKind, Option<ClientSubmits>);

    /// Warns of what its client refuses whatever the cluster is. `names`: those of all copies of the application.
    fn check_names(&self, _r: &mut Reader<'_>, _app: &App, _names: &[String]) {}

    /// Returns the tag that its client gives an application of this name.
    fn own_tag(&self, _name: &str) -> Option<String> {
        None
    }
}

/// Values of keys that an entry leaves out. `None`: the same as for any application.
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
    /// Where the entry says how large the ApplicationMaster is.
    pub am_size_at: Option<Span>,
    /// Whether the application is there when the run begins.
    pub runs_already: bool,
}

/// What an application's client submits where its entry does not say it, or why it submits nothing.
pub(crate) struct ClientSubmits {
    pub submitted: Result<Submitted, ClientRefusal>,
    /// Whether the size of the ApplicationMaster is the client's.
    pub size: bool,
}

/// A kind as entries name it.
pub(crate) struct KindRow {
    /// What `kind` says. Underscores may stand for the hyphens.
    pub name: &'static str,
    /// Whether an entry of the kind can be played again under another name, as more load.
    pub makes_load: bool,
    /// Begins to read an entry of the kind; the properties are those of yarn-site.xml.
    pub begin: fn(&mut Reader<'_>, &mut Fields<'_>, &Properties) -> Box<dyn ReadKind>,
}

/// All kinds. An entry that names none is of the first one.
pub(crate) const KINDS: [KindRow; 6] = [
    KindRow { name: "batch", makes_load: true, begin: |_, _, _| Box::new(BatchEntry) },
    KindRow { name: "distributed-shell", makes_load: true, begin: |_, _, _| Box::new(ShellEntry) },
    KindRow { name: "requests", makes_load: true, begin: |_, _, _| Box::new(CallsEntry) },
    KindRow { name: "slider", makes_load: false, begin: |_, _, _| Box::new(slider::SliderEntry) },
    KindRow { name: "samza", makes_load: false, begin: |r, f, _| Box::new(samza::properties(r, f)) },
    KindRow { name: "yarn-service", makes_load: false, begin: |_, _, site| Box::new(ServiceEntry::new(site)) },
];

/// Reads a happening that only one kind knows. `None`: no kind knows it; `Some(None)`: what is written is reported as wrong.
pub(crate) fn own_happening(r: &mut Reader<'_>, f: &mut Fields<'_>, verb: &str) -> Option<Option<Act>> {
    [samza::happening, slider::happening, service::happening].into_iter().find_map(|read| read(r, f, verb))
}

/// Reads what a restart changes of an application's own file.
pub(crate) fn restart_change(r: &mut Reader<'_>, f: &mut Fields<'_>) -> Changed {
    Changed { samza: samza::change(r, f) }
}

/// Reads what all applications of a kind share.
pub(crate) fn shared(r: &mut Reader<'_>, root: &mut Fields<'_>) -> Shared {
    Shared { samza: samza::cluster(r, root) }
}

/// Returns where a text belongs that is a part of one kind's file and was pasted alone; `key`: the word that it begins with.
pub(crate) fn pasted(text: &str, key: &str) -> Option<String> {
    slider_file::pasted(text, key).or_else(|| job_file::pasted(key))
}

/// The kinds that have [`ReadKind::takes_up_containers`].
pub(crate) const TAKE_UP_CONTAINERS: &str = "Slider, YARN services and Samza with high availability";

/// The kinds whose containers are asked for one by one ([`crate::apps::scenario::Kind::one_by_one`]).
pub(crate) const ASK_ONE_BY_ONE: &str = "Slider, YARN services, Samza and specs";
