//! What a user does to a service at the moment shown, with forms and buttons.

use super::*;
use heddle_view::form::Part;

/// One instance on n1, and room for another.
const SERVICE: &str = r#"
heddle = 1
scheduling = "heartbeat"
until = "10 min"
[[nodes]]
name = "n1"
size = "8 GB/8"
[[nodes]]
name = "n2"
size = "8 GB/8"
[[apps]]
name = "kafka"
kind = "slider"
[[apps.components]]
name = "broker"
yarn.role.priority = 1
yarn.component.instances = 1
yarn.component.placement.policy = 4
yarn.memory = 2048
"#;

/// Collects the buttons, lines and texts of a form, at any depth.
fn edits(parts: &[Part], out: &mut Vec<(String, Edit)>) {
    for part in parts {
        match part {
            Part::Group { parts, head, .. } => {
                let button = head.as_ref().and_then(|h| h.button.as_ref());
                out.extend(button.map(|b| (b.text.clone(), b.edit.clone())));
                edits(parts, out);
            }
            Part::Details { parts, .. } => edits(parts, out),
            Part::Row { buttons, .. } => out.extend(buttons.iter().map(|b| (b.text.clone(), b.edit.clone()))),
            Part::Line { field, button, .. } => {
                out.push((format!("{button} {}", field.placeholder), field.edit.clone()))
            }
            Part::Code(code) => out.push((code.label.clone(), code.edit.clone())),
            _ => {}
        }
    }
}

/// Everything that a Slider application's forms and buttons do at the moment shown.
#[test]
fn a_service_is_flexed_restarted_and_its_files_edited_at_the_moment_shown() {
    let mut page = Page::default();
    page.settled(vec![open(ScenarioSource::Text(SERVICE.into())), Request::Ledger(ShownTables::Service)]);
    let to = |page: &mut Page, time_ms: i64, about: &str| {
        let replies = page.settled(vec![Request::Seek { time_ms, selection: about.parse().ok() }]);
        let frame = frames(&replies).pop().cloned().expect("a frame");
        let books = replies.iter().rev().find_map(|r| if let Reply::Ledger(l) = r { Some(*l.clone()) } else { None });
        (frame, books.expect("the books"))
    };
    let form = |page: &Page| {
        let (document, what) = (&page.server.document, &page.server.what);
        let mut out = Vec::new();
        edits(&what.told().expect("a form").parts, &mut out);
        assert!(document.scenario.is_some());
        out
    };
    let edit_of = |all: &[(String, Edit)], start: &str| {
        let found = all.iter().find(|(text, _)| text.starts_with(start));
        found
            .unwrap_or_else(|| panic!("{start} is not among {:#?}", all.iter().map(|e| &e.0).collect::<Vec<_>>()))
            .1
            .clone()
    };
    let happen = |page: &mut Page, edit: Edit, typed: &str| {
        let replies = page.settled(vec![Request::Edit { edit, typed: typed.into(), version: 0 }]);
        assert!(replies.iter().any(|r| matches!(r, Reply::Edited { .. })), "{replies:?}");
        assert!(!frames(&replies).is_empty(), "it is played anew");
    };
    let count = |frame: &Frame| frame.snapshot.apps[0].placed;
    let buttons = |frame: &Frame| match frame.acts.first() {
        Some(Part::Row { buttons, .. }) => buttons.clone(),
        other => panic!("{other:?}"),
    };
    let texts = |frame: &Frame| buttons(frame).iter().map(|b| b.text.clone()).collect::<Vec<_>>();

    let (frame, books) = to(&mut page, 60_000, "app:kafka");
    assert_eq!((count(&frame), books.title.as_str()), (1, "kafka at 1:00"));
    assert_eq!(texts(&frame), ["Restart kafka", "Kill it", "Hang its AM"]);
    let flex = edit_of(&form(&page), "Flex broker: 1");
    happen(&mut page, flex.clone(), "3");
    happen(&mut page, flex, "2");
    let (frame, _) = to(&mut page, 90_000, "app:kafka");
    assert_eq!(count(&frame), 2, "the last that was typed");
    // After an edit the next start does not use the history file.
    let files = form(&page);
    let newest = files.iter().find(|(text, _)| text.starts_with("rolehistory-")).expect("a file").clone();
    happen(&mut page, newest.1, "{ nothing");
    let (_, books) = to(&mut page, 90_500, "app:kafka");
    let files = books.tables.iter().find(|t| t.title == "History files").expect("its files");
    assert!(files.rows[0].cells[3].text.starts_with("skips it"), "{files:#?}");
    let restart = edit_of(&form(&page), "Restart");
    happen(&mut page, restart, "");
    let (frame, _) = to(&mut page, 130_000, "app:kafka");
    assert_eq!(count(&frame), 2, "two again after the restart");
    let deleted = edit_of(&form(&page), "Delete all");
    happen(&mut page, deleted, "");
    let (_, books) = to(&mut page, 130_500, "app:kafka");
    assert!(books.tables.iter().all(|t| t.title != "History files"), "{books:#?}");

    // A node fails and comes back.
    let (frame, _) = to(&mut page, 150_000, "node:n2");
    assert_eq!(texts(&frame), ["Fail this node", "Lose it at once", "Drain it", "Make it unhealthy"]);
    happen(&mut page, buttons(&frame)[1].edit.clone(), "");
    let (frame, books) = to(&mut page, 155_000, "node:n2");
    assert_eq!(texts(&frame), ["Bring it back"]);
    let requests = books.tables.iter().find(|t| t.title == "Requests").expect("one is outstanding");
    assert_eq!(requests.rows[0].cells[2].text, "pending: not asked for", "no host is left");
    happen(&mut page, buttons(&frame)[0].edit.clone(), "");
    let (frame, _) = to(&mut page, 170_000, "container:kafka/1");
    assert_eq!(count(&frame), 2, "it is back");
}
