//! All sentences on one page, each with none, one, two and many of what it counts and lists, with and without its optional
//! parts, so that an editor can read them from top to bottom. `docs/sentences.md` is that page; `cargo xtask sentences` writes
//! it. A sentence without a row here fails the test, so that every sentence gets read.

mod preemption;
mod rounds;
mod run;
pub mod samples;
mod waiting;

use super::nodes::NodeWords;
use samples::Sampling;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The path of a function of `say`, and its texts for one [`Sampling`].
pub type SampleRow = (&'static str, fn(&Sampling) -> Vec<String>);

macro_rules! rows {
    ($t:ident; $($first:ident $(:: $rest:ident)* ($($argument:expr),* $(,)?)),* $(,)?) => {
        &[$((
            concat!(stringify!($first) $(, "::", stringify!($rest))*),
            |$t: &$crate::explain::say::page::samples::Sampling| {
                let _ = $t;
                $crate::explain::say::page::SampleLines::told($first $(:: $rest)* ($($argument),*))
            },
        )),*]
    };
}
pub(crate) use rows as table;

/// The rows of a kind of application.
pub struct Page {
    pub rows: &'static [SampleRow],
    /// See [`OF_A_PLAYED_CLUSTER`].
    pub of_a_played_cluster: &'static [&'static str],
}

/// The return types of functions of `say`, as lines.
pub trait SampleLines {
    fn told(self) -> Vec<String>;
}

impl SampleLines for String {
    fn told(self) -> Vec<String> {
        vec![self]
    }
}

impl SampleLines for &str {
    fn told(self) -> Vec<String> {
        vec![self.to_string()]
    }
}

impl SampleLines for Vec<String> {
    fn told(self) -> Vec<String> {
        vec![self.join(" · ")]
    }
}

impl SampleLines for (String, Vec<String>) {
    fn told(self) -> Vec<String> {
        vec![format!("{}: {}", self.0, self.1.join(" · "))]
    }
}

impl SampleLines for (&str, &str) {
    fn told(self) -> Vec<String> {
        vec![format!("{}: {}", self.0, self.1)]
    }
}

impl SampleLines for NodeWords {
    fn told(self) -> Vec<String> {
        vec![format!("{} ({})", self.has, self.short)]
    }
}

/// Functions whose words need a played cluster: `tests/tests/read_back.rs` reads them back, `tests/tests/checks.rs` makes sure
/// that every check has words.
const OF_A_PLAYED_CLUSTER: &[&str] = &[
    "checks::wants",
    "checks::wants_joined",
    "checks::is_own",
    "checks::title",
    "checks::clause_title",
    "checks::yarn",
    "checks::bucket",
    "checks::circumstance",
    "events::unreserved",
    "events::ended",
    "landing::not_taken",
    "landing::would_be_refused",
    "landing::mapping",
    "landing::placement",
    "landing::mapping_outcome",
    "landing::placement_outcome",
    "orders::of_shares",
    "preemption::comes",
    "refusals::rule",
    "refused::of_act",
    "events::changed_nothing",
    "runs::conditions",
    "runs::broken",
    "shares::how",
    "shares::share",
    "shares::part",
    "verdicts::yarn",
    "verdicts::failed",
    "verdicts::failure",
    "verdicts::heading",
    "verdicts::short",
    "verdicts::short_of",
    "verdicts::is_left_by_parent",
    "verdicts::kept",
    "verdicts::reserved",
    "verdicts::wants_nothing",
    "waits::short_check",
    "waits::is_of_rack",
];

fn rows() -> impl Iterator<Item = &'static SampleRow> {
    let of_kinds = crate::apps::PAGES.iter().flat_map(|page| page.rows);
    [waiting::ROWS, run::ROWS, preemption::ROWS, rounds::ROWS].into_iter().flatten().chain(of_kinds)
}

/// Returns the files of `say` without this page, by their module paths, and those of the kinds of applications.
fn sources() -> Vec<(String, String)> {
    fn add(dir: &Path, module: &str, out: &mut Vec<(String, String)>) {
        let mut files: Vec<PathBuf> =
            std::fs::read_dir(dir).expect("the folder").map(|e| e.expect("a file").path()).collect();
        files.sort();
        for file in files {
            let stem = file.file_stem().and_then(|s| s.to_str()).unwrap_or_default().to_string();
            let path = if module.is_empty() { stem.clone() } else { format!("{module}::{stem}") };
            if stem == "page" || stem == "mod" {
                continue;
            }
            if file.is_dir() {
                add(&file, &path, out);
            } else {
                out.push((path, std::fs::read_to_string(&file).expect("a text")));
            }
        }
    }
    let mut out = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    add(&root.join("explain/say"), "", &mut out);
    let kinds = std::fs::read_dir(root.join("apps")).expect("the kinds").map(|e| e.expect("a kind").path());
    for folder in kinds.filter(|path| path.is_dir()).collect::<BTreeSet<PathBuf>>() {
        let kind = folder.file_name().and_then(|s| s.to_str()).unwrap_or_default();
        for (file, module) in [("say.rs", kind.to_string()), ("say_books.rs", format!("{kind}_books"))] {
            out.extend(std::fs::read_to_string(folder.join(file)).ok().map(|text| (module, text)));
        }
    }
    out
}

/// Returns the names of a file's public functions.
fn functions(text: &str) -> impl Iterator<Item = &str> {
    let starts = ["pub fn ", "pub const fn ", "pub(crate) fn ", "pub(super) fn "];
    text.lines().filter_map(move |line| starts.iter().find_map(|start| line.strip_prefix(start))).map(|rest| {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        &rest[..end]
    })
}

/// Returns the fixed words: the texts of a file's constants.
fn constants(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for declared in text.split("\npub const ").skip(1) {
        let declared = declared.split(";\n").next().unwrap_or_default();
        let Some((_, value)) = declared.split_once('=') else { continue };
        let texts: Vec<&str> = value.split('"').skip(1).step_by(2).filter(|text| text.contains(' ')).collect();
        out.extend(texts.iter().map(|text| text.split("\\\n").map(str::trim_start).collect::<String>()));
    }
    out
}

/// Returns a sentence without its figures: sentences that differ in nothing else are shown once.
fn form(line: &str) -> String {
    let mut out = String::new();
    for c in line.chars() {
        match c {
            '0'..='9' if out.ends_with('#') => {}
            '0'..='9' => out.push('#'),
            c => out.push(c),
        }
    }
    out
}

/// Returns the page.
fn page() -> String {
    let mut out = String::from(
        "# Every sentence\n\nMade by `cargo xtask sentences` from the templates in `player/src/explain/say` and `player/src/apps`; a test keeps it as it is made. Each \
         template is told with\nmany, one, two and nothing of what it counts and lists, and without what it may leave out.\n",
    );
    for (module, text) in sources() {
        let mut lines: Vec<String> = Vec::new();
        let mut forms = BTreeSet::new();
        for (_, row) in rows().filter(|(path, _)| path.rsplit_once("::").is_some_and(|(m, _)| m == module)) {
            for line in samples::turns(*row) {
                let form = form(&line);
                if !forms.contains(&form) && !line.trim().is_empty() {
                    lines.push(line);
                    forms.insert(form);
                }
            }
        }
        lines.extend(constants(&text));
        if lines.is_empty() {
            continue;
        }
        let _ = write!(out, "\n## {module}\n\n");
        for line in lines {
            let _ = writeln!(out, "* {}", line.trim().replace('<', "&lt;").replace('|', "\\|"));
        }
    }
    out
}

#[test]
fn every_sentence_is_on_the_page() {
    let of_kinds = crate::apps::PAGES.iter().flat_map(|page| page.of_a_played_cluster);
    let played = OF_A_PLAYED_CLUSTER.iter().chain(of_kinds).copied();
    let there: BTreeSet<&str> = rows().map(|(path, _)| *path).chain(played).collect();
    let mut said = BTreeSet::new();
    for (module, text) in sources() {
        said.extend(functions(&text).map(|name| format!("{module}::{name}")));
    }
    let missing: Vec<&String> = said.iter().filter(|path| !there.contains(path.as_str())).collect();
    let gone: Vec<&&str> = there.iter().filter(|path| !said.contains(**path)).collect();
    assert!(missing.is_empty() && gone.is_empty(), "without a row: {missing:?}; rows without a function: {gone:?}");
}

#[test]
fn the_page_is_as_it_is_made() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/sentences.md");
    let made = page();
    if std::env::var_os("HEDDLE_WRITE").is_some() {
        std::fs::write(&file, &made).expect("docs/sentences.md is written");
    }
    let there = std::fs::read_to_string(&file).unwrap_or_default();
    let other = there.lines().zip(made.lines()).find(|(a, b)| a != b);
    assert!(there == made, "`cargo xtask sentences` writes docs/sentences.md anew; first difference: {other:?}");
}

/// Checks for slips that no sentence may have: two spaces, an empty hole, a plural after one, a singular after many.
#[test]
fn no_sentence_slips() {
    let slips = ["  ", " ,", " .", "..", "****", " ;", "( ", " )", "()", ": .", ", and ."];
    let mut found = Vec::new();
    for (path, row) in rows() {
        for line in samples::turns(*row) {
            let number = |n: &str, plural: bool| {
                line.split(|c: char| c.is_whitespace() || "(:;".contains(c)).collect::<Vec<_>>().windows(2).any(
                    |pair| {
                        let word = pair[1].trim_matches(|c: char| !c.is_alphanumeric());
                        let counted = [
                            "node",
                            "container",
                            "application",
                            "request",
                            "queue",
                            "vcore",
                            "round",
                            "instance",
                            "task",
                        ];
                        pair[0] == n
                            && counted
                                .iter()
                                .any(|one| word == if plural { format!("{one}s") } else { (*one).to_string() })
                    },
                )
            };
            if slips.iter().any(|slip| line.contains(slip)) || number("1", true) || number("2", false) {
                found.push(format!("{path}: {line}"));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
