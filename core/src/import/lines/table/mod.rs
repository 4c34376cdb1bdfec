//! The patterns, a row each. A line is recognised by the first row that matches, so the order matters.

mod activities;
mod asks;
mod clients;
mod elsewhere;
mod endings;
mod logs;
mod masters;
mod settings;
mod shown;
mod submissions;

use super::row::LinePattern;

/// All patterns: those that name a cause come before those that only state a condition, and those that Heddle does not play
/// come last.
pub const GROUPS: [&[LinePattern]; 10] = [
    masters::ROWS,
    submissions::ROWS,
    asks::ROWS,
    endings::ROWS,
    clients::ROWS,
    logs::ROWS,
    activities::ROWS,
    shown::ROWS,
    settings::ROWS,
    elsewhere::ROWS,
];

/// Returns all rows in the order in which they are tried.
pub fn rows() -> impl Iterator<Item = &'static LinePattern> {
    GROUPS.iter().flat_map(|group| group.iter())
}
