//! The frame around the four panels: top, headline, the tabs of narrow screens, foot, keys.

mod foot;
mod headline;
pub mod keys;
mod panels;
mod top;

pub use foot::Foot;
pub use headline::Headline;
pub use panels::PanelTabs;
pub use top::Top;
