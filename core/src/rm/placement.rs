//! Placement constraints apart from requests: node attributes, constraints that an administrator or a program
//! registers, and allocation tags (placement-constraints.md sections 4, 5.1, 10).

use super::manager::ResourceManager;
use super::texts;
use crate::api::{Refusal, RefusalRule};
use crate::constraint::tags::AllocationScope;
use crate::constraint::{AttributeChange, Constraint, Handler, PlacementState, Scope, settings};
use crate::model::{AppId, NodeId};

impl ResourceManager {
    /// Returns YARN's id of an application.
    pub fn application_id(&self, app: AppId) -> String {
        texts::application(app)
    }

    /// Returns what constraints can refer to: tags, attributes, registered constraints.
    pub fn placement(&self) -> &PlacementState {
        &self.cluster.placement
    }

    /// Changes the attributes of a host, with or without a node. Only the CapacityScheduler gets them: under the other
    /// schedulers no node has attributes.
    pub fn set_node_attributes<S: AsRef<str>>(&mut self, host: &str, how: &AttributeChange, attributes: &[(S, S)]) {
        if self.capacity().is_some() {
            self.cluster.placement_changes += 1;
            self.cluster.placement.attributes.change(host, how, attributes);
        }
    }

    /// Registers a constraint for a source tag, of a registered application or of the cluster (`None`); an existing one
    /// stays unless `replace`. Without a constraint the existing one is removed. Like YARN, ignores calls without
    /// exactly one source tag and applications that are not registered.
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

    /// Returns application tags as YARN stores them: in lower case unless the property says otherwise.
    pub(super) fn application_tags(&self, tags: &[String]) -> Vec<String> {
        let lower = self.cluster.placement.settings.lower_case_tags;
        tags.iter().map(|tag| if lower { tag.to_lowercase() } else { tag.clone() }).collect()
    }

    /// Registers the constraints that an AM sends with its registration. Errors: no handler is configured.
    pub(super) fn register_constraints(&mut self, app: AppId) -> Result<(), Refusal> {
        let constraints = &self.apps[app.index()].submission.constraints;
        self.cluster.placement_changes += 1;
        let placement = &mut self.cluster.placement;
        match placement.settings.handler {
            Handler::Processor | Handler::Scheduler => {
                // The constraint manager does not know an AM that sends none.
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
                return Err(Refusal::of(RefusalRule::ConstraintsOff, words));
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

    /// Removes an AM's constraints and its requests in the placement processor.
    pub(super) fn forget_constraints(&mut self, app: AppId) {
        self.cluster.placement_changes += 1;
        self.cluster.placement.constraints.unregister(app);
        self.processor.forget(app);
    }

    /// Returns the counts of tags on a node, over all applications.
    pub fn tags_on(&self, node: NodeId) -> Vec<(&str, i64)> {
        self.cluster.placement.tags.at(Scope::Node, node.0, AllocationScope::Everybodys)
    }
}
