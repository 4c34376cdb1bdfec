mod files;
mod import;
mod secrets;
mod service;

use super::*;
use crate::document::gallery::FIRST;
use heddle_view::form::{Show, Tab};
use heddle_view::protocol::{Frame, REQUESTS_MAX};
use heddle_view::{
    AS_OPENED, BesideView, Change, Comparison, DocView, Edit, GivenWorld, ImportTarget, LinkFor, LinkView, Report,
    ScenarioSource, Severity,
};
use std::cell::Cell;

/// The page's side of a server: numbers requests and texts, and collects answers.
#[derive(Default)]
struct Page {
    server: Server,
    asked: u32,
    version: u32,
}

impl Page {
    /// A page with the first scenario open.
    fn opened() -> Page {
        let mut page = Page::default();
        page.settled(vec![open(ScenarioSource::First)]);
        page
    }

    /// Sends requests all at once.
    fn send(&mut self, requests: Vec<Request>) {
        for request in requests {
            self.asked += 1;
            if request.version().is_some() {
                self.version += 1;
            }
            self.server.hear(Ask { id: self.asked, request: request.numbered(self.version) });
        }
    }

    /// Sends requests and returns every answer until nothing is left to do.
    fn settled(&mut self, requests: Vec<Request>) -> Vec<Reply> {
        self.send(requests);
        let now = Cell::new(0.0);
        while self.server.turn(&|| now.replace(now.get() + 1.0)) {}
        let replies: Vec<Reply> = self.server.answers().into_iter().map(|a| a.reply).collect();
        assert_eq!(replies.last(), Some(&Reply::Idle));
        replies
    }
}

fn open(source: ScenarioSource) -> Request {
    Request::Open { source, how: Opening::Chosen, version: 0 }
}

fn write(text: impl Into<String>) -> Request {
    Request::Write { text: text.into(), version: 0 }
}

fn edit(what: &str, change: Change, typed: &str) -> Request {
    Request::Edit { edit: Edit { what: what.into(), change }, typed: typed.into(), version: 0 }
}

fn import(name: &str, text: &str) -> Request {
    Request::Import {
        name: name.into(),
        text: text.into(),
        more: vec![],
        target: ImportTarget::Open,
        with: vec![],
        version: 0,
    }
}

fn document(replies: &[Reply]) -> &DocView {
    let last = replies.iter().rev().find_map(|r| match r {
        Reply::Document(view) => Some(view),
        _ => None,
    });
    last.expect("the document is told")
}

fn frames(replies: &[Reply]) -> Vec<&Frame> {
    let frames = replies.iter().filter_map(|r| match r {
        Reply::Frame(frame) => Some(&**frame),
        _ => None,
    });
    frames.collect()
}

#[test]
fn the_first_scenario_opens_and_is_told() {
    let mut page = Page::default();
    let replies = page.settled(vec![Request::Open { source: ScenarioSource::First, how: Opening::Start, version: 0 }]);
    let Reply::Opened(opened) = &replies[0] else { panic!("{replies:?}") };
    assert!(opened.text == FIRST && opened.first && opened.version == 1 && opened.how == Opening::Start);
    let view = document(&replies);
    let about = view.about.as_ref().expect("it can be read");
    assert!(!about.title.is_empty() && about.driven == "schedules on node heartbeats" && !view.stale);
    let frames = frames(&replies);
    assert!(frames[0].loaded && !frames[0].snapshot.headline.is_empty());
    assert_eq!(frames[0].offer.as_ref().map(|o| o.name.as_str()), Some("n3"));
}

#[test]
fn an_error_keeps_the_last_good_scenario_running() {
    let mut page = Page::opened();
    let replies = page.settled(vec![write(format!("{FIRST}\n= =\n"))]);
    let view = document(&replies);
    let error = view.problems.iter().find(|p| p.severity == Severity::Error).expect("an error");
    assert_eq!(error.place, Some((FIRST.matches('\n').count() + 2, 3)));
    assert!(view.stale && view.about.is_some() && frames(&replies).is_empty(), "nothing is run anew");
    assert_eq!(frames(&page.settled(vec![Request::Look { selection: None }])).len(), 1, "what ran runs");
    let edit = page.settled(vec![edit("title", Change::Title, "x")]);
    assert!(matches!(&edit[0], Reply::NotEdited { version: 3, why } if why.contains("error")), "{edit:?}");
    let replies = page.settled(vec![write(FIRST)]);
    assert!(!document(&replies).stale && frames(&replies).is_empty(), "the same runs");
}

/// A setting that YARN silently ignores is reported on every tab, once.
#[test]
fn odd_settings_are_told_wherever_one_looks() {
    let mut page = Page::opened();
    let odd = FIRST.replacen("root.default.capacity = 100", "root.default.capacity = 100\nroot.default.capcity = 3", 1);
    assert_ne!(odd, FIRST);
    page.settled(vec![write(odd)]);
    for tab in [Tab::Cluster, Tab::Queues, Tab::Apps, Tab::Settings] {
        for as_text in [false, true] {
            let replies = page.settled(vec![Request::Show(Show { tab, as_text, ..Show::default() })]);
            let form =
                replies.iter().find_map(|r| if let Reply::Form(form) = r { Some(form) } else { None }).expect("a form");
            let told = format!("{form:?}").matches("root.default.capcity is not known").count();
            assert_eq!(told, 1, "{tab:?} {as_text} {form:#?}");
        }
    }
}

#[test]
fn settings_that_yarn_refuses_are_told_and_what_ran_goes_on() {
    let mut page = Page::opened();
    let bad = FIRST.replacen("root.default.capacity = 100", "root.default.capacity = 50", 1);
    assert_ne!(bad, FIRST);
    let replies = page.settled(vec![write(bad)]);
    assert!(replies.iter().any(|r| matches!(r, Reply::Refused { problems } if !problems.is_empty())), "{replies:?}");
    assert!(document(&replies).problems.iter().any(|p| p.what.contains("does not start")));
    assert!(frames(&page.settled(vec![Request::Look { selection: None }]))[0].snapshot.tally.running > 0);
}

#[test]
fn quick_edits_count_all_and_are_played_once() {
    let mut page = Page::opened();
    let node = |name: &str| Change::NodeLikeLast { name: name.into(), at_ms: 0 };
    let replies = page.settled(vec![
        edit("title", Change::Title, "two"),
        edit("add node n3", node("n3"), ""),
        edit("add node n4", node("n4"), ""),
        Request::Seek { time_ms: 20_000, selection: None },
    ]);
    let edited: Vec<(&u32, &String)> = replies
        .iter()
        .filter_map(|r| match r {
            Reply::Edited { version, text, what } => {
                assert!(text.contains("\"two\""), "{what}: each works on what the one before made");
                Some((version, what))
            }
            _ => None,
        })
        .collect();
    let names = ["title", "add node n3", "add node n4"].map(String::from);
    assert_eq!(edited, [(&2, &names[0]), (&3, &names[1]), (&4, &names[2])]);
    assert_eq!(document(&replies).about.as_ref().map(|a| a.title.as_str()), Some("two"));
    let frames = frames(&replies);
    let loaded: Vec<_> = frames.iter().filter(|f| f.loaded).collect();
    assert_eq!((loaded.len(), loaded[0].snapshot.time_ms), (1, 20_000), "the way asked for goes through the new run");
    assert_eq!(loaded[0].snapshot.racks.iter().map(|r| r.nodes.len()).sum::<usize>(), 4);
}

#[test]
fn names_are_left_and_come_back() {
    let mut page = Page::opened();
    page.settled(vec![Request::Seek { time_ms: 7_000, selection: "app:zk".parse().ok() }]);
    let replies = page.settled(vec![edit("leave the names", Change::LeaveNames, "")]);
    let names = replies.iter().find_map(|r| if let Reply::NamesLeft(names) = r { Some(names.clone()) } else { None });
    let names = names.expect("the names are told");
    assert!(names.names.iter().any(|(old, _)| old == "zk"), "{names:?}");
    let text = |replies: &[Reply]| {
        let edited =
            replies.iter().find_map(|r| if let Reply::Edited { text, .. } = r { Some(text.clone()) } else { None });
        edited.expect("the text is told")
    };
    let without = text(&replies);
    assert!(!without.contains("\"zk\"") && without != FIRST, "{without}");
    let frame = frames(&replies)[0];
    assert_eq!(frame.snapshot.time_ms, 7_000);
    assert!(frame.selection.as_ref().is_none_or(|s| s.to_string() != "app:zk"), "{:?}", frame.selection);
    // What was opened has the names: no link compares with it.
    let comparison = Some(Comparison { base: AS_OPENED.to_owned(), ..Comparison::default() });
    let linked = page.settled(vec![Request::Link {
        text: without.clone(),
        view: LinkView::default(),
        comparison,
        purpose: LinkFor::Sharing,
    }]);
    let Some(Reply::Link { link: Ok(link), .. }) = linked.first() else { panic!("{linked:?}") };
    let compares = heddle_core::scenario::link::open(link).view.compare.unwrap_or_default();
    assert!(!compares.contains("zk"), "{compares}");
    // The author's words are still about this scenario.
    assert!(document(&replies).leaving.as_ref().is_none_or(|leaving| leaving.passed.is_none()), "nothing is marked");
    let replies = page.settled(vec![edit("bring the names back", Change::BringNames(names.names), "")]);
    assert!(text(&replies).contains("\"zk\""), "{}", text(&replies));
}

#[test]
fn an_edit_stays_at_the_moment_and_at_what_is_looked_at() {
    let mut page = Page::opened();
    let selection = "app:zk".parse().ok();
    page.settled(vec![Request::Seek { time_ms: 7_000, selection: selection.clone() }]);
    let replies = page.settled(vec![write(format!("{FIRST}# typed\n"))]);
    let frame = frames(&replies)[0];
    assert_eq!((frame.loaded, frame.snapshot.time_ms, &frame.selection), (true, 7_000, &selection));
}

#[test]
fn a_text_from_outside_is_refused_with_its_places_and_a_draft_is_not() {
    let mut page = Page::opened();
    let replies = page.settled(vec![open(ScenarioSource::Sound("heddle = 1\n= =\n".into()))]);
    assert!(matches!(&replies[0], Reply::NotOpened { why, .. } if why.contains("scenario:2:3: error:")), "{replies:?}");
    let replies = page.settled(vec![open(ScenarioSource::Text("heddle = 1\n= =\n".into()))]);
    assert!(matches!(&replies[0], Reply::Opened(o) if o.text.contains("= =")), "{replies:?}");
    assert!(replies.iter().any(|r| matches!(r, Reply::Refused { .. })) && document(&replies).about.is_none());
}

#[test]
fn links_open_what_was_written() {
    let mut page = Page::opened();
    let view = LinkView { time_ms: Some(9_000), select: Some("app:zk".into()), ..LinkView::default() };
    let text = format!("{FIRST}# mine\n");
    let purpose = LinkFor::Address { push: true };
    let replies =
        page.settled(vec![Request::Link { text: text.clone(), view: view.clone(), comparison: None, purpose }]);
    let Reply::Link { purpose: LinkFor::Address { push: true }, link: Ok(link), .. } = &replies[0] else {
        panic!("{replies:?}")
    };
    let replies = page.settled(vec![open(ScenarioSource::Link(format!("https://a.example/{link}")))]);
    let Reply::Opened(opened) = &replies[0] else { panic!("{replies:?}") };
    assert_eq!((&opened.text, opened.view.as_ref(), &opened.notice), (&text, Some(&view), &None));
    let frame = frames(&replies)[0];
    assert_eq!((frame.snapshot.time_ms, frame.selection.as_ref().map(ToString::to_string)), (9_000, view.select));
    // A draft newer than the link opens with the link's view.
    let draft = ScenarioSource::Draft { text: FIRST.into(), link: link.clone(), said: Vec::new() };
    let replies = page.settled(vec![open(draft)]);
    assert!(matches!(&replies[0], Reply::Opened(o) if o.text == FIRST && o.view.is_some()));
    assert_eq!(frames(&replies)[0].snapshot.time_ms, 9_000);
    // A draft's address has nothing on another machine, and the answer says so.
    let replies = page.settled(vec![open(ScenarioSource::Link("#draft".into()))]);
    assert!(
        matches!(&replies[0], Reply::NotOpened { why, .. } if why.contains("kept in another browser")),
        "{replies:?}"
    );
    // A damaged link is reported; at the start the first scenario opens as well.
    let replies = page.settled(vec![open(ScenarioSource::Link("#1.AAAA".into()))]);
    assert!(matches!(&replies[0], Reply::NotOpened { why, .. } if why.contains("link")), "{replies:?}");
    let source = ScenarioSource::Link("#99.x".into());
    let replies = page.settled(vec![Request::Open { source, how: Opening::Start, version: 0 }]);
    let Reply::Opened(opened) = &replies[0] else { panic!("{replies:?}") };
    assert!(opened.first && opened.notice.as_ref().is_some_and(|n| n.contains("format 99")));
    let text = "# x".repeat(1 << 16) + &(0..40_000).map(|i| format!("{:x}", i * 7919)).collect::<String>();
    let replies = page.settled(vec![Request::Link {
        text,
        view: LinkView::default(),
        comparison: None,
        purpose: LinkFor::Sharing,
    }]);
    assert!(matches!(&replies[0], Reply::Link { link: Err(why), .. } if why.contains("Save the scenario as a file")));
}

#[test]
fn the_gallery_is_listed_and_opens() {
    let mut page = Page::opened();
    let replies = page.settled(vec![Request::Gallery]);
    let Reply::Gallery(cards) = &replies[0] else { panic!("{replies:?}") };
    assert!(cards.len() > 40);
    let replies = page.settled(vec![Request::Limits]);
    assert!(matches!(&replies[0], Reply::Limits(text) if text.contains("## Not modelled")), "{replies:?}");
    let replies = page.settled(vec![open(ScenarioSource::Example("q26b-sweep".into()))]);
    assert!(document(&replies).about.as_ref().is_some_and(|a| a.worlds.len() > 2));
    let replies = page.settled(vec![open(ScenarioSource::Example("none".into()))]);
    assert!(matches!(&replies[0], Reply::NotOpened { .. }));
    let replies = page.settled(vec![open(ScenarioSource::Empty)]);
    assert!(frames(&replies)[0].loaded && frames(&replies)[0].offer.is_none(), "an empty one runs");
}

/// Returns the result of an import.
fn imported(page: &mut Page, name: &str, text: &str) -> (Option<String>, Report) {
    let replies = page.settled(vec![import(name, text)]);
    match &replies[0] {
        Reply::Imported { text, report, .. } => {
            assert_eq!(text.is_some(), replies.iter().any(|r| matches!(r, Reply::Document(_))), "{name}");
            (text.clone(), (**report).clone())
        }
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn every_kind_of_file_is_read() {
    macro_rules! sample {
        ($name:literal) => {
            include_str!(concat!("../../../../tests/samples/", $name))
        };
    }
    for (name, text, fact) in [
        ("capacity-scheduler.xml", sample!("capacity-scheduler.medium-labels.xml"), "12 queues (9 leaves), 2 labels"),
        ("yarn-site.xml", sample!("yarn-site.xml"), ""),
        ("resource-types.xml", sample!("resource-types.xml"), ""),
        ("yarnfile.json", sample!("yarnfile.json"), "were added as the application"),
        ("job.properties", sample!("job.properties"), "was added as the application `page-views`"),
    ] {
        let mut page = Page::opened();
        let (next, report) = imported(&mut page, name, text);
        assert!(report.taken && report.facts.iter().any(|f| f.contains(fact)), "{name}: {report:?}");
        assert_ne!(next.as_deref(), Some(FIRST), "{name}");
        assert_eq!(next.as_ref(), Some(&page.server.document.text), "{name}");
    }
    let text =
        "heddle = 1\nscheduling = \"heartbeat\"\n[capacity-scheduler]\nroot.queues = \"a\"\nroot.a.capacity = 100\n";
    let mut page = Page::default();
    page.settled(vec![open(ScenarioSource::Text(text.into()))]);
    let change =
        r#"{"update-queue":{"queue-name":"root.a","params":{"entry":{"key":"maximum-capacity","value":"60"}}}}"#;
    let (next, report) = imported(&mut page, "change.json", change);
    assert!(report.taken && next.is_some_and(|t| t.contains("maximum-capacity")));
    let most = |p: &Page| p.server.document.delivered.get("yarn.scheduler.capacity.root.a.maximum-capacity").cloned();
    assert_eq!(most(&page).as_deref(), Some("60"), "the queues are as they were delivered");
    for (name, text, said) in [
        ("capacity-scheduler.xml", sample!("capacity-scheduler.entity-bomb.bad.xml"), "DOCTYPE"),
        ("change.json", sample!("sched-conf.bad.json"), "remove-queue[0] root.nowhere"),
        ("yarnfile.json", sample!("yarnfile.bad.json"), "from String \"NEAR\""),
        ("mine.toml", "heddle = 1\ntitle = mine\n", ""),
    ] {
        let before = page.server.document.text.clone();
        let (next, report) = imported(&mut page, name, text);
        let problem = report.problems.iter().find(|p| p.what.contains(said) && p.severity == Severity::Error);
        assert!(next.is_none() && !report.taken && problem.is_some(), "{name}: {report:?}");
        assert!(report.problems.iter().all(|p| p.span.is_some() == p.place.is_some()), "{name}: places");
        assert_eq!(page.server.document.text, before, "{name}");
    }
    let (_, report) = imported(&mut page, "mine.toml", "heddle = 1\ntitle = mine\n");
    assert!(report.mendable.is_some());
    let (_, report) = imported(&mut page, "rm.log", "2026-01-01 INFO x");
    assert!(report.what.contains("neither a scenario") && report.mendable.is_none());
    let replies = page.settled(vec![import("a.toml", FIRST)]);
    assert!(matches!(&replies[0], Reply::Opened(o) if o.notice.as_ref().is_some_and(|n| n.starts_with("Opened: "))));
}

const WORLDS: &str = include_str!("../../../../scenarios/q26b-sweep.toml");

#[test]
fn worlds_are_run_in_slices_and_can_be_left() {
    let mut page = Page::default();
    page.settled(vec![open(ScenarioSource::Text(WORLDS.into()))]);
    let replies = page.settled(vec![Request::Compare(Comparison::default())]);
    let Some(Reply::Worlds(whole)) = replies.iter().find(|r| matches!(r, Reply::Worlds(_))) else { panic!("none") };
    assert_eq!(whole.len(), document(&page.settled(vec![write(WORLDS)])).about.as_ref().unwrap().worlds.len() + 1);
    // A longer run on a clock by which each slice takes too long: the slices get small, and progress is reported.
    let long = WORLDS.replacen("\"8 min\"", "\"5 h\"", 1).replacen("count = 8", "count = 2000", 1);
    page.settled(vec![open(ScenarioSource::Text(long)), Request::Stop]);
    page.send(vec![Request::Compare(Comparison::default())]);
    let now = Cell::new(0.0);
    let slow = || now.replace(now.get() + 500.0);
    let mut ran = Vec::new();
    for _ in 0..40 {
        assert!(page.server.turn(&slow), "not done in forty slices");
        ran.extend(page.server.answers().into_iter().filter_map(|a| match a.reply {
            Reply::Running { ran, of } => Some((ran, of)),
            // How the first change leaves the page is told at once.
            Reply::Tried(Ok(_)) => None,
            other => panic!("{other:?}"),
        }));
    }
    assert!(ran.len() > 30 && ran.iter().all(|(_, of)| *of == whole.len()) && ran.is_sorted(), "{ran:?}");
    // Other requests are handled in between; leaving ends the comparison without an answer.
    let replies = page.settled(vec![Request::Look { selection: None }, Request::LeaveWorlds]);
    assert!(frames(&replies).len() == 1 && !replies.iter().any(|r| matches!(r, Reply::Worlds(_))), "{replies:?}");
    // The opened text stands beside what it was edited into; another text ends the comparison.
    let text = WORLDS.replacen("title = \"", "title = \"My ", 1);
    page.settled(vec![open(ScenarioSource::Text(WORLDS.into()))]);
    page.send(vec![Request::Compare(Comparison::default())]);
    let replies = page.settled(vec![write(text), Request::Look { selection: None }]);
    assert!(!replies.iter().any(|r| matches!(r, Reply::Worlds(_))), "{replies:?}");
    let replies = page.settled(vec![Request::Compare(Comparison::default())]);
    let Some(Reply::Worlds(worlds)) = replies.iter().find(|r| matches!(r, Reply::Worlds(_))) else { panic!("none") };
    // Its own worlds come first.
    assert_eq!(worlds.iter().map(|w| w.name.as_str()).next_back(), Some("as it was opened"));
    assert_eq!((worlds.len(), &worlds[1].name), (whole.len() + 1, &whole[1].name));
    // Without worlds of its own a changed scenario is compared with what it was; how it was changed is told.
    page.settled(vec![open(ScenarioSource::Text(FIRST.into()))]);
    page.settled(vec![write(FIRST.replacen(
        "[yarn-site]\n",
        "[yarn-site]\nscheduler.minimum-allocation-mb = 2048\n",
        1,
    ))]);
    let replies = page.settled(vec![Request::Compare(Comparison::default())]);
    let Some(Reply::Worlds(worlds)) = replies.iter().find(|r| matches!(r, Reply::Worlds(_))) else { panic!("none") };
    let names: Vec<&str> = worlds.iter().map(|w| w.name.as_str()).collect();
    assert_eq!(names, ["as it was opened", "as it is"]);
    let told = replies.iter().find_map(|r| if let Reply::Tried(Ok(told)) = r { Some(told) } else { None });
    let files: Vec<&str> = told.iter().flat_map(|told| &told.files).map(|(name, _)| name.as_str()).collect();
    assert_eq!(files, ["yarn-site.xml"], "{told:?}");
    page.settled(vec![open(ScenarioSource::Text(WORLDS.into()))]);
    let given = vec![GivenWorld { name: "it".into(), text: FIRST.into() }];
    let replies = page.settled(vec![Request::Compare(Comparison { given, ..Comparison::default() })]);
    assert!(replies.iter().any(|r| matches!(r, Reply::Worlds(w) if w.len() == 2 && w[1].name == "it")));
}

#[test]
fn the_pictures_of_the_chosen_worlds_come_with_each_frame() {
    let mut page = Page::default();
    page.settled(vec![open(ScenarioSource::Text(WORLDS.into()))]);
    let pictures = |replies: &[Reply]| -> Vec<BesideView> {
        let all = replies.iter().filter_map(|r| if let Reply::Beside(b) = r { Some((**b).clone()) } else { None });
        all.collect()
    };
    let names = |view: &BesideView| view.worlds.iter().map(|w| w.name.clone()).collect::<Vec<_>>();
    let replies = page.settled(vec![Request::Compare(Comparison::default())]);
    let first = pictures(&replies).pop().expect("one");
    assert_eq!(names(&first).len(), 2, "the scenario and the first other world");
    // The baseline and two others are chosen; each stands at the moment of the frame.
    let base = "max-parallel-apps = 3".to_owned();
    let shown = vec!["as it is".to_owned(), "max-parallel-apps = 10".to_owned()];
    page.settled(vec![Request::Compare(Comparison { base: base.clone(), shown: shown.clone(), given: vec![] })]);
    let replies = page.settled(vec![Request::Seek { time_ms: 120_000, selection: None }]);
    let [view] = pictures(&replies).try_into().expect("one for the frame");
    assert_eq!(names(&view), [vec![base], shown].concat());
    assert_eq!(view.time_ms, 120_000);
    assert!(view.worlds.iter().all(|w| w.snapshot.time_ms == 120_000));
    assert_eq!(view.worlds[1].snapshot.racks, frames(&replies)[0].snapshot.racks, "the scenario itself");
    assert!(view.worlds[1].unequal.len() + view.worlds[2].unequal.len() > 0);
    // Another selection is answered in all worlds at the same moment.
    let selection = "queue:root.default".parse().ok();
    let [view] = pictures(&page.settled(vec![Request::Look { selection: selection.clone() }])).try_into().expect("one");
    assert!(view.worlds.iter().all(|w| w.why.as_ref().is_some_and(|why| why.about == selection)));
    page.settled(vec![Request::LeaveWorlds]);
    assert!(pictures(&page.settled(vec![Request::Seek { time_ms: 0, selection: None }])).is_empty());
}

#[test]
fn worlds_come_and_go_one_by_one() {
    let mut page = Page::opened();
    let worlds = Change::Worlds { property: " root.default.user-limit-factor ".into() };
    let replies = page.settled(vec![edit("add worlds", worlds, "1, 2,,4")]);
    let named = |replies: &[Reply]| -> Vec<String> {
        document(replies).about.as_ref().map(|a| a.worlds.iter().map(|w| w.name.clone()).collect()).unwrap_or_default()
    };
    assert_eq!(named(&replies), ["user-limit-factor = 1", "user-limit-factor = 2", "user-limit-factor = 4"]);
    let remove = |replies: &[Reply], n: usize| Request::Edit {
        edit: document(replies).about.as_ref().expect("it reads").worlds[n].remove.clone(),
        typed: String::new(),
        version: 0,
    };
    let replies = page.settled(vec![remove(&replies, 1)]);
    assert!(matches!(&replies[0], Reply::Edited { what, .. } if what == "remove the world user-limit-factor = 2"));
    assert_eq!(named(&replies), ["user-limit-factor = 1", "user-limit-factor = 4"]);
    let replies = page.settled(vec![remove(&replies, 0)]);
    let replies = page.settled(vec![remove(&replies, 0)]);
    assert!(named(&replies).is_empty() && !page.server.document.text.contains("worlds"));
    let nothing = Change::Worlds { property: "x".into() };
    let replies = page.settled(vec![edit("add worlds", nothing, " , ")]);
    assert!(matches!(&replies[0], Reply::NotEdited { why, .. } if why.contains("at least one value")));
}

/// A small scenario with words of its author, before and after every kind of event.
fn said() -> String {
    const SMALL: &str = "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"1 min\"\n\n[[nodes]]\nname = \"n\"\nsize = \"8 GB/8\"\n\n\
        [[apps]]\nname = \"j\"\ntasks = [{ count = 3, size = \"1 GB/1\", duration = \"forever\" }]\n";
    let caption = |at: i64, text: &str| format!("[[captions]]\nat = {at}\ntext = \"{text}\"\n");
    format!(
        "{SMALL}\n{}[card]\nid = \"Q\"\nquestion = \"Why?\"\nanswer = \"So.\"\n{}",
        caption(0, "Look here."),
        caption(5, "And there.")
    )
}

#[test]
fn words_of_the_author_are_silent_once_the_scenario_is_another() {
    let said = said();
    let entry = "[[nodes]]\nname = \"more\"\nsize = \"8 GB/4\"\n\n";
    let first = said.find("[[").expect("an entry");
    let inside = said.find("[[captions]]").expect("a caption");
    let (before, within) = (
        format!("{}{entry}{}", &said[..first], &said[first..]),
        format!("{}{entry}{}", &said[..inside], &said[inside..]),
    );
    // Whether the words are still about the scenario, whatever is added before, inside and after it.
    let cases = [
        (said.clone(), true),
        (format!("# a word\n\n{said}"), true),
        (format!("{said}\n# a word\n"), true),
        (said.replace("Why?", "Why, oh why?"), true),
        (before, false),
        (within, false),
        (format!("{said}\n{entry}"), false),
        (said.replacen("heddle = 1", "heddle = 1\nseed = 7", 1), false),
    ];
    for (text, holds) in cases {
        let mut page = Page::default();
        let replies = page.settled(vec![open(ScenarioSource::Text(said.clone()))]);
        assert_eq!(frames(&replies)[0].caption.as_deref(), Some("Look here."));
        assert!(document(&replies).about.as_ref().is_some_and(|a| a.card.is_some()));
        if text == said {
            continue;
        }
        page.settled(vec![write(text.clone())]);
        let replies = page.settled(vec![Request::Look { selection: None }]);
        let caption = holds.then(|| "Look here.".to_owned());
        assert_eq!(frames(&replies)[0].caption, caption, "{text}");
        let view = page.server.document.view();
        assert_eq!(view.about.as_ref().is_some_and(|a| a.card.is_some()), holds, "{text}");
        match view.leaving.and_then(|leaving| leaving.passed) {
            None => assert!(holds, "{text}"),
            Some(passed) => {
                assert!(!holds, "{text}");
                assert!(passed.contains("# text = \"Look here.\"") && passed.contains("# [card]"), "{passed}");
                assert!(passed.contains("more") || passed.contains("seed = 7"), "{passed}");
            }
        }
        // After undo they are about it again; a new caption is about the present scenario.
        page.settled(vec![write(said.clone())]);
        let replies = page.settled(vec![Request::Look { selection: None }]);
        assert_eq!(frames(&replies)[0].caption.as_deref(), Some("Look here."));
        page.settled(vec![write(text.replace("Look here.", "Look now."))]);
        let replies =
            page.settled(vec![Request::Look { selection: None }, Request::Seek { time_ms: 6_000, selection: None }]);
        assert_eq!(frames(&replies)[0].caption.as_deref(), Some("Look now."), "somebody is writing it");
        let later = holds.then(|| "And there.".to_owned());
        assert_eq!(frames(&replies)[1].caption, later, "the other was not written anew: {text}");
    }
}

/// A scenario in which each kind of words says `SAID`.
fn all_said() -> String {
    let text = said().replacen("heddle = 1\n", "heddle = 1\ntitle = \"SAID\"\nnote = \"SAID\"\n", 1);
    let text = text.replace("Look here.", "SAID").replace("And there.", "SAID later").replace("So.", "SAID");
    format!("{text}\n[[expect]]\nat = 2\nplaced = 77\nbecause = \"SAID\"\n")
}

/// What the page shows of each kind of the author's words at this moment.
fn told(replies: &[Reply]) -> Vec<(&'static str, String)> {
    let about = document(replies).about.clone().expect("it reads");
    let caption = frames(replies).last().and_then(|f| f.caption.clone()).unwrap_or_default();
    // An unchanged run is not judged again.
    let judged = replies.iter().rev().find_map(|r| match r {
        Reply::Expectations(all) if all.iter().all(|e| e.holds.is_some()) => {
            Some(("reason", all.iter().map(|e| e.reason.clone()).collect()))
        }
        _ => None,
    });
    let card = about.card.map(|c| c.answer).unwrap_or_default();
    [("title", about.told), ("card", card), ("caption", caption)].into_iter().chain(judged).collect()
}

/// Returns whether a kind of words is shown as it must be; `other` if they are about another scenario.
fn is_told_as(kind: &str, other: bool, text: &str) -> bool {
    match (kind, other) {
        ("title", true) => text == "SAID (edited)",
        (_, true) => text.is_empty(),
        ("reason", false) => text == "Expected because SAID.",
        (_, false) => text == "SAID",
    }
}

#[test]
fn every_kind_of_words_is_told_of_its_own_scenario_only_whatever_changed_it() {
    let file = "<configuration><property><name>yarn.scheduler.minimum-allocation-mb</name><value>2048</value></property></configuration>";
    let import = Request::Import {
        name: "yarn-site.xml".into(),
        text: file.into(),
        more: vec![],
        target: ImportTarget::Open,
        with: vec![],
        version: 0,
    };
    let more = format!("{}\n[[nodes]]\nname = \"m\"\nsize = \"8 GB/4\"\n", all_said());
    // Each change, and whether it makes another scenario.
    let changes: Vec<(&str, Vec<Request>, bool)> = vec![
        ("a comment", vec![write(format!("# more\n{}", all_said()))], false),
        ("another note", vec![write(all_said().replace("note = \"SAID\"", "note = \"Other\""))], false),
        ("a typed node", vec![write(more.clone())], true),
        ("a form", vec![edit("add a node", Change::NodeLikeLast { name: "n9".into(), at_ms: 0 }, "")], true),
        ("an import", vec![import], true),
        ("an undo", vec![write(more.clone()), write(all_said())], false),
        ("a redo", vec![write(more.clone()), write(all_said()), write(more.clone())], true),
        ("an error and its mend", vec![write("= =".to_owned()), write(all_said())], false),
        ("an error and more", vec![write("= =".to_owned()), write(more)], true),
    ];
    for (name, requests, other) in changes {
        let mut page = Page::default();
        page.settled(vec![open(ScenarioSource::Text(all_said()))]);
        let mut replies = page.settled(requests);
        replies.extend(page.settled(vec![Request::Look { selection: None }]));
        for (kind, text) in told(&replies) {
            assert!(is_told_as(kind, other, &text), "{name}, {kind}: {text:?}");
        }
        // The author's own text still has every word, and a stranger who follows the link sees the same.
        let text = page.server.text().to_owned();
        let kept = text.matches("SAID").count();
        assert_eq!(kept, if name == "another note" { 5 } else { 6 }, "{name}: {text}");
        let link = Request::Link { text, view: LinkView::default(), comparison: None, purpose: LinkFor::Sharing };
        let replies = page.settled(vec![link]);
        let Some(Reply::Link { link: Ok(link), .. }) = replies.iter().find(|r| matches!(r, Reply::Link { .. })) else {
            panic!("{name}: {replies:?}")
        };
        let mut stranger = Page::default();
        let mut replies = stranger.settled(vec![open(ScenarioSource::Link(link.clone()))]);
        replies.extend(stranger.settled(vec![Request::Look { selection: None }]));
        assert_eq!(stranger.server.text().matches("SAID").count(), kept, "{name}: nothing is lost");
        for (kind, text) in told(&replies) {
            let right = match (kind, other) {
                ("title", true) => text == "SAID (edited)",
                ("reason", true) => text == "Expected because of the scenario before it was edited: SAID.",
                (_, true) => text.is_empty(),
                ("reason", false) => text == "Expected because SAID.",
                (_, false) => text == "SAID",
            };
            assert!(right, "a stranger after {name}, {kind}: {text:?}");
        }
        let note = heddle_core::scenario::read(stranger.server.text()).scenario.expect("it reads").note;
        assert_eq!(note.starts_with("of the scenario before it was edited: "), other, "{name}: {note}");
    }
}

/// A text typed just before a reload never reached an engine. Its words are about the former scenario.
#[test]
fn words_of_a_draft_are_those_of_the_scenario_that_it_was_typed_into() {
    let mut before = Page::default();
    let replies = before.settled(vec![open(ScenarioSource::Text(all_said()))]);
    let said = document(&replies).said.clone();
    assert!(!said.is_empty());
    let more = format!("{}\n[[nodes]]\nname = \"m\"\nsize = \"8 GB/4\"\n", all_said());
    for (text, known, hidden) in
        [(more.clone(), said.clone(), true), (all_said(), said, false), (more, Vec::new(), false)]
    {
        let mut page = Page::default();
        let draft = ScenarioSource::Draft { text, link: String::new(), said: known };
        let mut replies = page.settled(vec![open(draft)]);
        replies.extend(page.settled(vec![Request::Look { selection: None }]));
        for (kind, text) in told(&replies) {
            assert!(is_told_as(kind, hidden, &text), "{kind}: {text:?}");
        }
    }
}

#[test]
fn words_that_are_typed_here_and_hidden_since_are_told() {
    let mut page = Page::default();
    page.settled(vec![open(ScenarioSource::Text(NODES_ONLY.into()))]);
    let typed = format!("{NODES_ONLY}[[captions]]\nat = 0\ntext = \"Two nodes.\"\n");
    let note = |replies: &[Reply]| document(replies).problems.iter().find(|p| p.what.contains("not shown")).cloned();
    assert_eq!(note(&page.settled(vec![write(typed.clone())])), None);
    let more = typed.replace("count = 2", "count = 3");
    let replies = page.settled(vec![write(more.clone())]);
    let note_at = note(&replies).and_then(|p| p.place).map(|(line, _)| line);
    assert_eq!(note_at, more.lines().position(|l| l == "[[captions]]").map(|n| n + 1), "{replies:?}");
    // The words of somebody else's scenario are hidden silently: whoever experiments did not write them.
    let mut page = Page::default();
    page.settled(vec![open(ScenarioSource::Text(typed))]);
    assert_eq!(note(&page.settled(vec![write(more)])), None);
}

const NODES_ONLY: &str = "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"1 min\"\n[[nodes]]\nname = \"n\"\ncount = 2\nsize = \"8 GB/8\"\n";

#[test]
fn another_engine_goes_on_where_one_ended() {
    let mut page = Page::opened();
    page.settled(vec![write(format!("{FIRST}# edited\n"))]);
    page.settled(vec![write("= =")]);
    let before = page.server.document.view();
    let restore = Request::Restore {
        opened: FIRST.into(),
        delivered: FIRST.into(),
        said: before.said.clone(),
        running: format!("{FIRST}# edited\n"),
        text: "= =".into(),
        version: 0,
        at_ms: Some(4_000),
        selection: None,
    };
    let mut page = Page { version: 2, ..Page::default() };
    let replies = page.settled(vec![restore]);
    assert_eq!(document(&replies), &before);
    assert_eq!(frames(&replies)[0].snapshot.time_ms, 4_000);
    let document = &page.server.document;
    assert!(document.is_first() && document.running.ends_with("# edited\n") && !document.delivered.is_empty());
}

/// Each kind of change × what the first engine knew: the next one marks the same words as those of another scenario.
#[test]
fn another_engine_knows_of_which_scenario_words_were_said() {
    let typed = all_said().replace("SAID later", "TYPED");
    let more = |text: &str| format!("{text}\n[[nodes]]\nname = \"m\"\nsize = \"8 GB/4\"\n");
    let cases: [(&str, Vec<String>); 6] = [
        ("nothing", vec![]),
        ("a node", vec![more(&all_said())]),
        ("a caption", vec![typed.clone()]),
        ("a caption, then a node", vec![typed.clone(), more(&typed)]),
        ("a node, then a caption", vec![more(&all_said()), more(&typed)]),
        ("a caption, a node and an error", vec![typed.clone(), more(&typed), "= =".into()]),
    ];
    for (name, texts) in cases {
        let mut page = Page::default();
        page.settled(vec![open(ScenarioSource::Text(all_said()))]);
        let mut running = all_said();
        for text in &texts {
            page.settled(vec![write(text.clone())]);
            if text != "= =" {
                running.clone_from(text);
            }
        }
        let frames_of = |page: &mut Page| {
            let replies = page.settled(vec![
                Request::Seek { time_ms: 0, selection: None },
                Request::Seek { time_ms: 6_000, selection: None },
            ]);
            frames(&replies).iter().map(|f| f.caption.clone()).collect::<Vec<_>>()
        };
        let (before, captions) = (page.server.document.view(), frames_of(&mut page));
        let restore = Request::Restore {
            opened: all_said(),
            delivered: all_said(),
            said: before.said.clone(),
            running,
            text: page.server.text().to_owned(),
            version: 0,
            at_ms: None,
            selection: None,
        };
        let mut next = Page { version: before.version - 1, ..Page::default() };
        next.settled(vec![restore]);
        assert_eq!(next.server.document.view(), before, "{name}");
        assert_eq!(frames_of(&mut next), captions, "{name}");
    }
}

/// Each kind of error × its place: words about another scenario are marked also in a text that cannot be played.
#[test]
fn words_are_passed_on_as_those_of_another_scenario_from_a_text_with_an_error() {
    let more = format!("{}\n[[nodes]]\nname = \"m\"\nsize = \"8 GB/4\"\n", all_said());
    let at = |text: &str, part: &str| text.find(part).unwrap_or_else(|| panic!("{part} in {text}"));
    // The errors: a line that is not TOML, an unclosed one, a duplicate key, a value of the wrong type, an unknown key.
    let lines = ["count = 3 x\n", "= =\n", "size = \"8 GB\n", "seed = \"many\"\n", "nods = 3\n", "tags = [\"a\"\n"];
    for line in lines {
        for part in ["scheduling", "[[nodes]]", "[[captions]]", "[card]", ""] {
            for (text, other) in [(all_said(), false), (more.clone(), true)] {
                let n = if part.is_empty() { text.len() } else { at(&text, part) };
                let text = format!("{}{line}{}", &text[..n], &text[n..]);
                if heddle_core::scenario::read(&text).scenario.is_some() {
                    continue;
                }
                // A text in which one line is not TOML is known to have the same run otherwise.
                let same = !other && !["seed", "nods"].iter().any(|key| line.starts_with(key));
                let mut page = Page::default();
                page.settled(vec![open(ScenarioSource::Text(all_said()))]);
                page.settled(vec![write(text.clone())]);
                let passed = page.server.document.passed_on(&text).into_owned();
                let link = page.server.document.view().leaving.and_then(|leaving| leaving.passed);
                let what = format!("{line:?} before {part:?}, {other}: {passed}");
                assert_eq!(passed.matches("SAID").count(), text.matches("SAID").count(), "{what}");
                assert!(passed.contains(line.trim_end()), "the error stays: {what}");
                if same {
                    assert_eq!((passed.as_str(), link), (text.as_str(), None), "{what}");
                } else if other {
                    assert_eq!(link.as_deref(), Some(passed.as_str()), "{what}");
                    assert!(passed.contains("\"SAID (edited)\"") && passed.contains("# text = \"SAID\""), "{what}");
                    assert!(passed.contains("\"of the scenario before it was edited: SAID\""), "{what}");
                }
            }
        }
    }
}

/// Two queues with half a node each; the one that comes later gets its room by preemption.
const ROUNDS: &str = r#"
heddle = 1
scheduling = "heartbeat"
until = "1 min"
[yarn-site]
"yarn.resourcemanager.scheduler.monitor.enable" = "true"
"yarn.resourcemanager.monitor.capacity.preemption.total_preemption_per_round" = "1.0"
[capacity-scheduler]
"yarn.scheduler.capacity.root.queues" = "a,b"
"yarn.scheduler.capacity.root.a.capacity" = "50"
"yarn.scheduler.capacity.root.b.capacity" = "50"
"yarn.scheduler.capacity.root.a.user-limit-factor" = "2"
[[nodes]]
name = "n"
size = "8 GB/8"
[[apps]]
name = "first"
user = "ann"
queue = "a"
am = "1 GB/1"
tasks = [{ count = 7, size = "1 GB/1", duration = "10 min" }]
[[apps]]
name = "second"
user = "bob"
queue = "b"
am = "1 GB/1"
at = "30 s"
tasks = [{ count = 1, size = "1 GB/1", duration = "30 s" }]
"#;

#[test]
fn the_ledger_follows_the_frames_while_it_is_shown() {
    let ledgers = |replies: &[Reply]| -> Vec<(String, Vec<String>)> {
        let told = replies.iter().filter_map(|r| match r {
            Reply::Ledger(l) => Some((l.title.clone(), l.of.iter().map(|s| s.text.clone()).collect())),
            _ => None,
        });
        told.collect()
    };
    let mut page = Page::default();
    assert!(ledgers(&page.settled(vec![open(ScenarioSource::Text(ROUNDS.into()))])).is_empty(), "nobody looks at it");
    let seek =
        |selection: Option<&str>| Request::Seek { time_ms: 31_000, selection: selection.and_then(|s| s.parse().ok()) };
    let replies = page.settled(vec![Request::Ledger(ShownTables::Rounds), seek(None)]);
    let told = ledgers(&replies);
    assert_eq!(told.first().map(|t| t.0.as_str()), Some("round 1 at 0:00"), "at once");
    assert_eq!(told.last().map(|t| t.0.as_str()), Some("round 11 at 0:30"), "and with each frame");
    let told = ledgers(&page.settled(vec![seek(Some("container:first/7"))]));
    assert_eq!(
        told,
        [("round 11 at 0:30".to_string(), vec!["first-7 marked".to_string(), "first-7 killed".to_string()])]
    );
    let round = Request::Step { by: StepBy::Round, back: false, selection: None };
    assert_eq!(frames(&page.settled(vec![round]))[0].snapshot.time_ms, 33_000);
    assert!(
        ledgers(&page.settled(vec![Request::Ledger(ShownTables::Nothing), seek(None)])).is_empty(),
        "until it is closed"
    );
}

/// A link leads to a moment, and to one of several states within it.
#[test]
fn a_link_opens_at_the_event_that_was_looked_at() {
    let mut page = Page::opened();
    page.settled(vec![Request::Seek { time_ms: 0, selection: None }]);
    let step = || Request::Step { by: StepBy::Decision, back: false, selection: None };
    let mut inside = 0;
    for _ in 0..30 {
        let replies = page.settled(vec![step()]);
        let frame = frames(&replies)[0].clone();
        let view = LinkView { time_ms: Some(frame.snapshot.time_ms), event: frame.event, ..LinkView::default() };
        let purpose = LinkFor::Sharing;
        let replies =
            Page::opened().settled(vec![Request::Link { text: FIRST.into(), view, comparison: None, purpose }]);
        let Reply::Link { link: Ok(link), .. } = &replies[0] else { panic!("{replies:?}") };
        let replies = Page::default().settled(vec![open(ScenarioSource::Link(link.clone()))]);
        let there = frames(&replies)[0];
        let state = |f: &Frame| (f.snapshot.time_ms, f.snapshot.fingerprint.clone(), f.event);
        assert_eq!(state(there), state(&frame));
        inside += usize::from(frame.event.is_some());
    }
    assert!(inside > 0, "some of them were within a moment");
    let replies = page.settled(vec![open(ScenarioSource::Link("#draft".into()))]);
    assert!(matches!(&replies[0], Reply::NotOpened { why, .. } if why.contains("a draft")), "{replies:?}");
}

/// A step is searched for in slices: it can be stopped, and starts from the goal of the movement under way.
#[test]
fn a_step_goes_from_where_the_way_under_way_leads() {
    let mut page = Page::opened();
    let step = |back| Request::Step { by: StepBy::Second, back, selection: None };
    let seek = || Request::Seek { time_ms: 7_300, selection: None };
    assert_eq!(frames(&page.settled(vec![seek(), step(false)]))[0].snapshot.time_ms, 8_000);
    assert_eq!(frames(&page.settled(vec![seek(), step(true)]))[0].snapshot.time_ms, 7_000);
    // There is no preemption round, which is known only at the end of a long run: progress is reported, and it can be
    // stopped.
    let long = "heddle = 1\nuntil = \"30 d\"\n[[nodes]]\nname = \"n{}\"\ncount = 5\nsize = \"8 GB/8\"\n[[apps]]\nname = \"a\"\ntasks = [{ count = 40000, duration = \"2 s\" }]\n";
    let mut page = Page::default();
    // The clock is so slow that slices stay small.
    let now = Cell::new(1_000.0);
    let clock = || now.replace(now.get() + 100.0);
    let turns = |page: &mut Page, requests: Vec<Request>, n: usize| {
        page.send(requests);
        for _ in 0..n {
            page.server.turn(&clock);
        }
        page.server.answers().into_iter().map(|a| a.reply).collect::<Vec<Reply>>()
    };
    let replies = turns(
        &mut page,
        vec![open(ScenarioSource::Text(long.into())), Request::Seek { time_ms: 60_000, selection: None }],
        1_500,
    );
    assert_eq!(frames(&replies).last().map(|f| f.snapshot.time_ms), Some(60_000));
    let step = Request::Step { by: StepBy::Round, back: false, selection: None };
    let replies = turns(&mut page, vec![step], 20);
    assert!(replies.iter().any(|r| matches!(r, Reply::Progress { .. })) && frames(&replies).is_empty(), "{replies:?}");
    let replies = turns(&mut page, vec![Request::Stop], 1);
    assert_eq!(frames(&replies).last().map(|f| f.snapshot.time_ms), Some(60_000));
    // Going back, too: requests in the meantime are answered about the present moment, which stays until the goal is reached.
    for back in [
        Request::Seek { time_ms: 20_777, selection: None },
        Request::Step { by: StepBy::Change, back: true, selection: None },
    ] {
        let replies = turns(&mut page, vec![back.clone()], 1);
        assert!(frames(&replies).is_empty() && page.server.is_busy(), "{back:?} takes more than a slice");
        let replies = turns(&mut page, vec![Request::Look { selection: None }, Request::Stop], 2);
        let shown: Vec<i64> = frames(&replies).iter().map(|f| f.snapshot.time_ms).collect();
        assert_eq!(shown, [60_000, 60_000], "{back:?}");
        let replies = turns(&mut page, vec![back.clone()], 100);
        assert!(frames(&replies).last().is_some_and(|f| f.snapshot.time_ms < 60_000), "{back:?}");
        turns(&mut page, vec![Request::Seek { time_ms: 60_000, selection: None }], 100);
    }
}

/// A picture's explanations are worked out in slices: requests in between are handled, and an obsolete picture is not made.
/// No slice plays more than some events, whatever the clock says.
#[test]
fn a_picture_of_many_nodes_is_made_in_slices() {
    let mut page = Page::default();
    let many = "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"60 s\"\n[[nodes]]\nname = \"n{}\"\ncount = 400\nsize = \"4 GB/4\"\n\
        [[apps]]\nname = \"a{}\"\ncopies = 400\ntasks = [{ count = 5, size = \"1 GB/1\", duration = \"forever\" }]\n";
    page.settled(vec![open(ScenarioSource::Text(many.into()))]);
    // On a clock by which everything takes long, each slice is as short as possible.
    let now = Cell::new(0.0);
    let slow = || now.replace(now.get() + 1_000.0);
    let seek = |time_ms| Request::Seek { time_ms, selection: None };
    let ready = |page: &mut Page| {
        page.server.turn(&slow);
        while !page.server.job.is_some_and(|j| j.there) {
            page.server.turn(&slow);
        }
    };
    page.send(vec![seek(30_000)]);
    ready(&mut page);
    let mut turns = 0;
    while page.server.job.is_some() && turns < 20 {
        page.server.turn(&slow);
        turns += 1;
    }
    // 400 heartbeats, in groups of this many.
    assert_eq!(turns, 20, "the round before is played in slices");
    assert!(page.server.answers().iter().all(|a| !matches!(a.reply, Reply::Frame(_))));
    page.send(vec![seek(20_000)]);
    ready(&mut page);
    page.server.turn(&slow);
    // Stopping leaves nothing out of a picture in progress.
    let replies = page.settled(vec![Request::Stop]);
    let frames = frames(&replies);
    assert_eq!(frames.iter().map(|f| f.snapshot.time_ms).collect::<Vec<_>>(), [20_000]);
    assert!(frames[0].why.as_ref().is_some_and(|w| !w.sentence.is_empty()), "{:?}", frames[0].snapshot.headline);
}

/// A picture lists no more requests than a page can draw, and always the selected one.
#[test]
fn of_thousands_of_requests_a_picture_lists_some_and_counts_the_others() {
    let many = "heddle = 1\nuntil = \"60 s\"\n[yarn-site]\nresourcemanager.placement-constraints.handler = \"scheduler\"\n\
        [[nodes]]\nname = \"n{}\"\ncount = 5\nsize = \"4 GB/4\"\n[[apps]]\nname = \"zk\"\nkind = \"distributed-shell\"\n\
        spec = \"zk(3000),NOTIN,NODE,zk\"\nsize = \"1 GB/1\"\nduration = \"forever\"\n";
    let mut page = Page::default();
    page.settled(vec![open(ScenarioSource::Text(many.into()))]);
    let last: Selection = "request:zk/0_3000".parse().expect("a selection");
    for (selection, listed) in [(None, REQUESTS_MAX), (Some(last.clone()), REQUESTS_MAX + 1)] {
        let replies = page.settled(vec![Request::Seek { time_ms: 30_000, selection: selection.clone() }]);
        let frame = frames(&replies).pop().expect("a frame");
        let snapshot = &frame.snapshot;
        assert_eq!((snapshot.waiting.len(), snapshot.tally.waiting), (listed, 2_995));
        assert_eq!(snapshot.waiting.len() + snapshot.unlisted, 2_995);
        assert_eq!(selection.is_some(), snapshot.waiting.iter().any(|w| w.id == last));
        let why = frame.why.as_ref().map(|why| why.sentence.as_str()).unwrap_or_default();
        assert!(why.contains("All 5 nodes run zk"), "{why}");
    }
}
