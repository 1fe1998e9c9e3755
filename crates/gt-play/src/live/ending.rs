//! The end of a game, and its reason.

use gt_games::registry::{AnyGame, GameKind};
use gt_search::Outcome;
use serde::Serialize;

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Ending {
    /// The place of each player, from 1; players who share a place have the same number.
    pub places: Vec<usize>,
    /// The reason in a word or two: `checkmate`, `time`, `resigned`.
    pub reason: String,
}

impl Ending {
    /// The end of the game by the rules, if the position is one. `seen` are the hashes of all positions so far.
    pub(super) fn by_rule(position: &dyn AnyGame, seen: &[u64]) -> Option<Self> {
        let outcome = position.outcome()?;
        let places = match outcome {
            Outcome::Draw => vec![1; position.players()],
            Outcome::Win(winner) => {
                (0..position.players()).map(|player| if player == winner { 1 } else { 2 }).collect()
            }
        };
        Some(Self { places, reason: reason_of(position, outcome, seen).to_owned() })
    }

    /// A player has lost, by resigning or on time: the others share the first place.
    pub(super) fn lost(player: usize, players: usize, reason: &str) -> Self {
        let places = (0..players).map(|other| if other == player { players } else { 1 }).collect();
        Self { places, reason: reason.to_owned() }
    }

    /// Returns the only player in the first place.
    #[must_use]
    pub fn winner(&self) -> Option<usize> {
        let mut first = (0..self.places.len()).filter(|&player| self.places[player] == 1);
        first.next().filter(|_| first.next().is_none())
    }

    /// Whether everybody shares the first place.
    #[must_use]
    pub fn is_draw(&self) -> bool {
        self.places.iter().all(|&place| place == 1)
    }
}

/// Returns the reason why a game is over by the rules, in a word or two. `seen` are the hashes of all positions that
/// were on the board, including the last one.
#[must_use]
pub fn reason_of(position: &dyn AnyGame, outcome: Outcome, seen: &[u64]) -> &'static str {
    match (position.kind(), outcome) {
        (GameKind::TicTacToe, Outcome::Win(_)) => "three in a line",
        (GameKind::ConnectFour, Outcome::Win(_)) => "four in a line",
        (GameKind::TicTacToe | GameKind::ConnectFour, Outcome::Draw) => "the board is full",
        (GameKind::Amazons, _) => "no move left",
        (GameKind::ChineseCheckers, Outcome::Win(_)) => "arrived",
        (GameKind::ChineseCheckers, Outcome::Draw) => "too many turns",
        (GameKind::Thorns, _) => "all cards are played",
        (GameKind::Tree, _) => "a leaf of the tree",
        (GameKind::Chess, Outcome::Win(_)) => "checkmate",
        (GameKind::Chess, Outcome::Draw) => chess_draw(position, seen),
    }
}

fn chess_draw(position: &dyn AnyGame, seen: &[u64]) -> &'static str {
    let text = position.position_text();
    let fields: Vec<&str> = text.split(' ').collect();
    let pieces = fields.first().copied().unwrap_or("");
    let quiet_plies: u32 = fields.get(4).and_then(|field| field.parse().ok()).unwrap_or(0);
    let occurred = seen.iter().filter(|&&hash| hash == position.hash()).count();
    let heavy = pieces.chars().any(|piece| matches!(piece.to_ascii_lowercase(), 'p' | 'r' | 'q'));
    let light = pieces.chars().filter(|piece| matches!(piece.to_ascii_lowercase(), 'n' | 'b')).count();
    match occurred {
        3.. => "repetition",
        _ if quiet_plies >= 100 => "fifty moves",
        _ if !heavy && light < 2 => "too few pieces",
        _ => "stalemate",
    }
}
