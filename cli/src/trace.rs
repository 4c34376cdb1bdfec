//! `heddle trace`.

use crate::input::Input;
use crate::output::{EarlyEnd, Output};
use heddle_tests::prove;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;

pub fn trace(out: &mut Output, file: &Path) -> Result<u8, EarlyEnd> {
    let input = Input::read_scenario(file)?;
    let (trace, _) = of(&input, file)?;
    out.line(&trace.to_string())?;
    Ok(0)
}

/// Returns the trace of a scenario, and the fingerprint of its run. Errors: the scenario cannot be read, or its settings
/// are refused.
pub fn of(input: &Input, file: &Path) -> Result<(Value, u64), EarlyEnd> {
    let scenario = input.scenario()?;
    let id = file.file_stem().map_or("-".into(), |stem| stem.to_string_lossy());
    input.patiently(|| prove::trace_with_fingerprint(&id, &Arc::new(scenario))).map_err(|refusal| {
        EarlyEnd::Told(format!("{}: the ResourceManager refuses the settings: {}", input.name, refusal.message))
    })
}
