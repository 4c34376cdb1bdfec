//! One attempt between YARN and Samza: the contents of heartbeats become events, Samza's decisions become calls, launches,
//! stops and an end; its threads become points in time. It has all that an ApplicationMaster of the simulation needs, except
//! its trait.

use super::client::{Client, RackOf};
use super::decision::{Decision, Event, Operation, Report, SamzaException};
use super::placements::READ_EVERY_MS;
use super::requests::{Allocated, Request};
use super::{CoordinatorStream, Samza, Start, Status};
use crate::api::AllocateCall;
use crate::model::{ContainerId, Millis};

/// The end of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It unregisters.
    Unregisters {
        /// Whether all containers have completed.
        succeeded: bool,
    },
    /// It exits without unregistering, and YARN starts another one.
    Dies,
}

/// The actions that do not go to YARN.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct SamzaEffects {
    /// Containers to be started, with their processors.
    pub launch: Vec<(ContainerId, String)>,
    /// Containers to be stopped.
    pub stop: Vec<ContainerId>,
    /// The end.
    pub end: Option<Ending>,
    /// Every decision, in order.
    pub decisions: Vec<Decision>,
    /// Exceptions, in order.
    pub faults: Vec<SamzaException>,
}

/// One attempt.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    samza: Samza,
    client: Client,
    next_tick: Millis,
    next_reading: Millis,
    next_look: Millis,
}

impl Attempt {
    /// Starts an attempt: its first requests are sent with the first heartbeat, and the allocator makes its first pass at once.
    pub fn start(now: Millis, start: Start, racks: RackOf<'_>) -> (Self, SamzaEffects) {
        let client = Client::new(start.mode, start.settings.size, start.settings.label.clone());
        let (samza, report) = Samza::start(now, start);
        let mut attempt = Attempt { samza, client, next_tick: now, next_reading: now, next_look: now };
        let mut doings = SamzaEffects::default();
        attempt.carry_out(report, racks, &mut doings);
        attempt.pass(now, racks, &mut doings);
        (attempt, doings)
    }

    /// Returns the state machine.
    pub fn samza(&self) -> &Samza {
        &self.samza
    }

    /// Returns the state machine, to record and keep the placement histories of its containers.
    pub fn samza_mut(&mut self) -> &mut Samza {
        &mut self.samza
    }

    /// Returns the coordinator stream, for edits.
    pub fn stream_mut(&mut self) -> &mut CoordinatorStream {
        self.samza.stream_mut()
    }

    /// Returns whether it knows a container: running, launched, unused, or about to be given back.
    pub fn knows(&self, container: ContainerId) -> bool {
        let of = |x: &Allocated| x.container == container;
        let samza = &self.samza;
        samza.running().values().chain(samza.pending().values()).any(of)
            || samza.requests().buffers().values().flatten().any(of)
            || self.client.gives_back(container)
    }

    /// Returns the tick at which a request expires if it is not served before, and is the head of the queue then.
    pub fn expires_at(&self, request: &Request) -> Option<Millis> {
        let timeout = self.samza.timeout(request.id);
        let sleep = self.samza.settings().allocator_sleep_ms.max(1);
        let missing = (request.at.checked_add(timeout)?.checked_add(1)? - self.next_tick).max(0);
        self.next_tick.checked_add((missing + sleep - 1) / sleep * sleep)
    }

    /// Returns the call for this heartbeat.
    pub fn call(&mut self) -> AllocateCall {
        self.client.call()
    }

    /// Returns when one of its threads has work. Ticks without requests and containers, and readings without messages, change
    /// nothing.
    pub fn wakes_at(&self) -> Option<Millis> {
        let requests = self.samza.requests();
        let held = requests.buffers().values().any(|b| !b.is_empty());
        let tick = requests.head().is_some() || requests.delayed().next().is_some() || held;
        let reading = !self.samza.stream().placements.is_empty();
        let moments = [
            tick.then_some(self.next_tick),
            reading.then_some(self.next_reading),
            self.samza.ends().map(|_| self.next_look),
        ];
        moments.into_iter().flatten().min()
    }

    /// Returns whether the next heartbeat has nothing to send.
    pub fn is_quiet(&self) -> bool {
        self.client.is_quiet()
    }

    /// Processes an answer of YARN, in the order in which its client delivers the parts: ended containers, then granted ones.
    pub fn hear(
        &mut self,
        now: Millis,
        completed: Vec<(ContainerId, i32)>,
        granted: Vec<(ContainerId, String)>,
        racks: RackOf<'_>,
    ) -> SamzaEffects {
        let mut doings = SamzaEffects::default();
        let mut events = Vec::new();
        if !completed.is_empty() {
            events.push(Event::Completed(completed));
        }
        if !granted.is_empty() {
            events.push(Event::Granted(granted));
        }
        for event in events {
            self.take(now, event, racks, &mut doings);
        }
        self.pass(now, racks, &mut doings);
        doings
    }

    /// Processes any other event; without an event a time of [`Self::wakes_at`] has come.
    pub fn handle(&mut self, now: Millis, event: Option<Event>, racks: RackOf<'_>) -> SamzaEffects {
        let mut doings = SamzaEffects::default();
        if let Some(event) = event {
            self.take(now, event, racks, &mut doings);
        }
        self.pass(now, racks, &mut doings);
        doings
    }

    fn take(&mut self, now: Millis, event: Event, racks: RackOf<'_>, doings: &mut SamzaEffects) {
        let report = self.samza.handle(now, event);
        self.carry_out(report, racks, doings);
    }

    /// Runs the threads that are due, after the events of the same time. Each thread pauses after its work; a pass that was not
    /// needed is skipped, so that the rhythm stays.
    fn pass(&mut self, now: Millis, racks: RackOf<'_>, doings: &mut SamzaEffects) {
        let settings = self.samza.settings();
        let (tick, look) = (settings.allocator_sleep_ms.max(1), settings.main_loop_ms.max(1));
        if due(&mut self.next_reading, READ_EVERY_MS, now) {
            self.take(now, Event::ReadPlacements, racks, doings);
        }
        if due(&mut self.next_tick, tick, now) {
            self.take(now, Event::Tick, racks, doings);
        }
        if due(&mut self.next_look, look, now) && self.samza.ends().is_some() {
            doings.end = Some(match self.samza.status() {
                Status::Undefined => Ending::Dies,
                status => Ending::Unregisters { succeeded: status == Status::Succeeded },
            });
        }
    }

    fn carry_out(&mut self, report: Report, racks: RackOf<'_>, doings: &mut SamzaEffects) {
        for operation in report.operations {
            self.client.perform(&operation, racks);
            match operation {
                Operation::Launch { container, processor, .. } => doings.launch.push((container, processor)),
                Operation::Stop(container) => doings.stop.push(container),
                Operation::Request(_) | Operation::Withdraw(_) | Operation::Release(_) => {}
            }
        }
        doings.decisions.extend(report.decisions);
        doings.faults.extend(report.fault);
    }
}

/// Returns whether a thread is due now. Passes before now were not needed; the next one is a pause later.
fn due(next: &mut Millis, pause: Millis, now: Millis) -> bool {
    if *next > now {
        return false;
    }
    let missed = (now - *next) / pause;
    *next += missed * pause;
    let now_is_it = *next == now;
    *next += pause;
    now_is_it
}
