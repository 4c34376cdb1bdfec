//! `heddle link` and `heddle open`.

use crate::input::Input;
use crate::output::{EarlyEnd, Output, warn};
use crate::run::clock;
use crate::why::{known, moment};
use heddle_core::model::Millis;
use heddle_core::scenario::Scenario;
use heddle_core::scenario::anonymise::{Anonymised, anonymise};
use heddle_core::scenario::link::{self, Proof, View};
use heddle_player::explain::view::Selection;
use heddle_player::{Player, Proved};
use heddle_view::secrets;
use std::path::Path;

/// The contents of a link.
pub struct LinkContents {
    pub at: Option<Millis>,
    pub what: Option<Selection>,
    /// Whether to include the fingerprint of the run.
    pub prove: bool,
    /// Whether to replace the scenario's names.
    pub anonymise: bool,
}

pub fn link(out: &mut Output, file: &Path, wanted: &LinkContents, base: &str) -> Result<u8, EarlyEnd> {
    let LinkContents { at, prove, anonymise, .. } = *wanted;
    let mut input = Input::read_scenario(file)?;
    let mut what = wanted.what.clone();
    if anonymise {
        let without = without_names(&input)?;
        what = what.map(|what| without.selection(&what.to_string()).parse().unwrap_or(what));
        input = Input::of(input.name, without.text);
    }
    // A link to an invalid scenario, or to nothing in it, would be useless.
    let (mut proof, mut marks) = (None, Vec::new());
    let within = |scenario: &Scenario| at.map(|at| moment(scenario, &input, at));
    let at = if prove || what.is_some() {
        let (mut player, _) = input.player()?;
        let at = within(player.scenario());
        if let Some(what) = &what {
            player.seek(at.unwrap_or(player.scenario().start_at));
            known(&player, &input, what)?;
        }
        if prove {
            player.run_to_end();
            proof = Some(Proof { core: env!("CARGO_PKG_VERSION").into(), fingerprint: player.fingerprint() });
            marks = player.marks();
        }
        at
    } else {
        within(&input.scenario()?)
    };
    let view = View { time_ms: at, select: what.map(|w| w.to_string()), marks, ..View::default() };
    let fragment = link::write(&input.text, &view, proof.as_ref()).map_err(|p| EarlyEnd::Told(input.shown(&p)))?;
    out.line(&format!("{base}{fragment}"))?;
    let length = base.len() + fragment.len();
    if length > 8_000 {
        warn(&format!("The link has {length} characters; over 8000, a file is safer."));
    }
    Ok(0)
}

/// Returns an anonymised scenario, and reports what is not kept.
pub fn without_names(input: &Input) -> Result<Anonymised, EarlyEnd> {
    let without = anonymise(&input.text).map_err(|problems| {
        let errors: Vec<String> = problems.iter().map(|p| input.shown(p)).collect();
        EarlyEnd::Told(errors.join("\n"))
    })?;
    without.remarks.iter().for_each(|remark| warn(remark));
    Ok(without)
}

pub fn open(out: &mut Output, link: &str) -> Result<u8, EarlyEnd> {
    let link = if link == "-" { Input::read(Path::new("-"))?.text } else { link.to_string() };
    let opened = link::open(&link);
    if let Some(text) = &opened.text {
        out.text(&secrets::masked(text))?;
    }
    for problem in &opened.problems {
        warn(&problem.to_string());
    }
    if let Some(caption) = &opened.view.caption {
        let at = opened.view.time_ms.map_or(String::new(), |at| format!(", at {}", clock(at)));
        warn(&format!("The link says{at}: {caption}"));
    }
    if !opened.is_whole() {
        return Ok(2);
    }
    let proved = opened.proof.as_ref().zip(opened.text.as_deref()).and_then(|(proof, text)| {
        let mut player = Player::load(text).player?;
        player.run_to_end();
        let proved = player.proved(proof, &opened.view.marks);
        warn(&proved.said(proof));
        Some(proved)
    });
    Ok(u8::from(matches!(proved, Some(Proved::Differs(..)))))
}
