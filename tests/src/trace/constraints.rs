//! What only traces with placement constraints need: constraints as data, node attributes, tags.

use super::play::{Player, Stop};
use super::{Happened, Listener};
use crate::conformance::Driver;
use heddle_core::constraint::Constraint;
use serde_json::{Map, Value};

/// Who plays kinds beside `trace`.
pub(crate) fn driver(_kind: &str) -> Option<Driver> {
    None
}

/// A constraint of a trace: a text, or an object.
pub(crate) fn constraint<R: Listener>(_v: &Value, _player: &Player<R>) -> Result<Constraint, Stop> {
    Err(Stop::NotYet("constraints".into()))
}

/// The step `node_attributes`.
pub(crate) fn node_attributes<R: Listener>(
    _player: &mut Player<R>,
    _step: &Value,
    _out: &mut Happened,
) -> Result<(), Stop> {
    Err(Stop::NotYet("node attributes".into()))
}

/// The step `constraint`.
pub(crate) fn change<R: Listener>(_player: &mut Player<R>, _step: &Value, _out: &mut Happened) -> Result<(), Stop> {
    Err(Stop::NotYet("constraints".into()))
}

/// Live tags of the nodes now registered: node, tag, count.
pub(crate) fn tags<R: Listener>(_player: &Player<R>) -> Map<String, Value> {
    Map::new()
}
