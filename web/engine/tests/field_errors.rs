//! Errors in the value of a field: the field is marked, the reason is below it and nowhere else, and the form has a number
//! that tells the page that there is something new to see.

use heddle_engine::server::Server;
use heddle_view::form::{Field, Form, Part, Show, Tab};
use heddle_view::protocol::{Ask, Reply, Request};
use heddle_view::{Opening, Problem, ScenarioSource};

const TEXT: &str = include_str!("../../../scenarios/q39-anti-affinity.toml");

/// An engine with a document, and the form that it posted last.
struct Panel {
    server: Server,
    form: Form,
    problems: Vec<Problem>,
    asked: u32,
}

impl Panel {
    fn open(text: &str, tab: Tab) -> Panel {
        let mut panel = Panel { server: Server::default(), form: Form::default(), problems: vec![], asked: 0 };
        panel.ask(Request::Open { source: ScenarioSource::Text(text.into()), how: Opening::Chosen, version: 1 });
        panel.ask(Request::Show(Show { tab, ..Show::default() }));
        panel
    }

    fn ask(&mut self, request: Request) {
        self.asked += 1;
        self.server.hear(Ask { id: self.asked, request });
        while self.server.turn(&|| 0.0) {}
        for answer in self.server.answers() {
            match answer.reply {
                Reply::Form(form) => self.form = *form,
                Reply::Document(document) => self.problems = document.problems,
                Reply::NotEdited { why, .. } => panic!("{why}"),
                _ => {}
            }
        }
    }

    fn field(&self, id: &str) -> &Field {
        fields(&self.form.parts).into_iter().find(|f| f.id == id || f.label == id).unwrap_or_else(|| panic!("no {id}"))
    }

    fn fill(&mut self, id: &str, typed: &str) {
        let edit = self.field(id).edit.clone();
        let version = self.asked + 2;
        self.ask(Request::Edit { edit, typed: typed.into(), version });
    }
}

fn fields(parts: &[Part]) -> Vec<&Field> {
    let mut out = Vec::new();
    for part in parts {
        match part {
            Part::Group { head, parts, .. } => {
                out.extend(head.iter().flat_map(|h| h.name.iter().chain(&h.fields)));
                out.extend(fields(parts));
            }
            Part::Details { parts, .. } => out.extend(fields(parts)),
            Part::Fields(list) => out.extend(list),
            Part::Property(p) => out.push(&p.field),
            _ => {}
        }
    }
    out
}

/// Returns the entries of lists of problems, each with the part before it.
fn lists(parts: &[Part]) -> Vec<(Option<&Part>, String)> {
    let mut out = Vec::new();
    for (i, part) in parts.iter().enumerate() {
        match part {
            Part::Problems { list, .. } => {
                let said: Vec<&str> = list.iter().map(|p| p.what.as_str()).collect();
                out.push((i.checked_sub(1).map(|before| &parts[before]), said.join(" ")));
            }
            Part::Group { parts, .. } | Part::Details { parts, .. } => out.extend(lists(parts)),
            _ => {}
        }
    }
    out
}

#[test]
fn an_error_stands_under_its_field() {
    for (tab, id, typed, words) in [
        (Tab::Cluster, "f-n0s", "1 XB", "`1 XB` is not an amount of memory."),
        (Tab::Cluster, "f-n0c", "many", "`count` is a text; a whole number is expected."),
        (Tab::Cluster, "f-n0t", "soon", "`soon` is not a time."),
        (Tab::Apps, "f-a0t", "xyz", "`xyz` is not a time."),
        (Tab::Apps, "f-a0m", "-1 GB", "`-1 GB`"),
        (Tab::Settings, "f-t-node_heartbeat", "1e308 s", "`1e308 s` is not a time."),
        (Tab::Settings, "f-seed", "-7", "`seed`"),
    ] {
        let mut panel = Panel::open(TEXT, tab);
        assert_eq!(panel.form.alarm, 0);
        panel.fill(id, typed);
        let field = panel.field(id);
        assert!(field.invalid && field.title.contains(words), "{id}: {field:?} {:?}", panel.problems);
        assert_eq!(fields(&panel.form.parts).iter().filter(|f| f.invalid).count(), 1, "{id}");
        let lists = lists(&panel.form.parts);
        let told: Vec<_> = lists.iter().filter(|(_, said)| said.contains(words)).collect();
        let [(Some(Part::Fields(above)), _)] = told[..] else { panic!("{id}: {told:?}") };
        assert!(above.iter().any(|f| f.id == id), "{id}: {above:?}");
        let first = panel.form.alarm;
        assert!(first != 0);
        // Another error has another number.
        panel.fill(id, &format!("{typed}x"));
        assert!(panel.form.alarm != 0 && (panel.form.alarm != first || !words.contains(typed)), "{id}");
    }
}

/// A name's field is in the head of its group.
#[test]
fn an_error_of_a_name_stands_first_in_its_group() {
    let mut panel = Panel::open(TEXT, Tab::Cluster);
    panel.fill("Name or pattern", "a host");
    assert!(panel.field("Name or pattern").invalid);
    let lists = lists(&panel.form.parts);
    let [(None, said)] = &lists[..] else { panic!("{lists:?}") };
    assert_eq!(said, "`a host` cannot be a host name.");
}

/// Unreadable text has names that others use: nothing false may be said about those.
#[test]
fn what_an_error_hides_is_not_said_to_be_missing() {
    let mut panel = Panel::open(TEXT, Tab::Cluster);
    panel.fill("f-n0s", "1 XB");
    let said: Vec<&str> = panel.problems.iter().map(|p| p.what.as_str()).collect();
    assert_eq!(said, ["`1 XB` is not an amount of memory."]);
}

/// Properties have their messages beside them; what YARN refuses is marked as well.
#[test]
fn properties_that_are_refused_are_marked() {
    let mut panel = Panel::open(TEXT, Tab::Settings);
    panel.fill("s-scheduler.minimum-allocation-mb", "x");
    assert!(panel.field("s-scheduler.minimum-allocation-mb").invalid && panel.form.alarm != 0);
    let told = panel.form.parts.iter().find_map(|p| match p {
        Part::Property(p) if p.field.invalid => Some(p.notes.iter().map(|n| n.text.clone()).collect::<String>()),
        _ => None,
    });
    assert!(told.as_ref().is_some_and(|t| t.contains("`x`")), "{told:?}");
    let mut panel = Panel::open(TEXT, Tab::Queues);
    panel.fill("q-capacity", "150");
    assert!(panel.field("q-capacity").invalid && panel.form.alarm != 0);
}

/// Warnings of the last readable spec are not shown under an unreadable one.
#[test]
fn warnings_of_the_last_good_spec_do_not_stand_under_an_error() {
    let mut panel = Panel::open(TEXT, Tab::Apps);
    let words = "At most 2 of the 3 zk";
    assert!(lists(&panel.form.parts).iter().any(|(_, said)| said.contains(words)));
    let edit = panel.form.parts.iter().find_map(spec_of).expect("the spec's text");
    panel.ask(Request::Edit { edit, typed: "zk(3),NOTIN,MOON,zk".into(), version: 9 });
    let lists = lists(&panel.form.parts);
    let [(_, said)] = &lists[..] else { panic!("{lists:?}") };
    assert!(said.contains("MOON") && !said.contains(words), "{said}");
}

fn spec_of(part: &Part) -> Option<heddle_view::Edit> {
    match part {
        Part::Code(code) => Some(code.edit.clone()),
        Part::Group { parts, .. } => parts.iter().find_map(spec_of),
        _ => None,
    }
}
