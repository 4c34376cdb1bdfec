//! Short constructors of the parts of forms.

use heddle_view::form::{Button, Control, Field, GroupShape, Head, Note, Part, Tone};
use heddle_view::{Change, Edit, How, Step};

pub fn edit(what: impl Into<String>, change: Change) -> Edit {
    Edit { what: what.into(), change }
}

/// An edit that writes the typed text at a path.
pub fn put(what: impl Into<String>, path: &[Step], how: How) -> Edit {
    edit(what, Change::Put { path: path.to_vec(), how })
}

pub fn remove(what: impl Into<String>, path: &[Step]) -> Edit {
    edit(what, Change::Remove(path.to_vec()))
}

/// A field with its label beside it.
pub fn field(id: &str, label: &str, value: impl Into<String>, placeholder: &str, edit: Edit) -> Field {
    Field {
        id: format!("f-{id}"),
        label: label.into(),
        value: value.into(),
        placeholder: placeholder.into(),
        title: String::new(),
        control: Control::Line,
        live: false,
        invalid: false,
        edit,
    }
}

/// A field without an id, whose label is only for screen readers.
pub fn bare(label: &str, value: impl Into<String>, placeholder: &str, edit: Edit) -> Field {
    Field { id: String::new(), ..field("", label, value, placeholder, edit) }
}

/// A choice; options are values and their names.
pub fn choice(id: &str, label: &str, value: &str, options: &[(&str, &str)], edit: Edit) -> Field {
    let options = options.iter().map(|(value, name)| ((*value).into(), (*name).into())).collect();
    Field { control: Control::Choice(options), ..field(id, label, value, "", edit) }
}

pub fn button(text: &str, edit: Edit) -> Button {
    Button { text: text.into(), label: String::new(), edit, typed: String::new(), select: None }
}

/// A cross button that removes something.
pub fn cross(label: impl Into<String>, edit: Edit) -> Button {
    Button { label: label.into(), ..button("", edit) }
}

pub fn note(text: impl Into<String>, tone: Tone) -> Note {
    Note { text: text.into(), tone, aside: String::new() }
}

pub fn small(text: impl Into<String>) -> Part {
    Part::Note(note(text, Tone::Small))
}

pub fn status(text: impl Into<String>) -> Part {
    Part::Note(note(text, Tone::Status))
}

pub fn soft(text: impl Into<String>) -> Part {
    Part::Note(note(text, Tone::Soft))
}

pub fn row(button: Button, note: &str) -> Part {
    Part::Row { buttons: vec![button], note: note.into() }
}

pub fn group(key: impl Into<String>, shape: GroupShape, head: Option<Head>, parts: Vec<Part>) -> Part {
    Part::Group { key: key.into(), shape, head, parts }
}

pub fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}
