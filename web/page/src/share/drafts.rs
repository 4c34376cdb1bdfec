//! What this browser keeps: the current text, a ring of ten drafts, the theme. Drafts are offered, never opened unasked. If
//! the browser keeps nothing, nothing is kept.

use crate::store::{Doc, ImportBefore, Theme};
use gloo::storage::{LocalStorage, SessionStorage, Storage};
use heddle_view::WordsOrigin;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

const CURRENT: &str = "heddle.current";
/// The key of the address fragment than whose link the current text is newer.
const NEWER: &str = "heddle.newer";
/// The key of the scenarios for which the words of the current text were written, unless the text marks them.
const SAID: &str = "heddle.said";
/// The key of the report on the import that the current text came from.
const IMPORT: &str = "heddle.import";
const THEME: &str = "heddle.theme";
/// The number of places in the ring.
const RING: usize = 10;

/// An earlier text.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The time at which it was kept, in milliseconds since 1970.
    pub at: f64,
    pub title: String,
    pub text: String,
}

fn raw() -> Option<web_sys::Storage> {
    // `gloo` panics if storage is disabled, so that is checked first.
    let window = web_sys::window()?;
    window.local_storage().ok().flatten()?;
    window.session_storage().ok().flatten()?;
    Some(LocalStorage::raw())
}

fn get(key: &str) -> Option<String> {
    raw()?.get_item(key).ok().flatten()
}

thread_local! {
    /// Whether the browser refused the latest item.
    static REFUSED: Cell<bool> = const { Cell::new(false) };
}

fn set(storage: &web_sys::Storage, key: &str, text: &str) {
    // If the storage is full, the former content stays.
    REFUSED.set(storage.set_item(key, text).is_err());
}

fn put(key: &str, text: &str) {
    if let Some(storage) = raw() {
        set(&storage, key, text);
    }
}

/// Returns a sentence about what this browser cannot keep.
pub fn lacks() -> Option<&'static str> {
    if raw().is_none() {
        Some("This browser keeps no data of this page: what you type is gone with the tab unless you save or share it.")
    } else if REFUSED.get() {
        Some("This browser’s storage takes no more: save or share what you type now.")
    } else {
        None
    }
}

fn key(place: usize) -> String {
    format!("heddle.draft.{place}")
}

fn read(place: usize) -> Option<Draft> {
    let kept = get(&key(place))?;
    let (at, rest) = kept.split_once('\n')?;
    let (title, text) = rest.split_once('\n')?;
    Some(Draft { at: at.parse::<u64>().ok()? as f64, title: title.to_owned(), text: text.to_owned() })
}

/// Returns all drafts, the latest first.
pub fn list() -> Vec<Draft> {
    let mut out: Vec<Draft> = (0..RING).filter_map(read).collect();
    out.sort_by(|a, b| b.at.total_cmp(&a.at));
    out
}

fn title_of(text: &str) -> String {
    let title = text.lines().find_map(|l| l.trim().strip_prefix("title").map(str::trim_start)?.strip_prefix('='));
    title.unwrap_or_default().trim().trim_matches(['"', '\'']).to_owned()
}

thread_local! {
    /// This tab's place in the ring, what it wrote there, and for which scenario: its text as opened.
    static MINE: RefCell<Option<(usize, String, Rc<str>)>> = const { RefCell::new(None) };
}

/// Keeps a text in the ring: in the place of this tab's scenario, else where the same text is, else in the oldest. Two tabs,
/// or two scenarios without a title, therefore do not overwrite each other. `opened` is the scenario as opened.
pub fn keep(text: &str, opened: &Rc<str>) {
    if raw().is_none() || text.is_empty() {
        return;
    }
    let title = title_of(text);
    let places: Vec<(usize, Option<Draft>)> = (0..RING).map(|i| (i, read(i))).collect();
    let holds = |place: usize, text: &str| places[place].1.as_ref().is_some_and(|d| d.text == text);
    let mine = MINE.take();
    let ours = mine.as_ref().filter(|(place, last, of)| Rc::ptr_eq(opened, of) && holds(*place, last));
    // After a reload the former text identifies the place.
    let before = if mine.is_none() { SessionStorage::raw().get_item(CURRENT).ok().flatten() } else { None };
    let at = |text: &str| (0..RING).find(|place| holds(*place, text));
    let same = ours.map(|(place, ..)| *place).or(at(text)).or_else(|| at(&before?)).map(|place| &places[place]);
    let free = places.iter().find(|(_, d)| d.is_none());
    let oldest = places.iter().min_by(|(_, a), (_, b)| {
        let at = |d: &Option<Draft>| d.as_ref().map_or(0.0, |d| d.at);
        at(a).total_cmp(&at(b))
    });
    if let Some((place, _)) = same.or(free).or(oldest) {
        put(&key(*place), &format!("{}\n{title}\n{text}", js_sys::Date::now()));
        MINE.set(Some((*place, text.to_owned(), opened.clone())));
    }
}

/// Keeps the current text; an edited text also goes into the ring.
pub fn keep_current(text: &str, edited: bool, opened: &Rc<str>) {
    if edited {
        keep(text, opened);
    }
    if raw().is_some() {
        // One for each tab, so that two tabs do not overwrite each other.
        set(&SessionStorage::raw(), CURRENT, text);
    }
}

/// Returns this tab's text from before the reload.
pub fn current() -> Option<String> {
    raw()?;
    SessionStorage::raw().get_item(CURRENT).ok().flatten().or_else(|| list().into_iter().next().map(|d| d.text))
}

/// Keeps for which scenario the words of the current text were written.
pub fn keep_said(said: &[WordsOrigin]) {
    if raw().is_some() {
        // If the browser is full, the words stay unmarked.
        let _ = SessionStorage::set(SAID, said);
    }
}

/// Returns for which scenario the words of the text from before the reload were written.
pub fn said() -> Vec<WordsOrigin> {
    raw().and_then(|_| SessionStorage::get(SAID).ok()).unwrap_or_default()
}

/// Keeps the report on the import that the current text came from, and how far its dump agrees; the texts of its files may be
/// too large.
pub fn keep_import(doc: &Doc) {
    if raw().is_some() {
        match doc.import() {
            // If the browser is full, the report is gone after a reload, as if it had been a draft.
            Some(import) => _ = SessionStorage::set(IMPORT, (&import.report, doc.agreement().map(|told| &**told))),
            None => SessionStorage::delete(IMPORT),
        }
    }
}

/// Returns the import of the text from before the reload.
pub fn import_before() -> Option<ImportBefore> {
    raw()?;
    let (report, agreement) = SessionStorage::get(IMPORT).ok()?;
    let text = SessionStorage::raw().get_item(CURRENT).ok().flatten()?;
    Some(ImportBefore { text, report, agreement })
}

/// Returns whether this tab's text is newer than the link of this address.
pub fn newer_than(address: &str) -> bool {
    raw().is_some() && SessionStorage::raw().get_item(NEWER).ok().flatten().as_deref() == Some(address)
}

/// Records the address than whose link the current text is newer; `None` if it is not.
pub fn set_newer_than(address: Option<&str>) {
    if raw().is_some() {
        let _ = match address {
            Some(address) => SessionStorage::raw().set_item(NEWER, address),
            None => SessionStorage::raw().remove_item(NEWER),
        };
    }
}

/// Returns the theme chosen here before.
pub fn theme() -> Theme {
    get(THEME).and_then(|t| Theme::named(&t)).unwrap_or(Theme::System)
}

pub fn keep_theme(theme: Theme) {
    if theme != self::theme() {
        put(THEME, theme.name());
    }
}

thread_local! {
    static WRITTEN: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Records the fragment that the page wrote itself.
pub fn written(fragment: &str) {
    WRITTEN.with_borrow_mut(|w| fragment.clone_into(w));
}

/// Returns whether the page wrote this fragment itself.
pub fn is_written(fragment: &str) -> bool {
    WRITTEN.with_borrow(|w| w == fragment)
}
