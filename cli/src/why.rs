//! `heddle why`.

use crate::input::{Input, ProblemRow};
use crate::output::{EarlyEnd, Output, warn};
use heddle_core::model::Millis;
use heddle_core::scenario::Scenario;
use heddle_core::scenario::units::time_text;
use heddle_player::Player;
use heddle_player::explain::view::{Met, PreemptionView, Selection, WhyView};
use heddle_player::explain::words::plain;
use serde::Serialize;
use std::path::Path;

#[derive(Serialize)]
struct Answer<'a> {
    time_ms: Millis,
    headline: &'a str,
    #[serde(flatten)]
    why: &'a WhyView,
    /// Notices about the scenario's text.
    problems: Vec<ProblemRow>,
}

/// Checks that the subject exists. Errors: it does not; the message has the nearest name.
pub fn known(player: &Player, input: &Input, about: &Selection) -> Result<(), EarlyEnd> {
    match player.not_there(about) {
        Some(why) => Err(EarlyEnd::Told(format!("{}: --what {why}", input.name))),
        None => Ok(()),
    }
}

/// Returns the requested moment. A moment after the scenario's end becomes that end, with a warning.
pub fn moment(scenario: &Scenario, input: &Input, at: Millis) -> Millis {
    let Some(until) = scenario.until.filter(|until| at > *until) else { return at };
    let (at, end) = (time_text(at), time_text(until));
    warn(&format!("{}: --at {at} is after the end: the scenario ends at {end}, which is shown.", input.name));
    until
}

pub fn why(
    out: &mut Output,
    file: &Path,
    at: Option<Millis>,
    what: Option<Selection>,
    what_helps: bool,
    json: bool,
) -> Result<u8, EarlyEnd> {
    let input = Input::read_scenario(file)?;
    let (mut player, problems) = input.player()?;
    let at = at.map_or(player.scenario().start_at, |at| moment(player.scenario(), &input, at));
    let snapshot = input.patiently(|| {
        player.seek(at);
        player.snapshot(None)
    });
    let Some(about) = what.or(snapshot.headline_about.clone()) else {
        let (at, headline) = (time_text(snapshot.time_ms), snapshot.headline);
        let mend = "Nothing waits that could be asked about: name something with --what, such as --what node:…";
        return Err(EarlyEnd::Told(format!("{}: at {at}: {headline} {mend}", input.name)));
    };
    known(&player, &input, &about)?;
    let why = input.patiently(|| if what_helps { player.why_with_help(&about) } else { player.why(&about) });
    if json {
        out.json(&Answer { time_ms: snapshot.time_ms, headline: &snapshot.headline, why: &why, problems })?;
    } else {
        tell(out, &why, snapshot.time_ms)?;
    }
    Ok(0)
}

fn preemption(out: &mut Output, told: &PreemptionView) -> Result<(), EarlyEnd> {
    out.line(&format!("\n{}:", told.title))?;
    if !told.sentence.is_empty() {
        out.line(&format!("  {}", plain(&told.sentence)))?;
    }
    for f in &told.freeing {
        out.line(&format!("  {} on {} ({}): {}", f.name, f.node, f.size, f.text))?;
    }
    for c in &told.conditions {
        let mark = match c.met {
            Met::Yes => "ok  ",
            Met::Slows => "less",
            Met::No => "STOP",
            Met::Unreached => "    ",
        };
        // Only an unreached condition has no value.
        let value = if c.value.is_empty() { "not reached" } else { &c.value };
        out.line(&format!("  {mark} {}: {value}", c.name))?;
        for step in &c.formula {
            out.line(&format!("         {step}"))?;
        }
        for property in &c.properties {
            out.line(&format!("         set by {property}"))?;
        }
    }
    Ok(())
}

fn over_time(out: &mut Output, why: &WhyView) -> Result<(), EarlyEnd> {
    if !why.over_time.is_empty() {
        out.line("\nover time:")?;
    }
    for s in &why.over_time {
        if s.left_out > 0 {
            out.line(&format!("  {:<12} {} more", "…", s.left_out))?;
        }
        let when = match s.to_ms {
            Some(to) => format!("{} – {}", time_text(s.from_ms), time_text(to)),
            None => format!("since {}", time_text(s.from_ms)),
        };
        let happened = if s.happened.is_empty() { String::new() } else { format!(" ({})", s.happened.join("; ")) };
        out.line(&format!("  {when:<20} {}{happened}", s.text))?;
    }
    Ok(())
}

/// Prints an answer.
pub fn tell(out: &mut Output, why: &WhyView, now: Millis) -> Result<(), EarlyEnd> {
    let about = why.about.as_ref().map(ToString::to_string).unwrap_or_default();
    let status = if why.status.is_empty() { String::new() } else { format!(": {}", why.status) };
    out.line(&format!("{} ({about}) at {}{status}", why.title, time_text(now)))?;
    if let Some((at, node)) = &why.looked {
        out.line(&format!("last looked at {} for {node}", time_text(*at)))?;
    }
    for text in [&why.crumb, &why.sentence] {
        if !text.is_empty() {
            out.line(&plain(text))?;
        }
    }
    over_time(out, why)?;
    if !why.limits.is_empty() {
        out.line("\nlimits, in YARN's order:")?;
        for l in &why.limits {
            let mark = match (l.passes, l.reached) {
                (true, _) => "ok  ",
                (false, true) => "STOP",
                (false, false) => "    ",
            };
            // Memory is in GB, as everywhere; other units are printed.
            let is_named = !l.reached || ["", "GB", "nodes"].contains(&l.unit.as_str()) || l.text.ends_with(&l.unit);
            let unit = if is_named { String::new() } else { format!(" {}", l.unit) };
            out.line(&format!("  {mark} {} of {}: {}{unit}", l.name, l.of, l.text))?;
            for step in &l.formula {
                out.line(&format!("         {step}"))?;
            }
            for property in &l.properties {
                out.line(&format!("         set by {property}"))?;
            }
        }
    }
    if let Some(told) = &why.preemption {
        preemption(out, told)?;
    }
    if !why.buckets.is_empty() {
        out.line("\nnodes, each by its first failing check:")?;
        for b in &why.buckets {
            out.line(&format!("  {:>5}  {}", b.count, b.text))?;
        }
    }
    if !why.matrix.rows.is_empty() {
        let heads: Vec<&str> = why.matrix.checks.iter().map(|c| c.title.as_str()).collect();
        out.line(&format!("\nnode by check ({}):", heads.join(" | ")))?;
        for row in &why.matrix.rows {
            let cells: Vec<String> = row
                .cells
                .iter()
                .map(|c| match (c.passes, c.first) {
                    (true, _) => "ok".to_string(),
                    (false, true) => format!("[{}]", c.text),
                    (false, false) => c.text.clone(),
                })
                .collect();
            let more = if row.alike.is_empty() { String::new() } else { format!(" + {}", row.alike.len()) };
            out.line(&format!("  {:<12} {}", format!("{}{more}", row.node), cells.join(" | ")))?;
        }
    }
    for order in std::iter::once(&why.taken).filter(|taken| !taken.rows.is_empty()).chain(&why.orders) {
        out.line(&format!("\n{} by {}:", order.title, order.keys.join(", ")))?;
        for (name, values) in &order.rows {
            let told: Vec<&str> = values.iter().map(String::as_str).filter(|value| !value.is_empty()).collect();
            out.line(&format!("  {name}: {}", told.join(", ")))?;
        }
    }
    for fact in &why.facts {
        out.line(&format!("{}: {}", fact.name, plain(&fact.value)))?;
        for step in &fact.formula {
            out.line(&format!("         {}", plain(step)))?;
        }
    }
    for set in &why.blocking {
        out.line(&format!("enough to lift: {set}"))?;
    }
    for help in &why.help {
        let verb = if help.helps { "would help" } else { "would not help" };
        out.line(&format!("{verb}: {}: {}", help.change, plain(&help.effect)))?;
    }
    for (text, nodes) in &why.yarn {
        let on = if *nodes > 1 { format!(" (on {nodes} nodes)") } else { String::new() };
        out.line(&format!("YARN says: {text}{on}"))?;
    }
    Ok(())
}
