//! Facts about Samza's client (kind samza-client): a job's properties up to its submission.

use super::clients::{alike, maximum, refusal, submitted};
use super::read::text;
use crate::conformance::{Case, Driver, Outcome};
use heddle_core::api::{ClientRefusal, ClientStage};
use heddle_core::apps::samza::client::{Files, submit};
use heddle_core::apps::samza::strategy::job::Properties;
use heddle_core::client::path::Path;
use serde_json::{Value, json};

/// Returns the driver for a kind of cases.
pub(super) fn driver(kind: &str) -> Option<Driver> {
    (kind == "samza-client").then_some(play as Driver)
}

/// Placeholders for the folder in texts, where the package `job.tgz` lies beside the file itself.
const THERE: [&str; 3] = ["file://WORK", "file://WORK/job.tgz", "file://WORK/job.properties"];

fn play(case: &Case) -> Outcome {
    let got = match run(&case.given) {
        Ok(submission) => json!({ "submission": submission }),
        Err(why) => json!({ "refused": refusal(&why) }),
    };
    alike(case, &got)
}

fn run(given: &Value) -> Result<Value, ClientRefusal> {
    let (properties, problems) = Properties::read(&text(&given["text"]).replace("WORK", "file://WORK"));
    if problems.iter().any(|p| p.severity == heddle_core::model::Severity::Error) {
        let words = "Malformed \\uxxxx encoding.";
        return Err(ClientRefusal::new(ClientStage::Read, "IllegalArgumentException", words));
    }
    let submission = submit(&properties.config(), maximum(given), Files::Looked(&look)).map_err(|why| why.refusal)?;
    Ok(submitted(&submission))
}

/// The file systems of the machine that recorded the facts.
fn look(path: &Path) -> Result<(), ClientRefusal> {
    let fault = |exception: &str, message: String| Err(ClientRefusal::new(ClientStage::Submit, exception, message));
    let shown = path.to_string();
    if THERE.contains(&shown.as_str()) || (path.scheme.is_none() && path.authority.is_none() && path.path == "/") {
        return Ok(());
    }
    let authority = path.authority.as_deref();
    match path.scheme.as_deref() {
        None if authority.is_some() => {
            fault("UnsupportedFileSystemException", "No FileSystem for scheme \"null\"".into())
        }
        None | Some("file") => {
            let local = format!("{}{}", authority.unwrap_or_default(), path.path);
            fault("FileNotFoundException", format!("File {local} does not exist"))
        }
        Some("hdfs") => {
            let (host, port) = authority.map_or(("", ""), |a| a.split_once(':').unwrap_or((a, "")));
            let named = host.chars().all(|c| c.is_ascii_alphanumeric() || ".-".contains(c));
            if host.is_empty() || !named || !port.chars().all(|c| c.is_ascii_digit()) {
                return fault("IOException", format!("Incomplete HDFS URI, no host: {}", path.uri()));
            }
            fault("IllegalArgumentException", format!("java.net.UnknownHostException: {host}"))
        }
        Some("http" | "https") => Ok(()),
        Some(scheme) => fault("UnsupportedFileSystemException", format!("No FileSystem for scheme \"{scheme}\"")),
    }
}
