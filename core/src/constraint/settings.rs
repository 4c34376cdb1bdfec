//! The properties of placement constraints (placement-constraints.md section 6), read when the ResourceManager starts.

use super::algorithm::IteratorKind;

/// `yarn.resourcemanager.placement-constraints.handler`.
pub const HANDLER: &str = "yarn.resourcemanager.placement-constraints.handler";
/// `yarn.resourcemanager.placement-constraints.retry-attempts`.
pub const RETRY_ATTEMPTS: &str = "yarn.resourcemanager.placement-constraints.retry-attempts";
/// `yarn.resourcemanager.placement-constraints.algorithm.iterator`.
pub const ITERATOR: &str = "yarn.resourcemanager.placement-constraints.algorithm.iterator";
/// Whether application tags are turned to lower case at submission.
pub const FORCE_LOWERCASE: &str = "yarn.resourcemanager.application-tag-based-placement.force-lowercase";

/// The handler of requests with constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Handler {
    /// No handler: calls with scheduling requests are refused.
    #[default]
    Disabled,
    /// The batch algorithm in front of the scheduler.
    Processor,
    Scheduler,
    /// An unknown name installs no handler: scheduling requests reach the scheduler, and constraints of a registration
    /// are ignored.
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacementSettings {
    /// The handler of requests with constraints.
    pub handler: Handler,
    /// The maximum attempts of a request. At 0 or less the CapacityScheduler allocates nothing at all.
    pub retry_attempts: i32,
    /// The order in which the processor processes a batch.
    pub iterator: IteratorKind,
    /// Whether application tags are turned to lower case.
    pub lower_case_tags: bool,
}

impl Default for PlacementSettings {
    fn default() -> Self {
        PlacementSettings {
            handler: Handler::Disabled,
            retry_attempts: 3,
            iterator: IteratorKind::Serial,
            lower_case_tags: true,
        }
    }
}

impl PlacementSettings {
    /// Reads the settings; `get` returns the text of a property. Errors: the ResourceManager does not start, with
    /// Java's message.
    pub fn read<'a>(get: impl Fn(&str) -> Option<&'a str>) -> Result<Self, String> {
        let handler = match get(HANDLER) {
            None | Some("disabled") => Handler::Disabled,
            Some("placement-processor") => Handler::Processor,
            Some("scheduler") => Handler::Scheduler,
            Some(_) => Handler::None,
        };
        let retry_attempts = match get(RETRY_ATTEMPTS).map(str::trim) {
            None => PlacementSettings::default().retry_attempts,
            Some(text) => text.parse().map_err(|_| format!("For input string: \"{text}\""))?,
        };
        let iterator = match get(ITERATOR) {
            None | Some("SERIAL") => IteratorKind::Serial,
            Some("POPULAR_TAGS") => IteratorKind::PopularTags,
            // Only the placement processor creates an algorithm and so reads this.
            Some(other) if handler == Handler::Processor => {
                return Err(format!(
                    "No enum constant org.apache.hadoop.yarn.server.resourcemanager.scheduler.constraint.api.\
                     ConstraintPlacementAlgorithmInput.IteratorType.{other}"
                ));
            }
            Some(_) => IteratorKind::Serial,
        };
        let lower_case_tags = !get(FORCE_LOWERCASE).is_some_and(|v| v.trim().eq_ignore_ascii_case("false"));
        Ok(PlacementSettings { handler, retry_attempts, iterator, lower_case_tags })
    }
}
