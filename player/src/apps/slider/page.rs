//! The sentences about a Slider application, with example values.

use super::{say as slider, say_books as slider_books};
use crate::explain::say::page::samples::Sampling;
use crate::explain::say::page::{Page, table};
use heddle_core::apps::slider::strategy::Policy;
use heddle_core::check::{Check, Failure};

/// The kind's part of the page of sentences.
pub(crate) const PAGE: Page = Page { rows: ROWS, of_a_played_cluster: OF_A_PLAYED_CLUSTER };

const OF_A_PLAYED_CLUSTER: &[&str] = &[
    "slider_books::kind",
    "slider_books::entry",
    "slider::decided",
    "slider::happening",
    "slider::left_out_words",
    "slider::waits_for",
    "slider::numbered",
    "slider::cause",
    "slider::cure",
];

fn policy(t: &Sampling) -> Policy {
    Policy(t.of(&[0, 1, 2, 4, 16]))
}

const ROWS: &[crate::explain::say::page::SampleRow] = table![t;
    slider::outstanding(t.text("worker"), t.n()),
    slider::component_differs(t.text("etl"), 1, t.n(), t.n()),
    slider::unknown_host(t.text("n1")),
    slider::label_not_sent(t.list(&["n1", "n2", "n3", "n4", "n5"]), t.text("gpu")),
    slider::not_asked("worker", t.n(), &Failure::of(t.of(&[Check::AffinityOneByOne, Check::AffinityHost, Check::AskDue, Check::RequestMade]))),
    slider_books::law(t.flag()),
    slider_books::satisfied(t.text("etl"), t.n(), t.n()),
    slider_books::saved(t.text("0:09")),
    slider_books::priority(t.n() as i32, t.flag()),
    slider_books::relaxed_in(t.text("3 GB")),
    slider_books::relaxed_since(t.text("0:09")),
    slider_books::policy(policy(t)),
    slider_books::withheld(t.text("LOST")),
    slider_books::live(t.n()),
    slider_books::starting(t.n()),
    slider_books::releasing(t.n()),
    slider_books::used_until(t.text("0:09")),
    slider_books::failed(t.n()),
    slider_books::next(t.n() as usize),
    slider_books::unreadable(t.text("zk"), t.n() as usize),
    slider_books::wishes_until(t.text("0:09")),
    slider_books::wished(t.text("0:05")),
    slider_books::component_of(t.text("etl"), t.text("worker")),
    slider_books::relaxed_how("0:05", "30 s", "10 s", "0:35", "0:40"),
    slider_books::failures(t.n(), t.n(), t.n() as i32, "300 s"),
];
