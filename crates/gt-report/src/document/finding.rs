//! What was found, ranked: the reader begins at the top, and is told where to look next.

/// How much a finding asks of its reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Something is off, or costs much: look here first.
    Look,
    /// Not as good as it could be.
    Fair,
    /// As it should be.
    Good,
    /// A fact, neither good nor bad.
    Note,
}

impl Level {
    /// The word before a finding.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Look => "look here",
            Self::Fair => "fair",
            Self::Good => "good",
            Self::Note => "note",
        }
    }

    /// The sign before a finding, which tells levels apart without colour.
    #[must_use]
    pub const fn sign(self) -> char {
        match self {
            Self::Look => '▲',
            Self::Fair => '■',
            Self::Good => '●',
            Self::Note => '○',
        }
    }

    /// The same where only ASCII can be shown.
    #[must_use]
    pub const fn ascii_sign(self) -> char {
        match self {
            Self::Look => '!',
            Self::Fair => '~',
            Self::Good => '+',
            Self::Note => '-',
        }
    }
}

/// Something that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// How much it asks of its reader.
    pub level: Level,
    /// Among findings of one level the heavier comes first: a share of the nodes, from 0 to 100.
    pub weight: f64,
    /// What was found, in a sentence.
    pub words: String,
    /// What to look at next: the title of a figure of the same report. Empty where there is nothing more.
    pub next: String,
    /// The GTQL query that shows more of it; may be empty.
    pub query: String,
}

impl Finding {
    /// The findings in the order in which they are read.
    #[must_use]
    pub fn ranked(mut findings: Vec<Self>) -> Vec<Self> {
        findings.sort_by(|a, b| a.level.cmp(&b.level).then(b.weight.total_cmp(&a.weight)));
        findings
    }
}

/// A picture: drawn in pages and files, told in lines in a terminal.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// A short name, for the file that holds it.
    pub name: String,
    /// The drawing, as an SVG document.
    pub svg: String,
    /// What it shows.
    pub caption: String,
    /// Lines that say the same where nothing is drawn; may be empty.
    pub lines: String,
    /// How wide it is shown at most, in pixels.
    pub width_max: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_asks_most_comes_first() {
        let finding = |level, weight| Finding {
            level,
            weight,
            words: String::new(),
            next: String::new(),
            query: String::new(),
        };
        let found = [
            finding(Level::Note, 90.0),
            finding(Level::Good, 1.0),
            finding(Level::Look, 5.0),
            finding(Level::Look, 50.0),
            finding(Level::Fair, 70.0),
        ];
        let ranked: Vec<(Level, f64)> =
            Finding::ranked(found.to_vec()).iter().map(|one| (one.level, one.weight)).collect();
        let wanted = [
            (Level::Look, 50.0),
            (Level::Look, 5.0),
            (Level::Fair, 70.0),
            (Level::Good, 1.0),
            (Level::Note, 90.0),
        ];
        assert_eq!(ranked, wanted);
    }
}
