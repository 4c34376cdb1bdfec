//! Lists in forms: applications, refreshes, problems, a constraint in English.

use crate::store::{ColourBy, Go, LookAt, Msg, Palette};
use crate::ui::rich::{plain, rich};
use crate::ui::{Mark, Segment, mark, names, vars};
use heddle_view::form::{AppLine, Button, ProblemLine, ReadLine, Refresh};
use heddle_view::{EventOutcome, Selection, Severity};
use yew::prelude::*;

/// Draws applications with what each has and waits for.
pub fn apps(list: &[AppLine], more: usize, palette: &Palette, by: ColourBy) -> Html {
    let shared = names::InCommon::of(list.iter().map(|a| a.name.as_str()));
    let line = |a: &AppLine| {
        let id = Selection::App(a.name.clone()).to_string();
        let refused = !a.refused.is_empty();
        html! {
            <li key={a.name.clone()}><button type="button" data-item="" tabindex="-1" data-sel={id.clone()} data-family={id} aria-pressed={a.chosen.to_string()}>
                <i class={classes!("sw", palette.of(by, &a.name))}/>
                <span class="nm" title={format!("{} {}", a.name, a.whose)}>{ shared.name(&a.name) }<span>{ format!(" {}", a.whose) }</span></span>
                <span class="num" title={refused.then(|| plain(&a.refused))}>if refused { { mark(EventOutcome::Rejected) }{ " " } }{ &a.progress }</span>
                <span class="num">if a.waiting > 0 { { mark(EventOutcome::Waiting) }{ format!(" {}", a.waiting) }<span class="vh">{ " waiting" }</span> }</span>
            </button></li>
        }
    };
    html! {
        <ul class="apps" data-roving="" aria-label="Applications">
            { for list.iter().map(line) }
            if more > 0 { <li class="eyebrow">{ format!("and {more} more") }</li> }
        </ul>
    }
}

/// Draws when changes of queues apply, and the existing refreshes.
pub fn refreshes(refresh: bool, note: &str, list: &[Refresh], go: &Go) -> Html {
    let one = |r: &Refresh| {
        let at = r.at_ms;
        let edit = r.remove.clone();
        let remove = go.reform(move |_: MouseEvent| Msg::Change { edit: edit.clone(), typed: String::new() });
        html! {
            <div class="msg"><span/><div>{ "Refreshed at " }<button type="button" class="link" onclick={go.reform(move |_: MouseEvent| Msg::Seek(at))}>{ &r.label }</button>
                { " " }<button type="button" class="link" aria-label={format!("Remove the refresh at {}", r.label)} onclick={remove}>{ "remove" }</button>
                if let Some((yarn, mend)) = &r.refused { <><div class="rejected">{ "The ResourceManager refuses it: " }{ yarn }</div><div class="mend">{ mend }</div></> }</div></div>
        }
    };
    html! {
        <div class="apply">
            <span class="eyebrow">{ "A change applies" }</span>
            <Segment label="A change of the queues applies" options={vec!["from the start", "as a refresh now"]} chosen={usize::from(refresh)}
                on={go.reform(|i| Msg::Look(LookAt::Refresh(i == 1)))}/>
            if !note.is_empty() { <p class="eyebrow">{ note }</p> }
            { for list.iter().map(one) }
        </div>
    }
}

/// Returns the id of a list of problems.
pub fn problems_id(of: &str) -> String {
    format!("problems-of-{of}")
}

/// Draws problems with their places; `of` names the text for screen readers.
pub fn problems(of: &str, list: &[ProblemLine], more: usize, button: impl Fn(&Button) -> Html) -> Html {
    let one = |p: &ProblemLine| {
        let (shape, word) = match p.severity {
            Severity::Error => (mark(EventOutcome::Rejected), "error: "),
            Severity::Warning => (mark(EventOutcome::Waiting), "warning: "),
            Severity::Note => (mark(Mark::Outside), "note: "),
        };
        let place = p.place.map(|(line, col)| format!("Line {line}, column {col}: "));
        html! {
            <div class="msg">{ shape }<div><span class="vh">{ word }</span><b>{ place }{ rich(&p.what) }</b>
                if !p.mend.is_empty() { <div class="mend">{ rich(&p.mend) }</div> }
                { for p.fix.iter().map(|fix| html! { <div class="fixes">{ button(fix) }</div> }) }</div></div>
        }
    };
    html! {
        <div class="problems" id={problems_id(of)} role="region" aria-live="polite" aria-label={format!("Problems of the {of}")} tabindex="0">
            { for list.iter().map(one) }
            if more > 0 { <p class="eyebrow">{ format!("and {more} more") }</p> }
        </div>
    }
}

/// Draws properties that are kept and written back, but have no effect here.
pub fn kept(list: &[(String, String)]) -> Html {
    html! {
        <details class="kept"><summary>{ format!("{} kept but not modelled", list.len()) }</summary>
            <table><tbody>{ for list.iter().map(|(k, v)| html! { <tr><td><code>{ k }</code></td><td>{ v }</td></tr> }) }</tbody></table></details>
    }
}

/// Draws a constraint in English, one line for each clause.
pub fn reads(lines: &[ReadLine]) -> Html {
    let number = |n: usize| html! { <span class="no">{ n }</span> };
    let line = |l: &ReadLine| {
        let first = match (l.clause, &l.button) {
            (None, _) => html! { <span/> },
            (Some(n), None) => number(n),
            (Some(n), Some(selects)) => {
                let sel = selects.as_ref().map(Selection::to_string);
                html! { <button type="button" data-sel={sel} aria-label={format!("clause {n}")}>{ number(n) }</button> }
            }
        };
        html! {
            <li data-clause={l.clause.map(|n| n.to_string())} data-vars={vars(&[("d", l.depth as f64)])}>{ first }
                <span class={l.dim.then_some("dim")}>{ rich(&l.words) }</span><span class={l.button.is_some().then_some("blk")}>{ &l.stops }</span></li>
        }
    };
    html! { <ul class="reads" aria-label="Read back">{ for lines.iter().map(line) }</ul> }
}
