//! Settings that prevent the ResourceManager's start, or that a refresh refuses (formats.md 2.3).

use super::super::build::Scene;
use super::super::row::{LinePattern, LineTopic::Submission};

const GIVE: &str = "The ResourceManager refuses its settings: give capacity-scheduler.xml, and the import shows the line that is meant.";

const fn row(id: &'static str, template: &'static str) -> LinePattern {
    LinePattern::new(id, Submission, "settings refused", template, Scene::None).partly(GIVE)
}

pub const ROWS: &[LinePattern] = &[
    row(
        "V03",
        "Illegal capacity of {capacity:f} for node-label={label} in queue={queue}, valid capacity should in range",
    ),
    row("V02a", "Illegal capacity sum of {sum:f} for children of queue {queue} for label={label:t}. It is set to 0"),
    row("V02", "Illegal capacity sum of {sum:f} for children of queue {queue} for label="),
    row("V02", "Illegal capacity of {sum:f} for children of queue {queue}"),
    row("V10", "Parent Queues capacity: {size:r} is less than to its children:{children:r} for queue:{queue}"),
    row("V27", "Illegal weight={weight:f} for queue={*}label={label:t}. Acceptable values"),
    row("V", "Illegal queue capacity setting"),
];
