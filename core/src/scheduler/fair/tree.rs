//! The queue tree at run time: queues that are created and removed, and the changes of a new allocation file
//! (QueueManager, AllocationReloadListener; fair-scheduler.md 4.4, 7).

use super::{FairQueue, FairScheduler, ROOT};
use crate::api::Refusal;
use crate::config::capacity::Acl;
use crate::config::fair::{Allocations, Policy, default_rules};
use crate::journal::{Change, Recorder};
use crate::model::limits::QUEUE_DEPTH;
use crate::model::{QueueId, java};
use crate::scheduler::Cluster;

/// Returns whether a queue may have this path: each part must be non-empty, without blanks around it.
pub fn is_path(path: &str) -> bool {
    path.split('.').all(|part| !part.is_empty() && part.trim() == part)
}

/// The reason why a queue does not exist and is not created.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum NoQueue {
    /// There is a parent but a leaf is wanted, or the reverse.
    OtherType,
    /// It would be below this leaf.
    BelowLeaf(String),
    /// The policies forbid it, or a queue above it (4.4).
    Policy {
        /// The path of the queue that they forbid.
        made: String,
        policy: Policy,
        parent: String,
        of_parent: Policy,
    },
    /// It is not below root, or deeper than [`QUEUE_DEPTH`].
    OutOfBounds,
}

/// The maximum of a queue that the file does not have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Limits {
    /// The default.
    Own,
    /// Its parent's maxChildResources, if that is set.
    WithParents,
}

impl FairScheduler {
    /// Creates a queue with its settings from the file.
    pub(super) fn add_queue(&mut self, c: &Cluster, path: &str, parent: Option<QueueId>, leaf: bool) -> QueueId {
        let id = QueueId::from(self.queues.len());
        self.queues.push(FairQueue::new(id, path, parent, leaf, c.now));
        if let Some(parent) = parent {
            self.queue_mut(parent).children.push(id);
            self.children_changed(parent);
        }
        self.paths.insert(path.to_string(), id);
        self.take_settings(c, id, Limits::WithParents);
        self.queue_mut(id).policy = self.file.policy(path);
        id
    }

    /// Applies the settings of the file or the defaults. A queue that is not in the file has its parent's
    /// maxChildResources as maximum, if `limits` says so.
    fn take_settings(&mut self, c: &Cluster, id: QueueId, limits: Limits) {
        let file = &self.file;
        let q = &self.queues[id.index()];
        let parent = q.parent.map(|p| &self.queues[p.index()]);
        let of_parent = parent.filter(|_| limits == Limits::WithParents).and_then(|p| p.max_child);
        let above = parent.map_or(file.patience, |p| p.patience);
        let protected_above = parent.and_then(|p| p.protected);
        let known = file.queues.get(&q.path);
        let conf = known.cloned().unwrap_or_default();
        let default = file.queue_max_default;
        let maximum = match (known, of_parent) {
            (None, Some(of_parent)) => of_parent,
            _ => conf.maximum.unwrap_or(default),
        };
        let (max_apps, am_share) = (file.queue_max_apps_default, file.queue_max_am_share_default);
        let q = &mut self.queues[id.index()];
        q.minimum = conf.minimum.unwrap_or_default();
        q.maximum = maximum;
        q.most = q.most_of(c.total);
        q.max_container = conf.max_container;
        q.max_child = conf.max_child;
        q.max_apps = conf.max_apps.unwrap_or(max_apps);
        q.max_am_share = conf.max_am_share.unwrap_or(am_share);
        q.weight = conf.weight.unwrap_or(1.0);
        q.patience = conf.preemption.below(above);
        q.protected = protected_above.or(conf.preemption.protected.then_some(id));
    }

    /// Returns the leaf or parent with this path, created if necessary with its missing parents; then steady shares are
    /// computed again. Errors: why there is none.
    pub(crate) fn find_or_create(&mut self, c: &Cluster, path: &str, leaf: bool) -> Result<QueueId, NoQueue> {
        let there = self.find_queue(path).is_some();
        let found = self.find_or_add(c, path, leaf)?;
        if !there {
            self.compute_steady_shares(c);
        }
        Ok(found)
    }

    /// Like [`Self::find_or_create`], but leaves steady shares as they are; for queues of the file.
    fn find_or_add(&mut self, c: &Cluster, path: &str, leaf: bool) -> Result<QueueId, NoQueue> {
        if let Some(id) = self.find_queue(path) {
            return if self.queue(id).leaf == leaf { Ok(id) } else { Err(NoQueue::OtherType) };
        }
        let cuts: Vec<usize> = path.match_indices('.').map(|(at, _)| at).chain([path.len()]).collect();
        let known = cuts.iter().rposition(|cut| self.paths.contains_key(&path[..*cut]));
        let known = known.and_then(|known| Some((known, self.find_queue(&path[..cuts[known]])?)));
        let Some((known, mut parent)) = known.filter(|_| cuts.len() <= QUEUE_DEPTH) else {
            return Err(NoQueue::OutOfBounds);
        };
        if self.queue(parent).leaf {
            return Err(NoQueue::BelowLeaf(self.queue(parent).path.clone()));
        }
        let mut forbidden = None;
        for (i, cut) in cuts.iter().enumerate().skip(known + 1) {
            let below = i + 1 < cuts.len();
            let policy = self.file.policy(&path[..*cut]);
            let is_leaf = leaf && !below;
            let above = &self.queue(parent);
            if !above.policy.allows_child(policy) || !is_leaf && policy == Policy::Fifo {
                let (parent, of_parent) = (above.path.clone(), above.policy);
                forbidden = Some(NoQueue::Policy { made: path[..*cut].to_string(), policy, parent, of_parent });
                break;
            }
            parent = self.add_queue(c, &path[..*cut], Some(parent), is_leaf);
        }
        match forbidden {
            Some(why) => Err(why),
            None => self.find_queue(path).ok_or(NoQueue::OutOfBounds),
        }
    }

    fn is_empty(&self, id: QueueId) -> bool {
        let q = self.queue(id);
        if q.leaf { !q.has_apps() } else { q.children.iter().all(|child| self.is_empty(*child)) }
    }

    /// Removes a queue and all below it.
    fn remove_queue(&mut self, id: QueueId) {
        for child in self.queue(id).children.clone() {
            self.remove_queue(child);
        }
        let q = self.queue_mut(id);
        q.alive = false;
        let (parent, path) = (q.parent, q.path.clone());
        if let Some(parent) = parent {
            self.queue_mut(parent).children.retain(|child| *child != id);
            self.children_changed(parent);
        }
        self.paths.shift_remove(&path);
    }

    /// Makes room for a configured queue: removes a queue of the other type, or a leaf on its path, if it is empty.
    /// Returns whether it was removed; `None`: nothing was in the way.
    fn make_way(&mut self, path: &str, leaf: bool) -> Option<bool> {
        for cut in path.match_indices('.').map(|(at, _)| at).chain([path.len()]) {
            let id = self.find_queue(&path[..cut])?;
            if id == ROOT {
                continue;
            }
            let is_leaf = self.queue(id).leaf;
            let wrong = if cut < path.len() { is_leaf } else { is_leaf != leaf };
            if wrong {
                let empty = self.is_empty(id);
                if empty {
                    self.remove_queue(id);
                }
                return Some(empty);
            }
        }
        None
    }

    /// Creates a queue of the file, or postpones that if something is in its way.
    fn make_configured(&mut self, c: &Cluster, path: &str, leaf: bool) {
        if self.make_way(path, leaf) == Some(false) {
            let task = (path.to_string(), leaf);
            if !self.postponed.contains(&task) {
                self.postponed.push(task);
            }
            return;
        }
        let Ok(id) = self.find_or_add(c, path, leaf) else { return };
        for id in self.path_up(id).collect::<Vec<_>>() {
            if self.file.queues.contains_key(&self.queue(id).path) {
                self.queue_mut(id).dynamic = false;
            }
        }
    }

    /// Loads an allocation file. Errors: it is refused, nothing has changed.
    pub(crate) fn load<R: Recorder>(&mut self, c: &mut Cluster, text: &str, rec: &mut R) -> Result<(), Refusal> {
        let file = self.read(text)?;
        let defaults = || default_rules(self.conf.allow_undeclared, self.conf.user_as_default);
        self.rules = file.rules.clone().unwrap_or_else(defaults);
        let vanished = self.not_in(&file);
        self.file = file;
        self.has_file = true;
        self.take_acls();
        // 3: policies; 4: queues, leaves first, each kind in the order of a HashSet: starved applications get in line
        // leaf by leaf.
        self.set_policies(ROOT);
        let named: Vec<(String, bool)> = self.file.queues.iter().map(|(path, q)| (path.clone(), q.parent)).collect();
        for parents in [false, true] {
            let kind: Vec<&str> =
                named.iter().filter(|(_, parent)| *parent == parents).map(|(path, _)| path.as_str()).collect();
            for path in java::set_walk(&kind).into_iter().filter(|path| *path != "root") {
                self.make_configured(c, path, !parents);
            }
        }
        // 5: settings. Steady shares are divided before parents limit their children (quirk).
        for id in self.below(ROOT) {
            self.take_settings(c, id, Limits::Own);
        }
        self.compute_steady_shares(c);
        // 6: loading ends here if one of these does not exist (quirk).
        for path in vanished {
            match self.find_queue(&path) {
                Some(id) => self.queue_mut(id).dynamic = true,
                None => {
                    self.forget_orders();
                    return Ok(());
                }
            }
        }
        // 7: parents limit their children.
        for id in self.paths.values().copied().collect::<Vec<_>>() {
            let q = self.queue(id);
            let of_parent = q.parent.filter(|_| q.dynamic).and_then(|p| self.queue(p).max_child);
            if let Some(maximum) = of_parent {
                self.queue_mut(id).maximum = maximum;
            }
        }
        self.note_maxima(c);
        self.forget_orders();
        rec.note(c.now, || Change::Refreshed);
        self.release_after_load(c, rec);
        Ok(())
    }

    /// 1: returns the queues of the former file that are not in this one, in the order of Java's set of them
    /// (AllocationReloadListener.getRemovedStaticQueues). Queues that could not be created are among them.
    fn not_in(&self, file: &Allocations) -> Vec<String> {
        let of_kind = |parents| self.file.queues.iter().filter(move |(_, q)| q.parent == parents);
        let before: Vec<&str> = of_kind(false).chain(of_kind(true)).map(|(path, _)| path.as_str()).collect();
        let before = java::set_walk(&before).into_iter();
        before.filter(|path| !file.queues.contains_key(*path)).map(str::to_string).collect()
    }

    /// 2: takes the ACLs of the file; those of queues that are no longer in it stay.
    fn take_acls(&mut self) {
        self.acls.insert("root".into(), (Acl::everybody(), Acl::everybody()));
        for (path, q) in &self.file.queues {
            let default = || if path == "root" { Acl::everybody() } else { Acl::default() };
            let submit = q.submit.clone().unwrap_or_else(default);
            let administer = q.administer.clone().unwrap_or_else(default);
            self.acls.insert(path.clone(), (submit, administer));
        }
    }

    /// Returns a queue and all below it, each before its children.
    fn below(&self, queue: QueueId) -> Vec<QueueId> {
        let mut out = vec![queue];
        let mut i = 0;
        while let Some(id) = out.get(i) {
            out.extend(self.queue(*id).children.iter().copied());
            i += 1;
        }
        out
    }

    /// Sets new policies, children before their parent, until one violates 4.4.
    fn set_policies(&mut self, id: QueueId) -> bool {
        let policy = self.file.policy(&self.queue(id).path);
        let children = self.queue(id).children.clone();
        let allowed = |child: &QueueId| policy.allows_child(self.file.policy(&self.queue(*child).path));
        if !children.iter().all(allowed) || !children.into_iter().all(|child| self.set_policies(child)) {
            return false;
        }
        self.queue_mut(id).policy = policy;
        true
    }

    /// Makes the periodic check: removes dynamic queues without children and applications, and then their parents;
    /// tries postponed changes of type again. Returns whether it changed anything.
    pub(crate) fn check_queues(&mut self, c: &Cluster) -> bool {
        let mut changed = false;
        loop {
            let idle = |q: &FairQueue| q.dynamic && q.children.is_empty() && !q.has_apps() && q.id != ROOT;
            let idle: Vec<QueueId> = self.living().filter(|q| idle(q)).map(|q| q.id).collect();
            if idle.is_empty() {
                break;
            }
            changed = true;
            idle.into_iter().for_each(|id| self.remove_queue(id));
        }
        // Changes that wait since a file was loaded outlive other files. A queue is created if one of the other type is
        // removed now, not if that was removed before (IncompatibleQueueRemovalTask.execute).
        for (path, leaf) in std::mem::take(&mut self.postponed) {
            match self.make_way(&path, leaf) {
                Some(false) => self.postponed.push((path, leaf)),
                Some(true) => {
                    changed = true;
                    let made = self.find_or_add(c, &path, leaf);
                    if let (Ok(id), true) = (made, self.file.queues.contains_key(&path)) {
                        self.queue_mut(id).dynamic = false;
                    }
                }
                None => changed = true,
            }
        }
        changed
    }

    /// Returns whether the periodic check would change anything.
    pub(crate) fn wants_checking(&self) -> bool {
        let idle = |q: &FairQueue| q.dynamic && q.children.is_empty() && !q.has_apps() && q.id != ROOT;
        self.living().any(idle) || !self.postponed.is_empty()
    }
}
