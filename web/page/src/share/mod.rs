//! Keeping and sharing: the address, drafts, files. The engine writes and opens links.

pub mod drafts;
pub mod files;

use crate::store::{Doc, Msg, Notice, Opening, ScenarioSource, Shared, View};
use crate::ui::dom;
use std::cell::RefCell;

/// Returns the fragment of the address, without `#`.
fn fragment() -> String {
    dom::window().location().hash().unwrap_or_default().trim_start_matches('#').to_owned()
}

/// The fragment for a scenario that is too large for a link and kept only on this machine.
const DRAFT: &str = "draft";

/// Returns the page's first view and the source of its scenario: the address, this tab's text from before a reload, or else
/// the first example.
pub fn start() -> (View, ScenarioSource) {
    let mut base = View { theme: drafts::theme(), ..View::default() };
    let address = fragment();
    let link = match address.strip_prefix("embed") {
        Some(rest) => {
            base.embed = true;
            rest.trim_start_matches(['/', '&', '.'])
        }
        None => address.as_str(),
    };
    let source = if link == DRAFT {
        drafts::current().map_or_else(
            || ScenarioSource::Link(link.to_owned()),
            |text| ScenarioSource::Draft { text, link: String::new(), said: drafts::said() },
        )
    } else if let Some(text) = (dom::is_reload() && drafts::newer_than(&address)).then(drafts::current).flatten() {
        ScenarioSource::Draft { text, link: link.to_owned(), said: drafts::said() }
    } else if link.is_empty() {
        ScenarioSource::First
    } else {
        ScenarioSource::Link(link.to_owned())
    };
    (base, source)
}

/// Offers the latest draft, if it is another text.
pub fn offer(text: &str) -> Option<Notice> {
    let draft = drafts::list().into_iter().next().filter(|d| d.text != text)?;
    let title = if draft.title.is_empty() { "your last scenario".to_owned() } else { format!("“{}”", draft.title) };
    let open = Msg::Open { source: ScenarioSource::Text(draft.text), how: Opening::Chosen };
    Some(Notice { text: format!("You worked on {title} here."), act: Some(("Open it".into(), Box::new(open))) })
}

/// Handles an address that was edited or replaced by a pasted link.
pub fn from_address() -> Option<Msg> {
    let fragment = fragment();
    if fragment.is_empty() || fragment == DRAFT || drafts::is_written(&fragment) {
        return None;
    }
    Some(Msg::Open { source: ScenarioSource::Link(fragment), how: Opening::Address })
}

/// Returns the address of the page with a link.
pub fn address_of(link: &str) -> String {
    let address = dom::window().location().href().unwrap_or_default();
    format!("{}{link}", address.split('#').next().unwrap_or_default())
}

thread_local! {
    /// What is about to be kept, at once if the page is left.
    static PENDING: RefCell<Option<(Shared<Doc>, Shared<View>)>> = const { RefCell::new(None) };
}

/// Sets what the next [`flush`] keeps.
pub fn pending(doc: Shared<Doc>, view: Shared<View>) {
    PENDING.set(Some((doc, view)));
}

/// Keeps what is pending as a draft. The address follows once its link is written, by when the page may be gone.
pub fn flush() {
    if let Some((doc, view)) = PENDING.take() {
        // An import is work, too.
        drafts::keep_current(&doc.passed_on(), doc.edited() || doc.import().is_some(), &doc.opened);
        drafts::keep_said(doc.said_before());
        drafts::keep_import(&doc);
        if has_address(&doc, &view) {
            drafts::set_newer_than(Some(&fragment()));
        }
    }
}

/// Returns whether the address should have this; not so for the page's own first scenario.
pub fn has_address(doc: &Doc, view: &View) -> bool {
    let pristine = !doc.edited() && doc.is_first_visit() && view.selection.is_none() && view.compare.is_none();
    !(view.embed || pristine && fragment().is_empty())
}

/// Puts the written link into the address; `latest` if it has the present text.
pub fn address(link: Option<&str>, push: bool, latest: bool) {
    let draft = format!("#{DRAFT}");
    let link = link.unwrap_or(&draft);
    let own = link.trim_start_matches('#');
    drafts::written(own);
    drafts::set_newer_than((!latest).then_some(own));
    let Ok(history) = dom::window().history() else { return };
    let nothing = wasm_bindgen::JsValue::NULL;
    // A browser may refuse too many changes in a short time; the next one will do.
    let _ = if push {
        history.push_state_with_url(&nothing, "", Some(link))
    } else {
        history.replace_state_with_url(&nothing, "", Some(link))
    };
}
