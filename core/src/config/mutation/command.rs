//! `yarn schedulerconf` (SchedConfCLI): a change as a command's arguments.

use super::{Mutation, Params};
use crate::api::Refusal;

/// Reads the arguments behind `yarn schedulerconf`. Errors: the tool's own text.
pub fn parse_command(arguments: &[&str]) -> Result<Mutation, Refusal> {
    let mut out = Mutation::default();
    let mut rest = arguments.iter();
    while let Some(option) = rest.next() {
        let name = option.trim_start_matches('-');
        let mut value =
            || rest.next().copied().ok_or_else(|| Refusal::new(format!("Missing argument for option:{name}")));
        match name {
            "add" | "addQueues" => out.add = queues(value()?)?,
            "update" | "updateQueues" => out.update = queues(value()?)?,
            "remove" | "removeQueues" => {
                out.remove = value()?.split(';').filter(|q| !q.is_empty()).map(str::to_string).collect()
            }
            "global" | "globalUpdates" => out.global = pairs(value()?)?,
            _ => return Err(Refusal::new(format!("Unrecognized option: {option}"))),
        }
    }
    Ok(out)
}

/// `p1:k=v,k=v;p2:k=v`: of the parts between colons only the first two count.
fn queues(text: &str) -> Result<Vec<(String, Params)>, Refusal> {
    let one = |queue: &str| -> Result<(String, Params), Refusal> {
        let mut parts = queue.split(':');
        let path = parts.next().unwrap_or("").to_string();
        let params = parts.next().map_or(Ok(Params::new()), pairs)?;
        Ok((path, params))
    };
    text.split(';').filter(|q| !q.is_empty()).map(one).collect()
}

/// `k=v,k=v`; `k=` unsets.
fn pairs(text: &str) -> Result<Params, Refusal> {
    let mut out = Params::new();
    for pair in text.split(',').filter(|p| !p.is_empty()) {
        let parts: Vec<&str> = pair.split('=').collect();
        match parts[..] {
            [key, value] if !key.is_empty() => {
                out.insert(key.to_string(), Some(value.to_string()).filter(|v| !v.is_empty()))
            }
            _ => return Err(Refusal::new("Specify configuration key value as confKey=confVal.")),
        };
    }
    Ok(out)
}
