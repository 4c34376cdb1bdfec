//! Constraints in plain English, clause by clause and as a whole, with the numbers: "no other zk of this application on
//! the node". A sentence consists of pieces, each of which knows its clause, so that hovering over either highlights
//! the other.

use super::namespace::{Namespace, parse_namespace};
use super::order::first_of_set;
use super::spec::Spec;
use super::tree::UNLIMITED;
use super::{AttributeOp, Constraint, Scope, Single, Target};

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub text: String,
    /// The clause that it describes, by its place among the leaves; `None` for the words between clauses.
    pub clause: Option<usize>,
}

/// The sentence as one text.
pub fn join(pieces: &[Piece]) -> String {
    pieces.iter().map(|p| p.text.as_str()).collect()
}

/// One leaf in words. `own` is the source tag of the request: it decides between "another zk" and "zk".
pub fn clause(leaf: &Single, own: Option<&str>) -> String {
    if leaf.targets.is_empty() {
        return "always (no tag is named)".into();
    }
    let words: Vec<String> = leaf.targets.iter().map(|target| target_words(leaf, target, own)).collect();
    // Several tags under the same bounds and namespace read better as one list.
    match merged_tags(leaf) {
        Some((namespace, tags)) if leaf.targets.len() > 1 => tags_words(leaf, namespace, &tags, own),
        _ => words.join(" and "),
    }
}

/// The tags of a leaf, if all its targets are lists of tags in one namespace.
fn merged_tags(leaf: &Single) -> Option<(&str, Vec<&str>)> {
    let mut all: Option<(&str, Vec<&str>)> = None;
    for target in &leaf.targets {
        let Target::Tags { namespace, values } = target else { return None };
        if values.is_empty() {
            return None;
        }
        let (first, tags) = all.get_or_insert((namespace, Vec::new()));
        if first != namespace {
            return None;
        }
        tags.extend(values.iter().map(String::as_str));
    }
    all
}

fn target_words(leaf: &Single, target: &Target, own: Option<&str>) -> String {
    match target {
        Target::Tags { namespace, values } => {
            let tags: Vec<&str> = values.iter().map(String::as_str).collect();
            tags_words(leaf, namespace, &tags, own)
        }
        Target::Attribute { name, values } => attribute_words(leaf.op, name, values),
        Target::Partition { values } => match first_of_set(values) {
            None | Some("") => "the node in the default partition".into(),
            Some(partition) => format!("the node in the partition {partition}"),
        },
    }
}

fn attribute_words(op: AttributeOp, name: &str, values: &[String]) -> String {
    let Some(value) = first_of_set(values) else {
        return format!("the attribute {name} tested without a value, which YARN cannot evaluate");
    };
    let shown = if value.is_empty() { "an empty value".to_string() } else { value.to_string() };
    match op {
        AttributeOp::Eq => format!("the node's attribute {name} is {shown}"),
        AttributeOp::Ne => format!("the node's attribute {name} is not {shown} (or not there)"),
        AttributeOp::NoOp => format!("the node's attribute {name} compared without = or !=, which never holds"),
    }
}

/// The owner of the containers, which follows the tags: "of other applications".
pub fn whose(namespace: &str) -> String {
    match parse_namespace(namespace) {
        Ok(Namespace::Own) => "of this application".into(),
        Ok(Namespace::NotSelf) => "of other applications".into(),
        Ok(Namespace::All) => "of any application".into(),
        Ok(Namespace::App(cluster, number)) => format!("of application_{cluster}_{number:04}"),
        Ok(Namespace::AppTag(tag)) => format!("of applications tagged {tag}"),
        Err(_) => format!("in the namespace {namespace}, which YARN cannot evaluate"),
    }
}

fn listed(tags: &[&str], last: &str) -> String {
    match tags {
        [] => "tagged container".into(),
        [only] => (*only).to_string(),
        [head @ .., tail] => format!("{} {last} {tail}", head.join(", ")),
    }
}

fn tags_words(leaf: &Single, namespace: &str, tags: &[&str], own: Option<&str>) -> String {
    let place = match leaf.scope {
        Scope::Node => "on the node",
        Scope::Rack => "in the rack",
    };
    let whose = whose(namespace);
    // The request's own tag is counted: the new container is not included yet.
    let counts_itself = matches!(parse_namespace(namespace), Ok(Namespace::Own | Namespace::All))
        && own.is_some_and(|own| tags.contains(&own) || tags.is_empty());
    let other = if counts_itself { "other " } else { "" };
    let each = if tags.len() > 1 { "each of " } else { "" };
    let (min, max) = (leaf.min, leaf.max);
    if min > max || max < 0 {
        return format!("never: between {min} and {max} {} {whose} {place}", listed(tags, "and"));
    }
    let before = if counts_itself { ", counted before placing" } else { "" };
    match (min, max) {
        (min, UNLIMITED) if min <= 0 => {
            format!("any number of {} {whose} {place}", listed(tags, "and"))
        }
        (min, 0) if min <= 0 => format!("no {other}{} {whose} {place}", listed(tags, "or")),
        (1, UNLIMITED) => {
            let one = if counts_itself { "another" } else { "at least 1" };
            match tags {
                [] | [_] => format!("{one} {} {whose} {place}", listed(tags, "and")),
                [_, _] => format!("both {} {whose} {place}", listed(tags, "and")),
                _ => format!("all of {} {whose} {place}", listed(tags, "and")),
            }
        }
        (min, UNLIMITED) => format!("at least {min} {each}{other}{} {whose} {place}{before}", listed(tags, "and")),
        (min, max) if min <= 0 => {
            format!("at most {max} {each}{other}{} {whose} {place}{before}", listed(tags, "and"))
        }
        (min, max) if min == max => {
            format!("exactly {min} {each}{other}{} {whose} {place}{before}", listed(tags, "and"))
        }
        (min, max) => {
            format!("{min} to {max} {each}{other}{} {whose} {place}{before}", listed(tags, "and"))
        }
    }
}

/// A whole constraint in words. Clauses are numbered from `first` on, in the order of the leaves.
pub fn constraint(constraint: &Constraint, own: Option<&str>, first: usize) -> Vec<Piece> {
    let mut out = Vec::new();
    let mut next = first;
    write(constraint, own, &mut next, true, &mut out);
    out
}

fn between(text: &str) -> Piece {
    Piece { text: text.into(), clause: None }
}

fn write(constraint: &Constraint, own: Option<&str>, next: &mut usize, outermost: bool, out: &mut Vec<Piece>) {
    let (word, children): (&str, Vec<&Constraint>) = match constraint {
        Constraint::Single(leaf) => {
            out.push(Piece { text: clause(leaf, own), clause: Some(*next) });
            *next += 1;
            return;
        }
        Constraint::And(children) => (", and ", children.iter().collect()),
        Constraint::Or(children) => (", or ", children.iter().collect()),
        Constraint::DelayedOr(children) => {
            (", or later (YARN cannot evaluate this) ", children.iter().map(|t| &t.constraint).collect())
        }
    };
    if children.is_empty() {
        out.push(between(if matches!(constraint, Constraint::And(_)) { "anywhere" } else { "nowhere" }));
        return;
    }
    let brackets = !outermost && children.len() > 1;
    if brackets {
        out.push(between("("));
    }
    for (i, child) in children.iter().enumerate() {
        if i > 0 {
            out.push(between(word));
        }
        write(child, own, next, false, out);
    }
    if brackets {
        out.push(between(")"));
    }
}

/// A whole spec in words, one sentence per entry; clauses are numbered from 0 as in [`Spec::clauses`].
pub fn spec(spec: &Spec) -> Vec<Vec<Piece>> {
    let sentence = |entry: &super::spec::SpecEntry| {
        let own = entry.source.as_ref().map(|s| s.tag.as_str());
        let mut pieces = match &entry.source {
            Some(source) => {
                let containers = if source.count == 1 { "container" } else { "containers" };
                vec![between(&format!("{} {} {containers}", source.count, source.tag))]
            }
            None => vec![between("containers without a tag (-num_containers says how many)")],
        };
        match &entry.constraint {
            Some(constraint) => {
                let several = if entry.count() > 1 { ", each where there is: " } else { ", where there is: " };
                pieces.push(between(several));
                pieces.extend(self::constraint(constraint, own, entry.clauses.start));
            }
            None => pieces.push(between(", anywhere")),
        }
        pieces.push(between("."));
        pieces
    };
    spec.entries.iter().map(sentence).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{parse_expression, parse_spec};
    use super::*;

    #[test]
    fn clauses_read_as_sentences_with_their_numbers() {
        for (text, words) in [
            ("notin,node,zk", "no other zk of this application on the node"),
            ("notin,node,hb", "no hb of this application on the node"),
            ("in,rack,all/hb", "at least 1 hb of any application in the rack"),
            ("in,node,a,b", "both a and b of this application on the node"),
            ("cardinality,rack,hbase,0,2", "at most 2 hbase of this application in the rack"),
            ("cardinality,rack,zk,0,2", "at most 2 other zk of this application in the rack, counted before placing"),
            ("cardinality,node,a,b,1,3", "1 to 3 each of a and b of this application on the node"),
            ("cardinality,node,not-self/a,2,2", "exactly 2 a of other applications on the node"),
            ("cardinality,node,a,3,1", "never: between 3 and 1 a of this application on the node"),
            ("java=1.8", "the node's attribute java is 1.8"),
            ("java!=1.8", "the node's attribute java is not 1.8 (or not there)"),
        ] {
            let read = parse_expression(text).expect(text).constraint;
            assert_eq!(clause(read.leaves()[0], Some("zk")), words, "{text}");
        }
    }

    #[test]
    fn a_sentence_knows_which_clause_each_piece_tells() {
        let read = parse_spec("zk(5),AND(IN,RACK,hbase:OR(NOTIN,NODE,zk:java=1.8)):hb(1)").unwrap();
        let sentences = spec(&read);
        assert_eq!(
            join(&sentences[0]),
            "5 zk containers, each where there is: at least 1 hbase of this application in the rack, and (no other zk of this \
             application on the node, or the node's attribute java is 1.8)."
        );
        assert_eq!(sentences[0].iter().filter_map(|p| p.clause).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(join(&sentences[1]), "1 hb container, anywhere.");
    }
}
