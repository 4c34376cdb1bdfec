//! How containers of Samza jobs came to their places: what whoever tells it later could not find any more. Nothing is
//! decided by it.

use crate::apps::samza::strategy::{Course, Wish};
use crate::model::{ContainerId, Millis, Resource};
use crate::sim::Simulation;

/// Containers that are remembered of a host without room.
const HOLDERS: usize = 4;

/// A host when a request for it expired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Room {
    pub at: Millis,
    /// What was free there; nothing if the host was not there.
    pub free: Option<Resource>,
    /// When the ResourceManager last heard of it.
    pub heard: Millis,
    /// The largest containers there, with what runs in them.
    pub holders: Vec<(ContainerId, Resource)>,
}

/// How a container came to its host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    pub course: Course,
    /// Where it ran before, as the coordinator stream had it.
    pub last_host: Option<String>,
    /// Who had the room where it was wanted, if that request expired.
    pub room: Option<Room>,
    /// When it was launched.
    pub launched: Millis,
}

impl Simulation {
    /// Looks who has the room where requests have expired that did so now.
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

    fn room_on(&self, host: &str) -> Room {
        let node = self.rm.node_by_host(host).and_then(|id| self.rm.node(id));
        let node = node.filter(|n| n.in_scheduler);
        let mut holders: Vec<(ContainerId, Resource)> =
            node.into_iter().flat_map(|n| self.rm.containers_on(n.id)).map(|c| (c.id, c.size)).collect();
        holders.sort_by_key(|(id, size)| (-size.memory_mb(), *id));
        holders.truncate(HOLDERS);
        let heard = node.map_or(0, |n| n.last_heartbeat);
        Room { at: self.now, free: node.map(|n| n.free()), heard, holders }
    }

    /// What is told later of a container that is launched now.
    pub(super) fn course_of(&self, place: usize, processor: &str, container: ContainerId) -> Option<Told> {
        let samza = self.samza(place)?.attempt()?.samza();
        let course = samza.course(processor).filter(|c| c.got == Some(container))?.clone();
        let room = self.kinds.samza.rooms.get(&(place, processor.to_string()));
        let room = room.filter(|room| course.missed.as_ref().is_some_and(|m| m.at == room.at)).cloned();
        let last_host = samza.stream().last_host(processor).map(String::from);
        Some(Told { course, last_host, room, launched: self.now })
    }
}
