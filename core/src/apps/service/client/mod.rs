//! The client of YARN services (ServiceClient of hadoop-yarn-services-core 3.4.2): how a yarnfile is read, checked and
//! submitted.
//!
//! The client reports only its first fault. Reading and checking continue here, so that all faults of a file are known at once;
//! the first of them is the client's.

mod asks;
mod check;
mod jackson;
mod read;
mod submit;
#[cfg(test)]
mod tests;

pub use asks::{AmException, order, plan, sends_constraints};
pub use check::{check, of_components, too_large};
pub use read::read;
pub use submit::{ATTEMPTS, Settings, queue, settings, submission, tag};

use crate::api::{ClientRefusal, ClientStage};
use crate::client::java;
use crate::client::path::Path;
use crate::model::Span;

/// A yarnfile (Service). `None` of a field means null; a missing field has its default.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Service {
    pub name: Option<String>,
    pub version: Option<String>,
    pub queue: Option<String>,
    /// The lifetime in seconds; below 1: none.
    pub lifetime: Option<i64>,
    pub components: Option<Vec<Option<Component>>>,
    pub configuration: Option<Configuration>,
    /// The resource of components that have none.
    pub resource: Option<Resource>,
    /// The artifact of components that have none.
    pub artifact: Option<Artifact>,
    /// Other services that it depends on.
    pub dependencies: Option<Vec<Option<String>>>,
    pub docker_client_config: Option<String>,
    /// Whether there is a Kerberos principal, as there is unless the file says null.
    pub kerberos_principal: bool,
    pub places: Places,
}

/// A component of a yarnfile.
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
    /// The policy's name in the file.
    pub restart_policy: Option<&'static str>,
    pub places: Places,
}

/// `resource`.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Resource {
    pub profile: Option<String>,
    pub cpus: Option<i32>,
    /// The amount in MB, as written.
    pub memory: Option<String>,
    pub additional: Option<Vec<(String, Option<Amount>)>>,
    pub places: Places,
}

/// An amount of a further resource type.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Amount {
    pub value: Option<i64>,
    /// The unit; "" if none is given.
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

/// A constraint of a policy with its positions.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct PolicyConstraint {
    pub constraint: crate::apps::service::constraint::ServiceConstraint,
    pub places: Places,
}

/// The positions of the keys of an object.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Places {
    /// The position of the object itself.
    pub at: Option<Span>,
    keys: Vec<(&'static str, Span)>,
}

/// No positions.
pub const NOWHERE: Places = Places { at: None, keys: Vec::new() };

impl Places {
    /// Returns the position of a key's value, or of the object if the key is missing.
    pub fn of(&self, key: &str) -> Option<Span> {
        self.keys.iter().rev().find(|(name, _)| *name == key).map(|(_, span)| *span).or(self.at)
    }
}

/// A refusal and its position.
#[derive(Clone, Debug, PartialEq)]
pub struct ServiceClientFault {
    pub refusal: ClientRefusal,
    pub at: Option<Span>,
}

impl ServiceClientFault {
    /// Creates a fault with the first line of the message.
    fn new(stage: ClientStage, exception: &str, message: impl Into<String>, at: Option<Span>) -> Self {
        let message = message.into();
        let line = message.lines().next().unwrap_or_default().trim();
        ServiceClientFault { refusal: ClientRefusal::new(stage, exception, line), at }
    }

    /// Creates an IllegalArgumentException of the check.
    fn illegal(message: impl Into<String>, at: Option<Span>) -> Self {
        ServiceClientFault::new(ClientStage::Check, "IllegalArgumentException", message, at)
    }

    /// Creates a NullPointerException of the check.
    fn null(at: Option<Span>) -> Self {
        ServiceClientFault::new(ClientStage::Check, "NullPointerException", "", at)
    }

    fn mend(self, mend: impl Into<String>) -> Self {
        ServiceClientFault { refusal: self.refusal.mend(mend), ..self }
    }
}

/// What the client knows in addition to the file.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Site {
    /// `hadoop.registry.dns.enabled`: names are labels of host names.
    pub dns: bool,
    /// The cluster's files, if they are known: paths that are not among them do not exist.
    pub files: Option<Vec<String>>,
    /// The saved yarnfiles, by name.
    pub saved: Vec<(String, String)>,
    /// `yarn.service.*` of yarn-site.xml.
    pub conf: crate::api::Properties,
    /// YARN's answer to a new application: the largest container, memory in MB and vcores.
    pub maximum: Option<(i64, i64)>,
}

impl Service {
    /// Returns its components without those that are null.
    pub fn components(&self) -> impl Iterator<Item = &Component> {
        self.components.iter().flatten().flatten()
    }

    /// Returns the service as it is read again after it was saved: Jackson omits nulls of most classes, so their defaults
    /// return. Resources, placement policies and constraints keep theirs.
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
                // Null entries of maps are not written at all.
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
    /// Creates a site with the properties of yarn-site.xml; files and maximum are unknown.
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

    /// Returns whether a path is in the cluster's file system; without known files every path is.
    fn has(&self, path: &Path) -> bool {
        let bare = bare(&path.path);
        self.files.as_ref().is_none_or(|files| files.iter().any(|f| bare_text(f) == bare) || self.is_folder(path))
    }

    /// Returns whether a path is a folder there.
    fn is_folder(&self, path: &Path) -> bool {
        let bare = bare(&path.path);
        let inside = |file: &str| bare_text(file).strip_prefix(bare).is_some_and(|rest| rest.starts_with('/'));
        self.files.as_ref().is_some_and(|files| bare.is_empty() || files.iter().any(|f| inside(f)))
    }

    /// Returns whether the cluster's files are known, and none of its file systems has this scheme.
    fn lacks_file_system(&self, scheme: &str) -> bool {
        self.files.is_some() && !FILE_SYSTEMS.contains(&scheme)
    }
}

/// Schemes of the file systems that Hadoop's own client includes.
const FILE_SYSTEMS: [&str; 9] = ["file", "har", "hdfs", "http", "https", "nullscan", "swebhdfs", "viewfs", "webhdfs"];

/// Returns a path of a file system without leading and trailing slashes.
fn bare(path: &str) -> &str {
    path.trim_matches('/')
}

/// Returns a path's text without the file system's name and without a leading slash.
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
    /// Returns an empty configuration.
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

    /// Returns a property that is set and not empty.
    pub fn property(&self, name: &str) -> Option<&str> {
        let all = self.properties.iter().flatten();
        all.rev().find(|(key, _)| key == name).and_then(|(_, v)| v.as_deref()).filter(|v| !v.is_empty())
    }
}
