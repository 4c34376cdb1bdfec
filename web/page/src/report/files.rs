//! The files of an import: what each is, what was read of it, what was not.

use crate::store::Go;
use crate::ui::mark::Mark;
use crate::ui::{mark, rich};
use crate::what;
use heddle_view::form::Part;
use heddle_view::{EventOutcome, FileView, ReadStatus};
use yew::prelude::*;

pub fn table(files: &[FileView], go: &Go) -> Html {
    html! {
        <table class="files">
            <thead><tr><th scope="col">{ "file" }</th><th scope="col">{ "is" }</th><th scope="col">{ "read" }</th><th scope="col">{ "not read" }</th></tr></thead>
            <tbody>{ for files.iter().map(|file| row(file, go)) }</tbody>
        </table>
    }
}

fn row(file: &FileView, go: &Go) -> Html {
    let (shape, word) = match file.status {
        ReadStatus::Read => (mark(Mark::Pass), "read: "),
        ReadStatus::Partly => (mark(EventOutcome::Waiting), "partly read: "),
        ReadStatus::NotRead => (mark(EventOutcome::Rejected), "not read: "),
    };
    let name = if file.name.is_empty() { "pasted text" } else { &file.name };
    let holds = match (file.status, file.holds.is_empty()) {
        (ReadStatus::NotRead, _) => "nothing",
        (_, true) => "all of it",
        _ => &file.holds,
    };
    let kept = (!file.kept.is_empty()).then(|| Part::Kept(file.kept.clone()));
    html! {
        <>
            <tr>
                <td class="fn"><span class="vh">{ word }</span>{ shape }{ " " }<bdi title={name.to_owned()}>{ name }</bdi></td>
                <td>{ &file.kind }</td>
                <td class="w">{ rich::rich(holds) }</td>
                <td>{ missed(file) }</td>
            </tr>
            if file.problems.is_some() || kept.is_some() {
                <tr class="under"><td colspan="4">
                    if let Some(problems) = &file.problems {
                        <details open={file.counts.0 > 0}><summary>{ format!("{} {name}", if file.counts == (0, 0) { "notes on" } else { "problems of" }) }</summary>{ what::alone(problems, go) }</details>
                    }
                    { for kept.iter().map(|part| what::alone(part, go)) }
                </td></tr>
            }
        </>
    }
}

/// Draws what was not read: errors, warnings, properties that nothing hangs on.
fn missed(file: &FileView) -> Html {
    let count = |n: usize, word: &str| match n {
        0 => None,
        1 => Some(format!("1 {word}")),
        n => Some(format!("{n} {word}s")),
    };
    let (errors, warnings) = file.counts;
    let kept = (!file.kept.is_empty()).then(|| format!("{} kept, not modelled", file.kept.len()));
    let parts: Vec<String> = [count(errors, "error"), count(warnings, "warning"), kept].into_iter().flatten().collect();
    if parts.is_empty() {
        return html! { <span class="dim">{ "–" }</span> };
    }
    let class = match file.counts {
        (0, 0) => "soft",
        (0, _) => "waiting",
        _ => "rejected",
    };
    html! { <span {class}>{ parts.join(", ") }</span> }
}
