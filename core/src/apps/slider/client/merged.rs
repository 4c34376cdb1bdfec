//! The definition as the client merges it: its own templates, the two files, the options of the command line
//! (SliderClient.buildInstanceDefinition, ConfTreeOperations, InstanceBuilder.resolve). Where Java iterates over a hash map,
//! and the first fault determines the message, the order is Java's.

use super::words::{self, About, RefusedCommand};
use super::{Create, File, is_name};
use crate::apps::slider::strategy::definition::SCHEMA;
use crate::apps::slider::strategy::settings::{MASTER, key};
use crate::apps::slider::strategy::tree::{Nulls, Parts};
use crate::model::java;
use crate::model::java_number::parse_int;
use indexmap::IndexMap;

/// Keys with their values; `None`: null.
pub type Values = IndexMap<String, Option<String>>;

/// A ConfTree.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Tree {
    pub global: Values,
    pub components: IndexMap<String, Values>,
}

/// The saved definition, with the client's own settings in it.
pub(super) struct Merged {
    pub resources: Tree,
    pub app_config: Tree,
    /// The queue that the application is submitted to, if one is given.
    pub queue: Option<String>,
}

/// The key and value by which appConfig.json marks a component as an application of its own.
const EXTERNAL_KEY: &str = "site.global.component_type";
const EXTERNAL: &str = "external_app";
const QUEUE: &str = "internal.queue";
/// The client's templates for its ApplicationMaster.
const RESOURCES: [(&str, &str); 3] = [(key::INSTANCES, "1"), (key::VCORES, "1"), (key::MEMORY, "1024")];

impl Tree {
    fn component(&mut self, name: &str) -> &mut Values {
        self.components.entry(name.to_string()).or_default()
    }

    fn merge(&mut self, parts: &Parts) {
        let values = |rows: &[crate::apps::slider::strategy::tree::ConfRow]| -> Vec<(String, Option<String>)> {
            rows.iter().map(|row| (row.key.clone(), row.value.clone())).collect()
        };
        self.global.extend(values(&parts.global));
        for section in &parts.components {
            self.component(&section.name).extend(values(&section.rows));
        }
    }

    /// Returns a component's value, or `global`'s if the component has no such key; `None`: not set, or null.
    pub fn resolved(&self, component: &str, key: &str) -> Option<&str> {
        let own = self.components.get(component)?;
        own.get(key).or_else(|| self.global.get(key))?.as_deref()
    }

    /// Returns the names of the components in the map's iteration order.
    pub(super) fn walk(&self) -> Vec<&str> {
        let names: Vec<&str> = self.components.keys().map(String::as_str).collect();
        // The map is a HashMap made for 3 entries.
        let mut places = 4usize;
        while names.len() * 4 > places * 3 {
            places *= 2;
        }
        walk_in(&names, places)
    }
}

fn walk_in<'a>(names: &[&'a str], places: usize) -> Vec<&'a str> {
    let hashes: Vec<i32> = names.iter().map(|name| java::string_hash(name)).collect();
    java::hash_walk_in(&hashes, places).into_iter().filter_map(|i| names.get(i).copied()).collect()
}

/// Returns names in the iteration order of the HashSet that they are copied to.
pub(super) fn copied<'a>(names: &[&'a str]) -> Vec<&'a str> {
    let wanted = (names.len() as f32 / 0.75) as usize + 1;
    walk_in(names, wanted.max(16).next_power_of_two())
}

/// One of the two files.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    Resources,
    AppConfig,
}

impl Which {
    fn about(self) -> About {
        if self == Which::Resources { About::Schema } else { About::AppConfig }
    }
}

/// Checks one file on its own. Errors: the client refuses it.
fn read<'a>(file: File<'a>, which: Which) -> Result<&'a Parts, RefusedCommand> {
    let (arg, name) = match which {
        Which::Resources => ("--resources", "resources.json"),
        Which::AppConfig => ("--template", "appConfig.json"),
    };
    let parts = file.map_err(|fault| words::unreadable(arg, name, fault))?;
    let Nulls { document, global, components, inner } = parts.nulls;
    if document {
        return Err(words::null(which.about()));
    }
    if global {
        return Err(words::null_map(which.about()));
    }
    match &parts.schema {
        Some((None, _)) => return Err(words::no_schema(which.about())),
        Some((Some(schema), _)) if schema != SCHEMA => return Err(words::schema(schema, which.about())),
        _ => {}
    }
    let allowed = |name: &str| name.starts_with("yarn.") || name == key::UNIQUE;
    if which == Which::Resources
        && let Some(row) = parts.global.iter().find(|row| !allowed(&row.key))
    {
        return Err(words::prefix(&row.key, About::Global(row.key.clone())));
    }
    if components {
        return Err(words::null(which.about()));
    }
    let names: Vec<&str> = parts.components.iter().map(|s| s.name.as_str()).collect();
    for name in copied(&names) {
        let rows = parts.components.iter().find(|s| s.name == name).map_or(&[][..], |s| &s.rows);
        let bad = rows.iter().find(|row| match which {
            Which::Resources => !allowed(&row.key),
            Which::AppConfig => row.key.starts_with("yarn."),
        });
        match (bad, which) {
            (None, _) => {}
            (Some(row), Which::Resources) => {
                return Err(words::prefix(&row.key, About::Key(name.to_string(), row.key.clone())));
            }
            (Some(row), Which::AppConfig) => return Err(words::template_prefix(&row.key)),
        }
    }
    if inner {
        return Err(words::null(which.about()));
    }
    Ok(parts)
}

/// Pairs the values of an option with their names. Errors: a name occurs twice.
fn pairs(of: &str, given: &[[String; 2]]) -> Result<IndexMap<String, String>, RefusedCommand> {
    let mut out = IndexMap::new();
    for [name, value] in given {
        if out.insert(name.clone(), value.clone()).is_some() {
            return Err(words::twice(of, name));
        }
    }
    Ok(out)
}

fn triples(of: &str, given: &[[String; 3]]) -> Result<IndexMap<String, IndexMap<String, String>>, RefusedCommand> {
    let mut out: IndexMap<String, IndexMap<String, String>> = IndexMap::new();
    for [component, name, value] in given {
        if out.entry(component.clone()).or_default().insert(name.clone(), value.clone()).is_some() {
            return Err(words::twice(of, &format!("for key {name} under {component}")));
        }
    }
    Ok(out)
}

/// Merges templates, files and options. Errors: the client refuses before anything is saved.
pub(super) fn merge(command: &Create<'_>) -> Result<Merged, RefusedCommand> {
    let args = command.args;
    super::check_name(command.name)?;
    if let Some(provider) = args.provider.as_deref().filter(|p| *p != "agent") {
        return Err(words::provider(provider));
    }
    let (mut resources, mut app_config) = (Tree::default(), Tree::default());
    let text = |value: &str| Some(value.to_string());
    resources.component(MASTER).extend(RESOURCES.map(|(key, value)| (key.to_string(), text(value))));
    app_config.global.insert("env.MALLOC_ARENA_MAX".into(), text("4"));
    app_config.component(MASTER).insert("jvm.heapsize".into(), text(super::HEAP));
    if let Some(file) = command.resources {
        resources.merge(read(file, Which::Resources)?);
    }
    if let Some(file) = command.app_config {
        app_config.merge(read(file, Which::AppConfig)?);
    }
    let options = pairs("--option", &args.options)?;
    let resource_options = pairs("--resopt", &args.resource_options)?;
    app_config.global.extend(options.into_iter().map(|(key, value)| (key, Some(value))));
    for (name, count) in pairs("component", &args.components)? {
        resources.component(&name).insert(key::INSTANCES.into(), Some(count));
    }
    let component_options = triples("--compopt", &args.component_options)?;
    for (name, values) in &component_options {
        let values = values.iter().map(|(key, value)| (key.clone(), Some(value.clone())));
        app_config.component(name).extend(values);
    }
    let mut queue = None;
    let begins = |key: &str, with: &[&str]| with.iter().any(|prefix| key.starts_with(prefix));
    for (name, value) in &app_config.global {
        if begins(name, &["slider.", "internal.", "component.", "role.", "yarn."]) && value.is_none() {
            return Err(words::null(About::AppConfig));
        }
        if name == QUEUE {
            queue.clone_from(value);
        }
        if begins(name, &["component.", "role.", "yarn."]) {
            resources.global.insert(name.clone(), value.clone());
        }
    }
    for (name, values) in &component_options {
        let mine = values.iter().filter(|(key, _)| begins(key, &["component.", "yarn.", "role."]));
        let mine: Vec<(String, Option<String>)> = mine.map(|(key, value)| (key.clone(), Some(value.clone()))).collect();
        if !mine.is_empty() {
            resources.component(name).extend(mine);
        }
    }
    for (key, value) in resource_options {
        app_config.global.insert(key.clone(), Some(value.clone()));
        resources.global.insert(key, Some(value));
    }
    for (name, values) in triples("--rescompopt", &args.resource_component_options)? {
        resources.component(&name).extend(values.into_iter().map(|(key, value)| (key, Some(value))));
    }
    resolve(&resources, &app_config)?;
    if args.app_home.as_deref().is_some_and(|home| !home.is_empty()) {
        return Err(words::image_and_home());
    }
    if let Some(given) = &args.queue {
        if given.is_empty() {
            return Err(words::empty_queue());
        }
        queue = Some(given.clone());
    }
    // The client searches the values of appConfig.json for the user's name.
    let rows = app_config.global.values().chain(app_config.components.values().flat_map(IndexMap::values));
    if { rows }.any(Option::is_none) {
        return Err(words::null(About::AppConfig));
    }
    Ok(Merged { resources, app_config, queue })
}

/// Parses the priorities, then looks up external components (InstanceBuilder.resolve). Errors: one of them is wrong.
fn resolve(resources: &Tree, app_config: &Tree) -> Result<(), RefusedCommand> {
    for name in resources.walk() {
        let Some(value) = resources.components.get(name).and_then(|values| values.get(key::PRIORITY)) else { continue };
        if name == MASTER {
            continue;
        }
        let about = || About::Key(name.to_string(), key::PRIORITY.to_string());
        let Some(value) = value else { return Err(words::null_number(about())) };
        parse_int(value).map_err(|e| words::number(e, about()))?;
    }
    if app_config.global.contains_key(EXTERNAL_KEY) {
        return Err(words::external(format!("{EXTERNAL_KEY} must be specified per-component, not in global")));
    }
    let external = |name: &&str| {
        let values = app_config.components.get(*name);
        *name != MASTER && values.and_then(|v| v.get(EXTERNAL_KEY)).is_some_and(|v| v.as_deref() == Some(EXTERNAL))
    };
    let names: Vec<&str> = app_config.walk().into_iter().filter(external).collect();
    // The client adds them to a HashSet one by one.
    match java::set_walk(&names).first() {
        None => Ok(()),
        Some(name) if !is_name(name) => Err(words::external(format!("{name} is not a valid external component"))),
        Some(name) => Err(words::external(format!("external component {name} doesn't exist"))),
    }
}
