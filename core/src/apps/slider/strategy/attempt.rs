//! One attempt between YARN and Slider: the contents of heartbeats become events, Slider's decisions become calls, launches and
//! an end. It has all that an ApplicationMaster of the simulation needs, except its trait.

use super::client::Client;
use super::decision::{Decision, Event, Grant, Report, Stopped};
use super::nodes::NodeReport;
use super::queue::EventLoop;
use super::settings::SliderException;
use super::{Definition, Files, Slider, Start};
use crate::api::AllocateCall;
use crate::model::{ContainerId, Millis};

/// The number of history files that are kept; the real Slider keeps all that were written since its start.
const FILES: usize = 100;

/// The contents of one answer of YARN.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct AnswerParts {
    /// Nodes that changed.
    pub nodes: Vec<NodeReport>,
    /// Containers that ended.
    pub completed: Vec<(ContainerId, i32)>,
    /// Containers that were granted.
    pub granted: Vec<Grant>,
}

/// The actions that do not go to YARN.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct SliderEffects {
    /// Containers to be started.
    pub launch: Vec<ContainerId>,
    /// The reason, if the application has failed.
    pub stop: Option<Stopped>,
    /// The refusal, if a flex was refused.
    pub refused: Option<SliderException>,
    /// Every decision, in order.
    pub decisions: Vec<Decision>,
}

/// A function that returns the rack of a host, if it is known.
pub type RackOf<'a> = &'a dyn Fn(&str) -> Option<String>;

/// One attempt.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    events: EventLoop,
    client: Client,
}

impl Attempt {
    /// Starts an attempt: its first requests are sent with the first heartbeat.
    pub fn start(now: Millis, start: Start, racks: RackOf<'_>) -> Result<(Self, SliderEffects), SliderException> {
        let check_seconds = start.check_seconds;
        let (slider, report) = Slider::start(now, start)?;
        let mut attempt = Attempt { events: EventLoop::new(now, slider, check_seconds), client: Client::default() };
        let mut doings = SliderEffects { decisions: report.decisions, ..SliderEffects::default() };
        let reports = attempt.events.run(now, []);
        attempt.carry_out(reports, racks, &mut doings);
        Ok((attempt, doings))
    }

    /// Returns the state.
    pub fn slider(&self) -> &Slider {
        self.events.slider()
    }

    /// Returns the history files, for edits, damage and deletion.
    pub fn files_mut(&mut self) -> &mut Files {
        self.events.slider_mut().files_mut()
    }

    /// Returns the call for this heartbeat.
    pub fn call(&mut self) -> AllocateCall {
        self.client.call()
    }

    /// Returns whether the next heartbeat has nothing to send.
    pub fn is_quiet(&self) -> bool {
        self.client.is_quiet()
    }

    /// Returns its event loop.
    pub fn events(&self) -> &EventLoop {
        &self.events
    }

    /// Skips the timer rounds before this time, which had nothing to do.
    pub fn skip_to(&mut self, now: Millis) {
        self.events.skip_to(now);
    }

    /// Processes an answer of YARN, in the order in which its client delivers the parts. A container that the same answer both
    /// grants and reports as ended is not launched.
    pub fn hear(&mut self, now: Millis, heard: AnswerParts, racks: RackOf<'_>) -> SliderEffects {
        let mut doings = SliderEffects::default();
        let mut events = Vec::new();
        if !heard.nodes.is_empty() {
            events.push(Event::Nodes(heard.nodes));
        }
        if !heard.completed.is_empty() {
            events.push(Event::Completed(heard.completed.clone()));
        }
        if !heard.granted.is_empty() {
            events.push(Event::Granted(heard.granted));
        }
        let reports = self.events.run(now, events);
        self.carry_out(reports, racks, &mut doings);
        doings.launch.retain(|c| heard.completed.iter().all(|(over, _)| over != c));
        let launched = self.events.run(now, [Event::Launched(doings.launch.clone())]);
        self.carry_out(launched, racks, &mut doings);
        doings
    }

    /// Processes any other event that reaches the ApplicationMaster: starts, flexes, lost agents. Without an event a timer
    /// fires.
    pub fn handle(&mut self, now: Millis, event: Option<Event>, racks: RackOf<'_>) -> SliderEffects {
        let mut doings = SliderEffects::default();
        let reports = self.events.run(now, event);
        self.carry_out(reports, racks, &mut doings);
        doings
    }

    /// Returns the definition in force.
    pub fn definition(&self) -> &Definition {
        self.slider().definition()
    }

    fn carry_out(&mut self, reports: Vec<Report>, racks: RackOf<'_>, doings: &mut SliderEffects) {
        for report in reports {
            for operation in report.operations {
                self.client.perform(operation, racks);
            }
            for decision in &report.decisions {
                if let Decision::Granted { container, used: Some(_), .. } = decision {
                    doings.launch.push(*container);
                }
            }
            doings.decisions.extend(report.decisions);
            doings.stop = doings.stop.take().or(report.stopped);
            doings.refused = doings.refused.take().or(report.refused);
        }
        self.files_mut().keep_newest(FILES);
    }
}
