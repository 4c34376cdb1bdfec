//! Draws the parts of a form.

use super::adder::Adding;
use super::code::Editor;
use super::field::{control, property};
use super::lists;
use super::queues::QueueTree;
use crate::store::{ColourBy, Effect, Go, Msg, Palette};
use crate::ui::rich::rich;
use heddle_view::Edit;
use heddle_view::form::{Button, Export, Field, GroupShape, Head, Note, Part, Tone};
use std::rc::Rc;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// What drawing the parts needs.
pub struct Draw<'a> {
    /// The callback for messages.
    pub go: &'a Go,
    pub text: &'a Rc<str>,
    /// The colours assigned so far.
    pub palette: &'a Palette,
    /// The meaning of fills.
    pub by: ColourBy,
}

/// Draws a part outside the panel.
pub fn alone(part: &Part, go: &Go) -> Html {
    Draw { go, text: &Rc::from(""), palette: &Palette::default(), by: ColourBy::App }.part(part, None)
}

impl Draw<'_> {
    /// Draws parts one after the other. Each has a key, so that it persists when one before it comes or goes.
    pub fn parts(&self, parts: &[Part]) -> Html {
        let mut seen: Vec<String> = Vec::new();
        // A text's problems describe it.
        let problems = parts.iter().find_map(|part| match part {
            Part::Problems { of, .. } => Some(lists::problems_id(of)),
            _ => None,
        });
        let keyed = parts.iter().map(|part| {
            let key = key_of(part);
            let before = seen.iter().filter(|k| **k == key).count();
            let part = html! { <key={format!("{key} {before}")}>{ self.part(part, problems.as_ref()) }</> };
            seen.push(key);
            part
        });
        html! { { for keyed } }
    }

    /// Returns a callback that sends an edit with the typed text.
    fn on(&self, edit: &Edit) -> Callback<String> {
        let edit = edit.clone();
        self.go.reform(move |typed| Msg::Change { edit: edit.clone(), typed })
    }

    fn part(&self, part: &Part, problems: Option<&String>) -> Html {
        match part {
            Part::Note(note) => words(note),
            Part::Heading(text) => html! { <h3 class="h3">{ text }</h3> },
            Part::Empty { title, text } => html! { <div class="empty"><b>{ title }</b><span>{ text }</span></div> },
            Part::Fields(fields) => self.fields(fields),
            Part::Group { shape, head, parts, .. } => self.group(*shape, head.as_ref(), parts),
            Part::Head(head) => self.head(head),
            Part::Row { buttons, note } => html! {
                <div class="row">{ for buttons.iter().map(|b| self.button(b)) }if !note.is_empty() { <span class="eyebrow">{ note }</span> }</div>
            },
            Part::Button(button) => self.button(button),
            Part::Line { field, button, clear } => self.line(field, button, *clear),
            Part::Property(p) => {
                let class = classes!("prop", p.set.then_some("set"));
                let title = (!p.name.is_empty()).then(|| p.name.clone());
                html! { <div {class} {title}>{ property(p, self.on(&p.field.edit)) }</div> }
            }
            Part::Details { summary, parts, .. } => {
                html! { <details><summary class="h3">{ summary }</summary>{ self.parts(parts) }</details> }
            }
            Part::Ask { title, text, answers } => html! {
                <div class="ask"><b>{ title }</b><span>{ text }</span><div class="row">{ for answers.iter().map(|b| self.button(b)) }</div></div>
            },
            Part::Apps { list, more } => lists::apps(list, *more, self.palette, self.by),
            Part::Queues(list) => {
                let fills: Vec<_> = list.iter().map(|q| self.palette.of_queue(self.by, &q.path)).collect();
                html! { <QueueTree list={list.clone()} {fills}/> }
            }
            Part::Refreshes { refresh, note, list } => lists::refreshes(*refresh, note, list, self.go),
            Part::Adder(adder) => html! { <Adding adder={(**adder).clone()} go={self.go.clone()}/> },
            Part::Code(code) => {
                html! { <Editor code={code.clone()} document={self.text.clone()} problems={problems.cloned()} go={self.go.clone()}/> }
            }
            Part::Caret(line) => {
                html! { <pre class="caret mono" aria-hidden="true">{ line }<b>{ "^" }</b></pre> }
            }
            Part::Problems { of, list, more } => lists::problems(of, list, *more, |b| self.button(b)),
            Part::Kept(list) => lists::kept(list),
            Part::Reads(lines) => lists::reads(lines),
            Part::Target { fields, remove } => self.target(fields, remove),
            Part::Export(export) => self.export(export),
        }
    }

    fn group(&self, shape: GroupShape, head: Option<&Head>, parts: &[Part]) -> Html {
        let first = head.map(|h| match shape {
            GroupShape::Legend => html! { <legend class="sub">{ self.in_head(h) }</legend> },
            _ => self.head(h),
        });
        let inner = html! { <>{ for first }{ self.parts(parts) }</> };
        let class = match shape {
            GroupShape::Legend | GroupShape::Frame => return html! { <fieldset class="group">{ inner }</fieldset> },
            GroupShape::Plain => None,
            GroupShape::Build => Some("build"),
            GroupShape::Part => Some("part"),
            GroupShape::Text => Some("wtext"),
        };
        html! { <div {class}>{ inner }</div> }
    }

    fn head(&self, head: &Head) -> Html {
        html! { <div class="sub">{ self.in_head(head) }</div> }
    }

    fn in_head(&self, head: &Head) -> Html {
        html! {
            <>
                if !head.title.is_empty() { <h3 class="h3">{ &head.title }</h3> }
                if !head.note.is_empty() { <span class="eyebrow">{ &head.note }</span> }
                { for head.name.iter().map(|name| control(name, None, self.on(&name.edit))) }
                if !head.fields.is_empty() { { self.fields(&head.fields) } }
                { for head.button.iter().map(|b| self.button(b)) }
            </>
        }
    }

    fn fields(&self, fields: &[Field]) -> Html {
        let one = |f: &Field| html! { <key={f.id.clone()}><label for={f.id.clone()}>{ &f.label }</label>{ control(f, None, self.on(&f.edit)) }</> };
        html! { <div class="fields">{ for fields.iter().map(one) }</div> }
    }

    fn button(&self, b: &Button) -> Html {
        let (class, text) = if b.text.is_empty() { ("x", "✕") } else { ("btn edge sm", b.text.as_str()) };
        let label = (!b.label.is_empty()).then(|| b.label.clone());
        let (on, go, typed, select) = (self.on(&b.edit), self.go.clone(), b.typed.clone(), b.select.clone());
        let onclick = move |_: MouseEvent| {
            on.emit(typed.clone());
            if select.is_some() {
                go.emit(Msg::Select(select.clone()));
            }
        };
        html! { <button type="button" {class} aria-label={label} {onclick}>{ text }</button> }
    }

    /// Draws a line that is submitted.
    fn line(&self, field: &Field, button: &str, clear: bool) -> Html {
        let on = self.on(&field.edit);
        let input = NodeRef::default();
        let onsubmit = {
            let input = input.clone();
            move |e: SubmitEvent| {
                e.prevent_default();
                let Some(input) = input.cast::<HtmlInputElement>() else { return };
                on.emit(input.value());
                if clear {
                    input.set_value("");
                }
            }
        };
        html! {
            <form class="row" {onsubmit}>
                <input class="in" id={field.id.clone()} ref={input} aria-label={field.label.clone()} placeholder={field.placeholder.clone()} spellcheck="false" autocomplete="off"/>
                <button type="submit" class="btn edge sm">{ button }</button>
            </form>
        }
    }

    fn target(&self, fields: &[Field], remove: &Button) -> Html {
        let one = |f: &Field| html! { <key={f.label.clone()}>{ control(f, None, self.on(&f.edit)) }</> };
        html! { <div class="target"><>{ for fields.iter().map(one) }</>{ self.button(remove) }</div> }
    }

    fn export(&self, export: &Export) -> Html {
        let act = |label: &'static str, effect: Effect| {
            let onclick = self.go.reform(move |_: MouseEvent| Msg::Do(effect.clone()));
            html! { <button type="button" class="btn edge sm" {onclick}>{ label }</button> }
        };
        let save = |name: &str, label, text: &str| act(label, Effect::Save { name: name.into(), text: text.into() });
        let copy = |label: &'static str, text: &str| act(label, Effect::Copy { text: text.into(), what: label.into() });
        let change = match &export.change {
            None => html! {
                <p class="eyebrow">{ "Nothing differs from what was opened: there is no change to send to a ResourceManager." }</p>
            },
            Some((json, xml)) => html! {
                <>
                    <p class="eyebrow">{ "The change since it was opened, for PUT /ws/v1/cluster/scheduler-conf or yarn schedulerconf:" }</p>
                    <div class="snip" id="mutation" tabindex="0" role="region" aria-label="Change as JSON">{ json }</div>
                    <div class="row">{ copy("Copy JSON", json) }{ copy("Copy XML", xml) }{ save("scheduler-conf.json", "Save JSON", json) }{ save("scheduler-conf.xml", "Save XML", xml) }</div>
                </>
            },
        };
        html! {
            <details class="export"><summary class="h3">{ "Take it away" }</summary>
                <div class="row">{ save("capacity-scheduler.xml", "Save capacity-scheduler.xml", &export.file) }{ copy("Copy it", &export.file) }</div>
                { change }
            </details>
        }
    }
}

fn key_of(part: &Part) -> String {
    match part {
        Part::Group { key, .. } => format!("group {key}"),
        Part::Details { key, .. } => format!("details {key}"),
        Part::Property(p) => format!("property {} {}", p.name, p.field.id),
        Part::Adder(a) => format!("adder {}", a.draft.owner),
        Part::Code(c) => format!("code {}", c.label),
        Part::Line { field, .. } => format!("line {}", field.label),
        other => format!("{:?}", std::mem::discriminant(other)),
    }
}

fn words(note: &Note) -> Html {
    let class = if note.tone == Tone::Soft { "soft" } else { "eyebrow" };
    let role = (note.tone == Tone::Status).then_some("status");
    html! { <p {class} {role}>{ rich(&note.text) }if !note.aside.is_empty() { { " " }<span class="dim">{ &note.aside }</span> }</p> }
}
