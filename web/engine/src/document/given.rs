//! Files of one import, as they are read. Few and small ones are kept until all are there, since some belong in the scenario
//! that is open; what is more is about a cluster, and is read at once.

use super::import::{ImportResult, made, read_all};
use heddle_core::import::{Given, Importer};
use heddle_core::model::limits::TEXT_BYTES;
use heddle_view::{Report, secrets};

/// The texts so far.
#[derive(Default)]
pub struct GivenTexts {
    kept: Vec<(String, String)>,
    bytes: usize,
    /// What reads the texts since they are too much to be kept.
    importer: Option<Importer>,
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
        for (name, text) in self.kept.drain(..) {
            importer.add(&Given { name: &name, text: &secrets::masked(&text) }, &mut |_| {});
        }
        let masked = secrets::mask(&text).map(|masked| masked.text);
        importer.add(&Given { name, text: masked.as_ref().unwrap_or(&text) }, progress);
    }

    /// Notes that a file cannot be read.
    pub fn failed(&mut self, name: &str, why: String) {
        match &mut self.importer {
            Some(importer) => importer.not_text(name, why),
            None => self.failed.push((name.to_owned(), why)),
        }
    }

    /// Returns what the texts come to; `current` is the scenario that is open.
    pub fn finish(self, current: &str) -> ImportResult {
        let GivenTexts { kept, importer, failed, .. } = self;
        let facts: Vec<String> = failed.into_iter().map(|(name, why)| format!("{name} was not read: {why}")).collect();
        let mut result = match (importer, kept.split_first()) {
            (Some(importer), _) => made(importer.finish()),
            (None, Some(((name, text), more))) => read_all(name, text, more, current),
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
