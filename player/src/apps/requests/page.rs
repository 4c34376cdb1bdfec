//! The sentences about hand-written calls, with example values.

use super::say as requests;
use crate::explain::say::page::{Page, table};

/// The kind's part of the page of sentences.
pub(crate) const PAGE: Page = Page { rows: ROWS, of_a_played_cluster: &[] };

const ROWS: &[crate::explain::say::page::SampleRow] = table![t;
    requests::without_any(t.text("etl"), t.n(), t.list(&["/r1", "/r2", "n7"])),
];
