//! Changes of the queues, as `PUT /ws/v1/cluster/scheduler-conf` and `yarn schedulerconf` take them. They are applied to
//! the scenario's queues after everything else is read.

use super::{Gathered, InputText, ReadOutcome, count};
use crate::config::capacity::CapacityConf;
use crate::config::check::mend;
use crate::config::mutation::{Mutation, parse_json, parse_xml};
use crate::model::{Problem, Severity, Span};
use crate::scenario::edit::change_properties;

/// A change, with the text that it came from.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    mutation: Mutation,
    /// The name of the text, for reports.
    pub source: String,
    /// The text that it stands in.
    pub(super) text: String,
    /// Whether it is a command, whose parts have no places of their own.
    is_command: bool,
    at: Span,
}

/// The fields that a change can have.
const FIELDS: [&str; 4] = ["update-queue", "add-queue", "remove-queue", "global-updates"];

/// Returns whether a text is a change.
pub(super) fn is(look: &InputText<'_>) -> bool {
    let wrapped = || {
        let first = look.json().and_then(|documents| documents.values.first());
        first.and_then(|root| root.field("sched-conf")).is_some()
    };
    look.root() == Some("sched-conf") || look.has_field(&FIELDS) || wrapped()
}

/// Reads a change.
pub(super) fn read(look: &InputText<'_>, g: &mut Gathered) -> ReadOutcome {
    let read = match look.root() {
        Some(_) => parse_xml(look.whole()).map(|mutation| (mutation, Vec::new())),
        None => parse_json(look.text),
    };
    let start = Span::new(0, look.text.find('\n').unwrap_or(look.text.len()));
    let (mutation, facts) = match read {
        Ok(read) => read,
        Err(why) => {
            let what = format!("The ResourceManager refuses this change: {}", why.message);
            return ReadOutcome::not_read(vec![Problem::error(look.name, start, what).mend(mend(&why))]);
        }
    };
    let problems = facts.into_iter().map(|fact| Problem::warning(look.name, start, fact)).collect();
    let queues = mutation.add.len() + mutation.update.len() + mutation.remove.len();
    let holds = format!("{}, {} for all queues", count(queues, "queue"), count(mutation.global.len(), "property"));
    assume(&mutation, g);
    let (source, text) = (look.name.to_owned(), look.text.to_owned());
    g.changes.push(Change { mutation, source, text, is_command: false, at: start });
    ReadOutcome::of(holds, problems)
}

/// Adds the change of a command.
pub(super) fn add(mutation: Mutation, look: &InputText<'_>, at: Span, g: &mut Gathered) {
    assume(&mutation, g);
    let (source, text) = (look.name.to_owned(), look.text.to_owned());
    g.changes.push(Change { mutation, source, text, is_command: true, at });
}

/// Registers the queues that a change needs, in case no other text has queues.
fn assume(mutation: &Mutation, g: &mut Gathered) {
    let updated = mutation.update.iter().map(|(path, _)| path.as_str());
    let parents = mutation.add.iter().filter_map(|(path, _)| path.rsplit_once('.').map(|(parent, _)| parent));
    let named = updated.chain(mutation.remove.iter().map(String::as_str)).chain(parents);
    for path in named.filter(|path| path.starts_with("root.")) {
        if !mutation.add.iter().any(|(added, _)| added == path) {
            g.changed_queues.insert(path.to_owned());
        }
    }
}

/// Applies the changes to the scenario, in their order. Returns the problems of each change.
pub(super) fn apply(g: &mut Gathered, text: &mut String) -> Vec<(Change, Vec<Problem>)> {
    let mut out = Vec::new();
    for change in std::mem::take(&mut g.changes) {
        let problems = match made(&change, text) {
            Ok((next, problems)) => {
                *text = next;
                problems
            }
            Err(problems) => problems,
        };
        if problems.iter().any(|p| p.severity == Severity::Error) {
            g.lack("What the change of the queues leads to: it is not made.", "its problems say why");
        } else {
            g.infer("The change of the queues is made from the start.", change.source.clone());
        }
        out.push((change, problems));
    }
    out
}

/// Returns the scenario with a change applied, and warnings. Errors: the reasons why it cannot be applied.
fn made(change: &Change, text: &str) -> Result<(String, Vec<Problem>), Vec<Problem>> {
    let place = |problem: Problem| Problem { span: problem.span.or(Some(change.at)), ..problem };
    let error = |what: String| vec![Problem::error(&change.source, change.at, what)];
    let Some(scenario) = crate::scenario::read(text).scenario else {
        return Err(error("The scenario that the change would go into has an error.".into()));
    };
    let settings = &scenario.settings;
    let before = &settings.capacity_scheduler;
    let (after, problems) = change.mutation.apply_and_check(before, if change.is_command { "" } else { &change.text });
    let mut problems: Vec<Problem> = problems.into_iter().map(place).collect();
    let faulty = |problems: &[Problem]| problems.iter().any(|p| p.severity == Severity::Error);
    if !faulty(&problems)
        && let Err(why) = CapacityConf::read(&after, &settings.yarn_site, &settings.labels)
    {
        let what = format!("What the change leads to is refused: {}", why.message);
        problems.push(Problem::error(&change.source, change.at, what).mend(mend(&why)));
    }
    if faulty(&problems) {
        return Err(problems);
    }
    let gone = before.keys().filter(|key| !after.contains_key(*key)).map(|key| (key.as_str(), ""));
    let set = after.iter().filter(|(key, value)| before.get(*key) != Some(*value));
    let rows: Vec<(&str, &str)> = gone.chain(set.map(|(key, value)| (key.as_str(), value.as_str()))).collect();
    match change_properties(text, &rows) {
        Ok(next) => Ok((next, problems)),
        Err(why) => Err(error(why)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Given, Status, import};

    const QUEUES: &str = "<configuration>
        <property><name>yarn.scheduler.capacity.root.queues</name><value>a,b</value></property>
        <property><name>yarn.scheduler.capacity.root.a.capacity</name><value>30</value></property>
        <property><name>yarn.scheduler.capacity.root.b.capacity</name><value>70</value></property></configuration>";
    const JSON: &str = r#"{"update-queue": [{"queue-name": "root.a", "params": {"entry": [{"key": "capacity", "value": "40"}]}},
        {"queue-name": "root.b", "params": {"entry": {"key": "capacity", "value": "60"}}}]}"#;
    const XML: &str = "<sched-conf><update-queue><queue-name>root.a</queue-name><params><entry><key>capacity</key><value>40</value></entry></params></update-queue>
        <update-queue><queue-name>root.b</queue-name><params><entry><key>capacity</key><value>60</value></entry></params></update-queue></sched-conf>";
    const COMMAND: &str = "yarn schedulerconf -update \"root.a:capacity=40;root.b:capacity=60\"";

    fn capacity_of_a(texts: &[&str]) -> Option<String> {
        let given: Vec<Given<'_>> = texts.iter().map(|text| Given { name: "x", text }).collect();
        let found = import(&given);
        let scenario = crate::scenario::read(found.scenario.as_deref()?).scenario?;
        scenario.settings.capacity_scheduler.get("yarn.scheduler.capacity.root.a.capacity").cloned()
    }

    /// Each form of a change × before and after the queues that it changes.
    #[test]
    fn a_change_is_made_to_the_queues_that_are_given_with_it() {
        for change in [JSON, XML, COMMAND] {
            assert_eq!(capacity_of_a(&[QUEUES, change]).as_deref(), Some("40"), "{change}");
            assert_eq!(capacity_of_a(&[change, QUEUES]).as_deref(), Some("40"), "{change}");
            assert!(capacity_of_a(&[change]).is_some(), "{change}");
        }
    }

    #[test]
    fn a_change_that_is_refused_is_told_at_its_place_and_not_made() {
        let sum =
            r#"{"update-queue": {"queue-name": "root.a", "params": {"entry": {"key": "capacity", "value": "50"}}}}"#;
        let there = r#"{"add-queue": {"queue-name": "root.a", "params": {}}}"#;
        for (change, part) in [(sum, "Illegal capacity sum"), (there, "Can't add existing queue")] {
            let found = import(&[Given { name: "q", text: QUEUES }, Given { name: "c", text: change }]);
            assert_eq!(found.files[1].status, Status::Partly, "{change}");
            let problem = found.files[1].problems.iter().find(|p| p.what.contains(part));
            assert!(problem.is_some_and(|p| p.place.is_some()), "{change}: {:?}", found.files[1].problems);
            assert_eq!(capacity_of_a(&[QUEUES, change]).as_deref(), Some("30"), "{change}");
        }
    }
}
