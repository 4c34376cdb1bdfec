//! The document: its text, the last readable text before it, which runs, and its problems. An error never loses typed text.

pub(crate) mod added;
pub mod compared;
pub mod gallery;
mod given;
pub(crate) mod import;
mod mutation;
mod open;
mod report;
mod view;

pub use given::GivenTexts;
pub use import::ImportResult;
pub use open::{NewText, found};

use heddle_core::model::limits;
use heddle_core::rm::Properties;
use heddle_core::scenario::settings_check::odd_settings;
use heddle_core::scenario::words::{self, AuthorText, Flawed};
use heddle_core::scenario::{self, Caption, Scenario};
use heddle_player::{odd_new_worlds, odd_worlds};
use heddle_view::{Change, Edit, ImportTarget, Leaving, Problem, ReservedParts, WordsOrigin, secrets};
use std::borrow::Cow;

#[derive(Default)]
pub struct Document {
    pub version: u32,
    pub text: String,
    /// The text as it was opened.
    pub opened: String,
    /// If the names were left since, so that what was opened has them still: the text with them.
    pub with_names: Option<String>,
    /// The last readable text, which runs.
    pub running: String,
    /// The scenario of `running`.
    pub scenario: Option<Scenario>,
    /// The problems of the text.
    pub problems: Vec<Problem>,
    /// The queues' properties as opened or imported; a mutation leads from there to the present ones.
    pub delivered: Properties,
    /// The author's words, and for which scenario each was written.
    said: Vec<WordsOrigin>,
    /// The fingerprint of the running scenario for that purpose; `None` if there are no words about it.
    played: Option<u64>,
    /// The readable part of a text with an error, if it has words of the author.
    flawed: Option<Flawed>,
    /// The text as it leaves the page; `None` if unchanged.
    leaving: Option<Leaving>,
    /// The parts of the page that its author's words filled when it was opened.
    room: ReservedParts,
}

/// Returns a note that a text has secrets, masked or just typed.
fn secret(found: &[secrets::Secret]) -> Option<Problem> {
    Some(Problem::note("scenario", found.first()?.span, secrets::sentence(found)))
}

impl Document {
    /// Opens a text without its secrets; see [`found`].
    pub fn open(&mut self, text: String, version: u32) {
        self.open_again(text, Vec::new(), version);
    }

    /// Opens a text some of whose words may have been written for another scenario.
    pub fn open_again(&mut self, text: String, said: Vec<WordsOrigin>, version: u32) {
        *self = Document { opened: text.clone(), said, ..Document::default() };
        self.write(text, version);
        self.said.iter_mut().for_each(|said| said.typed = false);
        let room = |s: &Scenario| ReservedParts {
            captions: !s.captions.is_empty(),
            card: !s.worlds.is_empty() || s.card.as_ref().is_some_and(|card| !card.question.is_empty()),
        };
        self.room = self.scenario.as_ref().map(room).unwrap_or_default();
        self.deliver();
    }

    /// Replaces the text. Returns whether another scenario runs from now on.
    pub fn write(&mut self, text: String, version: u32) -> bool {
        self.version = version;
        let read = scenario::read(&text);
        let odd = read.scenario.iter().flat_map(odd_settings);
        // The worlds of a long text are checked when they are compared.
        let worlds = read.scenario.iter().filter(|s| s.worlds.len() * text.len() <= limits::WORLDS_CHECKED_BYTES);
        let worlds = worlds.flat_map(|s| odd_worlds(s, &text));
        let secrets = secrets::find(&text);
        let mut problems: Vec<Problem> =
            read.problems.into_iter().chain(odd).chain(worlds).chain(secret(&secrets)).collect();
        // Undo gives back the very text.
        self.with_names = self.with_names.take().filter(|with| *with != text);
        self.text = text;
        let mut other = false;
        self.flawed = None;
        if read.scenario.is_none() && !self.said.is_empty() {
            self.flawed = Flawed::read(&self.text, read.flawed);
        }
        if let Some(scenario) = read.scenario {
            other = self.scenario.is_none() || self.running != self.text;
            self.hear(&scenario);
            problems.extend(self.hidden(&scenario));
            self.scenario = Some(scenario);
            self.running.clone_from(&self.text);
        }
        self.problems = Problem::placed(problems, &self.text);
        self.leaving = self.leave(&secrets);
        other
    }

    /// Returns the text with an edit, without making it.
    pub fn tried(&self, edit: &Edit, typed: &str) -> Result<String, String> {
        let next = match edit.change {
            Change::Load(load) => crate::edits::load::load(&self.text, &self.opened, load)?,
            _ => crate::edits::apply(&self.text, edit, typed, self.scenario.as_ref())?,
        };
        Ok(secrets::masked(&next))
    }

    /// Makes an edit. Returns whether another scenario runs from now on. Errors are sentences that say why it cannot be made.
    pub fn edit(&mut self, edit: &Edit, typed: &str, version: u32) -> Result<bool, String> {
        let text = self.tried(edit, typed)?;
        if let Change::LeaveNames | Change::BringNames(_) = edit.change {
            self.carry(&text);
            self.with_names = (edit.change == Change::LeaveNames).then(|| self.text.clone());
        }
        if let Change::Worlds { .. } = edit.change {
            let odd = odd_new_worlds(self.scenario.as_ref(), &text);
            if !odd.is_empty() {
                return Err(odd.join(" "));
            }
        }
        Ok(self.write(text, version))
    }

    /// Recognises a text and those that came with it, and adds what belongs in the scenario. Returns whether another scenario
    /// runs then.
    pub fn import(
        &mut self,
        name: &str,
        text: &str,
        more: &[(String, String)],
        (target, with): (ImportTarget, &[(String, String)]),
        version: u32,
    ) -> (ImportResult, bool) {
        let found = import::read_all(name, text, more, &self.text, (self.fitting(target), with));
        self.imported(found, version)
    }

    /// The same with files.
    pub fn import_given(
        &mut self,
        given: GivenTexts,
        (target, with): (ImportTarget, &[(String, String)]),
        version: u32,
    ) -> (ImportResult, bool) {
        let found = given.finish(&self.text, (self.fitting(target), with));
        self.imported(found, version)
    }

    /// Returns the place where an import goes, by what is open.
    fn fitting(&self, target: ImportTarget) -> ImportTarget {
        let dump = self.scenario.as_ref().is_some_and(|s| s.apps.iter().any(|app| app.now.is_some()));
        match target {
            ImportTarget::Fitting if dump => ImportTarget::FittingImported,
            target => target,
        }
    }

    fn imported(&mut self, found: ImportResult, version: u32) -> (ImportResult, bool) {
        let ImportResult::File { text, .. } = &found else { return (found, false) };
        let other = self.write(text.clone(), version);
        self.deliver();
        (found, other)
    }

    /// Restores everything that a former engine knew.
    pub fn restore(
        &mut self,
        opened: String,
        delivered: &str,
        said: Vec<WordsOrigin>,
        running: String,
        text: String,
        version: u32,
    ) {
        self.open(opened, version);
        if !said.is_empty() {
            self.said = said;
        }
        if delivered != self.opened {
            let read = scenario::read(delivered).scenario;
            self.delivered = read.map(|s| s.settings.capacity_scheduler).unwrap_or_default();
        }
        if running != self.running {
            self.write(running, version);
        }
        if text != self.text {
            self.write(text, version);
        }
    }

    /// Records the queues as the delivered ones.
    fn deliver(&mut self) {
        self.delivered = self.scenario.as_ref().map(|s| s.settings.capacity_scheduler.clone()).unwrap_or_default();
    }

    /// Adds the problems for which the settings were refused.
    pub fn refused(&mut self, problems: &[Problem]) {
        for problem in Problem::placed(problems.to_vec(), &self.text) {
            if !self.problems.contains(&problem) {
                self.problems.push(problem);
            }
        }
    }

    /// Returns the number of applications that it had when it was opened, without generated ones.
    pub fn given(&self) -> usize {
        let own = |app: &&heddle_core::scenario::App| crate::edits::load::of(app).is_none();
        scenario::read(&self.opened).scenario.map_or(0, |s| s.apps.iter().filter(own).count())
    }

    /// Returns whether the text has an error, so that an earlier one runs.
    pub fn stale(&self) -> bool {
        self.scenario.is_some() && self.text != self.running
    }

    /// Records that words seen for the first time are about the present scenario.
    fn hear(&mut self, scenario: &Scenario) {
        let words = AuthorText::all(scenario);
        self.played = if words.is_empty() { None } else { words::played(&self.text) };
        let Some(played) = self.played else { return };
        for words in words.iter().map(AuthorText::print) {
            if !self.said.iter().any(|said| said.words == words) {
                self.said.push(WordsOrigin { words, of: played, typed: true });
            }
        }
    }

    /// Records that words about the scenario are also about the one with other names.
    fn carry(&mut self, text: &str) {
        let (Some(was), Some(is)) = (self.played, words::played(text)) else { return };
        let carried: Vec<WordsOrigin> =
            self.said.iter().filter(|s| s.of == was).map(|s| WordsOrigin { of: is, ..*s }).collect();
        self.said.extend(carried);
    }

    /// Returns whether these words are about the running scenario, not about another one.
    pub fn holds(&self, words: &AuthorText) -> bool {
        self.played.is_some_and(|played| self.said_of(words, played))
    }

    /// Returns whether these words were written for the scenario with this fingerprint.
    fn said_of(&self, words: &AuthorText, played: u64) -> bool {
        let words = words.print();
        self.said.iter().any(|said| said.words == words && said.of == played)
    }

    /// Returns whether these words were written for other scenarios only; new words were not.
    fn is_gone(&self, words: &AuthorText, played: u64) -> bool {
        let print = words.print();
        self.said.iter().any(|said| said.words == print) && !self.said_of(words, played)
    }

    /// Returns the caption of a moment, if it is about the running scenario.
    pub fn caption(&self, at: i64) -> Option<&Caption> {
        self.scenario.as_ref()?.caption(at).filter(|caption| self.holds(&AuthorText::of(caption)))
    }

    /// Returns a note to the author, at the first place, that captions or a card typed here are now hidden.
    fn hidden(&self, scenario: &Scenario) -> Option<Problem> {
        let hidden = |words: &AuthorText| {
            let print = words.print();
            let here = self.said.iter().any(|said| said.typed && said.words == print && Some(said.of) != self.played);
            here && words.is_hidden() && !self.holds(words)
        };
        let captions: Vec<&Caption> = scenario.captions.iter().filter(|c| hidden(&AuthorText::of(c))).collect();
        let card = scenario.card.as_ref().is_some_and(|card| hidden(&AuthorText::Card(card.clone())));
        let (what, are) = match (captions.len(), card) {
            (0, false) => return None,
            (0, true) => ("The card".to_owned(), "is"),
            (1, false) => ("A caption".to_owned(), "is"),
            (1, true) => ("A caption and the card".to_owned(), "are"),
            (n, false) => (format!("{n} captions"), "are"),
            (n, true) => (format!("{n} captions and the card"), "are"),
        };
        let was = if are == "is" { "was" } else { "were" };
        let what = format!("{what} {was} written for the scenario before it was edited, and {are} not shown.");
        let first = captions.iter().map(|c| c.span).min_by_key(|span| span.start);
        Some(Problem::note("scenario", first, what).mend("Other words are said of the scenario as it is now."))
    }

    /// Returns the words in the text that are about another scenario.
    fn outlived(&self) -> Vec<AuthorText> {
        if self.stale() || self.scenario.is_none() {
            let flawed = self.flawed.iter();
            return flawed.flat_map(|f| f.words().into_iter().filter(|words| self.is_gone(words, f.played))).collect();
        }
        self.scenario.iter().flat_map(AuthorText::all).filter(|words| !self.holds(words)).collect()
    }

    /// Returns a text as it is passed on, which may be newer than the page knows.
    pub fn passed_on<'t>(&'t self, text: &'t str) -> Cow<'t, str> {
        let leaving = self.leaving.as_ref();
        let known = leaving.and_then(|leaving| leaving.passed.as_deref().or(leaving.masked.as_deref()));
        if text == self.text {
            return Cow::Borrowed(known.unwrap_or(text));
        }
        if known == Some(text) || self.said.is_empty() {
            return Cow::Borrowed(text);
        }
        let read = scenario::read(text);
        let gone = |words: Vec<AuthorText>, played| -> Vec<AuthorText> {
            words.into_iter().filter(|words| self.is_gone(words, played)).collect()
        };
        let marked = match &read.scenario {
            Some(scenario) => words::played(text)
                .and_then(|played| words::passed_on(text, scenario, &gone(AuthorText::all(scenario), played))),
            None => Flawed::read(text, read.flawed).and_then(|f| f.passed_on(text, &gone(f.words(), f.played))),
        };
        marked.map_or(Cow::Borrowed(text), Cow::Owned)
    }

    /// Returns the text as it leaves the page: secrets masked, and words about another scenario marked.
    fn leave(&self, secrets: &[secrets::Secret]) -> Option<Leaving> {
        let masked = secrets.iter().any(|s| !s.masked).then(|| secrets::masked(&self.text));
        let gone = self.outlived();
        let passed = match (&self.flawed, &self.scenario) {
            _ if gone.is_empty() => None,
            (Some(flawed), _) => flawed.passed_on(&self.text, &gone),
            (None, Some(scenario)) => words::passed_on(&self.text, scenario, &gone),
            (None, None) => None,
        };
        let said: Vec<String> = passed.iter().map(|_| left_out(&gone)).collect();
        let said: Vec<String> =
            said.into_iter().chain((!secrets.is_empty()).then(|| secrets::sentence(secrets))).collect();
        if masked.is_none() && passed.is_none() {
            return (!said.is_empty()).then_some(Leaving { said, ..Leaving::default() });
        }
        // The author's words contain no secrets, but the rest of the text may.
        let passed = passed.map(|text| if masked.is_some() { secrets::masked(&text) } else { text });
        Some(Leaving { masked, passed, said })
    }
}

/// Returns the sentence about words that are marked as those of another scenario.
fn left_out(gone: &[AuthorText]) -> String {
    let hidden = gone.iter().filter(|words| words.is_hidden()).count();
    let marked: Vec<&str> = [
        ("the title", gone.iter().any(|words| matches!(words, AuthorText::Title(_)))),
        ("the note", gone.iter().any(|words| matches!(words, AuthorText::Note(_)))),
        ("reasons", gone.iter().any(|words| matches!(words, AuthorText::Reason(_)))),
    ]
    .into_iter()
    .filter_map(|(name, is)| is.then_some(name))
    .collect();
    let mut parts: Vec<String> = Vec::new();
    match hidden {
        0 => {}
        1 => parts.push("1 caption or card as a comment".to_owned()),
        n => parts.push(format!("{n} captions or cards as comments")),
    }
    if !marked.is_empty() {
        parts.push(format!("{} with a mark", heddle_player::explain::words::list(&marked, 3)));
    }
    format!("Written for the scenario before it was edited, so passed on as such: {}.", parts.join("; "))
}
