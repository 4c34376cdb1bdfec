//! Keeping and passing on: links, drafts, files, examples.

pub mod drafts;
pub mod examples;
pub mod import;
mod mutation;
mod report;

use crate::store::{ColourBy, Doc, Msg, Notice, Opening, Shared, Under, View};
use crate::ui::dom;
use heddle_core::scenario::link;
use std::cell::RefCell;
use std::rc::Rc;

/// What the page starts with.
pub struct Start {
    /// The scenario.
    pub text: String,
    /// What is looked at in it.
    pub view: Option<Box<View>>,
    /// What has to be said about it.
    pub notice: Option<Notice>,
}

/// The fragment of the address, without `#`.
fn fragment() -> String {
    dom::window().location().hash().unwrap_or_default().trim_start_matches('#').to_owned()
}

/// The view that is kept on this machine, and the scenario: of the address, else the one last worked on after a reload,
/// else the first example, with the last draft offered.
pub fn start() -> (View, Start) {
    let mut base = View { theme: drafts::theme(), ..View::default() };
    let fragment = fragment();
    let fragment = match fragment.strip_prefix("embed") {
        Some(rest) => {
            base.embed = true;
            rest.trim_start_matches(['/', '&', '.']).to_owned()
        }
        None => fragment,
    };
    let first = || Start { text: examples::FIRST.to_owned(), view: None, notice: None };
    if fragment == DRAFT {
        return match drafts::current() {
            Some(text) => (base, Start { text, view: None, notice: None }),
            None => (base, first()),
        };
    }
    if !fragment.is_empty() {
        let (text, view, notice) = opened(&fragment);
        return match text {
            Some(text) => (base, Start { text, view: Some(view), notice }),
            None => (base, Start { notice, ..first() }),
        };
    }
    let mut start = first();
    if let Some(draft) = drafts::list().into_iter().next().filter(|d| d.text != start.text) {
        let title =
            if draft.title.is_empty() { "your last scenario".to_owned() } else { format!("“{}”", draft.title) };
        start.notice = Some(Notice {
            text: format!("You worked on {title} here."),
            act: Some(("Open it".into(), Box::new(Msg::Open { text: draft.text, how: Opening::Chosen, view: None }))),
        });
    }
    (base, start)
}

/// The fragment of a scenario that is too large for a link: it is kept on this machine only.
const DRAFT: &str = "draft";

/// What a link holds: text, view, and what has to be said.
pub fn opened(text: &str) -> (Option<String>, Box<View>, Option<Notice>) {
    let opened = link::open(text);
    let view = Box::new(view_of(&opened.view));
    let notice = opened.problems.first().map(|p| {
        let gap = if p.mend.is_empty() { "" } else { " " };
        Notice { text: format!("{}{gap}{}", p.what, p.mend), act: None }
    });
    (opened.text, view, notice)
}

/// The address was changed by hand, or a link was pasted over it.
pub fn from_address() -> Option<Msg> {
    let fragment = fragment();
    if fragment.is_empty() || fragment == DRAFT || drafts::is_written(&fragment) {
        return None;
    }
    let (text, view, notice) = opened(&fragment);
    Some(match text {
        Some(text) => Msg::Open { text, how: Opening::Start, view: Some(view) },
        None => Msg::Notice(notice),
    })
}

fn view_of(linked: &link::View) -> View {
    let selection = linked.select.as_ref().and_then(|s| s.parse().ok());
    let mut view = View { goal_ms: linked.time_ms, selection, ..View::default() };
    if let Some(under) = linked.panel.as_deref().and_then(Under::named) {
        view.under = under;
    }
    if let Some(colour) = linked.colour_by.as_deref().and_then(ColourBy::named) {
        view.colour = colour;
    }
    view
}

/// The view part of a link.
pub fn link_view(view: &View) -> link::View {
    let default = View::default();
    link::View {
        time_ms: view.goal_ms,
        select: view.selection.as_ref().map(ToString::to_string),
        panel: (view.under != default.under).then(|| view.under.name().to_owned()),
        colour_by: (view.colour != default.colour).then(|| view.colour.name().to_owned()),
        ..link::View::default()
    }
}

/// A whole link to a scenario, with or without what is looked at; errors in words.
pub fn link_to(text: &str, view: Option<&View>) -> Result<String, String> {
    let view = view.map(link_view).unwrap_or_default();
    let fragment = link::write(text, &view, None).map_err(|p| format!("{} {}", p.what, p.mend))?;
    let location = dom::window().location();
    let address = location.href().unwrap_or_default();
    let address = address.split('#').next().unwrap_or_default();
    Ok(format!("{address}{fragment}"))
}

thread_local! {
    /// What is kept in a moment, or at once when the page is left.
    static PENDING: RefCell<Option<(Shared<Doc>, Shared<View>)>> = const { RefCell::new(None) };
}

/// Writing the address at most so often on account of edits.
const EDIT_EVERY_MS: f64 = 1000.0;

thread_local! {
    /// When an edit was last kept, and its text.
    static KEPT: RefCell<Option<(f64, Rc<str>)>> = const { RefCell::new(None) };
}

/// Keeps an edit that follows a quiet time at once. A browser that reloads takes the address of before `pagehide`, so
/// waiting would lose the edit of a moment ago.
pub fn keep_edit() {
    let now = js_sys::Date::now();
    let text = PENDING.with_borrow(|p| p.as_ref().map(|(doc, _)| doc.text.clone()));
    let Some(text) = text else { return };
    let due = KEPT.with_borrow(|k| k.as_ref().is_none_or(|(at, kept)| now - at >= EDIT_EVERY_MS && *kept != text));
    if due {
        // The first text is the one that was opened: an edit may follow it at once.
        let at = if KEPT.with_borrow(Option::is_none) { 0.0 } else { now };
        KEPT.set(Some((at, text)));
        flush();
    }
}

/// To be kept by the next [`flush`].
pub fn pending(doc: Shared<Doc>, view: Shared<View>) {
    PENDING.set(Some((doc, view)));
}

/// Keeps what is pending.
pub fn flush() {
    if let Some((doc, view)) = PENDING.take() {
        remember(&doc, &view, false);
    }
}

/// Keeps text and view: in the address, and as the current draft.
pub fn remember(doc: &Doc, view: &View, push: bool) {
    drafts::keep_current(&doc.text, doc.edited());
    if view.embed {
        return;
    }
    let pristine = !doc.edited() && doc.is_first_visit() && view.selection.is_none();
    let fragment = match link::write(&doc.text, &link_view(view), None) {
        Ok(fragment) => fragment,
        Err(_) => format!("#{DRAFT}"),
    };
    if pristine && self::fragment().is_empty() {
        return;
    }
    drafts::written(fragment.trim_start_matches('#'));
    let Ok(history) = dom::window().history() else { return };
    let nothing = wasm_bindgen::JsValue::NULL;
    // A browser may refuse more than so many changes in a time; the next one will do.
    let _ = if push {
        history.push_state_with_url(&nothing, "", Some(&fragment))
    } else {
        history.replace_state_with_url(&nothing, "", Some(&fragment))
    };
}
