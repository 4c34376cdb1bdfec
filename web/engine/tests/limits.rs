//! Every limit as the page meets it: at the limit nothing is reported, beyond it a sentence names it. Texts of some megabytes
//! are answered with their first problems and a count.

use heddle_core::model::limits;
use heddle_engine::server::Server;
use heddle_view::protocol::{Ask, Reply, Request};
use heddle_view::{ImportTarget, Opening, Problem, ScenarioSource, Severity};

#[path = "../../../tests/src/limits.rs"]
mod table;

/// The server's turns until the document has been posted and, if possible, is being played.
const TURNS: usize = 3;

/// Returns the answer to opening a source: a notice or a refusal, and the problems.
fn told(source: ScenarioSource) -> (String, Vec<Problem>) {
    let mut server = Server::default();
    server.hear(Ask { id: 1, request: Request::Open { source, how: Opening::Chosen, version: 1 } });
    for _ in 0..TURNS {
        server.turn(&|| 0.0);
    }
    let (mut words, mut problems) = (String::new(), Vec::new());
    for answer in server.answers() {
        match answer.reply {
            Reply::NotOpened { why, .. } => words = why,
            Reply::Opened(opened) => words = opened.notice.unwrap_or_default(),
            Reply::Document(view) => problems = view.problems,
            _ => {}
        }
    }
    (words, problems)
}

fn of_text(text: &str) -> Vec<Problem> {
    told(ScenarioSource::Text(format!("heddle = 1\nuntil = 1\n{text}"))).1
}

fn errors(problems: &[Problem]) -> Vec<&str> {
    problems.iter().filter(|p| p.severity == Severity::Error).map(|p| p.what.as_str()).collect()
}

#[test]
fn at_a_limit_nothing_is_said_and_beyond_it_there_is_a_sentence() {
    let mut wrong = Vec::new();
    for (at, beyond, words) in table::cases() {
        let (there, out) = (of_text(&at), of_text(&beyond));
        let told = |problems: &[Problem]| problems.iter().any(|p| p.what.contains(words));
        if told(&there) || !told(&out) {
            let short = at.chars().take(60).collect::<String>();
            wrong.push(format!("{words}\n{short}\nat: {:?}\nbeyond: {:?}", errors(&there), errors(&out)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn a_text_and_a_link_have_their_limits() {
    let line = "# 4567890123456\n";
    let whole = line.repeat(limits::TEXT_BYTES / line.len());
    assert_eq!(whole.len(), limits::TEXT_BYTES);
    assert_eq!(told(ScenarioSource::Text(whole.clone())).1, []);
    let found = told(ScenarioSource::Text(whole + "#")).1;
    assert!(found.iter().any(|p| p.what.contains("up to 16 MB can be read")), "{found:?}");
    let link = |chars: usize| told(ScenarioSource::Link(format!("#1.{}", "A".repeat(chars - 2)))).0;
    assert!(link(limits::LINK_BYTES + 1).contains("links go up to 64 kB"));
    assert!(!link(limits::LINK_BYTES).contains("links go up to"));
}

/// If very many lines are wrong, the first hundred are reported with their places and the others are counted.
#[test]
fn of_very_many_problems_the_first_are_told_and_the_others_counted() {
    let many = 50_000;
    let found = of_text(&table::lines(many, |i| format!("x{i} = 1\n")));
    assert_eq!(found.len(), limits::PROBLEMS + 1);
    assert_eq!((found[0].place, found[99].place), (Some((3, 1)), Some((102, 1))));
    let rest = format!("There are {} more problems, not listed.", many - limits::PROBLEMS);
    assert_eq!(found[100].what, rest);
    let twice = "<property><name>yarn.scheduler.capacity.root.queues</name><value>a</value></property>\n";
    let text = format!("<configuration>\n{}</configuration>\n", twice.repeat(16_000));
    let mut server = Server::default();
    let request = Request::Import {
        name: "capacity-scheduler.xml".into(),
        text,
        more: vec![],
        target: ImportTarget::Open,
        with: vec![],
        version: 1,
    };
    server.hear(Ask { id: 1, request });
    server.turn(&|| 0.0);
    let report = server.answers().into_iter().find_map(|a| match a.reply {
        Reply::Imported { report, .. } => Some(report),
        _ => None,
    });
    let report = report.expect("it is reported");
    assert_eq!(report.problems.len(), limits::PROBLEMS + 1);
    assert!(report.problems.iter().any(|p| p.what.contains("is given again in line 4")), "{:?}", report.problems[1]);
}
