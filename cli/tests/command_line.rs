//! The command line as a person or a CI job uses it: files, standard input, JSON, text output, exit statuses.

use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn heddle(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_heddle"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("heddle starts");
    // A command that does not read its input closes the pipe, which is not a failure.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("heddle ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Returns status, standard output and standard error.
fn says(args: &[&str], input: &str) -> (i32, String, String) {
    let out = heddle(args, input);
    (out.status.code().unwrap_or(-1), text(&out.stdout), text(&out.stderr))
}

fn scenario(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../scenarios").join(name);
    path.display().to_string()
}

fn first_visit() -> String {
    std::fs::read_to_string(scenario("q39-anti-affinity.toml")).expect("the scenario is there")
}

/// The spec of the first visit asks for more containers than fit at one time, which is the only warning before the run.
fn only_the_proof(err: &str) -> bool {
    err.lines().count() == 1 && err.contains(":38:15: warning: At most 2 of the 3 zk can be there at one time")
}

#[test]
fn usage_errors_have_status_2_and_say_what_is_wrong() {
    for (args, words) in [
        (vec![], "Usage: heddle"),
        (vec!["weave"], "unrecognized subcommand 'weave'"),
        (vec!["run"], "required arguments were not provided"),
        (vec!["run", "x.toml", "--until", "soon"], "`soon` is not a time"),
        (vec!["why", "x.toml", "--what", "pod:1"], "names nothing"),
        (vec!["run", "x.toml", "--until", "-1"], "`-1` is not a time"),
        (vec!["link", "x.toml", "--at", "-5"], "`-5` is not a time"),
        (vec!["link", "x.toml", "--what", "-app:zk"], "names nothing"),
        (vec!["link", "x.toml", "--base", "https://a/#b"], "a link has one #"),
        (vec!["check", "x.toml", "--base", "https://a/b c"], "an address has no blanks"),
        (vec!["check"], "required arguments were not provided"),
        (vec!["run", "no-such-file.toml"], "no-such-file.toml: "),
        (vec!["conformance", "--fast"], "unknown option --fast"),
    ] {
        let (status, out, err) = says(&args, "");
        assert_eq!((status, out.as_str()), (2, ""), "{args:?}");
        assert!(err.contains(words), "{args:?}: {err}");
    }
    let (status, out, _) = says(&["--help"], "");
    assert!(status == 0 && out.contains("Exit status: 0 all is well"), "{out}");
}

#[test]
fn problems_of_a_scenario_have_file_line_and_column() {
    let (status, out, err) = says(&["run", "-"], "heddle = 1\ntitel = \"x\"\n");
    assert_eq!((status, out.as_str()), (2, ""));
    assert_eq!(err, "standard input:2:1: error: `titel` is not known in a scenario. Did you mean `title`?\n");
    let (status, _, err) = says(&["check", "-"], "[[nodes]]\nname = \"n\"\nsize = \"lots\"\n");
    assert!(status == 2 && err.contains("standard input:3:8: error: `lots` is not an amount of memory."), "{err}");
    let (status, _, err) = says(&["link", "-"], "a = [");
    assert!(status == 2 && err.starts_with("standard input:1:"), "{err}");
}

#[test]
fn settings_that_yarn_does_not_know_or_reads_too_late_are_told_at_their_place() {
    let text = "heddle = 1\nuntil = \"1 min\"\n[capacity-scheduler]\nroot.queues = \"a\"\nroot.a.capacity = 100\n\
        root.a.capcity = 3\n\"user.max-parallel-apps\" = \"many\"\n[files]\n\"yarn-site.xml\" = '<configuration>\
        <property><name>yarn.scheduler.minimum-allocation-mbs</name><value>1</value></property></configuration>'\n\
        [[nodes]]\nname = \"n\"\nsize = \"4 GB/4\"\n";
    let (status, _, err) = says(&["run", "-"], text);
    assert_eq!(status, 0, "{err}");
    let told: Vec<&str> = err.lines().collect();
    assert_eq!(told.len(), 3, "{err}");
    assert!(told[1].contains(":7:28: warning:") && told[1].contains("NumberFormatException"), "{err}");
    assert!(
        told[0].contains(":6:18: warning:")
            && told[0].contains("did you mean yarn.scheduler.capacity.root.a.capacity?"),
        "{err}"
    );
    assert!(told[2].contains(":9:") && told[2].contains("yarn.scheduler.minimum-allocation-mbs is not known"), "{err}");
}

#[test]
fn a_link_opens_to_the_same_text() {
    let file = scenario("q39-anti-affinity.toml");
    let args = ["link", &file, "--at", "20 s", "--what", "app:zk", "--base", "https://example.org/heddle/"];
    let (status, link, err) = says(&args, "");
    assert!(status == 0 && only_the_proof(&err), "{err}");
    assert!(link.starts_with("https://example.org/heddle/#1.") && link.len() < 2000, "{link}");
    assert_eq!(says(&["open", link.trim()], ""), (0, first_visit(), String::new()));
    assert_eq!(says(&["open", "-"], &link), (0, first_visit(), String::new()));
    let (status, part, err) = says(&["open", &link[..link.len() / 2]], "");
    assert_eq!(status, 2);
    assert!(first_visit().starts_with(&part), "{part}");
    assert!(err.contains("The link ends after"), "{err}");
    let (status, _, err) = says(&["open", "#9.xyz"], "");
    assert!(status == 2 && err.contains("format 9"), "{err}");
}

#[test]
fn a_run_as_lines_and_as_json() {
    let (status, out, err) = says(&["run", "-", "--until", "20 s"], &first_visit());
    assert!(status == 0 && only_the_proof(&err), "{err}");
    assert!(out.starts_with("Three zookeepers, two nodes\n") && out.contains("fingerprint"), "{out}");
    let (status, out, _) = says(&["run", "-", "--json"], &first_visit());
    let json: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(status, 0);
    assert_eq!(json["title"], "Three zookeepers, two nodes");
    assert_eq!(json["fingerprint"].as_str().map(str::len), Some(16));
    assert!(json["events"].as_array().is_some_and(|e| !e.is_empty()));
    assert_eq!(json["end"]["time_ms"], 120_000);
    let again = says(&["run", "-", "--json"], &first_visit()).1;
    assert_eq!(out, again, "the same scenario gives the same bytes");
}

#[test]
fn what_a_scenario_expects_is_checked() {
    let (status, out, err) = says(&["check", &scenario("q39-anti-affinity.toml")], "");
    assert!(status == 0 && only_the_proof(&err), "{out} {err}");
    let wrong = first_visit().replace("placed = 2\nwaiting = 1", "placed = 3\nwaiting = 0");
    let (status, out, _) = says(&["check", "-", "--base", "https://example.org/#"], &wrong);
    assert_eq!(status, 1, "{out}");
    assert!(
        out.contains("failed at 0:20.000: zk: placed 3, waiting 0, nodes 2, state RUNNING expected at 20 s"),
        "{out}"
    );
    let link = out.lines().find_map(|l| l.trim().strip_prefix("https://example.org/")).expect("a link");
    assert!(!link[1..].contains('#'), "one # is enough: {link}");
    assert_eq!(says(&["open", link], "").1, wrong);
    let (status, out, _) = says(&["check", "-", "--json"], &wrong);
    let json: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((status, &json[0]["failed"]), (1, &Value::from(1)));
    assert_eq!(json[0]["verdicts"][0]["at_ms"], 20_000);
    assert_eq!(says(&["check", "-"], "until = 5\n").0, 0, "nothing expected, nothing failed");
}

#[test]
fn why_is_answered_as_lines_and_as_json() {
    let (status, out, err) = says(&["why", "-", "--at", "20 s", "--what", "app:zk"], &first_visit());
    assert!(status == 0 && only_the_proof(&err), "{err}");
    assert!(out.contains("zk"), "{out}");
    let (_, out, _) = says(&["why", "-", "--at", "20", "--what", "node:n1", "--json"], &first_visit());
    let json: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((json["time_ms"].as_i64(), json["about"].as_str()), (Some(20_000), Some("node:n1")));
}

#[test]
fn a_moment_after_the_end_is_told() {
    let said = "--at 1 h is after the end: the scenario ends at 40 s, which is shown.";
    let short = "until = \"40 s\"\n[[nodes]]\nname = \"n1\"\nsize = \"4 GB/4\"\n";
    for command in [&["why", "-", "--at", "1 h", "--what", "node:n1"][..], &["link", "-", "--at", "1 h"]] {
        let (status, _, err) = says(command, short);
        assert!(status == 0 && err.contains(said), "{command:?}: {err}");
    }
    let (_, link, _) = says(&["link", "-", "--at", "1 h"], short);
    let (_, _, err) = says(&["open", link.trim()], "");
    assert!(!err.contains("1 h"), "{err}");
}

#[test]
fn a_condition_of_preemption_that_was_not_reached_is_not_left_empty() {
    let (status, out, _) = says(&["why", &scenario("q06-am-limit-full-parent.toml")], "");
    let told = out.split("why not sooner:").nth(1).expect("an answer about preemption");
    let told = told.split("\n\n").next().unwrap_or_default();
    assert!(status == 0 && told.contains("STOP monitor on: no") && told.contains("round cap: not reached"), "{told}");
    assert!(!told.lines().any(|line| line.ends_with(": ")), "{told}");
}

#[test]
fn a_reader_that_leaves_early_is_no_failure() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_heddle"))
        .args(["run", &scenario("q39-anti-affinity.toml"), "--json", "--reasons"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("heddle starts");
    drop(child.stdout.take());
    let out = child.wait_with_output().expect("heddle ends");
    assert!(out.status.success() && only_the_proof(&text(&out.stderr)), "{}", text(&out.stderr));
}

/// Returns a pipe without a reader.
fn closed() -> Stdio {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    writer.into()
}

/// Whichever reader leaves, status and remaining output stay the same; 101 would be a panic.
#[test]
fn closed_outputs_change_no_status() {
    let (q39, bad) = (scenario("q39-anti-affinity.toml"), "no-such-file.toml");
    let broken = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/samples/yarnfile.bad.json");
    for args in [
        vec!["--help"],
        vec!["weave"],
        vec!["run", &q39],
        vec!["run", &q39, "--reasons"],
        vec!["run", &q39, "--json"],
        vec!["run", bad],
        vec!["run", bad, "--json"],
        vec!["check", &q39, bad],
        vec!["check", &q39, "--json"],
        vec!["why", &q39],
        vec!["why", &q39, "--what", "app:nope"],
        vec!["link", &q39],
        vec!["open", "#9.xyz"],
        vec!["import", broken],
        vec!["conformance", bad],
    ] {
        let status = |out: Stdio, err: Stdio| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_heddle"));
            let status = command.args(&args).stdin(Stdio::null()).stdout(out).stderr(err).status();
            status.expect("heddle runs").code()
        };
        let open = status(Stdio::null(), Stdio::null());
        assert_eq!(status(Stdio::null(), closed()), open, "{args:?}: nobody reads the errors");
        for err in [Stdio::null(), closed()] {
            // Without a reader nothing can fail.
            let quiet = status(closed(), err);
            assert!(quiet == open || quiet == Some(0), "{args:?}: {quiet:?}");
        }
    }
}

#[test]
fn a_link_to_nothing_is_refused_in_words() {
    let q39 = scenario("q39-anti-affinity.toml");
    for (what, part) in [
        ("app:nope", "none of this name"),
        ("app:zkk", "Did you mean zk?"),
        ("node:m1", "Did you mean n1?"),
        ("queue:root.nope", "none of this name"),
        ("user:nobody", "none of this name"),
        ("container:zk/99", "has had"),
        ("request:zk/77", "no such request"),
        ("refresh:5", "none of this name"),
    ] {
        let (status, out, err) = says(&["link", &q39, "--what", what], "");
        assert_eq!((status, out.as_str()), (2, ""), "{what}");
        assert!(err.contains(&format!("--what {what}")) && err.contains(part), "{what}: {err}");
    }
    for what in ["app:zk", "node:n1", "queue:default", "request:zk/0_2"] {
        assert_eq!(says(&["link", &q39, "--what", what, "--prove"], "").0, 0, "{what}");
    }
}

/// `heddle open` reads a link's caption and its proof: whether the scenario plays as it did when the link was made.
#[test]
fn a_link_is_read_back() {
    use heddle_core::scenario::link::{Proof, View, write};
    let text = std::fs::read_to_string(scenario("q39-anti-affinity.toml")).expect("it is there");
    let (status, link, _) = says(&["link", &scenario("q39-anti-affinity.toml"), "--prove"], "");
    assert_eq!(status, 0);
    let (status, told, noted) = says(&["open", "-"], &link);
    assert!(status == 0 && told == text && noted.contains("as when the link was made"), "{noted}");
    let proof = Proof { core: "0.0.1".into(), fingerprint: 7 };
    let link = write(&text, &View::default(), Some(&proof)).expect("a link");
    let (status, told, noted) = says(&["open", &link], "");
    assert!(status == 1 && told == text && noted.contains("0.0.1"), "{noted}");
    let view = View { time_ms: Some(20_000), caption: Some("The third waits.".into()), ..View::default() };
    let (status, _, noted) = says(&["open", &write(&text, &view, None).expect("a link")], "");
    assert!(status == 0 && noted.contains("The link says, at 0:20") && noted.contains("The third waits."), "{noted}");
}

#[test]
fn a_path_under_files_is_read_beside_the_scenario() {
    let folder = std::env::temp_dir().join(format!("heddle-files-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("conf")).expect("a folder");
    let put = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).expect("a file");
        path.display().to_string()
    };
    let queue = |capacity: &str| {
        let of = |key: &str, value: &str| {
            format!("<property><name>yarn.scheduler.capacity.root.{key}</name>\n<value>{value}</value></property>\n")
        };
        format!("<configuration>\n{}{}</configuration>\n", of("queues", "a"), of("a.capacity", capacity))
    };
    let text = |path: &str, size: &str| {
        format!(
            "heddle = 1\nscheduling = \"heartbeat\"\nuntil = 5\n[files]\n\"capacity-scheduler.xml\" = \"{path}\"\n\
             [[nodes]]\nname = \"n\"\n{size} = \"4 GB\"\n[[expect]]\nqueue = \"root.a\"\nguaranteed_memory = \"4 GB\"\n\
             [[expect]]\nplaced = 7\n"
        )
    };
    put("conf/cs.xml", &queue("100"));
    let file = put("a.toml", &text("conf/cs.xml", "size"));
    let (status, out, err) = says(&["check", &file], "");
    // The failing expectation is reported on the line where it was written.
    assert!(status == 1 && out.contains("a.toml:12: failed") && out.contains("1 of 2 expectations hold"), "{out}{err}");
    let (_, link, _) = says(&["link", &file], "");
    let (_, whole, _) = says(&["open", link.trim()], "");
    assert!(whole.contains(&queue("100")) && !whole.contains("conf/cs.xml"), "a link holds the files: {whole}");
    // A problem is reported where it stands: in the scenario, or in the file.
    let (status, _, err) = says(&["run", &put("b.toml", &text("conf/cs.xml", "siz"))], "");
    assert!(status == 2 && err.contains("b.toml:8:1: error: `siz` is not known"), "{err}");
    put("conf/cs.xml", &queue("90"));
    let (status, _, err) = says(&["run", &file], "");
    assert!(status == 2 && err.contains("conf/cs.xml:5:8: error:") && err.contains("sum to 90 %"), "{err}");
    let (_, out, _) = says(&["run", &file, "--json"], "");
    let json: Value = serde_json::from_str(&out).expect("JSON");
    let problem = &json["problems"][0];
    assert_eq!((problem["file"].as_str(), problem["line"].as_u64()), (Some("conf/cs.xml"), Some(5)), "{out}");
    for (path, part) in [
        ("gone.xml", "was looked for beside the scenario"),
        ("../cs.xml", "outside the scenario's folder"),
        ("/etc/hadoop/conf/cs.xml", "outside the scenario's folder"),
    ] {
        let (status, out, err) = says(&["run", &put("c.toml", &text(path, "size"))], "");
        assert_eq!((status, out.as_str()), (2, ""), "{path}");
        assert!(
            err.contains("c.toml:5:28: error:") && err.contains(&format!("`{path}`")) && err.contains(part),
            "{err}"
        );
    }
    let (status, _, err) = says(&["run", "-"], &text("conf/cs.xml", "size"));
    assert!(status == 2 && err.contains("standard input has no folder"), "{err}");
    std::fs::remove_dir_all(&folder).expect("it is removed");
}

#[test]
fn a_file_of_comments_is_no_scenario() {
    for text in ["# nothing\n", "\n  # heddle = 1\r\n\n", "\u{feff}#\n"] {
        for command in ["run", "check", "why", "link", "import"] {
            let (status, out, err) = says(&[command, "-"], text);
            assert_eq!((status, out.as_str()), (2, ""), "{command} {text:?}");
            assert!(err.contains("has only comments"), "{command} {text:?}: {err}");
        }
    }
}

#[test]
fn an_input_that_is_too_long_or_no_text_is_refused_in_words() {
    let (status, _, err) = says(&["run", "-"], &"#".repeat((16 << 20) + 1));
    assert!(status == 2 && err.contains("is longer than 16 MB"), "{err}");
    let mut child = Command::new(env!("CARGO_BIN_EXE_heddle"))
        .args(["run", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("heddle starts");
    child.stdin.take().expect("a pipe").write_all(b"title = \"a\"\n\xff\xfe").expect("written");
    let out = child.wait_with_output().expect("heddle ends");
    assert_eq!(out.status.code(), Some(2));
    assert!(text(&out.stderr).contains("not a text in UTF-8 (line 2)"), "{}", text(&out.stderr));
}

#[test]
fn a_yarnfile_becomes_an_application() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/samples/yarnfile.json");
    let (status, told, _) = says(&["import", file], "");
    assert!(status == 0 && told.contains("[[apps]]") && told.contains("and = ["), "{told}");
    let (status, told, _) = says(&["import", "--json", &file.replace(".json", ".bad.json")], "");
    let report: Value = serde_json::from_str(&told).expect("JSON");
    assert_eq!((status, report["files"][0]["problems"][0]["line"].as_u64()), (2, Some(15)), "{report}");
}

/// A service brings the resource types that it requests, so that the output is a complete scenario.
#[test]
fn a_service_brings_its_resource_types() {
    let file = |more: &str| {
        format!(
            r#"{{"name": "web", "version": "1", "components": [{{"name": "a", "number_of_containers": 1, "launch_command": "run",
            "resource": {{"cpus": 1, "memory": "512", "additional": {{{more}}}}}}}]}}"#
        )
    };
    for (more, types) in [
        ("", None),
        (r#""yarn.io/gpu": {"value": 2, "unit": ""}"#, Some("yarn.io/gpu")),
        (
            r#""yarn.io/gpu": {"value": 2}, "disk": {"value": 1, "unit": "Ki"}, "vcores": {"value": 1}"#,
            Some("yarn.io/gpu,disk"),
        ),
    ] {
        let (status, told, noted) = says(&["import", "-"], &file(more));
        assert_eq!(status, 0, "{told}{noted}");
        let line = types.map(|types| format!("[yarn-site]\n\"yarn.resource-types\" = \"{types}\"\n"));
        assert_eq!(told.contains("[yarn-site]"), line.is_some(), "{told}");
        assert!(line.is_none_or(|line| told.contains(&line)), "{told}");
        assert_eq!(noted.contains("yarn.resource-types lists"), types.is_some(), "{noted}");
        let calculator = "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator";
        assert_eq!(
            (told.contains(calculator), noted.contains("resource-calculator")),
            (types.is_some(), types.is_some()),
            "{told}{noted}"
        );
        // The output is a complete scenario.
        let (status, _, noted) = says(&["run", "-"], &told);
        assert_eq!(status, 0, "{told}{noted}");
    }
}

#[test]
fn a_samza_jobs_file_becomes_an_application() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/samples/job.properties");
    let (status, told, noted) = says(&["import", file], "");
    assert!(status == 0 && told.contains("[[apps]]") && told.contains("\n# Page views joined"), "{told}");
    assert!(noted.contains("job.properties:5:1: note: `yarn.samza.host-affinity.enabled` is the old name"), "{noted}");
    let (status, told, _) = says(&["import", "--json", "-"], "job.name=a\njob.container.count=none\n");
    let report: Value = serde_json::from_str(&told).expect("JSON");
    assert_eq!((status, report["files"][0]["problems"][0]["line"].as_u64()), (2, Some(2)), "{report}");
    assert!(report["scenario"].is_null(), "{report}");
}

#[test]
fn sliders_resources_become_an_application() {
    let file = r#"{"components": {"web": {"yarn.role.priority": "1", "yarn.component.instances": "3"}}}"#;
    let (status, told, noted) = says(&["import", "-"], file);
    assert!(status == 0 && told.contains("[[apps]]") && told.contains("kind = \"slider\""), "{told}{noted}");
    let (status, _, noted) = says(&["import", "-"], &file.replace("\"yarn.role.priority\": \"1\", ", ""));
    let words = "Slider's client refuses to submit this: Missing option yarn.role.priority from set web.";
    assert!(status == 2 && noted.contains(words), "{noted}");
}

#[test]
fn import_says_what_a_file_is_and_what_to_mend() {
    let fair =
        "<allocations>\n<queue name='a'>\n<wieght>2</wieght>\n<maxResources>20000</maxResources></queue></allocations>";
    let (status, told, noted) = says(&["import", "-"], fair);
    assert!(status == 0 && told.contains("fair-scheduler.xml") && told.contains("scheduler = \"fair\""), "{told}");
    for part in [
        "standard input:3:1: warning:",
        "did you mean `<weight>`?",
        "standard input:4:1: error:",
        "(root.a): Cannot parse",
        "1 queue, 0 placement rules, 1 limit, 2 settings",
        "(partly read)",
    ] {
        assert!(noted.contains(part), "{part}: {noted}");
    }
    assert_eq!(noted.matches("Cannot parse resource values").count(), 1, "told once: {noted}");
    let (status, told, noted) = says(&["import", "-"], "<!doctype html><html></html>");
    assert!(status == 2 && told.is_empty() && noted.contains("a web page (HTML)"), "{told}{noted}");
}

/// Each way of giving files × their contents: the same scenario, and an extra file that is not recognised.
#[test]
fn import_takes_files_folders_archives_and_standard_input() {
    use std::io::Write;
    let folder = std::env::temp_dir().join(format!("heddle-import-{}", std::process::id()));
    let inner = folder.join("conf");
    std::fs::create_dir_all(&inner).expect("a folder");
    let property = |key: &str, value: &str| {
        format!("<configuration><property><name>{key}</name><value>{value}</value></property></configuration>")
    };
    let files = [
        ("one", property("yarn.scheduler.minimum-allocation-mb", "512")),
        ("two.txt", property("yarn.nodemanager.resource.memory-mb", "65536")),
        ("three", "hello".to_owned()),
    ];
    let (mut tar, mut zip) = (tar::Builder::new(Vec::new()), zip::ZipWriter::new(std::io::Cursor::new(Vec::new())));
    for (name, text) in &files {
        std::fs::write(inner.join(name), text).expect("written");
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        tar.append_data(&mut header, format!("conf/{name}"), text.as_bytes()).expect("packed");
        zip.start_file(format!("conf/{name}"), zip::write::SimpleFileOptions::default()).expect("begun");
        zip.write_all(text.as_bytes()).expect("packed");
    }
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gz.write_all(&tar.into_inner().expect("a tar")).expect("packed");
    std::fs::write(folder.join("a.bin"), gz.finish().expect("a gz")).expect("written");
    std::fs::write(folder.join("b.bin"), zip.finish().expect("a zip").into_inner()).expect("written");
    let path = |name: &str| folder.join(name).display().to_string();
    let each: Vec<String> = files.iter().map(|(name, _)| inner.join(name).display().to_string()).collect();
    let (conf, gz, zip) = (path("conf"), path("a.bin"), path("b.bin"));
    let ways: [Vec<&str>; 4] = [each.iter().map(String::as_str).collect(), vec![&conf], vec![&gz], vec![&zip]];
    for way in ways {
        let (status, told, noted) = says(&[vec!["import", "--json"], way.clone()].concat(), "");
        let report: Value = serde_json::from_str(&told).expect("JSON");
        assert_eq!(status, 0, "{way:?}: {report}{noted}");
        let keys: Vec<&String> = report.as_object().expect("an object").keys().collect();
        assert_eq!(keys, ["files", "scenario", "inferred", "unknown", "moment"]);
        let files = report["files"].as_array().expect("files");
        let read = |f: &&Value| f["status"] == "read";
        assert_eq!((files.len(), files.iter().filter(read).count()), (3, 2), "{way:?}: {report}");
        assert!(files.iter().all(|f| f["name"].is_string() && f["what"].is_string() && f["problems"].is_array()));
        assert!(report["moment"]["at_ms"].is_number() && report["moment"]["what"].is_string());
        let scenario = report["scenario"].as_str().expect("a scenario");
        assert!(scenario.contains("size = \"64 GB/8\""), "{way:?}: {scenario}");
    }
    std::fs::remove_dir_all(&folder).expect("removed");
}

/// The release that is named decides which settings count; an unknown one is told. Files that say the same are one line.
#[test]
fn import_takes_a_release_and_folds_what_is_alike() {
    let property = |key: &str, value: &str| format!("<property><name>{key}</name><value>{value}</value></property>");
    let root = "yarn.scheduler.capacity.root";
    let file = format!(
        "<configuration>{}{}{}</configuration>",
        property(&format!("{root}.queues"), "a"),
        property(&format!("{root}.a.capacity"), "100"),
        property(&format!("{root}.a.max-parallel-apps"), "2")
    );
    let (status, told, noted) = says(&["import", "-", "--release", "3.2.1"], &file);
    assert!(status == 0 && told.contains("release = \"3.2\""), "{told}");
    assert!(noted.contains("Hadoop 3.2 ignores yarn.scheduler.capacity.root.a.max-parallel-apps"), "{noted}");
    let (_, told, noted) = says(&["import", "-", "--release", "3.4"], &file);
    assert!(told.contains("release = \"3.4\"") && !noted.contains("ignores"), "{noted}");
    let (status, _, noted) = says(&["import", "-", "--release", "1.0"], &file);
    assert!(status == 2 && noted.contains("known releases are 2.7,"), "{noted}");

    let folder = std::env::temp_dir().join(format!("heddle-alike-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for n in 1..=9 {
        let text =
            format!("{{\"appAttempts\": {{\"appAttempt\": [{{\"appAttemptId\": \"appattempt_1_000{n}_000001\"}}]}}}}");
        std::fs::write(folder.join(format!("{n}.json")), text).expect("written");
    }
    let (_, _, noted) = says(&["import", &folder.display().to_string()], "");
    assert_eq!(noted.matches("/appattempts").count(), 1, "{noted}");
    assert!(noted.contains("(9 files): the answer of /appattempts (read)"), "{noted}");
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn with_json_every_answer_is_json_errors_too() {
    for (args, input, part) in [
        (vec!["run", "-", "--json"], "heddle = 1\ntitel = 1\n", "`titel` is not known"),
        (vec!["run", "-", "--json"], "", "is empty"),
        (vec!["run", "no-such-file.toml", "--json"], "", "no-such-file.toml: "),
        (vec!["run", "-", "--json", "--until", "soon"], "", "`soon` is not a time"),
        (vec!["why", "-", "--json"], "heddle = 1\nuntil = 5\n", "name something with --what"),
        (vec!["import", "no-such-file", "--json"], "", "no-such-file: "),
        (vec!["conformance", "no-such-file.json", "--json"], "", "no-such-file.json"),
        (vec!["weave", "--json"], "", "unrecognized subcommand"),
    ] {
        let (status, out, err) = says(&args, input);
        assert_eq!(status, 2, "{args:?}: {err}");
        let json: Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{args:?}: {e}: {out}"));
        assert!(json["error"].as_str().is_some_and(|words| words.contains(part)), "{args:?}: {out}");
        assert!(err.contains(part), "{args:?}: {err}");
    }
    let (_, out, _) = says(&["run", "-", "--json"], "heddle = 1\ntitel = 1\n");
    let json: Value = serde_json::from_str(&out).expect("JSON");
    let problem = &json["problems"][0];
    assert_eq!((problem["line"].as_u64(), problem["severity"].as_str()), (Some(2), Some("error")), "{out}");
    let (status, out, _) = says(&["check", "-", "--json"], "heddle = 1\ntitel = 1\n");
    let json: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((status, json[0]["problems"][0]["line"].as_u64()), (2, Some(2)), "{out}");
    // Notices about a playable scenario are in its document.
    let (_, out, _) = says(&["run", "-", "--json"], &first_visit());
    let json: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(json["problems"][0]["severity"], "warning");
}

#[test]
fn what_nobody_has_heard_of_is_an_error() {
    for (what, part) in [
        ("app:zkk", "Did you mean zk?"),
        ("request:zkk/0_1", "Did you mean zk?"),
        ("node:m1", "Did you mean n1?"),
        ("queue:root.elsewhere", "the scenario has none of this name"),
        ("user:zoe", "the scenario has none of this name"),
    ] {
        let (status, out, err) = says(&["why", "-", "--at", "20 s", "--what", what], &first_visit());
        assert_eq!((status, out.as_str()), (2, ""), "{what}");
        assert!(err.contains(part), "{what}: {err}");
    }
    for what in ["app:zk", "node:n1", "queue:root.default", "queue:default", "user:alice"] {
        assert_eq!(says(&["why", "-", "--at", "0", "--what", what], &first_visit()).0, 0, "{what}");
    }
    let (status, _, err) = says(&["why", "-"], "heddle = 1\nuntil = 5\n");
    assert!(status == 2 && err.contains("name something with --what"), "{err}");
}

#[test]
fn an_expectation_about_nobody_fails_where_it_is_judged() {
    let text = first_visit().replace("app = \"zk\"", "app = \"zookeeper\"");
    let (status, out, err) = says(&["check", "-"], &text);
    assert_eq!(status, 1, "{err}");
    assert!(out.contains("the scenario has no application zookeeper"), "{out}");
    assert!(err.contains("warning: There is no application `zookeeper`"), "{err}");
    assert_eq!(says(&["run", "-"], &text).0, 0, "it can be played");
}

/// Notes such as "Read as meant" must be visible to be useful.
#[test]
fn notes_are_told_beside_warnings() {
    for command in ["check", "run", "why"] {
        let (_, _, err) = says(&[command, &scenario("q41-cardinality-counts-before.toml")], "");
        assert!(err.contains("note: Counted before placing: up to 3 `zk` can come onto one node."), "{command}: {err}");
    }
}

#[test]
fn what_turns_text_around_is_written_as_an_escape() {
    let text =
        "<configuration><property><name>yarn.scheduler.capacity.root.queues</name><value>a\u{202e}b</value></property>";
    for command in ["import", "check"] {
        let (_, out, err) = says(&[command, "-"], text);
        assert!(!format!("{out}{err}").contains('\u{202e}'), "{command}: {out} {err}");
    }
}

#[test]
fn a_trace_has_an_outcome_for_each_step() {
    let (status, out, _) = says(&["trace", &scenario("q39-anti-affinity.toml")], "");
    let trace: Value = serde_json::from_str(&out).expect("JSON");
    let count = |of: &str| trace[of]["steps"].as_array().map_or(0, Vec::len);
    assert_eq!((status, count("given")), (0, count("expect")));
    let steps = trace["given"]["steps"].as_array().expect("steps");
    for op in ["add_node", "submit", "register", "ask", "heartbeat"] {
        assert!(steps.iter().any(|s| s["op"] == op), "{op}");
    }
    let placed = |s: &&Value| s["allocated"].is_array();
    assert!(trace["expect"]["steps"].as_array().expect("outcomes").iter().filter(placed).count() >= 3);
}

/// Returns the output of `heddle prove` if the oracle is `sed` with the script `edit`, applied to Heddle's own trace.
#[cfg(unix)]
fn proved_by(name: &str, edit: &str, json: bool) -> (i32, String) {
    use std::os::unix::fs::PermissionsExt as _;
    let oracle = std::env::temp_dir().join(format!("heddle-{name}-{}", std::process::id()));
    std::fs::write(&oracle, format!("#!/bin/sh\nexec sed -u '{edit}'\n")).expect("a program");
    std::fs::set_permissions(&oracle, std::fs::Permissions::from_mode(0o755)).expect("that runs");
    let (file, program) = (scenario("q39-anti-affinity.toml"), oracle.display().to_string());
    let mut args = vec!["prove", file.as_str(), "--oracle", program.as_str()];
    args.extend(json.then_some("--json"));
    let (status, out, _) = says(&args, "");
    std::fs::remove_file(&oracle).expect("it is there");
    (status, out)
}

/// A silent oracle is given up, and the message says how to allow it more time.
#[cfg(unix)]
#[test]
fn a_silent_oracle_is_not_waited_for_without_end() {
    use std::os::unix::fs::PermissionsExt as _;
    let oracle = std::env::temp_dir().join(format!("heddle-silent-{}", std::process::id()));
    std::fs::write(&oracle, "#!/bin/sh\nexec sleep 60\n").expect("a program");
    std::fs::set_permissions(&oracle, std::fs::Permissions::from_mode(0o755)).expect("that runs");
    let (file, program) = (scenario("q39-anti-affinity.toml"), oracle.display().to_string());
    let (status, _, err) = says(&["prove", &file, "--oracle", &program, "--patience", "1"], "");
    std::fs::remove_file(&oracle).expect("it is there");
    assert!(status == 2 && err.contains("has not answered for 1 s; --patience gives it longer"), "{status}: {err}");
}

/// A container that an application never had is unknown, even if the application exists.
#[test]
fn why_of_a_container_that_never_was_is_a_mistake() {
    let file = scenario("q39-anti-affinity.toml");
    let (status, _, err) = says(&["why", &file, "--at", "30 s", "--what", "container:zk/99"], "");
    assert!(status == 2 && err.contains("container:zk/99: the application has had "), "{status}: {err}");
    let (status, out, _) = says(&["why", &file, "--at", "30 s", "--what", "container:zk/0"], "");
    assert!(status == 0 && !out.is_empty(), "{status}: {out}");
}

#[cfg(unix)]
#[test]
fn a_proof_says_how_many_steps_are_alike_or_which_is_the_first_that_is_not() {
    let (status, out) = proved_by("alike", "", false);
    assert!(status == 0 && out.contains("Hadoop 3.5.0 decided alike: 361 of 361 steps"), "{out}");
    // A container of the third zk is placed on another node.
    let (status, out) = proved_by("other", r#"s/\[0,1,3,"n2"/[0,1,3,"n9"/g"#, false);
    assert_eq!(status, 1, "{out}");
    for words in [
        "decided alike up to",
        "Heddle {\"allocated\":[[0,1,3,\"n2\"",
        "Hadoop {\"allocated\":[[0,1,3,\"n9\"",
        "zk (app:zk)",
    ] {
        assert!(out.contains(words), "{words}: {out}");
    }
    let (status, out) = proved_by("crash", r#"s/.*/{"crash":"java.lang.Error\\n at x"}/"#, false);
    assert!(status == 1 && out.contains("not played: java.lang.Error"), "{out}");
    let (status, out) = proved_by("json", "", true);
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((status, &report["scenarios"][0]["alike"]), (0, &report["scenarios"][0]["steps"]));
    assert_eq!(report["scenarios"][0]["fingerprint"].as_str().map(str::len), Some(16));
    let golden = std::fs::read_to_string(scenario("../tests/fingerprints.txt")).expect("the golden file");
    let line = format!("q39-anti-affinity {}", report["scenarios"][0]["fingerprint"].as_str().unwrap_or_default());
    assert!(golden.lines().any(|known| known == line), "{line}");
}

#[test]
fn completions_and_the_manual_name_every_command() {
    for args in [vec!["completions", "bash"], vec!["man"]] {
        let (status, out, _) = says(&args, "");
        assert_eq!(status, 0);
        for command in ["run", "check", "why", "link", "open", "import", "generate", "trace", "prove", "conformance"] {
            assert!(out.contains(command), "{args:?}: {command}");
        }
    }
}

/// The output contains no old name; standard error lists the names.
#[test]
fn link_and_import_leave_the_names() {
    let text = "heddle = 1\ntitle = \"zaphodapp waits\"\nscheduling = \"heartbeat\"\n[capacity-scheduler]\nroot.queues = \"default,zaphodqueue\"\n\
        root.default.capacity = 50\nroot.zaphodqueue.capacity = 50\n[[nodes]]\nname = \"zaphodhost\"\nsize = \"4 GB/8\"\n\
        [[apps]]\nname = \"zaphodapp\"\nqueue = \"zaphodqueue\"\nuser = \"zaphoduser\"\ntasks = [{ count = 2, duration = \"30 s\" }]\n";
    let (status, out, noted) = says(&["import", "--anonymise", "-"], text);
    assert_eq!(status, 0, "{noted}");
    assert!(!out.contains("zaphod") && noted.contains("zaphodhost is "), "{out}{noted}");
    let (status, link, noted) = says(&["link", "--anonymise", "--prove", "--what", "app:zaphodapp", "-"], text);
    assert_eq!(status, 0, "{noted}");
    let (status, opened, _) = says(&["open", "-"], &link);
    assert_eq!((status, opened), (0, out), "the link plays alike and holds what import shows");
    let (status, _, noted) = says(&["link", "--anonymise", "-"], "heddle = 1\n[[nodes]]\nname = 3\n");
    assert!(status == 2 && noted.contains("error"), "{noted}");
}

#[test]
fn workloads_are_added_as_text() {
    let file = scenario("q39-anti-affinity.toml");
    for load in ["fill-queues", "noisy-user", "hour-again"] {
        let (status, out, noted) = says(&["generate", load, file.as_str()], "");
        assert_eq!(status, 0, "{noted}");
        assert!(out.matches("[[apps]]").count() > 1 && noted.contains("applications were added"), "{out}{noted}");
        let (status, ..) = says(&["run", "-", "--until", "2 min"], &out);
        assert_eq!(status, 0, "{load}");
    }
    let (status, _, noted) = says(&["generate", "everything", file.as_str()], "");
    assert!(status == 2 && noted.contains("fill-queues, noisy-user, hour-again"), "{noted}");
}
