//! Changes of one part of a constraint: everything that YARN's builders can express, which is more than its text can. The
//! result is in the scenario's own notation.

use heddle_core::constraint::tree::UNLIMITED;
use heddle_core::constraint::{AttributeOp, Constraint, Scope, Single, Target, Timed};
use heddle_core::scenario::edit::Setting;
use heddle_core::scenario::{Scenario, notation, units};
use heddle_view::{PartChange, Step};

/// Returns the constraint of the scheduling request at `apps, I, calls, C, scheduling, S, constraint`.
pub fn at<'a>(scenario: Option<&'a Scenario>, path: &[Step]) -> Option<&'a Constraint> {
    let [_, Step::At(entry), _, Step::At(call), _, Step::At(request), _] = path else { return None };
    let app = scenario?.apps.iter().find(|a| a.entry == *entry)?;
    app.kind.calls().get(*call)?.scheduling.get(*request)?.constraint.as_ref()?.tree.as_ref()
}

/// Returns the constraint with the part at `way` changed, as it is written.
pub fn changed(whole: &Constraint, way: &[usize], change: PartChange, typed: &str) -> Result<Setting, String> {
    let mut whole = whole.clone();
    let part = way.iter().try_fold(&mut whole, |c, i| child(c, *i)).ok_or(GONE)?;
    make(part, change, typed)?;
    Ok(Setting::Toml(notation::value(&whole).to_string()))
}

const GONE: &str = "This part is gone.";

fn child(c: &mut Constraint, i: usize) -> Option<&mut Constraint> {
    match c {
        Constraint::Single(_) => None,
        Constraint::And(l) | Constraint::Or(l) => l.get_mut(i),
        Constraint::DelayedOr(l) => l.get_mut(i).map(|t| &mut t.constraint),
    }
}

fn make(c: &mut Constraint, change: PartChange, typed: &str) -> Result<(), String> {
    match (change, &mut *c) {
        (PartChange::Join, _) => join(c, typed),
        (PartChange::AddPart, Constraint::And(l) | Constraint::Or(l)) => l.push(fresh()),
        (PartChange::AddPart, Constraint::DelayedOr(l)) => l.push(timed(fresh())),
        (PartChange::RemovePart(i), Constraint::And(l) | Constraint::Or(l)) if i < l.len() => {
            l.remove(i);
        }
        (PartChange::RemovePart(i), Constraint::DelayedOr(l)) if i < l.len() => {
            l.remove(i);
        }
        (PartChange::Delay(i), Constraint::DelayedOr(l)) => delay(l.get_mut(i).ok_or(GONE)?, typed)?,
        (PartChange::Split, _) => {
            let first = std::mem::replace(c, Constraint::And(Vec::new()));
            *c = Constraint::And(vec![first, fresh()]);
        }
        (change, Constraint::Single(leaf)) => of_leaf(leaf, change, typed)?,
        _ => return Err(GONE.into()),
    }
    Ok(())
}

fn join(c: &mut Constraint, to: &str) {
    let children = match std::mem::replace(c, Constraint::And(Vec::new())) {
        Constraint::And(l) | Constraint::Or(l) => l,
        Constraint::DelayedOr(l) => l.into_iter().map(|t| t.constraint).collect(),
        single => vec![single],
    };
    *c = match to {
        "and" => Constraint::And(children),
        "or" => Constraint::Or(children),
        _ => Constraint::DelayedOr(children.into_iter().map(timed).collect()),
    };
}

fn delay(part: &mut Timed, typed: &str) -> Result<(), String> {
    let number = typed.trim().strip_suffix("opportunities").map(|n| n.trim().parse());
    (part.delay, part.opportunities) = match number {
        Some(Ok(n)) => (n, true),
        _ => (units::parse_time(typed)?, false),
    };
    Ok(())
}

fn of_leaf(leaf: &mut Single, change: PartChange, typed: &str) -> Result<(), String> {
    match change {
        PartChange::Kind => kind(leaf, typed),
        PartChange::Scope => leaf.scope = if typed == "rack" { Scope::Rack } else { Scope::Node },
        PartChange::Min => leaf.min = bound(typed, 0)?,
        PartChange::Max => leaf.max = bound(typed, UNLIMITED)?,
        PartChange::AddTarget => leaf.targets.push(match leaf.op {
            AttributeOp::NoOp => Target::own_tags(["tag"]),
            _ => Target::attribute("name", ["value"]),
        }),
        PartChange::TargetKind(i) => {
            let target = leaf.targets.get_mut(i).ok_or(GONE)?;
            let values = std::mem::take(values_of(target));
            *target = match typed {
                "attribute" => Target::attribute("name", values),
                "partition" => Target::partition(values),
                "app-id" => Target::tags("app-id/application_0_0001", values),
                "app-tag" => Target::tags("app-tag/web", values),
                own => Target::tags(own, values),
            };
        }
        PartChange::TargetName(i) => match leaf.targets.get_mut(i).ok_or(GONE)? {
            Target::Tags { namespace, .. } => {
                let kind = namespace.split('/').next().unwrap_or("app-tag").to_owned();
                *namespace = format!("{kind}/{}", typed.trim());
            }
            Target::Attribute { name, .. } => *name = typed.trim().to_owned(),
            Target::Partition { .. } => {}
        },
        PartChange::TargetValues(i) => {
            let values = typed.split(',').map(str::trim).filter(|v| !v.is_empty()).map(str::to_owned).collect();
            *values_of(leaf.targets.get_mut(i).ok_or(GONE)?) = values;
        }
        PartChange::RemoveTarget(i) if i < leaf.targets.len() => {
            leaf.targets.remove(i);
        }
        _ => return Err(GONE.into()),
    }
    Ok(())
}

fn kind(leaf: &mut Single, to: &str) {
    (leaf.min, leaf.max, leaf.op) = match to {
        "in" => (1, UNLIMITED, AttributeOp::NoOp),
        "notin" => (0, 0, AttributeOp::NoOp),
        "eq" => (-1, -1, AttributeOp::Eq),
        "ne" => (-1, -1, AttributeOp::Ne),
        _ => (0, 1, AttributeOp::NoOp),
    };
    let tested = leaf.op != AttributeOp::NoOp;
    // Only attributes have an operator, and an attribute without one never matches.
    for target in &mut leaf.targets {
        if tested != matches!(target, Target::Attribute { .. }) && !matches!(target, Target::Partition { .. }) {
            let values = std::mem::take(values_of(target));
            *target = if tested { Target::attribute("java", values) } else { Target::own_tags(values) };
        }
    }
}

/// Returns a typed bound; `none` if nothing was typed.
fn bound(typed: &str, none: i32) -> Result<i32, String> {
    match typed.trim() {
        "" => Ok(none),
        n => n.parse().map_err(|_| format!("`{n}` is not a whole number that YARN can hold.")),
    }
}

fn fresh() -> Constraint {
    Constraint::target_not_in(Scope::Node, [Target::own_tags(["tag"])])
}

fn timed(constraint: Constraint) -> Timed {
    Timed { constraint, delay: 0, opportunities: false }
}

fn values_of(target: &mut Target) -> &mut Vec<String> {
    match target {
        Target::Tags { values, .. } | Target::Attribute { values, .. } | Target::Partition { values } => values,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_core::constraint::parse_expression;

    fn tree(text: &str) -> Constraint {
        parse_expression(text).unwrap().constraint
    }

    /// Returns the constraint after changes, each with the way to a part, the change and the typed text.
    fn after(text: &str, changes: &[(&[usize], PartChange, &str)]) -> Constraint {
        let mut whole = tree(text);
        for (way, change, typed) in changes {
            let part = way.iter().try_fold(&mut whole, |c, i| child(c, *i)).unwrap();
            make(part, *change, typed).unwrap();
        }
        whole
    }

    #[test]
    fn parts_are_reached_by_their_way() {
        use PartChange::{AddPart, Kind, RemovePart, Scope as To, Split, TargetValues};
        let built = after(
            "notin,node,zk",
            &[(&[], Split, ""), (&[1], Kind, "in"), (&[1], To, "rack"), (&[1], TargetValues(0), " a, ")],
        );
        assert_eq!(built, tree("and(notin,node,zk:in,rack,a)"));
        let back = after("and(notin,node,zk:in,rack,a)", &[(&[], AddPart, ""), (&[], RemovePart(2), "")]);
        assert_eq!(back, tree("and(notin,node,zk:in,rack,a)"));
        assert!(changed(&back, &[2], Kind, "in").is_err() && changed(&back, &[0, 0], Kind, "in").is_err());
        assert!(changed(&back, &[], RemovePart(2), "").is_err());
    }

    #[test]
    fn what_text_cannot_say_is_written_as_a_table() {
        use PartChange::{Delay, Join, Split};
        let built =
            after("in,node,zk", &[(&[], Split, ""), (&[], Join, "delayed"), (&[], Delay(1), "3 opportunities")]);
        let Constraint::DelayedOr(parts) = &built else { panic!("{built:?}") };
        assert!(parts[1].opportunities && parts[1].delay == 3);
        let Setting::Toml(toml) = changed(&built, &[], Delay(0), "5 s").unwrap() else { panic!("a table") };
        assert!(toml.contains("delayed_or") && toml.contains("opportunities = 3"), "{toml}");
        assert!(changed(&built, &[], Delay(0), "soon").is_err());
    }

    #[test]
    fn a_tested_attribute_takes_the_place_of_tags_and_back() {
        use PartChange::{AddTarget, Kind, Max, Min, TargetKind, TargetName};
        let tested = after("in,node,zk", &[(&[], Kind, "eq"), (&[], TargetName(0), "os"), (&[], AddTarget, "")]);
        let Constraint::Single(leaf) = &tested else { panic!("{tested:?}") };
        assert_eq!(leaf.targets, [Target::attribute("os", ["zk"]), Target::attribute("name", ["value"])]);
        let counted = after(
            "in,node,zk",
            &[(&[], Kind, "card"), (&[], Min, "1"), (&[], Max, ""), (&[], TargetKind(0), "app-tag")],
        );
        let Constraint::Single(leaf) = &counted else { panic!("{counted:?}") };
        assert_eq!((leaf.min, leaf.max), (1, UNLIMITED));
        assert_eq!(leaf.targets, [Target::tags("app-tag/web", ["zk"])]);
        assert!(changed(&counted, &[], Min, "99999999999").is_err());
    }
}
