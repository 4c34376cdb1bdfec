//! What is kept on this machine: the text being worked on, a ring of ten drafts, the theme. Offered, never forced.
//! A browser that keeps nothing is fine: then nothing is kept.

use crate::store::Theme;
use gloo::storage::{LocalStorage, SessionStorage, Storage};
use heddle_view::Said;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

const CURRENT: &str = "heddle.current";
/// The fragment of the address for which the current text is newer than its link.
const NEWER: &str = "heddle.newer";
/// Of which scenario the words of the current text were said, where it is not marked by that.
const SAID: &str = "heddle.said";
const THEME: &str = "heddle.theme";
/// Places of the ring.
const RING: usize = 10;

/// An earlier text.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// When it was kept, milliseconds since 1970.
    pub at: f64,
    pub title: String,
    pub text: String,
}

fn raw() -> Option<web_sys::Storage> {
    // `gloo` panics where storage is switched off; ask first.
    let window = web_sys::window()?;
    window.local_storage().ok().flatten()?;
    window.session_storage().ok().flatten()?;
    Some(LocalStorage::raw())
}

fn get(key: &str) -> Option<String> {
    raw()?.get_item(key).ok().flatten()
}

thread_local! {
    /// Was the last thing that was to be kept refused?
    static REFUSED: Cell<bool> = const { Cell::new(false) };
}

fn set(storage: &web_sys::Storage, key: &str, text: &str) {
    // Full: what is there stays.
    REFUSED.set(storage.set_item(key, text).is_err());
}

fn put(key: &str, text: &str) {
    if let Some(storage) = raw() {
        set(&storage, key, text);
    }
}

/// What this browser does not do for the page, in words.
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

/// All drafts, the latest first.
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
    /// The place of the ring that this tab writes to, what it wrote there, and of which scenario: its text as it was opened.
    static MINE: RefCell<Option<(usize, String, Rc<str>)>> = const { RefCell::new(None) };
}

/// Keeps a text in the ring: in the place of this tab's scenario, else where the same text is, else in the oldest. So two tabs,
/// and two scenarios without a title, do not overwrite each other. `opened`: the scenario as it was opened.
pub fn keep(text: &str, opened: &Rc<str>) {
    if raw().is_none() || text.is_empty() {
        return;
    }
    let title = title_of(text);
    let places: Vec<(usize, Option<Draft>)> = (0..RING).map(|i| (i, read(i))).collect();
    let holds = |place: usize, text: &str| places[place].1.as_ref().is_some_and(|d| d.text == text);
    let mine = MINE.take();
    let ours = mine.as_ref().filter(|(place, last, of)| Rc::ptr_eq(opened, of) && holds(*place, last));
    // After a reload the place is known by what was worked on before it.
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

/// Keeps what is being worked on; an edited text goes into the ring too.
pub fn keep_current(text: &str, edited: bool, opened: &Rc<str>) {
    if edited {
        keep(text, opened);
    }
    if raw().is_some() {
        // One a tab, so that two tabs do not overwrite each other.
        set(&SessionStorage::raw(), CURRENT, text);
    }
}

/// What was being worked on in this tab before the reload.
pub fn current() -> Option<String> {
    raw()?;
    SessionStorage::raw().get_item(CURRENT).ok().flatten().or_else(|| list().into_iter().next().map(|d| d.text))
}

/// Keeps of which scenario the words of the current text were said.
pub fn keep_said(said: &[Said]) {
    if raw().is_some() {
        // A browser that takes no more keeps the words unmarked.
        let _ = SessionStorage::set(SAID, said);
    }
}

/// Of which scenario the words of the text were said that was being worked on before the reload.
pub fn said() -> Vec<Said> {
    raw().and_then(|_| SessionStorage::get(SAID).ok()).unwrap_or_default()
}

/// Is what was being worked on in this tab newer than the link of this address?
pub fn newer_than(address: &str) -> bool {
    raw().is_some() && SessionStorage::raw().get_item(NEWER).ok().flatten().as_deref() == Some(address)
}

/// The current text is newer than the link of this address; `None`: no newer than the link that stands there.
pub fn set_newer_than(address: Option<&str>) {
    if raw().is_some() {
        let _ = match address {
            Some(address) => SessionStorage::raw().set_item(NEWER, address),
            None => SessionStorage::raw().remove_item(NEWER),
        };
    }
}

/// The theme chosen here before.
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

/// The fragment that we wrote ourselves.
pub fn written(fragment: &str) {
    WRITTEN.with_borrow_mut(|w| fragment.clone_into(w));
}

/// Is this fragment our own?
pub fn is_written(fragment: &str) -> bool {
    WRITTEN.with_borrow(|w| w == fragment)
}
