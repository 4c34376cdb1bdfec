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
        ("zk(3)NOTIN,NODE,zk", "zk(3),NOTIN,NODE,zk"),
        ("zk(3) NOTIN,NODE,zk", "zk(3),NOTIN,NODE,zk"),
        ("zk(3);NOTIN,NODE,zk", "zk(3),NOTIN,NODE,zk"),
        ("zk(3):NOTIN,NODE,zk", "zk(3),NOTIN,NODE,zk"),
        ("zk(3);NOTIN,NODE,zk;hb(2);IN,NODE,zk", "zk(3),NOTIN,NODE,zk:hb(2),IN,NODE,zk"),
        ("zk(3)and(in,node,a:in,rack,b)", "zk(3),and(in,node,a:in,rack,b)"),
        ("zk[3],NOTIN,NODE,zk", "zk(3),NOTIN,NODE,zk"),
        ("zk{3},NOTIN,NODE,zk", "zk(3),NOTIN,NODE,zk"),
        ("zk(3)、NOTIN,NODE,zk", "zk(3),NOTIN,NODE,zk"),
        ("zk（3），NOTIN，NODE，zk", "zk(3),NOTIN,NODE,zk"),
        ("zk(3)\u{a0},NOTIN,NODE,zk", "zk(3),NOTIN,NODE,zk"),
        ("zk(3)，NOTIN,NODES,zk", "zk(3),NOTIN,NODE,zk"),
        ("zk(3)hb(2)", "zk(3):hb(2)"),
        ("zk(3),hb(2)", "zk(3):hb(2)"),
        ("zk(3)NOTIM,NODE,zk", "zk(3),NOTIN,NODE,zk"),
        ("zk(3);AND(IN,RACK,hb:NOTIN,NODE,zk", "zk(3),AND(IN,RACK,hb:NOTIN,NODE,zk)"),
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
    assert_eq!(parse_spec("foo(3),in").unwrap_err().refused, SpecException::NoSuchElement);
    assert_eq!(parse_spec("foo(3),bogus").unwrap_err().refused, SpecException::Parse);
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
        ("zk(3),and(notin,node,zk,in,node,hb)", "`in` is a tag here"),
        ("zk(3),NOTIN,NODE,zk,IN,NODE,hb", "`IN` is a tag here"),
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

#[test]
fn the_mark_stands_where_the_slip_is() {
    for (text, marked, words) in [
        ("zk(3)NOTIN,NODE,zk", Span::new(5, 5), "A comma has to stand"),
        ("zk(3);NOTIN,NODE,zk", Span::new(5, 6), "`;` stands between the source tag"),
        ("zk(3):NOTIN,NODE,zk", Span::new(5, 6), "`:` stands between the source tag"),
        ("zk(3), NOTIN,NODE", Span::new(6, 6), ""),
        ("zk(3)、NOTIN,NODE,zk", Span::new(5, 8), "`、` is no sign of the grammar; `,` is."),
        ("zk(3)\u{a0},NOTIN,NODE,zk", Span::new(5, 7), "The blank U+00A0"),
    ] {
        let Err(error) = parse_spec(text) else { continue };
        assert_eq!(error.problem.span, Some(marked), "{text}: {}", error.problem);
        assert!(error.problem.what.starts_with(words), "{text}: {}", error.problem);
    }
}

/// Checks that YARN accepts every offered fix, in every place of every text with one or two slips.
#[test]
fn a_fix_is_offered_only_if_the_parser_takes_it() {
    let good = [
        "zk(3),NOTIN,NODE,zk",
        "zk(5),AND(IN,RACK,hbase:NOTIN,NODE,zk):hb(2)",
        "a(1),CARDINALITY,RACK,self/a,0,2",
        "java=1.8",
    ];
    for text in good {
        let cuts = (0..text.len()).map(|at| format!("{}{}", &text[..at], &text[at + 1..]));
        let puts = (0..=text.len()).flat_map(|at| {
            [";", " ", ")", "(", ",", ":", "x"].map(|new| format!("{}{new}{}", &text[..at], &text[at..]))
        });
        for wrong in cuts.chain(puts) {
            let Err(error) = parse_spec(&wrong) else { continue };
            let Some((span, fix)) = error.problem.span.zip(error.problem.fix) else { continue };
            let mended = format!("{}{fix}{}", &wrong[..span.start], &wrong[span.end..]);
            assert!(parse_spec(&mended).is_ok(), "{wrong} would become {mended}");
        }
    }
}

#[test]
fn what_a_shell_or_an_old_manual_puts_around_a_spec_is_read_as_meant() {
    let plain = parse_spec("zk(3),NOTIN,NODE,zk").unwrap();
    for text in [
        "\"zk(3),NOTIN,NODE,zk\"",
        "'zk(3),NOTIN,NODE,zk'",
        "\u{201c}zk(3),NOTIN,NODE,zk\u{201d}",
        "-placement_spec zk(3),NOTIN,NODE,zk",
        "--placement_spec=zk(3),NOTIN,NODE,zk",
        "-placement_spec 'zk(3),NOTIN,NODE,zk'",
        "yarn Client -shell_command sleep -placement_spec \"zk(3),NOTIN,NODE,zk\" -shell_args 10",
        "zk\\(3\\),NOTIN,NODE,zk",
        "zk=3,NOTIN,NODE,zk",
        "-placement_spec zk=3,NOTIN,NODE,zk",
        // Nested quotes, quotes of Markdown and of word processors, of two kinds, and a single one.
        "\\\"zk(3),NOTIN,NODE,zk\\\"",
        "'\"zk(3),NOTIN,NODE,zk\"'",
        "`zk(3),NOTIN,NODE,zk`",
        "\u{201e}zk(3),NOTIN,NODE,zk\u{201c}",
        "\u{201d}zk(3),NOTIN,NODE,zk\"",
        "\u{ab}zk(3),NOTIN,NODE,zk\u{bb}",
        "\"zk(3),NOTIN,NODE,zk",
        "zk(3),NOTIN,NODE,zk\"",
        "zk(3),NOTIN,NODE,zk'",
        // Dashes that were lengthened, or lost.
        "\u{2013}placement_spec zk(3),NOTIN,NODE,zk",
        "\u{2014}placement_spec \u{201c}zk(3),NOTIN,NODE,zk\u{201d}",
        "placement_spec zk(3),NOTIN,NODE,zk",
        "zk = 3 ,NOTIN,NODE,zk",
    ] {
        let spec = read_spec(text).expect(text);
        assert_eq!(spec.entries.len(), 1, "{text}");
        assert_eq!((spec.entries[0].tag(), spec.entries[0].count()), ("zk", 3), "{text}");
        assert_eq!(spec.entries[0].constraint, plain.entries[0].constraint, "{text}");
        let span = spec.clauses[0].span;
        assert_eq!(&text[span.start..span.end], "NOTIN,NODE,zk", "{text}");
        assert!(
            spec.warnings.iter().any(|w| w.severity == crate::model::Severity::Note && w.fix.is_some()),
            "{text}: {:?}",
            spec.warnings
        );
        // Applying the offers makes it plain.
        let mut mended = text.to_owned();
        for _ in 0..2 {
            let read = read_spec(&mended).unwrap();
            let Some(note) = read.warnings.first() else { break };
            let (span, fix) = (note.span.unwrap(), note.fix.clone().unwrap());
            mended.replace_range(span.start..span.end, &fix);
        }
        assert_eq!(mended, "zk(3),NOTIN,NODE,zk", "{text}");
    }
    let both = read_spec("zk=3,NOTIN,NODE,zk:hbase=5,IN,RACK,zk:spark=7").unwrap();
    assert_eq!(
        both.entries.iter().map(|e| (e.tag(), e.count())).collect::<Vec<_>>(),
        [("zk", 3), ("hbase", 5), ("spark", 7)]
    );
    let alone = read_spec("zk=1,").unwrap();
    assert_eq!((alone.entries[0].tag(), alone.entries[0].count(), alone.warnings.len()), ("zk", 1, 1));
    // Texts with a meaning of their own keep it.
    for text in [
        "java=1.8",
        "placement_spec(3),in,node,a",
        "zk(3)",
        "cores=4",
        "zk(3),in,node,java=1.8",
        "rm.yarn.io/gpus=4,8",
        "it's(3),in,node,a",
    ] {
        assert_eq!(read_spec(text), parse_spec(text), "{text}");
    }
    // An error inside has its position in what was typed.
    let error = read_spec("-placement_spec \"zk(3)NOTIN,NODE,zk\"").unwrap_err();
    assert_eq!(error.problem.span, Some(Span::new(22, 22)), "{}", error.problem);
    for (text, at) in [("zk=3NOTIN,NODE,zk", (4, 4)), ("zk=3;NOTIN,NODE,zk", (4, 5)), ("zk=3.NOTIN,NODE,zk", (4, 5))] {
        let error = read_spec(text).unwrap_err();
        assert_eq!(error.problem.span, Some(Span::new(at.0, at.1)), "{text}: {}", error.problem);
        assert!(error.problem.fix.is_some(), "{text}: {}", error.problem);
    }
}

/// Every position among AND and OR of a leaf that keeps the first `zk` out.
#[test]
fn a_part_of_an_or_keeps_nobody_out_alone() {
    let (never, free) = ("in,node,zk", "in,node,hb");
    for (constraint, told) in [
        (never.to_string(), 1),
        (format!("and({never}:{free})"), 1),
        (format!("or({never}:{free})"), 0),
        (format!("or({free}:{never})"), 0),
        (format!("or({never}:in,rack,zk)"), 2),
        (format!("or({never}:and({free}:in,rack,zk))"), 2),
        (format!("and(or({never}:{free}):notin,node,x)"), 0),
        (format!("and(or({never}:{free}):in,rack,zk)"), 1),
        (format!("or(and({never}:{free}):notin,node,zk)"), 0),
        (format!("or({never}:cardinality,node,hb,3,1)"), 1),
    ] {
        let spec = parse_spec(&format!("zk(3),{constraint}")).expect(&constraint);
        let warned = spec.warnings.iter().filter(|w| w.what.contains("can never start")).count();
        assert_eq!(warned, told, "{constraint}: {:?}", spec.warnings);
    }
    let counted = |text: &str| parse_spec(text).unwrap().warnings.iter().any(|w| w.what.contains("up to 3"));
    assert!(counted("zk(3),cardinality,node,zk,0,2"));
    assert!(counted("zk(3),and(cardinality,node,zk,0,2:in,rack,hb)"));
    assert!(!counted("zk(3),or(cardinality,node,zk,0,2:in,rack,hb)"));
}

/// A comma instead of the colon between two constraints: the parser accepts it, and the fix separates them.
#[test]
fn constraints_that_a_comma_joins_are_parted_again() {
    for (text, meant) in [
        ("zk(3),AND(NOTIN,NODE,zk,IN,NODE,hb)", "zk(3),AND(NOTIN,NODE,zk:IN,NODE,hb)"),
        ("zk(3),or(in,rack,a,b,notin,node,c)", "zk(3),or(in,rack,a,b:notin,node,c)"),
        (
            "zk(3),AND(IN,NODE,a:OR(IN,NODE,b,CARDINALITY,NODE,c,0,1))",
            "zk(3),AND(IN,NODE,a:OR(IN,NODE,b:CARDINALITY,NODE,c,0,1))",
        ),
    ] {
        let found = parse_spec(text).expect(text);
        let fix = found.warnings.iter().find(|p| p.what.contains("is a tag here")).expect(text);
        let (span, part) = (fix.span.expect(text), fix.fix.as_deref().expect(text));
        let mended = format!("{}{part}{}", &text[..span.start], &text[span.end..]);
        assert_eq!(mended, meant);
        let again = parse_spec(&mended).expect(meant);
        assert!(again.warnings.iter().all(|p| !p.what.contains("is a tag here")), "{meant}");
    }
    // A fix that the parser rejects is not offered.
    let none = parse_spec("zk(3),AND(NOTIN,NODE,zk,IN,b)").expect("accepted");
    assert!(none.warnings.iter().any(|w| w.what.contains("is a tag here") && w.fix.is_none()));
    // In a constraint alone there is nothing for a colon to separate.
    let alone = parse_spec("zk(3),NOTIN,NODE,zk,IN,NODE,hb").expect("accepted");
    let told = alone.warnings.iter().find(|p| p.what.contains("is a tag here")).expect("told");
    assert!(told.fix.is_none() && told.mend.contains("AND("));
}
