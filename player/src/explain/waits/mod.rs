//! Why something waits: from the record of the latest look at it, through the chain of limits, to the nodes.

pub mod away;
pub mod chain;
pub mod checks;
pub mod full;
pub mod looks;
pub mod of_check;
pub mod on_nodes;
pub mod over_time;
pub mod record;
pub mod request;
pub mod stop;
pub mod story;
pub mod taken;
pub mod unheeded;
pub mod waiting;
pub mod wants;
