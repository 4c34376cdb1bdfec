//! The selection and how things are shown. A link has it as its second part, separate from the scenario.

use super::Palette;
use heddle_view::form::{Show, Tab};
use heddle_view::{Comparison, Draft, LinkView, RemarkValue, Selection, StepBy};

#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The selection; `None` for the headline's subject.
    pub selection: Option<Selection>,
    /// The moment to go to, until the worker is there.
    pub goal_ms: Option<i64>,
    /// The number of events, among those of that moment.
    pub event: Option<u64>,
    /// The meaning of fills; `None` until one is chosen.
    pub colour: Option<ColourBy>,
    /// The kind of step.
    pub step: StepBy,
    /// The playing speed in simulated seconds for each second, as an index into [`View::SPEEDS`].
    pub speed: usize,
    /// The panel under the scrubber.
    pub under: Under,
    /// The open editor.
    pub what: Tab,
    /// Whether the editor shows text instead of the form.
    pub as_text: bool,
    /// The panel shown on a narrow screen.
    pub panel: Panel,
    /// Whether a table is shown instead of the picture.
    pub twin: bool,
    /// Whether the matrix shows all failing checks, not only the first.
    pub all_checks: bool,
    /// The rack whose nodes are shown although there are too many to draw.
    pub rack: Option<String>,
    /// Light, dark or the system's.
    pub theme: Theme,
    /// Whether only headline, picture and time are shown, in another page's frame.
    pub embed: bool,
    /// The words that the events are searched for.
    pub find: String,
    /// Whether only the events of the selection are listed.
    pub only: bool,
    /// The queue of the chart.
    pub chart: Option<String>,
    /// Whether changes of queues go into a refresh at the current time, instead of the start.
    pub refresh: bool,
    /// The worlds that stand side by side in place of the picture; `None`: only the scenario is shown.
    pub compare: Option<Comparison>,
    /// Properties that are being typed.
    pub drafts: Vec<Draft>,
}

impl View {
    /// Simulated seconds in one second of playing.
    pub const SPEEDS: [f64; 11] = [0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0, 1800.0];

    /// The settings that the engine makes the form from; `setup`: what the open report is about.
    pub fn show(&self, setup: Option<Vec<RemarkValue>>) -> Show {
        Show { tab: self.what, as_text: self.as_text, refresh: self.refresh, drafts: self.drafts.clone(), setup }
    }

    /// Returns the view of a link.
    pub fn linked(link: &LinkView) -> View {
        let selection = link.select.as_ref().and_then(|s| s.parse().ok());
        let mut view = View { goal_ms: link.time_ms, event: link.event, selection, ..View::default() };
        if let Some(under) = link.panel.as_deref().and_then(Under::named) {
            view.under = under;
        }
        if let Some(colour) = link.colour_by.as_deref().and_then(ColourBy::named) {
            view.colour = Some(colour);
        }
        view
    }

    /// Returns the meaning of fills: as chosen, otherwise what the palette has fills for.
    pub fn colours(&self, palette: &Palette) -> ColourBy {
        self.colour.unwrap_or_else(|| palette.best())
    }

    /// Returns a link's description of this view.
    pub fn link(&self) -> LinkView {
        let default = View::default();
        LinkView {
            time_ms: self.goal_ms,
            event: self.event,
            select: self.selection.as_ref().map(ToString::to_string),
            panel: (self.under != default.under).then(|| self.under.name().to_owned()),
            colour_by: self.colour.map(|colour| colour.name().to_owned()),
            ..LinkView::default()
        }
    }
}

impl Default for View {
    fn default() -> Self {
        View {
            selection: None,
            goal_ms: None,
            event: None,
            colour: None,
            step: StepBy::Heartbeat,
            speed: 5,
            under: Under::Events,
            what: Tab::Apps,
            as_text: false,
            panel: Panel::Where,
            twin: false,
            all_checks: true,
            rack: None,
            theme: Theme::System,
            embed: false,
            find: String::new(),
            only: false,
            chart: None,
            refresh: false,
            compare: None,
            drafts: Vec::new(),
        }
    }
}

macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($(#[$vdoc])* $variant),+ }
        #[allow(dead_code)] // not every choice is shown, linked and kept
        impl $name {
            /// All values, in the order shown.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];
            /// Returns the name on the page and in links.
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $text),+ }
            }
            /// Returns all names, in the order shown.
            pub fn names() -> Vec<&'static str> {
                Self::ALL.iter().map(|c| c.name()).collect()
            }
            /// Returns the index in that order.
            pub fn place(self) -> usize {
                Self::ALL.iter().position(|c| *c == self).unwrap_or(0)
            }
            /// Returns the value at an index, or the first if there is none.
            pub fn at(place: usize) -> Self {
                Self::ALL.get(place).copied().unwrap_or(Self::ALL[0])
            }
            /// Returns the value with a name.
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|c| c.name() == name)
            }
        }
    };
}

choice! {
    /// The meaning of a container's fill.
    ColourBy {
        App = "app",
        /// Its leaf queue.
        Queue = "queue",
        User = "user",
        /// Its first allocation tag.
        Tag = "tag",
        /// The reason why its node refuses the selection.
        Reason = "reason",
    }
}

choice! {
    /// The panel under the scrubber.
    Under {
        /// The events.
        Events = "Events",
        /// The requests.
        Requests = "Requests",
        /// The latest preemption round.
        Ledger = "Ledger",
        /// The state of a long-running application.
        Service = "Service",
        /// The scenario's expectations.
        Expectations = "Expectations",
        /// Queue usage over time.
        Charts = "Charts",
        /// Every application and node in rows.
        Table = "Table",
        /// Who gains and who loses between the worlds that are compared.
        Gains = "Who gains, who loses",
    }
}

choice! {
    /// The panels of a narrow screen.
    Panel {
        Where = "where",
        /// The reasons.
        Why = "why",
        What = "what",
        /// The panel under the scrubber.
        When = "when",
    }
}

choice! {
    Theme {
        /// The system's theme.
        System = "system",
        Light = "light",
        Dark = "dark",
    }
}
