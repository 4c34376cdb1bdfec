//! One attempt between YARN and Slider: what the heartbeats bring becomes events, what Slider decides becomes calls,
//! launches and an end. Everything that an ApplicationMaster of the simulation has to be, without its trait.

use super::client::Client;
use super::decision::{Decision, Event, Grant, Report, Stopped};
use super::nodes::NodeReport;
use super::queue::EventLoop;
use super::settings::Refused;
use super::{Definition, Files, Slider, Start};
use crate::api::AllocateCall;
use crate::model::{ContainerId, Millis};

/// History files that are kept: the real one keeps all that were written since its start.
const FILES: usize = 100;

/// What one answer of YARN brings.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Heard {
    /// Nodes that changed.
    pub nodes: Vec<NodeReport>,
    /// Containers that ended.
    pub completed: Vec<(ContainerId, i32)>,
    /// Containers that were granted.
    pub granted: Vec<Grant>,
}

/// What is to be done besides talking to YARN.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Doings {
    /// Containers to be started.
    pub launch: Vec<ContainerId>,
    /// The application is over, as failed.
    pub stop: Option<Stopped>,
    /// A flex was refused.
    pub refused: Option<Refused>,
    /// Every decision, in order.
    pub decisions: Vec<Decision>,
}

/// The rack of a host, where it is known.
pub type RackOf<'a> = &'a dyn Fn(&str) -> Option<String>;

/// One attempt.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    events: EventLoop,
    client: Client,
}

impl Attempt {
    /// Starts: the first requests travel with the first heartbeat.
    pub fn start(now: Millis, start: Start, racks: RackOf<'_>) -> Result<(Self, Doings), Refused> {
        let check_seconds = start.check_seconds;
        let (slider, report) = Slider::start(now, start)?;
        let mut attempt = Attempt { events: EventLoop::new(now, slider, check_seconds), client: Client::default() };
        let mut doings = Doings { decisions: report.decisions, ..Doings::default() };
        let reports = attempt.events.run(now, []);
        attempt.carry_out(reports, racks, &mut doings);
        Ok((attempt, doings))
    }

    /// The state.
    pub fn slider(&self) -> &Slider {
        self.events.slider()
    }

    /// The history files, for somebody who edits, damages or deletes them.
    pub fn files_mut(&mut self) -> &mut Files {
        self.events.slider_mut().files_mut()
    }

    /// What travels with this heartbeat.
    pub fn call(&mut self) -> AllocateCall {
        self.client.call()
    }

    /// Has the next heartbeat nothing to say?
    pub fn is_quiet(&self) -> bool {
        self.client.is_quiet()
    }

    /// Its event loop.
    pub fn events(&self) -> &EventLoop {
        &self.events
    }

    /// Leaves out the rounds of timers before this moment: they had nothing to do.
    pub fn skip_to(&mut self, now: Millis) {
        self.events.skip_to(now);
    }

    /// An answer of YARN, in the order in which its client hands it on. What it grants and what the same answer says is
    /// over is not launched.
    pub fn hear(&mut self, now: Millis, heard: Heard, racks: RackOf<'_>) -> Doings {
        let mut doings = Doings::default();
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

    /// Anything else that reaches the ApplicationMaster: starts, flexes, lost agents; no event: a timer fires.
    pub fn handle(&mut self, now: Millis, event: Option<Event>, racks: RackOf<'_>) -> Doings {
        let mut doings = Doings::default();
        let reports = self.events.run(now, event);
        self.carry_out(reports, racks, &mut doings);
        doings
    }

    /// The definition in force.
    pub fn definition(&self) -> &Definition {
        self.slider().definition()
    }

    fn carry_out(&mut self, reports: Vec<Report>, racks: RackOf<'_>, doings: &mut Doings) {
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
