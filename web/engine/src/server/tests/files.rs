//! Files that come with a request: archives, several, large ones, some that cannot be read.

use super::*;
use std::cell::RefCell;
use std::rc::Rc;

/// A file of a test; `None`: it cannot be read.
struct TestFile(&'static str, Option<Vec<u8>>);

impl GivenFile for TestFile {
    fn name(&self) -> String {
        self.0.to_owned()
    }

    fn size(&self) -> u64 {
        self.1.as_ref().map_or(10, |bytes| bytes.len() as u64)
    }

    fn read(&self) -> Result<Vec<u8>, String> {
        self.1.clone().ok_or_else(|| "The file is gone.".to_owned())
    }
}

const NODES: &str =
    r#"{"nodes": {"node": [{"id": "n1:1", "state": "RUNNING", "usedMemoryMB": 0, "availMemoryMB": 8192}]}}"#;
const APPS: &str = r#"{"apps": {"app": [{"id": "application_1_0001", "user": "ann", "name": "j", "queue": "root.a", "state": "ACCEPTED"}]}}"#;

/// Imports files. Returns all replies, and what was told of the progress.
fn given(files: Vec<TestFile>) -> (Vec<Reply>, Vec<(u64, u64)>) {
    let told = Rc::new(RefCell::new(Vec::new()));
    let hears = told.clone();
    let post = move |answer: &Answer| {
        let Reply::Reading { done, of } = answer.reply else { panic!("{answer:?}") };
        hears.borrow_mut().push((done, of));
    };
    let mut page = Page { server: Server::of(Host { post: Box::new(post), ..Host::default() }), ..Page::default() };
    page.settled(vec![open(ScenarioSource::First)]);
    (page.asked, page.version) = (page.asked + 1, page.version + 1);
    let ask = Ask {
        id: page.asked,
        request: Request::ImportFiles { key: 1, target: ImportTarget::Fitting, with: vec![], version: page.version },
    };
    page.server.hear_with(ask, files.into_iter().map(|file| Box::new(file) as Box<dyn GivenFile>).collect());
    let replies = page.settled(vec![]);
    (replies, told.take())
}

fn text(name: &'static str, text: &str) -> TestFile {
    TestFile(name, Some(text.as_bytes().to_vec()))
}

/// Returns the scenario that was opened, and the report on it.
fn opened(replies: &[Reply]) -> (&str, &Report) {
    let opened = replies.iter().find_map(|r| if let Reply::Opened(opened) = r { Some(opened) } else { None });
    let opened = opened.expect("a scenario");
    (&opened.text, opened.report.as_ref().expect("a report"))
}

#[test]
fn files_are_read_together_and_those_that_cannot_be_are_named() {
    let (replies, told) = given(vec![text("nodes.json", NODES), TestFile("gone.json", None), text("apps.json", APPS)]);
    let (scenario, report) = opened(&replies);
    assert!(scenario.contains("n1") && scenario.contains("application_1_0001"), "{scenario}");
    assert!(report.facts.iter().any(|f| f == "gone.json was not read: The file is gone."), "{report:?}");
    let of = (NODES.len() + APPS.len() + 10) as u64;
    assert!(told.is_sorted() && told.last() == Some(&(of, of)), "{told:?}");
    let (replies, _) = given(vec![TestFile("gone.json", None)]);
    let Reply::Imported { text: None, report, .. } = &replies[0] else { panic!("it is not told") };
    assert!(report.facts[0].starts_with("gone.json was not read"), "{report:?}");
}

#[test]
fn an_archive_is_its_files_and_a_broken_one_is_told() {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, text) in [("rm/nodes.json", NODES), ("rm/apps.json", APPS), ("rm/.hidden", "x")] {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_cksum();
        archive.append_data(&mut header, name, text.as_bytes()).expect("packed");
    }
    let archive = archive.into_inner().expect("an archive");
    let (replies, _) = given(vec![TestFile("dump.tar", Some(archive))]);
    let (scenario, report) = opened(&replies);
    assert!(scenario.contains("application_1_0001") && report.name == "2 files", "{report:?}");
    assert!(report.files.iter().any(|f| f.name == "nodes.json"), "{report:?}");
    assert!(scenario.contains("title = \"dump.tar/rm: 2 files\""), "{scenario}");
    let (replies, _) = given(vec![TestFile("dump.zip", Some(b"PK\x03\x04 and nothing".to_vec()))]);
    let Reply::Imported { text: None, report, .. } = &replies[0] else { panic!("it is not told") };
    assert!(report.facts[0].contains("this zip archive cannot be read"), "{report:?}");
}

/// An answer longer than any text may be; the small ones before it are read, too.
#[test]
fn what_is_large_is_read_as_it_comes() {
    let pad = "x".repeat(1 << 20);
    let node = |n: usize| {
        format!(r#"{{"id": "n{n}:1", "state": "RUNNING", "usedMemoryMB": 0, "availMemoryMB": 1024, "pad": "{pad}"}}"#)
    };
    let list = (0..20).map(node).collect::<Vec<_>>().join(",");
    let large = format!(r#"{{"nodes": {{"node": [{list}]}}}}"#);
    let (replies, told) = given(vec![text("apps.json", APPS), text("nodes.json", &large), TestFile("gone.json", None)]);
    let (scenario, report) = opened(&replies);
    assert!(scenario.contains("n19") && scenario.contains("application_1_0001"));
    assert!(report.files.iter().any(|f| f.holds == "20 nodes, 20 of them there"), "{report:?}");
    assert!(report.files.iter().any(|f| f.kind == "not a text" && f.problems.is_some()), "{report:?}");
    assert!(told.len() > 5 && told.is_sorted(), "{told:?}");
}
