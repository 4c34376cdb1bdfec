//! One property as a field: its help, default and check from the table of descriptors.

use super::named::Named;
use super::{Editor, PREFIX, Target};
use crate::forms::make;
use heddle_core::config::check::Report;
use heddle_core::config::properties::{self, Property as Row, Support};
use heddle_view::form::{Control, Field, Note, Part, Property, Tone};
use heddle_view::{Edit, Problem, QueueChange, QueueView, Severity};

/// The owner of properties: a queue, or the whole scheduler.
#[derive(Clone, Copy)]
pub struct Owner<'a> {
    pub e: &'a Editor<'a>,
    /// The target of changes.
    pub target: &'a Target,
    pub queue: Option<&'a QueueView>,
    /// The report on the file.
    pub found: Option<&'a Report>,
}

/// Longer values are shown on several lines.
const LINE: usize = 34;

impl Owner<'_> {
    /// Returns a property's full name.
    fn key(&self, name: &str) -> String {
        match self.queue {
            Some(q) => format!("{PREFIX}{}.{name}", q.path),
            None => format!("{PREFIX}{name}"),
        }
    }

    /// Returns a property's value as written.
    pub fn value(&self, name: &str) -> String {
        self.target.properties.get(&self.key(name)).cloned().unwrap_or_default()
    }

    /// Returns the rows of properties with fixed names.
    pub fn plain(&self, list: &[&'static Row]) -> Vec<Part> {
        list.iter().map(|p| self.row(p.name, p, p)).collect()
    }

    /// Returns the rows of properties with a name in their names.
    pub fn named(&self, list: &[Named]) -> Vec<Part> {
        list.iter().map(|n| self.row(&n.name, n.property, n.by)).collect()
    }

    /// Returns a property's row: `name` here, its description `p`, and that of the template that sets it, `by`.
    fn row(&self, name: &str, p: &'static Row, by: &'static Row) -> Part {
        let (full, value) = (self.key(name), self.value(name));
        let of = self.queue.map_or("all queues", |q| q.name.as_str());
        let change = QueueChange::Property { name: full.clone(), blank: p.takes_blank() };
        let edit = self.target.edit(&format!("{name} of {of}"), change);
        let wrong: Vec<&Problem> = self.found.into_iter().flat_map(|f| f.of(&full)).collect();
        let (start, itself) = (format!("{full}: "), format!(" ({full})"));
        let mut notes = Vec::new();
        for w in wrong.iter().filter(|w| w.severity > Severity::Note) {
            let tone = if w.severity == Severity::Error { Tone::Rejected } else { Tone::Waiting };
            let what = w.what.strip_prefix(&start).unwrap_or(&w.what).replace(&itself, "");
            notes.push(make::note(what, tone));
            if !w.mend.is_empty() {
                notes.push(make::note(w.mend.clone(), Tone::Small));
            }
        }
        notes.extend(said(p, &value, wrong.is_empty()));
        let id = format!("{}-{name}", if self.queue.is_some() { "q" } else { "all" });
        let invalid = notes.iter().any(|n| n.tone == Tone::Rejected);
        Part::Property(Property {
            field: Field { invalid, ..field(id, name, p, &value, edit) },
            unit: p.unit.into(),
            set: !value.is_empty(),
            name: full,
            notes,
            help: help(p, by),
        })
    }
}

/// Returns the field of a value.
pub fn field(id: String, label: &str, p: &'static Row, value: &str, edit: Edit) -> Field {
    let words = p.choices();
    let chosen = !words.is_empty() && (value.is_empty() || words.contains(&value));
    let control = if chosen {
        // A class is shown by the last part of its name.
        let short = |word: &str| word.rsplit('.').next().unwrap_or_default().to_owned();
        let none = if p.default.is_empty() { "not set".to_owned() } else { format!("{} (default)", short(p.default)) };
        let words = words.iter().map(|w| (w.to_string(), short(w)));
        Control::Choice([(String::new(), none)].into_iter().chain(words).collect())
    } else if value.len() > LINE || value.contains('\n') {
        Control::Lines(value.lines().map(|line| 1 + line.len() / LINE).sum::<usize>().clamp(2, 12))
    } else {
        Control::Line
    };
    Field {
        id,
        control,
        invalid: !chosen && !value.is_empty() && properties::check(p, value).is_err(),
        ..make::field("", label, value, p.default, edit)
    }
}

/// Returns the problem of a value, if nothing else reports it (`say`), and the meaning of a single blank.
pub fn said(p: &'static Row, value: &str, say: bool) -> Vec<Note> {
    let bad = (say && !value.is_empty()).then(|| properties::check(p, value).err()).flatten();
    let bad = bad.map(|bad| make::note(format!("{} {}", bad.what, bad.mend), Tone::Rejected));
    let blank = !value.is_empty() && value.trim().is_empty();
    bad.into_iter().chain(blank.then(|| make::note("One blank: nobody, none.", Tone::Strong))).collect()
}

/// Returns the help; `by` is the template that sets the property, if there is one.
pub fn help(p: &'static Row, by: &'static Row) -> String {
    let since = if by.since.is_empty() { String::new() } else { format!(" Since {}.", by.since) };
    let kept = if p.support == Support::Kept { " Kept, but nothing here hangs on it." } else { "" };
    let template = if p.name == by.name { String::new() } else { format!("{} ", by.help) };
    format!("{template}{}{since}{kept}", p.help)
}
