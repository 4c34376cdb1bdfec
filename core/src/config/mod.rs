//! Configuration: from text to typed settings and back.
//!
//! Parses Hadoop's configuration XML with positions ([`xml`]), knows every property ([`properties`]), and builds the
//! CapacityScheduler's typed tree of settings ([`capacity`]), with Hadoop's own messages for refusals. Keeps what is
//! not modelled.

pub mod capacity;
pub mod check;
pub mod fair;
mod java_class;
pub mod mutation;
pub mod node_labels;
pub mod nodes;
pub mod properties;
pub mod releases;
pub mod resource_text;
pub mod units;
pub mod values;
pub mod xml;
pub mod yarn_site;
