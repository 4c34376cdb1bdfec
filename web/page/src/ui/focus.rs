//! Keeps the focus in place: if its element is removed or disabled, the nearest control gets it.

use super::dom::document;
use std::cell::RefCell;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// An element that had the focus, and its surroundings.
#[derive(Clone)]
pub struct FocusPlace {
    element: HtmlElement,
    /// The enclosing elements, the innermost first.
    around: Vec<Element>,
    /// The element's centre on the screen.
    middle: (f64, f64),
}

thread_local! {
    /// The selector of something that is being added.
    static NEW: RefCell<Option<String>> = const { RefCell::new(None) };
    static LAST: RefCell<Option<FocusPlace>> = const { RefCell::new(None) };
}

fn middle(element: &Element) -> (f64, f64) {
    let r = element.get_bounding_client_rect();
    (r.x() + r.width() / 2.0, r.y() + r.height() / 2.0)
}

/// Records the focused element. Dialogs and popovers restore the focus themselves.
pub fn note(element: HtmlElement) {
    if element.closest("dialog, .pop").ok().flatten().is_some() {
        return;
    }
    let around = std::iter::successors(element.parent_element(), |e| e.parent_element()).collect();
    let middle = middle(&element);
    LAST.set(Some(FocusPlace { element, around, middle }));
}

fn last() -> Option<FocusPlace> {
    LAST.with_borrow(Clone::clone)
}

/// Returns the focused element.
pub fn here() -> Option<FocusPlace> {
    let active = document().active_element();
    last().filter(|place| active.is_some_and(|a| a.is_same_node(Some(&place.element))))
}

/// Moves the focus to what this selector finds, as soon as it is drawn.
pub fn expect(css: Option<String>) {
    NEW.set(css);
}

/// Moves the focus to the new thing, once it is there.
fn welcome() {
    let found = NEW.with_borrow(|css| document().query_selector(css.as_ref()?).ok().flatten());
    if let Some(element) = found.and_then(|e| e.dyn_into::<HtmlElement>().ok()) {
        NEW.set(None);
        let _ = element.focus();
    }
}

/// Moves the focus to the nearest control if its last element can no longer have it.
pub fn mend() {
    welcome();
    let nowhere = document().active_element().is_none_or(|e| e.tag_name() == "BODY");
    if let Some(place) = last().filter(|_| nowhere)
        && !place.can()
    {
        place.back();
    }
}

impl FocusPlace {
    fn can(&self) -> bool {
        self.element.is_connected() && !self.element.matches(":disabled").unwrap_or(false)
    }

    /// Focuses the element, or the one nearest to where it was.
    pub fn back(&self) {
        if self.can() {
            let _ = self.element.focus();
            return;
        }
        if let Some(next) = self.around.iter().filter(|a| a.is_connected()).find_map(|a| self.nearest(a)) {
            let _ = next.focus();
        }
    }

    fn nearest(&self, inside: &Element) -> Option<HtmlElement> {
        let list = inside.query_selector_all(":is(button,input,select,textarea,summary):not(:disabled)").ok()?;
        let far = |e: &HtmlElement| {
            let (x, y) = middle(e);
            // An element in the same line is better than one above or below; and a field would open a phone's keyboard.
            let field = if matches!(e.tag_name().as_str(), "INPUT" | "TEXTAREA") { 300.0 } else { 0.0 };
            (x - self.middle.0).abs() + 3.0 * (y - self.middle.1).abs() + field
        };
        (0..list.length())
            .filter_map(|i| list.get(i)?.dyn_into::<HtmlElement>().ok())
            .filter(|e| e.offset_width() > 0)
            .min_by(|a, b| far(a).total_cmp(&far(b)))
    }
}
