use super::*;

const XML: &str = "<configuration>\n<property><name>KEY</name><value>VALUE</value></property>\n</configuration>";

fn property(key: &str, value: &str) -> String {
    XML.replace("KEY", key).replace("VALUE", value)
}

fn queues() -> String {
    let capacity = "<property><name>yarn.scheduler.capacity.root.default.capacity</name><value>100</value></property>";
    property("yarn.scheduler.capacity.root.queues", "default").replace("</conf", &format!("{capacity}</conf"))
}

/// A text of each kind.
fn samples() -> Vec<(What, String)> {
    vec![
        (What::Scenario, "heddle = 1\n[[nodes]]\nname = \"n\"\nsize = \"8 GB/8\"\n".into()),
        (What::CapacityScheduler, queues()),
        (What::FairScheduler, "<allocations><queue name=\"a\"/></allocations>".into()),
        (What::Site, property("yarn.scheduler.minimum-allocation-mb", "512")),
        (
            What::Slider,
            r#"{"components": {"web": {"yarn.role.priority": "1", "yarn.component.instances": "3"}}}"#.into(),
        ),
        (What::Service, include_str!("../../../tests/samples/yarnfile.json").into()),
        (What::Samza, include_str!("../../../tests/samples/job.properties").into()),
        (What::DistributedShell, "zk(3),NOTIN,NODE,zk".into()),
        (What::Line, "Container preempted by scheduler".into()),
    ]
}

/// What a scenario of these texts is.
fn read_all(texts: &[(&str, &str)]) -> Import {
    let given: Vec<Given<'_>> = texts.iter().map(|(name, text)| Given { name, text }).collect();
    import(&given)
}

/// The scenario, which has no error.
fn sound(found: &Import) -> crate::scenario::Scenario {
    let text = found.scenario.as_deref().expect("a scenario");
    let read = crate::scenario::read(text);
    read.scenario.unwrap_or_else(|| panic!("{:?}\n{text}", read.problems))
}

#[test]
fn each_kind_is_recognised_by_its_content_whatever_its_name_is_and_gives_a_scenario() {
    let samples = samples();
    for kind in KINDS {
        assert!(samples.iter().any(|(what, _)| *what == kind.what), "no sample of {}", kind.name);
    }
    for (what, text) in samples {
        for name in ["", "x", "a.toml", "a.xml", "yarn-site.xml", "a.properties", "a.json"] {
            for text in [text.clone(), format!("\u{feff}{text}"), format!("\n\n{text}\n\n")] {
                let found = read_all(&[(name, &text)]);
                assert_eq!(found.files[0].kind, Some(what), "{name}: {text}");
                assert_eq!(found.files[0].status, Status::Read, "{name}: {:?}", found.files[0].problems);
                sound(&found);
            }
        }
    }
}

#[test]
fn what_is_none_of_ours_is_told_with_its_place_and_gives_nothing() {
    for (text, part) in [
        ("", "empty"),
        ("# only\n", "only comments"),
        ("<!DOCTYPE html><html></html>", "web page"),
        ("<project/>", "<project>"),
        ("hello", "nothing that is read"),
        ("{\"a\": 1}", "None of its fields"),
        ("{\"a\": ", "not JSON"),
    ] {
        let found = read_all(&[("x", text)]);
        assert!(found.scenario.is_none() && found.files[0].status == Status::NotRead, "{text}");
        assert!(found.files[0].problems.iter().any(|p| p.what.contains(part)), "{text}: {:?}", found.files[0].problems);
    }
}

#[test]
fn files_come_together_in_one_scenario() {
    let capacity = queues();
    let site = property("yarn.nodemanager.resource.memory-mb", "65536");
    let found = read_all(&[
        ("a", &capacity),
        ("b", &site),
        ("c", include_str!("../../../tests/samples/yarnfile.json")),
        ("d", include_str!("../../../tests/samples/yarnfile.json")),
        ("e", "hello"),
    ]);
    let scenario = sound(&found);
    assert_eq!(scenario.files.len(), 2);
    assert_eq!(scenario.apps.len(), 2);
    assert_ne!(scenario.apps[0].name, scenario.apps[1].name);
    assert_eq!(scenario.nodes[0].spec.total.memory_mb(), 65536);
    assert_eq!(found.files.iter().filter(|f| f.status == Status::NotRead).count(), 1);
    assert!(!found.inferred.is_empty() && !found.unknown.is_empty());
}
