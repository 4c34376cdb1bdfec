//! The parser itself, step by step as in placement-constraints.md 3.3. Every sub-parser either reports that the text is
//! not its own ([`Miss::NotMine`]), or what is wrong with it; the next one is tried in both cases, as in YARN.

use super::{DEPTH, SourceTag, SpecException};
use crate::constraint::order::{is_word, parse_int, trim};
use crate::constraint::{AttributeOp, Constraint, Scope, Single, Target, tree::UNLIMITED};
use crate::model::Span;

/// A stretch of the text and its position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'a> {
    pub text: &'a str,
    pub at: usize,
}

impl<'a> Piece<'a> {
    pub fn whole(text: &'a str) -> Self {
        Piece { text, at: 0 }
    }

    pub fn span(self) -> Span {
        Span::new(self.at, self.at + self.text.len())
    }

    /// An empty span at its end.
    pub fn end(self) -> Span {
        let end = self.at + self.text.len();
        Span::new(end, end)
    }

    fn cut(self, from: usize, to: usize) -> Self {
        Piece { text: &self.text[from..to], at: self.at + from }
    }

    pub fn trim(self) -> Self {
        let trimmed = trim(self.text);
        let blank = self.text.len() - self.text.trim_start_matches(|c: char| c <= ' ').len();
        Piece { text: trimmed, at: self.at + if trimmed.is_empty() { 0 } else { blank } }
    }

    /// Java's StringTokenizer: splits at any of the characters, runs of which collapse.
    fn tokens(self, is_delimiter: impl Fn(char) -> bool) -> Vec<Piece<'a>> {
        let mut out = Vec::new();
        let mut from = 0;
        for (i, c) in self.text.char_indices().filter(|(_, c)| is_delimiter(*c)) {
            if i > from {
                out.push(self.cut(from, i));
            }
            from = i + c.len_utf8();
        }
        if from < self.text.len() {
            out.push(self.cut(from, self.text.len()));
        }
        out
    }

    /// The fields between commas, trimmed.
    pub fn fields(self) -> Vec<Piece<'a>> {
        self.tokens(|c| c == ',').into_iter().map(Piece::trim).collect()
    }
}

/// Why a text is rejected, reported by the code that rejects it.
#[derive(Clone, Debug)]
pub(super) struct SpecFault {
    pub refused: SpecException,
    pub span: Span,
    pub what: String,
    pub expected: Vec<&'static str>,
    pub mend: String,
    pub fix: Option<String>,
    /// Whether the text does not show what was meant: then [`super::diagnose`] finds the words.
    pub vague: bool,
}

impl SpecFault {
    pub fn new(span: Span, what: impl Into<String>, expected: &[&'static str]) -> Self {
        SpecFault {
            refused: SpecException::Parse,
            span,
            what: what.into(),
            expected: expected.to_vec(),
            mend: String::new(),
            fix: None,
            vague: false,
        }
    }

    fn ran_out(mut self) -> Self {
        self.refused = SpecException::NoSuchElement;
        self
    }

    pub fn mend(mut self, mend: impl Into<String>) -> Self {
        self.mend = mend.into();
        self
    }

    pub fn fix(mut self, fix: impl Into<String>) -> Self {
        self.fix = Some(fix.into());
        self
    }

    fn vague(span: Span) -> Self {
        let mut fault = SpecFault::new(span, "This is no constraint.", CONSTRAINT);
        fault.vague = true;
        fault
    }
}

/// Why a sub-parser rejects a text.
enum Miss {
    NotMine,
    Wrong(Box<SpecFault>),
}

impl From<SpecFault> for Miss {
    fn from(fault: SpecFault) -> Self {
        Miss::Wrong(Box::new(fault))
    }
}

pub(super) const CONSTRAINT: &[&str] = &["IN", "NOTIN", "CARDINALITY", "AND(", "OR(", "name=value", "name!=value"];
const SCOPES: &[&str] = &["NODE", "RACK"];
const NAMESPACES: [&str; 5] = ["self", "not-self", "all", "app-id", "app-tag"];

/// A constraint and the positions of its leaves.
pub(super) struct Node {
    pub constraint: Constraint,
    pub leaves: Vec<LeafSpans>,
    pub ignored: Vec<Ignored>,
}

/// Text that the parser silently ignores.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ignored {
    /// `and…(` or `or…(`: the letters up to the bracket.
    Word { span: Span, all: bool },
    /// The text after the last bracket.
    Tail { span: Span },
}

/// The positions of a leaf, and of its tags or values.
#[derive(Clone, Debug)]
pub(super) struct LeafSpans {
    pub span: Span,
    pub values: Vec<Span>,
}

fn leaf(piece: Piece<'_>, values: Vec<Span>, single: Single) -> Node {
    Node {
        constraint: Constraint::Single(single),
        leaves: vec![LeafSpans { span: piece.trim().span(), values }],
        ignored: Vec::new(),
    }
}

pub(super) struct RawEntry {
    pub span: Span,
    pub source: Option<SourceTag>,
    pub constraint: Option<Node>,
}

/// A whole spec.
pub(super) fn spec(text: &str) -> Result<Vec<RawEntry>, SpecFault> {
    let mut entries = Vec::new();
    for piece in split_at_colons(Piece::whole(text)) {
        entries.push(entry(piece)?);
    }
    if entries.len() > 1
        && let Some(bare) = entries.iter().find(|e| e.source.is_none())
    {
        let what = "This entry has no source tag, and only a spec of one entry may do without.";
        return Err(SpecFault::new(bare.span, what, &["tag(count),"])
            .mend("Write the tag and the number of containers in front, such as zk(3),"));
    }
    Ok(entries)
}

/// One constraint alone.
pub(super) fn expression(text: &str) -> Result<Node, SpecFault> {
    one(Piece::whole(text), 0)
}

/// Splits at the colons outside brackets, as MultipleConstraintsTokenizer does: it keeps a stack of the positions of
/// `:` and `(`; each `)` pops back to the last `(`; every position left on it is a split.
pub(super) fn split_at_colons(piece: Piece<'_>) -> Vec<Piece<'_>> {
    let bytes = piece.text.as_bytes();
    let mut stack: Vec<usize> = Vec::new();
    for (i, b) in bytes.iter().enumerate() {
        match b {
            b':' | b'(' => stack.push(i),
            b')' => while stack.pop().is_some_and(|at| bytes[at] != b'(') {},
            _ => {}
        }
    }
    if stack.is_empty() {
        return vec![piece];
    }
    let mut out = Vec::new();
    let mut from = 0;
    for at in stack {
        if at > from {
            out.push(piece.cut(from, at));
        }
        from = at + 1;
    }
    if from < piece.text.len() {
        out.push(piece.cut(from, piece.text.len()));
    }
    out
}

fn entry(piece: Piece<'_>) -> Result<RawEntry, SpecFault> {
    let span = piece.span();
    if let Some(at) = piece.text.find("),") {
        let source = source(piece.cut(0, at + 1))?;
        let constraint = one(piece.cut(at + 2, piece.text.len()), 0)?;
        return Ok(RawEntry { span, source: Some(source), constraint: Some(constraint) });
    }
    match attribute(piece) {
        Ok(node) => Ok(RawEntry { span, source: None, constraint: Some(node) }),
        Err(_) => Ok(RawEntry { span, source: Some(source(piece)?), constraint: None }),
    }
}

/// `tag(count)`: the tag is not trimmed, the count is an integer without blanks.
pub(super) fn source(piece: Piece<'_>) -> Result<SourceTag, SpecFault> {
    let tokens = piece.tokens(|c| c == '(');
    let [tag, count] = tokens.as_slice() else {
        let mut fault = SpecFault::new(
            piece.span(),
            "An entry begins with a source tag and a count.",
            &["tag(count)", "name=value", "name!=value"],
        );
        fault.vague = true;
        return Err(fault);
    };
    let Some(digits) = count.text.strip_suffix(')') else {
        return Err(SpecFault::new(count.end(), "The count of the source tag is not closed.", &[")"]).fix(")"));
    };
    let count_piece = Piece { text: digits, at: count.at };
    let Some(value) = parse_int(digits) else {
        let fault = SpecFault::new(
            count_piece.span(),
            format!("The count `{digits}` is no whole number that fits in 32 bits."),
            &["a whole number"],
        );
        let trimmed = trim(digits);
        return Err(if trimmed != digits && parse_int(trimmed).is_some() {
            fault.mend("No blanks may stand around the count.").fix(trimmed)
        } else {
            fault
        });
    };
    Ok(SourceTag { tag: tag.text.into(), count: value, span: tag.span(), count_span: count_piece.span() })
}

/// A parser of one form of a constraint, at a depth of nesting.
type Form = fn(Piece<'_>, usize) -> Result<Node, Miss>;

/// One constraint: tries target, cardinality, conjunction, attribute, in this order; the first that accepts it wins.
fn one(piece: Piece<'_>, depth: usize) -> Result<Node, SpecFault> {
    let mut best: Option<Box<SpecFault>> = None;
    let forms: [Form; 4] =
        [|piece, _| target(piece), |piece, _| cardinality(piece), conjunction, |piece, _| attribute(piece)];
    for form in forms {
        match form(piece, depth) {
            Ok(node) => return Ok(node),
            Err(Miss::NotMine) => {}
            // The parser does not catch this one, so nothing else is tried.
            Err(Miss::Wrong(fault)) if fault.refused == SpecException::NoSuchElement => return Err(*fault),
            Err(Miss::Wrong(fault)) => best = best.or(Some(fault)),
        }
    }
    Err(best.map_or_else(|| SpecFault::vague(piece.span()), |fault| *fault))
}

fn scope(piece: Piece<'_>) -> Result<Scope, SpecFault> {
    if is_word(piece.text, "node") {
        return Ok(Scope::Node);
    }
    if is_word(piece.text, "rack") {
        return Ok(Scope::Rack);
    }
    Err(SpecFault::new(
        piece.span(),
        format!("`{}` is no scope; YARN counts within a node or a rack.", piece.text),
        SCOPES,
    ))
}

/// `[namespace/]tag`: the namespace is one of the five bare keywords.
fn namespaced_tag(piece: Piece<'_>) -> Result<Target, SpecFault> {
    let Some(slash) = piece.text.rfind('/') else {
        return Ok(Target::own_tags([piece.text]));
    };
    let (namespace, tag) = (&piece.text[..slash], &piece.text[slash + 1..]);
    if NAMESPACES.contains(&namespace) {
        return Ok(Target::tags(namespace, [tag]));
    }
    let span = piece.cut(0, slash).span();
    let lower = namespace.to_lowercase();
    let first = namespace.split('/').next().unwrap_or_default().to_lowercase();
    let fault = SpecFault::new(
        span,
        format!("`{namespace}` is no namespace that the text form knows."),
        &["self", "not-self", "all", "app-id", "app-tag"],
    );
    Err(if NAMESPACES.contains(&lower.as_str()) {
        fault.mend("Namespaces are written in lower case.").fix(lower)
    } else if first == "app-id" || first == "app-tag" {
        fault.mend(format!(
            "The manual writes {first}/NAME/tag, but the parser does not take it: such a constraint can only be built by a program (the builder)."
        ))
    } else {
        fault
    })
}

fn targets(tags: &[Piece<'_>]) -> Result<Vec<Target>, SpecFault> {
    tags.iter().map(|t| namespaced_tag(*t)).collect()
}

/// `in|notin , scope , tag…`.
fn target(piece: Piece<'_>) -> Result<Node, Miss> {
    let fields = piece.fields();
    let Some(word) = fields.first() else {
        let what = "A constraint is expected here.";
        return Err(SpecFault::new(piece.end(), what, CONSTRAINT).ran_out().into());
    };
    let (min, max) = match word.text {
        w if is_word(w, "in") => (1, UNLIMITED),
        w if is_word(w, "notin") => (0, 0),
        _ => return Err(Miss::NotMine),
    };
    let Some(scope_field) = fields.get(1) else {
        let what = format!("`{}` wants a scope and the tags.", word.text);
        return Err(SpecFault::new(word.end(), what, &[",NODE,tag", ",RACK,tag"]).ran_out().into());
    };
    let scope = scope(*scope_field)?;
    let targets = targets(&fields[2..])?;
    let values = fields[2..].iter().map(|t| t.span()).collect();
    Ok(leaf(piece, values, Single::new(scope, min, max, AttributeOp::NoOp, targets)))
}

/// `cardinality , scope , tag… , min , max`.
fn cardinality(piece: Piece<'_>) -> Result<Node, Miss> {
    let fields = piece.fields();
    if !fields.first().is_some_and(|word| is_word(word.text, "cardinality")) {
        return Err(Miss::NotMine);
    }
    let Some(scope_field) = fields.get(1) else {
        let what = "`cardinality` wants a scope, the tags, a minimum and a maximum.";
        return Err(SpecFault::new(piece.end(), what, &[",NODE,tag,min,max", ",RACK,tag,min,max"]).into());
    };
    let scope = scope(*scope_field)?;
    let [tags @ .., min_field, max_field] = &fields[2..] else {
        let what = "After the scope come the tags, a minimum and a maximum.";
        return Err(SpecFault::new(piece.end(), what, &[",tag,min,max"]).into());
    };
    if tags.is_empty() {
        let what = "After the scope come at least one tag, a minimum and a maximum.";
        return Err(SpecFault::new(min_field.span(), what, &["tag,min,max"]).into());
    }
    let number = |field: &Piece<'_>, name: &str| {
        parse_int(field.text).ok_or_else(|| {
            let what = format!("The {name} `{}` is no whole number that fits in 32 bits.", field.text);
            SpecFault::new(field.span(), what, &["a whole number"])
        })
    };
    let max = number(max_field, "maximum")?;
    let min = number(min_field, "minimum")?;
    let targets = targets(tags)?;
    let values = tags.iter().map(|t| t.span()).collect();
    Ok(leaf(piece, values, Single::new(scope, min, max, AttributeOp::NoOp, targets)))
}

/// `and(…)`, `or(…)`: text between the word and the first `(` is ignored, and text after the last `)`.
fn conjunction(piece: Piece<'_>, depth: usize) -> Result<Node, Miss> {
    let begins = |words: [&str; 2]| words.iter().any(|w| piece.text.starts_with(w));
    let all = begins(["and", "AND"]);
    if !all && !begins(["or", "OR"]) {
        return Err(Miss::NotMine);
    }
    let Some(open) = piece.text.find('(') else { return Err(Miss::NotMine) };
    let Some(close) = piece.text.rfind(')').filter(|close| *close > open) else {
        let what = "The bracket is never closed.";
        return Err(SpecFault::new(piece.end(), what, &[")"]).fix(")").into());
    };
    if depth == DEPTH {
        let what = format!("AND and OR are nested more than {DEPTH} deep.");
        return Err(SpecFault::new(piece.span(), what, &[]).into());
    }
    let mut children = Vec::new();
    let mut leaves = Vec::new();
    let mut ignored = Vec::new();
    if open > if all { 3 } else { 2 } {
        ignored.push(Ignored::Word { span: piece.cut(0, open).span(), all });
    }
    if !trim(&piece.text[close + 1..]).is_empty() {
        ignored.push(Ignored::Tail { span: piece.cut(close + 1, piece.text.len()).span() });
    }
    for child in split_at_colons(piece.cut(open + 1, close)) {
        let node = one(child.trim(), depth + 1)?;
        children.push(node.constraint);
        leaves.extend(node.leaves);
        ignored.extend(node.ignored);
    }
    let constraint = if all { Constraint::And(children) } else { Constraint::Or(children) };
    Ok(Node { constraint, leaves, ignored })
}

/// `name=value , value…`, `name!=value , value…`: only the first field has a name.
fn attribute(piece: Piece<'_>) -> Result<Node, Miss> {
    let mut named: Option<(String, AttributeOp)> = None;
    let mut values: Vec<String> = Vec::new();
    let mut spans = Vec::new();
    for (i, field) in piece.fields().into_iter().enumerate() {
        let mut parts = field.tokens(|c| c == '!' || c == '=');
        if parts.len() < 2 {
            parts = field.tokens(|c| c == '=');
        }
        let [name, value, ..] = parts.as_slice() else {
            values.push(field.text.into());
            spans.push(field.span());
            continue;
        };
        if i > 0 {
            let what = "Only the first field of an attribute test may be name=value.";
            return Err(SpecFault::new(field.span(), what, &["a value"])
                .mend("Join two attribute tests with AND(java=1.8:python=2.7), behind a source tag.")
                .into());
        }
        let op = if field.text.contains("!=") {
            AttributeOp::Ne
        } else if field.text.contains('=') {
            AttributeOp::Eq
        } else {
            let what = "An attribute's name and value are joined with = or !=.";
            return Err(SpecFault::new(field.span(), what, &["name=value", "name!=value"]).into());
        };
        named = Some((name.text.into(), op));
        values.push(value.text.into());
        spans.push(value.span());
    }
    let Some((name, op)) = named else { return Err(Miss::NotMine) };
    crate::model::order::sort_by(&mut values, |a, b| a.encode_utf16().cmp(b.encode_utf16()));
    values.dedup();
    let targets = [Target::Attribute { name, values }];
    Ok(leaf(piece, spans, Single::new(Scope::Node, -1, -1, op, targets)))
}
