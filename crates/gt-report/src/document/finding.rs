//! Findings, ranked: the reader begins at the top, and each finding points to the next figure to look at.

/// The urgency of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Something is wrong, or costs much: look here first.
    Look,
    /// Not as good as it could be.
    Fair,
    /// As it should be.
    Good,
    /// A fact, neither good nor bad.
    Note,
}

impl Level {
    /// Returns the word before a finding.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Look => "look here",
            Self::Fair => "fair",
            Self::Good => "good",
            Self::Note => "note",
        }
    }

    /// Returns the sign before a finding, which distinguishes levels without colour.
    #[must_use]
    pub const fn sign(self) -> char {
        match self {
            Self::Look => '▲',
            Self::Fair => '■',
            Self::Good => '●',
            Self::Note => '○',
        }
    }

    /// Returns the sign if only ASCII can be shown.
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

/// A finding.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Its urgency.
    pub level: Level,
    /// The weight: of findings with one level the heavier comes first; a share of the nodes, from 0 to 100.
    pub weight: f64,
    /// The finding, in a sentence.
    pub words: String,
    /// The title of the figure in the same report to look at next; empty if there is none.
    pub next: String,
    /// A GTQL query that shows more of it; may be empty.
    pub query: String,
}

impl Finding {
    /// Sorts the findings into reading order.
    #[must_use]
    pub fn ranked(mut findings: Vec<Self>) -> Vec<Self> {
        findings.sort_by(|a, b| a.level.cmp(&b.level).then(b.weight.total_cmp(&a.weight)));
        findings
    }
}

/// A picture: drawn in pages and files, described by lines in a terminal.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// A short name, for the file that holds it.
    pub name: String,
    /// The drawing, as an SVG document.
    pub svg: String,
    /// What it shows.
    pub caption: String,
    /// Lines that describe it where nothing is drawn; may be empty.
    pub lines: String,
    /// The maximum width at which it is shown, in pixels.
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
            Finding::ranked(found.to_vec()).iter().map(|finding| (finding.level, finding.weight)).collect();
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
