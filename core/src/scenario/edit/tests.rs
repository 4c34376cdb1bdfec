//! Edits: what they change, and that they change nothing else.

use super::*;

const TEXT: &str = "# my cluster\ntitle = \"a\" # the title\n\n[capacity-scheduler]\nroot.queues = \"a,b\" # two\nroot.a.capacity = 40\n\n# big ones\n[[nodes]] # here\nname = \"n{01}\" # many\ncount = 6\nracks = 2\nsize = \"8 GB/8\"\n\n# small\n[[nodes]]\nname = \"m\"\nsize = \"4 GB/4\" # little\n\n[[apps]]\nname = \"x\"\ntasks = [{ count = 1 }]\n# the end\n";

fn hosts(text: &str) -> Vec<(String, String)> {
    let scenario = read(text).scenario.unwrap_or_else(|| panic!("{text}\n{:?}", read(text).problems));
    scenario.nodes.into_iter().map(|n| (n.spec.host, n.spec.rack)).collect()
}

#[test]
fn a_value_changes_and_its_comment_stays() {
    let text = set_title(TEXT, "b \"quoted\"").unwrap();
    assert_eq!(text, TEXT.replace("\"a\" #", "'b \"quoted\"' #"));
    let text = set(TEXT, &["nodes".into(), 1.into(), "label".into()], &Setting::Text("gpu".into())).unwrap();
    assert_eq!(text, TEXT.replace("# little\n", "# little\nlabel = \"gpu\"\n"));
    assert_eq!(set(&text, &["nodes".into(), 1.into(), "label".into()], &Setting::Nothing).unwrap(), TEXT);
    let task = set(TEXT, &["apps".into(), 0.into(), "tasks".into(), 0.into(), "count".into()], &Setting::Number(9));
    assert_eq!(task.unwrap(), TEXT.replace("count = 1 }", "count = 9 }"));
    assert!(set(TEXT, &["nodes".into(), 7.into(), "label".into()], &Setting::Flag(true)).is_err());
    assert!(set(TEXT, &["title".into(), "x".into()], &Setting::Flag(true)).is_err());
    assert!(set("a = [", &["title".into()], &Setting::Flag(true)).unwrap_err().contains("mend it first"));
}

#[test]
fn a_property_is_found_however_it_is_written() {
    let five = Setting::Number(50);
    let text = set_property(TEXT, "capacity-scheduler", "yarn.scheduler.capacity.root.a.capacity", &five).unwrap();
    assert_eq!(text, TEXT.replace("capacity = 40", "capacity = 50"));
    let text = set_property(TEXT, "capacity-scheduler", "root.b.capacity", &five).unwrap();
    assert_eq!(
        read(&text).scenario.unwrap().settings.capacity_scheduler["yarn.scheduler.capacity.root.b.capacity"],
        "50"
    );
    assert!(text.contains("# two"));
    let text = set_property(TEXT, "yarn-site", "yarn.scheduler.minimum-allocation-mb", &Setting::Number(512)).unwrap();
    assert_eq!(read(&text).scenario.unwrap().settings.yarn_site["yarn.scheduler.minimum-allocation-mb"], "512");
    let text = set_property(TEXT, "capacity-scheduler", "root.a.capacity", &Setting::Nothing).unwrap();
    assert_eq!(text, TEXT.replace("root.a.capacity = 40\n", ""));
}

#[test]
fn a_file_goes_in_letter_for_letter() {
    let xml = "<configuration>\n  <!-- it's \\ \"so\" -->\n</configuration>\n";
    let text = set_file(TEXT, "capacity-scheduler.xml", xml).unwrap();
    assert!(text.contains(xml) && text.contains("# the end"), "{text}");
    let text = set_file(TEXT, "capacity-scheduler.xml", "a'''b\r\nc\u{1}'").unwrap();
    let document: DocumentMut = text.parse().unwrap();
    assert_eq!(document["files"]["capacity-scheduler.xml"].as_str(), Some("a'''b\r\nc\u{1}'"));
}

#[test]
fn one_node_of_a_group_gets_its_own_entry() {
    let (before, after) = (hosts(TEXT), isolate_node(TEXT, "n02").unwrap());
    assert_eq!(hosts(&after.0), before, "{}", after.0);
    assert!(after.0.contains("# small") && after.0.contains("# big ones") && after.0.contains("# little"));
    let text = set_node(TEXT, "n05", "size", &Setting::Text("1 GB/1".into())).unwrap();
    let scenario = read(&text).scenario.unwrap();
    let small: Vec<_> = scenario.nodes.iter().filter(|n| n.spec.total.memory_mb() == 1024).collect();
    assert_eq!((small.len(), small[0].spec.host.as_str()), (1, "n05"));
    assert_eq!(hosts(&text), before);
    for gone in ["n01", "n03", "n06", "m"] {
        let left: Vec<_> = before.iter().filter(|(h, _)| h != gone).cloned().collect();
        assert_eq!(hosts(&remove_node(TEXT, gone).unwrap()), left, "{gone}");
    }
    assert!(remove_node(TEXT, "n9").unwrap_err().contains("no node `n9`"));
}

#[test]
fn one_more_node_like_the_last() {
    let text = add_node_like_last(TEXT, "m2", None, 0).unwrap();
    assert_eq!(hosts(&text).last(), Some(&("m2".to_string(), "/default-rack".to_string())), "{text}");
    let text = add_node_like_last(TEXT, "m2", None, 20_500).unwrap();
    let scenario = read(&text).scenario.unwrap();
    assert_eq!((scenario.happenings.len(), scenario.happenings[0].at), (1, 20_500));
    assert!(text.starts_with(TEXT.trim_end_matches("# the end\n")) && text.ends_with("# the end\n"), "{text}");
    assert_eq!(hosts(&add_node_like_last("", "n1", None, 5).unwrap()).len(), 1);
}

#[test]
fn entries_come_and_go() {
    let fields = [("name", Setting::Text("y".into())), ("tasks", Setting::Toml("[{ count = 2 }]".into()))];
    let text = push(TEXT, "apps", &fields).unwrap();
    assert_eq!(read(&text).scenario.unwrap().apps.len(), 2);
    assert_eq!(remove_entry(&text, "apps", 1).map(|t| read(&t).scenario.unwrap().apps.len()), Ok(1));
    assert!(remove_entry(TEXT, "apps", 5).is_err());
}
