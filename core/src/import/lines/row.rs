//! One pattern of lines.

use super::build::Scene;

/// The part of YARN's life that a line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An ApplicationMaster that waits.
    Master,
    /// A submission that is refused.
    Submission,
    /// A request that is refused.
    Ask,
    /// How a container, an attempt or an application ended.
    Ending,
    /// A row of the scheduler's activities.
    Activity,
    /// A line of the ResourceManager's or a NodeManager's log.
    Log,
    /// What a client program or an ApplicationMaster says.
    Client,
    /// A table or page of YARN's own programs.
    Shown,
    /// Nothing that Heddle plays.
    Elsewhere,
}

/// Whether Heddle can play what a line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ours {
    Yes,
    /// It shows what is in the line and asks for what is missing.
    Partly,
    No,
}

impl Ours {
    pub fn text(self) -> &'static str {
        match self {
            Ours::Yes => "yes",
            Ours::Partly => "partly",
            Ours::No => "no",
        }
    }
}

/// Whose words a line has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// Those of YARN 3.5.0.
    Same,
    /// Those of an older release.
    Older,
    /// Those of a client program or an ApplicationMaster.
    Client,
    /// Those of a vendor's YARN.
    Vendor,
    /// Nobody's whom Heddle plays.
    Nobody,
}

impl Words {
    pub fn text(self) -> &'static str {
        match self {
            Words::Same => "same",
            Words::Older => "older",
            Words::Client => "client",
            Words::Vendor => "vendor",
            Words::Nobody => "-",
        }
    }
}

/// A pattern: by what a line is known, what is read from it, and what is built of it.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// D… of diagnostics, L… of logs, as the notes on formats number them; X… of lines that these lack.
    pub id: &'static str,
    /// Further patterns whose words are in the same line.
    pub with: &'static [&'static str],
    pub kind: Kind,
    /// What it is, in a few words.
    pub what: &'static str,
    /// The words by which it is known, as a template with named holes.
    pub template: &'static str,
    /// Words that have to be in the text as well.
    pub also: &'static [&'static str],
    /// Templates of further figures, each of which may be missing.
    pub figures: &'static [&'static str],
    pub ours: Ours,
    pub words: Words,
    /// What WHY has to name.
    pub why: &'static str,
    /// One sentence about what is not ours, or not all ours.
    pub say: &'static str,
    pub scene: Scene,
}

impl Row {
    pub const fn new(id: &'static str, kind: Kind, what: &'static str, template: &'static str, scene: Scene) -> Row {
        Row {
            id,
            with: &[],
            kind,
            what,
            template,
            also: &[],
            figures: &[],
            ours: Ours::Yes,
            words: Words::Same,
            why: "",
            say: "",
            scene,
        }
    }

    /// A row of something that Heddle does not play.
    pub const fn elsewhere(what: &'static str, template: &'static str, say: &'static str) -> Row {
        Row { ours: Ours::No, words: Words::Nobody, say, ..Row::new("X", Kind::Elsewhere, what, template, Scene::None) }
    }

    pub const fn with(self, with: &'static [&'static str]) -> Row {
        Row { with, ..self }
    }

    pub const fn also(self, also: &'static [&'static str]) -> Row {
        Row { also, ..self }
    }

    pub const fn figures(self, figures: &'static [&'static str]) -> Row {
        Row { figures, ..self }
    }

    pub const fn words(self, words: Words) -> Row {
        Row { words, ..self }
    }

    pub const fn partly(self, say: &'static str) -> Row {
        Row { ours: Ours::Partly, say, ..self }
    }

    pub const fn no(self, say: &'static str) -> Row {
        Row { ours: Ours::No, say, ..self }
    }

    pub const fn why(self, why: &'static str) -> Row {
        Row { why, ..self }
    }

    /// The words by which it is known, with what varies as dots.
    pub fn shown(&self) -> String {
        let mut out = String::new();
        let mut rest = self.template;
        while let Some((before, after)) = rest.split_once('{') {
            out.push_str(before);
            out.push('\u{2026}');
            rest = after.split_once('}').map_or("", |(_, after)| after);
        }
        out + rest
    }

    pub const fn id(self, id: &'static str) -> Row {
        Row { id, ..self }
    }
}
