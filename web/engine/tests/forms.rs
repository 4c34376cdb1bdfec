//! Forms of the gallery's scenarios: each field can write the value that it shows, and each button's edit can be made.

use heddle_core::config::properties::PREFIX;
use heddle_core::scenario::{self, Scenario};
use heddle_engine::edits::apply;
use heddle_engine::forms::{FormData, Memo, form};
use heddle_player::{EventFilter, Player};
use heddle_view::form::{Button, Code, Control, Field, Form, Ink, Part, Show, Source, Tab};
use heddle_view::protocol::{from_bytes, to_bytes};
use heddle_view::{
    Change, Draft, Edit, EventView, How, PartChange, Problem, QueueChange, Selection, Snapshot, Step, WhyView,
};
use std::path::PathBuf;

/// The most applications and queues of a scenario whose forms are tested.
const EACH: usize = 2;

fn gallery() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "toml"));
    files.sort();
    let name = |f: &PathBuf| f.file_stem().unwrap().to_string_lossy().into_owned();
    files.iter().map(|f| (name(f), std::fs::read_to_string(f).unwrap())).collect()
}

fn named(name: &str) -> String {
    gallery().into_iter().find(|(n, _)| n == name).unwrap().1
}

/// A scenario at the moment where it opens.
struct At {
    text: String,
    scenario: Option<Scenario>,
    problems: Vec<Problem>,
    snapshot: Snapshot,
    run: Option<heddle_core::sim::Simulation>,
    events: Vec<EventView>,
    why: Option<WhyView>,
}

impl At {
    fn start(text: &str, about: Option<&Selection>) -> At {
        let read = scenario::read(text);
        let mut at = At {
            text: text.to_owned(),
            scenario: read.scenario,
            problems: read.problems,
            snapshot: Snapshot::default(),
            run: None,
            events: vec![],
            why: None,
        };
        if let Some(mut player) = Player::load(text).player {
            let now = player.now();
            while player.progress().known_ms <= now && !player.progress().done {
                player.run(20_000);
            }
            player.seek(now);
            at.snapshot = player.snapshot(about);
            at.events = player.events(&EventFilter { about: None, skips: true, until_now: true, last: 100 });
            at.run = Some(player.simulation().clone());
            at.why = about.map(|about| player.why(about));
        }
        at
    }

    /// Returns the same moment with another text.
    fn with(&self, text: &str) -> At {
        let read = scenario::read(text);
        let (snapshot, events, why) = (self.snapshot.clone(), self.events.clone(), self.why.clone());
        let run = self.run.clone();
        At { text: text.to_owned(), scenario: read.scenario, problems: read.problems, snapshot, run, events, why }
    }

    fn form(&self, show: &Show, chosen: Option<&Selection>) -> Form {
        let of = FormData {
            text: &self.text,
            scenario: self.scenario.as_ref(),
            problems: &self.problems,
            stale: self.scenario.is_none(),
            delivered: &Default::default(),
            snapshot: &self.snapshot,
            run: self.run.as_ref(),
            why: self.why.as_ref(),
            events: &self.events,
            chosen,
            about: None,
            show,
            given: 0,
        };
        form(&of, &mut Memo::default())
    }
}

fn show(tab: Tab) -> Show {
    Show { tab, ..Show::default() }
}

#[derive(Default)]
struct Found<'f> {
    fields: Vec<&'f Field>,
    buttons: Vec<&'f Button>,
    codes: Vec<&'f Code>,
    notes: Vec<&'f str>,
    rest: Vec<&'f Part>,
}

fn find<'f>(parts: &'f [Part], out: &mut Found<'f>) {
    for part in parts {
        let head = match part {
            Part::Group { head, .. } => head.as_ref(),
            Part::Head(head) => Some(head),
            _ => None,
        };
        if let Some(head) = head {
            out.fields.extend(head.name.iter().chain(&head.fields));
            out.buttons.extend(&head.button);
        }
        match part {
            Part::Group { parts, .. } | Part::Details { parts, .. } => find(parts, out),
            Part::Fields(fields) => out.fields.extend(fields),
            Part::Property(p) => out.fields.push(&p.field),
            Part::Target { fields, remove } => {
                out.fields.extend(fields);
                out.buttons.push(remove);
            }
            Part::Row { buttons, .. } | Part::Ask { answers: buttons, .. } => out.buttons.extend(buttons),
            Part::Button(button) => out.buttons.push(button),
            Part::Problems { list, .. } => {
                out.buttons.extend(list.iter().filter_map(|p| p.fix.as_ref()));
                out.rest.push(part);
            }
            Part::Code(code) => out.codes.push(code),
            Part::Note(note) => out.notes.push(&note.text),
            other => out.rest.push(other),
        }
    }
}

fn found(form: &Form) -> Found<'_> {
    let mut out = Found::default();
    find(&form.parts, &mut out);
    out
}

/// Returns the values of the fields, by what each changes.
fn values(form: &Form) -> Vec<(String, String)> {
    found(form).fields.iter().map(|f| (format!("{} {:?}", f.label, f.edit), f.value.clone())).collect()
}

/// Returns everything that the panel can show of a scenario.
fn views(at: &At) -> Vec<(Show, Option<Selection>)> {
    let mut out = vec![(show(Tab::Cluster), None), (show(Tab::Settings), None)];
    let apps = at.scenario.iter().flat_map(|s| &s.apps);
    out.extend(apps.take(EACH).map(|a| (show(Tab::Apps), Some(Selection::App(a.name.clone())))));
    for q in at.snapshot.queues.iter().take(EACH) {
        let chosen = Some(Selection::Queue(q.path.clone()));
        out.push((show(Tab::Queues), chosen.clone()));
        out.push((Show { refresh: true, ..show(Tab::Queues) }, chosen));
    }
    out.push((Show { as_text: true, ..show(Tab::Queues) }, None));
    out.push((Show { as_text: true, ..show(Tab::Apps) }, None));
    out
}

#[test]
fn a_field_writes_what_it_shows_and_a_button_changes_the_text() {
    let (mut fields, mut buttons) = (0, 0);
    for (name, text) in gallery() {
        let at = At::start(&text, None);
        for (show, chosen) in views(&at) {
            let form = at.form(&show, chosen.as_ref());
            assert_eq!(from_bytes::<Form>(&to_bytes(&form)).as_ref(), Ok(&form), "{name}: {show:?}");
            let before = values(&form);
            for field in found(&form).fields {
                // Some choices start again, whatever is chosen.
                let anew = [PartChange::Kind, PartChange::Scope];
                let part = match &field.edit.change {
                    Change::Constraint { change, .. } => Some(*change),
                    _ => None,
                };
                let anew = part.is_some_and(|p| anew.contains(&p) || matches!(p, PartChange::TargetKind(_)));
                // A refresh with the same value is still a refresh.
                if anew || show.refresh {
                    continue;
                }
                fields += 1;
                let told = || format!("{name}: {} {:?}", field.label, field.edit);
                let text = apply(&at.text, &field.edit, &field.value, at.scenario.as_ref());
                let text = text.unwrap_or_else(|why| panic!("{}: {why}", told()));
                if text != at.text {
                    let after = at.with(&text).form(&show, chosen.as_ref());
                    assert_eq!(values(&after), before, "{}", told());
                }
            }
            for button in found(&form).buttons {
                buttons += 1;
                let told = || format!("{name}: {} {:?}", button.text, button.edit);
                let after = apply(&at.text, &button.edit, &button.typed, at.scenario.as_ref());
                let after = after.unwrap_or_else(|why| panic!("{}: {why}", told()));
                assert!(after != at.text && !button.edit.what.is_empty(), "{}", told());
                let written = heddle_engine::edits::FormText::new(&after);
                assert!(written.readable(), "{}: {after}", told());
            }
            for code in found(&form).codes {
                let shown = match &code.text {
                    Source::Document(print) => {
                        assert_eq!(*print, heddle_view::form::fingerprint(&at.text));
                        &at.text
                    }
                    Source::Text(text) => text,
                };
                let nested = code.marks.windows(2).all(|w| w[0].start <= w[1].start);
                assert!(nested && code.marks.iter().all(|m| m.start <= m.end && m.end <= shown.len()), "{name}");
                let changed = apply(&at.text, &code.edit, &format!("{shown} "), at.scenario.as_ref());
                assert!(changed.is_ok_and(|text| text != at.text), "{name}: {}", code.label);
            }
        }
    }
    assert!(fields > 2_000 && buttons > 300, "{fields} fields, {buttons} buttons");
}

#[test]
fn a_spec_is_shown_with_its_clauses_and_where_nodes_stop() {
    let text = named("q39-anti-affinity");
    let waiting = At::start(&text, None).snapshot.waiting[0].id.clone();
    let at = At::start(&text, Some(&waiting));
    let form = at.form(&show(Tab::Apps), Some(&waiting));
    let found = found(&form);
    let clause = found.codes[0].marks.iter().find(|m| m.number == Some(1)).unwrap();
    let Source::Text(spec) = &found.codes[0].text else { panic!("the spec itself") };
    assert_eq!((&spec[clause.start..clause.end], clause.kind), ("NOTIN,NODE,zk", Ink::Stops));
    assert!(found.codes[0].marks.iter().any(|m| m.kind == Ink::Tag && &spec[m.start..m.end] == "zk"));
    let Some(Part::Reads(lines)) = found.rest.iter().find(|p| matches!(p, Part::Reads(_))) else { panic!("lines") };
    assert_eq!((lines[0].words.as_str(), lines[1].stops.as_str()), ("3 containers tagged zk", "2 nodes"));
    assert!(matches!(&lines[1].button, Some(Some(Selection::Clause { n: 1, .. }))), "{lines:?}");
}

#[test]
fn a_spec_with_an_error_is_told_once_where_it_stands() {
    let text = named("q39-anti-affinity").replace("zk(3),NOTIN,NODE,zk", "zk(3),NOTIN,MOON,zk");
    let good = At::start(&named("q39-anti-affinity"), None);
    let read = scenario::read(&text);
    assert!(read.scenario.is_none());
    let at = At { scenario: good.scenario, text, problems: read.problems, ..At::start("", None) };
    let form = at.form(&show(Tab::Apps), None);
    let found = found(&form);
    let lists: Vec<_> = found.rest.iter().filter(|p| matches!(p, Part::Problems { .. })).collect();
    let [Part::Problems { of, list, .. }] = lists[..] else { panic!("{lists:?}") };
    assert_eq!((of.as_str(), list[0].place), ("PlacementSpec", Some((1, 13))), "{list:?}");
    assert!(found.codes[0].error && found.notes.contains(&"Running: the last good spec."));
    assert!(found.rest.iter().any(|p| matches!(p, Part::Caret(line) if line.ends_with(&" ".repeat(12)))));
}

#[test]
fn a_text_that_cannot_be_read_is_shown_as_text_with_its_faults() {
    let mut at = At::start(&named("q39-anti-affinity"), None);
    at.text.insert_str(0, "= =\n");
    at.problems = scenario::read(&at.text).problems;
    let form = at.form(&show(Tab::Apps), None);
    assert!(form.as_text && form.title == "scenario", "{form:?}");
    let found = found(&form);
    assert!(found.codes[0].marks.iter().any(|m| m.kind == Ink::Error && m.start < 4));
    let Some(Part::Problems { list, .. }) = found.rest.first() else { panic!("{:?}", found.rest) };
    assert_eq!(list[0].place.map(|(line, _)| line), Some(1));
}

#[test]
fn a_refresh_is_offered_to_each_property_and_listed() {
    let at = At::start(&named("q04-49-percent"), None);
    let refresh = Show { refresh: true, ..show(Tab::Queues) };
    let form = at.form(&refresh, None);
    let found = found(&form);
    let field = found.fields.iter().find(|f| f.label == "user-limit-factor").unwrap();
    let Change::Queues { at_ms: Some(then), change: QueueChange::Property { .. } } = &field.edit.change else {
        panic!("{:?}", field.edit)
    };
    assert_eq!(*then, at.snapshot.time_ms);
    assert!(field.edit.what.contains("refreshed at"), "{}", field.edit.what);
    let after = at.with(&apply(&at.text, &field.edit, "3", at.scenario.as_ref()).unwrap());
    let listed = |at: &At| {
        let form = at.form(&refresh, None);
        let Some(Part::Refreshes { list, .. }) = form.parts.first() else { panic!("{form:?}") };
        list.clone()
    };
    let (before, list) = (listed(&at), listed(&after));
    assert_eq!(list.len(), before.len() + 1);
    let made = list.iter().find(|r| r.at_ms == *then).unwrap();
    let back = apply(&after.text, &made.remove, "", after.scenario.as_ref()).unwrap();
    assert_eq!(listed(&after.with(&back)), before);
}

#[test]
fn a_queue_of_the_fair_scheduler_has_a_form_that_changes_its_file() {
    let at = At::start(&named("q48-fair-share"), None);
    let of = |at: &At, queue: &str, label: &str| {
        let form = at.form(&show(Tab::Queues), Some(&Selection::Queue(queue.into())));
        let field = found(&form).fields.iter().find(|f| f.label == label).map(|f| (*f).clone());
        field.unwrap_or_else(|| panic!("{label}: {form:?}"))
    };
    let typed = |at: &At, field: &Field, typed: &str| {
        at.with(&apply(&at.text, &field.edit, typed, at.scenario.as_ref()).unwrap())
    };
    assert_eq!(of(&at, "root.b", "maxResources").value, "6144 mb, 6 vcores");
    let weight = of(&at, "root.b", "weight");
    assert_eq!((weight.value.as_str(), weight.edit.what.as_str()), ("1.0", "weight of root.b"));
    let after = typed(&at, &weight, "3");
    assert!(after.text.contains("<weight>3</weight>") && after.scenario.is_some(), "{}", after.text);
    assert_eq!(of(&after, "root.b", "weight").value, "3");
    // A value that the ResourceManager refuses is reported at the field.
    let mut bad = typed(&at, &weight, "x");
    assert!(bad.scenario.is_none());
    bad.scenario = At::start(&at.text, None).scenario;
    assert!(of(&bad, "root.b", "weight").invalid && !of(&bad, "root.a", "weight").invalid);
    let policy = of(&at, "root.a", "schedulingPolicy");
    assert!(matches!(&policy.control, Control::Choice(words) if words.len() == 4), "{policy:?}");
    assert!(typed(&at, &policy, "fifo").text.contains("<schedulingPolicy>fifo</schedulingPolicy>"));
    // A default for all queues, a new child, and its removal.
    let most = typed(&at, &of(&at, "root", "queueMaxAppsDefault"), "1");
    assert_eq!(of(&most, "root", "queueMaxAppsDefault").value, "1");
    let form = at.form(&show(Tab::Queues), Some(&Selection::Queue("root".into())));
    let Some(Part::Line { field: child, .. }) = form.parts.iter().find(|p| matches!(p, Part::Line { .. })) else {
        panic!("{form:?}")
    };
    let more = typed(&at, child, "c");
    assert!(more.text.contains("<queue name=\"c\"/>"), "{}", more.text);
    assert!(apply(&at.text, &child.edit, "b", at.scenario.as_ref()).unwrap_err().contains("root.b already"));
    let form = at.form(&show(Tab::Queues), Some(&Selection::Queue("root.b".into())));
    let gone = found(&form).buttons.iter().find(|b| b.text == "Remove").map(|b| b.edit.clone()).unwrap();
    let gone = apply(&at.text, &gone, "", at.scenario.as_ref()).unwrap();
    assert!(!gone.contains("6144 mb") && gone.contains("name=\"a\""), "{gone}");
}

#[test]
fn a_maximum_beyond_all_numbers_is_shown_as_the_whole() {
    let text = named("q04-49-percent");
    let path = At::start(&text, None).snapshot.queues.iter().find(|q| q.leaf).unwrap().path.clone();
    let change = QueueChange::Property { name: format!("{PREFIX}{path}.maximum-capacity"), blank: false };
    let edit = Edit { what: "maximum".into(), change: Change::Queues { at_ms: None, change } };
    let text = apply(&text, &edit, "1e308", scenario::read(&text).scenario.as_ref()).unwrap();
    let at = At::start(&text, None);
    let form = at.form(&show(Tab::Queues), Some(&Selection::Queue(path.clone())));
    let Some(Part::Queues(lines)) = form.parts.iter().find(|p| matches!(p, Part::Queues(_))) else {
        panic!("{form:?}")
    };
    let line = lines.iter().find(|l| l.path == path).unwrap();
    assert_eq!(line.share.1, "≤ 100 %");
}

#[test]
fn a_property_is_explained_while_its_name_is_typed() {
    let at = At::start(&named("q04-49-percent"), None);
    let leaf = at.snapshot.queues.iter().find(|q| q.leaf).unwrap().path.clone();
    let adder = |draft: Draft| {
        let form = at.form(&Show { drafts: vec![draft], ..show(Tab::Queues) }, Some(&Selection::Queue(leaf.clone())));
        let adder = |p: Part| if let Part::Adder(a) = p { Some(a) } else { None };
        form.parts.into_iter().find_map(adder).unwrap()
    };
    let draft = |kind: usize, name: &str, value: &str| Draft {
        owner: leaf.clone(),
        kind,
        name: name.into(),
        value: value.into(),
        queue: None,
    };
    let template = adder(draft(0, "", "")).kinds.iter().position(|k| k.contains("<property>")).unwrap();
    let known = adder(draft(template, "user-limit-factor", "x"));
    assert!(known.queue == Some(leaf.clone()) && known.property.field.invalid, "{known:?}");
    assert!(known.property.name.ends_with(".user-limit-factor") && !known.property.notes.is_empty());
    let unknown = adder(draft(template, "no-such", "1"));
    assert!(unknown.property.notes[0].text.starts_with("no-such is not a property"), "{unknown:?}");
}

#[test]
fn an_application_is_added_under_a_free_name_and_looked_at() {
    let at = At::start(&named("q39-anti-affinity"), None);
    let form = at.form(&show(Tab::Apps), None);
    let found = found(&form);
    for (text, select) in [("+ Batch", "job1"), ("+ Distributed shell", "shell1"), ("+ Requests", "tagged1")] {
        let button = found.buttons.iter().find(|b| b.text == text).unwrap();
        assert_eq!(button.select, Some(Selection::App(select.into())));
        let after = at.with(&apply(&at.text, &button.edit, "", at.scenario.as_ref()).unwrap());
        let scenario = after.scenario.as_ref().unwrap_or_else(|| panic!("{:?}", after.problems));
        assert!(scenario.apps.iter().any(|a| a.name == select));
        // The form has its name, and the name can be changed.
        let form = after.form(&show(Tab::Apps), button.select.as_ref());
        let name = Change::Put {
            path: vec![Step::from("apps"), (scenario.apps.len() - 1).into(), "name".into()],
            how: How::Text,
        };
        assert!(self::found(&form).fields.iter().any(|f| f.value == select && f.edit.change == name), "{text}");
    }
}
