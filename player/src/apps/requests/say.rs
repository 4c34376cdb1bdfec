//! The sentences about hand-written calls.

use crate::explain::words;

/// A request for hosts and racks without the ANY row.
pub fn without_any(app: &str, count: i64, places: &[&str]) -> String {
    format!(
        "**{app}** asked for {} on {} without a row for any place (ANY, *). YARN counts that row: it looks for no node, and has \
         nothing to say.",
        words::count(count, "container"),
        words::list(places, 4)
    )
}
