//! Converts a trace to a scenario: the same settings, nodes, applications, calls and actions of administrators, so that the
//! player can explain what was played on the real classes. Time is the scenario's own (nodes send heartbeats regularly, not
//! when a step says so), so decisions differ from the trace's, but the input to them is the same.

use super::asks::strings;
use super::constraints::constraint;
use super::settings::settings;
use crate::facts::read::{list, text};
use heddle_core::model::{AppId, Millis};
use heddle_core::rm::{ResourceManager, SchedulerChoice};
use heddle_core::scenario::notation;
use serde_json::Value;
use std::fmt::Write;

/// The time from one step to the next.
const STEP_MS: Millis = 400;
/// The time of a preemption round, the interval of the monitor.
const ROUND_MS: Millis = 3_000;
/// The maximum time of a `clock` step.
const CLOCK_MS: Millis = 20_000;
/// The time after the last step.
const REST_MS: Millis = 12_000;

/// Returns the scenario's text. `None`: the trace is of another kind, or its settings are refused.
pub fn scenario(given: &Value) -> Option<String> {
    let settings = settings(given).ok()?;
    let ids = ResourceManager::new(settings.clone()).ok()?;
    let mut script = Script { ids, apps: Vec::new(), happenings: String::new(), nodes: Vec::new() };
    let mut now = 0;
    for step in list(&given["steps"]) {
        script.step(step, now)?;
        now += match text(&step["op"]) {
            "clock" => step["ms"].as_i64()?.min(CLOCK_MS),
            "preempt" => ROUND_MS,
            _ => STEP_MS,
        };
    }
    let scheduler = settings.scheduler.text();
    let mut out = format!("heddle = 1\nscheduler = \"{scheduler}\"\nuntil = \"{} ms\"\n", now + REST_MS);
    let labels = settings.labels.iter();
    let labels: Vec<String> =
        labels.map(|l| format!("{{ name = {}, exclusive = {} }}", quoted(&l.name), l.exclusive)).collect();
    let _ = writeln!(out, "labels = [{}]", labels.join(", "));
    let table = |out: &mut String, name: &str, rows: &mut dyn Iterator<Item = (String, String)>| {
        let _ = writeln!(out, "[{name}]");
        rows.for_each(|(key, value)| {
            let _ = writeln!(out, "{} = {value}", quoted(&key));
        });
    };
    // Processes start at once, as in a trace.
    out.push_str("[timing]\nlaunch = 0\nam_start = 0\nam_heartbeat = \"0.5 s\"\n");
    if let (SchedulerChoice::Fair, Some(allocations)) = (settings.scheduler, &settings.fair_allocations) {
        let _ = writeln!(out, "[files]\n\"fair-scheduler.xml\" = {}", quoted(allocations));
    }
    let pairs = |p: &heddle_core::rm::Properties| p.iter().map(|(k, v)| (k.clone(), quoted(v))).collect::<Vec<_>>();
    table(&mut out, "yarn-site", &mut pairs(&settings.yarn_site).into_iter());
    table(&mut out, "capacity-scheduler", &mut pairs(&settings.capacity_scheduler).into_iter());
    table(&mut out, "users", &mut settings.groups.iter().map(|(user, groups)| (user.clone(), names(groups))));
    script.apps.iter().for_each(|app| out.push_str(app));
    out.push_str(&script.happenings);
    Some(out)
}

struct Script {
    /// Provides the form of application ids.
    ids: ResourceManager,
    /// A table for each submission, to which calls are added.
    apps: Vec<String>,
    happenings: String,
    /// The hosts that have registered.
    nodes: Vec<String>,
}

impl Script {
    fn step(&mut self, step: &Value, at: Millis) -> Option<()> {
        let node = quoted(text(&step["node"]));
        match text(&step["op"]) {
            "add_node" if self.nodes.contains(&node) => {
                self.happens(at, "return_node", &format!("node = {node}"));
            }
            "add_node" => {
                let rack = quoted(step["rack"].as_str().unwrap_or("/default-rack"));
                let label = label(&step["label"]);
                let size = size(step);
                self.happens(at, "add_node", &format!("name = {node}\nrack = {rack}\nport = 1\nsize = {size}{label}"));
                self.nodes.push(node);
            }
            "remove_node" => self.happens(at, "remove_node", &format!("node = {node}")),
            "update_node" => {
                let timeout = step["overcommit_timeout_ms"].as_i64().filter(|ms| *ms >= 0);
                let timeout = timeout.map_or(String::new(), |ms| format!("\novercommit_timeout = \"{ms} ms\""));
                self.happens(at, "resize_node", &format!("node = {node}\nsize = {}{timeout}", size(step)));
            }
            "decommission_node" => {
                let timeout = step["timeout_s"].as_i64().unwrap_or(3600) * 1000;
                self.happens(at, "decommission_node", &format!("node = {node}\ntimeout = \"{timeout} ms\""));
            }
            "label_node" => {
                let label = quoted(text(&step["label"]));
                self.happens(at, "label_node", &format!("node = {node}\nlabel = {label}"));
            }
            "submit" => self.submit(step, at)?,
            "ask" => self.ask(step, at)?,
            "heartbeat" => {
                for pair in list(&step["finish"]) {
                    let (app, k) = (app_name(&pair[0]), &pair[1]);
                    self.happens(at, "finish_container", &format!("app = {app}\ncontainer = {k}"));
                }
                if let Some(healthy) = step["healthy"].as_bool() {
                    let act = if healthy { "healthy_node" } else { "unhealthy_node" };
                    self.happens(at, act, &format!("node = {node}"));
                }
            }
            "kill_app" => self.happens(at, "kill_app", &format!("app = {}", app_name(&step["app"]))),
            "move_app" => {
                let queue = quoted(text(&step["queue"]));
                self.happens(at, "move_app", &format!("app = {}\nqueue = {queue}", app_name(&step["app"])));
            }
            "set_priority" => {
                let rest = format!("app = {}\npriority = {}", app_name(&step["app"]), step["priority"]);
                self.happens(at, "set_priority", &rest);
            }
            "refresh" => self.refresh(step, at),
            "node_attributes" => {
                let how = quoted(step["how"].as_str().unwrap_or("add"));
                for (host, attributes) in step["nodes"].as_object().into_iter().flatten() {
                    let pairs = attributes.as_object().into_iter().flatten();
                    let pairs: Vec<String> =
                        pairs.map(|(k, v)| format!("{} = {}", quoted(k), quoted(text(v)))).collect();
                    let rest = format!("node = {}\nhow = {how}\nattributes = {{ {} }}", quoted(host), pairs.join(", "));
                    self.happens(at, "change_attributes", &rest);
                }
            }
            "constraint" if !step["constraint"].is_null() => {
                let app = &step["app"];
                let app = if app.is_null() { String::new() } else { format!("\napp = {}", app_name(app)) };
                let rest = format!("{}{app}", self.tagged(step)?);
                self.happens(at, "put_constraint", &rest);
            }
            // Nodes, policies and update threads run by themselves.
            _ => {}
        }
        Some(())
    }

    fn happens(&mut self, at: Millis, act: &str, rest: &str) {
        let _ = writeln!(self.happenings, "[[happenings]]\nat = \"{at} ms\"\ndo = \"{act}\"\n{rest}");
    }

    fn constraint(&self, v: &Value) -> Option<String> {
        let id = |k| (k < self.apps.len()).then(|| self.ids.application_id(AppId::from(k)));
        constraint(v, &id).ok().map(|c| notation::value(&c).to_string())
    }

    /// Returns `tags` and `constraint`.
    fn tagged(&self, v: &Value) -> Option<String> {
        let constraint = self.constraint(&v["constraint"])?;
        Some(format!("tags = {}\nconstraint = {}", names(&strings(&v["tags"])), constraint.trim()))
    }

    fn submit(&mut self, step: &Value, at: Millis) -> Option<()> {
        let mut app = format!("[[apps]]\nname = \"app{}\"\nkind = \"requests\"\nat = \"{at} ms\"\n", self.apps.len());
        self.apps.push(String::new());
        let queue = quoted(step["queue"].as_str().unwrap_or("default"));
        let user = quoted(step["user"].as_str().unwrap_or("user"));
        let am = &step["am"];
        let _ = writeln!(app, "queue = {queue}\nuser = {user}\nam = {{ size = {}{} }}", size(am), inline_label(am));
        for key in ["priority", "max_attempts"] {
            if let Some(n) = step[key].as_i64() {
                let _ = writeln!(app, "{key} = {n}");
            }
        }
        let _ = writeln!(app, "tags = {}{}", names(&strings(&step["tags"])), label(&step["app_label"]));
        for sent in list(&step["constraints"]) {
            let _ = writeln!(app, "[[apps.constraints]]\n{}", self.tagged(sent)?);
        }
        *self.apps.last_mut()? = app;
        Some(())
    }

    fn ask(&mut self, step: &Value, at: Millis) -> Option<()> {
        let mut call = format!("[[apps.calls]]\nat = \"{at} ms\"\n");
        let releases: Vec<String> = list(&step["release"]).iter().map(Value::to_string).collect();
        let (add, remove) = (names(&strings(&step["blacklist_add"])), names(&strings(&step["blacklist_remove"])));
        let _ =
            writeln!(call, "release = [{}]\nblacklist_add = {add}\nblacklist_remove = {remove}", releases.join(", "));
        for r in list(&step["requests"]) {
            let (id, relax) = (r["id"].as_i64().unwrap_or(-1), r["relax"].as_bool().unwrap_or(true));
            let _ = writeln!(
                call,
                "[[apps.calls.asks]]\npriority = {}\ncount = {}\nplace = {}\nsize = {}\nrelax = {relax}\nid = {id}{}",
                r["priority"].as_i64().unwrap_or(1),
                r["count"].as_i64().unwrap_or(0),
                quoted(r["where"].as_str().unwrap_or("*")),
                size(r),
                label(&r["label"])
            );
        }
        for r in list(&step["scheduling"]) {
            let constraint = match r.get("constraint") {
                Some(c) => format!("\nconstraint = {}", self.constraint(c)?.trim()),
                None => String::new(),
            };
            let _ = writeln!(
                call,
                "[[apps.calls.scheduling]]\nid = {}\npriority = {}\ncount = {}\ntags = {}\nsize = {}{constraint}",
                r["id"].as_i64().unwrap_or(0),
                r["priority"].as_i64().unwrap_or(0),
                r["count"].as_i64().unwrap_or(0),
                names(&strings(&r["tags"])),
                size(r)
            );
        }
        let app = step["app"].as_u64().and_then(|i| self.apps.get_mut(i as usize))?;
        app.push_str(&call);
        Some(())
    }

    fn refresh(&mut self, step: &Value, at: Millis) {
        if let Some(allocations) = step["fair_allocations"].as_str() {
            return self.happens(at, "refresh", &format!("\"fair-scheduler.xml\" = {}", quoted(allocations)));
        }
        let changes: Vec<_> = step["capacity_scheduler"].as_object().into_iter().flatten().collect();
        let set = changes.iter().filter(|(_, v)| !v.is_null()).map(|(k, v)| {
            let value = v.as_str().map_or_else(|| v.to_string(), str::to_owned);
            format!("{} = {}", quoted(k), quoted(&value))
        });
        let set = set.collect::<Vec<_>>().join(", ");
        let gone: Vec<String> = changes.iter().filter(|(_, v)| v.is_null()).map(|(k, _)| (*k).clone()).collect();
        self.happens(at, "refresh", &format!("capacity-scheduler = {{ {set} }}\nunset = {}", names(&gone)));
    }
}

fn app_name(v: &Value) -> String {
    format!("\"app{v}\"")
}

/// Returns a basic string of TOML, which is the same as in JSON.
fn quoted(s: &str) -> String {
    Value::from(s).to_string()
}

fn names(all: &[String]) -> String {
    Value::from(all).to_string()
}

fn label(v: &Value) -> String {
    v.as_str().map_or(String::new(), |l| format!("\nlabel = {}", quoted(l)))
}

fn inline_label(am: &Value) -> String {
    am["label"].as_str().map_or(String::new(), |l| format!(", label = {}", quoted(l)))
}

fn size(v: &Value) -> String {
    let mut out =
        format!("{{ memory = {}, vcores = {}", v["memory_mb"].as_i64().unwrap_or(0), v["vcores"].as_i64().unwrap_or(1));
    for (name, n) in v["resources"].as_object().into_iter().flatten() {
        let _ = write!(out, ", {} = {n}", quoted(name));
    }
    out.push_str(" }");
    out
}
