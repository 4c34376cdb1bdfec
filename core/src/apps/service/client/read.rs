//! Reads a yarnfile as Jackson reads it into the classes of `org.apache.hadoop.yarn.service.api.records`.

use super::jackson::{Enum, RECORDS, Taker};
use super::{
    Amount, Artifact, Component, ConfigFile, Configuration, Places, Policy, PolicyConstraint, ReadinessCheck, Resource,
    Service, ServiceClientFault,
};
use crate::api::ClientStage;
use crate::apps::service::constraint::{PolicyScope, PolicyType, ServiceConstraint};
use crate::client::json::{self, Field, Node, Value};
use crate::model::Span;

const ARTIFACT: Enum = Enum {
    class: "org.apache.hadoop.yarn.service.api.records.Artifact$TypeEnum",
    values: &["DOCKER", "TARBALL", "SERVICE"],
    listed: "DOCKER, TARBALL, SERVICE",
};
const READINESS: Enum = Enum {
    class: "org.apache.hadoop.yarn.service.api.records.ReadinessCheck$TypeEnum",
    values: &["DEFAULT", "HTTP", "PORT"],
    listed: "HTTP, PORT, DEFAULT",
};
const RESTART: Enum = Enum {
    class: "org.apache.hadoop.yarn.service.api.records.Component$RestartPolicyEnum",
    values: &["ALWAYS", "ON_FAILURE", "NEVER"],
    listed: "ON_FAILURE, NEVER, ALWAYS",
};
const FILE: Enum = Enum {
    class: "org.apache.hadoop.yarn.service.api.records.ConfigFile$TypeEnum",
    values: &["XML", "PROPERTIES", "JSON", "YAML", "TEMPLATE", "HADOOP_XML", "STATIC", "ARCHIVE"],
    listed: "ARCHIVE, PROPERTIES, XML, JSON, TEMPLATE, HADOOP_XML, STATIC, YAML",
};
const VISIBILITY: Enum = Enum {
    class: "org.apache.hadoop.yarn.api.records.LocalResourceVisibility",
    values: &["PUBLIC", "PRIVATE", "APPLICATION"],
    listed: "APPLICATION, PUBLIC, PRIVATE",
};
const TYPE: Enum = Enum {
    class: "org.apache.hadoop.yarn.service.api.records.PlacementType",
    values: &["AFFINITY", "ANTI_AFFINITY", "AFFINITY_WITH_CARDINALITY"],
    listed: "AFFINITY, AFFINITY_WITH_CARDINALITY, ANTI_AFFINITY",
};
const SCOPE: Enum = Enum {
    class: "org.apache.hadoop.yarn.service.api.records.PlacementScope",
    values: &["node", "rack"],
    listed: "node, rack",
};
const SERVICE_STATE: Enum = Enum {
    class: "org.apache.hadoop.yarn.service.api.records.ServiceState",
    values: &[
        "ACCEPTED",
        "STARTED",
        "STABLE",
        "STOPPED",
        "FAILED",
        "FLEX",
        "UPGRADING",
        "UPGRADING_AUTO_FINALIZE",
        "EXPRESS_UPGRADING",
        "SUCCEEDED",
        "CANCEL_UPGRADING",
    ],
    listed: "STARTED, CANCEL_UPGRADING, ACCEPTED, UPGRADING_AUTO_FINALIZE, FLEX, EXPRESS_UPGRADING, STABLE, FAILED, SUCCEEDED, UPGRADING, STOPPED",
};
const COMPONENT_STATE: Enum = Enum {
    class: "org.apache.hadoop.yarn.service.api.records.ComponentState",
    values: &["FLEXING", "STABLE", "NEEDS_UPGRADE", "UPGRADING", "SUCCEEDED", "FAILED"],
    listed: "SUCCEEDED, FLEXING, NEEDS_UPGRADE, STABLE, FAILED, UPGRADING",
};
const CONTAINER_STATE: Enum = Enum {
    class: "org.apache.hadoop.yarn.service.api.records.ContainerState",
    values: &[
        "RUNNING_BUT_UNREADY",
        "READY",
        "STOPPED",
        "NEEDS_UPGRADE",
        "UPGRADING",
        "SUCCEEDED",
        "FAILED",
        "FAILED_UPGRADE",
    ],
    listed: "SUCCEEDED, READY, UPGRADING, FAILED_UPGRADE, RUNNING_BUT_UNREADY, FAILED, NEEDS_UPGRADE, STOPPED",
};
const TEXTS: &str = "java.util.ArrayList<java.lang.String>";
const TEXT_MAP: &str = "java.util.LinkedHashMap<java.lang.String,java.lang.String>";

/// Reads a yarnfile. `None` for `null`, or if it cannot be read at all; the faults come in the order of the text.
pub fn read(text: &str) -> (Option<Service>, Vec<ServiceClientFault>) {
    let fault = |exception: &str, message: String, mend: &str, at: usize| {
        let at = at.min(text.len());
        ServiceClientFault::new(ClientStage::Read, exception, message, Some(Span::new(at, at))).mend(mend)
    };
    let parsed = json::parse(text);
    let mut taker = Taker::default();
    let service = parsed.node.as_ref().and_then(|root| service(&mut taker, root));
    let mut faults = taker.faults;
    match parsed.fault {
        // Within a known field Jackson wraps every exception.
        Some(why) if why.within.as_deref().is_some_and(is_known) => {
            let words = format!("This is not JSON: {}", why.what);
            faults.push(fault("JsonMappingException", words, "A yarnfile is one JSON object: mend it here.", why.at));
        }
        Some(why) if why.cut => {
            let words = format!("Unexpected end-of-input: {}", why.what);
            faults.push(fault("JsonEOFException", words, "Close what is open.", why.at));
        }
        Some(why) => {
            let words = format!("This is not JSON: {}", why.what);
            faults.push(fault("JsonParseException", words, "A yarnfile is one JSON object: mend it here.", why.at));
        }
        None if parsed.node.is_none() => {
            let words = "No content to map due to end-of-input".to_string();
            faults.push(fault("MismatchedInputException", words, "Write a service between { and }.", 0));
        }
        None => {}
    }
    (service, faults)
}

/// Returns whether it is a field of a service.
fn is_known(name: &str) -> bool {
    SERVICE_KEYS.contains(&name) || OTHER_KEYS.contains(&name)
}

/// Reads an object, field by field; `take` returns the name of the field if it knows it.
fn fields(
    taker: &mut Taker,
    node: &Node,
    class: &str,
    mut take: impl FnMut(&mut Taker, &Field) -> Option<&'static str>,
) -> Option<Places> {
    if !taker.object(node, &format!("{RECORDS}{class}")) {
        return None;
    }
    let mut places = Places { at: Some(node.span), keys: Vec::new() };
    for field in node.fields() {
        if let Some(name) = take(taker, field) {
            places.keys.push((name, field.node.span));
        }
    }
    Some(places)
}

fn service(taker: &mut Taker, root: &Node) -> Option<Service> {
    let mut s = Service {
        components: Some(Vec::new()),
        configuration: Some(Configuration::empty()),
        dependencies: Some(Vec::new()),
        kerberos_principal: true,
        ..Service::default()
    };
    s.places = fields(taker, root, "Service", |t, Field { name, node, .. }| {
        match name.as_str() {
            "name" => s.name = t.text(node),
            "version" => s.version = t.text(node),
            "queue" => s.queue = t.text(node),
            "lifetime" => s.lifetime = t.long(node),
            "components" => {
                s.components = list(t, node, &format!("java.util.ArrayList<{RECORDS}Component>"), component)
            }
            "configuration" => s.configuration = configuration(t, node),
            "resource" => s.resource = resource(t, node),
            "artifact" => s.artifact = artifact(t, node),
            "dependencies" => s.dependencies = texts(t, node, TEXTS),
            "docker_client_config" => s.docker_client_config = t.text(node),
            "description" | "id" | "uri" => {
                t.text(node);
            }
            "launch_time" => t.date(node),
            "number_of_running_containers" => {
                t.long(node);
            }
            "state" => {
                t.one_of(node, &SERVICE_STATE);
            }
            "quicklinks" => {
                text_map(t, node);
            }
            "kerberos_principal" => {
                s.kerberos_principal = node.value != Value::Null;
                fields(t, node, "KerberosPrincipal", |t, Field { name, node, .. }| {
                    if ["principal_name", "keytab"].contains(&name.as_str()) {
                        t.text(node);
                    }
                    None
                });
            }
            _ => return None,
        }
        SERVICE_KEYS.iter().copied().find(|key| key == name)
    })?;
    Some(s)
}

const SERVICE_KEYS: [&str; 11] = [
    "name",
    "version",
    "queue",
    "lifetime",
    "components",
    "configuration",
    "resource",
    "artifact",
    "dependencies",
    "docker_client_config",
    "kerberos_principal",
];
/// Fields without an effect.
const OTHER_KEYS: [&str; 6] =
    ["description", "id", "launch_time", "number_of_running_containers", "state", "quicklinks"];
const COMPONENT_KEYS: [&str; 10] = [
    "name",
    "number_of_containers",
    "launch_command",
    "resource",
    "dependencies",
    "artifact",
    "configuration",
    "readiness_check",
    "placement_policy",
    "restart_policy",
];

fn list<T>(
    taker: &mut Taker,
    node: &Node,
    class: &str,
    mut item: impl FnMut(&mut Taker, &Node) -> Option<T>,
) -> Option<Vec<Option<T>>> {
    let items = taker.list(node, class)?;
    Some(items.iter().map(|one| item(taker, one)).collect())
}

fn texts(taker: &mut Taker, node: &Node, class: &str) -> Option<Vec<Option<String>>> {
    list(taker, node, class, Taker::text)
}

fn map<T>(
    taker: &mut Taker,
    node: &Node,
    class: &str,
    mut entry: impl FnMut(&mut Taker, &Node) -> T,
) -> Option<Vec<(String, T)>> {
    let mut out: Vec<(String, T)> = Vec::new();
    for field in taker.map(node, class)? {
        let value = entry(taker, &field.node);
        match out.iter_mut().find(|(name, _)| *name == field.name) {
            Some((_, old)) => *old = value,
            None => out.push((field.name.clone(), value)),
        }
    }
    Some(out)
}

fn text_map(taker: &mut Taker, node: &Node) -> Option<Vec<(String, Option<String>)>> {
    map(taker, node, TEXT_MAP, Taker::text)
}

fn component(taker: &mut Taker, node: &Node) -> Option<Component> {
    let mut c = Component {
        dependencies: Some(Vec::new()),
        configuration: Some(Configuration::empty()),
        restart_policy: Some("ALWAYS"),
        ..Component::default()
    };
    c.places = fields(taker, node, "Component", |t, Field { name, node, .. }| {
        match name.as_str() {
            "name" => c.name = t.text(node),
            "number_of_containers" => c.number_of_containers = t.long(node),
            "launch_command" => c.launch_command = t.text(node),
            "resource" => c.resource = resource(t, node),
            "dependencies" => c.dependencies = texts(t, node, TEXTS),
            "artifact" => c.artifact = artifact(t, node),
            "configuration" => c.configuration = configuration(t, node),
            "readiness_check" => c.readiness_check = readiness(t, node),
            "placement_policy" => c.placement_policy = policy(t, node),
            "restart_policy" => c.restart_policy = t.one_of(node, &RESTART),
            "decommissioned_instances" | "quicklinks" => {
                texts(t, node, TEXTS);
            }
            "run_privileged_container" => t.boolean(node),
            "state" => {
                t.one_of(node, &COMPONENT_STATE);
            }
            "containers" => {
                list(t, node, &format!("java.util.ArrayList<{RECORDS}Container>"), container);
            }
            _ => return None,
        }
        COMPONENT_KEYS.iter().copied().find(|key| key == name)
    })?;
    Some(c)
}

/// Reads a container as YARN writes it: none of it has an effect, but all of it has to be readable.
fn container(taker: &mut Taker, node: &Node) -> Option<()> {
    const PORTS: &str =
        "java.util.LinkedHashMap<java.lang.String,java.util.List<java.util.Map<java.lang.String,java.lang.String>>>";
    const PORTS_OF_ONE: &str = "java.util.ArrayList<java.util.Map<java.lang.String,java.lang.String>>";
    fields(taker, node, "Container", |t, Field { name, node, .. }| {
        match name.as_str() {
            "id" | "ip" | "hostname" | "bare_host" | "component_instance_name" => {
                t.text(node);
            }
            "launch_time" => t.date(node),
            "state" => {
                t.one_of(node, &CONTAINER_STATE);
            }
            "resource" => {
                resource(t, node);
            }
            "artifact" => {
                artifact(t, node);
            }
            "privileged_container" => t.boolean(node),
            "exposed_ports" => {
                map(t, node, PORTS, |t, ports| list(t, ports, PORTS_OF_ONE, text_map));
            }
            _ => {}
        }
        None
    })?;
    Some(())
}

fn resource(taker: &mut Taker, node: &Node) -> Option<Resource> {
    let mut r = Resource { cpus: Some(1), additional: Some(Vec::new()), ..Resource::default() };
    r.places = fields(taker, node, "Resource", |t, Field { name, node, .. }| match name.as_str() {
        "profile" => {
            r.profile = t.text(node);
            Some("profile")
        }
        "cpus" => {
            r.cpus = t.int(node);
            Some("cpus")
        }
        "memory" => {
            r.memory = t.text(node);
            Some("memory")
        }
        "additional" => {
            let class = format!("java.util.LinkedHashMap<java.lang.String,{RECORDS}ResourceInformation>");
            r.additional = map(t, node, &class, amount);
            Some("additional")
        }
        "uri" => {
            t.text(node);
            None
        }
        _ => None,
    })?;
    Some(r)
}

fn amount(taker: &mut Taker, node: &Node) -> Option<Amount> {
    let mut a = Amount::default();
    a.places = fields(taker, node, "ResourceInformation", |t, Field { name, node, .. }| match name.as_str() {
        "value" => {
            a.value = t.long(node);
            Some("value")
        }
        "unit" => {
            a.unit = t.text(node).unwrap_or_default();
            Some("unit")
        }
        "attributes" => {
            text_map(t, node);
            None
        }
        "tags" => {
            texts(t, node, "java.util.HashSet<java.lang.String>");
            None
        }
        _ => None,
    })?;
    Some(a)
}

fn artifact(taker: &mut Taker, node: &Node) -> Option<Artifact> {
    let mut a = Artifact { kind: Some("DOCKER"), ..Artifact::default() };
    a.places = fields(taker, node, "Artifact", |t, Field { name, node, .. }| match name.as_str() {
        "id" => {
            a.id = t.text(node);
            Some("id")
        }
        "type" => {
            a.kind = t.one_of(node, &ARTIFACT);
            Some("type")
        }
        "uri" => {
            t.text(node);
            None
        }
        _ => None,
    })?;
    Some(a)
}

fn configuration(taker: &mut Taker, node: &Node) -> Option<Configuration> {
    let mut c = Configuration::empty();
    c.places = fields(taker, node, "Configuration", |t, Field { name, node, .. }| match name.as_str() {
        "properties" => {
            c.properties = text_map(t, node);
            Some("properties")
        }
        "env" => {
            c.env = text_map(t, node);
            Some("env")
        }
        "files" => {
            c.files = list(t, node, &format!("java.util.ArrayList<{RECORDS}ConfigFile>"), config_file);
            Some("files")
        }
        _ => None,
    })?;
    Some(c)
}

fn config_file(taker: &mut Taker, node: &Node) -> Option<ConfigFile> {
    let mut f = ConfigFile { properties: Some(Vec::new()), ..ConfigFile::default() };
    f.places = fields(taker, node, "ConfigFile", |t, Field { name, node, .. }| match name.as_str() {
        "type" => {
            f.kind = t.one_of(node, &FILE);
            Some("type")
        }
        "dest_file" => {
            f.dest_file = t.text(node);
            Some("dest_file")
        }
        "src_file" => {
            f.src_file = t.text(node);
            Some("src_file")
        }
        "properties" => {
            f.properties = text_map(t, node);
            Some("properties")
        }
        "visibility" => {
            t.one_of(node, &VISIBILITY);
            None
        }
        _ => None,
    })?;
    Some(f)
}

fn readiness(taker: &mut Taker, node: &Node) -> Option<ReadinessCheck> {
    let mut r = ReadinessCheck { properties: Some(Vec::new()), ..ReadinessCheck::default() };
    r.places = fields(taker, node, "ReadinessCheck", |t, Field { name, node, .. }| match name.as_str() {
        "type" => {
            r.kind = t.one_of(node, &READINESS);
            Some("type")
        }
        "properties" => {
            r.properties = text_map(t, node);
            Some("properties")
        }
        "artifact" => {
            artifact(t, node);
            None
        }
        _ => None,
    })?;
    Some(r)
}

fn policy(taker: &mut Taker, node: &Node) -> Option<Policy> {
    let mut p = Policy { constraints: Some(Vec::new()), ..Policy::default() };
    p.places = fields(taker, node, "PlacementPolicy", |t, Field { name, node, .. }| match name.as_str() {
        "constraints" => {
            let class = format!("java.util.ArrayList<{RECORDS}PlacementConstraint>");
            p.constraints = list(t, node, &class, policy_constraint);
            Some("constraints")
        }
        _ => None,
    })?;
    Some(p)
}

fn policy_constraint(taker: &mut Taker, node: &Node) -> Option<PolicyConstraint> {
    let mut c = ServiceConstraint::default();
    let places = fields(taker, node, "PlacementConstraint", |t, Field { name, node, .. }| match name.as_str() {
        "name" => {
            c.name = t.text(node);
            Some("name")
        }
        "type" => {
            c.kind = t.one_of(node, &TYPE).and_then(PolicyType::named);
            Some("type")
        }
        "scope" => {
            c.scope = t.one_of(node, &SCOPE).and_then(PolicyScope::named);
            Some("scope")
        }
        "target_tags" => {
            c.target_tags = texts(t, node, TEXTS);
            Some("target_tags")
        }
        "node_attributes" => {
            let class = format!("java.util.LinkedHashMap<java.lang.String,{TEXTS}>").replace("ArrayList", "List");
            let entries = map(t, node, &class, |t, node| texts(t, node, TEXTS));
            c.node_attributes = entries.map(|all| all.into_iter().collect());
            Some("node_attributes")
        }
        "node_partitions" => {
            c.node_partitions = texts(t, node, TEXTS);
            Some("node_partitions")
        }
        "min_cardinality" => {
            c.min_cardinality = t.long(node);
            Some("min_cardinality")
        }
        "max_cardinality" => {
            c.max_cardinality = t.long(node);
            Some("max_cardinality")
        }
        _ => None,
    })?;
    Some(PolicyConstraint { constraint: c, places })
}
