//! `yarn schedulerconf` (SchedConfCLI): a change as a command's arguments.

use super::{Mutation, Params};
use crate::api::Refusal;

/// Parses the arguments of `yarn schedulerconf`. Errors: the tool's own message.
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
            "remove" | "removeQueues" => out.remove = split(value()?, ';').into_iter().map(str::to_string).collect(),
            "global" | "globalUpdates" => out.global = pairs(value()?)?,
            _ => return Err(Refusal::new(format!("Unrecognized option: {option}"))),
        }
    }
    Ok(out)
}

/// Java's `split`: the parts between the separators, without the empty ones at the end.
fn split(text: &str, separator: char) -> Vec<&str> {
    let mut parts: Vec<&str> = text.split(separator).collect();
    while parts.len() > 1 && parts.last().is_some_and(|part| part.is_empty()) {
        parts.pop();
    }
    parts
}

/// `p1:k=v,k=v;p2:k=v`: only the first two parts between colons count.
fn queues(text: &str) -> Result<Vec<(String, Params)>, Refusal> {
    let one = |queue: &str| -> Result<(String, Params), Refusal> {
        let parts = split(queue, ':');
        let params = parts.get(1).map_or(Ok(Params::new()), |text| pairs(text))?;
        Ok((parts.first().copied().unwrap_or("").to_string(), params))
    };
    split(text, ';').into_iter().map(one).collect()
}

/// `k=v,k=v`; `k=` unsets. A backslash keeps the following comma in the value, and every backslash is removed.
fn pairs(text: &str) -> Result<Params, Refusal> {
    let (mut items, mut item, mut before) = (Vec::new(), String::new(), None);
    for c in text.chars() {
        if c == ',' && before != Some('\\') {
            items.push(std::mem::take(&mut item));
        } else if c != '\\' {
            item.push(c);
        }
        before = Some(c);
    }
    items.push(item);
    while items.len() > 1 && items.last().is_some_and(String::is_empty) {
        items.pop();
    }
    let mut out = Params::new();
    for item in items {
        let (key, value) = match split(&item, '=')[..] {
            [key] if !key.is_empty() && item.contains('=') => (key, None),
            [key, value] if !key.is_empty() => (key, Some(value.to_string())),
            _ => return Err(Refusal::new("Specify configuration key value as confKey=confVal.")),
        };
        out.insert(key.to_string(), value);
    }
    Ok(out)
}

/// Characters with a meaning in the arguments that no backslash takes away.
const SPECIAL: [char; 5] = [':', ';', '=', '\\', '\''];

impl Mutation {
    /// The change as a command of `yarn schedulerconf`, quoted for a shell; `None`: a value has a character with a meaning in
    /// its arguments.
    pub fn to_command(&self) -> Option<String> {
        let written = |params: &Params| -> Option<String> {
            let one = |(key, value): (&String, &Option<String>)| {
                let value = value.as_deref().unwrap_or_default();
                let plain = !key.contains(SPECIAL) && !key.contains(',') && !value.contains(SPECIAL);
                plain.then(|| format!("{key}={}", value.replace(',', "\\,")))
            };
            Some(params.iter().map(one).collect::<Option<Vec<_>>>()?.join(","))
        };
        let queues = |list: &[(String, Params)]| -> Option<String> {
            let one = |(path, params): &(String, Params)| Some(format!("{path}:{}", written(params)?));
            Some(list.iter().map(one).collect::<Option<Vec<_>>>()?.join(";"))
        };
        let mut out = String::from("yarn schedulerconf");
        for (option, argument, any) in [
            ("remove", Some(self.remove.join(";")), !self.remove.is_empty()),
            ("add", queues(&self.add), !self.add.is_empty()),
            ("update", queues(&self.update), !self.update.is_empty()),
            ("global", written(&self.global), !self.global.is_empty()),
        ] {
            if any {
                out.push_str(&format!(" -{option} '{}'", argument?));
            }
        }
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_read_back_as_the_change() {
        let some = |value: &str| Some(value.to_string());
        let params = |list: &[(&str, Option<String>)]| list.iter().map(|(k, v)| (k.to_string(), v.clone())).collect();
        let change = Mutation {
            remove: vec!["root.c".into()],
            add: vec![("root.d".into(), params(&[("capacity", some("10"))]))],
            update: vec![
                ("root.a".into(), params(&[("acl_submit_applications", some("u1,u2 g1")), ("state", None)])),
                ("root.b".into(), params(&[("capacity", some("20"))])),
            ],
            global: params(&[("yarn.scheduler.capacity.maximum-applications", some("5"))]),
        };
        let command = change.to_command().expect("it can be written");
        assert!(
            command.starts_with("yarn schedulerconf -remove 'root.c' -add 'root.d:capacity=10' -update "),
            "{command}"
        );
        let arguments: Vec<String> = command
            .replace("yarn schedulerconf ", "")
            .replace('\'', "")
            .split(" -")
            .enumerate()
            .flat_map(|(i, part)| {
                let (option, value) = part.split_once(' ').expect("an argument");
                [if i == 0 { option.to_owned() } else { format!("-{option}") }, value.to_owned()]
            })
            .collect();
        assert_eq!(parse_command(&arguments.iter().map(String::as_str).collect::<Vec<_>>()), Ok(change));
        let odd = Mutation { global: params(&[("k", some("a:b"))]), ..Mutation::default() };
        assert_eq!(odd.to_command(), None);
    }

    #[test]
    fn a_backslash_keeps_a_comma_in_a_value() {
        let read = |text: &str| {
            let params = parse_command(&["-global", text]).map(|change| change.global);
            params.map(|p| p.into_iter().collect::<Vec<_>>()).map_err(|why| why.message)
        };
        let some = |value: &str| Some(value.to_string());
        assert_eq!(read("acl=u1\\,u2 g1\\,g2,k="), Ok(vec![("acl".into(), some("u1,u2 g1,g2")), ("k".into(), None)]));
        assert_eq!(read("a=1,,"), Ok(vec![("a".into(), some("1"))]));
        for bad in ["", "=", "=v", "k", "a=1,,b=2", "k=a=b"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
