//! The sentences about a distributed shell, with example values.

use super::say as distributed_shell;
use crate::explain::say::page::{Page, table};

/// The kind's part of the page of sentences.
pub(crate) const PAGE: Page = Page { rows: ROWS, of_a_played_cluster: &[] };

const ROWS: &[crate::explain::say::page::SampleRow] = table![t;
    distributed_shell::rejected_and_sent_again(t.list(&["zk-3", "zk-4", "zk-5", "zk-6"])),
    distributed_shell::lost_and_not_asked_again(t.n(), t.text("0:09")),
    distributed_shell::cut(&t.strings(&["64 GB", "16 vcores"])),
];
