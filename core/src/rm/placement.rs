//! What reaches the ResourceManager of placement constraints besides requests: node attributes, constraints put
//! there by an administrator or a program, and what can be read of tags (placement-constraints.md sections 4, 5.1, 10).

use super::manager::ResourceManager;
use super::texts;
use crate::api::{Refusal, Refused};
use crate::constraint::tags::Whose;
use crate::constraint::{AttributeChange, Constraint, Handler, PlacementState, Scope, settings};
use crate::model::{AppId, NodeId};

impl ResourceManager {
    /// YARN's id of an application.
    pub fn application_id(&self, app: AppId) -> String {
        texts::application(app)
    }

    /// What constraints can refer to: tags, attributes, registered constraints.
    pub fn placement(&self) -> &PlacementState {
        &self.cluster.placement
    }

    /// Changes the attributes of a host, whether it has a node or not. Only the CapacityScheduler is told of them:
    /// under the others no node has any.
    pub fn set_node_attributes<S: AsRef<str>>(&mut self, host: &str, how: &AttributeChange, attributes: &[(S, S)]) {
        if self.capacity().is_some() {
            self.cluster.placement_changes += 1;
            self.cluster.placement.attributes.change(host, how, attributes);
        }
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
        self.cluster.placement_changes += 1;
        let constraints = &mut self.cluster.placement.constraints;
        match constraint {
            Some(constraint) => constraints.put(app, tags, constraint, replace),
            None => constraints.remove(app, tags),
        };
        Ok(())
    }

    /// Application tags as they are kept: in lower case unless the property says otherwise.
    pub(super) fn application_tags(&self, tags: &[String]) -> Vec<String> {
        let lower = self.cluster.placement.settings.lower_case_tags;
        tags.iter().map(|tag| if lower { tag.to_lowercase() } else { tag.clone() }).collect()
    }

    /// The constraints that an AM sends when it registers. Errors: nobody handles constraints.
    pub(super) fn register_constraints(&mut self, app: AppId) -> Result<(), Refusal> {
        let constraints = &self.apps[app.index()].submission.constraints;
        self.cluster.placement_changes += 1;
        let placement = &mut self.cluster.placement;
        match placement.settings.handler {
            Handler::Processor | Handler::Scheduler => {
                // An AM that sends none is not known to the constraint manager.
                if !constraints.is_empty() {
                    placement.constraints.register(app, constraints);
                }
            }
            Handler::Disabled if !constraints.is_empty() => {
                let words = format!(
                    "Found non empty placement constraints map in RegisterApplicationMasterRequest for \
                     application={}, but the configured {} cannot handle placement constraints. Rejecting this \
                     registerApplicationMaster operation",
                    texts::attempt(self.cluster.app(app).attempt_id()),
                    settings::HANDLER
                );
                return Err(Refusal::of(Refused::ConstraintsOff, words));
            }
            Handler::Disabled | Handler::None => {}
        }
        Ok(())
    }

    /// See [`Simulation::count_chances`](crate::sim::Simulation::count_chances).
    #[cfg(test)]
    pub(crate) fn count_chances(&mut self) {
        if let crate::scheduler::Scheduler::Capacity(s) = &mut self.scheduler {
            s.count_owed(&mut self.cluster);
        }
    }

    /// The AM is done: its constraints and what the placement processor holds for it go.
    pub(super) fn forget_constraints(&mut self, app: AppId) {
        self.cluster.placement_changes += 1;
        self.cluster.placement.constraints.unregister(app);
        self.processor.forget(app);
    }

    /// Tags counted on a node, over all applications.
    pub fn tags_on(&self, node: NodeId) -> Vec<(&str, i64)> {
        self.cluster.placement.tags.at(Scope::Node, node.0, Whose::Everybodys)
    }
}
