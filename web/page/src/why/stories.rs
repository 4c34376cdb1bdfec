//! The stories in WHY's place while nothing is selected: three cards, the next ones as lines, and how far a dump agrees.

use crate::store::{Answers, Go, Msg};
use crate::ui::mark::Mark;
use crate::ui::{mark, names, rich, time, vars};
use heddle_view::{AgreementView, DifferenceView, StoryKind, StoryView};
use yew::prelude::*;

/// The most differences from a dump that are listed.
const DIFFERENCES: usize = 20;

pub fn stories(answers: &Answers, agreed: Option<&AgreementView>, go: &Go) -> Html {
    let told = &answers.frame.stories;
    let total = told.cards.len() + told.lines.len() + told.more;
    let title = match told.cards.len() {
        0 => "Nothing waits".to_owned(),
        1 => "One story".to_owned(),
        2 => "Two stories".to_owned(),
        _ => "Three stories".to_owned(),
    };
    html! {
        <aside class="why" id="why" aria-label="Why" tabindex="-1">
            <header><span class="axis">{ "Why" }</span><h2 class="thing"><span>{ title }</span>
                <span class="st soft">{ if total > told.cards.len() { format!("of {total}, worst first") } else { format!("at {}", time(answers.frame.snapshot.time_ms)) } }</span></h2></header>
            <div class="stories">{ for told.cards.iter().map(card) }</div>
            if !told.lines.is_empty() {
                <div class="sec"><h3 class="h3">{ format!("{} more", told.lines.len() + told.more) }</h3><span class="eyebrow">{ "each opens its why; Esc comes back" }</span></div>
                <ul class="storyl" data-roving="" aria-label="More stories">{ for told.lines.iter().map(line) }</ul>
                if told.more > 0 { <p class="eyebrow">{ format!("and {} more, in the table of requests", told.more) }</p> }
            }
            { for agreed.map(|told| agreement(told, go)) }
        </aside>
    }
}

/// Draws a name with the part before the last dot in a softer tone.
fn name(text: &str) -> Html {
    let short = text.strip_prefix("root.").unwrap_or(text);
    match short.rsplit_once('.') {
        Some((path, last)) => {
            html! { <bdi title={text.to_owned()}><span class="pre">{ format!("{path}.") }</span>{ last }</bdi> }
        }
        None => html! { <bdi title={text.to_owned()}>{ names::name(short) }</bdi> },
    }
}

fn card(story: &StoryView) -> Html {
    // Having more than was promised is no fate: its shape is not coloured.
    let shape = if story.kind == StoryKind::Over { Mark::Outside } else { Mark::Of(story.fate) };
    let id = story.about.to_string();
    html! {
        <button type="button" class="story" data-sel={id.clone()} data-family={id}>
            <span class={classes!("kd", shape.class())}>{ mark(shape) }{ " " }{ &story.word }<span class="num">{ &story.figure }</span></span>
            { body(story) }
        </button>
    }
}

fn body(story: &StoryView) -> Html {
    let bar = story.bar.map(|bar| {
        let whole = bar.mark.max(bar.used + bar.wanted).max(1) as f64;
        let part = |n: i64| n.max(0) as f64 * 100.0 / whole;
        html! { <span class="sbar" aria-hidden="true"><i class="u" data-vars={vars(&[("w", part(bar.used))])}/>
        <i class="p" data-vars={vars(&[("x", part(bar.used)), ("w", part(bar.wanted))])}/>
        <i class="g" data-vars={vars(&[("x", part(bar.mark).min(99.5))])}/></span> }
    });
    html! { <><span class="nm">{ name(&story.name) }</span>{ for bar }<span class="tx">{ rich::rich(&story.text) }</span></> }
}

fn line(story: &StoryView) -> Html {
    html! {
        <li key={format!("{} {}", story.about, story.word)}><button type="button" data-item="" tabindex="-1" data-sel={story.about.to_string()} data-family={story.about.to_string()} title={rich::plain(&story.text)}>
            { mark(story.fate) }<span class="nm">{ name(&story.name) }</span><span class="tx">{ rich::rich(&story.short) }</span><span class="num">{ &story.figure }</span></button></li>
    }
}

/// Draws what the dump says and what is computed from it; a difference is shown with both.
fn agreement(told: &AgreementView, go: &Go) -> Html {
    let row = |what: &str, same: usize, of: usize, aside: &str| {
        html! { <li>{ if same == of { mark(Mark::Pass) } else { mark(heddle_view::EventOutcome::Waiting) } }<span>{ what }<small>{ aside }</small></span><span class="num">{ format!("{same} of {of}") }</span></li> }
    };
    let older = match told.older {
        0 => "YARN's words are the same".to_owned(),
        1 => "the same words; 1 has figures of an earlier moment".to_owned(),
        n => format!("the same words; {n} have figures of an earlier moment"),
    };
    let nothing = told.compared == 0 && told.offers == 0;
    let differ: Vec<&DifferenceView> = told.differ.iter().chain(&told.offers_differ).collect();
    let select = |about: &str| {
        let about = about.to_owned();
        let selection = if about == "root" || about.starts_with("root.") {
            heddle_view::Selection::Queue(about)
        } else {
            heddle_view::Selection::App(about)
        };
        go.reform(move |_: MouseEvent| Msg::Select(Some(selection.clone())))
    };
    html! {
        <section class="agree" aria-label="Does the dump agree?">
            <div class="sec"><h3 class="h3">{ "Does the dump agree?" }</h3><span class="eyebrow">{ "YARN's words there and here" }</span></div>
            if nothing { <p class="eyebrow">{ "The dump has no diagnostics and no activities that could be compared." }</p> }
            <ul class="knl">
                if told.compared > 0 { { row("applications that wait", told.compared.saturating_sub(told.differ.len()), told.compared, &older) } }
                if told.offers > 0 { { row("latest offers of hosts", told.offers_same, told.offers, &offers_of(told)) } }
            </ul>
            { for differ.iter().take(DIFFERENCES).map(|d| html! {
                <details class="fold differs"><summary><button type="button" class="link" onclick={select(&d.about)}>{ &d.about }</button><span class="eyebrow">{ if d.host.is_empty() { "differs".to_owned() } else { format!("differs on {}", d.host) } }</span></summary>
                    <p><b>{ "dump: " }</b><code>{ or_nothing(&d.dump) }</code></p><p><b>{ "here: " }</b><code>{ or_nothing(&d.here) }</code></p></details>
            }) }
            if differ.len() > DIFFERENCES { <p class="eyebrow">{ format!("and {} more", differ.len() - DIFFERENCES) }</p> }
        </section>
    }
}

fn or_nothing(text: &str) -> &str {
    if text.is_empty() { "nothing" } else { text }
}

/// Says what was compared of hosts, and how many were left out.
fn offers_of(told: &AgreementView) -> String {
    let compared = "activities against the same offers made here";
    match told.hosts_left_out {
        0 => compared.to_owned(),
        1 => format!("{compared}; 1 host is left out, since the cluster is large"),
        n => format!("{compared}; {n} hosts are left out, since the cluster is large"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_that_were_left_out_are_counted() {
        let left = |n| offers_of(&AgreementView { hosts_left_out: n, ..AgreementView::default() });
        assert!(!left(0).contains("left out"));
        assert!(left(1).ends_with("1 host is left out, since the cluster is large"));
        assert!(left(12).contains("12 hosts are left out"));
    }
}
