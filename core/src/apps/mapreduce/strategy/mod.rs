//! MapReduce's ApplicationMaster (RMContainerAllocator, RMContainerRequestor; lifecycles-and-timing.md 6.1): `requestor`,
//! what it asks of YARN as it travels; `reduces`, when reduces are asked for and preempted; `allocator`, which task gets
//! which container.

pub mod allocator;
pub mod reduces;
pub mod requestor;
