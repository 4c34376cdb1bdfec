use super::*;
use heddle_engine::document::gallery::FIRST;
use heddle_engine::server::Server;
use heddle_view::protocol::{Ask, Reply, Request, ShownTables};
use heddle_view::{Change, Comparison, Edit, ImportTarget, LinkFor, Severity, StepBy};

/// The state with an engine behind it, whose answers are held until they are let through.
#[derive(Default)]
struct Page {
    state: State,
    server: Server,
    asked: u32,
    /// The effects other than requests.
    effects: Vec<Effect>,
    /// The requests in order.
    requests: Vec<Request>,
}

impl Page {
    fn opened() -> Page {
        let mut page = Page::default();
        page.tell(Msg::Worker(0, Box::new(Reply::Ready)));
        page.tell(Msg::Open { source: ScenarioSource::First, how: Opening::Start });
        page.settle();
        assert_eq!(&*page.state.doc.text, FIRST);
        page
    }

    /// Sends a message, without the engine's answer to it.
    fn tell_at(&mut self, msg: Msg, now_ms: f64) {
        for effect in self.state.update(msg, now_ms) {
            match effect {
                Effect::Ask(request) => {
                    self.asked += 1;
                    self.requests.push(request.clone());
                    self.server.hear(Ask { id: self.asked, request });
                }
                Effect::Restart | Effect::Renew => {
                    self.server = Server::default();
                    for request in self.state.restore() {
                        self.asked += 1;
                        self.server.hear(Ask { id: self.asked, request });
                    }
                }
                Effect::Start => self.server = Server::default(),
                effect => self.effects.push(effect),
            }
        }
    }

    fn tell(&mut self, msg: Msg) {
        self.tell_at(msg, 0.0);
    }

    /// Types a text and pauses.
    fn typed(&mut self, text: &str) {
        // Late enough to be an edit of its own.
        let now_ms = f64::from(self.asked) * 10_000.0;
        self.tell_at(Msg::Edit { text: text.into(), what: "text".into() }, now_ms);
        self.tell(Msg::WriteNow);
    }

    /// Lets everything be answered, and what follows from the answers.
    fn settle(&mut self) {
        for _ in 0..10_000 {
            let more = self.server.turn(&|| 0.0);
            let answers = self.server.answers();
            let idle = answers.last().is_some_and(|a| a.reply == Reply::Idle);
            for answer in answers {
                self.tell(Msg::Worker(answer.id, Box::new(answer.reply)));
            }
            if !more && idle && !self.server.is_busy() {
                return;
            }
        }
        panic!("it never settles");
    }

    /// Checks that page and engine have the same text.
    fn agrees(&mut self) {
        self.settle();
        assert!(!self.state.doc.waits());
        assert_eq!(self.server.text(), &*self.state.doc.text);
    }
}

fn node(name: &str) -> Msg {
    let change = Change::NodeLikeLast { name: name.into(), at_ms: 0 };
    Msg::Change { edit: Edit { what: format!("add node {name}"), change }, typed: String::new() }
}

fn title(typed: &str) -> Msg {
    Msg::Change { edit: Edit { what: "title".into(), change: Change::Title }, typed: typed.into() }
}

#[test]
fn an_error_keeps_the_last_good_scenario_running() {
    let mut page = Page::opened();
    page.typed("= =");
    page.agrees();
    let doc = &page.state.doc;
    assert!(doc.text != doc.running && *doc.running == *FIRST && doc.problems.iter().any(|p| p.place.is_some()));
    assert_eq!(doc.title(), "Three zookeepers, two nodes");
    page.tell(Msg::Undo);
    assert!(page.effects.contains(&Effect::WriteSoon));
    page.tell(Msg::WriteNow);
    page.agrees();
    assert!(
        page.state.doc.text == page.state.doc.running
            && page.state.doc.problems.iter().all(|p| p.severity != Severity::Error)
    );
}

#[test]
fn quick_typing_is_one_edit() {
    let mut page = Page::opened();
    for (i, at) in [(1, 0.0), (2, 300.0), (3, 600.0), (4, 5000.0)] {
        page.tell_at(Msg::Edit { text: format!("{FIRST}# {i}\n"), what: "text".into() }, at);
    }
    assert!(!page.requests.iter().any(|r| matches!(r, Request::Write { .. })), "nothing is told before a pause");
    page.tell(Msg::Undo);
    assert!(page.state.doc.text.ends_with("# 3\n"));
    page.tell(Msg::Undo);
    assert_eq!(&*page.state.doc.text, FIRST);
    page.tell(Msg::Redo);
    assert!(page.state.doc.text.ends_with("# 3\n"));
}

#[test]
fn quick_changes_count_both_and_are_taken_back_one_by_one() {
    let mut page = Page::opened();
    page.tell(node("n3"));
    page.tell(title("Mine"));
    page.agrees();
    let doc = &page.state.doc;
    assert!(doc.text.contains("\"n3\"") && doc.title() == "Mine" && *doc.running == *doc.text);
    assert_eq!(doc.can_undo(), Some("title"));
    assert!(page.effects.contains(&Effect::Remember));
    page.tell(Msg::Undo);
    assert!(page.state.doc.text.contains("\"n3\"") && !page.state.doc.text.contains("Mine"));
    page.tell(Msg::Undo);
    assert_eq!(&*page.state.doc.text, FIRST);
    page.tell(Msg::WriteNow);
    page.agrees();
}

#[test]
fn typing_before_a_change_and_while_it_is_made_is_in_the_text() {
    let mut page = Page::opened();
    page.tell(Msg::Edit { text: format!("{FIRST}# before\n"), what: "text".into() });
    // Text that was not sent yet goes first.
    page.tell(node("n3"));
    page.tell(title("Mine"));
    // And text typed before the answers arrive:
    page.tell_at(Msg::Edit { text: format!("{FIRST}# before\n# while\n"), what: "text".into() }, 9_999.0);
    page.agrees();
    let text = page.state.doc.text.to_string();
    for part in ["# before\n# while\n", "\"n3\"", "\"Mine\""] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // The same if the pause ended before the answers came.
    page.tell(node("n4"));
    page.typed(&format!("{text}# later\n"));
    page.agrees();
    assert!(page.state.doc.text.contains("\"n4\"") && page.state.doc.text.contains("# later"));
    assert_eq!(*page.state.doc.running, *page.state.doc.text);
}

#[test]
fn undo_waits_for_the_change_that_is_being_made() {
    let mut page = Page::opened();
    page.tell(node("n3"));
    page.tell(Msg::Undo);
    page.settle();
    assert_eq!((&*page.state.doc.text, page.state.doc.can_redo()), (FIRST, Some("add node n3")));
    page.tell(Msg::WriteNow);
    page.agrees();
}

#[test]
fn opening_wins_over_what_is_typed_meanwhile_and_keeps_a_draft() {
    let mut page = Page::opened();
    page.tell(Msg::Open { source: ScenarioSource::Empty, how: Opening::Chosen });
    page.typed(&format!("{FIRST}# lost?\n"));
    page.agrees();
    assert!(page.state.doc.text.contains("title = \"\"") && !page.state.doc.edited());
    let draft = Effect::Draft { text: format!("{FIRST}# lost?\n"), opened: FIRST.into() };
    assert!(page.effects.contains(&draft) && page.effects.contains(&Effect::Keep { push: true }));
    // A change made right afterwards is a change of the new scenario.
    page.tell(Msg::Open { source: ScenarioSource::Example("q26b-sweep".into()), how: Opening::Chosen });
    page.tell(title("Swept"));
    page.agrees();
    assert_eq!((page.state.doc.title(), page.state.doc.can_undo()), ("Swept", Some("title")));
    assert!(!page.state.doc.is_first_visit());
}

#[test]
fn a_link_is_looked_at_as_it_says_and_a_damaged_one_is_told() {
    let mut page = Page::opened();
    let seen = ScenarioSource::Link("#1.AAAA".into());
    page.tell(Msg::Open { source: seen, how: Opening::Address });
    page.agrees();
    assert!(page.state.over.notice.as_ref().is_some_and(|n| n.text.contains("link")));
    assert_eq!(&*page.state.doc.text, FIRST);
    page.tell(Msg::Look(LookAt::Under(Under::Table)));
    page.tell(Msg::Select("app:zk".parse().ok()));
    page.settle();
    page.tell(Msg::Dialog(Some(Dialog::Share { with_view: true })));
    page.settle();
    let Some(Ok(link)) = page.state.answers.link.clone() else { panic!("a link") };
    let mut other = Page::default();
    other.tell(Msg::Open { source: ScenarioSource::Link(link), how: Opening::Start });
    other.agrees();
    assert_eq!((&*other.state.doc.text, other.state.view.under), (FIRST, Under::Table));
    assert_eq!(other.state.view.selection, "app:zk".parse().ok());
    assert!(!other.effects.contains(&Effect::OfferDraft) && page.effects.contains(&Effect::OfferDraft));
}

#[test]
fn names_are_left_in_the_link_and_come_back_in_this_tab() {
    let mut page = Page::opened();
    page.tell(Msg::Select("app:zk".parse().ok()));
    page.settle();
    page.tell(Msg::Dialog(Some(Dialog::Share { with_view: true })));
    page.settle();
    page.tell(Msg::Change { edit: Edit::leave_names(), typed: String::new() });
    page.agrees();
    let names = page.state.doc.names().expect("the names are kept").clone();
    assert!(names.names.iter().any(|(old, _)| old == "zk"));
    let Some(Ok(link)) = page.state.answers.link.clone() else { panic!("a link") };
    let mut other = Page::default();
    other.tell(Msg::Open { source: ScenarioSource::Link(link), how: Opening::Start });
    other.agrees();
    assert_eq!(other.state.doc.text, page.state.doc.text);
    assert!(!other.state.doc.text.contains("\"zk\"") && other.state.doc.names().is_none());
    assert_ne!(other.state.view.selection, "app:zk".parse().ok());
    // Undo and redo restore the names; after another change they come back by name.
    page.tell(Msg::Undo);
    assert!(page.state.doc.names().is_none() && &*page.state.doc.text == FIRST);
    page.tell(Msg::Redo);
    assert!(page.state.doc.names().is_some());
    page.tell(Msg::WriteNow);
    page.tell(title("Mine"));
    page.agrees();
    page.tell(Msg::Change { edit: Edit::bring_names(names.names), typed: String::new() });
    page.agrees();
    assert!(page.state.doc.names().is_none() && page.state.doc.text.contains("\"zk\""), "{}", page.state.doc.text);
}

#[test]
fn settings_open_a_new_scenario_and_undo_brings_the_old_one_back() {
    let mut page = Page::opened();
    page.tell(Msg::Import { name: "x.txt".into(), text: "hello".into(), more: vec![] });
    page.agrees();
    assert_eq!(&*page.state.doc.text, FIRST);
    let shown = page.state.over.report.take().expect("a report");
    assert!(!shown.report.taken && !shown.report.opened);
    let file = include_str!("../../../../tests/samples/capacity-scheduler.small.xml");
    page.tell(Msg::Import { name: "capacity-scheduler.xml".into(), text: file.into(), more: vec![] });
    page.agrees();
    let own = page.state.doc.text.clone();
    assert!(!own.contains("zk") && !page.state.doc.edited(), "nothing of the demo is in it: {own}");
    assert!(page.state.over.report.as_ref().is_some_and(|shown| shown.report.opened));
    assert!(page.state.tells_stories() && page.state.now() > 0, "it runs by itself");
    assert!(page.state.form.setup.is_some(), "the set-up is shown");
    assert_eq!(page.state.doc.can_undo(), Some("import of capacity-scheduler.xml"));
    // A story shows the cluster and its why, Escape the stories again.
    let story = page.state.answers.frame.stories.cards[0].about.clone();
    page.tell(Msg::Select(Some(story)));
    page.agrees();
    assert!(page.state.over.report.is_none() && !page.state.tells_stories());
    page.tell(Msg::Select(None));
    page.agrees();
    assert!(page.state.tells_stories());
    // What was open comes back whole, and goes again.
    page.tell(Msg::Undo);
    page.agrees();
    assert_eq!((&*page.state.doc.text, &*page.state.doc.opened), (FIRST, FIRST));
    assert!(page.state.doc.is_first_visit() && page.state.doc.import().is_none() && !page.state.tells_stories());
    assert_eq!(page.server.text(), FIRST);
    page.tell(Msg::Redo);
    page.agrees();
    assert_eq!((&page.state.doc.text, &page.state.doc.opened), (&own, &own));
    assert!(page.state.doc.import().is_some());
    page.tell(Msg::Report(true));
    assert!(page.state.over.report.is_some());
}

/// The report on an import, and how far its dump agrees, are there again after a reload, if the same text is opened.
#[test]
fn a_report_survives_a_reload() {
    let mut page = Page::opened();
    let import = Rc::new(Imported {
        report: heddle_view::Report { name: "4 files".into(), ..Default::default() },
        files: vec![],
    });
    page.state.doc.change().came_of(import);
    page.state.doc.change().agrees(Default::default());
    let doc = &page.state.doc;
    let before = |text: &str| ImportBefore {
        text: text.into(),
        report: doc.import().expect("an import").report.clone(),
        agreement: doc.agreement().map(|told| (**told).clone()),
    };
    for (text, there) in [(&*doc.text, true), ("another text", false)] {
        let mut again = Page::default();
        again.state.before_reload = Some(before(text));
        again.tell(Msg::Worker(0, Box::new(Reply::Ready)));
        again.tell(Msg::Open { source: ScenarioSource::First, how: Opening::Start });
        again.settle();
        let doc = &again.state.doc;
        assert_eq!((doc.import().is_some(), doc.agreement().is_some()), (there, there), "{text}");
        assert!(again.state.over.report.is_none(), "the picture is shown");
    }
}

/// Files that follow while the report is open are read together with those before them; afterwards they join what is open.
#[test]
fn a_missing_file_completes_an_import() {
    let mut page = Page::opened();
    let queues = include_str!("../../../../tests/samples/capacity-scheduler.small.xml");
    let site = include_str!("../../../../tests/samples/yarn-site.xml");
    let import = |name: &str, text: &str| Msg::Import { name: name.into(), text: text.into(), more: vec![] };
    let files = |page: &Page| -> Vec<String> {
        let shown = page.state.over.report.as_ref().expect("a report");
        shown.report.files.iter().map(|file| file.name.clone()).collect()
    };
    page.tell(import("capacity-scheduler.xml", queues));
    page.agrees();
    page.tell(import("yarn-site.xml", site));
    page.agrees();
    assert_eq!(files(&page), ["capacity-scheduler.xml", "yarn-site.xml"]);
    page.tell(import("yarn-site.xml", &site.replace("</configuration>", "<!-- again --></configuration>")));
    page.agrees();
    assert_eq!(files(&page), ["capacity-scheduler.xml", "yarn-site.xml"], "in place of the former");
    // Afterwards: settings replace those of the open cluster, and the other way is one click away.
    page.tell(Msg::Report(false));
    let before = page.state.doc.text.clone();
    page.tell(import("capacity-scheduler.xml", &queues.replace("</configuration>", "<!-- mine --></configuration>")));
    page.agrees();
    assert!(page.state.doc.text.contains("<!-- mine -->") && page.state.doc.edited());
    page.tell(Msg::Elsewhere(ImportTarget::New));
    page.agrees();
    assert!(page.state.doc.text.contains("<!-- mine -->") && !page.state.doc.text.contains("<!-- again -->"));
    page.tell(Msg::Undo);
    page.agrees();
    assert_eq!(page.state.doc.text, before);
    // A file of another kind completes the import also then, as long as nothing was changed.
    page.tell(Msg::Open { source: ScenarioSource::Empty, how: Opening::Chosen });
    page.agrees();
    page.tell(import("capacity-scheduler.xml", queues));
    page.agrees();
    page.tell(Msg::Report(false));
    page.tell(import("yarn-site.xml", site));
    page.agrees();
    assert_eq!(files(&page), ["capacity-scheduler.xml", "yarn-site.xml"]);
    assert!(!page.state.doc.edited());
}

#[test]
fn playing_stops_at_the_end_and_never_runs_away() {
    let mut page = Page::opened();
    let end = page.state.answers.frame.snapshot.end_ms;
    page.tell(Msg::Seek(end - 1_000));
    page.settle();
    page.tell(Msg::Play(true));
    for _ in 0..1000 {
        page.tell(Msg::Tick(100.0));
    }
    assert_eq!(page.state.view.goal_ms, Some(end));
    page.settle();
    page.tell(Msg::Tick(100.0));
    assert!(!page.state.over.playing);
}

#[test]
fn another_engine_takes_over_once_and_nothing_is_lost() {
    let mut page = Page::opened();
    page.typed(&format!("{FIRST}# mine\n"));
    page.settle();
    page.typed("= =");
    page.tell(node("n3"));
    page.tell(Msg::WorkerFailed("out of luck".into()));
    let notice = page.state.over.notice.clone().expect("it is told");
    assert!(notice.text.contains("out of luck") && notice.act.is_some_and(|(label, _)| label == "Save the scenario"));
    page.agrees();
    let doc = &page.state.doc;
    assert!(doc.text != doc.running && &*doc.text == "= =" && doc.running.ends_with("# mine\n"));
    assert!(page.state.over.broken.is_none(), "it runs again");
    // An engine that fails before drawing anything is not restarted forever.
    page.tell(Msg::WorkerFailed("again".into()));
    page.effects.clear();
    page.tell(Msg::WorkerFailed("and again".into()));
    assert_eq!(page.state.over.broken.as_deref(), Some("and again"));
    page.tell(node("n4"));
    assert!(!page.state.doc.waits(), "an engine that is gone is asked for nothing");
    page.tell(Msg::Undo);
    assert!(page.state.doc.text.ends_with("# mine\n"));
}

#[test]
fn an_engine_that_is_gone_loses_nothing_that_was_asked_for() {
    let mut page = Page::opened();
    page.typed(&format!("{FIRST}# mine\n"));
    page.settle();
    page.tell(Msg::Seek(37_000));
    page.settle();
    // A requested change, and an undo after it.
    page.tell(node("n3"));
    page.tell(title("Another"));
    page.tell(Msg::WorkerGone);
    let notice = page.state.over.notice.clone().expect("it is told");
    assert!(notice.text.contains("nothing is lost") && notice.act.is_none());
    page.agrees();
    let text = page.state.doc.text.to_string();
    assert!(text.contains("# mine") && text.contains("n3") && text.contains("Another"), "{text}");
    assert_eq!(page.state.now(), 37_000);
    assert!(page.state.over.broken.is_none());
    page.tell(Msg::Undo);
    page.tell(Msg::WriteNow);
    page.agrees();
    assert!(!page.state.doc.text.contains("Another") && page.state.doc.text.contains("n3"));
    // An engine lost repeatedly, each time after a picture, is restarted each time.
    for _ in 0..3 {
        page.tell(Msg::WorkerGone);
        page.agrees();
    }
    // One lost before it has shown anything is not.
    page.tell(Msg::WorkerGone);
    page.effects.clear();
    page.tell(Msg::WorkerGone);
    assert!(page.state.over.broken.as_deref().is_some_and(|why| why.contains("ended its thread twice")));
    assert_eq!(page.effects, [Effect::End]);
    // Another scenario may run.
    page.tell(Msg::Open { source: ScenarioSource::First, how: Opening::Chosen });
    page.agrees();
    assert!(page.state.over.broken.is_none() && &*page.state.doc.text == FIRST);
}

#[test]
fn what_is_expected_comes_with_the_scenario_and_goes_with_it() {
    let mut page = Page::opened();
    let holds = |page: &Page| page.state.answers.expectations.iter().map(|e| e.holds).collect::<Vec<_>>();
    assert!(!holds(&page).is_empty() && holds(&page).iter().all(|h| *h == Some(true)));
    page.typed(&format!("{FIRST}\n[[expect]]\nat = \"end\"\nplaced = 77\n"));
    page.settle();
    assert_eq!(holds(&page).last(), Some(&Some(false)));
    page.tell(Msg::Jump { time_ms: 20_000, about: "app:zk".parse().ok() });
    page.settle();
    assert_eq!((page.state.now(), page.state.selected()), (20_000, "app:zk".parse().ok().as_ref()));
    page.tell(Msg::Open { source: ScenarioSource::Empty, how: Opening::Chosen });
    page.settle();
    assert!(holds(&page).is_empty());
}

#[test]
fn other_worlds_are_left_with_their_view() {
    let mut page = Page::opened();
    page.tell(Msg::Compare(Some(Comparison::default())));
    assert!(page.state.answers.worlds.is_none() && page.state.view.under == Under::Gains);
    page.tell(Msg::Compare(None));
    assert_eq!(page.requests.last(), Some(&Request::LeaveWorlds));
    page.tell(Msg::Compare(Some(Comparison::default())));
    page.settle();
    assert!(page.state.answers.worlds.is_some() && page.state.answers.beside.is_some());
    page.tell(Msg::Select(None));
    assert_eq!(page.requests.last(), Some(&Request::LeaveWorlds), "Escape leaves it");
    let state = &page.state;
    assert!(state.view.compare.is_none() && state.answers.beside.is_none() && state.view.under == Under::Events);
}

/// A change of a setting is seen against what was opened, until that is closed; it keeps the panel and the focus of the form.
#[test]
fn a_change_opens_before_and_after_until_it_is_closed() {
    let mut page = Page::opened();
    let key = "yarn.scheduler.minimum-allocation-mb";
    let set = |page: &mut Page, typed: &str| {
        let edit = Edit { what: key.into(), change: Change::Site(key.into()) };
        page.tell(Msg::Change { edit, typed: typed.into() });
        page.settle();
    };
    let base = |page: &Page| page.state.view.compare.as_ref().map(|c| c.base.clone());
    let panel = page.state.view.panel;
    set(&mut page, "2048");
    assert_eq!((base(&page), page.state.view.panel), (Some(BEFORE.to_owned()), panel));
    assert!(!page.effects.contains(&Effect::Focus("where")) && page.state.over.notice.is_none());
    assert!(page.state.over.forming, "the form stays");
    let names: Vec<&str> = page.state.answers.beside.iter().flat_map(|b| &b.worlds).map(|w| w.name.as_str()).collect();
    assert_eq!(names, [BEFORE, "as it is"]);
    page.tell(Msg::Compare(None));
    set(&mut page, "4096");
    assert!(base(&page).is_none() && !page.state.over.forming, "it was closed by hand");
    let act = page.state.over.notice.take().and_then(|notice| notice.act).expect("it is offered");
    page.tell(*act.1);
    assert_eq!(base(&page), Some(BEFORE.to_owned()));
    // Leaving what was tried is not closing before and after: it opens when that is applied.
    let mut page = Page::opened();
    let edit = Edit { what: key.into(), change: Change::Site(key.into()) };
    page.tell(Msg::TryEdit { edit, typed: "2048".into() });
    page.settle();
    page.tell(Msg::Compare(None));
    set(&mut page, "2048");
    assert_eq!(base(&page), Some(BEFORE.to_owned()));
    // A value with which nothing runs opens nothing; the one that mends it is seen against what ran.
    let mut page = Page::opened();
    let ran = page.state.doc.text.to_string();
    set(&mut page, "-1");
    assert!(base(&page).is_none() && page.state.over.notice.is_none(), "{:?}", page.state.over.notice);
    set(&mut page, "2048");
    let given = page.state.view.compare.as_ref().map(|c| c.given[0].text.clone());
    assert_eq!(given, Some(ran));
    // Of a scenario that began empty there is no before.
    page.tell(Msg::Open { source: ScenarioSource::Empty, how: Opening::Chosen });
    page.settle();
    set(&mut page, "2048");
    assert!(base(&page).is_none() && page.state.over.notice.is_some());
}

#[test]
fn a_link_holds_what_is_compared() {
    let mut page = Page::opened();
    let key = "yarn.scheduler.minimum-allocation-mb";
    let edit = Edit { what: key.into(), change: Change::Site(key.into()) };
    page.tell(Msg::TryEdit { edit: edit.clone(), typed: "4096".into() });
    page.settle();
    let name = edit.tried_as("4096");
    let names = |page: &Page| -> Vec<String> {
        page.state.answers.beside.iter().flat_map(|b| &b.worlds).map(|w| w.name.clone()).collect()
    };
    assert_eq!(names(&page), ["as it is".to_owned(), name.clone()]);
    let (view, comparison) = (page.state.view.link(), page.state.view.compare.clone());
    page.tell(Msg::Ask(Request::Link {
        text: page.state.doc.passed_on(),
        view,
        comparison,
        purpose: LinkFor::Sharing,
    }));
    page.settle();
    let Some(Ok(link)) = page.state.answers.link.clone() else { panic!("no link") };
    let mut other = Page::opened();
    other.tell(Msg::Open { source: ScenarioSource::Link(link.trim_start_matches('#').into()), how: Opening::Chosen });
    other.settle();
    assert_eq!(names(&other), ["as it is".to_owned(), name]);
    assert_eq!(other.state.answers.beside, page.state.answers.beside, "the same pictures");
}

#[test]
fn the_ledger_is_asked_for_while_it_is_looked_at_also_of_another_engine() {
    let mut page = Page::opened();
    let asked = |page: &Page| {
        let told = page.requests.iter().filter_map(|r| match r {
            Request::Ledger(on) => Some(*on),
            _ => None,
        });
        told.collect::<Vec<ShownTables>>()
    };
    assert!(asked(&page).is_empty());
    page.tell(Msg::Look(LookAt::Under(Under::Ledger)));
    page.settle();
    let none = page.state.answers.ledger.as_ref().map(|l| l.none.clone()).unwrap_or_default();
    assert!(none.contains("scheduler.monitor.enable"), "{none}");
    page.tell(Msg::WorkerFailed("an end".into()));
    page.tell(Msg::Seek(1_000));
    page.settle();
    page.tell(Msg::Look(LookAt::Under(Under::Events)));
    assert_eq!(asked(&page), [ShownTables::Rounds, ShownTables::Rounds, ShownTables::Nothing]);
}

#[test]
fn the_address_names_the_moment_shown() {
    let mut page = Page::opened();
    page.tell(Msg::Seek(0));
    page.settle();
    let mut inside = 0;
    for back in [false, false, false, false, false, false, true, true] {
        page.tell(Msg::StepBy { by: StepBy::Decision, back });
        page.effects.clear();
        page.settle();
        let (link, frame) = (page.state.view.link(), &page.state.answers.frame);
        assert_eq!((link.time_ms, link.event), (Some(frame.snapshot.time_ms), frame.event));
        assert!(page.effects.contains(&Effect::Remember), "what is kept is what is shown");
        inside += usize::from(frame.event.is_some());
    }
    assert!(inside > 0);
    page.tell(Msg::Seek(7_000));
    assert_eq!(page.state.view.link().event, None);
}

#[test]
fn what_is_opened_with_an_error_opens_where_it_is_mended() {
    let mut page = Page::opened();
    assert!(!page.state.view.as_text);
    page.typed("= =");
    page.settle();
    assert!(!page.state.view.as_text, "who types is not moved");
    page.tell(Msg::Open { source: ScenarioSource::Text("heddle = 1\n= =\n".into()), how: Opening::Chosen });
    page.settle();
    assert!(page.state.view.as_text && page.state.view.panel == Panel::What && page.state.over.refused.is_some());
}

/// An engine that is reading handles nothing: it is terminated, and the former run continues in another.
#[test]
fn reading_can_be_stopped_and_nothing_typed_is_lost() {
    let mut page = Page::opened();
    assert!(!page.state.reading());
    // The typed text stays, the last readable text runs, and the typed one is read on request.
    let typed = format!("{FIRST}# so much that it takes long\n");
    page.typed(&typed);
    assert!(page.state.reading());
    page.tell(Msg::Stop);
    page.settle();
    assert!(!page.state.reading() && page.state.over.broken.is_none());
    assert_eq!((&*page.state.doc.text, page.server.text()), (typed.as_str(), FIRST));
    assert!(page.state.answers.frame.snapshot.tally.running > 0, "what ran before runs");
    let act = page.state.over.notice.clone().and_then(|n| n.act).expect("a way to have it read");
    page.tell(*act.1);
    page.agrees();
    assert_eq!(*page.state.doc.text, typed);
    // A file imported after typing is dropped, and an edit after it counts.
    page.tell(Msg::Import { name: "capacity-scheduler.xml".into(), text: "<configuration/>".into(), more: vec![] });
    page.tell(Msg::Stop);
    page.settle();
    assert_eq!((&*page.state.doc.text, page.state.over.dialog.clone()), (typed.as_str(), None));
    assert!(page.state.over.notice.as_ref().is_some_and(|n| n.act.is_none()));
    page.tell(title("Mine"));
    page.agrees();
    assert!(page.state.doc.text.contains("Mine"));
    // If a link was being opened, the open scenario stays; a movement under way is stopped without terminating the engine.
    let link = |source| Msg::Open { source, how: Opening::Address };
    page.tell(link(ScenarioSource::Text("heddle = 1".into())));
    page.tell(Msg::Stop);
    page.agrees();
    assert!(page.state.doc.text.contains("Mine"));
    page.requests.clear();
    page.tell(Msg::Seek(1_000));
    page.tell(Msg::Stop);
    assert!(page.requests.contains(&Request::Stop));
    page.agrees();
}

/// Before anything was shown, the page can only go back to its first scenario; a draft is kept.
#[test]
fn reading_at_the_start_can_be_stopped_too() {
    let mut page = Page::default();
    let draft = ScenarioSource::Draft { text: "= =".into(), link: String::new(), said: Vec::new() };
    page.tell(Msg::Open { source: draft, how: Opening::Start });
    assert!(!page.state.reading(), "the engine is still on its way");
    page.tell(Msg::Worker(0, Box::new(Reply::Ready)));
    assert!(page.state.reading());
    page.effects.clear();
    page.tell(Msg::Stop);
    let kept = page.effects.iter().any(|e| matches!(e, Effect::Draft { text, .. } if text == "= ="));
    assert!(kept, "{:?}", page.effects);
    page.agrees();
    assert_eq!(&*page.state.doc.text, FIRST);
    assert!(!page.state.reading() && page.state.answers.ready);
}
