//! Reservations that are dropped, and containers that end (AbstractLeafQueue.completedContainer,
//! FiCaSchedulerApp.unreserve, FiCaSchedulerNode; capacity-scheduler.md 10, 11.2).

use super::books::Accounting;
use crate::journal::{Recorder, UnreserveCause};
use crate::model::{ContainerId, RequestKey, Resource};
use crate::scheduler::app::EndCause;
use crate::scheduler::container::RowsLowered;
use crate::scheduler::life::Gone;
use crate::scheduler::{Cluster, ContainerState, Slot};

impl Accounting {
    /// Drops a reservation.
    pub(crate) fn unreserve<R: Recorder>(&mut self, c: &mut Cluster, slot: Slot, why: UnreserveCause, rec: &mut R) {
        // For the other causes the application alone drops it, and notifies nobody.
        match why {
            UnreserveCause::AttemptEnded
            | UnreserveCause::NodeChanged
            | UnreserveCause::Released
            | UnreserveCause::Preempted => self.killable_ends(c, slot),
            UnreserveCause::Converted | UnreserveCause::Excess | UnreserveCause::OtherNode => {}
        }
        let gone = c.drop_reservation(slot, why, rec);
        self.charge_reserved(c, gone.app, gone.size, gone.partition, false);
        self.charge(c, gone.app, gone.size, gone.partition, false);
    }

    /// Ends a container, or drops a reservation. Frees the usage of application, user and queues at once, and the
    /// node's room as [`Cluster::release_room`] says.
    pub(crate) fn end_container<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        id: ContainerId,
        exit_code: i32,
        why: EndCause,
        rec: &mut R,
    ) {
        let Some(slot) = c.slot(id) else { return };
        if c.containers.at(slot).state == ContainerState::Reserved {
            let cause = if why == EndCause::Released { UnreserveCause::Released } else { UnreserveCause::AttemptEnded };
            return self.unreserve(c, slot, cause, rec);
        }
        self.killable_ends(c, slot);
        let gone = c.end_at(slot, exit_code, why, rec);
        self.charge(c, gone.app, gone.size, gone.partition, false);
        if let Some((key, rows)) = gone.wanted {
            self.ask_again(c, &gone, key, &rows);
        }
    }

    /// Requests a container again that its AM never received (11.2).
    fn ask_again(&mut self, c: &mut Cluster, gone: &Gone, key: RequestKey, rows: &RowsLowered) {
        let app = gone.app;
        // A container that the placement processor placed has no key here.
        let Some(place) = c.app(app).asks.find(key) else { return };
        let asks = c.app_mut(app).asks.at_mut(place);
        asks.raise(rows, gone.size);
        let (partition, size, count) =
            (asks.partition, asks.any().map_or(Resource::ZERO, |r| r.size), asks.outstanding());
        self.change_pending(c, app, partition, size, 1);
        if count == 1 {
            c.app_mut(app).asks.open_key(place);
            self.asks_begin(c, app);
        }
    }
}
