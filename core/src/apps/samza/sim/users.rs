//! What users do to Samza jobs.

use super::SamzaProcess;
use crate::apps::samza::scenario::{SamzaApp, SamzaChange, SamzaHappening, SamzaMessage};
use crate::apps::samza::strategy::Message;
use crate::apps::samza::strategy::master::{store_configuration, store_partitions};
use crate::apps::samza::strategy::stream::{CoordinatorStreamMessage, StreamMessageKind};
use crate::journal::Recorder;
use crate::rm::Refusal;
use crate::sim::Simulation;
use crate::sim::act::not_there;
use crate::strategy::{Master, Order};

impl Simulation {
    fn samza_app(&self, name: &str) -> Result<usize, Refusal> {
        let place = self.scenario.apps.iter().position(|a| a.name == name && a.kind.is::<SamzaApp>());
        place.ok_or_else(|| not_there("there is no such Samza job"))
    }

    /// Sets another configuration, and other streams, from the next start on.
    pub(crate) fn change_job(&mut self, place: usize, changed: &SamzaChange) {
        let Some(app) = self.samza_spec(place) else { return };
        let text = app.plan(0).properties(&self.apps[place].store);
        let text = changed.apply(&text);
        let store = &mut self.apps[place].store;
        store_configuration(store, &text);
        changed.streams.iter().for_each(|(name, count)| store_partitions(store, name, *count));
    }

    /// Carries out the `number`-th happening of the scenario. Errors: it comes to nothing.
    pub(crate) fn happen_to_samza<R: Recorder>(
        &mut self,
        number: usize,
        act: &SamzaHappening,
        rec: &mut R,
    ) -> Result<(), Refusal> {
        match act {
            SamzaHappening::PlaceProcessor { app, message } => self.place_processor(app, message, number, rec),
            SamzaHappening::FinishProcessor { app, processor, exit_code } => {
                self.finish_processor(app, processor, *exit_code)
            }
            SamzaHappening::WriteStream { app, rows } => self.write_stream(app, rows),
            SamzaHappening::ClearDisks(host) => {
                self.find_node(host)?;
                self.kinds.lose_disks(host);
                Ok(())
            }
        }
    }

    /// Writes a placement message of a user.
    fn place_processor<R: Recorder>(
        &mut self,
        name: &str,
        message: &SamzaMessage,
        number: usize,
        rec: &mut R,
    ) -> Result<(), Refusal> {
        let place = self.samza_app(name)?;
        let Some(app) = self.samza_spec(place) else { return Ok(()) };
        let run = app.plan(0).settings(&self.apps[place].store).run_id.unwrap_or_default();
        let mut stream = self.coordinator_stream(place);
        stream.place(Message {
            id: number as u64,
            run: message.run.clone().unwrap_or(run),
            processor: message.processor.clone(),
            to: message.to.clone(),
            expiry_ms: message.expiry,
        });
        stream.write(&mut self.apps[place].store);
        let _ = self.order(place, Order::Flex, rec);
        Ok(())
    }

    /// Writes or deletes rows of the coordinator stream.
    fn write_stream(
        &mut self,
        name: &str,
        rows: &[(StreamMessageKind, String, Option<String>)],
    ) -> Result<(), Refusal> {
        let place = self.samza_app(name)?;
        let mut stream = self.coordinator_stream(place);
        for (kind, key, value) in rows {
            match value {
                Some(value) => {
                    let row = CoordinatorStreamMessage { kind: *kind, key: key.clone(), value: value.clone() };
                    stream.put(row).map_err(|e| not_there(&format!("the value has to be {}", e.0)))?;
                }
                None => _ = stream.delete(*kind, key),
            }
        }
        let run = &mut self.apps[place];
        stream.write(&mut run.store);
        if let Some(Master::Samza(master)) = &mut run.master {
            master.read_stream(&run.store);
        }
        Ok(())
    }

    /// Ends the process of a processor.
    fn finish_processor(&mut self, name: &str, processor: &str, exit_code: i32) -> Result<(), Refusal> {
        let place = self.samza_app(name)?;
        let of = |p: &SamzaProcess| p.app == place && p.processor == processor;
        let found = self.kinds.samza.processes.iter().rev().find(|(_, p)| of(p)).map(|(c, _)| *c);
        let container = found.ok_or_else(|| not_there("it does not run at that time"))?;
        self.end_process_at(container, self.now, exit_code);
        Ok(())
    }
}
