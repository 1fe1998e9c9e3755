//! How often a move was played, and with what results.

/// The games that continued with a move, and their results for the player who made it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of games.
    pub games: u32,
    /// The number of games that the player won.
    pub wins: u32,
    /// The number of games that the player neither won nor lost, including those without a result.
    pub draws: u32,
}

impl Tally {
    /// Returns the weight: two for each game won, one for each drawn.
    #[must_use]
    pub fn weight(self) -> u32 {
        self.wins.saturating_mul(2).saturating_add(self.draws)
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.games = self.games.saturating_add(other.games);
        self.wins = self.wins.saturating_add(other.wins);
        self.draws = self.draws.saturating_add(other.draws);
    }
}
