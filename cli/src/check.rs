//! `heddle check`.

use crate::input::{Input, ProblemRow};
use crate::output::{EarlyEnd, Output, warn};
use crate::run::clock;
use heddle_core::model::Severity;
use heddle_core::scenario::link::{View, write};
use heddle_player::{Verdict, odd_worlds};
use serde::Serialize;
use std::path::PathBuf;

#[derive(Serialize, Default)]
struct FileReport {
    file: String,
    title: String,
    passed: usize,
    failed: usize,
    fingerprint: String,
    /// The number of problems in the settings of its worlds.
    worlds_wrong: usize,
    /// The reason why it cannot be played.
    error: Option<String>,
    problems: Vec<ProblemRow>,
    verdicts: Vec<VerdictRow>,
}

#[derive(Serialize)]
struct VerdictRow {
    line: usize,
    #[serde(flatten)]
    verdict: Verdict,
    link: Option<String>,
}

pub fn check(out: &mut Output, files: &[PathBuf], json: bool, base: &str) -> Result<u8, EarlyEnd> {
    let mut reports = Vec::new();
    let (mut failed, mut wrong, mut unreadable) = (0, 0, 0);
    for file in files {
        match one(file, base) {
            Ok(report) => {
                failed += report.failed;
                wrong += report.worlds_wrong;
                if !json {
                    tell(out, &report)?;
                }
                reports.push(report);
            }
            Err(EarlyEnd::PipeClosed) => return Err(EarlyEnd::PipeClosed),
            Err(stop) => {
                unreadable += 1;
                let (words, problems) = match stop {
                    EarlyEnd::Wrong(words, problems) => (words, problems),
                    EarlyEnd::Told(words) => (words, Vec::new()),
                    EarlyEnd::PipeClosed => continue,
                };
                let words = words.trim_end().to_string();
                warn(&words);
                let file = file.display().to_string();
                reports.push(FileReport { file, error: Some(words), problems, ..FileReport::default() });
            }
        }
    }
    if json {
        out.json(&reports)?;
    } else if files.len() > 1 {
        let passed: usize = reports.iter().map(|r| r.passed).sum();
        out.line(&format!("{} files: {passed} expectations hold, {failed} do not", files.len()))?;
    }
    Ok(if unreadable > 0 { 2 } else { u8::from(failed + wrong > 0) })
}

fn one(file: &std::path::Path, base: &str) -> Result<FileReport, EarlyEnd> {
    let input = Input::read_scenario(file)?;
    let (mut player, mut problems) = input.player()?;
    let worlds = odd_worlds(player.scenario(), &input.text);
    let worlds_wrong = worlds.iter().filter(|p| p.severity > Severity::Note).count();
    for problem in &worlds {
        warn(&input.shown(problem));
    }
    problems.extend(input.rows(&worlds));
    let verdicts = player.verdicts();
    player.run_to_end();
    let mut lines = Vec::with_capacity(verdicts.len());
    for verdict in verdicts {
        let span = player.scenario().expectations.get(verdict.expectation).map(|e| e.span);
        let link = if verdict.passed {
            None
        } else {
            let view = View {
                time_ms: Some(verdict.at_ms),
                select: verdict.about.as_ref().map(ToString::to_string),
                caption: Some(verdict.told()),
                ..View::default()
            };
            write(&input.text, &view, None).ok().map(|fragment| format!("{base}{fragment}"))
        };
        lines.push(VerdictRow { line: span.map_or(1, |s| input.line(s)), verdict, link });
    }
    let failed = lines.iter().filter(|l| !l.verdict.passed).count();
    Ok(FileReport {
        file: input.name,
        title: player.scenario().title.clone(),
        passed: lines.len() - failed,
        failed,
        fingerprint: format!("{:016x}", player.fingerprint()),
        worlds_wrong,
        error: None,
        problems,
        verdicts: lines,
    })
}

fn tell(out: &mut Output, report: &FileReport) -> Result<(), EarlyEnd> {
    for line in report.verdicts.iter().filter(|l| !l.verdict.passed) {
        let v = &line.verdict;
        out.line(&format!("{}:{}: failed at {}: {}", report.file, line.line, clock(v.at_ms), v.told()))?;
        if let Some(link) = &line.link {
            out.line(&format!("  {link}"))?;
        }
    }
    match report.worlds_wrong {
        0 => {}
        1 => out.line(&format!("{}: 1 setting of its worlds is wrong", report.file))?,
        n => out.line(&format!("{}: {n} settings of its worlds are wrong", report.file))?,
    }
    let all = report.passed + report.failed;
    out.line(&match all {
        0 => format!("{}: expects nothing", report.file),
        _ => format!("{}: {} of {all} expectations hold", report.file, report.passed),
    })
}
