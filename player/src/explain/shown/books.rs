//! The tables on an application's internal state (its books), for all kinds of applications that have any.

use crate::explain::names::Names;
use crate::explain::say::books as say;
use crate::explain::view::{LedgerCell, LedgerColumn, LedgerRow, LedgerTable, LedgerView};
use crate::explain::words;

/// The greatest number of rows of a table.
const ROWS: usize = 200;

/// Returns a view that says that no ApplicationMaster of the application runs.
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

/// Returns a table, cut to the number of rows that may be shown.
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
