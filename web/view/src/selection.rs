//! Selections: things that can be selected, asked about and named in a link.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A thing that can be selected, asked about, and named in a link. Its text form is `kind:name`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Selection {
    /// `app:zk`
    App(String),
    /// `queue:root.default`
    Queue(String),
    /// `node:n1`
    Node(String),
    /// `user:alice`
    User(String),
    /// `landing:bob/ops,staff/root.a/etl`: an application that a user would submit, to find out in which queue it would be
    /// placed. The user's groups, the requested queue and the application's name may be left out or empty.
    Landing {
        user: String,
        /// The user's groups, the primary one first; empty: as the ResourceManager knows them.
        groups: Vec<String>,
        /// The requested queue; empty: none.
        queue: String,
        /// The application's name, which some rules use.
        application: String,
    },
    /// `refresh:60000`: the refresh of the settings at a time, in milliseconds.
    Refresh(i64),
    /// `container:zk/2`: the k-th container allocated to the application, from 0 (normally its AM).
    Container {
        /// The application's name in the scenario.
        app: String,
        /// The index of the container.
        k: usize,
    },
    /// `request:zk/1_-1` or, for one of several identical ones, `request:zk/1_-1/2`: the n-th outstanding container of a
    /// key.
    Request {
        /// The application's name in the scenario.
        app: String,
        /// `priority_allocationRequestId`.
        key: String,
    },
    /// `clause:zk/1_-1/2`: clause number n (from 1) of the constraint of that request.
    Clause {
        /// The application's name in the scenario.
        app: String,
        /// `priority_allocationRequestId`.
        key: String,
        /// The number of the clause, from 1.
        n: usize,
    },
}

impl Selection {
    /// Returns the application that it belongs to.
    pub fn app(&self) -> Option<&str> {
        match self {
            Selection::App(app)
            | Selection::Container { app, .. }
            | Selection::Request { app, .. }
            | Selection::Clause { app, .. } => Some(app),
            Selection::Queue(_)
            | Selection::Node(_)
            | Selection::User(_)
            | Selection::Landing { .. }
            | Selection::Refresh(_) => None,
        }
    }
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Selection::App(name) => write!(f, "app:{name}"),
            Selection::Queue(path) => write!(f, "queue:{path}"),
            Selection::Node(name) => write!(f, "node:{name}"),
            Selection::User(name) => write!(f, "user:{name}"),
            Selection::Landing { user, groups, queue, application } => {
                let text = format!("landing:{user}/{}/{queue}/{application}", groups.join(","));
                f.write_str(text.trim_end_matches('/'))
            }
            Selection::Refresh(at) => write!(f, "refresh:{at}"),
            Selection::Container { app, k } => write!(f, "container:{app}/{k}"),
            Selection::Request { app, key } => write!(f, "request:{app}/{key}"),
            Selection::Clause { app, key, n } => write!(f, "clause:{app}/{key}/{n}"),
        }
    }
}

impl FromStr for Selection {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "`{text}` names nothing: write app:…, queue:…, node:…, user:…, landing:USER/GROUPS/QUEUE, refresh:MILLISECONDS, container:APP/K or request:APP/KEY"
            )
        };
        let (kind, name) = text.split_once(':').ok_or_else(wrong)?;
        if name.is_empty() {
            return Err(wrong());
        }
        let owned = || name.to_string();
        Ok(match kind {
            "app" => Selection::App(owned()),
            "queue" => Selection::Queue(owned()),
            "node" => Selection::Node(owned()),
            "user" => Selection::User(owned()),
            "landing" => {
                let mut parts = name.splitn(4, '/').map(str::trim);
                let mut next = || parts.next().unwrap_or_default().to_string();
                let (user, groups, queue, application) = (next(), next(), next(), next());
                if user.is_empty() {
                    return Err(wrong());
                }
                let groups = groups.split(',').map(str::trim).filter(|g| !g.is_empty()).map(String::from).collect();
                Selection::Landing { user, groups, queue, application }
            }
            "refresh" => Selection::Refresh(name.parse().map_err(|_| wrong())?),
            "container" => {
                let (app, k) = name.rsplit_once('/').ok_or_else(wrong)?;
                Selection::Container { app: app.into(), k: k.parse().map_err(|_| wrong())? }
            }
            "request" => {
                let (app, key) = name.rsplit_once('/').ok_or_else(wrong)?;
                Selection::Request { app: app.into(), key: key.into() }
            }
            "clause" => {
                let (rest, n) = name.rsplit_once('/').ok_or_else(wrong)?;
                let (app, key) = rest.rsplit_once('/').ok_or_else(wrong)?;
                Selection::Clause { app: app.into(), key: key.into(), n: n.parse().map_err(|_| wrong())? }
            }
            _ => return Err(wrong()),
        })
    }
}

impl From<Selection> for String {
    fn from(s: Selection) -> String {
        s.to_string()
    }
}

impl TryFrom<String> for Selection {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selections_read_back_what_they_print() {
        for text in [
            "app:zk",
            "queue:root.a",
            "node:n1",
            "user:u",
            "refresh:60000",
            "landing:bob",
            "landing:bob/ops,staff",
            "landing:bob//root.a",
            "landing:bob/ops/root.a/etl",
            "container:zk/0",
            "request:a/b/1_-1",
            "clause:zk/1_2/3",
        ] {
            assert_eq!(text.parse::<Selection>().map(|s| s.to_string()), Ok(text.to_string()));
        }
        for text in
            ["", "app", "app:", "landing:", "landing:/ops", "container:zk", "pod:x", "container:zk/x", "refresh:x"]
        {
            assert!(text.parse::<Selection>().is_err(), "{text}");
        }
    }
}
