//! MapReduce's ApplicationMaster (RMContainerAllocator, RMContainerRequestor; lifecycles-and-timing.md 6.1): `requestor` has
//! the requests as they are sent; `reduces` decides when reduces are requested and preempted; `allocator` assigns containers to
//! tasks.

pub mod allocator;
pub mod reduces;
pub mod requestor;
