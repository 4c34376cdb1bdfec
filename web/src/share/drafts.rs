//! What is kept on this machine: the text being worked on, a ring of ten drafts, the theme. Offered, never forced.
//! A browser that keeps nothing is fine: then nothing is kept.

use crate::store::Theme;
use gloo::storage::{LocalStorage, SessionStorage, Storage};
use std::cell::RefCell;

const CURRENT: &str = "heddle.current";
/// The fragment of the address for which the current text is newer than its link.
const NEWER: &str = "heddle.newer";
const THEME: &str = "heddle.theme";
/// Places of the ring.
const RING: usize = 10;

/// An earlier text.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// When it was kept, milliseconds since 1970.
    pub at: f64,
    /// Its title.
    pub title: String,
    /// All of it.
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

fn put(key: &str, text: &str) {
    if let Some(storage) = raw() {
        // Full: what is there stays.
        let _ = storage.set_item(key, text);
    }
}

fn key(place: usize) -> String {
    format!("heddle.draft.{place}")
}

fn read(place: usize) -> Option<Draft> {
    let kept = get(&key(place))?;
    let (at, rest) = kept.split_once('\n')?;
    let (title, text) = rest.split_once('\n')?;
    Some(Draft { at: at.parse().ok()?, title: title.to_owned(), text: text.to_owned() })
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

/// Keeps a text in the ring: in its own place if its title is there, else in the oldest.
pub fn keep(text: &str) {
    if raw().is_none() {
        return;
    }
    let title = title_of(text);
    let places: Vec<(usize, Option<Draft>)> = (0..RING).map(|i| (i, read(i))).collect();
    let same = places.iter().find(|(_, d)| d.as_ref().is_some_and(|d| d.title == title || d.text == text));
    let free = places.iter().find(|(_, d)| d.is_none());
    let oldest = places.iter().min_by(|(_, a), (_, b)| {
        let at = |d: &Option<Draft>| d.as_ref().map_or(0.0, |d| d.at);
        at(a).total_cmp(&at(b))
    });
    if let Some((place, _)) = same.or(free).or(oldest) {
        put(&key(*place), &format!("{}\n{title}\n{text}", js_sys::Date::now()));
    }
}

/// Keeps what is being worked on; an edited text goes into the ring too.
pub fn keep_current(text: &str, edited: bool) {
    if raw().is_some() {
        // One a tab, so that two tabs do not overwrite each other.
        let _ = SessionStorage::raw().set_item(CURRENT, text);
    }
    if edited {
        keep(text);
    }
}

/// What was being worked on in this tab before the reload.
pub fn current() -> Option<String> {
    raw()?;
    SessionStorage::raw().get_item(CURRENT).ok().flatten().or_else(|| list().into_iter().next().map(|d| d.text))
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

/// Keeps it.
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
