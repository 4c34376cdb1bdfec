//! The sentences about distributed shells.

use crate::explain::words;

/// The state between two requests.
pub fn rejected_and_sent_again(names: &[&str]) -> String {
    let named = words::list(&words::bold(names), 3);
    match names.len() {
        1 => format!("The request of {named} was rejected; its AM sends it again with its next call."),
        _ => format!("The requests of {named} were rejected; its AM sends them again with its next call."),
    }
}

/// Lost containers of an application with a placement spec; `heard` is when its AM learned of the last.
pub fn lost_and_not_asked_again(lost: i64, heard: &str) -> String {
    let (was, its, other) = if lost == 1 { ("was", "its node", "other") } else { ("were", "their nodes", "others") };
    format!(
        "{} of it {was} lost with {its}, as its AM heard at {heard}: with a placement spec the distributed shell asks for no {other}.",
        words::count(lost, "container")
    )
}

/// `amounts`: "8 GB instead of 64 GB"
pub fn cut(amounts: &[String]) -> String {
    format!(
        "Asked for with {}: the distributed shell asks for no more than a container may have",
        words::list(amounts, 4)
    )
}
