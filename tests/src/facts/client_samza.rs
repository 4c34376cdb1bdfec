//! Facts about Samza's client (kind samza-client): a job's properties up to the submission.

use super::clients::{alike, maximum, refusal, submitted};
use super::read::text;
use crate::conformance::{Case, Driver, Outcome};
use heddle_core::api::{ClientRefusal, ClientStage};
use heddle_core::client::samza::{Files, submit};
use heddle_core::strategy::samza::job::Properties;
use serde_json::{Value, json};

/// Who plays cases of this kind.
pub(super) fn driver(kind: &str) -> Option<Driver> {
    (kind == "samza-client").then_some(play as Driver)
}

/// Stands for the folder in texts where the package `job.tgz` lies, beside the file itself.
const THERE: [&str; 3] = ["file://WORK", "file://WORK/job.tgz", "file://WORK/job.properties"];

fn play(case: &Case) -> Outcome {
    let got = match run(&case.given) {
        Ok(submission) => json!({ "submission": submission }),
        Err(why) => {
            let mut told = refusal(&why);
            told["message"] = json!(why.message.trim_end());
            json!({ "refused": told })
        }
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

/// The file systems of the one who recorded the facts.
fn look(path: &str) -> Result<(), ClientRefusal> {
    let fault = |exception: &str, message: String| Err(ClientRefusal::new(ClientStage::Submit, exception, message));
    if THERE.contains(&path) {
        return Ok(());
    }
    match path.split_once("://") {
        None => fault("FileNotFoundException", format!("File {path} does not exist")),
        Some(("file", path)) => fault("FileNotFoundException", format!("File {path} does not exist")),
        Some(("hdfs", rest)) => {
            let host = rest.split(['/', ':']).next().unwrap_or_default();
            fault("IllegalArgumentException", format!("java.net.UnknownHostException: {host}"))
        }
        Some(("http" | "https", _)) => Ok(()),
        Some((scheme, _)) => fault("UnsupportedFileSystemException", format!("No FileSystem for scheme \"{scheme}\"")),
    }
}
