//! One property as a field: its help, default and check from the table of descriptors.

use super::named::Named;
use super::{Editor, PREFIX, Target};
use crate::ui::rich;
use crate::what::field::commit;
use heddle_core::config::check::Report;
use heddle_core::config::properties::{self, Property, Support};
use heddle_core::scenario::edit::Change;
use heddle_view::QueueView;
use heddle_view::{Problem, Severity};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// Whose properties: a queue's, or those of the whole scheduler.
#[derive(Clone, Copy)]
pub struct Of<'a> {
    /// The editor.
    pub e: &'a Editor<'a>,
    /// Where a change goes.
    pub target: &'a Target,
    /// The queue.
    pub queue: Option<&'a QueueView>,
    /// What is wrong with the file.
    pub found: Option<&'a Report>,
}

/// A value longer than this is shown on several lines.
const LINE: usize = 34;

impl Of<'_> {
    /// The whole name of a property.
    pub fn key(&self, name: &str) -> String {
        match self.queue {
            Some(q) => format!("{PREFIX}{}.{name}", q.path),
            None => format!("{PREFIX}{name}"),
        }
    }

    /// Its value, as it is written.
    pub fn value(&self, name: &str) -> String {
        self.target.properties.get(&self.key(name)).cloned().unwrap_or_default()
    }

    /// Properties whose names are whole.
    pub fn plain(&self, list: &[&'static Property]) -> Html {
        html! { { for list.iter().map(|p| self.row(p.name, p, p)) } }
    }

    /// Properties with a name in their name.
    pub fn named(&self, list: &[Named]) -> Html {
        html! { { for list.iter().map(|n| self.row(&n.name, n.property, n.by)) } }
    }

    /// A property: its name here, its description, and that of what gives it, where that is a template.
    fn row(&self, name: &str, p: &'static Property, by: &'static Property) -> Html {
        let (full, value) = (self.key(name), self.value(name));
        let of = self.queue.map_or("all queues", |q| q.name.as_str());
        let on = {
            let (full, to, blank) = (full.clone(), self.target.clone(), p.takes_blank());
            self.e.edit(&self.target.called(&format!("{name} of {of}")), move |t, typed| {
                to.put(t, Change::Property(&full, cut(typed, blank)))
            })
        };
        let wrong: Vec<&Problem> = self.found.into_iter().flat_map(|f| f.of(&full)).collect();
        let (start, itself) = (format!("{full}: "), format!(" ({full})"));
        let id = format!("{}-{name}", if self.queue.is_some() { "q" } else { "all" });
        html! {
                    <div class={classes!("prop", (!value.is_empty()).then_some("set"))} key={full.clone()} title={full}>
                        <div class="ph"><label for={id.clone()}>{ name.to_owned() }</label><span>{ p.unit }</span></div>
                        { field(&id, p, &value, on, false) }
                        { for wrong.iter().filter(|w| w.severity > Severity::Note).map(|w| {
                            let class = if w.severity == Severity::Error { "rejected" } else { "waiting" };
        let what = w.what.strip_prefix(&start).unwrap_or(&w.what).replace(&itself, "");
                            html! { <><span class={classes!("hp", class)}>{ rich::rich(&what) }</span>if !w.mend.is_empty() { <span class="hp">{ rich::rich(&w.mend) }</span> }</> }
                        }) }
                        { told(&id, p, by, &value, wrong.is_empty()) }
                    </div>
                }
    }
}

/// What was typed, without blanks around it; blanks alone are one where that says something.
pub fn cut(typed: &str, blank: bool) -> &str {
    match typed.trim() {
        "" if blank && !typed.is_empty() => " ",
        text => text,
    }
}

/// The field; `live`: calls with each letter, else when it is left.
pub fn field(id: &str, p: &'static Property, value: &str, on: Callback<String>, live: bool) -> Html {
    let (id, value) = (id.to_owned(), value.to_owned());
    let help = format!("{id}-help");
    let words = p.choices();
    if !words.is_empty() && (value.is_empty() || words.contains(&value.as_str())) {
        let onchange =
            Callback::from(move |ev: Event| on.emit(ev.target_unchecked_into::<HtmlSelectElement>().value()));
        // A class by the last part of its name.
        let short = |word: &str| word.rsplit('.').next().unwrap_or_default().to_owned();
        let none = if p.default.is_empty() { "not set".to_owned() } else { format!("{} (default)", short(p.default)) };
        return html! {
            <select class="in" {id} {onchange} aria-describedby={help}>
                <option value="" selected={value.is_empty()}>{ none }</option>
                { for words.iter().map(|w| html! { <option value={*w} selected={*w == value}>{ short(w) }</option> }) }
            </select>
        };
    }
    let invalid = (!value.is_empty() && properties::check(p, &value).is_err()).to_string();
    let typed = commit(on);
    let (onchange, oninput) = if live {
        (None, Some(Callback::from(move |ev: InputEvent| typed.emit(ev.into()))))
    } else {
        (Some(typed), None)
    };
    if value.len() > LINE || value.contains('\n') {
        let rows = value.lines().map(|line| 1 + line.len() / LINE).sum::<usize>().clamp(2, 12);
        return html! {
            <textarea class="in" {id} rows={rows.to_string()} value={value} spellcheck="false" autocomplete="off"
                aria-invalid={invalid} aria-describedby={help} {onchange} {oninput}/>
        };
    }
    html! {
        <input class="in" {id} value={value} placeholder={p.default} spellcheck="false" autocomplete="off"
            aria-invalid={invalid} aria-describedby={help} {onchange} {oninput}/>
    }
}

/// What is wrong with the value, if nobody has said it (`say`), and the help; `by`: what gives the property, where that is
/// a template.
pub fn told(id: &str, p: &'static Property, by: &'static Property, value: &str, say: bool) -> Html {
    let bad = (say && !value.is_empty()).then(|| properties::check(p, value).err()).flatten();
    let since = if by.since.is_empty() { String::new() } else { format!(" Since {}.", by.since) };
    let kept = if p.support == Support::Kept { " Kept, but nothing here hangs on it." } else { "" };
    let template = if p.name == by.name { String::new() } else { format!("{} ", by.help) };
    html! {
        <>
            if let Some(bad) = bad { <span class="hp rejected">{ rich::rich(&bad.what) }{ " " }{ bad.mend }</span> }
            if !value.is_empty() && value.trim().is_empty() { <span class="hp"><b>{ "One blank: nobody, none." }</b></span> }
            <span class="hp" id={format!("{id}-help")}>{ template }{ p.help }{ since }{ kept }</span>
        </>
    }
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn a_blank_is_kept_where_it_says_something() {
        assert_eq!((cut("  ", true), cut("  ", false), cut("", true), cut(" a b ", true)), (" ", "", "", "a b"));
    }
}
