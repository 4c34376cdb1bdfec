//! The server: requests in, answers out, one [`turn`](Server::turn) after the other. Long work is done in slices, so that a
//! later request, or `Stop`, is handled in between.

mod agree;
mod compare;
mod expects;
mod files;
mod form;
mod frame;
mod linked;
mod load;
mod slices;
#[cfg(test)]
mod tests;
mod trial;

use crate::document::{Document, ImportResult, NewText, compared, found, gallery};
use crate::edits::without_names;
use expects::Expecting;
use files::WaitingFiles;
pub use files::{GivenFile, Host};
use heddle_core::import::seen::Said;
use heddle_core::scenario::link;
use heddle_player::{Beside, Player};
use heddle_view::protocol::{Answer, Ask, Reply, Request, ShownTables};
use heddle_view::{Change, Edit, NamesView, Opened, Opening, Selection, StepBy, Timeline};
use load::Due;
use slices::{Helping, Job, Pace, Worlds};
use std::collections::VecDeque;

#[derive(Default)]
pub struct Server {
    host: Host,
    /// Files that came with requests.
    files: WaitingFiles,
    document: Document,
    player: Option<Player>,
    queue: VecDeque<Ask>,
    answers: Vec<Answer>,
    /// The document is to be played from its start.
    due: Option<Due>,
    /// The additions of the link that the document was opened from.
    linked: Option<linked::Linked>,
    job: Option<Job>,
    help: Option<Helping>,
    /// The document's expectations, if it has any.
    expecting: Option<Expecting>,
    worlds: Option<Worlds>,
    /// The worlds that are drawn beside each other, each with its own player.
    beside: Option<Beside>,
    /// What the activities of the dump that was opened say, if it has not been compared yet.
    agreeing: Option<Vec<(String, Vec<Said>)>>,
    selection: Option<Selection>,
    what: form::FormPanel,
    /// The tables posted with each frame.
    books: ShownTables,
    /// The subject of the last frame.
    looked_at: Option<Selection>,
    /// The uneventful stretch that the last step by heartbeat skipped.
    skipped: Option<(i64, i64)>,
    /// The scrubber's data, with the number of events that it covers.
    timeline: Option<(u64, Timeline)>,
    pace: Pace,
    /// The number of the latest request.
    latest: u32,
    /// Whether the run is being played ahead, so that a frame is due when that ends.
    ahead: bool,
}

impl Server {
    /// Queues a request.
    pub fn hear(&mut self, ask: Ask) {
        self.latest = ask.id;
        self.queue.push_back(ask);
    }

    /// Answers a request, or continues long work for a while; `clock` returns milliseconds. Returns whether there is more to
    /// do.
    pub fn turn(&mut self, clock: &dyn Fn() -> f64) -> bool {
        if let Some(ask) = self.queue.pop_front() {
            // Of several movements in a row only the last is made.
            let overtaken = matches!(ask.request, Request::Seek { .. })
                && self.queue.iter().any(|a| matches!(a.request, Request::Seek { .. } | Request::Open { .. }));
            if !overtaken {
                self.handle(ask, clock);
            }
        } else if self.due.is_some() {
            self.load();
        } else if self.job.is_some() {
            self.work(clock);
        } else if self.worlds.is_some() {
            self.run_worlds(clock);
        } else if self.help.is_some() {
            self.seek_help(clock);
        } else if self.ahead {
            self.play_ahead(clock);
        } else if let Some(offers) = self.agreeing.take() {
            self.tell_agreement(&offers);
        } else {
            self.judge(clock);
        }
        if self.what.due && self.queue.is_empty() {
            self.tell_form();
        }
        let more = self.is_busy();
        if !more {
            self.post(self.latest, Reply::Idle);
        }
        more
    }

    /// Returns whether there is more to do.
    pub fn is_busy(&self) -> bool {
        !self.queue.is_empty()
            || self.due.is_some()
            || self.job.is_some()
            || self.worlds.is_some()
            || self.help.is_some()
            || self.ahead
            || self.agreeing.is_some()
            || self.judges()
    }

    pub fn text(&self) -> &str {
        &self.document.text
    }

    /// Returns the answers since the last call.
    pub fn answers(&mut self) -> Vec<Answer> {
        std::mem::take(&mut self.answers)
    }

    fn post(&mut self, id: u32, reply: Reply) {
        self.answers.push(Answer { id, reply });
    }

    fn handle(&mut self, ask: Ask, clock: &dyn Fn() -> f64) {
        let id = ask.id;
        if ends_search(&ask.request)
            && let Some(helping) = self.help.take()
        {
            self.tell_help(&helping, true);
        }
        if asks_the_run(&ask.request) {
            self.load();
        }
        match ask.request {
            Request::Open { source, how, version } => match found(source, how) {
                Ok(new) => self.open(id, new, how, version),
                Err(why) => self.post(id, Reply::NotOpened { version, why }),
            },
            Request::Write { text, version } => {
                let other = self.document.write(text, version);
                self.wrote(id, other);
            }
            Request::Edit { edit, typed, version } => match self.edited(&edit, &typed, version) {
                Ok((other, names)) => {
                    names.into_iter().for_each(|names| self.post(id, Reply::NamesLeft(names)));
                    let text = self.document.text.clone();
                    self.post(id, Reply::Edited { version, text, what: edit.what });
                    self.wrote(id, other);
                }
                Err(why) => self.post(id, Reply::NotEdited { version, why }),
            },
            Request::Import { name, text, more, target, with, version } => {
                let result = self.document.import(&name, &text, &more, (target, &with), version);
                self.imported(id, result, version);
            }
            Request::ImportFiles { target, with, version, .. } => {
                let given = self.read_files(id);
                let files = given.kept().to_vec();
                if !files.is_empty() {
                    self.post(id, Reply::Given { version, files });
                }
                let result = self.document.import_given(given, (target, &with), version);
                self.imported(id, result, version);
            }
            Request::Restore { opened, delivered, said, running, text, version, at_ms, selection } => {
                self.document.restore(opened, &delivered, said, running, text, version);
                self.selection = selection;
                (self.linked, self.looked_at, self.agreeing) = (None, None, None);
                self.what.forget();
                self.due = Some(Due { id, at_ms, event: None, anew: true, stand: false });
                self.what.given = self.document.given();
                self.tell_document(id);
            }
            Request::Link { text, view, comparison, purpose } => {
                let (mut view, proof) = self.passed_on(&text, view, purpose);
                let text = self.document.passed_on(&text);
                let compared_by_link = comparison.map(|comparison| self.compared_by_link(&comparison));
                let compares = compared_by_link.is_some();
                view.compare = compared_by_link.and_then(|comparison| compared::to_link(&comparison, &text));
                let left_out = compares && view.compare.is_none();
                let link = link::write(&text, &view, proof.as_ref()).map_err(|p| format!("{} {}", p.what, p.mend));
                self.post(id, Reply::Link { purpose, link, left_out });
            }
            Request::Show(show) => {
                self.what.show = show;
                self.what.due = true;
            }
            Request::Gallery => self.post(id, Reply::Gallery(gallery::cards())),
            Request::Limits => self.post(id, Reply::Limits(include_str!("../../../../docs/deviations.md").to_owned())),
            Request::Seek { time_ms, selection } => {
                self.selection = selection;
                let loaded = self.job.take().is_some_and(|j| j.loaded);
                self.job = Some(Job { loaded, ..Job::to(id, time_ms) });
            }
            Request::Step { by, back, selection } => {
                self.selection = selection;
                self.step(id, by, back);
            }
            Request::Look { selection } => {
                self.selection = selection;
                self.frame(id, false);
            }
            Request::Why { selection } => {
                let answer = match &self.player {
                    None => Reply::NoWhy("No scenario is played yet: there is nothing to ask about.".to_owned()),
                    Some(p) => match p.not_there(&selection) {
                        Some(why) => Reply::NoWhy(why),
                        None => Reply::Why(Box::new(p.why(&selection))),
                    },
                };
                self.post(id, answer);
            }
            Request::Help { selection } => {
                self.help = self.player.as_ref().map(|p| Helping::new(id, p, selection, clock()));
            }
            Request::TryEdit { edit, typed, comparison } => self.try_edit(id, &edit, &typed, comparison),
            Request::Compare(comparison) => self.compare(id, &comparison),
            Request::LeaveWorlds => (self.worlds, self.beside) = (None, None),
            Request::Charts => {
                let series = self.player.as_ref().map(Player::series).unwrap_or_default();
                self.post(id, Reply::Charts(series));
            }
            Request::Ledger(books) => {
                self.books = books;
                self.tell_ledger(id);
            }
            Request::Listen => self.post(id, Reply::Listening),
            Request::Stop => {
                self.ahead = false;
                self.leave_judging();
                if let Some(player) = &mut self.player {
                    player.stay();
                }
                match (self.job.take(), &self.player) {
                    // What is known by now is shown where it tells most.
                    (Some(job), Some(player)) if job.stand => {
                        self.job = Some(Job { goal_ms: player.telling_moment(), stand: false, ..job });
                    }
                    (job, _) => {
                        let (id, loaded) = job.map_or((id, false), |job| (job.id, job.loaded));
                        self.done(id, loaded);
                    }
                }
            }
        }
    }

    /// Steps from the goal of the movement under way, or else from here.
    fn step(&mut self, id: u32, by: StepBy, back: bool) {
        let here = || self.player.as_ref().map(|p| Job { there: true, ..Job::to(id, p.now()) });
        match self.job.take().or_else(here) {
            Some(job) => self.job = Some(Job { id, step: Some((by, back)), ..job }),
            None => self.frame(id, false),
        }
    }

    fn imported(&mut self, id: u32, (result, other): (ImportResult, bool), version: u32) {
        match result {
            ImportResult::Scenario(new) => self.open(id, *new, Opening::Chosen, version),
            ImportResult::File { text, report } => {
                self.post(id, Reply::Imported { version, text: Some(text), report });
                self.wrote(id, other);
            }
            ImportResult::Unknown(report) => self.post(id, Reply::Imported { version, text: None, report }),
        }
    }

    fn open(&mut self, id: u32, new: NewText, how: Opening, version: u32) {
        self.document.open_again(new.text, new.said, version);
        self.linked = linked::Linked::of(new.view.as_ref(), new.proof);
        let view = new.view.as_ref();
        self.selection = view.and_then(|v| v.select.as_ref()).and_then(|s| s.parse().ok());
        self.looked_at = None;
        self.what.forget();
        let (at_ms, event) = view.map_or((None, None), |v| (v.time_ms, v.event));
        self.due = Some(Due { id, at_ms, event, anew: true, stand: new.stand && view.is_none() });
        self.what.given = if new.report.is_some() { self.document.given() } else { 0 };
        self.agreeing = new.stand.then_some(new.offers);
        let compare = view.and_then(|v| v.compare.as_ref());
        let opened = Opened {
            comparison: compare.map(|compare| compared::of_link(compare, &self.document.text)),
            version,
            text: self.document.text.clone(),
            how,
            first: self.document.is_first(),
            view: new.view,
            notice: new.notice,
            report: new.report,
        };
        self.post(id, Reply::Opened(Box::new(opened)));
        self.tell_document(id);
    }

    /// Makes an edit. Returns whether another scenario runs then, and the names that were removed.
    fn edited(&mut self, edit: &Edit, typed: &str, version: u32) -> Result<(bool, Option<NamesView>), String> {
        let names = match edit.change {
            Change::LeaveNames => {
                let left = without_names(&self.document.text)?;
                Some(NamesView { names: left.names, remarks: left.remarks })
            }
            _ => None,
        };
        let other = self.document.edit(edit, typed, version)?;
        if let Change::LeaveNames | Change::BringNames(_) = edit.change {
            // The selection has another name now.
            self.selection = None;
        }
        Ok((other, names))
    }

    /// Posts the changed text; `other` if another scenario runs from now on.
    fn wrote(&mut self, id: u32, other: bool) {
        if other {
            let at_ms = match (&self.due, &self.job, &self.player) {
                (Some(due), ..) => due.at_ms,
                (_, Some(job), _) => Some(job.goal_ms),
                (_, _, player) => player.as_ref().map(Player::now),
            };
            let anew = self.due.as_ref().is_some_and(|d| d.anew);
            // What an import leaves open was changed: its run is shown where it tells most.
            let stand = self.what.show.setup.is_some();
            self.due = Some(Due { id, at_ms, event: None, anew, stand });
        }
        self.tell_document(id);
    }

    fn tell_document(&mut self, id: u32) {
        self.what.due = true;
        let view = Box::new(self.document.view());
        self.post(id, Reply::Document(view));
    }
}

/// Returns whether a request ends the search for advice.
fn ends_search(request: &Request) -> bool {
    !matches!(
        request,
        Request::Why { .. }
            | Request::Charts
            | Request::Ledger(_)
            | Request::Compare(_)
            | Request::TryEdit { .. }
            | Request::LeaveWorlds
            | Request::Link { .. }
            | Request::Gallery
            | Request::Limits
            | Request::Show(_)
            | Request::Listen
    )
}

/// Returns whether a request is about the run, so that the latest document must be playing.
fn asks_the_run(request: &Request) -> bool {
    let beside = matches!(
        request,
        Request::Link { .. }
            | Request::Gallery
            | Request::Limits
            | Request::Show(_)
            | Request::LeaveWorlds
            | Request::Listen
    );
    request.version().is_none() && !beside
}
