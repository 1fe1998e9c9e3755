//! The result of a saved game: the place of each player.

use gt_search::Outcome;
use std::fmt;

/// The place that each player took, from 1; players with equal results share the better place.
///
/// ```
/// use gt_games::saved::SavedResult;
///
/// assert_eq!(SavedResult::win(1, 2).to_string(), "0-1");
/// assert_eq!(SavedResult::draw(2).to_string(), "1/2-1/2");
/// assert_eq!(SavedResult::win(1, 3).to_string(), "2 1 2");
/// assert_eq!(SavedResult::ranked(&[20, 10, 30]).to_string(), "2 1 3");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedResult {
    places: Vec<usize>,
}

impl SavedResult {
    /// The result in which one player wins, and the others share the second place.
    #[must_use]
    pub fn win(winner: usize, players: usize) -> Self {
        let ranks: Vec<usize> = (0..players).map(|player| usize::from(player != winner)).collect();
        Self::ranked(&ranks)
    }

    /// The result without a winner.
    #[must_use]
    pub fn draw(players: usize) -> Self {
        Self::ranked(&vec![1; players])
    }

    /// The result of a game that was played to its end.
    #[must_use]
    pub fn of(outcome: Outcome, players: usize) -> Self {
        match outcome {
            Outcome::Win(winner) => Self::win(winner, players),
            Outcome::Draw => Self::draw(players),
        }
    }

    /// The places that follow from any ranks, the lowest being the best.
    #[must_use]
    pub fn ranked(ranks: &[usize]) -> Self {
        let place = |rank: &usize| 1 + ranks.iter().filter(|other| *other < rank).count();
        Self { places: ranks.iter().map(place).collect() }
    }

    /// Reads the text that `Display` writes, for this many players.
    #[must_use]
    pub fn parse(text: &str, players: usize) -> Option<Self> {
        if players == 2 {
            return match text {
                "1-0" => Some(Self::win(0, 2)),
                "0-1" => Some(Self::win(1, 2)),
                "1/2-1/2" => Some(Self::draw(2)),
                _ => None,
            };
        }
        let ranks: Option<Vec<usize>> = text.split(' ').map(|place| place.parse().ok()).collect();
        let ranks = ranks.filter(|ranks| ranks.len() == players)?;
        let in_range = ranks.iter().all(|rank| (1..=players).contains(rank));
        in_range.then(|| Self::ranked(&ranks))
    }

    /// Each player's place.
    #[must_use]
    pub fn places(&self) -> &[usize] {
        &self.places
    }

    /// The player who won alone, if any.
    #[must_use]
    pub fn winner(&self) -> Option<usize> {
        let mut first = (0..self.places.len()).filter(|&player| self.places[player] == 1);
        first.next().filter(|_| first.next().is_none())
    }

    /// Returns a player's share of the point: 1 for winning alone, 0 for any place but the first.
    #[must_use]
    pub fn share(&self, player: usize) -> f64 {
        if self.places.get(player) != Some(&1) {
            return 0.0;
        }
        1.0 / self.places.iter().filter(|&&place| place == 1).count() as f64
    }
}

impl fmt::Display for SavedResult {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.places.len(), self.winner()) {
            (2, Some(0)) => out.write_str("1-0"),
            (2, Some(_)) => out.write_str("0-1"),
            (2, None) => out.write_str("1/2-1/2"),
            _ => {
                let places: Vec<String> = self.places.iter().map(usize::to_string).collect();
                out.write_str(&places.join(" "))
            }
        }
    }
}
