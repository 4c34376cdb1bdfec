//! The FifoScheduler (fair-scheduler.md 21; FifoScheduler of Hadoop 3.5.0): one queue, applications by id, as many
//! containers of each request as the node's memory holds.
//!
//! Not modelled are two faults of 3.5.0 that end a real ResourceManager or cripple it: see docs/deviations.md.

mod offer;

use super::app::{ABORTED, AM_KEY, AmRequest, EndCause};
use super::life::DEFAULT;
use super::{Cluster, PlaceId, RequestRow};
use crate::api::{Refusal, RmSettings, SettingsRule};
use crate::config::properties::Key;
use crate::config::resource_text::allocations;
use crate::config::values::Conf;
use crate::journal::{Change, NodeGone, Recorder};
use crate::model::{AppId, Calculator, CalculatorKind, ContainerId, NodeId, QueueId, RequestKey, Resource};

/// The one queue's name.
pub const QUEUE: &str = "default";
/// The one queue.
pub const ONLY: QueueId = QueueId(0);

/// The scheduler's state beside the [`Cluster`].
#[derive(Clone, Debug, PartialEq, Default)]
pub struct FifoScheduler {
    /// The usage of all applications.
    used: Resource,
    /// The headroom of the latest answers, the same for all applications.
    left: Resource,
    /// The number of times that the headroom was set, and the number of applications at the latest one.
    told: (u64, usize),
    /// The first number of `told` when an application's attempt began: the attempt has no headroom until the next time.
    begun: Vec<Option<u64>>,
}

impl FifoScheduler {
    /// Starts a FifoScheduler with empty accounting. Errors: the settings are refused, in Hadoop's words.
    pub fn start(settings: &RmSettings) -> Result<(Self, Cluster), Refusal> {
        let conf = Conf::layered(&settings.yarn_site, &Default::default());
        const LOW: Key<i32> = Key::site("yarn.scheduler.minimum-allocation-mb");
        const HIGH: Key<i32> = Key::site("yarn.scheduler.maximum-allocation-mb");
        let (low, high) = (conf.get(LOW)?, conf.get(HIGH)?);
        let (low_key, high_key) = (LOW.name(), HIGH.name());
        if low <= 0 || low > high {
            return Err(Refusal::of(
                SettingsRule::AllocationBounds,
                format!(
                    "Invalid resource scheduler memory allocation configuration, {low_key}={low}, {high_key}={high}, min \
                 and max should be greater than 0, max should be no smaller than min."
                ),
            )
            .at(conf.wrong_bound(low <= 0, &low_key, &high_key)));
        }
        let bounds = allocations(&conf)?;
        let calculator = Calculator::new(CalculatorKind::Default, &bounds.types);
        let labels = settings.labels.iter().map(|l| (l.name.clone(), l.exclusive));
        let groups = settings.groups.clone();
        let cluster = Cluster::new(bounds.types, calculator, bounds.minimum, bounds.maximum, labels, groups);
        Ok((FifoScheduler::default(), cluster))
    }

    /// The usage of all applications.
    pub fn used(&self) -> Resource {
        self.used
    }

    /// Returns an application's headroom, which is set for all applications when a node was offered.
    pub(crate) fn headroom(&self, app: AppId) -> Resource {
        let told = match self.begun.get(app.index()).copied().flatten() {
            Some(begun) => begun < self.told.0,
            None => app.index() < self.told.1,
        };
        if told { self.left } else { Resource::ZERO }
    }

    fn tell(&mut self, left: Resource, apps: usize) {
        (self.left, self.told) = (left, (self.told.0 + 1, apps));
    }

    fn begins(&mut self, app: AppId) {
        if self.begun.len() <= app.index() {
            self.begun.resize(app.index() + 1, None);
        }
        self.begun[app.index()] = Some(self.told.0);
    }

    /// Adds an application's next attempt. Returns the size that its AM's container was asked for in.
    pub(crate) fn add_attempt<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        app: AppId,
        am: Option<&AmRequest>,
        rec: &mut R,
    ) -> bool {
        c.add_attempt(app, am, rec);
        let a = c.app_mut(app);
        (a.runnable, a.active) = (true, true);
        self.begins(app);
        true
    }

    /// All that is there before the run begins is there: applications were told what is left.
    pub(crate) fn all_are_there(&mut self, c: &Cluster) {
        self.tell(c.total.minus_not_below_zero(self.used), c.apps.len());
    }

    /// A container of a key that asks for it is there before the run begins.
    pub(crate) fn container_is_there<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        (app, place, node, size): (AppId, usize, NodeId, Resource),
        rec: &mut R,
    ) {
        let key = c.app(app).asks.at(place).key;
        let (partition, locality) = (crate::model::PartitionId::DEFAULT, super::Locality::OffSwitch);
        let origin = super::Origin::default();
        c.grant_asked(
            &super::life::Grant { app, place, key, tags: 0, node, partition, size, locality, from: None, origin },
            rec,
        );
        self.used += size;
    }

    pub(crate) fn ask_for_am(&mut self, c: &mut Cluster, app: AppId, am: &AmRequest) -> Option<Resource> {
        let size = c.rounded(am.size);
        c.take_asks(app, AM_KEY, &am.rows(size));
        Some(size)
    }

    pub(crate) fn end_attempt<R: Recorder>(&mut self, c: &mut Cluster, app: AppId, keep: bool, rec: &mut R) {
        if !c.app(app).alive {
            return;
        }
        let attempt = c.app(app).attempt;
        rec.note(c.now, || Change::AttemptEnded { app, attempt });
        for id in c.live_of(app, keep).0 {
            self.end_container(c, id, ABORTED, EndCause::AppOver, rec);
        }
        c.finish_attempt(app);
    }

    pub(crate) fn update_asks(&mut self, c: &mut Cluster, app: AppId, key: RequestKey, rows: &[(PlaceId, RequestRow)]) {
        c.take_asks(app, key, rows);
    }

    pub(crate) fn end_container<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        id: ContainerId,
        exit_code: i32,
        why: EndCause,
        rec: &mut R,
    ) {
        if let Some(slot) = c.slot(id) {
            self.used -= c.end_and_ask(slot, exit_code, why, rec);
        }
    }

    /// A node leaves: its containers end. Applications whose AM ran there. What had ended there before, and the node
    /// had not reported, is taken off the sum a second time if its application is still there (quirk).
    pub(crate) fn remove_node<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        id: NodeId,
        why: NodeGone,
        rec: &mut R,
    ) -> Vec<AppId> {
        let left = c.node_leaves(id, why, rec);
        for (app, size) in left.unreported {
            if c.app(app).alive {
                self.used -= size;
            }
        }
        for id in left.containers {
            self.end_container(c, id, ABORTED, EndCause::LostNode, rec);
        }
        left.masters
    }

    pub(crate) fn resize_node<R: Recorder>(&mut self, c: &mut Cluster, id: NodeId, total: Resource, rec: &mut R) {
        c.resize(id, total, rec);
    }
}

/// Returns the usage of an application.
fn used(c: &Cluster, app: AppId) -> Resource {
    c.app(app).used[DEFAULT]
}
