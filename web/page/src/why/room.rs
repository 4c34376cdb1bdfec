//! The room of WHY: what does not fit above the first advice is folded, part by part, so that the advice is in sight.

use gloo::timers::callback::Timeout;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

/// Marks a part that a person has opened or closed.
pub const CHOSEN: &str = "data-chosen";

/// The parts in the order in which they give way: history first, what decides on nodes last.
const ORDER: [&str; 5] = ["causes", "waits-for", "preemption", "taken", "nodes"];

/// The room for the heading and one advice, in pixels, which is kept before any advice is found.
const KEPT: f64 = 96.0;

/// Folds what does not fit after each drawing. What is folded stays so for this `subject`, so that time moves nothing here;
/// another subject, or another size of the panel, begins with everything open.
#[hook]
pub fn use_room<S: PartialEq + 'static>(panel: &NodeRef, subject: S) {
    let watching = use_mut_ref(|| None::<(Element, web_sys::ResizeObserver, Closure<dyn FnMut()>)>);
    use_effect_with(subject, {
        let panel = panel.clone();
        move |_| {
            if let Some(panel) = panel.cast::<HtmlElement>() {
                open(&panel);
            }
        }
    });
    use_effect({
        let (panel, watching) = (panel.clone(), watching.clone());
        move || {
            let panel = panel.cast::<HtmlElement>();
            if let Some(panel) = &panel {
                fit(panel);
            }
            watch(panel, &watching);
        }
    });
    use_effect_with((), move |()| move || watch(None, &watching));
}

type Watching = Rc<RefCell<Option<(Element, web_sys::ResizeObserver, Closure<dyn FnMut()>)>>>;

/// Watches the size of this panel, and of no other one.
fn watch(panel: Option<HtmlElement>, watching: &Watching) {
    let mut slot = watching.borrow_mut();
    if slot.as_ref().map(|(e, ..)| e) == panel.as_deref() {
        return;
    }
    if let Some((_, old, _)) = slot.take() {
        old.disconnect();
    }
    let Some(panel) = panel else { return };
    let again = {
        let panel = panel.clone();
        let known = Rc::new(Cell::new(size(&panel)));
        // Later: where the panel is as high as its content, folding changes what is being observed.
        Closure::<dyn FnMut()>::new(move || {
            let (panel, known) = (panel.clone(), known.clone());
            Timeout::new(0, move || {
                // A scroll bar that comes or goes is no other size.
                if known.replace(size(&panel)) == size(&panel) {
                    return;
                }
                open(&panel);
                fit(&panel);
            })
            .forget();
        })
    };
    if let Ok(observer) = web_sys::ResizeObserver::new(again.as_ref().unchecked_ref()) {
        observer.observe(&panel);
        *slot = Some((panel.into(), observer, again));
    }
}

fn size(panel: &HtmlElement) -> (i32, i32) {
    (panel.offset_width(), panel.offset_height())
}

/// Returns a part that nobody has opened or closed.
fn part(panel: &Element, name: &str) -> Option<Element> {
    panel.query_selector(&format!("[data-part={name}]:not([{CHOSEN}])")).ok().flatten()
}

fn open(panel: &Element) {
    for part in ORDER.iter().filter_map(|name| part(panel, name)) {
        let _ = part.set_attribute("open", "");
    }
}

fn fit(panel: &HtmlElement) {
    for name in ORDER {
        if !hides_advice(panel) {
            return;
        }
        if let Some(part) = part(panel, name) {
            let _ = part.remove_attribute("open");
        }
    }
}

/// Returns whether the first advice, or the room that is kept for it, ends below the panel.
fn hides_advice(panel: &HtmlElement) -> bool {
    let Ok(Some(help)) = panel.query_selector(".helps") else { return false };
    let first = panel.query_selector(".help li").ok().flatten();
    let kept = help.get_bounding_client_rect().top() + KEPT;
    let end = first.map_or(kept, |li| li.get_bounding_client_rect().bottom().max(kept));
    let top = panel.get_bounding_client_rect().top() - f64::from(panel.scroll_top());
    end - top > f64::from(panel.client_height())
}
