//! A panic of the page is shown as what it is, with the scenario to be saved. What is drawn may be broken then: the notice
//! is plain DOM, made without anything of the page's.

use crate::ui::dom;
use std::cell::RefCell;
use std::panic::PanicHookInfo;
use std::rc::Rc;
use web_sys::Element;

thread_local! {
    /// The scenario's text as it stands.
    static TEXT: RefCell<Rc<str>> = RefCell::new("".into());
}

/// From now on panics are shown.
pub fn show() {
    yew::set_custom_panic_hook(Box::new(|info| {
        console_error_panic_hook::hook(info);
        let _ = notice(info);
    }));
}

/// This is what would be saved.
pub fn keep(text: &Rc<str>) {
    TEXT.with(|kept| {
        if let Ok(mut kept) = kept.try_borrow_mut()
            && !Rc::ptr_eq(&kept, text)
        {
            *kept = text.clone();
        }
    });
}

fn notice(info: &PanicHookInfo<'_>) -> Option<()> {
    let document = web_sys::window()?.document()?;
    if document.get_element_by_id("panic").is_some() {
        return Some(());
    }
    let make = |tag: &str, text: &str| -> Option<Element> {
        let element = document.create_element(tag).ok()?;
        element.set_text_content(Some(text));
        Some(element)
    };
    let notice = make("div", "")?;
    notice.set_id("panic");
    notice.set_class_name("notice");
    notice.set_attribute("role", "alert").ok()?;
    let why = format!("The page stopped: {info}. This is our mistake; the scenario is not lost. Save it, then reload.");
    notice.append_child(&make("span", &why)?.into()).ok()?;
    let text = TEXT.with(|kept| kept.try_borrow().ok().map(|text| text.clone())).filter(|text| !text.is_empty());
    if let Some(url) = text.and_then(|text| dom::blob_url("text/plain", &text).ok()) {
        let save = make("a", "Save the scenario")?;
        save.set_attribute("href", &url).ok()?;
        save.set_attribute("download", "heddle-report.toml").ok()?;
        notice.append_child(&save.into()).ok()?;
    }
    document.body()?.append_child(&notice.into()).ok()?;
    Some(())
}
