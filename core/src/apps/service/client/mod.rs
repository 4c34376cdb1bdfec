//! The client of YARN services (ServiceClient of hadoop-yarn-services-core 3.4.2): a yarnfile as it is read, checked and
//! submitted.
//!
//! The client tells its first fault only. Reading and checking here go on behind it, so that all faults of a file are
//! known at once; the first of them is the client's.

mod asks;
mod check;
mod jackson;
mod read;
mod submit;
#[cfg(test)]
mod tests;

pub use asks::{Refused, order, plan, sends_constraints};
pub use check::{check, of_components, too_large};
pub use read::read;
pub use submit::{ATTEMPTS, Settings, queue, settings, submission, tag};

use crate::api::{ClientRefusal, ClientStage};
use crate::client::java;
use crate::client::path::Path;
use crate::model::Span;

/// A yarnfile (Service). `None` of a field: null; what was not given has its default.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Service {
    pub name: Option<String>,
    pub version: Option<String>,
    pub queue: Option<String>,
    /// In seconds; below 1: none.
    pub lifetime: Option<i64>,
    pub components: Option<Vec<Option<Component>>>,
    pub configuration: Option<Configuration>,
    /// For components that have none.
    pub resource: Option<Resource>,
    /// For components that have none.
    pub artifact: Option<Artifact>,
    /// Other services.
    pub dependencies: Option<Vec<Option<String>>>,
    pub docker_client_config: Option<String>,
    /// Whether the Kerberos principal is there. It is, unless the file says null.
    pub kerberos_principal: bool,
    pub places: Places,
}

/// A component.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Component {
    pub name: Option<String>,
    pub number_of_containers: Option<i64>,
    pub launch_command: Option<String>,
    pub resource: Option<Resource>,
    pub dependencies: Option<Vec<Option<String>>>,
    pub artifact: Option<Artifact>,
    pub configuration: Option<Configuration>,
    pub readiness_check: Option<ReadinessCheck>,
    pub placement_policy: Option<Policy>,
    /// By its name in the file.
    pub restart_policy: Option<&'static str>,
    pub places: Places,
}

/// `resource`.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Resource {
    pub profile: Option<String>,
    pub cpus: Option<i32>,
    /// MB, as written.
    pub memory: Option<String>,
    pub additional: Option<Vec<(String, Option<Amount>)>>,
    pub places: Places,
}

/// An amount of a further resource type.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Amount {
    pub value: Option<i64>,
    /// "" where none is given.
    pub unit: String,
    pub places: Places,
}

/// `artifact`.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Artifact {
    pub id: Option<String>,
    /// DOCKER, TARBALL or SERVICE.
    pub kind: Option<&'static str>,
    pub places: Places,
}

/// `configuration`.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Configuration {
    pub properties: Option<Vec<(String, Option<String>)>>,
    pub env: Option<Vec<(String, Option<String>)>>,
    pub files: Option<Vec<Option<ConfigFile>>>,
    pub places: Places,
}

/// A file of a configuration.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ConfigFile {
    /// XML, PROPERTIES, JSON, YAML, TEMPLATE, HADOOP_XML, STATIC or ARCHIVE.
    pub kind: Option<&'static str>,
    pub dest_file: Option<String>,
    pub src_file: Option<String>,
    pub properties: Option<Vec<(String, Option<String>)>>,
    pub places: Places,
}

/// `readiness_check`.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ReadinessCheck {
    /// HTTP, PORT or DEFAULT.
    pub kind: Option<&'static str>,
    pub properties: Option<Vec<(String, Option<String>)>>,
    pub places: Places,
}

/// `placement_policy`.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Policy {
    pub constraints: Option<Vec<Option<PolicyConstraint>>>,
    pub places: Places,
}

/// A constraint of a policy with its places.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct PolicyConstraint {
    pub constraint: crate::apps::service::constraint::ServiceConstraint,
    pub places: Places,
}

/// Where the keys of an object stand.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Places {
    /// The object itself.
    pub at: Option<Span>,
    keys: Vec<(&'static str, Span)>,
}

/// No place at all.
pub const NOWHERE: Places = Places { at: None, keys: Vec::new() };

impl Places {
    /// The value of a key; the object where it has none.
    pub fn of(&self, key: &str) -> Option<Span> {
        self.keys.iter().rev().find(|(name, _)| *name == key).map(|(_, span)| *span).or(self.at)
    }
}

/// A refusal and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    pub refusal: ClientRefusal,
    pub at: Option<Span>,
}

impl Fault {
    /// Of the message the first line.
    fn new(stage: ClientStage, exception: &str, message: impl Into<String>, at: Option<Span>) -> Self {
        let message = message.into();
        let line = message.lines().next().unwrap_or_default().trim();
        Fault { refusal: ClientRefusal::new(stage, exception, line), at }
    }

    /// IllegalArgumentException by the check.
    fn illegal(message: impl Into<String>, at: Option<Span>) -> Self {
        Fault::new(ClientStage::Check, "IllegalArgumentException", message, at)
    }

    /// NullPointerException by the check.
    fn null(at: Option<Span>) -> Self {
        Fault::new(ClientStage::Check, "NullPointerException", "", at)
    }

    fn mend(self, mend: impl Into<String>) -> Self {
        Fault { refusal: self.refusal.mend(mend), ..self }
    }
}

/// What the client knows besides the file.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Site {
    /// `hadoop.registry.dns.enabled`: names are labels of host names.
    pub dns: bool,
    /// Whether the cluster's files are known. If so, paths that are not among `files` do not exist.
    pub files: Option<Vec<String>>,
    /// Yarnfiles that are saved, by name.
    pub saved: Vec<(String, String)>,
    /// `yarn.service.*` of yarn-site.xml.
    pub conf: crate::api::Properties,
    /// What YARN answers to a new application: the largest container, memory in MB and vcores.
    pub maximum: Option<(i64, i64)>,
}

impl Service {
    /// Its components; those that are null left out.
    pub fn components(&self) -> impl Iterator<Item = &Component> {
        self.components.iter().flatten().flatten()
    }

    /// As it is read again after it was saved: Jackson leaves nulls out of most classes, so their defaults come back.
    /// Resources, placement policies and constraints keep theirs.
    pub fn saved(mut self) -> Self {
        self.configuration = Some(self.configuration.unwrap_or_else(Configuration::empty).saved());
        self.components = Some(self.components.unwrap_or_default());
        self.dependencies = Some(self.dependencies.unwrap_or_default());
        self.artifact = self.artifact.map(Artifact::saved);
        self.kerberos_principal = true;
        for component in self.components.iter_mut().flatten().flatten() {
            component.dependencies.get_or_insert_default();
            component.restart_policy.get_or_insert("ALWAYS");
            component.configuration = Some(component.configuration.take().unwrap_or_else(Configuration::empty).saved());
            component.artifact = component.artifact.take().map(Artifact::saved);
            component.readiness_check = component.readiness_check.take().map(ReadinessCheck::saved);
            for resource in component.resource.iter_mut().chain(self.resource.iter_mut()) {
                // Entries of maps that are null are not written at all.
                if let Some(additional) = &mut resource.additional {
                    additional.retain(|(_, amount)| amount.is_some());
                }
            }
            let constraints = component.placement_policy.iter_mut().filter_map(|p| p.constraints.as_mut());
            for one in constraints.flatten().flatten() {
                if let Some(attributes) = &mut one.constraint.node_attributes {
                    attributes.retain(|_, values| values.is_some());
                }
            }
        }
        self
    }
}

impl ReadinessCheck {
    fn saved(mut self) -> Self {
        self.properties.get_or_insert_default().retain(|(_, value)| value.is_some());
        self
    }
}

impl Site {
    /// With the properties of yarn-site.xml; of files and of the maximum nothing is known.
    pub fn of(conf: &crate::api::Properties) -> Self {
        Site {
            dns: java::conf_boolean(conf.get("hadoop.registry.dns.enabled").map(String::as_str), false),
            conf: conf
                .iter()
                .filter(|(name, _)| name.starts_with("yarn.service."))
                .map(|(k, v)| (k.clone(), v.clone()))
                .collect(),
            ..Site::default()
        }
    }

    /// Whether a path is in the cluster's file system. Where its files are not known it is taken to be.
    fn has(&self, path: &Path) -> bool {
        let bare = bare(&path.path);
        self.files.as_ref().is_none_or(|files| files.iter().any(|f| bare_text(f) == bare) || self.is_folder(path))
    }

    /// Whether a path is a folder there.
    fn is_folder(&self, path: &Path) -> bool {
        let bare = bare(&path.path);
        let inside = |file: &str| bare_text(file).strip_prefix(bare).is_some_and(|rest| rest.starts_with('/'));
        self.files.as_ref().is_some_and(|files| bare.is_empty() || files.iter().any(|f| inside(f)))
    }

    /// Whether the cluster's files are known, and no file system of theirs has this scheme.
    fn lacks_file_system(&self, scheme: &str) -> bool {
        self.files.is_some() && !FILE_SYSTEMS.contains(&scheme)
    }
}

/// Schemes of the file systems that Hadoop's own client brings with it.
const FILE_SYSTEMS: [&str; 9] = ["file", "har", "hdfs", "http", "https", "nullscan", "swebhdfs", "viewfs", "webhdfs"];

/// A path of a file system without slashes at its ends.
fn bare(path: &str) -> &str {
    path.trim_matches('/')
}

/// A path as a text without the file system's name and without a slash before it.
fn bare_text(text: &str) -> &str {
    let path = match text.split_once("://") {
        Some((_, rest)) => rest.find('/').map_or("", |at| &rest[at..]),
        None => text,
    };
    path.trim_start_matches('/')
}

impl Artifact {
    fn saved(self) -> Self {
        Artifact { kind: Some(self.kind.unwrap_or("DOCKER")), ..self }
    }
}

impl Configuration {
    /// One without anything in it.
    fn empty() -> Self {
        Configuration {
            properties: Some(Vec::new()),
            env: Some(Vec::new()),
            files: Some(Vec::new()),
            places: Places::default(),
        }
    }

    fn saved(mut self) -> Self {
        self.properties.get_or_insert_default().retain(|(_, value)| value.is_some());
        self.env.get_or_insert_default().retain(|(_, value)| value.is_some());
        for file in self.files.get_or_insert_default().iter_mut().flatten() {
            file.properties.get_or_insert_default().retain(|(_, value)| value.is_some());
        }
        self
    }

    /// A property that is there and not empty.
    pub fn property(&self, name: &str) -> Option<&str> {
        let all = self.properties.iter().flatten();
        all.rev().find(|(key, _)| key == name).and_then(|(_, v)| v.as_deref()).filter(|v| !v.is_empty())
    }
}
