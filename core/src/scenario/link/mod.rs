//! Links: `#1.SCENARIO.VIEW`, all in characters that survive everywhere.
//!
//! `1` is the format. SCENARIO is base64url of: flags, the packed length, the text's length, a checksum, perhaps a proof
//! (the core's version, and the fingerprint of its run), and the text, deflated with a frozen dictionary. VIEW is base64url
//! of the view. The format is frozen: existing links must open for ever (`tests/golden-links.txt`), so a change of
//! dictionary or layout is a new format beside this one.

mod base64;
mod pack;
mod view;

use super::read::read;
use crate::model::{Fold, Problem, Span, limits};
use serde::{Deserialize, Serialize};
use toml_edit::Document;
use view::{put_number, take_number};

pub use heddle_view::RunMark;
pub use view::{COMPARE_MAX, View};

/// The format that is written.
const FORMAT: u64 = 1;
/// The dictionary of format 1. Never change it.
const DICTIONARY: &str = include_str!("dictionary-1.txt");
/// The name of the input in problems.
const SOURCE: &str = "link";
/// Flag: a proof follows the checksum. No other flag exists.
const PROOF: u64 = 1;

/// The core that made a link, and the fingerprint of its run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    /// The version of the core.
    pub core: String,
    /// The fingerprint of the whole run.
    pub fingerprint: u64,
}

/// The contents of a link.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Opened {
    /// The scenario's text: all of it, or, for a damaged link, the beginning that parses by itself. `None`: nothing.
    pub text: Option<String>,
    /// The view of the page.
    pub view: View,
    /// The core that made the link.
    pub proof: Option<Proof>,
    /// The link's problems.
    pub problems: Vec<Problem>,
}

impl Opened {
    /// Returns whether the text is exactly what was put in.
    pub fn is_whole(&self) -> bool {
        self.text.is_some() && self.problems.is_empty()
    }

    fn nothing(problem: Problem) -> Self {
        Opened { problems: vec![problem], ..Opened::default() }
    }
}

/// Returns the fragment of a link, `#` included; secrets are masked. Errors: the scenario is too long for a link.
pub fn write(text: &str, view: &View, proof: Option<&Proof>) -> Result<String, Box<Problem>> {
    let text = &heddle_view::secrets::masked(text);
    let packed = pack::pack(DICTIONARY.as_bytes(), text.as_bytes());
    let mut bytes = Vec::with_capacity(packed.len() + 32);
    put_number(&mut bytes, if proof.is_some() { PROOF } else { 0 });
    put_number(&mut bytes, packed.len() as u64);
    put_number(&mut bytes, text.len() as u64);
    bytes.extend_from_slice(&checksum(text, packed.len(), proof).to_le_bytes());
    if let Some(proof) = proof {
        put_number(&mut bytes, proof.core.len() as u64);
        bytes.extend_from_slice(proof.core.as_bytes());
        bytes.extend_from_slice(&proof.fingerprint.to_le_bytes());
    }
    bytes.extend_from_slice(&packed);
    let mut out = format!("#{FORMAT}.{}", base64::encode(&bytes));
    let view = view::to_bytes(view);
    if !view.is_empty() {
        out.push('.');
        out.push_str(&base64::encode(&view));
    }
    if out.len() > limits::LINK_BYTES {
        let what =
            format!("The link would have {} kB; links go up to {} kB.", out.len() >> 10, limits::LINK_BYTES >> 10);
        return Err(Box::new(Problem::error(SOURCE, None, what).mend("Save the scenario as a file and share that.")));
    }
    Ok(out)
}

/// Opens a link: a whole address, or its fragment with or without `#`. Never panics; returns what can be read of a damaged
/// link.
pub fn open(link: &str) -> Opened {
    // Redirects of mail and chat programs encode the # of the address and append parameters.
    let redirected = || link.rsplit_once("%23").map(|(_, f)| f.split('&').next().unwrap_or(f));
    let fragment = link.rsplit_once('#').map(|(_, f)| f).or_else(redirected).unwrap_or(link);
    if fragment.len() > limits::LINK_BYTES * 3 {
        let what = format!("The link has {} kB; links go up to {} kB.", fragment.len() >> 10, limits::LINK_BYTES >> 10);
        return Opened::nothing(Problem::error(SOURCE, None, what).mend("Ask for the scenario as a file."));
    }
    // Mail folds lines, wrappers encode once more, and sentences append a full stop.
    let fragment: String = unescape(fragment).chars().filter(|c| !c.is_whitespace()).collect();
    let fragment = fragment.trim_end_matches(|c: char| !c.is_ascii_alphanumeric() && !['-', '_', '='].contains(&c));
    if fragment.is_empty() {
        let what = "The link arrived without its scenario: nothing stands behind the #.";
        let mend = "Some mail and chat programs cut it off; ask for it as plain text or as a file.";
        return Opened::nothing(Problem::error(SOURCE, None, what).mend(mend));
    }
    if fragment.len() > limits::LINK_BYTES {
        let what = format!("The link has {} kB; links go up to {} kB.", fragment.len() >> 10, limits::LINK_BYTES >> 10);
        return Opened::nothing(Problem::error(SOURCE, None, what).mend("Ask for the scenario as a file."));
    }
    let mut parts = fragment.split('.');
    match parts.next().unwrap_or("").parse::<u64>() {
        Ok(FORMAT) => {}
        Ok(newer) if newer > FORMAT => {
            let what = format!("This link has format {newer}; here formats up to {FORMAT} are known.");
            return Opened::nothing(Problem::error(SOURCE, None, what).mend("Open it with a newer Heddle."));
        }
        _ => {
            let what = "This is not a link to a scenario: it does not begin with a format number.";
            return Opened::nothing(Problem::error(SOURCE, Span::new(0, 1), what).mend("Copy the whole link again."));
        }
    }
    let scenario = parts.next().unwrap_or("");
    let mut opened = open_scenario(scenario, fragment.len() - scenario.len());
    if let Some(view) = parts.next() {
        opened.view = view::from_bytes(&base64::decode(view).0);
    }
    opened
}

/// Opens the scenario's part; `beside` is the number of the link's characters outside it.
fn open_scenario(chars: &str, beside: usize) -> Opened {
    let (bytes, read_chars) = base64::decode(chars);
    let mut rest = bytes.as_slice();
    let header = header(&mut rest);
    let Some(header) = header else {
        let what = "The link ends before its scenario begins.".to_string();
        return Opened::nothing(Problem::error(SOURCE, None, what).mend("Ask for the link again, or for a file."));
    };
    if header.text > limits::LINK_BYTES_UNPACKED {
        let (has, most) = (header.text >> 20, limits::LINK_BYTES_UNPACKED >> 20);
        let what = format!("The link says that its scenario has {has} MB; up to {most} MB can be read.");
        return Opened::nothing(Problem::error(SOURCE, None, what).mend("Ask for the scenario as a file."));
    }
    let packed = rest.get(..header.packed).unwrap_or(rest);
    let (text, ended) = pack::unpack(DICTIONARY.as_bytes(), packed, header.text);
    let whole_chars = ((bytes.len() - rest.len() + header.packed) * 8).div_ceil(6);
    let text = String::from_utf8(text).unwrap_or_else(|e| {
        let good = e.utf8_error().valid_up_to();
        String::from_utf8_lossy(&e.as_bytes()[..good]).into_owned()
    });
    if ended
        && header.packed == rest.len()
        && text.len() == header.text
        && checksum(&text, packed.len(), header.proof.as_ref()) == header.checksum
        && read_chars == chars.len()
    {
        return Opened { text: Some(text), proof: header.proof, ..Opened::default() };
    }
    // The link is damaged: says how, and keeps the beginning that parses.
    let kept = salvage(&text);
    let all = whole_chars + beside;
    let mut what = if read_chars < chars.len() {
        format!("Character {} of the link does not belong there; {all} were expected.", beside + read_chars + 1)
    } else if chars.len() < whole_chars {
        format!("The link ends after {} of {all} characters.", chars.len() + beside)
    } else {
        format!("The link was changed on its way: its {all} characters do not fit their checksum.")
    };
    let found = if kept.trim().is_empty() { None } else { Some(contents(&kept)) };
    match &found {
        Some(found) => what.push_str(&format!(" {found} could be read; what came after is missing.")),
        None => what.push_str(" Nothing of the scenario could be read."),
    }
    let problem = Problem::error(SOURCE, None, what).mend("Open what is there, or ask for the link again.");
    Opened { text: found.map(|_| kept), problems: vec![problem], ..Opened::default() }
}

struct Header {
    packed: usize,
    text: usize,
    checksum: u32,
    proof: Option<Proof>,
}

fn header(rest: &mut &[u8]) -> Option<Header> {
    let flags = take_number(rest).filter(|f| *f <= PROOF)?;
    let packed = usize::try_from(take_number(rest)?).ok()?;
    let text = usize::try_from(take_number(rest)?).ok()?;
    let checksum = u32::from_le_bytes(take(rest, 4)?.try_into().ok()?);
    let mut proof = None;
    if flags & PROOF != 0 {
        let length = usize::try_from(take_number(rest)?).ok()?;
        let core = String::from_utf8(take(rest, length)?.to_vec()).ok()?;
        let fingerprint = u64::from_le_bytes(take(rest, 8)?.try_into().ok()?);
        proof = Some(Proof { core, fingerprint });
    }
    if packed > limits::LINK_BYTES {
        return None;
    }
    Some(Header { packed, text, checksum, proof })
}

fn take<'b>(bytes: &mut &'b [u8], n: usize) -> Option<&'b [u8]> {
    let taken = bytes.get(..n)?;
    *bytes = &bytes[n..];
    Some(taken)
}

fn checksum(text: &str, packed: usize, proof: Option<&Proof>) -> u32 {
    let mut fold = Fold::default();
    fold.bytes(text.as_bytes());
    fold.word(packed as u64);
    if let Some(proof) = proof {
        fold.bytes(proof.core.as_bytes());
        fold.word(proof.fingerprint);
    }
    let hash = fold.value();
    (hash >> 32) as u32 ^ hash as u32
}

/// Decodes `%XX`, once.
fn unescape(text: &str) -> String {
    if !text.contains('%') {
        return text.to_string();
    }
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        let hex = if bytes[i] == b'%' { text.get(i + 1..i + 3) } else { None };
        match hex.and_then(|h| u8::from_str_radix(h, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                i += 3;
            }
            None => {
                out.push(bytes[i]);
                i += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Returns the longest beginning of a truncated text that parses, cut back to the last complete entry.
fn salvage(text: &str) -> String {
    const TRIES: usize = 64;
    let mut end = text.rfind('\n').map_or(0, |i| i + 1);
    for _ in 0..TRIES {
        // Cuts before the last line that begins a table, since the table itself may be incomplete; failing that, cuts line
        // by line.
        end = match text[..end].rfind("\n[") {
            Some(i) => i + 1,
            None => return lines_that_parse(&text[..end]),
        };
        let kept = &text[..end];
        if Document::parse(kept).is_ok() {
            return kept.to_string();
        }
    }
    String::new()
}

fn lines_that_parse(text: &str) -> String {
    let mut end = text.len();
    for _ in 0..64 {
        if Document::parse(&text[..end]).is_ok() {
            break;
        }
        end = text[..end.saturating_sub(1)].rfind('\n').map_or(0, |i| i + 1);
    }
    text[..end].to_string()
}

/// Summarises a text: "4 nodes and 2 applications".
fn contents(text: &str) -> String {
    let Some(scenario) = read(text).scenario else { return "Its beginning".into() };
    let count = |n: usize, one: &str| format!("{n} {one}{}", if n == 1 { "" } else { "s" });
    format!("{} and {}", count(scenario.nodes.len(), "node"), count(scenario.apps.len(), "application"))
}

#[cfg(test)]
mod tests;
