//! `[[worlds]]`: either a property with a list of values, each of which is a world, or several settings under one name.

use super::super::world::World;
use super::fields::{Fields, Reader};
use super::settings::{CAPACITY, full_name, property_table, value_text};
use crate::model::limits;

/// Reads all worlds in the order written.
pub fn worlds(r: &mut Reader<'_>, root: &mut Fields<'_>) -> Vec<World> {
    let mut out: Vec<World> = Vec::new();
    for (entry, mut f) in root.tables(r, "worlds", "a world to compare with").into_iter().enumerate() {
        let span = f.span;
        let before = out.len();
        let name = f.text(r, "name").unwrap_or_default();
        let scheduler = f.text(r, "scheduler");
        let allocations = f.text(r, "fair-scheduler.xml");
        let property = f.text(r, "property");
        if let Some(property) = &property {
            let full = full_name(CAPACITY, property);
            let short = property.rsplit('.').next().unwrap_or(property);
            let list = f.item("values").and_then(|(item, _)| item.as_array()).into_iter().flatten();
            for value in list.filter_map(value_text) {
                let name = if name.is_empty() { format!("{short} = {value}") } else { format!("{name} {value}") };
                let set = vec![(full.clone(), value)];
                let (scheduler, allocations) = (scheduler.clone(), allocations.clone());
                out.push(World { name, set, scheduler, allocations, entry, span });
            }
        } else {
            let table = f.table(r, "set", "settings of another world");
            let set = table.map(|mut t| property_table(r, &mut t, CAPACITY)).unwrap_or_default();
            let set: Vec<(String, String)> = set.into_iter().map(|(name, value, _)| (name, value)).collect();
            let name = match (name.is_empty(), &scheduler) {
                (true, Some(scheduler)) => scheduler.clone(),
                _ => name,
            };
            let different = !set.is_empty() || scheduler.is_some() || allocations.is_some();
            if !name.is_empty() && different {
                out.push(World { name, set, scheduler, allocations, entry, span });
            }
        }
        if out.len() == before {
            let mend = "Write `property` and `values = [1, 2]`, or `name` and `set = { … }`.";
            r.error(span, "This world says nothing that is different in it.", mend);
        }
        f.finish(r);
    }
    if let Some(first) = out.get(limits::WORLDS) {
        let what = format!("There are {} worlds to compare with; {} are enough.", out.len(), limits::WORLDS);
        r.error(first.span, what, "Take some away.");
        out.truncate(limits::WORLDS);
    }
    out
}
