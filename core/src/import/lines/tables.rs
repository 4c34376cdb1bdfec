//! Tables of YARN's command line, and times and totals of pages, which templates cannot describe.

use super::figure::{Figure, Figures};
use serde_json::{Map, Value, json};

/// The maximum number of rows read from a table.
const MOST: usize = 2_000;

/// Reads the tables of a decoded text into its figures.
pub fn read(text: &str, figures: &mut Figures) {
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let heads = cells(line);
        let has = |name: &str| heads.contains(&name);
        let rows = || lines.clone().map(cells).take_while(|row| !row.is_empty() && row.len() > 1).take(MOST);
        if has("Application-Id") && has("State") {
            let apps = rows().filter(|row| row[0].starts_with("application_")).map(|row| app(&heads, &row)).collect();
            figures.put("apps", Figure::Data(Value::Array(apps)));
        } else if has("Container-Id") && has("Host") {
            let found: Vec<Value> =
                rows().filter(|row| row[0].starts_with("container_")).map(|row| container(&heads, &row)).collect();
            if let Some(first) = found.first() {
                figures.put("first", Figure::Data(first.clone()));
            }
            figures.put("rows", Figure::Number(found.len() as i64));
        } else if has("Node-Id") && has("Node-State") {
            let rows: Vec<Vec<&str>> = rows().filter(|row| row[0].contains(':')).collect();
            let running = rows.iter().filter_map(|row| row.last()?.parse::<i64>().ok()).fold(0, i64::saturating_add);
            figures.put("running", Figure::Number(running));
            let hosts = rows.iter().map(|row| json!({"node": row[0], "state": row.get(1)})).collect();
            figures.put("hosts", Figure::Data(Value::Array(hosts)));
            figures.put("nodes", Figure::Number(rows.len() as i64));
        } else if has("Queue Name") && has("Queue Path") {
            let queues = rows().map(|row| queue(&heads, &row)).collect();
            figures.put("queues", Figure::Data(Value::Array(queues)));
        }
    }
    if let Some(found) = after(text, "Total number of containers") {
        figures.put("containers", Figure::Number(found));
    }
    if let Some(waited) = text.split_once("Elapsed:").and_then(|(_, rest)| elapsed(rest)) {
        figures.put("waited_s", Figure::Number(waited));
    }
}

/// Returns the number after some words and a colon.
fn after(text: &str, words: &str) -> Option<i64> {
    let (_, rest) = text.split_once(words)?;
    let rest = rest.trim_start().strip_prefix(':')?.trim_start();
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest.get(..end)?.parse().ok()
}

/// Splits a row into cells: at tabs if it has any between words, else at runs of two blanks, else at blanks.
pub fn cells(line: &str) -> Vec<&str> {
    let line = line.trim();
    // One-word column heads and rows of nodes have no blanks in a cell.
    let plain =
        line.starts_with("Node-Id") || line.starts_with("Application-Id") || line.starts_with("ApplicationAttempt-Id");
    let node =
        line.split_whitespace().next().is_some_and(|first| first.contains(':')) && line.split_whitespace().count() == 4;
    if plain || node {
        return line.split_whitespace().collect();
    }
    let all: Vec<&str> = if line.contains('\t') {
        line.split('\t').map(str::trim).filter(|cell| !cell.is_empty()).collect()
    } else {
        line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect()
    };
    // The row was squeezed: column names have hyphens, and cells of ids have no blanks.
    match all.as_slice() {
        [one]
            if one.contains(' ')
                && (one.contains("-Id ")
                    || one.starts_with("application_")
                    || one.starts_with("container_")
                    || one.contains(':')) =>
        {
            one.split(' ').collect()
        }
        _ => all,
    }
}

/// Returns the cell of a row in the column `name`.
pub fn cell<'r>(heads: &[&str], row: &[&'r str], name: &str) -> Option<&'r str> {
    let place = heads.iter().position(|head| *head == name)?;
    // In a squeezed row, a name with blanks shifts the cells after it, so columns count from the end.
    let place = if row.len() > heads.len() && place > 1 { place + row.len() - heads.len() } else { place };
    row.get(place).copied()
}

fn app(heads: &[&str], row: &[&str]) -> Value {
    let mut out = Map::new();
    for (key, head) in [("id", "Application-Id"), ("queue", "Queue"), ("state", "State"), ("user", "User")] {
        if let Some(value) = cell(heads, row, head) {
            out.insert(key.into(), json!(value));
        }
    }
    Value::Object(out)
}

fn container(heads: &[&str], row: &[&str]) -> Value {
    let mut out = Map::new();
    for (key, head) in [("node", "Host"), ("state", "State")] {
        if let Some(value) = cell(heads, row, head) {
            out.insert(key.into(), json!(value));
        }
    }
    Value::Object(out)
}

fn queue(heads: &[&str], row: &[&str]) -> Value {
    let percent = |name: &str| cell(heads, row, name).and_then(|text| text.trim_end_matches('%').parse::<f64>().ok());
    let mut out = Map::new();
    if let Some(path) = cell(heads, row, "Queue Path") {
        out.insert("path".into(), json!(path));
    }
    for (key, head) in [("capacity", "Capacity"), ("used", "Current Capacity"), ("max", "Maximum Capacity")] {
        if let Some(value) = percent(head) {
            out.insert(key.into(), json!(value));
        }
    }
    if let Some(most) = cell(heads, row, "Maximum Parallel Apps").and_then(|text| text.parse::<i64>().ok()) {
        out.insert("max_parallel".into(), json!(most));
    }
    Value::Object(out)
}

/// Returns the seconds of `2hrs, 3mins, 55sec`.
fn elapsed(text: &str) -> Option<i64> {
    let mut sum: Option<i64> = None;
    for part in text.trim_start().lines().next().unwrap_or_default().split(',').take(4) {
        let part = part.trim();
        let end = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        let Ok(n) = part.get(..end).unwrap_or_default().parse::<i64>() else { break };
        let unit = part.get(end..).unwrap_or_default().trim_start();
        let seconds = match unit.chars().next() {
            Some('d') => 86_400,
            Some('h') => 3600,
            Some('m') => 60,
            Some('s') => 1,
            _ => break,
        };
        sum = Some(sum.unwrap_or(0).saturating_add(n.saturating_mul(seconds)));
    }
    sum
}
