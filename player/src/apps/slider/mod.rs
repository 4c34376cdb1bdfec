//! What is told of an application of Slider.

pub mod say;
pub mod say_books;
pub mod shown;
pub mod waits;

#[cfg(test)]
mod tests;
