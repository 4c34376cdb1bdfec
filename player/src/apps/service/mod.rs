//! What is told of a YARN service.

pub mod say;
pub mod shown;

#[cfg(test)]
mod tests;
