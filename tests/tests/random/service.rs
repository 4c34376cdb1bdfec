//! Random YARN services.

use super::{Chance, Script};

impl Script {
    /// Adds a YARN service and happenings to it in every third scenario, from a number stream of its own.
    pub(super) fn service(&mut self, seed: u64) {
        let mut by = Chance::of(seed.wrapping_add(3_000_003));
        if !by.percent(35) {
            return;
        }
        let leaf = self.leaves[by.below(self.leaves.len() as u64) as usize].clone();
        let (at, check) = (by.below(5), by.one(&["3 s", "7 s", "30 s"]));
        self.line(format_args!(
            "[[apps]]\nname = \"yarn\"\nat = \"{at} s\"\nuser = \"u1\"\nqueue = \"{leaf}\"\nkind = \"yarn-service\"\nreadiness_check = \"{check}\""
        ));
        let constraints = by.percent(40);
        for id in 0..1 + by.below(3) {
            let (count, memory, policy) =
                (by.below(4), 256 * (1 + by.below(6)), by.one(&["ALWAYS", "ALWAYS", "ON_FAILURE", "NEVER"]));
            self.line(format_args!(
                "[[apps.components]]\nname = \"s{id}\"\ncount = {count}\nmemory = \"{memory} MB\"\nrestart_policy = \"{policy}\""
            ));
            if by.percent(45) {
                let (life, code) = (by.one(&["4 s", "15 s"]), by.one(&["0", "1", "137"]));
                self.line(format_args!("duration = \"{life}\"\nexit_code = {code}"));
            }
            if id > 0 && by.percent(60) {
                self.line("dependencies = [\"s0\"]");
            }
            if constraints && by.percent(60) {
                self.line(format_args!("constraint = \"notin,node,s{id}\""));
            }
        }
        let happenings = [
            "do = \"flex_app\"\napp = \"yarn\"\ncomponents = { s0 = 4 }",
            "do = \"flex_app\"\napp = \"yarn\"\ncomponents = { s0 = 1 }",
            "do = \"upgrade_app\"\napp = \"yarn\"\ncomponents = [\"s0\"]",
            "do = \"finish_container\"\napp = \"yarn\"\ncontainer = 1\nexit_code = 1",
            "do = \"finish_container\"\napp = \"yarn\"\ncontainer = 0\nexit_code = 1",
            "do = \"restart_app\"\napp = \"yarn\"\nafter = \"2 s\"",
        ];
        for happening in happenings {
            let at = 8 + by.below(45);
            if by.percent(35) {
                self.line(format_args!("[[happenings]]\nat = \"{at} s\"\n{happening}"));
            }
        }
    }
}
