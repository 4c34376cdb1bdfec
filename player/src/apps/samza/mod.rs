//! What is told of a Samza job.

pub mod say;
pub mod say_books;
pub mod shown;
pub mod waits;

#[cfg(test)]
mod tests;
