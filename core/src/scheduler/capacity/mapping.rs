//! The queue mapping: the rules that choose an application's queue (capacity-scheduler.md section 4;
//! CSMappingPlacementRule and the classes of csmappingrule of Hadoop 3.5.0).

use crate::api::{Refusal, RefusalRule};
use crate::config::capacity::targets::{DEFAULT, QueueLookup, Validity, checked_rules, normalized, segments, validity};
use crate::config::capacity::{Action, Fallback, MappingConf, MappingRule, Matcher};

/// The application to be placed.
#[derive(Clone, Copy, Debug)]
pub struct Applicant<'a> {
    /// The requested queue, as written.
    pub queue: &'a str,
    pub user: &'a str,
    /// The user's groups, the primary one first.
    pub groups: &'a [String],
    pub application: &'a str,
}

/// A mapping rule that was asked, and its outcome for an application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappingLook {
    pub rule: MappingRule,
    pub outcome: MappingOutcome,
}

/// The outcome of a mapping rule that was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MappingOutcome {
    /// The rule is about other users, groups or applications.
    OfOthers,
    /// Sets `%default` to this queue; the next rule is asked.
    SetsDefault(String),
    /// Places the application in this queue.
    Gives(String),
    /// The rule's own queue cannot be used, and its fallback decides.
    Unusable {
        /// The rule's path with its variables replaced.
        path: String,
        why: Unusable,
        came_to: FallenBack,
    },
    /// The rule rejects the application.
    Rejects,
}

/// The outcome of the fallback of a rule whose queue cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FallenBack {
    /// The next rule is asked.
    NextRule,
    /// The application is rejected.
    Rejects,
    /// The application goes to the queue that `%default` names.
    ToDefault(String),
    /// The application would go to `%default`, which cannot be used either, and is rejected.
    NoDefault { path: String, why: Unusable },
}

/// The reason why no application can go to the queue of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// A part of the path is empty, because a variable is.
    EmptyPart,
    /// There is no such queue.
    NotThere,
    /// Several queues have the name.
    Ambiguous,
    /// There is no such queue, and the rule may not create one (`create` is false).
    MayNotCreate,
    /// There is no such queue, and its parent creates none.
    ParentCreatesNone,
    /// The queue has queues below it.
    NotALeaf,
}

/// The active rules.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Mapping {
    rules: Vec<MappingRule>,
    override_queue: bool,
}

const DOT_REPLACEMENT: &str = "_dot_";

fn rejected() -> Refusal {
    let words = "Application submission have been rejected by a mapping rule. Please see the logs for details";
    Refusal::of(RefusalRule::MappingRule, words)
}

impl Mapping {
    /// Reads the rules and checks them against the queues. Errors: those of a start of the ResourceManager.
    pub fn read(conf: &MappingConf, queues: &impl QueueLookup) -> Result<Self, Refusal> {
        Ok(Mapping::new(checked_rules(conf, queues)?, conf.override_queue))
    }

    /// Uses these rules as they are, their paths unchecked; `override_queue`: also for applications that name a queue.
    pub fn new(rules: Vec<MappingRule>, override_queue: bool) -> Self {
        Mapping { rules, override_queue }
    }

    /// Returns whether the queue that an application names is used without asking any rule.
    pub fn leaves(&self, queue: &str) -> bool {
        queue != "default" && !self.override_queue
    }

    /// Returns the full path of the queue that the rules choose; `None`: the requested queue is used. Records in
    /// `looks` the outcome of each rule that was asked. Errors: a rule rejects the application.
    pub fn place(
        &self,
        app: &Applicant<'_>,
        queues: &impl QueueLookup,
        looks: &mut Vec<MappingLook>,
    ) -> Result<Option<String>, Refusal> {
        if self.leaves(app.queue) {
            return Ok(None);
        }
        let mut variables = Variables::of(app);
        for rule in &self.rules {
            let outcome = by_rule(rule, &mut variables, app, queues);
            looks.push(MappingLook { rule: rule.clone(), outcome: outcome.clone() });
            match outcome {
                MappingOutcome::OfOthers
                | MappingOutcome::SetsDefault(_)
                | MappingOutcome::Unusable { came_to: FallenBack::NextRule, .. } => {}
                MappingOutcome::Gives(path) | MappingOutcome::Unusable { came_to: FallenBack::ToDefault(path), .. } => {
                    return Ok(Some(path));
                }
                MappingOutcome::Rejects
                | MappingOutcome::Unusable { came_to: FallenBack::Rejects | FallenBack::NoDefault { .. }, .. } => {
                    return Err(rejected());
                }
            }
        }
        Ok(None)
    }
}

fn by_rule(
    rule: &MappingRule,
    variables: &mut Variables,
    app: &Applicant<'_>,
    queues: &impl QueueLookup,
) -> MappingOutcome {
    if !variables.matches(&rule.matcher, app) {
        return MappingOutcome::OfOthers;
    }
    let (path, create) = match &rule.action {
        Action::Reject => return MappingOutcome::Rejects,
        Action::SetDefault(value) => return MappingOutcome::SetsDefault(variables.set_default(value)),
        Action::Place { path, create } => (variables.in_path(path, app, queues), *create),
    };
    let why = match usable(&path, create, queues) {
        Ok(path) => return MappingOutcome::Gives(path),
        Err(why) => why,
    };
    let came_to = match rule.fallback {
        Fallback::Skip => FallenBack::NextRule,
        Fallback::Reject => FallenBack::Rejects,
        Fallback::PlaceDefault => {
            let path = variables.in_path(DEFAULT, app, queues);
            match usable(&path, false, queues) {
                Ok(path) => FallenBack::ToDefault(path),
                Err(why) => FallenBack::NoDefault { path, why },
            }
        }
    };
    MappingOutcome::Unusable { path, why, came_to }
}

/// The variables of one application, longest name first (so that no name matches the beginning of another).
struct Variables {
    values: Vec<(&'static str, String)>,
    secondary: Vec<String>,
}

fn clean(name: &str) -> String {
    name.replace('.', DOT_REPLACEMENT)
}

impl Variables {
    fn of(app: &Applicant<'_>) -> Self {
        let secondary: Vec<String> = app.groups.iter().skip(1).map(|g| clean(g)).collect();
        let mut values = Vec::new();
        if secondary.is_empty() && !app.groups.is_empty() {
            values.push(("%secondary_group", String::new()));
        }
        if let Some(primary) = app.groups.first() {
            values.push(("%primary_group", clean(primary)));
        }
        values.push(("%application", app.application.to_string()));
        values.push(("%specified", if app.queue == "default" { String::new() } else { app.queue.to_string() }));
        values.push((DEFAULT, "root.default".to_string()));
        values.push(("%user", clean(app.user)));
        Variables { values, secondary }
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.values.iter().find(|(n, _)| *n == name).map(|(_, v)| v.as_str())
    }

    /// Sets `%default` and returns its new value.
    fn set_default(&mut self, value: &str) -> String {
        let value = self.anywhere(value);
        if let Some((_, default)) = self.values.iter_mut().find(|(n, _)| *n == DEFAULT) {
            default.clone_from(&value);
        }
        value
    }

    /// Replaces the variables wherever they occur in a text.
    fn anywhere(&self, text: &str) -> String {
        self.values.iter().fold(text.to_string(), |text, (name, value)| text.replace(name, value))
    }

    /// Replaces the whole segments of a path that are variables.
    fn in_path(&self, path: &str, app: &Applicant<'_>, queues: &impl QueueLookup) -> String {
        let mut out: Vec<String> = Vec::new();
        for part in segments(path) {
            let value = match self.get(part) {
                Some(value) => value.to_string(),
                None if part == "%secondary_group" && app.groups.len() > 1 => {
                    let before = out.iter().fold(String::new(), |before, p| before + p + ".");
                    let exists = |group: &&String| queues.lookup(&format!("{before}{group}")).is_some();
                    self.secondary.iter().find(exists).cloned().unwrap_or_default()
                }
                None => part.to_string(),
            };
            out.push(value);
        }
        out.join(".")
    }

    fn matches(&self, matcher: &Matcher, app: &Applicant<'_>) -> bool {
        match matcher {
            Matcher::Anything => true,
            Matcher::User(user) => self.anywhere(user) == app.user,
            Matcher::Group(group) => app.groups.contains(&self.anywhere(group)),
            Matcher::Application(name) => self.anywhere(name) == app.application,
        }
    }
}

/// Returns the full path of the leaf that a rule's path names. Errors: why no application can go there.
fn usable(path: &str, create: bool, queues: &impl QueueLookup) -> Result<String, Unusable> {
    let (parent, leaf) = match path.rsplit_once('.') {
        Some((parent, leaf)) => (Some(parent.trim()), leaf.trim()),
        None => (None, path),
    };
    if leaf.is_empty() || segments(path).iter().any(|s| s.is_empty()) {
        return Err(Unusable::EmptyPart);
    }
    let missing = |name: &str| if queues.is_ambiguous(name) { Unusable::Ambiguous } else { Unusable::NotThere };
    let full = match parent {
        None => queues.lookup(leaf).ok_or_else(|| missing(leaf))?.path,
        Some(parent) => {
            let first = segments(parent).first().map_or("", |first| first);
            let full = normalized(&format!("{parent}.{leaf}"), queues).map_err(|_| missing(first))?;
            match validity(&full, queues) {
                Validity::Exists => full,
                Validity::Creatable if create => full,
                Validity::Creatable => return Err(Unusable::MayNotCreate),
                Validity::AmbiguousParent | Validity::AmbiguousQueue => return Err(Unusable::Ambiguous),
                Validity::NoParent => return Err(Unusable::NotThere),
                Validity::NoDynamicParent => return Err(Unusable::ParentCreatesNone),
            }
        }
    };
    match queues.lookup_path(&full) {
        Some(queue) if !queue.is_leaf => Err(Unusable::NotALeaf),
        _ => Ok(full),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::config::capacity::targets::Target;

    struct Tree(Vec<(&'static str, bool, bool)>);

    impl QueueLookup for Tree {
        fn lookup(&self, name: &str) -> Option<Target> {
            self.lookup_path(name).or_else(|| {
                let mut named = self.0.iter().filter(|(p, ..)| p.rsplit('.').next() == Some(name) && *p != "root");
                let only = named.next()?;
                if named.next().is_some() { None } else { self.lookup_path(only.0) }
            })
        }
        fn lookup_path(&self, path: &str) -> Option<Target> {
            let (path, is_leaf, creates) = *self.0.iter().find(|(p, ..)| *p == path)?;
            Some(Target { path: path.into(), is_leaf, creates })
        }
        fn is_ambiguous(&self, name: &str) -> bool {
            self.0.iter().filter(|(p, ..)| p.rsplit('.').next() == Some(name)).count() > 1
        }
    }

    fn tree() -> Tree {
        Tree(vec![
            ("root", false, false),
            ("root.default", true, false),
            ("root.a", false, false),
            ("root.a.x", true, false),
            ("root.b", false, true),
            ("root.b.x", true, false),
        ])
    }

    fn place(entry: &str, groups: &[&str]) -> Result<Option<String>, Refusal> {
        let conf = MappingConf {
            override_queue: false,
            rules: crate::config::capacity::MappingText::Legacy {
                users: vec![entry.to_string()],
                applications: Vec::new(),
            },
        };
        let groups: Vec<String> = groups.iter().map(|g| g.to_string()).collect();
        let app = Applicant { queue: "default", user: "u.v", groups: &groups, application: "job" };
        Mapping::read(&conf, &tree())?.place(&app, &tree(), &mut Vec::new())
    }

    /// Checks every reason why a rule's queue cannot be used, and the outcome of its fallback.
    #[test]
    fn a_rule_records_why_its_queue_cannot_be_used() {
        use MappingOutcome::{Gives, OfOthers, Rejects, SetsDefault, Unusable as No};
        use Unusable::{Ambiguous, EmptyPart, MayNotCreate, NotALeaf, NotThere, ParentCreatesNone};
        let path = |path: &str, create: bool| Action::Place { path: path.into(), create };
        let unusable = |path: &str, why| No { path: path.into(), why, came_to: FallenBack::NextRule };
        let rows = [
            (path("root.a.x", true), Gives("root.a.x".into())),
            (path("root.b.new", true), Gives("root.b.new".into())),
            (path("root.b.new", false), unusable("root.b.new", MayNotCreate)),
            (path("root.a.new", true), unusable("root.a.new", ParentCreatesNone)),
            (path("c.%user", true), unusable("c.u", NotThere)),
            (path("x", true), unusable("x", Ambiguous)),
            (path("nothing", true), unusable("nothing", NotThere)),
            (path("root.a", true), unusable("root.a", NotALeaf)),
            (path("root.b.%secondary_group", true), unusable("root.b.", EmptyPart)),
            (Action::Reject, Rejects),
            (Action::SetDefault("root.b.x".into()), SetsDefault("root.b.x".into())),
        ];
        let groups = ["g".to_string()];
        let app = Applicant { queue: "default", user: "u", groups: &groups, application: "job" };
        for (action, outcome) in rows {
            let rule = MappingRule { matcher: Matcher::Anything, action, fallback: Fallback::Skip };
            let mut looks = Vec::new();
            let _ = Mapping::new(vec![rule.clone()], false).place(&app, &tree(), &mut looks);
            assert_eq!(looks, [MappingLook { rule, outcome }]);
        }
        let rule = |matcher, action, fallback| MappingRule { matcher, action, fallback };
        let rules = vec![
            rule(Matcher::User("v".into()), Action::Reject, Fallback::Skip),
            rule(Matcher::Anything, Action::SetDefault("root.b.x".into()), Fallback::Skip),
            rule(Matcher::Group("g".into()), path("root.a.new", true), Fallback::PlaceDefault),
        ];
        let mut looks = Vec::new();
        let placed = Mapping::new(rules, false).place(&app, &tree(), &mut looks);
        assert_eq!(placed.unwrap().as_deref(), Some("root.b.x"));
        assert_eq!(looks[0].outcome, OfOthers);
        let MappingOutcome::Unusable { came_to, .. } = &looks[2].outcome else { panic!("{looks:?}") };
        assert_eq!(*came_to, FallenBack::ToDefault("root.b.x".into()));
    }

    #[test]
    fn a_rule_gives_a_leaf_or_its_fallback() {
        assert_eq!(place("u:u.v:root.a.x", &["g"]).unwrap().as_deref(), Some("root.a.x"));
        assert_eq!(place("u:%user:b.%user", &["g"]).unwrap().as_deref(), Some("root.b.u_dot_v"));
        assert_eq!(place("g:h:root.a.%secondary_group", &["g", "h", "x"]).unwrap().as_deref(), Some("root.a.x"));
        assert_eq!(place("u:%user:a.%user", &["g"]).unwrap().as_deref(), Some("root.default"));
        assert_eq!(place("u:w:root.a.x", &["g"]).unwrap(), None);
    }

    #[test]
    fn static_paths_are_checked_when_loaded() {
        for (entry, text) in [
            ("u:w:x", "Path root 'x' is ambiguous. Path 'x' is invalid"),
            ("u:w:nothing", "Path root 'nothing' does not exist. Path 'nothing' is invalid"),
            ("u:w:root.a", "Target queue 'root.a' but it's not a leaf queue."),
            (
                "u:w:root.default.%user",
                "Queue path 'root.default.%user' is invalid because 'root.default' is a leaf queue, which can have no other queues under it.",
            ),
        ] {
            assert_eq!(place(entry, &[]).unwrap_err().message, text);
        }
    }
}
