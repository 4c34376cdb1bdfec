//! Shows a panic of the page, with a way to save the scenario.

use js_sys::{Function, Reflect};
use std::cell::RefCell;
use std::panic::PanicHookInfo;
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};

thread_local! {
    /// The scenario's present text.
    static TEXT: RefCell<Rc<str>> = RefCell::new("".into());
}

/// Shows panics from now on.
pub fn show() {
    yew::set_custom_panic_hook(Box::new(|info| {
        console_error_panic_hook::hook(info);
        let _ = notice(info);
    }));
}

/// Sets the text to be saved.
pub fn keep(text: &Rc<str>) {
    TEXT.with(|kept| {
        if let Ok(mut kept) = kept.try_borrow_mut()
            && !Rc::ptr_eq(&kept, text)
        {
            *kept = text.clone();
        }
    });
}

/// Lets web/boot/early.js show it, because the page's own drawing may be broken.
fn notice(info: &PanicHookInfo<'_>) -> Option<()> {
    let text = TEXT
        .with(|kept| kept.try_borrow().ok().map(|text| heddle_view::secrets::masked(&text)))
        .filter(|text| !text.is_empty());
    let say: Function = Reflect::get(&js_sys::global(), &"heddlePanicked".into()).ok()?.dyn_into().ok()?;
    say.call2(&JsValue::NULL, &info.to_string().into(), &text.map_or(JsValue::NULL, JsValue::from)).ok()?;
    Some(())
}
