//! A pattern of lines.

use super::build::Scene;

/// The part of YARN's life that a line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineTopic {
    /// A waiting ApplicationMaster.
    Master,
    /// A refused submission.
    Submission,
    /// A refused request.
    Ask,
    /// The end of a container, an attempt or an application.
    Ending,
    /// A row of the scheduler's activities.
    Activity,
    /// A line of the ResourceManager's or a NodeManager's log.
    Log,
    /// A message of a client program or an ApplicationMaster.
    Client,
    /// A table or page of YARN's own programs.
    Shown,
    /// Something that Heddle does not play.
    Elsewhere,
}

/// Whether Heddle can play the contents of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ours {
    Yes,
    /// It shows the contents of the line, and asks for what is missing.
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

/// The origin of a line's wording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// YARN 3.5.0.
    Same,
    /// An older release.
    Older,
    /// A client program or an ApplicationMaster.
    Client,
    /// A vendor's YARN.
    Vendor,
    /// A program that Heddle does not play.
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

/// A pattern: how a line is recognised, what is read from it, and what is built from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinePattern {
    /// The id: D… for diagnostics and L… for logs, numbered as in the notes on formats; X… for lines missing there.
    pub id: &'static str,
    /// Further patterns whose words occur in the same line.
    pub with: &'static [&'static str],
    pub kind: LineTopic,
    /// A description in a few words.
    pub what: &'static str,
    /// The words that identify it, as a template with named holes.
    pub template: &'static str,
    /// Further words that must occur in the text.
    pub also: &'static [&'static str],
    /// Templates of further figures, each of them optional.
    pub figures: &'static [&'static str],
    pub ours: Ours,
    pub words: Words,
    /// The text that WHY must contain.
    pub why: &'static str,
    /// A sentence about what Heddle does not play, or not completely.
    pub say: &'static str,
    pub scene: Scene,
}

impl LinePattern {
    pub const fn new(
        id: &'static str,
        kind: LineTopic,
        what: &'static str,
        template: &'static str,
        scene: Scene,
    ) -> LinePattern {
        LinePattern {
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

    /// Creates a row for something that Heddle does not play.
    pub const fn elsewhere(what: &'static str, template: &'static str, say: &'static str) -> LinePattern {
        LinePattern {
            ours: Ours::No,
            words: Words::Nobody,
            say,
            ..LinePattern::new("X", LineTopic::Elsewhere, what, template, Scene::None)
        }
    }

    pub const fn with(self, with: &'static [&'static str]) -> LinePattern {
        LinePattern { with, ..self }
    }

    pub const fn also(self, also: &'static [&'static str]) -> LinePattern {
        LinePattern { also, ..self }
    }

    pub const fn figures(self, figures: &'static [&'static str]) -> LinePattern {
        LinePattern { figures, ..self }
    }

    pub const fn words(self, words: Words) -> LinePattern {
        LinePattern { words, ..self }
    }

    pub const fn partly(self, say: &'static str) -> LinePattern {
        LinePattern { ours: Ours::Partly, say, ..self }
    }

    pub const fn no(self, say: &'static str) -> LinePattern {
        LinePattern { ours: Ours::No, say, ..self }
    }

    pub const fn why(self, why: &'static str) -> LinePattern {
        LinePattern { why, ..self }
    }

    /// Returns the identifying words, with dots for the variable parts.
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

    pub const fn id(self, id: &'static str) -> LinePattern {
        LinePattern { id, ..self }
    }
}
