//! Figures derived from others, and facts that the wording of a text reveals.

use super::build::Scene;
use super::figure::{Figure, Figures};
use super::row::{LinePattern, LineTopic, Words};
use super::template;

/// Adds the figures that follow from those that were read.
pub fn add(row: &LinePattern, text: &str, figures: &mut Figures) {
    if matches!(row.scene, Scene::NoNodes) {
        figures.put("cluster", size(0, 0));
    }
    if let (Some(used), Some(free)) = (figures.pair("used"), figures.pair("free"))
        && figures.has("containers")
    {
        figures.put("node_size", size(used.0.saturating_add(free.0), used.1.saturating_add(free.1)));
    }
    if matches!(row.scene, Scene::QueueUse)
        && let (Some(used), Some(share)) =
            (figures.pair("used"), figures.real("absolute_used").or(figures.real("used_capacity")))
        && share > 0.0
    {
        figures.put("cluster_mb", Figure::Number((used.0 as f64 / share).round() as i64));
    }
    if let Some(gb) = figures.real("container_gb") {
        figures.put("container_mb", Figure::Number((gb * 1024.0).round() as i64));
    }
    if matches!(row.scene, Scene::Metrics) {
        let found = |name: &str| {
            let (found, ..) = template::find(text, &format!("\"{name}\": {{n:n}}"))?;
            found.number("n")
        };
        for (name, mb, vcores) in [
            ("total", "totalMB", "totalVirtualCores"),
            ("free", "availableMB", "availableVirtualCores"),
            ("used", "allocatedMB", "allocatedVirtualCores"),
            ("pending", "pendingMB", "pendingVirtualCores"),
            ("reserved", "reservedMB", "reservedVirtualCores"),
        ] {
            if let (Some(mb), Some(vcores)) = (found(mb), found(vcores)) {
                figures.put(name, size(mb, vcores));
            }
        }
    }
    if let Some(app) = id(text, "application_", 2) {
        figures.put("app", Figure::Text(app));
    } else if let Some(attempt) = id(text, "appattempt_", 3) {
        let app = attempt.rsplit_once('_').map_or("", |(app, _)| app);
        figures.put("app", Figure::Text(app.replacen("appattempt_", "application_", 1)));
    } else if let Some(job) = id(text, "job_", 2) {
        figures.put("app", Figure::Text(job.replacen("job_", "application_", 1)));
    }
}

fn size(mb: i64, vcores: i64) -> Figure {
    Figure::Size(vec![("memory-mb".to_string(), mb), ("vcores".to_string(), vcores)])
}

/// Returns the first id with that many numbers in a text.
fn id(text: &str, prefix: &str, numbers: usize) -> Option<String> {
    let mut rest = text;
    while let Some((_, after)) = rest.split_once(prefix) {
        let end = after.find(|c: char| !(c.is_ascii_digit() || c == '_')).unwrap_or(after.len());
        let found = after.get(..end).unwrap_or_default().trim_end_matches('_');
        let parts: Vec<&str> = found.split('_').collect();
        if parts.len() >= numbers && parts.iter().take(numbers).all(|part| !part.is_empty()) {
            return Some(format!("{prefix}{}", parts[..numbers].join("_")));
        }
        rest = after;
    }
    None
}

/// Returns the origin of a text's wording: missing parts reveal an older release.
pub fn words(row: &LinePattern, text: &str, figures: &Figures) -> Words {
    // 3.5.0 repeats the beginning of this one.
    if matches!(row.scene, Scene::UnknownQueue) && row.id == "D24" {
        return match figures.text("user").and_then(|user| template::find(text, &format!("by user {user}Application"))) {
            Some(_) => Words::Same,
            None => row.words,
        };
    }
    // Absolute resources came with 3.1.
    let active = matches!(row.kind, LineTopic::Master) && figures.has("queue_capacity") && !figures.has("queue_size");
    if active && matches!(row.words, Words::Same) { Words::Older } else { row.words }
}

/// Returns the sentence of a row, with the figures in place of their names in braces.
pub fn sentence(row: &LinePattern, figures: &Figures) -> String {
    let is_failed = row.id == "D36" && matches!(row.scene, Scene::None) && row.with.is_empty();
    if let (true, Some(exit)) = (is_failed, figures.number("exit")) {
        return match figures.number("attempts") {
            Some(1) => format!("The AM ran once and failed with code {exit}; look into its log."),
            Some(2) => format!("The AM ran twice and failed with code {exit}; look into its log."),
            Some(n) => format!("The AM ran {n} times and failed with code {exit}; look into its log."),
            None => format!("The AM failed with code {exit}; look into its log."),
        };
    }
    let mut out = String::new();
    let mut rest = row.say;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((name, after)) = after.split_once('}') else { break };
        out.push_str(before);
        match figures.0.get(name) {
            Some(Figure::Text(text)) => out.push_str(text),
            Some(figure) => out.push_str(&figure.json().to_string()),
            None => out.push('?'),
        }
        rest = after;
    }
    out + rest
}
