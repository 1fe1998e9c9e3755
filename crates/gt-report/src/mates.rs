//! Decided values in words: `mate in 3`.
//!
//! ```text
//! win = 1,000,000, ply 2:   999,995   won in 5 plies from the root, 3 from here   mate in 2
//!                           989,990   won, by a table that knows no distance      won
//! ```
//!
//! The metadata `win` of a log is the value of an immediate win; a win is worth one point less for each ply from the
//! root. The metadata `unmeasured_win` is the smallest value of a win whose distance is unknown. The searches of GT-Tools need
//! record neither.

use gt_log::{Log, Tree};

/// How a log's values express a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mates {
    /// The value of an immediate win.
    pub win: i64,
    /// The smallest value of a win at an unknown distance, if the log has such values.
    pub unmeasured_win: Option<i64>,
    /// Whether a won game is a mate.
    pub is_chess: bool,
}

/// The value of a win in the searches of GT-Tools.
const OWN_WIN: i64 = 1_000_000;
/// The smallest value there of a win at an unknown distance: 10,000 plies below the last one at a known distance.
const OWN_UNMEASURED_WIN: i64 = 979_999;

impl Mates {
    /// Returns how the metadata of a tree, or of its log, express a win; `None` if nothing is known.
    #[must_use]
    pub fn of(log: &Log, tree: Tree<'_>) -> Option<Self> {
        let says = |key: &str| tree.metadata().get(key).or(log.metadata().get(key));
        let number = |key: &str| says(key).and_then(|text| text.trim().parse::<i64>().ok());
        let is_own = says("engine").is_some_and(|engine| engine.starts_with("gt "));
        let Some(win) = number("win") else { return is_own.then(|| Self::of_searches(log.game())) };
        let mates = Self { win, unmeasured_win: None, is_chess: log.game() == "chess" };
        let unmeasured_win =
            number("unmeasured_win").filter(|value| (1..mates.measured_least()).contains(value));
        (win > 0).then_some(Self { unmeasured_win, ..mates })
    }

    /// Returns how the searches of GT-Tools express a win in a game.
    #[must_use]
    pub fn of_searches(game: &str) -> Self {
        Self { win: OWN_WIN, unmeasured_win: Some(OWN_UNMEASURED_WIN), is_chess: game == "chess" }
    }

    /// Returns the smallest value that is a win, at a known distance or not.
    #[must_use]
    pub fn least(&self) -> i64 {
        self.unmeasured_win.unwrap_or_else(|| self.measured_least())
    }

    /// The smallest value of a win at a known distance: within a tenth of the scale, and no more plies away than any
    /// game lasts.
    fn measured_least(&self) -> i64 {
        self.win - (self.win / 10).min(10_000)
    }

    /// Returns a node's value in words, for the player whose view it is from, if the value is decided. The words name
    /// no distance if the game is over at the node, or won at an unknown distance.
    ///
    /// ```
    /// use gt_report::Mates;
    /// let mates = Mates { win: 32_000, unmeasured_win: Some(25_000), is_chess: true };
    /// assert_eq!(mates.text(31_995, 0).as_deref(), Some("mate in 3"));
    /// assert_eq!(mates.text(-31_996, 2).as_deref(), Some("mated in 1"));
    /// assert_eq!(mates.text(-31_996, 4).as_deref(), Some("mated"));
    /// assert_eq!(mates.text(-25_100, 4).as_deref(), Some("lost"));
    /// assert_eq!(mates.text(120, 0), None);
    /// let mates = Mates { is_chess: false, ..mates };
    /// assert_eq!(mates.text(31_997, 2).as_deref(), Some("won in 1 ply"));
    /// assert_eq!(mates.text(-31_997, 3).as_deref(), Some("lost"));
    /// ```
    #[must_use]
    pub fn text(&self, value: i128, ply: u64) -> Option<String> {
        self.worded(value, ply, [["lost", "won"], ["mated", "mate"]])
    }

    /// Like [`Mates::text`], but returns a noun for what a move can be worth.
    ///
    /// ```
    /// use gt_report::Mates;
    /// let mates = Mates { win: 32_000, unmeasured_win: None, is_chess: true };
    /// assert_eq!(mates.noun(31_995, 0).as_deref(), Some("a mate in 3"));
    /// let mates = Mates { is_chess: false, ..mates };
    /// assert_eq!(mates.noun(-31_999, 0).as_deref(), Some("a loss in 1 ply"));
    /// ```
    #[must_use]
    pub fn noun(&self, value: i128, ply: u64) -> Option<String> {
        self.worded(value, ply, [["a loss", "a win"], ["being mated", "a mate"]])
    }

    /// One of the words: of other games or chess, for lost or won; with the distance if the game is not over yet.
    fn worded(&self, value: i128, ply: u64, words: [[&str; 2]; 2]) -> Option<String> {
        let from_root = i128::from(self.win) - value.abs();
        if from_root < 0 || value.abs() < i128::from(self.least()) {
            return None;
        }
        if value.abs() < i128::from(self.measured_least()) {
            return Some(words[0][usize::from(value > 0)].to_owned());
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

#[cfg(test)]
mod tests {
    use super::*;
    use gt_log::{Header, Kind, LogWriter, Metadata, Options, Schema, Value};

    fn of_log(metadata: &[(&str, &str)]) -> Option<Mates> {
        let with = |header: Header, &(key, value): &(&str, &str)| header.with(key, value);
        let schema = Schema::new([("best", Kind::I32)]).unwrap();
        let header = metadata.iter().fold(Header::new("chess", schema), with);
        let writer = LogWriter::to_memory(header).unwrap();
        let mut tree = writer.dynamic_tree(&Metadata::new(), Options::default()).unwrap();
        tree.enter(0).unwrap();
        tree.leave_values(&[Value::Int(0)]).unwrap();
        tree.finish().unwrap();
        let log = Log::from_bytes(writer.into_memory().unwrap()).unwrap();
        Mates::of(&log, log.trees().next().unwrap())
    }

    #[test]
    fn a_log_says_where_wins_begin() {
        let wins =
            |metadata: &[(&str, &str)]| of_log(metadata).map(|mates| (mates.win, mates.unmeasured_win));
        assert_eq!(wins(&[("engine", "gt 0.2.0")]), Some((OWN_WIN, Some(OWN_UNMEASURED_WIN))));
        assert_eq!(wins(&[("win", "32000")]), Some((32_000, None)));
        assert_eq!(wins(&[("win", "32000"), ("unmeasured_win", "25000")]), Some((32_000, Some(25_000))));
        assert_eq!(wins(&[("win", "32000"), ("unmeasured_win", "31900")]), Some((32_000, None)), "a mate");
        assert_eq!(wins(&[("win", "32000"), ("unmeasured_win", "0")]), Some((32_000, None)), "everything");
        assert_eq!(wins(&[("unmeasured_win", "25000")]), None, "no scale");
    }
}
