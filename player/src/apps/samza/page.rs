//! The sentences about a Samza job, with example values.

use super::{say as samza, say_books as samza_books};
use crate::explain::say::page::samples::Sampling;
use crate::explain::say::page::{Page, table};
use heddle_core::apps::samza::journal::Wish;

/// The kind's part of the page of sentences.
pub(crate) const PAGE: Page = Page { rows: ROWS, of_a_played_cluster: OF_A_PLAYED_CLUSTER };

const OF_A_PLAYED_CLUSTER: &[&str] = &["samza::decided", "samza::happening", "samza_books::course"];

fn wish(t: &Sampling) -> Wish {
    [Wish::Host("n1".to_string()), Wish::AnyHost, Wish::Unknown][t.of(&[0, 1, 2])].clone()
}

const ROWS: &[crate::explain::say::page::SampleRow] = table![t;
    samza::amount(t.n() as u64),
    samza::shares(t.text("etl")),
    samza::outstanding(t.text("2")),
    samza::forbidden(t.n() as usize, t.text("n1"), t.flag()),
    samza::no_other_host(t.list(&["n1", "n2"]), &t.strings_or_none(&["etl-3", "ads-2", "dev-1"])),
    samza::given_up(t.text("2"), t.n() as i32, t.n() as i32, t.n() as usize),
    samza::not_asked(t.text("2")),
    samza::restores(t.text("2"), t.text("n1"), t.n() as u64, t.n() as u64, t.n()),
    samza::restoring_for(t.n(), t.n() as u64),
    samza::processing_since(t.n()),
    samza::container_named(t.text("2")),
    samza::silent(t.text("0:05")),
    samza::changelog(t.text("kafka")),
    samza::load(t.n() as u64, t.n() as u64),
    samza::place(&wish(t)),
    samza::waits_for("2", &wish(t), 5_000, t.some(20_000), t.flag()),
    samza::waits_behind("2", &wish(t), "0", "n1"),
    samza::starts_next("2", "n1"),
    samza::delayed("2", &wish(t), 30_000),
    samza::container(t.some("n1"), t.some(&wish(t)), t.some(("n2", "0:09")).map(|(a, b)| (a, b.to_string())), t.n() as usize),
    samza::counters((t.n(), t.n(), t.n(), t.n(), t.n())),
    samza_books::came_to(t.text("etl"), t.n() as usize, t.n(), t.n()),
    samza_books::holder(t.text("etl-2"), t.text("2 GB")),
    samza_books::offset_file(t.n(), t.n()),
    samza_books::task_at(t.text("2"), t.some("n1")),
    samza_books::restoring(t.n(), t.n() as u64),
    samza_books::on_disks(t.n() as u64, t.n() as usize),
    samza_books::a_second(t.n() as u64),
    samza_books::line(t.text("kafka")),
    samza_books::lag_line(t.text("kafka")),
    samza_books::match_rate(t.n() as usize, t.n() as usize),
    samza_books::asked_for(&wish(t), &wish(t)),
    samza_books::failures(t.n() as i32, t.n() as i32, 30_000),
];
