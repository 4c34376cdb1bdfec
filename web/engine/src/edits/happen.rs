//! Adding a happening at a moment: what somebody does to the cluster or to an application then.

use super::setting;
use crate::edits::FormText;
use crate::forms::acts::quoted;
use crate::path;
use heddle_core::scenario::edit::{self, Setting};
use heddle_core::scenario::{Scenario, units};
use heddle_view::{How, Selection, Step};
use toml_edit::{InlineTable, Value};

/// Adds a happening, an inline table of TOML, with the typed text at `put` in it. An equal one is changed instead, so that
/// typing letter by letter adds a single one.
pub fn happen(text: &str, entry: &str, put: &[Step], how: How, typed: &str) -> Result<String, String> {
    let value: Value = entry.parse().map_err(|_| format!("`{entry}` is not a TOML value."))?;
    let table = value.as_inline_table().ok_or_else(|| format!("`{entry}` is not a table."))?;
    let typed = match (put, how) {
        ([], _) => None,
        // A file may be empty.
        (_, How::Letters) => Some(Setting::Text(typed.to_owned())),
        _ => Some(setting(how, typed)?),
    };
    if matches!(typed, Some(Setting::Nothing)) {
        return Ok(text.to_owned());
    }
    let written = FormText::new(text);
    let count = written.len(&path!["happenings"]);
    let (text, at) = match (0..count).find(|at| says(&written, *at, table)) {
        Some(_) if put.is_empty() => return Err("That happens at this moment already.".to_owned()),
        Some(at) => (text.to_owned(), at),
        None => {
            let fields: Vec<(&str, Setting)> = table.iter().map(|(k, v)| (k, Setting::Toml(v.to_string()))).collect();
            (edit::push(text, "happenings", &fields)?, count)
        }
    };
    match typed {
        Some(typed) => edit::set(&text, &[&path!["happenings", at], put].concat(), &typed),
        None => Ok(text),
    }
}

/// Adds a happening of a kind with the values that it needs: about the selection, or the first node or application. Errors say
/// what the scenario lacks for it.
pub fn anew(
    text: &str,
    act: &str,
    at_ms: i64,
    (about, queue): (Option<&Selection>, &str),
    scenario: Option<&Scenario>,
) -> Result<String, String> {
    let s = scenario.ok_or("The scenario has an error; mend it first.")?;
    let first_node = || s.nodes.first().map(|n| n.spec.host.clone());
    let node = match about {
        Some(Selection::Node(name)) => Some(name.clone()),
        _ => first_node(),
    };
    let app = about.and_then(Selection::app).filter(|app| s.apps.iter().any(|a| a.name == *app)).map(str::to_owned);
    let app = app.or_else(|| s.apps.first().map(|a| a.name.clone()));
    let of_node = || Ok::<_, String>(format!("node = {}", quoted(node.as_ref().ok_or("There is no node yet.")?)));
    let of_app = || Ok::<_, String>(format!("app = {}", quoted(app.as_ref().ok_or("There is no application yet.")?)));
    let size = || {
        let of = |n: &&heddle_core::scenario::Node| Some(&n.spec.host) == node.as_ref();
        let total = s.nodes.iter().find(of).or(s.nodes.first()).map(|n| n.spec.total);
        let text = |r: heddle_core::model::Resource| format!("{}/{}", units::memory_text(r.memory_mb()), r.vcores());
        quoted(&total.map_or_else(|| "8 GB/8".to_owned(), text))
    };
    let values = match act {
        "add_node" => {
            let taken = |name: &String| s.nodes.iter().any(|n| n.spec.host == *name);
            let name = (s.nodes.len() + 1..).map(|k| format!("n{k}")).find(|name| !taken(name)).unwrap_or_default();
            format!("name = {}, size = {}", quoted(&name), size())
        }
        "resize_node" => format!("{}, size = {}", of_node()?, size()),
        "label_node" => format!("{}, label = \"\"", of_node()?),
        "change_attributes" => format!("{}, attributes = {{ name = \"value\" }}", of_node()?),
        "kill_app" | "hang_am" => of_app()?,
        "restart_app" => {
            let runs_long = || s.apps.iter().filter(|a| a.kind.is_long_running());
            let chosen = runs_long().find(|a| Some(&a.name) == app.as_ref()).or(runs_long().next());
            format!("app = {}", quoted(&chosen.ok_or("No application here is long-running.")?.name))
        }
        "move_app" => format!("{}, queue = {}", of_app()?, quoted(queue)),
        "set_priority" => format!("{}, priority = 1", of_app()?),
        "finish_container" => format!("{}, container = 1, exit_code = 1", of_app()?),
        "put_constraint" => {
            let tag = s.apps.iter().flat_map(|a| &a.tags).next().map_or("tag", String::as_str);
            format!("tags = [{}], constraint = {}", quoted(tag), quoted(&format!("notin,node,{tag}")))
        }
        "refresh" => String::new(),
        "write_allocations" => format!("\"fair-scheduler.xml\" = {}", quoted("<allocations>\n</allocations>\n")),
        // Nothing is chosen yet.
        "" => return Ok(text.to_owned()),
        // All others are about a node and need no more.
        _ => of_node()?,
    };
    let comma = if values.is_empty() { "" } else { ", " };
    let entry = format!("{{ at = {}, do = {}{comma}{values} }}", quoted(&units::time_text(at_ms)), quoted(act));
    happen(text, &entry, &[], How::Text, "")
}

/// Returns whether the happening at this index has all of these values.
fn says(written: &FormText, at: usize, table: &InlineTable) -> bool {
    table.iter().all(|(key, value)| {
        let value = value.as_str().map_or_else(|| value.to_string().trim().to_owned(), str::to_owned);
        written.text(&path!["happenings", at, key]) == value
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const APP: &str = "heddle = 1\n[[nodes]]\nname = \"n\"\nsize = \"8 GB/4\"\n[[apps]]\nname = \"web\"\nkind = \"slider\"\n\
        components = [{ name = \"w\", \"yarn.role.priority\" = 1, \"yarn.component.instances\" = 1 }]\n";

    fn acts(text: &str) -> Vec<heddle_core::scenario::Act> {
        let read = heddle_core::scenario::read(text);
        let scenario = read.scenario.unwrap_or_else(|| panic!("{:#?}\n{text}", read.problems));
        scenario.happenings.into_iter().map(|h| h.act).collect()
    }

    #[test]
    fn what_is_typed_again_at_the_same_moment_happens_once() {
        use heddle_core::apps::scenario::KindAct;
        use heddle_core::apps::slider::scenario::{HistoryChange, HistoryEdit};
        use heddle_core::scenario::Act;
        let flex = "{ at = \"5000 ms\", do = \"flex_app\", app = \"web\" }";
        let put = path!["components", "w"];
        let one = happen(APP, flex, &put, How::Typed, "3").expect("a flex");
        let two = happen(&one, flex, &put, How::Typed, "4").expect("another");
        assert!(matches!(&acts(&two)[..], [Act::Flex { counts, .. }] if counts[..] == [("w".to_string(), 4)]), "{two}");
        assert_eq!(happen(APP, flex, &put, How::Typed, " "), Ok(APP.to_owned()), "nothing typed");
        let file = "{ at = \"6000 ms\", do = \"write_history\", app = \"web\", file = \"rolehistory-1.json\" }";
        let mut text = two;
        for typed in ["{", "{}", ""] {
            text = happen(&text, file, &path!["text"], How::Letters, typed).expect("a file");
        }
        assert!(
            matches!(&acts(&text)[1..], [Act::OfKind(KindAct::Slider(HistoryEdit { change: HistoryChange::Write(t), .. }))] if t.is_empty()),
            "{text}"
        );
        let restart = "{ at = \"7000 ms\", do = \"restart_app\", app = \"web\" }";
        let again = happen(&text, restart, &[], How::Text, "").expect("a restart");
        assert_eq!(acts(&again).len(), 3);
        assert!(happen(&again, restart, &[], How::Text, "").is_err(), "it happens already");
    }
}
