//! The key `why`: the scheduler's own record of the first assignment attempt of a heartbeat.

use super::Listener;
use super::play::{Player, Stop};
use heddle_core::journal::Full;
use serde_json::Value;

/// The record of a heartbeat, from its journal.
pub(crate) fn read<R: Listener>(_player: &Player<R>, _journal: &Full) -> Result<Value, Stop> {
    Err(Stop::NotYet("why".into()))
}
