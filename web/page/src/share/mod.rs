//! Keeping and passing on: the address, drafts, files. Links are written and opened by the engine.

pub mod drafts;
pub mod files;

use crate::store::{Doc, Msg, Notice, Opening, Shared, Source, View};
use crate::ui::dom;
use std::cell::RefCell;

/// The fragment of the address, without `#`.
fn fragment() -> String {
    dom::window().location().hash().unwrap_or_default().trim_start_matches('#').to_owned()
}

/// The fragment of a scenario that is too large for a link: it is kept on this machine only.
const DRAFT: &str = "draft";

/// How the page begins to look at things, and where its scenario comes from: the address, what was worked on in this tab
/// before a reload, or else the first example.
pub fn start() -> (View, Source) {
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
            || Source::Link(link.to_owned()),
            |text| Source::Draft { text, link: String::new(), said: drafts::said() },
        )
    } else if let Some(text) = (dom::is_reload() && drafts::newer_than(&address)).then(drafts::current).flatten() {
        Source::Draft { text, link: link.to_owned(), said: drafts::said() }
    } else if link.is_empty() {
        Source::First
    } else {
        Source::Link(link.to_owned())
    };
    (base, source)
}

/// Offers the text last worked on here, if it is another one than this.
pub fn offer(text: &str) -> Option<Notice> {
    let draft = drafts::list().into_iter().next().filter(|d| d.text != text)?;
    let title = if draft.title.is_empty() { "your last scenario".to_owned() } else { format!("“{}”", draft.title) };
    let open = Msg::Open { source: Source::Text(draft.text), how: Opening::Chosen };
    Some(Notice { text: format!("You worked on {title} here."), act: Some(("Open it".into(), Box::new(open))) })
}

/// The address was changed by hand, or a link was pasted over it.
pub fn from_address() -> Option<Msg> {
    let fragment = fragment();
    if fragment.is_empty() || fragment == DRAFT || drafts::is_written(&fragment) {
        return None;
    }
    Some(Msg::Open { source: Source::Link(fragment), how: Opening::Address })
}

/// The address of the page with this link.
pub fn address_of(link: &str) -> String {
    let address = dom::window().location().href().unwrap_or_default();
    format!("{}{link}", address.split('#').next().unwrap_or_default())
}

thread_local! {
    /// What is kept in a moment, or at once when the page is left.
    static PENDING: RefCell<Option<(Shared<Doc>, Shared<View>)>> = const { RefCell::new(None) };
}

/// To be kept by the next [`flush`].
pub fn pending(doc: Shared<Doc>, view: Shared<View>) {
    PENDING.set(Some((doc, view)));
}

/// Keeps what is pending as a draft. The address follows when its link is written; the page may be gone by then.
pub fn flush() {
    if let Some((doc, view)) = PENDING.take() {
        drafts::keep_current(&doc.passed_on(), doc.edited(), &doc.opened);
        drafts::keep_said(doc.said_before());
        if has_address(&doc, &view) {
            drafts::set_newer_than(Some(&fragment()));
        }
    }
}

/// Does this stand in the address? Not what the page opens with by itself.
pub fn has_address(doc: &Doc, view: &View) -> bool {
    let pristine = !doc.edited() && doc.is_first_visit() && view.selection.is_none();
    !(view.embed || pristine && fragment().is_empty())
}

/// The link of what is shown is written: it becomes the address. `latest`: it has the text as it stands.
pub fn address(link: Option<&str>, push: bool, latest: bool) {
    let draft = format!("#{DRAFT}");
    let link = link.unwrap_or(&draft);
    let own = link.trim_start_matches('#');
    drafts::written(own);
    drafts::set_newer_than((!latest).then_some(own));
    let Ok(history) = dom::window().history() else { return };
    let nothing = wasm_bindgen::JsValue::NULL;
    // A browser may refuse more than so many changes in a time; the next one will do.
    let _ = if push {
        history.push_state_with_url(&nothing, "", Some(link))
    } else {
        history.replace_state_with_url(&nothing, "", Some(link))
    };
}
