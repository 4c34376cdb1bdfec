//! The words on the internal state (the books) of every application.

pub const NONE: &str =
    "No application here keeps books of its own: one of Slider, a YARN service or a Samza job would.";
pub const NO_BOOKS: &str = "No long-running application.";
pub const COMPONENTS: &str = "Components";
pub const COMPONENT: &str = "component";

/// "kafka at 1:30"
pub fn title(app: &str, at: &str) -> String {
    format!("{app} at {at}")
}

pub fn no_master(app: &str) -> String {
    format!("No ApplicationMaster of **{app}** runs that has taken up its definition.")
}
