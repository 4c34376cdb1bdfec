//! Random scenarios: the same number gives the same scenario.

use std::fmt::Write;

/// A stream of numbers that depend on a seed alone.
struct Chance(u64);

impl Chance {
    fn of(seed: u64) -> Self {
        let mut chance = Chance(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        for _ in 0..5 {
            chance.below(2);
        }
        chance
    }

    /// A number from 0 on (xorshift).
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }

    fn percent(&mut self, of_hundred: u64) -> bool {
        self.below(100) < of_hundred
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }

    /// A hundred in parts, none below 10.
    fn shares(&mut self, parts: usize) -> Vec<u64> {
        let mut left = 100;
        (0..parts)
            .map(|i| {
                let spare = left - 10 * (parts - 1 - i) as u64;
                let share = if i + 1 == parts { left } else { 10 + self.below(spare - 9) };
                left -= share;
                share
            })
            .collect()
    }
}

struct Script {
    text: String,
    by: Chance,
    /// There is a label `x`, which nodes and queues have.
    label: bool,
    leaves: Vec<String>,
}

/// Scenario number `seed` for the CapacityScheduler: at most a quarter of an hour's reading.
pub fn scenario(seed: u64) -> String {
    let mut by = Chance::of(seed);
    let label = by.percent(35);
    let mut script = Script { text: String::new(), by, label, leaves: Vec::new() };
    script.head();
    script.queues("root", true);
    let nodes = 1 + script.by.below(4);
    if script.label {
        script.line("[yarn-site]\nnode-labels.enabled = true");
    }
    script.nodes(nodes);
    for i in 0..2 + script.by.below(4) {
        script.app(i, nodes);
    }
    script.text
}

impl Script {
    fn line(&mut self, text: impl std::fmt::Display) {
        writeln!(self.text, "{text}").expect("a string takes everything");
    }

    /// The line, so often of a hundred times.
    fn perhaps(&mut self, percent: u64, text: impl std::fmt::Display) {
        if self.by.percent(percent) {
            self.line(text);
        }
    }

    fn head(&mut self) {
        let mode = self.by.one(&["heartbeat", "heartbeat", "heartbeat", "async"]);
        self.line(format_args!("heddle = 1\nscheduling = \"{mode}\"\nuntil = \"60 s\""));
        if self.label {
            let exclusive = self.by.percent(40);
            self.line(format_args!("labels = [{{ name = \"x\", exclusive = {exclusive} }}]"));
        }
        let (masters, delay, batch) = (self.by.one(&["0.3", "0.6", "0.9"]), self.by.below(6), 1 + self.by.below(3));
        self.line(format_args!("[capacity-scheduler]\nmaximum-am-resource-percent = {masters}"));
        self.perhaps(30, "reservations-continue-look-all-nodes = false");
        self.perhaps(30, format_args!("node-locality-delay = {delay}"));
        self.perhaps(25, "resource-calculator = \"org.apache.hadoop.yarn.util.resource.DominantResourceCalculator\"");
        self.perhaps(15, "multi-node-placement-enabled = true");
        self.perhaps(20, format_args!("per-node-heartbeat.maximum-container-assignments = {batch}"));
        if self.label {
            self.line("\"root.accessible-node-labels.x.capacity\" = 100");
        }
    }

    fn queues(&mut self, parent: &str, may_nest: bool) {
        let count = 1 + self.by.below(3) as usize;
        let names: Vec<String> = (0..count).map(|i| format!("\"q{i}\"")).collect();
        self.line(format_args!("{parent}.queues = [{}]", names.join(", ")));
        let (plain, labelled) = (self.by.shares(count), self.by.shares(count));
        for i in 0..count {
            let queue = format!("{parent}.q{i}");
            self.line(format_args!("{queue}.capacity = {}", plain[i]));
            let maximum = plain[i] + self.by.below(101 - plain[i]);
            self.perhaps(50, format_args!("{queue}.maximum-capacity = {maximum}"));
            if self.label {
                self.perhaps(70, format_args!("{queue}.accessible-node-labels = \"x\""));
                self.line(format_args!("\"{queue}.accessible-node-labels.x.capacity\" = {}", labelled[i]));
            }
            if may_nest && self.by.percent(25) {
                self.queues(&queue, false);
                continue;
            }
            let factor = self.by.one(&["0.5", "1", "2", "10"]);
            self.perhaps(60, format_args!("{queue}.user-limit-factor = {factor}"));
            let least = self.by.one(&["25", "50"]);
            self.perhaps(30, format_args!("{queue}.minimum-user-limit-percent = {least}"));
            self.perhaps(30, format_args!("{queue}.ordering-policy = \"fair\""));
            let parallel = 1 + self.by.below(2);
            self.perhaps(10, format_args!("{queue}.max-parallel-apps = {parallel}"));
            self.leaves.push(queue);
        }
    }

    fn nodes(&mut self, count: u64) {
        for i in 0..count {
            let (rack, memory, vcores) = (self.by.below(2), 3 + self.by.below(12), 2 + self.by.below(12));
            self.line(format_args!("[[nodes]]\nname = \"n{i}\"\nrack = \"/r{rack}\"\nsize = \"{memory} GB/{vcores}\""));
            if self.label {
                self.perhaps(40, "label = \"x\"");
            }
        }
    }

    fn app(&mut self, i: u64, nodes: u64) {
        let leaf = self.leaves[self.by.below(self.leaves.len() as u64) as usize].clone();
        let (at, user) = (self.by.below(10), self.by.below(2));
        self.line(format_args!(
            "[[apps]]\nname = \"a{i}\"\nat = \"{at} s\"\nuser = \"u{user}\"\nqueue = \"{leaf}\"\nkind = \"requests\"\nam = \"1 GB/1\""
        ));
        for _ in 0..1 + self.by.below(3) {
            let place = match self.by.percent(25) {
                true => format!(", place = \"n{}\"{}", self.by.below(nodes), self.by.one(&["", ", relax = false"])),
                false if self.label && self.by.percent(25) => ", label = \"x\"".to_string(),
                false => String::new(),
            };
            let (at, priority, count) = (3 + self.by.below(30), 1 + self.by.below(3), 1 + self.by.below(5));
            let (memory, vcores) = (1 + self.by.below(7), 1 + self.by.below(4));
            let duration = self.by.one(&["forever", "forever", "8 s", "20 s"]);
            self.line(format_args!(
                "[[apps.calls]]\nat = \"{at} s\"\nasks = [{{ priority = {priority}, count = {count}, size = \"{memory} GB/{vcores}\", duration = \"{duration}\"{place} }}]"
            ));
        }
    }
}
