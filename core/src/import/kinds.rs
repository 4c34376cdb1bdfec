//! The table of everything that can be read, one row each: its name, how it is recognised, and how it is read. The first
//! row that recognises a text applies.

use super::workloads::{dynoyarn, sls, synth};
use super::{
    Gathered, InputText, ReadOutcome, changes, commands, hosts, lines, properties, queues, rest, settings, shown,
};
use crate::apps::distributed_shell::import as shell;
use crate::apps::samza::{import as samza, scenario::file as job_file};
use crate::apps::service::{import as service, scenario::file as yarnfile};
use crate::apps::slider::{import as slider, scenario::file as slider_file};
use crate::config::check::{self, Recognised};
use crate::model::{Problem, Span};
use crate::scenario::pasted;

/// The kind of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TextKind {
    Scenario,
    CapacityScheduler,
    FairScheduler,
    Site,
    /// core-site.xml or SLS settings.
    OtherSettings,
    /// Properties as lines of `key=value`.
    PropertyLines,
    Conf,
    SchedulerConf,
    Emr,
    Ambari,
    Cloudera,
    /// A change of the queues.
    Change,
    /// Command lines.
    Commands,
    Topology,
    LabelList,
    SparkDefaults,
    /// A list or a report from YARN's command line.
    Shown,
    Slider,
    SliderConfig,
    SliderHistory,
    Service,
    Samza,
    DistributedShell,
    ClusterInfo,
    ClusterMetrics,
    Scheduler,
    SchedulerOverview,
    Nodes,
    Apps,
    Attempts,
    Containers,
    NodeLabels,
    NodesOfLabels,
    Activities,
    AppActivities,
    RemoteException,
    SlsJobs,
    SlsNodes,
    SlsSynth,
    Dynoyarn,
    /// A pasted line, see [`lines`].
    Line,
    /// A log that is longer than what is pasted.
    Log,
}

/// A kind of text, with its recogniser and its reader.
pub struct TextFormat {
    pub what: TextKind,
    /// Its name, as a heading: "capacity-scheduler.xml".
    pub name: &'static str,
    /// Returns whether a text is of this kind.
    pub is: fn(&InputText<'_>) -> bool,
    /// Reads a text of this kind.
    pub read: fn(&InputText<'_>, &mut Gathered) -> ReadOutcome,
}

/// Returns the name of a kind, in words.
pub fn name_of(what: TextKind) -> Option<&'static str> {
    KINDS.iter().find(|kind| kind.what == what).map(|kind| kind.name)
}

/// Returns a kind in words, with a summary of the contents.
pub(super) fn in_words(kind: &TextFormat, holds: &str) -> String {
    if holds.is_empty() { kind.name.to_owned() } else { format!("{}: {holds}", kind.name) }
}

/// All kinds, in the order in which they are tried.
pub const KINDS: &[TextFormat] = &[
    TextFormat {
        what: TextKind::Scenario,
        name: "a scenario",
        is: |look| is_scenario(look.text),
        read: settings::scenario,
    },
    TextFormat {
        what: TextKind::FairScheduler,
        name: "the FairScheduler's allocation file",
        is: |look| look.root() == Some("allocations"),
        read: settings::fair,
    },
    TextFormat {
        what: TextKind::CapacityScheduler,
        name: "capacity-scheduler.xml",
        is: |look| configuration(look) == Some(Recognised::CapacityScheduler),
        read: settings::capacity,
    },
    TextFormat {
        what: TextKind::OtherSettings,
        name: "core-site.xml or settings of SLS",
        is: settings::is_others,
        read: settings::others,
    },
    TextFormat {
        what: TextKind::Site,
        name: "yarn-site.xml",
        is: |look| configuration(look) == Some(Recognised::Site),
        read: settings::site,
    },
    TextFormat { what: TextKind::Change, name: "a change of the queues", is: changes::is, read: changes::read },
    TextFormat { what: TextKind::Conf, name: "the answer of /conf", is: properties::is_conf, read: properties::conf },
    TextFormat {
        what: TextKind::SchedulerConf,
        name: "the answer of /scheduler-conf",
        is: properties::is_scheduler_conf,
        read: properties::scheduler_conf,
    },
    TextFormat { what: TextKind::Emr, name: "classifications of EMR", is: properties::is_emr, read: properties::emr },
    TextFormat {
        what: TextKind::Ambari,
        name: "a blueprint or a configuration of Ambari",
        is: properties::is_ambari,
        read: properties::ambari,
    },
    TextFormat {
        what: TextKind::Cloudera,
        name: "a configuration of Cloudera Manager",
        is: properties::is_cloudera,
        read: properties::cloudera,
    },
    TextFormat {
        what: TextKind::ClusterInfo,
        name: "the answer of /info",
        is: |look| look.is_answer(&["clusterInfo"]),
        read: rest::info,
    },
    TextFormat {
        what: TextKind::ClusterMetrics,
        name: "the answer of /metrics",
        is: |look| look.is_answer(&["clusterMetrics"]),
        read: rest::metrics,
    },
    TextFormat {
        what: TextKind::SchedulerOverview,
        name: "the answer of /scheduler-overview",
        is: |look| look.is_answer(&["scheduler"]) && queues::is_overview(look),
        read: rest::overview,
    },
    TextFormat {
        what: TextKind::Scheduler,
        name: "the answer of /scheduler",
        is: |look| look.is_answer(&["scheduler", "schedulerInfo"]),
        read: queues::scheduler,
    },
    TextFormat {
        what: TextKind::Attempts,
        name: "the answer of /appattempts",
        is: |look| look.is_answer(&["appAttempts", "appAttempt"]),
        read: rest::attempts,
    },
    TextFormat {
        what: TextKind::Containers,
        name: "the answer of /containers",
        is: |look| look.is_answer(&["containers", "container"]),
        read: rest::containers,
    },
    TextFormat {
        what: TextKind::NodesOfLabels,
        name: "the answer of /get-node-to-labels or /label-mappings",
        is: |look| look.is_answer(&["nodeToLabels", "nodeToLabelsInfo", "labelsToNodes", "labelsToNodesInfo"]),
        read: rest::node_labels,
    },
    TextFormat {
        what: TextKind::NodeLabels,
        name: "the answer of /get-node-labels",
        is: |look| look.is_answer(&["nodeLabelsInfo", "nodeLabelInfo"]),
        read: rest::labels,
    },
    TextFormat {
        what: TextKind::Activities,
        name: "the answer of /scheduler/activities",
        is: |look| look.is_answer(&["activities", "bulkActivities"]),
        read: rest::activities,
    },
    TextFormat {
        what: TextKind::AppActivities,
        name: "the answer of /scheduler/app-activities",
        is: |look| look.is_answer(&["appActivities"]),
        read: rest::app_activities,
    },
    TextFormat {
        what: TextKind::RemoteException,
        name: "an exception of the ResourceManager",
        is: |look| look.is_answer(&["RemoteException"]),
        read: rest::exception,
    },
    TextFormat { what: TextKind::SlsJobs, name: "jobs of SLS", is: sls::is_jobs, read: sls::read_jobs },
    TextFormat { what: TextKind::SlsNodes, name: "nodes of SLS", is: sls::is_nodes, read: sls::read_nodes },
    TextFormat { what: TextKind::SlsSynth, name: "a synthetic workload of SLS", is: synth::is, read: synth::read },
    TextFormat { what: TextKind::Dynoyarn, name: "a workload of DynoYARN", is: dynoyarn::is, read: dynoyarn::read },
    TextFormat {
        what: TextKind::Nodes,
        name: "the answer of /nodes",
        is: |look| {
            look.is_answer(&["nodes", "node"]) && !look.has_field(&["rack", "components"]) || rest::is_bare_nodes(look)
        },
        read: rest::nodes,
    },
    TextFormat {
        what: TextKind::Apps,
        name: "the answer of /apps",
        is: |look| look.is_answer(&["apps", "app"]) || rest::is_bare_apps(look),
        read: rest::apps,
    },
    TextFormat {
        what: TextKind::SliderConfig,
        name: "a file of Slider beside resources.json",
        is: |look| slider_file::beside(look.text).is_some(),
        read: slider::beside,
    },
    TextFormat {
        what: TextKind::SliderHistory,
        name: "Slider's role history",
        is: |look| look.has_field(&["entry"]) && look.text.contains("org.apache.slider.server.avro."),
        read: slider::history,
    },
    TextFormat {
        what: TextKind::Slider,
        name: "Slider's resources.json",
        is: |look| slider_file::is_resources(look.text),
        read: slider::resources,
    },
    TextFormat {
        what: TextKind::Service,
        name: "a YARN service",
        is: |look| yarnfile::is_yarnfile(look.text),
        read: service::yarnfile,
    },
    TextFormat { what: TextKind::Shown, name: "output of YARN's command line", is: shown::is, read: shown::read },
    TextFormat { what: TextKind::Log, name: "a log", is: |look| lines::log::is_log(look.text), read: lines::log::read },
    TextFormat { what: TextKind::Line, name: "a pasted line", is: |look| look.line().is_some(), read: lines::read },
    TextFormat {
        what: TextKind::DistributedShell,
        name: "the distributed shell's command or its placement spec",
        is: |look| pasted::spec(look.text).is_some(),
        read: shell::command,
    },
    TextFormat { what: TextKind::Commands, name: "command lines", is: commands::is, read: commands::read },
    TextFormat {
        what: TextKind::Topology,
        name: "a table of racks",
        is: hosts::is_topology,
        read: hosts::read_topology,
    },
    TextFormat {
        what: TextKind::LabelList,
        name: "a list of node labels",
        is: hosts::is_labels,
        read: hosts::read_labels,
    },
    TextFormat {
        what: TextKind::SparkDefaults,
        name: "spark-defaults.conf",
        is: properties::is_spark,
        read: properties::read_lines,
    },
    TextFormat {
        what: TextKind::Samza,
        name: "a Samza job",
        is: |look| job_file::is_job("", look.text),
        read: samza::job,
    },
    TextFormat {
        what: TextKind::PropertyLines,
        name: "properties as lines",
        is: properties::is_lines,
        read: properties::read_lines,
    },
];

/// Returns whether a text looks like one of Heddle's scenarios.
pub fn is_scenario(text: &str) -> bool {
    text.lines().any(|l| {
        let l = l.trim_start();
        l.starts_with("[[nodes]]")
            || l.starts_with("[[apps]]")
            || l.strip_prefix("heddle").is_some_and(|r| r.trim_start().starts_with('='))
    })
}

/// Recognises which configuration file a text is.
fn configuration(look: &InputText<'_>) -> Option<Recognised> {
    look.root()?;
    Some(check::recognise(look.configuration(), look.whole()))
}

/// All rows in one sentence.
const READ: &str = "Read are scenarios, settings of YARN in any form (XML, JSON, lines), answers of the ResourceManager, output \
                    of the yarn command, files and commands of applications, traces of SLS and DynoYARN, and single lines of logs.";

/// Returns a description of a text that no row recognises, and its problem.
pub(super) fn unrecognised(look: &InputText<'_>) -> (String, Problem) {
    let start = Span::new(0, look.text.find('\n').unwrap_or(look.text.len()));
    if matches!(look.text.trim(), "{}" | "[]" | "null") {
        let words = "It holds nothing: there are none of what was asked for.";
        return ("an empty answer".to_owned(), Problem::note(look.name, start, words));
    }
    if look.root().is_some() {
        let report = check::check(look.name, look.whole(), &Default::default(), &[]);
        let what = match &report.recognised {
            Recognised::Html => "a web page".to_owned(),
            Recognised::OtherXml(root) => format!("XML with the root element <{root}>"),
            Recognised::OtherSite => "a configuration without a property of YARN's".to_owned(),
            Recognised::MapReduce1 => "settings of MapReduce 1".to_owned(),
            _ => "XML that cannot be read".to_owned(),
        };
        let words = "Nothing of it can be read here.";
        let problem = report.problems.into_iter().max_by_key(|p| p.severity);
        return (what, problem.unwrap_or_else(|| Problem::error(look.name, start, words)));
    }
    if let Some(json) = look.json() {
        let (what, problem) = match &json.fault {
            Some(fault) => ("JSON with a fault".to_owned(), {
                let words = format!("This is not JSON from here on: {}.", fault.what);
                Problem::error(look.name, Span::new(fault.at, fault.at), words)
            }),
            None => {
                let known = "None of its fields is one of an answer of the ResourceManager, of a trace or of an application's file.";
                ("JSON of something else".to_owned(), Problem::error(look.name, start, known))
            }
        };
        return (what, problem);
    }
    if look.text.trim_start().starts_with("This is standby RM") {
        let words = "A standby ResourceManager answered: it knows nothing of the cluster.";
        let problem =
            Problem::error(look.name, start, words).mend("Ask the active one, whose address stands in the answer.");
        return ("the answer of a standby ResourceManager".to_owned(), problem);
    }
    if look.text.trim_start().starts_with("This API only supports to retrieve scheduler configuration") {
        let words = "The scheduler is not configured over REST, so this answer has no settings: capacity-scheduler.xml has them.";
        return ("the answer of /scheduler-conf".to_owned(), Problem::note(look.name, start, words));
    }
    if let Some(told) = pasted::explain(look.text) {
        return ("a part of something".to_owned(), Problem::error(look.name, start, told));
    }
    let near = lines::near(look.text);
    if !near.is_empty() {
        let near: Vec<String> =
            near.iter().map(|row| format!("{} (\u{201c}{}\u{201d})", row.what, row.shown())).collect();
        let words = "No line that is known has these words.".to_owned();
        let mend = format!("Near to it: {}.", near.join("; "));
        return ("a line that is not known".to_owned(), Problem::error(look.name, start, words).mend(mend));
    }
    let words = "This is nothing that is read here.";
    ("not recognised".to_owned(), Problem::error(look.name, start, words).mend(READ))
}
