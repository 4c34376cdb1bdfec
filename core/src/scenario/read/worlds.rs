//! Reads `[[worlds]]`: either a property with a list of values, each of which is a world, or several settings under one
//! name.

use super::super::world::{SetAt, World};
use super::fields::{Fields, Reader};
use super::settings::{CAPACITY, full_name, property_table, value_text};
use crate::model::{Span, limits};

/// The fix for a value that is not a property's.
const VALUE: &str = "Write a text, a number or true or false.";

/// Reads all worlds in the order written.
pub fn worlds(r: &mut Reader<'_>, root: &mut Fields<'_>) -> Vec<World> {
    let mut out: Vec<World> = Vec::new();
    for (entry, mut f) in root.tables(r, "worlds", "a world to compare with").into_iter().enumerate() {
        let span = f.span;
        let before = out.len();
        let name = f.text(r, "name").unwrap_or_default();
        let (scheduler, scheduler_at) = f.text_at(r, "scheduler").unzip();
        let (allocations, allocations_at) = f.text_at(r, "fair-scheduler.xml").unzip();
        let property = f.text_at(r, "property");
        let like = World { scheduler, allocations, entry, span, scheduler_at, allocations_at, ..World::default() };
        if let Some((property, property_at)) = &property {
            let full = full_name(CAPACITY, property);
            let short = property.rsplit('.').next().unwrap_or(property);
            let list = f.item("values").and_then(|(item, _)| item.as_array()).into_iter().flatten();
            for value in list {
                let at = value.span().map_or(span, |s| Span::new(s.start, s.end));
                let Some(value) = value_text(value) else {
                    r.error(at, format!("`values` of `{property}` holds no property value."), VALUE);
                    continue;
                };
                let name = if name.is_empty() { format!("{short} = {value}") } else { format!("{name} {value}") };
                let set_at = vec![SetAt { name: *property_at, value: at }];
                out.push(World { name, set: vec![(full.clone(), value)], set_at, ..like.clone() });
            }
        } else {
            let table = f.table(r, "set", "settings of another world");
            let set = table.map(|mut t| property_table(r, &mut t, CAPACITY)).unwrap_or_default();
            let set_at = set.iter().map(|(_, _, at)| SetAt { name: *at, value: *at }).collect();
            let set: Vec<(String, String)> = set.into_iter().map(|(name, value, _)| (name, value)).collect();
            let name = match (name.is_empty(), &like.scheduler) {
                (true, Some(scheduler)) => scheduler.clone(),
                _ => name,
            };
            let different = !set.is_empty() || like.scheduler.is_some() || like.allocations.is_some();
            if !name.is_empty() && different {
                out.push(World { name, set, set_at, ..like });
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
