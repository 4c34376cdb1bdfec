//! Each check of the client of YARN services at its limits. The conformance files `clients.json` and `own-clients.json` have
//! the results of the real client.

use super::*;
use crate::apps::service::strategy::ComponentSpec;

const WEB: &str =
    r#"{"name":"web","number_of_containers":1,"launch_command":"run","resource":{"cpus":1,"memory":"512"}}"#;

fn file(name: &str, component: &str) -> String {
    format!(r#"{{"name":"{name}","version":"1","components":[{component}]}}"#)
}

/// Returns the client's first message; "" if it submits.
fn says(text: &str, site: &Site) -> String {
    let (read, mut faults) = read(text);
    let Some(mut service) = read else { return "nothing".into() };
    faults.extend(check(&mut service, "me", site));
    if faults.is_empty() {
        faults.extend(submission(&service, site).err().map(|fault| *fault));
    }
    assert!(faults.iter().all(|f| !f.refusal.words().is_empty()), "{faults:?}");
    faults.first().map_or(String::new(), |fault| fault.refusal.words().to_string())
}

#[test]
fn names_with_and_without_registry_dns() {
    let pattern = |name: &str| format!("Invalid name {name} does not match the pattern [a-z][a-z0-9-]*");
    let long = |n: usize| "x".repeat(n);
    for (name, plain, dns) in [
        ("a".to_string(), String::new(), String::new()),
        ("a-".into(), String::new(), String::new()),
        ("A".into(), pattern("A"), pattern("A")),
        ("1a".into(), pattern("1a"), pattern("1a")),
        ("a.b".into(), pattern("a.b"), pattern("a.b")),
        (long(63), String::new(), String::new()),
        (long(64), String::new(), format!("Invalid format {}, must be no more than 63 characters", long(64))),
    ] {
        let with = Site { dns: true, ..Site::default() };
        assert_eq!(says(&file(&name, WEB), &Site::default()), plain, "{name}");
        assert_eq!(says(&file(&name, WEB), &with), dns, "{name}");
    }
    assert!(says(&file("a_b", WEB), &Site::default()).contains("can not use '_'"));
}

#[test]
fn sizes_against_the_maximum() {
    for (memory, cpus, words) in [
        ("8192", 4, ""),
        (
            "8193",
            4,
            "Component web: specified memory size (8193) is larger than configured max container memory size (8192)",
        ),
        (
            "1",
            5,
            "Component web: specified number of virtual core (5) is larger than configured max virtual core size (4)",
        ),
        ("2 GB", 1, "For input string: \"2 GB\""),
        (
            "1",
            0,
            "Unacceptable no of cpus specified, either zero or negative for component web (or at the global level)",
        ),
        ("", 1, "Service resource or memory not provided for component web (nor at the global level)"),
    ] {
        let size = format!(r#""cpus":{cpus},"memory":"{memory}""#);
        let text = file("svc", &WEB.replace(r#""cpus":1,"memory":"512""#, &size));
        let site = Site { maximum: Some((8192, 4)), ..Site::default() };
        assert_eq!(says(&text, &site), words, "{memory} {cpus}");
        // A service that a scenario describes gives the same result.
        if let Ok(mb) = memory.parse() {
            let spec = ComponentSpec {
                name: "web".into(),
                size: crate::model::Resource::new(mb, cpus),
                ..ComponentSpec::default()
            };
            let refused = of_components("svc", &[&spec], &site).map_or(String::new(), |r| r.message);
            assert_eq!(refused, words, "{memory} {cpus}");
        }
    }
}

#[test]
fn settings_of_the_cluster_and_of_the_file() {
    for (own, site, got) in [
        ("", None, Ok(1024)),
        ("2048", Some("1536"), Ok(2048)),
        ("", Some(" 1536 "), Ok(1536)),
        ("", Some("0x10"), Ok(16)),
        ("2g", None, Err("For input string: \"2g\"".to_string())),
        ("5", Some("2g"), Err("For input string: \"2g\"".to_string())),
    ] {
        let conf =
            site.map(|v: &str| ("yarn.service.am-resource.memory".to_string(), v.to_string())).into_iter().collect();
        let properties = format!(r#"{{"properties":{{"yarn.service.am-resource.memory":"{own}"}}}}"#);
        let text = format!(r#"{{"name":"svc","version":"1","components":[{WEB}],"configuration":{properties}}}"#);
        let (Some(service), faults) = read(&text) else { panic!("{text}") };
        assert!(faults.is_empty(), "{text}: {faults:?}");
        let read = settings(service.configuration.as_ref(), &Site::of(&conf));
        assert_eq!(read.map(|s| s.memory).map_err(|f| f.refusal.message), got, "{own} {site:?}");
    }
}

#[test]
fn faults_come_in_the_clients_order_and_the_rest_is_told_as_well() {
    let text = r#"{"name":"S_1","components":[{"name":"w","number_of_containers":-1,"resource":{"memory":"1"}},{"name":"w2"}]}"#;
    let (Some(mut service), faults) = read(text) else { panic!("it is read") };
    assert!(faults.is_empty());
    let told: Vec<String> =
        check(&mut service, "me", &Site::default()).into_iter().map(|f| f.refusal.message).collect();
    let starts =
        ["Version of service S_1", "Invalid format: S_1", "launch_command is required", "launch_command is required"];
    assert_eq!(told.len(), starts.len(), "{told:?}");
    assert!(told.iter().zip(starts).all(|(t, s)| t.starts_with(s)), "{told:?}");
}
