//! Requests in the queue, and containers that wait to be used (samza-host-affinity.md sections 7 and 8).

pub use crate::apps::samza::journal::{RequestId, Wish};

use super::decision::{Buffer, Decision, Operation, ReleaseReason, Report};
use super::job::standby::is_standby;
use crate::model::{ContainerId, Millis};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How hosts are requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum RequestMode {
    /// As in releases 1.x: YARN grants a container on the host or none; Samza goes elsewhere after its own timeout.
    #[default]
    Strict,
    /// As in the old document: YARN goes elsewhere after its own delays, for which Samza waits.
    Relaxed,
}

/// A request for one container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Its number.
    pub id: RequestId,
    /// The processor that runs in the container.
    pub processor: String,
    /// The host that is wanted.
    pub wish: Wish,
    /// Its time stamp: the time at which it was made, plus the delay.
    pub at: Millis,
    /// The racks that it allows; empty: all.
    pub racks: BTreeSet<String>,
}

/// A granted container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allocated {
    /// The container.
    pub container: ContainerId,
    /// The host.
    pub host: String,
    /// The time of the grant.
    pub at: Millis,
}

/// The place of a request in the queue: active before standby, then the time stamp, then the number.
type QueuePosition = (bool, Millis, RequestId);

fn place(r: &Request) -> QueuePosition {
    (is_standby(&r.processor), r.at, r.id)
}

/// The queue, the delayed requests, and the buffers.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Requests {
    affinity: bool,
    mode: RequestMode,
    queue: BTreeMap<QueuePosition, Request>,
    delayed: BTreeMap<(Millis, RequestId), Request>,
    buffers: BTreeMap<Wish, Vec<Allocated>>,
    counts: BTreeMap<Wish, i64>,
}

impl Requests {
    /// Creates an empty queue and empty buffers.
    pub fn new(affinity: bool, mode: RequestMode) -> Self {
        Requests { affinity, mode, ..Self::default() }
    }

    /// Returns the sent requests in the order of service.
    pub fn queue(&self) -> impl Iterator<Item = &Request> {
        self.queue.values()
    }

    /// Returns the requests that are not sent yet, in the order of sending.
    pub fn delayed(&self) -> impl Iterator<Item = &Request> {
        self.delayed.values()
    }

    /// Returns the unused containers of each buffer, in the order of their grants.
    pub fn buffers(&self) -> &BTreeMap<Wish, Vec<Allocated>> {
        &self.buffers
    }

    /// Returns the numbers of sent, unserved requests by place.
    pub fn counts(&self) -> &BTreeMap<Wish, i64> {
        &self.counts
    }

    /// Returns the request that is served next.
    pub fn head(&self) -> Option<&Request> {
        self.queue.values().next()
    }

    /// Adds a request: it is sent at once, or when its time has come.
    pub fn add(&mut self, now: Millis, request: Request, report: &mut Report) {
        if request.at > now {
            self.delayed.insert((request.at, request.id), request);
        } else {
            self.send(request, report);
        }
    }

    fn send(&mut self, request: Request, report: &mut Report) {
        if self.affinity {
            *self.counts.entry(request.wish.clone()).or_default() += 1;
            self.buffers.entry(request.wish.clone()).or_default();
        }
        report.operations.push(Operation::Request(request.clone()));
        self.queue.insert(place(&request), request);
    }

    /// Sends the delayed requests whose time is past.
    pub fn send_due(&mut self, now: Millis, report: &mut Report) {
        while let Some(first) = self.delayed.first_entry().filter(|e| e.key().0 < now) {
            let request = first.remove();
            report.decisions.push(Decision::Sent { request: request.id });
            self.send(request, report);
        }
    }

    fn drop_request(&mut self, request: &Request) {
        self.delayed.remove(&(request.at, request.id));
        self.queue.remove(&place(request));
        if let Some(count) = self.counts.get_mut(&request.wish) {
            *count -= 1;
        }
    }

    /// Withdraws a request.
    pub fn withdraw(&mut self, request: &Request, report: &mut Report) {
        self.drop_request(request);
        report.operations.push(Operation::Withdraw(request.id));
    }

    /// Puts a granted container into a buffer.
    pub fn granted(&mut self, now: Millis, container: ContainerId, host: &str, report: &mut Report) {
        let own = Wish::Host(host.into());
        let asked = self.counts.get(&own).copied().unwrap_or(0);
        let held = self.buffers.get(&own).map_or(0, Vec::len);
        let buffer = if !self.affinity {
            Buffer::NoAffinity
        } else if asked == 0 {
            Buffer::NotAsked
        } else if (held as i64) < asked {
            Buffer::Host { asked, held }
        } else {
            Buffer::MoreThanAsked { asked, held }
        };
        report.decisions.push(Decision::Buffered { container, host: host.into(), buffer });
        let to = if matches!(buffer, Buffer::Host { .. }) { own } else { Wish::AnyHost };
        self.buffers.entry(to).or_default().push(Allocated { container, host: host.into(), at: now });
    }

    /// Returns the container that a request for this place would get: from the place's buffer, or else a spare one on the host
    /// (which old releases did not look for).
    pub fn peek(&self, at: &Wish) -> Option<&Allocated> {
        let spare = self.buffers.get(&Wish::AnyHost).filter(|_| self.mode == RequestMode::Strict).into_iter().flatten();
        let own = self.buffers.get(at).and_then(|b| b.first());
        own.or_else(|| spare.into_iter().find(|x| matches!(at, Wish::Host(host) if *host == x.host)))
    }

    /// Returns the container that is there for a sent request, after earlier requests with the same wish have theirs.
    pub fn there_for(&self, request: &Request) -> Option<&Allocated> {
        let before = self.queue().take_while(|r| r.id != request.id).filter(|r| r.wish == request.wish).count();
        let (own, spare) = [&request.wish, &Wish::AnyHost].map(|at| self.buffers.get(at).into_iter().flatten()).into();
        let on_host = |x: &&Allocated| matches!(&request.wish, Wish::Host(host) if *host == x.host);
        let spare = spare.filter(|_| self.mode == RequestMode::Strict).filter(on_host);
        own.chain(spare).nth(before)
    }

    /// Uses a container, found at this place, for a request.
    pub fn assigned(&mut self, request: &Request, at: &Wish, container: ContainerId) {
        self.drop_request(request);
        self.take(at, container);
    }

    /// Gives back a container that cannot be used.
    pub fn give_back(&mut self, at: &Wish, container: ContainerId, why: ReleaseReason, report: &mut Report) {
        self.take(at, container);
        report.release(container, why);
    }

    fn take(&mut self, at: &Wish, container: ContainerId) {
        for at in [at, &Wish::AnyHost] {
            if let Some(buffer) = self.buffers.get_mut(at) {
                buffer.retain(|x| x.container != container);
            }
        }
    }

    /// Removes a container that ended before it was used.
    pub fn forget(&mut self, container: ContainerId) {
        self.buffers.values_mut().for_each(|buffer| buffer.retain(|x| x.container != container));
    }

    /// Gives back all remaining containers when no request is left.
    pub fn release_spare(&mut self, report: &mut Report) {
        if !self.queue.is_empty() {
            return;
        }
        for x in std::mem::take(&mut self.buffers).into_values().flatten() {
            report.release(x.container, ReleaseReason::Spare);
        }
        self.counts.clear();
    }
}
