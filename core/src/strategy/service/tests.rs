//! The ApplicationMaster of a service by itself.
