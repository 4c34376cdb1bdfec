//! What the store wants done outside: the worker, timers, the address, drafts, the clipboard, files.

use crate::js;
use crate::share;
use crate::store::{Effect, Go, Msg, Notice, State, Theme};
use crate::ui::dom;
use crate::worker::link::Link;
use gloo::timers::callback::{Interval, Timeout};
use heddle_view::protocol::Request;

/// Typing pauses this long before the scenario runs anew.
const LOAD_AFTER_MS: u32 = 300;
/// What would help is looked for after this.
const HELP_AFTER_MS: u32 = 500;
/// The address and the draft follow after this.
const REMEMBER_AFTER_MS: u32 = 1000;
/// Between two pictures while playing.
const TICK_MS: u32 = 100;
/// A passing line stays this long, one with a button twice as long.
const NOTICE_MS: u32 = 5000;

/// Everything outside the state.
pub struct Outside {
    go: Go,
    link: Option<Link>,
    load: Option<Timeout>,
    help: Option<Timeout>,
    remember: Option<Timeout>,
    play: Option<Interval>,
    notice: Option<(Notice, Timeout)>,
    title: String,
}

impl Outside {
    /// With a worker started.
    pub fn new(go: Go) -> Self {
        let mut outside = Outside {
            go,
            link: None,
            load: None,
            help: None,
            remember: None,
            play: None,
            notice: None,
            title: String::new(),
        };
        outside.restart();
        outside
    }

    /// Another worker in place of the one there is.
    pub fn restart(&mut self) {
        self.link = None;
        let on = self.go.clone();
        let failed = self.go.clone();
        let link = Link::start(
            yew::Callback::from(move |(id, reply)| {
                js::hear(id, &reply);
                on.emit(Msg::Worker(id, Box::new(reply)));
            }),
            yew::Callback::from(move |why| failed.emit(Msg::WorkerFailed(why))),
        );
        match link {
            Ok(link) => self.link = Some(link),
            Err(why) => {
                // Not from inside `create`: the message is for the running page.
                let go = self.go.clone();
                Timeout::new(0, move || go.emit(Msg::WorkerFailed(why))).forget();
            }
        }
    }

    /// Is the scenario about to be run anew, or an answer still to come?
    pub fn busy(&self) -> bool {
        self.load.is_some() || self.link.as_ref().is_some_and(Link::busy)
    }

    /// Does one effect.
    pub fn run(&mut self, effect: Effect, state: &State) {
        match effect {
            Effect::Ask(request) => {
                if matches!(request, Request::Load { .. }) {
                    self.load = None;
                }
                if let Some(link) = &self.link {
                    link.send(request);
                    js::next(link.next());
                }
            }
            Effect::LoadSoon => {
                let go = self.go.clone();
                self.load = Some(Timeout::new(LOAD_AFTER_MS, move || go.emit(Msg::LoadNow)));
            }
            Effect::HelpSoon => {
                let go = self.go.clone();
                self.help = Some(Timeout::new(HELP_AFTER_MS, move || go.emit(Msg::Help)));
            }
            Effect::Restart => self.restart(),
            Effect::Remember => {
                share::pending(state.doc.clone(), state.view.clone());
                share::keep_edit();
                self.remember = Some(Timeout::new(REMEMBER_AFTER_MS, share::flush));
            }
            Effect::Push => {
                self.remember = None;
                share::remember(&state.doc, &state.view, true);
            }
            Effect::Theme(theme) => self.theme(theme),
            Effect::Copy { text, what } => {
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
                let mime = if name.ends_with(".xml") { "application/xml" } else { "text/plain" };
                if dom::download(&name, mime, &text).is_err() {
                    self.go.emit(Msg::Notice(Some(Notice { text: format!("{name} could not be saved."), act: None })));
                }
            }
            Effect::Draft(text) => share::drafts::keep(&text),
            Effect::Focus(id) => dom::focus_soon(id),
        }
    }

    /// Starts or stops the ticking.
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

    /// Lets a passing line pass.
    pub fn notice(&mut self, notice: &Option<Notice>) {
        let Some(notice) = notice else { return };
        if self.notice.as_ref().is_some_and(|(n, _)| n == notice) {
            return;
        }
        let stay = if notice.act.is_some() { 3 * NOTICE_MS } else { NOTICE_MS };
        let go = self.go.clone();
        self.notice = Some((notice.clone(), Timeout::new(stay, move || go.emit(Msg::Notice(None)))));
    }

    /// Light, dark or the system's.
    pub fn theme(&self, theme: Theme) {
        let Some(root) = dom::document().document_element() else { return };
        let _ = match theme {
            Theme::System => root.remove_attribute("data-theme"),
            chosen => root.set_attribute("data-theme", chosen.name()),
        };
        share::drafts::keep_theme(theme);
    }

    /// The tab's title is the scenario's.
    pub fn title(&mut self, title: &str) {
        let title = if title.is_empty() { "Heddle".to_owned() } else { format!("{title} · Heddle") };
        if self.title != title {
            dom::document().set_title(&title);
            self.title = title;
        }
    }
}
