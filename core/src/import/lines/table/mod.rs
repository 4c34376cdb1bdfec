//! The patterns, a row each. The first row that is found is what a line is taken for, so the order is part of the table.

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

use super::row::Row;

/// All patterns: what names a cause before what only says a state, and what is not ours last.
pub const GROUPS: [&[Row]; 10] = [
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
pub fn rows() -> impl Iterator<Item = &'static Row> {
    GROUPS.iter().flat_map(|group| group.iter())
}
