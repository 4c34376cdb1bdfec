//! The table of the ApplicationMasters of all kinds.

pub use crate::apps::batch::strategy::{Batch, TaskGroup};
pub use crate::apps::distributed_shell::strategy::{DistributedShell, ShellAsks, SpecAsks};
pub use crate::apps::requests::strategy::{Raw, RawCall};
pub use crate::apps::samza::strategy::master::{SamzaMaster, SamzaPlan};
pub use crate::apps::service::strategy::{ServiceMaster, ServicePlan};
pub use crate::apps::slider::strategy::master::{SliderMaster, SliderPlan, Work};

use crate::strategy::ApplicationMaster;
#[cfg(test)]
use crate::strategy::probe;

/// The ApplicationMaster of an application of any kind; it derefs to its trait.
#[derive(Clone, Debug, PartialEq)]
pub enum Master {
    /// Groups of tasks.
    Batch(Batch),
    /// The distributed shell.
    DistributedShell(DistributedShell),
    /// Calls written out.
    Raw(Raw),
    /// Apache Slider.
    Slider(Box<SliderMaster>),
    /// Apache Samza.
    Samza(Box<SamzaMaster>),
    /// A YARN service.
    Service(Box<ServiceMaster>),
    #[cfg(test)]
    Probe(Box<probe::Probe>),
}

impl std::ops::Deref for Master {
    type Target = dyn ApplicationMaster;

    fn deref(&self) -> &Self::Target {
        match self {
            Master::Batch(m) => m,
            Master::DistributedShell(m) => m,
            Master::Raw(m) => m,
            Master::Slider(m) => &**m,
            Master::Samza(m) => &**m,
            Master::Service(m) => &**m,
            #[cfg(test)]
            Master::Probe(m) => &**m,
        }
    }
}

impl std::ops::DerefMut for Master {
    fn deref_mut(&mut self) -> &mut Self::Target {
        match self {
            Master::Batch(m) => m,
            Master::DistributedShell(m) => m,
            Master::Raw(m) => m,
            Master::Slider(m) => &mut **m,
            Master::Samza(m) => &mut **m,
            Master::Service(m) => &mut **m,
            #[cfg(test)]
            Master::Probe(m) => &mut **m,
        }
    }
}

#[cfg(test)]
impl From<probe::Probe> for Master {
    fn from(probe: probe::Probe) -> Self {
        Master::Probe(Box::new(probe))
    }
}
