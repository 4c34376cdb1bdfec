//! What users do to Slider applications, and what can be observed of these from outside.

mod played;

use crate::apps::slider::scenario::{HistoryChange, HistoryEdit, SliderApp};
use crate::apps::slider::strategy::master::{
    clock, delete_history, history_files, put_history, store_definition, stored_definition,
};
use crate::apps::slider::strategy::requests::component_of;
use crate::apps::slider::strategy::{Definition, Files};
use crate::journal::Recorder;
use crate::model::{ContainerId, Millis, RequestKey};
use crate::rm::{Refusal, RefusalRule};
use crate::sim::act::not_there;
use crate::sim::{Got, Simulation};
use crate::strategy::{Master, Order, SliderMaster};

#[cfg(test)]
mod tests;

impl Simulation {
    /// Returns the ApplicationMaster of a Slider application, by its place in the scenario, while it runs.
    pub fn slider(&self, place: usize) -> Option<&SliderMaster> {
        match self.apps().get(place)?.master.as_ref()? {
            Master::Slider(master) => Some(&**master),
            _ => None,
        }
    }

    /// Returns the history files of an application, by its place in the scenario.
    pub fn history_files(&self, place: usize) -> Files {
        self.apps().get(place).map_or_else(Files::default, |run| history_files(&run.store))
    }

    /// Returns the wall clock of a Slider application at the start of the run, which is the clock of its history files.
    pub fn slider_clock(&self, place: usize) -> Millis {
        let kind = self.scenario().apps.get(place).map(|app| &app.kind);
        let files = kind.and_then(|kind| kind.get::<SliderApp>()).map_or(&[][..], |app| &app.history);
        clock(files.iter().map(|file| file.name.as_str()))
    }

    /// Returns the current resources.json of a Slider application.
    pub fn slider_definition(&self, place: usize) -> Option<Definition> {
        let app = self.scenario().apps.get(place)?.kind.get::<SliderApp>()?;
        Some(stored_definition(&self.apps().get(place)?.store).unwrap_or_else(|| app.definition.clone()))
    }

    /// Returns the name and number of the next container that an application gets, also while no ApplicationMaster runs: see
    /// [`crate::sim::AppRun::number`].
    pub fn number(
        &self,
        place: usize,
        key: RequestKey,
        ahead: impl Iterator<Item = RequestKey>,
    ) -> Option<(Option<String>, usize)> {
        let run = self.apps().get(place)?;
        let Some(app) = self.scenario().apps.get(place).and_then(|a| a.kind.get::<SliderApp>()) else {
            return Some(run.number(key, ahead));
        };
        if run.master.is_some() {
            return Some(run.number(key, ahead));
        }
        let id = |key: RequestKey| component_of(key.priority);
        let of_it = |got: &&Got| !got.am && got.key.is_some_and(|k| id(k) == id(key));
        let now = || {
            let now = SliderApp { definition: self.slider_definition(place)?, ..app.clone() };
            now.component(key.priority).map(String::from)
        };
        let known = run.containers.iter().find(of_it).and_then(|got| got.tag.clone());
        let Some(name) = known.or_else(now) else { return Some(run.number(key, ahead)) };
        let before = run.containers.iter().filter(of_it).count();
        Some((Some(name), before + ahead.filter(|k| id(*k) == id(key)).count() + 1))
    }

    /// Returns a container that YARN gives a Slider application and that the application does not know, or that the application
    /// holds although it is gone. There must be none after any event. Containers that YARN has granted or ended but not
    /// reported yet do not count, nor do ends of containers that only an earlier attempt knew.
    pub fn slider_disagrees(&self, place: usize) -> Option<ContainerId> {
        let slider = self.slider(place)?.attempt()?.slider();
        self.disagrees(place, |id| slider.knows(id), || slider.held().into_iter())
    }

    /// Returns a component whose container count in Slider differs from YARN's: its id, YARN's count, Slider's count. A
    /// container that ended still counts until its end is reported; so does one granted by the answer that reported its end: it
    /// is never launched, and its end is not reported again.
    pub fn slider_miscounts(&self, place: usize) -> Option<(i32, i64, i64)> {
        let slider = self.slider(place)?.attempt()?.slider();
        let app = self.apps()[place].id?;
        let mut here = self.given(app);
        here.extend(self.rm().scheduled(app)?.ended.iter().map(|told| told.id).filter(|id| slider.knows(*id)));
        here.extend(slider.assigned());
        let is = |id: ContainerId, wanted: i32| slider.container(id).is_some_and(|(component, _)| component == wanted);
        let of = |wanted: i32| here.iter().filter(|id| is(**id, wanted)).count() as i64;
        let each = slider.components().filter(|c| c.id() != 0).map(|c| (c.id(), of(c.id()), c.counters.actual));
        { each }.find(|(_, sum, books)| sum != books)
    }

    fn slider_app(&self, name: &str) -> Result<(usize, SliderApp), Refusal> {
        let place = self.scenario().apps.iter().position(|a| a.name == name);
        let found = place.and_then(|i| Some((i, self.scenario().apps[i].kind.get::<SliderApp>()?.clone())));
        found.ok_or_else(|| not_there("there is no such application of Slider"))
    }

    /// Stores the new definition as the client does, and notifies the ApplicationMaster if it runs.
    pub(crate) fn flex<R: Recorder>(
        &mut self,
        name: &str,
        counts: &[(String, i64)],
        definition: Option<&Definition>,
        rec: &mut R,
    ) -> Result<(), Refusal> {
        if let Some(place) = self.service_place(name) {
            return self.flex_service(place, counts, rec);
        }
        let (i, app) = self.slider_app(name)?;
        let now = || self.slider_definition(i).unwrap_or_else(|| app.definition.clone());
        let mut wanted = definition.cloned().unwrap_or_else(now);
        for (component, count) in counts {
            let changed = wanted.with_instances(component, *count);
            wanted = changed.ok_or_else(|| not_there("it has no such component"))?;
        }
        store_definition(&mut self.apps[i].store, &wanted);
        match self.order(i, Order::Flex, rec) {
            Some(Err(words)) => Err(Refusal::of(RefusalRule::Client, words)),
            _ => Ok(()),
        }
    }

    /// Writes, damages or deletes history files. Errors: there is no such application or file.
    pub(crate) fn change_history(&mut self, edit: &HistoryEdit) -> Result<(), Refusal> {
        let (i, _) = self.slider_app(&edit.app)?;
        let files = self.history_files(i);
        let newest = || files.candidates().next();
        let store = &mut self.apps[i].store;
        let none = || not_there("it has no such file at that time");
        match (&edit.change, edit.file.as_deref()) {
            (HistoryChange::Write(text), file) => {
                put_history(store, file.or_else(newest).ok_or_else(none)?, text.as_str());
            }
            (HistoryChange::Damage, file) => {
                let name = file.or_else(newest).ok_or_else(none)?;
                let text = files.text(name).ok_or_else(none)?;
                let half = (0..=text.len() / 2).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
                put_history(store, name, &text[..half]);
            }
            (HistoryChange::Delete, Some(name)) => {
                delete_history(store, name).then_some(()).ok_or_else(none)?;
            }
            (HistoryChange::Delete, None) => {
                files.iter().for_each(|(name, _)| _ = delete_history(store, name));
            }
        }
        Ok(())
    }
}
