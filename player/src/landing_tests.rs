//! Which rule chose a queue, the rules before it and why they did not apply, under every scheduler; and where anybody's
//! application would go.

use crate::Player;
use crate::explain::view::{EventOutcome, FactView, Selection, WhyView};
use crate::fixtures::at;

const NODES: &str = "[[nodes]]\nname = \"n{1}\"\ncount = 2\nsize = \"8 GB/8\"\n";
const USERS: &str = "[users]\nann = [\"analysts\", \"staff\"]\nbob = [\"devs\", \"etl\"]\n";

fn app(name: &str, user: &str, queue: &str) -> String {
    let queue = if queue.is_empty() { String::new() } else { format!("queue = \"{queue}\"\n") };
    format!(
        "[[apps]]\nname = \"{name}\"\nat = \"1 s\"\nuser = \"{user}\"\n{queue}am = \"1 GB/1\"\n\
         tasks = [{{ count = 1, duration = \"forever\" }}]\n"
    )
}

fn capacity(rules: &str, apps: &str) -> Player {
    let text = format!(
        "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"1 min\"\n[capacity-scheduler]\nmaximum-am-resource-percent = 1\n\
         root.queues = \"default,etl,analysts\"\nroot.default.capacity = 40\nroot.etl.capacity = 30\nroot.analysts.capacity = 30\n\
         root.analysts.auto-create-child-queue.enabled = true\nroot.analysts.leaf-queue-template.capacity = 50\n\
         {rules}\n{USERS}{NODES}{apps}"
    );
    at(&text, 30)
}

fn fair(rules: &str, apps: &str) -> Player {
    let text = format!(
        "heddle = 1\nscheduler = \"fair\"\nuntil = \"1 min\"\n[files]\n\"fair-scheduler.xml\" = '''\n<allocations>\
         <queue name=\"etl\"/><queue name=\"devs\"><queue name=\"x\"/></queue><queuePlacementPolicy>{rules}</queuePlacementPolicy>\
         </allocations>\n'''\n{USERS}{NODES}{apps}"
    );
    at(&text, 30)
}

fn chosen(why: &WhyView) -> &FactView {
    why.facts.iter().find(|f| f.name == "queue chosen").unwrap_or_else(|| panic!("{:#?}", why.facts))
}

fn of_app(player: &Player, app: &str) -> WhyView {
    player.why(&Selection::App(app.to_string()))
}

/// Every way in which a rule decides or does not, in the record's words: rules, user, requested queue; what chose the queue;
/// the result of each rule.
#[test]
fn each_rule_that_was_asked_says_what_it_came_to() {
    let json = |rules: &str| format!("mapping-rule-format = \"json\"\nmapping-rule-json = '{{\"rules\":[{rules}]}}'");
    let user = |user: &str| format!("{{\"type\":\"user\",\"matches\":\"{user}\",");
    let rows: Vec<(String, &str, &str, &str, Vec<&str>)> = vec![
        ("".into(), "bob", "", "root.default, as it was submitted", vec!["there are no mapping rules: the queue"]),
        (
            "queue-mappings = \"u:ann:root.etl,g:etl:root.etl\"".into(),
            "bob",
            "",
            "root.etl, by mapping rule 2",
            vec![
                "rule 1, user ann to root.etl: the user is bob; the next rule is asked",
                "rule 2, group etl to root.etl: gives root.etl",
            ],
        ),
        (
            "queue-mappings = \"u:bob:root.etl\"".into(),
            "bob",
            "root.default",
            "root.default, as it was submitted",
            vec!["it names root.default, and queue-mappings-override.enable is false: no mapping rule is asked"],
        ),
        (
            "queue-mappings = \"u:bob:root.etl\"\nqueue-mappings-override.enable = true".into(),
            "bob",
            "root.default",
            "root.etl, by mapping rule 1",
            vec!["rule 1, user bob to root.etl: gives root.etl"],
        ),
        (
            "queue-mappings = \"u:%user:%primary_group.%user\"".into(),
            "bob",
            "",
            "root.default, by mapping rule 1",
            vec![
                "rule 1, any user to %primary_group.%user: it means devs.bob, and there is no queue devs; it falls back to %default, root.default",
            ],
        ),
        (
            "queue-mappings = \"u:%user:%primary_group.%user\"".into(),
            "ann",
            "",
            "root.analysts.ann, by mapping rule 1",
            vec!["rule 1, any user to %primary_group.%user: gives root.analysts.ann"],
        ),
        (
            json(&format!(
                "{}\"policy\":\"user\",\"parentQueue\":\"root.analysts\",\"create\":false}},{}\"policy\":\"setDefaultQueue\",\"value\":\"root.etl\"}},{}\"policy\":\"defaultQueue\"}}",
                user("*"),
                user("*"),
                user("*")
            )),
            "bob",
            "",
            "root.etl, by mapping rule 3",
            vec![
                "rule 1, any user to root.analysts.%user, create false: there is no queue root.analysts.bob, and create is false; the next rule is asked",
                "rule 2, any user: %default is root.etl: sets %default to root.etl; the next rule is asked",
                "rule 3, any user to %default, create false: gives root.etl",
            ],
        ),
    ];
    for (rules, user, queue, value, steps) in rows {
        let player = capacity(&rules, &app("job", user, queue));
        let fact = chosen(&of_app(&player, "job")).clone();
        assert_eq!(fact.value, value, "{rules}: {fact:?}");
        for (step, wanted) in fact.formula.iter().zip(&steps) {
            assert!(step.starts_with(wanted), "{rules}: {step}, not {wanted}");
        }
        assert_eq!(fact.formula.len(), steps.len(), "{rules}: {fact:?}");
        // Asking before the submission gives the same answer.
        let about = format!("landing:{user}//{queue}");
        let asked = player.why(&about.parse().expect("a selection"));
        assert_eq!(
            (chosen(&asked).value.as_str(), asked.fate),
            (value, Some(EventOutcome::Placed)),
            "{about}: {asked:?}"
        );
    }
}

#[test]
fn placement_rules_of_the_fair_scheduler_are_told_and_those_that_reject() {
    let rules = "<rule name=\"specified\" create=\"false\"/><rule name=\"primaryGroup\" create=\"false\"/>\
                 <rule name=\"secondaryGroupExistingQueue\"/><rule name=\"reject\"/>";
    let player = fair(rules, &[app("job", "bob", "root.nowhere"), app("no", "ann", "root.nowhere")].concat());
    let fact = chosen(&of_app(&player, "job")).clone();
    assert_eq!(fact.value, "root.devs, by placement rule 2", "{fact:?}");
    assert_eq!(
        fact.formula[0],
        "rule 1, specified: root.nowhere is not in the allocation file, and create is false; the next rule is asked"
    );
    let why = of_app(&player, "no");
    assert_eq!(chosen(&why).value, "none");
    let sentence = "the placement rules give it no queue (specified: root.nowhere is not in the allocation file, and create is \
                    false; primaryGroup: root.analysts is not in the allocation file, and create is false; \
                    secondaryGroupExistingQueue: no further group has a queue in the allocation file; reject: gives no queue \
                    to anybody)";
    assert!(why.sentence.contains(sentence), "{}", why.sentence);
    // With other groups it would be admitted.
    let asked = player.why(&"landing:ann/etl".parse().expect("a selection"));
    assert_eq!(asked.sentence, "An application of ann that asks for no queue goes to **root.etl**.");
}

#[test]
fn one_queue_moves_and_refusals_are_told() {
    let fifo =
        at(&format!("heddle = 1\nscheduler = \"fifo\"\nuntil = \"1 min\"\n{NODES}{}", app("job", "bob", "")), 30);
    let fact = chosen(&of_app(&fifo, "job")).clone();
    assert_eq!((fact.value.as_str(), fact.formula[0].as_str()), ("default", "the FifoScheduler has this queue only"));
    let happens = "[[happenings]]\nat = \"10 s\"\ndo = \"move_app\"\napp = \"job\"\nqueue = \"root.etl\"\n";
    let moved = capacity("queue-mappings = \"u:bob:root.default\"", &format!("{happens}{}", app("job", "bob", "")));
    let why = of_app(&moved, "job");
    assert_eq!(chosen(&why).value, "root.default, by mapping rule 1");
    let fact = why.facts.iter().find(|f| f.name == "moved").map(|f| f.value.as_str());
    assert_eq!(fact, Some("from root.default to root.etl at 0:10"));
    let rules = "mapping-rule-format = \"json\"\nmapping-rule-json = '{\"rules\":[{\"type\":\"group\",\"matches\":\"devs\",\"policy\":\"reject\"}]}'";
    let refused = of_app(&capacity(rules, &app("job", "bob", "")), "job");
    assert!(
        refused.sentence.contains("a mapping rule rejects it (group devs rejected: rejects it)"),
        "{}",
        refused.sentence
    );
    assert_eq!(chosen(&refused).formula, ["rule 1, group devs rejected: rejects it"]);
}

/// A waiting application says which rule put it into a queue that it did not ask for.
#[test]
fn who_waits_in_another_queue_is_told_why_it_is_there() {
    let apps = "[[apps]]\nname = \"mine\"\nat = \"1 s\"\nuser = \"bob\"\nam = \"1 GB/1\"\n\
                tasks = [{ count = 8, size = \"1 GB/1\", duration = \"forever\" }]\n";
    let player = capacity("queue-mappings = \"u:bob:root.etl\"\nroot.etl.maximum-capacity = 30", apps);
    let sentence = of_app(&player, "mine").sentence;
    assert!(sentence.ends_with(" Mapping rule 1 (user bob to root.etl) sends it to root.etl."), "{sentence}");
}
