//! Edits keys of a component of a Slider application, in any of the forms in which they can be written.

use crate::apps::slider::scenario::SliderApp;
use crate::apps::slider::strategy::definition;
use crate::model::nearest;
use crate::scenario::edit::{Setting, Step, misplaced, parse, set, tables};
use crate::scenario::read;
use toml_edit::{Item, TableLike};

/// Sets or removes a key of a component: in its entry, or in resources.json. `app`: the application's entry.
pub fn set_component(text: &str, app: usize, name: &str, key: &str, setting: &Setting) -> Result<String, String> {
    let entry = [Step::from("apps"), Step::from(app)];
    let document = parse(text)?;
    let lost = || misplaced(&[&entry[..], &[Step::from("components"), Step::from(name)]].concat());
    let here = tables(document.get("apps")).into_iter().nth(app).ok_or_else(lost)?;
    if let Some(json) = here.get("resources.json").and_then(Item::as_str) {
        let mut all = definition::read(json).0.ok_or_else(lost)?;
        let keys = all.components.get_mut(name).ok_or_else(lost)?;
        match setting {
            Setting::Nothing => _ = keys.shift_remove(key),
            Setting::Number(n) => _ = keys.insert(key.into(), n.to_string()),
            Setting::Text(value) => _ = keys.insert(key.into(), value.clone()),
            _ => return Err(lost()),
        }
        let written = Setting::Text(definition::write(&all));
        return set(text, &[&entry[..], &[Step::from("resources.json")]].concat(), &written);
    }
    let listed = tables(here.get("components"));
    let at = listed.iter().position(|c| c.get("name").and_then(Item::as_str) == Some(name)).ok_or_else(lost)?;
    let component = [&entry[..], &[Step::from("components"), Step::from(at)]].concat();
    let nested: Vec<Step> = key.split('.').map(Step::from).collect();
    let way = if has(listed[at], key) { nested } else { vec![Step::from(key)] };
    set(text, &[component, way].concat(), setting)
}

/// Returns whether a key is written as nested tables.
fn has(table: &dyn TableLike, key: &str) -> bool {
    match key.split_once('.') {
        None => table.get(key).is_some_and(Item::is_value),
        Some((first, rest)) => table.get(first).and_then(Item::as_table_like).is_some_and(|inner| has(inner, rest)),
    }
}

/// Returns whether a name is `<application>.<component>.yarn.…`.
pub fn has_setting(_text: &str, name: &str) -> bool {
    of_component(name).is_some()
}

/// Sets `<application>.<component>.yarn.…`.
pub fn set_setting(text: &str, name: &str, value: &str) -> Result<String, String> {
    let (app, component, key) = of_component(name).ok_or_else(|| format!("No component of Slider has `{name}`."))?;
    set_component(text, component_entry(text, app, component)?, component, key, &Setting::typed(value))
}

/// Returns the three parts of `<application>.<component>.yarn.…`.
fn of_component(name: &str) -> Option<(&str, &str, &str)> {
    let at = name.find(".yarn.")?;
    let (app, component) = name[..at].rsplit_once('.')?;
    Some((app, component, &name[at + 1..]))
}

/// Returns the entry in `[[apps]]` of the Slider application that has this component. Errors: no application has it.
fn component_entry(text: &str, app: &str, component: &str) -> Result<usize, String> {
    let unreadable = "The text has an error; mend it first.";
    let scenario = read(text).scenario.ok_or(unreadable)?;
    let meant = |near: Option<&str>| near.map_or(String::new(), |near| format!(" Did you mean `{near}`?"));
    let Some(found) = scenario.apps.iter().find(|a| a.name == app) else {
        let near = nearest(app, scenario.apps.iter().map(|a| a.name.as_str()));
        return Err(format!("There is no application `{app}`.{}", meant(near)));
    };
    let Some(slider) = found.kind.get::<SliderApp>() else {
        return Err(format!("`{app}` is not a Slider application: it has no component `{component}`."));
    };
    let known = &slider.definition.components;
    if !known.contains_key(component) {
        let near = nearest(component, known.keys().map(String::as_str));
        return Err(format!("`{app}` has no component `{component}`.{}", meant(near)));
    }
    Ok(found.entry)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(text: &str) -> Option<String> {
        let scenario = read(text).scenario.unwrap_or_else(|| panic!("{:#?}\n{text}", read(text).problems));
        let slider = scenario.apps[0].kind.get::<SliderApp>().expect("a Slider");
        slider.definition.components["w"].get("yarn.component.placement.policy").cloned()
    }

    #[test]
    fn a_key_is_set_where_it_stands() {
        let head =
            "heddle = 1\n[[nodes]]\nname = \"n\"\nsize = \"8 GB/4\"\n[[apps]]\nname = \"web\"\nkind = \"slider\"\n";
        let json = "\"resources.json\" = '''{ \"schema\": \"http://example.org/specification/v2.0.0\", \"metadata\": {}, \
            \"global\": {}, \"components\": { \"w\": { \"yarn.role.priority\": \"1\", \"yarn.component.instances\": \"2\" } } }'''\n";
        let forms = [
            "[[apps.components]]\nname = \"w\"\nyarn.role.priority = 1\nyarn.component.instances = 2\n",
            "[[apps.components]]\nname = \"w\"\nyarn.role.priority = 1\nyarn.component.instances = 1\nyarn.component.placement.policy = 4\n",
            "components = [{ name = \"w\", \"yarn.role.priority\" = 1, \"yarn.component.instances\" = 1 }]\n",
            json,
        ];
        let key = "yarn.component.placement.policy";
        for form in forms {
            let text = format!("{head}{form}");
            let one = set_component(&text, 0, "w", key, &Setting::Number(1)).expect(form);
            assert_eq!(policy(&one).as_deref(), Some("1"), "{one}");
            let two = set_component(&one, 0, "w", key, &Setting::Number(2)).expect(form);
            assert_eq!(policy(&two).as_deref(), Some("2"), "{two}");
            let none = set_component(&two, 0, "w", key, &Setting::Nothing).expect(form);
            assert_eq!(policy(&none), None, "{none}");
            assert!(set_component(&text, 0, "x", key, &Setting::Number(1)).is_err());
        }
    }
}
