//! What is looked at and how. It goes into a link as its second part, apart from the scenario.

use heddle_view::form::{Show, Tab};
use heddle_view::{Draft, LinkView, Selection, StepBy};

#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// What was chosen; `None`: what the headline is about.
    pub selection: Option<Selection>,
    /// Where to go, until the worker is there.
    pub goal_ms: Option<i64>,
    /// After how many events, of those of that moment.
    pub event: Option<u64>,
    /// What colours mean.
    pub colour: ColourBy,
    /// How far a step goes.
    pub step: StepBy,
    /// Simulated seconds in a second of playing, an index into [`View::SPEEDS`].
    pub speed: usize,
    /// What stands under the scrubber.
    pub under: Under,
    /// Which editor is open.
    pub what: Tab,
    /// Text instead of the form?
    pub as_text: bool,
    /// Which panel a narrow screen shows.
    pub panel: Panel,
    /// Table instead of the picture?
    pub twin: bool,
    /// All failing checks in the matrix, not only the first?
    pub all_checks: bool,
    /// Rack whose nodes are shown although there are too many to draw.
    pub rack: Option<String>,
    /// Light, dark or the system's.
    pub theme: Theme,
    /// Only the headline, the picture and time: in a frame of another page.
    pub embed: bool,
    /// What the events are searched for.
    pub find: String,
    /// Queue of the chart.
    pub chart: Option<String>,
    /// Do changes of queues go into a refresh at the current time, instead of into the start?
    pub refresh: bool,
    /// Properties that are being typed.
    pub drafts: Vec<Draft>,
}

impl View {
    /// Simulated seconds in one second of playing.
    pub const SPEEDS: [f64; 11] = [0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0, 1800.0];

    /// What the engine makes the form of.
    pub fn show(&self) -> Show {
        Show { tab: self.what, as_text: self.as_text, refresh: self.refresh, drafts: self.drafts.clone() }
    }

    /// What a link says to look at.
    pub fn linked(link: &LinkView) -> View {
        let selection = link.select.as_ref().and_then(|s| s.parse().ok());
        let mut view = View { goal_ms: link.time_ms, event: link.event, selection, ..View::default() };
        if let Some(under) = link.panel.as_deref().and_then(Under::named) {
            view.under = under;
        }
        if let Some(colour) = link.colour_by.as_deref().and_then(ColourBy::named) {
            view.colour = colour;
        }
        view
    }

    /// What a link has to say so that this is looked at.
    pub fn link(&self) -> LinkView {
        let default = View::default();
        LinkView {
            time_ms: self.goal_ms,
            event: self.event,
            select: self.selection.as_ref().map(ToString::to_string),
            panel: (self.under != default.under).then(|| self.under.name().to_owned()),
            colour_by: (self.colour != default.colour).then(|| self.colour.name().to_owned()),
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
            colour: ColourBy::App,
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
            chart: None,
            refresh: false,
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
            /// All of them, in the order shown.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];
            /// Its name on the page and in links.
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $text),+ }
            }
            /// All names, in the order shown.
            pub fn names() -> Vec<&'static str> {
                Self::ALL.iter().map(|c| c.name()).collect()
            }
            /// Its place in that order.
            pub fn place(self) -> usize {
                Self::ALL.iter().position(|c| *c == self).unwrap_or(0)
            }
            /// The one at a place; the first when there is none.
            pub fn at(place: usize) -> Self {
                Self::ALL.get(place).copied().unwrap_or(Self::ALL[0])
            }
            /// The one of a name.
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|c| c.name() == name)
            }
        }
    };
}

choice! {
    /// What the fill of a container means.
    ColourBy {
        App = "app",
        /// Its leaf queue.
        Queue = "queue",
        User = "user",
        /// Its first allocation tag.
        Tag = "tag",
        /// Why its node refuses what is selected.
        Reason = "reason",
    }
}

choice! {
    /// What stands under the scrubber.
    Under {
        /// What happened.
        Events = "Events",
        /// What is asked for.
        Requests = "Requests",
        /// The latest round of preemption.
        Ledger = "Ledger",
        /// The books of a long-running application.
        Service = "Service",
        /// What the scenario expects of its run.
        Expectations = "Expectations",
        /// Queue use over time.
        Charts = "Charts",
        /// Every application and node in rows.
        Table = "Table",
    }
}

choice! {
    /// The panels of a narrow screen.
    Panel {
        Where = "where",
        /// The reasons.
        Why = "why",
        What = "what",
        /// What stands under the scrubber.
        When = "when",
    }
}

choice! {
    Theme {
        /// As the system has it.
        System = "system",
        Light = "light",
        Dark = "dark",
    }
}
