//! What reaches the ResourceManager of placement constraints besides requests: node attributes, constraints put
//! there by an administrator or a program, and what can be read of tags (placement-constraints.md sections 4, 5.1, 10).

use super::api::Refusal;
use super::manager::ResourceManager;
use crate::constraint::tags::Whose;
use crate::constraint::{AttributeChange, Constraint, PlacementState, Scope};
use crate::model::{AppId, NodeId};

/// Cluster timestamp in YARN's ids: the ResourceManager's start.
pub const CLUSTER_TIMESTAMP: i64 = 1_700_000_000_000;

/// Cluster timestamp and number of an application's id.
pub fn application_number(app: AppId) -> (i64, i32) {
    (CLUSTER_TIMESTAMP, app.0 as i32 + 1)
}

impl ResourceManager {
    /// YARN's id of an application.
    pub fn application_id(&self, app: AppId) -> String {
        let (cluster, number) = application_number(app);
        format!("application_{cluster}_{number:04}")
    }

    /// What constraints can refer to: tags, attributes, registered constraints.
    pub fn placement(&self) -> &PlacementState {
        &self.cluster.placement
    }

    /// Changes the attributes of a host, whether it has a node or not.
    pub fn set_node_attributes<S: AsRef<str>>(&mut self, host: &str, how: &AttributeChange, attributes: &[(S, S)]) {
        self.cluster.placement.attributes.change(host, how, attributes);
    }

    /// Adds a constraint for a source tag, of a registered application or of the cluster (`None`); an old one stays
    /// unless `replace`. Without a constraint the old one is taken away. What YARN ignores is ignored: not exactly
    /// one source tag, an application that is not registered.
    pub fn put_constraint(
        &mut self,
        app: Option<AppId>,
        tags: &[String],
        constraint: Option<Constraint>,
        replace: bool,
    ) -> Result<(), Refusal> {
        let constraints = &mut self.cluster.placement.constraints;
        match constraint {
            Some(constraint) => constraints.put(app, tags, constraint, replace),
            None => constraints.remove(app, tags),
        };
        Ok(())
    }

    /// Tags counted on a node, over all applications.
    pub fn tags_on(&self, node: NodeId) -> Vec<(&str, i64)> {
        self.cluster.placement.tags.at(Scope::Node, node.0, Whose::Everybodys)
    }
}
