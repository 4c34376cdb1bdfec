//! Happenings that only YARN services know.

use crate::apps::scenario::{NotApplicable, OfKind};
use serde::{Deserialize, Serialize};

/// Components of a service get another version of what they run (`yarn app -upgrade … -express`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Upgrade {
    pub app: String,
    /// The names of the components.
    pub components: Vec<String>,
}

impl OfKind for Upgrade {
    fn app(&self) -> Option<&str> {
        Some(&self.app)
    }

    fn names(&self) -> Vec<(&'static str, &str)> {
        self.components.iter().map(|name| ("The name of a component", name.as_str())).collect()
    }

    fn unheard(&self, name: &str) -> NotApplicable {
        (format!("`{name}` is not a YARN service."), "Name one whose kind is yarn-service.")
    }
}
