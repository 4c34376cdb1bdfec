//! The cluster: entries of nodes, each one node or a group, and one line that adds a group.

use super::Editor;
use super::field::{commit, field, wide};
use crate::edits::{self, Key};
use crate::path;
use crate::ui::gb;
use heddle_core::scenario::Scenario;
use heddle_core::scenario::edit::Setting;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Entries that get a form.
const ENTRIES_MAX: usize = 60;

/// The form.
pub fn cluster(e: &Editor<'_>) -> Html {
    let n = e.written.len(path!["nodes"]);
    let doc = &e.props.doc;
    html! {
        <>
            { adder(e) }
            if let Some(s) = &doc.scenario { <p class="eyebrow">{ summary(s) }</p> }
            { for (0..n.min(ENTRIES_MAX)).map(|i| entry(e, i)) }
            if n > ENTRIES_MAX { <p class="eyebrow">{ format!("and {} more entries, in the text", n - ENTRIES_MAX) }</p> }
        </>
    }
}

fn summary(s: &Scenario) -> String {
    let mut racks: Vec<&str> = s.nodes.iter().map(|n| n.spec.rack.as_str()).collect();
    racks.sort_unstable();
    racks.dedup();
    let memory: i64 = s.nodes.iter().map(|n| n.spec.total.memory_mb()).fold(0, i64::saturating_add);
    let vcores: i64 = s.nodes.iter().map(|n| n.spec.total.vcores()).fold(0, i64::saturating_add);
    let plural = |n: usize| if n == 1 { "" } else { "s" };
    format!(
        "{} node{}, {} rack{}, {} GB, {vcores} vcores",
        s.nodes.len(),
        plural(s.nodes.len()),
        racks.len(),
        plural(racks.len()),
        gb(memory)
    )
}

/// `12 × 64 GB/16, 3 racks`.
fn adder(e: &Editor<'_>) -> Html {
    let have = e.props.doc.scenario.as_ref().map_or(0, |s| s.nodes.len());
    let add = e.edit("add nodes", move |text, line| {
        let toml = group(line, have)?;
        edits::push(text, "nodes", &toml)
    });
    let onsubmit = Callback::from(move |ev: SubmitEvent| {
        ev.prevent_default();
        let Some(form) = ev.target_dyn_into::<web_sys::Element>() else { return };
        if let Ok(Some(input)) = form.query_selector("input") {
            let input: HtmlInputElement = wasm_bindgen::JsCast::unchecked_into(input);
            add.emit(input.value());
        }
    });
    html! {
        <form class="row" {onsubmit}>
            <input class="in" id="add-nodes" aria-label="Nodes to add, such as 12 × 64 GB/16, 3 racks" placeholder="12 × 64 GB/16, 3 racks" spellcheck="false" autocomplete="off"/>
            <button type="submit" class="btn edge sm">{ "Add nodes" }</button>
        </form>
    }
}

/// The entry that one line means.
fn group(line: &str, have: usize) -> Result<String, String> {
    let hint = "Write it like 12 × 64 GB/16, 3 racks.";
    let mut parts = line.split(',').map(str::trim).filter(|p| !p.is_empty());
    let first = parts.next().ok_or_else(|| hint.to_owned())?;
    let (count, size) = match first.split_once(['×', 'x', '*']) {
        Some((n, size)) => {
            (n.trim().parse::<u64>().map_err(|_| format!("`{}` is not a count. {hint}", n.trim()))?, size.trim())
        }
        None => (1, first),
    };
    heddle_core::scenario::units::parse_size(size).map_err(|why| format!("{why}. {hint}"))?;
    let width = (have as u64).saturating_add(count).to_string().len();
    let start = format!("{:0width$}", have + 1);
    let mut toml = String::new();
    if count == 1 {
        toml.push_str(&format!("name = \"n{start}\"\n"));
    } else {
        toml.push_str(&format!("name = \"n{{{start}}}\"\ncount = {count}\n"));
    }
    toml.push_str(&format!("size = {}\n", toml_edit::Value::from(size)));
    for part in parts {
        let words: Vec<&str> = part.split_whitespace().collect();
        match words[..] {
            [n, "rack" | "racks"] if n.parse::<u32>().is_ok() => toml.push_str(&format!("racks = {n}\n")),
            ["rack", name] => toml.push_str(&format!(
                "rack = {}\n",
                toml_edit::Value::from(format!("/{}", name.trim_start_matches('/')))
            )),
            ["label", name] => toml.push_str(&format!("label = {}\n", toml_edit::Value::from(name))),
            _ => return Err(format!("`{part}` is not known here. {hint}")),
        }
    }
    Ok(toml)
}

fn entry(e: &Editor<'_>, i: usize) -> Html {
    let at = |key: &str| [Key::from("nodes"), Key::from(i), Key::from(key)];
    let text = |key: &str| e.written.text(&at(key));
    let put = |key: &'static str, what: &str| {
        e.edit(&format!("{what} of nodes"), move |t, typed| edits::put(t, path!["nodes", i, key], typed))
    };
    let put_text = |key: &'static str, what: &str| {
        e.edit(&format!("{what} of nodes"), move |t, typed| edits::put_text(t, path!["nodes", i, key], typed))
    };
    let rack = if text("racks").is_empty() { text("rack") } else { text("racks") };
    let racks = e.edit("racks", move |t, typed| {
        let typed = typed.trim();
        let cleared = edits::remove(&edits::remove(t, path!["nodes", i, "rack"])?, path!["nodes", i, "racks"])?;
        if typed.is_empty() {
            return Ok(cleared);
        }
        if let Ok(n) = typed.parse::<i64>() {
            return edits::set(&cleared, path!["nodes", i, "racks"], Setting::Number(n));
        }
        let slash = |name: &str| format!("/{}", name.trim().trim_start_matches('/'));
        if typed.contains(',') {
            return edits::set(
                &cleared,
                path!["nodes", i, "racks"],
                Setting::List(typed.split(',').map(slash).collect()),
            );
        }
        edits::set(&cleared, path!["nodes", i, "rack"], Setting::Text(slash(typed)))
    });
    let attributes = e.edit("attributes", move |t, typed| edits::put_pairs(t, path!["nodes", i, "attributes"], typed));
    let name = text("name");
    let remove = e.press(&format!("remove nodes {name}"), move |t| edits::remove(t, path!["nodes", i]));
    html! {
        <fieldset class="group" key={format!("{i}")}>
            <legend class="sub"><input class="in" aria-label="Name or pattern" title="n{01}: n01, n02, …" value={name.clone()} onchange={commit(put_text("name", "name"))}/>
                <button type="button" class="x" aria-label={format!("Remove {name}")} onclick={remove}>{ "✕" }</button></legend>
            <div class="fields">
                { field(&format!("n{i}c"), "count", text("count"), "1", put("count", "count")) }
                { field(&format!("n{i}s"), "size", text("size"), "64 GB/16", put_text("size", "size")) }
                { field(&format!("n{i}r"), "rack", rack, "/r1 or 3", racks) }
                { field(&format!("n{i}l"), "label", text("label"), "none", put_text("label", "label")) }
                { field(&format!("n{i}t"), "joins at", text("at"), "0 s", put_text("at", "time")) }
                { wide(&format!("n{i}a"), "attrs", e.written.pairs(&at("attributes")), "java=17", attributes, false) }
            </div>
        </fieldset>
    }
}

#[cfg(test)]
mod tests {
    use super::group;

    #[test]
    fn one_line_means_a_group() {
        assert_eq!(
            group("12 × 64 GB/16, 3 racks", 0).as_deref(),
            Ok("name = \"n{01}\"\ncount = 12\nsize = \"64 GB/16\"\nracks = 3\n")
        );
        assert_eq!(group("8 GB/4", 2).as_deref(), Ok("name = \"n3\"\nsize = \"8 GB/4\"\n"));
        for bad in ["", "x × 8 GB", "3 x nothing", "2 × 8 GB/2, on the moon"] {
            assert!(group(bad, 0).is_err(), "{bad}");
        }
    }
}
