//! Imports of changes for `PUT /ws/v1/cluster/scheduler-conf` or `yarn schedulerconf`, dropped or pasted: the change is made
//! to the scenario's queues from its start.

use super::import::ImportResult;
use heddle_core::config::capacity::CapacityConf;
use heddle_core::config::check::mend;
use heddle_core::config::mutation::{SOURCE, parse_json, parse_xml};
use heddle_core::model::limits;
use heddle_core::rm::Refusal;
use heddle_core::scenario;
use heddle_core::scenario::edit::change_properties;
use heddle_view::{Problem, Report, Severity};

/// Returns whether a text looks like such a change.
pub fn is_mutation(text: &str) -> bool {
    const KEYS: [&str; 4] = ["update-queue", "add-queue", "remove-queue", "global-updates"];
    (text.starts_with('{') && KEYS.iter().any(|k| text.contains(k))) || text.contains("<sched-conf")
}

/// Returns the scenario with the change, or the reasons why it cannot be made.
pub fn read(name: &str, text: &str, current: &str) -> ImportResult {
    let mut report = Report { name: if name.is_empty() { SOURCE } else { name }.into(), ..Report::default() };
    let made = made(text, current, &mut report);
    report.problems = Problem::placed(std::mem::take(&mut report.problems), text);
    match made {
        Ok(next) => {
            report.taken = next != current;
            report.what = if report.taken {
                "A change of the queues, made from the start."
            } else {
                "A change of the queues that changes nothing here."
            }
            .to_owned();
            ImportResult::File { text: next, report: Box::new(report) }
        }
        Err(why) => {
            report.what = why;
            ImportResult::Unknown(Box::new(report))
        }
    }
}

/// The headline of a change with faults, which are listed separately.
const REFUSED: &str = "the ResourceManager refuses this change. The scenario is as it was.";

fn made(text: &str, current: &str, report: &mut Report) -> Result<String, String> {
    let refused = |r: Refusal| format!("the ResourceManager refuses this change: {}", r.message);
    let (change, mut facts) = match text.starts_with('{') {
        true => parse_json(text).map_err(refused)?,
        false => (parse_xml(text).map_err(refused)?, vec![]),
    };
    let scenario = scenario::read(current).scenario.ok_or("The scenario that is open has an error; mend it first.")?;
    let settings = &scenario.settings;
    let before = &settings.capacity_scheduler;
    let (after, problems) = change.apply_and_check(before, text);
    report.problems = problems;
    report.facts.append(&mut facts);
    let faulty = report.problems.iter().any(|p| p.severity == Severity::Error);
    // The resulting configuration must be valid as well.
    if !faulty && let Err(why) = CapacityConf::read(&after, &settings.yarn_site, &settings.labels) {
        let what = format!("What the change leads to is refused: {}", why.message);
        report.problems.push(Problem::error(SOURCE, None, what).mend(mend(&why)));
    }
    if report.problems.iter().any(|p| p.severity == Severity::Error) {
        return Err(REFUSED.to_owned());
    }
    let gone: Vec<(&str, &str)> = before.keys().filter(|k| !after.contains_key(*k)).map(|k| (k.as_str(), "")).collect();
    let set = after.iter().filter(|(k, v)| before.get(*k) != Some(*v)).map(|(k, v)| (k.as_str(), v.as_str()));
    let set: Vec<(&str, &str)> = set.collect();
    let rows: Vec<(&str, &str)> = gone.iter().chain(&set).copied().collect();
    let next = change_properties(current, &rows)?;
    let facts =
        set.iter().map(|(k, v)| format!("{k} = {v}")).chain(gone.iter().map(|(k, _)| format!("{k} is taken away")));
    report.facts.extend(facts.take(limits::PROBLEMS));
    if rows.len() > limits::PROBLEMS {
        report.facts.push(format!("… and {} more properties.", rows.len() - limits::PROBLEMS));
    }
    Ok(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "heddle = 1\nscheduling = \"heartbeat\"\n[capacity-scheduler]\nroot.queues = \"a,b\"\nroot.a.capacity = 30\nroot.b.capacity = 70\n";

    #[test]
    fn a_change_in_either_form_is_made_and_a_wrong_one_is_told() {
        let json = r#"{"update-queue":[{"queue-name":"root.a","params":{"entry":[{"key":"capacity","value":"40"}]}},{"queue-name":"root.b","params":{"entry":[{"key":"capacity","value":"60"}]}}]}"#;
        let xml = "<sched-conf><update-queue><queue-name>root.a</queue-name><params><entry><key>maximum-capacity</key><value>50</value></entry></params></update-queue></sched-conf>";
        for (change, wanted) in [(json, "root.a.capacity = 40"), (xml, "root.a.maximum-capacity = 50")] {
            assert!(is_mutation(change));
            let ImportResult::File { text, report } = read("x", change, TEXT) else { panic!("{change}") };
            assert!(report.taken && report.facts.iter().any(|f| f.ends_with(wanted)), "{:?}", report.facts);
            let again = scenario::read(&text);
            assert!(text.replace('"', "").contains(wanted) && again.scenario.is_some(), "{text}: {:?}", again.problems);
        }
        // An invalid result is refused, with the remedy.
        let sum = r#"{"update-queue":{"queue-name":"root.a","params":{"entry":{"key":"capacity","value":"40"}}}}"#;
        let ImportResult::Unknown(report) = read("x", sum, TEXT) else { panic!("a sum of 110") };
        assert!(
            report.problems[0].what.contains("Illegal capacity sum of 1.1") && report.problems[0].mend.contains("100")
        );
        // Several faults are reported together.
        let faults = r#"{"add-queue":[{"queue-name":"root.a","params":{}},{"queue-name":"x","params":{}}]}"#;
        let ImportResult::Unknown(report) = read("x", faults, TEXT) else { panic!("two faults") };
        assert_eq!(report.problems.len(), 2, "{:?}", report.problems);
        let ImportResult::Unknown(report) = read("x", "{\"update-queue\": 1", TEXT) else { panic!("no JSON") };
        assert!(report.what.contains("refuses") && !report.taken);
        assert!(!is_mutation("<configuration/>") && !is_mutation("heddle = 1"));
    }
}
