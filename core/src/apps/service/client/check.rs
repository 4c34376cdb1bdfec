//! ServiceApiUtil.validateAndResolveService: its checks in their order and with their messages, and the defaults that it fills
//! in.

use super::{
    Artifact, Component, ConfigFile, Configuration, Places, ReadinessCheck, Resource, Service, ServiceClientFault, Site,
};
use crate::api::{ClientRefusal, ClientStage};
use crate::apps::service::strategy::plan::{ComponentSpec, by_dependencies};
use crate::client::java;
use crate::client::path::{Hadoop, Path};
use crate::model::Span;
use crate::model::java::{hash_walk_in, string_hash, table_capacity};

/// The longest label of a host name (RFC 1035).
const LABEL: usize = 63;
/// The longest name of a component with registry DNS: instances get a number after it.
const COMPONENT: usize = LABEL - 19;
const NAME_PATTERN: &str = "[a-z][a-z0-9-]*";
const NAME_MEND: &str = "Use lower case letters, digits and `-`, beginning with a letter.";

type At = Option<Span>;

/// Checks a service as `user` submits it, and fills in what its components take from it and from saved services. Returns all
/// faults in the order of the client's checks; the client reports only the first. Each component is checked up to its own first
/// fault.
pub fn check(service: &mut Service, user: &str, site: &Site) -> Vec<ServiceClientFault> {
    let mut faults = Vec::new();
    if site.dns {
        faults.extend(user_fault(user));
    }
    let places = service.places.clone();
    let name = service.name.clone().unwrap_or_default();
    if name.is_empty() {
        let fault = ServiceClientFault::illegal("Service name is either empty or not provided", places.of("name"));
        faults.push(fault.mend("Add \"name\": \"…\", or give a name on the command line."));
    }
    if service.version.as_deref().unwrap_or_default().is_empty() {
        let words = format!("Version of service {} is either empty or not provided", java::text(&service.name));
        faults.push(ServiceClientFault::illegal(words, places.of("version")).mend("Add \"version\": \"1.0.0\"."));
    }
    if !name.is_empty() {
        faults.extend(name_fault(&name, site.dns).map(|refusal| ServiceClientFault { refusal, at: places.of("name") }));
    }
    if service.components.as_ref().is_none_or(Vec::is_empty) {
        let fault = ServiceClientFault::illegal(
            format!("No component specified for {}", java::text(&service.name)),
            places.of("components"),
        );
        faults.push(fault.mend("Add \"components\": [{ \"name\": …, \"number_of_containers\": … }]."));
        return faults;
    }
    if let Some(path) = service.docker_client_config.as_deref().filter(|path| !path.is_empty()) {
        faults.extend(
            docker_config(path, site).err().map(|words| {
                ServiceClientFault::illegal(words, places.of("docker_client_config")).mend("Copy it there.")
            }),
        );
    }
    let before = faults.len();
    let names = resolve(service, &name, site, &mut faults);
    if faults.len() > before {
        return faults;
    }
    let (artifact, resource) = (service.artifact.clone(), service.resource.clone());
    let mut known = Vec::new();
    for component in service.components.iter_mut().flatten().flatten() {
        if component.artifact.is_none() && artifact.as_ref().is_some_and(|a| a.kind != Some("SERVICE")) {
            component.artifact = artifact.clone();
        }
        if component.resource.is_none() {
            component.resource = resource.clone();
        }
        if let Err(fault) = one(component, &names, site) {
            faults.push(*fault);
        }
        known.push(ComponentSpec {
            name: component.name.clone().unwrap_or_default(),
            dependencies: component.dependencies.iter().flatten().flatten().cloned().collect(),
            ..ComponentSpec::default()
        });
    }
    for component in service.components() {
        if let Err(fault) = policy(component) {
            faults.push(*fault);
        }
    }
    if faults.is_empty() && known.is_empty() {
        let fault = ServiceClientFault::illegal("Invalid dependencies, a cycle may exist: []", places.of("components"));
        faults.push(fault.mend("The saved services have no components: write one here."));
    }
    if let (true, Err(stuck)) = (faults.is_empty(), by_dependencies(&known)) {
        let first = service.components().find(|c| stuck.first() == c.name.as_ref());
        let at = first.and_then(|c| c.places.of("dependencies"));
        let fault = ServiceClientFault::illegal("Invalid dependencies, a cycle may exist: [class Component {", at);
        let stuck = stuck.join(", ");
        faults.push(fault.mend(format!("These components wait for each other: {stuck}. Take one dependency out.")));
    }
    if service.lifetime.is_none() {
        service.lifetime = Some(-1);
    }
    faults
}

/// Checks a user's name, which is a label of a host name with registry DNS.
fn user_fault(user: &str) -> Option<ServiceClientFault> {
    let bare = user.split('@').next().filter(|u| !u.is_empty()).unwrap_or(user).to_lowercase().replace('_', "-");
    if bare.chars().count() > LABEL {
        let fault = ServiceClientFault::illegal("The label in the input is too long", None);
        return Some(fault.mend(format!("The name of the user has at most {LABEL} letters.")));
    }
    // Other letters are encoded as xn--….
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '.';
    let fits = !bare.is_ascii() || (bare.starts_with(|c: char| c.is_ascii_lowercase()) && bare.chars().all(plain));
    (!fits).then(|| {
        let words = format!("Invalid name {bare} does not match the pattern [a-z][a-z0-9-.]*");
        ServiceClientFault::illegal(words, None).mend("Submit it as a user whose name begins with a letter.")
    })
}

/// Returns why a service or a component cannot have a name (validateNameFormat).
fn name_fault(name: &str, dns: bool) -> Option<ClientRefusal> {
    let (words, mend) = if name.is_empty() {
        ("Name can not be empty!".to_string(), "Give it a name.".to_string())
    } else if name.contains('_') {
        let words =
            format!("Invalid format: {name}, can not use '_', as DNS hostname does not allow '_'. Use '-' Instead.");
        (words, NAME_MEND.to_string())
    } else if dns && name.chars().count() > LABEL {
        let words = format!("Invalid format {name}, must be no more than {LABEL} characters");
        (words, format!("Shorten it to {LABEL} letters, or set hadoop.registry.dns.enabled to false."))
    } else {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(plain) {
            return None;
        }
        (format!("Invalid name {name} does not match the pattern {NAME_PATTERN}"), NAME_MEND.to_string())
    };
    let line = words.lines().next().unwrap_or_default().trim();
    Some(ClientRefusal::new(ClientStage::Check, "IllegalArgumentException", line).mend(mend))
}

/// Checks for names that collide, adds components of saved services, and gives components the service's configuration. Returns
/// all names.
fn resolve(
    service: &mut Service,
    name: &str,
    site: &Site,
    faults: &mut Vec<ServiceClientFault>,
) -> Vec<Option<String>> {
    let global = service.configuration.clone();
    let mut names: Vec<Option<String>> = Vec::new();
    let mut added: Vec<Component> = Vec::new();
    let mut removed = Vec::new();
    let mut components = service.components.take().unwrap_or_default();
    for i in 0..components.len() {
        let Some(component) = components[i].as_mut() else {
            faults.push(
                ServiceClientFault::null(service.places.of("components")).mend("A component is null: leave it out."),
            );
            continue;
        };
        let at = component.places.of("name");
        let this = component.name.clone();
        if site.dns {
            match &this {
                None => {
                    faults.push(ServiceClientFault::null(at).mend("Give the component a name."));
                    continue;
                }
                Some(this) if this.chars().count() > COMPONENT => {
                    let words = format!("Component name must be no more than {COMPONENT} characters: {this}");
                    faults.push(ServiceClientFault::illegal(words, at).mend("Shorten it."));
                    continue;
                }
                Some(_) => {}
            }
        }
        if this.as_deref() == Some(name) && !name.is_empty() {
            let words = format!("Component name {name} must not be same as service name {name}");
            faults.push(ServiceClientFault::illegal(words, at).mend("Rename the component or the service."));
            continue;
        }
        if names.contains(&this) {
            faults.push(collision(&this, at));
            continue;
        }
        let outer = component.artifact.as_ref().filter(|a| a.kind == Some("SERVICE")).cloned();
        let Some(artifact) = outer else {
            names.push(this);
            if let Err(fault) = merge(component.configuration.as_mut(), global.as_ref(), component.places.at) {
                faults.push(*fault);
            }
            continue;
        };
        removed.push(i);
        match external(&artifact, site) {
            Err(fault) => faults.push(*fault),
            Ok(found) => {
                for one in found {
                    // Service.getComponent throws at a component without a name before it finds the right one.
                    let twin = components.iter_mut().flatten().find(|c| c.name.is_none() || c.name == one.name);
                    match twin {
                        Some(nameless) if nameless.name.is_none() => {
                            faults
                                .push(ServiceClientFault::null(nameless.places.at).mend("Give the component a name."));
                        }
                        Some(own) if own.artifact.is_none() => own.merge_from(one),
                        _ if names.contains(&one.name) => faults.push(collision(&one.name, at)),
                        _ => {
                            names.push(one.name.clone());
                            added.push(one);
                        }
                    }
                }
            }
        }
    }
    let mut place = 0;
    components.retain(|_| {
        place += 1;
        !removed.contains(&(place - 1))
    });
    components.extend(added.into_iter().map(Some));
    service.components = Some(components);
    names
}

fn collision(name: &Option<String>, at: At) -> ServiceClientFault {
    let words = format!("Component name collision: {}", java::text(name));
    ServiceClientFault::illegal(words.trim_end(), at).mend("Rename one of the two components.")
}

/// Checks the file with a Docker client's configuration. Errors: the client's message.
fn docker_config(text: &str, site: &Site) -> Result<(), String> {
    let path = Path::new(text, Hadoop::Three)?;
    // A host without a scheme belongs to no file system.
    let scheme = path.scheme.as_deref().or(path.authority.as_ref().map(|_| "null"));
    if let Some(scheme) = scheme.filter(|scheme| site.lacks_file_system(scheme)) {
        let words = "org.apache.hadoop.fs.UnsupportedFileSystemException: No FileSystem for scheme";
        return Err(format!("{words} \"{scheme}\""));
    }
    match site.has(&path) {
        true => Ok(()),
        false => Err(format!("java.io.IOException: The supplied Docker client config does not exist: {text}")),
    }
}

/// Returns the components of a saved service.
fn external(artifact: &Artifact, site: &Site) -> Result<Vec<Component>, Box<ServiceClientFault>> {
    let at = artifact.places.of("id");
    let Some(id) = artifact.id.as_deref().filter(|id| !id.is_empty()) else {
        let words = "Artifact id (like docker image name) is either empty or not provided";
        return Err(Box::new(ServiceClientFault::illegal(words, at).mend("Name the saved service.")));
    };
    let path = |text: String| {
        let no_path = |words| Box::new(ServiceClientFault::illegal(words, at).mend("Name a saved service."));
        Path::new(&text, Hadoop::Three).map_err(no_path)
    };
    let file = path(format!("hdfs://nn/user/me/.yarn/services/{id}"))?.child(&path(format!("{id}.json"))?);
    let Some((_, text)) = site.saved.iter().find(|(name, _)| name == id) else {
        let words = format!("File {file} does not exist");
        let fault = ServiceClientFault::new(ClientStage::Check, "FileNotFoundException", words, at);
        let mend = format!("Save a service called {id} first, or write its components here.");
        return Err(Box::new(fault.mend(mend)));
    };
    let (read, faults) = super::read(text);
    match (faults.into_iter().next(), read) {
        (Some(fault), _) => {
            let refusal = ClientRefusal { stage: ClientStage::Check, ..fault.refusal };
            Err(Box::new(ServiceClientFault { refusal, at }))
        }
        (None, Some(read)) => Ok(read.components.unwrap_or_default().into_iter().flatten().collect()),
        (None, None) => Err(Box::new(ServiceClientFault::null(at))),
    }
}

impl Component {
    /// Takes missing values from another component (Component.mergeFrom).
    fn merge_from(&mut self, other: Component) {
        self.artifact = self.artifact.take().or(other.artifact);
        self.resource = self.resource.take().or(other.resource);
        self.number_of_containers = self.number_of_containers.or(other.number_of_containers);
        self.launch_command = self.launch_command.take().or(other.launch_command);
        self.dependencies = self.dependencies.take().or(other.dependencies);
        self.placement_policy = self.placement_policy.take().or(other.placement_policy);
        self.readiness_check = self.readiness_check.take().or(other.readiness_check);
        let _ = merge(self.configuration.as_mut(), other.configuration.as_ref(), None);
    }
}

type Entries = Option<Vec<(String, Option<String>)>>;

/// Adds missing entries (Configuration.mergeFrom).
fn merge(
    own: Option<&mut Configuration>,
    other: Option<&Configuration>,
    at: At,
) -> Result<(), Box<ServiceClientFault>> {
    let null = || Box::new(ServiceClientFault::null(at).mend("`configuration` is null: leave it out."));
    let (Some(own), Some(other)) = (own, other) else { return Err(null()) };
    let maps = |own: &mut Entries, other: &Entries| -> Result<(), Box<ServiceClientFault>> {
        let fault = |which: &str| Box::new(ServiceClientFault::illegal(format!("Null '{which}' value"), at));
        let own = own.as_mut().ok_or_else(|| fault("first"))?;
        for (key, value) in other.as_ref().ok_or_else(|| fault("second"))? {
            if own.iter().all(|(known, _)| known != key) {
                own.push((key.clone(), value.clone()));
            }
        }
        Ok(())
    };
    maps(&mut own.properties, &other.properties)?;
    maps(&mut own.env, &other.env)?;
    let (mine, theirs) = (own.files.as_mut().ok_or_else(null)?, other.files.as_ref().ok_or_else(null)?);
    let mut left: Vec<ConfigFile> = Vec::new();
    for file in theirs {
        let file = file.as_ref().ok_or_else(null)?;
        // The copy of a file has properties.
        let mut file = file.clone();
        file.properties.get_or_insert_default();
        left.retain(|f| f.dest_file != file.dest_file);
        left.push(file);
    }
    let capacity = table_capacity(left.len());
    for file in mine.iter_mut() {
        let file = file.as_mut().ok_or_else(null)?;
        if let Some(i) = left.iter().position(|f| f.dest_file == file.dest_file) {
            maps(&mut file.properties, &left.remove(i).properties)?;
        }
    }
    // The remaining files come in the order of a HashMap, in which the hash of null is 0.
    let hashes: Vec<i32> = left.iter().map(|f| f.dest_file.as_deref().map_or(0, string_hash)).collect();
    mine.extend(hash_walk_in(&hashes, capacity).into_iter().map(|i| left.get(i).cloned()));
    Ok(())
}

/// Checks a component's dependencies, and makes the checks of validateComponent.
fn one(component: &Component, names: &[Option<String>], site: &Site) -> Result<(), Box<ServiceClientFault>> {
    let places = &component.places;
    let fail = |fault: ServiceClientFault| Err(Box::new(fault));
    let shown = java::text(&component.name);
    for dependency in component.dependencies.iter().flatten() {
        if !names.contains(dependency) {
            let words = format!(
                "Dependency {} for component {shown} is invalid, does not exist as a component",
                java::text(dependency)
            );
            return fail(
                ServiceClientFault::illegal(words, places.of("dependencies")).mend("Name a component of this service."),
            );
        }
    }
    let name = component.name.as_deref().unwrap_or_default();
    if let Some(refusal) = name_fault(name, site.dns) {
        return fail(ServiceClientFault { refusal, at: places.of("name") });
    }
    let kind = component.artifact.as_ref().and_then(|a| a.kind);
    // ProviderFactory: neither SERVICE nor a missing artifact has a provider of its own.
    if let (Some(artifact), Some(which @ ("DOCKER" | "TARBALL"))) = (&component.artifact, kind) {
        let at = artifact.places.of("id");
        let Some(id) = artifact.id.as_deref().filter(|id| !id.is_empty()) else {
            let words = format!(
                "Artifact id (like docker image name) is either empty or not provided for component {name} (nor at the global level)"
            );
            return fail(ServiceClientFault::illegal(words, at).mend("Add \"id\" to the artifact."));
        };
        if which == "TARBALL" {
            let path = Path::new(id, Hadoop::Three).map_err(|words| {
                Box::new(ServiceClientFault::illegal(words, at).mend("Write the path of the archive."))
            })?;
            if !site.has(&path) {
                let words = format!("For component {name} with TARBALL artifact, path does not exist: {id}");
                return fail(ServiceClientFault::illegal(words, at).mend("Copy the archive there."));
            }
        }
    }
    if component.launch_command.is_none() && kind != Some("DOCKER") {
        let fault = ServiceClientFault::illegal(
            "launch_command is required when type is not DOCKER",
            places.of("launch_command"),
        );
        return fail(fault.mend(format!("Add \"launch_command\" to {name}, or an artifact of type DOCKER.")));
    }
    resource(component.resource.as_ref(), name, places)?;
    match component.number_of_containers {
        Some(0..) => {}
        count => {
            let count = count.map_or_else(|| "null".to_string(), |n| n.to_string());
            let words =
                format!("Invalid no of containers specified for component {name} (nor at the global level): {count}");
            let fault = ServiceClientFault::illegal(words, places.of("number_of_containers"));
            return fail(fault.mend("Add \"number_of_containers\": 0 or more."));
        }
    }
    files(component, name, kind, site)?;
    component.readiness_check.as_ref().map_or(Ok(()), readiness)
}

/// Makes the checks of validateServiceResource.
fn resource(resource: Option<&Resource>, name: &str, places: &Places) -> Result<(), Box<ServiceClientFault>> {
    let fail = |words: String, at: At, mend: &str| Err(Box::new(ServiceClientFault::illegal(words, at).mend(mend)));
    let full = "Add \"resource\": { \"cpus\": 1, \"memory\": \"1024\" }.";
    let nor = format!("for component {name} (nor at the global level)");
    let Some(r) = resource else {
        return fail(format!("Resource is not provided {nor}"), places.of("resource"), full);
    };
    let memory = r.memory.as_deref().filter(|m| !m.is_empty());
    if r.profile.as_deref().is_some_and(|p| !p.is_empty()) {
        let at = r.places.of("profile");
        let mend = "Leave `profile` out and give cpus and memory.";
        return match r.cpus.is_some() || memory.is_some() {
            true => fail(format!("Cannot specify cpus/memory along with profile for component {name}"), at, mend),
            false => fail("Resource profile is not supported yet. Please specify cpus/memory.".into(), at, mend),
        };
    }
    if memory.is_none() {
        let mend = "Add \"memory\" to the resource: a number of MB without a unit.";
        return fail(format!("Service resource or memory not provided {nor}"), r.places.of("memory"), mend);
    }
    match r.cpus {
        None => fail(format!("Service resource or cpus not provided {nor}"), r.places.of("cpus"), "Write 1 or more."),
        Some(1..) => Ok(()),
        Some(_) => {
            let words = format!(
                "Unacceptable no of cpus specified, either zero or negative for component {name} (or at the global level)"
            );
            fail(words, r.places.of("cpus"), "Write 1 or more.")
        }
    }
}

/// Makes the checks of AbstractClientProvider.validateConfigFiles.
fn files(component: &Component, name: &str, kind: Option<&str>, site: &Site) -> Result<(), Box<ServiceClientFault>> {
    let at = component.places.of("configuration");
    let null = || Box::new(ServiceClientFault::null(at));
    let all = component.configuration.as_ref().ok_or_else(null)?.files.as_ref().ok_or_else(null)?;
    let mut seen: Vec<&str> = Vec::new();
    for file in all {
        let file = file.as_ref().ok_or_else(null)?;
        let fail = |fault: ServiceClientFault| Err(Box::new(fault));
        let Some(of) = file.kind else {
            return fail(
                ServiceClientFault::illegal("File type is empty", file.places.at)
                    .mend("Add a \"type\", such as TEMPLATE."),
            );
        };
        let source = file.src_file.as_deref().filter(|s| !s.is_empty());
        let at = file.places.of("src_file");
        let path = || source.map(|source| Path::new(source, Hadoop::Three)).transpose();
        let path = || {
            path().map_err(|words| Box::new(ServiceClientFault::illegal(words, at).mend("Write the path of the file.")))
        };
        let properties = file.properties.as_ref();
        match of {
            "TEMPLATE" => {
                let content = || properties.map(|p| p.iter().any(|(key, _)| key == "content"));
                if source.is_none() && !content().ok_or_else(null)? {
                    let words = "For TEMPLATE format, either src_file must be specified in ConfigFile, or the \"content\" key must be specified in the properties field of ConfigFile.";
                    return fail(
                        ServiceClientFault::illegal(words, file.places.at).mend("Add src_file or properties.content."),
                    );
                }
            }
            "STATIC" | "ARCHIVE" => {
                if !properties.ok_or_else(null)?.is_empty() {
                    let words = format!("For {of} format, should not specify any 'properties.'");
                    return fail(
                        ServiceClientFault::illegal(words, file.places.of("properties"))
                            .mend("Leave `properties` out."),
                    );
                }
                let (Some(source), Some(path)) = (source, path()?) else {
                    let words = format!("For {of} format, should make sure that srcFile is specified");
                    return fail(ServiceClientFault::illegal(words, file.places.at).mend("Add src_file."));
                };
                if !site.has(&path) {
                    let words = format!("File {path} does not exist");
                    let fault = ServiceClientFault::new(ClientStage::Check, "FileNotFoundException", words, at);
                    return fail(fault.mend("Copy the file there."));
                }
                if site.is_folder(&path) {
                    let words = format!("srcFile={source} is a directory, which is not supported.");
                    return fail(ServiceClientFault::illegal(words, at).mend("Name a file."));
                }
            }
            _ => {}
        }
        if let (Some(source), Some(path)) = (source, path()?)
            && !site.has(&path)
        {
            let words = format!("Specified src_file does not exist on hdfs: {source}");
            return fail(ServiceClientFault::illegal(words, at).mend("Copy the file there."));
        }
        let Some(dest) = file.dest_file.as_deref().filter(|d| !d.is_empty()) else {
            return fail(ServiceClientFault::illegal("dest_file is empty.", file.places.at).mend("Add dest_file."));
        };
        let at = file.places.of("dest_file");
        if seen.contains(&dest) {
            return fail(
                ServiceClientFault::illegal(format!("Duplicated ConfigFile exists: {dest}"), at)
                    .mend("Rename one of them."),
            );
        }
        seen.push(dest);
        if dest.contains('\0') {
            let words = format!("Nul character not allowed: {dest}");
            return fail(ServiceClientFault::new(ClientStage::Check, "InvalidPathException", words, at));
        }
        let absolute = dest.starts_with('/');
        if !absolute && dest.split('/').filter(|part| !part.is_empty()).count() > 1 {
            let fault = ServiceClientFault::illegal("Non-absolute dest_file has more than one path element", at);
            return fail(fault.mend("Write a name without a folder."));
        }
        if absolute && kind != Some("DOCKER") {
            let which = if kind == Some("TARBALL") { "TARBALL" } else { "no" };
            let words =
                format!("For component {name} with {which} artifact, dest_file must be a relative path: {dest}");
            return fail(ServiceClientFault::illegal(words, at).mend("Write a name without a folder."));
        }
    }
    Ok(())
}

/// Makes the checks of MonitorUtils.getProbe: a readiness check that cannot be created.
fn readiness(check: &ReadinessCheck) -> Result<(), Box<ServiceClientFault>> {
    let at = check.places.of("properties");
    let fail = |why: String, mend: &str| {
        Err(Box::new(ServiceClientFault::illegal(format!("Error creating readiness check {why}"), at).mend(mend)))
    };
    let Some(properties) = &check.properties else {
        let why =
            "java.lang.NullPointerException: Cannot invoke \"java.util.Map.get(Object)\" because \"props\" is null";
        return fail(why.to_string(), "`properties` is null: leave it out.");
    };
    let value = |name: &str| {
        let found = properties.iter().find(|(key, _)| key == name);
        found.and_then(|(_, value)| value.as_deref()).filter(|value| !value.is_empty())
    };
    let number = |name: &str| match value(name).map(java::int) {
        Some(Err(text)) => Err(format!("java.lang.NumberFormatException: For input string: \"{text}\"")),
        Some(Ok(n)) => Ok(Some(n)),
        None => Ok(None),
    };
    let whole = "Write a whole number.";
    match check.kind {
        Some("HTTP") => {
            let Some(url) = value("url") else {
                return fail("java.io.IOException: url not specified".into(), "Add \"url\" to its properties.");
            };
            if let Some(why) = java::malformed_url(url) {
                let mend = "Write it as http://host:port/path.";
                return fail(format!("java.net.MalformedURLException: {why}"), mend);
            }
            for name in ["timeout", "min.success", "max.success"] {
                if let Err(why) = number(name) {
                    return fail(why, whole);
                }
            }
        }
        Some("PORT") => {
            match number("port") {
                Err(why) => return fail(why, whole),
                Ok(None) => {
                    return fail("java.io.IOException: port not specified".into(), "Add \"port\" to its properties.");
                }
                Ok(Some(65_536..)) => {
                    let port = value("port").unwrap_or_default().trim_start_matches(['+', '0']);
                    return fail(format!("java.io.IOException: port {port} is out of range"), "Write 65535 or less.");
                }
                Ok(Some(_)) => {}
            }
            if let Err(why) = number("timeout") {
                return fail(why, whole);
            }
        }
        _ => {}
    }
    Ok(())
}

/// Makes the checks of validatePlacementPolicy for one component.
fn policy(component: &Component) -> Result<(), Box<ServiceClientFault>> {
    let Some(policy) = &component.placement_policy else { return Ok(()) };
    let null = |at: At| Box::new(ServiceClientFault::null(at).mend("It is null: leave it out."));
    for one in policy.constraints.as_ref().ok_or_else(|| null(policy.places.of("constraints")))? {
        let one = one.as_ref().ok_or_else(|| null(policy.places.of("constraints")))?;
        if let Err(fault) = one.constraint.validate() {
            let words = one.constraint.words(fault, &java::text(&component.name));
            let mend = match fault {
                crate::apps::service::constraint::PolicyError::TypeMissing => {
                    "Add \"type\": AFFINITY, ANTI_AFFINITY or AFFINITY_WITH_CARDINALITY."
                }
                crate::apps::service::constraint::PolicyError::ScopeMissing => "Add \"scope\": \"node\" or \"rack\".",
            };
            return Err(Box::new(ServiceClientFault::illegal(words, one.places.at).mend(mend)));
        }
    }
    Ok(())
}

/// Returns the client's refusal of a service without a file: its name, its components (in the order in which they are written),
/// and their sizes if the maximum is known.
pub fn of_components(name: &str, components: &[&ComponentSpec], site: &Site) -> Option<ClientRefusal> {
    if let Some(refusal) = name_fault(name, site.dns) {
        return Some(refusal);
    }
    let illegal = |words: String, mend: String| {
        Some(ClientRefusal::new(ClientStage::Check, "IllegalArgumentException", words).mend(mend))
    };
    for one in components {
        if site.dns && one.name.chars().count() > COMPONENT {
            let words = format!("Component name must be no more than {COMPONENT} characters: {}", one.name);
            return illegal(words, "Shorten it.".into());
        }
        if one.name == name {
            let words = format!("Component name {name} must not be same as service name {name}");
            return illegal(words, "Rename the component or the service.".into());
        }
    }
    for one in components {
        if let Some(refusal) = name_fault(&one.name, site.dns) {
            return Some(refusal);
        }
        if one.size.vcores() <= 0 {
            let words = format!(
                "Unacceptable no of cpus specified, either zero or negative for component {} (or at the global level)",
                one.name
            );
            return illegal(words, format!("Give {} 1 vcore or more.", one.name));
        }
    }
    let maximum = site.maximum?;
    components.iter().find_map(|one| too_large(&one.name, one.size.memory_mb(), one.size.vcores(), maximum))
}

/// Returns the refusal of a component that asks for more than YARN's largest container (validateCompResourceSize). `cpus` and
/// `memory` are in vcores and MB, the maximum is memory and vcores.
pub fn too_large(name: &str, memory: i64, cpus: i64, maximum: (i64, i64)) -> Option<ClientRefusal> {
    let (words, mend) = if memory > maximum.0 {
        let most = maximum.0;
        let words = format!(
            "Component {name}: specified memory size ({memory}) is larger than configured max container memory size ({most})"
        );
        (
            words,
            format!("Ask for {most} MB or less for {name}, or raise yarn.scheduler.maximum-allocation-mb to {memory}."),
        )
    } else if cpus > maximum.1 {
        let most = maximum.1;
        let words = format!(
            "Component {name}: specified number of virtual core ({cpus}) is larger than configured max virtual core size ({most})"
        );
        let mend = format!(
            "Ask for {most} vcores or fewer for {name}, or raise yarn.scheduler.maximum-allocation-vcores to {cpus}."
        );
        (words, mend)
    } else {
        return None;
    };
    Some(ClientRefusal::new(ClientStage::Submit, "YarnException", words).mend(mend))
}
