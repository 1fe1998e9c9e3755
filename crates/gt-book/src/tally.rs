//! How often a move was played, and what came of it.

/// The games that went on with a move, and how they ended for the player who made it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many games.
    pub games: u32,
    /// How many of them the player won.
    pub wins: u32,
    /// How many of them the player neither won nor lost; games without a result are among them.
    pub draws: u32,
}

impl Tally {
    /// Two for each game that was won, one for each that was drawn.
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
