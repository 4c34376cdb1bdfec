//! A constraint as a scenario writes it: YARN's own text if there is one, else a table (`{ scope = "node", max = 2, targets
//! = [{ namespace = "app-tag/web", values = ["web"] }] }`, `{ and = [ … ] }`, `{ delayed_or = [ … ] }`).

use super::units::time_text;
use crate::constraint::tree::UNLIMITED;
use crate::constraint::{AttributeOp, Constraint, Single, Target, print};
use toml_edit::{Array, InlineTable, Value};

/// Returns the TOML value of a constraint, which reads back to the same constraint.
pub fn value(constraint: &Constraint) -> Value {
    if let Ok(text) = print::expression(constraint) {
        return text.into();
    }
    let mut table = InlineTable::new();
    match constraint {
        Constraint::Single(leaf) => single(leaf, &mut table),
        Constraint::And(children) => {
            table.insert("and", list(children.iter().map(value)));
        }
        Constraint::Or(children) => {
            table.insert("or", list(children.iter().map(value)));
        }
        Constraint::DelayedOr(children) => {
            let timed = children.iter().map(|t| {
                let mut part = InlineTable::new();
                part.insert("constraint", value(&t.constraint));
                if t.opportunities {
                    part.insert("opportunities", t.delay.into());
                } else {
                    part.insert("delay", time_text(t.delay).into());
                }
                part.into()
            });
            table.insert("delayed_or", list(timed));
        }
    }
    table.fmt();
    table.into()
}

fn list(values: impl Iterator<Item = Value>) -> Value {
    let mut out = Array::new();
    values.for_each(|v| out.push(v));
    out.fmt();
    out.into()
}

fn single(leaf: &Single, table: &mut InlineTable) {
    table.insert("scope", leaf.scope.to_string().into());
    let (low, high) = if leaf.op == AttributeOp::NoOp {
        (0, UNLIMITED)
    } else {
        table.insert("op", leaf.op.to_string().into());
        (-1, -1)
    };
    if leaf.min != low {
        table.insert("min", i64::from(leaf.min).into());
    }
    if leaf.max != high {
        table.insert("max", i64::from(leaf.max).into());
    }
    let targets = leaf.targets.iter().map(|target| {
        let mut one = InlineTable::new();
        match target {
            Target::Tags { namespace, .. } if namespace == "self" => {}
            Target::Tags { namespace, .. } => {
                one.insert("namespace", namespace.as_str().into());
            }
            Target::Attribute { name, .. } => {
                one.insert("attribute", name.as_str().into());
            }
            Target::Partition { .. } => {
                one.insert("partition", true.into());
            }
        }
        one.insert("values", list(target.values().iter().map(|v| v.as_str().into())));
        one.fmt();
        one.into()
    });
    table.insert("targets", list(targets));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::{Scope, Timed, parse_expression};
    use crate::scenario::read;

    /// Reads a constraint back through a whole scenario.
    fn through(written: &str) -> Result<(Constraint, usize), Vec<String>> {
        let text = format!(
            "heddle = 1\n[[apps]]\nname = \"a\"\nkind = \"requests\"\n[[apps.calls]]\nscheduling = [{{ id = 1, constraint = {written} }}]\n"
        );
        let read = read(&text);
        let told = read.problems.iter().filter(|p| p.what.contains("delayed OR")).count();
        let Some(scenario) = read.scenario else {
            return Err(read.problems.into_iter().map(|p| p.render(&text)).collect());
        };
        let calls = scenario.apps[0].kind.calls();
        Ok((calls[0].scheduling[0].constraint.as_ref().unwrap().tree.clone().unwrap(), told))
    }

    #[test]
    fn what_is_written_reads_back() {
        let text = |t: &str| parse_expression(t).unwrap().constraint;
        for constraint in [
            text("and(notin,node,zk:or(in,rack,all/hb:java!=1.8))"),
            Constraint::target_in(Scope::Node, [Target::tags("app-id/application_0_0001", ["a", "b"])]),
            Constraint::cardinality(Scope::Rack, "app-tag/web", -2, 3, ["a", "b"]),
            Constraint::target_not_in(Scope::Node, [Target::partition(["gpu"]), Target::attribute("os", ["el8"])]),
            Constraint::node_attribute(Scope::Rack, AttributeOp::Ne, [Target::attribute("java", ["1.8", "11"])]),
            Constraint::Single(Single::new(Scope::Node, 2, 5, AttributeOp::Eq, [Target::attribute("a", ["b"])])),
            Constraint::Or(vec![text("in,node,a"), Constraint::And(Vec::new())]),
            Constraint::target_in(
                Scope::Node,
                [Target::own_tags(["a\"'b,c", " b", ""]), Target::own_tags(Vec::<String>::new())],
            ),
        ] {
            let written = value(&constraint).to_string();
            let (read, _) = through(&written).unwrap_or_else(|e| panic!("{written}: {e:?}"));
            assert!(read.same(&constraint), "{written}: {read:?}");
        }
    }

    #[test]
    fn a_delayed_or_is_kept_and_told() {
        let part = |delay, opportunities| Timed {
            constraint: parse_expression("in,node,a").unwrap().constraint,
            delay,
            opportunities,
        };
        let delayed = Constraint::DelayedOr(vec![part(90_000, false), part(3, true)]);
        let (read, told) = through(&value(&delayed).to_string()).unwrap();
        assert!(read.same(&delayed) && told > 0);
    }

    #[test]
    fn faults_have_their_place() {
        for (written, place, part) in [
            ("{ scope = \"cluster\" }", "6:48", "`cluster` is not known for `scope`"),
            ("{ scope = \"node\", mini = 1 }", "6:56", "`mini` is not known in a constraint"),
            ("{ and = [\"in,node,a\", \"in,now,a\"] }", "6:", "now"),
            ("{ and = 3 }", "6:46", "not a list of constraints"),
            ("7", "6:38", "a text or a table"),
            ("{ max = 3 }", "6:38", "needs `scope`"),
        ] {
            let told = through(written).expect_err(written);
            let found = told.iter().any(|t| t.contains(place) && t.contains(part));
            assert!(found, "{written}: {told:?}");
        }
    }
}
