//! The page's root: owns the store and the worker, passes messages in and effects out, and draws the frame.

use crate::compare::Compare;
use crate::dialogs::Dialogs;
use crate::effects::Outside;
use crate::js;
use crate::report::Report;
use crate::shell::{Foot, Headline, PanelTabs, Top, keys};
use crate::store::{Effect, Go, Msg, Opening, Panel, State};
use crate::ui::popover::Popover;
use crate::ui::{dom, focus, roving, time, vars};
use crate::what::What;
use crate::when::When;
use crate::r#where::{Density, Where};
use crate::why::Why;
use gloo::timers::callback::Timeout;
use heddle_view::protocol::Reply;
use yew::prelude::*;

pub struct App {
    state: State,
    outside: Outside,
    go: Go,
    /// The check of the focus after each drawing.
    mending: Option<Timeout>,
}

impl Component for App {
    type Message = Msg;
    type Properties = ();

    fn create(ctx: &Context<Self>) -> Self {
        let go: Go = ctx.link().callback(|msg| msg);
        let mut app = App { state: State::default(), outside: Outside::new(go.clone()), go: go.clone(), mending: None };
        js::install(&go);
        keys::listen(&go);
        let (view, source) = crate::share::start();
        *app.state.view.change() = view;
        app.state.before_reload = dom::is_reload().then(crate::share::drafts::import_before).flatten();
        app.outside.theme(app.state.view.theme);
        app.run(Msg::Open { source, how: Opening::Start });
        app
    }

    fn update(&mut self, _ctx: &Context<Self>, msg: Msg) -> bool {
        let idle = matches!(&msg, Msg::Worker(_, reply) if matches!(**reply, Reply::Idle));
        self.run(msg);
        if idle {
            // There is nothing to draw, but a caller may wait for this state.
            js::publish(&self.state, self.outside.busy());
        }
        !idle
    }

    fn view(&self, _ctx: &Context<Self>) -> Html {
        let state = &self.state;
        let (view, over, go) = (&state.view, &state.over, &self.go);
        let snapshot = &state.answers.frame.snapshot;
        let density = Density::of(snapshot);
        let class = classes!(
            "app",
            (density == Density::Block && !view.twin && view.compare.is_none()).then_some("block"),
            over.playing.then_some("playing"),
            over.rail.then_some("rail-open"),
            view.embed.then_some("embed"),
            state.answers.is_loading().then_some("loading"),
            over.report.is_some().then_some("reporting"),
            view.compare.is_some().then_some("comparing"),
            over.forming.then_some("forming"),
        );
        let stop = html! { <button type="button" onclick={go.reform(|_: MouseEvent| Msg::Stop)}>{ "Stop" }</button> };
        let parts = (state.doc.clone(), state.view.clone(), state.answers.clone());
        let (doc, v, answers) = parts;
        html! {
            <>
                <div {class} data-panel={view.panel.name()}>
                    <Top doc={doc.clone()} view={v.clone()} go={go.clone()}/>
                    <Headline doc={doc.clone()} answers={answers.clone()} broken={over.broken.clone()} refused={over.refused.clone()} playing={over.playing} go={go.clone()}/>
                    <PanelTabs panel={view.panel} go={go.clone()}/>
                    if let Some(shown) = &over.report {
                        <Report shown={shown.clone()} doc={doc.clone()} answers={answers.clone()} form={state.form.clone()} progress={over.progress} go={go.clone()}/>
                    }
                    <What form={state.form.clone()} text={state.doc.text.clone()} view={v.clone()} palette={state.palette.clone()} rail={over.rail} first={state.doc.is_first_visit()} go={go.clone()}/>
                    if view.compare.is_some() {
                        <Compare doc={doc.clone()} view={v.clone()} answers={answers.clone()} palette={state.palette.clone()} trying={over.trying.clone()} field={over.field.clone()} go={go.clone()}/>
                    } else {
                        <Where doc={doc.clone()} view={v.clone()} answers={answers.clone()} palette={state.palette.clone()} go={go.clone()}/>
                    }
                    <Why doc={doc.clone()} view={v.clone()} stories={state.tells_stories()} answers={answers.clone()} palette={state.palette.clone()} go={go.clone()}/>
                    <When view={v.clone()} answers={answers.clone()} palette={state.palette.clone()} playing={over.playing} go={go.clone()}/>
                    <Foot doc={doc.clone()} answers={answers.clone()} embed={view.embed} go={go.clone()}/>
                </div>
                if state.reading() {
                    if let Some((done, of)) = over.reading {
                        { bar("Reading", done as i64, of as i64) }
                    }
                    <div class="notice late"><span>{ over.reading.map_or_else(|| "Reading…".to_owned(), read_so_far) }</span>{ stop }</div>
                } else if let Some((now, goal)) = over.progress {
                    { bar("Simulating", now, goal) }
                    if over.report.is_none() { <div class="notice"><span>{ format!("Simulating: {} of {}", time(now), time(goal)) }</span>
                        { stop }</div> }
                }
                if let Some(notice) = &over.notice {
                    <div class="notice" role="status">
                        <span>{ &notice.text }</span>
                        if let Some((label, msg)) = &notice.act {
                            <button type="button" onclick={self.send_and_clear((**msg).clone())}>{ label }</button>
                        }
                        <button type="button" aria-label="Close this line" onclick={go.reform(|_: MouseEvent| Msg::Notice(None))}>{ "✕" }</button>
                    </div>
                }
                if over.dropping {
                    <div class="drop"><b>{ "Drop it anywhere" }</b><span>{ "Read here, in this tab. Nothing is sent." }</span></div>
                }
                if let Some(pop) = &over.pop {
                    <Popover pop={pop.clone()} go={go.clone()}/>
                }
                <Dialogs dialog={over.dialog.clone()} doc={doc} view={v} answers={answers} field={over.field.clone()} go={go.clone()}/>
            </>
        }
    }

    fn rendered(&mut self, _ctx: &Context<Self>, first: bool) {
        roving::mend();
        // Runs after the panels have been drawn, too.
        self.mending = Some(Timeout::new(0, || {
            focus::mend();
            dom::show_choices();
        }));
        if first || self.state.answers.ready {
            self.outside.title(self.state.doc.told_title());
        }
        if self.state.answers.ready
            && let Some(first) = dom::by_id("first")
        {
            first.remove();
        }
        js::publish(&self.state, self.outside.busy());
    }
}

/// The bar of long work.
fn bar(what: &'static str, now: i64, goal: i64) -> Html {
    html! {
        <div class="bar-busy" role="progressbar" aria-label={what} aria-valuemin="0" aria-valuemax={goal.to_string()} aria-valuenow={now.to_string()}>
            <i data-vars={vars(&[("p", 100.0 * now as f64 / goal.max(1) as f64)])}/>
        </div>
    }
}

/// How much of files was read; then a scenario is made of them.
fn read_so_far((done, of): (u64, u64)) -> String {
    let mb = |bytes: u64| bytes.div_ceil(1 << 20);
    if done < of {
        format!("Reading: {} of {} MB", mb(done), mb(of))
    } else {
        "Read. The scenario is made of it…".to_owned()
    }
}

impl App {
    fn run(&mut self, msg: Msg) {
        let was_playing = self.state.over.playing;
        let now_ms = js_sys::Date::now();
        // On a phone, a selection leads to WHY.
        let to_why = matches!(&msg, Msg::Select(Some(_))) && dom::media("(max-width: 719px)");
        let subject = self.state.why_subject();
        let effects = self.state.update(msg, now_ms);
        // Another subject is read from its beginning. Not when it is drawn: drawing may pause, and would show its middle first.
        if subject != self.state.why_subject()
            && let Some(why) = dom::by_id("why")
        {
            why.set_scroll_top(0);
        }
        crate::panic::keep(&self.state.doc.text);
        if to_why && self.state.view.panel == Panel::Where {
            self.state.view.change().panel = Panel::Why;
        }
        for effect in effects {
            if matches!(effect, Effect::Restart | Effect::Renew) {
                let unanswered = self.outside.restart(effect == Effect::Renew);
                for request in self.state.restore().into_iter().chain(unanswered) {
                    self.outside.run(Effect::Ask(request), &self.state);
                }
            } else {
                self.outside.run(effect, &self.state);
            }
        }
        if was_playing != self.state.over.playing {
            self.outside.play(self.state.over.playing);
        }
        if self.state.over.notice.is_some() {
            self.outside.notice(&self.state.over.notice);
        }
    }

    fn send_and_clear(&self, msg: Msg) -> Callback<MouseEvent> {
        let go = self.go.clone();
        Callback::from(move |_| {
            go.emit(Msg::Notice(None));
            go.emit(msg.clone());
        })
    }
}
