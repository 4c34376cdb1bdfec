//! What client programs do on a user's machine before YARN sees an application: what they refuse, and what they submit.
//! The plain data of both are [`crate::api::ClientRefusal`] and [`crate::api::Submitted`].

pub mod java;
pub mod json;
pub mod path;
