//! Tasks that work until another application is over (`until`), as those of a launcher that submits a job and waits for it.

use super::Simulation;
use crate::model::RequestKey;
use crate::scenario::TaskGroup;

impl Simulation {
    /// Returns the group of tasks of a request; `place`: the application's place in the scenario.
    fn group(&self, place: usize, key: Option<RequestKey>) -> Option<&TaskGroup> {
        let groups = self.scenario().apps.get(place)?.kind.tasks();
        let key = key?;
        let at = (0..groups.len()).find(|i| crate::apps::batch::sim::key_of(groups, *i) == key)?;
        groups.get(at)
    }

    /// Returns the application (by its place in the scenario) until whose end the containers of a request work.
    pub fn waits_for(&self, place: usize, key: Option<RequestKey>) -> Option<usize> {
        let other = self.group(place, key)?.until.as_deref()?;
        self.scenario().apps.iter().position(|a| a.name == other)
    }

    /// Returns whether the application that a container of this key would wait for is over.
    pub(crate) fn nothing_to_wait_for(&self, place: usize, key: RequestKey) -> bool {
        let run = self.waits_for(place, Some(key)).and_then(|other| self.apps().get(other));
        run.is_some_and(|run| {
            run.refused || run.id.and_then(|id| self.rm().app(id)).is_some_and(|a| a.state.is_final())
        })
    }

    /// Ends the tasks that worked until an application was over.
    pub(crate) fn end_of(&mut self, over: usize) {
        if !self.nested {
            return;
        }
        let now = self.now();
        let Some(name) = self.scenario().apps.get(over).map(|a| a.name.as_str()) else { return };
        let mut groups = self.scenario().apps.iter().flat_map(|a| a.kind.tasks());
        if !groups.any(|g| g.until.as_deref() == Some(name)) {
            return;
        }
        let places = self.apps().iter().enumerate();
        let waiting = places.flat_map(|(i, run)| run.containers.iter().map(move |got| (i, got)));
        let ended: Vec<_> =
            waiting.filter(|(i, got)| self.waits_for(*i, got.key) == Some(over)).map(|(_, got)| got.id).collect();
        for container in ended {
            self.end_process_at(container, now, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Simulation;
    use crate::journal::Silent;
    use crate::rm::AppState;
    use crate::scenario::read;
    use std::sync::Arc;

    const TEXT: &str = r#"
heddle = 1
scheduling = "heartbeat"
until = "2 min"
[[nodes]]
name = "n"
size = "80 GB/80"
[[apps]]
name = "launcher"
user = "ann"
am = "1 GB/1"
tasks = [{ name = "wait", until = "child", size = "1 GB/1" }]
[[apps]]
name = "child"
user = "ann"
at = "10 s"
am = "1 GB/1"
tasks = [{ name = "work", count = 2, size = "1 GB/1", duration = "20 s" }]
"#;

    fn state_at(text: &str, ms: i64, app: usize) -> Option<AppState> {
        let scenario = read(text).scenario.expect("a scenario");
        let mut sim = Simulation::new(Arc::new(scenario)).expect("it starts");
        while sim.next_at().is_some_and(|at| at <= ms) && sim.step(&mut Silent).is_some() {}
        Some(sim.rm().app(sim.apps().get(app)?.id?)?.state)
    }

    #[test]
    fn a_task_ends_with_the_application_that_it_waits_for() {
        assert_eq!(state_at(TEXT, 35_000, 0), Some(AppState::Running));
        assert_eq!(state_at(TEXT, 60_000, 1), Some(AppState::Finished));
        assert_eq!(state_at(TEXT, 60_000, 0), Some(AppState::Finished));
        // A task that begins after the other application's end has nothing to wait for.
        let late = TEXT.replace("name = \"wait\",", "name = \"wait\", delay = \"1 min\",");
        assert_eq!(state_at(&late, 60_000, 0), Some(AppState::Running));
        assert_eq!(state_at(&late, 100_000, 0), Some(AppState::Finished));
    }

    #[test]
    fn what_names_nobody_or_says_two_things_is_told() {
        let said = |text: &str| read(text).problems.iter().map(|p| p.what.clone()).collect::<Vec<_>>().join(" ");
        assert!(said(&TEXT.replace("until = \"child\"", "until = \"chidl\"")).contains("chidl"));
        let two = TEXT.replace("until = \"child\"", "until = \"child\", duration = \"1 s\"");
        assert!(said(&two).contains("`duration` and an `until`"));
        assert_eq!(said(TEXT), "");
    }
}
