//! Imports: what opens a new scenario, what joins the open one, and where the run is shown then.

use super::*;
use heddle_view::form::Setup;
use heddle_view::{Load, RemarkValue, StoryKind};

const QUEUES: &str = "<configuration>\n<property><name>yarn.scheduler.capacity.root.queues</name><value>a,b</value></property>\n\
    <property><name>yarn.scheduler.capacity.root.a.capacity</name><value>30</value></property>\n\
    <property><name>yarn.scheduler.capacity.root.b.capacity</name><value>70</value></property>\n\
    <property><name>yarn.scheduler.capacity.root.b.accessible-node-labels</name><value>gpu</value></property>\n\
    <property><name>yarn.scheduler.capacity.root.b.accessible-node-labels.gpu.capacity</name><value>100</value></property>\n\
    <property><name>yarn.scheduler.capacity.root.accessible-node-labels.gpu.capacity</name><value>100</value></property>\n\
    </configuration>\n";
const SITE: &str = "<configuration>\n<property><name>yarn.nodemanager.resource.memory-mb</name><value>65536</value></property>\n\
    <property><name>yarn.scheduler.maximum-allocation-mb</name><value>65536</value></property>\n</configuration>\n";

fn given(name: &str, text: &str, more: &[(&str, &str)], target: ImportTarget) -> Request {
    let more = more.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    Request::Import { name: name.into(), text: text.into(), more, target, with: vec![], version: 0 }
}

fn opened(replies: &[Reply]) -> Option<&Opened> {
    replies.iter().find_map(|r| if let Reply::Opened(opened) = r { Some(&**opened) } else { None })
}

fn frame(replies: &[Reply]) -> &Frame {
    let last = replies.iter().rev().find_map(|r| if let Reply::Frame(frame) = r { Some(&**frame) } else { None });
    last.expect("a picture")
}

fn shown(page: &mut Page) -> Setup {
    let about = vec![RemarkValue::Site("yarn.scheduler.maximum-allocation-mb".into())];
    page.settled(vec![Request::Show(Show { setup: Some(about), ..Show::default() })]);
    page.server.what.told().and_then(|form| form.setup.clone()).expect("the set-up")
}

#[test]
fn settings_open_a_new_scenario_that_runs_and_is_shown_where_it_tells_most() {
    let mut page = Page::opened();
    let replies = page.settled(vec![given("capacity-scheduler.xml", QUEUES, &[], ImportTarget::Fitting)]);
    let new = opened(&replies).expect("a scenario of its own");
    assert!(!new.text.contains("zk") && !new.text.contains("captions"), "{}", new.text);
    let report = new.report.as_ref().expect("a report");
    assert_eq!((report.files.len(), report.files[0].name.as_str()), (1, "capacity-scheduler.xml"));
    assert!(report.files[0].holds.starts_with("3 queues") || report.files[0].holds.contains("queues"), "{report:?}");
    let missing = &report.unknown[0];
    assert!(missing.what.starts_with("`yarn-site.xml` is missing: ") && missing.about == [RemarkValue::File]);
    assert_eq!(report.other, Some(ImportTarget::Open));
    // It runs by itself, and something is told.
    let frame = frame(&replies);
    assert!(frame.snapshot.time_ms > 0 && !frame.stories.cards.is_empty(), "{:?}", frame.stories);
    assert!(frame.stories.cards.iter().any(|card| card.kind == StoryKind::Starved), "{:?}", frame.stories);
    assert!(frame.timeline.end_ms >= frame.snapshot.time_ms);
}

/// A line among the files of a cluster: the report on all of them, and the moment and the thing that the line is about.
#[test]
fn a_line_among_files_is_shown_with_the_report_on_all() {
    const LINE: &str = "org.apache.hadoop.security.AccessControlException: Queue root.b already has 10000 applications, \
        cannot accept submission of application: application_9_0003";
    let mut page = Page::opened();
    let more = [("rm.log", LINE)];
    let replies = page.settled(vec![given("capacity-scheduler.xml", QUEUES, &more, ImportTarget::Fitting)]);
    let report = opened(&replies).and_then(|new| new.report.as_ref()).expect("a report");
    assert_eq!(report.files.len(), 2);
    let frame = frame(&replies);
    assert_eq!((frame.snapshot.time_ms, frame.selection.clone()), (0, "queue:root.b".parse().ok()));
}

/// What the applications of the files name is offered onto nodes: labels as fields, attributes as choices.
#[test]
fn attributes_that_applications_name_are_offered_onto_nodes() {
    const RUN: &str = "yarn jar hadoop-yarn-applications-distributedshell-3.5.0.jar -jar a.jar -shell_command date -placement_spec \"web(3),rm.yarn.io/os=el9\"\n";
    let mut page = Page::opened();
    page.settled(vec![given("capacity-scheduler.xml", QUEUES, &[("run.sh", RUN)], ImportTarget::Fitting)]);
    let on = |page: &mut Page| -> Vec<(String, bool, Edit)> {
        let chips = shown(page).attributes.into_iter();
        chips.map(|chip| (chip.button.text, chip.on, chip.button.edit)).collect()
    };
    let before = on(&mut page);
    let [(name, false, edit)] = before.as_slice() else { panic!("{before:?}") };
    assert_eq!(name, "rm.yarn.io/os=el9");
    let replies = page.settled(vec![Request::Edit { edit: edit.clone(), typed: String::new(), version: 1 }]);
    assert!(replies.iter().any(|r| matches!(r, Reply::Edited { text, .. } if text.contains("el9"))), "{replies:?}");
    assert!(matches!(on(&mut page).as_slice(), [(_, true, _)]));
}

/// Whatever an import infers or does not know and names has a field, which shows what is typed into it.
#[test]
fn what_is_inferred_or_not_known_has_a_field_that_changes_it() {
    const NODES: &str = r#"{"nodes":{"node":[{"rack":"/r","state":"RUNNING","id":"n1:45454","nodeHostName":"n1",
        "usedMemoryMB":3072,"availMemoryMB":5120,"usedVirtualCores":3,"availableVirtualCores":5,"nodeLabels":["gpu"]}]}}"#;
    const APPS: &str = r#"{"apps":{"app":[{"id":"application_1_0001","user":"u","name":"a","queue":"a","state":"RUNNING",
        "finalStatus":"UNDEFINED","amHostHttpAddress":"n1:8042","allocatedMB":3072,"allocatedVCores":3,"runningContainers":3}]}}"#;
    let mut page = Page::opened();
    let more = [("apps.json", APPS), ("capacity-scheduler.xml", QUEUES)];
    let replies = page.settled(vec![given("nodes.json", NODES, &more, ImportTarget::Fitting)]);
    let report = opened(&replies).and_then(|o| o.report.clone()).expect("a report");
    let remarks = report.inferred.iter().chain(&report.unknown);
    let about: Vec<RemarkValue> = remarks.flat_map(|r| r.about.clone()).collect();
    for one in [RemarkValue::Labels, RemarkValue::RunTimes, RemarkValue::Release] {
        assert!(about.contains(&one), "{one:?}: {report:?}");
    }
    let show = |page: &mut Page| {
        page.settled(vec![Request::Show(Show { setup: Some(about.clone()), ..Show::default() })]);
        page.server.what.told().and_then(|form| form.setup.clone()).expect("the set-up")
    };
    let apart = |one: &RemarkValue| matches!(one, RemarkValue::Release | RemarkValue::Nodes | RemarkValue::File);
    for one in about.iter().filter(|one| !apart(one)) {
        let typed = match one {
            RemarkValue::Labels => "gpu(exclusive=false)",
            RemarkValue::RunTimes => "10 min",
            _ => "2048",
        };
        let values = show(&mut page).values;
        let (_, field) = values.iter().find(|(of, _)| of == one).unwrap_or_else(|| panic!("{one:?}: {values:?}"));
        page.settled(vec![Request::Edit { edit: field.edit.clone(), typed: typed.into(), version: 0 }]);
        let after = show(&mut page).values;
        let shown = after.iter().find(|(of, _)| of == one).map(|(_, field)| field.value.clone());
        assert_eq!(shown.as_deref(), Some(typed), "{one:?}");
        assert!(show(&mut page).changed.contains(one), "what the report says of it is over");
    }
    // The ends of what runs are spread: of two containers beside the ApplicationMaster's one ends half-way.
    let text = &page.server.document.text;
    assert!(text.contains("\"5 min\"") && text.contains("\"10 min\"") && text.contains("exclusive=false"), "{text}");
}

#[test]
fn files_that_come_together_are_one_scenario_and_nothing_is_missing_then() {
    let mut page = Page::opened();
    let more = [("yarn-site.xml", SITE)];
    let replies = page.settled(vec![given("capacity-scheduler.xml", QUEUES, &more, ImportTarget::Fitting)]);
    let report = opened(&replies).and_then(|o| o.report.clone()).expect("a report");
    assert_eq!(
        report.files.iter().map(|f| f.name.as_str()).collect::<Vec<_>>(),
        ["capacity-scheduler.xml", "yarn-site.xml"]
    );
    assert!(report.unknown.iter().all(|u| !u.about.contains(&RemarkValue::File)), "{:?}", report.unknown);
    let setup = shown(&mut page);
    assert!(setup.cluster.value.contains("64 GB"), "{:?}", setup.cluster);
    assert_eq!(setup.labels.iter().map(|l| l.label.as_str()).collect::<Vec<_>>(), ["gpu"]);
    assert_eq!(setup.values.len(), 1);
    assert_eq!(setup.values[0].1.value, "65536");
}

/// What an import leaves open is changed in one edit each, and the run is shown anew where it tells most.
#[test]
fn what_an_import_leaves_open_is_changed_where_it_stands() {
    let mut page = Page::opened();
    page.settled(vec![given("capacity-scheduler.xml", QUEUES, &[], ImportTarget::Fitting)]);
    let setup = shown(&mut page);
    let on: Vec<&str> = setup.loads.iter().filter(|c| c.on).map(|c| c.button.text.as_str()).collect();
    assert_eq!(on, ["fill every queue"]);
    let put = |field: &heddle_view::form::Field, typed: &str| Request::Edit {
        edit: field.edit.clone(),
        typed: typed.into(),
        version: 0,
    };
    let replies = page.settled(vec![put(&setup.cluster, "12 × 64 GB/16, 3 racks")]);
    let nodes = |frame: &Frame| frame.snapshot.racks.iter().map(|r| r.nodes.len()).sum::<usize>();
    assert_eq!(nodes(frame(&replies)), 14, "12, and 2 of the label");
    assert!(frame(&replies).snapshot.time_ms > 0);
    page.settled(vec![put(&setup.labels[0], "3 × 32 GB/8")]);
    let mine = setup.loads.iter().find(|c| matches!(c.button.edit.change, Change::Load(Load::MyCase))).expect("a chip");
    page.settled(vec![Request::Edit { edit: mine.button.edit.clone(), typed: String::new(), version: 0 }]);
    let setup = shown(&mut page);
    assert_eq!(
        (setup.cluster.value.as_str(), setup.labels[0].value.as_str()),
        ("12 × 64 GB/16, 3 racks", "3 × 32 GB/8")
    );
    assert_eq!(setup.case.len(), 5);
    let queue = setup.case.iter().find(|f| f.id.ends_with("queue")).expect("the queue");
    let replies = page.settled(vec![put(queue, "root.b")]);
    assert!(frame(&replies).snapshot.apps.iter().any(|a| a.name == "my-case" && a.queue == "root.b"));
    let release = page.settled(vec![put(&setup.release, "3.3")]);
    assert!(page.server.text().contains("release = \"3.3\""), "{release:?}");
}

#[test]
fn settings_of_an_imported_cluster_replace_its_own_and_the_other_way_is_offered() {
    let mut page = Page::opened();
    page.settled(vec![given("capacity-scheduler.xml", QUEUES, &[], ImportTarget::Fitting)]);
    let other = QUEUES.replace(">30<", ">40<").replace(">70<", ">60<");
    let replies = page.settled(vec![given("capacity-scheduler.xml", &other, &[], ImportTarget::FittingImported)]);
    assert!(opened(&replies).is_none());
    let report = replies.iter().find_map(|r| match r {
        Reply::Imported { report, text: Some(_), .. } => Some(report),
        _ => None,
    });
    assert_eq!(report.expect("it is taken").other, Some(ImportTarget::New));
    assert!(page.server.text().contains(">40<") && page.server.text().contains("fill-a"));
    // A queue more gets its application, and another cluster's queues are no other settings of this one.
    let more = QUEUES.replace(">a,b<", ">a,b,c<").replace(">30<", ">20<").replace(
        "</configuration>",
        "<property><name>yarn.scheduler.capacity.root.c.capacity</name><value>10</value></property></configuration>",
    );
    page.settled(vec![given("capacity-scheduler.xml", &more, &[], ImportTarget::FittingImported)]);
    assert!(page.server.text().contains("fill-c") && page.server.text().contains("fill-a"));
    let foreign = QUEUES.replace("a,b", "x,y").replace("root.a.", "root.x.").replace("root.b.", "root.y.");
    let replies = page.settled(vec![given("capacity-scheduler.xml", &foreign, &[], ImportTarget::FittingImported)]);
    let report = opened(&replies).and_then(|o| o.report.clone()).expect("a new scenario");
    assert_eq!(report.other, Some(ImportTarget::Open));
    page.settled(vec![given("capacity-scheduler.xml", QUEUES, &[], ImportTarget::New)]);
    // An application and a change of the queues join whatever is open.
    let change = r#"{"update-queue": {"queue-name": "root.a", "params": {"entry": {"key": "maximum-capacity", "value": "50"}}}}"#;
    let replies = page.settled(vec![given("change.json", change, &[], ImportTarget::Fitting)]);
    assert!(opened(&replies).is_none() && page.server.text().contains("maximum-capacity"));
    let job = include_str!("../../../../../tests/samples/job.properties");
    let replies = page.settled(vec![given("job.properties", job, &[], ImportTarget::Fitting)]);
    assert!(opened(&replies).is_none() && page.server.text().contains("page-views"));
    let replies = page.settled(vec![given("job.properties", job, &[], ImportTarget::New)]);
    assert!(opened(&replies).is_some() && !page.server.text().contains("fill-a"));
}

#[test]
fn a_dump_is_compared_with_what_comes_of_it() {
    let nodes = r#"{"nodes": {"node": [{"id": "n1:1", "nodeHostName": "n1", "rack": "/r1", "state": "RUNNING", "usedMemoryMB": 1024, "availMemoryMB": 7168, "usedVirtualCores": 1, "availableVirtualCores": 7}]}}"#;
    let apps = r#"{"apps": {"app": [
        {"id": "application_1_0001", "user": "ann", "name": "j", "queue": "default", "state": "RUNNING", "allocatedMB": 1024, "allocatedVCores": 1, "runningContainers": 1, "amHostHttpAddress": "n1:8042"},
        {"id": "application_1_0002", "user": "bob", "name": "k", "queue": "default", "state": "ACCEPTED", "diagnostics": "Application is added to the scheduler and is not yet activated. Something else.", "amNodeLabelExpression": ""}]}}"#;
    let mut page = Page::opened();
    let replies = page.settled(vec![given("nodes.json", nodes, &[("apps.json", apps)], ImportTarget::Fitting)]);
    assert!(opened(&replies).is_some());
    let told = replies.iter().find_map(|r| if let Reply::Agreement(told) = r { Some(told) } else { None });
    assert!(told.is_some(), "{:?}", replies.iter().map(std::mem::discriminant).collect::<Vec<_>>());
    // A scenario that is no dump has nothing to compare.
    let replies = page.settled(vec![given("capacity-scheduler.xml", QUEUES, &[], ImportTarget::Fitting)]);
    assert!(!replies.iter().any(|r| matches!(r, Reply::Agreement(_))));
}
