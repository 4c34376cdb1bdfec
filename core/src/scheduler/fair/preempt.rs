//! The preemption thread (FSPreemptionThread; preemption.md B3): starved applications are served one by one with
//! containers of others, which are warned and later killed, whatever happens until then.

use super::{FairScheduler, used};
use crate::journal::{Change, Recorder};
use crate::model::{AppId, ContainerId, Millis, NodeId, RequestKey, Resource, java};
use crate::preemption::fair::{
    Lack, Owner, Pick, Request, RequestPlace, Running, Search, SearchTarget, SearchView, pick, wants,
};
use crate::scheduler::app::{EndCause, PREEMPTED};
use crate::scheduler::container::RowsLowered;
use crate::scheduler::{Cluster, ContainerState, PlaceId};

/// A container that ended before its AM received it, with the request that it came from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Unheard {
    id: ContainerId,
    key: RequestKey,
    rows: RowsLowered,
    size: Resource,
}

/// The accounting, as a search reads it.
struct FairSearchView<'a> {
    scheduler: &'a FairScheduler,
    c: &'a Cluster,
}

impl SearchView for FairSearchView<'_> {
    fn free(&self, node: NodeId) -> Resource {
        let n = self.c.node(node);
        let reserved = n.reserved.map_or(Resource::ZERO, |slot| self.c.containers.at(slot).size);
        crate::preemption::less(n.free(), reserved + self.scheduler.promised_total(node))
    }

    fn running(&self, node: NodeId) -> Vec<Running> {
        let all = self.c.node(node).containers.iter().map(|slot| {
            let x = self.c.containers.at(*slot);
            Running { id: x.id, size: x.size, am: x.am, over: x.state == ContainerState::Over }
        });
        let left: Vec<Running> = all.filter(|x| !self.scheduler.is_taken(node, x.id)).collect();
        let others = left.iter().rev().filter(|x| !x.am);
        others.chain(left.iter().filter(|x| x.am)).copied().collect()
    }

    fn owner(&self, app: AppId) -> Option<Owner> {
        let known = self.c.app(app);
        if !known.alive {
            return None;
        }
        let a = self.scheduler.app(app)?;
        Some(Owner {
            protected: self.scheduler.queue(known.queue).protected,
            gives_am: a.starving.gives_am,
            used: used(self.c, app),
            marked: a.starving.marked_size,
            share: a.fair_share,
            measure: self.scheduler.measure(self.c, known.queue),
        })
    }
}

/// Returns Java's hash of a request key (SchedulerRequestKey).
fn key_hash(key: RequestKey) -> i32 {
    let id = key.allocation_request_id;
    let of_priority = 9511i32.wrapping_mul(517_861).wrapping_add(key.priority);
    of_priority.wrapping_mul(31).wrapping_add((id ^ ((id as u64) >> 32) as i64) as i32).wrapping_mul(31)
}

impl FairScheduler {
    /// Serves the starved applications until none is in line. Returns for each what was searched and found, and when
    /// the chosen containers are killed. Warns their applications.
    pub(crate) fn serve_starved<R: Recorder>(&mut self, c: &mut Cluster, rec: &mut R) -> Vec<Search> {
        let mut searches = Vec::new();
        while let Some(app) = self.next_starved() {
            searches.push(self.serve(c, app, rec));
        }
        searches
    }

    fn serve<R: Recorder>(&mut self, c: &mut Cluster, app: AppId, rec: &mut R) -> Search {
        let lack = self.lack(c, app);
        let conf = &self.conf.preemption;
        let kill_at = c.now.saturating_add(conf.wait_before_kill_ms);
        let next_check = c.now.saturating_add(conf.next_check_ms);
        let wants = wants(self.requests(c, app), lack.total());
        let mut picks = Vec::new();
        for (want, w) in wants.iter().enumerate() {
            let place = self.nodes_for(c, &w.place, w.size, w.relax);
            for _ in 0..w.count {
                let (choice, looked) = pick(&place, &FairSearchView { scheduler: self, c }, rec.on());
                if let Some(choice) = &choice {
                    self.take_for(c, app, choice.node, &choice.containers);
                }
                // The next search would find no more than this one.
                let vain = choice.as_ref().is_none_or(|choice| choice.containers.is_empty());
                picks.push(Pick { want, looked, choice });
                if vain {
                    break;
                }
            }
        }
        let search = Search { at: c.now, app, queue: c.app(app).queue, lack, wants, picks, kill_at, next_check };
        let chosen: Vec<ContainerId> = search.chosen().collect();
        let Lack { fair, fair_since, minimum, minimum_since } = lack;
        let count = chosen.len();
        let told = Change::Starved { app, fair, fair_since, minimum, minimum_since, chosen: count, next_check };
        rec.note(c.now, || told);
        for id in &chosen {
            let Some((node, size)) = c.container(*id).map(|x| (x.node, x.size)) else { continue };
            rec.note(c.now, || Change::Warned { container: *id, node, size, starved: app, kill_at });
        }
        if !chosen.is_empty() {
            self.kills.push_back((kill_at, chosen));
        }
        self.look_again_at(app, next_check);
        search
    }

    /// Returns the requests of an application in the order in which Java walks its table of keys, and for each key its
    /// table of places.
    fn requests(&self, c: &Cluster, app: AppId) -> Vec<Request> {
        let keys: Vec<_> = c.app(app).asks.keys().iter().filter(|k| k.unique_names() > 0).collect();
        let hashes: Vec<i32> = keys.iter().map(|k| key_hash(k.key)).collect();
        let mut out = Vec::new();
        for i in java::concurrent_walk(&hashes) {
            let rows: Vec<_> = keys[i].rows().collect();
            let hashes: Vec<i32> = rows.iter().map(|(name, _)| java::string_hash(c.place_name(*name))).collect();
            for at in java::concurrent_walk(&hashes) {
                let (name, row) = rows[at];
                let (priority, place) = (keys[i].key.priority, self.where_is(c, name));
                out.push(Request { priority, place, size: row.size, count: row.count, relax: row.relax });
            }
        }
        out
    }

    /// Returns what a place of a request is in the cluster.
    fn where_is(&self, c: &Cluster, name: PlaceId) -> RequestPlace {
        let text = c.place_name(name);
        if name == PlaceId::ANY {
            return RequestPlace::Anywhere;
        }
        let there = |id: &NodeId| c.node(*id).in_scheduler;
        if let Some(node) = c.node_by_host(text).filter(there) {
            return RequestPlace::Node(node, c.place_name(c.node(node).rack).to_string());
        }
        let is_rack = c.nodes.iter().any(|n| n.in_scheduler && n.rack == name);
        if is_rack { RequestPlace::Rack(text.to_string()) } else { RequestPlace::Unknown(text.to_string()) }
    }

    /// Returns the nodes of a request, and others that would do.
    fn nodes_for(&self, c: &Cluster, place: &RequestPlace, size: Resource, relax: bool) -> SearchTarget {
        let all = c.nodes_by_registration();
        let named = |id: &NodeId| match place {
            RequestPlace::Anywhere => true,
            RequestPlace::Rack(rack) => c.place_name(c.node(*id).rack) == rack,
            RequestPlace::Node(node, _) => id == node,
            RequestPlace::Unknown(_) => false,
        };
        let (nodes, others): (Vec<NodeId>, Vec<NodeId>) = all.into_iter().partition(named);
        SearchTarget { size, nodes, others: if relax { others } else { Vec::new() } }
    }

    /// Returns when the next chosen containers are killed.
    pub(crate) fn next_kill(&self) -> Option<Millis> {
        self.kills.iter().map(|(at, _)| *at).min()
    }

    /// Returns when a chosen container is killed.
    pub(crate) fn killed_at(&self, id: ContainerId) -> Option<Millis> {
        self.kills.iter().find(|(_, ids)| ids.contains(&id)).map(|(at, _)| *at)
    }

    /// Removes and returns the containers whose time has come, the earliest first.
    pub(crate) fn due_for_kill(&mut self, now: Millis) -> Vec<ContainerId> {
        let mut due: Vec<(Millis, Vec<ContainerId>)> = Vec::new();
        self.kills.retain(|kill| {
            let later = kill.0 > now;
            if !later {
                due.push(kill.clone());
            }
            later
        });
        due.sort_by_key(|(at, _)| *at);
        due.into_iter().flat_map(|(_, containers)| containers).collect()
    }

    /// Records a container that is to be killed and now ends before its AM has received it.
    pub(super) fn note_unheard(&mut self, c: &Cluster, id: ContainerId) {
        if let Some(x) = c.container(id).filter(|x| x.state == ContainerState::Allocated)
            && self.killed_at(id).is_some()
        {
            self.unheard.push(Unheard { id, key: x.key, rows: x.rows, size: x.size });
        }
    }

    /// Kills a container that was taken, whether or not its resources are still needed. Returns whether it was an AM's
    /// own; `None`: it has already ended, and that changes nothing. The kill of a container that its AM never received
    /// restores its request once more, whichever attempt the application has by then (quirk;
    /// AbstractYarnScheduler.recoverResourceRequestForContainer).
    pub(crate) fn kill<R: Recorder>(&mut self, c: &mut Cluster, id: ContainerId, rec: &mut R) -> Option<bool> {
        if let Some(at) = self.unheard.iter().position(|x| x.id == id) {
            let Unheard { key, rows, size, .. } = self.unheard.remove(at);
            if !c.app(id.app).alive {
                return None;
            }
            c.ask_back(id.app, key, &rows, size);
            if c.app(id.app).waiting_for_am {
                self.queue_mut(c.app(id.app).queue).stopped.forget();
            }
            return Some(false);
        }
        c.container(id)?;
        let am = c.app(id.app).am_seq == Some(id.seq);
        self.end_container(c, id, PREEMPTED, EndCause::Preempted, rec);
        Some(am)
    }

    /// Returns the containers that an application's AM is warned of at every call, as long as they live.
    pub(crate) fn warned_of(&self, app: AppId) -> Vec<ContainerId> {
        self.app(app).map_or_else(Vec::new, |a| a.starving.marked.clone())
    }
}
