//! The client's checks after the definition is saved: a refusal leaves the application's folder behind (AbstractClientProvider,
//! SliderAMClientProvider and AgentClientProvider.validateInstanceDefinition).

use super::merged::{Merged, Tree, copied};
use super::words::{self, About, RefusedCommand};
use super::{Create, Metainfo, Package};
use crate::apps::slider::strategy::settings::{MASTER, key};
use crate::model::java_number::{decode_int, parse_int};
use std::collections::BTreeMap;

/// Checks the saved definition. Errors: the client refuses.
pub(super) fn check(command: &Create<'_>, merged: &Merged) -> Result<(), RefusedCommand> {
    of_master(&merged.resources).and_then(|()| of_package(command, merged)).map_err(RefusedCommand::saved)
}

fn about(component: &str, key: &str) -> About {
    About::Key(component.to_string(), key.to_string())
}

/// Returns a number of a component, as `Integer.decode` reads it; `None`: not set.
fn decoded(tree: &Tree, component: &str, key: &str) -> Result<Option<i32>, RefusedCommand> {
    let value = tree.components.get(component).and_then(|values| values.get(key)?.as_deref());
    value.map(|text| decode_int(text).map_err(|e| words::number(e, about(component, key)))).transpose()
}

/// Makes the checks of SliderAMClientProvider: the section of the ApplicationMaster, and counts.
fn of_master(resources: &Tree) -> Result<(), RefusedCommand> {
    let own = resources.components.get(MASTER);
    if own.and_then(|values| values.get(key::INSTANCES)?.as_ref()).is_none() {
        return Err(words::no_count(MASTER));
    }
    for key in [key::MEMORY, key::VCORES] {
        if own.and_then(|values| values.get(key)?.as_deref()) != Some("max") {
            decoded(resources, MASTER, key)?;
        }
    }
    for name in resources.walk() {
        match decoded(resources, name, key::INSTANCES)? {
            Some(count) if count < 0 => return Err(words::negative(name, count)),
            _ => {}
        }
    }
    Ok(())
}

/// Makes the checks of AgentClientProvider: every component, against the package.
fn of_package(command: &Create<'_>, merged: &Merged) -> Result<(), RefusedCommand> {
    let resources = &merged.resources;
    let path = merged.app_config.global.get("application.def").and_then(Option::as_deref);
    if let Package::Read { .. } = command.package {
        let Some(path) = path else {
            return Err(words::no_package("Missing option application.def from set global"));
        };
        if !path.rsplit('.').next().unwrap_or_default().eq_ignore_ascii_case("zip") {
            return Err(words::not_zip(path));
        }
    }
    let walked = resources.walk();
    let mut ids: BTreeMap<i32, &str> = BTreeMap::new();
    for name in copied(&walked).into_iter().filter(|name| *name != MASTER) {
        let metainfo = match command.package {
            Package::Fits(metainfo) => metainfo,
            Package::Read { metainfo, is_there } => {
                // A package that cannot be read is not checked.
                let own = merged.app_config.components.get(name).and_then(|v| v.get("application.def")?.as_deref());
                own.or(path).is_some_and(is_there).then_some(metainfo)
            }
        };
        let member = member(metainfo, merged, name)?;
        let id = mandatory(resources, name, key::PRIORITY)?;
        if id <= 0 {
            return Err(words::priority(name, id));
        }
        if let Some(other) = ids.insert(id, name) {
            return Err(words::priority_twice(name, id, other));
        }
        let count = mandatory(resources, name, key::INSTANCES)?;
        match member {
            Some(member) if member.category == "CLIENT" => {
                if count > 0 {
                    return Err(words::of_client(name));
                }
            }
            member => {
                let of = member.map_or(name, |_| component_of(merged, name));
                let bound = |text: Option<&String>, what: &str, unset: i32| match text.filter(|t| !t.is_empty()) {
                    None => Ok(unset),
                    Some(text) => parse_int(text).map_err(|_| words::bad_bound(what, of)),
                };
                let least = bound(member.and_then(|m| m.min.as_ref()), "minInstanceCount", 0)?;
                let most = bound(member.and_then(|m| m.max.as_ref()), "maxInstanceCount", i32::MAX)?;
                if count < least || count > most {
                    return Err(words::out_of_range(name, count, (least, most)));
                }
            }
        }
    }
    Ok(())
}

/// Returns the name by which the package knows a component.
fn component_of<'a>(merged: &Merged, name: &'a str) -> &'a str {
    let prefix = merged.app_config.components.get(name).and_then(|values| values.get("role.prefix")?.as_deref());
    prefix.and_then(|prefix| name.strip_prefix(prefix)).unwrap_or(name)
}

/// Returns a component of the package; `None`: the package is not checked.
fn member<'a>(
    metainfo: Option<&'a Metainfo>,
    merged: &Merged,
    name: &str,
) -> Result<Option<&'a super::Member>, RefusedCommand> {
    let Some(metainfo) = metainfo else { return Ok(None) };
    let prefix = merged.app_config.components.get(name).and_then(|values| values.get("role.prefix")?.as_deref());
    if let Some(prefix) = prefix.filter(|prefix| !name.starts_with(prefix)) {
        return Err(words::role_prefix(name, prefix));
    }
    let Some(components) = &metainfo.components else { return Ok(None) };
    components.get(component_of(merged, name)).map(Some).ok_or_else(|| words::not_member(name))
}

fn mandatory(resources: &Tree, component: &str, key: &str) -> Result<i32, RefusedCommand> {
    decoded(resources, component, key)?.ok_or_else(|| words::missing(component, key))
}
