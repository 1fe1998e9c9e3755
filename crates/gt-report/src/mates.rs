//! Decided values in words: `mate in 3`.
//!
//! ```text
//! win = 1,000,000, ply 2:   999,995   won in 5 plies from the root, 3 from here   mate in 2
//! ```
//!
//! The metadata `win` of a log is the value of an immediate win; a win is worth one point less for each ply from the
//! root. The searches of GT-Tools need not record it.

use gt_log::{Log, Tree};

/// How a log's values express a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mates {
    /// The value of an immediate win.
    pub win: i64,
    /// Whether a won game is a mate.
    pub is_chess: bool,
}

/// The value of a win in the searches of GT-Tools.
const OWN_WIN: i64 = 1_000_000;

impl Mates {
    /// Returns the metadata of a tree, or of its log; `None` if nothing is known.
    #[must_use]
    pub fn of(log: &Log, tree: Tree<'_>) -> Option<Self> {
        let says = |key: &str| tree.metadata().get(key).or(log.metadata().get(key));
        let own = || says("engine").filter(|engine| engine.starts_with("gt ")).map(|_| OWN_WIN);
        let win = says("win").and_then(|text| text.trim().parse().ok()).or_else(own)?;
        (win > 0).then_some(Self { win, is_chess: log.game() == "chess" })
    }

    /// Returns how the searches of GT-Tools express a win in a game.
    #[must_use]
    pub fn of_searches(game: &str) -> Self {
        Self { win: OWN_WIN, is_chess: game == "chess" }
    }

    /// Returns the smallest value that is a win: within a tenth of the scale, and no more plies away than any
    /// game lasts.
    #[must_use]
    pub fn least(&self) -> i64 {
        self.win - (self.win / 10).min(10_000)
    }

    /// Returns a node's value in words, if it is decided: for the player whose view it is from. The words of a game that is
    /// over there have no distance.
    ///
    /// ```
    /// use gt_report::Mates;
    /// let mates = Mates { win: 32_000, is_chess: true };
    /// assert_eq!(mates.text(31_995, 0).as_deref(), Some("mate in 3"));
    /// assert_eq!(mates.text(-31_996, 2).as_deref(), Some("mated in 1"));
    /// assert_eq!(mates.text(-31_996, 4).as_deref(), Some("mated"));
    /// assert_eq!(mates.text(120, 0), None);
    /// let mates = Mates { is_chess: false, ..mates };
    /// assert_eq!(mates.text(31_997, 2).as_deref(), Some("won in 1 ply"));
    /// assert_eq!(mates.text(-31_997, 3).as_deref(), Some("lost"));
    /// ```
    #[must_use]
    pub fn text(&self, value: i128, ply: u64) -> Option<String> {
        self.worded(value, ply, [["lost", "won"], ["mated", "mate"]])
    }

    /// Returns the same as something that a move can be worth, in a sentence.
    ///
    /// ```
    /// use gt_report::Mates;
    /// let mates = Mates { win: 32_000, is_chess: true };
    /// assert_eq!(mates.noun(31_995, 0).as_deref(), Some("a mate in 3"));
    /// let mates = Mates { is_chess: false, ..mates };
    /// assert_eq!(mates.noun(-31_999, 0).as_deref(), Some("a loss in 1 ply"));
    /// ```
    #[must_use]
    pub fn noun(&self, value: i128, ply: u64) -> Option<String> {
        self.worded(value, ply, [["a loss", "a win"], ["being mated", "a mate"]])
    }

    /// One of the words, for other games and chess, lost and won; with the distance of a game that is not over yet.
    fn worded(&self, value: i128, ply: u64, words: [[&str; 2]; 2]) -> Option<String> {
        let from_root = i128::from(self.win) - value.abs();
        if from_root < 0 || value.abs() < i128::from(self.least()) {
            return None;
        }
        let plies = u64::try_from(from_root).ok()?.saturating_sub(ply);
        let word = words[usize::from(self.is_chess)][usize::from(value > 0)];
        Some(match plies {
            0 => word.to_owned(),
            _ if self.is_chess => format!("{word} in {}", plies.div_ceil(2)),
            1 => format!("{word} in 1 ply"),
            _ => format!("{word} in {plies} plies"),
        })
    }
}
