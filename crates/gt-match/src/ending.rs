//! The ends of games: by the rules, by adjudication, by a fault.

use gt_games::registry::AnyGame;
use gt_games::saved::SavedResult;
use gt_play::live::reason_of;
use gt_search::Outcome;

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ending {
    pub(crate) result: SavedResult,
    /// The reason in words.
    pub(crate) reason: String,
    /// The seat that lost by a fault, and the kind of fault.
    pub(crate) fault: Option<(usize, &'static str)>,
}

impl Ending {
    /// The result by the rules. With more than two players, those who did not win are placed by the game's
    /// evaluation. `seen` are the hashes of all positions that were on the board.
    pub(crate) fn by_rules(position: &dyn AnyGame, outcome: Outcome, seen: &[u64]) -> Self {
        let players = position.players();
        let result = match (outcome, position.evaluate(None)) {
            (Outcome::Win(winner), Ok(values)) if players > 2 => placed(winner, &values),
            (outcome, _) => SavedResult::of(outcome, players),
        };
        Self { result, reason: reason_of(position, outcome, seen).to_owned(), fault: None }
    }

    pub(crate) fn draw(players: usize, reason: impl Into<String>) -> Self {
        Self { result: SavedResult::draw(players), reason: reason.into(), fault: None }
    }

    /// One of two players has lost.
    pub(crate) fn loss(loser: usize, reason: impl Into<String>) -> Self {
        Self { result: SavedResult::win(1 - loser, 2), reason: reason.into(), fault: None }
    }

    /// A seat that commits a fault comes last; the others share the first place.
    pub(crate) fn fault(seat: usize, players: usize, kind: &'static str, reason: String) -> Self {
        let ranks: Vec<usize> = (0..players).map(|other| usize::from(other == seat)).collect();
        Self { result: SavedResult::ranked(&ranks), reason, fault: Some((seat, kind)) }
    }
}

/// The winner first, the others by their values.
fn placed(winner: usize, values: &[i32]) -> SavedResult {
    let better = |player: usize| values.iter().filter(|&&value| value > values[player]).count();
    let rank = |player: usize| if player == winner { 0 } else { 1 + better(player) };
    SavedResult::ranked(&(0..values.len()).map(rank).collect::<Vec<usize>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_who_have_not_won_are_placed_by_their_values() {
        assert_eq!(placed(1, &[-30, -40, -20]).places(), [3, 1, 2]);
        assert_eq!(placed(0, &[-5, -7, -7, -9]).places(), [1, 2, 2, 4]);
    }

    #[test]
    fn who_commits_a_fault_is_last() {
        assert_eq!(Ending::fault(1, 3, "crash", String::new()).result.places(), [1, 3, 1]);
        assert_eq!(Ending::fault(0, 2, "time", String::new()).result.winner(), Some(1));
        assert_eq!(Ending::loss(0, "x").result.winner(), Some(1));
    }
}
