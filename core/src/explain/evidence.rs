//! What the deciding code recorded in the scheduler's latest look at everything, in a form that can be asked.

use crate::journal::{
    AppOrder, AppVerdict, Change, ChildOrder, CommitRefusal, Entry, Finding, NodeVerdict, QueueVerdict, RequestOrder,
    RequestVerdict, ShareOrder,
};
use crate::model::{AppId, Millis, NodeId, PartitionId, QueueId, RequestKey, SortedMap};
use std::collections::BTreeMap;

/// The latest verdicts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Of a request on a node.
    pub nodes: BTreeMap<(AppId, RequestKey, NodeId), NodeVerdict>,
    /// Of a request as a whole, and the node that was looked at.
    pub requests: SortedMap<(AppId, RequestKey), (NodeId, RequestVerdict)>,
    /// Of an application as a whole on the nodes of a partition; not when it was to borrow their idle room.
    pub apps: SortedMap<(AppId, PartitionId), AppVerdict>,
    /// The request for which a leaf has not enough headroom, of the application that [`Evidence::queues`] names.
    pub blocking: SortedMap<(QueueId, PartitionId), RequestKey>,
    /// Of a queue on the nodes of a partition, where a limit stopped it; not when it was to borrow their idle room.
    pub queues: SortedMap<(QueueId, PartitionId), QueueVerdict>,
    /// Of a leaf on the nodes of a partition when it was to borrow their idle room, where a request of it ended the look.
    pub lent: SortedMap<(QueueId, PartitionId), (QueueVerdict, Option<RequestKey>)>,
    /// Order of children as last sorted, and for which node.
    pub children: SortedMap<QueueId, (NodeId, Vec<ChildOrder>)>,
    /// The same under the FairScheduler.
    pub shares: SortedMap<QueueId, (NodeId, Vec<ShareOrder>)>,
    /// Order of a leaf's applications as last tried, and for which node.
    pub app_orders: SortedMap<QueueId, (NodeId, Vec<AppOrder>)>,
    /// Order of an application's requests as last tried, and for which node.
    pub request_orders: SortedMap<AppId, (NodeId, Vec<RequestOrder>)>,
    /// Who was given room on a node last.
    pub given: SortedMap<NodeId, AppId>,
    /// The last proposal that was refused when it was to be committed: whose, for which node, why.
    pub refused: Option<(AppId, NodeId, CommitRefusal)>,
    /// Nodes that were looked at, and when last.
    pub visited: SortedMap<NodeId, Millis>,
}

impl Evidence {
    /// From entries in their order.
    pub fn of<'e>(entries: impl IntoIterator<Item = &'e (Millis, Entry)>) -> Self {
        let mut out = Evidence::default();
        let mut last = None;
        let (mut node, mut partition, mut lent) = (NodeId::default(), PartitionId::DEFAULT, false);
        for (at, entry) in entries {
            match entry {
                Entry::Found(Finding::Attempt { node: n, partition: p, .. }) => {
                    (node, partition, lent) = (*n, *p, false);
                    out.visited.insert(node, *at);
                }
                Entry::Found(Finding::Children { queue, order, .. }) => {
                    out.children.insert(*queue, (node, order.clone()));
                }
                Entry::Found(Finding::Shares { queue, order, .. }) => {
                    out.shares.insert(*queue, (node, order.clone()));
                }
                Entry::Found(Finding::Apps { queue, order, .. }) => {
                    out.app_orders.insert(*queue, (node, order.clone()));
                }
                Entry::Found(Finding::Requests { app, order, .. }) => {
                    out.request_orders.insert(*app, (node, order.clone()));
                }
                Entry::Found(Finding::IgnoreExclusivity) => lent = true,
                Entry::Changed(Change::Allocated { container, node, .. }) => {
                    out.given.insert(*node, container.app);
                }
                Entry::Changed(Change::CommitRefused { app, node, why, .. }) => {
                    out.refused = Some((*app, *node, why.clone()))
                }
                Entry::Found(Finding::Queue { queue, verdict }) if lent => match verdict {
                    QueueVerdict::Headroom { .. } => {
                        out.lent.insert((*queue, partition), (verdict.clone(), last));
                    }
                    QueueVerdict::Accepted | QueueVerdict::NothingBelow => {
                        out.lent.remove(&(*queue, partition));
                    }
                    _ => {}
                },
                Entry::Found(Finding::Queue { queue, verdict }) => match verdict {
                    QueueVerdict::MaxCapacity { .. } | QueueVerdict::Headroom { .. } => {
                        out.queues.insert((*queue, partition), verdict.clone());
                        if let Some(key) = last {
                            out.blocking.insert((*queue, partition), key);
                        }
                    }
                    QueueVerdict::Accepted | QueueVerdict::NothingBelow => {
                        out.queues.remove(&(*queue, partition));
                    }
                    _ => {}
                },
                Entry::Found(Finding::App { .. }) if lent => {}
                Entry::Found(Finding::App { app, verdict }) => {
                    out.apps.insert((*app, partition), verdict.clone());
                }
                Entry::Found(Finding::Request { app, key, verdict }) => {
                    last = Some(*key);
                    out.requests.insert((*app, *key), (node, verdict.clone()));
                }
                Entry::Found(Finding::Node { app, key, node, verdict }) => {
                    // It got as far as a node: no limit stopped it this time (none looks at a reservation that is retried).
                    let retried = matches!(verdict, NodeVerdict::ReReserved { .. });
                    if !retried {
                        out.apps.remove(&(*app, partition));
                    }
                    if !retried && matches!(out.requests.get(&(*app, *key)), Some((_, RequestVerdict::Headroom { .. })))
                    {
                        out.requests.remove(&(*app, *key));
                    }
                    out.nodes.insert((*app, *key, *node), verdict.clone());
                }
                _ => {}
            }
        }
        out
    }

    /// Of an application as a whole, on whatever nodes (the FairScheduler knows no partitions).
    pub fn app(&self, app: AppId) -> Option<&AppVerdict> {
        self.apps.iter().find(|((a, _), _)| *a == app).map(|(_, verdict)| verdict)
    }
}
