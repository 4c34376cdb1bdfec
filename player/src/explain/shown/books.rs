//! The tables of an application's books: what all kinds that have some make them of.

use crate::explain::names::Names;
use crate::explain::say::books as say;
use crate::explain::view::{LedgerCell, LedgerColumn, LedgerRow, LedgerTable, LedgerView};
use crate::explain::words;

/// Rows of a table at most.
const ROWS: usize = 200;

/// The books of an application whose ApplicationMaster has none.
pub(crate) fn head(names: Names<'_>, app: &str, law: &str) -> LedgerView {
    LedgerView {
        law: law.to_string(),
        title: say::title(app, &words::clock(names.now)),
        came_to: vec![say::no_master(app)],
        ..LedgerView::default()
    }
}

pub(crate) fn text(text: impl Into<String>) -> LedgerCell {
    cell(text.into(), Vec::new())
}

pub(crate) fn cell(text: String, formula: Vec<String>) -> LedgerCell {
    LedgerCell { text, formula, ..LedgerCell::default() }
}

/// A table of which as many rows are told as may be.
pub(crate) fn table(title: &str, of: &str, columns: &[(&str, bool)], mut rows: Vec<LedgerRow>) -> LedgerTable {
    let more = rows.len().saturating_sub(ROWS);
    rows.truncate(ROWS);
    let columns = columns.iter().map(|(name, number)| LedgerColumn { name: (*name).to_string(), number: *number });
    LedgerTable {
        title: title.to_string(),
        of: of.to_string(),
        columns: columns.collect(),
        rows,
        more,
        ..LedgerTable::default()
    }
}
