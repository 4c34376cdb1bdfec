//! The store's effects outside the state: the worker, timers, the address, drafts, the clipboard, files.

use crate::js;
use crate::share;
use crate::store::{Effect, Go, Msg, Notice, State, Theme};
use crate::ui::{dom, focus};
use crate::worker::link::{End, Link};
use gloo::timers::callback::{Interval, Timeout};
use heddle_view::LinkFor;
use heddle_view::protocol::Request;
use std::rc::Rc;

/// The pause in typing after which the scenario is run again.
const WRITE_AFTER_MS: u32 = 300;
/// The delay before the search for advice starts.
const HELP_AFTER_MS: u32 = 500;
/// The time after which an engine that was told to stop is terminated.
const STOP_AFTER_MS: u32 = 1500;
/// The delay before the address and the draft are updated.
const REMEMBER_AFTER_MS: u32 = 1000;
/// The shortest time between two edits that are kept at once.
const EDIT_EVERY_MS: f64 = 1000.0;
/// The time between two pictures while playing.
const TICK_MS: u32 = 100;
/// How long a notice is shown; one with a button is shown twice as long.
const NOTICE_MS: u32 = 5000;

/// Everything outside the state.
pub struct Outside {
    go: Go,
    link: Option<Link>,
    write: Option<Timeout>,
    help: Option<Timeout>,
    stop: Option<Timeout>,
    remember: Option<Timeout>,
    /// The time at which an edit was last kept at once, and its text.
    kept: Option<(f64, Rc<str>)>,
    /// The number of links for the address that are being written, and the text of the last one.
    links: (u32, Rc<str>),
    play: Option<Interval>,
    notice: Option<(Notice, Timeout)>,
    title: String,
}

impl Outside {
    /// Starts a worker.
    pub fn new(go: Go) -> Self {
        let mut outside = Outside {
            go,
            link: None,
            write: None,
            help: None,
            stop: None,
            remember: None,
            kept: None,
            links: (0, "".into()),
            play: None,
            notice: None,
            title: String::new(),
        };
        outside.restart(false);
        outside
    }

    /// Replaces the worker. With `renew`, returns the unanswered requests, to be sent again once the document is restored;
    /// otherwise rejects the JavaScript API's waiting promises.
    pub fn restart(&mut self, renew: bool) -> Vec<Request> {
        let before = self.link.take();
        let first = before.as_ref().map_or(1, Link::next);
        let unanswered = before.filter(|_| renew).map(|link| link.unanswered()).unwrap_or_default();
        if !renew {
            js::lost();
        }
        self.links.0 = 0;
        let on = self.go.clone();
        let failed = self.go.clone();
        let gone = self.go.clone();
        let link = Link::start(
            first,
            yew::Callback::from(move |(id, reply)| {
                js::hear(id, &reply);
                on.emit(Msg::Worker(id, Box::new(reply)));
            }),
            yew::Callback::from(move |end| match end {
                End::Failed(why) => failed.emit(Msg::WorkerFailed(why)),
                End::Gone => gone.emit(Msg::WorkerGone),
            }),
        );
        match link {
            Ok(link) => self.link = Some(link),
            Err(why) => {
                // Not from inside `create`: the message is for the running page.
                let go = self.go.clone();
                Timeout::new(0, move || go.emit(Msg::WorkerFailed(why))).forget();
            }
        }
        js::next(first);
        unanswered
    }

    /// Returns whether typed text is about to be sent, or an answer is outstanding.
    pub fn busy(&self) -> bool {
        self.write.is_some() || self.link.as_ref().is_some_and(Link::busy)
    }

    /// Runs an effect.
    pub fn run(&mut self, effect: Effect, state: &State) {
        match effect {
            Effect::Ask(request) => {
                if matches!(request, Request::Write { .. }) {
                    self.write = None;
                }
                self.ask(request);
            }
            Effect::WriteSoon => {
                let go = self.go.clone();
                self.write = Some(Timeout::new(WRITE_AFTER_MS, move || go.emit(Msg::WriteNow)));
            }
            Effect::StopSoon => {
                let go = self.go.clone();
                self.stop = Some(Timeout::new(STOP_AFTER_MS, move || go.emit(Msg::StopNow)));
            }
            Effect::HelpSoon => {
                let go = self.go.clone();
                self.help = Some(Timeout::new(HELP_AFTER_MS, move || go.emit(Msg::Help)));
            }
            Effect::Restart | Effect::Renew | Effect::Start => {
                self.restart(false);
            }
            Effect::End => {
                self.link = None;
                js::lost();
            }
            Effect::Remember => {
                share::pending(state.doc.clone(), state.view.clone());
                if self.is_edit_after_quiet(&state.doc.text) {
                    return self.keep(state, false);
                }
                let go = self.go.clone();
                let keep = Msg::Do(Effect::Keep { push: false });
                self.remember = Some(Timeout::new(REMEMBER_AFTER_MS, move || go.emit(keep)));
            }
            Effect::Keep { push } => self.keep(state, push),
            Effect::Address { link, push } => {
                self.links.0 = self.links.0.saturating_sub(1);
                let latest = self.links.0 == 0 && Rc::ptr_eq(&self.links.1, &state.doc.text);
                share::address(link.as_deref(), push, latest);
            }
            Effect::OfferDraft => {
                if let Some(notice) = share::offer(&state.doc.passed_on()) {
                    self.go.emit(Msg::Notice(Some(notice)));
                }
            }
            Effect::Theme(theme) => self.theme(theme),
            Effect::Copy { text, what } => {
                let text = heddle_view::secrets::masked(&text);
                let go = self.go.clone();
                wasm_bindgen_futures::spawn_local(async move {
                    let text = if dom::copy(&text).await {
                        format!("{what} copied.")
                    } else {
                        format!(
                            "{what} could not be copied: the browser does not allow it. Select it and copy it by hand."
                        )
                    };
                    go.emit(Msg::Notice(Some(Notice { text, act: None })));
                });
            }
            Effect::Save { name, text } => {
                let text = heddle_view::secrets::masked(&text);
                let mime = match name.rsplit_once('.') {
                    Some((_, "xml")) => "application/xml",
                    Some((_, "csv")) => "text/csv",
                    _ => "text/plain",
                };
                if dom::download(&name, mime, &text).is_err() {
                    self.go.emit(Msg::Notice(Some(Notice { text: format!("{name} could not be saved."), act: None })));
                }
            }
            Effect::Draft { text, opened } => share::drafts::keep(&text, &opened),
            Effect::Focus(id) => dom::focus_soon(id),
            Effect::FocusNew(css) => focus::expect(Some(css)),
            Effect::FocusOld => focus::expect(None),
        }
    }

    fn ask(&mut self, request: Request) {
        if let Some(link) = &self.link {
            link.send(request);
            js::next(link.next());
        } else {
            js::lost();
        }
    }

    /// Returns whether this is an edit after a quiet time. It is kept at once: a reloading browser takes the address from
    /// before `pagehide`, so waiting would lose the latest edit.
    fn is_edit_after_quiet(&mut self, text: &Rc<str>) -> bool {
        let now = js_sys::Date::now();
        let due = self.kept.as_ref().is_none_or(|(at, kept)| now - at >= EDIT_EVERY_MS && !Rc::ptr_eq(kept, text));
        if due {
            // The first text is the one that was opened; an edit may follow it at once.
            let at = if self.kept.is_none() { 0.0 } else { now };
            self.kept = Some((at, text.clone()));
        }
        due
    }

    /// Keeps text and view: as the current draft, and in the address once its link is written.
    fn keep(&mut self, state: &State, push: bool) {
        self.remember = None;
        share::pending(state.doc.clone(), state.view.clone());
        share::flush();
        if !share::has_address(&state.doc, &state.view) {
            return;
        }
        self.links = (self.links.0 + 1, state.doc.text.clone());
        let (text, view, comparison) = (state.doc.passed_on(), state.view.link(), state.view.compare.clone());
        self.ask(Request::Link { text, view, comparison, purpose: LinkFor::Address { push } });
    }

    /// Starts or stops the ticks.
    pub fn play(&mut self, on: bool) {
        self.play = on.then(|| {
            let go = self.go.clone();
            let mut last = js_sys::Date::now();
            Interval::new(TICK_MS, move || {
                let now = js_sys::Date::now();
                go.emit(Msg::Tick(now - last));
                last = now;
            })
        });
    }

    /// Clears a notice after a while.
    pub fn notice(&mut self, notice: &Option<Notice>) {
        let Some(notice) = notice else { return };
        if self.notice.as_ref().is_some_and(|(n, _)| n == notice) {
            return;
        }
        let stay = if notice.act.is_some() { 3 * NOTICE_MS } else { NOTICE_MS };
        let go = self.go.clone();
        self.notice = Some((notice.clone(), Timeout::new(stay, move || go.emit(Msg::Notice(None)))));
    }

    /// Applies the theme: light, dark or the system's.
    pub fn theme(&self, theme: Theme) {
        let Some(root) = dom::document().document_element() else { return };
        let _ = match theme {
            Theme::System => root.remove_attribute("data-theme"),
            chosen => root.set_attribute("data-theme", chosen.name()),
        };
        share::drafts::keep_theme(theme);
    }

    /// Sets the tab's title to the scenario's.
    pub fn title(&mut self, title: &str) {
        let title = if title.is_empty() { "Heddle".to_owned() } else { format!("{title} · Heddle") };
        if self.title != title {
            dom::document().set_title(&title);
            self.title = title;
        }
    }
}
