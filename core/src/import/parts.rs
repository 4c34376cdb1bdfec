//! Answers of the ResourceManager that are large, or several in one text: they are read a part at a time, so that memory holds the
//! tree of one part only.

use super::json::{self, PartResult};
use super::kinds::{self, KINDS, TextFormat, TextKind};
use super::{Gathered, Given, InputText, ReadOutcome, Status};
use crate::model::{Problem, limits};
use indexmap::IndexMap;

/// The size of a part, in bytes of text. Its tree takes about six times as much.
pub(super) const BYTES: usize = 4 << 20;

/// The lists of records that may be divided.
const LISTS: [&str; 5] = ["node", "app", "appAttempt", "container", "activities"];

/// The maximum number of problems that are kept of a text.
const PROBLEMS: usize = limits::PROBLEMS;

/// Returns whether a text of this kind may be read in parts: its records add up.
pub(super) fn is_answer(what: TextKind) -> bool {
    (TextKind::ClusterInfo..=TextKind::AppActivities).contains(&what)
}

/// The answers of one text.
#[derive(Default)]
pub(super) struct Answers {
    /// The summary of each kind of answer, so far.
    kinds: IndexMap<TextKind, String>,
    /// The values that are no answers, in words.
    others: Vec<String>,
    partly: bool,
    problems: Vec<Problem>,
}

impl Answers {
    /// Returns the kind of the first answer, if one was read.
    pub(super) fn kind(&self) -> Option<&'static TextFormat> {
        let (what, _) = self.kinds.first()?;
        KINDS.iter().find(|kind| kind.what == *what)
    }

    /// Reads all parts of a text but the last one, which is returned. Any other text is returned as a whole; Errors: that would
    /// be too much.
    pub(super) fn read_parts<'t>(
        &mut self,
        given: &Given<'t>,
        text: &'t str,
        gathered: &mut Gathered,
        progress: &mut dyn FnMut(usize),
    ) -> Result<InputText<'t>, Problem> {
        let name = given.name;
        let mut too_long = None;
        let documents = json::read_parts(text, BYTES, &LISTS, &mut |documents, at| {
            let look = InputText::of_json(name, text, documents);
            let first = if self.kinds.is_empty() { super::recognise(&look) } else { self.kind() };
            if first.is_some_and(|kind| is_answer(kind.what)) {
                self.read_rest(look, gathered);
                progress(at);
                return PartResult::Taken;
            }
            too_long = crate::scenario::read::too_long(name, given.text.len());
            if too_long.is_some() { PartResult::Leave } else { PartResult::Whole(look.into_json()) }
        });
        too_long.map_or_else(|| Ok(InputText::of_json(name, text, documents)), Err)
    }

    /// Reads the values of a part, each of which is an answer.
    pub(super) fn read_rest(&mut self, part: InputText<'_>, gathered: &mut Gathered) {
        for look in part.each() {
            let kind = KINDS.iter().find(|kind| is_read_here(kind.what) && (kind.is)(&look));
            let Some(kind) = kind else {
                if !look.is_empty_list() {
                    let (what, problem) = kinds::unrecognised(&look);
                    self.partly = true;
                    self.add(vec![problem]);
                    self.others.push(what);
                }
                continue;
            };
            let outcome = (kind.read)(&look, gathered);
            self.partly |= outcome.status != Status::Read;
            self.add(outcome.problems);
            self.kinds.insert(kind.what, outcome.holds);
        }
    }

    fn add(&mut self, problems: Vec<Problem>) {
        let left = PROBLEMS.saturating_sub(self.problems.len());
        self.problems.extend(problems.into_iter().take(left));
    }

    /// Returns what all answers came to, and what they are in words.
    pub(super) fn told(self) -> (ReadOutcome, String) {
        let named = self.kinds.iter().filter_map(|(what, holds)| {
            let kind = KINDS.iter().find(|kind| kind.what == *what)?;
            Some(kinds::in_words(kind, holds))
        });
        let said: Vec<String> = named.chain(self.others).collect();
        let status = if self.partly { Status::Partly } else { Status::Read };
        (ReadOutcome { status, holds: String::new(), problems: self.problems }, said.join("; "))
    }
}

/// Returns whether a value of several may be this: an answer, or an exception in the place of one.
fn is_read_here(what: TextKind) -> bool {
    is_answer(what) || what == TextKind::RemoteException
}

#[cfg(test)]
mod tests {
    use super::super::import;
    use super::*;
    use crate::client::json::{Node, Value};
    use crate::model::Span;

    /// The places of all values, with what they are.
    fn leaves(node: &Node, out: &mut Vec<(Span, String)>) {
        match &node.value {
            Value::Object(fields) => fields.iter().for_each(|field| leaves(&field.node, out)),
            Value::Array(items) => items.iter().for_each(|item| leaves(item, out)),
            other => out.push((node.span, format!("{other:?}"))),
        }
    }

    /// Any division gives every record once, at its place, whatever stands around it.
    #[test]
    fn parts_have_all_records_once() {
        let texts = [
            r#"{"nodes": {"node": [{"id": "a"}, {"id": "b", "in": [1, 2, 3]}, {"id": "c"}], "more": 1}, "end": 2}"#,
            r#"{"nodes": {"node": [{"id": "a"}]}} {"nodes": {"node": [{"id": "b"}, {"id": "c"}]}}, {"info": {"v": 1}}"#,
            r#"[{"id": "a"}, {"id": "b", "node": [4, 5]}, {"id": "c"}]"#,
            r#"{"app": {"resourceRequests": [1, 2, 3, 4], "id": "a"}}"#,
            r#"{"nodes": {"node": [{"id": "a"}, {"id": "b"}, "#,
        ];
        for text in texts {
            let whole = json::read(text);
            let mut expected = Vec::new();
            whole.values.iter().for_each(|value| leaves(value, &mut expected));
            for bytes in 1..text.len() {
                for stay in 0..5 {
                    let mut found = Vec::new();
                    let mut parts = 0;
                    let rest = json::read_parts(text, bytes, &LISTS, &mut |documents, _| {
                        parts += 1;
                        if parts > stay {
                            return PartResult::Whole(documents);
                        }
                        documents.values.iter().for_each(|value| leaves(value, &mut found));
                        PartResult::Taken
                    });
                    rest.values.iter().for_each(|value| leaves(value, &mut found));
                    assert_eq!((&found, &rest.fault), (&expected, &whole.fault), "{bytes} {stay}: {text}");
                }
            }
        }
    }

    /// An answer of more than a part is read like a small one; of another text as long nothing is.
    #[test]
    fn a_large_answer_is_read_and_a_large_text_of_another_kind_is_not() {
        let pad = "x".repeat(900);
        let node = |n: usize| {
            format!(
                r#"{{"id": "n{n}:1", "state": "RUNNING", "usedMemoryMB": 0, "availMemoryMB": 1024, "pad": "{pad}"}}"#
            )
        };
        let list = (0..20_000).map(node).collect::<Vec<_>>().join(",");
        let text = format!(r#"{{"nodes": {{"node": [{list}]}}}}"#);
        assert!(text.len() > limits::TEXT_BYTES);
        let found = import(&[Given { name: "n", text: &text }]);
        assert_eq!(found.files[0].what, "the answer of /nodes: 20000 nodes, 20000 of them there");
        assert_eq!(found.files[0].status, Status::Read, "{:?}", found.files[0].problems);
        let scenario = crate::scenario::read(&found.scenario.unwrap_or_default()).scenario.expect("a scenario");
        assert_eq!(scenario.nodes.len(), 20_000);
        let other = text.replace("\"nodes\"", "\"things\"").replace("\"node\"", "\"thing\"");
        let found = import(&[Given { name: "n", text: &other }]);
        assert_eq!((found.files[0].status, found.scenario), (Status::NotRead, None));
        assert!(found.files[0].problems[0].what.contains("up to 16 MB"), "{:?}", found.files[0].problems);
    }

    /// The report counts answers in a row together, by kind.
    #[test]
    fn answers_in_a_row_are_counted_together() {
        let one = |n: usize| {
            format!(r#"{{"container": [{{"containerId": "container_1_0001_01_{n:06}", "nodeId": "n:1"}}]}}"#)
        };
        let text = (1..=12).map(one).collect::<Vec<_>>().join("\n") + r#" {"clusterInfo": {"hadoopVersion": "3.4.1"}}"#;
        let found = import(&[Given { name: "c", text: &text }]);
        assert_eq!(found.files[0].what, "the answer of /containers: 12 containers; the answer of /info: Hadoop 3.4.1");
    }
}
