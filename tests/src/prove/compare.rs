//! Compares Heddle's decisions with those of the real classes.

use serde_json::Value;

/// The result of comparing a trace with the answer of the real classes.
#[derive(Debug)]
pub enum Compared {
    /// All steps are equal; their number.
    Alike(usize),
    /// The first step that differs.
    Differs(Box<StepDifference>),
    /// The real classes could not play it; their message.
    NotPlayed(String),
}

/// The first step with a different decision.
#[derive(Debug)]
pub struct StepDifference {
    /// Its index, from 0; the steps before it are equal.
    pub step: usize,
    /// The number of steps.
    pub of: usize,
    /// Its time, in simulated milliseconds.
    pub at_ms: i64,
    /// The step, as in the trace.
    pub what: Value,
    pub heddle: Value,
    pub hadoop: Value,
}

/// Compares a trace with the real classes' answer, step by step and key by key.
pub fn compare(trace: &Value, answer: &Value) -> Compared {
    if let Some(crash) = answer["crash"].as_str() {
        return Compared::NotPlayed(crash.lines().next().unwrap_or_default().to_string());
    }
    if let Some(refused) = answer["expect"]["refused"].as_str() {
        return Compared::NotPlayed(format!("the settings are refused: {refused}"));
    }
    let list = |of: &Value| of.as_array().cloned().unwrap_or_default();
    let (steps, ours) = (list(&trace["given"]["steps"]), list(&trace["expect"]["steps"]));
    let theirs = list(&answer["expect"]["steps"]);
    let differs = |(ours, theirs): (&Value, &Value)| ours != theirs;
    match ours.iter().zip(&theirs).position(differs) {
        Some(step) => Compared::Differs(Box::new(StepDifference {
            step,
            of: steps.len(),
            at_ms: steps[step]["at"].as_i64().unwrap_or(0),
            what: steps[step].clone(),
            heddle: ours[step].clone(),
            hadoop: theirs[step].clone(),
        })),
        None if ours.len() != theirs.len() => {
            Compared::NotPlayed(format!("{} of {} steps were played", theirs.len(), ours.len()))
        }
        None => Compared::Alike(ours.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn played(outcomes: Value) -> Value {
        let steps: Vec<Value> =
            outcomes.as_array().into_iter().flatten().map(|_| json!({ "at": 1000, "op": "observe" })).collect();
        json!({ "given": { "steps": steps }, "expect": { "steps": outcomes } })
    }

    #[test]
    fn the_first_step_that_is_not_alike_is_told() {
        let trace = played(json!([{}, { "allocated": [[0, 1, 1, "n1", 1024, 1, 0]] }, {}]));
        assert!(matches!(compare(&trace, &trace), Compared::Alike(3)));
        let other = played(json!([{}, { "allocated": [[0, 1, 1, "n2", 1024, 1, 0]] }, {}]));
        let Compared::Differs(first) = compare(&trace, &other) else { panic!("they differ") };
        assert_eq!((first.step, first.of, first.at_ms), (1, 3, 1000));
        assert_eq!(first.hadoop["allocated"][0][3], "n2");
        let less = played(json!([{}]));
        assert!(matches!(compare(&trace, &less), Compared::NotPlayed(_)), "an answer that is too short proves nothing");
        assert!(matches!(compare(&trace, &json!({ "crash": "x\ny" })), Compared::NotPlayed(words) if words == "x"));
    }
}
