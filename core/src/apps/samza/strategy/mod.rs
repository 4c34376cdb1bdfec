//! Apache Samza with host affinity: the ApplicationMaster of stream jobs whose containers return to the hosts with their state
//! (samza-host-affinity.md; releases 1.x, and with [`RequestMode`] the requests for hosts as in the old document).
//!
//! [`Samza`] is the state of one ApplicationMaster as a machine: its input is an [`Event`], its output are operations for YARN
//! and every decision with its reason. It has no time of its own. What outlives it is in the [`CoordinatorStream`].
//!
//! | file | what |
//! |---|---|
//! | `job` | the properties file, read with positions and written; settings; tasks, containers, job model |
//! | `stream` | the coordinator stream as a typed table |
//! | `requests` | the queue of requests, delayed ones, the buffers of unused containers |
//! | `start`, `tick`, `ending` | the machine: first requests; one pass of the allocator; containers that start and end |
//! | `failover`, `racks` | standby containers: the hosts that they forbid, failovers; racks as fault domains |
//! | `placements` | placement messages |
//! | `course` | the placement history of each container, for explanations |
//! | `client`, `attempt` | the ask table of YARN's client; the parts of an attempt combined |
//! | `decision` | events, operations; reasons are journal entries |
//! | `master` | an attempt as an ApplicationMaster of the simulation |
//! | `state` | stores on disks, what a start restores, how restores share bandwidth |

pub mod attempt;
pub mod client;
pub mod course;
pub mod decision;
mod ending;
pub mod failover;
pub mod job;
pub mod master;
pub mod placements;
pub mod racks;
pub mod requests;
mod start;
pub mod state;
pub mod stream;
#[cfg(test)]
mod tests;
mod tick;

pub use course::{Missed, PlacementHistory};
pub use decision::{Decision, Event, Operation, Report, SamzaException};
pub use failover::Failover;
pub use job::{JobModel, Properties, Settings};
pub use placements::{Action, Message};
pub use racks::Racks;
pub use requests::{Allocated, Request, RequestId, RequestMode, Requests, Wish};
pub use start::Start;
pub use stream::{CoordinatorStream, StreamMessageKind, Unwritten};

use crate::check::Check;
use crate::model::Millis;
use crate::strategy::Store;
use decision::AskReason;
use placements::Seen;
use std::collections::{BTreeMap, BTreeSet};

pub use crate::apps::samza::journal::ANY_HOST;

/// The final status that YARN gets; if undefined, none is sent and another attempt starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Status {
    /// Not decided yet.
    #[default]
    Undefined,
    /// All containers have completed.
    Succeeded,
    /// Retries are used up.
    Failed,
}

/// The reason why the main loop ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The job has failed, or all containers have completed.
    Finished,
    /// An exception left a callback of YARN's client.
    Exception,
}

/// The record of a container's failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Failures in a row.
    pub count: i32,
    /// The time of the last one.
    pub at: Millis,
    /// The delay of its retry.
    pub delay: Millis,
}

/// Samza's counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[allow(missing_docs)] // by Samza's names
pub struct Counters {
    pub container_requests: i64,
    pub preferred_host_requests: i64,
    pub any_host_requests: i64,
    pub matched: i64,
    pub expired_preferred: i64,
    pub expired_any: i64,
    pub redundant: i64,
    pub failed_containers: i64,
    pub released_containers: i64,
    pub completed: i64,
    pub needed: i64,
    pub failed_standby_allocations: i64,
    pub failovers_to_standby: i64,
    pub failovers_to_any: i64,
    pub failed_placements: i64,
    pub rack_requests: i64,
    pub rack_starts: i64,
    pub rack_expired: i64,
    pub rack_failed: i64,
}

/// One ApplicationMaster of a Samza job.
#[derive(Clone, Debug, PartialEq)]
pub struct Samza {
    settings: Settings,
    mode: RequestMode,
    /// For each container those that must not share its host, in the order in which Samza checks them.
    constraints: BTreeMap<String, Vec<String>>,
    /// The number of the job's containers, including standby containers.
    processors: i64,
    stream: CoordinatorStream,
    /// The rows of the stream that are not in its store.
    unwritten: Unwritten,
    requests: Requests,
    /// Launched containers that are not confirmed. A failed launch stays until the next one.
    pending: BTreeMap<String, Allocated>,
    running: BTreeMap<String, Allocated>,
    /// Containers that the job continues without, with the last exit status.
    given_up: BTreeMap<String, i32>,
    failures: BTreeMap<String, Failure>,
    failovers: Vec<Failover>,
    /// The last placement action of each container.
    actions: BTreeMap<String, Action>,
    seen: Seen,
    racks: Racks,
    counters: Counters,
    /// The placement history of each container.
    courses: BTreeMap<String, PlacementHistory>,
    status: Status,
    healthy: bool,
    job_failed: bool,
    exception: Option<SamzaException>,
    next_request: RequestId,
}

impl Samza {
    /// Processes an event at this time.
    pub fn handle(&mut self, now: Millis, event: Event) -> Report {
        let mut report = Report::default();
        // Hadoop's client reports an exception in these two as an error, which ends the ApplicationMaster; elsewhere exceptions
        // are only logged.
        let fatal = matches!(event, Event::Granted(_) | Event::Completed(_));
        if let Err(fault) = self.perform(now, event, &mut report) {
            if fatal {
                self.exception = Some(fault.clone());
            }
            report.fault = Some(fault);
        }
        report
    }

    fn perform(&mut self, now: Millis, event: Event, report: &mut Report) -> Result<(), SamzaException> {
        match event {
            Event::Tick => self.tick(now, report)?,
            Event::Granted(grants) => {
                for (container, host) in grants {
                    self.requests.granted(now, container, &host, report);
                }
            }
            Event::Started(container) => self.started(container, report),
            Event::LaunchFailed(container, host) => self.launch_failed(now, container, &host, report)?,
            Event::StopFailed(container) => self.stop_failed(now, container, report)?,
            Event::Completed(ended) => {
                for (container, exit) in ended {
                    self.completed(now, container, exit, report)?;
                }
            }
            Event::ReadPlacements => self.read_placements(now, report)?,
            Event::Nodes(nodes) => self.racks.set_running(nodes),
        }
        Ok(())
    }

    /// Creates a request without issuing it.
    fn make(&mut self, now: Millis, processor: &str, wish: Wish, delay: Millis, racks: BTreeSet<String>) -> Request {
        let id = self.next_request;
        self.next_request += 1;
        Request { id, processor: processor.into(), wish, at: now.saturating_add(delay), racks }
    }

    fn issue(&mut self, now: Millis, request: Request, why: AskReason, report: &mut Report) {
        self.counters.container_requests += 1;
        match request.wish {
            Wish::AnyHost => self.counters.any_host_requests += 1,
            _ => self.counters.preferred_host_requests += 1,
        }
        if !request.racks.is_empty() {
            self.counters.rack_requests += 1;
        }
        let due = (request.at > now).then_some(request.at);
        let (processor, wish) = (request.processor.clone(), request.wish.clone());
        let anew = matches!(why, AskReason::Placement(_));
        match self.courses.get_mut(&processor).filter(|course| course.got.is_none() && !anew) {
            Some(course) => course.last = wish.clone(),
            None => _ = self.courses.insert(processor.clone(), PlacementHistory::new(now, &request, why.clone())),
        }
        report.decisions.push(Decision::Asked { request: request.id, processor, wish, due, why });
        self.requests.add(now, request, report);
    }

    fn ask(&mut self, now: Millis, processor: &str, wish: Wish, why: AskReason, report: &mut Report) {
        let request = self.make(now, processor, wish, 0, BTreeSet::new());
        self.issue(now, request, why, report);
    }

    /// Returns why the main loop would end now, if it would.
    pub fn ends(&self) -> Option<End> {
        if self.exception.is_some() {
            return Some(End::Exception);
        }
        (self.job_failed || self.counters.completed == self.processors).then_some(End::Finished)
    }

    /// Requests a container, in tests of single rules.
    pub fn ask_for(&mut self, now: Millis, processor: &str, wish: Wish) -> Report {
        let mut report = Report::default();
        self.ask(now, processor, wish, AskReason::Start, &mut report);
        report
    }

    /// Returns the configuration.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns how hosts are requested.
    pub fn mode(&self) -> RequestMode {
        self.mode
    }

    /// Returns the coordinator stream.
    pub fn stream(&self) -> &CoordinatorStream {
        &self.stream
    }

    /// Returns the coordinator stream, for edits.
    pub fn stream_mut(&mut self) -> &mut CoordinatorStream {
        self.unwritten = Unwritten::All;
        &mut self.stream
    }

    /// Records the host of a container that has started.
    pub fn write_host(&mut self, processor: &str, host: &str) {
        self.stream.write_host(processor, host);
        self.unwritten.add(StreamMessageKind::ContainerHost, processor);
    }

    /// Records the YARN container in which a processor runs.
    pub fn write_environment(&mut self, processor: &str, container: String) {
        self.stream.environments.insert(processor.into(), container);
        self.unwritten.add(StreamMessageKind::Environment, processor);
    }

    /// Writes only the missing rows of the stream to the store, as a job of many containers decides that often.
    pub fn keep_stream(&mut self, store: &mut Store) {
        self.stream.write_only(&std::mem::take(&mut self.unwritten), store);
    }

    /// Returns requests and unused containers.
    pub fn requests(&self) -> &Requests {
        &self.requests
    }

    /// Returns the launched containers that are not confirmed.
    pub fn pending(&self) -> &BTreeMap<String, Allocated> {
        &self.pending
    }

    /// Returns the running containers.
    pub fn running(&self) -> &BTreeMap<String, Allocated> {
        &self.running
    }

    /// Returns the containers that the job continues without, with the last exit status.
    pub fn given_up(&self) -> &BTreeMap<String, i32> {
        &self.given_up
    }

    /// Returns the failures of containers.
    pub fn failures(&self) -> &BTreeMap<String, Failure> {
        &self.failures
    }

    /// Returns the failures of containers for changes, in tests of single rules.
    pub fn failures_mut(&mut self) -> &mut BTreeMap<String, Failure> {
        &mut self.failures
    }

    /// Returns the failovers, in the order in which they began.
    pub fn failovers(&self) -> &[Failover] {
        &self.failovers
    }

    /// Returns the check of Samza's that keeps a sent request from its container. `None`: none.
    pub fn kept_by(&self, r: &Request) -> Option<Check> {
        if self.course(&r.processor).is_some_and(|course| course.forbidden.0 > 0) {
            return Some(Check::StandbyHost);
        }
        let behind = self.requests.head().is_some_and(|head| head.id != r.id);
        if behind && self.requests.there_for(r).is_some() {
            return Some(Check::RequestTurn);
        }
        // Hosts are requested with relaxLocality off.
        let strict = matches!(r.wish, Wish::Host(_)) && self.settings.host_affinity;
        strict.then_some(Check::RelaxLocality)
    }

    /// Returns the check that keeps a missing container from being requested.
    pub fn not_asked_by(&self, processor: &str) -> Check {
        if self.given_up.contains_key(processor) { Check::RetriesLeft } else { Check::RequestMade }
    }

    /// Returns the placement history of a container.
    pub fn course(&self, processor: &str) -> Option<&PlacementHistory> {
        self.courses.get(processor)
    }

    /// Returns the counters.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Returns the status that YARN would get.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Returns whether all containers run, as Samza sees it.
    pub fn healthy(&self) -> bool {
        self.healthy
    }

    /// Returns whether the job has failed.
    pub fn job_failed(&self) -> bool {
        self.job_failed
    }

    /// Returns the number of the next request.
    pub fn next_request(&self) -> RequestId {
        self.next_request
    }
}
