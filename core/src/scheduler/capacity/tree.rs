//! The queue tree: its creation from the settings, and its changes at a refresh (CapacitySchedulerQueueManager,
//! QueueStateHelper; capacity-scheduler.md 2.3, 3.6, 7.4).

use super::CapacityScheduler;
use super::books::Accounting;
use super::books::short_cuts::ChildrenOrder;
use super::mapping::Mapping;
use super::queue::{Leaf, Queue, QueuePart, QueueState};
use super::users::Users;
use crate::api::{Properties, Refusal, RmSettings, SettingsRule};
use crate::config::capacity::{
    CapacityConf, CapacityKind, ConfiguredState, LeafOrdering, QueueConf, QueueKind, Running, kind_of,
};
use crate::config::yarn_site;
use crate::journal::{Change, Recorder};
use crate::model::{Calculator, QueueId, Resource, ResourceTypes, java};
use crate::scheduler::Cluster;
use indexmap::IndexMap;
use std::collections::BTreeMap;

impl CapacityScheduler {
    /// Starts a CapacityScheduler with empty accounting. Errors: the settings are refused, in Hadoop's words.
    pub fn start(settings: &RmSettings) -> Result<(Self, Cluster), Refusal> {
        let conf = CapacityConf::read(&settings.capacity_scheduler, &settings.yarn_site, &settings.labels)?;
        let calculator = Calculator::new(conf.calculator, &conf.types);
        let labels = conf.labels.iter().map(|l| (l.name.clone(), l.exclusive));
        let mut cluster = Cluster::new(
            conf.types.clone(),
            calculator,
            conf.minimum_allocation,
            conf.maximum_allocation,
            labels,
            settings.groups.clone(),
        );
        let mut scheduler = CapacityScheduler {
            books: Accounting::default(),
            paths: IndexMap::new(),
            running_by_user: Vec::new(),
            waiting: Vec::new(),
            mapping: Mapping::default(),
            sorted_nodes: Vec::new(),
            monitor: super::preempt::start(&conf, 0)?,
            silent_after_ms: yarn_site::silent_after_ms(&settings.yarn_site),
            uncommitted: None,
            room: Default::default(),
            conf,
        };
        for place in 0..scheduler.conf.queues.len() {
            scheduler.add_queue(&cluster, place);
        }
        scheduler.link_children(&cluster);
        scheduler.know_killable_queues();
        scheduler.start_policies(&cluster);
        scheduler.mapping = Mapping::read(&scheduler.conf.mapping, &scheduler)?;
        scheduler.update_cluster(&mut cluster, &mut crate::journal::Silent);
        Ok((scheduler, cluster))
    }

    /// Adds the queue at a place of the settings; its parent exists already.
    pub(super) fn add_queue(&mut self, c: &Cluster, place: usize) -> QueueId {
        let conf = self.conf.queues[place].clone();
        let parent = conf.parent.and_then(|p| self.paths.get(&self.conf.queues[p].path)).copied();
        let state = initial_state(&conf, parent.map(|p| self.queue(p).state));
        let id = QueueId::from(self.queues().len());
        self.paths.insert(conf.path.clone(), id);
        let mut queue = Queue {
            id,
            path: conf.path.clone(),
            parent,
            children: Vec::new(),
            replaced: Vec::new(),
            alive: true,
            state,
            parts: vec![QueuePart::default(); c.partitions.len()],
            nowhere: BTreeMap::new(),
            applications: 0,
            running_apps: 0,
            leaf: None,
            children_use_weights: true,
            managed: Vec::new(),
            last_submitted: 0,
            marked_idle: false,
            passed: super::books::short_cuts::OffersPastResting::default(),
            place: 0,
            orders: Vec::new(),
            conf,
        };
        queue.become_kind(c);
        queue.take_conf(c);
        self.books.add(queue);
        self.load_shares(c, id);
        id
    }

    /// Links the children in the settings' order, and updates what depends on them.
    fn link_children(&mut self, c: &Cluster) {
        for place in 0..self.conf.queues.len() {
            let conf = &self.conf.queues[place];
            let Some(id) = self.paths.get(&conf.path).copied() else { continue };
            let children = conf.children.iter().filter_map(|k| self.paths.get(&self.conf.queues[*k].path));
            let children = children.copied().collect();
            self.books.queue_mut(c, id).children = children;
            self.note_children_kind(c, id);
        }
    }

    /// Updates whether a parent's children use weights.
    pub(super) fn note_children_kind(&mut self, c: &Cluster, parent: QueueId) {
        let q = self.queue(parent);
        let children: Vec<&QueueConf> = q.children.iter().map(|k| &self.queue(*k).conf).collect();
        let weights = matches!(kind_of(&q.conf, &children), Ok(CapacityKind::Weight));
        self.books.queue_mut(c, parent).children_use_weights = weights;
    }

    /// Loads changed settings. Errors: they are refused, in Hadoop's words; nothing has changed.
    pub(crate) fn refresh<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        capacity_scheduler: &Properties,
        settings: &RmSettings,
        rec: &mut R,
    ) -> Result<(), Refusal> {
        let total = |label: &str| c.partition(label).map_or(Resource::ZERO, |p| *c.partition_total(p));
        let dynamic_parent = |path: &str| {
            self.paths.get(path).is_some_and(|id| {
                let q = self.queue(*id);
                q.alive && q.conf.dynamic && !q.is_leaf()
            })
        };
        let kept = Some(&self.conf);
        let running = Running { cluster: c.total, partition_total: &total, is_dynamic_parent: &dynamic_parent, kept };
        let mut conf = CapacityConf::read_running(capacity_scheduler, &settings.yarn_site, &settings.labels, &running)?;
        self.keep_dynamic_queues(&mut conf, c.total)?;
        self.check_refresh(&conf)?;
        self.check_managed(&conf)?;
        self.check_merged_children(&conf, &total)?;
        let states = self.refreshed_states(&conf)?;
        let monitor = self.monitor_after(&conf, c.now)?;
        let before = self.clone();
        let maximum = conf.maximum_allocation;
        self.apply_refresh(c, conf, states);
        match Mapping::read(&self.conf.mapping, self) {
            Ok(mapping) => self.mapping = mapping,
            Err(refusal) => {
                // YARN reverts by another refresh; if that is refused too, its reason counts.
                let back = self.check_refresh(&before.conf);
                *self = before;
                return Err(back.err().unwrap_or(refusal));
            }
        }
        c.maximum = maximum;
        // The policies start again, from the present shares of the queues.
        self.start_policies(c);
        self.compute_capacities(c);
        self.manage_queues(c);
        self.preemption_settings_changed(monitor);
        rec.note(c.now, || Change::Refreshed);
        self.update_cluster(c, rec);
        self.after_refresh_of_limits(c, rec);
        Ok(())
    }

    /// Returns the queues that exist, in the order of a Java map by full path (CSQueueStore).
    fn stored(&self) -> Vec<&Queue> {
        let alive: Vec<&Queue> = self.queues().iter().filter(|q| q.alive).collect();
        java::walk_by(&alive, |q| &q.path)
    }

    /// Checks the children of the file together with automatically created ones that stay. Errors: YARN's words; if the
    /// file has queues that were not in the last one, those of YARN's failure to revert.
    fn check_merged_children(&self, conf: &CapacityConf, total: &dyn Fn(&str) -> Resource) -> Result<(), Refusal> {
        if !conf.legacy_queue_mode {
            return Ok(());
        }
        for (place, new) in conf.queues.iter().enumerate() {
            let made = |k: &usize| conf.queues[*k].dynamic;
            let Some(old) = self.find_path(&new.path).filter(|_| new.children.iter().any(made)) else { continue };
            let mut children = new.children.clone();
            let there =
                |k: &usize| self.queue(old).children.iter().position(|c| self.queue(*c).path == conf.queues[*k].path);
            crate::model::order::sort_by_key(&mut children, |k| there(k).unwrap_or(usize::MAX));
            let order = java::walk_by(&children, |k| &conf.queues[k].path);
            conf.check_children_of(place, &order, total).map_err(|refusal| {
                let known = |path: &str| self.find_path(path).is_some_and(|id| !self.queue(id).conf.dynamic);
                let added = |q: &&QueueConf| !q.dynamic && !known(&q.path) && q.state != Some(ConfiguredState::Stopped);
                match conf.queues.iter().find(added) {
                    Some(q) => not_stopped(&q.path, QueueState::Running),
                    None => refusal,
                }
            })?;
        }
        Ok(())
    }

    /// Checks a refresh for changes that existing queues do not allow (2.3(7), 2.3(8)).
    fn check_refresh(&self, conf: &CapacityConf) -> Result<(), Refusal> {
        for q in self.stored() {
            let Some(place) = conf.find(&q.path) else {
                let stopped_in_file = conf
                    .properties()
                    .raw(&format!("{}{}.state", crate::config::capacity::PREFIX, q.path))
                    .is_some_and(|s| s.trim().eq_ignore_ascii_case("STOPPED"));
                let made = q.conf.dynamic || q.conf.kind == QueueKind::AutoCreatedLeaf;
                if made || q.state == QueueState::Stopped || stopped_in_file {
                    continue;
                }
                return Err(not_stopped(&q.path, q.state));
            };
            let new = &conf.queues[place];
            let managed = |kind| kind == QueueKind::ManagedParent;
            if !q.is_leaf() && !managed(q.conf.kind) && managed(new.kind) {
                return Err(Refusal::of(
                    SettingsRule::Converted,
                    format!(
                        "Can not convert parent queue: {} to auto create enabled parent queue since it could have other \
                     pre-configured queues which is not supported",
                        q.path
                    ),
                ));
            }
            if managed(q.conf.kind) && !managed(new.kind) {
                return Err(Refusal::of(
                    SettingsRule::Converted,
                    format!(
                        "Cannot convert auto create enabled parent queue: {} to leaf queue. Please check  parent queue's \
                     configuration auto-create-child-queue.enabled is set to true",
                        q.path
                    ),
                ));
            }
            if q.is_leaf() && !new.kind.is_leaf() {
                let stopped = q.state == QueueState::Stopped || new.state == Some(ConfiguredState::Stopped);
                if !stopped {
                    return Err(Refusal::of(
                        SettingsRule::Converted,
                        format!(
                            "Can not convert the leaf queue: {} to parent queue since it is not yet in stopped state. \
                         Current State : {}",
                            q.path,
                            q.state.text()
                        ),
                    ));
                }
            }
        }
        let mut named = Vec::new();
        self.check_maximum_allocations(QueueId(0), conf, &mut named).map_err(|refusal| {
            // Created queues that the file names now count as configured by then. YARN reverts by another refresh,
            // which does not know them and refuses their deletion.
            let back = self.stored().into_iter().find(|q| named.contains(&q.path) && q.state != QueueState::Stopped);
            back.map_or(refusal, |q| not_stopped(&q.path, q.state))
        })
    }

    /// Checks that no leaf's maximum allocation shrinks. The queues come in the order in which YARN reinitializes them:
    /// created ones first, the others in the order of a Java map by full path. A created queue that the file does not
    /// name is compared with itself and may shrink (AbstractParentQueue.reinitialize, ManagedParentQueue.reinitialize).
    /// `named` gets the created queues that the file names now.
    fn check_maximum_allocations(
        &self,
        id: QueueId,
        conf: &CapacityConf,
        named: &mut Vec<String>,
    ) -> Result<(), Refusal> {
        let q = self.queue(id);
        if q.conf.dynamic && conf.find(&q.path).is_some_and(|place| !conf.queues[place].dynamic) {
            named.push(q.path.clone());
        }
        if let Some(place) = conf.find(&q.path)
            && q.is_leaf()
            && conf.queues[place].kind.is_leaf()
            && !(conf.queues[place].dynamic || conf.queues[place].kind == QueueKind::AutoCreatedLeaf)
        {
            check_maximum_allocation(q, &conf.queues[place], &conf.types)?;
        }
        let mut order = java::walk_by(&q.children, |k| &self.queue(k).path);
        crate::model::order::sort_by_key(&mut order, |k| !self.queue(*k).conf.dynamic);
        order.into_iter().try_for_each(|k| self.check_maximum_allocations(k, conf, named))
    }

    /// Returns the states of the queues after a refresh, by their place in the new settings (3.6). YARN first creates a
    /// tree of the new settings alone; a new queue has its state from there, also under a parent that stays STOPPED.
    fn refreshed_states(&self, conf: &CapacityConf) -> Result<Vec<Option<QueueState>>, Refusal> {
        let mut states: Vec<Option<QueueState>> = Vec::with_capacity(conf.queues.len());
        let mut made: Vec<QueueState> = Vec::with_capacity(conf.queues.len());
        // The queues that stop, and with them those below.
        let mut stops = vec![false; conf.queues.len()];
        for (place, new) in conf.queues.iter().enumerate() {
            made.push(initial_state(new, new.parent.and_then(|p| made.get(p).copied())));
            let stops_above = new.parent.is_some_and(|p| stops[p]);
            let above = new.parent.and_then(|p| states.get(p).copied().flatten());
            let old = self.paths.get(&new.path).map(|id| self.queue(*id)).filter(|q| q.alive);
            // A leaf that becomes a parent, or the reverse, is another queue (AbstractParentQueue.reinitialize).
            let old = old.filter(|q| q.is_leaf() == new.kind.is_leaf());
            let state = match (old, new.state) {
                (None, _) => made[place],
                (Some(q), Some(ConfiguredState::Stopped)) if q.state == QueueState::Running => {
                    if q.applications_left() > 0 { QueueState::Draining } else { QueueState::Stopped }
                }
                (Some(q), Some(ConfiguredState::Running)) if q.state != QueueState::Running => {
                    if above.is_some_and(|s| s != QueueState::Running) {
                        let parent = new.parent.map_or("", |p| conf.queues[p].path.as_str());
                        return Err(Refusal::of(
                            SettingsRule::ParentNotRunning,
                            format!("The parent Queue:{parent} is not running. Please activate the parent queue first"),
                        ));
                    }
                    QueueState::Running
                }
                (Some(q), _) if q.state == QueueState::Running && stops_above => {
                    if q.applications_left() > 0 {
                        QueueState::Draining
                    } else {
                        QueueState::Stopped
                    }
                }
                (Some(q), _) => q.state,
            };
            stops[place] =
                stops_above || old.is_some_and(|q| q.state == QueueState::Running) && state != QueueState::Running;
            states.push(Some(state));
        }
        Ok(states)
    }

    fn apply_refresh(&mut self, c: &Cluster, conf: CapacityConf, states: Vec<Option<QueueState>>) {
        let old_order: Vec<Vec<QueueId>> = self.queues().iter().map(|q| q.children.clone()).collect();
        let were_leaves: Vec<bool> = self.queues().iter().map(Queue::is_leaf).collect();
        let mut replaced = Vec::new();
        for q in self.books.tree_mut(c) {
            // A leaf that becomes a parent, or the reverse, is another queue. Applications that run on in a replaced
            // leaf keep it, with its figures (AbstractParentQueue.reinitialize).
            let same_kind = |place: usize| conf.queues[place].kind.is_leaf() == q.is_leaf();
            let place = conf.find(&q.path).filter(|_| q.alive);
            q.alive = place.is_some_and(same_kind);
            if let (false, true, Some(parent), Some(_)) = (q.alive, q.is_leaf(), q.parent, place) {
                replaced.push((parent, q.id));
            }
        }
        for (parent, leaf) in replaced {
            self.books.queue_mut(c, parent).replaced.push(leaf);
        }
        self.conf = conf;
        for place in 0..self.conf.queues.len() {
            let path = self.conf.queues[place].path.clone();
            let id = match self.paths.get(&path).copied().filter(|id| self.queue(*id).alive) {
                Some(id) => {
                    let new = self.conf.queues[place].clone();
                    let q = self.books.queue_mut(c, id);
                    q.conf = new;
                    q.take_conf(c);
                    self.load_shares(c, id);
                    id
                }
                None => self.add_queue(c, place),
            };
            if let Some(state) = states[place] {
                self.books.queue_mut(c, id).state = state;
            }
        }
        self.link_children(c);
        // The order of children is that of a Java map by full path; within a bucket the old order.
        for id in (0..self.queues().len()).map(QueueId::from) {
            // A parent that is new, or was a leaf, has its children in the order of the file.
            if were_leaves.get(id.index()).is_none_or(|leaf| *leaf) {
                continue;
            }
            let mut children = self.queue(id).children.clone();
            let old = old_order.get(id.index());
            let place = |k: &QueueId| old.and_then(|o| o.iter().position(|x| x == k)).unwrap_or(usize::MAX);
            crate::model::order::sort_by_key(&mut children, place);
            if self.queue(id).conf.kind == QueueKind::ManagedParent {
                self.books.queue_mut(c, id).children = children;
                continue;
            }
            let order = java::walk_by(&children, |k| &self.queue(k).path);
            self.books.queue_mut(c, id).children = order;
        }
        self.reset_leaves(c);
    }

    /// Resets the leaves, which have a new ordering policy object and perhaps new weights.
    fn reset_leaves(&mut self, c: &Cluster) {
        for id in (0..self.queues().len()).map(QueueId::from) {
            if !self.queue(id).is_leaf() {
                continue;
            }
            let weights = self.queue(id).conf.user_weights.clone();
            let Some(l) = self.books.leaf_mut(c, id) else { continue };
            l.marked.clear();
            l.users.set_weights(|user| weights.get(c.user_name(user)).copied().unwrap_or(1.0));
            self.books.sort_anew(c, id);
        }
    }
}

/// Returns the state of a new queue: its own setting, otherwise its parent's (3.6).
fn initial_state(conf: &QueueConf, parent: Option<QueueState>) -> QueueState {
    match (conf.state, parent) {
        (Some(ConfiguredState::Running), _) => QueueState::Running,
        (Some(ConfiguredState::Stopped), _) => QueueState::Stopped,
        (None, Some(QueueState::Running) | None) => QueueState::Running,
        (None, Some(_)) => QueueState::Stopped,
    }
}

fn not_stopped(path: &str, state: QueueState) -> Refusal {
    Refusal::of(
        SettingsRule::Deleted,
        format!(
            "{path} cannot be deleted from the capacity scheduler configuration, as the queue is not yet in stopped state. \
         Current State : {}",
            state.text()
        ),
    )
}

fn check_maximum_allocation(old: &Queue, new: &QueueConf, types: &ResourceTypes) -> Result<(), Refusal> {
    let (was, is) = (old.conf.maximum_allocation, new.maximum_allocation);
    if (0..was.0.len()).all(|i| is[i] >= was[i]) {
        return Ok(());
    }
    Err(Refusal::of(
        SettingsRule::MaximumDecreased,
        format!(
            "Trying to reinitialize {} the maximum allocation size can not be decreased! Current setting: {}, trying to \
         set it to: {}",
            old.path,
            was.text(types),
            is.text(types)
        ),
    ))
}

impl Queue {
    /// Becomes a leaf or a parent, as its settings say.
    fn become_kind(&mut self, c: &Cluster) {
        if self.conf.kind.is_leaf() {
            let users = Users::new(c.partitions.len());
            self.leaf = Some(Box::new(Leaf { users, ..Leaf::default() }));
        } else {
            self.orders.resize_with(c.partitions.len(), ChildrenOrder::new);
        }
    }

    /// Copies the settings that the accounting has by partition.
    pub(super) fn take_conf(&mut self, c: &Cluster) {
        for (partition, part) in c.partitions.iter().zip(&mut self.parts) {
            part.access = self.conf.access.has(&partition.name);
            part.am_percent = self.conf.am_percent(&partition.name);
            part.configured_min = self.conf.partition(&partition.name).map_or(Resource::ZERO, |p| p.capacity.amounts());
        }
    }
}

impl LeafOrdering {
    /// Returns whether the order of applications depends on their size too.
    pub(super) fn is_size_based(&self) -> bool {
        matches!(self, LeafOrdering::Fair { size_based_weight: true })
    }
}
