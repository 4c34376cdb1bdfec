//! The PlacementSpec editor: text with numbered, underlined clauses; its errors with a caret; each clause in English with the
//! number of nodes that fail it.

use crate::forms::make::{self, choice, plural, put, small};
use crate::forms::settings::{HANDLER, handler};
use crate::forms::{Editor, constraint, problems};
use crate::path;
use heddle_core::constraint::spec::{Spec, read_spec};
use heddle_core::model::order;
use heddle_core::scenario::{App, Shell, SpecText};
use heddle_view::form::{Code, CodeSpan, GroupShape, Head, Ink, Part, ReadLine, Source};
use heddle_view::{Change, Fixed, How, MatrixRow, Problem, Selection, Span};

/// The handlers and how each treats a request with a constraint.
const HANDLERS: [(&str, &str); 3] = [
    ("disabled", "every call with such a request is refused"),
    ("scheduler", "the CapacityScheduler places them one by one; what fits nowhere waits"),
    ("placement-processor", "placed in batches before the scheduler; what fits nowhere is rejected"),
];
/// The text for a handler of any other name.
const UNKNOWN: &str = "an unknown name: no handler, such requests reach the scheduler";

/// The words of the grammar.
const WORDS: [&str; 8] = ["NOTIN", "IN", "CARDINALITY", "AND", "OR", "NODE", "RACK", "DELAYED_OR"];

/// Returns the editor of one application's spec.
pub fn editor(e: &Editor<'_>, app: &App, spec: Option<&SpecText>) -> Part {
    let path = path!["apps", app.entry, "spec"];
    let text = e.written.text(&path);
    let read = (!text.trim().is_empty()).then(|| read_spec(&text));
    let (marks, told) = match &read {
        Some(Ok(read)) => (clauses(e, app, read, &text), told(e, spec, read)),
        Some(Err(error)) => {
            let problem = vec![error.problem.clone()];
            (problems::marks(&problem, &text), problem)
        }
        None => (vec![], vec![]),
    };
    let mut parts = handlers(e, app).to_vec();
    parts.push(Part::Code(Code {
        label: format!("PlacementSpec of {}", app.name),
        text: Source::Text(text.clone()),
        marks,
        long: false,
        error: matches!(read, Some(Err(_))),
        edit: put(format!("spec of {}", app.name), &path, How::Letters),
    }));
    if let Some(Err(error)) = &read {
        parts.extend(error.problem.span.map(|span| caret(span, &text)));
    }
    let mend = (Fixed::At(path.to_vec()), "fix of the spec");
    parts.extend(problems::list("PlacementSpec", &told, &text, Some(&mend)));
    match &read {
        Some(Ok(spec)) => {
            let tagged = spec.entries.iter().any(|entry| entry.source.is_some());
            if tagged && !e.written.text(&path!["apps", app.entry, "containers"]).is_empty() {
                parts.push(small("containers (-num_containers) is ignored: the spec says how many of each tag"));
            }
            parts.push(Part::Reads(reads(e, app, spec)));
            parts.push(as_requests(app));
        }
        Some(Err(_)) => parts.push(small("Running: the last good spec.")),
        None => {}
    }
    let head = Head { title: "PlacementSpec".into(), ..Head::default() };
    make::group("spec", GroupShape::Plain, Some(head), parts)
}

/// Returns the choice of the handler, and what it does.
fn handlers(e: &Editor<'_>, app: &App) -> [Part; 2] {
    let handler = e.of.scenario.map_or_else(|| "disabled".to_owned(), handler);
    let mut options = HANDLERS.map(|(name, _)| (name, name)).to_vec();
    if options.iter().all(|(name, _)| *name != handler) {
        options.push((&handler, &handler));
    }
    let does = HANDLERS.iter().find(|(name, _)| *name == handler).map_or(UNKNOWN, |h| h.1);
    let edit = make::edit("handler of constraints", Change::Site(HANDLER.into()));
    let choice = choice(&format!("a{}h", app.entry), "handler", &handler, &options, edit);
    [Part::Fields(vec![choice]), small(does)]
}

/// Returns the line of the error with a caret under the character.
fn caret(span: Span, text: &str) -> Part {
    let (line, col) = span.line_col(text);
    let shown = text.lines().nth(line - 1).unwrap_or_default();
    // A long line is shown only around the error.
    let from = col.saturating_sub(30);
    let near: String = shown.chars().skip(from).take(40).collect();
    let blanks = " ".repeat((col - 1).saturating_sub(from));
    Part::Caret(format!("{near}\n{blanks}"))
}

fn within(p: &Problem, place: Span) -> bool {
    p.span.is_some_and(|s| place.start <= s.start && s.end <= place.end)
}

/// Returns the place of the spec in the text, if it is still there.
fn place(e: &Editor<'_>, spec: Option<&SpecText>) -> Option<Span> {
    spec.filter(|w| e.of.text.get(w.span.start..w.span.end) == Some(w.text.as_str())).map(|w| w.span)
}

/// Returns whether the spec's editor shows a problem, so that the form need not repeat it.
pub fn tells(e: &Editor<'_>, app: &App, p: &Problem) -> bool {
    let Some(shell) = app.kind.get::<Shell>() else { return false };
    // A spec with an error does not run yet; its problem is recognised by its words.
    let typed = e.written.text(&path!["apps", app.entry, "spec"]);
    if let Some(Err(error)) = (!typed.trim().is_empty()).then(|| read_spec(&typed)) {
        return p.what == error.problem.what;
    }
    place(e, shell.spec.as_ref()).is_some_and(|place| within(p, place))
}

/// Returns the problems of a spec that YARN accepts: the document's at its place, which include proofs that something can
/// never be placed, or the spec's own if the document does not have it yet.
fn told(e: &Editor<'_>, written: Option<&SpecText>, read: &Spec) -> Vec<Problem> {
    let Some(place) = place(e, written) else { return read.warnings.clone() };
    let here = |p: &Problem| {
        let span = p.span.map(|s| Span::new(s.start - place.start, s.end - place.start));
        Problem { span, ..p.clone() }
    };
    e.of.problems.iter().filter(|p| within(p, place)).map(here).collect()
}

/// Returns the key of the request that the last answer is about, if it is this application's.
fn asked<'a>(e: &Editor<'a>, app: &App) -> Option<&'a String> {
    match e.of.why?.about.as_ref()? {
        Selection::Request { app: a, key } | Selection::Clause { app: a, key, .. } if *a == app.name => Some(key),
        _ => None,
    }
}

/// Returns how many nodes fail a clause.
fn stopped(e: &Editor<'_>, app: &App, clause: usize) -> usize {
    let (Some(why), Some(_)) = (e.of.why, asked(e, app)) else { return 0 };
    let column = why.matrix.checks.iter().position(|c| c.clause == Some(clause));
    let stops = |row: &&MatrixRow| column.and_then(|column| row.cells.get(column)).is_some_and(|cell| cell.first);
    why.matrix.rows.iter().filter(stops).map(|row| 1 + row.alike.len()).sum()
}

fn clauses(e: &Editor<'_>, app: &App, spec: &Spec, text: &str) -> Vec<CodeSpan> {
    let of = |span: Span, kind, number| CodeSpan { start: span.start, end: span.end, kind, number };
    let sources = spec.entries.iter().filter_map(|entry| entry.source.as_ref());
    let mut out: Vec<CodeSpan> = sources.map(|s| of(s.span, Ink::Tag, None)).collect();
    for clause in &spec.clauses {
        let kind = if stopped(e, app, clause.number) > 0 { Ink::Stops } else { Ink::Clause };
        out.push(of(clause.span, kind, Some(clause.number)));
    }
    // The words of the grammar, in clauses and around them.
    let mut at = 0;
    for word in text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')) {
        let start = text[at..].find(word).map_or(at, |o| at + o);
        if WORDS.iter().any(|w| w.eq_ignore_ascii_case(word)) {
            out.push(of(Span::new(start, start + word.len()), Ink::Word, None));
        }
        at = start + word.len();
    }
    // Outer stretches come first.
    order::sort_by_key(&mut out, |s| (s.start, std::cmp::Reverse(s.end)));
    out
}

/// Returns each clause in English, with the number of nodes that fail it.
fn reads(e: &Editor<'_>, app: &App, spec: &Spec) -> Vec<ReadLine> {
    let key = asked(e, app).filter(|_| spec.entries.len() == 1);
    let mut out = Vec::new();
    for entry in &spec.entries {
        let words = match &entry.source {
            Some(s) => format!("{} container{} tagged {}", s.count, plural(s.count as usize), s.tag.trim()),
            None => "containers".to_owned(),
        };
        out.push(ReadLine { words, ..ReadLine::default() });
        let Some(c) = &entry.constraint else { continue };
        let from = out.len();
        constraint::read(c, entry.source.as_ref().map(|s| s.tag.trim()), &mut entry.clauses.start.clone(), 0, &mut out);
        for line in &mut out[from..] {
            let Some(n) = line.clause else { continue };
            let selected = key.map(|key| Selection::Clause { app: app.name.clone(), key: key.clone(), n });
            line.button = Some(selected);
            let stops = stopped(e, app, n);
            if stops > 0 {
                line.stops = format!("{stops} node{}", plural(stops));
            }
        }
    }
    out
}

/// Returns the button that turns the spec into requests, which have a form.
fn as_requests(app: &App) -> Part {
    let edit = make::edit(format!("requests of {}", app.name), Change::SpecAsRequests { entry: app.entry });
    make::row(make::button("Build with a form", edit), "for what text cannot say")
}
