//! The frame around the panels: top, headline, tabs on narrow screens, foot, keys.

pub mod first;
mod foot;
mod headline;
pub mod keys;
mod panels;
mod top;

pub use foot::Foot;
pub use headline::Headline;
pub use panels::PanelTabs;
pub use top::Top;
