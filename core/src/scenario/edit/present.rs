//! Edits of what is there when the run begins.

use super::{parse, put};
use crate::model::Millis;
use crate::scenario::units::time_text;
use toml_edit::{Item, TableLike, Value};

/// Sets how long containers run that are there when the run begins, or are asked for then; `None`: for ever. Since when
/// those that are there run is not known, so their ends are spread evenly over that time, application by application. Those
/// of ApplicationMasters run on. Errors: the text cannot be read.
pub fn set_run_times(text: &str, duration: Option<Millis>) -> Result<String, String> {
    let mut document = parse(text)?;
    let mut apps = document.get_mut("apps").map(entries).unwrap_or_default();
    for now in apps.iter_mut().filter_map(|app| app.get_mut("now")?.as_table_like_mut()) {
        let mut running = now.get_mut("running").map(entries).unwrap_or_default();
        running.retain(|c| c.get("am").and_then(Item::as_bool) != Some(true));
        let n = running.len() as i128;
        for (container, k) in running.into_iter().zip(1..) {
            let end = |whole: Millis| (i128::from(whole) * k / n).max(1) as Millis;
            set_duration(container, duration.map(end));
        }
        for ask in now.get_mut("asks").map(entries).unwrap_or_default() {
            set_duration(ask, duration);
        }
    }
    Ok(document.to_string())
}

fn set_duration(of: &mut dyn TableLike, duration: Option<Millis>) {
    match duration {
        // A table there is reported as an error when the text is read.
        Some(ms) => _ = put(of, "duration", Value::from(time_text(ms))),
        None => _ = of.remove("duration"),
    }
}

/// Returns the entries of a list.
fn entries(list: &mut Item) -> Vec<&mut dyn TableLike> {
    match list {
        Item::ArrayOfTables(all) => all.iter_mut().map(|t| t as &mut dyn TableLike).collect(),
        Item::Value(Value::Array(all)) => {
            all.iter_mut().filter_map(Value::as_inline_table_mut).map(|t| t as &mut dyn TableLike).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::read;

    /// Each form of the lists; ends are spread, the ApplicationMaster runs on, and nothing is left when it is taken back.
    #[test]
    fn ends_are_spread_over_the_run_time() {
        let head =
            "heddle = 1\n[[nodes]]\nname = \"n\"\nsize = \"64 GB/64\"\n[[apps]]\nname = \"a\"\nkind = \"requests\"\n";
        for now in [
            "[apps.now]\nrunning = [{ am = true, node = \"n\" }, { node = \"n\" }, { node = \"n\" }]\nasks = [{ count = 2 }]\n",
            "[apps.now]\n[[apps.now.running]]\nam = true\nnode = \"n\"\n[[apps.now.running]]\nnode = \"n\"\n\
             [[apps.now.running]]\nnode = \"n\"\n[[apps.now.asks]]\ncount = 2\n",
        ] {
            let text = format!("{head}{now}");
            let ends = |text: &str| {
                let scenario = read(text).scenario.unwrap_or_else(|| panic!("{text}"));
                let now = scenario.apps[0].now.clone().expect("it is there");
                let asks: Vec<Option<Millis>> = now.asks.iter().map(|ask| ask.duration).collect();
                (now.running.iter().map(|c| c.duration).collect::<Vec<_>>(), asks)
            };
            let before = ends(&text);
            let set = set_run_times(&text, Some(600_000)).expect("it can be read");
            assert_eq!(ends(&set), (vec![None, Some(300_000), Some(600_000)], vec![Some(600_000)]), "{set}");
            assert_eq!(set_run_times(&set, None), Ok(text.clone()));
            assert_eq!(ends(&text), before);
            let soon = set_run_times(&text, Some(1)).expect("it can be read");
            assert_eq!(ends(&soon).0, [None, Some(1), Some(1)], "an end is never at once");
        }
    }
}
