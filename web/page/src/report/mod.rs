//! The report on an import, in place of the picture: the files, what is inferred and what is not known, the cluster, the
//! release and the load, and how far the run is. Nothing waits for it: the run goes on by itself.

mod files;
mod setup;

use crate::share::files as chosen;
use crate::store::{Answers, Doc, Go, Imported, LookAt, Msg, Opening, ScenarioSource, Shared, Tab};
use crate::ui::{rich, time, vars};
use crate::what;
use heddle_view::form::{Form, Part};
use heddle_view::{ImportTarget, ReadStatus, RemarkValue, RemarkView, Severity};
use std::rc::Rc;
use web_sys::HtmlInputElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct Props {
    pub shown: Rc<Imported>,
    pub doc: Shared<Doc>,
    pub answers: Shared<Answers>,
    pub form: Shared<Form>,
    /// The progress of the run: present and goal.
    pub progress: Option<(i64, i64)>,
    /// The callback for messages.
    pub go: Go,
}

#[component]
pub fn Report(props: &Props) -> Html {
    let report = &props.shown.report;
    let go = &props.go;
    let title = match report.files.len() {
        _ if !report.taken && !report.opened => "Not imported".to_owned(),
        0 => format!("{} is added", report.name),
        of => {
            let read = report.files.iter().filter(|file| file.status != ReadStatus::NotRead).count();
            match of {
                _ if read < of => format!("{read} of {of} files read"),
                // Several that are alike are one line; the name counts them all.
                1 if !report.name.ends_with(" files") => "1 file read".to_owned(),
                _ => format!("{} read", report.name),
            }
        }
    };
    // Enter on the panel itself shows the cluster; on a button or in a field it does what it does there.
    let onkeydown = go.clone();
    let onkeydown = move |e: KeyboardEvent| {
        let own = e.target_dyn_into::<web_sys::Element>().is_some_and(|t| t.id() == "report");
        if own && e.key() == "Enter" {
            onkeydown.emit(Msg::Report(false));
        }
    };
    html! {
        <section class="report" id="report" aria-label="What was read" tabindex="-1" {onkeydown}>
            <div class="rbody">
            <header><h2>{ title }</h2><p class="told">{ told(props) }</p></header>
            if report.opened { { files::table(&report.files, go) } } else { { joined(props) } }
            if report.opened {
                { setup::setup(props.form.setup.as_ref(), go) }
                { for wrong(props) }
                { remarks(props) }
            }
            { for report.facts.iter().filter(|_| report.opened).map(|fact| html! { <p class="told">{ rich::rich(fact) }</p> }) }
            { ask(props) }
            </div>
            { run(props) }
        </section>
    }
}

/// Draws where it went, and the ways back and elsewhere.
fn told(props: &Props) -> Html {
    let (report, go) = (&props.shown.report, &props.go);
    let undo = || {
        let before = props.doc.can_undo().is_some_and(|what| what.starts_with("import of"));
        let name = if report.opened { "Back to what was open" } else { "Undo the import" };
        before.then(|| html! { <>{ " " }<button type="button" class="link" onclick={go.reform(|_: MouseEvent| Msg::Undo)}>{ name }</button>{ "." }</> })
    };
    let other = report.other.map(|target| {
        let name = match target {
            ImportTarget::New => "Open it as a scenario of its own",
            _ => "Put it into what was open instead",
        };
        html! { <>{ " " }<button type="button" class="link" id="elsewhere" onclick={go.reform(move |_: MouseEvent| Msg::Elsewhere(target))}>{ name }</button>{ "." }</> }
    });
    let place = match (report.opened, report.taken) {
        (true, _) => "It is a new scenario.",
        (_, true) if report.other == Some(ImportTarget::New) => "It replaces that of the open cluster.",
        (_, true) => "It joined the open scenario.",
        _ => "The open scenario is as it was.",
    };
    html! { <>{ place }if report.opened || report.taken { { for undo() } }{ for other }{ " Read here, in this tab. Nothing is sent." }</> }
}

/// Draws the report on what did not become a scenario of its own.
fn joined(props: &Props) -> Html {
    let (report, go) = (&props.shown.report, &props.go);
    let text = {
        let go = go.clone();
        move |_: MouseEvent| {
            go.emit(Msg::Look(LookAt::What(Tab::Queues)));
            go.emit(Msg::Look(LookAt::AsText(true)));
            go.emit(Msg::Report(false));
        }
    };
    let mend = report.mendable.clone().map(|text| {
        let go = go.clone();
        let click = move |_: MouseEvent| {
            go.emit(Msg::Open { source: ScenarioSource::Text(text.clone()), how: Opening::Chosen });
            go.emit(Msg::Look(LookAt::AsText(true)));
        };
        html! { <button type="button" class="btn edge sm" onclick={click}>{ "Open it to mend it" }</button> }
    });
    let kept = (!report.kept.is_empty()).then(|| Part::Kept(report.kept.clone()));
    html! {
        <div class="joined">
            <p><b>{ &report.name }</b>{ ": " }{ rich::rich(&report.what) }</p>
            if !report.files.is_empty() { { files::table(&report.files, go) } }
            { for report.facts.iter().map(|fact| html! { <p class="soft">{ rich::rich(fact) }</p> }) }
            { for report.list.iter().chain(&kept).map(|part| what::alone(part, go)) }
            <div class="row">{ for mend }
                if report.taken { <button type="button" class="btn edge sm" onclick={text}>{ "Show the text" }</button> }</div>
        </div>
    }
}

/// Draws what is wrong with the scenario since a value was changed; until it is mended the former run stays.
fn wrong(props: &Props) -> Option<Html> {
    let error = props.doc.problems.iter().find(|p| p.severity == Severity::Error)?;
    Some(html! { <p class="rejected" role="alert">{ rich::rich(&format!("{} {}", error.what, error.mend)) }</p> })
}

/// Draws the question that the files leave open, until the scenario answers it.
fn ask(props: &Props) -> Html {
    let report = &props.shown.report;
    let open =
        props.doc.about.as_ref().is_some_and(|about| report.switch.map_or(!about.release, |to| about.scheduler != to));
    html! { <>{ for report.ask.iter().filter(|_| open).map(|part| what::alone(part, &props.go)) }</> }
}

/// Draws what is inferred and what is not known, each value where it can be changed.
fn remarks(props: &Props) -> Html {
    let report = &props.shown.report;
    let changed = props.form.setup.as_ref().map(|setup| setup.changed.as_slice()).unwrap_or_default();
    let list = |title: &str, aside: &str, remarks: &[RemarkView], mark: &str| {
        let remarks: Vec<RemarkView> = remarks.to_vec();
        html! {
            <div class="kn">
                <h3>{ title }{ " " }<span class="told">{ aside }</span></h3>
                if remarks.is_empty() { <p class="told">{ "nothing" }</p> }
                <ul>{ for remarks.iter().map(|remark| {
                    let set = remark.about.iter().any(|about| changed.contains(about));
                    html! {
                        <li class={set.then_some("set")}><span class="mk" aria-hidden="true">{ mark }</span>
                            <div>if set { <b>{ "You set it. " }</b> }<span>{ rich::rich(&remark.what) }</span><small>{ rich::rich(&remark.source) }</small></div>
                            { values(props, remark) }</li>
                    }
                }) }</ul>
            </div>
        }
    };
    html! {
        <div class="two">
            { list("Inferred", "change any; the run starts again", &report.inferred, "≈") }
            { list("Unknown", "a default stands until you say more", &report.unknown, "?") }
        </div>
    }
}

/// Draws the fields of a remark's values, or the button that adds a file.
fn values(props: &Props, remark: &RemarkView) -> Html {
    match remark.about.as_slice() {
        [] => html! {},
        [one] => value(props, one),
        several => html! { <div class="vals">{ for several.iter().map(|one| named(props, one)) }</div> },
    }
}

/// Draws the field of one of several properties, with its name.
fn named(props: &Props, about: &RemarkValue) -> Html {
    let (RemarkValue::Site(name) | RemarkValue::Capacity(name)) = about else { return value(props, about) };
    html! { <label title={name.clone()}><span>{ crate::compare::short(name).to_owned() }</span>{ value(props, about) }</label> }
}

fn value(props: &Props, about: &RemarkValue) -> Html {
    let fields = props.form.setup.as_ref();
    match about {
        RemarkValue::File => {
            let go = props.go.clone();
            let onchange = move |e: Event| {
                let input: HtmlInputElement = e.target_unchecked_into();
                if let Some(files) = input.files() {
                    chosen::read(&go, &files);
                }
                input.set_value("");
            };
            html! { <label class="btn edge sm">{ "Add" }<input type="file" class="vh" multiple={true} {onchange}/></label> }
        }
        RemarkValue::Site(_) | RemarkValue::Capacity(_) | RemarkValue::Labels | RemarkValue::RunTimes => {
            let field = fields.and_then(|setup| setup.values.iter().find(|(of, _)| of == about));
            html! { <>{ for field.map(|(_, field)| setup::bare(field, &props.go)) }</> }
        }
        RemarkValue::Release => {
            html! { <a class="btn sm" href="#setup-release" onclick={to("setup-release")}>{ "above" }</a> }
        }
        RemarkValue::Nodes => {
            html! { <a class="btn sm" href="#setup-cluster" onclick={to("setup-cluster")}>{ "above" }</a> }
        }
    }
}

/// Moves the focus to a field, without another address.
fn to(id: &'static str) -> Callback<MouseEvent> {
    Callback::from(move |e: MouseEvent| {
        e.prevent_default();
        crate::ui::dom::focus_soon(id);
    })
}

/// Draws how far the run is, and the button that shows the cluster.
fn run(props: &Props) -> Html {
    let go = &props.go;
    let snapshot = &props.answers.frame.snapshot;
    let show = html! { <button type="button" class="btn prim" id="show-cluster" onclick={go.reform(|_: MouseEvent| Msg::Report(false))}>{ "Show the cluster" }</button> };
    let opened = props.shown.report.opened;
    let (word, part, text, stop) = match props.progress {
        Some((now, goal)) => {
            ("Running", 100.0 * now as f64 / goal.max(1) as f64, format!("{} of {}", time(now), time(goal)), true)
        }
        None if opened && props.answers.is_loading() => ("Reading…", 0.0, String::new(), false),
        None => {
            let end = props.answers.frame.timeline.end_ms.max(1);
            let at = snapshot.time_ms;
            ("Stands at", 100.0 * at as f64 / end as f64, format!("{} of {}", time(at), time(end)), false)
        }
    };
    html! {
        <div class="run">
            if opened {
                <b>{ word }</b>
                <span class="prog" role="progressbar" aria-label={word} aria-valuemin="0" aria-valuemax="100" aria-valuenow={part.round().to_string()}><i data-vars={vars(&[("p", part)])}/></span>
                <span class="num soft">{ text }</span>
            } else { <span class="sp"/> }
            if stop { <button type="button" class="btn edge" onclick={go.reform(|_: MouseEvent| Msg::Stop)}>{ "Stop" }</button> }
            { show }
        </div>
    }
}
