//! Constraints are explained in the sentence, the headline, the buckets and the matrix: every scope × every operator × one,
//! two and many nodes.

use crate::explain::view::Selection;
use crate::fixtures::at;

/// Numbers of nodes and racks.
const GROUNDS: [(usize, usize); 4] = [(1, 1), (2, 1), (2, 2), (5, 5)];

fn text(spec: &str, other: &str, (nodes, racks): (usize, usize)) -> String {
    let mut text = "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"1 min\"\n[yarn-site]\n\
                    resourcemanager.placement-constraints.handler = \"scheduler\"\n[capacity-scheduler]\n\
                    root.queues = \"default\"\nroot.default.capacity = 100\nroot.default.user-limit-factor = 10\n\
                    maximum-am-resource-percent = 1.0\n"
        .to_string();
    for i in 0..nodes {
        let java = if i % 2 == 0 { "8" } else { "11" };
        text.push_str(&format!(
            "[[nodes]]\nname = \"n{}\"\nrack = \"/r{}\"\nsize = \"16 GB/16\"\nattributes = {{ java = \"{java}\" }}\n",
            i + 1,
            i % racks + 1
        ));
    }
    let mut app = |name: &str, at: &str, spec: &str| {
        text.push_str(&format!(
            "[[apps]]\nname = \"{name}\"\nat = \"{at}\"\nuser = \"u\"\nkind = \"distributed-shell\"\nam = \"1 GB/1\"\n\
             spec = \"{spec}\"\nsize = \"1 GB/1\"\nduration = \"forever\"\n"
        ));
    };
    if !other.is_empty() {
        app("other", "0 s", other);
    }
    app("zk", "5 s", spec);
    text
}

/// The spec that leaves something waiting, what else runs, what is needed, and what each node or rack must be said to have.
fn rows(scope: &str, nodes: usize) -> Vec<(String, String, &'static str, &'static str)> {
    let one_more = nodes + 1;
    let everywhere = format!("web({nodes}),NOTIN,NODE,web");
    vec![
        (format!("zk({one_more}),NOTIN,{scope},zk"), String::new(), "without zk", "zk"),
        (format!("zk({}),CARDINALITY,{scope},zk,0,1", 2 * nodes + 1), String::new(), "with at most 1 zk", "2 zk"),
        (
            format!("zk(1),IN,{scope},all/web"),
            String::new(),
            "with web of any application",
            "no web of any application",
        ),
        (format!("zk(1),NOTIN,{scope},all/web"), everywhere.clone(), "without web of any application", "other-"),
        (
            format!("zk(1),NOTIN,{scope},not-self/web"),
            everywhere.clone(),
            "without web of other applications",
            "other-",
        ),
        (
            format!("zk(1),CARDINALITY,{scope},not-self/web,7,9"),
            everywhere,
            "with 7 to 9 web of other applications",
            "of other applications",
        ),
        (format!("zk({one_more}),AND(IN,{scope},all/web:NOTIN,{scope},zk)"), String::new(), "with web", "no web"),
        (format!("zk({one_more}),OR(IN,{scope},web:NOTIN,{scope},zk)"), String::new(), "or ", "zk-"),
    ]
}

#[test]
fn every_scope_and_operator_is_read_as_what_it_is() {
    let mut wrong = Vec::new();
    for ground in GROUNDS {
        for scope in ["NODE", "RACK"] {
            for (spec, other, needs, has) in rows(scope, ground.0) {
                let player = at(&text(&spec, &other, ground), 30);
                let snapshot = player.snapshot(None);
                let mine = |id: &&Selection| id.app() == Some("zk");
                let Some(about) = snapshot.waiting.iter().map(|w| &w.id).find(mine) else {
                    wrong.push(format!("{ground:?} {spec}: nothing waits"));
                    continue;
                };
                let why = player.why(about);
                let rack = scope == "RACK";
                let mut must = |what: &str, holds: bool, text: &str| {
                    if !holds {
                        wrong.push(format!("{ground:?} {spec}: {what}: {text}"));
                    }
                };
                let sentence = &why.sentence;
                let (first, rest) = sentence.split_once(". ").unwrap_or((sentence, ""));
                let said = if rack { needs.replacen("or ", "or in a rack ", 1) } else { needs.to_string() };
                must("what it needs", first.contains(&said), sentence);
                // Many nodes are described by what they have in common.
                let has = match ground.0 {
                    0..=3 => has,
                    _ if needs.contains("web") => "web",
                    _ => "zk",
                };
                must("what is there", rest.contains(has) || rest.contains(&has.replace("no ", "without ")), sentence);
                must("the scope of what it needs", first.contains("rack") == rack, sentence);
                must("the scope of what is there", rest.to_lowercase().contains("rack") == rack, sentence);
                for bucket in &why.buckets {
                    must("the scope of a bucket", bucket.text.contains("rack") == rack, &bucket.text);
                    let words = bucket.text.split_once(' ').map_or("", |(_, words)| words);
                    let plural = ["lack ", "run ", "have "].iter().any(|verb| words.starts_with(verb));
                    let singular = ["lacks ", "runs ", "has "].iter().any(|verb| words.starts_with(verb));
                    must("the number of a bucket", if bucket.count == 1 { !plural } else { !singular }, &bucket.text);
                }
                let clause = why.matrix.checks.iter().find(|c| c.clause.is_some()).map_or("", |c| &c.title);
                must("the scope of a heading", clause.contains("rack") == rack, clause);
                let about_it = snapshot.headline.contains("zk") && snapshot.headline_about.as_ref() == Some(about);
                let told = !about_it || snapshot.headline.contains("rack") == rack;
                must("the scope of the headline", told, &snapshot.headline);
            }
        }
        // Attributes have no scope.
        for (spec, needs, has) in [
            ("zk(1),java=17", "java is nowhere 17", "it is"),
            ("zk(6),AND(java=8:NOTIN,NODE,zk)", "without zk", "zk-1"),
        ] {
            let player = at(&text(spec, "", ground), 30);
            let about = player.snapshot(None).waiting[0].id.clone();
            let sentence = player.why(&about).sentence;
            if !sentence.contains(needs) || (ground.0 <= 3 && !sentence.contains(has)) {
                wrong.push(format!("{ground:?} {spec}: {sentence}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
