//! Problems of the settings of other worlds, found like those of the scenario itself: each world is read, its properties are
//! checked, and its ResourceManager is started. Problems that only that world has are reported where they are written.

use crate::Player;
use heddle_core::config::fair;
use heddle_core::model::{Problem, Severity, Span};
use heddle_core::scenario::settings_check::{decides_nothing, not_read, odd_at_start};
use heddle_core::scenario::{self, Scenario, World};

/// A world that a scenario is compared with.
#[derive(Clone, Debug, PartialEq)]
pub struct OtherWorld {
    /// The world's name.
    pub name: String,
    /// The text of its scenario, or why it cannot be written.
    pub text: Result<String, String>,
    /// The sentences about settings that are wrong or have no effect.
    pub odd: Vec<String>,
}

impl From<(String, Result<String, String>)> for OtherWorld {
    fn from((name, text): (String, Result<String, String>)) -> Self {
        OtherWorld { name, text, odd: Vec::new() }
    }
}

impl Player {
    /// Returns the worlds that the scenario names, with their texts and their problems.
    pub fn worlds(&self) -> Vec<OtherWorld> {
        let base = Base::new(&self.scenario, &self.text);
        let world = |w: &World| {
            let odd = base.odd(w).into_iter().filter(|odd| odd.decides_nothing);
            let odd = odd.map(|odd| sentence(&odd.problem)).collect();
            OtherWorld { name: w.name.clone(), text: w.text(&self.text), odd }
        };
        self.scenario.worlds.iter().map(world).collect()
    }
}

/// Returns the problems of the settings of a scenario's worlds, at their places in its text. Warnings are faults of the
/// settings; notes are consequences.
pub fn odd_worlds(scenario: &Scenario, text: &str) -> Vec<Problem> {
    let base = Base::new(scenario, text);
    let mut out: Vec<Problem> = Vec::new();
    for world in &scenario.worlds {
        for odd in base.odd(world) {
            let problem =
                Problem { what: format!("In the world `{}`: {}", world.name, odd.problem.what), ..odd.problem };
            // A wrong name is reported once for all values of its list.
            let told = |p: &Problem| p.span == problem.span && p.mend == problem.mend && odd.is_name;
            if !out.iter().any(told) {
                out.push(problem);
            }
        }
    }
    out
}

/// Returns a sentence for each problem of the worlds that the earlier text does not have.
pub fn odd_new_worlds(before: Option<&Scenario>, text: &str) -> Vec<String> {
    let Some(scenario) = scenario::read(text).scenario else { return Vec::new() };
    let base = Base::new(&scenario, text);
    let had = |w: &World| before.is_some_and(|s| s.worlds.iter().any(|b| (&b.name, &b.set) == (&w.name, &w.set)));
    let mut out: Vec<String> = Vec::new();
    for odd in scenario.worlds.iter().filter(|w| !had(w)).flat_map(|w| base.odd(w)) {
        let said = sentence(&odd.problem);
        if odd.decides_nothing && !out.contains(&said) {
            out.push(said);
        }
    }
    out
}

fn sentence(problem: &Problem) -> String {
    format!("{} {}", problem.what, problem.mend).trim_end().to_string()
}

/// A problem of a world.
struct Odd {
    problem: Problem,
    /// Whether it is about the name of a property.
    is_name: bool,
    /// Whether it is a fault of the settings: they have no effect, or not the one written.
    decides_nothing: bool,
}

/// The scenario that the worlds are variations of.
struct Base<'s> {
    text: &'s str,
    /// The sentences about its own problems.
    known: Vec<String>,
}

impl<'s> Base<'s> {
    fn new(scenario: &Scenario, text: &'s str) -> Self {
        let mut base = Base { text, known: Vec::new() };
        if !scenario.worlds.is_empty() {
            base.known = scenario::read(text).problems.into_iter().map(|p| p.what).collect();
            base.known.extend(odd_at_start(scenario).into_iter().map(|odd| odd.problem.what));
        }
        base
    }

    fn is_known(&self, problem: &Problem) -> bool {
        self.known.contains(&problem.what)
    }

    fn odd(&self, world: &World) -> Vec<Odd> {
        let text = match world.text(self.text) {
            Ok(text) => text,
            Err(why) => return vec![self.refused(world, Problem::warning("scenario", None, why))],
        };
        let read = scenario::read(&text);
        let Some(there) = read.scenario else {
            let errors = read.problems.into_iter().filter(|p| p.severity == Severity::Error && !self.is_known(p));
            return errors.map(|p| self.refused(world, p)).collect();
        };
        let mut out = self.properties(world, &there);
        self.names(world, &there, &mut out);
        let told: Vec<String> = out.iter().map(|odd| odd.problem.what.clone()).collect();
        for problem in read.problems.into_iter().filter(|p| !self.is_known(p) && !told.contains(&p.what)) {
            out.push(self.read_there(world, &text, &there, problem));
        }
        if !out.iter().any(|odd| odd.problem.severity == Severity::Error)
            && let Err(refusal) = Player::begin(there, &text)
        {
            out.push(self.refused(world, *refusal));
        }
        for odd in &mut out {
            odd.problem.severity = odd.problem.severity.min(Severity::Warning);
            odd.problem.fix = None;
        }
        out
    }

    /// Adds names that are unknown, not modelled, or read by another scheduler only, and so have no effect.
    fn names(&self, world: &World, there: &Scenario, out: &mut Vec<Odd>) {
        for ((key, _), at) in world.set.iter().zip(&world.set_at) {
            let told = |odd: &Odd| odd.decides_nothing && odd.problem.span == Some(at.name);
            if World::is_of_app(self.text, key) || out.iter().any(told) {
                continue;
            }
            let odd = decides_nothing(key).or_else(|| not_read(key, there.settings.scheduler));
            let Some(problem) = odd else { continue };
            let problem = Problem { span: Some(at.name), ..problem };
            out.push(Odd { problem, is_name: true, decides_nothing: true });
        }
    }

    /// Returns the odd properties of a world. Those that it sets itself are at fault; others are consequences.
    fn properties(&self, world: &World, there: &Scenario) -> Vec<Odd> {
        let mut out = Vec::new();
        for odd in odd_at_start(there) {
            let at = world.set.iter().position(|(key, _)| *key == odd.key).and_then(|n| world.set_at.get(n));
            // The scenario's own problems are reported there, and so are notes on what a world sets.
            let (skip, severity) = match at {
                Some(_) => (odd.problem.severity == Severity::Note, odd.problem.severity),
                None => (self.is_known(&odd.problem), Severity::Note),
            };
            if skip {
                continue;
            }
            let span = at.map_or(world.span, |at| if odd.is_name { at.name } else { at.value });
            let problem = Problem { span: Some(span), severity, ..odd.problem };
            out.push(Odd { problem, is_name: odd.is_name, decides_nothing: at.is_some() });
        }
        out
    }

    /// Attributes a problem of the world's text to what the world sets, if it is at fault.
    fn read_there(&self, world: &World, text: &str, there: &Scenario, problem: Problem) -> Odd {
        let file = there.files.get(fair::FILE).filter(|_| world.allocations.is_some());
        let in_file =
            file.zip(problem.span).is_some_and(|(file, at)| file.span.start <= at.start && at.end <= file.span.end);
        let own = if in_file { world.allocations_at } else { self.of_app(world, text, &problem) };
        let severity = if own.is_some() { problem.severity } else { Severity::Note };
        let decides_nothing = own.is_some() && severity > Severity::Note;
        Odd {
            problem: Problem { span: own.or(Some(world.span)), severity, ..problem },
            is_name: false,
            decides_nothing,
        }
    }

    /// Returns where the world sets the key of an application's own file that causes this problem when it alone is set.
    fn of_app(&self, world: &World, text: &str, problem: &Problem) -> Option<Span> {
        let keys = (0..world.set.len()).filter(|n| World::is_of_app(text, &world.set[*n].0));
        let gives = |n: &usize| {
            let alone = world.only(*n).text(self.text).ok();
            let told = |text: String| scenario::read(&text).problems.iter().any(|p| p.what == problem.what);
            alone.is_some_and(told)
        };
        keys.filter(gives).find_map(|n| Some(world.set_at.get(n)?.value))
    }

    /// Attributes the refusal of a world to the setting without which it would not occur.
    fn refused(&self, world: &World, problem: Problem) -> Odd {
        let mut places: Vec<(Span, World)> = Vec::new();
        for n in 0..world.set.len() {
            let mut without = world.clone();
            without.set.remove(n);
            let at = world.set_at.get(n).map_or(world.span, |at| at.value);
            places.push((at, without));
        }
        places.extend(world.scheduler_at.map(|at| (at, World { scheduler: None, ..world.clone() })));
        places.extend(world.allocations_at.map(|at| (at, World { allocations: None, ..world.clone() })));
        let still = |world: &World| self.refusals(world).contains(&problem.what);
        let span = match places.as_slice() {
            [(at, _)] => *at,
            all => all.iter().find(|(_, without)| !still(without)).map_or(world.span, |(at, _)| *at),
        };
        let problem = Problem { span: Some(span), severity: Severity::Warning, ..problem };
        Odd { problem, is_name: false, decides_nothing: true }
    }

    /// Returns why a world cannot be written, read or started.
    fn refusals(&self, world: &World) -> Vec<String> {
        let text = match world.text(self.text) {
            Ok(text) => text,
            Err(why) => return vec![why],
        };
        let read = scenario::read(&text);
        match read.scenario {
            Some(scenario) => Player::begin(scenario, &text).err().map(|p| p.what).into_iter().collect(),
            None => read.problems.into_iter().map(|p| p.what).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_core::api::SchedulerChoice;
    use heddle_core::scenario::settings_check::odd_settings;

    const HEAD: &str = "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"1 min\"\n";
    const REST: &str = "[[nodes]]\nname = \"n\"\nsize = \"8 GB/8\"\n[[apps]]\nname = \"j\"\ntasks = [{ count = 3, size = \"1 GB/1\", duration = \"forever\" }]\n";
    const QUEUES: &str = "root.queues = \"default\"\nroot.default.capacity = 100\n";

    /// Every kind of fault: the property, its value, the expected sentence.
    const FAULTS: &[(&str, &str, &str)] = &[
        ("root.default.user-limit-facto", "4", "did you mean yarn.scheduler.capacity.root.default.user-limit-factor?"),
        ("root.default.colour", "blue", "is not a property that is known here"),
        ("node-localty-delay", "4", "did you mean yarn.scheduler.capacity.node-locality-delay?"),
        ("yarn.scheduler.minimum-allocation-m", "512", "did you mean yarn.scheduler.minimum-allocation-mb?"),
        ("yarn.colour", "blue", "is not a property that is known here"),
        ("scheduler.minimum-allocation-mb", "512", "did you mean yarn.scheduler.minimum-allocation-mb?"),
        ("root.nosuch.capacity", "3", "The queue root.nosuch is not listed in root.queues"),
        ("root.defalt.capacity", "3", "Did you mean root.default?"),
        ("root.default.user-limit-factor", "forty", "`forty` is not a number"),
        ("queue-mappings-override.enable", "yes", "is neither true nor false"),
        ("root.default.state", "PAUSED", "is none of"),
        ("root.default.capacity", "40", "sum to 40 %, 100 needed"),
    ];

    fn base(own: &str, more: &str) -> String {
        format!("{HEAD}[capacity-scheduler]\n{QUEUES}{own}{REST}{more}")
    }

    /// Returns lines and sentences of problems.
    fn told(text: &str, problems: &[Problem]) -> Vec<(usize, String)> {
        problems.iter().map(|p| (p.span.map_or(0, |s| s.line_col(text).0), sentence(p))).collect()
    }

    fn of_settings(text: &str) -> Vec<(usize, String)> {
        let loaded = Player::load(text);
        let read = scenario::read(text).scenario;
        told(text, &loaded.problems.into_iter().chain(read.iter().flat_map(odd_settings)).collect::<Vec<_>>())
    }

    fn line_of(text: &str, part: &str) -> usize {
        text.lines().position(|l| l.contains(part)).expect("it is there") + 1
    }

    #[test]
    fn every_fault_is_told_wherever_settings_are_written() {
        for (property, value, part) in FAULTS {
            let is_told = |told: &[(usize, String)], line: usize, place: &str| {
                assert!(
                    told.iter().any(|(at, said)| (*at == line || *at == 0) && said.contains(part)),
                    "{place}, {property} = {value}, line {line}: {told:#?}"
                );
            };
            let own = if *property == "root.default.capacity" {
                base("", "").replace("root.default.capacity = 100", "root.default.capacity = 40 # own")
            } else {
                base(&format!("\"{property}\" = \"{value}\" # own\n"), "")
            };
            is_told(&of_settings(&own), line_of(&own, "# own"), "base");

            let happening = format!(
                "[[happenings]]\nat = \"9 s\"\ndo = \"refresh\"\n[happenings.capacity-scheduler]\n\"{property}\" = \"{value}\" # later\n"
            );
            let later = base("", &happening);
            let (all, from) = (of_settings(&later), line_of(&later, "do = \"refresh\""));
            assert!(all.iter().any(|(at, said)| *at >= from && said.contains(part)), "refresh, {property}: {all:#?}");

            for world in [
                format!("[[worlds]]\nname = \"x\"\nset = {{ \"{property}\" = \"{value}\" }} # world\n"),
                format!("[[worlds]]\nname = \"y\"\nvalues = [\"{value}\"]\nproperty = \"{property}\" # world\n"),
            ] {
                let text = base("", &world);
                let read = scenario::read(&text);
                let scenario = read.scenario.expect("worlds keep nothing from being played");
                let odd = odd_worlds(&scenario, &text);
                assert!(odd.iter().any(|p| p.severity == Severity::Warning), "{property}: {odd:?}");
                let lines = told(&text, &odd);
                let line = if lines.iter().any(|(at, _)| *at == line_of(&text, "# world")) {
                    line_of(&text, "# world")
                } else {
                    line_of(&text, "values")
                };
                is_told(&lines, line, "world");
                assert!(Player::load(&text).player.is_some_and(|p| !p.worlds()[0].odd.is_empty()), "{property}");
                let new = odd_new_worlds(scenario::read(&base("", "")).scenario.as_ref(), &text);
                assert!(new.iter().any(|said| said.contains(part)), "Compare, {property}: {new:?}");
                assert!(odd_new_worlds(Some(&scenario), &text).is_empty(), "it was there before");
            }
        }
    }

    /// Settings, and the only scheduler that reads them.
    const OF_SCHEDULERS: &[(&str, &str, Option<SchedulerChoice>)] = &[
        ("yarn.scheduler.capacity.node-locality-delay", "3", Some(SchedulerChoice::Capacity)),
        ("yarn.scheduler.capacity.root.default.maximum-am-resource-percent", "0.4", Some(SchedulerChoice::Capacity)),
        ("yarn.resourcemanager.scheduler.monitor.enable", "true", Some(SchedulerChoice::Capacity)),
        ("yarn.resourcemanager.monitor.capacity.preemption.observe_only", "true", Some(SchedulerChoice::Capacity)),
        ("yarn.scheduler.fair.preemption", "true", Some(SchedulerChoice::Fair)),
        ("yarn.scheduler.fair.max.assign", "2", Some(SchedulerChoice::Fair)),
        ("yarn.scheduler.increment-allocation-mb", "512", Some(SchedulerChoice::Fair)),
        ("yarn.scheduler.minimum-allocation-mb", "512", None),
    ];

    #[test]
    fn a_setting_that_another_scheduler_reads_is_told_wherever_it_is_written() {
        use SchedulerChoice::{Capacity, Fair, Fifo};
        for (key, value, by) in OF_SCHEDULERS {
            let table = if key.starts_with("yarn.scheduler.capacity.") { "capacity-scheduler" } else { "yarn-site" };
            for runs in [Capacity, Fair, Fifo] {
                let head = format!("{HEAD}scheduler = \"{}\"\n", runs.text());
                let world = format!("[[worlds]]\nname = \"x\"\nset = {{ \"{key}\" = \"{value}\" }} # here\n");
                let own = format!("[{table}]\n\"{key}\" = \"{value}\" # here\n");
                let refresh = format!(
                    "[[happenings]]\nat = \"9 s\"\ndo = \"refresh\"\n[happenings.capacity-scheduler]\n\"{key}\" = \"{value}\" # here\n"
                );
                let is_unread = by.is_some_and(|by| by != runs);
                let said = format!("{key} is not read");
                let places = [("base", &own), ("world", &world), ("refresh", &refresh)];
                for (place, more) in &places[..if table == "yarn-site" { 2 } else { 3 }] {
                    let text = format!("{head}{REST}{more}");
                    let scenario = scenario::read(&text).scenario.expect("it is played all the same");
                    let odd = [odd_settings(&scenario), odd_worlds(&scenario, &text)].concat();
                    let lines = told(&text, &odd);
                    let here =
                        lines.iter().filter(|(at, what)| *at == line_of(&text, "# here") && what.contains(&said));
                    assert_eq!(here.count(), usize::from(is_unread), "{key} under {runs:?}, {place}: {lines:#?}");
                    // It is read in a world that runs its scheduler.
                    let Some(by) = by.filter(|_| *place == "base") else { continue };
                    let text = format!("{text}[[worlds]]\nname = \"y\"\nscheduler = \"{}\"\n", by.text());
                    let scenario = scenario::read(&text).scenario.expect("it is played all the same");
                    let lines = told(&text, &odd_settings(&scenario));
                    assert!(!lines.iter().any(|(_, what)| what.contains(&said)), "{key} under {runs:?}: {lines:#?}");
                }
            }
        }
    }

    #[test]
    fn many_settings_of_another_scheduler_are_told_once() {
        let text = base("node-locality-delay = 3\n", "").replace("until", "scheduler = \"fair\"\nuntil");
        let scenario = scenario::read(&text).scenario.expect("it is played all the same");
        let said: Vec<String> = told(&text, &odd_settings(&scenario)).into_iter().map(|(_, what)| what).collect();
        assert_eq!(
            said,
            ["yarn.scheduler.capacity.root.queues and 2 more settings of the CapacityScheduler are not read: the \
              FairScheduler runs. Take them away, or write scheduler = \"capacity\"."]
        );
    }

    #[test]
    fn other_parts_of_a_world_are_checked_as_those_of_the_scenario() {
        let slider = "[[apps]]\nname = \"web\"\nkind = \"slider\"\ncomponents = [{ name = \"w\", \"yarn.role.priority\" = 1, \"yarn.component.instances\" = 1 }]\n";
        let cases = [
            ("name = \"x\"\nscheduler = \"fairr\"", "Did you mean `fair`?"),
            (
                "name = \"x\"\nscheduler = \"fair\"\n\"fair-scheduler.xml\" = \"<allocations><queue name='default'><wieght>2</wieght></queue></allocations>\"",
                "did you mean `<weight>`",
            ),
            ("name = \"x\"\nscheduler = \"fair\"\n\"fair-scheduler.xml\" = \"<allocations\"", "fair-scheduler.xml"),
            ("name = \"x\"\nset = { \"wbe.w.yarn.memory\" = 512 }", "Did you mean `web`?"),
            ("name = \"x\"\nset = { \"web.v.yarn.memory\" = 512 }", "Did you mean `w`?"),
            ("name = \"x\"\nset = { \"web.w.yarn.memry\" = 512 }", "yarn.memory"),
        ];
        for (world, part) in cases {
            let text = base("", &format!("{slider}[[worlds]]\n{world}\n"));
            let read = scenario::read(&text);
            let scenario = read.scenario.unwrap_or_else(|| panic!("{world}: {:?}", read.problems));
            let odd = odd_worlds(&scenario, &text);
            let fault = odd.iter().find(|p| p.severity == Severity::Warning && sentence(p).contains(part));
            let fault = fault.unwrap_or_else(|| panic!("{world}: {odd:#?}"));
            let line = fault.span.map_or(0, |s| s.line_col(&text).0);
            assert!(line > line_of(&text, "[[worlds]]"), "{world}: {fault:?}");
        }
    }

    #[test]
    fn what_follows_from_a_good_setting_is_no_fault() {
        let text = include_str!("../../scenarios/q38a-handler-scheduler.toml");
        let scenario = scenario::read(text).scenario.expect("it reads");
        let odd = odd_worlds(&scenario, text);
        assert!(odd.iter().all(|p| p.severity == Severity::Note), "{odd:#?}");
        let player = Player::load(text).player.expect("it loads");
        assert!(player.worlds().iter().all(|w| w.odd.is_empty()));
    }

    #[test]
    fn the_worlds_of_the_gallery_have_no_fault() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios");
        let mut looked = 0;
        for file in std::fs::read_dir(folder).expect("the gallery").flatten() {
            let text = std::fs::read_to_string(file.path()).unwrap_or_default();
            let Some(scenario) = scenario::read(&text).scenario else { continue };
            looked += scenario.worlds.len();
            let odd = odd_worlds(&scenario, &text);
            assert!(odd.iter().all(|p| p.severity == Severity::Note), "{}: {odd:#?}", file.path().display());
        }
        assert!(looked > 10, "{looked} worlds");
    }
}
