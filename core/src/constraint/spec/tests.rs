use super::*;
use crate::constraint::{AttributeOp, Scope, Target};

fn fixed(text: &str) -> String {
    let error = parse_spec(text).expect_err(text);
    let (span, fix) = (error.problem.span.expect("a place"), error.problem.fix.expect("a mend"));
    format!("{}{fix}{}", &text[..span.start], &text[span.end..])
}

#[test]
fn both_examples_of_the_manual_are_read() {
    let spec = parse_spec("zk(3),NOTIN,NODE,zk:hbase(5),IN,RACK,zk:spark(7),CARDINALITY,NODE,hbase,1,3").unwrap();
    assert_eq!(
        spec.entries.iter().map(|e| (e.tag(), e.count())).collect::<Vec<_>>(),
        [("zk", 3), ("hbase", 5), ("spark", 7)]
    );
    assert_eq!(spec.clauses.iter().map(|c| c.number).collect::<Vec<_>>(), [1, 2, 3]);
    assert!(spec.warnings.is_empty(), "{:?}", spec.warnings);
    let text = "zk(5),AND(IN,RACK,hbase:NOTIN,NODE,zk)";
    let spec = parse_spec(text).unwrap();
    let span = spec.clauses[1].span;
    assert_eq!(&text[span.start..span.end], "NOTIN,NODE,zk");
    let Some(Constraint::And(children)) = &spec.entries[0].constraint else { panic!("an AND") };
    assert_eq!(children[0], Constraint::target_in(Scope::Rack, [Target::own_tags(["hbase"])]));
}

#[test]
fn every_mechanical_slip_is_mended_into_a_text_that_is_accepted() {
    for (wrong, right) in [
        ("zk(3),AND(in,node,a:in,rack,b;in,node,c);hb(2),and(x;y)", ""),
        ("foo(3) ,in,node,a", "foo(3),in,node,a"),
        ("foo(3), and(in,node,a)", "foo(3),and(in,node,a)"),
        ("foo(3),And(in,node,a)", "foo(3),and(in,node,a)"),
        ("foo(3),and(in,node,a", "foo(3),and(in,node,a)"),
        ("foo(3", "foo(3)"),
        ("foo( 3),in,node,a", "foo(3),in,node,a"),
        ("foo(3),NOT_IN,node,a", "foo(3),NOTIN,node,a"),
        ("foo(3),in,node,SELF/a", "foo(3),in,node,self/a"),
        ("foo(3)),in,node,a", "foo(3),in,node,a"),
        ("zk(3),in,cluster;x,a", ""),
        ("zk(3);hb(2)", "zk(3):hb(2)"),
        ("zk(3),NOTIM,NODE,zk", "zk(3),NOTIN,NODE,zk"),
        ("zk(3),notin,nodes,zk", "zk(3),notin,NODE,zk"),
        ("zk(3),CARDINALTY,RACK,zk,0,1", "zk(3),CARDINALITY,RACK,zk,0,1"),
        ("zk(3),ADN(in,node,a:in,rack,b)", "zk(3),AND(in,node,a:in,rack,b)"),
        ("zk(3),in,node,slf/a", "zk(3),in,node,self/a"),
        ("zk(5),AND(IN,RACK,all/hb:NOTIN,NODE zk)", "zk(5),AND(IN,RACK,all/hb:NOTIN,NODE,zk)"),
        ("zk(3),notin node zk", "zk(3),notin,node,zk"),
    ] {
        if right.is_empty() {
            assert!(parse_spec(wrong).is_err(), "{wrong}");
        } else {
            assert_eq!(fixed(wrong), right);
            assert!(parse_spec(right).is_ok(), "{right}");
        }
    }
}

#[test]
fn errors_have_a_place_and_what_was_expected() {
    for (text, shown, expected) in [
        ("zk(3),NOTIN,cluster,zk", "cluster", "NODE"),
        ("zk(3),cardinality,node,zk,1,x", "x", "a whole number"),
        ("zk(x),in,node,a", "x", "a whole number"),
        ("zk(3),bogus", "bogus", "NOTIN"),
        ("zk(3),in,node,app-id/application_1_0001/hb", "app-id/application_1_0001", "self"),
        ("in,node,a", "in,node,a", "tag(count),"),
        ("foo(3),java=1.8,python=2.7", "python=2.7", "a value"),
        ("foo(3),in", "", ",NODE,tag"),
        ("", "", "tag(count)"),
    ] {
        let error = parse_spec(text).expect_err(text);
        let span = error.problem.span.expect(text);
        assert_eq!(&text[span.start..span.end], shown, "{text}: {}", error.problem);
        assert!(error.expected.iter().any(|e| e == expected), "{text}: {:?}", error.expected);
    }
    assert_eq!(parse_spec("foo(3),in").unwrap_err().refused, Refused::NoSuchElement);
    assert_eq!(parse_spec("foo(3),bogus").unwrap_err().refused, Refused::Parse);
}

#[test]
fn what_the_parser_takes_otherwise_than_it_looks_is_told() {
    for (text, part) in [
        ("zk(3),NOTIN,NODE,zk;hbase(5),IN,RACK,zk", "parts nothing"),
        ("zk(3),android(in,node,a)", "read as AND"),
        ("zk(3),and(order(in,node,a):in,node,b)", "read as OR"),
        ("zk(3),and(java=1.8:bogus)", "fell back"),
        ("zk(3),in,node,java=1.8", "is a tag here"),
        ("zk(3),in,node,zk", "can never start"),
        ("zk(3),cardinality,node,zk,0,2", "up to 3 `zk`"),
        ("zk(3),cardinality,node,hb,3,1", "above the maximum"),
        ("zk(3),in,node,app-id/hb", "fails when it is evaluated"),
        ("java=1.8,1.7", "only `1.7` is ever compared"),
        ("zk(3),in,node,a:zk(4)", "keeps only the last"),
        (" zk(3),in,node,a", "with its blanks"),
        ("zk(0)", "no container"),
        ("zk(3),and(in,node,a)x", "behind the closing bracket"),
        ("zk=3,notin,node,zk", "first releases"),
        ("zk(3),in,node", "always holds"),
    ] {
        let spec = parse_spec(text).expect(text);
        assert!(spec.warnings.iter().any(|w| w.what.contains(part)), "{text}: {:?}", spec.warnings);
    }
}

#[test]
fn attribute_tests_keep_the_first_name_and_sort_the_values() {
    let spec = parse_spec("rm.yarn.io/java!=1.8,1.7").unwrap();
    assert_eq!(spec.entries[0].source, None);
    let expected = Constraint::node_attribute(
        Scope::Node,
        AttributeOp::Ne,
        [Target::attribute("rm.yarn.io/java", ["1.7", "1.8"])],
    );
    assert_eq!(spec.entries[0].constraint, Some(expected));
}

#[test]
fn nesting_is_limited() {
    let nested = |n: usize| format!("{}in,node,a{}", "and(".repeat(n), ")".repeat(n));
    assert!(parse_expression(&nested(DEPTH)).is_ok());
    assert!(parse_expression(&nested(DEPTH + 1)).is_err());
    assert!(parse_spec(&"a".repeat(PLACEMENT_SPEC_BYTES + 1)).is_err());
}
