//! A constraint as a form: everything that YARN's builders can express, which is more than its text can. The text field
//! beside it has YARN's text, if there is one.

use super::make::{self, bare, choice, cross, field, put, remove, small};
use heddle_core::constraint::tree::UNLIMITED;
use heddle_core::constraint::{AttributeOp, Constraint, Single, Target, Timed, english, print};
use heddle_core::scenario::units;
use heddle_view::form::{Control, Field, GroupShape, Head, Part, ReadLine};
use heddle_view::{Change, Edit, How, PartChange, Path, Step};

/// A constraint at a place of the scenario, while its form is made.
struct ConstraintPlace {
    path: Path,
    what: String,
    /// The beginning of the ids.
    id: String,
}

/// Returns the form of the constraint at `path`; without a constraint, a field that starts one.
pub fn form(path: Path, constraint: Option<&Constraint>, own: Option<&str>, what: String) -> Part {
    let edit = put(what.clone(), &path, How::Constraint);
    let id: String = path.iter().fold("k".to_owned(), |id, step| match step {
        Step::Name(name) => id + &name[..1],
        Step::At(at) => format!("{id}{at}"),
    });
    let Some(whole) = constraint else {
        return Part::Fields(vec![field(&id, "constraint", "", "none; such as notin,node,zk", edit)]);
    };
    let head = Head {
        title: "Constraint".into(),
        button: Some(cross("Remove the constraint", remove(what.clone(), &path))),
        ..Head::default()
    };
    let text = match print::expression(whole) {
        Ok(text) => {
            Part::Fields(vec![Field { control: Control::Wide, ..field(&format!("{id}t"), "as text", text, "", edit) }])
        }
        Err(none) => small(format!("No YARN text says this: {} The scenario keeps it as a table.", none.what)),
    };
    let mut parts = vec![text];
    parts.extend(ConstraintPlace { path, what, id }.part(whole, &[]));
    let mut lines = Vec::new();
    read(whole, own, &mut 0, 0, &mut lines);
    parts.push(Part::Reads(lines));
    make::group("", GroupShape::Build, Some(head), parts)
}

impl ConstraintPlace {
    fn edit(&self, part: &[usize], change: PartChange) -> Edit {
        let change = Change::Constraint { path: self.path.clone(), part: part.to_vec(), change };
        make::edit(self.what.clone(), change)
    }

    fn id(&self, part: &[usize], more: &str) -> String {
        format!("{}{}{more}", self.id, part.iter().map(|i| format!("-{i}")).collect::<String>())
    }

    fn part(&self, c: &Constraint, at: &[usize]) -> Vec<Part> {
        let (join, parts): (&str, Vec<(&Constraint, Option<&Timed>)>) = match c {
            Constraint::Single(leaf) => return self.leaf(leaf, at),
            Constraint::And(l) => ("and", l.iter().map(|c| (c, None)).collect()),
            Constraint::Or(l) => ("or", l.iter().map(|c| (c, None)).collect()),
            Constraint::DelayedOr(l) => ("delayed", l.iter().map(|t| (&t.constraint, Some(t))).collect()),
        };
        let joins = [("and", "all must hold (AND)"), ("or", "one must hold (OR)"), ("delayed", "in turn, by delay")];
        let joins = choice(&self.id(at, ""), "parts", join, &joins, self.edit(at, PartChange::Join));
        let mut out = vec![Part::Fields(vec![joins])];
        if join == "delayed" {
            out.push(small("YARN carries a delayed OR but cannot evaluate it: no container with it ever starts."));
        }
        for (i, (part, timed)) in parts.into_iter().enumerate() {
            let here = [at, &[i]].concat();
            let head = Head {
                note: if timed.is_none() { format!("part {}", i + 1) } else { String::new() },
                fields: timed.into_iter().map(|t| self.delay(t, at, i)).collect(),
                button: Some(cross(format!("Remove part {}", i + 1), self.edit(at, PartChange::RemovePart(i)))),
                ..Head::default()
            };
            out.push(make::group(i.to_string(), GroupShape::Part, Some(head), self.part(part, &here)));
        }
        out.push(Part::Button(make::button("+ Part", self.edit(at, PartChange::AddPart))));
        vec![make::group("", GroupShape::Frame, None, out)]
    }

    fn delay(&self, t: &Timed, at: &[usize], i: usize) -> Field {
        let shown = if t.opportunities { format!("{} opportunities", t.delay) } else { units::time_text(t.delay) };
        field(&format!("{}d{i}", self.id), "after", shown, "0 s", self.edit(at, PartChange::Delay(i)))
    }

    fn leaf(&self, leaf: &Single, at: &[usize]) -> Vec<Part> {
        let kind = match leaf {
            l if l.op == AttributeOp::Eq => "eq",
            l if l.op == AttributeOp::Ne => "ne",
            l if l.is_in() => "in",
            l if l.is_not_in() => "notin",
            _ => "card",
        };
        let kinds = [
            ("in", "at least one (IN)"),
            ("notin", "none (NOTIN)"),
            ("card", "min to max (CARDINALITY)"),
            ("eq", "attribute ="),
            ("ne", "attribute ≠"),
        ];
        let scopes = [("node", "node"), ("rack", "rack")];
        let mut fields = vec![
            choice(&self.id(at, "k"), "wants", kind, &kinds, self.edit(at, PartChange::Kind)),
            choice(&self.id(at, "s"), "on the", &leaf.scope.to_string(), &scopes, self.edit(at, PartChange::Scope)),
        ];
        if kind == "card" {
            let max = if leaf.max == UNLIMITED { String::new() } else { leaf.max.to_string() };
            let min = leaf.min.to_string();
            fields.push(field(&self.id(at, "a"), "min", min, "0", self.edit(at, PartChange::Min)));
            fields.push(field(&self.id(at, "z"), "max", max, "no limit", self.edit(at, PartChange::Max)));
        }
        let mut out = vec![Part::Fields(fields)];
        out.extend(leaf.targets.iter().enumerate().map(|(i, t)| self.target(t, at, i)));
        let buttons = vec![
            make::button("+ Target", self.edit(at, PartChange::AddTarget)),
            make::button("AND, OR …", self.edit(at, PartChange::Split)),
        ];
        out.push(Part::Row { buttons, note: String::new() });
        out
    }

    fn target(&self, target: &Target, at: &[usize], i: usize) -> Part {
        let (kind, name) = match target {
            Target::Tags { namespace, .. } => match namespace.split_once('/') {
                Some((kind @ ("app-id" | "app-tag"), key)) => (kind, Some(key)),
                _ if namespace == "app-id" || namespace == "app-tag" => (namespace.as_str(), Some("")),
                _ => (namespace.as_str(), None),
            },
            Target::Attribute { name, .. } => ("attribute", Some(name.as_str())),
            Target::Partition { .. } => ("partition", None),
        };
        let mut kinds = vec![
            ("self", "tags of this application"),
            ("not-self", "tags of others"),
            ("all", "tags of all"),
            ("app-id", "tags of application"),
            ("app-tag", "tags of applications tagged"),
            ("attribute", "node attribute"),
            ("partition", "node partition"),
        ];
        if kinds.iter().all(|(known, _)| *known != kind) {
            kinds.push((kind, kind));
        }
        let empty = match target {
            Target::Tags { .. } => "every tag",
            Target::Partition { .. } => "default partition",
            Target::Attribute { .. } => "a value",
        };
        let looks_at = choice("", "Looks at", kind, &kinds, self.edit(at, PartChange::TargetKind(i)));
        let name = name.map(|name| bare("Which", name, "", self.edit(at, PartChange::TargetName(i))));
        let values = bare("Values", target.values().join(", "), empty, self.edit(at, PartChange::TargetValues(i)));
        let fields = [Field { id: String::new(), ..looks_at }].into_iter().chain(name).chain([values]).collect();
        Part::Target { fields, remove: cross("Remove the target", self.edit(at, PartChange::RemoveTarget(i))) }
    }
}

/// Adds the tree in English, one indented line for each clause; `next` is the number of the previous clause.
pub fn read(c: &Constraint, own: Option<&str>, next: &mut usize, depth: usize, out: &mut Vec<ReadLine>) {
    let (words, children): (&str, Vec<&Constraint>) = match c {
        Constraint::Single(leaf) => {
            *next += 1;
            let words = english::clause(leaf, own);
            out.push(ReadLine { depth, clause: Some(*next), words, ..ReadLine::default() });
            return;
        }
        Constraint::And(l) => ("all of these:", l.iter().collect()),
        Constraint::Or(l) => ("one of these:", l.iter().collect()),
        Constraint::DelayedOr(l) => {
            ("in turn, by delay (not evaluated by YARN):", l.iter().map(|t| &t.constraint).collect())
        }
    };
    out.push(ReadLine { depth, words: words.into(), dim: true, ..ReadLine::default() });
    for child in children {
        read(child, own, next, depth + 1, out);
    }
}
