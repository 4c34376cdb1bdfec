//! Properties for all inputs: the printer and the parser agree; no text makes the parser panic or lose its place; the
//! counters equal counting from scratch.

use super::spec::{SpecError, split_entries};
use super::tags::AllocationScope;
use super::{Constraint, Scope, TagCounts, parse_expression, parse_spec, print};
use crate::model::{AppId, Problem};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Generates texts from the language's own pieces, so that many are valid and many nearly so.
fn nearly_a_spec() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "zk(3)",
        "zk",
        "(",
        ")",
        ",",
        ":",
        ";",
        "in",
        "NOTIN",
        "cardinality",
        "node",
        "RACK",
        "and(",
        "OR(",
        "And(",
        "self/",
        "app-id/",
        "=",
        "!=",
        "java",
        "1.8",
        "0",
        "2",
        "-1",
        " ",
        "ä",
        "hb",
        "all/",
        "1,3",
        "zk(2),notin,node,zk",
        "\t",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn well_placed(problem: &Problem, text: &str) -> bool {
    problem.span.is_none_or(|s| s.start <= s.end && text.get(s.start..s.end).is_some())
}

fn sound(error: &SpecError, text: &str) -> bool {
    !error.problem.what.is_empty() && well_placed(&error.problem, text)
}

/// A tag that the text form can express.
fn tag() -> impl Strategy<Value = String> {
    "[a-z][a-z0-9._-]{0,6}"
}

fn leaf_text() -> impl Strategy<Value = String> {
    let namespace = prop::sample::select(vec!["", "self/", "not-self/", "all/", "app-id/", "app-tag/"]);
    let tags = prop::collection::vec((namespace, tag()), 1..4)
        .prop_map(|tags| tags.into_iter().map(|(n, t)| format!(",{n}{t}")).collect::<String>())
        .boxed();
    let scope = prop::sample::select(vec!["node", "rack", "Node"]);
    prop_oneof![
        (prop::sample::select(vec!["in", "NOTIN"]), scope.clone(), tags.clone())
            .prop_map(|(w, s, t)| format!("{w},{s}{t}")),
        (scope, tags, -3..9i32, -3..9i32).prop_map(|(s, t, min, max)| format!("cardinality,{s}{t},{min},{max}")),
        (tag(), any::<bool>(), prop::collection::vec("[a-z0-9.]{1,4}", 1..4)).prop_map(|(n, ne, v)| format!(
            "{n}{}{}",
            if ne { "!=" } else { "=" },
            v.join(",")
        )),
    ]
}

fn constraint_text() -> impl Strategy<Value = String> {
    leaf_text().prop_recursive(4, 24, 4, |inner| {
        (prop::sample::select(vec!["and", "AND", "or", "OR"]), prop::collection::vec(inner, 1..4))
            .prop_map(|(word, parts)| format!("{word}({})", parts.join(":")))
    })
}

/// A change to a container's tags.
#[derive(Clone, Copy, Debug)]
struct Change {
    add: bool,
    app: u32,
    node: u32,
    /// The rack that the change is counted in; after a loss it differs from the node's.
    rack: u32,
    /// The tags, as bits.
    tags: u8,
}

fn change() -> impl Strategy<Value = Change> {
    (any::<bool>(), 0..3u32, 0..3u32, 0..3u32, 1..8u8).prop_map(|(add, app, node, rack, tags)| Change {
        add,
        app,
        node,
        rack,
        tags,
    })
}

const TAGS: [&str; 3] = ["a", "b", "c"];

fn names(bits: u8) -> Vec<&'static str> {
    TAGS.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1).map(|(_, t)| *t).collect()
}

/// YARN's four tables, in a plain form.
#[derive(Default)]
struct Plain {
    of_app: BTreeMap<(u32, bool, u32, &'static str), i64>,
    of_all: BTreeMap<(bool, u32, &'static str), i64>,
}

impl Plain {
    fn lower<K: Ord>(table: &mut BTreeMap<K, i64>, key: K) {
        if let Some(n) = table.get_mut(&key) {
            *n -= 1;
        }
        table.retain(|_, n| *n > 0);
    }

    fn listed(&self, app: u32) -> bool {
        self.of_app.keys().any(|(a, rack, ..)| *a == app && !rack)
    }

    fn apply(&mut self, c: Change) {
        if !c.add && !self.listed(c.app) {
            return;
        }
        for tag in names(c.tags) {
            for (is_rack, place) in [(false, c.node), (true, c.rack)] {
                if c.add {
                    *self.of_app.entry((c.app, is_rack, place, tag)).or_insert(0) += 1;
                    *self.of_all.entry((is_rack, place, tag)).or_insert(0) += 1;
                } else {
                    Self::lower(&mut self.of_app, (c.app, is_rack, place, tag));
                    Self::lower(&mut self.of_all, (is_rack, place, tag));
                }
            }
        }
    }

    fn of(&self, apps: impl Iterator<Item = u32>, is_rack: bool, place: u32, tag: &'static str) -> i64 {
        apps.map(|a| self.of_app.get(&(a, is_rack, place, tag)).copied().unwrap_or(0)).sum()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_the_parser_lose_its_place(text in nearly_a_spec()) {
        match parse_spec(&text) {
            Ok(spec) => {
                prop_assert!(spec.warnings.iter().all(|w| well_placed(w, &text)));
                prop_assert!(spec.clauses.iter().all(|c| text.get(c.span.start..c.span.end).is_some()));
                let leaves: usize =
                    spec.entries.iter().filter_map(|e| e.constraint.as_ref()).map(|c| c.leaves().len()).sum();
                prop_assert_eq!(leaves, spec.clauses.len());
                if let Ok(printed) = print::spec(&spec) {
                    let again = parse_spec(&printed).expect("the canonical text is accepted");
                    prop_assert_eq!(again.entries.len(), spec.entries.len());
                }
            }
            Err(e) => prop_assert!(sound(&e, &text), "{:?}", e),
        }
        prop_assert!(split_entries(&text).iter().all(|(at, part)| text[*at..].starts_with(part)));
    }

    #[test]
    fn the_printer_and_the_parser_agree(text in constraint_text()) {
        let read = parse_expression(&text).expect(&text).constraint;
        let printed = print::expression(&read).expect(&text);
        let again = parse_expression(&printed).expect(&printed).constraint;
        prop_assert!(read.same(&again), "{} became {}", text, printed);
        prop_assert_eq!(print::expression(&again), Ok(printed));
        // YARN's own rendering of a tag constraint can be parsed too, though it loses the namespaces.
        let plain = |c: &Constraint| c.leaves().iter().all(|l| l.targets.len() == 1 && (l.min, l.max) != (-1, -1));
        if plain(&read) {
            prop_assert!(parse_expression(&print::yarn_text(&read)).is_ok());
        }
    }

    #[test]
    fn counters_equal_counting_from_scratch(changes in prop::collection::vec(change(), 0..40)) {
        let (mut counts, mut plain) = (TagCounts::default(), Plain::default());
        for c in changes {
            if c.add {
                counts.add(AppId(c.app), c.node, c.rack, &names(c.tags));
            } else {
                counts.remove(AppId(c.app), c.node, c.rack, &names(c.tags));
            }
            plain.apply(c);
        }
        for (scope, is_rack) in [(Scope::Node, false), (Scope::Rack, true)] {
            for place in 0..3 {
                for tag in TAGS {
                    let all = plain.of_all.get(&(is_rack, place, tag)).copied().unwrap_or(0);
                    prop_assert_eq!(counts.count(scope, place, AllocationScope::Everybodys, tag), all);
                    for app in 0..3 {
                        let own = plain.of([app].into_iter(), is_rack, place, tag);
                        prop_assert_eq!(counts.count(scope, place, AllocationScope::Of(Some(AppId(app))), tag), own);
                        let others = (0..3).filter(|a| *a != app && plain.listed(*a));
                        let others = plain.of(others, is_rack, place, tag);
                        prop_assert_eq!(counts.count(scope, place, AllocationScope::NotOf(AppId(app)), tag), others);
                    }
                }
            }
        }
    }
}
