//! Placement policies: a mask of bits, each tested by itself (slider-placement.md section 2).

use std::fmt;

/// `yarn.component.placement.policy`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Policy(pub i32);

/// What a value stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// 0: back to hosts of the history, relaxed after a while.
    Normal,
    /// 1: back to hosts of the history, whatever state they are in, never relaxed.
    Strict,
    /// 2: no history, anywhere.
    Anywhere,
    /// 4: no two on one host, asked for one by one.
    AntiAffinity,
    /// 16: not looked at by reviews; the ApplicationMaster itself.
    Excluded,
}

impl Policy {
    /// The ApplicationMaster's.
    pub const EXCLUDED: Policy = Policy(16);

    fn has(self, bit: i32) -> bool {
        self.0 & bit != 0
    }

    /// Does it ignore the state of hosts, and never relax?
    pub fn strict(self) -> bool {
        self.has(1)
    }

    /// Does it leave the history alone?
    pub fn anywhere(self) -> bool {
        self.has(2)
    }

    /// Is every host used once at most?
    pub fn anti_affine(self) -> bool {
        self.has(4)
    }

    /// Is it left out of reviews?
    pub fn excluded(self) -> bool {
        self.has(16)
    }

    /// Does a request name a host that was used before?
    pub fn uses_history(self) -> bool {
        !self.anywhere() && !self.anti_affine()
    }

    /// Is a request that names a host relaxed after a while?
    pub fn escalates(self) -> bool {
        self.uses_history() && !self.strict()
    }

    /// How it behaves: of several bits the one that is tested first.
    pub fn named(self) -> Named {
        match self {
            p if p.excluded() => Named::Excluded,
            p if p.anti_affine() => Named::AntiAffinity,
            p if p.anywhere() => Named::Anywhere,
            p if p.strict() => Named::Strict,
            _ => Named::Normal,
        }
    }

    /// Is the value one that the manual names? The outcome of others is "undefined" there.
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
