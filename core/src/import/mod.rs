//! What people hold of a cluster, and the scenario it gives.

pub mod lines;
