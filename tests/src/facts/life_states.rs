//! State machines event by event, and rules that are plain figures (area lifecycles): applications, attempts, containers on
//! their nodes, restarts, heartbeat intervals, expiries, blamed hosts.

use super::read::{int, list, text};
use crate::conformance::compare::holds;
use crate::conformance::{Case, Difference, Driver, Outcome};
use heddle_core::config::nodes::{HeartbeatConf, HeartbeatScaling, NodeLoad, NodesConf};
use heddle_core::config::yarn_site::YarnSite;
use heddle_core::model::{AppId, AttemptId, Millis};
use heddle_core::rm::states::{AppEvent, AppNeeds, AppStep, AttemptEvent, AttemptStep};
use heddle_core::rm::{AmEnd, BlamedHosts, texts};
use heddle_core::sim::Simulation;
use heddle_core::sim::nm_container::{NmContainer, NmEvent, Retry, RetryPolicy};
use serde_json::{Value, json};

/// Returns the driver for a kind of cases.
pub fn driver(kind: &str) -> Option<Driver> {
    Some(match kind {
        "app" => app,
        "app-attempt" => app_attempt,
        "nm-container" => nm_container,
        "nm-retry" => nm_retry,
        "nm-retry-decision" => nm_retry_decision,
        "node-heartbeat-interval" => heartbeat_interval,
        "node-heartbeat-scaling" => heartbeat_scaling,
        "liveness-expiry" => liveness_expiry,
        "am-node-blacklist" => am_node_blacklist,
        _ => return None,
    })
}

fn fault(message: impl std::fmt::Display) -> Difference {
    Difference::new("", "to be played", message)
}

/// Returns the text in brackets.
fn bracketed(words: &str) -> Option<&str> {
    words.split_once('(')?.1.split_once(')').map(|(inside, _)| inside)
}

/// Returns the number in brackets, or the last word as a number.
fn number_in(words: &str) -> Option<i32> {
    let by_word = words.split_whitespace().last().and_then(|w| w.parse().ok());
    bracketed(words).and_then(|inside| inside.trim().parse().ok()).or(by_word)
}

const ATTEMPT: AttemptId = AttemptId { app: AppId(0), attempt: 1 };

/// An application and its attempt, driven by events.
struct Life {
    app: AppStep,
    attempt: AttemptStep,
    attempts: u32,
    failures: i32,
    most: i32,
    diagnostics: String,
    removals: usize,
}

impl Life {
    fn hears(&mut self, event: AppEvent) {
        let (step, needs) = self.app.next(event);
        self.app = step;
        match needs {
            AppNeeds::Removal => self.removals += 1,
            AppNeeds::Attempt => {
                self.attempts += 1;
                self.attempt = AttemptStep::New;
            }
            AppNeeds::KillAttempt => self.attempt = self.attempt.next(AttemptEvent::Kill).0,
            AppNeeds::Nothing | AppNeeds::Save | AppNeeds::Scheduler => {}
        }
    }

    fn attempt_failed(&mut self) {
        self.failures += 1;
        let last = self.failures >= self.most;
        if last {
            let why = texts::end_of_am(AmEnd::Exited(1), ATTEMPT);
            self.diagnostics = texts::attempts_used_up(ATTEMPT.app, self.most, "", &why);
        }
        self.hears(AppEvent::AttemptFailed { last });
    }

    /// Plays an event, given in words.
    fn event(&mut self, words: &str) -> Result<(), Difference> {
        let name = words.to_uppercase().replace([' ', '-'], "_");
        let has = |part: &str| name.contains(part);
        if has("ATTEMPT_SAVED") || has("ATTEMPT_STATE_SAVED") {
            let (step, told) = self.attempt.next(AttemptEvent::Saved);
            self.attempt = step;
            told.into_iter().for_each(|told| self.hears(told));
            return Ok(());
        }
        let event = if has("ATTEMPT_UNREGISTERED") {
            AppEvent::AttemptUnregistered
        } else if has("ATTEMPT_REGISTERED") {
            self.attempt = AttemptStep::Running;
            AppEvent::AttemptRegistered
        } else if has("ATTEMPT_FINISHED") {
            AppEvent::AttemptFinished
        } else if has("ATTEMPT_KILLED") {
            AppEvent::AttemptKilled
        } else if has("ATTEMPT_FAILED") {
            self.attempt_failed();
            return Ok(());
        } else if has("SAVE_FAILED") || has("REFUSE") {
            self.diagnostics = bracketed(words).unwrap_or_default().to_string();
            AppEvent::StoreRefused
        } else if has("REJECTED") {
            self.diagnostics = bracketed(words).unwrap_or_default().to_string();
            AppEvent::Rejected
        } else if has("NEW_SAVED") || has("SAVED") && self.app == AppStep::NewSaving {
            AppEvent::Stored
        } else if has("SAVED") {
            AppEvent::Saved
        } else if has("ACCEPTED") {
            AppEvent::Accepted
        } else if has("KILL") {
            if self.app.next(AppEvent::Kill).0 != self.app {
                self.diagnostics = texts::KILLED_BY_USER.to_string();
            }
            AppEvent::Kill
        } else if has("START") || has("SUBMIT") {
            AppEvent::Start
        } else {
            return Err(fault(format!("unknown event {words}")));
        };
        self.hears(event);
        Ok(())
    }
}

fn app(case: &Case) -> Outcome {
    let g = &case.given;
    let run = || {
        let start = AppStep::of(text(&g["start"])).ok_or_else(|| fault(format!("unknown state {}", g["start"])))?;
        // "m > 1": any number above 1 will do.
        let most = g["max_attempts"].as_i64().map_or(if g["max_attempts"].is_string() { 3 } else { 2 }, |n| n as i32);
        let attempt = if start == AppStep::Running { AttemptStep::Running } else { AttemptStep::Scheduled };
        let mut life =
            Life { app: start, attempt, attempts: 1, failures: 0, most, diagnostics: String::new(), removals: 0 };
        let wanted = list(&case.expect["states"]);
        let mut states = Vec::new();
        for (i, words) in list(&g["events"]).iter().map(text).enumerate() {
            // "… x (m-1)": repeats the events that often.
            let Some((events, _)) = words.split_once(" x (m-1)") else {
                life.event(words)?;
                states.push(json!(life.app.text()));
                continue;
            };
            let events: Vec<&str> = events.trim_matches(['(', ')']).split(',').map(str::trim).collect();
            let (mut each, before) = (true, life.attempts);
            for k in 0..most - 1 {
                for event in &events {
                    life.event(event)?;
                    let registers = event.contains("REGISTERED");
                    each &= life.app == if registers { AppStep::Running } else { AppStep::Accepted };
                    each &= life.attempts == before + 1 + k as u32;
                }
            }
            // Described in prose: each failure yields ACCEPTED with the next attempt number, each registration RUNNING.
            let prose = wanted.get(i).filter(|w| text(w).starts_with("each ") && each);
            states.push(prose.cloned().unwrap_or_else(|| json!(life.app.text())));
        }
        let states: Vec<Value> = checked(states, wanted);
        let said = text(&case.expect["diagnostics_contains"]);
        let diagnostics = if life.diagnostics.contains(said) { said } else { &life.diagnostics };
        let got = json!({ "states": states, "removed_from_scheduler": life.removals == 1,
            "diagnostics_contains": diagnostics });
        holds(&case.expect, &got)
    };
    run().into()
}

/// Returns the states, with null where the expected value is null and therefore not compared.
fn checked(got: Vec<Value>, wanted: &[Value]) -> Vec<Value> {
    let skip = |i: usize| wanted.get(i).is_some_and(Value::is_null);
    got.into_iter().enumerate().map(|(i, v)| if skip(i) { Value::Null } else { v }).collect()
}

fn attempt_event(words: &str, step: AttemptStep) -> Result<Option<AttemptEvent>, Difference> {
    let name = words.to_uppercase().replace([' ', '-'], "_");
    let has = |part: &str| name.contains(part);
    let unmanaged = has("UNMANAGED");
    Ok(Some(if has("CONTAINER_FINISHED") || has("CONTAINER_COMPLETES") || has("CONTAINER_ENDS") {
        AttemptEvent::ContainerFinished { am: has("AM_CONTAINER") }
    } else if has("UNREGISTERED") {
        AttemptEvent::Unregistered { unmanaged }
    } else if has("REGISTERED") {
        AttemptEvent::Registered
    } else if has("CONTAINER_ALLOCATED") {
        AttemptEvent::Allocated
    } else if has("ATTEMPT_ADDED") || name == "ADDED" {
        AttemptEvent::Added { unmanaged }
    } else if has("LAUNCH_FAILED") || has("LAUNCH_CALL_FAILED") {
        AttemptEvent::LaunchFailed
    } else if has("LAUNCHED") {
        AttemptEvent::Launched
    } else if has("SAVED") {
        let begins = matches!(step, AttemptStep::AllocatedSaving | AttemptStep::LaunchedUnmanagedSaving);
        if begins { AttemptEvent::Stored } else { AttemptEvent::Saved }
    } else if has("EXPIRE") {
        AttemptEvent::Expire
    } else if has("KILL") {
        AttemptEvent::Kill
    } else if has("FAIL") {
        AttemptEvent::Fail
    } else if has("START") {
        AttemptEvent::Start
    } else if has("STATUS_UPDATE") || has("ACQUIRED") {
        // Neither has an effect.
        return Ok(None);
    } else {
        return Err(fault(format!("unknown event {words}")));
    }))
}

fn app_attempt(case: &Case) -> Outcome {
    let g = &case.given;
    let run = || {
        let start = text(&g["start"]);
        let mut step = AttemptStep::of(start).ok_or_else(|| fault(format!("unknown state {start}")))?;
        let (mut states, mut diagnostics) = (Vec::new(), String::new());
        for words in list(&g["events"]).iter().map(text) {
            let before = step;
            if let Some(event) = attempt_event(words, step)? {
                step = step.next(event).0;
                let ends = matches!(step, AttemptStep::FinalSaving(_)) && before != step;
                match event {
                    AttemptEvent::Expire if ends => diagnostics = texts::end_of_am(AmEnd::TimedOut, ATTEMPT),
                    AttemptEvent::ContainerFinished { .. } if ends => {
                        diagnostics = texts::end_of_am(AmEnd::Exited(number_in(words).unwrap_or(0)), ATTEMPT);
                    }
                    AttemptEvent::LaunchFailed | AttemptEvent::Kill | AttemptEvent::Fail if ends => {
                        diagnostics = bracketed(words).unwrap_or_default().to_string();
                    }
                    _ => {}
                }
            }
            states.push(json!(step.text()));
        }
        let said = text(&case.expect["diagnostics_contains"]);
        let diagnostics = if diagnostics.contains(said) { said } else { &diagnostics };
        let states = checked(states, list(&case.expect["states"]));
        holds(&case.expect, &json!({ "states": states, "diagnostics_contains": diagnostics }))
    };
    run().into()
}

fn nm_event(words: &str) -> Result<NmEvent, Difference> {
    let has = |part: &str| words.contains(part);
    let number = || number_in(words);
    Ok(match words {
        _ if has("launch notices the kill") || has("killed on request") => {
            NmEvent::FoundKilled(number().unwrap_or(137))
        }
        _ if has("killed from outside") || has("killed externally") => NmEvent::FoundKilled(number().unwrap_or(137)),
        _ if has("kill by RM") || has("kill by the RM") => NmEvent::Kill(-106),
        _ if has("kill by AM") || has("kill by the AM") => NmEvent::Kill(-105),
        _ if has("kill") => NmEvent::Kill(number().unwrap_or(-106)),
        _ if has("process ends with") => NmEvent::Exited(number().ok_or_else(|| fault(words))?),
        _ if has("localization fails") || has("resource fails") => NmEvent::LocalizationFailed,
        _ if has("resources cleaned") => NmEvent::ResourcesCleaned,
        _ if has("init") => NmEvent::Init,
        _ if has("localized") => NmEvent::Localized,
        _ if has("launched") => NmEvent::Launched,
        _ => return Err(fault(format!("unknown event {words}"))),
    })
}

fn nm_container(case: &Case) -> Outcome {
    let run = || {
        let mut container = NmContainer::default();
        let mut states = Vec::new();
        for words in list(&case.given["events"]).iter().map(text) {
            container.hears(nm_event(words)?, false);
            states.push(json!(container.state.text()));
        }
        let got = json!({
            "states": checked(states, list(&case.expect["states"])),
            "exit_status": container.exit_code,
            "counted_as": container.counted_as.map(|c| c.text()),
            "out_of_band_heartbeat": container.wakes_heartbeat(),
        });
        holds(&case.expect, &got)
    };
    run().into()
}

fn retry(g: &Value) -> Result<Retry, Difference> {
    let policy = match text(&g["policy"]) {
        "NEVER_RETRY" => RetryPolicy::Never,
        "RETRY_ON_ALL_ERRORS" => RetryPolicy::AllErrors,
        "RETRY_ON_SPECIFIC_ERROR_CODES" => {
            RetryPolicy::Codes(list(&g["codes"]).iter().map(|code| int(code) as i32).collect())
        }
        other => return Err(fault(format!("unknown policy {other}"))),
    };
    Ok(Retry { policy, most: int(&g["max_retries"]) as i32, window: g["validity_ms"].as_i64() })
}

fn nm_retry(case: &Case) -> Outcome {
    let g = &case.given;
    let run = || {
        let retry = retry(g)?;
        let code = int(&g["exit_code"]) as i32;
        let mut retries = retry.begin();
        let times: Vec<Millis> = list(&g["fails_at_ms"]).iter().map(int).collect();
        let (mut relaunched, mut remaining, mut count) = (Vec::new(), Vec::new(), 0);
        if times.is_empty() {
            // It fails again each time it is restarted.
            while count < 1000 && retry.again(&mut retries, code, 0) {
                count += 1;
            }
        }
        for at in times {
            relaunched.push(retry.again(&mut retries, code, at));
            remaining.push(retries.remaining);
        }
        let got = json!({ "relaunches": count, "relaunched": relaunched, "remaining_after_update": remaining });
        holds(&case.expect, &got)
    };
    run().into()
}

fn nm_retry_decision(case: &Case) -> Outcome {
    let g = &case.given;
    let run = || {
        let retry = retry(g)?;
        let mut retries = retry.begin();
        let again = retry.again(&mut retries, int(&g["exit_code"]) as i32, 0);
        holds(&case.expect, &json!({ "retry": again, "remaining": retries.remaining }))
    };
    run().into()
}

fn heartbeat_interval(case: &Case) -> Outcome {
    let conf = NodesConf::read(&super::capacity_world::properties(&case.given["yarn_site"]));
    holds(&case.expect, &json!({ "next_interval_ms": conf.heartbeat.next(None) })).into()
}

fn heartbeat_scaling(case: &Case) -> Outcome {
    let g = &case.given;
    let float = |key: &str| g[key].as_f64().unwrap_or(1.0) as f32;
    let scaling = HeartbeatScaling {
        min: int(&g["min_ms"]),
        max: int(&g["max_ms"]),
        speedup: float("speedup"),
        slowdown: float("slowdown"),
    };
    let conf = HeartbeatConf::new(int(&g["default_ms"]), Some(scaling));
    let cores = int(&g["node_vcores"]) as i32;
    let interval = |share: &Value| {
        let load = NodeLoad {
            node_cores: share.as_f64().unwrap_or(0.0) as f32 * cores as f32,
            physical_cores: (g["physical_size_known"] != false).then_some(cores),
            cluster_used: int(&g["cluster_utilized_vcores"]),
            cluster_vcores: int(&g["cluster_vcores"]),
        };
        conf.next((!share.is_null()).then_some(load))
    };
    let got: Vec<Millis> = list(&g["node_cpu_share"]).iter().map(interval).collect();
    holds(&case.expect, &json!({ "interval_ms": got })).into()
}

fn liveness_expiry(case: &Case) -> Outcome {
    let g = &case.given;
    let expiry = int(&g["expiry_ms"]);
    let period = int(&g["check_period_ms"]);
    if period != expiry / 3 {
        return Outcome::Failed(Difference::new("check_period_ms", period, expiry / 3));
    }
    let at: Vec<Millis> =
        list(&g["last_ping_ms"]).iter().map(|last| Simulation::check_time(int(last), expiry)).collect();
    holds(&case.expect, &json!({ "expires_at_ms": at })).into()
}

/// Plays the blacklist that each attempt's AM request is sent with; hosts are compared as a set.
fn am_node_blacklist(case: &Case) -> Outcome {
    let g = &case.given;
    let run = || {
        let setting = |name: &str| format!("yarn.resourcemanager.am-scheduling.node-blacklisting-{name}");
        let site = [
            (setting("enabled"), (g["enabled"] != false).to_string()),
            (setting("disable-threshold"), g["threshold"].to_string()),
        ];
        let site = YarnSite::read(&site.into_iter().collect()).map_err(|r| fault(r.message))?;
        let mut hosts = BlamedHosts::default();
        let (mut additions, mut removals) = (Vec::new(), Vec::new());
        for step in list(&g["add"]) {
            let (mut add, mut remove) = (Vec::new(), Vec::new());
            if let Some(share) = site.avoids_blamed_nodes {
                list(step).iter().for_each(|host| hosts.add(text(host).to_string()));
                let updates = hosts.updates(share, int(&g["nodes"]) as usize);
                (add, remove) = (updates.additions, updates.removals);
            }
            additions.push(json!(sorted(add)));
            removals.push(json!(sorted(remove)));
        }
        let mut expect = case.expect.clone();
        for key in ["additions", "removals"] {
            for lists in expect[key].as_array_mut().into_iter().flatten() {
                *lists = json!(sorted(list(lists).iter().map(|h| text(h).to_string()).collect()));
            }
        }
        holds(&expect, &json!({ "additions": additions, "removals": removals }))
    };
    run().into()
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    names
}
