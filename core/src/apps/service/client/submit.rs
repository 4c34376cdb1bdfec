//! ServiceClient.submitApp: the submission of a checked service.

use super::{Configuration, Service, ServiceClientFault, Site, too_large};
use crate::api::{ClientStage, Submitted};
use crate::client::java;

/// The default memory of the ApplicationMaster (`yarn.service.am-resource.memory`), in MB.
pub const AM_MB: i64 = 1024;
/// The default number of attempts of the ApplicationMaster (`yarn.service.am-restart.max-attempts`).
pub const ATTEMPTS: i32 = 20;
/// Properties that the client reads, first from the service's own configuration.
const AM_MEMORY: &str = "yarn.service.am-resource.memory";
const MAX_ATTEMPTS: &str = "yarn.service.am-restart.max-attempts";
const VALIDITY: &str = "yarn.service.am-failure.validity-interval-ms";
const JVM_OPTS: &str = "yarn.service.am.java.opts";
const QUEUE: &str = "yarn.service.queue";
/// The heap of the ApplicationMaster's process.
const HEAP: &str = "-Xmx768m";

/// Returns the submission of a checked service, and the heap of its ApplicationMaster (`-Xmx…`).
pub fn submission(service: &Service, site: &Site) -> Result<(Submitted, String), Box<ServiceClientFault>> {
    let name = service.name.clone().unwrap_or_default();
    if site.saved.iter().any(|(saved, _)| *saved == name) {
        let words = format!("Service Instance dir already exists: hdfs://nn/user/me/.yarn/services/{name}/{name}.json");
        let mut fault =
            ServiceClientFault::new(ClientStage::Submit, "SliderException", words, service.places.of("name"));
        fault.refusal.definition_left = true;
        return Err(Box::new(
            fault.mend(format!("Destroy {name} first (`yarn app -destroy {name}`), or rename this one.")),
        ));
    }
    for component in service.components() {
        let Some(resource) = &component.resource else { continue };
        let text = resource.memory.as_deref().unwrap_or_default();
        let at = resource.places.of("memory");
        let memory = java::long(text).map_err(|text| {
            not_a_number(text, at, &format!("Write the memory as a number of MB without a unit{}.", in_mb(text)))
        })?;
        let cpus = i64::from(resource.cpus.unwrap_or(0));
        let shown = component.name.as_deref().unwrap_or_default();
        if let Some(refusal) = site.maximum.and_then(|maximum| too_large(shown, memory, cpus, maximum)) {
            return Err(Box::new(ServiceClientFault { refusal, at }));
        }
    }
    let Settings { memory, attempts, validity_ms, heap } = settings(service.configuration.as_ref(), site)?;
    let queue = match service.queue.as_deref().filter(|queue| !queue.is_empty()) {
        Some(queue) => queue.to_string(),
        None => queue(site),
    };
    let submitted = Submitted {
        tags: vec![tag(&name)],
        name,
        kind: "yarn-service".into(),
        queue: Some(queue),
        priority: None,
        label: None,
        am: (memory, 1),
        max_attempts: attempts,
        keep_containers: true,
        attempt_failures_validity_ms: validity_ms,
        lifetime_s: service.lifetime.filter(|s| *s > 0),
    };
    if !service.kerberos_principal {
        // The client has submitted by then, and throws on its own record of the principal.
        let mut fault = ServiceClientFault::new(
            ClientStage::Submit,
            "NullPointerException",
            "",
            service.places.of("kerberos_principal"),
        );
        fault.refusal.definition_left = true;
        return Err(Box::new(fault.mend("`kerberos_principal` is null: leave it out.")));
    }
    Ok((submitted, heap))
}

/// Returns the queue of a service that names none.
pub fn queue(site: &Site) -> String {
    site.conf.get(QUEUE).cloned().unwrap_or_else(|| "default".into())
}

/// The ApplicationMaster's settings in a service's own properties, or in those of yarn-site.xml.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The memory in MB.
    pub memory: i64,
    /// The number of attempts; 0 and less: the cluster's limit.
    pub attempts: i32,
    /// The window of failures; −1: every failure counts.
    pub validity_ms: i64,
    /// `-Xmx…` of its process.
    pub heap: String,
}

/// Reads the settings, in the client's order. Errors: a value is not a number, or the options contain a forbidden character.
pub fn settings(own: Option<&Configuration>, site: &Site) -> Result<Settings, Box<ServiceClientFault>> {
    let at = own.and_then(|c| c.places.of("properties"));
    let number = |name: &str, otherwise: i64, int: bool| -> Result<i64, Box<ServiceClientFault>> {
        let fail = |text: &str| not_a_number(text, at, &format!("Write {name} as a whole number."));
        // The default is read first, whether it is needed or not.
        let otherwise = match site.conf.get(name) {
            Some(text) if int => java::conf_int(text).map(i64::from).map_err(fail)?,
            Some(text) => java::conf_long(text).map_err(fail)?,
            None => otherwise,
        };
        match own.and_then(|c| c.property(name)) {
            Some(text) if int => java::int(text).map(i64::from).map_err(fail),
            Some(text) => java::long(text).map_err(fail),
            None => Ok(otherwise),
        }
    };
    let attempts = number(MAX_ATTEMPTS, ATTEMPTS.into(), true)?;
    let validity_ms = number(VALIDITY, -1, false)?;
    let heap = heap(own, site).map_err(|()| {
        let words = "Invalid character in yarn.service.am.java.opts.";
        let mut fault = ServiceClientFault::new(ClientStage::Submit, "IllegalArgumentException", words, at);
        fault.refusal.definition_left = true;
        Box::new(fault.mend("Leave these out: ! ~ # ? @ * & % $ { } ( ) < > [ ] | \" , ` ;"))
    })?;
    let memory = number(AM_MEMORY, AM_MB, false)?;
    Ok(Settings { memory, attempts: i32::try_from(attempts).unwrap_or(i32::MAX), validity_ms, heap })
}

/// Returns the tag of a service's application; YARN's record converts it to lower case.
pub fn tag(name: &str) -> String {
    format!("name: {}", name.to_lowercase())
}

/// Returns a NumberFormatException after the definition was saved; the definition stays.
fn not_a_number(text: &str, at: Option<crate::model::Span>, mend: &str) -> Box<ServiceClientFault> {
    let words = format!("For input string: \"{text}\"");
    let mut fault = ServiceClientFault::new(ClientStage::Submit, "NumberFormatException", words, at);
    fault.refusal.definition_left = true;
    Box::new(fault.mend(mend))
}

/// Returns ", such as 2048" for "2 GB".
fn in_mb(text: &str) -> String {
    let digits = text.trim().trim_end_matches(|c: char| c.is_ascii_alphabetic()).trim_end();
    let factor = match text.trim().get(digits.len()..).map(|u| u.trim().to_ascii_lowercase()).as_deref() {
        Some("g" | "gb" | "gi" | "gib") => 1024,
        Some("m" | "mb" | "mi" | "mib") => 1,
        Some("t" | "tb" | "ti" | "tib") => 1024 * 1024,
        _ => return String::new(),
    };
    let amount = digits.parse::<i64>().ok().and_then(|n| n.checked_mul(factor));
    amount.map_or(String::new(), |mb| format!(": {mb}"))
}

/// Returns the heap of the ApplicationMaster. Errors: the options have characters that a shell may interpret.
fn heap(own: Option<&Configuration>, site: &Site) -> Result<String, ()> {
    let opts = own.and_then(|c| c.property(JVM_OPTS)).or_else(|| site.conf.get(JVM_OPTS).map(String::as_str));
    let opts = opts.unwrap_or_default();
    if opts.contains(|c: char| "!~#?@*&%${}()<>[]|\",`;".contains(c)) {
        return Err(());
    }
    let first = opts.find("-Xmx").and_then(|at| opts[at..].split_whitespace().next()).filter(|h| h.len() > 4);
    Ok(match (opts.contains("-Xmx"), first) {
        (true, Some(heap)) => heap.to_string(),
        (true, None) => String::new(),
        (false, _) => HEAP.to_string(),
    })
}
