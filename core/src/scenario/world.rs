//! Other worlds (`[[worlds]]` in the text): variants of the scenario that differ in a few settings and are compared with
//! it.

use super::edit::{self, Change, Setting};
use crate::apps::scenario::{OWN_SETTINGS, OwnSettings};
use crate::model::Span;
use serde::{Deserialize, Serialize};

/// The prefix of the CapacityScheduler's properties.
const CAPACITY: &str = "yarn.scheduler.capacity.";

/// A variant of the scenario.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct World {
    /// The name: `maximum-am-resource-percent = 0.4`.
    pub name: String,
    /// Properties by their full names, with their values in this world.
    pub set: Vec<(String, String)>,
    /// The scheduler, if another one: capacity, fair or fifo.
    pub scheduler: Option<String>,
    /// The fair-scheduler.xml, if another one.
    pub allocations: Option<String>,
    /// The index of its entry in `[[worlds]]`, from 0.
    pub entry: usize,
    /// Where it is written.
    pub span: Span,
    /// Where each entry of `set` is written, in the same order.
    pub set_at: Vec<SetAt>,
    /// Where `scheduler` is written.
    pub scheduler_at: Option<Span>,
    /// Where `fair-scheduler.xml` is written.
    pub allocations_at: Option<Span>,
}

/// The places where a setting of another world is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SetAt {
    /// The place of the property's name.
    pub name: Span,
    /// The place of its value.
    pub value: Span,
}

impl World {
    /// Returns the scenario's text as it is in this world. Errors: the text is not written as an edit expects it.
    pub fn text(&self, text: &str) -> Result<String, String> {
        let mut text = match &self.scheduler {
            Some(_) => edit::name_queues_in_full(text)?,
            None => text.to_string(),
        };
        if let Some(file) = &self.allocations {
            text = edit::set_file(&text, crate::config::fair::FILE, file)?;
        }
        for (property, value) in &self.set {
            text = if let Some((own, name)) = of_app(&text, property) {
                (own.set)(&text, name, value)?
            } else if property.starts_with(CAPACITY) {
                edit::change_queues(&text, None, Change::Property(property, value))?
            } else {
                edit::set_property(&text, "yarn-site", property, &Setting::typed(value))?
            };
        }
        match &self.scheduler {
            Some(name) => edit::set(&text, &["scheduler".into()], &Setting::Text(name.clone())),
            None => Ok(text),
        }
    }
}

impl World {
    /// Returns the world with only one of its settings.
    pub fn only(&self, n: usize) -> World {
        let one = |list: &[(String, String)]| list.get(n).cloned().into_iter().collect();
        let set_at = self.set_at.get(n).copied().into_iter().collect();
        World { set: one(&self.set), set_at, scheduler: None, allocations: None, ..self.clone() }
    }

    /// Returns whether a setting stands in an application's own file.
    pub fn is_of_app(text: &str, property: &str) -> bool {
        of_app(text, property).is_some()
    }
}

/// Returns the kind whose own file contains a setting, and the setting's name there; `None`: it is one of YARN's.
fn of_app<'p>(text: &str, property: &'p str) -> Option<(&'static OwnSettings, &'p str)> {
    let name = property.strip_prefix(CAPACITY)?;
    Some((OWN_SETTINGS.iter().find(|own| (own.has)(text, name))?, name))
}

#[cfg(test)]
mod tests {
    use crate::scenario::read;

    const TEXT: &str =
        "heddle = 1\nscheduling = \"heartbeat\"\n[capacity-scheduler]\nroot.queues = \"a\"\nroot.a.capacity = 100\n";

    #[test]
    fn a_list_of_values_makes_a_world_each() {
        let text = format!(
            "{TEXT}[[worlds]]\nproperty = \"root.a.user-limit-factor\"\nvalues = [1, 2.5]\n[[worlds]]\nname = \"both\"\nscheduler = \"fifo\"\nset = {{ root.a.maximum-capacity = 50, \"yarn.scheduler.minimum-allocation-mb\" = 512 }}\n"
        );
        let scenario = read(&text).scenario.expect("it reads");
        let names: Vec<&str> = scenario.worlds.iter().map(|w| w.name.as_str()).collect();
        assert_eq!(names, ["user-limit-factor = 1", "user-limit-factor = 2.5", "both"]);
        assert_eq!(scenario.worlds.iter().map(|w| w.entry).collect::<Vec<_>>(), [0, 0, 1]);
        let there =
            |i: usize| read(&scenario.worlds[i].text(&text).expect("it is written")).scenario.expect("it reads");
        let factor = "yarn.scheduler.capacity.root.a.user-limit-factor";
        assert_eq!(there(1).settings.capacity_scheduler.get(factor).map(String::as_str), Some("2.5"));
        let both = there(2);
        let maximum = both.settings.capacity_scheduler.get("yarn.scheduler.capacity.root.a.maximum-capacity");
        assert_eq!(maximum.map(String::as_str), Some("50"));
        let minimum = both.settings.yarn_site.get("yarn.scheduler.minimum-allocation-mb");
        assert_eq!(minimum.map(String::as_str), Some("512"));
        assert_eq!(both.settings.scheduler, crate::api::SchedulerChoice::Fifo);
    }

    #[test]
    fn a_component_of_a_slider_has_other_keys_there() {
        let text = format!(
            "{TEXT}[[nodes]]\nname = \"n\"\nsize = \"8 GB/4\"\n[[apps]]\nname = \"web.1\"\nkind = \"slider\"\n\
             components = [{{ name = \"w\", \"yarn.role.priority\" = 1, \"yarn.component.instances\" = 1 }}]\n\
             [[worlds]]\nproperty = \"web.1.w.yarn.component.placement.policy\"\nvalues = [1, 4]\n\
             [[worlds]]\nname = \"nobody\"\nset = {{ \"other.w.yarn.memory\" = 512 }}\n"
        );
        let scenario = read(&text).scenario.expect("it reads");
        let names: Vec<&str> = scenario.worlds.iter().map(|w| w.name.as_str()).collect();
        assert_eq!(names, ["policy = 1", "policy = 4", "nobody"]);
        let other = scenario.worlds[1].text(&text).expect("it is written");
        let Some(slider) =
            read(&other).scenario.expect("it reads").apps[0].kind.get::<crate::scenario::SliderApp>().cloned()
        else {
            panic!("a Slider")
        };
        assert_eq!(slider.definition.components["w"]["yarn.component.placement.policy"], "4");
        assert!(scenario.worlds[2].text(&text).is_err());
    }

    #[test]
    fn a_samza_job_has_other_properties_there() {
        let text = format!(
            "{TEXT}[[nodes]]\nname = \"n\"\nsize = \"8 GB/4\"\n[[apps]]\nname = \"join.1\"\nkind = \"samza\"\n\
             streams = {{ \"k.in\" = 4 }}\n\"job.properties\" = '''\njob.name=join\n# why\ntask.inputs=k.in\n'''\n\
             [[worlds]]\nproperty = \"join.1.job.host-affinity.enabled\"\nvalues = [true]\n"
        );
        let scenario = read(&text).scenario.expect("it reads");
        assert_eq!(scenario.worlds[0].name, "enabled = true");
        let other = scenario.worlds[0].text(&text).expect("it is written");
        let line = "task.inputs=k.in\n";
        assert_eq!(other, text.replace(line, &format!("{line}job.host-affinity.enabled=true\n")), "one line");
    }

    #[test]
    fn what_says_nothing_is_told() {
        for entry in ["", "property = \"a\"", "values = [1]", "name = \"x\"", "property = \"a\"\nvalues = []"] {
            let read = read(&format!("{TEXT}[[worlds]]\n{entry}\n"));
            assert!(read.scenario.is_none() && !read.problems.is_empty(), "{entry}");
        }
    }
}
