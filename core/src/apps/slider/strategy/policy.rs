//! Placement policies: a bit mask, each bit tested on its own (slider-placement.md section 2).

use std::fmt;

/// `yarn.component.placement.policy`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Policy(pub i32);

/// The meaning of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// 0: back to hosts of the history, relaxed after a while.
    Normal,
    /// 1: back to hosts of the history, whatever state they are in, never relaxed.
    Strict,
    /// 2: no history, anywhere.
    Anywhere,
    /// 4: no two on one host, requested one by one.
    AntiAffinity,
    /// 16: skipped by reviews; the ApplicationMaster itself.
    Excluded,
}

impl Policy {
    /// The ApplicationMaster's policy.
    pub const EXCLUDED: Policy = Policy(16);

    fn has(self, bit: i32) -> bool {
        self.0 & bit != 0
    }

    /// Returns whether it ignores the state of hosts, and never relaxes.
    pub fn strict(self) -> bool {
        self.has(1)
    }

    /// Returns whether it does not use the history.
    pub fn anywhere(self) -> bool {
        self.has(2)
    }

    /// Returns whether every host is used at most once.
    pub fn anti_affine(self) -> bool {
        self.has(4)
    }

    /// Returns whether reviews skip it.
    pub fn excluded(self) -> bool {
        self.has(16)
    }

    /// Returns whether a request names a host that was used before.
    pub fn uses_history(self) -> bool {
        !self.anywhere() && !self.anti_affine()
    }

    /// Returns whether a request that names a host is relaxed after a while.
    pub fn escalates(self) -> bool {
        self.uses_history() && !self.strict()
    }

    /// Returns how it behaves: of several bits the one that is tested first decides.
    pub fn named(self) -> Named {
        match self {
            p if p.excluded() => Named::Excluded,
            p if p.anti_affine() => Named::AntiAffinity,
            p if p.anywhere() => Named::Anywhere,
            p if p.strict() => Named::Strict,
            _ => Named::Normal,
        }
    }

    /// Returns whether the manual defines the value. It calls the outcome of others "undefined".
    pub fn defined(self) -> bool {
        matches!(self.0, 0 | 1 | 2 | 4)
    }
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Named::Normal => "normal",
            Named::Strict => "strict",
            Named::Anywhere => "anywhere",
            Named::AntiAffinity => "anti-affinity",
            Named::Excluded => "excluded from flexing",
        })
    }
}
