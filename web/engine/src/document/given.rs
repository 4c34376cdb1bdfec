//! Files of one import, as they are read. Few and small ones are kept until all are there, since some belong in the scenario
//! that is open; what is more is about a cluster, and is read at once.

use super::import::{ImportResult, read_all};
use super::report::made_of;
use heddle_core::import::{Given, Importer};
use heddle_core::model::limits::TEXT_BYTES;
use heddle_view::{ImportTarget, Report, secrets};

/// The size of a short text, in bytes.
const SHORT: usize = 256 << 10;

/// The texts so far.
#[derive(Default)]
pub struct GivenTexts {
    kept: Vec<(String, String)>,
    bytes: usize,
    /// What reads the texts since they are too much to be kept.
    importer: Option<Importer>,
    /// Short texts among those, such as settings, for the report.
    settings: Vec<(String, String)>,
    /// The files that cannot be read, with the reasons.
    failed: Vec<(String, String)>,
}

impl GivenTexts {
    /// Adds a text; `progress` hears up to which byte it was read.
    pub fn add(&mut self, name: &str, text: String, progress: &mut dyn FnMut(usize)) {
        self.bytes += text.len();
        if self.importer.is_none() && self.bytes <= TEXT_BYTES {
            return self.kept.push((name.to_owned(), text));
        }
        let importer = self.importer.get_or_insert_default();
        let mut read = |name: &str, text: String, progress: &mut dyn FnMut(usize)| {
            let text = secrets::mask(&text).map_or(text, |masked| masked.text);
            importer.add(&Given { name, text: &text }, progress);
            if text.len() <= SHORT {
                self.settings.push((name.to_owned(), text));
            }
        };
        self.kept.drain(..).for_each(|(name, text)| read(&name, text, &mut |_| {}));
        read(name, text, progress);
    }

    /// The texts that are kept, each with its name.
    pub fn kept(&self) -> &[(String, String)] {
        &self.kept
    }

    /// Notes that a file cannot be read.
    pub fn failed(&mut self, name: &str, why: String) {
        match &mut self.importer {
            Some(importer) => importer.not_text(name, why),
            None => self.failed.push((name.to_owned(), why)),
        }
    }

    /// Returns what the texts come to; `current` is the scenario that is open, `with` are files that were imported before and
    /// may be of the same cluster.
    pub fn finish(self, current: &str, (target, with): (ImportTarget, &[(String, String)])) -> ImportResult {
        let GivenTexts { kept, importer, settings, failed, .. } = self;
        let facts: Vec<String> = failed.into_iter().map(|(name, why)| format!("{name} was not read: {why}")).collect();
        let mut result = match (importer, kept.split_first()) {
            (Some(importer), _) => {
                let text_of =
                    |name: &str| settings.iter().find(|(other, _)| other == name).map_or("", |(_, text)| text.as_str());
                made_of(importer.finish(), text_of)
            }
            (None, Some(((name, text), more))) => read_all(name, text, more, current, (target, with)),
            (None, None) => {
                let what = "there is nothing to read in what was given. The scenario that is open stays.".to_owned();
                ImportResult::Unknown(Box::new(Report { name: "no files".into(), what, ..Report::default() }))
            }
        };
        if facts.is_empty() {
            return result;
        }
        match &mut result {
            ImportResult::File { report, .. } | ImportResult::Unknown(report) => report.facts.extend(facts),
            ImportResult::Scenario(new) => match &mut new.report {
                Some(report) => report.facts.extend(facts),
                None => {
                    let said = new.notice.take().into_iter().chain(facts).collect::<Vec<_>>();
                    new.notice = Some(said.join(" "));
                }
            },
        }
        result
    }
}
