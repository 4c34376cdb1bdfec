//! The sources of a scenario: the gallery, a text, a link.

use super::gallery;
use heddle_core::import::seen::Said;
use heddle_core::scenario::files::says_nothing;
use heddle_core::scenario::link::Proof;
use heddle_core::scenario::{self, link};
use heddle_view::{LinkView, Opening, Report, ScenarioSource, WordsOrigin, secrets};

/// A text to be opened.
#[derive(Debug, Default, PartialEq)]
pub struct NewText {
    pub text: String,
    /// The view that a link asks for.
    pub view: Option<LinkView>,
    /// The notice to be shown with it.
    pub notice: Option<String>,
    /// The report on the files that it was made from.
    pub report: Option<Box<Report>>,
    /// Whether it was made of files: its run is first shown at the moment that tells most, unless the view names one.
    pub stand: bool,
    /// What a dump's activities say of hosts.
    pub offers: Vec<(String, Vec<Said>)>,
    /// The result of the run where the link was made.
    pub proof: Option<Proof>,
    /// For which scenario the author's words were written, as far as it is known.
    pub said: Vec<WordsOrigin>,
}

/// The notice for a text that has nothing but comments.
const NO_SCENARIO: &str =
    "The text has no scenario in it: it is empty, or has only comments. The scenario that is open stays.";

/// Returns a source's text without its secrets, or why there is none.
pub fn found(source: ScenarioSource, how: Opening) -> Result<NewText, String> {
    found_raw(source, how).map(NewText::masked)
}

impl NewText {
    /// Masks the secrets and mentions that in the notice.
    pub fn masked(self) -> NewText {
        let Some(masked) = secrets::mask(&self.text) else { return self };
        let said = secrets::sentence(&masked.secrets);
        let notice = self.notice.map_or_else(|| said.clone(), |notice| format!("{notice} {said}"));
        NewText { text: masked.text, notice: Some(notice), ..self }
    }
}

fn found_raw(source: ScenarioSource, how: Opening) -> Result<NewText, String> {
    let plain = |text: &str| NewText { text: text.to_owned(), ..NewText::default() };
    Ok(match source {
        ScenarioSource::First => plain(gallery::FIRST),
        ScenarioSource::Empty => plain(gallery::EMPTY),
        ScenarioSource::Example(name) => plain(gallery::text(&name).ok_or(format!("There is no example `{name}`."))?),
        ScenarioSource::Text(text) => NewText { text, ..NewText::default() },
        ScenarioSource::Sound(text) if says_nothing(&text) => return Err(NO_SCENARIO.to_owned()),
        ScenarioSource::Sound(text) => {
            let read = scenario::read(&text);
            if read.scenario.is_none() {
                return Err(read.problems.iter().map(|p| p.render(&text)).collect::<Vec<_>>().join("\n"));
            }
            NewText { text, ..NewText::default() }
        }
        ScenarioSource::Link(address) => match linked(&address) {
            Ok(new) => new,
            Err(notice) if how == Opening::Start => NewText { notice: Some(notice), ..plain(gallery::FIRST) },
            Err(why) => return Err(why),
        },
        ScenarioSource::Draft { text, link: address, said } => {
            let view = (!address.is_empty()).then(|| link::open(&address).view);
            NewText { text, view, said, ..NewText::default() }
        }
    })
}

/// Returns the text of a link, with a notice if necessary.
pub fn linked(address: &str) -> Result<NewText, String> {
    if address.trim_start_matches('#') == "draft" {
        return Err("This address is of a draft that is kept in another browser, or no more: it holds no scenario. Ask for a link or for the file.".to_owned());
    }
    let opened = link::open(address);
    let notice = opened.problems.first().map(|p| {
        let gap = if p.mend.is_empty() { "" } else { " " };
        format!("{}{gap}{}", p.what, p.mend)
    });
    match opened.text {
        Some(text) => Ok(NewText { text, view: Some(opened.view), notice, proof: opened.proof, ..NewText::default() }),
        None => Err(notice.unwrap_or_default()),
    }
}
