//! Names in the files of a Slider application: resources.json, appConfig.json, role histories.

use crate::scenario::anonymise::files::{Part, option, replaced};
use crate::scenario::anonymise::places::TextMeaning;
use crate::scenario::anonymise::{NameKind, Visit, text};

/// Returns the kind of text at this path of a scenario, if the path is Slider's.
pub fn place(path: &[&str]) -> Option<TextMeaning> {
    Some(match path {
        [.., "resources.json" | "appConfig.json"] => TextMeaning::OwnFile(file),
        ["apps", "history", "text"] | ["happenings", "text"] => TextMeaning::OwnFile(file),
        ["apps", "history", "name"] | ["happenings", "file"] => TextMeaning::Format,
        ["apps", "components" | "global", .., "label", "expression"]
        | ["apps", "components" | "global", .., "yarn.label.expression" | "label.expression"] => {
            TextMeaning::Of(text::labels)
        }
        ["apps", "package", "name"] => TextMeaning::Name(NameKind::Tag),
        ["apps", "package", "version"] => TextMeaning::Format,
        _ => return None,
    })
}

/// Replaces the names in `<component>.yarn.…`, which a world sets. `None`: the key has another form.
pub fn property(key: &str, value: &str, v: &mut dyn Visit) -> Option<(String, String)> {
    let (component, own) = key.split_once('.').filter(|(_, own)| own.starts_with("yarn."))?;
    let new = v.name(NameKind::Component, component);
    Some((format!("{}.{own}", new.as_deref().unwrap_or(component)), v.words(value).unwrap_or_else(|| value.into())))
}

/// Replaces the names in a file.
fn file(text: &str, v: &mut dyn Visit) -> String {
    // A role history has one document per line.
    let whole = |line: &str| line.trim().starts_with('{') && line.trim().ends_with('}');
    if text.lines().filter(|line| !line.trim().is_empty()).all(whole) && text.trim().contains('\n') {
        return text.split_inclusive('\n').map(|line| file(line.trim_end_matches('\n'), v) + line_end(line)).collect();
    }
    replaced(text, &mut |path, part| match (path, part) {
        ([.., "components"], Part::Name(name)) => v.name(NameKind::Component, name),
        (_, Part::Name(_)) => None,
        (_, Part::Text(text, _)) => json_text(path.last().copied().unwrap_or_default(), text, v),
    })
}

fn line_end(line: &str) -> &'static str {
    if line.ends_with('\n') { "\n" } else { "" }
}

fn json_text(key: &str, value: &str, v: &mut dyn Visit) -> Option<String> {
    match key {
        "schema" | "entry" => None,
        "host" => v.name(NameKind::Host, value),
        "role" => v.name(NameKind::Component, value),
        "yarn.label.expression" => text::labels(value, v),
        "slider.hdfs.user" | "site.global.app_user" => v.name(NameKind::User, value),
        _ => option(key, value, v),
    }
}
