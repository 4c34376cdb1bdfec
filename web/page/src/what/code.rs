//! A text with a coloured layer behind it: a plain `<textarea>`, so that all browser features for text work. Typed text
//! appears at once; its colours come with the next form, and the old ones move with their letters until then.

use crate::store::{Go, Msg};
use crate::ui::hover;
use heddle_view::Change;
use heddle_view::form::{Code, CodeSpan, Ink, Source, fingerprint};
use std::rc::Rc;
use web_sys::{HtmlElement, HtmlTextAreaElement};
use yew::prelude::*;

/// The length above which the layer is left out, because colouring on every key would be noticeable.
const COLOURED_MAX: usize = 120_000;
/// The length above which there is no field: browsers lay out a field's whole text at once, which takes a minute for 15 MB.
pub const TYPED_MAX: usize = 1 << 18;

#[derive(Properties, PartialEq)]
pub struct Props {
    pub code: Code,
    pub document: Rc<str>,
    /// The id of its list of problems.
    pub problems: Option<String>,
    /// The callback for messages.
    pub go: Go,
}

/// Typed and unanswered text, and the text of the colours.
#[derive(Default)]
struct Typed {
    /// The text of the last form.
    answered: String,
    /// The whole text after each keystroke since.
    sent: Vec<String>,
    /// The text that the marks belong to.
    marked: Rc<str>,
}

impl Typed {
    /// Takes a form's text: an answer to typed text, or a change made elsewhere, which takes precedence.
    fn settle(&mut self, text: &str) {
        if self.answered == text {
            return;
        }
        self.answered = text.to_owned();
        match self.sent.iter().position(|t| t == text) {
            Some(at) => drop(self.sent.drain(..=at)),
            None => self.sent.clear(),
        }
    }
}

#[component]
pub fn Editor(props: &Props) -> Html {
    let code = &props.code;
    let typed = use_mut_ref(Typed::default);
    let again = use_force_update();
    let layer = use_node_ref();
    let onscroll = {
        let layer = layer.clone();
        move |e: Event| {
            let area: HtmlTextAreaElement = e.target_unchecked_into();
            if let Some(layer) = layer.cast::<HtmlElement>() {
                layer.set_scroll_top(area.scroll_top());
                layer.set_scroll_left(area.scroll_left());
            }
        }
    };
    let (text, marks) = {
        let mut typed = typed.borrow_mut();
        let text: Rc<str> = match &code.text {
            Source::Document(print) => {
                let text = props.document.clone();
                let marked = Rc::ptr_eq(&typed.marked, &text);
                if !marked && text.len() <= COLOURED_MAX && fingerprint(&text) == *print {
                    typed.marked = text.clone();
                }
                text
            }
            Source::Text(text) => {
                typed.settle(text);
                typed.marked = text.as_str().into();
                typed.sent.last().unwrap_or(text).as_str().into()
            }
        };
        let coloured = text.len() <= COLOURED_MAX;
        let marks = if coloured { carried(&typed.marked, &text, &code.marks) } else { vec![] };
        (text, marks)
    };
    let oninput = {
        let (code, go) = (code.clone(), props.go.clone());
        move |e: InputEvent| {
            let text = e.target_unchecked_into::<HtmlTextAreaElement>().value();
            if code.edit.change == Change::Text {
                return go.emit(Msg::Edit { text, what: code.edit.what.clone() });
            }
            typed.borrow_mut().sent.push(text.clone());
            again.force_update();
            go.emit(Msg::Change { edit: code.edit.clone(), typed: text });
        }
    };
    if text.len() > TYPED_MAX {
        return html! { <p class="soft">{ "Too long for a field: save it as a file, and drop that here." }</p> };
    }
    let coloured = text.len() <= COLOURED_MAX;
    let class = classes!(
        "code",
        if code.long { "long" } else { "fit" },
        code.error.then_some("err"),
        (!coloured).then_some("plain")
    );
    // The clause under the pointer or the caret, in a text with clauses.
    let clauses: Vec<(usize, usize, usize)> = marks.iter().filter_map(|m| Some((m.start, m.end, m.number?))).collect();
    let onpointermove =
        (!clauses.is_empty()).then(|| Callback::from(|e: PointerEvent| hover::under(e.client_x(), e.client_y())));
    let onkeyup = (!clauses.is_empty()).then(|| {
        Callback::from(move |e: KeyboardEvent| {
            let area: HtmlTextAreaElement = e.target_unchecked_into();
            let units = area.selection_start().ok().flatten().unwrap_or(0) as usize;
            let at = byte_at(&area.value(), units);
            hover::clause(clauses.iter().find(|(start, end, _)| (*start..=*end).contains(&at)).map(|c| c.2));
        })
    });
    html! {
        <div {class}>
            if coloured {
                <pre aria-hidden="true" ref={layer}>{ nested(&text, 0, text.len(), &mut marks.iter().peekable()) }{ "\n" }</pre>
            }
            <textarea aria-label={code.label.clone()} aria-invalid={code.error.to_string()} aria-describedby={props.problems.clone()} spellcheck="false" autocomplete="off" autocapitalize="off"
                rows="1" wrap={if code.long { "off" } else { "soft" }} value={text.to_string()} {oninput} {onscroll} {onpointermove} {onkeyup}/>
        </div>
    }
}

/// Returns the byte offset after so many UTF-16 units.
fn byte_at(text: &str, units: usize) -> usize {
    let mut left = units;
    let at = text.char_indices().find(|(_, c)| {
        let here = left == 0;
        left = left.saturating_sub(c.len_utf16());
        here
    });
    at.map_or(text.len(), |(at, _)| at)
}

/// Moves the stretches of `old` into a text that one change made of it: those around the change move along, one that contains
/// it grows or shrinks, one that it cuts is dropped.
fn carried(old: &str, new: &str, marks: &[CodeSpan]) -> Vec<CodeSpan> {
    if old == new {
        return marks.to_vec();
    }
    let same = |(a, b): &(u8, u8)| a == b;
    let before = old.bytes().zip(new.bytes()).take_while(same).count();
    let most = old.len().min(new.len()) - before;
    let after = old.bytes().rev().zip(new.bytes().rev()).take_while(same).count().min(most);
    let (gone, shift) = (old.len() - after, new.len() as isize - old.len() as isize);
    let shifted = |at: usize| at.saturating_add_signed(shift);
    let carry = |m: &CodeSpan| match (m.start, m.end) {
        (_, end) if end <= before => Some(*m),
        (start, end) if start >= gone => Some(CodeSpan { start: shifted(start), end: shifted(end), ..*m }),
        (start, end) if start <= before && end >= gone => Some(CodeSpan { end: shifted(end), ..*m }),
        _ => None,
    };
    marks.iter().filter_map(carry).collect()
}

fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Draws the text with its stretches, outer ones around inner ones.
fn nested<'a>(
    text: &str,
    from: usize,
    to: usize,
    marks: &mut std::iter::Peekable<impl Iterator<Item = &'a CodeSpan>>,
) -> Html {
    let mut out = Vec::new();
    let mut at = from;
    while let Some(mark) = marks.peek().filter(|m| m.start < to).copied() {
        marks.next();
        let (start, end) = (boundary(text, mark.start.max(at)), boundary(text, mark.end.min(to)));
        if start >= end {
            continue;
        }
        out.push(html! { { &text[at..start] } });
        let inner = nested(text, start, end, marks);
        let class = match mark.kind {
            Ink::Error => "squig",
            Ink::Warning => "squig warn",
            Ink::Tag => "tag",
            Ink::Word => "kw",
            Ink::Clause => "cl",
            Ink::Stops => "cl bad",
        };
        out.push(html! { <span {class} data-clause={mark.number.map(|n| n.to_string())}>{ inner }</span> });
        at = end;
    }
    out.push(html! { { &text[boundary(text, at)..boundary(text, to)] } });
    html! { { for out } }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stretch(start: usize, end: usize) -> CodeSpan {
        CodeSpan { start, end, kind: Ink::Word, number: None }
    }

    #[test]
    fn colours_go_along_with_what_is_typed() {
        let marks = [stretch(0, 2), stretch(3, 8), stretch(4, 6), stretch(9, 11)];
        let after = |new: &str| -> Vec<(usize, usize)> {
            carried("ab cdefg hi", new, &marks).iter().map(|m| (m.start, m.end)).collect()
        };
        assert_eq!(after("ab cdefg hi"), [(0, 2), (3, 8), (4, 6), (9, 11)]);
        assert_eq!(after("ab cdefXg hi"), [(0, 2), (3, 9), (4, 6), (10, 12)], "inside the outer one");
        assert_eq!(after("ab c hi"), [(0, 2), (3, 4), (5, 7)], "what is taken out loses its own");
        assert_eq!(after("ab hi"), [(0, 2), (3, 5)]);
        assert_eq!(after(""), []);
        assert_eq!(carried("aa", "aaa", &[stretch(0, 1)]), [stretch(0, 1)]);
    }

    #[test]
    fn an_answer_to_an_earlier_letter_takes_nothing_back() {
        let mut typed = Typed::default();
        typed.settle("x");
        typed.sent = vec!["xa".into(), "xab".into()];
        typed.settle("x");
        assert_eq!(typed.sent, ["xa", "xab"], "nothing new");
        typed.settle("xa");
        assert_eq!(typed.sent, ["xab"]);
        typed.settle("xab");
        assert!(typed.sent.is_empty());
        typed.sent = vec!["xabc".into()];
        typed.settle("undone");
        assert!(typed.sent.is_empty(), "a change made elsewhere");
    }

    #[test]
    fn a_caret_counts_as_browsers_do() {
        assert_eq!((byte_at("aä😀b", 2), byte_at("aä😀b", 4), byte_at("a", 9)), (3, 7, 1));
    }
}
