//! Random scenarios: the same number gives the same scenario.

use std::fmt::Write;

/// A stream of numbers that depend only on a seed.
struct Chance(u64);

impl Chance {
    fn of(seed: u64) -> Self {
        let mut chance = Chance(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        for _ in 0..5 {
            chance.below(2);
        }
        chance
    }

    /// Returns a number from 0 up to below `end` (xorshift).
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

    /// Splits a hundred into parts, none below 10.
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

#[path = "job.rs"]
mod job;
#[path = "service.rs"]
mod service;

struct Script {
    text: String,
    by: Chance,
    /// Whether there is a label `x`, which nodes and queues have.
    label: bool,
    /// Numbers for preemption, from a stream of their own; `None` if it is off.
    preempts: Option<Chance>,
    leaves: Vec<String>,
    /// The most GB of a container.
    largest: u64,
}

/// Returns scenario number `seed` for the CapacityScheduler: at most a quarter of an hour's reading.
pub fn scenario(seed: u64) -> String {
    let mut by = Chance::of(seed);
    let label = by.percent(35);
    let mut other = Chance::of(seed.wrapping_add(1_000_003));
    let preempts = other.percent(50).then_some(other);
    let mut script = Script { text: String::new(), by, label, preempts, leaves: Vec::new(), largest: 7 };
    script.head();
    script.queues("root", true);
    let nodes = 1 + script.by.below(4);
    if let Some(by) = &mut script.preempts {
        let lines = of_queues(by, &script.leaves);
        script.line(lines);
    }
    script.site();
    script.nodes(nodes);
    for i in 0..2 + script.by.below(4) {
        script.app(i, nodes);
    }
    if script.by.percent(35) {
        script.slider(nodes);
    }
    script.job(seed, nodes);
    script.service(seed);
    script.text
}

/// Returns whether scenario number `seed` has preemption.
#[allow(dead_code)] // not everybody asks
pub fn preempts(seed: u64) -> bool {
    Chance::of(seed.wrapping_add(1_000_003)).percent(50)
}

/// Returns the queues' settings about preemption: protection, priorities, killable containers.
fn of_queues(by: &mut Chance, leaves: &[String]) -> String {
    let mut out = String::new();
    let mut line = |text: String| writeln!(out, "{text}").expect("a string takes everything");
    if by.percent(15) {
        line("lazy-preemption-enabled = true".into());
    }
    let ordered = by.percent(25);
    if ordered {
        line("root.ordering-policy = \"priority-utilization\"".into());
        line("ordering-policy.priority-utilization.underutilized-preemption.enabled = true".into());
        line("ordering-policy.priority-utilization.underutilized-preemption.reserved-container-delay-ms = 3000".into());
        line("ordering-policy.priority-utilization.underutilized-preemption.allow-move-reservation = true".into());
    }
    for leaf in leaves {
        if by.percent(10) {
            line(format!("{leaf}.disable_preemption = true"));
        }
        if by.percent(10) {
            line(format!("{leaf}.intra-queue-preemption.disable_preemption = true"));
        }
        let priority = by.below(3);
        if ordered && by.percent(60) {
            line(format!("{leaf}.priority = {priority}"));
        }
    }
    out
}

/// Returns scenario number `seed` for the FairScheduler, mostly with preemption.
pub fn fair(seed: u64) -> String {
    let by = Chance::of(seed.wrapping_add(1 << 32));
    let mut script = Script { text: String::new(), by, label: false, preempts: None, leaves: Vec::new(), largest: 2 };
    script.line("heddle = 1\nscheduler = \"fair\"\nuntil = \"60 s\"\n[yarn-site]");
    let (busy, kill) = (script.by.one(&["0.0", "0.3", "0.8"]), script.by.one(&["0", "1000", "5000"]));
    let (again, nodes) = (script.by.one(&["0", "1000", "10000"]), 1 + script.by.below(2));
    script.perhaps(85, "scheduler.fair.preemption = true");
    script.line(format_args!("\"scheduler.fair.preemption.cluster-utilization-threshold\" = {busy}"));
    script.line(format_args!("scheduler.fair.waitTimeBeforeKill = {kill}"));
    script.line(format_args!("scheduler.fair.waitTimeBeforeNextStarvationCheck = {again}"));
    script.perhaps(40, "scheduler.fair.assignmultiple = true");
    script.perhaps(20, "scheduler.fair.am.preemption = false");
    script.perhaps(15, "scheduler.fair.continuous-scheduling-enabled = true");
    script.perhaps(25, "scheduler.fair.locality.threshold.node = 0.5\nscheduler.fair.locality.threshold.rack = 0.5");
    script.line("[files]\n\"fair-scheduler.xml\" = '''\n<?xml version=\"1.0\"?>\n<allocations>");
    let policy = script.by.one(&["fair", "drf"]);
    script.line(format_args!("<defaultQueueSchedulingPolicy>{policy}</defaultQueueSchedulingPolicy>"));
    for name in ["defaultFairSharePreemptionTimeout", "defaultMinSharePreemptionTimeout"] {
        let seconds = script.by.one(&["0", "1", "3", "10"]);
        script.perhaps(80, format_args!("<{name}>{seconds}</{name}>"));
    }
    script.perhaps(50, "<defaultFairSharePreemptionThreshold>1.0</defaultFairSharePreemptionThreshold>");
    script.fair_queues("root", true);
    script.line("</allocations>\n'''");
    script.nodes(nodes);
    for i in 0..2 + script.by.below(4) {
        script.app(i, nodes);
    }
    if script.by.percent(30) {
        let (at, node) = (15 + script.by.below(30), script.by.below(nodes));
        script.line(format_args!("[[happenings]]\nat = \"{at} s\"\ndo = \"remove_node\"\nnode = \"n{node}\""));
    }
    script.job(seed, nodes);
    script.text
}

impl Script {
    /// Writes yarn-site.xml: labels, and the preemption monitor.
    fn site(&mut self) {
        let Some(mut by) = self.preempts.take() else {
            if self.label {
                self.line("[yarn-site]\nnode-labels.enabled = true");
            }
            return;
        };
        self.line("[yarn-site]");
        if self.label {
            self.line("node-labels.enabled = true");
        }
        self.line("resourcemanager.scheduler.monitor.enable = true");
        let at = "resourcemanager.monitor.capacity.preemption.";
        let choices: [(&str, &[&str]); 7] = [
            ("total_preemption_per_round", &["0.1", "0.5", "1.0"]),
            ("natural_termination_factor", &["0.2", "1.0", "1.0"]),
            ("max_wait_before_kill", &["0", "2000", "5000", "15000"]),
            ("monitoring_interval", &["1000", "1700", "3000"]),
            ("max_ignored_over_capacity", &["0.0", "0.1"]),
            ("intra-queue-preemption.preemption-order-policy", &["\"userlimit_first\"", "\"priority_first\""]),
            ("intra-queue-preemption.max-allowable-limit", &["0.2", "1.0"]),
        ];
        for (key, of) in choices {
            let value = by.one(of);
            self.line(format_args!("{at}{key} = {value}"));
        }
        for (key, percent) in [
            ("select_based_on_reserved_containers", 30),
            ("additional_res_balance_based_on_reserved_containers", 20),
            ("preemption-to-balance-queue-after-satisfied.enabled", 30),
            ("conservative-drf", 20),
            ("intra-queue-preemption.enabled", 40),
            ("observe_only", 5),
        ] {
            if by.percent(percent) {
                self.line(format_args!("{at}{key} = true"));
            }
        }
        self.line(format_args!("{at}preemption-to-balance-queue-after-satisfied.max-wait-before-kill = 4000"));
        self.preempts = Some(by);
    }

    fn fair_queues(&mut self, parent: &str, may_nest: bool) {
        for i in 0..2 + self.by.below(2) {
            let queue = format!("{parent}.q{i}");
            self.line(format_args!("<queue name=\"q{i}\">"));
            let (weight, least, most) = (self.by.one(&["0.5", "2.0", "5.0"]), self.by.below(6), 4 + self.by.below(20));
            self.perhaps(30, format_args!("<weight>{weight}</weight>"));
            self.perhaps(40, format_args!("<minResources>{} mb, {least} vcores</minResources>", least * 1024));
            self.perhaps(25, format_args!("<maxResources>{} mb, {most} vcores</maxResources>", most * 1024));
            let (patience, part) = (self.by.one(&["0", "2", "5"]), self.by.one(&["0.3", "1.0"]));
            let timeout = self.by.one(&["fairSharePreemptionTimeout", "minSharePreemptionTimeout"]);
            self.perhaps(40, format_args!("<{timeout}>{patience}</{timeout}>"));
            let threshold = "fairSharePreemptionThreshold";
            self.perhaps(30, format_args!("<{threshold}>{part}</{threshold}>"));
            self.perhaps(15, "<allowPreemptionFrom>false</allowPreemptionFrom>");
            if may_nest && self.by.percent(25) {
                self.fair_queues(&queue, false);
            } else {
                self.perhaps(60, "<maxAMShare>1.0</maxAMShare>");
                self.perhaps(15, "<schedulingPolicy>fifo</schedulingPolicy>");
                self.leaves.push(queue);
            }
            self.line("</queue>");
        }
    }

    fn line(&mut self, text: impl std::fmt::Display) {
        writeln!(self.text, "{text}").expect("a string takes everything");
    }

    /// Writes the line with a probability of `percent`.
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
            // With preemption one user may fill the cluster.
            let factor = if self.preempts.is_some() { "10" } else { factor };
            let percent = if self.preempts.is_some() { 90 } else { 60 };
            self.perhaps(percent, format_args!("{queue}.user-limit-factor = {factor}"));
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

    /// Adds a Slider application and happenings to it.
    fn slider(&mut self, nodes: u64) {
        let leaf = self.leaves[self.by.below(self.leaves.len() as u64) as usize].clone();
        let (at, version) = (self.by.below(5), self.by.one(&["0.92", "0.92", "0.93"]));
        self.line(format_args!(
            "[[apps]]\nname = \"slider\"\nat = \"{at} s\"\nuser = \"u0\"\nqueue = \"{leaf}\"\nkind = \"slider\"\nversion = \"{version}\"\nescalation_check = \"5 s\""
        ));
        for id in 1..=1 + self.by.below(2) {
            let (count, memory) = (self.by.below(4), 256 * (1 + self.by.below(8)));
            let policy = self.by.one(&["0", "0", "1", "2", "4", "4"]);
            let escalates = self.by.below(9);
            self.line(format_args!(
                "[[apps.components]]\nname = \"c{id}\"\nyarn.role.priority = {id}\nyarn.component.instances = {count}\nyarn.component.placement.policy = {policy}\nyarn.memory = {memory}\nyarn.placement.escalate.seconds = {escalates}"
            ));
            let (life, code) = (self.by.one(&["6 s", "20 s"]), self.by.below(2));
            self.perhaps(30, format_args!("duration = \"{life}\"\nexit_code = {code}"));
            if self.label {
                self.perhaps(30, "yarn.label.expression = \"x\"");
            }
        }
        let happen = |at: u64, what: String| format!("[[happenings]]\nat = \"{at} s\"\n{what}");
        let (at, count) = (10 + self.by.below(40), self.by.below(5));
        self.perhaps(40, happen(at, format!("do = \"flex_app\"\napp = \"slider\"\ncomponents = {{ c1 = {count} }}")));
        let (at, after) = (10 + self.by.below(30), self.by.below(3));
        self.perhaps(40, happen(at, format!("do = \"restart_app\"\napp = \"slider\"\nafter = \"{after} s\"")));
        let at = 10 + self.by.below(30);
        self.perhaps(
            30,
            happen(at, "do = \"finish_container\"\napp = \"slider\"\ncontainer = 0\nexit_code = 1".into()),
        );
        let (at, node) = (10 + self.by.below(30), self.by.below(nodes));
        let back = at + 1 + self.by.below(10);
        if nodes > 1 && self.by.percent(40) {
            self.line(happen(at, format!("do = \"remove_node\"\nnode = \"n{node}\"")));
            self.line(happen(back, format!("do = \"return_node\"\nnode = \"n{node}\"")));
        }
    }

    fn app(&mut self, i: u64, nodes: u64) {
        let batch = self.preempts.as_mut().is_some_and(|by| by.percent(75));
        if batch && let Some(mut by) = self.preempts.take() {
            self.batch(i, &mut by);
            self.preempts = Some(by);
            return;
        }
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
            let (memory, vcores) = (1 + self.by.below(self.largest), 1 + self.by.below(4));
            let duration = self.by.one(&["forever", "forever", "8 s", "20 s"]);
            self.line(format_args!(
                "[[apps.calls]]\nat = \"{at} s\"\nasks = [{{ priority = {priority}, count = {count}, size = \"{memory} GB/{vcores}\", duration = \"{duration}\"{place} }}]"
            ));
        }
    }

    /// Adds an application whose AM repeats requests, and reacts to preemption.
    fn batch(&mut self, i: u64, by: &mut Chance) {
        let leaf = self.leaves[by.below(self.leaves.len() as u64) as usize].clone();
        // The first ones take what there is, the others come when it is taken.
        let early = i < 2;
        let (at, user) = (if early { by.below(3) } else { 12 + by.below(12) }, by.below(3));
        let policy = by.one(&["none", "kill", "cheapest", "checkpoint"]);
        let priority = by.below(3);
        self.line(format_args!(
            "[[apps]]\nname = \"a{i}\"\nat = \"{at} s\"\nuser = \"u{user}\"\nqueue = \"{leaf}\"\npriority = {priority}\nam = \"1 GB/1\"\npreemption_policy = \"{policy}\""
        ));
        for group in 0..1 + by.below(2) {
            let (count, memory, urgency) = (2 + by.below(if early { 30 } else { 8 }), 1 + by.below(2), 5 + by.below(3));
            let duration = by.one(if early { &["40 s", "60 s", "forever"] } else { &["6 s", "20 s", "60 s"] });
            let delay = by.below(3) * if early { 2 } else { 8 };
            // One after the other: an application's own requests do not wait for each other.
            let after = if group == 0 { "" } else { "\nafter = [\"g0\"]" };
            self.line(format_args!(
                "[[apps.tasks]]\nname = \"g{group}\"\ncount = {count}\nsize = \"{memory} GB/1\"\nduration = \"{duration}\"\ndelay = \"{delay} s\"\npriority = {urgency}{after}"
            ));
        }
    }
}
