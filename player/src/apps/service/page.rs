//! The sentences about a YARN service, with example values.

use super::say as service;
use crate::explain::say::page::samples::Sampling;
use crate::explain::say::page::{Page, table};
use heddle_core::apps::service::strategy::RestartPolicy;

/// The kind's part of the page of sentences.
pub(crate) const PAGE: Page = Page { rows: ROWS, of_a_played_cluster: OF_A_PLAYED_CLUSTER };

const OF_A_PLAYED_CLUSTER: &[&str] =
    &["service::decided", "service::happening", "service::lacks", "service::held", "service::over"];

fn restart_policy(t: &Sampling) -> RestartPolicy {
    t.of(&RestartPolicy::ALL).1
}

const ROWS: &[crate::explain::say::page::SampleRow] = table![t;
    service::came_to(t.text("etl"), t.n(), t.n(), t.n()),
    service::next_check(t.text("worker")),
    service::forgotten(t.text("worker"), t.n()),
    service::unrecovered(t.text("worker"), t.n(), t.text("4:04")),
    service::refused(t.text("worker"), t.n(), t.text("0:09")),
    service::put_aside(t.text("worker"), t.n(), t.n()),
    service::instead_of(t.n()),
    service::waits(t.flag()),
    service::policy(restart_policy(t), t.n()),
];
