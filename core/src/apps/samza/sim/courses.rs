//! How containers of Samza jobs came to their hosts, recorded for explanations that could not find it out later. No decision
//! depends on it.

use crate::apps::samza::strategy::{PlacementHistory, Wish};
use crate::model::{ContainerId, Millis, Resource};
use crate::sim::Simulation;

/// The number of containers that are recorded for a full host.
const HOLDERS: usize = 4;

/// A host at the time when a request for it expired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostAtExpiry {
    pub at: Millis,
    /// Its free resources; `None` if the host was not there.
    pub free: Option<Resource>,
    /// The time at which the ResourceManager last received its heartbeat.
    pub heard: Millis,
    /// The largest containers there, with their sizes.
    pub holders: Vec<(ContainerId, Resource)>,
}

/// How a container came to its host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacementRecord {
    pub course: PlacementHistory,
    /// The host where it ran before, by the coordinator stream.
    pub last_host: Option<String>,
    /// The state of the requested host, if that request expired.
    pub room: Option<HostAtExpiry>,
    /// The time of the launch.
    pub launched: Millis,
}

impl Simulation {
    /// Records who uses the requested hosts of requests that expired now.
    pub(crate) fn note_rooms(&mut self, place: usize) {
        let Some(attempt) = self.samza(place).and_then(|m| m.attempt()) else { return };
        let now = self.now;
        let samza = attempt.samza();
        let missed =
            samza.requests().queue().map(|r| r.processor.as_str()).chain(samza.pending().keys().map(String::as_str));
        let mut rooms = Vec::new();
        for processor in missed {
            let missed = samza.course(processor).and_then(|c| c.missed.as_ref()).filter(|m| m.at == now);
            let Some(Wish::Host(host)) = missed.map(|m| &m.wish) else { continue };
            rooms.push((processor.to_string(), self.room_on(host)));
        }
        self.kinds.samza.rooms.extend(rooms.into_iter().map(|(processor, room)| ((place, processor), room)));
    }

    fn room_on(&self, host: &str) -> HostAtExpiry {
        let node = self.rm.node_by_host(host).and_then(|id| self.rm.node(id));
        let node = node.filter(|n| n.in_scheduler);
        let mut holders: Vec<(ContainerId, Resource)> =
            node.into_iter().flat_map(|n| self.rm.containers_on(n.id)).map(|c| (c.id, c.size)).collect();
        holders.sort_by_key(|(id, size)| (-size.memory_mb(), *id));
        holders.truncate(HOLDERS);
        let heard = node.map_or(0, |n| n.last_heartbeat);
        HostAtExpiry { at: self.now, free: node.map(|n| n.free()), heard, holders }
    }

    /// Returns the placement history of a container that is launched now.
    pub(super) fn course_of(&self, place: usize, processor: &str, container: ContainerId) -> Option<PlacementRecord> {
        let samza = self.samza(place)?.attempt()?.samza();
        let course = samza.course(processor).filter(|c| c.got == Some(container))?.clone();
        let room = self.kinds.samza.rooms.get(&(place, processor.to_string()));
        let room = room.filter(|room| course.missed.as_ref().is_some_and(|m| m.at == room.at)).cloned();
        let last_host = samza.stream().last_host(processor).map(String::from);
        Some(PlacementRecord { course, last_host, room, launched: self.now })
    }
}
