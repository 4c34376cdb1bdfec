//! No secret in an input leaves the engine: every format × every kind of secret × every answer.

use super::*;
use heddle_core::scenario::link;
use heddle_view::protocol::to_bytes;
use heddle_view::secrets;

const SECRET: &str = "hunter2-of-acme";

/// Names of secrets, of each kind.
const NAMES: &[&str] = &[
    "sensitive.systems.kinesis.anything",
    "systems.kinesis.aws.accessKey",
    "fs.s3a.secret.key",
    "hadoop.ssl.keystore.password",
    "my.api.token",
    "yarn.resourcemanager.keytab",
    "yarn.resourcemanager.principal",
];

const NODES: &str = "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"1 min\"\n[[nodes]]\nname = \"n\"\ncount = 2\nsize = \"8 GB/8\"\n";

/// Input files, with `N` and `V` for a name and its value.
const FILES: &[(&str, &str)] = &[
    (
        "capacity-scheduler.xml",
        "<configuration><property><name>yarn.scheduler.capacity.root.queues</name><value>default</value></property>\
         <property><name>yarn.scheduler.capacity.root.default.capacity</name><value>100</value></property>\
         <property><name>N</name><value>V</value></property></configuration>",
    ),
    (
        "yarn-site.xml",
        "<configuration><property><name>yarn.scheduler.minimum-allocation-mb</name><value>512</value></property>\
         <property><name>N</name><value>V</value></property></configuration>",
    ),
    ("clicks.properties", "job.name=clicks\ntask.inputs=kinesis.clicks\nN=V\n"),
    ("below.properties", "job.name=clicks\ntask.inputs=kinesis.clicks\nN = \\\n  V\n"),
    (
        "yarnfile.json",
        "{\"name\": \"web\", \"version\": \"1\", \"configuration\": {\"env\": {\"N\": \"V\"}, \"properties\": {\"N\": \"V\"}},\
         \"components\": [{\"name\": \"w\", \"number_of_containers\": 1, \"launch_command\": \"sleep 9 --N=V\", \
         \"resource\": {\"cpus\": 1, \"memory\": \"256\"}}]}",
    ),
    (
        "conf.json",
        "{\"properties\":[{\"key\":\"N\",\"value\":\"V\",\"isFinal\":false,\"resource\":\"core-site.xml\"}]}",
    ),
    (
        "appConfig.json",
        "{\"schema\": \"http://example.org/specification/v2.0.0\", \"global\": {\"N\": \"V\"}, \"components\": {}}",
    ),
    (
        "objects.json",
        "{\"name\": \"web\", \"version\": \"1\", \"N\": {\"value\": \"V\"},\
         \"components\": [{\"name\": \"w\", \"number_of_containers\": 1, \"launch_command\": \"mysql -pV --N V\", \
         \"resource\": {\"cpus\": 1, \"memory\": \"256\"}}]}",
    ),
    ("what.txt", "spark-submit --conf N=V --class A\n"),
    ("scenario.toml", "heddle = 1\n[yarn-site]\n\"N\" = \"V\"\n[[nodes]]\nname = \"n\"\nsize = \"8 GB/8\"\n"),
    (
        "embedded.toml",
        "heddle = 1\n[files]\n\"yarn-site.xml\" = '''\n<configuration><property><name>N</name><value>V</value></property></configuration>\n'''\n\
         [[nodes]]\nname = \"n\"\nsize = \"8 GB/8\"\n",
    ),
];

/// Returns the first answer with the secret, plain or in a link.
fn tells(replies: &[Reply]) -> Option<&Reply> {
    replies.iter().find(|reply| {
        let bytes = to_bytes(*reply);
        let plain = bytes.windows(SECRET.len()).any(|part| part == SECRET.as_bytes());
        let linked = match reply {
            Reply::Link { link: Ok(link), .. } => link::open(link).text.is_some_and(|text| text.contains(SECRET)),
            _ => false,
        };
        plain || linked
    })
}

#[test]
fn no_answer_has_a_secret_that_was_read() {
    for (file, form) in FILES {
        for name in NAMES {
            let text = form.replace('N', name).replace('V', SECRET);
            let view = LinkView::default();
            let ways: [(&str, Vec<Request>); 3] = [
                ("imported", vec![import(file, &text)]),
                ("opened", vec![open(ScenarioSource::Text(text.clone()))]),
                (
                    "a draft",
                    vec![open(ScenarioSource::Draft { text: text.clone(), link: String::new(), said: Vec::new() })],
                ),
            ];
            for (way, requests) in ways {
                let mut page = Page::default();
                page.settled(vec![open(ScenarioSource::Text(NODES.into()))]);
                let replies = page.settled(requests);
                assert!(tells(&replies).is_none(), "{way} {file}, {name}: {:?}", tells(&replies));
                let told = replies.iter().any(|r| match r {
                    Reply::Imported { report, .. } => report.facts.iter().any(|f| f.contains("masked")),
                    Reply::Opened(opened) => opened.notice.as_ref().is_some_and(|n| n.contains("masked")),
                    _ => false,
                });
                assert!(told, "{way} {file}, {name} is masked without a word: {replies:?}");
                // Typed secrets are in no link.
                for purpose in [LinkFor::Sharing, LinkFor::Address { push: false }] {
                    let link = Request::Link { text: text.clone(), view: view.clone(), comparison: None, purpose };
                    let replies = page.settled(vec![
                        link,
                        Request::Look { selection: None },
                        Request::Compare(heddle_view::Comparison::default()),
                    ]);
                    assert!(tells(&replies).is_none(), "{file}, {name}: {:?}", tells(&replies));
                }
            }
            let link = link::write(&text, &view, None).expect("it is short");
            let mut page = Page::default();
            let replies = page.settled(vec![open(ScenarioSource::Link(link))]);
            assert!(tells(&replies).is_none(), "a link: {file}, {name}");
        }
    }
}

#[test]
fn what_is_masked_changes_no_decision() {
    let runs = |text: &str| {
        let mut player = heddle_player::Player::load(text).player?;
        player.run_to_end();
        Some(player.fingerprint())
    };
    for (file, form) in FILES.iter().take(4) {
        for name in NAMES {
            let text = form.replace('N', name).replace('V', SECRET);
            let with = |text: &str| match crate::document::ImportResult::of_file(file, text, NODES) {
                Some(scenario) => scenario,
                None => panic!("{file}, {name} is not taken"),
            };
            let (raw, masked) = (with(&text.replace(SECRET, "true")), with(&text));
            assert!(!masked.contains(SECRET), "{masked}");
            assert_eq!(runs(&raw), runs(&masked), "{file}, {name}");
            assert!(runs(&masked).is_some(), "{file}, {name}");
        }
    }
}

#[test]
fn what_is_typed_is_told_and_stays_where_it_was_typed() {
    let mut page = Page::opened();
    let text = format!("{NODES}[yarn-site]\n\"fs.s3a.secret.key\" = \"{SECRET}\"\n");
    let replies = page.settled(vec![write(&text)]);
    let note = document(&replies).problems.iter().find(|p| p.what.contains("secret value")).cloned();
    let note = note.expect("it is told");
    assert_eq!(note.place.map(|(line, _)| line), Some(text.lines().count()), "{note:?}");
    assert!(tells(&replies).is_none(), "{:?}", tells(&replies));
    // A form's edit is written without the secret.
    let edit = edit("title", Change::Title, "x");
    let replies = page.settled(vec![edit]);
    assert!(tells(&replies).is_none() && secrets::mask(page.server.text()).is_none(), "{replies:?}");
}

#[test]
fn the_gallery_has_no_secrets() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios");
    for file in std::fs::read_dir(folder).expect("the gallery").flatten() {
        let text = std::fs::read_to_string(file.path()).unwrap_or_default();
        assert_eq!(secrets::find(&text), [], "{}", file.path().display());
    }
}
